"""schema/: one signed schema a file, each invalid one with a single defect; and what files of the public app come to."""

import hashlib
import json

from .common import ADA, Folder, REMOVE, canonical, edit, id_of, seal
from .node_base import TIME

MAX_SIZE = 1_048_576
LIMIT = 2**53 - 1
PHONE, TABLET = "3f2b8c1e-9d47-4a60-b5e1-7c0d2a9f6e84", "a81c4e02-5b7d-4f39-8e16-2d90c3b7f5a4"
ONE, TWO = "11111111-2222-4333-8444-555555555555", "66666666-7777-4888-9999-aaaaaaaaaaaa"
ZERO, PAST = "00000000-0000-0000-0000-000000000000", "0001-01-01T00:00:00.000Z"


def field(text=ONE, kind="string", order=1, **more):
    return {
        "id": text, "fieldType": kind, "displayName": "Notes", "isRequired": False, "displayOrder": order, "validationRules": [],
        "isMultiline": False, "capitalizationMode": "sentences", "visibility": "active", "createdBy": PHONE, "createdAt": TIME,
        "updatedBy": PHONE, "updatedAt": TIME, **more}


def version(counter=3, time=TIME, device=PHONE):
    return {"timestamp": time, "deviceId": device, "counter": counter}


def base():
    return {
        "schema": 1, "parents": [], "timestamp": {"lamport": 1, "wall": TIME}, "author": {**ADA.author(), "deviceId": PHONE},
        "change": {"op": "new", "source": "manual"},
        "definition": {
            "id": "visit", "displayName": "Visit", "iconSystemName": "doc.text", "isBuiltIn": False, "version": version(),
            "fields": [field()], "keys": []}}


class Maker:
    """Writes cases: `valid` and `invalid` take edits of a good schema."""

    def __init__(self, root):
        self.folder = Folder(root, "schema")

    def write(self, name, value, *cells, form="body", end=b"\n"):
        sealed = seal(value, form=form)
        self.folder.write(name, canonical(sealed) + end)
        self.folder.row(name, *cells, id_of(sealed), hashlib.sha256(canonical(value["definition"])).hexdigest() if cells[0] == "valid" else "-")

    def valid(self, rule, case, changes={}, **more):
        self.write(f"valid/{rule}--{case}.json", edit(base(), changes), "valid", "-", "-", **more)

    def invalid(self, rule, case, place, changes={}, **more):
        self.write(f"invalid/{rule}--{case}.json", edit(base(), changes), "invalid", rule, place or "''", **more)


def whole(m):
    value = base()
    room = MAX_SIZE - len(canonical(seal(value)))
    text = "Visit" + "x" * room
    m.valid("schema-size", "1048576-bytes", {"/definition/displayName": text}, end=b"")
    m.invalid("schema-size", "1048577-bytes", "", {"/definition/displayName": text + "x"}, end=b"")
    m.valid("schema-form", "all-members", {
        "/author/deviceName": "Phone", "/author/name": "Ada", "/definition/description": "", "/definition/scope": TABLET,
        "/definition/metaVersion": version(2), "/definition/x": {"colour": None}, "/definition/keys": ["note"],
        "/definition/fields/0": field(mergedInto=TWO, placeholder="", helpText="ä", x={"a": [1.5]})})
    m.valid("schema-form", "unsigned", form=None)
    for source in ("manual", "automatic", "import"):
        m.valid("schema-form", f"source-{source}", {"/change": {"op": "x" * 64, "source": source}})
    for member, values in {
        "displayName": {"number": 1, "array": []}, "iconSystemName": {"true": True}, "isBuiltIn": {"text": "no", "number": 0},
        "description": {"object": {}}, "fields": {"object": {}, "text": ""}, "keys": {"object": {}}, "x": {"array": [], "text": "x"},
    }.items():
        for case, value in values.items():
            m.invalid("schema-form", f"{member}-{case}", f"/definition/{member}", {f"/definition/{member}": value})
    m.invalid("schema-form", "definition-array", "/definition", {"/definition": []})
    m.invalid("schema-form", "change-text", "/change", {"/change": "new"})
    for case, op in [("empty", ""), ("long", "x" * 65), ("upper", "New"), ("digit", "v2"), ("number", 1)]:
        m.invalid("schema-form", f"op-{case}", "/change/op", {"/change/op": op})
    m.invalid("schema-form", "source-unknown", "/change/source", {"/change/source": "hand"})
    for case, pointer in [
        ("displayName", "/definition/displayName"), ("fields", "/definition/fields"), ("keys", "/definition/keys"),
        ("version-counter", "/definition/version/counter"), ("field-type", "/definition/fields/0/fieldType"),
        ("field-stamp", "/definition/fields/0/updatedAt"), ("change", "/change"), ("source", "/change/source"), ("key", "/author/publicKey")]:
        m.invalid("member-missing", f"schema-{case}", pointer, {pointer: REMOVE})
    for case, pointer in [("top", "/note"), ("definition", "/definition/note"), ("version", "/definition/version/note"),
                          ("field", "/definition/fields/0/note"), ("change", "/change/note")]:
        m.invalid("member-unknown", f"schema-{case}", pointer, {pointer: 1})
    for case, pointer in [("scope", "/definition/scope"), ("help", "/definition/fields/0/helpText"), ("x", "/definition/x")]:
        m.invalid("member-null", f"schema-{case}", pointer, {pointer: None})
    m.invalid("version-unsupported", "schema-2", "/schema", {"/schema": 2})


