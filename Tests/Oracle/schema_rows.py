#!/usr/bin/env python3
"""What the rows of the schemas of records come to, by a second implementation: `schema-rows.sh` is fed with it, and compares.

  schema_rows.py phases FOLDER [VECTORS]      the app's JSON of several ages: for each <name>.json, <name>.definition; prints name and hash
  schema_rows.py merges FOLDER [VECTORS]      pairs, and three: <name>.1.json ..., and <name>.heads, the same as objects; prints name,
                                              number, the hash of the join of the files as import reads them, and that of the heads
  schema_rows.py versions FOLDER [VECTORS]    less.json, greater.json: versions that compare so; greater.ndjson: the join of each pair
  schema_rows.py clock FOLDER [VECTORS]       objects of heads: <name>.ndjson; prints name, device, clock and the version of an edit
  schema_rows.py ranges FOLDER [VECTORS]      objects whose stamps end the clock, or do not: <name>.before, <name>.ndjson; prints name and
                                              the rules that are broken
  schema_rows.py lost FOLDER [VECTORS]        objects that lack something of their parents, or do not: the same
  schema_rows.py version FOLDER               reads an exported history: whether its newest version is later than all before
                                              it, and prints it
  schema_rows.py collisions DEVICES           reads a definition: the rows of `schema check` for names that collide
  schema_rows.py devices                      reads nodes and schemas, a line each: the rows of `device list --all`
  schema_rows.py provenance LINES NOW         reads a definition: name and origin of each field that is shown, devices as in the
                                              file of lines
  schema_rows.py said                         reads `schema show --provenance`: name and origin of each field
  schema_rows.py shown                        reads a definition: id, type and name of each field, as people see it
  schema_rows.py objects FOLDER VECTORS       the definition of the vectors whose names collide as an object: collisions.ndjson
  schema_rows.py records FOLDER [VECTORS]     definitions and records: <name>.ndjson, <name>.requests, <name>.expected
  schema_rows.py of EXPECTED                  reads `state --records`: whether each record has what is expected of its key
  schema_rows.py keys SCHEMA KEY...           the UUIDs of keys, of a schema, or of none (`-`)
"""

import collections
import hashlib
import itertools
import json
import pathlib
import random
import sys

import rfc8785

sys.dont_write_bytecode = True

from schema_edit import broken, device_of, next_version
from schema_join import PAST, ZERO, joined, random_definition, version_rank
from schema_log import END, Device, join
from schema_view import BUILT_IN, View, after, provenance, taken, uuid_of, written

ADA, BEN = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
TIME = "2026-01-02T10:00:00.000Z"


def vectors_of(path):
    return json.loads(pathlib.Path(path).read_text()) if path else {}


def built_in(vectors):
    return dict(vectors["builtIn"]) if vectors else BUILT_IN


def write(path, values):
    path.write_bytes(b"".join(rfc8785.dumps(value) + b"\n" for value in values))


def hashed(definition):
    return hashlib.sha256(rfc8785.dumps(definition)).hexdigest()


# Definitions.

