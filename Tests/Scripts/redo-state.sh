#!/bin/bash
# redo state: the replay of the history, whole, at points in time, and of nodes on standard input.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T1=7a000000-0000-4000-8000-000000000001
T2=7b000000-0000-4000-8000-000000000002

# value <member>: of a state of one task, the text of a member.
value() { sed -n "s/.*\"$1\":\(\"[^\"]*\"\|[^,}]*\).*/\1/p"; }

make_store
scene "a store without history has no tasks; its hash is that of nothing"
run redo state
expect_status 0
expect_stdout ''
expect_stderr ''
run redo state --hash
expect_stdout sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
run redo state --table
expect_stdout ''

root=$(add CREATE $T1 1 01T08:00:00.000 '"title":"Water","todos":[{"deadline":"2025-03-08T00:00:00.000Z"}],"tags":["a"]')
left=$(add UPDATE $T1 2 02T08:00:00.000 '"title":"Water all"' "$root")
right=$(add UPDATE $T1 2 03T08:00:00.000 '"priority":1' "$root")
other=$(add CREATE $T2 1 04T08:00:00 '"description":"line\nline","storyPoints":2.5,"title":"\u001b[31mred"')

scene "a line a task, byte for byte"
run redo state
expect_status 0
todo=$(printf '%s/0' "$root" | sha256sum)
todo=${todo:0:8}-${todo:8:4}-${todo:12:4}-${todo:16:4}-${todo:20:12}
expect_stdout <<END
{"archived":false,"created":"2025-03-01T08:00:00.000Z","defaulted":["description","frequencyDays","privacy","storyPoints"],"description":"","fields":{"tags":["a"]},"frequencyDays":0,"guid":"$T1","lastUpdated":"2025-03-03T08:00:00.000Z","priority":1,"privacy":false,"storyPoints":1,"title":"Water all","todoTasks":[{"created":"2025-03-01T08:00:00.000Z","deadline":"2025-03-08T00:00:00.000Z","fields":{},"guid":"$todo","notes":"","redoParentGuid":"$T1"}],"userId":"$USER"}
{"archived":false,"created":"2025-03-04T08:00:00Z","defaulted":["frequencyDays","priority","privacy"],"description":"line\nline","fields":{},"frequencyDays":0,"guid":"$T2","priority":3,"privacy":false,"storyPoints":2.5,"title":"\u001b[31mred","todoTasks":[],"userId":"$USER"}
END
expect_stderr ''
cp "$OUT" whole
run redo-state --json
expect_stdout_file whole

scene "--hash is the hash of exactly these bytes, also with -z"
run redo state --hash
expect_stdout "sha256:$(sha256sum <whole | cut -d' ' -f1)"
redo state --hash -z | tr '\0' '\n' >hash
expect_stdout_file hash
redo state -z | tr '\0' '\n' >"$OUT"
expect_stdout_file whole

scene "--task: by a UUID of either case, or its beginning; nothing else is walked"
run redo state --task=${T2^^}
sed -n 2p whole >expected
expect_stdout_file expected
run redo state --task=7b00 --task=7a00
expect_stdout_file whole
run redo state --task=7
expect_error 128 "the beginning of a task id has at least 4 characters: '7'"
run redo state --task=ffff
expect_error 128 "no task begins with 'ffff'"
run redo state --task=ffffffff-0000-4000-8000-000000000001
expect_error 128 "no change is about task 'ffffffff-0000-4000-8000-000000000001'"

scene "tips: they and their ancestors"
run redo state "$left"
expect_status 0
expect_equal "$(value title <"$OUT")" '"Water all"' title
expect_equal "$(value priority <"$OUT")" 3 priority
run redo state "${right:7:12}" "$left"
sed -n 1p whole >expected
expect_stdout_file expected

scene "a range: only its nodes, and what they do to nothing has no effect"
run redo state "$root..$left"
expect_status 0
expect_stdout ''
expect_stderr "warning: a node has no effect: task-missing; it is '$left'"
run redo state "$right" "^$left"
expect_stderr "warning: a node has no effect: task-missing; it is '$right'"
run redo state "heads/$T1"
sed -n 1p whole >expected
expect_stdout_file expected

