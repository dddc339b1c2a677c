#!/bin/bash
# redo key: signatures, keys under a passphrase, and where keys and passphrases come from. No secret is ever said.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"

redo key generate >"$OUT"

scene "sign and verify: raw bytes, both forms; a change is seen"
run redo key sign <(printf test)
expect_status 0
hex 128 "$OUT" || fail "no signature" <"$OUT"
signature=$(cat "$OUT")
run redo key verify --key=ed25519_public_key --signature="$signature" <(printf test)
expect_status 0
expect_stdout body
run redo key verify -q --key=ed25519_private_key --signature="$signature" <(printf test)
expect_status 0
expect_stdout ''
run redo key verify --key=ed25519_public_key --signature="$signature" <(printf Test)
expect_status 1
expect_stdout ''
expect_stderr ''
run redo key verify --form=digest --key=ed25519_public_key --signature="$signature" <(printf test)
expect_status 1
digest=$(printf test | redo key sign --form=digest)
run redo key verify --key="$(redo key show --public)" --signature="$digest" <(printf test)
expect_stdout digest
printf test | sha256sum | cut -d' ' -f1 | tr -d '\n' | sed 's/../\\x&/g' >escaped
run redo key verify --form=body --key=ed25519_public_key --signature="$digest" <(printf "$(cat escaped)")
expect_stdout body
run redo key verify --key=ed25519_public_key --signature=00 </dev/null
expect_status 129
run redo key verify --key=nothing --signature="$signature" </dev/null
expect_error 128 "there is no key in slot 'nothing'"
run redo -C / key verify --key=$PUBLIC --signature="$signature" </dev/null
expect_status 1

scene "the text 'test', signed here and verified by another implementation, and the other way round"
printf test >text
if [ -n "$PYTHON" ]; then
  run oracle verify "$(redo key show --public)" "$signature" text
  expect_status 0
  run oracle verify "$(redo key show --public)" "$signature" escaped
  expect_status 1
  expect_equal "$(redo -C other key sign ../text)" "$(oracle sign text <<<$SEED)" "the signature of one seed"
  run redo key verify --key=$PUBLIC --signature="$(oracle sign text <<<$SEED)" text
  expect_stdout body
else
  skip "there is no python3 with PyNaCl"
fi

scene "a key under a passphrase: public without it, of use only with it"
printf 'correct horse\n' >pass
make_store wrapped
run redo key generate --passphrase-fd=3 3<../pass
expect_status 0
expect_stderr 'warning: the passphrase has fewer than 15 characters, and may be guessed'
hex 32 "$OUT" || fail "that is no user id" <"$OUT"
wrapped=$(cat "$OUT")
expect_equal "$(sed -n '1p; 2s/ .*//p; 3s/ [0-9a-f]*$//p; 4s/ .*//p' .redo/keys/ed25519_private_key)" "redo-key 1
public
argon2id 3 262144
xchacha20-poly1305" "its form"
run redo key show
expect_stdout "user id      $wrapped
public key   $(redo key show --public)
private key  from the keyring, under a passphrase"
run redo key sign --passphrase-fd=3 ../text 3<../pass
expect_status 0
signature=$(cat "$OUT")
run redo key verify --key=ed25519_private_key --signature="$signature" ../text
expect_stdout body
printf 'correct hors\n' >../almost
run redo key sign --passphrase-fd=3 ../text 3<../almost
expect_error 77 "the passphrase does not open the key of user '$wrapped'"
expect_stderr_lacks "correct"
run redo key sign --passphrase-fd=3 ../text 3<&-
expect_error 128 "cannot read 'descriptor 3'"
run redo key sign --passphrase-fd=3 ../text 3</dev/null
expect_error 128 "the passphrase on 'descriptor 3' is empty"
run setsid -w redo key sign ../text </dev/null
expect_error 128 "there is no terminal to ask for its passphrase"
run setsid -w redo key generate --force --passphrase </dev/null
expect_error 128 "there is no terminal to ask for a passphrase"

scene "a new passphrase is measured: eight characters at the least, better fifteen, and not always the same"
before=$(fingerprint)
for short in x 'seven 7' 'äöüßéèñ' "$(printf '\360\237\224\221%.0s' 1 2 3 4 5 6 7)"; do
  run redo key rotate --passphrase-fd=3 3<<<"$short"
  expect_error 128 "the passphrase has fewer than 8 characters"
  expect_stderr_has "hint: '--weak-passphrase' takes it all the same"
  expect_stderr_lacks "$short"
  run redo key import --private --force --passphrase-fd=3 ../other.key 3<<<"$short"
  expect_error 128 "the passphrase has fewer than 8 characters"
