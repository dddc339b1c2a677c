#!/bin/bash
# redo age: files that age, rage and a program written from the specification open, and the other way round.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"
age_file() { "$PYTHON" "$TESTS/Oracle/age_file.py" "$@"; }

head -c 200000 /dev/urandom >plain
printf 'correct horse battery\n' >pass
printf 'battery staple\n' >wrong

scene "a key is made, in the form of age-keygen, for its owner alone, and never over another one"
run redo age --generate -o key.txt
expect_status 0
expect_stdout ''
PUBLIC=$(sed -n 's/^# public key: //p' key.txt)
expect_stderr "public key: $PUBLIC"
expect_equal "$(stat -c %a key.txt)" 600 "the mode"
expect_equal "$(sed 's/: .*//; s/^\(AGE-SECRET-KEY-1\).*/\1/' key.txt | tr '\n' ' ')" \
  '# created # public key AGE-SECRET-KEY-1 ' "the form"
run redo age --generate -o key.txt
expect_status 128
expect_equal "$(redo age -y key.txt)" "$PUBLIC" "the public key"
run redo age --generate
expect_stdout_has AGE-SECRET-KEY-1
redo age --generate -o second.txt 2>/dev/null
SECOND=$(redo age -y second.txt)

scene "encrypted and decrypted, as files, in pipes and as text, at every length around a chunk"
for count in 0 1 65535 65536 65537 131072 200000; do
  head -c "$count" plain >part
  redo age -r "$PUBLIC" -o part.age part || fail "it is not encrypted" </dev/null
  redo age -d -i key.txt -o back part.age || fail "it is not decrypted" </dev/null
  cmp -s part back || fail "$count bytes came back as others" </dev/null
  chunks=$((count == 0 ? 1 : (count + 65535) / 65536))
  expect_equal "$(stat -c %s part.age)" $((184 + count + 16 * chunks)) "the size for $count bytes"
  redo age -a -r "$PUBLIC" <part | redo age -d -i key.txt | cmp -s - part || fail "the text of $count bytes" </dev/null
done
run redo age -e -r "$PUBLIC" -o plain.age plain
expect_status 0
expect_stdout ''
expect_stderr ''
redo age -r "$PUBLIC" -o again.age plain
! cmp -s plain.age again.age || fail "two files are the same" </dev/null
run redo age -a -r "$PUBLIC" -o text.age plain
expect_equal "$(head -1 text.age)" '-----BEGIN AGE ENCRYPTED FILE-----' "the first line"
run redo age -d -i key.txt -o back text.age
cmp -s plain back || fail "other bytes" </dev/null
run sh -c 'redo age -d -i key.txt - <plain.age | cmp - plain'
expect_status 0

scene "what is decrypted into a file is for its owner alone, from its first byte on"
(
  head -c 140000 plain.age
  for _ in {1..200}; do [ ! -e seen ] || break; sleep 0.05; done
  tail -c +140001 plain.age
) | redo age -d -i key.txt -o plaintext &
for _ in {1..200}; do [ -z "$(find . -name '.tmp_*' -size +64k)" ] || break; sleep 0.05; done
expect_equal "$(stat -c %a .tmp_*)" 600 "the mode of the unfinished file"
touch seen
wait
expect_equal "$(stat -c %a plaintext)" 600 "the mode"
cmp -s plain plaintext || fail "other bytes" </dev/null
echo before >open.txt && chmod 644 open.txt
redo age -d -i key.txt -o open.txt plain.age
expect_equal "$(stat -c %a open.txt)" 600 "the mode of one that is replaced"
expect_equal "$(stat -c %a plain.age)" 644 "the mode of what is encrypted"

scene "several recipients, from files, of other keys: each opens it, and nobody else"
printf '# friends\n\n%s\n  %s  \r\n' "$SECOND" "$PUBLIC" >friends
run redo age -R friends -o both.age plain
expect_status 0
for key in key.txt second.txt; do
  redo age -d -i "$key" both.age | cmp -s - plain || fail "$key does not open it" </dev/null
done
run redo age -e -i second.txt -o own.age plain
expect_status 0
redo age -d -i second.txt own.age | cmp -s - plain || fail "its owner does not open it" </dev/null
run redo age -d -i key.txt own.age
expect_error 77 "'own.age' is encrypted for 1 key, and nothing here opens it"
cat key.txt second.txt >many.txt
redo age -d -i many.txt own.age | cmp -s - plain || fail "the second key of a file" </dev/null
expect_equal "$(redo age -y many.txt)" "$(printf '%s\n%s' "$PUBLIC" "$SECOND")" "the public keys"

