"""receipt/, the bytes: the rules of CBOR, in the receipt itself and in the byte string of its payload."""

from .receipt_base import DID, PHONE, Fault, Inside, Link, Map, head, raw_cid, receipt, written


def nested(depth, innermost=()):
    """Arrays in arrays, so many in all."""
    value = innermost
    for _ in range(depth - 1):
        value = [value]
    return value


# Rule, case, a value that is accepted as a member `x`.
GOOD_VALUES = [
    ("cbor-length", "24-and-65536", [24, 65_536]),
    ("cbor-indefinite", "lengths-that-are-stated", [[], {}, "", b""]),
    ("cbor-key-order", "shorter-first-then-bytes", {"z": 0, "aa": 1, "ab": 2, "\uffffa": 3, "\U00010000": 4}),
    ("cbor-duplicate-key", "in-two-maps", [{"a": 0}, {"a": 0}]),
    ("cbor-duplicate-key", "composed-and-decomposed", {"\u00e9": 0, "e\u0301": 1}),
    ("cbor-key-type", "empty-text", {"": 0}),
    ("cbor-utf8", "nul-and-the-last-scalar", "\0\ufffe\U0010ffff"),
    ("cbor-float", "one-zero-and-the-smallest", [1.0, 0.0, 5e-324]),
    ("cbor-integer", "largest-and-least", [2**63 - 1, -(2**63)]),
    ("cbor-simple", "false-and-true", [False, True]),
    ("cbor-tag", "links", [Link(raw_cid(b"a link")), Link(raw_cid(b"a link", 0x55))]),
]
# Rule, case, what is written as the value of a member `x`.
BAD_VALUES = [
    ("cbor-syntax", "reserved-head", Fault(b"\x1c")),
    ("cbor-syntax", "break-alone", Fault(b"\xff")),
    ("cbor-length", "5-in-one-byte", Fault(b"\x18\x05")),
    ("cbor-length", "text-of-one-in-two-bytes", Fault(b"\x79\x00\x01a")),
    ("cbor-length", "map-of-none-in-one-byte", Fault(b"\xb8\x00")),
    ("cbor-indefinite", "array", Fault(b"\x9f\xff")),
    ("cbor-indefinite", "text", Fault(b"\x7f\x61a\xff")),
    ("cbor-indefinite", "bytes", Fault(b"\x5f\x41a\xff")),
    ("cbor-key-order", "longer-first", Map(("aa", 0), (Fault(b"\x61z"), 1))),
    ("cbor-key-order", "as-code-units-order", Map(("\U00010000", 0), (Fault(b"\x63\xef\xbf\xbf"), 1))),
    ("cbor-duplicate-key", "twice", Map(("a", 0), (Fault(b"\x61a"), 1))),
    ("cbor-key-type", "integer", Map((Fault(b"\x01"), 0))),
    ("cbor-key-type", "bytes", Map((Fault(b"\x41a"), 0))),
    ("cbor-utf8", "overlong", Fault(b"\x62\xc0\xaf")),
    ("cbor-utf8", "surrogate", Fault(b"\x63\xed\xa0\x80")),
    ("cbor-utf8", "in-a-key", Map((Fault(b"\x61\xff"), 0))),
    ("cbor-float", "16-bits", Fault(b"\xf9\x3e\x00")),
    ("cbor-float", "32-bits", Fault(b"\xfa\x3f\xc0\x00\x00")),
    ("cbor-float", "not-a-number", Fault(b"\xfb\x7f\xf8" + bytes(6))),
    ("cbor-float", "infinity", Fault(b"\xfb\x7f\xf0" + bytes(6))),
    ("cbor-float", "zero-with-a-sign", Fault(b"\xfb\x80" + bytes(7))),
    ("cbor-integer", "two-to-63", Fault(b"\x1b\x80" + bytes(7))),
    ("cbor-integer", "below-the-least", Fault(b"\x3b\x80" + bytes(7))),
    ("cbor-simple", "undefined", Fault(b"\xf7")),
    ("cbor-simple", "number-255", Fault(b"\xf8\xff")),
    ("cbor-tag", "date", Fault(b"\xc1\x00")),
    ("cbor-tag", "link-without-the-zero", Fault(b"\xd8\x2a\x58\x24" + raw_cid(b"a link"))),
    ("cbor-tag", "link-of-another-codec", Fault(b"\xd8\x2a\x58\x25\0" + raw_cid(b"a link", 0x70))),
]


