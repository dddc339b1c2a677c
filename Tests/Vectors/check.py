#!/usr/bin/env python3
"""Reads every vector again with the oracles of ../Oracle and compares with the EXPECTED.tsv of its folder.

  check.py           prints what differs and a count for each folder; status 1 if anything differs
"""

import base64
import hashlib
import json
import pathlib
import struct
import sys

sys.dont_write_bytecode = True
root = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(root.parent / "Oracle"))

import reading
import receipt_rules
import schema_rules
import strict_cbor
from check_proof import judge
from node_rules import ENVELOPE, Keys, check, id_of, signed_form, time_form, verdict
from signed_notes import Checkpoint, Fault
from strict_json import Refused, canonical, parse

problems = 0


def table(folder, name="EXPECTED.tsv"):
    text = (root / folder / name).read_bytes().decode()
    return [line.split("\t") for line in text.split("\n")[1:-1]]


def same(what, found, expected):
    global problems
    if found != expected:
        problems += 1
        print(f"{what}: found {found}, expected {expected}")


def every_file_is_listed(folder, listed, *unlisted):
    files = {str(p.relative_to(root / folder)) for p in (root / folder).rglob("*") if p.is_file()}
    same(f"{folder}: files", sorted(files - set(listed) - {"EXPECTED.tsv", *unlisted}), [])


def json_folder():
    rows = table("json")
    for file, verdict_, rule, offset in rows:
        try:
            value = parse((root / "json" / file).read_bytes())
            found = ["valid", "-", "-"]
            same(f"json/{file}: canonical", canonical(value), (root / "json" / file.replace(".json", ".canonical")).read_bytes())
            same(f"json/{file}: again", canonical(parse(canonical(value))), canonical(value))
        except Refused as refusal:
            found = ["invalid", refusal.rule, str(refusal.offset)]
        same(f"json/{file}", found, [verdict_, rule, offset])
    canonicals = [file.replace(".json", ".canonical") for file, verdict_, *_ in rows if verdict_ == "valid"]
    every_file_is_listed("json", [r[0] for r in rows] + canonicals, "numbers.tsv")
    numbers = table("json", "numbers.tsv")
    for bits, literal, text in numbers:
        value = parse(literal.encode())
        same(f"number {literal}: bits", struct.pack(">d", value).hex(), bits)
        same(f"number {literal}", canonical(value).decode(), text)
        same(f"number {literal}: back", parse(text.encode()), value)
    return len(rows) + len(numbers)


def cbor_folder():
    rows = table("cbor")
    for file, verdict_, rule, offset, cid in rows:
        content = (root / "cbor" / file).read_bytes()
        try:
            strict_cbor.parse(content)
            found = ["valid", "-", "-", strict_cbor.cid(content)]
        except strict_cbor.Refused as refusal:
            found = ["invalid", refusal.rule, str(refusal.offset), "-"]
        same(f"cbor/{file}", found, [verdict_, rule, offset, cid])
    every_file_is_listed("cbor", [r[0] for r in rows])
    return len(rows)


def node_folder():
    rows = table("node")
    for file, verdict_, rule, pointer, warnings, id, letter, form, sync in rows:
        text = (root / "node" / file).read_bytes()
        node, size = parse(text), len(text.strip())
        errors, warned = check(node, size)
        found_letter, found_form, reason, place = verdict(node, Keys(), size)
        if not errors and found_letter == "B":
            errors = [(reason, place)]
        listed = ",".join(sorted(f"{r}@{p}" for r, p in warned)) or "-"
        found = ["invalid" if errors else "valid", [e for e in errors], "-" if errors else listed, id_of(node) if type(node) is dict else "-", found_letter, found_form]
        same(f"node/{file}", found, [verdict_, [] if rule == "-" else [(rule, pointer)], warnings, id, letter, form])
        if not errors:
            same(f"node/{file}: sync", reason, sync)
        # One defect only: whatever is not about the id or the signature has a right id and a good signature.
        if errors and type(node) is dict and pointer not in ("/id", "/signature", ""):
            same(f"node/{file}: id beside the defect", node["id"], id)
            key = node.get("author", {}).get("publicKey") if type(node.get("author")) is dict else None
            if isinstance(key, str) and rule != "public-key-form":
                same(f"node/{file}: signature beside the defect", signed_form(node, key), "body")
    every_file_is_listed("node", [r[0] for r in rows])
    return len(rows)


