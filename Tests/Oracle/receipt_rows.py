#!/usr/bin/env python3
"""What the rows of the database document come to, by other people's code: dag-cbor, multiformats, PyNaCl and sqlite3.

  receipt_rows.py vectors                        the public receipts V1 to V4, made anew of what they say: lines as `hash-object --ndjson`
                                                 reads them, each with its name and the CID that the page states
  receipt_rows.py headers <redo> <store>         each row of ucr_headers against its raw_cbor and against the exported receipts
  receipt_rows.py queries <redo> <store>         the six queries and the literal ones; a line for each, with the ties that there were
  receipt_rows.py days <redo> <store>            the daily summaries
  receipt_rows.py texts <redo> <store>           the full text
  receipt_rows.py clocks <store> [<cid>...]      rewrites `received`, so that these came in this order, a day apart, before all others
  receipt_rows.py many <count> [<person>]        so many receipts of some 590 bytes, a card before them
  receipt_rows.py noted <count>                  of the lines on standard input as many rows of notes and places, for `local put`
  receipt_rows.py points <count> <lat,lon>       points in the cell of this one
  receipt_rows.py plans <index> <file>...        how SQLite goes about the query that was seen, by the lines of each file

Prints what it has compared; status 1 and a line for the first difference.
"""

import base64
import datetime
import decimal
import hashlib
import json
import os
import random
import re
import sqlite3
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import dag_cbor
import nacl.signing
from multiformats import CID, multihash

import index_peer as peer
import index_reader as reader

CREATED, EDITED = "app.buds.session.created/v1", "app.buds.session.edited/v1"
CLAIMED = 1_704_844_800_000  # 2024-01-10


def b64(data):
    return base64.b64encode(data).decode()


def cid_of(content):
    return str(CID("base32", 1, "dag-cbor", multihash.digest(content, "sha2-256")))


def fail(text):
    raise peer.Failure(text)


# MARK: receipts

def client(did, device, kind, payload, parent=None, root="SELF"):
    envelope = {"did": did, "deviceId": device, "receiptType": kind, "payload": dag_cbor.encode(payload), "rootCID": root}
    if parent:
        envelope["parentCID"] = parent
    return dag_cbor.encode(envelope)


def line(key, content, **more):
    return json.dumps({"cbor": b64(content), "cid": cid_of(content), "signature": b64(key.sign(content).signature)} | more)


def vectors():
    key = nacl.signing.SigningKey(b"\x11" * 32)
    did, device = "did:buds:3uJqf5eg7SXAwcgnkie7bmsAD9yx", "D1"
    first = "bafyreidudk44rdt5jdkovzsja6kta2j5jnptailakf6orkipj43sdabwoq"
    made = {
        "V1": (first, client(did, device, CREATED, {
            "claimed_time_ms": CLAIMED, "product_name": "Blue Dream", "product_type": "flower", "rating": 5,
            "effects": ["relaxed"], "thc_percent": 2350, "amount_grams": 500})),
        "V2": ("bafyreidymo2zdpzxwq24ge5z7v73iclg7bgq4lycckcdbg7rygwoh7meqy", client(did, device, EDITED, {
            "product_name": "X", "product_type": "other", "rating": 4, "effects": []}, first, first)),
        "V3": ("bafyreigjcte4pv3bhzv3stouw4tkmv6bbatmif2zzbigvgbh4czq4uh2a4", dag_cbor.encode({
            "did": "did:buds:local-ABC123", "deviceId": "device-001", "receiptType": CREATED, "payload": {
                "claimed_time_ms": CLAIMED, "notes": "Great for focus", "product_name": "Blue Dream", "rating": 5,
                "strain_type": "hybrid"}})),
        "V4": ("bafyreiheiojxh6fr7fe7jwirvq65meby6de5fmcoo7neeysie5lbkuom4a", client(
            did, device, "app.buds.memory.deleted/v1", {
                "claimed_time_ms": 1_704_860_000_000, "memory_cid": first, "cascade_unshare": True})),
    }
    for name, (stated, content) in made.items():
        print(line(key, content, name=name, stated=stated))
    # The card, without which nobody has the key of the device.
    content = client(did, device, "redo.device.registered/v1", {
        "claimed_time_ms": 1, "pubkey_ed25519": b64(bytes(key.verify_key)), "pubkey_x25519": b64(b"\x09" + bytes(31))})
    print(line(key, content, name="card", stated=cid_of(content)))


