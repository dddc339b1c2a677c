#!/usr/bin/env python3
"""Asks a server of Firestore's REST API, and says in a line a question what it answered.

  firestore-facts.py facts <port>              the same lines from Google's emulator and from redo's server
  firestore-facts.py own <port>                what redo's server has of its own
  firestore-facts.py call <port> <user> <method> <path> [<json>]
                                               one request; the status, then the answer
  firestore-facts.py push <port> <user> <file> <size> <reader>...
                                               makes documents of the nodes in a file, so many a commit;
                                               prints the ids of each commit that was answered well
  firestore-facts.py fetch <port> <user> [<member>]
                                               the ids of all nodes to read, page by page, in an order
  firestore-facts.py token <user>              a token of the emulator's kind

The user is an id, `owner`, `nobody`, or `token:<token>`.
"""

import base64
import http.client
import json
import re
import select
import sys
import time
import urllib.parse

PROJECT = "demo"
ROOT = f"projects/{PROJECT}/databases/(default)/documents"
PORT = 0
# The one connection of a client that keeps it.
KEPT = []


def token(user, **claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    body = {
        "sub": user, "user_id": user, "aud": PROJECT, "iat": 1, "auth_time": 1,
        "iss": f"https://securetoken.google.com/{PROJECT}", "exp": 9_999_999_999} | claims
    return part({"alg": "none", "typ": "JWT"}) + "." + part(body) + "."


def call(user, method, path, body=None, root="/v1/" + ROOT):
    """One request; the status and the JSON of the answer."""
    headers = {"Content-Type": "application/json"}
    if user == "owner":
        headers["Authorization"] = "Bearer owner"
    elif user.startswith("token:"):
        headers["Authorization"] = "Bearer " + user[6:]
    elif user != "nobody":
        headers["Authorization"] = "Bearer " + token(user)
    data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    while True:
        connection = KEPT[0] if KEPT else http.client.HTTPConnection("127.0.0.1", PORT, timeout=300)
        send(connection, method, root + path, data, headers)
        answer = connection.getresponse()
        text = answer.read()
        if not KEPT:
            connection.close()
        # A connection that has just gone may still count as the one there can be: there is another one then.
        if not KEPT or answer.status != 503 or b"too many connections" not in text:
            return answer.status, json.loads(text) if text.strip() else None
        connection.close()
        time.sleep(0.05)


def send(connection, method, path, data, headers):
    """Sends a request, up to where an answer comes: what is sent behind that may never be read."""
    connection.putrequest(method, path)
    if data is not None:
        headers["Content-Length"] = str(len(data))
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    for start in range(0, len(data or b""), 65536):
        if start and select.select([connection.sock], [], [], 0)[0]:
            return
        connection.sock.sendall(data[start:start + 65536])


def S(text):
    return {"stringValue": text}


def I(number):
    return {"integerValue": str(number)}


def A(*values):
    return {"arrayValue": {"values": list(values)}}


def M(**fields):
    return {"mapValue": {"fields": fields}}


def node(name, readers, lamport=1, version=1, **more):
    """A write that makes a node."""
    fields = {
        "id": S(name), "version": I(version), "timestamp": M(lamport=I(lamport)), "action": S("CREATE"),
        "accessList": A(*map(S, readers))} | more
    return {
        "update": {"name": f"{ROOT}/nodes/{name}", "fields": fields}, "currentDocument": {"exists": False},
        "updateTransforms": [{"fieldPath": "createdAt", "setToServerValue": "REQUEST_TIME"}]}


def user(name, fields, **more):
    """A write of an account's document."""
    return {"update": {"name": f"{ROOT}/users/{name}", "fields": fields}} | more


def commit(who, *writes):
    return call(who, "POST", ":commit", {"writes": list(writes)})


def field(path, op, value):
    return {"fieldFilter": {"field": {"fieldPath": path}, "op": op, "value": value}}


def both(*filters):
    return {"compositeFilter": {"op": "AND", "filters": list(filters)}}


def names(op, *ids):
    values = [{"referenceValue": f"{ROOT}/nodes/{id}"} for id in ids]
    return field("__name__", op, A(*values) if op == "IN" else values[0])


def query(who, where=None, *order, collection="nodes", **more):
    body = {"from": [{"collectionId": collection}]} | more
    if where:
        body["where"] = where
    if order:
        body["orderBy"] = [
            {"field": {"fieldPath": path.lstrip("-")}, "direction": "DESCENDING" if path[0] == "-" else "ASCENDING"}
            for path in order]
    return call(who, "POST", ":runQuery", {"structuredQuery": body})


def either(*filters):
    return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def numbers(who, *aggregations, where=None, collection="nodes", **more):
    """Numbers about a query; each aggregation is an object."""
    body = {"from": [{"collectionId": collection}]} | more
    if where:
        body["where"] = where
    return call(who, "POST", ":runAggregationQuery", {
        "structuredAggregationQuery": {"structuredQuery": body, "aggregations": list(aggregations)}})


def unary(path, op):
    return {"unaryFilter": {"field": {"fieldPath": path}, "op": op}}


OWN = field("accessList", "ARRAY_CONTAINS", S("u1"))
SHORT = re.compile(r"20\d\d-\d\d-\d\dT[0-9:.]+Z")


def plain(value):
    """Values without their types, times without their digits; a whole second has no decimals, and gets its three."""
    if "mapValue" in value:
        return {name: plain(each) for name, each in sorted(value["mapValue"].get("fields", {}).items())}
    if "arrayValue" in value:
        return [plain(each) for each in value["arrayValue"].get("values", [])]
    if "timestampValue" in value:
        time = re.sub(r"(:\d\d)Z$", r"\1.000Z", value["timestampValue"])
        return re.sub(r"\d+", lambda found: "#" * len(found[0]), time)
    if "integerValue" in value:
        return int(value["integerValue"])
    if "doubleValue" in value:
        return str(value["doubleValue"]) if isinstance(value["doubleValue"], str) else float(value["doubleValue"])
    return next(iter(value.values()))


def short(answer):
    """What an answer comes to, in a few words."""
    status, body = answer
    if isinstance(body, list) and body and "error" in body[0]:
        body = body[0]
    if status != 200:
        return f"{status} {body['error']['status']}"
    if isinstance(body, list) and body and "result" in body[-1]:
        return "200 " + json.dumps(
            {name: plain(each) for name, each in sorted(body[-1]["result"]["aggregateFields"].items())})
    if isinstance(body, list):
        rows = []
        for row in body:
            document = row.get("document") or row.get("found")
            if document:
                rows.append(document["name"].rsplit("/", 1)[1])
            elif "missing" in row:
                rows.append("missing:" + row["missing"].rsplit("/", 1)[1])
        return "200 [" + " ".join(rows) + "]"
    if "collectionIds" in body:
        return "200 " + " ".join(body["collectionIds"]) + (" ..." if "nextPageToken" in body else "")
    if "fields" in body:
        return "200 " + json.dumps({name: plain(each) for name, each in sorted(body["fields"].items())})
    if "writeResults" in body:
        return "200 " + json.dumps(
            [[plain(each) for each in result.get("transformResults", [])] for result in body["writeResults"]])
    return "200"


def say(what, answer):
    print(f"{what}: {short(answer)}")


def facts():
    """What both answer alike."""
    say("a commit of two nodes", commit("u1", node("a", ["u1"]), node("b", ["u1", "u2"], 2)))
    say("a node of u2", commit("u2", node("e", ["u2"])))
    say("the same node again", commit("u1", node("a", ["u1"])))
    say("one that is there, and a new one", commit("u1", node("a", ["u1"]), node("c", ["u1"])))
    say("the new one was not made", query("u1", OWN, "timestamp.lamport"))
    say("a node for somebody else", commit("u1", node("d", ["u2"])))
    say("one that is there, for somebody else", commit("u1", node("a", ["u2"])))
    say("a good one and one for somebody else", commit("u1", node("c", ["u1"]), node("d", ["u2"])))
    say("a node of version 2", commit("u1", node("c", ["u1"], version=2)))
    wrong = node("c", ["u1"])
    wrong["update"]["fields"]["id"] = S("x")
    say("a node under another id", commit("u1", wrong))
    say("a node by nobody", commit("nobody", node("c", ["u1"])))
    bare = node("a", ["u1"])
    del bare["currentDocument"]
    say("a node that is there, without a precondition", commit("u1", bare))
    say("a new one without a precondition", commit("u1", {**node("c", ["u1"], 3), "currentDocument": {}}))
    say("a node twice in one commit", commit("u1", node("f", ["u1"]), node("f", ["u1"])))
    say("by PATCH", call("u1", "PATCH", "/nodes/a", {"fields": {}}))
    say("by DELETE", call("u1", "DELETE", "/nodes/a"))
    say("by createDocument", call("u1", "POST", "/nodes?documentId=g", {"fields": node("g", ["u1"], 1)["update"]["fields"]}))
    say("by createDocument again", call("u1", "POST", "/nodes?documentId=g", {"fields": node("g", ["u1"], 1)["update"]["fields"]}))

    say("GET of an own node", call("u2", "GET", "/nodes/e?mask.fieldPaths=version&mask.fieldPaths=timestamp.lamport"))
    say("GET of another's", call("u1", "GET", "/nodes/e"))
    say("GET of none", call("u1", "GET", "/nodes/none"))
    say("GET by nobody", call("nobody", "GET", "/nodes/a"))
    say("GET of none by the owner", call("owner", "GET", "/nodes/none"))
    for who, ids in [("u1", "a b"), ("u1", "a a"), ("u1", "a e"), ("u1", "a none"), ("owner", "none")]:
        say(f"batchGet of {ids} by {who}",
            call(who, "POST", ":batchGet", {"documents": [f"{ROOT}/nodes/{id}" for id in ids.split()]}))
    for who, ids in [("u1", "b a a"), ("u1", "a e"), ("u1", "a none"), ("u1", " ".join(map(str, range(31))))]:
        say(f"in {ids[:6]} by {who}", query(who, names("IN", *ids.split())))
    say("in own and another's, of those to read", query("u1", both(OWN, names("IN", "a", "e"))))
    say("a name of one's own", query("u1", names("EQUAL", "a")))

    say("all to read, by creation", query("u1", OWN, "createdAt", "__name__", select={"fields": [{"fieldPath": "id"}]}))
    say("what u1 may read, for u2", query("u2", OWN))
    say("all nodes", query("u1"))
    say("all nodes, for the owner", query("owner"))
    say("by lamport", query("u1", OWN, "timestamp.lamport"))
    say("behind lamport 1", query("u1", OWN, "timestamp.lamport", startAt={"values": [I(1)], "before": False}))
    say("from lamport 2", query("u1", OWN, "timestamp.lamport", startAt={"values": [I(2)], "before": True}))
    say("before lamport 2", query("u1", OWN, "timestamp.lamport", endAt={"values": [I(2)], "before": True}))
    say("up to lamport 2", query("u1", OWN, "timestamp.lamport", endAt={"values": [I(2)], "before": False}))
    say("two of them but the first", query("u1", OWN, "timestamp.lamport", offset=1, limit=2))
    say("none of them", query("u1", OWN, limit=0))
    for order in ["__name__", "-__name__"]:
        after = {"values": [{"referenceValue": f"{ROOT}/nodes/b"}], "before": False}
        say(f"{order} behind b", query("u1", OWN, order, startAt=after, limit=2))
        say(f"{order} up to b", query("u1", OWN, order, endAt=after, offset=1))
    say("lamport above 1", query("u1", both(OWN, field("timestamp.lamport", "GREATER_THAN", I(1)))))
    say("lamport above 1.5", query("u1", both(OWN, field("timestamp.lamport", "GREATER_THAN", {"doubleValue": 1.5}))))
    say("lamport above a text", query("u1", both(OWN, field("timestamp.lamport", "GREATER_THAN", S("0")))))
    say("an action", query("u1", both(OWN, field("action", "EQUAL", S("CREATE"))), "timestamp.lamport"))
    say("another action", query("u1", both(OWN, field("action", "EQUAL", S("DELETE")))))
    say("of two actions", query("u1", both(OWN, field("action", "IN", A(S("CREATE"), S("X")))), "timestamp.lamport"))
    say("enumerations as numbers", query("u1", field("accessList", 7, S("u1")), "timestamp.lamport"))
    say("a limit below 0", query("u1", OWN, limit=-1))
    say("a cursor that is too long", query("u1", OWN, startAt={"values": [I(1), I(2)]}))
    say("an operator that is none", query("u1", field("accessList", "LIKE", S("u1"))))
    say("no values to be in", query("owner", field("taskId", "IN", {"arrayValue": {}})))
    say("another collection", query("u1", collection="others"))
    say("a list", call("u1", "GET", "/nodes?pageSize=3"))

    say("an account that is not there", call("u1", "GET", "/users/u1"))
    say("a change of it", commit("u1", user("u1", {"a": I(1)}, currentDocument={"exists": True})))
    say("it is made", commit("u1", user("u1", {"a": I(1), "m": M(x=I(1), y=I(2))}, currentDocument={"exists": False})))
    say("a change since", commit("u1", user("u1", {"a": I(1)}, currentDocument={"updateTime": "2020-01-01T00:00:00Z"})))
    say("a mask", commit("u1", user("u1", {"m": M(x=I(5)), "z": I(1)}, updateMask={"fieldPaths": ["m.x", "a"]})))
    say("what it is now", call("u1", "GET", "/users/u1"))
    union = [
        {"fieldPath": "ownedNodes", "appendMissingElements": {"values": [S("a"), S("a"), S("b")]}},
        {"fieldPath": "lastSyncAt", "setToServerValue": "REQUEST_TIME"}]
    for _ in range(2):
        say("a union", commit("u1", user("u1", {}, updateMask={"fieldPaths": []}, updateTransforms=union)))
    union[0] = {"fieldPath": "ownedNodes", "removeAllFromArray": {"values": [S("a")]}}
    say("a difference", commit("u1", user("u1", {}, updateMask={"fieldPaths": []}, updateTransforms=union)))
    say("what it is now", call("u1", "GET", "/users/u1"))
    say("without a mask", call("u1", "PATCH", "/users/u1", {"fields": {"q": I(1)}}))
    say("two writes to it", commit(
        "u1", user("u1", {"r": I(1)}), user("u1", {"s": I(1)}, updateMask={"fieldPaths": ["s"]})))
    say("what it is now", call("u1", "GET", "/users/u1"))
    before = call("u1", "GET", "/users/u1")[1]["updateTime"]
    commit("u1", user("u1", {"r": I(1), "s": I(1)}))
    print("no change, no new time:", call("u1", "GET", "/users/u1")[1]["updateTime"] == before)
    say("another's account", call("u1", "PATCH", "/users/u2", {"fields": {}}))
    say("another's account read", call("u1", "GET", "/users/u2"))
    say("it is deleted", call("u1", "DELETE", "/users/u1"))
    say("it is gone", call("u1", "GET", "/users/u1"))
    say("deleted once more", call("u1", "DELETE", "/users/u1"))
    say("deleted where it must be there", call("u1", "DELETE", "/users/u1?currentDocument.exists=true"))

    numbers_and_alternatives()
    computed()
    transactions()

    deep = I(1)
    for _ in range(20):
        deep = M(a=deep)
    say("20 maps in each other", commit("u1", user("u1", {"q": deep})))
    for what, fields in [
            ("21", {"q": M(a=deep)}), ("an array in an array", {"q": A(A())}), ("a reserved name", {"__x__": I(1)}),
            ("an empty name", {"": I(1)}), ("over 1 MiB", {"q": S("x" * 1_048_600)}),
            ("a type that is none", {"q": {"fooValue": 1}}), ("no integer", {"q": {"integerValue": "x"}})]:
        say(what, commit("u1", user("u1", fields)))
    say("a member that is none", call("u1", "POST", ":commit", {"writess": []}))
    say("no document's name", commit("u1", {"update": {"name": ROOT + "/users", "fields": {}}}))
    answer = call("u1", "POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "nodes"}], "where": both(
        OWN, field("taskId", "EQUAL", S("none")))}})[1]
    print("no result:", [sorted(set(row) - {"done"}) for row in answer])
    print("times:", [SHORT.sub("T", json.dumps(row["document"]["fields"]["createdAt"])) for row in query(
        "u1", OWN, "createdAt", limit=1)[1]])


