"""What a recovery in place can bring back, from the protocol alone (sections 2, 3 and 5), and whether it did.

A history is what replay.History makes of nodes. `lost` says what no action can give its old value again; `wrong` compares
the states of the day and of the end, with the members that were written by others set aside.
"""

import hashlib

from replay_state import DEFAULTS, NOT_CONTENT, content_of, derived, task_of

WHOLE, ORDER = "", "/todoTasks"


def again(task, todo):
    """The UUID of the todo that takes the place of a completed one."""
    digits = hashlib.sha256(f"{task}/{todo}/again".encode()).hexdigest()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def living(history, task):
    return set(history.taken(task)[0])


def revived(history, task, day):
    """What comes back: the nodes that the DELETEs follow which have ended, since the day, what stood on it; but for what
    was deleted on the day already."""
    stood, reasons = living(day, task), history.taken(task)[1]
    own = history.of_task(task)
    rest = {name for name in own if reasons.get(name) not in ("after-delete", "broken-branch")}
    ended = {name for name in stood & rest if name not in living(history, task)}
    back = set()
    for name in rest:
        if history.nodes[name]["action"] == "DELETE" and name not in day.nodes and ended & set(history.ancestors[name]):
            back |= {above for above in history.ancestors[name] if above in own and (above in stood or above not in day.nodes)}
    return back | {above for name in back for above in history.ancestors[name] if above in own}


def buried(history, task, day):
    """What had been deleted on the day already, and still is."""
    reasons = day.taken(task)[1]
    dead = {name for name in day.of_task(task) if reasons.get(name) == "not-living"}
    return dead - living(history, task) - revived(history, task, day)


def present(history, task, day):
    """The state that new changes start from: with what comes back."""
    back = revived(history, task, day) if day.replay(task)[0] is not None else set()
    if not back:
        return history.replay(task)[0]
    others = {name for name in history.nodes if task_of(history.nodes[name]) != task}
    return history.afresh(others | back | living(history, task)).replay(task)[0]


def todos(state):
    return {todo["guid"]: todo for todo in state["todoTasks"]}


def lost(history, day, wanted=None, exact=False):
    """({(task, todo or None, path, why)}, {todo: the one in its place}, {tasks made since and kept})."""
    rows, places, kept = set(), {}, set()
    for task in history.tasks():
        if wanted is not None and task not in wanted:
            continue
        then = day.replay(task)[0]
        if then is None:
            if history.replay(task)[0] is not None and not exact:
                kept.add(task)
            continue
        now = present(history, task, day)
        rows |= {(task, None, path, why) for path, why in lost_members(now, then)}
        rows |= lost_todos(task, todos(now), todos(then), places)
        common = [todo["guid"] for todo in then["todoTasks"] if todo["guid"] in todos(now)]
        missing = [todo["guid"] for todo in then["todoTasks"] if todo["guid"] not in todos(now)]
        if [todo for todo in todos(now) if todo in common] + missing != list(todos(then)):
            rows.add((task, None, ORDER, "no-action"))
    return rows, places, kept


def lost_members(now, then):
    for path in ("created", "userId"):
        if now[path] != then[path]:
            yield "/" + path, "no-action"
    if "completedAt" in now and "completedAt" not in then:
        yield "/completedAt", "first-completion"
    # What gets its value back is written for that, and is no default any more.
    defaults = {name for name in now["defaulted"] if now[name] == then[name]}
    if defaults != set(then["defaulted"]):
        yield "/defaulted", "default-set"
    for name in now["fields"].keys() | then["fields"].keys():
        path = "/fields/" + name.replace("~", "~0").replace("/", "~1")
        if name not in then["fields"]:
            yield path, "first-value"
        elif name in NOT_CONTENT and now["fields"].get(name) != then["fields"][name]:
            yield path, "no-action"


def lost_todos(task, now, then, places):
    rows = set()
    for guid, old in then.items():
        if guid not in now:
            rows.add((task, guid, "/created", "no-action"))
            continue
        new = now[guid]
        if "completed" in new and "completed" not in old:
            place = again(task, guid)
            while "completed" in now.get(place, {}):
                place = again(task, place)
            places[guid] = place
            rows |= {(task, guid, path, "todo-replaced") for path in differing(new, old)}
            if place in now and place not in then:
                rows |= {
                    (task, place, path, why(path, now[place], old)) for path in differing(now[place], old)
                    if path != "/created" and not (path == "/deadline" and "deadline" in old)}
            continue
        for path in differing(new, old):
            if path == "/completed" or path == "/deadline" and "deadline" in old:
                continue
            rows.add((task, guid, path, why(path, new, old)))
    for guid in now:
        if guid not in then and guid not in places.values():
            rows.add((task, guid, WHOLE, "todo-added"))
    return rows