def make(m):
    """The cbor rules: in the bytes of the receipt itself, and in those of the payload's byte string."""
    for rule, case, value in GOOD_VALUES:
        m.valid(rule, f"client-{case}", {"/payload/x": value})
        m.valid(rule, f"docs-{case}", {"/payload/x": value}, form="docs")
    for rule, case, value in BAD_VALUES:
        for place, form in (("client", "client"), ("docs", "docs")):
            content, fault = written(m.value({"/payload/x": value}, form))
            m.broken(rule, f"{place}-{case}", fault, content)
    m.valid("cbor-depth", "client-32-in-the-payload", {"/payload/x": nested(31)})
    m.valid("cbor-depth", "docs-32", {"/payload/x": nested(30)}, form="docs")
    m.valid("cbor-depth", "docs-32-of-maps-and-arrays", {"/payload/x": {"a": nested(28), "b": nested(29)}}, form="docs")
    for form, depth in (("client", 31), ("docs", 30)):
        content, fault = written(m.value({"/payload/x": nested(depth + 1, Fault(b"\x80"))}, form))
        m.broken("cbor-depth", f"{form}-33", fault, content)
    content, fault = written(m.value({"/x": nested(32, Fault(b"\xa0"))}))
    m.broken("cbor-depth", "client-33-in-the-envelope", fault, content)

    good, _ = written(m.value())
    m.valid("cbor-trailing", "client")
    m.valid("cbor-trailing", "docs", form="docs")
    m.valid("cbor-syntax", "client")
    m.valid("cbor-syntax", "docs", form="docs")
    m.broken("cbor-trailing", "second-value", len(good), good + b"\0")
    m.broken("cbor-trailing", "line-feed", len(good), good + b"\n")
    m.broken("cbor-syntax", "nothing", 0, b"")
    m.broken("cbor-syntax", "last-byte-cut", len(good) - 1, good[:-1])
    m.broken("cbor-syntax", "first-byte-alone", 1, good[:1])
    m.broken("cbor-syntax", "payload-longer-than-the-rest", 12, head(5, 1) + head(3, 7) + b"payload" + head(2, 256))
    inner, _ = written(receipt()["payload"])
    for rule, case, fault in [
            ("cbor-trailing", "payload-second-value", Fault(inner + b"\0", len(inner))),
            ("cbor-syntax", "payload-cut", Fault(inner[:-1], len(inner) - 1)),
            ("cbor-syntax", "payload-of-no-bytes", Fault(b"")),
            ("cbor-syntax", "payload-is-json", Fault(b'{"rating":5}', 12)),
            ("cbor-indefinite", "payload-map", Fault(b"\xbf" + inner[1:] + b"\xff")),
            ("cbor-key-order", "payload-longer-first", Map(*sorted_but_one(receipt()["payload"])))]:
        content, place = written(m.value({"/payload": Inside(fault)}))
        m.broken(rule, case, place, content)
    # Of a receipt whose own bytes are at fault nothing else is said; beside a fault in the payload's bytes the envelope is judged.
    for form, warn in (("client", ["did-unbound@/did"]), ("docs", [])):
        content, fault = written(m.value({"/did": PHONE, "/payload/x": Fault(b"\xfa\x3f\xc0\x00\x00")}, form))
        m.broken("cbor-float", f"{form}-32-bits-beside-an-unbound-did", fault, content, warn)
    envelope_keys(m)


def sorted_but_one(entries):
    """The entries of a map in their order, but for the shortest key, which comes last."""
    names = sorted(entries, key=lambda name: (len(name), name.encode()))
    last = names.pop(0)
    return [(name, entries[name]) for name in names] + [(Fault(head(3, len(last)) + last.encode()), entries[last])]


def envelope_keys(m):
    """Keys of the receipt itself that are out of order, twice or no text."""
    value = m.value()
    content, place = written(Map(*sorted_but_one(value)))
    m.broken("cbor-key-order", "envelope-did-last", place, content)
    entries = sorted(value.items(), key=lambda entry: (len(entry[0]), entry[0]))
    content, place = written(Map(entries[0], (Fault(b"\x63did"), DID), *entries[1:]))
    m.broken("cbor-duplicate-key", "envelope-did", place, content)
    content, place = written(Map((Fault(b"\x00"), 0), *entries))
    m.broken("cbor-key-type", "envelope-integer", place, content)
    content, place = written(Map((Fault(b"\x78\x03did"), DID), *entries[1:]))
    m.broken("cbor-length", "envelope-key", place, content)
    content, _ = written(value)
    m.broken("cbor-length", "envelope-map", 0, b"\xb8" + bytes([len(value)]) + content[1:])
    m.broken("cbor-indefinite", "envelope-map", 0, b"\xbf" + content[1:] + b"\xff")
    content, place = written({**value, "payload": Fault(b"\x5f\x41\xa0\xff")})
    m.broken("cbor-indefinite", "payload-in-pieces", place, content)
    content, place = written({**value, "payload": Fault(b"\x59\x00\x01\xa0")})
    m.broken("cbor-length", "payload-of-one-in-two-bytes", place, content)
    m.broken("cbor-tag", "says-that-it-is-cbor", 0, head(6, 55_799) + written(value)[0])
