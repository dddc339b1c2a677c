"""Two builds of redo beside each other: `Tests/Bench/run --against=<redo>`.

Every command runs with one build and then with the other, and in the other order in the next round, so that a busy moment of
the machine hits both. What is told is the ratio of the two of each round, new to old: the median, and the quartiles as the
spread. Each build has stores of its own, which it has filled itself.
"""

import os
import shutil
import statistics
import subprocess
import tempfile

from harness import *

# The most that a build may be slower than the one before.
LIMIT = 1.03


class Side:
    """A build, and its stores."""

    def __init__(self, name, redo, place):
        self.name, self.redo = name, redo
        self.place = os.path.join(place, name)
        os.makedirs(self.place)
        self.link = os.path.join(self.place, "redo-hash-object")
        os.symlink(redo, self.link)
        self.loose = self.store("loose")
        quietly(*self.unsynced(self.loose), "-c", "core.bulkLimit=1000000000", "import", "-q", LOG)
        quietly(*self.unsynced(self.loose), "key", "generate")
        quietly(*self.unsynced(self.loose), "log", "-n", "1")
        self.packed = self.store("packed")
        quietly(*self.unsynced(self.packed), "import", "-q", options.deep)
        quietly(*self.unsynced(self.packed), "log", "-n", "1")
        self.ids = os.path.join(self.place, "ids")
        with open(self.ids, "wb") as ids:
            subprocess.run(
                [redo, "--redo-dir", self.packed, "log", "--format=%(id)"], stdout=ids, check=True, env=ENVIRONMENT)
        self.task = subprocess.run(
            [redo, "--redo-dir", self.packed, "log", "-n", "1", "--format=%(task)"], stdout=subprocess.PIPE, check=True,
            env=ENVIRONMENT).stdout.decode().strip()

    def store(self, name):
        path = os.path.join(self.place, name)
        shutil.rmtree(path, ignore_errors=True)
        quietly(self.redo, "init", path)
        return os.path.join(path, ".redo")

    def unsynced(self, store):
        return [self.redo, "-c", "core.fsync=none", "--redo-dir", store]

    def on(self, store, *words):
        return [self.redo, "--redo-dir", store, *words]


# What is run: a name, and the run of a side.
CASES = [
    ("hash-object --ndjson", lambda s: Run([s.redo, "hash-object", "--ndjson"], LOG)),
    ("hash-object -w --stdin-paths", lambda s: Run([*s.unsynced(s.store("new")), "hash-object", "-w", "--stdin-paths"], PATHS)),
    ("import, loose", lambda s: Run([*s.unsynced(s.store("new")), "-c", "core.bulkLimit=1000000000", "import", "-q", LOG])),
    ("import, into a pack", lambda s: Run([*s.unsynced(s.store("new")), "import", "-q", LOG])),
    ("hash-object -w --ndjson, into a pack", lambda s: Run([*s.unsynced(s.store("new")), "hash-object", "-w", "--ndjson"], options.deep)),
    ("cat-node --batch, loose", lambda s: Run(s.on(s.loose, "cat-node", "--batch", "--buffer"), IDS)),
    ("cat-node --batch, packed", lambda s: Run(s.on(s.packed, "cat-node", "--batch", "--buffer"), s.ids)),
    ("verify --ndjson", lambda s: Run([s.redo, "verify", "--ndjson"], LOG, WORK)),
    ("verify --all", lambda s: Run(s.on(s.loose, "verify", "--all"))),
    ("verify, the store", lambda s: Run(s.on(s.loose, "verify"))),
    ("log --format=%(id)", lambda s: Run(s.on(s.loose, "log", "--format=%(id)"))),
    ("log --json", lambda s: Run(s.on(s.loose, "log", "--json"))),
    ("log --pretty=full, packed", lambda s: Run(s.on(s.packed, "log", "--pretty=full"))),
    ("log, without the index", lambda s: Run(s.on(s.loose, "log", "--no-cache", "-n", "1"))),
    ("state --json", lambda s: Run(s.on(s.loose, "state", "--json"))),
    ("state --json, packed", lambda s: Run(s.on(s.packed, "state", "--json"))),
    ("state --json, without the index", lambda s: Run(s.on(s.loose, "state", "--json", "--no-cache"))),
    ("query tasks", lambda s: Run(s.on(s.packed, "query", "tasks"))),
    ("diff of two dates", lambda s: Run(s.on(s.packed, "diff", "2024-01-01", "now", "--allow-empty"))),
    ("export", lambda s: Run(s.on(s.packed, "export", "-o", "-"))),
    ("stats", lambda s: Run(s.on(s.packed, "stats"))),
    ("archive create", lambda s: Run(s.on(s.packed, "archive", "create", "-f", "-o", os.path.join(s.place, "archive")))),
    ("archive verify", lambda s: Run([s.redo, "archive", "verify", os.path.join(s.place, "archive")])),
    ("fetch into an empty store", lambda s: Run([*s.unsynced(s.store("new")), "fetch", "-q", os.path.dirname(s.loose)])),
]  # fmt: skip
# Those that take milliseconds.
SHORT = [
    ("redo --version", lambda s: [s.redo, "--version"]),
    ("redo-hash-object of one node", lambda s: [s.link, os.path.join(DATA, open(PATHS).readline().strip())]),
    ("log -n 20", lambda s: s.on(s.loose, "log", "-n", "20")),
    ("cat-node of one node, packed", lambda s: s.on(s.packed, "cat-node", open(s.ids).readline().strip())),
    ("explain of a task", lambda s: s.on(s.packed, "explain", s.task)),
    ("commit of a new task", lambda s: [*s.unsynced(s.loose), "commit", "-q", "create", "--title=x"]),
]  # fmt: skip


