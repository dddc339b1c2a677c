"""checkpoint/: signed notes with one defect each, and proofs that hold or do not."""

import base64
import hashlib

from .common import ADA, BEN, CLEO, Folder, canonical, edit, name_id, seal
from . import receipt_base
from .node_base import base

ORIGIN = "redo/000102030405060708090a0b0c0d0e0f"
TIME = "2025-03-01T08:00:00.000Z"
ZERO = "0" * 64
DASH = "\u2014 "


def b64(data):
    return base64.b64encode(data).decode()


def sha(data):
    return hashlib.sha256(data).digest()


# RFC 6962, section 2.1, by recursion


def half(count):
    power = 1
    while power * 2 < count:
        power *= 2
    return power


def root_of(leaves):
    if not leaves:
        return sha(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = half(len(leaves))
    return sha(b"\1" + root_of(leaves[:k]) + root_of(leaves[k:]))


def path_of(m, leaves):
    if len(leaves) == 1:
        return []
    k = half(len(leaves))
    return path_of(m, leaves[:k]) + [root_of(leaves[k:])] if m < k else path_of(m - k, leaves[k:]) + [root_of(leaves[:k])]


def consistency_of(m, leaves, whole=True):
    if m == len(leaves):
        return [] if whole else [root_of(leaves)]
    k = half(len(leaves))
    if m <= k:
        return consistency_of(m, leaves[:k], whole) + [root_of(leaves[k:])]
    return consistency_of(m - k, leaves[k:], False) + [root_of(leaves[:k])]


# notes


def text_of(size=0, root=None, previous="-", origin=ORIGIN, entry=0, refs=0, time=TIME):
    return [
        origin, str(size), b64(root if root is not None else root_of([])), f"entry {entry} {sha(b'chain').hex() if entry else ZERO}",
        f"refs {refs} {sha(b'refs' if refs else b'').hex()}", f"previous {previous}", f"time {time}",
    ]


def key_id(name, kind, public):
    return sha(name.encode() + b"\n" + bytes([kind]) + bytes.fromhex(public))[:4]


def signature(person, message, damage=lambda data: data):
    return DASH + person.public + " " + b64(key_id(person.public, 1, person.public) + damage(bytes.fromhex(person.sign(message))))


def note(lines, *signed, by=ADA):
    message = "".join(line + "\n" for line in lines).encode()
    return message + b"\n" + "".join(line + "\n" for line in (signed or [signature(by, message)])).encode()


def message_of(lines):
    return "".join(line + "\n" for line in lines).encode()


def notes(folder):
    def valid(name, data, size, person=ADA):
        folder.write(f"valid/{name}.note", data)
        folder.row(f"valid/{name}.note", "valid", "-", "sha256:" + sha(data).hex(), person.public, ORIGIN, size)

    def invalid(name, data, line):
        folder.write(f"invalid/{name}.note", data)
        folder.row(f"invalid/{name}.note", "invalid", line, "sha256:" + sha(data).hex(), "-", "-", "-")

    good = text_of(5, sha(b"root"), name_id("before"), entry=9, refs=3)
    message = message_of(good)
    own = signature(ADA, message)
    witness = DASH + "witness.example/w1 " + b64(key_id("witness.example/w1", 4, CLEO.public) + bytes(8) + bytes(64))
    valid("empty-log", note(text_of()), 0)
    valid("usual", note(good), 5)
    valid("largest", note(text_of(2**63 - 1, sha(b"root"), entry=2**63 - 1, refs=2**63 - 1)), 2**63 - 1)
    valid("witness-behind", note(good, own, witness), 5)
    valid("witness-before", note(good, witness, own), 5)
    valid("witnesses", note(good, *[f"{DASH}w{n}.example " + b64(bytes([n] * 4000)) for n in range(16)], own), 5)
    valid("two-keys", note(good, signature(BEN, message), own), 5, BEN)
    # A key ID of another algorithm: unknown, although the name is that of a key.
    valid("other-algorithm", note(good, DASH + BEN.public + " " + b64(key_id(BEN.public, 4, BEN.public) + bytes(72)), own), 5)
    valid("same-twice", note(good, own, own), 5)

    def stated(kind, count, heads):
        return [f"objects {kind} {count} {sha(b'ids').hex()}", f"heads {kind} {heads} {sha(b'heads').hex()}"]

    nodes = stated("node", 5, 2)
    valid("objects", note(good + nodes), 5)
    valid("objects-none", note(good + stated("node", 0, 0)), 5)
    valid("objects-all-heads", note(good + stated("node", 5, 5)), 5)
    valid("objects-of-kinds", note(good + stated("blob", 1, 1) + nodes + stated("zebra", 2**63 - 1, 1)), 5)
    for name, more, line in [
        ("objects-alone", nodes[:1], 9),
        ("heads-alone", nodes[1:], 8),
        ("heads-before-objects", nodes[::-1], 8),
        ("heads-of-another-kind", [nodes[0], stated("blob", 5, 2)[1]], 9),
        ("heads-more-than-objects", stated("node", 5, 6), 9),
        ("heads-of-nothing", stated("node", 0, 1), 9),
        ("heads-none-of-some", stated("node", 5, 0), 9),
        ("kinds-out-of-order", nodes + stated("blob", 1, 1), 10),
        ("kinds-twice", nodes + nodes, 10),
        ("kind-case", [nodes[0].replace("node", "Node"), nodes[1]], 8),
        ("kind-empty", ["objects  5 " + ZERO, nodes[1]], 8),
        ("objects-zeros", [nodes[0].replace(" 5 ", " 05 "), nodes[1]], 8),
        ("objects-large", [nodes[0].replace(" 5 ", f" {2**63} "), nodes[1]], 8),
        ("objects-case", ["objects node 5 " + "AB" * 32, nodes[1]], 8),
        ("objects-short", ["objects node 5 " + ZERO[1:], nodes[1]], 8),
        ("objects-more", [*nodes, "note more"], 10),
    ]:
        invalid(name, note(good + more), line)

    def other(index, line):
        return note(good[:index] + [line] + good[index + 1:])

    for name, index, line in [
        ("origin-prefix", 0, "todo/" + ORIGIN[5:]),
        ("origin-case", 0, ORIGIN.upper().replace("REDO", "redo")),
        ("origin-short", 0, ORIGIN[:-1]),
        ("origin-space", 0, ORIGIN + " "),
        ("size-zeros", 1, "05"),
        ("size-sign", 1, "+5"),
        ("size-large", 1, str(2**63)),
        ("size-word", 1, "five"),
        ("root-short", 2, b64(sha(b"root")[:31])),
        ("root-long", 2, b64(sha(b"root") + b"\0")),
        ("root-unpadded", 2, b64(sha(b"root")).rstrip("=")),
        ("root-bits", 2, b64(sha(b"root"))[:-2] + "B="),
        ("root-url", 2, base64.urlsafe_b64encode(bytes([255] * 32)).decode()),
        ("entry-name", 3, "change 9 " + ZERO),
        ("entry-spaces", 3, "entry  9 " + ZERO),
        ("entry-zeros", 3, "entry 09 " + ZERO),
        ("entry-case", 3, "entry 9 " + "AB" * 32),
        ("entry-short", 3, "entry 9 " + ZERO[1:]),
        ("refs-lacking", 4, "refs 3"),
        ("refs-more", 4, "refs 3 " + ZERO + " 4"),
        ("previous-prefix", 5, "previous " + ZERO),
        ("previous-dash", 5, "previous --"),
        ("previous-none", 5, "previous"),
        ("time-fraction", 6, "time 2025-03-01T08:00:00Z"),
        ("time-zone", 6, "time 2025-03-01T08:00:00.000+00:00"),
        ("time-february", 6, "time 2025-02-29T08:00:00.000Z"),
    ]:
        invalid(name, other(index, line), index + 1)
    invalid("line-lacking", note(good[:-1]), 7)
    invalid("line-more", note([*good, "note more"]), 8)
    invalid("line-order", note([*good[:4], good[5], good[4], good[6]]), 5)
    invalid("empty-line-inside", note([*good[:3], "", *good[3:]]), 4)
    invalid("no-empty-line", message + own.encode() + b"\n", 8)
    invalid("no-text", b"\n" + own.encode() + b"\n", 1)
    invalid("no-signature", message + b"\n", 8)
    invalid("no-end", note(good)[:-1], 9)
    invalid("carriage-returns", note(good).replace(b"\n", b"\r\n"), 1)
    invalid("tab", note(good, own.replace(" ", "\t")), 9)
    invalid("not-utf8", note(good, own, witness).replace(b"witness", b"witn\xffss"), 10)
    invalid("hyphen", note(good, own.replace("\u2014", "-")), 9)
    invalid("two-spaces", note(good, own.replace(" ", "  ")), 9)
    invalid("name-plus", note(good, own, witness.replace("/w1", "+w1")), 10)
    invalid("name-space", note(good, own, witness.replace("/w1", "\u00a0w1")), 10)
    invalid("signature-base64", note(good, own[:-1] + "*"), 9)
    invalid("signature-short", note(good, own, DASH + "w.example " + b64(bytes(4))), 10)
    invalid("signature-wrong", note(good, signature(ADA, message, lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:])), 9)
    invalid("signature-63", note(good, signature(ADA, message, lambda data: data[:63])), 9)
    invalid("signature-65", note(good, signature(ADA, message, lambda data: data + b"\0")), 9)
    invalid("signature-elsewhere", note(good, signature(ADA, message + b"\n")), 9)
    invalid("signature-identity", note(good, signature(ADA, message, lambda data: bytes([1]) + bytes(63))), 9)
    invalid("second-signature-wrong", note(good, own, signature(BEN, b"else\n")), 10)
    invalid("nobody-known", note(good, witness), 9)
    invalid("key-id", note(good, DASH + ADA.public + " " + b64(bytes(4) + bytes.fromhex(ADA.sign(message)))), 9)
    small = "01" + "00" * 31  # the identity: with R = identity and S = 0 the equation holds
    invalid("key-identity", note(good, DASH + small + " " + b64(key_id(small, 1, small) + bytes([1]) + bytes(63))), 9)
    invalid("nothing", b"", 1)
    folder.finish("file", "verdict", "line", "id", "key", "origin", "size")


