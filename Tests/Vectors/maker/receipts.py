"""receipt/: one receipt a file, each invalid one with a single defect: the envelope, the forms, identifiers and blobs."""

import base64

from . import receipt_bytes, receipt_payloads, receipt_signatures
from .common import Folder, REMOVE, edit, pointer_of
from .nodes import upper_last_letter
from .old_logs import base58
from .receipt_base import (
    ADA, BLOB, CLAIMED, CLIENT_MINIMAL, CREATED, DELETED, DID, EDITED, PARENT, PHONE, PHOTO, ROOT, TIME, UPDATED, Inside, Link, cid_text, did_of, key_of, named_cid, raw_cid,
    receipt, written, zero_person)

MAX_SIZE = 65_536
UNBOUND, UNKNOWN = "did-unbound@/did", "receipt-type-unknown@/receiptType"


class Maker:
    """Collects cases and writes them: `valid` and `invalid` take edits of a good receipt."""

    def __init__(self, root):
        self.folder = Folder(root, "receipt")
        self.contents = {}

    def write(self, name, content, *cells):
        self.folder.write(name, content)
        verdict, rule, place, warnings, *rest = cells
        self.folder.row(name, verdict, rule, place, ",".join(sorted(warnings)) or "-", cid_text(raw_cid(content)), *rest)

    def value(self, changes={}, form="client", kind=CREATED, payload=None, parent=False):
        """The receipt with its edits; in client form the payload's map goes into a byte string."""
        value = edit(receipt(form, kind, payload, parent), changes)
        if form == "client" and isinstance(value, dict) and isinstance(value.get("payload"), dict):
            value["payload"] = Inside(value["payload"])
        return value

    def valid(self, rule, case, changes={}, form="client", kind=CREATED, payload=None, parent=False, warn=()):
        value = self.value(changes, form, kind, payload, parent)
        content, _ = written(value)
        root = value["rootCID"] if "parentCID" in value else cid_text(raw_cid(content))
        sync = "receipt-precise" if any(w.startswith("receipt-precise@") for w in warn) else "-"
        name = f"valid/{rule}--{case}.cbor"
        self.write(name, content, "valid", "-", "-", warn, root, form, sync)
        self.contents[name] = content

    def invalid(self, rule, case, place, changes={}, form="client", kind=CREATED, payload=None, parent=False, warn=()):
        content, _ = written(self.value(changes, form, kind, payload, parent))
        self.broken(rule, case, place or "''", content, warn)

    def broken(self, rule, case, place, content, warn=()):
        self.write(f"invalid/{rule}--{case}.cbor", content, "invalid", rule, place, warn, "-", "-", "-")


def whole(m):
    for form in ("client", "docs"):
        room = MAX_SIZE
        while True:
            changes = {"/payload/product_name": "x" * room}
            over = len(written(m.value(changes, form))[0]) - MAX_SIZE
            if over == 0:
                break
            room -= over
        m.valid("receipt-size", f"{form}-65536-bytes", changes, form=form)
        m.invalid("receipt-size", f"{form}-65537-bytes", "", {"/payload/product_name": "x" * (room + 1)}, form=form)
    m.broken("receipt-size", "65537-bytes-that-are-no-cbor", "''", b"\xff" * (MAX_SIZE + 1))

    for case, value in [("array", [receipt("docs")]), ("text", "receipt"), ("number", 1), ("float", 1.5), ("true", True), ("null", None),
                        ("bytes", Inside(receipt("docs"))), ("link", Link(raw_cid(b"a link")))]:
        m.invalid("receipt-form", f"top-{case}", "", {"": value}, form="docs")
    for form in ("client", "docs"):
        m.valid("receipt-form", form, form=form)
    for case, value in [("text", "{}"), ("number", 5), ("float", 1.5), ("array", []), ("false", False), ("link", Link(raw_cid(b"a link")))]:
        m.invalid("receipt-form", f"payload-{case}", "/payload", {"/payload": value})
    for case, value in [("text", "{}"), ("number", 5), ("float", 1.5), ("array", [{"rating": 5}]), ("false", False), ("bytes", Inside({})),
                        ("link", Link(raw_cid(b"a link")))]:
        m.invalid("receipt-form", f"payload-bytes-with-{case}", "/payload", {"/payload": Inside(value)})
    m.invalid("receipt-form", "payload-text-beside-an-unbound-did", "/payload", {"/payload": "{}", "/did": PHONE}, warn=[UNBOUND])
    m.invalid("receipt-form", "payload-text-and-what-depends-on-the-form", "/payload",
              {"/payload": "{}", "/deviceId": REMOVE, "/rootCID": PARENT, "/blobs": 5})


