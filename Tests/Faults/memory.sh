#!/bin/bash
# No memory: mmap(2) is refused, or `ulimit -v` leaves little. A command does without, or says so and ends with 128; it
# never traps, prints nothing wrong, and leaves the store as it was.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

scene "a store with a large index, a large pack and a key"
if ldd "$REDO_BIN" >/dev/null 2>&1; then
  # The shared runtime has an end of its own.
  skip "only the static executable says that there is no memory"
  exit 0
fi
demo 10000 >log.ndjson
make_store large
redo -c core.fsync=none import -q <../log.ndjson >/dev/null
redo key generate >/dev/null 2>&1
redo snapshot create >/dev/null
redo log -n 1 >/dev/null
redo -c core.fsync=none archive create -q -o ../all.pack >/dev/null
head -n 1 ../log.ndjson >../node.json
BEFORE=$(fingerprint)

# lacking <command>: it did its work, or said that there is no memory.
lacking() {
  if [ "$STATUS" -eq 0 ]; then
    cmp -s "$OUT" ../expected || fail "it prints something else" < <(diff "$OUT" ../expected | head -5)
  else
    expect_status 128
    expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
  fi
  expect_untouched "$BEFORE"
}

COMMANDS=("log --format=%(id)" "log --no-cache --json" "state" "state --no-cache" "query tasks" "verify ${ID:=$(redo log -n 1 --format='%(id)')}"
  "key sign ../node.json" "archive list ../all.pack" "archive extract ../all.pack" "cat-node --batch --batch-all-objects" "export")

scene "ulimit -v: from too little for anything to enough"
for command in "${COMMANDS[@]}"; do
  # shellcheck disable=SC2086 # words
  redo $command >../expected
  enough=''
  for kib in $(seq 30000 4000 200000 | whose_turn) 1000000; do
    # shellcheck disable=SC2016,SC2086 # words for the other shell
    run bash -c 'ulimit -v $0; exec redo "$@"' "$kib" $command
    lacking
    [ "$STATUS" -ne 0 ] || enough=$kib
  done
  [ -n "$enough" ] || fail "'$command' is never done" <"$ERR"
done

scene "each mmap(2) is refused, alone and with all after it"
# brk(2) is not: it answers with the old end of the heap, which strace does not know.
for command in "${COMMANDS[@]}"; do
  # shellcheck disable=SC2086 # words
  strace -qq -f -e trace=mmap -o ../calls redo $command >../expected 2>/dev/null
  for which in $(seq 1 "$(grep -c ' mmap(' ../calls)" | whose_turn); do
    for when in "$which" "$which+"; do
      RUN="redo $command   with mmap:error=ENOMEM:when=$when"
      # shellcheck disable=SC2086 # words
      strace -qq -f -o /dev/null -e trace=mmap -e "inject=mmap:error=ENOMEM:when=$when" redo $command >"$OUT" 2>"$ERR"
      STATUS=$?
      lacking
    done
  done
done
