#!/bin/bash
# Two stores talk to each other, to a server and to a project, while things are damaged, killed, cut off and put back: who
# says that two are equal is right. REDO_STEPS says how many steps there are, and REDO_SEED which ones; there are more
# with REDO_SOAK=1.
steps=${REDO_STEPS:-}
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
steps=${steps:-${SOAK:+5000}} steps=${steps:-250}
own_copies
if ! link_network; then
  scene "who says equal"
  skip "there is no 'redo-net' beside '$REDO_BIN'"
  exit 0
fi

scene "who says that two are equal is right, at each of $steps steps of seed $SEED"
run timeout 3400 python3 "$TESTS/Faults/equal.py" "$steps" "$SEED" "$TESTS/Oracle/read_pack.py" "$TESTS/Scripts/firestore-admin.py"
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