def own_phases():
    """(name, the app's JSON): text ids, hints for the keyboard, UUIDs with visibility and stamps, and a version of redo's."""
    fields = [
        {"id": "vaccineName", "displayName": "Name", "fieldType": "string", "isRequired": True, "displayOrder": 1,
         "validationRules": [{"type": "maxLength", "value": 200}], "placeholder": "MMR"},
        {"id": "batchNumber", "displayName": "Batch", "fieldType": "int", "displayOrder": 2}, {"id": "colour", "fieldType": "stringArray"}]
    first = {"id": "vaccine", "displayName": "Vaccine", "iconSystemName": "syringe", "isBuiltIn": True, "fields": fields}
    yield "own-texts", first
    second = json.loads(json.dumps(first)) | {"version": 2}
    for field in second["fields"]:
        field |= {"isMultiline": field["fieldType"] == "string", "capitalizationMode": "words", "helpText": None}
    yield "own-hints", second
    third = json.loads(json.dumps(second)) | {"version": 3}
    ids = ("00000001-0001-0001-0000-000000000000", uuid_of("batchNumber").upper(), "6F9619FF-8B86-4011-B42D-00C04FC964FF")
    for field, id_ in zip(third["fields"], ids):
        field |= {"id": id_, "visibility": "active", "createdBy": ZERO, "createdAt": "0001-01-01T00:00:00Z", "updatedBy": ADA.upper(),
                  "updatedAt": 757382400.5}
    yield "own-uuids", third
    version = {"timestamp": "2026-01-20T08:30:00Z", "deviceId": BEN.upper(), "counter": 12}
    yield "own-version", {**third, "version": version, "metaVersion": {**version, "counter": 7}, "keys": ["colour", "old"]}
    yield "own-odd", {
        "id": "\t gym\r\n", "displayName": "Gym", "iconSystemName": "figure", "colour": None, "weight": {"of": 1}, "fields": [
            {"id": "when", "fieldType": "date", "unit": "day", "validationRules": [
                {"type": "minDate", "value": -63114000000}, {"type": "maxDate", "value": "2026-01-02"}]},
            {"id": uuid_of("when").upper(), "displayName": "When", "fieldType": "date", "updatedAt": 0.0625},
            {"id": "when", "fieldType": "string"}]}


def phases(folder, vectors):
    found = list(own_phases())
    known = built_in(vectors)
    rows = [(name, app, taken(app, built_in=known)) for name, app in found]
    for each in vectors.get("phases", []):
        rows.append((each["name"], each["app"], each["definition"]))
        assert taken(each["app"], built_in=known) == each["definition"], each["name"]
        assert hashed(each["definition"]) == each["SHA256"], each["name"]
    more = (None, 0, -0.0005, 757382400.5, -9e10, "2026-01-02", "2026-01-02T10:00:00.250Z")
    times = vectors.get("times", []) + [[value, written(value)] for value in more]
    app = {"id": "times", "displayName": "Times", "iconSystemName": "clock", "fields": [
        {"id": f"time{place:02}", "fieldType": "date", "createdAt": value, "displayOrder": place}
        for place, (value, _) in enumerate(times)]}
    rows.append(("times", app, taken(app, built_in=known)))
    assert [field["createdAt"] for field in rows[-1][2]["fields"]] == [text for _, text in times]
    # A definition, read again, is itself.
    rows += [(f"{name}-again", definition, definition) for name, _, definition in rows]
    for name, app, definition in rows:
        (folder / f"{name}.json").write_text(json.dumps(app, ensure_ascii=False, indent=1))
        write(folder / f"{name}.definition", [definition])
        kept = "kept" if isinstance(app.get("version"), dict) else "made"
        print(name, hashed(definition), kept, sep="\t")


def merges(folder, vectors):
    chosen = random.Random(11)
    cases = [(f"own-{number}", [random_definition("own", chosen) for _ in range(3)], None) for number in range(5)]
    for each in vectors.get("merges", []):
        cases.append((each["name"], [each["a"], each["b"]], each["mergedSHA256"]))
        assert hashed(each["merged"]) == each["mergedSHA256"]
    if vectors:
        cases.append(("three-way", vectors["threeWay"]["inputs"], vectors["threeWay"]["mergedSHA256"]))
    for name, files, hash_ in cases:
        own = hashed(join(files))
        assert hash_ in (None, own), name
        for number, definition in enumerate(files, 1):
            (folder / f"{name}.{number}.json").write_text(json.dumps(definition))
        maker = Maker()
        write(folder / f"{name}.heads", [maker.after([], definition) for definition in files])
        # A field with another name of its id is read under its id.
        print(name, len(files), hashed(join([taken(each, built_in=built_in(vectors)) for each in files])), own, sep="\t")


def plain(id_, version, **more):
    made = {"id": id_, "displayName": "Plain", "iconSystemName": "doc", "isBuiltIn": False, "version": version, "fields": [], "keys": []}
    return {**made, **more}


