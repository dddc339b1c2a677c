#!/usr/bin/env python3
"""Makes the log of the demo: two years of 1,000 tasks of three people with five devices, one node a line.

It shares no code with `redo`: canonical JSON by `rfc8785`, Ed25519 by PyNaCl. Same arguments, same bytes.

  pip install rfc8785 pynacl
  ./make-log.py | gzip -9n > log.ndjson.gz
  ./make-log.py --signed 500 --unsigned 0 --tasks 50    a smaller one
"""

import argparse
import datetime
import hashlib
import itertools
import random
import sys
import uuid

import rfc8785
from nacl.signing import SigningKey

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--signed", type=int, default=10_000, help="nodes with a signature")
parser.add_argument("--unsigned", type=int, default=12, help="nodes without one")
parser.add_argument("--skewed", type=int, default=15, help="nodes whose device had a wrong clock")
parser.add_argument("--tasks", type=int, default=1_000)
parser.add_argument("--forks", type=int, default=40, help="tasks that two devices changed at once")
parser.add_argument("--seed", type=int, default=2023)
options = parser.parse_args()

rnd = random.Random(options.seed)
BEGIN = datetime.datetime(2023, 7, 1, tzinfo=datetime.timezone.utc)
DAYS = 730
DAY = datetime.timedelta(days=1)


class Device:
    """A device has its own key; `shape` and `form` are what its app writes."""

    def __init__(self, owner, name, id, shape="fields", form="body"):
        self.owner, self.name, self.id, self.shape, self.form = owner, name, id, shape, form
        self.key = SigningKey(hashlib.sha256(b"redo demo, " + id.encode()).digest())
        self.public = self.key.verify_key.encode().hex()


DEVICES = [
    Device("Maya Lindqvist", "Maya's iPhone", "ios-iphone-15"),
    Device("Maya Lindqvist", "Maya's laptop", "web-firefox", shape="payload"),
    Device("Tomás Okafor", "Tomás' Pixel", "android-pixel-8", form="digest"),
    Device("Tomás Okafor", "Workshop terminal", "cli-linux"),
    Device("Inès Brandt", "Inès' iPad", "ios-ipad-air"),
]
MAYA, TOMAS, INES = "Maya Lindqvist", "Tomás Okafor", "Inès Brandt"

# Title templates: (days between repetitions, 0 for once; story points; title). {a|b|c} picks one.
CHORES = [
    (1, 0.5, "{Feed the cat|Give the cat its pills|Walk the neighbours' dog|Empty the dishwasher|Air the bedrooms|Stretch for ten minutes|Practise the cello|Study twenty words of {Japanese|Portuguese|Swedish}|Write the diary}"),
    (3, 1, "Water the {balcony herbs|tomatoes|orchids|office plants|lemon tree|window boxes|neighbours' garden}"),
    (3, 2, "{Go running along the canal|Swim a kilometre|Cycle to work|Lift weights|Bake bread}"),
    (7, 1, "Take out the {paper|glass|compost|plastic|old batteries}"),
    (7, 2, "Clean the {kitchen|bathroom|hallway|car|aquarium|coffee machine|fridge|workshop floor}"),
    (7, 2, "{Buy groceries for the week|Plan next week's dinners|Call grandmother|Call Jonas in Oslo|Do the laundry|Iron the shirts|Back up the photos|Sort the post|Mow the lawn|Refill the bird feeder}"),
    (14, 1, "Change the {bed linen|towels|water filter|cat litter|guitar strings}"),
    (14, 3, "{Review the household budget|Clear the inbox|Visit aunt Odile|Play board games with the Meiers|Help at the repair café}"),
    (30, 2, "Pay the {electricity bill|rent|phone bill|music school|garden club|gas bill|nursery}"),
    (30, 3, "{Descale the kettle|Check the smoke alarms|Test the backups|Vacuum under the beds|Oil the bicycle chain|Read the meters|Trim the hedge|Wash the windows}"),
]
ERRANDS = [
    (1, "Buy {a birthday present for Lena|new running shoes|light bulbs|a raincoat|a suitcase|paint for the fence|printer paper|concert tickets|train tickets to Lyon|a lamp for the study|screws and dowels|seeds for spring}"),
    (1, "Return the {library books|parcel|borrowed ladder|drill to Paul|wrong shoes|empty bottles|rental car}"),
    (2, "Call {the dentist|the landlord|the insurance|the plumber|the school|the bank|the tax office|Doctor Imani} about {the appointment|the invoice|the leak|the contract|the missing letter|next week}"),
    (2, "Book {a table for six|the flight to Porto|the ferry|a hotel in Kraków|the eye test|the car inspection|a haircut|the removal van|the sauna|swimming lessons}"),
    (3, "Repair the {garden gate|dripping tap|bedroom door|toaster|bicycle light|kitchen drawer|roller blind|radio|washing line|letter box}"),
    (3, "Write {the speech for the wedding|a thank-you card to Noor|the minutes of the club|the letter to the council|a review of the tent|the invitation}"),
    (5, "Plan {the summer trip|the garden party|Inès' birthday|the move of the study|the hike to the hut|the school fair|New Year's Eve|the visit from Osaka}"),
    (5, "Review {the lease|the insurance offers|the photo book|chapter {one|two|three|four|five|six}|the slides for Monday|the survey|the pension letter}"),
    (8, "Build {a shelf for the hallway|the sandpit|a bird house|raised bed number {one|two|three}|the model railway bridge|a desk for Inès}"),
    (3, "Read “{The Left Hand of Darkness|Middlemarch|The Dispossessed|Kokoro|Pedro Páramo|Beloved|The Periodic Table}”"),
    (2, "Sort {the attic|the cellar|old photos|winter clothes|the tool box|the spice rack|the bookshelves|children's drawings|the cables}"),
]
OCCASIONS = ["", "", "", " before Friday", " (second try)", " for the flat", " for the club", " with Inès", " again", " at last", " – urgent", " for Tomás", " for the cottage"]
PLACES = ["", "", "", " at the cottage", " at the club house", " at grandmother's", " in the studio", " next door", " with Inès", " (winter)", " (summer)", " – Tomás"]
TITLES = set()
NOTES = ["", "", "", "", "done", "went quickly", "took longer than planned", "half of it, rest next time", "with Inès", "in the rain ☔", "no more vinegar", "30 min", "ask again in spring", "good"]
REASONS = ["", "", "too tired", "raining all day", "shop was closed", "waiting for a part", "away for the weekend"]
DESCRIPTIONS = ["", "", "", "see the list on the fridge", "ask Tomás for the key", "the good one, not the cheap one", "opening hours: 9–17", "https://example.org/how-to?part=2", "10 € at most"]
TODO_TITLES = ["measure", "find the receipt", "compare prices", "ask around", "clean up", "check the weather", "charge the batteries", "pack", "tell everyone"]
TAGS = ["home", "garden", "money", "health", "friends", "work", "fun"]


