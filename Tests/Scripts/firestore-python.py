#!/usr/bin/env python3
"""Other people's code against redo's server: the package google-cloud-firestore over REST.

  firestore-python.py works <port> <token> <foreign token> <file of nodes>
                                      reads, queries, makes and changes documents; says what came of it
  firestore-python.py answers <port> <token>
                                      what the server answers, read by the package's protobuf types
  firestore-python.py requests <file> the requests of a proxy's log, read by the same types
  firestore-python.py proxy <port> <file>
                                      hands requests on to a server and keeps their bodies; prints its port
"""

import http.client
import http.server
import json
import sys
import urllib.request


def client(port, token):
    from google.cloud import firestore
    from google.cloud.firestore_v1.services.firestore import FirestoreClient
    from google.cloud.firestore_v1.services.firestore.transports.rest import FirestoreRestTransport
    from google.oauth2.credentials import Credentials

    made = firestore.Client(project="demo", credentials=Credentials(token))
    transport = FirestoreRestTransport(
        host=f"http://127.0.0.1:{port}", url_scheme="http", credentials=Credentials(token))
    made._firestore_api_internal = FirestoreClient(transport=transport)
    return made


def refused(what):
    """The name of the error that a call ends with."""
    from google.api_core.exceptions import GoogleAPICallError

    try:
        what()
        return "nothing"
    except GoogleAPICallError as error:
        return f"{error.code.value if hasattr(error.code, 'value') else error.code} {type(error).__name__}"


def works(port, token, foreign, path):
    from google.cloud import firestore
    from google.cloud.firestore import FieldFilter

    database, stranger = client(port, token), client(port, foreign)
    account = database.collection("users").document("u1")
    print("an account before:", account.get().exists)
    account.set({"displayName": "Ada", "size": 1.5, "tags": ["a", None, True], "deep": {"x": {"y": b"\x00\xff"}}})
    account.set({
        "ownedNodes": firestore.ArrayUnion(["a", "b", "a"]), "lastSyncAt": firestore.SERVER_TIMESTAMP}, merge=True)
    account.update({"ownedNodes": firestore.ArrayRemove(["a"]), "deep.x.z": -3, "size": firestore.DELETE_FIELD})
    values = account.get().to_dict()
    print("with a time:", values.pop("lastSyncAt").year > 2000)
    print("afterwards:", json.dumps(values, sort_keys=True, default=lambda value: value.hex()))
    old = account.get().update_time
    account.update({"n": 1})
    option = database.write_option(last_update_time=old)
    print("a change of what has changed:", refused(lambda: account.update({"n": 2}, option=option)))
    print("another's account:", refused(lambda: stranger.collection("users").document("u1").get()))

    with open(path, encoding="utf-8") as file:
        nodes = [json.loads(line) for line in file]
    collection = database.collection("nodes")
    for start in range(0, len(nodes), 50):
        batch = database.batch()
        for node in nodes[start:start + 50]:
            fields = node | {"accessList": ["u1"], "createdAt": firestore.SERVER_TIMESTAMP}
            batch.create(collection.document(node["id"]), fields)
        print("made:", len(batch.commit()))
    print("made again:", refused(
        lambda: collection.document(nodes[0]["id"]).create(nodes[0] | {"accessList": ["u1"]})))
    print("a node changed:", refused(lambda: collection.document(nodes[0]["id"]).update({"version": 2})))
    print("a node deleted:", refused(lambda: collection.document(nodes[0]["id"]).delete()))

    mine = collection.where(filter=FieldFilter("accessList", "array_contains", "u1"))
    lamports = [found.get("timestamp.lamport") for found in mine.order_by("timestamp.lamport").stream()]
    print("by lamport:", len(lamports), lamports == sorted(lamports))
    newest = [found.id for found in mine.order_by("createdAt", direction="DESCENDING").limit(3).stream()]
    print("the newest:", len(newest))
    pages, last = [], None
    while True:
        page = mine.order_by("createdAt").limit(30)
        found = list((page.start_after(last) if last else page).stream())
        pages += [document.id for document in found]
        if len(found) < 30:
            break
        last = found[-1]
    print("page by page:", len(pages), len(set(pages)), set(newest) == set(pages[-3:]))
    ids = [document.id for document in collection.where(
        filter=FieldFilter("__name__", "in", [collection.document(node["id"]) for node in nodes[:10]])).stream()]
    print("by name:", sorted(ids) == sorted(node["id"] for node in nodes[:10]))
    print("of an action:", len(list(mine.where(filter=FieldFilter("action", "==", "CREATE")).stream())),
          sum(node["action"] == "CREATE" for node in nodes))
    print("without an index:", refused(lambda: list(mine.order_by("action").stream())))
    print("all of them:", refused(lambda: list(collection.stream())))
    print("of somebody else:", refused(lambda: list(stranger.collection("nodes").where(
        filter=FieldFilter("accessList", "array_contains", "u1")).stream())))
    got = list(database.get_all([collection.document(node["id"]) for node in nodes[:20]]))
    whole = {document.id: document.to_dict() for document in got}
    same = 0
    for node in nodes[:20]:
        fields = whole[node["id"]]
        del fields["accessList"], fields["createdAt"]
        same += fields == node
    print("as they were made:", same)
    account.delete()
    print("an account afterwards:", account.get().exists)


