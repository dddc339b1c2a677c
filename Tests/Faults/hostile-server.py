"""hostile-server.py: a server that speaks redo-wire(5) rightly, and lies in one place; fetch, push, sync and ls-remote talk to it.

The present directory has, for each kind, `<kind>.common`, `<kind>.here` and `<kind>.there`, lines of objects that both sides,
only the store and only the server have, and `<kind>.store`, a store. Everything that hashes, counts or signs what was changed
is made again. Whatever the server says:

- a command ends within 20 seconds, by no signal, with at most 200 MB, and with a status of its page;
- it prints no control bytes; where it fails it says one thing that is fatal, or an error, and names the remote;
- where the server's words are against the page, it fails; where they are not, it does not;
- 0 means that everything is there that the server has said it has;
- the store has what it had and, of what the server has, what is whole, with all parents, and the heads are those of that;
  where nothing whole has come, no byte has changed;
- an honest server afterwards brings all of it.

What a message may say is judged here, by the page. SHARE=<n> tries one in n; SEED chooses which, and what is random.
"""

import http.server
import os
import random
import re
import shutil
import socketserver
import struct
import subprocess
import sys
import threading

import kept
from wire_sides import (
    KINDS,
    MAGIC,
    RANGES,
    SPOILT,
    START,
    WORDS,
    Store,
    as_bytes,
    as_frames,
    closed,
    digest,
    history,
    in_order,
    numbered,
    pack,
    pack_lies,
    parts,
    ranges,
    read_lines,
    read_pack,
    row,
    spoilt,
    text,
    varint,
    words_of,
)

SHARE, SEED = int(os.environ.get("SHARE", 1)), int(os.environ.get("SEED", 0))
ONLY = os.environ.get("ONLY", "")
COMMANDS = ["fetch", "sync", "push", "ls-remote"]
HERE = os.getcwd()
END = ranges.END
chosen = random.Random(SEED)


class World:
    """What both sides have of a kind."""

    def __init__(self, kind):
        self.kind = kind
        self.common, self.here, self.there = (read_lines(f"{kind}.{name}") for name in ("common", "here", "there"))
        self.all = {thing.id: thing for thing in self.common + self.here + self.there}
        self.words = {f"nodes-{len(self.common + self.there)}"} if kind == "node" else {f"kind-{kind}"}


WORLDS = {kind: World(kind) for kind in KINDS}
FOREIGN = {id for world in WORLDS.values() for id in world.all}
CLOSE = object()


class Server:
    """One connection: honest, but for what a case does at a place."""

    def __init__(self, world, lies, is_http):
        self.world, self.lies, self.is_http = world, lies, is_http
        self.things = in_order(world.common + world.there)
        self.turns, self.gave = 0, False

    def told(self, place, value, *more):
        return self.lies[place](value, *more) if place in self.lies else value

    def hello(self, words):
        fields = {
            "magic": MAGIC,
            "version": b"\2",
            "store": b"\x10" + b"S" * 16,
            "words": text(" ".join(sorted(words)).encode()),
            "checkpoint": text(b""),
            "rest": b"",
        }
        return b"".join(self.told("hello", fields).values())

    def turn(self, frames):
        """The answer to a turn, as bytes, and whether the connection ends."""
        self.turns += 1
        out = []
        greeting = next((payload for kind, payload in frames if kind == 1), None)
        if greeting is not None:
            count = greeting[10]
            self.salt = greeting[11 + count : 27 + count]
            reader = ranges.Reader(greeting[27 + count :])
            asked = set(reader.take(reader.varint()).decode().split(" "))
            words = self.world.words | asked & {"tells-unsent", "tells-unfit"}
            out.append((1, self.hello(self.told("words", words))))
        version = self.told("version", 2)
        entries = [thing.entry() for thing in self.told("compared", self.things)]
        store = ranges.Store(version, self.salt, entries)
        for question in [payload for kind, payload in frames if kind == 2]:
            out.append((2, self.told("ranges", store.answer(question), question, store, self)))
        wants = [payload for kind, payload in frames if kind == 3]
        sent = b"".join(payload for kind, payload in frames if kind == 4)
        if wants:
            asked = self.asked(wants, store)
            packs = self.told("packs", [pack(asked)] if asked else [])
            self.gave = True
            out += self.told("sent", as_frames(packs))
        if any(kind == 5 for kind, _ in frames):
            ids = [id for id, _, _ in read_pack.nodes_of(sent)]
            out += self.told("became", [(7, varint(len(ids)))], ids)
        out.append((0, b""))
        for place in ("first" if self.turns == 1 else "later", "transfer" if wants or sent else "compare"):
            out = self.told(place, out)
        return (as_bytes(out[: out.index(CLOSE)]), True) if CLOSE in out else (as_bytes(out), False)

    def asked(self, wants, store):
        shorts = {store.short(index): store.nodes[index][2] for index in range(len(store.nodes))}
        ids = set()
        for want in wants:
            for start, end, mode, said in parts(want):
                if mode == 5:
                    ids |= {store.nodes[index][2] for index in store.within(start, end)}
                elif mode == 2:
                    ids |= {shorts[short] for short in said if short in shorts}
        return self.told("asked", [thing for thing in self.things if thing.id in ids])


