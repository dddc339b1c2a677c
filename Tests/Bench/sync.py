"""What it takes two stores to become one: the time, the round trips and the bytes."""

import json
import os
import shutil
import subprocess

from harness import *
from history import git_history


def answer(*command):
    output = subprocess.run(command, stdout=subprocess.PIPE, cwd=WORK, env=ENVIRONMENT, check=True).stdout
    return json.loads(output)


def copied(store, name):
    """Another store of the same content."""
    path = os.path.join(fresh(name), ".redo")
    shutil.copytree(store, path)
    return path


def changed(store, count):
    """Records new tasks in a store, with a key of its own."""
    if not os.path.isdir(os.path.join(store, "keys")) or not os.listdir(os.path.join(store, "keys")):
        quietly(*UNSYNCED, "--redo-dir", store, "key", "generate")
    for number in range(count):
        quietly(*UNSYNCED, "--redo-dir", store, "commit", "create", f"--title=New {number}")


def told(what, exchange, trips, limit):
    table.target(f"{what}, round trips", exchange["roundTrips"], trips)
    table.target(f"{what}, bytes both ways", exchange["bytesSent"] + exchange["bytesReceived"], limit)


def exchanges(server, count, targets):
    """Nothing new, and 10 new nodes on each side."""
    other = copied(server, "redo-other")
    sync = [*UNSYNCED, "--redo-dir", other, "sync", "--json", os.path.dirname(server)]
    answer(*sync)
    told(f"sync of {count:,} nodes, nothing new", answer(*sync), *targets[0])
    table.costs({f"sync of {count:,} nodes, nothing new": Median([Run(sync) for _ in range(options.rounds)])})
    for store in (server, other):
        changed(store, 10)
    told(f"sync of {count:,} nodes, 10 new on each side", answer(*sync), *targets[1])
    shutil.rmtree(os.path.dirname(other))


def nothing_new(server, count):
    """The median of fetches that find nothing new, from a store beside."""
    other = copied(server, "redo-equal")
    fetch = [*UNSYNCED, "--redo-dir", other, "fetch", "-q", os.path.dirname(server)]
    quietly(*fetch)
    run = Median([Run(fetch) for _ in range(2 * options.rounds + 1)])
    shutil.rmtree(os.path.dirname(other))
    return run


def sizes(count, server):
    """An exchange with nothing new costs the same at any size."""
    small = redo_store("redo-small-server")
    with open(LOG) as lines, open(os.path.join(WORK, "small.ndjson"), "w") as part:
        part.writelines(line for line, _ in zip(lines, range(1000)))
    quietly(*UNSYNCED, "--redo-dir", small, "import", "-q", os.path.join(WORK, "small.ndjson"))
    runs = {f"redo fetch, nothing new, {number:,} nodes": nothing_new(store, number)
            for number, store in ((1000, small), (count, server))}
    table.costs(runs)
    few, many = runs.values()
    ratio(f"nothing new, {count:,} nodes / 1,000 nodes", many, few, 2.0)
    shutil.rmtree(os.path.dirname(small))


def syncing():
    count = sum(1 for _ in open(IDS))
    table.head(
        f"Sync of {count:,} nodes",
        "From a store beside, into an empty one, everything synced to the disk; git fetches the same graph of commits, unsigned and empty.")
    server = redo_store("redo-server")
    quietly(*UNSYNCED, "--redo-dir", server, "import", "-q", LOG)
    quietly(REDO, "--redo-dir", server, "log", "-n", "1")
    repository = git_history(LOG)

    def git():
        return Run(["git", "-c", "core.fsync=all", "--git-dir", git_store(), "fetch", "-q", repository, "refs/heads/*:refs/heads/*"])

    medians = contest({
        "redo verify --ndjson, for comparison": lambda: Run([REDO, "verify", "--ndjson"], LOG, WORK),
        "redo fetch": lambda: Run([REDO, "--redo-dir", redo_store(), "fetch", "-q", os.path.dirname(server)]),
        "git fetch": git,
    }, max(1, options.rounds // 2))  # fmt: skip
    table.costs(medians)
    verified, own, other = medians.values()
    ratio("fetch into an empty store / verify --ndjson", own, verified, 1.3)
    table.add(f"- of git's fetch: wall {own.wall / other.wall:.2f}, CPU {own.cpu / other.cpu:.2f}")
    sizes(count, server)
    exchanges(server, count, ((2, 2048), (4, 40960)))
    if options.large:
        large = redo_store("redo-large-server")
        quietly(*UNSYNCED, "--redo-dir", large, "import", "-q", os.path.join(options.large, "log.ndjson"))
        sizes(1_000_000, large)
        exchanges(large, 1_000_000, ((2, 2048), (4, 40960)))
        shutil.rmtree(os.path.dirname(large))