def sign_folder():
    rows = table("sign")
    for first, second, outcome, signature, id in rows:
        keys, stored, said = Keys(), None, []
        for file in (first, second):
            for node, size in reading.nodes((root / "sign" / file).read_bytes()):
                letter, form, *_ = verdict(node, keys, size)
                if node["id"] != id:
                    same(f"sign/{file}: company", letter in "GN", True)
                    continue
                new = (letter, form, node.get("signature", "-"))
                if letter == "B":
                    said.append("refused")
                    continue
                if stored is None:
                    stored = new
                    said.append("new")
                    continue
                if stored[0] == "E":  # what was unknown may be known by now
                    letter, form, *_ = verdict({**node, "signature": stored[2]}, keys, size)
                    stored = (letter if letter == "G" else "E", form, stored[2])
                rank = {"N": 0, "E": 1, "G": 2}
                form_rank = {"body": 0, "digest": 1, "-": 0}
                if new[2] == stored[2]:
                    said.append("same")
                elif rank[new[0]] < rank[stored[0]]:
                    said.append("kept")
                elif rank[new[0]] > rank[stored[0]]:
                    said.append("upgraded" if new[0] == "G" else "taken")
                    stored = new
                elif (form_rank[new[1]], new[2]) < (form_rank[stored[1]], stored[2]):
                    said.append("taken")
                    stored = new
                else:
                    said.append("kept")
        same(f"sign/{second}", (said, stored[2]), (["new", outcome], signature))
    every_file_is_listed("sign", [f for r in rows for f in r[:2]])
    return len(rows)


def milliseconds(wall):
    """A sortable key: the wall itself, with its fraction."""
    return wall if time_form(wall) == "full" else wall[:-1] + ".000Z"


def log_facts(nodes):
    """Accepted ids, heads and total order, the slow way."""
    here = {n["id"]: n for n in nodes}
    while gone := [i for i in here if any(p not in here for p in here[i]["parents"])]:
        for i in gone:
            del here[i]
    order, left = [], dict(here)
    while left:
        ready = [i for i in left if not any(p in left for p in here[i]["parents"])]
        least = min(ready, key=lambda i: (here[i]["timestamp"]["lamport"], milliseconds(here[i]["timestamp"]["wall"]), i))
        order.append(least)
        del left[least]
    above = {}
    for i in order:
        above[i] = set(here[i]["parents"]).union(*(above[p] for p in here[i]["parents"]))
    task = lambda i: here[i].get("taskId", "-").lower()
    heads = {(task(i), i) for i in here if not any(i in above[j] and task(j) == task(i) for j in here)}
    return here, heads, order


def log_folder():
    rows = table("log")
    files = sorted({r[0] for r in rows})
    for file in files:
        mine = [r[1:] for r in rows if r[0] == file]
        of = lambda kind: {key: value for k, key, value in mine if k == kind}
        keys, good = Keys(), []
        entries = reading.nodes((root / "log" / file).read_bytes())
        same(f"log/{file}: lines", str(len(entries)), of("count")["lines"])
        for number, (node, size) in enumerate(entries, 1):
            expected = (of("letter")[str(number)], of("id")[str(number)])
            if isinstance(node, Refused):
                same(f"log/{file}:{number}", ("B " + node.rule, "-"), expected)
                continue
            letter, form, rule, _ = verdict(node, keys, size)
            text = "B " + rule if letter == "B" else f"G {form}" if letter == "G" else letter
            same(f"log/{file}:{number}", (text, "-" if letter == "B" else node["id"]), expected)
            if letter != "B":
                good.append(node)
        here, heads, order = log_facts(good)
        same(f"log/{file}: nodes", str(len(here)), of("count")["nodes"])
        same(f"log/{file}: order", order, [value for kind, _, value in mine if kind == "order"])
        if "heads" in of("count"):
            same(f"log/{file}: heads", heads, {(key, value) for kind, key, value in mine if kind == "head"})
            same(f"log/{file}: head count", str(len(heads)), of("count")["heads"])
            same(f"log/{file}: tasks", str(len({t for t, _ in heads})), of("count")["tasks"])
            same(f"log/{file}: orphans", {n["id"] for n in good} - set(here), set(of("orphan").values()))
    every_file_is_listed("log", files)
    return len(files)


def app_folder():
    data = (root / "app" / "redo_changes.json").read_bytes()
    nodes, rows, keys = parse(data), table("app"), Keys()
    same("app: nodes", len(nodes), len(rows))
    same("app: as Python's json reads it", canonical(json.loads(data, parse_int=float)), canonical(nodes))
    tips = log_facts(nodes)[1]
    for node, row in zip(nodes, rows):
        bare = {k: v for k, v in node.items() if k not in ENVELOPE}
        envelope = ",".join(k for k in ENVELOPE if k in node) or "-"
        head = "head" if (node["taskId"], node["id"]) in tips else "-"
        same(f"app: {row[0]}", [id_of(bare), bare["id"], node["taskId"], verdict(bare, keys)[0], head, envelope], [row[1], *row[1:]])
    every_file_is_listed("app", ["redo_changes.json"])
    return len(rows)


