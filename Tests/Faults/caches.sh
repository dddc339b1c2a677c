#!/bin/bash
# Derived files that somebody forged, with right checksums: no reader traps, hangs or takes much memory, and verify tells.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 1
own_copies

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi

# Packed nodes, loose ones, a snapshot, an index in two parts, notes of commits, a task that was deleted.
redo init -q store
redo -C store key generate >/dev/null
redo init -q other
demo 45 | redo -C store import -q >/dev/null
redo -C store repack -q
redo -C store log >/dev/null
redo -C store snapshot create -q
demo 60 | redo -C store import -q >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
redo -C store commit -q create -t $TASK --title="a title" --date=2025-01-01T00:00:00.000Z >/dev/null
redo -C store commit -q update -t $TASK --priority=2 --date=2025-01-02T00:00:00.000Z >/dev/null
# A child whose clock is behind that of its parent, which lies in the other part of the index.
redo -C store commit -q update -t "$(redo -C store log -n 3 --skip=2 --format='%(task)' | tail -1)" --priority=1 \
  --date=2020-01-01T00:00:00.000Z >/dev/null
redo -C store log >/dev/null
# Another store has some of it, and more.
redo init -q peer
demo 50 | redo -C peer import -q >/dev/null
redo -C peer key generate >/dev/null
redo -C peer commit -q create --title="of the peer" >/dev/null
redo -C peer fetch -q --dry-run "$PWD/store" >/dev/null 2>&1
ls store/.redo/cache/graph.tree >/dev/null || fail "no digests are kept" </dev/null
ls store/.redo/cache/graph.tail >/dev/null || fail "the index has one part" </dev/null

scene "every bit of every derived file, or some; numbers that lead elsewhere"
run env SEED="$SEED" timeout 36000 python3 "$TESTS/Faults/caches.py" store "$([ -n "$SOAK" ] && echo 0 || echo 30)"
expect_status 0
cat "$OUT"
