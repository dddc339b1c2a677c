#!/bin/bash
# Over a real sshd, at a port of this machine: nodes, schemas and receipts in both directions, a key that may do one thing, and
# all that comes between the two: banners, shells that print, another host key, connections that are killed.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SSHD=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd)
if [ -z "$SSHD" ] || ! command -v ssh-keygen >/dev/null || ! command -v ssh >/dev/null; then
  scene "over sshd"
  skip "no sshd here; 'make deps' installs openssh-server"
  exit 0
fi
need_python "over sshd" rfc8785 nacl dag_cbor
USER_NAME=$(id -un)
case $(getent passwd "$USER_NAME" | cut -d: -f7) in
*/nologin | */false)
  scene "over sshd"
  skip "'$USER_NAME' has no shell to log in with"
  exit 0
  ;;
esac
# As root sshd gives up its rights in a directory that the system makes when it starts.
if [ "$(id -u)" -eq 0 ] && [ ! -d /run/sshd ]; then
  mkdir -m 755 /run/sshd && at_exit 'rmdir /run/sshd'
fi

# MARK: The server and its keys

E=$WORK/etc
mkdir -m 700 "$E"
for key in host other user reader noisy wrong; do ssh-keygen -q -t ed25519 -N '' -C $key -f "$E/$key" || exit 1; done
cat >"$E/sshd_config" <<END
ListenAddress 127.0.0.1
HostKey $E/host
AuthorizedKeysFile $E/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PermitUserRC no
Banner $E/banner
MaxStartups 100
SetEnv "PATH=$PATH" "HOME=$HOME" REDO_CONFIG_NOSYSTEM=1 LC_ALL=C
END
: >"$E/banner"
{
  cat "$E/user.pub"
  echo "restrict,command=\"redo serve --stdio --read-only '$PWD/there'\" $(cat "$E/reader.pub")"
  echo "restrict,command=\"echo 'Welcome to the orchard'; redo serve --stdio '$PWD/there'\" $(cat "$E/noisy.pub")"
} >"$E/authorized_keys"
config() {
  local name
  for name in orchard reader noisy wrong stranger cut; do
    echo "Host $name"
    case $name in
    reader | noisy | wrong) echo "  IdentityFile $E/$name" ;;
    *) echo "  IdentityFile $E/user" ;;
    esac
    [ $name != stranger ] || echo "  UserKnownHostsFile $E/strangers"
    [ $name != cut ] || echo "  ProxyCommand $WORK/bin/through"
  done
  cat <<END
Host *
  HostName 127.0.0.1
  Port $PORT
  User $USER_NAME
  IdentitiesOnly yes
  UserKnownHostsFile $E/known_hosts
  GlobalKnownHostsFile /dev/null
  HostKeyAlias orchard
  StrictHostKeyChecking yes
  BatchMode yes
END
}
echo "orchard $(cut -d ' ' -f 1,2 "$E/host.pub")" >"$E/known_hosts"
echo "orchard $(cut -d ' ' -f 1,2 "$E/other.pub")" >"$E/strangers"

# A port that is free: sshd takes a number only, so another is tried where somebody else was faster.
start_sshd() {
  local port
  for _ in {1..20}; do
    port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
    "$SSHD" -D -e -f "$E/sshd_config" -p "$port" >"$E/log" 2>&1 &
    SSHD_PID=$!
    for _ in {1..200}; do
      ! grep -q 'Server listening' "$E/log" || break
      kill -0 $SSHD_PID 2>/dev/null || break
      sleep 0.05
    done
    if grep -q 'Server listening' "$E/log"; then
      PORT=$port
      return
    fi
  done
  fail "sshd does not start" <"$E/log"
}
at_exit 'kill $SSHD_PID'
start_sshd
config >"$E/ssh_config"
own_copies
redo config --user core.sshCommand "ssh -F '$E/ssh_config'"
if ! timeout 60 ssh -F "$E/ssh_config" orchard true >"$OUT" 2>"$ERR" </dev/null; then
  scene "over sshd"
  skip "nobody can log in here: $(tail -n 1 "$ERR")"
  exit 0
fi

# What is exchanged, by other programs.
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
mkdir made
"$PYTHON" "$TESTS/Oracle/schema_log.py" make "$SEED" made 40 || fail "the maker" </dev/null
made --many=40 --seed="$SEED" >receipts
demo 300 >nodes
for store in own there third; do
  redo init -q $store
  redo -C $store config serve.kinds 'node receipt schema'