def versions(folder, vectors):
    chosen = random.Random(5)
    times = [PAST, TIME, after(TIME), END]
    all_ = [{"timestamp": time, "deviceId": device, "counter": counter}
            for time in times for device in (ZERO, ADA, BEN) for counter in (0, 2, 10, 2**53 - 1)]
    pairs = [sorted(chosen.sample(all_, 2), key=version_rank) for _ in range(60)]
    for each in vectors.get("comparisons", []):
        pairs.append((each["less"], each["greater"]))
    pairs += itertools.combinations(vectors.get("ascending", []), 2)
    less, greater = (
        [plain(f"s{place:04}", pair[side], displayName=("less", "greater")[side]) for place, pair in enumerate(pairs)] for side in (0, 1))
    (folder / "less.json").write_text(json.dumps(less))
    (folder / "greater.json").write_text(json.dumps(greater))
    write(folder / "greater.ndjson", greater)
    print(len(pairs))


# Objects.

class Maker:
    """Objects of one device, each after others."""

    def __init__(self):
        self.device = Device(0)

    def after(self, parents, definition, wall=TIME):
        return self.device.sealed({
            "schema": 1, "parents": sorted(each["id"] for each in parents),
            "timestamp": {"lamport": 1 + max((each["timestamp"]["lamport"] for each in parents), default=0), "wall": wall},
            "author": self.device.author, "change": {"op": "set", "source": "manual"}, "definition": definition})


def clock(folder, vectors):
    maker = Maker()
    late = "9000-01-01T00:00:00.000Z"
    cases = [
        {"seen": [], "device": ADA, "now": "2001-01-01T00:00:00.000Z"},
        {"seen": [{"timestamp": late, "deviceId": BEN, "counter": 40}], "device": ADA, "now": "2001-01-01T00:00:00.000Z"},
        {"seen": [{"timestamp": TIME, "deviceId": BEN, "counter": 40}, {"timestamp": late, "deviceId": ZERO, "counter": 3}],
         "device": ADA, "now": TIME},
        {"seen": [{"timestamp": TIME, "deviceId": BEN, "counter": 2**53 - 1}], "device": ADA, "now": late}]
    for each in cases:
        each["next"] = next_version(each["seen"], each["device"], each["now"])
    for number, each in enumerate([*cases, *vectors.get("clock", [])]):
        assert each["next"] == next_version(each["seen"], each["device"], each["now"]), each
        assert all(version_rank(each["next"]) > version_rank(seen) for seen in each["seen"])
        name = f"clock{number}"
        heads = [plain("clock", seen, displayName=f"Head {place}") for place, seen in enumerate(each["seen"])]
        write(folder / f"{name}.ndjson", [maker.after([], head) for head in heads])
        print(name, each["device"], each["now"], rfc8785.dumps(each["next"]).decode(), sep="\t")


def stamped(stamp, where):
    """A definition with one stamp that may end the clock; there are some counters, so that versions rise."""
    version = {"timestamp": TIME, "deviceId": Device(0).uuid, "counter": 1}
    field = {
        "id": ADA, "fieldType": "int", "displayName": "Ranged", "isRequired": False, "displayOrder": 1, "validationRules": [],
        "isMultiline": False, "capitalizationMode": "none", "visibility": "active", "createdBy": Device(0).uuid, "createdAt": TIME,
        "updatedBy": Device(0).uuid, "updatedAt": TIME}
    if where == "version":
        version = {**version, "timestamp": stamp}
    else:
        field = {**field, "updatedAt": stamp}
    return plain("ranged", version, fields=[field])


def offered(folder, name, before, made, parents):
    """Objects that are there, and one that comes: whether it is to be taken, or by which rules not."""
    write(folder / f"{name}.before", before)
    write(folder / f"{name}.ndjson", [made])
    rules = broken(made, parents)
    print(name, made["id"], ",".join(sorted(rules)) or "-", sep="\t")
    return not rules


