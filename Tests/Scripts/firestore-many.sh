#!/bin/bash
# A long log of one user goes to Firestore and comes back. REDO_NODES says how many nodes it has; with 15,000 the
# users document cannot hold the ids of all.
nodes=${REDO_NODES:-1500}
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

# measured <what> <command>...: the same, and a line with its seconds and the most memory of a process, in KiB.
measured() {
  local what=$1
  shift
  RUN="$*"
  python3 -c 'import resource, subprocess, sys, time
start = time.monotonic()
ended = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1] + "/stdout", "w"), stderr=open(sys.argv[1] + "/stderr", "w"))
print(round(time.monotonic() - start, 1), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(ended.returncode)' "$WORK/.last" "$@" >cost
  STATUS=$?
  read -r seconds kib <cost
  echo "# $what: $seconds s, $kib KiB, $(wc -l <"$REQUESTS") requests, $(answered) bytes of answers"
  forget
}

scene "$nodes nodes go there, each once"
stores web ios
project
joins web "$ANN"
joins ios "$ANN"
python3 -c 'import json, sys
for number in range(int(sys.argv[1]) // 3):
    task = "550e8400-e29b-41d4-a716-%012d" % number
    print(json.dumps({"action": "CREATE", "taskId": task, "fields": {"title": "Task %d" % number, "priority": number % 5 + 1}}))
    print(json.dumps({"action": "UPDATE", "taskId": task, "fields": {"description": "What it is about, in some words"}}))
    print(json.dumps({"action": "COMPLETE", "taskId": task, "fields": {"completedAt": "2025-11-16T10:00:00.000Z"}}))
' "$nodes" | redo -C web commit -q --stdin >/dev/null || fail "the changes are refused" </dev/null
forget
measured "push of $nodes" redo -C web push --json
expect_status 0
expect_equal "$(json 'len(d["pushed"]), d["refused"]')" "($nodes, [])" "what is pushed"
expect_equal "$(documents)" "$nodes" documents

scene "they come back, to a store that has nothing, in little memory"
measured "fetch of $nodes" redo -C ios fetch --json
expect_status 0
expect_equal "$(json 'len(d["fetched"])')" "$nodes" "what is fetched"
[ "$kib" -lt $((51200 + nodes * 12)) ] || fail "$kib KiB" </dev/null
same web ios
run redo -C ios verify --all --profile=sync
expect_status 0

scene "when both have all, little is said"
measured "fetch of nothing" redo -C ios fetch -q
expect_status 0
measured "push of nothing" redo -C web push -q
expect_status 0

scene "and a change on each side goes over"
redo -C web commit -q create --title=One >/dev/null
redo -C ios commit -q create --title=Two >/dev/null
measured "push of one" redo -C web push -q
expect_status 0
measured "sync of one and one" redo -C ios sync -q
expect_status 0
expect_equal "$(documents)" $((nodes + 2)) documents
measured "fetch of one" redo -C web fetch -q
expect_status 0
same web ios

scene "the users document has what it can hold, and each id once"
run admin get "users/$ANN"
expect_status 0
python3 -c 'import json, sys
owned = json.load(open(sys.argv[1]))["ownedNodes"]
print("#", len(owned), "ids")
sys.exit(0 if len(owned) == len(set(owned)) >= min(int(sys.argv[2]) + 2, 13500) else 1)' "$OUT" "$nodes" ||
  fail "other ids" </dev/null

scene "a store that asks for owned nodes gets these"
redo init -q owner
joins owner "$ANN"
redo -C owner remote set origin listing owned
redo -C owner remote set origin batch 30
measured "fetch by owned nodes" redo -C owner fetch -q
[ "$STATUS" -le 1 ] || fail "the status is $STATUS" <"$ERR"
expect_equal "$(redo -C owner log --format='%(id)' | wc -l)" \
  "$(admin get "users/$ANN" | python3 -c 'import json, sys
print(len(json.load(sys.stdin)["ownedNodes"]))')" nodes