scene "--as-of a time or a date: which instant it was, and how the policies differ, is said"
run redo state --as-of=2025-03-02
expect_status 0
expect_stdout_lines 1
expect_equal "$(value title <"$OUT")" '"Water all"' title
expect_equal "$(value priority <"$OUT")" 3 priority
expect_stderr 'as of 2025-03-02T23:59:59.999Z: 2 of 4 nodes, policy closed; wall has 0 more and 0 fewer; received has 0 more and 2 fewer'
run redo state --as-of=2025-03-02T07:59:59.999Z
expect_equal "$(value title <"$OUT")" '"Water"' title
run redo state --as-of=2025-03-02T08:00:00Z -q
expect_equal "$(value title <"$OUT")" '"Water all"' title
expect_stderr ''
run redo state --as-of=@1740988799 -q
expect_equal "$(value priority <"$OUT")" 3 priority
run redo state --as-of=now --policy=received -q
expect_stdout_file whole
run redo state --as-of=2025-12-31 --policy=received
expect_error 128 "no node precedes '2025-12-31'"

scene "--as-of a node or a logical time"
run redo state --as-of="$right"
expect_equal "$(value title <"$OUT")" '"Water"' title
expect_equal "$(value priority <"$OUT")" 1 priority
expect_stderr "as of $right: 2 of 4 nodes"
run redo state -q --as-of="${right:0:20}"
expect_equal "$(value priority <"$OUT")" 1 priority
run redo state --as-of=lamport:1
expect_stdout_lines 2
expect_stderr 'as of lamport:1: 2 of 4 nodes'
run redo state --as-of="sha256:$(printf '%064d' 0)"
expect_error 128 "is not in the history"
run redo state --as-of="$other" "$left"
expect_error 128 "is not in the history"

scene "what is no point in time is refused, and so is one that no node precedes"
for point in someday 2025-02-30 2025-3-1 2025-03-01T08:00 2025-03-01T08:00:00+1:00 2025-03-01T08:00:60Z \
  '' now+1d 7d 2025 lamport: lamport:0 lamport:-1 lamport:x lamport:281474976710657; do
  run redo state --as-of="$point"
  expect_error 128 "'$point'"
done
run redo state --as-of=2020-01-01
expect_error 128 "no node precedes '2020-01-01'"
run redo state --as-of=2020-01-01 --allow-empty
expect_status 0
expect_stdout ''
run redo state --as-of=2020-01-01 --json
expect_stderr '{"error":"no node precedes '"'2020-01-01'"'","exit":128,"hint":"'"'--allow-empty'"' takes it for an empty state"}'

scene "closed does not tear a change from what it builds on; wall does, and says so"
make_store ../skewed
root2=$(add CREATE $T1 1 01T08:00:00.000 '"title":"a"')
ahead=$(add UPDATE $T1 2 20T08:00:00.000 '"title":"from a clock that is ahead"' "$root2")
add UPDATE $T1 3 02T08:00:00.000 '"priority":5' "$ahead" >/dev/null
run redo state --as-of=2025-03-03
expect_equal "$(value priority <"$OUT")" 3 priority
expect_stderr 'as of 2025-03-03T23:59:59.999Z: 1 of 3 nodes, policy closed; wall has 1 more and 0 fewer; received has 0 more and 1 fewer'
run redo state --as-of=2025-03-03 --policy=wall
expect_equal "$(value priority <"$OUT")" 5 priority
expect_equal "$(value title <"$OUT")" '"a"' title
expect_stderr 'as of 2025-03-03T23:59:59.999Z: 2 of 3 nodes, policy wall; closed has 0 more and 1 fewer; received has 0 more and 2 fewer'

