#!/bin/bash
# kill -9 at every system call by which a database of the app is taken in, of redo and of the program that reads it, and each call
# failing once: what is there is whole, nothing that others have shared leaves, the original stays as it is, and the next import
# finishes the rest.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 144

PROGRAM=$(dirname "$REDO_BIN")/redo-index-sqlite
if [ ! -x "$PROGRAM" ]; then
  scene "a database of the app at each call"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
need_python "a database of the app at each call" dag_cbor nacl sqlite3
app() { "$PYTHON" "$TESTS/Oracle/app_database.py" "$@"; }
mkdir tmp && export TMPDIR=$PWD/tmp
app make 4 app.sqlite --seed="$SEED" --count=7
SHARED=$("$PYTHON" -c 'import sqlite3; print(sqlite3.connect("app.sqlite").execute("SELECT cid FROM ucr_headers WHERE root_cid = ?", ("SELF",)).fetchone()[0])')
BEFORE=$(sha256sum app.sqlite)
redo init -q new

COMMAND=(import -q ../app.sqlite) INPUT=/dev/null
# steps: the calls once the store is looked for, of both programs.
undisturbed() {
  STORE=$1
  copy_store
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" </dev/null >printed 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  local begin
  begin=$(grep -n '\.redo' calls | head -1 | cut -d : -f 1)
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls |
    awk -v begin="$begin" '{ seen[$1]++ } NR >= begin && $1 ~ /^(write|pwrite64|fsync|fdatasync|linkat|rename|renameat|renameat2|unlink|unlinkat|ftruncate|mkdirat|fcntl|openat|read|pread64|sendfile|poll|pipe2|newfstatat|fstat|flock|rmdir|fchmod)$/ { print $1, seen[$1] }' >steps.all
  chosen "$STORE" <steps.all >steps
}
# taken: what is there is whole; then all of it is.
taken() {
  local command=$RUN status=$STATUS listed
  [ "$(sha256sum app.sqlite)" = "$BEFORE" ] || fail "the original was changed" </dev/null
  run redo -C struck verify
  RUN="$command, then redo verify"
  grep -q '^error' "$OUT" && fail "the store is damaged" <"$OUT"
  redo -C struck export -q --kind=receipt >left 2>/dev/null
  grep -q "$SHARED" left && fail "what others have shared leaves" </dev/null
  # Whoever has a receipt has what is noted about it: nothing that the app has put away shows, and nothing else is missing. An edit
  # may stand beside what it takes the place of.
  if [ "$(redo -C struck receipt list --show-deleted | wc -l)" -gt 0 ]; then
    listed=$(redo -C struck receipt list | wc -l)
    [ "$listed" -ge "$LISTED" ] && [ "$listed" -le $((LISTED + EDITS)) ] || fail "receipts came without what is noted about them" < <(redo -C struck receipt list)
  elif [ "$status" -eq 0 ]; then
    fail "acknowledged receipts are lost" </dev/null
  fi
  run redo -C struck import -q ../app.sqlite
  RUN="$command, then the import once more"
  expect_status 0
  app check "$REDO_BIN" "$PWD/struck" app.sqlite >"$OUT" 2>"$ERR" || fail "it is not all there" <"$ERR"
}
each_step() {
  local call which error kills=0
  while read -r call which <&3; do
    # Two programs share the calls: how many each has made by then may differ.
    strike signal=SIGKILL "$call" "$which"
    if [ "$STATUS" -ne 0 ]; then kills=$((kills + 1)); fi
    taken
    case $call in
    openat | linkat | rename* | mkdirat | rmdir) error=EACCES ;;
    write | pwrite64 | fsync | fdatasync | ftruncate | sendfile) error=ENOSPC ;;
    fcntl | flock) error=ENOLCK ;;
    read | pread64 | newfstatat | fstat) error=EIO ;;
    *) continue ;;
    esac
    strike error=$error "$call" "$which"
    # Calls are counted in each thread: the message itself may not be written.
    if [ "$STATUS" -ne 0 ] && [ "$call" != write ]; then
      [ "$(grep -c '^fatal: \|^error: ' "$ERR")" -ge 1 ] || fail "no message" <"$ERR"
    fi
    taken
  done 3<steps
  [ $kills -ge "$(fewer 10)" ] || fail "only $kills runs were killed" </dev/null
}

scene "a database comes whole, or what is missing comes with the next import"
undisturbed new
LISTED=$(redo -C struck receipt list | wc -l) EDITS=0
each_step

scene "so does one that the app has changed since"
cp -r struck known
app change app.sqlite edit --seed=2
app change app.sqlite edit --seed=1
BEFORE=$(sha256sum app.sqlite)
undisturbed known
LISTED=$(redo -C struck receipt list | wc -l) EDITS=2
each_step
