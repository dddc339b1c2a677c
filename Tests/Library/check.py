"""Whether the example of the library prints what follows from the log, as hashlib and the oracle of replay say it.

    check.py <log> <date> <output of the example>
"""

import datetime
import hashlib
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def body(node):
    """The bytes that the ID is the hash of: the log is canonical, and has no number that is written in two ways."""
    rest = {name: value for name, value in node.items() if name not in ("id", "signature")}
    return json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def milliseconds(text):
    """A time in milliseconds since 1970."""
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") - datetime.datetime(1970, 1, 1)
    return moment // datetime.timedelta(milliseconds=1)


def has_oracle():
    """Whether the oracle of replay has the package that it needs; `make deps` brings it."""
    found = importlib.util.find_spec("rfc8785") is not None
    if not found:
        print("SKIPPED: no python3 with rfc8785, so the state is not compared", file=sys.stderr)
    return found


def expected(log, date, knows_states):
    """The lines that the example has to print, but for those of events, and of states where nothing knows them."""
    lines = log.read_text(encoding="utf-8").splitlines()
    nodes = [json.loads(line) for line in lines]
    ids = ["sha256:" + hashlib.sha256(body(node)).hexdigest() for node in nodes]
    assert ids == [node["id"] for node in nodes], "the log is not what this program takes it for"
    signed = sum("signature" in node for node in nodes)
    yield f"import {len(nodes)} 0"
    yield f"verify true {len(nodes)} {signed} {len(nodes) - signed} {len(nodes) - signed}"
    if knows_states:
        yield from states(log, date, sum(node["timestamp"]["wall"][:10] <= date for node in nodes))
    yield f"sync {len(nodes)} 0 true"
    # Clocks grow from parents to children, so that the order of the protocol is that of the clocks.
    for node in sorted(nodes, key=lambda node: (
            node["timestamp"]["lamport"], node["timestamp"]["wall"], node["id"])):
        stamp = node["timestamp"]
        yield (f"node {node['id']} {stamp['lamport']} {milliseconds(stamp['wall'])} {node['action']}"
               f" {len(node['parents'])}")
    yield "same true true"
    tasks_of = {node["id"]: node.get("taskId") for node in nodes}
    inner = {(parent, node.get("taskId")) for node in nodes for parent in node["parents"]}
    heads = [name for name in tasks_of if (name, tasks_of[name]) not in inner]
    for name in sorted(heads, key=lambda name: (tasks_of[name], name)):
        yield f"head {name}"


def states(log, date, count):
    """The lines of the state, of which a number of nodes are."""
    replay = subprocess.run(
        [sys.executable, ROOT / "Tests/Oracle/replay.py", "--as-of", date],
        input=log.read_bytes(), capture_output=True, check=True).stdout
    tasks = [json.loads(line) for line in replay.splitlines()]
    yield f"state {count} {len(tasks)} sha256:{hashlib.sha256(replay).hexdigest()}"
    for task in tasks:
        if "completedAt" in task:
            yield f"completed {task['guid']} {task['title']}"


def shown():
    """The lines of LIBRARY.md that are to stand in the example; at least 15."""
    text = (ROOT / "LIBRARY.md").read_text(encoding="utf-8")
    block = re.search(r"^# From Swift$.*?^```swift\n(.*?)^```$", text, re.M | re.S)
    return block.group(1).splitlines() if block else []


def main():
    log, date, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    faults = []
    source = (HERE / "Sources/Example/main.swift").read_text(encoding="utf-8").splitlines()
    if len(source) > 80:
        faults.append(f"main.swift has {len(source)} lines, more than 80")
    lines = [line.strip() for line in shown() if line.strip()]
    places = [line.strip() for line in source if line.strip()]
    if len(lines) < 15 or not any(places[at:at + len(lines)] == lines for at in range(len(places))):
        faults.append("the lines of LIBRARY.md are not lines of main.swift")
    told = output.read_text(encoding="utf-8").splitlines()
    heard = dict(line.split()[1:] for line in told if line.startswith("heard "))
    ended = [line for line in told if line.startswith("error ")]
    knows_states = has_oracle()
    unknown = ("heard ", "error ") if knows_states else ("heard ", "error ", "state ", "completed ")
    rest = [line for line in told if not line.startswith(unknown)]
    wanted = list(expected(log, date, knows_states))
    for number, (one, other) in enumerate(zip(rest, wanted), 1):
        if one != other:
            faults.append(f"line {number} is '{one}', not '{other}'")
            break
    if len(rest) != len(wanted):
        faults.append(f"{len(rest)} lines, not {len(wanted)}")
    heads = len({line for line in wanted if line.startswith("head ")})
    # Progress: the beginning, a step and the end of each of the import and the verification, at the least.
    if set(heard) != {"moved", "progress"} or int(heard.get("moved", 0)) > heads or int(heard["progress"]) < 6:
        faults.append(f"these events came: {heard}")
    if len(ended) != 1 or not re.fullmatch(r"error missing .*/nowhere", ended[0]):
        faults.append(f"a store that is not there ends it with {ended}")
    for fault in faults:
        print(f"library: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    whom = "the log and the oracle of replay say" if knows_states else "the log says"
    print(f"library: {len(wanted)} lines of the example are as {whom}")


main()
