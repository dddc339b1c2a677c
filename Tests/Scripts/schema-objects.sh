#!/bin/bash
# Schemas as objects of a store: hashed, judged beside their parents, written, shown, audited, packed, archived, backed up, repaired, wiped,
# proven. Python makes what several devices do, by the text of the specification alone, and reads both ends.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SCHEMAS=$VECTORS/schema
take() { redo hash-object -t schema -w --update-heads --ndjson "$@"; }
log() { "$PYTHON" "$TESTS/Oracle/schema_log.py" "$@"; }
refs() { redo -C "$1" show-ref | grep ' schemas/'; }
lines() { redo -C "$1" export -q --kind=schema | sort; }
share 8

scene "every valid schema has its id, in one call; an invalid one is refused with its rule and place"
grep $'\tvalid\t' "$SCHEMAS/EXPECTED.tsv" >rows
cut -f1 rows | sed "s|^|$SCHEMAS/|" >files
cut -f5 rows >ids
run redo hash-object -t schema --stdin-paths <files
expect_status 0
expect_stdout_file ids
grep $'\tinvalid\t' "$SCHEMAS/EXPECTED.tsv" | chosen | while IFS=$'\t' read -r file _ rule place _; do
  run redo hash-object -t schema "$SCHEMAS/$file"
  expect_status 1
  expect_stdout ''
  [ "$place" = "''" ] || expect_stderr_has "$rule at $place"
  expect_stderr_has "error: '$SCHEMAS/$file': $rule"
done || exit 1

need_python "schemas of several devices" rfc8785 nacl
mkdir made
log make "$SEED" made 60 || fail "the maker" </dev/null
ONE=$(head -n 1 made/history.ndjson) NAMES=$(cut -d' ' -f2 made/heads | sort -u | wc -l)

scene "the first schema raises the format, and one that is refused does not"
redo init -q own
cd own || exit 1
tail -n 1 ../made/forged.ndjson >orphan
run take <orphan
expect_status 1
expect_stderr_has "parent-missing"
run redo config core.format
expect_stdout 1
run take <<<"$ONE"
expect_status 0
expect_stdout "$(ids_of <<<"$ONE")"
run redo config core.format
expect_stdout 2

scene "a history of three devices has the heads that the other program finds, whatever the order of the lines"
shuf --random-source=<(yes "$SEED") ../made/history.ndjson >shuffled
run take <shuffled
expect_status 0
expect_equal "$(cat "$OUT")" "$(ids_of <shuffled)" "the ids"
expect_equal "$(refs .)" "$(cat ../made/heads)" "the heads"
run take <shuffled
expect_status 0
expect_equal "$(refs .)" "$(cat ../made/heads)" "the heads after the same again"
run redo verify
expect_status 0
expect_stdout ''
run redo verify --all
expect_status 0
expect_equal "$(cut -d' ' -f1,3 "$OUT" | sort | uniq -c | tr -s ' ')" " 60 G body" "the letters"
expect_equal "$(redo verify --all | cut -d' ' -f2)" "$(ids_of <shuffled | sort)" "the ids"
expect_equal "$(lines .)" "$(sort ../made/history.ndjson)" "what is exported"

scene "what breaks a rule about parents is refused by name under every profile, and nothing is written"
before=$(fingerprint)
while IFS=$'\t' read -r id rule pointer; do
  grep -F "\"$id\"" ../made/forged.ndjson >forged
  for profile in v1 sync; do
    run take --profile=$profile <forged
    expect_status 1
    expect_stdout ''
    case $rule in
      parent-missing) expect_stderr_has "error: '<stdin>', line '1': parent-missing" ;;
      *) expect_stderr_has "error: '<stdin>', line '1': $rule at $pointer" ;;
    esac
    expect_stderr_lacks "warning: '<stdin>', line '1': $rule"
  done
  # Whoever judges a file by itself says the same of what is in it.
  cat ../made/history.ndjson forged >../with-forged.ndjson
  run redo verify --profile=sync ../with-forged.ndjson
  expect_status 1
  expect_stdout_has "B $id $rule"
done <../made/forged.tsv || exit 1
rm -f forged
expect_equal "$(fingerprint)" "$before" "the store"
run redo hash-object -t schema -w --update-heads --ndjson --batch-verdicts <<<"$(sed -n 1p ../made/forged.ndjson)
$ONE"
expect_status 1
expect_stdout "B $(sed -n 1p ../made/forged.tsv | cut -f1) schema-lost at /definition/fields
G $(ids_of <<<"$ONE") body"

