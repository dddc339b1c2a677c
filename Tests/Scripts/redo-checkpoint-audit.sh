#!/bin/bash
# redo checkpoint: older copies that are put back, forks, wipes and new logs are caught, and told apart.
. "$(dirname "${BASH_SOURCE[0]}")/checkpoint.bash"
own_copies

# row <store> [<argument>...]: letter, rule and detail of the rows of verify, without the names of files.
row() {
  local store=$1
  shift
  run redo -C "$store" checkpoint verify "$@"
  expect_stderr ''
  cut -d' ' -f1,3- "$OUT" | sed 's/ ([^ ]*)$//'
}

make_signer garden
cd ..
REMEMBERED=$PWD/remembered/last
mkdir remembered
redo config set --user checkpoint.file "$REMEMBERED"
(cd garden && commit a b c)

scene "create remembers the last one outside of the store"
run redo -C garden checkpoint verify
expect_status 0
expect_stdout ''
redo -C garden checkpoint create >first
cmp -s first "$REMEMBERED" || fail "the file is another" </dev/null
cp -r garden backup
(cd garden && commit d e && redo checkpoint create >../second)
cmp -s second "$REMEMBERED" || fail "the file is another" </dev/null
expect_equal "$(row garden)" "G 5 -
G 3 -
G 5 -" "the rows"
expect_equal "$(ls -A remembered)" last "files"

scene "an older copy that is put back: verify names what is missing, create refuses, the file stays"
rm -rf restored && cp -r backup restored
run redo -C restored checkpoint verify
expect_status 1
expect_stdout "G sha256:$(sha256sum <first | cut -d' ' -f1) 3 -
B sha256:$(sha256sum <second | cut -d' ' -f1) 5 checkpoint-diverged of 5 entries 3 are left, 2 are missing ($REMEMBERED)"
before=$(fingerprint restored)
run redo -C restored checkpoint create
expect_error 1 "the history does not continue checkpoint '$REMEMBERED': of 5 entries 3 are left, 2 are missing"
expect_stderr_has "hint: '--new-log' begins a new log, after a wipe or with an older copy that is wanted"
expect_untouched "$before" restored
cmp -s second "$REMEMBERED" || fail "the file has changed" </dev/null
run redo -C restored verify --all
expect_status 0

scene "grown again to the same size, and beyond: the entries are others"
(cd restored && commit x y)
expect_equal "$(row restored)" "G 3 -
B 5 checkpoint-diverged its 5 entries are not the first 5 of the history: the first other one is among 4 to 5" "the rows"
(cd restored && commit z)
run redo -C restored checkpoint create
expect_error 1 "the first other one is among 4 to 5"
redo -C garden checkpoint verify >/dev/null || fail "the store itself does not hold" </dev/null

scene "a fork of two copies: the checkpoint of either is caught by the other, at the entry where more are at hand"
rm -rf left right && cp -r backup left && cp -r backup right
no() { redo -c checkpoint.file= "$@"; }
(cd left && commit l1 && no checkpoint create >../l1 && commit l2 && no checkpoint create >../l2)
(cd right && commit r1 && no checkpoint create >../r1 && commit r2 && no checkpoint create >../r2)
expect_equal "$(row left ../r2 | cut -d' ' -f1-3)" "B 5 checkpoint-diverged" "the row"
expect_equal "$(row left "$PWD/r1" "$PWD/r2")" \
  "B 4 checkpoint-diverged its 4 entries are not the first 4 of the history: entry 4 is another
B 5 checkpoint-diverged its 5 entries are not the first 5 of the history: entry 4 is another" "the rows"
# The one before the second is not at hand.
expect_equal "$(row right "$PWD/l2")" \
  "B 5 checkpoint-diverged its 5 entries are not the first 5 of the history: the first other one is among 1 to 5" "the row"

scene "the same entries, and other changes of the refs"
rm -rf left right && cp -r backup left && cp -r backup right
id=$(redo -C left log -n 1 --format='%(id)')
redo -C left update-ref tags/one "$id" && no -C left checkpoint create >l1
redo -C right update-ref tags/two "$id" && no -C right checkpoint create >r1
expect_equal "$(row left "$PWD/r1")" "B 3 checkpoint-diverged the first $(sed -n '4s/entry \([0-9]*\) .*/\1/p' r1) changes of the refs are others" "the row"
redo -C right update-ref -d tags/two
no -C right checkpoint create >r2
expect_equal "$(row left "$PWD/r2" | cut -d' ' -f1-5)" "B 3 checkpoint-diverged change $(sed -n '4s/entry \([0-9]*\) .*/\1/p' r2)" "the row"

scene "an entry that is changed in place, with all hashes made to fit, is caught"
rm -rf tampered && cp -r garden tampered
python3 - tampered/.redo/received <<'END'
import hashlib, sys
path = sys.argv[1]
data = bytearray(open(path, "rb").read())
place, number = 16, 0
while number < 2:  # the time of the third frame
    place += 64 + 32 * int(data[place + 1:place + 9], 16)
    number += 1