def many(count, person="many"):
    key = nacl.signing.SigningKey(hashlib.sha256(person.encode()).digest())
    did = "did:phone:" + hashlib.sha256(person.encode() * 2).hexdigest()
    pick = random.Random(count)
    words = "rain snow night home calm slow garden window river quiet evening tea music friends talk walk".split()
    card = client(did, "D1", "redo.device.registered/v1", {
        "claimed_time_ms": 1, "pubkey_ed25519": b64(bytes(key.verify_key)), "pubkey_x25519": b64(b"\x09" + bytes(31))})
    print(line(key, card))
    for number in range(count):
        content = client(did, "D1", CREATED, {
            "claimed_time_ms": CLAIMED + number * 3_600_000, "product_name": f"Blue Dream {number % 40}", "product_type": "flower",
            "rating": pick.randint(1, 5), "effects": pick.sample(["relaxed", "happy", "sleepy", "creative"], 2),
            "amount_grams": 500, "thc_percent": 2350, "consumption_method": "joint", "brand": "Some Brand",
            "notes": " ".join(pick.choice(words) for _ in range(33))})
        print(line(key, content))


def noted(count):
    rows = 0
    for text in sys.stdin:
        receipt = json.loads(text)
        if rows == count or b"session.created" not in base64.b64decode(receipt["cbor"]):
            continue
        rows += 1
        cid = receipt["cid"]
        print(json.dumps({"table": "local_receipts", "key": cid, "row": {
            "uuid": f"uuid-{rows:08}-{'0' * 18}", "is_favorited": 0, "tags_json": '["night","social"]',
            "local_notes": "a note of some words that only this store has", "created_at": 1, "updated_at": 2.5}}))
        place = b"\x01\x55\x12\x20" + hashlib.sha256(cid.encode()).digest()
        print(json.dumps({"table": "locations", "row": {
            "cid": "b" + base64.b32encode(place).decode().lower().rstrip("="), "receipt_cid": cid, "location_type": "precise",
            "latitude": 37.774929, "longitude": -122.419416, "accuracy": 5, "fuzzy_lat": 37.775, "fuzzy_lon": -122.42,
            "fuzzy_radius": 500, "place_name": f"Place {rows % 20}", "captured_at": CLAIMED / 1000, "created_at": 1,
            "salt": b64(bytes(16))}}))


def points(count, where):
    """In the cell of 0.005 degrees around its centre, south and west edges included."""
    pick = random.Random(where)
    latitude, longitude = (round(float(part) * 200) / 200 for part in where.split(","))
    for number in range(count):
        north, east = (pick.uniform(-0.002499, 0.002499) for _ in range(2))
        if number == 0:
            north, east = -0.002499, 0.002499
        print(f"{latitude + north:.6f},{longitude + east:.6f}")


# MARK: the index

def opened(redo):
    redo.run("index", "update")
    database = sqlite3.connect(f"file:{redo.run('index', 'path').strip()}?mode=ro", uri=True)
    reader.SCHEMA = database
    return database


def headers(redo):
    """What each header says is what its bytes say."""
    database = opened(redo)
    rows = reader.rows_of(redo)["ucr_headers"]
    columns = [column[1] for column in database.execute("PRAGMA table_info(ucr_headers)")]
    required = {column[1] for column in database.execute("PRAGMA table_info(ucr_headers)") if column[3]}
    if not {"cid", "did", "root_cid", "receipt_type", "payload_json", "signature", "raw_cbor", "received_at"} <= required:
        fail(f"columns that may be NULL: {required}")
    keys, signed, count = {}, 0, 0
    found = [dict(zip(columns, values)) for values in database.execute("SELECT * FROM ucr_headers")]
    decoded = {row["cid"]: dag_cbor.decode(row["raw_cbor"]) for row in found}
    for row in found:
        envelope = decoded[row["cid"]]
        if envelope["receiptType"] == "redo.device.registered/v1":
            keys.setdefault((envelope["did"], envelope["deviceId"]), set()).add(
                dag_cbor.decode(envelope["payload"])["pubkey_ed25519"])
    for row in found:
        envelope, cid = decoded[row["cid"]], row["cid"]
        if not isinstance(row["raw_cbor"], bytes) or cid_of(row["raw_cbor"]) != cid:
            fail(f"{cid}: its bytes have another CID")
        if set(envelope) - {"did", "deviceId", "receiptType", "payload", "parentCID", "rootCID", "blobs"}:
            fail(f"{cid}: the envelope has {sorted(envelope)}")
        is_client = isinstance(envelope["payload"], bytes)
        payload = dag_cbor.decode(envelope["payload"]) if is_client else envelope["payload"]
        root = envelope.get("rootCID", "SELF")
        wanted = {
            "cid": cid, "did": envelope["did"], "device_id": envelope.get("deviceId"), "parent_cid": envelope.get("parentCID"),
            "root_cid": cid if root == "SELF" else root, "receipt_type": envelope["receiptType"],
            "claimed_time_ms": payload.get("claimed_time_ms"), "raw_cbor": row["raw_cbor"],
            "payload_json": peer.canonical(reader.in_plain_units(payload, is_client, envelope["receiptType"])),
            "received_at": rows[(cid,)]["received_at"], "signature": rows[(cid,)]["signature"]}
        if row != wanted:
            fail(f"{cid}:\n  {row}\n  {wanted}")
        known = keys.get((envelope["did"], envelope.get("deviceId")), set())
        if len(known) == 1 and row["signature"]:
            nacl.signing.VerifyKey(base64.b64decode(*known)).verify(row["raw_cbor"], base64.b64decode(row["signature"]))
            signed += 1
        count += 1
    if count != len(rows) or not signed:
        fail(f"{count} rows of {len(rows)}, {signed} signatures")
    print(f"{count} headers, {signed} signatures")


