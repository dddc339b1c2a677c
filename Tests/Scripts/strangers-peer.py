#!/usr/bin/env python3
"""A server that writes down everything it is sent, and answers that it is not there: strangers-peer.py <file> prints its
port."""

import http.server
import sys


class Peer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(sys.argv[1], "ab") as log:
            log.write(f"{self.command} {self.path}\n{self.headers}".encode() + body + b"\n")
        self.send_error(404)

    do_GET = do_PATCH = do_PUT = do_POST

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Peer)
print(server.server_port, flush=True)
server.serve_forever()
