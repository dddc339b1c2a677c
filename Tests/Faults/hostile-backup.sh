#!/bin/bash
# Points of a backup of which one thing is not as it should be, with every hash made again, in them and in those that follow: what an
# independent reader finds wrong, redo finds wrong, and makes no store of it; what is right is restored to the same store.
PYTHON=${REDO_PYTHON:-python3}
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 30
own_copies

scene "altered backups: $([ -n "$SOAK" ] && echo every alteration || echo one in $SHARE)"
if ! command -v "$PYTHON" >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
redo init -q store && redo -C store key generate >/dev/null
demo 30 | redo -C store import -q >/dev/null
redo -C store trust add -q --seen >/dev/null 2>&1
redo -C store backup -q ../points
redo -C store receipt create --at=2025-03-01T08:00:00Z >/dev/null \
  <<<'{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["calm"],"notes":"watched the rain"}'
a_node 1 >outside.json
redo -C store hash-object -w ../outside.json >/dev/null
redo -C store schema new vaccine --name=Vaccine >/dev/null
redo -C store backup -q ../points
redo -C store commit -q create --title=last >/dev/null
mkdir -p store/.redo/hooks && printf '#!/bin/sh\ntouch %s/ran\n' "$PWD" >store/.redo/hooks/pre-receive
chmod 755 store/.redo/hooks/pre-receive
redo -C store backup -q ../points
run env SEED="$SEED" SHARE="$SHARE" timeout 3500 "$PYTHON" "$TESTS/Faults/hostile-backup.py" store points
expect_status 0
expect_stderr ''
sed 's/^/# /' "$OUT"
