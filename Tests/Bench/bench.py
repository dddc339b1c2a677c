"""Runs redo and its rivals in turn, and prints medians, ratios and whether a target was met.

Rounds interleave the contenders, so that a busy moment of the machine hits all of them; every figure is a median. A missed
target is marked, never an error: a slow or busy machine is no fault of the code.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--redo", required=True, help="the multi-call executable")
parser.add_argument("--data", required=True, help="the directory that make-log.py filled")
parser.add_argument("--helpers", required=True, help="where raw-verify and measure are")
parser.add_argument("--work", required=True, help="a directory for stores, emptied")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--only", default="", help="comma-separated parts")
parser.add_argument("--large", help="a directory with a log of 1,000,000 nodes, for the peaks of memory")
parser.add_argument("figures", help="the tables are written here too")
options = parser.parse_args()

REDO, DATA, HELPERS, WORK, FIGURES = (
    os.path.abspath(path) for path in (options.redo, options.data, options.helpers, options.work, options.figures)
)
LOG, IDS, PATHS = (os.path.join(DATA, name) for name in ("log.ndjson", "ids", "paths"))
GIT = ["git", "-c", "core.fsync=none", "-c", "gc.auto=0"]
UNSYNCED = [REDO, "-c", "core.fsync=none"]
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": WORK, "LC_ALL": "C.UTF-8",
    "REDO_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_NOSYSTEM": "1",
}  # fmt: skip


class Run:
    """One run of a command: seconds of wall, user and system time, the peak of resident memory in MiB."""

    def __init__(self, command, stdin=None, directory=DATA):
        with open(stdin or os.devnull, "rb") as input:
            result = subprocess.run(
                [os.path.join(HELPERS, "measure"), "1", *command],
                stdin=input, stdout=subprocess.PIPE, cwd=directory, env=ENVIRONMENT,
            )  # fmt: skip
        if result.returncode != 0:
            sys.exit(f"bench: '{' '.join(command)}' ended with {result.returncode}")
        wall, user, system, memory = (float(word) for word in result.stdout.split())
        self.wall, self.user, self.system = wall / 1e6, user / 1e6, system / 1e6
        self.cpu, self.memory = self.user + self.system, memory / 1024


class RawVerify:
    """Verification by libsodium alone."""

    def __init__(self):
        output = subprocess.run([os.path.join(HELPERS, "raw-verify"), os.path.join(DATA, "messages")], stdout=subprocess.PIPE, check=True)
        wall, cpu, _ = output.stdout.split()
        self.wall, self.cpu, self.memory = float(wall), float(cpu), 0
        self.user, self.system = self.cpu, 0


class Table:
    """Lines of the report, printed as they come."""

    def __init__(self):
        self.lines = []

    def add(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def head(self, title, note=""):
        self.add(f"\n## {title}\n")
        if note:
            self.add(note + "\n")

    def row(self, *cells):
        self.add("| " + " | ".join(str(cell) for cell in cells) + " |")

    def columns(self, *names):
        self.row(*names)
        self.row(*("---" if index == 0 else "---:" for index in range(len(names))))

    def costs(self, medians):
        self.columns("", "wall s", "CPU s", "user s", "system s", "peak MiB")
        for name, run in medians.items():
            self.row(name, *(f"{value:.3f}" for value in (run.wall, run.cpu, run.user, run.system)), f"{run.memory:.0f}")
        self.add()

    def target(self, what, value, limit, unit=""):
        verdict = "met" if value <= limit else "**missed**"
        self.add(f"- {what}: {value:.2f}{unit} (target <= {limit}{unit}): {verdict}")
        results.append((what, value, limit, unit, verdict))


table, results = Table(), []


class Median:
    """The medians of several runs."""

    def __init__(self, runs):
        for name in ("wall", "cpu", "user", "system"):
            setattr(self, name, statistics.median(getattr(run, name) for run in runs))
        self.memory = max(run.memory for run in runs)


def contest(contenders, rounds=None):
    """Runs {name: function that returns a run} in turn; {name: medians}."""
    runs = {name: [] for name in contenders}
    for _ in range(rounds or options.rounds):
        for name, once in contenders.items():
            runs[name].append(once())
    return {name: Median(each) for name, each in runs.items()}


def fresh(name):
    """An empty directory."""
    path = os.path.join(WORK, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def quietly(*command, directory=WORK, stdin=None):
    with open(stdin or os.devnull, "rb") as input:
        subprocess.run(command, stdin=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory, env=ENVIRONMENT, check=True)


def redo_store(name="redo-store"):
    path = fresh(name)
    quietly(REDO, "init", path)
    return os.path.join(path, ".redo")


def git_store(name="git-store"):
    path = fresh(name)
    quietly("git", "init", "-q", path)
    return os.path.join(path, ".git")


def hashing():
    table.head("Hashing a log, without writing", "`redo hash-object --ndjson < log.ndjson`")
    medians = contest({"redo hash-object --ndjson": lambda: Run([REDO, "hash-object", "--ndjson"], LOG)})
    table.costs(medians)
    table.target("hash-object --ndjson, CPU", medians["redo hash-object --ndjson"].cpu, 0.5, " s")


def writing():
    table.head("Writing every node as a loose object", "`hash-object -w --stdin-paths`, empty stores, nothing synced")

    def redo():
        return Run([*UNSYNCED, "--redo-dir", redo_store(), "hash-object", "-w", "--stdin-paths"], PATHS)

    def git():
        return Run([*GIT, "--git-dir", git_store(), "hash-object", "-w", "--stdin-paths"], PATHS)

    medians = contest({"git": git, "redo": redo})
    table.costs(medians)
    ratio("hash-object -w --stdin-paths / git", medians["redo"], medians["git"], 1.0)


def ratio(what, run, other, limit):
    table.target(what + ", wall", run.wall / other.wall, limit)
    table.target(what + ", CPU", run.cpu / other.cpu, limit)


def filled_stores(with_git):
    """A store of each kind with every node, and the ids of git's objects in the order of the log."""
    store = redo_store("redo-full")
    quietly(*UNSYNCED, "--redo-dir", store, "import", "-q", LOG)
    if not with_git:
        return store, None, None
    repository = git_store("git-full")
    ids = os.path.join(WORK, "git-ids")
    with open(PATHS, "rb") as input, open(ids, "wb") as output:
        subprocess.run(
            [*GIT, "--git-dir", repository, "hash-object", "-w", "--stdin-paths"],
            stdin=input, stdout=output, cwd=DATA, env=ENVIRONMENT, check=True,
        )  # fmt: skip
    # What is still to be written to the disk would be written while others are measured.
    os.sync()
    return store, repository, ids


