#!/bin/bash
# A store, a wire and files that release 0.1 and this one share: each reads what the other writes, or refuses it by name, as
# redo-formats(7) says. REDO_OLD is the executable of release 0.1; what talks HTTP is looked for beside it.
OLD_BIN=${REDO_OLD:-}
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

if [ ! -x "$OLD_BIN" ]; then
  scene "an older release and this one"
  skip "REDO_OLD names no redo of release 0.1"
  exit 0
fi
OLD_BIN=$(realpath "$OLD_BIN")
if "$OLD_BIN" --list-commands | grep -qx receipt; then
  scene "an older release and this one"
  skip "REDO_OLD names a redo that knows receipts: it is none of release 0.1"
  exit 0
fi
mkdir "$WORK/old"
ln -s "$OLD_BIN" "$WORK/old/redo"
OLD_NET=$(dirname "$OLD_BIN")/redo-net
[ ! -x "$OLD_NET" ] || for name in remote-http remote-https serve-http; do ln -s "$OLD_NET" "$WORK/old/redo-$name"; done
old() { PATH=$WORK/old:/usr/bin:/bin "$OLD_BIN" "$@"; }
new() { redo "$@"; }

# What a store is, whoever looks.
ids() { "$1" -C "$2" log --format='%(id)' | sort; }
facts() {
  ids "$1" "$2" && "$1" -C "$2" state --json && "$1" -C "$2" show-ref || return
  # Who is trusted is no question here.
  "$1" -C "$2" verify --all
  [ $? -le 1 ]
}
# sound <who> <store>: it finds no error, and no node that is bad.
sound() {
  run "$1" -C "$2" verify
  ! grep -q '^error' "$OUT" || fail "$1 finds damage" < <(everything_printed)
  run "$1" -C "$2" verify --all
  expect_status 0
  ! grep -qv '^[GN] ' "$OUT" || fail "$1 finds a bad node" <"$OUT"
}
# same <store>: both say the same of it.
same() {
  local who
  for who in old new; do facts $who "$1" >facts.$who 2>"$ERR" || fail "$who cannot read it" <"$ERR"; done
  cmp -s facts.old facts.new || fail "they differ" < <(diff facts.old facts.new | head -20)
}
# kept <store>: nothing of the ids in 'before' is missing.
kept() {
  ids new "$1" >now
  [ -z "$(comm -23 before now)" ] || fail "something is lost" < <(comm -23 before now)
}
demo 200 >all.ndjson
# made <who> <store>: of nodes that came, were packed, and were made there.
made() {
  "$1" init -q "$2" && "$1" -C "$2" key generate >/dev/null 2>&1 && "$1" -C "$2" key device-id >/dev/null &&
    "$1" -C "$2" import -q "$PWD/all.ndjson" >/dev/null && "$1" -C "$2" repack -q || fail "$1 makes no store" </dev/null
  for number in 1 2 3; do "$1" -C "$2" commit create -q --title="$1 $number" >/dev/null; done
}
made old by-old
made new by-new
other() { if [ "$1" = old ]; then echo new; else echo old; fi; }

scene "a store that one writes is read, verified, changed, tidied and repaired by the other, and goes back"
for first in old new; do
  second=$(other $first)
  rm -rf store
  cp -r by-$first store
  same store
  ids $first store >before
  for who in $second $first; do
    sound $who store
    $who -C store snapshot create >"$OUT" 2>"$ERR" || fail "no snapshot by $who" <"$ERR"
    for command in 'commit create -q --title=more' 'repack -q' 'commit create -q --title=undone' 'reflog undo' 'gc -q' \
      'commit create -q --title=loose'; do
      run $who -C store $command
      expect_status 0
    done
    same store
  done
  kept store
  rm -rf whole && cp -r store whole
  loose=$(find store/.redo/objects -type f -path '*/objects/??/*' | head -n 1)
  chmod u+w "$loose" && alter "$loose" 9
  run $second -C store verify
  expect_status 1
  run $second -C store verify --repair-from="$PWD/whole"
  sound $second store && sound $first store
  rm -f store/.redo/refs
  run $second -C store verify --repair-refs
  expect_status 0
  same store
  kept store
done

scene "both write one store in turn, 50 times, and then at once"
cp -r by-new turns
ids new turns >before
for number in $(seq 25); do
  for who in old new; do
    run $who -C turns commit create -q --title="turn $number"
    expect_status 0
  done
