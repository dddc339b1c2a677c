#!/bin/bash
# Quotas of accounts: documents that are no nodes, their bytes, and what lies in the quarantine; and what is no longer needed
# goes while the server runs. The client shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
facts() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
call() { facts call "$PORT" "$@"; }
body() { python3 "$SCRIPTS/node-documents.py" "$@"; }
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
client() { python3 "$SCRIPTS/http-clients.py" "$@"; }

demo 60 >all.ndjson
redo init -q store && redo init -q depot
cat >accounts <<END
ada $(digest ada-token) write $PWD/store
eve $(digest eve-token) write $PWD/store
rep $(digest rep-token) replica:write $PWD/depot
dan $(digest dan-token) write $PWD/depot
root $(digest root-token) admin $PWD/store
END
chmod 600 accounts
begin() { serve --firestore=demo --accounts=accounts --rate=0; }
# expect_call <status> <account> <method> <path> [<json>]
expect_call() {
  local status=$1 account=$2
  shift 2
  run call "token:$account-token" "$@"
  expect_equal "$(head -c 3 "$OUT")" "$status" "$account ${*:1:2}"
}
# junk <n>: a document under an id that is that of no node, which begins as all others do; ID is the id.
junk() {
  ID=sha256:$(printf '%016d%048x' 7 "$1")
  JUNK="{\"fields\":{\"id\":{\"stringValue\":\"$ID\"},\"version\":{\"integerValue\":\"1\"},\"accessList\":{\"arrayValue\":{\"values\":[{\"stringValue\":\"eve\"}]}}}}"
}
# text <account> <bytes> [<count>]: its own document, with a text of that size; prints the last number, or the refusal.
text() { python3 "$SCRIPTS/document-writer.py" "$PORT" "$1" "$2" word "${3:-1}" | tail -n 1; }

scene "documents that are no nodes are counted, each for the account that wrote it; nodes are not"
redo -C store config serve.quota.documents 3
begin
for number in 1 2 3; do
  junk "$number"
  expect_call 200 eve PATCH "/nodes/$ID" "$JUNK"
done
junk 4
expect_call 429 eve PATCH "/nodes/$ID" "$JUNK"
expect_stdout_has RESOURCE_EXHAUSTED
# A node of its own is none of them.
demo 200 | tail -n 100 | grep -m 1 '"parents":\[\]' >own.ndjson
expect_call 200 eve PATCH "/nodes/$(ids_of <own.ndjson)" "$(body true own.ndjson eve)"
expect_call 429 eve PATCH "/nodes/$ID" "$JUNK"
expect_stdout_has RESOURCE_EXHAUSTED
expect_stdout_has "the quota 'serve.quota.documents' of 'eve' is 3: 3 are in use, and there would be 4"
expect_call 429 eve PATCH "/users/eve" '{"fields":{}}'
expect_call 200 ada PATCH "/users/ada" '{"fields":{}}'
run facts push "$PORT" token:ada-token all.ndjson 30 ada
expect_stdout_lines 60
expect_stderr ''

scene "the count is the same when the server starts again; what is deleted, or becomes a node, is free"
begin
expect_call 429 eve PATCH "/nodes/$ID" "$JUNK"
junk 2
expect_call 200 root DELETE "/nodes/$ID"
expect_call 200 eve PATCH "/users/eve" '{"fields":{"a":{"integerValue":"1"}}}'
expect_call 200 eve PATCH "/users/eve" '{"fields":{"a":{"integerValue":"2"}}}'
expect_call 429 eve PATCH "/nodes/$ID" "$JUNK"
expect_call 200 eve DELETE "/users/eve"
demo 61 | tail -n 1 >next.ndjson
next=$(ids_of <next.ndjson)
expect_call 200 eve PATCH "/nodes/$next" "$(body title next.ndjson eve)"
expect_call 429 eve PATCH "/users/eve" '{"fields":{}}'
redo -C store import -q "$PWD/next.ndjson" >/dev/null
expect_call 200 eve PATCH "/users/eve" '{"fields":{}}'

scene "the bytes of these documents have a limit; what makes less of them always goes"
redo -C store config serve.quota.documents 0
redo -C store config serve.quota.bytes 200k
begin
expect_equal "$(text ada 150000)" 1 "the first"
expect_equal "$(text ada 160000 3)" 3 "overwritten"
text ada 210000 >"$OUT"
expect_stdout_has 429
expect_stdout_has "the quota 'serve.quota.bytes' of 'ada' is 204800: 160"
redo -C store config serve.quota.bytes 100k
begin
expect_equal "$(text ada 150000)" 1 "it becomes less"
text ada 150001 >"$OUT"
expect_stdout_has 429
expect_equal "$(text ada 90000)" 1 "within the limit"

scene "what is overwritten is gone while the server runs, and what was answered is there"
redo -C store config serve.quota.bytes 0
begin
log=store/.redo/firestore/documents
expect_equal "$(text ada 1000000 60)" 60 "writes, each read again"
size=$(stat -c %s $log)
[ "$size" -lt 40000000 ] || fail "the log has $size bytes" <server.log
begin
expect_call 200 ada GET "/users/ada?mask.fieldPaths=word"
expect_stdout_has word-60
expect_equal "$(call token:root-token GET "/nodes?pageSize=300" | grep -o '"createTime"' | wc -l)" 64 "nodes, and two that are none"
expect_clean store

