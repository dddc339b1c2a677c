#!/bin/bash
# Receipts as objects of a store: hashed, judged, written, shown, audited; and what does not work with them refuses.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

RECEIPTS=$VECTORS/receipt
# made <options>: a receipt as a line; cid_of and id_of: names of the one on standard input.
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
id_of() { redo cid -d "$(cid_of)" | cut -d' ' -f1; }
take() { redo hash-object -t receipt -w --update-heads --ndjson "$@"; }
heads() { redo show-ref | sed -n "s|^\(sha256:[0-9a-f]*\) receipts/${1#sha256:}\$|\1|p"; }
find_python nacl rfc8785
share 8

scene "every valid receipt has its CID and its id, in one call"
grep '^valid/' "$RECEIPTS/EXPECTED.tsv" >rows
cut -f1 rows | sed "s|^|$RECEIPTS/|" >files
cut -f6 rows >cids
run redo hash-object -t receipt --cid --stdin-paths <files
expect_status 0
expect_stdout_file cids
redo cid -d --stdin <cids | cut -d' ' -f1 >ids
run redo hash-object -t receipt --stdin-paths <files
expect_stdout_file ids

scene "an invalid one is refused with its rule and place"
grep '^invalid/' "$RECEIPTS/EXPECTED.tsv" | chosen | while IFS=$'\t' read -r file _ rule place _; do
  run redo hash-object -t receipt "$RECEIPTS/$file"
  expect_status 1
  expect_stdout ''
  case $place in [0-9]*) place="byte $place" ;; esac
  expect_stderr_has "error: '$RECEIPTS/$file': $rule at $place"
done || exit 1

scene "--signature is judged with the key of the trust file"
make_store >/dev/null 2>&1 || redo init -q
if [ -z "$PYTHON" ]; then
  skip "no python3 with nacl and rfc8785"
  exit 0
fi
ADA=$(made --key=ada) DID=$(made --did-of=ada)
made >first
"$PYTHON" -c 'import base64, json, sys; sys.stdout.buffer.write(base64.b64decode(json.load(sys.stdin)["cbor"]))' <first >first.cbor
SIGNATURE=$(sed 's/.*"signature":"\([^"]*\)".*/\1/' first)
echo "$ADA device=$DID/D1" >.redo/trust
run redo hash-object -t receipt --profile=sync --signature="$SIGNATURE" --cid first.cbor
expect_status 0
expect_stdout "$(cid_of <first)"
run redo hash-object -t receipt --profile=sync --signature="A${SIGNATURE:1}" first.cbor
expect_status 1
expect_stderr_has "signature-bad"
run redo hash-object -t receipt --profile=sync first.cbor
expect_status 1
expect_stderr_has "signature-missing"
run redo hash-object -t receipt --signature=abc first.cbor
expect_status 129

scene "a device stands for one key in the trust file"
printf '%s device=%s/D1\n' "$(made --key=ben)" "$DID" >>.redo/trust
run redo hash-object -t receipt --profile=sync --signature="$SIGNATURE" first.cbor
expect_status 128
expect_stderr_has "names the key of device"
echo "$ADA device=$DID/D1" >.redo/trust

scene "nothing is written before -w says so; the first receipt that is raises the format, and one that is refused does not"
made --type=edited --parent="$(cid_of <first)" --root="$(cid_of <first)" >too-early
run take <too-early
expect_status 1
expect_stderr_has "parent-missing"
run redo hash-object -t receipt -w --update-heads --ndjson --batch-verdicts <too-early
expect_status 1
run redo config core.format
expect_stdout 1
run take <first
expect_status 0
expect_stdout "$(id_of <first)"
run redo config core.format
expect_stdout 2
expect_equal "$(heads "$(id_of <first)")" "$(id_of <first)" "head"
run redo verify
expect_status 0
expect_stdout ''
run redo verify "$(cid_of <first)"
expect_stdout "G $(id_of <first) body"
run take <first
expect_status 0