def numbers_and_alternatives():
    """Numbers about queries, what is not, and what is one or the other."""
    more = [("h", 4, {"taskId": S("t")}), ("i", 5, {"taskId": {"nullValue": None}}),
            ("j", 6, {"taskId": {"doubleValue": "NaN"}, "action": S("UPDATE")})]
    say("three more nodes", commit("u1", *[node(name, ["u1"], lamport, **rest) for name, lamport, rest in more]))
    count = {"count": {}}
    total, mean = ({kind: {"field": {"fieldPath": "timestamp.lamport"}}} for kind in ("sum", "avg"))
    say("a count", numbers("u1", count, where=OWN))
    say("a count, a sum, an average", numbers("u1", count, total, mean, where=OWN))
    say("with names", numbers("u1", {"alias": "n"} | count, count, {"alias": "s"} | total, where=OWN))
    say("up to 2", numbers("u1", {"count": {"upTo": "2"}}, where=OWN))
    say("up to -1", numbers("u1", {"count": {"upTo": "-1"}}, where=OWN))
    say("a name twice", numbers("u1", count, {"alias": "field_1"} | total, where=OWN))
    say("a reserved name", numbers("u1", {"alias": "__x__"} | count, where=OWN))
    say("no numbers", numbers("u1", where=OWN))
    say("no number", numbers("u1", {"alias": "x"}, where=OWN))
    say("the sum of names", numbers("u1", {"sum": {"field": {"fieldPath": "__name__"}}}, where=OWN))
    say("two but the first", numbers("u1", count, total, where=OWN, offset=1, limit=2, orderBy=[
        {"field": {"fieldPath": "timestamp.lamport"}}]))
    say("of nothing", numbers("u1", count, total, mean, where=OWN, limit=0))
    say("of texts", numbers("owner", count, {"sum": {"field": {"fieldPath": "action"}}},
                            {"avg": {"field": {"fieldPath": "action"}}}))
    say("of what few have", numbers("owner", count, {"sum": {"field": {"fieldPath": "taskId"}}}))
    say("a range of names", numbers("u1", count, where=both(
        OWN, field("__name__", "GREATER_THAN_OR_EQUAL", {"referenceValue": ROOT + "/nodes/b"}),
        field("__name__", "LESS_THAN", {"referenceValue": ROOT + "/nodes/h"}))))
    say("a sum behind a range of names", numbers("u1", total, where=both(
        OWN, field("__name__", "LESS_THAN", {"referenceValue": ROOT + "/nodes/h"}))))
    say("for nobody", numbers("nobody", count, where=OWN))
    say("what u1 may read, counted by u2", numbers("u2", count, where=OWN))
    say("all, counted by u1", numbers("u1", count))
    say("another's, counted by name", numbers("u1", count, where=names("IN", "a", "e")))
    say("all, counted by the owner", numbers("owner", count, total))
    say("a transaction that is none", call("u1", "POST", ":runAggregationQuery", {
        "transaction": "AAAA", "structuredAggregationQuery": {
            "structuredQuery": {"from": [{"collectionId": "nodes"}], "where": OWN}, "aggregations": [count]}}))

    lamport = "timestamp.lamport"
    for what, where, order in [
            ("lamport != 1", field(lamport, "NOT_EQUAL", I(1)), []),
            ("lamport not in", field(lamport, "NOT_IN", A(I(1), I(3))), []),
            ("lamport not in, with null", field(lamport, "NOT_IN", A(I(1), {"nullValue": None})), []),
            ("lamport != null", unary(lamport, "IS_NOT_NULL"), []),
            ("lamport is a number", unary(lamport, "IS_NOT_NAN"), []),
            ("!= a text", field(lamport, "NOT_EQUAL", S("1")), []),
            ("!= and above", both(field(lamport, "NOT_EQUAL", I(3)), field(lamport, "GREATER_THAN", I(1))), []),
            ("two that are not", both(field(lamport, "NOT_EQUAL", I(1)), field(lamport, "NOT_EQUAL", I(2))), []),
            ("!= and not in", both(field(lamport, "NOT_EQUAL", I(1)), field(lamport, "NOT_IN", A(I(2)))), []),
            ("in and not in", both(field("action", "IN", A(S("X"))), field(lamport, "NOT_IN", A(I(2)))), []),
            ("or and not in", both(either(field("action", "EQUAL", S("X")), field("action", "EQUAL", S("Y"))),
                                   field(lamport, "NOT_IN", A(I(2)))), []),
            ("not in nothing", field(lamport, "NOT_IN", {"arrayValue": {}}), []),
            ("not in 10", field(lamport, "NOT_IN", A(*map(I, range(10)))), []),
            ("not in 11", field(lamport, "NOT_IN", A(*map(I, range(11)))), []),
            ("not in no array", field(lamport, "NOT_IN", I(1)), []),
            ("another name", field("__name__", "NOT_EQUAL", {"referenceValue": ROOT + "/nodes/b"}), []),
            ("of an action or a task", either(field("action", "EQUAL", S("UPDATE")), field("taskId", "EQUAL", S("t"))), []),
            ("the same by lamport", either(field("action", "EQUAL", S("UPDATE")), field("taskId", "EQUAL", S("t"))),
             [lamport]),
            ("one of one", either(field("action", "EQUAL", S("UPDATE"))), []),
            ("one of 30", either(*[field("action", "EQUAL", S(str(number))) for number in range(30)]), []),
            ("one of 31", either(*[field("action", "EQUAL", S(str(number))) for number in range(31)]), []),
            ("one of 6 and one of 6", both(field("action", "IN", A(*map(S, "abcdef"))),
                                           field("taskId", "IN", A(*map(S, "abcdef")))), []),
            ("two lists", field("accessList", "ARRAY_CONTAINS", S("u2")), [])]:
        say(what, query("u1", both(OWN, where), *order))
    task = [both(OWN, field("taskId", "EQUAL", S("t"))), both(OWN, field("action", "EQUAL", S("UPDATE")))]
    say("what may be read, in each", query("u1", either(*task)))
    say("what may be read, in one", query("u1", either(OWN, field("action", "EQUAL", S("CREATE")))))
    say("of two who may read", query("u1", either(OWN, field("accessList", "ARRAY_CONTAINS", S("u2")))))
    say("two names", query("u1", either(names("EQUAL", "a"), names("EQUAL", "b"))))
    say("one's own, or a name of one's own", query("u1", either(OWN, names("EQUAL", "a"))))
    say("one's own, or a name of another's", query("u1", either(OWN, names("EQUAL", "e"))))
    say("either, counted", numbers("u1", count, where=either(*task)))
    say("not 1, counted", numbers("u1", count, total, where=both(OWN, field(lamport, "NOT_EQUAL", I(1)))))
    values = {"p": I(1), "q": S("x"), "r": {"nullValue": None}, "s": {"doubleValue": "NaN"}, "t": {"doubleValue": 1}}
    for name, value in values.items():
        call("owner", "PATCH", f"/others/{name}", {"fields": {"v": value}})
    call("owner", "PATCH", "/others/u", {"fields": {}})
    for what, where in [
            ("!= 1", field("v", "NOT_EQUAL", I(1))), ("!= x", field("v", "NOT_EQUAL", S("x"))),
            ("not null", unary("v", "IS_NOT_NULL")), ("not NaN", unary("v", "IS_NOT_NAN")),
            ("not in", field("v", "NOT_IN", A(S("x"), S("y")))),
            ("not in, with null", field("v", "NOT_IN", A(S("x"), {"nullValue": None}))),
            ("1 or above x", either(field("v", "EQUAL", I(1)), field("v", "GREATER_THAN_OR_EQUAL", S("x"))))]:
        say("other documents, " + what, query("owner", where, collection="others"))
    say("their sum", numbers("owner", count, {"sum": {"field": {"fieldPath": "v"}}}, collection="others", where=field(
        "v", "GREATER_THAN_OR_EQUAL", I(0))))
    say("a collection below", call("owner", "PATCH", "/others/p/inner/x", {"fields": {}}))
    say("the collections", call("owner", "POST", ":listCollectionIds", {}))
    say("the first of them", call("owner", "POST", ":listCollectionIds", {"pageSize": 1}))
    say("those of a document", call("owner", "POST", "/others/p:listCollectionIds", {}))
    say("those of none", call("owner", "POST", "/others/none:listCollectionIds", {}))
    say("for u1", call("u1", "POST", ":listCollectionIds", {}))
    say("-1 of them", call("owner", "POST", ":listCollectionIds", {"pageSize": -1}))


