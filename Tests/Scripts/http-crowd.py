#!/usr/bin/env python3
"""A crowd that takes up a server, and somebody who wants to be served all the same.

  http-crowd.py crowd <port> <idle> <slow> <unread>
        that many connections that say nothing, that send a byte a second of a request, that never read what they ask
        for; prints "begun" when all have begun, and how many each were closed by the server when standard input ends
  http-crowd.py probe <port> <n>
        n exchanges, a connection each; prints the count of each status, and p50, p99 and the longest in milliseconds

TOKEN is the account of the slow and the unread, and of the probe.
"""

import http.client
import os
import select
import socket
import sys
import time

import wire

FIELDS = {"Content-Type": wire.MEDIA}
if os.environ.get("TOKEN"):
    FIELDS["Authorization"] = "Bearer " + os.environ["TOKEN"]


def head(length):
    lines = ["POST /v1/exchange HTTP/1.1", "Host: x", f"Content-Length: {length}"]
    return ("\r\n".join(lines + [f"{name}: {value}" for name, value in FIELDS.items()]) + "\r\n\r\n").encode()


def connect(port, buffer=None):
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.settimeout(10)
    try:
        connection.connect(("127.0.0.1", port))
    except OSError:
        return None
    return connection


def send(connection, data):
    try:
        connection.sendall(data)
        return True
    except OSError:
        return False


def crowd(port, idle, slow, unread):
    groups = {"idle": [], "slow": [], "unread": []}
    everything = wire.client_hello() + wire.frame(3, b"\x05\xff") + wire.END
    for number in range(max(idle, slow, unread)):
        if number < idle:
            groups["idle"].append(connect(port))
        if number < slow:
            connection = connect(port)
            # Half of them get as far as a thread: more than is held without one has come.
            far = number % 2 == 0
            body = wire.client_hello() + wire.frame(4, b"P" * 300_000)
            if connection and send(connection, head(50_000_000)) and far:
                send(connection, body)
            groups["slow"].append(connection)
        if number < unread:
            connection = connect(port, 4096)
            if connection:
                send(connection, head(len(everything)) + everything)
            groups["unread"].append(connection)
    print("begun", flush=True)
    closed = dict.fromkeys(groups, 0)
    while not select.select([sys.stdin], [], [], 1)[0]:
        for connection in groups["slow"]:
            if connection:
                send(connection, b"P")
    for name, connections in groups.items():
        for connection in connections:
            if name == "unread" and connection:
                continue
            try:
                connection.settimeout(0)
                closed[name] += connection.recv(65536) == b""
            except (BlockingIOError, InterruptedError):
                pass
            except (OSError, AttributeError):
                closed[name] += 1
    print(*(f"{name} {count}" for name, count in closed.items()), flush=True)


def probe(port, count):
    times, statuses = [], {}
    for _ in range(count):
        begun = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", "/v1/exchange", wire.TURN, FIELDS)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
            connection.close()
        except (OSError, http.client.HTTPException):
            status = "none"
        times.append(time.monotonic() - begun)
        statuses[status] = statuses.get(status, 0) + 1
    times.sort()
    print(*(f"{status}:{found}" for status, found in sorted(statuses.items(), key=str)))
    print(*(f"{1e3 * value:.1f}" for value in (times[len(times) // 2], times[len(times) * 99 // 100], times[-1])))


def main():
    port = int(sys.argv[2])
    if sys.argv[1] == "crowd":
        crowd(port, *map(int, sys.argv[3:6]))
    else:
        probe(port, int(sys.argv[3]))


main()
