#!/bin/bash
# refs-behind: a journal of refs that ends early is not taken for a shorter history, by nobody; `--repair-refs` takes in what
# is there. Where journals and marks end is worked out by journal-end.py, which shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 12
[ -n "$SOAK" ] || redo config set --user core.fsync none

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
ends() { python3 "$TESTS/Scripts/journal-end.py" "$@"; }

# 114 nodes: some in refs that were folded, and nineteen that came one by one, each a record of the journal.
redo init -q good
redo -C good key generate >"$OUT" 2>&1
demo 85 | redo -C good import -q >"$OUT"
redo -C good log --format='%(id)' | awk '{ for (i = 0; i < 10; i++) print "create tags/n" NR "-" i, $1 }' >names
redo -C good update-ref --stdin <names
for number in {1..29}; do
  redo -C good commit -q create --title="number $number" >"$OUT" || fail "a commit fails" </dev/null
done
redo -C good log --no-cache --format='%(id)' >log
redo -C good show-ref >refs
redo -C good show-ref --heads >heads
HASH=$(redo -C good state --hash)
LAST=$(ends good | cut -d ' ' -f 1)
expect_equal "$(wc -l <log)" 114 "nodes"
grep -q '^redo-refs 1 [2-9]' good/.redo/refs || fail "nothing is folded" <good/.redo/refs
fresh() { rm -rf bad && cp -r good bad && rm -rf bad/.redo/cache/*; }

scene "the received log ends with a mark of the last change"
expect_equal "$(ends good)" "$LAST $LAST" "the last change, and the mark"
run redo -C good verify
expect_status 0
expect_stdout ''

# behind <last change that is left>: readers and writers say so and end with 128, and nothing is touched.
behind() {
  local before command
  before=$(fingerprint bad)
  for command in "log" "log --no-cache" "show-ref" "state --hash" "commit -q create --title=after" "update-ref tags/x $TIP"; do
    # shellcheck disable=SC2086 # words
    run redo -C bad $command
    expect_error 128 "fatal: the refs end with change $1, but "
    expect_stderr_has "received' knows of change $LAST [refs-behind]"
    expect_stderr_has "hint: 'redo verify --repair-refs' takes in what is there of the rest; with core.fsync=none "
  done
  run redo -C bad verify
  expect_status 1
  grep -q "^error refs-behind - refs.journal the refs end with change $1, but received knows of change $LAST" "$OUT" ||
    fail "verify does not say so" < <(everything_printed)
  expect_untouched "$before" bad
}
TIP=$(head -1 log)

# repaired <last change that is left>: -n says it, then it is done, and everything is there again.
repaired() {
  local before
  before=$(fingerprint bad)
  run redo -C bad verify --repair-refs -n
  expect_status 0
  grep -q "^would-repair - refs.journal refs-behind: it ends with change $1, but others know of change $LAST; .* lost" "$OUT" ||
    fail "-n does not say so" < <(everything_printed)
  expect_stdout_has "would-repair - refs node-unreachable: $((LAST - $1)) node"
  expect_untouched "$before" bad
  sed 's/^would-repair /repaired /' "$OUT" >expected
  run redo -C bad verify --repair-refs
  expect_status 0
  expect_stdout_file expected
  whole
}
whole() {
  run redo -C bad log --no-cache --format='%(id)'
  expect_status 0
  expect_stdout_file log
  run redo -C bad show-ref
  expect_stdout_file refs
  expect_equal "$(redo -C bad state --no-cache --hash)" "$HASH" "the state"
  run redo -C bad verify
  expect_status 0
  expect_stdout ''
  run redo -C bad verify --repair-refs
  expect_stdout ''
  fits bad
  run redo -C bad commit -q create --title=after
  expect_status 0
  fits bad
}
# fits <store>: the mark is of the last change.
fits() {
  local found
  found=$(ends "$1") || fail "the files are not by redo-store(5)" </dev/null
  expect_equal "${found% *}" "${found#* }" "the mark, and the last change"
}

scene "cut to half of its length: 95 of 114 nodes are no history"
fresh
ends bad cuts >cuts
truncate -s $(($(stat -c %s bad/.redo/refs.journal) / 2)) bad/.redo/refs.journal
found=$(ends bad | cut -d ' ' -f 1)
[ "$found" -lt "$((LAST - 10))" ] || fail "less is cut off than was meant" </dev/null
behind "$found"
repaired "$found"

scene "cut at the end of each record, and inside of each"
expect_equal "$(wc -l <cuts)" $((29 * 6)) "cuts"
chosen <cuts >some
while read -r bytes found <&3; do
  fresh
  truncate -s "$bytes" bad/.redo/refs.journal
  behind "$found"
  repaired "$found"
done 3<some

scene "nobody fetches from a store that is behind, and nothing is pushed to it"
fresh
truncate -s "$(sed -n 50p cuts | cut -d ' ' -f 1)" bad/.redo/refs.journal
redo init -q elsewhere
run redo -C elsewhere fetch ../bad
[ "$STATUS" -ne 0 ] || fail "it is fetched from" < <(everything_printed)
expect_stderr_has "knows of change $LAST"
expect_equal "$(redo -C elsewhere log --format='%(id)' | wc -l)" 0 "nodes that came"
cp -r good pusher
run redo -C pusher push ../bad
[ "$STATUS" -ne 0 ] || fail "it is pushed to" < <(everything_printed)
run redo -C bad gc --grace=0 --expire-to="$PWD/expired"
[ "$STATUS" -ne 0 ] || fail "it is tidied up" < <(everything_printed)
run redo -C bad checkpoint create
expect_error 128 "knows of change $LAST"

scene "without a mark, as earlier releases left it: frames of several changes tell, those of one do not"
for left in 2 1; do
  fresh
  ends bad unmark
  # A record more than was lost is what the last one could have been.
  read -r bytes found < <(awk -v number=$((LAST - left)) '$2 == number { print; exit }' cuts)
  truncate -s "$bytes" bad/.redo/refs.journal
  run redo -C bad log --no-cache --format='%(id)'
  if [ $left -eq 2 ]; then
    expect_error 128 "the refs end with change $found, but "
    run redo -C bad verify --repair-refs
    expect_status 0
    whole
  else
    expect_status 0
    expect_stdout_lines 113
  fi
done

scene "a change that was never finished is none: nothing is said, and the next writer takes its place"
fresh
ends bad unfinished
run redo -C bad log --no-cache --format='%(id)'
expect_status 0
expect_stdout_file log
expect_stderr ''
run redo -C bad verify
expect_status 0
expect_stdout 'info file-unfinished - received 160 bytes that no change of the refs counts: a writer is at work or was stopped'
run redo -C bad verify --repair-refs
expect_status 0
expect_stdout ''
run redo -C bad commit -q create --title=after
expect_status 0
fits bad
run redo -C bad verify
expect_stdout ''

scene "a record that nothing counts is cut off, and is no reason for a refusal"
fresh
printf '@0000' >>bad/.redo/refs.journal
run redo -C bad log --no-cache --format='%(id)'
expect_status 0
expect_stdout_file log
run redo -C bad commit -q create --title=after
expect_status 0
expect_stderr_has "it was never acknowledged"
fits bad

MAIN=$LAST
copy() { rm -rf "$2" && cp -r "$1" "$2" && rm -rf "$2"/.redo/cache/*; }
# Of the last task the later change is wiped, and of the one before it all of it.
copy good wiping
KEPT=$(redo -C wiping commit -q create --title='two changes')
TASK=$(redo -C wiping log -n 1 --format='%(task)' "$KEPT")
GONE=$(redo -C wiping commit update -t "$TASK" --title='another title')
redo -C wiping update-ref tags/gone "$GONE"
ALONE=$(redo -C wiping commit -q create --title='all of a task')
redo -C wiping show-ref >wiping-refs
BEFORE=$(ends wiping | cut -d ' ' -f 1)
copy wiping wiped
awk -v gone="$GONE" -v alone="$ALONE" '$1 == gone || $1 == alone { print "-", $1, $2 }' wiping-refs >change
awk -v gone="$GONE" -v kept="$KEPT" '$1 == gone && $2 ~ /heads/ { print "+", kept, $2 }' wiping-refs >>change
expect_equal "$(wc -l <change)" 4 "lines of the change"
LAST=$(ends wiped | cut -d ' ' -f 1)
ends wiped wipe <change
ends wiped cuts | tail -n 6 >cuts
LAST=$((LAST + 1))
redo -C wiped log --no-cache --format='%(id)' >wiped-log
redo -C wiped show-ref >wiped-refs
{ cat log && echo "$KEPT"; } | sort | diff - <(sort wiped-log) >difference || fail "another history" <difference
file_of() { echo ".redo/objects/${1:7:2}/${1:9}"; }

scene "the record of a wipe is lost after nodes were removed: they stay away, whatever was cut, and the rest is there"
while read -r bytes found <&3; do
  for removed in "$GONE $ALONE" "$ALONE"; do
    copy wiped bad
    for id in $removed; do rm -f "bad/$(file_of "$id")"; done
    truncate -s "$bytes" bad/.redo/refs.journal
    TIP=$KEPT behind "$found"
    run redo -C bad verify --repair-refs -n
    expect_status 0
    expect_stdout_has "would-repair - received refs-behind: a wipe of 2 nodes is among the lost changes; they stay out of the history"
    run redo -C bad verify --repair-refs
    expect_status 0
    run redo -C bad log --no-cache --format='%(id)'
    expect_status 0
    expect_stdout_file wiped-log
    run redo -C bad show-ref
    expect_stdout_file wiped-refs
    run redo -C bad verify --repair-refs
    expect_status 0
    expect_stdout ''
    run redo -C bad verify
    [ "$STATUS" -eq 0 ] || ! grep '^error ' "$OUT" >/dev/null || fail "verify finds errors" <"$OUT"
    # Any wipe finishes what was begun.
    redo -C bad wipe -q --yes --author="$(printf %032d 0)" >"$OUT" 2>"$ERR"
    expect_equal "$(ls "bad/$(file_of "$GONE")" 2>/dev/null)" '' "the node that was left"
    fits bad
    run redo -C bad log --no-cache --format='%(id)'
    expect_stdout_file wiped-log
  done
done 3<cuts

scene "it is lost before anything was removed: nothing is out of the history, and this is said"
read -r bytes found <cuts
copy wiped bad
truncate -s "$bytes" bad/.redo/refs.journal
TIP=$KEPT behind "$found"
run redo -C bad verify --repair-refs
expect_status 0
expect_stdout_has "repaired - received refs-behind: a wipe of 2 nodes was begun, and nothing was removed; they stay in the history"
run redo -C bad show-ref
expect_stdout_file wiping-refs
run redo -C bad verify
expect_status 0
expect_stdout ''
fits bad

scene "refs and journal as they were before a whole wipe: the reflog has it, and nothing comes back"
copy good whole
redo -C whole key rotate >/dev/null 2>&1
OTHER=$(redo -C whole key show --user-id)
for number in 1 2 3; do redo -C whole commit -q create --title="of another $number" >"$OUT"; done
copy whole bad
redo -C bad wipe -q --yes --author="$OTHER" >"$OUT" 2>"$ERR" || fail "nothing is wiped" < <(everything_printed)
redo -C bad log --no-cache --format='%(id)' | diff log - >difference || fail "another history" <difference
redo -C bad show-ref >wiped-refs
cp whole/.redo/refs whole/.redo/refs.journal bad/.redo/
rm -rf bad/.redo/cache/*
run redo -C bad log
expect_status 128
expect_stderr_has "refs-behind"
run redo -C bad commit -q create --title=after
expect_status 128
run redo -C bad verify --repair-refs
expect_status 0
run redo -C bad log --no-cache --format='%(id)'
expect_status 0
expect_stdout_file log
run redo -C bad show-ref
expect_stdout_file wiped-refs
fits bad
LAST=$MAIN

scene "refs and journal as they were earlier, by a fold and more"
rm -rf bad && cp -r good old
for number in {30..33}; do redo -C good commit -q create --title="number $number" >"$OUT"; done
redo -C good update-ref --stdin < <(sed 's/^create tags/create more/' names)
for number in {34..36}; do redo -C good commit -q create --title="number $number" >"$OUT"; done
redo -C good log --no-cache --format='%(id)' >log
redo -C good show-ref >refs
HASH=$(redo -C good state --hash)
expect_equal "$(wc -l <log)" 121 "nodes"
was=$LAST LAST=$(ends good | cut -d ' ' -f 1)
fresh
cp old/.redo/refs old/.redo/refs.journal bad/.redo/
behind "$was"
run redo -C bad verify --repair-refs
expect_status 0
# The fold has left all but the last changes in the reflog.
expect_stdout_has "it ends with change $was, but others know of change $LAST; 5 changes are found in the reflog; 3 changes are lost"
whole
fresh
cp old/.redo/refs old/.redo/refs.journal old/.redo/received bad/.redo/
run redo -C bad log
expect_error 128 "reflog' knows of change $((LAST - 3))"

scene "repack, gc, wipe, and stores that recover and fetch make: the mark fits"
fresh
redo -C bad repack -q
redo -C bad gc -q >"$OUT"
fits bad
USER_ID=$(redo -C bad log -n 1 --format='%(author:userid)')
redo -C bad wipe -q --yes --author="$USER_ID" >"$OUT" 2>"$ERR" || fail "nothing is wiped" < <(everything_printed)
fits bad
run redo -C bad verify
expect_status 0
run redo -C bad commit -q create --title=after
expect_status 0
fits bad
redo -C good recover -q --to=2030-01-01 -o "$PWD/recovered" >"$OUT" 2>"$ERR" || fail "nothing is recovered" < <(everything_printed)
fits recovered
redo -C elsewhere fetch -q ../good >"$OUT" 2>"$ERR" || fail "nothing is fetched" < <(everything_printed)
fits elsewhere
