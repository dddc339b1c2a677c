#!/bin/bash
# Age files of which one thing is not as it should be, with the code of the header and all tags made again: as they are, as archives
# and as backups. What is not an age file by the letter of its specification is refused, and nothing of it is taken for contents.
PYTHON=${REDO_PYTHON:-python3}
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 8
own_copies

scene "altered age files: $([ -n "$SOAK" ] && echo every alteration || echo one in $SHARE)"
if ! "$PYTHON" -c 'import nacl' 2>/dev/null; then
  skip "there is no PyNaCl; 'make deps' makes it"
  exit 0
fi
redo age --generate -o key.txt 2>/dev/null
redo init -q store && redo -C store key generate >/dev/null
demo 300 | redo -C store import -q >/dev/null
redo -C store archive create -q -r "$(redo age -y key.txt)" -o ../archive.age --before=2100-01-01 >/dev/null
redo age -d -i key.txt archive.age >archive.pack
redo -C store backup -q -r "$(redo age -y key.txt)" -i ../key.txt ../points
run env SEED="$SEED" SHARE="$SHARE" timeout 3500 "$PYTHON" "$TESTS/Faults/hostile-age.py" key.txt archive.pack points
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