scene "keys of SSH, and those of signers, which are the same"
if command -v ssh-keygen >/dev/null; then
  ssh-keygen -q -t ed25519 -N '' -C 'a comment' -f ed
  run redo age -r "$(cat ed.pub)" -R ed.pub -o ssh.age plain
  expect_status 0
  redo age -d -i ed ssh.age | cmp -s - plain || fail "the key of SSH does not open it" </dev/null
  expect_equal "$(redo age -y ed)" "$(cut -d' ' -f1,2 ed.pub)" "the public key"
  ssh-keygen -q -t ed25519 -N 'a passphrase' -f locked
  run redo age -d -i locked ssh.age
  expect_error 128 "'locked' is no private key: it is an OpenSSH key under a passphrase, which is not read"
  ssh-keygen -q -t ecdsa -N '' -f ecdsa
  run redo age -d -i ecdsa ssh.age
  expect_error 128 "it is an OpenSSH key of another algorithm than Ed25519"
  run redo age -r "$(cat ecdsa.pub)" plain
  expect_status 129
  expect_stderr_has "is no recipient"
else
  skip "there is no ssh-keygen"
fi
redo init -q store && redo -C store key generate >/dev/null 2>&1
MINE=$(redo -C store key show --public)
run redo -C store age -r "$MINE" -o ../mine.age ../plain
expect_status 0
redo -C store age -d ../mine.age | cmp -s - plain || fail "the keyring does not open it" </dev/null
run redo -C store age -d -i ed25519_private_key -o ../back ../mine.age
cmp -s plain back || fail "the slot does not open it" </dev/null
redo age -r "$(redo -C store age -y ed25519_private_key)" plain | redo -C store age -d | cmp -s - plain \
  || fail "its form as a key of SSH" </dev/null
run redo -C store age -r "${MINE:0:32}" -o ../mine.age ../plain
expect_status 0
redo -C store config --user archive.identity "$PWD/second.txt"
redo -C store age -d ../both.age | cmp -s - plain || fail "the key that the settings name" </dev/null
redo -C store config --user archive.identity second.txt
run redo -C store age -d ../own.age
expect_error 128 "'archive.identity' is 'second.txt', neither the name of a slot nor a whole path"
redo -C store config unset --user archive.identity

scene "a passphrase, from a file or a terminal"
run redo age --passphrase-file=pass -o secret.age plain
expect_status 0
redo age -d --passphrase-file=pass secret.age | cmp -s - plain || fail "it does not open it" </dev/null
run redo age -d --passphrase-file=wrong secret.age
expect_error 77 "the passphrase does not open 'secret.age'"
run redo age -d --passphrase-file=pass plain.age
expect_error 77 "no passphrase opens 'plain.age', it is encrypted for keys"
run redo age --passphrase-file=pass -r "$PUBLIC" plain
expect_status 129
expect_stderr_has "a file for a passphrase is for nobody else"
run redo age --passphrase-file=key.txt -r "$PUBLIC" -p plain
expect_status 129

scene "the independent program opens ours, and we open its"
if [ -n "$PYTHON" ]; then
  KEY=$(grep AGE- key.txt)
  age_file --identity "$KEY" decrypt plain.age | cmp -s - plain || fail "it does not open ours" </dev/null
  age_file --identity "$KEY" decrypt text.age | cmp -s - plain || fail "it does not open our text" </dev/null
  age_file --passphrase 'correct horse battery' decrypt secret.age | cmp -s - plain || fail "a passphrase" </dev/null
  redo age -r "$(age_file --seed "$SEED" public)" -o mine.age plain
  age_file --seed "$SEED" decrypt mine.age | cmp -s - plain || fail "a signer's key" </dev/null
  expect_equal "$(age_file --seed "$SEED" public)" "$(redo age -y other.key)" "the public key"
  for count in 0 65536 131072 200000; do
    head -c "$count" plain >part
    age_file --recipient "$PUBLIC" encrypt part | redo age -d -i key.txt | cmp -s - part || fail "a key, $count" </dev/null
    age_file --armor --recipient "$(age_file --seed "$SEED" public)" encrypt part | redo age -d -i other.key \
      | cmp -s - part || fail "a signer's key, $count" </dev/null
  done
  age_file --passphrase p --work 12 encrypt plain | redo age -d --passphrase-file=<(echo p) | cmp -s - plain \
    || fail "its passphrase" </dev/null

  head -c 150000 plain >part
  while IFS='|' read -r kind status message; do
    age_file --recipient "$PUBLIC" forge "$kind" part >forged.age
    run redo age -d -i key.txt -o forged forged.age
    expect_error "$status" "$message"
    [ ! -e forged ] || fail "'$kind' leaves a file" </dev/null
    run redo age -d --passphrase-file=pass -o forged forged.age
    [ "$STATUS" -ne 0 ] || fail "'$kind' is taken" </dev/null
  done <<'END'
