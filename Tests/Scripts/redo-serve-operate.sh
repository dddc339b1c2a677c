#!/bin/bash
# redo serve --http for whoever runs it: accounts and certificates change while it runs, logs are moved, a service manager hands
# over the socket, and what should not be in a log is not.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"
client() { python3 "$SCRIPTS/http-clients.py" "$@"; }

command -v openssl >/dev/null || {
  scene "running a server"
  skip "no openssl here to make certificates"
  exit 0
}

certificates
for store in one two; do redo init -q "$store" && redo -C "$store" import -q "$VECTORS/log/linear.ndjson" >/dev/null; done
add() { redo serve account add --accounts=accounts "$@" 2>/dev/null; }
# events <event>: how often the log has it; said <event> <n>: waits until it has it so often.
events() { grep -c "\"event\":\"$1\"" server.log; }
said() {
  for _ in $(seq 200); do
    [ "$(events "$1")" -lt "$2" ] || return 0
    sleep 0.05
  done
  fail "the log does not say '$1' $2 times" <server.log
}
hangup() {
  local before
  before=$(($(events reloaded) + $(events message)))
  kill -HUP "$SERVER_PID"
  for _ in $(seq 200); do
    [ $(($(events reloaded) + $(events message))) -eq $before ] || return 0
    sleep 0.05
  done
  fail "nothing comes of SIGHUP" <server.log
}
status() {
  run client post "$PORT" turn
  head -c 3 "$OUT"
}

scene "SIGHUP: an account that was added is served, one that was taken away is refused, and running requests go on"
ADA=$(add --right=replica:write ada one)
serve --accounts=accounts
expect_equal "$(TOKEN=$ADA status)" 200 ada
BOB=$(add --right=replica:read bob two)
expect_equal "$(TOKEN=$BOB status)" 401 "bob before"
TOKEN=$ADA python3 "$SCRIPTS/http-clients.py" half "$PORT" >half 2>&1 &
half=$!
until grep -q begun half; do sleep 0.05; done
hangup
expect_equal "$(TOKEN=$BOB status)" 200 bob
redo serve account revoke --accounts=accounts ada 2>/dev/null
hangup
expect_equal "$(TOKEN=$ADA status)" 401 "ada afterwards"
expect_equal "$(TOKEN=$BOB status)" 200 "bob afterwards"
kill -USR1 $half
wait $half
expect_equal "$(tail -n 1 half)" 'HTTP/1.1 200 OK' "the request that ran"

scene "SIGHUP: all or nothing"
cp accounts good
echo "eve 12 replica:read $PWD/one" >>accounts
hangup
tail -n 1 server.log >"$OUT"
expect_stdout_has "nothing is reloaded: "
expect_stdout_has "accounts:2: the SHA-256 of a token"
expect_equal "$(TOKEN=$BOB status)" 200 "who was there"
echo "eve $(printf x | sha256sum | cut -d ' ' -f 1) replica:read $PWD/nowhere" >accounts
hangup
expect_equal "$(TOKEN=$BOB status)" 200 "who was there, of a store that is missing"
cp good accounts
chmod 644 accounts
hangup
tail -n 1 server.log >"$OUT"
expect_stdout_has "are open to others"
chmod 600 accounts
: >accounts
hangup
expect_equal "$(TOKEN=$BOB status)" 401 "of no accounts at all"
cp good accounts
hangup
expect_equal "$(TOKEN=$BOB status)" 200 "afterwards"

scene "a token that has expired is refused, without a signal"
EVE=$(redo serve account add --accounts=accounts --right=replica:read --expires="$(date -u -d '+3 seconds' +%Y-%m-%dT%H:%M:%S.000Z)" eve one 2>/dev/null)
hangup
expect_equal "$(TOKEN=$EVE status)" 200 "eve before"
for _ in $(seq 100); do
  [ "$(TOKEN=$EVE status)" = 200 ] || break
  sleep 0.1
done
expect_equal "$(TOKEN=$EVE status)" 401 "eve afterwards"
run redo serve account list --accounts=accounts
expect_stdout_has "eve expired replica:read"

scene "SIGHUP: a new certificate for new connections; one without its key changes nothing"
serve --accounts=accounts --tls-certificate=server.pem --tls-key=server.key
serial() { openssl s_client -connect "127.0.0.1:$PORT" </dev/null 2>/dev/null | openssl x509 -noout -serial; }
first=$(serial)
sign_certificate other IP:127.0.0.1,DNS:localhost
cp other.pem server.pem
hangup
tail -n 1 server.log >"$OUT"
expect_stdout_has "nothing is reloaded: the key in"
expect_equal "$(serial)" "$first" "the certificate that stays"
cp other.key server.key
hangup
[ "$(serial)" != "$first" ] || fail "the certificate is the old one" </dev/null
export CA_FILE=$PWD/authority.pem
expect_equal "$(TOKEN=$BOB status)" 200 "over the new one"
unset CA_FILE

scene "a secret key that everybody may read is none"
chmod 644 server.key
hangup
tail -n 1 server.log >"$OUT"
expect_stdout_has "is open to everybody (mode 644)"
run redo serve --http=127.0.0.1:0 --accounts=accounts --tls-certificate=server.pem --tls-key=server.key
expect_status 128
expect_stderr_has "fatal: the secret key in 'server.key' is open to everybody (mode 644)"
expect_stderr_has "hint: chmod o= 'server.key'"
chmod 640 server.key

