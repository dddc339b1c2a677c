#!/bin/bash
# redo serve --http among people who distrust each other: one account, or nobody at all, takes up what it likes, and others are
# served all the same.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
client() { python3 "$SCRIPTS/http-clients.py" "$@"; }

demo 120 >all.ndjson
for store in one two; do redo init -q "$store"; done
redo -C one import -q "$PWD/all.ndjson" >/dev/null
redo -C two import -q "$VECTORS/log/linear.ndjson" >/dev/null
# More than the kernel takes for a connection.
redo -C one key generate >/dev/null 2>&1
python3 -c 'import base64, json, os
for _ in range(16):
    text = base64.b64encode(os.urandom(525000)).decode()
    print(json.dumps({"action": "CREATE", "fields": {"title": "large", "description": text}}))' |
  redo -C one commit -q --stdin >/dev/null
ADA=$(redo serve account add --accounts=accounts --right=replica:write ada one 2>/dev/null)
BOB=$(redo serve account add --accounts=accounts --right=replica:write bob two 2>/dev/null)
for who in ADA BOB; do
  echo "${!who}" >"token-$who"
  chmod 600 "token-$who"
done
CURL=(curl -s -o body -w '%{http_code}')
command -v curl >/dev/null || CURL=(python3 "$SCRIPTS/http-get.py")

