#!/bin/bash
# Shares between redo and an independent peer, in both directions: what may be seen, by whom, and each refusal by its own word.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "shares" dag_cbor nacl cryptography multiformats
peer() { "$PYTHON" "$TESTS/Oracle/share_peer.py" "$@"; }
take() { redo -C "$1" hash-object -t receipt -w --update-heads --ndjson >/dev/null; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
did() { printf 'did:phone:%064d' "$1"; }
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"],"location_cid":"bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu","friends_present":["Eve"],"notes":"kept"}'
redo init -q home && redo -C home key generate >/dev/null
FIRST=$(redo -C home receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
CARD=$(redo -C home receipt list --type=redo.device.registered/v1 | cut -f1)
redo -C home cat-node "$CARD" >card
HOME_DID=$(redo -C home receipt list --json | head -n 1 | sed 's/.*"did":"\([^"]*\)".*/\1/')
HOME_DEVICE=$(redo -C home key device-id)
# Two people: one with two devices, one with one.
for device in 1:B1 1:B2 2:C1; do
  peer card "${device#*:}" "$(did "${device%:*}")" "${device#*:}" >"card.${device#*:}"
  take home <"card.${device#*:}"
  redo -C home device add "$(cid_of <"card.${device#*:}")"
done
redo -C home circle add --name=Ben "$(did 1)"
redo -C home circle add --name=Cara "$(did 2)"

scene "what is shared opens on each device of those that it is for, and nowhere else"
run redo -C home share create --to="$(did 1)" "$FIRST"
expect_status 0
expect_stdout_lines 1
cp "$OUT" message
for device in B1 B2; do
  peer open $device $device card <message >opened.$device || fail "'$device' cannot open it" <message
done
cmp -s opened.B1 opened.B2 || fail "two devices see different things" </dev/null
peer open C1 C1 card <message >/dev/null 2>&1 && fail "somebody else opened it" </dev/null
expect_equal "$(cut -f2-4 opened.B1)" "app.buds.session.created/v1	-	SELF" "a copy that stands alone"
expect_equal "$(cut -f5 opened.B1)" '{"claimed_time_ms": 1740816000000, "effects": ["relaxed"], "notes": "kept", "product_name": "Blue Dream", "product_type": "flower", "rating": 4}' "what may be seen"
run redo -C home receipt list --type=app.buds.memory.shared/v1
expect_stdout_lines 1
expect_equal "$(redo -C home receipt list --type=app.buds.session.created/v1 | wc -l)" 1 "copies in the history"
run redo -C home share list
expect_stdout_has "out	"
expect_stdout_has "	$FIRST	view	"

scene "full sends the receipt itself, an edit stands alone, and a place is a cell"
run redo -C home share create --permissions=full --circle "$FIRST"
expect_status 0
peer open C1 C1 card <"$OUT" >opened
expect_equal "$(cut -f1 opened)" "$FIRST" "the receipt itself"
EDIT=$(redo -C home receipt edit "$FIRST" <<<"${MEMORY/kept/changed}")
run redo -C home share create --permissions=full --circle "$EDIT"
peer open B1 B1 card <"$OUT" >opened
expect_equal "$(cut -f2-4 opened)" "app.buds.session.created/v1	-	SELF" "an edit as a copy"
grep -q changed opened && grep -q Eve opened || fail "something is missing" <opened
run redo -C home share create --permissions=view_location --circle "$EDIT"
expect_error 1 "no place is noted of '$EDIT'"
redo -C home receipt place --at=52.520008,13.404954 --name=Park --delay=1h "$FIRST" >/dev/null
run redo -C home share create --permissions=view_location --circle "$EDIT"
expect_error 1 "deferred: the place of '$EDIT' may not be shown before"
redo -C home local list --json --table=locations | sed 's/"delay_share_until":[0-9.]*/"delay_share_until":5/; s/,"time":[0-9]*}/}/' | redo -C home local put
run redo -C home share create --permissions=view_location --circle "$EDIT"
expect_status 0
expect_stdout_lines 2
peer open B1 B1 card <"$OUT" >opened
expect_equal "$(head -n 1 opened | cut -f2)" app.buds.location/v1 "the place comes first"
expect_equal "$(head -n 1 opened | cut -f5)" '{"claimed_time_ms": 1740816000000, "fuzzy_lat": 52.52, "fuzzy_lon": 13.4, "fuzzy_radius": 500, "location_type": "fuzzy"}' "what may be seen of it"
sed 1d opened | grep -q "\"location_cid\": \"$(head -n 1 opened | cut -f1)\"" || fail "the copy does not name it" <opened
grep -q "Park\|52.520008\|Eve" opened && fail "too much is seen" <opened

scene "what is refused has a word of its own, and leaves nothing behind"
before=$(redo -C home local export | sha256sum; redo -C home show-ref | sha256sum)
refused() {
  run redo -C home share create "${@:2}"
  expect_status 1
  expect_stderr_has "$1"
}
PRECISE=$(redo -C home receipt create -q --type=app.buds.location/v1 --include-precise <<<'{"location_type":"precise","latitude":1,"longitude":2}')
before=$(redo -C home local export | sha256sum; redo -C home show-ref | sha256sum)
refused "tells a precise place" --permissions=full --circle "$PRECISE"
refused "is not active in the circle" --to="$(did 3)" "$FIRST"
refused "share-foreign: " --circle "$(cid_of <card.B1)"
run redo -C home share create "$FIRST"
expect_status 129
run redo -C home share create --circle --to="$(did 1)" "$FIRST"
expect_status 129
run redo -C home share create -n --circle "$FIRST"
expect_status 0
expect_equal "$(redo -C home local export | sha256sum; redo -C home show-ref | sha256sum)" "$before" "rows and refs"
run redo -C home share create --permissions=full --include-precise --circle "$PRECISE"
expect_status 0

scene "a revoked device gets no key, whoever revokes it; others stay"
redo -C home device revoke --wraps B2
redo -C home share create --to="$(did 1)" "$FIRST" >message
grep -q '"B2"' message && fail "a revoked device got a key" <message
peer open B1 B1 card <message >/dev/null || fail "the other one got none" <message
redo -C home device revoke --wraps B1
refused "'$(did 1)' has no device that is pinned and not revoked" --to="$(did 1)" "$FIRST"
redo -C home device add "$(cid_of <card.B1)"
redo -C home circle remove "$(did 2)"
refused "is not active in the circle" --to="$(did 2)" "$FIRST"

scene "what a peer shares is opened, once, and stays here; each defect has its own word"
KEY=$HOME_DEVICE:$(redo -C home receipt show --json "$CARD" | sed 's/.*"pubkey_x25519":"\([^"]*\)".*/\1/')
make_share() { peer make B1 "$(did 1)" B1 "$KEY" "$@"; }
make_share >theirs
run redo -C home share open <theirs
expect_status 0
THEIRS=$(cat "$OUT")
expect_equal "$(redo -C home receipt show --json "$THEIRS" | sed 's/.*"letter":"\(.\)".*/\1/')" G "its letter"
run redo -C home share open <theirs
expect_status 0
expect_stdout ''
expect_stderr_has "'$THEIRS' was opened before"
while read -r defect word; do
  make_share --spoil=$defect >spoiled
  before=$(redo -C home local export | sha256sum; redo -C home show-ref | sha256sum)
  run redo -C home share open <spoiled
  expect_status 1
  expect_stderr_has "error: $word: "
  expect_equal "$(redo -C home local export | sha256sum; redo -C home show-ref | sha256sum)" "$before" "what is left of '$defect'"
done <<'D'
key open-failed
payload open-failed
cid hash-mismatch
signature signature-bad
sender sender-unknown
device no-key
D
peer make C1 "$(did 1)" B1 "$KEY" | redo -C home share open 2>"$ERR" && fail "another key was taken" </dev/null
grep -q open-failed "$ERR" || fail "another word" <"$ERR"
peer make C1 "$(did 2)" C1 "$KEY" >removed
run redo -C home share open <removed
expect_error 1 "sender-unknown"
make_share --spoil=time >early
run redo -C home share open <early
expect_status 0
redo -C home local list --json --table=received_memories | grep -q '"shared_at":1740815999.5' || fail "another time" < <(redo -C home local list --json --table=received_memories)
for text in '{}' '[]' 'x' '{"created_at":1}'; do
  run redo -C home share open <<<"$text"
  expect_error 1 "share-form"
done
run redo -C home export --kind=receipt --include-precise
grep -q "$THEIRS" "$OUT" && fail "what was shared leaves" <"$OUT"
expect_stderr_has "left out: what others have shared"
run redo -C home export --kind=receipt --include-received
grep -q "$THEIRS" "$OUT" || fail "it is not exported on request" <"$OUT"
redo -C home checkpoint create >/dev/null 2>&1
run redo -C home prove "$THEIRS"
expect_status 1
expect_stderr "error: receipt '$THEIRS' is what somebody else has shared: it is proven only with '--include-received'"
run redo -C home prove --include-received "$THEIRS"
expect_status 0
run redo -C home prove "$FIRST"
expect_status 0
run redo -C home prove --include-received --extends=x
expect_status 129
run redo -C home backup create -q --include-precise "$PWD/plain"
expect_error 128 "what others have shared, and anybody could read the backup"
[ -z "$(ls plain 2>/dev/null)" ] || fail "something was written" < <(ls plain)
run redo -C home backup create -q --include-precise --include-received "$PWD/plain"
expect_status 0
run redo -C home backup create -q -r "$(redo -C home key show --public)" "$PWD/sealed"
expect_status 0

scene "two stores of redo share with each other, also under a passphrase"
redo init -q ben && echo 'a long passphrase of words' >pass
redo -C ben key generate --passphrase-fd=3 3<pass >/dev/null
MINE=$(redo -C ben receipt create --passphrase-fd=3 3<pass <<<"$MEMORY")
redo -C ben export --kind=receipt | grep registered - >/dev/null
redo -C ben export --kind=receipt | redo -C home import -q - >/dev/null
redo -C home export --kind=receipt | redo -C ben import -q - >/dev/null
BEN_CARD=$(redo -C ben receipt list --type=redo.device.registered/v1 --did="$(redo -C ben receipt list --root="$MINE" | cut -f5)" | cut -f1)
redo -C home device add "$BEN_CARD"
redo -C home circle add --name=Ben2 "$(redo -C home receipt list --root="$BEN_CARD" | cut -f5)"
redo -C ben device add "$CARD"
redo -C ben circle add --name=Home "$HOME_DID"
run redo -C ben share create --passphrase-fd=3 --circle "$MINE" 3<pass
expect_status 0
cp "$OUT" message
run redo -C home share open <message
expect_status 0
redo -C home share create --to="$(redo -C home receipt list --root="$BEN_CARD" | cut -f5)" "$FIRST" >message
run redo -C ben share open --passphrase-fd=3 3<pass <message
expect_status 0
run redo -C home share list
expect_stdout_has "in	"

scene "an undo is noted and said; what others have they keep"
ID=$(redo -C home share list | grep ^out | head -n 1 | cut -f2)
run redo -C home share undo "$ID"
expect_status 0
expect_equal "$(redo -C home receipt list --type=app.buds.memory.unshared/v1 | wc -l)" 1 "receipts that say so"
redo -C home share list --json | grep "$ID" | grep -q '"undone":"' || fail "it is not noted" </dev/null
run redo -C home share undo "$ID"
expect_error 128 "nothing is shared under '$ID'"
run redo -C home verify
expect_status 0

scene "where the trust file decides at the door, a message of a key that may not sign is refused, and opened later"
redo -C home trust add -q "$(redo -C home key show --public)" >/dev/null
redo -C home config transfer.trust enforce
OTHER=$(redo -C ben receipt create --passphrase-fd=3 3<pass <<<"$MEMORY")
redo -C ben share create --passphrase-fd=3 --circle "$OTHER" 3<pass >message
before=$(redo -C home receipt list --include-received 2>/dev/null | sort)
rows=$(redo -C home share list)
run redo -C home share open <message
expect_status 1
expect_stdout ''
expect_stderr_has "key-untrusted: what '"
expect_stderr_has "hint: after 'redo trust add $(redo -C ben key show --public)' it can be opened"
expect_equal "$(redo -C home share list)" "$rows" "what is noted"
redo -C home config transfer.trust warn
cp -r home warned
redo -C warned config trust-store -q >/dev/null 2>&1
run redo -C warned share open <message
expect_status 0
expect_stderr_has "is taken, although the trust file does not let its key sign"
cp -r home revoked
redo -C revoked config trust-store -q >/dev/null 2>&1
redo -C revoked config transfer.trust enforce
redo -C revoked trust add -q "$(redo -C ben key show --public)" >/dev/null
redo -C revoked trust revoke -q "$(redo -C ben key show --public)" >/dev/null
run redo -C revoked share open <message
expect_status 1
expect_stderr_has "key-revoked: what '"
expect_stderr_has "hint: after a change of the trust file it can be opened"
redo -C home config transfer.trust enforce
redo -C home trust add -q "$(redo -C ben key show --public)"
run redo -C home share open <message
expect_status 0
expect_stderr ''
expect_stdout_lines 1
