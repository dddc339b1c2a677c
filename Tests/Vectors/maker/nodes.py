"""node/: one node a file, each with at most one defect; ids and signatures are right unless they are the defect."""

import base64 as b64
import hashlib
import json

from . import node_contents
from .common import ADA, BEN, REMOVE, Folder, body_of, canonical, edit, id_of, name_id, pointer_of, seal
from .node_base import TASK, base

ORDER = 2**252 + 27742317777372353535851937790883648493  # of the Ed25519 group


class Maker:
    """Collects cases and writes them: `valid` and `invalid` take edits of a base node."""

    def __init__(self, root):
        self.folder = Folder(root, "node")

    def text(self, node, spell):
        text = canonical(node) + b"\n"
        for old, new in spell:
            assert text.count(old) == 1, (old, text)
            text = text.replace(old, new)
        return text

    def write(self, verdict, rule, case, text, errors, pointer, warnings, id, letter, form, sync):
        name = f"{verdict}/{rule}--{case}.json"
        self.folder.write(name, text)
        self.folder.row(name, verdict, errors, pointer, warnings, id, letter, form, sync)

    def valid(self, rule, case, changes={}, action="UPDATE", warn=(), form="body", person=ADA, spell=(), resign=None, text=None):
        node = seal(edit(base(action), changes), person, form)
        if resign:
            node.update(resign(node))
        known = "publicKey" in node["author"]
        letter = "N" if form is None else "G" if known else "E"
        self.write("valid", rule, case, text(node) if text else self.text(node, spell), "-", "-", ",".join(warn) or "-", id_of(node),
                   letter, form if letter == "G" else "-", {"N": "signature-missing", "E": "key-unknown", "G": "-"}[letter])

    def invalid(self, rule, case, pointer, changes={}, action="UPDATE", form="body", person=ADA, spell=(), resign=None, text=None):
        node = edit(base(action), changes)
        id = "-"
        if isinstance(node, dict):
            node = seal(node, person, form)
            id = id_of(node)
            if resign:
                node = edit(node, resign(node))
        self.write("invalid", rule, case, text(node) if text else self.text(node, spell), rule, pointer, "-", id, "B", "-", "-")

    def form(self, rule, pointer, good=(), bad=(), **common):
        """Cases of one member's form: (case, value) or (case, value, more changes)."""
        for case, value, *more in good:
            self.valid(rule, case, {pointer: value, **(more[0] if more else {})}, **common)
        for case, value, *more in bad:
            self.invalid(rule, case, pointer, {pointer: value, **(more[0] if more else {})}, **common)


def base58(data):
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = alphabet[digit] + text
    return text


def base64(data):
    return b64.b64encode(data).decode()


def upper_last_letter(text):
    place = max(i for i, c in enumerate(text) if c.isalpha())
    return text[:place] + text[place].upper() + text[place + 1 :]


