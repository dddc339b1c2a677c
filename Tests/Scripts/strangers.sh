#!/bin/bash
# Other people's stores: nothing in one runs, sends anything or is believed before its user has accepted it (redo-cli(7),
# "Other people's stores").
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"

SENT=$WORK/sent RAN=$WORK/ran
: >"$SENT"
python3 "$SCRIPTS/strangers-peer.py" "$SENT" >peer.port &
LISTENER=$!
at_exit 'kill $LISTENER'
until [ -s peer.port ]; do
  kill -0 $LISTENER 2>/dev/null || fail "the server does not start" </dev/null
  sleep 0.05
done
PORT=$(cat peer.port)
# nothing_ran: no program of a store was run, and no secret sent.
nothing_ran() {
  [ ! -e "$RAN" ] || fail "a program of the store was run" <"$RAN"
  ! grep -qi 'bearer\|PRIVATE' "$SENT" || fail "a secret was sent" <"$SENT"
}
# stranger <dir>: a store as somebody else would hand it over: the history of `origin` and what the caller adds.
stranger() {
  rm -rf "$1" && mkdir "$1"
  env HOME="$WORK/elsewhere" redo -C "$1" init -q
  cp -r origin/.redo/objects origin/.redo/refs origin/.redo/refs.journal origin/.redo/reflog origin/.redo/received "$1/.redo/"
}
# setting <dir> <section> <line>
setting() { printf '[%s]\n\t%s\n' "$2" "$3" >>"$1/.redo/config"; }
accepted="hint: 'redo config trust-store' accepts it, '--show' lists what then takes effect"

mkdir "$WORK/elsewhere"
redo init -q origin
redo -C origin import -q "$VECTORS/log/linear.ndjson" >/dev/null
printf '5a%.0s' {1..32} >"$HOME/id"
printf 'secret-token' >"$HOME/token"
printf '#!/bin/sh\necho "$0" "$@" >>%s\nhead -c 1 >/dev/null\n' "$RAN" >"$HOME/program"
chmod 755 "$HOME/program"

scene "core.sshCommand of a stranger's store is not run"
stranger given
setting given core "sshCommand = $HOME/program"
setting given 'remote "r"' 'url = ssh://127.0.0.1/nowhere'
mkdir fake && printf '#!/bin/sh\nexit 255\n' >fake/ssh && chmod 755 fake/ssh
run env PATH="$PWD/fake:$PATH" redo -C given fetch --no-retry r
[ "$STATUS" -ne 0 ] || fail "there is no such machine" </dev/null
expect_stderr_has "warning: '$PWD/given/.redo' is not known as your store: its setting core.sshCommand is passed over"
expect_stderr_has "$accepted"
expect_equal "$(grep -c 'passed over' "$ERR")" 1 "warnings"
nothing_ran

scene "nor its tokenCommand; its tokenFile and caFile are not read"
for key in tokenCommand tokenFile; do
  stranger given
  setting given 'remote "r"' "url = http://127.0.0.1:$PORT"
  case $key in
  tokenCommand) setting given 'remote "r"' "tokenCommand = $HOME/program" ;;
  tokenFile) setting given 'remote "r"' "tokenFile = $HOME/id" ;;
  esac
  : >"$SENT"
  run redo -C given fetch --no-retry r
  [ "$STATUS" -ne 0 ] || fail "there is no store at that place" </dev/null
  expect_stderr_has "its setting remote.r.$key is passed over"
  expect_equal "$(grep -c 'passed over' "$ERR")" 1 "warnings"
  grep -q '^POST ' "$SENT" || fail "nothing was asked at all" <"$SENT"
  nothing_ran
done
stranger given
setting given 'remote "r"' "url = http://127.0.0.1:$PORT"
setting given 'remote "r"' "caFile = $HOME/missing"
run redo -C given fetch --no-retry r
expect_stderr_has "its setting remote.r.caFile is passed over"
expect_stderr_lacks "no certificates"

