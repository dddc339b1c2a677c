"""Receipts and the index: beside raw libsodium, and beside sqlite3 with the same rows."""

import base64
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

from harness import *

COUNT = 10_000
# What the figures of the specification are about.
TARGET_BYTES = 590


def lines():
    """So many receipts of one device, each of some 590 bytes, as lines; the last of them are kept for later."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Vectors"))
    from maker import receipt_base as base
    from maker.common import Person

    person, chosen = Person("ada's phone", "D1"), random.Random(7)
    words = [f"{chosen.getrandbits(40):x}" for _ in range(2000)]
    did, rows = base.did_of(base.key_of(person)), []
    key = base.key_of(person)

    def row(kind, payload):
        content, _ = base.written({
            "did": did, "deviceId": person.device, "receiptType": kind, "payload": base.Inside(payload), "rootCID": "SELF"})
        signature = person.secret.sign(content).signature
        rows.append((content, signature))

    row("redo.device.registered/v1", {
        "claimed_time_ms": base.CLAIMED, "pubkey_ed25519": base64.b64encode(key).decode(), "pubkey_x25519": base.key_text("x")})
    for number in range(COUNT + 200):
        notes = " ".join(chosen.choice(words) for _ in range(31))
        row(base.CREATED, {**base.CLIENT_MINIMAL, "claimed_time_ms": base.CLAIMED + number * 60_000,
                           "product_name": chosen.choice(words) + " dream", "notes": notes})
    return key, rows


def write(path, rows):
    with open(path, "w") as file:
        for content, signature in rows:
            file.write(json.dumps({"cbor": base64.b64encode(content).decode(), "signature": base64.b64encode(signature).decode()}) + "\n")


def plain_sql(index, path):
    """What makes sqlite3 write the same schema and rows in one transaction."""
    database = sqlite3.connect(index)
    # The tables behind a full text are made, and filled, by it.
    shadows = tuple(f"{name}_{part}" for name, in database.execute("select name from sqlite_schema where sql like '%using fts5%'")
                    for part in ("data", "idx", "content", "docsize", "config"))
    with open(path, "w") as file:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "cache_size = -64000", "temp_store = MEMORY", "mmap_size = 268435456"):
            file.write(f"PRAGMA {pragma};\n")
        file.write("BEGIN;\n")
        objects = [row for row in database.execute(
            "select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type = 'index'")
            if row[1] not in shadows]
        for _, _, sql in objects:
            file.write(sql + ";\n")
        count = 0
        for kind, name, _ in objects:
            if kind != "table":
                continue
            columns = [column for _, column, *_ in database.execute(f'pragma table_info("{name}")')]
            said = ",".join(f'quote("{column}")' for column in columns)
            names = ",".join(f'"{column}"' for column in columns)
            for row in database.execute(f'select {said} from "{name}"'):
                file.write(f'INSERT INTO "{name}"({names}) VALUES({",".join(row)});\n')
                count += 1
        file.write("COMMIT;\n")
    return count


def verifying(store, key, rows):
    messages = os.path.join(WORK, "messages-of-receipts")
    with open(messages, "wb") as file:
        for content, signature in rows:
            file.write(key + signature + len(content).to_bytes(4, "little") + content)

    def raw():
        output = subprocess.run([os.path.join(HELPERS, "raw-verify"), messages], stdout=subprocess.PIPE, check=True)
        run = RawVerify.__new__(RawVerify)
        wall, cpu, _ = output.stdout.split()
        run.wall, run.cpu, run.memory, run.user, run.system = float(wall), float(cpu), 0, float(cpu), 0
        return run

    medians = contest({
        "raw libsodium": raw,
        "redo verify --all": lambda: Run([REDO, "--redo-dir", store, "verify", "--all"]),
    })  # fmt: skip
    table.costs(medians)
    other, own = medians.values()
    # 0.7 of what libsodium does alone.
    ratio("verify --all of receipts / raw libsodium", own, other, 1.43)
    table.add()


def receipts():
    key, rows = lines()
    first, later = rows[:COUNT + 1], rows[COUNT + 1:]
    size = sum(len(content) + len(signature) for content, signature in first)
    table.head(f"Receipts: {COUNT:,} of {size // len(first) - 64} bytes each on average")
    log = os.path.join(WORK, "receipts.ndjson")
    write(log, first)
    medians = contest({
        "redo verify --ndjson -": lambda: Run([REDO, "verify", "-"], log),
        "redo import": lambda: Run([REDO, "--redo-dir", redo_store("redo-receipts"), "import", "-q"], log),
    })  # fmt: skip
    table.costs(medians)
    store = os.path.join(WORK, "redo-receipts", ".redo")
    folder = os.path.join(store, "objects", "pack")
    packed = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".pack"))
    table.target("the pack / CBOR and signatures", packed / size, 0.45)
    table.add()
    verifying(store, key, first)
    index_of(store, later)


def index_of(store, later):
    table.head("The index of these receipts", "`sqlite3` writes the same schema and rows in one transaction, and asks the same file.")
    redo = [REDO, "--redo-dir", store, "index"]
    quietly(*redo, "rebuild")
    index = subprocess.run([*redo, "path"], stdout=subprocess.PIPE, env=ENVIRONMENT, check=True).stdout.decode().strip()
    quietly("sqlite3", index, "pragma wal_checkpoint(truncate)")
    table.target("the index, per 1,000 receipts", os.path.getsize(index) / 1e6 / (COUNT / 1000), 4.3, " MB")
    table.add()
    plain = os.path.join(WORK, "plain.sql")
    count = plain_sql(index, plain)

    def beside():
        path = os.path.join(fresh("plain"), "plain.sqlite")
        return Run(["sqlite3", path], plain)

    medians = contest({f"sqlite3, {count:,} rows": beside, "redo index rebuild": lambda: Run([*redo, "rebuild"])})
    table.costs(medians)
    other, own = medians.values()
    table.target("index rebuild / sqlite3, wall", own.wall / other.wall, 1.5)
    table.add()
    word = json.loads(subprocess.run([*redo, "sql", "--json", "select min(product_name) w from fts_memories where product_name like '% dream'"],
                                     stdout=subprocess.PIPE, env=ENVIRONMENT, check=True).stdout.splitlines()[0])["w"].split()[0]
    questions = {
        "timeline": (["query", "timeline"],
                     "select l.uuid, l.is_favorited, l.image_cids, h.cid, h.receipt_type, h.payload_json, h.claimed_time_ms, h.received_at"
                     " from local_receipts l join ucr_headers h on h.cid = l.header_cid order by h.received_at desc, h.cid limit 50"),
        "search": (["query", "search", word],
                   "select cid, bm25(fts_memories) from fts_memories where fts_memories match '" + word + "' order by 2, 1 limit 20"),
    }
    for name, (words, sql) in questions.items():
        medians = contest({
            f"sqlite3, {name}": lambda: Run(["sqlite3", index, sql]),
            f"redo index query {name}": lambda: Run([*redo, *words]),
        })  # fmt: skip
        table.costs(medians)
        other, own = medians.values()
        table.target(f"{name}, beyond 1.1 times sqlite3", (own.wall - 1.1 * other.wall) * 1000, 40, " ms")
        table.add()
    after(store, later, [*redo, "query", "timeline"], "a query after a new receipt")


def after(store, later, question, what):
    """A question just after each of some new receipts."""
    line, rest = os.path.join(WORK, "one.ndjson"), list(later)

    def once():
        write(line, [rest.pop()])
        quietly(*UNSYNCED, "--redo-dir", store, "import", "-q", line)
        return Run(question)

    medians = contest({what: once}, 3 * options.rounds)
    table.costs(medians)
    table.target(what + ", wall", medians[what].wall * 1000, 60, " ms")


def index_of_tasks(log):
    """The index over a large log of tasks, beside what replays it."""
    store = redo_store("redo-indexed")
    quietly(REDO, "--redo-dir", store, "key", "generate")
    quietly(*UNSYNCED, "--redo-dir", store, "import", "-q", log)
    redo = [REDO, "--redo-dir", store]
    count = sum(1 for _ in open(log, "rb"))
    table.head(
        f"The index of {count:,} nodes",
        "`verify --all` checks each signature, as the index must before it says a letter; `sqlite3` writes the same schema and rows "
        "in one transaction; `state --json` replays the log, and checks no signature.")
    quietly(*redo, "index", "rebuild")
    index = subprocess.run([*redo, "index", "path"], stdout=subprocess.PIPE, env=ENVIRONMENT, check=True).stdout.decode().strip()
    quietly("sqlite3", index, "pragma wal_checkpoint(truncate)")
    plain = os.path.join(WORK, "plain.sql")
    rows = plain_sql(index, plain)

    def beside():
        path = os.path.join(fresh("plain"), "plain.sqlite")
        return Run(["sqlite3", path], plain)

    def first():
        for name in ("graph", "graph.heads"):
            os.remove(os.path.join(store, "cache", name))
        return Run([*redo, "state", "--json"])

    medians = contest({
        "redo state --json, first time": first,
        "redo state --json": lambda: Run([*redo, "state", "--json"]),
        "redo verify --all": lambda: Run([*redo, "verify", "--all"]),
        f"sqlite3, {rows:,} rows": beside,
        "redo index rebuild": lambda: Run([*redo, "index", "rebuild"]),
    }, 3)  # fmt: skip
    os.remove(plain)
    table.costs(medians)
    state, _, verify, other, own = medians.values()
    # No index with these rows is built in twice the time of a replay: the rows alone take sqlite3 longer.
    table.add(f"- sqlite3 / the first state --json, wall: {other.wall / state.wall:.2f}")
    table.add(f"- index rebuild / the first state --json, wall: {own.wall / state.wall:.2f}")
    table.target("index rebuild of tasks / (sqlite3 + verify --all), wall", own.wall / (other.wall + verify.wall), 1.2)
    question = [*redo, "index", "sql", "select count(*) from tasks"]

    def once():
        quietly(*UNSYNCED, "--redo-dir", store, "commit", "-q", "create", "--title=x")
        return Run(question)

    medians = contest({"a query after one commit": once})
    table.costs(medians)
    table.target("a query after one commit, wall", medians["a query after one commit"].wall * 1000, 60, " ms")
    shutil.rmtree(os.path.join(WORK, "redo-indexed"))
