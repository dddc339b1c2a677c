#!/bin/bash
# Schemas and records that are well hashed and well signed, and wrong or odd in one place: whatever they say, every road refuses them by
# rule or takes them whole, and a store in which a foreign writer has left them is read whole or not at all. Another program says which
# are valid. All of them by every road with REDO_SOAK=1.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 300
own_copies

need_python "hostile schemas" nacl rfc8785
scene "each schema is valid or not as another program says, on every road and in stores that have it"
run env SEED="$SEED" timeout 36000 "$PYTHON" "$TESTS/Faults/hostile-schemas.py" "$SHARE"
sed 's/^/# /' "$OUT" | cut -c1-700 | tail -n 40
expect_status 0
