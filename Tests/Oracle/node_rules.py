"""The v1 rules of one node, as an oracle: which rules it breaks and where.

`check` takes a parsed node (numbers are floats) and returns (errors, warnings), each a list of
(rule, JSON pointer). Ids and signatures are compared by `identity`.
"""

import datetime
import hashlib
import re

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from strict_json import canonical, is_integer

MAX_SIZE = 1_048_576
MAX_PARENTS = 64
MAX_LAMPORT = 2**48
ENVELOPE = ("accessList", "createdAt")
TOP = {"id", "version", "parents", "timestamp", "author", "action", "taskId", "data", "signature"}
ID = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{3})?Z", re.ASCII)
ACTION = re.compile(r"[A-Z][A-Z0-9_]{0,63}", re.ASCII)
KNOWN = {"CREATE", "UPDATE", "CREATE_TODO", "ADD_TODO", "COMPLETE_TODO", "SNOOZE", "COMPLETE", "ARCHIVE", "UNARCHIVE", "DELETE", "MERGE"}


def matches(pattern, value):
    return type(value) is str and pattern.fullmatch(value) is not None


def is_hex(value, count):
    return type(value) is str and len(value) == count and all(c in "0123456789abcdef" for c in value)


def time_form(value):
    """'full', 'short' (no fraction) or None."""
    match = TIME.fullmatch(value) if type(value) is str else None
    if not match:
        return None
    try:
        datetime.datetime(*map(int, match.groups()[:6]))
    except ValueError:
        return None
    return "full" if match.group(7) else "short"


def join(pointer, name):
    return pointer + "/" + str(name).replace("~", "~0").replace("/", "~1")