def ranges(folder, vectors):
    maker = Maker()
    last, over = END, after(END)
    cases = [
        ([], last, True), ([], over, False), ([last], over, True), ([TIME], over, False), ([over], over, True), ([over], after(over), True),
        ([over], after(after(over)), False), ([TIME, over], after(over), True)]
    cases += vectors.get("clockRange", [])
    for number, (stamps, stamp, holds) in enumerate(cases):
        for where in ("version", "field"):
            before, parents = [], []
            for each in stamps:
                # A stamp of the last year is there only after the one before it.
                way = [last] if each > last else []
                while way and way[-1] < each:
                    way.append(after(way[-1]))
                line = []
                for place, one in enumerate(way or [each]):
                    counter = {"version": {"timestamp": one if where == "version" else TIME, "deviceId": Device(0).uuid, "counter": place}}
                    line.append(maker.after(line[-1:], {**stamped(one, where), **counter}))
                before += line
                parents.append(line[-1])
            definition = stamped(stamp, where)
            if parents:
                definition["version"] = {**definition["version"], "counter": 9}
                if where == "version" and stamp in stamps:
                    definition["version"]["counter"] = 10
                definition = {**definition, "metaVersion": parents[0]["definition"]["version"]} if version_rank(
                    parents[0]["definition"]["version"]) < version_rank(definition["version"]) else definition
                if len(parents) > 1:
                    definition["metaVersion"] = max((each["definition"]["version"] for each in parents), key=version_rank)
            taken_ = offered(folder, f"range{number}-{where}", before, maker.after(parents, definition), parents)
            assert taken_ == holds, (stamps, stamp, where, broken(maker.after(parents, definition), parents))


def lost(folder, vectors):
    maker = Maker()
    chosen = random.Random(3)
    cases = []
    for _ in range(6):
        one, two = (random_definition("lost", chosen) for _ in range(2))
        cases += [(one, joined(one, two)), (one, two), (two, one)]
    for each in vectors.get("below", []):
        assert (joined(each["parent"], each["child"]) == each["child"]) == each["holds"]
        cases.append((each["parent"], each["child"]))
    for number, (parent, child) in enumerate(cases):
        first = maker.after([], parent)
        offered(folder, f"lost{number}", [first], maker.after([first], child), [first])


def newest(lines):
    objects = {each["id"]: each for each in map(json.loads, lines)}
    latest = max(objects.values(), key=lambda each: each["timestamp"]["lamport"])
    before, waiting = set(), list(latest["parents"])
    while waiting:
        id_ = waiting.pop()
        if id_ not in before:
            before.add(id_)
            waiting += objects[id_]["parents"]
    assert len(before) == len(objects) - 1, "it does not follow all others"
    version = version_rank(latest["definition"]["version"])
    for id_ in before:
        old = objects[id_]["definition"]
        assert version > version_rank(old["version"])
        fields = {(field["id"], field["fieldType"]): field for field in latest["definition"]["fields"]}
        for field in old["fields"]:
            new = fields[field["id"], field["fieldType"]]
            assert new == field or (new["updatedAt"], new["updatedBy"]) > (field["updatedAt"], field["updatedBy"])
    print(rfc8785.dumps(latest["definition"]["version"]).decode())


# What people see.

def collisions(definition, devices):
    names = dict(row.split("=", 1) for row in devices.split(","))
    view = View(definition)

    def name(id_):
        return names.get(view.by_id[id_]["createdBy"], view.by_id[id_]["createdBy"][:8])

    for text, ids in view.collisions().items():
        for one, other in itertools.combinations(ids, 2):
            said = f"both from {name(one)}" if name(one) == name(other) else f"from {name(one)} and {name(other)}"
            if ZERO in (view.by_id[one]["createdBy"], view.by_id[other]["createdBy"]):
                said = "*"
            print("schema-name-collision", definition["id"], one, other, f"two fields named '{text}' ({said})", sep="\t")


Seen = collections.namedtuple("Seen", "name first last count mark")


