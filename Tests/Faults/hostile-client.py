"""hostile-client.py: a client that speaks redo-wire(5) rightly, and lies in one place; `redo serve --stdio` and `--http` answer it.

The present directory has, for each kind, `<kind>.common`, `<kind>.here` and `<kind>.there`, lines of objects that both sides,
only the client and only the server have, and `<kind>.served`, a store. Everything that hashes, counts or signs what was changed
is made again. Whatever the client says:

- a server ends within 20 seconds, by no signal, with at most 200 MB, and with a status of its page; over HTTP it stays;
- it answers in whole frames, and its last word is a fault where what it was told is against the page, and none where it is not;
- it prints no control bytes, and one thing that is fatal where it fails; a fault has none either;
- the store has what it had and, of what was sent, what is whole, with all parents, and the heads are those of that; as many as
  it says were taken; where nothing whole was sent, or it may not be, no byte has changed;
- an honest client afterwards is answered, and brings all that it has.

SHARE=<n> tries one in n; SEED chooses which, and what is random.
"""

import http.client
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import threading
import time

from wire_sides import (
    KINDS,
    MAGIC,
    RANGES,
    SPOILT,
    WORDS,
    Store,
    as_bytes,
    as_frames,
    bound,
    frame,
    history,
    in_order,
    numbered,
    pack,
    pack_lies,
    ranges,
    read_lines,
    spoilt,
    text,
    varint,
    wire,
    words_of,
)

SHARE, SEED = int(os.environ.get("SHARE", 1)), int(os.environ.get("SEED", 0))
ONLY = os.environ.get("ONLY", "")
SECONDS, KILOBYTES = 20, 200_000
SALT = b"\7" * 16
chosen = random.Random(SEED)
SIDES = {kind: {name: read_lines(f"{kind}.{name}") for name in ("common", "here", "there")} for kind in KINDS}
KNOWN = {kind: {thing.id: thing for part in sides.values() for thing in part} for kind, sides in SIDES.items()}
FOREIGN = {id for known in KNOWN.values() for id in known}
ALL = b"\5\xff"
NONE = b"\4\xff"


class Case:
    """`verdict`: bad (a fault, and of `codes` if these are given), good (all is taken), either, or any; `moves` says whether
    something of what is sent may have been taken. `mode` is how the server is started: '', closed or read-only."""

    def __init__(self, name, verdict, turns, kinds=KINDS, codes=None, moves=False, mode="", raw=False):
        self.name, self.verdict, self.turns, self.kinds, self.codes = name, verdict, turns, kinds, codes
        # Over HTTP the accounts say who may write.
        self.moves, self.mode, self.raw = moves, mode, raw or mode == "read-only"


CASES = []


def case(*words, **more):
    CASES.append(Case(*words, **more))


def hello(kind, words=(), **fields):
    said = {
        "magic": MAGIC,
        "versions": b"\2\1\2",
        "salt": SALT,
        "words": text(" ".join(sorted({*words} | ({f"kind-{kind}"} if kind != "node" else set()))).encode()),
        "rest": b"",
    }
    return (1, b"".join({**said, **fields}.values()))


def question(kind):
    """What an honest client says that it has."""
    sides = SIDES[kind]
    return ranges.Store(2, SALT, [thing.entry() for thing in sides["common"] + sides["here"]]).first()


def news(kind):
    return in_order(SIDES[kind]["here"])


def first(kind, words=(), **fields):
    return [hello(kind, words, **fields), (2, question(kind))]


def push(kind, packs):
    """A whole exchange that sends these packs."""
    return [first(kind), as_frames(packs)]


def case_push(name, verdict, packs, **more):
    case(name, verdict, lambda kind: push(kind, packs(kind)), moves=True, **more)


