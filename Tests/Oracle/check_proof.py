#!/usr/bin/env python3
"""Checks proofs of redo prove without redo: `<letter> <id>` for what each proves, status 1 unless all are G.

  check_proof.py [--key HEX] [--explain] [FILE...]     reads one from standard input without FILE

A proof that a node, a receipt or a schema was received is G when it is good and in the tree of a checkpoint that is signed;
one that a checkpoint continues another, when both are signed and it does.
"""

import argparse
import hashlib
import pathlib
import sys

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

sys.dont_write_bytecode = True
sys.setrecursionlimit(100_000)  # rfc8785 writes nested values by recursion

import receipt_rules
import schema_rules
from node_rules import Keys, is_hex, verdict
from signed_notes import Checkpoint, Fault, from_base64, hash_of_line, is_consistent, is_included, leaf_hash, lines_of, number
from strict_json import Refused, canonical, parse

PATH_LIMIT = 128


def path_of(lines, start):
    """The hashes from a line on, and the number of the line after the empty one that ends them."""
    path = []
    for index in range(start, len(lines)):
        if lines[index] == "":
            return path, index + 1
        if len(path) == PATH_LIMIT:
            raise Fault(index + 1, "too many hashes")
        path.append(hash_of_line(lines[index], index + 1))
    raise Fault(len(lines), "no empty line ends the hashes")


def rest(data, lines):
    """The bytes behind so many lines."""
    for _ in range(lines):
        data = data[data.index(b"\n") + 1:]
    return data


def node_verdict(node, given):
    """(letter, id, rule) of a node with the key that comes with it."""
    keys = Keys()
    if given is not None:
        author = node.get("author") if type(node) is dict else None
        if type(author) is not dict or "publicKey" in author or author.get("userId") != given[:32]:
            raise Fault(2, "a key that the node does not need")
        keys.seen[given[:32]] = {given}
    letter, _, rule, _ = verdict(node, keys, len(canonical(node)))
    return (letter, node["id"], rule) if letter != "B" and "id" in node else ("B", "-", rule)


def receipt_verdict(receipt, given):
    """The same of a receipt, its bytes and signature in Base64."""
    if type(receipt) is not dict or set(receipt) - {"signature"} != {"cbor"} or not all(type(text) is str for text in receipt.values()):
        raise Fault(2, "not the bytes of a receipt, or not a signature")
    content = from_base64(receipt["cbor"])
    signature = from_base64(receipt["signature"]) if "signature" in receipt else None
    if content is None or "signature" in receipt and (signature is None or len(signature) != 64):
        raise Fault(2, "not the bytes of a receipt, or not a signature")
    if given is not None and signature is None:
        raise Fault(2, "a key that the receipt does not need")
    letter, rule, _ = receipt_rules.verdict(content, signature, given and bytes.fromhex(given))
    return letter, "sha256:" + hashlib.sha256(content).hexdigest(), rule


def schema_verdict(schema):
    """The same of a schema, which has its key in it."""
    if type(schema) is not dict or type(schema.get("id")) is not str:
        return "B", "-", "not a schema"
    body = {name: value for name, value in schema.items() if name not in ("id", "signature")}
    content = canonical(body)
    id = "sha256:" + hashlib.sha256(content).hexdigest()
    found = schema_rules.check(schema, len(canonical(schema)))
    if found or schema["id"] != id:
        return "B", "-", found[0][0] if found else "hash-mismatch"
    if "signature" not in schema:
        return "N", id, "-"
    try:
        VerifyKey(bytes.fromhex(schema["author"]["publicKey"])).verify(content, bytes.fromhex(schema["signature"]))
    except BadSignatureError:
        return "B", "-", "signature-bad"
    return "G", id, "-"


def inclusion(data, key):
    lines = lines_of(data)
    if len(lines) < 3 or not lines[1].startswith("extra "):
        raise Fault(2, "no extra data")
    extra = from_base64(lines[1].removeprefix("extra "))
    if extra is None:
        raise Fault(2, "not Base64")
    try:
        value = parse(extra)
    except Refused as refusal:
        raise Fault(2, "not JSON") from refusal
    forms = [{"node", "received"}, {"receipt", "received"}, {"schema", "received"}]
    if type(value) is not dict or set(value) - {"key"} not in forms or canonical(value) != extra:
        raise Fault(2, "not canonical JSON of a node, receipt or schema and when it was received")
    received, given = value["received"], value.get("key")
    if type(received) is not float or not received.is_integer() or received < 0:
        raise Fault(2, "not a time")
    if not lines[2].startswith("index "):
        raise Fault(3, "no index")
    index = number(lines[2].removeprefix("index "), 3)
    path, after = path_of(lines, 3)
    checkpoint = Checkpoint(rest(data, after), after + 1)
    if given is not None and not is_hex(given, 64):
        raise Fault(2, "not a key")
    if "schema" in value:
        if given is not None:
            raise Fault(2, "a key that the schema does not need")
        letter, id, rule = schema_verdict(value["schema"])
    else:
        letter, id, rule = receipt_verdict(value["receipt"], given) if "receipt" in value else node_verdict(value["node"], given)
    if letter == "B":
        return "B", "-", rule
    leaf = leaf_hash(bytes.fromhex(id.removeprefix("sha256:")) + int(received).to_bytes(8, "big"))
    if not is_included(leaf, index, checkpoint.size, checkpoint.root, path):
        return "B", id, "not in the tree"
    if key and key not in checkpoint.keys:
        return "B", id, "signed by another key"
    return letter, id, rule


def consistency(data, key):
    lines = lines_of(data)
    path, first = path_of(lines, 1)
    gaps = [index for index in range(first, len(lines)) if lines[index] == ""]
    if len(gaps) < 2:
        raise Fault(len(lines), "no second checkpoint")
    middle = gaps[1] + 1
    both = rest(data, first)
    count = sum(len(line.encode()) + 1 for line in lines[first:middle - 1])
    old, new = Checkpoint(both[:count], first + 1), Checkpoint(rest(data, middle), middle + 1)
    if old.origin != new.origin:
        return "B", new.id, "two logs"
    if not is_consistent(old.size, old.root, new.size, new.root, path):
        return "B", new.id, "not consistent"
    if key and not (key in old.keys and key in new.keys):
        return "B", new.id, "signed by another key"
    return "G", new.id, "-"


def judge(data, key=None):
    """(letter, id or '-', why)."""
    try:
        if data.startswith(b"redo-consistency-proof@v1\n"):
            return consistency(data, key)
        if data.startswith(b"c2sp.org/tlog-proof@v1\n"):
            return inclusion(data, key)
        return "B", "-", "no proof"
    except Fault as fault:
        return "B", "-", str(fault)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--key")
    parser.add_argument("--explain", action="store_true")
    parser.add_argument("file", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    status = 0
    for data in [file.read_bytes() for file in arguments.file] or [sys.stdin.buffer.read()]:
        letter, id, why = judge(data, arguments.key)
        print(letter, id, *([why] if arguments.explain else []))
        status |= letter != "G"
    return status


if __name__ == "__main__":
    sys.exit(main())
