#!/bin/bash
# redo log: the history in its total order, newest first.
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

scene "the total order of the protocol, turned around; --reverse turns it back"
run redo log --format='%(id)'
expect_status 0
expect_stdout_file newest-first
run redo-log --reverse --format='%(id)'
expect_stdout_file oldest-first

scene "every log of the vectors comes out in the order of its table"
for file in $(grep -v '^#' "$VECTORS/log/EXPECTED.tsv" | cut -f 1 | sort -u); do
  # Those whose nodes are not all in their own history are for import to refuse.
  case $file in bad-lines.ndjson | missing-parent.ndjson | key-comes-later.ndjson) continue ;; esac
  (
    make_store "log-$file"
    redo import -q "$VECTORS/log/$file" >/dev/null || fail "'$file' is refused" </dev/null
    run redo log --reverse --format='%(id)'
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
