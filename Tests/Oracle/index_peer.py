#!/usr/bin/env python3
"""Drives redo-index-sqlite through its pipe, and compares every answer with one that is made here.

The rows are kept in dictionaries, and an answer is made of them by Python: filters, orders, ties. Only the ranks of
full text and the printed form of numbers are asked of Python's own sqlite3, with a table that is filled here. The
program's SQL is not used; the literal queries are written out here once more, over tables that are made here.

    index_peer.py compare <program> [--seed=n] [--sessions=n] [--steps=n]
    index_peer.py kill <program> [--seed=n] [--steps=n]        SIGKILL in the middle of changes
    index_peer.py damage <program> [--seed=n] [--steps=n]      files that are cut, flipped, foreign
    index_peer.py refused <program>                            what `sql` does not run
    index_peer.py gone <program>                               an answer that nobody reads
    index_peer.py app <program> [--seed=n]                     files of the app, in each of its versions
    index_peer.py measure <program> [--receipts=n] [--tasks=n] seconds beside sqlite3's for the same rows

Prints a line for what it has done; status 1 and a line for the first difference.
"""

import argparse
import base64
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

NOW = 1_735_689_600.25  # 2025-01-01
DAY = 86_400_000
WORDS = (
    "Blue Dream dreams dreaming Gelato gelatos Sour Diesel über Straße naïve café cafés Ωmega ночь ночи 東京 "
    "relaxed relaxing relax night nights quoted\"word semi;colon OR NEAR AND NOT * - it's emoji🌿 Haze").split(" ")
EFFECTS = ["relaxed", "happy", "sleepy", "creative", "focused"]
PLACES = [None, "Golden Gate Park", "Home", "Dolores Park", "Café Ω"]


# MARK: what receipts are

def head(major, count):
    if count < 24:
        return bytes([major << 5 | count])
    for width, mark in ((1, 24), (2, 25), (4, 26), (8, 27)):
        if count < 1 << 8 * width:
            return bytes([major << 5 | mark]) + count.to_bytes(width, "big")
    raise ValueError(count)


def cbor(value):
    """DAG-CBOR of what payloads have."""
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        import struct
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        text = value.encode()
        return head(3, len(text)) + text
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    items = sorted((key.encode(), item) for key, item in value.items())
    items.sort(key=lambda item: (len(item[0]), item[0]))
    return head(5, len(items)) + b"".join(cbor(key.decode()) + cbor(item) for key, item in items)


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def tables_of(rows):
    """Rows in the order in which they may be fed: parents first."""
    order = ["blobs", "circles", "devices", "circle_invites", "ucr_headers", "redo_chains", "local_receipts",
             "locations", "receipt_blobs", "shared_memories", "received_memories", "tasks", "todos", "nodes",
             "schemas", "fields", "records"]
    for table in order:
        yield table, rows.get(table, {})


KEYS = {
    "blobs": ["cid"], "ucr_headers": ["cid"], "locations": ["cid"], "circles": ["id"], "circle_invites": ["id"],
    "shared_memories": ["id"], "received_memories": ["id"], "nodes": ["id"], "devices": ["device_id"],
    "redo_chains": ["root_cid"], "local_receipts": ["uuid"], "receipt_blobs": ["blob_cid", "receipt_cid"],
    "tasks": ["guid"], "todos": ["guid", "task"], "schemas": ["name"], "fields": ["id", "schema"], "records": ["guid"]}
# Names of which some are one for SQLite, and some would end a statement.
FIELD_NAMES = ["Notes", "notes", "Title", "GUID", "x\"y", "it's", "Größe", "größe", "a'); --", "日付", ""]
SCHEMAS = ["vaccine", "Vaccine", "o'brien", "a/b \"é\"", "redo.devices", "form", "form@person"]


