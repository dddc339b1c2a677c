#!/bin/bash
# redo-remote-firestore: a Firestore is a remote like others. It is listed once and remembered, what is no node
# there is reported and kept, and each failure has its code. The other side is redo's own server.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
if ! link_network; then
  scene "a Firestore"
  skip "there is no 'redo-net' beside '$REDO_BIN'"
  exit 0
fi
. "$TESTS/Scripts/http.bash"
at_exit stop_server
firestore() { python3 "$SCRIPTS/firestore.py" "$PORT" "$@"; }

# users <account>=<name>...: stores with keys, each with a collection of that account as remote; the server is new.
users() {
  stop_server
  stores $(printf '%s ' "${@#*=}")
  redo init -q server
  serve --firestore=demo --emulator server
  local word
  for word; do collection "${word#*=}" "${word%%=*}"; done
}
# collection <store> <account>: the remote `origin`.
collection() {
  redo -C "$1" remote add origin firestore://demo
  redo -C "$1" remote set origin account "$2"
  redo -C "$1" remote set origin endpoint "http://127.0.0.1:$PORT"
}
# hide <id>: the account may not read this node any more.
hide() { firestore set "nodes/$1" accessList '{"arrayValue":{"values":[{"stringValue":"nobody"}]}}'; }
# requests: how many of which kind the last traced command made.
requests() { sed -n 's/.*"event":"request","name":"\([a-z]*\)".*/\1/p' "$WORK/trace" | sort | uniq -c | xargs; }
traced() {
  rm -f "$WORK/trace"
  REDO_TRACE=$WORK/trace run "$@"
}
# many <store> <count>: makes this many tasks.
many() {
  for number in $(seq "$2"); do echo "{\"action\":\"CREATE\",\"fields\":{\"title\":\"$number\"}}"; done |
    redo -C "$1" -c core.fsync=none commit -q --stdin >/dev/null
}

scene "what one store pushes, another one of the same account fetches; nothing more to do is two requests"
users ada=a ada=b
on a 10:00:00.000 create -t $TASK --title=A
on a 10:01:00.000 update -t $TASK --priority=1
traced redo -C a push
expect_status 0
expect_stderr "pushed 2 new changes to 'origin'"
expect_equal "$(requests)" "1 commit 1 list 1 users" "requests"
run redo -C b fetch
expect_status 0
expect_stderr "fetched 2 new changes of 1 task from 'origin'"
same a b server
traced redo -C b sync
expect_status 0
expect_stderr ''
expect_equal "$(requests)" "1 count 1 sum" "requests"

scene "the account's document names the nodes, the devices and the time"
ids=$(redo -C a log --format='%(id)' --reverse | xargs)
run firestore get users/ada
expect_equal "$(json '" ".join(d["ownedNodes"]), len(d["deviceIds"]), "lastSyncAt" in d')" "('$ids', 1, True)" "users/ada"
expect_equal "$(json 'd["totalNodes"], "lastActivity" in d')" "(2, True)" "how many, and when"

scene "devices of others are not named as the account's"
redo init -q bob
redo -C bob key generate >/dev/null 2>&1
redo -C bob commit -q create --title=B >/dev/null
redo -C a fetch -q "$PWD/bob"
redo -C a push -q
run firestore get users/ada
expect_equal "$(json 'len(d["ownedNodes"]), len(d["deviceIds"]), d["totalNodes"]')" "(3, 1, 3)" "users/ada"
redo -C b fetch -q

scene "a new account in the project of another one is told what stands in the way"
redo init -q new
redo -C new fetch -q "$PWD/a"
collection new newcomer
run redo -C new push --all
expect_status 1
expect_stderr_has "is refused by 'origin': other-account: a document of this id is there that the account 'newcomer' may not read"
expect_stderr_has "hint: documents of other accounts stand in the way, and the rules forbid everybody to change them; use another project for this account"
many a 40
redo -C a push -q
redo -C new fetch -q "$PWD/a"
run redo -C new push --all
expect_status 77
expect_stderr_has "they are of other accounts, and the rules forbid everybody to change them; use another project for this account"
redo -C b fetch -q

scene "another account sees nothing of it, unless the access list has it"
run redo init -q c
collection c grace
run redo -C c fetch
expect_status 0
expect_stderr ''
redo -C a remote set origin accessList grace,linus
on a 10:02:00.000 create -t $OTHER --title=shared
push a
run redo -C c fetch
expect_status 0
expect_stderr "fetched 1 new change of 1 task from 'origin'"

