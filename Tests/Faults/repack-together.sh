#!/bin/bash
# Readers and writers beside forty repacks (a hundred with REDO_SOAK=1): nothing is missed for a moment, nothing that is written is lost.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

# Writers wait for as long as the others need, however slow the machine is.
redo() { command redo -c core.lockTimeout=600000 "$@"; }
demo 900 >log.ndjson
redo init -q together
head -n 300 log.ndjson | redo -C together -c core.fsync=none import -q >/dev/null
redo -C together log --sort=order --format='%(id)' >ids
redo -C together cat-node --batch <ids >expected
sort ids >sorted
REPACKS=40
[ -z "$SOAK" ] || REPACKS=100

# reader <name> <command>: again and again until all is done; whatever differs from what is expected is kept.
reader() {
  (
    while [ ! -e stop ]; do
      echo >>"runs.$1"
      eval "$2" >"seen.$1" 2>"said.$1" || { echo "$1: status $?" && cat "said.$1"; } >>failed
      cmp -s "seen.$1" "$3" || { echo "$1: something else" && diff "seen.$1" "$3" | head -c 2000; } >>failed
    done
  ) &
}
# One process that reads node after node all the while, and never begins anew.
steady() {
  python3 - ids <<'END'
import os, subprocess, sys, time
ids = open(sys.argv[1]).read().split()
reader = subprocess.Popen(["redo", "-C", "together", "cat-node", "--batch-check=%(id)"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
count = 0
while not os.path.exists("stop"):
    for name in ids:
        reader.stdin.write(name + "\n")
        reader.stdin.flush()
        answer = reader.stdout.readline().strip()
        if answer != name:
            print(f"steady: {answer} after {count}")
            sys.exit(1)
        count += 1
reader.stdin.close()
sys.exit(reader.wait())
END
}

scene "readers miss nothing beside $REPACKS repacks and a writer"
reader log "redo -C together log --sort=order --format='%(id)' | grep -Fxf ids" ids
reader batch "redo -C together cat-node --batch --strict <ids" expected
reader list "redo -C together cat-node --batch-all-objects --batch-check='%(id)' | grep -Fxf ids | sort" sorted
(steady >said.steady 2>&1 || cat said.steady >>failed) &
(
  tail -n +301 log.ndjson | split -l 3 - part.
  for part in part.*; do
    redo -C together -c core.fsync=none import -q <"$part" >said.writer 2>&1 || { echo writer && cat said.writer; } >>failed
  done
  : >written
) &
writer=$!
for ((number = 1; number <= REPACKS; number++)); do
  case $((number % 10)) in
  0) redo -C together repack -q -a ;;
  5) redo -C together gc -q --grace=0s ;;
  *) redo -C together repack -q ;;
  esac >said.repack 2>&1 || { echo "repack $number" && cat said.repack; } >>failed
done
wait $writer
: >stop
wait
[ ! -s failed ] || fail "something failed" <failed
for name in log batch; do
  (($(wc -l <"runs.$name") >= 5)) || fail "the reader '$name' ran too seldom" <"runs.$name"
done
redo init -q alone && redo -C alone import -q <log.ndjson >/dev/null
cmp -s <(redo -C together export) <(redo -C alone export) || fail "the history is not that of the writers" </dev/null
redo -C together repack -q -a
expect_equal "$(objects together)" 0 "loose objects"
expect_clean together

scene "repacks and bulk writers at once: one pack in the end, and nothing lost"
rm -rf together && redo init -q together
pids=()
for number in 1 2 3 4; do
  sed -n "$((number * 200 - 199)),$((number * 200 + 100))p" log.ndjson >"bulk.$number"
  redo -C together -c core.fsync=none hash-object -w --ndjson <"bulk.$number" >"said.$number" 2>&1 &
  pids+=($!)
done
for number in 5 6 7 8; do
  redo -C together repack -q -a >"said.$number" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || fail "one ends with $?" < <(cat said.*); done
redo -C together repack -q -a
expect_equal "$(find together/.redo/objects/pack -name '*.pack' | wc -l) $(objects together)" "1 0" "packs and loose objects"
redo -C together cat-node --batch-all-objects --batch-check='%(id)' | cmp -s - <(ids_of <log.ndjson | sort) || fail "other nodes" </dev/null

scene "a full disk: one clear error, and a store as it was"
mkdir disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=3m,mode=755 none disk 2>/dev/null; then
  skip "only root can mount a small disk"
  exit 0
fi
at_exit "umount '$PWD/disk'"
redo init -q disk
head -n 300 log.ndjson | redo -C disk import -q >/dev/null
dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null
before=$(fingerprint disk)
for how in "repack" "gc"; do
  run redo -C disk $how
  expect_error 128 "no space left on device"
  redo -C disk log --sort=order --format='%(id)' >history
  expect_equal "$(wc -l <history) $(temporaries disk)" "300 0" "nodes and temporary files"
done
rm -f disk/.redo/objects/pack/lock # which the first of them has made
expect_untouched "$before" disk
rm disk/filler
run redo -C disk repack -q
expect_status 0
expect_equal "$(objects disk)" 0 "loose objects"
expect_clean disk
