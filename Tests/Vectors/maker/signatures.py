"""sign/: one id arrives twice with other signatures; which one a store must hold afterwards."""

import hashlib

from nacl.bindings import crypto_scalarmult_ed25519_base_noclamp

from .common import ADA, BEN, REMOVE, Folder, body_of, canonical, edit, id_of, seal
from .node_base import base

ORDER = 2**252 + 27742317777372353535851937790883648493


def signature_with_nonce(person, message, nonce):
    """A good Ed25519 signature that the usual, deterministic rule for the nonce does not give."""
    digest = hashlib.sha512(person.secret.encode()).digest()
    secret = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    r = int.from_bytes(hashlib.sha512(b"nonce %d" % nonce + message).digest(), "little") % ORDER
    point = crypto_scalarmult_ed25519_base_noclamp(r.to_bytes(32, "little"))
    h = int.from_bytes(hashlib.sha512(point + bytes.fromhex(person.public) + message).digest(), "little") % ORDER
    return (point + ((r + h * secret) % ORDER).to_bytes(32, "little")).hex()


class Signer:
    """The signatures that one unsigned node can have."""

    def __init__(self, person, node):
        self.person, self.node = person, node
        self.body = canonical(body_of(node))
        self.digest = hashlib.sha256(self.body).digest()

    def good(self, form="body", below=None, above=None):
        """A good signature, where asked for smaller or larger than another."""
        message = self.body if form == "body" else self.digest
        nonce, signature = 0, self.person.sign(message)
        while (below and not signature < below) or (above and not signature > above):
            nonce, signature = nonce + 1, signature_with_nonce(self.person, message, nonce)
        return signature

    def line(self, signature):
        node = {**self.node, "id": id_of(self.node)}
        return canonical({**node, "signature": signature} if signature else node) + b"\n"


def make(root):
    folder = Folder(root, "sign")

    def node(person, number, key):
        changes = {"/author": person.author(), "/taskId": f"00000000-0000-4000-8000-{number:012x}", "/data/fields/title": f"Signature {number}"}
        return edit(edit(base("CREATE"), changes), {} if key else {"/author/publicKey": REMOVE})

    introduction = seal(edit(base("CREATE"), {"/author": BEN.author()}), BEN)
    introduces = canonical(introduction) + b"\n"
    twin = edit(base("CREATE"), {"/author": BEN.author(), "/author/publicKey": BEN.user + "5a" * 16})
    introduces_twin = canonical(seal(twin, form=None)) + b"\n"
    keyed = [Signer(ADA, node(ADA, number, key=True)) for number in range(1, 40)]
    keyless = [Signer(BEN, node(BEN, number, key=False)) for number in range(40, 80)]

    def pair(name, signer, first, second, outcome, final, before_first=b"", before_second=b""):
        names = [f"{name}.first.ndjson", f"{name}.second.ndjson"]
        folder.write(names[0], before_first + signer.line(first))
        folder.write(names[1], before_second + signer.line(second))
        folder.row(*names, outcome, final or "-", id_of(signer.node))

    keyed, keyless = iter(keyed), iter(keyless)

    # stored: none
    pair("none-none", next(keyed), None, None, "same", None)
    s = next(keyless)
    pair("none-unknown", s, None, s.good(), "taken", s.good())
    s = next(keyed)
    pair("none-good", s, None, s.good(), "upgraded", s.good())
    s = next(keyed)
    pair("none-good-digest", s, None, s.good("digest"), "upgraded", s.good("digest"))
    s = next(keyless)
    pair("none-good-key-comes-along", s, None, s.good(), "upgraded", s.good(), before_second=introduces)
    s = next(keyed)
    pair("none-bad", s, None, BEN.sign(s.body), "refused", None)

    # stored: key unknown; what is stored may be anything at all
    s = next(keyless)
    pair("unknown-none", s, s.good(), None, "kept", s.good())
    s = next(keyless)
    pair("unknown-unknown-equal", s, s.good(), s.good(), "same", s.good())
    s = next(keyless)
    pair("unknown-unknown-larger", s, "00" * 64, "ff" * 64, "kept", "00" * 64)
    s = next(keyless)
    pair("unknown-unknown-smaller", s, "ff" * 64, "00" * 64, "taken", "00" * 64)
    s = next(keyless)
    last = s.good()[:-1] + format(int(s.good()[-1], 16) + 1 & 15, "x")
    low, high = sorted([s.good(), last])
    pair("unknown-unknown-last-digit", s, high, low, "taken", low)
    s = next(keyless)
    pair("unknown-good-below", s, "ff" * 64, s.good(), "upgraded", s.good(), before_second=introduces)
    s = next(keyless)
    pair("unknown-good-above", s, "00" * 64, s.good(), "upgraded", s.good(), before_second=introduces)
    s = next(keyless)
    pair("unknown-good-digest", s, "00" * 64, s.good("digest"), "upgraded", s.good("digest"), before_second=introduces)
    s = next(keyless)
    pair("unknown-good-equal", s, s.good(), s.good(), "same", s.good(), before_second=introduces)

    # stored: good
    s = next(keyed)
    pair("good-none", s, s.good(), None, "kept", s.good())
    s = next(keyless)
    pair("good-none-without-key", s, s.good(), None, "kept", s.good(), before_first=introduces)
    s = next(keyless)
    pair("good-unknown", s, s.good(), "ff" * 64, "kept", s.good(), before_first=introduces, before_second=introduces_twin)
    s = next(keyed)
    pair("good-good-equal", s, s.good(), s.good(), "same", s.good())
    s = next(keyed)
    pair("good-good-equal-digest", s, s.good("digest"), s.good("digest"), "same", s.good("digest"))
    for name in ("below", "above"):
        # The body form wins against the digest form, whichever of the two has the smaller bytes.
        s = next(keyed)
        body = s.good()
        digest = s.good("digest", **{"below" if name == "below" else "above": body})
        pair(f"good-body-good-digest-{name}", s, body, digest, "kept", body)
        s = next(keyed)
        body = s.good()
        digest = s.good("digest", **{"below" if name == "below" else "above": body})
        pair(f"good-digest-{name}-good-body", s, digest, body, "taken", body)
    for form in ("body", "digest"):
        s = next(keyed)
        small, large = sorted([s.good(form), s.good(form, above=s.good(form))])
        pair(f"good-good-{form}-larger", s, small, large, "kept", small)
        s = next(keyed)
        small, large = sorted([s.good(form), s.good(form, below=s.good(form))])
        pair(f"good-good-{form}-smaller", s, large, small, "taken", small)
    s = next(keyed)
    pair("good-bad", s, s.good(), "00" * 64, "refused", s.good())
    s = next(keyless)
    pair("good-bad-without-key", s, s.good(), "00" * 64, "refused", s.good(), before_first=introduces)
    folder.finish("first", "second", "outcome", "signature", "id")
