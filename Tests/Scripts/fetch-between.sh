#!/bin/bash
# What others push to a server while a client asks it, turn by turn: a child must not come without the parent that came with it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
need_python "what comes between two turns" http.server

# between (<number> <command>)...: a proxy in front of the server; its port is BETWEEN.
BETWEEN='' BETWEEN_PID=''
between() {
  stop_between
  : >between.port
  "$PYTHON" "$SCRIPTS/http-between.py" "$PORT" "$@" >between.port 2>between.log &
  BETWEEN_PID=$!
  until [ -s between.port ] || ! kill -0 "$BETWEEN_PID" 2>/dev/null; do sleep 0.05; done
  BETWEEN=$(cat between.port)
  [ -n "$BETWEEN" ] || fail "the proxy does not start" <between.log
}
stop_between() {
  [ -z "$BETWEEN_PID" ] || { kill "$BETWEEN_PID" && wait "$BETWEEN_PID"; } 2>/dev/null
  BETWEEN_PID=''
}
at_exit stop_between

# Many changes of lamport 1, then as many of lamport 2: the first answer settles where the first end, since nothing is new there.
redo init -q there
redo -C there key generate >/dev/null 2>&1
tasks=$("$PYTHON" -c 'import uuid
for number in range(1000): print(uuid.UUID(int=number << 80 | 4 << 76 | 8 << 60))')
for change in '"action":"CREATE","fields":{"title":"a task"}' '"action":"UPDATE","fields":{"priority":2}'; do
  for task in $tasks; do echo "{$change,\"taskId\":\"$task\"}"; done |
    redo -C there -c core.fsync=none commit -q --stdin >/dev/null
done
for name in here both gone; do
  redo init -q $name
  redo -C $name fetch -q ../there
done
redo -C there commit -q update -t "${tasks%%[[:space:]]*}" --priority=3 >/dev/null
TASK=550e8400-e29b-41d4-a716-446655440000
pushed="redo -C there commit -q create -t $TASK --title=new && redo -C there commit -q update -t $TASK --priority=1"

scene "a task that is pushed between two turns comes with its beginning"
serve there
between 2 "$pushed"
run redo -C here fetch "http://127.0.0.1:$BETWEEN"
expect_status 0
expect_stdout ''
expect_stderr "fetched 3 new changes of 2 tasks from 'http://127.0.0.1:$BETWEEN'"
expect_equal "$(redo -C here log --format='%(id)')" "$(redo -C there log --format='%(id)')" "the log"
expect_equal "$(redo -C here quarantine list)" '' "the quarantine"
expect_clean here

scene "what the other side has before it is asked takes no more exchange than before"
between
run redo -C both fetch --json "http://127.0.0.1:$BETWEEN"
expect_status 0
found=$("$PYTHON" -c 'import json, sys
row = json.load(sys.stdin)
print(row["attempts"], row["roundTrips"], len(row["fetched"]), row["orphans"])' <"$OUT")
expect_equal "$found" '1 3 3 []' "the report"

scene "a server that goes before it is asked again: what waits is said, and comes with the next fetch"
redo -C gone fetch -q "http://127.0.0.1:$PORT"
redo -C there commit -q update -t "${tasks%%[[:space:]]*}" --priority=4 >/dev/null
between 2 "${pushed//$TASK/${TASK/%0/1}}" 4 "kill -KILL $SERVER_PID"
run redo -C gone fetch --no-retry "http://127.0.0.1:$BETWEEN"
expect_status 75
expect_stderr_has "missing parent"
expect_stderr_has "1 change waits in the quarantine for its parents"
expect_stderr_has "cannot be reached"
stop_server 2>/dev/null
serve there
run redo -C gone fetch "http://127.0.0.1:$PORT"
expect_status 0
expect_equal "$(redo -C gone log --format='%(id)')" "$(redo -C there log --format='%(id)')" "the log"
expect_equal "$(redo -C gone quarantine list)" '' "the quarantine"
expect_clean gone
