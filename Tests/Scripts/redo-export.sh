#!/bin/bash
# redo export: the history in forms that other programs, and redo import, read.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

APP=$VECTORS/app/redo_changes.json

state() { # what must be the same after a way out and back: heads, and every byte of the objects
  redo -C "$1" log --format='%(id) %(parents)'
  (cd "$1/.redo/objects" && find . -type f -path './??/*' -print0 | sort -z | xargs -0 sha256sum)
}

scene "the app's file: the same bytes that Foundation's JSONEncoder makes of the same nodes"
make_store
redo import -q "$APP" >/dev/null
run redo export --format=json
expect_status 0
expect_equal "$(head -c 20 "$OUT" | tr '\n' '|')" '[|  {|    "action" :' "the beginning"
expect_equal "$(tail -c 6 "$OUT" | tr '\n' '|')" '|  }|]' "the end"
expect_equal "$(grep -m1 -A2 parents "$OUT" | tr '\n' '|')" '    "parents" : [||    ],|' "an empty array"
expect_stdout_has 'https:\/\/example.org\/a?b=1'
expect_stdout_has '"storyPoints" : 2.700000047683716,'
cp "$OUT" app.json
# The vector's numbers have 17 digits, which is no spelling of JSONEncoder's; nor are its copies' members in nodes.
if command -v python3 >/dev/null; then
  python3 - "$APP" app.json <<'END' || fail "another value" </dev/null
import json, sys
old, new = (json.load(open(path)) for path in sys.argv[1:])
for node in old:
    node.pop("accessList", None), node.pop("createdAt", None)
key = lambda node: node["id"]
assert sorted(old, key=key) == sorted(new, key=key)
assert all(list(node) == sorted(node) for node in new)
END
fi

scene "what the app's file does not describe is said once each, and written all the same"
expect_stderr_has "warning: 10 changes have an action that the app does not know, which the app's file does not describe, the first is 'sha256:"
make_store ../payload
redo import -q "$VECTORS/log/payload.ndjson" >/dev/null
run redo export --format=redo-changes
expect_status 0
expect_stderr_has "content in 'payload'"
run redo export --format=json -q
expect_stderr ''
run redo export
expect_stderr ''

scene "lines are the default of a pipe: canonical nodes in the total order"
run redo export
expect_status 0
cp "$OUT" lines
redo log --sort=order --reverse --json | cmp -s - lines || fail "not the order of the log" <lines
run sh -c 'redo export | head -1'
expect_stdout_lines 1

scene "the same history gives the same bytes, however it came"
cd ../here && redo init -q turned
redo export | tac | redo -C turned import -q >/dev/null
redo -C turned export --format=json 2>/dev/null | cmp -s app.json - || fail "other bytes" </dev/null

scene "out, wiped, and in again: the same ids, heads and bytes, in every form and for every log"
for log in "$APP" "$VECTORS"/log/{actions,crossed,delete,digest,diverged,empty,merged,mixed-forms,octopus,order,parents-in-another-task,payload,task-id-case,unsigned,without-key,without-task}.ndjson; do
  rm -rf whole && redo init -q whole
  redo -C whole import -q "$log" >/dev/null || fail "'$log' cannot be imported" </dev/null
  state whole >before
  for form in json ndjson dir; do
    rm -rf out
    run redo -C whole export -q --format=$form -o ../out
    expect_status 0
    expect_stdout ../out
    redo -C whole wipe -q --yes --all
    expect_equal "$(objects whole)" 0 "objects after a wipe"
    [ $form != dir ] || [ -s before ] || continue
    run redo -C whole import -q ../out
    expect_status 0
    state whole | diff before - >difference || fail "$log as $form comes back otherwise" <difference
  done
done