# proofs


def proofs(folder):
    nodes, times = [], []
    for index in range(8):
        node = base("CREATE")
        node["data"]["fields"]["title"] = f"entry {index}"
        nodes.append(seal(node))
        times.append(1_740_816_000_000 + 1000 * index)
    nodes[5] = seal(edit(nodes[5], {"/author": {"userId": ADA.user, "deviceId": ADA.device}}))
    nodes[6] = seal(nodes[6], form=None)
    leaves = [leaf(node, time) for node, time in zip(nodes, times)]

    def checkpoint(size, by=ADA, **more):
        return note(text_of(size, root_of(leaves[:size]), **more), by=by)

    def proof(index, size, node=None, time=None, path=None, key=None, place=None, end=None):
        value = {"node": node or nodes[index], "received": times[index] if time is None else time}
        if key:
            value["key"] = key
        path = path_of(index, leaves[:size]) if path is None else path
        head = ["c2sp.org/tlog-proof@v1", "extra " + b64(canonical(value)), f"index {index if place is None else place}"]
        return message_of(head + [b64(hash) for hash in path] + [""]) + (end or checkpoint(size))

    def row(name, data, letter, id="-"):
        folder.write(f"proof/{name}", data)
        folder.row(f"proof/{name}", letter, id)

    for index, size in [(0, 1), (0, 2), (1, 2), (4, 5), (3, 8), (0, 8), (2, 3), (7, 8)]:
        row(f"in-{index}-of-{size}.tlog-proof", proof(index, size), "G", nodes[index]["id"])
    first, path = nodes[3]["id"], path_of(3, leaves)
    row("in-key.tlog-proof", proof(5, 8, key=ADA.public), "G", nodes[5]["id"])
    row("in-key-unknown.tlog-proof", proof(5, 8), "E", nodes[5]["id"])
    row("in-unsigned.tlog-proof", proof(6, 8), "N", nodes[6]["id"])
    row("in-key-not-needed.tlog-proof", proof(3, 8, key=ADA.public), "B")
    row("in-key-of-another.tlog-proof", proof(5, 8, key=BEN.public), "B")
    row("in-other-time.tlog-proof", proof(3, 8, time=times[3] + 1), "B", first)
    row("in-other-place.tlog-proof", proof(3, 8, place=2), "B", first)
    row("in-place-behind.tlog-proof", proof(3, 8, place=8), "B", first)
    row("in-path-short.tlog-proof", proof(3, 8, path=path[:-1]), "B", first)
    row("in-path-long.tlog-proof", proof(3, 8, path=[*path, path[0]]), "B", first)
    row("in-path-swapped.tlog-proof", proof(3, 8, path=[path[1], path[0], path[2]]), "B", first)
    row("in-path-empty.tlog-proof", proof(3, 8, path=[]), "B", first)
    row("in-other-node.tlog-proof", proof(3, 8, node=nodes[2]), "B", nodes[2]["id"])
    row("in-other-size.tlog-proof", proof(3, 8, end=checkpoint(7)), "B", first)
    changed = edit(nodes[3], {"/data/fields/title": "another"})
    row("in-changed.tlog-proof", proof(3, 8, node=changed), "B")
    row("in-forged.tlog-proof", proof(3, 8, node=seal(changed)), "B", seal(changed)["id"])
    row("in-signature.tlog-proof", proof(3, 8, node=edit(nodes[3], {"/signature": nodes[2]["signature"]})), "B")
    whole = proof(3, 8)
    row("in-first-line.tlog-proof", whole.replace(b"proof@v1", b"proof@v2"), "B")
    row("in-no-extra.tlog-proof", b"\n".join(line for line in whole.split(b"\n") if not line.startswith(b"extra")), "B")
    row("in-spaces.tlog-proof", whole.replace(b64(canonical({"node": nodes[3], "received": times[3]})).encode(), b64(b" " + canonical({"node": nodes[3], "received": times[3]})).encode()), "B")
    row("in-index-zeros.tlog-proof", whole.replace(b"index 3", b"index 03"), "B")
    row("in-more.tlog-proof", whole + b"more\n", "B")
    row("in-signature-of-note.tlog-proof", whole[:-6] + (b"A" if whole[-6:-5] != b"A" else b"B") + whole[-5:], "B")

    receipts(row)

    def extends(old, new, path=None, first=None, second=None):
        path = (consistency_of(old, leaves[:new]) if 0 < old < new else []) if path is None else path
        head = message_of(["redo-consistency-proof@v1", *[b64(hash) for hash in path], ""])
        return head + (first or checkpoint(old)) + b"\n" + (second or checkpoint(new, entry=3, refs=1))

    later = {size: "sha256:" + sha(checkpoint(size, entry=3, refs=1)).hex() for size in range(9)}
    for old, new in [(0, 0), (0, 5), (1, 5), (3, 7), (4, 8), (6, 8), (7, 7), (7, 8)]:
        row(f"from-{old}-to-{new}.proof", extends(old, new), "G", later[new])
    good = consistency_of(6, leaves)
    fork = note(text_of(6, root_of([*leaves[:5], leaves[7]])))
    row("from-fork.proof", extends(6, 8, first=fork), "B", later[8])
    row("from-larger.proof", extends(8, 6, path=[]), "B", later[6])
    row("from-path-short.proof", extends(6, 8, path=good[:-1]), "B", later[8])
    row("from-path-long.proof", extends(6, 8, path=[*good, good[0]]), "B", later[8])
    row("from-path-empty.proof", extends(6, 8, path=[]), "B", later[8])
    row("from-path-for-nothing.proof", extends(7, 7, path=[leaves[0]]), "B", later[7])
    row("from-other-log.proof", extends(6, 8, first=note(text_of(6, root_of(leaves[:6]), origin=ORIGIN[:-1] + "0"))), "B", later[8])
    row("from-unsigned.proof", extends(6, 8, first=message_of(text_of(6, root_of(leaves[:6]))) + b"\n"), "B")
    row("from-one-note.proof", extends(6, 8)[:-len(checkpoint(8, entry=3, refs=1)) - 1], "B")
    row("from-no-gap.proof", extends(6, 8).replace(b"\n\n" + ORIGIN.encode() + b"\n8\n", b"\n" + ORIGIN.encode() + b"\n8\n"), "B")
    folder.finish("file", "letter", "id", table="PROOFS.tsv")


