#!/usr/bin/env python3
"""An independent reader of the index of a store: what must stand in its tables, and what its queries answer, by Python, from the
receipts, nodes, states and notes that other commands of redo print. The chains, the plain units of payloads, the times of receipt
and the full text are made here again.

    index_reader.py compare <redo> <store>   the tables and the answers
    index_reader.py drive <redo> <store> --seed=n [--steps=n]
                                             many random changes, with comparisons between them
"""

import base64
import decimal
import hashlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import index_peer as peer  # noqa: E402

SESSIONS = {f"app.buds.session.{word}/v1" for word in ("created", "edited", "updated")}
DELETED = "app.buds.memory.deleted/v1"
SCALES = {"thc_percent": 100, "cbd_percent": 100, "amount_grams": 1000}


def fail(text):
    raise peer.Failure(text)


class Redo:
    def __init__(self, program, store):
        self.words = [program, "-C", store]
        self.store = store

    def run(self, *words, stdin=None, status=0):
        done = subprocess.run([*self.words, *words], input=stdin, capture_output=True, text=True, check=False)
        if done.returncode != status:
            fail(f"redo {' '.join(words)}: status {done.returncode}: {done.stderr}")
        return done.stdout

    def lines(self, *words):
        return [json.loads(line) for line in self.run(*words).splitlines()]


# MARK: what there is

def number(value):
    """A number as JSON has it: whole ones without a point."""
    return int(value) if value == int(value) else float(value)


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return number(value)
    return value


def in_plain_units(payload, is_client, kind):
    payload = plain(payload)
    if is_client and kind in SESSIONS:
        for name, scale in SCALES.items():
            if name in payload:
                payload[name] = number(decimal.Decimal(payload[name]) / scale)
    return payload


def text_of_id(data):
    return hashlib.sha256(data).hexdigest()


def received_times(store):
    """When each object was received first, by the frames of `received` itself."""
    times = {}
    with open(os.path.join(store, ".redo", "received"), "rb") as file:
        data = file.read()
    place = data.index(b"\n") + 1
    while data[place:place + 1] == b"@":
        line = data[place:place + 32].split()
        count, moment = int(line[0][1:], 16), int(line[1], 16)
        if count == 0:
            break
        body = data[place + 32:place + 32 + 32 * count]
        for start in range(0, len(body), 32):
            name = body[start:start + 32].hex()
            if moment == 0xFFFFFFFFFFFF:
                times.pop(name, None)
            else:
                times.setdefault(name, moment)
        place += 32 + 32 * count + 32
    return times


def rows_of(redo):
    """The rows of each table, by their keys."""
    rows = {table: {} for table in peer.KEYS}

    def put(table, row):
        rows[table][tuple(row[name] for name in peer.KEYS[table])] = row

    ids = {}
    for line in redo.lines("export", "--kind=receipt", "--include-precise", "--include-received"):
        raw = base64.b64decode(line["cbor"])
        envelope = peer.uncbor(raw)
        is_client = isinstance(envelope["payload"], bytes)
        payload = peer.uncbor(envelope["payload"]) if is_client else envelope["payload"]
        root = envelope.get("rootCID", "SELF")
        claimed = payload.get("claimed_time_ms")
        ids[line["cid"]] = text_of_id(raw)
        put("ucr_headers", {
            "cid": line["cid"], "did": envelope["did"], "device_id": envelope.get("deviceId"),
            "parent_cid": envelope.get("parentCID"), "root_cid": line["cid"] if root == "SELF" else root,
            "receipt_type": envelope["receiptType"],
            "payload_json": peer.canonical(in_plain_units(payload, is_client, envelope["receiptType"])),
            "signature": line.get("signature", ""), "raw_cbor": line["cbor"], "received_at": line["received"] / 1000,
            "claimed_time_ms": claimed if isinstance(claimed, int) else None})
    put_chains(rows, put, ids)
    notes = {}
    for line in redo.lines("local", "list", "--json"):
        notes.setdefault(line["table"], {})[line["key"]] = line["row"]
    put_notes(rows, put, notes)
    for state in redo.lines("state", "--json"):
        put("tasks", {
            "guid": state["guid"], "user_id": state["userId"], "title": state.get("title"),
            "description": state.get("description"), "created": state["created"],
            "last_updated": state.get("lastUpdated"), "completed_at": state.get("completedAt"),
            "archived": int(state["archived"]), "privacy": int(state["privacy"]), "priority": state["priority"],
            "story_points": state["storyPoints"], "frequency_days": state["frequencyDays"],
            "defaulted": peer.canonical(state["defaulted"]), "fields": peer.canonical(state["fields"]),
            "todo_tasks": peer.canonical(state["todoTasks"]), "json": peer.canonical(state)})
        for todo in state["todoTasks"]:
            title = todo["fields"].get("title")
            put("todos", {
                "guid": todo["guid"], "task": state["guid"], "title": title if isinstance(title, str) else None,
                "notes": todo["notes"], "deadline": todo.get("deadline"), "completed": todo.get("completed"),
                "json": peer.canonical(todo)})
    letters = {line["id"]: line["letter"] for line in redo.lines_of_verify()}
    times = received_times(redo.store)
    for node in redo.lines("export"):
        put("nodes", {
            "id": node["id"], "task": node.get("taskId"), "action": node["action"],
            "lamport": node["timestamp"]["lamport"], "wall": node["timestamp"]["wall"],
            "received_at": times[node["id"].removeprefix("sha256:")] / 1000, "author": node["author"]["userId"],
            "device": node["author"].get("deviceId"), "parents": peer.canonical(node["parents"]),
            "letter": letters[node["id"]]})
    return rows