def computed():
    """Numbers that the service computes."""
    top, bottom = I(2**63 - 1), I(-(2**63))

    def change(value, kind="increment", path="n"):
        return commit("u1", user("u1", {}, updateMask={"fieldPaths": []}, updateTransforms=[
            {"fieldPath": path, kind: value}]))

    call("u1", "DELETE", "/users/u1")
    for value in [I(1), I(2), {"doubleValue": 0.5}, I(1), top]:
        say(f"and {plain(value)}", change(value))
    for before, value in [(top, I(1)), (bottom, I(-1)), (S("x"), I(3)), ({"nullValue": None}, I(3)), (I(3), I(-5))]:
        call("u1", "PATCH", "/users/u1", {"fields": {"n": before}})
        say(f"{plain(before)} and {plain(value)}", change(value))
    for kind in ["maximum", "minimum"]:
        call("u1", "PATCH", "/users/u1", {"fields": {"n": I(3)}})
        for value in [{"doubleValue": 3.0}, {"doubleValue": 4.5}, I(2), {"doubleValue": "NaN"}, I(5)]:
            say(f"the {kind} with {plain(value)}", change(value, kind))
    say("and a text", change(S("x")))
    say("in a map", change(I(2), path="m.k"))
    say("twice", commit("u1", user("u1", {}, updateMask={"fieldPaths": []}, updateTransforms=[
        {"fieldPath": "t", "increment": I(1)}, {"fieldPath": "t", "increment": I(5)}])))
    call("u1", "DELETE", "/users/u1")


