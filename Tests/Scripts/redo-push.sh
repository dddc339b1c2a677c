#!/bin/bash
# redo push: what this store has and a remote lacks goes there, checked on both sides; nothing is ever replaced.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

scene "what is new goes, and the remote has it as if it had made it; a second time nothing happens"
platforms here
on here 10:00:00.000 create -t $TASK --title=Water
id=$(cat "$OUT")
run redo -C here push
expect_status 0
expect_stdout ''
expect_stderr "pushed 1 new change to 'origin'"
expect_equal "$(ids server)" "$id" "the log there"
same here server
expect_clean server
nothing_waits server
before=$(fingerprint server)
run redo -C here push
expect_status 0
expect_stdout ''
expect_stderr ''
expect_untouched "$before" server
expect_equal "$(redo -C here show-ref "remotes/origin/heads/$TASK" --format='%(id)')" "$id" "what is remembered"

scene "--porcelain: a line for each node, in git's manner; -v adds what is there already"
on here 10:01:00.000 update -t $TASK --priority=4
id=$(cat "$OUT")
run redo -C here push -q --porcelain
expect_status 0
expect_stdout "$(printf 'To %s\n*\t%s:heads/%s\t[new node]\nDone' "$(url server)" "$id" $TASK)"
run redo -C here push -q --porcelain -v
expect_stdout "$(printf 'To %s\n=\t%s:heads/%s\t[up to date]\nDone' "$(url server)" "$id" $TASK)"

scene "--json: what the remote has acknowledged"
on here 10:02:00.000 update -t $TASK --priority=5
id=$(cat "$OUT")
run redo -C here push -q --json
expect_status 0
expect_equal "$(json 'd["pushed"], d["fetched"], d["refused"], d["roundTrips"] <= 3')" "(['$id'], [], [], True)" "the object"

scene "-n sends nothing"
on here 10:03:00.000 update -t $TASK --priority=1
before=$(fingerprint server)
run redo -C here push -n --porcelain
expect_status 0
expect_stdout_has '[new node]'
expect_stderr_has "would have pushed 1 new change to 'origin'"
expect_untouched "$before" server

scene "a push needs no fetch before it: both branches stand"
platforms a b
on a 10:00:00.000 create -t $TASK --title=Water
push a
pull b
on a 10:01:00.000 update -t $TASK --priority=1
on b 10:01:00.000 update -t $TASK --priority=2
push a
push b
expect_equal "$(redo -C server show-ref "heads/$TASK" | wc -l)" 2 "heads there"

scene "a node that nobody signed is held back with what follows it, and nothing else; K5"
stores here
redo init -q server
on here 10:00:00.000 create -t $TASK --title=Unsigned --unsigned
bad=$(cat "$OUT")
on here 10:01:00.000 update -t $TASK --priority=2
on here 10:02:00.000 create -t $OTHER --title=Signed
good=$(cat "$OUT")
run redo -C here push --porcelain "$(url server)"
expect_status 1
expect_equal "$(grep -c '^!' "$OUT")" 2 "rows"
expect_stdout_has "$(printf '!\t%s:heads/%s\t[rejected] (signature-missing)' "$bad" $TASK)"
expect_stdout_has "[held back] (signature-missing in $bad)"
expect_stdout_has "$(printf '*\t%s' "$good")"
! grep -q '^Done' "$OUT" || fail "it says that it is done" <"$OUT"
expect_stderr_has "error: 2 changes here are not sent to '$(url server)': 1 has no signature ($bad), 1 needs it; '--allow-unsigned' sends them"
expect_equal "$(ids server)" "$good" "what is there"
if [ "$TRANSPORT" = path ]; then
  run redo -C here push -q --allow-unsigned "$(url server)"
  expect_status 0
  expect_equal "$(count server)" 3 "nodes when both allow it"
fi

scene "A50: other bytes for an id never come through; the same ones do no harm"
platforms here
on here 10:00:00.000 create -t $TASK --title=Water
push here
id=$(redo -C here log --format='%(id)')
file=server/.redo/objects/${id:7:2}/${id:9}
before=$(sha256sum "$file")
push here
expect_equal "$(sha256sum "$file")" "$before" "the object there"

