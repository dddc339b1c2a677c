"""Receipts that are wrong, or odd, in one place: by the grammar of the bytes, the table of the envelope and that of the payloads.

`receipts()` yields (name, bytes, signature or None). What each of them breaks is for Tests/Oracle/receipt_rules.py to say."""

import hashlib

from damaged_receipts import Item
from maker import receipt_base as base
from maker.receipt_base import ADA, BEN, Fault, Inside, Link, Map, head, raw_cid, receipt, written
from maker.receipt_bytes import BAD_VALUES, GOOD_VALUES, nested, sorted_but_one
from receipt_types import CLIENT_SESSION, DOCS_SESSION, TABLES

# What the hostile ones lie beside, and what those with a parent follow.
CARD = written({**receipt(), "receiptType": "redo.device.registered/v1", "payload": Inside(base.CARD)})[0]
FIRST = written({**receipt(), "payload": Inside({**base.CLIENT_SESSION, "product_name": "the first"})})[0]
FIRST_CID = base.cid_text(raw_cid(FIRST))
SECOND = written({**receipt(), "receiptType": base.EDITED, "payload": Inside({**base.CLIENT_SESSION, "product_name": "the second"}),
                  "parentCID": FIRST_CID, "rootCID": FIRST_CID})[0]
ORDER = 2**252 + 27742317777372353535851937790883648493
FORMS = ("client", "docs")


def signed(content, person=ADA):
    return person.secret.sign(content).signature


def put(holder, path, value):
    for name in path[:-1]:
        holder = holder[name]
    if value is REMOVED:
        holder.pop(path[-1], None)
    else:
        holder[path[-1]] = value


REMOVED = object()
TEXTS = {
    "empty": "", "nul": "a\0b", "escape": "\x1b]0;owned\x07\x1b[2J", "delete": "a\x7fb", "c1": "a\x9b31mb", "turned": "\u202eabc\u2066d",
    "composed": "\u00e9", "decomposed": "e\u0301", "path": "../../../x", "line-feed": "a\nb\r\tc", "long": "x" * 60_000, "no-character": "\ufdd0\uffff",
    "separator": "a\u2028b\u2029c", "percent": "%s%n%x", "quote": "'\"`$(id)", "of-marks": "a" + "\u0301" * 3000}
WRONG = {
    "null": None, "true": True, "zero": 0, "least": -(2**63), "most": 2**63 - 1, "double": 1.5, "bytes": b"\xff\0", "text": "x", "array": [], "map": {},
    "link": Link(raw_cid(b"a link")), "map-of-null": {"a": None}, "empty": "", "array-of-null": [None]}
RAW = {
    "array-of-2-to-32": b"\x9a\xff\xff\xff\xff", "array-of-2-to-63": b"\x9b\x7f" + b"\xff" * 7, "array-of-2-to-64": b"\x9b" + b"\xff" * 8,
    "map-of-2-to-62": b"\xbb\x40" + bytes(7), "map-of-2-to-63": b"\xbb\x7f" + b"\xff" * 7, "map-of-2-to-64": b"\xbb" + b"\xff" * 8,
    "text-of-2-to-63": b"\x7b\x7f" + b"\xff" * 7, "text-of-2-to-64": b"\x7b" + b"\xff" * 8, "bytes-of-2-to-64": b"\x5b" + b"\xff" * 8,
    "bytes-of-2-to-31": b"\x5a\x7f\xff\xff\xff", "map-indefinite": b"\xbf\x61a\x00\xff", "nested-indefinite": b"\x9f" * 200 + b"\xff" * 200,
    "tag-of-2-to-64": b"\xdb" + b"\xff" * 8 + b"\x00", "tags-in-tags": b"\xc1" * 5000 + b"\x00", "tag-42-in-tag-42": b"\xd8\x2a\xd8\x2a\x41\0",
    "tag-42-of-text": b"\xd8\x2a\x60", "tag-42-empty": b"\xd8\x2a\x40", "tag-42-long-head": b"\xd9\x00\x2a\x58\x25\0" + raw_cid(b"a link"),
    "link-of-sha-512": b"\xd8\x2a\x58\x25\0\x01\x71\x13\x20" + bytes(32), "link-of-16-bytes": b"\xd8\x2a\x55\0\x01\x71\x12\x10" + bytes(16),
    "link-of-version-0": b"\xd8\x2a\x58\x23\0\x12\x20" + bytes(32), "link-of-version-2": b"\xd8\x2a\x58\x25\0\x02\x71\x12\x20" + bytes(32),
    "link-of-json": b"\xd8\x2a\x58\x26\0\x01\x80\x04\x12\x20" + bytes(32), "link-with-a-long-varint": b"\xd8\x2a\x58\x26\0\x81\0\x71\x12\x20" + bytes(32),
    "link-and-one-byte": b"\xd8\x2a\x58\x26\0" + raw_cid(b"a link") + b"\0", "arrays-60000-deep": b"\x81" * 60_000 + b"\x80",
    "maps-15000-deep": b"\xa1\x61a" * 15_000 + b"\xa0", "bytes-in-bytes": b"\x58\x28" + b"\x58\x26" + bytes(38), "one-byte-simple": b"\xf8\x14",
    "big-number": b"\xc2\x49\x01" + bytes(8), "double-that-is-not-signalling": b"\xfb\x7f\xf0" + bytes(5) + b"\x01", "minus-infinity": b"\xfb\xff\xf0" + bytes(6),
    "text-with-a-lone-surrogate": b"\x66\xed\xa0\xbd\xed\xb8\x80", "text-above-unicode": b"\x64\xf4\x90\x80\x80", "text-cut": b"\x62\xe2\x82",
    "key-of-wrong-utf8": b"\xa1\x62\xc3\x28\x00", "key-null": b"\xa1\xf6\x00", "key-array": b"\xa1\x80\x00", "key-twice-apart": b"\xa3\x61a\x00\x61b\x00\x61a\x00",
    "key-of-2-to-64": b"\xa1\x7b" + b"\xff" * 8, "minus-2-to-64": b"\x3b" + b"\xff" * 8, "minus-2-to-63": b"\x3b\x7f" + b"\xff" * 7}


