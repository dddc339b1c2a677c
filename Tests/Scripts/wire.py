#!/usr/bin/env python3
"""Speaks redo-wire(5) for the scripts, and shares no code with the sources.

  wire.py turn [<n>]    what a client without nodes says in its first turn, and <n> - 1 more like it
  wire.py push <mib>    the greeting and a pack of so many MiB that is none, in one turn
  wire.py give <pack> [<word>...]
                        what a client without nodes says that sends a pack (redo-pack(5)) in its second turn
  wire.py show          a line for each frame of standard input
  wire.py count         the bytes of packs in standard input, read slowly; then as `show`
  wire.py fetch <port> <token> <file> [<word>...]
                        a client without nodes asks a server over HTTP for all of them; what came is in the file
  wire.py send <port> <token> <file> <pack>
                        a client sends a pack (redo-pack(5)), and nothing else; what came is in the file
  wire.py rows <file>   in words: the greeting, access lists, and what became of nodes
  wire.py find <file> <needle>...
                        which of these texts, or ids as 64 hex digits, are anywhere in what came: as they are, and in
                        what is compressed
"""

import http.client
import re
import struct
import sys
import time
import zlib

MEDIA = "application/vnd.redo.wire"
MAGIC = b"redo-wire\n"
NAMES = ["end", "hello", "ranges", "want", "pack", "pack-end", "refused", "taken", "fault", "unfit", "access"]


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


# "All that you have", for the one range that there is.
ALL = frame(3, b"\x05\xff")


def post(port, token, *turns):
    """The answers to some turns, one after the other, each of which begins with the greeting."""
    connection, came = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60), b""
    for turn in turns:
        connection.request("POST", "/v1/exchange", turn, {
            "Content-Type": MEDIA, "Authorization": "Bearer " + token})
        answer = connection.getresponse()
        came += answer.read()
        if answer.status != 200:
            sys.exit(f"status {answer.status}")
    return came


def pack_frames(data):
    out = b"".join(frame(4, data[start:start + 1048576]) for start in range(0, len(data), 1048576))
    return out + frame(5, struct.pack("<Q", len(data)))


def number(data, place):
    value = shift = 0
    while True:
        value |= (data[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if data[place - 1] < 128:
            return value, place


def rows(data):
    for kind, payload in frames(data):
        place = 0
        if kind == 1:
            place = 12 + payload[11]
            count, place = number(payload, place)
            print("hello", payload[place:place + count].decode())
            count, place = number(payload, place + count)
            print("checkpoint", count)
        elif kind in (6, 9):
            while place < len(payload):
                id = payload[place:place + 32].hex()
                count = payload[place + 32]
                rule = payload[place + 33:place + 33 + count].decode()
                count, place = number(payload, place + 33 + count)
                print(NAMES[kind], id, rule, payload[place:place + count].decode())
                place += count
        elif kind == 7:
            print("taken", number(payload, 0)[0])
        elif kind == 8:
            print("fault", payload.decode())
        elif kind == 10:
            while place < len(payload):
                id, count = payload[place:place + 32].hex(), struct.unpack_from("<H", payload, place + 32)[0]
                place, accounts = place + 34, ["none"] if count == 65535 else []
                end = place + (0 if count == 65535 else count)
                while place < end:
                    accounts.append(payload[place + 1:place + 1 + payload[place]].decode())
                    place += 1 + payload[place]
                print("access", id, " ".join(accounts))


def find(data, needles):
    """Looks for needles in bytes, and in all that is compressed in them (RFC 1950, RFC 1951), wherever that begins."""
    # A pack may be in several frames.
    places = [data, b"".join(payload for kind, payload in frames(data) if kind == 4)]
    for start in range(len(places[1])):
        for form in (15, -15):
            if form == 15 and places[1][start] & 15 != 8:
                continue
            try:
                text = zlib.decompressobj(form).decompress(places[1][start:])
            except zlib.error:
                continue
            if len(text) > 8:
                places.append(text)
    for needle in needles:
        forms = [needle.encode()]
        if re.fullmatch("[0-9a-f]{64}", needle):
            forms.append(bytes.fromhex(needle))
        if any(form in place for form in forms for place in places):
            print(needle)


def main():
    mode = sys.argv[1]
    if mode == "give":
        hello = client_hello(" ".join(sorted(sys.argv[3:])).encode())
        with open(sys.argv[2], "rb") as file:
            return sys.stdout.buffer.write(hello + NOTHING + END + pack_frames(file.read()) + END) and None
    if mode == "rows":
        with open(sys.argv[2], "rb") as file:
            return rows(file.read())
    if mode == "find":
        with open(sys.argv[2], "rb") as file:
            return find(file.read(), sys.argv[3:])
    if mode in ("fetch", "send"):
        port, token, path, *more = sys.argv[2:]
        if mode == "fetch":
            hello = client_hello(" ".join(sorted(more)).encode(), b"\x01\x02")
            came = post(port, token, hello + NOTHING + END, hello + ALL + END)
        else:
            with open(more[0], "rb") as file:
                came = post(port, token, client_hello() + pack_frames(file.read()) + END)
        with open(path, "wb") as file:
            file.write(came)
        return None
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
