#!/bin/bash
# The ten scenarios of the cross-platform sync document, C10 to C19: what they say of the state. Platforms are
# stores; what one pushes and another pulls is a log that goes from store to store.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TASK=550e8400-e29b-41d4-a716-446655440000
OTHER=550e8400-e29b-41d4-a716-446655440001

# platforms <name>...: empty stores, each with a key of its own, in a new directory.
platforms() {
  cd "$(mktemp -d "$WORK/here/XXXXXX")" || exit
  local name
  for name in "$@"; do
    redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1 || fail "no store '$name'" </dev/null
  done
}
# on <platform> <wall, from its time on> <commit arguments>...
on() {
  local platform=$1 wall=$2
  shift 2
  run redo -C "$platform" commit -q --date="2025-11-16T${wall}Z" "$@"
  expect_status 0
}
# sync <from> <to>...: whatever the first has, the others have afterwards.
sync() {
  local from=$1 to
  shift
  for to in "$@"; do
    redo -C "$from" log --reverse --json | redo -C "$to" import -q >/dev/null 2>"$ERR" || fail "'$to' refuses" <"$ERR"
    [ ! -s "$ERR" ] || fail "'$to' complains" <"$ERR"
  done
}
# same <platform>...: they have the same state, by one line.
same() {
  local hash platform
  hash=$(redo -C "$1" state -q --hash)
  for platform in "$@"; do expect_equal "$(redo -C "$platform" state -q --hash)" "$hash" "the state on $platform"; done
}
log_of() { redo -C "$1" log --reverse --format="${2:-%(action)}" | paste -sd' '; }
state_of() { redo -C "$1" state --task=${2:-$TASK} >"$OUT" 2>"$ERR"; STATUS=$?; RUN="redo -C $1 state"; }
# every_node_good <platform>: form, hash and signature of all that it has.
every_node_good() {
  run redo -C "$1" verify --all --profile=sync
  expect_status 0
  run redo -C "$1" log --json
  ! grep -vE '"id":"sha256:[0-9a-f]{64}".*"signature":"[0-9a-f]{128}"' "$OUT" >/dev/null || fail "a form" <"$OUT"
  ! grep -vE '"userId":"[0-9a-f]{32}"' "$OUT" >/dev/null || fail "a user id" <"$OUT"
  ! grep -vE '"wall":"[-0-9]{10}T[:0-9]{8}\.[0-9]{3}Z"' "$OUT" >/dev/null || fail "a wall time" <"$OUT"
}

scene "C10, scenario 1: create on web, read on ios"
platforms web ios
on web 10:00:00.000 create -t $TASK --title='Buy groceries' --priority=3 --field-json timeEstimate=30
sync web ios
same web ios
state_of ios
expect_stdout_lines 1
expect_stdout_has '"title":"Buy groceries"'
expect_stdout_has '"priority":3'
expect_stdout_has '"fields":{"timeEstimate":30}'
expect_stdout_has '"defaulted":["description","frequencyDays","privacy","storyPoints"]'
expect_stderr ''
every_node_good ios

scene "C11, scenario 2: create, update and complete over three platforms"
platforms ios android web
on ios 10:00:00.000 create -t $TASK --title='Write tests'
sync ios android
on android 10:05:00.000 update -t $TASK --title='Write comprehensive tests'
sync android web
on web 10:10:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:10:00.000Z
sync web ios android
same ios android web
state_of ios
expect_stdout_has '"title":"Write comprehensive tests"'
expect_stdout_has '"completedAt":"2025-11-16T10:10:00.000Z"'
expect_equal "$(log_of ios '%(lamport):%(action)')" "1:CREATE 2:UPDATE 3:COMPLETE" "the log"
expect_equal "$(redo -C ios log --reverse --format='%(parents)' | sed -n 2,3p)" \
  "$(redo -C ios log --reverse --format='%(id)' | sed -n 1,2p)" "the chain of parents"

