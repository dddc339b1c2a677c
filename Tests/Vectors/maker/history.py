"""A maker of small histories, and what must be found in them: heads and the total order."""

import datetime
import heapq

from .common import ADA, canonical, name_id, seal

START = datetime.datetime(2025, 3, 1, 8, tzinfo=datetime.timezone.utc)


def wall_at(minutes, fraction=True):
    time = START + datetime.timedelta(minutes=minutes)
    return time.strftime("%Y-%m-%dT%H:%M:%S") + (".%03d" % (time.microsecond // 1000) if fraction else "") + "Z"


def task_id(number):
    return f"7a000000-0000-4000-8000-{number:012x}"


def todo_id(number):
    return f"70d00000-0000-4000-8000-{number:012x}"


class History:
    """Nodes in the order they are made; `add` picks lamport and wall unless they are given."""

    def __init__(self, person=ADA, form="body", shape="fields"):
        self.person, self.form, self.shape = person, form, shape
        self.nodes = []

    def by_id(self):
        return {n["id"]: n for n in self.nodes}

    def add(self, action, content, parents=(), task=1, lamport=None, wall=None, person=None, form="same", keep_key=True, extra=None, data=None):
        person = person or self.person
        known = self.by_id()
        ids = sorted(p if isinstance(p, str) else p["id"] for p in parents)
        above = max([known[p]["timestamp"]["lamport"] for p in ids if p in known], default=0)
        author = person.author()
        if not keep_key:
            del author["publicKey"]
        node = {
            "version": 1,
            "parents": ids,
            "timestamp": {"lamport": lamport or above + 1, "wall": wall or wall_at(len(self.nodes))},
            "author": author,
            "action": action,
            "data": {self.shape: content, **(data or {})},
            **(extra or {}),
        }
        if task is not None:
            node["taskId"] = task_id(task) if isinstance(task, int) else task
        node = seal(node, person, self.form if form == "same" else form)
        self.nodes.append(node)
        return node

    def chain(self, task=1, title="Water the plants", person=None):
        """The everyday life of one task in six nodes; the last is returned."""
        steps = [("CREATE", {"title": title, "priority": 3, "frequencyDays": 7}),
                 ("CREATE_TODO", {"todoTaskId": todo_id(task), "deadline": wall_at(10_080)}),
                 ("UPDATE", {"title": title + " daily", "storyPoints": 0.5}),
                 ("SNOOZE", {"todoTaskId": todo_id(task), "daysToExtend": 2}),
                 ("COMPLETE_TODO", {"todoTaskId": todo_id(task), "completed": wall_at(5_000), "notes": "done"}),
                 ("ARCHIVE", {})]
        last = None
        for action, content in steps:
            last = self.add(action, content, [last] if last else [], task, person=person)
        return last


def missing():
    return name_id("a node that nobody has")


def instant(wall):
    """Milliseconds of a time, with or without its fraction."""
    if "." not in wall:
        wall = wall[:-1] + ".000Z"
    time = datetime.datetime.strptime(wall, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    return round((time - START).total_seconds() * 1000)


def accepted(nodes):
    """The distinct nodes all of whose ancestors are here, by id."""
    here = {n["id"]: n for n in nodes}
    changed = True
    while changed:
        gone = [i for i, n in here.items() if any(p not in here for p in n["parents"])]
        for i in gone:
            del here[i]
        changed = bool(gone)
    return here


def ancestors(here, id):
    found, stack = set(), list(here[id]["parents"])
    while stack:
        at = stack.pop()
        if at not in found:
            found.add(at)
            stack.extend(here[at]["parents"])
    return found


def heads(here):
    """task (lower case, '-' where there is none) -> sorted ids that no other node of the task descends from."""
    tasks = {}
    for i, n in here.items():
        tasks.setdefault(n.get("taskId", "-").lower(), set()).add(i)
    result = {}
    for task, ids in tasks.items():
        covered = set().union(*(ancestors(here, i) for i in ids))
        result[task] = sorted(ids - covered)
    return result


def total_order(here):
    children, waiting, ready, result = {}, {}, [], []
    rank = lambda i: (here[i]["timestamp"]["lamport"], instant(here[i]["timestamp"]["wall"]), i)
    for i, n in here.items():
        waiting[i] = len(n["parents"])
        for p in n["parents"]:
            children.setdefault(p, []).append(i)
        if not n["parents"]:
            heapq.heappush(ready, rank(i))
    while ready:
        i = heapq.heappop(ready)[2]
        result.append(i)
        for child in children.get(i, []):
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, rank(child))
    return result


def ndjson(nodes):
    return b"".join(canonical(n) + b"\n" for n in nodes)
