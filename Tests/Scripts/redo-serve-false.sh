#!/bin/bash
# redo serve --firestore: what somebody puts under the id of a node and is not that node never hides it, whichever way the
# node comes, and whether it came before. The client shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
facts() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
call() { facts call "$PORT" "$@"; }
body() { python3 "$SCRIPTS/node-documents.py" "$@"; }
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }

demo 100 >all.ndjson
# node <n>: the node of that line in a file of its own; its id is ID.
node_of() {
  sed -n "$1p" all.ndjson >"node-$1"
  ID=$(ids_of <"node-$1")
  NODE=$PWD/node-$1
}
redo init -q store
cat >accounts <<END
ada $(digest ada-token) write $PWD/store
eve $(digest eve-token) write $PWD/store
rep $(digest rep-token) replica:write $PWD/store
root $(digest root-token) admin $PWD/store
END
chmod 600 accounts
begin() { serve --firestore=demo --accounts=accounts --rate=0; }
begin
# expect_call <status> <account> <method> <path> [<json>]
expect_call() {
  local status=$1 account=$2
  shift 2
  run call "token:$account-token" "$@"
  expect_equal "$(head -c 3 "$OUT")" "$status" "$account ${*:1:2}"
}
# title <account>: the title that an account reads at ID; its status if it does not.
title() {
  call "token:$1-token" GET "/nodes/$ID" | python3 -c 'import json, sys
status, body = sys.stdin.read().split(" ", 1)
print(status if status != "200" else json.loads(body)["fields"]["data"]["mapValue"]["fields"]["fields"]["mapValue"]["fields"]["title"]["stringValue"])'
}
# told: the title that the node says.
told() { python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["data"]["fields"]["title"])' "$NODE"; }
# listed <account>: how many documents a query gives that asks for the id and the account's own list.
listed() {
  call "token:$1-token" POST :runQuery "{\"structuredQuery\":{\"from\":[{\"collectionId\":\"nodes\"}],\"where\":{\"compositeFilter\":{\"op\":\"AND\",\"filters\":[{\"fieldFilter\":{\"field\":{\"fieldPath\":\"accessList\"},\"op\":\"ARRAY_CONTAINS\",\"value\":{\"stringValue\":\"$1\"}}},{\"fieldFilter\":{\"field\":{\"fieldPath\":\"id\"},\"op\":\"EQUAL\",\"value\":{\"stringValue\":\"$ID\"}}}]}}}}" |
    grep -o '"createTime"' | wc -l
}
creates=($(grep -n '"action":"CREATE".*"fields":' all.ndjson | cut -d : -f 1))
[ ${#creates[@]} -ge 12 ] || fail "too few tasks" </dev/null

scene "a false document stands there first: the node takes its place when it is posted, created or committed"
way=0
for form in title signature; do
  for how in PATCH POST commit; do
    node_of "${creates[$way]}"
    way=$((way + 1))
    expect_call 200 eve PATCH "/nodes/$ID" "$(body $form $NODE eve)"
    expect_call 403 ada GET "/nodes/$ID"
    case $how in
    PATCH) expect_call 200 ada PATCH "/nodes/$ID" "$(body true $NODE ada)" ;;
    POST) expect_call 200 ada POST "/nodes?documentId=$ID" "$(body true $NODE ada)" ;;
    commit)
      expect_call 200 ada POST :commit "{\"writes\":[{\"update\":{\"name\":\"projects/demo/databases/(default)/documents/nodes/$ID\",$(body true $NODE ada | cut -c 2-),\"currentDocument\":{\"exists\":false}}]}"
      ;;
    esac
    expect_equal "$(title ada)" "$(told)" "$form $how: the title"
    expect_equal "$(listed ada)" 1 "$form $how: who posted it"
    expect_equal "$(listed eve)" 0 "$form $how: who posted the false one"
    expect_call 403 eve GET "/nodes/$ID"
    redo -C store log --format='%(id)' | grep -q "$ID" || fail "it is not in the history" <server.log
  done
done

scene "another false document does not take the place of a false one, nor of the node"
node_of "${creates[6]}"
expect_call 200 eve PATCH "/nodes/$ID" "$(body title $NODE eve)"
expect_call 403 ada PATCH "/nodes/$ID" "$(body title $NODE ada)"
expect_call 403 ada PATCH "/nodes/$ID" "$(body signature $NODE ada)"
expect_call 409 ada POST "/nodes?documentId=$ID" "$(body title $NODE ada)"
expect_call 200 ada PATCH "/nodes/$ID" "$(body true $NODE ada)"
expect_call 403 eve PATCH "/nodes/$ID" "$(body title $NODE eve)"
expect_call 403 eve PATCH "/nodes/$ID" "$(body true $NODE eve)"
expect_equal "$(title ada)" "$(told)" "the title"

