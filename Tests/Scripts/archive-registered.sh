#!/bin/bash
# Registered archives: nodes leave the store for a file, and the history reads as if nothing had moved.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 1500 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null
# How many nodes the store itself has.
inside() {
  local pack count
  count=$(objects "${1:-.}")
  for pack in "${1:-.}"/.redo/objects/pack/*.pack; do
    [ ! -e "$pack" ] || count=$((count + $(redo archive list "$pack" | cut -d ' ' -f 2)))
  done
  echo "$count"
}
TASK=$(redo log -n 1 --format='%(task)' --before=2023-01-15)
redo key generate >/dev/null 2>&1

# Everything that is read, with the index and without it.
pictures() {
  redo state --hash "$@"
  redo state "$@"
  redo log --json "$@"
  redo log --graph --no-ascii --format='%(wall) %(action) %(author:devicename)' "$@"
  redo log --pretty=changes -n 400 "$@"
}
others() {
  redo export
  redo cat-node --batch --batch-all-objects
  redo diff --json 2023-01-20 2023-12-01
  redo log --reverse --format='%(id)' | head -n 3 | while read -r id; do redo show "$id" && redo cat-node -p "$id" && redo verify "$id"; done
  redo explain "$TASK"
}
# same_everywhere <directory with what was there before>
same_everywhere() {
  cmp -s <(pictures 2>&1) "$1/pictures" || fail "log or state differ" < <(diff <(pictures 2>&1) "$1/pictures" | head -5)
  cmp -s <(pictures --no-cache 2>&1) "$1/pictures" || fail "log or state differ without caches" < <(diff <(pictures --no-cache 2>&1) "$1/pictures" | head -5)
  cmp -s <(others 2>&1) "$1/others" || fail "something else differs" < <(diff <(others 2>&1) "$1/others" | head -5)
}
mkdir ../before
pictures >../before/pictures 2>&1
others >../before/others 2>&1
redo log --format='%(id)' --reverse >../before/ids
last=$(redo log -n 1 --since=2023-11-05 --format='%(id)')
redo snapshot create >/dev/null

scene "--remove needs a file, and -n says what it would do"
run redo archive create --remove -o -
expect_status 129
expect_stderr_has "'-o -' and '--remove' cannot be used together: a store reads a file"
before=$(fingerprint)
run redo archive create -n --remove --before=2023-10-14
expect_status 0
expect_stdout_has " 1062 "
expect_stderr_has "would take 1062 nodes out of the store, about "
expect_untouched "$before"
expect_equal "$(redo archive list)" "" "the registered archives"

scene "create --remove writes the archive, and takes its nodes out of the store"
inside_before=$(inside)
run redo archive create --remove --before=2023-10-14 -o old.pack
expect_status 0
expect_stderr_has "took 1062 nodes out of the store, about "
read -r name nodes bytes _ <"$OUT"
expect_equal "$nodes" 1062 "the nodes"
expect_equal "$(inside)" $((inside_before - 1062)) "the nodes in the store"
expect_equal "$(temporaries)" 0 "unfinished files"
redo archive verify old.pack >/dev/null || fail "the archive is not sound" </dev/null
run redo archive list
expect_equal "$(cut -d ' ' -f 1-3,6- "$OUT")" "$name 1062 $bytes present $PWD/old.pack" "the row"
run redo archive list --json
expect_equal "$(python3 -c 'import json, sys; row = json.load(sys.stdin); print(row["state"], row["nodes"], row["file"], sorted(row))' <"$OUT")" \
  "present 1062 $PWD/old.pack ['bytes', 'file', 'first', 'last', 'name', 'nodes', 'sha256', 'state']" "the row"

scene "log, state, export, diff, show, explain and cat-node print the same bytes as before"
same_everywhere ../before
rm -r .redo/cache/*
same_everywhere ../before
redo state --hash >/dev/null
same_everywhere ../before

scene "short ids and revisions find archived nodes, and tell them from others"
first=$(head -n 1 ../before/ids)
expect_equal "$(redo rev-parse "${first:7:12}")" "$first" "the id"
expect_equal "$(redo rev-parse --short "$first")" "${first:7:7}" "the short id"
run redo cat-node -e "$first"
expect_status 0

scene "what an archive has is known: it is not written again"
run redo import -q <../log.ndjson
expect_status 0
expect_stdout 0
head -n 20 ../log.ndjson | redo hash-object -w --ndjson >/dev/null
expect_equal "$(inside)" $((inside_before - 1062)) "the nodes in the store"

scene "an archive again: what is archived already stays out, and is stated as needed"
run redo archive create --before=2023-11-01 -o next.pack
expect_status 0
expect_stderr_has "more are not in the store itself"
more=$(cut -d ' ' -f 2 "$OUT")
[ "$more" -gt 0 ] || fail "nothing is in it" </dev/null
redo archive extract next.pack | ids_of | sort >next.ids
[ -z "$(comm -12 next.ids <(redo archive extract old.pack | ids_of | sort))" ] || fail "nodes are in both" </dev/null
run redo archive list --json next.pack
[ "$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["prerequisites"]))' <"$OUT")" -gt 0 ] || fail "nothing is needed" </dev/null
run redo archive create -q --before=2023-10-14 -o none.pack
expect_error 128 "all 1062 nodes are in registered archives, not in the store"
run redo archive create -q -o everything.pack
expect_equal "$(cut -d ' ' -f 2 "$OUT")" 1500 "the nodes of the whole history"
rm everything.pack next.pack

scene "a second archive leaves the store as the first one did"
redo archive create -q --remove --before=2023-11-01 -o second.pack >/dev/null || fail "it fails" </dev/null
expect_equal "$(redo archive list | wc -l)" 2 "the registered archives"
expect_equal "$(inside)" $((inside_before - 1062 - more)) "the nodes in the store"
same_everywhere ../before

scene "the file of a registered archive is not written over"
run redo archive create -q -f -o old.pack
expect_error 128 "'old.pack' is a registered archive, whose nodes may be nowhere else"
run redo archive create -q -f -o "$PWD/../$(basename "$PWD")/old.pack" "$last"
expect_error 128 "is a registered archive"

scene "nor does a plan remove it"
redo archive create -q -o one.pack >/dev/null
cp one.pack two.pack
run redo archive prune --keep-last=1 old.pack one.pack two.pack
expect_status 0
expect_stdout_has "registered old.pack"
[ -e old.pack ] || fail "a registered archive is gone" </dev/null
rm -f one.pack two.pack

scene "an archive that is away: what the index knows is answered, for the rest there is one error"
mkdir ../away && mv old.pack ../away/
redo log --format='%(id)' --reverse >ids
cmp -s ids ../before/ids || fail "the index does not tell the ids" </dev/null
run redo state --hash
expect_status 0
expect_stdout "$(redo -C . state --hash)"
run redo cat-node "$first"
expect_error 128 "object '$first' is archived in '$PWD/old.pack', which is away or another file now"
expect_stderr_has "hint: 'redo archive register <file>' says where it is now"
printf '%s\n' "$first" "$last" ffffffffffffffff | redo cat-node --batch-check >"$OUT"
expect_equal "$(head -n 1 "$OUT")" "$first archived-offline" "the first answer"
expect_equal "$(sed -n 2p "$OUT" | cut -d ' ' -f 2)" node "the second answer"
expect_equal "$(sed -n 3p "$OUT")" "ffffffffffffffff missing" "the third answer"
echo "$first" | redo cat-node --batch --strict >"$OUT"
expect_equal "$?" 1 "the status with --strict"
for command in "log --json" "state --no-cache" "export" "show $first" "cat-node -p $first" \
  "recover --to=lamport:9 -o recovered" "diff --no-cache 2023-01-20 2023-06-01" "revert -n $first"; do
  run redo $command
  expect_status 128
  expect_equal "$(grep -c "object '.*' is archived in '$PWD/old.pack'" "$ERR")" 1 "messages of 'redo $command'"
done
run redo archive list
expect_equal "$(cut -d ' ' -f 1-2,6- "$OUT" | grep offline)" "$name 1062 offline $PWD/old.pack" "the row"
run redo import -q <../log.ndjson
expect_status 0
expect_stdout 0

scene "a change of a task whose nodes are away"
run redo commit -q update -t "$TASK" --priority=3
if [ $STATUS -eq 0 ]; then
  redo reflog undo -q >/dev/null 2>&1
else
  expect_error 128 "is archived in '$PWD/old.pack'"
fi

scene "registered under its new path, it is read again"
run redo archive register ../away/old.pack
expect_status 0
expect_stderr ''
expect_stdout "$(redo archive list ../away/old.pack)"
same_everywhere ../before
run redo archive register ../away/old.pack
expect_status 0
expect_equal "$(redo archive list | wc -l)" 2 "the registered archives"

scene "another file in its place counts as away"
cp ../away/old.pack good.pack
redo archive create -q -f -o ../away/other.pack >/dev/null && mv ../away/other.pack ../away/old.pack
run redo cat-node "$first"
expect_error 128 "which is away or another file now"
head -c 2000 good.pack >../away/old.pack
run redo cat-node "$first"
expect_error 128 "which is away or another file now"
mv good.pack ../away/old.pack

scene "only a regular file is an archive: no device, pipe or directory that the list names keeps anybody busy"
cat >../relist.py <<'END'
# relist.py <list> <path>: puts another path in the place of that of old.pack, and writes the hash of the list anew.
import hashlib, sys

file, path = sys.argv[1:]
lines = open(file, "rb").read().split(b"\n")[:-2]
lines = [b" ".join(line.split(b" ")[:5] + [path.encode()]) if line.endswith(b"/old.pack") else line for line in lines]
text = b"\n".join(lines) + b"\n"
open(file, "wb").write(text + hashlib.sha256(text).hexdigest().encode() + b"\n")
END
cp .redo/archives/list ../list
mkfifo ../pipe
for path in /dev/zero /dev/tty "$(realpath ../pipe)" /etc /proc/self/pagemap /proc/self/mem; do
  cp ../list .redo/archives/list
  python3 ../relist.py .redo/archives/list "$path"
  for command in "cat-node $first" "show $first" "log --json" "state --no-cache" "export"; do
    run timeout 60 redo $command
    expect_status 128
    expect_stderr_has "is archived in '$path', which is away or another file now"
  done
  for command in verify "archive list" "log --format=%(id)"; do
    run timeout 60 redo $command
    [ "$STATUS" -le 1 ] || fail "the status is $STATUS" <"$ERR"
  done
  run timeout 60 redo archive restore -n "${name:0:12}"
  expect_status 128
  run timeout 60 redo archive restore "${name:0:12}"
  case $path in
  /proc/self/mem) expect_error 128 "the archive '$path' cannot be read: input/output error" ;;
  /proc/*) expect_error 128 "'$path' is not the file that was registered" ;;
  *) expect_error 128 "the archive '$path' cannot be read: it is no regular file" ;;
  esac
  expect_equal "$(temporaries)" 0 "unfinished files"
done
cp ../list .redo/archives/list
run timeout 60 redo archive list /dev/zero
expect_error 128 "'/dev/zero' is no archive"
mkdir ../log-of-nodes && ln -s /dev/zero ../log-of-nodes/a.json
for how in '' --salvage; do
  run timeout 60 redo import $how ../log-of-nodes
  expect_error 128 "cannot open '../log-of-nodes/a.json': it is no regular file"
done

scene "only sound archives are registered"
python3 - ../away/old.pack bad.pack <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[1000] ^= 1
open(sys.argv[2], "wb").write(data)
END
run redo archive register bad.pack
expect_error 128 "'bad.pack' is damaged"
run redo archive register ../log.ndjson
expect_error 128 "is no archive"
run redo archive register nowhere.pack
expect_error 128 "nowhere.pack"
run sh -c 'cat ../away/old.pack | redo archive register /dev/stdin'
expect_error 128 "is not a regular file"
run redo archive register
expect_status 129
expect_equal "$(redo archive list | wc -l)" 2 "the registered archives"

scene "forget is refused while nodes would be missing"
run redo archive forget ../away/old.pack
expect_error 128 "1062 of the 1062 nodes of '$(realpath ../away/old.pack)' are nowhere else in the store"
run redo archive forget nonsense
expect_error 128 "no registered archive has the name 'nonsense'"
same_everywhere ../before

scene "restore -n says what it would bring back"
before=$(fingerprint)
run redo archive restore -n "${name:0:12}"
expect_status 0
expect_stdout_has "$name 1062 $bytes"
expect_untouched "$before"

scene "restore makes the archive a pack of the store"
run redo archive restore "${name:0:12}"
expect_status 0
expect_stderr_has "1062 nodes are in the store again"
cmp -s ".redo/objects/pack/pack-$name.pack" ../away/old.pack || fail "the pack is not the archive" </dev/null
[ -e ".redo/objects/pack/pack-$name.idx" ] || fail "the pack has no index" </dev/null
[ ! -e ".redo/archives/$name.idx" ] || fail "the index of the archive is left" </dev/null
expect_equal "$(redo archive list | cut -d ' ' -f 7)" "$PWD/second.pack" "the registered archives"
rm -r ../away
same_everywhere ../before
expect_equal "$(temporaries)" 0 "unfinished files"

scene "out of packs, too"
redo archive restore -q second.pack >/dev/null || fail "it fails" </dev/null
run redo archive create --remove --before=2023-10-14 -o old.pack
expect_status 0
expect_stderr_has "took 1062 nodes out of the store"
[ ! -e ".redo/objects/pack/pack-$name.pack" ] || fail "the pack is still there" </dev/null
same_everywhere ../before
redo repack -q -a >/dev/null 2>&1 || redo repack -q >/dev/null 2>&1 || true
same_everywhere ../before
expect_equal "$(redo archive list | wc -l)" 1 "the registered archives"

scene "an archive that is registered brings nodes into a store that has none of them"
redo init -q ../empty
cp old.pack ../empty/
run redo -C ../empty archive register old.pack
expect_status 0
expect_equal "$(inside ../empty)" 0 "the nodes in the store"
expect_equal "$(redo -C ../empty log | wc -l)" 0 "the history"
run redo -C ../empty import -q old.pack
expect_stdout 1062
expect_equal "$(inside ../empty)" 0 "the nodes in the store"
expect_equal "$(redo -C ../empty log --format='%(id)' | wc -l)" 1062 "the history"
run redo -C ../empty archive forget old.pack
expect_error 128 "1062 of the 1062 nodes"
run redo -C ../empty archive forget -f old.pack
expect_status 0
run redo -C ../empty log --no-cache
expect_error 128 "is missing"
