#!/bin/bash
# What is noted about receipts: rows that are judged, read back by an independent reader, and leave the store in one way only.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "what is noted about receipts" dag_cbor nacl rfc8785
rows() { "$PYTHON" "$TESTS/Oracle/local_rows.py" "$@"; }
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"]}'
invite() { echo "{\"table\":\"circle_invites\",\"row\":{\"id\":\"$1\",\"invite_code\":\"BUDS-${2:-A7F3}-92B1\",\"max_uses\":1,\"use_count\":${3:-0},\"status\":\"pending\",\"created_at\":1740816000.5}}"; }
person() { echo "{\"table\":\"circles\",\"row\":{\"id\":\"$1\",\"did\":\"did:phone:$(printf '%064d' "$1")\",\"display_name\":\"P $1\",\"phone_number\":\"+1415555$((1000 + $1))\",\"pubkey_x25519\":\"fTSkgV+muYJTXmCvO9m0lVaBYIDxZB/4HSt8iugmikQ=\",\"status\":\"${2:-active}\",\"created_at\":1,\"updated_at\":1}}"; }

scene "a mark is a row of its chain, whatever receipt of it is named; an independent reader reads the file"
redo init -q home && redo -C home key generate >/dev/null
FIRST=$(redo -C home receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
EDIT=$(redo -C home receipt edit "$FIRST" <<<"${MEMORY/4/5}")
printf picture >one.jpg
run redo -C home receipt mark --favourite --tag=night --tag=social --tag=night --note='with Ada' --image="$PWD/one.jpg" "$EDIT"
expect_status 0
expect_stdout ''
expect_equal "$(stat -c %a home/.redo/local)" 600 "the mode"
rows read home/.redo/local >held
expect_equal "$(rows get held local_receipts "$FIRST" is_favorited tags_json local_notes)" "1	[\"night\",\"social\"]	with Ada" "the row"
IMAGE=$("$PYTHON" -c 'import json, sys; print(json.loads(sys.argv[1])[0])' "$(rows get held local_receipts "$FIRST" image_cids)")
expect_equal "$IMAGE" "$(redo cid --codec=raw one.jpg)" "the picture"
expect_equal "$(redo -C home cat-node "$IMAGE")" picture "its bytes"
expect_equal "$(rows get held blobs "$IMAGE" mime_type size)" "image/jpeg	7" "its row"
expect_equal "$(rows get held local_receipts "$FIRST" uuid)" "$(rows uuid "$FIRST")" "the uuid"
run redo -C home receipt mark --no-favourite --no-tag --tag=day --archived --no-note "$FIRST"
expect_status 0
rows read home/.redo/local >held
expect_equal "$(rows get held local_receipts "$FIRST" is_favorited tags_json local_notes archived)" "0	[\"day\"]	-	1" "the row after that"
expect_equal "$(rows get held local_receipts "$FIRST" image_cids)" "[\"$IMAGE\"]" "the pictures"
for name in two three four; do echo "$name" >$name.png; done
run redo -C home receipt mark --image="$PWD/two.png" --image="$PWD/three.png" --image="$PWD/four.png" "$FIRST"
expect_error 1 "there would be more than 3 pictures of a chain"
run redo -C home cat-node "$(redo cid --codec=raw two.png)"
expect_status 128
many=()
for number in {1..9}; do many+=(--tag="$number$(printf 't%.0s' {1..120000})"); done
run redo -C home receipt mark "${many[@]}" "$FIRST"
expect_error 1 "local-row at '': it is longer than 1 MiB"
run redo -C home receipt mark "$FIRST"
expect_status 129
run redo -C home receipt mark --favourite nothing
expect_status 128
run redo -C home verify
expect_status 0

scene "a chain whose row is null is put away: in no list, until it is marked again"
AWAY=$(redo -C home receipt create <<<"${MEMORY/4/1}")
redo -C home local put <<<"{\"table\":\"local_receipts\",\"key\":\"$AWAY\",\"row\":null}"
redo -C home receipt list | grep -q "$AWAY" && fail "it is listed" </dev/null
redo -C home receipt list --show-deleted | grep -q "$AWAY" || fail "it is gone" </dev/null
expect_equal "$(redo -C home local list --table=local_receipts | grep "$AWAY" | cut -f4)" - "its row"
redo -C home receipt mark --favourite "$AWAY"
redo -C home receipt list | grep -q "$AWAY" || fail "it is not listed again" </dev/null

scene "a place is noted with the cell that others may see, under a name that cannot be guessed"
run redo -C home receipt place --at=52.520008,13.404954 --accuracy=5 --name=Park --delay=1d "$FIRST"
expect_status 0
PLACE=$(cat "$OUT")
rows read home/.redo/local >held
expect_equal "$(rows get held locations "$PLACE" latitude longitude fuzzy_lat fuzzy_lon fuzzy_radius place_name captured_at receipt_cid)" \
  "52.520008	13.404954	52.52	13.4	500	Park	1740816000	$FIRST" "the row"
expect_equal "$(rows place held "$PLACE")" "$PLACE" "the CID of the map"
run redo -C home receipt place --at=52.520008,13.404954 "$FIRST"
[ "$(cat "$OUT")" != "$PLACE" ] || fail "the same name twice" </dev/null
for at in 91,0 0,181 1 1,2,3 nan,1 0x1,2 ,; do
  run redo -C home receipt place --at=$at "$FIRST"
  expect_status 129
done
for number in 1 2 3 4 5 6 7 8; do
  at=$(rows point "$SEED" $number)
  cid=$(redo -C home receipt place --at="$at" "$FIRST")
  rows read home/.redo/local >held
  expect_equal "$(rows get held locations "$cid" fuzzy_lat fuzzy_lon)" "$(rows cell "$at")" "the cell of $at"
done
expect_equal "$(rows cell 89.9,10)" "89.9	0" "a cell near the pole"

scene "rows are judged against their tables, all or none"
before=$(sha256sum home/.redo/local)
refused() {
  run redo -C home local put <<<"$1"
  expect_status 1
  expect_stderr_has "$2"
}
refused "$(invite 1 A7F)" "'<stdin>', line '1': local-row at /row/invite_code"
refused "$(invite 1; invite 2 zzzz)" "line '2': local-row at /row/invite_code: it is no code such as BUDS-A7F3-92B1"
refused "$(invite 1; invite 2)" "'2' has the same 'invite_code' as '1'"
refused "$(invite 1 A7F3 -1)" "local-row at /row/use_count"
refused '{"table":"deals","row":{}}' "local-row at /table"
refused '{"table":"circles"}' "local-row at /row"
refused '{"table":"circles","row":{"id":"1"}}' "local-row at /row/did"
refused '{"table":"circles","row":null}' "local-row at /key"
refused "{\"table\":\"local_receipts\",\"key\":\"$IMAGE\",\"row\":null}" "local-row at /key"
refused "$(invite 1 | sed 's/"status"/"colour":1,"status"/')" "local-row at /row/colour"
refused "$(invite 1 | sed 's/{"table"/{"key":"2","table"/')" "local-row at /key"
refused '[]' "local-row"
refused '{' "json-syntax"
refused "$(invite 1 | sed 's/{"table"/{"extra":1,"table"/')" "member-unknown at /extra"
refused "$(for number in {1..13}; do person $number; done)" "more than 12 active people"
expect_equal "$(sha256sum home/.redo/local)" "$before" "the file"
{ for number in {1..12}; do person $number; done; person 13 removed; invite 7; } | redo -C home local put || fail "they are refused" </dev/null
run redo -C home local put <<<"$(person 13)"
expect_error 1 "more than 12 active people"
run redo -C home local list --table=circles
expect_stdout_lines 13
run redo -C home local list --table=people
expect_status 129
run redo -C home local put <<<'{"table":"circle_invites","key":"7","row":null}'
expect_status 0
expect_equal "$(redo -C home local list --table=circle_invites | wc -l)" 0 "invitations"

scene "an export comes back elsewhere, encrypted or not; older rows change nothing"
redo -C home local export >rows.out
rows read home/.redo/local >held
cmp -s rows.out held || fail "the export differs from what an independent reader reads" < <(diff rows.out held | head)
redo init -q away
run redo -C away local import <rows.out
expect_status 0
expect_stderr_has "$(wc -l <rows.out) rows taken"
redo -C away local export >back.out
cmp -s rows.out back.out || fail "other rows came back" </dev/null
run redo -C away local import "$PWD/rows.out"
expect_stderr_has "0 rows taken, $(wc -l <rows.out) not newer"
sleep 0.01
redo -C away receipt mark --favourite "$FIRST" 2>/dev/null && fail "a receipt that is not here was marked" </dev/null
"$PYTHON" "$TESTS/Oracle/age_file.py" keygen >age.key
AGE=$("$PYTHON" "$TESTS/Oracle/age_file.py" --identity "$(cat age.key)" public)
run redo -C home local export -r "$AGE" -o "$PWD/rows.age"
expect_status 0
expect_stderr_has "$(wc -l <rows.out) rows"
expect_equal "$(stat -c %a rows.age)" 600 "the mode of the file"
grep -aq "BUDS\|Park\|+1415" rows.age && fail "it can be read" </dev/null
run redo -C home local export -o "$PWD/rows.age"
expect_status 128
redo age -d -i age.key rows.age >opened
cmp -s rows.out opened || fail "age opens something else" </dev/null
redo init -q third
run redo -C third local import -i "$PWD/age.key" "$PWD/rows.age"
expect_status 0
redo -C third local export | cmp -s - rows.out || fail "other rows came out of the age file" </dev/null
run redo -C third local import "$PWD/rows.age"
expect_status 77
"$PYTHON" -c 'open("cut.age", "wb").write(open("rows.age", "rb").read()[:-1])'
redo init -q fourth
run redo -C fourth local import -i "$PWD/age.key" "$PWD/cut.age"
[ "$STATUS" -ne 0 ] || fail "a cut file was taken" </dev/null
expect_equal "$(redo -C fourth local export | wc -c)" 0 "rows of a cut file"

scene "nothing of it leaves the store in another way"
secrets() { grep -aq "with Ada\|Park\|+1415\|BUDS-\|52.520008\|P 1\b" "$@"; }
redo -C home receipt mark --note='with Ada' "$FIRST"
redo -C home commit -q create --title=task >/dev/null
redo -C home export -q -o "$PWD/all.json" >/dev/null
redo -C home export --kind=receipt --include-precise >receipts.out
redo -C home backup --include-precise -q "$PWD/points"
"$PYTHON" "$TESTS/Oracle/age_file.py" keygen >backup.key
redo -C home backup -q -r "$("$PYTHON" "$TESTS/Oracle/age_file.py" --identity "$(cat backup.key)" public)" -i "$PWD/backup.key" "$PWD/sealed"
redo age -d -i backup.key sealed/*.redobackup >sealed.tar || fail "no encrypted point" </dev/null
grep -aq x25519_private_key sealed.tar || fail "an encrypted point has no keyring" </dev/null
redo init -q remote
redo -C home push -q "$PWD/remote" 2>/dev/null
for file in all.json receipts.out points/* sealed.tar $(find remote -type f); do
  secrets "$file" && fail "'$file' has it" </dev/null
done
find remote -path '*/.redo/objects/*' -type f | while read -r file; do "$PYTHON" -c '
import sys, zlib
data = open(sys.argv[1], "rb").read()
try: data = zlib.decompress(data)
except zlib.error: pass
assert b"with Ada" not in data and b"Park" not in data' "$file" || echo "$file"; done >found
expect_equal "$(cat found)" "" "objects with it"
[ ! -e remote/.redo/local ] || fail "the remote has rows" </dev/null

scene "damage is named, and what can be read is saved"
cp -r home damaged
size=$(stat -c %s damaged/.redo/local)
"$PYTHON" -c '
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) * 2 // 3] ^= 1
open(sys.argv[1], "wb").write(data)' damaged/.redo/local
run redo -C damaged verify
expect_status 1
expect_stdout_has "error local-corrupt"
for command in "local list" "local export" "receipt mark --favourite $FIRST"; do
  # shellcheck disable=SC2086
  run redo -C damaged $command
  expect_status 128
  expect_stderr_has "redo local export --salvage"
done
run redo -C damaged local export --salvage
expect_status 1
[ "$(wc -l <"$OUT")" -gt 0 ] || fail "nothing was saved" </dev/null
redo init -q saved && redo -C saved local import -q - <"$OUT" || fail "what was saved is no import" </dev/null
truncate -s $((size - 5)) home/.redo/local
run redo -C home local list
expect_status 0
run redo -C home verify
expect_stdout_has "file-unfinished"
redo -C home receipt mark --favourite "$FIRST"
run redo -C home verify
expect_stdout_lacks "file-unfinished"
chmod 644 home/.redo/local
run redo -C home verify
expect_stdout_has "file-mode"
chmod 600 home/.redo/local

scene "gc leaves out what holds no more; two writers at once lose nothing"
for number in 1 2 3 4 5 6 7 8; do redo -C home receipt mark --note="$(printf 'n%.0s' {1..2000})" "$FIRST"; done
redo -C home local export >before
run redo -C home gc -n
expect_stdout_has "local "
run redo -C home gc
expect_status 0
redo -C home local export | cmp -s - before || fail "other rows are left" </dev/null
expect_equal "$(stat -c %a home/.redo/local)" 600 "the mode"
[ "$(stat -c %s home/.redo/local)" -lt 12000 ] || fail "the file is as large as before" </dev/null
for number in {1..6}; do redo -C home receipt mark --tag="t$number" "$FIRST" & done
wait
rows read home/.redo/local >held
expect_equal "$(rows get held local_receipts "$FIRST" tags_json | tr -cd t | wc -c)" 6 "tags of six writers"

scene "gc --blobs: what a row or a receipt names stays, and what no row names any more goes"
rm -rf kept && redo init -q kept && redo -C kept key generate >/dev/null
# old: everything in the store was written three weeks ago.
old() { find kept/.redo/objects -path '*/??/*' -type f -exec touch -d '3 weeks ago' {} +; }
there() { redo -C kept cat-node --batch-check <<<"$1" | grep -q ' blob '; }
raw() { redo cid --codec=raw "$1"; }
for name in photo avatar thumbnail picture dropped listed loose; do
  echo "the bytes of $name" >"$name.bin"
  redo -C kept hash-object -t blob -w "$PWD/$name.bin" >/dev/null
done
FIRST=$(redo -C kept receipt create <<<"{\"product_name\":\"x\",\"product_type\":\"y\",\"rating\":3,\"effects\":[],\"photo_cids\":[\"$(raw photo.bin)\"]}")
redo -C kept receipt mark --image="$PWD/dropped.bin" "$FIRST"
redo -C kept receipt mark --no-image --image="$PWD/picture.bin" "$FIRST"
redo -C kept local put -q <<END
$(person 1 | sed "s|\"display_name\"|\"avatar_cid\":\"$(raw avatar.bin)\",&|")
{"table":"blobs","row":{"cid":"$(raw picture.bin)","mime_type":"image/png","size":21,"encrypted":0,"thumbnail_cid":"$(raw thumbnail.bin)","created_at":1}}
{"table":"blobs","row":{"cid":"$(raw loose.bin)","mime_type":"image/png","size":19,"encrypted":0,"thumbnail_cid":null,"created_at":1}}
{"table":"receipt_blobs","row":{"receipt_cid":"$FIRST","blob_cid":"$(raw listed.bin)","position":0}}
END
old
for turn in loose packed; do
  run redo -C kept gc --blobs -n
  expect_status 0
  expect_equal "$(sed -n 's/^blob \(sha256:[0-9a-f]*\) .*/\1/p' "$OUT")" "$(for name in dropped loose; do redo cid -d "$(raw $name.bin)" | cut -d' ' -f1; done | sort)" "what goes, while receipts are $turn"
  redo -C kept repack -q
done
run redo -C kept gc --blobs
expect_stdout_has "blobs 2 "
for name in photo avatar thumbnail picture listed; do there "$(raw $name.bin)" || fail "'$name' is gone" </dev/null; done
for name in dropped loose; do ! there "$(raw $name.bin)" || fail "'$name' is there" </dev/null; done
run redo -C kept verify
expect_status 0
expect_stdout ''

scene "gc says that local is damaged, and leaves it as it is; blobs it does not touch then"
echo more >more.bin
redo -C kept hash-object -t blob -w "$PWD/more.bin" >/dev/null
old
printf x >>kept/.redo/local
sum=$(sha256sum <kept/.redo/local)
run redo -C kept gc -q
expect_status 1
expect_stdout ''
expect_equal "$(wc -l <"$ERR")" 1 "lines"
expect_stderr_has "local' is corrupt at byte "
expect_stderr_has "; it stays as it is"
before=$(fingerprint kept)
run redo -C kept gc --blobs
expect_error 128 "local' is corrupt at byte "
expect_stderr_has "redo local export --salvage"
expect_untouched "$before" kept
truncate -s -1 kept/.redo/local
redo -C kept receipt mark --favourite "$FIRST"
truncate -s -9 kept/.redo/local
run redo -C kept gc --blobs
expect_status 1
expect_stderr_has "'local' ends in the middle of a record"
there "$(raw more.bin)" || fail "it is gone" </dev/null
redo -C kept receipt mark --favourite "$FIRST"
run redo -C kept gc --blobs
expect_status 0
expect_stdout_has "blobs 1 5"
