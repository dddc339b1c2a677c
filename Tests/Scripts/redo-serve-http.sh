#!/bin/bash
# redo serve --http: accounts see their store and nothing else, limits hold, slow clients are cut off, and
# stopping loses nothing.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
client() { python3 "$SCRIPTS/http-clients.py" "$@"; }

command -v openssl >/dev/null || {
  scene "serving over HTTP"
  skip "no openssl here to make certificates"
  exit 0
}

certificates
demo 120 >all.ndjson
head -100 all.ndjson >most.ndjson
for store in one two; do redo init -q "$store"; done
redo -C one import -q "$PWD/most.ndjson" >/dev/null
redo -C two import -q "$VECTORS/log/linear.ndjson" >/dev/null
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
ADA=$(openssl rand -hex 32) BOB=$(openssl rand -hex 32) EVE=$(openssl rand -hex 32)
for who in ADA BOB EVE; do
  echo "${!who}" >"token-$who"
  chmod 600 "token-$who"
done
cat >accounts <<END
# who may do what
ada $(digest "$ADA") replica:write $PWD/one
bob $(digest "$BOB") replica:write $PWD/two
eve $(digest "$EVE") replica:read $PWD/one
END
chmod 600 accounts
TLS=(--tls-certificate=server.pem --tls-key=server.key)
ALL=(--accounts=accounts "${TLS[@]}")

# device <name> <account>: a store with a remote 'depot' for that account.
device() {
  redo init -q "$1"
  redo -C "$1" remote add depot "https://127.0.0.1:$PORT"
  redo -C "$1" remote set depot caFile "$PWD/authority.pem"
  redo -C "$1" remote set depot tokenFile "$PWD/token-$2"
}
count() { redo -C "$1" log --format=x | wc -l; }

scene "fetch and push over TLS, with a token"
serve "${ALL[@]}" --metrics
device laptop ADA
run redo -C laptop fetch depot
expect_status 0
expect_equal "$(count laptop)" 100 "nodes"
redo -C laptop import -q "$PWD/all.ndjson" >/dev/null
run redo -C laptop push depot
expect_status 0
expect_equal "$(count one)" 120 "nodes"
expect_equal "$(redo -C one state --hash)" "$(redo -C laptop state --hash)" "the state"
run redo -C laptop push --porcelain depot
expect_status 0
expect_stdout_has 'Done'
expect_clean one

scene "who has another account sees another store, and no trace of this one"
device phone BOB
run redo -C phone fetch depot
expect_status 0
expect_equal "$(count phone)" 18 "nodes"
run redo -C phone remote capabilities depot
expect_stdout_has 'nodes-18'
expect_equal "$(count two)" 18 "nodes of the store"

scene "an account that may only read may not push"
device visitor EVE
run redo -C visitor fetch depot
expect_status 0
expect_equal "$(count visitor)" 120 "nodes"
redo -C visitor import -q "$VECTORS/log/linear.ndjson" >/dev/null
run redo -C visitor push depot
expect_status 77
expect_equal "$(count one)" 120 "nodes"

scene "a token that nobody has: 401, and 77 for people"
export TOKEN=$ADA CA_FILE=$PWD/authority.pem
for what in no-token wrong basic; do
  run client post "$PORT" $what
  expect_stdout '401 - text/plain'
done
openssl rand -hex 32 >token-old
redo -C visitor remote set depot tokenFile "$PWD/token-old"
run redo -C visitor fetch depot
expect_status 77
expect_stderr_has 'status 401'

scene "whoever is refused often is slowed down"
run client times "$PORT" wrong 4000
expect_stdout_has '401 -'
expect_stdout_has '429 1'
run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "who has a token at the same address"

scene "a certificate of another authority, or for another host, ends it before the token is sent"
# The line of an exchange may come after its answer.
until tail -n 1 server.log | grep -q '"status":200'; do sleep 0.05; done
lines=$(wc -l <server.log)
redo -C laptop remote set depot caFile "$PWD/stranger.pem"
run redo -C laptop fetch depot
expect_status 128
expect_stderr_has "the certificate of '127.0.0.1' is not good"
expect_equal "$(wc -l <server.log)" "$lines" "requests"
redo -C laptop remote set depot caFile "$PWD/authority.pem"

scene "TLS 1.3, and nothing older"
run openssl s_client -connect "127.0.0.1:$PORT" -CAfile authority.pem -tls1_3 </dev/null
expect_stdout_has 'TLSv1.3'
run openssl s_client -connect "127.0.0.1:$PORT" -CAfile authority.pem -tls1_2 </dev/null
[ "$STATUS" -ne 0 ] || fail "TLS 1.2 is spoken" <"$OUT"

