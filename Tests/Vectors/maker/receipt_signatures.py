"""receipt/SIGNED.tsv: what is said of signatures on the valid receipts, under the key of their device."""

import base64
import hashlib

from nacl.bindings import crypto_core_ed25519_is_valid_point

from .receipt_base import ADA, BEN, cid_text, key_of, raw_cid, zero_person
from .signatures import ORDER, signature_with_nonce


def make(m):
    """SIGNED.tsv: signatures and keys for some of the valid files."""
    zero = zero_person()

    def row(case, rule_case, signature, key, *verdict):
        name = f"valid/{rule_case}.cbor"
        cells = [base64.b64encode(signature).decode() if signature is not None else "-", key.hex() if key is not None else "-"]
        m.folder.row(name, cells[1], cells[0], *verdict, case)

    def content(rule_case):
        return m.contents[f"valid/{rule_case}.cbor"]

    def sign(person, message):
        return bytes.fromhex(person.sign(message))

    good, missing, unknown = ("G", "-", "-"), ("N", "signature-missing", "/signature"), ("E", "key-unknown", "/signature")
    bad, mismatch = ("B", "signature-bad", "/signature"), ("B", "did-key-mismatch", "/did")
    ada, ben = key_of(ADA), key_of(BEN)
    client, docs, phone, local = "receipt-form--client", "receipt-form--docs", "did-form--phone", "did-unbound--local"
    for name in (client, docs, phone, local, "did-form--docs-phone", "did-unbound--docs-local", "did-unbound--19-bytes", "did-unbound--21-bytes",
                 "did-unbound--other-method", "receipt-root-form--client-with-parent", "receipt-root-form--docs-with-parent", "receipt-size--client-65536-bytes",
                 "receipt-precise--location-client-every-member", "payload-range--client-rating-6", "receipt-type-unknown--client-of-others"):
        row("good", name, sign(ADA, content(name)), ada, *good)
    row("good-of-a-key-with-a-leading-zero", "did-unbound--bound-leading-zero", sign(zero, content("did-unbound--bound-leading-zero")), key_of(zero), *good)
    for name in (client, docs):
        row("good-with-another-nonce", name, bytes.fromhex(signature_with_nonce(ADA, content(name), 1)), ada, *good)
    for name in (client, phone):
        text = content(name)
        row("unsigned", name, None, ada, *missing)
        row("unsigned-and-no-key", name, None, None, *missing)
        row("no-key", name, sign(ADA, text), None, *unknown)
        row("no-key-and-bad", name, bytes(64), None, *unknown)
        signature = sign(ADA, text)
        flipped = lambda at: signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1:]
        wrong = [("first-bit", flipped(0)), ("bit-of-s", flipped(32)), ("last-bit-of-s", flipped(62)), ("of-another-receipt", sign(ADA, content(docs))),
                 ("over-the-digest", sign(ADA, hashlib.sha256(text).digest())), ("over-the-cid", sign(ADA, cid_text(raw_cid(text)).encode())),
                 ("over-the-raw-cid", sign(ADA, raw_cid(text))), ("over-nothing", sign(ADA, b"")), ("all-zero", bytes(64)),
                 ("halves-swapped", signature[32:] + signature[:32]),
                 ("s-plus-order", signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")),
                 ("of-another-key", sign(BEN, text))]
        for case, value in wrong:
            row(case, name, value, ada, *bad)
        row("r-of-small-order", name, *r_of_small_order(text), *bad)
    row("unsigned-and-another-key", client, None, ben, *missing)
    row("another-key-good", client, sign(BEN, content(client)), ben, *mismatch)
    row("another-key-bad", client, sign(ADA, content(client)), ben, *mismatch)
    row("another-key-good", docs, sign(BEN, content(docs)), ben, *mismatch)
    row("key-of-20-ones", "did-unbound--bound-20-ones", sign(ADA, content("did-unbound--bound-20-ones")), ada, *mismatch)
    row("key-that-begins-alike", client, sign(ADA, content(client)), alike(ada), *bad)
    row("another-key-good", phone, sign(BEN, content(phone)), ben, *good)
    row("another-key-bad", phone, sign(ADA, content(phone)), ben, *bad)
    for case, signature, key in keys_of_small_order(content(phone)):
        row(case, phone, signature, key, *bad)
    m.folder.finish("file", "key", "signature", "letter", "rule", "place", "case", table="SIGNED.tsv")


IDENTITY = b"\x01" + bytes(31)


def challenge(r, key, message):
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % ORDER


def r_of_small_order(message):
    """S = h * a, so that S * B = h * A and R may be the identity."""
    secret = int.from_bytes(hashlib.sha512(ADA.secret.encode()).digest()[:32], "little") & (2**254 - 8) | 2**254
    s = challenge(IDENTITY, key_of(ADA), message) * secret % ORDER
    return IDENTITY + s.to_bytes(32, "little"), key_of(ADA)


def keys_of_small_order(message):
    """Signatures that hold by arithmetic alone, because the key is a point of small order."""
    yield "key-is-the-identity", IDENTITY + bytes(32), IDENTITY
    two = (2**255 - 20).to_bytes(32, "little")  # y = -1: twice it is the identity
    r = next((r for r in (IDENTITY, two) if challenge(r, two, message) % 2 == (r == two)), IDENTITY)
    yield "key-of-order-two", r + bytes(32), two
    yield "key-not-canonical", IDENTITY + bytes(32), (2**255 - 18).to_bytes(32, "little")


def alike(key):
    """Another point whose first 20 bytes are those of a key."""
    for number in range(1000):
        other = key[:20] + hashlib.sha256(b"%d" % number).digest()[:12]
        if crypto_core_ed25519_is_valid_point(other):
            return other
    raise ValueError("no point begins like this key")
