"""What becomes of changes that are not as they should be, or not where they should be, in every kind of exchange.

Usage: sync-matrix.py <transport> <surgery.py>, in an empty directory, with redo on the PATH; a line for each cell:

  <what> <where> <command> <status> <taken> <sent> <held here> <held there> <said>

`taken` and `sent` are counted by reading the files of both stores before and after, not by what redo says of itself;
`said` is `said` where an error or a note names the change or counts it, `-` where nothing is said. The rest comes from
the command's own accounts (`--json`), or is `.` where it has none.

A cell in which a change is left behind and nothing is said ends it with 1, and so does a word of equality about stores
that are not equal.
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

TRANSPORT, SURGERY = sys.argv[1:]
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
servers = []


def url(store):
    if TRANSPORT == "path":
        return store
    if TRANSPORT == "ssh":
        return "ssh://host" + store
    log = store + ".log"
    with open(log, "wb") as file:
        servers.append(subprocess.Popen(
            ["redo-serve-http", "--http=127.0.0.1:0", store], stdout=subprocess.DEVNULL, stderr=file))
    for _ in range(1200):
        with open(log, encoding="utf-8") as file:
            found = re.search(r'"port":(\d+)', file.read())
        if found:
            return f"http://127.0.0.1:{found[1]}"
        time.sleep(0.05)
    sys.exit("no server listens")


def prepared(make, place):
    """A history that both have, and what is wrong with it."""
    for name in ("here", "there"):
        for left in (name, name + ".before", name + ".log"):
            if os.path.isdir(left):
                shutil.rmtree(left)
            elif os.path.exists(left):
                os.remove(left)
        run("redo", "init", "-q", name)
        redo(name, "key", "generate")
    here, there = os.path.abspath("here"), os.path.abspath("there")
    base = commit(here, "create", "-t", FIRST, "--title=a")
    redo(here, "push", "-q", there)
    store, other = (here, there) if place == "here" else (there, here)
    for name in (here, there):
        shutil.copytree(name, name + ".before", symlinks=True)
    return make(store, other, base), here, there


def cell(make, place, command):
    bad, here, there = prepared(make, place)
    redo(here, "remote", "add", "cloud", url(there))
    before = readable(here), readable(there)
    done = redo(here, *COMMANDS[command], "cloud", status=None)
    after = readable(here), readable(there)
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
    what = make.__name__.replace("_", "-")
    row = [what, place, command, done.returncode, taken, sent, *held, "said" if is_said else "-"]
    # Is something left behind that this command is about?
    concerns = {"fetch": ["there"], "push": ["here"], "push --verify": ["here", "there"], "sync": ["here", "there"],
                "remote check": ["here", "there"]}
    mine, others = (after[0], after[1]) if place == "here" else (after[1], after[0])
    is_left = any(id not in mine or id not in others for id in bad)
    if command == "push --verify" and place == "there":
        is_left = any(id in before[0] and id not in after[1] for id in bad)
    if is_left and place in concerns[command] and (not is_said or done.returncode == 0 and make is not waiting and not is_counted):
        sys.exit(f"{row}: something is left behind, and nothing is said of it: {text}{done.stdout.decode()}")
    is_equal = report.get("equal") is True or "equal: yes" in done.stdout.decode()
    if is_equal and after[0] != after[1] or "has all" in text and not after[0] <= after[1]:
        sys.exit(f"{row}: they are not equal: {text}{done.stdout.decode()}")
    print("\t".join(str(word) for word in row), flush=True)


try:
    for make in WHAT:
        for place in ("here", "there"):
            for command in COMMANDS:
                cell(make, place, command)
finally:
    for server in servers:
        server.kill()
