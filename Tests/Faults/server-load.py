"""server-load.py <rounds> <requests> <kills> <seed>: 32 clients of a server that is killed now and then.

In an empty directory, with redo on the PATH, REDO_SERVE the command of a server but for its port, and the file `accounts` it
reads. The clients: ten of Firestore's REST API that write, each an account with a document of its own, and nodes that redo
has made; five that read what those write; two of Google's Python package where PACKAGE is the interpreter that has it; ten
stores that commit, push and fetch; and the rest speak redo-wire(5) as `wire.py` does, some of them to their end, some not.

A commit of a writer makes nodes and changes its document, in one step; so a reader must see both or neither, and whoever
finds the server killed finds one or the other, and what was answered well before. At the end each node that was acknowledged is
in the store, by redo-log and by the REST API, and no other; and each document has the last number that was acknowledged. The
rounds of the second half write no new node, and nothing is killed: descriptors and memory must stay as they are.
Prints what was asked, and what a round left.
"""

import contextlib
import http.client
import importlib
import importlib.util
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent / "Scripts"
sys.path.insert(0, str(SCRIPTS))
import wire  # noqa: E402

firestore_python = importlib.import_module("firestore-python")
value = importlib.import_module("node-documents").value

ROUNDS, REQUESTS, KILLS, SEED = map(int, sys.argv[1:5])
ROOT = "/v1/projects/demo/databases/(default)/documents"
WRITERS, READERS, STORES, SPEAKERS = 10, 5, 10, 5
PACKAGE = 2 if importlib.util.find_spec("google") and importlib.util.find_spec("google.cloud.firestore") else 0
BATCH = 4
# Of a client without nodes that keeps access lists, as the nodes of a writer have them.
TURN = wire.client_hello(b"keeps-access") + wire.NOTHING + wire.END
# What a round may add to the memory of a server that learns nothing new, in KiB: pages that malloc keeps for later.
LEVEL = 24 * 1024


class Wrong(Exception):
    """What must never be seen."""


