#!/bin/bash
# Certificates that are replaced while clients fetch and push: no exchange fails for that reason, nothing is lost, and the next
# connection gets the new one; a pair that is none changes nothing.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"

command -v openssl >/dev/null || {
  scene "certificates that are replaced"
  skip "no openssl here to make certificates"
  exit 0
}
own_copies
ROUNDS=$([ -n "$SOAK" ] && echo 200 || echo 12)
CLIENTS=3

certificates
# pairs: good ones by the same authority, made before, so that the rounds are quick.
PAIRS=6
mkdir pairs
for number in $(seq $PAIRS); do
  sign_certificate "pair$number" IP:127.0.0.1,DNS:localhost
  mv "pair$number".* pairs/
done
serial_of() { openssl x509 -noout -serial -in "$1"; }
shown() {
  openssl s_client -connect "127.0.0.1:$PORT" -CAfile authority.pem -verify_return_error </dev/null 2>s_client.log |
    openssl x509 -noout -serial
}

redo init -q server
demo 300 | redo -C server import -q >/dev/null
redo serve account add --accounts=accounts --right=admin everybody server >token 2>/dev/null
cp pairs/pair1.pem server.pem
cp pairs/pair1.key server.key
serve --accounts=accounts --tls-certificate=server.pem --tls-key=server.key --rate=0

# events: how often the server has answered a signal; hangup: sends one, and waits for what it says to it.
events() { grep -c '"event":"reloaded"\|nothing is reloaded' server.log; }
hangup() {
  local before
  before=$(events)
  kill -HUP "$SERVER_PID"
  for _ in $(seq 400); do
    [ "$(events)" -eq "$before" ] || return 0
    sleep 0.05
  done
  fail "nothing comes of SIGHUP" < <(tail -n 20 server.log)
}

# Each client commits and pushes, fetches into a new store, and writes down what it was told was pushed; until `stop` is there.
client() {
  local number=$1 round=0
  while [ ! -e stop ]; do
    round=$((round + 1))
    redo -C "client$number" commit -q create --title="$number $round" >>"made$number" || return
    if ! redo -C "client$number" push -q --no-retry --kind=node origin >"said$number" 2>&1; then
      echo "push $round: $(cat "said$number")" >>"failed$number"
    else
      cp "made$number" "pushed$number"
    fi
    rm -rf "other$number"
    redo init -q "other$number"
    redo -C "other$number" config remote.origin.url "https://127.0.0.1:$PORT"
    redo -C "other$number" config remote.origin.tokenFile "$PWD/token"
    redo -C "other$number" config remote.origin.caFile "$PWD/authority.pem"
    if ! redo -C "other$number" fetch -q --no-retry --kind=node origin >"said$number" 2>&1; then
      echo "fetch $round: $(cat "said$number")" >>"failed$number"
    else
      redo -C "other$number" log --format='%(id)' >"got$number"
      if [ -e "pushed$number" ] && grep -qvxFf "got$number" "pushed$number"; then
        echo "fetch $round lacks what was pushed" >>"failed$number"
      fi
    fi
    echo "$round" >"round$number"
  done
}
begin_clients() {
  local number
  rm -f stop failed* round*
  clients=()
  for number in $(seq $CLIENTS); do
    if [ ! -e "client$number" ]; then
      redo init -q "client$number"
      redo -C "client$number" key generate >/dev/null 2>&1
    fi
    redo -C "client$number" config remote.origin.url "https://127.0.0.1:$PORT"
    redo -C "client$number" config remote.origin.tokenFile "$PWD/token"
    redo -C "client$number" config remote.origin.caFile "$PWD/authority.pem"
    client "$number" &
    clients+=($!)
  done
}
end_clients() {
  local number
  # Two whole rounds of each, however fast the signals were.
  for number in $(seq $CLIENTS); do
    for _ in $(seq 600); do
      [ "$(cat "round$number" 2>/dev/null || echo 0)" -lt 2 ] || break
      sleep 0.1
    done
  done
  : >stop
  wait "${clients[@]}"
  ! cat failed* 2>/dev/null | grep . >wrong || fail "exchanges have failed" <wrong
  for number in $(seq $CLIENTS); do
    [ "$(cat "round$number" 2>/dev/null || echo 0)" -ge 2 ] || fail "client $number has hardly run" </dev/null
  done
}
clients=()
at_exit ': >"$WORK/here/stop"; wait "${clients[@]}"'

scene "replaced and read anew while clients push and fetch: no exchange fails, and each new connection has the new certificate"
begin_clients
before=$(shown)
expect_equal "$before" "$(serial_of pairs/pair1.pem)" "the certificate at first"
for round in $(seq "$ROUNDS"); do
  pair=pairs/pair$((round % PAIRS + 1))
  # As certbot does: each file is replaced in one step, one after the other.
  for kind in pem key; do cp "$pair.$kind" "server.$kind.new" && mv "server.$kind.new" "server.$kind"; done
  hangup
  expect_equal "$(shown)" "$(serial_of "$pair.pem")" "the certificate in round $round"
