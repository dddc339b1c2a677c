"""Runs redo and its rivals in turn, and prints medians, ratios and whether a target was met.

Rounds interleave the contenders, so that a busy moment of the machine hits all of them; every figure is a median. A missed
target is marked, never an error: a slow or busy machine is no fault of the code.
"""

import os
import shutil
import subprocess
import sys
import tempfile

from harness import *
from history import histories, history
from load import load
from packs import packs
from pairs import pairs
from receipts import index_of_tasks, receipts
from records import records
from sync import syncing


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


def filled_stores(with_git):
    """A store of each kind with every node, and the ids of git's objects in the order of the log."""
    store = redo_store("redo-full")
    # Loose, as git's are; packs are measured by themselves.
    quietly(*UNSYNCED, "-c", "core.bulkLimit=1000000000", "--redo-dir", store, "import", "-q", LOG)
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


SIGNED_COMMITS = 200


def signed_commits():
    """A git repository of as many commits signed with an Ed25519 key of OpenSSH; `None` where that is not installed."""
    if shutil.which("ssh-keygen") is None:
        return None
    place = os.path.join(WORK, "signed")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    key = os.path.join(place, "key")
    run = lambda *words: subprocess.run(words, check=True, cwd=place, env=ENVIRONMENT, stdout=subprocess.DEVNULL)  # noqa: E731
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "a@example.com", "-f", key)
    with open(key + ".pub", encoding="utf-8") as file, open(os.path.join(place, "allowed"), "w", encoding="utf-8") as signers:
        signers.write("a@example.com " + file.read())
    run(*GIT, "init", "-q", ".")
    settings = {
        "gpg.format": "ssh", "user.signingkey": key, "user.name": "a", "user.email": "a@example.com",
        "gpg.ssh.allowedSignersFile": os.path.join(place, "allowed"),
    }  # fmt: skip
    for name, value in settings.items():
        run("git", "config", name, value)
    for number in range(SIGNED_COMMITS):
        run(*GIT, "commit", "-q", "-S", "--allow-empty", "-m", f"commit {number}")
    return place


def signatures_beside_git(store):
    """What a signature costs git, which starts OpenSSH for each, and redo, with as many nodes."""
    place = signed_commits()
    if place is None:
        table.add(f"- `git log --format=%G?` of {SIGNED_COMMITS} commits: skipped, there is no ssh-keygen")
        return
    some = os.path.join(WORK, "some-ids")
    with open(IDS, "rb") as ids, open(some, "wb") as file:
        file.writelines(line for _, line in zip(range(SIGNED_COMMITS), ids))
    table.add()
    medians = contest({
        f"git log --format=%G?, {SIGNED_COMMITS} commits": lambda: Run(["git", "-C", place, "log", "--format=%G?"]),
        f"redo verify --stdin, {SIGNED_COMMITS} nodes": lambda: Run([REDO, "--redo-dir", store, "verify", "--stdin"], some),
    })  # fmt: skip
    table.costs(medians)
    git, own = medians.values()
    table.add(f"- a signature: git {git.wall / SIGNED_COMMITS * 1e3:.2f} ms, redo {own.wall / SIGNED_COMMITS * 1e3:.3f} ms, both with the start of the process")


def verify_in(store):
    medians = contest({
        "raw": RawVerify,
        "redo verify --ndjson": lambda: Run([REDO, "verify", "--ndjson"], LOG, WORK),
        "redo verify --all": lambda: Run([REDO, "--redo-dir", store, "verify", "--all"]),
        "redo verify": lambda: Run([REDO, "--redo-dir", store, "verify"]),
    })  # fmt: skip
    table.costs(medians)
    raw, lines, stored, whole = medians.values()
    ratio("verify --ndjson / raw libsodium", lines, raw, 1.15)
    ratio("verify --all / raw libsodium", stored, raw, 1.25)
    table.add(f"- the audit of the whole store / verify --all: wall {whole.wall / stored.wall:.2f}, CPU {whole.cpu / stored.cpu:.2f}")
    signatures_beside_git(store)


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
    if options.against:
        pairs(os.path.abspath(options.against))
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
    if wants("packs") and options.deep:
        packs(options.deep)
    if wants("receipts"):
        receipts()
    if wants("records"):
        records()
    if wants("sync"):
        syncing()
    if wants("load"):
        load()
    if options.large and wants("index"):
        index_of_tasks(os.path.join(options.large, "log.ndjson"))
    if options.large and wants("memory"):
        memory()
    if results:
        table.head("Targets")
        table.columns("", "found", "target", "")
    for what, value, limit, unit, verdict in results:
        table.row(what, f"{value:.2f}{unit}", f"<= {limit}{unit}", verdict)
    with open(FIGURES, "w") as file:
        file.write("\n".join(table.lines) + "\n")
    shutil.rmtree(WORK)


main()
