#!/usr/bin/env python3
"""Databases of the app at each of its versions, and what an import of one must leave in a store: with sqlite3, dag-cbor and PyNaCl,
and readers of `local` and `received` of its own.

  app_database.py make <version> <file> [--seed=N] [--count=N] [--texts] [--live] [--alias]
          a database of version 1 to 9. --texts stores times as texts wherever it likes, --live leaves what was written last in the log,
          --alias calls the third migration v3
  app_database.py change <file> edit|delete|sql <statement>
          what the app does: a memory is edited by a new receipt without parent to which its row moves, and deleted by deleting its row
  app_database.py check <redo> <store> <file>...   what the store has, against the last of these files
"""

import argparse
import base64
import contextlib
import datetime
import hashlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid

import dag_cbor
from nacl.signing import SigningKey

NO_KEY = "A" * 43 + "="
START = 1_735_000_000.0
NAMES = ["v1", "v2", "v3_circles", "v4_received_memories", "v5_jars", "v6_reactions", "v7_reactions_did", "v8", "v9"]
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


# MARK: names

def cid(content, codec=0x71):
    raw = bytes([1, codec, 0x12, 0x20]) + hashlib.sha256(content).digest()
    return "b" + base64.b32encode(raw).decode().lower().rstrip("=")


def cid_of_digest(digest, codec=0x55):
    return "b" + base64.b32encode(bytes([1, codec, 0x12, 0x20]) + digest).decode().lower().rstrip("=")


def digest_of(text):
    """The digest of a CID; None for what is none."""
    if len(text) != 59 or text[0] != "b":
        return None
    raw = base64.b32decode(text[1:].upper() + "=" * (-len(text[1:]) % 8))
    return raw[4:] if raw[0] == 1 and raw[2:4] == b"\x12\x20" else None


def app_name(content):
    return "bafyrei" + hashlib.sha256(content).hexdigest()[:32]


class Person:
    def __init__(self, name):
        self.key = SigningKey(hashlib.sha256(name.encode()).digest())
        self.public = bytes(self.key.verify_key)
        number, text = int.from_bytes(self.public[:20], "big"), ""
        while number:
            number, place = divmod(number, 58)
            text = BASE58[place] + text
        self.did = "did:buds:" + text
        self.device = str(uuid.UUID(bytes=hashlib.sha256(b"device" + name.encode()).digest()[:16])).upper()
        self.exchange = base64.b64encode(hashlib.sha256(b"exchange" + name.encode()).digest()).decode()

    def receipt(self, kind, payload, parent=None, root="SELF"):
        """The row of a receipt, as far as its bytes tell."""
        envelope = {"did": self.did, "deviceId": self.device, "receiptType": f"app.buds.{kind}/v1",
                    "payload": dag_cbor.encode(payload), "rootCID": root}
        if parent:
            envelope["parentCID"] = parent
        content = dag_cbor.encode(envelope)
        name = cid(content)
        return {"cid": name, "did": self.did, "device_id": self.device, "parent_cid": parent,
                "root_cid": name if root == "SELF" else root, "receipt_type": envelope["receiptType"],
                "signature": base64.b64encode(self.key.sign(content).signature).decode(), "raw_cbor": content,
                "payload_json": json.dumps(self.plain(payload))}

    @staticmethod
    def plain(payload):
        """As the app's encoder writes it, which has numbers in plain units."""
        scales = {"thc_percent": 100, "amount_grams": 1000}
        return {name: value / scales[name] if name in scales else value for name, value in payload.items()}


ADA, BEN = Person("ada"), Person("ben")


# MARK: the tables that each version has

