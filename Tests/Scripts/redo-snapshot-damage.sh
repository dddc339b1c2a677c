#!/bin/bash
# redo snapshot: whatever becomes of the files, and whatever else runs at the same time, the state is the same.
. "$(dirname "${BASH_SOURCE[0]}")/snapshot.bash"
own_copies

demo 1500 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null
second=$(redo snapshot create)
redo init -q ../small && redo -C ../small key generate >/dev/null 2>&1
for title in a b c; do redo -C ../small commit -q create --title=$title >/dev/null; done
redo -C ../small snapshot create >/dev/null

scene "what has no effect is warned of as without it: every log of the vectors, each half kept"
for log in "$VECTORS"/log/*.ndjson; do
  rm -rf ../vector && redo init -q ../vector
  redo -C ../vector import -q --salvage <"$log" >/dev/null 2>&1
  half=$(redo -C ../vector log --reverse --format='%(id)' | awk '{ a[NR] = $0 } END { print a[int((NR + 1) / 2)] }')
  [ -z "$half" ] || redo -C ../vector snapshot create -q --as-of="$half" >/dev/null
  alike ../vector
  redo -C ../vector snapshot create >/dev/null
  alike ../vector
  run redo -C ../vector snapshot verify
  expect_status 0
  ! grep -v ' good$' "$OUT" || fail "not good" <"$OUT"
done

scene "a node that breaks a rule is told of each time: no snapshot is made, and none is used"
rm -rf ../broken && cp -r ../small ../broken
python3 - ../broken/.redo "$(redo -C ../small log -n 1 --format='%(id) %(task) %(author:userid)')" >bad <<'END'
import hashlib, json, os, re, sys, zlib
store, (parent, task, user) = sys.argv[1], sys.argv[2].split()
body = {"action": "UPDATE", "author": {"deviceId": "d", "userId": user}, "data": {"fields": {"archived": True}},
        "parents": [parent], "taskId": task, "timestamp": {"lamport": 9, "wall": "2030-03-05T08:00:00.000Z"}, "version": 1}
text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
name = hashlib.sha256(text).hexdigest()
os.makedirs(f"{store}/objects/{name[:2]}", exist_ok=True)
with open(f"{store}/objects/{name[:2]}/{name[2:]}", "wb") as file:
    file.write(zlib.compress(b"node %d\0" % len(text) + text))
# As an older release would have done it: the head moves to what no command of this one takes.
with open(f"{store}/refs.journal", "r+") as journal:
    known = journal.read()
    number, received = re.findall(r"^entry (\d+) \d+ (\d+)$", known, re.M)[-1]
    chain = re.findall(r"^chain (\w{64})$", known, re.M)[-1]
    entry = f"entry {int(number) + 1} 1900000000000 {received}\n- {parent} heads/{task}\n+ sha256:{name} heads/{task}\nmessage old\n"
    entry += f"chain {hashlib.sha256((chain + entry).encode()).hexdigest()}\n"
    frame = f"@{len(entry):08x}"
    journal.write(f"{frame} {hashlib.sha256(frame.encode()).hexdigest()[:8]}\n{entry}")
print("sha256:" + name)
END
bad=$(cat bad)
same ../broken
redo -C ../broken state --trace >/dev/null 2>"$ERR"
expect_stderr_has "warning: '$bad': payload-forbidden"
expect_stderr_lacks 'snapshot: '
run redo -C ../broken snapshot create
expect_status 128
expect_stderr_has "fatal: a history with a node that breaks a rule is replayed each time"
expect_stdout ''

scene "a damaged one is passed over, and listed as corrupt; create makes it anew"
cat >../damage.py <<'END'
import os, subprocess, sys
folder = "../small/.redo/cache/snapshots/"
plain = subprocess.run(["redo", "-C", "../small", "state", "--no-snapshot"], capture_output=True).stdout
for name in sorted(os.listdir(folder)):
    whole = open(folder + name, "rb").read()
    places = sorted({*range(0, 400, 7), *range(0, len(whole), 61), *range(len(whole) - 200, len(whole), 7)})
    for place in (place for place in places if 0 <= place < len(whole)):
        for way in (bytes([whole[place] ^ 1]), b"", b"\0\0\0\0\0\0\0\0"):
            with open(folder + name, "wb") as file:
                file.write(whole[:place] + way + (whole[place + 1:] if way else b""))
            found = subprocess.run(["redo", "-C", "../small", "state"], capture_output=True)
            if (found.returncode, found.stdout, found.stderr) != (0, plain, b""):
                sys.exit(f"{name}, byte {place}, {way}: {found.returncode} {found.stderr[:300]}")
    with open(folder + name, "wb") as file:
        file.write(whole)
END
run python3 ../damage.py
expect_status 0
file=$SNAPSHOTS/$second
cp "$file" ../whole
for way in ": >$file" "head -c 100000 /dev/urandom >$file" "truncate -s -1 $file" "truncate -s 65000 $file" "printf x | dd of=$file bs=1 seek=70000 conv=notrunc 2>/dev/null" \
  "cp ../small/$SNAPSHOTS/$(ls ../small/$SNAPSHOTS | grep -m 1 "$NAMED") $file" \
  "rm -f $file && ln -s /dev/zero $file" "rm -f $file && mkfifo $file" "rm -f $file && mkdir $file"; do
  eval "$way"
  alike .
  expect_equal "$(used)" '' "a snapshot"
  run redo snapshot list
  expect_status 0
  expect_equal "$(cut -d' ' -f1-4 "$OUT")" "$second corrupt - -" "the row"
  run redo snapshot verify "${second:0:12}"
  expect_status 1
  expect_stdout "$second corrupt"
  if [ -d "$file" ]; then
    run redo snapshot create
    expect_error 128 "is a directory"
    expect_equal "$(temporaries)" 0 "temporary files"
    run redo snapshot drop --stale
    expect_error 1 "is a directory"
    rmdir "$file"
  else
    run redo snapshot create
    expect_status 0
    expect_stdout "$second"
    cmp -s ../whole "$file" || fail "it is not made anew" </dev/null
  fi
done
same

scene "what other rules or another layout made is stale, whatever its checksums say; other lines are found out"
redo snapshot create >/dev/null
other=$(name_of 3 $(redo log --format='%(id) %(parents)' | awk '{ id[$1]; for (i = 2; i <= NF; i++) parent[$i] } END { for (i in id) if (!(i in parent)) print i }'))
mv "$file" "$SNAPSHOTS/$other"
forge "$SNAPSHOTS/$other" "p[:8] + (3).to_bytes(8, 'little') + bytes.fromhex('$other') + p[48:]"
run redo snapshot list
expect_equal "$(cut -d' ' -f1-3 "$OUT")" "$other stale 1500" "the row"
run redo snapshot verify
expect_status 0
expect_stdout "$other stale"
same
expect_equal "$(used)" '' "a snapshot"
forge "$SNAPSHOTS/$other" "(2).to_bytes(8, 'little') + p[8:]"
run redo snapshot list
expect_equal "$(cut -d' ' -f1-4 "$OUT")" "$other stale - -" "the row"
same
run redo snapshot drop --stale
expect_stdout "$other"
redo snapshot create >/dev/null
forge "$file" "p.replace(b'\"priority\":3', b'\"priority\":4')"
run redo snapshot verify
expect_status 1
expect_stdout "$second wrong"
redo snapshot drop -q --all

scene "other things in the place of the directory change no output"
for way in "rm -rf $SNAPSHOTS" "touch $SNAPSHOTS" "rm $SNAPSHOTS; ln -s /tmp $SNAPSHOTS" "rm $SNAPSHOTS; rm -rf .redo/cache" "rm -rf .redo/cache; touch .redo/cache"; do
  eval "$way"
  same
  run redo snapshot list
  expect_status 0
  expect_stdout ''
done
run redo snapshot create
expect_status 128
expect_stdout ''
rm .redo/cache
run redo snapshot create
expect_stdout "$second"
same

scene "a store that cannot be written is read with it; create says what is the matter"
if can_be_nobody; then
  nobody() { as_nobody redo -c safe.directory='*' -c safe.store='*' "$@"; }
  redo state --no-snapshot >plain
  run nobody state
  expect_stdout_file plain
  run nobody state --trace
  expect_stderr_has "snapshot: $second has 1500 of 1500 nodes"
  redo snapshot drop -q --all
  run nobody snapshot create
  expect_status 128
  expect_stdout ''
  redo snapshot create >/dev/null
  run nobody snapshot drop --all
  expect_status 1
  expect_stderr_has "error: "
else
  skip "only root can become somebody else"
fi

scene "makers, droppers, writers and readers at once: a state of the past is always the same"
redo key generate >/dev/null 2>&1
point=$(redo log --skip=100 -n 1 --format='%(id)')
redo state -q --no-snapshot --as-of=2023-10-14 --hash >../past
for number in 1 2; do
  (for n in $(seq 25); do redo -c core.fsync=none commit -q create --title="$number.$n" >/dev/null || echo "commit $?" >>../failed; done) &
  (for n in $(seq 12); do redo snapshot create -q --as-of=2023-10-$((n + 10)) >/dev/null || echo "create $?" >>../failed; redo snapshot create -q >/dev/null || echo "create $?" >>../failed; done) &
  (for _ in $(seq 12); do redo snapshot drop -q --all || echo "drop $?" >>../failed; redo snapshot list >/dev/null || echo "list $?" >>../failed; done) &
  (
    last=0
    for _ in $(seq 25); do
      redo state -q --as-of=2023-10-14 --hash | cmp -s - ../past || echo "another past" >>../failed
      count=$(redo state -q | wc -l)
      [ "$count" -ge "$last" ] || echo "$count after $last" >>../failed
      last=$count
    done
  ) &
done
wait
[ ! -s ../failed ] || fail "something else was seen" <../failed
redo snapshot create -q >/dev/null
same
expect_equal "$(redo log --format='%(id)' | wc -l)" 1550 "nodes"
run redo snapshot verify -q
expect_status 0
expect_clean

scene "whoever makes a snapshot while a wipe is on keeps nothing of what goes"
rm -rf ../wiped && redo init -q ../wiped && redo -C ../wiped key generate >/dev/null 2>&1
demo 300 | redo -C ../wiped -c core.fsync=none import -q >/dev/null
for round in $(seq 10); do
  redo -C ../wiped -c core.fsync=none commit -q create --title="gone in round $round" >/dev/null
  user=$(redo -C ../wiped key show --user-id)
  for number in 1 2 3; do redo -C ../wiped snapshot create -q >/dev/null 2>../create.errors || cat ../create.errors >>../failed; done &
  for number in 1 2 3; do
    # A reader may find that an object has just gone, and says so.
    for words in "log" "state --no-snapshot" "state"; do
      redo -C ../wiped $words >/dev/null 2>../reader.errors || [ $? -eq 128 ] || cat ../reader.errors >>../failed
    done
  done &
  redo -C ../wiped wipe -q --yes --author="$user" || echo "wipe $?" >>../failed
  wait
  ! grep -raqs "gone in round" ../wiped/$SNAPSHOTS || fail "something is kept in round $round" </dev/null
done
[ ! -s ../failed ] || fail "something failed" <../failed
alike ../wiped
