#!/bin/bash
# redo archive --recipient, --passphrase-file: archives that only those can read for whom they were written.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"
age_file() { "$PYTHON" "$TESTS/Oracle/age_file.py" "$@"; }

demo 700 >log.ndjson
redo -c core.fsync=none import -q log.ndjson >/dev/null
redo key generate >/dev/null 2>&1
MINE=$(redo key show --public)
redo archive create -q -o plain.pack >/dev/null
redo archive extract plain.pack >lines
echo 'correct horse' >pass
printf 'battery staple' >wrong
nobody() { env -C "$WORK/home" "$@"; }

scene "an archive for a public key: its owner reads it as any other"
run redo archive create -q -r "$MINE" -o mine.pack
expect_status 0
expect_stderr ''
cp "$OUT" row
expect_equal "$(cut -d' ' -f1,2,4,5 row)" "$(redo archive list plain.pack | cut -d' ' -f1,2,4,5)" "the row"
expect_equal "$(cut -d' ' -f3 row)" "$(stat -c %s mine.pack)" "the bytes"
run redo archive list mine.pack
expect_stdout_file row
run redo archive list --json mine.pack
expect_stdout_has '"encrypted":true'
run redo archive extract mine.pack
expect_stdout_file lines
run redo archive show mine.pack "$(sed -n 5p lines | ids_of)"
expect_stdout_file <(redo cat-node "$(sed -n 5p lines | ids_of)")
run redo archive verify mine.pack
expect_status 0
expect_stdout ''
expect_stderr ''
run redo archive diff plain.pack mine.pack
expect_status 0
expect_stdout ''

