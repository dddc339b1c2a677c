"""What the vectors of receipts are made of: a small DAG-CBOR writer, CIDs, devices, one good receipt of each type and form."""

import base64
import copy
import hashlib
import struct

from .common import Person
from .old_logs import base58

CLAIMED = 1_740_816_000_000


class Fault:
    """Bytes that are written as they are; what is wrong is `at` bytes into them."""

    def __init__(self, content, at=0):
        self.content, self.at = content, at


class Map:
    """A map whose entries are written in the order given; a key may be a `Fault`."""

    def __init__(self, *entries):
        self.entries = entries


class Inside:
    """A byte string that holds a value's encoding."""

    def __init__(self, value):
        self.value = value


class Link(bytes):
    """A raw CID under tag 42."""


def head(major, number):
    """The shortest head of an item."""
    if number < 24:
        return bytes([major << 5 | number])
    for low, count in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * count:
            return bytes([major << 5 | low]) + number.to_bytes(count, "big")
    raise ValueError(number)


def key_order(entry):
    key = entry[0].encode()
    return len(key), key


class Writer:
    """Writes values; `fault` is the offset of the defect, if one was written."""

    def __init__(self):
        self.out, self.fault = b"", None

    def write(self, value):
        if isinstance(value, Fault):
            self.fault = len(self.out) + value.at
            self.out += value.content
        elif isinstance(value, Inside):
            inner = Writer()
            inner.write(value.value)
            self.out += head(2, len(inner.out))
            if inner.fault is not None:
                self.fault = len(self.out) + inner.fault
            self.out += inner.out
        elif isinstance(value, (dict, Map)):
            entries = value.entries if isinstance(value, Map) else sorted(value.items(), key=key_order)
            self.out += head(5, len(entries))
            for entry in entries:
                self.write(entry[0])
                self.write(entry[1])
        elif isinstance(value, (list, tuple)):
            self.out += head(4, len(value))
            for element in value:
                self.write(element)
        else:
            self.out += scalar(value)


def scalar(value):
    if value is None or isinstance(value, bool):
        return {False: b"\xf4", True: b"\xf5", None: b"\xf6"}[value]
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, Link):
        return b"\xd8\x2a" + head(2, len(value) + 1) + b"\0" + value
    return head(2, len(value)) + value


def written(value):
    """(bytes, offset of the defect or None)."""
    writer = Writer()
    writer.write(value)
    return writer.out, writer.fault


def raw_cid(content, codec=0x71):
    return bytes([1, codec, 0x12, 0x20]) + hashlib.sha256(content).digest()


def cid_text(raw):
    return "b" + base64.b32encode(raw).decode().lower().rstrip("=")


def named_cid(name, codec=0x71):
    """The CID of something that is not there."""
    return cid_text(raw_cid(name.encode(), codec))


def key_text(name):
    """The padded Base64 of 32 bytes."""
    return base64.b64encode(hashlib.sha256(name.encode()).digest()).decode()


def did_of(key):
    return "did:buds:" + base58(key[:20])


def key_of(person):
    return bytes.fromhex(person.public)


def zero_person():
    """A key that begins with a zero byte, so that its did has a leading 1."""
    number = 0
    while True:
        person = Person(f"zero {number}", "device-zero")
        if person.public.startswith("00"):
            return person
        number += 1


ADA = Person("ada's phone", "5E1D2F3A-0000-4000-8000-00000000000A")
BEN = Person("ben's phone", "D1")
DID, OTHER_DID = did_of(key_of(ADA)), did_of(key_of(BEN))
PHONE = "did:phone:" + hashlib.sha256(b"a phone and a salt").hexdigest()
PARENT, ROOT = named_cid("parent"), named_cid("root")
BLOB, PHOTO, PLACE = named_cid("blob", 0x55), named_cid("photo", 0x55), named_cid("place", 0x55)

CREATED, EDITED, UPDATED = (f"app.buds.session.{word}/v1" for word in ("created", "edited", "updated"))
DELETED = "app.buds.session.deleted/v1"
SESSIONS = [CREATED, EDITED, UPDATED]

# Payloads with every member, and with those that are required.
CLIENT_MINIMAL = {"product_name": "Blue Dream", "product_type": "flower", "rating": 5, "effects": []}
CLIENT_SESSION = {
    **CLIENT_MINIMAL, "effects": ["creative", "relaxed"], "claimed_time_ms": CLAIMED, "notes": "Zoë\n“🚀”", "brand": "Acme",
    "consumption_method": "vape", "location_cid": PLACE, "thc_percent": 2350, "cbd_percent": 0, "amount_grams": 500}