class _Check:
    def __init__(self):
        self.errors, self.warnings = [], []

    def error(self, rule, pointer):
        self.errors.append((rule, pointer))

    def warn(self, rule, pointer):
        self.warnings.append((rule, pointer))

    def time(self, value, pointer, rule):
        form = time_form(value)
        if form is None:
            self.error(rule, pointer)
        elif form == "short":
            self.warn("wall-precision", pointer)

    def member(self, holder, pointer, name, required=True):
        """The value of a member, or None when it is absent or null (both reported as they should be)."""
        place = join(pointer, name)
        if name not in holder:
            if required:
                self.error("member-missing", place)
            return None, place
        if holder[name] is None:
            self.error("member-null", place)
        return holder[name], place

    def closed(self, holder, pointer, names):
        for name in holder:
            if name not in names:
                envelope = pointer == "" and name in ENVELOPE
                self.error("member-envelope" if envelope else "member-unknown", join(pointer, name))

    # the node

    def node(self, node):
        if type(node) is not dict:
            return self.error("node-type", "")
        self.closed(node, "", TOP)
        value, place = self.member(node, "", "id", required=False)
        if value is not None and not matches(ID, value):
            self.error("id-form", place)
        value, place = self.member(node, "", "version")
        if value is not None and not (type(value) is float and value == 1):
            self.error("version-unsupported", place)
        self.parents(*self.member(node, "", "parents"))
        for part in ("timestamp", "author"):
            value, place = self.member(node, "", part)
            if value is not None:
                getattr(self, part)(value, place) if type(value) is dict else self.error("node-type", place)
        action, place = self.member(node, "", "action")
        if action is not None and not matches(ACTION, action):
            self.error("action-form", place)
            action = None
        if action is not None and action not in KNOWN:
            self.warn("action-unknown", place)
        value, place = self.member(node, "", "taskId", required=False)
        if value is not None and not matches(UUID, value):
            self.error("task-id-form", place)
        if "taskId" not in node and action in KNOWN:
            self.warn("task-id-missing", place)
        value, place = self.member(node, "", "signature", required=False)
        if value is not None and not is_hex(value, 128):
            self.error("signature-form", place)
        if action == "MERGE" and type(node.get("parents")) is list and len(node["parents"]) < 2:
            self.error("merge-parents", "/parents")
        value, place = self.member(node, "", "data")
        if value is not None:
            self.data(value, place, action)

    def parents(self, value, place):
        if value is None:
            return
        if type(value) is not list:
            return self.error("parents-form", place)
        if len(value) > MAX_PARENTS:
            self.error("parents-limit", place)
        seen = set()
        for index, parent in enumerate(value):
            if not matches(ID, parent):
                self.error("parents-form", join(place, index))
            elif parent in seen:
                self.error("parents-duplicate", join(place, index))
            else:
                seen.add(parent)

    def timestamp(self, value, place):
        self.closed(value, place, {"lamport", "wall"})
        lamport, where = self.member(value, place, "lamport")
        if lamport is not None and not (is_integer(lamport) and 1 <= lamport <= MAX_LAMPORT):
            self.error("lamport-form", where)
        wall, where = self.member(value, place, "wall")
        if wall is not None:
            self.time(wall, where, "wall-form")

    def author(self, value, place):
        self.closed(value, place, {"userId", "deviceId", "publicKey", "name", "email", "deviceName"})
        user, user_place = self.member(value, place, "userId")
        key, key_place = self.member(value, place, "publicKey", required=False)
        if user is not None and not is_hex(user, 32):
            self.error("user-id-form", user_place)
        if key is not None and not is_hex(key, 64):
            self.error("public-key-form", key_place)
        if is_hex(user, 32) and is_hex(key, 64) and key[:32] != user:
            self.error("user-id-mismatch", user_place)
        device, where = self.member(value, place, "deviceId")
        if device is not None and not (type(device) is str and device):
            self.error("device-id-form", where)
        for name in ("name", "email", "deviceName"):
            text, where = self.member(value, place, name, required=False)
            if text is not None and type(text) is not str:
                self.error("author-text", where)

    def data(self, value, place, action):
        if type(value) is not dict:
            return self.error("data-shape", place)
        self.closed(value, place, {"fields", "payload", "conflictResolution"})
        resolution, where = self.member(value, place, "conflictResolution", required=False)
        if resolution is not None and (type(resolution) is not dict or action not in ("MERGE", None)):
            self.error("conflict-resolution-form", where)
        forms = [name for name in ("fields", "payload") if name in value]
        if len(forms) != 1:
            return self.error("data-shape", place)
        content, where = self.member(value, place, forms[0])
        if content is None:
            return None
        if type(content) is not dict:
            return self.error("data-shape", where)
        return self.content(content, where, action, forms[0])

    # the content

    def content(self, content, place, action, form):
        def need(*names):
            for name in names:
                if name not in content:
                    self.error("payload-missing", join(place, name))

        def typed(*names):
            for name in names:
                if name in content:
                    self.value(name, content[name], join(place, name))

        task = ("title", "description", "privacy", "storyPoints", "priority", "frequencyDays")
        if action == "CREATE":
            need("title")
            typed(*task, "todos")
        elif action == "UPDATE" or action == "MERGE" and form == "fields":
            if not content and action == "UPDATE":
                self.error("payload-missing", place)
            for name in ("archived", "deleted", "todoTasks", "guid", "todos"):
                if name in content:
                    self.error("payload-forbidden", join(place, name))
            typed(*task, *(["completedAt"] if action == "MERGE" else []))
        elif action in ("CREATE_TODO", "ADD_TODO"):
            need("todoTaskId")
            typed("todoTaskId", "deadline", "notes", "title")
        elif action == "COMPLETE_TODO":
            need("todoTaskId")
            typed("todoTaskId", "completed", "notes")
        elif action == "SNOOZE":
            need("todoTaskId")
            ways = [name for name in content if name in ("newDeadline", "daysToExtend", "snoozeDays")]
            if not ways:
                self.error("payload-missing", place)
            for name in ways[1:]:
                self.error("payload-forbidden", join(place, name))
            typed("todoTaskId", "newDeadline", "daysToExtend", "snoozeDays", "notes")
        elif action == "COMPLETE":
            need("completedAt")
            typed("completedAt")
        elif action == "DELETE":
            typed("deletedChain")
        elif action == "MERGE":
            self.merge(content, place)

    def shaped(self, value, place, shape):
        """A value and what is inside of it: `{name: shape}`, `[shape]` or a test; other names are free."""
        if type(shape) is dict and type(value) is dict:
            for name in value:
                if name in shape:
                    self.shaped(value[name], join(place, name), shape[name])
        elif type(shape) is list and type(value) is list:
            for index, element in enumerate(value):
                self.shaped(element, join(place, index), shape[0])
        elif type(shape) in (dict, list) or not shape(value):
            self.error("payload-type", place)

    def merge(self, content, place):
        """The payload of a MERGE: base, policy and resolutions (section 4)."""
        text, id, uuid = (lambda v: type(v) is str), (lambda v: matches(ID, v)), (lambda v: matches(UUID, v))
        entries = [{"path": text, "strategy": text, "notes": text, "chosenParent": id}]
        shape = {"base": id, "policy": {"defaultStrategy": text}, "resolutions": {"task": entries, "todos": [{"todoTaskId": uuid, "fields": entries}]}}
        self.shaped(content, place, shape)

    def value(self, name, value, place, in_todo=False):
        if name in ("deadline", "completed", "completedAt", "newDeadline"):
            return self.time(value, place, "payload-type")
        if name == "deletedChain" and type(value) is list:
            for index, id in enumerate(value):
                if not matches(ID, id):
                    self.error("payload-type", join(place, index))
            return None
        if name == "todos" and type(value) is list:
            for index, todo in enumerate(value):
                where = join(place, index)
                if type(todo) is not dict:
                    self.error("payload-type", where)
                    continue
                for member in ("todoTaskId", "title", "deadline", "notes", "completed"):
                    if member in todo:
                        self.value(member, todo[member], join(where, member), in_todo=True)
            return None
        good = {
            "title": lambda: type(value) is str and (value or in_todo),
            "description": lambda: type(value) is str,
            "notes": lambda: type(value) is str,
            "privacy": lambda: type(value) is bool,
            "storyPoints": lambda: type(value) is float and value >= 0,
            "priority": lambda: is_integer(value),
            "frequencyDays": lambda: is_integer(value) and value >= 0,
            "daysToExtend": lambda: is_integer(value) and 1 <= value <= 36_500,
            "snoozeDays": lambda: is_integer(value) and 1 <= value <= 36_500,
            "todoTaskId": lambda: matches(UUID, value),
        }.get(name, lambda: False)()
        if not good:
            self.error("payload-type", place)
        elif name == "priority" and not 1 <= value <= 5:
            self.warn("payload-range", place)
        return None