def put_chains(rows, put, ids):
    headers = {key[0]: row for key, row in rows["ucr_headers"].items()}
    children = {}
    for cid, row in headers.items():
        children.setdefault(row["parent_cid"], []).append(cid)
    for root, row in headers.items():
        if row["parent_cid"]:
            continue
        level, depth, heads, counted, shown = [root], 0, 0, {root}, (0, ids[root], root)
        while level:
            for cid in level:
                heads += cid not in children
                # Everything here is signed by its author: an edit counts if its author is that of what it follows.
                if depth and headers[cid]["did"] == row["did"] and headers[cid]["parent_cid"] in counted:
                    counted.add(cid)
                    if row["receipt_type"] not in SESSIONS or headers[cid]["receipt_type"] in SESSIONS:
                        shown = max(shown, (depth, ids[cid], cid))
            level = [child for cid in level for child in children.get(cid, [])]
            depth += 1
        stones = [ids_of for ids_of in headers if headers[ids_of]["receipt_type"] == DELETED
                  and headers[ids_of]["did"] == row["did"]
                  and json.loads(headers[ids_of]["payload_json"])["memory_cid"] in counted]
        put("redo_chains", {
            "root_cid": root, "head_cid": shown[2], "heads": heads, "depth": shown[0],
            "tombstone_cid": min(stones, key=lambda cid: ids[cid]) if stones else None})


def put_notes(rows, put, notes):
    headers = {key[0]: row for key, row in rows["ucr_headers"].items()}
    chains = notes.get("local_receipts", {})
    for (root,), chain in rows["redo_chains"].items():
        if headers[root]["receipt_type"] not in SESSIONS or chain["tombstone_cid"]:
            continue
        row = chains.get(root, {})
        if row is None:
            continue
        digest = hashlib.sha256(f"redo-local\n{root}".encode()).hexdigest()
        uuid = "-".join([digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]])
        put("local_receipts", {
            "uuid": row.get("uuid", uuid), "header_cid": chain["head_cid"],
            "is_favorited": row.get("is_favorited", 0), "tags_json": row.get("tags_json"),
            "local_notes": row.get("local_notes"), "image_cids": row.get("image_cids"),
            "created_at": row.get("created_at", headers[root]["received_at"]),
            "updated_at": row.get("updated_at", headers[chain["head_cid"]]["received_at"]),
            "archived": row.get("archived", 0)})
    columns = {name: [column[1] for column in SCHEMA.execute(f"PRAGMA table_info({name})")] for name in peer.KEYS}
    for table in ("blobs", "circles", "devices", "circle_invites", "locations", "receipt_blobs", "shared_memories",
                  "received_memories"):
        for row in notes.get(table, {}).values():
            row = {name: row.get(name) for name in columns[table]}
            names = {"locations": "receipt_cid", "receipt_blobs": "receipt_cid", "shared_memories": "memory_cid",
                     "received_memories": "header_cid"}
            refers = row.get(names.get(table))
            if refers is not None and refers not in headers:
                continue
            blobs = notes.get("blobs", {})
            if table == "receipt_blobs" and row["blob_cid"] not in blobs:
                continue
            people = {person["did"] for person in notes.get("circles", {}).values()}
            if table == "received_memories" and row["sender_did"] not in people:
                continue
            for name in ("avatar_cid", "thumbnail_cid"):
                if name in row and row[name] not in blobs:
                    row[name] = None
            put(table, row)


