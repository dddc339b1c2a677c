# What is in a project that we did not write, and what is there already: documents of the app, a mirror that was
# deleted, a users document that is full, a program that is killed.

scene "documents as the app writes them become the nodes that they are, and these the state"
stores ios
project
APP=105903772564891234567
admin load "$VECTORS/firestore/app-documents.ndjson" || fail "they are refused" </dev/null
joins ios $APP
redo init -q expected
redo -C expected import -q "$VECTORS/firestore/app-nodes.ndjson" >/dev/null || fail "no nodes" </dev/null
run redo -C ios fetch -q --json
expect_status 0
expect_stderr ''
expect_equal "$(json 'len(d["fetched"])')" 12 "what is fetched"
cmp -s <(redo -C ios log --json) <(redo -C expected log --json) || fail "other nodes" < <(redo -C ios log --json)
same_here ios expected
run redo -C ios verify --all --profile=sync
expect_status 0
run redo -C ios state
expect_stdout_has '"title":"Buy groceries"'
redo -C ios push -q --all || fail "they cannot be pushed again" </dev/null
expect_equal "$(documents)" 12 documents

scene "those that are changed are told by name and kept, and all others are taken"
admin load "$VECTORS/firestore/damaged-documents.ndjson"
redo init -q other
joins other $APP
run redo -C other fetch -q
expect_status 1
cp "$ERR" told
damaged=$(grep -o '"name": "[^"]*' "$VECTORS/firestore/damaged-documents.ndjson" | sed 's|.*/||')
for id in $damaged; do
  grep -qF "$id" told || fail "'$id' is not told" <told
  run redo -C other quarantine show "$id"
  expect_status 0
done
same_here other expected
expect_clean other
for id in $damaged; do
  admin delete "nodes/$id"
  redo -C other quarantine drop "$id" >/dev/null || fail "it is kept" </dev/null
done
pull other
run redo -C other quarantine list
expect_stdout ''

scene "a second push of a whole log after the mirror was deleted: nothing is sent twice, nothing is lost"
platforms web ios
for number in $(seq 120); do
  printf '{"action":"CREATE","fields":{"title":"Task %d"}}\n' "$number"
done | redo -C web commit -q --stdin >/dev/null
push web
[ -d web/.redo/remotes/origin/firestore ] || fail "there is no mirror" < <(find web/.redo/remotes)
rm -r web/.redo/remotes/origin/firestore
run redo -C web push --json
expect_status 0
expect_equal "$(json 'd["pushed"], d["refused"]')" "([], [])" "what is pushed"
rm -r web/.redo/remotes/origin
run redo -C web push --all
expect_status 0
expect_stderr_has "has all 120 changes of this store"
expect_equal "$(documents)" 120 documents
pull ios
same web ios server

scene "a mirror that is damaged, or of another project, is thrown away"
for damage in 'printf x >$file' 'truncate -s -3 $file' ': >$file' 'head -c 4096 /dev/urandom >$file'; do
  for file in $(find ios/.redo/remotes/origin/firestore -type f); do eval "$damage"; done
  redo -C web commit -q create --title=More >/dev/null
  push web
  pull ios
  same web ios
done
expect_clean ios

scene "the server is asked only for what is new"
forget
pull ios
few=$(answered)
[ "$few" -lt 300000 ] || fail "$few bytes for nothing" <"$REQUESTS"
expect_equal "$(asked in)" "0 0 0" "documents asked for by name"

scene "a users document that is full stops nothing"
platforms web ios
python3 -c 'import hashlib, json
ids = ["sha256:" + hashlib.sha256(b"%d" % number).hexdigest() for number in range(14300)]
print(json.dumps({"fields": {"ownedNodes": {"arrayValue": {"values": [{"stringValue": one} for one in ids]}}}}))' >user
admin put "users/$ANN" user || fail "the document does not fit" </dev/null
for number in $(seq 300); do
  printf '{"action":"CREATE","fields":{"title":"Task %d"}}\n' "$number"
done | redo -C web commit -q --stdin >/dev/null
run redo -C web push --json
expect_status 0
expect_equal "$(json 'len(d["pushed"])')" 300 "nodes pushed"
run redo -C web push --verify -q
expect_status 0
expect_equal "$(documents)" 300 documents
pull ios
same web ios server

# kill_helper_of <pid>: the child of that command alone, whose name is longer than the system keeps.
kill_helper_of() {
  local helper
  helper=$(cat "/proc/$1"/task/*/children | tr ' ' '\n' | head -1)
  [ -n "$helper" ] || fail "there is no such program" < <(ps -ef)
  kill -KILL "$helper"
}

scene "kill -9 of the program that talks to Firestore: the next run has everything, and half of it from before"
platforms web
hundred_tasks web
push web
redo init -q ios
joins ios "$ANN" "$BOB"
trouble "list 1 stall 500000"
forget
redo -C ios fetch -q --no-retry 2>late.err &
fetcher=$!
wait_for late.err $fetcher grep -q '"what": "stall"' "$REQUESTS"
kill_helper_of $fetcher
wait $fetcher
expect_equal $? 75 "its status"
expect_equal "$(grep -c '^fatal: ' late.err)" 1 "messages"
expect_equal "$(redo -C ios log --format='%(id)' | wc -l)" 0 nodes
trouble
forget
pull ios
[ "$(answered)" -lt 1100000 ] || fail "$(answered) bytes: nothing was kept" </dev/null
same web ios
nothing_waits ios
expect_clean ios

scene "kill -9 of a push: the next one ends it, without a duplicate"
stores web
project
joins web "$ANN" "$BOB"
hundred_tasks web
trouble "commit 1 stall 1"
forget
redo -C web push -q --no-retry 2>late.err &
pusher=$!
# What was committed is there, and nobody has been told.
wait_for late.err $pusher grep -q '"what": "stall"' "$REQUESTS"
kill_helper_of $pusher
wait $pusher
expect_equal $? 75 "its status"
trouble
run redo -C web push --json
expect_status 0
expect_equal "$(json 'd["refused"]')" "[]" "what is refused"
expect_equal "$(documents)" 100 documents
expect_equal "$(admin get "users/$ANN" | python3 -c 'import json, sys
owned = json.load(sys.stdin)["ownedNodes"]
print(len(owned), len(set(owned)))')" "100 100" "owned nodes"
