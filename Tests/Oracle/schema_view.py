"""What people see of a definition of a schema, from the text of the specification alone: which field a key names, twins, merged fields,
names that collide, where a field comes from; and the JSON of the public app as a definition.

Definitions are those of `schema_join.py`: parsed JSON in the form in which they are stored.
"""

import hashlib
import math
import re
from datetime import datetime, timedelta, timezone

from schema_join import PAST, ZERO, digest

LAST = "9999-12-31T23:59:59.999Z"
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
# Fields that the app brings along, of one of its five schemas: what is tested here needs no other one.
BUILT_IN = {"vaccine": "vaccineName dateAdministered provider batchNumber doseNumber expirationDate notes attachmentIds".split()}


def uuid_of(text):
    """The UUID that a text stands for wherever it is met."""
    hex_ = hashlib.sha256(text.encode()).hexdigest()
    return "-".join((hex_[:8], hex_[8:12], hex_[12:16], hex_[16:20], hex_[20:32]))


def rank(field):
    """What is greater counts, of two definitions of one field."""
    return field["updatedAt"], field["updatedBy"].encode(), digest(field)


def text_of(time):
    return f"{time.year:04}" + time.strftime("-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"


def after(text):
    """A millisecond later."""
    return text_of(datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") + timedelta(milliseconds=1))


def place(field):
    return field["displayOrder"], field["id"], field["fieldType"]


class Names:
    """The other names of the keys of a schema."""

    def __init__(self, schema, keys, built_in=BUILT_IN):
        self.schema = schema
        built = built_in.get(schema, [])
        self.keys = {*keys, *built}
        qualified = {self.qualified(key) for key in self.keys}
        self.meant = {uuid_of(key): self.qualified(key) for key in self.keys if uuid_of(key) not in qualified}
        order = list(built_in).index(schema) + 1 if built else 0
        self.fixed = {self.qualified(key): f"00000001-{order:04x}-{number:04x}-0000-000000000000" for number, key in enumerate(built, 1)}
        self.meant |= {other: own for own, other in self.fixed.items()}

    def qualified(self, key):
        return uuid_of(f"{self.schema}:{key}")

    def own(self, name):
        """The id that a name in the form of a UUID stands for."""
        return self.meant.get(name, name)


class View:
    """A definition as people see it."""

    def __init__(self, definition, built_in=BUILT_IN):
        self.definition = definition
        self.names = Names(definition["id"], definition["keys"], built_in)
        best = {}
        for field in definition["fields"]:
            pair = self.names.own(field["id"]), field["fieldType"]
            if pair not in best or rank(field) > rank(best[pair]):
                best[pair] = field
        self.lines = {}
        for (own, _), field in best.items():
            self.lines.setdefault(own, []).append(field)
        self.stored = {}
        shown = []
        for own, line in self.lines.items():
            line.sort(key=lambda each: (each["createdAt"], each["createdBy"], each["fieldType"]))
            for number, field in enumerate(line):
                seen = {**field, "id": own if number == 0 else uuid_of(f"{own}:{field['fieldType']}")}
                shown.append(seen)
                self.stored[seen["id"]] = field
        # All fields, each under the id with which it is shown.
        self.fields = sorted(shown, key=place)
        self.by_id = {field["id"]: field for field in self.fields}

    def resolve(self, key, kind=None):
        """The id of the field that a record's key names, if it is of a type; None for a key of nobody."""
        candidates = [key.lower()] if UUID.match(key) else [self.names.qualified(key), uuid_of(key)]
        for name in candidates:
            own = self.names.own(name)
            if own in self.lines:
                line = self.lines[own]
                chosen = next((each for each in line if each["fieldType"] == kind), line[0])
                return own if chosen is line[0] else uuid_of(f"{own}:{chosen['fieldType']}")
            for own, line in self.lines.items():
                others = [own, *(other for other, meant in self.names.meant.items() if meant == own)]
                for number, field in enumerate(line):
                    if name in (uuid_of(f"{other}:{field['fieldType']}") for other in others):
                        return own if number == 0 else uuid_of(f"{own}:{field['fieldType']}")
        return None

    def target(self, field):
        """What a field is merged into, of its type."""
        found = self.resolve(field["mergedInto"], field["fieldType"]) if "mergedInto" in field else None
        return found if found and self.by_id[found]["fieldType"] == field["fieldType"] else None

    def home(self, shown):
        """Where the values of a field are shown: of a circle at its least id."""
        path = []
        while shown not in path:
            path.append(shown)
            shown = self.target(self.by_id[shown])
            if shown is None:
                return path[-1]
        return min(path[path.index(shown):])

    def is_active(self, field):
        return field["visibility"] == "active" and self.home(field["id"]) == field["id"]

    def collisions(self):
        """Active fields of one name: {name: ids}, in the order in which they are shown."""
        found = {}
        for field in self.fields:
            if self.is_active(field):
                found.setdefault(field["displayName"], []).append(field["id"])
        return {name: ids for name, ids in sorted(found.items(), key=lambda item: item[0].encode()) if len(ids) > 1}


# Provenance.

def day(time, now):
    date = datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
    return f"{date:%b} {date.day}" + ("" if f"{date.year:04}" == now[:4] else f", {date.year}")


def provenance(field, devices, now):
    """Where a field comes from; devices are {id: (name, whether it is revoked)}."""

    def said(by, at):
        name, is_revoked = devices.get(by, (by[:8], False))
        who = "" if by == ZERO else f" by {name}" + (" (revoked)" if is_revoked else "")
        return who + ("" if at == PAST else f" on {day(at, now)}")

    built_in = field["createdBy"] == ZERO and field["createdAt"] == PAST
    text = "Built in" if built_in else "Created" + said(field["createdBy"], field["createdAt"])
    # One that nobody has changed has no stamp at all.
    if field["updatedBy"] != field["createdBy"] and (field["updatedBy"], field["updatedAt"]) != (ZERO, PAST):
        text += ", changed" + said(field["updatedBy"], field["updatedAt"])
    return text


# The app's JSON.

KNOWN = {"placeholder", "helpText", "mergedInto", "description", "scope", "metaVersion"}


def written(value):
    """A time as the app writes it: a text, seconds since 2001, or nothing."""
    if value is None:
        return PAST
    start = datetime(1, 1, 1, tzinfo=timezone.utc)
    if isinstance(value, str):
        if len(value) == 10:
            value += "T00:00:00Z"
        form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in value else "%Y-%m-%dT%H:%M:%SZ"
        time = datetime.strptime(value, form).replace(tzinfo=timezone.utc)
    else:
        whole = math.copysign(math.floor(abs(value * 1000) + 0.5), value)
        since = (datetime(2001, 1, 1, tzinfo=timezone.utc) - start) // timedelta(milliseconds=1) + int(whole)
        time = start + timedelta(milliseconds=max(since, 0))
    return text_of(time)


def _others(old, new):
    """Members that nobody here knows, with those that stood apart before."""
    others = {name: value for name, value in old.items() if name not in new and name not in KNOWN | {"x"} and value is not None}
    others |= old.get("x") or {}
    if others:
        new["x"] = others


def taken(old, scope=None, built_in=BUILT_IN):
    """A schema in any of the forms of the app, or a definition, as import reads it."""
    id_ = old["id"].strip(" \t\r\n")
    keys = {*(old.get("keys") or []), *(field["id"] for field in old["fields"] if not UUID.match(field["id"]))}
    names = Names(id_, keys, built_in)
    fields = {}
    for field in old["fields"]:
        raw = field["id"]
        given = {name: value for name, value in field.items() if value is not None}
        rules = [{**rule, "value": written(rule["value"])} if rule["type"] in ("minDate", "maxDate") else dict(rule)
                 for rule in given.get("validationRules", [])]
        new = {
            "id": names.own(raw.lower()) if UUID.match(raw) else names.qualified(raw), "fieldType": field["fieldType"],
            "displayName": given.get("displayName", raw), "isRequired": given.get("isRequired", False),
            "displayOrder": given.get("displayOrder", 0), "validationRules": rules, "isMultiline": given.get("isMultiline", False),
            "capitalizationMode": given.get("capitalizationMode", "sentences"), "visibility": given.get("visibility", "active"),
            "createdBy": given.get("createdBy", ZERO).lower(), "createdAt": written(given.get("createdAt")),
            "updatedBy": given.get("updatedBy", ZERO).lower(), "updatedAt": written(given.get("updatedAt"))}
        new |= {name: given[name] for name in ("placeholder", "helpText") if name in given}
        if "mergedInto" in given:
            new["mergedInto"] = given["mergedInto"].lower()
        _others(field, new)
        pair = new["id"], new["fieldType"]
        if pair not in fields or rank(new) > rank(fields[pair]):
            fields[pair] = new

    def version(value):
        if isinstance(value, dict):
            return {"timestamp": written(value["timestamp"]), "deviceId": value["deviceId"].lower(), "counter": value["counter"]}
        return {"timestamp": PAST, "deviceId": ZERO, "counter": 1 if value is None else value}

    made = {
        "id": id_, "displayName": old["displayName"], "iconSystemName": old["iconSystemName"], "isBuiltIn": old.get("isBuiltIn") or False,
        "version": version(old.get("version")), "fields": sorted(fields.values(), key=place),
        "keys": sorted(keys - set(built_in.get(id_, [])), key=str.encode)}
    if old.get("description") is not None:
        made["description"] = old["description"]
    scope = scope or old.get("scope")
    if scope:
        made["scope"] = scope.lower()
    if old.get("metaVersion") is not None and version(old["metaVersion"]) != made["version"]:
        made["metaVersion"] = version(old["metaVersion"])
    _others(old, made)
    return made