# MARK: What is wrong


class Case:
    """`verdict`: bad; good; either, where all comes or it fails; part, which is 1 and a message; any, which is judged by what
    holds for all cases; random, where a message that has not the form of the page is bad.
    `reads`: the commands that read the place. `gives`: which of the server's objects are there in the end where it is good."""

    def __init__(self, name, verdict, reads="all", status=None, gives=None, kinds=KINDS, **lies):
        self.name, self.verdict, self.lies, self.gives, self.kinds = name, verdict, lies, gives, kinds
        self.reads = {"all": COMMANDS, "fetch": ["fetch", "sync"], "push": ["push", "sync"]}[reads]
        self.status = status


CASES = []


def case(*words, **lies):
    CASES.append(Case(*words, **lies))


def raw(number):
    """The frame header of so many bytes."""
    return struct.pack("<IB", *number)


def field(name, value):
    def change(fields):
        fields[name] = value(fields[name]) if callable(value) else value
        return fields

    return change


def greetings():
    for name, value in {
        "without a letter": MAGIC[1:],
        "without its line feed": MAGIC[:-1],
        "in capitals": MAGIC.upper(),
        "empty": b"",
        "twice": MAGIC * 2,
        "with a letter changed": b"redo-wirf\n",
    }.items():
        case(f"magic {name}", "bad", hello=field("magic", value))
    for number in (0, 3, 4, 127, 255):
        case(f"version {number}", "bad", hello=field("version", bytes([number])))
    case("version 1", "good", hello=field("version", b"\1"), version=lambda _: 1)
    for count, size in ((1, 1), (15, 15), (17, 17), (16, 15), (16, 0), (255, 255), (32, 32), (0, 16)):
        case(f"an id of {count}, {size} bytes long", "bad", hello=field("store", bytes([count]) + b"S" * size))
    case("no id", "good", hello=field("store", b"\0"))
    for name, said in WORDS.items():
        case(f"words {name}", "bad", hello=field("words", said))
    case("words of 4,096 bytes", "good", kinds=["node"], hello=field("words", text(b"a" * 4096)))
    case("words that nobody knows", "good", words=lambda words: words | {"zz-9", "a", "-", "9"})
    for word in numbered():
        case(f"the word {word}", "any", words=lambda words, word=word: words | {word})
    for total, rows in (
        ("9223372036854775807", ("form-9223372036854775807-0", "form-0-9223372036854775807")),
        ("1099511627776", ("form-1099511627776-0",)),
        ("2199023255552", ("form-1099511627776-1099511627776",)),
        ("1", ("form-1-0",)),
        ("2", ("a-1-0", "b-1-0")),
        ("2", ("a-1-0", "a-1-0")),
        ("3", ("x-1-2", "x-0-3")),
    ):
        more = {f"withholds-{total}"} | {f"withheld-{row}-0123456789abcdef" for row in rows}
        case(f"the words {' '.join(sorted(more))}", "any", words=lambda words, more=more: words | more)
    case(
        "a thousand reasons",
        "any",
        words=lambda words: words | {"withholds-150"} | {f"withheld-r{n}-1-0-0123456789abcdef" for n in range(100)},
    )
    for words in (
        {"read-only"},
        {"shows-part"},
        {"keeps-access"},
        {"unsigned"},
        {"names-only"},
        {"reads-all"},
        {"tells-cost"},
        {"tells-cost", "lacks-9223372036854775807"},
        {"without-ancestors"},
        {"looks-anew"},
        {"lists-unfit"},
    ):
        case(f"the words {' '.join(sorted(words))} unasked", "any", words=lambda have, words=words: have | words)
    for kind in KINDS:
        others = [other for other in KINDS if other != kind and other != "node"]
        for other in others:
            case(
                f"kind-{other} in place of {kind}",
                "any" if kind == "node" else "bad",
                kinds=[kind],
                status=None if kind == "node" else 77,
                words=lambda words, kind=kind, other=other: words - {f"kind-{kind}"} | {f"kind-{other}"},
            )
        if kind != "node":
            case(f"without kind-{kind}", "bad", kinds=[kind], status=77, words=lambda words, kind=kind: words - {f"kind-{kind}"})
            case(
                f"kind-{kind}s",
                "bad",
                kinds=[kind],
                status=77,
                words=lambda words, kind=kind: words - {f"kind-{kind}"} | {f"kind-{kind}s"},
            )
    case("kind-receipt and kind-schema", "any", words=lambda words: words | {"kind-receipt", "kind-schema"})
    for name, said, verdict in (
        ("that is none", text(b"no checkpoint"), "any"),
        ("of 65,536 bytes", text(b"c" * 65536), "any"),
        ("with escapes", text(b"redo\x1b]0;x\7\n1\n\xff\n"), "any"),
        ("of 65,537 bytes", text(b"c" * 65537), "bad"),
        ("longer than said", varint(9) + b"c", "bad"),
        ("of 2^64 - 1 bytes", varint((1 << 64) - 1), "bad"),
        ("in a long number", b"\x80\0", "bad"),
        ("that is missing", b"", "bad"),
    ):
        case(f"a checkpoint {name}", verdict, hello=field("checkpoint", said))
    case("bytes behind the greeting", "bad", hello=field("rest", b"\0"))


