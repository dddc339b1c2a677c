#!/bin/bash
# redo cat-node: what an object is and holds, one or many at a time.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
LOG=$VECTORS/log/linear.ndjson
redo import -q "$LOG" >/dev/null
ids_of <"$LOG" >ids
a_node | tr -d '\n' >contents
ID=$(ids_of <contents)
sed 's/"id":"[^"]*",//; s/"signature":"[^"]*",//' contents >body
BLOB=$(printf 'some bytes\n' | redo hash-object -w -t blob --stdin)

scene "the contents of a node: the canonical JSON of the whole node, id and signature in it"
run redo cat-node "$ID"
expect_status 0
expect_stdout_file contents
expect_stderr ''

scene "the prefix sha256: is not needed, and an abbreviation of four digits or more will do"
for name in "${ID#sha256:}" "${ID:0:40}" "${ID:7:8}"; do
  run redo-cat-node "$name"
  expect_status 0
  expect_stdout_file contents
done

scene "-t its kind, -s the size of what is printed, -e whether it is there"
run redo cat-node -t "$ID"
expect_stdout node
run redo cat-node -s "$ID"
expect_stdout "$(wc -c <contents)"
run redo cat-node -e "$ID"
expect_status 0
expect_stdout ''
run redo cat-node -e "sha256:$(printf '%064d' 0)"
expect_status 1
expect_stdout ''
expect_stderr ''

scene "--body is what is hashed"
run redo cat-node --body "$ID"
expect_stdout_file body
expect_equal "sha256:$(sha256sum <"$OUT" | cut -d' ' -f1)" "$ID" "its hash"

scene "-p is for people"
run redo cat-node -p "$ID"
expect_status 0
expect_stdout_has '  "action": "CREATE",'
redo cat-node -p "$ID" | redo canonicalize >again
cmp -s again contents || fail "it is another value" <again

scene "--pointer names one member (RFC 6901)"
run redo cat-node --pointer=/timestamp/lamport "$ID"
expect_stdout 1
run redo cat-node --pointer=/action "$ID"
expect_stdout '"CREATE"'
run redo cat-node --pointer= "$ID"
expect_stdout "$(cat contents)"
second=$(sed -n 2p ids)
run redo cat-node --pointer=/parents/0 "$second"
expect_stdout "\"$ID\""
for pointer in /parents/1 /parents/00 /parents/-1 /nothing /action/0; do
  run redo cat-node --pointer=$pointer "$second"
  expect_error 1 "has no member '$pointer'"
done
run redo cat-node --pointer=action "$ID"
expect_status 129

scene "--format shows the parts that are asked for"
run redo cat-node --format='%(id) %(objectname) %(kind) %(objecttype) %(size) %(lamport) %(action)%x00%n%%' "$ID"
printf '%s %s node node %s 1 CREATE\0\n%%\n' "$ID" "$ID" "$(wc -c <contents)" >expected
expect_stdout_file expected
run redo cat-node --format='%(nothing)' "$ID"
expect_status 128
expect_stderr_has "nothing"

scene "a kind before the id must be right"
run redo cat-node node "$ID"
expect_stdout_file contents
run redo cat-node blob "$ID"
expect_error 128 "is a node, not a blob"
run redo cat-node tree "$ID"
expect_status 129

scene "blobs"
run redo cat-node "$BLOB"
expect_stdout 'some bytes'
run redo cat-node -t "$BLOB"
expect_stdout blob
run redo cat-node -s "$BLOB"
expect_stdout 11
run redo cat-node --pointer=/a "$BLOB"
expect_error 128 "is a blob"

scene "--batch: <id> <kind> <size>, the contents, a line feed"
printf '%s\n' "$ID" "${ID:7:10}" nonsense "sha256:$(printf '%064d' 0)" "$BLOB" >names
run redo cat-node --batch <names
expect_status 0
for _ in 1 2; do
  printf '%s node %s\n' "$ID" "$(wc -c <contents)"
  cat contents
  echo
done >expected
printf '%s missing\n' nonsense "sha256:$(printf '%064d' 0)" >>expected
printf '%s blob 11\nsome bytes\n\n' "$BLOB" >>expected
expect_stdout_file expected
expect_stderr ''

scene "--batch-check: the same without contents"
run redo cat-node --batch-check <ids
expect_status 0
while read -r id; do echo "$id node $(redo cat-node -s "$id")"; done <ids >expected
expect_stdout_file expected

