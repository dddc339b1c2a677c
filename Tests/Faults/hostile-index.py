"""hostile-index.py <store> <grown> <other>: alters the index of a store, and asks it.

`store` has an index of its present state; `grown` is the same store with more in it, where that index is behind; `other` is a
store that shares nothing with it. Each alteration is made on a copy of the index, and each question is asked of a fresh copy:

- an answer is the one that the store gives with an index that was never touched, or there is an error; where only rows were
  altered, an answer may be another one, and then `redo index check` ends with 1; of an index that is not to be brought up to
  the store, it is said where it is not;
- after a question that may change the index, nothing in it but its rows is other than in an index that was never touched;
- nothing outside of the index is changed, and `redo index rebuild` puts everything right.
"""

import os
import random
import shutil
import sqlite3
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from kept import KILOBYTES, SEED, die, run, runs, tree, turn  # noqa: E402, F401
import kept  # noqa: E402

STORE, GROWN, OTHER = sys.argv[1:]
random = random.Random(f"index {SEED}")
HERE = os.getcwd()
SIDES = ("-wal", "-shm", "-journal")
WORD = "canary"


def index_of(store):
    return os.path.join(store, ".redo/cache/index.sqlite")


with open(index_of(STORE), "rb") as file:
    SOUND = file.read()
with open(index_of(OTHER), "rb") as file:
    FOREIGN = file.read()
QUESTIONS = [
    ["index", "query", "timeline"],
    ["index", "query", "strains"],
    ["index", "query", "recent", "0"],
    ["index", "query", "map", "--", "-90,-180,90,180"],
    ["search", "rain"],
    ["search", "--tasks", "rain"],
    ["index", "sql", "select guid, title, description from tasks order by 1"],
    ["index", "sql", "select cid, payload_json from ucr_headers order by 1"],
    ["index", "sql", "select count(*) from nodes where letter = 'G'"],
    ["index", "sql", "select fts_memories from fts_memories where fts_memories match 'rain'"],
]


def clean(store):
    """Takes away whatever is in the place of the index and what SQLite has beside it."""
    for name in os.listdir(os.path.join(store, ".redo/cache")):
        path = os.path.join(store, ".redo/cache", name)
        if name.startswith("index.sqlite"):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.remove(path)


def put(store, files):
    """Puts an index in its place, and what is to be beside it: bytes, or a function of the path."""
    clean(store)
    for suffix, contents in files.items():
        path = index_of(store) + suffix
        if callable(contents):
            contents(path)
        else:
            with open(path, "wb") as file:
                file.write(contents)


def ask(what, store, words, kilobytes=KILOBYTES):
    return run(f"{what} in {os.path.basename(store)}", ["redo", "-C", store, *words], kilobytes=kilobytes)


