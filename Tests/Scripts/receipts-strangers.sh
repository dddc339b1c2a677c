#!/bin/bash
# Receipts and peers that are not redo, or are and lie: a server that ignores what is asked, packs of the wrong kind, receipts that
# nobody asked for, that are broken, forged or private, and what comes before its parents. An independent program speaks.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "receipts of strangers" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
wire() { "$PYTHON" "$TESTS/Scripts/wire.py" "$@"; }
packed() { "$PYTHON" "$TESTS/Scripts/peer.py" pack "$1"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
id_of() { redo cid -d "$(cid_of)" | cut -d' ' -f1; }
plain() { sed 's/,"received":[0-9]*//' "$@" | sort; }
held() { redo -C "$1" export -q --kind=receipt --include-precise --include-received | plain; }
# says <lines> [<what>...]: the next connection is one to a peer that has these lines.
says() {
  local file=$PWD/$1
  shift
  echo "peer $file $*" >>"$WORK/trouble"
}
# give <store> <lines> [<word>...]: a client sends these lines in a pack, as a program that is not redo; what it is told.
give() {
  packed "$2" >pack.bin
  wire give pack.bin "${@:3}" | redo serve --stdio "$1" >said.bin 2>said.err
  wire rows said.bin | grep -Ev '^(hello|checkpoint)' || true
}
KIND=kind-receipt

made --type=card >card
made --text=first >first
ROOT=$(cid_of <first)
made --type=edited --parent="$ROOT" --root="$ROOT" --text=second >second
SECOND=$(cid_of <second)
made --type=edited --parent="$SECOND" --root="$ROOT" --text=third >third
cat card first second third >chain

scene "a peer that is no redo hands over what it has: packs of version 2, the cards by which they are judged wherever they come"
redo init -q own
redo -C own remote add peer "ssh://host/peer"
cat third first second card >mixed
says mixed word=$KIND
run redo -C own fetch --kind=receipt --no-retry peer
expect_status 0
expect_stderr_has "fetched 4 new receipts of 2 chains from 'peer'"
expect_equal "$(held own)" "$(plain chain)" "what has come"
redo -C own verify >/dev/null || fail "not whole" </dev/null

scene "a server that does not repeat the word speaks of nodes: nothing of it is believed, 77"
redo init -q other
redo -C other remote add peer "ssh://host/peer"
redo init -q nodes && redo -C nodes import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo -C nodes export -q >nodes.ndjson
says nodes.ndjson
run redo -C other fetch --kind=receipt --no-retry peer
expect_error 77 "'peer' exchanges no receipts"
says chain
run redo -C other fetch --kind=receipt --no-retry peer
expect_error 77 "'peer' exchanges no receipts"
says chain
run redo -C other push --kind=receipt --no-retry peer
expect_error 77 "'peer' exchanges no receipts"
nothing_waits other
expect_equal "$(redo -C other log | wc -c)" 0 "nodes"

scene "packs of the wrong kind end the exchange, and nothing of them is kept for later"
says nodes.ndjson word=$KIND
run redo -C other fetch --kind=receipt --no-retry peer
expect_error 128 "a pack of nodes in an exchange of receipts"
says chain
run redo -C other fetch --no-retry peer
expect_error 128 "a pack of receipts in an exchange of nodes"
nothing_waits other
run redo -C other quarantine promote
expect_equal "$(redo -C other log | wc -c)" 0 "nodes"
expect_equal "$(held other)" '' "receipts"
expect_equal "$(give other chain | sed 's/ .*//')" fault "what a client is told that pushes receipts unasked"
grep -q 'a pack of receipts in an exchange of nodes' said.err || fail "no reason" <said.err
give other chain $KIND >rows
grep -q 'no receipts are exchanged here' rows || fail "they are taken" <rows
expect_equal "$(held other)" '' "receipts"
nothing_waits other
redo -C other config serve.kinds 'node receipt'

scene "what was not offered is not taken, nor what stands on it"
says chain word=$KIND offer=2
run redo -C other fetch --kind=receipt --no-retry peer
expect_status 1
expect_stderr_has "not-asked-for"
expect_equal "$(held other | grep -c '')" 2 "what was offered"
redo init -q again && redo -C again config serve.kinds 'node receipt' && redo -C again remote add peer "ssh://host/peer"

scene "each broken receipt is refused by name, rule and peer; the good ones beside it are taken"
made --text=forged --by=eve >forged
made --person=eve --text='nobody knows the key' >unknown
made --text='no signature' --unsigned >unsigned
made --type=edited --parent="$ROOT" --root="$SECOND" --text='another root' >rooted
made --person=ben --type=card >ben
made --person=ben --type=edited --parent="$ROOT" --root="$ROOT" --text='another author' >authored
made --text='not in time' --claimed=2000000000000 >good
"$PYTHON" - first >broken <<'END'
import base64, json, sys
row = json.load(open(sys.argv[1]))
row["cbor"] = base64.b64encode(base64.b64decode(row["cbor"])[:-4]).decode()
print(json.dumps(row))
END
cat forged unknown unsigned rooted ben authored broken good chain >bad
says bad word=$KIND
run redo -C again fetch --kind=receipt --no-retry peer
expect_status 1
for rule in signature-bad key-unknown signature-missing receipt-root-mismatch receipt-author-change cbor-; do
  grep -q "'peer', 'sha256:.*$rule" "$ERR" || fail "'$rule' is not said" <"$ERR"
done
expect_equal "$(held again)" "$(cat ben good chain | plain)" "what is taken"
run redo -C again fetch --kind=receipt --no-retry peer
redo -C again verify >/dev/null || fail "not whole" </dev/null

scene "a client that is not redo cannot make a store take what tells a precise place"
made --many=40 --seed=5 --precise >many
plain many >sorted
rm -rf taker && redo init -q taker && redo -C taker config serve.kinds 'node receipt'
give taker many $KIND >rows
expect_equal "$(grep -c 'receipt-precise' rows)" "$("$PYTHON" -c 'import base64,sys,json
print(sum(b"latitude" in base64.b64decode(json.loads(l)["cbor"]) for l in open("many")))')" "what is refused"
! held taker | "$PYTHON" -c 'import base64,sys,json
sys.exit(not any(b"latitude" in base64.b64decode(json.loads(l)["cbor"]) for l in sys.stdin))' || fail "one was taken" </dev/null
redo -C taker verify --profile=sync >/dev/null || fail "not good" </dev/null

scene "what comes before its parents waits, is listed, and is taken in when they come"
redo init -q waits && redo -C waits config serve.kinds 'node receipt'
cat card third >some
give waits some $KIND >rows
grep -q "refused $(id_of <third | cut -c8-) parent-missing" rows || fail "it is not said" <rows
run redo -C waits quarantine list
expect_stdout "$(id_of <third) waits $(id_of <second) - - receipt"
expect_equal "$(held waits)" "$(plain card)" "what is here"
run redo -C waits quarantine promote
expect_status 0
expect_stdout 0
run redo -C waits quarantine show "$(id_of <third)"
expect_status 0
expect_stdout_has "$(cid_of <third)"
cat first second >rest
give waits rest $KIND >rows
expect_equal "$(held waits)" "$(plain chain)" "what is here then"
run redo -C waits quarantine list
expect_stdout ''
redo -C waits verify >/dev/null || fail "not whole" </dev/null
redo init -q drops && redo -C drops config serve.kinds 'node receipt'
give drops some $KIND >/dev/null
run redo -C drops quarantine drop "$(id_of <third)"
expect_status 0
run redo -C drops quarantine list
expect_stdout ''

scene "an exchange that breaks off goes on where it was: what has come is taken in, whatever is asked for next"
redo init -q torn && redo -C torn remote add peer "ssh://host/peer"
made --many=60 --seed=9 >long
says long word=$KIND batch=20 drop=2
run redo -C torn fetch --kind=receipt --no-retry peer
expect_status 75
expect_stderr_has "what has come is kept"
run redo -C torn quarantine promote
expect_equal "$(held torn | grep -c '')" 40 "what had come"
says long word=$KIND
run redo -C torn fetch --kind=receipt --no-retry peer
expect_status 0
expect_equal "$(held torn)" "$(plain long)" "all of it"
nothing_waits torn
redo -C torn verify >/dev/null || fail "not whole" </dev/null

scene "of receipts that others have shared nothing is passed on, unless that is said; their ids are not told"
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":[]}'
for name in home friend; do
  redo init -q $name && redo -C $name key generate >/dev/null
  redo -C $name receipt create <<<"$MEMORY" >$name.cid
  redo -C $name export -q --kind=receipt >$name.lines
  redo -C $name config serve.kinds 'node receipt'
done
for pair in home:friend friend:home; do
  own=${pair%:*} other=${pair#*:}
  redo -C $own import -q <$other.lines >/dev/null
  redo -C $own receipt list --type=redo.device.registered/v1 --json >cards
  friend_did=$(grep -v "\"$(redo -C $own receipt show --json "$(cat $own.cid)" | sed 's/.*"did":"\([^"]*\)".*/\1/')\"" cards | sed 's/.*"did":"\([^"]*\)".*/\1/')
  redo -C $own device add "$(grep "\"$friend_did\"" cards | sed 's/.*"cid":"\([^"]*\)".*/\1/')"
  redo -C $own circle add --name=friend "$friend_did"
done
redo -C friend receipt create <<<"${MEMORY/Blue Dream/a secret}" >secret
redo -C friend share create --permissions=full --circle "$(cat secret)" >message
redo -C home share open <message >/dev/null
run redo -C home receipt show "$(cat secret)"
expect_status 0
redo init -q thirds && redo -C thirds config serve.kinds 'node receipt'
run redo -C home push --kind=receipt "ssh://host$PWD/thirds"
expect_status 0
expect_stderr_has "1 receipt stays here: others have shared it, or what it follows"
! held thirds | grep -q "$(cat secret)" || fail "it was passed on" </dev/null
run redo -C thirds fetch --kind=receipt "ssh://host$PWD/home"
expect_status 0
expect_stderr_has "keeps 1 receipt to itself, because it is private"
"$PYTHON" - "$KIND" >ask.bin <<'END'
import os, sys
sys.path.insert(0, os.environ["TESTS"] + "/Scripts")
sys.dont_write_bytecode = True
import wire
words = " ".join(sorted([sys.argv[1], "tells-unfit", "lists-unfit", "tells-unsent", "names-only"])).encode()
sys.stdout.buffer.write(wire.client_hello(words) + wire.NOTHING + wire.END + wire.ALL + wire.END)
END
redo serve --stdio home <ask.bin >said.bin
wire rows said.bin >rows
grep -q 'private-1' rows || fail "it is not counted" <rows
expect_equal "$(wire find said.bin "$(redo cid -d "$(cat secret)" | cut -c8-71)")" '' "its id"
expect_equal "$(wire find said.bin "$(redo cid -d "$(cat home.cid)" | cut -c8-71)")" "$(redo cid -d "$(cat home.cid)" | cut -c8-71)" "the id of what may go"
run redo -C home push --kind=receipt --include-received "ssh://host$PWD/thirds"
expect_status 0
expect_stderr_has "pushed 1 new receipt"
held thirds | grep -q "$(cat secret)" || fail "it was not passed on" </dev/null

scene "a receipt that cannot be checked stays, and is named: a signature that is bad, a key that is revoked"
redo init -q spoiled
redo -C spoiled import -q <chain >/dev/null
KEY=$(made --key=ada)
redo -C spoiled trust add "$KEY" >/dev/null 2>&1
redo -C spoiled trust revoke "$KEY" >/dev/null 2>&1
rm -rf goal && redo init -q goal && redo -C goal config serve.kinds 'node receipt'
run redo -C spoiled push --kind=receipt "ssh://host$PWD/goal"
expect_status 1
expect_stderr_has "key-revoked"
expect_equal "$(held goal)" '' "what has come"
