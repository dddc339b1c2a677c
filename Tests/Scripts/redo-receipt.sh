#!/bin/bash
# What chains of receipts come to: lists in their orders, the receipt that is shown, deletions, and what has no effect.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "chains of receipts" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
take() { redo -C "$1" hash-object -t receipt -w --update-heads --ndjson >/dev/null; }
# member <name>: of the object on standard input.
member() { "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin).get(sys.argv[1], "-"))' "$1"; }
shown() { redo -C "$1" receipt show --json "$2" | member shown; }
SEEDED=$((SEED % 100000))

scene "lists in each order, and what is shown of each chain, are those of an independent reader"
made --many=250 --seed="$SEEDED" --precise >many
redo init -q big
for part in 1 2 3; do
  sed -n "$((part * 90 - 89)),$((part * 90))p" many | redo -C big import -q - >/dev/null 2>&1
done
redo -C big import -q "$PWD/many" >/dev/null 2>&1
redo -C big export --kind=receipt --include-precise >lines
for order in causal received claimed; do
  run redo -C big receipt list --order=$order
  expect_status 0
  cut -f1 "$OUT" >found
  "$PYTHON" "$TESTS/Oracle/receipt_chains.py" list $order <lines >wanted
  cmp -s found wanted || fail "another order of $order" < <(diff found wanted | head)
done
"$PYTHON" "$TESTS/Oracle/receipt_chains.py" shown <lines >wanted
while read -r root shown heads; do
  redo -C big receipt show --json "$root" >row
  expect_equal "$(member shown <row) $("$PYTHON" -c 'import json; print(",".join(json.load(open("row"))["heads"]))')" "$shown $heads" "$root"
done < <(awk 'NR % 5 == 1' wanted)
run redo -C big receipt list --json
expect_stdout_lines 251
expect_stdout_has '"letter":"G"'
run redo -C big receipt list -z
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" 251 "rows that end with NUL"

scene "rows have tabs, and options choose"
redo init -q some
first=$(made --text=one)
ROOT=$(cid_of <<<"$first")
edit=$(made --type=edited --parent="$ROOT" --root="$ROOT" --text=two)
EDIT=$(cid_of <<<"$edit")
other=$(made --text=other --person=ben)
printf '%s\n' "$first" "$edit" "$other" "$(made --type=card)" "$(made --type=card --person=ben)" | take some
run redo -C some receipt list --root="$EDIT"
expect_status 0
expect_equal "$(cut -f1 "$OUT" | tr '\n' ' ')" "$ROOT $EDIT " "the chain of its edit"
expect_equal "$(head -n 1 "$OUT" | cut -f2,4,5)" "app.buds.session.created/v1	2025-03-01T08:00:00.000Z	$(made --did-of=ada)" "columns"
run redo -C some receipt list --type=app.buds.session.edited/v1
expect_equal "$(cut -f1 "$OUT")" "$EDIT" "edits"
run redo -C some receipt list --did="$(made --did-of=ben)"
expect_stdout_lines 2
run redo -C some receipt list --order=alphabet
expect_status 129
run redo -C some receipt list words
expect_status 129
run redo -C some receipt list --root="$(cid_of < <(made --text=absent))"
expect_status 128
run redo -C some receipt show
expect_status 129
run redo -C some receipt show "$ROOT"
expect_status 0
expect_stdout_has "receipt:    $ROOT"
expect_stdout_has "Shown:      $EDIT"
expect_stdout_has "Heads:      $EDIT"
expect_stdout_has '"product_name":"one"'
run redo -C some receipt show --json "$EDIT"
expect_stdout_has "\"parentCID\":\"$ROOT\""
expect_stdout_has '"payload":{"claimed_time_ms":'
run redo -C some receipt show "$(redo -C some hash-object -w --stdin -t blob <<<x)"
expect_status 128
expect_stderr_has "is a blob, not a receipt"

scene "a deletion holds for good, whichever comes first; the original stays"
deletion=$(made --type=memory --text="$EDIT")
redo init -q late && redo init -q early
# Without the key of the author nothing speaks for anything.
for store in late early; do made --type=card | take $store; done
printf '%s\n' "$first" "$edit" | take late
take late <<<"$deletion"
take early <<<"$deletion"
expect_equal "$(redo -C early receipt list | grep -v device.registered | cut -f1)" "$(cid_of <<<"$deletion")" "what is there before it"
printf '%s\n' "$first" "$edit" | take early
again=$(made --type=edited --parent="$EDIT" --root="$ROOT" --text=again)
for store in late early; do
  take $store <<<"$again"
  run redo -C $store receipt list
  expect_equal "$(grep -v device.registered "$OUT" | cut -f1)" "$(cid_of <<<"$deletion")" "what is left in $store"
  run redo -C $store receipt list --show-deleted
  expect_stdout_lines 5
  run redo -C $store receipt show "$ROOT"
  expect_stdout_has "Deleted by: $(cid_of <<<"$deletion")"
  run redo -C $store verify "$ROOT"
  expect_status 0
done

scene "what somebody else deletes stays"
foreign=$(made --type=memory --text="$ROOT" --person=eve)
inside=$(made --type=deleted --parent="$EDIT" --root="$ROOT" --person=eve)
printf '%s\n' "$foreign" "$inside" "$(made --type=card --person=eve)" | take some 2>/dev/null
run redo -C some receipt list --root="$ROOT"
expect_stdout_lines 3
expect_equal "$(shown some "$ROOT")" "$EDIT" "what is shown"
for cid in "$(cid_of <<<"$foreign")" "$(cid_of <<<"$inside")"; do
  run redo -C some receipt show "$cid"
  expect_stdout_has "No effect:  tombstone-foreign"
done

scene "a second device of an author without a key in the name changes nothing until it is pinned"
PHONE=did:phone:$(printf '%064d' 5)
redo init -q phone
one=$(made --did="$PHONE" --text=mine)
MINE=$(cid_of <<<"$one")
two=$(made --did="$PHONE" --type=edited --parent="$MINE" --root="$MINE" --text=theirs --person=eve --device=D9)
THEIRS=$(cid_of <<<"$two")
own=$(made --did="$PHONE" --type=edited --parent="$MINE" --root="$MINE" --text=own)
kill=$(made --did="$PHONE" --type=memory --text="$MINE" --person=eve --device=D9)
printf '%s\n' "$(made --did="$PHONE" --type=card)" "$(made --did="$PHONE" --type=card --person=eve --device=D9)" "$one" "$two" "$kill" | take phone
expect_equal "$(shown phone "$MINE")" "$MINE" "what is shown"
run redo -C phone receipt show "$THEIRS"
expect_stdout_has "No effect:  receipt-unpinned"
expect_stdout_has "Signature:  G"
run redo -C phone receipt show "$(cid_of <<<"$kill")"
expect_stdout_has "No effect:  receipt-unpinned"
take phone <<<"$own"
expect_equal "$(shown phone "$MINE")" "$(cid_of <<<"$own")" "what is shown after an edit of the same device"
echo "$(made --key=eve) device=$PHONE/D9" >phone/.redo/trust
run redo -C phone receipt list
expect_equal "$(cut -f1 "$OUT" | grep -c "$MINE")" 0 "rows of the chain once its deletion speaks for it"
run redo -C phone receipt show "$MINE"
expect_stdout_has "Deleted by: $(cid_of <<<"$kill")"

made_as() { "$PYTHON" "$TESTS/Oracle/receipt_made.py" "$@"; }
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"],"thc_percent":23.5,"amount_grams":0.5}'
KEPT=app.buds.session.created/v1
# create <store> [option...]: of the payload on standard input.
create() {
  local store=$1
  shift
  redo -C "$store" receipt create "$@"
}
# spoken <store>: the names that its receipts are made in, author and device.
spoken() { redo -C "$1" receipt show --json "$2" | "$PYTHON" -c 'import json, sys; row = json.load(sys.stdin); print(row["did"], row["deviceId"])'; }

scene "the first receipt brings the card of the device; others can check both"
redo init -q own
run redo -C own receipt create <<<"$MEMORY"
expect_status 128
expect_stderr_has "there is no key"
redo -C own key generate >/dev/null
run create own --at=2025-03-01T08:00:00.000Z <<<"$MEMORY"
expect_status 0
expect_stdout_lines 1
expect_stderr ''
FIRST=$(cat "$OUT")
read -r DID DEVICE < <(spoken own "$FIRST")
expect_equal "$DEVICE" "$(redo -C own key device-id)" "the device"
expect_equal "$FIRST" "$(made_as cid "$DID" "$DEVICE" $KEPT 1740816000000 <<<"$MEMORY")" "the CID"
PUBLIC=$(redo -C own key show --public)
redo -C own cat-node "$FIRST" >bytes
redo -C own receipt show --json "$FIRST" | member signature | made_as check "$PUBLIC" bytes || fail "the signature does not hold"
expect_equal "$DID" "$("$PYTHON" -c '
import sys
sys.path.insert(0, sys.argv[2])
from maker import receipt_base
print(receipt_base.did_of(bytes.fromhex(sys.argv[1])))' "$PUBLIC" "$TESTS/Vectors")" "the name that is made of the key"
expect_equal "$(redo -C own receipt list | cut -f2 | sort | tr '\n' ' ')" "$KEPT redo.device.registered/v1 " "what is there"
CARD=$(redo -C own receipt list --type=redo.device.registered/v1 | cut -f1)
expect_equal "$(redo -C own receipt show --json "$CARD" | "$PYTHON" -c '
import base64, json, sys
import nacl.public
row = json.load(sys.stdin)
secret = nacl.public.PrivateKey(bytes.fromhex(open(sys.argv[1]).read().strip()))
payload = row["payload"]
print(base64.b64decode(payload["pubkey_ed25519"]).hex(), base64.b64decode(payload["pubkey_x25519"]) == bytes(secret.public_key))' own/.redo/keys/x25519_private_key)" \
  "$PUBLIC True" "the keys of the card"
expect_equal "$(stat -c %a own/.redo/keys/x25519_private_key)" 600 "its mode"
expect_equal "$(cat own/.redo/keys/device_card)" "$CARD" "where the card is found again"
run redo -C own verify --all
expect_status 0
redo -C own export --kind=receipt >lines
redo init -q other && redo -C other import -q --profile=sync - <lines >/dev/null
expect_equal "$(redo -C other receipt list --json | grep -c '"letter":"G"')" 2 "good ones elsewhere"

scene "payloads become what an independent reading of the page makes of them"
made_as random "$SEED" 60 >payloads
number=0
while read -r line; do
  number=$((number + 1))
  wanted=$(made_as cid "$DID" "$DEVICE" $KEPT 1740816000000 <<<"$line")
  found=$(create own -nq --at=2025-03-01T08:00:00.000Z <<<"$line" 2>"$ERR") || {
    # A time of its own is not that of the option.
    grep -q "the payload tells another" "$ERR" || fail "payload $number is refused" <<<"$line"
    found=$(create own -nq <<<"$line") || fail "payload $number is refused" <<<"$line"
  }
  expect_equal "$found" "$wanted" "payload $number: $line"
done <payloads
expect_equal "$number" 60 "payloads"
expect_equal "$(redo -C own receipt list | wc -l)" 2 "receipts after -n"

scene "what is not exact, not of its type or not JSON is refused by name, and nothing is written"
before=$(cd own && find .redo -type f ! -name '.lock' -exec sha256sum {} + | sort)
refused() {
  run create own "${@:3}" <<<"$1"
  expect_status 1
  expect_stderr_has "$2"
  expect_stdout ''
}
refused "${MEMORY/23.5/23.555}" "'$KEPT': payload-type at /payload/thc_percent: "
expect_stderr_has "not '23.555'"
refused "${MEMORY/0.5\}/0.0005\}}" "payload-type at /payload/amount_grams"
refused "${MEMORY/:4/:4.5}" "payload-type at /payload/rating"
refused "${MEMORY/:4/:1e400}" ""
refused "${MEMORY/:4/:\"4\"}" "payload-type at /payload/rating"
refused "${MEMORY/:4/:null}" "member-null at /payload/rating"
refused "${MEMORY/\"rating\":4,/}" "payload-missing at /payload/rating"
refused "${MEMORY/\"rating\"/\"strain_name\":7,\"rating\"}" "payload-type at /payload/strain_name"
refused "${MEMORY/\"rating\"/\"rating\":3,\"rating\"}" "json-duplicate"
refused "[$MEMORY]" "receipt-form at /payload"
refused "${MEMORY%\}}" "json-"
refused "$MEMORY" "receipt-type-form" --type=session
refused "$MEMORY" "'new receipt': receipt-type-form at /receiptType" --type=
refused '{}' "member-missing at /parentCID" --type=app.buds.session.deleted/v1
refused '{"location_type":"precise","latitude":52.5,"longitude":13.4}' "receipt-precise at /payload/latitude" --type=app.buds.location/v1
expect_stderr_has "'--include-precise' signs it all the same"
refused "${MEMORY/\"rating\"/\"at\":{\"latitude\":1\},\"rating\"}" "receipt-precise at /payload/at/latitude"
refused "{\"x\":$(printf '[%.0s' {1..40})$(printf ']%.0s' {1..40})}" "cbor-depth" --type=app.buds.daily.summary/v1
refused "{\"x\":\"$(head -c 70000 /dev/zero | tr '\0' x)\"}" "'app.buds.daily.summary/v1': receipt-size at '': a receipt has at most" --type=app.buds.daily.summary/v1
refused "${MEMORY/\}/,\"claimed_time_ms\":5\}}" "'--at' is not the time" --at=now
refused '{"memory_id":"m","reaction_type":"r"}' "'--at' is not the time" --type=app.buds.reaction.removed/v1 --at=now
expect_equal "$(cd own && find .redo -type f ! -name '.lock' -exec sha256sum {} + | sort)" "$before" "the files"
run create own -n <<<"${MEMORY/:4/:9}"
expect_status 0
expect_stderr_has "warning: '$KEPT': payload-range at /payload/rating"
run create own -n words <<<"$MEMORY"
expect_status 129

scene "a float stays one where its type has floats; a precise place is signed on request only"
run create own --type=app.buds.location/v1 --include-precise <<<'{"location_type":"precise","latitude":52.5,"longitude":13,"delay_share_until":1e3}'
expect_status 0
expect_stderr ''
redo -C own cat-node -p "$(cat "$OUT")" | tr -d " \n" >row
grep -q '"latitude":52.5' row || fail "no latitude" <row
grep -q '"delay_share_until":1000' row || fail "no delay" <row
redo -C own cat-node "$(cat "$OUT")" | "$PYTHON" -c '
import sys, dag_cbor
payload = dag_cbor.decode(dag_cbor.decode(sys.stdin.buffer.read())["payload"])
assert [type(payload[name]) for name in ("latitude", "longitude", "delay_share_until")] == [float, int, int], payload' || fail "other types"
run create own --type=app.buds.reaction.added/v1 --at=2025-03-01T08:00:00.000Z <<<'{"memory_id":"m","reaction_type":"heart"}'
expect_status 0
redo -C own cat-node -p "$(cat "$OUT")" | tr -d " \n" >row
grep -q '"created_at_ms":1740816000000' row || fail "no time" <row
grep -q claimed_time_ms row && fail "a time that the apps do not write" <row

scene "verify --explain tells form and key of a receipt, and all that is odd about it"
PLACE=$(redo -C own receipt list --type=app.buds.location/v1 | cut -f1)
run redo -C own verify --explain "$PLACE"
expect_status 0
for line in "receipt sha256:" "verdict G body" "cid $PLACE" "form client" "did $DID" "device $DEVICE" "key $PUBLIC" "bound yes" \
  "finding receipt-precise at /payload/latitude"; do expect_stdout_has "$line"; done
run redo -C own verify --explain --json "$PLACE"
"$PYTHON" -c '
import json, sys
row = json.load(open(sys.argv[1]))
assert list(row) == sorted(row) and row["cid"] == sys.argv[2] and len(row["findings"]) == 2, row' "$OUT" "$PLACE" || fail "another row" <"$OUT"
run redo -C own verify --explain --all
expect_equal "$(grep -c ^receipt "$OUT")" "$(redo -C own receipt list | wc -l)" "receipts that are explained"

scene "an edit follows what is shown, whatever is named, and keeps its time; it is shown from then on"
SECOND=$(redo -C own receipt edit "$FIRST" <<<"${MEMORY/:4/:5}")
expect_equal "$SECOND" "$(made_as cid "$DID" "$DEVICE" app.buds.session.edited/v1 1740816000000 "$FIRST" "$FIRST" <<<"${MEMORY/:4/:5}")" "the edit"
THIRD=$(redo -C own receipt edit "$FIRST" -m better --at=2025-04-01T08:00:00.000Z <<<"${MEMORY/:4/:1}")
expect_equal "$THIRD" "$(made_as cid "$DID" "$DEVICE" app.buds.session.edited/v1 1743494400000 "$SECOND" "$FIRST" <<<"${MEMORY/:4/:1}")" "the edit after it"
expect_equal "$(shown own "$SECOND")" "$THIRD" "what is shown"
expect_equal "$(redo -C own reflog show "receipts/$(redo cid -d "$FIRST" | cut -d' ' -f1 | cut -d: -f2)" | head -n 1 | grep -c 'receipt edit: app.buds.session.edited/v1: better')" 1 "the reason"
run redo -C own receipt edit -q "$FIRST" --type=app.buds.preferences.updated/v1 <<<'{}'
expect_error 1 "is not shown in the chain of '$FIRST'"
run redo -C own receipt edit <<<'{}'
expect_status 129
run redo -C own receipt edit "$(cid_of < <(made --text=absent))" <<<"$MEMORY"
expect_status 128
run redo -C own receipt edit "$CARD" <<<"{\"pubkey_ed25519\":1}"
expect_status 1
FREE=$(create own --type=app.buds.preferences.updated/v1 <<<'{"a":1}')
run redo -C own receipt edit "$FREE" <<<'{"a":2}'
expect_status 0
expect_equal "$(shown own "$FREE")" "$(cat "$OUT")" "what is shown of another type"
expect_equal "$(redo -C own cat-node --format='%(type)' "$(cat "$OUT")")" app.buds.preferences.updated/v1 "its type"

scene "a deletion names the first receipt, and holds; what was deleted is changed no more"
run redo -C own receipt delete --reason=spam "$SECOND"
expect_status 0
redo -C own cat-node -p "$(cat "$OUT")" | tr -d " \n" >row
grep -q "\"memory_cid\":\"$FIRST\"" row && grep -q '"reason":"spam"' row && grep -q '"rootCID":"SELF"' row || fail "another deletion" <row
run redo -C own receipt list
grep -q "$FIRST\|$THIRD" "$OUT" && fail "it is listed still" <"$OUT"
for word in "edit $THIRD" "delete $FIRST"; do
  run redo -C own receipt $word <<<"$MEMORY"
  expect_error 1 "was deleted by '"
done
run redo -C own verify --all
expect_status 0

scene "nothing is signed that would have no effect: others' chains, another key of the author, a device that is not pinned"
take own < <(made --type=card --person=eve && made --text=theirs --person=eve)
THEIRS=$(cid_of < <(made --text=theirs --person=eve))
run redo -C own receipt edit "$THEIRS" <<<"$MEMORY"
expect_error 1 "'$THEIRS' is a receipt of '$(made --did-of=eve)', and only its author can change it"
run redo -C own receipt delete "$THEIRS"
expect_status 1
redo -C own config set receipt.did "$(made --did-of=eve)"
run create own <<<"$MEMORY"
expect_error 1 "is made of another key than this store's"
redo -C own config set receipt.did me
run create own <<<"$MEMORY"
expect_error 128 "'receipt.did' is no name of an author"
redo -C own config set receipt.did "$PHONE"
take own < <(made --did="$PHONE" --type=card && made --did="$PHONE" --text=mine)
run redo -C own receipt edit "$MINE" <<<"$MEMORY"
expect_error 1 "would have no effect on '$MINE': receipt-unpinned"
run redo -C own receipt delete "$MINE"
expect_error 1 "receipt-unpinned"
echo "$PUBLIC device=$PHONE/$DEVICE" >own/.redo/trust
run redo -C own receipt edit "$MINE" <<<"$MEMORY"
expect_status 0
expect_equal "$(shown own "$MINE")" "$(cat "$OUT")" "what is shown once the device is pinned"
echo "$(made --key=eve) device=$PHONE/$DEVICE" >own/.redo/trust
run create own <<<"$MEMORY"
expect_error 1 "another key than this store's is pinned to device '$PHONE/$DEVICE'"
rm own/.redo/trust
redo init -q taken && redo -C taken key generate >/dev/null && redo -C taken config set receipt.did "$PHONE"
take taken < <(made --did="$PHONE" --type=card --person=eve --device="$(redo -C taken key device-id)")
run create taken <<<"$MEMORY"
expect_error 1 "has a card with another key"

scene "where the key takes a passphrase, so does the one for sharing; it is asked for once"
redo init -q closed
echo 'a long passphrase of words' >pass
redo -C closed key generate --passphrase-fd=3 3<pass >/dev/null
run redo -C closed receipt create --passphrase-fd=3 3<pass <<<"$MEMORY"
expect_status 0
"$PYTHON" - closed/.redo/keys pass <<'P' || fail "an independent reader does not open the key"
import hashlib, hmac, pathlib, sys
import nacl.bindings as sodium
from nacl.pwhash import argon2id
keys = pathlib.Path(sys.argv[1])
words = [line.split() for line in (keys / "ed25519_private_key").read_text().splitlines()]
passphrase = open(sys.argv[2], "rb").read().strip()
wrapping = argon2id.kdf(32, passphrase, bytes.fromhex(words[2][3]), opslimit=int(words[2][1]), memlimit=int(words[2][2]) * 1024)
public = bytes.fromhex(words[1][1])
seed = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(bytes.fromhex(words[3][2]), public, bytes.fromhex(words[3][1]), wrapping)
name, version, point, signer, nonce, sealed = (keys / "x25519_private_key").read_text().strip().split(" ")
assert (name, version, signer) == ("redo-x25519", "1", public.hex())
pseudo = hmac.digest(bytes(32), seed, "sha256")
key = hmac.digest(pseudo, b"redo x25519_private_key 1\1", "sha256")
scalar = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(bytes.fromhex(sealed), bytes.fromhex(point), bytes.fromhex(nonce), key)
assert sodium.crypto_scalarmult_base(scalar).hex() == point
P
run redo -C closed key list --json
expect_stdout_has '{"kind":"exchange-key","name":"x25519_private_key","wrapped":true}'
cp closed/.redo/keys/x25519_private_key before
redo -C closed receipt create --passphrase-fd=3 3<pass <<<"$MEMORY" >/dev/null || fail "no second one"
cmp before closed/.redo/keys/x25519_private_key || fail "the key for sharing has changed"
expect_equal "$(redo -C closed receipt list --type=redo.device.registered/v1 | wc -l)" 1 "cards"
sed -i 's/.$/!/' closed/.redo/keys/x25519_private_key
run redo -C closed verify
expect_stdout_has x25519_private_key
expect_status 1

scene "a card is not made twice, and made again where it is gone"
redo init -q cards && redo -C cards key generate >/dev/null
for number in 1 2 3 4; do (create cards --at=2025-03-0${number}T08:00:00Z <<<"$MEMORY" >made.$number) & done
wait
expect_equal "$(cat made.* | sort -u | wc -l)" 4 "receipts of four at once"
count=$(redo -C cards receipt list --type=redo.device.registered/v1 | wc -l)
[ "$count" -ge 1 ] && [ "$count" -le 4 ] || fail "$count cards"
expect_equal "$(redo -C cards receipt list --json | grep -c '"letter":"G"')" $((4 + count)) "good ones"
rm cards/.redo/keys/device_card
create cards <<<"$MEMORY" >/dev/null
expect_equal "$(redo -C cards receipt list --type=redo.device.registered/v1 | wc -l)" "$count" "cards after the note is lost"
echo "$FIRST" >cards/.redo/keys/device_card
create cards <<<"$MEMORY" >/dev/null
expect_equal "$(redo -C cards receipt list --type=redo.device.registered/v1 | wc -l)" "$count" "cards where the note names something else"
redo -C cards export --kind=receipt >all
redo init -q moved && cp -r cards/.redo/keys moved/.redo/
create moved <<<"$MEMORY" >/dev/null
expect_equal "$(redo -C moved receipt list --type=redo.device.registered/v1 | wc -l)" 1 "cards of a store that had none"

scene "a picture has a mark for each row of the list, in its order, whatever words there are; and nothing that is not in the rows"
cat >look.py <<'END'
"""Reads a picture: the CIDs of its marks in their order, and what all marks say; refuses what a picture must not have."""
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == SVG + "svg" and root.get("version") == "1.1", root.attrib
width, height = int(root.get("width")), int(root.get("height"))
places = set()
for element in root.iter():
    assert element.tag.removeprefix(SVG) in {"svg", "title", "style", "rect", "text", "path", "circle"}, element.tag
    assert not [name for name in element.attrib if name.startswith("on") or "href" in name], element.attrib
for mark in root.iter(SVG + "circle"):
    x, y, r = (int(mark.get(name)) for name in ("cx", "cy", "r"))
    assert r <= x <= width - r and r <= y <= height - r, (x, y)
    assert (x, y) not in places, "two marks at one place"
    places.add((x, y))
    type_, time, did, cid = mark.find(SVG + "title").text.split("\n")
    print(cid, type_, time, did, "deleted" if mark.get("class").startswith("o") else "there", sep="\t")
END
look() { "$PYTHON" look.py "$1"; }
for order in causal received claimed; do
  run redo -C big receipt list --svg --order=$order
  expect_status 0
  cp "$OUT" picture.svg
  look picture.svg >marks || fail "no such picture" </dev/null
  column=3 && [ $order = claimed ] && column=4
  redo -C big receipt list --order=$order | awk -F'\t' -v OFS='\t' -v column=$column '{ print $1, $2, $column, $5, "there" }' | diff - marks >"$OUT" || fail "other marks" <"$OUT"
  redo -C big receipt list --svg --order=$order | cmp -s - picture.svg || fail "other bytes" </dev/null
done
redo init -q drawn && head -n 80 many | take drawn 2>/dev/null
redo -C drawn receipt list --svg >picture.svg
look picture.svg >marks
expect_equal "$(wc -l <marks)" "$(redo -C drawn receipt list | wc -l)" "marks"
expect_equal "$(grep -c 'class="q">bafyrei' picture.svg)" "$(wc -l <marks)" "lines"
redo init -q odd && redo -C odd key generate >/dev/null
GONE=$(redo -C odd receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
SECRET=$(redo -C odd receipt create --at=2025-03-02T08:00:00Z <<<'{"product_name":"planted name","product_type":"<b>","rating":4,"effects":[],"notes":"planted words"}')
redo -C odd receipt mark --note='planted note' --tag='planted tag' "$SECRET"
redo -C odd receipt place --at=52.520008,13.404954 --name='planted place' "$SECRET" >/dev/null
redo -C odd receipt delete "$GONE" >/dev/null
run redo -C odd receipt list --svg
expect_stdout_lacks "$GONE"
expect_stdout_lacks planted
expect_stdout_lacks 52.5
expect_stdout_lacks '<b>'
cp "$OUT" picture.svg && look picture.svg >marks || fail "no such picture" </dev/null
run redo -C odd receipt list --svg --show-deleted --type=$KEPT --order=claimed
cp "$OUT" picture.svg
expect_equal "$(look picture.svg | cut -f1,5 | tr '\t\n' '  ')" "$GONE deleted $SECRET there " "marks"
redo init -q none
run redo -C none receipt list --svg
expect_status 0
expect_stdout_has "no receipts"
cp "$OUT" picture.svg
expect_equal "$(look picture.svg)" "" "marks of nothing"
for other in --json -z; do
  run redo -C odd receipt list --svg $other
  expect_status 129
  expect_stderr_has "options '--svg' and '$other' cannot be used together"
done