def greetings():
    def lie(name, verdict, words=(), codes=None, **fields):
        case(f"greeting: {name}", verdict, lambda kind: [first(kind, words, **fields)], codes=codes)

    for name, value in {
        "without a letter": MAGIC[1:],
        "without its line feed": MAGIC[:-1],
        "in capitals": MAGIC.upper(),
        "empty": b"",
        "twice": MAGIC * 2,
    }.items():
        lie(f"magic {name}", "bad", magic=value, codes=["malformed"])
    for name, value, verdict in (
        ("none", b"\0", "bad"),
        ("0", b"\1\0", "bad"),
        ("3", b"\1\3", "bad"),
        ("1 and 3", b"\2\1\3", "good"),
        ("1", b"\1\1", "good"),
        ("2", b"\1\2", "good"),
        ("2 and 1", b"\2\2\1", "bad"),
        ("1 and 1", b"\2\1\1", "bad"),
        ("all", b"\xff" + bytes(range(1, 256)), "good"),
        ("of 255, two", b"\xff\1\2", "bad"),
        ("2 of 1", b"\1\1\2", "bad"),
    ):
        lie(f"versions {name}", verdict, versions=value)
    for count in (0, 8, 15, 17):
        lie(f"a salt of {count} bytes", "bad", salt=b"\7" * count)
    lie("a salt of zeros", "good", salt=bytes(16))
    for name, said in WORDS.items():
        case(
            f"greeting: words {name}",
            "bad",
            lambda kind, said=said: [[(1, MAGIC + b"\2\1\2" + SALT + said), (2, question(kind))]],
            codes=["malformed"],
        )
    case(
        "greeting: words of 4,096 bytes",
        "good",
        lambda kind: [[(1, MAGIC + b"\2\1\2" + SALT + text(b"a" * 4096)), (2, question("node"))]],
        kinds=["node"],
    )
    for word in numbered():
        case(f"greeting: the word {word}", "any", lambda kind, word=word: [first(kind, {word})])
    for words in (
        {"unsigned"},
        {"names-only"},
        {"names-only", "tells-unsent"},
        {"reads-all"},
        {"keeps-access"},
        {"tells-unfit", "lists-unfit"},
        {"looks-anew"},
        {"tells-cost"},
        {"without-ancestors"},
        {"without-ancestors", "node-" + "ab" * 32},
        {"since-0", "since-1"},
        {"since-9223372036854775807"},
        {"since--62135596800001"},
        {"task-550e8400-e29b-41d4-a716-446655440000", "task-550e8400-e29b-41d4-a716-446655440001"},
        {"task-550E8400"},
        {"root-" + "00" * 32},
        {"root-" + "0" * 63},
        {"node-" + "%064x" % n for n in range(16)},
        {"node-" + "%064x" % n for n in range(17)},
        {"node-" + "%064x" % n for n in range(50)},
        {"node-" + "A" * 64},
        {"keeps-access", "access-"},
        {"keeps-access", "access-" + "f" * 200},
        {"remembers-9223372036854775807"},
        {"remembers-1", "remembers-2"},
    ):
        are_words = all(re.fullmatch("[a-z0-9-]+", word) for word in words)
        lie(f"the words {' '.join(sorted(words))[:80]}", "any" if are_words else "bad", words)
    lie("bytes behind it", "bad", rest=b"\0")
    case("greeting: none", "bad", lambda kind: [[(2, question(kind))]])
    case("greeting: empty", "bad", lambda kind: [[(1, b""), (2, question(kind))]])
    case("greeting: twice", "bad", lambda kind: [[hello(kind), *first(kind)]])
    case("greeting: behind the ranges", "bad", lambda kind: [first(kind)[::-1]])
    case("greeting: alone", "any", lambda kind: [[hello(kind)]])