def tables(version):
    local = "image_cid" if version == 1 else "image_cids"
    made = {
        "ucr_headers": "cid!k did! device_id! parent_cid root_cid! receipt_type! signature! raw_cbor!b payload_json! received_at!r",
        "local_receipts": f"uuid!k header_cid!u is_favorited!i tags_json local_notes {local} created_at!r updated_at!r"
                          + (" jar_id sender_did" if version >= 5 else ""),
        "locations": "cid!k precise_lat!r precise_lon!r fuzzy_lat!r fuzzy_lon!r location_name created_at!r",
        "blobs": "cid!k data!b mime_type! size_bytes!i created_at!r",
        "circle_members": "did!k display_name! invite_code accepted_at:r added_at!r removed_at:r",
        "shared_memories": "uuid!k header_cid! shared_at!r recipient_dids_json!",
        "devices": "device_id!k owner_did! device_name! pubkey_x25519! pubkey_ed25519! is_current_device!i created_at!r"
                   " last_synced_at:r",
    }
    if version >= 3:
        made["devices"] = ("device_id!k owner_did! device_name! pubkey_x25519! pubkey_ed25519! status! registered_at!r"
                           " last_seen_at:r")
    if version in (3, 4):
        made["circles"] = ("id!k did!u display_name! phone_number avatar_cid pubkey_x25519! status! joined_at:r invited_at:r"
                           " removed_at:r created_at!r updated_at!r")
    if version >= 4:
        made["received_memories"] = ("id!k memory_cid! sender_did! header_cid! permissions! shared_at!r received_at!r"
                                     " relay_message_id!u")
    if version >= 5:
        made["jars"] = "id!k name! description owner_did! created_at!r updated_at!r"
        made["jar_members"] = ("jar_id! member_did! display_name! phone_number avatar_cid pubkey_x25519! role! status!"
                               " joined_at:r invited_at:r removed_at:r created_at!r updated_at!r")
    if version >= 6:
        made["reactions"] = "id!k memory_id! sender_did! reaction_type! created_at!r"
    return made


def create(database, version):
    kinds = {"k": "TEXT PRIMARY KEY NOT NULL", "u": "TEXT NOT NULL UNIQUE", "b": "BLOB NOT NULL", "i": "INTEGER NOT NULL DEFAULT 0",
             "r": "REAL NOT NULL", "": "TEXT NOT NULL"}
    for table, columns in tables(version).items():
        texts = []
        for column in columns.split():
            if "!" in column:
                name, kind = column.split("!")
                texts.append(f"{name} {kinds[kind]}")
            else:
                name, _, kind = column.partition(":")
                texts.append(f"{name} {'REAL' if kind else 'TEXT'}")
        if table == "ucr_headers":
            texts.append("FOREIGN KEY (parent_cid) REFERENCES ucr_headers(cid) ON DELETE SET NULL")
        if table in ("local_receipts", "shared_memories"):
            texts.append("FOREIGN KEY (header_cid) REFERENCES ucr_headers(cid) ON DELETE CASCADE")
        if table == "jar_members":
            texts.append("PRIMARY KEY (jar_id, member_did)")
        database.execute(f"CREATE TABLE {table}({', '.join(texts)})")
    database.execute("CREATE INDEX idx_ucr_headers_did ON ucr_headers(did)")
    database.execute("CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY)")


def insert(database, table, row):
    database.execute(f"INSERT INTO {table}({','.join(row)}) VALUES({','.join('?' * len(row))})", list(row.values()))


# MARK: making one

def payload(pick, number, place=None):
    told = {"product_name": f"Blue Dream {number}", "product_type": "flower", "rating": pick.randint(1, 5),
            "effects": sorted(pick.sample(["relaxed", "happy", "sleepy"], 2)), "claimed_time_ms": 1_700_000_000_000 + number}
    if pick.random() < 0.6:
        told |= {"notes": f"note {number} / ünï", "thc_percent": 2350, "amount_grams": 500}
    if place:
        told["location_cid"] = place
    return told


