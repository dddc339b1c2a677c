#!/bin/bash
# redo verify --repair-from=<remote>: over a path, ssh and HTTP the same nodes come back; a remote is asked for what is
# damaged or missing, and for nothing else, and it is believed nothing.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

NODES=$TESTS/Scripts/store-nodes.py
# What a remote says is kept: of ssh, and of HTTP behind the scheme `tap`.
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift 2
echo "$*" >>"$WORK/talks"
# A stranger who hears what is said to the end, so that the client can say it.
if [ -s "$WORK/answer" ]; then cat "$WORK/answer" && exec cat >/dev/null; fi
sh -c "$*" | tee -a "$WORK/heard"
END
cat >"$WORK/bin/redo-remote-tap" <<'END'
#!/bin/bash
echo "$*" >>"$WORK/talks"
redo-remote-http "$1" "http://${2#tap://}" "$3" | tee -a "$WORK/heard"
END
chmod 755 "$WORK/bin/redo-remote-tap"
deaf() { : >"$WORK/heard" && : >"$WORK/talks"; }
# sent: the ids of the nodes that the remote has sent since `deaf`, by an independent reader.
sent() { python3 "$NODES" wire "$WORK/heard"; }
# expect_sent <file>: exactly these nodes have come over the way; from a path they are read.
expect_sent() {
  [ "$TRANSPORT" = path ] || sent | cmp -s - "$1" || fail "other nodes were sent" < <(diff "$1" <(sent))
}
expect_talks() {
  [ "$TRANSPORT" = path ] || expect_equal "$(wc -l <"$WORK/talks")" "$1" "how often the remote was talked to"
}
at() {
  case $TRANSPORT in
  http) echo "tap://127.0.0.1:$(port "$PWD/$1")" ;;
  *) url "$1" ;;
  esac
}

stores good
for number in $(seq 60); do
  printf '{"action":"CREATE","fields":{"title":"Task %d"}}\n' "$number"
done | redo -C good commit -q --stdin >/dev/null
# A line of changes, so that most nodes have ancestors.
for number in $(seq 20); do
  on good "10:00:$((number + 10))" update -t "$(redo -C good log --reverse --format='%(task)' -n 1)" --title="Title $number"
