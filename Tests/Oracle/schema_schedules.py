#!/usr/bin/env python3
"""Random schedules of several stores that edit schemas offline, with clocks that are wrong, and meet: by the executable, judged by a second
implementation.

  schema_schedules.py REDO FOLDER SEED NUMBER [SERVER]    one schedule in a folder that is made; SERVER is redo-serve-http, if it is there
  schema_schedules.py total                               adds up what schedules have printed

Of each edit the object that follows is worked out before: parents, times, definition. What a forger signs is refused, or taken, as
`schema_edit.broken` says. Commands are killed, and what they leave is looked at. In the end all stores exchange all they have, by paths,
HTTP, archives and files, and each must have the same: the heads, the hashes, the join of all objects, by field the greatest version of any.

Prints what was done; status 1 and the last commands for the first thing that is not as it should be. With $WORK/trouble (sync.bash) a
peer over ssh also hands out what is forged.
"""

import collections
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import uuid
from datetime import timedelta

import nacl.signing
import rfc8785

sys.dont_write_bytecode = True

import schema_edit
from schema_edit import Refused, broken, device_of, next_version
from schema_join import said, version_rank
from schema_log import END, START, TYPES, History, heads_of, join, ref_of
from schema_view import UUID, View, after, rank, taken, text_of, uuid_of
from schema_view import place as place_of

PEER = pathlib.Path(__file__).resolve().parent.parent / "Scripts" / "peer.py"
SCOPE = "a81c4e02-5b7d-4f39-8e16-2d90c3b7f5a4"
NAMES = [("visit", None), ("vaccine", None), ("visit", SCOPE), ("../x", None), ("a/b é.lock", None)]
KEYS = ["impact", "dose", "vaccineName", "notes", "Größe 🚀"]
IDS = [f"{digit * 8}-1111-4000-8000-00000000000{digit}" for digit in "5ae"]
WORDS = ["Notes", "Dose", "Größe", "Weight", "🦷", "e\u0301"]
ALL_TYPES = [*TYPES, "attachmentIds"]


class Failure(Exception):
    """Something is not as it should be."""


def expect(holds, *what):
    if not holds:
        raise Failure(*what)


def text_name(id_, scope):
    return f"{id_}@{scope}" if scope else id_


def ref_name(id_, scope):
    return ref_of({"id": id_, **({"scope": scope} if scope else {})})


def ids_of(objects):
    return [each["id"] for each in objects]


