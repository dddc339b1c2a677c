#!/bin/bash
# redo sync: both stores come to the same history in one exchange.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

scene "each gets what only the other one has, and both are told"
platforms a b
on a 10:00:00.000 create -t $TASK --title=A
run redo -C a sync
expect_status 0
expect_stdout ''
expect_stderr "pushed 1 new change to 'origin'"
on b 10:00:00.000 create -t $OTHER --title=B
run redo -C b sync
expect_status 0
expect_stderr "fetched 1 new change of 1 task from 'origin'
pushed 1 new change to 'origin'"
run redo -C a sync
expect_stderr "fetched 1 new change of 1 task from 'origin'"
same a b server
run redo -C a sync
expect_status 0
expect_stderr ''

scene "Q11: --json has what was acknowledged, and what was missing; one exchange does both"
on a 10:01:00.000 update -t $TASK --priority=1
mine=$(cat "$OUT")
on b 10:01:00.000 update -t $OTHER --priority=1
theirs=$(cat "$OUT")
push b
run redo -C a sync -q --json
expect_status 0
expect_equal "$(json 'd["acknowledgedChangeIds"], d["missingChanges"], d["merged"], d["roundTrips"] <= 3')" \
  "(['$mine'], ['$theirs'], [], True)" "the object"
run redo -C a sync -q --json
expect_equal "$(json 'd["roundTrips"], d["bytesSent"] + d["bytesReceived"] < 2048')" "(1, True)" "when there is nothing to do"

scene "--merge: diverged tasks come together, and the other side gets that, too"
on a 10:02:00.000 update -t $TASK --priority=4
pull b
on b 10:02:00.000 update -t $TASK --title=Both
run redo -C a sync -q
run redo -C b sync --merge
expect_status 0
expect_stderr "fetched 1 new change of 1 task from 'origin'
pushed 1 new change to 'origin'
merged 1 task
pushed 1 new change to 'origin'"
expect_equal "$(redo -C b log -n 1 --format='%(action)')" MERGE "the last change"
run redo -C a sync -q
same a b server
run redo -C a merge --check
expect_status 0

scene "without a key nothing can be merged, but everything is exchanged"
redo init -q c
redo -C c remote add origin "$(url server)"
run redo -C c sync -q --merge
expect_status 0
same a c

scene "--interval: again and again, until SIGTERM"
redo -C a sync -q --interval=1 2>again.err &
syncer=$!
on b 10:03:00.000 update -t $OTHER --title='Comes by itself'
push b
until [ "$(count a)" = "$(count b)" ]; do sleep 0.05; done
# The store had no schema when this began.
redo -C a schema new visit >/dev/null
until [ "$(redo -C server schema list | cut -f1)" = visit ]; do sleep 0.05; done
kill -TERM $syncer
wait $syncer
expect_equal $? 0 "its status"
expect_equal "$(cat again.err)" "" "what it says"
same a b

scene "options that make no sense together"
run redo -C a sync -n --merge
expect_status 129
run redo -C a sync --passphrase-fd=0
expect_status 129
run redo -C a sync --interval=0
expect_status 129
