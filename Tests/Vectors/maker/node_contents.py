"""node/, the content: types, members that are required or forbidden, ranges."""

from .common import name_id, pointer_of
from .node_base import CONTENT, TIME, TODO, base

NOT_TEXT = [("number", 5), ("true", True), ("array", []), ("object", {}), ("null", None)]
NOT_TIME = [("without-zone", "2025-03-01T08:00:00.000"), ("offset", "2025-03-01T08:00:00.000+01:00"), ("feb-30", "2024-02-30T08:00:00.000Z"),
            ("date-only", "2025-03-01"), ("number", 1740816000), ("empty", ""), ("null", None)]
NOT_UUID = [("without-dashes", TODO.replace("-", "")), ("empty", ""), ("number", 1), ("null", None), ("not-hex", TODO[:-1] + "g")]
GOOD_TEXT = [("text", "Zoë\n“🚀”")]
GOOD_TIME = [("time", "2024-02-29T23:59:59.999Z")]
GOOD_UUID = [("lower-case", TODO), ("upper-case", TODO.upper())]
GOOD_COUNT = [("zero", 0), ("one", 1), ("1e20", 1e20)]
NOT_COUNT = [("minus-one", -1), ("one-and-a-half", 1.5), ("string", "7"), ("true", True), ("null", None), ("1e21", 1e21)]
DAYS = ([("one", 1), ("36500", 36500)],
        [("zero", 0), ("minus-one", -1), ("36501", 36501), ("one-and-a-half", 1.5), ("string", "3"), ("true", True), ("null", None)])

# member: (good values, bad values)
TASK_MEMBERS = {
    "title": (GOOD_TEXT, [("empty", ""), *NOT_TEXT]),
    "description": ([*GOOD_TEXT, ("empty", "")], NOT_TEXT),
    "privacy": ([("true", True), ("false", False)], [("zero", 0), ("string", "true"), ("null", None), ("array", [])]),
    "storyPoints": ([("zero", 0), ("half", 0.5), ("1e21", 1e21)], [("minus-half", -0.5), ("string", "3"), ("true", True), ("null", None), ("array", [])]),
    "priority": ([("one", 1), ("five", 5)], [("two-and-a-half", 2.5), ("string", "3"), ("true", True), ("null", None), ("1e21", 1e21)]),
    "frequencyDays": (GOOD_COUNT, NOT_COUNT),
}
MEMBERS = {
    "CREATE": TASK_MEMBERS,
    "UPDATE": TASK_MEMBERS,
    "MERGE": {**TASK_MEMBERS, "completedAt": (GOOD_TIME, NOT_TIME)},
    "CREATE_TODO": {"todoTaskId": (GOOD_UUID, NOT_UUID), "deadline": (GOOD_TIME, NOT_TIME), "notes": ([*GOOD_TEXT, ("empty", "")], NOT_TEXT), "title": (GOOD_TEXT, NOT_TEXT)},
    "ADD_TODO": {"todoTaskId": (GOOD_UUID, NOT_UUID), "deadline": (GOOD_TIME, NOT_TIME), "notes": ([*GOOD_TEXT, ("empty", "")], NOT_TEXT), "title": (GOOD_TEXT, NOT_TEXT)},
    "COMPLETE_TODO": {"todoTaskId": (GOOD_UUID, NOT_UUID), "completed": (GOOD_TIME, NOT_TIME), "notes": ([*GOOD_TEXT, ("empty", "")], NOT_TEXT)},
    "SNOOZE": {"todoTaskId": (GOOD_UUID, NOT_UUID), "daysToExtend": DAYS, "notes": ([*GOOD_TEXT, ("empty", "")], NOT_TEXT)},
    "COMPLETE": {"completedAt": (GOOD_TIME, NOT_TIME)},
}
REQUIRED = {"CREATE": ["title"], "CREATE_TODO": ["todoTaskId"], "ADD_TODO": ["todoTaskId"], "COMPLETE_TODO": ["todoTaskId"],
            "SNOOZE": ["todoTaskId"], "COMPLETE": ["completedAt"]}
FORBIDDEN = {"archived": True, "deleted": False, "todoTasks": [], "guid": TODO, "todos": []}


def word(name):
    return name.lower().replace("_", "-")