def devices_of(lines):
    """{id: Seen}, of nodes and schemas."""
    entered, seen = [], collections.defaultdict(list)
    for each in map(json.loads, lines):
        seen[device_of(each["author"])].append((each["timestamp"]["wall"], each["author"].get("deviceName", "")))
        if "definition" in each and each["definition"]["id"] == "redo.devices":
            entered.append(each["definition"])
    fields = {field["id"]: field for field in join(entered)["fields"]} if entered else {}
    rows = {}
    for id_ in sorted({*fields, *seen}):
        field, walls = fields.get(id_), sorted(wall for wall, _ in seen[id_])
        named = max(((wall, name.encode()) for wall, name in seen[id_] if name), default=(None, b""))[1].decode()
        mark = "-"
        if field and field["visibility"] == "hidden":
            mark = "forgotten"
        if field and field.get("x", {}).get("revoked") is True:
            mark = "revoked"
        first, last = (walls[0], walls[-1]) if walls else ("-", "-")
        rows[id_] = Seen((field and field["displayName"]) or named or id_[:8], first, last, len(walls), mark)
    return rows


def said(text):
    """Name and origin of each field of what `schema show --provenance` prints."""
    name = None
    for line in text.splitlines():
        if line.startswith("    ") and line[4] != " ":
            name = line.strip().rsplit(" (", 1)[0]
        elif name and line.startswith(" " * 8 + "Created") or line.startswith(" " * 8 + "Built in"):
            print(name, line.strip(), sep="\t")


# Records.

VALUES = {"string": "MMR", "int": 5, "double": 1.5, "bool": True, "date": "2026-01-02T00:00:00.000Z", "stringArray": ["a", "b"],
          "attachmentIds": [ADA]}


def records(folder, vectors):
    """One record a key, so that none hides another one."""
    known = built_in(vectors)
    sets = []
    apps = dict(own_phases())
    last = taken(apps["own-uuids"], built_in=known)
    keys = [(field["id"], field["fieldType"]) for name in ("own-texts", "own-hints", "own-uuids") for field in apps[name]["fields"]]
    both = join([last, taken(apps["own-texts"], built_in=known)])
    keys += [(variant, kind) for key, kind in keys for variant in (key.upper() if "-" in key else uuid_of(key), uuid_of(f"vaccine:{key}"))]
    sets.append(("own-phases", both, [(key, kind, View(both, known).resolve(key, kind)) for key, kind in dict.fromkeys(keys)]))
    twins = plain("twins", {"timestamp": TIME, "deviceId": ADA, "counter": 1}, keys=["impact"], fields=[
        {**stamped(TIME, "field")["fields"][0], "id": uuid_of("twins:impact"), "fieldType": kind, "createdAt": at,
         "displayName": f"Impact {kind}", "displayOrder": place}
        for place, (kind, at) in enumerate((("int", after(TIME)), ("string", TIME)))])
    own = uuid_of("twins:impact")
    kinds = ("int", "string")
    names = ["impact", own, uuid_of("impact"), *(uuid_of(f"{base}:{kind}") for base in (own, uuid_of("impact")) for kind in kinds)]
    sets.append(("own-twins", twins, [(name, kind, View(twins, known).resolve(name, kind)) for name in names for kind in kinds]))
    if vectors:
        phase = next(each for each in vectors["phases"] if each["name"] == "fixed-uuids")
        sets.append(("vector-phases", phase["definition"], [tuple(row) for row in vectors["resolve"]["keys"]]))
        older = next(each for each in vectors["phases"] if each["name"] == "strings")
        merged = join([phase["definition"], older["definition"]])
        assert hashed(merged) == vectors["phase1And3Merged"]
        rows = [(field["id"], field["fieldType"]) for each in vectors["phases"][:3] for field in each["app"]["fields"]]
        sets.append(("vector-ages", merged, [(key, kind, View(merged, known).resolve(key, kind)) for key, kind in dict.fromkeys(rows)]))
        for each in vectors["names"]:
            sets.append((f"vector-{each['name']}", each["definition"], [tuple(row) for row in each["keys"]]))
        for name in ("mergedInto", "mergedIntoTwin"):
            definition, ends = vectors[name]["definition"], vectors[name]["shownUnder"]
            view = View(definition, known)
            assert all(view.home(uuid_of(key)) == end for key, end in ends.items()), name
            sets.append((f"vector-{name}", definition, [(uuid_of(key), "string", view.resolve(uuid_of(key), "string")) for key in ends]))
    for number, (name, definition, rows) in enumerate(sets):
        view = View(definition, known)
        # As an object, for import would read some under other ids.
        write(folder / f"{name}.ndjson", [Maker().after([], definition)])
        requests, expected = [], []
        for place, (key, kind, shown) in enumerate(rows):
            assert view.resolve(key, kind) == shown, (name, key, kind)
            guid = f"{number:08x}-0000-4000-8000-{place:012x}"
            requests.append({"action": "CREATE", "taskId": guid, "fields": {
                "title": key, "schemaId": definition["id"], key: {"type": kind, "value": VALUES[kind]}}})
            field = view.by_id[view.home(shown)] if shown else None
            home = field and field["id"]
            is_typed = field is not None and field["fieldType"] == kind
            typed = {"type": kind, "value": VALUES[kind]}
            expected.append({
                "guid": guid, "key": key, "id": home, "type": field and field["fieldType"], "value": VALUES[kind] if is_typed else typed,
                "typed": typed})
        write(folder / f"{name}.requests", requests)
        write(folder / f"{name}.expected", expected)
        print(name, definition["id"], len(rows), sep="\t")


