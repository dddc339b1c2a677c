"""Every rule has its line in redo-rules(7), a valid neighbour and a vector that breaks it."""

import csv
import re
import subprocess

import project

VECTORS = project.ROOT / "Tests/Vectors"
# Rules that no vector of one object or of one profile can break, and where they are proved.
ELSEWHERE = {
    "parent-refused": "needs a parent that breaks another rule: Scripts/redo-verify-files.sh",
    "user-id-collision": "needs two nodes: Vectors/log/user-id-collision.ndjson",
    "signature-variant": "needs one node twice: Vectors/sign",
    "did-key-mismatch": "needs a key: Vectors/receipt/SIGNED.tsv",
    "device-collision": "needs two receipts: Scripts/receipts-objects.sh",
    "receipt-root-mismatch": "needs a parent: Scripts/receipts-objects.sh",
    "receipt-author-change": "needs a parent: Scripts/receipts-objects.sh",
    "receipt-unpinned": "needs a parent: Scripts/redo-receipt.sh",
    "tombstone-foreign": "needs what it deletes: Scripts/redo-receipt.sh",
    "schema-id-mismatch": "needs two definitions: Scripts/redo-schema.sh",
    "schema-unknown-member": "needs a file of the app: Vectors/schema/IMPORT.tsv",
    "schema-parent": "needs a parent: RedoObjectTests/SchemaSuccessionTests",
    "schema-lost": "needs a parent: RedoObjectTests/SchemaSuccessionTests",
    "schema-provenance": "needs a parent: RedoObjectTests/SchemaSuccessionTests",
    "schema-clock-range": "needs a parent: RedoObjectTests/SchemaSuccessionTests",
    "schema-stamp-author": "needs a parent: RedoObjectTests/SchemaSuccessionTests",
    "schema-clock-ahead": "needs a time of receipt: RedoObjectTests/SchemaSuccessionTests",
    "schema-type-changed": "needs an edit: RedoObjectTests/SchemaRequestTests",
    "schema-limit": "needs an edit: RedoObjectTests/SchemaRequestTests",
    "schema-reserved": "needs an edit: RedoObjectTests/SchemaRequestTests",
    "schema-field-absent": "needs an import: RedoObjectTests/SchemaRequestTests",
    **dict.fromkeys(
        [
            "record-form", "record-type", "record-required", "record-rule", "record-unknown-key",
            "record-key-shadowed", "record-deprecated", "record-schema-missing", "record-merge-conflict",
        ],
        "needs a record and its schema: the tests of RedoHistory, Schema",
    ),
    "object-corrupt": "a damaged file of a store: the tests of RedoStore",
    "object-missing": "a file that is not there: the tests of RedoStore",
}
# The families whose rules are about more than one object: a script breaks each and names it.
BY_SCRIPTS = {"Store", "Database of the app"}
# The families whose rules are about two definitions or heads, and where each is broken and kept.
BY_TESTS = {
    "Fields of a schema": "RedoObjectTests/SchemaCheckTests",
    "Compatibility of schemas": "RedoObjectTests/SchemaCheckTests",
}
TRUST = {"key-untrusted", "key-expired", "key-revoked"}


def check():
    """Every rule that lacks something."""
    generator = project.ROOT / "man/make-rules"
    page = subprocess.run([generator], capture_output=True, check=True).stdout.decode()
    if page != project.text("man/redo-rules.7"):
        yield "man/redo-rules.7: not what man/make-rules writes; run 'make generate'"

    table = subprocess.run([generator, "--table"], capture_output=True, check=True).stdout.decode()
    rules = {line.split("\t")[0]: line.split("\t")[1] for line in table.splitlines()}
    families = {line.split("\t")[0]: line.split("\t")[4] for line in table.splitlines()}
    broken, warned, neighbours = vectors()
    scripts = "".join(
        path.read_text(encoding="utf-8")
        for folder in ["Scripts", "Faults"]
        for path in sorted((project.ROOT / "Tests" / folder).iterdir())
        if path.suffix in {".sh", ".py", ".tsv"}
    )
    for rule, severity in rules.items():
        if rule not in ELSEWHERE and (families[rule] in BY_SCRIPTS or rule in TRUST):
            if not re.search(rf"(?<![\w-]){re.escape(rule)}(?![\w-])", scripts):
                yield f"Tests/Scripts: no script names {rule}"
            continue
        if families[rule] in BY_TESTS:
            test = BY_TESTS[families[rule]]
            if f"{rule}\"" not in project.text(f"Tests/{test}.swift"):
                yield f"Tests/{test}.swift: no test names {rule}"
            continue
        has = {
            "a valid neighbour": rule in neighbours,
            "an invalid vector": rule in broken or (severity != "error" and rule in warned),
        }
        lacks = [what for what, there in has.items() if not there]
        if rule in ELSEWHERE:
            if lacks:
                project.exceptions.append(f"{rule}: {ELSEWHERE[rule]}")
            else:
                yield f"Tests/Tidy/rules.py: the exception for {rule} is not needed"
        else:
            yield from (f"Tests/Vectors: {rule} lacks {what}" for what in lacks)
    for rule in sorted((broken | warned) - rules.keys()):
        yield f"Tests/Vectors: {rule} is no rule of Rule.swift"


def vectors():
    """The rules that vectors break, those they warn of, those with a valid neighbour."""
    broken, warned, neighbours = set(), set(), set()
    for folder in ["json", "cbor", "node", "profile", "receipt", "schema"]:
        with open(VECTORS / folder / "EXPECTED.tsv", encoding="utf-8", newline="") as file:
            columns = file.readline().removeprefix("#").strip().split("\t")
            for row in csv.DictReader(file, columns, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["verdict"] == "invalid":
                    broken.add(row["rule"])
                    continue
                name = row["file"].rsplit("/", 1)[-1]
                neighbours.add(name.split("--")[0])
                for warning in (row.get("warnings") or "-").split(","):
                    warned.add(warning.split("@")[0])
                warned.add(row.get("sync") or "-")
    return broken, warned - {"-"}, neighbours
