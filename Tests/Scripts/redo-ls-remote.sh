#!/bin/bash
# redo ls-remote: what a comparison tells of a remote; nothing is fetched, and nothing changes.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

scene "the heads among what both have, and how much each side has alone"
platforms a b
on a 10:00:00.000 create -t $TASK --title=A
head=$(cat "$OUT")
push a
on a 10:01:00.000 update -t $TASK --priority=1
before=$(fingerprint a)$(fingerprint server)
run redo -C a ls-remote
expect_status 0
expect_stdout "$(printf '%s\theads/%s' "$head" $TASK)"
expect_stderr "both have 1 change; only here: 1; only there: 0"
expect_equal "$(fingerprint a)$(fingerprint server)" "$before" "both stores"
run redo -C b ls-remote
expect_status 0
expect_stdout ''
expect_stderr "both have 0 changes; only here: 0; only there: 1"

scene "-q, -z and --json"
run redo -C a ls-remote -qz
expect_stderr ''
expect_equal "$(tr '\0' '|' <"$OUT")" "$(printf '%s\theads/%s|' "$head" $TASK)" "rows"
run redo -C a ls-remote --json
expect_status 0
expect_equal "$(json 'd["both"], d["onlyHere"], d["onlyThere"], d["heads"][0]["id"], d["remote"], d["roundTrips"]')" \
  "(1, 1, 0, '$head', 'origin', 1)" "the object"
expect_equal "$(json 'd["store"]')" "$(redo -C server config get core.id)" "the id of the store"
redo canonicalize <"$OUT" | cmp -s - <(tr -d '\n' <"$OUT") || fail "it is not canonical" <"$OUT"

scene "--exit-code and --task: 2 when there is nothing of it"
run redo -C a ls-remote -q --exit-code
expect_status 0
run redo -C a ls-remote -q --exit-code --task=$OTHER
expect_status 2
expect_stdout ''
run redo -C a ls-remote -q --exit-code --task=$TASK
expect_status 0
expect_stdout_lines 1
run redo -C a ls-remote origin second
expect_status 129
run redo -C a ls-remote "$PWD/nowhere"
expect_status 128

scene "76: a remote is not who it was; nothing changes, and every command says so"
pull a
rm -rf server
redo init -q server
redo -C b commit -q create --title=Foreign >/dev/null
redo -C b push -q "$(url server)"
before=$(fingerprint a)$(fingerprint server)
for command in ls-remote fetch push sync; do
  run redo -C a $command
  expect_status 76
  expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages"
done
expect_equal "$(fingerprint a)$(fingerprint server)" "$before" "both stores"
