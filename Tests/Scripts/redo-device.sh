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
run redo -C home device list --wraps
expect_equal "$(cat "$OUT")" "D1	$PHONE	active	$(made --key=ada)	my phone" "the row"
run redo -C home device list --wraps --json
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
expect_error 2 "there is no device 'D2'"
run redo -C home device revoke --wraps D2
expect_status 0
expect_equal "$(redo -C home device list --wraps | grep ^D2 | cut -f3)" revoked "its status"
expect_equal "$(letter home "$(cid_of <<<"$theirs")")" G "the letter of what it signed"
run redo -C home device revoke --wraps D9
expect_error 2 "there is no device 'D9'"
run redo -C home device add "$(cid_of <<<"$second")"
expect_status 0
expect_equal "$(redo -C home device list --wraps | grep ^D2 | cut -f3)" active "its status after it was added again"

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
run redo -C torn device list --wraps
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

scene "the registry: devices that objects name, in the order of their ids, whether they are entered or not"
redo init -q reg
PAD=aaaaaaaa-0000-4000-8000-000000000001
redo -C reg key device-id set $PAD
redo -C reg key device-name iPad
redo -C reg key generate -q >/dev/null
USER=$(redo -C reg key show --public | cut -c1-32)
REDO_AUTHOR_DATE=2026-01-02T10:00:00Z redo -C reg commit create --title=One >/dev/null 2>&1
REDO_AUTHOR_DATE=2026-01-05T10:00:00Z redo -C reg schema new form -q --name=Form >/dev/null
run redo -C reg device list
expect_stdout "$PAD	iPad	2026-01-02T10:00:00.000Z	2026-01-05T10:00:00.000Z	2	-"
run redo -C reg device list --json
expect_stdout "{\"device\":\"$PAD\",\"firstSeen\":\"2026-01-02T10:00:00.000Z\",\"forgotten\":false,\"lastSeen\":\"2026-01-05T10:00:00.000Z\",\"name\":\"iPad\",\"objects\":2,\"revoked\":false,\"userIds\":[\"$USER\"]}"
run redo -C reg device list --received
[ "$(cut -f3 "$OUT")" != 2026-01-02T10:00:00.000Z ] || fail "the time of receipt is the claimed one" </dev/null
run redo -C reg schema list --all
expect_equal "$(cut -f1 "$OUT")" form "a list enters nothing"

scene "a device that is called something else is called so in every store; what nothing changes is not written"
run redo -C reg device name $PAD 'Her iPad'
expect_status 0
run redo -C reg device name 'Her iPad' 'Her iPad'
expect_status 0
expect_stdout ''
expect_stderr 'nothing changes'
redo init -q copy && redo -C copy key generate -q >/dev/null
redo -C reg export -q --kind=schema | redo -C copy import -q - >/dev/null
expect_equal "$(redo -C copy device list --all | grep ^aaaa | cut -f2)" 'Her iPad' "the name in the other store"
run redo -C reg device name aaaaaaaa 'iPad'
expect_status 0
expect_equal "$(redo -C reg device list | cut -f2)" iPad "the name by the first digits"
for bad in nobody aaa 00000000-0000-4000-8000-000000000009; do
  run redo -C reg device name $bad x
  expect_error 2 "there is no device '$bad'"
done
run redo -C reg device name iPad ''
expect_status 1
expect_stderr_has schema-limit

scene "revoked informs: nothing else depends on it, and three facts are told apart"
run redo -C reg device revoke iPad
expect_status 0
expect_stderr_has "redo trust revoke"
expect_equal "$(redo -C reg device list | cut -f6)" revoked "the mark"
redo -C reg commit create --title=Two >/dev/null 2>&1 || fail "a revoked device may not write" </dev/null
run redo -C reg verify
expect_status 0
run redo -C reg device show iPad
expect_stdout_has "Registry: revoked"
expect_stdout_has "Trust:    $USER (there is no trust file)"
expect_stdout_has "Wraps:    not noted"
redo -C reg trust add "$(redo -C reg key show --public)" >/dev/null || fail "the key is not trusted" </dev/null
run redo -C reg device show --json iPad
expect_stdout_has "\"revoked\":true,\"trust\":[\"$USER trusted\"]"
run redo -C reg device revoke iPad
expect_stderr_has 'nothing changes'

scene "forgotten is out of lists; restore clears both; a dry run changes nothing"
run redo -C reg device forget -n iPad
expect_status 0
expect_equal "$(redo -C reg device list | wc -l)" 1 "the rows after a dry run"
run redo -C reg device forget iPad
expect_status 0
expect_stderr_has "redo wipe"
run redo -C reg device list
expect_stdout ''
expect_equal "$(redo -C reg device list --all | cut -f6)" revoked "the mark of one that is revoked and forgotten"
redo -C reg device restore -q iPad >/dev/null
expect_equal "$(redo -C reg device list | cut -f6)" - "the mark once it is restored"
run redo -C reg schema log redo.devices
expect_equal "$(cut -f3 "$OUT" | tr '\n' ' ')" 'device-restore device-forget device-revoke device-name device-name ' "what led to it"
for edit in "rename redo.devices iPad x" "hide redo.devices iPad" "add-field redo.devices --name=x --type=string"; do
  run redo -C reg schema $edit
  expect_status 1
  expect_stderr_has schema-reserved
done
