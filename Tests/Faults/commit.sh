#!/bin/bash
# redo commit, and redo merge and revert, which write as it does, killed at each of their system calls, and with each of
# them failing once: the history is the old one or the new one, what was printed is in it, and the next commit goes on
# from there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

TASK=550e8400-e29b-41d4-a716-446655440000
export REDO_AUTHOR_DATE=2026-01-02T03:04:05.678Z
redo init -q keyed
redo -C keyed key generate >/dev/null 2>&1
redo -C keyed commit -q create -t $TASK --title=x >/dev/null
cat >requests <<END
{"action":"UPDATE","taskId":"$TASK","fields":{"title":"y"}}
{"action":"CREATE","taskId":"7a000000-0000-4000-8000-000000000001","fields":{"title":"z"}}
{"action":"ARCHIVE","taskId":"$TASK"}
END
history keyed >old.history

# The history is one of two, everything in it is good, what was printed is there, and a commit can follow.
old_or_new() {
  local command="$RUN"
  run redo -C struck verify --all
  RUN="$command, then redo verify --all"
  expect_status 0
  ! grep -qv '^G ' "$OUT" || fail "a bad object" <"$OUT"
  run history struck
  RUN="$command, then redo log"
  expect_status 0
  cmp -s "$OUT" old.history || cmp -s "$OUT" expected.history || fail "the history is neither the old nor the new one" <"$OUT"
  ! grep -vqFxf "$OUT" printed || fail "a printed id is not in the history" <"$OUT"
  cp "$OUT" now.history
  run redo -C struck commit -q update -t $TASK --title=after --date=2026-02-02T00:00:00.000Z
  RUN="$command, then redo commit"
  expect_status 0
  history struck >"$WORK/.last/after"
  expect_equal "$(sort "$WORK/.last/after")" "$(sort now.history "$OUT")" "the history after '$RUN'"
  RUN=''
}

killed() {
  local count call which kills=0
  scene "$STAGE: killed at each of $(awk '{ sum += $1 } END { print sum }' counts) system calls"
  while read -r count call <&3; do
    # How often memory is asked for differs from run to run.
    [ "$call" != brk ] || continue
    for which in $(every 1 "$count"); do
      strike signal=SIGKILL "$call" "$which"
      expect_status 137
      kills=$((kills + 1))
      old_or_new
    done
  done 3<counts
  ((kills > $(fewer 50))) || fail "only $kills runs were killed" </dev/null
}

failing() {
  scene "$STAGE: each call that writes, opens or reads fails once"
  local count call which error before failures=0
  while read -r count call <&3; do
    before=$(before_main "$call")
    for error in $(errors_of "$call"); do
      for which in $(every $((before + 1)) "$count"); do
        strike "error=$error" "$call" "$which"
        if [ "$STATUS" -ne 0 ]; then
          failures=$((failures + 1))
          expect_status 128
          [ "$call" = write ] && [ ! -s "$ERR" ] ||
            expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        elif must_fail "$call"; then
          # What is only remembered may stay unwritten; then all the rest is there.
          case $call in write | pwrite64) ;; *) fail "it succeeds" <"$ERR" ;; esac
          history struck | cmp -s - expected.history || fail "it succeeds, and has done nothing" <"$ERR"
        fi
        old_or_new
      done
    done
  done 3<counts
  ((failures > $(fewer 10))) || fail "only $failures runs failed" </dev/null
}

stage "one commit" keyed /dev/null commit -q update -t $TASK --title=y
killed
failing
stage "three commits in one transaction" keyed requests commit -q --stdin
killed
failing

cp -r keyed other
redo -C other commit -q update -t $TASK --title=there >/dev/null
cp -r keyed diverged
redo -C diverged commit -q update -t $TASK --priority=5 >/dev/null
redo -C other log --json | redo -C diverged import -q >/dev/null
history diverged >old.history
stage "a merge" diverged /dev/null merge -q --all
killed
failing
cp -r keyed changed
redo -C changed commit -q update -t $TASK --title=wrong >/dev/null
history changed >old.history
stage "a revert" changed /dev/null revert -q "$(redo -C changed rev-parse $TASK)"
killed
