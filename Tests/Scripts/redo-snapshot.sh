#!/bin/bash
# redo snapshot: kept states. With them and without them redo state prints the same bytes, whatever becomes of the files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same [<store>]: each form of the state is the same without snapshots, what is said on standard error included.
# alike <store>: those forms that a snapshot has a part in most.
same() {
  local store=${1:-.} arguments
  for arguments in "${forms[@]}"; do
    redo -C "$store" state --no-snapshot $arguments >plain 2>plain.errors || fail "redo state --no-snapshot fails" <plain.errors
    run redo -C "$store" state $arguments
    expect_status 0
    cmp -s plain "$OUT" || fail "redo state $arguments differs" < <(diff plain "$OUT" | head)
    cmp -s plain.errors "$ERR" || fail "redo state $arguments says something else" < <(diff plain.errors "$ERR" | head)
  done
}
alike() {
  local forms=("" "--hash -z" "--as-of=lamport:3 --allow-empty")
  same "$1"
}
forms=("" "--hash" "-z" "--hash -z -q" "--table" "--skips" "--as-of=2039-01-01 --allow-empty" "--as-of=2023-10-14 --allow-empty --hash"
  "--as-of=2023-10-20 --allow-empty" "--as-of=2023-10-20 --policy=wall --allow-empty --hash"
  "--as-of=2039-01-01 --policy=received --allow-empty --hash" "--as-of=lamport:3 --allow-empty")
# used [<argument of state>...]: what --trace says of a snapshot.
used() { redo state -q --trace "$@" 2>&1 >used.out | sed -n 's/^snapshot: //p'; }
name_of() { # <version of the rules> <head>...: the name, by its definition
  python3 - "$@" <<'END'
import hashlib, sys
heads = sorted(bytes.fromhex(head.removeprefix("sha256:")) for head in sys.argv[2:])
print(hashlib.sha256(b"redo-snapshot %s\n" % sys.argv[1].encode() + b"".join(heads)).hexdigest())
END
}
# forge <file> <expression>: a cache file with another payload (from `p`) and checksums that fit.
forge() {
  python3 - "$@" <<'END'
import hashlib, sys
file, expression = sys.argv[1:]
data = open(file, "rb").read()
p = eval(expression, {"p": data[: int(data[-82:-66], 16)]})
end = b"".join(hashlib.sha256(p[at:at + 65536]).digest() for at in range(0, len(p), 65536)) + b"redo-cache 1 %016x " % len(p)
open(file, "wb").write(p + end + hashlib.sha256(end).hexdigest().encode() + b"\n")
END
}
SNAPSHOTS=.redo/cache/snapshots
NAMED='^[0-9a-f]\{64\}$' # in `ls`: snapshots

demo 1500 >log.ndjson
make_store demo
head -1000 ../log.ndjson | redo -c core.fsync=none import -q >/dev/null

scene "without any: nothing is listed, and nothing is used"
run redo snapshot list
expect_status 0
expect_stdout ''
expect_stderr ''
run redo snapshot verify
expect_status 0
expect_stdout ''
run redo snapshot drop --all
expect_status 0
expect_stdout ''
expect_equal "$(used)" '' "a snapshot"
[ ! -e $SNAPSHOTS ] || fail "there is a directory" </dev/null

scene "create prints the name, which is that of the rules and the heads"
before=$(fingerprint)
run redo snapshot create
expect_status 0
expect_stderr ''
first=$(cat "$OUT")
heads=$(redo log --format='%(id) %(parents)' | awk '{ id[$1]; for (i = 2; i <= NF; i++) parent[$i] } END { for (i in id) if (!(i in parent)) print i }')
expect_stdout "$(name_of 1 $heads)"
[ -f "$SNAPSHOTS/$first" ] || fail "there is no file" </dev/null
expect_untouched "$before"
run redo-snapshot list
expect_status 0
expect_equal "$(cut -d' ' -f1-4 "$OUT")" "$first current 1000 $(redo log --format='%(task)' | sort -u | wc -l)" "the row"
expect_equal "$(cut -d' ' -f5 "$OUT")" "$(stat -c %s "$SNAPSHOTS/$first")" "the size"

