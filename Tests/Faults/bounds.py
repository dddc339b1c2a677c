"""bounds.py todos <creates> <todos> | heads <count> | large <MiB> | bomb <store> <id> <kind> <MiB> | refs <store> <member> <number> |
trust <count> <alike>: what is small to send and large to take.

`todos` and `heads` print nodes, one a line: tasks that are made with many empty todos, and changes of one task that all follow
its CREATE. `large` prints nodes of nearly a MiB each that cannot be compressed much, whose pack has that many MiB. `bomb` puts zeros, compressed to a thousandth, under the name of an object. `refs` puts a number into the first line
of a store's refs, and makes the hashes anew. `trust` prints lines of a trust file, whose keys have their first 16 digits in
common if they are to be alike.
"""

import base64
import hashlib
import json
import os
import random
import sys
import zlib

AUTHOR = {"deviceId": "d", "userId": "5a" * 16}


def node(action, content, task, lamport, parents=(), milliseconds=0):
    wall = "2024-05-01T%02d:%02d:%02d.%03dZ" % (
        milliseconds // 3600000, milliseconds // 60000 % 60, milliseconds // 1000 % 60, milliseconds % 1000)
    body = {"action": action, "author": AUTHOR, "data": {"fields": content}, "parents": list(parents), "taskId": task,
            "timestamp": {"lamport": lamport, "wall": wall}, "version": 1}
    text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    body["id"] = "sha256:" + hashlib.sha256(text).hexdigest()
    return body


MEMBERS = ["generation", "bytes", "refs", "entry", "chain", "reflog", "received"]


def numbered(store, member, number):
    """Refs of one block, and the first line of the journal, which continues them."""
    path = os.path.join(store, ".redo/refs")
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")
    words = lines[0].split()
    words[2 + MEMBERS.index(member)] = number.encode()
    while True:
        body = b"\n".join([b" ".join(words)] + lines[1:-2]) + b"\n# %s 0 " % words[2]
        size = b"%d" % (len(body) + 65)
        if words[3] == size:
            break
        words[3] = size
    with open(path, "wb") as file:
        file.write(body + hashlib.sha256(body).hexdigest().encode() + b"\n")
    path += ".journal"
    with open(path, "rb") as file:
        first, rest = file.read().split(b"\n", 1)
    first = first.split()
    start = b" ".join([*first[:2], words[2], first[3], b""])
    with open(path, "wb") as file:
        file.write(start + hashlib.sha256(start).hexdigest().encode() + b"\n" + rest)


def main(what, *words):
    if what == "large":
        chance = random.Random(int(words[0]))
        # Base64 of random bytes deflates to about those bytes.
        for number in range(int(words[0]) * 1024 // 720 + 1):
            text = base64.b64encode(chance.randbytes(737_280)).decode()
            task = "7a000000-0000-4000-8000-%012x" % number
            print(json.dumps(node("CREATE", {"description": text, "title": "a"}, task, number + 1, milliseconds=number)))
    elif what == "todos":
        for number in range(int(words[0])):
            task = "7a000000-0000-4000-8000-%012x" % number
            content = {"title": "a", "todos": [{}] * int(words[1])}
            print(json.dumps(node("CREATE", content, task, 1), separators=(",", ":")))
    elif what == "heads":
        task = "7a000000-0000-4000-8000-000000000001"
        first = node("CREATE", {"title": "a"}, task, 1)
        print(json.dumps(first))
        for number in range(int(words[0])):
            print(json.dumps(node("UPDATE", {"priority": number % 5 + 1}, task, 2, [first["id"]], number + 1)))
    elif what == "refs":
        numbered(*words)
    elif what == "trust":
        for number in range(int(words[0])):
            key = hashlib.sha256(b"%d" % number).hexdigest()
            print("7a" * 8 + key[16:] if words[1] == "alike" else key)
    else:
        store, id, kind, megabytes = words
        size = int(megabytes) << 20
        path = os.path.join(store, ".redo/objects", id[7:9], id[9:])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path):
            os.remove(path)
        deflate = zlib.compressobj(9)
        with open(path, "wb") as file:
            file.write(deflate.compress(b"%s %d\0" % (kind.encode(), size)))
            for _ in range(size >> 20):
                file.write(deflate.compress(bytes(1 << 20)))
            file.write(deflate.flush())
        os.chmod(path, 0o444)


main(*sys.argv[1:])