scene "SIGUSR1: a log that was moved is opened anew, and no line is lost"
stop_server
redo serve --http=127.0.0.1:0 --accounts=accounts --log=to.log 2>server.log &
SERVER_PID=$!
until PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' to.log 2>/dev/null) && [ -n "$PORT" ]; do sleep 0.05; done
expect_equal "$(TOKEN=$BOB status)" 200 "the first"
until grep -q '"event":"request"' to.log; do sleep 0.05; done
mv to.log to.log.1
expect_equal "$(TOKEN=$BOB status)" 200 "the second"
kill -USR1 $SERVER_PID
until [ -e to.log ]; do sleep 0.05; done
expect_equal "$(TOKEN=$BOB status)" 200 "the third"
until grep -q '"event":"request"' to.log; do sleep 0.05; done
expect_equal "$(cat to.log.1 to.log | grep -c '"event":"request"')" 3 "the lines"
expect_equal "$(wc -c <server.log)" 0 "bytes on standard error"
mv to.log to.log.2
mkdir to.log
kill -USR1 $SERVER_PID
until grep -q '"text":"the log cannot be opened anew: ' to.log.2; do sleep 0.05; done
rmdir to.log
kill -USR1 $SERVER_PID
until [ -e to.log ]; do sleep 0.05; done
stop_server
expect_equal "$STATUS" 0 "the status"
grep -q '"event":"stopped"' to.log || fail "the last line is missing" <to.log

scene "a token in an address is not logged; nothing is answered with silence; HEAD is GET without its body"
serve --accounts=accounts
python3 - "$PORT" "$BOB" <<'END' >"$OUT"
import http.client, sys
port, token = int(sys.argv[1]), sys.argv[2]
def ask(method, path, body=None, fields={}):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, fields)
    answer = connection.getresponse()
    print(method, path.partition("?")[0], answer.status, len(answer.read()), answer.headers.get("Content-Length", "-"))
ask("POST", f"/v1/exchange?access_token={token}", b"", {})
ask("POST", "/v1/exchange", b"", {"Authorization": "Bearer " + token, "Content-Type": "application/vnd.redo.wire"})
for path in "/healthz", "/readyz":
    ask("HEAD", path)
    ask("GET", path)
ask("PUT", "/healthz", b"")
END
expect_stdout <<'END'
POST /v1/exchange 404 22 22
POST /v1/exchange 400 18 -
HEAD /healthz 200 0 3
GET /healthz 200 3 3
HEAD /readyz 200 0 6
GET /readyz 200 6 6
PUT /healthz 405 18 18
END
stop_server
! grep -q "$BOB" server.log || fail "a token" <server.log

scene "metrics: how long, why refused, and by account where that is wanted"
serve --accounts=accounts --metrics=accounts --rate=0
expect_equal "$(TOKEN=$BOB status)" 200 "an exchange"
expect_equal "$(TOKEN=nobody status)" 401 "a refusal"
python3 "$SCRIPTS/http-get.py" "http://127.0.0.1:$PORT/metrics" >"$OUT"
for line in 'redo_exchange_duration_seconds_bucket{le="+Inf"} 1' 'redo_exchange_duration_seconds_count 1' \
  'redo_refusals_total{reason="account"} 1' 'redo_account_exchanges_total{account="bob"} 1'; do
  grep -qxF "$line" body || fail "no '$line'" <body
done
run redo serve --http=127.0.0.1:0 --metrics=names one
expect_error 129 "option '--metrics' expects 'accounts', not 'names'"

scene "a socket that was handed over: who stops is followed by the next one, and no connection is refused"
python3 - "$(command -v redo)" "$BOB" "$SCRIPTS" <<'END' >"$OUT" 2>"$ERR" || fail "the socket" <"$ERR"
import http.client, os, signal, socket, ssl, subprocess, sys, threading, time
redo, token = sys.argv[1:3]
sys.path.insert(0, sys.argv[3])
import wire
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(512)
port = listener.getsockname()[1]
def start(name):
    words = "exec \"$0\" serve --http=systemd --accounts=accounts --tls-certificate=server.pem --tls-key=server.key --rate=0"
    script = "export LISTEN_PID=$$ LISTEN_FDS=1; " + words
    log = open(name, "wb")
    return subprocess.Popen(["bash", "-c", script, redo], preexec_fn=lambda: os.dup2(listener.fileno(), 3, True), pass_fds=[3], stderr=log)
context = ssl.create_default_context(cafile="authority.pem")
counts, done = {}, threading.Event()
def ask():
    while not done.is_set():
        try:
            connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
            connection.request("POST", "/v1/exchange", wire.TURN, {"Content-Type": wire.MEDIA, "Authorization": "Bearer " + token})
            answer = connection.getresponse()
            answer.read()
            status = answer.status
            connection.close()
        except Exception as error:
            status = type(error).__name__
        counts[status] = counts.get(status, 0) + 1
        time.sleep(0.005)
servers = [start("first.log")]
threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
for thread in threads: thread.start()
time.sleep(2)
for number in range(3):
    servers.append(start(f"server-{number}.log"))
    while b"listening" not in open(f"server-{number}.log", "rb").read():
        assert servers[-1].poll() is None, open(f"server-{number}.log").read()
        time.sleep(0.05)
    servers[-2].send_signal(signal.SIGTERM)
    assert (code := servers[-2].wait(30)) == 0, (code, open("first.log").read()[-600:])
    time.sleep(0.5)
done.set()
for thread in threads: thread.join()
servers[-1].send_signal(signal.SIGTERM)
assert servers[-1].wait(30) == 0
print(sorted(counts.items(), key=str), file=sys.stderr)
assert counts.get(200, 0) > 50, counts
# A connection that came to a server as it stopped is closed, never answered wrongly; most come through.
assert set(counts) <= {200, 503, "RemoteDisconnected", "ConnectionResetError", "SSLEOFError"}, counts
assert sum(value for key, value in counts.items() if key != 200) <= 12, counts
END
run redo serve --http=systemd --accounts=accounts
expect_error 128 "no socket was handed over"
