"""Who says that two are equal is right, whatever has happened before: a program of its own reads both.

Usage: equal.py <steps> <seed> <read_pack.py> <firestore-admin.py>, in an empty directory, with redo on the PATH.

Two stores of a person, `a` and `b`, talk to each other, over a path and as over ssh, to a third one over HTTP, and to a
project of `redo serve --firestore`. In between they change; objects are deleted, damaged or exchanged for others, and
sometimes mended; caches and mirrors vanish; servers are killed, put back to an earlier state, or find documents that were
posted by others, whom nobody lets edit them; a connection is cut after some bytes, or the command is killed. After each command that ended,
its words are held against what is there:

  "equal":true          the ids of both histories are the same; of a project, those of the documents whose fields have that
                        hash. What nobody has read yet may be damaged: these commands compare ids
  "verified":true       each node of the history here is there, and has the bytes of its name
  "has all"             the same, in words
  equal: yes            each node of either history is on both sides, and has the bytes of its name

In the end everything is mended, and all must be equal and say so.
"""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib

STEPS, SEED = int(sys.argv[1]), int(sys.argv[2])
READ_PACK, ADMIN = sys.argv[3:5]
HERE = os.path.dirname(os.path.abspath(__file__))
ACCOUNT, PROJECT = "105903111111111111111", "redo-equal"
CLIENTS, STORES = ["a", "b"], ["a", "b", "s", "p"]
# What a remote is of whom, by its name at a client.
REMOTES = ["path", "ssh", "http", "cloud"]


def die(text):
    print(f"seed {SEED}: {text}", file=sys.stderr)
    sys.exit(1)


# What is there


def counted(store):
    """How many bytes of the log of received ids count, by refs and their journal."""
    with open(f"{store}/.redo/refs", "rb") as file:
        received = int(file.readline().split()[8])
    with open(f"{store}/.redo/refs.journal", "rb") as file:
        data = file.read()
    at = data.index(b"\n") + 1
    while at < len(data):
        size = int(data[at + 1 : at + 9] or b"0", 16)
        if at + 19 + size > len(data) or size == 0:
            # A change that was never finished.
            break
        received = int(data[at + 19 :].split(b"\n", 1)[0].split()[3])
        at += 19 + size
    return received


def history(store):
    """The ids that were taken into the history, from the log of received ids."""
    with open(f"{store}/.redo/received", "rb") as file:
        data = file.read(counted(store))
    ids, at = set(), data.index(b"\n") + 1
    while at < len(data):
        count = int(data[at + 1 : at + 9], 16)
        at = data.index(b"\n", at) + 1
        ids.update("sha256:" + data[at + 32 * one : at + 32 * one + 32].hex() for one in range(count))
        at += 32 * count + 32
    return ids


def loose(store):
    """The loose objects: path and id."""
    top = f"{store}/.redo/objects"
    for shard in sorted(os.listdir(top)):
        if len(shard) == 2:
            for name in sorted(os.listdir(f"{top}/{shard}")):
                if len(name) == 62:
                    yield f"{top}/{shard}/{name}", "sha256:" + shard + name


packs = {}


def readable(store):
    """The ids of the nodes that have the bytes of their names."""
    ids = set()
    for path, id in loose(store):
        with open(path, "rb") as file:
            data = file.read()
        try:
            header, body = zlib.decompress(data).split(b"\0", 1)
        except (zlib.error, ValueError):
            continue
        if "sha256:" + hashlib.sha256(body).hexdigest() == id and re.fullmatch(rb"node \d+( ed25519:[0-9a-f]{128})?", header):
            ids.add(id)
    folder = f"{store}/.redo/objects/pack"
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.endswith(".pack"):
            if name not in packs:
                lines = subprocess.run([sys.executable, READ_PACK, f"{folder}/{name}"], capture_output=True, check=True).stdout
                packs[name] = set(re.findall(r'"id":"(sha256:[0-9a-f]{64})"', lines.decode()))
            ids |= packs[name]
    return ids


# Ways that break


class Way:
    """Passes on what a client and a server at a port send; cuts everything after some bytes in one direction."""

    def __init__(self, server):
        self.server, self.left, self.side = server, None, "up"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                upstream = socket.create_connection(("127.0.0.1", self.server.port))
            except OSError:
                client.close()
                continue
            for source, sink, side in (client, upstream, "up"), (upstream, client, "down"):
                threading.Thread(target=self.copy, args=(source, sink, side), daemon=True).start()

    def copy(self, source, sink, side):
        try:
            while data := source.recv(65536):
                if self.left is not None and side == self.side:
                    data = data[: self.left]
                    self.left -= len(data)
                sink.sendall(data)
                if self.left == 0:
                    break
        except OSError:
            pass
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Server:
    def __init__(self, store, *options):
        self.store, self.options, self.port = store, options, 0
        self.start()

    def start(self):
        with open(self.store + ".log", "wb") as file:
            self.process = subprocess.Popen(
                ["redo-serve-http", f"--http=127.0.0.1:{self.port}", *self.options, self.store],
                stdout=subprocess.DEVNULL, stderr=file)
        for _ in range(2400):
            with open(self.store + ".log", encoding="utf-8") as file:
                text = file.read()
            if found := re.search(r'"port":(\d+)', text):
                self.port = int(found[1])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        die(f"the server of '{self.store}' does not listen: {text}")

    def stop(self, with_signal=signal.SIGTERM):
        self.process.send_signal(with_signal)
        status = self.process.wait()
        if status not in (0, -with_signal):
            die(f"the server of '{self.store}' ended with {status}")


