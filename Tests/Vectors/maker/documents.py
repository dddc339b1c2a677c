"""firestore/: documents as the phone app and others write them, and what must be found in them.

The typed values are written by this maker, from the types that the clients' libraries give them; no code is shared with the sources.
"""

import base64
import datetime
import json

from .common import ADA, BEN, Folder, Typed, canonical, id_of, name_id, seal, typed
from .history import History, todo_id, wall_at
from .node_base import TASK, TODO, base

ACCOUNT = "105903772564891234567"
NAME = "projects/demo/databases/(default)/documents/nodes/"
AT = "2025-11-16T10:00:00.000Z"
UTC = datetime.timezone.utc


SAMPLE_ID = "sha256:7f9a3c5b2d8e1a6f4b3c9d7e2a5f8b1c4d9e6a3f7b2c5d8e1a4f9b3c6d7e2a5f"
SAMPLE = {
    "version": 1, "parents": [], "timestamp": {"lamport": 1, "wall": AT},
    "author": {"userId": "abc123def456789abc123def456789ab", "deviceId": "ios-iphone-14-pro",
               "publicKey": "abc123def456789abc123def456789abc123def456789abc123def456789abcd"},
    "action": "CREATE", "taskId": "550e8400-e29b-41d4-a716-446655440000",
    "data": {"fields": {"title": "Buy groceries", "priority": 3, "timeEstimate": 30, "createdAt": AT}},
}


def time_at(text):
    return Typed("timestampValue", text)


def seconds(text, low="_"):
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    return {f"{low}seconds": int(moment.timestamp()), f"{low}nanoseconds": moment.microsecond * 1000}


def node(action="CREATE", content=None, more=None, form="fields", **data):
    made = base(action)
    if content is not None:
        made["data"] = {form: content}
    made["data"].update(data)
    for path, value in (more or {}).items():
        place, (*steps, last) = made, path.split(".")
        for step in steps:
            place = place[step]
        place[last] = value
    return made


def document_of(fields, document_id, taken="2025-11-16T10:00:01.234567Z"):
    return {"name": NAME + document_id, "fields": {k: typed(v) for k, v in fields.items()}, "createTime": taken, "updateTime": taken}


