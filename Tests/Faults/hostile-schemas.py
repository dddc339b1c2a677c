"""hostile-schemas.py <share>: schemas, and records of tasks, that are well hashed and well signed, and wrong or odd in one place, on
every road into a store, and in stores where a foreign writer has left them. Runs in an empty directory.

Of each Tests/Oracle says whether it is valid. redo must say the same on every road, with the rule; a refusal leaves the store as it
was; and every command that reads a store which has it must show it all, or end with one clear error. One in <share> takes all
roads; SEED says which. Of all of them the verdicts are compared.
"""

import hashlib
import json
import os
import shutil
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("Oracle", "Vectors", "Scripts")]

import node_rules
import peer
import rfc8785
import schema_edit
import schema_log
import schema_rules
import strict_json
from hostile_schemas import ADA, base, histories, of_all_types, records, schemas, signed
from hostile_store import NAMES, Store, Trials, few, findings, id_of, run
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

SHARE, SEED = int(sys.argv[1]), os.environ.get("SEED", "0")
ONLY = os.environ.get("ONLY", "")
trials = Trials()
tried, trouble = trials.run, trials.trouble


def ref_of(definition):
    name = "".join(chr(byte) if byte in NAMES else f"%{byte:02x}" for byte in definition["id"].encode())
    return "schemas/" + name + ("@" + definition["scope"] if "scope" in definition else "")


def errors_of(body, signature):
    """What a schema breaks by itself, [rule]; and its value, if it is one."""
    try:
        value = strict_json.parse(body)
    except strict_json.Refused as refusal:
        return [refusal.rule], None
    if type(value) is not dict:
        return ["schema-form"], None
    whole = {**value, "id": id_of(body)} | ({"signature": signature.hex()} if signature else {})
    rules = [rule for rule, _ in schema_rules.check(whole, len(rfc8785.dumps(whole)))]
    if rfc8785.dumps(value) != body or "id" in value or "signature" in value:
        rules.append("hash-mismatch")
    if not rules and signature:
        try:
            VerifyKey(bytes.fromhex(value["author"]["publicKey"])).verify(body, signature)
        except (BadSignatureError, ValueError):
            rules.append("signature-bad")
    return rules, value


def late_of(rules, value):
    """What one without parents breaks that is good by itself."""
    if rules or value["parents"]:
        return []
    return ["schema-clock-range"] * (not schema_edit.is_in_range(value["definition"], [])) + [
        "lamport-jump"] * (value["timestamp"]["lamport"] > schema_edit.JUMP)


def line_of(body, signature):
    """The line of a schema with id and signature, whatever the body is."""
    more = f'"id":"{id_of(body)}"' + (f',"signature":"{signature.hex()}"' if signature else "")
    return body[:1] + more.encode() + b"," + body[1:] if body[:1] == b"{" and body[1:2] not in (b"", b"}") else body


def verdicts(every):
    """All verdicts at once, of lines that hold no line feed."""
    every = [each for each in every if each[1] and b"\n" not in each[1]]
    with open("lines", "wb") as file:
        file.writelines(line_of(body, signature) + b"\n" for _, body, signature in every)
    with open("lines", "rb") as file:
        answers = tried("all", "hash-object", "-t", "schema", "--ndjson", "--batch-verdicts", stdin=file)
    told = [json.loads(row) for row in tried("all", "verify", "--json", os.path.abspath("lines"), raw=True).lines()]
    told = {row["input"]["line"]: row for row in told if "letter" in row}
    rows = answers.lines()
    if len(rows) != len(every):
        sys.exit(f"{len(every)} schemas have {len(rows)} verdicts: {answers.says()[:500]}")
    for number, ((name, body, signature), row) in enumerate(zip(every, rows), 1):
        rules, value = errors_of(body, signature)
        expected = "B" if rules else "G" if signature else "N"
        if row[:1] != expected and not (expected == "B" and row[:1] not in "GNE"):
            trouble(name, ["hash-object"], f"'{row}', not {expected} {rules}")
        elif rules and not any(rule in row for rule in rules) and "hash-mismatch" not in rules:
            trouble(name, ["hash-object"], f"'{row}', not {rules}")
        rules += late_of(rules, value)
        said = told.get(number, {"letter": "B", "rule": "-"})
        if rules == ["json-trailing"]:
            continue  # a line of two values has a row for each
        if (said["letter"] == "B") != bool(rules) and said.get("rule") not in ("parent-missing", "parents-missing"):
            trouble(name, ["verify"], f"{said}, not {rules}")


