#!/bin/bash
# kill -9 of a wipe of packed nodes, and an error, at the system calls by which it writes: the history is the old or the
# new one, what stays is whole, and the same command once more finishes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

make_family
redo -C family repack -q
stage "redo wipe" family /dev/null wipe -q --yes "--author=$USER_ID"
for fault in signal=SIGKILL error=EIO; do
  scene "$STAGE of packed nodes: $fault at each of the calls that write"
  struck=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      strike $fault "$call" "$which"
      if [ $STATUS -ne 0 ]; then
        [ $fault = error=EIO ] || expect_status 137
        struck=$((struck + 1))
      fi
      sound_wipe $fault "$call" "$which"
    done
  done 3< <(grep -wE "$WRITING" counts)
  ((struck > $(fewer 20))) || fail "only $struck runs were struck" </dev/null
done
