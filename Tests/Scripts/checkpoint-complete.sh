#!/bin/bash
# redo checkpoint verify --of: whether a copy, whatever and wherever it is, has all that its owner has signed.
. "$(dirname "${BASH_SOURCE[0]}")/checkpoint.bash"

# The owner: a history with several tasks, one of them diverged.
make_signer owner
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
commit one two three
redo checkpoint create --ids=../ids -o ../note >/dev/null
redo export -q --format=ndjson >../log.ndjson
for form in json json.gz; do redo export -q --format=json -o "../copy.$form" >/dev/null; done
redo archive create -q --manifest -o ../copy.redo >/dev/null
cd .. || exit 1
COUNT=$(wc -l <log.ndjson)

# stated <log>: the two lines that a checkpoint has of a log, by a program that shares no code with ours.
stated() {
  "${REDO_PYTHON:-python3}" - "$1" <<'END'
import hashlib, json, sys
nodes = [json.loads(line) for line in open(sys.argv[1])]
ids = {node["id"] for node in nodes}
heads = ids - {parent for node in nodes for parent in node["parents"]}
for word, some in [("objects", ids), ("heads", heads)]:
    print(word, "node", len(some), hashlib.sha256("".join(f"{i}\n" for i in sorted(some)).encode()).hexdigest())
END
}

scene "the checkpoint and the list say what an independent program says of the export"
expect_equal "$(sed -n '8,9p' note)" "$(stated log.ndjson)" "the lines"
expect_equal "$(cut -c1-71 ids | sha256sum | cut -d' ' -f1)" "$(sed -n 8p note | cut -d' ' -f4)" "the hash of the list"
expect_equal "$(grep ' head$' ids | cut -c1-71 | sha256sum | cut -d' ' -f1)" "$(sed -n 9p note | cut -d' ' -f4)" "the hash of its heads"
expect_equal "$(cut -c1-71 ids)" "$(ids_of <log.ndjson | sort)" "the list"
HEADS=$(grep -c ' head$' ids)
grep -q "\"ids\":\"$(sed -n 8p note | cut -d' ' -f4)\"" copy.redo.manifest || fail "the manifest says otherwise" <copy.redo.manifest

KEY=$(redo -C owner key show --public)
LOG=$(sed -n 1p note) TIME=$(redo -C owner checkpoint list | cut -d' ' -f4)
SAID="stated by the checkpoint of $TIME of the log $LOG, signed by $KEY"
ANYBODY="warning: anybody may have signed it: there is neither '--key' nor a trust file"

scene "every copy of the whole is complete, in any order, with the list and without, here and where no store is"
tac log.ndjson >turned.ndjson
redo init -q clone && redo -C clone import -q "$PWD/turned.ndjson" >/dev/null
for copy in owner clone copy.json copy.json.gz copy.redo turned.ndjson; do
  for list in "" --ids=ids; do
    # shellcheck disable=SC2086 # words
    run redo checkpoint verify note --of=$copy $list
    expect_status 0
    expect_stdout "complete node $COUNT $COUNT $HEADS $HEADS"
    expect_stderr "$SAID
$ANYBODY"
  done
done
run redo checkpoint verify --json note --of=copy.json
expect_stdout "{\"headsStated\":$HEADS,\"headsThere\":$HEADS,\"key\":\"$KEY\",\"kind\":\"node\",\"origin\":\"$LOG\",\"result\":\"complete\",\"stated\":$COUNT,\"there\":$COUNT,\"time\":\"$TIME\"}"
expect_stderr "$ANYBODY"
run redo checkpoint verify note --of=- <copy.json.gz
expect_status 0
run redo checkpoint verify - --of=copy.json --ids=ids <note
expect_status 0
run redo checkpoint verify note --of=copy.json --ids=- <ids
expect_status 0
run redo -C owner checkpoint verify "$(latest owner)" --of="$PWD/copy.json"
expect_status 0

