#!/bin/bash
# Every system call by which a wipe writes fails once: one clear error or success, the old or the new history, and the
# same command once more finishes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

errors_of() {
  case $1 in
  write | pwrite64) echo ENOSPC EIO ;;
  fcntl) echo ENOLCK ;;
  unlinkat | unlink | rmdir | mkdirat) echo EACCES ;;
  *) echo EIO ;;
  esac
}

make_family
for what in "--author=$USER_ID" --all; do
  stage "redo wipe $what" family /dev/null wipe -q --yes "$what"
  scene "$STAGE: each of the calls that write fails once"
  failed=0
  while read -r count call <&3; do
    for error in $(errors_of "$call"); do
      for which in $(places "$count"); do
        strike "error=$error" "$call" "$which"
        if [ $STATUS -ne 0 ]; then
          expect_status 128
          failed=$((failed + 1))
          # Unless it is the message itself that cannot be written.
          [ "$call" = write ] && [ ! -s "$ERR" ] || expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        fi
        sound_wipe "error=$error" "$call" "$which"
      done
    done
  done 3< <(grep -wE "$WRITING" counts)
  ((failed > $(fewer 20))) || fail "only $failed runs failed" </dev/null
done