def shorts(command, sides):
    """The costs of one round of many runs of each, in microseconds: wall (median) and CPU (mean)."""
    arguments = [word for side in sides for word in ["--", *command(side)]][1:]
    output = subprocess.run(
        [os.path.join(HELPERS, "measure"), "100", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=WORK,
        env=ENVIRONMENT, check=True).stdout  # fmt: skip
    return [(float(line.split()[0]), float(line.split()[1]) + float(line.split()[2])) for line in output.decode().splitlines()]


def told(name, rounds, unit):
    """A line of the table: the costs are pairs of (wall, CPU), the old build's first."""
    cells = []
    for index in (1, 0):
        ratios = [new[index] / old[index] for old, new in rounds]
        low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
        cells.append(f"{middle:.3f} ({low:.2f} - {high:.2f})")
        if index == 1:
            verdict = "" if middle <= LIMIT else "**slower**"
    old, new = (statistics.median(costs[side][1] for costs in rounds) for side in (0, 1))
    table.row(name, f"{old:.3f} {unit}", f"{new:.3f} {unit}", *cells, verdict)


def pairs(against):
    table.head(
        "This build and another", f"The other is `{against}`. Ratios of this one to it, medians of {options.rounds} pairs, with the quartiles.")
    # What a disk does in between would be measured too.
    place = tempfile.mkdtemp(prefix="redo-bench.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else WORK)
    try:
        compare(Side("old", against, place), Side("new", REDO, place))
    finally:
        shutil.rmtree(place)


def compare(*sides):
    table.columns("", "old, CPU", "new, CPU", "ratio of CPU", "ratio of wall", "")
    for name, run in CASES:
        rounds = []
        for number in range(options.rounds):
            costs = {}
            for side in sides if number % 2 == 0 else sides[::-1]:
                one = run(side)
                costs[side.name] = (one.wall, one.cpu)
            rounds.append((costs["old"], costs["new"]))
        told(name, rounds, "s")
    for name, command in SHORT:
        rounds = []
        for number in range(options.rounds):
            order = sides if number % 2 == 0 else sides[::-1]
            costs = dict(zip((side.name for side in order), shorts(command, order)))
            rounds.append(tuple(tuple(value / 1000 for value in costs[name]) for name in ("old", "new")))
        told(name, rounds, "ms")
    table.add()
