# What the scripts about HTTP share: servers, peers, certificates.

link_network || {
  echo "Bail out! there is no 'redo-net' beside '$REDO_BIN'"
  exit 1
}
SCRIPTS=$TESTS/Scripts
wire() { python3 "$SCRIPTS/wire.py" "$@"; }

# peer <mode>: starts a server that does not do as it should; its port is PEER, what it heard in peer.log.
PEER='' PEER_PID=''
peer() {
  stop_peer
  : >peer.port
  python3 "$SCRIPTS/http-peer.py" "$1" >peer.port 2>peer.log &
  PEER_PID=$!
  until [ -s peer.port ] || ! kill -0 "$PEER_PID" 2>/dev/null; do sleep 0.05; done
  PEER=$(cat peer.port)
  [ -n "$PEER" ] || fail "the peer does not start" <peer.log
}
stop_peer() {
  if [ -n "$PEER_PID" ]; then
    kill "$PEER_PID" 2>/dev/null
    wait "$PEER_PID" 2>/dev/null
  fi
  PEER_PID=''
}
at_exit stop_peer

# serve <option>...: starts a server; its port is PORT, its log server.log.
PORT='' SERVER_PID=''
serve() {
  stop_server
  : >server.log
  redo serve --http=127.0.0.1:0 "$@" >server.out 2>server.log &
  SERVER_PID=$!
  while true; do
    PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log)
    [ -z "$PORT" ] || break
    kill -0 "$SERVER_PID" 2>/dev/null || break
    sleep 0.05
  done
  [ -n "$PORT" ] || fail "the server does not start" <server.log
}
# stop_server: as an operator does; its status is STATUS.
stop_server() {
  if [ -n "$SERVER_PID" ]; then
    kill -TERM "$SERVER_PID" 2>/dev/null
    wait "$SERVER_PID"
    STATUS=$?
  fi
  SERVER_PID=''
}
at_exit stop_server

# certificates: an authority, a certificate of its for 127.0.0.1 and localhost, one for another host, and
# an authority that signed nothing.
certificates() {
  local name
  for name in authority stranger; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$name" \
      -addext basicConstraints=critical,CA:TRUE -keyout $name.key -out $name.pem 2>openssl.log ||
      fail "no certificate" <openssl.log
  done
  sign_certificate server IP:127.0.0.1,DNS:localhost
  sign_certificate elsewhere DNS:elsewhere.example
}
# sign_certificate <name> <host names>
sign_certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" \
    2>openssl.log &&
    openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
      -extfile <(echo "subjectAltName=$2") -out "$1.pem" 2>>openssl.log || fail "no certificate" <openssl.log
}