time = int(data[place + 10:place + 22], 16) - 60_000
data[place + 10:place + 22] = b"%012x" % time
line = bytes(data[place:place + 23])
data[place + 23:place + 31] = hashlib.sha256(line).hexdigest()[:8].encode()
end = place + 32 + 32 * int(data[place + 1:place + 9], 16)
data[end:end + 32] = hashlib.sha256(bytes(data[place:end])).digest()
open(path, "wb").write(data)
END
redo -C tampered verify --all >/dev/null || fail "a node is bad" </dev/null
redo -C tampered log >/dev/null || fail "the log cannot be read" </dev/null
expect_equal "$(row tampered)" "B 5 checkpoint-diverged its 5 entries are not the first 5 of the history: the first other one is among 1 to 3
B 3 checkpoint-diverged its 3 entries are not the first 3 of the history: the first other one is among 1 to 3
B 5 checkpoint-diverged its 5 entries are not the first 5 of the history: the first other one is among 1 to 3" "the rows"
alter tampered/.redo/received 60
run redo -C tampered checkpoint verify
expect_error 128 "is corrupt at byte"

scene "an older copy that is wanted: --new-log gives the store a new name, and remembers it"
old=$(store_id restored)
run redo -C restored checkpoint create --new-log
expect_status 0
[ "$(store_id restored)" != "$old" ] || fail "the name is as before" </dev/null
expect_equal "$(sed -n 1p "$OUT")" "redo/$(store_id restored)" "the origin"
expect_equal "$(sed -n 6p "$OUT")" "previous sha256:$(sha256sum <first | cut -d' ' -f1)" "the one before"
cmp -s "$OUT" "$REMEMBERED" || fail "it is not remembered" </dev/null
expect_equal "$(row restored)" "G 6 -
P 3 - of an earlier log of this store
G 6 -" "the rows"
expect_equal "$(row restored "$PWD/first" "$PWD/second")" "P 3 - of an earlier log of this store
B 5 checkpoint-diverged it is of the log redo/$old, and the one here is redo/$(store_id restored)" "the rows"
run redo -C garden checkpoint create
expect_error 1 "it is of the log redo/$(store_id restored), and the one here is redo/$old"
cp second "$REMEMBERED"
redo -C garden checkpoint create >/dev/null || fail "it does not go on" </dev/null

scene "a name that is changed by hand saves nobody"
rm -rf renamed && cp -r backup renamed
sed -i 's/id = .*/id = 00112233445566778899aabbccddeeff/' renamed/.redo/config
expect_equal "$(row renamed | cut -d' ' -f1-3)" "B 3 checkpoint-diverged
B 5 checkpoint-diverged" "the rows"
run redo -C renamed checkpoint create
expect_error 1 "and the one here is redo/00112233445566778899aabbccddeeff"

scene "a recovered store and an import are logs of their own"
run redo -C garden recover --to=now -o "$PWD/recovered"
expect_status 0
[ "$(store_id recovered)" != "$(store_id garden)" ] || fail "both have one name" </dev/null
run no -C recovered checkpoint verify
expect_status 0
expect_stdout ''
expect_equal "$(row recovered "$PWD/first" | cut -d' ' -f1-3)" "B 3 checkpoint-diverged" "the row"

scene "a wipe says which checkpoints do not hold any more; verify tells of it; --new-log goes on"
rm -rf wiped && cp -r garden wiped
cp "$REMEMBERED" kept
redo -C wiped export | sed -n 1p >/dev/null
gzip -dc "$DEMO" | head -1 | redo -C wiped import -q >/dev/null
redo -C wiped checkpoint create >before
user=$(gzip -dc "$DEMO" | head -1 | sed 's/.*"userId":"\([0-9a-f]*\)".*/\1/')
run redo -C wiped wipe -n --author="$user"
expect_status 0
expect_stderr_has "warning: 1 checkpoint counts what is wiped; 'redo checkpoint create --new-log' begins a new log without it"
run redo -C wiped wipe --yes --author="$user"
expect_status 0
expect_stderr_has "warning: 1 checkpoint counts what is wiped"
change=$(redo -C wiped reflog --json | grep -F '"wipe --author' | sed 's/.*"entry":\([0-9]*\).*/\1/; s/.*"number":\([0-9]*\).*/\1/')
run redo -C wiped checkpoint verify
expect_status 1
expect_equal "$(head -1 "$OUT" | cut -d' ' -f1,3- | sed 's/ of 20[^ ]*Z$/ of <time>/')" \
  "B 6 checkpoint-diverged of 6 entries 5 are left, 1 are missing; change $change of the refs says that it is a wipe, of <time>" "the row"
expect_equal "$(sed -n '2,4p' "$OUT" | cut -c1 | tr -d '\n')" GGG "the letters"
run redo -C wiped checkpoint create
expect_error 1 "change $change of the refs says that it is a wipe"
run redo -C wiped checkpoint create --new-log
expect_status 0
expect_equal "$(row wiped | cut -d' ' -f1 | tr -d '\n')" GPPPPG "the letters"
expect_equal "$(row wiped "$PWD/before")" "P 6 - of an earlier log of this store" "the row"
run redo -C wiped wipe -q --yes --all
expect_status 0
run redo -C wiped checkpoint verify
expect_status 1
expect_stdout_has "B sha256:$(sha256sum <"$REMEMBERED" | cut -d' ' -f1) 5 checkpoint-diverged of 5 entries 0 are left, 5 are missing; change "

