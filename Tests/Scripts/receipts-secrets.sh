#!/bin/bash
# What is secret does not leave: secrets are planted in a store, everything that leaves it in any way is searched for them, and a
# table says what was found where. In each exit something public must be found by the same search, or the search shows nothing.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

need_python "secrets in what leaves a store" dag_cbor nacl cryptography multiformats
peer() { "$PYTHON" "$TESTS/Oracle/share_peer.py" "$@"; }
leaks() { "$PYTHON" "$TESTS/Oracle/leaks.py" "$@"; }
cid_of() { sed 's/.*"cid": *"\([^"]*\)".*/\1/'; }
did() { printf 'did:phone:%064d' "$1"; }
session() { echo "{\"product_name\":\"$1\",\"product_type\":\"flower\",\"rating\":4,\"effects\":[]}"; }

scene "a store with secrets: precise places, notes, people, keys, what others have shared"
redo init -q home && redo -C home key generate >/dev/null
FIRST=$(session PublicMarkerReceipt | redo -C home receipt create --at=2025-03-01T08:00:00Z)
EDIT=$(session PublicMarkerReceipt2 | redo -C home receipt edit "$FIRST")
PRECISE=$(redo -C home receipt create -q --type=app.buds.location/v1 --include-precise --at=2025-03-02T08:00:00Z <<'END'
{"location_type":"precise","latitude":61.23456789,"longitude":24.87654321,"altitude":1234.56789,"accuracy":37.654321,"place_name":"PublicPlace"}
END
)
FOLLOWS=$(redo -C home receipt edit -q "$PRECISE" <<<'{"location_type":"named","place_name":"SecretFollower"}')
printf 'the bytes of SecretPicture' >picture.jpg
redo -C home receipt mark --note=SecretNote --tag=SecretTag --image="$PWD/picture.jpg" "$FIRST"
redo -C home receipt place --at=58.13579246,-19.24681357 --accuracy=41.357913 --name=SecretPlace "$FIRST" >/dev/null
peer card B1 "$(did 1)" B1 >card.B1
redo -C home hash-object -t receipt -w --update-heads --ndjson <card.B1 >/dev/null
redo -C home device add --name=SecretDevice "$(cid_of <card.B1)"
redo -C home circle add --name=SecretName --phone=+491555123987 "$(did 1)"
CODE=$(redo -C home circle invite --message=SecretInvitation)
CARD=$(cat home/.redo/keys/device_card)
redo -C home cat-node "$CARD" >card
KEY=$(redo -C home key device-id):$(redo -C home receipt show --json "$CARD" | sed 's/.*"pubkey_x25519":"\([^"]*\)".*/\1/')
peer make B1 "$(did 1)" B1 "$KEY" --text=SecretShared | redo -C home share open -q >received
redo -C home share create --to="$(did 1)" "$FIRST" >/dev/null
redo -C home commit -q create --title=PublicMarkerTask >/dev/null
TASK=$(redo -C home state --json | sed 's/.*"guid":"\([^"]*\)".*/\1/')
redo -C home commit -q update --task="$TASK" --description=PublicMarkerText >/dev/null
redo age --generate -o age.key 2>recipient
RECIPIENT=$(sed 's/.*: //' recipient)
SALT=$(redo -C home local list --json --table=locations | sed 's/.*"salt":"\([^"]*\)".*/\1/' | base64 -d | od -An -tx1 | tr -d ' \n')
cat >secrets <<END
{"name":"latitude","number":61.23456789}
{"name":"longitude","number":24.87654321}
{"name":"altitude","number":1234.56789}
{"name":"accuracy","number":37.654321}
{"name":"follower","text":"SecretFollower"}
{"name":"noted-latitude","number":58.13579246}
{"name":"noted-longitude","number":-19.24681357}
{"name":"noted-accuracy","number":41.357913}
{"name":"salt","hex":"$SALT"}
{"name":"place","text":"SecretPlace"}
{"name":"note","text":"SecretNote"}
{"name":"tag","text":"SecretTag"}
{"name":"phone","text":"+491555123987"}
{"name":"person","text":"SecretName"}
{"name":"device","text":"SecretDevice"}
{"name":"code","text":"$CODE"}
{"name":"invitation","text":"SecretInvitation"}
{"name":"received","text":"SecretShared"}
{"name":"picture","text":"SecretPicture"}
{"name":"signing-key","hex":"$(tr -d '\n' <home/.redo/keys/ed25519_private_key)"}
{"name":"sharing-key","hex":"$(tr -d '\n' <home/.redo/keys/x25519_private_key)"}
END
SIGNED='latitude longitude altitude accuracy follower'
NOTED='noted-latitude noted-longitude noted-accuracy salt place note tag phone person device code invitation'
KEYS='signing-key sharing-key'
for file in home/.redo; do
  leaks find secrets $file | cut -f1 >found
  diff <(sed 's/.*"name":"\([^"]*\)".*/\1/' secrets | sort) found >difference || fail "not every secret is there to be found" <difference
