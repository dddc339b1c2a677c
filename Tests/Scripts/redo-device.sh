#!/bin/bash
# Pinned keys of devices: which card counts, and what speaks for the other devices of an author.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "pinned keys of devices" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
take() { redo -C "$1" hash-object -t receipt -w --update-heads --ndjson >/dev/null; }
letter() { redo -C "$1" receipt show --json "$2" | sed 's/.*"letter":"\(.\)".*/\1/'; }
shown() { redo -C "$1" receipt show --json "$2" | sed 's/.*"shown":"\([^"]*\)".*/\1/'; }
PHONE=did:phone:$(printf '%064d' 5)

scene "of two cards with different keys none counts, until one is pinned"
redo init -q home
mine=$(made --did="$PHONE" --text=mine)
MINE=$(cid_of <<<"$mine")
card=$(made --did="$PHONE" --type=card)
CARD=$(cid_of <<<"$card")
printf '%s\n' "$card" "$mine" | take home
expect_equal "$(letter home "$MINE")" G "the letter with one card"
forged=$(made --did="$PHONE" --type=card --person=eve --device=D1)
take home <<<"$forged" 2>/dev/null
expect_equal "$(letter home "$MINE")" E "the letter with two"
run redo -C home device add --name='my phone' "$CARD"
expect_status 0
expect_equal "$(letter home "$MINE")" G "the letter once one is pinned"
run redo -C home verify "$MINE"
expect_status 0
expect_stdout_has "G "
run redo -C home device list
expect_equal "$(cat "$OUT")" "D1	$PHONE	active	$(made --key=ada)	my phone" "the row"
run redo -C home device list --json
expect_stdout "{\"device\":\"D1\",\"key\":\"$(made --key=ada)\",\"name\":\"my phone\",\"owner\":\"$PHONE\",\"status\":\"active\"}"
run redo -C home device add "$(cid_of <<<"$forged")"
expect_error 1 "device 'D1' is noted with another key or owner"
run redo -C home device add "$MINE"
expect_error 1 "is no card of a device"
run redo -C home device add "$(cid_of < <(made --text=absent))"
expect_status 128

scene "what a pinned device signs speaks for the others of its author; what came before is judged anew"
theirs=$(made --did="$PHONE" --type=edited --parent="$MINE" --root="$MINE" --text=second --person=ben --device=D2)
second=$(made --did="$PHONE" --type=card --person=ben --device=D2)
printf '%s\n' "$second" "$theirs" | take home
expect_equal "$(shown home "$MINE")" "$MINE" "what is shown before"
run redo -C home device add "$(cid_of <<<"$second")"
expect_status 0
expect_equal "$(shown home "$MINE")" "$(cid_of <<<"$theirs")" "what is shown then"
echo "$(made --key=eve) device=$PHONE/D2" >home/.redo/trust
expect_equal "$(letter home "$(cid_of <<<"$theirs")")" B "the letter where the trust file says otherwise"
rm home/.redo/trust

scene "a revoked device is out of what is shared; what it signs stays"
run redo -C home device revoke D2
expect_status 129
run redo -C home device revoke --wraps D2
expect_status 0
expect_equal "$(redo -C home device list | grep ^D2 | cut -f3)" revoked "its status"
expect_equal "$(letter home "$(cid_of <<<"$theirs")")" G "the letter of what it signed"
run redo -C home device revoke --wraps D9
expect_error 128 "device 'D9' is not noted"
run redo -C home device add "$(cid_of <<<"$second")"
expect_status 0
expect_equal "$(redo -C home device list | grep ^D2 | cut -f3)" active "its status after it was added again"

scene "where rows cannot all be read, any device may be pinned: no card is believed, and that is told"
cp -r home torn
"$PYTHON" -c '
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[60] ^= 1
open(sys.argv[1], "wb").write(data)' torn/.redo/local
redo init -q lone && printf '%s\n' "$forged" "$(made --did="$PHONE" --text=claimed --person=eve --device=D1)" | take lone
CLAIMED=$(cid_of < <(made --did="$PHONE" --text=claimed --person=eve --device=D1))
expect_equal "$(letter lone "$CLAIMED")" G "the letter where nothing is pinned"
cp torn/.redo/local lone/.redo/local
expect_equal "$(letter lone "$CLAIMED")" E "the letter where a pin may be lost"
run redo -C lone verify
expect_status 1
expect_stdout_has "error local-corrupt"
expect_equal "$(letter torn "$MINE")" E "the letter of what was pinned"
run redo -C torn device list
expect_status 128
expect_stderr_has "redo local export --salvage"

scene "imports, repacks and repairs know pinned keys, too"
redo init -q away
redo -C home local export | redo -C away local import -q
printf '%s\n' "$mine" | redo -C away import -q --profile=sync - >/dev/null || fail "a pinned key is not known" </dev/null
expect_equal "$(letter away "$MINE")" G "the letter without any card"
redo -C away repack -q && expect_equal "$(letter away "$MINE")" G "the letter from a pack"
run redo -C away verify
expect_status 0
