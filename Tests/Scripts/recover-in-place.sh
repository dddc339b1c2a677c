#!/bin/bash
# redo recover --in-place: the state of a day comes back by new changes, which no sync undoes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-000000000001
U=7c000000-0000-4000-8000-000000000002
N=7d000000-0000-4000-8000-000000000003
D=7b000000-0000-4000-8000-000000000001
# does <store> <day> <commit arguments>...
does() { redo -C "$1" commit -q --date="2025-03-0$2T08:00:00.000Z" "${@:3}" >/dev/null 2>"$ERR" || fail "redo commit fails" <"$ERR"; }
sync() { redo -C "$1" sync -q "$PWD/$2" >"$OUT" 2>"$ERR" || fail "they do not sync" <"$ERR"; }
state() { redo -C "$1" state -q "${@:2}" | sed 's/"lastUpdated":"[^"]*",//; s/"defaulted":\[[^]]*\],//'; }
for name in a b; do redo init -q $name && redo -C $name key generate >/dev/null 2>&1; done
does a 1 create -t $T --title=Water
does a 1 create-todo -t $T --todo=$D --title=can --deadline=2025-03-02T08:00:00.000Z
does a 1 create -t $U --title=Gone
state a >then

scene "what makes no sense is refused"
for words in "--to=2025-03-02 --in-place -o x" "--to=2025-03-02 --in-place --write-ref=x" "--to=2025-03-02 --in-place -f" \
  "--to=2025-03-02 --exact" "--to=2025-03-02 -m why" "--to=2025-03-02 --unsigned -o x" "--in-place"; do
  # shellcheck disable=SC2086 # words
  run redo -C a recover $words
  expect_status 129
  expect_stdout ''
done
run redo -C a recover --in-place --to=2024-01-01
expect_error 128 "no node precedes '2024-01-01'"

scene "a day like the present: nothing is written"
BEFORE=$(fingerprint a)
run redo -C a recover --in-place --to=2025-03-02
expect_status 0
expect_stdout ''
expect_stderr_has "recovered 0 tasks by 0 changes"
expect_untouched "$BEFORE" a

scene "a bad day: the plan is a diff, and changes nothing"
sync a b
does a 3 update -t $T --title=Wine --priority=5
does a 3 archive -t $T
does a 3 delete -t $U
does a 3 create -t $N --title=New
sync b a
BEFORE=$(fingerprint a)
run redo -C a recover --in-place --to=2025-03-02 -n
expect_status 0
expect_stdout <<ROWS
changed $T Water
    archived true -> false
    priority 5 -> 3
    title "Wine" -> "Water"
added $U Gone
    title "Gone"
ROWS
expect_stderr_has "would recover 2 tasks by 3 changes"
expect_stderr_has "kept 1 task that did not exist then; '--exact' deletes them"
expect_untouched "$BEFORE" a
run redo -C a recover --in-place --to=2025-03-02 -n --json -q
expect_status 0
expect_stderr ''
expect_stdout_has '{"new":"Water","old":"Wine","op":"replace","path":"/title","task":"'$T'"}'
expect_stdout_has '{"task":"'$N'","why":"made-since"}'

scene "it comes back, and stays after every sync, on the other device, too"
run redo -C a recover --in-place --to=2025-03-02 --format='%(action) %(data)'
expect_status 0
expect_stdout <<ROWS
UPDATE {"fields":{"priority":3,"title":"Water"}}
UNARCHIVE {"fields":{}}
UPDATE {"fields":{"title":"Gone"}}
ROWS
expect_equal "$(redo -C a reflog -n 1 | cut -d' ' -f3-)" "recover --in-place --to=2025-03-02T23:59:59.999Z (2 refs)" "the reflog"
sync a b
sync b a
for store in a b; do
  state $store | grep -v "$N" >"$OUT"
  expect_stdout_file then
  run redo -C $store verify --all --profile=sync
  expect_status 0
done
run redo -C a recover --in-place --to=2025-03-02
expect_status 0
expect_stdout ''

scene "one undo takes it back, with a DELETE of what was brought back; another does it again"
run redo -C b undo
expect_error 128 "nothing was written in this store that could be undone"
run redo -C a undo --format='%(action) %(data)'
expect_status 0
expect_stdout <<ROWS
UPDATE {"fields":{"priority":5,"title":"Wine"}}
ARCHIVE {"fields":{}}
DELETE {"fields":{}}
ROWS
sync b a
run redo -C b state
expect_stdout_has '"title":"Wine"'
expect_equal "$(grep -c "$U" "$OUT")" 0 "the deleted task"
run redo -C a undo -q
expect_status 0
state a | grep -v "$N" >"$OUT"
expect_stdout_file then

