"""What the index of the history is for: walks, replays, and what it takes to build it."""

import json
import os
import shutil
import subprocess

from harness import *


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