done
expect_untouched "$before"
cd .. && make_store weak
run redo key generate --weak-passphrase --passphrase-fd=3 3<<<x
expect_status 0
expect_stderr "warning: the passphrase has fewer than 15 characters, and may be guessed
warning: the passphrase has fewer than 6 different characters, and may be guessed"
run redo key sign --passphrase-fd=3 ../text 3<<<x
expect_status 0
expect_stderr ''
run redo key rotate --passphrase-fd=3 3<<<'äöüßéèñ8'
expect_status 0
expect_stderr_has "fewer than 15 characters"
expect_stderr_lacks "different"
run redo key rotate --passphrase-fd=3 3<<<'abababababababababab'
expect_status 0
expect_stderr_has "warning: the passphrase has fewer than 6 different characters"
expect_stderr_lacks "fewer than 15"
run redo key rotate --passphrase-fd=3 3<<<'correct horse battery'
expect_status 0
expect_stderr_lacks "passphrase"
cd ../wrapped || exit 1

scene "the descriptor is read up to the line feed and no further"
(
  run redo key sign --passphrase-fd=0 ../text
  expect_status 0
  read -r rest
  expect_equal "$rest" "the rest" "what is left"
) < <(printf 'correct horse\nthe rest\n') || exit 1

scene "its passphrase can come from a setting of the user or a credential, and never from the store's"
run redo -c key.passphraseCommand='printf "correct horse\nmore"' key sign ../text
expect_stdout "$signature"
mkdir ../credentials
printf 'correct horse' >../credentials/redo.passphrase
run env CREDENTIALS_DIRECTORY="$PWD/../credentials" redo key sign ../text
expect_stdout "$signature"
run redo -c key.passphraseCommand=false key sign ../text
expect_error 128 "'key.passphraseCommand' ends with status 1"
run redo -c key.passphraseCommand=true key sign ../text
expect_error 128 "'key.passphraseCommand' prints nothing"
cp .redo/config kept
printf '[key]\n\tpassphraseCommand = touch ran; echo correct horse\n\tcommand = touch ran; echo %s\n' $SEED >>.redo/config
run setsid -w redo key sign ../text </dev/null
expect_status 128
expect_stderr_has "warning: 'key.command' on line 6 of "
expect_stderr_has "warning: 'key.passphraseCommand' on line 5 of "
expect_stderr_lacks "$SEED"
[ ! -e ran ] || fail "a command of the store's settings was run" </dev/null
mv kept .redo/config

scene "a rotation of a key under a passphrase asks for one too; without is to be said"
run setsid -w redo key rotate </dev/null
expect_error 128 "there is no terminal to ask for a passphrase"
run redo key show --user-id
expect_stdout "$wrapped"
run redo key rotate --no-passphrase
expect_status 0
run redo key list --json
expect_stdout_has '"kind":"private-key"'
expect_stdout_has '"wrapped":false'
expect_stdout_has "\"userId\":\"$wrapped\",\"wrapped\":true"

scene "export and import of a key under a passphrase: as it is, in plain, or under another"
run redo key export --private --yes "retired.$wrapped.key"
cp "$OUT" ../wrapped.key
head -1 ../wrapped.key | grep -qx 'redo-key 1' || fail "it is not as it is stored" <../wrapped.key
run redo key export --private --yes --plain --passphrase-fd=3 "retired.$wrapped.key" 3<../pass
hex 64 "$OUT" || fail "that is no plain key" <"$OUT"
cp "$OUT" ../plain.key
cd .. && make_store again
run redo key import --private --passphrase-fd=3 ../wrapped.key 3<../almost
expect_error 77 "does not open"
run redo key list
expect_stdout ''
run redo key import --private --passphrase-fd=3 ../wrapped.key 3<../pass
expect_stdout "$wrapped"
cmp -s .redo/keys/ed25519_private_key ../wrapped.key || fail "it is another" </dev/null
cd .. && make_store plain
run redo key import --private ../plain.key
expect_stdout "$wrapped"
run redo key export --private --yes --passphrase-fd=3 3<../almost
expect_status 0
head -1 "$OUT" | grep -qx 'redo-key 1' || fail "it is not under a passphrase" <"$OUT"
cd ..

scene "another implementation opens such a key by its description, and makes one that is opened here"
if [ -n "$PYTHON" ]; then
  printf 'correct horse' >bare
  run oracle open bare <wrapped.key
  expect_stdout_file plain.key
  oracle wrap bare 1 64 <<<$SEED >foreign.key
  redo init -q foreign
  run redo -C foreign key import --private --passphrase-fd=3 ../foreign.key 3<pass
  expect_stdout "$USER_ID"
  run redo -C foreign key sign --passphrase-fd=3 ../text 3<pass
  expect_stdout "$(oracle sign text <<<$SEED)"
else
  skip "there is no python3 with PyNaCl"
fi

scene "a key that asks for too much memory or time is refused before it gets any; so is one that was changed"
make_store limits
for cost in '17 8' '1 1048577' '5 1048576' '999999999 999999999' '3 7' '0 8' '03 262144' '3 262144 1' '99999999999 8'; do
  sed "3s/argon2id [0-9]* [0-9]*/argon2id $cost/" ../wrapped.key >changed
  # Seconds of a processor: how long it takes depends on what else the machine does.
  run bash -c 'ulimit -t 5 && exec redo key import --private --passphrase-fd=3 changed 3<../pass'
  expect_error 128 "[KEYCHAIN_003]"
