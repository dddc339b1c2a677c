"""damage-ends.py <table>: damages the files that say where a history ends, and compares what commands do with a table.

The present directory has `store`, `old`, the same store some changes before, `other`, another store, and `remembered`, a
checkpoint that was kept elsewhere. A row of the table is one file, or two, and what has become of each of them:

  wiped        it is gone
  truncated    its first half is left
  rolled-back  it is as in `old`
  exchanged    it is that of `other`

The last rows are about all of these files at once. The columns are commands; each cell names the one outcome:

  same         output and status are those of the undamaged store
  refused      it ends with an error, and what it printed before is a part of what it prints of the undamaged store
  behind       the same, with the code refs-behind
  made         of a commit: it succeeds
  clean        verify finds nothing
  <rule>       verify warns of this rule; with '!' behind it as an error; several of them with '|' between
  less, other  it succeeds, and prints a part of what it should, or something else

`repair` is the status of `redo verify --repair-refs`, and how many changes it names as lost; `log after` and `verify
after` come then. `checkpoint` is what `redo checkpoint verify remembered` says of the damaged store: G, B or refused.

Never allowed, whatever the table says: a crash, a hang, an error without a message, and, unless all files are as they were
together, a reader that prints less or something else without a word, a commit that is made on refs that are behind, and
a repair that brings back less than all. With --write the table is printed instead of compared.
SHARE=<n> tries one in n of the rows of pairs, from the one on that SEED chooses.
"""

import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

PATIENCE = 60  # seconds
SHARE, SEED = int(os.environ.get("SHARE", 1)), int(os.environ.get("SEED", 0))
IS_WRITING = "--write" in sys.argv
TABLE = pathlib.Path([argument for argument in sys.argv[1:] if not argument.startswith("--")][0])
HERE = pathlib.Path.cwd()
STORE, OLD, OTHER = HERE / "store", HERE / "old", HERE / "other"
DAMAGES = "wiped", "truncated", "rolled-back", "exchanged"
READERS = {
    "log": ["log", "--format=%(id)"],
    "log --no-cache": ["log", "--no-cache", "--format=%(id)"],
    "show-ref": ["show-ref"],
    "state": ["state", "--json"],
}
COMMIT = ["commit", "-q", "create", "-t", "7b000000-0000-4000-8000-000000000001", "--title=after"]
COLUMNS = [*READERS, "commit", "verify", "repair", "log after", "verify after", "checkpoint"]


