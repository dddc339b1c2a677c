"""receipt/, the payloads: every type in both forms, members that are required, their types, ranges and order."""

from .receipt_base import (
    ADA, ANY_PAYLOAD, BLOB, CLAIMED, CREATED, DELETED, EDITED, PARENT, PHOTO, PLAIN, ROOT, SESSIONS, TIME, UPDATED, Link, key_of, key_text, named_cid,
    payloads, raw_cid)
from .nodes import base64, upper_last_letter

FORMS = ("client", "docs")
LOCATION, CARD, SHARED = "app.buds.location/v1", "redo.device.registered/v1", "app.buds.memory.shared/v1"
UNKNOWN = "receipt-type-unknown@/receiptType"
RAW = raw_cid(b"a link")
# What is no text, no integer and so on; the first is what each member of that kind is tried with.
NOT_TEXT = [("number", 5), ("bytes", b"x"), ("array", []), ("map", {}), ("true", True), ("link", Link(RAW))]
NOT_INTEGER = [("text", "5"), ("float", 5.0), ("bytes", b"\5"), ("true", True), ("array", [5])]
NOT_NUMBER = [("text", "1.5"), ("true", True), ("bytes", b"\1"), ("array", [1.5])]
NOT_BOOL = [("zero", 0), ("text", "true"), ("array", [])]
NOT_TEXTS = [("text", "relaxed"), ("map", {}), ("number", 1), ("bytes", b"x")]
NOT_WORD = [("another", "all"), ("upper-case", "VIEW"), ("empty", ""), ("number", 1), ("array", ["view"])]


def word(name):
    return name.replace("_", "-")


def number_word(value):
    return f"minus-{-value}" if value < 0 else str(value)


def kind_word(kind):
    """session-created of app.buds.session.created/v1."""
    return kind.removeprefix("app.buds.").removesuffix("/v1").replace(".", "-")


def wrong_values(name, value):
    """Values of a wrong type for a member that has a good one."""
    if name in ("permissions", "location_type"):
        return NOT_WORD
    if isinstance(value, list):
        return NOT_TEXTS
    if isinstance(value, bool):
        return NOT_BOOL
    if isinstance(value, float):
        return NOT_NUMBER
    return NOT_INTEGER if isinstance(value, int) else NOT_TEXT


def every_type(m):
    """Each type with every member and with those that are required; each required one missing, each member of a wrong type."""
    for kind in [*SESSIONS, *PLAIN]:
        for form in FORMS:
            start = f"{kind_word(kind)}-{form}"
            complete, minimal = payloads(kind, form)
            m.valid("payload-type", f"{start}-every-member", kind=kind, form=form)
            m.valid("payload-missing", f"{start}-only-what-is-required", kind=kind, form=form, payload=minimal)
            for name in minimal:
                if name != "claimed_time_ms":
                    rest = {k: v for k, v in complete.items() if k != name}
                    m.invalid("payload-missing", f"{start}-{word(name)}", f"/payload/{name}", kind=kind, form=form, payload=rest)
            for name, value in complete.items():
                cases = wrong_values(name, value)
                # One case of each member; every case in the forms that have most of them.
                for case, wrong in cases if kind == CREATED or name in ("permissions", "location_type") and form == "client" else cases[:1]:
                    m.invalid("payload-type", f"{start}-{word(name)}-{case}", f"/payload/{name}", {f"/payload/{name}": wrong}, kind=kind, form=form)
                if isinstance(value, list):
                    for case, wrong in NOT_TEXT if name == "effects" and kind == CREATED else NOT_TEXT[:1]:
                        m.invalid("payload-type", f"{start}-{word(name)}-element-{case}", f"/payload/{name}/1",
                                  {f"/payload/{name}": [PARENT if name == "photo_cids" else "a", wrong]}, kind=kind, form=form)
    for kind in ANY_PAYLOAD:
        for form in FORMS:
            m.valid("payload-missing", f"{kind_word(kind)}-{form}-empty", kind=kind, form=form, payload={})
            m.valid("payload-type", f"{kind_word(kind)}-{form}-anything", kind=kind, form=form, payload={"rating": "five", "effects": ["b", "a"], "claimed_time_ms": 1.5})
    for form in FORMS:
        m.valid("payload-type", f"session-deleted-{form}-anything", kind=DELETED, form=form, payload={"rating": [], "claimed_time_ms": 1.5}, parent=True)


