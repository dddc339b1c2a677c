#!/usr/bin/env python3
"""A token endpoint that does what a script says.

firestore-token-endpoint.py <answers> <log> [<public key in PEM>]

It prints its port. Each line of the file <answers> is what becomes of one request, from the first on; the last one
stays:

    google <token> [<seconds>]                      an answer of Google's OAuth 2.0
    firebase <token> <uid> [<refresh token>]        an answer of Firebase
    status <number> [<seconds to wait>] [<body>]    another status
    hold <file> <one of these>                      when there is this file
    close                                           no answer

The log gets an object for each request: the path and the members of the form. An assertion is checked with the public
key, and logged as its claims, by other code than that which made it.
"""

import base64
import http.server
import json
import os
import sys
import time
import urllib.parse

ANSWERS, LOG = sys.argv[1:3]
KEY = sys.argv[3] if len(sys.argv) > 3 else None


def part(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(assertion):
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding

    header, body, signature = assertion.split(".")
    assert json.loads(part(header))["alg"] == "RS256", header
    with open(KEY, "rb") as file:
        key = serialization.load_pem_public_key(file.read())
    key.verify(part(signature), f"{header}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
    return json.loads(part(header)) | json.loads(part(body))


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def next_answer(self):
        with open(ANSWERS) as file:
            lines = file.read().splitlines()
        if len(lines) > 1:
            with open(ANSWERS, "w") as file:
                file.write("\n".join(lines[1:]) + "\n")
        return lines[0]

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
        if "assertion" in form:
            form["assertion"] = claims(form["assertion"])
        with open(LOG, "a") as file:
            print(json.dumps({"path": self.path, "form": form}), file=file)
        words = self.next_answer().split(" ")
        if words[0] == "hold":
            while not os.path.exists(words[1]):
                time.sleep(0.02)
            words = words[2:]
        if words[0] == "close":
            self.close_connection = True
            return
        status, wait, answer = 200, None, {}
        if words[0] == "google":
            answer = {
                "access_token": words[1], "token_type": "Bearer",
                "expires_in": int(words[2]) if len(words) > 2 else 3600}
        elif words[0] == "firebase":
            answer = {
                "id_token": words[1], "user_id": words[2], "expires_in": "3600",
                "refresh_token": words[3] if len(words) > 3 else form["refresh_token"]}
        else:
            status, wait = int(words[1]), words[2] if len(words) > 2 else None
            answer = " ".join(words[3:])
        data = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if wait not in (None, "-"):
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(data)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_address[1], flush=True)
server.serve_forever()