def members(m):
    """Members that are missing, unknown or null."""
    for name in ("did", "receiptType", "payload", "deviceId", "rootCID"):
        m.invalid("member-missing", f"client-{name.lower()}", f"/{name}", {f"/{name}": REMOVE})
        m.invalid("member-missing", f"client-with-parent-{name.lower()}", f"/{name}", {f"/{name}": REMOVE}, parent=True)
    for name in ("did", "receiptType", "payload"):
        m.invalid("member-missing", f"docs-{name.lower()}", f"/{name}", {f"/{name}": REMOVE}, form="docs")
    m.invalid("member-missing", "docs-with-parent-rootcid", "/rootCID", {"/rootCID": REMOVE}, form="docs", parent=True)
    m.valid("member-missing", "client-all-members", parent=True)
    m.valid("member-missing", "docs-all-members", {"/blobs": []}, form="docs", parent=True)
    m.valid("member-missing", "docs-without-deviceid", {"/deviceId": REMOVE}, form="docs")
    m.valid("member-missing", "docs-only-what-is-required", {"/deviceId": REMOVE, "/payload": TIME}, form="docs")
    for form in ("client", "docs"):
        for case, payload in (("empty", {}), ("any", {**TIME, "rating": "none"})):
            m.valid("member-missing", f"session-deleted-{form}-{case}", kind=DELETED, form=form, payload=payload, parent=True)
        m.invalid("member-missing", f"session-deleted-{form}-without-parent", "/parentCID", kind=DELETED, form=form, payload={})
    m.valid("member-missing", "session-edited-without-parent", kind=EDITED)

    unknown = [("usual", ("extra",)), ("other-case", ("Did",)), ("empty-name", ("",)), ("name-to-escape", ("a/b~c",)), ("like-an-index", ("0",)),
               ("signature", ("signature",)), ("cid", ("cid",)), ("id", ("id",)), ("not-ascii", ("dïd",)), ("like-a-pointer", ("payload/rating",))]
    for case, names in unknown:
        pointer = pointer_of(*names)
        m.invalid("member-unknown", f"client-{case}", pointer, {pointer: "x"})
    m.invalid("member-unknown", "docs-usual", "/extra", {"/extra": {"a": [1]}}, form="docs")
    m.invalid("member-unknown", "docs-deviceid-in-other-case", "/deviceID", {"/deviceID": "D1"}, form="docs")
    m.invalid("member-unknown", "client-blobs", "/blobs", {"/blobs": []})
    m.invalid("member-unknown", "client-blobs-of-a-wrong-form", "/blobs", {"/blobs": 5})
    taken = {"/payload/extra": {"any": [1, 1.5, b"x", "🚀", Link(raw_cid(b"a link"))]}, "/payload/": "", "/payload/did": 5, "/payload/a~1b~0c": False}
    for form in ("client", "docs"):
        m.valid("member-unknown", f"{form}-in-the-payload", taken, form=form)
    m.valid("member-unknown", "docs-blobs", {"/blobs": []}, form="docs")
    nulls(m)