class Store:
    def __init__(self, schedule, number, has_key):
        self.schedule, self.number, self.has_key = schedule, number, has_key
        self.path = schedule.folder / f"store{number}"
        chosen = schedule.chosen
        self.offset = timedelta(milliseconds=chosen.randint(-96 * 3_600_000, 96 * 3_600_000))
        self.known = {}
        # What a meeting that was killed may have brought: it waits in the quarantine, and comes in with what comes next.
        self.waiting = {}
        self.server = None
        self.remotes = set()
        schedule.run(["init", "-q", str(self.path)])
        if has_key:
            self.redo("key", "generate")
            if chosen.random() < 0.3:
                self.redo("key", "device-id", "set", "-f", f"laptop-{number}")
            self.redo("key", "device-name", f"Device {number}")
            user = self.redo("key", "show", "--user-id").strip()
            self.device = device_of({"userId": user, "deviceId": self.redo("key", "device-id").strip()})
        self.redo("remote", "add", "peer", "ssh://host/peer")

    @property
    def clock(self):
        return min(text_of(self.schedule.now + self.offset), END)

    def redo(self, *words, **options):
        """What a command prints that has to do what it should."""
        status, out, err = self.ask(*words, **options)
        expect(status == 0, f"status {status}", err)
        return out

    def ask(self, *words, **options):
        return self.schedule.run(["-C", str(self.path), *words], **options)

    def heads(self, name):
        return heads_of([each for each in self.known.values() if ref_of(each["definition"]) == name])

    def lines(self):
        return {each["id"]: each for each in map(json.loads, self.redo("export", "-q", "--kind=schema").splitlines())}

    def refs(self):
        status, out, err = self.ask("show-ref")
        # 1 is that of a store without refs.
        expect(status == 0 or (status, out, err) == (1, "", ""), f"status {status}", err)
        return sorted(line for line in out.splitlines() if line.split(" ")[1].startswith("schemas/"))

    def look(self, whole=False):
        """The heads are those of what it has; all of it, if that is asked."""
        groups = collections.defaultdict(list)
        for each in self.known.values():
            groups[ref_of(each["definition"])].append(each)
        wanted = sorted(f"{head['id']} {name}" for name, members in groups.items() for head in heads_of(members))
        refs = self.refs()
        expect(refs == wanted, f"the refs of {self.path.name}", *(f"not due: {ref}" for ref in refs if ref not in wanted),
               *(f"lacking: {ref}" for ref in wanted if ref not in refs))
        if whole:
            there = self.lines()
            expect(there == self.known, f"the objects of {self.path.name}", sorted(there.keys() ^ self.known.keys()))
            self.verify()
            self.shown(groups)

    def verify(self):
        status, out, err = self.ask("verify")
        fine = ("warning schema-clock-ahead ", "warning schema-stamp-author ", "info ")
        rest = [line for line in out.splitlines() if not line.startswith(fine)]
        expect(status == 0 and not rest, f"verify of {self.path.name}: status {status}", rest[:5], err)

    def shown(self, groups):
        rows = [json.loads(line) for line in self.redo("schema", "list", "--all", "--json").splitlines()]
        expect(len(rows) == len(groups), "the schemas that are listed", rows, list(groups))
        for name, members in groups.items():
            definition = join([each["definition"] for each in heads_of(members)])
            hash_ = hashlib.sha256(rfc8785.dumps(definition)).hexdigest()
            text = text_name(definition["id"], definition.get("scope"))
            row = next((row for row in rows if row["name"] == text), None)
            expect(row and row["hash"] == f"sha256:{hash_}", f"the hash of {text}", row, hash_)
            if self.schedule.chosen.random() < 0.3:
                expect(self.redo("schema", "show", "--hash", text).strip() == hash_, f"the hash of {text}")
                expect(json.loads(self.redo("schema", "show", "--json", text)) == definition, f"the definition of {text}")

    # What has come in since.

    def take(self, expected=None, subset=None):
        """After a command whose outcome is not known: what the store has now; no more than `subset`, nothing lost."""
        there = self.lines()
        expect(self.known.keys() <= there.keys(), "objects are lost", sorted(self.known.keys() - there.keys()))
        new = {id_: each for id_, each in there.items() if id_ not in self.known}
        if subset is not None:
            expect(new.keys() <= subset.keys(), "objects of nobody", sorted(new.keys() - subset.keys()))
        for each in new.values():
            expect(all(parent in there for parent in each["parents"]), "a parent is lacking", each["id"])
        self.known = there
        return list(new.values())

    def settle(self, due, *others):
        """After something came in: it has what is due, and beside it nothing but what waited here or at others."""
        waiting = {id_: each for store in (self, *others) for id_, each in store.waiting.items() if id_ not in due}
        self.known = dict(due)
        if waiting:
            self.take(subset=waiting)
        self.look()

    def url(self, transport):
        if transport == "path":
            return str(self.path)
        if self.server is None:
            self.log = self.schedule.folder / f"server{self.number}-{len(self.schedule.servers)}.log"
            with open(self.log, "wb") as log:
                self.server = subprocess.Popen(
                    [self.schedule.serve, "--http=127.0.0.1:0", str(self.path)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=log)
            self.schedule.servers.append(self.server)
        for _ in range(600):
            text = self.log.read_text(errors="replace")
            if '"port":' in text:
                return "http://127.0.0.1:" + text.split('"port":')[1].split(",")[0].split("}")[0]
            expect(self.server.poll() is None, "a server ends", text)
            time.sleep(0.02)
        raise Failure("no server listens", self.log.read_text())

    def remote(self, other, transport):
        url = other.url(transport)
        name = f"{transport}{other.number}"
        if (name, url) not in self.remotes:
            if any(known == name for known, _ in self.remotes):
                self.redo("config", f"remote.{name}.url", url)
                self.remotes = {each for each in self.remotes if each[0] != name}
            else:
                self.redo("remote", "add", name, url)
            self.remotes.add((name, url))
        return name


class Schedule:
    def __init__(self, redo, folder, seed, number, serve):
        self.redo, self.folder, self.serve = redo, pathlib.Path(folder), serve
        self.chosen = random.Random(f"{seed}:{number}")
        self.folder.mkdir(parents=True)
        self.now = START
        self.trace = collections.deque(maxlen=40)
        self.done = collections.Counter()
        self.servers, self.stores = [], []
        self.spent = collections.defaultdict(lambda: 0.02)
        self.strangers = History(self.chosen.getrandbits(32), 3)
        self.trouble = pathlib.Path(os.environ["WORK"]) / "trouble" if "WORK" in os.environ else None
        # Two names or three, so that stores meet on them.
        self.names = self.chosen.sample(NAMES, self.chosen.randint(2, 3))
        self.types = self.chosen.sample(ALL_TYPES, 3)
        self.transports = ["path", "path", "archive", "lines", "car"] + (["http"] * 3 if serve else [])
        self.made = 0

    # Commands.

    def run(self, words, date=None, input=None, kill=None, victim=None):
        """Status, output and errors; `kill` is a share of the time that such a command takes, and then there may be no end."""
        environment = dict(os.environ)
        if date:
            environment["REDO_AUTHOR_DATE"] = date
        kind = " ".join(words[2:4] if words[0] == "-C" else words[:1])
        text = (f"REDO_AUTHOR_DATE={date} " if date else "") + f"redo {' '.join(words)}"
        self.trace.append(text + ("" if kill is None else f"   killed at {kill:.3f}"))
        start = time.monotonic()
        # A group of its own, so that nothing it has started works on while what it leaves is looked at.
        process = subprocess.Popen(
            [self.redo, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
            start_new_session=True)
        if kill is not None:
            if input is not None:
                try:
                    process.stdin.write(input)
                    process.stdin.close()
                except BrokenPipeError:
                    pass
                process.stdin = None
            time.sleep(kill * self.spent[kind])
            if victim is None and self.chosen.random() < 0.5:
                signal_group(process, signal.SIGKILL)
            (victim or process).kill()
            input = None
        try:
            out, err = process.communicate(input, timeout=120)
        except subprocess.TimeoutExpired:
            signal_group(process, signal.SIGKILL)
            raise Failure("a command does not end")
        for _ in range(6000):
            if not signal_group(process, 0):
                break
            time.sleep(0.01)
        else:
            raise Failure("what a command has started does not end")
        if kill is None:
            self.spent[kind] = 0.7 * self.spent[kind] + 0.3 * (time.monotonic() - start)
        self.trace[-1] += f"   -> {process.returncode}"
        if kill is not None:
            self.done["kills that struck" if victim or process.returncode == -signal.SIGKILL else "kills too late"] += 1
        if process.returncode not in (0, -9) and err:
            self.trace[-1] += f" {err.decode(errors='replace').splitlines()[0][:200]}"
        return process.returncode, out.decode(), err.decode(errors="replace")

    # Objects.

    def judge(self, made, parents):
        """An object of the executable: named and signed as it should be, and breaking nothing."""
        body = {name: value for name, value in made.items() if name not in ("id", "signature")}
        bytes_ = rfc8785.dumps(body)
        expect(made["id"] == "sha256:" + hashlib.sha256(bytes_).hexdigest(), "an id", made)
        nacl.signing.VerifyKey(bytes.fromhex(made["author"]["publicKey"])).verify(bytes_, bytes.fromhex(made["signature"]))
        expect(not broken(made, parents), "a rule is broken", broken(made, parents), made)

    def follows(self, store, made, heads, definition, change, date):
        """An object is what an edit of heads comes to; definition may be None where only the rest is known."""
        self.judge(made, heads)
        expect(made["parents"] == sorted(ids_of(heads)), "the parents", made["parents"], ids_of(heads))
        lamport = 1 + max((each["timestamp"]["lamport"] for each in heads), default=0)
        expect(made["timestamp"] == {"lamport": lamport, "wall": date}, "the times", made["timestamp"], lamport, date)
        expect(device_of(made["author"]) == store.device, "the device", made["author"])
        expect(change is None or (made["change"]["op"], made["change"]["source"]) == change, "the change", made["change"], change)
        if definition is not None:
            differs = {name for name in {*definition, *made["definition"]} if definition.get(name) != made["definition"].get(name)}
            both = rfc8785.dumps(made["definition"]), rfc8785.dumps(definition)
            expect(not differs, "the definition differs in " + " ".join(sorted(differs)), *both)

    def edit(self, store, name, words, change, apply, fails=None, kill=None, is_dry=False):
        """An edit: `apply(heads, made)` gives the definition that follows heads, None where nothing changes, or raises Refused."""
        heads, date = store.heads(name), store.clock
        if is_dry:
            words = [words[0], words[1], "-n", *words[2:]]
        status, out, err = store.ask(*words, date=date, kill=kill)
        printed = out.split()
        if kill is not None:
            new = store.take()
            expect({*printed} <= store.known.keys(), "a printed id is lost", printed)
            # As far as it has come: merges of many heads, and the edit.
            made = sorted(new, key=lambda each: each["timestamp"]["lamport"])
        elif is_dry:
            store.look()
            made = None
        else:
            made = [json.loads(store.redo("cat-node", id_)) for id_ in printed]
        part = schema_edit.to_merge(heads)
        merges = []
        while part:
            if made is not None and len(made) <= len(merges):
                break
            if made is None:
                return self.count(words)
            merge = made[len(merges)]
            self.follows(store, merge, part, join([each["definition"] for each in part]), ("merge", "automatic"), date)
            merges.append(merge)
            gone = ids_of(part)
            heads = [each for each in heads if each["id"] not in gone] + [merge]
            part = schema_edit.to_merge(heads)
            self.done["merges of many"] += 1
        rest = made[len(merges):] if made is not None else None
        try:
            definitions = [each["definition"] for each in heads]
            definition = apply(definitions, rest[0]["definition"] if rest else None, date)
            # A file may have a stamp that no head has.
            if definition and not schema_edit.is_in_range(definition, definitions):
                raise Refused("schema-clock-range")
            expect(fails is None, f"status {status} where it should be {fails}", err)
        except Refused as refused:
            expect(not rest, "a refused edit writes", rest)
            if kill is None:
                expect(status == (fails or 1) and str(refused) in err, f"status {status} where {refused} is due", err)
                store.look()
            self.done["refused edits"] += 1
            return
        if kill is None:
            expect(status == 0, f"status {status}", err)
        if made is None:
            expect(len(printed) == (definition is not None), "what a dry run prints", out)
            return self.count(words)
        if definition is None:
            expect(not rest, "an edit that changes nothing writes", rest)
        elif kill is None or rest:
            expect(len(rest) == 1, f"{len(rest)} objects", out, err)
            self.follows(store, rest[0], heads, definition, change, date)
            self.made += 1
        for each in made:
            store.known[each["id"]] = each
        store.look()
        self.count(words)

    def count(self, words):
        self.done["edits"] += 1
        self.done[f"- {words[1]}"] += 1

    # Edits.

    def field_text(self, view, field):
        """A text that names a field, whatever it is."""
        chosen, id_ = self.chosen, field["id"]
        own = next(own for own, line in view.lines.items() if any(each is view.stored[id_] for each in line))
        texts = [id_, id_.upper(), uuid_of(f"{own}:{field['fieldType']}")]
        texts += [key for key in view.names.keys if view.resolve(key) == id_]
        texts += [other for other, meant in view.names.meant.items() if meant == own and view.resolve(other) == id_]
        name = field["displayName"]
        if view.resolve(name) is None and name and not name.startswith("-"):
            same = [each for each in view.fields if each["displayName"] == name]
            active = [each for each in same if view.is_active(each)]
            if active == [field] or (not active and same == [field] and not is_digits(name)):
                texts.append(name)
        digits = id_.replace("-", "")[:chosen.randint(4, 12)]
        if view.resolve(digits) is None and not any(each["displayName"] == digits for each in view.fields):
            if sum(each["id"].replace("-", "").startswith(digits) for each in view.fields) == 1:
                texts.append(digits)
        return chosen.choice(texts)

    def options(self, is_new):
        """Options of a field, as words and as members."""
        chosen = self.chosen
        words, members = [], {}

        def option(word, member, value):
            words.append(word)
            members[member] = value

        if is_new or chosen.random() < 0.5:
            name = chosen.choice(WORDS)
            option(f"--name={name}", "displayName", name)
        if chosen.random() < 0.3:
            required = chosen.random() < 0.5
            option("--required" if required else "--no-required", "isRequired", required)
        if chosen.random() < 0.3:
            order = chosen.randint(-3, 9)
            option(f"--order={order}", "displayOrder", order)
        for word, member in (("placeholder", "placeholder"), ("help-text", "helpText")):
            if chosen.random() < 0.15:
                value = chosen.choice(["", "e.g. 5", "Ünïcode"])
                option(f"--{word}={value}", member, value or None)
        if chosen.random() < 0.2:
            low = chosen.randint(0, 9)
            words.append("--no-rules")
            words.append(f"--rule=minLength={low}")
            members["validationRules"] = [{"type": "minLength", "value": low}]
        if chosen.random() < 0.2:
            multiline = chosen.random() < 0.5
            option("--multiline" if multiline else "--no-multiline", "isMultiline", multiline)
        if chosen.random() < 0.2:
            mode = chosen.choice(["none", "words", "sentences", "allCharacters"])
            option(f"--capitalization={mode}", "capitalizationMode", mode)
        return words, members

    def random_edit(self, store, kill=None):
        chosen = self.chosen
        id_, scope = chosen.choice(self.names)
        text, name = text_name(id_, scope), ref_name(id_, scope)
        device = store.device
        is_dry = kill is None and chosen.random() < 0.04
        heads = store.heads(name)
        if not heads:
            if chosen.random() < 0.25:
                return self.import_file(store, id_, scope, kill)
            if chosen.random() < 0.05:
                run = lambda heads, made, now: (_ for _ in ()).throw(Refused("there is no schema"))
                return self.edit(store, name, ["schema", "rename", text, "x", "y"], None, run, fails=2)
            words = ["schema", "new", f"--name=The {id_}"] + ([f"--scope={scope}"] if scope else [])
            return self.edit(store, name, [*words, id_], ("new", "manual"), lambda heads, made, now: schema_edit.new_schema(
                id_, scope, {"displayName": f"The {id_}"}, device, now), kill=kill, is_dry=is_dry)
        view = View(join([each["definition"] for each in heads]))
        ops = ["add"] * 5 + ["schema"] * 2 + ["import"] * 2 + ["merge"] * 2
        if view.fields:
            ops += ["set"] * 3 + ["rename"] * 3 + ["hide"] * 4 + ["restore"] * 2 + ["deprecate"] * 2 + ["merge-fields"] * 2
            ops += ["split-field", "unknown"] + ["pick"] * (2 if len(heads) > 1 else 0)
        op = chosen.choice(ops)
        if op == "add":
            return self.add_field(store, name, text, kill, is_dry)
        if op == "schema":
            members = {}
            for word, member in (("name", "displayName"), ("icon", "iconSystemName"), ("description", "description")):
                if chosen.random() < 0.6:
                    members[member] = chosen.choice(["One", "Two", "Größe"] + ([""] if word == "description" else []))
            words = [f"--{word}={members[member]}" for word, member in (
                ("name", "displayName"), ("icon", "iconSystemName"), ("description", "description")) if member in members]
            return self.edit(
                store, name, ["schema", "set", *words, text], ("set", "manual"), lambda heads, made, now: schema_edit.set_schema(
                    heads, device, now, {member: value or None for member, value in members.items()}), kill=kill, is_dry=is_dry)
        if op == "import":
            return self.import_file(store, id_, scope, kill)
        if op == "merge":
            return self.edit(store, name, ["schema", "merge", text], ("merge", "automatic"), lambda heads, made, now: (
                join(heads) if len(heads) > 1 else None), kill=kill, is_dry=is_dry)
        if op == "unknown":
            same = collections.Counter(field["displayName"] for field in view.fields if view.is_active(field))
            several = [each for each, count in same.items() if count > 1 and view.resolve(each) is None]
            word, fails, message = (chosen.choice(several), 128, "several fields") if several else ("no such field", 2, "has no field")
            run = lambda heads, made, now: (_ for _ in ()).throw(Refused(message))
            return self.edit(store, name, ["schema", "hide", text, word], None, run, fails=fails)
        field = chosen.choice(view.fields)
        shown, word = field["id"], self.field_text(view, field)
        if op == "pick":
            head = chosen.choice(heads)
            return self.edit(
                store, name, ["schema", "merge", f"--pick={word}={head['id']}", text], ("merge", "manual"),
                lambda heads, made, now: schema_edit.pick(heads, device, now, shown, head["definition"]),
                kill=kill, fails=None if any(
                    (view.names.own(each["id"]), each["fieldType"]) == (
                        view.names.own(view.stored[shown]["id"]), field["fieldType"]) for each in head["definition"]["fields"]) else 2)
        if op == "merge-fields":
            alike = [each for each in view.fields if each["fieldType"] == field["fieldType"]]
            other = chosen.choice(alike if chosen.random() < 0.8 else view.fields)
            return self.edit(
                store, name, ["schema", "merge-fields", text, word, self.field_text(view, other)], ("merge-fields", "manual"),
                lambda heads, made, now: schema_edit.merge_fields(heads, device, now, shown, other["id"]), kill=kill, is_dry=is_dry)
        if op == "set":
            words, members = self.options(False)
            words = words or ["--required"]
            members = members or {"isRequired": True}
        else:
            words = [chosen.choice(WORDS)] if op == "rename" else []
            members = {
                "rename": {"displayName": words[0] if words else None}, "hide": {"visibility": "hidden"},
                "restore": {"visibility": "active"}, "deprecate": {"visibility": "deprecated"}, "split-field": {"mergedInto": None}}[op]
        order = [*words, text, word] if op == "set" else [text, word, *words]
        self.edit(store, name, ["schema", op, *order], (op, "manual"), lambda heads, made, now: schema_edit.set_field(
            heads, device, now, shown, members), kill=kill, is_dry=is_dry)

    def add_field(self, store, name, text, kill, is_dry):
        chosen, device = self.chosen, store.device
        words, members = self.options(True)
        members = {member: value for member, value in members.items() if value is not None}
        kind = chosen.choice(self.types)
        given = chosen.choice([None, None, None, *KEYS[:3], chosen.choice(KEYS), chosen.choice(IDS), chosen.choice(IDS).upper()])
        if given:
            words.append(f"--id={given}")

        def apply(heads, made, now):
            id_ = given
            if id_ is None:
                # A random one: whichever the new definition has.
                if made is None:
                    return {} if is_dry or kill is not None else None
                new = {(each["id"], each["fieldType"]) for each in made["fields"]}
                new -= {(each["id"], each["fieldType"]) for each in join(heads)["fields"]}
                expect(len(new) == 1, "what is added", new)
                id_ = next(iter(new))[0]
                expect(uuid.UUID(id_).version == 4, "a random id", id_)
            return schema_edit.add_field(heads, device, now, id_, kind, members)

        words = ["schema", "add-field", f"--type={kind}", *words, text]
        self.edit(store, name, words, ("add-field", "manual"), apply, kill=kill, is_dry=is_dry)

    def app_file(self, store, id_, scope):
        """Something that import reads: of the app, or of another store."""
        chosen = self.chosen
        others = [each for other in self.stores for each in other.known.values()
                  if (each["definition"]["id"], each["definition"].get("scope")) == (id_, scope)]
        if others and chosen.random() < 0.5:
            return json.loads(json.dumps(chosen.choice(others)["definition"]))
        fields = []
        for number in range(chosen.randint(1, 4)):
            field = {"id": chosen.choice([*KEYS, *IDS, uuid_of(chosen.choice(KEYS)), "00000001-0001-0001-0000-000000000000"]),
                     "fieldType": chosen.choice(self.types)}
            field["id"] = field["id"].upper() if UUID.match(field["id"]) and chosen.random() < 0.5 else field["id"]
            for member, values in (
                    ("displayName", WORDS), ("displayOrder", range(6)), ("isRequired", [True, False]),
                    ("visibility", ["active", "hidden", "deprecated"]),
                    ("updatedAt", [757382400.5, "2026-01-04T10:00:00Z", 0]), ("createdAt", [-86400, "2026-01-03T10:00:00Z"]),
                    ("createdBy", [IDS[0].upper()]), ("helpText", [None, "why"]), ("unit", ["mg", 1.5, None])):
                if chosen.random() < 0.4:
                    field[member] = chosen.choice(list(values))
            fields.append(field)
        app = {"id": chosen.choice([id_, f" {id_}\n"]), "displayName": "Of the app", "iconSystemName": "syringe", "fields": fields}
        if chosen.random() < 0.7:
            app["version"] = chosen.randint(0, 9)
        if chosen.random() < 0.3:
            app["isBuiltIn"] = True
        if chosen.random() < 0.2:
            app["colour"] = "red"
        return app

    def import_file(self, store, id_, scope, kill):
        app = self.app_file(store, id_, scope)
        file = taken(app, scope)
        name = ref_of(file)
        path = self.folder / f"file{self.made}.json"
        path.write_text(json.dumps(app, ensure_ascii=self.chosen.random() < 0.5))
        hides = self.chosen.random() < 0.2
        words = ["schema", "import"] + (["--hide-absent"] if hides else []) + ([f"--scope={scope}"] if scope else [])
        self.edit(store, name, [*words, str(path)], ("import", "import"), lambda heads, made, now: schema_edit.take_in(
            heads, store.device, now, file, hides), kill=kill)

    def registry_edit(self, store):
        """Of the registry of devices the rules are looked at, not the words."""
        chosen = self.chosen
        devices = sorted({device_of(each["author"]) for each in store.known.values()})
        if not devices:
            return
        device = chosen.choice(devices)
        name = f"Tablet {chosen.randint(1, 9)}"
        words = chosen.choice([["name", device, name], ["revoke", device], ["restore", device], ["forget", device]])
        heads, date = store.heads("schemas/redo%2edevices"), store.clock
        out = store.redo("device", words[0], *words[1:], date=date)
        made = [json.loads(store.redo("cat-node", id_)) for id_ in out.split()]
        expect(len(made) < 2 or len(heads) > 64, "objects of one edit", made)
        for each in made:
            if len(heads) <= 64:
                self.follows(store, each, heads, None, (f"device-{words[0]}", "manual"), date)
            store.known[each["id"]] = each
        store.look()
        self.done["edits of the registry"] += 1

    def race(self, store):
        """Edits of one store at the same time: each is taken, and follows what was there when it was."""
        chosen = self.chosen
        texts = [text_name(id_, scope) for id_, scope in self.names if store.heads(ref_name(id_, scope))]
        if not texts:
            return
        date = store.clock
        number = chosen.randint(1, 999)
        commands = [["schema", "set", f"--description=Race {number}"], ["schema", "set", f"--icon=Race {number}"],
                    ["schema", "add-field", "--name=Race", f"--type={self.types[0]}"]]
        commands = [[*words, chosen.choice(texts)] for words in commands]
        for words in commands:
            self.trace.append(f"REDO_AUTHOR_DATE={date} redo -C {store.path} {' '.join(words)} &")
        running = [subprocess.Popen(
            [self.redo, "-C", str(store.path), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "REDO_AUTHOR_DATE": date}) for words in commands]
        ends = [(process.communicate(timeout=120), process.returncode) for process in running]
        for (out, err), status in ends:
            expect(status == 0, f"status {status} of an edit beside others", err.decode(errors="replace"))
        printed = [id_ for (out, _), _ in ends for id_ in out.decode().split()]
        new = {each["id"]: each for each in store.take()}
        # Two may have made the same merge of many heads.
        expect({*printed} == new.keys(), "what is printed is not what is new", printed, sorted(new))
        for each in new.values():
            parents = [store.known[parent] for parent in each["parents"]]
            self.judge(each, parents)
            version = next_version([parent["definition"]["version"] for parent in parents], store.device, date)
            is_merge = each["change"]["source"] == "automatic"
            expect(is_merge or each["definition"]["version"] == version, "the version", each["definition"]["version"], version)
        store.look()
        self.done["edits at the same time"] += len(printed)

    # Others' objects.

    def offer(self, store, lines, by=None):
        """Lines as somebody hands them in: status, and what is said."""
        way = by or self.chosen.choice(["import", "import", "hash-object", "pack"])
        text = b"".join(rfc8785.dumps(each) + b"\n" for each in lines)
        if way == "import":
            return store.ask("import", "-q", "-", input=text)
        if way == "hash-object":
            return store.ask("hash-object", "-t", "schema", "-w", "--update-heads", "--ndjson", input=text)
        path = self.folder / "offered.ndjson"
        path.write_bytes(text)
        pack = self.folder / "offered.redopack"
        made = subprocess.run([sys.executable, str(PEER), "pack", str(path)], stdout=subprocess.PIPE, check=True)
        pack.write_bytes(made.stdout)
        return store.ask("import", "-q", str(pack))

    def stranger_edit(self, store):
        """An honest object of a device that another program drives."""
        chosen = self.chosen
        id_, scope = chosen.choice(self.names)
        heads = store.heads(ref_name(id_, scope))
        if len(heads) > 64:
            return
        if len(heads) > 1 and chosen.random() < 0.4:
            heads = chosen.sample(heads, chosen.randint(1, len(heads)))
        device = chosen.choice(self.strangers.devices)
        now = text_of(self.now + device.skew)
        if chosen.random() < 0.06:
            now = END
            self.done["stamps at the end of the clock"] += 1
        made = self.strangers.make(device, id_, scope, heads, now)
        expect(not broken(made, heads), "the other program breaks a rule", broken(made, heads))
        status, out, err = self.offer(store, [made])
        expect(status == 0, "an honest object is refused", err)
        store.settle({**store.known, made["id"]: made})
        self.done["objects of others"] += 1

    def many_heads(self, store):
        """More heads than an object may have parents, of two provenances of one field."""
        chosen = self.chosen
        names = [(id_, scope) for id_, scope in self.names if store.heads(ref_name(id_, scope))]
        if not names:
            return
        id_, scope = chosen.choice(names)
        head = chosen.choice(store.heads(ref_name(id_, scope)))
        pair = str(uuid.UUID(int=chosen.getrandbits(128))), chosen.choice(TYPES)
        made = []
        for number in range(chosen.choice([64, 66, 70])):
            device = self.strangers.devices[number % 2]
            now = text_of(self.now + device.skew + timedelta(milliseconds=number // 3))
            definition = schema_edit.copied(head["definition"])
            field = {**self.strangers.field(device, now), "id": pair[0], "fieldType": pair[1], "createdAt": text_of(self.now)}
            definition["fields"] = sorted([*definition["fields"], field], key=place_of)
            definition["metaVersion"] = said(definition)
            definition["version"] = next_version([definition["version"]], device.uuid, now)
            made.append(self.strangers.object(device, [head], now, {"op": "add-field", "source": "manual"}, definition))
        for each in made:
            expect(not broken(each, [head]), "the other program breaks a rule", broken(each, [head]))
        status, out, err = self.offer(store, made, "import")
        expect(status == 0, "honest objects are refused", err)
        store.settle(store.known | {each["id"]: each for each in made})
        self.done["floods of heads"] += 1

    def forged(self, store):
        """A child that may break rules about parents, well signed: (object, the rules that it breaks, its parents)."""
        chosen = self.chosen
        device = chosen.choice(self.strangers.devices)
        heads = [each for each in heads_of(store.known.values()) if not each["definition"]["id"].startswith("redo.")]
        if not heads:
            return None
        parent = chosen.choice(heads)
        same = [each for each in heads if ref_of(each["definition"]) == ref_of(parent["definition"])][:64]
        parents = chosen.choice([[parent], [parent], same])
        definition = schema_edit.copied(join([each["definition"] for each in parents]))
        meta = said(definition)
        now = text_of(self.now + device.skew)
        definition["version"] = next_version([each["definition"]["version"] for each in parents], device.uuid, now)
        definition["metaVersion"] = meta
        stamps = {"lamport": 1 + max(each["timestamp"]["lamport"] for each in parents), "wall": now}
        op = "set"
        for _ in range(chosen.choice([1, 1, 1, 2])):
            fields = definition["fields"]
            what = chosen.choice(
                ["nothing", "key", "built-in", "meta", "version", "counter", "late-version", "lamport", "jump", "other-parent"]
                + ["drop", "drop", "older", "tie", "stamp", "creator", "created", "both", "late", "later", "type", "active", "content"]
                * bool(fields))
            field = chosen.choice(fields) if fields else None
            if what == "key" and definition["keys"]:
                definition["keys"].pop(chosen.randrange(len(definition["keys"])))
            elif what == "built-in":
                definition["isBuiltIn"] = not definition["isBuiltIn"]
            elif what == "meta":
                definition["displayName"] = "Forged"
            elif what == "version":
                definition["version"] = dict(parent["definition"]["version"])
            elif what == "counter":
                definition["version"]["counter"] = 0
                definition["version"]["timestamp"] = parent["definition"]["version"]["timestamp"]
            elif what == "late-version":
                definition["version"]["timestamp"] = "9999-01-01T00:00:00.000Z"
            elif what == "lamport":
                stamps["lamport"] -= chosen.randint(1, 2)
            elif what == "jump":
                stamps["lamport"] += chosen.choice([999_999, 1_000_000, 1_000_001])
            elif what == "other-parent":
                other = chosen.choice(heads)
                if other["id"] not in ids_of(parents) and len(parents) < 64:
                    parents = [*parents, other]
                    stamps["lamport"] = 1 + max(each["timestamp"]["lamport"] for each in parents)
            elif what == "drop":
                fields.remove(field)
            elif what in ("older", "tie"):
                field["displayName"] = f"Forged {chosen.randint(1, 99)}"
                if what == "older" and field["updatedAt"] > "2001-01-01T00:00:00.000Z":
                    field["updatedAt"] = "2001-01-01T00:00:00.000Z"
                if what == "tie" and chosen.random() < 0.5:
                    field["updatedBy"] = device.uuid
            elif what == "stamp":
                field |= {"updatedBy": device.uuid, "updatedAt": after(field["updatedAt"])}
            elif what in ("creator", "created", "both"):
                if what != "created":
                    field["createdBy"] = device.uuid
                if what != "creator":
                    field["createdAt"] = chosen.choice(["2001-01-01T00:00:00.000Z", now])
                field |= {"updatedBy": device.uuid, "updatedAt": max(now, after(field["updatedAt"]))}
            elif what in ("late", "later"):
                late = "9999-01-01T00:00:00.000Z" if what == "late" else max(now, after(field["updatedAt"]))
                field |= {"updatedBy": device.uuid, "updatedAt": late}
            elif what == "type":
                field["fieldType"] = chosen.choice(ALL_TYPES)
            elif what == "active":
                field["visibility"] = "active"
                op = "restore"
            elif what == "content":
                field |= {"isRequired": not field["isRequired"], "updatedBy": device.uuid, "updatedAt": max(now, after(field["updatedAt"]))}
        definition["fields"].sort(key=place_of)
        if version_rank(definition["metaVersion"]) >= version_rank(definition["version"]):
            del definition["metaVersion"]
        if not schema_edit.is_formed(definition) or stamps["lamport"] < 1 or definition["version"]["timestamp"] > "9999-06":
            return None
        parents = sorted(parents, key=lambda each: each["id"])
        made = device.sealed({
            "schema": 1, "parents": ids_of(parents), "timestamp": stamps, "author": device.author, "change": {"op": op, "source": "manual"},
            "definition": definition})
        return made, broken(made, parents), parents

    def forge(self, store):
        """What breaks a rule is refused, whichever way it comes, and changes nothing; what breaks none is taken."""
        found = self.forged(store)
        if found is None:
            return
        made, rules, parents = found
        if made["id"] in store.known:
            return
        if rules and self.trouble and self.chosen.random() < 0.3:
            # A peer that has all of it hands it out, too: what is good is no better or worse for it.
            path = self.folder / "peer.ndjson"
            path.write_bytes(b"".join(rfc8785.dumps(each) + b"\n" for each in [*store.known.values(), made]))
            self.trouble.write_text(f"peer {path} word=kind-schema\n")
            status, out, err = store.ask("fetch", "--kind=schema", "--no-retry", "peer")
            self.done["forged, by a peer"] += 1
        else:
            status, out, err = self.offer(store, [made])
        if not rules:
            expect(status == 0, "what breaks no rule is refused", err, made)
            self.done["objects of others"] += 1
            return store.settle({**store.known, made["id"]: made})
        told = {rule for rule in RULES if rule in err}
        expect(status == 1 and told and told <= rules, f"status {status}, {sorted(told)} where {sorted(rules)} is due", err, made)
        store.settle(store.known)
        status, _, _ = store.ask("cat-node", "-t", made["id"])
        expect(status != 0, "what is forged is there", made)
        self.done["forged"] += 1
        for rule in rules:
            self.done[f"- {rule}"] += 1

    # Meetings.

    def meet(self, one, other, transport=None, kill=None):
        """One store gives another one all it has, or takes all, or both."""
        chosen = self.chosen
        transport = transport or chosen.choice(self.transports)
        if transport in ("archive", "lines", "car"):
            return self.hand_over(one, other, transport, kill)
        way = "sync" if kill == "all" else chosen.choice(["sync", "push", "fetch"])
        name = one.remote(other, transport)
        both = {**one.known, **other.known}
        words = [way, "-q"] + (["--no-retry"] if kill else []) + [name]
        if kill is None or kill == "all":
            one.redo(*words)
            one.settle(both if way != "push" else one.known, other)
            other.settle(both if way != "fetch" else other.known, one)
        else:
            is_server = transport == "http" and chosen.random() < 0.4
            one.ask(*words, kill=kill, victim=other.server if is_server else None)
            if is_server:
                other.server.wait()
                other.server = None
            for store in (one, other):
                store.take(subset={**both, **one.waiting, **other.waiting})
                store.verify()
                store.look()
            for store in (one, other):
                store.waiting |= both
        self.done["meetings"] += 1
        self.done[f"- by {transport}"] += 1

    def hand_over(self, one, other, transport, kill):
        """A file goes from one to the other."""
        if not one.known:
            return
        path = self.folder / {"archive": "all.redopack", "lines": "all.ndjson", "car": "all.car"}[transport]
        path.unlink(missing_ok=True)
        if transport == "archive":
            one.redo("archive", "create", "-q", "--kind=schema", "-o", str(path))
        else:
            one.redo("export", "-q", "--kind=schema", f"--format={'ndjson' if transport == 'lines' else 'car'}", "-o", str(path))
        both = {**one.known, **other.known}
        if kill is None or kill == "all":
            other.redo("import", "-q", str(path))
            other.settle(both)
        else:
            other.ask("import", "-q", str(path), kill=kill)
            other.take(subset={**both, **other.waiting})
            other.verify()
            other.look()
            other.waiting |= both
        self.done["meetings"] += 1
        self.done[f"- by {transport}"] += 1

    def together(self):
        """All exchange all, by every way that there is; what is sent back and forth settles in two rounds."""
        hub, *others = self.chosen.sample(self.stores, len(self.stores))
        for _ in range(2):
            for other in others:
                transport = self.chosen.choice(self.transports)
                if transport in ("archive", "lines", "car"):
                    self.meet(other, hub, transport, "all")
                    self.meet(hub, other, transport, "all")
                else:
                    self.meet(*self.chosen.choice([(hub, other), (other, hub)]), transport, "all")

    # The end.

    def judge_all(self):
        everything = {id_: each for store in self.stores for id_, each in store.known.items()}
        for store in self.stores:
            expect(store.known == everything, "a store lacks something", store.path.name)
            store.look(whole=True)
        hashes = {store.redo("schema", "list", "--all", "--json") for store in self.stores}
        expect(len(hashes) == 1, "several stores show several things", hashes)
        groups = collections.defaultdict(list)
        for each in everything.values():
            groups[ref_of(each["definition"])].append(each)
        for name, members in groups.items():
            final = join([each["definition"] for each in members])
            expect(final == join([each["definition"] for each in heads_of(members)]), "the heads are not all", name)
            self.judge_fields(name, members, final, everything)
        return hashlib.sha256(hashes.pop().encode()).hexdigest()[:16]

    def judge_fields(self, name, members, final, everything):
        """Of each field that ever was the greatest version is there; one that was hidden is back by a restore, or a later edit beside
        it."""
        versions = collections.defaultdict(dict)
        for each in members:
            for field in each["definition"]["fields"]:
                versions[field["id"], field["fieldType"]][rfc8785.dumps(field)] = field
        expect({(field["id"], field["fieldType"]) for field in final["fields"]} == versions.keys(), "fields are lost", name)
        shown = {(field["id"], field["fieldType"]): field for field in final["fields"]}
        for pair, found in versions.items():
            expect(max(found.values(), key=rank) == shown[pair], "a field is not its greatest version", pair)
        expect({key for each in members for key in each["definition"]["keys"]} == {*final["keys"]}, "keys are lost", name)
        for each in members:
            parents = [everything[parent]["definition"] for parent in each["parents"]]
            if not parents:
                continue
            before = {(field["id"], field["fieldType"]): field for field in join(parents)["fields"]}
            for field in each["definition"]["fields"]:
                old = before.get((field["id"], field["fieldType"]))
                if old and old["visibility"] == "hidden" and field["visibility"] != "hidden":
                    change = each["change"]["op"], each["change"]["source"]
                    # A choice among heads, and a file of a later stamp, say so as well.
                    is_said = change[0] in ("restore", "deprecate", "device-restore")
                    is_said = is_said or change in (("merge", "manual"), ("import", "import"))
                    expect(is_said, "a field rises from the dead", change, old, field)
                    self.done["restored"] += 1
        for field in final["fields"]:
            hidden = [each for each in versions[field["id"], field["fieldType"]].values() if each["visibility"] == "hidden"]
            if hidden:
                self.done["hidden once"] += 1
                self.done["- and in the end"] += field["visibility"] == "hidden"

    # All of it.

    def step(self):
        chosen = self.chosen
        self.now += timedelta(seconds=chosen.randint(0, 20_000), milliseconds=chosen.randint(0, 999))
        editors = [store for store in self.stores if store.has_key]
        store = chosen.choice(editors)
        pair = chosen.sample(self.stores, 2)
        what = chosen.choices(
            ["edit", "meet", "forge", "stranger", "registry", "kill-edit", "kill-meet", "clock", "repack", "look", "race", "many"],
            [40, 14, 12, 6, 3, 6, 6, 2, 2, 3, 2, 0.5])[0]
        if what == "edit":
            self.random_edit(store)
        elif what == "meet":
            self.meet(*pair)
        elif what == "forge":
            self.forge(chosen.choice(self.stores))
        elif what == "stranger":
            self.stranger_edit(chosen.choice(self.stores))
        elif what == "registry":
            self.registry_edit(store)
        elif what == "kill-edit":
            self.random_edit(store, kill=chosen.random() * 1.1)
            store.verify()
        elif what == "kill-meet":
            self.meet(*pair, kill=chosen.random() * 1.1)
        elif what == "clock":
            store.offset = timedelta(hours=chosen.choice([-90_000, -50, 0, 30, 700]), milliseconds=chosen.randint(0, 999))
        elif what == "repack":
            store.redo("repack", "-q")
        elif what == "look":
            store.look(whole=True)
        elif what == "race":
            self.race(store)
        elif what == "many":
            self.many_heads(chosen.choice(self.stores))

    def play(self, steps):
        number = self.chosen.randint(3, 5)
        for place in range(number):
            # The last one may be a server that only passes things on.
            self.stores.append(Store(self, place, place < number - 1 or self.chosen.random() < 0.7))
        for _ in range(steps):
            self.step()
        self.together()
        return self.judge_all()

    def close(self):
        for server in self.servers:
            if server.poll() is None:
                server.kill()
                server.wait()


RULES = [
    "schema-parent", "schema-lost", "schema-provenance", "schema-clock-range", "lamport-not-increasing", "lamport-jump", "parent-missing",
    "schema-form", "schema-order", "schema-version-form", "schema-field-form", "schema-field-duplicate", "signature-bad", "id-mismatch"]


def signal_group(process, number):
    """Whether the process, or what it has started, is there."""
    try:
        os.killpg(process.pid, number)
        return True
    except ProcessLookupError:
        return False


def is_digits(text):
    return len(text) > 3 and all(letter in "0123456789abcdefABCDEF-" for letter in text)


def main(redo, folder, seed, number, serve=None):
    schedule = Schedule(redo, folder, seed, number, serve)
    try:
        hash_ = schedule.play(schedule.chosen.randint(90, 150))
    except Failure as failure:
        print(f"seed {seed}, schedule {number}, step at {text_of(schedule.now)}:", *map(str, failure.args), sep="\n  ")
        for store in schedule.stores:
            if store.server and store.server.poll() is not None:
                said = store.log.read_text(errors="replace")[-500:]
                print(f"the server of {store.path.name} has ended by itself, with {store.server.returncode}:", said)
        print("the last commands, in " + str(schedule.folder) + ":", *schedule.trace, sep="\n  ")
        return 1
    finally:
        schedule.close()
    objects = {id_ for store in schedule.stores for id_ in store.known}
    schedule.done |= {"stores": len(schedule.stores), "objects": len(objects), "schedules": 1}
    print(hash_, json.dumps(schedule.done, ensure_ascii=False, sort_keys=True))
    return 0


def total(lines):
    """What was done in all, and whether each kind of thing was."""
    sums = collections.Counter()
    for line in lines:
        sums.update(json.loads(line.split(" ", 1)[1]))
    print("# " + ", ".join(f"{count} {title}" for title, count in sorted(sums.items()) if title[0] != "-"))
    print("# " + ", ".join(f"{title[2:]} {count}" for title, count in sorted(sums.items()) if title[0] == "-"))


if __name__ == "__main__":
    if sys.argv[1] == "total":
        total(sys.stdin)
    else:
        sys.exit(main(*sys.argv[1:]))
