"""Schemas and records that are wrong, or odd, in one place, well hashed and well signed.

`schemas()` yields (name, body, signature or None): by the grammar of JSON, the table of members, texts and numbers, and sizes.
`histories()` yields (name, schemas): several of one name or more, good by themselves, that a reader must join. `records()` yields
(name, nodes): tasks whose fields a schema is to read. What each breaks is for Tests/Oracle to say."""

import copy
import hashlib

import rfc8785
from maker.common import ADA, BEN, REMOVE, edit
from maker.schemas import LIMIT, ONE, PAST, PHONE, TABLET, TIME, TWO, ZERO, base, field, version

END, LAST = "9998-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"
TEXTS = {
    "empty": "", "nul": "a\0b", "escape": "\x1b]0;owned\x07\x1b[2J", "delete": "a\x7fb", "c1": "a\x9b31mb", "turned": "\u202eabc\u2066d",
    "composed": "\u00e9", "decomposed": "e\u0301", "path": "../../../x", "absolute": "/etc/passwd", "line-feed": "a\nb\r\tc",
    "no-character": "\ufdd0\uffff", "separator": "a\u2028b\u2029c", "percent": "%s%n%2e%00", "quote": "'\"`$(id)", "scope": "visit@" + TABLET,
    "dot": ".", "lock": "x.lock", "devices": "redo.devices", "reserved": "redo.x", "of-marks": "a" + "\u0301" * 90, "blank": " ", "wide": "\uff0e\uff0e\uff0fx",
    "uuid": ONE, "long": "x" * 9_000, "astral": "\U0010ffff" * 40, "pattern": "(" * 400}
WRONG = {
    "null": None, "true": True, "zero": 0, "minus": -1, "fraction": 1.5, "2-to-53": float(2**53), "2-to-53-less-1": LIMIT, "minus-2-to-53": -float(2**53),
    "huge": 1e308, "tiny": 5e-324, "text": "x", "array": [], "object": {}, "array-of-null": [None], "object-of-null": {"a": None}, "time": TIME, "uuid": ONE,
    "last-time": LAST, "past": PAST, "array-of-text": ["x"], "deep": [[[[[[]]]]]]}


def full():
    """A schema with every member."""
    return edit(base(), {
        "/definition/scope": TABLET, "/definition/description": "what it is for", "/definition/x": {"colour": "red"}, "/definition/keys": ["note", "other"],
        "/definition/metaVersion": version(1, "2025-02-01T08:00:00.000Z"), "/author/deviceName": "a phone", "/definition/fields": [
            field(placeholder="p", helpText="h", mergedInto=TWO, x={"a": 1}, validationRules=[{"type": "maxLength", "value": 5}]), field(TWO)]})


def signed(value, person=ADA):
    body = rfc8785.dumps(value)
    return body, person.secret.sign(body).signature


def pointers(value, pointer=""):
    for name, inner in value.items() if type(value) is dict else enumerate(value) if type(value) is list else ():
        place = pointer + "/" + str(name)
        yield place, inner
        yield from pointers(inner, place)


def members():
    whole = full()
    places = [(place, inner) for place, inner in pointers(whole) if not place.startswith(("/definition/x/", "/definition/fields/1"))]
    for place, inner in places:
        if not place[-1].isdigit():
            yield f"without{place}", signed(edit(whole, {place: REMOVE}))
        for case, value in WRONG.items():
            yield f"{place}-is-{case}", signed(edit(whole, {place: value}))
        if type(inner) is str:
            for case, text in TEXTS.items():
                yield f"{place}-{case}", signed(edit(whole, {place: text}))
        if type(inner) is dict and not place.endswith("/x"):
            for name in ("more", "", "id", "a/b~c\x1b[31m"):
                yield f"more-in{place}-{name.encode().hex()}", signed(edit(whole, {f"{place}/{name.replace('~', '~0').replace('/', '~1')}": "x"}))
    for name in ("more", "action", "taskId", "data", "version", "accessList", "createdAt"):
        yield f"more-{name}", signed({**whole, name: "x"})
    for count in (2, 64, 65, 1000):
        parents = [f"sha256:{number:064x}" for number in range(count)]
        yield f"{count}-parents", signed(edit(whole, {"/parents": parents}))
    yield "parents-out-of-order", signed(edit(whole, {"/parents": [f"sha256:{number:064x}" for number in (2, 1)]}))
    yield "parents-twice", signed(edit(whole, {"/parents": ["sha256:" + "1" * 64] * 2}))
    for lamport in (0, 1, 2, 2**48, 2**48 + 1, LIMIT, 1_000_001, 1_000_002):
        yield f"lamport-{lamport}", signed(edit(whole, {"/timestamp/lamport": lamport}))