def make(m):
    for action, members in MEMBERS.items():
        for member, (good, bad) in members.items():
            # The documents' form has every case, the other clients' form a sample.
            for shape in ("fields", "payload"):
                if action == "MERGE" and shape == "payload":
                    continue
                pointer = pointer_of("data", shape, member)
                start = {"/data": {shape: CONTENT[action]}}
                mark = "" if shape == "fields" else "payload-"
                for case, value in good if shape == "fields" else good[:1]:
                    m.valid("payload-type", f"{word(action)}-{mark}{word(member)}-{case}", {**start, pointer: value}, action=action)
                for case, value in bad if shape == "fields" else bad[:1]:
                    m.invalid("payload-type", f"{word(action)}-{mark}{word(member)}-{case}", pointer, {**start, pointer: value}, action=action)
    spelt(m)
    todos(m)
    chains(m)
    for action, members in REQUIRED.items():
        for member in members:
            for shape in ("fields", "payload"):
                content = {k: v for k, v in CONTENT[action].items() if k != member}
                m.invalid("payload-missing", f"{word(action)}-{word(member)}-{shape}", pointer_of("data", shape, member), {"/data": {shape: content}}, action=action)
        m.valid("payload-missing", f"{word(action)}-only-what-is-required",
                {"/data/fields": {k: v for k, v in CONTENT[action].items() if k in members or k == "daysToExtend"}}, action=action)
    m.valid("payload-missing", "complete-todo-only-what-is-required-payload", {"/data": {"payload": {"todoTaskId": TODO}}}, action="COMPLETE_TODO")
    snooze(m)
    updates(m)
    ranges(m)
    merges(m)
    for action in ("ARCHIVE", "UNARCHIVE", "DELETE", "MERGE"):
        m.valid("payload-missing", f"{word(action)}-empty-fields", {"/data": {"fields": {}}}, action=action)
    for action in ("ARCHIVE", "UNARCHIVE", "DELETE"):
        m.valid("payload-missing", f"{word(action)}-empty-payload", {"/data": {"payload": {}}}, action=action)
    for action in CONTENT:
        unknown = {"/data/fields/x": {"any": [1, None, "🚀"]}, "/data/fields/": "", "/data/fields/Title": 5, "/data/fields/a~1b": False}
        m.valid("payload-type", f"{word(action)}-unknown-members", unknown, action=action)


def spelt(m):
    """Whole numbers are told by their canonical text, not by how they are written."""
    for old, new, case in [(b'"priority":2', b'"priority":2.0', "two-point-zero"), (b'"priority":2', b'"priority":20e-1', "twenty-tenths")]:
        m.valid("payload-type", f"update-priority-{case}", spell=[(old, new)])
    m.valid("payload-type", "snooze-daystoextend-three-point-zero", action="SNOOZE", spell=[(b'"daysToExtend":3', b'"daysToExtend":3.0')])
    m.valid("payload-type", "create-frequencydays-7-point-zero", action="CREATE", spell=[(b'"frequencyDays":7', b'"frequencyDays":0.7e1')])


def todos(m):
    place = "/data/fields/todos"
    full = {"todoTaskId": TODO, "title": "Fill the can", "deadline": TIME, "notes": "", "completed": TIME}
    for case, value in [("empty", []), ("one-empty-object", [{}]), ("all-members", [full]), ("unknown-members", [{"x": None, "priority": "high"}]),
                        ("two-alike", [{"title": "a"}, {"title": "a"}]), ("empty-title", [{"title": ""}])]:
        m.valid("payload-type", f"create-todos-{case}", {place: value}, action="CREATE")
    m.valid("wall-precision", "create-todos", {place: [{}, {**full, "deadline": "2025-03-08T08:00:00Z"}]}, action="CREATE", warn=[f"wall-precision@{place}/1/deadline"])
    for case, value in [("object", {}), ("string", "Fill the can"), ("number", 3), ("true", True), ("null", None)]:
        m.invalid("payload-type", f"create-todos-{case}", place, {place: value}, action="CREATE")
    for case, value in [("string", "Fill the can"), ("null", None), ("array", []), ("number", 1)]:
        m.invalid("payload-type", f"create-todos-element-{case}", f"{place}/1", {place: [{}, value]}, action="CREATE")
    for member, bad in [("todoTaskId", NOT_UUID), ("title", NOT_TEXT), ("deadline", NOT_TIME), ("notes", NOT_TEXT), ("completed", NOT_TIME)]:
        for case, value in bad[:3]:
            m.invalid("payload-type", f"create-todos-{word(member)}-{case}", f"{place}/0/{member}", {place: [{**full, member: value}]}, action="CREATE")


