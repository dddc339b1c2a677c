#!/bin/bash
# Nodes leave the store for an archive, and come back: killed and refused at each system call that writes, two at once,
# on a full disk, and beside readers. Nothing is lost, and the next run goes on.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

make_family
redo -C family log --format='%(wall)' | sort >walls
RUN=""
MIDDLE=$(sed -n "$(($(wc -l <walls) / 2))p" walls)
stored family >old.objects
COUNT=$(wc -l <old.objects)
STATE=$(redo -C family state --no-cache --hash)
cp -r family packed
redo -C packed repack -q >/dev/null || fail "repack fails" </dev/null
# A store that has its nodes twice: in a pack without signatures, and loose with them.
redo init -q mixed
sed 's/,"signature":"[0-9a-f]*"//' family.ndjson >unsigned.ndjson
redo -C mixed import -q "$PWD/unsigned.ndjson" >/dev/null && redo -C mixed repack -q >/dev/null || fail "repack fails" </dev/null
redo -C mixed import -q "$PWD/family.ndjson" >/dev/null || fail "import fails" </dev/null
stored mixed | cmp -s - old.objects || fail "the signatures are not taken" </dev/null
[ "$(objects mixed)" -gt 0 ] || fail "the better copies are not loose" </dev/null

# nothing_lost: every node is there, with its signature, and the history reads as before.
nothing_lost() {
  local command="$RUN"
  run stored struck
  RUN="$command, then redo cat-node"
  expect_status 0
  cmp -s "$OUT" old.objects || fail "an object is lost or another one" < <(diff "$OUT" old.objects | head -5)
  RUN="$command, then redo log"
  history struck >now.history
  cmp -s now.history old.history || fail "the history is another one" < <(diff now.history old.history | head -5)
  RUN="$command, then redo state"
  expect_equal "$(redo -C struck state --no-cache --hash)" "$STATE" "the state"
  RUN="$command"
}
inside() {
  local pack count
  count=$(objects struck)
  for pack in struck/.redo/objects/pack/*.pack; do
    [ ! -e "$pack" ] || count=$((count + $(redo archive list "$pack" | cut -d ' ' -f 2)))
  done
  echo "$count"
}
strike_once() { # strike_once <what strace injects>...
  { strace -qq -f -o /dev/null "$@" "$REDO_BIN" -C struck "${COMMAND[@]}" >printed 2>"$ERR" </dev/null; } 2>/dev/null
  STATUS=$?
}
count_calls() {
  copy_store
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" >printed 2>"$ERR" </dev/null || fail "'${COMMAND[*]}' fails undisturbed" <"$ERR"
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
}
# each_strike <check>: kills and refuses each of the calls, and checks after it.
each_strike() {
  local count call which fault kills=0 failed=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      for fault in signal=SIGKILL error=EIO error=ENOSPC; do
        copy_store
        RUN="redo ${COMMAND[*]}   with $call:$fault:when=$which"
        strike_once -e "trace=$call" -e "inject=$call:$fault:when=$which"
        case $fault in
        signal*) kills=$((kills + (STATUS == 137))) ;;
        *)
          if [ $STATUS -ne 0 ]; then
            [ $STATUS -eq 128 ] || [ $STATUS -eq 75 ] || expect_status 128
            failed=$((failed + 1))
            [ "$call" = write ] && [ ! -s "$ERR" ] || expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
          fi
          ;;
        esac
        nothing_lost
        "$1"
      done
    done
  done 3<counts
  ((kills > $(fewer 15))) || fail "only $kills runs were killed" <counts
  ((failed > $(fewer 15))) || fail "only $failed runs failed" <counts
  RUN=''
}

# What was begun is finished by the next run, and then nothing of it is in the store.
removed() {
  rm -rf struck/again
  redo -C struck archive create -q -f --remove "${LIMIT[@]}" -o out.pack >"$OUT" 2>"$ERR"
  STATUS=$?
  [ $STATUS -eq 128 ] && grep -q 'are in registered archives, not in the store' "$ERR" || expect_status 0
  expect_equal "$(inside)" "$LEFT" "the nodes in the store after '$RUN'"
  expect_equal "$(redo -C struck archive list | cut -d ' ' -f 6 | sort -u)" present "the states after '$RUN'"
  nothing_lost
}

for STORE in family packed mixed; do
  for LIMIT in "" "--before=$MIDDLE"; do
    read -ra LIMIT <<<"$LIMIT"
    COMMAND=(archive create -q --remove "${LIMIT[@]}" -o out.pack)
    scene "$STORE: redo ${COMMAND[*]%%.*}, struck at each of its calls"
    copy_store
    ALL=$(inside)
    count_calls
    nothing_lost
    LEFT=$(inside)
    [ "$LEFT" -lt "$ALL" ] || fail "nothing has left the store" </dev/null
    each_strike removed
  done
done

scene "restore, struck at each of its calls"
redo -C packed archive create -q --remove -o "$PWD/all.pack" >/dev/null || fail "create fails" </dev/null
restored() {
  redo -C struck archive restore -q "$PWD/all.pack" >"$OUT" 2>"$ERR"
  STATUS=$?
  [ $STATUS -eq 128 ] && grep -q 'no registered archive has the name' "$ERR" || expect_status 0
  mv all.pack all.away
  nothing_lost
  mv all.away all.pack
  expect_equal "$(redo -C struck archive list)" '' "the registered archives"
}
STORE=packed
COMMAND=(archive restore -q "$PWD/all.pack")
count_calls
nothing_lost
each_strike restored

scene "register and forget, struck at each of their calls"
cp -r family registered
redo -C registered archive register -q all.pack >/dev/null 2>&1 && fail "a path is not relative to the store" </dev/null
COMMAND=(archive register -q "$PWD/all.pack")
STORE=family
count_calls
nothing() { :; }
WRITES=$(wc -l <counts)
while read -r count call <&3; do
  for which in $(places "$count"); do
    for fault in signal=SIGKILL error=EIO; do
      copy_store
      RUN="redo ${COMMAND[*]}   with $call:$fault:when=$which"
      strike_once -e "trace=$call" -e "inject=$call:$fault:when=$which"
      nothing_lost
      redo -C struck "${COMMAND[@]}" >/dev/null || fail "it does not work any more" </dev/null
      expect_equal "$(redo -C struck archive list | wc -l)" 1 "the registered archives"
      strike_once -e "trace=$call" -e "inject=$call:$fault:when=$which"
      COMMAND=(archive forget -q "$PWD/all.pack")
      strike_once -e "trace=$call" -e "inject=$call:$fault:when=$which"
      nothing_lost
      redo -C struck "${COMMAND[@]}" >/dev/null 2>"$ERR" || grep -q 'no registered archive' "$ERR" || fail "it does not work any more" <"$ERR"
      expect_equal "$(redo -C struck archive list)" '' "the registered archives"
      COMMAND=(archive register -q "$PWD/all.pack")
    done
  done
done 3<counts
RUN=''

scene "two at once: one of them takes the nodes, the other finds none"
for _ in 1 2 3; do
  STORE=family
  copy_store
  redo -C struck archive create -q --remove -o one.pack >one.out 2>one.err &
  first=$!
  redo -C struck archive create -q --remove -o two.pack >two.out 2>two.err
  second=$?
  wait $first
  first=$?
  [ $((first + second)) -eq 128 ] || fail "the statuses are $first and $second" <one.err
  expect_equal "$(inside)" 0 "the nodes in the store"
  nothing_lost
done

scene "readers beside removals and restores miss nothing"
STORE=packed
redo -C packed archive restore -q "$PWD/all.pack" >/dev/null || fail "restore fails" </dev/null
rm all.pack
copy_store
cut -d ' ' -f 1 old.objects >ids
: >readers
(
  while [ ! -e stop ]; do redo -C struck cat-node --batch-check='%(id) %(signature)' <ids | cmp -s - old.objects || echo lost >>readers; done
) &
loop=$!
# One reader that lives all the time, and asks now and then.
(
  while [ ! -e stop ]; do
    cat ids
    sleep 0.05
  done
) | redo -C struck cat-node --batch-check='%(id) %(signature)' >long &
long=$!
for round in 1 2 3 4 5 6 7 8 9 10; do
  redo -C struck archive create -q --remove -o "$round.pack" >/dev/null || fail "create fails" </dev/null
  redo -C struck archive restore -q "$round.pack" >/dev/null || fail "restore fails" </dev/null
  rm "struck/$round.pack"
done
touch stop
wait $loop $long
[ ! -s readers ] || fail "a reader has missed something" <readers
sort -u long | cmp -s - <(sort -u old.objects) || fail "the long reader has missed something" < <(sort -u long | diff - <(sort -u old.objects) | head)
expect_equal "$(inside)" "$COUNT" "the nodes in the store"

scene "a full disk: one clear error, and nothing is lost"
mkdir disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=2m,mode=755 none disk 2>/dev/null; then
  skip "only root can mount a small disk"
  exit 0
fi
at_exit "umount '$PWD/disk'"
redo init -q disk
demo 1500 | redo -C disk -c core.fsync=none import -q - >/dev/null 2>&1 || redo -C disk import -q <(demo 1500) >/dev/null || fail "import fails" </dev/null
stored disk >disk.objects
redo -C disk archive create -q --remove -o "$PWD/disk.pack" >/dev/null || fail "create fails" </dev/null
head -c 3m /dev/zero >disk/filler 2>/dev/null
run redo -C disk archive restore -q "$PWD/disk.pack"
expect_error 128 "no space left on device"
stored disk | cmp -s - disk.objects || fail "something is lost" </dev/null
expect_equal "$(temporaries disk)" 0 "unfinished files"
rm disk/filler
redo -C disk archive restore -q "$PWD/disk.pack" >/dev/null || fail "it does not work with room" </dev/null
head -c 3m /dev/zero >disk/filler 2>/dev/null
run redo -C disk archive create -q --remove -o out.pack
expect_error 128 "no space left on device"
stored disk | cmp -s - disk.objects || fail "something is lost" </dev/null
expect_equal "$(temporaries disk)" 0 "unfinished files"