scene "K18: by the account's document, ids are asked for by tens, or by as many as are set"
users ada=a ada=b ada=c
many a 60
push a
redo -C b remote set origin listing owned
traced redo -C b fetch -q
expect_status 0
expect_equal "$(requests)" "6 ids 1 user" "requests"
expect_equal "$(grep '"name":"ids"' "$WORK/trace" | grep -c '"count":10,')" 6 "batches of 10"
redo -C c remote set origin listing owned
redo -C c remote set origin batch 30
traced redo -C c fetch -q
expect_equal "$(requests)" "2 ids 1 user" "requests"
same a b c
run redo -C c remote set origin batch 31
expect_status 128
expect_stderr_has "bad value '31' for 'batch': not a number from 1 to 30"

scene "ids that are not there cost no more than their halves, and keep nobody from the others"
hide "$(firestore names | sed -n 7p)"
run redo init -q d
collection d ada
redo -C d remote set origin listing owned
traced redo -C d fetch
expect_status 0
expect_stderr "fetched 59 new changes of 59 tasks from 'origin'"
# Of one batch the halves, and so on, to the one.
count=$(grep -c '"name":"ids"' "$WORK/trace")
[ "$count" -ge 12 ] && [ "$count" -le 14 ] || fail "$count requests" <"$WORK/trace"

scene "K19, K20: an edited document is told with both its faults and kept; its neighbours are taken"
users ada=a ada=b
on a 10:00:00.000 create -t $TASK --title=A
on a 10:00:01.000 create -t $OTHER --title=B
push a
on a 10:00:02.000 update -t $TASK --priority=1
edited=$(cat "$OUT")
# Where the node itself is, the server takes no other.
redo -C a log -n 1 --json | sed 's/"parents":\["[^"]*"\]/"parents":["sha256:nonexistent"]/' >edited.ndjson
firestore put "nodes/$edited" "$(python3 "$SCRIPTS/node-documents.py" true edited.ndjson ada | sed 's/^{"fields": //; s/}$//')"
firestore put nodes/strange '{"accessList":{"arrayValue":{"values":[{"stringValue":"ada"}]}}}'
run redo -C b fetch
expect_status 1
expect_stderr_has "error: 'origin', '$edited': hashMismatch: the body hashes to"
expect_stderr_has "error: ValidationError: missing parent sha256:nonexistent (Invalid parent reference) in $edited"
expect_stderr_has "an id is 'sha256:' and 64 lower-case hex digits, not 'strange'"
expect_stderr_has "fetched 2 new changes of 2 tasks from 'origin'"
expect_equal "$(redo -C b state --json | wc -l)" 2 "tasks"
expect_clean b
run redo -C b fetch -q --json
expect_status 1
expect_equal "$(json 'sorted(r["rule"] for r in d["refused"]), {r["where"] for r in d["refused"]}')" \
  "(['hash-mismatch', 'id-form', 'parent-missing'], {'there'})" "the object"

scene "the quarantine lists, shows and drops such documents"
run redo -C b quarantine list
expect_status 0
expect_stdout_has "$edited document - - - -"
expect_equal "$(wc -l <"$OUT")" 2 "rows"
run redo -C b quarantine show "${edited:7:12}"
expect_status 0
expect_equal "$(json 'd["name"].endswith("'"$edited"'")')" True "the document"
run redo -C b quarantine drop "$edited"
expect_status 0
expect_stdout "$edited document - - - -"
run redo -C b quarantine drop --all -q
expect_status 0
run redo -C b quarantine list
expect_stdout ''

scene "who has the genuine node puts it in the place of the other one"
run redo -C a push
expect_status 0
firestore delete nodes/strange
run redo -C b fetch
expect_status 0
same a b

scene "K19: a node without its parent waits, until the parent comes"
users ada=a ada=b
on a 10:00:00.000 create -t $TASK --title=A
parent=$(cat "$OUT")
on a 10:01:00.000 update -t $TASK --priority=1
child=$(cat "$OUT")
push a
hide "$parent"
run redo -C b fetch
expect_status 1
expect_stderr_has "error: ValidationError: missing parent $parent (Invalid parent reference) in $child"
expect_stdout ''
run redo -C b quarantine list
expect_stdout_has "$child waits $parent"

