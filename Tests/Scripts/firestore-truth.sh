#!/bin/bash
# A Firestore is believed, not what is remembered of it: what is there is found whatever its time of creation, what is
# gone is said and sent again, and what all of that costs is what goes over the way. REDO_NODES says how many nodes
# there are; the limits are those of 20,000 and hold for fewer.
nodes=${REDO_NODES:-600}
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

# many <store> <count>: so many changes.
many() {
  python3 -c 'import json, sys
for number in range(int(sys.argv[1])):
    print(json.dumps({"action": "CREATE", "fields": {"title": "Task %d" % number, "notes": "some words about it"}}))' "$2" |
    redo -C "$1" -c core.fsync=none commit -q --stdin >/dev/null || fail "the changes are refused" </dev/null
}
# reads <limit> [<bytes>]: the last command has read no more documents, and no more bytes have gone over the way.
reads() {
  local trips sent received reads writes
  read -r trips sent received reads writes <<<"$(wire)"
  echo "# $RUN: $trips round trips, $sent bytes out, $received in, $reads reads, $writes writes"
  [ "$reads" -le "$1" ] || fail "$reads reads, and $1 are enough" <"$REQUESTS"
  [ $((sent + received)) -le "${2:-1000000000}" ] || fail "$((sent + received)) bytes, and $2 are enough" <"$REQUESTS"
}
# there <count>: the project has so many nodes.
there() { expect_equal "$(documents)" "$1" "documents"; }

scene "$nodes nodes go there; the command says what went over the way"
stores a b
project
joins a "$ANN"
joins b "$ANN"
many a "$nodes"
forget
run redo -C a push --json
expect_status 0
expect_equal "$(json 'len(d["pushed"])')" "$nodes" pushed
expect_cost
reads 10
there "$nodes"

scene "nothing new right after a push: 42 reads and 8 KB at 20,000 nodes, and own writes are not read"
forget
run redo -C a sync --json
expect_status 0
expect_cost
reads 42 8192
forget
run redo -C a fetch --json
expect_cost
reads 42 8192

scene "they come to another store, each read once, and nothing new costs the same there"
forget
run redo -C b fetch --json
expect_status 0
expect_equal "$(json 'len(d["fetched"])')" "$nodes" fetched
expect_cost
reads $((nodes + nodes / 1000 + 10))
forget
run redo -C b sync --json
expect_cost
reads 42 8192

scene "ten new ones on each side: 120 reads at 20,000 nodes"
many a 10
many b 10
run redo -C b push -q
expect_status 0
forget
run redo -C a sync --json
expect_status 0
expect_equal "$(json 'len(d["fetched"]), len(d["pushed"])')" "(10, 10)" "fetched and pushed"
expect_cost
reads 120
redo -C b fetch -q
same a b
total=$((nodes + 20))
there "$total"

scene "-v and stats --remote say it, too"
forget
run redo -C a sync -v
read -r trips sent received reads writes <<<"$(wire)"
expect_stderr_has "'origin': $trips round trips, $sent bytes sent, $received received; $reads documents read, $writes written"
forget
run redo -C a stats --remote --json
expect_status 0
expect_equal "$(json 'd["nodeCount"]')" "$total" nodes
expect_cost
forget
run redo -C a remote check --json
expect_status 0
expect_equal "$(json 'd["roundTrips"], d["bytesSent"], d["bytesReceived"], d["reads"]')" \
  "$(wire | awk '{printf "(%d, %d, %d, %d)", $1, $2, $3, $4}')" "round trips, bytes, reads"

scene "by id only these are asked for"
redo -C a commit -q create --title=First >/dev/null
redo -C a commit -q create --title=Second >/dev/null
redo -C a push -q
redo -C a log --format='%(id)' | head -1 >wanted
forget
run redo -C b fetch --json --stdin <wanted
expect_status 0
expect_equal "$(json 'd["fetched"][0]')" "$(cat wanted)" fetched
expect_cost
reads 3
redo -C b fetch -q
same a b
total=$((total + 2))

