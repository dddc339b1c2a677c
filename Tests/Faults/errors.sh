#!/bin/bash
# Every system call by which something is written fails once, as it does on a full, broken or forbidden disk: one
# clear error or success, and never a lost acknowledgement.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# What a call may fail with, and whether the command can have done its work all the same.
errors_of() {
  case $1 in
  openat) echo EACCES ENOSPC EMFILE ;;
  mkdirat) echo EACCES ENOSPC ;;
  write | pwrite64) echo ENOSPC EIO ;;
  fsync | fdatasync | syncfs) echo EIO ENOSPC ;;
  linkat | renameat | renameat2) echo EACCES EIO ;;
  unlinkat) echo EACCES ;;
  ftruncate) echo EIO ;;
  read | pread64 | getdents64) echo EIO ;;
  fcntl) echo ENOLCK ;;
  close) echo EIO ;;
  esac
}
must_fail() {
  case $1 in
  write | pwrite64 | fsync | fdatasync | syncfs | linkat | renameat | renameat2) true ;;
  *) false ;;
  esac
}

# How many of these calls come before the program itself: the runtime looks for its arguments in /proc/self/maps.
before_main() {
  awk -v "call=$1" '{ sub(/^[0-9]+ +/, "") } index($0, call "(") == 1 { count++ } /self\/maps/ { found = 1 }
    found && /^close/ { exit } END { print count + 0 }' calls
}

failing() {
  case $1 in "ten objects and their heads" | "one object") return 0 ;; esac # parts of the others
  stage "$@"
  scene "$STAGE: each call that writes, opens or reads fails once"
  local count call which error
  while read -r count call <&3; do
    for error in $(errors_of "$call"); do
      for ((which = $(before_main "$call") + 1; which <= count; which++)); do
        strike "error=$error" "$call" "$which"
        if [ "$STATUS" -ne 0 ]; then
          expect_status 128
          # Unless it is the message itself that cannot be written.
          [ "$call" = write ] && [ ! -s "$ERR" ] ||
            expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        elif must_fail "$call"; then
          # Another thread may have made fewer calls than this one; folding comes after the commit, and says so.
          [[ $STAGE == *import* ]] || grep -q '^warning: the journal could not be folded' "$ERR" || fail "it succeeds" <"$ERR"
        fi
        sound
      done
    done
  done 3<counts
}

each_command failing