def kinds_of_exchange():
    for other in ("node", "receipt", "schema", "blob", "key", "tree", "", "receipts", "-"):
        case(
            f"kind: kind-{other}",
            "any" if other in KINDS else "bad",
            lambda kind, other=other: [[hello("node", {f"kind-{other}"}), (2, NONE)]],
            kinds=["node"],
            codes=None if other in KINDS else ["denied"],
        )
    case("kind: two of them", "any", lambda kind: [[hello("receipt", {"kind-schema"}), (2, NONE)]], kinds=["node"])
    for mode in ("closed", "read-only"):
        for kind in ("receipt", "schema") if mode == "closed" else KINDS:
            case(
                f"kind: pushed where it is {mode}",
                "bad",
                lambda kind: push(kind, [pack(news(kind))]),
                kinds=[kind],
                codes=["denied"],
                mode=mode,
            )
            case(
                f"kind: pushed in one turn where it is {mode}",
                "bad",
                lambda kind: [first(kind) + as_frames([pack(news(kind))])],
                kinds=[kind],
                codes=["denied"],
                mode=mode,
            )
            case(
                f"kind: asked for where it is {mode}",
                "bad" if mode == "closed" else "any",
                lambda kind: [first(kind), [(3, ALL)]],
                kinds=[kind],
                codes=["denied"],
                mode=mode,
            )
        for kind in ("receipt", "schema"):
            case(
                f"kind: packs of it in an exchange of nodes where it is {mode}",
                "bad",
                lambda kind: [first("node"), as_frames([pack(news(kind))])],
                kinds=[kind],
                mode=mode,
            )
    for kind in KINDS:
        for other in KINDS:
            if other != kind:
                case(
                    f"kind: a pack of {other}s among others",
                    "bad",
                    lambda kind, other=other: push(kind, [pack(news(other))]),
                    kinds=[kind],
                    codes=["unexpected"],
                )
                case(
                    f"kind: a pack of {other}s behind one of its own",
                    "bad",
                    lambda kind, other=other: push(kind, [pack(news(kind)), pack(news(other))]),
                    kinds=[kind],
                    codes=["unexpected"],
                    moves=True,
                )
    case(
        "kind: bodies of schemas in a pack of nodes",
        "part",
        lambda kind: push("node", [pack(news("schema"), "node")]),
        kinds=["node"],
    )
    case(
        "kind: bodies of nodes in a pack of schemas",
        "part",
        lambda kind: push("schema", [pack(news("node"), "schema")]),
        kinds=["schema"],
    )
    case(
        "kind: bodies of receipts in a pack of nodes",
        "part",
        lambda kind: push("node", [pack(news("receipt"), "node", span=lambda was: [0] * 4)]),
        kinds=["node"],
    )
    case(
        "kind: bodies of nodes in a pack of receipts",
        "part",
        lambda kind: push("receipt", [pack(news("node"), "receipt", span=lambda was: [0] * 4)]),
        kinds=["receipt"],
    )
    # What was said once holds for the whole exchange.
    for name, words in (("of another kind", {"kind-schema"}), ("with other words", {"unsigned"})):
        case(
            f"kind: a second greeting {name}",
            "bad",
            lambda kind, words=words: [first("node"), [hello("node", words)] + as_frames([pack(news("node"))])],
            kinds=["node"],
            codes=["unexpected"],
            raw=True,
        )