done
redo -C own import -q <nodes >/dev/null
redo -C own import -q <made/history.ndjson >/dev/null
redo -C own import -q <receipts >/dev/null
redo -C own key generate >/dev/null 2>&1
# refs_of <store>: the heads of all kinds. all_of <store>: each object, as a line.
refs_of() { redo -C "$1" show-ref | grep -v ' remotes/' | sort; }
all_of() {
  redo -C "$1" export -q | sort
  redo -C "$1" export -q --kind=schema | sort
  redo -C "$1" export -q --kind=receipt | sed 's/,"received":[0-9]*//' | sort
}
# same <one> <other>: they have the same, heads included, as far as it is exchanged; both are whole.
same() {
  local store
  expect_equal "$(all_of "$1" | sha256sum)" "$(all_of "$2" | sha256sum)" "what '$1' and '$2' have"
  expect_equal "$(refs_of "$1" | sha256sum)" "$(refs_of "$2" | sha256sum)" "the heads of '$1' and '$2'"
  for store; do
    redo -C "$store" verify >"$OUT" 2>"$ERR" || [ $? -eq 1 ] || fail "'$store' is not whole" <"$OUT"
    expect_equal "$(find "$store/.redo/quarantine" -type f -name '*.pack' | wc -l)" 0 "packs in the quarantine of '$store'"
  done
}
# each <command> <option>... <remote>: of all kinds, one after the other; the status is the greatest.
each() {
  local kind status=0
  for kind in node schema receipt; do
    redo -C "$1" "$2" --kind=$kind "${@:3}" || { [ $? -le $status ] || status=$?; }
  done
  return $status
}
for name in orchard reader noisy wrong stranger cut; do redo -C own remote add $name "ssh://$name$PWD/there"; done
redo -C third remote add orchard "ssh://orchard$PWD/own"

scene "push, fetch and sync of all kinds"
run each own push orchard
expect_status 0
same own there
run each third fetch orchard
expect_status 0
same own third
made --person=eve --many=10 --seed=3 | redo -C there import -q >/dev/null
redo -C there key generate >/dev/null 2>&1
redo -C there commit -q create --title=there >/dev/null
redo -C own commit -q create --title=here >/dev/null
run each own sync orchard
expect_status 0
same own there
run redo -C own ls-remote orchard
expect_status 0
run redo -C own remote check orchard
expect_status 0
expect_stdout_has "equal: yes"

scene "a banner is shown by ssh and is no part of what is said"
printf 'No trespassing.\nredo-wire\n\1\2\3\n' >"$E/banner"
redo -C own commit -q create --title=banner >/dev/null
run redo -C own push -v orchard
expect_status 0
expect_stderr_has "No trespassing."
same own there
: >"$E/banner"

scene "a key with a forced command reads one store, whatever the client asks for"
redo init -q secret
redo -C secret key generate >/dev/null 2>&1
redo -C secret commit -q create --title=secret >/dev/null
redo -C own remote add elsewhere "ssh://reader$PWD/secret"
rm -rf fourth && redo init -q fourth
redo -C fourth remote add reader "ssh://reader$PWD/secret"
run each fourth fetch reader
expect_status 0
same fourth there
redo -C own commit -q create --title=unsent >/dev/null
before=$(fingerprint there)
run redo -C own push reader
expect_status 77
expect_stderr_has "reader"
expect_untouched "$before" there
run timeout 60 ssh -F "$E/ssh_config" reader "touch $PWD/touched" </dev/null
[ ! -e touched ] || fail "the client's command was run" </dev/null

scene "a path is one word for the shell of the other machine, whatever is in it"
signed=$(redo -C own log --format='%(id)' | sort | sha256sum)
for name in "a b" "it's" '$(touch x)' 'a;touch x' '*' '-n' 'ü"q"'; do
  mkdir -p odd
  redo init -q "$PWD/odd/$name" || fail "no store '$name'" </dev/null
  run redo -C own push --no-retry --kind=node "orchard:$PWD/odd/$name"
  expect_status 0
  expect_equal "$(redo -C "$PWD/odd/$name" log --format='%(id)' | sort | sha256sum)" "$signed" "nodes in '$name'"
done
expect_equal "$(find "$PWD" "$HOME" -name x)" '' "what a shell has run"

scene "a shell that prints before it does what it is asked: one clear error, and nothing has changed here or there"
before=$(fingerprint own) there=$(fingerprint there)
for command in fetch push sync ls-remote; do
  run redo -C own $command --kind=node $([ $command = ls-remote ] || echo --no-retry) noisy
  expect_status 128
  expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages ($(cat "$ERR"))"
  expect_stderr_has "fatal: 'noisy': malformed: "
  expect_untouched "$before" own
  expect_untouched "$there" there
done

scene "another host key, a key that is not let in, a store and a program that are not there: one clear error, and nothing has changed"
run redo -C own fetch --no-retry stranger
expect_status 75
expect_stderr_has "Host key verification failed"
expect_stderr_has "'stranger'"
run redo -C own fetch --no-retry wrong
expect_status 75
expect_stderr_has "Permission denied"
expect_stderr_has "'wrong'"
run redo -C own push --no-retry "orchard:$PWD/nowhere"
expect_status 128
expect_stderr_has "nowhere"
redo -C own config remote.orchard.program /nowhere/redo
run redo -C own push --no-retry orchard
expect_status 128
expect_stderr_has "there is no 'redo' there"
redo -C own config unset remote.orchard.program
expect_untouched "$there" there

