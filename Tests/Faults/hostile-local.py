"""hostile-local.py <store>: alters the file `local` one thing at a time, and makes lengths, their checks and hashes again.

What the file then says is decided here by the letter of redo-local(5): which rows hold, or that it breaks a rule.

- what is good is listed and exported, row by row, as it is read here;
- of what is wrong `redo verify` tells, no command lists, exports, adds or leaves out rows, and no byte of the file changes; a salvage
  has every good row in front of what is wrong;
- no command that reads receipts, gives them away or makes an index does what a whole file would not let it do, or ends otherwise
  than its page says.
"""

import base64
import hashlib
import json
import os
import random
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kept  # noqa: E402
from kept import SEED, die, run, tree, turn  # noqa: E402

import rfc8785  # noqa: E402

STORE, RECEIPT, OTHER = sys.argv[1:4]
random = random.Random(f"local {SEED}")
FIRST = b"redo-local 1\n"
LIMIT = 1 << 20
TIME = 1_760_000_000_000
KEY = base64.b64encode(bytes(range(32))).decode()
BLOB = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
DID = "did:phone:" + "1" * 64


def invite(number, **other):
    row = {"id": str(number), "invite_code": f"BUDS-A7F{number}-92B1", "max_uses": 1, "use_count": 0, "status": "pending",
           "created_at": 1740816000.5}
    return line("circle_invites", str(number), {**row, **other})


def person(number, **other):
    row = {"id": f"p{number}", "did": f"did:phone:{number:064d}", "display_name": f"P {number}", "pubkey_x25519": KEY, "status": "active",
           "created_at": 1.0, "updated_at": 1.0}
    return line("circles", f"p{number}", {**row, **other})


def line(table, key, row, time=TIME):
    return {"key": key, "row": row, "table": table, "time": time}


ROWS = [
    line("local_receipts", RECEIPT, {"uuid": "4a6dfd2b-8a7c-4ad1-9bd5-4b4a3a5a0f01", "is_favorited": 1, "archived": 0, "tags_json": '["night"]',
                                     "local_notes": "with Ada", "image_cids": json.dumps([BLOB]), "created_at": 1.5, "updated_at": 2}),
    person(1, phone_number="+14155551001", avatar_cid=BLOB, joined_at=2, invited_at=1),
    line("devices", "d1", {"device_id": "d1", "owner_did": DID, "device_name": "phone", "pubkey_x25519": KEY, "pubkey_ed25519": KEY,
                           "status": "active", "registered_at": 1, "last_seen_at": 2}),
    invite(1, invitee_did=DID, expires_at=2, message="come", accepted_at=3),
    line("shared_memories", "s1", {"id": "s1", "memory_cid": RECEIPT, "shared_with": json.dumps([DID]), "permissions": "view",
                                   "encrypted_payload": KEY, "wrapped_keys_json": "{}", "nonce": "AAAA", "message": "see", "shared_at": 1,
                                   "unshared_at": 2}),
    line("received_memories", "r1", {"id": "r1", "memory_cid": OTHER, "sender_did": DID, "header_cid": OTHER, "permissions": "full",
                                     "shared_at": 1, "received_at": 2, "relay_message_id": "m1"}),
    line("locations", BLOB, {"cid": BLOB, "receipt_cid": RECEIPT, "location_type": "precise", "latitude": 52.5, "longitude": 13.25,
                             "altitude": 30, "accuracy": 5, "fuzzy_lat": 52.5, "fuzzy_lon": 13.25, "fuzzy_radius": 500, "place_name": "Park",
                             "place_category": "park", "captured_at": 1, "delay_share_until": 9, "created_at": 1,
                             "salt": base64.b64encode(bytes(16)).decode()}),
    line("blobs", BLOB, {"cid": BLOB, "mime_type": "image/jpeg", "size": 7, "local_path": "x", "encrypted": 0, "thumbnail_cid": BLOB,
                         "created_at": 1}),
    line("receipt_blobs", f"{RECEIPT}/{BLOB}", {"receipt_cid": RECEIPT, "blob_cid": BLOB, "position": 0}),
]
STARRED = {
    "local_receipts": ["uuid", "is_favorited", "created_at", "updated_at"],
    "circles": ["id", "did", "display_name", "pubkey_x25519", "status", "created_at", "updated_at"],
    "devices": ["device_id", "owner_did", "device_name", "pubkey_x25519", "pubkey_ed25519", "status", "registered_at"],
    "circle_invites": ["id", "invite_code", "max_uses", "use_count", "status", "created_at"],
    "shared_memories": ["id", "memory_cid", "shared_with", "permissions", "shared_at"],
    "received_memories": ["id", "memory_cid", "sender_did", "header_cid", "permissions", "shared_at", "received_at"],
    "locations": ["cid", "location_type", "captured_at", "created_at"],
    "blobs": ["cid", "mime_type", "size", "encrypted", "created_at"],
    "receipt_blobs": ["receipt_cid", "blob_cid", "position"],
}
KEYS = {"local_receipts": [], "circles": ["id"], "devices": ["device_id"], "circle_invites": ["id"], "shared_memories": ["id"],
        "received_memories": ["id"], "locations": ["cid"], "blobs": ["cid"], "receipt_blobs": ["receipt_cid", "blob_cid"]}
