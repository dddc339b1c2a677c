#!/usr/bin/env python3
"""Clients of a server, some of which do not do as they should.

  http-clients.py many <port> <n>            n at once, each a whole exchange; prints how many were answered
  http-clients.py post <port> <what>         one request; prints status, Retry-After and the frames
  http-clients.py times <port> <what> <n>    the same until it is told to wait, n times at most; prints each status once
  http-clients.py slow <port> <where>        sends a byte now and then; prints after how long it is cut off
  http-clients.py hold <port> <n>            n connections with half a request each; prints the status of one more
  http-clients.py all <port>                 asks for all nodes, says that it closes, and reads slowly
  http-clients.py half <port>                begins a request, prints "begun", ends it on SIGUSR1, prints the status
  http-clients.py abort <port> <n> <mib> <directory>
                                             n at once begin to push so many MiB that are no pack, and break off when
                                             these are in a directory
  http-clients.py beside <port> <kib> <directory>
                                             one pushes so many KiB and stays, another one as many; prints its answer

TOKEN is sent when it is set, CA_FILE makes it TLS.
"""

import http.client
import os
import signal
import socket
import ssl
import sys
import threading
import time

import wire

FIELDS = {"Content-Type": wire.MEDIA}
if os.environ.get("TOKEN"):
    FIELDS["Authorization"] = "Bearer " + os.environ["TOKEN"]


def connect(port, timeout=60):
    if os.environ.get("CA_FILE"):
        context = ssl.create_default_context(cafile=os.environ["CA_FILE"])
        return http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=context)
    return http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)


def many(port, count):
    """All connect first, then all ask."""
    barrier = threading.Barrier(count)
    answers = []

    def one():
        connection = connect(port)
        try:
            connection.connect()
            barrier.wait(60)
            for _ in range(2):
                connection.request("POST", "/v1/exchange", wire.TURN, FIELDS)
                answer = connection.getresponse()
                kinds = [kind for kind, _ in wire.frames(answer.read())]
                answers.append((answer.status, kinds))
        except (OSError, http.client.HTTPException, threading.BrokenBarrierError) as error:
            answers.append(("none", repr(error)))

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    good = sum(1 for answer in answers if answer == (200, [1, 2, 0]))
    print("answered", good, "of", 2 * count)
    for answer in answers:
        if answer != (200, [1, 2, 0]):
            print("not", answer)
            break


def chunks(data, size=1 << 16):
    for start in range(0, len(data), size):
        yield data[start:start + size]


def times(port, what, count):
    fields = dict(FIELDS)
    if what == "wrong":
        fields["Authorization"] = "Bearer nobody"
    seen = {}
    for _ in range(count):
        connection = connect(port)
        connection.request("POST", "/v1/exchange", wire.TURN, fields)
        answer = connection.getresponse()
        answer.read()
        seen[answer.status] = answer.headers.get("Retry-After", "-")
        connection.close()
        if answer.status == 429:
            break
    for status, wait in sorted(seen.items()):
        print(status, wait)


def post(port, what):
    fields, body, method, path = dict(FIELDS), wire.TURN, "POST", "/v1/exchange"
    if what == "get":
        method, body = "GET", None
    elif what == "path":
        path = "/v1/exchanges"
    elif what == "type":
        fields["Content-Type"] = "application/json"
    elif what == "gzip":
        fields["Content-Encoding"] = "gzip"
    elif what == "no-token":
        fields.pop("Authorization", None)
    elif what == "basic":
        fields["Authorization"] = "Basic " + os.environ["TOKEN"]
    elif what == "wrong":
        fields["Authorization"] = "Bearer nobody"
    elif what == "ranges":
        body = wire.NOTHING + wire.END
    elif what == "versions":
        body = wire.client_hello(versions=b"\x09") + wire.NOTHING + wire.END
    elif what == "torn":
        body = wire.TURN[:-1]
    elif what == "garbage":
        body = b"\xff" * 1000
    elif what == "push":
        body = wire.client_hello() + wire.frame(4, b"P" * 1000) + wire.frame(5, b"\xe8\x03" + b"\0" * 6) + wire.END
    elif what.startswith("large"):
        body = wire.client_hello() + wire.frame(4, b"P" * 1048576) * 4
        if what == "large-chunked":
            body = chunks(body)
    elif what == "expect":
        fields["Expect"] = "100-continue"
    elif what != "turn":
        sys.exit(f"no '{what}'")
    connection = connect(port)
    try:
        connection.request(method, path, body, fields)
    except (BrokenPipeError, ConnectionResetError):
        pass
    answer = connection.getresponse()
    data = answer.read()
    print(answer.status, answer.headers.get("Retry-After", "-"), answer.headers.get("Content-Type"))
    if answer.headers.get("Content-Type") == wire.MEDIA:
        wire.show(data)


