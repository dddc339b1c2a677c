# Scenarios 7 and 9 of the cross-platform sync document, C16 and C18, over Firestore: the owner of the project edits a
# document past its rules, and the way to it breaks.

broken_node() {
  local before nowhere id parent orphan
  scene "C16, scenario 7: a node whose parents were broken is refused, and nothing else suffers"
  platforms ios android
  on ios 10:00:00.000 create -t $TASK --title='Task'
  on ios 10:01:00.000 update -t $TASK --title='Task, changed'
  on ios 10:02:00.000 --action=COMPLETE -t $TASK --field completedAt=2025-11-16T10:02:00.000Z
  id=$(cat "$OUT")
  hand ios android
  before=$(redo -C ios state --hash)
  on android 10:03:00.000 create -t $OTHER --title=Sibling
  push android
  nowhere=sha256:$(printf 'f%.0s' $(seq 64))
  forge "nodes/$id" parents "[\"$nowhere\"]"
  # It is known, and not read again; who wants to know that nothing was edited has everything listed.
  run redo -C ios fetch -q
  expect_status 0
  run redo -C ios push -q --verify
  expect_status 1
  expect_stderr_has "ValidationError: missing parent $nowhere (Invalid parent reference) in $id"
  expect_stderr_has "hashMismatch: the body hashes to"
  expect_equal "$(log_of ios)" "CREATE CREATE UPDATE COMPLETE" "the log: three nodes and the sibling"
  redo -C ios state --task=$TASK | cmp -s - <(redo -C android state --task=$TASK) || fail "the state differs" </dev/null
  expect_equal "$(redo -C ios state -q --as-of=2025-11-16T10:02:30Z --hash)" "$before" "the state before the sibling"
  run redo -C ios verify --all --profile=sync
  expect_status 0
  expect_clean ios

  scene "C16: whoever has nothing yet gets all but that node, which is kept to be looked at"
  run redo -C server fetch -q
  expect_status 1
  expect_stderr_has "missing parent $nowhere"
  expect_equal "$(redo -C server log --format='%(id)' | wc -l)" 3 "nodes"
  run redo -C server quarantine list
  expect_stdout_has "$id"
  run redo -C server quarantine show "$id"
  expect_status 0
  expect_stdout_has "$nowhere"
  expect_clean server

  scene "C16: a document that was mended is taken"
  forge
  pull server
  same ios android server
  run redo -C server quarantine list
  expect_stdout ''

  scene "C16: a good node whose parent is missing waits, and comes when that has come"
  redo init -q elsewhere && redo -C elsewhere key generate >/dev/null 2>&1
  joins elsewhere "$ANN" "$BOB"
  pull elsewhere
  redo -C elsewhere commit -q update -t $TASK --priority=1 >/dev/null
  redo -C elsewhere commit -q update -t $TASK --priority=2 >/dev/null
  parent=$(redo -C elsewhere log -n 2 --format='%(id)' | sed -n 2p) orphan=$(redo -C elsewhere log -n 1 --format='%(id)')
  redo -C elsewhere log -n 1 --json >orphan
  admin node orphan "$ANN" "$BOB" || fail "there is no orphan" </dev/null
  run redo -C ios fetch -q
  expect_status 1
  expect_stderr_has "ValidationError: missing parent $parent (Invalid parent reference) in $orphan"
  expect_equal "$(redo -C ios log --format='%(id)' | wc -l)" 4 "nodes"
  run redo -C ios quarantine list
  expect_stdout_has "$orphan"
  push elsewhere
  pull ios
  expect_equal "$(redo -C ios log --format='%(id)' | wc -l)" 6 "nodes when the parent has come"
  run redo -C ios quarantine list
  expect_stdout ''
  same ios elsewhere
}

broken_connection() {
  local start took
  scene "C18, scenario 9: the connection breaks after half of it, and once more; nothing is fetched twice"
  platforms web ios
  hundred_tasks web
  push web
  trouble "list 1 cut 450000" "any 1 drop"
  forget
  start=$EPOCHSECONDS
  run redo -C ios fetch --json
  took=$((EPOCHSECONDS - start))
  expect_status 0
  expect_equal "$(json 'len(d["fetched"]), len(set(d["fetched"])), d["attempts"]')" "(100, 100, 3)" \
    "what came, and the attempts"
  [ $took -ge 6 ] && [ $took -lt 300 ] || fail "it takes $took seconds" </dev/null
  expect_equal "$(grep -o 'attempt [0-9] of 5 in [0-9]* seconds' "$ERR" | paste -sd,)" \
    "attempt 2 of 5 in 2 seconds,attempt 3 of 5 in 4 seconds" "what is said"
  expect_stderr_has FIREBASE_002
  [ "$(answered)" -lt 1500000 ] || fail "$(answered) bytes" </dev/null
  expect_equal "$(redo -C ios log --format='%(id)' | sort -u | wc -l)" 100 "nodes without duplicates"
  trouble
  same web ios server
  nothing_waits ios
  every_node_good ios
  expect_clean ios

  scene "C18: a peer that drops after 50 of 100 nodes, in batches of 10"
  stores ios
  joins ios "$ANN" "$BOB"
  redo -C ios remote set origin listing owned
  trouble "in 5 ok" "in 1 drop"
  forget
  run redo -C ios fetch --json
  expect_status 0
  expect_equal "$(json 'len(d["fetched"]), d["attempts"], len(set(d["fetched"]))')" "(100, 2, 100)" "what came"
  expect_equal "$(asked in)" "11 110 10" "requests, ids and the most: those of the lost answer were asked for once more"
  trouble
}