def of(expected, lines):
    rows = {row["guid"]: row for row in map(json.loads, lines)}
    for each in map(json.loads, pathlib.Path(expected).read_text().splitlines()):
        row = rows[each["guid"]]
        fields = [field for field in row["fields"] if field["key"] is not None]
        if each["id"] is None:
            assert not fields and row["unknown"] == {each["key"]: each["typed"]}, (each, row)
            continue
        assert len(fields) == 1 and not row["unknown"], (each, row)
        field = fields[0]
        assert (field["id"], field["key"], field["type"]) == (each["id"], each["key"], each["type"]), (each, row)
        assert field["value"] == each["value"], (each, row)
    assert len(rows) == len(pathlib.Path(expected).read_text().splitlines()), "other records"


def main(command, *words):
    folder = pathlib.Path(words[0]) if words else None
    vectors = vectors_of(words[1]) if len(words) > 1 and words[1].endswith(".json") else {}
    if command == "objects":
        folder.mkdir(exist_ok=True)
        write(folder / "collisions.ndjson", [Maker().after([], vectors["collisions"]["definition"])])
    elif command in ("phases", "merges", "versions", "clock", "ranges", "lost", "records"):
        folder.mkdir(exist_ok=True)
        globals()[command](folder, vectors)
    elif command == "version":
        newest(sys.stdin)
    elif command == "collisions":
        collisions(json.load(sys.stdin), words[0])
    elif command == "devices":
        for id_, row in devices_of(sys.stdin).items():
            print(id_, *row, sep="\t")
    elif command == "provenance":
        known = {id_: (row.name, row.mark == "revoked") for id_, row in devices_of(open(words[0])).items()}
        for field in View(json.load(sys.stdin)).fields:
            print(field["displayName"], provenance(field, known, words[1]), sep="\t")
    elif command == "said":
        said(sys.stdin.read())
    elif command == "shown":
        for field in View(json.load(sys.stdin)).fields:
            print(field["id"], field["fieldType"], field["displayName"], sep="\t")
    elif command == "of":
        of(words[0], sys.stdin)
    elif command == "keys":
        print("\n".join(uuid_of(key if words[0] == "-" else f"{words[0]}:{key}") for key in words[1:]))
    else:
        sys.exit(f"unknown: {command}")


if __name__ == "__main__":
    main(*sys.argv[1:])