scene "trouble with one object is in its line, the status stays 0; --strict makes it 1"
run redo cat-node --batch-check --strict <names
expect_status 1
run redo cat-node --batch-check --strict <ids
expect_status 0
damaged=$(sed -n 5p ids)
path=.redo/objects/${damaged:7:2}/${damaged:9}
cp "$path" kept
chmod u+w "$path"
printf 'x' | dd of="$path" bs=1 seek=40 conv=notrunc status=none
run redo cat-node --batch <<<"$damaged"
expect_status 0
expect_stdout "$damaged corrupt"
run redo cat-node "$damaged"
expect_error 128 "object '$damaged' is corrupt"
cp kept "$path"

scene "a format of one's own; %(rest) is what follows the first blank"
run redo cat-node --batch-check='%(rest):%(lamport) %(action)' <<<"$ID  and the rest"
expect_stdout 'and the rest:1 CREATE'
run redo cat-node --batch-check='%(action)%n%(nothing)' <ids
expect_error 128 "nothing"

scene "-z: names end in NUL; -Z: answers too"
printf '%s\0' "$ID" "a
b" >names
run redo cat-node --batch-check -z <names
expect_stdout "$ID node $(wc -c <contents)
a
b missing"
run redo cat-node --batch -Z <names
printf '%s node %s\0%s\0a\nb missing\0' "$ID" "$(wc -c <contents)" "$(cat contents)" >expected
expect_stdout_file expected

scene "--batch-all-objects needs no names; ascending by id"
run redo cat-node --batch-check='%(id)' --batch-all-objects </dev/null
expect_status 0
{ cat ids; echo "$BLOB"; } | sort >expected
expect_stdout_file expected
run redo cat-node --batch --batch-all-objects --buffer
expect_status 0
expect_equal "$(grep -c ' node \| blob ' "$OUT")" 19 "objects"

scene "--filter leaves objects out, as git's does"
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=object:type=node
expect_equal "$(cat "$OUT")" "$(sort ids)" "nodes"
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=object:type=blob
expect_stdout "$BLOB"
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=blob:none
expect_equal "$(cat "$OUT")" "$(sort ids)" "no blobs"
SIZE=$(redo cat-node -s "$BLOB")
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=blob:limit=$((SIZE + 1))
expect_stdout_lines 19
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=blob:limit=$SIZE
expect_stdout_lines 18
run redo cat-node --batch-check='%(id)' --batch-all-objects --filter=blob:limit=1k
expect_status 0
printf '%s\n' "$BLOB" "$(head -1 ids)" nothing >asked
run redo cat-node --batch-check --filter=blob:none --strict <asked
expect_status 1
expect_stdout_has "$BLOB excluded"
expect_equal "$(sed -n 2p "$OUT" | cut -d' ' -f1,2)" "$(head -1 ids) node" "what the filter lets through"
head -2 asked >two
run redo cat-node --batch --filter=blob:none --strict <two
expect_status 0
for filter in tree:0 blob:limit blob:limit=x blob:limit=-1 object:type=tree none; do
  run redo cat-node --batch-check --batch-all-objects --filter=$filter
  expect_status 129
  expect_stderr_has "$filter"
done
run redo cat-node --filter=blob:none "$BLOB"
expect_status 129
expect_stderr_has "'--filter' requires a batch mode"

scene "%(source): the file in which an object lies"
ONE=$(head -1 ids)
run redo cat-node --format='%(source)' "$ONE"
expect_equal "$(realpath "$(cat "$OUT")")" "$(realpath ".redo/objects/${ONE:7:2}/${ONE:9}")" "a loose object"
cp -a . ../sources && cd ../sources
redo repack -q -a
run redo cat-node --format='%(source)' "$ONE"
expect_equal "$(realpath "$(cat "$OUT")")" "$(realpath .redo/objects/pack/*.pack)" "a pack"
redo archive create -q --remove -o all.redoarchive >/dev/null
echo "$ONE" | redo cat-node --batch-check='%(source)' >"$OUT"
expect_equal "$(cat "$OUT")" "$(realpath all.redoarchive)" "a registered archive"
printf '%s\n' "$BLOB" nothing | redo cat-node --batch-check='%(kind) %(source)' >"$OUT"
expect_equal "$(sed -n 2p "$OUT")" "nothing missing" "what is not there"
expect_equal "$(realpath "$(sed -n 's/^blob //p' "$OUT")")" "$(realpath ".redo/objects/${BLOB:7:2}/${BLOB:9}")" "a blob"
cd - >/dev/null