double-scrypt|128|follows a passphrase that is not the only way to open it
scrypt-and-key|128|follows a passphrase that is not the only way to open it
low-order|128|has a share that everybody knows the secret of
long-key|128|is not as its kind has to be
endless-header|128|is beyond 1048576 bytes
added-stanza|128|its header is not the one that was written
swapped-chunks|128|chunk 0 was changed
dropped-end|128|it is cut off in chunk 1
END
  age_file --recipient "$PUBLIC" forge many part | redo age -d -i key.txt | cmp -s - part || fail "300 stanzas" </dev/null
  age_file --recipient "$PUBLIC" forge work-23 part >forged.age
  run redo age -d --passphrase-file=pass forged.age
  expect_error 128 "asks for a work factor of 23, more than 22"
else
  skip "no python3 with nacl: only redo itself was asked"
fi

# rage itself is not in every distribution; its library is, for Python.
rage() { "$PYTHON" "$TESTS/Oracle/rage.py" "$@"; }
rage-keygen() { "$PYTHON" "$TESTS/Oracle/rage.py" keygen "$@"; }
for program in age rage; do
  scene "$program itself opens ours, and we open its"
  if [ $program = age ] && ! command -v age >/dev/null; then
    skip "there is no age; 'make deps' installs it"
    continue
  fi
  if [ $program = rage ] && ! "$PYTHON" -c 'import pyrage' 2>/dev/null; then
    skip "there is no pyrage; 'make deps' installs it"
    continue
  fi
  "$program" -d -i key.txt plain.age | cmp -s - plain || fail "it does not open ours" </dev/null
  "$program" -d -i key.txt text.age | cmp -s - plain || fail "it does not open our text" </dev/null
  "$program" -r "$PUBLIC" plain | redo age -d -i key.txt | cmp -s - plain || fail "its file" </dev/null
  "$program" -a -r "$PUBLIC" -r "$SECOND" plain | redo age -d -i second.txt | cmp -s - plain || fail "its text" </dev/null
  if [ -e ed ]; then
    "$program" -d -i ed ssh.age | cmp -s - plain || fail "it does not open ours for a key of SSH" </dev/null
    "$program" -R ed.pub plain | redo age -d -i ed | cmp -s - plain || fail "its file for a key of SSH" </dev/null
  fi
  if [ $program = rage ]; then # age(1) asks a terminal
    rage --passphrase "$(cat pass)" plain | redo age -d --passphrase-file=pass | cmp -s - plain || fail "its file for a passphrase" </dev/null
    redo age -e --passphrase-file=pass -o phrase.age plain
    rage -d --passphrase "$(cat pass)" phrase.age | cmp -s - plain || fail "it does not open ours for a passphrase" </dev/null
  fi
  "$program"-keygen -o "$program.key" 2>/dev/null
  expect_equal "$(redo age -y "$program.key")" "$("$program"-keygen -y "$program.key")" "the public key"
done

scene "a damaged file leaves no file, and says how much of it was written to standard output"
cp plain.age bad.age
printf 'x' | dd of=bad.age bs=1 seek=140000 conv=notrunc 2>/dev/null
echo before >back
run redo age -d -i key.txt -o back bad.age
expect_error 128 "'bad.age' is damaged: chunk 2 was changed, or the file is cut off"
expect_equal "$(cat back)" before "the file"
expect_equal "$(find . -name '.tmp_*')" '' "the unfinished files"
run redo age -d -i key.txt bad.age
expect_status 128
expect_stderr_has "warning: only the first 131072 bytes were written to standard output"
cmp -s "$OUT" <(head -c 131072 plain) || fail "other bytes" </dev/null
head -c 150000 plain.age >bad.age
run redo age -d -i key.txt bad.age
expect_status 128
cmp -s "$OUT" <(head -c 131072 plain) || fail "other bytes" </dev/null
printf x >>plain.age
run redo age -d -i key.txt -o back plain.age
expect_status 128
sed 's/A/B/' text.age >bad.age
run redo age -d -i key.txt -o back bad.age
expect_status 128
expect_equal "$(cat back)" before "the file"
for place in $(seq 0 7 183) 184 190; do
  redo age -r "$PUBLIC" -o small.age key.txt
  python3 -c '
import sys
data = bytearray(open("small.age", "rb").read())
data[int(sys.argv[1])] ^= 1
open("bad.age", "wb").write(data)' "$place"
  run redo age -d -i key.txt bad.age
  [ "$STATUS" -eq 128 ] || [ "$STATUS" -eq 77 ] || fail "byte $place: status $STATUS" </dev/null
  expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "the messages for byte $place"
  expect_stdout ''
done

