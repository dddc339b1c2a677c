#!/bin/bash
# redo key: a keyring that others could read or have made, that is damaged, or that others are writing.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"

scene "a directory or a file on which others have rights is refused, with its path and mode"
make_store exposed
redo key generate >"$OUT"
for mode in 755 701 750 770 704; do
  chmod $mode .redo/keys
  for command in 'list' 'show' 'sign' 'exists user_id' 'put x' 'device-id' 'rotate' 'rm --yes --all' 'export --private --yes'; do
    # shellcheck disable=SC2086 # words
    run redo key $command <<<x
    expect_error 128 "on '$PWD/.redo/keys' (mode 0$mode) [KEYCHAIN_002]"
  done
done
chmod 700 .redo/keys
for mode in 644 640 604 620 666; do
  chmod $mode .redo/keys/ed25519_private_key
  for command in show sign rotate 'export --private --yes'; do
    # shellcheck disable=SC2086 # words
    run redo key $command <<<x
    expect_error 128 "on '$PWD/.redo/keys/ed25519_private_key' (mode 0$mode) [KEYCHAIN_002]"
  done
done
chmod 600 .redo/keys/ed25519_private_key
run redo key show --json --bogus
expect_status 129
chmod 755 .redo/keys
run redo key show --json
expect_status 128
expect_stderr_has '"code":"KEYCHAIN_002"'
chmod 700 .redo/keys

scene "symbolic links, pipes and directories in the place of files are refused"
mv .redo/keys/ed25519_private_key key
ln -s "$PWD/key" .redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "ed25519_private_key' is neither"
expect_stderr_has "[KEYCHAIN_002]"
rm .redo/keys/ed25519_private_key
mkfifo -m 600 .redo/keys/ed25519_private_key
run timeout 60 redo key sign </dev/null
expect_error 128 "[KEYCHAIN_002]"
rm .redo/keys/ed25519_private_key
mkdir -m 700 .redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "[KEYCHAIN_002]"
rmdir .redo/keys/ed25519_private_key
mv key .redo/keys/ed25519_private_key
mv .redo/keys moved
ln -s "$PWD/moved" .redo/keys
run redo key list
expect_error 128 "keys' is neither"
rm .redo/keys && mv moved .redo/keys

scene "damage is told, hides nothing else, and can be removed"
cp -r .redo kept
printf '%s' "${SEED:1}" >.redo/keys/ed25519_private_key
run redo key show
expect_error 128 "ed25519_private_key' does not hold what it should"
expect_stderr_has "[KEYCHAIN_003]"
expect_stderr_lacks "${SEED:10:20}"
run redo key list
expect_status 0
expect_stdout_lines 3
: >.redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "it is empty [KEYCHAIN_003]"
run redo key rm --yes ed25519_private_key
expect_status 0
rm -rf .redo && mv kept .redo

scene "a private key that the public key beside it is not of signs nothing: it is damaged, or exchanged"
cp -p .redo/keys/ed25519_private_key whole
printf '%s\n' "$SEED" >.redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "it is not the key of the public key beside it [KEYCHAIN_003]"
run redo commit create --title=x
expect_error 128 "it is not the key of the public key beside it [KEYCHAIN_003]"
# So an unfinished change of keys looks, but for the old key, which is kept first.
cp .redo/keys/ed25519_public_key ".redo/keys/retired.$(cat .redo/keys/user_id).pub"
run redo key sign </dev/null
expect_status 0
rm ".redo/keys/retired.$(cat .redo/keys/user_id).pub"
mv whole .redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_status 0

scene "a pipe in the place of a lock or a log holds nobody up"
redo commit -q create --title=x >/dev/null 2>&1
for file in lock received refs; do
  mv .redo/$file kept.$file
  mkfifo .redo/$file
  for words in log 'log --no-cache' verify\ --all 'commit create --title=y'; do
    # shellcheck disable=SC2086 # words
    run timeout 60 redo $words
    [ "$STATUS" -ne 124 ] || fail "'$words' waits for '$file'" </dev/null
  done
  rm .redo/$file && mv kept.$file .redo/$file
done
cd ..

