#!/bin/bash
# Every system call by which redo repack and redo gc write fails once: one clear error or success, nothing is lost, and
# the same command once more does the rest. So do calls that read.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Faults/pack.bash"
share 8

reading='openat|pread64|getdents64|read'
make_busy
for what in "repack -q" "gc -q --grace=0s"; do
  # shellcheck disable=SC2086 # words
  stage_packs $what
  scene "$STAGE: each of the calls that write, and some that read, fails once"
  failed=0
  while read -r count call <&3; do
    for error in $(errors_of "$call" | cut -d' ' -f1-2); do
      before=0
      ! grep -qwE "$reading" <<<"$call" || before=$(before_main "$call")
      for which in $(places $((count - before))); do
        strike "error=$error" "$call" $((which + before))
        if [ $STATUS -ne 0 ]; then
          # What cannot be read may be damaged: 1; the lock of somebody else, 75.
          case $STATUS in
          128 | 1 | 75) ;;
          *) expect_status 128 ;;
          esac
          failed=$((failed + 1))
          [ "$call" = write ] && [ ! -s "$ERR" ] || grep -q '^fatal: \|^error: ' "$ERR" || fail "there is no message" </dev/null
        fi
        sound_packs
      done
    done
  done 3< <(grep -wE "$WRITING|$reading" counts)
  ((failed > $(fewer 15))) || fail "only $failed runs failed" </dev/null
done