class Store:
    """Rows of every table by their keys, and random changes of them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rows = {table: {} for table in KEYS}
        self.count = 0
        self.parents = []  # headers in their order
        # Few different times, so that there are ties.
        self.times = [1_700_000_000 + self.random.randrange(40) * 86_400 + self.random.choice([0, 0.5, 0.123])
                      for _ in range(25)]

    def name(self, prefix):
        """A CID of sorts, in random order."""
        self.count += 1
        letters = "abcdefghijklmnopqrstuvwxyz234567"
        return prefix + "".join(self.random.choice(letters) for _ in range(20)) + str(self.count)

    def put(self, changes, table, row):
        key = tuple(row[name] for name in KEYS[table])
        self.rows[table][key] = row
        changes.append(("put", table, row))

    def delete(self, changes, table, key):
        if self.rows[table].pop(key, None) is not None:
            changes.append(("delete", table, dict(zip(KEYS[table], key))))

    def text(self, least=1, most=5):
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(least, most)))

    def payload(self, is_client):
        pick = self.random
        payload = {}
        if is_client:
            payload.update(product_name=self.text(), product_type="flower", rating=pick.randint(1, 5),
                           effects=pick.sample(EFFECTS, pick.randint(0, 4)))
            if pick.random() < 0.3:
                payload["amount_grams"] = pick.choice([500, 1250, 3500])
        else:
            for name in ("product_name", "strain_name", "product_brand"):
                if pick.random() < 0.7:
                    payload[name] = self.text(1, 2)
            if pick.random() < 0.6:
                payload["rating"] = pick.randint(1, 5)
            if pick.random() < 0.4:
                payload["effects"] = pick.sample(EFFECTS, 2)
            if pick.random() < 0.4:
                payload["amount_grams"] = pick.choice([0.5, 1.25, 3.5])
        if pick.random() < 0.5:
            payload["notes"] = self.text(0, 8)
        if pick.random() < 0.9:
            # Before 1970, too, and at the very ends of days.
            payload["claimed_time_ms"] = pick.choice([-1, 0, 1_704_067_199_999, 1_704_067_200_000]) \
                + DAY * pick.randint(-3, 3) if pick.random() < 0.3 else 1_700_000_000_000 + pick.randrange(30) * DAY // 2
        return payload

    def header(self, changes, kind, parent=None, payload=None):
        pick = self.random
        root = self.rows["ucr_headers"][(parent,)]["root_cid"] if parent else None
        if payload is None:
            is_client = pick.random() < 0.6
            payload = self.payload(is_client)
        else:
            is_client = pick.random() < 0.5
        did = self.rows["ucr_headers"][(parent,)]["did"] if parent else pick.choice(
            ["did:buds:gpayload", "did:phone:" + "ab" * 32, "did:x:" + "y" * 13, "did:x:" + "y" * 200, "did:x:z"])
        cid = self.name("bafyrei")
        envelope = {"did": did, "receiptType": f"app.buds.{kind}/v1"}
        if is_client:
            envelope.update(deviceId="D1", rootCID=root or "SELF", payload=cbor(payload))
        else:
            envelope["payload"] = payload
            if root:
                envelope["rootCID"] = root
            if pick.random() < 0.3:
                envelope["blobs"] = [{"cid": "b", "mimeType": "image/jpeg", "size": 1, "encrypted": False}]
        if parent:
            envelope["parentCID"] = parent
        # What is shown of a client's payload has plain units.
        shown = dict(payload)
        if is_client and "amount_grams" in shown:
            grams = shown["amount_grams"] / 1000
            shown["amount_grams"] = int(grams) if grams == int(grams) else grams
        self.put(changes, "ucr_headers", {
            "cid": cid, "claimed_time_ms": payload.get("claimed_time_ms"), "device_id": envelope.get("deviceId"),
            "did": did, "parent_cid": parent, "payload_json": canonical(shown),
            "raw_cbor": base64.b64encode(cbor(envelope)).decode(), "receipt_type": envelope["receiptType"],
            "received_at": pick.choice(self.times), "root_cid": root or cid, "signature": "c2ln"})
        self.parents.append(cid)
        return cid

    # Changes, each of which leaves the rows as redo would have them.

    def session(self, changes):
        cid = self.header(changes, self.random.choice(["session.created"] * 4 + ["session.updated"]))
        self.put(changes, "redo_chains", {
            "root_cid": cid, "head_cid": cid, "heads": 1, "depth": 1, "tombstone_cid": None})
        if self.random.random() < 0.9:
            self.local(changes, cid)
        return cid

    def local(self, changes, cid, uuid=None):
        pick = self.random
        self.put(changes, "local_receipts", {
            "uuid": uuid or self.name("uuid-"), "header_cid": cid, "is_favorited": pick.randint(0, 1),
            "archived": int(pick.random() < 0.2), "created_at": pick.choice(self.times), "updated_at": 2,
            "image_cids": pick.choice([None, '["bafkreia"]']), "tags_json": None,
            "local_notes": pick.choice([None, "mine"])})

    def local_of(self, root):
        head = self.rows["redo_chains"][(root,)]["head_cid"]
        for key, row in self.rows["local_receipts"].items():
            if row["header_cid"] == head:
                return key, row
        return None, None

    def edit(self, changes, root):
        chain = self.rows["redo_chains"][(root,)]
        if chain["tombstone_cid"]:
            return
        key, local = self.local_of(root)
        cid = self.header(changes, self.random.choice(["session.edited", "session.updated"]), chain["head_cid"])
        self.put(changes, "redo_chains", dict(chain, head_cid=cid, depth=chain["depth"] + 1))
        if local:
            self.put(changes, "local_receipts", dict(local, header_cid=cid))

    def bury(self, changes, root):
        chain = self.rows["redo_chains"][(root,)]
        if chain["tombstone_cid"]:
            return
        tombstone = self.header(changes, "memory.deleted", None, {"memory_cid": root, "claimed_time_ms": 5})
        key, _ = self.local_of(root)
        if key:
            self.delete(changes, "local_receipts", key)
        self.put(changes, "redo_chains", dict(chain, tombstone_cid=tombstone))

    def put_away(self, changes, root):
        key, _ = self.local_of(root)
        if key:
            self.delete(changes, "local_receipts", key)

    def mark(self, changes, root):
        key, row = self.local_of(root)
        if key:
            self.local(changes, row["header_cid"], row["uuid"])

    def place(self, changes, root):
        pick = self.random
        member = pick.choice([cid for cid in self.parents
                              if self.rows["ucr_headers"][(cid,)]["root_cid"] == root])
        latitude, longitude = pick.choice([(37.775, -122.42), (52.52, 13.405), (-17.715, 179.995), (-17.7, -180.0)])
        self.put(changes, "locations", {
            "cid": self.name("bafkrei"), "receipt_cid": member,
            "location_type": pick.choice(["precise", "precise", "fuzzy", "named"]), "latitude": latitude + 0.0001,
            "longitude": longitude, "altitude": None, "accuracy": 5, "fuzzy_lat": latitude, "fuzzy_lon": longitude,
            "fuzzy_radius": 500, "place_name": pick.choice(PLACES), "place_category": None,
            "captured_at": pick.choice(self.times), "delay_share_until": pick.choice([None, None, NOW, NOW + 1, 5]),
            "created_at": 1, "salt": base64.b64encode(bytes(16)).decode()})

    def displace(self, changes, root):
        del root
        if self.rows["locations"]:
            self.delete(changes, "locations", self.random.choice(sorted(self.rows["locations"])))

    def share(self, changes, root):
        pick = self.random
        if not self.rows["circles"] or pick.random() < 0.2:
            self.put(changes, "circles", {
                "id": self.name("member-"), "did": self.name("did:buds:"), "display_name": self.text(1, 2),
                "phone_number": None, "avatar_cid": None, "pubkey_x25519": "k",
                "status": pick.choice(["active", "active", "removed", "pending"]), "joined_at": None,
                "invited_at": None, "removed_at": None, "created_at": 1, "updated_at": 1})
        sender = pick.choice(sorted(self.rows["circles"].values(), key=lambda row: row["id"]))
        self.put(changes, "received_memories", {
            "id": self.name("share-"), "memory_cid": root, "sender_did": sender["did"], "header_cid": root,
            "permissions": "view", "shared_at": 1, "received_at": pick.choice(self.times),
            "relay_message_id": self.name("message-") if pick.random() < 0.5 else None})

    def wipe(self, changes, root):
        """Deletes a chain; the rows that go with its headers are not always named."""
        members = [cid for cid in self.parents if self.rows["ucr_headers"][(cid,)]["root_cid"] == root]
        named = self.random.random() < 0.5
        for table, column in (("locations", "receipt_cid"), ("received_memories", "header_cid"),
                              ("local_receipts", "header_cid")):
            for key in [key for key, row in self.rows[table].items() if row[column] in members]:
                if named:
                    self.delete(changes, table, key)
                else:
                    del self.rows[table][key]
        self.delete(changes, "redo_chains", (root,))
        for cid in members:
            self.delete(changes, "ucr_headers", (cid,))
            self.parents.remove(cid)

    def task(self, changes):
        pick = self.random
        guid = self.name("task-") if pick.random() < 0.7 or not self.rows["tasks"] else \
            pick.choice(sorted(self.rows["tasks"]))[0]
        self.put(changes, "tasks", {
            "guid": guid, "user_id": "ada", "title": self.text(), "description": pick.choice(["", self.text()]),
            "created": "2024-01-01T00:00:00Z", "last_updated": None, "completed_at": None,
            "archived": pick.random() < 0.2, "privacy": False, "priority": pick.choice([3, 2.5]), "story_points": 1,
            "frequency_days": 0, "defaulted": "[]", "fields": "{}", "json": "{}"})
        for _ in range(pick.randint(0, 2)):
            self.put(changes, "todos", {
                "guid": self.name("todo-"), "task": guid, "title": "x", "notes": self.text(0, 3), "deadline": None,
                "completed": None, "json": "{}"})

    def untask(self, changes):
        if self.rows["todos"] and self.random.random() < 0.7:
            self.delete(changes, "todos", self.random.choice(sorted(self.rows["todos"])))
        elif self.rows["tasks"]:
            guid = self.random.choice(sorted(self.rows["tasks"]))[0]
            for key in [key for key in self.rows["todos"] if key[1] == guid]:
                del self.rows["todos"][key]  # goes with its task
            self.rows["records"].pop((guid,), None)
            self.delete(changes, "tasks", (guid,))

    def form(self, changes):
        """A schema, and all its fields anew."""
        pick = self.random
        name = pick.choice(SCHEMAS)
        for key in [key for key in self.rows["fields"] if key[1] == name]:
            self.delete(changes, "fields", key)
        self.put(changes, "schemas", {
            "name": name, "id": name.split("@")[0], "scope": None, "display_name": name, "icon": "i", "description": None, "built_in": False,
            "version": "v", "heads": 1, "hash": "h", "json": "{}"})
        for place in range(pick.randint(0, 7)):
            self.put(changes, "fields", {
                "schema": name, "id": f"id-{pick.randrange(12)}-{place}", "type": "string", "display_name": pick.choice(FIELD_NAMES),
                "visibility": pick.choice(["active", "active", "active", "hidden", "deprecated"]), "required": False, "place": place,
                "display_order": 0, "merged_into": pick.choice([None, None, None, "other"]), "created_by": "d", "created_at": "t",
                "updated_by": "d", "updated_at": "t"})

    def record(self, changes):
        pick = self.random
        if not self.rows["tasks"]:
            return
        guid = pick.choice(sorted(self.rows["tasks"]))[0]
        schema = pick.choice(sorted(self.rows["schemas"]))[0] if self.rows["schemas"] and pick.random() < 0.8 else None
        ids = [key[0] for key in self.rows["fields"] if key[1] == schema] + ["gone"]
        values = {name: pick.choice([1, 2.5, True, False, None, "x\"y", "", ["a", "b\"c"], {"type": "int", "value": "x"}, 9007199254740991])
                  for name in ids if pick.random() < 0.8}
        self.put(changes, "records", {
            "guid": guid, "schema": schema, "schema_id": schema or "nobody", "person_id": pick.choice([None, "p"]), "title": self.text(),
            "field_values": canonical(values), "unknown": "{}", "json": "{}"})

    def node(self, changes):
        self.put(changes, "nodes", {
            "id": self.name("sha256:"), "task": "t", "action": "CREATE", "lamport": self.count,
            "wall": "2024-01-01T00:00:00Z", "received_at": None, "author": "ada", "device": "D1", "parents": "[]",
            "letter": "G"})

    def change(self, count):
        """Random changes."""
        changes = []
        for _ in range(count):
            roots = sorted(key[0] for key in self.rows["redo_chains"])
            steps = [self.session, self.session, self.task, self.untask, self.node, self.form, self.record]
            steps += [lambda changes, step=step: step(changes, self.random.choice(roots)) for step in (
                self.edit, self.edit, self.bury, self.put_away, self.wipe, self.mark, self.place, self.place, self.displace,
                self.share)] if roots else []
            self.random.choice(steps)(changes)
        return changes


# MARK: what is expected

MEMORY = sqlite3.connect(":memory:")


def printed(value):
    """A number as SQLite prints it."""
    return MEMORY.execute("SELECT CAST(? AS TEXT)", (value,)).fetchone()[0]


def shown(value):
    """A value as it is in an answer: a REAL by its printed form."""
    return ("real", printed(value)) if isinstance(value, float) else value


def real(value):
    return None if value is None else float(value)


class Expected:
    """The answers for rows."""

    def __init__(self, rows):
        self.headers = {key[0]: row for key, row in rows["ucr_headers"].items()}
        self.chains = {key[0]: row for key, row in rows["redo_chains"].items()}
        self.rows = rows
        self.local = {row["header_cid"]: row for row in rows["local_receipts"].values()}
        self.living = [cid for cid in self.local if not self.tombstone(cid)]

    def tombstone(self, cid):
        chain = self.chains.get(self.headers[cid]["root_cid"])
        return chain["tombstone_cid"] if chain else None

    def payload(self, cid):
        return json.loads(self.headers[cid]["payload_json"])

    def is_client(self, cid):
        raw = base64.b64decode(self.headers[cid]["raw_cbor"])
        return isinstance(uncbor(raw)["payload"], bytes)

    def strain(self, cid):
        payload = self.payload(cid)
        if "strain_name" in payload:
            return payload["strain_name"]
        return payload["product_name"] if self.is_client(cid) else None

    def places(self, cid):
        root = self.headers[cid]["root_cid"]
        return sorted((row["cid"], row["place_name"]) for row in self.rows["locations"].values()
                      if self.headers[row["receipt_cid"]]["root_cid"] == root)

    def place(self, cid):
        places = self.places(cid)
        return places[0][1] if places else None

    def p(self, cid):
        header = self.headers[cid]
        return [header["payload_json"], header["claimed_time_ms"], real(header["received_at"])]

    def by_received(self, cids):
        return sorted(cids, key=lambda cid: (-self.headers[cid]["received_at"], cid))

    def timeline(self):
        for cid in self.by_received(self.living):
            local = self.local[cid]
            if not local["archived"]:
                yield [local["uuid"], local["is_favorited"], local["image_cids"], cid,
                       self.headers[cid]["receipt_type"], *self.p(cid)]

    def texts(self):
        for cid in self.living:
            payload = self.payload(cid)
            yield (cid, payload.get("product_name"), payload.get("strain_name"), payload.get("notes"),
                   self.place(cid))

    def ranked(self, columns, texts, words):
        database = sqlite3.connect(":memory:")
        database.execute(f"CREATE VIRTUAL TABLE t USING fts5({columns}, tokenize='porter unicode61')")
        texts = list(texts)
        if texts:
            marks = ",".join("?" * len(texts[0]))
            database.executemany(f"INSERT INTO t VALUES({marks})", texts)
        found = database.execute("SELECT *, rank FROM t WHERE t MATCH ?", (words,)).fetchall()
        return sorted(((row[-1], row[0]) for row in found))

    def search(self, words):
        found = self.ranked("cid UNINDEXED, product_name, strain_name, notes, place_name", self.texts(), words)
        for rank, cid in found:
            yield [cid, *self.p(cid), rank]

    def tasks(self, words):
        texts = []
        for (guid,), task in self.rows["tasks"].items():
            notes = [todo["notes"] for key, todo in sorted(self.rows["todos"].items())
                     if todo["task"] == guid and todo["notes"]]
            texts.append((guid, task["title"], task["description"], "\n".join(notes) if notes else None))
        for rank, guid in self.ranked("guid UNINDEXED, title, description, notes", texts, words):
            task = self.rows["tasks"][(guid,)]
            yield [guid, task["title"], task["description"], int(task["archived"]), rank]

    def map(self, box):
        south, west, north, east = box
        for (cid,), place in sorted(self.rows["locations"].items()):
            chain = self.chains.get(self.headers[place["receipt_cid"]]["root_cid"])
            if not chain or chain["tombstone_cid"] or chain["head_cid"] not in self.local:
                continue
            longitude = place["fuzzy_lon"]
            inside = west <= longitude <= east if west <= east else longitude >= west or longitude <= east
            due = place["delay_share_until"] is None or place["delay_share_until"] <= NOW
            if inside and due and south <= place["fuzzy_lat"] <= north \
                    and place["location_type"] in ("fuzzy", "precise"):
                head = chain["head_cid"]
                yield [cid, real(place["fuzzy_lat"]), real(longitude), place["place_name"],
                       self.local[head]["uuid"], self.headers[head]["payload_json"]]

    def feed(self):
        members = {row["did"]: row for row in self.rows["circles"].values()}
        shares = sorted(self.rows["received_memories"].values(), key=lambda row: (-row["received_at"], row["id"]))
        for share in shares:
            header = self.headers[share["header_cid"]]
            chain = self.chains[header["root_cid"]]
            sender = members[share["sender_did"]]
            if sender["status"] != "active" or chain["tombstone_cid"] or chain["head_cid"] not in self.local:
                continue
            yield [share["id"], share["sender_did"], sender["display_name"], header["cid"], header["payload_json"],
                   header["claimed_time_ms"], real(share["received_at"])]

    def strains(self):
        found = {}
        for cid in self.living:
            root = self.headers[self.headers[cid]["root_cid"]]
            strain = self.strain(cid)
            if root["receipt_type"] == "app.buds.session.created/v1" and strain is not None:
                found.setdefault(strain, []).append(cid)
        for strain, cids in sorted(found.items(), key=lambda item: (-len(item[1]), item[0].encode())):
            ratings = [rating for rating in (self.payload(cid).get("rating") for cid in cids) if rating is not None]
            times = [time for time in (self.headers[cid]["claimed_time_ms"] for cid in cids) if time is not None]
            yield [strain, len(cids), sum(ratings) / len(ratings) if ratings else None, max(times, default=None)]

    def recent(self, since):
        for cid in self.by_received(self.living):
            claimed = self.headers[cid]["claimed_time_ms"]
            if claimed is not None and claimed >= since:
                yield [cid, *self.p(cid), self.place(cid)]

    def days(self):
        days = {}
        for cid in self.living:
            claimed = self.headers[cid]["claimed_time_ms"]
            if claimed is not None:
                days.setdefault(claimed // DAY, []).append(cid)
        for day, cids in sorted(days.items()):
            amounts = [self.payload(cid)["amount_grams"] for cid in cids if "amount_grams" in self.payload(cid)]
            ratings = [self.payload(cid)["rating"] for cid in cids if "rating" in self.payload(cid)]
            effects = {}
            for cid in cids:
                for effect in self.payload(cid).get("effects", []):
                    effects[effect] = effects.get(effect, 0) + 1
            commonest = sorted(effects, key=lambda effect: (-effects[effect], effect))[:3]
            strains = sorted({strain for strain in map(self.strain, cids) if strain is not None},
                             key=lambda text: text.encode())
            places = sorted({name for cid in cids for _, name in self.places(cid) if name is not None},
                            key=lambda text: text.encode())
            date = MEMORY.execute("SELECT date(?, 'unixepoch')", (day * DAY // 1000,)).fetchone()[0]
            yield [date, len(cids), float(sum(amounts)) if amounts else None, json_array(strains),
                   json_array(commonest), sum(ratings) / len(ratings) if ratings else None, json_array(places), NOW]


def json_array(texts):
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))


def uncbor(data):
    """The value of strict CBOR."""
    value, rest = uncbor_from(data)
    assert not rest
    return value


def uncbor_from(data):
    major, low = data[0] >> 5, data[0] & 31
    width = {24: 1, 25: 2, 26: 4, 27: 8}.get(low, 0)
    count = int.from_bytes(data[1:1 + width], "big") if width else low
    rest = data[1 + width:]
    if major == 0:
        return count, rest
    if major == 1:
        return -1 - count, rest
    if major == 2:
        return rest[:count], rest[count:]
    if major == 3:
        return rest[:count].decode(), rest[count:]
    if major == 4:
        items = []
        for _ in range(count):
            item, rest = uncbor_from(rest)
            items.append(item)
        return items, rest
    if major == 5:
        members = {}
        for _ in range(count):
            key, rest = uncbor_from(rest)
            members[key], rest = uncbor_from(rest)
        return members, rest
    if low == 27:
        import struct
        return struct.unpack(">d", data[1:9])[0], rest
    return low == 21, rest


# The queries of the database document, over tables as plain as they can be.
LITERAL = {
    "timeline": "SELECT lr.uuid, lr.is_favorited, lr.image_cids, h.cid, h.receipt_type, h.payload_json,"
                " json_extract(h.payload_json, '$.claimed_time_ms'), h.received_at FROM local_receipts lr"
                " JOIN ucr_headers h ON lr.header_cid = h.cid WHERE h.receipt_type LIKE 'app.buds.session.%'",
    "feed": "SELECT rm.id, rm.sender_did, c.display_name, h.cid, h.payload_json,"
            " json_extract(h.payload_json, '$.claimed_time_ms'), rm.received_at FROM received_memories rm"
            " JOIN circles c ON rm.sender_did = c.did JOIN ucr_headers h ON rm.header_cid = h.cid"
            " WHERE c.status = 'active'",
    "strains": "SELECT json_extract(h.payload_json, '$.strain_name') AS strain, COUNT(*),"
               " AVG(CAST(json_extract(h.payload_json, '$.rating') AS REAL)),"
               " MAX(json_extract(h.payload_json, '$.claimed_time_ms')) FROM ucr_headers h"
               " WHERE h.receipt_type = 'app.buds.session.created/v1'"
               " AND json_extract(h.payload_json, '$.strain_name') IS NOT NULL GROUP BY strain",
    "recent": "SELECT h.cid, h.payload_json, json_extract(h.payload_json, '$.claimed_time_ms'), h.received_at,"
              " l.place_name FROM ucr_headers h LEFT JOIN locations l ON l.receipt_cid = h.cid"
              " WHERE h.receipt_type LIKE 'app.buds.session.%'"
              " AND json_extract(h.payload_json, '$.claimed_time_ms') >= 1704067200000",
    "map": "SELECT l.cid, l.fuzzy_lat, l.fuzzy_lon, l.place_name, lr.uuid, h.payload_json FROM locations l"
           " JOIN ucr_headers h ON l.receipt_cid = h.cid JOIN local_receipts lr ON lr.header_cid = h.cid"
           " WHERE l.fuzzy_lat BETWEEN -90 AND 90 AND l.fuzzy_lon BETWEEN -180 AND 180"
           " AND l.location_type IN ('fuzzy', 'precise')",
}
# Which column the literal order is by, if any: rows that are equal there may come in any order.
LITERAL_ORDER = {"timeline": 7, "feed": 6, "strains": 1, "recent": 3, "map": None}
REALS = {"ucr_headers": ["received_at"], "received_memories": ["received_at", "shared_at"],
         "locations": ["fuzzy_lat", "fuzzy_lon", "latitude", "longitude", "accuracy", "captured_at"]}


def views(rows):
    """The views that follow from schemas and fields: for each its name, its columns, and its rows by guid."""
    def fold(text):
        return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)

    def unique(name, taken):
        found, number = name, 2
        while fold(found) in taken:
            found, number = f"{name} ({number})", number + 1
        taken.add(fold(found))
        return found

    def extracted(value):
        if isinstance(value, bool):
            return int(value)
        return canonical(value) if isinstance(value, (list, dict)) else value

    names = set()
    for (name,), schema in sorted(rows["schemas"].items(), key=lambda item: item[0][0].encode()):
        if schema["id"].startswith("redo."):
            continue
        taken, columns, ids = {"guid", "title", "person_id"}, ["guid", "title", "person_id"], []
        for key, field in sorted(rows["fields"].items(), key=lambda item: item[1]["place"]):
            if key[1] == name and field["visibility"] == "active" and field["merged_into"] is None:
                columns.append(unique(field["display_name"], taken))
                ids.append(key[0])
        found = []
        for _, row in sorted(rows["records"].items()):
            if row["schema"] == name:
                values = json.loads(row["field_values"])
                found.append([row["guid"], row["title"], row["person_id"]] + [extracted(values.get(each)) for each in ids])
        yield unique("record_" + name, names), columns, found


def plain_tables(rows):
    database = sqlite3.connect(":memory:")
    for table in ("ucr_headers", "local_receipts", "locations", "circles", "received_memories"):
        columns = sorted({name for row in rows[table].values() for name in row}) or ["receipt_cid"]
        if not rows[table]:
            columns = {"locations": ["cid", "receipt_cid", "fuzzy_lat", "fuzzy_lon", "place_name", "location_type"],
                       "circles": ["did", "display_name", "status"],
                       "received_memories": ["id", "sender_did", "header_cid", "received_at"],
                       "local_receipts": ["uuid", "is_favorited", "image_cids", "header_cid"],
                       "ucr_headers": ["cid", "receipt_type", "payload_json", "received_at"]}[table]
        database.execute(f"CREATE TABLE {table}({','.join(columns)})")
        marks = ",".join("?" * len(columns))
        for row in rows[table].values():
            values = [real(row[name]) if name in REALS.get(table, []) else row[name] for name in columns]
            database.execute(f"INSERT INTO {table} VALUES({marks})", values)
    return database


# MARK: the program

class Failure(Exception):
    pass


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, request):
        self.process.stdin.write(canonical(request).encode() + b"\n")

    def answer(self):
        """The lines of one answer: rows, and its last object."""
        self.process.stdin.flush()
        rows = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Failure(f"no answer; status {self.process.wait()}")
            value = json.loads(line, parse_float=lambda text: ("real", text))
            if "done" in value or "error" in value:
                return rows, value
            rows.append(value)

    def ask(self, request):
        self.tell(request)
        return self.answer()

    def must(self, request):
        rows, end = self.ask(request)
        if "done" not in end:
            raise Failure(f"{request}: {end}")
        return rows, end["done"]

    def rows(self, request):
        rows, end = self.must(request)
        if end["rows"] != len(rows) - 1:
            raise Failure(f"{request}: {end['rows']} rows counted, {len(rows) - 1} sent")
        return [row["row"] for row in rows[1:]]

    def feed(self, changes, says_ends=False):
        """Tells changes; with `says_ends` also where the rows of a table end, as of a rebuild."""
        for place, (kind, table, row) in enumerate(changes):
            self.tell({kind: table, "row" if kind == "put" else "key": row})
            if says_ends and (place + 1 == len(changes) or changes[place + 1][1] != table):
                self.tell({"whole": table})

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def all_rows(store):
    return [("put", table, row) for table, rows in tables_of(store.rows) for row in (
        # Headers in the order in which they came: parents first.
        [rows[(cid,)] for cid in store.parents] if table == "ucr_headers" else rows.values())]


def same(what, found, wanted):
    wanted = [[shown(value) for value in row] for row in wanted]
    if found != wanted:
        for place, (left, right) in enumerate(zip(found, wanted)):
            if left != right:
                raise Failure(f"{what}: row {place} is\n  {left}\nand should be\n  {right}")
        raise Failure(f"{what}: {len(found)} rows, and should be {len(wanted)}")


PHRASES = ["dream", "dreams", "relaxing", "uber", "ÜBER", "strasse", "naive", "cafe", "ночи", "東京", "blue dream",
           "quoted\"word", "semi;colon", "OR", "NEAR", "*", "golden park", "emoji🌿", "it's", "nothing-at-all"]


def quoted(words):
    return " ".join('"' + word.replace('"', '""') + '"' for word in words.split())


def compare_queries(program, store):
    expected = Expected(store.rows)
    count = 0

    def check(request, wanted, limit):
        nonlocal count
        wanted = list(wanted)
        same(request, program.rows(request), wanted if limit is None else wanted[:limit])
        same(request, program.rows(dict(request, limit=3)), wanted[:3])
        same(request, program.rows(dict(request, limit=1_000_000)), wanted)
        count += 3

    check({"query": "timeline"}, expected.timeline(), 50)
    check({"query": "feed"}, expected.feed(), 50)
    check({"query": "strains"}, expected.strains(), None)
    for since in (-10 * DAY, 0, 1_704_067_200_000):
        check({"query": "recent", "since": since}, expected.recent(since), 100)
    for box in ([-90, -180, 90, 180], [37, -123, 38, -122], [-18, 179, -17, -179], [37.775, -122.42, 37.775, -122.42]):
        check({"query": "map", "box": box, "now": NOW}, expected.map(box), 200)
    for phrase in PHRASES:
        check({"query": "search", "words": phrase}, expected.search(quoted(phrase)), 20)
        check({"query": "tasks", "words": phrase}, expected.tasks(quoted(phrase)), 20)
    for words in ("", " \u00a0\n"):
        check({"query": "search", "words": words}, [], 20)
        check({"query": "tasks", "words": words}, [], 20)
    for syntax in ("blue OR sour", "dre*", "notes: night", "NEAR(blue dream)", "\"blue dream\""):
        check({"query": "search", "words": syntax, "fts": True}, expected.search(syntax), 20)
    same("days", program.rows({"sql": "SELECT * FROM daily_summaries ORDER BY date"}), expected.days())
    for name, columns, wanted in views(store.rows):
        quoted_name = name.replace('"', '""')
        rows, _ = program.must({"sql": f'SELECT * FROM "{quoted_name}" ORDER BY guid'})
        if rows[0]["columns"] != columns:
            raise Failure(f"view {name}: {rows[0]['columns']} and should be {columns}")
        same(f"view {name}", [row["row"] for row in rows[1:]], wanted)
        count += 1
    plain = plain_tables(store.rows)
    for name, sql in LITERAL.items():
        request = {"query": name, "literal": True, "limit": 1_000_000}
        request.update({"map": {"box": [-90, -180, 90, 180], "now": 0}, "recent": {"since": 1_704_067_200_000}}
                       .get(name, {}))
        found = program.rows(request)
        order = LITERAL_ORDER[name]
        wanted = [[shown(value) for value in row] for row in plain.execute(sql)]
        if sorted(map(repr, found)) != sorted(map(repr, wanted)):
            raise Failure(f"literal {name}: other rows")
        if order is not None:
            column = [float(row[order][1]) if isinstance(row[order], tuple) else row[order] for row in found]
            if column != sorted(column, reverse=True):
                raise Failure(f"literal {name}: another order")
        count += 1
    return count


def dump(path):
    """Everything in a file but its moments, by Python's own SQLite."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [name for name, in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE"
        " '%VIRTUAL%' AND name NOT LIKE 'fts_%' ORDER BY name")]
    found = {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in tables}
    for table in ("fts_memories", "fts_tasks"):
        found[table] = sorted(map(repr, database.execute(f"SELECT * FROM {table}")))
    database.close()
    return found