def forms(m):
    """What a member may be beside the usual, and that the members of a session are those of the receipt's form."""
    latitude = ["receipt-precise@/payload/" + name for name in ("accuracy", "altitude", "latitude", "longitude")]
    place = {"location_type": "precise", "latitude": 37.774929, "longitude": -122.419416, "altitude": -1.5, "accuracy": 8, **TIME}
    for form in FORMS:
        m.valid("receipt-precise", f"location-{form}-every-member", kind=LOCATION, form=form, payload=place, warn=latitude)
        for kind in ("precise", "fuzzy", "named"):
            m.valid("payload-type", f"location-{form}-{kind}", kind=LOCATION, form=form, payload={"location_type": kind, **TIME})
        for permission in ("view", "view_location", "full"):
            m.valid("payload-type", f"memory-shared-{form}-{word(permission)}", {"/payload/permissions": permission}, kind=SHARED, form=form)
        for name in ("latitude", "longitude", "altitude", "accuracy"):
            m.invalid("payload-type", f"location-{form}-{name}-text", f"/payload/{name}", kind=LOCATION, form=form,
                      payload={"location_type": "named", name: "1.5", **TIME}, warn=[f"receipt-precise@/payload/{name}"])
        for case, value in [("zero", 0), ("least", -(2**63)), ("largest", 2**63 - 1)]:
            m.valid("payload-type", f"session-created-{form}-claimed-time-{case}", {"/payload/claimed_time_ms": value}, form=form)
        m.valid("payload-type", f"session-created-{form}-empty-texts", {"/payload/product_name": "", "/payload/product_type": "", "/payload/effects": ["", ""]}, form=form)
    for name, value in [("thc_percent", 23), ("cbd_percent", 0), ("amount_grams", 1000)]:
        m.valid("payload-type", f"session-created-docs-{word(name)}-integer", {f"/payload/{name}": value}, form="docs")
    m.valid("payload-type", "location-client-integers", {"/payload/fuzzy_lat": 0, "/payload/fuzzy_lon": -122}, kind=LOCATION)
    for kind in SESSIONS:
        start = kind_word(kind)
        m.valid("payload-missing", f"{start}-docs-no-product", kind=kind, form="docs", payload={"rating": 1, **TIME})
        m.invalid("payload-missing", f"{start}-client-as-docs-have-it", "/payload/effects", kind=kind, payload={"product_name": "a", "product_type": "b", "rating": 1, **TIME})
        # Members of the other form's table are unknown here, and taken.
        m.valid("payload-type", f"{start}-client-members-of-docs", kind=kind,
                changes={"/payload/strain_name": 5, "/payload/mood_before": ["b", "a"], "/payload/photo_cids": ["x"], "/payload/session_duration_mins": 1.5})
        m.valid("payload-type", f"{start}-docs-members-of-the-client", {"/payload/brand": 5, "/payload/consumption_method": []}, kind=kind, form="docs")

    good = base64(key_of(ADA))
    bad = [("hex", key_of(ADA).hex()), ("without-padding", good.rstrip("=")), ("url-alphabet", "-_" + good[2:]), ("31-bytes", base64(key_of(ADA)[:31])),
           ("33-bytes", base64(key_of(ADA) + b"\0")), ("empty", ""), ("line-feed-after", good + "\n"), ("space", good[:20] + " " + good[21:]),
           ("padding-bit", good[:-2] + chr(ord(good[-2]) + 1) + "="), ("did", "did:buds:abc"), ("full-width", "\uff21" + good[1:])]
    for name in ("pubkey_ed25519", "pubkey_x25519"):
        for form in FORMS:
            for case, value in bad if form == "client" else bad[:1]:
                m.invalid("payload-type", f"device-registered-{form}-{word(name)}-{case}", f"/payload/{name}", {f"/payload/{name}": value}, kind=CARD, form=form)
    for case, value in [("slash-and-plus", base64(b"\xff\xef\xbe" * 10 + b"\xff\xfe")), ("zeros", base64(bytes(32)))]:
        m.valid("payload-type", f"device-registered-client-{case}", {"/payload/pubkey_ed25519": value}, kind=CARD)
    m.valid("payload-type", "circle-invite-accepted-client-any-text-as-key", {"/payload/invitee_pubkey_x25519": "later"}, kind="app.buds.circle.invite.accepted/v1")


def times(m):
    """claimed_time_ms: where it is required, and where not."""
    missing = "claimed-missing@/payload/claimed_time_ms"
    without = {"app.buds.reaction.added/v1", "app.buds.reaction.removed/v1"}
    for kind in [*SESSIONS, *PLAIN]:
        for form in FORMS:
            rest = {k: v for k, v in payloads(kind, form)[0].items() if k != "claimed_time_ms"}
            needed = kind not in without and not (kind in SESSIONS and form == "client")
            m.valid("claimed-missing", f"{kind_word(kind)}-{form}-absent", kind=kind, form=form, payload=rest, warn=[missing] if needed else [])
            if needed:
                m.valid("claimed-missing", f"{kind_word(kind)}-{form}-present", {"/payload/claimed_time_ms": 0}, kind=kind, form=form)
    for form in FORMS:
        m.valid("claimed-missing", f"session-deleted-{form}-absent", kind=DELETED, form=form, payload={}, parent=True)
        m.valid("claimed-missing", f"session-created-{form}-empty-or-required",
                kind=CREATED, form=form, payload={} if form == "docs" else payloads(CREATED, form)[1], warn=[missing] if form == "docs" else [])
        m.valid("claimed-missing", f"unknown-type-{form}-absent", kind="org.example.note/v1", form=form, payload={}, warn=[UNKNOWN])


