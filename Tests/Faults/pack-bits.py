"""pack-bits.py <file> <whose>: changes single bytes of a pack, an index or an archive of a store, and asks commands.

Each command must answer exactly as before, or say what is wrong and end with an error: never another answer, never a
crash. What `whose` names must find every change: `pack` verify and verify-pack, `index` verify-pack and (as a warning)
verify, `archive` verify and archive verify, `shelf` (its index) verify; `resealed`, where frames and file get good hashes again, must crash nobody. The bytes are
sampled; SHARE=<n> takes one in n of the samples, from the one on that SEED chooses.
"""

import concurrent.futures
import hashlib
import itertools
import os
import shutil
import struct
import subprocess
import sys
import threading

SAMPLES = int(os.environ.get("PACK_BITS", 60))
FILE, WHOSE = os.path.abspath(sys.argv[1]), sys.argv[2]
STORE = os.path.abspath("store")
IDS = open("ids").read().split()

COMMANDS = {
    "cat": ["cat-node", IDS[0]],
    "another": ["cat-node", IDS[len(IDS) // 2]],
    "all": ["cat-node", "--batch-all-objects", "--batch-check"],
    "log": ["log", "--no-cache", "--format=%(id)"],
    "state": ["state", "--no-cache", "--hash"],
    "nodes": ["verify", "--all"],
    "verify": ["verify"],
    "verify-pack": ["verify-pack"],
    "archive": ["archive", "verify", "old.pack"],
}
FINDERS = {"pack": ["verify", "verify-pack"], "index": ["verify", "verify-pack"], "archive": ["verify", "archive"], "shelf": ["verify"], "resealed": []}


def run(store, command):
    process = subprocess.run(
        ["redo", "-C", store, *COMMANDS[command]], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)  # fmt: skip
    return process.returncode, process.stdout, process.stderr


def reseal(path):
    """Makes the hashes of a pack's frames and of its file good."""
    data = bytearray(open(path, "rb").read())
    (end,) = struct.unpack("<Q", data[-40:-32])
    place = 12
    while place + 28 <= end:
        last = place + 28 + struct.unpack_from("<I", data, place)[0]
        data[place + 12 : place + 28] = hashlib.sha256(data[place : place + 12] + data[place + 28 : last]).digest()[:16]
        place = last
    data[-32:] = hashlib.sha256(data[:-32]).digest()
    open(path, "wb").write(data)


def main():
    local = threading.local()
    numbers = itertools.count()
    data = open(FILE, "rb").read()
    good = {command: run(STORE, command) for command in COMMANDS}
    for command, (status, output, _) in good.items():
        if status != 0 or (command == "verify") and output:
            sys.exit(f"'{command}' of the sound store: {status}, {output[:300]}")

    def strike(place):
        if not hasattr(local, "store"):
            local.store = f"{STORE}-{os.getpid()}-{next(numbers)}"
            shutil.copytree(STORE, local.store)
            subprocess.run(["redo", "-C", local.store, "archive", "register", "old.pack"], check=True, capture_output=True)
        path = local.store + FILE[len(STORE) :]
        os.chmod(path, 0o644)
        with open(path, "r+b", buffering=0) as file:
            os.pwrite(file.fileno(), bytes([data[place] ^ 1 << place % 8]), place)
        if WHOSE == "resealed":
            reseal(path)
        wrong = []
        for command in COMMANDS:
            status, output, errors = run(local.store, command)
            where = f"byte {place} of {len(data)} of the {WHOSE}, '{command}'"
            if command == "all":  # says in its rows what cannot be read
                output = output.replace(b" corrupt\n", b" \n").replace(b" archived-offline\n", b" \n")
                known = {line.split()[0]: line for line in good["all"][1].splitlines()}
                output = b"".join(known.get(line.strip(), line) + b"\n" for line in output.splitlines())
                if status == 0 and output == good["all"][1]:
                    continue
            isSame = (status, output) == good[command][:2]
            finds = command in FINDERS[WHOSE]
            if status not in (0, 1, 128):
                wrong.append(f"{where}: it ends with {status}: {errors[-300:]}")
            elif WHOSE == "resealed":
                continue
            elif status == 0 and not isSame and not (finds and output.startswith(b"warning ")):
                wrong.append(f"{where}: another answer: {output[:300]}")
            elif status != 0 and not errors and command not in ("verify", "nodes", "archive"):
                wrong.append(f"{where}: not a word")
            elif finds and isSame:
                wrong.append(f"{where}: it is not found")
            elif status != 0 and command in ("log", "cat", "another", "state"):
                if not set(output.splitlines()) <= set(good[command][1].splitlines()):
                    wrong.append(f"{where}: before the error other words: {output[:300]}")
        with open(path, "wb", buffering=0) as file:
            file.write(data)
        return wrong

    step = max(1, len(data) // SAMPLES)
    # The beginning and the end have the most meaning a byte.
    places = {*range(0, len(data), step), *range(0, min(64, len(data)), 5), *range(max(0, len(data) - 64), len(data), 5)}
    places = sorted(places if WHOSE != "resealed" else {place for place in places if 40 <= place < len(data) - 300})
    share = int(os.environ.get("SHARE", 1))
    places = places[int(os.environ.get("SEED", 0)) % share :: share]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [line for lines in pool.map(strike, places) for line in lines]
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    print(f"{len(places)} changes", file=sys.stderr)
    if wrong:
        sys.exit(1)


main()
