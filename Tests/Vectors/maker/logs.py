"""log/: small logs, one node a line, with the ids, letters, heads and the total order to expect."""

from .common import ADA, BEN, CLEO, Folder, canonical, edit, id_of, seal
from .history import History, accepted, heads, missing, ndjson, task_id, todo_id, total_order, wall_at


def linear():
    h = History()
    for task, person in [(1, ADA), (2, BEN), (3, CLEO)]:
        h.chain(task, person=person)
    return h


def diverged():
    h = History()
    base = h.chain()
    left = h.add("UPDATE", {"priority": 1}, [base], person=ADA)
    h.add("UPDATE", {"title": "Water everything"}, [base], person=BEN)
    h.add("COMPLETE", {"completedAt": wall_at(9)}, [left], person=ADA)
    h.add("UPDATE", {"description": "also the balcony"}, [base], person=CLEO)
    h.chain(2)
    return h


def merged():
    h = History()
    base = h.chain()
    left = h.add("UPDATE", {"priority": 1}, [base], person=ADA)
    right = h.add("UPDATE", {"title": "Water everything"}, [base], person=BEN)
    resolution = {"strategy": "union", "preservedFields": ["priority", "title"], "source": "automatic"}
    merge = h.add("MERGE", {"priority": 1, "title": "Water everything"}, [left, right], data={"conflictResolution": resolution})
    h.add("UPDATE", {"priority": 4}, [merge], person=CLEO)
    return h


def crossed():
    """Both sides merge on their own, then one merges the merges."""
    h = History()
    base = h.add("CREATE", {"title": "Cross"})
    left, right = h.add("UPDATE", {"priority": 1}, [base]), h.add("UPDATE", {"priority": 2}, [base], person=BEN)
    one, two = h.add("MERGE", {}, [left, right]), h.add("MERGE", {"priority": 2}, [left, right], person=BEN)
    h.add("MERGE", {"priority": 5}, [one, two])
    return h


def octopus():
    h = History()
    base = h.add("CREATE", {"title": "Many arms"})
    arms = [h.add("UPDATE", {"title": f"Arm {i}"}, [base], person=[ADA, BEN, CLEO][i % 3]) for i in range(8)]
    h.add("MERGE", {}, arms)
    return h


def forms(form, shape="fields"):
    h = History(form=form, shape=shape)
    h.chain(1)
    h.chain(2, person=BEN)
    return h


def mixed_forms():
    h = History()
    last = None
    for i, form in enumerate(["body", "digest", None, "body", None, "digest"]):
        content = {"title": f"Step {i}"}
        last = h.add("UPDATE" if last else "CREATE", content, [last] if last else [], form=form)
    return h


def without_key():
    h = History()
    first = h.add("CREATE", {"title": "The key comes first"})
    second = h.add("UPDATE", {"priority": 1}, [first], keep_key=False)
    third = h.add("UPDATE", {"priority": 2}, [second], keep_key=False, form="digest")
    h.add("CREATE", {"title": "Nobody knows this key"}, task=2, person=BEN, keep_key=False)
    h.add("UPDATE", {"priority": 3}, [third], keep_key=False, form=None)
    return h


def key_comes_later():
    h = History()
    first = h.add("CREATE", {"title": "The key comes later"}, keep_key=False)
    second = h.add("UPDATE", {"priority": 1}, [first])
    h.add("UPDATE", {"priority": 2}, [second], keep_key=False)
    return h


def user_id_collision():
    """A stranger's unsigned node claims the first half of a key: from then on the key must come from elsewhere."""
    h = History()
    first = h.add("CREATE", {"title": "Two keys, one name"})
    h.add("UPDATE", {"priority": 1}, [first], keep_key=False)
    node = h.add("CREATE", {"title": "Claimed"}, task=2, form=None)
    h.nodes[-1] = seal(edit(node, {"/author/publicKey": ADA.user + "a5" * 16}), form=None)
    h.add("UPDATE", {"priority": 2}, [first], keep_key=False)
    return h


def delete():
    h = History()
    base = h.chain(1)
    h.add("DELETE", {"deletedChain": [base["id"]]}, [base])
    base = h.chain(2)
    h.add("DELETE", {}, [base], task=2)
    h.add("UPDATE", {"title": "Survives"}, [base], task=2, person=BEN)
    return h


