#!/bin/bash
# redo serve --firestore: it answers as Google's emulator does, what is posted is a node of the store, what the
# store has is a document, and what was answered is there whatever happens. The client shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
facts() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
call() { facts call "$PORT" "$@"; }
ids() { redo -C "$1" log --format='%(id)' | sort; }
documents() { facts fetch "$PORT" "$1" | sort; }
# firestore <store> [<option>...]: a server for tests.
firestore() {
  local store=$1
  shift
  serve --firestore=demo --emulator "$@" "$store"
}

scene "the same answers as Google's emulator gives"
redo init -q plain
firestore plain
run facts facts "$PORT"
expect_stderr ''
expect_stdout_file "$SCRIPTS/firestore-facts.txt"

scene "what it has of its own: expired tokens, 500 writes, 10 MiB, declared indexes, transactions that lock nothing"
run facts own "$PORT"
expect_stdout <<'END'
an expired token: 401 UNAUTHENTICATED
no token: 401 UNAUTHENTICATED
a token for a crypto user id: 401 UNAUTHENTICATED
501 writes: 400 INVALID_ARGUMENT
six numbers: 400 INVALID_ARGUMENT
a sum without an index: 400 FAILED_PRECONDITION
over 10 MiB: 400 INVALID_ARGUMENT
an access list that is a map: 403 PERMISSION_DENIED
another database: 404 NOT_FOUND
another project: 404 NOT_FOUND
a document of another project: 400 INVALID_ARGUMENT
listening: 501 UNIMPLEMENTED
the first: 200 [[]]
the second: 409 ABORTED
what it is now: 200 {"z": 1}
the third reads again: 409 ABORTED
and writes: 400 INVALID_ARGUMENT
a count in one: 200 {"field_1": 7}
a node came: 409 ABORTED
another client's: 400 INVALID_ARGUMENT
its own: 200 [[]]
read by GET: 409 ABORTED
what it is now: 200 {"z": 6}
an earlier time: 501 UNIMPLEMENTED
nobody: 403 PERMISSION_DENIED
the hundredth: 200
one more: 429 RESOURCE_EXHAUSTED
for another: 200
accessList -timestamp.lamport: FAILED_PRECONDITION The query requires an index: nodes: accessList (ARRAY) + timestamp.lamport (DESC)
accessList createdAt -__name__: FAILED_PRECONDITION The query requires an index: nodes: accessList (ARRAY) + createdAt (ASC) + __name__ (DESC)
accessList timestamp.wall: FAILED_PRECONDITION The query requires an index: nodes: accessList (ARRAY) + timestamp.wall (ASC)
version : FAILED_PRECONDITION The query requires an index: 'version' of 'nodes' has none
data.fields.title : FAILED_PRECONDITION The query requires an index: 'data.fields.title' of 'nodes' has none
1 filters, timestamp.lamport: 200
1 filters, -timestamp.wall: 200
1 filters, createdAt: 200
1 filters, -createdAt: 200
2 filters, timestamp.lamport: 200
2 filters, timestamp.lamport: 200
taskId : 200
taskId timestamp.lamport: 200
taskId -createdAt: 400
END

scene "documents stay when the server starts again, in the same order, with the same times"
call u1 POST :runQuery '{"structuredQuery":{"from":[{"collectionId":"nodes"}],"where":{"fieldFilter":{"field":{"fieldPath":"accessList"},"op":"ARRAY_CONTAINS","value":{"stringValue":"u1"}}},"orderBy":[{"field":{"fieldPath":"createdAt"}}],"select":{"fields":[{"fieldPath":"createdAt"}]}}}' |
  sed 's/"readTime": "[^"]*"//g' >before
firestore plain
call u1 POST :runQuery '{"structuredQuery":{"from":[{"collectionId":"nodes"}],"where":{"fieldFilter":{"field":{"fieldPath":"accessList"},"op":"ARRAY_CONTAINS","value":{"stringValue":"u1"}}},"orderBy":[{"field":{"fieldPath":"createdAt"}}],"select":{"fields":[{"fieldPath":"createdAt"}]}}}' |
  sed 's/"readTime": "[^"]*"//g' >after
expect_equal "$(grep -o createTime before | wc -l)" 7 "documents"
cmp before after || fail "they are others" < <(diff before after)

