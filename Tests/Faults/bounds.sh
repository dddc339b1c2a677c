#!/bin/bash
# What is small to send and large to take: memory stays below 200 MB and 3 times what is read, and time is bounded.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 1

scene "this needs python3 and GNU time"
if ! command -v python3 >/dev/null || ! [ -x /usr/bin/time ]; then
  skip "python3 or /usr/bin/time is missing"
  exit 0
fi
make_nodes() { python3 "$TESTS/Faults/bounds.py" "$@"; }

# within <kilobytes> <seconds> <redo arguments>...: no more memory, and no more time on a processor.
within() {
  local memory=$1 seconds=$2
  shift 2
  RUN="redo $*"
  /usr/bin/time -o used -f '%M %U %S' timeout 120 "$REDO_BIN" "$@" >"$OUT" 2>"$ERR"
  STATUS=$?
  sed -i '/^Command exited/d' used
  read -r used user system <used
  [ "$used" -le "$memory" ] || fail "it takes $used kB of $memory" <"$ERR"
  awk "BEGIN { exit !($user + $system <= $seconds) }" || fail "it takes $user + $system s of $seconds" <"$ERR"
}

scene "tasks that are made with 300,000 empty todos each: a state is 50 times as large as its node"
CREATES=2
[ -z "$SOAK" ] || CREATES=31
redo init -q todos
make_nodes todos $CREATES 300000 | redo -C todos import -q >/dev/null
LIMIT=$((200000 + 3 * CREATES * 1000))
for command in 'state --no-cache' 'state' 'state' 'state --hash' 'state --table' 'query tasks -q --as-of=2031-01-01'; do
  # shellcheck disable=SC2086
  within $LIMIT 60 -C todos $command
  expect_status 0
done

scene "a task with many heads: a commit reads each of them once"
HEADS=4000
[ -z "$SOAK" ] || HEADS=100000
redo init -q heads
redo -C heads key generate >/dev/null
make_nodes heads $HEADS | redo -C heads -c core.fsync=none import -q >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
within $((200000 + HEADS)) $((2 + HEADS / 20000)) -C heads -c core.fsync=none commit -q update -t $TASK --priority=1
expect_status 0
within $((200000 + HEADS)) $((2 + HEADS / 20000)) -C heads state
expect_status 0

scene "a megabyte that inflates to hundreds, under the name of a node"
redo init -q bomb
demo 20 | redo -C bomb import -q >/dev/null
ID=$(demo 10 | tail -1 | ids_of) OTHER=sha256:$(printf %064d 5)
MEGABYTES=400
[ -z "$SOAK" ] || MEGABYTES=1024
for kind in node blob; do
  make_nodes bomb bomb "$ID" $kind $MEGABYTES
  [ -z "$SOAK" ] || make_nodes bomb bomb "$OTHER" $kind $MEGABYTES
  for command in "log --no-cache" "state --no-cache" "cat-node $ID" verify \
    "cat-node --batch-check --batch-all-objects"; do
    # shellcheck disable=SC2086
    within 203000 60 -C bomb $command
    [ "$STATUS" -le 1 ] || [ "$STATUS" -eq 128 ] || fail "it ends with $STATUS" <"$ERR"
  done
done

scene "who looks for a node does not inflate what says that it is a huge blob; verify does, to say what it is"
make_nodes bomb bomb "$ID" blob $MEGABYTES
within 203000 60 -C bomb verify "$ID"
expect_status 1
total=$(awk "BEGIN { print $user + $system }")
for command in "log --no-cache" "state --no-cache"; do
  # shellcheck disable=SC2086
  within 203000 60 -C bomb $command
  expect_error 128 "the header claims a blob of $((MEGABYTES << 20)) bytes in place of a node"
  awk "BEGIN { exit !(4 * ($user + $system) <= $total) }" || fail "$user + $system s, as verify takes $total s" <"$ERR"
done
