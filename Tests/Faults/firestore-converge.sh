#!/bin/bash
# Three stores of two people change at random, and talk over a Firestore whose answers are lost, cut or refused: they
# end as one store. REDO_STEPS says how many steps there are, REDO_SEED which ones.
steps=${REDO_STEPS:-300} seed=${REDO_SEED:-$((RANDOM * 32768 + RANDOM))}
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/sync.bash"
. "$TESTS/Scripts/firestore.bash"

scene "three stores and a project are one after $steps steps of seed $seed"
project
run timeout 850 python3 "$TESTS/Faults/firestore-converge.py" "$steps" "$seed" \
  "firestore://$PROJECT" "http://127.0.0.1:$WAY" "$TROUBLE"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
expect_equal "$(admin ids nodes)" "$(redo -C ios log --format='%(id)' | sort)" "the documents"
[ "$TARGET" != serve ] || same ios primary
