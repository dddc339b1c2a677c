#!/usr/bin/env python3
"""What is on the disk of a server, read by the pages and without redo.

  server-writers.py accounts <file> [<token>]  the accounts without their digests; a token that is none of theirs is said
  server-writers.py documents <file> [<word>]  the form, and how many records with how many bytes; with a word the last one may
                                               be torn
  server-writers.py owners <directory>         how many nodes wait in a quarantine, and that somebody has sent each
  server-writers.py index <file>               whether an index is sound, and how many rows each table has
  server-writers.py log <file> <requests>      each line is JSON; so many requests are there, or are said to be missing

Ends with 1 where something is torn.
"""

import hashlib
import json
import os
import re
import sqlite3
import sys

ACCOUNT = re.compile(
    r"[A-Za-z0-9._@-]{1,64} [0-9a-f]{64} (admin|(documents|replica):(read|write))(;expires=[-0-9T:.]+Z)? /.+")


def accounts(path, token=""):
    # One that is empty, and locked next, says as little as none.
    data = open(path, "rb").read() if os.path.exists(path) else b""
    digests = set()
    for line in data.decode().splitlines():
        if line.startswith("#") or not line:
            print(line)
            continue
        if not ACCOUNT.fullmatch(line):
            sys.exit(f"a torn line: {line!r}")
        name, digest, right, _ = line.split(" ", 3)
        digests.add(digest)
        print(name, right)
    if data and not data.endswith(b"\n"):
        print("no line feed at the end")
    if data and os.stat(path).st_mode & 0o077:
        print("open to others")
    if token and hashlib.sha256(token.encode()).hexdigest() not in digests:
        print("the token that was printed is none of theirs")


def documents(path, torn=None):
    data = open(path, "rb").read()
    first, _, rest = data.partition(b"\n")
    print(first.decode())
    count = total = 0
    while rest:
        if torn and len(rest) < 19:
            break
        line, size = rest[:19], int(rest[1:9], 16)
        if line[:1] != b"@" or hashlib.sha256(line[:9]).hexdigest()[:8].encode() != line[10:18] or line[18:] != b"\n":
            sys.exit(f"no record at {len(data) - len(rest)}")
        if torn and len(rest) < 51 + size:
            break
        payload, check, rest = rest[19:19 + size], rest[19 + size:51 + size], rest[51 + size:]
        if hashlib.sha256(line + payload).digest() != check:
            sys.exit(f"a torn record before {len(data) - len(rest)}")
        count, total = count + 1, total + size
    print(count, total)


def owners(path):
    waiting, noted = set(), {}
    for folder, _, names in os.walk(os.path.join(path, "orphans")):
        for name in names:
            if re.fullmatch("[0-9a-f]{62}", name) and len(os.path.basename(folder)) == 2:
                waiting.add(os.path.basename(folder) + name)
    file = os.path.join(path, "owners")
    if os.path.exists(file):
        data = open(file, "rb").read()
        body, check = data[:-32], data[-32:]
        if hashlib.sha256(body).digest() != check or not body.startswith(b"redo-owners 1\n"):
            sys.exit("the file of owners is torn")
        rows = body[len(b"redo-owners 1\n"):]
        for start in range(0, len(rows), 40):
            noted[rows[start:start + 32].hex()] = int.from_bytes(rows[start + 36:start + 40], "big")
    missing = waiting - set(noted)
    print(f"{len(waiting)} nodes wait, {'all of them' if not missing else str(len(missing)) + ' not'} noted")
    if any(size <= 0 for size in noted.values()):
        sys.exit("a node without bytes")


def index(path):
    if not os.path.exists(path):
        print("none")
        return
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    print(*base.execute("PRAGMA integrity_check").fetchone())
    for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        if not re.search("_(data|idx|content|docsize|config)$", name):
            print(name, *base.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone())


def log(path, requests):
    data = open(path, "rb").read()
    lines = [json.loads(line) for line in data.splitlines() if line]
    if data and not data.endswith(b"\n"):
        sys.exit("a torn line")
    found = sum(line["event"] == "request" for line in lines)
    dropped = sum(int(re.search(r"\d+", json.dumps(line)[json.dumps(line).find("dropped"):]).group())
                  for line in lines if "dropped" in json.dumps(line))
    if found + dropped < int(requests):
        sys.exit(f"{found} requests, {dropped} dropped")


if __name__ == "__main__":
    {"accounts": accounts, "documents": documents, "owners": owners, "index": index, "log": log}[sys.argv[1]](*sys.argv[2:])
