#!/bin/bash
# Every single-bit change of a file of the store is found, or changes no output.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 8
own_copies

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
redo init -q store
redo -C store import -q <"$VECTORS/log/diverged.ndjson" >/dev/null
ID=$(head -1 "$VECTORS/log/diverged.ndjson" | ids_of)
BLOB=$(printf 'some bytes and some more' | redo -C store hash-object -w -t blob --stdin)
path_of() { echo "store/.redo/objects/${1:7:2}/${1:9}"; }

# every_bit <file> <argument of redo>...
every_bit() {
  run env SHARE=$SHARE SEED="$SEED" timeout 3000 python3 "$TESTS/Faults/flip.py" "$@"
  expect_status 0
}

scene "a signed node"
every_bit "$(path_of "$ID")" cat-node "$ID"
every_bit "$(path_of "$ID")" verify "$ID"

scene "a blob"
every_bit "$(path_of "$BLOB")" cat-node "$BLOB"

scene "the journal of refs"
every_bit store/.redo/refs.journal log --no-cache '--format=%(id)'

scene "the refs, after the journal was folded into them"
redo init -q folded
demo 3000 | grep '"action":"CREATE"' | head -300 >creates.ndjson
redo -C folded -c core.fsync=none hash-object -w --update-heads --ndjson --batch-verdicts <creates.ndjson >"$OUT"
grep -q '^redo-refs 1 [2-9] ' folded/.redo/refs || fail "nothing is folded" <folded/.redo/refs
every_bit folded/.redo/refs log --no-cache -n 3 '--format=%(id)'