def objects_of(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = set(database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"))
    found |= {("config", table, *row) for table in ("fts_memories", "fts_tasks")
              for row in database.execute(f"SELECT k, v FROM {table}_config")}
    database.close()
    return found


OBJECTS = objects_of(index_of(STORE))
EXPECTED = {}
for store in (STORE, GROWN):
    for words in QUESTIONS:
        put(store, {"": SOUND})
        EXPECTED[store, tuple(words)] = ask("the sound index", store, words).out
        if not EXPECTED[store, tuple(words)]:
            die(f"{words} is not answered")
    put(store, {"": SOUND})


# --- Alterations


def altered(*statements, base=SOUND, schema=False, unnoticed=False):
    """What makes an index on which statements were run.

    Those of `schema` change its text in sqlite_schema; of those that are `unnoticed` neither a check nor an index on columns hears.
    """
    return lambda: made_by(statements, base, schema, unnoticed)


def made_by(statements, base, schema, unnoticed):
    path = os.path.join(HERE, "altered.sqlite")
    for suffix in ("", *SIDES):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    with open(path, "wb") as file:
        file.write(base)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = DELETE")
    if schema or unnoticed:
        database.execute("PRAGMA writable_schema = ON")
    if unnoticed:
        database.execute("PRAGMA ignore_check_constraints = ON")
        indexes = database.execute("SELECT * FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").fetchall()
        database.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        # The text is read again.
        database.execute("PRAGMA writable_schema = RESET")
        database.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        if isinstance(statement, tuple):
            database.execute(*statement)
        else:
            database.execute(statement)
    if unnoticed:
        database.executemany("INSERT INTO sqlite_schema VALUES(?, ?, ?, ?, ?)", indexes)
    if schema or unnoticed:
        # Connections notice a schema by its number.
        number = database.execute("PRAGMA schema_version").fetchone()[0]
        database.execute(f"PRAGMA schema_version = {number + 1}")
    database.close()
    with open(path, "rb") as file:
        return file.read()


NAMES = [row[1] for row in sorted(OBJECTS, key=str) if row[0] == "table"]
OWN = [name for name in NAMES if not name.startswith(("fts_", "grdb_"))]
INDEXES = [row[1] for row in sorted(OBJECTS, key=str) if row[0] == "index" and row[3]]
FROM_OTHERS = ["grdb_migrations", "sqlite_stat1", "sqlite_stat4"] + [
    f"{text}_{part}" for text in ("fts_memories", "fts_tasks") for part in ("data", "idx", "content", "docsize", "config")]
LIE = f"UPDATE tasks SET title = '{WORD} rain'"


def triggers():
    """Triggers have names of their own: one may be called as a table is."""
    events = [("INSERT", "nodes"), ("DELETE", "redo_index"), ("UPDATE", "tasks"), ("INSERT", "ucr_headers"),
              ("INSERT", "redo_index")]
    for name in [*FROM_OTHERS, "ucr_headers", "fts_tasks", "idx_timeline", "record_a", "sqlite_autoindex_tasks_1", "x", "", '"; --']:
        for event, table in events:
            quoted = name.replace('"', '""')
            yield (f"a trigger {name!r} on {event} of {table}", "schema", altered(
                ("INSERT INTO sqlite_schema VALUES('trigger', ?, ?, 0, ?)",
                 (name, table, f'CREATE TRIGGER "{quoted}" AFTER {event} ON {table} BEGIN {LIE}; END')), schema=True))


def views():
    for name in ("record_a", "tasks2", "grdb_migrations2", "fts", "sqlite_x"):
        yield (f"a view {name!r}", "schema", altered(
            ("INSERT INTO sqlite_schema VALUES('view', ?, ?, 0, ?)",
             (name, name, f"CREATE VIEW {name} AS SELECT '{WORD}' AS title")), schema=True))
    for name in (*OWN, *FROM_OTHERS):
        if name.startswith("sqlite_"):
            continue
        columns = ", ".join(column[1] for column in sqlite3.connect(index_of(STORE)).execute(f"PRAGMA table_info({name})"))
        yield (f"a view in place of {name}", "schema", altered(
            f"CREATE TABLE hidden AS SELECT * FROM {name}", f"DELETE FROM sqlite_schema WHERE tbl_name = '{name}'",
            ("INSERT INTO sqlite_schema VALUES('view', ?, ?, 0, ?)",
             (name, name, f"CREATE VIEW {name} AS SELECT {columns} FROM hidden")), schema=True))
    for name in ("b\"c", "a'b", "a;b", "\x1b[2J", "é" * 300, "a]b", "A", "a\n--", "x" * 5000, "", "s (2)", "\u202e"):
        for field in ("f", "a'b", '"', "\x07", ")", "guid", ""):
            yield (f"a schema called {name[:9]!r} with the field {field!r}", "rows", altered(
                ("INSERT INTO schemas VALUES(?, 'x', NULL, 'x', 'x', NULL, 0, '1', 1, 'x', '{}')", (name,)),
                ("INSERT INTO fields VALUES(?, 'i', 'text', ?, 'active', 0, 0, 0, NULL, 'x', 'x', 'x', 'x')", (name, field))))


def schemas():
    for name in OWN:
        yield f"no table {name}", "schema", altered("PRAGMA foreign_keys = OFF", f"DROP TABLE {name}")
        yield f"another name of {name}", "schema", altered(f"ALTER TABLE {name} RENAME TO {name}_2")
        yield f"a column more in {name}", "schema", altered(f"ALTER TABLE {name} ADD COLUMN more TEXT DEFAULT 'x'")
        yield f"a derived column in {name}", "schema", altered(
            f"ALTER TABLE {name} ADD COLUMN more TEXT GENERATED ALWAYS AS (json_extract('{{}}', 'x')) VIRTUAL")
        yield f"a check in {name}", "schema", altered(
            f"UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 2) || ', CHECK (1 = 0))' WHERE name = '{name}'",
            schema=True)
        yield f"a blank more in the text of {name}", "schema", altered(
            f"UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = '{name}'", schema=True)
    for name in INDEXES:
        yield f"no index {name}", "schema", altered(f"DROP INDEX {name}")
        yield f"another index {name}", "schema", altered(f"DROP INDEX {name}", f"CREATE INDEX {name} ON tasks(title)")
        yield f"an index {name} with a text that is not its own", "schema", altered(
            ("UPDATE sqlite_schema SET sql = sql || ' WHERE 1 = 0' WHERE name = ?", (name,)), schema=True)
    for name in FROM_OTHERS:
        if name.startswith("sqlite_"):
            continue
        columns = sqlite3.connect(index_of(STORE)).execute(f"PRAGMA table_info({name})").fetchall()
        yield f"no table {name}", "schema", altered(f"DELETE FROM sqlite_schema WHERE name = '{name}'", schema=True)
        yield f"a check in {name}", "schema", altered(
            f"UPDATE sqlite_schema SET sql = substr(sql, 1, instr(sql, '(')) || '{columns[0][1]} CHECK (0 = 1), ' ||"
            f" substr(sql, instr(sql, ',') + 1) WHERE name = '{name}'", schema=True)
        last = columns[-1][1]
        yield f"a derived column in {name}", "schema", altered(
            f"CREATE TABLE made ({', '.join(c[1] for c in columns)}, more GENERATED ALWAYS AS (upper({last})))",
            f"UPDATE sqlite_schema SET sql = (SELECT replace(replace(sql, 'TABLE made', 'TABLE {name}'), '\"made\"', '{name}')"
            f" FROM sqlite_schema WHERE name = 'made') WHERE name = '{name}'",
            "DELETE FROM sqlite_schema WHERE name = 'made'", schema=True)
        yield f"an index on {name}", "schema", altered(
            f"CREATE INDEX planted ON {name}({last})", schema=True)
        yield f"an index on {name} with a name of others", "schema", altered(
            f"CREATE INDEX sqlite_stat4x ON {name}({last})",
            "UPDATE sqlite_schema SET name = 'sqlite_stat4', sql = replace(sql, 'sqlite_stat4x', 'sqlite_stat4')"
            " WHERE name = 'sqlite_stat4x'", schema=True) if not name.startswith("sqlite") else None
    for text in ("fts_memories", "fts_tasks"):
        for option in ("tokenize = 'trigram'", "detail = none", "content = ''", "content = 'tasks'", "columnsize = 0", "prefix = 2"):
            yield f"{text} with {option}", "schema", altered(
                f"UPDATE sqlite_schema SET sql = replace(sql, 'tokenize = ''porter unicode61''', '{option.replace(chr(39), chr(39) * 2)}')"
                f" WHERE name = '{text}'", schema=True)
        for key, value in (("rank", "bm25(0, 9, 0, 0, 0)"), ("rank", "nosuch()"), ("rank", "highlight(1, 'a', 'b')"),
                           ("rank", "snippet(1, 'a', 'b', 'c', 64)"), ("rank", 5), ("version", 5), ("version", "x"), ("version", 0),
                           ("pgsz", 1), ("pgsz", 1 << 40), ("automerge", -1), ("crisismerge", 1 << 40), ("usermerge", "x"),
                           ("hashsize", 1), ("secure-delete", 1), ("unknown", "x"), ("x" * 100_000, b"\0" * 100_000)):
            yield f"{text} is set up with {key[:20]} = {str(value)[:20]}", "schema", altered(
                (f"REPLACE INTO {text}_config VALUES(?, ?)", (key, value)))
    for statement in ("DROP TABLE sqlite_stat1", "UPDATE sqlite_stat1 SET stat = '99999999999 1 1 1'",
                      "UPDATE sqlite_stat1 SET stat = 'x'", "UPDATE sqlite_stat1 SET idx = 'idx_timeline'",
                      "INSERT INTO sqlite_stat1 VALUES('tasks', 'x', zeroblob(99999))"):
        yield f"{statement}", "rows", altered(statement)
    for statement in (
            "CREATE TABLE planted (x)", "CREATE VIRTUAL TABLE planted USING fts5(x)",
            "CREATE VIRTUAL TABLE planted USING fts5vocab(fts_tasks, row)",
            "CREATE TABLE tasks_2 AS SELECT * FROM tasks"):
        yield statement, "schema", altered(statement)
    for name, sql in (("eponymous", "CREATE VIRTUAL TABLE eponymous USING dbstat(main)"),
                      ("none", "CREATE VIRTUAL TABLE none USING nosuch(x)"), ("grdb_migrations", "CREATE TABLE grdb_migrations (a, b)"),
                      ("grdb_migrations", "CREATE VIRTUAL TABLE grdb_migrations USING fts5(identifier)"),
                      ("fts_tasks_config", "CREATE VIRTUAL TABLE fts_tasks_config USING fts5(k, v)"),
                      ("tasks", "CREATE TABLE tasks (guid)"), ("tasks", "SELECT 1"), ("tasks", "CREATE TABLE other (guid)"),
                      ("tasks", ""), ("tasks", "x" * 2_000_000), ("tasks", "CREATE TABLE tasks (" + "(" * 50_000)):
        yield f"the text of {name} is {sql[:50]!r}", "schema", altered(
            *[("DELETE FROM sqlite_schema WHERE name = ?", (name,)),
              ("INSERT INTO sqlite_schema VALUES('table', ?, ?, 0, ?)", (name, name, sql))], schema=True)
    for column, value in (("rootpage", 0), ("rootpage", -1), ("rootpage", 1), ("rootpage", 1 << 31), ("rootpage", 3), ("type", "view"),
                          ("type", "index"), ("type", "x"), ("tbl_name", "nodes"), ("name", "nodes"), ("sql", None), ("name", None),
                          ("type", None), ("rootpage", None), ("rootpage", "x")):
        yield f"{column} of tasks is {value!r}", "rows", altered(
            (f"UPDATE sqlite_schema SET {column} = ? WHERE name = 'tasks'", (value,)), schema=True)
    roots = dict(sqlite3.connect(index_of(STORE)).execute("SELECT name, rootpage FROM sqlite_schema"))
    for one, two in (("tasks", "nodes"), ("tasks", "todos"), ("ucr_headers", "redo_chains"), ("redo_index", "grdb_migrations"),
                     ("idx_timeline", "idx_redo_timeline"), ("fts_tasks_data", "fts_memories_data")):
        yield f"the roots of {one} and {two} are exchanged", "rows", altered(
            ("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?", (roots[one], two)),
            ("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?", (roots[two], one)), schema=True)
    yield "a table twice", "schema", altered(
        "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'tasks'", schema=True)


def marks():
    """Which state of the store an index says that it has."""
    database = sqlite3.connect(index_of(STORE))
    kept_keys = dict(database.execute("SELECT key, value FROM redo_index"))
    strange = dict(sqlite3.connect(index_of(OTHER)).execute("SELECT key, value FROM redo_index"))
    values = ["", "0", "-1", "1", "9223372036854775807", "9223372036854775808", "1e9", "0x10", " 240", "+240", "00240", "x" * 100_000,
              "\x1b[2J", "\0", b"\xff\xfe", b"", 240, "f" * 64, "F" * 64, "f" * 63, "true", "null", '","received":"0']
    for key, value in kept_keys.items():
        yield f"no {key}", "rows", altered(("DELETE FROM redo_index WHERE key = ?", (key,)))
        for new in [*values, strange.get(key, "")]:
            if new != value:
                yield f"{key} is {new[:20] if isinstance(new, (str, bytes)) else new!r}", "rows", altered(
                    ("UPDATE redo_index SET value = ? WHERE key = ?", (new, key)))
    for key in ("", "more", "\x1b[2J", b"\xff", "x" * 100_000, '"'):
        yield f"a key {key[:9]!r}", "rows", altered(("INSERT INTO redo_index VALUES(?, 'x')", (key,)))
    yield "the marks of another store", "rows", altered(
        "DELETE FROM redo_index", *[("INSERT INTO redo_index VALUES(?, ?)", pair) for pair in strange.items()])
    yield "another store with marks of this one", "rows", altered(
        "DELETE FROM redo_index", *[("INSERT INTO redo_index VALUES(?, ?)", pair) for pair in kept_keys.items()], base=FOREIGN)
    yield "the index of another store", "schema", FOREIGN
    yield "a hundred thousand marks", "rows", altered(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO redo_index SELECT i, i FROM n")
    for identifier in ("v1", "v2", "v3_circles", "redo_1", "redo_2"):
        yield f"without {identifier}", "schema", altered(("DELETE FROM grdb_migrations WHERE identifier = ?", (identifier,)))
        for new in ("redo_3", "v4", "", "REDO_1", "\x1b]0;x\x07", b"\xff", identifier + "\0"):
            yield f"{identifier} as {new!r}", "schema", altered(
                ("UPDATE grdb_migrations SET identifier = ? WHERE identifier = ?", (new, identifier)))
    for new in ("redo_3", "v4", "", "\x1b]0;x\x07", b"\xff", b"v1", "redo_1\0", "x" * 1_000_000):
        yield f"{new[:9]!r} more", "schema", altered(("INSERT INTO grdb_migrations VALUES(?)", (new,)))


def cells():
    """Values that no index has."""
    values = [b"\xff\xfe", "\x1b[2J\x9b", "\0", 1 << 62, -1.5, 9e999, b"", "", "x" * 300_000, "[" * 5000, '{"a":', "\ud800".encode("utf-8", "surrogatepass")]
    for table in OWN:
        database = sqlite3.connect(index_of(STORE))
        columns = [column[1] for column in database.execute(f"PRAGMA table_info({table})")]
        if not database.execute(f"SELECT 1 FROM {table}").fetchone():
            continue
        yield f"no rows in {table}", "rows", altered("PRAGMA foreign_keys = OFF", f"DELETE FROM {table}")
        for column in columns:
            for value in random.sample(values, 4):
                shown = value[:9] if isinstance(value, (str, bytes)) else value
                statement = f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})"
                yield f"{column} in {table} is {shown!r}", "rows", altered((statement, (value,)), unnoticed=True)
    for text in ("fts_memories", "fts_tasks"):
        for part in ("data", "idx", "docsize", "content"):
            yield f"nothing in {text}_{part}", "rows", altered(f"DELETE FROM {text}_{part}")
        for value in (b"", b"\xff" * 20, b"\xff" * 5000, b"\0" * 100, "text"):
            yield f"blocks of {text} are {value[:9]!r}", "rows", altered((f"UPDATE {text}_data SET block = ?", (value,)))
            yield f"sizes of {text} are {value[:9]!r}", "rows", altered((f"UPDATE {text}_docsize SET sz = ?", (value,)))
        yield f"keys of {text} that are not in the index", "rows", altered(f"UPDATE {text}_content SET c0 = 'x' || c0")
        yield f"words of another text in {text}", "rows", altered(f"UPDATE {text}_content SET c1 = 'rain rain rain'")
        yield f"{text} is of another store", "rows", altered(
            *[(f"REPLACE INTO {text}_data VALUES(?, ?)", row)
              for row in sqlite3.connect(index_of(OTHER)).execute(f"SELECT id, block FROM {text}_data")])


def headers():
    """The 100 bytes at the beginning (sqlite.org/fileformat.html, section 1.3)."""
    fields = [(16, 2), (18, 1), (19, 1), (20, 1), (21, 1), (22, 1), (23, 1), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4), (44, 4),
              (48, 4), (52, 4), (56, 4), (60, 4), (64, 4), (68, 4), (72, 4), (92, 4), (96, 4)]
    for place, width in fields:
        was = int.from_bytes(SOUND[place:place + width], "big")
        for value in {0, 1, 2, 3, 5, 0x7F, 1 << 8 * width - 1, (1 << 8 * width) - 1, was + 1, was - 1, was * 2}:
            if 0 <= value < 1 << 8 * width and value != was:
                yield (f"{width} bytes of the header at {place} are {value}", "rows",
                       SOUND[:place] + value.to_bytes(width, "big") + SOUND[place + width:])
    for size in (512, 1024, 8192, 65_536):
        yield f"pages of {size} bytes", "rows", altered(f"PRAGMA page_size = {size}", "VACUUM")
    for word in ("UTF-16le", "UTF-16be"):
        yield f"texts in {word}", "rows", lambda word=word: encoded(word)
    for statement in ("PRAGMA application_id = 123", "PRAGMA user_version = 2147483647", "PRAGMA auto_vacuum = 2"):
        yield statement, "rows", altered(statement, "VACUUM")


