#!/bin/bash
# Every system call by which something is written fails once, as it does on a full, broken or forbidden disk: one
# clear error or success, and never a lost acknowledgement.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

failing() {
  case $1 in "ten objects and their heads" | "one object") return 0 ;; esac # parts of the others
  stage "$@"
  scene "$STAGE: each call that writes, opens or reads fails once"
  local count call which error before
  while read -r count call <&3; do
    before=$(before_main "$call")
    for error in $(errors_of "$call"); do
      for which in $(every $((before + 1)) "$count"); do
        strike "error=$error" "$call" "$which"
        if [ "$STATUS" -ne 0 ]; then
          expect_status 128
          # Unless it is the message itself that cannot be written.
          [ "$call" = write ] && [ ! -s "$ERR" ] ||
            expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        elif must_fail "$call"; then
          # Another thread may have made fewer calls than this one; mark and folding come after the commit, and say so.
          [[ $STAGE == *import* ]] || grep -q '^warning: the \(journal could not be folded\|received log could not be marked\)' "$ERR" || fail "it succeeds" <"$ERR"
        fi
        sound
      done
    done
  done 3<counts
}

each_command failing
