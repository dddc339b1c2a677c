#!/bin/bash
# kill -9 of a wipe at the system calls by which it writes: the history is the old or the new one, what stays is whole,
# and the same command once more finishes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

make_family
for what in "--author=$USER_ID" --all; do
  stage "redo wipe $what" family /dev/null wipe -q --yes "$what"
  scene "$STAGE: killed at each of the calls that write"
  kills=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      strike signal=SIGKILL "$call" "$which"
      [ $STATUS -eq 0 ] || expect_status 137
      kills=$((kills + (STATUS == 137)))
      sound_wipe signal=SIGKILL "$call" "$which"
    done
  done 3< <(grep -wE "$WRITING" counts)
  ((kills > $(fewer 20))) || fail "only $kills runs were killed" </dev/null
done