def compare(options, directory):
    path = os.path.join(directory, "index.sqlite")
    other = os.path.join(directory, "other.sqlite")
    store = Store(options.seed)
    store.change(options.sessions)
    count = 0
    program = Program(options.program)
    _, end = program.ask({"open": path})
    if end.get("error", {}).get("code") != "db-missing":
        raise Failure(f"open: {end}")
    program.must({"begin": "rebuild", "now": NOW})
    program.feed(all_rows(store))
    _, end = program.must({"commit": {"step": "0"}})
    count += compare_queries(program, store)
    for step in range(1, options.steps + 1):
        changes = store.change(store.random.choice([1, 3, 40]))
        program.must({"begin": "update", "now": NOW})
        program.feed(changes)
        program.must({"commit": {"step": str(step)}})
        _, end = program.must({"open": path})
        if end["values"] != {"step": str(step)}:
            raise Failure(f"values: {end}")
        count += compare_queries(program, store)
        program.must({"begin": "check", "now": NOW})
        program.feed(all_rows(store))
        differences, end = program.must({"commit": {}})
        if end["differences"] or differences:
            raise Failure(f"step {step}: check finds {differences}")
    # What became of the index in many steps is what is made in one.
    rebuilt = Program(options.program)
    rebuilt.ask({"open": other})
    rebuilt.must({"begin": "rebuild", "now": NOW})
    rebuilt.feed(all_rows(store), says_ends=True)
    rebuilt.must({"commit": {"step": str(options.steps)}})
    if rebuilt.close() or program.close():
        raise Failure("another status than 0")
    if sorted(os.listdir(directory)) != ["index.sqlite", "other.sqlite"]:
        raise Failure(f"left behind: {os.listdir(directory)}")
    left, right = dump(path), dump(other)
    for table in right:
        if left[table] != right[table]:
            raise Failure(f"{table}: {len(left[table])} rows after {options.steps} steps, {len(right[table])} in one")
    if os.stat(path).st_mode & 0o777 != 0o600:
        raise Failure("others may read the index")
    print(f"{count} answers of {len(store.rows['ucr_headers'])} receipts and {len(store.rows['tasks'])} tasks agree,"
          f" in {options.steps} steps")