done
for who in old new; do
  (for number in $(seq 20); do
    "$who" -C turns commit create -q --title="at once $number" || echo "$who $number: $?"
  done) >"$who.printed" 2>"$who.errors" &
done
wait
for who in old new; do
  [ ! -s $who.errors ] || fail "$who fails beside the other" <$who.errors
  expect_equal "$(grep -c '^sha256:' $who.printed)" 20 "commits of $who"
done
same turns
kept turns
expect_equal "$(wc -l <now)" $(($(wc -l <before) + 90)) "nodes"
cat old.printed new.printed | sort | comm -23 - now >lost
[ ! -s lost ] || fail "what was acknowledged is not there" <lost
sound old turns && sound new turns
expect_equal "$(old -C turns reflog | wc -l)" "$(new -C turns reflog | wc -l)" "entries of the reflog"

scene "checkpoints of 0.1 are continued here; it names those of this release as damaged, and does not continue them"
rm -rf store && cp -r by-old store
for who in old new new; do
  $who -C store checkpoint create >"$OUT" 2>"$ERR" || fail "no checkpoint by $who" <"$ERR"
  $who -C store commit create -q --title="after it" >/dev/null
done
run new -C store checkpoint verify
expect_status 0
expect_stdout_lines 3
before=$(fingerprint store)
run old -C store checkpoint create
expect_error 1 "line 8: a line more than a checkpoint has"
run old -C store checkpoint list
expect_status 1
expect_untouched "$before" store
run old -C store verify
expect_status 1
expect_stdout_has "a line more than a checkpoint has"
same store
run old -C store commit create -q --title="all the same"
expect_status 0

scene "archives, bundles, exports and packs of nodes are the same for both; what has receipts or schemas is refused by its version"
cp -r by-new rich
new -C rich receipt create >/dev/null <<<'{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
new -C rich schema new -q --name=V vaccine >/dev/null
for first in old new; do
  second=$(other $first)
  from=by-old
  [ $first = old ] || from=rich
  rm -f a.* && $first -C $from archive create -q --manifest -o "$PWD/a.redoarchive" >/dev/null
  $first -C $from archive bundle -q -f -o "$PWD/a.bundle" $($first -C $from log -n 3 --format='%(id)') >/dev/null
  $first -C $from export -q -f -o "$PWD/a.ndjson" >/dev/null 2>"$ERR" || fail "no export by $first" <"$ERR"
  for file in a.redoarchive a.ndjson; do
    rm -rf taken && $second init -q taken
    run $second -C taken import -q "$PWD/$file"
    expect_status 0
    [ "$(ids $second taken)" = "$(ids new $from)" ] || fail "$second takes something else from $file" </dev/null
  done
  rm -rf taken && $second init -q taken
  run $second -C taken fetch -q "$PWD/a.bundle"
  expect_status 0
  run $second archive verify "$PWD/a.redoarchive"
  if [ $first = old ]; then
    expect_status 0
  else
    expect_status 1
    expect_stdout_has "manifest-differs"
    rm a.redoarchive.manifest*
    run $second archive verify "$PWD/a.redoarchive"
    expect_status 0
  fi
done
for kind in receipt schema; do
  new -C rich archive create -q --kind=$kind -o "$PWD/$kind.redoarchive" >/dev/null
  run old archive verify "$PWD/$kind.redoarchive"
  expect_status 1
  expect_stderr_has "is an archive of version 2"
  rm -rf taken && old init -q taken
  before=$(fingerprint taken)
  run old -C taken import -q "$PWD/$kind.redoarchive"
  expect_error 128 "is an archive of version 2"
  expect_untouched "$before" taken
done