scene "connections that are cut or killed anywhere: what is there is whole, and the same command goes on"
# through: hands bytes on, at most so many as a file says in one direction; the file is then gone.
cat >"$WORK/bin/through" <<END
#!/usr/bin/env python3
import os, socket, sys, threading
end = socket.create_connection(("127.0.0.1", $PORT))
left = {"up": -1, "down": -1}
try:
    way, count = open("$E/cut").read().split()
    os.remove("$E/cut")
    left[way] = int(count)
except (OSError, ValueError):
    pass
def copy(way, read, write):
    while data := read():
        if left[way] >= 0:
            data = data[:left[way]]
            left[way] -= len(data)
        write(data)
        if left[way] == 0:
            os._exit(1)
    if way == "up":
        end.shutdown(socket.SHUT_WR)
    else:
        os._exit(0)
def write_all(data):
    while data:
        data = data[os.write(1, data):]
threading.Thread(target=copy, args=("up", lambda: os.read(0, 65536), end.sendall), daemon=True).start()
copy("down", lambda: end.recv(65536), write_all)
END
chmod 755 "$WORK/bin/through"
whole() { [ "$(all_of "$1" | sha256sum)" = "$2" ]; }
hundred() {
  python3 -c 'import base64, random, sys
source = random.Random(int(sys.argv[1]))
for number in range(1, 61):
    text = base64.b64encode(source.randbytes(6000)).decode()
    print("{\"action\":\"CREATE\",\"taskId\":\"550e8400-e29b-41d4-a716-%012d\",\"fields\":{\"title\":\"Task %d\",\"description\":\"%s\"}}"
          % (number, number, text))' "$1"
}
redo init -q large && redo -C large key generate >/dev/null 2>&1
hundred 5 | redo -C large commit -q --stdin >/dev/null
places="2000 4500 20000 100000 250000"
[ -z "$SOAK" ] || places=$(echo {0..9}{100,400,700} {10000..450000..20000})
for way in up down; do
  for place in $places; do
    rm -rf taker giver
    redo init -q taker
    redo init -q giver
    for command in push fetch; do
      # Only the direction in which the nodes go has so many bytes.
      [ "$place" -lt 20000 ] || [ "$command $way" = "push up" ] || [ "$command $way" = "fetch down" ] || continue
      store=large
      remote=cut:$PWD/taker
      [ $command = push ] || store=giver remote=cut:$PWD/large
      echo "$way $place" >"$E/cut"
      run redo -C $store $command --no-retry --kind=node "$remote"
      [ ! -e "$E/cut" ] || fail "the connection did not go through there" <"$ERR"
      if [ $STATUS -ne 0 ]; then
        expect_status 75
        expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages ($(cat "$ERR"))"
        expect_stderr_has "'$remote'"
      fi
      other=taker
      [ $command = push ] || other=giver
      redo -C $other verify --all >"$OUT" 2>"$ERR" || fail "what has come is not whole after $command, cut $way at $place" <"$OUT"
      run redo -C $store $command --no-retry --kind=node "$remote"
      expect_status 0
      same large $other
    done
  done
done

scene "ssh, and the server behind sshd, killed in the middle: the same"
for victim in client server; do
  rm -rf taker && redo init -q taker
  mkdir -p taker/.redo/hooks
  # The hook is what can be waited for.
  printf '#!/bin/sh\necho $$ $PPID >"%s"\nexec sleep 600\n' "$PWD/reached" >taker/.redo/hooks/pre-receive
  chmod 755 taker/.redo/hooks/pre-receive
  rm -f reached
  redo -C large push --no-retry --kind=node "orchard:$PWD/taker" >"$OUT" 2>"$ERR" &
  pushing=$!
  for _ in {1..400}; do
    [ ! -s reached ] || break
    sleep 0.05
  done
  read -r hook server <reached || fail "the hook does not run" <"$ERR"
  if [ $victim = client ]; then
    kill -9 "$(pgrep -P $pushing ssh)"
  else
    # What the hook has inherited of the connection would keep sshd waiting for it.
    kill -9 "$server" "$hook"
  fi
  wait $pushing
  STATUS=$? RUN="push, $victim killed"
  expect_status 75
  expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages ($(cat "$ERR"))"
  kill "$hook" 2>/dev/null
  rm taker/.redo/hooks/pre-receive
  expect_equal "$(refs_of taker)" '' "heads before the hook has agreed"
  run redo -C large push --kind=node --no-retry "orchard:$PWD/taker"
  expect_status 0
  same large taker
done

scene "a remote that cannot be reached at first is tried again"
rm -rf giver && redo init -q giver
echo "down 3000" >"$E/cut"
run redo -C giver fetch --kind=node "cut:$PWD/large"
expect_status 0
same large giver
! grep -q 'fatal\|error' <(grep -v 'Connection\|kex_exchange\|session_open' "$E/log") || fail "sshd complains" <"$E/log"
