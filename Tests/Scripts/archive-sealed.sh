#!/bin/bash
# redo archive --recipient, --passphrase-file: archives that only those can read for whom they were written.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"
SEALED=$TESTS/Oracle/read_sealed.py

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

scene "several recipients and a passphrase: each of them opens it"
echo "$PUBLIC" >friends
cp .redo/keys/ed25519_private_key mine.key
run redo archive create -q --recipient="$MINE" --recipient="$PUBLIC" --recipient="$MINE" --passphrase-file=pass -o all.pack
expect_status 0
run redo -C other archive extract "$PWD/all.pack"
expect_stdout_file lines
run nobody redo archive extract --identity="$PWD/mine.key" "$PWD/all.pack"
expect_stdout_file lines
run nobody redo archive extract -i "$PWD/other.key" "$PWD/all.pack"
expect_stdout_file lines
run nobody redo archive extract --passphrase-file="$PWD/pass" "$PWD/all.pack"
expect_stdout_file lines
run nobody sh -c "redo archive extract --passphrase-file=- $PWD/all.pack <$PWD/pass"
expect_stdout_file lines
run nobody redo archive list --passphrase-file="$PWD/wrong" "$PWD/all.pack"
expect_error 77 "the passphrase does not open"
run nobody redo archive list "$PWD/all.pack"
expect_error 77 "is encrypted for 2 keys and a passphrase, and nothing here opens it"
run nobody redo archive list --passphrase-file="$PWD/pass" "$PWD/mine.pack"
expect_error 77 "no passphrase opens '$PWD/mine.pack', it is encrypted for keys"

scene "import reads them"
redo init -q into
run redo -C into -c core.fsync=none import --passphrase-file=pass "$PWD/all.pack"
expect_error 128 "cannot open 'pass'"
run redo -C into -c core.fsync=none import --passphrase-file="$PWD/pass" "$PWD/all.pack"
expect_status 0
expect_stdout 700
expect_equal "$(redo -C into state --hash)" "$(redo state --hash)" "the state"
run redo import -q mine.pack
expect_stdout 0
run sh -c 'redo archive verify /dev/stdin <mine.pack'
expect_status 0
run sh -c 'redo import <mine.pack'
expect_status 128
expect_stderr_has "hint: it is read as a file"

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
for bad in $(printf '0%.0s' {1..64}) 01$(printf '0%.0s' {1..62}) x25519:$(printf '0%.0s' {1..64}) \
  ed$(printf 'f%.0s' {1..60})7f x25519:ed$(printf 'f%.0s' {1..60})7f ee$(printf 'f%.0s' {1..60})7f; do
  run redo archive create -q -r "$bad" -o bad.pack
  expect_error 128 "nothing can be encrypted for '$bad'"
done
for bad in me x25519:12 "${MINE^^}" "x25519:${MINE^^}" "age1qqq"; do
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

scene "a key of X25519 that another program made"
if command -v openssl >/dev/null && openssl genpkey -algorithm X25519 -outform DER -out key.der 2>/dev/null; then
  private=$(tail -c 32 key.der | od -An -vtx1 | tr -d ' \n')
  public=$(openssl pkey -inform DER -in key.der -pubout -outform DER | tail -c 32 | od -An -vtx1 | tr -d ' \n')
  echo "x25519-private:$private" >x25519.key
  redo archive create -q -r "x25519:$public" -o x25519.pack >/dev/null
  run nobody redo archive extract -i "$PWD/x25519.key" "$PWD/x25519.pack"
  expect_stdout_file lines
  redo key put backup x25519.key
  run redo archive extract --identity=backup x25519.pack
  expect_stdout_file lines
  run redo archive list x25519.pack
  expect_error 77 "nothing here opens it"
else
  skip "there is no openssl with X25519"
fi

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

scene "a program that knows the page alone opens the same"
if [ -n "$PYTHON" ]; then
  "$PYTHON" "$SEALED" --seed $SEED all.pack >by-key || fail "it cannot" </dev/null
  cmp -s by-key plain.pack || fail "another pack" </dev/null
  "$PYTHON" "$SEALED" --passphrase 'correct horse' all.pack | cmp -s - plain.pack || fail "another pack" </dev/null
  [ -z "${private:-}" ] || "$PYTHON" "$SEALED" --x25519 "$private" x25519.pack | cmp -s - plain.pack || fail "another pack" </dev/null
  ! "$PYTHON" "$SEALED" --passphrase 'wrong' all.pack >/dev/null 2>&1 || fail "it opens for anybody" </dev/null
else
  skip "no python3 with nacl: only redo itself was asked"
fi

scene "every damage is found by whoever reads"
redo archive create -q -r "$PUBLIC" -o good "$(redo log -n 1 --format='%(id)')" >/dev/null
size=$(stat -c %s good)
for place in 0 5 11 12 13 14 15 17 50 96 97 128 129 160 161 184 185 300 $((size - 17)) $((size - 1)); do
  python3 -c '
import sys
data = bytearray(open("good", "rb").read())
data[int(sys.argv[1])] ^= 1
open("bad", "wb").write(data)' "$place"
  run redo -C other archive verify ../bad
  expect_status 1
  expect_stdout ''
  [ "$(grep -c '^error: ' "$ERR")" -eq 1 ] || fail "byte $place: not one message" <"$ERR"
  run redo -C other archive extract ../bad
  expect_error 128 "'../bad' is "
  run redo -C other import ../bad
  expect_status 128
  expect_stdout ''
done
for count in 0 1 11 12 13 14 100 160 184 185 $((size - 1)); do
  head -c "$count" good >bad
  run redo -C other archive verify ../bad
  expect_status 1
done
cat good good >bad
run redo -C other archive verify ../bad
expect_status 1
expect_stderr_has "'../bad' is damaged at byte"
cp good bad && printf '\x02' | dd of=bad bs=1 seek=11 conv=notrunc 2>/dev/null
run redo -C other archive list ../bad
expect_error 128 "is an encrypted archive of version 2, of which nothing is known here"

scene "what is decrypted lies nowhere under a name, and a larger one in no file that others could open"
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
