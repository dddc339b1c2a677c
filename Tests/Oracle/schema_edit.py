"""What an edit makes of the heads of a schema, and what a schema owes its parents: from the text of the specification alone.

Objects are parsed lines of `redo export --kind=schema`; definitions are in the form in which they are stored.
"""

import copy
import hashlib
import uuid

from schema_join import joined, said, version_rank
from schema_log import END, join, ref_of
from schema_view import BUILT_IN, LAST, UUID, Names, View, after, place, rank

COUNTER_END = 2**53 - 1
HEADS = 64
JUMP = 1_000_000
LAST_YEAR = "9999"


def device_of(author):
    """A device as definitions name it."""
    name = author["deviceId"]
    if UUID.match(name):
        return name.lower()
    return str(uuid.UUID(bytes=hashlib.sha256(f"{author['userId']}:{name}".encode()).digest()[:16]))


def next_version(versions, device, now):
    """The version of an edit after others."""
    latest = [after(max(each["timestamp"] for each in versions))] if versions else []
    return {
        "timestamp": max([min(now, END), *latest]), "deviceId": device,
        "counter": min(COUNTER_END, 1 + max((each["counter"] for each in versions), default=0))}


class Refused(Exception):
    """An edit that is refused, with the word of the rule, or of the message."""


class Edit:
    """An edit of heads, each a definition."""

    def __init__(self, heads, device, now):
        self.base = join(heads)
        self.view = View(self.base)
        self.version = next_version([head["version"] for head in heads], device, now)
        self.device, self.now = device, min(now, END)
        self.fields = {(field["id"], field["fieldType"]): field for field in self.base["fields"]}
        self.meta = {}
        self.keys = set(self.base["keys"])

    def stored(self, shown):
        """The definition of a field that is shown, as it is stored."""
        return self.view.stored[shown]

    def change(self, stored, members, anew=False):
        """Members of a stored field; None takes one away."""
        field = {name: value for name, value in {**stored, **members}.items() if value is not None}
        if field != stored or anew:
            field |= {"updatedBy": self.device, "updatedAt": max(self.now, after(stored["updatedAt"]))}
            self.fields[field["id"], field["fieldType"]] = field

    def add(self, field, key):
        orders = [each["displayOrder"] for each in self.base["fields"]]
        made = {
            "isRequired": False, "displayOrder": max(orders) + 1 if orders else 1, "validationRules": [], "isMultiline": False,
            "capitalizationMode": "sentences", "visibility": "active", **field, "createdBy": self.device, "createdAt": self.now,
            "updatedBy": self.device, "updatedAt": self.now}
        self.fields[made["id"], made["fieldType"]] = made
        if key:
            self.keys.add(key)

    def result(self):
        """The definition; None when nothing has changed."""
        made = {**self.base, "fields": sorted(self.fields.values(), key=place), "keys": sorted(self.keys, key=str.encode)}
        made = {name: value for name, value in (made | self.meta).items() if value is not None}
        if made == self.base:
            return None
        is_said = any(made.get(name) != self.base.get(name) for name in self.meta)
        made.pop("metaVersion", None)
        if not is_said:
            made["metaVersion"] = said(self.base)
        made["version"] = self.version
        return made


def new_schema(id_, scope, options, device, now):
    made = {"id": id_, "displayName": id_, "iconSystemName": "doc.text", "isBuiltIn": False, **options, "fields": [], "keys": [],
            "version": next_version([], device, now)}
    return {**made, "scope": scope} if scope else made


def add_field(heads, device, now, id_, kind, options):
    """A field with an id that is a UUID, or a text that becomes a key."""
    edit = Edit(heads, device, now)
    key = None if UUID.match(id_) else id_
    names = Names(edit.base["id"], edit.base["keys"] + ([key] if key else []))
    own = names.qualified(key) if key else names.own(id_.lower())
    if any((names.own(field["id"]), field["fieldType"]) == (own, kind) for field in edit.base["fields"]):
        raise Refused("schema-field-duplicate")
    edit.add({"id": own, "fieldType": kind, **options}, None if key in BUILT_IN.get(edit.base["id"], []) else key)
    return edit.result()


def set_field(heads, device, now, shown, members):
    edit = Edit(heads, device, now)
    edit.change(edit.stored(shown), members)
    return edit.result()


def set_schema(heads, device, now, members):
    edit = Edit(heads, device, now)
    edit.meta = members
    return edit.result()


def merge_fields(heads, device, now, source, target):
    edit = Edit(heads, device, now)
    if edit.view.by_id[source]["fieldType"] != edit.view.by_id[target]["fieldType"]:
        raise Refused("schema-type-changed")
    seen, next_ = [], target
    while next_ is not None and next_ not in seen:
        seen.append(next_)
        next_ = edit.view.target(edit.view.by_id[next_])
    if source in seen:
        raise Refused("schema-merged-circle")
    edit.change(edit.stored(source), {"mergedInto": target})
    return edit.result()