scene "nodes that are posted are in the store's history: checked like what is pushed"
redo init -q store
firestore store
demo 100 >all.ndjson
run facts push "$PORT" u1 all.ndjson 30 u1 u2
expect_stderr ''
expect_stdout_lines 100
sort "$OUT" >expected
ids store >found
cmp expected found || fail "the history has others" < <(diff expected found | head -5)
expect_clean store
redo init -q whole
redo -C whole import -q "$PWD/all.ndjson" >/dev/null
expect_equal "$(redo -C store state --hash)" "$(redo -C whole state --hash)" "the state"
expect_equal "$(documents u2)" "$(cat expected)" "what u2 may read"
expect_equal "$(documents u3)" "" "what u3 may read"
expect_equal "$(facts fetch "$PORT" u2 __name__)" "$(cat expected)" "page by page, by name"
expect_equal "$(facts fetch "$PORT" u2 timestamp.lamport | sort)" "$(cat expected)" "page by page, by lamport"

scene "forged, changed and foreign nodes stay documents, and do not come into the store"
before=$(redo -C store log --format=x | wc -l)
forged "$VECTORS/log/linear.ndjson" | head -3 >forged.ndjson
sed 's/"lamport":1,/"lamport":9,/' "$VECTORS/log/linear.ndjson" | head -1 >changed.ndjson
cat forged.ndjson changed.ndjson | sort -u -t '"' -k1,1 >wrong.ndjson
run facts push "$PORT" u1 forged.ndjson 3 u1
expect_stdout_lines 3
expect_equal "$(redo -C store log --format=x | wc -l)" "$before" "nodes of the history"
expect_equal "$(documents u1 | wc -l)" 103 "documents"
grep -q signature server.log || fail "the log does not tell why" <server.log

scene "children that come before their parents wait, and are in the history when these have come"
redo init -q late
firestore late
facts push "$PORT" u1 "$VECTORS/log/children-first.ndjson" 1 u1 >/dev/null
redo init -q early
redo -C early import -q "$VECTORS/log/children-first.ndjson" >/dev/null 2>&1
expect_equal "$(redo -C late state --hash)" "$(redo -C early state --hash)" "the state"

scene "nodes that came other ways appear as documents of the store's replicas, as long as they have no access list"
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
cat >accounts <<END
ada $(digest ada-token) replica:write $PWD/whole
bob $(digest bob-token) replica:read $PWD/whole
eve $(digest eve-token) replica:write $PWD/early
dan $(digest dan-token) write $PWD/whole
root $(digest root-token) admin $PWD/whole
END
chmod 600 accounts
serve --firestore=demo --accounts=accounts
where='{"structuredQuery":{"from":[{"collectionId":"nodes"}],"where":{"fieldFilter":{"field":{"fieldPath":"accessList"},"op":"ARRAY_CONTAINS","value":{"stringValue":"ada"}}},"orderBy":[{"field":{"fieldPath":"createdAt"}}]}}'
call token:ada-token POST :runQuery "$where" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" 100 "documents"
call token:dan-token POST :runQuery "${where/ada/dan}" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" 0 "documents of who sees documents"
expect_equal "$(call token:root-token GET "/nodes?pageSize=300" | grep -o '"createTime"' | wc -l)" 100 "documents"
call token:eve-token POST :runQuery "${where/ada/eve}" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" "$(redo -C early log --format=x | wc -l)" "documents of another store"

scene "numbers are of what the account may see, and a transaction is bound by its account's rights"
counted() { call "token:$1" POST :runAggregationQuery "{\"structuredAggregationQuery\":{\"structuredQuery\":{\"from\":[{\"collectionId\":\"nodes\"}]$3},\"aggregations\":[{\"alias\":\"n\",\"count\":{}},{\"alias\":\"s\",\"sum\":{\"field\":{\"fieldPath\":\"timestamp.lamport\"}}}]}}" |
  python3 -c 'import json, sys
status, body = sys.stdin.read().split(" ", 1)
body = json.loads(body)
print(status, *([] if status != "200" else [body[0]["result"]["aggregateFields"][name]["integerValue"] for name in "ns"]))' >counts
  expect_equal "$(cat counts)" "$2" "$1 $3"; }
