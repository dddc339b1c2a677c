#!/usr/bin/env python3
"""Random receipts, one a line: {"cbor": Base64, "cid", "key": hex, "signature": Base64}. Same seed, same bytes.

  random_receipts.py --seed 7 --count 1000
  random_receipts.py --wrong 0.5            half of the receipts is damaged in one place or a few

Bytes by the package `dag-cbor`, CIDs by `multiformats`, signatures by `PyNaCl`. Every type in both forms, and chains: a
parent is one of the receipts before. A damaged one may lack its key or its signature; its CID is that of its bytes.
"""

import argparse
import base64
import hashlib
import json
import random
import sys

sys.dont_write_bytecode = True

import dag_cbor
from multiformats import CID, multihash
from nacl.signing import SigningKey

from damaged_receipts import Damage

DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
RANGES = [(0x20, 0x7E), (0x61, 0x7A), (0x61, 0x7A), (0, 0x1F), (0x7F, 0xFF), (0x300, 0x36F), (0xD7F0, 0xD7FF), (0xE000, 0xE00F), (0xFFF0, 0xFFFF),
          (0x1F600, 0x1F64F), (0x10FFF0, 0x10FFFF)]
SESSIONS = ["app.buds.session." + word for word in ("created", "created", "created", "edited", "updated")]
PLAIN = ["app.buds." + word for word in (
    "memory.deleted", "memory.shared", "memory.unshared", "reaction.added", "reaction.removed", "memory.reaction.created", "memory.reaction.removed",
    "circle.invite.created", "circle.invite.accepted", "circle.member.removed", "device.revoked", "location")] + ["redo.device.registered"]
ANY = ["app.buds.session.deleted", "app.buds.preferences.updated", "app.buds.daily.summary", "app.buds.session.liked", "org.example.note"]


def cid(content, codec="dag-cbor"):
    return str(CID("base32", 1, codec, multihash.digest(content, "sha2-256")))