class Documents:
    def __init__(self, root):
        self.folder, self.nodes = Folder(root, "firestore"), []

    def write(self, name, fields, document_id):
        document = document_of(fields, document_id)
        self.folder.write(name + ".json", (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode())

    def good(self, name, found, made, change=lambda d: None, created=time_at(AT), at="2025-11-16T10:00:00Z", signed=True, person=ADA,
             canonical_field=False):
        """A document from which the node `made` must be recovered, after `change` has done its worst."""
        whole = seal(made, person, "body" if signed else None)
        if canonical(whole) not in self.nodes:
            self.nodes.append(canonical(whole))
        fields = json.loads(json.dumps(whole))
        fields["accessList"] = [ACCOUNT]
        if created is not None:
            fields["createdAt"] = created
        if canonical_field:
            body = canonical({k: v for k, v in whole.items() if k not in ("id", "signature")})
            fields["canonical"] = Typed("bytesValue", base64.b64encode(body).decode())
        change(fields)
        self.write(name, fields, whole["id"])
        self.folder.row(name + ".json", "recovered", found, whole["id"], "-", at, "-")

    def bad(self, name, found, made, change, computed=None, document_id=None, message=None):
        """A document in which no node is found."""
        whole = seal(made)
        fields = json.loads(json.dumps(whole))
        fields["accessList"], fields["createdAt"] = [ACCOUNT], time_at(AT)
        change(fields)
        self.write(name, fields, document_id or whole["id"])
        self.folder.row(name + ".json", found, "-", document_id or whole["id"], computed(fields) if computed else "-", "-", message or "-")


def put(path, value):
    def change(fields):
        place, (*steps, last) = fields, path.split("/")
        for step in steps:
            place = place[step]
        place[last] = value
    return change


def all_of(*changes):
    def change(fields):
        for one in changes:
            one(fields)
    return change


def flat(fields):
    """`data` as the schema's own listing has it: the content itself."""
    data = fields["data"]
    content = data.pop("fields", None)
    if content is None:
        content = data.pop("payload")
    fields["data"] = {**content, **data}


def take(path):
    def change(fields):
        place, (*steps, last) = fields, path.split("/")
        for step in steps:
            place = place[step]
        del place[last]
    return change


def plain_id(fields):
    """The hash of the plain values as they stand."""
    return id_of({k: v for k, v in fields.items() if k not in ("canonical",)})


def nested(depth):
    value = "deep"
    for _ in range(depth):
        value = {"a": value}
    return value


def make(root):
    d = Documents(root)
    groceries = {"title": "Buy groceries", "priority": 3, "timeEstimate": 30, "createdAt": AT}
    resolution = {"strategy": "union", "preservedFields": ["completedAt", "priority"], "source": "automatic"}
    completed = {"completedAt": AT, "priority": 1}

    # As the schema and the samples say.
    d.good("plain--create", "plain", node(content=groceries))
    d.good("plain--update", "plain", node("UPDATE", {"priority": 5}))
    d.good("plain--merge", "plain", node("MERGE", completed, conflictResolution=resolution))
    d.good("plain--payload", "plain", node("UPDATE", {"priority": 5}, form="payload"))
    d.good("plain--unsigned", "plain", node("ARCHIVE"), signed=False)
    text = {"title": "Test émojis 🚀🎉 and symbols ✓✗", "description": "Multi-line\nwith\ttabs\nand \"quotes\" \\ \u0000 \u007f", "cafe\u0301": "NFD", "café": "NFC",
            "\ue000": 1, "\U00010000": 2, "a.b": 3, "`": 4, "_": 5}
    d.good("plain--text", "plain", node(content=text))
    d.good("plain--numbers", "plain", node("UPDATE", {
        "zero": 0, "small": 5e-324, "large": 1e308, "third": 1 / 3, "negative": -1.5, "safe": 2**53 - 1, "above": float(2**53 + 2), "power": float(2**60), "wide": 1e21}))
    d.good("plain--whole-number-as-double", "plain", node(content={"title": "t", "storyPoints": 3}), put("data/fields/storyPoints", 3.0))
    d.good("plain--other-members-of-the-envelope", "plain", node("COMPLETE"), signed=False, change=put("signature", None))
    d.good("plain--time-as-timestamp", "plain", node("COMPLETE", {"completedAt": AT}), put("data/fields/completedAt", time_at("2025-11-16T10:00:00.000999Z")))

    # When the service took it (K26).
    for name, created, at in [
        ("iso-string", AT, "2025-11-16T10:00:00Z"), ("low-line-map", seconds(AT), "2025-11-16T10:00:00Z"),
        ("map", seconds("2025-11-16T10:00:00.250Z", ""), "2025-11-16T10:00:00.250Z"), ("microseconds", time_at("2025-11-16T10:00:00.123456Z"), "2025-11-16T10:00:00.123456Z"),
        ("absent", None, "-"), ("text", "yesterday", "-"), ("number", 1763287200, "-"),
    ]:
        d.good(f"created-at--{name}", "plain", node(content=groceries), created=created, at=at)

    # Flattened.
    d.good("flat--create", "repaired (flat data as fields)", node(content=groceries), flat)
    d.good("flat--merge", "repaired (flat data as fields)", node("MERGE", completed, conflictResolution=resolution), flat)
    d.good("flat--payload", "repaired (flat data as payload)", node("UPDATE", {"priority": 4}, form="payload"), flat)
    d.good("flat--empty", "repaired (flat data as fields)", node("ARCHIVE"), flat)
    d.good("flat--no-data", "repaired (flat data as fields)", node("UNARCHIVE"), take("data"))
    d.good("flat--member-called-fields", "repaired (flat data as fields)", node("UPDATE", {"fields": {"a": 1}}), flat)
    d.good("outside--fields", "repaired (content outside of data)", node("UPDATE", {"priority": 2}), all_of(put("fields", {"priority": 2}), take("data")))
    # Written twice, the second time with merge: what was there stays.
    d.good("beside--merged-over-flat", "repaired (members beside the content)", node("UPDATE", {"priority": 1}), all_of(put("data/priority", 1), put("data/title", "old")))
    d.good("beside--fields-and-payload", "repaired (members beside the content)", node("UPDATE", {"priority": 1}, form="payload"), put("data/fields", {}))
    d.good("beside--members-of-others", "repaired", node("UPDATE", {"priority": 6}), all_of(put("syncedAt", time_at(AT)), put("userId", ACCOUNT), put("ownerId", ACCOUNT)))

    # Padded.
    d.good("padded--author", "repaired (empty texts of the author)", node("UPDATE", {"priority": 3}), all_of(put("author/name", ""), put("author/email", "")))
    d.good("padded--author-null", "repaired", node("UPDATE", {"priority": 3, "a": 1}), put("author/name", None))
    d.good("padded--no-key", "repaired", node("UPDATE", {"priority": 3}, more={"author": {"userId": ADA.user, "deviceId": "x"}}), put("author/publicKey", ""))
    d.good("padded--no-task", "repaired", without_task(), put("taskId", ""))
    d.good("padded--no-signature", "plain", node("UPDATE", {"priority": 7}), put("signature", ""), signed=False)
    d.good("padded--no-parents", "repaired", node(content={"title": "t"}), take("parents"))
    d.good("padded--content-nulls", "repaired (nulls in the content)", node("UPDATE", {"title": "t", "notes": ""}), put("data/fields/deadline", None))
    d.good("padded--content-empty", "repaired (empty texts in the content)", node("CREATE", {"title": "t", "todos": [{"title": "a"}]}),
           all_of(put("data/fields/description", ""), put("data/fields/todos", [{"title": "a", "notes": "", "deadline": None}])))
    d.good("padded--empty-name-is-meant", "plain", node("UPDATE", {"priority": 3}, more={"author.name": ""}))
    # An empty text that is meant beside padded ones, and members of others within those that the protocol names.
    d.good("mixed--author-name-is-meant", "repaired (empty texts of the author)", node("UPDATE", {"priority": 3}, more={"author.name": ""}),
           all_of(put("author/email", ""), put("author/deviceName", "")))
    d.good("mixed--content-one-is-meant", "repaired (empty texts in the content)", node("UPDATE", {"title": "t", "notes": ""}),
           put("data/fields/description", ""))
    d.good("mixed--content-within", "repaired (empty texts in the content)", node("CREATE", {"title": "t", "todos": [{"title": "a", "notes": ""}]}),
           all_of(put("data/fields/description", ""), put("data/fields/deadline", None)))
    d.good("mixed--null-is-meant", "repaired (empty texts in the content)", node("UPDATE", {"title": "t", "deadline": None}), put("data/fields/notes", ""))
    d.good("mixed--both-flat", "repaired (empty texts in the content, empty texts of the author, flat data as fields)",
           node("UPDATE", {"title": "t", "notes": ""}, more={"author.name": ""}),
           all_of(flat, put("data/description", ""), put("author/email", "")))
    d.good("others--author", "repaired", node("UPDATE", {"priority": 3}),
           all_of(put("author/photoUrl", "https://example.org/a.png"), put("author/uid", ACCOUNT)))
    d.good("others--timestamp", "repaired", node("UPDATE", {"priority": 3}), put("timestamp/server", time_at(AT)))
    d.good("others--both-and-padded", "repaired (empty texts of the author, nulls in the content)",
           node("UPDATE", {"priority": 3}),
           all_of(put("author/photoUrl", None), put("timestamp/zone", "UTC"), put("author/email", ""), put("data/fields/deadline", None)))
    d.good("times--content-map", "repaired (times as maps)", node("COMPLETE_TODO", {"todoTaskId": TODO, "completed": "2025-11-16T10:00:00.250Z"}),
           put("data/fields/completed", seconds("2025-11-16T10:00:00.250Z")))
    d.good("times--map-is-meant", "plain", node("UPDATE", {"x": seconds(AT)}))
    d.good("times--wall-timestamp", "plain", node(content={"title": "w"}), put("timestamp/wall", time_at("2025-03-01T08:00:00Z")))
    d.good("times--wall-map", "repaired", node(content={"title": "w"}), put("timestamp/wall", seconds("2025-03-01T08:00:00.000Z")))
    d.good("all--at-once",
           "repaired (empty texts in the content, empty texts of the author, flat data as payload, times as maps)",
           node("SNOOZE", {"todoTaskId": TODO, "newDeadline": AT}, form="payload"),
           all_of(flat, put("data/newDeadline", seconds(AT)), put("data/notes", ""), put("author/name", ""), put("author/email", None), put("syncedAt", 1)))

    # What Firestore does not keep.
    d.good("canonical--nested-arrays", "canonical", node("UPDATE", {"grid": [[1, 2], [3]], "priority": 1}), take("data/fields/grid"), canonical_field=True)
    d.good("canonical--reserved-name", "canonical", node("UPDATE", {"__x__": 1, "priority": 1}), take("data/fields/__x__"), canonical_field=True)
    d.good("canonical--empty-name", "canonical", node(content={**text, "": 6}), take("data/fields/"), canonical_field=True)
    d.good("canonical--deep", "canonical", node("UPDATE", {"deep": nested(25), "priority": 1}), take("data/fields/deep"), canonical_field=True)
    d.good("canonical--beats-fields", "canonical", node("UPDATE", {"priority": 2, "a": 1}), put("data/fields/priority", 5), canonical_field=True)
    d.good("canonical--damaged-beside-good-fields", "plain", node("UPDATE", {"priority": 2, "b": 1}), put("canonical", Typed("bytesValue", "e30=")), canonical_field=True)

    # Damaged.
    made = node(content=groceries)
    d.bad("hash--title", "hashMismatch", made, put("data/fields/title", "Buy nothing"), plain_id)
    d.bad("hash--parent", "hashMismatch", node("UPDATE", {"priority": 5}), put("parents", ["sha256:nonexistent"]), plain_id)
    d.bad("hash--missing-member", "hashMismatch", made, take("author/publicKey"), plain_id)
    d.bad("hash--canonical", "hashMismatch", made, all_of(put("canonical", Typed("bytesValue", "e30=")), put("version", 2)), lambda f: id_of({}))
    d.bad("hash--empty", "hashMismatch", made, lambda f: f.clear(), lambda f: id_of({}))
    d.bad("signature--too-short", "signatureForm", made, put("signature", seal(made)["signature"][:124]))
    d.bad("signature--number", "signatureForm", made, put("signature", 1))
    d.bad("id--under-another-name", "idMismatch", made, lambda f: None, lambda f: f["id"], name_id("elsewhere"))
    d.bad("id--under-no-id", "idMismatch", made, lambda f: None, lambda f: f["id"], "Jx8Yk2")
    d.bad("id--none", "noID", made, put("id", "sha256:abc123..."), document_id="sha256:abc123...")
    d.bad("value--nan", "unreadable", made, put("data/fields/priority", Typed("doubleValue", "NaN")), message="/data/fields/priority")
    d.bad("value--infinity", "unreadable", made, put("data/fields/priority", Typed("doubleValue", "-Infinity")),
          message="/data/fields/priority")
    d.bad("value--integer", "unreadable", made, put("data/fields/todos", [1, {"a": 2**53 + 1}]), message="/data/fields/todos/1/a")
    d.bad("value--bytes", "unreadable", made, put("data/fields/title", Typed("bytesValue", "AAAA")), message="/data/fields/title")
    d.bad("value--reference", "unreadable", made, put("author", Typed("referenceValue", NAME + "x")), message="/author")
    d.bad("value--geo-point", "unreadable", made, put("data/fields/at", Typed("geoPointValue", {"latitude": 1})), message="/data/fields/at")

    # The first of the samples as it stands: neither its id nor its signature is real.
    d.write("sample--create", {**SAMPLE, "id": SAMPLE_ID, "signature": ("a1b2c3d4e5f6789" * 9)[:124], "accessList": [ACCOUNT],
                               "createdAt": {"_seconds": 1731751200, "_nanoseconds": 0}}, SAMPLE_ID)
    d.folder.row("sample--create.json", "hashMismatch", "-", SAMPLE_ID, id_of(SAMPLE), "-", "-")

    app_log(d.folder)
    d.folder.write("nodes.ndjson", b"".join(line + b"\n" for line in d.nodes))
    d.folder.finish("file", "verdict", "form", "id", "computed", "createdAt", "place")


def without_task():
    made = node("UPDATE", {"priority": 3})
    del made["taskId"]
    return made


def app_log(folder):
    """One log of two people whose clients have written in every manner; and three documents that somebody has damaged."""
    log = History()
    last = {}

    def add(action, content, task=1, person=ADA, form="fields", parents=None, **data):
        log.shape = form
        parents = parents if parents is not None else [last[task]] if task in last else []
        last[task] = log.add(action, content, parents, task, person=person, data=data)
        return last[task]

    styles = []
    for change, made in [
        (None, lambda: add("CREATE", {"title": "Buy groceries", "priority": 3, "timeEstimate": 30, "createdAt": AT})),
        (flat, lambda: add("CREATE", {"title": "Test émojis 🚀🎉 and symbols ✓✗", "priority": 1}, task=2, person=BEN)),
        (put("author/name", ""), lambda: add("CREATE_TODO", {"todoTaskId": todo_id(1), "deadline": wall_at(10_080)})),
        (all_of(flat, put("data/notes", "")), lambda: add("UPDATE", {"description": "Multi-line\nwith\ttabs and \"quotes\""}, task=2, person=BEN, form="payload")),
        (put("data/fields/deadline", None), lambda: add("UPDATE", {"priority": 5, "storyPoints": 2.5}, person=BEN)),
        (all_of(put("data/todoTaskId", todo_id(1)), put("syncedAt", time_at(AT))), lambda: add("COMPLETE_TODO", {"todoTaskId": todo_id(1), "completed": wall_at(60)})),
        (put("data/fields/deadline", seconds(wall_at(30_000))), lambda: add("ADD_TODO", {"todoTaskId": todo_id(2), "deadline": wall_at(30_000)}, task=2)),
        (take("data/fields/grid"), lambda: add("UPDATE", {"grid": [[1, 2], [3]], "priority": 2}, task=2)),
        (flat, lambda: add("ARCHIVE", {}, task=2, person=BEN)),
    ]:
        styles.append((made(), change))
    base_of = last[1]
    left = add("COMPLETE", {"completedAt": wall_at(90)}, person=ADA, parents=[base_of])
    styles.append((left, put("data/fields/completedAt", time_at(wall_at(90)))))
    right = add("UPDATE", {"priority": 1}, person=BEN, parents=[base_of])
    styles.append((right, None))
    both = add("MERGE", {"completedAt": wall_at(90), "priority": 1}, parents=[left, right],
               conflictResolution={"strategy": "union", "preservedFields": ["completedAt", "priority"], "source": "automatic"})
    styles.append((both, flat))

    lines = []
    for number, (whole, change) in enumerate(styles):
        fields = json.loads(json.dumps(whole))
        fields["accessList"] = [ACCOUNT]
        taken = wall_at(1000 + number)
        fields["createdAt"] = [time_at(taken), taken, seconds(taken)][number % 3]
        if "grid" in whole["data"].get("fields", {}):
            body = canonical({k: v for k, v in whole.items() if k not in ("id", "signature")})
            fields["canonical"] = Typed("bytesValue", base64.b64encode(body).decode())
        if change:
            change(fields)
        lines.append(json.dumps(document_of(fields, whole["id"], taken), ensure_ascii=False))
    folder.write("app-documents.ndjson", "".join(line + "\n" for line in lines).encode())
    folder.write("app-nodes.ndjson", b"".join(canonical(whole) + b"\n" for whole, _ in styles))

    damaged = []
    for number, change in enumerate([put("data/fields/title", "Pay nothing"), put("parents", ["sha256:nonexistent"]), put("signature", "ab" * 62)]):
        whole = seal(node("CREATE", {"title": f"Pay the rent {number}"}, more={"parents": [], "timestamp.lamport": 1}))
        fields = {**json.loads(json.dumps(whole)), "accessList": [ACCOUNT], "createdAt": time_at(wall_at(2000 + number))}
        change(fields)
        damaged.append(json.dumps(document_of(fields, whole["id"], wall_at(2000 + number)), ensure_ascii=False))
    folder.write("damaged-documents.ndjson", "".join(line + "\n" for line in damaged).encode())
