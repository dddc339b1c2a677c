#!/bin/bash
# redo commit: new nodes, placed, signed, verified and in the history, or nothing at all.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

TASK=550e8400-e29b-41d4-a716-446655440000
OTHER=7a000000-0000-4000-8000-000000000002
NOTE=11111111-2222-4333-8444-555555555555
export REDO_AUTHOR_DATE=2026-01-02T03:04:05.678Z
new_store() { cd "$WORK/here" && make_store "$1" && redo key generate >/dev/null 2>&1; }
# the last node of the log, in one line
last() { redo log -n 1 --format="${1:-%(lamport) %(action) %(task) %(data)}"; }

scene "a CREATE makes a task, says it, and prints the id"
new_store one
run redo commit create --title='Water the plants' --priority=4
expect_status 0
expect_stdout_lines 1
grep -q '^sha256:[0-9a-f]\{64\}$' "$OUT" || fail "no id" <"$OUT"
ID=$(cat "$OUT")
NEW=$(redo log --format='%(task)')
expect_stderr "created task '$NEW'"
grep -q '^[0-9a-f]\{8\}-[0-9a-f]\{4\}-4[0-9a-f]\{3\}-[89ab][0-9a-f]\{3\}-[0-9a-f]\{12\}$' <<<"$NEW" || fail "no UUID of version 4" <<<"$NEW"
expect_equal "$(last '%(id) %(lamport) %(wall) %(action) %(parents)|%(data)')" \
  "$ID 1 $REDO_AUTHOR_DATE CREATE |{\"fields\":{\"priority\":4,\"title\":\"Water the plants\"}}" "the node"

scene "it is signed by the key of the keyring, and good"
run redo verify "$ID"
expect_status 0
expect_stdout "G $ID body"
expect_equal "$(last '%(author:userid)')" "$(redo key show --user-id)" "user id"
expect_equal "$(last '%(author:key)')" "$(redo key show --public)" "public key"
expect_equal "$(last '%(author:device)')" "$(redo key device-id)" "device"

scene "a change follows the last one of its task"
run redo commit update --task="$NEW" --title='Water all plants'
expect_status 0
expect_stderr ''
expect_equal "$(last '%(lamport) %(parents)')" "2 $ID" "parents"
ID=$(cat "$OUT")

scene "the beginning of a task is enough, if it is the only one"
run redo commit archive -t "${NEW:0:8}"
expect_status 0
expect_equal "$(last '%(lamport) %(action) %(parents)')" "3 ARCHIVE $ID" "the node"
run redo commit archive -t "${NEW:0:3}"
expect_error 128 "at least 4 characters"
run redo commit archive -t ffff0000
expect_error 128 "no task begins with 'ffff0000'"
run redo commit archive -t plants
expect_error 128 "not a task id"
run redo commit create -t aaaa0000-0000-4000-8000-000000000001 --title=a
run redo commit create -t aaaa0000-0000-4000-8000-000000000002 --title=b
run redo commit archive -t aaaa
expect_error 128 "the beginning of several tasks"
expect_stderr_has "aaaa0000-0000-4000-8000-000000000002"

scene "each everyday action fills its content"
new_store everyday
everyday() {
  local expected=$1
  shift
  run redo commit -q -t $TASK "$@"
  expect_status 0
  expect_equal "$(last '%(action) %(data)')" "$expected" "redo commit $*"
}
everyday 'CREATE {"fields":{"description":"d","frequencyDays":7,"privacy":true,"storyPoints":2.5,"title":"t"}}' \
  create --title=t --description=d --frequency-days=7 --story-points=2.50 --private
everyday 'UPDATE {"fields":{"priority":1,"privacy":false}}' update --priority=1 --no-private
everyday "CREATE_TODO {\"fields\":{\"deadline\":\"2026-12-01T00:00:00.000Z\",\"notes\":\"n\",\"title\":\"x\",\"todoTaskId\":\"$NOTE\"}}" \
  create-todo --todo="${NOTE^^}" --title=x --notes=n --deadline=2026-12-01T00:00:00Z