def nulls(m):
    for name in ("did", "deviceId", "receiptType", "payload", "rootCID", "extra", "blobs"):
        m.invalid("member-null", f"client-{name.lower()}", f"/{name}", {f"/{name}": None})
    for name in ("parentCID", "rootCID"):
        m.invalid("member-null", f"client-with-parent-{name.lower()}", f"/{name}", {f"/{name}": None}, parent=True)
    for name in ("did", "deviceId", "receiptType", "payload", "rootCID", "extra", "blobs"):
        m.invalid("member-null", f"docs-{name.lower()}", f"/{name}", {f"/{name}": None}, form="docs")
    for name in ("parentCID", "rootCID"):
        m.invalid("member-null", f"docs-with-parent-{name.lower()}", f"/{name}", {f"/{name}": None}, form="docs", parent=True)
    blob = {"cid": BLOB, "mimeType": "image/jpeg", "size": 3, "encrypted": False}
    m.invalid("member-null", "docs-blob", "/blobs/1", {"/blobs": [blob, None]}, form="docs")
    for name in blob:
        m.invalid("member-null", f"docs-blob-{name.lower()}", f"/blobs/0/{name}", {"/blobs": [{**blob, name: None}]}, form="docs")
    for form in ("client", "docs"):
        for name in ("rating", "notes", "effects", "claimed_time_ms", "location_cid", "thc_percent", "extra"):
            m.invalid("member-null", f"{form}-payload-{name.replace('_', '-')}", f"/payload/{name}", {f"/payload/{name}": None}, form=form)
        m.invalid("member-null", f"{form}-payload-effect", "/payload/effects/1", {"/payload/effects": ["creative", None]}, form=form)
        m.invalid("member-null", f"{form}-payload-deep", "/payload/x~1y/1/~0", {"/payload/x~1y": [0, {"~": None}]}, form=form)
        m.invalid("member-null", f"{form}-unknown-type", "/payload/a", kind="app.buds.session.liked/v1", payload={"a": None}, form=form, warn=[UNKNOWN])
        m.invalid("member-null", f"{form}-any-payload", "/payload/a", kind="app.buds.daily.summary/v1", payload={"a": None}, form=form)
        m.invalid("member-null", f"{form}-session-deleted", "/payload/a", kind=DELETED, payload={"a": None}, form=form, parent=True)
        m.invalid("member-null", f"{form}-coordinate", "/payload/latitude", {"/payload/latitude": None}, form=form)
        m.invalid("member-null", f"{form}-key-of-a-card", "/payload/pubkey_x25519", {"/payload/pubkey_x25519": None}, kind="redo.device.registered/v1", form=form)
        m.valid("member-null", f"{form}-the-text-and-false", {"/payload/notes": "null", "/payload/x": False, "/payload/null": "null"}, form=form)


def dids(m):
    good = [("suffix-of-1", "did:x:-"), ("suffix-of-200", "did:web:" + "a" * 200), ("every-character", "did:0z9:AZaz09._:%-"), ("phone", PHONE),
            ("colons", "did:web:example.com:user:alice")]
    for case, did in good:
        m.valid("did-form", case, {"/did": did}, warn=[UNBOUND])
    m.valid("did-form", "docs-phone", {"/did": PHONE}, form="docs", warn=[UNBOUND])
    bad = [("empty", ""), ("suffix-empty", "did:buds:"), ("suffix-of-201", "did:web:" + "a" * 201), ("method-empty", "did::abc"), ("method-upper-case", "did:Buds:abc"),
           ("method-with-dash", "did:bu-ds:abc"), ("scheme-upper-case", "DID:buds:abc"), ("no-scheme", "buds:abc"), ("two-parts", "did:buds"),
           ("space", "did:buds:a b"), ("slash", "did:web:a/b"), ("fragment", DID + "#key-1"), ("plus", "did:buds:a+b"), ("underscore-in-the-method", "did:b_s:abc"),
           ("line-feed-after", DID + "\n"), ("space-before", " " + DID), ("accent", "did:buds:é"), ("full-width-digit", "did:buds:\uff11"), ("nul", "did:buds:a\0"),
           ("phone-in-clear", "did:phone:+14155550100"), ("number", 1), ("bytes", b"did:buds:abc"), ("array", [DID]), ("map", {}), ("true", True),
           ("link", Link(raw_cid(b"a link")))]
    for case, did in bad:
        m.invalid("did-form", case, "/did", {"/did": did})
    m.invalid("did-form", "docs-empty", "/did", {"/did": ""}, form="docs")

    suffix = DID.removeprefix("did:buds:")
    m.valid("did-unbound", "bound")
    m.valid("did-unbound", "bound-leading-zero", {"/did": did_of(key_of(zero_person()))})
    m.valid("did-unbound", "bound-20-ones", {"/did": "did:buds:" + "1" * 20})
    m.valid("did-unbound", "bound-largest", {"/did": did_of(b"\xff" * 20)})
    unbound = [("local", "did:buds:local-ABC123"), ("phone", PHONE), ("19-bytes", did_of(key_of(ADA)[:19])), ("21-bytes", "did:buds:1" + suffix),
               ("32-bytes", "did:buds:" + "1" * 32), ("19-ones", "did:buds:" + "1" * 19), ("digit-zero", "did:buds:0" + suffix[1:]),
               ("letter-l", "did:buds:" + suffix[:-1] + "l"), ("letter-o", "did:buds:" + suffix[:-1] + "O"), ("dot-after", DID + "."),
               ("other-method", "did:key:" + suffix), ("method-longer", "did:buds2:" + suffix), ("one-character", "did:buds:2"),
               ("two-to-160", "did:buds:" + base58((2**160).to_bytes(21, "big")))]
    for case, did in unbound:
        m.valid("did-unbound", case, {"/did": did}, warn=[UNBOUND])
    m.valid("did-unbound", "docs-local", {"/did": "did:buds:local-ABC123"}, form="docs", warn=[UNBOUND])