scene "cat-node, show and verify --explain tell what it is"
ID=$(ids_of <<<"$ONE")
NAME=$("$PYTHON" -c 'import json, sys; d = json.load(sys.stdin)["definition"]; print(d["id"] + ("@" + d["scope"] if "scope" in d else ""))' <<<"$ONE")
run redo cat-node -t "$ID"
expect_stdout schema
run redo cat-node "$ID"
expect_equal "$(cat "$OUT")" "$ONE" "the schema"
run redo cat-node --body "$ID"
expect_equal "sha256:$(sha256sum <"$OUT" | cut -d' ' -f1)" "$ID" "the hash of the body"
run redo cat-node --format='%(kind) %(type) %(lamport) %(action) [%(parents)]' "$ID"
expect_stdout "schema $NAME 1 new []"
run redo cat-node --pointer=/change/source "$ID"
expect_stdout '"manual"'
run redo show "$ID"
expect_stdout_has "Schema:    $NAME"
expect_stdout_has "Change:    new (manual)"
expect_stdout_has "Signature: G (good, over the body)"
run redo show --json "$ID"
expect_stdout_has "\"kind\":\"schema\",\"schema\":{\"author\":"
run redo verify --explain "$ID"
expect_stdout_has "schema $ID"
expect_stdout_has "schema $NAME"
run redo cat-node node "$ID"
expect_status 128
expect_stderr_has "is a schema, not a node"

scene "a ref of heads takes schemas of its name alone"
LINE=$(sed -n 1p ../made/heads)
OTHER=$(grep -vF " ${LINE#* }" ../made/heads | head -n 1)
run redo update-ref "${LINE#* }" "${OTHER%% *}"
expect_status 1
expect_stderr_has "is a schema of"
run redo update-ref heads/- "${LINE%% *}"
expect_status 1
redo init -q ../nodes
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
run redo update-ref "${LINE#* }" "$(redo log --format='%(id)' | head -n 1)"
expect_status 1
expect_stderr_has "is not a schema"
expect_equal "$(refs .)" "$(cat ../made/heads)" "the heads"

scene "packed, it is a pack of its own kind, in version 2, that another program reads; objects are what they were"
run redo repack -q
expect_status 0
for pack in .redo/objects/pack/*.pack; do
  [ "$(head -c 13 "$pack" | tail -c 2 | od -An -tu1 | tr -s ' ')" != " 2 2" ] || cp "$pack" ../schemas.pack
done
[ -e ../schemas.pack ] || fail "there is no pack of schemas" </dev/null
"$PYTHON" "$TESTS/Oracle/read_pack.py" ../schemas.pack | sort >../read || fail "the other program refuses it" </dev/null
expect_equal "$(cat ../read)" "$(sort ../made/history.ndjson)" "what is packed"
expect_equal "$(lines .)" "$(sort ../made/history.ndjson)" "what is exported"
run redo verify
expect_status 0
run redo verify-pack .redo/objects/pack/*.pack
expect_status 0

scene "a log of tasks does not change"
expect_equal "$(redo state --hash)" "$(redo export -q | (cd ../nodes && redo import -q >/dev/null && redo state --hash))" "the state"
run redo log --format='%(kind)'
expect_equal "$(sort -u "$OUT")" node "what a log shows"

scene "an archive of schemas is read by another program, verified, and comes back whole; one of nodes says that they stay"
run redo archive create --kind=schema -o ../schemas.redopack
expect_status 0
"$PYTHON" "$TESTS/Oracle/read_pack.py" ../schemas.redopack | sort >../read || fail "the other program refuses it" </dev/null
expect_equal "$(cat ../read)" "$(sort ../made/history.ndjson)" "what is archived"
run redo archive verify ../schemas.redopack
expect_status 0
expect_stdout ''
run redo archive create -o ../nodes.redopack
expect_status 0
expect_stderr_has "the schemas of $NAMES names left out; '--kind=schema' archives schemas"
redo init -q ../back
run redo -C ../back import ../schemas.redopack
expect_status 0
expect_stderr_has "imported 60 new schemas"
expect_equal "$(refs ../back)" "$(cat ../made/heads)" "the heads"
cp ../schemas.redopack ../broken.redopack
alter ../broken.redopack $(($(stat -c %s ../broken.redopack) / 2))
redo init -q ../careful
run redo -C ../careful import ../broken.redopack
[ "$STATUS" -ne 0 ] || fail "a damaged archive is taken" <"$ERR"
expect_equal "$(redo -C ../careful show-ref)" '' "refs"

scene "lines and blocks: export, import, compare; an export of nodes says that they stay"
redo export -q --kind=schema -o ../lines.ndjson >/dev/null
redo export -q --kind=schema --format=car -o ../schemas.car >/dev/null
"$PYTHON" "$TESTS/Oracle/read_car.py" ../schemas.car | sort >../read || fail "the other program refuses it" </dev/null
expect_equal "$(cat ../read)" "$(sort ../made/history.ndjson)" "what is exported"
for file in lines.ndjson schemas.car; do
  redo init -q "../from-$file"
  run redo -C "../from-$file" import --json "../$file"
  expect_status 0
  expect_stdout_has '"schemas":{"healed":0,"known":0,"new":60,"upgraded":0}'
  expect_equal "$(refs "../from-$file")" "$(cat ../made/heads)" "the heads"
  run redo compare . "../$file"
  expect_status 1
  expect_equal "$(grep -c '^>' "$OUT")" 0 "what only the file has"
done
run redo export
expect_stderr_has "the schemas of $NAMES names left out; '--kind=schema' exports schemas"
run redo import -n ../made/forged.ndjson
expect_status 1
expect_stderr_has "schema-lost"

scene "a backup has them: another program reads it, and what is restored is the same"
run redo backup create ../points
expect_status 0
"$PYTHON" "$TESTS/Oracle/read_backup.py" ../points "$(ls ../points)" | grep '"schema":1' | sort >../read || fail "the other program refuses it" </dev/null
expect_equal "$(cat ../read)" "$(sort ../made/history.ndjson)" "what is in it"
run redo backup restore -o ../restored ../points
expect_status 0
expect_equal "$(refs ../restored)" "$(cat ../made/heads)" "the heads"
expect_equal "$(lines ../restored)" "$(lines .)" "the schemas"
expect_equal "$(redo -C ../restored show-ref | sha256sum)" "$(redo show-ref | sha256sum)" "all refs"

scene "a checkpoint counts them, and each has a proof that another program checks"
redo key generate >/dev/null 2>&1
run redo checkpoint create -o ../note
expect_status 0
expect_equal "$(grep '^objects schema ' ../note)" "objects schema 60 $(ids_of <../made/history.ndjson | sort | sha256sum | cut -d' ' -f1)" "what is stated"
expect_equal "$(grep '^heads schema ' ../note)" "heads schema $(wc -l <../made/heads) $(cut -d' ' -f1 ../made/heads | sort | sha256sum | cut -d' ' -f1)" "its heads"
run redo prove "$ID"
expect_status 0
cp "$OUT" ../proof
expect_equal "$(sed -n '2s/extra //p' ../proof | base64 -d | sed 's/"received":[0-9]*/"received":0/')" "{\"received\":0,\"schema\":$ONE}" "the extra data"
run env -C / redo verify --proof <../proof
expect_status 0
expect_stdout_has "G $ID body"
expect_equal "$("$PYTHON" "$TESTS/Oracle/check_proof.py" ../proof)" "G $ID" "what the other program says"