def ranges(m):
    """Limits from both sides, in sessions only."""
    limits = {
        "client": [("rating", (1, 5), (0, 6, -1, 2**63 - 1)), ("thc_percent", (0, 10_000), (-1, 10_001)), ("cbd_percent", (0, 10_000), (-1, 10_001)),
                   ("amount_grams", (0, 1_000_000), (-1, 1_000_001))],
        "docs": [("rating", (1, 5), (0, 6, -1)), ("thc_percent", (0, 0.0, 100, 100.0), (-1, 101, -5e-324, 100.00000000000001)),
                 ("cbd_percent", (0, 100.0), (-0.5, 100.5)), ("amount_grams", (0, 0.001, 1000, 1000.0), (-1, 1001, -0.001, 1000.0000000000001))],
    }
    for form in FORMS:
        for name, inside, outside in limits[form]:
            for value in inside:
                m.valid("payload-range", f"{form}-{word(name)}-{number_word(value)}", {f"/payload/{name}": value}, form=form)
            for value in outside:
                m.valid("payload-range", f"{form}-{word(name)}-{number_word(value)}", {f"/payload/{name}": value}, form=form, warn=[f"payload-range@/payload/{name}"])
        for case, text, long in [("5000-characters", "n" * 5000, False), ("5001-characters", "n" * 5001, True), ("5000-of-four-bytes", "🚀" * 5000, False),
                                 ("5001-of-four-bytes", "🚀" * 5001, True), ("2501-with-an-accent-apart", "e\u0301" * 2501, True), ("2500-with-an-accent-apart", "e\u0301" * 2500, False)]:
            m.valid("payload-range", f"{form}-notes-{case}", {"/payload/notes": text}, form=form, warn=["payload-range@/payload/notes"] if long else [])
        for kind in (EDITED, UPDATED):
            m.valid("payload-range", f"{form}-{kind_word(kind)}", {"/payload/rating": 9, "/payload/thc_percent": -1}, kind=kind, form=form,
                    warn=["payload-range@/payload/rating", "payload-range@/payload/thc_percent"])
        m.valid("payload-range", f"{form}-texts-without-limit", {"/payload/product_name": "n" * 5001, "/payload/effects": ["n" * 5001]}, form=form)
        others = {"/payload/rating": 9, "/payload/thc_percent": -1, "/payload/amount_grams": -1, "/payload/notes": "n" * 5001}
        m.valid("payload-range", f"{form}-not-in-a-share", others, kind=SHARED, form=form)
        m.valid("payload-range", f"{form}-not-in-an-unknown-type", others, kind="org.example.note/v1", form=form, warn=[UNKNOWN])


def payload_cids(m):
    """Members that should be CIDs; what is none is warned of."""
    text = named_cid("parent")
    wrong = [("upper-case", text.upper()), ("one-upper-case-letter", upper_last_letter(text)), ("empty", ""), ("word", "later"), ("fixture", "bafyreiabc"),
             ("padded", text + "======"), ("id", "sha256:" + "0" * 64)]
    for form in FORMS:
        for case, value in [("codec-71", ROOT), ("codec-55", BLOB)]:
            m.valid("cid-form", f"payload-{form}-location-cid-{case}", {"/payload/location_cid": value}, form=form)
        for case, value in wrong if form == "client" else wrong[:1]:
            m.valid("cid-form", f"payload-{form}-location-cid-{case}", {"/payload/location_cid": value}, form=form, warn=["cid-form@/payload/location_cid"])
        for kind in ("deleted", "shared", "unshared", "reaction.created", "reaction.removed"):
            for case, value in [("codec-55", BLOB), ("word", "later")]:
                m.valid("cid-form", f"payload-{form}-{word(kind).replace('.', '-')}-memory-cid-{case}", {"/payload/memory_cid": value}, kind=f"app.buds.memory.{kind}/v1", form=form,
                        warn=["cid-form@/payload/memory_cid"])
        m.valid("cid-form", f"payload-{form}-memory-id", {"/payload/memory_id": "later"}, kind="app.buds.reaction.added/v1", form=form)
        m.valid("cid-form", f"payload-{form}-unknown-member", {"/payload/header_cid": "later", "/payload/memory_cid": "later"}, form=form)
    photos = sorted([PHOTO, PARENT])
    m.valid("cid-form", "payload-docs-photo-cids-of-both-codecs", {"/payload/photo_cids": photos}, form="docs")
    m.valid("cid-form", "payload-docs-photo-cids-second", {"/payload/photo_cids": [BLOB, "later"]}, form="docs", warn=["cid-form@/payload/photo_cids/1"])
    m.valid("cid-form", "payload-docs-photo-cids-both", {"/payload/photo_cids": ["", "later"]}, form="docs",
            warn=["cid-form@/payload/photo_cids/0", "cid-form@/payload/photo_cids/1"])


