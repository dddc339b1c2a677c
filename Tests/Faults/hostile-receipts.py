"""hostile-receipts.py <share>: receipts that are well hashed and well signed, and wrong or odd in one place, on every road into a
store, and in stores where a foreign writer has left them. Runs in an empty directory.

Of each receipt Tests/Oracle says whether it is valid. redo must say the same on every road, with the rule and the place; a refusal
leaves the store as it was; and every command that reads a store which has it must show all of it, or end with one clear error.
One in <share> of the receipts takes all roads; SEED says which. Of all of them the verdicts are compared.
"""

import base64
import hashlib
import json
import os
import shutil
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("Oracle", "Vectors", "Scripts")]

import peer
import receipt_rules
from hostile_chains import chains
from hostile_receipts import ADA, CARD, FIRST, FIRST_CID, SECOND, base, receipts, signed
from hostile_store import Store, Trials, few, findings, id_of, run

SHARE, SEED = int(sys.argv[1]), os.environ.get("SEED", "0")
DEVICE = (base.DID, ADA.device)
KEY = base.key_of(ADA)
GOOD = [CARD, FIRST, SECOND]
trials = Trials()
tried, trouble = trials.run, trials.trouble


def cid_of(content):
    return base.cid_text(base.raw_cid(content))


def ref_of(content):
    return "receipts/" + hashlib.sha256(content).hexdigest()


def line_of(content, signature):
    row = {"cbor": base64.b64encode(content).decode(), "cid": cid_of(content)}
    if signature:
        row["signature"] = base64.b64encode(signature).decode()
    return json.dumps(row)


class Verdict:
    """What the oracle says of a receipt beside the good ones: (rule, place) of its errors, and its letter."""

    def __init__(self, content, signature):
        self.errors = [each for each in receipt_rules.check(content) if receipt_rules.severity(*each) == "error"]
        self.facts, self.letter = {}, "B"
        if self.errors:
            return
        self.facts = receipt_rules.facts(content)
        key = KEY if (self.facts["did"], self.facts["device"]) == DEVICE else None
        self.letter, rule, place = receipt_rules.verdict(content, signature, key)
        if self.letter == "B":
            self.errors.append((rule, place))

    def parents(self, known):
        """The errors of a receipt beside others, {cid: root}."""
        parent = self.facts.get("parent")
        if self.errors or parent is None:
            return []
        if parent not in known:
            return [("parent-missing", "/parentCID")]
        return [] if known[parent] == self.facts["root"] else [("receipt-root-mismatch", "/rootCID")]


KNOWN = {cid_of(CARD): cid_of(CARD), FIRST_CID: FIRST_CID, cid_of(SECOND): FIRST_CID}


def verdicts(every):
    """All verdicts at once, of lines and of a file."""
    with open("lines", "w") as file:
        file.writelines(line_of(content, signature) + "\n" for _, content, signature in every)
    pin = f"{ADA.public} device={base.DID}/{ADA.device}\n"
    with open("judge/.redo/trust", "w") as file:
        file.write(pin)
    with open("lines", "rb") as file:
        # One batch of lines, however many there are, is held until the last is judged.
        answers = tried("all", "-C", "judge", "hash-object", "-t", "receipt", "--ndjson", "--batch-verdicts", stdin=file)
    rows = answers.lines()
    told = [json.loads(row) for row in tried("all", "-C", "judge", "verify", "--json", os.path.abspath("lines")).lines()]
    told = [row for row in told if "letter" in row]
    if not len(rows) == len(told) == len(every):
        sys.exit(f"{len(every)} receipts have {len(rows)} verdicts and {len(told)} rows: {answers.says()[:500]}")
    for (name, content, signature), row, said in zip(every, rows, told):
        verdict = Verdict(content, signature)
        # Of one that is too large nothing is read, its id neither.
        if row.split(" ")[:2] != [verdict.letter, "-" if verdict.errors[:1] == [("receipt-size", "")] else id_of(content)]:
            trouble(name, ["hash-object"], f"'{row}', not {verdict.letter} {verdict.errors}")
        elif verdict.errors and not any(f" {rule} at " in row for rule, _ in verdict.errors):
            trouble(name, ["hash-object"], f"'{row}', not {verdict.errors}")
        if verdict.errors and said["letter"] != "B" or not verdict.errors and said["letter"] == "B" and said["rule"] not in ("parent-missing", ):
            trouble(name, ["verify"], f"{said}, not {verdict.letter} {verdict.errors}")


# The roads in.


def varint(number):
    return peer.varint(number)