def frames_of_turns():
    size = 1114112
    for name, first in {
        "no greeting": lambda out: out[1:],
        "the greeting twice": lambda out: out[:1] + out,
        "the greeting last": lambda out: out[1:-1] + out[:1] + out[-1:],
        "an empty greeting": lambda out: [(1, b"")] + out[1:],
        "no ranges": lambda out: [each for each in out if each[0] != 2],
        "ranges twice": lambda out: out[:-1] + [each for each in out if each[0] == 2] + out[-1:],
        "an end with a byte": lambda out: out[:-1] + [(0, b"x")],
        "a frame that is one byte too long": lambda out: out[:1] + [raw((size + 1, 2)) + b"x" * 9] + out[1:],
        "a frame of 4 GiB": lambda out: out[:1] + [raw((0xFFFFFFFF, 2))] + out[1:],
        "ranges of more than a mebibyte": lambda out: out[:1] + [(2, b"\4\xff" + b"x" * 1048575)] + out[-1:],
        "what a service costs": lambda out: out[:-1] + [(11, varint(1) * 6)] + out[-1:],
        "an unasked access list": lambda out: out[:1] + [(10, b"i" * 32 + b"\xff\xff")] + out[1:],
        "nothing but an end": lambda out: out[-1:],
    }.items():
        case(f"first turn: {name}", "bad", first=first)
    for kind in (*range(12), 12, 127, 255):
        # In each place of the first turn; a turn may end early, which is then the end of it.
        for place in (0, 1, 2):
            # An end behind an end is the answer to the next question.
            verdict = "any" if kind == 8 or (kind, place) == (0, 2) else "bad"
            case(
                f"first turn: a frame of type {kind} at {place}",
                verdict,
                status=None,
                first=lambda out, kind=kind, place=place: out[:place] + [(kind, b"" if kind in (0, 3) else b"\0")] + out[place:],
            )
    for name, cut in {"in the head of a frame": 3, "behind the head": 5, "in the greeting": 20, "at the first byte": 0}.items():
        case(f"closed {name}", "bad", status=75, first=lambda out, cut=cut: [as_bytes(out)[:cut], CLOSE])
    for back in (1, 2, 5, 6, 8):
        case(
            f"closed {back} bytes before the end of a turn",
            "bad",
            status=75,
            first=lambda out, back=back: [as_bytes(out)[:-back], CLOSE],
        )
    for name, said, status in (
        ("that nobody knows", b"strange and more", 128),
        ("denied", b"denied not you", 77),
        ("unavailable", b"unavailable later", 75),
        ("with escapes", b"denied \x1b[31mred\x07\r\n\xc2\x9b", 77),
        ("without a text", b"denied ", None),
        ("without a blank", b"denied", 128),
        ("in capitals", b"DENIED no", 128),
        ("of 33 letters", b"a" * 33 + b" x", 128),
        ("of 32 letters", b"a" * 32 + b" x", 128),
        ("with 1,024 bytes", b"denied " + b"x" * 1024, 77),
        ("with 1,025 bytes", b"denied " + b"x" * 1025, 128),
        ("that is no text", b"denied \xff\xfe", 128),
        ("that is empty", b"", 128),
        ("that begins with a blank", b" denied", 128),
        ("with direction marks", "limit \u202eabc\u2066".encode(), 128),
        ("about what was changed", b"changed it", None),
    ):
        case(f"a fault {name}", "bad", status=status, first=lambda out, said=said: [(8, said), CLOSE])
        case(
            f"a fault {name}, later",
            "bad",
            reads="fetch",
            status=status,
            transfer=lambda out, said=said: [each for each in out if each[0] == 1] + [(8, said), CLOSE],
        )
    # Nothing is heard behind a fault.
    case("a fault, and then the answer", "bad", status=77, first=lambda out: [(8, b"denied no")] + out)


