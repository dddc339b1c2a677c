#!/usr/bin/env python3
"""Random JSON texts, one a line: all valid, few of them canonical. Same seed, same bytes.

  fuzz_json.py --seed 7 --count 1000
  fuzz_json.py --wrong 0.2            a fifth of the texts is damaged in one place
"""

import argparse
import random
import struct
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--count", type=int, default=1000)
parser.add_argument("--depth", type=int, default=6)
parser.add_argument("--wrong", type=float, default=0.0, help="chance of one damaged place")
arguments = parser.parse_args()
rnd = random.Random(arguments.seed)

SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
RANGES = [(0x20, 0x7E), (0x20, 0x7E), (0x61, 0x66), (0, 0x1F), (0x7F, 0xFF), (0x300, 0x36F), (0x2028, 0x2029), (0xD7F0, 0xD7FF),
          (0xE000, 0xE00F), (0xFFF0, 0xFFFF), (0x10000, 0x1000F), (0x1F600, 0x1F64F), (0x10FFF0, 0x10FFFF)]


def space():
    return "" if rnd.random() < 0.8 else "".join(rnd.choices(" \t\r", k=rnd.randint(1, 3)))


def characters(limit):
    return [chr(rnd.randint(*rnd.choice(RANGES))) for _ in range(rnd.randint(0, limit))]


def spell(character):
    point = ord(character)
    must = point < 0x20 or character in '"\\'
    if character in SHORT and rnd.random() < (0.5 if must else 0.1):
        return SHORT[character]
    if not must and rnd.random() < 0.9:
        return character
    units = [point] if point < 0x10000 else [0xD800 + ((point - 0x10000) >> 10), 0xDC00 + ((point - 0x10000) & 0x3FF)]
    return "".join(rnd.choice(["\\u%04x", "\\u%04X"]) % unit for unit in units)


def string(text):
    return '"' + "".join(map(spell, text)) + '"'


def number():
    kind = rnd.randrange(7)
    if kind == 0:
        return str(rnd.randint(-(2**53), 2**53))
    if kind == 1:
        return str(rnd.randint(-20, 20))
    if kind == 2:
        return rnd.choice(["0", "-0", "0.0", "-0.0", "0e5", "0E-400", "1.0", "1e0", "10e-1", "1E+2"])
    if kind == 3:
        return "%s%d.%0*d" % (rnd.choice(["", "-"]), rnd.randint(0, 999), rnd.randint(1, 12), rnd.randint(0, 999))
    if kind == 4:
        return "%d.%d%s%d" % (rnd.randint(1, 9), rnd.randint(0, 99999), rnd.choice(["e", "E", "e+", "e-", "E-0"]), rnd.randint(0, 300))
    while True:
        value = struct.unpack(">d", rnd.randbytes(8))[0]
        if value - value == 0 and abs(value) > 1e-323:
            return rnd.choice([repr(value), "%.17e" % value, "%.20E" % value])


def value(depth):
    kind = rnd.random()
    if depth and kind < 0.25:
        return "[" + space() + ",".join(space() + value(depth - 1) + space() for _ in range(rnd.randint(0, 5))) + "]"
    if depth and kind < 0.6:
        names = dict.fromkeys("".join(characters(rnd.choice([1, 2, 6]))) for _ in range(rnd.randint(0, 6)))
        members = [space() + string(name) + space() + ":" + space() + value(depth - 1) + space() for name in names]
        return "{" + space() + ",".join(members) + "}"
    if kind < 0.8:
        return number()
    if kind < 0.95:
        return string(characters(20))
    return rnd.choice(["true", "false", "null"])


def damage(text):
    place = rnd.randrange(len(text) + 1)
    byte = bytes([rnd.choice([0, 9, 13, 0x22, 0x2C, 0x30, 0x3A, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC0, 0xED, 0xFF, rnd.randrange(11, 256)])])
    return rnd.choice([text[:place] + byte + text[place:], text[:place] + byte + text[place + 1 :], text[:place] + text[place + 1 :], text[:place]])


for _ in range(arguments.count):
    text = (space() + value(rnd.randint(0, arguments.depth)) + space()).encode()
    if rnd.random() < arguments.wrong:
        text = damage(text)
    sys.stdout.buffer.write(text.replace(b"\n", b" ") + b"\n")