# The roads in.


def car_of(body, signature):
    """A CARv1 of a schema and its signature."""
    raw = lambda content, codec: bytes([1, codec, 0x12, 0x20]) + hashlib.sha256(content).digest()
    header = b"\xa2\x65roots\x81\xd8\x2a\x58\x25\0" + raw(body, 0x55) + b"\x67version\x01"
    blocks = [body] + ([rfc8785.dumps({"id": id_of(body), "signature": signature.hex()})] if signature else [])
    out = peer.varint(len(header)) + header
    for block in blocks:
        out += peer.varint(36 + len(block)) + raw(block, 0x55) + block
    return out


def pack_of(rows):
    """A pack of schemas in raw bodies; what a body is to say for the directory is taken from one that is right."""
    form = base()
    said = []
    for body, signature in rows:
        try:
            value = json.loads(body)
            times = {"lamport": int(value["timestamp"]["lamport"]), "wall": value["timestamp"]["wall"]}
            peer.span([{"timestamp": times}])
            parents = [parent for parent in value["parents"] if len(parent) == 71]
            [bytes.fromhex(parent[7:]) for parent in parents]
        except Exception:
            times, parents = form["timestamp"], []
        said.append({"schema": 1, "raw": body, "signature": signature.hex() if signature else "", "parents": parents, "timestamp": times})
    plain, peer.body = peer.body, lambda node: node["raw"]
    try:
        return peer.pack(said)
    finally:
        peer.body = plain


def write(name, content):
    with open(name, "wb") as file:
        file.write(content)
    return os.path.abspath(name)


def roads(name, body, signature, rules, parents=False):
    files = {"x.ndjson": line_of(body, signature) + b"\n", "x.car": car_of(body, signature)}
    try:
        files["x.pack"] = pack_of([(body, signature)])
    except Exception as error:
        trouble(name, ["-"], f"no pack: {error!r}")
    ways = [(file, ["import", write(file, data)]) for file, data in files.items()]
    ways.append(("line", ["hash-object", "-t", "schema", "-w", "--update-heads", write("x.json", line_of(body, signature))]))
    for way, words in ways:
        # A line, or a file of one, is hashed in canonical form: only blocks and packs have a spelling.
        mine = [rule for rule in rules if rule != "hash-mismatch"]
        store = good.copy("taker")
        before = store.state()
        done = tried(f"{name} by {way}", "-C", "taker", *words)
        there = run(["-C", "taker", "cat-node", "--body", id_of(body)], raw=True).out == body
        if "schema-size" in rules:
            mine += ["node-size", "directory names a frame"]
        if rules or parents:
            if there or not done.status:
                trouble(f"{name} by {way}", words, f"{done.status}, it is {'' if there else 'not '}taken: {rules} {done.says()[:200]}")
            # A line that is no object is no node; and where a body of a pack has no place for its id, that is put before it.
            elif mine and not any(rule in done.says() for rule in [*mine, "node-type"]) and way != "x.car" and not (
                    "json-" in done.says() and (b'"parents":[' not in body or mine[0][:5] == "json-")):
                trouble(f"{name} by {way}", words, f"no word of {rules}: {done.says()[:300]}")
            if store.state() != before and not parents:
                trouble(f"{name} by {way}", words, "the store has changed")
        elif done.status or not there:
            trouble(f"{name} by {way}", words, f"{done.status}, it is {'' if there else 'not '}there: {done.says()[:300]}")


# Stores that have it.

READERS = [
    ["schema", "list"], ["schema", "list", "--all", "--json"], ["schema", "check"], ["schema", "check", "--json"], ["schema", "export"],
    ["schema", "export", "--for=app"], ["device", "list"], ["device", "list", "--all", "--json"], ["state", "--records"], ["state", "--hash"],
    ["record", "list"], ["record", "list", "--json"], ["record", "check"], ["record", "export"], ["record", "export", "--for=app"],
    ["verify", "--all"], ["verify", "--records"], ["verify", "--missing"], ["show-ref"], ["stats"], ["reflog"], ["log"], ["query", "tasks"],
    ["export", "-q", "--kind=schema"], ["wipe", "-n", "--author=" + ADA.user], ["recover", "--dry-run", "--kind=schema", "--to=2030-01-01"]]