scene "the demo log, and texts of all kinds, come back as they were"
rm -rf whole && redo init -q whole
demo 2000 | redo -C whole -c core.fsync=none import -q >/dev/null
state whole >before
redo -C whole export -q --format=json -o ../out.json >/dev/null
redo -C whole -c core.fsync=none wipe -q --yes --all
redo -C whole -c core.fsync=none import -q ../out.json >/dev/null
state whole | cmp -s before - || fail "it comes back otherwise" </dev/null
rm -rf whole && redo init -q whole
unicode='{"action":"CREATE","author":{"deviceId":"é e\u0301 / \\ \" \u0000\u001f\u007f\u2028","userId":"00112233445566778899aabbccddeeff"},"data":{"fields":{"\u0065\u0301":[1e-7,0.00001,1e21,123456789012345680000,-0,5e-324,9007199254740993e0],"title":"\ud83d\ude80日本\ufb01","é":{},"\ud83d\ude00":[],"\uffee":[[],{}]}},"parents":[],"taskId":"550e8400-e29b-41d4-a716-446655440000","timestamp":{"lamport":1,"wall":"2025-01-15T10:30:00Z"},"version":1}'
redo -C whole hash-object -w --update-heads --ndjson <<<"$unicode" >/dev/null || fail "no node" </dev/null
state whole >before
run redo -C whole export --format=json -o ../unicode.json
expect_stderr_has "member names that the app takes for the same one"
redo -C whole wipe -q --yes --all
redo -C whole import -q ../unicode.json >/dev/null 2>&1
state whole | cmp -s before - || fail "it comes back otherwise" <unicode.json

scene "-o: a file of this name, or of the default one in a directory"
rm -rf out* && mkdir out
run redo export -q -o out/a.json
expect_status 0
expect_stdout out/a.json
cmp -s out/a.json app.json || fail "other bytes" </dev/null
for where in "-o out" "-o out/" "--output=out --format=ndjson"; do
  run redo export -q $where
  expect_status 0
  grep -qx 'out/redo_backup_[0-9]\{10\}\.\(json\|ndjson\)' "$OUT" || fail "another name" <"$OUT"
  [ -s "$(cat "$OUT")" ] || fail "there is no such file" <"$OUT"
  rm "$(cat "$OUT")"
done
for where in "-o" "-o --format=json"; do
  run redo export -q $where
  expect_status 0
  grep -qx 'redo_backup_[0-9]\{10\}\.json' "$OUT" || fail "another name" <"$OUT"
  cmp -s "$(cat "$OUT")" app.json || fail "other bytes" </dev/null
  rm "$(cat "$OUT")"
done
run redo export -o out/b.json
expect_stderr_has "exported 50 changes"
run redo export -o - --format=json
expect_stdout_file app.json

scene "what is there is never replaced, unless that is asked for"
echo precious >out/mine
run redo export -o out/mine
expect_error 128 "'out/mine' is there already [STORAGE_002]"
expect_equal "$(cat out/mine)" precious "the file"
run redo export -q --force -o out/mine
expect_status 0
cmp -s out/mine app.json || fail "other bytes" </dev/null
run redo export --force -o /dev/null
expect_error 128 "'/dev/null' is not a regular file"
run redo export -o out/none/x
expect_error 128 "cannot open 'out/none/x': no such file or directory"
expect_equal "$(find . -name '.tmp*' | wc -l)" 0 "unfinished files"

scene "a directory: a file a node, only new ones written, others compared"
run redo export --format=dir -o files
expect_status 0
expect_stdout files
expect_stderr 'exported 50 new files'
expect_equal "$(ls files | wc -l)" 50 "files"
for file in files/*; do
  name=${file##*/}
  expect_equal "$(ids_of <"$file")" "sha256:${name%.json}" "id"
