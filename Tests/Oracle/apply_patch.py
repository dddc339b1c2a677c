#!/usr/bin/env python3
"""Applies JSON Patches (RFC 6902), as written from the RFC: add, remove and replace.

Each line of standard input is {"document": ..., "patch": [...]}; each line of standard output is the
patched document in the form of RFC 8785. An operation that cannot be applied ends the program with 1.
"""

import json
import sys

sys.dont_write_bytecode = True

import rfc8785


def tokens(pointer):
    """The reference tokens of a JSON Pointer (RFC 6901, sections 3 and 4)."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"not a pointer: {pointer}")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def index(token, limit):
    """An index of an array: digits without leading zeros (RFC 6901, section 4)."""
    if not token.isdigit() or (len(token) > 1 and token[0] == "0") or int(token) > limit:
        raise ValueError(f"no index from 0 to {limit}: {token}")
    return int(token)


def apply(document, operation):
    *way, last = tokens(operation["path"])
    target = document
    for token in way:
        target = target[index(token, len(target) - 1)] if isinstance(target, list) else target[token]
    name = operation["op"]
    if name not in ("add", "remove", "replace"):
        raise ValueError(f"unknown operation: {name}")
    if isinstance(target, list):
        if name == "add":
            target.insert(index(last, len(target)), operation["value"])
        elif name == "remove":
            del target[index(last, len(target) - 1)]
        else:
            target[index(last, len(target) - 1)] = operation["value"]
        return
    # The target location must exist to be removed or replaced; we want the reverse of what is added.
    if (name == "add") == (last in target):
        raise ValueError(f"{name}: {operation['path']}")
    if name == "remove":
        del target[last]
    else:
        target[last] = operation["value"]


def main():
    for line in sys.stdin.buffer:
        given = json.loads(line, parse_int=float)
        for operation in given["patch"]:
            apply(given["document"], operation)
        sys.stdout.buffer.write(rfc8785.dumps(given["document"]) + b"\n")


if __name__ == "__main__":
    main()