def structure(m):
    """Types, members that are missing, unknown, null or of the envelope."""
    for case, value in [("array", []), ("string", "node"), ("number", 1.0), ("true", True), ("null", None), ("array-with-a-node", [base("UPDATE")])]:
        m.invalid("node-type", case, "", {"": value})
    m.valid("node-type", "object")
    for member in ("timestamp", "author"):
        for case, value in [("array", []), ("string", "x"), ("number", 1.0)]:
            m.invalid("node-type", f"{member}-{case}", f"/{member}", {f"/{member}": value})

    size = 1_048_576
    room = size - len(canonical(seal(edit(base("UPDATE"), {"/data/fields": {"description": ""}}))))
    m.valid("node-size", "1048576-bytes", {"/data/fields": {"description": "x" * room}}, text=canonical)
    room = size + 1 - len(canonical(body_of(edit(base("UPDATE"), {"/data/fields": {"description": ""}}))))
    m.invalid("node-size", "body-of-1048577-bytes", "", {"/data/fields": {"description": "x" * room}}, text=canonical)

    required = ["/version", "/parents", "/timestamp", "/timestamp/lamport", "/timestamp/wall", "/author", "/author/userId",
                "/author/deviceId", "/action", "/data"]
    for pointer in required:
        m.invalid("member-missing", pointer.rsplit("/")[-1].lower(), pointer, {pointer: REMOVE})
        m.invalid("member-null", pointer.rsplit("/")[-1].lower(), pointer, {pointer: None})
    m.valid("member-missing", "none")
    m.valid("member-missing", "id-absent", text=lambda node: canonical(edit(node, {"/id": REMOVE})) + b"\n")
    m.valid("member-missing", "every-optional-member-absent", {"/author/publicKey": REMOVE, "/taskId": REMOVE}, form=None,
            warn=["task-id-missing@/taskId"])
    for pointer in ["/author/publicKey", "/author/name", "/author/email", "/author/deviceName", "/taskId"]:
        m.invalid("member-null", pointer.rsplit("/")[-1].lower(), pointer, {pointer: None})
    m.invalid("member-null", "id", "/id", resign=lambda node: {"/id": None})
    m.invalid("member-null", "signature", "/signature", resign=lambda node: {"/signature": None})
    m.invalid("member-null", "fields", "/data/fields", {"/data/fields": None})
    m.invalid("member-null", "payload", "/data/payload", {"/data": {"payload": None}})
    m.invalid("member-null", "conflictresolution", "/data/conflictResolution", {"/data/conflictResolution": None}, action="MERGE")
    m.valid("member-null", "in-an-unknown-content-member", {"/data/fields/reminder": None})
    m.valid("member-null", "inside-conflictresolution", {"/data/conflictResolution": {"source": None}}, action="MERGE")
    m.valid("member-null", "the-text-null", {"/author/name": "null"})

    unknown = [("top", ("extra",)), ("top-other-case", ("Version",)), ("top-empty-name", ("",)), ("top-name-to-escape", ("a/b~c",)),
               ("top-like-an-array-index", ("0",)), ("timestamp", ("timestamp", "zone")), ("author", ("author", "role")),
               ("author-createdat", ("author", "createdAt")), ("timestamp-accesslist", ("timestamp", "accessList")),
               ("data", ("data", "notes")), ("data-title", ("data", "title"))]
    for case, names in unknown:
        pointer = pointer_of(*names)
        m.invalid("member-unknown", case, pointer, {pointer: "x"})
    m.valid("member-unknown", "none")
    m.valid("member-unknown", "in-the-content", {"/data/fields/a~1b~0c": "x", "/data/fields/accessList": ["x"], "/data/fields/version": 2.0})
    m.invalid("member-envelope", "accesslist", "/accessList", {"/accessList": ["108230114"]})
    m.invalid("member-envelope", "createdat", "/createdAt", {"/createdAt": "2025-03-01T08:00:01.000Z"})
    m.invalid("member-envelope", "createdat-as-seconds", "/createdAt", {"/createdAt": {"_seconds": 1740816001.0, "_nanoseconds": 0.0}})
    m.valid("member-envelope", "none")


