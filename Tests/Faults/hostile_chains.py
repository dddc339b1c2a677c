"""Chains of receipts that are good by themselves, and what a foreign writer could make of them: forks, roots and parents that do not
fit, refs that lead elsewhere, objects of another kind than is said.

`chains()` yields (name, objects, refs, received, rules): (kind, bytes, signature) of objects, (id, name) of refs, and any of the
rules that an audit must name; none for what is allowed."""

import base64
import hashlib

import rfc8785
from hostile_receipts import ADA, BEN, CARD, FIRST, FIRST_CID, SECOND, Inside, base, signed, written
from hostile_store import id_of

OTHER_CARD = written({"did": base.OTHER_DID, "deviceId": BEN.device, "receiptType": "redo.device.registered/v1", "rootCID": "SELF", "payload": Inside(
    {**base.CARD, "pubkey_ed25519": base64.b64encode(base.key_of(BEN)).decode()})})[0]


def cid(content):
    return base.cid_text(base.raw_cid(content))


def ref(content):
    return "receipts/" + hashlib.sha256(content).hexdigest()


def receipt(text, parent=None, root=None, kind=None, payload=None, did=base.DID, device=ADA.device):
    value = {"did": did, "deviceId": device, "receiptType": kind or (base.EDITED if parent else base.CREATED), "rootCID": root or "SELF",
             "payload": Inside({**base.CLIENT_SESSION, "product_name": text} if payload is None else payload)}
    return written({**value, "parentCID": parent} if parent else value)[0]


def case(name, contents, rules=(), head=None, root=None, refs=None, by=ADA, received=None):
    """Objects of which the last, or `head`, is the head of the chain of `root`."""
    objects = [("receipt", content, signed(content, by)) for content in contents]
    refs = [(id_of(head or contents[-1]), ref(root or FIRST))] if refs is None else refs
    ids = [id_of(content) for content in contents] if received is None else received
    return name, objects, refs, ids, [(rule, "") for rule in rules]


def chains():
    yield from parents()
    yield from deletions()
    yield from cards()
    yield from refs()
    yield from kinds()
    yield from sizes()


def parents():
    gone = base.named_cid("gone")
    other = receipt("another root")
    odd = [case("parent-gone", [receipt("x", gone, FIRST_CID)], ["parent-missing"]),
           case("parent-and-root-gone", [receipt("x", gone, gone)], ["parent-missing"], root=receipt("x")),
           case("root-gone", [receipt("x", FIRST_CID, gone)], ["receipt-root-mismatch"]),
           case("root-is-the-card", [receipt("x", FIRST_CID, cid(CARD))], ["receipt-root-mismatch"], root=CARD),
           case("root-is-the-parent", [receipt("x", cid(SECOND), cid(SECOND))], ["receipt-root-mismatch"], root=SECOND),
           case("root-of-another-chain", [other, receipt("x", FIRST_CID, cid(other))], ["receipt-root-mismatch"], refs=[
               (id_of(other), ref(other)), (id_of(receipt("x", FIRST_CID, cid(other))), ref(FIRST))]),
           case("parent-of-another-chain", [other, receipt("x", cid(other), FIRST_CID)], ["receipt-root-mismatch"]),
           case("follows-the-card", [receipt("x", cid(CARD), cid(CARD))], root=CARD)]
    yield from odd
    broken = receipt("x", gone, FIRST_CID)
    yield case("follows-an-orphan", [broken, receipt("y", cid(broken), FIRST_CID)], ["parent-missing"])
    yield case("by-another", [OTHER_CARD, receipt("x", FIRST_CID, FIRST_CID, did=base.OTHER_DID, device=BEN.device)], by=BEN, refs=[
        (id_of(OTHER_CARD), ref(OTHER_CARD)), (id_of(receipt("x", FIRST_CID, FIRST_CID, did=base.OTHER_DID, device=BEN.device)), ref(FIRST))])
    # Somebody who has a phone's did, but not the device.
    phone = receipt("x", did=base.PHONE, device="D9")
    yield case("of-a-phone", [phone, receipt("y", cid(phone), cid(phone), did=base.PHONE, device="D8")], root=phone)
    docs = written({"did": base.DID, "deviceId": ADA.device, "receiptType": base.UPDATED, "payload": base.DOCS_SESSION, "parentCID": FIRST_CID,
                    "rootCID": FIRST_CID})[0]
    yield case("docs-after-client", [docs])
    fork = [receipt(f"fork {number}", FIRST_CID, FIRST_CID) for number in range(70)]
    yield case("70-heads", fork, refs=[(id_of(each), ref(FIRST)) for each in fork])
    twins = [receipt("a", FIRST_CID, FIRST_CID), receipt("b", FIRST_CID, FIRST_CID)]
    deep = receipt("c", cid(twins[0]), FIRST_CID)
    yield case("fork-of-two-depths", [*twins, deep], refs=[(id_of(twins[1]), ref(FIRST)), (id_of(deep), ref(FIRST))])
    for time in (2**63 - 1, -(2**63)):
        early = receipt("t", FIRST_CID, FIRST_CID, payload={**base.CLIENT_SESSION, "claimed_time_ms": time})
        yield case(f"claimed-{time}", [early])
    for kind in ("app.buds.location/v1", "redo.device.registered/v1", "app.buds.device.revoked/v1", "app.buds.daily.summary/v1"):
        yield case(f"{kind}-in-a-chain", [receipt("", FIRST_CID, FIRST_CID, kind=kind, payload=base.payloads(kind, "client")[1])])


