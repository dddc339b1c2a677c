#!/bin/bash
# redo verify of a store whose nodes are packed: the same answers, the same judgement, and each damage of a pack named.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 1400 >log.ndjson
redo init -q loose
# So few at a time stay loose.
for part in 1 701; do tail -n +$part log.ndjson | head -n 700 | redo -C loose -c core.fsync=none import -q >/dev/null; done
expect_equal "$(objects loose)" 1400 "loose objects"
redo -C loose log >/dev/null # makes the index
redo -C loose snapshot create -q
cp -a loose sound
redo -C sound repack -q
expect_equal "$(objects sound)" 0 "loose objects"
PACK=$(cd sound && ls .redo/objects/pack/*.pack) INDEX=${PACK%.pack}.idx
PACK_PATH=${PACK#.redo/} INDEX_PATH=${INDEX#.redo/}
redo -C sound verify-pack -v "$PACK" | grep ' node ' >nodes
expect_equal "$(cut -d' ' -f6 nodes | sort -u | wc -l)" 3 "frames"

# broken <command line>: a copy of the sound store, broken by it, and audited.
broken() {
  cd "$WORK/here" && rm -rf store && cp -a sound store && cd store && chmod u+w .redo/objects/pack/* || exit 1
  eval "$1"
  chmod 444 .redo/objects/pack/* 2>/dev/null
  run timeout 60 redo -c verify.signature-missing=ignore verify
}
# poke <file> <offset>: changes a byte.
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
# found <severity> <rule> <path> [<text>]: one row.
found() {
  expect_stdout_lines 1
  expect_equal "$(cut -d' ' -f1-4 "$OUT")" "$1 $2 - $3" "the row"
  expect_status "$([ "$1" = error ] && echo 1 || echo 0)"
  [ -z "${4:-}" ] || expect_stdout_has "$4"
}
offset() { awk -v f="$1" '$6 == f { print $5; exit }' "$WORK/here/nodes"; }
ids() { awk -v f="$1" '$6 == f { print $1 }' "$WORK/here/nodes"; }

scene "verify --all prints what it printed when all nodes were loose, byte for byte; so do --json and --summary"
for how in '' --json --profile=sync --profile=genesis --summary=author --summary=form; do
  redo -C loose verify --all $how >expected
  run redo -C sound verify --all $how
  cmp -s expected "$OUT" || fail "'$how' prints something else" < <(diff expected "$OUT" | head -4)
done

scene "half packed, with copies here and there, it is still the same"
cp -a loose half
cp sound/"$PACK" sound/"$INDEX" half/.redo/objects/pack/
rm -r half/.redo/objects/[0-7]?
redo -C half verify --all >"$OUT"
redo -C loose verify --all >expected
cmp -s expected "$OUT" || fail "it is not" < <(diff expected "$OUT" | head -5)
redo -C half stats | grep -E '^(nodes|loose|packed|missing|corrupt): ' >figures
expect_equal "$(awk '{ print $2 }' figures | paste -sd' ')" "1400 $(objects half) $((1400 - $(objects half))) 0 0" "the figures"

scene "the audit of a sound store prints what it says of single nodes"
redo -C loose verify | cut -d' ' -f1-3 | sort >expected
redo -C sound verify | cut -d' ' -f1-3 | sort | cmp -s - expected || fail "it says something else" <expected
broken true
expect_status 0
expect_stdout ''

scene "stats: what is packed has a place of its own"
cd "$WORK/here" || exit 1
redo -C sound stats --json >"$OUT"
python3 - "$OUT" sound/"$PACK" <<'END' || fail "other figures" <"$OUT"
import json, os, struct, sys
value = json.load(open(sys.argv[1]))
data = open(sys.argv[2], "rb").read()
assert value["byPlace"].keys() == {"packed"} and value["byPlace"]["packed"]["count"] == 1400
assert value["byPlace"]["packed"]["disk"] == struct.unpack("<Q", data[-40:-32])[0] - 12
assert value["fileSize"] > len(data)
END

scene "pack-corrupt: a changed byte of a frame, the end, the directory, the beginning"
broken 'poke "$PACK" $(($(offset 1) + 500))'
found error pack-corrupt "$PACK_PATH" "frame 1 at byte $(offset 1): the bytes of a frame are not those of its checksum"
broken 'poke "$PACK" $(($(stat -c %s "$PACK") - 1))'
found error pack-corrupt "$PACK_PATH" "the bytes of the file are not those of its hash"
broken 'poke "$PACK" 3'
expect_status 1
grep -q "^error pack-corrupt - $PACK_PATH it does not begin as a pack does" "$OUT" || fail "no row" <"$OUT"
broken 'truncate -s 20000 "$PACK"'
expect_status 1
expect_equal "$(grep -c '^error pack-corrupt ' "$OUT")" 1 "rows"

scene "it is never less than an error, and the repair is told"
run redo -c verify.pack-corrupt=ignore verify
expect_error 128 "verify.pack-corrupt"
run redo -c verify.signature-missing=ignore verify --json
expect_stdout_has '"repair":"redo verify --repair-from=<source>"'

scene "the nodes of a damaged frame are corrupt to verify --all, unless another copy is whole"
broken 'poke "$PACK" $(($(offset 1) + 500))'
run redo verify --all
expect_status 1
expect_equal "$(grep '^B ' "$OUT" | cut -d' ' -f2)" "$(ids 1 | sort)" "bad ones"
expect_equal "$(grep '^B ' "$OUT" | cut -d' ' -f3 | sort -u)" object-corrupt "the reason"
expect_equal "$(grep -c '^[GN] ' "$OUT")" $((1400 - $(ids 1 | wc -l))) "others"
run redo stats
expect_status 1
expect_stdout_has "corrupt: $(ids 1 | wc -l)"
cp -a ../loose/.redo/objects/?? .redo/objects/
cmp -s <(redo verify --all) <(redo -C ../loose verify --all) || fail "they are not whole" </dev/null
run redo -c verify.signature-missing=ignore verify
found error pack-corrupt "$PACK_PATH"
rm .redo/cache/graph*
run redo -c verify.signature-missing=ignore verify
found error pack-corrupt "$PACK_PATH"

scene "without an index, nobody knows the nodes of a damaged frame, but it is told of"
broken 'poke "$PACK" $(($(offset 1) + 500)); rm "$INDEX"'
expect_status 1
grep -q "^warning pack-index - $PACK_PATH it has none" "$OUT" || fail "no row" <"$OUT"
grep -q "^error pack-corrupt - $PACK_PATH frame 1 " "$OUT" || fail "no row" <"$OUT"
run redo verify --all
expect_status 1
expect_equal "$(tail -n 1 "$OUT" | cut -d' ' -f1,3)" "B pack-corrupt" "the last row"

scene "a pack that has gone: its nodes are missing"
broken 'rm "$PACK"'
expect_status 1
expect_equal "$(grep -c '^error object-missing ' "$OUT")" 1400 "missing"
grep -q "^info file-unfinished - $INDEX_PATH the index of a pack that is not there" "$OUT" || fail "no row" <"$OUT"

scene "pack-index: missing, damaged, of another pack"
broken 'rm "$INDEX"'
found warning pack-index "$PACK_PATH" "it has none"
for how in 'poke "$INDEX" 3000' 'truncate -s -1 "$INDEX"' ': >"$INDEX"'; do
  broken "$how"
  found warning pack-index "$INDEX_PATH" "another hash than it states"
done
broken 'python3 "$TESTS/Oracle/index_pack.py" --swapped "$PACK" >"$INDEX"'
found error cache-wrong "$INDEX_PATH" "it says otherwise"

scene "names in the directory of packs: strays, temporaries, what is no file"
broken 'touch .redo/objects/pack/pack-x.pack .redo/objects/pack/tmp_pack_0123456789abcdef'
expect_status 0
expect_stdout_lines 2
grep -q '^warning file-stray - objects/pack/pack-x.pack ' "$OUT" || fail "no row" <"$OUT"
grep -q '^info file-unfinished - objects/pack/tmp_pack_0123456789abcdef' "$OUT" || fail "no row" <"$OUT"
for how in mkfifo mkdir 'ln -s /etc/passwd'; do
  broken 'mv "$PACK" ../kept; '"$how"' "$PACK"'
  expect_status 1
  grep -q "^error file-kind - $PACK_PATH " "$OUT" || fail "no row" <"$OUT"
done
broken 'cp "$PACK" .redo/objects/pack/pack-$(printf %064d 7).pack'
expect_status 1
grep -q "^error pack-corrupt - objects/pack/pack-$(printf %064d 7).pack it is the pack of another name" "$OUT" || fail "no row" <"$OUT"

scene "samples: each finds the damage, and their findings about nodes have none in common"
cd "$WORK/here" || exit 1
for part in 1 2 3; do redo -C sound verify --sample=$part/3; done | sort | cmp -s - <(redo -C sound verify | sort) || fail "they are not all" </dev/null
for part in 1 2 3; do
  broken 'poke "$PACK" $(($(offset 2) + 500))'
  run redo verify --sample=$part/3
  expect_status 1
  expect_stdout_has "error pack-corrupt - $PACK_PATH frame 2"
done

scene "runs that stop: together they find what one finds, and go through shards and frames"
cd "$WORK/here" || exit 1
redo -C sound verify | sort >whole
: >parts
token= runs=0
while :; do
  run redo -C sound verify --max-duration=0s $token
  [ "$STATUS" -le 1 ] || fail "a run ends with $STATUS" < <(everything_printed)
  grep -v '^resume ' "$OUT" >>parts
  runs=$((runs + 1))
  [ $runs -lt 100 ] || fail "it never ends" </dev/null
  grep -q '^resume ' "$OUT" || break
  token=--resume=$(sed -n 's/^resume //p' "$OUT")
done
sort parts | cmp -s - whole || fail "they find something else" < <(diff whole <(sort parts))
[ $runs -ge 18 ] || fail "only $runs runs" </dev/null
run redo -C sound verify --resume=256-1-1-1-deadbeef-00000000
expect_status 129

scene "a token of other packs begins with the first frame again"
broken 'redo commit -q create --title=x >/dev/null 2>&1; true'
run redo verify --max-duration=0s
while ! grep -q '^resume 256-' "$OUT"; do run redo verify --max-duration=0s --resume="$(sed -n 's/^resume //p' "$OUT")"; done
token=$(sed -n 's/^resume //p' "$OUT")
demo 1500 | tail -n 100 | redo import -q >/dev/null
redo repack -q
run redo verify --resume="$token"
expect_equal "$(cut -d' ' -f1-3 "$OUT" | sort -u | wc -l)" "$(redo verify | cut -d' ' -f1-3 | sort -u | wc -l)" "findings"

scene "packs of an alternate: looked up, counted apart, and not judged"
cd "$WORK/here" || exit 1
redo init -q second
echo "$WORK/here/sound/.redo/objects" >second/.redo/objects/info/alternates
redo -C second -c core.fsync=none import -q "$PWD/log.ndjson" >/dev/null
expect_equal "$(objects second)" 0 "objects of its own"
cmp -s <(redo -C second verify --all) <(redo -C loose verify --all) || fail "other rows" </dev/null
run redo -C second verify
expect_status 0
expect_stdout ''
redo -C second stats | grep -qx 'alternate: 1400' || fail "they are not counted" </dev/null

scene "the key of a node without one is found in packs"
KEY=4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb
redo init -q keys
printf '%s\n' $KEY | redo -C keys key import --private >/dev/null
redo -C keys commit -q create --title=one >/dev/null
redo -C keys cat-node --batch-all-objects --batch='' 2>/dev/null | grep -o '"publicKey":"[^"]*"' | sort -u >key
python3 - >plain.json <<'END'
print('{"action":"ARCHIVE","author":{"deviceId":"d","userId":"%s"},"data":{"fields":{}},"parents":[],"taskId":"7a000000-0000-4000-8000-000000000001","timestamp":{"lamport":1,"wall":"2026-01-01T00:00:00.000Z"},"version":1}' % open("key").read().split('"')[3][:32], end="")
END
id=$(redo hash-object --stdin <plain.json)
signature=$(redo -C keys key sign <plain.json)
sed "s/\"parents\":\[\],/\"id\":\"$id\",&\"signature\":\"$signature\",/" plain.json >signed.json
run redo -C keys verify --ndjson <signed.json
cp "$OUT" expected
grep -q '^G ' expected || fail "it is not found in loose objects either" <expected
redo -C keys repack -q
expect_equal "$(objects keys)" 0 "loose objects"
run redo -C keys verify --ndjson <signed.json
expect_stdout_file expected
