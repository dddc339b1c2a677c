"""What becomes of changes that are not as they should be, or not where they should be, in every kind of exchange.

Usage: sync-matrix.py <transport> <cells> [<port>], in an empty directory, with redo on the PATH; a line for each cell that
the file <cells> has a line of the table for:

  <way> <what> <where> <command> <status> <taken> <sent> <held here> <held there> <said>

The transport is path, ssh or http, of which `stores` is the way; or serve, a project of `redo serve --firestore`, or
emulator, one of Google's that listens at the port, of which `firestore` is the way; `served` are rows that only `serve`
has.

`taken` and `sent` are counted by reading the files of both stores, or all documents of the project, before and after,
not by what redo says of itself; `said` is `said` where an error or a note names the change or counts it, `since` where
the command has compared the numbers of a project and does not speak of equality, `-` where nothing is said. The rest
comes from the command's own accounts (`--json`), or is `.` where it has none.

Where a change is left behind and nothing is said, that is a problem, which is told at the end, with status 1; and so is a
word of equality about what is not equal.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zlib

TRANSPORT = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
SURGERY, ADMIN = os.path.join(HERE, "surgery.py"), os.path.join(HERE, "firestore-admin.py")
IS_FIRESTORE = TRANSPORT in ("serve", "emulator")
ACCOUNT = "105903111111111111111"
FIRST, SECOND = "7a000000-0000-4000-8000-000000000001", "7a000000-0000-4000-8000-000000000002"
COMMANDS = {
    "fetch": ["fetch", "--json"], "push": ["push", "--json"], "sync": ["sync", "--json"],
    "push --verify": ["push", "--verify", "--json"], "remote check": ["remote", "check"],
}


def run(*words, data=b"", status=0):
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    if status is not None and done.returncode != status:
        sys.exit(f"{' '.join(words)}: {done.returncode}: {done.stderr.decode()}")
    return done


def redo(store, *words, **more):
    return run("redo", "-C", store, *words, **more)


def path_of(store, id, below="objects"):
    return os.path.join(store, ".redo", below, id[7:9], id[9:])


def readable(store):
    """The ids of the nodes that lie in a store and have the bytes of their names."""
    ids = set()
    for folder, _, names in os.walk(os.path.join(store, ".redo", "objects")):
        for name in names:
            shard = os.path.basename(folder)
            if len(shard) != 2 or len(name) != 62:
                continue
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            try:
                header, body = zlib.decompress(data).split(b"\0", 1)
            except (zlib.error, ValueError):
                continue
            if hashlib.sha256(body).hexdigest() == shard + name and header.startswith(b"node"):
                ids.add("sha256:" + shard + name)
    return ids


def surgery(*words, data=b""):
    return run(sys.executable, SURGERY, *words, data=data).stdout.decode().strip()


def insert(store, node, signature=None):
    """A node that no command would take, in the history all the same."""
    text = json.dumps(node, sort_keys=True, separators=(",", ":")).encode()
    with open("body", "wb") as file:
        file.write(text)
    if signature is None:
        signature = redo(store, "key", "sign", os.path.abspath("body")).stdout.decode().strip()
    inside = os.path.join(store, ".redo")
    id = surgery("object", inside, signature, data=text)
    surgery("received", inside, id)
    surgery("refs", inside, f"+{id}:heads/{node['taskId']}")
    return id


def commit(store, *words):
    return redo(store, "commit", *words).stdout.decode().split()[-1]


def cut(store, id):
    path = path_of(store, id)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[len(data) // 2] ^= 0x55
    os.chmod(path, 0o644)
    with open(path, "wb") as file:
        file.write(data)


# Each makes something in `store`, of a history that both have, and returns the nodes that are not as they should be.
def unsigned(store, other, base):
    return [commit(store, "create", "-t", SECOND, "--title=b", "--unsigned")]


def child_of_unsigned(store, other, base):
    return unsigned(store, other, base) + [commit(store, "update", "-t", SECOND, "--priority=2")]


def body_of(store, base):
    return json.loads(redo(store, "cat-node", "-p", base).stdout)


def like(store, base, **members):
    node = body_of(store, base)
    for key in ("signature", "id"):
        node.pop(key, None)
    node.update(taskId=SECOND, parents=[], **members)
    return node


def bad_signature(store, other, base):
    return [insert(store, like(store, base), "ab" * 64)]


def missing_parent(store, other, base):
    node = like(store, base, timestamp={"lamport": 9, "wall": "2025-03-01T08:00:00.000Z"})
    node["parents"] = ["sha256:" + "12" * 32]
    return [insert(store, node)]


def lamport_jump(store, other, base):
    node = like(store, base, timestamp={"lamport": 2**40, "wall": "2025-03-01T08:00:00.000Z"})
    node["parents"] = [base]
    return [insert(store, node)]


def damaged(store, other, base):
    """New, and damaged: nobody else has it."""
    id = commit(store, "create", "-t", SECOND, "--title=b")
    redo(store, "log", "-n", "1")
    cut(store, id)
    return [id]


def damaged_known(store, other, base):
    """Both have it, and it was found out that it is damaged here."""
    cut(store, base)
    redo(store, "verify", status=None)
    return [base]


def deleted(store, other, base):
    """The history names it, and it is not there; the other one has it."""
    os.remove(path_of(store, base))
    redo(store, "verify", status=None)
    return [base]


def waiting(store, other, base):
    node = like(store, base, timestamp={"lamport": 9, "wall": "2025-03-01T08:00:00.000Z"})
    node["parents"] = ["sha256:" + "12" * 32]
    id = insert(other, node)
    target = path_of(store, id, "quarantine/orphans")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.rename(path_of(other, id), target)
    shutil.rmtree(other)
    shutil.copytree(other + ".before", other, symlinks=True)
    return [id]


def edited(store, other, base):
    """The file has another, whole node under its name."""
    id = commit(store, "create", "-t", SECOND, "--title=b")
    redo(store, "log", "-n", "1")
    path = path_of(store, id)
    os.chmod(path, 0o644)
    shutil.copyfile(path_of(store, base), path)
    return [id]


WHAT = [unsigned, child_of_unsigned, bad_signature, missing_parent, lamport_jump, damaged, damaged_known, deleted, edited,
        waiting]


class Server:
    """A server of a store; its port stays when it starts again."""

    def __init__(self, store, *options):
        self.store, self.options, self.port = store, options, 0
        self.start()

    def start(self):
        log = self.store + ".log"
        with open(log, "wb") as file:
            self.process = subprocess.Popen(
                ["redo-serve-http", f"--http=127.0.0.1:{self.port}", *self.options, self.store],
                stdout=subprocess.DEVNULL, stderr=file)
        running.append(self)
        for _ in range(1200):
            with open(log, encoding="utf-8") as file:
                found = re.search(r'"port":(\d+)', file.read())
            if found:
                self.port = int(found[1])
                return
            time.sleep(0.05)
        sys.exit("no server listens")

    def stop(self):
        self.process.kill()
        self.process.wait()
        running.remove(self)


running, problems = [], []


class Stores:
    """The other side is a store, reached over one of the transports."""

    def __init__(self, here, there):
        self.there = there

    def is_ready(self, here):
        way = {"path": "", "ssh": "ssh://host"}.get(TRANSPORT)
        where = f"http://127.0.0.1:{Server(self.there).port}" if way is None else way + self.there
        redo(here, "remote", "add", "cloud", where)

    def readable(self):
        return readable(self.there)


class Project:
    """The other side is a project of Firestore; what is wrong is made in a store, which nobody asks, and posted."""

    count = 0

    def __init__(self, here, there):
        Project.count += 1
        self.name, self.server = f"redo-matrix-{Project.count}", None
        if TRANSPORT == "serve":
            self.primary = os.path.abspath("primary")
            run("redo", "init", "-q", self.primary)
            shutil.copytree(self.primary, self.primary + ".empty", symlinks=True)
            self.server = Server(self.primary, f"--firestore={self.name}", "--emulator")
        self.port = self.server.port if self.server else int(sys.argv[3])
        redo(here, "remote", "add", "cloud", f"firestore://{self.name}")
        redo(here, "remote", "set", "cloud", "endpoint", f"http://127.0.0.1:{self.port}")
        redo(here, "remote", "set", "cloud", "account", ACCOUNT)
        redo(here, "push", "-q", "cloud")

    def is_ready(self, here):
        pass

    def admin(self, *words):
        return run(sys.executable, ADMIN, str(self.port), self.name, "owner", *words).stdout.decode()

    def readable(self):
        """The names of documents whose fields have that hash."""
        ids = set()
        for line in self.admin("all", "nodes").splitlines():
            name, node = json.loads(line)
            for member in ("id", "signature", "accessList", "createdAt"):
                node.pop(member, None)
            text = json.dumps(node, sort_keys=True, separators=(",", ":")).encode()
            if "sha256:" + hashlib.sha256(text).hexdigest() == name:
                ids.add(name)
        return ids

    def post(self, store, *ids):
        for id in ids:
            node = redo(store, "cat-node", "-p", id).stdout
            with open("node", "wb") as file:
                file.write(node)
            self.admin("node", "node", ACCOUNT)

    def change(self, id, change, name=None):
        """Lets a function change the fields of a document, as JSON with types."""
        fields = json.loads(self.admin("raw", "nodes/" + id))["fields"]
        change(fields)
        with open("document", "w", encoding="utf-8") as file:
            json.dump({"fields": fields}, file)
        self.admin("put", "nodes/" + (name or id), "document")

    def served(self, change):
        """Something happens to the store of a server that has stopped; its nodes are documents of the history again."""
        self.server.stop()
        shutil.rmtree(os.path.join(self.primary, ".redo/firestore"))
        change(self.primary)
        self.server.start()


def retitled(fields):
    fields["data"]["mapValue"]["fields"]["fields"]["mapValue"]["fields"]["title"] = {"stringValue": "c"}


def created(value):
    """A document with that as its time of creation, or without one."""
    def change(fields):
        fields.pop("createdAt")
        if value is not None:
            fields["createdAt"] = value

    def make(project, store, base):
        id = commit(store, "create", "-t", SECOND, "--title=b")
        project.post(store, id)
        project.change(id, change)
        return [id]
    return make


def as_documents(make):
    """What a function makes in a store is posted as it is."""
    def both(project, store, base):
        ids = make(store, store, base)
        project.post(store, *ids)
        return ids
    return both


def damaged_document(project, store, base):
    id = commit(store, "create", "-t", SECOND, "--title=b")
    project.post(store, id)
    project.change(id, retitled)
    return [id]


def edited_document(project, store, base):
    """A document has the fields of another one, the id too."""
    id = commit(store, "create", "-t", SECOND, "--title=b")
    project.change(base, lambda fields: None, name=id)
    return [id]


def damaged_known_document(project, store, base):
    """Somebody has edited a document that both have."""
    project.change(base, retitled)
    return [base]


def deleted_document(project, store, base):
    if TRANSPORT == "emulator":
        project.admin("delete", "nodes/" + base)
    else:
        def change(primary):
            shutil.rmtree(primary)
            shutil.copytree(primary + ".empty", primary, symlinks=True)
        project.served(change)
    return [base]


def served_damaged(project, store, base):
    project.served(lambda primary: cut(primary, base))
    return [base]


def served_deleted(project, store, base):
    project.served(lambda primary: os.remove(path_of(primary, base)))
    return [base]


# What is there, as documents, by the name of the row; `waiting` is nothing that a project could show.
DOCUMENTS = {
    "unsigned": as_documents(unsigned), "child-of-unsigned": as_documents(child_of_unsigned),
    "bad-signature": as_documents(bad_signature), "missing-parent": as_documents(missing_parent),
    "lamport-jump": as_documents(lamport_jump), "damaged": damaged_document, "damaged-known": damaged_known_document,
    "deleted": deleted_document, "edited": edited_document, "no-created-at": created(None),
    "old-created-at": created({"timestampValue": "2020-01-01T00:00:00Z"}),
    "foreign-created-at": created({"mapValue": {"fields": {"seconds": {"stringValue": "5"}}}}),
}
SERVED = {"served-damaged": served_damaged, "served-deleted": served_deleted}


def stores_with_a_node():
    """Two stores, `here.before` and `there.before`, that have the same node; its id."""
    for name in ("here", "there"):
        run("redo", "init", "-q", name + ".before")
        redo(name + ".before", "key", "generate")
    base = commit("here.before", "create", "-t", FIRST, "--title=a")
    redo("here.before", "push", "-q", os.path.abspath("there.before"))
    return base


def prepared(place, make, base):
    """A history that both have, and what is wrong with it."""
    while running:
        running[0].stop()
    for name in ("here", "there", "primary", "primary.empty"):
        shutil.rmtree(name, ignore_errors=True)
    for name in ("here", "there"):
        shutil.copytree(name + ".before", name, symlinks=True)
    here, there = os.path.abspath("here"), os.path.abspath("there")
    other = (Project if IS_FIRESTORE else Stores)(here, there)
    if IS_FIRESTORE and place == "there":
        bad = make(other, there, base)
    else:
        bad = make(*((here, there) if place == "here" else (there, here)), base)
    other.is_ready(here)
    return bad, here, other


def cell(base, way, what, place, make, command):
    bad, here, other = prepared(place, make, base)
    before = readable(here), other.readable()
    done = redo(here, *COMMANDS[command], "cloud", status=None)
    after = readable(here), other.readable()
    text = done.stderr.decode()
    report = {}
    if "--json" in COMMANDS[command] and done.stdout:
        report = json.loads(done.stdout)
    counted = re.search(r"\b(\d+) changes? (here|at|waits?|of|that)\b", text)
    is_said = any(id in text for id in bad) or counted is not None
    # A check counts on standard output what only one side has, and that is no error.
    is_counted = re.search(r"^(nodesOnly|waiting)(Here|There): [1-9]", done.stdout.decode(), re.MULTILINE) is not None
    is_said = is_said or is_counted
    held = [sum(one["count"] + one["following"] for one in report.get(side, [])) if report else "."
            for side in ("heldBackHere", "heldBackThere")]
    taken, sent = len(after[0] - before[0]), len(after[1] - before[1])
    is_since = "knownSince" in report and "equal" not in report
    row = [way, what, place, command, done.returncode, taken, sent, *held,
           "said" if is_said else "since" if is_since else "-"]
    # Is something left behind that this command is about?
    concerns = {"fetch": ["there"], "push": ["here"], "push --verify": ["here", "there"], "sync": ["here", "there"],
                "remote check": ["here", "there"]}
    mine, others = (after[0], after[1]) if place == "here" else (after[1], after[0])
    is_left = any(id not in mine or id not in others for id in bad)
    if command == "push --verify" and place == "there":
        is_left = any(id in before[0] and id not in after[1] for id in bad)
    # What balances in number is found by those who list all names alone.
    balances = is_since and (what, place) == ("damaged-known", "there")
    if is_left and not balances and place in concerns[command] and (
            not is_said or done.returncode == 0 and what != "waiting" and not is_counted):
        problems.append(f"{row}: something is left behind, and nothing is said of it: {text}{done.stdout.decode()}")
    is_equal = report.get("equal") is True or "equal: yes" in done.stdout.decode()
    if is_equal and after[0] != after[1] or "has all" in text and not after[0] <= after[1]:
        problems.append(f"{row}: they are not equal: {text}{done.stdout.decode()}")
    print("\t".join(str(word) for word in row), flush=True)


def cells_of(path):
    """The way, what, where and command of each row of a table."""
    with open(path) as lines:
        return [tuple(line.split("\t")[:4]) for line in lines if not line.startswith("#")]


def main():
    if IS_FIRESTORE:
        here = [("firestore", one.__name__.replace("_", "-"), "here", one) for one in WHAT]
        there = [("firestore", what, "there", make) for what, make in DOCUMENTS.items()]
        served = [("served", what, "there", make) for what, make in SERVED.items() if TRANSPORT == "serve"]
        rows = here + there + served
    else:
        rows = [("stores", one.__name__.replace("_", "-"), place, one) for one in WHAT for place in ("here", "there")]
    cells = {(*row[:3], command): row for row in rows for command in COMMANDS}
    ways = {row[0] for row in rows}
    table = {cell for cell in cells_of(os.path.join(HERE, "sync-matrix.tsv")) if cell[0] in ways}
    if table != cells.keys():
        sys.exit(f"only the table or only this program has {sorted(table ^ cells.keys())}")
    base = stores_with_a_node()
    for names in cells_of(sys.argv[2]):
        cell(base, *cells[names], names[-1])
    if problems:
        sys.exit("".join(problems))


try:
    main()
finally:
    for server in list(running):
        server.stop()
