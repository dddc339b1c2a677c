"""How the oracles read their input: one text, a JSON array of nodes, one node, or one node a line."""

import sys

sys.dont_write_bytecode = True
sys.setrecursionlimit(100_000)  # rfc8785 writes nested values by recursion

from strict_json import Refused, parse


def lines(data):
    """The lines of an input, without their ends; a last line may lack its end."""
    parts = data.split(b"\n")
    return parts[:-1] if parts[-1] == b"" else parts


def nodes(data):
    """(value or Refused, size of its text in bytes) for each node: of the whole text, or of each line."""
    try:
        value = parse(data)
    except Refused as refusal:
        if b"\n" not in data.strip():
            return [(refusal, len(data))] if data else []
    else:
        return [(v, 0) for v in value] if type(value) is list else [(value, len(data.strip()))]
    result = []
    for line in lines(data):
        try:
            result.append((parse(line), len(line)))
        except Refused as refusal:
            result.append((refusal, len(line)))
    return result


def standard_input():
    return sys.stdin.buffer.read()
