#!/bin/bash
# redo explain: who set each value of a task, who did so without effect and by which rule, and what brings a value back.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T1=7a000000-0000-4000-8000-000000000001
T2=7b000000-0000-4000-8000-000000000002
T3=7c000000-0000-4000-8000-000000000003
FIRST=7d000000-0000-4000-8000-000000000001
# node <action> <task> <lamport> <wall, from its day on> <data> <parent>...: writes a node and prints its id.
node() {
  local action=$1 task=$2 lamport=$3 wall=$4 data=$5 parents
  shift 5
  parents=$(printf ',"%s"' "$@")
  [ $# -gt 0 ] || parents=,
  printf '{"action":"%s","author":{"deviceId":"d","deviceName":"lap\\ttop","name":"Ada","userId":"%s"},"data":{%s},"parents":[%s],"taskId":"%s","timestamp":{"lamport":%s,"wall":"2025-03-%sZ"},"version":1}\n' \
    "$action" "$USER" "$data" "${parents:1}" "$task" "$lamport" "$wall"
}
add() {
  local action=$1 task=$2 lamport=$3 wall=$4 fields=$5
  shift 5
  node "$action" "$task" "$lamport" "$wall" "\"fields\":{$fields}" "$@" | redo hash-object -w --update-heads --stdin
}
# short <id>: as people compare it.
short() { echo "${1:7:12}"; }

make_store
root=$(add CREATE $T1 1 01T08:00:00.000 "\"title\":\"Water\",\"todos\":[{\"deadline\":\"2025-03-08T00:00:00Z\",\"notes\":\"one\",\"todoTaskId\":\"$FIRST\"}]" 2>/dev/null)
left=$(add UPDATE $T1 2 02T08:00:00.000 '"priority":2,"title":"it'\''s left"' "$root")
right=$(add UPDATE $T1 2 03T08:00:00.000 '"title":"right\nhand"' "$root")
merge=$(node MERGE $T1 3 03T10:00:00.000 '"conflictResolution":{"preservedFields":["title"],"source":"automatic","strategy":"union"},"fields":{"title":"right\nhand"}' "$left" "$right" |
  redo hash-object -w --update-heads --stdin)
snooze=$(add SNOOZE $T1 4 04T08:00:00.000 "\"daysToExtend\":1,\"notes\":\"two\",\"todoTaskId\":\"$FIRST\"" "$merge")
again=$(add CREATE $T1 1 05T08:00:00.000 '"title":"second"')

scene "for people: the winner, and each loser with its rule, value and command"
run redo explain --field=title $T1
expect_status 0
expect_stdout <<END
task $T1

title "right\\nhand"
    won   $(short "$right")  UPDATE  2025-03-03T08:00:00.000Z  lamport 2  Ada on lap\\x09top
    lost  $(short "$merge")  MERGE   2025-03-03T10:00:00.000Z  lamport 3  Ada on lap\\x09top
          automatic-merge, strategy union: "right\\nhand"
    lost  $(short "$left")  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on lap\\x09top
          concurrent, wall: "it's left"
          redo commit update --task=$T1 '--title=it'\\''s left'
    lost  $(short "$again")  CREATE  2025-03-05T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          create-duplicate: "second"
          redo commit update --task=$T1 --title=second
    lost  $(short "$root")  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          earlier: "Water"
          redo commit update --task=$T1 --title=Water
END
expect_stderr ''

scene "the whole task: members in the order of the state, todos, and what has no effect"
run redo-explain 7a00
grep -v '^ \|^$' "$OUT" >lines
cp lines "$OUT"
expect_stdout <<END
task $T1
archived false
created "2025-03-01T08:00:00.000Z"
description ""
frequencyDays 0
lastUpdated "2025-03-03T10:00:00.000Z"
priority 2
privacy false
storyPoints 1
title "right\\nhand"
userId "$USER"
todo 7d000000 created "2025-03-01T08:00:00.000Z"
todo 7d000000 deadline "2025-03-09T00:00:00.000Z"
todo 7d000000 notes "one\\ntwo"
without effect
END
run redo explain 7a00 --field=priority
expect_stdout <<END
task $T1

priority 2
    won   $(short "$left")  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on lap\\x09top
    lost  $(short "$root")  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          default: 3
          redo commit update --task=$T1 --priority=3
END

scene "--todo: only this one; notes of several, and a time that is kept as it was written"
run redo explain 7a00 --todo=7d00 --field=notes
expect_stdout <<END
task $T1

todo 7d000000 notes "one\\ntwo"
    won   $(short "$snooze")  SNOOZE  2025-03-04T08:00:00.000Z  lamport 4  Ada on lap\\x09top
    part  $(short "$root")  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          "one"
END
run redo explain 7a00 --field=deadline
expect_stdout_has "          redo commit snooze --task=$T1 --todo=$FIRST --field=newDeadline=2025-03-08T00:00:00Z"

scene "--json: a row a member, as RFC 8785 has it"
run redo explain --json --field=priority $T1
expect_stdout <<END
{"losers":[{"action":"CREATE","author":"$USER","authorName":"Ada","command":"redo commit update --task=$T1 --priority=3","default":true,"device":"d","deviceName":"lap\\ttop","id":"$root","lamport":1,"rule":"default","value":3,"wall":"2025-03-01T08:00:00.000Z"}],"path":"/priority","task":"$T1","value":2,"winner":{"action":"UPDATE","author":"$USER","authorName":"Ada","device":"d","deviceName":"lap\\ttop","id":"$left","lamport":2,"value":2,"wall":"2025-03-02T08:00:00.000Z"}}
END
run redo explain --json --field=notes $T1
expect_stdout_has '"parts":[{"action":"CREATE",'
expect_stdout_has '"path":"/notes","task":"'$T1'","todo":"'$FIRST'","value":"one\ntwo","winner":{"action":"SNOOZE","appended":"two",'
redo explain --json $T1 >rows
tail -n 1 rows >"$OUT"
expect_stdout "{\"action\":\"CREATE\",\"id\":\"$again\",\"reason\":\"create-duplicate\",\"task\":\"$T1\"}"
while read -r row; do
  printf '%s' "$row" | redo canonicalize --check || fail "no canonical JSON: $row" </dev/null
done <rows

# agrees <task>: every value of the rows is that of the state, and its winner's.
agrees() {
  python3 - <(redo explain --json "$1") <(redo state -q --task="$1") <<'END'
import json, sys
state = json.loads(open(sys.argv[2], encoding="utf-8").read())
todos = {todo["guid"]: todo for todo in state["todoTasks"]}
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
told = 0
for row in rows:
    if "path" not in row:
        continue
    place = todos.get(row["todo"]) if "todo" in row else state
    for token in row["path"].split("/")[1:]:
        place = None if place is None else place.get(token.replace("~1", "/").replace("~0", "~"))
    assert place == row.get("value"), row
    assert ("winner" in row) == (place is not None), row
    if "winner" in row:
        assert row["winner"]["value"] == place, row
    told += 1
wanted = sum(len(todo) - 3 + len(todo["fields"]) for todo in todos.values())
wanted += len(state) - 4 + len(state["fields"])
assert told >= wanted, (told, wanted)
END
}

scene "every value is the one of redo state, and its winner's: the tasks of a log with merges"
agrees $T1 || fail "they differ" </dev/null
redo init -q demo
demo 1500 >some.ndjson
redo -C demo -c core.fsync=none import -q "$PWD/some.ndjson" >/dev/null
cd demo
count=0
for task in $(redo state -q | sed -n 's/.*"guid":"\([^"]*\)","\(lastUpdated\|priority\)".*/\1/p' | head -40); do
  agrees "$task" || fail "they differ: $task" </dev/null
  count=$((count + 1))
done
cd ..
expect_equal $count 40 "tasks"

scene "a command that is told restores the value"
redo key generate >/dev/null 2>&1
restore() { redo explain $T1 "$@" | sed -n 's/^          \(redo commit .*\)/\1/p' | tail -n 1 | bash >/dev/null 2>&1; }
value() { redo state -q --task=$T1 | sed -n "s/.*\"$1\":\(\"[^\"]*\"\|[^,}]*\).*/\1/p"; }
restore --field=title
expect_equal "$(value title)" '"Water"' title
redo explain $T1 --field=title | sed -n 's/^          \(redo commit .*left.*\)/\1/p' | bash >/dev/null
expect_equal "$(value title)" "\"it's left\"" title
redo explain $T1 --field=title | sed -n 's/^          \(redo commit .*hand.*\)/\1/p' | head -n 1 | bash >/dev/null
expect_equal "$(value title)" '"right\nhand"' title
restore --field=priority
expect_equal "$(value priority)" 3 priority
restore --field=deadline
expect_equal "$(value deadline)" '"2025-03-08T00:00:00Z"' deadline
redo commit archive -q --task=$T1 >/dev/null
restore --field=archived
expect_equal "$(value archived)" false archived
redo commit complete-todo -q --task=$T1 --todo=$FIRST --completed=2025-03-10T00:00:00.000Z >/dev/null
redo commit complete-todo -q --task=$T1 --todo=$FIRST --completed=2025-03-11T00:00:00.000Z >/dev/null
restore --field=completed
expect_equal "$(value completed)" '"2025-03-10T00:00:00.000Z"' completed
commit() { redo commit -q --task=$T1 "$@" >/dev/null 2>&1 || fail "not recorded: $*" </dev/null; }
commit --action=COMPLETE --field=completedAt=2025-03-10T00:00:00Z
commit --action=COMPLETE --field=completedAt=2025-03-11T00:00:00Z
commit update --field-json='tags=["a","b'\''c"]' --private
commit update --field-json=tags=null --no-private
restore --field=completedAt
expect_equal "$(value completedAt)" '"2025-03-10T00:00:00Z"' completedAt
restore --field=tags
redo state -q --task=$T1 >"$OUT"
expect_stdout_has "\"fields\":{\"tags\":[\"a\",\"b'c\"]}"
redo explain $T1 --field=privacy | grep -c 'redo commit update .* --private$' >"$OUT"
expect_stdout 1

scene "a command moves no cursor, and restores texts that would; where none can, there is none"
title=$'a\033[31m\302\233\nb\'c\\ d\t$(e)'
commit update "--title=$title" --field-json='q"=[1]'
commit update --title=y --field-json='q"=[2]'
for number in 1 2; do
  add UPDATE $T1 9$number 20T08:00:00.000 "\"a=b\":$number" "$(redo rev-parse heads/$T1)" >/dev/null
done
run redo explain $T1 --field=title
! grep -q $'\033\|\302\233' "$OUT" || fail "a dangerous character" <"$OUT"
expect_stdout_has "\$'--title=a\\033[31m\\302\\233\\nb\\'c\\\\ d\\t\$(e)'"
grep -F 'e)' "$OUT" | sed -n 's/^          \(redo commit .*\)/\1/p' | bash >/dev/null 2>&1
redo commit -n --task=$T1 update "--title=$title" --json -q | grep -o '"title":"[^,}]*' >wanted
expect_equal "$(redo state -q --task=$T1 | grep -o '"title":"[^,}]*')" "$(cat wanted)" title
restore --field='q"'
redo state -q --task=$T1 >"$OUT"
expect_stdout_has '"q\"":[1]'
redo explain $T1 --json >rows
expect_equal "$(grep '"path":"/fields/a=b' rows | grep -c command)" 0 "commands for a name with an equals sign"

scene "--as-of: why it was so then"
run redo explain $T1 --field=title --as-of=2025-03-02
expect_stdout <<END
task $T1

title "it's left"
    won   $(short "$left")  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on lap\\x09top
    lost  $(short "$root")  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          earlier: "Water"
          redo commit update --task=$T1 --title=Water
END
expect_stderr_has "as of 2025-03-02T23:59:59.999Z: 2 of "
expect_stderr_has " nodes of the task, policy closed; wall has 0 more and 0 fewer; received has 0 more and 2 fewer"
run redo explain -q $T1 --field=title --as-of="$root"
expect_stdout_lines 4
expect_stderr ''
run redo explain $T1 --as-of="$(node UPDATE $T1 3 09T08:00:00.000 '"fields":{"title":"aside"}' "$left" | redo hash-object -w --stdin)"
expect_error 128 "is not in the history"
other=$(add CREATE $T3 1 09T08:00:00.000 '"title":"other"' "$left")
run redo explain -q $T1 --as-of="$other" --field=priority
expect_stdout_has "priority 2"
cp "$OUT" with
run redo explain -q --no-cache $T1 --as-of="$other" --field=priority
expect_stdout_file with
run redo explain $T1 --as-of=2025-02-01
expect_error 128 "no node precedes '2025-02-01'"

scene "a task that was deleted: by whom, and where to look"
made=$(add CREATE $T2 1 06T08:00:00.000 '"title":"gone"')
update=$(add UPDATE $T2 2 06T09:00:00.000 '"title":"going"' "$made")
delete=$(add DELETE $T2 3 06T10:00:00.000 '' "$update")
late=$(add UPDATE $T2 4 06T11:00:00.000 '"title":"too late"' "$delete")
run redo explain $T2
expect_status 0
expect_stdout <<END
task $T2
it has no state: it was deleted
    by    $(short "$delete")  DELETE  2025-03-06T10:00:00.000Z  lamport 3  Ada on lap\\x09top
    2 changes before it: not-living

without effect
    skip  $(short "$late")  UPDATE  2025-03-06T11:00:00.000Z  lamport 4  Ada on lap\\x09top
          after-delete
END
expect_stderr "hint: '--as-of=$update' tells of the task as it was before"
run redo explain --json --field=title $T2
expect_stdout "{\"deletes\":[{\"action\":\"DELETE\",\"author\":\"$USER\",\"authorName\":\"Ada\",\"device\":\"d\",\"deviceName\":\"lap\\ttop\",\"id\":\"$delete\",\"lamport\":3,\"wall\":\"2025-03-06T10:00:00.000Z\"}],\"state\":null,\"task\":\"$T2\"}"

scene "a task that was never made"
T4=7e000000-0000-4000-8000-000000000004
orphan=$(add UPDATE $T4 1 07T08:00:00.000 '"title":"orphan"')
run redo explain $T4
expect_stdout <<END
task $T4
it has no state: no CREATE of it counts

without effect
    skip  $(short "$orphan")  UPDATE  2025-03-07T08:00:00.000Z  lamport 1  Ada on lap\\x09top
          task-missing
END

scene "-z: NUL ends each member"
redo explain -z $T1 --field=userId | tr '\0' '#' >"$OUT"
expect_equal "$(grep -o '#' "$OUT" | wc -l)" 2 "members and the heading"

scene "without the index, and with a damaged one, the output is the same"
redo explain $T1 >with
run redo explain --no-cache $T1
expect_stdout_file with
redo log -n 1 >/dev/null
python3 - <<'END'
path = ".redo/cache/graph"
data = bytearray(open(path, "rb").read())
for place in range(len(data) // 2, len(data), 97):
    data[place] ^= 0xFF
open(path, "wb").write(data)
END
run redo explain $T1
expect_status 0
expect_stdout_file with
expect_stderr ''

scene "unknown members of a COMPLETE_TODO and of a SNOOZE set nothing"
(
  make_store unknown
  redo key generate >/dev/null 2>&1
  redo commit -q create -t $T1 --title=x >/dev/null
  redo commit -q create-todo -t $T1 --todo=7d000000-0000-4000-8000-00000000000a --deadline=2025-03-02T08:00:00.000Z >/dev/null
  redo commit -q snooze -t $T1 --todo=7d000000-0000-4000-8000-00000000000a --days=1 --field completed=2030-01-01T00:00:00.000Z >/dev/null
  redo commit -q complete-todo -t $T1 --todo=7d000000-0000-4000-8000-00000000000a --completed=2025-03-02T08:00:00.000Z \
    --field newDeadline=2030-01-01T00:00:00.000Z --field-json daysToExtend=1e300 >/dev/null
  run redo explain $T1 --field=deadline
  expect_status 0
  ! grep -q COMPLETE_TODO "$OUT" || fail "another action has set the deadline" <"$OUT"
  run redo explain $T1 --field=completed
  ! grep -q SNOOZE "$OUT" || fail "another action has completed the todo" <"$OUT"
) || exit

scene "refusals"
run redo explain
expect_status 129
expect_stderr_has "error: a task is needed"
run redo explain 7a00 7b00
expect_status 129
expect_stderr_has "error: only one task can be explained"
run redo explain ffff
expect_error 128 "no task begins with 'ffff'"
run redo explain ffffffff-0000-4000-8000-000000000001
expect_error 128 "no change is about task 'ffffffff-0000-4000-8000-000000000001'"
run redo explain $T1 --field=colour
expect_error 128 "task '$T1' has no member 'colour', and nobody wrote one"
run redo explain $T1 --todo=ffff
expect_error 128 "no todo of the task begins with 'ffff'"
run redo explain $T1 --todo=7d
expect_error 128 "the beginning of a todo's id has at least 4 characters: '7d'"
run redo explain $T1 --policy=wall
expect_status 129
expect_stderr_has "'--policy' is about '--as-of', which is not given"
run redo explain $T1 --as-of=someday
expect_error 128 "not a point in time: 'someday'"

scene "it writes nothing but the index"
before=$(fingerprint)
run redo explain $T1
expect_untouched "$before"