def chains(m):
    place, first = "/data/fields/deletedChain", name_id("first")
    for case, value in [("empty", []), ("one", [first]), ("two", [first, name_id("second")])]:
        m.valid("payload-type", f"delete-deletedchain-{case}", {place: value}, action="DELETE")
    for case, value in [("string", first), ("object", {}), ("true", True), ("null", None)]:
        m.invalid("payload-type", f"delete-deletedchain-{case}", place, {place: value}, action="DELETE")
    for case, value in [("upper-case", "sha256:" + first[7:].upper()), ("no-prefix", first[7:]), ("number", 1), ("null", None)]:
        m.invalid("payload-type", f"delete-deletedchain-element-{case}", f"{place}/1", {place: [first, value]}, action="DELETE")


def snooze(m):
    days, later = {"daysToExtend": 3}, {"newDeadline": "2025-03-15T08:00:00.000Z"}
    old = {"snoozeDays": 3}
    for shape in ("fields", "payload"):
        place = f"/data/{shape}"
        for case, pair in [("days-and-deadline", {**days, **later}), ("snoozedays-and-deadline", {**later, **old}), ("days-twice", {**days, **old})]:
            m.invalid("payload-forbidden", f"snooze-{case}-{shape}", pointer_of("data", shape, list(pair)[1]),
                      {"/data": {shape: {"todoTaskId": TODO, **pair}}}, action="SNOOZE")
        m.invalid("payload-missing", f"snooze-neither-{shape}", place, {"/data": {shape: {"todoTaskId": TODO}}}, action="SNOOZE")
        for case, one in [("days", days), ("deadline", later), ("snoozedays", old)]:
            m.valid("payload-forbidden", f"snooze-{case}-{shape}", {"/data": {shape: {"todoTaskId": TODO, **one}}}, action="SNOOZE")
    for case, value in NOT_TIME:
        m.invalid("payload-type", f"snooze-newdeadline-{case}", "/data/fields/newDeadline", {"/data/fields": {"todoTaskId": TODO, "newDeadline": value}}, action="SNOOZE")
    for case, value in DAYS[0]:
        m.valid("payload-type", f"snooze-snoozedays-{case}", {"/data/fields": {"todoTaskId": TODO, "snoozeDays": value}}, action="SNOOZE")
    for case, value in DAYS[1]:
        m.invalid("payload-type", f"snooze-snoozedays-{case}", "/data/fields/snoozeDays", {"/data/fields": {"todoTaskId": TODO, "snoozeDays": value}}, action="SNOOZE")
    m.valid("wall-precision", "snooze-newdeadline", {"/data/fields": {"todoTaskId": TODO, "newDeadline": "2025-03-15T08:00:00Z"}}, action="SNOOZE",
            warn=["wall-precision@/data/fields/newDeadline"])


def updates(m):
    for action in ("UPDATE", "MERGE"):
        for member, value in FORBIDDEN.items():
            m.invalid("payload-forbidden", f"{word(action)}-{word(member)}", f"/data/fields/{member}", {f"/data/fields/{member}": value}, action=action)
        m.valid("payload-forbidden", f"{word(action)}-names-alike", {"/data/fields/Archived": True, "/data/fields/todo": []}, action=action)
    m.invalid("payload-forbidden", "update-only-archived-payload", "/data/payload/archived", {"/data": {"payload": {"archived": True}}})
    for shape in ("fields", "payload"):
        m.invalid("payload-missing", f"update-empty-{shape}", f"/data/{shape}", {"/data": {shape: {}}})
        m.valid("payload-missing", f"update-one-unknown-member-{shape}", {"/data": {shape: {"colour": "green"}}})