def kill(options, directory):
    """Kills the program while it makes a change, at any moment of it; the file has the old rows or the new ones."""
    path = os.path.join(directory, "index.sqlite")
    pick = random.Random(options.seed)
    store = Store(options.seed)
    store.change(300)
    program = Program(options.program)
    program.ask({"open": path})
    program.must({"begin": "rebuild", "now": NOW})
    program.feed(all_rows(store))
    program.must({"commit": {"step": "0"}})
    program.close()
    outcomes = {"old": 0, "new": 0}
    for step in range(1, options.steps + 1):
        # What would be there after the change.
        kind = pick.choice(["update", "update", "rebuild"])
        changes = store.change(60)
        feed = changes if kind == "update" else all_rows(store)
        old = dump(path)
        wanted = os.path.join(directory, "wanted.sqlite")
        shutil.copy(path, wanted)
        shadow = Program(options.program)
        shadow.ask({"open": wanted})
        shadow.must({"begin": kind, "now": NOW})
        shadow.feed(feed, says_ends=kind == "rebuild")
        start = time.monotonic()
        shadow.must({"commit": {"step": str(step)}})
        duration = time.monotonic() - start
        shadow.close()
        new = dump(wanted)
        for name in os.listdir(directory):
            if name.startswith("wanted"):
                os.remove(os.path.join(directory, name))
        killed = Program(options.program)
        killed.ask({"open": path})
        killed.must({"begin": kind, "now": NOW})
        killed.feed(feed[:pick.randrange(len(feed))] if pick.random() < 0.2 else feed, says_ends=kind == "rebuild")
        killed.tell({"commit": {"step": str(step)}})
        killed.process.stdin.flush()
        time.sleep(pick.random() * 1.3 * duration)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        killed.process.stdin.close()
        after = Program(options.program)
        _, end = after.ask({"open": path})
        if "done" not in end:
            raise Failure(f"step {step}, {kind}: after the kill {end}")
        after.close()
        found = dump(path)
        # A change of some of the rows, which was told to be all of them, is a third.
        if found == old:
            outcomes["old"] += 1
        elif found == new or found["redo_index"] == new["redo_index"]:
            outcomes["new"] += 1
        else:
            raise Failure(f"step {step}, {kind}: neither the old rows nor the new ones")
        if sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise Failure(f"step {step}: no integrity")
        # The next change begins with the rows that the store has.
        repair = Program(options.program)
        repair.ask({"open": path})
        repair.must({"begin": "rebuild", "now": NOW})
        repair.feed(all_rows(store))
        repair.must({"commit": {"step": str(step)}})
        if repair.close():
            raise Failure("another status than 0")
        if dump(path)["redo_index"] != new["redo_index"] or os.path.exists(path + ".new"):
            raise Failure(f"step {step}: not made anew")
    print(f"{options.steps} kills: the old rows {outcomes['old']} times, the new ones {outcomes['new']}")