OF_NAME = [
    ["schema", "show"], ["schema", "show", "--json"], ["schema", "show", "--all-fields"], ["schema", "show", "--provenance"], ["schema", "show", "--hash"],
    ["schema", "show", "--for=app"], ["schema", "log"], ["schema", "log", "--json"], ["schema", "diff"], ["schema", "check"], ["schema", "export"],
    ["record", "list"], ["record", "check"]]
OF_ONE = [["show"], ["show", "--json"], ["cat-node", "-p"], ["cat-node", "--pointer=/definition"], ["verify", "--explain"], ["cat-node", "-t"]]
EDITS = [["schema", "add-field", "--name=new", "--type=string"], ["schema", "set", "--name=renamed"], ["schema", "merge"]]
MAKERS = [["checkpoint", "create"], ["archive", "create", "--kind=schema", "-o", "OUT"], ["backup", "create", "OUT"],
          ["export", "-q", "--kind=schema", "--format=car", "-o", "OUT"]]


def in_store(name, store, bodies, rules, names=(), tasks=0):
    """Reads a store in every way; `rules` are those of which an audit must name one, none where all is valid."""
    before = store.state()
    audit = tried(name, "-C", store.path, "verify")
    found = findings(audit)
    wrong = {rule for weight, rule, _ in found if weight == "error"}
    # A body that is not canonical has another hash than a line of it.
    named = set(rules) | ({"schema-form"} if "hash-mismatch" in rules else set()) | ({"object-corrupt"} if "schema-size" in rules else set())
    if audit.status != bool(rules) or bool(wrong) != bool(rules) or rules and not wrong & named:
        trouble(name, audit.words, f"{audit.status} {audit.text()[:500]}, not {rules}")
    ids = [id_of(body) for body in bodies]
    said = {}
    for words in READERS + [[*words, "--", each] for each in names for words in OF_NAME] + [[*words, each] for each in ids[:1] + ids[1:][-1:] for words in OF_ONE]:
        done = tried(name, "-C", store.path, *words, limit=400_000)
        said[tuple(words)] = done.status, done.out
        is_answer = words[:2] in (["schema", "check"], ["schema", "diff"], ["record", "check"], ["verify", "--records"])
        if not rules and done.status and not (is_answer and done.status == 1) and not (done.status == 1 and words[:2] == ["record", "export"]):
            trouble(name, done.words, f"{done.status}: {done.says()[:300]}")
        if not done.status and words == ["export", "-q", "--kind=schema"] and any(id not in done.text() for id in ids):
            trouble(name, done.words, f"{sum(id not in done.text() for id in ids)} are left out, and nothing is said")
        if not done.status and words == ["state", "--records"] and len(done.lines()) != tasks:
            trouble(name, done.words, f"{len(done.lines())} records, not {tasks}")
    if store.state() != before:
        trouble(name, ["readers"], "the store has changed")
    for _ in trials.makes(name, store, MAKERS, not rules):
        pass
    for words in (["gc"], ["repack", "-q"]):
        tried(name, "-C", store.path, *words)
    for body in bodies[:3] + bodies[3:][-2:]:
        if "schema-size" not in rules and tried(name, "-C", store.path, "cat-node", "--body", id_of(body), raw=True).out != body:
            trouble(name, ["cat-node", "--body"], "it is lost after gc and repack")
    again = tried(name, "-C", store.path, "verify")
    if findings(again) != found:
        trouble(name, again.words, f"another answer after gc and repack: {again.text()[:400]}, not {audit.text()[:400]}")
    for words, (status, out) in said.items():
        if words[0] in ("schema", "record", "state"):
            done = tried(name, "-C", store.path, *words, limit=400_000)
            if (done.status, done.out) != (status, out):
                trouble(name, done.words, f"another answer after gc and repack: {done.status}, not {status}: {done.says()[:300]}")
    for each in names:
        for words in EDITS:
            done = tried(name, "-C", store.path, *words, "--", each)
            if not rules and tried(name, "-C", store.path, "verify").status:
                trouble(name, done.words, "what it wrote is not valid")


def one_in_store(name, body, signature, rules, value, orphan):
    store = good.copy("reader")
    store.loose("schema", body, signature)
    names = []
    try:
        names = [value["definition"]["id"] + ("@" + value["definition"]["scope"] if "scope" in value["definition"] else "")] if not rules else []
        ref = ref_of(value["definition"])
    except (TypeError, KeyError, AttributeError, UnicodeError):
        ref = "schemas/broken"
    if not 8 < len(ref) < 700 or ref[-5:] == ".lock":
        ref = "schemas/broken"
    store.accept([(id_of(body), ref)], [id_of(body)])
    in_store(name, store, [body], rules + (["parent-missing"] if orphan and not rules else []), names)