scene "--exact deletes what did not exist then; --task is about some tasks"
run redo -C a recover --in-place --to=2025-03-02 --task=$T --exact
expect_status 0
expect_stdout ''
run redo -C a recover --in-place --to=2025-03-02 --exact --format='%(action) %(task)'
expect_status 0
expect_stdout "DELETE $N"
state a >"$OUT"
expect_stdout_file then

scene "what no action takes back is listed, with 1; all else is done"
again=$(printf '%s' "$T/$D/again" | sha256sum | cut -c1-32 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/')
does a 4 complete-todo -t $T --todo=$D --completed=2025-03-04T08:00:00.000Z
does a 4 update -t $T --title=Beer --field colour=red
does a 4 create-todo -t $U --todo=7b000000-0000-4000-8000-000000000002
run redo -C a recover --in-place --to=2025-03-02 --format='%(action) %(data)'
expect_status 1
expect_stdout <<ROWS
UPDATE {"fields":{"title":"Water"}}
CREATE_TODO {"fields":{"deadline":"2025-03-02T08:00:00.000Z","title":"can","todoTaskId":"$again"}}
ROWS
expect_stderr_has "warning: cannot take back $T colour \"red\" -> none (first-value)"
expect_stderr_has "warning: cannot take back $T todo $D completed \"2025-03-04T08:00:00.000Z\" -> none (todo-replaced, in its place $again)"
expect_stderr_has "warning: cannot take back $U todo 7b000000-0000-4000-8000-000000000002 (todo-added)"
run redo -C a recover --in-place --to=2025-03-02
expect_status 1
expect_stdout ''

scene "two devices that recover at the same time make one todo, and one state"
rm -rf a b
for name in a b; do redo init -q $name && redo -C $name key generate >/dev/null 2>&1; done
does a 1 create -t $T --title=Water
does a 1 create-todo -t $T --todo=$D --title=can
does a 3 complete-todo -t $T --todo=$D --completed=2025-03-03T08:00:00.000Z
does a 3 delete -t $T
sync b a
for store in a b; do
  run redo -C $store recover --in-place -q --to=2025-03-02
  expect_status 1
done
sync a b
sync b a
expect_equal "$(redo -C b state --hash 2>/dev/null)" "$(redo -C a state --hash 2>/dev/null)" "the states"
run redo -C a state -q
expect_equal "$(grep -o "\"guid\":\"$again\"" "$OUT" | wc -l)" 1 "the todos in its place"

scene "without a key nothing is written"
redo init -q bare
redo -C a log --json | redo -C bare import -q >/dev/null 2>&1
BEFORE=$(redo -C bare log --format='%(id)')
run redo -C bare recover --in-place -q --exact --to=2025-03-03
expect_status 128
expect_equal "$(redo -C bare log --format='%(id)')" "$BEFORE" "the log"

scene "a branch that was deleted before the day stays deleted when another one comes back"
rm -rf a b
for name in a b; do redo init -q $name && redo -C $name key generate >/dev/null 2>&1; done
does a 1 create -t $T --title=Water
sync b a
does a 2 update -t $T --title=Wine --field x=1
does a 2 delete -t $T
does b 2 update -t $T --priority=5
sync a b
state a --as-of=2025-03-03 >then
does a 4 delete -t $T
run redo -C a recover --in-place --to=2025-03-03 --format='%(action) %(data)'
expect_status 0
expect_stdout 'UPDATE {"fields":{"title":"Water"}}'
state a >"$OUT"
expect_stdout_file then

scene "a task with more heads than a node has parents: --exact ends all of them, and an undo brings them back"
rm -rf a
redo init -q a && redo -C a key generate >/dev/null 2>&1
does a 1 create -t $U --title=Other
does a 3 create -t $T --title=Water
for number in {1..66}; do
  redo -C a commit -n -q --json update -t $T --field x="$number" --date=2025-03-03T09:00:00.000Z
done >heads.json
redo -C a import -q "$PWD/heads.json" >"$OUT" 2>"$ERR" || fail "they are not taken in" <"$ERR"
run redo -C a recover --in-place --to=2025-03-02 --exact --format='%(action)'
expect_status 0
expect_stdout "DELETE
DELETE"
run redo -C a state -q
expect_equal "$(grep -c "$T" "$OUT")" 0 "the task"
run redo -C a undo -q --format='%(action)'
expect_status 0
run redo -C a state -q
expect_equal "$(grep -c "$T" "$OUT")" 1 "the task"
run redo -C a verify --all --profile=sync
expect_status 0