class Maker:
    def __init__(self, database, options):
        self.database, self.version, self.texts = database, options.version, options.texts
        self.pick = random.Random(f"{options.seed} {options.version}")
        self.clock = START

    def time(self, swift=False):
        """The next moment; a Swift date is stored as a text."""
        self.clock += self.pick.randint(1, 5_000) / 1000
        moment = round(self.clock, 3)
        if swift or self.texts and self.pick.random() < 0.5:
            return text_of(moment)
        return moment

    def uuid(self):
        return str(uuid.UUID(int=self.pick.getrandbits(128), version=4)).upper()

    def memory(self, number, place=None):
        row = ADA.receipt("session.created", payload(self.pick, number, place))
        insert(self.database, "ucr_headers", dict(row, received_at=self.time()))
        return row["cid"]

    def note(self, header, images, **more):
        made = self.time()
        names = {"image_cid": images[0] if images else self.pick.choice([None, ""])} if self.version == 1 else {
            "image_cids": json.dumps(images) if images or self.pick.random() < 0.5 else None}
        row = {"uuid": self.uuid(), "header_cid": header, "is_favorited": self.pick.randint(0, 1),
               "tags_json": self.pick.choice([None, '["night","social"]']), "local_notes": self.pick.choice([None, "only mine"]),
               "created_at": made, "updated_at": made, **names, **more}
        if self.version >= 5:
            row["jar_id"] = "solo"
        insert(self.database, "local_receipts", row)

    def blob(self, number):
        content = self.pick.randbytes(200 + number * 5000)
        insert(self.database, "blobs", {"cid": app_name(content), "data": content, "mime_type": "image/jpeg",
                                        "size_bytes": len(content), "created_at": self.time()})
        return app_name(content)

    def member(self, number, status="active"):
        moment = self.time(True)
        return {"display_name": f"Friend {number}", "phone_number": self.pick.choice([None, f"+1 (415) 555-{1000 + number}"]),
                "avatar_cid": None, "pubkey_x25519": NO_KEY, "status": status,
                "joined_at": moment if status == "active" else None, "invited_at": moment,
                "removed_at": moment if status == "removed" else None, "created_at": moment, "updated_at": moment}

    def all(self, count):
        database, version = self.database, self.version
        if version >= 3:
            for person in (ADA,) if version == 3 else (ADA, BEN):
                insert(database, "devices", {
                    "device_id": person.device, "owner_did": person.did, "device_name": "a phone",
                    "pubkey_x25519": person.exchange, "pubkey_ed25519": base64.b64encode(person.public).decode(),
                    "status": "active", "registered_at": self.time(True), "last_seen_at": self.pick.choice([None, self.time(True)])})
        else:
            insert(database, "devices", {
                "device_id": ADA.device, "owner_did": ADA.did, "device_name": "a phone", "pubkey_x25519": ADA.exchange,
                "pubkey_ed25519": base64.b64encode(ADA.public).decode(), "is_current_device": 1, "created_at": self.time(True)})
        blobs = [self.blob(number) for number in range(3)]
        place = "bafyrei" + hashlib.sha256(b"somewhere").hexdigest()[:32]
        for number in range(count):
            header = self.memory(number, place if number in (1, 2) else None)
            # The app keeps the receipt of what it deletes, and of what it edits.
            if number % 5 != 3:
                images = [blobs[number % 3]] if number % 3 == 0 else []
                if version >= 2 and number == 6:
                    images = list(blobs)
                self.note(header, images)
            if number == 4:
                first = header
        fuzzy = (37.775, -122.42)
        insert(database, "locations", {"cid": place, "precise_lat": 37.774929, "precise_lon": -122.419416, "fuzzy_lat": fuzzy[0],
                                       "fuzzy_lon": fuzzy[1], "location_name": "Park", "created_at": self.time()})
        insert(database, "locations", {"cid": cid(b"a place"), "precise_lat": 1, "precise_lon": 2, "fuzzy_lat": 1, "fuzzy_lon": 2,
                                       "location_name": None, "created_at": self.time()})
        insert(database, "shared_memories", {"uuid": self.uuid(), "header_cid": first, "shared_at": self.time(),
                                             "recipient_dids_json": json.dumps([BEN.did])})
        if version < 3:
            for number in range(3):
                moment = self.time()
                insert(database, "circle_members", {
                    "did": f"did:buds:friend{number}", "display_name": f"Friend {number}", "invite_code": "X",
                    "accepted_at": moment if number else None, "added_at": moment,
                    "removed_at": self.time() if number == 2 else None})
        if version in (3, 4):
            for number in range(4):
                insert(database, "circles", dict(
                    self.member(number, ("active", "pending", "removed", "active")[number]), id=self.uuid(),
                    did=f"did:buds:placeholder_{number:08X}"))
        if version >= 5:
            self.jars()
        if version >= 4:
            self.shared(version)
        if version >= 6:
            row = ADA.receipt("reaction.added", {"memory_id": first, "reaction_type": "fire", "created_at_ms": 1})
            insert(database, "ucr_headers", dict(row, received_at=self.time()))
            insert(database, "reactions", {"id": self.uuid(), "memory_id": first, "sender_did": ADA.did,
                                           "reaction_type": "fire", "created_at": self.time()})

    def jars(self):
        for jar in ("solo", "friends"):
            insert(self.database, "jars", {"id": jar, "name": jar, "owner_did": ADA.did, "created_at": START, "updated_at": START})
            insert(self.database, "jar_members", dict(self.member(0), jar_id=jar, member_did=ADA.did, role="owner"))
        for number in range(15):
            for jar in ("solo", "friends"):
                insert(self.database, "jar_members", dict(
                    self.member(number, "removed" if number == 4 else "active"), jar_id=jar,
                    member_did=f"did:buds:friend{number:02}", role="member"))

    def shared(self, version):
        """What Ben has shared; the app stores SELF of such a receipt."""
        row = BEN.receipt("session.created", payload(self.pick, 1000))
        insert(self.database, "ucr_headers", dict(row, root_cid="SELF", received_at=self.time()))
        self.note(row["cid"], [], **({"sender_did": BEN.did} if version >= 5 else {}))
        insert(self.database, "received_memories", {
            "id": self.uuid(), "memory_cid": row["cid"], "sender_did": BEN.did, "header_cid": row["cid"], "permissions": "view",
            "shared_at": self.time(), "received_at": self.time(), "relay_message_id": self.uuid()})


