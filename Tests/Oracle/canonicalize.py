#!/usr/bin/env python3
"""Standard input as RFC 8785 JSON, by the `rfc8785` package; `refused` and status 1 when it is not accepted.

  canonicalize.py             the whole input is one text; no line feed is added
  canonicalize.py --lines     each line is one text; one line of output for each
  canonicalize.py --explain   adds rule and byte offset to `refused`
"""

import argparse
import sys

sys.dont_write_bytecode = True

import reading
from strict_json import Refused, canonical, parse

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lines", action="store_true")
parser.add_argument("--explain", action="store_true")
arguments = parser.parse_args()


def answer(text):
    try:
        return canonical(parse(text)), 0
    except Refused as refusal:
        reason = f"refused {refusal.rule} {refusal.offset}" if arguments.explain else "refused"
        return reason.encode() + (b"" if arguments.lines else b"\n"), 1


data = reading.standard_input()
answers = [answer(line) for line in reading.lines(data)] if arguments.lines else [answer(data)]
sys.stdout.buffer.write(b"".join(text + (b"\n" if arguments.lines else b"") for text, _ in answers))
sys.exit(max((status for _, status in answers), default=0))
