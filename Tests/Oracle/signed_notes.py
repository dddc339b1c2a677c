"""Checkpoints and proofs, for check_proof.py: signed notes of C2SP, Merkle trees of RFC 9162.

Everything is read strictly; `Fault` tells the line.
"""

import base64
import binascii
import hashlib
import re
import sys

sys.dont_write_bytecode = True

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from node_rules import time_form

NOTE_LIMIT = 262_144
PROOF_LIMIT = (1_048_576 + 1024) * 4 // 3 + NOTE_LIMIT + 16_384
NUMBER = re.compile(r"0|[1-9][0-9]*", re.ASCII)
HEX64 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Fault(Exception):
    """A line that is not what it must be."""

    def __init__(self, line, text):
        super().__init__(f"line {line}: {text}")
        self.line = line


def lines_of(data, first=1, limit=PROOF_LIMIT):
    """The lines of a text that has no control characters and ends in a line feed."""
    if not data or len(data) > limit:
        raise Fault(first, "too long, or nothing")
    parts = data.split(b"\n")
    lines = []
    for number, part in enumerate(parts, first):
        last = number == first + len(parts) - 1
        if any(byte < 0x20 for byte in part):
            raise Fault(number, "a control character")
        if last:
            if part:
                raise Fault(number, "no line feed at the end")
            return lines
        try:
            lines.append(part.decode())
        except UnicodeDecodeError as error:
            raise Fault(number, "not UTF-8") from error
    return lines


def from_base64(text):
    """Bytes, or None unless the text is exactly what they are written as."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def number(text, line):
    if not NUMBER.fullmatch(text) or int(text) >= 2**63:
        raise Fault(line, "not a number")
    return int(text)


def hash_of_line(text, line):
    data = from_base64(text)
    if data is None or len(data) != 32:
        raise Fault(line, "not the Base64 of 32 bytes")
    return data


def key_id(key):
    """The four bytes before a signature, by a key whose name are its hex digits."""
    return hashlib.sha256(key.encode() + b"\n\x01" + bytes.fromhex(key)).digest()[:4]


class Checkpoint:
    """A note with seven lines of text, and two for each kind that is stated, of which the signatures hold."""

    def __init__(self, data, first=1):
        lines = lines_of(data, first, NOTE_LIMIT)
        if "" not in lines:
            raise Fault(first + len(lines) - 1, "no empty line")
        gap = len(lines) - 1 - lines[::-1].index("")
        text, signed = lines[:gap], lines[gap + 1:]
        if not text or not signed:
            raise Fault(first + gap, "no text, or no signature")
        parts = [self.signature(line, number) for number, line in enumerate(signed, first + gap + 1)]
        self.data, self.id = data, "sha256:" + hashlib.sha256(data).hexdigest()
        self.read(text, first)
        message = "".join(line + "\n" for line in text).encode()
        self.keys = []
        for line, name, identifier, signature in parts:
            if not HEX64.fullmatch(name) or identifier != key_id(name):
                continue
            try:
                if len(signature) != 64:
                    raise BadSignatureError
                VerifyKey(bytes.fromhex(name)).verify(message, signature)
            except (BadSignatureError, ValueError) as error:
                raise Fault(line, "the signature does not hold") from error
            self.keys.append(name)
        if not self.keys:
            raise Fault(parts[0][0], "nobody has signed whose key is known")

    @staticmethod
    def signature(line, number):
        parts = line.removeprefix("\u2014 ").split(" ")
        if not line.startswith("\u2014 ") or len(parts) != 2:
            raise Fault(number, "not a signature line")
        name, data = parts[0], from_base64(parts[1])
        if not name or "+" in name or any(c.isspace() and ord(c) > 0x1F for c in name):
            raise Fault(number, "not a key name")
        if data is None or len(data) < 5:
            raise Fault(number, "not a signature")
        return number, name, data[:4], data[4:]

    def read(self, text, first):
        patterns = [
            r"redo/([0-9a-f]{32})", r"(0|[1-9][0-9]*)", r"(.*)", r"entry (0|[1-9][0-9]*) ([0-9a-f]{64})",
            r"refs (0|[1-9][0-9]*) ([0-9a-f]{64})", r"previous (-|sha256:[0-9a-f]{64})", r"time (.*)",
        ]
        found = []
        for index, pattern in enumerate(patterns):
            match = re.fullmatch(pattern, text[index], re.ASCII) if index < len(text) else None
            if not match:
                raise Fault(first + index, "not the line that a checkpoint has here")
            found.append(match.groups())
            if index == 1:
                number(match[1], first + 1)
            elif index == 2:
                self.root = hash_of_line(match[1], first + 2)
            elif index in (3, 4):
                number(match[1], first + index)
            elif index == 6 and time_form(match[1]) != "full":
                raise Fault(first + 6, "not a time")
        self.statements = {}
        for index in range(len(patterns), len(text), 2):
            objects = self.statement("objects", text, index, first)
            heads = self.statement("heads", text, index + 1, first)
            if self.statements and objects[0] <= max(self.statements):
                raise Fault(first + index, "a kind out of order")
            if heads[0] != objects[0] or heads[1] > objects[1] or (heads[1] == 0) != (objects[1] == 0):
                raise Fault(first + index + 1, "heads that these objects cannot have")
            self.statements[objects[0]] = (objects[1:], heads[1:])
        self.origin, self.size = text[0], int(found[1][0])

    @staticmethod
    def statement(name, text, index, first):
        pattern = name + r" ([a-z]+) (0|[1-9][0-9]*) ([0-9a-f]{64})"
        match = re.fullmatch(pattern, text[index], re.ASCII) if index < len(text) else None
        if not match:
            raise Fault(first + index, f"not the line '{name}'")
        return match[1], number(match[2], first + index), match[3]


def statement_of(nodes):
    """What a checkpoint states of nodes: (count, hash) of the ids, and of those that no other one names as a parent."""
    ids = {node["id"] for node in nodes}
    heads = ids - {parent for node in nodes for parent in node["parents"]}
    hashed = lambda some: hashlib.sha256("".join(f"{i}\n" for i in sorted(some)).encode()).hexdigest()
    return (len(ids), hashed(ids)), (len(heads), hashed(heads))


# RFC 9162


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def pair_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def is_included(leaf, index, size, root, path):
    """Section 2.1.3.2."""
    if index >= size:
        return False
    fn, sn, r = index, size - 1, leaf
    for p in path:
        if sn == 0:
            return False
        if fn % 2 == 1 or fn == sn:
            r = pair_hash(p, r)
            while fn % 2 == 0 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = pair_hash(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == root


def is_consistent(first, first_root, second, second_root, path):
    """Section 2.1.4.2, and the cases that it leaves to the reader."""
    empty = hashlib.sha256().digest()
    if first > second:
        return False
    if first == second:
        return not path and first_root == second_root and (first > 0 or first_root == empty)
    if first == 0:
        return not path and first_root == empty
    if not path:
        return False
    if first & (first - 1) == 0:
        path = [first_root, *path]
    fn, sn = first - 1, second - 1
    while fn % 2 == 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            return False
        if fn % 2 == 1 or fn == sn:
            fr, sr = pair_hash(c, fr), pair_hash(c, sr)
            while fn % 2 == 0 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = pair_hash(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == first_root and sr == second_root
