# Objects of each kind for two sides, by other programs than redo: what both have, what only one has, and what only the other has, as
# lines in `<kind>.common`, `<kind>.here` and `<kind>.there`. For hostile-server.sh and hostile-client.sh, behind lib.sh.

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
