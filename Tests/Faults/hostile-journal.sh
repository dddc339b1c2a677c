#!/bin/bash
# Journals and logs of refs of which one thing is not as it should be, with every check and chain made again: what an independent
# reader finds wrong is refused, and nothing is written then; a repair and a recovery lose no node.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 12
own_copies

scene "altered journals: $([ -n "$SOAK" ] && echo every alteration || echo one in $SHARE)"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
redo init -q store && redo -C store key generate >/dev/null
for number in 1 2 3; do
  redo -C store commit -q create -t 7a000000-0000-4000-8000-00000000000$number --title="a title" \
    --date=2025-01-0${number}T00:00:00.000Z >/dev/null
done
redo -C store commit -q update -t 7a000000-0000-4000-8000-000000000001 --priority=2 --date=2025-02-01T00:00:00.000Z >/dev/null
redo -C store update-ref notes/mine "$(redo -C store log -n 1 --format='%(id)')"
run env SEED="$SEED" SHARE="$SHARE" timeout 3500 python3 "$TESTS/Faults/hostile-journal.py" store
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
