"""Looks into a Firestore, and changes what nobody may change there, as an administrator of an emulator does.

  firestore.py <port> get <path>                 a document, its fields as plain JSON
  firestore.py <port> names                      the ids of all nodes
  firestore.py <port> set <path> <field> <json>  sets a field to a value of Firestore's JSON
  firestore.py <port> put <path> <json>          makes a document of fields
  firestore.py <port> delete <path>
  firestore.py serve <file>                      answers each request with the next line: <status> <body>
"""

import http.server
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = "v1/projects/demo/databases/(default)/documents"


def call(port, method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/{ROOT}/{path}", method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer owner"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code} {error.read().decode()}")


def plain(value):
    ((kind, content),) = value.items()
    if kind == "mapValue":
        return {name: plain(inner) for name, inner in content.get("fields", {}).items()}
    if kind == "arrayValue":
        return [plain(inner) for inner in content.get("values", [])]
    return int(content) if kind == "integerValue" else content


def serve(path):
    """The last line holds for all further requests."""
    lines = open(path, encoding="utf-8").read().splitlines()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.rfile.read(int(self.headers.get("content-length") or 0))
            line = lines.pop(0) if len(lines) > 1 else lines[0]
            status, kind, body = line.split(" ", 2)
            body = body.encode()
            self.send_response(int(status))
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


def main(arguments):
    if arguments[0] == "serve":
        return serve(arguments[1])
    port, verb, rest = arguments[0], arguments[1], arguments[2:]
    if verb == "get":
        fields = call(port, "GET", rest[0]).get("fields", {})
        print(json.dumps({name: plain(value) for name, value in fields.items()}, sort_keys=True))
    elif verb == "names":
        for document in call(port, "GET", "nodes?pageSize=1000").get("documents", []):
            print(document["name"].split("/")[-1])
    elif verb == "set":
        fields = call(port, "GET", rest[0])["fields"]
        fields[rest[1]] = json.loads(rest[2])
        call(port, "PATCH", rest[0], {"fields": fields})
    elif verb == "put":
        call(port, "PATCH", rest[0], {"fields": json.loads(rest[1])})
    elif verb == "delete":
        call(port, "DELETE", rest[0])


main(sys.argv[1:])
