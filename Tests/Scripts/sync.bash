# What the scripts of fetch, push, sync and ls-remote share, besides lib.sh: stores with keys, a server between
# them, and the way there, which TRANSPORT names: path, ssh (a program in its place that runs the command here), or
# http (a server of its own for each store, at a port of this machine).
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TASK=550e8400-e29b-41d4-a716-446655440000
OTHER=550e8400-e29b-41d4-a716-446655440001
TRANSPORT=${TRANSPORT:-path}

# The way to another machine: what it is asked is run on this one. Each line of $WORK/trouble is what becomes of one
# connection, from the first on: `fail`, `cut <bytes>` (so many of the answer come), `peer <arguments of
# peer.py>`, `say <text>`, `ok`.
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift 2
echo "$*" >>"$WORK/ssh.log"
what=ok
if [ -s "$WORK/trouble" ]; then
  what=$(sed -n 1p "$WORK/trouble")
  sed -i 1d "$WORK/trouble"
fi
case $what in
  fail) echo 'ssh: connect to host: Connection refused' >&2; exit 255 ;;
  say*) printf '%s' "${what#say }"; exit 0 ;;
  peer*) exec python3 "$TESTS/Scripts/peer.py" ${what#peer } ;;
  cut*)
    sh -c "$*" | python3 -c 'import os, sys
left = int(sys.argv[1])
while left > 0 and (some := os.read(0, min(left, 65536))):
    os.write(1, some)
    left -= len(some)' "${what#cut }"
    exit 255
    ;;
  *) exec sh -c "$*" ;;
esac
END
chmod 755 "$WORK/bin/ssh"
export WORK TESTS

# port <store>: where a server answers for it, which is started unless it runs.
port() {
  local log
  log=$WORK/servers/$(echo -n "$1" | sha256sum | cut -c 1-16)
  if [ ! -e "$log" ]; then
    mkdir -p "$WORK/servers"
    redo-serve-http --http=127.0.0.1:0 "$1" >/dev/null 2>"$log" &
    echo $! >>"$WORK/servers/pids"
  fi
  for _ in $(seq 6000); do
    if grep -q '"port":' "$log" 2>/dev/null; then
      sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$log" | head -1
      return
    fi
    sleep 0.05
  done
  fail "no server listens" <"$log"
}
if [ "$TRANSPORT" = http ]; then
  if ! link_network; then
    scene "over HTTP"
    skip "there is no 'redo-net' beside '$REDO_BIN'"
    exit 0
  fi
  at_exit 'kill $(cat "$WORK/servers/pids")'
fi

# url <store>: where it is, by the transport.
url() {
  case $TRANSPORT in
    path) echo "$PWD/$1" ;;
    ssh) echo "ssh://host$PWD/$1" ;;
    http) echo "http://127.0.0.1:$(port "$PWD/$1")" ;;
    *) fail "there is no transport '$TRANSPORT'" </dev/null ;;
  esac
}
# stores <name>...: empty stores, each with a key of its own, in a new directory.
stores() {
  cd "$(mktemp -d "$WORK/here/XXXXXX")" || exit
  local name
  for name; do
    redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1 || fail "no store '$name'" </dev/null
  done
}
# platforms <name>...: the same, and a server without a key that is the remote `origin` of each.
platforms() {
  stores "$@"
  redo init -q server
  local name
  for name; do redo -C "$name" remote add origin "$(url server)" || fail "no remote" </dev/null; done
}
# on <platform> <wall, from its time on> <commit arguments>...
on() {
  local platform=$1 wall=$2
  shift 2
  run redo -C "$platform" commit -q --date="2025-11-16T${wall}Z" "$@"
  expect_status 0
}
# push <platform>, pull <platform>: without a word.
push() { run redo -C "$1" push -q && expect_status 0 && expect_stdout '' && expect_stderr ''; }
pull() { run redo -C "$1" fetch -q && expect_status 0 && expect_stdout '' && expect_stderr ''; }
# same <platform>...: they have the same state, by one line.
same() {
  local hash platform
  hash=$(redo -C "$1" state -q --hash)
  for platform; do expect_equal "$(redo -C "$platform" state -q --hash)" "$hash" "the state on $platform"; done
}
log_of() { redo -C "$1" log --sort=order --reverse --format="${2:-%(action)}" | paste -sd' '; }
ids() { redo -C "$1" log --sort=order --reverse --format='%(id)'; }
count() { redo -C "$1" log --format='%(id)' | sort -u | wc -l; }
state_of() {
  run redo -C "$1" state --task="${2:-$TASK}"
  expect_status 0
}
# json <expression>: of what the last command printed.
json() { python3 -c 'import json, sys
print(eval(sys.argv[1], {"d": json.load(open(sys.argv[2]))}))' "$1" "$OUT"; }
# every_node_good <platform>: form, hash and signature of all that it has.
every_node_good() {
  run redo -C "$1" verify --all --profile=sync
  expect_status 0
  run redo -C "$1" log --json
  ! grep -vE '"id":"sha256:[0-9a-f]{64}".*"signature":"[0-9a-f]{128}"' "$OUT" >/dev/null || fail "a form" <"$OUT"
  ! grep -vE '"userId":"[0-9a-f]{32}"' "$OUT" >/dev/null || fail "a user id" <"$OUT"
  ! grep -vE '"wall":"[-0-9]{10}T[:0-9]{8}\.[0-9]{3}Z"' "$OUT" >/dev/null || fail "a wall time" <"$OUT"
}
# no_temporary <store>: nothing is left of what came.
nothing_waits() {
  expect_equal "$(find "$1/.redo/quarantine" -type f -name '*.pack' | wc -l)" 0 "packs in the quarantine of $1"
}
# hundred_tasks <platform>: contents that cannot be compressed, so that a cut through the bytes cuts through the nodes.
hundred_tasks() {
  python3 -c 'import base64, random
source = random.Random(9)
for number in range(1, 101):
    text = base64.b64encode(source.randbytes(6000)).decode()
    print("{\"action\":\"CREATE\",\"taskId\":\"550e8400-e29b-41d4-a716-%012d\",\"fields\":{\"title\":\"Task %d\",\"description\":\"%s\"}}"
          % (number, number, text))' | redo -C "$1" commit -q --stdin >/dev/null
}