scene "a client asks for TLS 1.3, and speaks 1.2 only where a setting says so"
redo init -q plain && redo -C plain import -q "$VECTORS/log/linear.ndjson" >/dev/null
: >plain.out
redo serve --http=127.0.0.1:0 plain >plain.out 2>plain.log &
plain=$!
at_exit "kill $plain"
until PLAIN=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' plain.log) && [ -n "$PLAIN" ]; do
  kill -0 $plain 2>/dev/null || fail "the server does not start" <plain.log
  sleep 0.05
done
for version in 1.2 1.3; do
  : >proxy.port
  python3 "$SCRIPTS/tls-proxy.py" "$PLAIN" server.pem server.key $version >proxy.port 2>proxy.log &
  at_exit "kill $!"
  until [ -s proxy.port ]; do sleep 0.05; done
  redo init -q "of-$version"
  redo -C "of-$version" remote add old "https://127.0.0.1:$(cat proxy.port)"
  redo -C "of-$version" remote set old caFile "$PWD/authority.pem"
done
run redo -C of-1.3 fetch -q old
expect_status 0
expect_equal "$(count of-1.3)" 18 nodes
run redo -C of-1.2 fetch -q old
expect_error 128 "'127.0.0.1' has no TLS 1.3; the setting 'tls' of the remote allows 1.2"
expect_equal "$(count of-1.2)" 0 nodes
run redo -C of-1.2 remote set old tls 1.1
expect_error 128 "bad value '1.1' for 'tls': not 1.2 or 1.3"
run redo -C of-1.2 -c remote.old.tls=1.1 fetch -q old
expect_error 128 "the setting 'tls' has '1.1', and not 1.2 or 1.3"
redo -C of-1.2 remote set old tls 1.2
run redo -C of-1.2 fetch -q old
expect_status 0
expect_equal "$(count of-1.2)" 18 nodes

scene "what is no exchange is answered shortly"
while read -r what status; do
  run client post "$PORT" "$what"
  expect_equal "$(head -n 1 "$OUT")" "$status" "$what"
done <<END
turn 200 - application/vnd.redo.wire
expect 200 - application/vnd.redo.wire
get 405 - text/plain
path 404 - text/plain
type 415 - text/plain
gzip 415 - text/plain
END

scene "what is wrong within an exchange is said in a frame"
while read -r what fault; do
  run client post "$PORT" "$what"
  expect_equal "$(head -n 1 "$OUT")" "200 - application/vnd.redo.wire" "$what"
  tail -n 1 "$OUT" >last
  case $(cat last) in
  "fault $fault"*) ;;
  *) fail "$what: not '$fault'" <"$OUT" ;;
  esac
done <<END
ranges unexpected
versions version
garbage malformed
push malformed
END
expect_equal "$(count one)" 120 "nodes"
expect_clean one

scene "health and metrics need no token, and tell no name"
CURL=(curl -s --cacert authority.pem)
command -v curl >/dev/null || CURL=(python3 -c 'import ssl, sys, urllib.request as r; print(r.urlopen(sys.argv[1], context=ssl.create_default_context(cafile="authority.pem")).read().decode(), end="")')
run "${CURL[@]}" "https://127.0.0.1:$PORT/healthz"
expect_stdout ok
run "${CURL[@]}" "https://127.0.0.1:$PORT/metrics"
grep -q '^redo_exchanges_total [1-9]' "$OUT" || fail "no exchanges" <"$OUT"
grep -q '^redo_requests_total{status="401"} [1-9]' "$OUT" || fail "no refused ones" <"$OUT"
! grep -q 'ada\|bob\|one\|two' "$OUT" || fail "names" <"$OUT"

scene "the log is JSON, a line a request, and tells no token"
stop_server
expect_equal "$STATUS" 0 "the status after SIGTERM"
python3 - server.log <<'END' || fail "the log" <server.log
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows[0]["event"] == "listening"
requests = [row for row in rows if row["event"] == "request"]
assert any(row["account"] == "ada" and row["received"] > 3000 for row in requests if "account" in row)
assert all(set(row) >= {"client", "method", "milliseconds", "path", "status", "time"} for row in requests)
assert {401, 404, 405, 415, 429, 200} <= {row["status"] for row in requests}
END
for token in "$ADA" "$BOB" "$EVE"; do
  ! grep -q "$token" server.log || fail "a token" <server.log
done

unset CA_FILE
scene "200 clients at once are answered"
serve --accounts=accounts --rate=0
run client many "$PORT" 200
expect_stdout 'answered 400 of 400'

