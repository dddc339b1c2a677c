"""cbor/: bytes that are strict DAG-CBOR, with their CID, and bytes that are refused, with the reason.

All bytes are written by hand, item by item.
"""

import base64
import hashlib
import struct

from .common import Folder

LINK = bytes([1, 0x71, 0x12, 0x20]) + hashlib.sha256(b"a link").digest()


def text(content):
    """A text of fewer than 24 bytes."""
    return bytes([0x60 + len(content)]) + content


def double(value):
    return b"\xfb" + struct.pack(">d", value)


def tagged(raw):
    """Tag 42 on a byte string of 24 to 255 bytes."""
    return b"\xd8\x2a\x58" + bytes([len(raw)]) + raw


# Accepted: rule, case, bytes.
VALID = [
    ("cbor-syntax", "zero", b"\x00"),
    ("cbor-syntax", "false", b"\xf4"),
    ("cbor-syntax", "null", b"\xf6"),
    ("cbor-syntax", "empty-map", b"\xa0"),
    ("cbor-syntax", "empty-text", b"\x60"),
    ("cbor-syntax", "array-of-two", b"\x82\x01\x02"),
    ("cbor-syntax", "map-of-two", b"\xa2" + text(b"a") + b"\x01" + text(b"b") + b"\x80"),
    ("cbor-trailing", "array-that-ends", b"\x81\x00"),
    ("cbor-length", "24-in-one-byte", b"\x18\x18"),
    ("cbor-length", "256-in-two-bytes", b"\x19\x01\x00"),
    ("cbor-length", "65536-in-four-bytes", b"\x1a\x00\x01\x00\x00"),
    ("cbor-length", "two-to-32-in-eight-bytes", b"\x1b\x00\x00\x00\x01\x00\x00\x00\x00"),
    ("cbor-length", "minus-25-in-one-byte", b"\x38\x18"),
    ("cbor-length", "24-bytes", b"\x58\x18" + bytes(24)),
    ("cbor-indefinite", "array-that-states-its-length", b"\x81\xf5"),
    ("cbor-key-order", "shorter-first", b"\xa2" + text(b"z") + b"\x00" + text(b"aa") + b"\x01"),
    ("cbor-key-order", "by-bytes", b"\xa2" + text(b"aa") + b"\x00" + text(b"ab") + b"\x01"),
    ("cbor-key-order", "bytes-not-code-units", b"\xa2" + text("\uffff".encode() + b"a") + b"\x00" + text("\U00010000".encode()) + b"\x01"),
    ("cbor-duplicate-key", "in-two-maps", b"\x82" + (b"\xa1" + text(b"a") + b"\x00") * 2),
    ("cbor-duplicate-key", "nfc-and-nfd", b"\xa2" + text("\u00e9".encode()) + b"\x00" + text("e\u0301".encode()) + b"\x00"),
    ("cbor-key-type", "empty-text", b"\xa1\x60\x00"),
    ("cbor-utf8", "four-lengths", text("a\u00e9\u20ac\U0001f680".encode())),
    ("cbor-utf8", "nul-and-noncharacter", text("\0\ufffe".encode())),
    ("cbor-float", "one-and-a-half", double(1.5)),
    ("cbor-float", "one", double(1.0)),
    ("cbor-float", "zero", double(0.0)),
    ("cbor-float", "smallest", double(5e-324)),
    ("cbor-integer", "largest", b"\x1b\x7f" + b"\xff" * 7),
    ("cbor-integer", "least", b"\x3b\x7f" + b"\xff" * 7),
    ("cbor-simple", "true", b"\x81\xf5"),
    ("cbor-tag", "link-to-dag-cbor", tagged(b"\0" + LINK)),
    ("cbor-tag", "link-to-raw", b"\xa1" + text(b"/") + tagged(b"\0" + LINK[:1] + b"\x55" + LINK[2:])),
    ("cbor-depth", "32-arrays", b"\x81" * 31 + b"\x80"),
    ("cbor-depth", "32-maps", (b"\xa1" + text(b"a")) * 31 + b"\xa0"),
    ("cbor-depth", "32-arrays-twice", b"\x82" + (b"\x81" * 30 + b"\x80") * 2),
]

