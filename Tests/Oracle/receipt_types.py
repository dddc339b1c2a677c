"""The types of receipts and the members of their payloads, as section 1.6 of the specification lists them."""

import base64
import re


def table(text):
    """{member: (kind, whether it is required)} of a list as in section 1.6."""
    entries = [entry.split() for entry in text.split(",") if entry.strip()]
    return {name.lstrip("?"): (kind, name[0] != "?") for name, kind in entries}


CLIENT_SESSION = table("""product_name t, product_type t, rating i, effects [t], ?notes t, ?brand t, ?consumption_method t, ?location_cid t,
    ?thc_percent i, ?cbd_percent i, ?amount_grams i""")
DOCS_SESSION = table("""?product_name t, ?product_brand t, ?product_type t, ?strain_name t, ?strain_type t, ?dispensary_name t,
    ?dispensary_id t, ?notes t, ?method t, ?location_cid t, ?thc_percent f, ?cbd_percent f, ?amount_grams f, ?rating i,
    ?session_duration_mins i, ?effects [t], ?mood_before [t], ?mood_after [t], ?photo_cids [t], ?friends_present [t]""")
TABLES = {
    "app.buds.memory.deleted/v1": table("memory_cid t, ?reason t, ?cascade_unshare b"),
    "app.buds.memory.shared/v1": table("memory_cid t, shared_with [t], permissions permissions, ?message t"),
    "app.buds.memory.unshared/v1": table("memory_cid t, unshared_from [t]"),
    "app.buds.reaction.added/v1": table("memory_id t, reaction_type t, created_at_ms i"),
    "app.buds.reaction.removed/v1": table("memory_id t, reaction_type t"),
    "app.buds.memory.reaction.created/v1": table("memory_cid t, reaction_type t, jar_id t"),
    "app.buds.memory.reaction.removed/v1": table("memory_cid t, reaction_type t, jar_id t"),
    "app.buds.circle.invite.created/v1": table("invite_code t, inviter_did t, ?expires_at i, ?max_uses i, ?message t"),
    "app.buds.circle.invite.accepted/v1": table("invite_code t, inviter_did t, invitee_did t, invitee_pubkey_x25519 t"),
    "app.buds.circle.member.removed/v1": table("removed_did t, removed_by_did t, ?reason t"),
    "app.buds.device.revoked/v1": table("revoked_device_id t, revoked_by_device_id t, ?reason t"),
    "app.buds.location/v1": table("""location_type place, ?latitude f, ?longitude f, ?altitude f, ?accuracy f, ?fuzzy_lat f, ?fuzzy_lon f,
        ?fuzzy_radius i, ?place_name t, ?place_category t, ?delay_share_until i"""),
    "redo.device.registered/v1": table("pubkey_ed25519 key, pubkey_x25519 key"),
}
SESSIONS = {f"app.buds.session.{word}/v1" for word in ("created", "edited", "updated")}
SESSION_DELETED = "app.buds.session.deleted/v1"
ANY_PAYLOAD = {SESSION_DELETED, "app.buds.preferences.updated/v1", "app.buds.daily.summary/v1"}
WITHOUT_TIME = {"app.buds.reaction.added/v1", "app.buds.reaction.removed/v1"}
WORDS = {"permissions": ("view", "view_location", "full"), "place": ("precise", "fuzzy", "named")}


def is_key(value):
    """Whether a text is the padded Base64 of 32 bytes."""
    if not re.fullmatch(r"[A-Za-z0-9+/]{43}=", value, re.ASCII):
        return False
    return base64.b64encode(base64.b64decode(value)).decode() == value


def is_kind(value, kind):
    if kind in WORDS:
        return type(value) is str and value in WORDS[kind]
    types = {"t": (str,), "i": (int,), "f": (int, float), "b": (bool,), "key": (str,)}[kind]
    return type(value) in types and (kind != "key" or is_key(value))