def lines_of_verify(self):
    done = subprocess.run([*self.words, "verify", "--all", "--json"], capture_output=True, text=True, check=False)
    return [line for line in map(json.loads, done.stdout.splitlines()) if "letter" in line]


Redo.lines_of_verify = lines_of_verify
SCHEMA = None


# MARK: comparisons

def compare(redo):
    """The tables, and the answers.

    Returns how many rows and answers there are."""
    global SCHEMA
    redo.run("index", "update")
    path = redo.run("index", "path").removesuffix("\n")
    SCHEMA = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = rows_of(redo)
    count = 0
    for table, wanted in rows.items():
        names = [column[1] for column in SCHEMA.execute(f"PRAGMA table_info({table})")]
        found = {}
        for values in SCHEMA.execute(f"SELECT * FROM {table}"):
            row = dict(zip(names, values))
            for name, value in row.items():
                if isinstance(value, bytes):
                    row[name] = base64.b64encode(value).decode()
            found[tuple(row[name] for name in peer.KEYS[table])] = row
        for key in sorted(set(found) | set(wanted)):
            if found.get(key) != wanted.get(key):
                fail(f"{table} {key}:\n  in the index {found.get(key)}\n  expected     {wanted.get(key)}")
        count += len(found)
    SCHEMA.close()
    return count, compare_answers(redo, rows)


def printed_alike(found, wanted):
    if isinstance(wanted, float):
        return found is not None and float(found) == float(peer.printed(wanted))
    return found == wanted


def compare_answers(redo, rows):
    peer.NOW = time.time()
    # A place without a receipt is on no map.
    placed = {key: row for key, row in rows["locations"].items() if row["receipt_cid"] is not None}
    expected = peer.Expected(dict(rows, locations=placed))
    count = 0

    def check(words, columns, wanted):
        nonlocal count
        wanted = list(wanted)
        # Numbers may be below 0, and words may look like options.
        found = redo.lines(*words[:-1], "--json", "--", *words[-1])
        if len(found) != len(wanted):
            fail(f"{words}: {len(found)} rows, expected {len(wanted)}")
        for row, values in zip(found, wanted):
            got = [row[name] for name in columns]
            if set(row) != set(columns) or not all(map(printed_alike, got, values)):
                fail(f"{words}:\n  answered {got}\n  expected {values}")
        count += 1

    p = ["payload_json", "claimed_time_ms", "received_at"]
    query = ["index", "query", "--limit=1000000"]
    check([*query, ["timeline"]], ["uuid", "is_favorited", "image_cids", "cid", "receipt_type", *p], expected.timeline())
    check(["index", "query", "--limit=2", ["timeline"]],
          ["uuid", "is_favorited", "image_cids", "cid", "receipt_type", *p], list(expected.timeline())[:2])
    check([*query, ["feed"]], ["id", "sender_did", "sender_name", "cid", *p], expected.feed())
    check([*query, ["strains"]], ["strain", "session_count", "avg_rating", "last_used_claimed"], expected.strains())
    check([*query, ["recent", "1740816000000"]], ["cid", *p, "place_name"], expected.recent(1_740_816_000_000))
    for box in ([-90, -180, 90, 180], [37, -123, 38, -122], [-18, 179, -17, -179]):
        check([*query, ["map", ",".join(map(str, box))]],
              ["cid", "fuzzy_lat", "fuzzy_lon", "place_name", "uuid", "payload_json"], expected.map(box))
    for words in ("blue", "dreams rain", "home"):
        check(["search", "--limit=1000000", [words]], ["cid", *p, "rank"], expected.search(peer.quoted(words)))
        check(["search", "--tasks", "--limit=1000000", [words]], ["guid", "title", "description", "archived", "rank"],
              expected.tasks(peer.quoted(words)))
    check(["search", "--fts", "--limit=1000000", ["blue OR rai*"]], ["cid", *p, "rank"], expected.search("blue OR rai*"))
    days = [row[:-1] for row in expected.days()]
    check(["index", "sql", ["SELECT date, session_count, total_amount_grams, unique_strains_json, dominant_effects_json,"
           " avg_rating, locations_visited_json FROM daily_summaries ORDER BY date"]],
          ["date", "session_count", "total_amount_grams", "unique_strains_json", "dominant_effects_json", "avg_rating",
           "locations_visited_json"], days)
    return count


