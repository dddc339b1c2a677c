"""What the parts of the benchmarks share: options, runs, medians, the report and the stores."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description="see Tests/Bench/run", formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--redo", required=True, help="the multi-call executable")
parser.add_argument("--data", required=True, help="the directory that make-log.py filled")
parser.add_argument("--helpers", required=True, help="where raw-verify and measure are")
parser.add_argument("--work", required=True, help="a directory for stores, emptied")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--only", default="", help="comma-separated parts")
parser.add_argument("--large", help="a directory with a log of 1,000,000 nodes, for the peaks of memory")
parser.add_argument("--against", default="", help="another build, to compare this one with")
parser.add_argument("--deep", help="an NDJSON file of nodes with long histories, for packs")
parser.add_argument("figures", help="the tables are written here too")
options = parser.parse_args()

REDO, DATA, HELPERS, WORK, FIGURES = (
    os.path.abspath(path) for path in (options.redo, options.data, options.helpers, options.work, options.figures)
)
LOG, IDS, PATHS = (os.path.join(DATA, name) for name in ("log.ndjson", "ids", "paths"))
GIT = ["git", "-c", "core.fsync=none", "-c", "gc.auto=0"]
UNSYNCED = [REDO, "-c", "core.fsync=none"]
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": WORK, "LC_ALL": "C.UTF-8",
    "REDO_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_NOSYSTEM": "1",
    # Stores are copied here; copies count as our own.
    "REDO_CONFIG_COUNT": "1", "REDO_CONFIG_KEY_0": "safe.store", "REDO_CONFIG_VALUE_0": "*",
}  # fmt: skip


class Run:
    """One run of a command: seconds of wall, user and system time, the peak of resident memory in MiB."""

    def __init__(self, command, stdin=None, directory=DATA):
        with open(stdin or os.devnull, "rb") as input:
            result = subprocess.run(
                [os.path.join(HELPERS, "measure"), "1", *command],
                stdin=input, stdout=subprocess.PIPE, cwd=directory, env=ENVIRONMENT,
            )  # fmt: skip
        if result.returncode != 0:
            sys.exit(f"bench: '{' '.join(command)}' ended with {result.returncode}")
        wall, user, system, memory = (float(word) for word in result.stdout.split())
        self.wall, self.user, self.system = wall / 1e6, user / 1e6, system / 1e6
        self.cpu, self.memory = self.user + self.system, memory / 1024


class RawVerify:
    """Verification by libsodium alone."""

    def __init__(self):
        output = subprocess.run([os.path.join(HELPERS, "raw-verify"), os.path.join(DATA, "messages")], stdout=subprocess.PIPE, check=True)
        wall, cpu, _ = output.stdout.split()
        self.wall, self.cpu, self.memory = float(wall), float(cpu), 0
        self.user, self.system = self.cpu, 0


class Table:
    """Lines of the report, printed as they come."""

    def __init__(self):
        self.lines = []

    def add(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def head(self, title, note=""):
        self.add(f"\n## {title}\n")
        if note:
            self.add(note + "\n")

    def row(self, *cells):
        self.add("| " + " | ".join(str(cell) for cell in cells) + " |")

    def columns(self, *names):
        self.row(*names)
        self.row(*("---" if index == 0 else "---:" for index in range(len(names))))

    def costs(self, medians, digits=3):
        self.columns("", "wall s", "CPU s", "user s", "system s", "peak MiB")
        for name, run in medians.items():
            self.row(name, *(f"{value:.{digits}f}" for value in (run.wall, run.cpu, run.user, run.system)), f"{run.memory:.0f}")
        self.add()

    def target(self, what, value, limit, unit=""):
        verdict = "met" if value <= limit else "**missed**"
        self.add(f"- {what}: {value:.2f}{unit} (target <= {limit}{unit}): {verdict}")
        results.append((what, value, limit, unit, verdict))


table, results = Table(), []


class Median:
    """The medians of several runs."""

    def __init__(self, runs):
        for name in ("wall", "cpu", "user", "system"):
            setattr(self, name, statistics.median(getattr(run, name) for run in runs))
        self.memory = max(run.memory for run in runs)


def contest(contenders, rounds=None):
    """Runs {name: function that returns a run} in turn; {name: medians}."""
    runs = {name: [] for name in contenders}
    for _ in range(rounds or options.rounds):
        for name, once in contenders.items():
            runs[name].append(once())
    return {name: Median(each) for name, each in runs.items()}


def fresh(name):
    """An empty directory."""
    path = os.path.join(WORK, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def quietly(*command, directory=WORK, stdin=None):
    with open(stdin or os.devnull, "rb") as input:
        subprocess.run(command, stdin=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory, env=ENVIRONMENT, check=True)


def redo_store(name="redo-store"):
    path = fresh(name)
    quietly(REDO, "init", path)
    return os.path.join(path, ".redo")


def git_store(name="git-store"):
    path = fresh(name)
    quietly("git", "init", "-q", path)
    return os.path.join(path, ".git")


def ratio(what, run, other, limit):
    table.target(what + ", wall", run.wall / other.wall, limit)
    table.target(what + ", CPU", run.cpu / other.cpu, limit)


def measured(rounds, commands):
    """Runs commands in turn, many times, and tells of each the median wall time and the mean CPU time, in microseconds."""
    arguments = [word for command in commands.values() for word in ["--", *command]][1:]
    output = subprocess.run(
        [os.path.join(HELPERS, "measure"), str(rounds), *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=WORK, env=ENVIRONMENT, check=True,
    ).stdout  # fmt: skip
    table.columns("", "wall ms", "CPU ms", "user ms", "system ms", "peak MiB")
    rows = {}
    for name, line in zip(commands, output.decode().splitlines()):
        wall, user, system, memory = (float(word) for word in line.split())
        rows[name] = (wall, user + system)
        table.row(name, *(f"{value / 1000:.3f}" for value in (wall, user + system, user, system)), f"{memory / 1024:.1f}")
    table.add()
    return rows

