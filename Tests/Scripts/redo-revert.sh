#!/bin/bash
# redo revert: a new change restores the values before another.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-000000000001
D=7b000000-0000-4000-8000-000000000001
second=0
# does <store> <commit arguments>...: the id of the new change is in ID.
does() {
  local store=$1
  shift
  second=$((second + 1))
  ID=$(redo -C "$store" commit -q --date="2025-03-01T08:00:$(printf %02d $second).000Z" "$@" 2>"$ERR") || fail "redo commit fails" <"$ERR"
}
sync() { redo -C "$1" log --json | redo -C "$2" import -q >/dev/null 2>"$ERR" || fail "'$2' refuses" <"$ERR"; }
state() { redo -C "$1" state -q | sed 's/"lastUpdated":"[^"]*",//; s/"defaulted":\[[^]]*\],//'; }
stores() {
  cd "$(mktemp -d "$WORK/here/XXXXXX")" || exit
  second=0
  for name; do redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1; done
}
task() {
  stores a b
  does a create -t $T --title=Water --field-json 'tags=["x"]'
  CREATE=$ID
  does a create-todo -t $T --todo=$D --deadline=2025-03-02T08:00:00.000Z
  TODO=$ID
}
# restores <what the new change says> <commit arguments>...: the state after a revert is the one before the change.
restores() {
  local says=$1
  shift
  task
  state a >before
  does a "$@"
  state a >changed
  ! cmp -s before changed || fail "the change changes nothing" </dev/null
  run redo -C a revert --format='%(action) %(data)' "$ID"
  expect_status 0
  expect_stderr ''
  expect_stdout "$says"
  state a >"$OUT"
  expect_stdout_file before
  run redo -C a verify --all --profile=sync
  expect_status 0
}

scene "each kind of change that can be undone, and by what"
restores 'UPDATE {"fields":{"priority":3,"title":"Water"}}' update -t $T --title=Wine --priority=5
restores 'UPDATE {"fields":{"tags":["x"]}}' update -t $T --field-json 'tags=["y","z"]'
restores 'UPDATE {"fields":{"description":"","frequencyDays":0,"privacy":false,"storyPoints":1}}' \
  update -t $T --description=d --frequency-days=7 --private --story-points=5
restores 'UNARCHIVE {"fields":{}}' archive -t $T
restores 'SNOOZE {"fields":{"newDeadline":"2025-03-02T08:00:00.000Z","todoTaskId":"'$D'"}}' snooze -t $T --todo=$D --days=2

scene "what replaced a value can be undone, even where the first could not"
task
does a --action=COMPLETE -t $T --field completedAt=2025-03-01T10:00:00.000Z
does a complete-todo -t $T --todo=$D --completed=2025-03-01T11:00:00.000Z
does a archive -t $T
state a >before
does a unarchive -t $T
archival=$ID
does a --action=COMPLETE -t $T --field completedAt=2025-03-02T10:00:00.000Z
completion=$ID
does a complete-todo -t $T --todo=$D --completed=2025-03-02T11:00:00.000Z
for id in $ID $completion $archival; do
  run redo -C a revert --format='%(action)' "$id"
  expect_status 0
done
state a >"$OUT"
expect_stdout_file before

scene "a CREATE is undone by a DELETE, unless the task was changed since"
stores a
does a create -t $T --title=Water
run redo -C a revert --format='%(action)' "$ID"
expect_stdout DELETE
run redo -C a state
expect_stdout ''
task
run redo -C a revert "$CREATE"
expect_status 1
expect_stdout ''
expect_stderr "error: the task was changed again by '$TODO'
hint: '--force' restores the values before the change all the same"

scene "revert-impossible: what no action can undo is refused as a whole"
impossible() {
  local what=$1
  shift
  task
  does a "$@"
  before=$(fingerprint a)
  run redo -C a revert "$ID"
  expect_status 1
  expect_stdout ''
  expect_stderr "error: revert-impossible: no action takes back $what"
  run redo -C a revert --force "$ID"
  expect_status 1
  expect_untouched "$before" a
}
impossible 'a completion' --action=COMPLETE -t $T --field completedAt=2025-03-01T10:00:00.000Z
impossible 'a completion' complete-todo -t $T --todo=$D --completed=2025-03-01T10:00:00.000Z
impossible 'a completion, nor appended notes' complete-todo -t $T --todo=$D --completed=2025-03-01T10:00:00.000Z --notes=n
impossible 'appended notes' snooze -t $T --todo=$D --days=1 --notes=n
impossible "the first value of 'colour'" update -t $T --title=x --field colour=red
impossible 'the making of a todo' create-todo -t $T
impossible 'a DELETE' delete -t $T