def names(m):
    for case, text in [("one-byte", "a"), ("200-bytes", "é" * 100), ("spaces-within", "a b\tc"), ("slash", "../x"), ("emoji", "\U0001f489")]:
        m.valid("schema-id-form", case, {"/definition/id": text})
    for case, text in [("empty", ""), ("201-bytes", "é" * 100 + "a"), ("space-before", " a"), ("tab-behind", "a\t"), ("nul", "\0"), ("number", 1)]:
        m.invalid("schema-id-form", case, "/definition/id", {"/definition/id": text})
    m.valid("schema-id-form", "scope", {"/definition/scope": TABLET})
    for case, text in [("upper", TABLET.upper()), ("short", TABLET[:-1]), ("number", 1)]:
        m.invalid("schema-id-form", f"scope-{case}", "/definition/scope", {"/definition/scope": text})
    for case, keys in [("200-bytes", ["k" * 200]), ("by-bytes", ["B", "a", "é", "\uff5e", "\U0001f489"]), ("nearly-a-uuid", [TABLET[:-1]])]:
        m.valid("schema-key-form", case, {"/definition/keys": keys})
    for case, key in [("empty", ""), ("201-bytes", "k" * 201), ("uuid", TABLET), ("upper-uuid", TABLET.upper()), ("number", 1)]:
        m.invalid("schema-key-form", case, "/definition/keys/0", {"/definition/keys": [key]})


def versions(m):
    place = "/definition/version"
    for case, value in [("zero", version(0)), ("2-53-less-1", version(LIMIT)), ("distant-past", version(1, PAST, ZERO)),
                        ("last-year", version(1, "9999-12-31T23:59:59.999Z"))]:
        m.valid("schema-version-form", case, {place: value})
    for case, value in [("number", 3), ("text", "3"), ("array", [])]:
        m.invalid("schema-version-form", case, place, {place: value})
    for case, value in [("negative", -1), ("2-53", float(LIMIT + 1)), ("fraction", 1.5), ("text", "3")]:
        m.invalid("schema-version-form", f"counter-{case}", f"{place}/counter", {f"{place}/counter": value})
    for case, value in [("no-decimals", "2025-03-01T08:00:00Z"), ("seconds-since-2001", 7.5), ("month-13", "2025-13-01T08:00:00.000Z")]:
        m.invalid("schema-version-form", f"timestamp-{case}", f"{place}/timestamp", {f"{place}/timestamp": value})
    for case, value in [("upper", PHONE.upper()), ("word", "phone")]:
        m.invalid("schema-version-form", f"device-{case}", f"{place}/deviceId", {f"{place}/deviceId": value})
    meta = "/definition/metaVersion"
    for case, value in [("earlier", version(9, "2025-03-01T07:59:59.999Z", TABLET)), ("device-less", version(9, device=ZERO)), ("counter-less", version(2))]:
        m.valid("schema-version-form", f"meta-{case}", {meta: value})
    for case, value in [("same", version()), ("later", version(1, "2025-03-01T08:00:00.001Z")), ("larger-device", version(1, device=TABLET))]:
        m.invalid("schema-version-form", f"meta-{case}", meta, {meta: value})


