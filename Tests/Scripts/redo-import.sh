#!/bin/bash
# redo import: a log in another form becomes a part of the history.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

APP=$VECTORS/app/redo_changes.json
LOG=$VECTORS/log/linear.ndjson

scene "the app's file: the number of new nodes on stdout, the rest for people on stderr"
make_store
run redo import "$APP"
expect_status 0
expect_stdout 50
expect_stderr_has 'imported 50 new changes'
expect_stderr_has "warning: '$APP', byte '5650': wall-precision at /timestamp/wall: a time has milliseconds; 14 times in all"

scene "every node is there with its id and verdict, and the heads of its table stand"
run redo verify --all
expect_status 1 # nine of them are not signed
cut -c 1-73 "$OUT" | sort >found
grep -v '^#' "$VECTORS/app/EXPECTED.tsv" | awk -F'\t' '{ print $4, $2 }' | sort >expected
cmp -s expected found || fail "verdicts differ" < <(diff expected found)
run redo log --format='%(id)'
expect_status 0
sort "$OUT" >found
cut -d' ' -f2 expected | sort | cmp -s - found || fail "the history is not these nodes" <found
run redo log --format='%(parents)'
tr ' ' '\n' <"$OUT" | sort -u >parents
sort "$WORK/here/found" | comm -23 - parents >heads
expect_equal "$(wc -l <heads)" "$(grep -v '^#' "$VECTORS/app/EXPECTED.tsv" | grep -c '	head	')" "heads"

scene "members that belong to a remote's copy are taken off"
! redo cat-node --batch --batch-all-objects | grep -q 'accessList\|createdAt' || fail "they are there" </dev/null

scene "a second time nothing is new, and nothing changes"
before=$(fingerprint)
run redo import "$APP"
expect_status 0
expect_stdout 0
expect_stderr_has 'imported 0 new changes, 50 known'
expect_untouched "$before"

# created_of <id>: when a remote first had it, as `redo show` tells it to programs and to people; both are the same.
created_of() {
  local json people
  json=$(redo show --json "$1" | sed -n 's/^{"createdAt":"\([^"]*\)","id":.*/\1/p')
  people=$(redo show "$1" | sed -n 's/^Created:   \(.*\) (as a remote says)$/\1/p')
  [ "$json" = "$people" ] || fail "people are told '$people', programs '$json'" </dev/null
  echo "$json"
}

scene "what copies say of when a remote first had a node is kept beside the node: texts and maps"
times=0
while IFS=$'\t' read -r id created; do
  expect_equal "$(created_of "$id")" "$created" "the time of $id"
  if [ -n "$created" ]; then times=$((times + 1)); fi
done < <(python3 - "$APP" "$VECTORS/app/EXPECTED.tsv" <<'END'
import datetime, json, sys
nodes = json.load(open(sys.argv[1]))
rows = [line.split("\t") for line in open(sys.argv[2]) if not line.startswith("#")]
for node, row in zip(nodes, rows):
    at = node.get("createdAt", "")
    if isinstance(at, dict):
        time = datetime.datetime.fromtimestamp(at["_seconds"], datetime.timezone.utc)
        at = f"{time:%Y-%m-%dT%H:%M:%S}.{at['_nanoseconds'] // 1_000_000:03}Z"
    print(row[1], at, sep="\t")
END
)
expect_equal "$times" 20 "times"
expect_clean

scene "-q prints only the number; by its own name; NDJSON; several inputs; the form is recognised"
make_store several
run redo-import -q "$LOG" "$APP"
expect_status 0
expect_stdout 68
expect_stderr ''
expect_clean

scene "standard input without a file"
make_store ../stdin
run redo import <"$APP"
expect_status 0
expect_stdout 50
run sh -c "gzip -dc '$DEMO' | redo import -q"
expect_status 0
expect_stdout 10012
expect_clean

# copy_of <number> <time>: a node of the log as a remote's copy, with this as `createdAt`.
copy_of() { a_node "$1" | sed "s|^{|{\"accessList\":[\"u1\"],\"createdAt\":$2,|"; }

