#!/bin/bash
# redo archive create --remote: what a remote has, in one file that verifies alone (A86); of a Firestore with what its
# documents say besides, the readers and times of the nodes and the account's document. TARGET as in firestore.bash.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

scene "an archive of a remote has its nodes, and a file beside it what its documents say"
stores ios vault
project
joins ios "$ANN" "$BOB"
on ios 10:00:00.000 create -t $TASK --title='Émoji 🚀'
on ios 10:01:00.000 update -t $TASK --priority=1
on ios 10:02:00.000 create -t $OTHER --title=Two
push ios
joins vault "$ANN"
on vault 10:03:00.000 create --title='Not there'
run redo -C vault archive create --remote -o "$PWD/cloud-2025-11-16.redo"
expect_status 0
expect_stdout_lines 1
expect_equal "$(cut -d ' ' -f 2 "$OUT")" 3 nodes
name=$(cut -d ' ' -f 1 "$OUT")
run redo archive verify cloud-2025-11-16.redo
expect_status 0
expect_stdout ''
run redo archive extract cloud-2025-11-16.redo
expect_equal "$(ids_of <"$OUT" | sort)" "$(redo -C ios log --format='%(id)' | sort)" "the ids"
admin get "users/$ANN" >user.json
python3 - cloud-2025-11-16.redo.documents "$name" "$ANN" "$BOB" "$PROJECT" user.json <<'END' >"$ERR" 2>&1 || fail "other documents" <"$ERR"
import hashlib, json, sys
path, name, ann, bob, project, user = sys.argv[1:]
text = open(path, "rb").read()
start = text[:-1].rindex(b"\n") + 1
lines = [json.loads(line) for line in text.decode().splitlines()]
for line, raw in zip(lines, text.decode().splitlines()):
    assert json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == raw, raw
head, *nodes, account, last = lines
assert last == {"sha256": hashlib.sha256(text[:start]).hexdigest()}, last
assert head == {"account": ann, "archive": name, "format": "redo-archive-documents", "nodes": 3,
                "remote": f"firestore://{project}", "version": 1}, head
assert [node["id"] for node in nodes] == sorted(node["id"] for node in nodes) and len(nodes) == 3
for node in nodes:
    assert set(node["accessList"]) == {ann, bob} and node["createdAt"].startswith("20"), node
assert account["user"] == ann
there = json.load(open(user))
assert [one["stringValue"] for one in account["fields"]["ownedNodes"]["arrayValue"]["values"]] == there["ownedNodes"]
END

scene "a file that is there stays, and --force replaces both"
run redo -C vault archive create -q --remote=origin -o "$PWD/cloud-2025-11-16.redo"
expect_error 128 "'$PWD/cloud-2025-11-16.redo' is there already"
run redo -C vault archive create -q -f --remote=origin --manifest -o "$PWD/cloud-2025-11-16.redo"
expect_status 0
expect_stderr ''
run redo archive verify cloud-2025-11-16.redo
expect_status 0

scene "what was changed beside an archive, or belongs to another one, is found"
cp cloud-2025-11-16.redo.documents good
while IFS='|' read -r change pointer; do
  python3 - good "$change" <<'END' >cloud-2025-11-16.redo.documents
import hashlib, sys
text, change = open(sys.argv[1]).read(), sys.argv[2]
if change == "cut":
    text = text[:-5]
elif change == "reader":
    text = text.replace("105903", "105904", 1)
else:
    old, new = change.split(" ")
    assert old != new and old in text
    body = text[: text[:-1].rindex("\n") + 1].replace(old, new, 1)
    text = body + '{"sha256":"%s"}\n' % hashlib.sha256(body.encode()).hexdigest()
sys.stdout.write(text)
END
  run redo archive verify cloud-2025-11-16.redo
  expect_status 1
  expect_stdout "B cloud-2025-11-16.redo.documents documents-differ at $pointer"
done <<END
cut|/sha256
reader|/sha256
"version":1 "version":2|/format
"archive":"${name:0:1} "archive":"$([ "${name:0:1}" = 0 ] && echo 1 || echo 0)|/archive
"nodes":3 "nodes":4|/nodes
END
mv good cloud-2025-11-16.redo.documents

scene "an empty store gets everything back from the archive alone"
redo init -q again
run redo -C again import -q "$PWD/cloud-2025-11-16.redo"
expect_status 0
expect_equal "$(redo -C again state -q --hash)" "$(redo -C ios state -q --hash)" "the state"

scene "a document that is no node is named, and the rest is archived; the status says that something is left"
printf '{"fields":{"accessList":{"arrayValue":{"values":[{"stringValue":"%s"}]}},"version":{"integerValue":"1"}}}' "$ANN" >odd.json
admin create nodes/odd odd.json || fail "not made" </dev/null
run redo -C vault archive create --remote -o "$PWD/odd.redo"
expect_status 1
expect_stderr_has "1 document of 'origin' that is no node of the archive: 'odd'"
run redo archive verify odd.redo
expect_status 0

scene "an archive of any other remote has no such file"
redo init -q plain
redo -C ios push -q "$PWD/plain"
run redo -C vault archive create -q --remote="$PWD/plain" -o "$PWD/plain.redo"
expect_status 0
expect_equal "$(cut -d ' ' -f 1 "$OUT")" "$name" "the same nodes"
[ ! -e plain.redo.documents ] || fail "documents" </dev/null

scene "a node that came here by another way, and there as well, is in the archive"
on ios 10:05:00.000 create --title='By two ways'
redo -C ios push -q "$PWD/plain"
redo -C vault fetch -q "$PWD/plain"
push ios
run redo -C vault archive create -q --remote=origin -o "$PWD/later.redo"
expect_status 1
expect_equal "$(cut -d ' ' -f 2 "$OUT")" 4 nodes
expect_equal "$(sed -n '1s/.*"nodes":\([0-9]*\).*/\1/p' later.redo.documents)" 4 "nodes beside it"

scene "prune lets an archive go when a later one says all of it, its documents included"
mv later.redo.documents away
run redo -C vault archive prune -n --keep-last=1 "$PWD/odd.redo" "$PWD/later.redo"
expect_stderr_has "what the documents beside it say of 4 of its nodes is nowhere else"
mv away later.redo.documents
run redo -C vault archive prune --keep-last=1 "$PWD/odd.redo" "$PWD/later.redo"
expect_status 0
[ ! -e odd.redo ] && [ ! -e odd.redo.documents ] || fail "it is still there" </dev/null
[ -e later.redo ] && [ -e later.redo.documents ] || fail "too much is gone" </dev/null

scene "command lines that make no sense"
for words in '--remote -o -' '--remote --before=2025-01-01 -o x' '--remote --split=month -o x.%' '--remote --remove -o x' '-n --remote' '--remote -o x HEAD'; do
  # shellcheck disable=SC2086
  run redo -C vault archive create $words
  expect_status 129
done
run redo -C vault archive create --remote -r "$(redo -C vault key show --public)" -o x
expect_status 129
[ ! -e vault/x ] || fail "an archive" </dev/null
