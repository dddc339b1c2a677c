#!/bin/bash
# Every system call about files of redo key generate, put, rotate, import and device-id fails once: one clear error or
# success, and a keyring that is as it was or as it should be.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"
share 8

errors_of() {
  case $1 in
  openat) echo EACCES ENOSPC EMFILE ;;
  mkdirat) echo EACCES ENOSPC ;;
  write) echo ENOSPC EIO ;;
  fsync) echo EIO ENOSPC ;;
  renameat | renameat2) echo EACCES EIO ;;
  unlinkat) echo EACCES ;;
  read | getdents64 | close) echo EIO ;;
  newfstatat | fstat) echo EIO ;;
  fcntl) echo ENOLCK ;;
  mlock | munlock) echo ENOMEM ;;
  esac
}

failing() {
  stage "$@"
  steps .redo | a_share_of_each >todo
  scene "key ${COMMAND[*]:1}: each call fails once with each error, $(wc -l <todo) calls"
  local call which error
  while read -r call which <&3; do
    for error in $(errors_of "$call"); do
      strike "error=$error" "$call" "$which"
      ENDED=$STATUS
      if [ "$STATUS" -ne 0 ]; then
        expect_status 128
        [ "$call" = write ] && [ ! -s "$ERR" ] ||
          expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
      else
        case $call in fsync | renameat | renameat2) fail "it succeeds" <"$ERR" ;; esac
      fi
      sound_keys
    done
  done 3<todo
}

each_key_command failing