scene "--table: by rank, texts escaped, the moment is that of --as-of"
cd ../here || exit
run redo state --table --as-of=2025-03-08T00:00:00.000Z -q
expect_status 0
expect_stdout <<END
RANK      URGENCY   LEVEL   PRIORITY  POINTS  DEADLINE                  PENDING  STATE  TASK                                  TITLE
6.000000  6.000000  medium  1         1       2025-03-08T00:00:00.000Z  1/1      open   $T1  Water all
0.000000  -         none    3         2.5     -                         0/0      open   $T2  \x1b[31mred
END

scene "--skips: each change without effect, and why; a warning counts them otherwise"
make_store ../skips
add UPDATE $T1 1 01T08:00:00.000 '"title":"too early"' >ids
made=$(add CREATE $T1 2 02T08:00:00.000 '"title":"a"')
add CREATE $T1 3 03T08:00:00.000 '"title":"again"' "$made" >>ids
add REMIND $T1 3 04T08:00:00.000 '' "$made" >>ids
add COMPLETE_TODO $T1 3 05T08:00:00.000 "\"completed\":\"2025-03-05T08:00:00.000Z\",\"todoTaskId\":\"$T2\"" "$made" >>ids
add ARCHIVE '' 4 06T08:00:00.000 '' >>ids 2>"$ERR"
mapfile -t ids <ids
run redo state --skips
expect_status 0
expect_stdout <<END
${ids[0]} task-missing UPDATE $T1 -
${ids[1]} create-duplicate CREATE $T1 -
${ids[2]} action-unknown REMIND $T1 -
${ids[3]} todo-missing COMPLETE_TODO $T1 $T2
${ids[4]} task-id-missing ARCHIVE - -
END
expect_stderr ''
run redo state --skips --json
expect_stdout <<END
{"action":"UPDATE","id":"${ids[0]}","reason":"task-missing","task":"$T1"}
{"action":"CREATE","id":"${ids[1]}","reason":"create-duplicate","task":"$T1"}
{"action":"REMIND","code":"RECONSTRUCT_002","id":"${ids[2]}","reason":"action-unknown","task":"$T1"}
{"action":"COMPLETE_TODO","id":"${ids[3]}","reason":"todo-missing","task":"$T1","todo":"$T2"}
{"action":"ARCHIVE","code":"RECONSTRUCT_001","id":"${ids[4]}","reason":"task-id-missing"}
END
run redo state
expect_equal "$(value title <"$OUT")" '"a"' title
expect_stderr <<END
warning: a node has no effect: action-unknown; it is '${ids[2]}' [RECONSTRUCT_002]
warning: a node has no effect: create-duplicate; it is '${ids[1]}'
warning: a node has no effect: task-id-missing; it is '${ids[4]}' [RECONSTRUCT_001]
warning: a node has no effect: task-missing; it is '${ids[0]}'
warning: a node has no effect: todo-missing; it is '${ids[3]}'
END
run redo state -q
expect_stderr ''

scene "--trace: the stages and their counts"
run redo state -q --trace --as-of=2025-03-03
expect_stderr <<END
load: 6 nodes from 5 tips
validate: 6 valid, 0 broken
order: 6 nodes of 1 tasks
cut: 3 nodes
replay: 1 tasks, 1 in the state, 2 skips
skip: 1 create-duplicate
skip: 1 task-missing
END

scene "a deleted task leaves the state without a word; a branch beside the DELETE keeps it"
make_store ../deleted
made=$(add CREATE $T1 1 01T08:00:00.000 '"title":"a"')
delete=$(add DELETE $T1 2 02T08:00:00.000 '' "$made")
run redo state
expect_status 0
expect_stdout ''
expect_stderr ''
run redo state --skips
expect_stdout "$made not-living CREATE $T1 -"
add UPDATE $T1 2 03T08:00:00.000 '"title":"b"' "$made" >/dev/null
run redo state
expect_equal "$(value title <"$OUT")" '"b"' title

scene "a stored node that breaks a rule is left out with its descendants in the task"
python3 - "$made" "$T1" "$USER" >bad <<'END'
import hashlib, json, os, sys, zlib
made, task, user = sys.argv[1:]
body = {"action": "UPDATE", "author": {"deviceId": "d", "userId": user}, "data": {"fields": {"archived": True}},
        "parents": [made], "taskId": task, "timestamp": {"lamport": 5, "wall": "2025-03-05T08:00:00.000Z"}, "version": 1}
text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
name = hashlib.sha256(text).hexdigest()
os.makedirs(f".redo/objects/{name[:2]}", exist_ok=True)
with open(f".redo/objects/{name[:2]}/{name[2:]}", "wb") as file:
    file.write(zlib.compress(b"node %d\0" % len(text) + text))
print("sha256:" + name)
END
bad=$(cat bad)
behind=$(node UPDATE $T1 6 06T08:00:00.000 '"title":"behind"' "$bad" | redo hash-object -w --stdin)
run redo state "$behind" "$(redo log -n1 --format='%(id)')"
expect_status 0
expect_equal "$(value title <"$OUT")" '"b"' title
expect_stderr <<END
warning: '$bad': payload-forbidden at /data/fields/archived: an action has no member that belongs to another one; it is left out, with its descendants in the task [RECONSTRUCT_003]
warning: 2 nodes have no effect: broken-branch; the first is '$bad' [RECONSTRUCT_003]
END
run redo state --skips -q --json "$behind"
expect_stdout <<END
{"action":"UPDATE","code":"RECONSTRUCT_003","id":"$bad","reason":"broken-branch","task":"$T1"}
{"action":"UPDATE","id":"$behind","reason":"broken-branch","task":"$T1"}
END

scene "--stdin: just these nodes, in any order, without a store"
cd ../here || exit
redo log --json >nodes
cd "$WORK" || exit
run redo state --stdin <here/nodes
expect_status 0
expect_stdout_file here/whole
tac here/nodes | redo state --stdin >"$OUT"
expect_stdout_file here/whole
sed 's/^{/{"accessList":["1"],"createdAt":"x",/' here/nodes | redo state --stdin --task=7b00 >"$OUT" 2>"$ERR"
sed -n 2p here/whole >expected
expect_stdout_file expected
run redo state --stdin --as-of=2025-03-02 <here/nodes
expect_stderr 'as of 2025-03-02T23:59:59.999Z: 2 of 4 nodes, policy closed; wall has 0 more and 0 fewer'
run redo state --stdin </dev/null
expect_status 0
expect_stdout ''

scene "--stdin: a line that breaks a rule is refused, and what stands on it is left out"
grep -v '"UPDATE"' here/nodes >some
node UPDATE $T1 2 02T08:00:00.000 '"archived":true' "$root" >refused
bad=sha256:$(head -c -1 refused | sha256sum | cut -d' ' -f1)
sed "s/^{/{\"id\":\"$bad\",/" refused >>some
node UPDATE $T1 3 03T08:00:00.000 '"title":"behind"' "$bad" >>some
run redo state --stdin <some
expect_status 1
expect_equal "$(sed -n 1p "$OUT" | value title)" '"Water"' title
expect_stdout_lines 2
expect_stderr <<END
error: '<stdin>', line '3': payload-forbidden at /data/fields/archived: an action has no member that belongs to another one [RECONSTRUCT_003]
warning: 2 nodes have no effect: broken-branch; the first is '$bad' [RECONSTRUCT_003]
END
forged here/nodes >forged
run redo state --stdin <forged
expect_status 0
demo 3 | forged | redo state --stdin >"$OUT" 2>"$ERR"
STATUS=$?
expect_status 1
expect_stdout ''
expect_stderr_has "[RECONSTRUCT_003]"
echo 'not json' | redo state --stdin >"$OUT" 2>"$ERR"
STATUS=$?
expect_status 1
expect_stdout ''

scene "mistakes in the command line"
cd here || exit
for words in '--hash --table' '--skips --hash' '--policy=wall' '--policy=bogus --as-of=now' \
  '--as-of=lamport:2 --policy=wall' '--stdin 0000' '--stdin --as-of=now --policy=received' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo state $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-state"
done
run redo state --json --hash
expect_status 129
expect_stderr '{"error":"options '"'--json' and '--hash'"' cannot be used together","exit":129}'
run redo state 0000
expect_error 128 "no object has the name '0000'"

scene "a full disk is an error, and a reader that has seen enough ends it silently"
if [ -w /dev/full ]; then
  redo state >/dev/full 2>"$ERR"
  STATUS=$? ; : >"$OUT"
  expect_error 128 "write error"
fi
make_store ../big
gzip -dc "$DEMO" | redo import -q >/dev/null
redo state 2>"$ERR" | head -1 >"$OUT"
codes=("${PIPESTATUS[@]}")
expect_equal "${codes[0]}" 141 "the status of redo state"
expect_stdout_lines 1
expect_stderr ''

scene "the demo's log: the bytes of the oracle, in any order of the input"
redo state >whole
redo log --json | shuf --random-source=<(yes) | redo state --stdin >"$OUT" 2>"$ERR"
expect_stdout_file whole
ORACLE=$TESTS/../.build/oracle/bin/python
if ! "$ORACLE" -c 'import rfc8785, nacl' 2>/dev/null; then
  skip "there is no oracle; 'make deps' makes it"
else
  # The oracle is slow by design: of the whole log only the oldest part.
  redo log --json --reverse | head -n 400 >part
  "$ORACLE" "$TESTS/Oracle/replay.py" <part >expected
  run redo state --stdin <part
  expect_stdout_file expected
  for policy in closed wall; do
    "$ORACLE" "$TESTS/Oracle/replay.py" --as-of 2023-08-01 --policy $policy <part >expected
    run redo state --stdin --as-of=2023-08-01 --policy=$policy <part
    expect_stdout_file expected
  done
fi

scene "a store that may only be read"
chmod -R a-w .redo
run redo state
chmod -R u+w .redo
expect_status 0
expect_stdout_file whole

scene "outside of a store"
cd "$WORK" || exit
run redo state
expect_error 128 "not a redo repository (or any of the parent directories): .redo"
