"""The rules of form of one schema, as an oracle: which it breaks and where.

`check` takes a parsed schema (numbers are floats) and the size of its text, and returns a list of (rule, JSON pointer). Parents, times and
authors are judged as those of nodes are.
"""

import hashlib

from node_rules import UUID, _Check, join, matches, time_form
from strict_json import canonical, is_integer

MAX_SIZE = 1_048_576
MAX_COUNTER = 2**53 - 1
TYPES = {"string", "int", "double", "bool", "date", "attachmentIds", "stringArray"}


def is_uuid(value):
    return matches(UUID, value) and value == value.lower()


def is_time(value):
    return time_form(value) == "full"


def is_text(value):
    return type(value) is str


def is_truth(value):
    return type(value) is bool


def is_id(value):
    content = value.encode() if is_text(value) else b""
    return 1 <= len(content) <= 200 and content[0] > 0x20 and content[-1] > 0x20


def is_key(value):
    return is_text(value) and 1 <= len(value.encode()) <= 200 and not matches(UUID, value)


def words(*all):
    return lambda value: is_text(value) and value in all


FIELD = {
    "id": is_uuid, "fieldType": words(*TYPES), "displayName": is_text, "isRequired": is_truth, "displayOrder": is_integer,
    "isMultiline": is_truth, "capitalizationMode": words("none", "words", "sentences", "allCharacters"),
    "visibility": words("active", "hidden", "deprecated"), "createdBy": is_uuid, "createdAt": is_time, "updatedBy": is_uuid, "updatedAt": is_time}
FIELD_OPTIONAL = {"placeholder": is_text, "helpText": is_text, "mergedInto": is_uuid, "x": lambda value: type(value) is dict}
BOUND = {
    "minLength": is_integer, "maxLength": is_integer, "minValue": lambda value: type(value) is float, "maxValue": lambda value: type(value) is float,
    "minDate": is_time, "maxDate": is_time, "pattern": is_text}


class _Schema(_Check):
    def error(self, rule, pointer):
        # What copies of nodes may have beside them is nothing that a schema may have.
        super().error("member-unknown" if rule == "member-envelope" else rule, pointer)

    def form(self, holder, pointer, members, rule, required=True):
        for name, test in members.items():
            value, place = self.member(holder, pointer, name, required)
            if value is not None and not test(value):
                self.error(rule, place)

    def schema(self, value):
        if type(value) is not dict:
            return self.error("schema-form", "")
        self.closed(value, "", {"schema", "parents", "timestamp", "author", "change", "definition", "id", "signature"})
        form, place = self.member(value, "", "schema")
        if form is not None and not (type(form) is float and form == 1):
            self.error("version-unsupported", place)
        self.parents(*self.member(value, "", "parents"))
        for part in ("timestamp", "author"):
            inner, place = self.member(value, "", part)
            if inner is not None:
                getattr(self, part)(inner, place) if type(inner) is dict else self.error("node-type", place)
        if type(value.get("author")) is dict:
            self.member(value["author"], "/author", "publicKey")
        change, place = self.member(value, "", "change")
        if change is not None and type(change) is not dict:
            self.error("schema-form", place)
        elif change is not None:
            self.closed(change, place, {"op", "source"})
            self.form(change, place, {"op": lambda word: is_text(word) and 1 <= len(word) <= 64 and not word.strip("abcdefghijklmnopqrstuvwxyz-"),
                                      "source": words("manual", "automatic", "import")}, "schema-form")
        definition, place = self.member(value, "", "definition")
        if definition is not None and type(definition) is not dict:
            self.error("schema-form", place)
        elif definition is not None:
            self.definition(definition, place)

    def definition(self, value, pointer):
        texts = {"displayName": is_text, "iconSystemName": is_text, "isBuiltIn": is_truth}
        more = {"description": is_text, "x": lambda inner: type(inner) is dict}
        self.closed(value, pointer, {"id", "scope", "version", "metaVersion", "fields", "keys", *texts, *more})
        self.form(value, pointer, {"id": is_id}, "schema-id-form")
        self.form(value, pointer, {"scope": is_uuid}, "schema-id-form", required=False)
        self.form(value, pointer, texts, "schema-form")
        self.form(value, pointer, more, "schema-form", required=False)
        for name in ("version", "metaVersion"):
            version, place = self.member(value, pointer, name, required=name == "version")
            if version is not None:
                self.version(version, place)
        if not self.errors and "metaVersion" in value and rank(value["metaVersion"]) >= rank(value["version"]):
            self.error("schema-version-form", join(pointer, "metaVersion"))
        fields, place = self.member(value, pointer, "fields")
        if fields is not None and type(fields) is not list:
            self.error("schema-form", place)
        elif fields is not None:
            self.fields(fields, place)
        keys, place = self.member(value, pointer, "keys")
        if keys is not None and type(keys) is not list:
            return self.error("schema-form", place)
        for index, key in enumerate(keys or []):
            if not is_key(key):
                self.error("schema-key-form", join(place, index))
            elif index and is_key(keys[index - 1]) and keys[index - 1].encode() >= key.encode():
                self.error("schema-order", join(place, index))

    def version(self, value, pointer):
        if type(value) is not dict:
            return self.error("schema-version-form", pointer)
        self.closed(value, pointer, {"timestamp", "deviceId", "counter"})
        self.form(value, pointer, {"timestamp": is_time, "deviceId": is_uuid,
                                   "counter": lambda number: is_integer(number) and 0 <= number <= MAX_COUNTER}, "schema-version-form")

    def fields(self, fields, pointer):
        for index, field in enumerate(fields):
            place = join(pointer, index)
            if type(field) is not dict:
                self.error("schema-field-form", place)
                continue
            self.closed(field, place, {*FIELD, *FIELD_OPTIONAL, "validationRules"})
            self.form(field, place, FIELD, "schema-field-form")
            self.form(field, place, FIELD_OPTIONAL, "schema-field-form", required=False)
            rules, where = self.member(field, place, "validationRules")
            if rules is not None and type(rules) is not list:
                self.error("schema-rule-form", where)
                rules = None
            for number, rule in enumerate(rules or []):
                self.rule(rule, join(where, number))
        if self.errors:
            return
        pairs = [(field["id"], field["fieldType"]) for field in fields]
        places = [(field["displayOrder"], *pair) for field, pair in zip(fields, pairs)]
        seen = set(pairs[:1])
        for index in range(1, len(fields)):
            if pairs[index] in seen:
                self.error("schema-field-duplicate", join(pointer, index))
            elif places[index] <= places[index - 1]:
                self.error("schema-order", join(pointer, index))
            seen.add(pairs[index])

    def rule(self, rule, place):
        if type(rule) is not dict:
            return self.error("schema-rule-form", place)
        self.closed(rule, place, {"type", "value"})
        self.form(rule, place, {"type": words(*BOUND)}, "schema-rule-form")
        bound, where = self.member(rule, place, "value")
        if bound is not None and is_text(rule.get("type")) and rule["type"] in BOUND and not BOUND[rule["type"]](bound):
            self.error("schema-rule-form", where)


def rank(version):
    return version["timestamp"], version["deviceId"], version["counter"]


def check(value, size):
    """What a schema breaks whose text has so many bytes."""
    state = _Schema()
    if size > MAX_SIZE:
        state.error("schema-size", "")
    state.schema(value)
    return state.errors


def hash_of(value):
    """The SHA-256 of the definition, in hex."""
    return hashlib.sha256(canonical(value["definition"])).hexdigest()