def spellings(text):
    """A CID in other spellings, and other things in its place."""
    raw = raw_cid(b"named")
    b32 = base.cid_text
    return {
        "upper": text.upper(), "cut": text[:-1], "longer": text + "a", "padded": text + "======", "bits-behind": text[:-1] + chr(ord(text[-1]) + 1),
        "line-feed": text + "\n", "space": " " + text, "self": "SELF", "empty": "", "not-base32": text[:-1] + "1", "base58": "z" + text[1:],
        "other-codec": b32(bytes([1, 0x70]) + raw[2:]), "raw": b32(bytes([1, 0x55]) + raw[2:]), "other-hash": b32(raw[:2] + b"\x13\x20" + raw[4:]),
        "identity": b32(b"\x01\x71\x00\x04abcd"), "short-hash": b32(raw[:3] + b"\x10" + raw[4:20]), "long-hash": b32(raw[:3] + b"\x21" + raw[4:] + b"\0"),
        "version-0": "Qm" + "a" * 44, "version-2": b32(b"\x02" + raw[1:]), "zeros": "b" + "a" * 58, "bytes": raw, "link": Link(raw), "control": "bafyrei\x1b[31m"}


def bytes_of():
    for form in FORMS:
        for rule, case, value in GOOD_VALUES + BAD_VALUES:
            yield f"{form}-{rule}-{case}", value_at(form, value)
        for case, raw in RAW.items():
            yield f"{form}-{case}", value_at(form, Fault(raw))
            yield f"{form}-{case}-beside", written({**envelope(form), "x": Fault(raw)})[0]
    whole = value_at("docs", 1)
    for size in range(0, len(whole), 23):
        yield f"cut-after-{size}", whole[:size]
    for number, item in enumerate(Item(whole).all()):
        for low, count in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if item.major < 7 and count > item.head - item.at - 1 and number % 3 == low % 3:
                longer = bytes([item.major << 5 | low]) + item.number.to_bytes(count, "big")
                yield f"head-of-item-{number}-in-{count}", whole[:item.at] + longer + whole[item.head:]
        if item.major in (2, 3, 4, 5) and number % 2:
            inner = whole[item.at:item.end] if item.major < 4 else whole[item.head:item.end]
            yield f"item-{number}-indefinite", whole[:item.at] + bytes([item.major << 5 | 31]) + inner + b"\xff" + whole[item.end:]
    for case, content in {
            "nothing": b"", "map-of-none": b"\xa0", "array-of-none": b"\x80", "break": b"\xff", "null": b"\xf6", "json": b'{"did":"x"}', "zeros": bytes(100),
            "map-of-2-to-64": b"\xbb" + b"\xff" * 8, "arrays-65000-deep": b"\x81" * 65_000, "self-described": b"\xd9\xd9\xf7" + whole, "twice": whole * 2,
            "and-zero": whole + b"\0", "out-of-order": written(Map(*sorted_but_one(envelope("docs"))))[0]}.items():
        yield f"whole-{case}", content
    for form in FORMS:
        for size in (65_534, 65_535, 65_536, 65_537, 70_000):
            value = envelope(form)
            room = size - len(packed(form, {**value["payload"], "y": "x" * 60_000}))
            yield f"{form}-of-{size}-bytes", packed(form, {**value["payload"], "y": "x" * (60_000 + room)})
        for depth in (29, 30, 31, 32, 33, 400):
            yield f"{form}-{depth}-deep", value_at(form, nested(depth))
    for case, inner in {"nothing": b"", "text": b"\x61x", "array": b"\x80", "number": b"\x05", "bytes": b"\x41\xa0", "empty-map": b"\xa0", "null": b"\xf6",
                        "two": b"\xa0\xa0", "link": b"\xd8\x2a\x58\x25\0" + raw_cid(b"a link")}.items():
        yield f"payload-bytes-of-{case}", written({**envelope("client"), "payload": inner})[0]


