#!/bin/bash
# redo update-ref: refs are changed together or not at all, and only if they are what was expected.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
LOG=$VECTORS/log/diverged.ndjson
redo import -q "$LOG" >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
OTHER=7a000000-0000-4000-8000-000000000002
A=sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
B=sha256:7f7438f41c4dac33bd078350faea0aaab9c259116dc3c06e2ce341a0c40f3c50
C=sha256:ad33bafc0aa6a5b5ddde1138fc1eef03eb1f0d5183821e33c487c090b4db4fd0
D=sha256:81eced38047d3692584ac1bfa920d5a86f9e5ab62dfd94480f666c475c4c0099
BELOW=$(redo rev-parse "$B~1")
ZERO=sha256:$(printf '%064d' 0)
ABSENT=sha256:$(printf '%064d' 7)
BLOB=$(printf 'some bytes' | redo hash-object -w -t blob --stdin)
value() { redo show-ref --format='%(id)' "$1" | paste -sd, -; }
# Lines as they come, for --stdin.
change() { run redo update-ref --stdin < <(printf '%s\n' "$@"); }

scene "a ref is made, moved and removed"
run redo update-ref tags/a "$A"
expect_status 0
expect_stdout ''
expect_stderr ''
expect_equal "$(value tags/a)" "$A" "the ref"
run redo-update-ref tags/a "$B" "$A"
expect_status 0
expect_equal "$(value tags/a)" "$B" "the ref"
run redo update-ref -d tags/a "${B#sha256:}"
expect_status 0
expect_equal "$(value tags/a)" "" "the ref"
run redo update-ref -d tags/a
expect_status 0

scene "a ref that moved: nothing is changed, the answer is no, and it is said where it is"
redo update-ref tags/a "$A"
BEFORE=$(fingerprint)
run redo update-ref tags/a "$B" "$C"
expect_error 1 "'tags/a' is at $A but was expected at $C"
run redo update-ref tags/a "$B" "$ZERO"
expect_error 1 "'tags/a' already exists, at $A"
run redo update-ref tags/a "$B" ''
expect_error 1 "'tags/a' already exists, at $A"
run redo update-ref tags/none "$B" "$C"
expect_error 1 "'tags/none' does not exist, but was expected at $C"
run redo update-ref -d tags/a "$C"
expect_error 1 "'tags/a' is at $A"
expect_untouched "$BEFORE"

scene "64 zeros, with or without the prefix, say that there is none"
run redo update-ref tags/new "$B" "${ZERO#sha256:}"
expect_status 0
run redo update-ref tags/new "$ZERO" "$B"
expect_status 0
expect_equal "$(value tags/new)" "" "the ref"

scene "values are revisions"
redo update-ref tags/new "$TASK@{now}~0" 2>/dev/null
run redo update-ref tags/new "$B~1"
expect_status 0
expect_equal "$(value tags/new)" "$BELOW" "the ref"
run redo update-ref tags/new tags/a tags/new
expect_status 0
expect_equal "$(value tags/new)" "$A" "the ref"
redo update-ref -d tags/new

scene "a ref may only name what is in the store"
BEFORE=$(fingerprint)
run redo update-ref tags/b "$ABSENT"
expect_error 1 "cannot update 'tags/b': object '$ABSENT' is not in the store"
run redo update-ref tags/b nonsense
expect_error 128 "not a valid object name 'nonsense'"
run redo update-ref tags/b "$TASK"
expect_status 128
expect_stderr_has "stands for 3 objects"
expect_untouched "$BEFORE"
run redo update-ref tags/b "$BLOB"
expect_status 0

scene "heads name nodes of their task"
BEFORE=$(fingerprint)
run redo update-ref "heads/$TASK" "$D"
expect_error 1 "'$D' is a node of the task '$OTHER'"
run redo update-ref "heads/-" "$D"
expect_error 1 "'$D' is a node of the task"
run redo update-ref "heads/$TASK" "$BLOB"
expect_error 1 "object '$BLOB' is not a node"
run redo update-ref heads/work "$D"
expect_error 1 "heads stand under the UUID of their task in lower case"
run redo update-ref "heads/${TASK/a/A}" "$A"
expect_error 1 "heads stand under the UUID of their task in lower case"
run redo update-ref "remotes/home/heads/$TASK" "$D"
expect_error 1 "'$D' is a node of the task"
run redo update-ref "remotes/home/heads/$OTHER" "$D"
expect_status 0
redo update-ref -d "remotes/home/heads/$OTHER"