def text_of(moment):
    instant = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=round(moment * 1000))
    return instant.strftime("%Y-%m-%d %H:%M:%S.") + f"{instant.microsecond // 1000:03}"


def opened(path):
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    return database


def make(options):
    database = opened(options.file)
    create(database, options.version)
    for place, name in enumerate(NAMES[:options.version]):
        insert(database, "grdb_migrations", {"identifier": "v3" if options.alias and place == 2 else name})
    Maker(database, options).all(options.count)
    database.commit()
    if options.live:
        # The log stays: whoever has the database open is not done with it.
        os._exit(0)
    database.close()


def change(options):
    database = opened(options.file)
    if options.what == "sql":
        database.executescript(options.statement)
    else:
        pick = random.Random(options.seed)
        own = database.execute(
            "SELECT l.uuid, h.payload_json FROM local_receipts l JOIN ucr_headers h ON h.cid = l.header_cid WHERE h.did = ?"
            " ORDER BY l.rowid", (ADA.did,)).fetchall()
        name, before = own[options.seed % len(own)]
        if options.what == "edit":
            after = json.loads(before)
            after = {key: round(value * {"thc_percent": 100, "amount_grams": 1000}[key]) if key in ("thc_percent", "amount_grams")
                     else value for key, value in after.items()}
            row = ADA.receipt("session.created", dict(after, notes=f"edited {pick.random()}"))
            moment = START + 10_000_000 + options.seed
            insert(database, "ucr_headers", dict(row, received_at=moment))
            database.execute("UPDATE local_receipts SET header_cid = ?, updated_at = ? WHERE uuid = ?", (row["cid"], moment, name))
        else:
            database.execute("DELETE FROM local_receipts WHERE uuid = ?", (name,))
    database.commit()
    database.close()


# MARK: what must come of one

def seconds(value):
    if isinstance(value, str):
        moment = datetime.datetime.strptime(value, "%Y-%m-%d %H:%M:%S.%f") - datetime.datetime(1970, 1, 1)
        return round(moment.total_seconds(), 3)
    return value