everyday "SNOOZE {\"fields\":{\"daysToExtend\":3,\"todoTaskId\":\"$NOTE\"}}" snooze --todo=$NOTE --days=3
everyday "SNOOZE {\"fields\":{\"newDeadline\":\"2026-12-24T18:00:00.000Z\",\"todoTaskId\":\"$NOTE\"}}" \
  snooze --todo=$NOTE --deadline=2026-12-24T18:00:00.000Z
everyday "COMPLETE_TODO {\"fields\":{\"completed\":\"2026-12-05T06:07:08.009Z\",\"todoTaskId\":\"$NOTE\"}}" \
  complete-todo --todo=$NOTE --completed=2026-12-05T06:07:08.009Z
everyday 'ARCHIVE {"fields":{}}' archive
everyday 'UNARCHIVE {"fields":{}}' unarchive
everyday 'DELETE {"fields":{}}' delete
run redo log
expect_equal "$(grep -c '^node' "$OUT")" 9 "nodes"
expect_clean

scene "a todo without an id gets one, a completion the time of the clock"
new_store todos
redo commit -q create -t $TASK --title=t >/dev/null
run redo commit create-todo -t $TASK
expect_status 0
MADE=$(last '%(data)' | sed -n 's/.*"todoTaskId":"\([^"]*\)".*/\1/p')
run redo commit complete-todo -t $TASK --todo="$MADE"
expect_status 0
last '%(data)' | grep -q '"completed":"20[0-9-]*T[0-9:.]*Z"' || fail "no time" < <(last '%(data)')

scene "any action, any field"
new_store any
run redo commit --action=CREATE -t $TASK --field title='a = b' --field-json 'tags=["x", {"y": 1e2}]' --field note=$'two\nlines' --payload
expect_status 0
expect_equal "$(last '%(data)')" '{"payload":{"note":"two\nlines","tags":["x",{"y":100}],"title":"a = b"}}' "content"
run redo commit --action=COMPLETE -t $TASK --field completedAt=2026-01-01T00:00:00.000Z
expect_status 0
expect_stderr ''
run redo commit --action=SHARE -t $TASK --field with=bob
expect_status 0
expect_stderr_has "warning: 'SHARE': action-unknown"

scene "what is wrong is refused, and nothing is written"
new_store refused
redo commit -q create -t $TASK --title=t >/dev/null
BEFORE=$(fingerprint)
refused() {
  local status=$1 text=$2
  shift 2
  run redo commit "$@"
  expect_status "$status"
  expect_stdout ''
  expect_stderr_has "$text"
  expect_untouched "$BEFORE"
}
refused 128 "task '$TASK' is there already" create -t $TASK --title=again
refused 128 "there is no task '$OTHER'" update -t $OTHER --title=x
refused 1 "payload-missing" create --description=d
refused 1 "payload-type at /data/fields/storyPoints" update -t $TASK --story-points=-1
refused 1 "payload-forbidden" --action=UPDATE -t $TASK --field-json archived=true
refused 1 "action-form" --action=update -t $TASK --field title=x
refused 129 "needs '--task'" update --title=x
refused 129 "belongs to an everyday action" --action=UPDATE -t $TASK --title=x
refused 129 "option '--days' makes no sense with 'update'" update -t $TASK --days=1
refused 129 "'updat' is not an everyday action" updat -t $TASK
refused 129 "did you mean 'update'" updat -t $TASK
refused 129 "an action is needed" -t $TASK
refused 129 "cannot be used together" update --action=UPDATE -t $TASK
refused 129 "only one action" update archive -t $TASK
refused 129 "given more than once" update -t $TASK --title=a --field title=b
refused 129 "json-syntax" update -t $TASK --field-json 'x={'
refused 129 "expects <name>=<value>" update -t $TASK --field x
refused 129 "expects a UUID" complete-todo -t $TASK --todo=1
refused 129 "expects a time" create-todo -t $TASK --deadline=tomorrow
refused 129 "expects a time" update -t $TASK --title=x --date=2026-02-30T00:00:00.000Z
run env REDO_AUTHOR_DATE=yesterday redo commit update -t $TASK --title=x
expect_error 128 "'REDO_AUTHOR_DATE' is not a time"
run redo -c signing.form=other commit update -t $TASK --title=x
expect_error 128 "bad value 'other' for 'signing.form'"
expect_untouched "$BEFORE"
cd "$WORK" && run redo commit create --title=x
expect_error 128 "not a redo repository (or any of the parent directories): .redo"

