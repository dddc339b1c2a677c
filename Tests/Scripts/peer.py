"""A peer that follows a script instead of a store: it answers redo-wire(5) on standard input and output, and sends
whatever nodes, receipts or schemas it is told to, also such as no store would have.

peer.py <nodes.ndjson> [<what>...]; lines of receipts are {"cbor","signature"}; <what> is one of

    batch=<n>     packs of so many nodes; all in one otherwise
    drop=<n>      the connection ends after so many packs
    id=<hex>      the store id of the greeting
    word=<word>   a word of the greeting
    checkpoint=<file> the checkpoint of the greeting
    fault=<text>  a fault in place of an answer, such as `denied%not%you`, where a `%` stands for a blank
    offer=<n>     only so many nodes are told of when both are compared
    omit=<n>      so many of the last nodes are told of, and not sent
    slow=<n>      so many seconds pass between two packs

peer.py pack <nodes.ndjson> writes a pack of them instead.
"""

import base64
import datetime
import hashlib
import json
import os
import struct
import sys
import time


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def text(value):
    return varint(len(value)) + value


def stream(value):
    """A stream of a frame, as it is."""
    return b"\0" if not value else varint(len(value)) * 2 + value


def body(node):
    """The canonical body of a node; of texts without control characters, and of whole numbers. Of a receipt its preimage."""
    if "cbor" in node:
        return base64.b64decode(node["cbor"])
    rest = {name: value for name, value in node.items() if name not in ("id", "signature")}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def signature(node):
    """The signature beside it, if there is one."""
    said = node.get("signature", "")
    return base64.b64decode(said) if "cbor" in node else bytes.fromhex(said)


def pack(nodes):
    """A pack (redo-pack(5)) of nodes or schemas without shapes, or of receipts, in one frame."""
    of_receipts = "cbor" in nodes[0]
    bodies = [body(node) for node in nodes]
    ids = [hashlib.sha256(one).digest() for one in bodies]
    signatures = [signature(node) for node in nodes]
    signed = b"" if all(signatures) else bytes(1 if one else 0 for one in signatures)
    columns = b"".join(
        stream(one) for one in (
            b"", bytes(len(nodes)), b"".join(text(one) for one in bodies), signed, b"".join(signatures), b"", b""))
    size = sum(map(len, bodies))
    head = struct.pack("<III", len(columns), len(nodes), size)
    frame = head + hashlib.sha256(head + columns).digest()[:16] + columns
    start = b"\x89redopack\r\n" + (b"\x02\x01" if of_receipts else b"\x02\x02" if "schema" in nodes[0] else b"\x01")
    named = [parent for node in nodes for parent in ([] if of_receipts else node["parents"])]
    parents = {bytes.fromhex(parent[7:]) for parent in named} - set(ids)
    parents |= set(filter(None, (parent_of(one) for one in bodies if of_receipts))) - set(ids)
    directory = struct.pack("<I", 0) + hashlib.sha256(b"".join(ids)).digest()
    directory += struct.pack("<QQII", len(nodes), size, 1, len(parents))
    directory += struct.pack("<QIIIQQqq", len(start), len(frame), len(nodes), size, *span(nodes))
    directory += b"".join(sorted(parents))
    whole = start + frame + directory + struct.pack("<Q", len(start + frame))
    return whole + hashlib.sha256(whole).digest()


def parent_of(preimage):
    """The id of what a receipt follows: the text behind its key, a CID."""
    place = preimage.find(b"\x69parentCID\x78\x3b")
    if place < 0:
        return None
    said = preimage[place + 12:place + 12 + 59].decode()
    return base64.b32decode(said[1:].upper() + "======")[4:]


def span(nodes):
    """The least and greatest lamport, the first and last wall; of receipts neither is stated."""
    if "cbor" in nodes[0]:
        return 0, 0, 0, 0
    lamports = [node["timestamp"]["lamport"] for node in nodes]
    start = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    walls = [
        (datetime.datetime.fromisoformat(node["timestamp"]["wall"]) - start) // datetime.timedelta(milliseconds=1)
        for node in nodes]
    return min(lamports), max(lamports), min(walls), max(walls)