def slow(port, where):
    connection = socket.create_connection(("127.0.0.1", port))
    start = time.monotonic()
    if where == "head":
        connection.sendall(b"POST /v1/exchange HTTP/1.1\r\nX: ")
    if where == "body":
        lines = ["POST /v1/exchange HTTP/1.1", "Host: x", "Transfer-Encoding: chunked"]
        lines += [f"{name}: {value}" for name, value in FIELDS.items()]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    if where == "later":  # beyond what is held without a thread
        lines = ["POST /v1/exchange HTTP/1.1", "Host: x", "Content-Length: 100000000"]
        lines += [f"{name}: {value}" for name, value in FIELDS.items()]
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        connection.sendall(wire.client_hello() + wire.frame(4, b"P" * 400000))
    byte = {"head": b"P", "body": b"1\r\nx\r\n", "later": b"P"}[where]
    connection.settimeout(0.1)
    while time.monotonic() - start < 60:
        try:
            connection.sendall(byte)
            if connection.recv(65536) == b"":
                break
        except socket.timeout:
            time.sleep(0.1)
        except OSError:
            break
    print("cut off after", round(time.monotonic() - start))


def hold(port, count):
    held = [connect(port) for _ in range(count)]
    for connection in held:
        connection.putrequest("POST", "/v1/exchange")
        for name, value in {**FIELDS, "Content-Length": "1000", "Expect": "100-continue"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        # The server says so when it has begun with the request.
        connection.sock.recv(1000)
    post(port, "turn")
    for connection in held:
        connection.close()


def everything(port):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    body = wire.client_hello() + wire.frame(3, b"\x05\xff") + wire.END
    lines = ["POST /v1/exchange HTTP/1.1", "Host: x", "Connection: close", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in FIELDS.items()]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    data = b""
    while part := answer.read(65536):
        data += part
        time.sleep(0.001)
    rows = list(wire.frames(data))
    print([kind for kind, _ in rows if kind != 4], sum(len(rest) for kind, rest in rows if kind == 4) > 5000000)


def begin_push(port, count, said):
    """A push of which so many bytes come, and more was said to come."""
    connection = connect(port)
    body = wire.client_hello() + b"".join(wire.frame(4, b"P" * len(part)) for part in chunks(bytes(count), 1 << 18))
    connection.putrequest("POST", "/v1/exchange")
    for name, value in FIELDS.items():
        connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(body) + said))
    connection.endheaders()
    connection.send(body)
    return connection


def wait_for(directory, count):
    """Waits until the files of a directory have so many bytes."""
    for _ in range(1200):
        found = [os.path.join(directory, name) for name in os.listdir(directory)] if os.path.isdir(directory) else []
        if sum(os.path.getsize(path) for path in found if os.path.exists(path)) >= count:
            return
        time.sleep(0.05)
    sys.exit("nothing comes")


def abort(port, count, mebibytes, directory):
    connections = [begin_push(port, mebibytes << 20, 1000) for _ in range(count)]
    wait_for(directory, count * (mebibytes << 20))
    for connection in connections:
        connection.close()


def beside(port, kibibytes, directory):
    first = begin_push(port, kibibytes << 10, 1000)
    wait_for(directory, kibibytes << 10)
    second = begin_push(port, kibibytes << 10, 0)
    wire.show(second.getresponse().read())
    first.close()


def half(port):
    connection = socket.create_connection(("127.0.0.1", port))
    lines = ["POST /v1/exchange HTTP/1.1", "Host: x", f"Content-Length: {len(wire.TURN)}", "Connection: close", "Expect: 100-continue"]
    lines += [f"{name}: {value}" for name, value in FIELDS.items()]
    go = threading.Event()
    signal.signal(signal.SIGUSR1, lambda *_: go.set())
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + wire.TURN[:20])
    # The server says so when it has begun with the request.
    answer = b""
    while not answer.endswith(b"\r\n\r\n") and (part := connection.recv(1)):
        answer += part
    if not answer.startswith(b"HTTP/1.1 100 "):
        sys.exit(f"not begun: {answer}")
    print("begun", flush=True)
    go.wait(60)
    answer = b""
    try:
        connection.sendall(wire.TURN[20:])
        while part := connection.recv(65536):
            answer += part
    except OSError:
        pass
    print(answer.split(b"\r\n")[0].decode() or "nothing", flush=True)


def main():
    mode, port = sys.argv[1], int(sys.argv[2])
    if mode == "many":
        many(port, int(sys.argv[3]))
    elif mode == "post":
        post(port, sys.argv[3])
    elif mode == "times":
        times(port, sys.argv[3], int(sys.argv[4]))
    elif mode == "slow":
        slow(port, sys.argv[3])
    elif mode == "hold":
        hold(port, int(sys.argv[3]))
    elif mode == "all":
        everything(port)
    elif mode == "half":
        half(port)
    elif mode == "abort":
        abort(port, int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    elif mode == "beside":
        beside(port, int(sys.argv[3]), sys.argv[4])


main()