def envelope(form="client", **more):
    return receipt(form, **more)


def packed(form, payload, **more):
    value = {**envelope(form), "payload": Inside(payload) if form == "client" else payload, **more}
    return written(value)[0]


def value_at(form, value):
    return packed(form, {**envelope(form)["payload"], "x": value})


def members():
    """Each member of the envelope in each form: absent, twice, of another type, of odd text; and what is not in the table."""
    for form in FORMS:
        good = {**envelope(form), "parentCID": FIRST_CID, "rootCID": FIRST_CID, "blobs": [{"cid": base.BLOB, "mimeType": "image/png", "size": 3, "encrypted": False}]}
        if form == "client":
            good["payload"] = Inside(good["payload"])
            del good["blobs"]
        for name in (*good, "blobs", "signature", "id", "cid", "", "a/b~c\x1b[31m"):
            if name in good:
                yield f"{form}-without-{name}", written({key: value for key, value in good.items() if key != name})[0]
                entries = sorted(good.items(), key=lambda entry: (len(entry[0].encode()), entry[0].encode()))
                at = [key for key, _ in entries].index(name)
                yield f"{form}-twice-{name}", written(Map(*entries[:at], entries[at], *entries[at:]))[0]
            for case, value in WRONG.items():
                yield f"{form}-{name.encode().hex()[:8] if not name.isalnum() else name}-is-{case}", written({**good, name: value})[0]
        for name in ("did", "deviceId", "receiptType"):
            for case, text in TEXTS.items():
                yield f"{form}-{name}-{case}", written({**good, name: text})[0]
        for name in ("parentCID", "rootCID"):
            for case, text in spellings(good[name]).items():
                yield f"{form}-{name}-{case}", written({**good, name: text})[0]
        for kind in ("app.buds.session.created/v0", "app.buds.session.created/v18446744073709551616", "app.buds.session.created/v1\n", "A.b/v1", "a.b", "a/v1",
                     "redo.device.registered/v2", "a" * 60_000 + ".b/v1", "app.buds.session.deleted/v1"):
            yield f"{form}-type-{kind[:40]!r}", written({**envelope(form), "receiptType": kind, "payload": good["payload"]})[0]
        for did in ("did:buds:", "did:buds:" + "1" * 20, "did:buds:" + "1" * 200, "did:buds:" + "z" * 200, "did:web:" + "a" * 201, "did:x:é", base.OTHER_DID):
            yield f"{form}-did-{did[:24]}-{len(did)}", written({**good, "did": did})[0]
    blob = {"cid": base.BLOB, "mimeType": "image/png", "size": 3, "encrypted": False}
    other = {**blob, "cid": base.PHOTO}
    low, high = sorted([blob, other], key=lambda each: each["cid"])
    lists = {"none": [], "in-order": [low, high], "out-of-order": [high, low], "one-twice": [low, low], "of-null": [None], "of-text": ["x"],
             "many": [{**blob, "cid": base.named_cid(f"blob {n:04}", 0x55)} for n in range(300)], "in-list": [[low]]}
    for case, value in lists.items():
        yield f"blobs-{case}", written({**envelope("docs"), "blobs": value})[0]
    for name in (*blob, "more"):
        yield f"blob-without-{name}", written({**envelope("docs"), "blobs": [{key: value for key, value in blob.items() if key != name}]})[0]
        for case, value in WRONG.items():
            yield f"blob-{name}-is-{case}", written({**envelope("docs"), "blobs": [{**blob, name: value}]})[0]
    for case, text in spellings(base.BLOB).items():
        yield f"blob-cid-{case}", written({**envelope("docs"), "blobs": [{**blob, "cid": text}]})[0]