scene "a deleted task takes nothing"
cd "$WORK/here/refused" || exit 1
redo commit -q delete -t $TASK >/dev/null
run redo commit update -t $TASK --title=x
expect_error 128 "task '$TASK' is deleted"
run redo commit create -t $TASK --title=x
expect_error 128 "is there already"

scene "branches come together, and what a DELETE ended is not followed"
new_store diverged
node() { redo cat-node "$1"; }
redo commit -q create -t $TASK --title=t >/dev/null
cp -r .redo ../left && cp -r .redo ../right
redo --redo-dir ../left commit -q update -t $TASK --title=left >/dev/null
redo --redo-dir ../right commit -q update -t $TASK --title=right >/dev/null
for side in left right; do redo --redo-dir ../$side log --json | redo import -q >/dev/null; done
expect_equal "$(redo log --format='%(lamport)' | sort | uniq -c | tr -s ' ' | tr '\n' ,)" " 1 1, 2 2," "lamports"
run redo commit -q update -t $TASK --title=both
expect_status 0
expect_equal "$(last '%(lamport) %(parents)' | wc -w)" 3 "lamport and two parents"
redo --redo-dir ../left commit -q delete -t $TASK >/dev/null
redo --redo-dir ../left log --json | redo import -q >/dev/null
run redo commit -q update -t $TASK --title=on
expect_status 0
expect_equal "$(last '%(lamport) %(parents)' | wc -w)" 2 "lamport and one parent, beside the DELETE"

scene "what is remembered of living nodes changes nothing"
expect_remembered() {
  run redo commit -n -q update -t $TASK --title="$1" --format='%(id) %(parents)'
  expect_status 0
  cp "$OUT" remembered
  cp .redo/cache/living living
  rm .redo/cache/living
  run redo commit -n -q update -t $TASK --title="$1" --format='%(id) %(parents)'
  expect_stdout_file remembered
  cp living .redo/cache/living
}
expect_remembered one
head -c 2621440 /dev/urandom >.redo/cache/living
expect_remembered two
rm .redo/cache/living
redo commit -q update -t $TASK --title=three >/dev/null
[ "$(tr -d '\0' <.redo/cache/living | wc -c)" -gt 40 ] || fail "nothing is remembered" </dev/null
expect_remembered four
redo --redo-dir ../right commit -q delete -t $TASK >/dev/null
redo --redo-dir ../right log --json | redo import -q >/dev/null
expect_remembered five
rm .redo/cache/living && mkdir .redo/cache/living
run redo commit -q update -t $TASK --title=six
expect_status 0
rmdir .redo/cache/living
expect_clean

scene "many changes from standard input: each sees those before it"
new_store many
run redo commit -q --stdin --format='%(lamport) %(action) %(task)' <<END
{"action":"CREATE","taskId":"$TASK","fields":{"title":"one"}}
{"action":"UPDATE","taskId":"${TASK^^}","payload":{"storyPoints":3},"wall":"2026-03-01T00:00:00.000Z"}
{"action":"CREATE","taskId":"$OTHER","fields":{"title":"two"}}
{"action":"ARCHIVE","taskId":"$TASK"}
END
expect_status 0
expect_stdout <<END
1 CREATE $TASK
2 UPDATE $TASK
1 CREATE $OTHER
3 ARCHIVE $TASK
END
expect_equal "$(redo log --format='%(wall)' | sort -u | wc -l)" 2 "wall times"
expect_equal "$(grep -c '^entry' .redo/refs.journal)" 1 "records of refs"
expect_clean