def bounds(ranges):
    """Where the ranges of a message end, as they are written there."""
    place = 0

    def number():
        nonlocal place
        value, shift = 0, 0
        while True:
            byte = ranges[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(ranges):
        said, start = ranges[place], place + 1
        size = ranges[start]
        place = start + 1
        if size != 255:
            number()
            number()
            place += size
        yield ranges[start:place]
        if said == 1:
            place += 16
        elif said == 2:
            count = number()
            place += 8 * count


class Peer:
    def __init__(self, nodes, what):
        self.nodes = nodes
        self.what = dict(one.split("=", 1) for one in what)
        self.words = [one.split("=", 1)[1] for one in what if one.startswith("word=")]

    def say(self, kind, payload=b""):
        sys.stdout.buffer.write(struct.pack("<IB", len(payload), kind) + payload)
        sys.stdout.buffer.flush()

    def turn(self):
        """The frames of a turn; nothing at the end of the connection."""
        frames = []
        while True:
            head = sys.stdin.buffer.read(5)
            if len(head) < 5:
                return None
            size, kind = struct.unpack("<IB", head)
            payload = sys.stdin.buffer.read(size)
            if kind == 0:
                return frames
            frames.append((kind, payload))

    def greet(self):
        store = bytes.fromhex(self.what.get("id", ""))
        words = " ".join(sorted(self.words)).encode()
        note = open(self.what["checkpoint"], "rb").read() if "checkpoint" in self.what else b""
        self.say(1, b"redo-wire\n\x01" + bytes([len(store)]) + store + text(words) + text(note))

    def send(self):
        nodes = self.nodes[:len(self.nodes) - int(self.what.get("omit", 0))]
        size = int(self.what.get("batch", len(nodes) or 1))
        for number, start in enumerate(range(0, len(nodes), size)):
            if number == int(self.what.get("drop", -1)):
                sys.exit(255)
            if number > 0:
                time.sleep(int(self.what.get("slow", 0)))
            made = pack(nodes[start:start + size])
            self.say(4, made)
            self.say(5, struct.pack("<Q", len(made)))

    def offer(self, hello):
        """The short seals of the first nodes, as a list; of clocks that ascend."""
        salt = hello[11 + hello[10]:][:16]
        nodes = self.nodes[:int(self.what["offer"])]
        said = varint(len(nodes))
        for node in nodes:
            seal = hashlib.sha256(hashlib.sha256(body(node)).digest() + signature(node))
            said += hashlib.sha256(b"redo-item-1" + salt + seal.digest()).digest()[:8]
        return said

    def run(self):
        is_first = True
        while (frames := self.turn()) is not None:
            if "fault" in self.what:
                self.say(8, self.what["fault"].replace("%", " ").encode())
                return
            if is_first:
                self.greet()
            is_first = False
            kinds = [kind for kind, _ in frames]
            for question in [payload for kind, payload in frames if kind == 2]:
                # Everything here is new to the other side, and the reverse; or nothing is here.
                said = b"\x05" if self.nodes else b"\x04"
                if "offer" in self.what:
                    self.say(2, b"\x02\xff" + self.offer(frames[0][1]))
                else:
                    self.say(2, b"".join(said + bound for bound in bounds(question)))
            if 3 in kinds:
                self.send()
            if 5 in kinds:
                self.say(7, varint(0))
            self.say(0)


if __name__ == "__main__":
    if sys.argv[1] == "pack":
        with open(sys.argv[2], encoding="utf-8") as lines:
            sys.stdout.buffer.write(pack([json.loads(line) for line in lines]))
        sys.exit()
    with open(sys.argv[1], encoding="utf-8") as lines:
        peer = Peer([json.loads(line) for line in lines], sys.argv[2:])
    try:
        peer.run()
    except BrokenPipeError:
        # The other side has heard enough.
        os._exit(0)
