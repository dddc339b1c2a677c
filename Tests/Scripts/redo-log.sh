#!/bin/bash
# redo log: the history, newest first. redo-log-order.sh has the orders, redo-log-choice.sh the filters.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# order <log>: the ids of the log's table, oldest first.
order() { awk -F'\t' -v "file=$1" '$1 == file && $2 == "order" { print $4 }' "$VECTORS/log/EXPECTED.tsv"; }

make_store
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
order merged.ndjson >oldest-first
tac oldest-first >newest-first
NEWEST=$(head -1 newest-first)

scene "the form for people"
run redo log -n 2
expect_status 0
expect_stdout <<'END'
node sha256:6efe54a3a03f34589527782e2294ba18cbe490a192bde83ae24e7acd033b7dfc
Author: 6dae71b5c0ccc74dc3632f94f5bf65a6 on web-firefox
Date:   2025-03-01T08:09:00.000Z, lamport 9
Task:   7a000000-0000-4000-8000-000000000001

    UPDATE  priority 4

node sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
Author: f4f661eb3027a60debd2571992268d26 on ios-iphone-15
Date:   2025-03-01T08:08:00.000Z, lamport 8
Task:   7a000000-0000-4000-8000-000000000001
Merge:  3d557e02f294 7ecfaf223491

    MERGE  priority 1, title "Water everything"
END
expect_stderr ''

scene "--sort=order: the total order of the protocol, turned around; --reverse turns it back"
run redo log --sort=order --format='%(id)'
expect_status 0
expect_stdout_file newest-first
run redo-log --sort=order --reverse --format='%(id)'
expect_stdout_file oldest-first
run redo log --sort=-order --format='%(id)'
expect_stdout_file oldest-first

scene "every log of the vectors comes out in the order of its table"
for file in $(grep -v '^#' "$VECTORS/log/EXPECTED.tsv" | cut -f 1 | sort -u); do
  # Those whose nodes are not all in their own history are for import to refuse.
  case $file in bad-lines.ndjson | missing-parent.ndjson | key-comes-later.ndjson) continue ;; esac
  (
    make_store "log-$file"
    redo import -q "$VECTORS/log/$file" >/dev/null || fail "'$file' is refused" </dev/null
    run redo log --sort=order --reverse --format='%(id)'
    expect_status 0
    order "$file" >expected
    expect_stdout_file expected
  ) || exit
done

scene "-n and --skip choose from the newest, before --reverse turns them"
run redo log -n 3 --format='%(id)'
head -3 newest-first >expected
expect_stdout_file expected
run redo log -3 --skip 2 --format='%(id)'
sed -n 3,5p newest-first >expected
expect_stdout_file expected
run redo log -n3 --skip=2 --reverse --format='%(id)'
tac expected >turned
expect_stdout_file turned
run redo log -n 0
expect_stdout ''
run redo log --skip 100
expect_status 0
expect_stdout ''

scene "an id as a tip: what it descends from, and itself"
third=$(sed -n 3p oldest-first)
run redo log --reverse --format='%(id)' "$third"
expect_status 0
head -3 oldest-first >expected
expect_stdout_file expected
run redo log --format='%(id)' "${third:7:12}" "$third"
expect_stdout_lines 3
run redo log "sha256:$(printf '%064d' 0)"
expect_error 128 "is missing"
run redo log 0000
expect_error 128 "no object has the name '0000'"

scene "--format: all its parts"
run redo log -n 1 --format='%(id)|%(parents)|%(lamport)|%(wall)|%(author:userid)|%(author:device)|%(author:name)|%(action)|%(task)|%(data)|%(signature)%n%x41%%'
expect_stdout <<END
$NEWEST|sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097|9|2025-03-01T08:09:00.000Z|6dae71b5c0ccc74dc3632f94f5bf65a6|web-firefox||UPDATE|7a000000-0000-4000-8000-000000000001|{"fields":{"priority":4}}|64167cd87d4ecdd8d796b3613c7135656d646f105c3c6f396048693454024c4569b02215941235319471a63e8fee5f1bcc80e8fbf7e61af9918f4609e2a61a0c
A%
END
run redo log --format='%(bogus)'
expect_error 128 "bogus"
run redo log --format='%(id'
expect_status 128

scene "--json is what cat-node shows, a node a line"
run redo log --json
expect_status 0
sed 's/^sha256://' newest-first | redo cat-node --batch='%(kind)' | grep -v '^node$' | grep -v '^$' >expected
expect_stdout_file expected

scene "-z ends each change with NUL"
run redo log -z -n 2 --format='%(id)'
printf '%s\0' $(head -2 newest-first) >expected
expect_stdout_file expected
redo log -z >"$OUT"
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" "$(wc -l <newest-first)" "NULs"