done
redo -C good log --sort=-order --format='%(id)' >ids
expect_equal "$(wc -l <ids)" 80 nodes
HASH=$(redo -C good state --hash)
python3 "$NODES" store good >all
cp -r good hub
cp -r good packed && redo -C packed repack -q
PACK=$(cd packed && ls .redo/objects/pack/*.pack)
# fresh [<store>]: a copy of a store without what is derived, whose remote is the hub.
fresh() {
  chmod -R u+w bad 2>/dev/null
  rm -rf bad && cp -r "${1:-good}" bad && rm -rf bad/.redo/cache/*
  redo -C bad remote add hub "$(at hub)"
  deaf
}
place() { echo "${2:-bad}/.redo/objects/${1:7:2}/${1:9}"; }
flip() { chmod u+w "$(place "$@")" && alter "$(place "$@")" 30; }
kept() { find bad/.redo/lost-found -mindepth 1 -maxdepth 1 2>/dev/null | sort; }
# whole: the store has what it had, by our words and by an independent reader.
whole() {
  run redo -C bad verify
  expect_status 0
  expect_stdout ''
  expect_clean bad
  python3 "$NODES" store bad | cmp -s - all || fail "other nodes" </dev/null
  expect_equal "$(redo -C bad state --no-cache --hash)" "$HASH" "the state"
}

for TRANSPORT in path ssh http; do
  scene "$TRANSPORT: nothing is damaged: the remote is not talked to"
  fresh
  run redo -C bad verify --repair-from=hub
  expect_status 0
  expect_stdout ''
  expect_stderr ''
  expect_talks 0

  scene "$TRANSPORT: three of 80 are damaged or missing: these are asked for, and what was damaged is kept"
  sed -n '5p;70p;79p' ids | sort >three
  flip "$(sed -n 1p three)"
  truncate -s 20 "$(chmod u+w "$(place "$(sed -n 2p three)")" && place "$(sed -n 2p three)")"
  rm -f "$(place "$(sed -n 3p three)")"
  python3 "$NODES" store bad | sort - three | cmp -s - all || fail "the damage is something else" </dev/null
  sha256sum <"$(place "$(sed -n 1p three)")" >was
  before=$(fingerprint bad)
  run redo -C bad verify -n --repair-from=hub
  expect_status 0
  expect_equal "$(cut -d' ' -f1,2 "$OUT")" "$(sed 's/^/would-repair /' three)" "what would be done"
  expect_untouched "$before" bad
  deaf
  run redo -C bad verify --repair-from=hub
  expect_status 0
  expect_equal "$(cut -d' ' -f1,2 "$OUT")" "$(sed 's/^/repaired /' three)" "what was done"
  [ "$TRANSPORT" = path ] || expect_stderr_has "'hub' was asked for 3 changes and has sent 3: "
  expect_stderr_has "what stood there is kept in '"
  expect_sent three
  expect_talks 1
  expect_equal "$(kept | wc -l)" 2 "things kept"
  sha256sum <"$(kept | grep "$(sed -n 1p three | cut -c 8-)")" | cmp -s - was || fail "other bytes are kept" < <(kept)
  whole
  [ "$TRANSPORT" = path ] || [ ! -e bad/.redo/remotes/hub/id ] || fail "something is remembered of the remote" </dev/null

  scene "$TRANSPORT: by URL instead of a name, and as rows of JSON with what it cost"
  fresh
  rm -f "$(place "$(sed -n 1p three)")"
  run redo -C bad verify --json --repair-from="$(at hub)"
  expect_status 0
  expect_equal "$(grep -c '"result":"repaired"' "$OUT")" 1 "rows"
  if [ "$TRANSPORT" != path ]; then
    expect_equal "$(tail -n 1 "$OUT" | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["asked"], d["came"], d["bytesReceived"])')" \
      "1 1 $(stat -c %s "$WORK/heard")" "the last row"
    tail -n 1 "$OUT" | tr -d '\n' >row
    run redo canonicalize --check row
    expect_status 0
  fi
  whole

  scene "$TRANSPORT: a frame of a pack: its nodes are asked for, 16 at a time, and the pack is written anew"
  fresh packed
  chmod u+w bad/"$PACK" && alter bad/"$PACK" 100
  run redo -C bad verify --repair-from=hub
  expect_status 0
  grep '^repaired sha256' "$OUT" | cut -d' ' -f2 | sort >came
  grep "^repaired - ${PACK#.redo/} pack-corrupt" "$OUT" >/dev/null || fail "no row of the pack" <"$OUT"
  [ -s came ] || fail "no node came" <"$OUT"
  expect_sent came
  expect_talks $((($(wc -l <came) + 15) / 16))
  whole

  scene "$TRANSPORT: forty missing nodes are asked for, and no ancestor of theirs"
  fresh
  sed -n '41,80p' ids | sort >forty
  while read -r id; do rm -f "$(place "$id")"; done <forty
  run redo -C bad verify --repair-from=hub
  expect_status 0
  expect_equal "$(grep -c '^repaired ' "$OUT")" 40 "rows"
  expect_sent forty
  whole

  scene "$TRANSPORT: what the remote does not have is said, the rest comes, and the status is 1"
  fresh
  on bad 10:30:00 create --title=New
  new=$(redo -C bad log --format='%(id)' | sort | comm -23 - <(sort ids))
  rm -rf bad/.redo/cache/*
  rm -f "$(place "$new")" "$(place "$(sed -n 2p three)")"
  deaf
  run redo -C bad verify --repair-from=hub
  expect_status 1
  grep -q "^unrepaired $new objects/.* object-missing; the source does not have it$" "$OUT" || fail "no row" <"$OUT"
  grep -q "^repaired $(sed -n 2p three) " "$OUT" || fail "nothing is repaired" <"$OUT"
  sed -n 2p three >one
  expect_sent one
  run redo -C bad verify
  expect_status 1
  expect_stdout_has "error object-missing $new"
  python3 "$NODES" store bad | cmp -s - all || fail "other nodes" </dev/null

  scene "$TRANSPORT: what is damaged there, too, is said so"
  fresh
  id=$(sed -n 75p ids)
  cp -r hub spare && flip "$id" spare && rm -rf spare/.redo/cache/*
  redo -C bad remote add spare "$(at spare)"
  flip "$id"
  deaf
  before=$(sha256sum <"$(place "$id")")
  run redo -C bad verify --repair-from=spare
  expect_status 1
  grep "^unrepaired $id .*object-corrupt" "$OUT" | grep 'its copy is corrupt: \|it does not send its copy: object-corrupt' >/dev/null ||
    fail "no row" < <(everything_printed)
  expect_equal "$(sha256sum <"$(place "$id")")" "$before" "the damaged file"
  rm -rf spare "$WORK/servers/$(echo -n "$PWD/spare" | sha256sum | cut -c 1-16)"
done

scene "a remote on this machine that is no store, and one that is not there"
fresh
redo -C bad export -q -o "$PWD/backup.ndjson" >/dev/null
flip "$(sed -n 1p three)"
redo -C bad remote add file ../backup.ndjson
(cd / && redo -C "$OLDPWD/bad" verify -n --repair-from=file) >"$OUT" 2>"$ERR"
expect_stdout_has "would-repair $(sed -n 1p three) "
redo -C bad remote add nowhere ../nowhere
run redo -C bad verify --repair-from=nowhere
expect_error 128 "'nowhere' is neither a store, an export, an archive nor a remote"
redo -C bad remote add away http://127.0.0.1:1
before=$(fingerprint bad)
run redo -C bad verify --no-retry --repair-from=away
expect_error 75 "'away' cannot be reached"
run redo -C bad verify --no-retry --repair-from=nothing://there
expect_error 128 "there is no program 'redo-remote-nothing'"
expect_untouched "$before" bad
for words in '--no-retry' '--allow-unsigned' '--allow-unsigned --repair-refs'; do
  # shellcheck disable=SC2086 # words
  run redo -C bad verify $words
  expect_status 129
  expect_stderr_has "is about '--repair-from'"
done

scene "the name of a remote comes before a file of that name"
fresh
flip "$(sed -n 1p three)"
mkdir bad/hub
(cd bad && redo verify --repair-from=./hub) >"$OUT" 2>"$ERR" && fail "an empty directory has it" <"$OUT"
(cd bad && redo verify --repair-from=hub) >"$OUT" 2>"$ERR" || fail "the remote does not" < <(everything_printed)
rmdir bad/hub
whole

# answer <file>...: from now on ssh says what a server would that has these packs, whatever it is asked.
answer() {
  python3 - "$TESTS/Scripts" "$@" >"$WORK/answer" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import wire
out = wire.server_hello(b"tells-unsent without-ancestors") + wire.frame(2, b"\x05\xff") + wire.END
for path in sys.argv[2:]:
    out += wire.pack_frames(open(path, "rb").read())
sys.stdout.buffer.write(out + wire.END)
END
}
# packed_as <file> <line>: an archive of a node.
packed_as() {
  rm -rf one && redo init -q one && echo "$2" | redo -C one import -q >/dev/null && redo -C one archive create -q -o "$1" >/dev/null ||
    fail "no archive" </dev/null
}
TRANSPORT=ssh
id=$(sed -n 3p ids) other=$(sed -n 4p ids)
fresh
redo -C bad remote set hub url "ssh://stranger/$PWD/hub" >/dev/null 2>&1 || {
  redo -C bad remote rm hub >/dev/null 2>&1
  redo -C bad remote add hub "ssh://stranger$PWD/hub"
}
rm -f "$(place "$id")"
before=$(fingerprint bad)
line=$(redo -C good cat-node "$id")
packed_as "$PWD/right.pack" "$line"
packed_as "$PWD/other.pack" "$(redo -C good cat-node "$other")"
packed_as "$PWD/unsigned.pack" "$(python3 -c 'import json, sys
node = json.loads(sys.argv[1])
del node["signature"]
print(json.dumps(node))' "$line")"

scene "a stranger sends another node than it was asked for: nothing of that is taken"
answer other.pack
run redo -C bad verify --repair-from=hub
expect_status 1
grep -q "^unrepaired $id .*; the source does not have it$" "$OUT" || fail "no row" <"$OUT"
expect_stderr_has "'hub' was asked for 1 change and has sent 0: "
expect_untouched "$before" bad

scene "a stranger leaves the signature out: the node is refused, unless that is allowed"
answer unsigned.pack
run redo -C bad verify --repair-from=hub
expect_status 1
grep -q "^unrepaired $id .*; the copy breaks a rule: signature-missing" "$OUT" || fail "no row" <"$OUT"
expect_untouched "$before" bad
run redo -C bad verify -n --allow-unsigned --repair-from=hub
expect_status 0
expect_stdout_has "would-repair $id "

scene "a stranger changes a byte of the pack: one line, and nothing is taken"
cp right.pack wrong.pack && chmod u+w wrong.pack && alter wrong.pack 50
answer wrong.pack
run redo -C bad verify --no-retry --repair-from=hub
expect_error 128 "'hub': "
expect_untouched "$before" bad

scene "a stranger who sends the right node repairs the store"
answer other.pack right.pack
run redo -C bad verify --repair-from=hub
expect_status 0
: >"$WORK/answer"
whole

scene "what a server holds back, because nobody has signed it, comes with --allow-unsigned if the server allows it"
redo init -q plain
id=$(cd plain && add CREATE $TASK 1 15T10:00:00.000 '"title":"Unsigned"')
cp -r plain plainhub
redo -C plain remote add hub "ssh://host$PWD/plainhub"
rm -f "$(place "$id" plain)"
run redo -C plain verify --repair-from=hub
expect_status 1
grep -q "^unrepaired $id .*'--allow-unsigned' takes it$" "$OUT" || fail "no row" < <(everything_printed)
redo -C plainhub config set serve.allowUnsigned true
run redo -C plain verify --allow-unsigned --repair-from=hub
expect_status 0
expect_stdout_has "repaired $id "
