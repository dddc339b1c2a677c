#!/bin/bash
# kill -9 at every system call of a change of the trust file, and each call failing once: the file has the old
# lines or the new ones, whole, or is not there yet; it is never empty, which would mean that nobody may sign.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KEY=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
printf '# mine\n%s0 # why\n' "${KEY:0:63}" >old
COMMAND=(trust add -m new "$KEY")

fresh() {
  rm -rf struck && mkdir struck && cp -r empty/.redo struck/.redo
  [ -z "$OLD" ] || cp "$OLD" struck/.redo/trust
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
  cmp -s struck/.redo/trust new || {
    [ "$STATUS" -ne 0 ] || fail "an acknowledged line is lost" <struck/.redo/trust
    if [ -n "$OLD" ]; then
      cmp -s struck/.redo/trust old || fail "neither old nor new" <struck/.redo/trust
    else
      [ ! -e struck/.redo/trust ] || fail "half a file" <struck/.redo/trust
    fi
  }
  redo -C struck "${COMMAND[@]}" >/dev/null 2>"$ERR" || fail "the next change fails" <"$ERR"
  cmp -s struck/.redo/trust new || fail "the next change is lost" <struck/.redo/trust
}

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
kill_at() {
  strike signal=SIGKILL "$1" "$2"
  expect_status 137
  kills=$((kills + 1))
  whole
}
fail_at() {
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
    # Unless it is the message itself that cannot be written.
    [ "$1" = write ] && [ ! -s "$ERR" ] ||
      expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
    expect_equal "$(find struck -name 'tmp_*' | wc -l)" 0 "temporary files after '$RUN'"
    fails=$((fails + 1))
  else
    case $1 in fsync | renameat*) fail "it succeeds" <"$ERR" ;; esac
  fi
  whole
}

for OLD in old ''; do
  what="a line of a file that is there"
  [ -n "$OLD" ] || what="the first line of a new file"
  fresh
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" >"$OUT" 2>"$ERR" || fail "it fails undisturbed" </dev/null
  { [ -z "$OLD" ] || cat "$OLD" && echo "$KEY # new"; } >new
  cmp -s struck/.redo/trust new || fail "another text" <struck/.redo/trust
  # The runtime's start is the same for all commands; what comes after the store is first looked for counts here.
  begin=$(grep -n '\.redo' calls | head -1 | cut -d : -f 1)
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls >names

  scene "$what: killed at each system call"
  kills=0
  each kill_at
  ((kills > 20)) || fail "only $kills runs were killed" </dev/null

  scene "$what: each call fails once: one clear error, or success"
  fails=0
  each fail_at
  ((fails > 5)) || fail "only $fails runs failed" </dev/null
done
