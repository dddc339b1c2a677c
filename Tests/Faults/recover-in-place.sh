#!/bin/bash
# Three stores, a recovery in place in one of them, and all three write and sync on: the day is back everywhere, but for what
# others wrote, and for what the plan lists, which is what an independent model finds. 200 histories and 5 days of each with
# REDO_SOAK=1, otherwise 5 and 3; REDO_SEED says which.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
ORACLE=$TESTS/../.build/oracle/bin/python

HISTORIES=5 DATES=3
[ -z "$SOAK" ] || HISTORIES=200 DATES=5
scene "$HISTORIES random histories, $DATES days of each, seed $SEED"
if [ -x "$ORACLE" ]; then
  run timeout 3500 "$ORACLE" "$TESTS/Faults/recover-in-place.py" $HISTORIES $DATES "$SEED"
  expect_status 0
  expect_stderr ''
  sed 's/^/# /' "$OUT"
else
  skip "there is no oracle; 'make deps' makes it"
fi