class Server:
    """The process, which is started again on its port when it was killed."""

    def __init__(self):
        self.port, self.process, self.kills, self.lines = 0, None, 0, 0
        self.gate = threading.Condition()

    def start(self):
        log = open(f"server-{self.kills}.log", "w", encoding="utf-8")
        command = shlex.split(os.environ["REDO_SERVE"]) + [f"--http=127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, stderr=log, stdout=log)
        until = time.monotonic() + 60
        while True:
            found = re.search(r'"event":"listening".*"port":(\d+)', pathlib.Path(log.name).read_text(encoding="utf-8"))
            if found:
                self.port = int(found[1])
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise Wrong(f"the server does not start: {pathlib.Path(log.name).read_text()[-400:]}")
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.start()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def rest(self):
        """Waits until no connection is open any more; answers descriptors, and KiB of memory."""
        process, until = pathlib.Path(f"/proc/{self.process.pid}"), time.monotonic() + 60
        while True:
            open_ones = []
            for each in (process / "fd").iterdir():
                with contextlib.suppress(FileNotFoundError):
                    open_ones.append(os.readlink(each))
            if sum(each.startswith("socket:") for each in open_ones) == 1:
                break
            if time.monotonic() > until:
                raise Wrong(f"after a minute connections are open that nobody has: {sorted(open_ones)}")
            time.sleep(0.1)
        status = (process / "status").read_text()
        return len(open_ones), int(re.search(r"VmRSS:\s*(\d+)", status)[1])

    def answered(self):
        """Requests that it answered, by its own log."""
        return sum(path.read_text(encoding="utf-8").count('"event":"request"') for path in pathlib.Path().glob("server-*.log"))


SERVER = Server()


class Round:
    """How many requests are still to be made; each client takes one after the other."""

    def __init__(self, count, grows):
        self.left, self.grows, self.lock = count, grows, threading.Lock()

    def take(self):
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def give_back(self):
        with self.lock:
            self.left += 1


class Client:
    """One that works as long as a round has requests; its first complaint is kept."""

    def __init__(self, number):
        self.number, self.random = number, random.Random(SEED * 1000 + number)
        self.counts, self.lost, self.connection, self.wrong = {}, 0, None, None

    def run_round(self, round):
        while self.wrong is None and round.take():
            try:
                self.step(round)
            except Wrong as error:
                self.wrong = f"{type(self).__name__} {self.number}: {error}"
            except (OSError, http.client.HTTPException):
                # The server is gone, or was when the request was on its way.
                self.lost += 1
                round.give_back()
                self.close()
                time.sleep(0.05)
            except Exception as error:
                self.wrong = f"{type(self).__name__} {self.number}: {error!r}"

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, path, body=None, media="application/json", token=None, kind=None):
        if not self.connection:
            self.connection = http.client.HTTPConnection("127.0.0.1", SERVER.port, timeout=60)
        fields = {"Content-Type": media, "Authorization": "Bearer " + (token or f"w{self.number}-token")}
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        self.connection.request(method, path, data, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        self.count(kind or method.lower())
        if answer.status == 503 or answer.status == 429:
            self.count("later")
            self.close()
            time.sleep(0.05)
            raise OSError
        return answer.status, text

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1


def document(path):
    return f"{ROOT[4:]}/{path}"


def fields_of(text):
    return {name: next(iter(each.values())) for name, each in json.loads(text).get("fields", {}).items()}


class Writer(Client):
    """Makes nodes and changes its document, in one commit."""

    def __init__(self, number):
        super().__init__(number)
        self.nodes = [json.loads(line) for line in open(f"nodes-{number}.ndjson", encoding="utf-8")]
        # The last that was sent, the last that was answered well, and the ids of each.
        self.sent = self.done = self.place = 0
        self.batches = {0: []}

    def step(self, round):
        if self.sent != self.done:
            self.look()
            return
        grows = round.grows and self.place + BATCH <= len(self.nodes)
        nodes = self.nodes[self.place:self.place + BATCH] if grows else []
        self.place += len(nodes)
        self.sent += 1
        self.batches[self.sent] = [node["id"] for node in nodes]
        name = f"w{self.number}"
        writes = [{
            "update": {
                "name": document("nodes/" + node["id"]),
                "fields": {key: value(each) for key, each in node.items()} | {"accessList": value([name])}},
            "currentDocument": {"exists": False}} for node in nodes]
        account = {"first": self.sent, "text": "x" * self.random.randrange(2000), "second": self.sent}
        writes.insert(self.random.randrange(len(writes) + 1), {
            "update": {"name": document(f"users/{name}"), "fields": {key: value(each) for key, each in account.items()}}})
        status, text = self.ask("POST", ROOT + ":commit", {"writes": writes}, kind="commit")
        if status != 200:
            raise Wrong(f"commit {self.sent} is answered {status} {text[:300]}")
        self.done = self.sent

    def look(self):
        """What became of the commit that was not answered."""
        ids = self.batches[self.sent]
        seen, is_there = both(self, ids, f"w{self.number}")
        if seen not in (self.done, self.sent):
            raise Wrong(f"the document has {seen}, {self.done} was acknowledged and {self.sent} sent")
        if ids and is_there != (seen == self.sent):
            raise Wrong(f"the document has {seen}, and nodes of commit {self.sent}: {is_there}")
        if seen == self.done:
            self.place -= len(self.batches.pop(self.sent))
            self.sent = self.done
        self.done = self.sent


def both(client, ids, name):
    """The number of a document, and whether the nodes of a commit are there, all or none. The rules of documents refuse to say
    that a node is missing, but to who may read everything."""
    asked = {"documents": [document("nodes/" + id) for id in ids] + [document(f"users/{name}")]}
    status, text = client.ask("POST", ROOT + ":batchGet", asked, token="root-token", kind="batchGet")
    if status != 200:
        raise Wrong(f"batchGet is answered {status} {text[:300]}")
    rows = json.loads(text)
    found = {row["found"]["name"].rsplit("/", 1)[1]: row["found"] for row in rows if "found" in row}
    account = fields_of(json.dumps(found.pop(name, {})))
    if account.get("first") != account.get("second"):
        raise Wrong(f"a document half written: {account.get('first')} and {account.get('second')}")
    if found and len(found) != len(ids):
        raise Wrong(f"{len(found)} of the {len(ids)} nodes of a commit")
    return int(account.get("first", 0)), bool(found)


class Reader(Client):
    """Reads what a writer writes at that moment, lists and asks."""

    def step(self, round):
        writer = self.random.choice(CLIENTS[:WRITERS])
        name = f"w{writer.number}"
        kind = self.random.randrange(4)
        if kind < 2:
            done, place = writer.done, writer.sent
            ids = writer.batches.get(place, [])
            number, is_there = both(self, ids, name)
            if not done <= number <= writer.sent:
                raise Wrong(f"{name} has {number}, after {done} was acknowledged and before {writer.sent} was sent")
            if ids and is_there != (number >= place):
                raise Wrong(f"{name} has {number}, and nodes of commit {place}: {is_there}")
        elif kind == 2:
            status, text = self.ask(
                "GET", f"{ROOT}/nodes?pageSize=20&orderBy=timestamp.lamport", token=name + "-token", kind="list")
            if status != 403:
                raise Wrong(f"a list is answered {status} {text[:300]}")
        else:
            query = {"structuredQuery": {
                "from": [{"collectionId": "nodes"}], "limit": 30,
                "where": {"fieldFilter": {
                    "field": {"fieldPath": "accessList"}, "op": "ARRAY_CONTAINS", "value": value(name)}}}}
            status, text = self.ask("POST", ROOT + ":runQuery", query, token=name + "-token", kind="query")
            if status != 200:
                raise Wrong(f"a query is answered {status} {text[:300]}")
            for row in json.loads(text):
                if "document" in row and row["document"]["name"].rsplit("/", 1)[1] != fields_of(json.dumps(row["document"]))["id"]:
                    raise Wrong("a document under another's name")


class Package(Client):
    """Google's own client."""

    def __init__(self, number):
        super().__init__(number)
        self.package = None
        self.last = 0

    def step(self, round):
        from google.api_core import exceptions

        if not self.package:
            self.package = firestore_python.client(SERVER.port, f"p{self.number}-token")
            # What it has read of a stream it would keep open.
            self.package._firestore_api_internal.transport._session.headers["Connection"] = "close"
        account = self.package.collection("users").document(f"p{self.number}")
        try:
            account.set({"number": self.last + 1, "parts": ["a", {"b": 1.5}]}, retry=None, timeout=30)
            self.last += 1
            self.count("set")
            seen = account.get(retry=None, timeout=30).to_dict()["number"]
            self.count("get")
            if seen != self.last:
                raise Wrong(f"the document has {seen} after {self.last} was acknowledged")
        except exceptions.GoogleAPICallError as error:
            if error.code in (429, 503):
                self.count("later")
                return
            raise Wrong(f"Google's client: {error!r}")
        except Exception as error:
            if isinstance(error, Wrong):
                raise
            # Its transport's own errors, which are those of the connection.
            raise OSError from error


class Store(Client):
    """A store with the command line: commits, pushes, fetches, and is killed itself now and then."""

    def __init__(self, number):
        super().__init__(number)
        self.name = f"store-{number}"
        self.tasks = []
        self.redo("init", "-q", self.name, within=False)
        self.redo("key", "generate")
        pathlib.Path(f"token-{number}").write_text(f"s{number}-token\n", encoding="utf-8")
        os.chmod(f"token-{number}", 0o600)
        self.redo("remote", "add", "depot", f"http://127.0.0.1:{SERVER.port}")
        self.redo("remote", "set", "depot", "tokenFile", os.path.abspath(f"token-{number}"))

    def redo(self, *arguments, within=True, kill=None):
        command = ["redo", *(["-C", self.name] if within else []), *arguments]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=kill or 120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            if kill is None:
                raise Wrong(f"{' '.join(command)} does not end")
            return None, "", ""
        return process.returncode, out, err

    def step(self, round):
        if round.grows and self.random.random() < 0.5:
            if self.tasks and self.random.random() < 0.6:
                task = self.random.choice(self.tasks)
                content = ["update", f"--task={task}", f"--priority={self.random.randrange(1, 6)}"]
            else:
                task = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
                content = ["create", f"--task={task}", f"--title=Task {task}"]
                self.tasks.append(task)
            status, out, err = self.redo("commit", "-q", *content)
            if status != 0:
                raise Wrong(f"commit ends with {status} {err}")
            self.count("changes")
        verb = self.random.choice([["push", "--json"], ["push", "--json"], ["sync", "--json"], ["fetch"], ["ls-remote"]])
        kill = self.random.uniform(0.01, 0.2) if round.grows and self.random.random() < 0.05 else None
        self.talk(verb, kill)

    def talk(self, verb, kill=None):
        # What any store was told to be there: whoever finds that the server lacks it has found it lost.
        before = set(ACKNOWLEDGED)
        status, out, err = self.redo(*verb, *(["--no-retry"] if verb[0] != "ls-remote" else []), "depot", kill=kill)
        self.count(verb[0])
        if status is None:
            return
        if status not in (0, 75):
            raise Wrong(f"{verb[0]} ends with {status}: {err}")
        if "--json" in verb:
            pushed = {id for line in out.splitlines() for id in json.loads(line).get("pushed", [])}
            if pushed & before:
                raise Wrong(f"{len(pushed & before)} changes had to be sent again that were acknowledged")
            ACKNOWLEDGED.update(pushed)
        if status == 75:
            self.lost += 1


class Speaker(Client):
    """Whole exchanges, and halves of them."""

    def step(self, round):
        token = f"s{WRITERS + READERS + self.number % STORES}-token"
        if self.random.random() < 0.25:
            half = http.client.HTTPConnection("127.0.0.1", SERVER.port, timeout=20)
            half.putrequest("POST", "/v1/exchange")
            for name, each in ("Content-Type", wire.MEDIA), ("Authorization", "Bearer " + token), ("Content-Length", "200000"):
                half.putheader(name, each)
            half.endheaders()
            half.send(TURN[:self.random.randrange(len(TURN))])
            half.close()
            self.count("broken")
            return
        status, text = self.ask("POST", "/v1/exchange", TURN, wire.MEDIA, token, "exchange")
        kinds = [kind for kind, _ in wire.frames(text)]
        if status != 200 or not kinds or kinds[-1] != 0:
            raise Wrong(f"an exchange is answered {status} {kinds} {text[-300:]}")


def all_ids(name):
    """The ids of all nodes that an account may read, by the REST API."""
    client, ids, page = Client(0), [], ""
    while True:
        query = {"structuredQuery": {
            "from": [{"collectionId": "nodes"}], "limit": 200,
            "where": {"fieldFilter": {
                "field": {"fieldPath": "accessList"}, "op": "ARRAY_CONTAINS", "value": value(name)}},
            "orderBy": [{"field": {"fieldPath": "timestamp.lamport"}}, {"field": {"fieldPath": "__name__"}}]}}
        if page:
            query["structuredQuery"]["startAt"] = {"values": page, "before": False}
        status, text = client.ask("POST", ROOT + ":runQuery", query, token=name + "-token")
        if status != 200:
            raise Wrong(f"the nodes of {name}: {status} {text[:300]}")
        rows = [row["document"] for row in json.loads(text) if "document" in row]
        if not rows:
            return set(ids)
        ids += [row["name"].rsplit("/", 1)[1] for row in rows]
        last = rows[-1]
        lamport = last["fields"]["timestamp"]["mapValue"]["fields"]["lamport"]
        page = [lamport, {"referenceValue": last["name"]}]


def play(number, grows, kills):
    round = Round(REQUESTS, grows)
    threads = [threading.Thread(target=client.run_round, args=(round,)) for client in CLIENTS]
    for thread in threads:
        thread.start()
    chooser = random.Random(SEED * 77 + number)
    moments = sorted(chooser.randrange(REQUESTS // 10, REQUESTS * 9 // 10) for _ in range(kills))
    while any(thread.is_alive() for thread in threads):
        if moments and REQUESTS - round.left >= moments[0]:
            moments.pop(0)
            SERVER.kill()
        time.sleep(0.01)
    for client in CLIENTS:
        client.close()
        if client.wrong:
            raise Wrong(client.wrong)
    level = SERVER.rest()
    print(f"round {number}: {level[0]} descriptors, {level[1]} KiB, {SERVER.kills} kills", flush=True)
    return level


def check():
    for writer in CLIENTS[:WRITERS]:
        if writer.sent != writer.done:
            writer.look()
        number, _ = both(writer, [], f"w{writer.number}")
        if number != writer.done:
            raise Wrong(f"the document of w{writer.number} has {number}, not {writer.done}")
        made = {id for batch in writer.batches.values() for id in batch}
        seen = all_ids(f"w{writer.number}")
        if seen != made:
            raise Wrong(f"w{writer.number} has {len(made)} nodes, and finds {len(seen)}")
        writer.close()
    written = {id for writer in CLIENTS[:WRITERS] for batch in writer.batches.values() for id in batch}
    there = served()
    if (written | ACKNOWLEDGED) - there:
        raise Wrong(f"acknowledged nodes are lost: {len(written - there)} documents and {len(ACKNOWLEDGED - there)} pushed ones")
    made = set(written)
    for store in CLIENTS:
        if isinstance(store, Store):
            store.talk(["push", "--json"])
            made.update(store.redo("log", "--format=%(id)")[1].split())
    if served() != made:
        raise Wrong(f"{len(made - served())} changes of stores are not there, and {len(served() - made)} that nobody has made")
    return len(written), len(ACKNOWLEDGED), len(made)


def served():
    """The ids of the store that is served, by the command line."""
    command = ["redo", "-C", "served", "log", "--format=%(id)"]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def main():
    SERVER.start()
    CLIENTS.extend(Writer(number) for number in range(WRITERS))
    CLIENTS.extend(Reader(WRITERS + number) for number in range(READERS))
    CLIENTS.extend(Store(WRITERS + READERS + number) for number in range(STORES))
    CLIENTS.extend(Package(number) for number in range(PACKAGE))
    CLIENTS.extend(Speaker(WRITERS + READERS + STORES + number) for number in range(32 - len(CLIENTS)))
    growing, steady = ROUNDS // 2, ROUNDS - ROUNDS // 2
    for number in range(growing):
        play(number, True, KILLS // growing + (number < KILLS % growing))
    levels = [play(growing + number, False, 0) for number in range(steady)]
    written, pushed, there = check()
    counts, lost = {}, 0
    for client in CLIENTS:
        lost += client.lost
        for what, count in client.counts.items():
            counts[what] = counts.get(what, 0) + count
    print(f"{len(CLIENTS)} clients: {counts}, {lost} without an answer; the server's log has {SERVER.answered()} requests")
    print(f"{written} nodes written over REST, {pushed} pushed by {STORES} stores, {there} in the served one")
    if len({level[0] for level in levels}) > 1:
        raise Wrong(f"descriptors: {[level[0] for level in levels]}")
    if levels[-1][1] > levels[0][1] + LEVEL:
        raise Wrong(f"KiB: {[level[1] for level in levels]}")
    status = SERVER.stop()
    if status != 0:
        raise Wrong(f"the server ends with {status}")


CLIENTS, ACKNOWLEDGED = [], set()
try:
    main()
except Wrong as error:
    print(error, file=sys.stderr)
    sys.exit(1)
finally:
    if SERVER.process and SERVER.process.poll() is None:
        SERVER.process.kill()