done

scene "the search finds a secret however it is packed, and nothing where there is none"
mkdir packed plain
"$PYTHON" - packed <<'END'
import base64, gzip, json, os, struct, sys, zlib
note, latitude = b"before SecretNote behind", 61.23456789
noise = bytes(os.urandom(200))
def raw(data):
    worker = zlib.compressobj(9, zlib.DEFLATED, -15)
    return worker.compress(data) + worker.flush()
odd = base64.b64encode(b"x" + note + b"\xff\xfb\xef" * 9).decode()
files = {
    "note.zlib": noise + zlib.compress(note * 9) + noise,
    "note.gzip": noise + gzip.compress(note) + noise,
    "note.raw": noise + raw(note * 9) + noise,
    "note.cut": noise + zlib.compress(note + os.urandom(4000))[:2000],
    "note.twice": zlib.compress(base64.b64encode(gzip.compress(note))),
    "note.url": base64.urlsafe_b64encode(b"\xff\xfb" + note),
    "note.json": b'{"a":"' + odd.replace("/", "\\/").encode() + b'"}',
    "note.escaped": ('{"a":"' + "".join(f"\\u{ord(letter):04x}" for letter in "SecretNote") + '"}').encode(),
    "note.hex": note.hex().encode(),
    "note.wide": "SecretNote".encode("utf-16-le"),
    "note.name.SecretNote": b"x",
    "latitude.big": noise + struct.pack(">d", latitude),
    "latitude.little": zlib.compress(struct.pack("<d", latitude) * 3),
    "latitude.short": b"\xfa" + struct.pack(">f", latitude),
    "latitude.text": b'{"x":61.2345}',
    "latitude.rounded": b"61.23457",
    "latitude.scaled": b"61234568",
    "latitude.integer": b"\x1a" + struct.pack(">I", 61234568),
    "phone.hash": b"phone " + __import__("hashlib").sha256(b"+491555123987").hexdigest().encode(),
    "phone.percent": b"tel=%2B491555123987",
}
for name, data in files.items():
    open(os.path.join(sys.argv[1], name), "wb").write(data)
END
redo age -r "$RECIPIENT" -o packed/note.age <<<"SecretNote"
redo age -a -r "$RECIPIENT" -o packed/note.armor <<<"SecretNote"
for file in packed/*; do
  leaks find secrets --identity="$PWD/age.key" "$file" | cut -f1 >found
  expect_equal "$(cat found)" "$(basename "${file%%.*}")" "what is found in '$file'"
done
head -c 200000 /dev/urandom >plain/noise
gzip -c "$TESTS/Scripts/lib.sh" >plain/lib.gz
redo init -q plain/store && redo -C plain/store key generate >/dev/null
session x | redo -C plain/store receipt create >/dev/null
expect_equal "$(leaks find secrets plain)" '' "what is found where there is nothing"

# leaves <exit> <what must be found> <what may be> <a public text> <path>...: searches what has left. Everything that is neither
# must nor may is a leak.
#
# Options behind the paths go to the search.
EXITS=0 LEAKS=0
: >table
leaves() {
  local name=$1 must=$2 may=$3 public=$4 found secret row=''
  shift 4
  EXITS=$((EXITS + 1))
  { cat secrets; [ -z "$public" ] || echo "{\"name\":\"public\",\"text\":\"$public\"}"; } >wanted
  leaks find wanted "$@" >found.where || fail "$name: the search fails" <found.where
  found=" $(cut -f1 found.where | tr '\n' ' ')"
  [ -z "$public" ] || [[ $found == *" public "* ]] || fail "$name: not even '$public' is found" < <(ls -l "$@" 2>&1 | head -n 20)
  for secret in $must; do [[ $found == *" $secret "* ]] || fail "$name: '$secret' is not found, although it must be there" <found.where; done
  for secret in $(sed 's/.*"name":"\([^"]*\)".*/\1/' secrets); do
    if [[ $found == *" $secret "* ]]; then
      if [[ " $must $may " == *" $secret "* ]]; then row+=' +'; else
        row+=' !' LEAKS=$((LEAKS + 1))
        grep "^$secret	" found.where | sed "s/^/# leak in '$name': /"
      fi
    elif [[ " $must $may " == *" $secret "* ]]; then row+=' -'; else row+=' .'; fi
  done
  printf '%s\t%s\t%s\n' "$row" "${public:--}" "$name" >>table
}
# quietly <command>...: what it says is kept, and searched in the end.
mkdir said
say() { "$@" 2>>"said/$EXITS"; }
quietly() { say "$@" >/dev/null; }