def transactions():
    """Transactions, one at a time: Google's emulator locks what is read."""
    def begin(who="u1", **options):
        return call(who, "POST", ":beginTransaction", {"options": options} if options else {})[1]["transaction"]

    def read(id, who="u1"):
        return call(who, "POST", ":batchGet", {"documents": [ROOT + "/users/u1"], "transaction": id})

    def end(id, *writes, who="u1"):
        return call(who, "POST", ":commit", {"writes": list(writes), "transaction": id})

    def give_up(**members):
        return call("u1", "POST", ":rollback", members)

    change = user("u1", {"z": I(1)})
    say("two modes of a transaction", call(
        "u1", "POST", ":beginTransaction", {"options": {"readOnly": {}, "readWrite": {}}}))
    say("again one that is none", call("u1", "POST", ":beginTransaction", {
        "options": {"readWrite": {"retryTransaction": "AAAA"}}}))
    id = begin()
    say("what is not there, in a transaction", read(id))
    say("it is written", end(id, change))
    say("once more", end(id, change))
    say("read once more", read(id))
    say("rolled back once more", give_up(transaction=id))
    id = begin()
    say("rolled back", give_up(transaction=id))
    say("twice", give_up(transaction=id))
    say("written nevertheless", end(id, change))
    say("one that is none, rolled back", give_up(transaction="AAAA"))
    say("none, rolled back", give_up())
    say("one that is none, written", end("AAAA", change))
    say("no Base64", end("!", change))
    id = begin(readOnly={})
    say("read only", read(id))
    say("written", end(id, user("u1", {"z": I(2)})))
    id = begin(readOnly={})
    say("nothing written", end(id))
    id = begin(readWrite={})
    say("a query in one", call("u1", "POST", ":runQuery", {"transaction": id, "structuredQuery": {
        "from": [{"collectionId": "nodes"}], "where": OWN, "limit": 1, "orderBy": [{"field": {"fieldPath": "createdAt"}}]}}))
    say("a number in one", call("u1", "POST", ":runAggregationQuery", {"transaction": id, "structuredAggregationQuery": {
        "structuredQuery": {"from": [{"collectionId": "nodes"}], "where": OWN}, "aggregations": [{"count": {}}]}}))
    say("and its end", end(id, change))
    for what, body in [
            (":runQuery", {"structuredQuery": {"from": [{"collectionId": "nodes"}], "where": OWN, "limit": 1}}),
            (":batchGet", {"documents": [ROOT + "/users/u1"]})]:
        answer = call("u1", "POST", what, body | {"newTransaction": {"readOnly": {}}})[1]
        print(what, "begins one:", [sorted(set(row) - {"done"}) for row in answer])
        say("it ends", give_up(transaction=answer[0]["transaction"]))
    call("u1", "DELETE", "/users/u1")