# MARK: random changes

class Changes:
    WORDS = ["blue", "dream", "dreams", "rain", "snow", "night", "home", "sour", "gar\u00e7on", "\u96e8", "'; --"]

    def __init__(self, redo, seed):
        self.redo = redo
        self.random = random.Random(seed)
        self.moment = 1_740_000_000_000

    def text(self):
        return " ".join(self.random.choice(self.WORDS) for _ in range(self.random.randint(1, 4)))

    def tasks(self):
        return [line["guid"] for line in self.redo.lines("state", "--json")]

    def chains(self):
        found = self.redo.lines("receipt", "list", "--json")
        return [row["cid"] for row in found if row["cid"] == row["root"] and row["type"] in SESSIONS]

    def payload(self):
        pick = self.random
        payload = {"product_name": self.text(), "product_type": "flower", "rating": pick.randint(1, 5),
                   "effects": pick.sample(["calm", "happy", "sleepy"], pick.randint(0, 3))}
        if pick.random() < 0.5:
            payload["notes"] = self.text()
        if pick.random() < 0.3:
            payload["amount_grams"] = pick.choice([0.5, 1.25, 3])
        if pick.random() < 0.3:
            payload["thc_percent"] = pick.choice([0.29, 23.5, 20])
        if pick.random() < 0.2:
            payload["strain_name"] = self.text()
        return json.dumps(payload)

    def at(self):
        # Few times: ties in claimed time.
        return ["--at", f"2025-03-0{self.random.randint(1, 5)}T08:00:00Z"]

    def create(self):
        self.redo.run("receipt", "create", *self.at(), stdin=self.payload())

    def edit(self, chain):
        self.redo.run("receipt", "edit", chain, stdin=self.payload())

    def bury(self, chain):
        self.redo.run("receipt", "delete", chain)

    def mark(self, chain):
        self.redo.run("receipt", "mark", self.random.choice(["--favourite", "--no-favourite", "--tag=a", "--note=mine",
                                                             "--no-note", "--archived", "--no-archived"]), chain)

    def place(self, chain):
        where = self.random.choice(["37.774929,-122.419416", "-17.7134,179.9999", "0,0"])
        self.redo.run("receipt", "place", chain, f"--at={where}", f"--name={self.text()}",
                      *self.random.choice([[], ["--delay=1d"]]))

    def put_away(self, chain):
        self.redo.run("local", "put", stdin=json.dumps({"table": "local_receipts", "key": chain, "row": None}))

    def rename(self, chain):
        """Another UUID for a chain, as an app file would bring it."""
        row = {"uuid": f"uuid-{self.random.randrange(10 ** 9)}", "is_favorited": 0, "created_at": 1, "updated_at": 2.5}
        self.redo.run("local", "put", stdin=json.dumps({"table": "local_receipts", "key": chain, "row": row}))

    def note(self):
        """Rows that refer to what is not there, or is not there yet."""
        cid = "bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu"
        did = f"did:phone:{self.random.randrange(3):064d}"
        row = self.random.choice([
            ("blobs", {"cid": cid, "mime_type": "image/jpeg", "size": 3, "encrypted": 0, "created_at": 1}),
            ("circles", {"id": f"c{did[-1]}", "did": did, "display_name": self.text(), "pubkey_x25519": "A" * 43 + "=",
                         "status": self.random.choice(["active", "removed"]), "created_at": 1, "updated_at": 2,
                         "avatar_cid": cid}),
            ("shared_memories", {"id": f"s{self.random.randrange(3)}", "memory_cid": "bafyreidudk44rdt5jdkovzsja6kta2j5jnptailakf6orkipj43sdabwoq",
                                 "shared_with": "circle", "permissions": "view", "shared_at": 1}),
        ])
        chains = self.chains()
        if chains and self.random.random() < 0.4:
            chain = self.random.choice(chains)
            row = self.random.choice([
                ("receipt_blobs", {"receipt_cid": chain, "blob_cid": cid, "position": 1}),
                ("received_memories", {"id": f"r{self.random.randrange(3)}", "memory_cid": chain, "header_cid": chain,
                                       "sender_did": did, "permissions": "view", "shared_at": 1, "received_at": 2.5}),
            ])
        self.redo.run("local", "put", stdin=json.dumps({"table": row[0], "row": row[1]}))

    def unnote(self):
        for key in ("c0", "c1", "c2"):
            self.redo.run("local", "put", stdin=json.dumps({"table": "circles", "key": key, "row": None}))

    def task(self):
        self.redo.run("commit", "create", f"--title={self.text()}", f"--description={self.text()}", "--priority=2")

    def todo(self):
        for task in self.tasks()[:1]:
            self.redo.run("commit", "create-todo", f"--task={task}", f"--title={self.text()}", f"--notes={self.text()}")

    def retitle(self):
        tasks = self.tasks()
        if tasks:
            self.redo.run("commit", "update", f"--task={self.random.choice(tasks)}", f"--title={self.text()}")

    def end(self):
        tasks = self.tasks()
        if tasks:
            self.redo.run("commit", self.random.choice(["archive", "delete"]), f"--task={self.random.choice(tasks)}")

    def repack(self):
        self.redo.run("gc", "-q")

    def wipe(self):
        chains = self.chains()
        if len(chains) > 3:
            self.redo.run("local", "put", stdin=json.dumps({"table": "local_receipts", "key": chains[0], "row": None}))

    def step(self):
        chains = self.chains()
        steps = [self.create] * 3 + [self.task, self.task, self.todo, self.retitle, self.end, self.note, self.note,
                                     self.unnote, self.repack, self.wipe]
        if chains:
            chain = self.random.choice(chains)
            steps += [lambda step=step: step(chain) for step in (
                self.edit, self.edit, self.bury, self.mark, self.mark, self.place, self.place, self.put_away,
                self.rename)]
        self.random.choice(steps)()


