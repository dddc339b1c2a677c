#!/bin/bash
# The people of a circle: who is in it, who may come in with which code, and that nobody outside of the store hears of it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

did() { printf 'did:phone:%064d' "$1"; }
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"]}'
# guest <name> <did>: a store of somebody else, with a receipt; prints its card.
guest() {
  redo init -q "$1" && redo -C "$1" key generate >/dev/null
  [ -z "${2-}" ] || redo -C "$1" config set receipt.did "$2"
  redo -C "$1" receipt create <<<"$MEMORY" >/dev/null
  redo -C "$1" receipt list --type=redo.device.registered/v1 | cut -f1
}
# bring <name>: its receipts come to the store here.
bring() { redo -C "$1" export --kind=receipt | redo -C home import -q - >/dev/null; }
REAL_TIME=$(date +%s)

scene "people come in, are changed and removed; the 13th active one is refused"
redo init -q home && redo -C home key generate >/dev/null
run redo -C home circle add --name=Ada --phone=+14155550123 "$(did 1)"
expect_status 0
run redo -C home circle add "$(did 1)"
expect_error 1 "is in the circle already"
run redo -C home circle list
expect_equal "$(cat "$OUT")" "$(did 1)	active	0	Ada" "the row"
run redo -C home circle set --name=Lovelace "$(did 1)"
expect_status 0
run redo -C home circle list --json
expect_stdout "{\"devices\":0,\"did\":\"$(did 1)\",\"name\":\"Lovelace\",\"status\":\"active\"}"
expect_equal "$(redo -C home local list --json --table=circles | grep -o '"phone_number":"[^"]*"')" '"phone_number":"+14155550123"' "the phone"
for number in {2..12}; do redo -C home circle add "$(did "$number")" || fail "'$number' is refused" </dev/null; done
run redo -C home circle add "$(did 13)"
expect_error 1 "there would be more than 12 active people in the circle"
run redo -C home circle add --status=pending "$(did 13)"
expect_status 0
run redo -C home circle set --status=active "$(did 13)"
expect_status 1
run redo -C home circle remove "$(did 1)"
expect_status 0
run redo -C home circle set --status=active "$(did 13)"
expect_status 0
run redo -C home circle add "$(did 1)"
expect_status 1
run redo -C home circle remove "$(did 99)"
expect_status 128
run redo -C home circle add --phone=0155 "$(did 14)"
expect_status 1
expect_stderr_has "local-row at /row/phone_number"
run redo -C home circle add --status=pending nobody
expect_status 1
expect_stderr_has "local-row at /row/did"
run redo -C home circle add
expect_status 129

scene "an invitation is accepted as often as it may be, and not after its end"
redo -C home circle remove "$(did 2)"
CODE=$(redo -C home circle invite --message=hello)
grep -qx 'BUDS-[0-9A-F]\{4\}-[0-9A-F]\{4\}' <<<"$CODE" || fail "no code: '$CODE'" </dev/null
BEN=$(guest ben "$(did 50)") && bring ben
run redo -C home circle accept --name=Ben BUDS-0000-0000 "$BEN"
expect_error 128 "there is no invitation 'BUDS-0000-0000'"
run redo -C home circle accept --name=Ben "$CODE" "$BEN"
expect_status 0
expect_equal "$(redo -C home circle list | grep "$(did 50)")" "$(did 50)	active	1	Ben" "who came in"
expect_equal "$(redo -C home device list --wraps | cut -f2,3,4)" "$(did 50)	active	$(redo -C ben key show --public)" "the device"
run redo -C home circle list --invites
expect_equal "$(cat "$OUT")" "$CODE	accepted	1	1	-" "the invitation"
EVE=$(guest eve "$(did 51)") && bring eve
run redo -C home circle accept "$CODE" "$EVE"
expect_error 1 "was accepted as often as it may be: 1 time"
for number in 3 4; do redo -C home circle remove "$(did $number)"; done
CODE=$(redo -C home circle invite --uses=2 --expires=1h)
run redo -C home circle accept "$CODE" "$(redo -C home receipt list --type=app.buds.session.created/v1 | head -n 1 | cut -f1)"
expect_status 1
expect_stderr_has "is no card of a device"
run redo -C home circle accept "$CODE" "$BEN" "$EVE"
expect_status 1
run redo -C home circle list --invites --json
expect_stdout_has '"used":0,"uses":2'
run redo -C home circle accept "$CODE" "$EVE"
expect_status 0
redo -C home local list --json --table=circle_invites | sed "s/\"expires_at\":[0-9.]*/\"expires_at\":$((REAL_TIME - 5))/; s/,\"time\":[0-9]*}/}/" | redo -C home local put
CARA=$(guest cara "$(did 52)") && bring cara
run redo -C home circle accept "$CODE" "$CARA"
expect_error 1 "ended at"
for options in --uses=0 --uses=x; do
  run redo -C home circle invite $options
  expect_status 129
done
run redo -C home circle invite --expires=never
expect_error 128 "not a valid age 'never'"

scene "nothing of a circle is in any receipt, export or remote"
redo -C home receipt create <<<"$MEMORY" >/dev/null
redo init -q remote
redo -C home commit -q create --title=x >/dev/null
redo -C home push -q "$PWD/remote" 2>/dev/null
redo -C home export --kind=receipt --include-precise | while read -r line; do base64 -d <<<"$(sed 's/.*"cbor":"\([^"]*\)".*/\1/' <<<"$line")"; done >receipts
redo -C home export -q -o "$PWD/all.json" >/dev/null
for file in receipts all.json $(find remote -type f) $(find home/.redo -type f ! -name local); do
  grep -aq "+1415\|Lovelace\|BUDS-\|hello" "$file" && fail "'$file' has it" </dev/null
done
grep -q "Lovelace" home/.redo/local || fail "it is nowhere" </dev/null