P = ["payload_json", "claimed_time_ms", "received_at"]
COLUMNS = {
    "timeline": ["uuid", "is_favorited", "image_cids", "cid", "receipt_type", *P],
    "search": ["cid", *P, "rank"],
    "map": ["cid", "fuzzy_lat", "fuzzy_lon", "place_name", "uuid", "payload_json"],
    "feed": ["id", "sender_did", "sender_name", "cid", *P],
    "strains": ["strain", "session_count", "avg_rating", "last_used_claimed"],
    "recent": ["cid", *P, "place_name"],
}
ARGUMENTS = {"map": "-90,-180,90,180", "search": "blue", "recent": "1704067200000"}
# What equal rows are equal in, and what decides between them.
TIES = {"timeline": ("received_at", "cid"), "search": ("rank", "cid"), "map": (None, "cid"), "feed": ("received_at", "id"),
        "strains": ("session_count", "strain"), "recent": ("received_at", "cid")}
LIMITS = {"timeline": 50, "search": 20, "map": 200, "feed": 50, "strains": None, "recent": 100}


def ask(redo, name, *options):
    words = [ARGUMENTS[name]] if name in ARGUMENTS else []
    return [[row[column] for column in COLUMNS[name]]
            for row in redo.lines("index", "query", "--json", *options, "--", name, *words)]


def same(name, found, wanted):
    if len(found) != len(wanted):
        fail(f"{name}: {len(found)} rows, expected {len(wanted)}")
    for left, right in zip(found, wanted):
        if not all(map(reader.printed_alike, left, right)):
            fail(f"{name}:\n  answered {left}\n  expected {right}")


def queries(redo):
    database = opened(redo)
    rows = reader.rows_of(redo)
    peer.NOW = datetime.datetime.now().timestamp()
    placed = dict(rows, locations={key: row for key, row in rows["locations"].items() if row["receipt_cid"]})
    expected = peer.Expected(placed)
    wanted = {
        "timeline": expected.timeline(), "search": expected.search('"blue"'), "map": expected.map([-90, -180, 90, 180]),
        "feed": expected.feed(), "strains": expected.strains(), "recent": expected.recent(1_704_067_200_000)}
    plain = peer.plain_tables(placed)
    for name in ("timeline", "search", "map", "feed", "strains", "recent"):
        all_of_it = list(wanted[name])
        same(name, ask(redo, name, "--limit=1000000"), all_of_it)
        same(name, ask(redo, name, "--limit=3"), all_of_it[:3])
        same(name, ask(redo, name), all_of_it[:LIMITS[name]])
        column, decider = TIES[name]
        place = None if column is None else COLUMNS[name].index(column)
        key = COLUMNS[name].index(decider)
        ties = [pair for pair in zip(all_of_it, all_of_it[1:]) if place is None or pair[0][place] == pair[1][place]]
        if not ties or any(left[key] >= right[key] for left, right in ties):
            fail(f"{name}: {len(ties)} ties, or in another order")
        literal = ask(redo, name, "--literal", "--limit=1000000")
        if name == "search":
            # Those that were edited, deleted or put away have no text.
            texts = list(expected.texts())
            same("literal search", sorted(literal), sorted([cid, *expected.p(cid), rank] for rank, cid in expected.ranked(
                "cid UNINDEXED, product_name, strain_name, notes, place_name", texts, "blue")))
        else:
            seed = plain.execute(peer.LITERAL[name]).fetchall()
            as_printed = lambda row: [float(peer.printed(value)) if isinstance(value, float) else value for value in row]
            same(f"literal {name}", sorted(map(as_printed, literal), key=repr), sorted(map(as_printed, map(list, seed)), key=repr))
        by = {"timeline": -1, "search": -1, "feed": -1, "strains": 1, "recent": 3}.get(name)
        if by is not None:
            sequence = [row[by] for row in literal]
            if sequence != sorted(sequence, reverse=name != "search"):
                fail(f"literal {name}: another order")
        print(f"{name}\t{len(all_of_it)} rows and {len(ties)} ties as Python has them, {len(literal)} literal ones")
    database.close()


