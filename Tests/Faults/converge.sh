#!/bin/bash
# Three stores and a server change at random, and talk over connections that break: they end as one store.
# REDO_STEPS says how many steps there are, and REDO_SEED which ones; there are more with REDO_SOAK=1.
steps=${REDO_STEPS:-}
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
steps=${steps:-${SOAK:+1500}} steps=${steps:-300}

scene "three stores and a server are one after $steps steps of seed $SEED"
run timeout 3000 python3 "$TESTS/Faults/converge.py" "$steps" "$SEED"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
