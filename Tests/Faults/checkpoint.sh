#!/bin/bash
# Checkpoints whose makers are killed, or whose system calls fail: the last one is the old one or the new one and holds, what is
# remembered outside of the store holds, and the same command once more does its work.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

make_family
redo -C family key generate >/dev/null 2>&1
REMEMBERED=$PWD/remembered
redo config set --user checkpoint.file "$REMEMBERED"
history family >old.history

# whole: the history is what it was, and everything that is kept or remembered of it holds.
whole() {
  local command="$RUN"
  run history struck
  RUN="$command, then redo log"
  expect_status 0
  cmp -s "$OUT" old.history || fail "the history is another" <"$OUT"
  run redo -C struck checkpoint verify
  RUN="$command, then redo checkpoint verify"
  # Where the name of the store is new and the ref is not yet, --new-log is needed once more.
  if [ "$STATUS" -ne 0 ] && [ "${COMMAND[2]:-}" = --new-log ]; then
    expect_status 1
    grep -q ' checkpoint-diverged it is of the log ' "$OUT" || fail "another difference" <"$OUT"
  else
    expect_status 0
    ! grep -qv '^[GP] ' "$OUT" || fail "a bad checkpoint" <"$OUT"
  fi
  local count
  count=$(redo -C struck checkpoint list | wc -l)
  [ "$count" -eq "$BEFORE" ] || [ "$count" -eq $((BEFORE + 1)) ] || fail "there are $count checkpoints" </dev/null
  if [ "$STATUS_OF_STRUCK" -eq 0 ]; then
    [ "$count" -eq $((BEFORE + 1)) ] || fail "an acknowledged checkpoint is lost" </dev/null
    cmp -s printed "$REMEMBERED" || fail "what is printed is not remembered" <printed
  fi
  RUN="$command, then once more"
  redo -C struck "${COMMAND[@]}" >again 2>"$ERR" || fail "it fails" <"$ERR"
  run redo -C struck checkpoint verify
  expect_status 0
  ! grep -qv '^[GP] ' "$OUT" || fail "a bad checkpoint" <"$OUT"
  cmp -s again "$REMEMBERED" || fail "it is not remembered" <again
  [ "$(redo -C struck checkpoint list | wc -l)" -gt "$BEFORE" ] || fail "none was made" </dev/null
  RUN=''
}

# each_call <calls, a regular expression>: killed and failing at each of them.
each_call() {
  local count call which error
  kills=0 failures=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      for error in signal=SIGKILL $(errors_of "$call" | sed 's/[A-Z0-9]*/error=&/g'); do
        [ "$error" = signal=SIGKILL ] || [ "$which" -gt "$(before_main "$call")" ] || continue
        rm -f "$REMEMBERED"
        [ ! -f old.remembered ] || cp old.remembered "$REMEMBERED"
        strike "$error" "$call" "$which"
        STATUS_OF_STRUCK=$STATUS
        [[ $STATUS == 0 || $STATUS == 137 || $STATUS == 128 ]] || expect_status 128
        kills=$((kills + (STATUS == 137))) failures=$((failures + (STATUS == 128)))
        # A first one of which only the file is lacking is made, and remembered with the next.
        if [ $BEFORE -eq 0 ] && [ ! -f "$REMEMBERED" ] && [ "$(redo -C struck checkpoint list | wc -l)" -gt 0 ]; then
          redo -C struck cat-node "$(redo -C struck checkpoint list | cut -d' ' -f1)" >"$REMEMBERED"
        fi
        whole
      done
    done
  done 3< <(grep -wE "$1" counts)
  ((kills > $(fewer 5) && (SHARE > 1 || failures > 3))) || fail "only $kills were killed, and $failures failed" </dev/null
}

scene "the first one, in a store of an earlier release"
sed -i '/id = /d' family/.redo/config
BEFORE=0
rm -f "$REMEMBERED" old.remembered
stage "redo checkpoint create" family /dev/null checkpoint create
each_call 'write|pwrite64|fsync|linkat|renameat|renameat2|ftruncate'

scene "another one"
rm -f "$REMEMBERED"
redo -C family checkpoint create >/dev/null || fail "none is made" </dev/null
cp "$REMEMBERED" old.remembered
BEFORE=1
stage "redo checkpoint create" family /dev/null checkpoint create
each_call 'write|pwrite64|fsync|linkat|renameat|renameat2|ftruncate'

scene "a new log: the name of the store changes before the ref does"
cp old.remembered "$REMEMBERED"
stage "redo checkpoint create --new-log" family /dev/null checkpoint create --new-log
each_call 'write|pwrite64|fsync|linkat|renameat|renameat2|ftruncate'