scene "a leaf is missing: nothing in the log names it, the checkpoint knows, and the list names it"
leaf=$(grep -m1 ' head$' ids | cut -c1-71)
grep -v "\"id\":\"$leaf\"" log.ndjson >leafless.ndjson
expect_equal "$(wc -l <leafless.ndjson)" "$((COUNT - 1))" "lines"
run redo verify --missing leafless.ndjson
expect_status 0
run redo verify --profile=sync leafless.ndjson
expect_status 0
run redo checkpoint verify note --of=leafless.ndjson
expect_status 1
expect_equal "$(cut -d' ' -f1-5 "$OUT")" "incomplete node $COUNT $((COUNT - 1)) $HEADS" "the answer"
expect_stderr_has "hint: '--ids=<file>'"
run redo checkpoint verify note --of=leafless.ndjson --ids=ids
expect_status 1
expect_stdout_lines 2
expect_equal "$(sed -n 2p "$OUT")" "missing head $leaf" "the leaf"
expect_stderr "$SAID
$ANYBODY"
run redo checkpoint verify --json note --of=leafless.ndjson --ids=ids
expect_equal "$(sed -n 2p "$OUT")" "{\"id\":\"$leaf\",\"kind\":\"node\",\"result\":\"missing\",\"what\":\"head\"}" "the row"
python3 - "$OUT" <<'END' || fail "not canonical" <"$OUT"
import json, sys
for line in open(sys.argv[1]):
    assert line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")) + "\n"
END

