#!/usr/bin/env python3
"""Joins random definitions of schemas by a second implementation, from the text of the specification alone.

  schema_join.py make <count> <seed> <folder>    writes one.json, two.json and three.json, each an array of so many definitions of the same
                                                 names, and both.ndjson and all.ndjson: the joins of the first two and of all, by name
  schema_join.py model <folder> <files>          the same joins by the model that lies with the specification, whose files are in <folder>;
                                                 compares them with both.ndjson and all.ndjson in the folder <files>

Prints what it has compared; status 1 and a line for the first difference.
"""

import hashlib
import json
import pathlib
import random
import sys

import rfc8785

sys.dont_write_bytecode = True

ZERO, PAST = "00000000-0000-0000-0000-000000000000", "0001-01-01T00:00:00.000Z"
DEVICES = [ZERO, "11111111-0000-4000-8000-000000000000", "ffffffff-0000-4000-8000-000000000000"]
TIMES = [PAST, "2026-01-02T10:00:00.000Z", "2026-01-02T10:00:00.001Z", "9998-12-31T23:59:59.999Z"]
META = ("displayName", "iconSystemName", "description", "x")


def digest(value):
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()


def version_rank(version):
    # Times have one length and one zone, so their texts have their order.
    return version["timestamp"], version["deviceId"], version["counter"]


def said(definition):
    return definition.get("metaVersion", definition["version"])


def joined(one, two):
    fields = {}
    for field in one["fields"] + two["fields"]:
        pair = field["id"], field["fieldType"]
        rank = field["updatedAt"], field["updatedBy"].encode(), digest(field)
        if pair not in fields or rank > fields[pair][0]:
            fields[pair] = rank, field
    meta = max((one, two), key=lambda each: (version_rank(said(each)), digest({k: each[k] for k in META if k in each})))
    made = {k: v for k, v in one.items() if k not in META and k != "metaVersion"} | {k: meta[k] for k in META if k in meta}
    made["version"] = max(one["version"], two["version"], key=version_rank)
    if said(meta) != made["version"]:
        made["metaVersion"] = said(meta)
    made["isBuiltIn"] = one["isBuiltIn"] or two["isBuiltIn"]
    made["keys"] = sorted({*one["keys"], *two["keys"]}, key=str.encode)
    made["fields"] = sorted((field for _, field in fields.values()), key=lambda f: (f["displayOrder"], f["id"], f["fieldType"]))
    return made


def random_definition(name, chosen):
    def version():
        return {"timestamp": chosen.choice(TIMES), "deviceId": chosen.choice(DEVICES), "counter": chosen.choice([0, 1, 2, 2**53 - 1])}

    def field(text, kind):
        made = {
            "id": str(text), "fieldType": kind, "displayName": chosen.choice(["Notes", "Severity", "Größe", "\U0001f489"]),
            "isRequired": chosen.random() < 0.5, "displayOrder": chosen.randint(-1, 2), "validationRules": [], "isMultiline": False,
            "capitalizationMode": "none", "visibility": chosen.choice(["active", "hidden", "deprecated"]),
            "createdBy": chosen.choice(DEVICES), "createdAt": chosen.choice(TIMES), "updatedBy": chosen.choice(DEVICES),
            "updatedAt": chosen.choice(TIMES)}
        if chosen.random() < 0.3:
            made["validationRules"] = [{"type": "maxLength", "value": chosen.randint(0, 3)}]
        if chosen.random() < 0.2:
            made["mergedInto"] = chosen.choice(IDS)
        if chosen.random() < 0.2:
            made["x"] = {"later": chosen.choice([1, None, [1.5, "é"]])}
        return made

    versions = sorted((version(), version()), key=version_rank)
    pairs = chosen.sample([(text, kind) for text in IDS for kind in ("string", "int")], chosen.randint(0, 5))
    made = {
        "id": name, "displayName": chosen.choice("AB"), "iconSystemName": chosen.choice(["doc", "doc.text"]), "isBuiltIn": chosen.random() < 0.3,
        "version": versions[1], "keys": sorted(chosen.sample(["a", "b", "é", "\uff5e", "\U0001f489"], chosen.randint(0, 3)), key=str.encode),
        "fields": sorted((field(*pair) for pair in pairs), key=lambda f: (f["displayOrder"], f["id"], f["fieldType"]))}
    if versions[0] != versions[1] and chosen.random() < 0.5:
        made["metaVersion"] = versions[0]
    if chosen.random() < 0.3:
        made["description"] = chosen.choice(["", "what it is for"])
    if chosen.random() < 0.2:
        made["x"] = {"colour": chosen.choice(["red", "blue"])}
    return made


IDS = [f"{digit * 8}-0000-4000-8000-000000000000" for digit in "2345"]


def write(path, definitions):
    path.write_bytes(b"".join(rfc8785.dumps(each) + b"\n" for each in definitions))


def make(count, seed, folder):
    chosen = random.Random(seed)
    names = [f"schema{place:06}" for place in range(count)]
    files = [[random_definition(name, chosen) for name in names] for _ in range(3)]
    for name, definitions in zip(("one", "two", "three"), files):
        # In any order, and not canonical: a reader must not depend on either.
        shuffled = definitions[:]
        chosen.shuffle(shuffled)
        (folder / f"{name}.json").write_text(json.dumps(shuffled, indent=1))
    both = [joined(one, two) for one, two in zip(files[0], files[1])]
    write(folder / "both.ndjson", both)
    write(folder / "all.ndjson", [joined(one, two) for one, two in zip(both, files[2])])


def model(folder, files):
    sys.path.insert(0, str(folder))
    import schema_model

    one, two, three = (sorted(json.loads((files / f"{name}.json").read_text()), key=lambda each: each["id"]) for name in ("one", "two", "three"))
    both = [schema_model.merge(*pair) for pair in zip(one, two)]
    for name, definitions in (("both", both), ("all", [schema_model.merge(*pair) for pair in zip(both, three)])):
        lines = (files / f"{name}.ndjson").read_bytes().splitlines()
        for place, (line, definition) in enumerate(zip(lines, definitions, strict=True)):
            if line != rfc8785.dumps(definition):
                sys.exit(f"{name}.ndjson, line {place + 1}: the model has {rfc8785.dumps(definition).decode()}, not {line.decode()}")
        print(f"{name}: {len(lines)}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4]))
    else:
        model(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