class World:
    def __init__(self):
        self.random = random.Random(SEED)
        self.counts, self.claims, self.unread = {}, {}, 0
        # What was damaged: the bytes that a path had.
        self.whole, self.snapshots = {}, {}
        for name in STORES + ["maker"]:
            self.redo(None, "init", "-q", name)
            self.redo(name, "key", "generate")
        shutil.copytree("p", "empty", symlinks=True)
        self.servers = {"s": Server("s"), "p": Server("p", f"--firestore={PROJECT}", "--emulator")}
        self.ways = {"http": Way(self.servers["s"]), "cloud": Way(self.servers["p"])}
        for name, other in ("a", "b"), ("b", "a"):
            self.redo(name, "remote", "add", "path", "../" + other)
            self.redo(name, "remote", "add", "ssh", "ssh://host" + os.path.abspath(other))
            self.redo(name, "remote", "add", "http", f"http://127.0.0.1:{self.ways['http'].port}")
            self.redo(name, "remote", "add", "cloud", f"firestore://{PROJECT}")
            self.redo(name, "remote", "set", "cloud", "endpoint", f"http://127.0.0.1:{self.ways['cloud'].port}")
            self.redo(name, "remote", "set", "cloud", "account", ACCOUNT)
        start = time.monotonic()
        for remote in REMOTES:
            self.redo("a", "sync", "-q", remote)
        self.usual = (time.monotonic() - start) / len(REMOTES)

    def redo(self, store, *words, ok=(0,), kill=None, environment=None):
        """Runs redo; `None` when it was killed. Nothing of what it has started outlives it."""
        command = ["redo", *(["-C", store] if store else []), *words]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, "REDO_SSH": os.path.join(HERE, "cut-ssh.py"), **(environment or {})})
        is_killed = False
        try:
            output, errors = process.communicate(timeout=kill or 120)
        except subprocess.TimeoutExpired:
            if kill is None:
                die(f"{' '.join(command)} does not end")
            is_killed = True
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if is_killed:
            process.communicate()
            self.count("killed")
            return None
        if process.returncode < 0 or ok and process.returncode not in ok:
            die(f"{' '.join(command)} ended with {process.returncode}: {errors.decode(errors='replace')}")
        return process.returncode, output.decode(), errors.decode(errors="replace")

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def admin(self, *words, refused=None):
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, ADMIN, str(self.servers["p"].port), PROJECT, "owner", *words], capture_output=True, check=False)
            # Who meets a damaged node first is told to come again.
            if b"UNAVAILABLE" not in done.stderr:
                break
        if refused is not None:
            if done.returncode == 0 or refused.encode() not in done.stderr:
                die(f"{' '.join(words)} is not refused with {refused}: {done.stderr.decode()}")
        elif done.returncode != 0:
            die(f"{' '.join(words)}: {done.stderr.decode()}")
        return done.stdout.decode()

    def documents(self):
        """The names of the documents whose fields have that hash."""
        ids = set()
        for line in self.admin("all", "nodes").splitlines():
            name, node = json.loads(line)
            for member in ("id", "signature", "accessList", "createdAt"):
                node.pop(member, None)
            text = json.dumps(node, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            if "sha256:" + hashlib.sha256(text).hexdigest() == name:
                ids.add(name)
        return ids

    # What is said

    def holds(self, client, remote, words, output, errors):
        """Compares what a command has said with what is there."""
        report = {}
        if "--json" in words and output.strip():
            report = json.loads(output)
        claims = []
        if report.get("equal") is True:
            claims.append('"equal":true')
        if report.get("verified") is True:
            claims.append('"verified":true')
        if re.search(r"' has all \d+ change", errors):
            claims.append("has all")
        if re.search(r"^equal: yes$", output, re.M):
            claims.append("equal: yes")
        if not claims:
            return
        other = {"http": "s", "cloud": "p"}.get(remote) or ("b" if client == "a" else "a")
        here, good = history(client), readable(client)
        if remote == "cloud":
            there = good_there = self.documents()
        else:
            there, good_there = history(other), readable(other)
        for claim in claims:
            self.claims[(remote, claim)] = self.claims.get((remote, claim), 0) + 1
            if claim == '"equal":true':
                is_so = here == there
                if here - good or there - good_there:
                    self.unread += 1
            elif claim == "equal: yes":
                is_so = here == there and not here - good and not there - good_there
            else:
                is_so = not here - good_there
            if not is_so:
                die(f"{claim} of redo -C {client} {' '.join(words)} {remote}, after {self.counts}; only here "
                    f"{sorted(here - there)[:3]}, only there {sorted(there - here)[:3]}, unreadable here "
                    f"{sorted(here - good)[:3]}, there {sorted(there - good_there)[:3]}; {output}{errors}")

    # Steps

    def talk(self, client=None, remote=None, words=None, faults=True):
        client = client or self.random.choice(CLIENTS)
        remote = remote or self.random.choice(REMOTES)
        words = words or self.random.choices([
            ["fetch", "--json"], ["push", "--json"], ["sync", "--json"], ["push", "--verify", "--json"],
            ["push", "--all", "--json"], ["remote", "check"], ["ls-remote", "--json"],
            ["fetch", "--json", "--since=2025-11-01"], ["sync", "--merge", "--json"]], [6, 5, 9, 4, 1, 4, 2, 1, 1])[0]
        kill, environment, is_cut, is_server_killed = None, None, False, False
        if faults and self.random.random() < 0.4:
            kind = self.random.choice(["kill", "cut", "server"])
            if kind == "cut" and remote != "path":
                self.count("cut")
                size, side = int(10 ** self.random.uniform(1, 4.5)), self.random.choice(["up", "down"])
                if remote == "ssh":
                    environment = {"CUT_AFTER": str(size), "CUT_SIDE": side}
                else:
                    way, is_cut = self.ways[remote], True
                    way.left, way.side = size, side
            elif kind == "server" and remote in self.ways:
                self.count("server killed")
                is_server_killed = True
                timer = threading.Timer(
                    self.random.uniform(0, self.usual), self.servers["s" if remote == "http" else "p"].process.kill)
                timer.start()
            else:
                kill = self.random.uniform(0.001, 1.3 * self.usual)
        retries = ["--no-retry"] if words[0] in ("fetch", "push", "sync") else []
        said = self.redo(client, *words, *retries, remote, ok=None, kill=kill, environment=environment)
        if is_server_killed:
            timer.join()
            server = self.servers["s" if remote == "http" else "p"]
            server.process.wait()
            server.start()
        elif remote in self.ways and (is_cut or said is None):
            # What a server is still at ends before anybody looks.
            self.ways[remote].left = None
            server = self.servers["s" if remote == "http" else "p"]
            server.stop()
            server.start()
        self.count(words[0])
        if said is not None:
            self.holds(client, remote, words, *said[1:])
        return said

    def commit(self):
        name = self.random.choice(CLIENTS)
        for _ in range(self.random.choice([1, 1, 2, 5])):
            self.redo(name, "commit", "create", f"--title=Task {self.random.randrange(10**9)}", ok=None)

    def stopped(self, store, change):
        """Something happens to a store, which a server may not have open then."""
        server = self.servers.get(store)
        if server:
            server.stop()
        change(store)
        if server:
            server.start()

    def damage(self):
        store = self.random.choice(STORES)
        found = list(loose(store))
        if not found:
            return
        for path, _ in self.random.sample(found, min(len(found), self.random.choice([1, 1, 3]))):
            with open(path, "rb") as file:
                data = bytearray(file.read())
            self.whole.setdefault(path, bytes(data))
            kind = self.random.choice(["delete", "flip", "cut", "other"])
            os.remove(path)
            if kind == "delete":
                continue
            if kind == "flip":
                data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
            elif kind == "cut":
                del data[self.random.randrange(len(data)):]
            else:
                others = [one for one, _ in found if one != path and os.path.exists(one)]
                if others:
                    with open(self.random.choice(others), "rb") as file:
                        data = file.read()
            with open(path, "wb") as file:
                file.write(data)

    def mend(self):
        """What was damaged is as before, unless a command has put it right."""
        for path, data in self.whole.items():
            id = "sha256:" + path[-65:-63] + path[-62:]
            store = path.split("/")[0]
            if id in history(store) and id not in readable(store):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if os.path.exists(path):
                    os.remove(path)
                with open(path, "wb") as file:
                    file.write(data)
                os.chmod(path, 0o444)
        self.whole = {}

    def vanish(self):
        """What is only a cache is gone, or a part of it."""
        store = self.random.choice(STORES)

        def change(store):
            files = [os.path.join(folder, name) for top in ("cache", "remotes") for folder, _, names in
                     os.walk(f"{store}/.redo/{top}") for name in names if top == "cache" or "/firestore" in folder]
            for path in sorted(files):
                if self.random.random() < 0.5:
                    if self.random.random() < 0.5:
                        os.remove(path)
                    else:
                        with open(path, "r+b") as file:
                            file.truncate(self.random.randrange(os.path.getsize(path) + 1))
        self.stopped(store, change)

    def put_back(self):
        """A store is what it was earlier; a project also that of a new store."""
        store = self.random.choice(["s", "p", "p", "b"])
        earlier = self.snapshots.get(store)
        if store == "p" and self.random.random() < 0.3:
            earlier = "empty"
        if earlier and self.random.random() < 0.5:
            def change(store):
                shutil.rmtree(store)
                shutil.copytree(earlier, store, symlinks=True)
            self.whole = {path: data for path, data in self.whole.items() if not path.startswith(store + "/")}
            self.stopped(store, change)
            return
        earlier = f"{store}.earlier"

        def keep(store):
            shutil.rmtree(earlier, ignore_errors=True)
            shutil.copytree(store, earlier, symlinks=True)
        # What is damaged then would stay so.
        self.mend()
        self.stopped(store, keep)
        self.snapshots[store] = earlier

    def forget_documents(self):
        """The server of the project has its nodes from the history alone."""
        self.stopped("p", lambda store: shutil.rmtree(f"{store}/.redo/firestore", ignore_errors=True))

    def post(self):
        """Somebody posts a node, or wants to edit one past the rules, which the server refuses."""
        ids = sorted(self.documents())
        if ids and self.random.random() < 0.5:
            self.admin("set", "nodes/" + self.random.choice(ids), "action", '"EDITED"', refused="FAILED_PRECONDITION")
            return
        id = self.redo("maker", "commit", "create", f"--title=Posted {self.random.randrange(10**9)}")[1].split()[-1]
        with open("posted", "w", encoding="utf-8") as file:
            file.write(self.redo("maker", "cat-node", "-p", id)[1])
        self.admin("node", "posted", ACCOUNT)
        if self.random.random() < 0.5:
            fields = json.loads(self.admin("raw", "nodes/" + id))["fields"]
            fields.pop("createdAt")
            if self.random.random() < 0.5:
                fields["createdAt"] = {"timestampValue": "2020-01-01T00:00:00Z"}
            with open("document", "w", encoding="utf-8") as file:
                json.dump({"fields": fields}, file)
            self.admin("put", "nodes/" + id, "document")

    def step(self):
        name, = self.random.choices(
            ["talk", "calm", "commit", "damage", "mend", "vanish", "put_back", "forget_documents", "post"],
            [45, 25, 10, 6, 5, 4, 3, 1, 3])
        if name == "calm":
            # Some that talk until they are alike.
            client, remote = self.random.choice(CLIENTS), self.random.choice(REMOTES)
            for words in ["sync", "--json"], ["fetch", "--json"], self.random.choice([["remote", "check"], ["push", "--verify", "--json"]]):
                self.talk(client, remote, words, faults=False)
            return
        if name != "talk":
            self.count(name)
        getattr(self, name)()

    def settle(self):
        """All is mended, and becomes equal; it is said."""
        self.mend()
        for name in CLIENTS:
            for path in f"{name}/.redo/quarantine", f"{name}/.redo/cache":
                shutil.rmtree(path, ignore_errors=True)
        for _ in range(2):
            for name in CLIENTS:
                for remote in REMOTES:
                    self.talk(name, remote, ["sync", "--json"], faults=False)
        for name in CLIENTS:
            for remote in REMOTES:
                status, output, errors = self.talk(name, remote, ["remote", "check"], faults=False)
                if status != 0 or "equal: yes" not in output:
                    die(f"in the end redo -C {name} remote check {remote} says {status}: {output}{errors}")
                report = json.loads(self.talk(name, remote, ["fetch", "--json"], faults=False)[1])
                if report.get("equal") is not (None if remote == "cloud" else True):
                    die(f"in the end redo -C {name} fetch {remote} says {report}")
        logged = set(self.redo("a", "log", "--format=%(id)")[1].split())
        if logged != history("a") or logged != readable("a") & logged:
            die("the log is not what was received")
        return len(logged)


def main():
    print(f"seed {SEED}, {STEPS} steps", flush=True)
    world = World()
    try:
        for _ in range(STEPS):
            world.step()
        count = world.settle()
        world.counts = dict(sorted(world.counts.items()))
        print(f"{count} changes, {world.counts}")
        for (remote, claim), number in sorted(world.claims.items()):
            print(f"{remote}: {claim} was said and checked {number} times")
        print(f"{world.unread} times something was damaged then that nobody had read")
    finally:
        for server in world.servers.values():
            server.process.kill()


if __name__ == "__main__":
    main()
