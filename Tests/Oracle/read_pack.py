#!/usr/bin/env python3
"""Reads a pack as redo-pack(5) describes it, and prints its nodes as lines of JSON; of receipts, their bytes and signatures.

Written from the page alone, with hashlib and zlib; it shares no code with the sources.

  read_pack.py FILE
"""
import base64
import datetime
import hashlib
import json
import struct
import sys
import zlib

TEXT, NUMBER, INTEGER, ID, UUID, TIME, HEX16, HEX32, HALF = range(1, 10)
STREAMS = {TEXT: 2, NUMBER: 1, INTEGER: 1, ID: 1, UUID: 1, TIME: 8, HEX16: 2, HEX32: 2, HALF: 0}
EPOCH = datetime.datetime(1970, 1, 1)


class Stream:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        piece = self.data[self.place : self.place + count]
        assert len(piece) == count, "a stream ends too early"
        self.place += count
        return piece

    def number(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def line(self):
        end = self.data.index(b"\n", self.place)
        piece = self.data[self.place : end]
        self.place = end + 1
        return piece

    def lines(self):
        while self.place < len(self.data):
            yield self.line()

    def stream(self):
        before = self.number()
        if before == 0:
            return Stream(b"")
        piece = self.take(self.number())
        if len(piece) < before:
            piece = zlib.decompress(piece, wbits=-15)
        assert len(piece) == before
        return Stream(piece)


def signed(value):
    return (value >> 1) ^ -(value & 1)


def time_text(milliseconds):
    time = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    return b"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
        time.year, time.month, time.day, time.hour, time.minute, time.second,
        time.microsecond // 1000)


def uuid_text(raw):
    digits = raw.hex().encode()
    return b"-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def marks(shape):
    """The marks of a shape: (kind, the string that stands last before it, place)."""
    found, name, index = [], b"", 0
    while index < len(shape):
        byte = shape[index]
        if byte == 0x22:
            end = index + 1
            while shape[end] != 0x22:
                end += 2 if shape[end] == 0x5C else 1
            name = shape[index + 1 : end]
            index = end
        elif byte < 0x20:
            assert TEXT <= byte <= HALF
            found.append((byte, name, index))
        index += 1
    return found


def group(mark):
    return {(ID, b"parents"): 0, (INTEGER, b"lamport"): 1, (TIME, b"wall"): 2}.get(mark[:2], 3)


class Column:
    def __init__(self, kind, streams):
        self.entries = None
        if not streams:
            return
        self.first, rest = streams[0], streams[1:]
        if kind == TIME:
            self.planes = rest
        elif kind in (HEX16, HEX32):
            size = 16 if kind == HEX16 else 32
            data = rest[0].data
            assert len(data) % size == 0
            self.entries = [data[at : at + size] for at in range(0, len(data), size)]
        elif kind == TEXT:
            if self.first.data:
                self.entries = list(rest[0].lines())
            else:
                self.first = rest[0]

    def text(self):
        return self.first.line() if self.entries is None else self.entry()

    def entry(self):
        return self.entries[self.first.number()]

    def difference(self):
        length = self.first.take(1)[0]
        raw = b"".join(plane.take(1) for plane in self.planes[:length])
        return signed(int.from_bytes(raw, "little"))


def frame_nodes(payload, count, kind=0):
    streams = Stream(payload)
    shape_text, shape_of_node, raw, flags, signatures, ids, uuids = (
        streams.stream() for _ in range(7))
    assert kind != 1 or not (shape_text.data or ids.data or uuids.data), "columns of another kind"
    shapes, columns = [], {}
    for shape in shape_text.lines():
        shapes.append((shape, marks(shape)))
        for kind, name, _ in shapes[-1][1]:
            columns.setdefault((kind, name))
    for kind, name in columns:
        columns[kind, name] = Column(kind, [streams.stream() for _ in range(STREAMS[kind])])
    assert streams.place == len(payload), "something follows the columns"

    entries, known_uuids, last_wall = [], [], 0  # entries: (id, lamport, wall), or (id, None, None)
    for _ in range(count):
        lamport = parent_lamport = 0
        wall, parent_wall, key = last_wall, None, None
        number = shape_of_node.number()
        if number == 0:
            body = raw.take(raw.number())
        else:
            shape, found = shapes[number - 1]
            values = [None] * len(found)
            for index in sorted(range(len(found)), key=lambda index: group(found[index])):
                kind, name, _ = found[index]
                column, place = columns[kind, name], group(found[index])
                if kind in (TEXT, NUMBER):
                    value = column.text()
                elif kind == INTEGER:
                    value = signed(column.first.number())
                    if place == 1:
                        value += parent_lamport + 1
                        lamport = value
                    value = b"%d" % value
                elif kind == ID:
                    back = column.first.number()
                    if back:
                        entry = entries[len(entries) - back]
                        if place == 0 and entry[1] is not None:
                            parent_lamport = max(parent_lamport, entry[1])
                            parent_wall = entry[2] if parent_wall is None else parent_wall
                    else:
                        entry = (ids.take(32), None, None)
                        entries.append(entry)
                    value = b"sha256:" + entry[0].hex().encode()
                elif kind == UUID:
                    back = column.first.number()
                    if back:
                        value = known_uuids[len(known_uuids) - back]
                    else:
                        value = uuid_text(uuids.take(16))
                        known_uuids.append(value)
                elif kind == TIME:
                    value = column.difference()
                    if place == 2:
                        value += last_wall if parent_wall is None else parent_wall
                        wall = value
                    else:
                        value += wall
                    value = time_text(value)
                elif kind in (HEX16, HEX32):
                    value = column.entry()
                    if kind == HEX32:
                        key = value
                    value = value.hex().encode()
                else:
                    value = key[:16].hex().encode()
                values[index] = value if kind in (NUMBER, INTEGER) else b'"' + value + b'"'
            body, done = b"", 0
            for (_, _, place), value in zip(found, values):
                body += shape[done:place] + value
                done = place + 1
            body += shape[done:]
        digest = hashlib.sha256(body).digest()
        entries.append((digest, lamport, wall))
        last_wall = wall
        is_signed = flags.take(1)[0] if flags.data else 1
        yield digest, body, signatures.take(64) if is_signed else None
    for stream in (shape_of_node, raw, flags, signatures, ids, uuids):
        assert stream.place == len(stream.data), "something belongs to no node"


def whole(digest, body, signature):
    """The node or schema with id and signature where their names belong."""
    start = body.rindex(b'"parents":[')
    end = middle = body.index(b"]", start) + 1
    if body[end:].startswith(b',"schema":1'):
        middle += len(b',"schema":1')
    line = body[:start] + b'"id":"sha256:' + digest.hex().encode() + b'",' + body[start:middle]
    if signature:
        line += b',"signature":"' + signature.hex().encode() + b'"'
    return line + body[middle:]


KINDS = {1: "receipt", 2: "schema"}


def kind_of(data):
    """(number of the kind, bytes before the first frame)."""
    assert data[:11] == b"\x89redopack\r\n", "no pack"
    if data[11] == 1:
        return 0, 12
    assert data[11] == 2 and data[12] in KINDS, "no pack of version 1 or 2"
    return data[12], 13


def nodes_of(data):
    """(id, body, signature or None) of each node of a pack, every byte of which is checked."""
    kind, place = kind_of(data)
    assert hashlib.sha256(data[:-32]).digest() == data[-32:], "not the bytes of the hash"
    (directory,) = struct.unpack("<Q", data[-40:-32])
    zero, name, nodes, canonical, frames, needed = struct.unpack_from("<I32sQQII", data, directory)
    assert zero == 0 and directory + 60 + 52 * frames + 32 * needed == len(data) - 40
    total, size, inside, hashed = 0, 0, set(), hashlib.sha256()
    for index in range(frames):
        offset, length, count, bodies, *clocks = struct.unpack_from(
            "<QIIIQQqq", data, directory + 60 + 52 * index)
        assert offset == place
        assert kind != 1 or clocks == [0, 0, 0, 0], "clocks of another kind"
        payload_bytes, own_count, own_bodies = struct.unpack_from("<III", data, offset)
        assert (payload_bytes + 28, own_count, own_bodies) == (length, count, bodies)
        payload = data[offset + 28 : offset + length]
        sizes = data[offset : offset + 12]
        assert hashlib.sha256(sizes + payload).digest()[:16] == data[offset + 12 : offset + 28]
        for digest, body, signature in frame_nodes(payload, count, kind):
            hashed.update(digest)
            inside.add(digest)
            size += len(body)
            yield digest, body, signature
        total += count
        place += length
    assert place == directory and (total, size) == (nodes, canonical)
    assert hashed.digest() == name, "not the nodes of the name"


def receipt_line(digest, body, signature):
    cid = "b" + base64.b32encode(b"\x01\x71\x12\x20" + digest).decode().lower().rstrip("=")
    row = {"cbor": base64.b64encode(body).decode(), "cid": cid}
    if signature:
        row["signature"] = base64.b64encode(signature).decode()
    return json.dumps(row, separators=(",", ":")).encode()


def main():
    data = open(sys.argv[1], "rb").read()
    line = receipt_line if kind_of(data)[0] == 1 else whole
    for node in nodes_of(data):
        sys.stdout.buffer.write(line(*node) + b"\n")


if __name__ == "__main__":
    main()
