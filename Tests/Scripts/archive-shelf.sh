#!/bin/bash
# Registered archives when something else is at work: changes of tasks whose old nodes are archived, alternates, better
# signatures, tidying up, and damage of the list, the index and the archive.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 1500 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null
redo key generate >/dev/null 2>&1
STATE=$(redo state --hash) IMPORTED=$(redo state --hash)
redo archive create -q --remove --before=2023-10-14 -o old.pack >/dev/null || fail "create fails" </dev/null
NAME=$(redo archive list | cut -d ' ' -f 1)
TASK=$(redo log --format='%(task)' --before=2023-05-01 -n 1)
FIRST=$(redo log --sort=order --reverse --format='%(id)' -n 1)

scene "changes of a task whose nodes are archived"
run redo commit update -t "$TASK" --priority=4
expect_status 0
redo archive create -q --remove -o tip.pack >/dev/null || fail "create fails" </dev/null
run redo commit update -t "$TASK" --priority=2
expect_status 0
expect_equal "$(redo log --format='%(data)' -n 1 --task="$TASK")" '{"fields":{"priority":2}}' "the change"
run redo revert "$(redo log --format='%(id)' -n 1 --task="$TASK")"
expect_status 0
before=$(redo log --format='%(id)' | sha256sum)
run redo reflog undo
expect_status 0
[ "$(redo log --format='%(id)' | sha256sum)" != "$before" ] || fail "nothing was undone" </dev/null
run redo merge --check
[ $STATUS -le 1 ] || fail "it cannot be told what has diverged" <"$ERR"
STATE=$(redo state --hash)
redo log --json >../log.before
redo archive restore -q tip.pack >/dev/null || fail "restore fails" </dev/null
expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state"

scene "two branches of a task: both in an archive, merged"
redo -C . export -q >../all.ndjson
redo init -q ../left && redo -C ../left import -q ../demo/old.pack >/dev/null
redo -C ../left key generate >/dev/null 2>&1
run redo -C ../left archive register old.pack
expect_status 128
run redo -C ../left archive register "$PWD/old.pack"
expect_status 0
run redo -C ../left archive create -q --remove -o ../left.pack
expect_status 0
run redo -C ../left merge --check
[ $STATUS -le 1 ] || fail "it cannot be told what has diverged" <"$ERR"

scene "recover: an earlier moment out of archives"
run redo recover -q --to=lamport:12 -o recovered
expect_status 0
expect_equal "$(redo -C recovered log --no-cache --format='%(id)' | sort)" "$(redo log --format='%(lamport) %(id)' | awk '$1 <= 12 { print $2 }' | sort)" "the nodes"
expect_equal "$(redo -C recovered archive list)" '' "the archives of the recovered store"
rm -r recovered

scene "repack and gc leave archives alone, and finish what was begun"
run redo repack -q
expect_status 0
run redo gc -q --grace=0s --expire-to=expired.pack
expect_status 0
[ ! -e expired.pack ] || fail "something was expired" < <(redo archive list expired.pack)
expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state"
sed "s/ kept / removing /" .redo/archives/list | head -n -1 >list
{ cat list && sha256sum list | cut -c 1-64; } >.redo/archives/list
rm list
redo archive extract old.pack | head -n 100 >some.ndjson
redo init -q ../other && redo -C ../other import -q "$PWD/some.ndjson" >/dev/null 2>&1
expect_equal "$(redo archive list | cut -d ' ' -f 6)" removing "the state of the archive"
run redo verify
expect_stdout_has "info file-unfinished - $PWD/old.pack its nodes are not all out of the store yet"
run redo gc
expect_status 0
expect_equal "$(redo archive list | cut -d ' ' -f 6)" present "the state of the archive"
mv old.pack away.pack
run redo gc -q --grace=0s --expire-to=expired.pack
[ ! -e expired.pack ] || fail "something was expired while an archive was away" < <(redo archive list expired.pack)
run redo repack -q
expect_status 0
mv away.pack old.pack
expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state"

