#!/bin/bash
# A server that speaks redo-wire(5) and lies in one place: fetch, push, sync and ls-remote say what is wrong, and take nothing that is not whole.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 40
own_copies
need_python "what a hostile server says" rfc8785 nacl dag_cbor
HTTP=0
! link_network || HTTP=1

# The way there: a program that stands for ssh, and leads to a port of this machine.
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
exec 3<>"/dev/tcp/127.0.0.1/$(cat "$WORK/here/ports")"
cat <&3 3<&- &
exec 1>&-
cat >&3
kill $! 2>/dev/null
exit 0
END
chmod 755 "$WORK/bin/ssh"
export WORK

# Of each kind: what both have, what only the store has, and what only the server has.
demo 400 >demo.ndjson
"$PYTHON" "$TESTS/Oracle/schema_log.py" make "$SEED" "$PWD" 50 || fail "the maker" </dev/null
"$PYTHON" "$TESTS/Scripts/make-receipts.py" --many=60 --seed="$SEED" >receipts.ndjson
"$PYTHON" - "$TESTS/Faults" <<'END' || fail "no worlds" </dev/null
import json, sys
sys.path.insert(0, sys.argv[1])
from wire_sides import divided, read_lines
for kind, path in (("node", "demo.ndjson"), ("schema", "history.ndjson"), ("receipt", "receipts.ndjson")):
    common, here, there = divided(read_lines(path)[:60], 28)
    for name, part in (("common", common), ("here", here[:8]), ("there", there)):
        with open(f"{kind}.{name}", "w") as file:
            for thing in part:
                print(json.dumps(thing.row, separators=(",", ":"), ensure_ascii=False), file=file)
        assert part, (kind, name)
END
for kind in node schema receipt; do
  redo init -q $kind.store
  cat $kind.common $kind.here | redo -C $kind.store import -q >/dev/null || fail "no store" </dev/null
done

scene "one lie of a server, in every place of its language: a command fails, and nothing is half there"
run env SHARE=$SHARE SEED="$SEED" HTTP=$HTTP timeout 36000 "$PYTHON" "$TESTS/Faults/hostile-server.py"
expect_status 0
cat "$OUT"