scene "what 0.1 has encrypted is refused by name, and it extracts it; keys are the same for both"
echo "a few words together" >words && chmod 600 words
old -C by-old archive create -q --passphrase-file="$PWD/words" -o "$PWD/closed.redoarchive" >/dev/null
run new archive verify --passphrase-file="$PWD/words" "$PWD/closed.redoarchive"
expect_error 1 "is encrypted in the form of redo 0.1"
run new -C by-new import -q --passphrase-file="$PWD/words" "$PWD/closed.redoarchive"
expect_error 128 "is encrypted in the form of redo 0.1"
old archive extract --passphrase-file="$PWD/words" "$PWD/closed.redoarchive" >extracted
new init -q taken-in
run new -C taken-in import -q "$PWD/extracted"
expect_status 0
[ "$(ids new taken-in)" = "$(ids old by-old)" ] || fail "it is something else" </dev/null
new -C by-new archive create -q --passphrase-file="$PWD/words" -o "$PWD/sealed.redoarchive" >/dev/null
run old archive verify --passphrase-file="$PWD/words" "$PWD/sealed.redoarchive"
[ "$STATUS" = 1 ] && [ -s "$ERR" ] || fail "0.1 reads an age file" < <(everything_printed)
for first in old new; do
  second=$(other $first)
  rm -rf locked && $first init -q locked
  $first -C locked key generate --passphrase --passphrase-fd=3 3<words >/dev/null 2>&1
  for who in $second $first; do
    run $who -C locked commit create -q --title=signed --passphrase-fd=3 3<words
    expect_status 0
    sound $who locked
    $who -C locked key rotate --passphrase-fd=3 3<words >/dev/null 2>&1 || fail "$who cannot rotate it" </dev/null
  done
  $first -C locked key put token "$PWD/words"
  expect_equal "$($second -C locked key get token)" "$(cat words)" "a slot"
done

scene "a trust file and settings of this release: 0.1 refuses a line with 'device=', and passes over what it does not know"
rm -rf store && cp -r by-new store
new -C store trust add "$(new -C store key show --public)" >/dev/null 2>&1
run old -C store trust list
expect_status 0
new -C store config set serve.quota.bytes 1m
new -C store config set remote.x.kinds node
same store
echo "$(new -C store key show --public) device=did:key:a/b" >>store/.redo/trust
run old -C store verify --all
expect_error 128 "unknown option 'device="
run old -C store verify
expect_status 1
expect_stdout_has "error trust-form"

scene "a store with receipts or schemas is refused for reading and writing, and stays as it is"
cp -r by-new receipts && new -C receipts receipt create >/dev/null <<<'{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
cp -r by-new schemas && new -C schemas schema new -q --name=V vaccine >/dev/null
cp -r by-new devices && new -C devices device name -q "$(new -C devices key device-id)" phone >/dev/null
for store in receipts schemas devices; do
  before=$(fingerprint $store)
  for command in log verify 'verify --all' state 'commit create --title=x' repack gc 'checkpoint create' 'archive create -o x' \
    "fetch $PWD/by-old" "push $PWD/by-old"; do
    run old -C $store $command
    expect_error 128 "names the store format '2', this program knows 1"
  done
  run old -C by-old fetch "$PWD/$store"
  expect_error 128 "names the store format '2', this program knows 1"
  expect_untouched "$before" $store
  # The way back.
  new -C $store archive create -q -f -o "$PWD/back.redoarchive" >/dev/null 2>&1
  rm -rf back && old init -q back && old -C back import -q "$PWD/back.redoarchive" >/dev/null
  [ "$(ids old back)" = "$(ids new $store)" ] || fail "the way back loses something" </dev/null
done

scene "schemas that somebody pushes into a store of 0.1 by its path make it one of this release"
cp -r by-old theirs
run new -C receipts push "$PWD/theirs"
expect_status 0
expect_stderr_has "chains of receipts stay here"
same theirs
run new -C schemas push "$PWD/theirs"
expect_status 0
run old -C theirs log
expect_error 128 "names the store format '2', this program knows 1"
expect_equal "$(ids new theirs)" "$(ids new by-old | sort - <(ids new schemas) | sort -u)" "the nodes"

scene "an index in SQL takes in what 0.1 has added; 0.1 passes it over"
if [ ! -x "$(dirname "$REDO_BIN")/redo-index-sqlite" ]; then
  skip "there is no redo-index-sqlite beside redo"
else
  rm -rf store && cp -r by-new store
  new -C store index update
  for number in 1 2 3; do
    old -C store commit create -q --title="unseen $number" >/dev/null
    old -C store gc -q >"$OUT" 2>&1
    run new -C store search --tasks "unseen"
    expect_status 0
    expect_stdout_lines $number
  done
  run new -C store index check
  expect_status 0
  sound old store
fi

# Another machine with one of both: a program that is called as ssh is, and runs what it is told with another PATH.
for who in old new; do
  path=$WORK/$who:/usr/bin:/bin
  [ $who = old ] || path=$PATH
  printf '#!/bin/bash\nwhile [ "$1" != host ]; do shift; done\nshift\nPATH=%q exec bash -c "$*"\n' "$path" >ssh-$who
  chmod +x ssh-$who
