#!/bin/bash
# kill -9 at every system call of a change of settings, and each call failing once: the file has the old text or
# the new one, whole, and the next change works.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

printf '# mine\n[core]\n\tformat = 1\n\tfsync = batch # why\n' >old
sed 's/batch/full/' old >new
COMMAND=(config set core.fsync full)

fresh() {
  rm -rf struck && mkdir struck && cp -r empty/.redo struck/.redo && cp old struck/.redo/config
}
# strike <fault> <call> <which>
strike() {
  fresh
  RUN="redo ${COMMAND[*]}   with $2:$1:when=$3"
  { strace -qq -f -o /dev/null -e "trace=$2" -e "inject=$2:$1:when=$3" \
    "$REDO_BIN" -C struck "${COMMAND[@]}" >"$OUT" 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}
# whole: old or new, and new if that was acknowledged; then once more.
whole() {
  cmp -s struck/.redo/config new || {
    [ "$STATUS" -ne 0 ] || fail "an acknowledged change is lost" <struck/.redo/config
    cmp -s struck/.redo/config old || fail "neither old nor new" <struck/.redo/config
  }
  redo -C struck "${COMMAND[@]}" 2>"$ERR" || fail "the next change fails" <"$ERR"
  cmp -s struck/.redo/config new || fail "the next change is lost" <struck/.redo/config
}

fresh
strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" || fail "it fails undisturbed" </dev/null
cmp -s struck/.redo/config new || fail "another text" <struck/.redo/config
# The runtime's start is the same for all commands; what comes after the store is first looked for counts here.
begin=$(grep -n '\.redo' calls | head -1 | cut -d : -f 1)
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls >names

# each <what to do with a call and its number>
each() {
  local line=0 call
  declare -A seen=()
  while read -r call <&3; do
    line=$((line + 1)) seen[$call]=$((${seen[$call]:-0} + 1))
    case $call in execve | exit*) continue ;; esac
    [ "$line" -lt "$begin" ] || "$1" "$call" "${seen[$call]}"
  done 3<names
}

scene "killed at each system call"
kills=0
kill_at() {
  strike signal=SIGKILL "$1" "$2"
  expect_status 137
  kills=$((kills + 1))
  whole
}
each kill_at
((kills > 20)) || fail "only $kills runs were killed" </dev/null

scene "each call fails once: one clear error, or success"
fails=0
fail_at() {
  local error
  case $1 in
  openat | linkat | renameat | renameat2) set -- "$@" EACCES ;;
  write | fsync) set -- "$@" ENOSPC ;;
  fcntl) set -- "$@" ENOLCK ;;
  read | newfstatat | fstat | fchmod) set -- "$@" EIO ;;
  *) return 0 ;;
  esac
  strike "error=$3" "$1" "$2"
  if [ "$STATUS" -ne 0 ]; then
    expect_status 128
    expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
    expect_equal "$(find struck -name 'tmp_*' | wc -l)" 0 "temporary files after '$RUN'"
    fails=$((fails + 1))
  else
    case $1 in write | fsync | renameat*) fail "it succeeds" <"$ERR" ;; esac
  fi
  whole
}
each fail_at
((fails > 5)) || fail "only $fails runs failed" </dev/null
