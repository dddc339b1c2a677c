#!/bin/bash
# A Firestore as the source of a repair, as one side of redo ls-remote --only, and of single changes: it is asked for
# these documents and no others, which the requests that go over the way show.
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"
own_copies

NODES=$TESTS/Scripts/store-nodes.py
# reads <number>: so many documents were read since `forget`, and no others were charged for.
reads() { expect_equal "$(wire | cut -d' ' -f4)" "$1" "documents read"; }
place() { echo "bad/.redo/objects/${1:7:2}/${1:9}"; }
# fresh: a copy of the store `a` without what is derived.
fresh() { chmod -R u+w bad 2>/dev/null && rm -rf bad; rm -rf bad && cp -r a bad && rm -rf bad/.redo/cache/*; forget; }
whole() {
  expect_clean bad
  python3 "$NODES" store bad | cmp -s - all || fail "other nodes" </dev/null
}

stores a
project
joins a "$ANN"
on a 10:00:00 create -t $TASK --title=One
for number in $(seq 10 59); do on a "10:00:$number" update -t $TASK --title="Title $number"; done
ids a >line
redo -C a push -q
expect_equal "$(documents)" 51 documents
python3 "$NODES" store a >all

for memory in kept lost; do
  scene "three damaged or missing changes cost three reads, whether the memory of the project is $memory"
  fresh
  [ $memory = kept ] || rm -rf bad/.redo/remotes/origin/firestore
  sed -n '5p;30p;50p' line | sort >three
  chmod u+w "$(place "$(sed -n 1p three)")" && truncate -s 30 "$(place "$(sed -n 1p three)")"
  chmod u+w "$(place "$(sed -n 2p three)")" && alter "$(place "$(sed -n 2p three)")" 40
  rm -f "$(place "$(sed -n 3p three)")"
  python3 "$NODES" store bad | sort - three | cmp -s - all || fail "the damage is something else" </dev/null
  run redo -C bad verify --json --repair-from=origin
  expect_status 0
  head -n 3 "$OUT" | grep -c '"result":"repaired"' | grep -q 3 || fail "they are not repaired" < <(everything_printed)
  expect_equal "$(tail -n 1 "$OUT" | python3 -c 'import json, sys
d = json.load(sys.stdin)
print(*[d[name] for name in ["roundTrips", "bytesSent", "bytesReceived", "reads"]])')" "$(wire | cut -d' ' -f1-4)" "the cost"
  reads 3
  expect_equal "$(find bad/.redo/lost-found -type f | wc -l)" 2 "things kept"
  whole
done

scene "twenty missing changes, asked for 16 at a time"
fresh
sed -n '21,40p' line | while read -r id; do rm -f "$(place "$id")"; done
run redo -C bad verify --repair-from=origin
expect_status 0
expect_stdout_lines 20
expect_stderr_has "'origin' was asked for 20 changes and has sent 20: "
expect_stderr_has '; 20 documents read'
reads 20
whole

scene "a change that was missing gets the list of those who may see it from a remote that keeps one, a damaged one does not"
lists() { redo -C "$1" show --json "$2" | python3 -c 'import json, sys; print(json.load(sys.stdin).get("accessList"))'; }
missing=$(sed -n 20p line) damaged=$(sed -n 21p line)
expect_equal "$(lists a "$missing")" "['$ANN']" "the list there"
fresh
rm bad/.redo/access
redo -C bad remote add copy "ssh://host$PWD/a"
rm -f "$(place "$missing")"
chmod u+w "$(place "$damaged")" && truncate -s 30 "$(place "$damaged")"
run redo -C bad verify --repair-from=copy
expect_status 0
expect_stdout_lines 2
expect_equal "$(lists bad "$missing")" "['$ANN']" "the list of the missing one"
expect_equal "$(lists bad "$damaged")" None "the list of the damaged one"
whole

# taken_away <id>: the project, which had this change last, has it no longer; `primary` was copied before.
taken_away() {
  if [ "$TARGET" != serve ]; then
    admin delete "nodes/$1"
    return
  fi
  kill "$PEER_PID" && wait "$PEER_PID"
  rm -rf primary && mv earlier primary
  start_server
}
if [ "$TARGET" = serve ]; then
  kill "$PEER_PID" && wait "$PEER_PID"
  cp -r primary earlier
  start_server
fi
scene "a change that is nowhere else is said, and so is one that has disappeared there; the rest comes"
on a 11:00:00 update -t $TASK --title=Gone
redo -C a push -q
gone=$(redo -C a log -n 1 --format='%(id)') there=$(sed -n 13p line)
python3 "$NODES" store a >all
taken_away "$gone"
expect_equal "$(documents)" 51 documents
fresh
on bad 11:00:01 update -t $TASK --title=New
new=$(redo -C bad log -n 1 --format='%(id)')
rm -rf bad/.redo/cache/*
rm -f "$(place "$new")" "$(place "$gone")" "$(place "$there")"
forget
run redo -C bad verify --repair-from=origin
expect_status 1
expect_equal "$(cut -d' ' -f1,2 "$OUT")" "$( (printf '%s %s\n' unrepaired "$new" unrepaired "$gone" repaired "$there") | sort -k2)" "rows"
grep -q "^unrepaired $gone .* object-missing; the source does not have it$" "$OUT" || fail "no row" <"$OUT"
expect_stderr_has "'origin' was asked for 3 changes and has sent 1: "
reads 1
python3 "$NODES" store bad | sort - <(echo "$gone") | cmp -s - all || fail "other nodes" </dev/null

scene "a store that has it sends it again afterwards"
run redo -C a push -q
expect_status 0
expect_equal "$(documents)" 52 documents

scene "only here, only there: the ids of both stores, as others read them, and no document is read for them"
stores a b
project
joins a "$ANN" "$BOB"
joins b "$BOB" "$ANN"
on a 10:00:00 create -t $TASK --title=One
for number in $(seq 10 19); do on a "10:00:$number" update -t $TASK --title="Title $number"; done
redo -C a push -q
redo -C b fetch -q
for number in $(seq 20 24); do on a "10:00:$number" update -t $TASK --title="Title $number"; done
for number in $(seq 30 36); do on b "10:00:$number" create --title="Other $number"; done
redo -C a push -q
admin ids nodes | sort >there
python3 "$NODES" store b >here
redo -C b ls-remote -q >/dev/null
forget
run redo -C b ls-remote --only=there
expect_status 0
comm -13 here there >expected
expect_stdout_file expected
expect_equal "$(asked ids)" "0 0 0" "requests for documents by id"
run redo -C b ls-remote --only=here
expect_status 0
comm -23 here there >expected
expect_stdout_file expected
redo -C b ls-remote --only=here --task=$TASK >"$OUT" || fail "a task cannot be compared" </dev/null
expect_stdout ''
redo -C b sync -q
for side in here there; do
  run redo -C b ls-remote --only=$side --exit-code
  expect_status 2
  expect_stdout ''
done
for words in --owned --access --verify=x --limit=3; do
  run redo -C b ls-remote --only=here $words
  expect_status 129
  expect_stderr_has "options '--only' and '${words%%=*}' cannot be used together"
done

scene "fetch --stdin asks for the changes that are named, and for ancestors that are not here"
ids a >line
redo init -q c
joins c "$ANN"
sed -n 4p line >named
forget
run redo -C c fetch --stdin <named
expect_status 0
expect_equal "$(redo -C c log --format='%(id)' | wc -l)" 4 "changes: it and its ancestors"
reads 4
# The history here has the ancestors, and nothing is remembered of the project.
rm -rf c/.redo/remotes/origin/firestore
sed -n 6p line >named
forget
run redo -C c fetch --stdin <named
expect_status 0
expect_equal "$(redo -C c log --format='%(id)' | wc -l)" 6 "changes"
reads 2

scene "more of them than a greeting has room for are asked for 16 at a time, and still nothing else is"
on a 11:00:00 create --title=Else
for number in $(seq 10 49); do on a "11:01:$number" create --title="Task $number"; done
redo -C a push -q
redo -C a log --reverse --format='%(id)' --since=2025-11-16T11:01:00Z | head -n 33 >named
expect_equal "$(wc -l <named)" 33 names
rm -rf c/.redo/remotes/origin/firestore
forget
run redo -C c fetch --json --stdin <named
expect_status 0
expect_equal "$(json 'len(d["fetched"]), d["reads"]')" "(33, 33)" "fetched and reads"
reads 33
expect_equal "$(redo -C c log --format='%(id)' | wc -l)" 39 changes
