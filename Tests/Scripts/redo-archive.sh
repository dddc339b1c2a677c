#!/bin/bash
# redo archive: nodes in one small file, the same file wherever it is made.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ORACLE=$TESTS/Oracle/read_pack.py
# names_of <file of lines>: the name of an archive of these nodes in this order, by its definition.
name_of() {
  ids_of <"$1" | python3 -c '
import hashlib, sys
print(hashlib.sha256(b"".join(bytes.fromhex(line[7:].strip()) for line in sys.stdin)).hexdigest())'
}

demo 1500 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null

scene "create prints what the archive is, and changes nothing in the store"
before=$(fingerprint)
run redo archive create -o all.pack
expect_status 0
expect_stderr ''
expect_untouched "$before"
redo archive extract all.pack >extracted
read -r name nodes bytes first last file <"$OUT"
expect_equal "$name" "$(name_of extracted)" "the name"
expect_equal "$nodes" 1500 "the nodes"
expect_equal "$bytes" "$(stat -c %s all.pack)" "the bytes"
expect_equal "$first" "$(sed 's/.*"wall":"\([^"]*\)".*/\1/' ../log.ndjson | sort | head -1)" "the first"
expect_equal "$last" "$(sed 's/.*"wall":"\([^"]*\)".*/\1/' ../log.ndjson | sort | tail -1)" "the last"
expect_equal "$file" all.pack "the file"
expect_equal "$(ls -A | grep -v '^extracted$')" "$(printf '.redo\nall.pack')" "the files"

scene "list prints the same, and as JSON more"
cp "$OUT" row
run redo archive list all.pack
expect_stdout_file row
run redo-archive list -z all.pack all.pack
expect_status 0
expect_equal "$(tr '\0' '\n' <"$OUT")" "$(cat row row)" "the rows"
run redo archive list --json all.pack
expect_equal "$(python3 -c '
import json, sys
row = json.load(sys.stdin)
print(row["bytes"], row["name"], row["nodes"], row["prerequisites"], row["lamports"][0], sorted(row))' <"$OUT")" \
  "$bytes $name 1500 [] 1 ['bytes', 'canonicalBytes', 'file', 'first', 'frames', 'lamports', 'last', 'name', 'nodes', 'prerequisites']" "the row"

scene "extract gives every node back, byte for byte, parents before children"
cmp -s <(sort extracted) <(redo export | sort) || fail "the nodes differ" </dev/null
run redo hash-object --ndjson --profile=v1 <extracted
expect_status 0
python3 - extracted <<'END' || fail "a parent stands behind its child" </dev/null
import json, sys
seen = set()
for line in open(sys.argv[1]):
    node = json.loads(line)
    assert all(parent in seen for parent in node["parents"])
    seen.add(node["id"])
END

scene "nodes of a task stand together where no other task is between them"
expect_equal "$(sed 's/.*"taskId":"\([^"]*\)".*/\1/' extracted | uniq | wc -l)" "$(sed 's/.*"taskId":"\([^"]*\)".*/\1/' extracted | sort -u | wc -l)" "the runs of tasks"

scene "a program that knows the page alone reads the same"
python3 "$ORACLE" all.pack >read || fail "it cannot" </dev/null
cmp -s read extracted || fail "it reads something else" < <(diff read extracted | head -4)

scene "a store that is made of an archive answers as the first one did"
redo init -q ../again && cp all.pack ../again
run redo -C ../again -c core.fsync=none import all.pack
expect_status 0
expect_stdout 1500
expect_equal "$(redo -C ../again state --hash)" "$(redo state --hash)" "the state"
cmp -s <(redo -C ../again log --json) <(redo log --json) || fail "the log differs" </dev/null
expect_clean ../again
redo init -q ../lines && redo archive extract all.pack | redo -C ../lines -c core.fsync=none import -q >/dev/null
expect_equal "$(redo -C ../lines state --hash)" "$(redo state --hash)" "the state"
run redo -C ../again import -q all.pack
expect_stdout 0

scene "stores that were filled in another order give the same file"
redo init -q ../shuffled
python3 - ../log.ndjson >shuffled.ndjson <<'END'
import random, sys
lines = open(sys.argv[1]).readlines()
random.Random(7).shuffle(lines)
sys.stdout.writelines(lines)
END
redo -C ../shuffled -c core.fsync=none import -q "$PWD/shuffled.ndjson" >/dev/null || fail "import fails" </dev/null
redo -C ../shuffled archive create --no-cache -o all.pack >/dev/null
cmp -s all.pack ../shuffled/all.pack || fail "the files differ" </dev/null
run redo -C ../again archive create -o - --no-cache
cmp -s "$OUT" all.pack || fail "the bytes differ" </dev/null
expect_stderr ''
taskset -c 0 true 2>/dev/null && taskset -c 0 redo archive create -o - | cmp -s - all.pack || fail "one processor makes another file" </dev/null

scene "it is smaller than xz makes the lines"
if command -v xz >/dev/null; then
  small=$(xz -9e <extracted | wc -c)
  [ "$bytes" -lt $((small * 7 / 10)) ] || fail "$bytes bytes, and xz makes $small" </dev/null
else
  skip "there is no xz"
fi

scene "verify says nothing of good nodes, with no store around"
unsigned=$(grep -v '"signature"' extracted | ids_of)
expect_equal "$(wc -l <<<"$unsigned")" 1 "the unsigned nodes of the demo"
cp all.pack "$WORK/home"
run env -C "$WORK/home" redo archive verify all.pack
expect_status 0
expect_stdout "N $unsigned signature-missing"
expect_stderr ''
run redo archive verify --profile=sync all.pack
expect_status 1
expect_equal "$(head -1 "$OUT")" "N $unsigned signature-missing" "the first row"
run redo archive verify all.pack all.pack
expect_status 0
run sh -c 'cat all.pack | redo archive verify /dev/stdin'
expect_status 0

scene "show prints a node as cat-node does"
id=$(sed -n 700p extracted | ids_of)
run redo archive show all.pack "$id"
expect_status 0
expect_stdout_file <(redo cat-node "$id")
run redo archive show all.pack "${id:7:12}"
expect_stdout_file <(redo cat-node "$id")
run redo archive show -p all.pack "$id"
expect_stdout_file <(redo cat-node -p "$id")
run redo archive show all.pack 0000000000000000
expect_error 128 "no node of 'all.pack' has the name '0000000000000000'"
run redo archive show all.pack "$(ids_of <extracted | cut -c8-11 | sort | uniq -d | head -1)"
expect_error 128 "nodes of 'all.pack'"
run redo archive show all.pack nonsense
expect_error 128 "not an id or the beginning of one"

scene "extract prints the nodes that are named"
sed -n '3p;900p' extracted >two
run redo archive extract all.pack $(ids_of <two)
expect_status 0
expect_stdout_file two
run redo archive extract all.pack sha256:ffffffffffffffff
expect_error 128 "no node of 'all.pack' has the name"

scene "signatures that do not hold, and nodes without any, are told of"
redo init -q ../forged
forged extracted | redo -C ../forged import -q >/dev/null 2>&1 && fail "a bad signature was imported" </dev/null
sed 's/,"signature":"[0-9a-f]*"//' extracted | head -3 | redo -C ../forged import -q >/dev/null
redo -C ../forged archive create -q -o unsigned.pack >/dev/null
run redo archive verify ../forged/unsigned.pack
expect_status 0
expect_equal "$(cut -d' ' -f1,3 "$OUT" | sort -u)" "N signature-missing" "the rows"
expect_stdout_lines 3
run redo archive verify --json --profile=sync ../forged/unsigned.pack
expect_status 1
expect_stdout_has '"letter":"N"'

scene "a node that breaks a rule comes along as it is, and verify and import name the rule"
redo init -q ../broken
broken=$(python3 - ../broken <<'END'
import hashlib, os, sys, zlib
body = (
    '{"action":"CREATE","author":{"deviceId":"d","userId":"' + "5a" * 16 + '"},"data":{"fields":{}},"parents":[],'
    '"taskId":"11111111-2222-4333-8444-555555555555","timestamp":{"lamport":1,"wall":"2025-03-01T10:00:00.000Z"},'
    '"version":1}').encode()
name = hashlib.sha256(body).hexdigest()
folder = f"{sys.argv[1]}/.redo/objects/{name[:2]}"
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/{name[2:]}", "wb") as file:
    file.write(zlib.compress(b"node %d\0" % len(body) + body))
print("sha256:" + name)
END
)
run redo -C ../broken archive create -o broken.pack "$broken"
expect_status 0
run redo archive verify ../broken/broken.pack
expect_status 1
expect_stdout "B $broken payload-missing at /data/fields/title"
run redo archive extract ../broken/broken.pack
expect_equal "$(ids_of <"$OUT")" "$broken" "the node"
run redo import ../broken/broken.pack
expect_status 1
expect_stderr_has "broken.pack', node '1': payload-missing"

scene "only what is from before a date, with all its ancestors"
date=2023-10-14
run redo archive create --before=$date -o old.pack
expect_status 0
expect_stderr_has "before ${date}T00:00:00.000Z: "
redo archive extract old.pack >old
count=$(wc -l <old)
[ "$count" -gt 0 ] && [ "$count" -lt 1500 ] || fail "$count nodes" </dev/null
! grep -v '"wall":"2023-\(0\|10-0\|10-1[0-3]\)\|"wall":"20[01]\|"wall":"202[0-2]' old >/dev/null || fail "a node is too young" </dev/null
expect_equal "$(redo archive list --json old.pack | grep -c '"prerequisites":\[\]')" 1 "an archive that needs nothing"
kept=$(redo log --json --before=2023-10-13 | wc -l)
left=$(redo archive create -n --before=$date 2>&1 >/dev/null | grep -c '^warning: ')
expect_equal "$((count + left))" "$kept" "the nodes in it and those that stay"

scene "a node whose ancestor is younger than the date is named, and stays"
make_store ../clocks
task=11111111-2222-4333-8444-555555555555
a=$(add CREATE $task 1 01T10:00:00.000 '"title":"a"')
b=$(add UPDATE $task 2 09T10:00:00.000 '"title":"b"' "$a")
c=$(add UPDATE $task 3 02T10:00:00.000 '"title":"c"' "$b")
d=$(add UPDATE $task 2 03T10:00:00.000 '"title":"d"' "$a")
run redo archive create --before=2025-03-05 -o old.pack
expect_status 0
expect_stderr <<END
before 2025-03-05T00:00:00.000Z: 2 of 4 nodes
warning: node '$c' of 2025-03-02T10:00:00.000Z stays: its ancestor '$b' is of 2025-03-09T10:00:00.000Z
END
expect_equal "$(redo archive extract old.pack | ids_of)" "$(printf '%s\n%s' "$a" "$d")" "the nodes"
run redo archive create -q -f --before=2025-03-03T10:00:00.000Z -o old.pack
expect_stderr ''
expect_equal "$(redo archive extract old.pack | ids_of)" "$a" "the nodes: the instant itself is not before"
run redo archive create -n --older-than=1y
expect_stderr_has " of 4 nodes"

scene "revisions, and ranges that need something from elsewhere"
run redo archive create -q -o some.pack "$c"
expect_equal "$(redo archive extract some.pack | ids_of)" "$(printf '%s\n%s\n%s' "$a" "$b" "$c")" "the nodes"
run redo archive create -q -o range.pack "$a..$c"
expect_equal "$(redo archive list --json range.pack | sed 's/.*"prerequisites":\[\(.*\)\].*/\1/')" "\"$a\"" "what it needs"
run redo archive verify range.pack
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT" | sort -u)" N "the letters"
run redo archive create -o x.pack nothing
expect_error 128 "nothing"

scene "-n says what it would be, and writes nothing"
before=$(ls -A)
run redo archive create -n "$c" -o planned.pack
expect_status 0
cp "$OUT" plan
expect_equal "$(ls -A | grep -v '^plan$')" "$before" "the files"
run redo archive create "$c" -o planned.pack
expect_stdout_file plan
run redo archive create -n
expect_status 0
expect_equal "$(cut -d' ' -f2,6 "$OUT")" "4 -" "the plan"

scene "a file that is there stays, unless --force is given"
echo mine >taken
run redo archive create -o taken
expect_error 128 "'taken' is there already"
expect_equal "$(cat taken)" mine "the file"
run redo archive create -q -f -o taken
expect_status 0
redo archive verify taken | grep -v '^N ' && fail "it is not good" </dev/null
ln -s taken link
run redo archive create -f -o link
expect_error 128 "'link' is not a regular file"
run redo archive create -o missing/file
expect_error 128 "no such file or directory"
run redo archive create -f -o .
expect_error 128 "not a regular file"

scene "nothing to archive"
run redo archive create --before=2020-01-01 -o none.pack
expect_status 128
expect_stderr_has "fatal: no node of the history is from before 2020-01-01T00:00:00.000Z"
expect_stdout ''
[ ! -e none.pack ] || fail "there is a file" </dev/null
redo init -q ../empty
run redo -C ../empty archive create -o none.pack
expect_error 128 "there is no node to archive"
[ ! -e ../empty/none.pack ] || fail "there is a file" </dev/null

scene "every damage is found by whoever reads"
cp ../demo/old.pack good
size=$(stat -c %s good)
for place in 0 5 11 12 30 200 $((size / 2)) $((size - 300)) $((size - 60)) $((size - 35)) $((size - 1)); do
  python3 -c '
import sys
data = bytearray(open("good", "rb").read())
data[int(sys.argv[1])] ^= 64
open("bad", "wb").write(data)' "$place"
  run redo archive verify bad
  expect_status 1
  expect_stdout ''
  [ "$(grep -c '^error: ' "$ERR")" -eq 1 ] || fail "byte $place: not one message" <"$ERR"
  run redo archive extract bad
  expect_error 128 "'bad' is "
  run redo import bad
  expect_status 128
  expect_stdout ''
done
for count in 0 1 11 12 100 $((size - 1)); do
  head -c "$count" good >bad
  run redo archive verify bad
  expect_status 1
done
cat good good >bad
run redo archive verify bad
expect_status 1

scene "one damaged archive does not hide the next; another version is named"
cp good version
printf '\x03' | dd of=version bs=1 seek=11 conv=notrunc 2>/dev/null
run redo archive verify version good missing
expect_status 1
expect_stdout ''
expect_stderr <<'END'
error: 'version' is an archive of version 3, of which nothing is known here
hint: this release reads versions 1 and 2; a later one may read all
error: cannot open 'missing': no such file or directory
END
run redo archive verify --json missing
expect_status 1
expect_stderr '{"error":"cannot open '"'missing'"': no such file or directory","exit":1}'
run redo archive list version
expect_error 128 "of version 3"
run redo archive list ../log.ndjson
expect_error 128 "'../log.ndjson' is no archive"
run redo archive show "$WORK" abcd
expect_error 128 "is a directory"

scene "a pack on standard input of import is taken, but not as a log from before version 1"
run sh -c 'redo import -n <good'
expect_status 0
run sh -c 'redo import --from=v0 <good'
expect_error 128 "'<stdin>' is an archive, which '--from' does not read"
run redo import --salvage good
expect_status 0

scene "a full disk leaves nothing behind"
run sh -c 'redo -C ../demo archive create -o - >/dev/full'
expect_error 128 "write error: no space left on device"
run sh -c 'redo archive extract ../demo/all.pack >/dev/full'
expect_error 128 "write error: no space left on device"
run sh -c 'redo archive extract ../demo/all.pack | head -1 | wc -l'
expect_stdout 1
if [ "$(id -u)" -eq 0 ] && mkdir disk && mount -t tmpfs -o size=16k none disk 2>/dev/null; then
  at_exit "umount '$PWD/disk'"
  run redo -C ../demo archive create -o "$PWD/disk/all.pack"
  expect_error 128 "no space left on device"
  expect_equal "$(ls -A disk)" '' "the files"
fi

scene "mistakes in the command line"
for arguments in "" "create" "create -o" "create --before=2025-01-01 --older-than=1y -o x" "create --before=2025-01-01 -o x heads" "verify" "show" "register" "forget" "restore" "create --remove -o -" "show one" "extract" "extract --format=json all.pack"; do
  run redo archive $arguments
  expect_status 129
  expect_stderr_has "usage: redo-archive"
done
run redo archive create --before=someday -o x
expect_error 128 "not a valid date 'someday'"
run redo archive create --older-than=long -o x
expect_error 128 "not a valid age 'long'"
cd "$WORK" || exit
run redo archive create -o x
expect_error 128 "not a redo repository"
