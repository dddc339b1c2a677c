"""http-between.py <port> (<number> <command>)...: a proxy in front of a server, which runs shell commands before it passes on requests.

It prints the port that it listens at, on 127.0.0.1, and counts requests over all connections, from 1 on.
"""

import http.client
import http.server
import subprocess
import sys

PORT = int(sys.argv[1])
COMMANDS = dict(zip(map(int, sys.argv[2::2]), sys.argv[3::2]))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_POST(self):
        body = self.body()
        Handler.count += 1
        if Handler.count in COMMANDS:
            subprocess.run(["bash", "-c", COMMANDS[Handler.count]], check=True, stdout=subprocess.DEVNULL)
        server = http.client.HTTPConnection("127.0.0.1", PORT)
        fields = {name: text for name, text in self.headers.items()
                  if name.lower() not in ("host", "connection", "transfer-encoding", "content-length")}
        server.request("POST", self.path, body, fields)
        answer = server.getresponse()
        data = answer.read()
        self.send_response_only(answer.status)
        for name, text in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, text)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
