#!/bin/bash
# redo repack: loose nodes in packs, and packs in one; nothing that can be asked of the store changes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 900 >log.ndjson
# part <first> <last>: some of these nodes, written as loose objects.
part() { sed -n "$1,$2p" log.ndjson | redo -C store -c core.fsync=none import -q >/dev/null; }
packs() { find "${1:-store}"/.redo/objects/pack -name '*.pack' | wc -l; }
indexes() { find "${1:-store}"/.redo/objects/pack -name '*.idx' | wc -l; }
# Everything that can be asked: the history, each node to the byte, signatures, the state, the refs.
answers() {
  redo -C "$1" log --json
  redo -C "$1" cat-node --batch --batch-all-objects
  redo -C "$1" state --json
  redo -C "$1" show-ref
}
# sizes: the nodes of each pack, in ascending order.
sizes() {
  for pack in store/.redo/objects/pack/*.pack; do
    [ ! -e "$pack" ] || redo archive list "$pack" | cut -d' ' -f2
  done | sort -n | paste -sd' '
}
name_of() { basename "$1" | sed 's/^pack-//; s/\..*//'; }

make_some() { rm -rf store && redo init -q store && part 1 300; }

scene "-n says what would be done, and changes nothing"
make_some
redo -C store hash-object -t blob -w --stdin <log.ndjson >blob
answers store >before
fingerprint=$(fingerprint store)
run redo -C store repack -n
expect_status 0
expect_stderr ''
cp "$OUT" planned
expect_untouched "$fingerprint" store
expect_equal "$(cut -d' ' -f1,3- planned)" $'packed 300 -\nloose' "the rows"

scene "loose nodes are one pack then, in the order of archives; blobs stay loose"
run redo -C store repack
expect_status 0
expect_stderr ''
pack=$(echo store/.redo/objects/pack/*.pack)
expect_stdout "$(sed "s/ -\$/ $(stat -c %s "$pack")/" planned)"
expect_equal "$(cut -d' ' -f2 "$OUT" | head -1)" "$(name_of "$pack")" "the name"
expect_equal "$(objects store) $(packs) $(indexes)" "1 1 1" "loose objects, packs and indexes"
expect_equal "$(stat -c %a "$pack")" 444 "the mode"
answers store | cmp - before || fail "something else is answered" </dev/null
expect_clean store
redo -C store archive create -q -o here.redopack >/dev/null
cmp store/here.redopack "$pack" || fail "it is not what archive create writes" </dev/null
rm store/here.redopack

scene "again there is nothing to do"
fingerprint=$(fingerprint store)
for how in '' -a -n --geometric=3; do
  # shellcheck disable=SC2086
  run redo -C store repack $how
  expect_status 0
  expect_stdout ''
  expect_stderr ''
  expect_untouched "$fingerprint" store
done

scene "packs are united geometrically: each has at least twice the nodes of all smaller ones"
part 301 400
run redo -C store repack
expect_equal "$(sizes)" "100 300" "the packs"
part 401 410
run redo -C store repack
expect_equal "$(sizes)" "10 100 300" "the packs"
part 411 416
run redo -C store repack --json
expect_equal "$(sizes)" "16 100 300" "the packs"
expect_equal "$(sed 's/"bytes":[0-9]*,//; s/"name":"[0-9a-f]\{64\}"/N/' "$OUT" | paste -sd' ')" \
  '{N,"nodes":16,"what":"packed"} {N,"nodes":10,"what":"united"} {"nodes":6,"what":"loose"}' "the rows"
part 417 455
run redo -C store repack
expect_equal "$(sizes)" "455" "the packs"
expect_equal "$(cut -d' ' -f1,3 "$OUT" | sed 's/^\(packed 455\).*/\1/' | paste -sd' ')" "packed 455 united 16 united 100 united 300 loose" "the rows"
for count in 30 60 150; do
  part 456 $((455 + count)) && redo -C store repack -q --geometric=4
  expect_equal "$(sizes | awk '{ below = 0; for (i = 1; i <= NF; i++) { if ($i < 4 * below) print "no"; below += $i } }')" '' "a row of $(sizes)"
done
expect_clean store

scene "-a: one pack; the same pack wherever the nodes were, and however they came"
part 1 900
run redo -C store repack --all
expect_status 0
expect_equal "$(sizes) $(indexes)" "900 1" "the packs"
rm -rf other && redo init -q other
shuf log.ndjson --random-source=log.ndjson | redo -C other -c core.fsync=none import -q >/dev/null
redo -C other repack -q
cmp store/.redo/objects/pack/*.pack other/.redo/objects/pack/*.pack || fail "the packs differ" </dev/null
cmp store/.redo/objects/pack/*.idx other/.redo/objects/pack/*.idx || fail "the indexes differ" </dev/null
cmp <(redo -C store export) <(redo -C other export) || fail "the stores differ" </dev/null
expect_clean store

scene "a loose copy that is just the same goes; a better signature stays until both are packed"
rm -rf store && redo init -q store
head -n 40 log.ndjson | sed 's/"signature":"[0-9a-f]*",//' >unsigned.ndjson
redo -C store import -q <unsigned.ndjson >/dev/null
redo -C store repack -q
head -n 3 log.ndjson | redo -C store hash-object -w --ndjson >ids
expect_equal "$(objects store)" 3 "loose objects"
redo -C store cat-node --batch-check='%(signature)' <ids >signed
! grep -q '^$' signed || fail "they are not signed" <signed
run redo -C store repack
expect_stdout ''
expect_equal "$(objects store)" 3 "loose objects"
run redo -C store repack -a
expect_status 0
expect_equal "$(objects store)" 0 "loose objects"
redo -C store cat-node --batch-check='%(signature)' <ids | cmp - signed || fail "a signature is lost" </dev/null
cp -r store copy
part 1 2 # are known: nothing is written
expect_equal "$(objects store)" 0 "loose objects"
id=$(sed 's/sha256://' ids | head -1)
rm -rf apart && redo init -q apart && head -n 3 log.ndjson | redo -C apart import -q >/dev/null
mkdir -p "store/.redo/objects/${id:0:2}" && cp "apart/.redo/objects/${id:0:2}/${id:2}" "store/.redo/objects/${id:0:2}/"
run redo -C store repack
expect_stdout 'loose 1'
expect_equal "$(objects store)" 0 "loose objects"
expect_clean store

scene "an index that is missing or damaged is made anew"
index=$(echo store/.redo/objects/pack/*.idx)
cp "$index" good.idx
for damage in 'rm -f' 'truncate -s -1' 'cp -f /dev/null'; do
  chmod u+w "$index" 2>/dev/null
  $damage "$index"
  run redo -C store repack
  expect_status 0
  expect_stdout "indexed $(name_of "$index") 40"
  cmp "$index" good.idx || fail "another index" </dev/null
done

scene "what is damaged is named and stays; the rest is packed"
make_some
redo -C store repack -q
part 301 330
damaged=$(echo store/.redo/objects/pack/*.pack)
chmod u+w "$damaged"
printf 'x' | dd of="$damaged" bs=1 seek=1000 conv=notrunc 2>/dev/null
object=$(find store/.redo/objects -path '*/??/*' -type f | sort | head -1)
chmod u+w "$object" && truncate -s -1 "$object"
cp "$damaged" damaged.pack && cp "$object" damaged.object
run redo -C store repack -a
expect_status 1
expect_equal "$(cut -d' ' -f1,3 "$OUT" | sed 's/\(packed 29\).*/\1/' | paste -sd' ')" 'packed 29 loose' "the rows"
expect_equal "$(grep -c '^error: .*stays as it is$' "$ERR")" 2 "messages"
expect_stderr_has "$(basename "$damaged")"
cmp "$damaged" damaged.pack || fail "the damaged pack has changed" </dev/null
cmp "$object" damaged.object || fail "the damaged object has changed" </dev/null
expect_equal "$(packs) $(objects store)" "2 1" "packs and loose objects"
for file in garbage empty; do
  name=store/.redo/objects/pack/pack-$(printf "$file" | sha256sum | cut -c1-64).pack
  if [ $file = empty ]; then : >"$name"; else printf 'no pack' >"$name"; fi
  run redo -C store repack
  expect_status 1
  expect_stderr_has "$(basename "$name")"
  [ -e "$name" ] || fail "it is gone" </dev/null
done

scene "leftovers of others do no harm, and two at once take turns"
make_some
: >store/.redo/objects/pack/tmp_pack_0123456789abcdef
redo -C store repack -q &
run redo -C store repack -q
expect_status 0
wait $! || fail "the other one fails" </dev/null
rm store/.redo/objects/pack/tmp_pack_*
expect_equal "$(packs) $(objects store)" "1 0" "packs and loose objects"
expect_clean store
if command -v python3 >/dev/null; then
  cat >hold.py <<'END'
import fcntl, os, struct, sys
fd = os.open("store/.redo/objects/pack/lock", os.O_RDWR)
fcntl.fcntl(fd, 37, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))  # F_OFD_SETLK
print("held", flush=True)
sys.stdin.read()
END
  coproc HOLD { python3 hold.py; }
  read -r -t 10 _ <&"${HOLD[0]}" || fail "the lock cannot be had" </dev/null
  run redo -C store -c core.lockTimeout=100 repack
  expect_error 75 "objects/pack/lock' is locked"
  exec {HOLD[1]}>&-
fi

scene "bad calls"
run redo -C store repack some
expect_status 129
expect_stderr_has "'some': a whole store is packed"
for factor in 1 0 -2 101 x ''; do
  run redo -C store repack --geometric="$factor"
  expect_status 129
  expect_stderr_has "'--geometric' expects a number from 2 to 100, not '$factor'"
done
run redo -C store repack -a --geometric=2
expect_status 129
expect_stderr_has "cannot be used together"