def car_of(rows):
    """A CARv1 of receipts and their signatures."""
    link = lambda raw: b"\xd8\x2a" + base.head(2, 37) + b"\0" + raw
    roots = b"".join(link(base.raw_cid(content)) for content, _ in rows)
    header = b"\xa2\x65roots" + base.head(4, len(rows)) + roots + b"\x67version\x01"
    out = varint(len(header)) + header
    for content, signature in rows:
        note = json.dumps({"cid": cid_of(content), "signature": base64.b64encode(signature).decode()}, separators=(",", ":")).encode() if signature else b""
        for raw, data in ((base.raw_cid(content), content), (base.raw_cid(note, 0x55), note)):
            if data or raw[1] == 0x71:
                out += varint(len(raw) + len(data)) + raw + data
    return out


def parent_of(content):
    """The digest of what a receipt names as its parent, if that is a CID."""
    receipt = receipt_rules.Receipt(content)
    parent = receipt.envelope.get("parentCID")
    return base64.b32decode(parent[1:].upper() + "======")[4:] if receipt_rules.cid_codec(parent) == receipt_rules.DAG_CBOR else None


peer.parent_of = parent_of


def pack_of(rows):
    return peer.pack([json.loads(line_of(*row)) for row in rows])


def write(name, content):
    with open(name, "wb") as file:
        file.write(content)
    return os.path.abspath(name)


def roads(name, content, signature, verdict):
    """A receipt on its own by each road: refused with its rule and nothing changed, or there."""
    row = (content, signature)
    errors = verdict.errors + verdict.parents(KNOWN)
    files = {"x.ndjson": line_of(*row).encode() + b"\n", "x.car": car_of([row]), "x.pack": pack_of([row])}
    ways = [(file, ["import", write(file, data)]) for file, data in files.items()]
    ways.append(("raw", ["hash-object", "-t", "receipt", "-w", "--update-heads", write("x.raw", content)]))
    if signature:
        ways[-1][1].insert(1, "--signature=" + base64.b64encode(signature).decode())
    for way, words in ways:
        store = good.copy("taker")
        before = store.state()
        done = tried(f"{name} by {way}", "-C", "taker", *words)
        if errors:
            if done.status == 0:
                trouble(f"{name} by {way}", words, f"it is taken: {errors}")
            elif not any(rule in done.says() for rule, _ in errors):
                trouble(f"{name} by {way}", words, f"no word of {errors}: {done.says()[:300]}")
            if store.state() != before and not verdict.parents(KNOWN):
                trouble(f"{name} by {way}", words, "the store has changed")
        elif done.status != 0:
            trouble(f"{name} by {way}", words, f"it is refused: {done.says()[:300]}")
        elif run(["-C", "taker", "cat-node", cid_of(content)], raw=True).out != content:
            trouble(f"{name} by {way}", words, "it is not there")
    # Without a store nobody has the key.
    if verdict.errors and verdict.errors[0][0] not in ("signature-bad", "did-key-mismatch"):
        check = tried(name, "verify", os.path.abspath("x.pack"))
        if check.status == 0 or not any(rule in check.text() + check.says() for rule, _ in verdict.errors):
            trouble(name, check.words, f"{check.status} {check.text()[:200]!r} {check.says()[:200]!r}, not {verdict.errors}")


# Stores that have it.

READERS = [
    ["receipt", "list"], ["receipt", "list", "--json", "--show-deleted"], ["receipt", "list", "--order=received", "--svg"], ["show-ref"], ["stats"], ["reflog"],
    ["log"], ["verify", "--all"], ["verify", "--missing"], ["index", "query", "timeline"], ["search", "first"], ["explain", FIRST_CID],
    ["receipt", "show", FIRST_CID], ["show", FIRST_CID], ["device", "list"], ["state", "--records"], ["local", "list"], ["circle", "list"],
    ["gc", "-n", "--blobs"], ["wipe", "-n", "--author=" + base.DID], ["recover", "--dry-run", "--kind=receipt", "--to=2030-01-01"]]
OF_ONE = [["receipt", "show"], ["receipt", "show", "--json"], ["show"], ["show", "--json"], ["cat-node", "-p"], ["verify", "--explain"], ["cat-node", "-t"],
          ["cat-node", "--pointer=/payload"]]
# These list all receipts of the history, or say what they lack.
WHOLE = [["receipt", "list", "--show-deleted", "--order=received"], ["export", "-q", "--kind=receipt", "--include-precise", "--include-received"]]
MAKERS = [["checkpoint", "create"], ["archive", "create", "--kind=receipt", "--include-precise", "-o", "OUT"], ["backup", "create", "--include-precise", "OUT"],
          ["export", "-q", "--kind=receipt", "--format=car", "--include-precise", "-o", "OUT"], ["prove", "--include-precise", FIRST_CID]]
KEEPERS = [["gc"], ["repack", "-q"], ["index", "rebuild"]]