def heads(m):
    """id, version, parents, timestamp."""
    right = lambda node: node["id"]
    digest = lambda node: bytes.fromhex(right(node)[7:])
    wrong = [("upper-case", lambda n: "sha256:" + n["id"][7:].upper()), ("one-upper-case-letter", lambda n: "sha256:" + upper_last_letter(n["id"][7:])),
             ("no-prefix", lambda n: n["id"][7:]), ("prefix-upper-case", lambda n: "SHA256:" + n["id"][7:]), ("prefix-of-sha512", lambda n: "sha512:" + n["id"][7:]),
             ("prefix-with-dash", lambda n: "sha256-" + n["id"][7:]), ("63-digits", lambda n: n["id"][:-1]), ("65-digits", lambda n: n["id"] + "0"),
             ("base58", lambda n: "sha256:" + base58(digest(n))), ("base64", lambda n: "sha256:" + base64(digest(n))), ("empty", lambda n: ""),
             ("number", lambda n: 1.0), ("array", lambda n: [n["id"]]), ("space-before", lambda n: " " + n["id"]), ("line-feed-after", lambda n: n["id"] + "\n"),
             ("full-width-digit", lambda n: n["id"][:-1] + "\uff11"), ("not-hex", lambda n: n["id"][:-1] + "g")]
    for case, value in wrong:
        m.invalid("id-form", case, "/id", resign=lambda node: {"/id": value(node)})
    m.valid("id-form", "lower-case")

    m.form("version-unsupported", "/version", good=[("one", 1)],
           bad=[("zero", 0), ("two", 2), ("minus-one", -1), ("one-and-a-half", 1.5), ("string", "1"), ("true", True), ("array", [1]), ("object", {}), ("1e21", 1e21)])
    m.valid("version-unsupported", "one-point-zero", spell=[(b'"version":1', b'"version":1.0')])
    m.valid("version-unsupported", "ten-to-the-zeroth", spell=[(b'"version":1', b'"version":10e-1')])

    first, second = name_id("first"), name_id("second")
    many = sorted(name_id(f"parent {i}") for i in range(65))
    m.form("parents-form", "/parents", good=[("empty", []), ("one", [first]), ("two-unsorted", sorted([first, second], reverse=True))],
           bad=[("string", first), ("object", {}), ("number", 0), ("true", True)])
    elements = [("upper-case", "sha256:" + first[7:].upper()), ("no-prefix", first[7:]), ("63-digits", first[:-1]), ("65-digits", first + "0"),
                ("base58", "sha256:" + base58(bytes.fromhex(first[7:]))), ("number", 1), ("null", None), ("empty", ""), ("array", [first]),
                ("words", "sha256:nonexistent")]
    for case, value in elements:
        m.invalid("parents-form", f"element-{case}", "/parents/1", {"/parents": [second, value]})
    m.invalid("parents-form", "first-element", "/parents/0", {"/parents": ["parent"]})
    m.form("parents-duplicate", "/parents", good=[("two-that-differ-in-one-digit", [first, first[:-1] + ("0" if first[-1] != "0" else "1")])])
    m.invalid("parents-duplicate", "adjacent", "/parents/1", {"/parents": [first, first]})
    m.invalid("parents-duplicate", "last", "/parents/2", {"/parents": [first, second, first]})
    m.invalid("parents-duplicate", "63-apart", "/parents/63", {"/parents": many[:63] + [many[0]]})
    m.form("parents-limit", "/parents", good=[("64", many[:64])], bad=[("65", many)])
    m.valid("parents-limit", "merge-of-64", {"/parents": many[:64]}, action="MERGE")

    lamport = "/timestamp/lamport"
    m.form("lamport-form", lamport, good=[("one", 1), ("two-to-48", 2**48), ("two-to-48-minus-1", 2**48 - 1)],
           bad=[("zero", 0), ("minus-one", -1), ("one-and-a-half", 1.5), ("two-to-48-plus-1", 2**48 + 1), ("two-to-53", float(2**53)),
                ("1e21", 1e21), ("string", "5"), ("true", True), ("array", [5]), ("object", {"value": 5})])
    m.valid("lamport-form", "one-point-zero", {lamport: 1}, spell=[(b'"lamport":1', b'"lamport":1.0')])
    m.valid("lamport-form", "two-to-48-with-exponent", {lamport: 2**48}, spell=[(b"281474976710656", b"2.81474976710656E+14")])
    m.invalid("lamport-form", "zero-point-zero", lamport, {lamport: 0}, spell=[(b'"lamport":0', b'"lamport":0.0')])
    m.invalid("lamport-form", "minus-zero", lamport, {lamport: 0}, spell=[(b'"lamport":0', b'"lamport":-0')])

    wall = "/timestamp/wall"
    good = [("usual", "2025-03-01T08:00:00.000Z"), ("first-instant", "0001-01-01T00:00:00.000Z"), ("last-instant", "9999-12-31T23:59:59.999Z"),
            ("feb-29", "2024-02-29T00:00:00.000Z"), ("feb-29-in-2000", "2000-02-29T12:30:15.500Z"), ("before-1970", "1969-12-31T23:59:59.999Z"),
            ("april-30", "2025-04-30T23:59:59.999Z")]
    bad = [("no-zone", "2025-03-01T08:00:00.000"), ("one-decimal", "2025-03-01T08:00:00.0Z"), ("two-decimals", "2025-03-01T08:00:00.00Z"),
           ("four-decimals", "2025-03-01T08:00:00.0000Z"), ("six-decimals", "2025-03-01T08:00:00.000000Z"), ("point-without-decimals", "2025-03-01T08:00:00.Z"),
           ("comma", "2025-03-01T08:00:00,000Z"), ("offset-zero", "2025-03-01T08:00:00.000+00:00"), ("offset", "2025-03-01T10:00:00.000+02:00"),
           ("lower-case-t", "2025-03-01t08:00:00.000Z"), ("lower-case-z", "2025-03-01T08:00:00.000z"), ("space-for-t", "2025-03-01 08:00:00.000Z"),
           ("second-60", "2016-12-31T23:59:60.000Z"), ("minute-60", "2025-03-01T08:60:00.000Z"), ("hour-24", "2025-03-01T24:00:00.000Z"),
           ("day-zero", "2025-03-00T08:00:00.000Z"), ("day-32", "2025-03-32T08:00:00.000Z"), ("april-31", "2025-04-31T08:00:00.000Z"),
           ("feb-30", "2024-02-30T08:00:00.000Z"), ("feb-29-in-2025", "2025-02-29T08:00:00.000Z"), ("feb-29-in-1900", "1900-02-29T08:00:00.000Z"),
           ("feb-29-in-2100", "2100-02-29T08:00:00.000Z"), ("month-zero", "2025-00-01T08:00:00.000Z"), ("month-13", "2025-13-01T08:00:00.000Z"),
           ("year-zero", "0000-01-01T00:00:00.000Z"), ("year-of-five-digits", "10000-01-01T00:00:00.000Z"), ("year-of-two-digits", "25-03-01T08:00:00.000Z"),
           ("year-with-plus", "+2025-03-01T08:00:00.000Z"), ("year-negative", "-001-03-01T08:00:00.000Z"), ("month-of-one-digit", "2025-3-01T08:00:00.000Z"),
           ("without-seconds", "2025-03-01T08:00Z"), ("date-only", "2025-03-01"), ("basic-format", "20250301T080000.000Z"), ("week-date", "2025-W09-6T08:00:00.000Z"),
           ("ordinal-date", "2025-060T08:00:00.000Z"), ("space-before", " 2025-03-01T08:00:00.000Z"), ("line-feed-after", "2025-03-01T08:00:00.000Z\n"),
           ("sign-in-a-field", "2025-03-01T08:+1:00.000Z"), ("space-in-a-field", "2025-03-01T08: 1:00.000Z"),
           ("full-width-digit", "2025-03-01T08:00:00.00\uff10Z"), ("arabic-digits", "٢٠٢٥-٠٣-٠١T٠٨:٠٠:٠٠.٠٠٠Z"), ("empty", ""), ("word", "yesterday"),
           ("number", 1740816000000), ("array", []), ("true", True)]
    m.form("wall-form", wall, good, bad)
    m.valid("wall-precision", "without-fraction", {wall: "2025-03-01T08:00:00Z"}, warn=["wall-precision@/timestamp/wall"])
    m.valid("wall-precision", "with-fraction", {wall: "2025-03-01T08:00:00.000Z"})
    for case, value in [("offset", "2025-03-01T08:00:00+00:00"), ("feb-30", "2024-02-30T08:00:00Z"), ("second-60", "2016-12-31T23:59:60Z"), ("lower-case-z", "2025-03-01T08:00:00z")]:
        m.invalid("wall-form", f"without-fraction-{case}", wall, {wall: value})


