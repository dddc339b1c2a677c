#!/usr/bin/env python3
"""Random histories, one case a line: {"seed", "nodes", "broken", "received", "queries"}; see replay.py --cases.

    make_history.py --seed 7 --count 10

Every node keeps the rules of its form; everything else may be as wild as the protocol allows: clocks that run
backwards, parents in other tasks, survivors of a DELETE, merges of every kind, things done to what is not there.
"""

import argparse
import datetime
import json
import random
import sys
import uuid

sys.dont_write_bytecode = True

from nacl.signing import SigningKey

from node_rules import body, id_of
from replay_state import content_of, derived

EPOCH = datetime.datetime(1970, 1, 1)
START = 1_740_816_000_000  # 2025-03-01T08:00:00Z
DAY = 86_400_000
TEXTS = ["", "a", "Water the plants", "\u00e9\U0001f680 \"q\" \\ /", "line\nline\ttab\x01", "\u2028", "z" * 40]
NAMES = ["tags", "timeEstimate", "color", "\u00e9", "\U0001f680", "\ufb33", "a\"b", "a\nb", "completedAt2", "created", "fields"]


def time_text(milliseconds, rng):
    moment = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    if rng.random() < 0.2:
        return moment.isoformat(timespec="seconds") + "Z"
    return moment.isoformat(timespec="milliseconds") + "Z"


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.seed = seed
        self.tasks = [str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(rng.choice([1, 1, 2, 3, 5]))]
        self.todos = [str(uuid.UUID(int=rng.getrandbits(128))) for _ in range(4)]
        self.devices = [
            (SigningKey(rng.randbytes(32)), f"device-{index}", rng.choice([0, 0, 0, 50, -3_600_000, 40 * DAY]))
            for index in range(rng.choice([1, 2, 3]))]
        self.nodes, self.ids, self.clock = {}, [], START
        # How wild this history is.
        self.divergence = rng.choice([0, 0.1, 0.4])
        self.strangers = rng.choice([0, 0, 0.1, 0.3])
        self.wild_clocks = rng.choice([0, 0, 0.2])
        self.deletes = rng.choice([0, 0.03, 0.12])
        self.merges = rng.choice([0.05, 0.2, 0.5])
        self.payloads = rng.choice([0.3, 0.9])
        self.far = rng.choice([0.05, 0.05, 0.6])
        # The fewer todos, the more is done to each.
        self.todos = self.todos[: rng.choice([1, 2, 4])]

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, choices):
        return self.rng.choice(choices)

    def a_time(self):
        kind = self.rng.random()
        if kind < self.far:
            return time_text(self.pick([253_402_300_799_000, 253_400_000_000_000, -62_135_596_800_000]), self.rng)
        return time_text(self.clock + self.rng.randrange(-30 * DAY, 60 * DAY), self.rng)

    def upper(self, text):
        return text.upper() if self.chance(0.2) else text

    def unknown_value(self):
        rng = self.rng
        return self.pick([
            lambda: [rng.choice(["a", "b", "c", 1, 2.5, {"x": [1]}, None]) for _ in range(rng.randrange(4))],
            lambda: rng.choice([0, 1, -3, 2.5, 1e21, 30]), lambda: rng.choice(TEXTS),
            lambda: rng.choice([True, False, None]), lambda: {"n": {"m": rng.choice(TEXTS)}}])()

    def member(self, name):
        """A value that fits a member of a task."""
        rng = self.rng
        if name == "title":
            return rng.choice(TEXTS[1:])
        if name == "description":
            return rng.choice(TEXTS)
        if name == "privacy":
            return rng.choice([True, False])
        if name == "storyPoints":
            return rng.choice([0, 0.5, 1, 8, 1e21])
        if name == "priority":
            return rng.choice([1, 2, 3, 4, 5, 9, -1])
        if name == "frequencyDays":
            return rng.choice([0, 1, 7, 100_000_000_000])
        if name == "completedAt":
            return self.a_time()
        return self.unknown_value()

    def members(self, names, probability):
        return {name: self.member(name) for name in names if self.chance(probability)}

    # Contents

    def todo(self, optional=True):
        todo = {}
        if not optional or self.chance(0.6):
            todo["todoTaskId"] = self.upper(self.pick(self.todos))
        if self.chance(0.6):
            todo["deadline"] = self.a_time()
        if self.chance(0.4):
            todo["notes"] = self.pick(TEXTS)
        if self.chance(0.4):
            todo["title"] = self.pick(TEXTS[1:])
        if self.chance(0.2):
            todo[self.pick(NAMES)] = self.unknown_value()
        if self.chance(0.15):
            todo["completed"] = self.a_time()
        return todo

    def content(self, action):
        if action == "CREATE":
            content = self.members(["description", "privacy", "storyPoints", "priority", "frequencyDays"], 0.4)
            content["title"] = self.member("title")
            content.update(self.members(self.rng.sample(NAMES, 3) + ["archived", "completedAt", "guid"], 0.2))
            if self.chance(0.4):
                content["todos"] = [self.todo() for _ in range(self.rng.randrange(4))]
            return content
        if action == "UPDATE":
            return self.some_fields()
        if action in ("CREATE_TODO", "ADD_TODO"):
            return self.todo(optional=False)
        if action in ("COMPLETE_TODO", "SNOOZE"):
            content = {"todoTaskId": self.upper(self.a_todo())}
            if action == "COMPLETE_TODO":
                if self.chance(0.8):
                    content["completed"] = self.a_time()
            else:
                name = self.pick(["newDeadline", "daysToExtend", "snoozeDays"])
                content[name] = self.a_time() if name == "newDeadline" else self.pick([1, 7, 36_500])
            if self.chance(0.5):
                content["notes"] = self.pick(TEXTS)
            return content
        if action == "COMPLETE":
            return {"completedAt": self.a_time()}
        return self.members(["reason"], 0.2)

    def a_todo(self):
        """A todo that may be there, those that a CREATE made without naming them included."""
        made = [
            derived(name, index) for name, node in self.nodes.items() if node["action"] == "CREATE"
            for index, todo in enumerate(content_of(node).get("todos", [])) if "todoTaskId" not in todo]
        return self.pick(made) if made and self.chance(0.3) else self.pick(self.todos)

    def some_fields(self):
        names = ["title", "description", "privacy", "storyPoints", "priority", "frequencyDays"]
        content = self.members(names, 0.25)
        content.update(self.members(self.rng.sample(NAMES, 3) + ["completedAt"], 0.2))
        return content or {"title": self.member("title")}

    def entry(self, parents, names):
        entry = {"path": self.pick(names)}
        if self.chance(0.9):
            entry["strategy"] = self.pick(["lww", "ours", "theirs", "union", "max", "min", "manual", "magic"])
        if self.chance(0.5):
            entry["chosenParent"] = self.pick(parents) if self.chance(0.9) else self.pick(self.ids)
        if self.chance(0.7):
            entry["value"] = self.member(entry["path"]) if self.chance(0.8) else self.unknown_value()
        if self.chance(0.2):
            entry["notes"] = "why"
        return entry

    def merge(self, parents):
        if not self.chance(self.payloads):
            data = {"fields": self.some_fields() if self.chance(0.9) else {}}
            if self.chance(0.7):
                source = self.pick(["automatic", "manual"])
                data["conflictResolution"] = {"source": source, "strategy": "union", "preservedFields": []}
            return data
        payload = {}
        if self.chance(0.2):
            payload["base"] = self.pick(self.ids)
        if self.chance(0.8):
            payload["policy"] = {
                "defaultStrategy": self.pick(["lww", "ours", "theirs", "union", "max", "min", "manual", "magic"]),
                "lwwTiebreakers": ["wall"]}
            if self.chance(0.1):
                del payload["policy"]["defaultStrategy"]
        task_names = ["title", "description", "privacy", "storyPoints", "priority", "frequencyDays", "completedAt",
                      "tags", "timeEstimate", "archived", "todos"] + NAMES[2:4]
        if self.chance(0.6):
            payload["resolutions"] = {"task": [self.entry(parents, task_names) for _ in range(self.rng.randrange(4))]}
            if self.chance(0.6):
                todo_names = ["deadline", "completed", "notes", "title", "tags", "todoTaskId", "color"]
                payload["resolutions"]["todos"] = [
                    {"todoTaskId": self.upper(self.a_todo()),
                     "fields": [self.fit(self.entry(parents, todo_names)) for _ in range(self.rng.randrange(4))]}
                    for _ in range(self.rng.randrange(3))]
        if self.chance(0.1):
            payload["title"] = "not a member of it"
        return {"payload": payload}

    def fit(self, entry):
        if entry["path"] in ("deadline", "completed") and "value" in entry and self.chance(0.8):
            entry["value"] = self.a_time()
        return entry

    # Nodes

    def heads(self, task):
        own = [name for name in self.ids if self.nodes[name].get("taskId", "").lower() == task]
        above = {parent for name in own for parent in self.nodes[name]["parents"]}
        return [name for name in own if name not in above], own

    def add(self):
        rng = self.rng
        task = self.pick(self.tasks)
        heads, own = self.heads(task)
        if not own:
            action = "CREATE" if self.chance(0.9) else self.pick(["UPDATE", "COMPLETE", "DELETE"])
        elif len(self.ids) >= 2 and self.chance(self.merges):
            action = "MERGE"
        elif self.chance(self.deletes):
            action = "DELETE"
        else:
            action = rng.choices(
                ["CREATE", "UPDATE", "CREATE_TODO", "ADD_TODO", "COMPLETE_TODO", "SNOOZE", "COMPLETE", "ARCHIVE",
                 "UNARCHIVE", "REMIND"], [2, 10, 6, 4, 8, 12, 4, 2, 2, 1])[0]
        if action == "CREATE" and self.chance(0.8):
            parents = []
        elif self.chance(self.divergence) and own:
            parents = [self.pick(own)]
        elif self.chance(0.8):
            parents = heads[-1:]
        else:
            parents = heads[-3:]
        if self.ids and self.chance(self.strangers):
            parents = parents + [self.pick(self.ids)]
        if action == "MERGE":
            parents = parents + heads + rng.sample(own if len(own) > 1 else self.ids, 2)
            parents = list(dict.fromkeys(parents))[: rng.choice([2, 2, 2, 3, 5])]
        parents = list(dict.fromkeys(parents))
        if action == "MERGE" and len(parents) < 2:
            action, parents = "ARCHIVE", parents
        self.write(action, task, parents)

    def write(self, action, task, parents):
        rng = self.rng
        key, device, skew = self.pick(self.devices)
        self.clock += rng.choice([0, 0, 1, 1000, 60_000, DAY])
        lamport = max([self.nodes[parent]["timestamp"]["lamport"] for parent in parents], default=0) + 1
        wall = self.clock + skew
        if self.chance(self.wild_clocks):
            lamport = rng.choice([1, max(1, lamport - 1), lamport + 50])
            wall += rng.randrange(-5 * DAY, 5 * DAY)
        public = bytes(key.verify_key).hex()
        node = {
            "action": action, "author": {"deviceId": device, "userId": public[:32]}, "parents": parents,
            "timestamp": {"lamport": lamport, "wall": time_text(wall, rng)}, "version": 1}
        if self.chance(0.8):
            node["author"]["publicKey"] = public
        if self.chance(0.97):
            node["taskId"] = self.upper(task)
        if action == "MERGE":
            node["data"] = self.merge(parents)
        else:
            node["data"] = {self.pick(["fields", "payload"]): self.content(action)}
        name = id_of(node)
        node["id"] = name
        if self.chance(0.3):
            node["signature"] = key.sign(body(node)).signature.hex()
        if name not in self.nodes:
            self.nodes[name] = node
            self.ids.append(name)

    def case(self):
        rng = self.rng
        for _ in range(rng.choice([3, 10, 20, 35])):
            self.add()
        received = {name: START + rng.randrange(0, 20 * DAY) for name in self.ids if self.chance(0.9)}
        walls = [node["timestamp"]["wall"] for node in self.nodes.values()]
        queries = [{}]
        for policy in ("closed", "wall", "received"):
            for _ in range(2):
                moment = self.pick(walls) if self.chance(0.6) else time_text(START + rng.randrange(0, 20 * DAY), rng)
                queries.append({"asOf": moment if self.chance(0.8) else moment[:10], "policy": policy})
        queries.append({"asOf": self.pick(self.ids), "policy": "closed"})
        queries.append({"asOf": f"lamport:{rng.randrange(0, 12)}", "policy": "closed"})
        broken = [name for name in self.ids if self.chance(0.05)] if self.chance(0.3) else []
        nodes = list(self.nodes.values())
        rng.shuffle(nodes)
        return {"seed": self.seed, "nodes": nodes, "broken": broken, "received": received, "queries": queries}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.count):
        print(json.dumps(Maker(seed).case(), ensure_ascii=False))


if __name__ == "__main__":
    main()