scene "a remote that has lost nodes is noticed, and what another account holds is not believed to be there"
run redo -C a remote check
expect_status 1
expect_stderr_has "warning: 'origin' lacks 1 change that it had"
run redo -C a push
expect_status 1
expect_stderr_has "warning: 'origin' lacks 1 change that it had"
expect_stderr_has "'$parent' is refused by 'origin': other-account: a document of this id is there that the account 'ada' may not read"
firestore set "nodes/$parent" accessList '{"arrayValue":{"values":[{"stringValue":"ada"}]}}'
run redo -C a push
expect_status 0
expect_stderr ''
run redo -C b fetch
expect_status 0
same a b

scene "a node that is asked for and gone is noticed, too"
run redo init -q c
collection c ada
run redo -C c remote check
expect_status 0
rm c/.redo/remotes/origin/firestore/bodies
hide "$child"
run redo -C c fetch
expect_status 1
expect_stderr_has "warning: 'origin' lacks 1 change that it had"
run redo -C c log --format='%(id)'
expect_stdout "$parent"

scene "--task and --since choose, and bring the ancestors"
users ada=a ada=b ada=c
on a 10:00:00.000 create -t $TASK --title=A
on a 10:01:00.000 create -t $OTHER --title=B
on a 10:02:00.000 update -t $OTHER --priority=1
push a
run redo -C b fetch --task=$OTHER
expect_status 0
expect_stderr "fetched 2 new changes of 1 task from 'origin'"
run redo -C b fetch
expect_stderr "fetched 1 new change of 1 task from 'origin'"
run redo -C c fetch --since=2025-11-16T10:02:00.000Z
expect_stderr "fetched 2 new changes of 1 task from 'origin'"

scene "what nobody signed travels only where both want it"
on c 10:03:00.000 create --title=unsigned --unsigned
run redo -C c push
expect_status 1
expect_stderr_has "error: 1 change here is not sent to 'origin': 1 has no signature (sha256:"
run redo -C c push -q --allow-unsigned
expect_status 0
run redo -C b fetch
expect_status 1
expect_stderr_has "error: 1 change at 'origin' is not taken: 1 has no signature (sha256:"
run redo -C b fetch --allow-unsigned
expect_status 0
expect_stderr "fetched 1 new change of 1 task from 'origin'"

scene "a node that no document can hold is refused by name, and nothing else suffers"
users ada=a ada=b
printf '{"action":"CREATE","fields":{"title":"large","description":"%s"}}\n' "$(head -c 1047500 /dev/zero | tr '\0' x)" |
  redo -C a commit -q --stdin >"$WORK/large"
printf '{"action":"CREATE","fields":{"title":"half","description":"%s"}}\n' "$(head -c 600000 /dev/zero | tr '\0' x)" |
  redo -C a commit -q --stdin >/dev/null
on a 10:00:00.000 create -t $TASK --title=A
run redo -C a push
expect_status 1
expect_stderr_has "'$(cat "$WORK/large")' is refused by 'origin': declined: Firestore cannot carry it: the document would have"
expect_stderr_has "pushed 2 new changes to 'origin'"
run redo -C b fetch
expect_status 0
expect_stderr "fetched 2 new changes of 2 tasks from 'origin'"

scene "a node that is there and must not be read is refused, and so is what follows it"
users grace=a ada=b
on a 10:00:00.000 create -t $TASK --title=A
first=$(cat "$OUT")
push a
on a 10:01:00.000 update -t $TASK --priority=1
second=$(cat "$OUT")
redo -C b fetch -q "$PWD/a"
on b 10:02:00.000 create -t $OTHER --title=B
run redo -C b push
expect_status 1
expect_stderr_has "'$first' is refused by 'origin': other-account: a document of this id is there that the account 'ada' may not read"
expect_stderr_has "'$second' is refused by 'origin': parent-refused: held back"
expect_stderr_has "pushed 1 new change to 'origin'"

scene "interrupted at any place, the next run goes on; no batch is asked for twice"
users ada=a ada=b
many a 200
push a
redo -C b remote set origin listing owned
: >"$WORK/trace"
count=0
for _ in 1 2 3 4 5 6; do
  REDO_TRACE=$WORK/trace redo -C b fetch -q --no-retry >/dev/null 2>&1 &
  fetch=$!
  while [ "$(grep -c '"name":"ids"' "$WORK/trace")" -lt $((count + 3)) ] && kill -0 $fetch; do sleep 0.01; done
  helper=$(pgrep -P $fetch)
  [ -z "$helper" ] || kill -9 $helper
  wait $fetch
  count=$(grep -c '"name":"ids"' "$WORK/trace")
