#!/bin/bash
# redo stats: how many, how large, by what.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# value <key>: of the last output.
value() { sed -n "s/^$1: //p" "$OUT"; }

scene "a store with nothing in it"
make_store
run redo stats
expect_status 0
expect_stderr ''
expect_equal "$(value totalChanges)" 0 "changes"
expect_equal "$(value fileSize)" "$(cat .redo/{config,refs,refs.journal,reflog,received} | wc -c)" "bytes"

scene "changes of the history, and what is stored beside it"
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
COUNT=$(redo log --format='%(id)' | wc -l)
printf 'some bytes\n' | redo hash-object -w -t blob --stdin >/dev/null
alone=$(demo 1 | redo hash-object -w --stdin)
run redo stats
expect_status 0
expect_equal "$(value totalChanges)" "$COUNT" "changes"
expect_equal "$(value nodes)" $((COUNT + 1)) "nodes"
expect_equal "$(value outside)" 1 "nodes that no head reaches"
expect_equal "$(value blobs)" 1 "blobs"
expect_equal "$(value loose)" "$(objects)" "objects"
expect_equal "$(value looseSize)" "$(find .redo/objects/?? -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')" "their bytes"
expect_equal "$(value fileSize)" "$(find .redo -path .redo/cache -prune -o -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')" "all bytes"
expect_equal "$(value missing) $(value corrupt)" "0 0" "damage"
[[ $(value lastModified) == 20??-??-??T??:??:??.???Z ]] || fail "no time" <"$OUT"

scene "--json: the four numbers of the app, and the counts; one line of canonical JSON"
run redo stats --json
expect_status 0
expect_stdout_lines 1
python3 - "$OUT" "$COUNT" <<'END' || fail "the JSON" <"$OUT"
import json, sys
text = open(sys.argv[1]).read()
value = json.loads(text)
assert text == json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"
count = int(sys.argv[2])
assert value["totalChanges"] == count == sum(value["changesByUser"].values())
assert isinstance(value["fileSize"], int) and value["lastModified"].endswith("Z")
assert sum(row["count"] for row in value["byAction"].values()) == count
assert {user: row["count"] for user, row in value["byAuthor"].items()} == value["changesByUser"]
assert value["byKind"]["node"]["count"] == count + 1 and value["byKind"]["blob"]["count"] == 1
assert value["byPlace"]["loose"]["count"] == count + 2
assert value["byKind"]["blob"]["size"] == 11
END

scene "the counts are those that the log gives"
redo log --format='%(action)' | sort | uniq -c | awk '{ print $1 "\t" $2 }' | sort >expected
run redo stats --by=action
cut -f 1,4 "$OUT" | sort | cmp -s - expected || fail "actions" <"$OUT"
redo log --format='%(author:device)' | sort | uniq -c | awk '{ print $1 "\t" $2 }' | sort >expected
run redo stats --by device
cut -f 1,4 "$OUT" | sort | cmp -s - expected || fail "devices" <"$OUT"
run redo stats --by=month
expect_equal "$(cut -f 1,4 "$OUT")" "$COUNT	2025-03" "months"
run redo stats --by=kind
expect_equal "$(cut -f 1,4 "$OUT" | tr '\n\t' '| ')" "$((COUNT + 1)) node|1 blob|" "kinds"
expect_equal "$(awk '$4 == "blob" { print $2 }' "$OUT")" 11 "the size of the blob"

scene "-z: key LF value NUL, and rows that end in NUL"
run redo stats -z
expect_equal "$(head -z -n 1 "$OUT" | tr '\n\0' '=|')" "totalChanges=$COUNT|" "the first value"
run redo stats -z --by=kind
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" 2 "NULs"

scene "names: the one used last, escaped in lines, as it is in JSON"
make_store names
for lamport in 1 2; do
  printf '{"version":1,"parents":[],"timestamp":{"lamport":%s,"wall":"2025-01-0%sT00:00:00.000Z"},"author":{"userId":"%s","deviceId":"d\\n%s","name":"N\\u001b%s"},"action":"CREATE","taskId":"7a000000-0000-4000-8000-00000000000%s","data":{"fields":{"title":"T"}}}\n' \
    $lamport $lamport aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa $lamport $lamport $lamport
done | redo hash-object -w --ndjson --update-heads >/dev/null
run redo stats --by=author
expect_equal "$(cut -f 1,4,5 "$OUT" | tr '\t' ' ')" '2 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa N\x1b2' "the author"
run redo stats --by=author --json
expect_stdout_has '"name":"N\u001b2"'
run redo stats --by=device
expect_stdout_lines 2
run redo stats --by=device --json
expect_stdout_has '"key":"d\n1"'
cd ..

scene "an alternate's objects are counted apart, each object once"
make_store borrower
echo "$WORK/here/.redo/objects" >.redo/objects/info/alternates
run redo hash-object -w --stdin < <(demo 1)
expect_status 0
expect_stdout "$alone"
run redo stats
expect_equal "$(value loose) $(value alternate)" "0 $(objects "$WORK/here")" "objects"
expect_equal "$(value totalChanges)" 0 "changes"
cd ..

scene "damage is counted, named, and the status 1; nothing of it is counted elsewhere"
path=.redo/objects/${alone:7:2}/${alone:9}
chmod u+w "$path" && printf 'x' | dd of="$path" bs=1 seek=40 conv=notrunc status=none
run redo stats
expect_status 1
expect_stderr_has "error: object '$alone' is corrupt"
expect_equal "$(value corrupt) $(value outside) $(value totalChanges)" "1 0 $COUNT" "numbers"
rm -f "$path"
first=$(redo log --reverse -n 100 --format='%(id)' | head -1)
rm -f ".redo/objects/${first:7:2}/${first:9}"
run redo stats
expect_status 1
expect_stderr_has "error: 1 node of the history is missing"
expect_equal "$(value missing) $(value totalChanges)" "1 $((COUNT - 1))" "numbers"

scene "mistakes in the command line"
for words in 'x' '--by=size' '--by' '-z --bogus'; do
  # shellcheck disable=SC2086 # words
  run redo stats $words
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-stats"
done