list() { echo ",\"where\":{\"fieldFilter\":{\"field\":{\"fieldPath\":\"accessList\"},\"op\":\"ARRAY_CONTAINS\",\"value\":{\"stringValue\":\"$1\"}}}"; }
sum=$(python3 -c 'import json
print(sum(json.loads(line)["timestamp"]["lamport"] for line in open("all.ndjson")))')
counted ada-token "200 100 $sum" "$(list ada)"
counted ada-token "200 100 $sum" ""
counted bob-token "200 100 $sum" "$(list bob)"
counted dan-token "200 0 0" "$(list dan)"
counted dan-token "403" ""
counted dan-token "403" "$(list ada)"
counted root-token "200 100 $sum" ""
counted other-token "401" "$(list ada)"
for row in 'ada-token 200' 'bob-token 403' 'dan-token 403'; do
  id=$(call "token:${row% *}" POST :beginTransaction '{}' | sed 's/.*"transaction": "\([^"]*\)".*/\1/')
  run call "token:${row% *}" POST :commit "{\"transaction\":\"$id\",\"writes\":[{\"update\":{\"name\":\"projects/demo/databases/(default)/documents/users/ada\",\"fields\":{}}}]}"
  expect_equal "$(head -c 3 "$OUT")" "${row##* }" "$row"
done

scene "what is committed here is a document at once"
redo -C whole import -q "$VECTORS/log/linear.ndjson" >/dev/null
call token:ada-token POST :runQuery "$where" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" 118 "documents"
id=$(sed -n 's/.*"id":"\(sha256:[0-9a-f]*\)".*/\1/p;1q' "$VECTORS/log/linear.ndjson")
run call token:bob-token GET "/nodes/$id"
expect_equal "$(head -c 3 "$OUT")" 200 "a node for bob"
expect_stdout_has '"accessList": {"arrayValue": {"values": [{"stringValue": "ada"}, {"stringValue": "bob"}]}}'

scene "rights: who may only read writes nothing, wrong tokens are refused, an admin is above the rules"
body='{"fields":{"displayName":{"stringValue":"x"}}}'
for row in 'ada-token 200' 'bob-token 403' 'other-token 401' 'root-token 200'; do
  run call "token:${row% *}" PATCH "/users/$(sed 's/root/ada/;s/-.*//' <<<"$row")" "$body"
  expect_equal "$(head -c 3 "$OUT")" "${row##* }" "$row"
done
expect_equal "$(call nobody GET "/nodes/$id" | head -c 3)" 403 "nobody"
expect_equal "$(call token:root-token DELETE "/nodes/$id" | grep -o FAILED_PRECONDITION)" \
  FAILED_PRECONDITION "a node of the history"

scene "what was wiped is no document any more, posted or not"
firestore store
ids store | head -1 >one
run call u1 GET "/nodes/$(cat one)"
expect_equal "$(head -c 3 "$OUT")" 200 "before"
redo -C store wipe --all --yes >/dev/null 2>&1
run call u1 GET "/nodes/$(cat one)"
expect_equal "$(head -c 3 "$OUT")" 403 "afterwards"
firestore store
run call u1 GET "/nodes/$(cat one)"
expect_equal "$(head -c 3 "$OUT")" 403 "when it has started again"
expect_equal "$(redo -C store log --format=x | wc -l)" 0 "nodes"
! grep -aqF "$(cut -c 8- one)" store/.redo/firestore/documents || fail "its bytes are still there" </dev/null

scene "kill -9 between commits and in them: what was answered is there, as document and in the history"
redo init -q hard
: >answered
demo 600 >many.ndjson
for round in 1 2 3 4 5 6; do
  firestore hard
  facts push "$PORT" u1 <(sed -n "$((round * 100 - 99)),$((round * 100))p" many.ndjson) 4 u1 >>answered 2>/dev/null &
  pusher=$!
  enough=$(($(wc -l <answered) + RANDOM % 40 + 1))
  while [ "$(wc -l <answered)" -lt $enough ] && kill -0 $pusher 2>/dev/null; do sleep 0.05; done
  sleep "0.0$((RANDOM % 10))"
  kill -KILL "$SERVER_PID"
  wait "$SERVER_PID" 2>/dev/null
  SERVER_PID=''
  wait "$pusher" 2>/dev/null
done
firestore hard
documents u1 >found
sort answered >expected
[ -s expected ] || fail "nothing was answered" <server.log
comm -23 expected found >lost
[ ! -s lost ] || fail "answered, and gone" <lost
{ ids hard; redo -C hard quarantine list 2>/dev/null | grep -o 'sha256:[0-9a-f]\{64\}'; } | sort -u >found
comm -23 expected found >lost
[ ! -s lost ] || fail "answered, and neither in the history nor waiting" <lost
stop_server
redo -C hard quarantine promote >/dev/null 2>&1
redo -C hard gc -q --grace=0s >/dev/null 2>&1
expect_clean hard

scene "a torn end is cut off, and told; other damage stops it, and stays as it is"
log=hard/.redo/firestore/documents
size=$(stat -c %s "$log")
printf '@0000' >>"$log"
firestore hard
grep -q '5 bytes of a write that was never acknowledged were cut off' server.log || fail "not told" <server.log
expect_equal "$(stat -c %s "$log")" "$size" "bytes"
stop_server
alter "$log" 200
before=$(sha256sum <"$log")
run redo serve --firestore --emulator --http=127.0.0.1:0 hard
expect_error 128 "'$PWD/$log' is damaged at byte 17"
expect_equal "$(sha256sum <"$log")" "$before" "the file"

scene "a second server for the same store is refused"
firestore plain
run redo -c core.lockTimeout=100 serve --firestore --emulator --http=127.0.0.1:0 plain
expect_error 75 'another server has the documents of this store open'

scene "SIGTERM ends it; the wire is answered on the same port"
redo init -q device
redo -C device remote add depot "http://127.0.0.1:$PORT"
redo -C device import -q "$PWD/all.ndjson" >/dev/null
run redo -C device push depot
expect_status 0
expect_equal "$(call owner GET "/nodes?pageSize=300" | grep -o '"sha256:[0-9a-f]*"' | sort -u | wc -l)" 100 "nodes"
stop_server
expect_equal "$STATUS" 0 "the status"

scene "what makes no sense is refused"
run redo serve --firestore plain
expect_status 129
expect_stderr_has "option '--firestore' needs '--accounts', or '--emulator' for tests"
run redo serve --firestore --emulator --http=0.0.0.0:0 plain
expect_status 129
expect_stderr_has "with '--emulator' anybody is who he says: only this machine may reach it"
run redo serve --firestore=a/b --emulator --http=127.0.0.1:0 plain
expect_status 129
expect_stderr_has "option '--firestore' expects the id of a project, not 'a/b'"
run redo serve --http=127.0.0.1:0 --emulator plain
expect_status 129
expect_stderr_has "option '--emulator' belongs to '--firestore'"
sed 's/^ada/0123456789abcdef0123456789abcdef/' accounts >wrong-accounts
chmod 600 wrong-accounts
run redo serve --firestore --accounts=wrong-accounts --http=127.0.0.1:0
expect_error 128 "the account '0123456789abcdef0123456789abcdef' cannot have documents"

scene "of a store with receipts the nodes are documents, and no receipt is, also of those that come meanwhile"
redo init -q mixed
redo -C mixed key generate >/dev/null 2>&1
redo -C mixed import -q <all.ndjson >/dev/null
receipt() { echo '{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":[]}' | redo -C mixed receipt create; }
receipt >receipts
echo "root $(digest root-token) admin $PWD/mixed" >mixed-accounts
chmod 600 mixed-accounts
serve --firestore=demo --accounts=mixed-accounts
call token:root-token GET "/nodes?pageSize=300" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" 100 "documents"
receipt >>receipts
redo -C mixed commit create -q --title="beside it" >/dev/null
receipt >>receipts
call token:root-token GET "/nodes?pageSize=300" >rows
expect_equal "$(grep -o '"createTime"' rows | wc -l)" 101 "documents"
redo cid -d $(cat receipts) | sed 's/^sha256:\([0-9a-f]*\) .*/\1/' >ids
grep -qFf ids rows && fail "there is a receipt" <rows
grep -q 'Blue Dream' rows && fail "there is a receipt" <rows
expect_clean mixed