scene "a body beyond the limit is refused, whether it says its size or not"
serve --accounts=accounts --max-body=1m
run client post "$PORT" large
expect_equal "$(head -c 3 "$OUT")" 413 "the status"
run client post "$PORT" large-chunked
expect_stdout <<END
413 - application/vnd.redo.wire
fault limit beyond a limit: a request of more than 1048576 bytes
END
run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "the status afterwards"

scene "a push of more than a request may have goes in several, all of it, whatever stands upon what"
redo init -q wide && redo -C wide key generate >/dev/null 2>&1
python3 -c 'import json, os
for number in range(150):
    print(json.dumps({"action": "CREATE", "fields": {"title": str(number), "description": os.urandom(400).hex()}}))' |
  redo -C wide -c core.bulkLimit=50 commit -q --stdin >/dev/null
redo -C wide log --format='%(task)' | head -20 >tasks
while read -r task; do redo -C wide commit -q update -t "$task" --title=newer >/dev/null; done <tasks
redo init -q three && redo -C three import -q "$VECTORS/log/linear.ndjson" >/dev/null
echo "ada $(digest "$ADA") replica:write $PWD/three" >wider
chmod 600 wider
serve --accounts=wider --max-body=30k
redo -C wide remote add depot "http://127.0.0.1:$PORT"
redo -C wide remote set depot tokenFile "$PWD/token-ADA"
run redo -C wide sync --json depot
expect_status 0
expect_stderr_has "pushed 170 new changes to 'depot'"
trips=$(sed -n 's/.*"roundTrips":\([0-9]*\).*/\1/p' "$OUT")
[ "$trips" -ge 5 ] || fail "only $trips round trips" <"$OUT"
redo -C wide log --format='%(id)' >sent
redo -C three log --format='%(id)' >there
cmp sent there >"$OUT" || fail "the history there is another one" <"$OUT"
rm there
run redo -C wide push --json depot
expect_stdout_has '"pushed":[]'
run client post "$PORT" large
expect_equal "$(head -c 3 "$OUT")" 413 "the status of what is too large"

scene "too many requests of one account are told to wait, and others are not"
serve --accounts=accounts --rate=1
run client times "$PORT" turn 3000
expect_stdout_has '200 -'
expect_stdout_has '429 1'
TOKEN=$BOB run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "the other account"

scene "too many connections are told to come back"
serve one --max-connections=3
run client hold "$PORT" 3
expect_stdout '503 2 text/plain'
for _ in $(seq 300); do
  run client post "$PORT" turn
  [ "$(head -c 3 "$OUT")" = 503 ] || break
  sleep 0.1
done
expect_equal "$(head -c 3 "$OUT")" 200 "afterwards"

scene "slow clients are cut off: in the head, in the body, and later in it"
serve --accounts=accounts --timeout=2
for where in head body later; do
  run client slow "$PORT" $where
  case $(cat "$OUT") in
  # Without a limit it would go on for 60 seconds.
  'cut off after '[2-9] | 'cut off after '[1-4][0-9]) ;;
  *) fail "$where" <"$OUT" ;;
  esac
done
run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "afterwards"
expect_equal "$(count one)" 120 "nodes"

scene "whoever reads slowly gets all of it before the connection is closed"
redo init -q large && redo -C large key generate >/dev/null 2>&1
# More than the kernel takes for a connection.
python3 -c 'import base64, json, os
for _ in range(16):
    text = base64.b64encode(os.urandom(525000)).decode()
    print(json.dumps({"action": "CREATE", "fields": {"title": "large", "description": text}}))' >large.ndjson
redo -C large commit -q --stdin <large.ndjson >/dev/null
serve large
run client all "$PORT"
expect_stdout '[1, 5, 0] True'

# half_request: begins a request in the background; its output goes to 'half'.
half_request() {
  : >half
  python3 "$SCRIPTS/http-clients.py" half "$PORT" >half &
  HALF=$!
  until grep -q begun half; do
    kill -0 $HALF 2>/dev/null || fail "the request does not begin" <half
    sleep 0.05
  done
}

scene "SIGTERM: what runs may end, nothing new begins"
serve --accounts=accounts --grace=100
half_request
kill -TERM $SERVER_PID
until grep -q '"event":"stopping"' server.log; do
  kill -0 $SERVER_PID || fail "it has not waited" <server.log
  sleep 0.05