scene "a store that reads this one as an alternate reads its archives, too"
redo init -q ../reader
echo "$PWD/.redo/objects" >../reader/.redo/objects/info/alternates
expect_equal "$(redo -C ../reader cat-node "$FIRST")" "$(redo cat-node "$FIRST")" "the node"
redo -C ../reader import -q <../log.ndjson >/dev/null
expect_equal "$(redo -C ../reader state --hash)" "$IMPORTED" "the state"
expect_equal "$(objects ../reader)" 0 "the objects"
run redo -C ../reader verify
expect_status 0
mv old.pack away.pack
run redo -C ../reader verify
expect_status 0
run redo -C ../reader cat-node "$FIRST"
expect_error 128 "is archived in '$PWD/old.pack'"
mv away.pack old.pack
run redo -C ../reader archive create -q --remove -o mine.pack
expect_error 128 "all 1500 nodes are in registered archives, not in the store"

scene "a better signature of an archived node is taken, and stays"
redo init -q ../better
redo archive extract old.pack | sed 's/,"signature":"[0-9a-f]*"//' >unsigned
redo -C ../better import -q "$PWD/unsigned" >/dev/null || fail "import fails" </dev/null
redo -C ../better archive create -q --remove -o unsigned.pack >/dev/null || fail "create fails" </dev/null
expect_equal "$(redo -C ../better verify --all | grep -c '^N ')" 1062 "the unsigned nodes"
redo -C ../better import -q "$PWD/old.pack" >/dev/null
expect_equal "$(redo -C ../better verify --all | grep -c '^N ')" "$(redo archive verify old.pack | grep -c '^N ')" "the unsigned nodes"
signed=$(redo -C ../better cat-node --batch-check='%(id) %(signature)' --batch-all-objects | sha256sum)
run redo -C ../better archive restore unsigned.pack
expect_status 0
expect_equal "$(redo -C ../better cat-node --batch-check='%(id) %(signature)' --batch-all-objects | sha256sum)" "$signed" "the signatures"
redo -C ../better repack -q >/dev/null
expect_equal "$(redo -C ../better cat-node --batch-check='%(id) %(signature)' --batch-all-objects | sha256sum)" "$signed" "the signatures"
run redo -C ../better archive create -q --remove -o signed.pack
expect_status 0
expect_equal "$(redo -C ../better cat-node --batch-check='%(id) %(signature)' --batch-all-objects | sha256sum)" "$signed" "the signatures"
run redo -C ../better archive register unsigned.pack
expect_error 128 "another file of the same nodes is registered"

scene "copies with other signatures than those of the archive stay"
for kind in loose packed; do
  rm -rf ../signed && redo init -q ../signed
  limit=2000
  [ $kind = loose ] || limit=0
  redo -C ../signed -c core.bulkLimit=$limit import -q "$PWD/old.pack" >/dev/null || fail "import fails" </dev/null
  redo -C ../signed archive register -q "$WORK/here/better/unsigned.pack" >/dev/null || fail "register fails" </dev/null
  sed "s/ kept / removing /" ../signed/.redo/archives/list | head -n -1 >list
  { cat list && sha256sum list | cut -c 1-64; } >../signed/.redo/archives/list
  rm list
  run redo -C ../signed gc
  expect_status 0
  expect_stderr_has "nodes stay in the store too: its copies are not those of the archive"
  expect_equal "$(redo -C ../signed archive list | cut -d ' ' -f 6)" present "the state of the archive"
  expect_equal "$(redo -C ../signed cat-node --batch-check='%(id) %(signature)' --batch-all-objects | sha256sum)" "$signed" "the signatures of $kind nodes"
done

