#!/usr/bin/env python3
"""Random histories of schemas, signed, from the text of the specification alone: what several devices make that meet now and then.

  schema_log.py make <seed> <folder> [<count> [<devices>]]    writes into the folder
      history.ndjson   so many schemas of some names, a line each, parents before what follows them
      heads            the refs that name the heads: `<id> schemas/<name>`, by name
      joined           for each ref the SHA-256 of the join of all definitions of the name: `<hash> schemas/<name>`, sorted
      forged.ndjson    schemas that follow one of the history, well signed, and break one rule about parents each
      forged.tsv       id, rule and JSON pointer of each
  schema_log.py heads                                         reads a history of lines; prints the heads in the same form
  schema_log.py joined                                        and the joins
"""

import copy
import hashlib
import json
import pathlib
import random
import sys
import uuid
from datetime import datetime, timedelta, timezone

import nacl.signing
import rfc8785

sys.dont_write_bytecode = True

from schema_join import joined

START = datetime(2026, 1, 2, 10, tzinfo=timezone.utc)
END = "9998-12-31T23:59:59.999Z"
NAMES = [("visit", None), ("vaccine", None), ("../x", None), ("a/b é.lock", None), ("visit", "a81c4e02-5b7d-4f39-8e16-2d90c3b7f5a4")]
TYPES = ["string", "int", "double", "bool", "date", "stringArray"]


