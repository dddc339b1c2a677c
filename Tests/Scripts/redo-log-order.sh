#!/bin/bash
# redo log: the orders in which changes are shown, and what `show`, dates and `now` have to do with them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scene "after a commit, the newest change is the first one: in a store of 10,000 nodes, most with greater lamports"
make_store demo
gzip -dc "$DEMO" | redo -c core.fsync=none import -q >/dev/null
redo key generate -q >/dev/null 2>&1 || redo key generate >/dev/null 2>&1
id=$(redo commit -q create --title='The newest')
for cache in --cache --no-cache; do
  run redo log -n 1 $cache --format='%(id) %(lamport)'
  expect_status 0
  expect_stdout "$id 1"
  expect_stderr ''
done
run redo show --format='%(id)'
expect_stdout "$id"
run redo rev-parse now
expect_stdout "$id"
run redo log --until=now -n 1 --format='%(id)'
expect_stdout "$id"
# In the total order it is one of the first.
[ "$(redo log --sort=order --format='%(id)' | grep -n "$id" | cut -d: -f1)" -gt 9000 ] || fail "it is not far down" </dev/null
next=$(redo commit -q update --task="$(redo cat-node --format='%(task)' "$id")" --priority=2)
run redo log -n 2 --format='%(id)'
expect_stdout "$next
$id"

scene "a child comes before its parent, whatever its clock says"
make_store ../clocks
node() { # <wall> <lamport> <parent>...
  local wall=$1 lamport=$2 parents=''
  shift 2
  for parent; do parents+=${parents:+,}\"$parent\"; done
  echo "{\"action\":\"UPDATE\",\"author\":{\"deviceId\":\"d\",\"userId\":\"00000000000000000000000000000000\"},\"data\":{\"fields\":{\"priority\":$lamport}},\"parents\":[$parents],\"taskId\":\"7a000000-0000-4000-8000-000000000001\",\"timestamp\":{\"lamport\":$lamport,\"wall\":\"$wall\"},\"version\":1}" |
    redo hash-object -w --update-heads --stdin 2>/dev/null
}
first=$(node 2024-05-01T00:00:00.000Z 1)
late=$(node 2024-03-01T00:00:00.000Z 2 "$first")
other=$(node 2024-04-01T00:00:00.000Z 5)
run redo log --format='%(id)'
expect_stdout "$other
$late
$first"
run redo log --sort=-wall --format='%(id)'
expect_stdout "$first
$late
$other"
run redo log --sort=-wall -n 1 --format='%(id)'
expect_stdout "$first"
run redo log --sort=wall --reverse -n 1 --format='%(id)'
expect_stdout "$other"
run redo log --sort=lamport --format='%(id)'
expect_stdout "$other
$late
$first"

scene "a wall time that cannot be true: the log goes by it and says so once, show goes by the receipt"
future=$(node 2099-01-01T00:00:00.000Z 3 "$late")
run redo log --format='%(id)'
expect_stdout "$future
$other
$late
$first"
expect_stderr "warning: a change has a wall time that cannot be true: wall-implausible"
past=$(node 1970-01-02T00:00:00.000Z 6 "$other")
run redo log --format='%(id)'
expect_stderr "warning: 2 changes have wall times that cannot be true: wall-implausible"
run redo log -q --format='%(id)'
expect_stderr ''
# Only what is walked is counted.
run redo log -n 1 --format='%(id)'
expect_stdout "$future"
expect_stderr "warning: a change has a wall time that cannot be true: wall-implausible"
run redo log -n 1 --format='%(id)' "$first"
expect_stderr ''
run redo show --format='%(id)'
expect_stdout "$past"
now=$(node "$(date -u +%FT%T.999Z)" 4 "$future")
run redo show --format='%(id)'
expect_stdout "$now"
# Dates go by wall time, as the log does.
run redo rev-parse 2024-12-31
expect_stdout "$late"
run redo log --until=2024-12-31 -n 1 --format='%(id)'
expect_stdout "$late"

scene "redo verify warns of them"
run redo verify
expect_status 0
expect_stdout_has "wall-implausible"
grep -q "$past.*it says 1970-01-02T00:00:00.000Z and was received at 2" "$OUT" || fail "the past is not named" <"$OUT"
grep -q "$future.*it says 2099-01-01T00:00:00.000Z" "$OUT" || fail "the future is not named" <"$OUT"
expect_equal "$(grep -c wall-implausible "$OUT")" 2 "rows about clocks"

scene "an empty history has no newest change"
make_store ../empty
run redo show
expect_error 128 "the history is empty"
run redo log
expect_status 0
expect_stdout ''

scene "orders that there are not, and where none can be chosen"
for sort in '' walls -- -size; do
  run redo log --sort="$sort"
  expect_status 129
  expect_stdout ''
  expect_stderr_has "error: '$sort' is no order of a log"
done
run redo log --sort=recieved
expect_stderr_has "hint: did you mean 'received'?"
run redo log --graph --sort=-wall
expect_status 129
expect_stderr_has "error: '--graph' draws from the newest change on"

scene "every order of random histories is the one of its definition, with filters, counts and points in time"
if command -v python3 >/dev/null; then
  cd .. || exit
  run python3 "$TESTS/Scripts/log-order.py" "$SEED" "$([ -n "$SOAK" ] && echo 500 || echo 25)"
  expect_status 0
  expect_stderr ''
else
  skip "python3 is missing"
fi
