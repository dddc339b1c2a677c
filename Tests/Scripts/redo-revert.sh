#!/bin/bash
# redo revert: a new change restores the values before another.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

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
expect_stderr "error: task '$T' was changed again by '$TODO'
hint: 'redo revert --force' restores the values before the change all the same"

scene "revert-impossible: what no action can take back"
impossible() {
  local what=$1
  shift
  task
  does a "$@"
  before=$(fingerprint a)
  run redo -C a revert "$ID"
  expect_status 1
  expect_stdout ''
  expect_stderr "error: revert-impossible: no action takes back $T $what"
  run redo -C a revert --force "$ID"
  expect_status 1
  expect_untouched "$before" a
}
impossible 'completedAt "2025-03-01T10:00:00.000Z" -> none (first-completion)' --action=COMPLETE -t $T --field completedAt=2025-03-01T10:00:00.000Z
impossible 'colour "red" -> none (first-value)' update -t $T --field colour=red
impossible "todo 7b000000-0000-4000-8000-000000000002 (todo-added)" --action=CREATE_TODO -t $T --field todoTaskId=7b000000-0000-4000-8000-000000000002

scene "what can be taken back is, the rest is listed, and the status is 1"
# partly <what the new change says> <what is listed> <commit arguments>...
partly() {
  local says=$1 listed=$2
  shift 2
  task
  does a "$@"
  run redo -C a revert --format='%(action) %(data)' "$ID"
  expect_status 1
  expect_stdout "$says"
  expect_stderr "warning: cannot take back $T $listed"
}
partly 'UPDATE {"fields":{"title":"Water"}}' 'colour "red" -> none (first-value)' update -t $T --title=x --field colour=red
partly 'SNOOZE {"fields":{"newDeadline":"2025-03-02T08:00:00.000Z","todoTaskId":"'$D'"}}' \
  "todo $D notes \"n\" -> \"\" (appended-notes)" snooze -t $T --todo=$D --days=1 --notes=n

scene "a todo that was completed comes back as a new one, the same on every device, and only once"
task
sync a b
does a complete-todo -t $T --todo=$D --completed=2025-03-01T10:00:00.000Z
again=$(printf '%s' "$T/$D/again" | sha256sum | cut -c1-32 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/')
sync a b
for store in a b; do
  run redo -C $store revert --format='%(action) %(data)' "$ID"
  expect_status 1
  expect_stdout 'CREATE_TODO {"fields":{"deadline":"2025-03-02T08:00:00.000Z","todoTaskId":"'"$again"'"}}'
  expect_stderr "warning: cannot take back $T todo $D completed \"2025-03-01T10:00:00.000Z\" -> none (todo-replaced, in its place $again)"
done
sync a b
sync b a
expect_equal "$(redo -C b state --hash)" "$(redo -C a state --hash)" "the states"
run redo -C a state
expect_equal "$(grep -o "\"guid\":\"$again\"" "$OUT" | wc -l)" 1 "the todos in its place"
run redo -C a revert "$ID"
expect_status 1
expect_stdout ''
expect_stderr_has "error: revert-impossible: "

scene "a DELETE is taken back by a change beside it, which brings the task back everywhere"
task
sync a b
state a >before
does b delete -t $T
DELETE=$ID
parents=$(redo -C b log --format='%(parents)' -n 1 "$DELETE")
sync b a
run redo -C a state
expect_stdout ''
run redo -C a revert --format='%(action) %(data) %(parents)' "$DELETE"
expect_status 0
expect_stderr ''
expect_stdout "UPDATE {\"fields\":{\"title\":\"Water\"}} $parents"
sync a b
for store in a b; do
  state $store >"$OUT"
  expect_stdout_file before
  run redo -C $store verify --all --profile=sync
  expect_status 0
done
does b update -t $T --priority=5
sync b a
run redo -C a state
expect_stdout_has '"priority":5'