def ranges(m):
    place = "/data/fields/priority"
    for case, value in [("zero", 0), ("six", 6), ("nine", 9), ("minus-one", -1), ("1e20", 1e20)]:
        for action in ("CREATE", "UPDATE", "MERGE"):
            m.valid("payload-range", f"{word(action)}-priority-{case}", {place: value}, action=action, warn=[f"payload-range@{place}"])
    m.valid("payload-range", "update-payload-priority-nine", {"/data": {"payload": {"priority": 9}}}, warn=["payload-range@/data/payload/priority"])
    for case, value in [("one", 1), ("five", 5)]:
        m.valid("payload-range", f"create-priority-{case}", {place: value}, action="CREATE")
    short = "2025-03-01T08:00:00Z"
    for action, member in [("CREATE_TODO", "deadline"), ("ADD_TODO", "deadline"), ("COMPLETE_TODO", "completed"), ("COMPLETE", "completedAt"), ("MERGE", "completedAt")]:
        m.valid("wall-precision", f"{word(action)}-{word(member)}", {f"/data/fields/{member}": short}, action=action, warn=[f"wall-precision@/data/fields/{member}"])
    m.valid("wall-precision", "wall-and-deadline", {"/timestamp/wall": short, "/data/fields/deadline": short}, action="CREATE_TODO",
            warn=["wall-precision@/data/fields/deadline", "wall-precision@/timestamp/wall"])
    m.valid("wall-precision", "unknown-member-is-no-time", {"/data/fields/deadline": "2025-03-01T08:00:00Z"})


def merges(m):
    two = base("MERGE")["parents"]
    third = name_id("third")
    for case, parents in [("none", []), ("one", two[:1])]:
        m.invalid("merge-parents", case, "/parents", {"/parents": parents}, action="MERGE")
    for case, parents in [("two", two), ("three", [*two, third])]:
        m.valid("merge-parents", case, {"/parents": parents}, action="MERGE")
    m.valid("merge-parents", "update-with-one", {"/parents": two[:1]})
    m.invalid("merge-parents", "payload-with-one", "/parents", {"/parents": two[:1], "/data": {"payload": {"policy": {"defaultStrategy": "lww"}}}}, action="MERGE")
    payload = {"base": name_id("base"), "policy": {"defaultStrategy": "ours", "lwwTiebreakers": ["lamport", "wall", "id"], "arrayStrategy": "union"},
               "resolutions": {"task": [{"path": "title", "strategy": "manual", "value": "Water all", "notes": "agreed"}, {"path": "priority", "strategy": "theirs", "chosenParent": two[0]}],
                               "todos": [{"todoTaskId": TODO, "fields": [{"path": "notes", "strategy": "max"}]}]}}
    m.valid("merge-parents", "payload-with-two", {"/data": {"payload": payload}}, action="MERGE")
    for case, pointer, value in [("base-no-prefix", "base", third[7:]), ("base-null", "base", None), ("policy-string", "policy", "lww"),
                                 ("default-strategy-number", "policy/defaultStrategy", 1), ("resolutions-array", "resolutions", []),
                                 ("task-object", "resolutions/task", {}), ("task-entry-string", "resolutions/task/0", "title"),
                                 ("path-number", "resolutions/task/0/path", 1), ("strategy-null", "resolutions/task/1/strategy", None),
                                 ("chosen-parent-upper-case", "resolutions/task/1/chosenParent", "sha256:" + two[0][7:].upper()),
                                 ("todos-string", "resolutions/todos", "all"), ("todo-array", "resolutions/todos/0", []),
                                 ("todo-id-not-hex", "resolutions/todos/0/todoTaskId", "z" * 36), ("todo-notes-false", "resolutions/todos/0/fields/0/notes", False)]:
        place = f"/data/payload/{pointer}"
        m.invalid("payload-type", f"merge-payload-{case}", place, {"/data": {"payload": payload}, place: value}, action="MERGE")
    for case, pointer, value in [("value-null", "resolutions/task/0/value", None), ("tiebreakers-null", "policy/lwwTiebreakers", None),
                                 ("unknown-strategy", "policy/defaultStrategy", "coin"), ("unknown-member", "resolutions/comment", 5), ("empty", "resolutions", {})]:
        m.valid("payload-type", f"merge-payload-{case}", {"/data": {"payload": payload}, f"/data/payload/{pointer}": value}, action="MERGE")
    m.valid("merge-parents", "payload-with-policy-only", {"/data": {"payload": {"policy": {"defaultStrategy": "lww"}}}}, action="MERGE")
    resolution = {"strategy": "union", "preservedFields": ["priority", "completedAt"], "source": "manual"}
    m.valid("merge-parents", "fields-with-resolution", {"/data/conflictResolution": resolution, "/data/fields/completedAt": TIME}, action="MERGE")