def devices(m):
    good = [("1-byte", "x"), ("128-bytes", "d" * 128), ("128-bytes-in-64-characters", "é" * 64), ("128-bytes-in-32-characters", "🚀" * 32), ("space", " "),
            ("line-feed", "\n"), ("nul", "\0")]
    bad = [("empty", ""), ("129-bytes", "d" * 129), ("129-bytes-in-65-characters", "é" * 64 + "x"), ("129-bytes-in-43-characters", "€" * 43), ("number", 1), ("bytes", b"D1"),
           ("array", ["D1"]), ("map", {}), ("true", True), ("float", 1.0)]
    for form in ("client", "docs"):
        for case, value in good if form == "client" else good[:2]:
            m.valid("device-id-form", f"{form}-{case}", {"/deviceId": value}, form=form)
        for case, value in bad if form == "client" else bad[:5]:
            m.invalid("device-id-form", f"{form}-{case}", "/deviceId", {"/deviceId": value}, form=form)


def types(m):
    m.valid("receipt-type-form", "usual")
    good = [("shortest", "a.b/v1"), ("digits", "0.0/v9"), ("underscores", "a._b_/v1"), ("v10", "app.buds.session.created/v10"), ("many-parts", "a.b.c.d.e.f.g.h/v1"),
            ("large-version", "a.b/v" + "9" * 40), ("long", "a." + "b" * 500 + "/v1")]
    for case, value in good:
        m.valid("receipt-type-form", case, {"/receiptType": value}, warn=[UNKNOWN])
    bad = [("empty", ""), ("no-version", "app.buds.session.created"), ("v0", "app.buds.session.created/v0"), ("v01", "app.buds.session.created/v01"),
           ("version-empty", "app.buds.session.created/v"), ("version-upper-case", "app.buds.session.created/V1"), ("version-without-v", "app.buds.session.created/1"),
           ("version-with-point", "app.buds.session.created/v1.0"), ("version-with-minus", "app.buds.session.created/v-1"), ("version-full-width", "app.buds.session.created/v\uff11"),
           ("two-versions", "app.buds.session.created/v1/v1"), ("one-part", "created/v1"), ("upper-case", "app.buds.Session.created/v1"), ("dash", "app.buds.session-created/v1"),
           ("two-points", "app..created/v1"), ("point-first", ".app.created/v1"), ("point-last", "app.created./v1"), ("underscore-in-the-first-part", "a_b.created/v1"),
           ("space", "app.buds session/v1"), ("space-after", CREATED + " "), ("line-feed-after", CREATED + "\n"), ("accent", "app.bùds.created/v1"), ("number", 1),
           ("bytes", CREATED.encode()), ("array", [CREATED]), ("map", {}), ("true", True)]
    for case, value in bad:
        m.invalid("receipt-type-form", case, "/receiptType", {"/receiptType": value})
    m.invalid("receipt-type-form", "docs-empty", "/receiptType", {"/receiptType": ""}, form="docs")
    m.invalid("receipt-type-form", "payload-is-not-judged", "/receiptType", {"/receiptType": "session", "/payload": {"rating": "five", "effects": ["b", "a"]}})

    m.valid("receipt-type-unknown", "known")
    unknown = [("v2", "app.buds.session.created/v2"), ("liked", "app.buds.session.liked/v1"), ("of-others", "org.example.note/v1"), ("created-without-buds", "app.session.created/v1"),
               ("card-of-the-client", "app.buds.device.registered/v1"), ("session-of-redo", "redo.session.created/v1"), ("circle-invite", "app.buds.circle.invite/v1"),
               ("longer", "app.buds.session.created.x/v1")]
    anything = {"rating": "five", "effects": ["b", "a"], "memory_cid": 5, "claimed_time_ms": "now", "x": 1.5}
    for form in ("client", "docs"):
        for case, kind in unknown:
            m.valid("receipt-type-unknown", f"{form}-{case}", kind=kind, form=form, payload=anything, warn=[UNKNOWN])
        m.valid("receipt-type-unknown", f"{form}-empty-payload", kind="org.example.note/v1", form=form, payload={}, warn=[UNKNOWN])
        for kind in ("app.buds.preferences.updated/v1", "app.buds.daily.summary/v1"):
            m.valid("receipt-type-unknown", f"{form}-known-{kind.split('.')[2]}", kind=kind, form=form, payload=anything)