def text_of(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


def after(text):
    """A millisecond later; 9999 is as far as datetime goes, too."""
    time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    return text_of(time + timedelta(milliseconds=1))


def ref_of(definition):
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    name = "".join(chr(byte) if byte in plain else f"%{byte:02x}" for byte in definition["id"].encode())
    return "schemas/" + name + (f"@{definition['scope']}" if "scope" in definition else "")


class Device:
    def __init__(self, number):
        self.key = nacl.signing.SigningKey(hashlib.sha256(b"schema device %d" % number).digest())
        self.public = self.key.verify_key.encode().hex()
        # Every third device has no UUID for a name.
        self.name = f"laptop-{number}" if number % 3 == 2 else str(uuid.UUID(int=number + 1 << 64 | 0x8000 << 48))
        user = self.public[:32]
        try:
            self.uuid = str(uuid.UUID(self.name))
        except ValueError:
            self.uuid = str(uuid.UUID(bytes=hashlib.sha256(f"{user}:{self.name}".encode()).digest()[:16]))
        self.author = {"userId": user, "deviceId": self.name, "publicKey": self.public, "deviceName": f"Device {number}"}
        # A clock that is late, or early, by up to two days.
        self.skew = timedelta(hours=(number * 37) % 96 - 48)

    def sealed(self, body):
        bytes_ = rfc8785.dumps(body)
        return {**body, "id": "sha256:" + hashlib.sha256(bytes_).hexdigest(), "signature": self.key.sign(bytes_).signature.hex()}


def heads_of(objects):
    parents = {parent for each in objects for parent in each["parents"]}
    return sorted((each for each in objects if each["id"] not in parents), key=lambda each: each["id"])


def join(definitions):
    made = definitions[0]
    for each in definitions[1:]:
        made = joined(made, each)
    return made


class History:
    def __init__(self, seed, devices):
        self.chosen = random.Random(seed)
        self.devices = [Device(number) for number in range(devices)]
        self.known = [{} for _ in self.devices]
        self.all = {}
        self.now = START

    def field(self, device, now):
        chosen = self.chosen
        return {
            "id": str(uuid.UUID(int=chosen.getrandbits(128))), "fieldType": chosen.choice(TYPES), "displayName": chosen.choice(["Notes", "Dose", "Größe"]),
            "isRequired": chosen.random() < 0.3, "displayOrder": chosen.randint(1, 5), "validationRules": [], "isMultiline": False,
            "capitalizationMode": "sentences", "visibility": "active", "createdBy": device.uuid, "createdAt": now, "updatedBy": device.uuid, "updatedAt": now}

    def step(self):
        chosen = self.chosen
        self.now += timedelta(seconds=chosen.randint(1, 5000), milliseconds=chosen.randint(0, 999))
        place = chosen.randrange(len(self.devices))
        if len(self.devices) > 1 and chosen.random() < 0.3:
            other = chosen.randrange(len(self.devices))
            both = {**self.known[place], **self.known[other]}
            self.known[place], self.known[other] = dict(both), dict(both)
        device, known = self.devices[place], self.known[place]
        name, scope = chosen.choice(NAMES)
        mine = [each for each in known.values() if (each["definition"]["id"], each["definition"].get("scope")) == (name, scope)]
        made = self.make(device, name, scope, heads_of(mine), text_of(self.now + device.skew))
        self.all[made["id"]] = known[made["id"]] = made

    def make(self, device, name, scope, heads, now):
        chosen = self.chosen
        if not heads:
            definition = {"id": name, "displayName": name, "iconSystemName": "doc.text", "isBuiltIn": False, "fields": [self.field(device, now)], "keys": []}
            if scope:
                definition["scope"] = scope
            op = "new"
            definition["version"] = {"timestamp": now, "deviceId": device.uuid, "counter": 1}
        else:
            definition = copy.deepcopy(join([each["definition"] for each in heads]))
            versions = [each["definition"]["version"] for each in heads]
            said = definition.get("metaVersion", definition["version"])
            if len(heads) > 1 and chosen.random() < 0.5:
                return self.object(device, heads, now, {"op": "merge", "source": "automatic"}, definition)
            definition["version"] = {
                "timestamp": max(now, after(max(each["timestamp"] for each in versions))), "deviceId": device.uuid,
                "counter": 1 + max(each["counter"] for each in versions)}
            definition["metaVersion"] = said
            op = chosen.choice(["add-field", "set", "hide", "rename-schema"])
            if op == "add-field" or not definition["fields"]:
                definition["fields"].append(self.field(device, now))
            elif op == "rename-schema":
                definition["displayName"] = f"Name {chosen.randint(1, 9999)}"
                definition.pop("metaVersion")
            else:
                field = chosen.choice(definition["fields"])
                field |= {"updatedBy": device.uuid, "updatedAt": max(now, after(field["updatedAt"]))}
                field |= {"visibility": "hidden"} if op == "hide" else {"displayName": f"Field {chosen.randint(1, 9999)}"}
            if chosen.random() < 0.2:
                definition["keys"] = sorted({*definition["keys"], f"key{chosen.randint(1, 99)}"}, key=str.encode)
            definition["fields"].sort(key=lambda each: (each["displayOrder"], each["id"], each["fieldType"]))
        return self.object(device, heads, now, {"op": op, "source": "manual"}, definition)

    def object(self, device, heads, now, change, definition):
        return device.sealed({
            "schema": 1, "parents": sorted(each["id"] for each in heads),
            "timestamp": {"lamport": 1 + max((each["timestamp"]["lamport"] for each in heads), default=0), "wall": now},
            "author": device.author, "change": change, "definition": definition})

    def forgeries(self):
        """(object, rule, pointer): each follows one of the history."""
        device = self.devices[0]
        heads = [each for each in heads_of(self.all.values()) if each["definition"]["fields"]]
        parent = self.chosen.choice(heads)
        other = next(each for each in heads if ref_of(each["definition"]) != ref_of(parent["definition"]))

        def child(rule, pointer, change, parents=(parent,), **more):
            definition = copy.deepcopy(join([each["definition"] for each in parents if ref_of(each["definition"]) == ref_of(parent["definition"])]))
            definition.setdefault("metaVersion", definition["version"])
            definition["version"] = {"timestamp": after(definition["version"]["timestamp"]), "deviceId": device.uuid, "counter": definition["version"]["counter"] + 1}
            change(definition)
            body = {k: v for k, v in self.object(device, parents, text_of(self.now), {"op": "set", "source": "manual"}, definition).items() if k not in ("id", "signature")}
            for name, value in more.items():
                body["timestamp"][name] = value
            return device.sealed(body), rule, pointer

        def field(changes):
            return lambda definition: definition["fields"][0].update(changes)

        lamport = parent["timestamp"]["lamport"]
        first = parent["definition"]["fields"][0]
        late = "9999-01-01T00:00:00.000Z"
        place = sorted([parent["id"], other["id"]]).index(other["id"])
        yield child("schema-lost", "/definition/fields", lambda definition: definition["fields"].pop(0))
        yield child("schema-lost", "/definition/fields/0", field({"displayName": "Older", "updatedAt": "2001-01-01T00:00:00.000Z"}))
        yield child("schema-lost", "/definition/displayName", lambda definition: definition.update(
            displayName="", metaVersion={"timestamp": "2001-01-01T00:00:00.000Z", "deviceId": device.uuid, "counter": 0}))
        yield child("schema-provenance", "/definition/fields/0/createdAt",
                    field({"createdAt": "2001-01-01T00:00:00.000Z", "updatedBy": device.uuid, "updatedAt": after(first["updatedAt"])}))
        yield child("schema-clock-range", "/definition/version/timestamp",
                    lambda definition: definition["version"].update(timestamp=late))
        yield child("schema-clock-range", "/definition/fields/0/updatedAt", field({"updatedAt": late, "updatedBy": device.uuid}))
        yield child("lamport-not-increasing", "/timestamp/lamport", lambda definition: None, lamport=lamport)
        yield child("lamport-jump", "/timestamp/lamport", lambda definition: None, lamport=lamport + 1_000_001)
        yield child("schema-parent", f"/parents/{place}", lambda definition: None, (parent, other))
        stranger = self.object(device, [], text_of(self.now), {"op": "new", "source": "manual"}, {**parent["definition"], "id": "stranger"})
        yield child("parent-missing", "/parents/" + str(sorted([parent["id"], stranger["id"]]).index(stranger["id"])), lambda definition: None,
                    (parent, {**stranger, "definition": parent["definition"]}))


def groups(objects):
    found = {}
    for each in objects:
        found.setdefault(ref_of(each["definition"]), []).append(each)
    return found


def heads_lines(objects):
    return [f"{head['id']} {name}" for name, members in sorted(groups(objects).items()) for head in heads_of(members)]


def joined_lines(objects):
    rows = []
    for name, members in sorted(groups(objects).items()):
        # Of the heads alone: no child lacks what a parent has.
        by_heads = join([each["definition"] for each in heads_of(members)])
        assert by_heads == join([each["definition"] for each in members]), name
        rows.append(f"sha256:{hashlib.sha256(rfc8785.dumps(by_heads)).hexdigest()} {name}")
    return rows


def write(path, lines):
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def make(seed, folder, count=40, devices=3):
    history = History(seed, devices)
    while len(history.all) < count:
        history.step()
    objects = list(history.all.values())
    write(folder / "history.ndjson", [rfc8785.dumps(each) for each in objects])
    write(folder / "heads", [line.encode() for line in heads_lines(objects)])
    write(folder / "joined", [line.encode() for line in joined_lines(objects)])
    forged = list(history.forgeries())
    write(folder / "forged.ndjson", [rfc8785.dumps(each) for each, _, _ in forged])
    write(folder / "forged.tsv", [f"{each['id']}\t{rule}\t{pointer}".encode() for each, rule, pointer in forged])


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:]))
    else:
        lines = {"heads": heads_lines, "joined": joined_lines}[sys.argv[1]]
        print("\n".join(lines([json.loads(line) for line in sys.stdin])))
