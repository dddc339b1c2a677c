#!/usr/bin/env python3
"""Says what a store says when it is compared with another, as redo-wire(5) describes it.

Written from the page alone, with hashlib; it shares no code with the sources. Standard input: the version
and the salt in hex; a line for each node, lamport, wall, id and fingerprint; an empty line; then lines to be answered:
`first` asks for the first question of a client, `root` for the digest of all nodes, anything else is a question in hex.
One answer a line, in hex.
"""
import hashlib
import sys

END = (1 << 64, 0, bytes(32))
PARTS, LISTED, ANSWERED = 16, 20, 256


def varint(number):
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def signed(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


class Reader:
    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, count):
        self.place += count
        assert self.place <= len(self.data)
        return self.data[self.place - count : self.place]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.varint()
        return value // 2 if value % 2 == 0 else -(value + 1) // 2

    def bound(self, last):
        count = self.take(1)[0]
        if count == 255:
            return END
        lamport, wall = last[0] + self.varint(), last[1] + self.signed()
        return lamport, wall, self.take(count).ljust(32, b"\0")


def write_bound(bound, last):
    if bound == END:
        return b"\xff"
    prefix = bound[2].rstrip(b"\0")
    return bytes([len(prefix)]) + varint(bound[0] - last[0]) + signed(bound[1] - last[1]) + prefix


def write(ranges):
    """Ranges as (start, end, what is said of it in bytes) in one payload; gaps are settled."""
    out, last = b"", (0, 0, bytes(32))
    for start, end, said in ranges:
        if start != last:
            out += b"\0" + write_bound(start, last)
            last = start
        out += said[:1] + write_bound(end, last) + said[1:]
        last = end
    return out


class Store:
    def __init__(self, version, salt, nodes):
        self.version, self.salt, self.nodes = version, salt, sorted(nodes)

    def within(self, start, end):
        return [index for index, node in enumerate(self.nodes) if start <= node[:3] < end]

    def short(self, index):
        return hashlib.sha256(b"redo-item-1" + self.salt + self.nodes[index][3]).digest()[:8]

    def run(self, indices):
        """The digest of a run: of the digests of its pieces, each up to a node whose id ends with a byte 0."""
        pieces = [[]]
        for index in indices:
            pieces[-1].append(self.nodes[index][3])
            if self.nodes[index][2][-1] == 0:
                pieces.append([])
        digests = (hashlib.sha256(b"redo-piece-1" + b"".join(piece)).digest() for piece in pieces if piece)
        return hashlib.sha256(b"redo-run-1" + len(indices).to_bytes(8, "little") + b"".join(digests)).digest()

    def fingerprint(self, indices):
        if self.version == 2:
            return hashlib.sha256(b"redo-range-2" + self.salt + self.run(indices)).digest()[:16]
        text = b"redo-range-1" + self.salt + len(indices).to_bytes(8, "little")
        return hashlib.sha256(text + b"".join(self.nodes[index][3] for index in indices)).digest()[:16]

    def listing(self, indices):
        return varint(len(indices)) + b"".join(self.short(index) for index in indices)

    def between(self, index):
        """The shortest bound before a node."""
        one, node = self.nodes[index - 1], self.nodes[index]
        if one[:2] != node[:2]:
            return node[0], node[1], bytes(32)
        count = next(count for count in range(1, 33) if one[2][:count] != node[2][:count])
        return node[0], node[1], node[2][:count].ljust(32, b"\0")

    def divided(self, start, end, indices):
        for part in range(PARTS):
            first, next_ = len(indices) * part // PARTS, len(indices) * (part + 1) // PARTS
            yield (
                start if part == 0 else self.between(indices[first]),
                end if part == PARTS - 1 else self.between(indices[next_]),
                b"\1" + self.fingerprint(indices[first:next_]),
            )

    def first(self):
        indices = list(range(len(self.nodes)))
        start = (0, 0, bytes(32))
        if not indices:
            return write([(start, END, b"\4")])
        if len(indices) <= LISTED:
            return write([(start, END, b"\2" + self.listing(indices))])
        return write(self.divided(start, END, indices))

    def answer(self, question):
        reader, start, out = Reader(question), (0, 0, bytes(32)), []
        while reader.place < len(question):
            mode = reader.take(1)[0]
            end = reader.bound(start)
            indices = self.within(start, end)
            if mode == 4 and indices:
                out.append((start, end, b"\5"))
            elif mode == 1:
                fingerprint = reader.take(16)
                if not indices:
                    out.append((start, end, b"\4"))
                elif self.fingerprint(indices) == fingerprint:
                    pass
                elif len(indices) <= LISTED:
                    out.append((start, end, b"\2" + self.listing(indices)))
                else:
                    out += self.divided(start, end, indices)
            elif mode == 2:
                theirs = [reader.take(8) for _ in range(reader.varint())]
                ours = [self.short(index) for index in indices]
                new = [index for index, short in zip(indices, ours) if short not in theirs]
                lacks = [short not in ours for short in theirs]
                if not indices:
                    out.append((start, end, b"\4"))
                elif all(lacks):
                    out.append((start, end, b"\5"))
                elif len(new) > ANSWERED:
                    out += self.divided(start, end, indices)
                elif new or any(lacks):
                    bits = sum(1 << place for place, is_lacking in enumerate(lacks) if is_lacking)
                    said = varint(len(lacks)) + bits.to_bytes((len(lacks) + 7) // 8, "little")
                    out.append((start, end, b"\3" + said + self.listing(new)))
            start = end
        return write(out)


def main():
    lines = iter(sys.stdin.read().splitlines())
    version, salt = next(lines).split()
    nodes = []
    for line in lines:
        if not line:
            break
        lamport, wall, id_, fingerprint = line.split()
        nodes.append((int(lamport), int(wall), bytes.fromhex(id_), bytes.fromhex(fingerprint)))
    store = Store(int(version), bytes.fromhex(salt), nodes)
    for line in lines:
        if line == "first":
            said = store.first()
        elif line == "root":
            said = store.run(range(len(nodes)))
        else:
            said = store.answer(bytes.fromhex(line))
        print(said.hex())


if __name__ == "__main__":
    main()
