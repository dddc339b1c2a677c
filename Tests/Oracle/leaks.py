#!/usr/bin/env python3
"""Looks for secrets in everything that leaves a store, however it is packed.

  leaks.py find <secrets> [--identity=<file>] <path>...   the names of the secrets that are in these files and directories, a line
                                                  each: name, path and how it was packed
  leaks.py record <upstream port> <directory>     a TCP proxy that passes everything on and writes each direction of each
                                                  connection into a file; prints its port

<secrets> has lines of JSON: {"name", "text"}, {"name", "number"} or {"name", "hex"}.

What is looked at: the bytes and the names of files; of these, again and again: zlib, gzip and raw deflate streams at every offset,
runs of Base64 and hex digits, strings of JSON, and age files (with an identity). A text is looked for as UTF-8, UTF-16, with %xx, turned into
lower case, and by its SHA-256; a number as binary64 of both byte orders and binary32 of CBOR, with at least four decimals, and as an
integer of millionths and ten-millionths, in text and in CBOR; bytes as they are.
"""

import hashlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zlib
from base64 import b64decode

LEVELS = 6
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")
HEX = re.compile(rb"[0-9A-Fa-f]{16,}")
AGE = b"age-encryption.org/v1\n"
ARMOR = re.compile(rb"-----BEGIN AGE ENCRYPTED FILE-----.*?-----END AGE ENCRYPTED FILE-----", re.S)


# MARK: secrets

def forms(secret):
    """The bytes by which a secret would be seen."""
    if "hex" in secret:
        return [bytes.fromhex(secret["hex"])]
    if "number" in secret:
        number = secret["number"]
        # Cut off, not rounded: what is rounded begins with the same digits, or is looked for on its own.
        text = repr(abs(number))
        whole, _, decimals = text.partition(".")
        found = {struct.pack(order + "d", value) for order in "<>" for value in (number, abs(number))}
        found |= {b"\xfa" + struct.pack(">f", value) for value in (number, abs(number))}
        found |= {f"{whole}.{decimals[:4]}".encode(), f"{abs(number):.4f}".encode(), f"{abs(number):.5f}".encode()}
        for scale in (10**6, 10**7):
            scaled = abs(round(number * scale))
            found |= {str(scaled).encode(), b"\x1a" + struct.pack(">I", scaled & 0xFFFFFFFF), b"\x3a" + struct.pack(">I", scaled - 1 & 0xFFFFFFFF)}
        return sorted(found)
    text = secret["text"]
    digest = hashlib.sha256(text.encode())
    found = {text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), urllib.parse.quote(text, safe="").encode(),
             text.lower().encode(), text.upper().encode(), digest.digest()}
    return sorted(form for form in found if form)


# MARK: what is inside of bytes

def inflated(data):
    """Streams at every offset."""
    for start in range(len(data) - 2):
        first, second = data[start], data[start + 1]
        bits = None
        if first & 15 == 8 and first >> 4 <= 7 and (first << 8 | second) % 31 == 0:
            bits = 15
        elif first == 0x1F and second == 0x8B:
            bits = 31
        if bits is not None:
            yield from inflate(data, start, bits, 1)
        # Raw deflate has no head; what is short is chance.
        if first & 6 in (2, 4):
            yield from inflate(data, start, -15, 48)


def inflate(data, start, bits, least):
    worker = zlib.decompressobj(bits)
    out = b""
    try:
        # A chunk at a time: what was cut off by the frame of something else is still seen.
        for place in range(start, len(data), 256):
            out += worker.decompress(data[place:place + 256], 1 << 22)
            while worker.unconsumed_tail and len(out) < 1 << 24:
                out += worker.decompress(worker.unconsumed_tail, 1 << 22)
            if worker.eof:
                break
    except zlib.error:
        pass
    if len(out) >= least and (bits > 0 or worker.eof):
        yield ("inflated", out)


def decoded(data):
    for match in BASE64.finditer(data):
        run = match.group().rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        for skip in range(4 if len(run) > 64 else 1):
            part = run[skip:]
            part = part[:len(part) - len(part) % 4] if len(part) % 4 == 1 else part
            yield ("base64", b64decode(part + b"=" * (-len(part) % 4)))
    for match in HEX.finditer(data):
        for skip in range(2):
            part = match.group()[skip:]
            yield ("hex", bytes.fromhex(part[:len(part) // 2 * 2].decode()))


def strings(data):
    """What JSON escapes."""
    if b"\\" not in data:
        return
    found = []
    for match in re.finditer(rb'"((?:[^"\\\n]|\\.)*)"', data):
        if b"\\" in match.group():
            try:
                found.append(json.loads(match.group()).encode("utf-8", "surrogatepass"))
            except ValueError:
                pass
    if found:
        yield ("json", b"\n".join(found))


def opened(data, identity):
    if identity is None:
        return
    texts = [match.group() for match in ARMOR.finditer(data)]
    if data.startswith(AGE):
        texts.append(data)
    for text in texts:
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            done = subprocess.run(["redo", "age", "-d", "-i", identity, file.name], capture_output=True, check=False)
        if done.returncode == 0:
            yield ("age", done.stdout)


class Search:
    def __init__(self, secrets, identity):
        self.forms = [(secret["name"], form) for secret in secrets for form in forms(secret)]
        self.identity = identity
        self.found = {}
        self.seen = set()

    def look(self, path, data, way=(), level=0):
        digest = hashlib.sha256(data).digest()
        if digest in self.seen:
            return
        self.seen.add(digest)
        lower = data.lower()
        for name, form in self.forms:
            if form in data or len(form) > 8 and form in lower:
                self.found.setdefault(name, (path, " ".join(way) or "as it is"))
        if level == LEVELS:
            return
        inner = list(opened(data, self.identity)) + list(decoded(data)) + list(strings(data))
        # Chance finds streams in what was found by chance.
        if not way or way[-1] != "inflated" or len(data) < 1 << 16:
            inner += inflated(data)
        for how, piece in inner:
            if len(piece) >= 8:
                self.look(path, piece, (*way, how), level + 1)


def find(secrets, identity, paths):
    with open(secrets) as file:
        search = Search([json.loads(line) for line in file], identity)
    for path in paths:
        if not os.path.lexists(path):
            sys.exit(f"there is no '{path}'")
        files = [path] if not os.path.isdir(path) else [
            os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
        for name in files:
            search.look(name, os.path.relpath(name, os.path.dirname(path) or ".").encode())
            if os.path.isfile(name):
                with open(name, "rb") as file:
                    search.look(name, file.read())
    for name, (path, way) in sorted(search.found.items()):
        print(name, path, way, sep="\t")


# MARK: what goes over a connection

def record(port, directory):
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)

    def passed(source, target, name):
        with open(os.path.join(directory, name), "wb", buffering=0) as file:
            try:
                while data := source.recv(1 << 16):
                    file.write(data)
                    target.sendall(data)
            except OSError:
                pass
            try:
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    number = 0
    while True:
        client, _ = server.accept()
        upstream = socket.create_connection(("127.0.0.1", port))
        number += 1
        for source, target, name in ((client, upstream, f"{number}.asked"), (upstream, client, f"{number}.answered")):
            threading.Thread(target=passed, args=(source, target, name), daemon=True).start()


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(int(sys.argv[2]), sys.argv[3])
    else:
        options = [word for word in sys.argv[3:] if word.startswith("--")]
        find(sys.argv[2], next((word.split("=", 1)[1] for word in options), None),
             [word for word in sys.argv[3:] if not word.startswith("--")])