def profile_errors(nodes, profile):
    """The first (rule, pointer, id) that a profile above v1 adds, for the rules that stand here."""
    keys, here, created = Keys(), {}, set()
    for node in nodes:
        def found(rule, pointer):
            return [rule, pointer, node["id"]]

        letter, _, rule, pointer = verdict(node, keys)
        if letter != "G":
            return found(rule, "/signature" if letter in "NE" else pointer)
        for index, parent in enumerate(node["parents"]):
            if parent not in here:
                return found("parent-missing", f"/parents/{index}")
        lamport, above = node["timestamp"]["lamport"], max([here[p]["timestamp"]["lamport"] for p in node["parents"]], default=0)
        if lamport <= above:
            return found("lamport-not-increasing", "/timestamp/lamport")
        if lamport - above > 1_000_000:
            return found("lamport-jump", "/timestamp/lamport")
        if profile == "genesis":
            if time_form(node["timestamp"]["wall"]) != "full":
                return found("wall-precision", "/timestamp/wall")
            if "publicKey" not in node["author"]:
                return found("member-missing", "/author/publicKey")
            if node["action"] == "CREATE" and node["parents"]:
                return found("genesis-create", "/parents")
            if node["action"] == "CREATE" and lamport != 1:
                return found("genesis-create", "/timestamp/lamport")
            if lamport != above + 1:
                return found("genesis-lamport", "/timestamp/lamport")
            if node["action"] == "CREATE" and node["taskId"] in created:
                return found("genesis-create-duplicate", "/action")
            if node["action"] == "DELETE" and "deletedChain" not in node["data"]["fields"]:
                return found("payload-missing", "/data/fields/deletedChain")
        if node["action"] == "CREATE":
            created.add(node["taskId"])
        here[node["id"]] = node
    return ["-", "-", "-"]


def profile_folder():
    rows = table("profile")
    for file, profile, verdict_, *expected in rows:
        nodes = [node for node, _ in reading.nodes((root / "profile" / file).read_bytes())]
        for node in nodes:
            same(f"profile/{file}: v1", check(node)[0], [])
        same(f"profile/{file}", profile_errors(nodes, profile), expected)
    every_file_is_listed("profile", [r[0] for r in rows])
    return len(rows)


def base58_bytes(text):
    """Read as its makers did, by leading ones and one large number; None for a digit that is none."""
    digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number = 0
    for digit in text:
        if digit not in digits:
            return None
        number = number * 58 + digits.index(digit)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def old_folder():
    rows = table("v0")
    nodes = [node for node, _ in reading.nodes((root / "v0" / "nodes.ndjson").read_bytes())]
    for node in nodes:
        same("v0/nodes.ndjson: v1", check(node)[0], [])
    notes = json.loads((root / "v0" / "notes.json").read_bytes())
    same("v0/notes.json: ids", [row["id"] for row in notes["nodes"]], sorted(node["id"] for node in nodes))
    old = {node["id"]: node for node in json.loads((root / "v0" / "wrapped.json").read_bytes())["changes"]}
    by_id = {node["id"]: node for node in nodes}
    for row in notes["nodes"]:
        change, node = old[row["oldId"]], by_id[row["id"]]
        same(f"v0: signature of {row['oldId']}", row.get("signature"), change.get("signature"))
        same(f"v0: key of {row['oldId']}", base58_bytes(row["publicKey"]).hex(), node["author"]["publicKey"])
        body = {k: v for k, v in change.items() if k not in ("id", "signature")}
        same(f"v0: id of {row['oldId']}", base58_bytes(row["oldId"].removeprefix("sha256:")).hex(), id_of(body).removeprefix("sha256:"))
    for text, count, expected in table("v0", "base58.tsv"):
        found = base58_bytes(text)
        same(f"base58 {text}", found.hex() if found is not None and len(found) == int(count) else "-", expected)
    every_file_is_listed("v0", [r[0] for r in rows], "nodes.ndjson", "notes.json", "heads.txt", "base58.tsv")
    return len(rows) + len(nodes) + len(table("v0", "base58.tsv"))


def checkpoint_folder():
    rows, proofs = table("checkpoint"), table("checkpoint", "PROOFS.tsv")
    for file, verdict_, line, id, key, origin, size in rows:
        data = (root / "checkpoint" / file).read_bytes()
        try:
            note = Checkpoint(data)
            found = ["valid", "-", note.id, note.keys[0], note.origin, str(note.size)]
        except Fault as fault:
            found = ["invalid", str(fault.line), "sha256:" + hashlib.sha256(data).hexdigest(), "-", "-", "-"]
        same(f"checkpoint/{file}", found, [verdict_, line, id, key, origin, size])
    for file, letter, id in proofs:
        found = judge((root / "checkpoint" / file).read_bytes())
        same(f"checkpoint/{file}: letter", found[0], letter)
        if id != "-":
            same(f"checkpoint/{file}: id", found[1], id)
    every_file_is_listed("checkpoint", [r[0] for r in rows + proofs], "PROOFS.tsv")
    return len(rows) + len(proofs)


