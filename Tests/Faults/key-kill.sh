#!/bin/bash
# kill -9 at every system call of redo key generate, put, rotate, import and device-id.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"
share 8

killed() {
  stage "$@"
  # Before the directory of the keyring is made sure of, there is nothing to find half done.
  steps mkdirat | a_share_of_each >todo
  scene "key ${COMMAND[*]:1}: killed at each of $(wc -l <todo) system calls"
  local call which kills=0
  while read -r call which <&3; do
    strike signal=SIGKILL "$call" "$which"
    ENDED=$STATUS
    if [ "$STATUS" -ne 0 ]; then
      expect_status 137
      kills=$((kills + 1))
    fi
    sound_keys
  done 3<todo
  ((kills > $(fewer 20))) || fail "only $kills runs were killed" </dev/null
}

each_key_command killed