scene "kill -9 while the log is written anew: what was answered is there, and nothing else is left"
for round in 1 2 3 4; do
  python3 "$SCRIPTS/document-writer.py" "$PORT" ada 1000000 "round-$round" 0 >answered 2>/dev/null &
  writer=$!
  # The log is being written anew, or has just been.
  until ls store/.redo/firestore/ | grep -q tmp_ || [ "$(wc -l <answered)" -ge $((36 + round)) ]; do :; done
  kill -KILL "$SERVER_PID"
  wait "$SERVER_PID" 2>/dev/null
  SERVER_PID=''
  wait "$writer"
  begin
  call token:ada-token GET "/users/ada?mask.fieldPaths=word" >"$OUT"
  number=$(sed -n "s/.*round-$round-\([0-9]*\).*/\1/p" "$OUT")
  [ "${number:-0}" -ge "$(wc -l <answered)" ] || fail "round $round: answered $(wc -l <answered)" <"$OUT"
  expect_equal "$(ls store/.redo/firestore | paste -sd' ')" "documents lock" "the files"
  expect_equal "$(call token:root-token GET "/nodes?pageSize=300" | grep -o '"createTime"' | wc -l)" 64 "documents"
done
expect_clean store

scene "what pushes leave that break off is gone when they have: nobody has to push again"
incoming=depot/.redo/quarantine/incoming
begin
TOKEN=rep-token client abort "$PORT" 8 2 "$incoming"
for _ in $(seq 200); do
  [ -n "$(ls $incoming)" ] || break
  sleep 0.1
done
expect_equal "$(ls $incoming)" '' "what is left"

scene "what comes counts as long as it is not taken in, that of all pushes of an account together"
redo -C depot config serve.quota.quarantine 1m
begin
TOKEN=rep-token run client post "$PORT" large
expect_stdout_has "fault limit beyond a limit: the quota 'serve.quota.quarantine' of 'rep' is 1048576 bytes"
TOKEN=rep-token run client beside "$PORT" 600 "$incoming"
expect_stdout_has "fault limit beyond a limit: the quota 'serve.quota.quarantine' of 'rep' is 1048576 bytes"

scene "a client says it in one line, and what fits goes on"
redo init -q device && redo -C device key generate >/dev/null 2>&1
redo -C device remote add depot "http://127.0.0.1:$PORT"
echo rep-token >token && chmod 600 token
redo -C device remote set depot tokenFile "$PWD/token"
python3 -c 'import base64, json, os
for _ in range(6):
    text = base64.b64encode(os.urandom(400000)).decode()
    print(json.dumps({"action": "CREATE", "fields": {"title": "large", "description": text}}))' |
  redo -C device commit -q --stdin >/dev/null
run redo -C device push -q depot
expect_error 128 "'depot': the other side says: limit: beyond a limit: the quota 'serve.quota.quarantine' of 'rep' is 1048576 bytes"
redo -C depot config serve.quota.quarantine 0
run redo -C device push -q depot
expect_status 0
expect_clean depot

scene "changes that wait for their parents have half of it, and the account is known when the server starts again"
redo init -q late && redo -C late key generate >/dev/null 2>&1
redo -C late commit -q create --title=first >/dev/null
TASK=$(redo -C late log --format='%(task)')
for number in $(seq 12); do
  redo -C late commit -q update -t "$TASK" --description="$(printf "%04000d" "$number")" >/dev/null
done
chain=($(redo -C late log --reverse --task="$TASK" --format='%(id)'))
redo -C late archive create -q -o "$PWD/part.pack" "${chain[0]}..${chain[9]}" >/dev/null
redo -C late archive create -q -o "$PWD/more.pack" "${chain[9]}..${chain[12]}" >/dev/null
redo -C depot config serve.quota.quarantine 40k
begin
waiting() { redo -C depot quarantine list | wc -l; }
wire send "$PORT" rep-token came part.pack
wire rows came >"$OUT"
expect_stdout_has "the quota 'serve.quota.quarantine' of 'rep' is used up"
# Half of 40 KiB, and each has a little more than 4,000 bytes.
expect_equal "$(waiting)" 4 "what waits"
begin
wire send "$PORT" rep-token came more.pack
expect_equal "$(waiting)" 4 "what waits"
head -c 48 depot/.redo/quarantine/owners | head -n 1 >"$OUT"
expect_stdout 'redo-owners 1'
expect_clean depot
# Who did not send them has room, and their parents always come.
redo -C late log --task="$TASK" --json | grep "\"id\":\"${chain[0]}\"" >part.ndjson
run facts push "$PORT" token:dan-token part.ndjson 1 dan
expect_stdout_lines 1
expect_equal "$(waiting)" 0 "what waits"
redo -C late remote add depot "http://127.0.0.1:$PORT"
redo -C late remote set depot tokenFile "$PWD/token"
redo -C depot config serve.quota.quarantine 1m
run redo -C late push -q depot
expect_status 0
expect_equal "$(redo -C depot log --task="$TASK" --format=x | wc -l)" 13 "changes of the task"
expect_clean depot