def reading(store, repository, ids):
    table.head("Reading loose objects back", "Both stores hold the same bytes; the cache is warm.")
    redo, git = [REDO, "--redo-dir", store, "cat-node"], ["git", "--git-dir", repository, "cat-file"]
    for flags, title in (
        (["--batch"], "--batch"),
        (["--batch", "--buffer"], "--batch --buffer"),
        (["--batch", "--buffer", "--batch-all-objects"], "--batch --batch-all-objects"),
        (["--batch-check"], "--batch-check"),
    ):
        takes_all = flags[-1] == "--batch-all-objects"
        medians = contest({
            f"git cat-file {title}": lambda: Run([*git, *flags], None if takes_all else ids),
            f"redo cat-node {title}": lambda: Run([*redo, *flags], None if takes_all else IDS),
        })  # fmt: skip
        table.costs(medians)
        other, own = medians.values()
        if flags == ["--batch-check"]:
            table.add(f"- wall {own.wall / other.wall:.2f}, CPU {own.cpu / other.cpu:.2f}; git does not read the contents here, redo checks them")
        else:
            ratio(f"cat-node {title} / git", own, other, 1.0)
        table.add()


def verifying(store):
    note = "`raw` is libsodium's `crypto_sign_verify_detached` over the same messages in memory, on all processors."
    # Where the kernel gives pages of files back while there is room, a disk would be measured here.
    if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 4 << 30:
        memory = os.path.join(tempfile.mkdtemp(prefix="redo-bench.", dir="/dev/shm"), ".redo")
        shutil.copytree(store, memory)
        store, note = memory, note + " The store lies in a file system in memory too."
    table.head("Verifying", note)
    verify_in(store)
    if store.startswith("/dev/shm/"):
        shutil.rmtree(os.path.dirname(store))


