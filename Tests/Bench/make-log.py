#!/usr/bin/env python3
"""Makes what the benchmarks work on: a log of many signed nodes, and the same in the forms that the rivals need.

It shares no code with `redo`: JSON by Python's `json` (ASCII member names and whole numbers only, for which its sorted
compact form is RFC 8785), Ed25519 by PyNaCl. Same arguments, same bytes.

  make-log.py --nodes 100000 <directory>

  log.ndjson    a node a line, parents before children
  ids           their ids, a line each, in the order of the log
  messages      for raw verification: key (32), signature (64), length (4, little-endian), message
  files/, paths with --files: every node as a file of its own, and their names a line each
"""

import argparse
import hashlib
import json
import os
import random
import sys

from nacl.bindings import crypto_sign_BYTES, crypto_sign, crypto_sign_seed_keypair

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--nodes", type=int, default=100_000)
parser.add_argument("--files", action="store_true")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("directory")
options = parser.parse_args()

rnd = random.Random(options.seed)
DAY = 86_400_000
OPEN_TASKS = 2_000  # how many tasks change at the same time
WORDS = "water garden invoice kitchen review café letter bicycle budget Łódź ticket shelf – report 日本 winter door".split()


class Device:
    def __init__(self, number):
        seed = hashlib.sha256(b"redo bench, device %d" % number).digest()
        public, self.secret = crypto_sign_seed_keypair(seed)
        self.public_bytes = public
        self.author = {
            "deviceId": "device-%02d" % number,
            "deviceName": "Device number %d" % number,
            "name": "Person %d" % (number // 2),
            "publicKey": public.hex(),
            "userId": public.hex()[:32],
        }


DEVICES = [Device(number) for number in range(8)]


def wall(milliseconds):
    """A time since 2020-01-01 as the protocol writes it; months of 28 days keep it simple."""
    days, rest = divmod(milliseconds, DAY)
    years, days = divmod(days, 336)
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (
        2020 + years, days // 28 + 1, days % 28 + 1,
        rest // 3_600_000, rest // 60_000 % 60, rest // 1000 % 60, rest % 1000,
    )  # fmt: skip


def uuid():
    text = "%032x" % rnd.getrandbits(128)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def text(low, high):
    return " ".join(rnd.choices(WORDS, k=rnd.randint(low, high)))


class Task:
    def __init__(self):
        self.id, self.heads, self.lamport, self.todo = uuid(), [], 0, None
        self.parents = None  # of its last node
        self.left = rnd.randint(4, 18)

    def next(self, now):
        """Action and content of the task's next change."""
        self.left -= 1
        if not self.heads:
            return "CREATE", {
                "description": text(0, 12), "frequencyDays": rnd.choice([0, 1, 7, 30]), "priority": rnd.randint(1, 5),
                "privacy": rnd.random() < 0.2, "storyPoints": rnd.randint(1, 13), "title": text(2, 6),
            }  # fmt: skip
        if len(self.heads) > 1:
            return "MERGE", {"title": text(2, 6)}
        if self.todo is None:
            self.todo = uuid()
            return "CREATE_TODO", {"deadline": wall(now + 3 * DAY), "notes": text(0, 8), "todoTaskId": self.todo}
        chance = rnd.random()
        if chance < 0.5:
            todo, self.todo = self.todo, None
            return "COMPLETE_TODO", {"completed": wall(now), "notes": text(0, 8), "todoTaskId": todo}
        if chance < 0.7:
            return "SNOOZE", {"daysToExtend": rnd.randint(1, 9), "notes": text(0, 8), "todoTaskId": self.todo}
        return "UPDATE", {"description": text(4, 20), "priority": rnd.randint(1, 5)}


def dump(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


os.makedirs(options.directory, exist_ok=True)
if options.files:
    for shard in range(100):
        os.makedirs(os.path.join(options.directory, "files", "%02d" % shard), exist_ok=True)


def output(name):
    return open(os.path.join(options.directory, name), "wb")


tasks, now, size = [], 0, 0
with output("log.ndjson") as log, output("ids") as ids, output("messages") as messages, output("paths") as paths:
    for number in range(options.nodes):
        now += rnd.randrange(1, 600_000 * 100_000 // options.nodes)
        if len(tasks) < OPEN_TASKS:
            tasks.append(Task())
            place = len(tasks) - 1
        else:
            place = rnd.randrange(OPEN_TASKS)
            if tasks[place].left <= 0:
                tasks[place] = Task()
        task, device = tasks[place], rnd.choice(DEVICES)
        # Now and then a device has not seen the last change of its task; the next one merges both.
        forks = task.parents is not None and len(task.heads) == 1 and rnd.random() < 0.03
        parents = task.parents if forks else sorted(task.heads)
        lamport = task.lamport + (not forks)
        action, content = task.next(now)
        body = {
            "action": action, "author": device.author, "data": {"fields": content}, "parents": parents,
            "taskId": task.id, "timestamp": {"lamport": lamport, "wall": wall(now)}, "version": 1,
        }  # fmt: skip
        message = dump(body)
        body["id"] = "sha256:" + hashlib.sha256(message).hexdigest()
        signature = crypto_sign(message, device.secret)[:crypto_sign_BYTES]
        body["signature"] = signature.hex()
        task.heads = [*task.heads, body["id"]] if forks else [body["id"]]
        task.parents, task.lamport = parents or None, lamport
        line = dump(body) + b"\n"
        size += len(line)
        log.write(line)
        ids.write(body["id"].encode() + b"\n")
        messages.write(device.public_bytes + signature + len(message).to_bytes(4, "little") + message)
        if options.files:
            name = "files/%02d/%07d.json" % (number % 100, number)
            with output(name) as file:
                file.write(line)
            paths.write(name.encode() + b"\n")

print(f"{options.nodes} nodes of {size // max(options.nodes, 1)} bytes on average", file=sys.stderr)
