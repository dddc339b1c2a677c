#!/bin/bash
# Eight writers at once on overlapping parts of one log, and readers all the while.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

demo 1000 >log.ndjson
redo init -q alone
redo -C alone import -q <log.ndjson >/dev/null
redo -C alone log --format='%(id)' >expected.history
redo -C alone cat-node --batch-check='%(id) %(signature)' --batch-all-objects >expected.objects
# A writer waits for as long as the others need, however slow the machine is.
patient() { redo -c core.lockTimeout=600000 "$@"; }
heads() {
  redo -C "$1" log --format='%(id) %(parents)' | awk '{ for (i = 2; i <= NF; i++) parent[$i]; id[$1] } END { for (i in id) if (!(i in parent)) print i }' | sort
}

scene "the parts overlap, and each has the ancestors of its nodes"
# Parents come before their children, so every beginning of the log is whole; and so is the reversed log.
for part in 400 550 700 850 1000; do head -$part log.ndjson >part.$part; done
tac log.ndjson >part.turned
sort log.ndjson >part.sorted
cp log.ndjson part.again
expect_equal "$(ls part.* | wc -l)" 8 "parts"

for how in "hash-object -w --ndjson --update-heads" "import -q"; do
  scene "redo $how, eight at once: nothing is lost, and no reader ever fails"
  rm -rf together && redo init -q together
  rm -f stop failed done.*
  for reader in "log --format=%(id)" "verify --all" "cat-node --batch-all-objects --batch-check"; do
    (
      while [ ! -e stop ]; do
        # shellcheck disable=SC2086 # words
        redo -C together $reader >"seen.${reader%% *}" 2>"said.${reader%% *}"
        status=$?
        # verify says 1 for the few that are not signed.
        if [ $status -ne 0 ] && { [ $status -ne 1 ] || [[ $reader != verify* ]] || grep -qv '^[GN] ' "seen.${reader%% *}"; }; then
          { echo "redo $reader: $status"; cat "said.${reader%% *}"; } >>failed
        fi
      done
    ) &
  done
  writers=()
  for part in part.*; do
    # shellcheck disable=SC2086
    patient -C together $how <"$part" >"done.$part" 2>"said.$part" &
    writers+=($!)
  done
  for pid in "${writers[@]}"; do
    wait "$pid"
    STATUS=$? RUN="redo $how" ERR=/dev/null
    [ $STATUS -eq 0 ] || fail "a writer ends with $STATUS" < <(cat said.part.*)
  done
  : >stop
  wait
  [ ! -s failed ] || fail "a reader failed" <failed
  ERR=$WORK/.last/stderr
  run redo -C together log --format='%(id)'
  expect_status 0
  expect_stdout_file expected.history
  run redo -C together cat-node --batch-check='%(id) %(signature)' --batch-all-objects
  expect_stdout_file expected.objects
  expect_equal "$(heads together)" "$(heads alone)" "heads"
  expect_clean together
  if [[ $how == import* ]]; then
    # Each node was new to exactly one of them.
    (($(cat done.part.* | paste -sd+) == 1000)) || fail "new nodes are not counted" < <(cat done.part.*)
  fi
done

scene "one by one, eight at once: every head move counts"
rm -rf together && redo init -q together
head -60 log.ndjson >few.ndjson
redo init -q few && redo -C few import -q <few.ndjson >/dev/null
pids=()
for number in 1 2 3 4 5 6 7 8; do
  patient -C together hash-object -w --update-heads --ndjson --batch-verdicts <few.ndjson >"verdicts.$number" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  wait "$pid" || fail "a writer ends with $?" < <(cat verdicts.*)
done
redo -C few log --format='%(id)' >expected.history
run redo -C together log --format='%(id)'
expect_stdout_file expected.history
expect_clean together

scene "a writer waits for the lock for so long as it is told, and then says that a repetition may help"
if command -v python3 >/dev/null; then
  cat >hold.py <<'END'
import fcntl, os, struct, sys
fd = os.open("together/.redo/lock", os.O_RDWR)
fcntl.fcntl(fd, 37, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))  # F_OFD_SETLK
print("held", flush=True)
sys.stdin.read()
END
  coproc HOLD { python3 hold.py; }
  read -r _ <&"${HOLD[0]}" || fail "the lock cannot be had" </dev/null
  before=$(fingerprint together)
  run redo -C together -c core.lockTimeout=200 import -q <log.ndjson
  expect_status 75
  expect_stdout ''
  expect_stderr_has "lock"
  expect_equal "$(temporaries together)" 0 "temporary files"
  # Readers do not ask for it.
  run redo -C together log --format='%(id)'
  expect_stdout_file expected.history
  exec {HOLD[1]}>&-
  run patient -C together import -q <log.ndjson
  expect_status 0
else
  skip "python3 is missing"
fi