scene "several at once: by name, by range, by who wrote them with which key on which device and when"
stores home phone
does home create -t $T --title=Water
MADE=$ID
sync home phone
does phone update -t $T --title=Wine
ONE=$ID
does phone update -t $T --priority=5
TWO=$ID
does phone create -t 7c000000-0000-4000-8000-000000000003 --title=Spam
SPAM=$ID
does phone delete -t $T
LAST=$ID
sync phone home
KEY=$(redo -C phone key show --public)
DEVICE=$(redo -C phone log --json -n 1 | grep -o '"deviceId":"[^"]*"' | cut -d'"' -f4)
run redo -C home state
expect_stdout_has '"title":"Spam"'
cp -r home kept
# takes <what is in the state> <options and revisions>...
takes() {
  local has=$1
  shift
  rm -rf home && cp -r kept home
  run redo -C home revert -q "$@"
  expect_status 0
  expect_stderr ''
  run redo -C home state
  expect_equal "$(grep -o '"priority":.\|"title":"[A-Za-z]*"' "$OUT" | tr -d '"' | xargs)" "$has" "the state"
}
takes "priority:3 title:Water" --key="$KEY" --since=2025-03-01
takes "priority:3 title:Water" --key="${KEY:0:12}"
takes "priority:3 title:Water" --device="$DEVICE"
takes "priority:3 title:Water" --author="${KEY:0:32}" --until=now
takes "priority:5 title:Wine" --key="$KEY" --since=2025-03-01T08:00:04.000Z
takes "priority:3 title:Wine" "$TWO" "$LAST" "$SPAM"
takes "priority:5 title:Water priority:3 title:Spam" "$ONE" "$LAST"
takes "priority:3 title:Water priority:3 title:Spam" "$MADE..$LAST"
expect_equal "$(redo -C home reflog -n 1 | cut -d' ' -f3-)" "revert: 3 changes (1 ref)" "the reflog"
run redo -C home revert --device=nobody
expect_error 1 "no change of the history is meant, so there is nothing to take back"
run redo -C home revert "$ONE...$LAST"
expect_status 129
run redo -C home revert --key=xyz
expect_error 128 "not a public key or its beginning, 4 to 64 hex digits: 'xyz'"
run redo -C home revert --since=soon
expect_error 128 "not a valid date 'soon' in '--since'"

scene "several at once: what others have written since is kept, and said"
rm -rf home && cp -r kept home
redo -C home revert -q "$LAST" >/dev/null
does home update -t $T --title=Tea
TEA=$ID
run redo -C home revert --key="$KEY"
expect_status 0
expect_stderr_has "kept 'title' of task '$T', changed again by '$TEA'"
run redo -C home state
expect_equal "$(grep -o '"priority":.\|"title":"[A-Za-z]*"' "$OUT" | tr -d '"' | xargs)" "priority:3 title:Tea" "the state"

scene "a task of a stolen phone in which others have written keeps its CREATE; the rest is taken back, or listed"
stores home phone
does phone create -t $T --title=Lost --priority=4
does phone update -t $T --title=Spam --field x=1
sync phone home
does home update -t $T --description=ours
OURS=$ID
sync home phone
does phone update -t $T --priority=1
does phone create-todo -t $T --todo=$D --title=buy
sync phone home
KEY=$(redo -C phone key show --public)
run redo -C home revert --key="$KEY" --format='%(action) %(data)'
expect_status 1
expect_stdout 'UPDATE {"fields":{"priority":4,"title":"Lost"}}'
expect_stderr "4 changes to take back
kept task '$T', changed again by '$OURS'
warning: cannot take back $T x \"1\" -> none (first-value)
warning: cannot take back $T todo $D (todo-added)"
run redo -C home state
expect_stdout_has '"description":"ours"'
does phone delete -t $T
sync phone home
run redo -C home revert -q --key="$KEY" --since=now-20y
run redo -C home state
expect_stdout_has '"description":"ours"'
expect_stdout_has '"title":"Lost"'

scene "what is chosen is what the log shows with the same filters"
stores a
does a create -t $T --title=Water
KEY=$(redo -C a key show --public)
# A change of the same user that carries no key.
does a update -t $T --title=Wine
redo -C a log --json -n 1 | python3 -c '
import json, sys
node = json.loads(sys.stdin.read())
del node["id"], node["signature"], node["author"]["publicKey"]
node["timestamp"]["lamport"] += 1
node["parents"] = [sys.argv[1]]
node["data"] = {"fields": {"title": "Bare"}}
print(json.dumps(node))' "$ID" >bare.json
redo -C a hash-object -w --update-heads "$PWD/bare.json" >"$OUT" 2>"$ERR" || fail "it is not taken in" <"$ERR"
for words in "--key=$KEY" "--key=${KEY:0:8}" "--author=${KEY:0:32}" "--author=${KEY:0:3}" "--device=x"; do
  rm -rf kept && cp -r a kept
  shown=$(redo -C a log --format='%(id)' "$words" | wc -l)
  run redo -C kept revert "$words"
  expect_equal "$(sed -n 's/ changes\{0,1\} to take back$//p' "$ERR")" "${shown/#0/}" "the changes of $words"
done

scene "a member that was written again is not overwritten, unless that is asked for"
task
does a update -t $T --title=Wine --priority=5
first=$ID
does a update -t $T --title=Beer
run redo -C a revert "$first"
expect_status 1
expect_stderr "error: 'title' of task '$T' was changed again by '$ID'
hint: 'redo revert --force' restores the values before the change all the same"
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
expect_stderr "error: it changed nothing, so there is nothing to take back"
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
run redo -C a revert 0000000
expect_error 128 "no object has the name '0000000'"
loose=$(redo -C a hash-object -w --stdin <"$VECTORS/log/one-node.ndjson")
run redo -C a revert "$loose"
expect_error 128 "'$loose' is not in the history"
