#!/usr/bin/env python3
"""Writes the index of a pack as redo-pack(5) describes it to standard output, or compares it with one.

Written from the page alone; it shares no code with the sources.

  index_pack.py PACK            writes the index
  index_pack.py --swapped PACK  writes one in which two nodes have each other's places
  index_pack.py PACK INDEX      ends with 1 unless the file is that index
"""
import hashlib
import pathlib
import re
import struct
import subprocess
import sys

BLOCK = 16_384


def main():
    swaps = sys.argv[1] == "--swapped" and sys.argv.pop(1)
    data = open(sys.argv[1], "rb").read()
    (directory,) = struct.unpack("<Q", data[-40:-32])
    _, name, nodes, _, frames, _ = struct.unpack_from("<I32sQQII", data, directory)
    reader = pathlib.Path(__file__).with_name("read_pack.py")
    lines = subprocess.run([sys.executable, reader, sys.argv[1]], capture_output=True, check=True).stdout.splitlines()
    ids = [bytes.fromhex(re.search(rb'"id":"sha256:([0-9a-f]{64})"', line)[1].decode()) for line in lines]
    entries = []
    for frame in range(frames):
        (count,) = struct.unpack_from("<I", data, directory + 60 + 52 * frame + 12)
        entries += [(id, frame, place) for place, id in enumerate(ids[len(entries) : len(entries) + count])]
    entries.sort()
    assert len(entries) == nodes
    if swaps:
        (one, *place), (other, *another) = entries[:2]
        entries[:2] = [(one, *another), (other, *place)]

    payload = struct.pack("<II32s", frames, nodes, name)
    payload += b"".join(struct.pack("<I", sum(id[0] <= byte for id, _, _ in entries)) for byte in range(256))
    payload += b"".join(id for id, _, _ in entries)
    payload += b"".join(struct.pack("<IH", frame, place) for _, frame, place in entries)
    starts = range(0, len(payload), BLOCK)
    end = b"".join(hashlib.sha256(payload[start : start + BLOCK]).digest() for start in starts)
    line = b"redo-cache 2 %016x " % len(payload)
    line += hashlib.sha256(end + line).hexdigest().encode() + b"\n"
    index = payload + end + line
    if len(sys.argv) == 2:
        sys.stdout.buffer.write(index)
    elif open(sys.argv[2], "rb").read() != index:
        sys.exit("it is another index")


main()