def texts():
    """Each odd text in each place that people see, as far as it is allowed there, and at once in all of them."""
    for case, text in TEXTS.items():
        yield f"shown-{case}", signed(edit(base(), {"/definition/displayName": text, "/definition/iconSystemName": text, "/definition/description": text,
                                                   "/definition/fields": [field(displayName=text, placeholder=text, helpText=text)]}))
        yield f"x-{case}", signed(edit(base(), {"/definition/x": {text[:200]: text}, "/definition/fields": [field(x={text[:200]: [text]})]}))
        yield f"two-fields-{case}", signed(edit(base(), {"/definition/fields": [field(displayName=text), field(TWO, displayName=text)]}))
        yield f"device-{case}", signed(edit(base(), {"/author/deviceName": text, "/author/name": text, "/author/email": text, "/author/deviceId": text or "d"}))
    twins = ["\u00e9", "e\u0301"]
    yield "keys-of-two-forms", signed(edit(base(), {"/definition/keys": sorted(twins, key=str.encode)}))
    yield "keys-that-look-alike", signed(edit(base(), {"/definition/keys": sorted(["note", "no\u200bte", "nоte", "note\u00ad"], key=str.encode)}))


def sizes():
    uuid = lambda number: f"{number:08x}-2222-4333-8444-555555555555"
    for count in (500, 1000, 3000):
        yield f"{count}-fields", signed(edit(base(), {"/definition/fields": [field(uuid(number), order=number) for number in range(count)]}))
        yield f"{count}-keys", signed(edit(base(), {"/definition/keys": [f"{number:06}" for number in range(count)]}))
    yield "10000-fields", signed(edit(base(), {"/definition/fields": [field(uuid(number), order=number) for number in range(10_000)]}))
    merged = [field(uuid(number), order=number, mergedInto=uuid(number + 1)) for number in range(2000)]
    yield "2000-merged-in-a-row", signed(edit(base(), {"/definition/fields": merged}))
    yield "2000-merged-in-a-circle", signed(edit(base(), {"/definition/fields": merged[:-1] + [{**merged[-1], "mergedInto": uuid(0)}]}))
    yield "merged-into-itself", signed(edit(base(), {"/definition/fields": [field(mergedInto=ONE)]}))
    yield "merged-into-another-type", signed(edit(base(), {"/definition/fields": [field(mergedInto=TWO), field(TWO, "int")]}))
    yield "merged-in-two-circles", signed(edit(base(), {"/definition/fields": [
        field(uuid(number), order=number, mergedInto=uuid(to)) for number, to in enumerate([1, 0, 3, 2, 0])]}))
    yield "3000-of-one-name", signed(edit(base(), {"/definition/fields": [field(uuid(number), order=number, displayName="N") for number in range(2500)]}))
    yield "5000-rules", signed(edit(base(), {"/definition/fields": [field(validationRules=[{"type": "minLength", "value": 1}] * 5000)]}))
    kinds = ("attachmentIds", "bool", "date", "double", "int", "string", "stringArray")
    yield "seven-twins", signed(edit(base(), {"/definition/fields": [field(kind=kind) for kind in kinds]}))
    digest = hashlib.sha256(f"{ONE}:string".encode()).hexdigest()
    clash = "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))
    yield "name-of-a-twin", signed(edit(base(), {"/definition/fields": sorted(
        [field(kind="int"), field(), field(clash, "int"), field(clash)], key=lambda each: (1, each["id"], each["fieldType"]))}))
    room = 1_048_576 - len(rfc8785.dumps(edit(base(), {"/id": "sha256:" + "0" * 64, "/signature": "0" * 128})))
    for more in (-1, 0, 1, 100_000):
        yield f"room-{more}", signed(edit(base(), {"/definition/displayName": "Visit" + "x" * (room + more)}))
    for depth in (100, 507, 508, 509, 510):
        inside = b'"visibility":"active","x":{"a":' + b"[" * depth + b"]" * depth + b"}}"
        yield f"x-{depth}-deep", signed_raw(spelled(base()).replace(b'"visibility":"active"}', inside))


