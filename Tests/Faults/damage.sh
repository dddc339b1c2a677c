#!/bin/bash
# Each file of a store, damaged in every way, and what commands make of it: damage.tsv says what is expected.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 15
own_copies

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi

# a_store <name> <first of the demo log> <title> <seed>: refs that were folded, a journal, a pack, a registered archive, own
# signed loose nodes, an index, a snapshot, a trust file with everybody who signed. The same bytes each time, but for the
# times of receipt.
a_store() {
  redo init -q "$1"
  sed -i "s/id = .*/id = ${4:0:32}/" "$1/.redo/config"
  printf '%s\n' "$4" | redo -C "$1" key import --private >"$OUT" || fail "a key cannot be imported" </dev/null
  redo -C "$1" key device-id set d >"$OUT"
  demo 10000 | grep '"action":"CREATE"' | tail -n "+$2" | head -300 >creates.ndjson
  redo -C "$1" -c core.fsync=none hash-object -w --update-heads --ndjson --batch-verdicts <creates.ndjson >"$OUT"
  grep -q '^redo-refs 1 [2-9] ' "$1/.redo/refs" || fail "nothing is folded" <"$1/.redo/refs"
  head -5 creates.ndjson | sed 's/^{/{"createdAt":"2026-01-01T00:00:00.000Z",/' | redo -C "$1" import -q >"$OUT" 2>&1
  redo -C "$1" archive create -q --remove -o "$PWD/$1/old.pack" $(head -100 creates.ndjson | ids_of) >"$OUT" ||
    fail "nothing is archived" </dev/null
  redo -C "$1" repack -q
  PACKED=$(sed -n 200p creates.ndjson | ids_of) ARCHIVED=$(sed -n 50p creates.ndjson | ids_of)
  TASK=7a000000-0000-4000-8000-00000000000$(($2 % 2))
  redo -C "$1" commit -q create -t "$TASK" --title="$3" --date=2026-01-01T00:00:00.000Z >"$OUT" 2>&1
  NODE=$(redo -C "$1" commit -q update -t "$TASK" --title="$3, then this" --priority=2 --date=2026-01-01T01:00:00.000Z)
  LAST=$(redo -C "$1" commit -q update -t "$TASK" --priority=1 --date=2026-01-01T02:00:00.000Z)
  [ -n "$LAST" ] || fail "nothing is recorded" </dev/null
  redo -C "$1" cat-node --batch-all-objects --batch-check='%(author:key)' | sort -u | grep . >"$1/.redo/trust"
  chmod 644 "$1/.redo/trust"
  redo -C "$1" log >"$OUT"
  redo -C "$1" snapshot create >"$OUT"
}
a_store other 301 "elsewhere" 4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb
a_store store 2 "a title of some length" 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60


scene "{delete, truncate, flip, zero, swap, name, fifo, symlink, directory} x each file x each command"
export DAMAGED_NODE=$NODE OTHER_NODE=$LAST DAMAGED_TASK=$TASK OTHER_STORE=$PWD/other
export PACKED_NODE=$PACKED ARCHIVED_NODE=$ARCHIVED
run env SHARE=$SHARE SEED="$SEED" timeout 3000 python3 "$TESTS/Faults/damage.py" store "$TESTS/Faults/damage.tsv"
expect_status 0

scene "one damaged object of 300 hides none of the others"
count=$(redo -C store verify --all | wc -l)
file=store/.redo/objects/${NODE:7:2}/${NODE:9}
chmod 644 "$file"
printf x | dd of="$file" bs=1 seek=50 conv=notrunc status=none
run redo -C store verify --all
expect_status 1
expect_equal "$(grep -c '^G ' "$OUT")" $((count - 1)) "good nodes"
expect_equal "$(grep -v '^G ' "$OUT")" "B $NODE object-corrupt" "the rest"
redo -C store verify --all | sed 's/^. //; s/ .*//' >all
redo -C store cat-node --batch <all >"$OUT" 2>"$ERR"
expect_equal "$(grep -c '^{' "$OUT")" $((count - 1)) "nodes printed"
grep -q "^$NODE corrupt\$" "$OUT" || fail "the damaged one is not named" </dev/null
