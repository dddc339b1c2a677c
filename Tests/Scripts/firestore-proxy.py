#!/usr/bin/env python3
"""Stands between a client and a Firestore peer: passes on what is asked, writes it down, and does what it is told to
in place of that. firestore-proxy.py <upstream> <trouble> <log> prints its port and runs until it is ended. <upstream>
is a file with the port of the peer, and is read for every request.

Each line of <log> is JSON about a request: its kind, how many ids or writes it has, the status of the answer, how many
bytes of it are to come, and what it costs in reads and writes of documents. It stands there before anything of the answer leaves, so who has an answer finds its line.

Each line of <trouble> is `<kind> <times> <what>`, where kind is one of the kinds below or `any`, and times a number
or `*`. The first line that fits a request is what becomes of it; <what> is one of

    ok                         it is passed on
    drop                       the connection ends without an answer, and nothing is passed on
    lose                       it is passed on, and the answer is lost
    cut <bytes>                only so many bytes of the answer's body come
    slow <bytes> <seconds>     so many bytes at a time, with a pause after each
    stall <bytes>              only so many bytes come, and the connection stays
    say <http> <status> [retry=<s>] [array] [message=<text, a % for a blank>]   an error as Google writes it
    body <http> <type> <file>  what is in the file
    redirect <url>             to elsewhere
    refuse <text>              PERMISSION_DENIED when the request has the text; otherwise it is passed on
    rows-then <status>         the answer's rows, and an error behind them
    add <file>                 the answer's rows, and one more: the document in the file
    replay                     the rows of the first answer, as often as the request allows, again and again
    flood                      the answer's first row, again and again in one answer without an end

A file `edits` beside <trouble> has lines `<document> <member> <value>`, the value in the JSON of the API: whatever else becomes
of an answer, it shows the document with that value, changed at another time.
"""

import base64
import http.client
import http.server
import json
import os
import sys
import threading
import time

UPSTREAM, TROUBLE, LOG = sys.argv[1:4]
EDITS = os.path.join(os.path.dirname(TROUBLE), "edits")
lock = threading.Lock()
first_answers = {}


def edited(answer):
    """An answer with the documents as `edits` has them."""
    if not os.path.exists(EDITS):
        return answer
    with open(EDITS, encoding="utf-8") as file:
        edits = [line.rstrip("\n").split(" ", 2) for line in file]
    if not any(document.encode() in answer for document, _, _ in edits):
        return answer
    found = json.loads(answer)

    def walk(value):
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            walk(each)
        if not isinstance(value, dict) or "updateTime" not in value:
            return
        for document, member, given in edits:
            if value.get("name", "").endswith("/documents/" + document):
                value["updateTime"] = value["updateTime"][:19] + ".999999Z"
                if member in value.get("fields", {}):
                    value["fields"][member] = json.loads(given)

    walk(found)
    return json.dumps(found).encode()


def kind_of(method, path, body):
    """What kind of request it is, and how many documents it concerns."""
    path = path.split("?")[0]
    if "/token" in path:
        return "token", 1
    try:
        said = json.loads(body) if body else {}
    except ValueError:
        return "unreadable", 0
    if path.endswith(":commit"):
        writes = said.get("writes", [])
        names = [write.get("update", {}).get("name", write.get("delete", "")) for write in writes]
        return ("users" if any("/documents/users/" in name for name in names) else "commit"), len(writes)
    if path.endswith(":runQuery"):
        ids = in_values(said.get("structuredQuery", {}).get("where", {}))
        return ("in", len(ids)) if ids is not None else ("list", said.get("structuredQuery", {}).get("limit", 0))
    if path.endswith(":runAggregationQuery"):
        return "number", 1
    if path.endswith(":batchGet"):
        return "get-many", len(said.get("documents", []))
    if "/documents/users" in path:
        return "user", 1
    return method.lower(), 1