# Refused: rule, case, bytes, offset.
INVALID = [
    ("cbor-syntax", "nothing", b"", 0),
    ("cbor-syntax", "head-cut", b"\x19\x01", 2),
    ("cbor-syntax", "text-cut", b"\x63ab", 3),
    ("cbor-syntax", "bytes-cut", b"\x81\x42\x00", 3),
    ("cbor-syntax", "array-cut", b"\x82\x01", 2),
    ("cbor-syntax", "map-cut", b"\xa1" + text(b"a"), 3),
    ("cbor-syntax", "more-elements-than-bytes", b"\x9b" + b"\x7f" + b"\xff" * 7, 9),
    ("cbor-syntax", "more-text-than-bytes", b"\x7b" + b"\xff" * 8, 9),
    ("cbor-syntax", "reserved-head", b"\x81\x1c", 1),
    ("cbor-syntax", "break-alone", b"\xff", 0),
    ("cbor-syntax", "float-cut", b"\xfb\x3f\xf8", 3),
    ("cbor-syntax", "link-cut", b"\xd8\x2a\x58\x25\x00", 5),
    ("cbor-trailing", "second-value", b"\x00\x00", 1),
    ("cbor-trailing", "line-feed", b"\xa0\n", 1),
    ("cbor-length", "23-in-one-byte", b"\x18\x17", 0),
    ("cbor-length", "255-in-two-bytes", b"\x81\x19\x00\xff", 1),
    ("cbor-length", "65535-in-four-bytes", b"\x1a\x00\x00\xff\xff", 0),
    ("cbor-length", "zero-in-eight-bytes", b"\x1b" + bytes(8), 0),
    ("cbor-length", "text-of-one", b"\x78\x01a", 0),
    ("cbor-length", "map-of-none", b"\xb8\x00", 0),
    ("cbor-length", "tag-42-in-two-bytes", b"\xd9\x00\x2a\x58\x25\0" + LINK, 0),
    ("cbor-indefinite", "array", b"\x9f\xff", 0),
    ("cbor-indefinite", "map", b"\x81\xbf\xff", 1),
    ("cbor-indefinite", "text", b"\x7f" + text(b"a") + b"\xff", 0),
    ("cbor-indefinite", "bytes", b"\x5f\x41\x00\xff", 0),
    ("cbor-key-order", "longer-first", b"\xa2" + text(b"aa") + b"\x00" + text(b"z") + b"\x01", 5),
    ("cbor-key-order", "greater-first", b"\xa2" + text(b"b") + b"\x00" + text(b"a") + b"\x01", 4),
    ("cbor-key-order", "as-json-orders", b"\xa3" + text(b"a") + b"\x00" + text(b"ab") + b"\x00" + text(b"b") + b"\x00", 8),
    ("cbor-duplicate-key", "twice", b"\xa2" + text(b"a") + b"\x00" + text(b"a") + b"\x00", 4),
    ("cbor-duplicate-key", "empty-twice", b"\xa2\x60\x00\x60\x00", 3),
    ("cbor-key-type", "integer", b"\xa1\x01\x02", 1),
    ("cbor-key-type", "bytes", b"\xa1\x41a\x02", 1),
    ("cbor-key-type", "null", b"\xa1\xf6\x02", 1),
    ("cbor-utf8", "lone-continuation", text(b"\x80"), 0),
    ("cbor-utf8", "overlong", b"\x81" + text(b"\xc0\xaf"), 1),
    ("cbor-utf8", "surrogate", text(b"\xed\xa0\x80"), 0),
    ("cbor-utf8", "beyond-the-last", text(b"\xf4\x90\x80\x80"), 0),
    ("cbor-utf8", "in-a-key", b"\xa1" + text(b"\xff") + b"\x00", 1),
    ("cbor-float", "16-bits", b"\xf9\x3e\x00", 0),
    ("cbor-float", "32-bits", b"\x81\xfa\x3f\xc0\x00\x00", 1),
    ("cbor-float", "not-a-number", b"\xfb\x7f\xf8" + bytes(6), 0),
    ("cbor-float", "infinity", b"\xfb\x7f\xf0" + bytes(6), 0),
    ("cbor-float", "minus-infinity", b"\xfb\xff\xf0" + bytes(6), 0),
    ("cbor-float", "zero-with-a-sign", b"\xfb\x80" + bytes(7), 0),
    ("cbor-integer", "two-to-63", b"\x1b\x80" + bytes(7), 0),
    ("cbor-integer", "largest-of-64-bits", b"\x81\x1b" + b"\xff" * 8, 1),
    ("cbor-integer", "below-the-least", b"\x3b\x80" + bytes(7), 0),
    ("cbor-simple", "undefined", b"\xf7", 0),
    ("cbor-simple", "number-16", b"\x81\xf0", 1),
    ("cbor-simple", "number-255", b"\xf8\xff", 0),
    ("cbor-tag", "date", b"\xc0" + text(b"2013-03-21"), 0),
    ("cbor-tag", "large-number", b"\xc2\x41\x01", 0),
    ("cbor-tag", "on-a-text", b"\xd8\x2a" + text(b"a"), 0),
    ("cbor-tag", "without-the-zero", tagged(LINK), 0),
    ("cbor-tag", "of-nothing", b"\x81\xd8\x2a\x40", 1),
    ("cbor-tag", "version-0", tagged(b"\0\x12\x20" + LINK[4:]), 0),
    ("cbor-tag", "another-codec", tagged(b"\0\x01\x70" + LINK[2:]), 0),
    ("cbor-tag", "another-hash", tagged(b"\0\x01\x71\x13\x20" + LINK[4:]), 0),
    ("cbor-tag", "digest-cut", tagged(b"\0" + LINK[:-1]), 0),
    ("cbor-depth", "33-arrays", b"\x81" * 32 + b"\x80", 32),
    ("cbor-depth", "33-maps", (b"\xa1" + text(b"a")) * 32 + b"\xa0", 96),
    ("cbor-depth", "100000-arrays", b"\x81" * 100_000, 32),
]


def make(root):
    folder = Folder(root, "cbor")
    for rule, case, content in VALID:
        raw = bytes([1, 0x71, 0x12, 0x20]) + hashlib.sha256(content).digest()
        name = f"valid/{rule}--{case}.cbor"
        folder.write(name, content)
        folder.row(name, "valid", "-", "-", "b" + base64.b32encode(raw).decode().lower().rstrip("="))
    for rule, case, content, offset in INVALID:
        name = f"invalid/{rule}--{case}.cbor"
        folder.write(name, content)
        folder.row(name, "invalid", rule, offset, "-")
    folder.finish("file", "verdict", "rule", "offset", "cid")