scene "cat-node and show tell what it is"
ROOT=$(cid_of <first)
run redo cat-node -t "$ROOT"
expect_stdout receipt
run redo cat-node "$ROOT"
cmp -s first.cbor "$OUT" || fail "cat-node does not give the bytes back" </dev/null
run redo cat-node --pointer=/payload/product_name "$ROOT"
expect_stdout '"Blue Dream"'
run redo cat-node --format='%(kind) %(cid) %(did) %(type) %(root) %(author:device) %(signature)' "$ROOT"
expect_stdout "receipt $ROOT $DID app.buds.session.created/v1 $ROOT D1 $SIGNATURE"
run redo cat-node -p "$ROOT"
expect_stdout_has '    "product_name": "Blue Dream",'
run redo show "$ROOT"
expect_stdout_has "Type:      app.buds.session.created/v1"
expect_stdout_has "Signature: G (good, over the bytes)"
expect_stdout_has "Claimed:   2025-03-01T08:00:00.000Z"
run redo show --json "$ROOT"
expect_stdout_has "{\"cid\":\"$ROOT\",\"id\":"
run redo cat-node node "$ROOT"
expect_status 128
expect_stderr_has "is a receipt, not a node"

scene "a chain: heads follow, whatever the order of the lines; two edits of one are two heads"
made --type=edited --parent="$ROOT" --root="$ROOT" --text=two >second
made --type=edited --parent="$(cid_of <second)" --root="$ROOT" --text=three >third
made --type=edited --parent="$ROOT" --root="$ROOT" --text=other >other
run take <<<"$(cat third second)"
expect_status 0
expect_equal "$(heads "$(id_of <first)")" "$(id_of <third)" "head"
run take <other
expect_equal "$(heads "$(id_of <first)" | sort)" "$(for line in third other; do id_of <$line; done | sort)" "heads"
run take <second
expect_equal "$(heads "$(id_of <first)" | wc -l)" 2 "heads after a receipt that was there"
run redo verify
expect_status 0

scene "a parent that is missing, or of another chain, is refused, and nothing is written"
made --text=stranger >stranger
made --type=edited --parent="$(cid_of <stranger)" --root="$(cid_of <stranger)" >orphan
made --type=edited --parent="$(cid_of <orphan)" --root="$(cid_of <stranger)" >below
before=$(fingerprint)
run take <<<"$(cat orphan below)"
expect_status 1
expect_stderr_has "'<stdin>', line '1': parent-missing"
expect_stderr_has "'<stdin>', line '2': parent-refused"
made --type=edited --parent="$ROOT" --root="$(cid_of <stranger)" >astray
run take <astray
expect_status 1
expect_stderr_has "receipt-root-mismatch"
expect_equal "$(fingerprint)" "$before" "the store"
run redo hash-object -t receipt -w --update-heads --ndjson --batch-verdicts <<<"$(cat astray stranger)"
expect_status 1
expect_stdout_has "B $(id_of <astray) receipt-root-mismatch at /rootCID"
expect_stdout_has "G $(id_of <stranger) body"

scene "another author's edit is taken with a warning, and under sync refused"
echo "$(made --key=ben) device=$(made --did-of=ben)/D2" >>.redo/trust
made --person=ben --type=edited --parent="$ROOT" --root="$ROOT" >foreign
run redo hash-object -t receipt -w --update-heads --profile=sync --ndjson <foreign
expect_status 1
expect_stderr_has "receipt-author-change"
run take <foreign
expect_status 0
expect_stderr_has "receipt-author-change"
run redo verify
expect_status 0
expect_stdout_has "warning receipt-author-change $(id_of <foreign)"

scene "a line must be one, and say what it holds"
run take <<<'{"cbor":"oA==","cid":"bafy"}'
expect_status 1
expect_stderr_has "cid-form at /cid"
run take <<<'{"cbor":"oA","x":1}'
expect_status 1
run take <<<"$(sed "s/$ROOT/$(cid_of <second)/" first)"
expect_status 1
expect_stderr_has "hash-mismatch at /cid"
run take <<<'not JSON'
expect_status 1
expect_stderr_has "json-syntax"

