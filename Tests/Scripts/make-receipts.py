#!/usr/bin/env python3
"""One receipt as a line of JSON, {"cbor","cid","signature"}: bytes by the writer of Tests/Vectors/maker, signatures by PyNaCl.

  make-receipts.py [--person=ada|ben|eve] [--type=created|edited|deleted|memory|card] [--parent=CID --root=CID] [--did=DID]
                   [--device=ID] [--claimed=MS] [--text=TEXT] [--key-of=NAME] [--unsigned] [--by=NAME]
  make-receipts.py --many=N [--seed=S]   the card, then N receipts: new chains and edits of earlier ones, claimed at any time; a
                                     tenth of what is no edit tells a precise place with --precise
  make-receipts.py --key=NAME        the public key of a person, 64 hex digits
  make-receipts.py --did-of=NAME     the did that is made of it

The payload is of client form. `--by` signs with another person's key, `--key-of` puts another's into a card, and `--text` is the
name of the product.
"""

import argparse
import base64
import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Vectors"))

from maker import receipt_base as base
from maker.common import Person

PEOPLE = {name: Person(f"{name}'s phone", device) for name, device in (("ada", "D1"), ("ben", "D2"), ("eve", "D3"))}
TYPES = {"created": base.CREATED, "edited": base.EDITED, "deleted": base.DELETED, "memory": "app.buds.memory.deleted/v1",
         "card": "redo.device.registered/v1"}

parser = argparse.ArgumentParser()
for name in ("person", "type", "parent", "root", "did", "device", "text", "key-of", "by", "key", "did-of"):
    parser.add_argument("--" + name)
parser.add_argument("--claimed", type=int, default=base.CLAIMED)
for name in ("many", "seed"):
    parser.add_argument("--" + name, type=int, default=0)
for name in ("unsigned", "precise"):
    parser.add_argument("--" + name, action="store_true")
options = parser.parse_args()

if options.key:
    print(PEOPLE[options.key].public)
    sys.exit()
if options.did_of:
    print(base.did_of(base.key_of(PEOPLE[options.did_of])))
    sys.exit()

person = PEOPLE[options.person or "ada"]
DID = options.did or base.did_of(base.key_of(person))


def line(kind, payload, parent=None, root=None):
    receipt = {"did": DID, "deviceId": options.device or person.device, "receiptType": TYPES.get(kind, kind),
               "payload": base.Inside(payload), "rootCID": root or "SELF"}
    if parent:
        receipt["parentCID"] = parent
    content, _ = base.written(receipt)
    row = {"cbor": base64.b64encode(content).decode(), "cid": base.cid_text(base.raw_cid(content))}
    if not options.unsigned:
        row["signature"] = base64.b64encode(PEOPLE[options.by or options.person or "ada"].secret.sign(content).signature).decode()
    print(json.dumps(row, separators=(",", ":")))
    return row["cid"]


def card(time):
    key = base.key_of(PEOPLE[options.key_of or options.person or "ada"])
    return {"claimed_time_ms": time, "pubkey_ed25519": base64.b64encode(key).decode(), "pubkey_x25519": base.key_text("x")}


def session(time, text):
    return {"claimed_time_ms": time, **base.CLIENT_MINIMAL, "product_name": text}


if options.many:
    chosen = random.Random(options.seed)
    line("card", card(options.claimed))
    sessions = []
    for number in range(options.many):
        time = options.claimed + chosen.randrange(-10**9, 10**9)
        if sessions and chosen.random() < 0.4:
            parent, root = chosen.choice(sessions)
            sessions.append((line("edited", session(time, f"edit {number}"), parent, root), root))
        elif options.precise and chosen.random() < 0.1:
            place = {"claimed_time_ms": time, "location_type": "precise", "latitude": 52.5 + number / 1000, "longitude": 13.4}
            line("app.buds.location/v1", place)
        else:
            cid = line("created", session(time, f"session {number}"))
            sessions.append((cid, cid))
    sys.exit()

kind = options.type or "created"
payload = {"claimed_time_ms": options.claimed}
if kind in ("created", "edited"):
    payload = session(options.claimed, options.text or "Blue Dream")
elif kind == "memory":
    payload["memory_cid"] = options.text
elif kind == "card":
    payload = card(options.claimed)
line(kind, payload, options.parent, options.root)
