#!/bin/bash
# redo merge: diverged tasks come together, and nothing is lost.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-000000000001
O=7a000000-0000-4000-8000-000000000002
D=7b000000-0000-4000-8000-000000000001
at() { echo "--date=2025-03-01T08:00:0$1.000Z"; }
commit() {
  local store=$1
  shift
  redo -C "$store" commit -q "$@" >/dev/null 2>"$ERR" || fail "redo commit fails" <"$ERR"
}
# sync <from> <to>: whatever the first has, the other has afterwards.
sync() { redo -C "$1" log --json | redo -C "$2" import -q >/dev/null 2>"$ERR" || fail "'$2' refuses" <"$ERR"; }
state() { redo -C "$1" state -q | sed 's/"lastUpdated":"[^"]*",//'; }
stores() {
  cd "$(mktemp -d "$WORK/here/XXXXXX")" || exit
  for name; do redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1; done
}
# diverged: a and b have the same task; both wrote priority, b wrote the title, a the tags and a todo's deadline.
diverged() {
  stores a b
  commit a create -t $T --title=Water --priority=3 --field-json 'tags=["x","y"]' "$(at 0)"
  commit a create-todo -t $T --todo=$D --deadline=2025-03-02T08:00:00.000Z "$(at 1)"
  commit a create -t $O --title='Left alone' "$(at 1)"
  sync a b
  commit a update -t $T --priority=4 --field-json 'tags=["y","z"]' "$(at 2)"
  commit a snooze -t $T --todo=$D --days=1 "$(at 3)"
  commit b update -t $T --priority=1 --title=Wet "$(at 4)"
  commit b update -t $T --field-json 'tags=["a"]' "$(at 5)"
  sync a b
  sync b a
}

scene "a merge records what replay yields anyway: the state stays, the heads come together"
diverged
state a >before
expect_equal "$(redo -C a show-ref "heads/$T" | wc -l)" 2 "heads before"
run redo -C a merge --all "$(at 9)"
expect_status 0
expect_stderr ''
expect_equal "$(cat "$OUT")" "$(redo -C a show-ref "heads/$T" --format='%(id)')" "the head"
state a >"$OUT"
expect_stdout_file before
run redo -C a log -n 1 --format='%(action) %(lamport) %(data)'
expect_stdout 'MERGE 5 {"conflictResolution":{"preservedFields":["priority","tags","title"],"source":"automatic","strategy":"union"},"fields":{"priority":1,"tags":["a"],"title":"Wet"}}'
redo -C a log -n 1 --format='%(parents)' | tr ' ' '\n' >parents
redo -C b show-ref "heads/$T" --format='%(id)' | sort | cmp -s - parents || fail "the parents are not the heads" <parents
run redo -C a verify --all --profile=sync
expect_status 0
run redo -C a merge --all
expect_status 0
expect_stdout ''

scene "it says the same whichever side makes it, and in whatever order the changes came"
diverged
redo -C a merge --all --format='%(data) %(parents)' -n >one
redo -C b merge --task=$T --format='%(data) %(parents)' -n >other
cmp -s one other || fail "they differ" < <(diff one other)
for seed in 1 2 3 4 5; do
  stores c
  redo -C ../"$(basename "$OLDPWD")"/a log --json | shuf --random-source=<(yes $seed) | redo -C c import -q >/dev/null
  redo -C c merge --all --format='%(data) %(parents)' -n >"$OUT"
  expect_stdout_file "$OLDPWD/one"
  cd "$OLDPWD" || exit
done

scene "--check writes nothing, exits with 1 and lists what has diverged"
diverged
before=$(fingerprint a)
run redo -C a merge --check
expect_status 1
expect_stderr ''
expect_stdout_lines 1
base=$(redo -C a log --format='%(id)' --action=CREATE_TODO)
heads=$(redo -C a show-ref "heads/$T" --format='%(id)' | sort)
first=$(head -1 <<<"$heads") second=$(tail -1 <<<"$heads")
case $(redo -C a log -n 1 --format='%(task)%(action)' "$first") in *SNOOZE) a=0 b=1 ;; *) a=1 b=0 ;; esac
pair() { if [ $a = 0 ]; then echo "$1,$2"; else echo "$2,$1"; fi; }
expect_stdout '{"base":"'"$base"'","fields":[{"conflict":true,"name":"priority","values":['"$(pair 4 1)"'],"winner":1,"writers":[0,1]},{"conflict":true,"name":"tags","values":['"$(pair '["y","z"]' '["a"]')"'],"winner":["a"],"writers":[0,1]},{"conflict":false,"name":"title","values":['"$(pair '"Water"' '"Wet"')"'],"winner":"Wet","writers":['$b']},{"conflict":false,"name":"deadline","todo":"'$D'","values":['"$(pair '"2025-03-03T08:00:00.000Z"' '"2025-03-02T08:00:00.000Z"')"'],"winner":"2025-03-03T08:00:00.000Z","writers":['$a']}],"heads":["'"$first"'","'"$second"'"],"task":"'$T'"}'
expect_untouched "$before" a
run redo -C a merge --check --task=$O
expect_status 0
expect_stdout ''
run redo -C a merge --check -z
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" 1 "NULs"