def deletions():
    memory = "app.buds.memory.deleted/v1"
    for name, target in {"first": FIRST_CID, "second": cid(SECOND), "card": cid(CARD), "gone": base.named_cid("gone")}.items():
        tomb = receipt("", kind=memory, payload={"memory_cid": target, **base.TIME})
        yield case(f"deletes-{name}", [tomb], root=tomb)
        yield case(f"deletes-{name}-in-the-chain", [receipt("", FIRST_CID, FIRST_CID, kind=memory, payload={"memory_cid": target, **base.TIME})])
    again = receipt("", kind=memory, payload={"memory_cid": FIRST_CID, **base.TIME})
    yield case("deletes-a-deletion", [again, receipt("", kind=memory, payload={"memory_cid": cid(again), **base.TIME})], refs=[
        (id_of(again), ref(again))] + [(id_of(each), ref(each)) for each in [receipt("", kind=memory, payload={"memory_cid": cid(again), **base.TIME})]])
    session = receipt("", FIRST_CID, FIRST_CID, kind=base.DELETED, payload={})
    yield case("session-deleted", [session])
    yield case("session-deleted-then-edited", [session, receipt("after", cid(session), FIRST_CID)])
    foreign = receipt("", kind=memory, payload={"memory_cid": FIRST_CID, **base.TIME}, did=base.OTHER_DID, device=BEN.device)
    yield case("deleted-by-another", [OTHER_CARD, foreign], by=BEN, refs=[(id_of(OTHER_CARD), ref(OTHER_CARD)), (id_of(foreign), ref(foreign))])


def cards():
    def card(key, **more):
        return receipt("", kind="redo.device.registered/v1", payload={**base.CARD, "pubkey_ed25519": base64.b64encode(key).decode()}, **more)

    second = card(base.key_of(BEN), did=base.PHONE, device="D9")
    third = card(base.key_of(ADA), did=base.PHONE, device="D9")
    name, objects, *rest = case("two-keys-of-one-device", [second, third], refs=[(id_of(second), ref(second)), (id_of(third), ref(third))])
    objects = [("receipt", second, signed(second, BEN)), ("receipt", third, signed(third))]
    yield (name, objects, *rest)
    stolen = card(base.key_of(BEN))
    # One that was not signed with the key in it is no card; the true one says whose it is, or nobody does.
    yield case("card-of-another-key", [stolen], root=stolen)
    for word, key in {"zeros": bytes(32), "ones": b"\xff" * 32, "of-small-order": b"\x01" + bytes(31)}.items():
        weak = card(key, did=base.PHONE, device="D7")
        yield case(f"card-with-{word}", [weak], root=weak)


