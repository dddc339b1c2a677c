#!/bin/bash
# 32 clients of one server, which write, read, push and fetch at the same time, and find it killed now and then: nothing that was
# acknowledged is lost, nothing is seen half, and descriptors and memory stay as they are. REDO_SOAK=1 asks 24,000 times.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
. "$TESTS/Scripts/http.bash"
command -v python3 >/dev/null || {
  scene "many clients of a server"
  skip "no python3"
  exit 0
}
# Google's client, where firestore-python.sh or the caller has installed it.
PYTHON=$TESTS/../.build/firestore-venv/bin/python
"$PYTHON" -c 'import google.cloud.firestore' 2>/dev/null || PYTHON=python3

rounds=4 requests=350 kills=3 changes=120
[ -z "$SOAK" ] || rounds=12 requests=2000 kills=24 changes=2400

scene "$((rounds * requests)) requests of 32 clients, and $kills kills"
redo init -q served
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
for number in {0..31}; do
  echo "w$number $(digest w$number-token) write $PWD/served"
  echo "p$number $(digest p$number-token) write $PWD/served"
  echo "s$number $(digest s$number-token) replica:write $PWD/served"
done >accounts
echo "root $(digest root-token) admin $PWD/served" >>accounts
chmod 600 accounts
for number in {0..9}; do
  redo init -q made
  redo -C made key generate >/dev/null 2>&1
  for ((change = 0; change < changes; change++)); do
    echo "{\"action\":\"CREATE\",\"fields\":{\"title\":\"task $change of $number\"}}"
  done | redo -C made -c core.fsync=none commit -q --stdin >/dev/null
  redo -C made export -q --format=ndjson >"nodes-$number.ndjson"
  rm -rf made
done
export REDO_SERVE="redo serve --firestore=demo --accounts=accounts --rate=0"
run timeout 3000 "$PYTHON" "$TESTS/Faults/server-load.py" $rounds $requests $kills "$SEED"
sed 's/^/# /' "$OUT"
expect_stderr ''
expect_status 0
# A server that is killed leaves unfinished files.
redo -C served gc -q --grace=0s >/dev/null
expect_clean served