scene "a card is a key, wherever it stands in the input; two cards of a device are none"
redo init -q cards
made --person=eve --text=early >early
made --person=eve --type=card >card
run redo -C cards hash-object -t receipt -w --update-heads --profile=sync --ndjson <<<"$(cat early card)"
expect_status 0
made --person=eve --type=card --key-of=ada --by=ada --did=did:phone:1 >forged
made --person=eve --text=late >late
run redo -C cards hash-object -t receipt --profile=sync --ndjson <late
expect_status 0
made --person=eve --did=did:phone:1 --type=card >phone
made --person=eve --did=did:phone:1 --text=phoned >phoned
run redo -C cards hash-object -t receipt -w --update-heads --ndjson <<<"$(cat phone forged phoned)"
expect_status 0
expect_stderr_has "device-collision"
run redo -C cards verify "$(cid_of <phoned)"
expect_stdout "E $(id_of <phoned) key-unknown"
run redo -C cards verify --all
expect_stdout_lacks "G $(id_of <phoned)"
redo -C cards verify --all --json >loose
run grep -c device-collision loose
expect_stdout 2
# In one pack they are decided about when it has been read; in two, whatever the pack that is read first says.
redo -C cards repack -q
redo -C cards verify --all --json >packed
run diff loose packed
expect_status 0
made --person=eve --did=did:phone:1 --text=later >later
redo -C cards hash-object -t receipt -w --update-heads --ndjson <later >/dev/null
redo -C cards repack -q
redo -C cards verify --all --json | grep -v "$(id_of <later)" >packed
run diff loose packed
expect_status 0
made --person=eve --did=did:phone:1 --text=again >again
run redo -C cards hash-object -t receipt --profile=sync --ndjson <<<"$(cat phone again)"
expect_status 1
expect_stderr_has "'<stdin>', line '2': key-unknown"
echo "$(made --key=eve) device=did:phone:1/D3" >cards/.redo/trust
run redo -C cards verify "$(cid_of <phoned)"
expect_stdout "G $(id_of <phoned) body"
made --person=eve --by=ada >forgery
run redo -C cards hash-object -t receipt -w --ndjson <forgery
expect_status 1
expect_stderr_has "signature-bad"
echo "$(made --key=ben) device=$(made --did-of=eve)/D3" >cards/.redo/trust
run redo -C cards verify "$(cid_of <early)"
expect_status 1
expect_stdout_has "did-key-mismatch"

scene "a key that is revoked, or out of its time"
echo "$(made --key=eve) device=did:phone:1/D3,revoked,valid-through=$(id_of <phone)" >cards/.redo/trust
run redo -C cards verify "$(cid_of <phoned)"
expect_stdout "R $(id_of <phoned) key-revoked"
run redo -C cards verify "$(cid_of <phone)"
expect_stdout "G $(id_of <phone) body"
echo "$(made --key=eve) device=did:phone:1/D3,valid-before=2025-03-01T00:00:00.000Z" >cards/.redo/trust
run redo -C cards verify "$(cid_of <phoned)"
expect_stdout "X $(id_of <phoned) key-expired"

scene "the audit finds a flipped bit and a lost parent; no ref is that of a chain to which its receipt does not belong"
copy() { rm -rf copy && cp -R .redo copy && redo --redo-dir=copy config trust-store >/dev/null 2>&1; }
file_of() { local id; id=$(id_of); id=${id#sha256:}; echo "copy/objects/${id:0:2}/${id:2}"; }
copy
chmod u+w "$(file_of <second)" && printf x | dd of="$(file_of <second)" bs=1 seek=40 conv=notrunc status=none
run redo --redo-dir=copy verify
expect_status 1
expect_stdout_has "error object-corrupt $(id_of <second)"
copy
rm -f "$(file_of <second)"
run redo --redo-dir=copy verify
expect_status 1
expect_stdout_has "error parent-missing $(id_of <second)"
expect_stdout_has "error object-missing $(id_of <second)"
run redo update-ref "receipts/$(printf '%064d' 7)" "$(id_of <first)"
expect_status 1
expect_stderr_has "is a receipt of the chain"

scene "nodes beside receipts: history, state and log are those of the nodes alone"
redo init -q both && redo init -q nodes
for store in both nodes; do redo -C $store import -q <(demo 200) >/dev/null; done
redo -C both hash-object -t receipt -w --update-heads --ndjson <first >/dev/null
for command in log "log --sort=order" "state --json" "query" "show-ref heads/" "log -n 3 --oneline"; do
  # shellcheck disable=SC2086
  run redo -C both $command
  expect_status 0
  # shellcheck disable=SC2086
  redo -C nodes $command >wanted
  expect_stdout_file wanted
done
redo -C both key generate -q >/dev/null
run redo -C both commit create --title=Beside
expect_status 0
run redo -C both log -n 1 --oneline
expect_stdout_has '"Beside"'
run redo -C both verify
expect_stdout_lacks error
run redo -C both log "$ROOT"
expect_status 128
expect_stderr_has "is a receipt, not a node"

scene "two writers at once lose no head"
redo init -q busy
cp .redo/trust busy/.redo/trust
for number in 1 2 3 4 5 6; do made --text="at once $number"; done >many
while read -r line; do redo -C busy hash-object -t receipt -w --update-heads --ndjson <<<"$line" >/dev/null & done <many
wait
run redo -C busy show-ref
expect_equal "$(wc -l <"$OUT")" 6 "chains"
run redo -C busy verify
expect_status 0
expect_stdout ''