def refs():
    uuid = "11111111-2222-4333-8444-555555555555"
    new = receipt("new")
    for number, place in enumerate([
            "receipts/" + "0" * 64, ref(FIRST), "receipts/x", "receipts/" + "A" * 64, ref(new) + "/x", "heads/" + uuid, "heads/-", "schemas/x",
            "schemas/redo%2edevices", "tags/x", "remotes/r/heads/" + uuid, "remotes/r/schemas/x", "remotes/r/receipts/" + "0" * 64,
            "recovered/r/receipts/" + "1" * 64, "recovered/r/heads/-"]):
        more = [(id_of(new), place)] if place == ref(FIRST) else [(id_of(new), ref(new)), (id_of(new), place)]
        is_free = place in ("tags/x", ref(new) + "/x")
        yield case(f"ref-{number}", [new], () if is_free else ["ref-target", "refs-corrupt", "ref-head", "ref-name"], refs=more)
    for place in ("remotes/r/" + ref(new), "recovered/r/" + ref(new)):
        yield case("ref-" + place[:12], [new], refs=[(id_of(new), ref(new)), (id_of(new), place)])
    missing = "sha256:" + "7" * 64
    yield case("ref-of-nothing", [new], ["ref-target", "object-missing"], refs=[(id_of(new), ref(new)), (missing, "receipts/" + "7" * 64)])
    yield case("ref-of-an-ancestor", [new], refs=[(id_of(new), ref(new)), (id_of(FIRST), ref(FIRST))])
    # A history is what refs reach: an audit warns of the rest.
    yield case("received-without-a-ref", [new], refs=[])
    yield case("received-and-gone", [new], ["object-missing"], refs=[(id_of(new), ref(new))], received=[id_of(new), missing])
    yield case("never-received", [new], refs=[(id_of(new), ref(new))], received=[])
    yield case("received-twice", [new], refs=[(id_of(new), ref(new))], received=[id_of(new)] * 2)


def kinds():
    content = receipt("of another kind")
    for kind in ("schema", "node", "blob"):
        name, objects, *rest = case(f"kept-as-a-{kind}", [content], ["ref-target", "json-utf8"], root=content)
        yield name, [(kind, content, None if kind == "blob" else objects[0][2])], *rest
    blob = b"\x1b[2Ja blob"
    follower = receipt("x", cid(blob), cid(blob))
    yield ("parent-is-a-blob", [("blob", blob, None), ("receipt", follower, signed(follower))], [(id_of(follower), ref(blob))], [id_of(follower)],
           [("parent-missing", ""), ("parent-kind", ""), ("object-missing", ""), ("ref-target", "")])
    text = rfc8785.dumps({"schema": 1})
    follower = receipt("x", cid(text), cid(text))
    yield ("parent-is-a-broken-schema", [("schema", text, None), ("receipt", follower, signed(follower))], [(id_of(follower), ref(text))],
           [id_of(follower)], [("parent-missing", ""), ("schema-form", ""), ("member-missing", ""), ("ref-target", "")])
    for word, bad in {"blob": ("blob", blob, None), "schema": ("schema", text, None)}.items():
        yield (f"ref-of-a-{word}", [bad], [(id_of(bad[1]), ref(bad[1]))], [id_of(bad[1])], [("ref-target", ""), ("member-missing", "")])


def sizes():
    chain, parent = [], FIRST_CID
    for number in range(1500):
        chain.append(receipt(f"link {number}", parent, FIRST_CID))
        parent = cid(chain[-1])
    yield case("1500-deep", chain)
    roots = [receipt(f"root {number}") for number in range(300)]
    yield case("300-chains", roots, refs=[(id_of(each), ref(each)) for each in roots])