scene "a damaged schema is found, told and healed from another copy; refs that are lost are worked out again"
redo init -q ../hurt
cd ../hurt || exit 1
redo import -q ../made/history.ndjson >/dev/null
file=.redo/objects/${ID:7:2}/${ID:9}
chmod u+w "$file" && alter "$file" 40
run redo verify
expect_status 1
expect_stdout_has "$ID"
run redo verify --repair-from=../made/history.ndjson
expect_status 0
run redo verify
expect_status 0
expect_equal "$(lines .)" "$(sort ../made/history.ndjson)" "the schemas"
rm .redo/refs
run redo verify --repair-refs
expect_status 0
expect_equal "$(refs .)" "$(cat ../made/heads)" "the heads"
run redo verify
expect_status 0

scene "a wipe of a device's user takes its schemas and all that follow them, as another program works out"
USER_ID=$("$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["author"]["userId"])' <<<"$ONE")
"$PYTHON" -c '
import json, sys
gone = set()
for line in sys.stdin:
    each = json.loads(line)
    if each["author"]["userId"] == sys.argv[1] or gone & set(each["parents"]):
        gone.add(each["id"])
    else:
        print(line, end="")' "$USER_ID" <../made/history.ndjson | sort >left
run redo wipe --author="$USER_ID" -n
expect_status 0
expect_equal "$(lines .)" "$(sort ../made/history.ndjson)" "the schemas after a dry run"
run redo wipe --author="$USER_ID" --yes
expect_status 0
expect_stderr_has "wiped $((60 - $(wc -l <left))) schemas"
expect_equal "$(lines .)" "$(cat left)" "what stays"
expect_equal "$(refs .)" "$(log heads <left)" "the heads"
run redo verify
expect_status 0

scene "a point in time has the schemas of that time, and what was left out is told"
cd ../own || exit 1
TIME=$("$PYTHON" -c '
import json, sys
print(sorted(json.loads(line)["timestamp"]["wall"] for line in sys.stdin)[30])' <../made/history.ndjson)
"$PYTHON" -c '
import json, sys
gone = set()
for line in sys.stdin:
    each = json.loads(line)
    if each["timestamp"]["wall"] > sys.argv[1] or gone & set(each["parents"]):
        gone.add(each["id"])
    else:
        print(line, end="")' "$TIME" <../made/history.ndjson | sort >../then-lines
run redo recover --to="$TIME" --kind=schema -o ../then
expect_status 0
expect_equal "$(lines ../then)" "$(cat ../then-lines)" "the schemas of that time"
expect_equal "$(refs ../then)" "$(log heads <../then-lines)" "the heads"
run redo recover --to="$TIME" --kind=schema --write-ref=then
expect_status 0
expect_equal "$(redo show-ref | sed -n 's, recovered/then/schemas/, schemas/,p')" "$(log heads <../then-lines)" "the refs"
run redo recover --to=lamport:2 --kind=schema -o ../nowhere
expect_status 129
