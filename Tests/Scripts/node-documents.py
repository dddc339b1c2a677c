#!/usr/bin/env python3
"""The document of a node as a client of Firestore's REST API sends it, or one that only has the node's name.

  node-documents.py <form> <file> <reader>...
      the body of a request for the node in the first line of a file, a line of JSON

The forms:

  true        the node
  title       another title: fields that do not hash to the id
  signature   the node with a signature that is none
  canonical   the body of the node in `canonical`, beside fields that say something else
"""

import base64
import json
import sys


def value(given):
    """A value of JSON as one of Firestore."""
    if isinstance(given, dict):
        return {"mapValue": {"fields": {name: value(each) for name, each in given.items()}}}
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(each) for each in given]}}
    for kind, name in [(bool, "booleanValue"), (str, "stringValue"), (float, "doubleValue"), (type(None), "nullValue")]:
        if isinstance(given, kind):
            return {name: given}
    return {"integerValue": str(given)}


def main():
    form, path, readers = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(path, encoding="utf-8") as file:
        node = json.loads(file.readline())
    body = {name: member for name, member in node.items() if name not in ("id", "signature")}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    if form in ("title", "canonical"):
        node["data"] = {"fields": {"title": "not what was signed"}}
    if form == "signature":
        first = "1" if node["signature"][0] == "0" else "0"
        node["signature"] = first + node["signature"][1:]
    fields = {name: value(member) for name, member in node.items()} | {"accessList": value(readers)}
    if form == "canonical":
        fields["canonical"] = {"bytesValue": base64.b64encode(canonical).decode()}
    print(json.dumps({"fields": fields}))


if __name__ == "__main__":
    main()
