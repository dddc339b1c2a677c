#!/usr/bin/env python3
"""A server that does not do as it should: http-peer.py <mode> prints its port and answers requests in
that way until it is ended. A line for each request goes to standard error."""

import gzip
import signal
import socket
import struct
import sys
import threading
import time

import wire

GOOD = wire.server_hello() + wire.NOTHING + wire.END
CLOSED = {"count": 0}


def head(status, *fields, kind=wire.MEDIA):
    lines = [f"HTTP/1.1 {status}"] + ([f"Content-Type: {kind}"] if kind else []) + list(fields)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body, *fields, status="200 OK", kind=wire.MEDIA):
    return head(status, f"Content-Length: {len(body)}", *fields, kind=kind) + body


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def read_head(file):
    lines = []
    while True:
        line = file.readline()
        if not line:
            return None
        if line in (b"\r\n", b"\n"):
            return lines
        lines.append(line.strip().decode())


def read_body(file, lines):
    fields = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in lines[1:]}
    if "content-length" in fields:
        return file.read(int(fields["content-length"]))
    body = b""
    while True:
        size = int(file.readline() or b"0", 16)
        body += file.read(size)
        file.readline()
        if size == 0:
            return body


# What is sent for a request; a function is called with the connection in place of that.
def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def stall(connection):
    time.sleep(600)


def stall_inside(connection):
    connection.sendall(head("200 OK", "Transfer-Encoding: chunked") + chunk(GOOD[:30]))
    time.sleep(600)


def drip(connection):
    connection.sendall(head("200 OK", "Transfer-Encoding: chunked"))
    for byte in GOOD:
        connection.sendall(chunk(bytes([byte])))
        time.sleep(0.2)


def endless(connection):
    """Frames that never end: the words of a pack in a turn that asked for none."""
    connection.sendall(head("200 OK", "Transfer-Encoding: chunked") + chunk(wire.server_hello()))
    for _ in range(256):
        connection.sendall(chunk(wire.frame(4, b"P" * 1048576)))
    connection.sendall(chunk(wire.frame(5, struct.pack("<Q", 256 << 20)) + wire.END) + chunk(b""))


def bomb():
    return gzip.compress(b"\0" * (64 << 20))


MODES = {
    "good": whole(GOOD),
    "html": whole(b"<html>Please log in</html>", kind="text/html; charset=utf-8"),
    "untyped": whole(GOOD, kind=None),
    "redirect": whole(b"", "Location: https://elsewhere.example/", status="307 Temporary Redirect"),
    "gzip": lambda connection: connection.sendall(whole(bomb(), "Content-Encoding: gzip")),
    "400": whole(b"no\n", status="400 Bad Request", kind="text/plain"),
    "401": whole(b"no\n", status="401 Unauthorized", kind="text/plain"),
    "403": whole(b"no\n", status="403 Forbidden", kind="text/plain"),
    "404": whole(b"no\n", status="404 Not Found", kind="text/plain"),
    "413": whole(b"no\n", status="413 Content Too Large", kind="text/plain"),
    "429": whole(b"no\n", "Retry-After: 7", status="429 Too Many Requests", kind="text/plain"),
    "500": whole(b"no\n", status="500 Internal Server Error", kind="text/plain"),
    "503": whole(b"no\n", "Retry-After: 99999", status="503 Service Unavailable", kind="text/plain"),
    "503-date": whole(b"no\n", "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT", status="503 Away", kind="text/plain"),
    "empty": whole(b""),
    "no-greeting": whole(wire.NOTHING + wire.END),
    "version": whole(wire.server_hello(version=9) + wire.NOTHING + wire.END),
    "garbage": whole(b"\xff" * 100),
    "large": whole(wire.server_hello() + struct.pack("<IB", 1 << 30, 2)),
    "more": whole(GOOD + wire.NOTHING),
    "no-end": whole(wire.server_hello() + wire.NOTHING),
    "torn": whole(GOOD[:-2]),
    "cut": head("200 OK", "Content-Length: 1000") + GOOD,
    "cut-chunk": head("200 OK", "Transfer-Encoding: chunked") + b"ffff\r\nabc",
    "fault": whole(wire.server_hello() + wire.frame(8, b"denied not you")),
    "word": whole(wire.server_hello() + wire.frame(8, b"unavailable later \x1b[31m")),
    "not-http": b"SSH-2.0-OpenSSH_9.2\r\n",
    "huge-head": b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 4000000,
    "close": b"",
    "reset": reset,
    "stall": stall,
    "stall-inside": stall_inside,
    "drip": drip,
    "endless": endless,
}


def serve(connection, mode):
    file = connection.makefile("rb")
    times = 0
    while True:
        lines = read_head(file)
        if lines is None:
            break
        times += 1
        sys.stderr.write(lines[0] + " | " + "; ".join(sorted(lines[1:])) + "\n")
        sys.stderr.flush()
        if mode == "early":
            # The answer comes before the request has ended, and nothing more is read.
            connection.sendall(whole(b"no\n", "Connection: close", status="401 No", kind="text/plain"))
            time.sleep(600)
            break
        body = read_body(file, lines)
        if mode in ("other-moment", "other-words"):
            words = {"other-moment": b"grown-00-%02d nodes-%d", "other-words": b"body-%d nodes-%d"}[mode] % (times, times)
            connection.sendall(whole(wire.server_hello(words) + wire.NOTHING + wire.END))
            continue
        if mode == "other-greeting":
            connection.sendall(whole(wire.server_hello(store=bytes([64 + times]) * 16) + wire.NOTHING + wire.END))
            continue
        if mode == "echo":
            kinds = [kind for kind, _ in wire.frames(body)]
            sys.stderr.write(f"frames {kinds}\n")
            sys.stderr.flush()
            connection.sendall(whole(GOOD))
            continue
        answer = MODES[mode]
        if callable(answer):
            answer(connection)
            break
        connection.sendall(answer)
        if not answer.startswith(b"HTTP/1.1") or mode.startswith("cut"):
            break
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()


def guarded(connection, mode):
    try:
        serve(connection, mode)
    except (OSError, ValueError):
        pass


def main():
    if sys.argv[1] == "deaf":  # a port that nobody listens at
        taken = socket.socket()
        taken.bind(("127.0.0.1", 0))
        print(taken.getsockname()[1], flush=True)
        signal.pause()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=guarded, args=(connection, sys.argv[1]), daemon=True).start()


main()
