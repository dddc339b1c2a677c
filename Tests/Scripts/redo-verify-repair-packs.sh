#!/bin/bash
# redo verify --repair-from with packs: what cannot be read of a damaged pack comes from elsewhere, all else stays, and
# the pack is written anew.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies
# That what is written reaches the disk is shown elsewhere; here it would only take time.
[ -n "$SOAK" ] || redo config set --user core.fsync none

demo 1400 >log.ndjson
redo init -q good
redo -C good -c core.fsync=none import -q "$PWD/log.ndjson" >/dev/null
redo -C good repack -q
PACK=$(cd good && ls .redo/objects/pack/*.pack) INDEX=
[ "$(wc -l <<<"$PACK")" -eq 1 ] || fail "there is not one pack" <<<"$PACK"
INDEX=${PACK%.pack}.idx
PACK_PATH=${PACK#.redo/}
redo -C good verify-pack -v "$PACK" | grep ' node ' >nodes
HASH=$(redo -C good state --hash)
redo -C good verify --all >rows
offset() { awk -v f="$1" '$6 == f { print $5; exit }' nodes; }
ids() { awk -v f="$1" '$6 == f { print $1 }' nodes; }

# broken <command line>: the store `bad` is a copy of the good one, broken by it.
broken() {
  chmod -R u+rwX bad 2>/dev/null
  rm -rf bad && cp -a good bad && rm -rf bad/.redo/cache/*
  chmod u+w bad/"$PACK" bad/"$INDEX"
  (cd bad && eval "$1")
}
poke() {
  python3 - "$1" "$2" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 1]))
END
}
# repaired <nodes that come from the source> <nodes that are kept>: everything is as it was, and nothing thrown away.
repaired() {
  local damaged
  damaged=$(sha256sum <bad/"$PACK")
  run redo -C bad verify --repair-from="$SOURCE"
  expect_status 0
  expect_stderr_has "what stood there is kept in"
  expect_equal "$(grep -c '^repaired sha256:' "$OUT")" "$1" "nodes from the source"
  expect_equal "$(grep "^repaired - $PACK_PATH pack-corrupt: " "$OUT" | sed 's/.*; \([0-9]*\) nodes are kept$/\1/')" "$2" "nodes that are kept"
  expect_equal "$(cat bad/.redo/lost-found/pack-* | sha256sum)" "$damaged" "the damaged pack"
  whole
  run redo -C bad verify --repair-from="$SOURCE"
  expect_status 0
  expect_stdout ''
}
whole() {
  expect_clean bad
  run redo -C bad -c verify.signature-missing=ignore verify
  expect_status 0
  expect_stdout ''
  redo -C bad verify --all >"$OUT"
  cmp -s rows "$OUT" || fail "other nodes" < <(diff rows "$OUT" | head -4)
  expect_equal "$(redo -C bad state --no-cache --hash)" "$HASH" "the state"
  run redo -C bad verify-pack
  expect_status 0
}

SOURCE=$PWD/good
scene "a store whose packs are sound: nothing is said, nothing written"
broken true
before=$(fingerprint bad)
run redo -C bad verify --repair-from="$SOURCE"
expect_status 0
expect_stdout ''
expect_untouched "$before" bad

for SOURCE in "$PWD/good" "$PWD/log.ndjson" "$PWD/good/$PACK"; do
  scene "a damaged frame: its nodes come from ${SOURCE##*/}, those of the others stay"
  broken 'poke "$PACK" $(($(cd .. && offset 1) + 500))'
  count=$(ids 1 | wc -l)
  run redo -C bad verify -n --repair-from="$SOURCE"
  expect_status 0
  expect_equal "$(grep -c '^would-repair sha256:' "$OUT")" "$count" "nodes that would come"
  expect_stdout_has "would-repair - $PACK_PATH pack-corrupt: frame 1 at byte $(offset 1): "
  [ ! -e bad/.redo/lost-found ] || fail "something is written" </dev/null
  repaired "$count" $((1400 - count))
  expect_equal "$(objects bad)" "$count" "loose objects"
done
SOURCE=$PWD/good

scene "the same without an index"
broken 'poke "$PACK" $(($(cd .. && offset 1) + 500)); rm "$INDEX"'
repaired "$count" $((1400 - count))

scene "the hash, the directory, the beginning: all nodes stay, and none is needed"
redo init -q ../empty && redo -C ../empty commit -q create --title=x >/dev/null
for how in 'poke "$PACK" $(($(stat -c %s "$PACK") - 1))' 'poke "$PACK" $(($(stat -c %s "$PACK") - 45))' 'poke "$PACK" 3' \
  'poke "$PACK" $(($(stat -c %s "$PACK") - 40))'; do
  broken "$how"
  SOURCE=$(realpath ../empty)
  repaired 0 1400
done
SOURCE=$PWD/good

