#!/bin/bash
# redo fetch: what a remote has and this store lacks comes into the history, checked, whole or not at all.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

zero=sha256:$(printf '0%.0s' $(seq 64))

scene "what is new comes, heads move, and people are told; a second time nothing happens"
stores there here
on there 10:00:00.000 create -t $TASK --title=Water
on there 10:01:00.000 create -t $OTHER --title=Other
redo -C here remote add origin "$(url there)"
run redo -C here fetch
expect_status 0
expect_stdout ''
expect_stderr "fetched 2 new changes of 2 tasks from 'origin'"
expect_equal "$(ids here)" "$(ids there)" "the log"
same here there
expect_clean here
nothing_waits here
before=$(fingerprint here)
run redo -C here fetch
expect_status 0
expect_stdout ''
expect_stderr ''
expect_equal "$(redo -C here reflog | grep -c 'fetch origin')" 2 "entries of the reflog: heads, and what is remembered"

scene "what the remote has is remembered, as a name and no more"
expect_equal "$(redo -C here show-ref "remotes/origin/heads/$TASK" --format='%(id)')" \
  "$(redo -C there show-ref "heads/$TASK" --format='%(id)')" "the head there"
expect_equal "$(cat here/.redo/remotes/origin/id)" "$(redo -C there config get core.id)" "the id"

scene "--porcelain: a line for each head: new, forward, united"
on there 10:02:00.000 update -t $TASK --priority=4
third=$(cat "$OUT")
on here 10:02:30.000 update -t $OTHER --priority=1
own=$(cat "$OUT")
on there 10:03:00.000 update -t $OTHER --priority=2
other=$(cat "$OUT")
on there 10:04:00.000 create -t 550e8400-e29b-41d4-a716-446655440002 --title=New
new=$(cat "$OUT")
old=$(redo -C here show-ref "heads/$TASK" --format='%(id)')
run redo -C here fetch --porcelain -q
expect_status 0
sort "$OUT" >found
sort >expected <<END
  $old $third heads/$TASK
+ $own $other heads/$OTHER
* $zero $new heads/550e8400-e29b-41d4-a716-446655440002
END
cmp -s expected found || fail "the rows" < <(diff expected found)
run redo -C here merge --check -q
expect_status 1

scene "the last change, to be undone, is what the fetch did to the history, not what it remembers"
run redo -C here reflog undo
expect_status 0
expect_equal "$(cut -d' ' -f3 "$OUT" | sort)" "$(sort -k3 expected | awk '{ print $NF }' | sort)" "the heads that went back"
run redo -C here reflog undo
expect_status 0

scene "who fetched is told of tasks that diverge; the next change follows all heads"
on there 10:05:00.000 update -t $TASK --priority=5
on here 10:05:00.000 update -t $TASK --priority=1
run redo -C here fetch
expect_status 0
expect_stderr "fetched 1 new change of 1 task from 'origin'
hint: 1 task has diverged; 'redo merge --all' brings it together"
on here 10:06:00.000 update -t $TASK --title=Both
expect_equal "$(redo -C here log -n 1 --format='%(parents)' | wc -w)" 2 "parents"
expect_equal "$(redo -C here log -n 1 --format='%(lamport)')" 4 "A100: above everything fetched"

scene "--json: one canonical line; --audit: rows of what is new, as it stands in the store"
on there 10:07:00.000 update -t $TASK --title=More
id=$(cat "$OUT")
run redo -C here fetch --json
expect_status 0
expect_stdout_lines 1
redo canonicalize <"$OUT" | cmp -s - <(tr -d '\n' <"$OUT") || fail "it is not canonical" <"$OUT"
expect_equal "$(json 'd["fetched"], d["pushed"], d["refused"], d["orphans"], d["remote"], d["attempts"]')" \
  "(['$id'], [], [], [], 'origin', 1)" "the object"
expect_equal "$(json 'd["heads"][0]["flag"], d["heads"][0]["new"], d["bytesReceived"] > 100, d["roundTrips"] <= 3')" \
  "('+', '$id', True, True)" "the rest"
on there 10:08:00.000 update -t $TASK --title=Most
id=$(cat "$OUT")
run redo -C here fetch -q --audit
expect_status 0
expect_stdout "G $id body"

scene "-n says what would be done, and writes nothing"
on there 10:09:00.000 update -t $TASK --title=Dry
before=$(fingerprint here)
run redo -C here fetch -n
expect_status 0
expect_stderr_has "would have fetched 1 new change of 1 task from 'origin'"
expect_untouched "$before" here

scene "a URL without a name: the same, and nothing is remembered"
stores there here
on there 10:00:00.000 create -t $TASK --title=Water
run redo -C here fetch "$(url there)"
expect_status 0
expect_equal "$(count here)" 1 nodes
[ ! -e here/.redo/remotes/origin ] || fail "something is remembered" </dev/null
expect_equal "$(redo -C here show-ref | grep -c remotes/)" 0 "names"