scene "--pretty: a line, who and what, everything"
run redo log -n 2 --oneline
expect_stdout <<'END'
6efe54a3a03f 2025-03-01T08:09:00.000Z UPDATE 7a000000 priority 4
f402819081fe 2025-03-01T08:08:00.000Z MERGE 7a000000 priority 1, title "Water everything"
END
cp "$OUT" expected
run redo log -n 2 --pretty=oneline
expect_stdout_file expected
run redo log -n 1 --skip=1 --pretty=short
expect_stdout <<'END'
node sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
Author: f4f661eb3027a60debd2571992268d26 on ios-iphone-15

    MERGE  priority 1, title "Water everything"
END
redo log >expected
run redo log --pretty=full
expect_stdout_file expected
for words in '--pretty=medium' '--oneline --json' '--dot --svg' '--format=x --pretty=short' '--graph --reverse' '--graph -z' '--dot -z' '--svg -z' '--graph --dot' '--graph --json'; do
  # shellcheck disable=SC2086 # words
  run redo log $words
  expect_status 129
  expect_stdout ''
done

scene "--pretty=changes: the values before and after, whatever is shown of the history"
run redo log --pretty=changes -n 3 --reverse
expect_stdout <<'END'
node sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
Author: 61faca7a73ddbf407d8f40725d5b2dda on android-pixel-9
Date:   2025-03-01T08:07:00.000Z, lamport 7
Task:   7a000000-0000-4000-8000-000000000001

    UPDATE
        title "Water the plants daily" -> "Water everything"

node sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
Author: f4f661eb3027a60debd2571992268d26 on ios-iphone-15
Date:   2025-03-01T08:08:00.000Z, lamport 8
Task:   7a000000-0000-4000-8000-000000000001
Merge:  3d557e02f294 7ecfaf223491

    MERGE

node sha256:6efe54a3a03f34589527782e2294ba18cbe490a192bde83ae24e7acd033b7dfc
Author: 6dae71b5c0ccc74dc3632f94f5bf65a6 on web-firefox
Date:   2025-03-01T08:09:00.000Z, lamport 9
Task:   7a000000-0000-4000-8000-000000000001

    UPDATE
        priority 1 -> 4
END
run redo log --pretty=changes "$NEWEST" ^"$(sed -n 2p newest-first)"
expect_stdout_has "priority 1 -> 4"
expect_stdout_lines 7
run redo log --pretty=changes --action=COMPLETE_TODO --action=SNOOZE
expect_stdout_has '        todo 70d00000 deadline "2025-03-08T08:00:00.000Z" -> "2025-03-10T08:00:00.000Z"'
expect_stdout_has '        todo 70d00000 notes "done"'
(
  make_store tombstones
  redo import -q "$VECTORS/log/delete.ndjson" >/dev/null
  run redo log --pretty=changes --lamport-gt=0 --until=2025-03-01T08:05:00.000Z
  expect_stdout_has '        archived false -> true'
  expect_stdout_has '        (no effect: not-living)'
) || exit

scene "the last value that the changes of a task name is the one of its state"
if command -v python3 >/dev/null; then
  (
    make_store values
    demo 4000 | redo -c core.fsync=none import -q >/dev/null
    redo state -q >state
    redo log --pretty=changes --reverse >changes
    cat >values.py <<'END'
import json, re, sys
state = {task["guid"]: task for task in map(json.loads, open("state"))}
last, task, count = {}, None, 0
for line in open("changes"):
    if line.startswith("Task:"):
        task = line.split()[1]
    found = re.match(r" {8}(title|priority|storyPoints|archived|description) (.*)$", line)
    if found and task in state:
        name, value = found.groups()
        value = value.rsplit(" -> ", 1)[-1]
        last.setdefault(task, {})[name] = value
for guid, values in last.items():
    for name, value in values.items():
        if value.endswith("..."):
            continue
        count += 1
        if json.loads(value) != state[guid][name]:
            sys.exit(f"{guid} {name}: {value}, not {state[guid][name]!r}")
print(count)
END
    run python3 values.py
    expect_status 0
    [ "$(cat "$OUT")" -gt 500 ] || fail "too few values" <"$OUT"
  ) || exit
else
  skip "python3 is missing"
fi