scene "every form of createdAt is read; ids, heads and state are those of the nodes without it"
make_store ../forms
{
  copy_of 1 '"2025-03-01T09:00:00.123456Z"'
  copy_of 2 '{"_seconds":1740823200,"_nanoseconds":250999999}'
  copy_of 3 '{"seconds":1740826800,"nanoseconds":0}'
  copy_of 4 '{"timestampValue":"2025-03-01T13:00:00+01:00"}'
  copy_of 5 null
  a_node 6
} >copies.ndjson
run redo import copies.ndjson
expect_status 0
expect_stdout 6
expect_stderr 'imported 6 new changes'
redo log --reverse --format='%(id)' >ids
for number in 1 2 3 4 5 6; do a_node "$number"; done >plain.ndjson
ids_of <plain.ndjson | sort | diff - <(sort ids) >difference || fail "other ids" <difference
for id in $(ids_of <plain.ndjson); do created_of "$id"; done >found
expect_equal "$(tr '\n' ' ' <found)" \
  '2025-03-01T09:00:00.123Z 2025-03-01T10:00:00.250Z 2025-03-01T11:00:00.000Z 2025-03-01T12:00:00.000Z   ' "times"
redo state --json >with
make_store ../without
redo import -q ../forms/plain.ndjson >/dev/null
[ ! -e .redo/created ] || fail "there is a file of times" </dev/null
redo state --json | cmp -s - ../forms/with || fail "another state" </dev/null
cd ../forms || exit
expect_clean

scene "again nothing is added; an earlier time is, a later one is not; -n notes nothing"
before=$(fingerprint)
run redo import copies.ndjson
expect_status 0
expect_untouched "$before"
copy_of 2 '"2025-02-01T00:00:00Z"' >earlier.ndjson
run redo import -n earlier.ndjson
expect_untouched "$before"
run redo import earlier.ndjson
expect_status 0
expect_equal "$(created_of "$(ids_of <earlier.ndjson)")" 2025-02-01T00:00:00.000Z "the earlier time"
before=$(fingerprint)
copy_of 2 '"2025-02-01T00:00:01Z"' >later.ndjson
copy_of 6 '"2025-04-01T00:00:00Z"' | sed 's/"version":1/"version":2/' >refused.ndjson
redo import -q later.ndjson >/dev/null
run redo import refused.ndjson
expect_status 1
expect_untouched "$before"

scene "a createdAt in no known form costs the node nothing, and is said"
make_store ../unknown
{ copy_of 1 '"yesterday"'; copy_of 2 1740823200; copy_of 3 '"2025-03-01T09:00:00Z"'; } >copies.ndjson
run redo import copies.ndjson
expect_status 0
expect_stdout 3
expect_stderr "warning: 'copies.ndjson', byte '0': 'createdAt' of '$(a_node 1 | ids_of)' is no time in a form that is known, and is not kept: '\"yesterday\"'; 2 times in all
imported 3 new changes"
expect_equal "$(created_of "$(a_node 1 | ids_of)")" '' "the first"
expect_equal "$(created_of "$(a_node 3 | ids_of)")" 2025-03-01T09:00:00.000Z "the third"
run redo import -q copies.ndjson
expect_stderr ''

scene "where the times are damaged, nodes are taken all the same, and their times are not"
printf x | dd of=.redo/created bs=1 seek=40 conv=notrunc status=none
copy_of 4 '"2025-03-01T09:00:00Z"' >fourth.ndjson
run redo import fourth.ndjson
expect_status 0
expect_stdout 1
expect_stderr_has "warning: when remotes had these changes first is not noted: '$PWD/.redo/created' is corrupt at byte 15: "
expect_equal "$(created_of "$(a_node 4 | ids_of)")" '' "the fourth"

scene "a directory of nodes, and what is in it"
make_store ../directory
mkdir -p nodes/below
a_node 1 >nodes/z.json
a_node 2 >nodes/below/a.json
a_node 3 >nodes/below/b.json
echo 'not a node' >nodes/.hidden
run redo import nodes
expect_status 0
expect_stdout 3

scene "-n judges everything and writes nothing"
make_store ../dry
before=$(fingerprint)
run redo import -n "$APP"
expect_status 0
expect_stdout 50
expect_stderr_has 'would import 50 new changes'
expect_untouched "$before"

