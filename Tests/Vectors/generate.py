#!/usr/bin/env python3
"""Writes the test vectors beside this file. Same arguments, same bytes.

  pip install rfc8785 pynacl
  generate.py                    all folders
  generate.py json node          just these
  generate.py --output DIR       somewhere else
"""

import argparse
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
sys.setrecursionlimit(100_000)  # the deep texts are made with recursive libraries

from maker import app_file, cbor_bytes, checkpoints, documents, json_texts, logs, nodes, old_logs, profiles, receipts, schemas, signatures

MAKERS = {
    "json": json_texts.make,
    "cbor": cbor_bytes.make,
    "node": nodes.make,
    "sign": signatures.make,
    "log": logs.make,
    "app": app_file.make,
    "profile": profiles.make,
    "v0": old_logs.make,
    "checkpoint": checkpoints.make,
    "firestore": documents.make,
    "receipt": receipts.make,
    "schema": schemas.make,
}

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folders", nargs="*", help=", ".join(MAKERS))
parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
arguments = parser.parse_args()

for name in arguments.folders or MAKERS:
    if name not in MAKERS:
        parser.error(f"no folder is called '{name}'")
    shutil.rmtree(arguments.output / name, ignore_errors=True)
    MAKERS[name](arguments.output)