def charge(kind, status, count, answer):
    """What Google's service would charge for it: reads and writes of documents, by its page of prices. A query costs a
    read for each result, at least one; a number one for each thousand that it counts, at least one."""
    if kind in ("list", "in") and status == 200:
        return max(1, sum("document" in row for row in json.loads(answer))), 0
    if kind == "number" and status == 200:
        counted = max(int(each["integerValue"]) for row in json.loads(answer) if "result" in row
                      for name, each in row["result"]["aggregateFields"].items() if name == "n")
        return max(1, (counted + 999) // 1000), 0
    if kind in ("user", "get") and status in (200, 404):
        return 1, 0
    if kind in ("commit", "users") and status == 200:
        return 0, count
    return 0, 0


def in_values(where):
    """The values of an `in` over names, anywhere in a filter."""
    one = where.get("fieldFilter")
    if one and one.get("op") == "IN" and one["field"]["fieldPath"] == "__name__":
        return one["value"]["arrayValue"].get("values", [])
    for part in where.get("compositeFilter", {}).get("filters", []):
        found = in_values(part)
        if found is not None:
            return found
    return None


def trouble_for(kind):
    """The words of the first line that fits, which is used up by one."""
    with lock:
        try:
            with open(TROUBLE, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return ["ok"]
        for number, line in enumerate(lines):
            words = line.split(" ")
            if words[0] not in (kind, "any") or words[1] == "0":
                continue
            if words[1] != "*":
                lines[number] = " ".join([words[0], str(int(words[1]) - 1)] + words[2:])
                with open(TROUBLE + ".new", "w", encoding="utf-8") as file:
                    file.write("".join(one + "\n" for one in lines))
                os.replace(TROUBLE + ".new", TROUBLE)
            return words[2:]
    return ["ok"]


def error(http_code, status, options=()):
    """The body of an error as Google writes it."""
    message = next((one[8:] for one in options if one.startswith("message=")), f"The%peer%says%{status}.")
    said = {"error": {"code": int(http_code), "message": message.replace("%", " "), "status": status}}
    return json.dumps([said] if "array" in options else said).encode()


def token(uid):
    """An unsigned token as the emulator takes it."""
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    claims = {"sub": uid, "user_id": uid, "iat": 1, "exp": 9999999999, "auth_time": 1, "firebase": {}}
    return part({"alg": "none", "typ": "JWT"}) + "." + part(claims) + "."


class Way(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A head and a body that are sent apart wait for each other otherwise.
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def read_body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def passed_on(self, body):
        """The status, the media type and the body of what the peer answers."""
        with open(UPSTREAM, encoding="utf-8") as file:
            connection = http.client.HTTPConnection("127.0.0.1", int(file.read()), timeout=120)
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in ("host", "connection", "transfer-encoding", "content-length")}
        connection.request(self.command, self.path, body or None, headers)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        return answer.status, answer.headers.get("Content-Type", "application/json"), edited(said)

    def send(self, status, kind, body, fields=(), size=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if size is None else size))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def whole(self, status, kind, body, fields=()):
        """What `act` answers where all of an answer is sent."""
        return status, len(body), lambda: self.send(status, kind, body, fields)

    def ends(self):
        self.close_connection = True

    def answer(self):
        body = self.read_body()
        kind, count = kind_of(self.command, self.path, body)
        words = trouble_for(kind)
        said = {"kind": kind, "count": count, "what": words[0], "request": len(body)}
        said["path"] = self.path.split("?")[0].rsplit("/documents", 1)[-1]
        self.passed = b""
        said["authorization"] = self.headers.get("Authorization", "")[:20]
        try:
            said["status"], said["answer"], send = self.act(kind, words, body)
        except ConnectionError:
            said["status"], said["answer"], send = 0, 0, self.ends
        try:
            said["reads"], said["writes"] = charge(kind, said["status"], count, self.passed)
        except ValueError:
            said["reads"], said["writes"] = 0, 0
        with lock, open(LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps(said, sort_keys=True) + "\n")
        try:
            send()
        except ConnectionError:
            self.ends()

    def act(self, kind, words, body):
        """The status of the answer, how many bytes of it are to come, and what sends them."""
        what, rest = words[0], words[1:]
        if what == "drop":
            return 0, 0, self.ends
        if what == "say":
            fields = [("Retry-After", one[6:]) for one in rest if one.startswith("retry=")]
            made = error(rest[0], rest[1], rest[2:])
            return self.whole(int(rest[0]), "application/json; charset=UTF-8", made, fields)
        if what == "body":
            with open(rest[2], "rb") as file:
                return self.whole(int(rest[0]), rest[1], file.read())
        if what == "redirect":
            return self.whole(307, "text/plain", b"", [("Location", rest[0])])
        if what == "refuse" and rest[0].encode() in body:
            return self.whole(403, "application/json; charset=UTF-8", error(403, "PERMISSION_DENIED"))
        if kind == "token":
            uid = self.path.rsplit("/", 1)[-1]
            made = json.dumps({"access_token": token(uid), "id_token": token(uid), "expires_in": "3600",
                               "token_type": "Bearer"}).encode()
            return self.whole(200, "application/json", made)
        if what == "replay" and kind in first_answers:
            status, media, answer = first_answers[kind]
        else:
            status, media, answer = self.passed_on(body)
        self.passed = answer
        if what == "replay":
            rows = [row for row in json.loads(answer) if "document" in row]
            limit = json.loads(body)["structuredQuery"]["limit"]
            answer = json.dumps((rows * limit)[:limit]).encode()
            first_answers.setdefault(kind, (status, media, answer))
        return self.spoil(what, rest, status, media, answer)

    def spoil(self, what, rest, status, media, answer):
        """What becomes of an answer of the peer: as `act`."""
        if what == "lose":
            return 0, 0, self.ends
        if what in ("cut", "stall"):
            size = min(int(rest[0]), len(answer))
            return status, size, lambda: self.begin(status, media, answer, size, stays=what == "stall")
        if what == "flood":
            # It has no size.
            row = json.dumps(json.loads(answer)[0]).encode()
            return status, 0, lambda: self.flood(row)
        if what == "slow":
            return status, len(answer), lambda: self.drip(status, media, answer, int(rest[0]), float(rest[1]))
        if what == "rows-then":
            rows = json.loads(answer) + json.loads(error(503, rest[0], ["array"]))
            answer = json.dumps(rows).encode()
        elif what == "add":
            with open(rest[0], encoding="utf-8") as file:
                rows = json.loads(answer)
                answer = json.dumps([{"document": json.load(file), "readTime": rows[0]["readTime"]}] + rows).encode()
        return self.whole(status, media, answer)

    def begin(self, status, kind, body, size, stays):
        """The first bytes of an answer; then nothing comes, and the connection ends, or stays until the client's end."""
        self.send(status, kind, body[:size], size=len(body))
        if stays:
            self.rfile.read(1)
        self.ends()

    def drip(self, status, kind, body, size, seconds):
        """So many bytes of an answer at a time."""
        self.send(status, kind, b"", size=len(body))
        for start in range(0, len(body), size):
            self.wfile.write(body[start:start + size])
            self.wfile.flush()
            time.sleep(seconds)

    def flood(self, row):
        """Rows until the other side has enough of them, at most 1 GiB."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        many = (row + b",") * max(1, 65536 // len(row))
        chunk = f"{len(many):x}\r\n".encode() + many + b"\r\n"
        sent = 0
        self.wfile.write(b"1\r\n[\r\n")
        while sent < 1 << 30:
            self.wfile.write(chunk)
            sent += len(many)
        self.ends()

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = answer


class Ways(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Ways(("127.0.0.1", 0), Way)
print(server.server_address[1], flush=True)
server.serve_forever()