scene "exports of tasks"
for format in json ndjson car dir; do
  quietly redo -C home export --format=$format -o "$PWD/nodes.$format"
  leaves "export --format=$format" '' '' PublicMarkerTask nodes.$format
done
quietly redo -C home export --format=ndjson --gzip -o "$PWD/nodes.gz"
leaves "export --gzip" '' '' PublicMarkerTask nodes.gz

scene "exports of receipts, and only on request what is precise and what others have shared"
for format in ndjson car; do
  for gzip in '' --gzip; do
    name="export --kind=receipt --format=$format $gzip"
    for options in '' --include-precise --include-received '--include-precise --include-received'; do
      must=''
      [[ $options != *precise* ]] || must+=" $SIGNED"
      [[ $options != *received* ]] || must+=' received'
      # shellcheck disable=SC2086 # words
      quietly redo -C home export --kind=receipt --format=$format $gzip $options -f -o "$PWD/receipts.out"
      leaves "$name $options" "$must" '' PublicMarkerReceipt receipts.out
    done
  done
done

scene "archives: whole, in parts, increments, bundles, encrypted ones, with their manifests"
quietly redo -C home archive create --manifest -o "$PWD/nodes.pack"
leaves "archive create --manifest" '' '' PublicMarkerTask nodes.pack*
quietly redo -C home archive bundle -o "$PWD/bundle.pack" "$(redo -C home log -n 1 --format='%(id)')"
leaves "archive bundle" '' '' PublicMarkerT bundle.pack
quietly redo -C home archive create --split=year -o "$PWD/nodes-part.pack"
leaves "archive create --split" '' '' PublicMarkerTask nodes-part*
for options in '' --include-precise --include-received '--include-precise --include-received'; do
  must=''
  [[ $options != *precise* ]] || must+=" $SIGNED"
  [[ $options != *received* ]] || must+=' received'
  # shellcheck disable=SC2086 # words
  quietly redo -C home archive create --kind=receipt --manifest $options -f -o "$PWD/receipts.pack"
  leaves "archive create --kind=receipt --manifest $options" "$must" '' PublicMarkerReceipt receipts.pack*
done
quietly redo -C home archive create --kind=receipt --split=year -o "$PWD/receipts-part.pack"
leaves "archive create --kind=receipt --split" '' '' PublicMarkerReceipt receipts-part*
quietly redo -C home archive bundle --kind=receipt -o "$PWD/receipts-bundle.pack" "$EDIT" "^$FIRST"
leaves "archive bundle --kind=receipt" '' '' PublicMarkerReceipt2 receipts-bundle.pack
quietly redo -C home archive create --kind=receipt --since="$PWD/receipts-bundle.pack" -f -o "$PWD/since.pack"
[ ! -e since.pack ] || leaves "archive create --kind=receipt --since" '' '' redopack since.pack
for options in '' --include-precise; do
  quietly redo -C home archive create --kind=receipt $options -r "$RECIPIENT" -f -o "$PWD/sealed.pack"
  leaves "archive create --kind=receipt $options -r, without the key" '' '' age-encryption.org sealed.pack
  leaves "archive create --kind=receipt $options -r, with the key" "${options:+$SIGNED}" '' PublicMarkerReceipt sealed.pack --identity="$PWD/age.key"