def drive(redo, options):
    changes = Changes(redo, options["seed"])
    total, kinds = 0, {}
    for step in range(options["steps"]):
        for _ in range(changes.random.choice([1, 1, 3])):
            changes.step()
        done = subprocess.run([*redo.words, "index", "update", "-v"], capture_output=True, text=True, check=True)
        kinds[done.stderr.strip()] = kinds.get(done.stderr.strip(), 0) + 1
        if redo.run("index", "check"):
            fail(f"step {step}: the check finds differences")
        if step % 5 == 4 or step + 1 == options["steps"]:
            total += sum(compare(redo))
    path = redo.run("index", "path").removesuffix("\n")
    grown = peer.dump(path)
    redo.run("index", "rebuild")
    fresh = peer.dump(path)
    # What was committed says how it came about, and days say when they were computed.
    for tables in (grown, fresh):
        tables.pop("daily_summaries")
    if grown != fresh:
        wrong = [table for table in fresh if grown.get(table) != fresh[table]]
        fail(f"after {options['steps']} steps these tables are not as in a new index: {wrong}: "
             + str([set(grown[table]) ^ set(fresh[table]) for table in wrong]))
    print(f"{options['steps']} steps and {total} rows and answers agree: {kinds}")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = {"seed": 1, "steps": 10}
    for word in sys.argv[1:]:
        if word.startswith("--"):
            name, value = word[2:].split("=")
            options[name] = int(value)
    command, program, store = words
    redo = Redo(program, store)
    try:
        if command == "compare":
            rows, answers = compare(redo)
            print(f"{rows} rows and {answers} answers agree")
        else:
            drive(redo, options)
    except peer.Failure as error:
        sys.exit(f"index_reader.py: seed {options['seed']}: {error}")


if __name__ == "__main__":
    main()