def fields(m):
    place = "/definition/fields"
    m.valid("schema-field-form", "none", {place: []})
    for kind in ("string", "int", "double", "bool", "date", "attachmentIds", "stringArray"):
        m.valid("schema-field-form", f"type-{kind}", {place: [field(kind=kind)]})
    for member, words in {"visibility": ("active", "hidden", "deprecated"), "capitalizationMode": ("none", "words", "sentences", "allCharacters")}.items():
        for word in words:
            m.valid("schema-field-form", f"{member}-{word}", {f"{place}/0/{member}": word})
    m.valid("schema-field-form", "order-below-0", {f"{place}/0/displayOrder": -LIMIT})
    for member, values in {
        "id": {"upper": TWO.upper(), "word": "note", "number": 1}, "fieldType": {"unknown": "text", "upper": "String", "number": 1},
        "displayName": {"number": 1}, "isRequired": {"number": 0}, "displayOrder": {"fraction": 1.5, "text": "1"}, "isMultiline": {"text": "no"},
        "capitalizationMode": {"unknown": "word"}, "visibility": {"unknown": "gone"}, "createdBy": {"upper": PHONE.upper()},
        "createdAt": {"no-decimals": "2025-03-01T08:00:00Z"}, "updatedBy": {"number": 1}, "updatedAt": {"two-decimals": "2025-03-01T08:00:00.00Z"},
        "placeholder": {"number": 1}, "helpText": {"array": []}, "mergedInto": {"upper": TWO.upper()}, "x": {"array": []},
    }.items():
        for case, value in values.items():
            m.invalid("schema-field-form", f"{member}-{case}", f"{place}/0/{member}", {f"{place}/0/{member}": value})
    m.invalid("schema-field-form", "text", f"{place}/0", {place: ["note"]})
    m.valid("schema-field-duplicate", "two-types", {place: [field(kind="int"), field()]})
    m.valid("schema-field-duplicate", "two-ids", {place: [field(), field(TWO)]})
    m.invalid("schema-field-duplicate", "same", f"{place}/1", {place: [field(), field()]})
    m.invalid("schema-field-duplicate", "other-order", f"{place}/1", {place: [field(), field(order=2)]})
    m.valid("schema-order", "order-first", {place: [field(TWO, order=-1), field(ONE, order=0), field("0" + ONE[1:], order=1)]})
    m.invalid("schema-order", "by-order", f"{place}/1", {place: [field(order=2), field(TWO, order=1)]})
    m.invalid("schema-order", "by-id", f"{place}/1", {place: [field(TWO), field()]})
    m.invalid("schema-order", "by-type", f"{place}/1", {place: [field(), field(kind="int")]})
    m.invalid("schema-order", "keys", "/definition/keys/1", {"/definition/keys": ["b", "a"]})
    m.invalid("schema-order", "keys-by-bytes", "/definition/keys/1", {"/definition/keys": ["\U0001f489", "\uff5e"]})
    m.invalid("schema-order", "key-twice", "/definition/keys/1", {"/definition/keys": ["a", "a"]})


def rules(m):
    place = "/definition/fields/0/validationRules"
    for kind, value in [("minLength", 0), ("maxLength", LIMIT), ("minValue", -1.5), ("maxValue", 1e300), ("minDate", PAST), ("maxDate", TIME),
                        ("pattern", "(a+)+$")]:
        m.valid("schema-rule-form", kind, {place: [{"type": kind, "value": value}]})
    m.valid("schema-rule-form", "several", {place: [{"type": "minLength", "value": 1}, {"type": "minLength", "value": 1}]})
    for kind, case, value in [
        ("minLength", "fraction", 1.5), ("minLength", "text", "1"), ("maxLength", "true", True), ("minValue", "text", "1"), ("maxValue", "array", []),
        ("minDate", "no-decimals", "2025-03-01T08:00:00Z"), ("maxDate", "number", 1), ("pattern", "number", 1)]:
        m.invalid("schema-rule-form", f"{kind}-{case}", f"{place}/0/value", {place: [{"type": kind, "value": value}]})
    m.invalid("schema-rule-form", "unknown", f"{place}/0/type", {place: [{"type": "size", "value": 1}]})
    m.invalid("schema-rule-form", "text", f"{place}/0", {place: ["minLength"]})
    m.invalid("schema-rule-form", "object", place, {place: {}})
    m.invalid("member-missing", "schema-rule-value", f"{place}/0/value", {place: [{"type": "minLength"}]})
    m.invalid("member-unknown", "schema-rule", f"{place}/0/note", {place: [{"type": "minLength", "value": 1, "note": 1}]})


# MARK: files of the app

