#!/bin/bash
# Indexes that somebody altered by hand, with SQLite or byte by byte: no question is answered by what was planted, nothing planted
# is run, and nothing outside of the index is written or removed. Rows that were changed alone are found by `redo index check`.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 120
own_copies

scene "an altered index: $([ -n "$SOAK" ] && echo every alteration || echo one in $SHARE)"
if [ ! -x "$(dirname "$REDO_BIN")/redo-index-sqlite" ]; then
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
if ! python3 -c 'import sqlite3; sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5(x)")' 2>/dev/null; then
  skip "no python3 whose sqlite3 has FTS5"
  exit 0
fi
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["calm"],"notes":"watched the rain"}'
redo init -q store && redo -C store key generate >/dev/null
FIRST=$(redo -C store receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
redo -C store receipt edit "$FIRST" <<<"${MEMORY/rain/snow}" >/dev/null
redo -C store receipt create --at=2025-03-02T08:00:00Z <<<"${MEMORY/Blue/Red}" >/dev/null
redo -C store receipt mark --favourite "$FIRST" >/dev/null
redo -C store receipt place --at=37.774929,-122.419416 --name=Home "$FIRST" >/dev/null
redo -C store commit -q create --title='Water the plants' --description='and the cacti' >/dev/null
redo -C store commit -q create --title='Feed the rain barrel' >/dev/null
redo -C store index update
redo init -q other && redo -C other key generate >/dev/null
redo -C other receipt create --at=2025-03-03T08:00:00Z <<<"${MEMORY/Blue/Green}" >/dev/null
redo -C other commit -q create --title='of the other rain' >/dev/null
redo -C other index update
cp -r store grown
redo -C grown config trust-store >/dev/null 2>&1
redo -C grown receipt create --at=2025-03-04T08:00:00Z <<<"${MEMORY/Blue/White}" >/dev/null
redo -C grown receipt mark --tag=new "$FIRST" >/dev/null
redo -C grown commit -q create --title='Sweep the rain away' >/dev/null
run env SEED="$SEED" SHARE="$SHARE" timeout 3500 python3 "$TESTS/Faults/hostile-index.py" "$PWD/store" "$PWD/grown" "$PWD/other"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
