#!/bin/bash
# redo show: one object, or a few, for a person.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
MERGE=sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
BLOB=$(printf 'some bytes\n' | redo hash-object -w -t blob --stdin)
ABSENT=sha256:$(printf '%064d' 0)

# What a node of our own looks like: node_with <content>, stored and shown.
node_with() {
  printf '{"version":1,"parents":[],"timestamp":{"lamport":1,"wall":"2025-01-01T00:00:00.000Z"},"author":{"userId":"%s","deviceId":"d"},"action":"CREATE","taskId":"7a000000-0000-4000-8000-000000000009","data":{"fields":%s}}' \
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "$1" | redo hash-object -w --stdin
}

scene "all that is known of a node"
run redo show "$MERGE"
expect_status 0
expect_stderr ''
sed -i 's/^Received:  20[0-9-]*T[0-9:.]*Z$/Received:  (a time)/' "$OUT"
expect_stdout <<'END'
node sha256:f402819081fec6a91ee1f4899f9d79ca2c813c4887f61475bf24bb723c767097
Author:    f4f661eb3027a60debd2571992268d26
Device:    ios-iphone-15
Wall:      2025-03-01T08:08:00.000Z
Lamport:   8
Received:  (a time)
Task:      7a000000-0000-4000-8000-000000000001
Action:    MERGE
Parent:    3d557e02f294 UPDATE
Parent:    7ecfaf223491 UPDATE
Signature: G (good, over the body)

    priority: 1
    title: Water everything
    conflictResolution:
        {
          "preservedFields": [
            "priority",
            "title"
          ],
          "source": "automatic",
          "strategy": "union"
        }
END

scene "several, by whatever name, with an empty line between; the order is that of the names"
run redo-show "${BLOB:7:12}" "${MERGE#sha256:}"
expect_status 0
expect_equal "$(sed -n '1p;4,5p' "$OUT" | tr '\n' '|')" "blob $BLOB||node $MERGE|" "the order"

scene "a blob: how large, and what its bytes look like"
run redo show "$BLOB"
expect_stdout "blob $BLOB
Size:      11 bytes
Content:   text in UTF-8, 1 line feed"
binary=$(printf '\000\001\377' | redo hash-object -w -t blob --stdin)
run redo show "$binary"
expect_stdout_has "Content:   binary, begins with 00 01 ff"
run redo show "$(printf '' | redo hash-object -w -t blob --stdin)"
expect_stdout_has "Content:   nothing"

scene "--format: the atoms of cat-node"
run redo show --format='%(action) %(lamport) %(id)' "$MERGE" "$BLOB"
expect_stdout "MERGE 8 $MERGE
  $BLOB"
run redo show --format='%(bogus)' "$MERGE"
expect_error 128 "bogus"

scene "--json: the node as it is stored, its parents, when it was received, the verdict"
run redo show --json "$MERGE" "$BLOB"
expect_status 0
expect_stdout_lines 2
node=$(redo cat-node "$MERGE")
expect_stdout_has "{\"id\":\"$MERGE\",\"kind\":\"node\",\"node\":$node,\"parents\":[{\"action\":\"UPDATE\",\"id\":\"sha256:3d557e02f294"
expect_stdout_has "{\"id\":\"$BLOB\",\"kind\":\"blob\",\"size\":11}"
redo show --json "$MERGE" | redo canonicalize >canonical
redo show --json "$MERGE" | tr -d '\n' | cmp -s - canonical || fail "it is not canonical JSON" <canonical

scene "when a remote first had a node, where one says so; in JSON too, and of many at once"
{ a_node 1 | sed 's/^{/{"createdAt":{"_seconds":1740823200,"_nanoseconds":5000000},/'; a_node 2; } >copies
mkdir said && redo init -q said && redo -C said import -q ../copies >/dev/null
first=$(a_node 1 | ids_of) second=$(a_node 2 | ids_of)
run redo -C said show "$first" "$second"
expect_status 0
expect_equal "$(sed -n '/^Received/,/^Task/p' "$OUT" | sed 's/^Received: .*/Received/; s/^Task: .*/Task/' | tr '\n' '|')" \
  'Received|Created:   2025-03-01T10:00:00.005Z (as a remote says)|Task|Received|Task|' "the lines"
for names in arguments stream; do
  if [ "$names" = stream ]; then run redo -C said show --json --stdin < <(printf '%s\n' "$first" "$second")
  else run redo -C said show --json "$first" "$second"; fi
  expect_equal "$(sed 's/,"kind".*//' "$OUT" | tr '\n' '|')" \
    "{\"createdAt\":\"2025-03-01T10:00:00.005Z\",\"id\":\"$first\"|{\"id\":\"$second\"|" "$names"
  redo canonicalize <(head -n 1 "$OUT") | cmp -s - <(head -n 1 "$OUT" | tr -d '\n') || fail "it is not canonical JSON" <"$OUT"
done

scene "damaged times of remotes are left out, and nothing else is"
printf x | dd of=said/.redo/created bs=1 seek=50 conv=notrunc status=none
run redo -C said show "$first"
expect_status 0
expect_stderr ''
! grep -q '^Created' "$OUT" || fail "there is a time" <"$OUT"
expect_stdout_has "Signature: G (good, over the body)"