def contention():
    """What a transaction has read and somebody changes: the commit is refused, and nothing is written."""
    def begin(who="u1"):
        return call(who, "POST", ":beginTransaction", {})[1]["transaction"]

    def get(id, who="u1"):
        return call(who, "POST", ":batchGet", {"documents": [ROOT + "/users/u1"], "transaction": id})

    def end(id, number, who="u1"):
        return call(who, "POST", ":commit", {
            "writes": [user("u1", {"z": I(number)})], "transaction": id})

    call("u1", "PATCH", "/users/u1", {"fields": {"z": I(0)}})
    ids = [begin() for _ in range(3)]
    for id in ids:
        get(id)
    say("the first", end(ids[0], 1))
    say("the second", end(ids[1], 2))
    say("what it is now", call("u1", "GET", "/users/u1"))
    say("the third reads again", get(ids[2]))
    say("and writes", end(ids[2], 3))
    id = begin()
    say("a count in one", call("u1", "POST", ":runAggregationQuery", {"transaction": id, "structuredAggregationQuery": {
        "structuredQuery": {"from": [{"collectionId": "nodes"}], "where": OWN}, "aggregations": [{"count": {}}]}}))
    commit("u1", node("late", ["u1"], 9))
    say("a node came", end(id, 4))
    id = begin()
    get(id)
    say("another client's", end(id, 5, "u2"))
    say("its own", end(id, 5))
    id = begin()
    call("u1", "GET", "/users/u1?transaction=" + urllib.parse.quote(id))
    call("u1", "PATCH", "/users/u1", {"fields": {"z": I(6)}})
    say("read by GET", end(id, 7))
    say("what it is now", call("u1", "GET", "/users/u1"))
    say("an earlier time", call("u1", "GET", "/users/u1?readTime=2026-01-01T00:00:00Z"))
    say("nobody", call("nobody", "POST", ":beginTransaction", {}))
    for _ in range(100):
        answer = call("u1", "POST", ":beginTransaction", {})
    say("the hundredth", answer)
    say("one more", call("u1", "POST", ":beginTransaction", {}))
    say("for another", call("u2", "POST", ":beginTransaction", {}))


