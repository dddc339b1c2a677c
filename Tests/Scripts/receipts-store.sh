#!/bin/bash
# Receipts in packs, tidied up, repaired, exported and imported; an independent reader and the writer of the lines look at both ends.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "receipts of a store" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
# read_packs <store>: what the oracle reads in all packs of receipts, as the lines they were made of.
read_packs() {
  for pack in "$1"/.redo/objects/pack/*.pack; do
    [ "$(head -c 12 "$pack" | tail -c 1 | od -An -tu1 | tr -d ' ')" = 1 ] || "$PYTHON" "$TESTS/Oracle/read_pack.py" "$pack"
  done
}
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
# plain: export lines without the time of receipt, sorted.
plain() { sed 's/,"received":[0-9]*//' "$@" | sort; }
# ordered <lines>: whether each receipt stands behind its parent, and otherwise in the order of claimed time and id.
ordered() {
  "$PYTHON" - "$1" <<'EOF'
import base64, heapq, json, sys
import dag_cbor
rows = []
for line in open(sys.argv[1]):
    cbor = base64.b64decode(json.loads(line)["cbor"])
    receipt = dag_cbor.decode(cbor)
    payload = dag_cbor.decode(receipt["payload"])
    cid = json.loads(line)["cid"]
    rows.append((payload.get("claimed_time_ms", 0), base64.b32decode(cid[1:].upper() + "=" * (-len(cid[1:]) % 8))[4:], cid, receipt.get("parentCID")))
inside = {row[2] for row in rows}
children, ready = {}, []
for row in rows:
    if row[3] in inside:
        children.setdefault(row[3], []).append(row)
    else:
        heapq.heappush(ready, row)
expected = []
while ready:
    row = heapq.heappop(ready)
    expected.append(row[2])
    for child in children.get(row[2], []):
        heapq.heappush(ready, child)
assert [row[2] for row in rows] == expected, "another order"
EOF
}
chains() { redo -C "$1" show-ref | grep ' receipts/'; }
packs() { find "$1/.redo/objects/pack" -name '*.pack' 2>/dev/null | wc -l; }

scene "many receipts become one pack of their kind, which an independent reader reads"
made --many=300 --seed=1 >many
redo init -q big
redo -C big config core.bulkLimit 100
run redo -C big hash-object -t receipt -w --update-heads --ndjson <many
expect_status 0
expect_equal "$(objects big)" 0 "loose objects"
expect_equal "$(packs big)" 1 "packs"
read_packs big >read
expect_equal "$(sort read | sha256sum)" "$(sort many | sha256sum)" "what the oracle reads"
run redo -C big verify
expect_status 0
expect_stdout ''
run redo -C big verify --all
expect_status 0
expect_equal "$(grep -c '^G ' "$OUT")" 301 "good receipts"
run redo -C big verify-pack --json
expect_stdout_has '"kind":"receipt"'
expect_stdout_has '"nodes":301,"ok":true'
run redo -C big verify-pack -v
expect_equal "$(grep -c '^sha256:[0-9a-f]* receipt ' "$OUT")" 301 "rows"
while IFS= read -r line; do
  cid=$(sed 's/.*"cid":"\([^"]*\)".*/\1/' <<<"$line")
  redo -C big cat-node "$cid" | cmp -s - <(sed 's/.*"cbor":"\([^"]*\)".*/\1/' <<<"$line" | base64 -d) || fail "'$cid' is not what it was" </dev/null
done < <(shuf -n 5 --random-source=<(yes "$SEED") many)

scene "repack: loose nodes and loose receipts, a pack each; the dry run says so; then there is nothing to do"
demo 200 >nodes
redo init -q both
redo -C both import -q "$PWD/nodes" >/dev/null
redo -C both hash-object -t receipt -w --update-heads --ndjson <many >/dev/null
refs=$(redo -C both show-ref)
run redo -C both repack -n
expect_status 0
expect_stdout_has " 301 -"
expect_stdout_has " 200 -"
expect_equal "$(packs both)" 0 "packs after a dry run"
run redo -C both repack
expect_status 0
expect_equal "$(packs both)" 2 "packs"
expect_equal "$(objects both)" 0 "loose objects"
read_packs both >read
expect_equal "$(sort read | sha256sum)" "$(sort many | sha256sum)" "what the oracle reads"
ordered read || fail "parents do not come first, or claimed times not in order" </dev/null
expect_equal "$(redo -C both show-ref)" "$refs" "refs"
run redo -C both verify
expect_status 0
expect_stdout ''
run redo -C both repack
expect_stdout ''
run redo -C both gc
expect_status 0
expect_stdout_lacks packed

scene "more of each: packs are united with those of their kind alone, and the bytes depend on nothing but the receipts"
made --many=400 --seed=2 >more
demo 500 | tail -n 300 >more-nodes
redo -C both hash-object -t receipt -w --update-heads --ndjson <more >/dev/null
redo -C both import -q "$PWD/more-nodes" >/dev/null
run redo -C both repack --all
expect_status 0
expect_equal "$(packs both)" 2 "packs"
sort -u many more >all
read_packs both >read
expect_equal "$(sort read | sha256sum)" "$(sha256sum <all)" "what the oracle reads"
ordered read || fail "parents do not come first, or claimed times not in order" </dev/null
redo init -q other
shuf --random-source=<(yes "$SEED") all | redo -C other hash-object -t receipt -w --update-heads --ndjson >/dev/null
redo -C other repack -q --all
for pack in other/.redo/objects/pack/*.pack; do
  cmp -s "$pack" "both/.redo/objects/pack/${pack##*/}" || fail "another pack of the same receipts" </dev/null