def pick(heads, device, now, shown, head):
    """The field as one of the heads has it; None where that has none of it."""
    if len(heads) < 2:
        return None
    edit = Edit(heads, device, now)
    stored = edit.stored(shown)
    own = edit.view.names.own(stored["id"])
    there = [field for field in head["fields"] if (edit.view.names.own(field["id"]), field["fieldType"]) == (own, stored["fieldType"])]
    if not there:
        raise Refused("has no field")
    chosen = max(there, key=rank)
    # Who created it stays what the join says: the heads may well differ in it, and one of them is as good as another.
    kept = {name: stored[name] for name in ("id", "fieldType", "createdBy", "createdAt", "updatedAt", "updatedBy")}
    gone = {name: None for name in stored if name not in chosen}
    edit.change(stored, {**gone, **chosen, **kept}, anew=True)
    return edit.result()


def take_in(heads, device, now, file, hides_absent):
    """The join of the heads with a file."""
    if not heads:
        return file
    base = join(heads)
    created = {(field["id"], field["fieldType"]): (field["createdBy"], field["createdAt"]) for field in base["fields"]}
    fields = []
    for field in file["fields"]:
        by, at = created.get((field["id"], field["fieldType"]), (field["createdBy"], field["createdAt"]))
        fields.append({**field, "createdBy": by, "createdAt": at})
    file = {**file, "fields": fields}
    both = joined(base, file)
    names = Names(both["id"], both["keys"])
    there = {(names.own(field["id"]), field["fieldType"]) for field in file["fields"]}
    view = View(base)
    absent = [view.stored[field["id"]] for field in view.fields if field["visibility"] != "hidden"]
    absent = [field for field in absent if (names.own(field["id"]), field["fieldType"]) not in there]
    if not hides_absent or not absent:
        return None if both == base else both
    edit = Edit([*heads, file], device, now)
    for field in absent:
        edit.change(edit.fields[field["id"], field["fieldType"]], {"visibility": "hidden"})
    return edit.result()


def to_merge(heads):
    """Of more than 64 heads those that are merged first; none otherwise."""
    order = sorted(heads, key=lambda each: (each["timestamp"]["lamport"], each["timestamp"]["wall"], each["id"]))
    return order[:HEADS] if len(heads) > HEADS else []


# What breaks a rule about parents.

def broken(child, parents):
    """The rules about parents that an object breaks, which are errors; parents are objects."""
    rules = set()
    same = [parent["definition"] for parent in parents if ref_of(parent["definition"]) == ref_of(child["definition"])]
    if len(same) < len(parents):
        rules.add("schema-parent")
    lamport = max((parent["timestamp"]["lamport"] for parent in parents), default=0)
    if child["timestamp"]["lamport"] <= lamport:
        rules.add("lamport-not-increasing")
    if child["timestamp"]["lamport"] > lamport + JUMP:
        rules.add("lamport-jump")
    definition = child["definition"]
    if any(joined(parent, definition) != definition for parent in same):
        rules.add("schema-lost")

    for field in definition["fields"]:
        known = _before(field, same)
        if known and (field["createdBy"], field["createdAt"]) not in [(each["createdBy"], each["createdAt"]) for each in known]:
            rules.add("schema-provenance")
    if not is_in_range(definition, same):
        rules.add("schema-clock-range")
    return rules


def _before(field, definitions):
    """What definitions have of a field."""
    pair = field["id"], field["fieldType"]
    return [each for definition in definitions for each in definition["fields"] if (each["id"], each["fieldType"]) == pair]


def is_in_range(definition, before):
    """Whether no stamp of a definition that follows others ends the clock."""

    def holds(time, times):
        return time < LAST_YEAR or any(time in (each, after(each) if each < LAST else each) for each in times)

    return holds(definition["version"]["timestamp"], [each["version"]["timestamp"] for each in before]) and all(
        holds(field["updatedAt"], [each["updatedAt"] for each in _before(field, before)]) for field in definition["fields"])


def is_formed(definition):
    """Whether what rules of form say of a whole definition holds: places, pairs, and when the metadata were said."""
    places = [place(field) for field in definition["fields"]]
    pairs = {(field["id"], field["fieldType"]) for field in definition["fields"]}
    is_later = "metaVersion" not in definition or version_rank(definition["metaVersion"]) < version_rank(definition["version"])
    return places == sorted(places) and len(pairs) == len(places) and is_later


def copied(definition):
    return copy.deepcopy(definition)