def uuid_of(text):
    digest = hashlib.sha256(text.encode()).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))


def taken_field(text, kind, **more):
    return {
        "id": text, "fieldType": kind, "displayName": "Notes", "isRequired": False, "displayOrder": 0, "validationRules": [], "isMultiline": False,
        "capitalizationMode": "sentences", "visibility": "active", "createdBy": ZERO, "createdAt": PAST, "updatedBy": ZERO, "updatedAt": PAST, **more}


def taken(fields=(), number=1, **more):
    return {
        "id": "visit", "displayName": "Visit", "iconSystemName": "doc", "isBuiltIn": False, "version": version(number, PAST, ZERO),
        "fields": list(fields), "keys": [], **more}


def imports(root):
    folder = Folder(root, "schema")
    plain = {"id": "visit", "displayName": "Visit", "iconSystemName": "doc", "fields": []}

    def case(name, value, definitions, warnings=()):
        folder.write(f"import/{name}.json", json.dumps(value, ensure_ascii=False, indent=1).encode())
        folder.row(f"import/{name}.json", ",".join(hashlib.sha256(canonical(each)).hexdigest() for each in definitions), ",".join(sorted(warnings)) or "-")

    note = uuid_of("visit:note")
    case("least", plain, [taken()])
    case("integer-version", {**plain, "version": 7}, [taken(number=7)])
    case("blanks-around-the-id", {**plain, "id": " visit\n"}, [taken()])
    case("a-version", {**plain, "version": version(4, "2025-03-01T08:00:00Z", TABLET.upper())}, [taken(version=version(4, device=TABLET))])
    case("text-id", {**plain, "fields": [{"id": "note", "fieldType": "string"}]}, [taken([taken_field(note, "string", displayName="note")], keys=["note"])])
    case("upper-uuid", {**plain, "fields": [{"id": TWO.upper(), "fieldType": "int", "displayName": "Notes"}]}, [taken([taken_field(TWO, "int")])])
    # The bare name of a key that is listed counts as the qualified one.
    case("bare-name", {**plain, "keys": ["note"], "fields": [{"id": uuid_of("note"), "fieldType": "bool", "displayName": "Notes"}]},
         [taken([taken_field(note, "bool")], keys=["note"])])
    case("seconds-since-2001", {**plain, "fields": [{
        "id": ONE, "fieldType": "date", "displayName": "Notes", "updatedAt": 762508800, "createdAt": -63114076800.5, "updatedBy": PHONE,
        "validationRules": [{"type": "minDate", "value": 0.0005}]}]}, [taken([taken_field(
            ONE, "date", updatedAt="2025-03-01T08:00:00.000Z", updatedBy=PHONE, validationRules=[{"type": "minDate", "value": "2001-01-01T00:00:00.001Z"}])])])
    case("of-a-pair-the-larger", {**plain, "fields": [
        {"id": "note", "fieldType": "string", "displayName": "B", "updatedAt": "2025-03-01T08:00:00.001Z"},
        {"id": note, "fieldType": "string", "displayName": "A", "updatedAt": TIME}]},
         [taken([taken_field(note, "string", displayName="B", updatedAt="2025-03-01T08:00:00.001Z")], keys=["note"])])
    case("null-is-absent", {**plain, "version": None, "fields": [{"id": "note", "fieldType": "string", "displayName": None, "helpText": None}]},
         [taken([taken_field(note, "string", displayName="note")], keys=["note"])])
    case("unknown-members", {**plain, "colour": "red", "fields": [{"id": ONE, "fieldType": "int", "displayName": "Notes", "hint": 1}]},
         [taken([taken_field(ONE, "int", x={"hint": 1})], x={"colour": "red"})],
         ["schema-unknown-member@/colour", "schema-unknown-member@/fields/0/hint"])
    case("a-backup", {"personId": TABLET.upper(), "schema": plain}, [taken(scope=TABLET)])
    case("several", [plain, {**plain, "id": "other"}], [taken(), {**taken(), "id": "other"}])
    case("data", {"data": {"schemas": [{"schema": plain}, {"personId": TABLET, "schema": plain}]}}, [taken(), taken(scope=TABLET)])
    folder.finish("file", "hashes", "warnings", table="IMPORT.tsv")


def make(root):
    m = Maker(root)
    for part in (whole, names, versions, fields, rules):
        part(m)
    m.folder.finish("file", "verdict", "rule", "place", "id", "hash")
    imports(root)
