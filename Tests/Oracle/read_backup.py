#!/usr/bin/env python3
"""Reads backups as redo-backup(5) describes them, with nothing but tarfile, gzip and hashlib.

  read_backup.py DIRECTORY FILE         the history of a point, a node or a receipt a line; every byte that it needs is checked
  read_backup.py --states DIRECTORY     for each point `<file> <SHA-256 of the state>`, replayed by the letter of the
                                        protocol; --known FILE keeps what was worked out for the same bytes before

--identity TEXT opens encrypted points (age_file.py); it needs PyNaCl.
"""
import argparse
import gzip
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import types

sys.dont_write_bytecode = True

import read_pack

IDENTITY = None
NAME = re.compile(r"\d{8}T\d{9}Z-(full|incr)\.redobackup")


def sha(data):
    return hashlib.sha256(data).hexdigest()


class Point:
    """One file: what it says of itself, and what is in it."""

    def __init__(self, directory, name):
        self.name = name
        self.data = open(os.path.join(directory, name), "rb").read()
        if self.data.startswith(b"age-encryption.org/"):
            import age_file

            options = types.SimpleNamespace(identity=IDENTITY, seed=None, passphrase=None)
            self.data = b"".join(age_file.decrypt(self.data, options))
        self.members = {}
        with tarfile.open(fileobj=io.BytesIO(self.data), mode="r:") as archive:
            last = None
            for info in archive:
                assert info.isfile() and info.name not in self.members, info.name
                self.members[info.name] = archive.extractfile(info).read()
                last = info
        assert last.name == "sha256"
        assert self.members.pop("sha256") == sha(self.data[: last.offset]).encode() + b"\n"
        text = self.members.pop("manifest")
        self.manifest = json.loads(text)
        assert text == json.dumps(self.manifest, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        assert (self.manifest["format"], self.manifest["version"]) == ("redo-backup", 3 if "schemas" in self.manifest else 2 if "receipts" in self.manifest else 1)
        stamp = re.sub("[-:.]", "", self.manifest["time"])
        assert name == "%s-%s.redobackup" % (stamp, self.manifest["kind"][:4])
        listed = self.manifest["members"]
        assert [part["name"] for part in listed] == list(self.members)
        for part in listed:
            found = self.members[part["name"]]
            assert (len(found), sha(found)) == (part["size"], part["sha256"]), part["name"]

    def nodes(self):
        """Its nodes, receipts and schemas, decoded once."""
        if not hasattr(self, "decoded"):
            self.decoded = []
            kinds = ("nodes", 0, self.manifest["nodes"]), ("receipts", 1, self.manifest.get("receipts", 0)), ("schemas", 2, self.manifest.get("schemas", 0))
            for name, kind, count in kinds:
                pack = self.members.get(name + ".redopack")
                found = list(read_pack.nodes_of(pack)) if pack is not None else []
                assert pack is None or read_pack.kind_of(pack)[0] == kind, "a pack of another kind"
                assert len(found) == count and (name == "nodes" or count > 0 or name not in self.manifest)
                self.decoded += found
        return self.decoded

    def base(self):
        return self.manifest["needs"][0] if self.manifest["needs"] else None


def names(directory):
    return sorted(name for name in os.listdir(directory) if NAME.fullmatch(name))


def stated(ids):
    """What a manifest says of ids: how many, and the hash of their lines."""
    lines = b"".join(b"sha256:%s\n" % key.hex().encode() for key in sorted(ids))
    return {"count": len(ids), "sha256": sha(lines)}


READ = {}


def point(directory, name):
    if name not in READ:
        READ[name] = Point(directory, name)
    return READ[name]


def chain(directory, name):
    """The points that lead to one, the full one first."""
    points = [point(directory, name)]
    while (need := points[-1].base()) is not None:
        points.append(point(directory, need["name"]))
        assert sha(points[-1].data) == need["sha256"], "another base"
    return points[::-1]


def received(data):
    """The ids of a received log, without those that it takes back."""
    line, place = b"redo-received 1\n", 16
    assert data[:16] == line
    ids = {}
    while place < len(data):
        head = data[place : place + 32]
        assert head[:1] == b"@" and head[-1:] == b"\n" and head[23:31] == sha(head[:23]).encode()[:8]
        count, time = int(head[1:9], 16), int(head[10:22], 16)
        body = data[place + 32 : place + 32 + 32 * count]
        place += 64 + 32 * count
        assert data[place - 32 : place] == hashlib.sha256(head + body).digest()
        for index in range(count):
            key = body[32 * index : 32 * index + 32]
            if any(key):
                ids.pop(key, None) if time == (1 << 48) - 1 else ids.setdefault(key, time)
    return ids


def refs(data):
    """The refs that a log of changes leads to, and its last chain."""
    assert data[:14] == b"redo-reflog 1\n"
    place, chained, standing, number = 14, "0" * 64, set(), 0
    while place < len(data):
        head = data[place : place + 19]
        size = int(head[1:9], 16)
        entry = data[place + 19 : place + 19 + size]
        place += 19 + size
        body, stated = entry[:-71], entry[-65:-1].decode()
        chained = hashlib.sha256(chained.encode() + body).hexdigest()
        assert chained == stated
        number += 1
        for line in body.split(b"\n"):
            if line[:2] == b"- ":
                standing.remove(line[2:])
            elif line[:2] == b"+ ":
                standing.add(line[2:])
    return standing, number, chained


def history(directory, name):
    """The nodes of a point's history, each (id, body, signature)."""
    points = chain(directory, name)
    manifest = points[-1].manifest
    nodes = {}
    for part in points:
        for digest, body, signature in part.nodes():
            nodes[digest] = (digest, body, signature)
    log = b"".join(part.members.get("received", b"") for part in points)
    assert (len(log), sha(log)) == (manifest["received"]["bytes"], manifest["received"]["sha256"])
    ids = received(log)
    assert stated(set(ids)) == manifest["history"]
    pieces = [part.members["reflog.gz"] for part in points if "reflog.gz" in part.members]
    log = b"".join(gzip.decompress(piece) for piece in pieces)
    standing, number, chained = refs(log)
    assert (len(log), number, chained) == tuple(manifest["reflog"][key] for key in ("bytes", "entry", "chain"))
    # `<id> <name>`, sorted by name, then id
    lines = sorted(standing, key=lambda line: (line.split(b" ", 1)[1], line))
    assert (len(lines), sha(b"".join(line + b"\n" for line in lines))) == (
        manifest["refs"]["count"], manifest["refs"]["sha256"])
    absent = {bytes.fromhex(line[7:].decode()) for line in points[-1].members.get("absent", b"").splitlines()}
    lines = points[-1].members.get("outside", b"").splitlines()
    outside = {bytes.fromhex(line.split(b":")[1].decode()) for line in lines}
    assert stated((set(ids) - absent) | outside) == manifest["objects"]
    by_name = {part.name: part for part in points}
    for file in manifest["files"]:
        found = by_name[file["in"]].members["files/" + file["path"]]
        assert (len(found), sha(found)) == (file["size"], file["sha256"])
    key = sha("".join(sha(part.data) for part in points).encode())
    return [nodes[key] for key in sorted(set(ids) - absent)], key


def is_json(node):
    """Whether an object is a node or a schema: its bytes are an object of JSON, which a map of CBOR never is."""
    return node[1][:1] == b"{"


def is_node(node):
    return is_json(node) and "action" in json.loads(node[1])


def state(nodes):
    import reading
    import replay
    from node_rules import id_of

    data = b"".join(read_pack.whole(*node) + b"\n" for node in nodes if is_node(node))
    return replay.History({id_of(node): node for node, _ in reading.nodes(data)}).state()


def main():
    global IDENTITY
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", action="store_true")
    parser.add_argument("--known")
    parser.add_argument("--identity")
    parser.add_argument("directory")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    IDENTITY = options.identity
    if not options.states:
        for node in history(options.directory, options.file)[0]:
            line = read_pack.whole if is_json(node) else read_pack.receipt_line
            sys.stdout.buffer.write(line(*node) + b"\n")
        return
    known = {}
    if options.known and os.path.exists(options.known):
        known = json.load(open(options.known))
    for name in names(options.directory):
        nodes, key = history(options.directory, name)
        if key not in known:
            known[key] = sha(state(nodes).encode())
        print(name, known[key])
    if options.known:
        json.dump(known, open(options.known, "w"))


if __name__ == "__main__":
    main()
