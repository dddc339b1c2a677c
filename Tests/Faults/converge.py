"""Stores that change at random, and talk at random over connections that break, end as one store.

Usage: converge.py <steps> <seed>, in an empty directory, with redo on the PATH.

Three stores and a server: at each step one of them records a change, merges, packs, or talks to another one; a connection
may be cut after some bytes in either direction, or the process that talks may be killed. At the end all talk until nothing
is new. Then heads, logs and state hashes must be equal, every id that was acknowledged must be in every log, and every
store must verify.
"""

import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ["ios", "android", "web", "server"]


def die(text):
    print(f"not converged: {text}", file=sys.stderr)
    sys.exit(1)


class World:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.clock = 1_750_000_000_000
        self.acknowledged = set()
        self.tasks = {name: set() for name in NAMES}
        self.counts = {}
        self.cuts = self.kills = 0
        for name in NAMES:
            self.redo(None, "init", "-q", name)
            if name != "server":
                self.redo(name, "key", "generate")
        for name in NAMES:
            for other in NAMES:
                if other != name:
                    path = os.path.abspath(other)
                    self.redo(name, "remote", "add", other, f"../{other}" if other != "server" else f"ssh://host{path}")

    def redo(self, name, *arguments, input=None, ok=(0,), environment=None, kill=None):
        """Runs redo in a store; answers its standard output."""
        command = ["redo", *(["-C", name] if name else []), *arguments]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "REDO_SSH": os.path.join(HERE, "cut-ssh.py"), **(environment or {})})
        try:
            output, errors = process.communicate(input, timeout=kill or 120)
        except subprocess.TimeoutExpired:
            if kill is None:
                process.kill()
                die(f"{' '.join(command)} does not end")
            process.kill()
            process.communicate()
            self.kills += 1
            return None
        if ok and process.returncode not in ok:
            die(f"{' '.join(command)} ends with {process.returncode}: {errors.decode(errors='replace')}")
        self.status = process.returncode
        return output.decode()

    # Changes

    def now(self):
        """A time; the clocks of the stores differ by up to a minute."""
        self.clock += self.random.randrange(1, 5000)
        return self.stamp(self.clock + self.random.randrange(-60_000, 60_000))

    def stamp(self, milliseconds):
        import datetime

        time = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
        return f"{time:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"

    def commit(self, name):
        date, tasks = f"--date={self.now()}", sorted(self.tasks[name])
        action = self.random.choice(["create", "update", "update", "update", "create-todo", "archive", "unarchive", "delete"])
        if not tasks or len(tasks) < 3 or (action == "create" and len(tasks) < 200):
            output = self.redo(name, "commit", date, "create", f"--title=Task {self.random.randrange(10**9)}")
        else:
            task = f"--task={self.random.choice(tasks)}"
            options = {
                "update": [self.random.choice([
                    f"--title=Title {self.random.randrange(1000)}", f"--priority={self.random.randrange(1, 6)}",
                    f"--description=Text {self.random.randrange(1000)}", f"--story-points={self.random.randrange(9)}"])],
                "create-todo": [f"--title=Todo {self.random.randrange(1000)}", f"--deadline={self.stamp(self.clock + 86_400_000)}"],
            }  # fmt: skip
            if action == "create":
                action, content = "update", ["--priority=3"]
            else:
                content = options.get(action, [])
            if action == "delete" and self.random.random() < 0.7:
                action, content = "update", ["--priority=1"]
            output = self.redo(name, "commit", date, action, task, *content, ok=(0, 1, 128))
        if self.status == 0:
            self.acknowledged.add(output.split()[0])
            if action == "create" or not tasks:
                self.look(name)

    def look(self, name):
        rows = self.redo(name, "show-ref", ok=(0, 1)).splitlines()
        self.tasks[name] = {row.split("heads/")[1] for row in rows if " heads/" in row and not row.endswith("/-")}

    # Talking

    def talk(self, name, faults=True):
        verb = self.random.choice(["fetch", "push", "sync"])
        others = [other for other in NAMES if other != name]
        other = "server" if name != "server" and self.random.random() < 0.6 else self.random.choice(others)
        environment, kill = {}, None
        if faults and self.random.random() < 0.3:
            if other == "server" and name != "server":
                self.cuts += 1
                environment["CUT_AFTER"] = str(int(10 ** self.random.uniform(1, 5)))
                environment["CUT_SIDE"] = self.random.choice(["up", "down"])
            else:
                kill = self.random.uniform(0.002, 0.03)
        self.redo(name, verb, "-q", "--no-retry", other, ok=(0, 75) if environment.get("CUT_AFTER") else (0,), environment=environment, kill=kill)
        for one in (name, other):
            self.look(one)
        self.counts[verb] = self.counts.get(verb, 0) + 1

    def step(self):
        name = self.random.choice(NAMES[:3])
        kind = self.random.choices(["commit", "talk", "merge", "pack"], [70, 25, 4, 1])[0]
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind == "commit":
            self.commit(name)
        elif kind == "talk":
            self.talk(self.random.choice(NAMES))
        elif kind == "merge":
            output = self.redo(name, "merge", "--all", f"--date={self.now()}", ok=(0, 1))
            self.acknowledged.update(word for word in output.split() if word.startswith("sha256:"))
        else:
            self.redo(self.random.choice(NAMES), "repack")

    # The end

    def look_all(self, *arguments):
        return [self.redo(name, *arguments) for name in NAMES]

    def settle(self):
        for _ in range(3):
            for name in NAMES[:3]:
                self.redo(name, "sync", "-q", "server")
        for what in (["state", "--hash"], ["log", "--format=%(id)"], ["show-ref", "--heads"]):
            answers = self.look_all(*what)
            for name, answer in zip(NAMES, answers):
                if answer != answers[0]:
                    die(f"redo {' '.join(what)} of {name} is not that of {NAMES[0]}")
        log = set(self.redo(NAMES[0], "log", "--format=%(id)").split())
        lost = self.acknowledged - log
        if lost:
            die(f"{len(lost)} acknowledged changes are lost, one is {sorted(lost)[0]}")
        for name in NAMES:
            self.redo(name, "verify")
            self.redo(name, "verify", "--all", "--profile=sync")
        return len(log)


def run(world, steps):
    for _ in range(steps):
        world.step()
    count = world.settle()
    print(f"{count} changes, {world.counts}, {world.cuts} connections cut, {world.kills} processes killed")


def main():
    steps, seed = int(sys.argv[1]), int(sys.argv[2])
    print(f"seed {seed}, {steps} steps", flush=True)
    run(World(seed), steps)


if __name__ == "__main__":
    main()
