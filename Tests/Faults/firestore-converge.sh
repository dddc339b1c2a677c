#!/bin/bash
# Three stores of two people change at random, and talk over a Firestore whose answers are lost, cut or refused: they
# end as one store. REDO_STEPS says how many steps there are, and REDO_SEED which ones; there are more with
# REDO_SOAK=1.
steps=${REDO_STEPS:-}
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/sync.bash"
steps=${steps:-${SOAK:+300}} steps=${steps:-100}
. "$TESTS/Scripts/firestore.bash"

scene "three stores and a project are one after $steps steps of seed $SEED"
project
run timeout 3000 python3 "$TESTS/Faults/firestore-converge.py" "$steps" "$SEED" \
  "firestore://$PROJECT" "http://127.0.0.1:$WAY" "$TROUBLE"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
expect_equal "$(admin ids nodes)" "$(redo -C ios log --format='%(id)' | sort)" "the documents"
[ "$TARGET" != serve ] || same ios primary