scene "which remote: the only one, or origin, or the one that is named"
stores a b here
on a 10:00:00.000 create -t $TASK --title=A
on b 10:00:00.000 create -t $OTHER --title=B
run redo -C here fetch
expect_error 128 "there is no remote"
redo -C here remote add first "$(url a)"
run redo -C here fetch -q
expect_status 0
expect_equal "$(count here)" 1 "nodes of the only remote"
redo -C here remote add second "$(url b)"
run redo -C here fetch
expect_error 128 "none of the 2 remotes is called 'origin'"
run redo -C here fetch second --all
expect_status 129
run redo -C here fetch nowhere
expect_error 2 "there is no remote 'nowhere'"
run redo -C here fetch -q --all
expect_status 0
expect_equal "$(count here)" 2 "nodes of all remotes"

scene "a remote that is not enabled is left out of '--all', and named; by its name it is used all the same"
redo -C here remote set second enabled false
for command in fetch sync; do
  run redo -C here $command --all
  expect_status 0
  expect_stderr_has "'second' is left out: 'remote.second.enabled' is false"
  expect_stderr_lacks "'first' is left out"
  run redo -C here $command -q --all
  expect_status 0
  expect_stderr ''
done
on b 10:00:30.000 update -t $OTHER --title=more
run redo -C here fetch -q --all
expect_equal "$(count here)" 2 nodes
run redo -C here fetch -q second
expect_status 0
expect_equal "$(count here)" 3 nodes
redo -C here remote set first enabled false
run redo -C here fetch -q --all
expect_error 128 "no remote is enabled"
run redo -C here remote set first enabled perhaps
expect_error 128 "bad value 'perhaps' for 'enabled': not true or false"
run redo -C here -c remote.first.enabled=perhaps fetch --all
expect_error 128 "perhaps"
for name in first second; do redo -C here remote set --unset $name enabled; done

scene "of several remotes one that is away keeps none of the others"
on b 10:01:00.000 update -t $OTHER --priority=2
mv a away
run redo -C here fetch -q --all
expect_status 128
expect_equal "$(grep -c '^error: ' "$ERR")" 1 "messages"
expect_equal "$(count here)" 4 nodes
mv away a

scene "--task and --since: these, and their ancestors"
stores there here
on there 10:00:00.000 create -t $TASK --title=One
on there 10:01:00.000 create -t $OTHER --title=Two
on there 10:02:00.000 update -t $OTHER --priority=2
run redo -C here fetch -q "$(url there)" --task=$TASK
expect_status 0
expect_equal "$(log_of here '%(task)')" "$TASK" "the task"
run redo -C here fetch --json "$(url there)" --task=$TASK
expect_equal "$(json 'd["fetched"], d["onlyThere"], "equal" in d')" "([], 0, False)" "nothing is said of the others"
run redo -C here fetch -q "$(url there)" --since=2025-11-16T10:01:30Z
expect_status 0
expect_equal "$(log_of here '%(action)')" "CREATE CREATE UPDATE" "the ancestors come, too"
run redo -C here fetch "$(url there)" --since=someday
expect_error 128 "expects a date"

scene "--stdin: only these and their ancestors"
stores there here
on there 10:00:00.000 create -t $TASK --title=One
on there 10:01:00.000 update -t $TASK --priority=2
wanted=$(cat "$OUT")
on there 10:02:00.000 update -t $TASK --priority=3
on there 10:03:00.000 create -t $OTHER --title=Two
on here 09:00:00.000 create -t 550e8400-e29b-41d4-a716-0000000000ff --title=Own
run bash -c "echo $wanted | redo -C here fetch -n -v --stdin '$(url there)'"
expect_status 0
# The other two are not even compared.
expect_stderr_has 'only there: 2'
run bash -c "echo $wanted | redo -C here fetch -q --stdin '$(url there)'"
expect_status 0
expect_equal "$(log_of here '%(lamport)')" "1 1 2" "it and what it stands on"
run redo -C here fetch -q "$(url there)"
expect_status 0
expect_equal "$(count here)" 5 "the rest comes later"
run bash -c "echo $zero | redo -C here fetch -q --stdin '$(url there)'"
expect_status 1
expect_stderr "error: '$zero' is neither here nor at '$(url there)'"
run bash -c "echo nonsense | redo -C here fetch --stdin '$(url there)'"
expect_error 128 "standard input, line 1: 'nonsense' is not an id"