def receipts(row):
    """Proofs of receipts, which stand in a log of their own, behind a node."""
    phone, other = receipt_base.ADA, receipt_base.BEN
    sealed = []

    def add(value, signed=True):
        content, _ = receipt_base.written(value)
        sealed.append((content, phone.secret.sign(content).signature if signed else None))

    client = {**receipt_base.receipt(), "payload": receipt_base.Inside(receipt_base.CLIENT_SESSION)}
    add(client)
    add(receipt_base.receipt("docs"))
    add({**client, "did": receipt_base.PHONE})
    add(client | {"deviceId": "unsigned"}, signed=False)
    add(indefinite(client))
    place = {"latitude": 52.5, "longitude": 13.4, "location_type": "precise", **receipt_base.TIME}
    add({**client, "receiptType": "app.buds.location/v1", "payload": receipt_base.Inside(place)})
    times = [1_740_816_100_000 + 1000 * index for index in range(len(sealed))]
    leaves = [sha(b"\0" + sha(content) + time.to_bytes(8, "big")) for (content, _), time in zip(sealed, times)]
    size = len(leaves)

    def proof(index, key=phone, time=None, content=None, signature=None, text=None, **more):
        preimage, own = sealed[index]
        value = {"cbor": b64(content or preimage)}
        if signature or own:
            value["signature"] = b64(signature or own)
        value = {"receipt": {**value, **more}, "received": times[index] if time is None else time}
        if key:
            value["key"] = key.public
        head = ["c2sp.org/tlog-proof@v1", "extra " + b64(text(canonical(value)) if text else canonical(value)), f"index {index}"]
        return message_of(head + [b64(hash) for hash in path_of(index, leaves)] + [""]) + note(text_of(size, root_of(leaves)))

    def id_of(index):
        return "sha256:" + sha(sealed[index][0]).hex()

    def good(name, data, letter, index):
        row(f"in-receipt-{name}.tlog-proof", data, letter, id_of(index))

    def bad(name, data, id="-"):
        row(f"in-receipt-{name}.tlog-proof", data, "B", id)

    good("client", proof(0), "G", 0)
    good("docs", proof(1), "G", 1)
    good("phone", proof(2), "G", 2)
    good("precise", proof(5), "G", 5)
    good("unsigned", proof(3, key=None), "N", 3)
    good("key-unknown", proof(0, key=None), "E", 0)
    bad("key-not-needed", proof(3))
    bad("key-of-another", proof(0, key=other))
    bad("phone-key-of-another", proof(2, key=other))
    bad("other-time", proof(0, time=times[0] + 1), id_of(0))
    bad("other-bytes", proof(0, content=sealed[1][0], signature=sealed[1][1]), id_of(1))
    bad("signature", proof(0, signature=sealed[1][1]))
    bad("signature-short", proof(0, signature=sealed[0][1][:63]))
    bad("cbor-indefinite", proof(4))
    bad("cbor-behind", proof(0, content=sealed[0][0] + b"\0"))
    bad("member-more", proof(0, cid=receipt_base.cid_text(receipt_base.raw_cid(sealed[0][0]))))
    bad("member-order", proof(0, text=lambda text: b'{"received":' + str(times[0]).encode() + b"," + text[1:text.rindex(b",")] + b"}"))
    bad("base64", proof(0, text=lambda text: text.replace(b'"cbor":"', b'"cbor":"=')))
    bad("escaped", proof(0, text=lambda text: text.replace(b'"cbor":"p', b'"cbor":"\\u0070')))
    bad("nothing", proof(0, text=lambda text: b'{"receipt":{},"received":1}'))


def indefinite(value):
    """The bytes of a map of indefinite length."""
    content, _ = receipt_base.written(value)
    return receipt_base.Fault(b"\xbf" + content[1:] + b"\xff")


def leaf(node, time):
    return sha(b"\0" + bytes.fromhex(node["id"].removeprefix("sha256:")) + time.to_bytes(8, "big"))


def make(root):
    folder = Folder(root, "checkpoint")
    notes(folder)
    proofs(folder)
