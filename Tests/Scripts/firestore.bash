# What the scripts about Firestore share, behind sync.bash: a peer, which TARGET names, the way to it, where things can
# go wrong, and stores whose remote it is. TARGET=serve is `redo serve --firestore`, TARGET=emulator the emulator of
# Google, where Java and its jar are on the machine.
TARGET=${TARGET:-serve}
SCRIPTS=$TESTS/Scripts
RULES=$TESTS/../firestore/firestore.rules

# Two people, as the OAuth service knows them; and two whom they do not know.
ANN=105903111111111111111
BOB=117522222222222222222
EVE=100000333333333333333

link_network || {
  echo "Bail out! there is no 'redo-net' beside '$REDO_BIN'"
  exit 1
}
# without_peer: why there can be no peer here, if that is so.
without_peer() {
  [ "$TARGET" = emulator ] || return
  command -v java >/dev/null || echo "there is no Java"
  [ -n "$(emulator_jar)" ] || echo "there is no jar of the Firestore emulator"
}
emulator_jar() {
  local jar
  for jar in "${REDO_FIRESTORE_EMULATOR_JAR:-}" \
    /usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar \
    ~root/.cache/firebase/emulators/cloud-firestore-emulator*.jar; do
    [ ! -e "$jar" ] || echo "$jar"
  done | head -1
}
why=$(without_peer)
if [ -n "$why" ]; then
  scene "over Firestore"
  skip "$why"
  exit 0
fi
unset why

# guarded <command>...: starts it so that it does not outlive this script, whatever ends that. Not in a subshell.
guarded() {
  if command -v setpriv >/dev/null; then setpriv --pdeathsig KILL "$@"; else "$@"; fi
}
# wait_for <file> <pid> <command>...: until the command holds, or the process has ended; the file says why it does not.
# The limit is only for what hangs: a machine may be busy with other things.
wait_for() {
  local file=$1 pid=$2 until=$((SECONDS + 300))
  shift 2
  until "$@" >/dev/null 2>&1; do
    kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt $until ] || fail "'$*' does not come" <"$file"
    sleep 0.05
  done
}

