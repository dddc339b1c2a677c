#!/usr/bin/env python3
"""Reads .redo/local from redo-local(5) alone.

  local_rows.py read <file>                       the last row of each key, sorted by table and key, as lines
  local_rows.py get <lines> <table> <key> <column>...   the values, with tabs between them, `-` for none
  local_rows.py uuid <cid>                        the uuid of a chain without a row
  local_rows.py place <lines> <cid>               the CID that the place of a row has
  local_rows.py cell <lat,lon>                    the cell of a point
  local_rows.py point <seed> <number>             some point
"""

import base64
import hashlib
import json
import math
import random
import sys

import dag_cbor
import rfc8785
from multiformats import CID, multihash


def read(path):
    data = open(path, "rb").read()
    first = b"redo-local 1\n"
    assert data.startswith(first), "another first line"
    place, held = len(first), {}
    while place < len(data):
        head = data[place:place + 19]
        if len(head) < 19:
            break
        assert head[:1] == b"@" and head[9:10] == b" " and head[18:] == b"\n", head
        size = int(head[1:9], 16)
        rows = data[place + 19:place + 19 + size]
        end = place + 19 + size + 32
        if end > len(data):
            break
        assert hashlib.sha256(head + rows).digest() == data[end - 32:end], "another hash"
        assert rows.endswith(b"\n")
        for line in rows[:-1].split(b"\n"):
            row = json.loads(line)
            assert set(row) == {"key", "row", "table", "time"} and rfc8785.dumps(row) == line, line
            held[row["table"], row["key"]] = line
        place = end
    for key in sorted(held):
        print(held[key].decode())


def cell(lat, lon):
    row = math.floor(200 * lat + 0.5)
    scale = next((s for s, limit in ((1, 9000), (2, 13800), (4, 16000), (8, 17000)) if abs(row) <= limit), None)
    if scale is None:
        return row / 200, 0.0
    column = scale * math.floor(200 * lon / scale + 0.5)
    return row / 200, (column - 72000 if column >= 36000 else column) / 200


def text(value):
    return "-" if value is None else rfc8785.dumps(value).decode() if isinstance(value, float) else str(value)


word, *rest = sys.argv[1:]
if word == "read":
    read(rest[0])
elif word in ("get", "place"):
    table, key = (rest[1], rest[2]) if word == "get" else ("locations", rest[1])
    row = next(r["row"] for r in map(json.loads, open(rest[0])) if (r["table"], r["key"]) == (table, key))
    if word == "get":
        print("\t".join(text(row.get(name)) for name in rest[3:]))
    else:
        noted = {"captured_at": round(row["captured_at"] * 1000), "salt": base64.b64decode(row["salt"])}
        noted |= {name: float(row[name]) for name in ("latitude", "longitude", "accuracy") if name in row}
        if "place_name" in row:
            noted["place_name"] = row["place_name"]
        print(CID("base32", 1, "raw", multihash.digest(dag_cbor.encode(noted), "sha2-256")))
elif word == "uuid":
    digits = hashlib.sha256(b"redo-local\n" + rest[0].encode()).hexdigest()[:32]
    print("-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])))
elif word == "cell":
    print("\t".join(text(value + 0.0) for value in cell(*map(float, rest[0].split(",")))))
else:
    chosen = random.Random(f"{rest[0]} {rest[1]}")
    print(f"{chosen.uniform(-90, 90):.6f},{chosen.uniform(-180, 180):.6f}")