scene "an admin deletes and overwrites what is no node of the history, and nothing that is"
node_of "${creates[7]}"
for form in title signature; do
  expect_call 200 eve PATCH "/nodes/$ID" "$(body $form $NODE eve)"
  expect_call 200 root PATCH "/nodes/$ID" "$(body title $NODE root)"
  expect_call 200 root DELETE "/nodes/$ID"
  expect_call 404 root GET "/nodes/$ID"
done
expect_call 200 root PATCH "/notes/a/b/c" '{"fields":{"a":{"integerValue":"1"}}}'
expect_call 200 root DELETE "/notes/a/b/c"
node_of "${creates[0]}"
for form in title signature canonical; do
  expect_call 400 root PATCH "/nodes/$ID" "$(body $form $NODE ada root)"
  expect_stdout_has FAILED_PRECONDITION
done
expect_call 400 root PATCH "/nodes/$ID?updateMask.fieldPaths=action" '{"fields":{"action":{"stringValue":"DELETE"}}}'
expect_call 400 root DELETE "/nodes/$ID"
expect_equal "$(title ada)" "$(told)" "the title"
expect_call 200 root PATCH "/nodes/$ID?updateMask.fieldPaths=accessList" '{"fields":{"accessList":{"arrayValue":{"values":[{"stringValue":"ada"},{"stringValue":"eve"}]}}}}'
expect_equal "$(title eve)" "$(told)" "the title for another reader"

scene "the node comes by a push, or is written here: it takes the place as well"
redo init -q device && redo -C device remote add depot "http://127.0.0.1:$PORT"
echo rep-token >token && chmod 600 token
redo -C device remote set depot tokenFile "$PWD/token"
node_of "${creates[8]}"
expect_call 200 eve PATCH "/nodes/$ID" "$(body signature $NODE eve rep)"
redo -C device import -q "$NODE" >/dev/null
run redo -C device push depot
expect_status 0
expect_equal "$(title rep)" "$(told)" "the title"
expect_equal "$(listed rep)" 1 "what a query finds"
expect_call 403 eve GET "/nodes/$ID"
expect_call 400 root DELETE "/nodes/$ID"
node_of "${creates[9]}"
expect_call 200 eve PATCH "/nodes/$ID" "$(body title $NODE eve rep)"
redo -C store import -q "$NODE" >/dev/null
expect_equal "$(title rep)" "$(told)" "the title"
expect_equal "$(listed eve)" 0 "what a query finds for the other"
expect_call 403 eve PATCH "/nodes/$ID" "$(body title $NODE eve)"
expect_equal "$(title rep)" "$(told)" "the title afterwards"

scene "a body in 'canonical' beside other fields: the node is taken, and shown as it is"
node_of "${creates[10]}"
expect_call 200 eve PATCH "/nodes/$ID" "$(body canonical $NODE eve)"
expect_equal "$(title eve)" "$(told)" "the title"
redo -C store log --format='%(id)' | grep -q "$ID" || fail "it is not in the history" <server.log

scene "a node that cannot be read keeps its place until somebody sends it again"
node_of "${creates[11]}"
redo -C store import -q "$NODE" >/dev/null
expect_equal "$(title rep)" "$(told)" "the title"
object=store/.redo/objects/${ID:7:2}/${ID:9}
[ -e "$object" ] || fail "it is not loose" </dev/null
chmod u+w "$object" && alter "$object" 30
expect_call 403 rep GET "/nodes/$ID"
for form in title signature; do
  expect_call 403 eve PATCH "/nodes/$ID" "$(body $form $NODE eve)"
  expect_call 409 eve POST "/nodes?documentId=$ID" "$(body $form $NODE eve)"
  expect_call 400 root PATCH "/nodes/$ID" "$(body $form $NODE root)"
done
expect_call 200 ada PATCH "/nodes/$ID" "$(body true $NODE ada)"
expect_equal "$(title ada)" "$(told)" "the title"
expect_clean store

scene "all of it is so when the server starts again"
begin
for number in 0 1 2 3 4 5 6 8 9 11; do
  node_of "${creates[$number]}"
  expect_equal "$(title root)" "$(told)" "the title of $number"
done
node_of "${creates[7]}"
expect_call 404 root GET "/nodes/$ID"
expect_equal "$(head -n 1 store/.redo/firestore/documents)" "redo-firestore 2" "the first line"