scene "the several values of heads: 'update' and 'delete' are about all of them"
run redo update-ref "heads/$TASK" "$A" "$B"
expect_error 1 "is at $A,$B,$C but was expected at $B"
run redo update-ref "heads/$TASK" "$A,$C" "$C,$A,$B"
expect_status 0
expect_equal "$(value "heads/$TASK")" "$A,$C" "the heads"
run redo update-ref -d "heads/$TASK" "$A"
expect_error 1 "but was expected at $A"
run redo update-ref "heads/$TASK" "$A"
expect_status 0
expect_equal "$(value "heads/$TASK")" "$A" "the heads"
run redo update-ref tags/a "$A,$B"
expect_status 128

scene "'add' and 'remove' are about one of them"
change "add heads/$TASK $B" "add heads/$TASK $C"
expect_status 0
expect_equal "$(value "heads/$TASK")" "$A,$B,$C" "the heads"
change "add heads/$TASK $B"
expect_status 0
change "remove heads/$TASK $A"
expect_status 0
expect_equal "$(value "heads/$TASK")" "$B,$C" "the heads"
change "remove heads/$TASK $A"
expect_error 1 "'$A' does not stand under 'heads/$TASK'"
change "add heads/$TASK $A" "remove heads/$TASK $C"
expect_equal "$(value "heads/$TASK")" "$A,$B" "the heads"
change "add heads/$TASK $C"
change "add tags/a $B"
expect_error 128 "add tags/a: only one id can stand under this name"

scene "no head is an ancestor of another"
BEFORE=$(fingerprint)
change "add heads/$TASK $BELOW"
expect_error 1 "'$BELOW' is an ancestor of another head"
change "add heads/$TASK $(redo rev-parse "$A~3")"
expect_error 1 "is an ancestor of another head"
run redo update-ref "heads/$TASK" "$BELOW,$B"
expect_error 1 "'$BELOW' is an ancestor of another head"
expect_untouched "$BEFORE"
expect_equal "$(redo log --format='%(id)' | wc -l)" 16 "nodes in the history"

scene "a head may go back, and what is above it leaves the history"
redo update-ref "heads/$OTHER" "$D~2" "$D"
expect_equal "$(redo log --format='%(id)' | wc -l)" 14 "nodes in the history"
run redo update-ref "heads/$OTHER" "$D" "$D~2"
expect_status 0
expect_equal "$(redo log --format='%(id)' | wc -l)" 16 "nodes in the history"

scene "a head takes its ancestors with it into the history, and none may be missing"
redo init -q loose
redo -C loose hash-object -w --ndjson <"$LOG" >/dev/null
run redo -C loose update-ref "heads/$OTHER" "$D"
expect_status 0
expect_equal "$(redo -C loose log --format='%(id)' | wc -l)" 6 "nodes in the history"
run redo -C loose import -q "$LOG"
expect_stdout 10
expect_equal "$(redo -C loose log)" "$(redo log)" "the history"
redo init -q torn
redo -C torn hash-object -w --ndjson < <(grep -v '"lamport":3,' "$LOG") >/dev/null
BEFORE=$(fingerprint torn)
run redo -C torn update-ref "heads/$OTHER" "$D"
expect_error 1 "parent-missing"
expect_untouched "$BEFORE" torn

scene "--stdin: many refs, one change, one entry of the reflog"
entries=$(redo reflog | wc -l)
change "create tags/1 $A" "update tags/2 $B" "update tags/3 $C $ZERO" "delete tags/a $A" "verify tags/b $BLOB" "verify tags/none"
expect_status 0
expect_stdout ''
expect_equal "$(redo show-ref --format='%(name)' tags | paste -sd' ')" "tags/1 tags/2 tags/3 tags/b" "the refs"
expect_equal "$(redo reflog | wc -l)" $((entries + 1)) "entries"

scene "one ref that moved, and none is changed; every conflict is listed"
BEFORE=$(fingerprint)
change "update tags/4 $A" "update tags/2 $C $A" "create tags/1 $C" "verify tags/3 $A" "delete tags/none $A"
expect_status 1
expect_stdout ''
expect_stderr "error: 'tags/2' is at $B but was expected at $A
error: 'tags/1' already exists, at $A
error: 'tags/3' is at $C but was expected at $A
error: 'tags/none' does not exist, but was expected at $A"
expect_untouched "$BEFORE"