def why(path, new, old):
    if path == "/deadline":
        return "first-deadline"
    if path == "/notes" and new["notes"].startswith(old["notes"]):
        return "appended-notes"
    return "no-action"


def differing(new, old):
    """The paths of the members of a todo that are not the same."""
    paths = {"/" + name for name in ("created", "deadline", "completed", "notes") if new.get(name) != old.get(name)}
    for name in new["fields"].keys() | old["fields"].keys():
        if name not in new["fields"] or name not in old["fields"] or new["fields"][name] != old["fields"][name]:
            paths.add("/fields/" + name.replace("~", "~0").replace("/", "~1"))
    return paths


def path_of(member):
    """The path of a member as `written` names it."""
    if type(member) is tuple:
        return "/fields/" + member[1].replace("~", "~0").replace("/", "~1")
    return "/" + member


def wrong(history, day, recovered, end, rows, places, wanted=None, exact=False):
    """What is not as it was on the day, though nothing excuses it.

    `history` is what the recovery saw, `recovered` the ids that it wrote, `end` the history at the end. Excused is what
    `rows` list, and what was written by changes that the recovery did not see, or that bring a branch back that was
    deleted when it ran.
    """
    faults = []
    for task in sorted(set(end.tasks()) | set(day.tasks())):
        then, final = day.replay(task)[0], end.replay(task)[0]
        seen = {name for name in end.of_task(task) if name in history.nodes}
        others = [name for name in end.of_task(task) if name not in seen and name not in recovered]
        if wanted is not None and task not in wanted:
            continue
        if then is None:
            if exact and final is not None and not others:
                faults.append((task, None, "it is there"))
            continue
        if final is None:
            if not any(end.nodes[name]["action"] == "DELETE" for name in others):
                faults.append((task, None, "it is gone"))
            continue
        # Branches that were deleted when the recovery ran, and that others have brought back.
        stood = living(history, task)
        for name in recovered:
            if task_of(end.nodes[name]) == task:
                stood |= {above for above in end.ancestors[name] if above in seen}
        own = {name for name in recovered if task_of(end.nodes[name]) == task}
        ended = any(end.nodes[name]["action"] == "DELETE" for name in others)
        if ended and not own | stood <= living(end, task):
            # Somebody has deleted the branch of the recovery since, and another branch keeps the task.
            continue
        revived = [name for name in living(end, task) if name in seen and name not in stood]
        written = set()
        for name in others + revived:
            if end.nodes[name]["action"] in ("ARCHIVE", "UNARCHIVE"):
                written.add((None, "/archived"))
            for todo, member in end.written(name):
                written.add((todo, path_of(member)))
                if todo is None and member in DEFAULTS:
                    written.add((None, "/defaulted"))
            if end.nodes[name]["action"] in ("CREATE_TODO", "ADD_TODO"):
                written.add((content_of(end.nodes[name])["todoTaskId"].lower(), WHOLE))
            if end.nodes[name]["action"] == "CREATE":
                for index, todo in enumerate(content_of(end.nodes[name]).get("todos", [])):
                    written.add((todo["todoTaskId"].lower() if "todoTaskId" in todo else derived(name, index), WHOLE))
        excused = {(todo, path) for where, todo, path, _ in rows if where == task} | written
        faults += [(task, None, path) for path in members_differ(final, then) if (None, path) not in excused]
        old, new = todos(then), todos(final)
        for guid in new.keys() - old.keys():
            if (guid, WHOLE) not in excused and guid not in places.values():
                faults.append((task, guid, "it is there"))
        for guid in old:
            if guid not in new:
                faults.append((task, guid, "it is gone"))
                continue
            faults += [
                (task, guid, path) for path in differing(new[guid], old[guid]) if (guid, path) not in excused]
            if guid in places and places[guid] not in old:
                place = new.get(places[guid])
                if place is None:
                    faults.append((task, guid, "nothing is in its place"))
                    continue
                faults += [
                    (task, places[guid], path) for path in differing(place, old[guid])
                    if path != "/created" and (places[guid], path) not in excused]
    return faults


def members_differ(new, old):
    """The paths of the members of a task that are not the same; lastUpdated is not one of them."""
    names = ["archived", "completedAt", "created", "userId", "title", *DEFAULTS]
    paths = {"/" + name for name in names if new.get(name) != old.get(name)}
    if set(new["defaulted"]) != set(old["defaulted"]):
        paths.add("/defaulted")
    for name in new["fields"].keys() | old["fields"].keys():
        if name not in new["fields"] or name not in old["fields"] or new["fields"][name] != old["fields"][name]:
            paths.add("/fields/" + name.replace("~", "~0").replace("/", "~1"))
    return paths
