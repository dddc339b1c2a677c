#!/usr/bin/env python3
"""The id of each node of standard input, one a line; `-` for what is no node. Status 1 if there was one.

Reads one node a line (NDJSON), one node as a whole text, or an array of nodes. Envelope members are taken off.
"""

import sys

sys.dont_write_bytecode = True

import reading
from node_rules import id_of

status = 0
for node, _ in reading.nodes(reading.standard_input()):
    if type(node) is dict:
        print(id_of(node))
    else:
        print("-")
        status = 1
sys.exit(status)