def parents_in_another_task():
    h = History()
    a = h.add("CREATE", {"title": "A"}, task=1)
    b = h.add("CREATE", {"title": "B"}, [a], task=2)
    h.add("UPDATE", {"title": "A again, by way of B"}, [b], task=1)
    h.add("CREATE", {"title": "C"}, [b], task=3)
    return h


def task_id_case():
    h = History()
    base = h.add("CREATE", {"title": "Lower case"}, task=task_id(1))
    left = h.add("UPDATE", {"title": "Upper case"}, [base], task=task_id(1).upper())
    h.add("UPDATE", {"priority": 1}, [left], task=task_id(1)[:9].upper() + task_id(1)[9:])
    h.add("UPDATE", {"priority": 2}, [base], task=task_id(1).upper())
    return h


def without_task():
    h = History()
    first = h.add("CREATE", {"title": "No task"}, task=None)
    h.add("UPDATE", {"title": "Still none"}, [first], task=None)
    h.add("REMIND_ME", {"in": "a while"}, [first], task=None)
    h.chain(1)
    return h


def missing_parent():
    h = History()
    base = h.chain(1)
    orphan = h.add("UPDATE", {"priority": 1}, [missing()], lamport=7)
    h.add("UPDATE", {"priority": 2}, [orphan])
    h.add("MERGE", {}, [base, missing()])
    h.add("UPDATE", {"priority": 3}, [base])
    h.chain(2)
    return h


def order():
    """Ties in lamport, wall and both; walls without fraction; a lamport that does not grow; clocks that run back."""
    h = History()
    base = h.add("CREATE", {"title": "Order"}, wall="2025-03-01T08:00:00.000Z")
    for i, wall in enumerate(["2025-03-01T08:00:05.000Z", "2025-03-01T08:00:05Z", "2025-03-01T08:00:05.001Z", "2025-03-01T08:00:04.999Z", "2025-03-01T08:00:05Z",
                              "2025-03-01T08:00:05.000Z"]):
        h.add("UPDATE", {"title": f"Tie {i}"}, [base], wall=wall)
    early = h.add("UPDATE", {"title": "Clock runs back"}, [base], lamport=9, wall="2019-01-01T00:00:00.000Z")
    h.add("UPDATE", {"title": "Lamport does not grow"}, [early], lamport=3)
    h.add("UPDATE", {"title": "Nor here"}, [early], lamport=9, wall="2018-01-01T00:00:00.000Z")
    h.add("UPDATE", {"title": "Ten is more than nine"}, [base], lamport=10)
    h.add("UPDATE", {"title": "So is a hundred"}, [base], lamport=100, wall="0001-01-01T00:00:00.000Z")
    h.chain(2, person=BEN)
    return h


def actions():
    """Every known action once, and an unknown one."""
    h = History()
    last = h.add("CREATE", {"title": "All actions", "todos": [{"todoTaskId": todo_id(9), "title": "first"}, {"title": "second"}], "tags": ["x"]})
    left = h.add("UPDATE", {"priority": 2, "colour": None}, [last])
    right = h.add("CREATE_TODO", {"todoTaskId": todo_id(1), "deadline": wall_at(60)}, [last], person=BEN)
    last = h.add("MERGE", {"priority": 2}, [left, right])
    for action, content in [("ADD_TODO", {"todoTaskId": todo_id(2), "title": "Another"}), ("COMPLETE_TODO", {"todoTaskId": todo_id(1), "completed": wall_at(70)}),
                            ("SNOOZE", {"todoTaskId": todo_id(2), "newDeadline": wall_at(900)}), ("COMPLETE", {"completedAt": wall_at(80)}), ("ARCHIVE", {}),
                            ("UNARCHIVE", {}), ("REMIND_ME", {"in": "a while"}), ("DELETE", {"deletedChain": []})]:
        last = h.add(action, content, [last])
    return h


