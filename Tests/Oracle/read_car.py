#!/usr/bin/env python3
"""Reads a CARv1 file as `redo export --format=car` writes it, proves every CID, and prints the nodes, or receipts, as lines.

Written from the specifications of CAR, CID and DAG-CBOR and redo-export(1), with hashlib alone, but for what receipts hold, which
dag_cbor reads; it shares no code with the sources.

  read_car.py FILE
"""
import base64
import hashlib
import json
import sys


class Bytes:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        piece = self.data[self.place : self.place + count]
        assert len(piece) == count, "the file ends too early"
        self.place += count
        return piece

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                assert byte or not shift, "a varint that is not the shortest"
                return value
            shift += 7

    def cbor_head(self):
        first = self.take(1)[0]
        kind, value = first >> 5, first & 31
        if value >= 24:
            assert value <= 27, "an indefinite length"
            size = 1 << (value - 24)
            value = int.from_bytes(self.take(size), "big")
            assert value >= {1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}[size], "a head that is not the shortest"
        return kind, value

    def cbor(self):
        kind, value = self.cbor_head()
        if kind == 0:
            return value
        if kind == 2:
            return self.take(value)
        if kind == 3:
            return self.take(value).decode()
        if kind == 4:
            return [self.cbor() for _ in range(value)]
        if kind == 5:
            pairs = [(self.cbor(), self.cbor()) for _ in range(value)]
            names = [name for name, _ in pairs]
            assert names == sorted(names, key=lambda name: (len(name), name)), "a map that is not sorted"
            return dict(pairs)
        assert kind == 6 and value == 42, "something that no header has"
        link = self.cbor()
        assert link[:1] == b"\0", "a link without its prefix"
        return cid(Bytes(link[1:]))[1]


def cid(stream):
    """The codec and the digest of a CID: version 1, raw or dag-cbor, sha2-256 of 32 bytes."""
    version, codec, function, size = (stream.varint() for _ in range(4))
    assert (version, function, size) == (1, 0x12, 32) and codec in (0x55, 0x71), "another kind of CID"
    return codec, stream.take(32)


def cid_text(digest):
    return "b" + base64.b32encode(bytes([1, 0x71, 0x12, 32]) + digest).decode().lower().rstrip("=")


def print_receipts(head, receipts, signatures):
    import dag_cbor
    parents = {dag_cbor.decode(data).get("parentCID") for data in receipts.values()}
    heads = [digest for digest in receipts if cid_text(digest) not in parents]
    assert head["roots"] == sorted(heads), "other roots than the heads"
    for digest, data in receipts.items():
        row = {"cbor": base64.b64encode(data).decode(), "cid": cid_text(digest)}
        if row["cid"] in signatures:
            row["signature"] = signatures[row["cid"]]
        print(json.dumps(row, separators=(",", ":")))


def main():
    file = Bytes(open(sys.argv[1], "rb").read())
    header = Bytes(file.take(file.varint()))
    head = header.cbor()
    assert header.place == len(header.data) and sorted(head) == ["roots", "version"] and head["version"] == 1
    nodes, receipts, signatures, parents = {}, {}, {}, set()
    while file.place < len(file.data):
        block = Bytes(file.take(file.varint()))
        codec, digest = cid(block)
        data = block.data[block.place :]
        assert hashlib.sha256(data).digest() == digest, "a block of another CID"
        if codec == 0x71:
            assert digest not in receipts, "a receipt twice"
            receipts[digest] = data
            continue
        value = json.loads(data)
        if set(value) == {"cid", "signature"}:
            assert value["cid"] == cid_text(list(receipts)[-1]), "a signature of another receipt"
            signatures[value["cid"]] = value["signature"]
            continue
        if set(value) == {"id", "signature"}:
            assert bytes.fromhex(value["id"][7:]) == list(nodes)[-1], "a signature of another node"
            signatures[value["id"]] = value["signature"]
            continue
        assert digest not in nodes, "a node twice"
        nodes[digest] = value
        parents.update(bytes.fromhex(parent[7:]) for parent in value["parents"])
    assert not nodes or not receipts, "blocks of two kinds"
    if receipts:
        return print_receipts(head, receipts, signatures)
    assert head["roots"] == sorted(set(nodes) - parents), "other roots than the heads"
    for digest, value in nodes.items():
        value["id"] = "sha256:" + digest.hex()
        if value["id"] in signatures:
            value["signature"] = signatures[value["id"]]
        print(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


main()
