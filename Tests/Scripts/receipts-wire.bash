# Receipts between stores, by the way that TRANSPORT names: nothing goes unless it is asked for, and what goes is what an
# independent program says may go. Python makes the receipts, and reads both ends.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "receipts between stores" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
id_of() { redo cid -d "$(cid_of)" | cut -d' ' -f1; }
plain() { sed 's/,"received":[0-9]*//' "$@" | sort; }
# held <store>: all receipts of a store, as lines, whatever they tell.
held() { redo -C "$1" export -q --kind=receipt --include-precise --include-received | plain; }
chains() { redo -C "$1" show-ref | grep ' receipts/' | sort; }
# may_go <lines>: what may leave: no precise place, and nothing that follows one, as Python reads the lines.
may_go() {
  "$PYTHON" - "$1" <<'EOF'
import base64, json, sys
import dag_cbor
rows, kept = [], set()
for text in open(sys.argv[1]):
    line = json.loads(text)
    receipt = dag_cbor.decode(base64.b64decode(line["cbor"]))
    payload = dag_cbor.decode(receipt["payload"])
    if {"latitude", "longitude"} & set(payload) or receipt.get("parentCID") in kept:
        kept.add(line["cid"])
    else:
        print(text, end="")
EOF
}
# heads_of <lines>: `<id> receipts/<root>` of the receipts of some lines, as Python works them out.
heads_of() {
  "$PYTHON" - "$1" <<'EOF'
import base64, hashlib, json, sys
import dag_cbor
def id_of(cid):
    return "sha256:" + base64.b32decode(cid[1:].upper() + "======")[4:].hex()
rows, followed = {}, set()
for text in open(sys.argv[1]):
    content = base64.b64decode(json.loads(text)["cbor"])
    receipt = dag_cbor.decode(content)
    own = "sha256:" + hashlib.sha256(content).hexdigest()
    root = receipt["rootCID"]
    rows[own] = own if root == "SELF" else id_of(root)
    if "parentCID" in receipt:
        followed.add(id_of(receipt["parentCID"]))
print("\n".join(sorted(f"{own} receipts/{root[7:]}" for own, root in rows.items() if own not in followed)))
EOF
}
# lets <store>: it exchanges receipts with who asks.
lets() { redo -C "$1" config serve.kinds 'node receipt'; }

made --many=150 --seed=11 --precise >lines
# What follows one that tells a place tells that there is one.
PLACE=$(comm -23 <(sort lines) <(may_go lines | sort) | head -n 1 | cid_of)
made --type=edited --parent="$PLACE" --root="$PLACE" --text=follows >>lines
made --person=eve --many=20 --seed=12 >others
may_go lines >open
KEPT=$(($(wc -l <lines) - $(wc -l <open)))
((KEPT > 2)) || fail "only $KEPT receipts tell a place" </dev/null
redo init -q own
redo init -q there
redo -C own import -q <lines >/dev/null
redo -C own import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo -C own remote add there "$(url there)"
redo init -q third
redo -C third remote add own "$(url own)"

scene "without being asked for, no receipt goes, and that is said"
run redo -C own push there
expect_status 0
expect_stderr_has "chains of receipts stay here"
run redo -C own sync there
expect_status 0
expect_stderr_has "chains of receipts stay here"
run redo -C third fetch own
expect_status 0
for store in there third; do
  expect_equal "$(held $store)" '' "receipts at '$store'"
  expect_equal "$(redo -C $store log --format='%(id)' | wc -l)" "$(redo -C own log --format='%(id)' | wc -l)" "nodes at '$store'"
  grep -c 'format = 1' $store/.redo/config >/dev/null || fail "a store of nodes alone has another format" <$store/.redo/config
done

if [ "$TRANSPORT" != path ]; then
  scene "a server exchanges receipts only where its owner says so: 77, and nothing has moved"
  run redo -C own push --kind=receipt there
  expect_status 77
  expect_stderr_has "no receipts are exchanged here"
  run redo -C third fetch --kind=receipt own
  expect_status 77
  expect_stderr_has "no receipts are exchanged here"
  redo -C there config serve.kinds receipt
  run redo -C own push there
  expect_status 77
  expect_stderr_has "no nodes are exchanged here"
  for store in there third; do expect_equal "$(held $store)" '' "receipts at '$store'"; done
  redo -C there config serve.kinds 'node  receipts'
  run redo -C own push --kind=receipt there
  [ "$STATUS" -ne 0 ] || fail "a setting that is none is passed over" <"$ERR"
  for store in own there; do lets $store; done