def check(node, size=0):
    """Errors and warnings of a node whose text has `size` bytes."""
    state = _Check()
    if size > MAX_SIZE:
        state.error("node-size", "")
    state.node(node)
    return state.errors, state.warnings


def body(node):
    """The canonical bytes that are hashed."""
    return canonical({k: v for k, v in node.items() if k not in ("id", "signature", *ENVELOPE)})


def id_of(node):
    return "sha256:" + hashlib.sha256(body(node)).hexdigest()


def signed_form(node, key):
    """Which form the signature holds in under the key (64 hex digits): 'body', 'digest' or None."""
    message = body(node)
    for form, text in (("body", message), ("digest", hashlib.sha256(message).digest())):
        try:
            VerifyKey(bytes.fromhex(key)).verify(text, bytes.fromhex(node["signature"]))
            return form
        except (BadSignatureError, ValueError, TypeError):
            pass
    return None


class Keys:
    """The keys seen so far, by userId; one that has two keys is ambiguous."""

    def __init__(self):
        self.seen = {}

    def add(self, node):
        author = node["author"]
        if "publicKey" in author:
            self.seen.setdefault(author["userId"], set()).add(author["publicKey"])

    def of(self, node):
        author = node["author"]
        known = self.seen.get(author["userId"], ())
        return author.get("publicKey") or (next(iter(known)) if len(known) == 1 else None)


def verdict(node, keys, size=0):
    """(letter, form or '-', rule or '-', pointer) of one node; a good one adds its key to `keys`."""
    errors, _ = check(node, size)
    if not errors and "id" in node and node["id"] != id_of(node):
        errors = [("hash-mismatch", "/id")]
    if errors:
        return "B", "-", *errors[0]
    if "signature" not in node:
        letter, form, rule = "N", "-", "signature-missing"
    elif not keys.of(node):
        letter, form, rule = "E", "-", "key-unknown"
    else:
        form = signed_form(node, keys.of(node))
        if form is None:
            return "B", "-", "signature-bad", "/signature"
        letter, rule = "G", "-"
    keys.add(node)
    return letter, form, rule, ""
