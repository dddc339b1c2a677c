"""app/: the file the phone app keeps: one array, sorted keys, indented as Apple's JSONEncoder does it."""

import datetime
import random

from .common import ADA, BEN, CLEO, Folder, id_of
from .history import History, accepted, heads, todo_id, wall_at

COUNT = 50
ESCAPES = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    return '"' + "".join(ESCAPES.get(c) or (c if c >= " " else "\\u%04x" % ord(c)) for c in text) + '"'


def pretty(value, depth=0):
    """Sorted keys, two spaces, a space on either side of the colon, an empty line in empty containers."""
    inner, outer = "\n" + "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(value, dict):
        if not value:
            return "{\n" + outer + "}"
        return "{" + ",".join(f"{inner}{quoted(k)} : {pretty(value[k], depth + 1)}" for k in sorted(value)) + outer + "}"
    if isinstance(value, list):
        if not value:
            return "[\n" + outer + "]"
        return "[" + ",".join(inner + pretty(v, depth + 1) for v in value) + outer + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return "%.17g" % value  # as the app writes a Float that became a Double: not the shortest text


def make(root):
    rnd, h = random.Random(50), History()
    titles = ["Buy groceries", "Call “Zoë” / dentist", "Fix the tap\n(kitchen)", "Back up C:\\photos", "Plan trip 🚀 to 日本", "Pay rent 1/2", "Tab\there", "Naïve café list"]
    people, last, task = [ADA, BEN, CLEO], {}, 0
    while len(h.nodes) < COUNT:
        person = rnd.choice(people)
        if task < len(titles) and (not last or rnd.random() < 0.25):
            task += 1
            content = {"title": titles[task - 1], "description": "see https://example.org/a?b=1", "privacy": rnd.random() < 0.5,
                       "storyPoints": rnd.choice([1, 2.5, 3, 2.7000000476837158]), "priority": rnd.randint(1, 5), "frequencyDays": rnd.choice([0, 7, 30])}
            last[task] = h.add("CREATE", content, task=task, person=person)
            continue
        at = rnd.choice(sorted(last))
        action, content = rnd.choice([
            ("UPDATE", {"priority": rnd.randint(1, 5)}), ("UPDATE", {"tags": [], "extra": {}, "timeEstimate": 30}), ("CREATE_TODO", {"todoTaskId": todo_id(len(h.nodes)).upper(), "deadline": wall_at(20_000)}),
            ("ARCHIVE", {}), ("UNARCHIVE", {}), ("COMPLETE", {"completedAt": wall_at(len(h.nodes), fraction=False)}), ("ADD_TODO", {"todoTaskId": todo_id(len(h.nodes)), "notes": "a/b \"c\"\u0001"}),
        ])
        last[at] = h.add(action, content, [last[at]], task=at, person=person, form=rnd.choice(["body", "body", "digest", None]),
                         wall=wall_at(len(h.nodes), fraction=rnd.random() < 0.8))
    nodes = []
    for number, node in enumerate(h.nodes):
        time = datetime.datetime(2025, 3, 2, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=number)
        envelope = [{}, {"accessList": ["108230114876512345678"]}, {"accessList": [], "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.000Z")},
                    {"accessList": ["108230114876512345678", "109876543210987654321"], "createdAt": {"_seconds": int(time.timestamp()), "_nanoseconds": 5000000}},
                    {}][number % 5]
        nodes.append({**node, **envelope})
    folder = Folder(root, "app")
    folder.write("redo_changes.json", pretty(nodes).encode())
    here = accepted(nodes)
    assert len(here) == COUNT
    tips = heads(here)
    for index, node in enumerate(nodes):
        envelope = ",".join(k for k in ("accessList", "createdAt") if k in node) or "-"
        is_head = "head" if node["id"] in tips[node["taskId"]] else "-"
        assert node["id"] == id_of(node)
        folder.row(index, node["id"], node["taskId"], "G" if "signature" in node else "N", is_head, envelope)
    folder.finish("index", "id", "task", "letter", "head", "envelope", keep_order=True)