def whole_of(value, person=ADA):
    body, signature = signed(value, person)
    return {**value, "id": id_of(body), "signature": signature.hex()}


def history_rules(values):
    """What several schemas break among themselves, and the refs of their heads."""
    there = {each["id"]: each for each in values}
    rules = set()
    for each in values:
        parents = [there[parent] for parent in each["parents"] if parent in there]
        if len(parents) < len(each["parents"]):
            rules.add("parent-missing")
        elif parents:
            rules |= schema_edit.broken(each, parents)
        elif not schema_edit.is_in_range(each["definition"], []):
            rules.add("schema-clock-range")
    heads = [(head["id"], name) for name, members in schema_log.groups(values).items() for head in schema_log.heads_of(members)]
    return sorted(rules), heads


def history_in_store(name, values):
    wholes = [whole_of(each) for each in values]
    rules, heads = history_rules(wholes)
    store = good.copy("reader")
    bodies = []
    for value in values:
        body, signature = signed(value)
        store.loose("schema", body, signature)
        bodies.append(body)
    store.accept(heads, [each["id"] for each in wholes])
    names = sorted({each["definition"]["id"] + ("@" + each["definition"]["scope"] if "scope" in each["definition"] else "") for each in wholes})
    names = [each for each in names if not each.startswith("redo.")]
    in_store(name, store, bodies, rules, names)
    lines = write("x.ndjson", b"".join(rfc8785.dumps(each) + b"\n" for each in wholes))
    # One frame holds no more than 2^20 bytes.
    packs = sum(map(len, bodies)) < 1_000_000
    pack = packs and write("x.pack", pack_of([(body, bytes.fromhex(each["signature"])) for body, each in zip(bodies, wholes)]))
    for words in (["import", lines], *([["import", pack]] if packs else []), ["hash-object", "-t", "schema", "-w", "--update-heads", "--ndjson"]):
        store = good.copy("taker")
        with open(lines, "rb") as file:
            done = tried(name, "-C", "taker", *words, stdin=file)
        if bool(done.status) != bool(rules) or rules and not any(rule in done.says() for rule in rules):
            trouble(name, done.words, f"{done.status} {done.says()[:300]}, not {rules}")
        if tried(name, "-C", "taker", "verify").status:
            trouble(name, done.words, "what was taken is not valid")


def record_in_store(name, values):
    wholes = [whole_of(each) for each in values]
    rules = [rule for whole in wholes for rule, _ in node_rules.check(strict_json.parse(rfc8785.dumps(whole)))[0]]
    store = good.copy("reader")
    body, signature = signed(of_all_types())
    store.loose("schema", body, signature)
    refs, ids = [(id_of(body), "schemas/all")], [id_of(body)]
    for value in values:
        text, signature = signed(value)
        ids.append(store.loose("node", text, signature))
        refs.append((ids[-1], "heads/" + value["taskId"]))
    store.accept(refs, ids)
    count = sum(type(value["data"]["fields"].get("schemaId")) is str for value in values)
    in_store(name, store, [body], rules, ["all"], count)


good = Store("good")
run(["-C", "good", "key", "generate"])
CARE, CARE_SIGNATURE = signed({**base(), "definition": {**base()["definition"], "id": "care"}})
good.loose("schema", CARE, CARE_SIGNATURE)
good.accept([(id_of(CARE), "schemas/care")], [id_of(CARE)])
every = [each for each in schemas() if ONLY in each[0]]
verdicts(few(every, max(1, SHARE // 50), SEED))
taken = few(every, SHARE, SEED)
for name, body, signature in taken:
    rules, value = errors_of(body, signature)
    orphan = not rules and bool(value["parents"])
    late = late_of(rules, value)
    roads(name, body, signature, rules + late, orphan)
    one_in_store(name, body, signature, rules + late, value, orphan)
several = few([each for each in histories() if ONLY in each[0]], max(1, SHARE // 20), SEED)
for each in several:
    history_in_store(*each)
read = few([each for each in records() if ONLY in each[0]], max(1, SHARE // 4), SEED)
for each in read:
    record_in_store(*each)
print(f"{len(every)} schemas, {len(taken)} of them by every road and in a store, {len(several)} histories, {len(read)} records; "
      f"{trials.count} commands; {len(trials.troubles)} troubles")
sys.exit(bool(trials.troubles))