def spellings(codec=0x71):
    """Texts that are no CID of a codec, with what is wrong of them."""
    raw = raw_cid(b"parent", codec)
    text = cid_text(raw)
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    padded = text[:-1] + letters[letters.index(text[-1]) + 1]
    low = base64.b64encode(raw).decode()
    return [("upper-case", text.upper()), ("one-upper-case-letter", upper_last_letter(text)),
            ("padding-bit", padded), ("base16", "f" + raw.hex()), ("base64", "m" + low.rstrip("=")), ("base32-with-padding", text + "======"), ("upper-case-but-the-prefix", "b" + text[1:].upper()),
            ("no-prefix", text[1:]), ("58-characters", text[:-1]), ("60-characters", text + "a"), ("digit-one", text[:-2] + "1" + text[-1]),
            ("version-0", "Qm" + "a" * 44), ("version-2", cid_text(b"\x02" + raw[1:])), ("sha2-512-256", cid_text(raw[:2] + b"\x13" + raw[3:])),
            ("digest-of-31", cid_text(raw[:3] + b"\x1f" + raw[4:-1])), ("digest-said-to-be-31", cid_text(raw[:3] + b"\x1f" + raw[4:])), ("codec-70", cid_text(raw[:1] + b"\x70" + raw[2:])),
            ("path", text + "/x"), ("uri", "ipfs://" + text), ("space-before", " " + text), ("line-feed-after", text + "\n"), ("full-width", text[:-1] + "\uff42"),
            ("id", "sha256:" + raw[4:].hex()), ("empty", ""), ("of-a-fixture", "bafyreiabc")]


def cids(m):
    wrong_kinds = [("link", Link(raw_cid(b"parent"))), ("bytes", raw_cid(b"parent")), ("number", 1), ("array", [PARENT]), ("map", {"/": PARENT}), ("true", True)]
    bad = [("codec-55", named_cid("parent", 0x55)), *spellings(), *wrong_kinds]
    for case, value in [("self", "SELF"), *bad]:
        m.invalid("cid-form", f"parentcid-{case}", "/parentCID", {"/parentCID": value}, parent=True)
    for case, value in bad:
        m.invalid("cid-form", f"rootcid-{case}", "/rootCID", {"/rootCID": value}, parent=True)
    for case, value in [("self", "SELF"), *bad[:2], ("link", Link(raw_cid(b"parent")))]:
        m.invalid("cid-form", f"docs-rootcid-{case}", "/rootCID", {"/rootCID": value}, form="docs", parent=True)
    m.invalid("cid-form", "rootcid-self-in-lower-case", "/rootCID", {"/rootCID": "self"}, parent=True)
    m.invalid("cid-form", "docs-parentcid-codec-55", "/parentCID", {"/parentCID": named_cid("parent", 0x55)}, form="docs", parent=True)
    m.invalid("cid-form", "docs-parentcid-link", "/parentCID", {"/parentCID": Link(raw_cid(b"parent"))}, form="docs", parent=True)
    for form in ("client", "docs"):
        m.valid("cid-form", f"{form}-parent-and-root", form=form, parent=True)
        m.valid("cid-form", f"{form}-parent-is-root", {"/rootCID": PARENT}, form=form, parent=True)

    for form in ("client", "docs"):
        m.valid("receipt-root-form", f"{form}-without-parent", form=form)
        m.valid("receipt-root-form", f"{form}-with-parent", kind=EDITED if form == "client" else UPDATED, form=form, parent=True)
    alone = [("cid", ROOT), ("lower-case", "self"), ("space-after", "SELF "), ("empty", ""), ("bytes", b"SELF"), ("link", Link(raw_cid(b"root"))), ("number", 0), ("true", True),
             ("array", ["SELF"]), ("fixture", "bafyreiabc")]
    for case, value in alone:
        m.invalid("receipt-root-form", f"client-without-parent-{case}", "/rootCID", {"/rootCID": value})
    for case, value in [("self", "SELF"), *alone[:1], ("number", 0), ("empty", "")]:
        m.invalid("receipt-root-form", f"docs-without-parent-{case}", "/rootCID", {"/rootCID": value}, form="docs")
    m.invalid("receipt-root-form", "client-with-parent-self", "/rootCID", {"/rootCID": "SELF"}, parent=True)


