#!/usr/bin/env python3
"""Documents of a Firestore peer, looked at and changed past its rules, as its owner does; or with them, as a user.

firestore-admin.py <port> <project> <uid> <what>, where the uid `owner` is above the rules, `-` is nobody:

    ids <collection>             the names of all its documents, ascending
    all <collection>             the same, each with its fields, as a JSON array on a line
    get <document>               its fields, as JSON without types
    raw <document>               the document as the peer writes it
    put <document> <file>        the document is what is in the file, `{"fields":...}` or its fields alone
    create <document> <file>     the same, for a document that is not there
    load <file>                  documents, one a line, are there as they are written, in this project
    node <file> <uid>...         the document of a node, which these may read; it need not have its parents
    set <document> <path> <json> one member of it is this
    delete <document>
    clear                        nothing is left
    check <uid>...               every node is as a push should leave it; each of these may read it
    token                        an unsigned token of the user
    typed <json>                 a value as the API writes it
    may                          what the user may do with the document `nodes/<id>` on standard input, and its own

A request that is refused is told by its status on standard error; the exit status is then 1.
"""

import base64
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

PORT, PROJECT, UID = sys.argv[1:4]
ROOT = f"projects/{PROJECT}/databases/(default)/documents"
BASE = f"http://127.0.0.1:{PORT}/v1/{ROOT}"


def token(uid):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return part({"alg": "none", "typ": "JWT"}) + "." + part({
        "sub": uid, "user_id": uid, "aud": PROJECT, "iss": f"https://securetoken.google.com/{PROJECT}", "iat": 1,
        "exp": 9999999999, "auth_time": 1, "firebase": {"sign_in_provider": "custom", "identities": {}}}) + "."


class Refused(Exception):
    pass


def call(path, body=None, method="POST"):
    headers = {"Content-Type": "application/json"}
    if UID != "-":
        headers["Authorization"] = "Bearer " + ("owner" if UID == "owner" else token(UID))
    data = json.dumps(body).encode() if body is not None else None
    # The `#` and `%` of a name would be read as something else.
    request = urllib.request.Request(BASE + urllib.parse.quote(path, safe="/:?=&,()"), data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        try:
            said = json.loads(text)
            raise Refused((said[0] if isinstance(said, list) else said)["error"]["status"]) from None
        except ValueError:
            raise Refused(f"{error.code} {text[:200]}") from None


def plain(value):
    """A value without its types."""
    (kind, inner), = value.items()
    if kind == "mapValue":
        return {name: plain(one) for name, one in inner.get("fields", {}).items()}
    if kind == "arrayValue":
        return [plain(one) for one in inner.get("values", [])]
    return int(inner) if kind == "integerValue" else inner


def typed(value):
    if isinstance(value, bool) or value is None:
        return {"nullValue": None} if value is None else {"booleanValue": value}
    if isinstance(value, (int, float)):
        return {"integerValue": str(value)} if isinstance(value, int) else {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(one) for one in value]}}
    return {"mapValue": {"fields": {name: typed(one) for name, one in value.items()}}}