done

scene "backups: none in plain before it is asked for; encrypted ones have receipts and the keyring, and no notes"
run redo -C home backup "$PWD/plain"
expect_status 128
expect_equal "$(find plain -name '*.redobackup' 2>/dev/null | wc -l)" 0 "points"
quietly redo -C home backup --include-precise --include-received "$PWD/plain"
leaves "backup --include-precise --include-received" "$SIGNED received" picture PublicMarkerReceipt plain
quietly redo -C home backup -r "$RECIPIENT" -i "$PWD/age.key" "$PWD/points"
redo -C home receipt mark --note=SecretNote "$EDIT"
redo -C home commit -q update --task="$TASK" --priority=2 >/dev/null
sleep 0.01
quietly redo -C home backup -r "$RECIPIENT" -i "$PWD/age.key" "$PWD/points"
[ "$(find points -name '*.redobackup' | wc -l)" -ge 2 ] || fail "there is no increment" <"said/$EXITS"
leaves "backup -r, without the key" '' '' age-encryption.org points
leaves "backup -r, with the key" "$SIGNED received $KEYS" picture PublicMarkerReceipt points --identity="$PWD/age.key"
quietly redo backup restore -i age.key -o "$PWD/restored" points
leaves "backup restore" "$SIGNED received $KEYS" picture PublicMarkerReceipt restored

scene "notes: encrypted, and read with the key alone"
quietly redo -C home local export -r "$RECIPIENT" -o "$PWD/rows.age"
leaves "local export -r, without the key" '' '' age-encryption.org rows.age
leaves "local export -r, with the key" "$NOTED" '' local_receipts rows.age --identity="$PWD/age.key"
redo -C home local export >rows
leaves "local export" "$NOTED" '' local_receipts rows

