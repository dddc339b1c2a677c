#!/bin/bash
# redo rev-parse: what names, dates and expressions stand for.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

make_store
LOG=$VECTORS/log/diverged.ndjson
redo import -q "$LOG" >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
OTHER=7a000000-0000-4000-8000-000000000002
A=sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
B=sha256:7f7438f41c4dac33bd078350faea0aaab9c259116dc3c06e2ce341a0c40f3c50
C=sha256:ad33bafc0aa6a5b5ddde1138fc1eef03eb1f0d5183821e33c487c090b4db4fd0
D=sha256:81eced38047d3692584ac1bfa920d5a86f9e5ab62dfd94480f666c475c4c0099
BASE=$(redo cat-node --format='%(parents)' "$A")
ZERO=sha256:$(printf '%064d' 0)
# is <revision> <id>
is() {
  run redo rev-parse "$1"
  expect_status 0
  expect_stdout "$2"
  expect_stderr ''
}
# is_not <revision> <text>
is_not() {
  run redo rev-parse "$1"
  expect_error 128 "$2"
}

scene "what stands for nothing is fatal, and the fault is named"
is_not abc "not a valid object name 'abc'"
is_not nonsense "not a valid object name 'nonsense'"
is_not tags/none "no ref has the name 'tags/none'"
is_not "heads/${TASK%1}9" "no ref has the name"
is_not ffffffff "no object has the name 'ffffffff'"
is_not '' "not a valid revision ''"
is_not '~1' "it names nothing"
is_not "$A^{node}" "'{node}' stands where '~' or '^' may stand"
is_not "$A~99999999999999999999" "a number is too large"
run redo rev-parse "sha256:$(echo "${A:7}" | tr a-f A-F)"
expect_status 128
expect_stderr_has "hint: "

scene "a whole id stands for itself, whether or not there is such an object"
is "$A" "$A"
is "${A#sha256:}" "$A"
is "$ZERO" "$ZERO"

scene "the beginning of an id, of 4 digits or more"
is "${A:0:17}" "$A"
is "${A:7:6}" "$A"
is "${A:7:4}" "$A"

scene "the name of a ref, and its short forms"
redo update-ref tags/one "$A"
redo update-ref "remotes/home/heads/$OTHER" "$D"
is tags/one "$A"
is one "$A"
is "heads/$OTHER" "$D"
is "$OTHER" "$D"
is "home/heads/$OTHER" "$D"
is "remotes/home/heads/$OTHER" "$D"
make_store tasks
demo 200 | redo import -q >/dev/null
task=$(redo show-ref --heads --format='%(task)' --count=1)
head=$(redo show-ref --heads --format='%(id)' --count=1)
for length in 36 24 19 14 9 8; do is "${task:0:length}" "$head"; done
is "$(echo "${task:0:9}" | tr a-f A-F)" "$head"
cd ..

scene "what fits several is never guessed: the candidates are listed"
is_not 7a00 "name '7a00' is ambiguous"
expect_stderr_has "hint:   heads/$TASK"
expect_stderr_has "hint:   heads/$OTHER"
is_not "$TASK" "'$TASK' stands for 3 objects"
for id in "$A" "$B" "$C"; do expect_stderr_has "hint:   $id 2025-03-01T08:0"; done
redo update-ref "tags/${A:7:5}" "$B"
is_not "${A:7:5}" "name '${A:7:5}' is ambiguous"
expect_stderr_has "hint:   tags/${A:7:5}"
expect_stderr_has "hint:   $A "
is "tags/${A:7:5}" "$B"
is "${A:7:6}" "$A"
redo update-ref "tags/${A:7:5}" "$A"
is "${A:7:5}" "$A"
redo update-ref -d "tags/${A:7:5}"
redo update-ref remotes/one "$B"
is_not one "name 'one' is ambiguous"
redo update-ref -d remotes/one

