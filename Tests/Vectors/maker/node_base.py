"""One good node of each action, before it is sealed."""

import copy

from .common import ADA, name_id

TASK = "3f2b8c1e-9d47-4a60-b5e1-7c0d2a9f6e84"
TODO = "a81c4e02-5b7d-4f39-8e16-2d90c3b7f5a4"
TIME = "2025-03-01T08:00:00.000Z"

CONTENT = {
    "CREATE": {"title": "Water the plants", "description": "", "privacy": False, "storyPoints": 1, "priority": 3, "frequencyDays": 7},
    "UPDATE": {"title": "Water the garden", "priority": 2},
    "CREATE_TODO": {"todoTaskId": TODO, "deadline": "2025-03-08T08:00:00.000Z", "notes": ""},
    "ADD_TODO": {"todoTaskId": TODO, "title": "Fill the can"},
    "COMPLETE_TODO": {"todoTaskId": TODO, "completed": TIME, "notes": "done"},
    "SNOOZE": {"todoTaskId": TODO, "daysToExtend": 3},
    "COMPLETE": {"completedAt": TIME},
    "ARCHIVE": {},
    "UNARCHIVE": {},
    "DELETE": {},
    "MERGE": {"priority": 2},
}


def base(action):
    """A good node: CREATE has no parents, MERGE two, the others one."""
    count = {"CREATE": 0, "MERGE": 2}.get(action, 1)
    parents = sorted([name_id("left"), name_id("right")])[:count]
    return copy.deepcopy({
        "version": 1,
        "parents": parents,
        "timestamp": {"lamport": 5 if parents else 1, "wall": TIME},
        "author": ADA.author(),
        "action": action,
        "taskId": TASK,
        "data": {"fields": CONTENT[action]},
    })
