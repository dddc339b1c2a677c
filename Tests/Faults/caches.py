"""caches.py <store> <count>: forges derived files with right checksums, and runs every reader over them.

For each file below `.redo/cache`, and for the index of each pack, <count> changes are tried: single flipped bits, and words
in whose place stand numbers that lead elsewhere. The hashes of a file are made again as redo-store(5) says, by nothing that
redo shares, so that nothing tells but what the bytes mean. Whatever they are:

- no reader ends with a trap, a signal or a usage error, none hangs, and none takes more than 200 MB and 3 times the file;
- the answer is the one without the file, or an error, or `redo verify` ends with 1.

With <count> 0 every bit of every file is flipped.
"""

import hashlib
import os
import random
import resource
import struct
import subprocess
import sys

STORE, COUNT = sys.argv[1], int(sys.argv[2])
SEED = os.environ.get("SEED", "0")
random = random.Random(SEED)
ROOT = os.path.join(STORE, ".redo")
WORDS = [0, 1, 2, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
KILOBYTES = 200_000
SECONDS = 20


def payload(data):
    """What a file says: everything before its hashes."""
    return data[: int(data[-82:-66], 16)]


def sealed(body):
    hashes = b"".join(hashlib.sha256(body[at : at + 16384]).digest() for at in range(0, len(body), 16384))
    end = hashes + b"redo-cache 2 %016x " % len(body)
    return body + end + hashlib.sha256(end).hexdigest().encode() + b"\n"


def note(slot):
    return slot[:32] + hashlib.sha256(b"redo-living 1 " + slot[:32]).digest()[:8]


class Files:
    """The derived files of a store, as they were."""

    def __init__(self):
        self.bytes = {}
        for folder in ["cache", "cache/snapshots", "objects/pack"]:
            for name in sorted(os.listdir(os.path.join(ROOT, folder))):
                path = os.path.join(ROOT, folder, name)
                if os.path.isfile(path) and (folder != "objects/pack" or name.endswith(".idx")):
                    with open(path, "rb") as file:
                        self.bytes[path] = file.read()
        # A reader that meets another signature than the index has marks the index as old: no forgery of it would be read
        # from then on.
        self.mark = os.path.join(ROOT, "objects/info/signatures")
        self.marked = None
        if os.path.exists(self.mark):
            with open(self.mark, "rb") as file:
                self.marked = file.read()

    def restore(self):
        for path, data in self.bytes.items():
            self.write(path, data)
        if self.marked is not None:
            self.write(self.mark, self.marked)
        elif os.path.exists(self.mark):
            os.remove(self.mark)
        for folder in ["cache", "cache/snapshots"]:
            for name in os.listdir(os.path.join(ROOT, folder)):
                path = os.path.join(ROOT, folder, name)
                if os.path.isfile(path) and path not in self.bytes:
                    os.remove(path)

    @staticmethod
    def write(path, data):
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() == data:
                    return
            os.remove(path)
        with open(path, "wb") as file:
            file.write(data)


def run(arguments, limit):
    """The status and the output of a reader; ends this program when it ends as none should."""
    process = subprocess.Popen(["redo", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return "it hangs", b""
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if process.returncode not in (0, 1, 128):
        return f"it ends with {process.returncode}: {errors[-300:].decode(errors='replace')}", b""
    if used > limit:
        return f"it takes {used} kB", b""
    return process.returncode, output


def lines(*arguments):
    return subprocess.run(["redo", "-C", STORE, *arguments], stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[:-1]


ids = lines("log", "--reverse", "--format=%(id)")
tasks = [line for line in lines("log", "--reverse", "--format=%(task)") if line]
task = max(set(tasks), key=tasks.count)
AT = "2031-01-01"
inner, first, last = ids[len(ids) // 2], ids[0], ids[-1]
FORMAT = "%(id) %(parents) %(lamport) %(wall) %(author:userid) %(author:device) %(author:name) %(action) %(task) %(data)"
READERS = [
    ["state"],
    ["state", "--hash"],
    ["state", "--skips", "--no-snapshot"],
    ["state", "--no-snapshot"],
    ["state", f"--as-of={inner}", "-q"],
    ["log"],
    ["log", "--json"],
    ["log", "--sort=order"],
    ["log", "-n", "5", "--oneline"],
    ["log", "--sort=received", "--action=UPDATE"],
    ["log", "--format=" + FORMAT],
    ["log", "--graph", "--format=%(id)"],
    ["log", "--pretty=changes"],
    ["log", "--dot"],
    ["log", "--heads", "--format=%(id)"],
    ["log", f"{inner}..{last}", "--format=%(id) %(action)"],
    ["query", "tasks", f"--as-of={AT}", "--json", "-q"],
    ["query", "todos", f"--as-of={AT}", "--json", "-q"],
    ["explain", "-q", task],
    ["diff", "-q", "--json", first, last],
    ["diff", "--json", inner],
    ["merge-base", inner, last],
    ["show-ref"],
    ["show"],
    ["snapshot", "list"],
    ["snapshot", "verify"],
    ["stats"],
    ["archive", "create", "--dry-run", "--before=2030-01-01", "-o", os.path.abspath("x.pack")],
    ["recover", "--dry-run", f"--to={inner}"],
    ["cat-node", "--batch-check", "--batch-all-objects"],
]
# Only these print nothing but what nodes say.
COMPARED = {"state", "log", "query", "explain", "diff", "merge-base"}


def readers():
    commands = [["-C", STORE, *words] for words in READERS]
    commands.append(["-C", "other", "fetch", "--dry-run", os.path.abspath(STORE)])
    return commands


files = Files()
expected = {}
usable = []
for command in readers():
    status, output = run(command, 1 << 30)
    if status not in (0, 1):
        sys.exit(f"the sound store does not do: {command}: {status}")
    expected[tuple(command)] = (status, output)
    usable.append(command)
files.restore()
VERIFY = ["-C", STORE, "verify"]
if run(VERIFY, 1 << 30) != (0, b""):
    sys.exit("the sound store is not sound")


def forgeries(path, data):
    """Changed contents, with right hashes."""
    living = path.endswith("/living")
    body = data if living else payload(data)
    seal = (lambda body: body) if living else sealed
    if living:
        slots = [at for at in range(0, len(body), 40) if any(body[at : at + 40])]
        places = [(at + byte, bit) for at in slots for byte in range(32) for bit in range(8)]
    else:
        places = [(byte, bit) for byte in range(len(body)) for bit in range(8)]
    bits = places if COUNT == 0 else random.sample(places, min(COUNT * 2 // 3, len(places)))
    for byte, bit in bits:
        new = bytearray(body)
        new[byte] ^= 1 << bit
        if living:
            slot = note(bytes(new[byte // 40 * 40 : byte // 40 * 40 + 40]))
            new[byte // 40 * 40 : byte // 40 * 40 + 40] = bytes(40)
            at = int.from_bytes(slot[:2], "big") * 40
            new[at : at + 40] = slot
        yield f"bit {bit} of byte {byte}", seal(bytes(new))
    if living:
        return
    for _ in range(COUNT // 3 or 500):
        width = random.choice([4, 8])
        byte = random.randrange(0, max(1, (len(body) - width) // 4)) * 4
        word = random.choice(WORDS) & ((1 << 8 * width) - 1)
        new = body[:byte] + struct.pack("<Q", word)[:width] + body[byte + width :]
        yield f"{width} bytes of byte {byte} as {word:#x}", seal(new)


# Whoever fetches by a path reads the index there: a word in each part of it leads elsewhere.
for path, data in files.bytes.items():
    body = payload(data) if "/cache/graph" in path else b""
    for at in range(0, len(body) - 3, 4 if COUNT == 0 else 44):
        files.restore()
        files.write(path, sealed(body[:at] + b"\xff\xff\xff\xff" + body[at + 4 :]))
        status, _ = run(["-C", "other", "fetch", "--dry-run", os.path.abspath(STORE)], KILOBYTES + 3 * len(data) // 1000)
        if isinstance(status, str):
            sys.exit(f"a word of byte {at} of '{path}': 'redo fetch': {status}")



def varint(data, at):
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def written(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def trees(body):
    """The digests that exchanges keep (redo-store(5)), with counts and places that are those of other nodes."""
    at = 48 + int.from_bytes(body[40:48], "little")
    head, root, at = body[:at], body[at : at + 32], at + 32
    count, at = varint(body, at)
    runs, pieces = [], []
    for _ in range(count):
        start = at
        if body[at] == 255:
            at += 1
        else:
            size = body[at]
            _, at = varint(body, at + 1)
            _, at = varint(body, at)
            at += size
        bound = body[start:at]
        nodes, at = varint(body, at)
        runs.append([bound, nodes, body[at : at + 32]])
        at += 32
    count, at = varint(body, at)
    for _ in range(count):
        nodes, at = varint(body, at)
        pieces.append([nodes, body[at : at + 32]])
        at += 32
    assert at == len(body), "the form of cache/graph.tree"

    def sealed_tree(runs, pieces, total):
        rows = b"".join(bound + written(nodes) + digest for bound, nodes, digest in runs)
        rows = written(len(runs)) + rows + written(len(pieces)) + b"".join(written(nodes) + digest for nodes, digest in pieces)
        return sealed(head[:32] + total.to_bytes(8, "little") + head[40:] + root + rows)

    total = sum(nodes for nodes, _ in pieces)
    for more in (1, 1000, 1 << 40, (1 << 62) - total):
        for place in (0, len(runs) // 2, -1):
            longer, wider = [list(run) for run in runs], [list(piece) for piece in pieces]
            longer[place][1] += more
            wider[-1][0] += more
            yield f"{more} nodes more in run {place}", sealed_tree(longer, wider, 1 << 62)
    for place in range(len(runs) - 1):
        shifted = [list(run) for run in runs]
        if shifted[place + 1][1] > 1:
            shifted[place][1] += 1
            shifted[place + 1][1] -= 1
            yield f"the bound of run {place} one node too late", sealed_tree(shifted, pieces, total)
    yield "one run", sealed_tree([[b"\xff", total, root]], pieces, total)
    yield "one piece", sealed_tree(runs, [[total, root]], total)
    yield "a node a piece", sealed_tree(runs, [[1, root]] * total, total)


path = os.path.join(ROOT, "cache/graph.tree")
for what, forged in trees(payload(files.bytes[path])):
    # Whoever asks begins with it, and whoever is asked answers with it.
    for one, other in ((STORE, "peer"), ("peer", STORE)):
        files.restore()
        files.write(path, forged)
        status, _ = run(["-C", one, "fetch", "--dry-run", os.path.abspath(other)], KILOBYTES)
        if isinstance(status, str):
            sys.exit(f"{what} of '{path}': 'redo -C {one} fetch {other}': {status}")
    files.restore()
    files.write(path, forged)
    status, _ = run(VERIFY, KILOBYTES)
    if status != 1:
        sys.exit(f"{what} of '{path}': 'redo verify' ends with {status}")

tried = told = wrong = 0
for path, data in files.bytes.items():
    limit = KILOBYTES + 3 * len(data) // 1000
    for what, forged in forgeries(path, data):
        chosen = usable if COUNT == 0 else random.sample(usable, 3)
        tried += 1
        lies = None
        for command in chosen:
            files.restore()
            files.write(path, forged)
            status, output = run(command, limit)
            if isinstance(status, str):
                sys.exit(f"{what} of '{path}': 'redo {' '.join(command)}': {status} (REDO_SEED={SEED})")
            is_answer = command[2] in COMPARED and status != 128
            if is_answer and (status, output) != expected[tuple(command)]:
                lies = command
        files.restore()
        files.write(path, forged)
        status, output = run(VERIFY, limit)
        if isinstance(status, str):
            sys.exit(f"{what} of '{path}': 'redo verify': {status} (REDO_SEED={SEED})")
        told += status == 1
        if lies:
            wrong += 1
            if status != 1:
                sys.exit(f"{what} of '{path}' changes what 'redo {' '.join(lies)}' says, and 'redo verify' ends with {status}"
                         f" (REDO_SEED={SEED})")
files.restore()
if run(VERIFY, 1 << 30) != (0, b""):
    sys.exit("the sound store is no longer sound")
print(f"{tried} forgeries of {len(files.bytes)} files: {wrong} changed an answer, verify told of {told}")
if told * 8 < tried:
    sys.exit("too few are told of")