scene "all of them, or none; every refused line is named"
BEFORE=$(fingerprint)
run redo commit --stdin <<END
{"action":"UPDATE","taskId":"$TASK","fields":{"title":"fine"}}
{"action":"UPDATE","taskId":"$TASK","fields":{}}
{"action":"UPDATE","taskId":"$TASK","fields":{"title":3}}
END
expect_status 1
expect_stdout ''
expect_stderr_has "error: '<stdin>', line '2': payload-missing"
expect_stderr_has "error: '<stdin>', line '3': payload-type"
expect_untouched "$BEFORE"
stdin_refused() {
  run redo commit --stdin <<<"$2"
  expect_status "$3"
  expect_stdout ''
  expect_stderr_has "$1"
  expect_untouched "$BEFORE"
}
stdin_refused "'<stdin>', line '1': json-syntax at byte 1" '{' 1
stdin_refused "a request is a JSON object" '[]' 1
stdin_refused "the member 'x' is unknown" '{"action":"CREATE","x":1}' 1
stdin_refused "the member 'action' is missing" '{"fields":{"title":"x"}}' 1
stdin_refused "exactly one of 'fields' and 'payload'" '{"action":"CREATE","fields":{"title":"x"},"payload":{}}' 1
stdin_refused "the member 'taskId' is a UUID, not '7'" '{"action":"CREATE","taskId":"7","fields":{"title":"x"}}' 1
stdin_refused "'<stdin>', line '1': there is no task" '{"action":"ARCHIVE","taskId":"7a000000-0000-4000-8000-000000000009"}' 128
run redo commit --stdin </dev/null
expect_status 0
expect_stdout ''
expect_untouched "$BEFORE"

scene "a dry run prints what would be, and writes nothing"
run redo commit -n create --title=x --json
expect_status 0
grep -q '"action":"CREATE".*"signature":"[0-9a-f]\{128\}"' "$OUT" || fail "no node" <"$OUT"
run redo verify --ndjson <"$OUT"
expect_status 0
expect_untouched "$BEFORE"

scene "the digest can be signed instead of the body, or nothing"
run redo -c signing.form=digest commit -q create --title=x
expect_status 0
run redo verify "$(cat "$OUT")"
expect_stdout_has " digest"
run redo commit -q --unsigned create --title=x
expect_status 0
run redo verify "$(cat "$OUT")"
expect_status 1
expect_stdout_has "N "

scene "names from the settings are in the node"
run redo -c user.name='Ada é' -c user.email=ada@example.org commit -q create --title=x --format='%(author:name)|%(author:email)'
expect_status 0
expect_stdout 'Ada é|ada@example.org'

scene "without a key nothing is signed"
cd "$WORK/here" && make_store keyless
run redo commit create --title=x
expect_error 128 "key"
expect_stderr_has "redo key generate"

scene "all heads: a node that follows every task"
new_store heads
for n in 1 2 3; do redo commit -q create -t 7a000000-0000-4000-8000-00000000000$n --title=$n >/dev/null; done
redo commit -q delete -t 7a000000-0000-4000-8000-000000000003 >/dev/null
run redo commit -q update -t $OTHER --title=x --all-heads --format='%(parents)'
expect_status 0
expect_equal "$(wc -w <"$OUT")" 2 "parents: the DELETE is none"
for n in $(seq 10 75); do echo "{\"action\":\"CREATE\",\"fields\":{\"title\":\"$n\"}}"; done | redo commit -q --stdin >/dev/null
run redo commit update -t $OTHER --title=x --all-heads
expect_error 128 "more than the 64 parents of a node"

scene "the strict profile: a DELETE tells what it ends"
new_store strict
redo commit -q --profile=genesis create -t $TASK --title=x >/dev/null
redo commit -q --profile=genesis update -t $TASK --title=y >/dev/null
run redo commit -q --profile=genesis delete -t $TASK --json
expect_status 0
expect_equal "$(grep -o 'deletedChain":\[[^]]*\]' "$OUT" | grep -o 'sha256:' | wc -l)" 2 "the chain"
run redo verify --all --profile=genesis
expect_status 0

scene "rows end with NUL for programs, texts are escaped for people"
new_store rows
run redo commit -q create -t $TASK --title=$'\e[31mred\nline' --format='%(action) %(task)' -z
expect_status 0
expect_equal "$(tr '\0' '!' <"$OUT")" "CREATE $TASK!" "row"
run redo commit update -t $TASK --field $'\e[31m=x' --field-json title=1
expect_status 1
! grep -q $'\e' "$ERR" || fail "an escape sequence is on stderr" <"$ERR"

scene "a number outside of its usual range is refused, and recorded when it is forced"
new_store ranges
redo commit -q create -t $TASK --title=x >/dev/null
before=$(redo state --hash)
for words in '--priority=9' '--priority=0'; do
  run redo commit update -t $TASK $words
  expect_status 1
  expect_stdout ''
  expect_stderr_has "payload-range at /data/fields/priority"
  expect_stderr_has "hint: '-f' records it all the same"
