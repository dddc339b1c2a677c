#!/bin/bash
# kill -9 of redo repack and redo gc at the system calls by which they write: nothing is lost, and the same command
# once more does the rest.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Faults/pack.bash"
share 8

make_busy
for what in "repack -q" "repack -q -a" "gc -q --grace=0s"; do
  # shellcheck disable=SC2086 # words
  stage_packs $what
  scene "$STAGE: killed at each of the calls that write"
  kills=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      strike signal=SIGKILL "$call" "$which"
      [ $STATUS -eq 0 ] || expect_status 137
      kills=$((kills + (STATUS == 137)))
      sound_packs
    done
  done 3< <(grep -wE "$WRITING" counts)
  ((kills > $(fewer 15))) || fail "only $kills runs were killed" </dev/null
done