FREE = {"local_notes", "display_name", "device_name", "message", "place_name", "place_category", "local_path"}
WORDS = {"status", "permissions", "location_type"}
FLAGS = {"is_favorited", "archived", "encrypted"}
COUNTS = {"max_uses", "use_count", "fuzzy_radius", "size", "position"}
TEXTS = ["", "a\0b", "\x1b]0;owned\x07\x1b[2J", "a\x7fb", "a\x9b31mb", "\u202eabc\u2066d", "a\nb\r\tc", "\ufdd0\uffff", "%s%n", "'\"`$(id)",
         "../../../x", "x" * 60_000, "a" + "\u0301" * 3000, "\u2028"]


# --- Files of records of lines


def framed(payload, length=None, check=None, digest=None):
    head = b"@%08x" % (len(payload) if length is None else length)
    head += b" " + (hashlib.sha256(head).hexdigest()[:8].encode() if check is None else check) + b"\n"
    return head + payload + (hashlib.sha256(head + payload).digest() if digest is None else digest)


def payload(rows):
    return b"".join((row if isinstance(row, bytes) else rfc8785.dumps(row)) + b"\n" for row in rows)


def of_rows(*records):
    return FIRST + b"".join(framed(payload(rows)) for rows in records)


def held(rows):
    """The last row of each key."""
    last = {}
    for row in rows:
        last[row["table"], row["key"]] = rfc8785.dumps(row)
    return [last[key] for key in sorted(last)]


GOOD, TORN, WRONG, EITHER = "good", "torn", "wrong", "either"