done 2>/dev/null
REDO_TRACE=$WORK/trace run redo -C b fetch -q
expect_status 0
same a b
# A request that was answered and not remembered is made again, one for each interruption.
count=$(grep -c '"name":"ids"' "$WORK/trace")
[ "$count" -ge 20 ] && [ "$count" -le 26 ] || fail "$count batches for 20" <"$WORK/trace"

scene "a mirror that is cut off or damaged is looked for again; one that is gone, too"
mirror=b/.redo/remotes/origin/firestore/mirror
redo -C b remote set origin listing access
run redo -C b fetch -q
cp $mirror whole
size=$(stat -c %s whole)
for at in 0 5 17 18 30 500 $((size / 2)) $((size - 1)); do
  head -c $at whole >$mirror
  run redo -C b fetch -q
  expect_status 0
  expect_stderr ''
  cp whole $mirror
  printf '\377' | dd of=$mirror bs=1 seek=$((at < size ? at : size - 1)) conv=notrunc 2>/dev/null
  run redo -C b sync -q
  expect_status 0
  expect_stderr ''
done
rm -r b/.redo/remotes/origin/firestore
run redo -C b remote check
expect_status 0
expect_stdout_has "nodesThere: 200"

scene "two runs at once: one waits for the other, or comes again"
exec 9>b/.redo/remotes/origin/firestore/lock
mkfifo hold
python3 -c 'import fcntl, struct, sys
fcntl.fcntl(9, 37, struct.pack("hhqqi4x", 1, 0, 0, 0, 0))
open("held", "w").close()
sys.stdin.read()' <hold &
holder=$!
exec 8>hold
until [ -e held ]; do
  kill -0 $holder 2>/dev/null || fail "nobody holds it" </dev/null
  sleep 0.05
done
run redo -C b -c core.lockTimeout=100 fetch --no-retry
expect_status 75
expect_stderr_has "another command is talking to 'origin', and has not ended"
exec 8>&- 9>&-
wait $holder
run redo -C b fetch -q
expect_status 0

scene "another project under the same name is another store"
stop_server
serve --firestore=other --emulator server
redo -C b remote set origin url firestore://other
redo -C b remote set origin endpoint "http://127.0.0.1:$PORT"
run redo -C b fetch
expect_status 76
expect_stderr_has "'origin' is another store than the one that was met first"

scene "a status decides, not the code of HTTP, and has its code and status here"
stores a
redo -C a remote add origin firestore://demo
redo -C a remote set origin account ada
while read -r status code word text; do
  echo "$code application/json {\"error\":{\"code\":$code,\"message\":\"so it is\",\"status\":\"$word\"}}" >answers
  python3 "$SCRIPTS/firestore.py" serve answers >peer.port 2>peer.log &
  server=$!
  until [ -s peer.port ]; do
    kill -0 $server 2>/dev/null || fail "the peer does not start" <peer.log
    sleep 0.05
  done
  redo -C a remote set origin endpoint "http://127.0.0.1:$(cat peer.port)"
  run redo -C a fetch --no-retry
  kill $server
  wait $server 2>/dev/null
  : >peer.port
  expect_status "$status"
  expect_stderr_has "$text"
  expect_stderr_has "$word"
done <<'END'
77 401 UNAUTHENTICATED FIREBASE_001: the list of nodes: the token is not accepted
77 403 PERMISSION_DENIED FIREBASE_001: the list of nodes: the account 'ada' may not do that
75 429 RESOURCE_EXHAUSTED FIREBASE_002: the list of nodes
75 503 UNAVAILABLE FIREBASE_002
75 400 ABORTED FIREBASE_002
128 400 FAILED_PRECONDITION FIREBASE_003: the list of nodes is refused
128 409 INVALID_ARGUMENT FIREBASE_003
END

scene "settings that make no sense are told by name"
run redo -C a remote set origin account 0123456789abcdef0123456789abcdef
expect_error 128 "not the id of an account, but the user id of a key pair"
run redo -C a -c remote.origin.account=0123456789abcdef0123456789abcdef fetch
expect_status 128
expect_stderr_has "32 hex digits are the user id of a key pair, not the id of an account"
redo -C a remote set --unset origin account
run redo -C a fetch
expect_status 128
expect_stderr_has "the setting 'account' is needed"
redo -C a remote set origin account ada
redo -C a remote set origin endpoint https://127.0.0.1:1
run redo -C a fetch --no-retry
expect_status 77
expect_stderr_has "FIREBASE_001: there is no token"
run redo-remote-firestore origin firestore://demo walk
expect_status 129
expect_stderr_has "there is no service 'walk'"
