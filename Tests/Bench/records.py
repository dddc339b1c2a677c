"""Schemas and records: what reading by a schema costs beside the plain state, and a schema beside what it is made of."""

import json
import os
import random
import subprocess
import uuid

from harness import *

COUNT, FIELDS = 10_000, 20
TYPES = ["string", "int", "double", "bool", "date"]


def field(number, order, **more):
    chosen = random.Random(f"field {number}")
    return {"id": str(uuid.UUID(int=chosen.getrandbits(128))), "displayName": f"Field {number}", "fieldType": TYPES[number % len(TYPES)],
            "displayOrder": order, "createdAt": "2026-01-02T10:00:00.000Z", "createdBy": str(uuid.UUID(int=7)),
            "updatedAt": "2026-01-02T10:00:00.000Z", "updatedBy": str(uuid.UUID(int=7)), **more}


def schema(name, fields):
    return {"id": name, "displayName": name.capitalize(), "iconSystemName": "doc", "isBuiltIn": False, "version": 1, "fields": fields}


def value(kind, chosen):
    return {"type": kind, "value": {
        "string": f"{chosen.getrandbits(60):x}", "int": chosen.getrandbits(20), "double": chosen.getrandbits(20) / 8,
        "bool": chosen.random() < 0.5, "date": f"2026-{chosen.randint(1, 12):02}-{chosen.randint(1, 28):02}T10:00:00.000Z"}[kind]}


def write(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
    return path


def records():
    table.head(f"Records: {COUNT:,} of {FIELDS} fields")
    store = redo_store("redo-records")
    redo = [*UNSYNCED, "--redo-dir", store]
    quietly(REDO, "--redo-dir", store, "key", "generate")
    fields = [field(number, number) for number in range(FIELDS)]
    quietly(*redo, "schema", "import", write(os.path.join(WORK, "form.json"), [schema("form", fields)]))
    chosen = random.Random(3)
    rows = [{"id": str(uuid.UUID(int=chosen.getrandbits(128))), "schemaId": "form",
             "fields": {each["id"]: value(each["fieldType"], chosen) for each in fields}} for _ in range(COUNT)]
    quietly(*redo, "record", "import", write(os.path.join(WORK, "records.json"), rows))
    medians = contest({
        "redo state --json": lambda: Run([*redo, "state", "--json", "--no-snapshot"]),
        "redo state --records": lambda: Run([*redo, "state", "--records"]),
        "redo record check": lambda: Run([*redo, "record", "check"]),
    })  # fmt: skip
    table.costs(medians)
    plain, own, _ = medians.values()
    table.target("state --records / state --json, CPU", own.cpu / plain.cpu, 1.5)
    table.add()
    checked(store, rows, fields)
    joined()
    packed()


def checked(store, rows, fields):
    """A change of one record, with and without looking at its schema: as it is without settings, and without waiting for the disk."""
    rest = random.Random(4).sample(rows, len(rows))
    number = next(each["id"] for each in fields if each["fieldType"] == "int")

    def once(sync, mode):
        command = [REDO, "--redo-dir", store, "-c", f"core.fsync={sync}", "-c", f"schema.check={mode}", "commit", "-q", "update", f"--task={rest.pop()['id']}",
                   "--field-json", f'{number}={{"type":"int","value":{len(rest)}}}']
        return Run(command)

    for sync, name in (("batch", "redo commit"), ("none", "redo commit, unsynced")):
        medians = contest({f"{name}, unchecked": lambda: once(sync, "off"), f"{name}, checked": lambda: once(sync, "warn")}, 40 * options.rounds)
        table.costs(medians, digits=4)
        plain, own = medians.values()
        if sync == "batch":
            table.target("a checked commit / an unchecked one, wall", own.wall / plain.wall, 1.1)
        else:
            table.add(f"- without waiting for the disk, CPU: {own.cpu / plain.cpu:.2f}")
    table.add()


def joined():
    """The join of two definitions beside their canonical form."""
    def large(start):
        return schema("large", [field(number, number % 50, helpText="x" * 100) for number in range(start, start + 1000)])

    paths = [write(os.path.join(WORK, f"large-{start}.json"), [large(start)]) for start in (0, 500)]
    def both():
        """Two runs as one."""
        first, second = (Run([REDO, "canonicalize", path]) for path in paths)
        for name in ("wall", "cpu", "user", "system"):
            setattr(first, name, getattr(first, name) + getattr(second, name))
        return first

    medians = contest({
        "redo canonicalize, both": both,
        "redo schema merge-file": lambda: Run([REDO, "schema", "merge-file", *paths]),
    }, 4 * options.rounds)  # fmt: skip
    table.costs(medians)
    plain, own = medians.values()
    table.target("join of two definitions of 1,000 fields / canonicalize of both, CPU", own.cpu / plain.cpu, 2)
    table.add()


def packed():
    """How many bytes one version of a schema takes."""
    store = redo_store("redo-versions")
    redo = [*UNSYNCED, "--redo-dir", store]
    quietly(REDO, "--redo-dir", store, "key", "generate")
    quietly(*redo, "schema", "new", "form", "--name=Form")
    for number in range(FIELDS):
        quietly(*redo, "schema", "add-field", "-q", "form", f"--name=Field {number}", f"--type={TYPES[number % len(TYPES)]}",
                f"--help-text=What field {number} is for")
    versions = 100
    for number in range(versions):
        quietly(*redo, "schema", "rename", "-q", "form", f"Field {number}" if number < FIELDS else f"Name {number - FIELDS}", f"Name {number}")
    quietly(*redo, "repack", "-q")
    folder = os.path.join(store, "objects", "pack")
    size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".pack"))
    loose = subprocess.run([*redo, "export", "-q", "--kind=schema"], stdout=subprocess.PIPE, env=ENVIRONMENT, check=True).stdout
    count = loose.count(b"\n")
    table.add(f"{count} versions of {len(loose) // count} bytes each.\n")
    table.target(f"a packed version of {FIELDS} fields", size / count, 1024, " bytes")