def bad_lines():
    """Good lines between bad ones: (line, letter and form or letter and rule, node or None)."""
    h = History()
    first = h.add("CREATE", {"title": "Between bad lines"})
    empty = h.add("UPDATE", {"title": ""}, [first])
    forged = h.add("UPDATE", {"priority": 1}, [first])
    forged = {**forged, "signature": BEN.sign(b"something else")}
    renamed = {**h.add("UPDATE", {"priority": 2}, [first]), "id": missing()}
    last = h.add("UPDATE", {"priority": 3}, [first])
    line = lambda node: canonical(node) + b"\n"
    return [
        (line(first), "G body", first),
        (line(first)[:-2] + b"\n", "B json-syntax", None),
        (b"\xef\xbb\xbf" + line(first), "B json-bom", None),
        (line(first).replace(b'"version":1', b'"version":1,"version":1'), "B json-duplicate-name", None),
        (line(empty), "B payload-type", None),
        (b"[]\n", "B node-type", None),
        (line(forged), "B signature-bad", None),
        (line(renamed), "B hash-mismatch", None),
        (line(last), "G body", last),
    ]


def verdicts(nodes):
    """(letter, form) of each line, read from the first to the last."""
    seen, result = {}, []
    for n in nodes:
        author = n["author"]
        keys = seen.setdefault(author["userId"], set())
        if "publicKey" in author:
            keys.add(author["publicKey"])
        key = author.get("publicKey") or (next(iter(keys)) if len(keys) == 1 else None)
        if "signature" not in n:
            result.append("N")
        elif not key:
            result.append("E")
        else:
            person = next(p for p in (ADA, BEN, CLEO) if p.public == key)
            result.append("G " + next(f for f in ("body", "digest") if seal(n, person, f)["signature"] == n["signature"]))
    return result


def make(root):
    folder = Folder(root, "log")

    def log(name, h, text=None, nodes=None):
        nodes = h.nodes if nodes is None else nodes
        file = f"{name}.ndjson"
        folder.write(file, text or ndjson(nodes))
        here = accepted(nodes)
        tips = heads(here)
        row = lambda *cells: folder.row(file, *cells)
        row("count", "lines", len(nodes))
        row("count", "nodes", len(here))
        row("count", "orphans", len({n["id"] for n in nodes} - set(here)))
        row("count", "tasks", len(tips))
        row("count", "heads", sum(map(len, tips.values())))
        for number, (node, letter) in enumerate(zip(nodes, verdicts(nodes)), 1):
            assert node["id"] == id_of(node)
            row("id", number, node["id"])
            row("letter", number, letter)
            if node["id"] not in here:
                row("orphan", number, node["id"])
        for task, ids in sorted(tips.items()):
            for id in ids:
                row("head", task, id)
        for number, id in enumerate(total_order(here), 1):
            row("order", number, id)

    log("linear", linear())
    log("diverged", diverged())
    log("merged", merged())
    log("crossed", crossed())
    log("octopus", octopus())
    log("unsigned", forms(None))
    log("digest", forms("digest"))
    log("payload", forms("body", "payload"))
    log("mixed-forms", mixed_forms())
    log("without-key", without_key())
    log("key-comes-later", key_comes_later())
    log("user-id-collision", user_id_collision())
    log("delete", delete())
    log("parents-in-another-task", parents_in_another_task())
    log("task-id-case", task_id_case())
    log("without-task", without_task())
    log("missing-parent", missing_parent())
    log("order", order())
    log("actions", actions())
    h = merged()
    log("children-first", h, nodes=h.nodes[::-1])
    log("each-line-twice", h, nodes=[n for node in h.nodes for n in (node, node)])
    log("crlf", h, text=ndjson(h.nodes).replace(b"\n", b"\r\n"))
    log("no-final-line-feed", h, text=ndjson(h.nodes)[:-1])
    log("one-node", h, nodes=h.nodes[:1])
    log("empty", History())

    lines = bad_lines()
    good = {n["id"]: n for _, _, n in lines if n}
    folder.write("bad-lines.ndjson", b"".join(text for text, _, _ in lines))
    folder.row("bad-lines.ndjson", "count", "lines", len(lines))
    folder.row("bad-lines.ndjson", "count", "nodes", len(good))
    for number, (_, letter, node) in enumerate(lines, 1):
        folder.row("bad-lines.ndjson", "id", number, node["id"] if node else "-")
        folder.row("bad-lines.ndjson", "letter", number, letter)
    for number, id in enumerate(total_order(good), 1):
        folder.row("bad-lines.ndjson", "order", number, id)
    folder.finish("file", "kind", "key", "value", keep_order=True)
