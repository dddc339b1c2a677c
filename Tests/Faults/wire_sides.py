"""What hostile-server.py and hostile-client.py share: objects, packs and turns of redo-wire(5) that one thing can be wrong in, and a
reader of stores. Written from redo-wire(5), redo-pack(5) and redo-store(5); it shares no code with the sources.
"""

import base64
import copy
import hashlib
import json
import os
import re
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, "..", "Scripts"), os.path.join(HERE, "..", "Oracle")]

import answer_ranges as ranges  # noqa: E402
import peer  # noqa: E402
import read_pack  # noqa: E402
import wire  # noqa: E402, F401
from wire import MAGIC, frame, text, varint  # noqa: E402, F401

START = (0, 0, bytes(32))
KINDS = ["node", "receipt", "schema"]
NUMBERS = {"node": 0, "receipt": 1, "schema": 2}


def digest(data):
    return hashlib.sha256(data).digest()


class Thing:
    """A node, a receipt or a schema: its body, signature, and place among the others."""

    def __init__(self, row):
        self.row = row
        self.kind = "receipt" if "cbor" in row else "schema" if "schema" in row else "node"
        self.body = peer.body(row)
        self.signature = peer.signature(row)
        self.id = digest(self.body)
        if self.kind == "receipt":
            import dag_cbor  # only here: not every caller has it

            said = dag_cbor.decode(self.body)
            parent = peer.parent_of(self.body)
            self.parents = [parent] if parent else []
            root = said["rootCID"]
            root = self.id if root == "SELF" else base64.b32decode(root[1:].upper() + "======")[4:]
            self.group = "receipts/" + root.hex()
            claimed = dag_cbor.decode(said["payload"]).get("claimed_time_ms", 0)
            self.place = (1, claimed, self.id)
        else:
            assert row["id"] == "sha256:" + self.id.hex(), row["id"]
            self.parents = [bytes.fromhex(parent[7:]) for parent in row["parents"]]
            lamports, _, walls, _ = peer.span([row])
            self.place = (lamports, walls, self.id)
            if self.kind == "node":
                self.group = "heads/" + row.get("taskId", "-")
            else:
                from schema_log import ref_of

                self.group = ref_of(row["definition"])
        self.is_card = self.kind == "receipt" and b"device.registered" in self.body
        self.fingerprint = digest(self.id + self.signature)

    def entry(self):
        return (*self.place, self.fingerprint)


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [Thing(json.loads(line)) for line in lines]


def closed(things, known=()):
    """Those whose ancestors are all among them, or known."""
    here = {thing.id: thing for thing in things}
    known = set(known)
    while True:
        left = [id for id, thing in here.items() if not all(parent in here or parent in known for parent in thing.parents)]
        if not left:
            return list(here.values())
        for id in left:
            del here[id]


def divided(things, count):
    """So many of them, with their parents, and two parts of the others that have theirs among these or in the same part."""
    things = in_order(closed(things))
    common, sides = things[:count], ([], [])
    for thing in things[count:]:
        fits = [side for side in sides if set(thing.parents) <= {other.id for other in common + side}]
        if fits:
            min(fits, key=len).append(thing)
    return common, *sides


def in_order(things):
    """Parents before children, cards before all others."""
    here, done, out = {thing.id: thing for thing in things}, set(), []

    def add(thing):
        if thing.id in done:
            return
        done.add(thing.id)
        for parent in thing.parents:
            if parent in here:
                add(here[parent])
        out.append(thing)

    for thing in sorted(things, key=lambda each: (not each.is_card, each.place)):
        add(thing)
    return out


def heads(things):
    """The refs that name the ends of a history, as `(id, name)`."""
    here = {thing.id: thing for thing in things}
    below = set()
    for thing in things:
        # Everything that is an ancestor by any path and of the same group is no head.
        stack, seen = list(thing.parents), set()
        while stack:
            id = stack.pop()
            if id in seen or id not in here:
                continue
            seen.add(id)
            if here[id].group == thing.group:
                below.add(id)
            stack += here[id].parents
    return sorted((thing.id.hex(), thing.group) for thing in things if thing.id not in below)


def same(value):
    return value