scene "A89: everything to a new remote, when another one is lost: the same ids, equal counts"
platforms here
for number in $(seq 20); do
  printf '{"action":"CREATE","taskId":"550e8400-e29b-41d4-a716-%012d","fields":{"title":"Task %d"}}\n' "$number" "$number"
done | redo -C here commit -q --stdin >/dev/null
push here
rm -rf server
redo init -q new
run redo -C here push --all "$(url new)"
expect_status 0
expect_stderr "pushed 20 new changes to '$(url new)'
'$(url new)' has all 20 changes of this store"
expect_equal "$(ids new)" "$(ids here)" "the ids"
same here new

scene "a remote that was put back to what it was gets what it lost, and that is said"
platforms here
on here 10:00:00.000 create -t $TASK --title=Water
push here
cp -r server copy
on here 10:01:00.000 update -t $TASK --priority=1
push here
rm -rf server
mv copy server
run redo -C here fetch
expect_status 0
expect_stderr "warning: 'origin' lacks what it had: the heads of 1 task
hint: 'redo push origin' gives it back"
run redo -C here push
expect_status 0
expect_stderr "warning: 'origin' lacks what it had: the heads of 1 task
pushed 1 new change to 'origin'"
push here

scene "--verify: the remote is asked again"
stores here
redo init -q server
on here 10:00:00.000 create -t $TASK --title=Water
run redo -C here push --verify --json "$(url server)"
expect_status 0
expect_equal "$(json 'd["verified"]')" True "verified"

scene "--verify: what is held back and accepted is told, and no error; what nobody has accepted is one"
redo -C here remote add origin "$(url server)"
on here 10:01:00.000 create -t $OTHER --title=Unsigned --unsigned
bad=$(cat "$OUT")
run redo -C here push --verify
expect_status 1
expect_stderr_has "error: 1 change here is not sent to 'origin': 1 has no signature ($bad)"
expect_stderr_has "hint: 'redo quarantine ignore origin signature-missing' accepts that"
expect_stderr_has "error: 'origin' has 1 of the 2 changes of this store"
redo -C here quarantine ignore origin signature-missing
run redo -C here push --verify --json
expect_status 0
expect_stderr "'origin' has 1 of the 2 changes of this store; 1 held back, which is accepted"
expect_equal "$(json 'd["verified"], d["heldBackHere"][0]["accepted"]')" "(True, True)" "verified"
redo -C here quarantine ignore --forget origin
run redo -C here push -q --verify
expect_status 1
if [ "$TRANSPORT" = path ]; then
  # The same one there, and kept from exchanges there as well: neither lacks it.
  redo -C here push -q --allow-unsigned
  run redo -C here push --verify
  expect_status 0
  expect_stderr "'origin' has 1 of the 2 changes of this store; 1 held back by both"
fi

scene "a damaged change is not sent; the line says how to repair it, and not how to accept it"
platforms here
on here 10:00:00.000 create -t $TASK --title=Water
on here 10:01:00.000 create -t $OTHER --title=Good
good=$(cat "$OUT")
id=$(ids here | head -1)
file=here/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$file" && printf 'x' | dd of="$file" bs=1 seek=30 conv=notrunc status=none
run redo -C here push
expect_status 1
expect_stderr "error: 1 change here is not sent to 'origin': 1 is damaged ($id) [STORAGE_004]; 'redo verify --repair-from=<source>' takes a good copy from another store, or a backup
pushed 1 new change to 'origin'"
expect_equal "$(ids server)" "$good" "what is there"

scene "--replicas: some of the remotes are enough"
stores here
redo init -q a && redo init -q b
on here 10:00:00.000 create -t $TASK --title=Water
run redo -C here push -q --replicas=2 "$(url a)" "$(url b)" "$PWD/nowhere"
expect_status 0
expect_equal "$(count a) $(count b)" "1 1" nodes
on here 10:01:00.000 update -t $TASK --priority=1
rm -rf b
run redo -C here push -q --replicas=2 "$(url a)" "$PWD/b" "$PWD/nowhere"
expect_status 128
expect_stderr_has "error: 1 of 3 remotes has everything, not 2"
run redo -C here push --replicas=2 "$(url a)"
expect_status 129

scene "a file takes nothing"
redo -C here archive create -q -o "$PWD/here.pack" >/dev/null
run redo -C here push "$PWD/here.pack"
[ "$STATUS" -ge 77 ] || fail "the status is $STATUS" <"$ERR"
expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages"
