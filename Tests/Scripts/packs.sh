#!/bin/bash
# Packs in the store: many new nodes are written as one, and readers do not notice.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

packs() { find "${1:-.}"/.redo/objects/pack -name 'pack-*.pack' | wc -l; }
indexes() { find "${1:-.}"/.redo/objects/pack -name 'pack-*.idx' | wc -l; }
demo 1600 >log.ndjson
ids_of <log.ndjson >ids
sort -R --random-source=<(yes) ids >shuffled

# answers <store>: what it says in every way.
answers() {
  redo -C "$1" log
  redo -C "$1" log --format='%(id)'
  redo -C "$1" state --json
  redo -C "$1" state --hash
  redo -C "$1" export
  redo -C "$1" cat-node --batch --batch-all-objects
  redo -C "$1" cat-node --batch --buffer <ids
  redo -C "$1" cat-node --batch='%(id) %(size) %(signature)' --buffer <shuffled
  redo -C "$1" show "$(cut -c 8-20 <ids | sed -n 700p)" | grep -v '^Received:'
}

scene "a log of more nodes than the limit becomes one pack and its index"
redo init -q loose
redo init -q packed
run redo -C loose -c core.bulkLimit=1600 import -q "$PWD/log.ndjson"
expect_status 0
expect_stdout 1600
expect_equal "$(objects loose) $(packs loose)" "1600 0" "loose objects and packs"
run redo -C packed import -q "$PWD/log.ndjson"
expect_status 0
expect_stdout 1600
expect_equal "$(objects packed) $(packs packed) $(indexes packed)" "0 1 1" "loose objects, packs and indexes"
expect_equal "$(stat -c %a packed/.redo/objects/pack/pack-*)" "$(printf '444\n444')" "modes"
expect_equal "$(temporaries packed)" 0 "temporary files"

scene "everything that is read out of it is the same, byte for byte"
answers loose >expected
answers packed >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"

scene "without its index, or with a damaged one, too"
cp -r packed without
rm without/.redo/objects/pack/*.idx
rm -rf without/.redo/cache
answers without >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"
expect_equal "$(indexes without)" 0 "indexes: readers write none"
for place in 10 5000 40000; do
  cp packed/.redo/objects/pack/*.idx damaged
  chmod u+w damaged
  printf '\377\376' | dd of=damaged bs=1 seek=$place conv=notrunc status=none
  cp damaged "$(ls packed/.redo/objects/pack/*.pack | sed 's/^packed/without/; s/pack$/idx/')"
  redo -C without cat-node --batch='%(id) %(size) %(signature)' --buffer <shuffled >found
  redo -C packed cat-node --batch='%(id) %(size) %(signature)' --buffer <shuffled | cmp -s - found ||
    fail "the answers differ with byte $place of the index changed" </dev/null
  rm -f without/.redo/objects/pack/*.idx damaged
done

scene "up to the limit they stay loose; the limit can be set, also to none at all"
redo init -q limit
run redo -C limit hash-object -w --ndjson < <(head -1000 log.ndjson)
expect_equal "$(objects limit) $(packs limit)" "1000 0" "loose objects and packs"
run redo -C limit hash-object -w --ndjson < <(head -1100 log.ndjson)
expect_status 0
expect_stdout_lines 1100
expect_equal "$(objects limit) $(packs limit)" "1100 0" "loose objects and packs: the others were known"
run redo -C limit -c core.bulkLimit=99 hash-object -w --ndjson < <(head -1200 log.ndjson)
expect_equal "$(objects limit) $(packs limit)" "1100 1" "loose objects and packs"
run redo -C limit -c core.bulkLimit=0 hash-object -w --ndjson < <(sed -n 1201p log.ndjson)
expect_equal "$(objects limit) $(packs limit)" "1100 2" "loose objects and packs"
run redo -C limit hash-object -w --stdin < <(sed -n 1202p log.ndjson)
expect_equal "$(objects limit) $(packs limit)" "1101 2" "loose objects and packs"
run redo -C limit cat-node --batch-check='%(id)' --batch-all-objects
expect_status 0
head -1202 ids | sort | cmp -s - "$OUT" || fail "these are not its objects" <"$OUT"
run redo -c core.bulkLimit=-1 -C limit hash-object -w --ndjson <log.ndjson
expect_error 128 "core.bulklimit"

scene "a node that comes twice is written once"
redo init -q twice
cat log.ndjson log.ndjson | redo -C twice import -q >"$OUT" 2>"$ERR"
expect_stdout 1600
expect_equal "$(objects twice) $(packs twice)" "0 1" "loose objects and packs"
answers twice >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"

scene "a second time nothing changes; an empty store with the packed one behind it needs nothing"
before=$(fingerprint packed)
run redo -C packed import -q "$PWD/log.ndjson"
expect_stdout 0
run redo -C packed hash-object -w --ndjson <log.ndjson
expect_stdout_file ids
expect_untouched "$before" packed
redo init -q behind
echo "$PWD/packed/.redo/objects" >behind/.redo/objects/info/alternates
run redo -C behind import -q "$PWD/log.ndjson"
expect_status 0
expect_stdout 1600
expect_equal "$(objects behind) $(packs behind)" "0 0" "objects of its own"
answers behind >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"

scene "an import heals what was in a damaged frame, and leaves heads and history as they were"
cp -r packed healed
rm -rf healed/.redo/cache
chmod u+w healed/.redo/objects/pack/*.pack
printf x | dd of="$(echo healed/.redo/objects/pack/*.pack)" bs=1 seek=5000 conv=notrunc status=none
run redo -C healed verify --all
expect_status 1
grep -c '^B' "$OUT" >corrupt
run redo -C healed import "$PWD/log.ndjson"
expect_status 0
expect_stdout 0
expect_stderr "imported 0 new changes, 1600 known, $(cat corrupt) healed"
expect_equal "$(redo -C healed show-ref)" "$(redo -C packed show-ref)" "heads"
answers healed >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"

scene "a signed node takes the place of an unsigned one in a pack: a loose copy is read first"
sed 's/,"signature":"[0-9a-f]*"//' log.ndjson >unsigned.ndjson
redo init -q unsigned
redo -C unsigned hash-object -w --ndjson <unsigned.ndjson >"$OUT" 2>"$ERR"
expect_stdout_file ids
expect_equal "$(packs unsigned)" 1 packs
sed -n '20,30p' log.ndjson >some.ndjson
signed=$(grep -c '"signature"' some.ndjson)
run redo -C unsigned hash-object -w --ndjson <some.ndjson
expect_status 0
expect_equal "$(objects unsigned)" "$signed" "loose objects"
run redo -C unsigned cat-node --batch='%(id)' --buffer < <(ids_of <some.ndjson)
expect_status 0
redo -C packed cat-node --batch='%(id)' --buffer < <(ids_of <some.ndjson) | cmp -s - "$OUT" || fail "the better copies are not read" <"$OUT"

scene "the same in one input: the better of two signatures is kept, whichever comes first"
for order in "unsigned.ndjson log.ndjson" "log.ndjson unsigned.ndjson"; do
  rm -rf both && redo init -q both
  # shellcheck disable=SC2086 # words
  cat $order | redo -C both hash-object -w --ndjson >"$OUT" 2>"$ERR" || fail "it fails" <"$ERR"
  redo -C both cat-node --batch --batch-all-objects >found
  redo -C packed cat-node --batch --batch-all-objects | cmp -s - found || fail "a worse copy is kept ($order)" </dev/null
  expect_equal "$(temporaries both)" 0 "temporary files"
done

scene "one bad node keeps all of them out, and nothing is left behind"
redo init -q refused
before=$(fingerprint refused)
run redo -C refused import < <(sed '1500s/"title":"./"title":"?/; 1500s/"lamport":[0-9]*/"lamport":0/' log.ndjson)
expect_status 1
expect_untouched "$before" refused