scene "nothing of the text is in the file, and no two files are the same"
! grep -aq "$(sed -n 5p lines | sed 's/.*"deviceId":"\([^"]*\)".*/\1/')" mine.pack || fail "a device id is in it" </dev/null
redo archive create -q -r "$MINE" -o again.pack >/dev/null
! cmp -s mine.pack again.pack || fail "both are the same" </dev/null
expect_equal "$(stat -c %s again.pack)" "$(stat -c %s mine.pack)" "the bytes"

scene "whoever has no key is told so once, with what may help"
run nobody redo archive list "$PWD/mine.pack"
expect_error 77 "is encrypted for 1 key, and nothing here opens it"
expect_stderr_has "hint: '--identity' names a private key, '--passphrase-file' a file"
for command in verify extract "show $MINE" "diff"; do
  run redo -C other archive ${command% *} "$PWD/mine.pack" ${command#"${command% *}"}
  [ "$command" = "show $MINE" ] || expect_error 77 "nothing here opens it"
done
run redo -C other import "$PWD/mine.pack"
expect_error 77 "nothing here opens it"

scene "several recipients, or a passphrase: each of them opens it"
cp .redo/keys/ed25519_private_key mine.key
run redo archive create -q --recipient="$MINE" --recipient="$PUBLIC" --recipient="$MINE" -o all.pack
expect_status 0
run redo -C other archive extract "$PWD/all.pack"
expect_stdout_file lines
run nobody redo archive extract --identity="$PWD/mine.key" "$PWD/all.pack"
expect_stdout_file lines
run nobody redo archive extract -i "$PWD/other.key" "$PWD/all.pack"
expect_stdout_file lines
run redo archive create -q --passphrase-file=pass -o secret.pack
expect_status 0
run nobody redo archive extract --passphrase-file="$PWD/pass" "$PWD/secret.pack"
expect_stdout_file lines
run nobody sh -c "redo archive extract --passphrase-file=- $PWD/secret.pack <$PWD/pass"
expect_stdout_file lines
run nobody redo archive list --passphrase-file="$PWD/wrong" "$PWD/secret.pack"
expect_error 77 "the passphrase does not open"
run nobody redo archive list "$PWD/all.pack"
expect_error 77 "is encrypted for 2 keys, and nothing here opens it"
run nobody redo archive list "$PWD/secret.pack"
expect_error 77 "is encrypted for a passphrase, and nothing here opens it"
run redo archive create -q -r "$MINE" --passphrase-file=pass -o bad.pack
expect_status 129
expect_stderr_has "a file for a passphrase is for nobody else"
run nobody redo archive list --passphrase-file="$PWD/pass" "$PWD/mine.pack"
expect_error 77 "no passphrase opens '$PWD/mine.pack', it is encrypted for keys"

scene "import reads them"
redo init -q into
run redo -C into -c core.fsync=none import --passphrase-file=pass "$PWD/secret.pack"
expect_error 128 "cannot open 'pass'"
run redo -C into -c core.fsync=none import --passphrase-file="$PWD/pass" "$PWD/secret.pack"
expect_status 0
expect_stdout 700
expect_equal "$(redo -C into state --hash)" "$(redo state --hash)" "the state"
run redo import -q mine.pack
expect_stdout 0
run sh -c 'redo archive verify /dev/stdin <mine.pack'
expect_status 0
run sh -c 'redo import <mine.pack'
expect_status 0
expect_stdout 0

scene "a user id stands for the key of the keyring or of the trust file"
run redo archive create -q -r "${MINE:0:32}" -o user.pack
expect_status 0
run redo archive list user.pack
expect_status 0
run redo archive create -q -r "$USER_ID" -o friend.pack
expect_error 128 "the key of user '$USER_ID' is not known"
redo trust add "$PUBLIC" >/dev/null 2>&1
run redo archive create -q -r "$USER_ID" -o friend.pack
expect_status 0
run redo -C other archive extract "$PWD/friend.pack"
expect_stdout_file lines
redo trust revoke "$PUBLIC" >/dev/null 2>&1
run redo archive create -q -r "$PUBLIC" -o revoked.pack
expect_error 128 "is revoked on line"
[ ! -e revoked.pack ] || fail "there is a file" </dev/null
rm -f .redo/trust

scene "keys that nothing can be encrypted for, and what is no key"
for bad in $(printf '0%.0s' {1..64}) 01$(printf '0%.0s' {1..62}) ed$(printf 'f%.0s' {1..60})7f ee$(printf 'f%.0s' {1..60})7f; do
  run redo archive create -q -r "$bad" -o bad.pack
  expect_error 128 "nothing can be encrypted for '$bad'"
done
for bad in me x25519:12 "${MINE^^}" "x25519:$MINE" "age1qqq"; do
  run redo archive create -q -r "$bad" -o bad.pack
  expect_status 129
  expect_stderr_has "'$bad' is no recipient"
done
run redo archive create -q --passphrase-file=missing -o bad.pack
expect_error 128 "cannot open 'missing'"
: >empty
run redo archive create -q --passphrase-file=empty -o bad.pack
expect_error 128 "the first line of 'empty' is empty"
head -c 3000 /dev/zero | tr '\0' x >long
run redo archive create -q --passphrase-file=long -o bad.pack
expect_error 128 "longer than 1024 bytes"
echo 1234567 >short
run redo archive create -q --passphrase-file=short -o bad.pack
expect_error 128 "the passphrase has fewer than 8 characters"
[ ! -e bad.pack ] || fail "there is a file" </dev/null
run redo archive create -q --passphrase-file=short --weak-passphrase -o weak.pack
expect_status 0
expect_stderr 'warning: the passphrase has fewer than 15 characters, and may be guessed'
run redo archive list --passphrase-file=short weak.pack
expect_status 0
expect_stderr ''
run redo archive create -q --passphrase --passphrase-file=pass -o bad.pack
expect_status 129
run redo archive list -i empty mine.pack
expect_error 128 "'empty' is empty"
run redo archive list -i pass mine.pack
expect_error 128 "'pass' is no private key"
[ ! -e bad.pack ] || fail "there is a file" </dev/null

scene "keys of age, as files, in a slot and in the settings; no key in a file, and old archives"
if [ -n "$PYTHON" ]; then
  age_file keygen >age.key
else
  redo age --generate 2>/dev/null | grep AGE- >age.key
fi
redo archive create -q -r "$(redo age -y age.key)" -o age.pack >/dev/null
run nobody redo archive extract -i "$PWD/age.key" "$PWD/age.pack"
expect_stdout_file lines
redo key put backup age.key
run redo archive extract --identity=backup age.pack
expect_stdout_file lines
run redo archive list age.pack
expect_error 77 "nothing here opens it"
redo config --user archive.identity backup
run redo archive extract age.pack
expect_stdout_file lines
redo config unset --user archive.identity
redo age -a -r "$MINE" -o text.pack plain.pack
run redo archive extract text.pack
expect_stdout_file lines
printf '\x89redoseal\r\n\x01' >old.pack
for command in "archive list" "archive verify" "archive register" import; do
  run redo $command old.pack
  [ "$STATUS" -ne 0 ] || fail "'$command' takes it" </dev/null
  expect_stderr_has "'old.pack' is encrypted in the form of redo 0.1, which is not read any more"
done

scene "retired keys of the keyring are tried, and keys under a passphrase"
redo key rotate >/dev/null 2>&1
run redo archive extract mine.pack
expect_stdout_file lines
run redo archive extract --identity=ed25519_private_key mine.pack
expect_error 77 "nothing here opens it"
redo init -q wrapped
redo -C wrapped key import --private --passphrase-fd=3 ../other.key 3<pass >/dev/null
run sh -c 'redo -C wrapped archive extract --passphrase-fd=3 ../all.pack 3<pass'
expect_stdout_file lines
run redo -C wrapped archive extract ../all.pack
expect_status 128
expect_stderr_has "the key is wrapped, and there is no terminal"

scene "a passphrase on the terminal is asked for twice, and not shown"
run terminal "new passphrase of the archive: =open sesame today" "the same again: =open sesame today" -- redo archive create -q --passphrase -o asked.pack
expect_stdout_has "status 0"
! grep -q 'open sesame' "$OUT" || fail "it is shown" <"$OUT"
run terminal "passphrase of 'asked.pack': =open sesame today" -- redo archive list asked.pack
expect_stdout_has "status 0"
run terminal "passphrase of 'asked.pack': =another" -- redo archive list asked.pack
expect_stdout_has "status 77"
run terminal "new passphrase of the archive: =the first of the two" "the same again: =the second of the two" -- redo archive create -q --passphrase -o differ.pack
expect_stdout_has "the passphrases differ"
[ ! -e differ.pack ] || fail "there is a file" </dev/null
run setsid redo archive create -q --passphrase -o differ.pack
expect_error 128 "there is no terminal to ask for a passphrase"

scene "other programs open the same, and make what is read here"
if [ -n "$PYTHON" ]; then
  age_file --seed $SEED decrypt all.pack | cmp -s - plain.pack || fail "another pack" </dev/null
  age_file --passphrase 'correct horse' decrypt secret.pack | cmp -s - plain.pack || fail "another pack" </dev/null
  age_file --identity "$(cat age.key)" decrypt age.pack | cmp -s - plain.pack || fail "another pack" </dev/null
  ! age_file --passphrase wrong decrypt secret.pack >/dev/null 2>&1 || fail "it opens for anybody" </dev/null
  age_file --recipient "$(redo age -y other.key)" encrypt plain.pack >theirs.pack
  run redo -C other archive extract ../theirs.pack
  expect_stdout_file lines
  age_file --recipient "$(redo age -y other.key)" forge swapped-chunks <(head -c 200000 /dev/zero) >forged.pack
  run redo -C other archive list ../forged.pack
  expect_status 128
else
  skip "no python3 with nacl: only redo itself was asked"
fi
if command -v age >/dev/null; then
  age -d -i age.key age.pack | cmp -s - plain.pack || fail "another pack by age" </dev/null
  age -r "$(redo age -y age.key)" plain.pack >theirs.pack
  run redo archive extract -i age.key theirs.pack
  expect_stdout_file lines
else
  skip "there is no age"
fi

scene "every damage is found by whoever reads"
redo archive create -q -r "$PUBLIC" -o good "$(redo log -n 1 --format='%(id)')" >/dev/null
size=$(stat -c %s good)
for place in 0 5 20 22 25 40 90 91 120 180 181 185 240 300 $((size - 17)) $((size - 1)); do
  python3 -c '
import sys
data = bytearray(open("good", "rb").read())
data[int(sys.argv[1])] ^= 1
open("bad", "wb").write(data)' "$place"
  run redo -C other archive verify ../bad
  [ "$STATUS" -eq 1 ] || [ "$STATUS" -eq 77 ] || fail "byte $place: status $STATUS" </dev/null
  expect_stdout ''
  [ "$(grep -c '^error: \|^fatal: ' "$ERR")" -eq 1 ] || fail "byte $place: not one message" <"$ERR"
  run redo -C other archive extract ../bad
  [ "$STATUS" -eq 128 ] || [ "$STATUS" -eq 77 ] || fail "byte $place: status $STATUS" </dev/null
  expect_stdout ''
  [ "$(grep -c '^fatal: ' "$ERR")" -eq 1 ] || fail "byte $place: not one message" <"$ERR"
  run redo -C other import ../bad
  [ "$STATUS" -ne 0 ] || fail "byte $place is taken" </dev/null
  expect_stdout ''
done
for count in 0 1 21 22 23 100 180 200 216 217 $((size - 1)); do
  head -c "$count" good >bad
  run redo -C other archive verify ../bad
  expect_status 1
done
cat good good >bad
run redo -C other archive verify ../bad
expect_status 1
expect_stderr_has "'../bad' is damaged: chunk 0 was changed, or the file is cut off"
sed '1s/v1/v2/' good >bad
run redo -C other archive list ../bad
expect_error 128 "is an age file of another version than v1"

scene "what is decrypted lies in no file"
mkdir spill
if command -v strace >/dev/null; then
  run strace -f -qq -o calls -e trace=open,openat env TMPDIR="$PWD/spill" redo archive verify -i other.key all.pack
  expect_status 0
  ! grep -q 'O_CREAT' calls || fail "a file is made" < <(grep O_CREAT calls)
else
  skip "there is no strace"
fi
expect_equal "$(ls -A spill)" '' "the temporary files"

scene "-n, standard output, a full disk"
run redo archive create -n -r "$MINE"
expect_status 0
expect_equal "$(cut -d' ' -f3 "$OUT")" "$(stat -c %s mine.pack)" "the bytes"
run sh -c "redo archive create -q -r $PUBLIC -o - >stream.pack"
expect_status 0
run redo -C other archive extract ../stream.pack
expect_stdout_file lines
run sh -c "redo archive create -q -r $PUBLIC -o - >/dev/full"
expect_error 128 "write error: no space left on device"
run sh -c "redo archive extract -i other.key all.pack | head -1 | wc -l"
expect_stdout 1

scene "registered, they are read in place with the keys of the keyring; a key that is away is like a file that is away"
redo init -q keep && redo -C keep key generate >/dev/null 2>&1
redo -C keep -c core.fsync=none import -q ../log.ndjson >/dev/null
KEEPER=$(redo -C keep key show --public)
redo -C keep log --json >log.before
redo -C keep state --hash >state.before
run redo -C keep archive create -q --remove -r "$PUBLIC" -o "$PWD/theirs.age"
expect_error 128 "the store could not read the archive: none of its keys is a recipient"
run redo -C keep archive create -q --remove --passphrase-file="$PWD/pass" -o "$PWD/theirs.age"
expect_status 128
expect_stderr_has "the store could not read the archive"
[ ! -e theirs.age ] || fail "there is a file" </dev/null
run redo -C keep archive create -q --remove -r "$KEEPER" -r "$PUBLIC" -o "$PWD/keep.age"
expect_status 0
expect_equal "$(objects keep)" 0 "the loose objects that are left"
head -c 22 keep.age | grep -q '^age-encryption.org/v1$' || fail "it is not encrypted" </dev/null
redo -C keep log --json | cmp -s - log.before || fail "another log" </dev/null
expect_equal "$(redo -C keep state --hash)" "$(cat state.before)" "the state"
run redo -C keep verify
expect_status 0
run redo -C keep archive list
expect_stdout_has " present $PWD/keep.age"
NODE=$(sed -n 5p lines | ids_of)
run redo -C keep cat-node "$NODE"
expect_stdout_file <(redo cat-node "$NODE")
if command -v strace >/dev/null; then
  run strace -f -qq -o calls -e trace=open,openat redo -C keep cat-node "$NODE"
  ! grep -v 'cache/' calls | grep -q 'O_CREAT' || fail "a file is made" < <(grep O_CREAT calls)
fi
mv keep/.redo/keys away
run redo -C keep cat-node "$NODE"
expect_status 128
expect_stderr_has "$PWD/keep.age"
run redo -C keep archive list
expect_stdout_has " offline $PWD/keep.age"
run sh -c "echo $NODE | redo -C keep cat-node --batch-check"
expect_stdout "$NODE archived-offline"
redo config --user archive.identity "$PWD/other.key"
run redo -C keep cat-node "$NODE"
expect_status 0
redo config unset --user archive.identity
mv away keep/.redo/keys

scene "register, restore, diff and bundles take keys, too"
run redo -C keep archive diff --stat ../keep.age
expect_status 0
redo init -q reader
run redo -C reader archive register ../keep.age
expect_error 77 "nothing here opens it"
run redo -C reader archive register -i ../other.key ../keep.age
expect_status 0
expect_equal "$(cut -d' ' -f3 "$OUT")" "$(stat -c %s keep.age)" "the bytes"
run redo -C reader archive list
expect_stdout_has " offline $PWD/keep.age"
run redo -C keep archive restore -q keep.age
expect_status 128
run redo -C keep archive restore -q ../keep.age
expect_status 0
run redo -C keep archive list
expect_stdout ''
redo -C keep log --json | cmp -s - log.before || fail "another log" </dev/null
expect_equal "$(find keep -name '*.tmp' -o -name 'tmp_*')" '' "what is left over"
run redo -C reader archive restore -q ../keep.age
expect_error 77 "nothing here opens it"
# Another copy of the file names the archive just as well, for whoever can open it.
cp keep.age copy.age
run redo -C reader archive restore -q -n ../copy.age
expect_error 77 "copy.age' is encrypted for"
run redo -C reader archive restore -q -n -i ../other.key ../copy.age
expect_status 0
expect_stdout_has " $PWD/keep.age"
rm copy.age
run redo -C reader archive restore -q -i ../other.key ../keep.age
expect_status 0
redo init -q taker && redo -C taker key import --private <other.key >/dev/null
run redo -C taker fetch -q ../keep.age
expect_status 0
expect_equal "$(redo -C taker log --format='%(id)' | wc -l)" 700 "the changes of an encrypted bundle"
# Without the key, the advice is one that helps.
redo init -q outsider
run redo -C outsider fetch -q ../keep.age
expect_error 77 "keep.age' is encrypted for"
expect_stderr_has "hint: '-c archive.identity=<slot or whole path>' names a private key"
run redo -C outsider -c "archive.identity=$PWD/other.key" fetch -q ../keep.age
expect_status 0
expect_equal "$(redo -C outsider log --format='%(id)' | wc -l)" 700 "what the advice gives"

scene "a damaged one is named, and nothing of it is taken"
run redo -C keep archive create -q --remove -r "$KEEPER" -o "$PWD/hurt.age"
expect_status 0
cp hurt.age whole.age
size=$(stat -c %s hurt.age)
printf '\x00' | dd of=hurt.age bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
run redo -C keep state --hash --no-cache
expect_status 128
expect_stderr_has "$PWD/hurt.age"
head -c $((size - 20)) whole.age >hurt.age
run redo -C keep state --hash --no-cache
expect_status 128
expect_stderr_has "$PWD/hurt.age"
cp whole.age hurt.age
expect_equal "$(redo -C keep state --hash --no-cache)" "$(cat state.before)" "the state"

scene "dailies rotate encrypted; one that no key opens stays"
mkdir daily
for day in 1 2 3; do
  redo -C keep -c core.fsync=none commit -q create --title="day $day" >/dev/null
  redo -C keep archive create -q -r "$KEEPER" -o "$PWD/daily/$day.age" >/dev/null
done
redo -C keep archive create -q -r "$PUBLIC" -o "$PWD/daily/theirs.age" >/dev/null
redo -C keep archive create -q --passphrase-file="$PWD/pass" -o "$PWD/daily/secret.age" >/dev/null
run redo -C keep archive prune --keep-last=1 ../daily/1.age ../daily/2.age ../daily/3.age ../daily/theirs.age ../daily/secret.age
expect_status 1
expect_stderr_has "theirs.age' is encrypted for 1 key, and nothing here opens it"
expect_stderr_has "secret.age' is encrypted for a passphrase, and nothing here opens it"
expect_equal "$(cd daily && ls | tr '\n' ' ')" '3.age secret.age theirs.age ' "what is left"
# With a key that is named, only what this one opens is touched.
cp daily/theirs.age daily/later.age
run redo -C keep archive prune -n --keep-last=1 -i ../other.key ../daily/theirs.age ../daily/later.age ../daily/3.age
expect_status 1
expect_stderr_has "3.age' is encrypted for 1 key, and nothing here opens it"
expect_equal "$(grep -c . "$OUT")" 3 "rows"
run redo -C keep archive prune --keep-last=1 -i ../other.key ../daily/theirs.age ../daily/later.age
expect_status 0
expect_equal "$(cd daily && ls | grep -c 'later\|theirs')" 1 "what is left of two"
run redo -C keep archive list ../daily/3.age
expect_status 0
