#!/bin/bash
# redo backup -r: encrypted points, with what is secret; another program opens them.
PYTHON=${REDO_PYTHON:-python3}
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies
TOP=$PWD
oracle() { "$PYTHON" "$TESTS/Oracle/$1" "${@:2}"; }

demo 300 >log.ndjson
redo init -q tasks && redo -C tasks import -q ../log.ndjson >/dev/null
redo -C tasks key generate >/dev/null 2>&1
"$PYTHON" -c 'import nacl.bindings, rfc8785' 2>/dev/null || {
  scene "encrypted points"
  skip "there is no PyNaCl"
  exit 0
}
oracle age_file.py keygen >age.key
AGE=$(oracle age_file.py --identity "$(cat age.key)" public)
oracle age_file.py keygen >other.key
OTHER=$(oracle age_file.py --identity "$(cat other.key)" public)
# newest <directory>: the last point.
newest() { find "$1" -name '*.redobackup' | sort | tail -1; }
# listed <directory>: the names of all points, and what else is there.
listed() { (cd "$1" && ls -A | grep -v '^.redo-backup.lock$'); }

scene "an encrypted point: age opens it, it is a tar archive, and the keyring is in it"
run redo -C tasks backup -r "$AGE" -i "$TOP/age.key" ../points
expect_status 0
expect_stdout_has " full 300 "
expect_equal "$(grep -c keyring "$ERR")" 0 "words about what is left out"
expect_equal "$(head -c 21 "$(newest points)")" "age-encryption.org/v1" "the first bytes"
oracle age_file.py --identity "$(cat age.key)" decrypt "$(newest points)" >plain.tar || fail "no age file" </dev/null
tar tf plain.tar >"$OUT"
expect_stdout_has nodes.redopack
for file in tasks/.redo/keys/*; do expect_stdout_has "files/keys/$(basename "$file")"; done
tar xOf plain.tar "files/keys/$(ls tasks/.redo/keys | head -1)" | cmp -s - "tasks/.redo/keys/$(ls tasks/.redo/keys | head -1)" ||
  fail "another key" </dev/null
! grep -aq 'redo-backup\|nodes.redopack\|"title"' "$(newest points)" || fail "clear text" </dev/null
redo age -d -i "$TOP/age.key" "$(newest points)" | cmp -s - plain.tar || fail "redo age reads something else" </dev/null
run redo -C tasks backup -r "$AGE" -i "$TOP/age.key" ../points
expect_status 0
expect_stdout ''
expect_stderr_has "nothing is new"

scene "an increment, and what it comes to for a program of others' making"
redo -C tasks commit -q create --title='Secret plans' >/dev/null
run redo -C tasks backup -q -r "$AGE" -r "$OTHER" -i "$TOP/age.key" ../points
expect_status 0
redo -C tasks state --json --no-cache | sha256sum | cut -d' ' -f1 >want
oracle read_backup.py --identity "$(cat age.key)" --states points | tail -1 | cut -d' ' -f2 >"$OUT"
expect_stdout_file want
run redo backup list -i "$TOP/age.key" points
expect_status 0
expect_equal "$(cut -d' ' -f2,3,5 "$OUT" | xargs)" "full 300 whole increment 1 whole" "the points"
run redo backup list --json -i "$TOP/age.key" points
expect_equal "$(grep -c '"encrypted":true' "$OUT")" 2 "encrypted points"
run redo backup check -i "$TOP/age.key" points
expect_status 0
# The key comes once, however many files there are.
run redo backup check -i - points <age.key
expect_status 0

scene "restored: history, settings and keys, which only their owner can read"
run redo backup restore -i "$TOP/age.key" -o again points
expect_status 0
expect_equal "$(redo -C again state --json --no-cache | sha256sum | cut -d' ' -f1)" "$(cat want)" "the state"
diff -r tasks/.redo/keys again/.redo/keys || fail "other keys" </dev/null
expect_equal "$(stat -c %a again/.redo/keys)" 700 "the directory of keys"
expect_equal "$(stat -c %a again/.redo/keys/* | sort -u)" "$(stat -c %a tasks/.redo/keys/* | sort -u)" "the keys"
run redo -C again commit -q create --title='Signed with the key that came back'
expect_status 0
expect_equal "$(redo -C again log -n 1 --format='%(verdict)')" G "the signature"

scene "without the key nothing is read, nothing is written, and it says why"
BEFORE=$(listed points)
for words in "list" "check" "restore -o nowhere" "prune --keep-last=1"; do
  run redo backup $words points
  [ "$STATUS" -ne 0 ] || fail "status 0 of $words" < <(everything_printed)
  expect_stderr_has "is encrypted for 1 key, and nothing here opens it"
  run redo backup $words -i "$TOP/other.key" points
  [ "$STATUS" -ne 0 ] || [ "$words" = list ] || fail "status 0 of $words" < <(everything_printed)
done
[ ! -e nowhere ] || fail "a store was made" </dev/null
run redo -C tasks backup -r "$AGE" ../points
expect_error 128 "nothing here opens what would be encrypted into '../points'"
# Read back with one key, built on with another that does not open it.
run redo -C tasks backup -r "$OTHER" -i "$TOP/other.key" ../only
expect_status 0
redo -C tasks commit -q create --title='More' >/dev/null
run redo -C tasks backup -r "$AGE" -i "$TOP/age.key" ../only
expect_error 77 "nothing here opens it"
expect_equal "$(listed only | wc -l)" 1 "files"
run redo -C tasks backup ../points
expect_error 128 "the backup in '../points' is encrypted, and what would be added is not"
expect_equal "$(listed points)" "$BEFORE" "the directory"

scene "encrypted beside points that anybody can read: a full one, which needs none of them"
redo -C tasks backup -q ../mixed 2>/dev/null
run redo -C tasks backup -r "$AGE" -i "$TOP/age.key" ../mixed
expect_status 0
expect_stdout_has " full "
run redo backup check -i "$TOP/age.key" mixed
expect_status 0

scene "the key of the keyring opens what is encrypted for it: no option is needed but -r"
KEY=$(redo -C tasks log -n 1 --format='%(author:key)')
run redo -C tasks backup -r "$KEY" ../own
expect_status 0
redo -C tasks commit -q create --title='Again' >/dev/null
run redo -C tasks backup -r "$KEY" --verify ../own
expect_status 0
expect_stdout_has " increment 1 "
run redo -C tasks backup check ../own
expect_status 0

scene "damage is found, and the next one is full"
cp -a points hurt && chmod u+w hurt/*
SIZE=$(stat -c %s "$(newest hurt)")
printf '\377' | dd of="$(newest hurt)" bs=1 seek=$((SIZE - 20)) conv=notrunc status=none
run redo backup check -i "$TOP/age.key" hurt
expect_status 1
expect_stderr_has "$(newest hurt)"
run redo backup restore -i "$TOP/age.key" -o older hurt
expect_status 1
expect_stderr_has "$(newest hurt)"
expect_equal "$(redo -C older log --format='%(id)' | wc -l)" 300 "the changes of the point before"
run redo -C tasks backup -r "$AGE" -i "$TOP/age.key" ../hurt
expect_status 1
expect_stdout_has " full "
head -c 100 "$(newest points)" >cut && cp -a points short && chmod u+w short/* && cp cut "$(newest short)"
run redo backup check -i "$TOP/age.key" short
expect_status 1
run redo backup restore -q --to="$(redo backup list -i "$TOP/age.key" points | head -1 | cut -d' ' -f1)" -i "$TOP/age.key" -o first short
expect_status 1
expect_equal "$(redo -C first log --format='%(id)' | wc -l)" 300 "the changes of the first point"

scene "damage in the middle of a large point is found where it is read"
demo 3000 >large.ndjson
redo init -q large && redo -C large -c core.fsync=none import -q ../large.ndjson >/dev/null
redo -C large backup -q -r "$AGE" -i "$TOP/age.key" ../deep 2>/dev/null
POINT=$(newest deep)
[ "$(stat -c %s "$POINT")" -gt 200000 ] || fail "the point is small" </dev/null
chmod u+w "$POINT"
printf '\377' | dd of="$POINT" bs=1 seek=100000 conv=notrunc status=none
run redo backup check -i "$TOP/age.key" deep
expect_status 1
expect_stderr_has "error: '$POINT' is damaged: it cannot be decrypted"
run redo backup restore -i "$TOP/age.key" -o nowhere deep
expect_error 128 "is damaged: it cannot be decrypted"
[ ! -e nowhere ] || fail "a store was made" </dev/null
run redo -C large backup -r "$AGE" -i "$TOP/age.key" --keep-last=1 ../deep
expect_status 1
expect_stdout_has " full "
expect_stderr_has "it cannot be decrypted"
expect_equal "$(listed deep | wc -l)" 2 "points: nothing is removed"

scene "what is secret is refused in a file that anybody can read"
# The same bytes that were encrypted, without the encryption.
mkdir open && cp plain.tar "open/$(basename "$(find points -name '*full*')")"
run redo backup check open
expect_status 1
expect_stderr_has "is damaged: its manifest is not one"
run redo backup restore -o nowhere open
[ "$STATUS" -ne 0 ] || fail "status 0" < <(everything_printed)

scene "pruned with a key, as any other"
run redo backup prune -i "$TOP/age.key" --keep-last=1 points
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT" | xargs)" "keep keep" "what stays: the increment and what it needs"
redo -C tasks backup -q --full -r "$AGE" -i "$TOP/age.key" ../points
run redo backup prune -q -i "$TOP/age.key" --keep-last=1 points
expect_status 0
expect_equal "$(listed points | wc -l)" 1 "points"
run redo backup restore -q -i "$TOP/age.key" -o pruned points
expect_status 0