def expected(path):
    """The receipts with their times, the bytes and the local rows that a database gives; read from a copy of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy")
        for end in ("", "-wal"):
            if os.path.exists(path + end):
                shutil.copyfile(path + end, copy + end)
        with contextlib.closing(sqlite3.connect(copy)) as database:
            database.row_factory = sqlite3.Row
            names = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            found = {name: [dict(row) for row in database.execute(f'SELECT * FROM "{name}" ORDER BY rowid')] for name in names}
    found = {name: [{column: seconds(value) if column.endswith("_at") else value for column, value in row.items()} for row in rows]
             for name, rows in found.items()}
    return Expected(found)


class Expected:
    def __init__(self, found):
        self.receipts = {row["cid"]: row for row in found["ucr_headers"]}
        self.bytes = {row["cid"]: row["data"] for row in found["blobs"]}
        self.rows = {}
        self.found = found
        self.chains()
        self.places()
        self.people()
        self.rest()

    def put(self, table, key, row):
        self.rows[table, key] = row and {name: value for name, value in row.items() if value is not None}

    def blob(self, name):
        return cid(self.bytes[name], 0x55) if name in self.bytes else None

    def chains(self):
        noted = set()
        for row in self.found["local_receipts"]:
            if "image_cid" in row:
                images = [row["image_cid"]] if row["image_cid"] else None
            else:
                images = json.loads(row["image_cids"]) if row["image_cids"] is not None else None
            kept = {name: row[name] for name in ("uuid", "is_favorited", "tags_json", "local_notes", "created_at", "updated_at")}
            kept["archived"] = 0
            if images is not None:
                kept["image_cids"] = json.dumps([self.blob(name) for name in images if self.blob(name)], separators=(",", ":"))
            # The app has no chains of its own: every memory is the root of one.
            self.put("local_receipts", row["header_cid"], kept)
            noted.add(row["header_cid"])
        for name, row in self.receipts.items():
            if row["receipt_type"].startswith("app.buds.session.") and name not in noted:
                self.put("local_receipts", name, None)

    def places(self):
        named = {}
        for name, row in sorted(self.receipts.items(), key=lambda item: item[1]["received_at"]):
            place = dag_cbor.decode(dag_cbor.decode(row["raw_cbor"])["payload"]).get("location_cid")
            if place:
                named[place] = name
        for row in self.found["locations"]:
            digest = digest_of(row["cid"]) or hashlib.sha256(row["cid"].encode()).digest()
            name = cid_of_digest(digest)
            self.put("locations", name, {
                "cid": name, "receipt_cid": named.get(row["cid"]), "location_type": "precise", "latitude": row["precise_lat"],
                "longitude": row["precise_lon"], "fuzzy_lat": row["fuzzy_lat"], "fuzzy_lon": row["fuzzy_lon"],
                "place_name": row["location_name"], "captured_at": row["created_at"], "created_at": row["created_at"]})

    def people(self):
        circle = {}
        for row in self.found.get("circles", []):
            circle[row["did"]] = dict(row)
        for row in self.found["circle_members"]:
            circle.setdefault(row["did"], {
                "id": "member:" + row["did"], "did": row["did"], "display_name": row["display_name"], "pubkey_x25519": NO_KEY,
                "status": "removed" if row["removed_at"] is not None else "pending", "joined_at": row["accepted_at"],
                "invited_at": row["added_at"], "removed_at": row["removed_at"], "created_at": row["added_at"],
                "updated_at": next(row[name] for name in ("removed_at", "accepted_at", "added_at") if row[name] is not None)})
        owners = {row["member_did"] for row in self.found.get("jar_members", []) if row["role"] == "owner"}
        last = {}
        for row in self.found.get("jar_members", []):
            did = row["member_did"]
            if did not in owners and (did not in last or last[did]["updated_at"] < row["updated_at"]):
                last[did] = row
        for did, row in last.items():
            circle.setdefault(did, {"id": "member:" + did, "did": did} | {
                name: row[name] for name in ("display_name", "phone_number", "avatar_cid", "pubkey_x25519", "status", "joined_at",
                                             "invited_at", "removed_at", "created_at", "updated_at")})
        active = sorted((row["joined_at"], did) for did, row in circle.items() if row["status"] == "active")
        for _, did in active[12:]:
            circle[did]["status"] = "pending"
        for row in self.found.get("received_memories", []):
            did, moment = row["sender_did"], row["received_at"]
            circle.setdefault(did, {
                "id": "member:" + did, "did": did, "display_name": did, "pubkey_x25519": NO_KEY, "status": "removed",
                "removed_at": moment, "created_at": moment, "updated_at": moment})
        for row in circle.values():
            if row.get("phone_number"):
                row["phone_number"] = "+" + "".join(filter(str.isdigit, row["phone_number"]))
            self.put("circles", row["id"], row)

    def rest(self):
        for row in self.found["devices"] if "status" in (self.found["devices"] or [{}])[0] else []:
            self.put("devices", row["device_id"], row)
        for row in self.found["blobs"]:
            name = self.blob(row["cid"])
            self.put("blobs", name, {"cid": name, "mime_type": row["mime_type"], "size": row["size_bytes"], "encrypted": 0,
                                     "created_at": row["created_at"]})
        for row in self.found["shared_memories"]:
            self.put("shared_memories", row["uuid"], {
                "id": row["uuid"], "memory_cid": row["header_cid"], "shared_with": row["recipient_dids_json"],
                "permissions": "full", "shared_at": row["shared_at"]})
        for row in self.found.get("received_memories", []):
            self.put("received_memories", row["id"], row)


def local_rows(path):
    """The last row of each key of `local`."""
    data = open(path, "rb").read()
    place, held = data.index(b"\n") + 1, {}
    while place < len(data):
        size = int(data[place + 1:place + 9], 16)
        start = place + 19
        end = start + size + 32
        if hashlib.sha256(data[place:start + size]).digest() != data[end - 32:end]:
            raise SystemExit(f"{path}: another hash at byte {place}")
        for line in data[start:start + size].splitlines():
            row = json.loads(line)
            held[row["table"], row["key"]] = row["row"]
        place = end
    return held


def received_times(path):
    """When each object was received, and whether the times only grow."""
    data = open(path, "rb").read()
    place, times, order = data.index(b"\n") + 1, {}, []
    while data[place:place + 1] == b"@":
        words = data[place + 1:place + 32].split()
        count, moment = int(words[0], 16), int(words[1], 16)
        if not count:
            break
        for start in range(place + 32, place + 32 + 32 * count, 32):
            times.setdefault(data[start:start + 32].hex(), moment)
        order.append(moment)
        place += 64 + 32 * count
    return times, order


def check(options):
    wanted = expected(options.file[-1])
    earlier = [expected(path) for path in options.file[:-1]]
    folder = os.path.join(options.store, ".redo")

    def redo(*words):
        return subprocess.run([options.redo, "-C", options.store, *words], capture_output=True, check=True).stdout

    held = {}
    for line in redo("export", "-q", "--kind=receipt", "--include-precise", "--include-received").splitlines():
        row = json.loads(line)
        content = base64.b64decode(row["cbor"])
        if cid(content) != row["cid"]:
            raise SystemExit(f"{row['cid']}: other bytes")
        held[row["cid"]] = (content, row.get("signature"))
    times, order = received_times(os.path.join(folder, "received"))
    for name, row in wanted.receipts.items():
        if held.get(name) != (row["raw_cbor"], row["signature"]):
            raise SystemExit(f"{name}: it is not here as it was")
        moment = times[digest_of(name).hex()]
        if moment != round(row["received_at"] * 1000):
            raise SystemExit(f"{name}: received {moment}, not {row['received_at']}")
    if not earlier and order != sorted(order):
        raise SystemExit("received is not ascending")
    for content in wanted.bytes.values():
        if redo("cat-node", cid(content, 0x55)) != content:
            raise SystemExit(f"{cid(content, 0x55)}: other bytes")
    rows = local_rows(os.path.join(folder, "local"))
    if oct(os.stat(os.path.join(folder, "local")).st_mode & 0o777) != "0o600":
        raise SystemExit("others may read the local rows")
    for key in sorted(rows.keys() | wanted.rows.keys()):
        found, should = rows.get(key, "nothing"), wanted.rows.get(key, "nothing")
        if found != should:
            raise SystemExit(f"{key}:\n  {found}\nand should be\n  {should}")
    print(f"{len(wanted.receipts)} receipts, {len(wanted.bytes)} pictures and {len(wanted.rows)} rows are as they should be")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    for function in (make, change, check):
        command = commands.add_parser(function.__name__)
        command.set_defaults(function=function)
        if function is make:
            command.add_argument("version", type=int)
            command.add_argument("file")
            command.add_argument("--count", type=int, default=12)
            for name in ("texts", "live", "alias"):
                command.add_argument("--" + name, action="store_true")
        elif function is change:
            command.add_argument("file")
            command.add_argument("what", choices=["edit", "delete", "sql"])
            command.add_argument("statement", nargs="?")
        else:
            command.add_argument("redo")
            command.add_argument("store")
            command.add_argument("file", nargs="+")
        command.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    sys.exit(main())
