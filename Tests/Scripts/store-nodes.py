#!/usr/bin/env python3
"""What is in a store, read without any code of the sources: from redo-store(5), redo-pack(5) and redo-wire(5) alone.

  store-nodes.py store <store>   the ids of the nodes whose bytes are whole, loose or in a whole pack
  store-nodes.py wire <file>     the ids of the nodes in the packs that a server has sent
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import wire  # noqa: E402

READ_PACK = os.path.join(HERE, "..", "Oracle", "read_pack.py")
ID = re.compile(rb'"id":"(sha256:[0-9a-f]{64})"')


def pack_ids(path):
    """The ids in a pack; none if it is not whole."""
    done = subprocess.run([sys.executable, READ_PACK, path], capture_output=True, check=False)
    if done.returncode != 0:
        return []
    return [ID.search(line).group(1).decode() for line in done.stdout.splitlines()]


def loose_id(path, name):
    """The id of a loose node; `None` if it is damaged."""
    try:
        with open(path, "rb") as file:
            header, body = zlib.decompress(file.read()).split(b"\0", 1)
    except (OSError, zlib.error, ValueError):
        return None
    if not header.startswith(b"node ") or hashlib.sha256(body).hexdigest() != name:
        return None
    return "sha256:" + name


def store(path):
    ids = set()
    objects = os.path.join(path, ".redo", "objects")
    for shard in os.listdir(objects):
        folder = os.path.join(objects, shard)
        if shard == "pack":
            for name in os.listdir(folder):
                if name.endswith(".pack"):
                    ids.update(pack_ids(os.path.join(folder, name)))
        elif re.fullmatch("[0-9a-f]{2}", shard):
            for name in os.listdir(folder):
                ids.add(loose_id(os.path.join(folder, name), shard + name))
    return ids - {None}


def sent(path):
    ids, pack = [], b""
    with open(path, "rb") as file:
        data = file.read()
    for kind, payload in wire.frames(data):
        if kind == 4:
            pack += payload
        elif kind == 5:
            with tempfile.NamedTemporaryFile() as file:
                file.write(pack)
                file.flush()
                ids += pack_ids(file.name)
            pack = b""
    return ids


for found in sorted(store(sys.argv[2]) if sys.argv[1] == "store" else sent(sys.argv[2])):
    print(found)