scene "--graph: how the changes follow each other, beside any form"
run redo log --graph --ascii -n 6 --format='%(action)'
expect_stdout <<'END'
* UPDATE
M MERGE
|\
| * UPDATE
* | UPDATE
|/
* ARCHIVE
* COMPLETE_TODO
END
run env LC_ALL=C.UTF-8 redo log --graph --format='%(action)' --action=UPDATE --action=CREATE
expect_stdout <<'END'
◆ UPDATE
├─╮
│ ● UPDATE
● │ UPDATE
├─╯
● UPDATE
○ CREATE
END
run redo log --graph --ascii --pretty=short -n 2 --skip=1
expect_stdout <<'END'
M node sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
| Author: f4f661eb3027a60debd2571992268d26 on ios-iphone-15
|
|     MERGE  priority 1, title "Water everything"
|
* node sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
| Author: 61faca7a73ddbf407d8f40725d5b2dda on android-pixel-9
|
|     UPDATE  title "Water everything"
END

scene "--dot and --svg: each change and each parent once"
redo log --dot >"$OUT"
expect_equal "$(grep -c ' \[label=' "$OUT")" 10 "the nodes of the graph"
redo log --format='%(id) %(parents)' | awk '{ for (n = 2; n <= NF; n++) print "\"" $1 "\" -> \"" $n "\";" }' | sort >expected
grep -o '"sha256:[0-9a-f]*" -> "sha256:[0-9a-f]*";' "$OUT" | sort >edges
cmp -s expected edges || fail "the edges are others" < <(diff expected edges)
if command -v dot >/dev/null; then dot -Tcanon "$OUT" >/dev/null || fail "Graphviz does not read it" </dev/null; fi
redo log --dot --action=MERGE >"$OUT"
expect_stdout_has 'shape=hexagon'
redo log --dot -n 1 >"$OUT"
! grep -q shape=ellipse "$OUT" || fail "a change whose parents are hidden is none upon nothing" <"$OUT"
redo log --svg >"$OUT"
for id in $(redo log --format='%(id)'); do expect_stdout_has "${id:7:12}"; done
cp "$OUT" again && redo log --svg --no-cache | cmp -s - again || fail "another drawing of the same history" </dev/null
if command -v python3 >/dev/null; then
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$OUT" || fail "that is no XML" </dev/null
fi
(
  make_store nothing
  run redo log --svg
  expect_status 0
  expect_stdout_has "no changes"
  run redo log --dot
  expect_status 0
  run redo log --graph
  expect_stdout ''
) || exit

scene "what comes out goes in again: a log is a copy"
make_store copy
redo -C .. log --reverse --json | redo import -q >count
expect_equal "$(cat count)" "$(wc -l <../newest-first)" "new nodes"
run redo log --format='%(id)'
expect_stdout_file ../newest-first
cd ..

scene "a reader that has seen enough ends the log silently, by the signal"
make_store big
gzip -dc "$DEMO" | redo import -q >/dev/null
redo log --json 2>"$ERR" | head -1 >"$OUT"
codes=("${PIPESTATUS[@]}")
expect_equal "${codes[0]}" 141 "the status of redo log"
expect_stdout_lines 1
expect_stderr ''

scene "text from a node never reaches the terminal as it is"
make_store ../escapes
sed -n 1p "$VECTORS/log/linear.ndjson" |
  sed 's/"id":"[^"]*",//; s/"signature":"[^"]*",//; s/"title":"[^"]*"/"title":"a\\u001b[31mb\\nc"/' |
  redo hash-object -w --update-heads --stdin >id
run redo log
expect_status 0
! grep -q $'\033' "$OUT" || fail "an escape sequence" <"$OUT"
expect_stdout_lines 6

scene "a node that is missing or damaged is said, not passed over"
make_store ../damaged
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
id=$(a_node 3 | ids_of)
path=.redo/objects/${id:7:2}/${id:9}
mv "$path" "$path.away"
run redo log
expect_status 128
expect_stderr_has "fatal: object '$id' is missing"
head -c 50 "$path.away" >"$path"
run redo log
expect_error 128 "object '$id' is corrupt"

scene "after an import was undone, a point in time counts what is left"
make_store ../undone
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
count=$(redo log --format='%(id)' | wc -l)
demo 50 | redo import -q >/dev/null
redo reflog undo >/dev/null 2>&1
run redo log --as-of=2099-01-01 --format='%(id)'
expect_status 0
expect_stdout_lines "$count"
expect_stderr_has "as of 2099-01-01T23:59:59.999Z: $count of $count nodes, policy closed; wall has 0 more and 0 fewer"

scene "mistakes in the command line"
for words in '-n' '-n x' '-n -1' '--skip=1.5' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo log $words
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-log"
done

scene "outside of a store"
cd "$WORK" || exit
run redo log
expect_error 128 "not a redo repository (or any of the parent directories): .redo"