def in_store(name, store, contents, errors, everything):
    """Reads a store in every way. `contents` are the hostile ones, `errors` what they break, `everything` all that it has."""
    before = store.state()
    audit = tried(name, "-C", store.path, "verify")
    found = findings(audit)
    wrong = {rule for weight, rule, _ in found if weight == "error"}
    named = {rule for rule, _ in errors}
    # One that is too large is not read, wherever it lies.
    is_read = "receipt-size" not in named
    if not is_read:
        named.add("object-corrupt")
    if audit.status != bool(errors) or bool(wrong) != bool(errors) or errors and not wrong & named:
        trouble(name, audit.words, f"{audit.status} {audit.text()[:600]}, not {errors}")
    said = {}
    # Of very many the first and the last are shown one by one.
    for words in READERS + [[*words, cid_of(content)] for content in contents[:2] + contents[2:][-1:] for words in OF_ONE]:
        done = tried(name, "-C", store.path, *words)
        said[tuple(words)] = done.status, done.out
        if done.status == 2 or not errors and done.status and words[0] not in ("explain", "verify"):
            trouble(name, done.words, f"{done.status}: {done.says()[:300]}")
        if words == ["receipt", "list"] and not done.status and len(done.lines()) > len(everything):
            trouble(name, done.words, "more rows than receipts")
    for words in WHOLE:
        done = tried(name, "-C", store.path, *words)
        said[tuple(words)] = done.status, done.out
        if not done.status and (lacking := [content for content in everything if cid_of(content) not in done.text()]):
            trouble(name, done.words, f"{len(lacking)} of {len(everything)} are left out, and nothing is said: {done.says()[:200]}")
    if store.state() != before:
        trouble(name, ["readers"], "the store has changed")
    for words, done in trials.makes(name, store, MAKERS, not errors):
        if words[0] == "archive" and not done.status:
            check = tried(name, "archive", "verify", os.path.abspath("made"))
            if check.status and not errors:
                trouble(name, check.words, f"an archive that it made: {check.says()[:300]}")
        if words[0] == "archive" and done.status and os.path.exists("made"):
            trouble(name, done.words, "half an archive is left")
    for words in KEEPERS:
        done = tried(name, "-C", store.path, *words)
    for content in everything[:6] + everything[6:][-2:]:
        done = tried(name, "-C", store.path, "cat-node", cid_of(content), raw=True)
        if done.out != content and is_read:
            trouble(name, done.words, f"it is lost after gc and repack: {done.says()[:200]}")
    if findings(again := tried(name, "-C", store.path, "verify")) - {("warning", "cache")} != found:
        trouble(name, again.words, f"another answer after gc and repack: {again.text()[:400]}, not {audit.text()[:400]}")
    for words, (status, out) in said.items():
        if words[0] in ("receipt", "export") or words[0] == "show":
            done = tried(name, "-C", store.path, *words)
            if (done.status, done.out) != (status, out):
                trouble(name, done.words, f"another answer after gc and repack: {done.status}, not {status}: {done.says()[:300]}")


def one_in_store(name, content, signature, verdict):
    store = good.copy("reader")
    store.loose("receipt", content, signature)
    root = verdict.facts.get("root")
    ref = ref_of(content) if root is None else "receipts/" + base.base64.b32decode(root[1:].upper() + "======").hex()[8:]
    store.accept([(id_of(content), ref)], [id_of(content)])
    errors = verdict.errors + verdict.parents(KNOWN)
    in_store(name, store, [content], errors, GOOD + [content])


judge = Store("judge")
good = Store("good")
run(["-C", "good", "key", "generate"])
for content in GOOD:
    good.loose("receipt", content, signed(content))
good.accept([(id_of(CARD), ref_of(CARD)), (id_of(SECOND), ref_of(FIRST))], [id_of(content) for content in GOOD])
every = [each for each in receipts() if each[1] not in GOOD]
verdicts(every)
taken = [] if os.environ.get("ONLY") else few(every, SHARE, SEED)
for name, content, signature in taken:
    verdict = Verdict(content, signature)
    roads(name, content, signature, verdict)
    one_in_store(name, content, signature, verdict)
several = [each for each in few(chains(), max(1, SHARE // 20), SEED) if os.environ.get("ONLY", "") in each[0]]
for name, objects, refs, ids, errors in several:
    store = good.copy("reader")
    for kind, content, signature in objects:
        store.loose(kind, content, signature)
    store.accept(refs, ids)
    there = [content for kind, content, _ in objects if kind == "receipt"]
    in_store(name, store, there, errors, GOOD + there if refs else GOOD)
print(f"{len(every)} receipts judged, {len(taken)} of them by every road and in a store, {len(several)} chains; "
      f"{trials.count} commands; {len(trials.troubles)} troubles")
sys.exit(bool(trials.troubles))
