#!/usr/bin/env python3
"""What a new receipt is to be, by an independent reading of redo-receipt(1): from a payload in plain units to the CID.

  receipt_made.py cid <did> <device> <type> <milliseconds> [<parent> <root>] < payload   the CID
  receipt_made.py random <seed> <count>                                                  payloads, one a line
  receipt_made.py check <key> <envelope> < signature   the signature in Base64 over the bytes in a file, or an error

Decimals are read as decimals, never as floats.
"""

import base64
import decimal
import json
import random
import sys

import dag_cbor
from multiformats import CID, multihash

SCALES = {"thc_percent": 100, "cbd_percent": 100, "amount_grams": 1000}


def exact(number):
    if number != number.to_integral_value():
        raise ValueError(f"no integer: {number}")
    return int(number)


def scaled(name, value):
    if isinstance(value, (decimal.Decimal, int)) and not isinstance(value, bool):
        return exact(decimal.Decimal(value) * SCALES.get(name, 1))
    if isinstance(value, list):
        return [scaled("", element) for element in value]
    if isinstance(value, dict):
        return {key: scaled("", inner) for key, inner in value.items()}
    return value


def cid_of(did, device, kind, time, payload, parent=None, root=None):
    payload = {name: scaled(name, value) for name, value in payload.items()}
    payload.setdefault("claimed_time_ms", int(time))
    envelope = {"did": did, "deviceId": device, "receiptType": kind, "payload": dag_cbor.encode(payload), "rootCID": root or "SELF"}
    if parent:
        envelope["parentCID"] = parent
    return str(CID("base32", 1, "dag-cbor", multihash.digest(dag_cbor.encode(envelope), "sha2-256")))


def payloads(seed, count):
    chosen = random.Random(seed)
    letters = "aZ 0é\"\\\u0001\u2028😀ß"
    text = lambda: "".join(chosen.choice(letters) for _ in range(chosen.randrange(12)))
    for _ in range(count):
        row = {"product_name": text(), "product_type": text(), "rating": chosen.randrange(1, 6),
               "effects": [text() for _ in range(chosen.randrange(4))]}
        for name, digits in (("thc_percent", 2), ("cbd_percent", 2), ("amount_grams", 3)):
            if chosen.random() < 0.6:
                limit = 100 * 10**digits
                row[name] = decimal.Decimal(chosen.randrange(limit)).scaleb(-digits)
        for name in ("notes", "brand", "strain_name", "\u00e9", "e\u0301", "unknown", ""):
            if chosen.random() < 0.4:
                row[name] = text()
        if chosen.random() < 0.3:
            row["more"] = {"deep": [{"n": chosen.randrange(-2**63, 2**63), "t": True}], "": False}
        if chosen.random() < 0.3:
            row["claimed_time_ms"] = chosen.randrange(2**41)
        items = list(row.items())
        chosen.shuffle(items)
        yield "{" + ", ".join(f"{json.dumps(name, ensure_ascii=chosen.random() < 0.5)}: {number(value, chosen)}" for name, value in items) + "}"


def number(value, chosen):
    if not isinstance(value, decimal.Decimal):
        return json.dumps(value, ensure_ascii=chosen.random() < 0.5)
    forms = [f"{value:f}", f"{value:f}0" if value.as_tuple().exponent < 0 else f"{value:f}.0", f"{value * 10:f}e-1", f"{value:E}"]
    return chosen.choice(forms)


words = sys.argv[1:]
if words[0] == "cid":
    print(cid_of(*words[1:5], json.load(sys.stdin, parse_float=decimal.Decimal), *words[5:]))
elif words[0] == "random":
    for line in payloads(int(words[1]), int(words[2])):
        print(line)
else:
    import nacl.signing

    key = nacl.signing.VerifyKey(bytes.fromhex(words[1]))
    key.verify(open(words[2], "rb").read(), base64.b64decode(sys.stdin.read().strip(), validate=True))
