#!/bin/bash
# A client that speaks redo-wire(5) and lies in one place: a server says what is wrong, takes nothing that is not whole, and goes on.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 40
own_copies
need_python "what a hostile client says" rfc8785 nacl dag_cbor
HTTP=0
! link_network || HTTP=1
. "$TESTS/Faults/sides.bash"
for kind in node schema receipt; do
  redo init -q $kind.served
  redo -C $kind.served config serve.kinds 'node receipt schema'
  cat $kind.common $kind.there | redo -C $kind.served import -q >/dev/null || fail "no store" </dev/null
done

scene "one lie of a client, in every place of its language: a server says what is wrong, and nothing is half there"
run env SHARE=$SHARE SEED="$SEED" HTTP=$HTTP timeout 36000 "$PYTHON" "$TESTS/Faults/hostile-client.py"
expect_status 0
cat "$OUT"
