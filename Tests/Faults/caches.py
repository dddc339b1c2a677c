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
    hashes = b"".join(hashlib.sha256(body[at : at + 65536]).digest() for at in range(0, len(body), 65536))
    end = hashes + b"redo-cache 1 %016x " % len(body)
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

    def restore(self):
        for path, data in self.bytes.items():
            self.write(path, data)
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