def encoded(word):
    """The same database with texts in another encoding."""
    path = os.path.join(HERE, "encoded.sqlite")
    if os.path.exists(path):
        os.remove(path)
    source, target = sqlite3.connect(index_of(STORE)), sqlite3.connect(path, isolation_level=None)
    target.execute(f"PRAGMA encoding = '{word}'")
    target.execute("PRAGMA foreign_keys = OFF")
    for line in source.iterdump():
        if line not in ("BEGIN TRANSACTION;", "COMMIT;"):
            if line.startswith("INSERT INTO \"fts_") and "_" in line[18:28] or "writable_schema" in line or "sqlite_" in line[:30]:
                continue
            try:
                target.execute(line)
            except sqlite3.Error:
                pass
    target.close()
    with open(path, "rb") as file:
        return file.read()


def pages():
    """Pages that are damaged where checksums would be, if there were any."""
    size = 4096
    count = len(SOUND) // size
    for page in range(count):
        start = page * size + (100 if page == 0 else 0)
        for place, width, value in ((0, 1, 0), (0, 1, 2), (0, 1, 5), (0, 1, 10), (0, 1, 13), (1, 2, 0xFFFF), (3, 2, 0), (3, 2, 0xFFFF),
                                    (5, 2, 1), (5, 2, 0xFFFF), (7, 1, 255), (8, 2, 0), (8, 2, 0xFFFF), (8, 4, 1), (8, 4, page + 1),
                                    (8, 4, 0xFFFFFFFF)):
            at = start + place
            made = SOUND[:at] + value.to_bytes(width, "big") + SOUND[at + width:]
            if made != SOUND:
                yield f"{width} bytes at {place} of page {page + 1} are {value}", "rows", made
        for _ in range(2):
            at = random.randrange(start, (page + 1) * size)
            made = bytearray(SOUND)
            made[at:at + 4] = struct.pack(">I", random.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, random.getrandbits(32)]))
            if made != SOUND:
                yield f"another word at {at}", "rows", bytes(made)
    for _ in range(20):
        one, two = random.sample(range(1, count), 2)
        made = bytearray(SOUND)
        made[one * size:(one + 1) * size] = SOUND[two * size:(two + 1) * size]
        yield f"page {one + 1} is a copy of page {two + 1}", "rows", bytes(made)
    for length in (0, 1, 99, 100, 512, size - 1, size, size + 1, len(SOUND) - size, len(SOUND) - 1, len(SOUND) + 1, len(SOUND) + size):
        yield f"{length} bytes of it", "rows", (SOUND + bytes(size))[:length]