def own():
    """What redo's server has of its own."""
    say("an expired token", call("token:" + token("u1", exp=2), "GET", "/nodes/a"))
    say("no token", call("token:abc", "GET", "/nodes/a"))
    say("a token for a crypto user id", call("0123456789abcdef0123456789abcdef", "GET", "/nodes/a"))
    say("501 writes", commit("u1", *[user("u1", {"q": I(1)})] * 501))
    say("six numbers", numbers("u1", *[{"count": {}}] * 6, where=OWN))
    say("a sum without an index", numbers("u1", {"sum": {"field": {"fieldPath": "author.deviceId"}}}, where=OWN))
    say("over 10 MiB", call("u1", "POST", ":commit", b" " * (10 * 1024 * 1024 + 1)))
    say("an access list that is a map", commit("u1", node("m", [], accessList=M(u1=I(1)))))
    say("another database", call("u1", "GET", "/nodes/a", root=f"/v1/projects/{PROJECT}/databases/x/documents"))
    say("another project", call("u1", "GET", "/nodes/a", root="/v1/projects/other/databases/(default)/documents"))
    say("a document of another project", commit("u1", {"update": {"name": ROOT.replace("demo", "other") + "/users/u1"}}))
    say("listening", call("u1", "POST", ":listen", {}))
    contention()
    for path, order in [
            ("accessList", ["-timestamp.lamport"]), ("accessList", ["createdAt", "-__name__"]),
            ("accessList", ["timestamp.wall"]), ("version", []), ("data.fields.title", [])]:
        where = OWN if path == "accessList" else both(OWN, field(path, "EQUAL", I(1)))
        status, body = query("u1", where, *order)
        print(f"{path} {' '.join(order)}: {body['error']['status']} {body['error']['message'].split('. ')[0]}")
    for where, order in [
            (OWN, "timestamp.lamport"), (OWN, "-timestamp.wall"), (OWN, "createdAt"), (OWN, "-createdAt"),
            (both(OWN, field("action", "EQUAL", S("CREATE"))), "timestamp.lamport"),
            (both(OWN, field("taskId", "EQUAL", S("t"))), "timestamp.lamport")]:
        print(f"{json.dumps(where).count('fieldPath')} filters, {order}:", query("u1", where, order)[0])
    for order in [[], ["timestamp.lamport"], ["-createdAt"]]:
        print(f"taskId {' '.join(order)}:", query("owner", field("taskId", "EQUAL", S("t")), *order)[0])


