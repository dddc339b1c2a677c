#!/bin/bash
# The files that say where a history ends, wiped, cut off, put back as they were earlier, or exchanged with those of another
# store, alone and in pairs: damage-ends.tsv says what is expected of readers, writers, verify and repair. With --write
# the table is printed instead of compared.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
[ $# -ne 0 ] || share 12
own_copies

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi

# some <store> <first of the demo log> <number>: so many changes that the journal is folded, and some after that.
some() {
  local generation
  generation=$(head -1 "$1/.redo/refs" | cut -d ' ' -f 3)
  demo 10000 | grep '"action":"CREATE"' | grep '"signature":' | tail -n "+$2" | head -"$3" >creates.ndjson
  redo -C "$1" -c core.fsync=none hash-object -w --update-heads --ndjson --batch-verdicts <creates.ndjson >"$OUT"
  head -3 creates.ndjson | sed 's/^{/{"createdAt":"2026-01-01T00:00:00.000Z",/' | redo -C "$1" import -q >"$OUT" 2>&1
  redo -C "$1" -c core.fsync=none update-ref --stdin < <(
    for number in $(seq 700); do echo "create tags/$2/$number $(sed -n 1p creates.ndjson | ids_of)"; done
  )
  [ "$(head -1 "$1/.redo/refs" | cut -d ' ' -f 3)" -gt "$generation" ] || fail "nothing is folded" <"$1/.redo/refs"
  # Each at a time of its own.
  for number in 1 2 3 4 5 6; do
    redo -C "$1" commit -q create -t "7a000000-0000-4000-8000-0000000$(printf %05d $(($2 + number)))" --title="number $number" >"$OUT" || fail "a commit fails" </dev/null
  done
}
# a_store <name> <first of the demo log> <seed>
a_store() {
  redo init -q "$1"
  sed -i "s/id = .*/id = ${3:0:32}/" "$1/.redo/config"
  printf '%s\n' "$3" | redo -C "$1" key import --private >"$OUT" || fail "a key cannot be imported" </dev/null
  redo -C "$1" key device-id set d >"$OUT"
  some "$1" "$2" 100
  everybody "$1"
  redo -C "$1" checkpoint create >"$OUT" || fail "no checkpoint" </dev/null
}
# everybody <store>: who has signed is trusted.
everybody() {
  redo -C "$1" cat-node --batch-all-objects --batch-check='%(author:key)' | sort -u | grep . >"$1/.redo/trust"
  chmod 644 "$1/.redo/trust"
}
a_store other 601 4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb
some other 701 150
a_store store 2 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
cp -r store old
some store 301 120
echo "# a line more" >>store/.redo/trust
redo -C store key device-id set --force e >"$OUT"
redo -C store checkpoint create -o "$PWD/remembered" >"$OUT" || fail "no checkpoint" </dev/null
some store 501 10
# An index, as there usually is one.
redo -C store log >"$OUT"

scene "{wiped, truncated, rolled back, exchanged} x {refs, journal, reflog, received, created, keys, trust, checkpoint}, alone and in pairs"
run env SHARE=$SHARE SEED="$SEED" timeout 600 python3 "$TESTS/Faults/damage-ends.py" "$TESTS/Faults/damage-ends.tsv" "$@"
expect_status 0
[ $# -eq 0 ] || cat "$OUT"
