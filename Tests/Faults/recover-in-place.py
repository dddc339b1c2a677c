"""A recovery in place among three stores that go on writing and talking: the day comes back everywhere.

Usage: recover-in-place.py <histories> <dates> <seed>, in an empty directory, with redo on the PATH; for the Python of the
oracles.

For each random history of three stores and each date, one store recovers in place; what it lists as lost must be what
Tests/Oracle/recovery.py finds. Then all three write and sync, and in the end all have one state, which is that of the day
but for what was written by others, and what was listed. Prints one line with what was done.
"""

import datetime
import json
import os
import random
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Oracle"))

import reading
import recovery
from node_rules import id_of
from replay import History
from strict_json import parse

HISTORIES, DATES, SEED = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
STORES = ["a", "b", "c"]
START = datetime.datetime(2025, 1, 1)
COUNTS = {"changes": 0, "recoveries": 0, "written": 0, "lost": 0, "replaced": 0, "revived": 0, "buried": 0, "kept": 0}


def die(text):
    print(text, file=sys.stderr)
    sys.exit(1)


def redo(store, *words, given=None, ok=(0,)):
    done = subprocess.run(["redo", "-C", store, *words], input=given, capture_output=True)
    if done.returncode not in ok:
        die(f"{where}: redo -C {store} {' '.join(words)} ends with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def uuid(rng, kind):
    return f"{kind}{rng.getrandbits(24):06x}-0000-4000-8000-{rng.getrandbits(48):012x}"


def time(minutes):
    return (START + datetime.timedelta(minutes=minutes)).isoformat(timespec="milliseconds") + "Z"


class Writer:
    """Random changes, made for the state that a store shows."""

    def __init__(self, rng):
        self.rng, self.minute = rng, 0
        # When a task had one branch that was deleted and another that was not.
        self.halves = []

    def wall(self):
        self.minute += self.rng.randrange(1, 300)
        return time(self.minute)

    def change(self, tasks):
        """One change, and what it does to the tasks as far as the next one must know."""
        rng = self.rng
        if not tasks or rng.random() < 0.12:
            task = uuid(rng, "7a")
            fields = {"title": f"t{rng.randrange(9)}"}
            if rng.random() < 0.5:
                fields["priority"] = rng.randrange(1, 6)
            if rng.random() < 0.4:
                fields["todos"] = [{"title": "first"}, {"todoTaskId": uuid(rng, "7b"), "deadline": time(rng.randrange(90000))}]
            if rng.random() < 0.2:
                fields["x"] = [1]
            tasks[task] = [todo["todoTaskId"] for todo in fields.get("todos", []) if "todoTaskId" in todo]
            return "CREATE", task, fields
        task = rng.choice(sorted(tasks))
        known = tasks[task]
        kind = rng.randrange(16)
        if kind < 4:
            fields = {}
            for name, value in (
                    ("title", f"u{rng.randrange(99)}"), ("priority", rng.randrange(1, 6)), ("description", f"d{rng.randrange(5)}"),
                    ("x", rng.randrange(9)), ("y/~z", {"n": rng.randrange(3)}), ("storyPoints", rng.randrange(1, 9)),
                    ("completedAt", "no time"), ("privacy", rng.random() < 0.5), ("frequencyDays", rng.randrange(4))):
                if rng.random() < 0.25:
                    fields[name] = value
            return "UPDATE", task, fields or {"title": "u"}
        if kind < 6:
            todo = uuid(rng, "7b")
            known.append(todo)
            fields = {"todoTaskId": todo}
            if rng.random() < 0.5:
                fields["deadline"] = time(rng.randrange(90000))
            if rng.random() < 0.5:
                fields["notes"] = f"n{rng.randrange(9)}"
            if rng.random() < 0.5:
                fields |= {"title": "todo", "z": 1}
            return "CREATE_TODO", task, fields
        if kind < 11 and known:
            todo = rng.choice(known)
            fields = {"todoTaskId": todo}
            if rng.random() < 0.3:
                fields["notes"] = f"m{rng.randrange(9)}"
            if kind < 9:
                return "COMPLETE_TODO", task, fields | {"completed": time(rng.randrange(90000))}
            if rng.random() < 0.5:
                return "SNOOZE", task, fields | {"newDeadline": time(rng.randrange(90000))}
            return "SNOOZE", task, fields | {"daysToExtend": rng.randrange(1, 30)}
        if kind == 11:
            return "COMPLETE", task, {"completedAt": time(rng.randrange(90000))}
        if kind == 12:
            return "ARCHIVE", task, {}
        if kind == 13:
            return "UNARCHIVE", task, {}
        if kind == 14:
            del tasks[task]
            return "DELETE", task, {}
        return "UPDATE", task, {"title": f"v{rng.randrange(99)}"}

    def write(self, store, count):
        tasks = {}
        for line in reading.lines(redo(store, "state", "-q")):
            state = json.loads(line)
            tasks[state["guid"]] = [todo["guid"] for todo in state["todoTasks"]]
        lines = []
        for _ in range(count):
            action, task, fields = self.change(tasks)
            lines.append(json.dumps({"action": action, "taskId": task, "fields": fields, "wall": self.wall()}))
        redo(store, "commit", "-q", "--stdin", given="\n".join(lines).encode() + b"\n")
        COUNTS["changes"] += count

    def merge(self, store):
        words = self.rng.choice([["--strategy=ours"], ["--strategy=max"], []])
        # `ours` takes the first parent; without conflicts there is nothing to do.
        redo(store, "merge", "-q", "--all", f"--date={self.wall()}", *words)

    def bury(self, stores):
        """A task loses one branch where the others have another one, and somewhat later that one, too."""
        one, other = self.rng.sample(stores, 2)
        self.sync(one, other)
        tasks = {}
        for line in reading.lines(redo(one, "state", "-q")):
            tasks[json.loads(line)["guid"]] = []
        if not tasks:
            return
        task = self.rng.choice(sorted(tasks))
        for store, actions in ((other, "UUU"[:self.rng.randrange(1, 4)]), (one, "UD"[self.rng.randrange(2):])):
            for action in actions:
                fields = {"priority": self.rng.randrange(1, 6), self.rng.choice("wx"): self.rng.randrange(9)}
                name, fields = ("UPDATE", fields) if action == "U" else ("DELETE", {})
                line = json.dumps({"action": name, "taskId": task, "fields": fields, "wall": self.wall()})
                redo(store, "commit", "-q", "--stdin", given=line.encode() + b"\n")
                COUNTS["changes"] += 1
        self.halves.append(self.minute)
        self.minute += self.rng.randrange(2000)
        if self.rng.random() < 0.8:
            self.sync(one, other)
        line = json.dumps({"action": "DELETE", "taskId": task, "fields": {}, "wall": self.wall()})
        redo(other, "commit", "-q", "--stdin", given=line.encode() + b"\n")
        COUNTS["changes"] += 1

    def go_on(self, stores, steps):
        for _ in range(steps):
            draw, store = self.rng.random(), self.rng.choice(stores)
            if draw < 0.1:
                self.bury(stores)
            elif draw < 0.6:
                self.write(store, self.rng.randrange(1, 6))
            elif draw < 0.7:
                self.merge(store)
            else:
                self.sync(store, self.rng.choice([other for other in stores if other != store]))

    def sync(self, store, other):
        redo(store, "sync", "-q", os.path.abspath(other))


def nodes(store):
    return {id_of(node): node for node in (parse(line) for line in reading.lines(redo(store, "log", "--json")))}


def unsigned(found):
    """The nodes without what is not hashed."""
    return {name: {key: value for key, value in node.items() if key not in ("id", "signature")} for name, node in found.items()}


def recover(writer, store, date, wanted, exact):
    words = ["recover", "--in-place", f"--to={date}", "--allow-empty"]
    words += [f"--task={task}" for task in wanted or []] + (["--exact"] if exact else [])
    history = History(unsigned(nodes(store)))
    day = history.at(date)
    rows, places, kept = recovery.lost(history, day, wanted, exact)
    said, instead, added = set(), {}, set()
    plan = redo(store, *words, "-n", "-q", "--json", ok=(0, 1))
    for line in reading.lines(plan):
        row = json.loads(line)
        if "why" not in row:
            continue
        if row["why"] == "made-since":
            added.add(row["task"])
            continue
        said.add((row["task"], row.get("todo"), row["path"], row["why"]))
        if "instead" in row:
            instead[row["todo"]] = row["instead"]
    if said != rows or instead != places or added != kept:
        die(f"{where}: the plan lists {sorted(said - rows, key=repr)} too much and {sorted(rows - said, key=repr)} too little;"
            f" places {instead} and {places}; kept {sorted(added ^ kept)}")
    made = redo(store, *words, "-q", f"--date={writer.wall()}", ok=(0, 1)).decode().split()
    COUNTS["recoveries"] += 1
    COUNTS["written"] += len(made)
    COUNTS["lost"] += len(rows)
    COUNTS["replaced"] += len(places)
    COUNTS["kept"] += len(kept)
    COUNTS["revived"] += sum(
        day.replay(task)[0] is not None and history.replay(task)[0] is None
        for task in day.tasks() if wanted is None or task in wanted)
    after = History(unsigned(nodes(store)))
    for task in day.tasks():
        if (wanted is None or task in wanted) and day.replay(task)[0] is not None:
            dead = recovery.buried(history, task, day)
            if dead & recovery.living(after, task):
                die(f"{where}: task {task} has what had been deleted on the day already")
            COUNTS["buried"] += bool(dead) and bool(recovery.revived(history, task, day))
    return history, day, made, rows, places


for number in range(HISTORIES):
    where = f"history {number} of seed {SEED}"
    rng = random.Random(f"{SEED}/{number}")
    writer = Writer(rng)
    for store in STORES:
        redo(".", "init", "-q", store)
        redo(store, "key", "generate")
    writer.write("a", 4)
    for other in STORES[1:]:
        writer.sync("a", other)
    writer.go_on(STORES, rng.randrange(8, 24))
    for place in range(DATES):
        where = f"history {number}, date {place} of seed {SEED}"
        date = time(rng.choice(writer.halves) if writer.halves and rng.random() < 0.4 else rng.randrange(writer.minute + 1))
        os.mkdir("now")
        now = [f"now/{store}" for store in STORES]
        for store in STORES:
            shutil.copytree(store, f"now/{store}")
        branch = Writer(random.Random(f"{SEED}/{number}/{place}"))
        branch.minute = writer.minute
        store = branch.rng.choice(now)
        history_tasks = sorted({node["taskId"].lower() for node in nodes(store).values() if "taskId" in node})
        wanted = branch.rng.sample(history_tasks, 1) if branch.rng.random() < 0.2 else None
        exact = branch.rng.random() < 0.3
        history, day, made, rows, places = recover(branch, store, date, wanted, exact)
        branch.go_on(now, branch.rng.randrange(2, 7))
        for _ in range(2):
            for other in now[1:]:
                branch.sync(now[0], other)
        states = {redo(other, "state", "-q") for other in now}
        if len(states) != 1:
            die(f"{where}: the stores end with {len(states)} states")
        end = History(unsigned(nodes(now[0])))
        if end.state().encode() != states.pop():
            die(f"{where}: the state is not that of the oracle")
        faults = recovery.wrong(history, day, set(made), end, rows, places, wanted, exact)
        if faults:
            die(f"{where}: recovered {date} in {store}, wanted {wanted}, exact {exact}: {faults}")
        shutil.rmtree("now")
    for store in STORES:
        shutil.rmtree(store)
print(f"{HISTORIES} histories, " + ", ".join(f"{count} {name}" for name, count in COUNTS.items()))
