"""What a server spends on many clients at once, against git daemon: nothing new to fetch, and one new change each to push."""

import concurrent.futures
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time

from harness import *

COUNT, CLIENTS, ROUNDS = 10_000, 32, 4
TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server, until it accepts connections; `cpu` is what it and its finished children have used."""

    def __init__(self, command, port):
        self.port = port
        self.process = subprocess.Popen(
            command, cwd=WORK, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.025)
        sys.exit(f"bench: '{' '.join(command)}' does not listen")

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            # Behind the name: user and system time, its own and that of its children.
            return sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:15]) / TICK

    def stop(self):
        self.process.terminate()
        self.process.wait()


def loaded(server, commands):
    """Runs one command per client, all clients at once: seconds of the server's CPU, and of wall, per command."""

    def run(command):
        # git daemon turns away a client now and then when many come at once.
        for attempt in range(5):
            try:
                return quietly(*command)
            except subprocess.CalledProcessError:
                if attempt == 4:
                    raise

    before, start = server.cpu(), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(run, commands))
    # A child of a daemon is counted when it has been waited for.
    time.sleep(0.2)
    return (server.cpu() - before) / len(commands), (time.monotonic() - start - 0.2) / len(commands)


def redo_side(log):
    store = redo_store("redo-load")
    quietly(*UNSYNCED, "--redo-dir", store, "import", "-q", log)
    quietly(REDO, "--redo-dir", store, "log", "-n", "1")
    port = free_port()
    server = Server([*UNSYNCED, "serve", f"--http=127.0.0.1:{port}", "--rate=0", os.path.dirname(store)], port)
    clients = []
    for number in range(CLIENTS):
        path = os.path.join(fresh(f"redo-client-{number}"), ".redo")
        shutil.copytree(store, path)
        quietly(*UNSYNCED, "--redo-dir", path, "key", "generate")
        clients.append([*UNSYNCED, "--redo-dir", path])
    url = f"http://127.0.0.1:{port}/"
    fetches = [[*client, "fetch", "-q", url] for client in clients]
    pushes = [[*client, "push", "-q", url] for client in clients]
    commits = [[*client, "commit", "create", "--title=New"] for client in clients]
    return server, fetches, pushes, commits


def git_side(log):
    """A branch of as many commits: where a branch is a task, git's daemon has thousands of refs to tell."""
    repository = git_store("git-load")
    with subprocess.Popen(
        ["git", "--git-dir", repository, "fast-import", "--quiet"], stdin=subprocess.PIPE, cwd=WORK, env=ENVIRONMENT
    ) as importer:
        for number in range(COUNT):
            importer.stdin.write(
                f"commit refs/heads/main\ncommitter a <a> {1_600_000_000 + number} +0000\ndata 0\n\n".encode())
        importer.stdin.close()
    for words in (["repack", "-adq"], ["commit-graph", "write", "--reachable"], ["config", "core.fsync", "none"]):
        quietly("git", "--git-dir", repository, *words)
    port = free_port()
    # Not by `git`, whose child the daemon would be.
    where = subprocess.run(["git", "--exec-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    server = Server(
        [os.path.join(where, "git-daemon"), "--reuseaddr", f"--port={port}", "--listen=127.0.0.1", "--export-all", "--enable=receive-pack",
         f"--max-connections={2 * CLIENTS}", f"--base-path={os.path.dirname(os.path.dirname(repository))}"], port)  # fmt: skip
    url = f"git://127.0.0.1:{port}/{os.path.basename(os.path.dirname(repository))}/.git"
    fetches, pushes, commits = [], [], []
    for number in range(CLIENTS):
        path = fresh(f"git-client-{number}")
        quietly("git", "clone", "-q", "--mirror", repository, path)
        git = [*GIT, "-c", "user.name=a", "-c", "user.email=a", "--git-dir", path]
        fetches.append([*git, "fetch", "-q", url, "refs/heads/*:refs/heads/*"])
        pushes.append([*git, "push", "-q", url, f"refs/heads/new-{number}"])
        # The empty tree, and whatever the branch had before.
        commits.append(["sh", "-c", 'new=refs/heads/new-$1; shift; old=$("$@" rev-parse -q --verify $new); '
            '"$@" update-ref $new $("$@" commit-tree -m New ${old:+-p $old} 4b825dc642cb6eb9a060e54bf8d69288fbee4904)',
            "sh", str(number), *git])  # fmt: skip
    return server, fetches, pushes, commits


def load():
    table.head(
        f"{CLIENTS} clients at once, {COUNT:,} nodes",
        f"{ROUNDS} rounds. The CPU of the server, its children included, and the wall time of all, clients included, for each exchange.")
    log = os.path.join(WORK, "load.ndjson")
    with open(LOG) as lines, open(log, "w") as part:
        part.writelines(line for line, _ in zip(lines, range(COUNT)))
    sides = {"redo serve --http": redo_side(log), "git daemon": git_side(log)}
    costs = {name: {"nothing new": [], "push of one change": []} for name in sides}
    try:
        # What only the first exchange with a remote costs.
        for server, fetches, _, _ in sides.values():
            loaded(server, fetches)
        for _ in range(ROUNDS):
            for name, (server, fetches, pushes, commits) in sides.items():
                costs[name]["nothing new"].append(loaded(server, fetches))
                for command in commits:
                    quietly(*command)
                costs[name]["push of one change"].append(loaded(server, pushes))
                loaded(server, fetches)
    finally:
        for server, *_ in sides.values():
            server.stop()
    table.columns("", "server's CPU ms", "wall ms", "a second")
    for name, rows in costs.items():
        for what, runs in rows.items():
            cpu, wall = (statistics.median(column) for column in zip(*runs))
            table.row(f"{name}, {what}", f"{cpu * 1000:.2f}", f"{wall * 1000:.2f}", f"{1 / wall:.0f}")
    table.add()
    own, other = costs.values()
    for what in own:
        cpus = [statistics.median(cpu for cpu, _ in side[what]) for side in (own, other)]
        table.target(f"{what}, server's CPU / git daemon's", cpus[0] / cpus[1], 1.0)
    for path in os.listdir(WORK):
        if path.startswith(("redo-client-", "git-client-", "redo-load", "git-load")):
            shutil.rmtree(os.path.join(WORK, path))