def blobs(m):
    first, second = sorted([BLOB, PHOTO])
    blob = {"cid": first, "mimeType": "image/jpeg", "size": 3, "encrypted": False}
    other = {"cid": second, "mimeType": "", "size": 0, "encrypted": True}

    def valid(rule, case, value, warn=()):
        m.valid(rule, case, {"/blobs": value}, form="docs", warn=warn)

    def invalid(case, where, value):
        m.invalid("blobs-form", case, f"/blobs{where}", {"/blobs": value}, form="docs")

    for case, value in [("none", []), ("one", [blob]), ("two", [blob, other]), ("largest", [{**blob, "size": 2**63 - 1}])]:
        valid("blobs-form", case, value)
    for case, value in [("map", {}), ("text", first), ("number", 0), ("true", True), ("link", Link(raw_cid(b"blob", 0x55)))]:
        invalid(case, "", value)
    for case, value in [("text", first), ("array", []), ("number", 3), ("link", Link(raw_cid(b"blob", 0x55)))]:
        invalid(f"element-{case}", "/1", [blob, value])
    for name in blob:
        invalid(f"without-{name.lower()}", "/0", [{k: v for k, v in blob.items() if k != name}])
    invalid("empty-map", "/1", [blob, {}])
    invalid("another-member", "/0", [{**blob, "name": "a"}])
    wrong = {"cid": [("codec-71", PARENT), ("bytes", raw_cid(b"blob", 0x55)), ("link", Link(raw_cid(b"blob", 0x55))), *spellings(0x55)[:3]],
             "mimeType": [("number", 1), ("bytes", b"image/jpeg"), ("array", [])],
             "size": [("minus-one", -1), ("float", 3.0), ("text", "3"), ("true", True)],
             "encrypted": [("zero", 0), ("text", "false"), ("array", [])]}
    for name, cases in wrong.items():
        for case, value in cases:
            invalid(f"{name.lower()}-{case}", f"/1/{name}", [blob, {**other, name: value}])
    valid("array-order", "blobs-ascending", [blob, other])
    valid("array-order", "blobs-equal", [blob, blob])
    valid("array-order", "blobs-descending", [other, blob], ["array-order@/blobs"])


def chains(m):
    """Receipts whose parents are here, too: a line of edits with a branch, and what follows a precise place."""
    for form in ("client", "docs"):
        def valid(case, parent=None, root=None, **more):
            changes = {"/parentCID": parent, "/rootCID": root} if parent else {}
            m.valid("receipt-root-form", f"chain-{form}-{case}", changes, form=form, parent=bool(parent), **more)
            return cid_text(raw_cid(m.contents[f"valid/receipt-root-form--chain-{form}-{case}.cbor"]))

        def edit(case, parent, time):
            return valid(case, parent, root, kind=EDITED, payload={**CLIENT_MINIMAL, "claimed_time_ms": time, "product_name": case})

        root = valid("root", payload={**CLIENT_MINIMAL, "claimed_time_ms": CLAIMED, "product_name": f"root of {form}"})
        # An edit may claim that it was made before what it edits.
        second = edit("second", root, CLAIMED - 1)
        edit("third", second, CLAIMED + 5)
        edit("branch", root, CLAIMED + 1)
        root = valid("place", kind="app.buds.location/v1", payload={"location_type": "precise", "latitude": 1.5, **TIME},
                     warn=["receipt-precise@/payload/latitude"])
        second = edit("behind-a-place", root, CLAIMED)
        edit("far-behind-a-place", second, CLAIMED)


def make(root):
    m = Maker(root)
    for part in (receipt_bytes.make, whole, members, dids, devices, types, cids, blobs, chains, receipt_payloads.make):
        part(m)
    m.folder.finish("file", "verdict", "rule", "place", "warnings", "cid", "root", "form", "sync")
    receipt_signatures.make(m)