scene "a member that was written again is not overwritten, unless that is asked for"
task
does a update -t $T --title=Wine --priority=5
first=$ID
does a update -t $T --title=Beer
run redo -C a revert "$first"
expect_status 1
expect_stderr "error: 'title' was changed again by '$ID'
hint: '--force' restores the values before the change all the same"
run redo -C a revert -f --format='%(data)' "$first"
expect_status 0
expect_stdout '{"fields":{"priority":3,"title":"Water"}}'
run redo -C a state
expect_stdout_has '"title":"Water"'

scene "other members do not stand in the way, nor what came before"
task
does a update -t $T --title=Wine
first=$ID
does a update -t $T --priority=5
run redo -C a revert "$first" --quiet
expect_status 0
run redo -C a state
expect_stdout_has '"priority":5'
expect_stdout_has '"title":"Water"'

scene "after a sync: the change of another device, beside branches of our own"
task
sync a b
does b update -t $T --title=Wine
theirs=$ID
does a update -t $T --priority=5
sync b a
run redo -C a revert --format='%(data) %(parents)' "$theirs"
expect_status 0
expect_stdout_has '{"fields":{"title":"Water"}}'
expect_equal "$(wc -w <"$OUT")" 3 "a content and two parents"
sync a b
expect_equal "$(redo -C b state --hash)" "$(redo -C a state --hash)" "the states"
run redo -C b state
expect_stdout_has '"title":"Water"'
expect_stdout_has '"priority":5'

scene "a change without effect has nothing to restore"
task
does a update -t $T --title=Water
run redo -C a revert "$ID"
expect_status 1
expect_stderr "error: '$ID' changed nothing, so there is nothing to revert"
does a snooze -t $T --todo=7b000000-0000-4000-8000-00000000000f --days=1
run redo -C a revert "$ID"
expect_status 1
expect_stderr_has "error: "

scene "-n writes nothing; a merge that decided members is undone, too"
task
does a update -t $T --title=Wine
before=$(fingerprint a)
run redo -C a revert -n --format='%(data)' "$ID"
expect_status 0
expect_stdout '{"fields":{"title":"Water"}}'
expect_untouched "$before" a
sync a b
does a update -t $T --priority=5
does b update -t $T --priority=1
sync b a
state a >before
redo -C a merge -t $T --resolve-json priority=2 >id
run redo -C a revert --format='%(data)' "$(cat id)"
expect_status 0
expect_stdout '{"fields":{"priority":1}}'
state a >"$OUT"
expect_stdout_file before

scene "an unknown member with the name of another is what it is"
task
does a --action=UPDATE -t $T --field completedAt=2025-01-01T00:00:00.000Z
does a --action=UPDATE -t $T --field completedAt=2026-01-01T00:00:00.000Z
run redo -C a revert --format='%(action) %(data)' "$ID"
expect_stdout 'UPDATE {"fields":{"completedAt":"2025-01-01T00:00:00.000Z"}}'

scene "what has no effect does not stand in the way"
task
does a update -t $T --title=Wine
first=$ID
redo -C a hash-object -w --update-heads --stdin >/dev/null <<END || fail "no node" </dev/null
{"action":"CREATE","author":{"deviceId":"d","userId":"$(printf %032d 0)"},"data":{"fields":{"title":"Twice"}},"parents":["$first"],"taskId":"$T","timestamp":{"lamport":4,"wall":"2025-03-01T09:00:00.000Z"},"version":1}
END
run redo -C a revert --format='%(data)' "$first"
expect_status 0
expect_stdout '{"fields":{"title":"Water"}}'

scene "in a deleted task"
task
does a update -t $T --title=Wine
first=$ID
does a delete -t $T
run redo -C a revert "$first"
expect_error 128 "task '$T' is deleted"

scene "refusals"
task
run redo -C a revert
expect_status 129
run redo -C a revert "$T" "$T"
expect_status 129
run redo -C a revert 0000000
expect_error 128 "no object has the name '0000000'"
loose=$(redo -C a hash-object -w --stdin <"$VECTORS/log/one-node.ndjson")
run redo -C a revert "$loose"
expect_error 128 "'$loose' is not in the history"
