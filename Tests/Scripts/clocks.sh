#!/bin/bash
# Clocks of whole processes that are wrong: by a year, by ten, at 1970, 2038, 2106 and 2262. The order of changes does not depend
# on them, nothing is refused or lost, and a store whose clock was wrong once goes on. Independent programs say what is right.
# A static executable has its clock from the kernel alone; the one that the unit tests were built with can be told another time.
scripts=$(dirname "${BASH_SOURCE[0]}")
static=$(realpath "${REDO_BIN:-$scripts/../../.build/release/redo}")
dynamic=$(dirname "$static")/../debug/redo
if [ "$dynamic" -nt "$static" ] && ! ldd "$static" >/dev/null 2>&1; then export REDO_BIN=$dynamic; fi
. "$scripts/sync.bash"

YEAR=31536000
CLOCK=$WORK/clock.so
cc -shared -fPIC -O1 -o "$CLOCK" "$TESTS/Scripts/clock.c" 2>"$ERR" || : >"$CLOCK"
# by <seconds> <command>...: with a clock that is wrong by so much; to <time since 1970>: how wrong a clock is that shows it.
by() { CLOCK_OFFSET=$1 LD_PRELOAD=$CLOCK "${@:2}"; }
to() { echo $(($1 - $(date +%s))); }
probe() { redo init -q probe && redo -C probe key generate >/dev/null 2>&1 && by -$YEAR redo -C probe commit -q create --title=probe >/dev/null; }
probe 2>/dev/null
if [[ "$(redo -C probe log --format='%(wall)' 2>/dev/null)" != "$(($(date +%Y) - 1))"-* ]]; then
  scene "wrong clocks"
  skip "no compiler here, or redo is static and takes its clock from the kernel alone"
  exit 0
fi
need_python "wrong clocks" rfc8785 dag_cbor nacl
CLOCKS="$YEAR -$YEAR $((-10 * YEAR)) $(to 0) $(to 2147483647) $(to 4294967296) $(to 9214646400)"

# said <store> <option>...: ids of its changes; that some have odd times is told each time.
said() { redo -C "$1" log --format='%(id)' "${@:2}" 2>/dev/null; }
# title <store>: that of the task. expect_replay <store>: the state is what the text of the protocol makes of the nodes.
title() { redo -C "$1" state --json | sed -n 's/.*"title":"\([^"]*\)".*/\1/p'; }
expect_replay() {
  redo -C "$1" export -q --kind=node >replayed.ndjson
  "$PYTHON" "$TESTS/Oracle/replay.py" <replayed.ndjson >replayed 2>"$ERR" || fail "no replay" <"$ERR"
  redo -C "$1" state --json | cmp -s - replayed || fail "another state than that of the protocol" < <(redo -C "$1" state --json | diff replayed -)
}
# agree <store> <store>: one history and one state, whatever the clock of whoever asks.
agree() {
  local offset hash
  hash=$(redo -C "$1" state --hash)
  for offset in $CLOCKS; do expect_equal "$(by "$offset" redo -C "$2" state --hash)" "$hash" "the state by a clock that is wrong by $offset"; done
  expect_equal "$(said "$1" | sort)" "$(said "$2" | sort)" "the history"
}
# errors <store>: what an audit finds that is no warning of a clock; nothing.
expect_sound() {
  local offset
  for offset in 0 $YEAR "$(to 0)"; do
    by "$offset" redo -C "$1" verify >"$OUT" 2>"$ERR"
    [ $? -le 1 ] || fail "no audit" <"$ERR"
    ! grep -v '^warning \(wall-implausible\|schema-clock-ahead\) ' "$OUT" >/dev/null || fail "the audit finds something" <"$OUT"
  done
}

scene "a change says the time of its clock; what comes later in the graph is later, whatever the clock says"
stores ada eve
redo -C ada commit -q create -t "$TASK" --title=first >/dev/null
redo -C eve fetch -q "$PWD/ada"
for offset in $CLOCKS; do
  run by "$offset" redo -C eve commit -q update -t "$TASK" --title="by $offset"
  expect_status 0
  expect_stderr ''
