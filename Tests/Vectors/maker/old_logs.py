"""v0/: logs of before version 1, in both layouts that were given up, and the nodes they become.

Base58 is encoded here, digit by digit; the ids of the new nodes come from bodies that are built in their new form from the
start, not converted.
"""

import hashlib
import json

from .common import ADA, BEN, Folder, canonical, typed
from .history import accepted, heads, task_id, todo_id, wall_at

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
# Whose documents they were: not who signed.
ACCOUNT = "108230114876512345678"


def base58(data):
    number, digits = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        digits = ALPHABET[rest] + digits
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + digits


def digest(body):
    return hashlib.sha256(canonical(body)).digest()


class Pair:
    """A change in its old form, `old`, and as the node that it becomes, `new`."""

    def __init__(self, action, content, parents=(), task=1, person=ADA, wall=None, lamport=None, flat=False,
                 references=None, prefix=True, author=None, signed=True):
        lamport = lamport or max([p.new["timestamp"]["lamport"] for p in parents], default=0) + 1
        wall = wall or wall_at(Pair.count)
        Pair.count += 1
        references = references or {}
        old_content = {**content, **{k: [p.old["id"] for p in v] if isinstance(v, list) else v.old["id"] for k, v in references.items()}}
        new_content = {**content, **{k: [p.new["id"] for p in v] if isinstance(v, list) else v.new["id"] for k, v in references.items()}}
        key, user = bytes.fromhex(person.public), bytes.fromhex(person.user)
        common = {"timestamp": {"lamport": lamport, "wall": wall}, "action": action, "taskId": task_id(task)}
        more = author or {}
        old = {**common, "version": 0, "parents": [p.old["id"] for p in parents],
               "author": {"userId": base58(user), "deviceId": person.device, "publicKey": base58(key), **more},
               "data": old_content if flat else {"fields": old_content}}
        self.old_digest = digest(old)
        signature = person.secret.sign(canonical(old)).signature
        self.old = {**old, "id": ("sha256:" if prefix else "") + base58(self.old_digest)}
        if signed:
            self.old["signature"] = base58(signature)
        new = {**common, "version": 1, "parents": [p.new["id"] for p in parents],
               "author": {"userId": person.user, "deviceId": person.device, "publicKey": person.public, **more},
               "data": {"fields": new_content}}
        self.new = {**new, "id": "sha256:" + digest(new).hex()}
        self.flat = flat

    def note(self):
        row = {"id": self.new["id"], "oldId": self.old["id"], "publicKey": self.old["author"]["publicKey"]}
        return {**row, **({"signature": self.old["signature"]} if "signature" in self.old else {})}

    count = 0


def log():
    """Two people, three tasks, a divergence, a merge, a tombstone that lists what it ends."""
    Pair.count = 0
    a = Pair("CREATE", {"title": "Water the plants / daily", "storyPoints": 2.5, "priority": 3})
    b = Pair("CREATE_TODO", {"todoTaskId": todo_id(1), "deadline": wall_at(10_080)}, [a], flat=True)
    c = Pair("UPDATE", {"title": "Zo\u00eb \U0001f680 \u65e5\u672c"}, [b], person=BEN, author={"name": "Ben \u201cB\u201d"})
    d = Pair("UPDATE", {"priority": 5}, [b], wall=wall_at(9, fraction=False), prefix=False)
    e = Pair("COMPLETE_TODO", {"todoTaskId": todo_id(1), "completed": wall_at(99)}, [c, d], flat=True)
    f = Pair("CREATE", {"title": "Old", "description": ""}, task=2, person=BEN, flat=True, prefix=False)
    g = Pair("ARCHIVE", {}, [f], task=2, person=BEN, flat=True, signed=False)
    h = Pair("DELETE", {}, [g], task=2, person=BEN, references={"deletedChain": [f, g]})
    i = Pair("CREATE", {"title": "Empty"}, task=3)
    return [a, b, c, d, e, f, g, h, i]


def copies(pairs):
    """As they lay in the database: with members of the copy."""
    created = "2024-11-02T08:00:00.000Z"
    return [{**p.old, "accessList": [ACCOUNT], "createdAt": created} for p in pairs]