def verify_in(store):
    medians = contest({
        "raw": RawVerify,
        "redo verify --ndjson": lambda: Run([REDO, "verify", "--ndjson"], LOG, WORK),
        "redo verify --all": lambda: Run([REDO, "--redo-dir", store, "verify", "--all"]),
    })  # fmt: skip
    table.costs(medians)
    raw, lines, stored = medians.values()
    ratio("verify --ndjson / raw libsodium", lines, raw, 1.15)
    ratio("verify --all / raw libsodium", stored, raw, 1.25)


def starting():
    table.head("One process", "One node is hashed; 1,000 runs of each in turn.")
    node = os.path.join(DATA, open(PATHS).readline().strip())
    link = os.path.join(WORK, "redo-hash-object")
    if not os.path.lexists(link):
        os.symlink(REDO, link)
    commands = {
        "git hash-object": ["git", "hash-object", node],
        "redo-hash-object": [link, node],
        "redo hash-object": [REDO, "hash-object", node],
        "redo --version": [REDO, "--version"],
        "true": ["true"],
    }  # fmt: skip
    rows = measured(1000, commands)
    table.target("one redo-hash-object / git hash-object", rows["redo-hash-object"][0] / rows["git hash-object"][0], 1.5)


def committing():
    """One commit in a small store and in a large one, in turn."""
    table.head("One commit", "Commits in turn, nothing synced: 500 new tasks, 40 changes of one task. CPU is the mean, with the folding of the journal in it.")
    creates, updates, longest = {}, {}, 1000
    for tasks in (100, 100_000):
        store = redo_store(f"redo-commit-{tasks}")
        quietly(REDO, "--redo-dir", store, "key", "generate")
        requests = os.path.join(WORK, "requests")
        name = "7a000000-0000-4000-8000-{:012d}".format
        with open(requests, "w") as file:
            for number in range(tasks):
                file.write(f'{{"action":"CREATE","fields":{{"title":"{number}"}},"taskId":"{name(number)}"}}\n')
            for number in range(longest):
                file.write(f'{{"action":"UPDATE","fields":{{"title":"{number}"}},"taskId":"{name(0)}"}}\n')
        quietly(*UNSYNCED, "--redo-dir", store, "commit", "-q", "--stdin", stdin=requests)
        commit = [*UNSYNCED, "--redo-dir", store, "commit", "-q"]
        creates[f"create, {tasks:,} tasks"] = [*commit, "create", "--title=x"]
        updates[f"update, {tasks:,} tasks"] = [*commit, "update", "--title=x", "-t", name(tasks // 2)]
    updates[f"update of a task of {longest:,} changes"] = [*commit, "update", "--title=x", "-t", name(0)]
    rows = measured(500, creates) | measured(40, updates)
    for what in ("create", "update"):
        small, large = rows[f"{what}, 100 tasks"], rows[f"{what}, 100,000 tasks"]
        table.target(f"{what}, 100,000 tasks / 100 tasks, wall", large[0] / small[0], 2.0)
        table.target(f"{what}, 100,000 tasks / 100 tasks, CPU", large[1] / small[1], 2.0)
        table.target(f"{what}, 100,000 tasks, wall", large[0] / 1000, 5.0, " ms")


def measured(rounds, commands):
    """Runs commands in turn, many times, and tells of each the median wall time and the mean CPU time, in microseconds."""
    arguments = [word for command in commands.values() for word in ["--", *command]][1:]
    output = subprocess.run(
        [os.path.join(HELPERS, "measure"), str(rounds), *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=WORK, env=ENVIRONMENT, check=True,
    ).stdout  # fmt: skip
    table.columns("", "wall ms", "CPU ms", "user ms", "system ms", "peak MiB")
    rows = {}
    for name, line in zip(commands, output.decode().splitlines()):
        wall, user, system, memory = (float(word) for word in line.split())
        rows[name] = (wall, user + system)
        table.row(name, *(f"{value / 1000:.3f}" for value in (wall, user + system, user, system)), f"{memory / 1024:.1f}")
    table.add()
    return rows


def importing():
    table.head("Other ways in and out")
    medians = contest({
        "redo import": lambda: Run([REDO, "--redo-dir", redo_store(), "import", "-q", LOG]),
        "redo import, unsynced": lambda: Run([*UNSYNCED, "--redo-dir", redo_store(), "import", "-q", LOG]),
        "redo hash-object -w --ndjson --update-heads": lambda: Run(
            [REDO, "--redo-dir", redo_store(), "hash-object", "-w", "--ndjson", "--update-heads"], LOG),
    }, max(1, options.rounds // 2))  # fmt: skip
    store = os.path.join(WORK, "redo-full", ".redo")
    medians |= contest({
        "redo import, everything known": lambda: Run([REDO, "--redo-dir", store, "import", "-q", LOG]),
        "redo log": lambda: Run([REDO, "--redo-dir", store, "log"]),
        "redo log --json": lambda: Run([REDO, "--redo-dir", store, "log", "--json"]),
        "redo log -n 1": lambda: Run([REDO, "--redo-dir", store, "log", "-n", "1"]),
    } if os.path.exists(store) else {}, max(1, options.rounds // 2))  # fmt: skip
    table.costs(medians)


def git_history(log):
    """A repository of commits of the same shape: a commit a node, a branch a task, a commit-graph over all."""
    repository = git_store("git-history")
    marks = {}
    with subprocess.Popen(
        ["git", "--git-dir", repository, "fast-import", "--quiet", "--force"], stdin=subprocess.PIPE, cwd=WORK, env=ENVIRONMENT
    ) as importer, open(log) as lines:
        for number, line in enumerate(lines, 1):
            node = json.loads(line)
            marks[node["id"]] = number
            # Seconds in the order of the log, so that the parents of a commit are older than it.
            parents = "".join(
                f"{word} :{marks[parent]}\n" for word, parent in zip(["from"] + ["merge"] * 64, node["parents"]))
            importer.stdin.write(
                f"commit refs/heads/{node['taskId']}\nmark :{number}\ncommitter a <a> {1_600_000_000 + number} +0000\ndata 0\n{parents}\n".encode())
        importer.stdin.close()
    git = ["git", "--git-dir", repository]
    for words in (["repack", "-adq"], ["pack-refs", "--all"], ["commit-graph", "write", "--reachable"]):
        quietly(*git, *words)
    return repository


def history(store, log, count, with_git, targets):
    """What the index of the history is for, at one size."""
    table.head(f"The history of {count:,} nodes", "The index is current; it is built once, and what that takes is stated.")
    redo = [REDO, "--redo-dir", store]

    def build():
        shutil.rmtree(os.path.join(store, "cache"), ignore_errors=True)
        return Run([*redo, "log", "-n", "1"])

    # The first run reads the objects from the disk.
    build()
    built = contest({"the index is built": build}, 1 if count > 100_000 else 3)
    contenders = {}
    if with_git:
        repository = git_history(log)
        contenders["git rev-list --all"] = lambda: Run(["git", "--git-dir", repository, "rev-list", "--all"])
    contenders |= {
        "redo log --format='%(id)'": lambda: Run([*redo, "log", "--format=%(id)"]),
        "redo log -n 20": lambda: Run([*redo, "log", "-n", "20"]),
        "redo log -n 20 --action=MERGE": lambda: Run([*redo, "log", "-n", "20", "--action=MERGE"]),
        "redo state --json": lambda: Run([*redo, "state", "--json"]),
    }
    rows = built | contest(contenders)
    quietly(*redo, "snapshot", "create", "-q")
    rows |= contest({"redo state --json, with a snapshot": lambda: Run([*redo, "state", "--json"])})
    table.costs(rows)
    if with_git:
        ratio("redo log --format='%(id)' / git rev-list --all", rows["redo log --format='%(id)'"], rows["git rev-list --all"], 1.0)
    for name, limit in targets.items():
        table.target(f"{name}, {count:,} nodes, wall", rows[name].wall * 1000, limit, " ms")
    table.add(f"- the index: {rows['the index is built'].cpu / count * 1e6:.1f} us CPU and {rows['the index is built'].wall / count * 1e6:.1f} us wall a node")


def histories():
    for count in (1_000, 100_000):
        if count < 100_000:
            log = os.path.join(WORK, "small.ndjson")
            with open(LOG) as lines, open(log, "w") as small:
                small.writelines(line for line, _ in zip(lines, range(count)))
        else:
            log = LOG
        store = redo_store(f"redo-history-{count}")
        quietly(*UNSYNCED, "--redo-dir", store, "import", "-q", log)
        limit = {1_000: 10, 100_000: 300}[count]
        history(store, log, count, count == 100_000, {"redo state --json": limit})
        shutil.rmtree(os.path.dirname(store))


def memory():
    """The peaks at 1,000,000 nodes."""
    log, ids = (os.path.join(options.large, name) for name in ("log.ndjson", "ids"))
    table.head("Peak memory at 1,000,000 nodes")
    store = redo_store("redo-large")
    redo = [*UNSYNCED, "--redo-dir", store]
    table.costs({
        "redo hash-object --ndjson": Run([REDO, "hash-object", "--ndjson"], log),
        "redo verify --ndjson": Run([REDO, "verify", "--ndjson"], log, WORK),
        "redo import": Run([*redo, "import", "-q"], log),
        "redo import, everything known": Run([*redo, "import", "-q", log]),
        "redo cat-node --batch --buffer": Run([*redo, "cat-node", "--batch", "--buffer"], ids),
        "redo cat-node --batch-all-objects --batch": Run([*redo, "cat-node", "--batch-all-objects", "--batch"]),
        "redo verify --all": Run([*redo, "verify", "--all"]),
        "redo log": Run([*redo, "log"]),
        "redo log -n 1": Run([*redo, "log", "-n", "1"]),
    })  # fmt: skip
    history(store, log, 1_000_000, False, {"redo log -n 20": 10, "redo state --json": 3000})
    shutil.rmtree(os.path.join(WORK, "redo-large"))
    store = redo_store("redo-large")
    table.costs({"redo hash-object -w --ndjson --update-heads": Run(
        [*UNSYNCED, "--redo-dir", store, "hash-object", "-w", "--ndjson", "--update-heads"], log)})  # fmt: skip
    shutil.rmtree(os.path.join(WORK, "redo-large"))


def main():
    os.makedirs(WORK, exist_ok=True)
    wanted = [part for part in options.only.split(",") if part]

    def wants(part):
        return part in wanted if wanted else True

    count = sum(1 for _ in open(IDS))
    version = subprocess.run(["git", "--version"], stdout=subprocess.PIPE).stdout.decode().strip()
    table.add(f"# Figures: {count:,} signed nodes, {os.path.getsize(LOG) // count} bytes each on average")
    table.add(f"\n{os.cpu_count()} processors, {version}; medians of {options.rounds} rounds in turn.")
    if wants("hash"):
        hashing()
    if wants("start"):
        starting()
    if wants("commit"):
        committing()
    if wants("write"):
        writing()
    if wants("batch") or wants("verify") or wants("import"):
        stores = filled_stores(wants("batch"))
        if wants("batch"):
            reading(*stores)
        if wants("verify"):
            verifying(stores[0])
        if wants("import"):
            importing()
    if wants("history"):
        histories()
    if options.large and wants("memory"):
        memory()
    table.head("Targets")
    table.columns("", "found", "target", "")
    for what, value, limit, unit, verdict in results:
        table.row(what, f"{value:.2f}{unit}", f"<= {limit}{unit}", verdict)
    with open(FIGURES, "w") as file:
        file.write("\n".join(table.lines) + "\n")
    shutil.rmtree(WORK)


main()
