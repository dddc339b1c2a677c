#!/bin/bash
# Three stores and a server change at random, and talk over connections that break: they end as one store.
# REDO_STEPS says how many steps there are, REDO_SEED which ones.
steps=${REDO_STEPS:-1500} seed=${REDO_SEED:-$((RANDOM * 32768 + RANDOM))}
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

scene "three stores and a server are one after $steps steps of seed $seed"
run timeout 850 python3 "$TESTS/Faults/converge.py" "$steps" "$seed"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