def base58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = DIGITS[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


class Device:
    """A key, the did and the name of a device."""

    def __init__(self, number):
        self.secret = SigningKey(hashlib.sha256(b"random receipts %d" % number).digest())
        self.key = self.secret.verify_key.encode()
        self.did = ["did:buds:" + base58(self.key[:20]), "did:phone:" + hashlib.sha256(b"%d" % number).hexdigest(), f"did:buds:local-{number}"][number % 3]
        self.name = ["D1", "5E1D2F3A-0000-4000-8000-00000000000A", "téléphone 📱", "d" * 128][number % 4]
        self.made = []

    def sign(self, content):
        return self.secret.sign(content).signature


class Source:
    """Draws receipts, all of them without an error."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.devices = [Device(number) for number in range(12)]

    def maybe(self, chance):
        return self.random.random() < chance

    # values

    def text(self, most=12):
        return "".join(chr(self.random.randint(*self.random.choice(RANGES))) for _ in range(self.random.randint(0, most)))

    def integer(self):
        bits = self.random.choice([3, 8, 16, 32, 63])
        return self.random.choice([self.random.getrandbits(bits), -1 - self.random.getrandbits(bits), 2**63 - 1, -(2**63), 23, 24, 255, 256, 65_535, 65_536, 2**32])

    def time(self):
        return self.random.choice([self.random.randint(1_600_000_000_000, 1_800_000_000_000)] * 9 + [self.integer()])

    def double(self):
        return self.random.choice([
            0.0, 1.0, 0.5, 5e-324, 1.7976931348623157e308, self.random.uniform(-180, 180), self.random.uniform(0, 120), float(self.random.randint(-5, 1200))])

    def number(self):
        return self.double() if self.maybe(0.6) else self.integer()

    def boolean(self):
        return self.maybe(0.5)

    def texts(self, most=4):
        values = [self.text(6) for _ in range(self.random.randint(0, most))]
        return values if self.maybe(0.15) else sorted(values, key=str.encode)

    def link(self):
        return CID("base58btc", 1, self.random.choice(["dag-cbor", "raw"]), multihash.digest(self.random.randbytes(4), "sha2-256"))

    def value(self, depth=3):
        """Anything at all but null."""
        kind = self.random.randrange(10 if depth else 7)
        if kind >= 8:
            return {self.name(): self.value(depth - 1) for _ in range(self.random.randint(0, 4))}
        if kind == 7:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 4))]
        return [self.text, self.integer, self.double, self.boolean, self.link, self.texts, lambda: self.random.randbytes(self.random.randint(0, 40))][kind]()

    def name(self):
        return self.random.choice(["latitude", "accuracy", "lat", "a/b~c", "0", ""] + [self.text(8)] * 30)

    def cid_of(self, codec):
        if self.maybe(0.1):
            return self.random.choice(["", "later", "bafyreiabc", self.text(), cid(b"x", "raw")])
        return cid(self.random.randbytes(4), codec)

    # payloads

    def some(self, members):
        """A part of the optional members."""
        share = self.random.choice([0, 0.2, 0.6, 1])
        return {name: draw() for name, draw in members.items() if self.maybe(share)}

    def client_session(self):
        ratio = lambda most: self.random.choice([0, most, self.random.randint(0, most), self.random.randint(0, most), most + 1, self.integer()])
        return {
            "product_name": self.text(30), "product_type": self.random.choice(["flower", "edible", self.text()]), "rating": self.rating(), "effects": self.texts(),
            **self.some({
                "claimed_time_ms": self.time, "notes": self.notes, "brand": self.text, "consumption_method": self.text, "location_cid": lambda: self.cid_of("raw"),
                "thc_percent": lambda: ratio(10_000), "cbd_percent": lambda: ratio(10_000), "amount_grams": lambda: ratio(1_000_000)})}

    def docs_session(self):
        texts = ("product_name", "product_brand", "product_type", "strain_name", "strain_type", "dispensary_name", "dispensary_id", "method")
        arrays = ("effects", "mood_before", "mood_after", "friends_present")
        return self.some({
            **{name: self.text for name in texts}, **{name: self.texts for name in arrays}, "claimed_time_ms": self.time, "notes": self.notes,
            "location_cid": lambda: self.cid_of("dag-cbor"), "thc_percent": self.number, "cbd_percent": self.number, "amount_grams": self.number,
            "rating": self.rating, "session_duration_mins": self.integer,
            "photo_cids": lambda: [self.cid_of(self.random.choice(["raw", "dag-cbor"])) for _ in range(self.random.randint(0, 3))]})

    def rating(self):
        return self.random.choice([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 0, 6, self.integer()])

    def notes(self):
        if self.maybe(0.97):
            return self.text(60)
        return self.random.choice(["n", "é", "📱"]) * self.random.randint(4999, 5002)

    def plain(self, word):
        """The payload of any type but the sessions."""
        text, did = self.text, lambda: self.random.choice(self.devices).did
        memory = {"memory_cid": self.cid_of("dag-cbor")}
        key = lambda: base64.b64encode(self.random.randbytes(32)).decode()
        reaction = {"reaction_type": text()}
        required, optional = {
            "memory.deleted": (memory, {"reason": text, "cascade_unshare": self.boolean}),
            "memory.shared": ({**memory, "shared_with": self.texts(), "permissions": self.random.choice(["view", "view_location", "full"])}, {"message": text}),
            "memory.unshared": ({**memory, "unshared_from": self.texts()}, {}),
            "reaction.added": ({"memory_id": text(), **reaction, "created_at_ms": self.time()}, {}),
            "reaction.removed": ({"memory_id": text(), **reaction}, {}),
            "memory.reaction.created": ({**memory, **reaction, "jar_id": text()}, {}),
            "memory.reaction.removed": ({**memory, **reaction, "jar_id": text()}, {}),
            "circle.invite.created": ({"invite_code": text(), "inviter_did": did()}, {"expires_at": self.time, "max_uses": self.integer, "message": text}),
            "circle.invite.accepted": ({"invite_code": text(), "inviter_did": did(), "invitee_did": did(), "invitee_pubkey_x25519": key()}, {}),
            "circle.member.removed": ({"removed_did": did(), "removed_by_did": did()}, {"reason": text}),
            "device.revoked": ({"revoked_device_id": text(), "revoked_by_device_id": text()}, {"reason": text}),
            "location": ({"location_type": self.random.choice(["precise", "fuzzy", "named"])}, {
                **{name: self.number for name in ("latitude", "longitude", "altitude", "accuracy", "fuzzy_lat", "fuzzy_lon")}, "fuzzy_radius": self.integer,
                "place_name": text, "place_category": text, "delay_share_until": self.time}),
            "device.registered": ({"pubkey_ed25519": key(), "pubkey_x25519": key()}, {}),
        }[word]
        time = {"claimed_time_ms": self.time()} if self.maybe(0.9) else {}
        return {**required, **self.some(optional), **time}

    # receipts

    def payload(self, kind, form):
        word = kind.removeprefix("app.buds.").removeprefix("redo.")
        if kind in SESSIONS:
            payload = self.client_session() if form == "client" else self.docs_session()
        elif kind in PLAIN:
            payload = self.plain(word)
        else:
            payload = {self.name(): self.value() for _ in range(self.random.randint(0, 4))}
        if self.maybe(0.15):  # a member that is not in the table
            payload = {"x" + self.text(6): self.value(), **payload}
        if self.maybe(0.03):
            payload.setdefault(self.random.choice(["latitude", "longitude", "altitude", "accuracy"]), self.double())
        return payload

    def blob(self):
        return {"cid": cid(self.random.randbytes(4), "raw"), "mimeType": self.text(), "size": abs(self.integer() // 2), "encrypted": self.boolean()}

    def draw(self):
        """(device, the envelope with its payload's map, form)."""
        device = self.random.choice(self.devices)
        form = "client" if self.maybe(0.6) else "docs"
        kind = self.random.choice(self.random.choice([SESSIONS, SESSIONS, PLAIN, PLAIN, ANY]))
        parent = self.random.choice(device.made[-8:]) if device.made and self.maybe(0.4) else None
        if kind == "app.buds.session.deleted" and parent is None:
            kind = SESSIONS[0]
        version = "/v2" if self.maybe(0.02) and parent is None else "/v1"
        envelope = {"did": device.did, "deviceId": device.name, "receiptType": kind + version, "payload": self.payload(kind, form)}
        if form == "docs":
            if self.maybe(0.3):
                del envelope["deviceId"]
            if self.maybe(0.2):
                blobs = [self.blob() for _ in range(self.random.randint(0, 3))]
                envelope["blobs"] = blobs if self.maybe(0.3) else sorted(blobs, key=lambda blob: blob["cid"])
        if parent:
            envelope["parentCID"], envelope["rootCID"] = parent
        elif form == "client":
            envelope["rootCID"] = "SELF"
        return device, envelope, form


def written(envelope, form):
    """The bytes; in client form the payload's are in a byte string."""
    if form == "client" and isinstance(envelope.get("payload"), dict):
        envelope = {**envelope, "payload": dag_cbor.encode(envelope["payload"])}
    return dag_cbor.encode(envelope)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--wrong", type=float, default=0.0, help="chance that a receipt is damaged")
    arguments = parser.parse_args()
    source = Source(arguments.seed)
    damage = Damage(source, written)
    for _ in range(arguments.count):
        device, envelope, form = source.draw()
        content = written(envelope, form)
        row = {}
        if source.maybe(arguments.wrong):
            content, row = damage.receipt(device, envelope, form)
        else:
            own = cid(content)
            device.made.append((own, envelope.get("rootCID", own) if "parentCID" in envelope else own))
            row = {"key": device.key.hex(), "signature": base64.b64encode(device.sign(content)).decode()}
        row.update({"cbor": base64.b64encode(content).decode(), "cid": cid(content)})
        print(json.dumps(row, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