done
one=$(ls files | head -1) two=$(ls files | tail -1)
rm "files/$two"
before=$(stat -c '%i %Y' "files/$one")
run redo export --format=dir -o files
expect_status 0
expect_stderr 'exported 1 new file, 49 there already'
expect_equal "$(stat -c '%i %Y' "files/$one")" "$before" "the file that was there"
echo >>"files/$two"
run redo export --format=dir -o files
expect_status 1
expect_stderr_has "error: 'files/$two' has other bytes than its change"
run redo export --format=dir --force -o files
expect_status 0
expect_stderr 'exported 0 new files, 49 there already, 1 replaced'
run redo export --format=dir
expect_status 129
run redo export --format=dir -o
expect_status 129
run redo export --format=dir -o app.json
expect_error 128 "not a directory"

scene "tips: what they reach, and no more"
tip=$(redo log --format='%(id)' | sed -n 20p)
redo export "$tip" | ids_of | sort >found
redo log --format='%(id)' "$tip" | sort | cmp -s - found || fail "not the ancestors" <found
run redo export sha256:0123
expect_error 128 "0123"

scene "an object that is missing or corrupt: nothing is written"
rm -rf broken && cp -r "$PWD/.redo" broken
id=$(redo log --format='%(id)' | tail -1)
path=broken/objects/${id:7:2}/${id:9}
chmod u+w "$path" && echo x >"$path"
run redo --redo-dir="$PWD/broken" export
expect_error 128 "is corrupt"
expect_stderr_has "[STORAGE_004]"
expect_stderr_has "hint: 'redo verify --repair-from=<source>' takes a good copy"
rm "$path"
run redo --redo-dir="$PWD/broken" export --format=json -o out/broken.json
expect_error 128 "is missing"
expect_stderr_has "[STORAGE_004]"
[ ! -e out/broken.json ] || fail "a file is left" </dev/null

scene "a node that import would not take back in this layout"
rm -rf large && redo init -q large
{
  printf '{"action":"CREATE","author":{"deviceId":"d","userId":"00112233445566778899aabbccddeeff"},"data":{"fields":{"title":"'
  printf '%0600000d' 0 | tr 0 /
  echo '"}},"parents":[],"taskId":"550e8400-e29b-41d4-a716-446655440000","timestamp":{"lamport":1,"wall":"2025-01-15T10:30:00.000Z"},"version":1}'
} >large.json
redo -C large hash-object -w --update-heads --ndjson <large.json >/dev/null || fail "no node" </dev/null
run redo -C large export --format=json -o ../out/large.json
expect_error 128 "more than a node may have (1048576) [STORAGE_002]"
[ ! -e out/large.json ] || fail "a file is left" </dev/null
run redo -C large export -q -o ../out/large.json --format=ndjson
expect_status 0

scene "an empty history"
rm -rf none && redo init -q none
run redo -C none export
expect_status 0
expect_stdout ''
run redo -C none export --format=json
expect_equal "$(od -An -c <"$OUT" | tr -d ' ')" '[\n\n]' "the file"

scene "a full disk, a closed pipe, a store that cannot be written, no store"
run sh -c 'redo export >/dev/full'
expect_error 128 "write error: no space left on device"
run sh -c 'redo export --format=json -q >/dev/full'
expect_error 128 "write error"
if can_be_nobody; then
  chmod -R a+rX .
  run as_nobody redo -c safe.directory='*' export
  expect_stdout_lines 50
fi
if [ "$(id -u)" -eq 0 ] && mkdir disk && mount -t tmpfs -o size=16k none disk 2>/dev/null; then
  at_exit "umount '$PWD/disk'"
  for form in json ndjson dir; do
    run redo export --format=$form -o disk/$form
    expect_error 128 "no space left on device"
    expect_equal "$(find disk -type f ! -path 'disk/dir/*' | wc -l)" 0 "files"
    expect_equal "$(find disk -name '.tmp*' | wc -l)" 0 "unfinished files"
    rm -rf disk/dir
  done
fi
cd "$WORK" || exit
run redo export
expect_error 128 "not a redo repository"

scene "mistakes in the command line"
run redo-export --format=xml
expect_status 129
expect_stderr_has "usage: redo-export"