scene "--batch-command: one question, one answer, the input still open"
coproc CAT { redo cat-node --batch-command; }
at_exit "kill $CAT_PID"
ask() {
  echo "$1" >&"${CAT[1]}"
  read -r -t 10 answer <&"${CAT[0]}" || fail "no answer to '$1'" </dev/null
}
ask "info $ID"
expect_equal "$answer" "$ID node $(wc -c <contents)" "the answer"
ask "contents $ID"
expect_equal "$answer" "$ID node $(wc -c <contents)" "the first line"
read -r -t 10 answer <&"${CAT[0]}"
expect_equal "$answer" "$(cat contents)" "the contents"
ask "info nonsense"
expect_equal "$answer" "nonsense missing" "the answer"
pid=$CAT_PID
exec {CAT[1]}>&-
wait "$pid"
expect_equal $? 0 "the status at the end"

scene "with --buffer answers wait for 'flush'"
coproc CAT { redo cat-node --batch-command --buffer; }
at_exit "kill $CAT_PID"
echo "info $ID" >&"${CAT[1]}"
! read -r -t 0.3 answer <&"${CAT[0]}" || fail "an answer before 'flush'" </dev/null
ask flush
expect_equal "$answer" "$ID node $(wc -c <contents)" "the answer"
pid=$CAT_PID
exec {CAT[1]}>&-
wait "$pid"

scene "what is no command ends it"
run redo cat-node --batch-command <<<"show $ID"
expect_error 128 "is no command: 'show $ID'"

scene "an ambiguous abbreviation lists its candidates"
make_store many
demo 2000 >many.ndjson
redo import -q many.ndjson >/dev/null
ids_of <many.ndjson | sort >many
short=$(cut -c 8-11 many | uniq -d | head -1)
if [ -n "$short" ]; then
  run redo cat-node "$short"
  expect_status 128
  expect_stderr_has "fatal: short id '$short' is ambiguous"
  grep "^sha256:$short" many >expected
  grep -o 'sha256:[0-9a-f]*' "$ERR" >found
  cmp -s expected found || fail "the candidates differ" <"$ERR"
  run redo cat-node --batch-check <<<"$short"
  expect_status 0
  expect_stdout "$short ambiguous"
  run redo cat-node -e "$short"
  expect_status 128
else
  skip "no two of 2,000 ids begin alike"
fi
cd ..

scene "names that are none: one error, and a hint for what was an incident before"
run redo cat-node abc
expect_error 128 "not a valid object name 'abc'"
run redo cat-node "sha256:$(echo "${ID:7}" | tr a-f A-F)"
expect_status 128
expect_stderr_has "hint: "
run redo cat-node "5Hwf1rQYxNSLZcYwbZ6x2RtT5MwsWd9ZC2fDsG7aRq3E"
expect_status 128
expect_stderr_has "hint: "
run redo cat-node "sha256:$(printf '%064d' 0)"
expect_error 128 "no object has the name"

scene "an object of an alternate store is found"
make_store borrower
echo "$WORK/here/.redo/objects" >.redo/objects/info/alternates
run redo cat-node "$ID"
expect_stdout_file ../contents
run redo cat-node --batch-check='%(id)' --batch-all-objects
expect_stdout_lines 19
cd ..
make_store by-variable
run env REDO_ALTERNATE_OBJECT_DIRECTORIES="$WORK/here/.redo/objects" redo cat-node -t "$ID"
expect_stdout node
run redo cat-node -t "$ID"
expect_error 128 "no object has the name"
run env REDO_OBJECT_DIRECTORY="$WORK/here/.redo/objects" redo cat-node -t "$ID"
expect_stdout node
cd ..

scene "mistakes in the command line"
for words in '' '-p' '-p -t x' '--batch x' '--batch --batch-check' '--batch -p' '-Z x' '--strict x' \
  '--batch-command --batch-all-objects' 'a b c' '--bogus x'; do
  # shellcheck disable=SC2086 # words
  run redo cat-node $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-cat-node"
done

scene "only regular files are objects: neither links nor pipes nor directories"
id=$(sed -n 7p ids)
path=.redo/objects/${id:7:2}/${id:9}
mv "$path" aside
ln -s "$PWD/aside" "$path"
run redo cat-node "$id"
expect_error 128 "not a regular file"
rm "$path"
mkfifo "$path"
run timeout 60 redo cat-node "$id"
expect_error 128 "not a regular file"
rm "$path"
mkdir "$path"
run redo cat-node "$id"
expect_error 128 "not a regular file"
