#!/bin/bash
# Random receipts that other people's code has encoded, named and signed, through the commands: right ones have the same CIDs and
# good signatures and come back as they went, and those that are changed are refused by both, rule by rule. 10,000 of each with
# REDO_SOAK=1.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "random receipts" dag_cbor nacl multiformats
oracle() { "$PYTHON" "$TESTS/Oracle/$1.py" "${@:2}"; }
COUNT=$([ "$SOAK" ] && echo 10000 || echo 250)
SEEDED=$((SEED % 100000))
echo "# REDO_SEED=$SEED"

scene "$COUNT right ones: the CIDs and signatures are those of the others, and they come back as they went"
oracle random_receipts --seed "$SEEDED" --count "$COUNT" >right.made
# The keys, as a trust file says them, and the lines without them.
"$PYTHON" - right.made trust >right <<'END'
import base64, json, sys
import dag_cbor
escaped = lambda text: "".join(
    letter if letter.isascii() and (letter.isalnum() or letter in ".:_-") else "".join(f"%{byte:02x}" for byte in letter.encode()) for letter in text)
pins, known = {}, {}
for text in open(sys.argv[1]):
    row = json.loads(text)
    envelope = dag_cbor.decode(base64.b64decode(row["cbor"]))
    if "deviceId" in envelope:
        known[envelope["did"] + " " + envelope["deviceId"]] = row["key"]
        pins.setdefault(row["key"], set()).add(f"device={escaped(envelope['did'])}/{escaped(envelope['deviceId'])}")
    print(json.dumps({name: row[name] for name in ("cbor", "cid", "signature")}))
with open(sys.argv[2], "w") as file:
    for key, words in sorted(pins.items()):
        print(key, *sorted(words), file=file)
json.dump(known, open("known", "w"))
END
redo init -q store
cp trust store/.redo/trust
redo -C store verify --json "$PWD/right" >verdicts 2>"$ERR"
"$PYTHON" - right verdicts <<'END' || fail "another verdict" <"$ERR"
import base64, json, sys
import dag_cbor
rows, verdicts = ([json.loads(text) for text in open(name)] for name in sys.argv[1:])
verdicts = [row for row in verdicts if "letter" in row]
assert len(rows) == len(verdicts), (len(rows), len(verdicts))
keyless = 0
for row, verdict in zip(rows, verdicts):
    digest = base64.b32decode(row["cid"][1:].upper() + "=" * (-len(row["cid"][1:]) % 8))
    assert digest[:4] == b"\x01\x71\x12\x20" and verdict["id"] == "sha256:" + digest[4:].hex(), (row, verdict)
    has_device = "deviceId" in dag_cbor.decode(base64.b64decode(row["cbor"]))
    keyless += not has_device
    assert verdict["letter"] == ("G" if has_device else "E") and (has_device or verdict["rule"] == "key-unknown"), (row, verdict)
print(f"# {len(rows)} CIDs, {len(rows) - keyless} good signatures, {keyless} of no device, whose key nobody has")
END
redo -C store import -q --profile=v1 - <right >"$OUT" 2>"$ERR" || fail "they are not taken" <"$ERR"
redo -C store export -q --kind=receipt --include-precise >back
"$PYTHON" - right back <<'END' || fail "they come back as others" </dev/null
import json, sys
went, came = ({(row["cid"], row["cbor"], row["signature"]) for row in map(json.loads, open(name))} for name in sys.argv[1:])
assert went == came and went, (len(went), len(came), went ^ came)
END

scene "what redo makes and signs itself has the CID and the signature that others make"
redo init -q own && redo -C own key generate >/dev/null
oracle receipt_made random "$SEEDED" "$([ "$SOAK" ] && echo 500 || echo 15)" >payloads
while read -r payload; do
  redo -C own receipt create -q <<<"$payload" >>made || fail "a payload is refused" <<<"$payload"