scene "an index that is missing or damaged: the archive is read instead, and register writes it again"
cp ".redo/archives/$NAME.idx" index
for damage in missing empty flip; do
  case $damage in
  missing) rm -f ".redo/archives/$NAME.idx" ;;
  empty) chmod u+w ".redo/archives/$NAME.idx" && : >".redo/archives/$NAME.idx" ;;
  flip) chmod u+w ".redo/archives/$NAME.idx" && alter ".redo/archives/$NAME.idx" 3000 ;;
  esac
  expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state with an index that is $damage"
  run redo verify
  expect_stdout_has "warning pack-index - archives/$NAME.idx"
  run redo archive register old.pack
  expect_status 0
  cmp -s ".redo/archives/$NAME.idx" index || fail "the index is not as it was" </dev/null
done
rm ".redo/archives/$NAME.idx" && mv old.pack away.pack
run redo cat-node "$FIRST"
expect_error 128 "the index of the archive '$PWD/old.pack' is damaged, and the archive cannot be read"
run redo archive forget old.pack
expect_error 128 "it cannot be told which nodes"
mv away.pack old.pack
redo archive register -q old.pack >/dev/null

scene "a damaged list is one clear error, and register sets it right"
cp .redo/archives/list list
for damage in "s/ kept / kapt /" "s/^redo-archives/redo-archivez/" "\$s/^./x/" "2s/ [0-9]* / 1 /"; do
  sed "$damage" list >.redo/archives/list
  run redo cat-node "$FIRST"
  expect_error 128 "'.redo/archives/list' is damaged in line"
  expect_equal "$(redo cat-node -t "$(redo log --since=2023-11-05 -n 1 --format='%(id)')")" node "what needs no archive"
  run redo verify
  expect_status 1
  expect_stdout_has "error archive-list - archives/list"
  run redo archive create -q --remove -o more.pack
  expect_error 128 "'.redo/archives/list' is damaged"
  rm -f more.pack
  redo archive register old.pack >"$OUT" 2>"$ERR"
  expect_equal "$(redo archive list | cut -d ' ' -f 1,6)" "$NAME present" "the list"
  cmp -s .redo/archives/list list || fail "the list is not as it was" < <(diff list .redo/archives/list)
done
[ "$(find .redo/lost-found -name 'archives-list-*' | wc -l)" -ge 4 ] || fail "the damaged lists are not kept" < <(find .redo/lost-found)
sed 's/^redo-archives 1/redo-archives 2/' list >.redo/archives/list
run redo cat-node "$FIRST"
expect_error 128 "has the unknown format version '2'"
cp list .redo/archives/list
expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state"

scene "every byte of the archive that is changed is found when it is read"
cp old.pack good.pack
size=$(stat -c %s good.pack)
for place in 0 5 11 12 13 40 500 $((size / 3)) $((size / 2)) $((size - 600)) $((size - 60)) $((size - 40)) $((size - 20)) $((size - 1)); do
  cp good.pack old.pack
  python3 - old.pack "$place" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 0x20]))
END
  redo export >exported 2>"$ERR"
  status=$?
  if [ $status -eq 0 ]; then
    # Nothing but the hash of the whole file covers it, and nothing else was wrong with what was read.
    cmp -s <(redo log --json --no-cache) ../log.before || fail "byte $place: other nodes are read" </dev/null
  else
    grep -q "^fatal: object '.*' is \(corrupt\|archived in '.*', which is away or another file now\)" "$ERR" || fail "byte $place" <"$ERR"
  fi
  redo verify >"$OUT" 2>"$ERR"
  grep -q " pack-corrupt .*old.pack\|archive-offline - $PWD/old.pack" "$OUT" || fail "byte $place: the audit does not tell" <"$OUT"
  run redo archive register old.pack
  expect_status 128
  run redo archive restore -q "$NAME"
  expect_status 128
  expect_equal "$(redo archive list | wc -l)" 1 "the registered archives"
done
mv good.pack old.pack
expect_equal "$(redo state --no-cache --hash)" "$STATE" "the state"
expect_equal "$(temporaries)" 0 "unfinished files"
