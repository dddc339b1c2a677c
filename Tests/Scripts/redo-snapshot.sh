#!/bin/bash
# redo snapshot: kept states. With them and without them redo state prints the same bytes.
. "$(dirname "${BASH_SOURCE[0]}")/snapshot.bash"

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
expect_stdout "$(name_of 2 $heads)"
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
expect_stdout "$(name_of 2 "$node")"
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
run redo snapshot create --as-of=someday
expect_error 128 "not a point in time: 'someday'"
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
read -r id task <<<"$(redo log -n 1 --sort=order --format='%(id) %(task)')"
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
expect_stdout "$(name_of 2)"
same ../empty
redo -C ../small export | redo -C ../empty import -q >/dev/null
same ../empty

scene "a full disk for the output is an error; rows may end in NUL"
for words in "snapshot create" "snapshot list" "snapshot verify" "snapshot drop -n --all" "state" "state --hash"; do
  redo $words >/dev/full 2>"$ERR"
  STATUS=$? RUN="redo $words" && : >"$OUT"
  expect_error 128 "no space left on device"
done
expect_equal "$(redo snapshot list -z | tr -d '\n' | tr '\0' '\n' | wc -l)" 1 "rows"
redo snapshot list --json >"$OUT"
grep -q "^{\"hash\":\"sha256:[0-9a-f]\{64\}\",\"made\":\"20[^\"]*Z\",\"name\":\"$second\",\"nodes\":1500,\"rules\":2,\"size\":[0-9]*,\"states\":[0-9]*,\"status\":\"current\",\"tasks\":$tasks}$" "$OUT" || fail "another row" <"$OUT"

scene "a wipe takes snapshots away"
user=$(redo log -n 1 --format='%(author:userid)')
run redo wipe -q --yes --author="$user"
expect_status 0
[ ! -e $SNAPSHOTS ] || fail "there are snapshots" < <(ls $SNAPSHOTS)
same