def pack(things, kind=None, **lie):
    """A pack of one frame (redo-pack(5)); each part can be changed by a function before what covers it is computed."""
    kind = kind or things[0].kind

    def told(name, value):
        return lie.get(name, same)(value)

    signed = b"" if all(thing.signature for thing in things) else bytes(1 if thing.signature else 0 for thing in things)
    streams = [
        b"",
        bytes(len(things)),
        b"".join(text(thing.body) for thing in things),
        signed,
        b"".join(thing.signature for thing in things),
        b"",
        b"",
    ]
    columns = told("columns", b"".join(map(peer.stream, told("streams", streams))))
    size = sum(len(thing.body) for thing in things)
    head = struct.pack("<III", told("frame_bytes", len(columns)), told("frame_nodes", len(things)), told("frame_size", size))
    framed = told("frame", head + told("frame_hash", digest(head + columns)[:16]) + columns)
    start = told("start", b"\x89redopack\r\n" + (b"\1" if kind == "node" else bytes([2, NUMBERS[kind]])))
    ids = {thing.id for thing in things}
    before = told("before", sorted({parent for thing in things for parent in thing.parents} - ids))
    places = [(0, 0) if kind == "receipt" else thing.place[:2] for thing in things]
    span = told("span", [f(place[at] for place in places) for at in (0, 1) for f in (min, max)])
    entry = struct.pack(
        "<QIIIQQqq",
        told("entry_place", len(start)),
        told("entry_bytes", len(framed)),
        told("entry_nodes", len(things)),
        told("entry_size", size),
        *span,
    )
    named = told("name", digest(b"".join(thing.id for thing in things)))
    directory = struct.pack("<I", told("zero", 0)) + named
    directory += struct.pack(
        "<QQII", told("nodes", len(things)), told("size", size), told("frames", 1), told("befores", len(before)) & 0xFFFFFFFF
    )
    directory = told("directory", directory + told("entry", entry) + b"".join(before))
    whole = start + framed + directory + struct.pack("<Q", told("place", len(start + framed)))
    return told("after", told("whole", whole) + told("hash", digest(told("whole", whole))))


def as_frames(packs):
    """The frames of packs, as (kind, payload)."""
    out = []
    for one in packs:
        out += [(4, one[start : start + 1048576]) for start in range(0, len(one), 1048576)]
        out.append((5, struct.pack("<Q", len(one))))
    return out


def as_bytes(frames):
    """Frames as bytes; what is bytes already stays."""
    return b"".join(each if isinstance(each, bytes) else frame(*each) for each in frames)


