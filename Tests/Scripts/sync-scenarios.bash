# The ten scenarios of the cross-platform sync document, C10 to C19, between stores that talk to each other: a
# platform is a store with a key, what it pushes and pulls goes over a server by the transport of TRANSPORT.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
if [ "$TRANSPORT" = firestore ]; then
  . "$TESTS/Scripts/firestore.bash"
  . "$TESTS/Scripts/firestore-trouble.bash"
else
  . "$TESTS/Scripts/sync-trouble.bash"
fi

# hand <from> <to>...: the first pushes, the others pull; nobody has to say anything.
hand() {
  local from=$1 to
  shift
  push "$from"
  for to; do pull "$to"; done
}

scene "C10, scenario 1: create on web, read on ios"
platforms web ios
on web 10:00:00.000 create -t $TASK --title='Buy groceries' --priority=3 --field-json timeEstimate=30
hand web ios
same web ios server
expect_equal "$(redo -C ios state | wc -l)" 1 tasks
state_of ios
expect_stdout_has '"title":"Buy groceries"'
expect_stdout_has '"priority":3'
expect_stdout_has '"fields":{"timeEstimate":30}'
expect_stderr ''
expect_equal "$(ids ios)" "$(redo -C web log --json | redo hash-object --ndjson | cut -d' ' -f1)" "the hash, computed again"
every_node_good ios

scene "C11, scenario 2: create, update and complete over three platforms"
platforms ios android web
on ios 10:00:00.000 create -t $TASK --title='Write tests'
hand ios android
expect_equal "$(redo -C android state | wc -l)" 1 "tasks on android"
on android 10:05:00.000 update -t $TASK --title='Write comprehensive tests'
hand android web
state_of web
expect_stdout_has '"title":"Write comprehensive tests"'
on web 10:10:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:10:00.000Z
hand web ios android
same ios android web server
state_of ios
expect_stdout_has '"title":"Write comprehensive tests"'
expect_stdout_has '"completedAt":"2025-11-16T10:10:00.000Z"'
expect_equal "$(count ios)" 3 nodes
expect_equal "$(log_of ios '%(lamport):%(action)')" "1:CREATE 2:UPDATE 3:COMPLETE" "the log"
expect_equal "$(redo -C ios log --reverse --format='%(parents)' | sed -n 2,3p)" "$(ids ios | sed -n 1,2p)" \
  "the chain of parents"

scene "C12, scenario 3: an offline conflict, and its merge"
platforms ios android
on ios 09:00:00.000 create -t $TASK --title='Plan meeting'
for minute in 1 2 3 4 5 6 7 8 9; do on ios 09:0$minute:00.000 update -t $TASK --description="draft $minute"; done
hand ios android
on ios 10:00:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:00:00.000Z
mine=$(cat "$OUT")
on android 10:00:01.000 update -t $TASK --priority=1
theirs=$(cat "$OUT")
push ios
run redo -C android fetch
expect_status 0
expect_stderr_has "1 task has diverged"
run redo -C android merge --check
expect_status 1
expect_equal "$(redo -C android log -n 2 --format='%(lamport)' | paste -sd' ')" "11 11" "two heads, equal clocks"
run redo -C android sync -q --merge --json
expect_status 0
expect_equal "$(json 'len(d["merged"])')" 1 "merges"
expect_equal "$(redo -C android log -n 1 --format='%(lamport) %(action)')" "12 MERGE" "the merge"
expect_equal "$(redo -C android log -n 1 --format='%(parents)' | tr ' ' '\n' | sort)" "$(printf '%s\n' "$mine" "$theirs" | sort)" \
  "parents of the merge"
pull ios
same ios android server
state_of ios
expect_stdout_has '"completedAt":"2025-11-16T10:00:00.000Z"'
expect_stdout_has '"priority":1'
expect_equal "$(redo -C ios log -n 1 --format='%(action)')" "MERGE" "the log of ios"
run redo -C ios merge --check
expect_status 0

scene "C13, scenario 4: changes in quick succession"
platforms web ios android cli
todo=11111111-2222-4333-8444-555555555555
on web 10:00:00.000 create -t $TASK --title=Quick
hand web ios
on ios 10:00:00.100 update -t $TASK --priority=2
hand ios android
on android 10:00:00.200 --action=ADD_TODO -t $TASK --field todoTaskId=$todo --field title=one
hand android cli
on cli 10:00:00.300 complete-todo -t $TASK --todo=$todo --completed=2025-11-16T10:00:00.300Z
hand cli web
on web 10:00:00.400 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:00:00.400Z
hand web ios android cli
same web ios android cli server
for platform in web ios android cli; do
  expect_equal "$(log_of $platform '%(lamport):%(action)')" \
    "1:CREATE 2:UPDATE 3:ADD_TODO 4:COMPLETE_TODO 5:COMPLETE" "the log of $platform"
  expect_equal "$(redo -C $platform log -n 4 --format='%(parents)' | wc -w)" 4 "one parent each"
  expect_equal "$(count $platform)" 5 "nodes of $platform"
  redo -C $platform log --reverse --format='%(wall)' >walls
  sort -uc walls || fail "walls do not increase" <walls
  run redo -C $platform quarantine list
  expect_stdout ''
  state_of $platform
  expect_stdout_has '"completedAt":"2025-11-16T10:00:00.400Z"'
  expect_stdout_has '"completed":"2025-11-16T10:00:00.300Z"'
