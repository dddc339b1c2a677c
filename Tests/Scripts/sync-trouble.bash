# Scenarios 7 and 9 of the cross-platform sync document, C16 and C18, between stores: a peer of a script has what was
# edited, and connections of ssh break.

broken_node() {
  scene "C16, scenario 7: a node whose parents were broken is refused, and nothing else suffers"
  platforms ios android
  on ios 10:00:00.000 create -t $TASK --title='Task'
  on ios 10:01:00.000 update -t $TASK --title='Task, changed'
  on ios 10:02:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:02:00.000Z
  hand ios android
  before=$(redo -C ios state --hash)
  nowhere=sha256:$(printf 'f%.0s' $(seq 64))
  # The remote's copy as somebody edited it, and a sibling that nobody touched; no store of ours would send it.
  on android 10:03:00.000 create -t $OTHER --title=Sibling
  redo -C android log --reverse --json |
    sed -E "/\"COMPLETE\"/s/\"parents\":\[[^]]*\]/\"parents\":[\"$nowhere\"]/" >edited
  grep -q "$nowhere" edited || fail "nothing is edited" <edited
  echo "peer $PWD/edited" >"$WORK/trouble"
  run redo -C ios fetch -q ssh://host/edited
  expect_status 1
  expect_stderr_has "ValidationError: missing parent $nowhere (Invalid parent reference) in sha256:"
  expect_stderr_has signature-bad
  expect_equal "$(log_of ios)" "CREATE CREATE UPDATE COMPLETE" "the log: three nodes and the sibling"
  redo -C ios state --task=$TASK | cmp -s - <(redo -C android state --task=$TASK) || fail "the state differs" </dev/null
  expect_equal "$(redo -C ios state -q --as-of=2025-11-16T10:02:30Z --hash)" "$before" "the state before the sibling"
  run redo -C ios verify --all --profile=sync
  expect_status 0
  expect_clean ios
  # The same node, properly signed by somebody: its parent is not here, and it waits.
  redo init -q elsewhere && redo -C elsewhere key generate >/dev/null 2>&1
  redo -C android log --reverse --json | redo -C elsewhere import -q >/dev/null
  redo -C elsewhere commit -q update -t $TASK --priority=1 >/dev/null
  redo -C elsewhere commit -q update -t $TASK --priority=2 >/dev/null
  parent=$(redo -C elsewhere log -n 2 --format='%(id)' | sed -n 2p)
  redo -C elsewhere log -n 1 --json >orphan
  echo "peer $PWD/orphan" >"$WORK/trouble"
  run redo -C ios fetch -q ssh://host/orphan
  expect_status 1
  expect_stderr_has "ValidationError: missing parent $parent (Invalid parent reference) in $(ids_of <orphan)"
  expect_equal "$(count ios)" 4 "nodes"
  run redo -C ios quarantine list
  expect_stdout_has "$(ids_of <orphan)"
  run redo -C ios fetch "$PWD/elsewhere"
  expect_status 0
  expect_equal "$(count ios)" 6 "nodes when the parent has come"
  run redo -C ios quarantine list
  expect_stdout ''
}

broken_connection() {
  scene "C18, scenario 9: the connection breaks after half of it, and once more; nothing is fetched twice"
  platforms web ios
  hundred_tasks web
  push web
  redo -C ios remote set origin url "ssh://host$PWD/server"
  printf 'cut 400000\nfail\n' >"$WORK/trouble"
  start=$EPOCHSECONDS
  run redo -C ios fetch --json
  took=$((EPOCHSECONDS - start))
  expect_status 0
  expect_equal "$(json 'len(d["fetched"]), d["attempts"]')" "(100, 3)" "what came, and the attempts"
  [ $took -ge 6 ] && [ $took -lt 300 ] || fail "it takes $took seconds" </dev/null
  expect_equal "$(grep -o 'attempt [0-9] of 5 in [0-9]* seconds' "$ERR" | paste -sd,)" \
    "attempt 2 of 5 in 2 seconds,attempt 3 of 5 in 4 seconds" "what is said"
  # 100 times 6,000 bytes and little more: what came before the cut did not come again.
  expect_equal "$(json '600000 < d["bytesReceived"] < 900000')" True "bytes received"
  expect_equal "$(count ios)" 100 "nodes without duplicates"
  same web ios
  nothing_waits ios
  every_node_good ios
  expect_clean ios
  : >"$WORK/trouble"

  scene "C18: a server that drops after 50 of 100 nodes"
  stores ios
  for number in $(seq 100); do
    printf '{"action":"CREATE","taskId":"550e8400-e29b-41d4-a716-%012d","fields":{"title":"Task %d"}}\n' "$number" "$number"
  done | redo -C ios commit -q --stdin >/dev/null
  redo -C ios log --reverse --json >log
  rm -r ios
  redo init -q ios
  printf 'peer %s batch=10 drop=5\npeer %s batch=10\n' "$PWD/log" "$PWD/log" >"$WORK/trouble"
  run redo -C ios fetch --json ssh://host/log
  expect_status 0
  expect_equal "$(json 'len(d["fetched"]), d["attempts"], len(set(d["fetched"]))')" "(100, 2, 100)" "what came"
  expect_equal "$(count ios)" 100 nodes
  : >"$WORK/trouble"
}
