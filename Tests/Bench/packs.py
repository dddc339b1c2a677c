"""Many nodes as one pack, beside git's packs of the same bytes."""

import os
import random
import re
import subprocess

from harness import *


def blobs(log):
    """The stream that makes git write each line of a log as a blob."""
    path = os.path.join(WORK, "blobs")
    with open(log, "rb") as lines, open(path, "wb") as stream:
        for number, line in enumerate(lines, 1):
            line = line.rstrip(b"\n")
            stream.write(b"blob\nmark :%d\ndata %d\n%s\n" % (number, len(line), line))
    return path


def unsigned(log):
    """The log without its signatures; the ids stay what they are."""
    path = os.path.join(WORK, "unsigned.ndjson")
    with open(log, "rb") as lines, open(path, "wb") as bare:
        for line in lines:
            bare.write(re.sub(rb',"signature":"[0-9a-f]{128}"', b"", line, count=1))
    return path


def writes(log, what):
    """Writes a log beside git, and tells what both took."""
    durable = ["git", "-c", "core.fsync=all", "-c", "gc.auto=0"]
    stream = blobs(log)
    medians = contest({
        f"git fast-import, {what}": lambda: Run([*durable, "--git-dir", git_store(), "fast-import", "--quiet"], stream),
        f"redo hash-object -w --ndjson, {what}":
            lambda: Run([REDO, "--redo-dir", redo_store(), "hash-object", "-w", "--ndjson"], log),
    })  # fmt: skip
    table.costs(medians)
    other, own = medians.values()
    ratio(f"hash-object -w --ndjson, {what} / git fast-import", own, other, 0.7)
    table.add()
    return other


def packed_stores(log, stream):
    """A store of each kind with one pack of every node, git's as small as it makes it, and the ids in the order of the log."""
    store = redo_store("redo-packed")
    redo_ids = os.path.join(WORK, "packed-ids")
    with open(log, "rb") as input, open(redo_ids, "wb") as output:
        subprocess.run(
            [*UNSYNCED, "--redo-dir", store, "hash-object", "-w", "--ndjson"],
            stdin=input, stdout=output, cwd=WORK, env=ENVIRONMENT, check=True,
        )  # fmt: skip
    repository = git_store("git-packed")
    marks = os.path.join(WORK, "marks")
    quietly(*GIT, "--git-dir", repository, "fast-import", "--quiet", f"--export-marks={marks}", stdin=stream)
    quietly(*GIT, "--git-dir", repository, "repack", "-adfq", "--keep-unreachable")
    git_ids = os.path.join(WORK, "packed-git-ids")
    with open(marks) as lines, open(git_ids, "w") as file:
        for mark, id in sorted((int(line.split()[0][1:]), line.split()[1]) for line in lines):
            file.write(id + "\n")
    os.sync()
    return store, redo_ids, repository, git_ids


def shuffled(path):
    """The lines of a file in another order, the same for both."""
    with open(path) as file:
        lines = file.readlines()
    random.Random(1).shuffle(lines)
    with open(path + "-shuffled", "w") as file:
        file.writelines(lines)
    return path + "-shuffled"


def size(directory, *endings):
    return sum(
        os.path.getsize(os.path.join(directory, name)) for name in os.listdir(directory) if name.endswith(endings))


def packs(log):
    count = sum(1 for _ in open(log, "rb"))
    table.head(
        f"Packs: {count:,} nodes of tasks with long histories",
        "Both durable: every file is synced. git writes the same bytes as blobs; redo verifies every signature that there is, too.")
    writes(unsigned(log), "unsigned")
    git = writes(log, "signed")
    verified = contest({"redo verify --ndjson": lambda: Run([REDO, "verify", "--ndjson"], log, WORK)})
    table.costs(verified)
    (only,) = verified.values()
    table.add(f"- to verify them takes {only.wall / git.wall:.2f} of the wall time of git fast-import\n")
    stream = blobs(log)

    store, redo_ids, repository, git_ids = packed_stores(log, stream)
    folders = os.path.join(store, "objects", "pack"), os.path.join(repository, "objects", "pack")
    table.add(
        f"\nThe pack has {size(folders[0], '.pack'):,} bytes, its index {size(folders[0], '.idx'):,}; "
        f"git's after `repack -adf` {size(folders[1], '.pack'):,} and {size(folders[1], '.idx'):,}. The frame cache has its usual limit.\n")
    for order, limit, ids in (
        ("in pack order", 0.25, (redo_ids, git_ids)),
        ("in random order", 0.7, (shuffled(redo_ids), shuffled(git_ids))),
    ):
        medians = contest({
            f"git cat-file --batch, {order}": lambda: Run(["git", "--git-dir", repository, "cat-file", "--batch", "--buffer"], ids[1]),
            f"redo cat-node --batch, {order}": lambda: Run([REDO, "--redo-dir", store, "cat-node", "--batch", "--buffer"], ids[0]),
        })  # fmt: skip
        table.costs(medians)
        other, own = medians.values()
        ratio(f"cat-node --batch {order} / git cat-file", own, other, limit)
        table.add()
    one, git_one = (next(open(path)).strip() for path in (redo_ids, git_ids))
    rows = measured(200, {
        "git cat-file, one object": ["git", "--git-dir", repository, "cat-file", "-p", git_one],
        "redo cat-node, one node": [REDO, "--redo-dir", store, "cat-node", one],
    })  # fmt: skip
    other, own = rows.values()
    table.add(f"- one node out of the pack: {own[0] / 1000:.2f} ms, git {other[0] / 1000:.2f} ms")