done
# at <client> <store> <server> <URL>: the remote 'it' of a store.
at() {
  "$1" -C "$2" config set core.sshCommand "$PWD/ssh-$3"
  "$1" -C "$2" remote add it "$4"
}
# alike <client> <its store> <server> <its store>: after the exchanges both have all nodes.
alike() { [ "$(ids "$1" "$2")" = "$(ids "$3" "$4")" ] || fail "they have different nodes" < <(everything_printed); }
# exchanges <client> <server> <its store> <what the client has>: fetch, push and sync of the store 'client' with the remote 'it'.
exchanges() {
  local client=$1 server=$2 there=$3 word
  for word in fetch push sync; do
    $client -C client commit create -q --title="here, before $word" >/dev/null
    $server -C "$there" commit create -q --title="there, before $word" >/dev/null
    run $client -C client $word it
    expect_status 0
    if [ $word != fetch ] && [ $client = new ] && [ "$4" != nodes ]; then
      grep -q 'stay' "$ERR" || fail "nobody says that something stays here" < <(everything_printed)
    fi
  done
  alike $client client $server "$there"
  run $client -C client remote check it
  expect_status 0
  run $client -C client ls-remote it
  expect_status 0
  sound $client client && sound $server "$there"
}
cp -r by-new checked
for number in 1 2; do
  new -C checked checkpoint create >/dev/null
  new -C checked commit create -q --title="checked $number" >/dev/null
done

scene "path and --stdio: a client of 0.1 and this server have the same nodes afterwards, whatever else there is"
for store in by-new receipts schemas checked; do
  for transport in path ssh; do
    [ $transport = ssh ] || [ $store = by-new ] || [ $store = checked ] || continue
    rm -rf server client
    cp -r $store server && cp -r by-old client
    url=$PWD/server
    [ $transport = path ] || url=ssh://host$PWD/server
    at old client new "$url"
    exchanges old new server nodes
  done
done

scene "a client of this release and a server of 0.1: nodes go, receipts and schemas stay, which is said"
for store in by-new receipts schemas checked; do
  rm -rf server client
  cp -r $store client && cp -r by-old server
  old -C server checkpoint create >/dev/null
  at new client old "ssh://host$PWD/server"
  what=nodes
  [ $store = by-new ] || [ $store = checked ] || what=$store
  exchanges new old server $what
done

scene "a client of 0.1 that knows a checkpoint of the server goes on with it when the server is this release"
rm -rf server client
cp -r by-old server && old init -q client && old -C client key generate >/dev/null 2>&1
old -C server checkpoint create >/dev/null
at old client old "ssh://host$PWD/server"
run old -C client fetch it
expect_status 0
old -C client config set core.sshCommand "$PWD/ssh-new"
for number in 1 2 3; do
  new -C server commit create -q --title="later $number" >/dev/null
  new -C server checkpoint create >/dev/null
  run old -C client fetch it
  expect_status 0
  alike old client new server
done
# What it guards against is still found.
old -C client config set core.sshCommand "$PWD/ssh-new"
mv server gone && cp -r by-old server
run old -C client fetch it
expect_status 76

if [ ! -x "$OLD_NET" ]; then
  scene "both over HTTP, and as a Firestore"
  skip "there is no redo-net beside REDO_OLD"
  exit 0
fi
. "$TESTS/Scripts/http.bash"
facts_of_documents() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
TOKEN=a-token-of-somebody
echo $TOKEN >token && chmod 600 token
# account <right>: the one that there is.
account() { echo "ada $(printf %s $TOKEN | sha256sum | cut -d ' ' -f 1) $1 $PWD/server" >accounts && chmod 600 accounts; }
# serving <who> <option>...: false if that one does not start.
serving() {
  if [ "$1" = new ]; then
    serve "${@:2}"
    return
  fi
  stop_server
  : >server.log
  PATH=$WORK/old:/usr/bin:/bin "$OLD_BIN" serve --http=127.0.0.1:0 "${@:2}" >server.out 2>server.log &
  SERVER_PID=$!
  until PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log) && [ -n "$PORT" ]; do
    kill -0 $SERVER_PID 2>/dev/null || { wait $SERVER_PID; STATUS=$? SERVER_PID='' && return 1; }
    sleep 0.05
  done
}
# over <client>: the remote 'it' of the store 'client' is the server that runs.
over() {
  "$1" -C client remote add it "http://127.0.0.1:$PORT"
  "$1" -C client remote set it tokenFile "$PWD/token"
}