done <payloads
redo -C own export -q --kind=receipt --include-precise >signed
"$PYTHON" - signed own/.redo/keys/ed25519_private_key made <<'END' || fail "another signature" </dev/null
import base64, json, sys
import dag_cbor, nacl.signing
from multiformats import CID, multihash
key = nacl.signing.SigningKey(bytes.fromhex(open(sys.argv[2]).read().strip()))
rows = [json.loads(text) for text in open(sys.argv[1])]
for row in rows:
    content = base64.b64decode(row["cbor"])
    value = dag_cbor.decode(content)
    assert dag_cbor.encode(value) == content and dag_cbor.encode(dag_cbor.decode(value["payload"])) == value["payload"]
    assert str(CID("base32", 1, "dag-cbor", multihash.digest(content, "sha2-256"))) == row["cid"]
    assert base64.b64encode(key.sign(content).signature).decode() == row["signature"], row
assert {row["cid"] for row in rows} >= {text.strip() for text in open(sys.argv[3])}
print(f"# {len(rows)} receipts")
END

scene "$COUNT changed ones are refused by both, for the same rule at the same place"
# Some changes leave a receipt right, or take away its key or signature, or put another key beside it: those are no part of it.
oracle random_receipts --seed $((SEEDED + 1)) --count $((COUNT * 8 / 5)) --wrong 1 >wrong.made
oracle receipt_rules --lines <wrong.made >wrong.found
"$PYTHON" - wrong.made wrong.found "$COUNT" wrong <<'END' || fail "too few of them are wrong" </dev/null
import base64, json, sys
import dag_cbor
made, found, count = open(sys.argv[1]).readlines(), open(sys.argv[2]).readlines(), int(sys.argv[3])
known = json.load(open("known"))
NOTICES = {"did-unbound", "payload-range", "claimed-missing", "receipt-precise", "array-order", "receipt-type-unknown"}
chosen = []
for text, answer in zip(made, found):
    row, (_, letter, findings) = json.loads(text), answer.rstrip("\n").split("\t")
    if letter != "B" or len(chosen) == count:
        continue
    errors = [part.split("@", 1) for part in findings.split(",") if part != "-"]
    errors = [part for part in errors if part[0] not in NOTICES and not (part[0] == "cid-form" and part[1].startswith("/payload/"))]
    if not errors:
        envelope = dag_cbor.decode(base64.b64decode(row["cbor"]))
        if known.get(f"{envelope['did']} {envelope.get('deviceId')}") != row["key"]:
            continue
        errors = [["signature-bad", None]]
    chosen.append((row, errors))
if len(chosen) < count:
    sys.exit(f"{len(chosen)}")
with open(sys.argv[4], "w") as lines, open(sys.argv[4] + ".errors", "w") as file:
    for row, errors in chosen:
        print(json.dumps({name: row[name] for name in ("cbor", "cid", "signature") if name in row}), file=lines)
        print(json.dumps(errors), file=file)
END
redo -C store verify --json "$PWD/wrong" >verdicts 2>"$ERR"
"$PYTHON" - wrong.errors verdicts >table <<'END' || fail "one of both refuses what the other takes, or for another rule" < <(cat table "$ERR")
import collections, json, sys
answers = [json.loads(text) for text in open(sys.argv[1])]
verdicts = [row for row in map(json.loads, open(sys.argv[2])) if "letter" in row]
if len(answers) != len(verdicts):
    sys.exit(print(f"{len(answers)} answers, {len(verdicts)} verdicts") or 1)
table = collections.Counter()
for errors, verdict in zip(answers, verdicts):
    place = str(verdict["offset"]) if "offset" in verdict else verdict.get("pointer") or "''"
    place = "".join(f"%{ord(letter):02X}" if ord(letter) < 32 or ord(letter) == 127 or letter in ",%" else letter for letter in place)
    if verdict["letter"] != "B" or [verdict.get("rule"), place] not in errors and [verdict.get("rule"), None] not in errors:
        sys.exit(print(errors, verdict, sep="\n") or 1)
    table[verdict["rule"]] += 1
for rule, count in table.most_common():
    print(f"# {count:6} {rule}")
sys.exit(len(table) < 15)
END
cat table

scene "none of those that are changed is written"
before=$(fingerprint store)
while read -r line; do
  redo -C store hash-object -t receipt -w --update-heads --ndjson <<<"$line" >"$OUT" 2>"$ERR" && fail "it is taken" <<<"$line"
done < <(head -n "$([ "$SOAK" ] && echo 1000 || echo 30)" wrong)
run redo -C store import -q --profile=v1 - <wrong
[ "$STATUS" -ne 0 ] || fail "they are taken" <"$ERR"
expect_untouched "$before" store
