#!/usr/bin/env python3
"""Speaks redo-wire(5) for the scripts, and shares no code with the sources.

  wire.py turn [<n>]    what a client without nodes says in its first turn, and <n> - 1 more like it
  wire.py push <mib>    the greeting and a pack of so many MiB that is none, in one turn
  wire.py show          a line for each frame of standard input
  wire.py count         the bytes of packs in standard input, read slowly; then as `show`
"""

import struct
import sys
import time

MEDIA = "application/vnd.redo.wire"
MAGIC = b"redo-wire\n"
NAMES = ["end", "hello", "ranges", "want", "pack", "pack-end", "refused", "taken", "fault", "unfit"]


def frame(kind, payload=b""):
    return struct.pack("<IB", len(payload), kind) + payload


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def text(value):
    return varint(len(value)) + value


def client_hello(words=b"", versions=b"\x01"):
    return frame(1, MAGIC + bytes([len(versions)]) + versions + b"\x07" * 16 + text(words))


def server_hello(words=b"", version=1, store=b"S" * 16, checkpoint=b""):
    return frame(
        1, MAGIC + bytes([version, len(store)]) + store + text(words) + text(checkpoint))


# "I have no node", for the one range that there is.
NOTHING = frame(2, b"\x04\xff")
END = frame(0)
TURN = client_hello() + NOTHING + END


def frames(data):
    """(kind, payload) of each frame, and (None, rest) for what is left."""
    place = 0
    while len(data) - place >= 5:
        count, kind = struct.unpack_from("<IB", data, place)
        if len(data) - place < 5 + count:
            break
        yield kind, data[place + 5:place + 5 + count]
        place += 5 + count
    if place < len(data):
        yield None, data[place:]


def show(data):
    for kind, payload in frames(data):
        if kind is None:
            print(f"torn {len(payload)}")
        elif kind == 8:
            print("fault", payload.decode())
        elif kind == 4:
            print("pack", len(payload))
        else:
            print(NAMES[kind] if kind < len(NAMES) else f"type {kind}")


def count():
    """Reads packs without keeping them."""
    source, total, rest = sys.stdin.buffer, 0, b""
    while True:
        head = source.read(5)
        if len(head) < 5:
            break
        size, kind = struct.unpack("<IB", head)
        payload = source.read(size)
        if kind == 4:
            total += size
            time.sleep(0.001)
        else:
            rest += head + payload
    print("bytes", total)
    show(rest)


def main():
    mode = sys.argv[1]
    out = sys.stdout.buffer
    if mode == "turn":
        times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
        out.write(TURN + (NOTHING + END) * (times - 1))
    elif mode == "push":
        out.write(client_hello())
        for _ in range(int(sys.argv[2])):
            out.write(frame(4, b"P" * 1048576))
        out.write(frame(5, struct.pack("<Q", int(sys.argv[2]) << 20)) + END)
    elif mode == "show":
        show(sys.stdin.buffer.read())
    elif mode == "count":
        count()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(0)