def payload_members():
    """Each member of each type: absent, or of another type; numbers at their bounds; texts that no terminal should be told."""
    tables = [(base.CREATED, "client", CLIENT_SESSION), (base.UPDATED, "docs", DOCS_SESSION)]
    tables += [(kind, "client", table) for kind, table in sorted(TABLES.items())]
    for kind, form, table in tables:
        good = base.payloads(kind, form)[0]
        for name in (*table, "claimed_time_ms", "latitude"):
            yield f"{kind}-without-{name}", packed(form, {key: value for key, value in good.items() if key != name}, receiptType=kind)
            for case in ("null", "most", "double", "text", "array", "map", "bytes"):
                yield f"{kind}-{name}-is-{case}", packed(form, {**good, name: WRONG[case]}, receiptType=kind)
            if name.endswith("_cid"):
                for case, text in spellings(base.ROOT).items():
                    yield f"{kind}-{name}-{case}", packed(form, {**good, name: text}, receiptType=kind)
    numbers = [0, 1, -1, 5, 6, 100, 101, 10_000, 10_001, 1_000_000, 1_000_001, 2**53, 2**63 - 1, -(2**63)]
    for name in ("rating", "thc_percent", "amount_grams", "claimed_time_ms"):
        for number in numbers:
            yield f"client-{name}-{number}", packed("client", {**base.CLIENT_SESSION, name: number})
            yield f"docs-{name}-{number}", packed("docs", {**base.DOCS_SESSION, name: number}, receiptType=base.UPDATED)
    for number in (5e-324, 1.7976931348623157e308, -1e-300, 99.999999999999999, 1e21, 2.0**63):
        yield f"docs-thc-{number}", packed("docs", {**base.DOCS_SESSION, "thc_percent": number}, receiptType=base.UPDATED)
    for time in (-62135596800000, -62135596800001, 253402300799999, 253402300800000, 2**31, 2**41, -1, 0):
        yield f"claimed-{time}", packed("client", {**base.CLIENT_SESSION, "claimed_time_ms": time})
    for case, text in TEXTS.items():
        yield f"text-{case}", packed("client", {**base.CLIENT_SESSION, "product_name": text, "notes": text[:100], "brand": text[:90]})
        yield f"effect-{case}", packed("client", {**base.CLIENT_SESSION, "effects": [text, text[:50]]})
        yield f"key-{case}", packed("docs", {**base.DOCS_SESSION, "x" + text[:900]: {text[:800]: 1}}, receiptType=base.UPDATED)
    for number, key in enumerate(("A" * 44, "A" * 43 + "=", "B" * 43 + "=", "", "é" * 22, "A" * 42 + "B=")):
        card = {**base.CARD, "pubkey_ed25519": key}
        yield f"card-key-{number}", packed("client", card, receiptType="redo.device.registered/v1")
        yield f"card-other-key-{number}", packed("client", {**base.CARD, "pubkey_x25519": key}, receiptType="redo.device.registered/v1")


def signatures():
    """One good receipt with signatures that hold, or nearly do."""
    content = packed("client", base.CLIENT_SESSION)
    good = signed(content)
    malleable = good[:32] + (int.from_bytes(good[32:], "little") + ORDER).to_bytes(32, "little")
    small = b"\x01" + bytes(31)
    for case, signature in {
            "none": None, "of-zeros": bytes(64), "of-ones": b"\xff" * 64, "of-another": signed(content, BEN), "of-other-bytes": signed(content + b"\0"),
            "malleable": malleable, "of-small-order": small + bytes(32), "halves-swapped": good[32:] + good[:32],
            "of-the-digest": signed(hashlib.sha256(content).digest()), "one-bit": bytes([good[0] ^ 1]) + good[1:]}.items():
        yield f"signature-{case}", content, signature


def receipts():
    seen = set()
    for source in (bytes_of, members, payload_members):
        for name, content in source():
            if content not in seen:
                seen.add(content)
                yield name, content, signed(content)
    yield from signatures()
