"""A reader of DAG-CBOR that names the rule and the offset of a refusal; written from RFC 8949, the DAG-CBOR specification
and redo-rules(7) alone.

  strict_cbor.py FILE...      `<cid> valid`, or `- <rule> <offset>`, a line each
"""

import base64
import hashlib
import math
import struct
import sys

DEPTH = 32
SHORTEST = {1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}


class Refused(Exception):
    def __init__(self, rule, offset):
        super().__init__(f"{rule} {offset}")
        self.rule, self.offset = rule, offset


class Bytes(bytes):
    """A byte string; `at` is where its content begins in the bytes that were read."""

    at = 0


class Link(bytes):
    """The raw CID in a tag 42."""


def cid(content, codec=0x71):
    """The text of a CID of version 1 with a SHA-256."""
    raw = bytes([1, codec, 0x12, 0x20]) + hashlib.sha256(content).digest()
    return "b" + base64.b32encode(raw).decode().lower().rstrip("=")


def is_cid(raw):
    return len(raw) == 36 and raw[0] == 1 and raw[1] in (0x55, 0x71) and raw[2:4] == b"\x12\x20"


class Reader:
    def __init__(self, content):
        self.content, self.at = content, 0

    def take(self, count):
        if count > len(self.content) - self.at:
            raise Refused("cbor-syntax", len(self.content))
        self.at += count
        return self.content[self.at - count:self.at]

    def head(self):
        byte = self.take(1)[0]
        return byte >> 5, byte & 31

    def number(self, low, start, major):
        if low < 24:
            return low
        if low > 27:
            raise Refused("cbor-indefinite" if low == 31 and major in (2, 3, 4, 5) else "cbor-syntax", start)
        count = 1 << (low - 24)
        number = int.from_bytes(self.take(count), "big")
        if number < SHORTEST[count]:
            raise Refused("cbor-length", start)
        return number

    def value(self, depth=0, before=None):
        """Reads a value; `before` is the list of the keys before it if it is a key."""
        start = self.at
        major, low = self.head()
        if before is not None and major != 3:
            raise Refused("cbor-key-type", start)
        if major == 7:
            return self.simple(low, start)
        number = self.number(low, start, major)
        if major in (0, 1):
            if number >= 1 << 63:
                raise Refused("cbor-integer", start)
            return number if major == 0 else -1 - number
        if major == 2:
            raw = Bytes(self.take(number))
            raw.at = self.at - number
            return raw
        if major == 3:
            raw = self.take(number)
            try:
                text = raw.decode("utf-8", "strict")
            except UnicodeDecodeError:
                raise Refused("cbor-utf8", start) from None
            if before is not None:
                if before and before[-1] == raw:
                    raise Refused("cbor-duplicate-key", start)
                if before and (len(before[-1]), before[-1]) > (len(raw), raw):
                    raise Refused("cbor-key-order", start)
                before.append(raw)
            return text
        if major == 6:
            return self.link(number, start)
        if depth == DEPTH:
            raise Refused("cbor-depth", start)
        if number * (2 if major == 5 else 1) > len(self.content) - self.at:
            raise Refused("cbor-syntax", len(self.content))
        if major == 4:
            return [self.value(depth + 1) for _ in range(number)]
        keys, members = [], {}
        for _ in range(number):
            key = self.value(depth + 1, keys)
            members[key] = self.value(depth + 1)
        return members

    def simple(self, low, start):
        if low in (20, 21, 22):
            return {20: False, 21: True, 22: None}[low]
        if low in (25, 26):
            raise Refused("cbor-float", start)
        if low == 27:
            raw = self.take(8)
            value = struct.unpack(">d", raw)[0]
            if not math.isfinite(value) or raw == b"\x80" + bytes(7):
                raise Refused("cbor-float", start)
            return value
        raise Refused("cbor-syntax" if low >= 28 else "cbor-simple", start)

    def link(self, number, start):
        if number != 42:
            raise Refused("cbor-tag", start)
        inner = self.at
        major, low = self.head()
        if major != 2:
            raise Refused("cbor-tag", start)
        raw = self.take(self.number(low, inner, major))
        if raw[:1] != b"\0" or not is_cid(raw[1:]):
            raise Refused("cbor-tag", start)
        return Link(raw[1:])


def parse(content, base=0):
    """The value that some bytes are; raises `Refused`, with offsets counted from `base` on."""
    reader = Reader(content)
    try:
        value = reader.value()
    except Refused as refusal:
        raise Refused(refusal.rule, base + refusal.offset) from None
    if reader.at != len(content):
        raise Refused("cbor-trailing", base + reader.at)
    return value


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            text = file.read()
        try:
            parse(text)
            print(cid(text), "valid")
        except Refused as refusal:
            print("-", refusal.rule, refusal.offset)