scene "a store that is recovered has a pack, too"
run redo -C loose recover --to=2030-01-01 -o "$PWD/again"
expect_status 0
expect_equal "$(objects again) $(packs again)" "0 1" "loose objects and packs"
answers again >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"

scene "a file that may not grow so far, and a full disk: one clear error, and a store as it was"
for how in "import" "hash-object -w --ndjson"; do
  run bash -c "ulimit -f 40; redo -C refused $how <log.ndjson"
  expect_error 128 "file too large"
  expect_untouched "$before" refused
done
if [ "$(id -u)" -eq 0 ] && mkdir disk && mount -t tmpfs -o size=200k,mode=755 none disk 2>/dev/null; then
  at_exit "umount '$PWD/disk'"
  redo init -q disk
  full=$(fingerprint disk)
  run redo -C disk import <log.ndjson
  expect_error 128 "no space left on device"
  expect_untouched "$full" disk
  mount -o remount,size=10m disk
  run redo -C disk import -q <log.ndjson
  expect_status 0
  expect_stdout 1600
else
  skip "only root can mount a small disk"
fi

scene "a signal while it writes leaves the store as it was; a kill leaves what is never read"
for signal in TERM KILL; do
  rm -rf struck && redo init -q struck
  before=$(fingerprint struck)
  mkfifo input
  redo -C struck import -q <input >"$OUT" 2>"$ERR" &
  pid=$!
  exec 5>input
  head -1500 log.ndjson >&5
  # What has arrived is worked on when the input pauses, or when there is enough of it.
  settled $pid
  kill -$signal $pid
  exec 5>&-
  wait $pid 2>/dev/null
  status=$?
  [ $signal = KILL ] && expect_equal $status 137 status || expect_equal $status 143 status
  [ $signal = KILL ] || expect_untouched "$before" struck
  rm -f input
  run redo -C struck cat-node --batch-check --batch-all-objects
  expect_status 0
  expect_stdout ''
  run redo -C struck import -q "$PWD/log.ndjson"
  expect_status 0
  expect_stdout 1600
done

scene "two at once, with the same nodes and with overlapping ones: nothing is lost, and one pack of one name"
redo init -q together
for part in "1,1600p" "1,1600p" "1,1200p" "1,1400p"; do
  sed -n "$part" log.ndjson | redo -C together import -q >"done.$part" 2>"said.$part.$RANDOM" &
done
wait
answers together >found
cmp expected found >"$OUT" || fail "the answers differ" <"$OUT"
expect_equal "$(temporaries together)" 0 "temporary files"