DOCS_SESSION = {
    "claimed_time_ms": CLAIMED, "product_name": "Blue Dream", "product_brand": "Acme", "product_type": "flower", "strain_name": "Blue Dream",
    "strain_type": "hybrid", "dispensary_name": "Corner", "dispensary_id": "c-1", "notes": "", "method": "vape", "location_cid": PLACE,
    "thc_percent": 23.5, "cbd_percent": 0.0, "amount_grams": 0.5, "rating": 5, "session_duration_mins": 45, "effects": ["creative", "relaxed"],
    "mood_before": ["tired"], "mood_after": ["calm", "glad"], "photo_cids": sorted([PHOTO, BLOB]), "friends_present": ["Ben", "Cleo"]}
TIME = {"claimed_time_ms": CLAIMED}
REACTION = {"memory_cid": ROOT, "reaction_type": "🔥", "jar_id": "jar-1", **TIME}
CARD = {"pubkey_ed25519": base64.b64encode(key_of(ADA)).decode(), "pubkey_x25519": key_text("x"), **TIME}
PLAIN = {
    "app.buds.memory.deleted/v1": ({"memory_cid": ROOT, "reason": "mine", "cascade_unshare": True, **TIME}, {"memory_cid": ROOT, **TIME}),
    "app.buds.memory.shared/v1": (
        {"memory_cid": ROOT, "shared_with": sorted([DID, OTHER_DID]), "permissions": "view_location", "message": "look", **TIME},
        {"memory_cid": ROOT, "shared_with": [], "permissions": "view", **TIME}),
    "app.buds.memory.unshared/v1": (
        {"memory_cid": ROOT, "unshared_from": [OTHER_DID], **TIME}, {"memory_cid": ROOT, "unshared_from": [], **TIME}),
    "app.buds.reaction.added/v1": (
        {"memory_id": "m-1", "reaction_type": "heart", "created_at_ms": CLAIMED, **TIME},
        {"memory_id": "m-1", "reaction_type": "heart", "created_at_ms": CLAIMED}),
    "app.buds.reaction.removed/v1": ({"memory_id": "m-1", "reaction_type": "heart", **TIME}, {"memory_id": "m-1", "reaction_type": "heart"}),
    "app.buds.memory.reaction.created/v1": (REACTION, REACTION),
    "app.buds.memory.reaction.removed/v1": (REACTION, REACTION),
    "app.buds.circle.invite.created/v1": (
        {"invite_code": "BUDS-0A1B-2C3D", "inviter_did": DID, "expires_at": CLAIMED, "max_uses": 5, "message": "come", **TIME},
        {"invite_code": "BUDS-0A1B-2C3D", "inviter_did": DID, **TIME}),
    "app.buds.circle.invite.accepted/v1": ({
        "invite_code": "BUDS-0A1B-2C3D", "inviter_did": DID, "invitee_did": OTHER_DID, "invitee_pubkey_x25519": key_text("x"), **TIME},) * 2,
    "app.buds.circle.member.removed/v1": (
        {"removed_did": OTHER_DID, "removed_by_did": DID, "reason": "", **TIME}, {"removed_did": OTHER_DID, "removed_by_did": DID, **TIME}),
    "app.buds.device.revoked/v1": (
        {"revoked_device_id": "D1", "revoked_by_device_id": "D2", "reason": "lost", **TIME},
        {"revoked_device_id": "D1", "revoked_by_device_id": "D2", **TIME}),
    "app.buds.location/v1": (
        {"location_type": "fuzzy", "fuzzy_lat": 37.775, "fuzzy_lon": -122.42, "fuzzy_radius": 500, "place_name": "Park", "place_category": "outdoors",
         "delay_share_until": CLAIMED, **TIME},
        {"location_type": "named", **TIME}),
    "redo.device.registered/v1": (CARD, CARD),
}
ANY_PAYLOAD = ["app.buds.preferences.updated/v1", "app.buds.daily.summary/v1"]


def receipt(form="client", kind=CREATED, payload=None, parent=False):
    """A good receipt, with a complete payload unless one is given."""
    if payload is None:
        payload = payloads(kind, form)[0]
    value = {"did": DID, "deviceId": ADA.device, "receiptType": kind, "payload": copy.deepcopy(payload)}
    if parent:
        value.update({"parentCID": PARENT, "rootCID": ROOT})
    elif form == "client":
        value["rootCID"] = "SELF"
    return value


def payloads(kind, form):
    """The complete and the minimal payload of a type."""
    if kind in SESSIONS:
        return (CLIENT_SESSION, CLIENT_MINIMAL) if form == "client" else (DOCS_SESSION, TIME)
    return PLAIN.get(kind, (TIME, {}))
