#!/bin/bash
# Google's emulator, where it is on the machine, takes the shipped rules and gives the answers that redo's server gives.
JAR=${REDO_FIRESTORE_EMULATOR_JAR:-}
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

for jar in /usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar \
  ~root/.cache/firebase/emulators/cloud-firestore-emulator*.jar; do
  if [ -z "$JAR" ] && [ -e "$jar" ]; then JAR=$jar; fi
done
scene "the emulator's answers under firestore/firestore.rules are those of Tests/Scripts/firestore-facts.txt"
if [ -z "$JAR" ] || ! command -v java >/dev/null; then
  skip "there is no emulator here (Java, cloud-firestore-emulator)"
  exit 0
fi
PORT=$(python3 "$TESTS/Scripts/firestore-port.py")
# One at a time on a machine: it takes much memory.
exec 9>"${TMPDIR:-/tmp}/redo-firestore-emulator.lock"
flock -w 600 9
# It runs for seconds: compiling it well takes longer than it saves.
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Duser.language=en -Xmx512m -cp "$JAR" com.google.cloud.datastore.emulator.firestore.CloudFirestore \
  --host=127.0.0.1 "--port=$PORT" "--rules=$TESTS/../firestore/firestore.rules" >emulator.log 2>&1 9>&- &
EMULATOR=$!
at_exit 'kill $EMULATOR; wait $EMULATOR'
until (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; do
  kill -0 $EMULATOR 2>/dev/null && [ $SECONDS -lt 800 ] || fail "the emulator does not start" <emulator.log
  sleep 0.1
done
run python3 "$TESTS/Scripts/firestore-facts.py" facts "$PORT"
expect_stderr ''
expect_stdout_file "$TESTS/Scripts/firestore-facts.txt"