scene "--strategy decides what both sides wrote, and nothing else; it takes effect"
for how in 'lww {"priority":1,"tags":["a"]}' 'max {"priority":4}' 'min {"priority":1}' 'union {"tags":["a","x","y","z"]}'; do
  diverged
  strategy=${how%% *} fields=${how#* }
  # A union of tags has those of both heads.
  [ $strategy != union ] || fields='{"tags":["a","y","z"]}'
  run redo -C a merge --strategy=$strategy --task=$T --format='%(data)'
  expect_status 0
  names=$(sed 's/:[^,}]*\[[^]]*\]//g; s/:[^,}]*//g; s/[{}]//g' <<<"$fields")
  expect_stdout '{"conflictResolution":{"preservedFields":['"$names"'],"source":"manual","strategy":"'$strategy'"},"fields":'"$fields"'}'
  state a >"$OUT"
  for member in $(sed 's/[{}]//g; s/,"/\n"/g' <<<"$fields" | grep '^"priority'); do expect_stdout_has "$member"; done
done
diverged
head=$(redo -C a log --format='%(id)' --action=SNOOZE)
run redo -C a merge -s ours --ours="$head" -t $T --format='%(data)'
expect_stdout_has '"fields":{"priority":4,"tags":["y","z"]}'
diverged
head=$(redo -C a log --format='%(id)' --action=SNOOZE)
run redo -C a merge -s theirs --ours="$head" -t $T --format='%(data)'
expect_stdout_has '"fields":{"priority":1,"tags":["a"]}'
state a >"$OUT"
expect_stdout_has '"priority":1'

scene "--resolve decides a member by a value"
diverged
run redo -C a merge -t $T --resolve title='Both "wet"' --resolve-json priority=2 --format='%(data)'
expect_stdout '{"conflictResolution":{"preservedFields":["priority","title"],"source":"manual","strategy":"manual"},"fields":{"priority":2,"title":"Both \"wet\""}}'
state a >"$OUT"
expect_stdout_has '"priority":2'
expect_stdout_has '"title":"Both \"wet\""'
diverged
run redo -C a merge -t $T --resolve title=T -s max --format='%(data)'
expect_stdout_has '"strategy":"max"},"fields":{"priority":4,"title":"T"}'

scene "what both sides wrote to a todo stays with the last write, and that is said"
stores a b
commit a create -t $T --title=Water "$(at 0)"
commit a create-todo -t $T --todo=$D --deadline=2025-03-02T08:00:00.000Z "$(at 1)"
sync a b
commit a snooze -t $T --todo=$D --days=1 "$(at 2)"
commit b snooze -t $T --todo=$D --days=3 "$(at 3)"
sync b a
run redo -C a merge -t $T -s max
expect_status 0
expect_stderr_has "warning: what several sides wrote to a todo of task '$T' stays with the last of the writes"

scene "a task of 70 heads takes two merges"
stores a b
commit a create -t $T --title=Many "$(at 0)"
root=$(redo -C a rev-parse $T)
for number in $(seq 70); do
  redo -C a hash-object -w --update-heads --stdin >/dev/null <<END || fail "no node" </dev/null
{"action":"UPDATE","author":{"deviceId":"d","userId":"$(printf %032d 0)"},"data":{"fields":{"n$number":$number}},"parents":["$root"],"taskId":"$T","timestamp":{"lamport":2,"wall":"2025-03-01T09:00:00.$(printf %03d "$number")Z"},"version":1}
END
done
state a >before
run redo -C a merge --all "$(at 1)"
expect_status 0
expect_stderr_has "has 70 heads; the newest 64 were merged, and the same command goes on"
expect_equal "$(redo -C a log -n 1 --sort=order --format='%(parents)' | wc -w)" 64 "parents"
run redo -C a merge --all "$(at 2)"
expect_stderr ''
expect_equal "$(redo -C a show-ref "heads/$T" | wc -l)" 1 "heads"
state a >"$OUT"
expect_stdout_file before

scene "a head that a DELETE ends is no part of a conflict"
stores c d
commit c create -t $T --title=Water "$(at 0)"
sync c d
commit c update -t $T --priority=4 "$(at 1)"
commit d delete -t $T "$(at 2)"
sync d c
run redo -C c merge --check
expect_status 0
run redo -C c merge --all
expect_status 0
expect_stdout ''

scene "three replicas that write, sync and merge at random come to the same, and no member is lost"
stores a b c
RANDOM=4711
commit a create -t $T --title=Water "$(at 0)"
sync a b
sync a c
names=(a b c)
for round in $(seq 24); do
  one=${names[RANDOM % 3]} other=${names[RANDOM % 3]}
  case $((RANDOM % 4)) in
  0 | 1) commit "$one" update -t $T --field "r$round=$one" --priority=$((RANDOM % 5 + 1)) ;;
  2) [ "$one" = "$other" ] || sync "$one" "$other" ;;
  3) redo -C "$one" merge --all -q >/dev/null 2>"$ERR" || fail "a merge fails" <"$ERR" ;;
  esac