MAGIC = bytes.fromhex("d9d505f920a163d7")


def journal(pages, after=b"", count=None, size=4096, nonce=7):
    """A rollback journal of these pages (sqlite.org/fileformat.html, section 3), and what follows them."""
    out = MAGIC + struct.pack(">IIIII", len(pages) if count is None else count, nonce, len(SOUND) // size, 512, size)
    out += bytes(512 - len(out))
    for number, data in pages:
        total = nonce + sum(data[at] for at in range(size - 200, 0, -200))
        out += struct.pack(">I", number) + data + struct.pack(">I", total & 0xFFFFFFFF)
    return out + after


def super_name(path):
    """The end of a journal that says that others belong to it, too: SQLite removes the file of this name with the last of them."""
    name = path.encode()
    total = sum(name) & 0xFFFFFFFF
    return struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), total) + MAGIC


def log(pages, size=4096):
    """A write-ahead log that ends with a commit (section 4)."""
    def sums(data, one=0, two=0):
        for first, second in struct.iter_unpack(">II", data):
            one = (one + first + two) & 0xFFFFFFFF
            two = (two + second + one) & 0xFFFFFFFF
        return one, two

    head = struct.pack(">IIIIII", 0x377F0683, 3_007_000, size, 0, 11, 12)
    one, two = sums(head)
    out = head + struct.pack(">II", one, two)
    for place, (number, data) in enumerate(pages):
        frame = struct.pack(">II", number, len(SOUND) // size if place == len(pages) - 1 else 0)
        one, two = sums(frame + data, one, two)
        out += frame + struct.pack(">II", 11, 12) + struct.pack(">II", one, two) + data
    return out


def pages_of(data, size=4096):
    return [(at // size + 1, data[at:at + size]) for at in range(0, len(data), size)]


PRECIOUS = os.path.join(HERE, "precious")


def companions():
    """What lies beside an index."""
    def link(target):
        return lambda path: os.symlink(target, path)

    lied = altered(LIE)()
    planted = altered(("INSERT INTO sqlite_schema VALUES('trigger', 'grdb_migrations', 'nodes', 0, ?)",
                       (f"CREATE TRIGGER grdb_migrations AFTER INSERT ON nodes BEGIN {LIE}; END",)), schema=True)()
    rollback = SOUND[:18] + b"\x01\x01" + SOUND[20:]
    for name, base in (("", SOUND), (" (of a file without a log)", rollback)):
        for side in SIDES:
            yield f"{side} is a link{name}", "files", {"": base, side: link(PRECIOUS)}
            yield f"{side} is a link that leads nowhere{name}", "files", {"": base, side: link(os.path.join(HERE, "made"))}
            yield f"{side} is a folder{name}", "files", {"": base, side: os.mkdir}
            yield f"{side} is a pipe{name}", "files", {"": base, side: os.mkfifo}
            yield f"{side} is noise{name}", "files", {"": base, side: random.randbytes(9000)}
            yield f"{side} is zeros{name}", "files", {"": base, side: bytes(40_000)}
            yield f"{side} is empty{name}", "files", {"": base, side: b""}
        yield f"a log with rows that were altered{name}", "rows", {"": base, "-wal": log(pages_of(lied))}
        yield f"a log with a trigger{name}", "schema", {"": base, "-wal": log(pages_of(planted))}
        yield f"a log of another store{name}", "rows", {"": base, "-wal": log(pages_of(FOREIGN))}
        yield f"a log of pages of another size{name}", "rows", {"": base, "-wal": log(pages_of(lied, 512), 512)}
        yield f"a log that ends early{name}", "rows", {"": base, "-wal": log(pages_of(lied))[:-5000]}
        yield f"a log of pages that there are not{name}", "rows", {"": base, "-wal": log([(1 << 31, SOUND[:4096])])}
        yield f"a log of page 0{name}", "rows", {"": base, "-wal": log([(0, SOUND[:4096])])}
        yield f"a journal with rows that were altered{name}", "rows", {"": base, "-journal": journal(pages_of(lied))}
        yield f"a journal with a trigger{name}", "schema", {"": base, "-journal": journal(pages_of(planted))}
        yield f"a journal of another store{name}", "rows", {"": base, "-journal": journal(pages_of(FOREIGN))}
        yield f"a journal of no pages{name}", "rows", {"": base, "-journal": journal([], count=0)}
        yield f"a journal of endless pages{name}", "rows", {"": base, "-journal": journal(pages_of(SOUND), count=0xFFFFFFFF)}
        for what, path in (("a file", PRECIOUS), ("the keyring", os.path.join(GROWN, ".redo/config")), ("the index", index_of(GROWN))):
            yield f"a journal that leads to {what}{name}", "files", {
                "": base, "-journal": journal(pages_of(SOUND), super_name(path))}
        yield f"a journal and a log{name}", "rows", {"": base, "-journal": journal(pages_of(lied)), "-wal": log(pages_of(lied))}
    for suffix in (".new", ".new-wal", ".new-journal", ".new-shm"):
        yield f"a link in place of {suffix}", "files", {"": altered("DROP TABLE nodes")(), suffix: link(PRECIOUS)}
        yield f"a folder in place of {suffix}", "files", {"": altered("DROP TABLE nodes")(), suffix: os.mkdir}
    for what, make in (("a link", link(PRECIOUS)), ("a link that leads nowhere", link(os.path.join(HERE, "made"))), ("a folder", os.mkdir),
                       ("a pipe", os.mkfifo), ("a link to the index of another store", link(index_of(OTHER))),
                       ("a link to itself", link("index.sqlite"))):
        yield f"{what} in place of the index", "files", {"": make}


def every():
    for group in (triggers, views, schemas, marks, cells, headers, pages, companions):
        for made in group():
            if made:
                yield group.__name__, *made


# --- Asking


def outside():
    """What no question may change: the stores without what is derived, and files next to them."""
    found = []
    for store in (STORE, GROWN):
        found.append(tree(store, leaving=[".redo/cache/"]))
    with open(PRECIOUS, "rb") as file:
        found.append(file.read())
    return found, sorted(name for name in os.listdir(HERE) if not name.endswith((".sqlite", "-journal", "-wal", "-shm")))


with open(PRECIOUS, "w") as file:
    file.write("what nobody may write or remove\n")
BEFORE = outside()


def look(what, files, kind):
    told = lies = 0

    def check_outside(words):
        if outside() != BEFORE:
            die(f"{what}: '{' '.join(words)}' has changed something outside of the index")

    for store in (STORE, GROWN):
        questions = QUESTIONS if kept.SHARE == 1 else random.sample(QUESTIONS, 3)
        wrong = None
        for number, words in enumerate(questions):
            put(store, files)
            asked = words
            if number % 3 == 2 and store == STORE:
                asked = [*words[:1 if words[0] == "search" else 2], "--no-update", *words[1 if words[0] == "search" else 2:]]
            found = ask(what, store, asked)
            is_stale = asked is not words and b"does not have the present state" in found.err
            if found.status == 0 and found.out != EXPECTED[store, tuple(words)] and not is_stale:
                wrong = (asked, found)
            if found.status == 0 and asked is words and not os.path.islink(index_of(store)):
                try:
                    there = objects_of(index_of(store))
                except sqlite3.DatabaseError as error:
                    if kind == "schema":
                        die(f"{what}: after '{' '.join(words)}' the index cannot be read: {error}")
                    there = OBJECTS
                if there != OBJECTS:
                    die(f"{what}: after '{' '.join(words)}' the index has {sorted(there ^ OBJECTS, key=str)[:3]}")
            check_outside(asked)
        put(store, files)
        found = ask(what, store, ["index", "check"])
        check_outside(["index", "check"])
        told += found.status == 1 and bool(found.out)
        if wrong:
            lies += 1
            if kind == "schema" or found.status != 1:
                die(f"{what}: '{' '.join(wrong[0])}' in {os.path.basename(store)} is answered wrongly: {wrong[1]}; the check: {found}")
        put(store, files)
        found = ask(what, store, ["index", "rebuild"])
        check_outside(["index", "rebuild"])
        if found.status == 0:
            found = ask(what, store, ["index", "check", "--no-update"])
            if found.status != 0 or objects_of(index_of(store)) != OBJECTS:
                die(f"{what}: an index that was built anew is not whole: {found}")
        elif kind != "files":
            die(f"{what}: it is not built anew: {found}")
    return told, lies


counts, told, lies, number = {}, 0, 0, 0
for group, what, kind, files in every():
    number += 1
    if not turn(number, what):
        continue
    try:
        files = files() if callable(files) else files
    except sqlite3.IntegrityError:
        continue
    counts[group] = counts.get(group, 0) + 1
    one, two = look(what, files if isinstance(files, dict) else {"": files}, kind)
    told, lies = told + one, lies + two
print(f"{sum(counts.values())} of {number} altered indexes ({', '.join(f'{count} {name}' for name, count in counts.items())}),"
      f" {kept.runs} runs: {lies} gave another answer, and checks told of all of them")
