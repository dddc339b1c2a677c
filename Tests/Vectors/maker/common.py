"""What all makers share: keys of imaginary people, canonical bytes, ids, signatures, files.

Canonical JSON comes from the `rfc8785` package and Ed25519 from PyNaCl.
"""

import copy
import hashlib
import pathlib

import rfc8785
from nacl.signing import SigningKey

ENVELOPE = ("accessList", "createdAt")
REMOVE = object()  # as the value of an edit: take the member out


class Person:
    """One key pair on one device, derived from its name alone."""

    def __init__(self, name, device):
        self.name, self.device = name, device
        self.secret = SigningKey(hashlib.sha256(b"redo vectors, " + name.encode()).digest())
        self.public = self.secret.verify_key.encode().hex()
        self.user = self.public[:32]

    def author(self, **more):
        return {"userId": self.user, "deviceId": self.device, "publicKey": self.public, **more}

    def sign(self, message):
        return self.secret.sign(message).signature.hex()


ADA = Person("ada", "ios-iphone-15")
BEN = Person("ben", "android-pixel-9")
CLEO = Person("cleo", "web-firefox")


def canonical(value):
    return rfc8785.dumps(value)


def body_of(node):
    """The hashed part of a node."""
    return {k: v for k, v in node.items() if k not in ("id", "signature", *ENVELOPE)}


def id_of(node):
    return "sha256:" + hashlib.sha256(canonical(body_of(node))).hexdigest()


def name_id(text):
    """A well-formed id that stands for a node we do not have."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def seal(node, person=ADA, form="body"):
    """A copy with its id and, unless `form` is None, a signature of that form."""
    node = copy.deepcopy(node)
    body = canonical(body_of(node))
    digest = hashlib.sha256(body).digest()
    node["id"] = "sha256:" + digest.hex()
    node.pop("signature", None)
    if form == "body":
        node["signature"] = person.sign(body)
    elif form == "digest":
        node["signature"] = person.sign(digest)
    return node


def edit(node, changes):
    """A copy of `node` in which each JSON pointer of `changes` has its new value."""
    node = copy.deepcopy(node)
    for pointer, value in changes.items():
        if pointer == "":
            node = copy.deepcopy(value)
            continue
        *path, last = [p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:]]
        place = node
        for step in path:
            place = place[int(step) if isinstance(place, list) else step]
        if value is REMOVE:
            del place[last]
        elif isinstance(place, list):
            place[int(last)] = copy.deepcopy(value)
        else:
            place[last] = copy.deepcopy(value)
    return node


def pointer_of(*names):
    return "".join("/" + str(n).replace("~", "~0").replace("/", "~1") for n in names)


class Folder:
    """A folder that is written afresh, and its EXPECTED.tsv."""

    def __init__(self, root, name):
        self.path = pathlib.Path(root) / name
        self.rows = []

    def write(self, name, data):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        assert not file.exists(), f"two vectors are called {name}"
        file.write_bytes(data)

    def row(self, *cells):
        cells = [str(c) for c in cells]
        assert not any("\t" in c or "\n" in c for c in cells)
        self.rows.append(cells)

    def finish(self, *header, table="EXPECTED.tsv", keep_order=False):
        rows = self.rows if keep_order else sorted(self.rows)
        lines = ["# " + "\t".join(header)] + ["\t".join(r) for r in rows]
        self.write(table, "".join(line + "\n" for line in lines).encode())
        self.rows = []


class Typed:
    """A value with its type said outright."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


def typed(value):
    """A value of a document, as the clients' libraries and the exports of the database write it."""
    if isinstance(value, Typed):
        return {value.kind: value.value}
    if value is None:
        return {"nullValue": None}
    if isinstance(value, bool):
        return {"booleanValue": value}
    if isinstance(value, int):
        return {"integerValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(v) for v in value]} if value else {}}
    return {"mapValue": {"fields": {k: typed(v) for k, v in value.items()}} if value else {}}