scene "cut off: the frames before stay"
broken 'truncate -s $(($(cd .. && offset 2) + 100)) "$PACK"'
repaired "$(ids 2 | wc -l)" $((1400 - $(ids 2 | wc -l)))

scene "empty, or all zeros: everything comes from the source"
for how in ': >"$PACK"' 'head -c $(stat -c %s "$PACK") /dev/zero >z && cat z >"$PACK" && rm z'; do
  broken "$how"
  run redo -C bad verify --repair-from="$SOURCE"
  expect_status 0
  expect_equal "$(grep -c '^repaired sha256:' "$OUT")" 1400 "nodes from the source"
  whole
done

scene "the source lacks some: the pack stays as it is, and the status tells"
head -300 log.ndjson >some.ndjson
broken 'poke "$PACK" $(($(cd .. && offset 1) + 500))'
damaged=$(sha256sum <bad/"$PACK")
run redo -C bad verify --repair-from="$PWD/some.ndjson"
expect_status 1
expect_equal "$(grep -c '^unrepaired sha256:\|^repaired sha256:' "$OUT")" "$count" "nodes"
lost=$(grep -c '^unrepaired sha256:' "$OUT")
[ "$lost" -gt 0 ] || fail "none is missing" <"$OUT"
grep -q "^unrepaired - $PACK_PATH pack-corrupt: .*; $lost of its nodes are nowhere else\$" "$OUT" || fail "no row" < <(tail -1 "$OUT")
expect_equal "$(sha256sum <bad/"$PACK")" "$damaged" "the pack"
run redo -C bad verify --repair-from="$SOURCE"
expect_status 0
expect_equal "$(grep -c '^repaired sha256:' "$OUT")" "$lost" "the rest"
whole

scene "a signature that does not hold: the good one comes, and the bad one leaves the pack"
# forged: changes a signature in the pack, under good hashes.
broken true
signed=$(grep '^G' rows | sed -n 5p | cut -d' ' -f2)
signature=$(redo -C good cat-node --batch-check='%(signature)' <<<"$signed")
python3 - bad/"$PACK" "$signature" <<'END'
import hashlib, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
data[data.index(bytes.fromhex(sys.argv[2])) + 3] ^= 1
directory = struct.unpack("<Q", data[-40:-32])[0]
place = 12
while place < directory:
    end = place + 28 + struct.unpack_from("<I", data, place)[0]
    data[place + 12 : place + 28] = hashlib.sha256(data[place : place + 12] + data[place + 28 : end]).digest()[:16]
    place = end
data[-32:] = hashlib.sha256(data[:-32]).digest()
open(sys.argv[1], "wb").write(data)
END
run redo -C bad verify
expect_status 1
grep -q "^error signature-bad $signed $PACK_PATH frame " "$OUT" || fail "no row" <"$OUT"
expect_equal "$(grep -c ^error "$OUT")" 1 "errors"
run redo -C bad verify --repair-from="$SOURCE"
expect_status 0
expect_stdout_has "repaired $signed $PACK_PATH signature-bad"
expect_stdout_has "repaired - $PACK_PATH pack-corrupt: 1 of its nodes have a better copy elsewhere; 1399 nodes are kept"
whole

scene "a damaged loose file whose node is packed, too, needs no source"
redo -C good cat-node "$signed" >one.json
rm -rf loose && redo init -q loose && redo -C loose hash-object -w --stdin <one.json >"$OUT"
broken true
mkdir -p bad/.redo/objects/${signed:7:2}
head -c 100 loose/.redo/objects/${signed:7:2}/${signed:9} >bad/.redo/objects/${signed:7:2}/${signed:9}
chmod 444 bad/.redo/objects/${signed:7:2}/${signed:9}
run redo -C bad verify
expect_status 1
grep -q "^error object-corrupt $signed " "$OUT" || fail "no row" <"$OUT"
run redo -C bad verify --repair-from="$(realpath ../empty)"
expect_status 0
expect_stdout_lines 1
whole

scene "a repair needs the packs for itself"
broken 'poke "$PACK" $(($(cd .. && offset 1) + 500))'
coproc HOLD { python3 -u -c '
import fcntl, os, struct, sys
fd = os.open("bad/.redo/objects/pack/lock", os.O_RDWR | os.O_CREAT)
fcntl.fcntl(fd, 37, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))  # F_OFD_SETLK
print("held")
sys.stdin.read()
'; }
pid=$HOLD_PID
read -r -t 10 _ <&"${HOLD[0]}" || fail "the lock cannot be had" </dev/null
run redo -C bad -c core.lockTimeout=100 verify --repair-from="$SOURCE"
expect_status 75
expect_stderr_has "objects/pack/lock' is locked"
exec {HOLD[1]}>&-
wait "$pid" 2>/dev/null
run redo -C bad verify --repair-from="$SOURCE"
expect_status 0
whole