scene "C12, scenario 3: an offline conflict, and its merge"
platforms ios android
on ios 09:00:00.000 create -t $TASK --title='Plan meeting'
for minute in 1 2 3 4 5 6 7 8 9; do on ios 09:0$minute:00.000 update -t $TASK --description="draft $minute"; done
sync ios android
on ios 10:00:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:00:00.000Z
on android 10:00:01.000 update -t $TASK --priority=1
sync ios android
expect_equal "$(redo -C android log -n 2 --format='%(lamport)' | paste -sd' ')" "11 11" "two heads, equal clocks"
before=$(redo -C android state | sed 's/"lastUpdated":"[^"]*",//')
run redo -C android merge --check
expect_status 1
expect_stdout_has '"heads":["'
run redo -C android merge --task=$TASK --date=2025-11-16T10:30:00.000Z
expect_status 0
expect_equal "$(redo -C android log -n 1 --format='%(data)')" \
  '{"conflictResolution":{"preservedFields":["completedAt","priority"],"source":"automatic","strategy":"union"},"fields":{"completedAt":"2025-11-16T10:00:00.000Z","priority":1}}' "what the merge says"
expect_equal "$(redo -C android log -n 1 --format='%(lamport) %(action)')" "12 MERGE" "the merge"
expect_equal "$(redo -C android log -n 1 --format='%(parents)' | wc -w)" 2 "parents of the merge"
expect_equal "$(redo -C android state | sed 's/"lastUpdated":"[^"]*",//')" "$before" "before and after the merge"
sync android ios
same ios android
state_of ios
expect_stdout_has '"completedAt":"2025-11-16T10:00:00.000Z"'
expect_stdout_has '"priority":1'
expect_stdout_has '"description":"draft 9"'
expect_equal "$(redo -C ios log -n 1 --format='%(action)')" "MERGE" "the log of ios"
run redo -C ios merge --check
expect_status 0

scene "C13, scenario 4: changes in quick succession"
platforms web ios android cli
todo=11111111-2222-4333-8444-555555555555
on web 10:00:00.000 create -t $TASK --title=Quick
sync web ios
on ios 10:00:00.100 update -t $TASK --priority=2
sync ios android
on android 10:00:00.200 --action=ADD_TODO -t $TASK --field todoTaskId=$todo --field title=one
sync android cli
on cli 10:00:00.300 complete-todo -t $TASK --todo=$todo --completed=2025-11-16T10:00:00.300Z
sync cli web
on web 10:00:00.400 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:00:00.400Z
sync web ios android cli
same web ios android cli
for platform in web ios android cli; do
  expect_equal "$(log_of $platform '%(lamport):%(action)')" \
    "1:CREATE 2:UPDATE 3:ADD_TODO 4:COMPLETE_TODO 5:COMPLETE" "the log of $platform"
  expect_equal "$(redo -C $platform log -n 4 --format='%(parents)' | wc -w)" 4 "one parent each"
done
redo -C ios log --reverse --format='%(wall)' >walls
sort -uc walls || fail "walls do not increase" <walls
state_of ios
expect_stdout_has '"completedAt":"2025-11-16T10:00:00.400Z"'
expect_stdout_has '"completed":"2025-11-16T10:00:00.300Z"'
# The best of some runs: what else the machine does is not the state's time.
best=1000000
for _ in 1 2 3 4 5 6 7 8 9 10; do
  start=${EPOCHREALTIME/./}
  redo -C ios state >/dev/null
  took=$((${EPOCHREALTIME/./} - start))
  [ $took -ge $best ] || best=$took
done
[ $best -lt 100000 ] || fail "the state takes $best microseconds" </dev/null

scene "C14, scenario 5: 500 tasks, 250 of them completed, into an empty store"
platforms web ios
for number in $(seq 500); do
  task=$(printf '550e8400-e29b-41d4-a716-%012d' "$number")
  printf '{"action":"CREATE","taskId":"%s","fields":{"title":"Task %d","priority":%d,"timeEstimate":15}}\n' \
    "$task" "$number" $((number % 5 + 1))
  [ $((number % 2)) -eq 0 ] ||
    printf '{"action":"COMPLETE","taskId":"%s","fields":{"completedAt":"2025-11-16T10:00:00.000Z"}}\n' "$task"
done >changes
redo -C web commit -q --stdin <changes >/dev/null || fail "the changes are refused" </dev/null
redo -C web log --reverse --json >log
expect_equal "$(wc -l <log)" 750 "nodes"
start=${EPOCHREALTIME%.*}
for first in $(seq 1 10 750); do
  sed -n "$first,$((first + 9))p" log | redo -C ios import -q >/dev/null || fail "a batch is refused" </dev/null
done
redo -C ios import -q <log >again
[ $((${EPOCHREALTIME%.*} - start)) -lt 60 ] || fail "it takes too long" </dev/null
expect_equal "$(cat again)" 0 "new nodes the second time"
expect_equal "$(redo -C ios log --format='%(id)' | sort -u | wc -l)" 750 "nodes without duplicates"
run redo -C ios state
expect_stdout_lines 500
expect_equal "$(grep -c '"completedAt"' "$OUT")" 250 "completed tasks"
same web ios
kib=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' redo -C ios state)
[ "$kib" -lt 51200 ] || fail "the state takes $kib KiB" </dev/null

scene "C15, scenario 6: characters of all kinds through three stores"
platforms ios web android
on ios 10:00:00.000 create -t $TASK --title='Test émojis 🚀 & symbols: @#$%^&*()' \
  --description=$'Multi-line\nwith\ttabs\nand "quotes"'
on ios 10:01:00.000 create -t $OTHER --title="$(printf 'A%.0s' $(seq 200))" --description="$(printf 'B%.0s' $(seq 5000))" \
  --priority=5 --field-json timeEstimate=9999 \
  --field-json tags="[$(seq -s, -f '"tag%.0f"' 50)]"
sync ios web
sync web android
same ios web android
expect_equal "$(log_of android '%(id)')" "$(log_of ios '%(id)')" "the ids"
state_of android
expect_stdout_has '"title":"Test émojis 🚀 & symbols: @#$%^&*()"'
expect_stdout_has '"description":"Multi-line\nwith\ttabs\nand \"quotes\""'
state_of android $OTHER
expect_equal "$(grep -o '"tag[0-9]*"' "$OUT" | wc -l)" 50 tags
expect_equal "$(grep -o 'B*' "$OUT" | awk '{ if (length > n) n = length } END { print n }')" 5000 "the description"
every_node_good android

scene "C16, scenario 7: a node whose parents were broken is refused, and nothing else suffers"
platforms ios android
on ios 10:00:00.000 create -t $TASK --title='Task'
on ios 10:01:00.000 update -t $TASK --title='Task, changed'
on ios 10:02:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:02:00.000Z
sync ios android
before=$(redo -C ios state --hash)
nowhere=sha256:$(printf 'f%.0s' $(seq 64))
redo -C android log -n 1 --json | sed -E "s/\"parents\":\[[^]]*\]/\"parents\":[\"$nowhere\"]/" >edited
run redo -C ios import -q ../edited
expect_status 1
expect_stderr_has "hash-mismatch"
# With an id that fits: then it is the parent that is not there.
sed -E 's/"id":"[^"]*",//; s/,"signature":"[^"]*"//; s/"signature":"[^"]*",//' edited >unsigned
id=$(redo hash-object --stdin <unsigned)
sed "s/^{/{\"id\":\"$id\",/" unsigned >consistent
redo -C android commit -q create -t $OTHER --title=Sibling >/dev/null
redo -C android log --json | grep Sibling >sibling
cat consistent sibling >both
run redo -C ios import -q ../both
expect_status 1
expect_stderr_has "$nowhere"
expect_equal "$(log_of ios)" "CREATE UPDATE COMPLETE" "the log"
expect_equal "$(redo -C ios state --hash)" "$before" "the state"
run redo -C ios import -q --salvage ../both
expect_stderr_has "parent-missing"
expect_equal "$(log_of ios | wc -w)" 4 "three nodes and the sibling"
run redo -C ios state
expect_stdout_lines 2
expect_clean ios

scene "C17, scenario 8: two tasks made at the same instant"
platforms ios android
on ios 10:00:00.000 create -t $TASK --title='Task A'
on android 10:00:00.000 create -t $OTHER --title='Task B'
sync ios android
sync android ios
same ios android
expect_equal "$(redo -C ios state | wc -l)" 2 tasks
expect_equal "$(log_of ios '%(id)')" "$(log_of android '%(id)')" "the order"
redo -C ios log --reverse --format='%(id)' >ids
sort -c ids || fail "equal clocks are not ordered by id" <ids
expect_equal "$(log_of ios)" "CREATE CREATE" "no merge"
# Two devices that make the same task: the first in order counts, and both agree which.
platforms ios android
on ios 10:00:00.000 create -t $TASK --title='From ios'
on android 10:00:00.000 create -t $TASK --title='From android'
sync ios android
sync android ios
same ios android
run redo -C ios state --skips
expect_stdout_has "$(redo -C ios log -n 1 --format='%(id)') create-duplicate CREATE $TASK -"

scene "C18, scenario 9: what arrives in pieces, and twice, comes to the same state"
platforms web ios
for number in $(seq 100); do
  printf '{"action":"CREATE","taskId":"550e8400-e29b-41d4-a716-%012d","fields":{"title":"Task %d"}}\n' "$number" "$number"
done | redo -C web commit -q --stdin >/dev/null
redo -C web log --reverse --json >log
# The stream breaks off in the middle of node 51: nothing of it is taken, and what is whole on demand.
{ head -n 50 log; sed -n 51p log | head -c 200; } >torn
run redo -C ios import -q ../torn
expect_error 128 "json-syntax at byte"
expect_equal "$(redo -C ios state | wc -l)" 0 "tasks of a torn stream"
run redo -C ios import -q --salvage ../torn
expect_equal "$(redo -C ios state | wc -l)" 50 "tasks of what was whole"
redo -C ios import -q <log >new
expect_equal "$(cat new)" 50 "new nodes when it is sent again"
expect_equal "$(redo -C ios log --format='%(id)' | sort -u | wc -l)" 100 "nodes without duplicates"
same web ios

scene "C19, scenario 10: the full round"
platforms ios web android cli
on ios 10:00:00.000 create -t $TASK --title='Round-trip test' --field-json 'todos=[{"title":"one"},{"title":"two"},{"title":"three"}]'
sync ios web
state_of web
first=$(grep -o '"guid":"[^"]*","notes"' "$OUT" | head -1 | cut -d'"' -f4)
on web 10:01:00.000 complete-todo -t $TASK --todo="$first" --completed=2025-11-16T10:01:00.000Z
sync web android
state_of android
expect_equal "$(grep -o '"completed":"' "$OUT" | wc -l)" 1 "completed todos"
on android 10:02:00.000 --action=ADD_TODO -t $TASK --field todoTaskId=$OTHER --field title='Final step'
sync android cli
state_of cli
expect_equal "$(grep -o '"redoParentGuid"' "$OUT" | wc -l)" 4 todos
on cli 10:03:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:03:00.000Z
sync cli ios web android
same ios web android cli
expect_equal "$(log_of ios '%(lamport):%(action)')" "1:CREATE 2:COMPLETE_TODO 3:ADD_TODO 4:COMPLETE" "the log"
expect_equal "$(redo -C ios log --format='%(parents)' -n 3 | tac)" \
  "$(redo -C ios log --reverse --format='%(id)' | sed -n 1,3p)" "the chain of parents"
state_of ios
expect_stdout_has '"completedAt":"2025-11-16T10:03:00.000Z"'
expect_equal "$(grep -o '"fields":{"title":"[^"]*"}' "$OUT" | cut -d'"' -f6 | paste -sd,)" "one,two,three,Final step" todos
expect_stdout_has "\"todoTasks\":[{\"completed\":\"2025-11-16T10:01:00.000Z\""
expect_equal "$(grep -o '"completed":"' "$OUT" | wc -l)" 1 "completed todos: COMPLETE leaves the others alone"
# As it was at any time of the day.
expect_equal "$(redo -C cli state -q --as-of=2025-11-16T10:01:30Z | grep -o '"redoParentGuid"' | wc -l)" 3 "todos at 10:01:30"
for platform in ios web android cli; do every_node_good $platform; done