def what_is_compared():
    for name, said in RANGES.items():
        case(f"ranges: {name}", "bad", ranges=lambda _, question, *more, said=said: said)
    # What has its form, and is no answer to what was asked, or not the truth.
    # Who has counted its nodes in the greeting has said then that it has them.
    case(
        "ranges: nothing there",
        "good",
        kinds=["receipt", "schema"],
        gives=lambda things: [],
        ranges=lambda answer, question, *more: nothing(question, b"\4"),
    )
    case("ranges: all is new to you", "any", ranges=lambda answer, question, *more: nothing(question, b"\5"))
    case("ranges: all is the same", "good", kinds=["receipt", "schema"], gives=lambda things: [], ranges=lambda *_: b"")
    case(
        "ranges: nothing of what was counted there",
        "any",
        kinds=["node"],
        ranges=lambda answer, question, *more: nothing(question, b"\4"),
    )
    case("ranges: all of what was counted is the same", "any", kinds=["node"], ranges=lambda *_: b"")
    case("ranges: always later", "bad", ranges=lambda *_: b"\6\xff")
    case(
        "ranges: an answer to a list that was not sent",
        "bad",
        ranges=lambda answer, question, store, server: b"\3\xff" + varint(20) + b"\0\0\0" + b"\0",
    )
    case("ranges: always another fingerprint", "bad", ranges=lambda answer, question, *more: divided(question))
    case("ranges: over all that was asked", "bad", ranges=lambda answer, question, *more: b"\1\xff" + b"f" * 16)
    case(
        "ranges: lists of what nobody has",
        "any",
        ranges=lambda answer, question, *more: nothing(question, b"\2", varint(9) + bytes(range(72))),
    )
    case(
        "ranges: the longest lists",
        "any",
        kinds=["node"],
        ranges=lambda answer, question, *more: nothing(question, b"\2", varint(1024) + os.urandom(8192)),
    )
    case(
        "ranges: the same one in a list twice",
        "any",
        ranges=lambda answer, question, store, server: nothing(
            question, b"\2", varint(2) + store.short(len(store.nodes) - 1) * 2
        ),
    )
    for number in range(100):
        case(
            f"ranges: changed at random {number}",
            "random",
            ranges=lambda answer, question, store, server, number=number: changed(answer, question, number, server),
        )


def nothing(question, mode, more=b""):
    return ranges.write([(start, end, mode + more) for start, end, was, _ in parts(question) if was in (1, 2, 4)])


def divided(question):
    out = []
    for start, end, mode, _ in parts(question):
        if mode in (1, 2):
            out.append((start, end, b"\1" + os.urandom(16)))
    return ranges.write(out)


def number(reader):
    """A number in its shortest form."""
    place = reader.place
    value = reader.varint()
    assert varint(value) == reader.data[place : reader.place]
    return value