fi

scene "asked for, what may go goes, and the rest is counted"
run redo -C own push --kind=receipt -n --porcelain there
expect_status 0
expect_equal "$(held there)" '' "receipts after a dry run"
expect_equal "$(grep -c '^\*' "$OUT")" "$(wc -l <open)" "rows"
run redo -C own push --kind=receipt --json --verify there
expect_status 0
expect_stderr "pushed $(wc -l <open) new receipts to 'there'
$KEPT receipts stay here: they tell a precise place, or follow what does
'there' has $(wc -l <open) of the $(wc -l <lines) receipts of this store; $KEPT private"
expect_equal "$(json 'd["kind"], len(d["pushed"]), d["verified"], len(d["refused"])')" "('receipt', $(wc -l <open), True, $KEPT)" "the row"
expect_equal "$(held there | sha256sum)" "$(plain open | sha256sum)" "what has come"
expect_equal "$(chains there)" "$(heads_of open)" "the heads there"
redo -C there verify >/dev/null || fail "not whole there" </dev/null
expect_equal "$(redo -C own show-ref | sed -n 's, remotes/there/receipts/, receipts/,p' | sort)" "$(heads_of open)" "the heads that are remembered"

scene "a second time nothing goes"
run redo -C own push --kind=receipt --json there
expect_status 0
expect_equal "$(json 'd["pushed"], d["both"], d["roundTrips"]')" "([], $(wc -l <open), 1)" "the row"

scene "what comes is what may go, and its ids are all that is said of it"
run redo -C third fetch --kind=receipt --json own
expect_status 0
expect_stderr "fetched $(wc -l <open) new receipts of $(heads_of open | cut -d' ' -f2 | sort -u | wc -l) chains from 'own'
'own' keeps $KEPT receipts to itself, because they are private"
expect_equal "$(json 'd["keptThere"], d["equal"], d["heldBackThere"]')" "($KEPT, False, [])" "the row"
expect_equal "$(held third | sha256sum)" "$(plain open | sha256sum)" "what has come"
expect_equal "$(chains third)" "$(heads_of open)" "the heads here"
expect_equal "$(redo -C third show-ref | sed -n 's, remotes/own/receipts/, receipts/,p' | sort)" "$(heads_of open)" "the heads that are remembered"
run redo -C third ls-remote --kind=receipt --only=there own
expect_status 0
expect_stdout ''
run redo -C own ls-remote --kind=receipt there
expect_status 0
expect_equal "$(tr '\t' ' ' <"$OUT" | sort)" "$(heads_of open)" "the heads of the remote"
run redo -C own ls-remote --kind=receipt --only=here there
expect_stdout_lines "$KEPT"

scene "each side gets what only the other has, whatever their clocks say; both have the same then"
redo -C there import -q <others >/dev/null
made --claimed=1 --text=early >early
redo -C third import -q <early >/dev/null
redo -C third remote add there "$(url there)"
run redo -C third sync --kind=receipt there
expect_status 0
expect_stderr "fetched 21 new receipts of $(heads_of others | cut -d' ' -f2 | sort -u | wc -l) chains from 'there'
pushed 1 new receipt to 'there'"
expect_equal "$(held third | sha256sum)" "$(held there | sha256sum)" "the two"
expect_equal "$(held third | sha256sum)" "$(cat open others early | plain | sha256sum)" "all of it"
expect_equal "$(chains third)" "$(cat open others early >all && heads_of all)" "the heads"
run redo -C third sync --kind=receipt --json there
expect_equal "$(json 'd["equal"]')" True "equal"

scene "two devices that edit the same receipt: two heads on both sides, and nothing to merge"
ROOT=$(grep -v '"parentCID' early | cid_of)
for store in third there; do
  made --type=edited --parent="$ROOT" --root="$ROOT" --text="$store" >edit
  redo -C $store import -q <edit >/dev/null