scene "ancestors: ~n first parents, ^n the parent of that number, one after the other"
make_store merged
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
merge=$(redo rev-parse "$TASK~1")
read -r first second < <(redo cat-node --format='%(parents)' "$merge")
is "$TASK^" "$merge"
is "$TASK^^" "$first"
is "$TASK^^1" "$first"
is "$TASK~2" "$first"
is "$merge^2" "$second"
is "$TASK^^2~1" "$(redo cat-node --format='%(parents)' "$second")"
is "$merge^0" "$merge"
is "$merge~0" "$merge"
is_not "$merge^3" "'$merge^3' names nothing: '$merge' has 2 parents"
is_not "$TASK^2" "has 1 parent"
is_not "$TASK~99" "has only 8 first ancestors"
is_not "$ZERO^" "object '$ZERO' is missing"
blob=$(printf 'some bytes' | redo hash-object -w -t blob --stdin)
is_not "$blob^0" "is a blob, not a node"
cd ..

scene "the past of a ref: so many changes ago"
redo update-ref tags/moving "$A"
redo update-ref tags/moving "$B"
redo update-ref tags/moving "$C"
is 'tags/moving@{0}' "$C"
is 'tags/moving@{1}' "$B"
is 'moving@{2}' "$A"
is 'tags/moving@{1}~1' "$(redo rev-parse "$B~1")"
is_not 'tags/moving@{3}' "the log of 'tags/moving' has only 3 changes"
is_not 'tags/none@{0}' "no ref has ever had the name 'tags/none'"
redo update-ref -d tags/moving
is 'tags/moving@{1}' "$C"
is_not 'tags/moving@{0}' "'tags/moving' did not exist at 'tags/moving@{0}'"
is_not "$TASK@{0}" "stands for 3 objects"

scene "the past of a ref: at an instant"
redo update-ref tags/moving "$D"
times=$(redo reflog --format='%(date)' tags/moving | tac)
at() { sed -n "$1p" <<<"$times"; }
is "tags/moving@{$(at 1)}" "$A"
is "tags/moving@{$(at 2)}" "$B"
is "tags/moving@{$(at 5)}" "$D"
is 'tags/moving@{now}' "$D"
is "tags/moving@{$(date -u +%F)}" "$D"
is_not "tags/moving@{$(at 4)}" "'tags/moving' did not exist at $(at 4)"
is_not 'tags/moving@{2020-01-01}' "'tags/moving' did not exist at 2020-01-01T23:59:59.999Z"
is_not 'tags/moving@{now-1y}' "did not exist at"
is_not 'tags/moving@{last week}' "'last week' is neither a number nor an instant"
is_not 'tags/moving@{2024-02-30}' "not a valid date '2024-02-30'"
is_not 'tags/moving@{1' "'@{' has no '}'"

scene "an instant alone: the first node that a log of all that is as old shows"
is now "$D"
is now "$(redo log -n 1 --format='%(id)')"
is 2025-03-01 "$D"
is 2025-03-01T08:05:00.000Z "$BASE"
is 2025-03-01T08:05:00Z "$BASE"
is "@$(date -u -d 2025-03-01T08:05:00Z +%s)" "$BASE"
is 2025-03-01T08:05:00.000Z~1 "$(redo rev-parse "$BASE~1")"
is_not 2025-02-28 "no change of the history is as old as 2025-02-28T23:59:59.999Z"
for text in 2025-13-01 2025-02-29 2025-03-01T08:05:00 2025-03-01T08:05:60Z now-7 now-7q @12x; do
  is_not "$text" "not a valid date '$text'"
  expect_stderr_has "hint: an instant is written"
done

scene "ranges: what to walk from, and after '^' what to leave out"
is "^$A" "^$A"
is "$BASE..$A" "$A
^$BASE"
is "$A...$B" "$A
$B
^$BASE"
is "$A...$A~1" "$A
$BASE
^$BASE"
is_not "$A.." "the range '$A..' lacks an end"
is_not "..$A" "lacks an end"
is_not '^' "'^' has no revision after it"

scene "--verify: one revision, one object; -q says nothing"
run redo rev-parse --verify "$OTHER~1"
expect_status 0
expect_stdout_lines 1
run redo rev-parse --verify -q "$OTHER"
expect_stdout "$D"
for text in nonsense tags/none "$TASK" "$A~99" "$A..$B" "^$A" 2025-13-01; do
  run redo rev-parse --verify -q "$text"
  expect_status 1
  expect_stdout ''
  expect_stderr ''
  run redo rev-parse --verify "$text"
  expect_status 128
  expect_stdout ''