scene "HTTP: nodes go between 0.1 and this release both ways"
for client in old new; do
  server=$(other $client)
  right=write
  [ $server = old ] || right=replica:write
  for store in by-new receipts schemas checked; do
    rm -rf server client
    if [ $server = new ]; then cp -r $store server && cp -r by-old client; else cp -r $store client && cp -r by-old server; fi
    account $right
    serving $server --accounts=accounts || fail "no server" <server.log
    over $client
    what=nodes
    [ $client = old ] || [ $store = by-new ] || [ $store = checked ] || what=$store
    exchanges $client $server server $what
  done
done

scene "accounts: 0.1 refuses the rights of this release and ends of tokens; 'write' is for documents here"
for right in replica:write documents:write 'write;expires=2030-01-01T00:00:00.000Z'; do
  account "$right"
  ! serving old --accounts=accounts || fail "0.1 knows '$right'" <server.log
  expect_equal "$STATUS" 128 "the status"
  grep -q "^fatal: accounts:1: the right is 'read', 'write' or 'admin'" server.log || fail "0.1 does not say why" <server.log
done
rm -rf server client && cp -r by-new server && old init -q client
account write
serving new --accounts=accounts
over old
run old -C client fetch it
expect_status 0
expect_equal "$(ids old client)" '' "what an account sees of nodes without lists"

scene "what waits for its parents is read by the other, and gone when they are there"
cp -r by-new late && new -C late commit -q create --title=first >/dev/null
task=$(new -C late log -n 1 --format='%(task)')
for number in 1 2 3; do new -C late commit -q update -t "$task" --title="number $number" >/dev/null; done
chain=($(new -C late log --reverse --task="$task" --format='%(id)'))
new -C late archive create -q -o "$PWD/late.pack" "${chain[1]}..${chain[3]}" >/dev/null
new -C late export -q >late.ndjson 2>"$ERR"
for first in old new; do
  second=$(other $first)
  rm -rf server && $first init -q server
  account write
  [ $first = old ] || account replica:write
  serving $first --accounts=accounts || fail "no server" <server.log
  wire send "$PORT" $TOKEN came late.pack
  stop_server
  $second -C server quarantine list | cut -d ' ' -f 1 | sort >waiting
  cmp -s waiting <(printf '%s\n' "${chain[2]}" "${chain[3]}" | sort) || fail "$second sees something else" <waiting
  sound $second server
  run $second -C server import -q "$PWD/late.ndjson"
  expect_status 0
  run $second -C server quarantine promote
  expect_status 0
  expect_equal "$($first -C server quarantine list)" '' "what waits"
  sound $first server
  [ "$(ids $first server)" = "$(ids new late)" ] || fail "something is lost" </dev/null
done

scene "documents that 0.1 has kept are served here, and 0.1 refuses to serve them afterwards; its replicas need no lists"
rm -rf server client && old init -q server
head -n 30 all.ndjson >some.ndjson
serving old --firestore=demo --emulator server
facts_of_documents push "$PORT" u1 some.ndjson 10 u1 >answered
facts_of_documents call "$PORT" u1 PATCH /users/u1 '{"fields":{"a":{"integerValue":"7"}}}' >"$OUT"
facts_of_documents fetch "$PORT" u1 | sort >before
expect_equal "$(wc -l <before)" 30 documents
stop_server
head -n 1 server/.redo/firestore/documents | cmp -s - <(echo redo-firestore 1) || fail "another form" </dev/null
serving new --firestore=demo --emulator server
facts_of_documents fetch "$PORT" u1 | sort | cmp - before || fail "other documents" </dev/null
facts_of_documents call "$PORT" u1 GET /users/u1 >"$OUT"
expect_stdout_has '"integerValue": "7"'
stop_server
sound new server && sound old server
sha256sum server/.redo/firestore/documents >digest
! serving old --firestore=demo --emulator server || fail "0.1 serves them" <server.log
expect_equal "$STATUS" 128 "the status"
grep -q "^fatal: .*the first line is not that of the format" server.log || fail "0.1 does not say why" <server.log
sha256sum --quiet -c digest || fail "0.1 has changed them" </dev/null
account replica:read
serving new --accounts=accounts
old init -q client
over old
run old -C client fetch it
expect_error 77 "nodes of this store have access lists, and go only to a client that keeps them"
stop_server