scene "nodes that nobody signed do not come, unless both sides say so"
stores there here
on there 10:00:00.000 create -t $TASK --title=Unsigned --unsigned
unsigned=$(cat "$OUT")
run redo -C here fetch -q "$(url there)"
expect_status 1
expect_stderr "error: 1 change at '$(url there)' is not taken: 1 has no signature ($unsigned); '--allow-unsigned' takes it"
expect_equal "$(count here)" 0 nodes
if [ "$TRANSPORT" = path ]; then
  run redo -C here fetch -q --allow-unsigned "$(url there)"
  expect_status 0
  expect_equal "$(count here)" 1 nodes
fi

scene "A101: one at a time; the other one waits, or not"
stores there here
on there 10:00:00.000 create -t $TASK --title=Water
redo -C here remote add origin "$(url there)"
redo -C here fetch -q
lock=$(find here/.redo/quarantine -maxdepth 1 -name '*lock*' -type f | head -1)
[ -n "$lock" ] || fail "there is no lock" </dev/null
: >hold
python3 - "$lock" >ready <<'END' &
import fcntl, os, struct, sys, time
file = open(sys.argv[1], "r+b")
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
print("held", flush=True)
while os.path.exists("hold"):
    time.sleep(0.05)
END
while [ ! -s ready ]; do sleep 0.05; done
run redo -C here fetch --lock-timeout=0
expect_error 75 "another synchronisation of this store is under way"
on here 10:00:00.000 create -t $OTHER --title='Local work waits for nothing'
(sleep 1 && rm hold) &
run redo -C here fetch --lock-timeout=600000
expect_status 0
wait

scene "--watch: nodes as they come, a cursor, and a good end by SIGTERM"
stores there here
redo -C here remote add origin "$(url there)"
on there 10:00:00.000 create -t $TASK --title=First
redo -C here fetch -q
: >watched
redo -C here fetch -q --watch --interval=1 --cursor=0 >watched 2>watched.err &
watcher=$!
until grep -q '{"cursor":1}' watched; do sleep 0.05; done
on there 10:01:00.000 update -t $TASK --priority=2
until grep -q '{"cursor":2}' watched; do sleep 0.05; done
kill -TERM $watcher
wait $watcher
expect_equal $? 0 "its status"
expect_equal "$(cat watched.err)" "" "what it says"
expect_equal "$(sed -n 2p watched)" '{"cursor":1}' "the cursor"
expect_equal "$(sed '/cursor/d' watched)" "$(redo -C here log --reverse --json)" "the nodes"

scene "--watch and sync --interval say once what stays held back, and again when it has changed"
for command in 'fetch --watch' sync; do
  stores there here
  redo -C here remote add origin "$(url there)"
  on there 10:00:00.000 create -t $TASK --title=First
  redo -C here fetch -q
  on there 10:01:00.000 create -t $OTHER --title=Unsigned --unsigned
  redo -C here $command --interval=1 >watched 2>watched.err &
  watcher=$!
  at_exit "kill $watcher 2>/dev/null"
  # Each change that comes shows that there was another exchange.
  for number in 1 2 3; do
    on there 10:02:00.000 update -t $TASK --priority=$number
    id=$(cat "$OUT")
    until redo -C here cat-node -e "$id" 2>/dev/null; do sleep 0.05; done
  done
  expect_equal "$(grep -c "error: 1 change at 'origin' is not taken" watched.err)" 1 "lines"
  expect_equal "$(grep -c "quarantine ignore" watched.err)" 1 "hints"
  on there 10:03:00.000 update -t $OTHER --priority=1
  for number in 4 5; do
    on there 10:04:00.000 update -t $TASK --priority=$number
    id=$(cat "$OUT")
    until redo -C here cat-node -e "$id" 2>/dev/null; do sleep 0.05; done
  done
  kill -TERM $watcher
  wait $watcher
  expect_equal $? 0 "its status"
  expect_equal "$(grep -c "error: .* at 'origin' .* not taken" watched.err)" 2 "lines"
  expect_equal "$(grep -c "error: 2 changes at 'origin' are not taken: 1 has no signature .*, 1 needs it" watched.err)" 1 "lines"
done

scene "--watch: SIGTERM ends it with 0 also where it is about to print"
stores there here
redo -C here remote add origin "$(url there)"
for number in 1 2 3 4 5; do
  redo -C here fetch --watch --interval=1 >watched 2>watched.err &
  watcher=$!
  until [ -s watched ]; do sleep 0.05; done
  on there 10:00:00.000 create --title=$number
  id=$(cat "$OUT")
  until redo -C here cat-node -e "$id" 2>/dev/null; do :; done
  kill -TERM $watcher
  wait $watcher
  expect_equal $? 0 "its status"
done

scene "--watch: what it takes"
run redo -C here fetch --watch --cursor=7
expect_error 128 "the cursor is 5 now, which is less than 7"
run redo -C here fetch --watch --stdin
expect_status 129
run redo -C here fetch --interval=5
expect_status 129
