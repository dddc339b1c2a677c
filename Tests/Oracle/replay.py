#!/usr/bin/env python3
"""The state of a history by the letter of the protocol (sections 2 to 5): slow, and written from the text alone.

    replay.py < nodes.ndjson                  the lines of `redo-state --json`
    replay.py --skips < nodes.ndjson          `<id> <reason>` of what has no effect, sorted
    replay.py --cases < cases.ndjson          one answer for each case that make_history.py prints
    --as-of T [--policy closed|wall]          T a time, a date, sha256:<id> or lamport:N
"""

import argparse
import json
import sys

sys.dont_write_bytecode = True

import reading
from node_rules import KNOWN, id_of
from replay_state import (
    DEFAULTS, TASK_FIELDS, add_todo, chosen, content_of, derived, find_todo, instant, is_automatic, is_no_content, put,
    task_member, task_of, time_text, todo_member)
from strict_json import canonical

class History:
    """A set of nodes at hand; parents outside of it do not count."""

    def __init__(self, nodes, broken=(), decided=None):
        self.nodes = dict(nodes)
        self.broken = set(broken)
        self.order = self.total_order()
        self.place = {name: index for index, name in enumerate(self.order)}
        self.ancestors = {}
        for name in self.order:
            above = set()
            for parent in self.parents(name):
                above |= {parent} | self.ancestors[parent]
            self.ancestors[name] = above
        self.decided = {} if decided is None else decided

    def parents(self, name):
        return [parent for parent in self.nodes[name]["parents"] if parent in self.nodes]

    def key(self, name):
        time = self.nodes[name]["timestamp"]
        return (time["lamport"], instant(time["wall"]), name)

    def total_order(self):
        """Repeatedly the least of those whose parents have all been emitted."""
        emitted, order, rest = set(), [], set(self.nodes)
        while rest:
            ready = [name for name in rest if all(parent in emitted for parent in self.parents(name))]
            least = min(ready, key=self.key)
            order.append(least)
            emitted.add(least)
            rest.remove(least)
        return order

    def only(self, names):
        """A part that is closed under parents: what was decided in the whole is decided in it."""
        return History({name: self.nodes[name] for name in names}, self.broken & set(names), self.decided)

    def afresh(self, names):
        """Any part, as a history of its own."""
        return History({name: self.nodes[name] for name in names}, self.broken & set(names))

    def closure(self, name):
        """A node and its ancestors; nothing when it is not at hand."""
        return {name} | self.ancestors[name] if name in self.nodes else set()

    def tasks(self):
        return sorted({task_of(node) for node in self.nodes.values()} - {None})

    def of_task(self, task):
        return [name for name in self.order if task_of(self.nodes[name]) == task]

    # Section 3, broken branches and DELETE.

    def taken(self, task):
        """The nodes of a task that replay takes, and the reason of each that it does not."""
        own = self.of_task(task)
        reasons = {}
        for name in own:
            if name in self.broken or any(other in self.broken and other in own for other in self.ancestors[name]):
                reasons[name] = "broken-branch"
        left = [name for name in own if name not in reasons]
        for name in left:
            if any(self.nodes[other]["action"] == "DELETE" for other in self.ancestors[name] if other in left):
                reasons[name] = "after-delete"
        rest = [name for name in left if name not in reasons]
        living = [
            name for name in rest
            if self.nodes[name]["action"] != "DELETE" and not any(name in self.ancestors[other] for other in rest)]
        taken = [name for name in own if name in living or any(name in self.ancestors[head] for head in living)]
        for name in rest:
            if name not in taken and self.nodes[name]["action"] != "DELETE":
                reasons[name] = "not-living"
        return taken, reasons

    # Section 3, the actions.

    def replay(self, task):
        """The state of a task, or None, and what had no effect: (node, reason, todo or None)."""
        taken, reasons = self.taken(task)
        skipped = [(name, reason, None) for name, reason in reasons.items()]
        state = None
        for name in taken:
            node = self.nodes[name]
            action, content = node["action"], content_of(node)
            if action not in KNOWN:
                skipped.append((name, "action-unknown", None))
            elif action == "CREATE":
                if state is not None:
                    skipped.append((name, "create-duplicate", None))
                else:
                    state, again = self.created(name, task)
                    skipped += [(name, "todo-duplicate", todo) for todo in again]
            elif state is None:
                skipped.append((name, "task-missing", None))
            else:
                reason = self.apply(name, action, content, state)
                if reason:
                    skipped.append((name, reason, content["todoTaskId"].lower()))
        return state, skipped

    def created(self, name, task):
        node, content = self.nodes[name], content_of(self.nodes[name])
        state = {
            "archived": False, "created": node["timestamp"]["wall"], "fields": {}, "guid": task, "todoTasks": [],
            "userId": node["author"]["userId"], "title": content["title"], "defaulted": []}
        for member, default in DEFAULTS.items():
            state[member] = content.get(member, default)
            if member not in content:
                state["defaulted"].append(member)
        for member, value in content.items():
            if member not in TASK_FIELDS and member != "todos":
                state["fields"][member] = value
        again = []
        for index, todo in enumerate(content.get("todos", [])):
            guid = todo["todoTaskId"].lower() if "todoTaskId" in todo else derived(name, index)
            if not add_todo(state, guid, todo, node["timestamp"]["wall"], ("completed",)):
                again.append(guid)
        return state, again

    def apply(self, name, action, content, state):
        """Does what an action does; the reason when it has no effect."""
        wall = self.nodes[name]["timestamp"]["wall"]
        if action in ("CREATE_TODO", "ADD_TODO"):
            if not add_todo(state, content["todoTaskId"].lower(), content, wall, ()):
                return "todo-duplicate"
            return None
        if action in ("COMPLETE_TODO", "SNOOZE"):
            todo = find_todo(state, content["todoTaskId"].lower())
            if todo is None:
                return "todo-missing"
            if action == "COMPLETE_TODO":
                todo["completed"] = content.get("completed", wall)
            elif "newDeadline" in content:
                todo["deadline"] = content["newDeadline"]
            else:
                if "deadline" not in todo:
                    return "deadline-missing"
                days = content["daysToExtend"] if "daysToExtend" in content else content["snoozeDays"]
                moved = time_text(instant(todo["deadline"]) + int(days) * 86_400_000)
                if moved is None:
                    return "deadline-range"
                todo["deadline"] = moved
            if content.get("notes"):
                todo["notes"] = todo["notes"] + "\n" + content["notes"] if todo["notes"] else content["notes"]
            return None
        if action == "COMPLETE":
            state["completedAt"] = content["completedAt"]
        elif action in ("ARCHIVE", "UNARCHIVE"):
            state["archived"] = action == "ARCHIVE"
        elif action == "UPDATE":
            for member, value in content.items():
                put(state, None, member if member in TASK_FIELDS else ("fields", member), value)
        elif action == "MERGE":
            if "fields" in self.nodes[name]["data"]:
                if not is_automatic(self.nodes[name]):
                    for member, value in content.items():
                        put(state, None, task_member(member), value)
            else:
                for (todo, member), value in self.decisions(name):
                    put(state, todo, member, value)
        else:
            return None
        state["lastUpdated"] = wall
        return None

    # Section 4, a MERGE with `payload`.

    def decisions(self, name):
        """What a MERGE decides: ((todo or None, member), value), in the order in which it is written."""
        if name not in self.decided:
            self.decided[name] = self.decide(name)
        return self.decided[name]

    def decide(self, name):
        node, content = self.nodes[name], content_of(self.nodes[name])
        task, parents = task_of(node), node["parents"]
        default = content.get("policy", {}).get("defaultStrategy", "lww")
        states = [self.only(self.closure(parent)).replay(task)[0] for parent in parents]
        entries = [(None, entry) for entry in content.get("resolutions", {}).get("task", [])]
        for todo in content.get("resolutions", {}).get("todos", []):
            if "todoTaskId" in todo:
                entries += [(todo["todoTaskId"].lower(), entry) for entry in todo.get("fields", [])]
        named, result = set(), []
        for todo, entry in entries:
            if "path" not in entry:
                continue
            member = task_member(entry["path"]) if todo is None else todo_member(entry["path"])
            if member is None:
                continue
            named.add((todo, member))
            value = chosen((todo, member), entry.get("strategy", default), entry, parents, states)
            if value is not None:
                result.append(((todo, member), value[0]))
        if default in ("ours", "theirs", "union", "max", "min"):
            for target in sorted(self.written_by_several(content.get("base"), parents, task) - named, key=repr):
                value = chosen(target, default, {}, parents, states)
                if value is not None:
                    result.append((target, value[0]))
        return result

    def written_by_several(self, base, parents, task):
        """The members that more than one side wrote since the base."""
        sides = [{name for name in self.closure(parent) if task_of(self.nodes[name]) == task} for parent in parents]
        if base is None:
            common = set.intersection(*sides)
            base = max(common, key=lambda name: self.place[name]) if common else None
        before = self.closure(base) if base else set()
        written = [set().union(*(self.written(name) for name in side - before)) for side in sides]
        return {
            target for side in written for target in side
            if sum(target in other for other in written) > 1 and not is_no_content(target)}

    def written(self, name):
        """The members that a node writes, by its form."""
        node = self.nodes[name]
        action, content = node["action"], content_of(node)
        targets = set()
        if action in ("CREATE", "UPDATE"):
            for member in content:
                if not (action == "CREATE" and member == "todos"):
                    targets.add((None, member if member in TASK_FIELDS else ("fields", member)))
        if action == "CREATE":
            for index, todo in enumerate(content.get("todos", [])):
                guid = todo["todoTaskId"].lower() if "todoTaskId" in todo else derived(name, index)
                targets |= {(guid, todo_member(member)) for member in todo if member != "todoTaskId"}
        if action in ("CREATE_TODO", "ADD_TODO"):
            guid = content["todoTaskId"].lower()
            for member in content:
                if member != "todoTaskId":
                    targets.add((guid, ("fields", member) if member == "completed" else todo_member(member)))
        if action == "COMPLETE_TODO":
            targets.add((content["todoTaskId"].lower(), "completed"))
        if action == "SNOOZE":
            targets.add((content["todoTaskId"].lower(), "deadline"))
        if action in ("COMPLETE_TODO", "SNOOZE") and content.get("notes"):
            targets.add((content["todoTaskId"].lower(), "notes"))
        if action == "COMPLETE":
            targets.add((None, "completedAt"))
        if action == "MERGE" and "fields" in node["data"] and not is_automatic(node):
            targets |= {(None, task_member(member)) for member in content}
        if action == "MERGE" and "payload" in node["data"]:
            targets |= {target for target, _ in self.decisions(name)}
        return targets

    # Section 5.

    def at(self, point, policy="closed", received=None):
        """The history as of a point."""
        if point.startswith("sha256:"):
            return self.afresh(self.closure(point))
        if point.startswith("lamport:"):
            limit = int(point[8:])
            return self.closed(lambda name: self.nodes[name]["timestamp"]["lamport"] <= limit)
        limit = instant(point + "T23:59:59.999Z" if len(point) == 10 else point)
        if policy == "received":
            return self.closed(lambda name: name in received and received[name] <= limit)
        early = {name for name in self.nodes if instant(self.nodes[name]["timestamp"]["wall"]) <= limit}
        return self.afresh(early) if policy == "wall" else self.closed(lambda name: name in early)

    def closed(self, counts):
        kept = set()
        for name in self.order:
            if counts(name) and all(parent in kept for parent in self.parents(name)):
                kept.add(name)
        return self.afresh(kept)

    def state(self):
        """The lines of the state."""
        lines = []
        for task in self.tasks():
            state, _ = self.replay(task)
            if state is not None:
                lines.append(canonical(shown(state)).decode() + "\n")
        return "".join(lines)

    def skips(self):
        """(place, id, reason, todo or "") of everything without effect, in total order."""
        skipped = []
        for name in self.order:
            node = self.nodes[name]
            if task_of(node) is None:
                if name in self.broken:
                    skipped.append((name, "broken-branch", None))
                else:
                    skipped.append((name, "task-id-missing" if node["action"] in KNOWN else "action-unknown", None))
        for task in self.tasks():
            skipped += self.replay(task)[1]
        return [f"{name} {reason} {todo or '-'}" for name, reason, todo in sorted(skipped, key=lambda s: self.place[s[0]])]


def shown(state):
    return dict(state, defaulted=sorted(state["defaulted"]))


def answer(case):
    """The states that a case asks for, and what has no effect in the whole."""
    history = History({id_of(node): node for node in case["nodes"]}, case.get("broken", ()))
    states = []
    for query in case["queries"]:
        cut = history.at(query["asOf"], query["policy"], case["received"]) if "asOf" in query else history
        states.append(cut.state())
    return {"seed": case["seed"], "skips": history.skips(), "states": states}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--skips", action="store_true")
    parser.add_argument("--as-of")
    parser.add_argument("--policy", default="closed")
    options = parser.parse_args()
    data = reading.standard_input()
    if options.cases:
        for line in reading.lines(data):
            print(json.dumps(answer(reading.parse(line))), flush=True)
        return
    history = History({id_of(node): node for node, _ in reading.nodes(data)})
    if options.as_of:
        history = history.at(options.as_of, options.policy)
    sys.stdout.buffer.write(
        "".join(line + "\n" for line in history.skips()).encode() if options.skips else history.state().encode())


if __name__ == "__main__":
    main()