done
run redo -C third sync --kind=receipt there
expect_status 0
expect_equal "$(chains third)" "$(chains there)" "the heads"
expect_equal "$(chains third | grep -c "receipts/$(redo cid -d "$ROOT" | cut -c8-71)")" 2 "heads of the chain"

scene "'remote.<name>.kinds' asks once for all: a row for each kind, also of fetch and sync"
redo -C third config remote.there.kinds 'node receipt'
made --text='by its settings' >more
redo -C third import -q <more >/dev/null
run redo -C third push --json there
expect_status 0
expect_stderr "pushed 1 new receipt to 'there'"
expect_equal "$(sed 's/.*"kind":"\([a-z]*\)".*/\1/' "$OUT" | paste -sd' ')" "node receipt" "the rows"
run redo -C third sync --json there
expect_stdout_lines 2
run redo -C third fetch --task="$TASK" --json there
expect_stdout_lines 1
run redo -C third fetch --kind=node --json there
expect_stdout_lines 1
redo -C third config remote.there.kinds blob
run redo -C third push there
expect_error 128 "bad value 'blob' for 'remote.there.kinds'"
redo -C third config unset remote.there.kinds
for words in "--kind=receipt --task=$TASK" '--kind=receipt --allow-unsigned' '--kind=blob' '--kind=task'; do
  run redo -C third fetch $words there
  expect_status 129
done
run redo -C third push --include-received there
expect_error 129 "'--include-received' is about receipts"

scene "a remote that has lost receipts is told apart from one that never had them"
rm -rf lost && cp -a there/.redo lost
made --text='soon lost' >soon
redo -C third import -q <soon >/dev/null
redo -C third push -q --kind=receipt there
rm -rf there/.redo/* && cp -a lost/. there/.redo/
run redo -C third fetch --kind=receipt there
expect_stderr_has "'there' lacks what it had: the heads of 1 chain"
expect_stderr_has "'redo push --kind=receipt there' gives it back"
run redo -C third push --kind=receipt there
expect_status 0
expect_stderr_has "'there' lacks what it had: the heads of 1 chain"
expect_equal "$(held third | sha256sum)" "$(held there | sha256sum)" "the two"

scene "a receipt that cannot be read here harms only itself and what follows it, is named, and comes back by a fetch"
VICTIM=$(plain open | head -n 1 | cid_of)
ID=$(redo cid -d "$VICTIM" | cut -d' ' -f1)
file=own/.redo/objects/${ID:7:2}/${ID:9}
[ -e "$file" ] || fail "it is not loose" </dev/null
chmod u+w "$file" && printf broken >"$file"
rm -rf empty && redo init -q empty && lets empty && redo -C own remote add empty "$(url empty)"
run redo -C own push --kind=receipt empty
expect_status 1
expect_stderr_has "$ID"
expect_stderr_has "is damaged"
! held empty | grep -q "$VICTIM" || fail "it was sent" </dev/null
(($(held empty | wc -l) > 100)) || fail "it has kept others from being sent" </dev/null
run redo -C own fetch --kind=receipt there
expect_stderr_has "1 receipt that could not be read here is replaced by what 'there' has"
redo -C own verify >/dev/null || fail "not whole again" </dev/null
run redo -C own push --kind=receipt empty
expect_status 0
held own >all
expect_equal "$(held empty | sha256sum)" "$(may_go all | plain | sha256sum)" "all of it"

scene "hooks of a store see the heads of chains, and can refuse them"
mkdir -p there/.redo/hooks
cat >there/.redo/hooks/pre-receive <<'END'
#!/bin/sh
cat >>"$(dirname "$0")/../../seen"
exit 3
END
chmod 755 there/.redo/hooks/pre-receive
made --text='not wanted' >unwanted
redo -C third import -q <unwanted >/dev/null
run redo -C third push --kind=receipt there
expect_status 1
expect_stderr_has "declined"
expect_equal "$(cut -d' ' -f3 there/seen)" "receipts/$(id_of <unwanted | cut -c8-)" "what the hook reads"
rm there/.redo/hooks/pre-receive
run redo -C third push --kind=receipt there
expect_status 0
expect_equal "$(held third | sha256sum)" "$(held there | sha256sum)" "the two"
nothing_waits there
nothing_waits third