def spelled(value):
    return rfc8785.dumps(value)


def signed_raw(body):
    return body, ADA.secret.sign(body).signature


def spellings():
    """Bodies that are no canonical JSON, or none at all, hashed as they stand."""
    good = spelled(base())
    member = b'"displayName":"Visit"'
    for case, text in {
            "blank": good + b" ", "line-feed": good + b"\n", "bom": b"\xef\xbb\xbf" + good, "twice": good * 2, "cut": good[:-1], "half": good[:len(good) // 2],
            "nothing": b"", "null": b"null", "array": b"[]", "number": b"1", "text": b'"x"', "empty": b"{}", "zeros": bytes(100), "cbor": b"\xa0",
            "comma": good[:-1] + b",}", "name-twice": good.replace(member, member + b"," + member), "reverse": b'{"schema":1,' + good[1:].replace(b',"schema":1', b""),
            "escaped": good.replace(b"Visit", b"\\u0056isit"), "slash": good.replace(b"Visit", b"a\\/b"), "nul": good.replace(b"Visit", b"a\0b"),
            "lone-surrogate": good.replace(b"Visit", b"\\ud800"), "low-surrogate": good.replace(b"Visit", b"\\udc00x"), "pair": good.replace(b"Visit", b"\\ud83d\\ude00"),
            "surrogate-bytes": good.replace(b"Visit", b"\xed\xa0\x80"), "overlong": good.replace(b"Visit", b"\xc0\xaf"), "latin": good.replace(b"Visit", b"\xe9"),
            "1.0": good.replace(b'"counter":3', b'"counter":3.0'), "1e0": good.replace(b'"counter":3', b'"counter":3e0'), "minus-0": good.replace(b'"counter":3', b'"counter":-0'),
            "2-to-53": good.replace(b'"counter":3', b'"counter":9007199254740992'), "2-to-53-and-1": good.replace(b'"counter":3', b'"counter":9007199254740993'),
            "2-to-64": good.replace(b'"counter":3', b'"counter":18446744073709551616'), "1e400": good.replace(b'"counter":3', b'"counter":1e400'),
            "1e-400": good.replace(b'"counter":3', b'"counter":1e-400'), "400-digits": good.replace(b'"counter":3', b'"counter":' + b"9" * 400),
            "nan": good.replace(b'"counter":3', b'"counter":NaN'), "leading-0": good.replace(b'"counter":3', b'"counter":03'),
            "100000-deep": good.replace(b'"keys":[]', b'"keys":' + b"[" * 100_000 + b"]" * 100_000), "all-deep": b"[" * 200_000, "objects-deep": b'{"a":' * 100_000,
            "id-inside": good.replace(b'"keys":[]', b'"id":"sha256:0","keys":[]'), "comment": good + b"//x", "single-quotes": good.replace(b'"', b"'")}.items():
        yield f"spelled-{case}", signed_raw(text)
    body, signature = signed(base())
    digest = hashlib.sha256(body).digest()
    for case, value in {"none": None, "of-zeros": bytes(64), "of-another": BEN.secret.sign(body).signature, "of-the-digest": ADA.secret.sign(digest).signature,
                        "one-bit": bytes([signature[0] ^ 1]) + signature[1:], "of-other-bytes": ADA.secret.sign(body + b"\n").signature}.items():
        yield f"signature-{case}", (body, value)


def schemas():
    seen = set()
    for source in (members, texts, sizes, spellings):
        for name, (body, signature) in source():
            if (body, signature) not in seen:
                seen.add((body, signature))
                yield name, body, signature


# Several that are good by themselves.


def child(definition, parents, lamport=None, wall=TIME, person=ADA, **more):
    value = {**base(), "parents": sorted(id_of(each) for each in parents), "definition": definition, **more}
    value["timestamp"] = {"lamport": lamport or 1 + max((each["timestamp"]["lamport"] for each in parents), default=0), "wall": wall}
    value["author"] = {**person.author(), "deviceId": PHONE}
    return value


def id_of(value):
    return "sha256:" + hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def later(definition, time="2025-03-02T08:00:00.000Z", counter=4, device=PHONE, **more):
    made = copy.deepcopy(definition)
    made.setdefault("metaVersion", made["version"])
    made["version"] = version(counter, time, device)
    made.update(copy.deepcopy(more))
    return made


def histories():
    first = base()
    start = first["definition"]
    two = [field(), field(TWO)]
    yield "child", [first, child(later(start, fields=two), [first])]
    yield "child-that-lacks-a-field", [first, child(later(start, fields=[]), [first])]
    yield "child-of-another-provenance", [first, child(later(start, fields=[field(createdBy=TABLET, updatedAt="2025-03-02T08:00:00.000Z")]), [first])]
    yield "child-of-a-lesser-version", [first, child({**start, "version": version(2)}, [first])]
    yield "child-of-the-same-version", [first, child(start, [first])]
    yield "child-of-another-name", [first, child({**start, "id": "other"}, [first])]
    yield "child-of-a-scope", [first, child({**start, "scope": TABLET}, [first])]
    yield "child-that-loses-keys", [{**first, "definition": {**start, "keys": ["a"]}}, child(later(start), [{**first, "definition": {**start, "keys": ["a"]}}])]
    yield "child-that-is-not-built-in", [edit(first, {"/definition/isBuiltIn": True}), child(later(start), [edit(first, {"/definition/isBuiltIn": True})])]
    for number, lamport in enumerate((1, 2, 1_000_001, 1_000_002, 2**48)):
        yield f"child-at-lamport-{number}", [first, child(later(start, fields=two), [first], lamport)]
    for case, time in {"end": END, "after-end": "9999-01-01T00:00:00.000Z", "last": LAST}.items():
        yield f"child-version-{case}", [first, child(later(start, time, fields=two), [first])]
        yield f"child-field-{case}", [first, child(later(start, fields=[field(updatedAt=time)]), [first])]
        yield f"root-version-{case}", [edit(first, {"/definition/version": version(1, time)})]
        yield f"root-field-{case}", [edit(first, {"/definition/fields": [field(updatedAt=time)]})]
    yield "counter-at-its-end", [edit(first, {"/definition/version": version(LIMIT)})]
    yield "everything-at-its-end", [edit(first, {"/definition/version": version(LIMIT, END), "/timestamp/lamport": 1, "/definition/fields": [field(updatedAt=END)]})]
    heads = [child(later(start, counter=4, device=device, fields=[field(displayName=name, updatedBy=device, updatedAt="2025-03-02T08:00:00.000Z")]), [first])
             for device, name in ((PHONE, "one"), (TABLET, "two"))]
    yield "two-heads", [first, *heads]
    roots = [edit(first, {"/definition/fields": [field(f"{number:08x}-2222-4333-8444-555555555555", displayName="N")]}) for number in range(70)]
    yield "70-roots", roots
    yield "70-roots-of-one-field", [edit(first, {"/definition/fields": [field(displayName=f"N{number}", createdBy=f"{number:08x}-2222-4333-8444-555555555555")]})
                                    for number in range(70)]
    circle = [edit(first, {"/definition/fields": [field(mergedInto=TWO), field(TWO)]}), edit(first, {"/definition/fields": [field(), field(TWO, mergedInto=ONE)]})]
    yield "a-circle-of-two-heads", circle
    yield "twins-of-two-heads", [first, edit(first, {"/definition/fields": [field(kind="int", displayName="other")]})]
    big = [edit(first, {"/definition/fields": [field(f"{number * 2000 + own:08x}-2222-4333-8444-555555555555", order=own) for own in range(1800)]})
           for number in range(2)]
    yield "a-join-that-is-too-large", big
    chain = [first]
    for number in range(300):
        chain.append(child(later(chain[-1]["definition"], f"2025-04-01T08:00:{number // 1000:02}.{number % 1000:03}Z", 4 + number), [chain[-1]]))
    yield "300-deep", chain
    for name in ("../x", "a/b", "é", "e\u0301", ".", "x.lock", "@" + TABLET, "visit@" + TABLET, "redo.devices", "redo.x", "\x01\x1b[31m\x02", "%2e", "A" * 200):
        named = edit(first, {"/definition/id": name})
        yield f"named-{name.encode().hex()[:24]}-{len(name)}", [named, child(later(named["definition"], fields=two), [named])]
    device = {**start, "id": "redo.devices", "fields": [field(PHONE, displayName="\x1b[2Jphone", x={"revoked": "yes", "deviceId": 5}),
                                                        field(TABLET, displayName="", x={"revoked": True, "deviceId": "laptop\x1b"})]}
    yield "devices", [edit(first, {"/definition": device})]
    yield "devices-of-other-types", [edit(first, {"/definition": {**device, "fields": [field(PHONE, "int"), field(PHONE), field(TABLET, mergedInto=PHONE)]}})]
    yield "wall-of-the-last-year", [edit(first, {"/timestamp/wall": LAST})]
    yield "parent-gone", [child(later(start), [edit(first, {"/definition/displayName": "gone"})])]


# Tasks that schemas read.


def task(number, fields, action="CREATE", parents=(), lamport=1):
    value = {"version": 1, "parents": list(parents), "timestamp": {"lamport": lamport, "wall": TIME}, "author": ADA.author(), "action": action,
             "taskId": f"{number:08x}-9d47-4a60-b5e1-7c0d2a9f6e84", "data": {"fields": fields}}
    if action == "CREATE":
        fields.setdefault("title", "a record")
    return value


def records():
    values = {**WRONG, **{f"text-{case}": text for case, text in TEXTS.items()}}
    typed = {f"typed-{kind}-{case}": {"type": kind, "value": value} for kind in ("string", "int", "double", "bool", "date", "attachmentIds", "stringArray", "x", 5)
             for case, value in WRONG.items()}
    more = {"date-short": "2025-13-45", "date-before": "0000-01-01", "date-number": 1e18, "date-minus": -1e18, "date-edge": 252423993599.9995,
            "date-below": -63114076800.0005, "typed-more": {"type": "string", "value": "x", "more": 1}, "typed-less": {"type": "string"},
            "typed-deep": {"type": {"type": "string"}, "value": {"value": 1}}, "many": ["x"] * 3000, "attachments": [ONE, ONE.upper(), "x", 1]}
    for case, value in {**values, **typed, **more}.items():
        yield f"value-{case}", [task(1, {"schemaId": "all", ONE: value, "note": value, "personId": TABLET})]
        if case in values:
            yield f"schemaId-{case}", [task(1, {"schemaId": value, "note": "x"})]
            yield f"personId-{case}", [task(1, {"schemaId": "all", "personId": value, "createdAt": value, "updatedAt": value})]
        if type(value) is str:
            yield f"key-{case}", [task(1, {"schemaId": "all", value: "x", "x" + value: {"type": "string", "value": value}})]
    yield "keys-of-one-field", [task(1, {"schemaId": "all", "note": "a", ONE: "b", ONE.upper(): "c", uuid_of("note"): "d", uuid_of("all:note"): "e"})]
    yield "schemaId-twice", [task(1, {"schemaId": "all"}), task(2, {"schemaId": "visit", "note": 1})]
    yield "3000-values", [task(1, {"schemaId": "all", **{f"key {number}": number for number in range(3000)}})]


def uuid_of(text):
    digest = hashlib.sha256(text.encode()).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))


def of_all_types():
    """The schema `all`: a field of each type, with rules, a circle, and one that is hidden."""
    kinds = ("attachmentIds", "bool", "date", "double", "int", "string", "stringArray")
    fields = [field(kind=kind, displayName=kind, validationRules=[{"type": "pattern", "value": "(a+)+$"}, {"type": "maxLength", "value": 3}]) for kind in kinds]
    fields.append(field(TWO, mergedInto=TABLET, order=2))
    fields.append(field(TABLET, mergedInto=TWO, order=3))
    fields.append(field(PHONE, order=4, isRequired=True, visibility="hidden"))
    return edit(base(), {"/definition/id": "all", "/definition/fields": fields, "/definition/keys": ["note"]})