def documents(collection):
    """All of a collection, page by page in the order of names."""
    query = {"from": [{"collectionId": collection}], "limit": 1000,
             "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}]}
    while True:
        page = [row["document"] for row in call(":runQuery", {"structuredQuery": query}) if "document" in row]
        yield from page
        if len(page) < 1000:
            return
        query["startAt"] = {"values": [{"referenceValue": page[-1]["name"]}], "before": False}


def commit(*writes):
    for start in range(0, len(writes), 500):
        call(":commit", {"writes": writes[start:start + 500]})


def fields_in(path):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    return said.get("fields", said)


def put(document, path, exists=None):
    write = {"update": {"name": f"{ROOT}/{document}", "fields": fields_in(path)}}
    if exists is not None:
        write["currentDocument"] = {"exists": exists}
    commit(write)


def load(path):
    with open(path, encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    commit(*[{"update": {"name": f"{ROOT}/nodes/" + one["name"].rsplit("/", 1)[1], "fields": one["fields"]}}
             for one in found])


def node(path, readers):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    said["accessList"] = readers
    commit({"update": {"name": f"{ROOT}/nodes/" + said["id"], "fields": typed(said)["mapValue"]["fields"]},
            "updateTransforms": [{"fieldPath": "createdAt", "setToServerValue": "REQUEST_TIME"}]})


def check(readers):
    """What the second checklist of the document about tests asks of the documents of a push (C21)."""
    hexes = {"id": r"sha256:[0-9a-f]{64}", "signature": r"[0-9a-f]{128}"}
    for document in documents("nodes"):
        fields, name = document["fields"], document["name"].rsplit("/", 1)[1]
        node = {member: plain(value) for member, value in fields.items()}

        def must(holds, what):
            if not holds:
                sys.exit(f"{name}: {what}: {json.dumps(node)[:400]}")

        must(node["id"] == name, "another id than its name")
        for member in ("version", "parents", "timestamp", "author", "action", "signature", "data"):
            must(member in node, f"no {member}")
        must(node["version"] == 1 and fields["version"] == {"integerValue": "1"}, "version")
        must("integerValue" in fields["timestamp"]["mapValue"]["fields"]["lamport"], "lamport is no integer")
        for member, pattern in hexes.items():
            must(re.fullmatch(pattern, node[member]), member)
        must(all(re.fullmatch(hexes["id"], parent) for parent in node["parents"]), "parents")
        must(re.fullmatch(r"[0-9a-f]{32}", node["author"]["userId"]), "userId")
        must(re.fullmatch(r"[0-9a-f]{64}", node["author"].get("publicKey", "0" * 64)), "publicKey")
        must(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", node["timestamp"]["wall"]), "wall")
        must(set(node["accessList"]) == set(readers), f"accessList is {node['accessList']}")
        must(set(fields["createdAt"]) == {"timestampValue"}, "createdAt is no timestamp")
        must("bytesValue" not in json.dumps(fields), "bytes")


def may(document):
    """The access matrix (A106), as the peer answers; the own document of users, and that of somebody else, too."""
    def tries(*words, **more):
        try:
            call(*words, **more)
            return "yes"
        except Refused as refused:
            return "no" if str(refused) in ("PERMISSION_DENIED", "UNAUTHENTICATED") else str(refused)

    fields = {"displayName": typed("somebody")}
    print("read", tries("/" + document, method="GET"))
    print("change", tries("/" + document + "?updateMask.fieldPaths=version", {"fields": {"version": typed(1)}}, "PATCH"))
    print("delete", tries("/" + document, method="DELETE"))
    print("own-user", tries(f"/users/{UID}?updateMask.fieldPaths=displayName", {"fields": fields}, "PATCH"))
    print("other-user", tries("/users/somebody?updateMask.fieldPaths=displayName", {"fields": fields}, "PATCH"))
    print("read-other-user", tries("/users/somebody", method="GET"))


def main(what, *rest):
    if what == "ids":
        print("".join(one["name"].rsplit("/", 1)[1] + "\n" for one in documents(*rest)), end="")
    elif what == "all":
        for one in documents(*rest):
            fields = plain({"mapValue": {"fields": one["fields"]}})
            print(json.dumps([one["name"].rsplit("/", 1)[1], fields], sort_keys=True))
    elif what == "get":
        print(json.dumps(plain({"mapValue": {"fields": call("/" + rest[0], method="GET")["fields"]}}), sort_keys=True))
    elif what == "raw":
        print(json.dumps(call("/" + rest[0], method="GET"), sort_keys=True))
    elif what in ("put", "create"):
        put(*rest, exists=None if what == "put" else False)
    elif what == "load":
        load(*rest)
    elif what == "node":
        node(rest[0], list(rest[1:]))
    elif what == "set":
        call(f"/{rest[0]}?updateMask.fieldPaths={rest[1]}", {"fields": {rest[1]: typed(json.loads(rest[2]))}}, "PATCH")
    elif what == "delete":
        call("/" + rest[0], method="DELETE")
    elif what == "clear":
        commit(*[{"delete": one["name"]} for name in ("nodes", "users") for one in list(documents(name))])
    elif what == "check":
        check(rest)
    elif what == "token":
        print(token(UID))
    elif what == "typed":
        print(json.dumps(typed(json.loads(rest[0]))))
    elif what == "may":
        may(sys.stdin.read().strip())
    else:
        sys.exit(__doc__)


try:
    main(*sys.argv[4:])
except Refused as refused:
    sys.exit(str(refused))
except OSError as error:
    sys.exit(f"no answer: {error}")