scene "what is no key, no recipient and no age file"
run redo age -r age1qqq plain
expect_status 129
expect_stderr_has "'age1qqq' is no recipient"
run redo age -r "${PUBLIC%?}q" plain
expect_status 129
run redo age -r "age1pq1$(printf 'q%.0s' {1..60})" plain
expect_error 128 "is a post-quantum key, which is not supported"
printf 'AGE-SECRET-KEY-PQ-1HZLGZUPT4ETPKDEV8HSGFDCYZ4E522W0A7PU2LHT8EH9W6YLNC3SW78XKG\n' >hybrid
run redo age -d -i hybrid both.age
expect_error 128 "'hybrid' is no private key: line 1 is a post-quantum key, which is not supported"
run redo age -d -i friends both.age
expect_error 128 "'friends' is no private key: line 3 is a public key"
run redo age -d -i pass both.age
expect_error 128 "'pass' is no private key: line 1 is neither a key nor a comment"
run redo age -d -i both.age both.age
expect_error 128 "it is itself encrypted"
echo '# nothing' >none
run redo age -d -i none both.age
expect_error 128 "'none' is no private key: its lines are comments, or empty"
run redo age -R none plain
expect_error 128 "no line of 'none' is a recipient"
printf '%s\nme\n' "$PUBLIC" >half
run redo age -R half plain
expect_error 128 "line 2 of 'half' is no recipient"
run redo age -d -i key.txt plain
expect_error 128 "'plain' is not encrypted in the form of age"
printf 'age-encryption.org/v9\n' >later
run redo age -d -i key.txt later
expect_error 128 "is an age file of another version than v1"
printf '\x89redoseal\r\n\x01' >old
run redo age -d -i key.txt old
expect_error 128 "'old' is encrypted in the form of redo 0.1, which is not read any more"
: >nothing
run redo age -d -i key.txt nothing
expect_status 128
run redo age plain
expect_status 129
expect_stderr_has "it is not said for whom"
run redo age -e -d plain
expect_status 129
run redo age -d -a plain
expect_status 129
run redo age -r "$PUBLIC" -o plain plain
expect_error 128 "'plain' is the file that is read"
run redo age -r "$PUBLIC" missing
expect_error 128 "missing"
run redo age -r "$PUBLIC" plain more
expect_status 129

scene "a private key in the wrong place is never repeated: a line of a file has its number, a name or a value is said to be a key"
SECRET=$(grep '^AGE-SECRET' key.txt)
leaks() { grep -qi "${SECRET:15:20}\|${SEED:8:20}" "$OUT" "$ERR" && fail "the key is repeated" < <(everything_printed); }
printf '%s\n' "$PUBLIC" "$SECRET" >mixed
printf '%s\n%s\n' "$PUBLIC" "${SECRET,,}" >lower
printf '%s\n%s\n' "$PUBLIC" "${SECRET/AGE-/age1}" >typo
for file in mixed lower typo; do
  run redo age -R $file plain
  expect_error 128 "line 2 of '$file' is "
  leaks
done
run redo age -R mixed plain
expect_error 128 "line 2 of 'mixed' is a private key"
run redo age -r "$SECRET" plain
expect_status 129
expect_stderr_has "error: a recipient that is given is a private key"
leaks
for key in "$SECRET" "${SECRET,,}" "$SEED"; do
  for words in "-d -i $key both.age" "-e -i $key plain" "-R $key plain" "-y $key"; do
    # shellcheck disable=SC2086 # words
    run redo age $words
    expect_status 129
    expect_stderr_has "error: a private key is given where the name of its slot or file belongs"
    leaks
  done
done
for key in "$SECRET" "$SEED"; do
  redo -C store config --user archive.identity "$key"
  run redo -C store age -d ../own.age
  expect_error 128 "'archive.identity' is a key itself, neither the name of a slot nor a whole path"
  leaks
  redo -C store config unset --user archive.identity
done
for key in "${SECRET}X" "x$SECRET" "$SEED$SEED"; do
  printf '%s\n' "$key" >bad.txt
  run redo age -d -i bad.txt both.age
  expect_status 128
  leaks
  run redo age -R bad.txt plain
  expect_status 128
  leaks
done

scene "standard input is one thing at a time"
for words in "-d -i -" "-d -i - -" "-e -R -" "-e -i -" "--passphrase-file=-" "-R - -i - plain" "-d --passphrase-file=- -i - plain.age"; do
  # shellcheck disable=SC2086 # words
  run redo age $words <key.txt
  expect_status 129
  expect_stderr_has "error: standard input can be one of them only"
done
run redo age -d -i - both.age <key.txt
expect_status 0

scene "a full disk, and a reader that has enough"
run sh -c "redo age -r $PUBLIC plain >/dev/full"
expect_error 128 "write error: no space left on device"
run sh -c "redo age -d -i key.txt both.age | head -c 5 | wc -c"
expect_stdout 5
