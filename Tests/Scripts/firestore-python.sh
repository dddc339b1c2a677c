#!/bin/bash
# The Python package google-cloud-firestore reads, queries and makes nodes on redo's server, and its protobuf types
# read what redo says.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"

VENV=$TESTS/../.build/firestore-venv
ours() { "$VENV/bin/python" "$SCRIPTS/firestore-python.py" "$@"; }
has_package() { "$VENV/bin/python" -c 'import google.cloud.firestore, requests' 2>/dev/null; }
if ! has_package; then
  rm -rf "$VENV"
  timeout 300 python3 -m venv "$VENV" >venv.log 2>&1 &&
    timeout 300 "$VENV/bin/pip" install -q google-cloud-firestore requests >>venv.log 2>&1
fi
has_package || {
  scene "the package google-cloud-firestore"
  skip "it cannot be installed here (pip install google-cloud-firestore)"
  exit 0
}
token() { python3 "$SCRIPTS/firestore-facts.py" token "$1"; }

scene "documents are made, read, asked for and changed; what the rules and indexes refuse is refused"
redo init -q store
serve --firestore=demo --emulator store
demo 120 >nodes.ndjson
run ours works "$PORT" "$(token u1)" "$(token u2)" nodes.ndjson
expect_stderr ''
expect_stdout <<END
an account before: False
with a time: True
afterwards: {"deep": {"x": {"y": "00ff", "z": -3}}, "displayName": "Ada", "ownedNodes": ["b"], "tags": ["a", null, true]}
a change of what has changed: 400 BadRequest
another's account: 403 Forbidden
made: 50
made: 50
made: 20
made again: 409 Conflict
a node changed: 403 Forbidden
a node deleted: 403 Forbidden
by lamport: 120 True
the newest: 3
page by page: 120 120 True
by name: True
of an action: $(grep -c '"action":"CREATE"' nodes.ndjson) $(grep -c '"action":"CREATE"' nodes.ndjson)
without an index: 400 BadRequest
all of them: 403 Forbidden
of somebody else: 403 Forbidden
as they were made: 20
an account afterwards: False
END

scene "what the package has made are nodes of the store"
redo init -q other
redo -C other import -q "$PWD/nodes.ndjson" >/dev/null
expect_equal "$(redo -C store state --hash)" "$(redo -C other state --hash)" "the state"
expect_clean store

scene "what the server answers is read by the package's types, and nothing in it is unknown to them"
run ours answers "$PORT" "$(token u1)"
expect_stderr ''
expect_stdout <<'END'
CommitResponse 1
Document 1
Document 1
BatchGetDocumentsResponse 1
RunQueryResponse 20
RunQueryResponse 1
ListDocumentsResponse 1
every type: []
END

scene "what redo's client sends is read by them, too"
"$VENV/bin/python" "$SCRIPTS/firestore-python.py" proxy "$PORT" sent.ndjson >proxy.port 2>proxy.log &
PROXY=$!
at_exit 'kill $PROXY'
until [ -s proxy.port ]; do
  kill -0 $PROXY 2>/dev/null || fail "the proxy does not start" <proxy.log
  sleep 0.05
done
for device in one two; do
  redo init -q $device
  redo -C $device remote add cloud firestore://demo
  redo -C $device remote set cloud account u1
  redo -C $device remote set cloud endpoint "http://127.0.0.1:$(cat proxy.port)"
done
redo -C one import -q "$VECTORS/log/linear.ndjson" >/dev/null
run redo -C one push cloud
expect_status 0
run redo -C two fetch cloud
expect_status 0
run ours requests sent.ndjson
expect_stderr ''
expect_stdout_has 'CommitRequest parsed'
expect_stdout_has 'RunQueryRequest parsed'
