"""damage.py <store> <table>: damages each file of a store in every way, and compares what commands do with a table.

The table has a row for each file and damage, and a column for each command; a cell names all outcomes that may be
seen, and each of them must be seen at least once, unless SHARE=<n> takes one in n of the lengths and bits, from the one on
that SEED chooses:

  same         the output and status are those of the undamaged store
  refused      it ends with an error; what it printed before is a part of what it prints of the undamaged store
  less         it succeeds, and prints a part of what it prints of the undamaged store
  other        it succeeds, and prints something else
  clean        verify finds nothing
  <rule>       verify warns of this rule; with '!' behind it as an error, and the status is 1; with '?' for information

Never allowed: a crash, a hang, an error without a message, and bytes that are not those of the undamaged store.
With --write the table is printed instead of compared.
"""

import concurrent.futures
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import threading
import zlib

SAMPLES = 40  # of the lengths and bits of a file; of an object each
FEW = 14  # of those of packs and archives: Tests/Faults/pack-bits.sh tries more
EVERY = 24  # one of as many lengths and bits of an object is tried with all commands
PATIENCE = 60  # seconds
SHARE, SEED = int(os.environ.get("SHARE", 1)), int(os.environ.get("SEED", 0))

arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
IS_WRITING = "--write" in sys.argv
STORE, TABLE = pathlib.Path(arguments[0]).resolve(), pathlib.Path(arguments[1])
NODE, TASK, PACKED, ARCHIVED = (
    os.environ[name] for name in ("DAMAGED_NODE", "DAMAGED_TASK", "PACKED_NODE", "ARCHIVED_NODE"))
OTHER = pathlib.Path(os.environ["OTHER_STORE"]).resolve()

COMMANDS = {
    "cat": ["cat-node", NODE],
    "cat packed": ["cat-node", PACKED],
    "cat archived": ["cat-node", ARCHIVED],
    "log": ["log", "--format=%(id)"],
    "log --no-cache": ["log", "--no-cache", "--format=%(id)"],
    "state": ["state", "--json"],
    "export": ["export", "--format=ndjson", "-q"],
    "commit": ["commit", "-q", "update", "-t", TASK, "--title=after", "--date=2026-01-02T03:04:05.678Z"],
    "verify": ["verify"],
    "verify-pack": ["verify-pack"],
}


def path_of(id):
    return f"objects/{id[7:9]}/{id[9:]}"


# Files whose names are not the same in all stores; the name of the newest one is beside the snapshot.
SEVERAL = {
    "pack": "objects/pack/*.pack",
    "pack index": "objects/pack/*.idx",
    "archive index": "archives/*.idx",
    "snapshot": f"cache/snapshots/{'?' * 64}",
}


def only(target):
    """The one file of the store that is meant."""
    [path] = (STORE / ".redo").glob(SEVERAL[target])
    return str(path.relative_to(STORE / ".redo"))


def targets():
    """The damaged files, by the name that the table has for them."""
    return {
        "loose": path_of(NODE),
        "pack": only("pack"),
        "pack index": only("pack index"),
        "archive": "../old.pack",
        "archive index": only("archive index"),
        "archive list": "archives/list",
        "refs": "refs",
        "journal": "refs.journal",
        "reflog": "reflog",
        "received": "received",
        "created": "created",
        "index": "cache/graph",
        "snapshot": only("snapshot"),
        "keyring": "keys/ed25519_private_key",
        "trust": "trust",
        "config": "config",
        "lock": "lock",
    }