def answers(port, token):
    from google.cloud.firestore_v1 import types

    root = "projects/demo/databases/(default)/documents"

    def ask(path, body=None, method=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/{root}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def read(kind, text, is_list=False):
        values = [json.dumps(row) for row in json.loads(text)] if is_list else [text]
        for value in values:
            kind.from_json(value, ignore_unknown_fields=False)
        print(kind.__name__, len(values))

    every = {"null": {"nullValue": None}, "truth": {"booleanValue": True}, "whole": {"integerValue": "-9007199254740993"},
             "part": {"doubleValue": 0.1}, "nan": {"doubleValue": "NaN"}, "time": {"timestampValue": "2025-01-01T00:00:00.123456Z"},
             "bytes": {"bytesValue": "AP8="}, "name": {"referenceValue": root + "/users/u1"},
             "place": {"geoPointValue": {"latitude": 1.5, "longitude": -2}}, "list": {"arrayValue": {"values": [{"stringValue": "\u00e9\n"}]}},
             "none": {"arrayValue": {}}, "map": {"mapValue": {"fields": {"a b": {"stringValue": ""}}}}}
    write = {"update": {"name": root + "/users/u1", "fields": every}, "updateTransforms": [
        {"fieldPath": "seen", "setToServerValue": "REQUEST_TIME"},
        {"fieldPath": "list", "appendMissingElements": {"values": [{"integerValue": "1"}]}}]}
    read(types.CommitResponse, ask(":commit", {"writes": [write, {"delete": root + "/users/u1"}, write]}))
    read(types.Document, ask("/users/u1"))
    read(types.Document, ask("/users/u1?updateMask.fieldPaths=n", {"fields": {"n": {"integerValue": 1}}}, "PATCH"))
    read(types.BatchGetDocumentsResponse, ask(":batchGet", {"documents": [root + "/users/u1"]}), True)
    where = {"fieldFilter": {"field": {"fieldPath": "accessList"}, "op": "ARRAY_CONTAINS", "value": {"stringValue": "u1"}}}
    query = {"from": [{"collectionId": "nodes"}], "where": where}
    read(types.RunQueryResponse, ask(":runQuery", {"structuredQuery": query | {"limit": 20}}), True)
    read(types.RunQueryResponse, ask(":runQuery", {"structuredQuery": query | {"limit": 0}}), True)
    token = "owner"
    read(types.ListDocumentsResponse, ask("/nodes?pageSize=5"))
    kept = types.Document.from_json(ask("/users/u1"))
    print("every type:", sorted(set(every) - set(kept.fields)))


def requests(path):
    from google.cloud.firestore_v1 import types

    kinds = {"commit": types.CommitRequest, "runQuery": types.RunQueryRequest, "batchGet": types.BatchGetDocumentsRequest}
    counts = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            kind = kinds.get(entry["path"].rsplit(":", 1)[-1].split("?")[0])
            if kind is None:
                continue
            kind.from_json(entry["body"], ignore_unknown_fields=False)
            counts[kind.__name__] = counts.get(kind.__name__, 0) + 1
    for name, count in sorted(counts.items()):
        print(name, "parsed" if count else "")


def proxy(port, path):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"path": self.path, "body": body.decode()}) + "\n")
            connection = http.client.HTTPConnection("127.0.0.1", int(port))
            headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
            connection.request(self.command, self.path, body, headers)
            found = connection.getresponse()
            text = found.read()
            self.send_response(found.status)
            self.send_header("Content-Type", found.headers.get("Content-Type", "text/plain"))
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    {"works": works, "answers": answers, "requests": requests, "proxy": proxy}[sys.argv[1]](*sys.argv[2:])