def damage(options, directory):
    """Reads files that are cut, flipped, empty, links, or made by others; nothing but a clear answer may come."""
    path = os.path.join(directory, "index.sqlite")
    pick = random.Random(options.seed)
    store = Store(options.seed)
    store.change(200)

    def rebuild():
        program = Program(options.program)
        program.ask({"open": path})
        program.must({"begin": "rebuild", "now": NOW})
        program.feed(all_rows(store))
        program.must({"commit": {"step": "0"}})
        if program.close():
            raise Failure("another status than 0")

    rebuild()
    with open(path, "rb") as file:
        whole = file.read()
    good = dump(path)

    def refused(what, code):
        program = Program(options.program)
        _, end = program.ask({"open": path})
        if end.get("error", {}).get("code") not in code:
            raise Failure(f"{what}: {end}")
        _, end = program.ask({"query": "timeline"})
        if "error" not in end:
            raise Failure(f"{what}: answered all the same")
        if program.close():
            raise Failure(f"{what}: another status than 0")

    def write(data):
        for name in os.listdir(directory):
            os.remove(os.path.join(directory, name))
        with open(path, "wb") as file:
            file.write(data)

    for what, data in (("empty", b""), ("text", b"hello\n" * 100), ("cut in the header", whole[:50]),
                       ("cut", whole[:len(whole) // 2 // 4096 * 4096]), ("cut within a page", whole[:-100]),
                       ("another magic", b"SQLite format 4" + whole[15:])):
        write(data)
        refused(what, ["db-damaged"])
        rebuild()
        if dump(path) != good:
            raise Failure(f"{what}: not made anew")
    foreign = {
        "another program's": ["CREATE TABLE t(x)"],
        "an added trigger": ["@", "CREATE TRIGGER x AFTER INSERT ON tasks BEGIN DELETE FROM nodes; END"],
        "an added view": ["@", "CREATE VIEW v AS SELECT 1"],
        "another column": ["@", "ALTER TABLE tasks ADD COLUMN more"],
        "a lost index": ["@", "DROP INDEX idx_timeline"],
        "a lost table": ["@", "DROP TABLE nodes"],
    }
    for what, steps in foreign.items():
        write(whole if steps[0] == "@" else b"")
        database = sqlite3.connect(path)
        for step in steps:
            if step != "@":
                database.execute(step)
        database.commit()
        database.close()
        refused(what, ["db-foreign"])
        rebuild()
        if dump(path) != good:
            raise Failure(f"{what}: not made anew")
    for statement in ("INSERT INTO grdb_migrations VALUES('v10_more')", "DELETE FROM grdb_migrations WHERE rowid = 4"):
        write(whole)
        database = sqlite3.connect(path)
        database.execute(statement)
        database.commit()
        database.close()
        refused(statement, ["db-version"])
    write(whole)
    os.rename(path, path + ".real")
    os.symlink(path + ".real", path)
    refused("a link", ["db-not-file"])
    program = Program(options.program)
    program.ask({"open": path})
    _, end = program.ask({"begin": "rebuild", "now": NOW})
    if "error" not in end or not os.path.islink(path):
        raise Failure("a link was replaced")
    program.close()
    os.remove(path)
    os.mkfifo(path)
    refused("a pipe", ["db-not-file"])
    os.remove(path)
    os.mkdir(path)
    refused("a directory", ["db-not-file"])
    os.rmdir(path)
    os.remove(path + ".real")
    # A log of another file must not be taken for the new one's.
    write(whole)
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("UPDATE tasks SET title = 'from the log'")
    database.commit()
    with open(path + "-wal", "rb") as file:
        log = file.read()
    database.close()
    write(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    with open(path + "-wal", "wb") as file:
        file.write(log)
    rebuild()
    if dump(path) != good:
        raise Failure("an old log got into the new file")
    known = {"db-damaged", "db-foreign", "db-version", "query", "limit", "constraint"}
    seen = {}
    for step in range(options.steps):
        data = bytearray(whole)
        for _ in range(pick.choice([1, 1, 4, 100])):
            data[pick.randrange(len(data) if pick.random() < 0.7 else 8192)] = pick.randrange(256)
        if pick.random() < 0.1:
            place = pick.randrange(len(data)) // 4096 * 4096
            data[place:place + 4096] = bytes(4096)
        write(bytes(data))
        program = Program(options.program)
        requests = [{"open": path}, {"query": "timeline"}, {"query": "search", "words": "dream"},
                    {"query": "strains"}, {"query": "recent", "since": 0}, {"query": "feed"},
                    {"query": "map", "box": [-90, -180, 90, 180], "now": NOW}, {"query": "tasks", "words": "night"},
                    {"sql": "SELECT count(*), sum(length(raw_cbor)) FROM ucr_headers"}]
        for request in requests:
            _, end = program.ask(request)
            code = end.get("error", {}).get("code", "done")
            seen[code] = seen.get(code, 0) + 1
            if code != "done" and code not in known:
                raise Failure(f"step {step}: {request}: {end}")
        _, end = program.ask({"begin": "update", "now": NOW})
        if "done" in end:
            program.feed(store.change(0) or all_rows(store)[:50])
            program.ask({"commit": {}})
        status = program.close()
        if status:
            raise Failure(f"step {step}: status {status}")
        if step % 10 == 0:
            rebuild()
            if dump(path) != good:
                raise Failure(f"step {step}: not made anew")
    print(f"{options.steps} damaged files: " + ", ".join(f"{seen[code]} {code}" for code in sorted(seen)))


def refused(options, directory):
    """What `sql` does not run, and what it runs."""
    path = os.path.join(directory, "index.sqlite")
    program = Program(options.program)
    program.ask({"open": path})
    program.must({"begin": "rebuild", "now": NOW})
    program.must({"commit": {}})
    outside = os.path.join(directory, "outside.sqlite")
    bad = {
        "not-select": [
            f"ATTACH '{outside}' AS x", "DETACH main", "PRAGMA user_version", "PRAGMA journal_mode = DELETE",
            "PRAGMA writable_schema = ON", "SELECT * FROM pragma_table_info('tasks')",
            "SELECT * FROM pragma_user_version", "INSERT INTO tasks(guid, json) VALUES('a', '{}')",
            "UPDATE tasks SET title = ''", "DELETE FROM tasks", "REPLACE INTO tasks(guid, json) VALUES('a', '{}')",
            "CREATE TABLE t(x)", "CREATE TEMP TABLE t(x)", "CREATE TEMP VIEW v AS SELECT 1", "DROP TABLE tasks",
            "ALTER TABLE tasks ADD COLUMN x", "CREATE VIRTUAL TABLE t USING fts5(x)", "REINDEX", "ANALYZE",
            "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "SELECT load_extension('x.so')",
            "SELECT fts3_tokenizer('simple')", "INSERT INTO fts_tasks(fts_tasks) VALUES('rebuild')",
            "WITH t AS (SELECT 1) DELETE FROM tasks", "EXPLAIN DELETE FROM tasks",
            f"VACUUM INTO '{outside}'", "VACUUM"],
        "query": ["", "-- nothing", ";", "SELECT", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE tasks",
                  "SELECT 1; ; SELECT 2", "SELECT 1; nonsense", "SELECT \0", "SELECT x FROM nowhere"],
        "limit": ["SELECT '" + "x" * 4096 + "'", "SELECT zeroblob(1000000000)", "SELECT randomblob(200000000)"],
    }
    count = 0
    for code, statements in bad.items():
        for statement in statements:
            _, end = program.ask({"sql": statement})
            if end.get("error", {}).get("code") != code:
                raise Failure(f"{statement[:80]!r}: {end}")
            count += 1
    if os.path.exists(outside):
        raise Failure("a file was made")
    good = {"SELECT 1;": [[1]], "SELECT 1 ; -- done\n;": [[1]], "VALUES(1, 'a')": [[1, "a"]],
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT max(x) FROM n": [[3]],
            "SELECT upper('a'), 1.0, 1e20, 0.1, -2, NULL, x'00ff'":
                [["A", ("real", "1.0"), ("real", "1.0e+20"), ("real", "0.1"), -2, None, {"blob": "AP8="}]],
            "SELECT 9e999, -9e999": [[{"real": "Inf"}, {"real": "-Inf"}]],
            "SELECT CAST(x'ff61' AS TEXT)": [["\ufffda"]],
            "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'": [[0]],
            "SELECT 9223372036854775807": [[9223372036854775807]]}
    for statement, wanted in good.items():
        found = program.rows({"sql": statement})
        if found != wanted:
            raise Failure(f"{statement}: {found}")
        count += 1
    plan = program.rows({"sql": "EXPLAIN QUERY PLAN SELECT * FROM ucr_headers WHERE root_cid = 'x'"})
    if "idx_ucr_headers_root" not in str(plan):
        raise Failure(f"plan: {plan}")
    program.close()
    print(f"{count} statements are refused or run as they should be")


def gone(options, directory):
    """A statement whose answer nobody reads any more ends, and so does the program."""
    for closes_input in (False, True):
        program = Program(options.program)
        program.ask({"open": os.path.join(directory, "index.sqlite")})
        program.must({"begin": "rebuild", "now": NOW})
        program.must({"commit": {}})
        program.tell({"sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"})
        program.process.stdin.flush()
        time.sleep(0.3)
        if program.process.poll() is not None:
            raise Failure("it did not run")
        program.process.stdout.close()
        if closes_input:
            program.process.stdin.close()
        status = program.process.wait(timeout=60)
        if status not in (128, -signal.SIGPIPE):
            raise Failure(f"status {status}")
        if not closes_input:
            program.process.stdin.close()
    print("a statement without a reader stops")


# MARK: the app's files

# Name, type and more of the columns that the app made first, and what its database document has in their place.
APP = {
    "ucr_headers": "cid TEXT PRIMARY KEY NOT NULL, did TEXT NOT NULL, device_id TEXT, parent_cid TEXT REFERENCES"
                   " ucr_headers(cid), root_cid TEXT NOT NULL, receipt_type TEXT NOT NULL, payload_json TEXT NOT NULL,"
                   " signature TEXT NOT NULL, raw_cbor BLOB NOT NULL, received_at REAL NOT NULL",
    "local_receipts": "uuid TEXT PRIMARY KEY NOT NULL, header_cid TEXT NOT NULL UNIQUE, is_favorited INTEGER NOT NULL"
                      " DEFAULT 0, tags_json TEXT, local_notes TEXT, image_cid TEXT, created_at REAL NOT NULL,"
                      " updated_at REAL NOT NULL",
    "locations": "cid TEXT PRIMARY KEY NOT NULL, precise_lat REAL NOT NULL, precise_lon REAL NOT NULL,"
                 " fuzzy_lat REAL NOT NULL, fuzzy_lon REAL NOT NULL, location_name TEXT, created_at REAL NOT NULL",
    "blobs": "cid TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, mime_type TEXT NOT NULL, size_bytes INTEGER NOT NULL,"
             " created_at REAL NOT NULL",
    "devices": "device_id TEXT PRIMARY KEY NOT NULL, owner_did TEXT NOT NULL, device_name TEXT NOT NULL, pubkey_x25519"
               " TEXT NOT NULL, pubkey_ed25519 TEXT NOT NULL, is_current_device INTEGER, created_at REAL NOT NULL",
    "circle_members": "did TEXT PRIMARY KEY NOT NULL, display_name TEXT NOT NULL, invite_code TEXT, accepted_at REAL,"
                      " added_at REAL NOT NULL, removed_at REAL",
    "shared_memories": "uuid TEXT PRIMARY KEY NOT NULL, header_cid TEXT NOT NULL, shared_at REAL NOT NULL,"
                       " recipient_dids_json TEXT NOT NULL",
}
CIRCLES = ("id TEXT PRIMARY KEY NOT NULL, did TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, phone_number TEXT,"
           " avatar_cid TEXT, pubkey_x25519 TEXT NOT NULL, status TEXT NOT NULL, joined_at REAL, invited_at REAL,"
           " removed_at REAL, created_at REAL NOT NULL, updated_at REAL NOT NULL")
DEVICES = ("device_id TEXT PRIMARY KEY NOT NULL, owner_did TEXT NOT NULL, device_name TEXT NOT NULL, pubkey_x25519 TEXT"
           " NOT NULL, pubkey_ed25519 TEXT NOT NULL, status TEXT NOT NULL, registered_at REAL NOT NULL, last_seen_at"
           " REAL")
DOCUMENT = {
    "locations": "cid TEXT PRIMARY KEY NOT NULL, receipt_cid TEXT, location_type TEXT NOT NULL, latitude REAL, longitude"
                 " REAL, altitude REAL, accuracy REAL, fuzzy_lat REAL, fuzzy_lon REAL, fuzzy_radius INTEGER, place_name"
                 " TEXT, place_category TEXT, captured_at REAL NOT NULL, delay_share_until REAL, created_at REAL NOT NULL",
    "blobs": "cid TEXT PRIMARY KEY NOT NULL, mime_type TEXT NOT NULL, size INTEGER NOT NULL, local_path TEXT, encrypted"
             " INTEGER NOT NULL DEFAULT 0, thumbnail_cid TEXT, created_at REAL NOT NULL",
}
JAR_MEMBERS = ("jar_id TEXT NOT NULL, member_did TEXT NOT NULL, display_name TEXT NOT NULL, phone_number TEXT, avatar_cid"
               " TEXT, pubkey_x25519 TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL, joined_at REAL, invited_at"
               " REAL, removed_at REAL, created_at REAL NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (jar_id,"
               " member_did)")
RECEIVED = ("id TEXT PRIMARY KEY NOT NULL, memory_cid TEXT NOT NULL, sender_did TEXT NOT NULL, header_cid TEXT NOT NULL,"
            " permissions TEXT NOT NULL, shared_at REAL NOT NULL, received_at REAL NOT NULL, relay_message_id TEXT NOT"
            " NULL UNIQUE")
NO_KEY = "A" * 43 + "="


def insert(database, table, row):
    database.execute(f"INSERT INTO {table}({','.join(row)}) VALUES({','.join('?' * len(row))})", list(row.values()))


def make_app(path, version, pick, documented):
    """A file of the app, and the rows that should come out of it, by table."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    tables = dict(APP, **(DOCUMENT if documented else {}))
    if version >= 2:
        tables["local_receipts"] = tables["local_receipts"].replace("image_cid ", "image_cids ")
    if version >= 3:
        tables["devices"] = DEVICES
        tables["circles"] = CIRCLES
    if version >= 4:
        tables["received_memories"] = RECEIVED
    if version >= 5:
        del tables["circles"]
        tables["jars"] = "id TEXT PRIMARY KEY, name TEXT, owner_did TEXT"
        tables["jar_members"] = JAR_MEMBERS
    for table, columns in tables.items():
        database.execute(f"CREATE TABLE {table}({columns})")
    database.execute("CREATE INDEX idx_ucr_headers_did ON ucr_headers(did)")
    if documented:
        database.execute("CREATE VIRTUAL TABLE fts_memories USING fts5(cid UNINDEXED, notes)")
        database.execute("CREATE TRIGGER t AFTER INSERT ON ucr_headers BEGIN INSERT INTO fts_memories VALUES(NEW.cid, ''); END")
        database.execute("CREATE VIEW v AS SELECT 1")
    database.execute("CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY)")
    names = ["v1", "v2", pick.choice(["v3", "v3_circles"]), "v4_received_memories", "v5_jars", "v6_reactions",
             "v7_reactions_did", "v8", "v9"]
    for name in names[:version]:
        database.execute("INSERT INTO grdb_migrations VALUES(?)", (name,))

    wanted = {table: [] for table in KEYS}
    instants = [(1704067200.0, "2024-01-01 00:00:00.000"), (1704067200.123, "2024-01-01 00:00:00.123"),
                (1709164799.999, "2024-02-28 23:59:59.999"), (-86400.5, "1969-12-30 23:59:59.500")]

    def instant(may_lack=False):
        """A time as it is stored, and as it should come out."""
        if may_lack and pick.random() < 0.4:
            return None, None
        number, text = pick.choice(instants)
        return (text, number) if pick.random() < 0.5 else (number, number)

    cids = []
    for index in range(12):
        payload = {"product_name": f"p{index}", "claimed_time_ms": index} if index else {"claimed_time_ms": "no"}
        stored, time_ = instant()
        cid = f"cid{pick.randrange(10 ** 9)}-{index}"
        parent = pick.choice(cids) if cids and pick.random() < 0.3 else None
        row = {"cid": cid, "did": "did:x:a", "device_id": "D1", "parent_cid": parent,
               "root_cid": pick.choice(["SELF", cid]), "receipt_type": "app.buds.session.created/v1",
               "payload_json": canonical(payload) if index != 3 else "not json", "signature": "s",
               "raw_cbor": bytes([index, 255]), "received_at": stored}
        insert(database, "ucr_headers", row)
        wanted["ucr_headers"].append(dict(
            row, root_cid=cid, received_at=time_, raw_cbor=base64.b64encode(row["raw_cbor"]).decode(),
            claimed_time_ms=index if index not in (0, 3) else None,
            payload_json="{}" if index == 3 else row["payload_json"]))
        cids.append(cid)
        if pick.random() < 0.7:
            image = pick.choice([None, "", "bafyreix"])
            made, made_ = instant()
            changed, changed_ = instant()
            row = {"uuid": f"UUID-{index}", "header_cid": cid, "is_favorited": index % 2, "tags_json": None,
                   "local_notes": "ü", "created_at": made, "updated_at": changed}
            images = pick.choice([None, "[]", '["a","b"]'])
            insert(database, "local_receipts",
                   dict(row, **({"image_cids": images} if version >= 2 else {"image_cid": image})))
            wanted["local_receipts"].append(dict(
                row, created_at=made_, updated_at=changed_, archived=0,
                image_cids=images if version >= 2 else json_array([image]) if image else None))
    wanted["ucr_headers"].sort(key=lambda row: row["received_at"])  # stable: then as they were stored
    for index in range(3):
        made, made_ = instant()
        row = {"cid": f"place{index}", "fuzzy_lat": 1.25, "fuzzy_lon": -2.5, "created_at": made}
        empty = {name: None for name in ("receipt_cid", "altitude", "accuracy", "fuzzy_radius", "place_category",
                                         "delay_share_until", "salt")}
        if documented:
            more = {"latitude": 1.2, "longitude": None, "place_name": "x", "location_type": "fuzzy",
                    "captured_at": 5.5, "receipt_cid": cids[0], "delay_share_until": "2024-01-01 00:00:00.000"}
            insert(database, "locations", dict(row, **more))
            wanted["locations"].append(dict(empty, **row, **more) | {
                "created_at": made_, "delay_share_until": 1704067200.0})
        else:
            insert(database, "locations", dict(row, precise_lat=1.2, precise_lon=-2.4, location_name="Home"))
            wanted["locations"].append(dict(
                empty, **row, latitude=1.2, longitude=-2.4, place_name="Home", location_type="precise",
                captured_at=made_) | {"created_at": made_})
    blobs = []
    for index in range(3):
        made, made_ = instant()
        data = bytes([index]) * (index * 100_000)
        row = {"cid": f"blob{index}", "mime_type": "image/jpeg", "created_at": made}
        if documented:
            insert(database, "blobs", dict(row, size=len(data), encrypted=1))
        else:
            insert(database, "blobs", dict(row, data=data, size_bytes=len(data)))
            blobs.append({"blob": row["cid"], "data": base64.b64encode(data).decode()})
        wanted["blobs"].append(dict(row, size=len(data), encrypted=int(documented), local_path=None,
                                    thumbnail_cid=None, created_at=made_))
    if version >= 3:
        seen, seen_ = instant(True)
        row = {"device_id": "D1", "owner_did": "did:x:a", "device_name": "n", "pubkey_x25519": "x",
               "pubkey_ed25519": "e", "status": "active", "registered_at": 7, "last_seen_at": seen}
        insert(database, "devices", row)
        wanted["devices"].append(dict(row, registered_at=7.0, last_seen_at=seen_))
    shared, shared_ = instant()
    insert(database, "shared_memories", {"uuid": "S1", "header_cid": cids[1], "shared_at": shared,
                                         "recipient_dids_json": '["did:x:b"]'})
    wanted["shared_memories"].append({
        "id": "S1", "memory_cid": cids[1], "shared_with": '["did:x:b"]', "permissions": "full",
        "encrypted_payload": None, "wrapped_keys_json": None, "nonce": None, "message": None, "shared_at": shared_,
        "unshared_at": None})

    def member(did, **more):
        return dict({"id": f"member:{did}", "did": did, "display_name": did, "phone_number": None, "avatar_cid": None,
                     "pubkey_x25519": NO_KEY, "status": "pending", "joined_at": None, "invited_at": None,
                     "removed_at": None, "created_at": 1.0, "updated_at": 1.0}, **more)

    circle = {}
    if version in (3, 4):
        insert(database, "circles", member("did:x:c", id="C1", status="active", created_at="2024-01-01 00:00:00.000"))
        circle["did:x:c"] = member("did:x:c", id="C1", status="active", created_at=1704067200.0)
    for did, removed in (("did:x:f", None), ("did:x:g", 9.0), ("did:x:c", None)):
        added, added_ = instant()
        insert(database, "circle_members", {"did": did, "display_name": did, "accepted_at": None, "added_at": added,
                                            "removed_at": removed})
        circle.setdefault(did, member(
            did, status="removed" if removed else "pending", invited_at=added_, removed_at=removed,
            created_at=added_, updated_at=removed or added_))
    jars = 0
    if version >= 5:
        jars = 2
        for jar in ("solo", "other"):
            database.execute("INSERT INTO jars VALUES(?, ?, 'did:x:a')", (jar, jar))
            row = member("did:x:a", status="active")
            del row["id"], row["did"]
            insert(database, "jar_members", dict(row, jar_id=jar, member_did="did:x:a", role="owner"))
        for index in range(15):
            did = f"did:x:m{index:02}"
            for jar, updated, status in (("solo", 5.0, "removed"), ("other", 6.0, "active" if index != 4 else "removed")):
                row = member(did, status=status, joined_at=100.0 - index, updated_at=updated, display_name=jar)
                del row["id"], row["did"]
                insert(database, "jar_members", dict(row, jar_id=jar, member_did=did, role="member"))
            circle[did] = member(did, status="removed" if index == 4 else "active", joined_at=100.0 - index,
                                 updated_at=6.0, display_name="other")
        active = sorted((row["joined_at"], did) for did, row in circle.items() if row["status"] == "active")
        for _, did in active[12:]:
            circle[did]["status"] = "pending"
    if version >= 4:
        for index, sender in enumerate(("did:x:f", "did:x:nobody", "did:x:nobody")):
            insert(database, "received_memories", {
                "id": f"R{index}", "memory_cid": cids[0], "sender_did": sender, "header_cid": cids[0],
                "permissions": "view", "shared_at": 1, "received_at": 10 + index, "relay_message_id": f"M{index}"})
            wanted["received_memories"].append({
                "id": f"R{index}", "memory_cid": cids[0], "sender_did": sender, "header_cid": cids[0],
                "permissions": "view", "shared_at": 1.0, "received_at": 10.0 + index, "relay_message_id": f"M{index}"})
        circle["did:x:nobody"] = member("did:x:nobody", status="removed", removed_at=12.0, created_at=11.0,
                                        updated_at=12.0)
    wanted["circles"] = list(circle.values())
    database.commit()
    last = max(names[:version])
    return database, blobs, wanted, {"blobs": len(blobs), "left": {"jars": jars} if jars else {}, "version": last,
                                     "rows": sum(map(len, wanted.values())), "wrong": 0}


def app(options, directory):
    pick = random.Random(options.seed)
    count = 0
    for version in (1, 2, 3, 4, 5, 7, 9):
        for documented in (False, True):
            path = os.path.join(directory, f"app-{version}-{documented}.sqlite")
            database, blobs, wanted, counts = make_app(path, version, pick, documented)
            before = {name: open(os.path.join(directory, name), "rb").read() for name in os.listdir(directory)
                      if not name.endswith("-shm")}
            request = {"app": path, "copy": os.path.join(directory, "copy")}
            for _ in range(2):
                program = Program(options.program)
                lines, end = program.ask(request)
                if program.close() or "done" not in end:
                    raise Failure(f"version {version}: {end}")
                if [line for line in lines if "blob" in line] != blobs:
                    raise Failure(f"version {version}: other blobs")
                found = {table: [] for table in KEYS}
                for line in lines:
                    if "put" in line:
                        found[line["put"]].append({
                            name: float(value[1]) if isinstance(value, tuple) else value
                            for name, value in line["row"].items()})
                for table in KEYS:
                    left, right = found[table], wanted[table]
                    if table != "ucr_headers":
                        left, right = sorted(left, key=repr), sorted(map(sort_row, right), key=repr)
                    else:
                        right = list(map(sort_row, right))
                    if left != right:
                        raise Failure(f"version {version}, {documented}: {table}\n  {left}\nand should be\n  {right}")
                if end["done"] != counts:
                    raise Failure(f"version {version}: {end} and should be {counts}")
                count += sum(map(len, found.values()))
            after = {name: open(os.path.join(directory, name), "rb").read() for name in before}
            left = [name for name in os.listdir(directory) if name.startswith("copy")]
            if after != before or left:
                raise Failure(f"version {version}: the original was changed, or {left} left")
            database.close()
    # What is refused.
    path = os.path.join(directory, "wrong.sqlite")
    for what, code, statements in (
            ("an unknown migration", "db-version", ["INSERT INTO grdb_migrations VALUES('v10_more')"]),
            ("an index of ours", "db-version", ["INSERT INTO grdb_migrations VALUES('redo_1')"]),
            ("no first migration", "db-version", ["DELETE FROM grdb_migrations WHERE identifier = 'v1'"]),
            ("no migrations", "db-foreign", ["DROP TABLE grdb_migrations"]),
            ("no time", "received_at", ["UPDATE ucr_headers SET received_at = 'yesterday' WHERE rowid = 2"]),
            ("bytes that are a text", "raw_cbor", ["UPDATE ucr_headers SET raw_cbor = 'text' WHERE rowid = 2"]),
            ("a parent that is not there", None, ["UPDATE ucr_headers SET parent_cid = 'x' WHERE rowid = 2"]),
            ("a local receipt of none", None, ["UPDATE local_receipts SET header_cid = 'x' WHERE rowid = 1"]),
            ("another column", "app", ["ALTER TABLE ucr_headers RENAME COLUMN signature TO s"])):
        database, *_ = make_app(path, 3, pick, False)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        program = Program(options.program)
        lines, end = program.ask({"app": path, "copy": os.path.join(directory, "copy")})
        # A row with a value of another kind is told by its name; what it refers to is not looked for.
        columns = [line["wrong"]["column"] for line in lines if "wrong" in line]
        is_right = (end.get("error", {}).get("code") == code if code and ("-" in code or code == "app")
                    else columns == ([code] if code else []) and end["done"]["wrong"] == len(columns))
        if not is_right or program.close():
            raise Failure(f"{what}: {columns}, {end}")
        for name in os.listdir(directory):
            if name.startswith("copy"):
                raise Failure(f"{what}: {name} is left")
            if name.startswith("wrong"):
                os.remove(os.path.join(directory, name))
    print(f"{count} rows of 14 files of the app came out as they should")


def sort_row(row):
    return dict(sorted(row.items()))


# MARK: how long it takes

def measure(options, directory):
    store = Store(options.seed)
    pick = store.random
    names = [store.text(1, 3) for _ in range(200)]
    changes = []
    for index in range(options.receipts):
        payload = {"product_name": pick.choice(names), "product_type": "flower", "rating": 3,
                   "effects": ["relaxed", "happy"], "claimed_time_ms": 1_700_000_000_000 + index * 1_000_000,
                   "notes": " ".join(pick.choice(WORDS) for _ in range(20))}
        payload["brand"] = "x" * max(0, 442 - len(cbor(payload)))
        cid = store.header(changes, "session.created", None, payload)
        store.put(changes, "redo_chains", {
            "root_cid": cid, "head_cid": cid, "heads": 1, "depth": 1, "tombstone_cid": None})
        store.local(changes, cid)
    for index in range(options.tasks):
        store.put(changes, "tasks", {
            "guid": f"{index:08x}-0000-4000-8000-000000000000", "user_id": "ada", "title": pick.choice(names),
            "description": pick.choice(names), "created": "2024-01-01T00:00:00Z", "archived": 0, "privacy": 0,
            "priority": 3, "story_points": 1, "frequency_days": 0, "defaulted": "[]", "fields": "{}",
            "json": canonical({"title": "x" * 200})})
    size = sum(len(base64.b64decode(row["raw_cbor"])) for row in store.rows["ucr_headers"].values())
    lines = b"".join(canonical({"put": table, "row": row}).encode() + b"\n" for _, table, row in changes)
    path = os.path.join(directory, "index.sqlite")

    def rebuild():
        program = Program(options.program)
        program.ask({"open": path})
        start = time.monotonic()
        program.must({"begin": "rebuild", "now": NOW})
        program.process.stdin.write(lines)
        fed = time.monotonic() - start
        program.must({"commit": {"step": "0"}})
        seconds = time.monotonic() - start
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, fed, used

    runs = [rebuild() for _ in range(3)]
    seconds, used = min(runs), min(run[2] for run in runs)
    schema = [sql for sql, in sqlite3.connect(path).execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'fts_%_%' OR name IN"
        " ('fts_memories', 'fts_tasks')") if "sqlite_stat" not in sql]

    def plain():
        """The same rows by sqlite3, in one transaction, in a file with the schema."""
        other = os.path.join(directory, "plain.sqlite")
        if os.path.exists(other):
            os.remove(other)
        values = []
        for _, table, row in changes:
            values.append((table, tuple(row), tuple(
                base64.b64decode(value) if name == "raw_cbor" else value for name, value in row.items())))
        database = sqlite3.connect(other, isolation_level=None)
        start, start_used = time.monotonic(), time.process_time()
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -64000", "temp_store = MEMORY",
                       "mmap_size = 268435456", "foreign_keys = ON"):
            database.execute(f"PRAGMA {pragma}")
        database.execute("BEGIN")
        for sql in schema:
            database.execute(sql)
        for table, columns, row in values:
            database.execute(f"INSERT INTO {table}({','.join(columns)}) VALUES({','.join('?' * len(row))})", row)
        database.execute(
            "INSERT INTO fts_memories SELECT h.cid, json_extract(payload_json, '$.product_name'),"
            " json_extract(payload_json, '$.strain_name'), json_extract(payload_json, '$.notes'), NULL"
            " FROM ucr_headers h JOIN local_receipts ON header_cid = h.cid")
        database.execute("INSERT INTO fts_tasks SELECT guid, title, description, NULL FROM tasks")
        database.execute("COMMIT")
        result = time.monotonic() - start, time.process_time() - start_used
        database.close()
        return *result, os.path.getsize(other)

    plain_runs = [plain() for _ in range(3)]
    beside, plain_used, plain_size = min(run[0] for run in plain_runs), min(run[1] for run in plain_runs), plain_runs[0][2]
    print(f"{options.receipts} receipts of {size // max(1, options.receipts)} bytes, {options.tasks} tasks:"
          f" {len(lines) / 1e6:.1f} MB of lines")
    print(f"rebuilt in {seconds[0]:.3f} s (fed in {seconds[1]:.3f}), sqlite3 in {beside:.3f} s:"
          f" {seconds[0] / beside:.2f}; on a processor {used:.3f} s and {plain_used:.3f} s: {used / plain_used:.2f}")
    print(f"{os.path.getsize(path) / 1e6:.2f} MB, sqlite3's {plain_size / 1e6:.2f} MB")

    def timed(requests):
        times = []
        for _ in range(7):
            start = time.monotonic()
            program = Program(options.program)
            for request in requests:
                program.must(request)
            program.close()
            times.append(time.monotonic() - start)
        return min(times) * 1000

    def timed_plain(sql, *values):
        times = []
        for _ in range(7):
            start = time.monotonic()
            sqlite3.connect(path).execute(sql, values).fetchall()
            times.append(time.monotonic() - start)
        return min(times) * 1000

    opened = {"open": path}
    print(f"open {timed([opened]):.1f} ms, timeline {timed([opened, {'query': 'timeline'}]):.1f} ms"
          f" (sqlite3 {timed_plain(LITERAL['timeline'] + ' ORDER BY h.received_at DESC LIMIT 50'):.1f}),"
          f" search {timed([opened, {'query': 'search', 'words': 'dreams night'}]):.1f} ms (sqlite3 "
          + f"{timed_plain('SELECT f.cid, h.payload_json, rank FROM fts_memories f JOIN ucr_headers h ON f.cid = h.cid WHERE fts_memories MATCH ? ORDER BY rank LIMIT 20', 'dreams night'):.1f}),"
          f" strains {timed([opened, {'query': 'strains'}]):.1f} ms,"
          f" tasks {timed([opened, {'query': 'tasks', 'words': 'dreams blue'}]):.1f} ms")
    times = []
    for index in range(7):
        changes = []
        if options.receipts:
            cid = store.header(changes, "session.created")
            store.put(changes, "redo_chains", {
                "root_cid": cid, "head_cid": cid, "heads": 1, "depth": 1, "tombstone_cid": None})
            store.local(changes, cid)
        store.task(changes)
        start = time.monotonic()
        program = Program(options.program)
        program.must(opened)
        program.must({"begin": "update", "now": NOW})
        program.feed(changes)
        program.must({"commit": {"step": str(index)}})
        program.must({"query": "timeline"})
        program.close()
        times.append(time.monotonic() - start)
    print(f"a new receipt and a query {min(times) * 1000:.1f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["compare", "kill", "damage", "refused", "gone", "app", "measure"])
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--receipts", type=int, default=10_000)
    parser.add_argument("--tasks", type=int, default=0)
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="index-", dir=os.environ.get("TMPDIR"))
    try:
        globals()[options.what](options, directory)
    except Failure as failure:
        print(f"{options.what} --seed={options.seed}: {failure}")
        sys.exit(1)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