scene "remotes: what is pushed, fetched and synchronised, by path and by ssh, with what went over the pipe"
redo init -q far
quietly redo -C home push "$PWD/far"
leaves "push to a path" '' '' PublicMarkerTask far
redo init -q near && redo -C near key generate >/dev/null
quietly redo -C near fetch "$PWD/home"
leaves "fetch from a path" "" '' PublicMarkerTask near/.redo/objects near/.redo/refs near/.redo/remotes
# Nothing but the key of its own is in the keyring of the other store.
quietly redo -C near sync "$PWD/home"
leaves "sync with a path" '' '' PublicMarkerTask near/.redo
mkdir pipe
cat >"$WORK/bin/ssh" <<END
#!/bin/bash
while [ "\$1" != -- ]; do shift; done
shift 2
tee -a '$PWD/pipe/asked' | sh -c "\$*" 2>>'$PWD/pipe/said' | tee -a '$PWD/pipe/answered'
exit \${PIPESTATUS[1]}
END
chmod +x "$WORK/bin/ssh"
redo init -q there && redo init -q back && redo -C back key generate >/dev/null
quietly redo -C home push "ssh://host$PWD/there"
leaves "push by ssh: the pipe" '' '' PublicMarkerTask pipe
leaves "push by ssh: the other store" '' '' PublicMarkerTask there
rm pipe/*
quietly redo -C back fetch "ssh://host$PWD/home"
leaves "fetch by ssh: the pipe" '' '' PublicMarkerTask pipe
rm pipe/*
redo -C back commit -q create --title=PublicMarkerBack >/dev/null
quietly redo -C back sync "ssh://host$PWD/home"
leaves "sync by ssh: the pipe" '' '' PublicMarkerBack pipe
leaves "sync by ssh: the other store" '' '' PublicMarkerTask back/.redo

scene "receipts that are asked for, over the same ways: nothing precise ever, what others have shared only on request"
for store in far there; do redo -C $store config serve.kinds 'node receipt'; done
redo -C home config serve.kinds 'node receipt'
quietly redo -C home push --kind=receipt "$PWD/far"
leaves "push --kind=receipt to a path" '' '' PublicMarkerReceipt far
quietly redo -C near fetch --kind=receipt "$PWD/home"
leaves "fetch --kind=receipt from a path" '' '' PublicMarkerReceipt near/.redo/objects near/.redo/refs near/.redo/remotes
rm pipe/*
quietly redo -C home push --kind=receipt "ssh://host$PWD/there"
leaves "push --kind=receipt by ssh: the pipe" '' '' PublicMarkerReceipt pipe
leaves "push --kind=receipt by ssh: the other store" '' '' PublicMarkerReceipt there
rm pipe/*
quietly redo -C back sync --kind=receipt "ssh://host$PWD/home"
leaves "sync --kind=receipt by ssh: the pipe" '' '' PublicMarkerReceipt pipe
leaves "sync --kind=receipt by ssh: the other store" '' '' PublicMarkerReceipt back/.redo
rm pipe/*
quietly redo -C back ls-remote --kind=receipt --only=there "ssh://host$PWD/home"
leaves "ls-remote --kind=receipt by ssh: the pipe" '' '' 'kind-receipt' pipe
redo init -q friendly && redo -C friendly config serve.kinds 'node receipt'
quietly redo -C home push --kind=receipt --include-received "ssh://host$PWD/friendly"
leaves "push --kind=receipt --include-received" 'received' '' PublicMarkerReceipt friendly

scene "what hooks are told"
for store in home far; do
  mkdir -p $store/.redo/hooks hooks
  for hook in pre-receive post-receive; do
    printf '#!/bin/sh\n{ env; echo "$@"; cat; } >>%s/hooks/%s.%s\n' "$PWD" $store $hook >$store/.redo/hooks/$hook
    chmod 700 $store/.redo/hooks $store/.redo/hooks/$hook
  done
done
redo -C near commit -q create --title=PublicMarkerNear >/dev/null
quietly redo -C home fetch "$PWD/near"
quietly redo -C home push "$PWD/far"
for file in hooks/home.pre-receive hooks/home.post-receive hooks/far.pre-receive hooks/far.post-receive; do
  leaves "hook $file" '' '' REDO_DIR= $file
done

scene "shares: each permission, on its way and opened by the other device"
share() {
  local name=$1 must=$2 public=$3
  shift 3
  say redo -C home share create --to="$(did 1)" "$@" >message
  [ -s message ] || fail "$name: nothing was shared" <"said/$EXITS"
  leaves "share $name: on its way" '' '' wrapped_keys message
  peer open B1 B1 card <message >opened || fail "$name: the other device does not open it" <message
  leaves "share $name: opened" "$must" '' "$public" opened
}
share view '' PublicMarkerReceipt "$FIRST"
share view_location '' fuzzy_lat --permissions=view_location "$FIRST"
share full '' PublicMarkerReceipt --permissions=full "$FIRST"
share 'view of an edit' '' PublicMarkerReceipt2 "$EDIT"
share 'full --include-precise' '' PublicMarkerReceipt --permissions=full --include-precise "$FIRST"
share 'view_location --include-precise' '' fuzzy_lat --permissions=view_location --include-precise "$FIRST"
share 'full --include-precise of a precise place' 'latitude longitude altitude accuracy' app.buds.location --permissions=full --include-precise "$PRECISE"
for permissions in view view_location full; do
  run redo -C home share create --permissions=$permissions --to="$(did 1)" "$PRECISE"
  [ "$STATUS" -ne 0 ] || {
    cp "$OUT" message
    peer open B1 B1 card <message >opened
    leaves "share $permissions of a precise place: opened" '' '' app.buds.location opened
    continue
  }
  leaves "share $permissions of a precise place: refused" '' '' "$PRECISE" "$OUT" "$ERR"
done

scene "statements and proofs"
quietly redo -C home checkpoint create --ids="$PWD/ids" -o "$PWD/note"
leaves "checkpoint create --ids" '' '' 'objects receipt' note ids
quietly redo -C home prove -o "$PWD/proof" "$FIRST"
leaves "prove" '' '' PublicMarkerReceipt proof
quietly redo -C home prove -o "$PWD/proof.node" "$(redo -C home log --reverse --format='%(id)' | head -n 1)"
leaves "prove, of a node" '' '' PublicMarkerTask proof.node
for cid in "$PRECISE" "$FOLLOWS"; do
  run redo -C home prove "$cid"
  [ "$STATUS" -eq 0 ] && name=given || name=refused
  must='latitude longitude altitude accuracy'
  [ "$cid" = "$PRECISE" ] || must=follower
  leaves "prove of $([ "$cid" = "$PRECISE" ] && echo 'a precise place' || echo 'what follows one'): $name" '' "$([ $name = refused ] || echo "$must")" "$([ $name = refused ] && echo "$cid" || echo redo)" "$OUT" "$ERR"
  quietly redo -C home prove --include-precise -o "$PWD/proof.$cid" "$cid"
  leaves "prove --include-precise, of $([ "$cid" = "$PRECISE" ] && echo one || echo 'what follows one')" "$must" '' '' "proof.$cid"
done
run redo -C home prove "$(cat received)"
leaves "prove of what was received: refused" '' '' "$(cat received)" "$OUT" "$ERR"
quietly redo -C home prove --include-received -o "$PWD/proof.received" "$(cat received)"
leaves "prove --include-received" received '' '' proof.received

scene "pictures"
# printed <exit> <may> <public text> <argument>...: what a command of the store prints.
printed() {
  local name=$1 may=$2 public=$3
  shift 3
  redo -C home "$@" >printed 2>"said/printed.$EXITS"
  leaves "$name" '' "$may" "$public" printed "said/printed.$EXITS"
}
printed "receipt list --svg" '' "$FIRST" receipt list --svg
printed "receipt list --svg --show-deleted --order=claimed" '' "$FIRST" receipt list --svg --show-deleted --order=claimed
printed "log --svg" '' '<svg' log --svg
printed "log --dot" '' digraph log --dot

scene "what is printed about a store"
printed "receipt list --json" '' "$FIRST" receipt list --json
printed "stats" '' totalChanges stats
printed "stats --json" '' totalChanges stats --json
printed "verify --all --json" '' letter verify --all --json
printed "verify --explain --all" '' "$FIRST" verify --explain --all
printed "verify" '' receipt-precise verify --profile=sync --all
printed "show" '' PublicMarkerReceipt show "$FIRST"
printed "receipt show --json" '' PublicMarkerReceipt receipt show --json "$FIRST"
printed "cat-node -p" '' PublicMarkerReceipt cat-node -p "$FIRST"
printed "log --json" '' PublicMarkerTask log --json
printed "state --json" '' PublicMarkerTask state --json
printed "diff --json-patch" '' PublicMarkerTask diff --json-patch --allow-empty 1970-01-01 now
printed "diff" '' PublicMarkerTask diff --allow-empty 1970-01-01 now
printed "explain" '' PublicMarkerT explain "$TASK"
printed "reflog" '' 'receipt create' reflog show "receipts/$(redo cid -d "$FIRST" | cut -d" " -f1 | cut -d: -f2)"
printed "show-ref" '' receipts/ show-ref
printed "ls-remote" '' heads/ ls-remote "$PWD/far"
printed "circle list --json: no phone" person "$(did 1)" circle list --json
printed "share list --json" '' "$FIRST" share list --json
printed "config --list" '' core.id config list
printed "key list" '' ed25519 key list
redo -C home index update 2>/dev/null && {
  printed "index query map: cells" place 58.135 index query --json map -- -90,-180,90,180
  printed "index query timeline" received PublicMarkerReceipt index query --json timeline
  printed "search" '' PublicMarkerReceipt search --json publicmarkerreceipt2
}
redo compare home plain/store >printed 2>said/compare
leaves "compare" '' '' "$(redo cid -d "$FIRST" | cut -d' ' -f1)" printed said/compare

scene "a store of a point in time has what is signed, and nothing that is noted"
quietly redo -C home recover --to=now -o "$PWD/then"
leaves "recover -o" "" "$SIGNED received picture" PublicMarkerReceipt then

scene "traces"
mkdir traces
for words in "export --kind=receipt -o $PWD/traced.out" "share create --to=$(did 1) $FIRST" "push $PWD/far" "receipt list" "circle list" \
  "local export -r $RECIPIENT -o $PWD/traced.age" "verify" "prove -o $PWD/traced.proof $FIRST" "backup -r $RECIPIENT -i $PWD/age.key $PWD/points" "index update"; do
  # shellcheck disable=SC2086 # words
  REDO_TRACE=$PWD/traces redo -C home $words >/dev/null 2>&1
done
leaves "REDO_TRACE" '' '' argv traces
mkdir traced
REDO_TRACE=$PWD/traced redo -C home receipt mark --note=SecretNote --tag SecretTag "$FIRST"
REDO_TRACE=$PWD/traced redo -C home receipt place --at=58.13579246,-19.24681357 --accuracy 41.357913 --name=SecretPlace "$FIRST" >/dev/null
REDO_TRACE=$PWD/traced redo -C home circle set --name=SecretName --phone=+491555123987 "$(did 1)"
REDO_TRACE=$PWD/traced redo -C home receipt create -n -q --type=app.buds.location/v1 --include-precise <<<'{"location_type":"precise","latitude":61.23456789,"longitude":24.87654321}' >/dev/null
leaves "REDO_TRACE of commands that are told secrets" '' '' argv traced

scene "over HTTP: what went over the connection, the other store, the log of the server"
if link_network; then
  SCRIPTS=$TESTS/Scripts
  stop_all() { kill "${servers[@]}"; wait "${servers[@]}"; }
  servers=()
  at_exit stop_all
  # served <directory for the record> <option>...: a server with a recorder before it; the port of that is PORT.
  served() {
    local record=$1 upstream=''
    shift
    mkdir "$record"
    redo serve "$@" >"$record.out" 2>"$record.log" &
    servers+=($!)
    for _ in {1..600}; do
      upstream=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' "$record.log")
      [ -z "$upstream" ] || break
      sleep 0.05
    done
    [ -n "$upstream" ] || fail "the server does not start" <"$record.log"
    # Not through a function: it is this process that is ended.
    "$PYTHON" "$TESTS/Oracle/leaks.py" record "$upstream" "$record" >"$record.port" 2>"$record.err" &
    servers+=($!)
    until [ -s "$record.port" ]; do sleep 0.05; done
    PORT=$(cat "$record.port")
  }
  redo init -q web && redo init -q visitor && redo -C visitor key generate >/dev/null
  served pushed --http=127.0.0.1:0 web
  quietly redo -C home push "http://127.0.0.1:$PORT"
  leaves "push over HTTP: the connection" '' '' PublicMarkerTask pushed
  leaves "push over HTTP: the other store" '' '' PublicMarkerTask web
  leaves "push over HTTP: the log" '' '' listening pushed.log pushed.out
  served fetched --http=127.0.0.1:0 home
  quietly redo -C visitor sync "http://127.0.0.1:$PORT"
  leaves "serve --http: the connection" '' '' PublicMarkerTask fetched
  leaves "serve --http: the other store" '' '' PublicMarkerTask visitor/.redo
  leaves "serve --http: the log" '' '' listening fetched.log fetched.out
  redo init -q documents
  served fire --firestore=demo --emulator --http=127.0.0.1:0 documents
  redo -C home remote add fire firestore://demo
  redo -C home remote set fire account 105903111111111111111
  redo -C home remote set fire endpoint "http://127.0.0.1:$PORT"
  quietly redo -C home push fire
  leaves "push to a Firestore: the connection" '' '' PublicMarkerTask fire
  leaves "push to a Firestore: what it has" '' '' PublicMarkerTask documents
else
  skip "there is no redo-net beside redo"
fi

scene "what all these commands said"
cat said/* >said.all
leaves "messages" '' '' 'left out' said.all

scene "nothing that is not allowed to has left"
{
  echo "# + found, as it may be   - not found, although it might be   . not found, as it must be   ! a leak"
  number=0
  for name in $(sed 's/.*"name":"\([^"]*\)".*/\1/' secrets); do
    number=$((number + 1))
    printf '# %*s %s\n' $((2 * number - 1)) "|" "$name"
  done
  while IFS=$'\t' read -r row public name; do printf '# %s  %s (found: %s)\n' "${row# }" "$name" "$public"; done <table
}
echo "# $EXITS exits, $(grep -c . secrets) secrets, $LEAKS leaks"
[ $LEAKS -eq 0 ] || fail "secrets have left" </dev/null