scene "of very many conflicts a hundred are named, and all are counted"
run redo update-ref --stdin < <(seq 150 | sed "s|.*|delete tags/none& $A|")
expect_status 1
expect_equal "$(grep -c '^error: ' "$ERR")" 100 "messages"
expect_stderr_has "hint: 150 changes are refused in all"
expect_untouched "$BEFORE"

scene "start, prepare, commit and abort are answered"
change start "update tags/4 $A" prepare commit start "update tags/5 $A" abort start commit
expect_status 0
expect_stdout 'start: ok
prepare: ok
commit: ok
start: ok
abort: ok
start: ok
commit: ok'
expect_equal "$(value tags/4),$(value tags/5)" "$A," "the refs"

scene "without start, lines are done at the end of the input; after it, only by commit"
change "update tags/5 $A"
expect_equal "$(value tags/5)" "$A" "the ref"
change start "update tags/6 $A"
expect_status 0
expect_stdout 'start: ok'
change start "update tags/6 $A" prepare
expect_status 0
expect_equal "$(value tags/6)" "" "the ref"
change "update tags/6 $A" start "update tags/7 $A"
expect_equal "$(value tags/6)$(value tags/7)" "" "the refs"
change "update tags/6 $A" abort
expect_status 0
expect_equal "$(value tags/6)" "" "the ref"

scene "a line that makes no sense: nothing of its transaction is done"
BEFORE=$(fingerprint)
while IFS='|' read -r line text; do
  change "create tags/8 $A" "$line"
  expect_error 128 "$text"
done <<END
|empty command in input
 update tags/9 $A|whitespace before command
bogus|unknown command: 'bogus'
updtae tags/9 $A|unknown command
update|unknown command: 'update'
start now|unknown command
update |update: missing <ref>
update tags/9|update tags/9: missing <new>
update tags $A|update: invalid name of a ref: 'tags'
update tags/9 $A $B $C|update tags/9: extra input: ' $C'
update tags/9 zz|update tags/9: not a valid object name 'zz'
update tags/9 $A zz|update tags/9: not a valid object name 'zz'
create tags/9 $ZERO|create tags/9: zero <new>
delete tags/9 $ZERO|delete tags/9: zero <old>
create tags/8 $A|multiple updates for the ref 'tags/8' are not allowed
verify tags/8 $A|multiple updates for the ref 'tags/8' are not allowed
option deref|option unknown: 'deref'
update "tags/9 $A|badly quoted argument
END
for lines in "start start" "start prepare start" "start prepare prepare" "commit commit" "abort commit" "commit prepare"; do
  # shellcheck disable=SC2086 # words
  run redo update-ref --stdin < <(printf '%s\n' $lines)
  expect_status 128
done
run redo update-ref --stdin < <(printf 'create tags/8 %s\ncreate tags/9 %s' "$A" "${A:0:40}")
expect_error 128 "unexpected end of input in line 2"
expect_untouched "$BEFORE"

scene "fields may be quoted as in C, and -z needs no quotes"
run redo update-ref --stdin <<<"create \"tags/caf\\303\\251\" \"$A\""
expect_status 0
expect_equal "$(value tags/café)" "$A" "the ref"
run redo update-ref --stdin -z < <(printf '%s\0' "update tags/café" "$B" "$A" "create tags/z" "$A" start "delete tags/1" '' "verify tags/2" "$B" \
  "add heads/$TASK" "$C" "option no-deref" commit)
expect_status 0
expect_stdout 'start: ok
commit: ok'
expect_equal "$(value tags/café),$(value tags/z),$(value tags/1)" "$B,$A," "the refs"
run redo update-ref --stdin -z < <(printf '%s\0' "update tags/café" "$A" "")
expect_status 0
for fields in "update tags/x" "create tags/x" "delete tags/x" "add heads/$TASK"; do
  run redo update-ref --stdin -z < <(printf '%s\0' "$fields")
  expect_error 128 "unexpected end of input"
done
run redo update-ref --stdin -z < <(printf '%s\0' "create tags/x" "")
expect_error 128 "missing <new>"

