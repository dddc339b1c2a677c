"""Writes into a store what no command would: with every checksum right, so that only an audit can tell.

  surgery.py object <store> <signature|-> <node.json   a node's body as a loose object; prints its id
  surgery.py blob <store> <id>                         a node's bytes again, now as a blob
  surgery.py refs <store> (+|-)<id>:<name>...          a change of refs, in the journal
  surgery.py received <store> <id>...                  ids in the received log, counted by the journal
  surgery.py living <store> <id>...                    notes that these nodes can be followed
"""

import hashlib
import json
import os
import sys
import zlib


def digest(data):
    return hashlib.sha256(data).hexdigest()


def path_of(store, id):
    return os.path.join(store, "objects", id[7:9], id[9:])


def write_object(store, id, header, body):
    path = path_of(store, id)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        os.remove(path)
    with open(path, "wb") as file:
        file.write(zlib.compress(header.encode() + b"\0" + body))
    os.chmod(path, 0o444)


def framed(payload):
    line = b"@%08x" % len(payload)
    return line + b" " + digest(line)[:8].encode() + b"\n" + payload


def state(store):
    """Number and chain of the last entry, and the bytes of the received log that count."""
    with open(os.path.join(store, "refs"), "rb") as file:
        words = file.readline().split()
    entry, chain, received = int(words[5]), words[6], int(words[8])
    with open(os.path.join(store, "refs.journal"), "rb") as file:
        data = file.read()
    at = data.index(b"\n") + 1
    while at < len(data):
        count = int(data[at + 1 : at + 9], 16)
        lines = data[at + 19 : at + 19 + count].split(b"\n")
        entry, received, chain = int(lines[0].split()[1]), int(lines[0].split()[3]), lines[-2].split()[1]
        at += 19 + count
    return entry, chain, received


def change(store, removals, additions, received=None):
    entry, chain, old = state(store)
    lines = ["entry %d 1700000000000 %d" % (entry + 1, received or old)]
    lines += ["- " + ref for ref in sorted(removals, key=lambda ref: ref.split()[::-1])]
    lines += ["+ " + ref for ref in sorted(additions, key=lambda ref: ref.split()[::-1])]
    payload = "\n".join(lines + ["message by hand", ""]).encode()
    payload += b"chain " + digest(chain + payload).encode() + b"\n"
    with open(os.path.join(store, "refs.journal"), "ab") as file:
        file.write(framed(payload))


def receive(store, ids):
    _, _, end = state(store)
    line = b"@%08x %012x " % (len(ids), 1700000000000)
    line += digest(line)[:8].encode() + b"\n"
    frame = line + b"".join(bytes.fromhex(id[7:]) for id in ids)
    frame += hashlib.sha256(frame).digest()
    with open(os.path.join(store, "received"), "r+b") as file:
        file.seek(end)
        file.write(frame)
    change(store, [], [], end + len(frame))


def follow(store, ids):
    with open(os.path.join(store, "cache/living"), "r+b" if os.path.exists(os.path.join(store, "cache/living")) else "w+b") as file:
        for id in ids:
            raw = bytes.fromhex(id[7:])
            file.seek(int.from_bytes(raw[:2], "big") * 40)
            file.write(raw + hashlib.sha256(b"redo-living 1 " + raw).digest()[:8])


def main(verb, store, *words):
    if verb == "object":
        node = json.load(sys.stdin)
        node.pop("id", None)
        node.pop("signature", None)
        # The demo's texts and numbers are such that this is RFC 8785.
        body = json.dumps(node, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        id = "sha256:" + digest(body)
        signature = "" if words[0] == "-" else " ed25519:" + words[0]
        write_object(store, id, "node %d%s" % (len(body), signature), body)
        print(id)
    elif verb == "blob":
        with open(path_of(store, words[0]), "rb") as file:
            body = zlib.decompress(file.read()).split(b"\0", 1)[1]
        write_object(store, words[0], "blob %d" % len(body), body)
    elif verb == "refs":
        refs = [(word[0], " ".join([word[1:72], word[73:]])) for word in words]
        change(store, [ref for sign, ref in refs if sign == "-"], [ref for sign, ref in refs if sign == "+"])
    elif verb == "living":
        follow(store, words)
    else:
        receive(store, words)


main(*sys.argv[1:])