done
for _ in 1 2; do for one in a b c; do for other in a b c; do [ $one = $other ] || sync $one $other; done; done; done
redo -C b merge --all -q >/dev/null
sync b a
sync b c
for one in b c; do expect_equal "$(redo -C $one state --hash)" "$(redo -C a state --hash)" "the state of $one"; done
written=$(redo -C a log --action=UPDATE --format='%(data)' | grep -o '"r[0-9]*"' | sort -u | wc -l)
expect_equal "$(redo -C a state | grep -o '"r[0-9]*":' | sort -u | wc -l)" "$written" "members"
[ "$written" -gt 5 ] || fail "too little was written" </dev/null

scene "an unknown member with the name of another is none of a merge, and many heads have one order"
stores a b
commit a create -t $T --title=Water "$(at 0)"
sync a b
commit a --action=UPDATE -t $T --field completedAt=2025-01-01T00:00:00.000Z "$(at 1)"
commit b --action=COMPLETE -t $T --field completedAt=2025-03-01T00:00:00.000Z "$(at 2)"
sync b a
state a >before
run redo -C a merge --all --format='%(data)'
expect_status 0
expect_stdout_has '"fields":{"completedAt":"2025-03-01T00:00:00.000Z"}'
state a >"$OUT"
expect_stdout_file before

scene "two sides that together are too large for a node are merged all the same"
stores a b
commit a create -t $T --title=Water "$(at 0)"
sync a b
head -c 600000 /dev/zero | tr '\0' a >large
for store in a b; do
  printf '{"action":"UPDATE","fields":{"%s":"%s"},"taskId":"%s"}\n' $store "$(cat large)" $T | redo -C $store commit -q --stdin >/dev/null || fail "no change" </dev/null
done
sync b a
state a >before
run redo -C a merge --all
expect_status 0
state a >"$OUT"
expect_stdout_file before

scene "refusals"
diverged
before=$(fingerprint a)
for words in "" "$T --all" "--task=$T --all" "--all --resolve title=x" "--check --strategy=max --all" "--strategy=most --all" \
  "--all --ours=$T" "--all -s ours --ours=$T" "--task=$T --resolve title"; do
  # shellcheck disable=SC2086 # words
  run redo -C a merge $words
  expect_status 129
done
run redo -C a merge --task=99999999
expect_error 128 "no task begins with '99999999'"
run redo -C a merge --task=7a000000-0000-4000-8000-00000000000f
expect_error 128 "there is no task '7a000000-0000-4000-8000-00000000000f'"
run redo -C a merge -s ours --ours="$(redo -C a rev-parse $O)" --task=$T
expect_error 128 "is no living head of task '$T'"
run redo -C a merge --task=$T --resolve-json priority=high
expect_status 129
run redo -C a merge --task=$T --resolve priority=high
expect_status 1
expect_stderr_has "payload-type"
run redo -C a merge --task=$T --resolve archived=x
expect_status 1
expect_untouched "$before" a
rm a/.redo/keys/*
run redo -C a merge --all
[ "$STATUS" -ne 0 ] || fail "without a key" </dev/null