def value(json_value):
    """A value of JSON as one of Firestore."""
    if isinstance(json_value, dict):
        return M(**{name: value(each) for name, each in json_value.items()})
    if isinstance(json_value, list):
        return A(*map(value, json_value))
    for kind, name in [(bool, "booleanValue"), (str, "stringValue"), (float, "doubleValue"), (type(None), "nullValue")]:
        if isinstance(json_value, kind):
            return {name: json_value}
    return I(json_value)


def push(who, path, size, *readers):
    """Makes documents of nodes, in the order of the file."""
    with open(path, encoding="utf-8") as file:
        nodes = [json.loads(line) for line in file]
    for start in range(0, len(nodes), int(size)):
        part = nodes[start:start + int(size)]
        writes = []
        for each in part:
            fields = {name: value(member) for name, member in each.items()} | {"accessList": A(*map(S, readers))}
            writes.append({
                "update": {"name": f"{ROOT}/nodes/{each['id']}", "fields": fields},
                "currentDocument": {"exists": False},
                "updateTransforms": [{"fieldPath": "createdAt", "setToServerValue": "REQUEST_TIME"}]})
        status, body = commit(who, *writes)
        if status != 200:
            print(status, body["error"]["status"], file=sys.stderr)
            continue
        for each in part:
            print(each["id"], flush=True)