scene "a parent is missing: it is named with its children, without the list too"
inner=$(python3 -c '
import json
nodes = [json.loads(line) for line in open("log.ndjson")]
print(next(n["id"] for n in nodes if n["parents"] and any(n["id"] in m["parents"] for m in nodes)))')
grep -v "\"id\":\"$inner\"" log.ndjson >holed.ndjson
children=$(grep -F "$inner" holed.ndjson | ids_of | sort | paste -sd' ')
for list in "" --ids=ids; do
  # shellcheck disable=SC2086 # words
  run redo checkpoint verify note --of=holed.ndjson $list
  expect_status 1
  expect_equal "$(sed 1d "$OUT")" "missing parent $inner $children" "what is missing"
done

scene "a whole branch is missing: its head, and what is behind it"
python3 - <<'END'
import json
nodes = [json.loads(line) for line in open("log.ndjson")]
tasks = {}
for node in nodes:
    tasks.setdefault(node["taskId"], []).append(node)
branch = max(tasks.values(), key=len)
gone = {node["id"] for node in branch}
assert not any(set(n["parents"]) & gone for n in nodes if n["id"] not in gone) and len(gone) > 2
open("branchless.ndjson", "w").write("".join(json.dumps(n) + "\n" for n in nodes if n["id"] not in gone))
heads = gone - {p for n in nodes for p in n["parents"]}
open("expected", "w").write(
    "".join(f"missing head {i}\n" for i in sorted(heads)) + "".join(f"missing node {i}\n" for i in sorted(gone - heads)))
END
run redo verify --missing branchless.ndjson
expect_status 0
run redo checkpoint verify note --of=branchless.ndjson --ids=ids
expect_status 1
sed 1d "$OUT" >found
cmp -s expected found || fail "others" <found

scene "a node for another one: as many as are stated, and not the same"
late=$(redo -C owner commit -q create --title=late)
redo -C owner export -q --format=ndjson >grown.ndjson
grep -v "\"id\":\"$leaf\"" grown.ndjson >exchanged.ndjson
run redo checkpoint verify note --of=exchanged.ndjson
expect_status 1
expect_equal "$(cut -d' ' -f1-4 "$OUT")" "incomplete node $COUNT $COUNT" "the answer"
run redo checkpoint verify note --of=exchanged.ndjson --ids=ids
expect_status 1
expect_equal "$(sed 1d "$OUT")" "missing head $leaf
added node $late" "what differs"

scene "a copy that has grown: undecided without the list, complete with it"
run redo checkpoint verify note --of=grown.ndjson
expect_status 1
expect_equal "$(cut -d' ' -f1-4 "$OUT")" "undecided node $COUNT $((COUNT + 1))" "the answer"
expect_stderr_has "hint: '--ids=<file>'"
run redo checkpoint verify note --of=owner --ids=ids
expect_status 0
expect_equal "$(sed 1d "$OUT")" "added node $late" "what was added"

scene "what is there and is not a node does not count, and is said"
sed "s/\"title\":\"two\"/\"title\":\"too\"/" log.ndjson >changed.ndjson
run redo checkpoint verify note --of=changed.ndjson --ids=ids
expect_status 1
expect_stdout_lines 2
expect_stderr_has "1 value is not a change"

scene "everything is there, and something else that cannot be read: that is said, and not the end of it"
(cat log.ndjson && echo '{"a":1}') >more.ndjson
for list in "" --ids=ids; do
  # shellcheck disable=SC2086 # words
  run redo checkpoint verify note --of=more.ndjson $list
  expect_status 1
  expect_stdout "complete node $COUNT $COUNT $HEADS $HEADS"
  expect_stderr_has "error: 'more.ndjson': 1 value is not a change"
done

scene "a node that does not state its id is not one of them"
sed '3s/"id":"sha256:[0-9a-f]*",//' log.ndjson >nameless.ndjson
run redo checkpoint verify note --of=nameless.ndjson
expect_status 1
expect_equal "$(head -1 "$OUT" | cut -d' ' -f1-4)" "incomplete node $COUNT $((COUNT - 1))" "the answer"
expect_stderr_has "1 value is not a change"

scene "a damaged store, of which the rest is read"
path=clone/.redo/objects/${inner:7:2}/${inner:9}
if [ -e "$path" ]; then
  chmod u+w "$path" && echo x >"$path"
  run redo checkpoint verify note --of=clone --ids=ids
  expect_status 1
  grep -q "$inner" "$OUT" || fail "it is not named" <"$OUT"
  expect_stderr_has "1 change cannot be read"
fi

scene "a list that is none, or that of another checkpoint, is refused"
sed 3d ids >shorter
sed 's/ head$//' ids >headless
(cat ids && sed -n 1p ids) >twice
sed 's/^sha256:/SHA256:/' ids >upper
head -c -1 ids >cut
for list in shorter headless; do
  run redo checkpoint verify note --of=copy.json --ids=$list
  expect_error 128 "'$list' is not the list of ids that 'note' covers"
done
for list in twice upper cut; do
  run redo checkpoint verify note --of=copy.json --ids=$list
  expect_error 128 "'$list' is no list of ids"
done
cp log.ndjson precious
run redo -C owner checkpoint create --ids="$PWD/precious"
expect_error 128 "is there already, and is something else"
cmp -s log.ndjson precious || fail "it was replaced" </dev/null
redo -C owner checkpoint create --ids="$PWD/ids" -o "$PWD/note" >/dev/null || fail "a list is not replaced" </dev/null
run redo checkpoint verify note --of=grown.ndjson --ids=ids
expect_status 0

scene "a checkpoint that was changed, or is signed by somebody else, says nothing"
sed '8s/objects node [0-9]*/objects node 3/' note >forged
run redo checkpoint verify forged --of=copy.json
expect_status 128
expect_stdout ''
key=$(redo -C owner key show --public)
run redo checkpoint verify --key="$key" note --of=grown.ndjson
expect_status 0
expect_stderr_has "signed by $KEY"
expect_stderr_lacks "warning: "
run redo checkpoint verify --key="$(printf '%064d' 1)" note --of=grown.ndjson
expect_status 128
expect_stdout ''

scene "a checkpoint of an earlier release holds, and has nothing to say here"
cp "$VECTORS/checkpoint/valid/usual.note" old
run redo checkpoint verify old --of=copy.json
expect_error 128 "'old' does not say which changes the history has"

scene "mistakes in the command line"
for words in "--of=copy.json" "--of=copy.json note note" "--ids=ids note" "--of=- -" "--of=copy.json --ids" "--of=- --identity=- note" "--of=copy.json --passphrase-file=- -"; do
  # shellcheck disable=SC2086 # words
  run redo -C owner checkpoint verify $words </dev/null
  expect_status 129
  expect_stdout ''
done

scene "a remote: by its name or location, and nothing is fetched"
rm -f note ids log.ndjson
redo -C owner checkpoint create --ids=../ids -o ../note >/dev/null
redo -C owner export -q --format=ndjson >log.ndjson
COUNT=$(wc -l <log.ndjson) HEADS=$(grep -c ' head$' ids)
redo init -q asker && redo -C asker import -q "$PWD/log.ndjson" >/dev/null
redo init -q full && redo -C full import -q "$PWD/log.ndjson" >/dev/null
redo -C asker remote add whole "$PWD/full"
redo init -q lacking && head -n $((COUNT - 2)) log.ndjson | redo -C lacking import -q >/dev/null
redo -C asker remote add less "$PWD/lacking"
BEFORE=$(fingerprint asker)
run redo -C asker checkpoint verify ../note --of=whole
expect_status 0
expect_stdout "complete node $COUNT $COUNT $HEADS $HEADS"
expect_stderr_has "'whole' says so itself"
run redo -C asker checkpoint verify ../note --of=less --ids=../ids
expect_status 1
expect_equal "$(head -1 "$OUT" | cut -d' ' -f1-4)" "incomplete node $COUNT $((COUNT - 2))" "the answer"
expect_equal "$(grep '^missing' "$OUT" | grep -o 'sha256:[0-9a-f]*' | sort -u)" "$(tail -n 2 log.ndjson | ids_of | sort)" "what it lacks"
expect_untouched "$BEFORE" asker
# From a store that has less than the remote, the remote's own is named by its ids.
redo -C lacking remote add more "$PWD/full"
run redo -C lacking checkpoint verify ../note --of=more --ids=../ids
expect_status 0
expect_equal "$(head -1 "$OUT" | cut -d' ' -f1-4)" "complete node $COUNT $COUNT" "the answer"
# A remote that lost an object cannot vouch for it.
HIT=$(tail -n 1 log.ndjson | ids_of)
chmod u+w "full/.redo/objects/${HIT:7:2}/${HIT:9}" && : >"full/.redo/objects/${HIT:7:2}/${HIT:9}"
run redo -C asker checkpoint verify ../note --of=whole --ids=../ids
expect_status 1
expect_stdout_has "$HIT"
# What is damaged here is neither vouched for nor blamed on the remote without a word.
redo init -q sound && redo -C sound import -q "$PWD/log.ndjson" >/dev/null
redo -C asker remote add sound "$PWD/sound"
run redo -C asker checkpoint verify ../note --of=sound --ids=../ids
expect_status 0
HIT=$(tail -n 2 log.ndjson | head -n 1 | ids_of)
chmod u+w "asker/.redo/objects/${HIT:7:2}/${HIT:9}" && : >"asker/.redo/objects/${HIT:7:2}/${HIT:9}"
run redo -C asker checkpoint verify ../note --of=sound --ids=../ids
expect_status 1
expect_stderr_has "'sound': 1 change cannot be read here, so that neither whether it is there is known"
expect_stderr_has "'redo verify --repair-from=sound' may bring it back"
redo -C asker verify --repair-from=sound >/dev/null 2>&1
run redo -C asker checkpoint verify ../note --of=sound --ids=../ids
expect_status 0
# Where there is no store, a name is a file.
run redo checkpoint verify note --of=whole
expect_error 128 "whole"
