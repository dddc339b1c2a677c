#!/bin/bash
# redo serve with accounts: whoever sees documents sees over an exchange what REST shows him and nothing else, guesses
# and counts included; replicas get the access lists, hold to them, and hand them on. What comes over the wire is read by
# a client that shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
own_copies
facts() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
call() { facts call "$PORT" "$@"; }
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
ids() { redo -C "$1" log --format='%(id)' | sort; }
first() { sed 's/ .*//'; }
head_of() { redo -C "$1" log -n 1 --format='%(id)'; }
hex() { sed 's/^sha256://'; }
account() { echo "$1 $(digest "$1-token") $2 $3"; }

# accounts <store>: of one store, whose file is 'accounts'.
accounts() {
  local store=$PWD/$1
  { account ann documents:write "$store" && account bob write "$store" && account eve read "$store" &&
    account rep replica:read "$store" && account hub replica:write "$store" && account root admin "$store"; } >accounts
  chmod 600 accounts
}
# serves <store>: with its accounts, over REST and the wire.
serves() {
  accounts "$1"
  serve --firestore=demo --accounts=accounts
}
# device <name> <account>: a store whose remote is the server; one that is there asks the server that runs now.
device() {
  [ -d "$1" ] || redo init -q "$1"
  echo "$2-token" >"token-$2" && chmod 600 "token-$2"
  redo -C "$1" remote rm depot >/dev/null 2>&1
  redo -C "$1" remote add depot "http://127.0.0.1:$PORT"
  redo -C "$1" remote set depot tokenFile "$PWD/token-$2"
}
# documents <account>: the ids of the documents that REST shows it.
documents() {
  python3 - "$SCRIPTS" "$PORT" "$1" <<'END_OF_PYTHON'
import sys
sys.argv, scripts, port, who = ["facts", "token", "x"], sys.argv[1], sys.argv[2], sys.argv[3]
sys.path.insert(0, scripts)
import importlib, io, contextlib
with contextlib.redirect_stdout(io.StringIO()):
    facts = importlib.import_module("firestore-facts")
facts.PORT = int(port)
where = facts.field("accessList", "ARRAY_CONTAINS", facts.S(who))
after, found = {}, []
while True:
    status, body = facts.query("token:" + who + "-token", where, "__name__", limit=50, **after)
    assert status == 200, body
    rows = [row["document"]["name"] for row in body if "document" in row]
    found += rows
    if len(rows) < 50:
        break
    after = {"startAt": {"values": [{"referenceValue": rows[-1]}], "before": False}}
print("\n".join(sorted(name.rsplit("/", 1)[1] for name in found)))
END_OF_PYTHON
}
# shown <account> <what>: REST and an exchange show the account the nodes of the file `expected`, which is sorted; REST
# alone those of `held` for bob, which an exchange names and holds back.
: >held
shown() {
  documents "$1" | sed '/^$/d' >in-rest
  if [ "$1" = bob ]; then sort expected held; else cat expected; fi >rest-expected
  cmp -s rest-expected in-rest || fail "$2: REST shows $1 something else" < <(diff rest-expected in-rest)
  rm -rf looks
  device looks "$1"
  run redo -C looks fetch -q depot
  if [ "$1" = bob ] && [ -s held ]; then
    expect_status 1
    expect_stderr_has "error: 'depot', '$(cat held)': the access list of one of its ancestors lacks the account"
    expect_stderr_has "hint: 1 change of 'depot' is held back until somebody there adds the account"
  else
    expect_status 0
  fi
  ids looks >on-the-wire
  cmp -s expected on-the-wire || fail "$2: an exchange shows $1 something else" < <(diff expected on-the-wire)
}
# post <account> <store> <reader>...: what is in the store and not yet there, as documents.
post() {
  local who=$1 store=$2
  shift 2
  redo -C "$store" log --reverse --json >all.ndjson
  documents "$who" >there
  grep -vFf there all.ndjson >new.ndjson || cp all.ndjson new.ndjson
  facts push "$PORT" "token:$who-token" new.ndjson 50 "$@" >/dev/null || fail "nothing is posted" <server.log
}
# patch <id> <reader>...: the operator changes an access list.
patch() {
  local id=$1 values
  shift
  values=$(printf ',{"stringValue":"%s"}' "$@")
  [ $# -gt 0 ] || values=,
  run call token:root-token PATCH "/nodes/$id?updateMask.fieldPaths=accessList" \
    '{"fields":{"accessList":{"arrayValue":{"values":['"${values:1}"']}}}}'
  expect_equal "$(head -c 3 "$OUT")" 200 "the status"
}
# tasks <store> <word> <number>: so many tasks with that word in their titles.
tasks() {
  local number
  redo -C "$1" key generate >/dev/null 2>&1
  for number in $(seq "$3"); do redo -C "$1" commit -q create --title="$2 $number" >/dev/null || fail "no change" </dev/null; done
}

scene "what two accounts posted for themselves, each sees alone, over REST and over an exchange"
for name in depot ann bob both owner; do redo init -q $name; done
tasks owner nobodys-business 2
redo -C depot import -q < <(redo -C owner log --reverse --json) >/dev/null
serves depot
grep -q '"account":"bob".*no node here has an access list' server.log || fail "no warning" <server.log
! grep '"account":"\(rep\|hub\|root\)"' server.log || fail "a warning for who sees everything" <server.log
tasks ann secret-of-ann 4
tasks bob secret-of-bob 2
tasks both shared 1
post ann ann ann
post bob bob bob
post ann both bob ann
ids ann >of-ann
ids bob >of-bob
ids both >shared
ids owner >listless
sort of-ann shared >expected
shown ann "what ann posted"
sort of-bob shared >expected
shown bob "what bob posted"
: >expected
shown eve "nothing"

scene "nothing else comes out of an exchange, whatever is guessed: its bytes are looked through"
needles() { cat of-ann listless | hex && printf '%s\n' secret-of-ann nobodys-business; }
# What the operator is shown is found where it is: otherwise the search would show nothing. A pack has no ids of nodes,
# which follow from the rest, so those without a list are found by their texts.
run wire fetch "$PORT" root-token came keeps-access
wire find came $(needles) | sort >found-there
needles | grep -vFf <(hex <listless) | sort >expected
cmp -s found-there expected || fail "the operator gets something else" < <(diff found-there expected)
run wire fetch "$PORT" bob-token came keeps-access access-0 tells-unfit
expect_equal "$(wire find came $(needles))" '' "what bob gets of others"
expect_equal "$(wire find came secret-of-bob)" secret-of-bob "what bob gets of his own"
wire rows came >rows
grep -q 'nodes-3' rows || fail "another count" <rows
expect_equal "$(grep -c '^access ' rows)" 0 "access lists"
unknown=$(printf 'f%.0s' {1..64})
for id in $(head -1 of-ann | hex) $(head -1 listless | hex); do
  wire fetch "$PORT" bob-token guessed "node-$id"
  wire fetch "$PORT" bob-token none "node-$unknown"
  cmp -s <(sed "s/$id/$unknown/g" guessed) none || fail "a known id is told from one that nobody has" < <(wire rows guessed)
done
cp -r looks guess
device guess bob
redo -C guess fetch -q depot
run redo -C guess fetch --stdin depot <of-ann
expect_equal "$(comm -12 <(ids guess) <(sort of-ann))" '' "what is fetched by guessed ids"
run redo -C guess ls-remote depot
for id in $(cat of-ann listless); do expect_stdout_lacks "$id"; done
head -1 of-ann | cut -c 1-19 >prefix
run redo -C guess fetch --stdin depot <prefix
expect_equal "$(ids guess | wc -l)" 3 "nodes"
run redo -C guess remote capabilities depot
expect_stdout_has nodes-3

scene "no checkpoint is shown to who sees a part, because it counts all nodes"
redo -C depot key generate >/dev/null 2>&1
redo -C depot checkpoint create >/dev/null || fail "no checkpoint" </dev/null
wire fetch "$PORT" bob-token came keeps-access
expect_equal "$(wire rows came | sed -n 's/^checkpoint //p' | sort -u)" 0 "bytes of a checkpoint"
wire fetch "$PORT" rep-token came keeps-access
[ "$(wire rows came | sed -n 's/^checkpoint //p' | head -1)" -gt 0 ] || fail "a replica gets none" </dev/null

scene "a push that holds what others have is answered as if it were new, and so are children of what others have"
# bob has come by ann's store.
redo init -q stolen
redo -C stolen import -q < <(redo -C ann log --reverse --json) >/dev/null
redo -C stolen repack -q >/dev/null 2>&1
pack_of() { find "$1/.redo/objects/pack" -name '*.pack'; }
redo init -q fresh
tasks fresh secret-of-bob 4
redo -C fresh repack -q >/dev/null 2>&1
for name in stolen fresh; do
  wire send "$PORT" bob-token $name.answer "$(pack_of $name)"
  wire rows $name.answer | sed 's/nodes-[0-9]*//; s/access-[^ ]*//' >$name.rows
done
grep -q 'taken 4' fresh.rows || fail "it was not taken" <fresh.rows
cmp -s stolen.rows fresh.rows || fail "what is there is told from what is new" < <(diff stolen.rows fresh.rows)
sort of-bob shared <(ids fresh) | sort >expected
shown bob "after pushes"
sort of-ann shared >expected
shown ann "after pushes"
# A change upon one that bob may not see, and upon one that is not there.
change() {
  local store=$1 task
  task=$(redo -C "$store" log -n 1 --format='%(task)')
  redo init -q "$2" && redo -C "$2" key generate >/dev/null 2>&1
  redo -C "$2" import -q < <(redo -C "$store" log --reverse --json) >/dev/null
  redo -C "$2" commit -q update --task="$task" --title=anew >/dev/null
  head_of "$2" >"$2.id"
}
redo init -q elsewhere
tasks elsewhere secret 1
for name in ann elsewhere; do change $name on-$name; done
for name in on-ann on-elsewhere; do
  redo init -q one-$name
  redo -C $name log -n 1 --json | redo -C one-$name hash-object -w --stdin >/dev/null || fail "no object" </dev/null
  redo -C one-$name repack -q >/dev/null 2>&1
  [ -n "$(pack_of one-$name)" ] || fail "no pack" </dev/null
  wire send "$PORT" bob-token $name.answer "$(pack_of one-$name)"
  wire rows $name.answer | sed 's/nodes-[0-9]*//' >$name.rows
  parent=$(redo -C $name log -n 1 --json | grep -o '"parents":\["sha256:[0-9a-f]*' | grep -o '[0-9a-f]\{64\}')
  sed "s/$(hex <$name.id)/CHILD/; s/$parent/PARENT/" $name.rows >$name.form
done
grep -q '^refused CHILD parent-missing missing parent sha256:PARENT' on-ann.form || fail "another answer" <on-ann.form
cmp -s on-ann.form on-elsewhere.form || fail "a hidden parent is told from a missing one" < <(diff on-ann.form on-elsewhere.form)

cp on-ann.id held

scene "who may only read documents may not push, and who writes them may not give lists"
wire send "$PORT" eve-token eve.answer "$(pack_of fresh)"
wire rows eve.answer | grep -q 'fault denied' || fail "eve may push" < <(wire rows eve.answer)

scene "a replica has all of it, with the lists, and shows them to its owner"
redo init -q replica
device replica rep
run redo -C replica fetch -q depot
expect_status 0
expect_equal "$(ids replica)" "$(ids depot)" "the nodes"
run redo -C replica show "$(head -1 of-ann)"
expect_stdout_has 'Access:    ann'
run redo -C replica show --json "$(cat shared)"
expect_stdout_has '{"accessList":["ann","bob"],'
run redo -C replica show "$(head -1 listless)"
expect_stdout_lacks 'Access:'
run redo -C replica log --json
expect_stdout_lacks accessList
expect_clean replica

scene "a client that keeps no access lists is refused as a replica, and gets what documents show otherwise"
wire fetch "$PORT" rep-token old
wire rows old | grep -q 'fault denied nodes of this store have access lists' || fail "it is not refused" < <(wire rows old)
expect_equal "$(wire find old $(needles))" '' "what it gets"
wire fetch "$PORT" bob-token old
expect_equal "$(wire find old secret-of-bob $(needles))" secret-of-bob "what bob gets"

scene "over REST a replica reads all nodes, and writes by the rules"
id=$(head -1 of-ann)
expect_equal "$(call token:rep-token GET "/nodes/$id" | first)" 200 "ann's node"
expect_equal "$(call token:bob-token GET "/nodes/$id" | first)" 403 "ann's node for bob"
expect_equal "$(call token:bob-token GET "/nodes/$(head -1 listless)" | first)" 403 "a node without a list for bob"
expect_equal "$(call token:rep-token GET "/nodes/$(head -1 listless)" | first)" 200 "a node without a list"
expect_equal "$(call token:hub-token DELETE "/nodes/$id" | first)" 403 "taking it away"

scene "what existence REST shows: that an id which one knows is there, and nothing that one does not"
run call token:bob-token GET "/nodes/$id"
expect_equal "$(sed "s/$id/X/" "$OUT")" "$(call token:bob-token GET "/nodes/sha256:$unknown" | sed "s/sha256:$unknown/X/")" "asking"
make() {
  facts call "$PORT" token:bob-token POST :commit '{"writes":[{"update":{"name":"projects/demo/databases/(default)/documents/nodes/'"$1"'","fields":{"id":{"stringValue":"'"$1"'"},"version":{"integerValue":"1"},"accessList":{"arrayValue":{"values":[{"stringValue":"bob"}]}}}},"currentDocument":{"exists":false}}]}'
}
expect_equal "$(make "$id" | first)" 409 "making what is there"
expect_equal "$(make "sha256:$unknown" | first)" 200 "making what is not"
expect_equal "$(call token:root-token DELETE "/nodes/sha256:$unknown" | first)" 200 "taking it away again"
# A document under the name of a node that comes later does not show that node.
tasks ann secret-of-ann 1
later=$(head_of ann)
expect_equal "$(make "$later" | first)" 200 "making what will come"
device ann ann
redo -C ann push -q depot || fail "ann cannot push" <server.log
redo -C ann log --format='%(id)' | sort >of-ann
run call token:bob-token GET "/nodes/$later"
expect_equal "$(head -c 3 "$OUT")" 403 "the name for bob"
run call token:ann-token GET "/nodes/$later"
expect_stdout_has secret-of-ann
rm -rf looks
device looks bob
redo -C looks fetch -q depot 2>/dev/null
! ids looks | grep -q "$later" || fail "bob has it" </dev/null
stop_server
serves depot
rm -rf looks
device looks bob
redo -C looks fetch -q depot 2>/dev/null
! ids looks | grep -q "$later" || fail "bob has it when the server has started again" </dev/null

scene "a list that the operator changes holds at once, and where replicas have fetched since"
device replica rep
redo -C replica fetch -q depot
patch "$(cat shared)" ann
sort of-bob <(ids fresh) >expected
rm -rf looks
device looks bob
redo -C looks fetch -q depot 2>/dev/null
cmp -s <(sort expected) <(ids looks) || fail "bob sees other nodes" < <(diff <(sort expected) <(ids looks))
run redo -C replica fetch -q depot
expect_status 0
run redo -C replica show "$(cat shared)"
expect_stdout_has 'Access:    ann'
size=$(stat -c %s replica/.redo/access)
redo -C replica fetch -q depot
expect_equal "$(stat -c %s replica/.redo/access)" "$size" "what a fetch without news adds"
patch "$(cat shared)" ann bob
redo -C replica fetch -q depot
stop_server

scene "a replica holds to the lists when it serves, and so does a replica of it, fetched over HTTP or by its path"
# What bob posted under a foreign name is not of the history.
sort of-bob shared <(ids fresh) >bob-expected
sort of-ann shared >ann-expected
holds() {
  serves "$1"
  for who in ann bob; do
    sort -u $who-expected >expected
    shown $who "at $1"
  done
  : >expected
  shown eve "at $1"
  wire fetch "$PORT" bob-token came keeps-access access-0 tells-unfit
  expect_equal "$(wire find came $(needles))" '' "what bob gets of others at $1"
}
holds replica
redo init -q second
device second rep
redo -C second fetch -q depot || fail "no second replica" <server.log
stop_server
redo init -q third
redo -C third remote add up "$PWD/second"
run redo -C third fetch -q up
expect_status 0
expect_equal "$(ids third)" "$(ids depot)" "the nodes of the third"
redo init -q fourth
run redo -C fourth fetch -q "$PWD/third"
expect_status 0
for name in second third fourth; do
  holds $name
  stop_server
done

scene "what an account pushes to a replica is its own there, and where the replica pushes it"
serves second
redo init -q away
tasks away secret-of-ann-elsewhere 2
device away ann
run redo -C away push -q depot
expect_status 0
sort -u ann-expected <(ids away) >expected
shown ann "at the replica"
sort -u bob-expected >expected
shown bob "at the replica"
stop_server
serves depot
device second hub
run redo -C second push -q depot
expect_status 0
sort -u ann-expected <(ids away) >expected
shown ann "at the first store"
sort -u bob-expected >expected
shown bob "at the first store"
run redo -C depot show "$(ids away | head -1)"
expect_stdout_has 'Access:    ann'

scene "a remote has no say about nodes that are here without it"
redo init -q stranger
redo -C stranger import -q < <(redo -C ann log --reverse --json) >/dev/null
redo -C stranger import -q < <(redo -C owner log --reverse --json) >/dev/null
accounts stranger
sed -i 's/^bob .*/'"$(account bob documents:write "$PWD/stranger" | sed 's/[/]/\\&/g')"'/' accounts
stop_server
serve --firestore=demo --accounts=accounts
for id in $(cat of-ann listless); do patch "$id" bob eve; done
stop_server
redo -C depot remote add stranger "$PWD/stranger"
run redo -C depot fetch -q stranger
expect_status 0
run redo -C depot show "$(head -1 of-ann)"
expect_stdout_has 'Access:    ann'
run redo -C depot show "$(head -1 listless)"
expect_stdout_lacks 'Access:'

scene "damage while it serves: accounts see nothing, replicas get nodes without lists; then verify says so, and no server starts"
cp -r depot hurt
serves hurt
alter hurt/.redo/access 60
rm -rf looks
device looks bob
run redo -C looks fetch depot
expect_status 128
expect_stderr_has 'cannot go on'
expect_equal "$(ids looks)" '' "nodes"
redo init -q safe
device safe rep
run redo -C safe fetch -q depot
expect_status 0
expect_equal "$(ids safe)" "$(ids hurt)" "nodes"
[ ! -e safe/.redo/access ] || fail "there are lists" </dev/null
grep -q "without their access lists: '.*access' is corrupt at byte 14" server.log || fail "the log says nothing" <server.log
stop_server
run redo -C hurt verify
expect_status 1
expect_stdout_has 'error access-corrupt'
accounts hurt
run redo serve --firestore=demo --http=127.0.0.1:0 --accounts=accounts
expect_error 128 "access' is corrupt at byte 14"
rm hurt/.redo/access
serves hurt
sort -u ann-expected | grep -v "$later" >expected
shown ann "once the file is gone, from what was posted"
stop_server

scene "a recovered store has the lists of what it has; a wipe removes them, and nothing else"
run redo -C depot recover --to=now -o "$PWD/copy"
expect_status 0
run redo -C copy show "$(head -1 of-ann)"
expect_stdout_has 'Access:    ann'
author=$(redo -C bob key show --user-id)
redo -C depot wipe --author="$author" --yes >/dev/null 2>&1 || fail "nothing is wiped" </dev/null
for id in $(hex <of-bob); do
  python3 -c 'import sys
sys.exit(bytes.fromhex(sys.argv[1]) in open("depot/.redo/access", "rb").read())' "$id" || fail "the list of a wiped node is left" </dev/null
done
run redo -C depot show "$(head -1 of-ann)"
expect_stdout_has 'Access:    ann'
redo -C depot wipe --all --yes >/dev/null 2>&1
[ ! -e depot/.redo/access ] || fail "lists are left" </dev/null