scene "parents may come after their children, and a node may stand twice"
for log in children-first each-line-twice octopus diverged merged crossed; do
  make_store "../$log"
  run redo import -q "$VECTORS/log/$log.ndjson"
  expect_status 0
  nodes=$(awk -F'\t' -v "file=$log.ndjson" '$1 == file && $2 == "count" && $3 == "nodes" { print $4 }' \
    "$VECTORS/log/EXPECTED.tsv")
  expect_stdout "$nodes"
  expect_clean
done

scene "a parent that is nowhere: nothing is imported"
make_store ../orphan
before=$(fingerprint)
run redo import "$VECTORS/log/missing-parent.ndjson"
expect_status 1
expect_stdout ''
expect_stderr_has "parent-missing"
expect_untouched "$before"

scene "one bad node: nothing is imported, and it is named"
(a_node 1; a_node 2; forged < <(a_node 3)) >bad.ndjson
run redo import bad.ndjson
expect_error 1 "signature-bad"
expect_untouched "$before"

scene "what a parent refuses stays out: the --salvage of it takes the rest"
run redo import --salvage bad.ndjson
expect_status 1
expect_stdout 2
expect_stderr_has "error: 'bad.ndjson', byte '$(head -2 bad.ndjson | wc -c)': signature-bad"
expect_stderr_has "imported 2 new changes, 1 refused"
expect_clean

scene "a file that ends too early is refused with the place; --salvage takes the whole nodes of it"
make_store ../cut
before=$(fingerprint)
head -c 30000 "$APP" >cut.json
run redo import cut.json
expect_status 128
expect_stdout ''
expect_stderr_has "fatal: 'cut.json': json-syntax at byte 30000"
expect_stderr_has "[STORAGE_003]"
expect_stderr_has "hint: '--salvage'"
expect_untouched "$before"
run redo import --salvage cut.json
expect_status 1
expect_stdout "$(grep -c '^  },$' cut.json)"
expect_stderr_has "error: 'cut.json': json-syntax at byte 30000"
expect_clean

scene "damage of any kind at any place: every whole node is taken, every damage has its offset"
if command -v python3 >/dev/null; then
  run timeout 300 python3 "$TESTS/Scripts/salvage.py" "$APP" "$LOG"
  expect_status 0
else
  skip "python3 is missing"
fi

scene "foreign files are named for what they are"
make_store ../foreign
before=$(fingerprint)
gzip -c "$DEMO" >twice.gz
run redo import twice.gz
expect_error 128 "is compressed with gzip twice"
printf 'bvx2 and so on' >lzfse
run redo import lzfse
expect_error 128 "LZFSE"
printf '\357\273\277[]' >bom
run redo import bom
expect_error 128 "json-bom at byte 0"
run redo import missing.json
expect_error 128 "[STORAGE_001]"
expect_untouched "$before"

scene "an empty array, and an empty input, are logs without a node"
for text in '[]' '' ' [ ] '; do
  run redo import <<<"$text"
  expect_status 0
  expect_stdout 0
done

scene "a known node with a better signature is upgraded"
make_store ../upgrade
sed 's/"signature":"[^"]*",//' "$LOG" >unsigned.ndjson
redo import -q unsigned.ndjson >/dev/null
run redo import "$LOG"
expect_status 0
expect_stdout 0
expect_stderr 'imported 0 new changes, 18 known, 18 upgraded'
run redo verify --all
expect_status 0

scene "a corrupt object is healed by the same node"
id=$(a_node 3 | ids_of)
path=.redo/objects/${id:7:2}/${id:9}
chmod u+w "$path"
: >"$path"
run redo import "$LOG"
expect_status 0
expect_stderr_has "1 healed"
run redo verify --all
expect_status 0

scene "--profile=sync takes no unsigned node"
make_store ../strict
run redo import --profile=sync ../upgrade/unsigned.ndjson
expect_status 1
expect_stderr_has "signature-missing"
expect_equal "$(objects)" 0 "objects"
run redo import --profile=sync "$LOG"
expect_status 0
expect_stdout 18

scene "mistakes in the command line"
run redo import --bogus
expect_status 129
expect_stderr_has "usage: redo-import"
run redo import --profile=other "$LOG"
expect_status 129

scene "outside of a store"
cd "$WORK" || exit
run redo import "$LOG"
expect_error 128 "not a redo repository"