# The way: one for the script; $WORK/upstream has the port of the peer behind it. See firestore-proxy.py.
TROUBLE=$WORK/trouble
REQUESTS=$WORK/requests
: >"$REQUESTS"
guarded python3 "$SCRIPTS/firestore-proxy.py" "$WORK/upstream" "$TROUBLE" "$REQUESTS" >"$WORK/way" 2>"$WORK/way.log" &
WAY_PID=$!
at_exit 'kill $WAY_PID; wait $WAY_PID'
wait_for "$WORK/way.log" $WAY_PID test -s "$WORK/way"
WAY=$(cat "$WORK/way")
# trouble [<line>...]: what becomes of the next requests; without a line nothing special.
trouble() { if [ $# -gt 0 ]; then printf '%s\n' "$@" >"$TROUBLE"; else rm -f "$TROUBLE"; fi; }
# forge <document> <member> <value in plain JSON>: from now on the way shows a document so, as if it had been edited past all
# rules, which no peer of ours allows; without anything, as it is.
forge() {
  if [ $# -eq 0 ]; then
    rm -f "$WORK/edits"
  else
    echo "$1 $2 $(admin typed "$3")" >"$WORK/edits"
  fi
}
# asked <kind>: how many requests of this kind there were since `forget`, of how many ids or writes together, and of
# how many at the most.
asked() { python3 -c 'import json, sys
said = [one["count"] for one in map(json.loads, open(sys.argv[2])) if one["kind"] == sys.argv[1]]
print(len(said), sum(said), max(said, default=0))' "$1" "$REQUESTS"; }
# answered: the bytes of all answers since then.
answered() { python3 -c 'import json, sys
print(sum(json.loads(line)["answer"] for line in open(sys.argv[1])))' "$REQUESTS"; }
# wire: what has gone over the way since then, tokens aside: round trips, bytes of the bodies of requests and of
# answers, reads and writes.
wire() { python3 -c 'import json, sys
said = [one for one in map(json.loads, open(sys.argv[1])) if one["kind"] != "token"]
print(len(said), *[sum(one[name] for one in said) for name in ["request", "answer", "reads", "writes"]])' "$REQUESTS"; }
# expect_cost: the last command, with --json, has said what has gone over the way.
expect_cost() {
  expect_equal "$(json '" ".join(str(d.get(name, 0)) for name in ["roundTrips", "bytesSent", "bytesReceived", "reads", "writes"])')" \
    "$(wire)" "round trips, bytes out and in, reads, writes"
}
forget() { : >"$REQUESTS"; }

# The emulator is one for the script, since it takes long to start; our server is one for each project.
PEER_PID='' PROJECT='' PROJECTS=0
if [ "$TARGET" = emulator ]; then
  # One at a time on a machine: it takes much memory. Whoever runs holds the lock.
  exec 9>"${TMPDIR:-/tmp}/redo-firestore-emulator.lock" && flock -w 600 9
  port=$(python3 "$SCRIPTS/firestore-port.py")
  echo "$port" >"$WORK/upstream"
  (cd "$WORK" && exec setpriv --pdeathsig KILL java -Duser.language=en -Xmx512m -cp "$(emulator_jar)" \
    com.google.cloud.datastore.emulator.firestore.CloudFirestore --host=127.0.0.1 --port="$port" \
    --rules="$RULES" >"$WORK/emulator.log" 2>&1) &
  PEER_PID=$!
  exec 9>&-
  at_exit 'kill -KILL $PEER_PID; wait $PEER_PID'
  scene "the emulator answers"
  wait_for "$WORK/emulator.log" $PEER_PID curl -sf "http://127.0.0.1:$port/"
fi

# project: an empty database of a new project; with our server also a new store, `primary`, in this directory.
project() {
  PROJECTS=$((PROJECTS + 1))
  PROJECT=redo-test-$PROJECTS
  trouble
  [ "$TARGET" = serve ] || return
  if [ -n "$PEER_PID" ]; then
    kill "$PEER_PID" && wait "$PEER_PID"
  fi
  redo init -q primary
  start_server
}
# start_server [<option>...]: on the store `primary`.
start_server() {
  : >server.log
  guarded redo-serve-http --http=127.0.0.1:0 --firestore="$PROJECT" --emulator "$@" primary >server.out 2>server.log &
  PEER_PID=$!
  wait_for server.log $PEER_PID grep -q '"event":"listening"' server.log
  sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log | head -1 >"$WORK/upstream"
}
[ "$TARGET" != serve ] || at_exit 'kill $PEER_PID; wait $PEER_PID'

# admin <what>..., as_user <uid> <what>...: see firestore-admin.py.
admin() { as_user owner "$@"; }
as_user() { python3 "$SCRIPTS/firestore-admin.py" "$(cat "$WORK/upstream")" "$PROJECT" "$@"; }
documents() { admin ids "${1:-nodes}" | wc -l; }

# joins <store> <account> [<other account>...]: the project is its remote `origin`; the others may read what it pushes.
joins() {
  local store=$1 account=$2 other
  shift 2
  redo -C "$store" remote add origin "firestore://$PROJECT" &&
    redo -C "$store" remote set origin endpoint "http://127.0.0.1:$WAY" &&
    redo -C "$store" remote set origin account "$account" || fail "no remote" </dev/null
  [ $# -eq 0 ] || redo -C "$store" remote set origin accessList "$*" || fail "no list" </dev/null
}

# What sync.bash has, where the server is a project: the platforms are those of two people who share what they have,
# and `server` is a store that is asked for by name, and has then what the project has.
platforms() {
  stores "$@"
  project
  redo init -q server
  joins server "$ANN" "$BOB"
  local name person=$ANN other=$BOB
  for name; do
    joins "$name" $person $other
    read -r person other <<<"$other $person"
  done
}
# look <platform>...: `server`, if it is among them, has what the project has.
look() {
  local platform
  for platform; do [ "$platform" != server ] || pull server; done
}
eval "same_here() $(declare -f same | tail -n +2)"
same() {
  look "$@"
  same_here "$@"
}
ids() {
  look "$1" >&2
  redo -C "$1" log --sort=order --reverse --format='%(id)'
}
count() {
  look "$1" >&2
  redo -C "$1" log --format='%(id)' | sort -u | wc -l
}
# What is remembered of a project is a cache: it may change with every run.
fingerprint() {
  (cd "${1:-.}/.redo" && find . -type f ! -path './cache/*' ! -path './remotes/*/firestore/*' -print0 | sort -z |
    xargs -0 sha256sum | sha256sum)
}
