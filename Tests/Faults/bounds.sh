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
  sed -i '/^Command /d' used
  read -r used user system <used
  [ "$used" -le "$memory" ] || fail "it takes $used kB of $memory" <"$ERR"
  awk "BEGIN { exit !($user + $system <= $seconds) }" || fail "it takes $user + $system s of $seconds" <"$ERR"
}

scene "tasks that are made with 300,000 empty todos each: a state is 50 times as large as its node"
CREATES=5
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
HEADS=40000
[ -z "$SOAK" ] || HEADS=100000
redo init -q heads
redo -C heads key generate >/dev/null
make_nodes heads $HEADS | redo -C heads -c core.fsync=none import -q >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
within $((200000 + HEADS)) $((10 + HEADS / 20000)) -C heads -c core.fsync=none commit -q update -t $TASK --priority=1
expect_status 0
commit=$(awk "BEGIN { print $user + $system }")
within $((200000 + HEADS)) $((10 + HEADS / 20000)) -C heads state
expect_status 0
awk "BEGIN { exit !($commit <= 0.2 + 2 * ($user + $system)) }" ||
  fail "a commit takes $commit s, and a state $user + $system s" </dev/null

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

scene "refs with right hashes and numbers to which nothing can be added, or bytes that were never there"
for case in "entry 9223372036854775807" "generation 9223372036854775807" "received 3000000000"; do
  rm -rf refs
  redo init -q refs
  redo -C refs key generate >/dev/null 2>&1
  # shellcheck disable=SC2086
  make_nodes refs refs $case
  within 203000 20 -C refs commit -q create --title=x
  expect_error 128 "fatal: "
  within 203000 20 -C refs verify --repair-refs
  [ "$STATUS" -le 1 ] || fail "it ends with $STATUS" <"$ERR"
  within 203000 20 -C refs commit -q create --title=x
  expect_status 0
  redo -C refs verify >"$OUT" || fail "it is not mended" <"$OUT"
done

scene "a trust file of 50,000 keys that begin alike takes no longer than one of others"
redo init -q trust
demo 10 | redo -C trust import -q >/dev/null
for kind in others alike; do
  make_nodes trust 50000 $kind >trust/.redo/trust
  within 203000 60 -C trust trust list
  expect_status 0
  expect_stdout_lines 50000
  [ $kind = alike ] || others=$(awk "BEGIN { print $user + $system }")
done
awk "BEGIN { exit !($user + $system <= 0.3 + 3 * $others) }" || fail "$user + $system s, and $others s for others" </dev/null

# The pages of the executable count, too: from 6 to 20 MB, as the kernel keeps them. So what the same takes of a small archive is measured,
# which may be 24 MiB besides what an empty run takes.
scene "a large archive for a key is read in place: one node of it, in 6 MiB besides what a small one takes"
LARGE=32
[ -z "$SOAK" ] || LARGE=1024
EMPTY=$(/usr/bin/time -f %M "$REDO_BIN" --version 2>&1 >/dev/null)
redo age --generate -o large.key 2>/dev/null
ALLOWED=() # kilobytes of each command, from the small archive
for mebibytes in 1 $LARGE; do
  redo init -q large
  make_nodes large $mebibytes | redo -C large -c core.fsync=none import -q >/dev/null
  redo -C large archive create -q -r "$(redo age -y large.key)" -o "$PWD/large.age" >/dev/null
  [ "$(stat -c %s large.age)" -ge $((mebibytes << 20)) ] || fail "it is too small" < <(ls -l)
  ID=$(redo -C large log --format='%(id)' | tail -1)
  rm -rf large
  step=0
  for command in "archive show -i large.key large.age $ID" "age -d -i large.key -o large.pack large.age" \
    "age -r $(redo age -y large.key) -o again.age large.pack"; do
    # shellcheck disable=SC2086
    within "${ALLOWED[step]:-$((EMPTY + 24576))}" 120 $command
    expect_status 0
    [ "$mebibytes" -gt 1 ] || ALLOWED[step]=$((used + 6144))
    step=$((step + 1))
  done
  rm -f large.age large.pack again.age
done