scene "the file: only where your own settings name it, absolute, and never over something else"
cp kept "$REMEMBERED"
redo -C garden config set checkpoint.file "$PWD/elsewhere"
run redo -C garden checkpoint verify
expect_status 0
expect_stderr_has "warning: 'checkpoint.file' on line "
redo -C garden config unset checkpoint.file
run redo -C garden -c checkpoint.file=here checkpoint create
expect_error 128 "bad value 'here' for 'checkpoint.file'"
echo mine >mine
run redo -C garden -c checkpoint.file="$PWD/mine" checkpoint create
expect_error 128 "'$PWD/mine' is there already, and is something else"
expect_equal "$(cat mine)" mine "the file"
run redo -C garden -c checkpoint.file="$PWD/missing/x" checkpoint create
expect_status 128
rm "$REMEMBERED"
run redo -C garden checkpoint verify
expect_status 1
expect_stdout_has "B - - checkpoint-form the file is not there ($REMEMBERED)"
redo -C garden checkpoint create >/dev/null
run redo -C garden checkpoint verify
expect_status 0

scene "in a directory each store has a file of its own"
mkdir all
run redo -C garden -c checkpoint.file="$PWD/all/" checkpoint create
expect_status 0
run redo -C recovered -c checkpoint.file="~/all/" checkpoint create
expect_status 128
redo -C recovered key generate >/dev/null 2>&1
redo -C recovered -c checkpoint.file="$PWD/all/" checkpoint create >/dev/null
expect_equal "$(ls all)" "$(printf '%s.checkpoint\n' "$(store_id garden)" "$(store_id recovered)" | sort)" "the files"
redo -C recovered -c checkpoint.file="$PWD/all/" checkpoint create --new-log >/dev/null
expect_equal "$(ls all | wc -l)" 3 "files"
run redo -C recovered -c checkpoint.file="$PWD/all/" checkpoint verify
expect_status 0

scene "where there is a trust file, the last one must be by a key that may sign; those that it names by their hash may be by another"
redo config unset --user checkpoint.file
make_signer trusting 2>/dev/null
commit one
redo checkpoint create >../by-old
OLD=$(redo key show --public)
redo key rotate >/dev/null 2>&1
NEW=$(redo key show --public)
redo trust add -q "$NEW" >/dev/null 2>&1
expect_equal "$(row .)" "B 1 key-untrusted it is signed by $OLD: no line of the trust file" "the row"
run redo checkpoint create
expect_status 0
expect_stderr ''
expect_equal "$(row .)" "G 1 -
G 1 -" "the rows"
expect_equal "$(row . ../by-old)" "B 1 key-untrusted it is signed by $OLD: no line of the trust file" "the row"
redo trust revoke -q "$NEW" >/dev/null 2>&1
expect_equal "$(row . | cut -d' ' -f1-3)" "B 1 key-revoked
B 1 key-untrusted" "the rows"
run redo checkpoint create
expect_status 0
expect_stderr_has "warning: the checkpoint does not count here: it is signed by $NEW: line "
printf '%s role=auditor\n' "$OLD" >.redo/trust
expect_equal "$(row . ../by-old)" "G 1 -" "the row"
printf '%s valid-before=2020-01-01T00:00:00.000Z\n' "$OLD" >.redo/trust
expect_equal "$(row . ../by-old | cut -d' ' -f1-3)" "B 1 key-expired" "the row"
echo nonsense >.redo/trust
run redo checkpoint verify
expect_status 128
expect_stdout ''

scene "redo verify of the whole store reports the same: what is remembered outside of it, and what is damaged"
cd ..
run redo -C garden verify
expect_status 0
expect_stdout ''
run redo -C restored -c checkpoint.file="$PWD/second" verify
expect_status 1
expect_stdout "error checkpoint-diverged sha256:$(sha256sum <second | cut -d' ' -f1) - it is of the log redo/$(store_id backup), and the one here is redo/$(store_id restored) ($PWD/second)"
run redo -C backup -c checkpoint.file="$PWD/second" verify --json
expect_status 1
expect_stdout_has "\"detail\":\"of 5 entries 3 are left, 2 are missing ($PWD/second)\""
expect_stdout_has '"rule":"checkpoint-diverged","severity":"error"'
run redo -C backup -c checkpoint.file="$PWD/mine" verify
expect_status 1
expect_stdout_has "error checkpoint-form sha256:$(sha256sum <mine | cut -d' ' -f1) - line 1: no empty line separates a text from its signatures"
run redo -C backup -c checkpoint.file="$PWD" verify
expect_status 1
expect_stdout_has "error checkpoint-form - - they cannot be measured: '$PWD' is a directory"