done
# What it costs the processor, which is not what it takes beside other programs.
best=$(python3 -c 'import resource, subprocess, sys
def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
costs = []
for _ in range(10):
    start = spent()
    subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
    costs.append(spent() - start)
print(round(min(costs) * 1_000_000))' redo -C ios state) || fail "there is no state" </dev/null
echo "# the state in $best microseconds"
[ "$best" -lt 100000 ] || fail "the state takes $best microseconds" </dev/null

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
push web
expect_equal "$(count server)" 750 "nodes of the server, without duplicates"
# Memory in KiB and seconds of the processor of a fetch.
python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_maxrss, int(usage.ru_utime + usage.ru_stime))' \
  redo -C ios fetch -q >cost || fail "the fetch fails" </dev/null
read -r kib seconds <cost
echo "# 750 nodes in $seconds s, $kib KiB"
[ "$seconds" -lt 10 ] || fail "it takes $seconds seconds" </dev/null
[ "$kib" -lt 51200 ] || fail "it takes $kib KiB" </dev/null
expect_equal "$(count ios)" 750 nodes
run redo -C ios fetch -q --json
# A Firestore is asked for two numbers.
trips=1
[ "$TRANSPORT" != firestore ] || trips=2
expect_equal "$(json 'd["fetched"], d["roundTrips"]')" "([], $trips)" "the second time"
run redo -C ios state
expect_stdout_lines 500
expect_equal "$(grep -c '"completedAt"' "$OUT")" 250 "completed tasks"
same web ios server
every_node_good ios

scene "C15, scenario 6: characters of all kinds through three stores"
platforms ios web android
on ios 10:00:00.000 create -t $TASK --title='Test émojis 🚀 & symbols: @#$%^&*()' \
  --description=$'Multi-line\nwith\ttabs\nand "quotes"'
on ios 10:01:00.000 create -t $OTHER --title="$(printf 'A%.0s' $(seq 200))" --description="$(printf 'B%.0s' $(seq 5000))" \
  --priority=5 --field-json timeEstimate=9999 --field-json tags="[$(seq -s, -f '"tag%.0f"' 50)]"
hand ios web android
same ios web android server
for platform in web android server; do
  expect_equal "$(ids $platform)" "$(ids ios)" "the ids on $platform"
  cmp -s <(redo -C ios log --json) <(redo -C $platform log --json) || fail "other bytes on $platform" </dev/null
done
state_of web
expect_stdout_has '"title":"Test émojis 🚀 & symbols: @#$%^&*()"'
state_of android
expect_stdout_has '"description":"Multi-line\nwith\ttabs\nand \"quotes\""'
state_of android $OTHER
expect_equal "$(grep -o '"tag[0-9]*"' "$OUT" | wc -l)" 50 tags
every_node_good android

broken_node

scene "C17, scenario 8: two tasks made at the same instant"
platforms ios android
on ios 10:00:00.000 create -t $TASK --title='Task A'
on android 10:00:00.000 create -t $OTHER --title='Task B'
redo -C ios push -q &
redo -C android push -q || fail "android cannot push" </dev/null
wait $! || fail "ios cannot push" </dev/null
pull ios
pull android
same ios android server
for platform in ios android; do
  expect_equal "$(redo -C $platform state | wc -l)" 2 "tasks on $platform"
  expect_equal "$(log_of $platform)" "CREATE CREATE" "no merge on $platform"
  ids $platform >ids
  sort -c ids || fail "equal clocks are not ordered by id" <ids
done
expect_equal "$(ids ios)" "$(ids android)" "the order"
run redo -C ios merge --check
expect_status 0

broken_connection

scene "C19, scenario 10: the full round"
platforms ios web android cli
on ios 10:00:00.000 create -t $TASK --title='Round-trip test' --field-json 'todos=[{"title":"one"},{"title":"two"},{"title":"three"}]'
hand ios web
state_of web
first=$(grep -o '"guid":"[^"]*","notes"' "$OUT" | head -1 | cut -d'"' -f4)
on web 10:01:00.000 complete-todo -t $TASK --todo="$first" --completed=2025-11-16T10:01:00.000Z
hand web android
state_of android
expect_equal "$(grep -o '"completed":"' "$OUT" | wc -l)" 1 "completed todos"
on android 10:02:00.000 --action=ADD_TODO -t $TASK --field todoTaskId=$OTHER --field title='Final step'
hand android cli
state_of cli
expect_equal "$(grep -o '"redoParentGuid"' "$OUT" | wc -l)" 4 todos
on cli 10:03:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:03:00.000Z
hand cli ios web android
same ios web android cli server
expect_equal "$(log_of ios '%(lamport):%(action)')" "1:CREATE 2:COMPLETE_TODO 3:ADD_TODO 4:COMPLETE" "the log"
expect_equal "$(redo -C ios log --format='%(parents)' -n 3 | tac)" "$(ids ios | sed -n 1,3p)" "the chain of parents"
state_of ios
expect_stdout_has '"completedAt":"2025-11-16T10:03:00.000Z"'
expect_equal "$(grep -o '"fields":{"title":"[^"]*"}' "$OUT" | cut -d'"' -f6 | paste -sd,)" "one,two,three,Final step" todos
expect_stdout_has "\"todoTasks\":[{\"completed\":\"2025-11-16T10:01:00.000Z\""
expect_equal "$(grep -o '"completed":"' "$OUT" | wc -l)" 1 "completed todos: COMPLETE leaves the others alone"
for platform in ios web android cli; do every_node_good $platform; done