done
run redo commit --stdin <<<"{\"action\":\"UPDATE\",\"fields\":{\"priority\":6},\"taskId\":\"$TASK\"}"
expect_status 1
expect_equal "$(redo state --hash)" "$before" "the state"
run redo commit -f update -t $TASK --priority=9
expect_status 0
expect_stderr_has "warning: "
expect_equal "$(redo state --json | grep -o '"priority":9')" '"priority":9' "the state"

scene "complete-todo --next: the next todo of a task that comes again, the same on two devices"
new_store again
ENTRY=7b000000-0000-4000-8000-000000000001
redo commit -q create -t $TASK --title=Water --frequency-days=7 >/dev/null
redo commit -q create-todo -t $TASK --todo=$ENTRY --title=can --notes=blue --deadline=2025-03-01T08:00:00.000Z >/dev/null
cp -r .redo other.redo
redo --redo-dir=other.redo config trust-store >/dev/null 2>&1
next=$(python3 -c 'import hashlib, sys, uuid; print(uuid.UUID(bytes=hashlib.sha256((sys.argv[1] + "/next").encode()).digest()[:16]))' $ENTRY)
run redo commit complete-todo -t $TASK --todo=$ENTRY --completed=2025-03-16T07:00:00.000Z --next --format='%(action) %(data)'
expect_status 0
expect_stdout "COMPLETE_TODO {\"fields\":{\"completed\":\"2025-03-16T07:00:00.000Z\",\"todoTaskId\":\"$ENTRY\"}}
CREATE_TODO {\"fields\":{\"deadline\":\"2025-03-22T08:00:00.000Z\",\"title\":\"can\",\"todoTaskId\":\"$next\"}}"
run redo --redo-dir=other.redo commit -q complete-todo -t $TASK --todo=$ENTRY --completed=2025-03-02T07:00:00.000Z --next
expect_status 0
run redo sync -q ./other.redo
expect_status 0
expect_equal "$(redo state --json | python3 -c 'import json, sys; print([todo["guid"] for todo in json.load(sys.stdin)["todoTasks"]])')" \
  "['$ENTRY', '$next']" "one next todo"
run redo commit complete-todo -t $TASK --todo=$ENTRY --next
expect_status 0
expect_equal "$(wc -l <"$OUT")" 1 "only the completion"
expect_stderr "the next todo '$next' is there already"

scene "without a deadline the next todo is due that long after the completion"
redo commit -q create-todo -t $TASK --todo=7b000000-0000-4000-8000-000000000009 >/dev/null
run redo commit -q complete-todo -t $TASK --todo=7b000000-0000-4000-8000-000000000009 --completed=2025-05-01T10:00:00.000Z --next --format='%(data)'
expect_status 0
expect_stdout_has '"deadline":"2025-05-08T10:00:00.000Z"'

scene "what comes once, or is not there, has no next"
redo commit -q create -t $OTHER --title=once >/dev/null
redo commit -q create-todo -t $OTHER --todo=7b000000-0000-4000-8000-000000000002 >/dev/null
before=$(redo state --hash)
run redo commit complete-todo -t $OTHER --todo=7b000000-0000-4000-8000-000000000002 --next
expect_error 1 "does not come again"
run redo commit complete-todo -t $TASK --todo=7b000000-0000-4000-8000-00000000000a --next
expect_error 1 "has no todo"
run redo commit update -t $TASK --title=x --next
expect_status 129
expect_equal "$(redo state --hash)" "$before" "the state"

scene "a COMPLETE_TODO that does not say when means its own wall time"
run redo commit -q --action=COMPLETE_TODO -t $OTHER --field todoTaskId=7b000000-0000-4000-8000-000000000002 --date=2025-06-01T12:00:00+02:00
expect_status 0
expect_equal "$(redo state --json | grep -o '"completed":"2025-06-01[^"]*"')" '"completed":"2025-06-01T10:00:00.000Z"' "the state"
run redo commit -q update -t $OTHER --title=x --date=yesterday
expect_error 129 "option '--date' expects a time"