scene "documents without a time of creation, with an old one, one to come, or none of its kind are found and taken"
redo init -q other
redo -C other key generate >/dev/null 2>&1
# created <time>: a document with that as its time of creation, or without one.
created() { python3 -c 'import json, sys
fields = json.load(sys.stdin)["fields"]
del fields["createdAt"]
if sys.argv[1]:
    fields["createdAt"] = json.loads(sys.argv[1])
json.dump({"fields": fields}, sys.stdout)' "$1"; }
times=('' '{"timestampValue":"2020-01-01T00:00:00Z"}' '{"timestampValue":"2099-01-01T00:00:00Z"}'
  '{"stringValue":"2025-11-16T10:00:00Z"}' '{"mapValue":{"fields":{"_seconds":{"integerValue":"5"}}}}')
now=$(date -u +%s)
for seconds in 600 3600 31536000; do
  times+=("{\"timestampValue\":\"$(date -u -d "@$((now - seconds))" +%Y-%m-%dT%H:%M:%SZ)\"}")
done
for time in "${times[@]}"; do
  redo -C other commit -q create --title="created $time" >/dev/null
done
redo -C other log --reverse --json >others.ndjson
number=0
while read -r line; do
  echo "$line" >one
  admin node one "$ANN" || fail "no document" <one
  id=$(ids_of <one | head -1)
  admin raw "nodes/$id" | created "${times[$number]}" >one
  admin put "nodes/$id" one
  number=$((number + 1))
done <others.ndjson
expect_equal "$number" "${#times[@]}" "documents made"
forget
run redo -C a fetch --json
expect_status 0
expect_equal "$(json 'len(d["fetched"])')" "${#times[@]}" fetched
expect_cost
redo -C b fetch -q
same a b
total=$((total + ${#times[@]}))
forget
run redo -C a fetch --json
expect_status 0
reads 42 8192

scene "a document that is no node is known, counted in, and costs a read each time"
echo '{"fields":{"id":{"stringValue":"x"},"accessList":{"arrayValue":{"values":[{"stringValue":"'"$ANN"'"}]}}}}' >junk
admin put nodes/junk-1 junk
echo '{"fields":{"id":{"stringValue":"x"},"timestamp":{"mapValue":{"fields":{"lamport":{"doubleValue":2.5}}}},"accessList":{"arrayValue":{"values":[{"stringValue":"'"$ANN"'"}]}}}}' >junk
admin put nodes/junk-2 junk
run redo -C a fetch
expect_status 1
forget
run redo -C a fetch --json
expect_status 1
expect_cost
reads 44 10000
admin delete nodes/junk-1
admin delete nodes/junk-2
run redo -C a fetch
expect_status 0

scene "a document that was edited is found by push --verify"
edited=$(redo -C a log --format='%(id)' | head -3 | tail -1)
forge "nodes/$edited" data '{"fields":{"title":"Another one"}}'
run redo -C a push --verify
expect_status 1
expect_stderr_has "$edited"
forge
run redo -C a push --verify
expect_status 0
expect_stderr_has "'origin' has all"

scene "a service that counts nothing has its names listed, with the right counts"
trouble 'number * say 501 UNIMPLEMENTED'
forget
run redo -C a sync --json
expect_status 0
expect_equal "$(json 'd["fetched"], d["pushed"]')" "([], [])" "nothing"
expect_cost
run redo -C a stats --remote --json
expect_equal "$(json 'd["nodeCount"]')" "$(documents)" nodes
trouble

# What follows puts another store in the place of the one that is served.
[ "$TARGET" = serve ] || exit 0

# served <store>: what the project has is what this store has.
served() {
  kill "$PEER_PID" && wait "$PEER_PID"
  rm -rf primary
  cp -r "$1" primary
  start_server
}
scene "what is gone is said with its number: fetch ends with 1, push sends it again and ends with 0"
kill "$PEER_PID" && wait "$PEER_PID"
cp -r primary earlier
start_server
many a 3
redo -C a push -q
served earlier
run redo -C a fetch
expect_status 1
expect_stderr_has "warning: 'origin' lacks 3 changes that it had"
expect_stderr_has "hint: 'redo push origin' gives back what is here of it"
run redo -C a remote check
expect_status 1
expect_stderr_has "'origin' lacks 3 changes that it had"
run redo -C a push
expect_status 0
expect_stderr_has "warning: 'origin' lacks 3 changes that it had"
expect_stderr_has "pushed 3 new changes"
run redo -C a push --verify
expect_status 0
expect_stderr_has "'origin' has all"
expect_equal "$(documents)" "$(redo -C a log --format=x | wc -l)" "documents"
run redo -C a fetch
expect_status 0
expect_stderr ''

scene "another one in its place that has nothing: sync says so, and sends everything"
all=$(redo -C a log --format=x | wc -l)
redo init -q empty
served empty
run redo -C a sync --json
expect_status 0
expect_stderr_has "warning: 'origin' lacks $all changes that it had"
expect_equal "$(json 'len(d["pushed"]), d.get("lost", 0)')" "($all, 0)" pushed
there "$all"
run redo -C a push --verify
expect_status 0
expect_stderr_has "'origin' has all $all changes of this store"

scene "what is gone there and not here either stays said until a push has ended"
redo init -q c
joins c "$ANN"
redo -C c -c core.lockTimeout=1 remote check >/dev/null
served earlier
run redo -C c fetch -q
expect_status 1
run redo -C c fetch -q
expect_status 1
run redo -C c push -q --allow-unsigned
expect_status 1
run redo -C c push -q
expect_status 0

scene "what balances in number is called equal by nobody, and found by who lists the names"
stores left right
project
kill "$PEER_PID" && wait "$PEER_PID"
cp -r primary bare
start_server
joins left "$ANN"
joins right "$ANN"
redo -C left commit -q create --title=Left >/dev/null
redo -C right commit -q create --title=Right >/dev/null
push left
served bare
push right
run redo -C left fetch --json
expect_status 0
expect_equal "$(json 'd["fetched"], d.get("equal"), d["knownSince"][:2]')" "([], None, '20')" "what is said"
run redo -C left fetch -v
expect_stderr_has "only there: 0; as known since 20"
run redo -C left remote check
expect_status 1
expect_stdout_has "equal: no"
expect_stderr_has "warning: 'origin' lacks 1 change that it had"
run redo -C left sync --json
expect_status 0
expect_equal "$(json 'len(d["pushed"]), len(d["fetched"])')" "(1, 1)" "pushed and fetched"

scene "a node that is damaged while the server has it as a document harms itself alone, and comes again"
damaged=$(redo -C left log -n 1 --format='%(id)')
# From now on its document is made from the node.
kill "$PEER_PID" && wait "$PEER_PID"
rm -r primary/.redo/firestore
start_server
expect_equal "$(documents)" 2 "documents"
object=primary/.redo/objects/${damaged:7:2}/${damaged:9}
rm -f "$object"
printf 'x' >"$object"
run redo -C left remote check
expect_status 1
expect_stdout_has "nodesOnlyHere: 1"
expect_equal "$(documents)" 1 "documents"
run redo -C right push -q
expect_status 0
expect_equal "$(documents)" "$(redo -C right log --format='%(id)' | wc -l)" "documents"
run redo -C left push --verify
expect_status 0
expect_stderr_has "'origin' has all 2 changes"
expect_clean primary