done
expect_equal "$(title eve)" "by $offset" "the title"
expect_equal "$(redo -C eve log --sort=order --reverse --format='%(lamport)' 2>/dev/null | xargs)" "1 2 3 4 5 6 7 8" "the logical clocks"
redo -C eve log --format='%(wall)' >walls 2>/dev/null
for year in 1970 2038 2106 2262; do grep -q "^$year-01-\|^$year-02-" walls || fail "no wall time of $year" <walls; done
expect_replay eve

scene "two stores, one with a wrong clock: both get everything, in both directions, and are told of times that cannot be"
redo -C ada commit -q update -t "$TASK" --title=ada >/dev/null
run by "$(to 0)" redo -C eve sync "$PWD/ada"
expect_status 0
run redo -C ada log -q
expect_status 0
run redo -C ada log
expect_stderr "warning: 7 changes have wall times that cannot be true: wall-implausible"
# The one with the greater logical clock, not the one with the greater wall time.
expect_equal "$(title ada)" "by $offset" "the title"
agree ada eve
expect_replay ada
run by $((-10 * YEAR)) redo -C ada commit -q update -t "$TASK" --title=last
expect_status 0
run redo -C ada push "$PWD/eve"
expect_status 0
expect_equal "$(title eve)" last "the title of what was written by a clock of ten years ago"
agree eve ada
expect_replay eve
expect_sound ada
expect_sound eve

scene "equal logical clocks: the later wall time counts, and heads are merged by any clock"
for offset in $YEAR $((-YEAR)); do by "$offset" redo -C eve commit -q update -t "$TASK" --title="one $offset" >/dev/null; done
for offset in $((-YEAR)) $YEAR; do by "$offset" redo -C ada commit -q update -t "$TASK" --title="two $offset" >/dev/null; done
redo -C ada sync -q "$PWD/eve" || fail "no sync" </dev/null
expect_equal "$(title ada)" "two $YEAR" "the title"
agree ada eve
expect_replay ada
run by "$(to 0)" redo -C eve merge -q --all
expect_status 0
redo -C ada fetch -q "$PWD/eve"
agree ada eve
expect_replay eve

scene "a store whose clock was ahead for years goes on: it writes, takes back, checks, packs, archives and is archived"
for offset in $((10 * YEAR)) 0 "$(to 0)"; do
  run by "$offset" redo -C ada commit -q update -t "$TASK" --title="goes on $offset"
  expect_status 0
  run by "$offset" redo -C ada undo -q
  expect_status 0
  for command in "gc -q --grace=1d" "repack -q" "checkpoint create -q" "checkpoint verify" "reflog -n 1"; do
    run by "$offset" redo -C ada $command
    [ "$STATUS" -eq 0 ] || fail "'redo $command' by a clock that is wrong by $offset" < <(everything_printed)
  done
done
redo -C ada checkpoint create -q >last.checkpoint
run redo -C ada checkpoint verify
expect_status 0
! grep -v '^G ' "$OUT" || fail "a checkpoint is not good" <"$OUT"
run redo -C ada undo -q -n
expect_status 0
redo -C eve fetch -q "$PWD/ada"
agree ada eve
expect_sound ada
redo -C ada archive create -q -o "$PWD/all.pack" >/dev/null
redo init -q copy
run by "$(to 0)" redo -C copy import -q "$PWD/all.pack"
expect_status 0
expect_equal "$(redo -C copy state --hash)" "$(redo -C ada state --hash)" "the state of the copy"