done
end_clients
expect_equal "$(events)" "$ROUNDS" "signals that were answered"
! grep -q 'nothing is reloaded' server.log || fail "a good pair is refused" < <(grep 'nothing is reloaded' server.log)

scene "a pair that is none, in every way: the old one stays, the log says why, and no exchange fails"
begin_clients
last=$(shown)
good=$pair
spoil() {
  case $1 in
  another-key) cp pairs/pair1.pem server.pem && cp pairs/pair2.key server.key ;;
  no-key) rm server.key ;;
  no-certificate) rm server.pem ;;
  empty-key) : >server.key ;;
  empty-certificate) : >server.pem ;;
  half-key) head -c 100 "$good.key" >server.key ;;
  half-certificate) head -c 300 "$good.pem" >server.pem ;;
  exchanged) cp "$good.key" server.pem && cp "$good.pem" server.key ;;
  garbage) head -c 4000 /dev/urandom >server.pem ;;
  zeros) head -c 4000 /dev/zero >server.key ;;
  directory) rm server.pem && mkdir server.pem ;;
  pipe) rm server.key && mkfifo -m 600 server.key ;;
  open) chmod 644 server.key ;;
  der) openssl x509 -in "$good.pem" -outform der -out server.pem ;;
  sealed) openssl ec -in "$good.key" -aes256 -passout pass:x -out server.key 2>/dev/null ;;
  dangling) ln -sf nowhere server.pem ;;
  accounts) echo "eve 12 replica:read $PWD/server" >>accounts ;;
  esac
}
refusals=0
for what in another-key no-key no-certificate empty-key empty-certificate half-key half-certificate exchanged garbage zeros \
  directory pipe open der sealed dangling accounts; do
  cp accounts accounts.good
  spoil "$what"
  hangup
  refusals=$((refusals + 1))
  expect_equal "$(grep -c 'nothing is reloaded' server.log)" "$refusals" "refusals after '$what'"
  grep 'nothing is reloaded' server.log | tail -n 1 >"$OUT"
  ! grep -q $'[\x01-\x09\x0b-\x1f]' "$OUT" || fail "control bytes in the log" <"$OUT"
  expect_equal "$(shown)" "$last" "the certificate after '$what'"
  rm -rf server.pem server.key
  cp "$good.pem" server.pem
  cp "$good.key" server.key
  cat accounts.good >accounts
  hangup
  expect_equal "$(shown)" "$last" "the certificate afterwards"
done
end_clients

scene "signals faster than they can be answered: the server goes on, with the last pair"
begin_clients
for round in $(seq 60); do
  pair=pairs/pair$((round % PAIRS + 1))
  for kind in pem key; do cp "$pair.$kind" "server.$kind.new" && mv "server.$kind.new" "server.$kind"; done
  kill -HUP "$SERVER_PID"
done
hangup
for _ in $(seq 100); do
  [ "$(shown)" != "$(serial_of "$pair.pem")" ] || break
  sleep 0.05
done
expect_equal "$(shown)" "$(serial_of "$pair.pem")" "the certificate in the end"
end_clients

scene "a connection that was made before goes on with its certificate, and one by another authority is not trusted"
mkfifo talk
openssl s_client -quiet -connect "127.0.0.1:$PORT" -CAfile authority.pem -verify_return_error <talk >answers 2>s_client.log &
talking=$!
exec 7>talk
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&7
for _ in {1..200}; do
  ! grep -q '^ok' answers || break
  sleep 0.05
done
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server -keyout server.key -out server.csr 2>openssl.log
openssl x509 -req -in server.csr -CA stranger.pem -CAkey stranger.key -CAcreateserial -days 2 \
  -extfile <(echo subjectAltName=IP:127.0.0.1) -out server.pem 2>>openssl.log || fail "no certificate" <openssl.log
hangup
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&7
exec 7>&-
wait $talking
expect_equal "$(grep -c '200 OK' answers)" 2 "answers over the connection"
before=$(fingerprint client1)
run redo -C client1 push --no-retry --kind=node origin
expect_error 128 "the certificate of '127.0.0.1' is not good"
expect_untouched "$before" client1

scene "nothing is lost: all that was pushed is there, and the store is whole"
stop_server
expect_equal "$STATUS" 0 "the status of the server"
redo -C server log --format='%(id)' | sort >there
for number in $(seq $CLIENTS); do
  sort "pushed$number" | comm -23 - there >lost
  [ ! -s lost ] || fail "client $number has lost changes" <lost
  expect_equal "$(cat "made$number" | wc -l)" "$(cat "pushed$number" | wc -l)" "changes that were made, and pushed"
done
redo -C server verify --all >"$OUT" 2>"$ERR" || [ $? -eq 1 ] || fail "not whole" <"$OUT"
expect_equal "$(find server/.redo/quarantine -type f -name '*.pack' | wc -l)" 0 "packs in the quarantine"