def parts(message):
    """(start, end, mode, what follows) of each range of a message that is as it should be."""
    reader, start = ranges.Reader(message), START
    while reader.place < len(message):
        mode = reader.take(1)[0]
        end = reader.bound(start)
        if mode == 1:
            said = reader.take(16)
        elif mode == 2:
            said = [reader.take(8) for _ in range(reader.varint())]
        elif mode == 3:
            count = reader.varint()
            said = (count, reader.take((count + 7) // 8), [reader.take(8) for _ in range(reader.varint())])
        else:
            said = None
        yield start, end, mode, said
        start = end


def row(id, rule, detail=b""):
    """What is said of a node that is not taken."""
    return id + bytes([len(rule)]) + rule + text(detail)


# MARK: What can be wrong in either direction

WORDS = {
    name: text(said)
    for name, said in {
        "in capitals": b"Nodes-1",
        "not ascending": b"b a",
        "twice the same": b"a a",
        "with two blanks": b"a  b",
        "with a blank before": b" a",
        "with a blank behind": b"a ",
        "with a line": b"a_b",
        "with NUL": b"a\0b",
        "with an escape": b"a\x1b[31m",
        "with a tab": b"a\tb",
        "with a line feed": b"a\nb",
        "with a letter beyond ASCII": "é".encode(),
        "that are no text": b"\xff\xfe",
        "of 4,097 bytes": b"a" * 4097,
    }.items()
}
WORDS |= {
    "longer than said": varint(60) + b"a",
    "of 2^63 bytes": varint(1 << 63),
    "of 2^64 - 1 bytes": varint((1 << 64) - 1),
    "of 2^64 bytes": varint(1 << 64),
    "in a long number": b"\x81\0a",
    "in an endless number": b"\x80" * 30,
    "that are missing": b"",
}


def numbered():
    """Words that a side may know, with all that may stand in the place of a number."""
    for word in (
        "nodes-",
        "schemas-",
        "waits-",
        "private-",
        "lacks-",
        "body-",
        "withholds-",
        "known-since-",
        "withheld-",
        "access-",
        "grown-",
        "remembers-",
        "root-",
        "node-",
        "task-",
        "since-",
        "kind-",
        "withheld-form-1-1-",
        "withheld-form-1-",
    ):
        for number in (
            "",
            "0",
            "1",
            "-1",
            "007",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            "9" * 60,
            "a",
            "1-1",
            "0123456789abcdef",
        ):
            yield word + number


def bound(count, lamport, wall, id=b""):
    return bytes([count]) + varint(lamport) + ranges.signed(wall) + id


END_OF_ALL = b"\xff"
RANGES = {
    "a mode of 7": b"\7" + END_OF_ALL,
    "a mode of 255": b"\xff" + END_OF_ALL,
    "an id of 33 bytes": b"\4" + bound(33, 1, 0, b"i" * 33),
    "an id of 254 bytes": b"\4" + bound(254, 1, 0, b"i" * 254),
    "an id that ends with 0": b"\4" + bound(2, 1, 0, b"i\0") + b"\4" + END_OF_ALL,
    "lamport 0": b"\4" + bound(0, 0, 5) + b"\4" + END_OF_ALL,
    "a lamport beyond 2^48": b"\4" + bound(0, (1 << 48) + 1, 5) + b"\4" + END_OF_ALL,
    "a lamport of 2^64 - 1": b"\4" + bound(0, (1 << 64) - 1, 5) + b"\4" + END_OF_ALL,
    "lamports that run over": b"\4" + bound(0, 1 << 47, 5) + b"\4" + bound(0, (1 << 64) - 1, 5) + b"\4" + END_OF_ALL,
    "a wall before the year 1": b"\4" + bound(0, 1, -62135596800001) + b"\4" + END_OF_ALL,
    "a wall behind the year 9999": b"\4" + bound(0, 1, 253402300800000) + b"\4" + END_OF_ALL,
    "a wall of 2^63 - 1": b"\4" + bound(0, 1, (1 << 63) - 1) + b"\4" + END_OF_ALL,
    "a wall of -2^63": b"\4" + bound(0, 1, -(1 << 63)) + b"\4" + END_OF_ALL,
    "walls that run over": b"\4" + bound(0, 1, 253402300799999) + b"\4" + bound(0, 1, (1 << 63) - 1) + b"\4" + END_OF_ALL,
    "bounds that stand still": b"\4" + bound(0, 5, 5) + b"\4" + bound(0, 0, 0) + b"\4" + END_OF_ALL,
    "bounds that go back": b"\4" + bound(1, 5, 5, b"b") + b"\4" + bound(1, 0, 0, b"a") + b"\4" + END_OF_ALL,
    "a range behind the end": b"\4" + END_OF_ALL + b"\4" + END_OF_ALL,
    "settled twice": b"\0" + bound(0, 1, 5) + b"\0" + bound(0, 1, 5) + b"\4" + END_OF_ALL,
    "settled at the end": b"\0" + END_OF_ALL,
    "a fingerprint cut short": b"\1" + END_OF_ALL + b"f" * 15,
    "an empty list": b"\2" + END_OF_ALL + b"\0",
    "a list of 1,025": b"\2" + END_OF_ALL + varint(1025) + b"s" * 8 * 1025,
    "a list that ends too early": b"\2" + END_OF_ALL + b"\2" + b"s" * 8,
    "a list of 2^60": b"\2" + END_OF_ALL + varint(1 << 60),
    "a list of 2^64 - 1": b"\2" + END_OF_ALL + varint((1 << 64) - 1),
    "an answer to a list of none": b"\3" + END_OF_ALL + b"\0\0",
    "an answer to a list of 1,025": b"\3" + END_OF_ALL + varint(1025) + b"\xff" * 129 + b"\0",
    "an answer with bits behind the last": b"\3" + END_OF_ALL + b"\1\x02\0",
    "an answer that ends too early": b"\3" + END_OF_ALL + b"\x09\0",
    "an answer to a list of 2^63": b"\3" + END_OF_ALL + varint(1 << 63),
    "later, and then more": b"\6" + bound(0, 1, 5) + b"\4" + END_OF_ALL,
    "later twice": b"\6" + END_OF_ALL + b"\6" + END_OF_ALL,
    "a bound that ends too early": b"\4\1",
    "a number in a long form": b"\4" + b"\0\x81\0\0" + b"\4" + END_OF_ALL,
    "a mode and nothing": b"\4",
    "a number of 11 bytes": b"\4\0" + b"\xff" * 10 + b"\1\0",
}


def pack_lies():
    """(name, verdict, kinds, what `pack` is told) of packs that are not what they should be, whose hashes are right."""
    numbers = {
        "frame_nodes": (-1, 1, 4097, 0xFFFFFFFF),
        "frame_size": (-1, 1, 0xFFFFFFFF),
        "frame_bytes": (-1, 1, 0x7FFFFFFF),
        "entry_place": (-1, 1, 1 << 62),
        "entry_bytes": (-1, 1, 0xFFFFFFFF),
        "entry_nodes": (-1, 1, 0xFFFFFFFF),
        "entry_size": (-1, 1, 0xFFFFFFFF),
        "zero": (1,),
        "nodes": (-1, 1, 10001, (1 << 64) - 1),
        "size": (-1, 1, (1 << 64) - 1),
        "frames": (-1, 1, 0xFFFFFFFF),
        "befores": (-1, 1, 0xFFFFFFFF),
        "place": (-1, 1, 12, (1 << 64) - 1),
    }
    for name, more in numbers.items():
        for number in more:
            change = lambda was, number=number: was + number if abs(number) == 1 else number
            # A receiver makes a directory of its own; that of a pack that comes is covered by the hash, and may be passed over.
            verdict = "bad" if name.startswith("frame_") or name == "zero" else "either"
            yield f"{name} {number:+}", verdict, KINDS, {name: change}
    bytes_ = {
        "start": [
            lambda was: was[1:],
            lambda was: was[:11] + b"\3" + was[12:],
            lambda was: was[:11] + b"\0" + was[12:],
            lambda was: b"\x89REDOPACK\r\n" + was[11:],
        ],
        "name": [lambda was: digest(was)],
        "frame_hash": [lambda was: digest(was)[:16]],
        "hash": [lambda was: digest(was)],
        "before": [
            lambda was: was + [b"\xff" * 32],
            lambda was: was[1:] or [b"\xff" * 32],
            lambda was: was + was[-1:] or [b"\0" * 32],
            lambda was: was[::-1] if len(was) > 1 else [b"\1" * 32],
        ],
        "directory": [lambda was: was[:-1], lambda was: was + b"\0"],
        "whole": [lambda was: was[:-1], lambda was: was + b"\0", lambda was: was[:40] + was[-40:]],
        "after": [lambda was: was + b"\0", lambda was: was[:-1], lambda was: was[: len(was) // 2], lambda was: was + was],
        "columns": [
            lambda was: was + b"\0",
            lambda was: was[:-1],
            lambda was: b"",
            lambda was: varint(1 << 62) + was,
            lambda was: b"\xff" * 9 + b"\1" + was,
        ],
        "frame": [lambda was: was + was, lambda was: b"", lambda was: was[:20]],
        "streams": [
            lambda was: was[1:],
            lambda was: was + [b""],
            lambda was: [b"x\n"] + was[1:],
            lambda was: [was[0], b"\1" * len(was[1])] + was[2:],
            lambda was: was[:2] + [was[2] + b"\1x"] + was[3:],
            lambda was: was[:2] + [was[2][:-1]] + was[3:],
            lambda was: was[:2] + [varint((1 << 64) - 1) + was[2]] + was[3:],
            lambda was: was[:3] + [b"\2" * len(was[1])] + was[4:],
            lambda was: was[:4] + [was[4][:-1]] + was[5:],
            lambda was: was[:4] + [was[4] + b"s" * 64] + was[5:],
            lambda was: was[:5] + [b"i" * 32] + was[6:],
            lambda was: was[:6] + [b"u" * 16] + was[7:],
            lambda was: was[:1] + [b""] + was[2:],
        ],
        "span": [
            lambda was: [was[1] + 1] + was[1:],
            lambda was: [(1 << 64) - 1] * 2 + was[2:],
            lambda was: was[:2] + [(1 << 63) - 1, -(1 << 63)],
        ],
    }
    for name, changes in bytes_.items():
        for number, change in enumerate(changes):
            verdict = (
                "either"
                if name in ("before", "span", "name", "directory") or (name, number) in (("whole", 0), ("whole", 1), ("frame", 0))
                else "bad"
            )
            # A shape that no body has changes nothing where there may be shapes.
            kinds = ["receipt"] if (name, number) == ("streams", 2) else KINDS
            # Where a frame would begin stands what says that none follows.
            verdict = "any" if (name, number) in (("columns", 2), ("frame", 1)) else verdict
            yield f"{name} {number}", verdict, kinds, {name: change}


def renamed(thing, body):
    thing.body, thing.id = body, digest(body)


def spoilt(things, change):
    """The last of them, which nobody follows, is spoilt."""
    last = copy.copy(things[-1])
    change(last)
    return things[:-1] + [last]


SPOILT = {
    "another's signature": lambda thing: setattr(thing, "signature", digest(thing.signature) * 2),
    "signatures of zeros": lambda thing: setattr(thing, "signature", bytes(64)),
    "the least of it signed": lambda thing: setattr(thing, "signature", b""),
    "a byte more in a body": lambda thing: renamed(thing, thing.body + b" "),
    "a byte less in a body": lambda thing: renamed(thing, thing.body[:-1]),
    "an empty body": lambda thing: renamed(thing, b""),
    "a body of zeros": lambda thing: renamed(thing, bytes(100)),
    "a body of 300 kB": lambda thing: renamed(thing, b"[" * 300000),
}


# MARK: Stores

ID = re.compile(rb'"id":"sha256:([0-9a-f]{64})"')


class Store:
    """A store, read from its files alone."""

    def __init__(self, path):
        self.path = os.path.join(path, ".redo")

    def files(self):
        """Every byte that counts: all files but what can be made again, and the lock files, which are empty."""
        out = {}
        for folder, folders, names in os.walk(self.path):
            folders[:] = [name for name in folders if os.path.join(folder, name) != os.path.join(self.path, "cache")]
            for name in names:
                path = os.path.join(folder, name)
                if name == "lock" and os.path.getsize(path) == 0:
                    continue
                with open(path, "rb") as file:
                    out[os.path.relpath(path, self.path)] = digest(file.read())
        return out

    def entries(self):
        """The refs at one moment, and then what the journal changes, its frames and hashes checked."""
        refs = set()
        with open(os.path.join(self.path, "refs"), "rb") as file:
            data = file.read()
        for start in range(0, len(data), 16384):
            block = data[start : start + 16384]
            assert digest(block[: block.rindex(b" ") + 1]).hex() == block[block.rindex(b" ") + 1 : -1].decode(), "refs"
            for line in block.split(b"\n"):
                if line.startswith(b"sha256:"):
                    refs.add((line[7:71].decode(), line[72:].decode()))
        with open(os.path.join(self.path, "refs.journal"), "rb") as file:
            data = file.read()
        place = data.index(b"\n") + 1
        chain = data[:place].split()[3]
        while place < len(data):
            size = int(data[place + 1 : place + 9], 16)
            assert data[place : place + 1] == b"@" and data[place + 18 : place + 19] == b"\n", "a frame of the journal"
            entry = data[place + 19 : place + 19 + size]
            assert len(entry) == size, "a torn journal"
            end = entry.rindex(b"chain ")
            assert hashlib.sha256(chain + entry[:end]).hexdigest().encode() == entry[end + 6 : -1], "the chain of the journal"
            chain = entry[end + 6 : -1]
            for line in entry.split(b"\n"):
                if line.startswith((b"- sha256:", b"+ sha256:")):
                    ref = (line[9:73].decode(), line[74:].decode())
                    if line[:1] == b"+":
                        refs.add(ref)
                    else:
                        refs.remove(ref)
            place += 19 + size
        return refs

    def objects(self):
        """The ids of whole objects, by kind; anything that is not whole raises."""
        out = {}
        folder = os.path.join(self.path, "objects")
        for shard in os.listdir(folder):
            for name in os.listdir(os.path.join(folder, shard)):
                path = os.path.join(folder, shard, name)
                assert not name.startswith("tmp_"), path
                if re.fullmatch("[0-9a-f]{2}", shard):
                    with open(path, "rb") as file:
                        header, body = zlib.decompress(file.read()).split(b"\0", 1)
                    assert digest(body).hex() == shard + name, path
                    out[bytes.fromhex(shard + name)] = header.split()[0].decode()
                elif name.endswith(".pack"):
                    with open(path, "rb") as file:
                        data = file.read()
                    kind = {0: "node", 1: "receipt", 2: "schema"}[read_pack.kind_of(data)[0]]
                    for id, _, _ in read_pack.nodes_of(data):
                        out[id] = kind
        return out

    def left(self):
        """Files that are unfinished, or wait for the next run."""
        out = []
        for folder, _, names in os.walk(self.path):
            out += [os.path.join(folder, name) for name in names if name.startswith("tmp_") or name.endswith(".tmp")]
        return out


def history(store, known, foreign):
    """What is in a store, and what is wrong with it: objects that nobody has, or without parents, or heads that are not theirs."""
    objects = store.objects()
    refs = sorted(ref for ref in store.entries() if ref[1].split("/")[0] in ("heads", "receipts", "schemas"))
    strange = [id.hex() for id in objects if id not in known and id not in foreign]
    if strange:
        return objects, f"objects that nobody has: {strange}"
    here = [known[id] for id in objects if id in known]
    if len(closed(here)) != len(here):
        return objects, "objects without their parents"
    if refs != heads(here):
        return objects, f"the heads are {refs}, and not {heads(here)}"
    return objects, None


CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def words_of(data):
    """What is wrong with what a command prints for people."""
    try:
        said = data.decode()
    except UnicodeDecodeError:
        return "bytes that are no text"
    found = CONTROL.search(said.replace("\t", " "))
    return f"control bytes: {said[:200]!r}" if found else None