done

scene "what nobody knows of stays, with the kind that gc does not move"
redo init -q unknown
made --text=unknown >unknown.line
redo -C unknown hash-object -t receipt -w --ndjson <unknown.line >/dev/null
run redo -C unknown gc --grace=0s --expire-to="$PWD/expired"
expect_status 0
expect_equal "$(read_packs unknown)" "$(cat unknown.line)" "what stays"
[ ! -e expired ] || fail "a file was written" </dev/null

scene "a pack with a damaged byte is named, and rewritten with what another store has"
cp -r both hurt
own_copies
pack=$(grep -lP '^\x89redopack\r' hurt/.redo/objects/pack/*.pack | while read -r file; do
  [ "$(head -c 12 "$file" | tail -c 1 | od -An -tu1 | tr -d ' ')" = 2 ] && echo "$file"
done)
chmod u+w "$pack"
printf '\377\376' | dd of="$pack" bs=1 seek=3000 conv=notrunc status=none
run redo -C hurt verify
expect_status 1
expect_stdout_has "pack-corrupt"
run redo -C hurt verify --repair-from="$PWD/other" -n
expect_status 0
expect_stdout_has "would-repair"
run redo -C hurt verify --repair-from="$PWD/other"
expect_status 0
run redo -C hurt verify
expect_status 0
redo -C hurt repack -q --all
read_packs hurt >read
expect_equal "$(sort read | sha256sum)" "$(sha256sum <all)" "what the oracle reads after the repair"

scene "loose receipts: missing, cut off, with a bad signature, in the place of another; all come back from another store"
redo init -q loose
redo -C loose hash-object -t receipt -w --update-heads --ndjson <many >/dev/null
redo init -q good
redo -C good hash-object -t receipt -w --update-heads --ndjson <many >/dev/null
file_of() { redo cid -d "$(sed -n "$1p" many | sed 's/.*"cid":"\([^"]*\)".*/\1/')" | sed 's|^sha256:\(..\)\([^ ]*\) .*|loose/.redo/objects/\1/\2|'; }
rm -f "$(file_of 10)"
truncate -s 20 "$(file_of 20)"
cp -f "$(file_of 40)" "$(file_of 30)"
"$PYTHON" - "$(file_of 50)" <<'EOF'
import os, sys, zlib
data = zlib.decompress(open(sys.argv[1], "rb").read())
head, body = data.split(b"\0", 1)
head = head[:-4] + (b"0000" if head[-4:] != b"0000" else b"1111")
os.chmod(sys.argv[1], 0o644)
open(sys.argv[1], "wb").write(zlib.compress(head + b"\0" + body))
EOF
run redo -C loose verify
expect_status 1
for rule in object-missing object-corrupt hash-mismatch signature-bad; do expect_stdout_has "$rule"; done
before=$(fingerprint loose)
cp -r loose unrepaired
run redo -C loose verify --repair-from="$PWD/good" -n
expect_status 0
expect_equal "$(grep -c would-repair "$OUT")" 4 "rows"
expect_equal "$(fingerprint loose)" "$before" "the store after a dry run"
run redo -C loose verify --repair-from="$PWD/good"
expect_status 0
run redo -C loose verify
expect_status 0
expect_stdout_lacks error
run redo -C loose export --kind=receipt
plain "$OUT" >found
expect_equal "$(sha256sum <found)" "$(sort many | sha256sum)" "what is there after the repair"

scene "they come back from a file as well: lines, blocks, an archive, or lines of another order among nodes"
redo -C good export -q --kind=receipt --include-precise --format=car -o ../good.car >/dev/null
redo -C good archive create -q --kind=receipt --include-precise -o ../good.pack >/dev/null
redo -C good export -q --kind=receipt --include-precise >good.ndjson
{
  tac good.ndjson
  cat "$VECTORS/log/linear.ndjson"
} >mixed.ndjson
for source in good.ndjson good.car good.pack mixed.ndjson; do
  rm -rf loose
  cp -r unrepaired loose
  run redo -C loose verify --repair-from="$PWD/$source"
  expect_status 0
  run redo -C loose verify
  expect_status 0
  expect_stdout_lacks error
  redo -C loose export -q --kind=receipt --include-precise | plain >found
  expect_equal "$(sha256sum <found)" "$(sort many | sha256sum)" "what is there after the repair from $source"
done
rm -rf loose
cp -r unrepaired loose
sed "$(grep -n "$(sed -n 10p many | sed 's/.*"cid":"\([^"]*\)".*/\1/')" good.ndjson | cut -d: -f1)s/\"cbor\":\".../\"cbor\":\"AAA/" good.ndjson >spoilt.ndjson
run redo -C loose verify --repair-from="$PWD/spoilt.ndjson"
expect_status 1
expect_stdout_has "$(redo cid -d "$(sed -n 10p many | sed 's/.*"cid":"\([^"]*\)".*/\1/')" | cut -d' ' -f1)"

scene "a file of receipts is judged without a store: lines, blocks, an archive; the card may come last"
for source in good.ndjson good.car good.pack; do
  run env -C "$WORK/home" redo verify "$PWD/$source"
  expect_status 0
  expect_equal "$(grep -c '^G ' "$OUT")" "$(wc -l <many)" "good receipts in $source"
done
echo "$(made --key=ada) revoked" >revoked
run env -C "$WORK/home" redo -c "trust.file=$PWD/revoked" verify "$PWD/good.ndjson"
expect_status 1
expect_equal "$(grep -c '^R ' "$OUT")" "$(wc -l <many)" "receipts of a revoked key"
tac good.ndjson >backwards
run env -C "$WORK/home" redo verify --profile=sync "$PWD/backwards"
expect_status 0
expect_equal "$(grep -c '^G ' "$OUT")" "$(wc -l <many)" "good receipts"
run env -C "$WORK/home" redo verify "$PWD/mixed.ndjson"
expect_equal "$(grep -c '^G ' "$OUT")" "$(($(wc -l <many) + $(wc -l <"$VECTORS/log/linear.ndjson")))" "good nodes and receipts"
run env -C "$WORK/home" redo verify "$PWD/spoilt.ndjson"
expect_status 1
expect_equal "$(grep -c '^B ' "$OUT")" 1 "bad receipts"
expect_stdout_has "spoilt.ndjson"
grep -v redo.device.registered good.ndjson | grep -v "$("$PYTHON" -c '
import base64, json, sys
for line in open(sys.argv[1]):
    if b"redo.device.registered" in base64.b64decode(json.loads(line)["cbor"]):
        print(json.loads(line)["cid"])' good.ndjson)" >cardless
run env -C "$WORK/home" redo verify "$PWD/cardless"
expect_equal "$(grep -c '^E ' "$OUT")" "$(wc -l <cardless)" "receipts without a key"
root=$(made --text=root)
made --type=edited --text=child --parent="$(cid_of <<<"$root")" --root="$(cid_of <<<"$root")" >orphan
made --type=card | cat - orphan >alone
run env -C "$WORK/home" redo verify "$PWD/alone"
expect_status 0
run env -C "$WORK/home" redo verify --profile=sync "$PWD/alone"
expect_status 1
expect_stdout_has parent-missing
run env -C "$WORK/home" redo verify --explain "$PWD/alone"
expect_status 0
expect_stdout_has "receipt "

scene "the heads of chains are worked out again: without refs, and without the received log"
refs=$(redo -C both show-ref)
for lost in refs "refs journal" "refs received journal"; do
  rm -rf broken
  cp -r both broken
  own_copies
  (cd broken/.redo && rm -f $lost)
  run redo -C broken verify --repair-refs
  expect_status 0
  expect_equal "$(redo -C broken show-ref)" "$refs" "refs without '$lost'"
  run redo -C broken verify
  expect_status 0
  expect_stdout_lacks error
done

scene "export: the lines that came in, with the time; of nodes alone it says what it leaves out"
run redo -C both export --kind=receipt
expect_status 0
expect_stderr ''
cp "$OUT" exported
expect_equal "$(plain exported | sha256sum)" "$(sha256sum <all)" "lines"
expect_equal "$(grep -c '"received":1[0-9]\{12\},' exported)" "$(wc -l <all)" "times"
ordered exported || fail "parents do not come first, or claimed times not in order" </dev/null
run redo -C both export
expect_status 0
expect_stdout_lines 500
expect_stderr_has "chains of receipts left out; '--kind=receipt' exports receipts"
run redo -C both export -q
expect_stderr ''
one=$(sed -n 5p many | sed 's/.*"cid":"\([^"]*\)".*/\1/')
run redo -C both export --kind=receipt -o "$PWD/one.ndjson" "$one"
expect_status 0
expect_stderr_has "exported "
tail -n 1 one.ndjson | grep -q "$one" || fail "it does not end with what was asked for" <one.ndjson
run redo -C both export --kind=receipt --format=json
expect_status 129
run redo -C both export --kind=blob
expect_status 129
run redo -C both export --include-precise
expect_status 129
run redo -C both export --kind=receipt "$(ids_of <nodes | head -n 1)"
expect_status 128
expect_stderr_has "is a node, not a receipt"

scene "import: the same chains, once; with nodes in one stream; a dry run writes nothing"
redo init -q taken
before=$(fingerprint taken)
run redo -C taken import -n "$PWD/exported"
expect_status 0
expect_stdout "$(wc -l <all)"
expect_equal "$(fingerprint taken)" "$before" "the store after a dry run"
cat nodes more-nodes exported | shuf --random-source=<(yes "$SEED") >mixture
run redo -C taken import "$PWD/mixture"
expect_status 0
expect_stdout "$(($(wc -l <all) + 500))"
expect_stderr_has "imported 500 new changes"
expect_stderr_has "imported $(wc -l <all) new receipts"
expect_equal "$(redo -C taken show-ref)" "$(redo -C both show-ref)" "refs"
run redo -C taken import --json "$PWD/exported"
expect_status 0
expect_stdout_has "\"receipts\":{\"healed\":0,\"known\":$(wc -l <all),\"new\":0,\"upgraded\":0}"
run redo -C taken verify
expect_status 0

scene "import: all or nothing; --salvage takes the rest and names what it leaves out"
redo init -q strict
bad=$(sed -n 1p exported | sed 's/"cid":"bafyrei./"cid":"bafyreib/; t')
{ cat nodes; head -n 60 exported; echo "$bad"; made --type=edited --parent="$one" --root="$(made --text=nowhere | sed 's/.*"cid":"\([^"]*\)".*/\1/')"; } >mixed
before=$(fingerprint strict)
run redo -C strict import "$PWD/mixed"
expect_status 1
expect_stdout ''
expect_stderr_has "hash-mismatch"
expect_equal "$(fingerprint strict)" "$before" "the store"
run redo -C strict import --salvage "$PWD/mixed"
expect_status 1
expect_stdout 260
expect_stderr_has "parent-missing"
run redo -C strict verify
expect_status 0

scene "--salvage leaves out what is refused for its signature or its key, and what follows it"
forged=$(sed -n 2p exported | sed 's/"signature":"\(.\)\(.\)/"signature":"\2\1/')
[ "$forged" != "$(sed -n 2p exported)" ] || forged=$(sed -n 2p exported | sed 's/"signature":"\(..\)\(.\)\(.\)/"signature":"\1\3\2/')
{ made --type=card; echo "$forged"; made --text=stranger --person=eve; made --text=kept; } >partly
for profile in v1 sync; do
  redo init -q salvaged-$profile
  run redo -C salvaged-$profile import --salvage --profile=$profile "$PWD/partly"
  expect_status 1
  expect_stderr_has "signature-bad"
  [ $profile = v1 ] || expect_stderr_has "key-unknown"
  redo -C salvaged-$profile export --kind=receipt | plain >left
  expected=$(if [ $profile = v1 ]; then sed 2d partly; else sed 2,3d partly; fi | sort)
  expect_equal "$(cat left)" "$expected" "what is taken under $profile"
  expect_equal "$(objects salvaged-$profile)" "$(wc -l <left)" "objects under $profile"
  run redo -C salvaged-$profile verify
  expect_status 0
done

scene "under sync a card may come behind what it signs; a stranger's receipts are refused"
redo init -q sync
{ sed 1d many; head -n 1 many; } >behind
run redo -C sync import --profile=sync "$PWD/behind"
expect_status 0
expect_stdout 301
redo init -q strange
run redo -C strange import --profile=sync <(sed 1d many)
expect_status 1
expect_stderr_has "key-unknown"
expect_equal "$(chains strange)" '' "chains"

scene "precise places stay at home, are counted, and go with --include-precise"
made --many=120 --seed=3 --precise >places
redo init -q home
redo -C home hash-object -t receipt -w --update-heads --ndjson <places >/dev/null 2>&1
run redo -C home export --kind=receipt
expect_status 0
left=$((121 - $(wc -l <"$OUT")))
[ "$left" -gt 2 ] || fail "nothing was left out" </dev/null
expect_stderr_has "warning: $left receipts left out: precise places, and what follows them"
sed 's/.*"cbor":"\([^"]*\)".*/\1/' "$OUT" | while read -r line; do base64 -d <<<"$line"; done | grep -aq latitude && fail "a place left" </dev/null
run redo -C home export --kind=receipt --include-precise
expect_equal "$(plain "$OUT" | sha256sum)" "$(sort places | sha256sum)" "lines"

scene "the reflog and update-ref move heads of chains, by the rules of heads"
redo init -q moved
chain=$(made --text=root)
ROOT=$(sed 's/.*"cid":"\([^"]*\)".*/\1/' <<<"$chain")
edit=$(made --type=edited --parent="$ROOT" --root="$ROOT" --text=edit)
EDIT=$(sed 's/.*"cid":"\([^"]*\)".*/\1/' <<<"$edit")
redo -C moved import -q - <<<"$chain" >/dev/null
redo -C moved import -q - <<<"$edit" >/dev/null
name=$(redo -C moved show-ref | sed -n 's/.* \(receipts\/.*\)/\1/p')
head_of() { redo -C moved show-ref | grep -c "^$(redo cid -d "$1" | cut -d' ' -f1) $name\$"; }
run redo -C moved reflog undo
expect_status 0
expect_equal "$(head_of "$ROOT")" 1 "the first one as the head"
run redo -C moved reflog restore 2
expect_status 0
expect_equal "$(head_of "$EDIT")" 1 "the second one as the head"
run redo -C moved update-ref "$name" "$ROOT"
expect_status 0
expect_equal "$(head_of "$ROOT")" 1 "the first one as the head"
run redo -C moved update-ref "$name" "$ROOT,$EDIT"
expect_status 1
expect_stderr_has "is an ancestor of another head"
run redo -C moved update-ref "$name" "$EDIT"
expect_status 0
run redo -C moved verify
expect_status 0
expect_stdout_lacks error
made --text=stranger | redo -C moved hash-object -t receipt -w --ndjson --cid >stranger
run redo -C moved update-ref "$name" "$(cat stranger)"
expect_status 1
expect_stderr_has "is a receipt of the chain"
a_node | redo -C moved import -q - >/dev/null
run redo -C moved update-ref "$name" "$(redo -C moved log --format='%(id)')"
expect_status 1
expect_stderr_has "is not a receipt"
run redo -C moved reflog -n 1
expect_status 0

scene "stats counts receipts as a kind, and changes without them"
run redo -C both stats --by=kind
expect_status 0
expect_stdout_has "receipt"
run redo -C both stats --json
expect_stdout_has '"totalChanges":500'

scene "tasks travel beside receipts, in both directions, and no receipt leaves"
# leaked <store>: what of the receipts of 'both' is in a store, inflated: ids, CIDs, types.
leaked() {
  "$PYTHON" - "$1/.redo" "$PWD/all" <<'EOF'
import base64, json, os, sys, zlib
lines = [json.loads(line) for line in open(sys.argv[2])]
secrets = [base64.b64decode(line["cbor"]) for line in lines] + [line["cid"].encode() for line in lines]
digests = [base64.b32decode(line["cid"][1:].upper() + "=" * (-len(line["cid"][1:]) % 8))[4:] for line in lines]
secrets += digests + [digest.hex().encode() for digest in digests] + [b"session.created", b"did:buds"]
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        data = open(os.path.join(folder, name), "rb").read()
        pieces = [data, os.path.join(folder, name).encode()]
        try:
            pieces.append(zlib.decompress(data))
        except zlib.error:
            pass
        for secret in secrets:
            assert not any(secret in piece for piece in pieces), (name, secret[:40])
EOF
}
redo init -q plain
run redo -C plain fetch "$PWD/both"
expect_status 0
run redo -C plain sync "$PWD/both"
expect_status 0
expect_equal "$(redo -C plain log --sort=order --format='%(id)' | sha256sum)" "$(redo -C both log --sort=order --format='%(id)' | sha256sum)" "nodes"
expect_equal "$(chains plain)" '' "chains"
run redo -C plain config core.format
expect_stdout 1
leaked plain || fail "a receipt has left" </dev/null
redo -C plain key generate >/dev/null 2>&1
run redo -C plain commit create --title="from plain"
expect_status 0
before=$(chains both)
run redo -C both fetch "$PWD/plain"
expect_status 0
run redo -C both sync "$PWD/plain"
expect_status 0
expect_equal "$(redo -C plain log --sort=order --format='%(id)' | sha256sum)" "$(redo -C both log --sort=order --format='%(id)' | sha256sum)" "nodes after a change"
expect_equal "$(chains both)" "$before" "chains"
run redo -C both push --verify "$PWD/plain"
expect_status 0
expect_stderr_has "chains of receipts stay here"
run redo -C both ls-remote "$PWD/plain"
expect_status 0
run redo -C plain ls-remote "$PWD/both"
expect_status 0
expect_stdout_lacks receipts
leaked plain || fail "a receipt has left" </dev/null
run redo -C both verify
expect_status 0
expect_stdout_lacks error
run redo serve --stdio "$PWD/both" </dev/null
expect_status 0
expect_stdout ''

scene "a backup has the receipts, full and in increments; an independent reader and a restored store have the same"
rm -rf kept
cp -r other kept
own_copies
redo -C kept import -q "$PWD/nodes" >/dev/null
run redo -C kept backup "$PWD/points"
expect_status 0
made --many=20 --seed=9 | redo -C kept hash-object -t receipt -w --update-heads --ndjson >/dev/null
made --text=outside | redo -C kept hash-object -t receipt -w --ndjson >/dev/null
sleep 0.01
run redo -C kept backup --verify "$PWD/points"
expect_status 0
run redo -C kept backup "$PWD/points"
expect_status 0
expect_stderr_has "nothing is new"
for point in points/*.redobackup; do "$PYTHON" "$TESTS/Oracle/read_backup.py" points "${point##*/}" >points.read || fail "the oracle refuses '$point'" </dev/null; done
grep -v '^{"action' points.read | grep cbor | sort >points.lines
redo -C kept export --kind=receipt | plain >kept.lines
expect_equal "$(sha256sum <points.lines)" "$(sha256sum <kept.lines)" "receipts of the last point"
run redo backup check points
expect_status 0
run redo backup restore -o back points
expect_status 0
expect_equal "$(redo -C back show-ref)" "$(redo -C kept show-ref)" "refs"
expect_equal "$(redo -C back export --kind=receipt | sha256sum)" "$(redo -C kept export --kind=receipt | sha256sum)" "receipts"
run redo -C back verify --all
expect_equal "$(sort "$OUT" | sha256sum)" "$(redo -C kept verify --all | sort | sha256sum)" "verdicts"
run redo -C back verify
expect_status 0
first=$(find points -name '*-full.redobackup')
tar -tf "$first" >point.list
grep -qx receipts.redopack point.list || fail "no pack of receipts" </dev/null
cp -r points damaged
"$PYTHON" - damaged/*-full.redobackup <<'EOF'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
place = data.index(b"redopack\r\n\x02\x01") + 400
data[place] ^= 1
open(sys.argv[1], "wb").write(data)
EOF
run redo backup check damaged
[ "$STATUS" -ne 0 ] || fail "a damaged point is sound" </dev/null
expect_stderr_has "receipts.redopack"

scene "a precise place is in no backup that anybody can read, unless it is asked for"
run redo -C home backup "$PWD/open"
expect_status 128
expect_stderr_has "tell a precise place, and anybody could read the backup"
[ -z "$(find open -name '*.redobackup' 2>/dev/null)" ] || fail "a point was made" </dev/null
run redo -C home backup --include-precise "$PWD/open"
expect_status 0
"$PYTHON" "$TESTS/Oracle/age_file.py" keygen >age.key
AGE=$("$PYTHON" "$TESTS/Oracle/age_file.py" --identity "$(cat age.key)" public)
run redo -C home backup -r "$AGE" -i "$PWD/age.key" "$PWD/sealed"
expect_status 0
"$PYTHON" "$TESTS/Oracle/read_backup.py" --identity "$(cat age.key)" sealed "$(basename sealed/*.redobackup)" | sort >sealed.lines
expect_equal "$(sha256sum <sealed.lines)" "$(sort places | sha256sum)" "what is in the encrypted point"
grep -aq latitude sealed/*.redobackup && fail "a place can be read" </dev/null

scene "two repacks and a writer at once lose nothing"
redo init -q busy
redo -C busy hash-object -t receipt -w --update-heads --ndjson <many >/dev/null
for _ in 1 2; do redo -C busy repack -q & done
redo -C busy hash-object -t receipt -w --update-heads --ndjson <more >/dev/null
wait
redo -C busy repack -q
run redo -C busy export --kind=receipt
expect_equal "$(plain "$OUT" | sha256sum)" "$(sha256sum <all)" "receipts"
run redo -C busy verify
expect_status 0

scene "two copies are compared by their receipts, too, whatever each of them is"
redo -C busy export --kind=receipt >busy.lines
run redo compare busy busy.lines
expect_status 0
redo init -q part
sed -n '1,200p' many | redo -C part import -q - >/dev/null
run redo compare --stat busy part
expect_status 1
expect_stdout_lines 4
expect_equal "$(sed -n 's/^= //p' "$OUT")" "$(redo -C part export --kind=receipt | wc -l)" "the same"
run redo compare busy part
expect_equal "$(sed -n 's/^< //p' "$OUT" | sort)" \
  "$(comm -23 <(redo -C busy receipt list --show-deleted --json | grep -o '"id":"[^"]*"' | cut -d'"' -f4 | sort) <(redo -C part receipt list --show-deleted --json | grep -o '"id":"[^"]*"' | cut -d'"' -f4 | sort))" "what one has"
sed '1s/"signature":"[^"]*"/"signature":"'"$(printf 'A%.0s' {1..86})=="'"/' busy.lines >other.lines
run redo compare busy.lines other.lines
expect_status 1
expect_stdout_lines 1
grep -q '^! sha256:' "$OUT" || fail "no other signature" <"$OUT"
echo '{"cbor":"AAAA","cid":"x"}' >>other.lines
run redo compare busy.lines other.lines
expect_stderr_has "1 value is not"

scene "what is named and is not there is listed with its kind, of a store and of lines"
run redo -C busy verify --missing
expect_status 0
expect_stdout ''
parent=$("$PYTHON" -c '
import base64, json, sys
import dag_cbor
rows = [json.loads(line) for line in open("busy.lines")]
print(next(filter(None, (dag_cbor.decode(base64.b64decode(row["cbor"])).get("parentCID") for row in rows))))')
grep -v "\"cid\":\"$parent\"" busy.lines >gap.lines
run redo verify --missing gap.lines
expect_status 1
expect_stdout_has "missing receipt $(redo cid -d "$parent" | cut -d' ' -f1) sha256:"
redo init -q loose
redo -C loose config core.bulkLimit 0
head -n 3 many | redo -C loose hash-object -t receipt -w --update-heads --ndjson >loose.ids
gone=$(tail -n 1 loose.ids)
rm "loose/.redo/objects/$(cut -c8-9 <<<"$gone")/$(cut -c10- <<<"$gone")"
run redo -C loose verify --missing
expect_status 1
grep -q "^missing receipt $gone .*received$" "$OUT" || fail "another row" <"$OUT"

scene "an undo takes back the last change of tasks; receipts written since stay, and are counted"
redo init -q undone && redo -C undone key generate >/dev/null
TASK=$(redo -C undone commit create --title=one --format='%(task)')
redo -C undone commit update --task="$TASK" --title=two >/dev/null
for rating in 1 2; do
  redo -C undone receipt create <<<"{\"product_name\":\"a\",\"product_type\":\"b\",\"rating\":$rating,\"effects\":[]}" >/dev/null
done
redo -C undone receipt list >listed
run redo -C undone undo
expect_status 0
expect_stderr_has "3 receipts written since stay"
expect_equal "$(redo -C undone state --json | grep -c '"title":"one"')" 1 "the title before"
expect_equal "$(redo -C undone receipt list | sha256sum)" "$(sha256sum <listed)" "the receipts"
run redo -C undone undo 2
expect_status 1
expect_stderr_has "3 receipts written since stay"