scene "--batch-updates: what can be done is done, and there is a row for the rest"
run redo update-ref --stdin --batch-updates < <(printf '%s\n' "update tags/2 $A $A" "create tags/z $B" "create tags/more $B" \
  "delete tags/none $A" "update tags/3 $ABSENT" "update heads/$TASK $D")
expect_status 0
expect_stdout "rejected tags/2 $A $A incorrect old value provided
rejected tags/z $B $ZERO reference already exists
rejected tags/none $ZERO $A reference does not exist
rejected tags/3 $ABSENT $ZERO invalid new value provided
rejected heads/$TASK $D $ZERO invalid new value provided"
expect_equal "$(grep -c '^error: ' "$ERR")" 5 "messages"
expect_equal "$(value tags/more),$(value tags/3)" "$B,$C" "the refs"
run redo update-ref --stdin --batch-updates --strict <<<"create tags/z $B"
expect_status 1
run redo update-ref --stdin --batch-updates --strict <<<"create tags/y $B"
expect_status 0

scene "prepare holds the lock until commit or abort; readers do not ask for it"
coproc PREPARED { redo update-ref --stdin; }
at_exit "kill $PREPARED_PID"
ask() {
  printf '%s\n' "$@" >&"${PREPARED[1]}"
  read -r -t 10 answer <&"${PREPARED[0]}" || fail "no answer to '$*'" </dev/null
}
ask start
ask "update tags/held $A" prepare
expect_equal "$answer" "prepare: ok" "the answer"
run redo -c core.lockTimeout=100 update-ref tags/other "$A"
expect_error 75 "is locked by another process"
run redo show-ref tags/z
expect_status 0
ask commit
expect_equal "$answer" "commit: ok" "the answer"
run redo -c core.lockTimeout=100 update-ref tags/other "$A"
expect_status 0
ask start
ask "update tags/held $B $A" prepare
pid=$PREPARED_PID
kill -9 "$pid"
wait "$pid" 2>/dev/null
run redo -c core.lockTimeout=1000 update-ref tags/other "$B"
expect_status 0
expect_equal "$(value tags/held)" "$A" "the ref of the writer that was killed"

scene "an interrupt while it waits for more lines: nothing is done"
mkfifo lines
redo update-ref --stdin <lines >"$OUT" 2>"$ERR" &
pid=$!
exec {hold}>lines
echo "create tags/interrupted $A" >&"$hold"
settled "$pid"
kill -TERM "$pid"
wait "$pid"
STATUS=$?
exec {hold}>&-
expect_status 143
expect_stderr ''
expect_equal "$(value tags/interrupted)" "" "the ref"

scene "the reason is kept in the reflog, on one line"
redo update-ref -m $'because\nof \\ it' tags/why "$A"
run redo reflog -n 1 tags/why
expect_stdout "${A:7:12} tags/why@{0}: because\\x0aof \\ it"
redo update-ref tags/why "$B"
run redo reflog -n 1 tags/why
expect_stdout "${B:7:12} tags/why@{0}: update-ref"
run redo update-ref -m '' tags/why "$C"
expect_status 129

scene "no change at all makes no entry"
entries=$(redo reflog | wc -l)
redo update-ref tags/why "$B" "$B"
change "verify tags/why $B"
change ''
redo update-ref --stdin </dev/null
expect_equal "$(redo reflog | wc -l)" "$entries" "entries"

scene "a store that may only be read, and no store"
if can_be_nobody; then
  chmod -R a+rX .
  run as_nobody redo -c safe.directory='*' -c safe.store='*' update-ref tags/ro "$A"
  expect_error 128 "ermission denied"
fi
run redo -C / update-ref tags/ro "$A"
expect_error 128 "not a redo repository"

scene "answers that cannot be written are fatal; what was answered before is there"
run bash -c "printf '%s\n' start 'create tags/full $A' commit | redo update-ref --stdin >/dev/full"
expect_error 128 "write error"
expect_equal "$(value tags/full)" "" "the ref"

scene "mistakes in the command line"
for words in '' 'tags/a' 'tags/a b c d' '-d' '-d a/b c d' '--stdin a/b' '--stdin -d' '-z a/b c' '--batch-updates a/b c' \
  '--stdin --strict' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo update-ref $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-update-ref"
done
run redo update-ref 'a..b' "$A"
expect_error 128 "invalid name of a ref: 'a..b'"
run redo update-ref 'tags/@{' "$A"
expect_error 128 "invalid name of a ref: 'tags/@{'"
expect_clean
