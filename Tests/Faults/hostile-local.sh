#!/bin/bash
# The file of what is noted about receipts, altered in one place, its checks made again: what an independent program finds wrong is
# told, and no row is listed, added or lost then; what it finds good is there row by row.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 60
own_copies

need_python "altered local rows" rfc8785
scene "altered local rows: $([ -n "$SOAK" ] && echo every alteration || echo one in $SHARE)"
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"]}'
redo init -q store && redo -C store key generate >/dev/null
FIRST=$(redo -C store receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
# One that somebody else has shared: that says a row alone.
OTHER=$(redo -C store receipt create --at=2025-03-02T08:00:00Z <<<"${MEMORY/4/5}")
redo -C store receipt mark --favourite "$FIRST" >/dev/null
run env SEED="$SEED" SHARE="$SHARE" timeout 3500 "$PYTHON" "$TESTS/Faults/hostile-local.py" "$PWD/store" "$FIRST" "$OTHER"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