# crowd <idle> <slow> <unread>: begins in the background; its account is ada.
crowd() {
  rm -f crowd.in crowd.out
  mkfifo crowd.in
  TOKEN=$ADA python3 "$SCRIPTS/http-crowd.py" crowd "$PORT" "$@" <crowd.in >crowd.out 2>crowd.err &
  CROWD=$!
  exec 9>crowd.in
  at_exit "kill $CROWD 2>/dev/null"
  until grep -q begun crowd.out; do
    kill -0 $CROWD 2>/dev/null || fail "the crowd does not begin" <crowd.err
    sleep 0.1
  done
}
disperse() {
  exec 9>&-
  wait $CROWD
}
probe() {
  TOKEN=$BOB python3 "$SCRIPTS/http-crowd.py" probe "$PORT" "$1" >"$OUT" 2>&1
  sed 's/^/# /' "$OUT"
}
rss() { sed -n 's/VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$SERVER_PID/status"; }

scene "1,000 idle, 200 slow and 50 never reading connections of one account: another one is served"
serve --accounts=accounts --rate=0
probe 50
expect_equal "$(head -n 1 "$OUT")" 200:50 "the answers of a quiet server"
quiet=$(rss)
crowd 1000 200 50
probe 100
expect_equal "$(head -n 1 "$OUT")" 200:100 "the answers among a crowd"
device() {
  redo init -q "$1" && redo -C "$1" key generate >/dev/null 2>&1
  redo -C "$1" remote add depot "http://127.0.0.1:$PORT"
  redo -C "$1" remote set depot tokenFile "$PWD/token-$2"
}
device phone BOB
run redo -C phone fetch depot
expect_status 0
for number in 1 2 3; do
  redo -C phone commit create -q --title="task $number"
  run redo -C phone push depot
  expect_status 0
done
expect_equal "$(redo -C two log --format=x | wc -l)" 21 "nodes of the store"
# 8 requests run at a time, some 40 MiB each here, and 256 connections have half a MiB at most.
[ $(($(rss) - quiet)) -lt 655360 ] || fail "the memory has grown from $quiet to $(rss) KiB" </dev/null
run "${CURL[@]}" "http://127.0.0.1:$PORT/healthz"
expect_equal "$(cat "$OUT")" 200 "the health"
run "${CURL[@]}" "http://127.0.0.1:$PORT/readyz"
expect_equal "$(cat "$OUT")" 200 "there is room for others"

scene "SIGTERM in the middle of it ends in seconds, not after the time that running exchanges may take"
before=$(date +%s%N)
stop_server
took=$((($(date +%s%N) - before) / 1000000))
echo "# stopped after $took ms"
expect_equal "$STATUS" 0 "the status"
# 2 s for whoever moves nothing, and not the 10 of the grace.
[ $took -lt 9000 ] || fail "it took $took ms" </dev/null
tail -n 1 server.log >"$OUT"
expect_stdout_has '"cut":"yes","event":"stopped"'
disperse
expect_clean two

scene "whoever is idle makes room, whoever asks does not"
serve --accounts=accounts --max-connections=8
crowd 8 0 0
probe 5
expect_equal "$(head -n 1 "$OUT")" 200:5 "the answers"
disperse
grep -q '^idle [1-9]' crowd.out || fail "nobody had to go" <crowd.out

scene "an account that has too much open is told so, and the ready page when there is no room at all"
serve --accounts=accounts --max-connections=16 --rate=0
crowd 0 14 0
TOKEN=$ADA run client post "$PORT" turn
expect_equal "$(head -n 1 "$OUT")" "429 1 text/plain" "the account"
probe 5
expect_equal "$(head -n 1 "$OUT")" 200:5 "the other one"
disperse
TOKEN=$ADA run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "the account afterwards"
EVE=$(redo serve account add --accounts=accounts --right=replica:read eve one 2>/dev/null)
serve --accounts=accounts --max-connections=4 --rate=0
crowd 0 3 0
first=$CROWD
TOKEN=$EVE python3 "$SCRIPTS/http-clients.py" half "$PORT" >half 2>&1 &
half=$!
until grep -q begun half; do sleep 0.05; done
run "${CURL[@]}" "http://127.0.0.1:$PORT/readyz"
expect_equal "$(cat "$OUT")" 503 "no room"
expect_equal "$(cat body)" "no room for connections" "the reason"
run "${CURL[@]}" "http://127.0.0.1:$PORT/healthz"
expect_equal "$(cat "$OUT")" 200 "it lives"
kill -USR1 $half
wait $half
CROWD=$first
disperse

scene "requests of one account that wait do not delay those of another: threads go round"
serve --accounts=accounts --max-running=1 --rate=0
crowd 0 20 0
probe 20
expect_equal "$(head -n 1 "$OUT")" 200:20 "the answers"
run "${CURL[@]}" "http://127.0.0.1:$PORT/readyz"
expect_equal "$(cat "$OUT")" 200 "one account does not have all threads"
disperse

scene "a log that nobody reads stops nobody, and what is missing in it is counted"
stop_server
mkfifo server.pipe
redo serve --http=127.0.0.1:0 --accounts=accounts --rate=0 --metrics 2>server.pipe >server.out &
SERVER_PID=$!
exec 8<server.pipe
IFS= read -r -t 60 line <&8
PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' <<<"$line")
[ -n "$PORT" ] || fail "it does not listen" <<<"$line"
# Enough lines for the pipe and for what is kept: some 300 bytes each, of 64 KiB and 1 MiB.
python3 - "$PORT" <<'END' || fail "it does not answer" </dev/null
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
for _ in range(4000):
    connection.request("GET", "/none/" + 200 * "x")
    answer = connection.getresponse()
    answer.read()
    if answer.status != 404: sys.exit(f"{answer.status}")
    if answer.headers.get("Connection") == "close":
        connection.close()
END
probe 5
expect_equal "$(head -n 1 "$OUT")" 200:5 "the answers"
"${CURL[@]}" "http://127.0.0.1:$PORT/metrics" >/dev/null
grep -q '^redo_log_lines_dropped_total [1-9]' body || fail "nothing is missing" <body
before=$SECONDS
kill -TERM $SERVER_PID
wait $SERVER_PID
expect_equal "$?" 0 "the status"
[ $((SECONDS - before)) -lt 9 ] || fail "it does not stop" </dev/null
SERVER_PID=''
exec 8<&-