def is_form(message):
    """Whether a message has the form that the page describes."""
    reader, last, before = ranges.Reader(message), START, None
    try:
        if len(message) > 1048576:
            return False
        while reader.place < len(message):
            mode, place = reader.take(1)[0], reader.place
            if mode > 6:
                return False
            end = reader.bound(last)
            if end == END:
                if last == END:
                    return False
            else:
                count = message[place]
                prefix = end[2][:count]
                if count > 32 or (count and prefix[-1] == 0) or not 1 <= end[0] <= 1 << 48:
                    return False
                if not -62135596800000 <= end[1] <= 253402300799999 or end <= last:
                    return False
            said = reader.place
            if mode == 1:
                reader.take(16)
            elif mode == 2:
                count = number(reader)
                if not 1 <= count <= 1024:
                    return False
                reader.take(8 * count)
            elif mode == 3:
                count = number(reader)
                if not 1 <= count <= 1024:
                    return False
                bits = reader.take((count + 7) // 8)
                if count % 8 and bits[-1] >> count % 8:
                    return False
                count = number(reader)
                if count > 1024:
                    return False
                reader.take(8 * count)
            # Numbers have one form; this page's writer has no other.
            again = bytes([mode]) + ranges.write_bound(end, last) + message[said : reader.place]
            if again != message[place - 1 : reader.place]:
                return False
            if mode == 0 and before == 0 or mode == 6 and (end != END or reader.place != len(message)):
                return False
            last, before = end, mode
        return before != 0
    except (AssertionError, IndexError):
        return False


def changed(answer, question, number, server):
    """A part of the answer, or of another to the same question, with one thing in it changed."""
    own = random.Random(number * 1000003 + SEED)
    if not answer:
        answer = nothing(question, own.choice([b"\4", b"\5"]))
    data = bytearray(answer)
    for _ in range(own.choice([1, 1, 1, 2, 4])):
        at = own.randrange(len(data) or 1)
        how = own.randrange(6)
        if how == 0 and data:
            data[at] ^= 1 << own.randrange(8)
        elif how == 1 and data:
            data[at] = own.choice([0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 127, 128, 254, 255])
        elif how == 2:
            data[at:at] = own.choice([varint(1 << 48), varint((1 << 64) - 1), varint(1 << 63), b"\0", b"\xff", b"\4\xff"])
        elif how == 3:
            del data[at : at + own.randrange(1, 12)]
        elif how == 4:
            data[at:at] = data[own.randrange(len(data) or 1) :][: own.randrange(40)]
        else:
            del data[at:]
    said = bytes(data)
    if not is_form(said):
        server.is_bad = True
        State.shown = f"; its ranges have not the form of the page: {said.hex()}"
    return said


def what_is_sent():
    for name, sent in {
        "a part of a pack without bytes": lambda out: [(4, b"")] + out,
        "the end of a pack without a pack": lambda out: [(5, struct.pack("<Q", 0))] + out,
        "a pack without its end": lambda out: out[:-1],
        "an end that is twice there": lambda out: out + out[-1:],
        "an end of one byte too few": lambda out: out[:-1] + [(5, struct.pack("<Q", struct.unpack("<Q", out[-1][1])[0] - 1))],
        "an end of one byte too many": lambda out: out[:-1] + [(5, struct.pack("<Q", struct.unpack("<Q", out[-1][1])[0] + 1))],
        "an end of 2^64 - 1 bytes": lambda out: out[:-1] + [(5, b"\xff" * 8)],
        "an end of 0 bytes": lambda out: out[:-1] + [(5, b"\0" * 8)],
        "an end of 7 bytes": lambda out: out[:-1] + [(5, out[-1][1][:7])],
        "an end of 9 bytes": lambda out: out[:-1] + [(5, out[-1][1] + b"\0")],
        "an end without bytes": lambda out: out[:-1] + [(5, b"")],
        "what became of nodes": lambda out: out + [(7, b"\1")],
        "ranges": lambda out: [(2, b"\4\xff")] + out,
        "a request": lambda out: [(3, b"\5\xff")] + out,
        "an access list": lambda out: [(10, b"i" * 32 + b"\xff\xff")] + out,
        "an access list behind packs": lambda out: out + [(10, b"i" * 32 + b"\xff\xff")],
        "what it costs": lambda out: out + [(11, b"\1" * 6)],
        "what it lacks without a row": lambda out: [(9, b"")] + out,
        "what it lacks inside a pack": lambda out: out[:1] + [(9, row(b"i" * 32, b"form"))] + out[1:],
        "a greeting": lambda out: out + [(1, MAGIC + b"\2\0\0\0")],
    }.items():
        case(f"sent: {name}", "bad", reads="fetch", sent=sent)
    case("sent: rows of nodes that were not taken", "any", reads="fetch", sent=lambda out: out + [(6, row(b"i" * 32, b"form"))])
    case(
        "sent: one byte in a frame",
        "good",
        reads="fetch",
        sent=lambda out: [(4, bytes([byte])) for kind, data in out if kind == 4 for byte in data] + out[-1:],
    )
    case(
        "sent: each node in a pack of its own",
        "good",
        reads="fetch",
        asked=lambda things: things,
        packs=lambda packs: single(packs),
    )
    case("sent: the pack twice", "any", reads="fetch", packs=lambda packs: packs * 2)
    case("sent: two packs, the children first", "any", reads="fetch", packs=lambda packs: single(packs)[::-1])
    case("sent: nothing of it", "part", reads="fetch", gives=lambda things: [], sent=lambda out: [])
    case(
        "sent: half of it",
        "part",
        reads="fetch",
        gives=lambda things: whole(things[: (len(things) + 1) // 2]),
        asked=lambda things: things[: len(things) // 2],
    )
    case(
        "sent: all but the first", "part", reads="fetch", gives=lambda things: whole(things[1:]), asked=lambda things: things[1:]
    )
    case(
        "sent: half of it, and closed",
        "bad",
        reads="fetch",
        status=75,
        sent=lambda out: [(4, out[0][1][: len(out[0][1]) // 2]), CLOSE],
    )
    case("sent: all, and closed before the end", "bad", reads="fetch", status=75, sent=lambda out: out + [CLOSE])
    case(
        "sent: all in packs, and closed in the last",
        "bad",
        reads="fetch",
        status=75,
        packs=lambda packs: single(packs),
        sent=lambda out: out[:-2] + [(4, out[-2][1][:20]), CLOSE],
    )
    case(
        "sent: what was not asked for, too",
        "part",
        reads="fetch",
        gives=lambda things: things,
        packs=lambda packs: packs + [pack([UNASKED[KIND]])],
    )
    case(
        "sent: other kinds, too",
        "bad",
        reads="fetch",
        packs=lambda packs: packs + [pack(WORLDS[KINDS[KINDS.index(KIND) - 1]].there[:1])],
    )
    case(
        "sent: another kind in its place",
        "bad",
        reads="fetch",
        packs=lambda packs: [pack(WORLDS[KINDS[KINDS.index(KIND) - 2]].there)],
    )
    for name, rows, verdict in (
        ("without a rule", b"i" * 32 + b"\0\0", "bad"),
        ("with a rule in capitals", row(b"i" * 32, b"FORM"), "bad"),
        ("with a rule of 65 bytes", row(b"i" * 32, b"r" * 65), "bad"),
        ("with a rule of 64 bytes", row(b"i" * 32, b"r" * 64), "any"),
        ("with 1,025 bytes", row(b"i" * 32, b"form", b"d" * 1025), "bad"),
        ("with 1,024 bytes", row(b"i" * 32, b"form", b"d" * 1024), "any"),
        ("with no text", row(b"i" * 32, b"form", b"\xff"), "bad"),
        ("with escapes", row(b"i" * 32, b"form", b"\x1b[2J\x07\r\n"), "any"),
        ("with an id cut short", b"i" * 31, "bad"),
        ("twice", row(b"i" * 32, b"form") * 2, "any"),
        ("with bytes behind it", row(b"i" * 32, b"form") + b"\0", "bad"),
        ("with a huge number", b"i" * 32 + b"\4form" + varint((1 << 64) - 1), "bad"),
        ("a thousand times", b"".join(row(digest(bytes([n])), b"form") for n in range(250)) * 4, "any"),
    ):
        case(f"sent: what it lacks {name}", verdict, reads="fetch", sent=lambda out, rows=rows: out + [(9, rows)])
        case(
            f"first turn: what it does not offer {name}",
            verdict,
            words=lambda words: words | {"tells-unfit"},
            first=lambda out, rows=rows: out[:1] + [(9, rows)] + out[1:],
        )
    for name, verdict, kinds, lie in pack_lies():
        case(f"pack: {name}", verdict, reads="fetch", kinds=kinds, asked=remade(**lie))
    for name, change in SPOILT.items():
        case(
            f"objects: {name}",
            "part",
            reads="fetch",
            gives=lambda things: things,
            packs=lambda packs, change=change: packs,
            asked=lambda things, change=change: spoilt(things, change),
        )


def whole(things):
    """Those whose ancestors are among them, or here."""
    return closed(things, [thing.id for thing in WORLDS[KIND].common])


def single(packs):
    out = []
    for one in packs:
        for id, _, _ in read_pack.nodes_of(one):
            out.append(pack([WORLDS[KIND].all[id]]))
    return out


class Made(list):
    """Things whose pack is already made."""


def remade(**lie):
    def change(things):
        made = Made(things)
        made.lie = lie
        return made

    return change


real_pack = pack


def pack(things, kind=None, **lie):  # noqa: F811
    return real_pack(things, kind or KIND if isinstance(things, Made) else kind, **(getattr(things, "lie", None) or lie))


def what_became():
    for name, became in {
        "nothing": lambda out, ids: [],
        "it twice": lambda out, ids: out * 2,
        "a number in a long form": lambda out, ids: [(7, b"\x81\0")],
        "a number and a byte": lambda out, ids: [(7, b"\1\0")],
        "no number": lambda out, ids: [(7, b"")],
        "a number of 11 bytes": lambda out, ids: [(7, b"\xff" * 10 + b"\1")],
        "refused behind the number": lambda out, ids: out + [(6, row(ids[0], b"form"))],
        "no row": lambda out, ids: [(6, b"")] + out,
        "a pack": lambda out, ids: (
            as_frames([pack(WORLDS[KIND].there)]) + out if ONLY_PUSHES else out + as_frames([pack(WORLDS[KIND].there)])
        ),
        "what it lacks, unasked": lambda out, ids: out + [(9, row(b"i" * 32, b"form"))],
        "a rule in capitals": lambda out, ids: [(6, row(ids[0], b"FORM"))] + out,
        "a rule without letters": lambda out, ids: [(6, ids[0] + b"\0\0")] + out,
        "a detail of 1,025 bytes": lambda out, ids: [(6, row(ids[0], b"form", b"d" * 1025))] + out,
        "a detail that is no text": lambda out, ids: [(6, row(ids[0], b"form", b"\xff"))] + out,
        "an id cut short": lambda out, ids: [(6, ids[0][:31])] + out,
        "a greeting": lambda out, ids: [(1, b"")] + out,
        "ranges": lambda out, ids: out + [(2, b"\4\xff")],
    }.items():
        case(f"became: {name}", "bad", reads="push", became=became)
    for number in (0, 1, 1 << 31, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        case(f"became: {number} taken", "any", reads="push", became=lambda out, ids, number=number: [(7, varint(number))])
    for name, rows in {
        "what was not sent": lambda ids: row(b"i" * 32, b"form"),
        "all": lambda ids: b"".join(row(id, b"form") for id in ids),
        "one twice": lambda ids: row(ids[0], b"form") * 2,
        "one by a rule that nobody knows": lambda ids: row(ids[0], b"zz-9"),
        "one with escapes": lambda ids: row(ids[0], b"form", b"\x1b[31m\x07\x00\r\n\xc2\x9b"),
        "one that waits": lambda ids: row(ids[0], b"key-untrusted"),
        "one declined": lambda ids: row(ids[0], b"declined", b"by a hook"),
        "one of another account": lambda ids: row(ids[0], b"other-account"),
    }.items():
        case(f"became: {name} refused", "any", reads="push", became=lambda out, ids, rows=rows: [(6, rows(ids))] + out)
    case("became: closed before it says", "bad", reads="push", status=75, became=lambda out, ids: [CLOSE])
    case("became: closed behind it", "bad", reads="push", status=75, became=lambda out, ids: out + [CLOSE])
    case(
        "became: a fault in its place", "bad", reads="push", status=77, became=lambda out, ids: [(8, b"denied no\x1b[0m"), CLOSE]
    )


greetings()
frames_of_turns()
what_is_compared()
what_is_sent()
what_became()

# MARK: The ways there


class State:
    lies, server, shown = {}, None, ""


def read_turn(stream):
    frames = []
    while True:
        head = stream.read(5)
        if len(head) < 5:
            return None
        size, kind = struct.unpack("<IB", head)
        payload = stream.read(size)
        if kind == 0:
            return frames
        frames.append((kind, payload))


class Pipe(socketserver.StreamRequestHandler):
    """What the program that stands for ssh leads to."""

    def handle(self):
        try:
            State.server = server = new_server(False)
            while (frames := read_turn(self.rfile)) is not None:
                said, closes = answer(server, frames)
                self.wfile.write(said)
                self.wfile.flush()
                if closes:
                    break
        except OSError:
            pass


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers["Content-Length"]))
        import io

        frames = read_turn(io.BytesIO(body))
        if State.server is None:
            State.server = new_server(True)
        said, _ = answer(State.server, frames)
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.redo.wire")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


def new_server(is_http):
    server = Server(WORLDS[KIND], State.lies, is_http)
    server.is_bad = getattr(State.server, "is_bad", False)
    return server


def answer(server, frames):
    try:
        return server.turn(frames)
    except Exception as error:  # what this program does wrong is told by it
        State.trouble = repr(error)
        import traceback

        traceback.print_exc()
        return b"", True


class Threads(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads, allow_reuse_address = True, True

    def handle_error(self, *_):
        pass


# MARK: The store


def judge(case, command, transport):
    """Runs a command against a case; what is wrong, or nothing."""
    State.lies, State.server, State.trouble, State.shown = case.lies, None, None, ""
    shutil.rmtree("store", ignore_errors=True)
    shutil.copytree(f"{KIND}.store", "store", symlinks=True)
    before = Store("store").files()
    had = Store("store").objects()
    words = [command, transport]
    words[1:1] = ["--no-retry", f"--kind={KIND}"]
    done = kept.execute(["redo", "-C", "store", *words])
    status, out, err = done.status, done.out, done.err
    if State.trouble:
        return f"this program: {State.trouble}"
    if done.hangs or status < 0 or done.kilobytes > kept.KILOBYTES:
        return f"{'it hangs' if done.hangs else f'it ends with {status} and takes {done.kilobytes} kB'}: {err[-300:]!r}"
    if case.verdict == "random":
        verdict = "bad" if getattr(State.server, "is_bad", False) else "any"
    else:
        verdict = case.verdict
    said = f"status {status}, {err[-400:]!r}"
    if status not in (0, 1, 75, 76, 77, 128):
        return said
    for data in (out, err):
        if wrong := words_of(data):
            return wrong
    if status != 0 and not err:
        return f"status {status} without a word"
    # What came before and waits for its parents is named as well.
    fatal = [line for line in err.decode().splitlines()
             if line.startswith(("fatal: ", "error: ")) and not line.startswith("error: ValidationError: missing parent ")]
    if status > 1 and (len(fatal) != 1 or transport not in fatal[0] and "peer" not in fatal[0]):
        return f"not one message about the remote: {said}"
    if verdict == "bad" and (status <= 1 or case.status and status != case.status):
        return f"it should fail{f' with {case.status}' if case.status else ''}: {said}{State.shown}"
    if verdict == "part" and status != 1:
        return f"it should end with 1: {said}"
    if verdict == "good" and status != 0:
        return f"it should succeed: {said}"
    store = Store("store")
    objects, wrong = history(store, WORLDS[KIND].all, FOREIGN)
    if wrong:
        return f"{wrong}: {said}"
    gone = set(had) - set(objects)
    if gone:
        return f"objects are gone: {said}"
    there = {thing.id for thing in WORLDS[KIND].there}
    new = set(objects) - set(had)
    if not new <= there or new and command in ("push", "ls-remote"):
        return f"what has come is more than it should be: {said}"
    if verdict == "either" and status == 1:
        return f"it should fail or succeed: {said}"
    if status == 0 and command in ("fetch", "sync") and verdict in ("good", "either"):
        gives = {thing.id for thing in (case.gives or list)(WORLDS[KIND].there)}
        if new != gives:
            return f"{len(new)} objects have come, and not {len(gives)}: {said}"
    if verdict == "part":
        most = {thing.id for thing in case.gives(in_order(WORLDS[KIND].there))}
        if not new <= most:
            return f"{len(new)} objects have come, and not {len(most)}: {said}"
    if store.left():
        return f"unfinished files are left: {store.left()}"
    after = store.files()
    came = State.server is not None and State.server.gave
    if command == "ls-remote" and after != before:
        return f"the store has changed: {changes(before, after)}"
    if status > 1 and not came and after != before:
        return f"the store has changed: {changes(before, after)}: {said}"
    if after != before and came and status != 0:
        # What is left of it is no hindrance.
        State.lies, State.server = {}, None
        done = kept.execute(["redo", "-C", "store", "fetch", "--no-retry", f"--kind={KIND}", "peer-ssh"])
        err = done.err
        if done.status not in (0, 1) or done.kilobytes > kept.KILOBYTES:
            return f"an honest server afterwards: {done}"
        objects, wrong = history(Store("store"), WORLDS[KIND].all, FOREIGN)
        if wrong or not there <= set(objects):
            return f"an honest server afterwards does not bring all: {wrong}, {err[-300:]!r}"
    return None


def changes(before, after):
    return [name for name in sorted(set(before) | set(after)) if before.get(name) != after.get(name)]


def main():
    global KIND, ONLY_PUSHES, UNASKED
    pipe, web = Threads(("127.0.0.1", 0), Pipe), http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    web.daemon_threads = True
    web.handle_error = lambda *_: None
    for server in (pipe, web):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    with open("ports", "w") as file:
        file.write(f"{pipe.server_address[1]}\n")
    has_http = os.environ.get("HTTP") == "1"
    for kind in KINDS:
        for name, url in (("peer-ssh", "ssh://host/peer"), ("peer-http", f"http://127.0.0.1:{web.server_address[1]}")):
            subprocess.run(["redo", "-C", f"{kind}.store", "remote", "add", name, url], check=True)
    # Something that the server has already given: nobody asks for it.
    UNASKED = {kind: WORLDS[kind].common[0] for kind in KINDS}
    steps = [(one, kind, command) for one in CASES for kind in one.kinds for command in one.reads]
    if SHARE > 1:
        # What was wrong once is looked at in every run.
        known = [step for step in steps if "4,096" in step[0].name and step[2] == "fetch"]
        steps = known + steps[chosen.randrange(SHARE) :: SHARE]
    count, failures = 0, []
    for number, (one, KIND, command) in enumerate(steps):
        if ONLY and not re.search(ONLY, f"{KIND} {command} {one.name}"):
            continue
        transport = "peer-http" if has_http and (number + SEED) % 3 == 0 and "peer" not in one.lies else "peer-ssh"
        ONLY_PUSHES = command == "push"
        count += 1
        if wrong := judge(one, command, transport):
            failures.append(f"{KIND} {command} {transport} '{one.name}': {wrong}")
            print(failures[-1], flush=True)
            if len(failures) >= int(os.environ.get("MOST", 40)):
                break
    print(f"# {len(CASES)} lies, {count} runs")
    sys.exit(1 if failures else 0)


main()