done
sleep 0.5
kill -0 $SERVER_PID || fail "it has not waited" <server.log
client post "$PORT" turn >"$OUT" 2>&1 && fail "a new client is served" <"$OUT"
kill -USR1 $HALF
wait $HALF
expect_equal "$(tail -n 1 half)" 'HTTP/1.1 200 OK' "the answer"
wait $SERVER_PID
expect_equal "$?" 0 "the status"
SERVER_PID=''

scene "SIGTERM: what does not end in time is cut off"
serve --accounts=accounts --grace=1
half_request
start=$SECONDS
stop_server
expect_equal "$STATUS" 0 "the status"
[ $((SECONDS - start)) -le 40 ] || fail "it takes $((SECONDS - start)) s" </dev/null
kill -USR1 $HALF
wait $HALF
expect_equal "$(tail -n 1 half)" nothing "the answer"

scene "what was acknowledged before SIGTERM, or even SIGKILL, is there"
serve --accounts=accounts
device writer ADA
redo -C writer remote set depot url "http://127.0.0.1:$PORT"
redo -C writer fetch depot 2>/dev/null
for number in 1 2 3 4 5 6 7 8; do
  redo -C writer key generate >/dev/null 2>&1
  id=$(redo -C writer commit create --title="task $number")
  redo -C writer push --porcelain depot >acknowledged 2>/dev/null || break
  grep -q "^\*.*$id" acknowledged && echo "$id" >>there
  if [ $number = 4 ]; then
    kill -KILL $SERVER_PID
    wait $SERVER_PID 2>/dev/null
    SERVER_PID=''
    serve --accounts=accounts
    redo -C writer remote set depot url "http://127.0.0.1:$PORT"
  fi
done
stop_server
expect_equal "$(wc -l <there)" 8 "acknowledged nodes"
while read -r id; do redo -C one cat-node -e "$id" || fail "'$id' is lost" </dev/null; done <there
expect_clean one

scene "without accounts only this machine is served, and without a certificate, too"
run redo serve --http=0.0.0.0:0 one
expect_status 129
expect_stderr_has "option '--accounts' is needed"
run redo serve --http=0.0.0.0:0 --accounts=accounts
expect_status 129
expect_stderr_has "option '--tls-certificate' is needed"
serve one
run client post "$PORT" turn
expect_equal "$(head -c 3 "$OUT")" 200 "the status"
run redo serve "--http=127.0.0.1:$PORT" one
expect_error 128 'address already in use'

scene "of a store with receipts only nodes are served"
redo init -q beside
redo -C beside key generate >/dev/null 2>&1
redo -C beside commit create -q --title="a task" >/dev/null
echo '{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":[]}' | redo -C beside receipt create >/dev/null
serve beside
redo init -q newcomer
run redo -C newcomer fetch "http://127.0.0.1:$PORT"
expect_status 0
expect_equal "$(redo -C newcomer log --format='%(id)')" "$(redo -C beside log --format='%(id)')" "the nodes"
expect_equal "$(redo -C newcomer show-ref | grep -c receipts/)" 0 "chains"
expect_equal "$(redo -C newcomer config core.format)" 1 "the format"

scene "files that are not as they should be"
chmod 644 accounts
run redo serve --http=127.0.0.1:0 --accounts=accounts
expect_error 128 "the accounts in 'accounts' are open to others (mode 644)"
chmod 600 accounts
echo 'ada 12 write /x' >wrong
chmod 600 wrong
run redo serve --http=127.0.0.1:0 --accounts=wrong
expect_error 128 'wrong:1: the SHA-256 of a token has 64 lower-case hex digits'
echo "ada $(digest x) write $PWD/nowhere" >wrong
run redo serve --http=127.0.0.1:0 --accounts=wrong
expect_error 128 "there is no redo store in '$PWD/nowhere'"
run redo serve --http=127.0.0.1:0 --tls-certificate=accounts --tls-key=server.key one
expect_error 128 "there is no certificate in 'accounts'"
run redo serve --http=127.0.0.1:0 --tls-certificate=server.pem --tls-key=elsewhere.key one
expect_error 128 "the key in 'elsewhere.key' is not that of the certificate in 'server.pem'"

scene "command lines that make no sense"
for words in '--http=example.org:80 one' '--http=80 one' '--http=127.0.0.1:0 --accounts=accounts one' \
  '--http=127.0.0.1:0 --tls-key=server.key one' '--http=127.0.0.1:0 --max-body=0 one' '--stdio --rate=1 one' \
  '--http=127.0.0.1:0 --read-only one' '--http=127.0.0.1:0 one two' '--http=127.0.0.1:0 --stdio one'; do
  # shellcheck disable=SC2086 # words
  run redo serve $words
  expect_status 129
done