scene "create once more changes nothing, and prints the same name"
before=$(stat -c '%i %y' "$SNAPSHOTS/$first")
run redo snapshot create -q
expect_status 0
expect_stdout "$first"
expect_equal "$(stat -c '%i %y' "$SNAPSHOTS/$first")" "$before" "the file"

scene "state is copied from it, and is the same"
same
expect_equal "$(used)" "$first has 1000 of 1000 nodes; 0 of $(redo log --format='%(task)' | sort -u | wc -l) tasks are replayed" "the trace"
expect_equal "$(used --no-snapshot)$(used --no-cache)" '' "a snapshot"
expect_equal "$(redo snapshot list --json | sed 's/.*"hash":"\([^"]*\)".*/\1/')" "$(redo state --hash --no-cache)" "the hash that is kept"

scene "for some tasks, revisions, a table, skips and standard input nothing is copied"
task=$(redo log -n 1 --format='%(task)')
for arguments in "--task=$task" "$(redo log -n 1 --format='%(id)')" "--table" "--skips"; do
  run redo state --trace $arguments
  expect_status 0
  expect_stderr_lacks 'snapshot: '
done
run redo state --stdin --trace --hash <../log.ndjson
expect_stderr_lacks 'snapshot: '

scene "of what came since, only its tasks are replayed"
tail -500 ../log.ndjson | redo -c core.fsync=none import -q >/dev/null
same
tasks=$(redo log --format='%(task)' | sort -u | wc -l)
new=$(redo log --format='%(id) %(task)' | sort | join - <(tail -500 ../log.ndjson | ids_of | sort) | cut -d' ' -f2 | sort -u | wc -l)
expect_equal "$(used)" "$first has 1000 of 1500 nodes; $new of $tasks tasks are replayed" "the trace"
[ "$new" -lt "$tasks" ] || fail "all tasks are new" </dev/null
run redo snapshot list
expect_equal "$(cut -d' ' -f1-3 "$OUT")" "$first usable 1000" "the row"

scene "the best of several is used; one made on top of another has the bytes of one made from nothing"
second=$(redo snapshot create)
expect_equal "$(used)" "$second has 1500 of 1500 nodes; 0 of $tasks tasks are replayed" "the trace"
same
cp "$SNAPSHOTS/$second" ../made
redo snapshot drop -q --all
redo snapshot create >/dev/null
cmp -s ../made "$SNAPSHOTS/$second" || fail "the bytes differ" </dev/null
run redo snapshot verify
expect_status 0
expect_stdout "$second good"

scene "a point in time has a snapshot of its own, and uses any that is within it"
run redo snapshot create --as-of=2023-10-14
expect_status 0
early=$(cat "$OUT")
expect_stderr_has 'as of 2023-10-14T23:59:59.999Z: '
[ "$early" != "$second" ] || fail "the same name" </dev/null
expect_equal "$(used --as-of=2023-10-14 | cut -d' ' -f1)" "$early" "the snapshot"
expect_equal "$(used --as-of=2023-10-16 | cut -d' ' -f1)" "$early" "the snapshot"
expect_equal "$(used --as-of=2023-10-05)" "" "the snapshot"
expect_equal "$(used --as-of=2023-10-16 --policy=wall)" '' "the snapshot"
expect_equal "$(used --as-of=now | cut -d' ' -f1)" "$second" "the snapshot"
node=$(redo log --skip=500 -n 1 --format='%(id)')
run redo snapshot create -q --as-of="$node"
expect_stdout "$(name_of 1 "$node")"
expect_stderr ''
for point in "$node" lamport:2 2023-10-15 2023-10-25; do
  redo snapshot create -q --as-of="$point" >/dev/null
done
for point in "$node" lamport:1 lamport:2 lamport:3 lamport:20 2023-10-14 2023-10-15 2023-10-16 2023-10-24 2023-10-25 2023-10-26 2024-05-01; do
  run redo state --as-of="$point"
  redo state --as-of="$point" --no-snapshot 2>"$WORK/.last/plain" | cmp -s - "$OUT" || fail "the state as of $point differs" </dev/null
  cmp -s "$WORK/.last/plain" "$ERR" || fail "as of $point something else is said" <"$ERR"
done
same
redo snapshot list | awk '{ print $2 }' | sort | uniq -c >"$OUT"
expect_stdout "      1 current
      5 usable"
run redo snapshot verify
expect_status 0
expect_equal "$(grep -c ' good$' "$OUT")" 6 "good ones"

scene "create: what is no closed history, and no point, is refused"
run redo snapshot create --as-of=now --policy=wall
expect_status 129
expect_stderr_has "error: a snapshot is of nodes with all their ancestors, which 'wall' does not take"
run redo snapshot create --policy=received
expect_status 129
run redo snapshot create now
expect_status 129
expect_stderr_has "error: a snapshot is of the whole history: 'now' is too much"
run redo snapshot create --as-of=yesterday
expect_error 128 "not a point in time: 'yesterday'"
run redo snapshot create --as-of=2001-01-01
expect_error 128 "no node precedes '2001-01-01'"
run redo snapshot
expect_status 129
expect_stderr_has "error: a subcommand is needed"

scene "drop: by name, by its beginning, the useless ones, all; -n only lists"
run redo snapshot drop
expect_status 129
expect_stderr_has "error: no snapshot is named; '--all' removes all"
run redo snapshot drop --all "$first"
expect_status 129
run redo snapshot drop --all --stale
expect_status 129
run redo snapshot drop "${second:0:3}"
expect_error 128 "the beginning of a snapshot's name has at least 4 digits: '${second:0:3}'"
run redo snapshot drop "$second" ffffffff
expect_error 128 "no snapshot has the name 'ffffffff'"
run redo snapshot drop -n "${second:0:8}"
expect_status 0
expect_stdout "$second"
[ -f "$SNAPSHOTS/$second" ] || fail "it is gone" </dev/null
run redo snapshot drop "${second:0:8}" "$second"
expect_status 0
expect_stdout "$second"
[ ! -e "$SNAPSHOTS/$second" ] || fail "it is there" </dev/null
same
cp ../made "$SNAPSHOTS/$second"
run redo snapshot drop --stale
expect_status 0
expect_stdout ''
echo foreign >"$SNAPSHOTS/notes"
redo snapshot list | cut -d' ' -f1 >names
run redo snapshot drop --all
expect_stdout_file names
run redo snapshot list
expect_stdout ''
expect_equal "$(ls $SNAPSHOTS)" "current
notes" "what is left"
rm $SNAPSHOTS/notes
touch "$SNAPSHOTS/${second:0:60}0000" "$SNAPSHOTS/${second:0:60}0001"
run redo snapshot drop "${second:0:20}"
expect_error 128 "'${second:0:20}' is the beginning of several snapshots' names"
run redo snapshot drop -q --stale
expect_stdout ''
expect_equal "$(ls $SNAPSHOTS)" current "what is left"

scene "heads that move back make it stale, and forth again make it good"
redo snapshot create >/dev/null
read -r id task <<<"$(redo log -n 1 --format='%(id) %(task)')"
parent=$(redo rev-parse "$id~1")
redo update-ref "heads/$task" "$parent" "$id"
same
run redo snapshot list
expect_equal "$(cut -d' ' -f1-2 "$OUT")" "$second stale" "the row"
back=$(redo snapshot create)
expect_equal "$(used)" "$back has 1499 of 1499 nodes; 0 of $tasks tasks are replayed" "the trace"
same
redo reflog undo >/dev/null
run redo snapshot list
expect_equal "$(sort -k2 "$OUT" | cut -d' ' -f1-2)" "$second current
$back usable" "the rows"
same
expect_equal "$(used | cut -d' ' -f1)" "$second" "the snapshot"
redo snapshot drop -q "$back"

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

scene "a task that is deleted leaves the state, one that is made joins it, others stay"
redo init -q ../small && redo -C ../small key generate >/dev/null 2>&1
for title in a b c; do redo -C ../small commit -q create --title=$title >/dev/null; done
redo -C ../small snapshot create >/dev/null
same ../small
redo -C ../small commit -q delete --task="$(redo -C ../small state | sed -n '2s/.*"guid":"\([^"]*\)".*/\1/p')" >/dev/null
redo -C ../small commit -q create --title=d >/dev/null
same ../small
expect_equal "$(redo -C ../small state | wc -l)" 3 "tasks"
redo -C ../small snapshot create >/dev/null
same ../small
rm -rf ../empty && redo init -q ../empty
run redo -C ../empty snapshot create
expect_status 0
expect_stdout "$(name_of 1)"
same ../empty
redo -C ../small export | redo -C ../empty import -q >/dev/null
same ../empty

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
other=$(name_of 2 $(redo log --format='%(id) %(parents)' | awk '{ id[$1]; for (i = 2; i <= NF; i++) parent[$i] } END { for (i in id) if (!(i in parent)) print i }'))
mv "$file" "$SNAPSHOTS/$other"
forge "$SNAPSHOTS/$other" "p[:8] + (2).to_bytes(8, 'little') + bytes.fromhex('$other') + p[48:]"
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
for way in "rm -rf $SNAPSHOTS" "touch $SNAPSHOTS" "rm $SNAPSHOTS; ln -s /tmp $SNAPSHOTS" "rm $SNAPSHOTS; rm -rf .redo/cache" "touch .redo/cache"; do
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
  nobody() { as_nobody env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=safe.directory 'REDO_CONFIG_VALUE_0=*' redo "$@"; }
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

scene "a full disk for the output is an error; rows may end in NUL"
for words in "snapshot create" "snapshot list" "snapshot verify" "snapshot drop -n --all" "state" "state --hash"; do
  redo $words >/dev/full 2>"$ERR"
  STATUS=$? RUN="redo $words" && : >"$OUT"
  expect_error 128 "no space left on device"
done
expect_equal "$(redo snapshot list -z | tr -d '\n' | tr '\0' '\n' | wc -l)" 1 "rows"
redo snapshot list --json >"$OUT"
grep -q "^{\"hash\":\"sha256:[0-9a-f]\{64\}\",\"made\":\"20[^\"]*Z\",\"name\":\"$second\",\"nodes\":1500,\"rules\":1,\"size\":[0-9]*,\"states\":[0-9]*,\"status\":\"current\",\"tasks\":$tasks}$" "$OUT" || fail "another row" <"$OUT"

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

scene "a wipe takes snapshots away"
user=$(redo log -n 1 --format='%(author:userid)')
run redo wipe -q --yes --author="$user"
expect_status 0
[ ! -e $SNAPSHOTS ] || fail "there are snapshots" < <(ls $SNAPSHOTS)
same

scene "whoever makes a snapshot while a wipe is on keeps nothing of what goes"
rm -rf ../wiped && redo init -q ../wiped && redo -C ../wiped key generate >/dev/null 2>&1
demo 300 | redo -C ../wiped -c core.fsync=none import -q >/dev/null
for round in $(seq 10); do
  redo -C ../wiped -c core.fsync=none commit -q create --title="gone in round $round" >/dev/null
  user=$(redo -C ../wiped key show --user-id)
  for number in 1 2 3; do redo -C ../wiped snapshot create -q >/dev/null 2>../create.errors || cat ../create.errors >>../failed; done &
  redo -C ../wiped wipe -q --yes --author="$user" || echo "wipe $?" >>../failed
  wait
  ! grep -raqs "gone in round" ../wiped/$SNAPSHOTS || fail "something is kept in round $round" </dev/null
done
[ ! -s ../failed ] || fail "something failed" <../failed
alike ../wiped