def frames_of_turns():
    for kind_of_frame in (*range(1, 13), 127, 255):
        for place in (1, 2):
            for payload in (b"", b"\0"):
                # Nothing may be asked for, behind the ranges.
                verdict = "any" if kind_of_frame == 3 and (place == 2 or not payload) else "bad"
                case(
                    f"frames: type {kind_of_frame} at {place}, {len(payload)} bytes",
                    verdict,
                    lambda kind, number=kind_of_frame, place=place, payload=payload: [
                        first(kind)[:place] + [(number, payload)] + first(kind)[place:]
                    ],
                )
        case(
            f"frames: type {kind_of_frame} in a second turn",
            "any" if kind_of_frame in (2, 3) else "bad",
            lambda kind, number=kind_of_frame: [first(kind), [(number, b"")]],
        )
    for name, change in {
        "an end with a byte": lambda data: data[:-5] + struct.pack("<IB", 1, 0) + b"x",
        "a frame that is one byte too long": lambda data: data[:-5] + struct.pack("<IB", 1114113, 2) + b"x" * 9,
        "a frame of 4 GiB": lambda data: data[:-5] + struct.pack("<IB", 0xFFFFFFFF, 4),
        "a frame without its end": lambda data: data[:-5] + struct.pack("<IB", 50, 3) + b"x",
        "half a head": lambda data: data[:-2],
        "half of it": lambda data: data[: len(data) // 2],
        "all but the end": lambda data: data[:-5],
        "one byte": lambda data: data[:1],
        "HTTP": lambda data: b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "zeros": lambda data: bytes(4000),
        "garbage": lambda data: bytes(range(256)) * 40,
    }.items():
        case(
            f"frames: {name}",
            "cut" if name in ("half a head", "half of it", "all but the end", "one byte", "a frame without its end") else "bad",
            lambda kind, change=change: [change(as_bytes(first(kind)) + frame(0))],
            raw=True,
        )
    case("frames: nothing but ends", "bad", lambda kind: [[], []], raw=True)
    case(
        "frames: 4,096 turns", "any", lambda kind: [as_bytes(first(kind)) + frame(0) + frame(0) * 4095], kinds=["node"], raw=True
    )
    case(
        "frames: 4,097 turns",
        "bad",
        lambda kind: [as_bytes(first(kind)) + frame(0) + frame(0) * 4096],
        kinds=["node"],
        codes=["limit"],
        raw=True,
    )


def what_is_asked():
    for name, said in RANGES.items():
        case(f"ranges: {name}", "bad", lambda kind, said=said: [[hello(kind), (2, said)]], codes=["malformed"])
        case(f"wants: {name}", "bad", lambda kind, said=said: [first(kind), [(3, said)]], codes=["malformed"])
    for name, said in {
        "all, twice": [ALL, ALL],
        "all, and then the first": [ALL, b"\5" + bound(0, 2, 0)],
        "a fingerprint": [b"\1\xff" + b"f" * 16],
        "nothing there": [NONE],
        "what is left for later": [b"\6\xff"],
        "an answer": [b"\3\xff\1\0\0"],
        "what goes back": [b"\5" + bound(0, 1 << 40, 5), b"\5" + bound(0, 1, 5)],
    }.items():
        verdict = (
            "any"
            if name in ("all, twice", "all, and then the first", "what goes back", "nothing there", "what is left for later")
            else "bad"
        )
        case(f"wants: {name}", verdict, lambda kind, said=said: [first(kind), [(3, one) for one in said]])
    case("wants: all of it", "good", lambda kind: [first(kind), [(3, ALL)]])
    case("wants: what nobody has", "any", lambda kind: [first(kind), [(3, b"\2\xff" + varint(1024) + os.urandom(8192))]])
    case(
        "wants: a mebibyte of lists",
        "any",
        lambda kind: [
            first(kind),
            [(3, b"".join(b"\2" + bound(0, 1, number + 1) + varint(1) + b"s" * 8 for number in range(60000)))],
        ],
    )
    case("wants: before the ranges", "bad", lambda kind: [[hello(kind), (3, ALL), (2, question(kind))]], codes=["unexpected"])
    # What has come whole before the connection broke is taken in.
    case(
        "wants: behind a pack",
        "bad",
        lambda kind: [first(kind), as_frames([pack(news(kind))]) + [(3, ALL)]],
        codes=["unexpected"],
        moves=True,
    )
    case(
        "wants: inside a pack",
        "bad",
        lambda kind: [first(kind), as_frames([pack(news(kind))])[:1] + [(3, ALL)]],
        codes=["unexpected"],
        moves=True,
    )
    case("wants: all, 200 times", "any", lambda kind: [first(kind)] + [[(3, ALL)]] * 200, kinds=["node"], raw=True)
    case("ranges: in every turn", "good", lambda kind: [first(kind)] + [[(2, question(kind))]] * 40, raw=True)
    case("ranges: twice in a turn", "bad", lambda kind: [first(kind) + [(2, NONE)]], codes=["unexpected"])
    case(
        "ranges: 20,000 fingerprints",
        "any",
        lambda kind: [[hello(kind), (2, b"".join(b"\1" + bound(0, 1, 2) + b"f" * 16 for _ in range(20000)))]],
    )
    case("ranges: more than a mebibyte", "bad", lambda kind: [[hello(kind), (2, b"\4" + bound(0, 1, 1) + b"\0" * 1048576)]])
    # A bound that no neighbours have, a range of each single node, and more of those than there are.
    case("ranges: lists of the same one", "any", lambda kind: [[hello(kind), (2, b"\2\xff" + varint(1024) + b"s" * 8192)]])


def what_is_sent():
    def sent(name, verdict, change, codes=None):
        case(
            f"sent: {name}",
            verdict,
            lambda kind: [first(kind), change(as_frames([pack(news(kind))]), kind)],
            codes=codes,
            moves=True,
        )

    sent("all of it", "good", lambda out, kind: out)
    case("sent: all of it in the first turn", "good", lambda kind: [first(kind) + as_frames([pack(news(kind))])], moves=True)
    sent("a part without bytes", "bad", lambda out, kind: [(4, b"")] + out, ["malformed"])
    sent("the end of no pack", "bad", lambda out, kind: [(5, bytes(8))] + out)
    sent("no end", "bad", lambda out, kind: out[:-1], ["unexpected"])
    sent("an end twice", "bad", lambda out, kind: out + out[-1:], ["malformed"])
    size = lambda out: struct.unpack("<Q", out[-1][1])[0]  # noqa: E731
    for name, number in (("one too few", -1), ("one too many", 1)):
        sent(
            f"an end of {name}",
            "bad",
            lambda out, kind, number=number: out[:-1] + [(5, struct.pack("<Q", size(out) + number))],
            ["malformed"],
        )
    for name, payload in (
        ("2^64 - 1", b"\xff" * 8),
        ("0", bytes(8)),
        ("7 bytes", bytes(7)),
        ("9 bytes", bytes(9)),
        ("none", b""),
    ):
        sent(f"an end of {name}", "bad", lambda out, kind, payload=payload: out[:-1] + [(5, payload)], ["malformed"])
    sent("a byte in a frame", "good", lambda out, kind: [(4, bytes([byte])) for byte in out[0][1]] + out[-1:])
    sent("half of it, and nothing more", "bad", lambda out, kind: [(4, out[0][1][: len(out[0][1]) // 2])], ["unexpected"])
    for number in (6, 7, 9, 11, 1, 2):
        sent(f"a frame of type {number} behind it", "bad", lambda out, kind, number=number: out + [(number, b"\1")])
    case(
        "sent: a fault behind it",
        "any",
        lambda kind: [first(kind), as_frames([pack(news(kind))]) + [(8, b"denied no")]],
        moves=True,
        raw=True,
    )
    case_push("sent: each in a pack of its own", "good", lambda kind: [pack([thing]) for thing in news(kind)])
    case_push("sent: the same pack twice", "good", lambda kind: [pack(news(kind))] * 2)
    case_push("sent: the same pack 300 times", "good", lambda kind: [pack(news(kind))] * 300)
    case(
        "sent: the same in two turns",
        "good",
        lambda kind: [first(kind)] + [as_frames([pack(news(kind))])] * 2,
        moves=True,
        raw=True,
    )
    case_push("sent: children first, each in a pack", "any", lambda kind: [pack([thing]) for thing in news(kind)[::-1]])
    case_push("sent: children first, in one pack", "any", lambda kind: [pack(news(kind)[::-1])])
    case_push("sent: one twice in a pack", "any", lambda kind: [pack(news(kind) + news(kind)[-1:])])
    case_push("sent: what is there", "any", lambda kind: [pack(in_order(SIDES[kind]["common"]))])
    case_push("sent: what is there, and more", "good", lambda kind: [pack(in_order(SIDES[kind]["common"] + SIDES[kind]["here"]))])
    case_push("sent: all but the first", "any", lambda kind: [pack(news(kind)[1:])])
    case_push(
        "sent: 10,001 of them",
        "bad",
        lambda kind: [pack(news(kind)[:1] * 4096) for _ in range(1)] + [many(kind)],
        kinds=["node"],
        codes=["limit", "malformed"],
    )
    for name, verdict, kinds, lie in pack_lies():
        case_push(f"pack: {name}", verdict, lambda kind, lie=lie: [pack(news(kind), **lie)], kinds=kinds)
        case_push(
            f"pack: {name}, behind a good one",
            verdict,
            lambda kind, lie=lie: [pack(news(kind)[:1]), pack(news(kind)[1:], **lie)],
            kinds=kinds,
        )
    for name, change in SPOILT.items():
        case_push(f"objects: {name}", "part", lambda kind, change=change: [pack(spoilt(news(kind), change))])
    for name, payload, verdict in (
        ("none", b"", "bad"),
        ("cut short", b"i" * 31, "bad"),
        ("of none", b"i" * 32 + b"\xff\xff", "any"),
        ("of 65,534 bytes", b"i" * 32 + b"\xfe\xff", "bad"),
        ("empty", b"i" * 32 + b"\0\0", "any"),
        ("of a name of no letters", b"i" * 32 + b"\1\0\0", "any"),
        ("of a name with escapes", b"i" * 32 + b"\4\0\3\x1b[m", "any"),
        ("of a long name", b"i" * 32 + struct.pack("<H", 256) + b"\xff" + b"a" * 255, "any"),
        ("10,000 times", (b"i" * 32 + b"\xff\xff") * 10000, "any"),
    ):
        case(
            f"access: {name}",
            verdict,
            lambda kind, payload=payload: [first(kind, {"keeps-access"}), [(10, payload)]],
            moves="access",
        )
        case(
            f"access: {name}, behind packs",
            "bad",
            lambda kind, payload=payload: [first(kind, {"keeps-access"}), as_frames([pack(news(kind))]) + [(10, payload)]],
            moves=True,
        )


def many(kind):
    """A pack of frames with 10,001 objects in all, in three frames of the same."""
    one = pack(news(kind)[:1] * 4096)
    framed = one[12 : struct.unpack("<Q", one[-40:-32])[0]]
    return pack(news(kind)[:1] * 1809, start=lambda was: was + framed * 2)


greetings()
kinds_of_exchange()
frames_of_turns()
what_is_asked()
what_is_sent()

# MARK: The ways there


class Done:
    """What a server has answered."""

    def __init__(self, said, status, err, problem):
        self.status, self.err, self.problem = status, err, problem
        self.frames = [(kind, payload) for kind, payload in wire.frames(said) if kind is not None]
        self.torn = any(kind is None for kind, _ in wire.frames(said))
        faults = [payload for kind, payload in self.frames if kind == 8]
        self.fault = faults[-1] if faults else None
        self.last = bool(faults) and self.frames[-1][0] == 8
        self.taken = sum(wire.number(payload, 0)[0] for kind, payload in self.frames if kind == 7)
        self.refused = sum(kind == 6 for kind, _ in self.frames)


def over_stdio(turns, mode):
    data = b"".join(turn if isinstance(turn, bytes) else as_bytes(turn) + frame(0) for turn in turns)
    words = ["redo", "serve", "--stdio"] + (["--read-only"] if mode == "read-only" else []) + ["store"]
    with open("said", "wb+") as out, open("err", "wb+") as err:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, stderr=err)
        before = time.monotonic()
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = 0
        out.seek(0)
        err.seek(0)
        problem = None
        if os.WIFSIGNALED(status):
            problem = "it hangs" if time.monotonic() - before >= SECONDS else f"it ends by signal {os.WTERMSIG(status)}"
        elif usage.ru_maxrss > KILOBYTES + 3 * len(data) // 1024:
            problem = f"it takes {usage.ru_maxrss} kB"
        return Done(out.read(), os.waitstatus_to_exitcode(status), err.read(), problem)


class Served:
    """A server over HTTP for the store as it is; another one where it has changed."""

    process = None

    def begin(self):
        self.end()
        self.log = open("server.log", "wb")
        words = ["redo", "serve", "--http=127.0.0.1:0", "--rate=0", "store"]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        self.port = None
        while self.port is None and self.process.poll() is None:
            with open("server.log", "rb") as log:
                found = re.search(rb'"event":"listening".*?"port":(\d+)', log.read())
            self.port = int(found[1]) if found else time.sleep(0.02)

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
        self.process = None

    def post(self, turns, case):
        greeting = turns[0][0] if turns and turns[0] and not isinstance(turns[0], bytes) else None
        said, problem = b"", None
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            for number, turn in enumerate(turns):
                body = (
                    turn
                    if isinstance(turn, bytes)
                    else as_bytes(([greeting] if number and greeting and greeting[0] == 1 else []) + turn) + frame(0)
                )
                connection.request("POST", "/v1/exchange", body, {"Content-Type": "application/vnd.redo.wire"})
                answer = connection.getresponse()
                said += answer.read()
                if answer.status != 200:
                    problem = f"status {answer.status}"
                    break
                if any(kind == 8 for kind, _ in wire.frames(said)):
                    break
        except (OSError, http.client.HTTPException) as error:
            problem = f"over HTTP: {error!r}"
        connection.close()
        if self.process.poll() is not None:
            problem = f"the server has ended with {self.process.returncode}"
            with open("server.log", "rb") as log:
                problem += f": {log.read()[-300:]!r}"
            self.process = None
        return Done(said, None, b"", problem)


SERVED = Served()


def fresh(kind, mode):
    shutil.rmtree("store", ignore_errors=True)
    shutil.copytree(f"{kind}.served", "store", symlinks=True)
    if mode == "closed":
        subprocess.run(["redo", "-C", "store", "config", "serve.kinds", "node"], check=True)


def judge(one, kind, way):
    """Says what a case says; what is wrong with what comes of it, or nothing."""
    reuse = way == "http" and SERVED.process and SERVED.clean == (kind, one.mode)
    if not reuse:
        SERVED.end()
        fresh(kind, one.mode)
        if way == "http":
            SERVED.begin()
            SERVED.clean = (kind, one.mode)
            SERVED.before = Store("store").files(), Store("store").objects()
    before, had = SERVED.before if way == "http" else (Store("store").files(), Store("store").objects())
    turns = one.turns(kind)
    done = SERVED.post(turns, one) if way == "http" else over_stdio(turns, one.mode)
    said = f"status {done.status}, fault {done.fault}, {done.err[-300:]!r}"
    if done.problem:
        return f"{done.problem}: {said}"
    if way == "stdio" and done.status not in (0, 75, 77, 128):
        return said
    if done.torn or done.fault is not None and not done.last:
        return f"the answer is torn, or goes on behind a fault: {said}"
    for data in (done.err, done.fault or b""):
        if wrong := words_of(data):
            return wrong
    if done.fault is not None and not re.fullmatch(rb"[a-z-]{1,32} [^\n]{1,1024}", done.fault):
        return f"the form of the fault: {said}"
    # Each object that is refused has a line of its own, and ends nothing.
    fatal = [line for line in done.err.decode().splitlines() if line.startswith("fatal: ")]
    if way == "stdio" and (len(fatal) != (done.status != 0)):
        return f"not one message: {said}"
    failed = done.fault is not None or way == "stdio" and done.status != 0
    code = done.fault.split()[0].decode() if done.fault else None
    if one.verdict == "bad" and (done.fault is None or one.codes and code not in one.codes):
        return f"a fault {' or '.join(one.codes or [])} is missing: {said}"
    if one.verdict == "cut" and way == "stdio" and not failed and turns[0]:
        return f"it takes half an exchange for a whole one: {said}"
    if one.verdict in ("good", "part") and failed:
        return f"it should not fail: {said}"
    if code == "denied" and way == "stdio" and done.status != 77:
        return f"denied, with another status: {said}"
    store = Store("store")
    objects, wrong = history(store, KNOWN[kind], FOREIGN)
    if wrong:
        return f"{wrong}: {said}"
    new = set(objects) - set(had)
    if set(had) - set(objects) or not new <= {thing.id for thing in SIDES[kind]["here"]}:
        return f"objects are gone, or have come that nobody sent: {said}"
    sends = any(kind_of == 5 for turn in turns if not isinstance(turn, bytes) for kind_of, _ in turn)
    if one.verdict == "good" and sends and new != {thing.id for thing in SIDES[kind]["here"]}:
        return f"{len(new)} were taken, and not all: {said}"
    if not failed and done.taken != len(new):
        return f"it says {done.taken}, and has taken {len(new)}: {said}"
    if one.verdict == "part" and not done.refused:
        return f"nothing is said to be refused: {said}"
    if one.verdict == "either" and not failed and new != {thing.id for thing in SIDES[kind]["here"]}:
        return f"{len(new)} were taken without a word: {said}"
    after = store.files()
    if store.left():
        return f"unfinished files are left: {store.left()}"
    if after != before:
        SERVED.clean = None
        changed = [name for name in sorted(set(before) | set(after)) if before.get(name) != after.get(name)]
        if one.moves is False or one.moves == "access" and changed != ["access"]:
            # What waits for its parents, or was refused, may be kept in the quarantine; nothing else.
            if one.verdict != "part" or any(not name.startswith("quarantine/") for name in changed):
                return f"the store has changed: {changed[:3]} of {len(changed)}: {said}"
        if one.mode == "":
            return afterwards(kind, said)
    return None


def afterwards(kind, said):
    """An honest client brings all of it."""
    done = over_stdio(push(kind, [pack(news(kind))]), "")
    objects, wrong = history(Store("store"), KNOWN[kind], FOREIGN)
    if done.problem or done.fault or done.status or wrong or not {thing.id for thing in SIDES[kind]["here"]} <= set(objects):
        return f"an honest client afterwards: {done.problem}, {done.fault}, {wrong}, {done.err[-300:]!r}, after {said}"
    left = [name for name in Store("store").files() if name.startswith("quarantine/incoming/")]
    return f"packs are left: {left}" if left else None


def main():
    has_http = os.environ.get("HTTP") == "1"
    steps = [
        (one, kind, way)
        for way in ("stdio", "http")
        for one in CASES
        for kind in one.kinds
        if way == "stdio" or has_http and not one.raw and one.verdict != "cut"
    ]
    # Those that differ in how the server is started lie together, so that it is started seldom.
    steps.sort(key=lambda step: (step[2], step[1], step[0].mode))
    if SHARE > 1:
        # What was wrong once is looked at in every run.
        known = [step for step in steps if "4,096 bytes" in step[0].name and step[2] == "stdio"]
        steps = known + steps[chosen.randrange(SHARE) :: SHARE]
    count, failures = 0, []
    try:
        for one, kind, way in steps:
            if ONLY and not re.search(ONLY, f"{kind} {way} {one.name}"):
                continue
            count += 1
            if wrong := judge(one, kind, way):
                failures.append(f"{kind} {way} '{one.name}': {wrong}")
                print(failures[-1], flush=True)
                SERVED.clean = None
                if len(failures) >= int(os.environ.get("MOST", 40)):
                    break
    finally:
        SERVED.end()
    print(f"# {len(CASES)} lies, {count} exchanges")
    sys.exit(1 if failures else 0)


main()
