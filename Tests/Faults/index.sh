#!/bin/bash
# kill -9 at every system call by which an index is brought up to its store or built anew, of redo and of the program that keeps
# it, and each call failing once: the next question has the answer, and every row is right.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 36

PROGRAM=$(dirname "$REDO_BIN")/redo-index-sqlite
if [ ! -x "$PROGRAM" ]; then
  scene "an index at each call"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
MEMORY='{"product_name":"a","product_type":"b","rating":3,"effects":[],"notes":"rain"}'
redo init -q old && redo -C old key generate >/dev/null
FIRST=$(redo -C old receipt create <<<"$MEMORY")
redo -C old commit -q create --title=before >/dev/null
redo -C old index update
redo -C old receipt edit "$FIRST" <<<"${MEMORY/rain/snow}" >/dev/null
redo -C old receipt mark --tag=after "$FIRST"
redo -C old commit -q create --title='struck once' >/dev/null

COMMAND=(index update) INPUT=/dev/null
# A copy is not known as one's own store, which alone has an index.
copy_store() {
  rm -rf struck
  cp -r "$STORE" struck
  redo -C struck config trust-store >/dev/null 2>&1
}
# steps: the calls that write, lock or read files once the store is looked for, of both programs.
undisturbed() {
  STORE=$1
  copy_store
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" </dev/null >printed 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  local begin
  begin=$(grep -n '\.redo' calls | head -1 | cut -d : -f 1)
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls |
    awk -v begin="$begin" '{ seen[$1]++ } NR >= begin && $1 ~ /^(write|pwrite64|fsync|fdatasync|linkat|rename|renameat|renameat2|unlink|unlinkat|ftruncate|mkdirat|fcntl|openat|read|pread64|poll|pipe2|newfstatat|fstat)$/ { print $1, seen[$1] }' >steps.all
  chosen "$STORE" <steps.all >steps
}
answered() {
  local command=$RUN
  run redo -C struck search --tasks struck
  RUN="$command, then redo search"
  expect_status 0
  expect_stdout_lines 1
  run redo -C struck search snow
  expect_stdout_lines 1
  run redo -C struck search rain
  expect_stdout ''
  run redo -C struck index check
  RUN="$command, then redo index check"
  expect_status 0
  expect_stdout ''
}
each_step() {
  local call which error kills=0
  while read -r call which <&3; do
    # Two programs share the calls: how many each has made by then may differ.
    strike signal=SIGKILL "$call" "$which"
    if [ "$STATUS" -ne 0 ]; then kills=$((kills + 1)); fi
    answered
    case $call in
    openat | linkat | rename* | mkdirat) error=EACCES ;;
    write | pwrite64 | fsync | fdatasync | ftruncate) error=ENOSPC ;;
    fcntl) error=ENOLCK ;;
    read | pread64 | newfstatat | fstat) error=EIO ;;
    *) continue ;;
    esac
    strike error=$error "$call" "$which"
    if [ "$STATUS" -ne 0 ]; then
      [ "$(grep -c '^fatal: \|^error: ' "$ERR")" -ge 1 ] || fail "no message" <"$ERR"
    fi
    answered
  done 3<steps
  [ $kills -ge "$(fewer 10)" ] || fail "only $kills runs were killed" </dev/null
}

scene "what has come is added as a whole or not at all"
undisturbed old
each_step

scene "an index is built anew as a whole or not at all"
cp -r old bare
rm -f bare/.redo/cache/index.*
undisturbed bare
each_step
