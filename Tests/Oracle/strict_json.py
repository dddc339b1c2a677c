"""A strict JSON reader for the oracles: every refusal has a rule id and a byte offset.

Numbers become floats, names are compared code point by code point, nothing recurses.
"""

import re
from decimal import Decimal

import rfc8785

MAX_DEPTH = 512
SPACE = re.compile(rb"[ \t\n\r]*")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
LITERALS = {b"t": (b"true", True), b"f": (b"false", False), b"n": (b"null", None)}
ESCAPES = {b'"': '"', b"\\": "\\", b"/": "/", b"b": "\b", b"f": "\f", b"n": "\n", b"r": "\r", b"t": "\t"}
HEX = b"0123456789abcdefABCDEF"


class Refused(Exception):
    """The text is not accepted: which rule, and where."""

    def __init__(self, rule, offset):
        super().__init__(f"{rule} at {offset}")
        self.rule, self.offset = rule, offset


def number_text(value):
    """The RFC 8785 text of a float."""
    return rfc8785.dumps(value).decode()


def is_integer(value):
    """Whether a value is a number whose RFC 8785 text has only digits and a sign."""
    return type(value) is float and number_text(value).lstrip("-").isdigit()


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def fail(self, rule="json-syntax", offset=None):
        raise Refused(rule, self.at if offset is None else offset)

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()
        return self.data[self.at : self.at + 1]

    def fail_here(self):
        """A byte that fits nowhere outside a string: ill-formed UTF-8, or plain syntax."""
        try:
            self.data[self.at : self.at + 4].decode()
        except UnicodeDecodeError as error:
            if error.start == 0:
                self.fail("json-utf8")
        self.fail()

    def expect(self, text):
        for byte in text:
            if self.data[self.at : self.at + 1] != bytes([byte]):
                self.fail_here()
            self.at += 1

    def unit(self):
        """The four digits of a Unicode escape."""
        digits = self.data[self.at : self.at + 4]
        for byte in digits:
            if byte not in HEX:
                self.fail()
            self.at += 1
        if len(digits) < 4:
            self.fail()
        return int(digits, 16)

    def string(self):
        self.expect(b'"')
        parts = []
        while True:
            end = PLAIN.match(self.data, self.at).end()
            chunk = self.data[self.at : end]
            try:
                parts.append(chunk.decode())
            except UnicodeDecodeError as error:
                wrong = error.start if error.reason == "invalid start byte" else error.end
                self.fail("json-utf8", self.at + wrong)
            self.at = end
            mark = self.data[end : end + 1]
            if mark == b'"':
                self.at += 1
                return "".join(parts)
            if mark != b"\\":
                self.fail()
            start = self.at
            self.at += 1
            kind = self.data[self.at : self.at + 1]
            if kind in ESCAPES and kind:
                self.at += 1
                parts.append(ESCAPES[kind])
                continue
            if kind != b"u":
                self.fail()
            self.at += 1
            unit = self.unit()
            if 0xDC00 <= unit <= 0xDFFF:
                self.fail("json-surrogate", start)
            if 0xD800 <= unit <= 0xDBFF:
                if self.data[self.at : self.at + 2] != b"\\u":
                    self.fail("json-surrogate", start)
                self.at += 2
                low = self.unit()
                if not 0xDC00 <= low <= 0xDFFF:
                    self.fail("json-surrogate", start)
                unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
            parts.append(chr(unit))

    def number(self):
        start = self.at
        match = NUMBER.match(self.data, start)
        if not match:
            self.at += 1  # a minus sign without a digit
            self.fail_here()
        text = match.group().decode()
        self.at = match.end()
        rest = self.data[self.at : self.at + 2]
        has_exponent = "e" in text.lower()
        if text in ("0", "-0") and rest[:1].isdigit():
            self.fail()  # a digit behind a leading zero belongs to the number
        if rest[:1] == b"." and "." not in text and not has_exponent:
            self.at += 1
            self.fail_here()
        if rest[:1] in (b"e", b"E") and not has_exponent:
            self.at += 2 if rest[1:] in (b"+", b"-") else 1
            self.fail_here()
        value = float(text)
        if value in (float("inf"), float("-inf")):
            self.fail("json-number-overflow", start)
        if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
            self.fail("json-number-underflow", start)
        if text.lstrip("-").isdigit() and len(text) > 15 and Decimal(text) != Decimal(number_text(value)):
            self.fail("json-number-precision", start)
        return value

    def name(self, names):
        start = self.at
        name = self.string()
        if name in names:
            self.fail("json-duplicate-name", start)
        if self.space() != b":":
            self.fail_here()
        self.at += 1
        return name

    def value(self):
        stack = []  # containers that are open: (container, name of the open member)
        while True:
            mark = self.space()
            if mark in (b"[", b"{") and mark:
                if len(stack) == MAX_DEPTH:
                    self.fail("json-depth")
                self.at += 1
                container = [] if mark == b"[" else {}
                closer = b"]" if mark == b"[" else b"}"
                if self.space() != closer:
                    stack.append((container, self.name(container) if mark == b"{" else None))
                    continue
                self.at += 1
                value = container
            elif mark == b'"':
                value = self.string()
            elif mark in LITERALS:
                text, value = LITERALS[mark]
                self.expect(text)
            elif mark and mark in b"-0123456789":
                value = self.number()
            else:
                self.fail_here()
            while stack:
                container, name = stack.pop()
                if type(container) is dict:
                    container[name] = value
                else:
                    container.append(value)
                mark = self.space()
                if mark == b",":
                    self.at += 1
                    if type(container) is dict:
                        if self.space() != b'"':
                            self.fail_here()
                        name = self.name(container)
                    stack.append((container, name))
                    break
                if mark != (b"}" if type(container) is dict else b"]"):
                    self.fail_here()
                self.at += 1
                value = container
            else:
                return value


def parse(data):
    """The value of a whole text, or `Refused`."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise Refused("json-bom", 0)
    reader = _Reader(data)
    value = reader.value()
    if reader.space():
        reader.fail("json-trailing")
    return value


def canonical(value):
    """The RFC 8785 form of a parsed value."""
    return rfc8785.dumps(value)
