"""What the oracle of replay does to one task's state: members, todos, and the strategies of a MERGE.

A member of a task or todo is its name, or ("fields", name) for one that the protocol does not name; a target is
(todo's id or None, member).
"""

import datetime
import hashlib

from node_rules import time_form
from strict_json import canonical, is_integer

EPOCH = datetime.datetime(1970, 1, 1)
DEFAULTS = {"description": "", "frequencyDays": 0.0, "priority": 3.0, "privacy": False, "storyPoints": 1.0}
TASK_FIELDS = {"title", *DEFAULTS}
NOT_CONTENT = {"archived", "deleted", "todoTasks", "guid", "todos"}


def instant(text):
    """A time in milliseconds since 1970."""
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if "." in text else "%Y-%m-%dT%H:%M:%SZ"
    return (datetime.datetime.strptime(text, form) - EPOCH) // datetime.timedelta(milliseconds=1)


def time_text(milliseconds):
    """A time with three decimals; None beyond the year 9999."""
    try:
        moment = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return moment.isoformat(timespec="milliseconds") + "Z"


def content_of(node):
    return node["data"]["fields"] if "fields" in node["data"] else node["data"]["payload"]


def task_of(node):
    return node["taskId"].lower() if "taskId" in node else None


def derived(name, index):
    """The UUID of a todo of a CREATE that names none."""
    digits = hashlib.sha256(f"{name}/{index}".encode()).hexdigest()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def add_todo(state, guid, content, wall, more):
    """Adds a todo; whether it was not there."""
    if find_todo(state, guid) is not None:
        return False
    todo = {"created": wall, "fields": {}, "guid": guid, "notes": content.get("notes", ""), "redoParentGuid": state["guid"]}
    for member, value in content.items():
        if member in ("deadline", *more):
            todo[member] = value
        elif member not in ("todoTaskId", "notes"):
            todo["fields"][member] = value
    state["todoTasks"].append(todo)
    return True


def find_todo(state, guid):
    return next((todo for todo in state["todoTasks"] if todo["guid"] == guid), None)


def is_automatic(node):
    return node["data"].get("conflictResolution", {}).get("source") == "automatic"


def task_member(path):
    """Where a member of a task stands: a name, ("fields", name), or None for what no content may set."""
    if path in NOT_CONTENT:
        return None
    return path if path in TASK_FIELDS or path == "completedAt" else ("fields", path)


def todo_member(path):
    if path == "todoTaskId":
        return None
    return path if path in ("deadline", "completed", "notes") else ("fields", path)


def is_no_content(target):
    todo, member = target
    return member is None or (todo is None and type(member) is tuple and member[1] in NOT_CONTENT)


def get(state, target):
    """[value] of a member in a state; None when there is none."""
    todo, member = target
    holder = state if todo is None or state is None else find_todo(state, todo)
    if holder is None:
        return None
    if type(member) is tuple:
        holder, member = holder["fields"], member[1]
    return [holder[member]] if member in holder else None


def put(state, todo, member, value):
    holder = state if todo is None else find_todo(state, todo)
    if holder is None:
        return
    if type(member) is tuple:
        holder["fields"][member[1]] = value
        return
    holder[member] = value
    if todo is None and member in state["defaulted"]:
        state["defaulted"].remove(member)


def chosen(target, strategy, entry, parents, states):
    """[value] that a strategy decides for; None when it decides nothing."""
    ours = entry.get("chosenParent", parents[0])
    if strategy == "manual":
        return [entry["value"]] if "value" in entry and is_allowed(target, entry["value"]) else None
    if strategy in ("ours", "theirs"):
        if ours not in parents or (strategy == "theirs" and len(parents) != 2):
            return None
        side = parents.index(ours) if strategy == "ours" else 1 - parents.index(ours)
        return get(states[side], target)
    values = [found[0] for found in (get(state, target) for state in states) if found is not None]
    if not values:
        return None
    if strategy == "union":
        if not all(type(value) is list for value in values):
            return None
        elements = {canonical(element): element for value in values for element in value}
        return [[elements[text] for text in sorted(elements)]]
    if strategy in ("max", "min"):
        kinds = {type(value) for value in values}
        if len(kinds) != 1 or kinds <= {list, dict, type(None)}:
            return None
        order = canonical
        if kinds <= {float, bool}:
            return [max(values) if strategy == "max" else min(values)]
        if is_time(target):
            order = time_order
        return [(max if strategy == "max" else min)(values, key=order)]
    return None


def time_order(text):
    return instant(text), text


def is_time(target):
    return target[1] in ("completedAt", "deadline", "completed")


def is_allowed(target, value):
    """Whether a value that was decided by hand has the type of its member."""
    todo, member = target
    if type(member) is tuple:
        return todo is None or member[1] != "title" or type(value) is str
    if is_time(target):
        return time_form(value) is not None
    if member == "title":
        return type(value) is str and value != ""
    if member in ("description", "notes"):
        return type(value) is str
    if member == "privacy":
        return type(value) is bool
    if member == "storyPoints":
        return type(value) is float and value >= 0
    if member == "priority":
        return is_integer(value)
    return is_integer(value) and value >= 0
