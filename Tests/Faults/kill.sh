#!/bin/bash
# kill -9 at every system call of every command that writes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

killed() {
  stage "$@"
  scene "$STAGE: killed at each of $(awk '{ sum += $1 } END { print sum }' counts) system calls"
  local count call which kills=0
  while read -r count call <&3; do
    for which in $(every 1 "$count"); do
      strike signal=SIGKILL "$call" "$which"
      # 137 is the kill; 0 where this thread made fewer of these calls.
      if [ "$STATUS" -ne 0 ]; then
        expect_status 137
        kills=$((kills + 1))
      fi
      sound
    done
  done 3<counts
  ((kills > $(fewer 50))) || fail "only $kills runs were killed" </dev/null
}

each_command killed
