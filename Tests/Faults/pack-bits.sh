#!/bin/bash
# Every changed byte of a pack, of an index and of a registered archive is found by what reads it, or changes no answer.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 5
own_copies

scene "this needs python3"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
redo init -q store
demo 2000 | grep -v '"signature":null' | head -160 | redo -C store -c core.fsync=none import -q >"$OUT"
redo -C store log --format='%(id)' --reverse >all
redo -C store archive create -q --remove -o "$PWD/store/old.pack" "$(sed -n 20p all)" >"$OUT" || fail "nothing is archived" </dev/null
redo -C store repack -q
expect_equal "$(objects store)" 0 "loose objects"
redo -C store verify-pack -v | sed -n 's/ node .*//p' >ids

pack=$(echo store/.redo/objects/pack/*.pack)
for file in "pack $pack" "index ${pack%.pack}.idx" "archive store/old.pack" "index $(echo store/.redo/archives/*.idx)"; do
  scene "changes of ${file%% *} ${file##*.}: found, or without a consequence"
  if [ "${file##* }" = "$(echo store/.redo/archives/*.idx)" ]; then file="shelf ${file#* }"; fi
  run env SHARE=$SHARE SEED="$SEED" timeout 3000 python3 "$TESTS/Faults/pack-bits.py" "${file#* }" "${file%% *}"
  expect_status 0
done

scene "nodes that are wrong under good hashes crash nobody"
run env SHARE=$SHARE SEED="$SEED" timeout 3000 python3 "$TESTS/Faults/pack-bits.py" "$pack" resealed
expect_status 0
