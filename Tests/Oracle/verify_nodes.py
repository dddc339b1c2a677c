#!/usr/bin/env python3
"""The verdict on each node of standard input, one a line: `<letter> <id> <form>`, by PyNaCl.

Reads what hash_nodes.py reads. The letter is G, N, E or B; the form is body, digest or -. The key of a node
without publicKey is the only one that an earlier node with its userId had. Status 1 if anything is not G.

  verify_nodes.py --explain    adds the rule and the place of N, E and B
  verify_nodes.py --envelope   takes accessList and createdAt off first, as an import does
"""

import argparse
import sys

sys.dont_write_bytecode = True

import reading
from node_rules import ENVELOPE, Keys, id_of, verdict
from strict_json import Refused

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--explain", action="store_true")
parser.add_argument("--envelope", action="store_true")
arguments = parser.parse_args()

keys, status = Keys(), 0
for node, size in reading.nodes(reading.standard_input()):
    if isinstance(node, Refused):
        letter, id, form, rule, place = "B", "-", "-", node.rule, str(node.offset)
    else:
        if arguments.envelope and type(node) is dict:
            node = {k: v for k, v in node.items() if k not in ENVELOPE}
        letter, form, rule, place = verdict(node, keys, size)
        id = id_of(node) if type(node) is dict else "-"
    print(letter, id, form, *([rule, place] if arguments.explain and rule != "-" else []))
    status |= letter != "G"
sys.exit(status)
