"""Damages logs at random places in random ways; `redo import --salvage` must take every node that is whole and whose
ancestors are, and say where each damage is. Arguments: an app's file and an NDJSON file. The seed of a failure is printed.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROUNDS = int(os.environ.get("SALVAGE_ROUNDS", "60"))


def nodes_of(data):
    """(start, end, id, parents) of every node of a log that is whole."""
    text, place, found = data.decode(), 0, []
    decoder = json.JSONDecoder()
    while (place := text.find("{", place)) >= 0:
        node, end = decoder.raw_decode(text, place)
        start = len(text[:place].encode())
        found.append((start, start + len(text[place:end].encode()), node["id"], node["parents"]))
        place = end
    return found


def damage(data, rnd):
    """The damaged bytes, and the range of the original that is no longer what it was."""
    at = rnd.randrange(len(data))
    kind = rnd.choice(["flip", "zero", "cut out", "put in", "brace", "quote", "line feeds", "truncate"])
    size = rnd.randint(1, 40)
    if kind == "flip":
        return kind, data[:at] + bytes([data[at] ^ 1 << rnd.randrange(8)]) + data[at + 1 :], at, at + 1
    if kind == "zero":
        return kind, data[:at] + bytes(size) + data[at + size :], at, at + size
    if kind == "cut out":
        return kind, data[:at] + data[at + size :], at, at + size
    if kind == "truncate":
        return kind, data[:at], at, len(data)
    put = {"put in": bytes(rnd.randrange(256) for _ in range(size)), "brace": rnd.choice([b"{", b"}", b"[", b"]"]),
           "quote": b'"', "line feeds": b"\n\n"}[kind]  # fmt: skip
    return kind, data[:at] + put + data[at:], at - 1, at + 1


def run(*command):
    return subprocess.run(["redo", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def check(path, seed):
    rnd = random.Random(seed)
    data = open(path, "rb").read()
    kind, damaged, low, high = damage(data, rnd)
    # What stands right before a node on its line is damage of the node.
    while high < len(data) and data[high] in b" ":
        high += 1
    whole = [node for node in nodes_of(data) if node[1] <= low or node[0] > high]
    expected = {id: parents for _, _, id, parents in whole}
    while orphans := [id for id, parents in expected.items() if any(parent not in expected for parent in parents)]:
        for id in orphans:
            del expected[id]
    with tempfile.TemporaryDirectory(dir=".") as store:
        run("init", "-q", store)
        file = os.path.join(store, "log")
        open(file, "wb").write(damaged)
        result = run("-C", store, "import", "--salvage", "log")
        if result.returncode not in (0, 1):
            return f"status {result.returncode}: {result.stderr}"
        taken = set(run("-C", store, "log", "--format=%(id)").stdout.split())
        # Damage between nodes, or in white space, may leave all of them whole.
        if missing := expected.keys() - taken:
            return f"{kind} at {low}: {len(missing)} whole nodes are lost, such as {min(missing)}\n{result.stderr}"
        lost = set(id for _, _, id, _ in nodes_of(data)) - taken
        if lost and result.returncode != 1:
            return f"{kind} at {low}: status 0 though {len(lost)} nodes are lost"
        if lost and not re.search(r"'log'(: [a-z0-9-]+ at byte \d+|, byte '\d+': [a-z0-9-]+)", result.stderr) and kind != "cut out":
            return f"{kind} at {low}: no place is named\n{result.stderr}"
        if run("-C", store, "verify", "--all").returncode not in (0, 1):
            return "verify fails"
    return None


for path in sys.argv[1:]:
    for seed in range(ROUNDS):
        if problem := check(path, seed):
            sys.exit(f"{path}, seed {seed}: {problem}")
