"""log-order.py <seed> <count>: random histories, and the orders in which `redo log` shows them.

It shares no code with redo: the ids are made here, and each order is computed from its definition, by looking for the next
change among all of them. The nodes come in several batches, so that the index is read, grown, and made anew; parents lie
in any task, and clocks are right, or stand still, or are wild.
"""

import datetime
import hashlib
import json
import os
import random
import subprocess
import sys
import uuid

EPOCH = datetime.datetime(1970, 1, 1)
START = 1_740_816_000_000
DAY = 86_400_000


def wall_text(milliseconds):
    return (EPOCH + datetime.timedelta(milliseconds=milliseconds)).isoformat(timespec="milliseconds") + "Z"


def redo(*words, input=None, status=0):
    process = subprocess.run(["redo", *words], input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if process.returncode != status:
        sys.exit(f"redo {' '.join(words)} ends with {process.returncode}: {process.stderr[:500]}")
    return process


class Change:
    def __init__(self, number, parents, lamport, wall, task, action):
        self.parents, self.lamport, self.wall, self.task, self.action = parents, lamport, wall, task, action
        self.number = number
        body = {
            "action": action, "author": {"deviceId": "d", "userId": "0" * 32}, "data": {"fields": {"n": number, "title": "t"}},
            "parents": sorted(parent.id for parent in parents), "taskId": task,
            "timestamp": {"lamport": lamport, "wall": wall_text(wall)}, "version": 1}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
        self.id = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        self.json = json.dumps({**body, "id": self.id}, sort_keys=True, separators=(",", ":"))
        self.received = None

    @property
    def by_wall(self):
        return (self.wall, self.lamport, self.id)

    @property
    def by_order(self):
        return (self.lamport, self.wall, self.id)


def history(rnd, count):
    changes = []
    tasks = [str(uuid.UUID(int=rnd.getrandbits(128))) for _ in range(rnd.choice([1, 3, 40]))]
    wild_lamports = rnd.random() < 0.3
    wild_walls = rnd.choice([0, 0.02, 0.3, 1])
    step = rnd.choice([0, 1, 3_600_000])
    for number in range(count):
        recent = changes[-rnd.choice([3, 3, 50, 10_000]):]
        parents = rnd.sample(recent, min(len(recent), rnd.choice([0, 1, 1, 1, 1, 2, 3])))
        lamport = max([parent.lamport for parent in parents], default=0) + 1
        if wild_lamports and rnd.random() < 0.3:
            lamport = rnd.randrange(1, 50)
        wall = START + number * step
        if rnd.random() < wild_walls:
            wall = rnd.choice([START + rnd.randrange(-3, 3), START + rnd.randrange(-9 * DAY, 9 * DAY),
                               rnd.randrange(0, 900_000_000_000), 4_070_908_800_000 + rnd.randrange(9)])
        changes.append(Change(number, parents, lamport, wall, rnd.choice(tasks), rnd.choice(["CREATE", "UPDATE", "REMIND"])))
    return changes


def greedy(members, key, behind):
    """Repeatedly the greatest by key of those that nothing is `behind` any more."""
    left, order = set(members), []
    waiting = {one: sum(other in left for other in behind(one)) for one in left}
    before = {}
    for one in left:
        for other in behind(one):
            before.setdefault(other, []).append(one)
    open_ = [one for one in left if waiting[one] == 0]
    while open_:
        best = max(open_, key=key)
        open_.remove(best)
        order.append(best)
        for one in before.get(best, []):
            waiting[one] -= 1
            if waiting[one] == 0:
                open_.append(one)
    assert len(order) == len(left)
    return order


def orders(members, walked=None):
    """The orders of some changes; a range leaves changes out of the total order of what it walks, and changes nothing else."""
    walked = walked or members
    children = {one: [] for one in members}
    for one in members:
        for parent in one.parents:
            if parent in children:
                children[parent].append(one)
    total = greedy(walked, lambda one: tuple(-part for part in one.by_order[:2]) + (Backwards(one.id),), lambda one: one.parents)
    total = [one for one in reversed(total) if one in members]
    place = {one: number for number, one in enumerate(total)}
    return {
        "wall": greedy(members, lambda one: one.by_wall, lambda one: children[one]),
        "order": total,
        "lamport": sorted(members, key=lambda one: one.by_order, reverse=True),
        "received": sorted(members, key=lambda one: (-one.received, place[one])),
    }


class Backwards:
    def __init__(self, text):
        self.text = text

    def __lt__(self, other):
        return self.text > other.text

    def __gt__(self, other):
        return self.text < other.text


def reached(tips):
    found, open_ = set(), list(tips)
    while open_:
        one = open_.pop()
        if one not in found:
            found.add(one)
            open_ += one.parents
    return found


def closed(changes, counts):
    members = set()
    for one in changes:  # Parents come first.
        if counts(one) and all(parent in members for parent in one.parents):
            members.add(one)
    return members


def implausible(one):
    return one.wall < 946_684_800_000 or one.wall - DAY > one.received


class Store:
    def __init__(self, rnd, changes, name):
        self.rnd, self.changes = rnd, changes
        redo("init", "-q", name)
        os.chdir(name)
        self.known = []

    def grow(self, part):
        redo("-c", "core.fsync=none", "import", "-q", input="\n".join(one.json for one in part) + "\n")
        self.known += part
        answer = redo("show", "--stdin", "--json", "--no-verify", input="\n".join(one.id for one in self.known) + "\n").stdout
        for one, row in zip(self.known, answer.splitlines()):
            one.received = datetime.datetime.fromisoformat(json.loads(row)["received"].replace("Z", "+00:00")).timestamp() * 1000

    def compare(self):
        rnd, words, members, walked = self.rnd, [], set(self.known), None
        how = rnd.choice(["all", "all", "tips", "range", "as-of", "wall", "lamport"])
        if how in ("tips", "range"):
            tips = rnd.sample(self.known, min(len(self.known), rnd.randrange(1, 4)))
            words += [one.id for one in tips]
            members = reached(tips)
            if how == "range":
                hidden = rnd.choice(self.known)
                words.append("^" + hidden.id)
                walked, members = members, members - reached([hidden])
        elif how in ("as-of", "wall"):
            limit = rnd.choice(self.known).wall
            words += ["--as-of=" + wall_text(limit), "--allow-empty"]
            if how == "as-of":
                members = closed(self.known, lambda one: one.wall <= limit)
            else:
                words.append("--policy=wall")
                members = {one for one in self.known if one.wall <= limit}
        elif how == "lamport":
            limit = rnd.randrange(1, 20)
            words += [f"--as-of=lamport:{limit}", "--allow-empty"]
            members = closed(self.known, lambda one: one.lamport <= limit)
        sort = rnd.choice([None, "wall", "order", "received", "lamport"])
        is_upward = sort is not None and rnd.random() < 0.3
        if sort is not None:
            words.append(f"--sort={'-' if is_upward else ''}{sort}")
        expected = orders(members, walked)[sort or "wall"]
        if is_upward:
            expected.reverse()
        if rnd.random() < 0.3:
            action = rnd.choice(["CREATE", "UPDATE", "REMIND"])
            words.append("--action=" + action)
            expected = [one for one in expected if one.action == action]
        if rnd.random() < 0.2:
            count = rnd.choice([0, 1, 7])
            words.append(f"--skip={count}")
            expected = expected[count:]
        if rnd.random() < 0.4:
            count = rnd.choice([0, 1, 1, 5, 20, 100])
            words.append(f"-n{count}")
            expected = expected[:count]
        if rnd.random() < 0.2:
            words.append("--reverse")
            expected.reverse()
        if rnd.random() < 0.3:
            words.append("--no-cache")
        rnd.shuffle(words)
        found = redo("log", "-q", "--format=%(id)", *words).stdout.split()
        if found != [one.id for one in expected]:
            names = {one.id: one.number for one in self.known}
            sys.exit(f"redo log {' '.join(words)}\nfound    {[names[id] for id in found]}\nexpected {[one.number for one in expected]}"
                     f"\nin {os.getcwd()}")

    def newest(self):
        """`show` goes by the receipt where the wall time cannot be true; log and dates go by wall, and log counts those."""
        wall = orders(set(self.known))["wall"]
        heads = set(self.known) - {parent for one in self.known for parent in one.parents}
        newest = max(heads, key=lambda one: (one.received if implausible(one) else one.wall, one.lamport, one.wall, one.id))
        found = json.loads(redo("show", "--json", "--no-verify").stdout)["id"]
        assert found == newest.id, ("show", found, newest.number)
        said = redo("log", "--format=%(id)").stderr
        count = sum(map(implausible, self.known))
        words = "" if count == 0 else (
            "warning: a change has a wall time that cannot be true: wall-implausible\n" if count == 1
            else f"warning: {count} changes have wall times that cannot be true: wall-implausible\n")
        assert said == words, (said, count)
        for _ in range(3):
            limit = self.rnd.choice(self.known).wall
            expected = next(one for one in wall if one.wall <= limit)
            found = redo("rev-parse", wall_text(limit)).stdout.strip()
            assert found == expected.id, ("rev-parse", wall_text(limit), found, expected.number)
            assert redo("log", "-q", "-n1", "--format=%(id)", "--until=" + wall_text(limit)).stdout.strip() == found
        if count == 0:
            first = redo("log", "-n1", "--format=%(id)").stdout.strip()
            assert first == newest.id == redo("rev-parse", "now").stdout.strip(), "log, show and now differ"


def main():
    seed, count = sys.argv[1], int(sys.argv[2])
    compared = 0
    for number in range(count):
        rnd = random.Random(f"{seed} {number}")
        changes = history(rnd, rnd.choice([1, 4, 30, 30, 120]))
        store = Store(rnd, changes, f"history-{number}")
        while len(store.known) < len(changes):
            store.grow(changes[len(store.known):][:rnd.choice([1, 5, 20, 120])])
            # Without a reader in between, the index would never grow.
            for _ in range(rnd.choice([1, 4])):
                store.compare()
                compared += 1
        for _ in range(8):
            store.compare()
            compared += 1
        store.newest()
        os.chdir("..")
    print(f"{compared} logs of {count} histories compared")


main()