def redo(store, *words):
    found = subprocess.run(["redo", "-C", str(store), *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    if found.returncode < 0 or found.returncode in (132, 133, 134, 135, 136, 139):
        raise ValueError(f"a crash of {words[0]}: {found.returncode} {found.stderr.decode()[-400:]}")
    if found.returncode > 1 and not found.stderr:
        raise ValueError(f"{words[0]} ends with {found.returncode} without a word")
    return found.returncode, found.stdout, found.stderr


def checkpoint_of(store):
    """Where the blob of the last checkpoint is."""
    id = redo(store, "show-ref", "--format=%(id)", "checkpoints/latest")[1].decode().strip()
    return f"objects/{id[7:9]}/{id[9:]}"


PARTS = {
    "refs": "refs", "journal": "refs.journal", "reflog": "reflog", "received": "received", "created": "created",
    "keys": "keys", "trust": "trust", "checkpoint": checkpoint_of(STORE),
}  # fmt: skip
SOURCES = {"checkpoint": {OLD: checkpoint_of(OLD), OTHER: checkpoint_of(OTHER)}}
ENDS = ["refs", "journal", "reflog", "received"]


def damage(store, part, how):
    path = store / ".redo" / PARTS[part]
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    if how == "truncated":
        for file in files:
            data, mode = file.read_bytes(), file.stat().st_mode
            file.unlink()
            file.write_bytes(data[: len(data) // 2])
            file.chmod(mode & 0o7777)
        return
    for file in files:
        file.unlink()
    if how == "wiped":
        return
    source = OLD if how == "rolled-back" else OTHER
    taken = source / ".redo" / SOURCES.get(part, {}).get(source, PARTS[part])
    if taken.is_dir():
        shutil.copytree(taken, path, dirs_exist_ok=True)
    else:
        shutil.copy2(taken, path)


def fresh(place, parts, how):
    """A copy of the store, damaged; objects are other names of the same files, which nobody changes."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(STORE, place, copy_function=lambda a, b: (os.link if "/objects/" in a else shutil.copy2)(a, b))
    for part in parts:
        damage(place, part, how)


def reading(good, found):
    status, output, errors = found
    if (status, output) == good[:2]:
        return "same"
    is_part = set(output.splitlines()) <= set(good[1].splitlines())
    if status != 0:
        if not is_part:
            raise ValueError(f"status {status}, but it prints {output[:300]}")
        return "behind" if b"refs-behind" in errors else "refused"
    return "less" if is_part else "other"


def verdicts(found):
    status, output, _ = found
    if status == 128:
        return "refused"
    rows = [line.split(" ", 2) for line in output.decode().splitlines()]
    if (status == 1) != any(row[0] == "error" for row in rows) or status not in (0, 1):
        raise ValueError(f"verify ends with {status}: {output[:300]}")
    return "|".join(sorted({row[1] + ("!" if row[0] == "error" else "") for row in rows if row[0] != "info"})) or "clean"


def main():
    good = {name: redo(STORE, *words) for name, words in READERS.items()}
    for name, found in good.items():
        if found[0] != 0 or not found[1]:
            sys.exit(f"'{name}' of the undamaged store: {found}")
    for place in (STORE, OLD, OTHER):
        if redo(place, "verify")[:2] != (0, b""):
            sys.exit(f"'{place}' is not sound: {redo(place, 'verify')}")

    def try_out(job):
        number, parts, how = job
        place = HERE / f"damaged-{number}"
        fresh(place, parts, how)
        row, notes = {}, []
        try:
            for name, words in READERS.items():
                row[name] = reading(good[name], redo(place, *words))
            row["verify"] = verdicts(redo(place, "verify"))
            status, output, _ = redo(place, "checkpoint", "verify", str(HERE / "remembered"))
            row["checkpoint"] = output.decode()[:1] if status in (0, 1) else "refused"
            found = redo(place, *COMMIT)
            row["commit"] = "made" if found[0] == 0 else "behind" if b"[refs-behind]" in found[2] else "refused"
            fresh(place, parts, how)
            status, output, errors = redo(place, "verify", "--repair-refs")
            lost = sum(int(number) for number in re.findall(r"; (\d+) changes? (?:are|is) lost", output.decode()))
            row["repair"] = f"{status}" + (f", {lost} lost" if lost else "")
            found = redo(place, *READERS["log --no-cache"])
            row["log after"] = reading(good["log --no-cache"], found)
            row["verify after"] = verdicts(redo(place, "verify"))
        except (ValueError, subprocess.TimeoutExpired) as error:
            notes.append(str(error))
        shutil.rmtree(place)
        if not set(ENDS) <= set(parts):
            for name in READERS:
                if row.get(name) in ("less", "other"):
                    notes.append(f"'{name}' prints {row[name]}, and says nothing")
            if row.get("commit") == "made" and "behind" in (row.get("log"), row.get("show-ref")):
                notes.append("a commit is made on refs that are behind")
            if row.get("log after") in ("less", "other"):
                notes.append("the repair brings back something else")
        return parts, how, row, notes

    rows = [((part,), how) for part in PARTS for how in DAMAGES]
    pairs = [(pair, how) for pair in itertools.combinations(PARTS, 2) for how in DAMAGES]
    # Pairs of files that say where a history ends are always tried.
    rows += [row for row in pairs if set(row[0]) <= set(ENDS)]
    rows += [row for row in pairs if not set(row[0]) <= set(ENDS)][SEED % SHARE :: SHARE]
    rows += [(tuple(ENDS), how) for how in ("rolled-back", "exchanged")]
    rows += [(tuple(PARTS), how) for how in ("rolled-back", "exchanged")]
    jobs = [(number, parts, how) for number, (parts, how) in enumerate(rows)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(try_out, jobs))
    lines = ["\t".join(["# files", "damage", *COLUMNS])]
    for parts, how, row, _ in results:
        lines.append("\t".join(["+".join(parts), how, *(row.get(name, "-") for name in COLUMNS)]))
    if IS_WRITING:
        print(*lines, sep="\n")
    expected = TABLE.read_text().splitlines() if TABLE.exists() else []
    if SHARE > 1:
        tried = {tuple(line.split("\t")[:2]) for line in lines}
        expected = [line for line in expected if tuple(line.split("\t")[:2]) in tried]
    is_bad = False
    for parts, how, _, notes in results:
        for note in notes:
            is_bad = True
            print(f"NEVER: {'+'.join(parts)} {how}: {note}", file=sys.stderr)
    if not IS_WRITING and lines != expected:
        is_bad = True
        for line in sorted(set(lines) ^ set(expected), key=lambda line: line.split("\t")[:2]):
            print("found   " if line in lines else "expected", line)
    print(f"{len(results)} rows, {len(results) * len(COLUMNS)} cells", file=sys.stderr)
    sys.exit(1 if is_bad else 0)


main()