def firestore_folder():
    rows = table("firestore")
    ids = set()
    app = (root / "firestore" / "app-nodes.ndjson").read_bytes().splitlines()
    for line in app + (root / "firestore" / "nodes.ndjson").read_bytes().splitlines():
        node = parse(line)
        ids.add(node["id"])
        same(f"firestore: id of {node['id']}", id_of({k: v for k, v in node.items() if k not in ("id", "signature")}), node["id"])
        expected = ("N", "-") if "signature" not in node else ("G", "body") if "publicKey" in node["author"] else ("E", "-")
        same(f"firestore: {node['id']}", verdict(node, Keys())[:2], expected)
    for file, verdict_, form, id, *_ in rows:
        document = json.loads((root / "firestore" / file).read_bytes())
        same(f"firestore/{file}: name", document["name"].split("/")[-1], id)
        if verdict_ == "recovered":
            same(f"firestore/{file}: its node is listed", id in ids, True)
    every_file_is_listed("firestore", [r[0] for r in rows], "nodes.ndjson", "app-nodes.ndjson", "app-documents.ndjson", "damaged-documents.ndjson")
    return len(rows) + len(ids)


def receipt_folder():
    rows, signed = table("receipt"), table("receipt", "SIGNED.tsv")
    for file, *expected in rows:
        content = (root / "receipt" / file).read_bytes()
        findings = receipt_rules.check(content)
        weight = lambda profile: {f for f in findings if receipt_rules.severity(*f, profile) == "error"}
        errors, strict, facts = weight("v1"), weight("sync"), receipt_rules.facts(content)
        listed = receipt_rules.listed([f for f in findings if f not in errors])
        if errors:
            found = ["invalid", *[cell for rule, place in errors for cell in (rule, receipt_rules.spelled(place))], listed, facts["cid"], "-", "-", "-"]
        else:
            sync = ",".join(sorted({rule for rule, _ in strict})) or "-"
            found = ["valid", "-", "-", listed, facts["cid"], facts["root"], facts["form"], sync]
        same(f"receipt/{file}", found, expected)
        rule = file.split("/")[1].split("--")[0]
        same(f"receipt/{file}: what it is named after", expected[0] == "valid" or expected[1] == rule, True)
    for file, key, signature, letter, rule, place, case in signed:
        given = None if signature == "-" else base64.b64decode(signature, validate=True)
        found = receipt_rules.verdict((root / "receipt" / file).read_bytes(), given, None if key == "-" else bytes.fromhex(key))
        same(f"receipt/{file}: {case}", list(found), [letter, rule, place])
    every_file_is_listed("receipt", [r[0] for r in rows], "SIGNED.tsv")
    same("receipt/SIGNED.tsv: files", sorted({r[0] for r in signed} - {r[0] for r in rows if r[1] == "valid"}), [])
    return len(rows) + len(signed)


def schema_folder():
    rows, taken = table("schema"), table("schema", "IMPORT.tsv")
    for file, verdict_, rule, place, id, hash in rows:
        text = (root / "schema" / file).read_bytes()
        value = parse(text)
        errors = schema_rules.check(value, len(text.strip()))
        same(f"schema/{file}", errors, [] if rule == "-" else [(rule, "" if place == "''" else place)])
        same(f"schema/{file}: verdict", verdict_, "invalid" if errors else "valid")
        same(f"schema/{file}: id", [id_of(value), value["id"]], [id, id])
        same(f"schema/{file}: canonical", canonical(value), text.rstrip())
        if "signature" in value and "publicKey" in value["author"]:
            same(f"schema/{file}: signature", signed_form(value, value["author"]["publicKey"]), "body")
        if not errors:
            same(f"schema/{file}: hash", schema_rules.hash_of(value), hash)
    every_file_is_listed("schema", [r[0] for r in rows + taken], "IMPORT.tsv")
    return len(rows)


for name, run in [("json", json_folder), ("cbor", cbor_folder), ("node", node_folder), ("sign", sign_folder), ("log", log_folder), ("app", app_folder), ("profile", profile_folder), ("v0", old_folder), ("checkpoint", checkpoint_folder), ("firestore", firestore_folder), ("receipt", receipt_folder), ("schema", schema_folder)]:
    print(f"{name}: {run()} checked")
sys.exit(problems > 0)