def orders(m):
    """Arrays of texts that are not ascending."""
    for kind, form, name in [(CREATED, "client", "effects"), (EDITED, "client", "effects"), (CREATED, "docs", "effects"), (CREATED, "docs", "mood_before"),
                             (CREATED, "docs", "mood_after"), (CREATED, "docs", "friends_present"), (SHARED, "client", "shared_with"), (SHARED, "docs", "shared_with"),
                             ("app.buds.memory.unshared/v1", "client", "unshared_from")]:
        start = f"{kind_word(kind)}-{form}-{word(name)}"
        m.valid("array-order", f"{start}-ascending", {f"/payload/{name}": ["a", "b", "b", "c"]}, kind=kind, form=form)
        m.valid("array-order", f"{start}-descending", {f"/payload/{name}": ["a", "c", "b"]}, kind=kind, form=form, warn=[f"array-order@/payload/{name}"])
    photos = sorted([PHOTO, BLOB], reverse=True)
    m.valid("array-order", "session-created-docs-photo-cids-descending", {"/payload/photo_cids": photos}, form="docs", warn=["array-order@/payload/photo_cids"])
    for case, value, ascending in [("upper-case-first", ["Zest", "apple"], True), ("lower-case-first", ["apple", "Zest"], False), ("prefix-first", ["", "a", "ab"], True),
                                   ("longer-first", ["ab", "b"], True), ("by-length", ["b", "ab"], False), ("bytes-not-code-units", ["\uffff", "\U00010000"], True),
                                   ("code-units", ["\U00010000", "\uffff"], False), ("accents-last", ["z", "é"], True)]:
        m.valid("array-order", f"effects-{case}", {"/payload/effects": value}, warn=[] if ascending else ["array-order@/payload/effects"])
    m.valid("array-order", "unknown-member", {"/payload/tags": ["b", "a"]})


def precise(m):
    """Coordinates at any depth, whatever the type."""
    deep = {"/payload/where": {"a/b": [0, {"latitude": 1.5, "longitude": "2"}]}}
    found = ["receipt-precise@/payload/where/a~1b/1/latitude", "receipt-precise@/payload/where/a~1b/1/longitude"]
    alike = {"Latitude": 1, "lat": 1, "lon": 1, "fuzzy_lat": 1.5, "fuzzy_lon": 1.5, "latitude_": 1, "text": "latitude", "list": ["latitude", "accuracy"]}
    for form in FORMS:
        m.valid("receipt-precise", f"{form}-in-a-session", {"/payload/altitude": 1}, form=form, warn=["receipt-precise@/payload/altitude"])
        m.valid("receipt-precise", f"{form}-deep", deep, form=form, warn=found)
        m.valid("receipt-precise", f"{form}-inside-one-another", {"/payload/accuracy": {"accuracy": True}}, form=form,
                warn=["receipt-precise@/payload/accuracy", "receipt-precise@/payload/accuracy/accuracy"])
        for kind, more in [("org.example.note/v1", [UNKNOWN]), ("app.buds.daily.summary/v1", [])]:
            m.valid("receipt-precise", f"{form}-{kind_word(kind).replace('/', '-')}", kind=kind, form=form, payload={"latitude": 1},
                    warn=["receipt-precise@/payload/latitude", *more])
        m.valid("receipt-precise", f"{form}-session-deleted", kind=DELETED, form=form, payload={"longitude": []}, parent=True, warn=["receipt-precise@/payload/longitude"])
        m.valid("receipt-precise", f"{form}-names-alike", kind="app.buds.daily.summary/v1", form=form, payload=alike)
        m.valid("receipt-precise", f"{form}-fuzzy-location", kind=LOCATION, form=form)
        m.valid("receipt-precise", f"{form}-text-of-a-map", {"/payload/product_name": "{\"latitude\":1}"}, form=form)


def make(m):
    for part in (every_type, forms, times, ranges, payload_cids, orders, precise):
        part(m)