def days(redo):
    database = opened(redo)
    rows = reader.rows_of(redo)
    peer.NOW = 0
    wanted = [tuple(row[:-1]) for row in peer.Expected(dict(rows, locations={
        key: row for key, row in rows["locations"].items() if row["receipt_cid"]})).days()]
    found = database.execute(
        "SELECT date, session_count, total_amount_grams, unique_strains_json, dominant_effects_json, avg_rating,"
        " locations_visited_json FROM daily_summaries ORDER BY date").fetchall()
    if found != wanted or len(found) < 2:
        fail(f"days:\n  {found}\n  {wanted}")
    print(f"{len(found)} days")


def texts(redo):
    database = opened(redo)
    rows = reader.rows_of(redo)
    wanted = sorted(map(repr, peer.Expected(dict(rows, locations={
        key: row for key, row in rows["locations"].items() if row["receipt_cid"]})).texts()))
    found = sorted(map(repr, database.execute("SELECT cid, product_name, strain_name, notes, place_name FROM fts_memories")))
    if found != wanted:
        fail(f"texts: {set(found) ^ set(wanted)}")
    sql = database.execute("SELECT sql FROM sqlite_schema WHERE name = 'fts_memories'").fetchone()[0]
    if "porter unicode61" not in sql or database.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").fetchone()[0]:
        fail(f"another tokenizer, or triggers: {sql}")
    print(f"{len(found)} texts")


def plans(path, *seen):
    """How SQLite itself would go about the statements that were seen, the last select of each file that is none of SQLite's own."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    own = ("sqlite_", "'main'.", "redo_index", "grdb_migrations", "BEGIN")
    for name in seen:
        with open(name) as file:
            statements = [sql for sql in (json.loads(text)["sql"] for text in file) if not any(word in sql for word in own)]
        numbers = [int(number) for number in re.findall(r"[?]([0-9]+)", statements[-1])]
        values = [None] * max(statements[-1].count("?"), *numbers, 0)
        while True:
            try:
                steps = [step[3] for step in database.execute("EXPLAIN QUERY PLAN " + statements[-1], values)]
                break
            except sqlite3.ProgrammingError:
                values.pop()
        print(os.path.basename(name), "; ".join(steps), sep="\t")


# MARK: clocks

def clocks(store, *cids):
    path = os.path.join(store, ".redo", "received")
    with open(path, "rb") as file:
        data = file.read()
    place = data.index(b"\n") + 1
    wanted = {base64.b32decode(cid[1:].upper() + "=" * (-len(cid[1:]) % 8))[4:]: number for number, cid in enumerate(cids)}
    out = data[:place]
    while data[place:place + 1] == b"@":
        count = int(data[place + 1:place + 9], 16)
        if count == 0:
            break
        moment = data[place + 10:place + 22]
        ids = data[place + 32:place + 32 + 32 * count]
        names = [ids[start:start + 32] for start in range(0, len(ids), 32)]
        known = [name for name in names if name in wanted]
        if len(known) > 1:
            fail("two of them came at once")
        if known:
            moment = b"%012x" % (CLAIMED + wanted[known[0]] * 86_400_000)
        line = b"@%08x %s " % (count, moment)
        line += hashlib.sha256(line).hexdigest()[:8].encode() + b"\n"
        out += line + ids + hashlib.sha256(line + ids).digest()
        place += 64 + 32 * count
    with open(path, "wb") as file:
        file.write(out + data[place:])


def main():
    word, *rest = sys.argv[1:]
    if word in ("headers", "queries", "days", "texts"):
        {"headers": headers, "queries": queries, "days": days, "texts": texts}[word](reader.Redo(*rest))
    elif word in ("many", "noted", "points"):
        {"many": many, "noted": noted, "points": points}[word](int(rest[0]), *rest[1:])
    else:
        {"vectors": vectors, "clocks": clocks, "plans": plans}[word](*rest)


if __name__ == "__main__":
    try:
        main()
    except (peer.Failure, nacl.exceptions.BadSignatureError) as failure:
        print(failure, file=sys.stderr)
        sys.exit(1)