def layouts(pairs):
    docs = copies(pairs)
    bare = [d["id"].removeprefix("sha256:") for d in docs]
    keyed = {f"users/{ACCOUNT}/changes/{name}": doc for name, doc in zip(bare, docs)}
    without_id = {name: {k: v for k, v in doc.items() if k != "id"} for name, doc in zip(bare, docs)}
    nested = {"users": {ACCOUNT: {"displayName": "Ada", "ownedNodes": [], "changes": without_id}}}
    collections = {"__collections__": {"users": {ACCOUNT: {
        "email": "ada@example.org",
        "__collections__": {"changes": {n: {**d, "__collections__": {}} for n, d in zip(bare, docs)}}}}}}
    root = "projects/redo/databases/(default)/documents"
    documents = {"documents": [{
        "name": f"{root}/users/{ACCOUNT}/changes/{name}",
        "fields": {k: typed(v) for k, v in doc.items()},
        "createTime": "2024-11-02T08:00:00.123456Z", "updateTime": "2024-11-02T08:00:00.123456Z",
    } for name, doc in zip(bare, docs)]}
    plain = [p.old for p in pairs]
    return {
        f"changes_{ADA.user}.json": ("list", json.dumps(plain, indent=2, ensure_ascii=False)),
        "children-first.ndjson": ("list", "\n".join(json.dumps(n) for n in reversed(plain)) + "\n"),
        "wrapped.json": ("list", json.dumps({"exportedAt": 1730534400, "changes": plain})),
        "documents-by-path.json": ("documents", json.dumps(keyed)),
        "documents-nested.json": ("documents", json.dumps(nested, indent=1)),
        "documents-collections.json": ("documents", json.dumps(collections)),
        "documents-typed.json": ("documents", json.dumps(documents, indent=2)),
    }


def make(root):
    folder = Folder(root, "v0")
    pairs = log()
    nodes = [p.new for p in pairs]
    assert len(accepted(nodes)) == len(nodes)
    for name, (layout, text) in layouts(pairs).items():
        folder.write(name, text.encode())
        flat = sum(p.flat for p in pairs)
        signatures = sum("signature" in p.old for p in pairs)
        folder.row(name, "converted", layout, len(pairs), flat, signatures)
    folder.write("nodes.ndjson", b"".join(canonical(n) + b"\n" for n in sorted(nodes, key=lambda n: n["id"])))
    rows = sorted((p.note() for p in pairs), key=lambda row: row["id"])
    folder.write("notes.json", canonical({"format": "redo-v0-notes", "version": 1, "nodes": rows}))
    tips = heads(accepted(nodes))
    text = "".join(f"{h} {task}\n" for task in sorted(tips) for h in sorted(tips[task]))
    folder.write("heads.txt", text.encode())

    plain = [p.old for p in pairs]
    refused(folder, "missing-parent.json", plain[1:], "parent-missing")
    circle = [{**plain[0], "parents": [plain[1]["id"]]}, plain[1]]
    refused(folder, "circle.json", circle, "parents-form")
    refused(folder, "one-id-twice.json", [plain[0], {**plain[0], "taskId": task_id(9)}], "id-form")
    bad = {**plain[0], "author": {**plain[0]["author"], "publicKey": "0" + plain[0]["author"]["publicKey"][1:]}}
    refused(folder, "not-base58.json", [bad], "public-key-form")
    short = {**plain[0], "author": {**plain[0]["author"], "userId": base58(b"\1" * 15)}}
    refused(folder, "user-id-too-short.json", [short], "user-id-form")
    folder.finish("file", "verdict", "layout or rule", "changes", "flat", "signatures")
    base58_table(folder)


def refused(folder, name, changes, rule):
    folder.write(name, json.dumps(changes).encode())
    folder.row(name, "refused", rule, "-", "-", "-")


def base58_table(folder):
    """Texts of Base58, the length asked for, and the bytes; `-` where there are none."""
    values = [b"\0" * 16, b"\0" * 32, b"\0\0\1" + b"\xfe" * 13, b"\xff" * 16, b"\xff" * 32, b"\xff" * 64, bytes(range(32)), bytes(64),
              *(hashlib.sha512(bytes([n])).digest()[:size] for n in range(6) for size in (16, 32, 64))]
    for value in values:
        text = base58(value)
        folder.row(text, len(value), value.hex())
        folder.row("1" + text, len(value), "-")
        longer = int.from_bytes(value, "big") * 58
        if longer >= 256 ** len(value.lstrip(b"\0")):
            folder.row(text + "1", len(value), "-")
        elif longer:
            folder.row(text + "1", len(value), longer.to_bytes(len(value), "big").hex())
        folder.row("0" + text[1:], len(value), "-")
        folder.row(text[:-1] + "l", len(value), "-")
    for text in ["I", "O", "+", " ", "\u00e9", base58(b"\xff" * 17)]:
        folder.row(text, 16, "-")
    folder.finish("text", "bytes", "hex", table="base58.tsv")