def altered_rows():
    """Alterations of one row: a name, the row as an object or bytes, and what follows; the others stand before and behind."""
    for place, whole in enumerate(ROWS):
        table = whole["table"]
        for column in whole["row"]:
            def with_value(value):
                row = {**whole["row"], column: value}
                key = "/".join(str(row[name]) for name in KEYS[table]) if column in KEYS[table] else whole["key"]
                return {**whole, "row": row, "key": key}
            name = f"{table}.{column}"
            less = {**whole, "row": {key: value for key, value in whole["row"].items() if key != column}}
            yield place, f"{name} missing", less, WRONG if column in STARRED[table] else EITHER if column in ("accuracy", "salt") else GOOD
            for kind, value in ("null", None), ("a list", []), ("an object", {}), ("true", True):
                yield place, f"{name} {kind}", with_value(value), WRONG
            if isinstance(whole["row"][column], str):
                yield place, f"{name} a number", with_value(1), WRONG
                for number, text in enumerate(TEXTS):
                    verdict = WRONG if column in WORDS else EITHER
                    if column in FREE and text and text.isprintable() and len(text) < 1000:
                        verdict = GOOD
                    yield place, f"{name} text {number}", with_value(text), verdict
            else:
                yield place, f"{name} a text", with_value("1"), WRONG
                for value in -1, 2, 1.5, 2**53, -(2**53), 1e300, -1e300:
                    verdict = EITHER
                    if column in FLAGS or column in COUNTS and value in (-1, 1.5) or abs(value) == 1e300:
                        verdict = WRONG
                    yield place, f"{name} {value}", with_value(value), verdict
        yield place, f"{table} another column", {**whole, "row": {**whole["row"], "colour": "red"}}, WRONG
        yield place, f"{table} null", {**whole, "row": None}, EITHER
        yield place, f"{table} no object", {**whole, "row": []}, WRONG
        for other in ROWS:
            if other["table"] != table:
                yield place, f"{table} called {other['table']}", {**whole, "table": other["table"]}, WRONG
        for value in "", "x", "\x1b[2J", "a/b", 7, None:
            verdict = WRONG if KEYS[table] or value != "x" else EITHER
            yield place, f"{table} key {value!r}", {**whole, "key": value}, WRONG if table == "local_receipts" else verdict
        for value, verdict in (-1, EITHER), (0, GOOD), (2**53, EITHER), (1.5, WRONG), ("1", WRONG), (None, WRONG), (253402300799999, GOOD):
            yield place, f"{table} time {value!r}", {**whole, "time": value}, verdict
        for member in whole:
            yield place, f"{table} without {member}", {key: value for key, value in whole.items() if key != member}, WRONG
        yield place, f"{table} one more member", {**whole, "other": 1}, WRONG
        plain = rfc8785.dumps(whole)
        for name, text in (
            ("blanks", json.dumps(whole, sort_keys=True).encode()),
            ("another order", json.dumps(dict(reversed(list(whole.items()))), separators=(",", ":")).encode()),
            ("another spelling", plain.replace(b'"time":1', b'"tim\\u0065":1')),
            ("a blank behind", plain + b" "), ("a blank before", b" " + plain), ("a mark before", b"\xef\xbb\xbf" + plain),
            ("a member twice", plain[:-1] + b',"time":1}'), ("table twice", b'{"table":"blobs",' + plain[1:]),
            ("cut", plain[:-1]), ("behind it", plain + b"{}"), ("no UTF-8", plain.replace(b'"row"', b'"r\xffw"')), ("an empty line", b""),
            ("a number", b"7"), ("a carriage return", plain + b"\r"), ("a NUL", plain + b"\0"),
            ("a half of a pair", plain.replace(b'"key":"', b'"key":"\\ud800', 1)),
            ("deep", plain.replace(b'"row":{', b'"row":{"deep":' + b"[" * 100_000 + b"]" * 100_000 + b",", 1))):
            yield place, f"{table} {name}", text, WRONG