class Copy:
    """A copy of the store that one thread damages and mends."""

    def __init__(self, place):
        self.store = place
        shutil.copytree(STORE, place, symlinks=True)
        # Its archive is its own, so that it can be damaged.
        subprocess.run(["redo", "-C", str(place), "archive", "register", "old.pack"], capture_output=True, check=True)
        self.root = place / ".redo"
        self.good = self.read()

    def read(self):
        """Every file but the objects: its bytes and mode."""
        found = {}
        for folder, names, files in os.walk(self.root):
            if pathlib.Path(folder) == self.root:
                names.remove("objects")
            for name in files:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                plain = stat.S_ISREG(status.st_mode)
                found[path] = (open(path, "rb").read() if plain else None, status.st_mode)
        return found

    def remove(self, path):
        if path.is_symlink() or path.exists():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()

    def mend(self, keep=None):
        """Makes everything but the damaged file and the objects what it was."""
        now = self.read()
        keep = str(keep)
        for path in now.keys() - self.good.keys():
            if path != keep and not path.startswith(keep + "/"):
                os.unlink(path)
        for path, (data, mode) in self.good.items():
            if path != keep and now.get(path) != (data, mode):
                self.remove(pathlib.Path(path))
                with open(path, "wb") as file:
                    file.write(data)
                os.chmod(path, mode & 0o7777)

    def run(self, command):
        process = subprocess.run(
            ["redo", "-C", str(self.store), *COMMANDS[command]],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        if command == "commit" and process.returncode == 0:
            made = self.root / path_of(process.stdout.decode().strip())
            self.remove(made)
        return process.returncode, process.stdout, process.stderr


def outcomes(command, good, found):
    """What the run of a command comes to, or why that must not be."""
    status, output, errors = found
    if status < 0 or status in (132, 133, 134, 135, 136, 139):
        raise ValueError(f"a crash: {signal.Signals(-status).name if status < 0 else status}\n{errors.decode()[-600:]}")
    if command == "verify":
        return verdicts(status, output)
    if (status, output) == good[:2]:
        return {"same"}
    is_part = set(output.splitlines()) <= set(good[1].splitlines())
    if status != 0:
        if not is_part or not errors:
            raise ValueError(f"status {status}, but it prints {output[:300]} and says {errors[:300]}")
        return {"refused"}
    return {"less" if is_part else "other"}


def verdicts(status, output):
    rows = [line.split(" ", 2) for line in output.decode().splitlines()]
    if status not in (0, 1, 128) or (status == 1) != any(row[0] == "error" for row in rows) and status != 128:
        raise ValueError(f"verify ends with {status}: {output[:600]}")
    if status == 128:
        return {"refused"}
    found = {row[1] + {"error": "!", "warning": "", "info": "?"}[row[0]] for row in rows}
    return found or {"clean"}


def places(count, samples):
    return sorted({*range(0, count, max(1, count // samples)), 0, 1, count - 1} & {*range(count)})


def inflated(data):
    try:
        return zlib.decompress(data)
    except zlib.error:
        return None


def damages(target, path, data):
    """Every way to damage a file: a name, and what does it."""

    def write(bytes):
        return lambda copy: put(copy.root / path, bytes)

    yield "delete", lambda copy: copy.remove(copy.root / path)
    if target == "loose":
        lengths, bits = range(len(data)), [(byte, bit) for byte in range(len(data)) for bit in range(8)]
    else:
        some = places(len(data), FEW if target.split()[0] in ("pack", "archive") else SAMPLES)
        lengths, bits = some, [(byte, byte % 8) for byte in some]
    lengths, bits = lengths[SEED % SHARE :: SHARE], bits[SEED % SHARE :: SHARE]
    for length in lengths:
        yield "truncate", write(data[:length])
    for byte, bit in bits:
        flipped = data[:byte] + bytes([data[byte] ^ 1 << bit]) + data[byte + 1 :]
        # A bit of the filling behind the last block changes nothing.
        if target != "loose" or inflated(flipped) != inflated(data):
            yield "flip", write(flipped)
    if data:
        yield "zero", write(bytes(len(data)))
    if target == "loose":
        [child] = [line for line in os.environ["OTHER_NODE"].split()]
        yield "swap", write((STORE / ".redo" / path_of(child)).read_bytes())
    else:
        [other] = (OTHER / ".redo").glob(SEVERAL.get(target, path))
        yield "swap", write(other.read_bytes())
    yield "name", lambda copy: os.rename(copy.root / path, wrong_name(copy.root / path))
    yield "fifo", lambda copy: (copy.remove(copy.root / path), os.mkfifo(copy.root / path, 0o600))
    yield "symlink", lambda copy: symlink(copy, path, data)
    yield "directory", lambda copy: (copy.remove(copy.root / path), (copy.root / path).mkdir())


def put(path, data):
    mode = path.stat().st_mode
    path.unlink()
    path.write_bytes(data)
    path.chmod(mode & 0o7777)


def wrong_name(path):
    return path.with_name(path.name[:-1] + ("0" if path.name[-1] != "0" else "1"))


def symlink(copy, path, data):
    """The bytes are good, but they stand elsewhere."""
    elsewhere = copy.store / "elsewhere"
    elsewhere.write_bytes(data)
    elsewhere.chmod(0o600)
    copy.remove(copy.root / path)
    (copy.root / path).symlink_to(elsewhere)


def main():
    local = threading.local()
    made = []

    def copy():
        if not hasattr(local, "copy"):
            place = STORE.parent / f"damaged-{threading.get_ident()}"
            local.copy = Copy(place)
            made.append(local.copy)
        return local.copy

    first = Copy(STORE.parent / "undamaged")
    good = {}
    for command in COMMANDS:
        good[command] = first.run(command)
        first.mend()
        if good[command][0] != 0 or command.startswith("verify") != (good[command][1] == b""):
            sys.exit(f"'{command}' of the undamaged store: {good[command]}")

    def strike(job):
        target, name, path, damage, commands = job
        here = copy()
        file = here.root / path
        kept = wrong_name(file)
        whole = file.read_bytes(), file.stat().st_mode
        found = {}
        for command in commands:
            damage(here)
            try:
                result = here.run(command)
                found[command] = outcomes(command, good[command], result)
            except (ValueError, subprocess.TimeoutExpired) as error:
                found[command] = {f"NEVER: {error}"}
            here.remove(file)
            here.remove(kept)
            file.write_bytes(whole[0])
            file.chmod(whole[1] & 0o7777)
            here.mend()
        return target, name, found

    jobs = []
    for target, path in targets().items():
        data = (STORE / ".redo" / path).read_bytes()
        for number, (name, damage) in enumerate(damages(target, path, data)):
            # Who reads the object itself always; the others, of many like damages, now and then.
            is_many = target == "loose" and name in ("truncate", "flip") and number % EVERY > 0
            jobs.append((target, name, path, damage, ["cat"] if is_many else list(COMMANDS)))
    seen, never = {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, name, found in pool.map(strike, jobs):
            for command, outcome in found.items():
                cell = (target, name, command)
                for word in outcome:
                    if word.startswith("NEVER"):
                        never.setdefault(cell, word)
                    else:
                        seen.setdefault(cell, set()).add(word)
    if IS_WRITING:
        print("# file", "damage", *COMMANDS, sep="\t")
        for target, name in dict.fromkeys((target, name) for target, name, _ in seen):
            print(target, name, *("|".join(sorted(seen.get((target, name, command), []))) for command in COMMANDS), sep="\t")
    else:
        compare(seen)
    for cell, reason in never.items():
        print(*cell, reason, file=sys.stderr)
    if never:
        sys.exit(1)
    print(f"{len(jobs)} damages, {sum(len(job[4]) for job in jobs)} runs", file=sys.stderr)


def compare(seen):
    wrong = []
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("# ")]
    names = TABLE.read_text().splitlines()[0].removeprefix("# ").split("\t")[2:]
    expected = {}
    for line in lines:
        target, name, *cells = line.split("\t")
        for command, cell in zip(names, cells):
            expected[target, name, command] = set(cell.split("|"))
    for cell in sorted(expected.keys() | seen.keys() if SHARE == 1 else seen.keys()):
        same = expected.get(cell) == seen.get(cell)
        if not (same if SHARE == 1 else seen[cell] <= expected.get(cell, set())):
            wrong.append(f"{' '.join(cell)}: {sorted(seen.get(cell, []))}, not {sorted(expected.get(cell, []))}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