def authors(m):
    """author, action, taskId, data."""
    user, no_key = "/author/userId", {"/author/publicKey": REMOVE}
    m.form("user-id-form", user, good=[("lower-case", ADA.user, no_key), ("only-digits", "12345678901234567890123456789012", no_key)],
           bad=[("upper-case", ADA.user.upper(), no_key), ("one-upper-case-letter", upper_last_letter(ADA.user), no_key), ("31-digits", ADA.user[:-1], no_key),
                ("33-digits", ADA.user + "0", no_key), ("64-digits", ADA.public, no_key), ("base58", base58(bytes.fromhex(ADA.user)), no_key),
                ("base64", base64(bytes.fromhex(ADA.user)), no_key), ("not-hex", ADA.user[:-1] + "g", no_key), ("account-number", "108230114876512345678", no_key),
                ("empty", "", no_key), ("number", 1, no_key), ("array", [], no_key), ("full-width-digit", ADA.user[:-1] + "\uff11", no_key)])
    m.form("user-id-mismatch", user, good=[("first-half-of-the-key", ADA.user)],
           bad=[("of-another-key", BEN.user), ("second-half-of-the-key", ADA.public[32:]), ("one-digit-differs", ADA.user[:-1] + ("0" if ADA.user[-1] != "0" else "1"))])
    m.valid("user-id-mismatch", "no-key-to-compare", {user: BEN.user, **no_key})
    m.form("device-id-form", "/author/deviceId", good=[("one-character", "x"), ("space", " "), ("emoji", "📱"), ("uuid", "5E1D2F3A-0000-4000-8000-00000000000A")],
           bad=[("empty", ""), ("number", 14), ("array", ["ios"]), ("true", True), ("object", {})])
    key = "/author/publicKey"
    m.form("public-key-form", key, good=[("lower-case", ADA.public)],
           bad=[("upper-case", ADA.public[:32] + ADA.public[32:].upper()), ("one-upper-case-letter", upper_last_letter(ADA.public)), ("63-digits", ADA.public[:-1]),
                ("65-digits", ADA.public + "0"), ("32-digits", ADA.user), ("not-hex", ADA.public[:-1] + "g"), ("base58", base58(bytes.fromhex(ADA.public))),
                ("base64", base64(bytes.fromhex(ADA.public))), ("prefixed", "ed25519:" + ADA.public), ("empty", ""), ("number", 1), ("array", [ADA.public])])
    m.valid("public-key-form", "absent", no_key)
    for member in ("name", "email", "deviceName"):
        m.form("author-text", f"/author/{member}", good=[(f"{member.lower()}-text", "Zoë “Z” \n🚀"), (f"{member.lower()}-empty", "")],
               bad=[(f"{member.lower()}-number", 5), (f"{member.lower()}-array", []), (f"{member.lower()}-true", True), (f"{member.lower()}-object", {"first": "Ada"})])
    m.valid("author-text", "email-is-not-checked", {"/author/email": "no at sign"})

    unknown = ["action-unknown@/action"]
    for case, value in [("one-letter", "A"), ("64-characters", "X" * 64), ("digits-and-underscores", "X2_0_"), ("known-name-and-more", "UPDATE2")]:
        m.valid("action-form", case, {"/action": value}, warn=unknown)
    m.form("action-form", "/action",
           bad=[("lower-case", "update"), ("mixed-case", "Update"), ("65-characters", "X" * 65), ("empty", ""), ("digit-first", "2UPDATE"), ("underscore-first", "_UPDATE"),
                ("dash", "RE-OPEN"), ("space", "RE OPEN"), ("space-after", "UPDATE "), ("line-feed-after", "UPDATE\n"), ("accent", "ÉDITER"), ("greek-letter", "\u0391DD"),
                ("full-width", "\uff35PDATE"), ("number", 1), ("array", ["UPDATE"]), ("true", True)])
    m.valid("action-unknown", "remind-me", {"/action": "REMIND_ME", "/data/fields": {"in": "a while", "title": 5.0, "deadline": None}}, warn=unknown)
    m.valid("action-unknown", "without-task", {"/action": "REMIND_ME", "/taskId": REMOVE}, warn=unknown)
    m.valid("action-unknown", "empty-content", {"/action": "REMIND_ME", "/data": {"payload": {}}}, warn=unknown)

    m.form("task-id-form", "/taskId", good=[("lower-case", TASK), ("upper-case", TASK.upper()), ("mixed-case", TASK[:18].upper() + TASK[18:]), ("all-zero", "0" * 8 + "-0000-0000-0000-" + "0" * 12),
                                            ("all-f", "f" * 8 + "-ffff-ffff-ffff-" + "f" * 12)],
           bad=[("without-dashes", TASK.replace("-", "")), ("dashes-misplaced", TASK[:7] + "-" + TASK[7] + TASK[9:]), ("braces", "{" + TASK + "}"), ("urn", "urn:uuid:" + TASK),
                ("35-characters", TASK[:-1]), ("37-characters", TASK + "0"), ("not-hex", TASK[:-1] + "g"), ("empty", ""), ("number", 7), ("array", [TASK]),
                ("line-feed-after", TASK + "\n"), ("full-width-digit", TASK[:-1] + "\uff11"), ("underscores", TASK.replace("-", "_"))])
    m.valid("task-id-missing", "update", {"/taskId": REMOVE}, warn=["task-id-missing@/taskId"])
    m.valid("task-id-missing", "present")

    content = base("UPDATE")["data"]["fields"]
    for case, value in [("array", []), ("string", "x"), ("number", 1), ("true", True), ("empty", {}), ("both", {"fields": content, "payload": content})]:
        m.invalid("data-shape", case, "/data", {"/data": value})
    for member in ("fields", "payload"):
        for case, value in [("array", []), ("string", "x"), ("number", 1), ("false", False)]:
            m.invalid("data-shape", f"{member}-{case}", f"/data/{member}", {"/data": {member: value}})
        m.valid("data-shape", member, {"/data": {member: content}})
    m.invalid("data-shape", "resolution-without-content", "/data", {"/data": {"conflictResolution": {}}}, action="MERGE")

    m.form("conflict-resolution-form", "/data/conflictResolution", action="MERGE",
           good=[("usual", {"strategy": "union", "preservedFields": ["priority"], "source": "automatic"}), ("empty", {})],
           bad=[("array", []), ("string", "union"), ("number", 1), ("true", True)])
    m.valid("conflict-resolution-form", "absent", action="MERGE")
    m.invalid("conflict-resolution-form", "in-an-update", "/data/conflictResolution", {"/data/conflictResolution": {"strategy": "union"}})
    m.invalid("conflict-resolution-form", "in-a-create", "/data/conflictResolution", {"/data/conflictResolution": {}}, action="CREATE")