scene "a node that no head reaches was never received"
id=$(node_with '{"title":"Alone"}')
run redo show "$id"
expect_stdout_has "Received:  never: it is not in the history"
expect_stdout_has "Signature: N (not signed)"
run redo show --json "$id"
! grep -q received "$OUT" || fail "it was not received" <"$OUT"

scene "every warning is shown"
a_node | sed 's/"id":"[^"]*",//; s/"signature":"[^"]*",//; s/\.[0-9]*Z"/Z"/' | redo hash-object -w --stdin >odd 2>/dev/null
run redo show "$(cat odd)"
expect_status 0
expect_stdout_has "Warning:   wall-precision at /timestamp/wall: "

scene "--no-verify says nothing of the signature"
run redo show --no-verify "$MERGE"
expect_status 0
! grep -q '^Signature' "$OUT" || fail "it does" <"$OUT"

scene "texts read as they are, unless they would read as something else; long ones are wrapped at 80"
long=$(printf 'word%.0s ' {1..40})
id=$(node_with "{\"a\":\"4\",\"b\":4,\"c\":\"\",\"d\":\"true\",\"e\":\"two\\nlines\",\"long\":\"${long% }\",\"title\":\"T\"}")
run redo show "$id"
expect_stdout_has '    a: "4"'
expect_stdout_has '    b: 4'
expect_stdout_has '    c: ""'
expect_stdout_has '    d: "true"'
expect_equal "$(sed -n '/^    e:/,/^    l/p' "$OUT" | tr '\n' '|')" "    e:|        two|        lines|    long:|" "two lines"
expect_equal "$(awk 'length > 80' "$OUT" | grep -vc '^node')" 0 "long lines"
expect_equal "$(grep -o word "$OUT" | wc -l)" 40 "words"

scene "nothing in a node moves a terminal's cursor"
id=$(node_with '{"title":"a\u001b[31mb\u009bc\u202ed","x\u001b]0;y\u0007":{"z\u001b":"\u2066"}}')
run redo show "$id"
expect_status 0
! grep -q $'\033\|\302\233\|\342\200\256\|\342\201\246' "$OUT" || fail "an escape sequence" <"$OUT"
expect_stdout_has 'title: a\x1b[31mb\u{9b}c\u{202e}d'

scene "--stdin answers each name; trouble with one is in its line"
printf '%s\n' "$MERGE" nonsense "$ABSENT" "$BLOB" >names
run redo show --stdin --format='%(id)' <names
expect_status 0
expect_stdout "$MERGE
nonsense missing
$ABSENT missing
$BLOB"
run redo show --stdin --json <names
expect_stdout_has '{"name":"nonsense","state":"missing"}'
printf '%s\0' "$MERGE" "a
b" >names
run redo show --stdin -z --format='%(id)' <names
printf '%s\0a\nb missing\0' "$MERGE" >expected
expect_stdout_file expected

scene "a damaged object is fatal when it is named, and an answer in a stream"
path=.redo/objects/${MERGE:7:2}/${MERGE:9}
chmod u+w "$path" && printf 'x' | dd of="$path" bs=1 seek=40 conv=notrunc status=none
run redo show "$MERGE"
expect_error 128 "object '$MERGE' is corrupt"
run redo show --stdin <<<"$MERGE"
expect_status 0
expect_stdout "$MERGE corrupt"
child=$(redo cat-node --batch-check='%(id) %(parents)' --batch-all-objects | grep " $MERGE" | cut -d ' ' -f 1)
run redo show "$child"
expect_stdout_has "Parent:    ${MERGE:7:12} (corrupt)"
rm "$path"
run redo show "$child"
expect_stdout_has "Parent:    ${MERGE:7:12} (missing)"

scene "colours are there when they are asked for, and by themselves never in a pipe"
run redo show --color=always "$child"
grep -q $'^\033\\[33mnode sha256:[0-9a-f]*\033\\[m$' "$OUT" || fail "no colour" <"$OUT"
for how in "" "--color=auto" "--no-color" "--color=never" "--color --no-color"; do
  # shellcheck disable=SC2086 # words
  run redo show $how "$child"
  ! grep -q $'\033' "$OUT" || fail "a colour" <"$OUT"
done
run redo -c color.ui=always show "$child"
grep -q $'\033' "$OUT" || fail "color.ui does nothing" <"$OUT"
run env NO_COLOR=1 redo -c color.ui=always show "$child"
! grep -q $'\033' "$OUT" || fail "NO_COLOR does nothing" <"$OUT"
run env NO_COLOR=1 redo show --color "$child"
grep -q $'\033' "$OUT" || fail "the option does not win" <"$OUT"
run redo show --color=some "$child"
expect_status 129
run redo -c color.ui=some show "$child"
expect_error 128 "color.ui"

scene "mistakes in the command line"
for words in '--stdin x' '--json --format=x y' '--bogus x'; do
  # shellcheck disable=SC2086 # words
  run redo show $words </dev/null
  expect_status 129
  expect_stdout ''
done
run redo show abc
expect_error 128 "not a valid object name 'abc'"
run redo show "$ABSENT"
expect_error 128 "no object has the name"