scene "nothing goes early: what is named stays, by any clock; what waits in the quarantine stays as well"
LAST=$(said eve --task="$TASK" -n 1 --sort=order)
redo -C eve archive create -q -o "$PWD/orphan.pack" "$LAST^..$LAST" >/dev/null 2>"$ERR" || fail "no pack" <"$ERR"
redo init -q waits
mkdir -p waits/.redo/quarantine/incoming
cp orphan.pack waits/.redo/quarantine/incoming/0000000000000001.pack
by "$(to 0)" redo -C waits quarantine promote -q >/dev/null 2>&1
expect_equal "$(redo -C waits quarantine list | wc -l)" 1 "what waits"
echo picture >picture
BLOB=$(redo -C eve hash-object -t blob -w "$PWD/picture")
redo -C eve update-ref "tags/picture" "$BLOB"
said eve | sort >before
for offset in $CLOCKS; do
  by "$offset" redo -C eve gc -q --blobs
  by "$offset" redo -C waits gc -q --blobs
  by "$offset" redo -C waits quarantine promote -q >/dev/null 2>&1
done
expect_equal "$(redo -C eve cat-node -t "$BLOB")" blob "what is named"
said eve | sort | cmp -s - before || fail "changes are gone" </dev/null
expect_equal "$(redo -C waits quarantine list | wc -l)" 1 "what waits"
redo -C waits fetch -q "$PWD/eve"
agree eve waits

scene "backups: each point is later than the last one, the newest has everything, and a plan keeps it"
redo init -q safe
redo -C safe key generate >/dev/null 2>&1
for offset in 0 $((10 * YEAR)) "$(to 0)" 0; do
  by 0 redo -C safe commit -q create --title="at $offset" >/dev/null
  run by "$offset" redo -C safe backup create -q "$PWD/shelf"
  expect_status 0
done
expect_stderr_has "warning: the clock is behind the newest backup, 20"
run by $YEAR redo backup prune -q --keep-last=1 shelf
expect_status 0
rm -rf back
redo backup restore -q -o back shelf
expect_equal "$(redo -C back state --hash)" "$(redo -C safe state --hash)" "the state that comes back"

scene "schemas: an edit is later than all that it follows, whatever the clocks; both sides join them alike"
by $YEAR redo -C eve schema new -q --name=V vac >/dev/null
by $YEAR redo -C eve schema add-field -q --id=dose --name=Dose --type=int vac >/dev/null
redo -C ada fetch -q "$PWD/eve"
redo -C ada schema rename -q vac Dose Amount >/dev/null
expect_equal "$(redo -C ada schema show --json vac | grep -o '"displayName":"Amount"')" '"displayName":"Amount"' "the name"
by "$(to 0)" redo -C eve schema add-field -q --id=tags --name=Tags --type=string vac >/dev/null
run redo -C ada sync -q "$PWD/eve"
expect_status 0
run by $((-10 * YEAR)) redo -C ada schema merge -q vac
expect_status 0
redo -C eve fetch -q "$PWD/ada"
for offset in $CLOCKS; do
  expect_equal "$(by "$offset" redo -C eve schema show --hash vac)" "$(redo -C ada schema show --hash vac)" "the schema"
done
run by "$(to 0)" redo -C eve record new -q vac Amount=1
expect_status 0
run by $YEAR redo -C eve record set -q "$(redo -C eve record list | cut -f1)" Amount=2
expect_status 0
run redo -C eve record set -q "$(redo -C eve record list | cut -f1)" Amount=3
expect_status 0
redo -C eve state --records | grep -q '"value":3' || fail "the last value does not count" < <(redo -C eve state --records)
redo -C ada fetch -q "$PWD/eve"
agree ada eve
expect_sound ada