def resigned(signature):
    """An edit that puts another signature into a sealed node."""
    return lambda node: {"/signature": signature(node)}


def identity(m):
    """The id and the signature against the body."""
    body = lambda n: canonical(body_of(n))
    flip = lambda text, at: text[:at] + format(int(text[at], 16) ^ 1, "x") + text[at + 1 :]
    m.valid("hash-mismatch", "right-id")
    m.valid("hash-mismatch", "indented-text", text=lambda n: json.dumps(n, indent=4, ensure_ascii=True).encode())
    m.valid("hash-mismatch", "members-in-another-order", text=lambda n: json.dumps(dict(reversed(n.items())), separators=(",", ":")).encode())
    m.valid("hash-mismatch", "escaped-text", {"/data/fields/title": "a/b é 🚀"}, spell=[("a/b é 🚀".encode(), rb"\u0061\/b \u00e9 \ud83d\ude80")])
    m.valid("hash-mismatch", "decomposed-text-stays", {"/data/fields/title": "cafe\u0301"})
    ids = [("first-digit", lambda n: "sha256:" + flip(n["id"][7:], 0)), ("last-digit", lambda n: "sha256:" + flip(n["id"][7:], 63)), ("all-zero", lambda n: "sha256:" + "0" * 64),
           ("of-another-node", lambda n: name_id("another")), ("of-the-empty-text", lambda n: "sha256:" + hashlib.sha256(b"").hexdigest()),
           ("of-the-body-and-a-line-feed", lambda n: "sha256:" + hashlib.sha256(body(n) + b"\n").hexdigest()),
           ("of-the-body-with-the-signature", lambda n: "sha256:" + hashlib.sha256(canonical({**body_of(n), "signature": n["signature"]})).hexdigest())]
    for case, value in ids:
        m.invalid("hash-mismatch", case, "/id", resign=lambda n: {"/id": value(n)})
    m.invalid("hash-mismatch", "text-composed-after-hashing", "/id", {"/data/fields/title": "caf\u00e9"},
              resign=lambda n: {"/id": id_of(edit(n, {"/data/fields/title": "cafe\u0301"}))})

    m.valid("signature-form", "lower-case")
    for case, value in [("upper-case", lambda s: s.upper()), ("one-upper-case-letter", upper_last_letter), ("127-digits", lambda s: s[:-1]), ("129-digits", lambda s: s + "0"),
                        ("124-digits", lambda s: s[:-4]), ("64-digits", lambda s: s[:64]), ("base64", lambda s: base64(bytes.fromhex(s))), ("base58", lambda s: base58(bytes.fromhex(s))),
                        ("not-hex", lambda s: s[:-1] + "g"), ("prefixed", lambda s: "ed25519:" + s), ("empty", lambda s: ""), ("number", lambda s: 1), ("array", lambda s: [s]),
                        ("true", lambda s: True)]:
        m.invalid("signature-form", case, "/signature", resign=resigned(lambda n: value(n["signature"])))

    m.valid("signature-bad", "body-form")
    m.valid("signature-bad", "digest-form", form="digest")
    m.valid("signature-bad", "digest-form-create", form="digest", action="CREATE")
    raw = lambda n: bytes.fromhex(n["signature"])
    half = lambda n: raw(n)[:32]
    more = lambda n, times: (int.from_bytes(raw(n)[32:], "little") + times * ORDER).to_bytes(32, "little")
    bad = [("first-bit", lambda n: flip(n["signature"], 1)), ("last-digit-of-r", lambda n: flip(n["signature"], 63)), ("first-digit-of-s", lambda n: flip(n["signature"], 65)),
           ("all-zero", lambda n: "0" * 128), ("all-f", lambda n: "f" * 128), ("halves-swapped", lambda n: n["signature"][64:] + n["signature"][:64]),
           ("of-another-key", lambda n: BEN.sign(body(n))), ("of-another-body", lambda n: ADA.sign(body(base("CREATE")))),
           ("over-the-id-text", lambda n: ADA.sign(n["id"].encode())), ("over-the-hex-digest", lambda n: ADA.sign(n["id"][7:].encode())),
           ("over-the-body-with-id", lambda n: ADA.sign(canonical({**body_of(n), "id": n["id"]}))), ("over-the-body-and-a-line-feed", lambda n: ADA.sign(body(n) + b"\n")),
           ("over-the-empty-text", lambda n: ADA.sign(b"")), ("over-the-digest-twice", lambda n: ADA.sign(hashlib.sha256(hashlib.sha256(body(n)).digest()).digest())),
           ("s-plus-order", lambda n: (half(n) + more(n, 1)).hex()), ("s-minus", lambda n: (half(n) + (ORDER - int.from_bytes(raw(n)[32:], "little")).to_bytes(32, "little")).hex())]
    for case, value in bad:
        m.invalid("signature-bad", case, "/signature", resign=resigned(value))
    m.invalid("signature-bad", "digest-form-s-plus-order", "/signature", form="digest", resign=resigned(lambda n: (half(n) + more(n, 1)).hex()))
    m.invalid("signature-bad", "digest-form-of-another-key", "/signature", form="digest", resign=resigned(lambda n: BEN.sign(hashlib.sha256(body(n)).digest())))
    small_order(m)

    no_key = {"/author/publicKey": REMOVE}
    m.valid("signature-missing", "with-key", form=None)
    m.valid("signature-missing", "without-key", no_key, form=None)
    m.valid("signature-missing", "present")
    m.valid("key-unknown", "body-form", no_key)
    m.valid("key-unknown", "digest-form", no_key, form="digest")
    m.valid("key-unknown", "made-by-nobody", no_key, resign=lambda n: {"signature": "ab" * 64})
    m.valid("key-unknown", "key-in-the-node")