scene "a keyring of another user, and one that cannot be written"
if can_be_nobody; then
  make_store theirs
  redo key generate >"$OUT"
  chown $NOBODY .redo/keys
  run redo key show
  expect_error 128 "belongs to another user ($NOBODY) [KEYCHAIN_002]"
  chown 0 .redo/keys
  chown $NOBODY .redo/keys/ed25519_private_key
  run redo key sign </dev/null
  expect_error 128 "ed25519_private_key' belongs to another user"
  chown -R $NOBODY .redo
  chmod 500 .redo/keys
  before=$(fingerprint)
  for command in 'put x' 'generate -f' rotate device-id; do
    # shellcheck disable=SC2086 # words
    run as_nobody redo key $command <<<x
    expect_error 128 "[KEYCHAIN_001]"
  done
  expect_untouched "$before"
  run as_nobody redo key show --user-id
  expect_status 0
  run as_nobody redo key sign </dev/null
  expect_status 0
  cd ..
else
  skip "only root can become another user"
fi

scene "two that generate at once: one wins, the other says so, and the key is one"
for round in 1 2 3 4 5; do
  rm -rf race
  redo init -q race
  for number in 1 2 3 4; do
    (
      redo -C race key generate >"won.$number" 2>"lost.$number"
      echo $? >"status.$number"
    ) &
  done
  wait
  expect_equal "$(cat status.? | sort | tr '\n' ' ')" '0 1 1 1 ' "the statuses"
  expect_equal "$(cat won.?)" "$(redo -C race key show --user-id)" "who won"
  expect_equal "$(cat lost.? | grep -c "^error: there is a key already, of user '$(cat won.?)'")" 3 "who said so"
done

scene "eight that rotate at once: eight keys are kept, one is in use"
for number in 1 2 3 4 5 6 7 8; do redo -C race key rotate >"won.$number" 2>&1 & done
wait
run redo -C race key list
expect_equal "$(grep -c ^retired "$OUT")" 8 "retired keys"
expect_equal "$(cat won.? | grep -cxF "$(redo -C race key show --user-id)")" 1 "the key in use"
for number in 1 2 3 4 5 6 7 8; do redo -C race key device-id >"device.$number" & done
wait
expect_equal "$(sort -u device.? | wc -l)" 1 "device ids"

scene "a writer that holds the lock makes others say so after a while"
if command -v python3 >/dev/null; then
  python3 -c '
import fcntl, struct, sys, time
file = open("race/.redo/keys/.lock", "r+")
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
print("held", flush=True)
time.sleep(60)' >held &
  holder=$!
  until [ -s held ]; do sleep 0.02; done
  run redo -C race -c core.lockTimeout=100 key rotate
  expect_error 75 "is locked by another process"
  kill $holder
  wait $holder 2>/dev/null
else
  skip "there is no python3"
fi

scene "what a killed writer left is removed by the next"
(umask 077 && echo $SEED >race/.redo/keys/tmp_0123456789abcdef)
run redo -C race key list
! grep -q tmp_ "$OUT" || fail "it is listed" <"$OUT"
redo -C race key put x <<<x
[ ! -e race/.redo/keys/tmp_0123456789abcdef ] || fail "it is still there" </dev/null

scene "the manners: -h, a word that is none, no word, JSON errors, a full disk"
run redo key -h
expect_status 129
expect_stdout_has "usage: redo-key generate"
expect_stdout_has "    device-id             print the device id, which is made once"
expect_stderr ''
run redo-key rotate -h
expect_status 129
expect_stdout_has "usage: redo-key rotate "
run redo key lsit
expect_status 129
expect_stdout ''
expect_equal "$(head -2 "$ERR")" "error: unknown subcommand 'lsit'
hint: did you mean 'list'?" "the message"
run redo key
expect_status 129
expect_stderr_has "error: a subcommand is needed"
run redo key --json list
expect_status 129
run redo key -C other show --user-id
expect_stdout "$USER_ID"
run redo -C other key -C ../other show --user-id
expect_stdout "$USER_ID"
run redo -C / key show --json
expect_status 128
expect_stderr '{"error":"not a redo repository (or any of the parent directories): .redo","exit":128}'
for command in 'show' 'list' 'get user_id' 'export --private --yes --plain' 'export --public' 'sign' 'device-id'; do
  # shellcheck disable=SC2086 # words
  redo -C other key $command </dev/null >/dev/full 2>"$ERR"
  expect_equal $? 128 "the status of $command"
  expect_stderr_has "fatal: write error"
done
run bash -c 'redo -C race key list | head -1; exit ${PIPESTATUS[0]}'
[ "$STATUS" = 0 ] || [ "$STATUS" = 141 ] || fail "the status is $STATUS" </dev/null
expect_stderr ''