def fetch(who, member="createdAt"):
    """All that may be read, ten at a time, from the last one on."""
    order = [member, "__name__"] if member != "__name__" else [member]
    where, after = field("accessList", "ARRAY_CONTAINS", S(who)), {}
    while True:
        status, body = query(who, where, *order, limit=10, **after)
        if status != 200:
            sys.exit(f"{status} {body}")
        rows = [row["document"] for row in body if "document" in row]
        for document in rows:
            print(document["name"].rsplit("/", 1)[1])
        if len(rows) < 10:
            return
        last = rows[-1]
        values = [{"referenceValue": last["name"]}]
        if member != "__name__":
            value = {"mapValue": last}
            for name in member.split("."):
                value = value["mapValue"]["fields"][name]
            values.insert(0, value)
        after = {"startAt": {"values": values, "before": False}}


def main():
    global PORT
    if sys.argv[1] == "token":
        print(token(sys.argv[2]))
        return
    PORT = int(sys.argv[2])
    if sys.argv[1] == "call":
        status, body = call(*sys.argv[3:6], json.loads(sys.argv[6]) if len(sys.argv) > 6 else None)
        print(status, json.dumps(body, sort_keys=True))
    else:
        if sys.argv[1] in ("push", "fetch"):
            KEPT.append(http.client.HTTPConnection("127.0.0.1", PORT, timeout=300))
        {"facts": facts, "own": own, "push": push, "fetch": fetch}[sys.argv[1]](*sys.argv[3:])


main()
