#!/bin/bash
# Snapshots whose makers are killed, or whose system calls fail: the state stays what it is, nothing but the cache is touched,
# and the same command once more does its work.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

make_family
redo -C family state >plain 2>"$ERR"
LAST=$(redo -C family log -n 1 --skip=2 --format='%(id)')

# unharmed: the state and the history are what they were, and every snapshot left is good or known to be damaged.
unharmed() {
  local command="$RUN"
  expect_equal "$(fingerprint struck)" "$(fingerprint "$STORE")" "the store after '$command'"
  run redo -C struck state
  RUN="$command, then redo state"
  expect_status 0
  cmp -s "$OUT" plain || fail "another state" < <(diff plain "$OUT" | head)
  run redo -C struck snapshot verify
  RUN="$command, then redo snapshot verify"
  expect_status 0
  ! grep -qv ' good$' "$OUT" || fail "a bad snapshot" <"$OUT"
  RUN="$command, then once more"
  redo -C struck "${COMMAND[@]}" >"$OUT" 2>"$ERR" || fail "it fails" <"$ERR"
  cmp -s "$OUT" printed.whole || fail "it prints something else" < <(diff printed.whole "$OUT" | head)
  redo -C struck snapshot list | cut -d' ' -f1-4 | cmp -s - listed || fail "other snapshots" < <(redo -C struck snapshot list)
  RUN=''
}

# each_call <calls, a regular expression>: killed and failing at each of them.
each_call() {
  local count call which error
  cp printed printed.whole
  redo -C struck snapshot list | cut -d' ' -f1-4 >listed
  kills=0 failures=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      strike signal=SIGKILL "$call" "$which"
      [ $STATUS -eq 0 ] || expect_status 137
      kills=$((kills + (STATUS == 137)))
      unharmed
      for error in $(errors_of "$call"); do
        # Before the program itself begins, such an error is no error of the program.
        [ "$which" -gt "$(before_main "$call")" ] || continue
        strike "error=$error" "$call" "$which"
        if [ $STATUS -ne 0 ]; then
          [[ $STATUS == 128 || $STATUS == 1 ]] || expect_status 128
          failures=$((failures + 1))
        elif [ "${COMMAND[1]:-}" != drop ]; then
          cmp -s printed printed.whole || fail "'$RUN' prints something else" <printed
        fi
        unharmed
      done
    done
  done 3< <(grep -wE "$1" counts)
}

scene "create: at each of the calls that write"
stage "redo snapshot create" family /dev/null snapshot create
each_call "$WRITING"
((kills > $(fewer 5) && (SHARE > 1 || failures > 3))) || fail "only $kills were killed, and $failures failed" </dev/null

scene "create on top of another, in a store that has one"
cp -r family second
redo -C second snapshot create -q --as-of="$LAST" >/dev/null || fail "no snapshot is made" </dev/null
stage "redo snapshot create" second /dev/null snapshot create
each_call "$WRITING|openat|mmap"
((kills > $(fewer 5) && (SHARE > 1 || failures > 3))) || fail "only $kills were killed, and $failures failed" </dev/null

scene "state, which notes that a snapshot is of the whole history: whatever of that fails, it prints the same"
redo -C second snapshot create >/dev/null
rm second/.redo/cache/snapshots/current
stage "redo state" second /dev/null state
[ -f struck/.redo/cache/snapshots/current ] || fail "nothing is noted" </dev/null
each_call 'write|renameat|renameat2|linkat|fcntl'
((kills > $(fewer 1))) || fail "only $kills were killed" </dev/null

scene "drop: at each of the calls that remove"
stage "redo snapshot drop" second /dev/null snapshot drop -q --all
each_call 'unlinkat'
((kills > $(fewer 1) && (SHARE > 1 || failures > 1))) || fail "only $kills were killed, and $failures failed" </dev/null