def files():
    """Every file: a name, its bytes, whether it is good, the rows that hold, and those that a salvage has in any case."""
    whole = of_rows(ROWS)
    for place, name, row, verdict in altered_rows():
        rows = [*ROWS[:place], row, *ROWS[place + 1:]]
        others = held(ROWS[:place] + ROWS[place + 1:])
        try:
            text = payload(rows)
        except Exception:  # What canonical JSON cannot write, such as integers of more than 53 bits, is written as Python does.
            text = payload([json.dumps(each, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")
                            if each is row else each for each in rows])
        good = held(rows) if verdict == GOOD else None
        yield name, FIRST + framed(text), verdict, good, others
    all_of = held(ROWS)
    # Two rows that may not be there at once, and what takes the place of another.
    yield "a code twice", of_rows(ROWS, [invite(2, invite_code="BUDS-A7F1-92B1")]), WRONG, None, []
    yield "a did twice", of_rows(ROWS, [person(2, did=ROWS[1]["row"]["did"])]), WRONG, None, []
    second = line("local_receipts", OTHER, dict(ROWS[0]["row"]))
    yield "a uuid twice", of_rows(ROWS, [second]), WRONG, None, []
    yield "a message twice", of_rows(ROWS, [line("received_memories", "r2", {**ROWS[5]["row"], "id": "r2"})]), WRONG, None, []
    many = [person(number) for number in range(2, 13)]
    yield "12 active people", of_rows(ROWS, many), GOOD, held(ROWS + many), []
    yield "13 active people", of_rows(ROWS, [*many, person(13)]), WRONG, None, []
    yield "13 people, one removed", of_rows(ROWS, [*many, person(13, status="removed")]), GOOD, held([*ROWS, *many, person(13, status="removed")]), []
    taken = [*ROWS, {**invite(1), "row": None}, invite(2, invite_code="BUDS-A7F1-92B1")]
    yield "a code of one that was taken away", of_rows(taken), GOOD, held(taken), []
    yield "more used than may be", of_rows([*ROWS, invite(1, use_count=2)]), WRONG, None, []
    old = [*ROWS, {**invite(1, message="old"), "time": 1}]
    yield "the last one holds, whatever its time", of_rows(old), GOOD, held(old), []
    # Records.
    good = framed(payload(ROWS))
    record = framed(payload([invite(3)]))
    more = held([*ROWS, invite(3)])
    yield "two records", FIRST + good + record, GOOD, more, []
    yield "a record twice", FIRST + good + good, GOOD, all_of, []
    yield "no record", FIRST, GOOD, [], []
    yield "an empty record", FIRST + good + framed(b""), EITHER, None, all_of
    yield "a record of an empty line", FIRST + good + framed(b"\n"), WRONG, None, all_of
    yield "a record without a line feed", FIRST + good + framed(payload([invite(3)])[:-1]), WRONG, None, all_of
    for name, first in (("empty", b""), ("version 2", b"redo-local 2\n"), ("version 01", b"redo-local 01\n"), ("of created", b"redo-created 1\n"),
                        ("with a carriage return", b"redo-local 1\r\n"), ("cut", b"redo-local 1"), ("upper case", b"Redo-local 1\n")):
        yield f"a first line {name}", first + good, WRONG, None, []
    yield "no byte", b"", EITHER, None, []
    size = len(payload([invite(3)]))
    for name, length in ("0", 0), ("less", size - 1), ("more", size + 1), ("all", 0xFFFFFFFF), ("half", 0x7FFFFFFF), ("4 MiB", 4 << 20), ("9 MiB", 9 << 20):
        verdict = TORN if size < length < 5 << 20 else WRONG
        yield f"a length {name}", FIRST + good + framed(payload([invite(3)]), length), EITHER if verdict == TORN else WRONG, None, all_of
        yield f"a length {name}, and no check", FIRST + good + framed(payload([invite(3)]), length, check=b"00000000"), WRONG, None, all_of
    yield "no hash", FIRST + good + framed(payload([invite(3)]), digest=bytes(32)), WRONG, None, all_of
    yield "a hash of the first that is none", FIRST + framed(payload(ROWS), digest=bytes(32)) + record, WRONG, None, []
    yield "a head in upper case", FIRST + good + record.replace(record[1:9], record[1:9].upper(), 1), EITHER, None, all_of
    yield "a head without its mark", FIRST + good + b"#" + record[1:], WRONG, None, all_of
    for cut in {*range(1, 20), size, size + 10, *random.sample(range(20, len(record)), 20)}:
        yield f"{cut} bytes of a record", FIRST + good + record[:cut], TORN, all_of, []
    for name, tail in ("a line feed", b"\n"), ("noise", random.randbytes(99)), ("a line", payload([invite(3)])), ("a bit and NULs", b"\1" + bytes(63)):
        yield f"{name} behind it", FIRST + good + tail, WRONG, None, all_of
    # As a loss of power leaves them.
    yield "NULs behind it", FIRST + good + bytes(64), TORN, all_of, []
    yield "NULs in its place", FIRST + good + bytes(len(record)), TORN, all_of, []
    for bit in random.sample(range(8 * len(FIRST), 8 * len(whole)), 40):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit}", bytes(data), WRONG, None, []
    large = line("shared_memories", "s2", {**ROWS[4]["row"], "id": "s2", "message": ""})
    room = LIMIT - len(rfc8785.dumps(large))
    for name, count, verdict in ("1 MiB", room, GOOD), ("1 MiB and one", room + 1, WRONG):
        large["row"]["message"] = "x" * count
        rows = [*ROWS, json.loads(json.dumps(large))]
        yield f"a row of {name}", of_rows(rows), verdict, held(rows) if verdict == GOOD else None, all_of
    rows = [invite(1, message=f"{number}") for number in range(40_000)]
    # A record has 4 MiB at most.
    yield "40,000 rows of one key", of_rows(*(rows[each:each + 8_000] for each in range(0, len(rows), 8_000))), GOOD, held(rows), []
    yield "40,000 rows in one record", of_rows(rows), WRONG, None, []