done
sed '1s/1/2/' ../wrapped.key >changed
run redo key import --private --passphrase-fd=3 changed 3<../pass
expect_error 128 "its version '2' is not known"
sed "2s/ ..../ 0000/" ../wrapped.key >changed
run redo key import --private --passphrase-fd=3 changed 3<../pass
expect_error 77 "does not open"
cd ..

scene "the key can come from a credential or a command, which come before the slot"
make_store sources
redo key generate >"$OUT"
cp ../other.key ../credentials/redo.ed25519_private_key
run env CREDENTIALS_DIRECTORY="$PWD/../credentials" redo key show --json
expect_stdout "{\"privateKey\":\"credential\",\"publicKey\":\"$PUBLIC\",\"userId\":\"$USER_ID\",\"wrapped\":false}"
run redo -c key.command='cat ../other.key' key show --json
expect_stdout_has '"privateKey":"command"'
run redo -c key.command='cat ../other.key' key sign ../text
run redo key verify --key=$PUBLIC --signature="$(cat "$OUT")" ../text
expect_stdout body
run redo -c key.command='cat ../other.key; exit 3' key sign ../text
expect_error 128 "'key.command' ends with status 3"
expect_stderr_lacks "$SEED"
run redo -c key.command='echo nonsense' key sign ../text
expect_error 128 "the output of 'key.command' is no private key"
run redo -c key.command='head -c 70000 /dev/zero' key sign ../text
expect_error 128 "'key.command' cannot be run: file too large"
run redo -c key.command='kill -9 $$' key sign ../text
expect_error 128 "'key.command' ends with status 137"
run redo -c key.command='cat ../other.key' key rotate
expect_stderr_has "warning: 'key.command' comes before the keyring: this key does not sign"
cd ..

scene "no secret in the arguments of any process, nor in what is said"
make_store traced
redo key import --private ../other.key >"$OUT"
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  for command in sign show 'list --json' 'export --public' "-c key.command=cat<../other.key sign"; do
    if [[ $command == -c* ]]; then
      words=(-c 'key.command=cat <../other.key' key sign)
    else
      # shellcheck disable=SC2206 # words
      words=(key $command)
    fi
    strace -f -v -s 100000 -e trace=execve,write,openat,connect,sendto -o trace redo "${words[@]}" </dev/null >"$OUT" 2>"$ERR"
    ! grep -F execve trace | grep -qF $SEED || fail "a secret is in the arguments of ${words[*]}" </dev/null
    ! grep -F 'write(2' trace | grep -qF $SEED || fail "a secret is in the messages of ${words[*]}" </dev/null
    ! cat "$OUT" "$ERR" | grep -qF $SEED || fail "a secret is in the output of ${words[*]}" </dev/null
  done
  strace -f -v -s 100000 -e trace=execve,write -o trace redo -C ../again key sign --passphrase-fd=3 ../text >"$OUT" 2>"$ERR" 3<../pass
  expect_equal "$(wc -c <"$OUT")" 129 "the bytes of a signature and its line feed"
  ! grep -q 'correct horse' trace || fail "a passphrase is written" </dev/null
else
  skip "strace is missing or not permitted"
fi
cd ..

scene "a passphrase is asked for on the terminal, unseen, and twice for a new key"
if python3 -c 'import pty, os; os.close(pty.openpty()[0])' 2>/dev/null; then
  make_store typed
  run terminal --out id 'new passphrase: =correct battery staple' 'the same again: =correct battery staple' -- redo key generate --passphrase
  expect_stdout <<'END'
new passphrase:
the same again:
echo on
status 0
END
  hex 32 id || fail "that is no user id" <id
  run terminal --out signature "passphrase for the key of user $(cat id): =correct battery staple" -- redo key sign ../text
  expect_stdout "passphrase for the key of user $(cat id):
echo on
status 0"
  run redo key verify --key=ed25519_public_key --signature="$(cat signature)" ../text
  expect_stdout body
  run terminal "passphrase for=wrong" -- redo key sign ../text
  expect_stdout_has "fatal: the passphrase does not open the key"
  expect_stdout_has "status 77"
  run terminal "passphrase for=" -- redo key sign ../text
  expect_stdout_has "fatal: the passphrase is empty"
  before=$(fingerprint)
  run terminal 'new passphrase: =the first of the two' 'the same again: =the second of the two' -- redo key rotate
  expect_stdout_has "fatal: the passphrases differ"
  expect_stdout_has "status 128"
  expect_untouched "$before"

  scene "an interrupt or SIGTERM at the question leaves the terminal as it was, and nothing changed"
  run terminal 'new passphrase: =^C' -- redo key rotate
  expect_stdout <<'END'
new passphrase:
echo on
status -2
END
  expect_untouched "$before"
  run terminal 'passphrase for=^T' -- redo key sign ../text
  expect_stdout_has "echo on"
  expect_stdout_has "status -15"
  cd ..
else
  skip "there is no python3 for a terminal"
fi
