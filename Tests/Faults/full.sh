#!/bin/bash
# A disk that is full before the work is done: one clear error, and a store as it was.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

scene "a log larger than the disk"
mkdir disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=1m,mode=755 none disk 2>/dev/null; then
  skip "only root can mount a small disk"
  exit 0
fi
at_exit "umount '$PWD/disk'"
redo init -q disk
# As loose objects; ../Scripts/packs.sh fills a disk with a pack.
redo -C disk config set core.bulkLimit 1000000
redo -C disk import -q "$VECTORS/log/linear.ndjson" >/dev/null
demo 2000 >large.ndjson
BEFORE=$(fingerprint disk)
for how in "import" "hash-object -w --ndjson" "hash-object -w --ndjson --update-heads"; do
  # shellcheck disable=SC2086 # words
  run redo -C disk $how <large.ndjson
  expect_error 128 "no space left on device"
  expect_untouched "$BEFORE" disk
  expect_equal "$(temporaries disk)" 0 "temporary files"
done

scene "objects that are written one by one: what was printed is there"
mkdir paths
split -l 1 -a 4 large.ndjson paths/
printf '%s\n' "$PWD"/paths/* >list
run redo -C disk hash-object -w --stdin-paths <list
expect_status 128
expect_stderr_has "no space left on device"
cp "$OUT" printed
run redo -C disk cat-node --batch-check='%(id)' --strict <printed
expect_status 0
expect_stdout_file printed
expect_clean disk

scene "the store on the full disk can be read"
run redo -C disk log --format='%(id)'
expect_status 0
expect_stdout_lines 18
run redo -C disk cat-node --batch --batch-all-objects
expect_status 0

scene "with room again, the same command does its work"
mount -o remount,size=100m disk
run redo -C disk import -q <large.ndjson
expect_status 0
expect_stdout 2000
expect_clean disk

scene "a limit on the size of files is an error, not a death"
run bash -c "ulimit -f 8; redo -C disk hash-object -t blob -w '$REDO_BIN'"
expect_error 128 "file too large"
expect_clean disk