done

scene "--short: digits enough for this object alone"
run redo rev-parse --short "$A" "^$D"
expect_stdout "${A:7:7}
^${D:7:7}"
run redo rev-parse --short=4 "$A"
expect_stdout "${A:7:4}"
make_store many
demo 2000 | redo -c core.fsync=none import -q >/dev/null
redo log --format='%(id)' | sort >ids
pair=$(cut -c 8-11 ids | uniq -d | head -1)
if [ -n "$pair" ]; then
  for id in $(grep "^sha256:$pair" ids); do
    run redo rev-parse --short=4 "$id"
    expect_equal "$(redo rev-parse "$(cat "$OUT")")" "$id" "the object of the short name"
    [ "$(wc -c <"$OUT")" -gt 5 ] || fail "it is too short" <"$OUT"
  done
else
  skip "no two of 2,000 ids begin alike"
fi
cd ..

scene "--symbolic-full-name: which ref is meant; --show-store: which store"
run redo rev-parse --symbolic-full-name one "$OTHER"
expect_stdout "tags/one
heads/$OTHER"
run redo rev-parse --symbolic-full-name none
expect_error 128 "no ref has the name 'none'"
mkdir -p below/it
run redo -C below/it rev-parse --show-store
expect_stdout "$PWD/.redo"
run redo --redo-dir=.redo rev-parse --show-store
expect_stdout "$PWD/.redo"
run redo -C / rev-parse --show-store
expect_error 128 "not a redo repository"

scene "commands that take ids take revisions"
run redo cat-node --format='%(id)' "$OTHER~1"
expect_stdout "$(redo rev-parse "$OTHER~1")"
run redo cat-node -t tags/one
expect_stdout node
run redo cat-node -e tags/none
expect_status 128
run redo cat-node -e ffffffff
expect_status 1
run redo log --format='%(id)' "$OTHER~1..$OTHER"
expect_stdout "$D"
run redo log --format='%(id)' "$TASK"
expect_equal "$(wc -l <"$OUT")" "10" "nodes of all heads of the task"
run redo log --format='%(id)' "$A...$C"
expect_equal "$(sort "$OUT")" "$(printf '%s\n' "$A" "$C" | sort)" "what only one of them has"
run redo log --format='%(id)' "^$A" "^$B" "^$D"
expect_stdout "$C"
run redo verify "$TASK"
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" "$A
$B
$C" "the ids"

scene "damaged refs keep nobody from reading an object by the beginning of its id"
cp -r .redo damaged.redo
printf 'x' | dd of=damaged.redo/refs bs=1 seek=40 conv=notrunc status=none
run redo --redo-dir=damaged.redo cat-node -t "${A:7:8}"
expect_stdout node
run redo --redo-dir=damaged.redo rev-parse tags/one
expect_error 128 "is corrupt"

scene "rows for programs: JSON, and NUL"
run redo rev-parse --json "$A" "^$A"
expect_status 0
expect_stdout "{\"id\":\"$A\"}
{\"excluded\":true,\"id\":\"$A\"}"
run redo rev-parse --json --short=64 "$A"
expect_stdout "{\"id\":\"$A\",\"short\":\"${A:7}\"}"
run redo rev-parse --json --symbolic-full-name tags/one
expect_stdout '{"name":"tags/one"}'
run redo rev-parse -z "$A" "^$A"
expect_equal "$(tr '\0' '!' <"$OUT")" "$A!^$A!" "rows"

scene "mistakes in the command line, and output that cannot be written"
for words in '' '--verify' '--verify a b' '--short=3 x' '--short=65 x' '--short=x y' '--short --symbolic-full-name x' \
  '--show-store x' '--show-store --verify' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo rev-parse $words
  expect_status 129
  expect_stdout ''
done
run bash -c "redo rev-parse $A >/dev/full"
expect_error 128 "write error"