scene "every key that only a store of one's own may say is passed over; with safe.store it is in force"
stranger given
redo config keys | awk -F '\t' '$5 == "own" { print $1 }' | while read -r key; do
  key=${key/<name>/r} key=${key/<rule>/file-mode}
  case $key in
  transfer.*) value=1 ;; core.fsync) value=none ;; core.lockTimeout | core.packCacheLimit) value=0 ;;
  serve.*) value=true ;; verify.skipList) value=/dev/null ;; verify.*) value=ignore ;; *) value=$HOME/program ;;
  esac
  section=${key%%.*} middle=${key#*.}
  [[ $middle != *.* ]] || section="$section \"${middle%.*}\""
  setting given "$section" "${key##*.} = $value"
  echo "$key" | tr '[:upper:]' '[:lower:]'
done | sort >keys
[ "$(wc -l <keys)" -ge 18 ] || fail "only $(wc -l <keys) keys" <keys
run redo -C given config list --show-origin
expect_status 0
sed -n 's/^passed over:[^	]*	\([^=]*\)=.*/\1/p' "$OUT" | sort >passed
compare "what is passed over" keys passed
run redo -C given config --json list
expect_equal "$(grep -c '"inForce":false' "$OUT")" "$(wc -l <keys)" "the settings that are not in force"
while read -r key; do
  run redo -C given config get "$key"
  expect_status 1
  expect_stdout ''
  run redo -C given -c safe.store="$PWD/given" config get "$key"
  expect_status 0
  expect_stderr ''
done <keys
nothing_ran

scene "no hook of a stranger's store is run, and its trust file says nothing"
stranger given
mkdir given/.redo/hooks
for hook in pre-receive post-receive; do cp "$HOME/program" given/.redo/hooks/$hook; done
printf '# nobody\n' >given/.redo/trust
redo -C origin import -q "$VECTORS/log/diverged.ndjson" >/dev/null || fail "nothing new" </dev/null
run redo -C given fetch "$PWD/origin"
expect_status 0
expect_stderr_has "its hooks pre-receive, post-receive and its trust file are passed over"
nothing_ran
run redo -C given trust list
expect_stdout ''
expect_stderr_has "is not known as your store"

scene "nor when somebody pushes to it or fetches from it by its path: the other store is judged, too"
run redo -C origin push "$PWD/given"
expect_status 0
expect_stderr_has "warning: '$PWD/given/.redo' is not known as your store: its hooks pre-receive, post-receive"
expect_stderr_has "hint: 'redo --redo-dir=$PWD/given/.redo config trust-store' accepts it"
nothing_ran
redo init -q taker
run redo -C taker fetch "$PWD/given"
expect_status 0
expect_stderr_has "'$PWD/given/.redo' is not known as your store"
nothing_ran

scene "who serves it lets clients fetch only, because the hook that might refuse them is passed over"
wire turn >turn
run redo serve --stdio given <turn
expect_stderr_has "clients may only fetch from 'given/.redo': its hook pre-receive is passed over"

# The answers of every reader, without caches, to compare with.
answers() {
  local words
  for words in 'state' 'state --hash' 'log --format=%(id)' 'log --oneline' 'query tasks' 'query todos' 'show-ref'; do
    # shellcheck disable=SC2086 # words
    redo -C "$1" $words 2>/dev/null
    echo "status $?"
  done
}

scene "forged caches are neither read nor written: every answer is that of a store without any"
stranger given
answers given >truth
# A forger knows the checksums: the caches of another history under this one's name, made with the forger's own redo.
redo -C origin state >/dev/null
redo -C origin snapshot create -q >/dev/null
forge() {
  python3 - "$1" <<'END'
import hashlib, pathlib, sys
store = pathlib.Path(sys.argv[1]) / ".redo/cache"
count = 0
for path in sorted(p for p in store.rglob("*") if p.is_file() and p.name != "living"):
    data = path.read_bytes()
    line = data[-95:]
    if not line.startswith(b"redo-cache 2 "):
        continue
    size = int(line[13:29], 16)
    payload = bytearray(data[:size])
    changed = payload.replace(b"Buy", b"Sel").replace(b"buy", b"sel").replace(b"title", b"ttile")
    count += changed != payload
    if changed == payload and len(payload) > 100:
        payload[len(payload) // 2] ^= 1
        changed = payload
    hashes = b"".join(hashlib.sha256(changed[i:i + 16384]).digest() for i in range(0, len(changed), 16384))
    start = b"redo-cache 2 %016x " % len(changed)
    path.chmod(0o644)
    path.write_bytes(bytes(changed) + hashes + start + hashlib.sha256(hashes + start).hexdigest().encode() + b"\n")
print(count)
END
}
cp -r origin/.redo/cache given/.redo/
forge given >forged
[ "$(cat forged)" -gt 0 ] || fail "nothing was forged" </dev/null
find given/.redo/cache -type f -exec sha256sum {} + | sort >before
answers given >found
compare answers truth found
run redo -C given show-ref
expect_stderr "warning: '$PWD/given/.redo' is not known as your store: its caches are passed over
$accepted"
find given/.redo/cache -type f -exec sha256sum {} + | sort >after
compare "the caches" before after
run redo -C given snapshot create
expect_status 128
expect_stderr_has "fatal: nothing is kept in the cache of '$PWD/given/.redo'"

scene "--show lists what would take effect, and changes nothing"
mkdir given/.redo/hooks && cp "$HOME/program" given/.redo/hooks/pre-receive
printf '# nobody\n' >given/.redo/trust
setting given user 'name = Mallory M'
line=$(grep -n Mallory given/.redo/config | cut -d: -f1)
before=$(find given/.redo "$HOME" -type f -exec sha256sum {} + | sort)
run redo -C given config trust-store --show
expect_status 0
expect_stderr ''
grep -v '^cache ' "$OUT" >rest
compare rest - rest <<END
setting $line user.name Mallory M
hook - pre-receive
trust - trust
END
expect_stdout_has "cache - graph"
run redo -C given config trust-store --show --json
expect_stdout_has "{\"kind\":\"setting\",\"line\":$line,\"name\":\"user.name\",\"value\":\"Mallory M\"}"
expect_stdout_has '{"kind":"hook","name":"pre-receive"}'
run redo -C given config trust-store --show -z
expect_equal "$(tr '\0' '\n' <"$OUT" | head -1)" "setting $line user.name Mallory M" "the first row"
expect_equal "$(find given/.redo "$HOME" -type f -exec sha256sum {} + | sort)" "$before" "everything"

scene "what is accepted is in force; caches that were there before are gone, and new ones are kept"
run redo -C given config trust-store
expect_status 0
expect_stdout ''
expect_stderr ''
expect_equal "$(find given/.redo/cache -type f | wc -l)" 0 "files in the cache"
run redo -C given config user.name
expect_stdout 'Mallory M'
rm -r given/.redo/hooks given/.redo/trust
answers given >found
compare answers truth found
[ -e given/.redo/cache/graph ] || fail "no cache was kept" </dev/null
run redo -C given show-ref
expect_stderr ''

scene "it holds for this store alone: moved, copied, unpacked or replaced, it is a stranger's again"
judged() {
  run redo -C "$1" log --format="%(id)"
  expect_status 0
  if [ "$2" = stranger ]; then expect_stderr_has "is not known as your store"; else expect_stderr ''; fi
}
cp -a given copied
judged copied stranger
tar -cf given.tar given && mkdir unpacked && tar -xf given.tar -C unpacked
judged unpacked/given stranger
mv given moved
judged moved stranger
# The same id, the same path, the same settings.
tar -xf given.tar
judged given stranger
rm -rf given && mv moved given
judged given own
mv given/.redo kept && cp -a kept given/.redo
judged given stranger
rm -rf given/.redo && mv kept given/.redo
judged given own

scene "a setting that something else than redo has changed is not in force until it is accepted again"
setting given core "sshCommand = $HOME/program"
run redo -C given show-ref
expect_status 0
expect_stderr "warning: something other than 'redo config' has changed settings of '$PWD/given/.redo': its settings user.name, core.sshCommand are passed over
$accepted"
run redo -C given config user.email a@example.org
expect_stderr_has "'user.email' has no effect before the store is accepted as yours"
run redo -C given config user.email
expect_status 1
run redo -C given config trust-store
expect_status 0
run redo -C given config user.email
expect_stdout a@example.org
run redo -C given config user.name Ada
expect_stderr ''
run redo -C given config user.name
expect_stdout Ada
expect_stderr ''
redo -C given config unset core.sshCommand
redo -C given remote add r "http://127.0.0.1:$PORT"
judged given own

scene "a token goes only to the address for which it was set"
redo config --user remote.r.tokenFile "$HOME/token"
: >"$SENT"
run redo -C given fetch --no-retry r
grep -q 'Bearer secret-token' "$SENT" || fail "the token of the user was not used" <"$SENT"
: >"$SENT"
sed -i "s|url = .*|url = http://localhost:$PORT|" given/.redo/config
run redo -C given fetch --no-retry r
expect_status 77
expect_stderr_has "'remote.r.tokenfile' (line 2 of '$HOME/.config/redo/config') is not used for 'http://localhost:$PORT' (line "
nothing_ran
stranger other
setting other 'remote "r"' "url = http://127.0.0.1:$PORT"
run redo -C other fetch r
expect_status 77
expect_stderr_has "a token is for the address for which it was set"
nothing_ran
run redo -C other -c remote.r.url="http://127.0.0.1:$PORT" fetch r
grep -q 'Bearer secret-token' "$SENT" || fail "the user's own word counts" <"$SENT"
redo config --user unset remote.r.tokenFile

scene "to be forgotten, and to be accepted with no place to remember it"
run redo -C given config trust-store --forget
expect_status 0
judged given stranger
run redo -C given config trust-store --forget
expect_status 1
run env -u HOME redo -C given config trust-store
expect_error 128 "there is no place to remember the store"
run env -u HOME redo -C given -c safe.store="$PWD/given" show-ref
expect_stderr ''
run redo -C given -c safe.store='*' config trust-store --forget
expect_error 1 "is listed in 'safe.store'"
run env XDG_STATE_HOME="$WORK/xdg" redo -C given config trust-store
expect_status 0
judged given stranger
run env XDG_STATE_HOME="$WORK/xdg" redo -C given show-ref
expect_stderr ''

scene "redo init accepts nothing that is there already, and says what it passes over"
stranger given
mkdir given/.redo/hooks && cp "$HOME/program" given/.redo/hooks/pre-receive
run redo init given
expect_status 0
expect_stderr_has "is not known as your store: its hook pre-receive is passed over"
judged given stranger
mkdir -p half/.redo/hooks && cp "$HOME/program" half/.redo/hooks/pre-receive
redo init -q half 2>/dev/null
judged half stranger
printf 'x' >"$WORK/file"
run env XDG_STATE_HOME="$WORK/file" redo init -q unremembered
expect_status 0
expect_stderr_has "warning: the new store cannot be remembered as yours: "

scene "two users of one store in turn, who have both accepted it, keep its caches"
if can_be_nobody; then
  redo init -q shared
  redo -C shared import -q "$VECTORS/log/linear.ndjson" >/dev/null
  mkdir "$WORK/his" && chown $NOBODY "$WORK/his" && chmod -R a+rwX shared && chmod a+rx .
  his() { as_nobody env HOME="$WORK/his" redo -C "$PWD/shared" -c safe.directory='*' "$@"; }
  redo -C shared log --format="%(id)" >/dev/null
  run his log --format="%(id)"
  expect_stderr_has "its caches are passed over"
  run his config trust-store
  expect_status 0
  for _ in 1 2; do
    redo -C shared log --format="%(id)" >mine
    chmod -R a+rwX shared
    stamp=$(stat -c %i-%y shared/.redo/cache/graph)
    run his log --format="%(id)"
    expect_stderr ''
    expect_stdout_file mine
    expect_equal "$(stat -c %i-%y shared/.redo/cache/graph)" "$stamp" "the cache"
  done
else
  skip "only root can become another user"
fi

scene "mistakes in the command line"
for words in 'trust-store x' 'trust-store --show --forget' 'trust-store -z' 'trust-store --json' 'trust-store --user' \
  'list --show' 'trust-store --show -z --json'; do
  # shellcheck disable=SC2086 # words
  run redo config $words
  expect_status 129
  expect_stdout ''
done