def small_order(m):
    """Signatures that hold by arithmetic alone, because a point of small order is in the place of a key or of R."""
    identity_point = (b"\x01" + bytes(31)).hex()
    key = {"/author/publicKey": identity_point, "/author/userId": identity_point[:32]}
    m.invalid("signature-bad", "key-of-small-order", "/signature", key, resign=resigned(lambda n: identity_point + "00" * 32))
    minus = (2**255 - 20).to_bytes(32, "little").hex()  # y = -1, order 2: twice it is the identity
    key = {"/author/publicKey": minus, "/author/userId": minus[:32]}
    m.invalid("signature-bad", "key-of-order-two", "/signature", key, resign=resigned(lambda n: half_of(n, minus, identity_point) + "00" * 32))
    m.invalid("signature-bad", "r-of-small-order", "/signature", resign=resigned(lambda n: identity_point + scalar_for(n, identity_point)))
    y = (2**255 - 19 + 1).to_bytes(32, "little").hex()  # y = p + 1, another spelling of the identity
    key = {"/author/publicKey": y, "/author/userId": y[:32]}
    m.invalid("signature-bad", "key-not-canonical", "/signature", key, resign=resigned(lambda n: identity_point + "00" * 32))


def challenge(node, r, public):
    digest = hashlib.sha512(bytes.fromhex(r) + bytes.fromhex(public) + canonical(body_of(node))).digest()
    return int.from_bytes(digest, "little") % ORDER


def half_of(node, public, identity_point):
    """R for S = 0 under a key of order two: the identity for an even challenge, the key itself for an odd one."""
    for r in (identity_point, public):
        if challenge(node, r, public) % 2 == (r == public):
            return r
    return identity_point


def scalar_for(node, r):
    """S = h * a, so that S * B = h * A and R may be the identity."""
    digest = hashlib.sha512(ADA.secret.encode()).digest()[:32]
    secret = int.from_bytes(digest, "little") & (2**254 - 8) | 2**254
    return (challenge(node, r, ADA.public) * secret % ORDER).to_bytes(32, "little").hex()


def make(root):
    m = Maker(root)
    structure(m)
    heads(m)
    authors(m)
    identity(m)
    node_contents.make(m)
    m.folder.finish("file", "verdict", "rule", "pointer", "warnings", "id", "letter", "form", "sync")