# How often a title that is not in the list yet is looked for before it gets a number.
TRIES = 100


def choose(template):
    """Replaces {a|b} by one of its parts, from the inside out."""
    while "{" in template:
        start = template.rindex("{")
        end = template.index("}", start)
        template = template[:start] + rnd.choice(template[start + 1 : end].split("|")) + template[end + 1 :]
    return template


def wall(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (time.microsecond // 1000)


def new_uuid():
    return str(uuid.UUID(int=rnd.getrandbits(128), version=4))


def by_day(time):
    """The same day at an hour when people are awake."""
    seconds = rnd.triangular(6.5 * 3600, 22.5 * 3600, 18 * 3600)
    return time.replace(hour=0, minute=0, second=0, microsecond=0) + datetime.timedelta(milliseconds=int(seconds * 1000))


class Side:
    """What one device knows of a task: heads, clock, the open todo, the writes since it went its own way."""

    def __init__(self, heads, lamport, time, todo):
        self.heads, self.lamport, self.time, self.todo = heads, lamport, time, todo
        self.written = {}  # member -> (place in the total order, value)

    def copy(self):
        return Side(list(self.heads), self.lamport, self.time, self.todo)


class Task:
    """One task; `nodes` collects (time, body, device) of all its nodes, the ids already fixed."""

    def __init__(self, size, fork):
        self.size, self.fork, self.nodes = size, fork, []
        self.id = new_uuid()
        self.skewed = False
        self.owner = rnd.choice([MAYA, MAYA, TOMAS, TOMAS, INES])
        self.shared = rnd.random() < 0.3
        self.every, self.title, self.points = self.subject(size > 9 or rnd.random() < 0.25)

    def subject(self, again):
        """(days between repetitions, title, story points) of something that is not in the list yet."""
        for tries in itertools.count():
            every, points, template = rnd.choice(CHORES) if again else (0, *rnd.choice(ERRANDS))
            title = choose(template) + rnd.choice(PLACES if again else OCCASIONS)
            if tries >= TRIES:  # a long list has had them all
                title += f", no. {len(TITLES)}"
            if title not in TITLES and self.size / 2 * every < 0.8 * DAYS:
                return every, title, points

    def device(self):
        owner = self.owner if not self.shared or rnd.random() < 0.6 else rnd.choice([MAYA, TOMAS, INES])
        return rnd.choice([d for d in DEVICES if d.owner == owner])

    def add(self, side, action, content, device=None, more=None):
        device = device or self.device()
        side.lamport += 1
        body = {
            "version": 1,
            "parents": sorted(side.heads),
            "timestamp": {"lamport": side.lamport, "wall": wall(side.time)},
            "author": {"userId": device.public[:32], "deviceId": device.id, "publicKey": device.public, "name": device.owner, "deviceName": device.name},
            "action": action,
            "taskId": self.id,
            "data": {device.shape: content, **(more or {})},
        }
        if self.skewed and len(self.nodes) > 1 and rnd.random() < 0.5:
            slow = self.nodes[-1][0] - datetime.timedelta(seconds=rnd.randrange(600, 400 * 86_400))
            body["timestamp"]["wall"] = wall(slow)
            self.skewed = False
        id = "sha256:" + hashlib.sha256(rfc8785.dumps(body)).hexdigest()
        side.heads = [id]
        for member, value in content.items() if action == "UPDATE" else []:
            side.written[member] = ((side.lamport, body["timestamp"]["wall"], id), value)
        self.nodes.append((side.time, id, body, device))

    # steps of a life

    def wait(self, side, low, high):
        side.time = by_day(side.time + DAY * rnd.uniform(low, high))
        side.time = max(side.time, self.last + datetime.timedelta(minutes=rnd.randint(1, 50), milliseconds=rnd.randrange(60_000)))
        self.last = side.time

    def create(self):
        start = BEGIN + DAY * rnd.uniform(0, max(1, DAYS - self.span()))
        side = Side([], 0, by_day(start), None)
        self.last = side.time
        content = {"title": self.title, "description": rnd.choice(DESCRIPTIONS), "privacy": rnd.random() < 0.2, "storyPoints": self.points,
                   "priority": rnd.choices([1, 2, 3, 4, 5], [1, 3, 6, 4, 2])[0], "frequencyDays": self.every}
        if not self.every and rnd.random() < 0.15:
            content["tags"] = sorted(rnd.sample(TAGS, 2))
        if not self.every and rnd.random() < 0.1:
            content["todos"] = [{"todoTaskId": new_uuid(), "title": title} for title in rnd.sample(TODO_TITLES, rnd.randint(2, 3))]
        self.add(side, "CREATE", content)
        return side

    def span(self):
        """About how many days the task needs."""
        return (self.size / 2 + 2) * (self.every or 4) + 10

    def update(self, side, device=None):
        kind = rnd.randrange(6)
        content = [{"priority": rnd.randint(1, 5)}, {"title": self.title + rnd.choice([" ✓", " (new date)", " and tell Maya", " – see notes"])},
                   {"description": rnd.choice(DESCRIPTIONS[3:])}, {"storyPoints": rnd.choice([0.5, 1, 2, 3, 5, 8, 13])},
                   {"timeEstimate": rnd.choice([10, 15, 30, 45, 60, 120])}, {"tags": sorted(rnd.sample(TAGS, rnd.randint(1, 3)))}][kind]
        if rnd.random() < 0.2:
            content["privacy"] = rnd.random() < 0.5
        self.add(side, "UPDATE", content, device)

    def step(self, side, left):
        """One everyday change; `left` is how many may follow."""
        pace = self.every or 3
        if side.todo is None:
            self.wait(side, 0, 0.6 * pace)
            side.todo = new_uuid()
            content = {"todoTaskId": side.todo, "deadline": wall((side.time + DAY * pace).replace(hour=18, minute=0, second=0, microsecond=0)), "notes": ""}
            if not self.every and rnd.random() < 0.6:
                content["title"] = rnd.choice(TODO_TITLES)
            return self.add(side, "ADD_TODO" if "title" in content and rnd.random() < 0.5 else "CREATE_TODO", content)
        chance = rnd.random()
        if chance < 0.13:
            self.wait(side, 0.1, 0.5 * pace)
            return self.update(side)
        if chance < 0.27:
            self.wait(side, 0.5 * pace, pace)
            content = {"todoTaskId": side.todo, "notes": rnd.choice(REASONS)}
            if rnd.random() < 0.7:
                content["daysToExtend"] = rnd.randint(1, max(2, pace))
            else:
                content["newDeadline"] = wall((side.time + DAY * rnd.randint(1, 9)).replace(hour=18, minute=0, second=0, microsecond=0))
            return self.add(side, "SNOOZE", content)
        if chance < 0.30 and left > 1:
            self.wait(side, 0, 1)
            return self.add(side, "ARCHIVE", {})
        self.wait(side, 0.6 * pace, 1.1 * pace)
        self.add(side, "COMPLETE_TODO", {"todoTaskId": side.todo, "completed": wall(side.time), "notes": rnd.choice(NOTES)})
        side.todo = None

    def live(self):
        """The whole life; returns when exactly `size` nodes are there."""
        side = self.create()
        end = 1 if self.size >= 5 and rnd.random() < 0.6 else 0
        while len(self.nodes) < self.size - end:
            left = self.size - end - len(self.nodes)
            if self.fork and len(self.nodes) >= 3:
                if left <= 6 and self.fork == "diverged":
                    return self.part(side, self.size - len(self.nodes))
                if left >= 6 and self.fork == "merged":
                    self.part(side, rnd.randint(3, 5))
                    self.fork = None
                    continue
            if self.nodes[-1][2]["action"] == "ARCHIVE":
                self.wait(side, 1, 20)
                self.add(side, "UNARCHIVE", {})
            else:
                self.step(side, left)
        if end:
            self.wait(side, 0, 2)
            if not self.every and rnd.random() < 0.7:
                self.add(side, "COMPLETE", {"completedAt": wall(side.time)})
            elif rnd.random() < 0.85:
                self.add(side, "ARCHIVE" if self.nodes[-1][2]["action"] != "ARCHIVE" else "UNARCHIVE", {})
            else:
                self.add(side, "DELETE", {"deletedChain": list(side.heads)})

    def part(self, side, count):
        """Two devices change the task without each other; `merged` ends with a MERGE of both."""
        merge = self.fork == "merged"
        other = side.copy()
        side.written = {}
        away = rnd.choice([d for d in DEVICES if d.owner != self.owner])
        home = rnd.choice([d for d in DEVICES if d.owner == self.owner])
        changes = count - merge
        for number in range(changes):
            here, device = (other, away) if number % 2 else (side, home)
            self.wait(here, 0, 0.5)
            if here.todo and rnd.random() < 0.3:
                self.add(here, "COMPLETE_TODO", {"todoTaskId": here.todo, "completed": wall(here.time), "notes": rnd.choice(NOTES)}, device)
                here.todo = None
            else:
                self.update(here, device)
        if not merge:
            return
        both = {}
        for written in (side.written, other.written):
            for member, (place, value) in written.items():
                both[member] = max(both.get(member, (place, value)), (place, value), key=lambda entry: entry[0])
        side.heads, side.lamport, side.time = side.heads + other.heads, max(side.lamport, other.lamport), max(side.time, other.time)
        side.todo = side.todo if other.todo else None
        self.wait(side, 0.2, 2)
        content = {member: value for member, (_, value) in both.items()}
        if home.shape == "payload":
            self.add(side, "MERGE", {"policy": {"defaultStrategy": "lww"}}, home)
        else:
            resolution = {"strategy": "union", "preservedFields": sorted(content), "source": "automatic"}
            self.add(side, "MERGE", content, home, {"conflictResolution": resolution})


def sizes():
    """How many nodes each task has: many small ones, some large ones, exactly as many as asked for."""
    total = options.signed + options.unsigned
    result = [min(48, max(3, int(rnd.lognormvariate(2.05, 0.75)))) for _ in range(options.tasks)]
    while sum(result) != total:
        place = rnd.randrange(len(result))
        change = 1 if sum(result) < total else -1
        result[place] += change if 3 <= result[place] + change <= 60 else 0
    return result


def main():
    plan = sizes()
    roomy = [place for place, size in enumerate(plan) if size >= 12]
    special = rnd.sample(roomy, min(options.forks + options.skewed, len(roomy)))
    forks = {place: "diverged" if number % 4 == 0 else "merged" for number, place in enumerate(special[: options.forks])}
    nodes = []
    for place, size in enumerate(plan):
        while True:  # until it fits into the two years
            task = Task(size, forks.get(place))
            task.skewed = place in special[options.forks :]
            task.live()
            if task.last < BEGIN + DAYS * DAY:
                break
        assert len(task.nodes) == size
        TITLES.add(task.title)
        nodes += task.nodes
    nodes.sort(key=lambda entry: (entry[0], entry[2]["timestamp"]["lamport"], entry[1]))
    unsigned = set(rnd.sample(range(len(nodes)), options.unsigned))
    for place, (_, id, body, device) in enumerate(nodes):
        message = rfc8785.dumps(body)
        if device.form == "digest":
            message = hashlib.sha256(message).digest()
        whole = {**body, "id": id}
        if place not in unsigned:
            whole["signature"] = device.key.sign(message).signature.hex()
        sys.stdout.buffer.write(rfc8785.dumps(whole) + b"\n")


main()