scene "receipts: an edit by a clock that is behind is the one that is shown; they are fetched and shared all the same"
MEMORY='{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
FIRST=$(by $YEAR redo -C eve receipt create <<<"$MEMORY")
SECOND=$(by $((-10 * YEAR)) redo -C eve receipt edit "$FIRST" <<<"${MEMORY/3/4}")
LAST=$(redo -C eve receipt edit "$FIRST" <<<"${MEMORY/3/5}")
[ -n "$SECOND" ] && [ -n "$LAST" ] || fail "no edits" </dev/null
expect_equal "$(redo -C eve receipt show --json "$FIRST" | sed 's/.*"shown":"\([^"]*\)".*/\1/')" "$LAST" "what is shown"
run by "$(to 0)" redo -C ada fetch -q --kind=receipt "$PWD/eve"
expect_status 0
for store in ada eve; do redo -C $store receipt list --json | sed 's,"received":[0-9]*\,,,' | sort >$store.receipts; done
cmp -s ada.receipts eve.receipts || fail "other receipts" < <(diff ada.receipts eve.receipts)
expect_equal "$(redo -C ada receipt show --json "$FIRST" | sed 's/.*"shown":"\([^"]*\)".*/\1/')" "$LAST" "what is shown there"

scene "trust that ends is a matter of what a change says, not of the clock of who looks"
printf '%s valid-before=%s\n' "$(redo -C eve key show --public)" 2030-01-01T00:00:00.000Z >ada/.redo/trust
redo -C ada trust check --all >checked
grep -q '^X ' checked || fail "nothing has expired" <checked
for offset in $CLOCKS; do
  by "$offset" redo -C ada trust check --all >"$OUT" 2>"$ERR"
  cmp -s checked "$OUT" || fail "others by a clock that is wrong by $offset" < <(diff checked "$OUT"; cat "$ERR")
done

scene "a Firestore whose clock was ahead: what comes when it is right again is found, by each of its clients"
if ! link_network; then
  skip "there is no 'redo-net' beside '$REDO_BIN'"
  exit 0
fi
. "$TESTS/Scripts/http.bash"
at_exit stop_server
stores a b
redo init -q primary
# open_server <seconds>: with a clock that is wrong by so much.
open_server() {
  stop_server
  : >server.log
  CLOCK_OFFSET=$1 LD_PRELOAD=$CLOCK redo-serve-http --http=127.0.0.1:"${PORT:-0}" --firestore=demo --emulator primary >server.out 2>server.log &
  SERVER_PID=$!
  until PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log) && [ -n "$PORT" ]; do
    kill -0 $SERVER_PID 2>/dev/null || fail "the server does not start" <server.log
    sleep 0.05
  done
}
for offset in 0 $YEAR 0 $((-10 * YEAR)) "$(to 2147483647)" "$(to 60)"; do
  open_server "$offset"
  for name in a b; do
    redo -C $name remote add origin firestore://demo 2>/dev/null
    redo -C $name remote set origin account ada
    redo -C $name remote set origin endpoint "http://127.0.0.1:$PORT"
  done
  # The tokens of the emulator are as old as the client says.
  redo -C a commit -q create --title="a $offset" >/dev/null
  if ((offset > 86400)); then
    run redo -C a sync -q
    expect_error 77 "the token has expired"
  fi
  for name in a b a; do
    by "$offset" redo -C $name commit -q create --title="$name $offset" >/dev/null
    run by "$offset" redo -C $name sync -q
    expect_status 0
    expect_stderr ''
  done
  run by "$offset" redo -C b fetch -q
  expect_status 0
  agree a b
done
stop_server

scene "a token expires by the clock of the server, and an account says when"
TOKEN_FILE=$PWD/token
redo serve account add --accounts=accounts --right=replica:write --expires="$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%S.000Z)" ada primary >token 2>"$ERR" || fail "no account" <"$ERR"
chmod 600 token accounts
for offset in 0 $YEAR -$YEAR; do
  stop_server
  : >server.log
  CLOCK_OFFSET=$offset LD_PRELOAD=$CLOCK redo-serve-http --http=127.0.0.1:0 --accounts=accounts >server.out 2>server.log &
  SERVER_PID=$!
  until PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log) && [ -n "$PORT" ]; do
    kill -0 $SERVER_PID 2>/dev/null || fail "the server does not start" <server.log
    sleep 0.05
  done
  redo -C a remote add depot "http://127.0.0.1:$PORT" 2>/dev/null || redo -C a remote set depot url "http://127.0.0.1:$PORT"
  redo -C a remote set depot tokenFile "$TOKEN_FILE"
  run redo -C a ls-remote depot
  expected=0
  [ "$offset" != $YEAR ] || expected=128
  [ "$expected" -eq 0 ] && expect_status 0 || { [ "$STATUS" -ne 0 ] || fail "a token that has expired" <"$OUT"; }
done