# --- A store that has such a file

READERS = [["receipt", "list"], ["receipt", "show", RECEIPT], ["device", "list"], ["circle", "list"], ["share", "list"], ["search", "dream"],
           ["index", "query", "timeline"], ["index", "check"], ["log"], ["gc", "-n"], ["wipe", "-n", "--all"], ["export", "-q", "--kind=receipt"]]


def check(name, data, verdict, rows, salvaged):
    shutil.rmtree("here", ignore_errors=True)
    shutil.copytree(STORE, "here", symlinks=True)
    path = "here/.redo/local"
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o600)
    before = tree("here", leaving=(".redo/cache",))
    redo = ["redo", "-C", "here"]
    limit = kept.KILOBYTES + 3 * len(data) // 1024
    audit = run(name, [*redo, "verify"], kilobytes=limit)
    told = {each.split(b" ")[1] for each in audit.out.splitlines() if each.startswith(b"error ")}
    listed = run(name, [*redo, "local", "list", "--json"], data=True, kilobytes=limit)
    run(name, [*redo, "local", "list"], kilobytes=limit)
    given = run(name, [*redo, "local", "export", "-q"], data=True, kilobytes=limit)
    if verdict == EITHER:
        verdict = GOOD if listed.status == 0 else WRONG
    is_good = verdict != WRONG
    if (audit.status == 0) != is_good or bool(told & {b"local-row", b"local-corrupt"}) == is_good:
        die(f"{name} is {verdict}: verify: {audit}")
    if (listed.status == 0) != is_good or (given.status == 0) != is_good:
        die(f"{name} is {verdict}: list: {listed}; export: {given}")
    if rows is not None and given.out.splitlines() != rows:
        die(f"{name}: other rows are exported: {given}")
    saved = run(name, [*redo, "local", "export", "-q", "--salvage"], data=True, kilobytes=limit)
    if saved.status != (0 if is_good else 1) or is_good and saved.out != given.out:
        die(f"{name} is {verdict}: salvage: {saved}")
    if not set(salvaged) <= set(saved.out.splitlines()):
        die(f"{name}: a salvage loses {set(salvaged) - set(saved.out.splitlines())}: {saved}")
    # What rows that hold say nothing of is nobody else's; where they do not hold, nobody knows.
    is_shared = not is_good or any(each["table"] == "received_memories" and each["row"] and each["row"]["header_cid"] == OTHER
                                   for each in map(json.loads, given.out.splitlines()))
    for words in READERS:
        done = run(name, [*redo, *words], data=words[0] == "export", kilobytes=limit)
        if words[0] == "export" and is_shared and OTHER.encode() in done.out:
            die(f"{name}: what somebody has shared leaves: {done}")
    if tree("here", leaving=(".redo/cache",)) != before:
        die(f"{name}: a reader has changed the store")
    new = rfc8785.dumps({"row": invite(9)["row"], "table": "circle_invites"})
    done = run(name, [*redo, "local", "put"], given=new + b"\n", kilobytes=limit)
    if (done.status == 0) != is_good:
        die(f"{name} is {verdict}: put: {done}")
    kept_rows = run(name, [*redo, "gc", "-q"], kilobytes=limit)
    run(name, [*redo, "index", "update"], kilobytes=limit)
    with open(path, "rb") as file:
        after = file.read()
    if not is_good:
        if after != data:
            die(f"{name}: the file has changed: {done} {kept_rows}")
        return
    end = run(name, [*redo, "local", "export", "-q"], data=True, kilobytes=limit)
    there = [each for each in end.out.splitlines() if json.loads(each)["key"] != "9"]
    if end.status or there != given.out.splitlines():
        die(f"{name}: after put and gc other rows hold: {end}, not {given}")


count = 0
for number, (name, data, verdict, rows, salvaged) in enumerate(files()):
    if turn(number, name):
        check(name, data, verdict, rows, salvaged)
        count += 1
print(f"{count} of {number + 1} files, {kept.runs} commands")
