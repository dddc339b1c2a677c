"""converge.py, where a Firestore peer is what the stores have in common, and every request of it may go wrong.

Usage: firestore-converge.py <steps> <seed> <url> <endpoint> <trouble>, in an empty directory, with redo on the PATH; see
Tests/Scripts/firestore-proxy.py for <trouble>, the file that says what becomes of requests.
"""

import os
import sys

import converge

converge.NAMES[:] = ["ios", "android", "web"]
ANN, BOB = "105903111111111111111", "117522222222222222222"
TROUBLES = [
    "any 1 drop", "any 1 say 503 UNAVAILABLE", "any 1 say 429 RESOURCE_EXHAUSTED", "list 1 cut 1000", "list 1 cut 20000",
    "list 1 rows-then UNAVAILABLE", "list 1 drop", "in 1 drop", "in 1 cut 3000", "commit 1 lose", "commit 1 drop",
    "commit 1 say 409 ABORTED", "users 1 lose", "users * say 403 PERMISSION_DENIED"]


class World(converge.World):
    def __init__(self, seed, url, endpoint, trouble):
        super().__init__(seed)
        self.trouble = trouble
        for name, account, other in ("ios", ANN, BOB), ("android", BOB, ANN), ("web", ANN, BOB):
            self.redo(name, "remote", "add", "server", url)
            for key, value in ("endpoint", endpoint), ("account", account), ("accessList", other):
                self.redo(name, "remote", "set", "server", key, value)

    def look(self, name):
        if name != "server":
            super().look(name)

    def goes_wrong(self, *lines):
        with open(self.trouble + ".next", "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
        os.replace(self.trouble + ".next", self.trouble)

    def talk(self, name, faults=True):
        verb = self.random.choice(["fetch", "push", "sync"])
        others = [other for other in converge.NAMES if other != name]
        other = "server" if self.random.random() < 0.7 else self.random.choice(others)
        ok, kill = (0,), None
        if other == "server" and faults and self.random.random() < 0.5:
            if self.random.random() < 0.6:
                self.cuts += 1
                ok = (0, 75)
                self.goes_wrong(*self.random.sample(TROUBLES, self.random.choice([1, 2])))
            else:
                kill = self.random.uniform(0.01, 0.5)
            if self.random.random() < 0.1:
                # What is remembered of a remote may be lost at any time.
                self.forget(name)
        self.redo(name, verb, "-q", "--no-retry", other, ok=ok, kill=kill)
        self.goes_wrong()
        for one in (name, other):
            self.look(one)
        self.counts[verb] = self.counts.get(verb, 0) + 1

    def forget(self, name):
        for folder, _, files in os.walk(f"{name}/.redo/remotes/server/firestore"):
            for file in files:
                os.unlink(os.path.join(folder, file))


def main():
    steps, seed = int(sys.argv[1]), int(sys.argv[2])
    print(f"seed {seed}, {steps} steps", flush=True)
    converge.run(World(seed, *sys.argv[3:6]), steps)


main()
