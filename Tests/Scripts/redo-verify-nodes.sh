#!/bin/bash
# redo verify of nodes, one by one: ranges, a filter, and every reading of an id and a signature.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
redo log --format='%(id)' >ids
COUNT=$(wc -l <ids)
OLD=$(tail -3 ids | head -1) NEW=$(sed -n 2p ids)
NOTHING=sha256:$(printf '%064d' 7)

scene "ranges are the changes that redo log lists, in its order"
for words in "$OLD..$NEW" "^$OLD $NEW" "$OLD...$NEW" "^$OLD" "$NEW ^$OLD^0" "$OLD~1..$NEW"; do
  # shellcheck disable=SC2086 # words
  redo log --format='G %(id) body' $words >expected 2>"$ERR" || fail "redo log $words" <"$ERR"
  # shellcheck disable=SC2086
  run redo verify $words
  expect_status 0
  [ -s expected ] || fail "nothing is in '$words'" </dev/null
  expect_stdout_file expected
done

scene "an id alone is that node alone"
run redo verify "$NEW"
expect_stdout "G $NEW body"

scene "a range that names nothing is fatal; an end that is missing too"
run redo verify "$OLD..nonsense"
expect_error 128 "nonsense"
run redo verify "$OLD.."
expect_error 128 "lacks an end"

scene "a damaged node in a range does not hide the others"
redo log -n 1 >/dev/null # the index is there
middle=$(sed -n 4p ids)
path=.redo/objects/${middle:7:2}/${middle:9}
cp "$path" kept
chmod u+w "$path" && printf x | dd of="$path" bs=1 seek=40 conv=notrunc status=none
run redo verify "$OLD..$(head -1 ids)"
expect_status 1
expect_stdout_has "B $middle object-corrupt"
expect_equal "$(wc -l <"$OUT")" "$(redo log --format='%(id)' "$OLD..$(head -1 ids)" | wc -l)" "rows"

scene "--pass=good: a filter; what does not pass is an error, and the status 1"
run redo verify --all --pass=good
expect_status 1
sort ids | grep -vF "$middle" >expected
expect_stdout_file expected
expect_stderr "error: '$middle' does not pass: B object-corrupt"
cp -f kept "$path"
run redo verify --all --pass=good
expect_status 0
sort ids >expected
expect_stdout_file expected
expect_stderr ''

scene "--stdin --pass=good: from a log into cat-node, in the order of the input"
redo log --format='%(id)' | redo verify --stdin --pass=good | redo cat-node --batch='%(id)' >found
redo cat-node --batch='%(id)' <ids >expected
cmp -s expected found || fail "the pipe prints something else" < <(diff expected found)
{ head -2 ids && echo "$NOTHING" && echo nonsense && sed -n 3p ids; } >mixed
run redo verify --stdin --pass=good <mixed
expect_status 1
head -3 ids >expected
expect_stdout_file expected
expect_stderr "error: '$NOTHING' does not pass: B object-missing
error: 'nonsense' does not pass: B object-missing"

scene "-z: ids in and out end in NUL"
head -3 ids | tr '\n' '\0' >names
run redo verify -z --stdin --pass=good <names
expect_status 0
expect_stdout_file names

scene "--pass: ranges and names"
run redo verify --pass=good "$OLD..$NEW"
redo log --format='%(id)' "$OLD..$NEW" >expected
expect_stdout_file expected

scene "--pass with other letters"
cp "$VECTORS/log/linear.ndjson" signed
redo init -q other
a_node | sed 's/,"signature":"[0-9a-f]*"//' >unsigned
{ a_node 2 && cat unsigned; } >two
run redo -C other verify --ndjson --pass=N <two
expect_status 1
expect_stdout_file unsigned
expect_stderr "error: '$(a_node 2 | ids_of)' does not pass: G body"
run redo -C other verify --ndjson --pass=good,N <two
expect_status 0
expect_stdout_file two

scene "--ndjson --pass: lines pass byte for byte, white space and order of members too"
{
  printf ' \t%s  \r\n' "$(a_node)"
  a_node 2 | python3 -c 'import json, sys; print(json.dumps(dict(reversed(json.loads(sys.stdin.read()).items()))))'
  forged <(a_node 3)
  a_node 4
} >spelled
run redo verify --ndjson --pass=good <spelled
expect_status 1
sed 3d spelled >expected
expect_stdout_file expected
expect_equal "$(wc -l <"$ERR")" 1 "errors"
expect_stderr_has "does not pass: B signature-bad"

scene "--json --pass: the rows of what passes"
run redo verify --json --pass=good "$NEW" "$NOTHING"
expect_status 1
expect_stdout_lines 1
expect_stdout_has "\"id\":\"$NEW\""

scene "mistakes in the command line"
for words in '--pass --all' '--pass=bad --all' '--pass= --all' '--pass=G,,U --all' '--pass=G --explain --all' '--explain'; do
  # shellcheck disable=SC2086 # words
  run redo verify $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-verify"
done

# line <word>: what follows the word in the line that begins with it.
line() { sed -n "s/^$1 //p" "$OUT"; }

scene "--explain: a good node matches the protocol's recipe and no other"
run redo verify --explain "$NEW"
expect_status 0
expect_equal "$(line node)" "$NEW" "the node"
expect_equal "$(line verdict)" "G body" "the verdict"
expect_equal "$(line id)" "$(line hash)" "id and hash"
expect_equal "$(line canonical | tr -d '\n' | sha256sum | cut -d' ' -f1)" "${NEW#sha256:}" "the hash of the canonical body"
expect_equal "$(grep -c '^recipe matches' "$OUT")" 1 "recipes that match"
grep -q "^recipe matches $NEW [0-9]* body " "$OUT" || fail "another recipe matches" <"$OUT"
expect_equal "$(grep '^reading holds' "$OUT" | cut -d' ' -f3,4)" "accepted body" "what holds"
expect_equal "$(grep -c '^reading fails accepted digest 32 ' "$OUT")" 1 "the digest"

scene "--explain: every hash is that of its message, and every length that of it"
run redo verify --explain --json "$NEW"
python3 - "$OUT" <<'END' || fail "a reading is wrong" <"$OUT"
import hashlib, json, sys
node = json.load(open(sys.argv[1]))
assert len(node["recipes"]) > 20 and len(node["readings"]) >= 7
for reading in node["readings"]:
    message = bytes.fromhex(reading["messageHex"]) if "messageHex" in reading else reading["message"].encode()
    assert hashlib.sha256(message).hexdigest() == reading["sha256"], reading
    assert len(message) == reading["length"], reading
assert [r["name"] for r in node["readings"] if r["accepted"]] == ["body", "digest"]
assert [r["name"] for r in node["recipes"] if r["matches"]] == ["body"]
END
tr -d "\n" <"$OUT" >row
run redo canonicalize --check row
expect_status 0

scene "--explain: an id that is not the hash: both hashes, and the canonical JSON"
a_node | sed "s/sha256:[0-9a-f]*\(\",\"parents\)/$NOTHING\1/" >wrong
run redo verify --ndjson --explain <wrong
expect_status 1
expect_equal "$(line verdict)" "B hash-mismatch at /id" "the verdict"
expect_equal "$(line id)" "$NOTHING" "the id that it states"
expect_equal "$(line hash)" "$(a_node | ids_of)" "the hash"
line canonical | tr -d '\n' >canonical
run redo canonicalize --check canonical
expect_status 0
expect_equal "sha256:$(sha256sum <canonical | cut -d' ' -f1)" "$(a_node | ids_of)" "the hash of what is shown"

scene "--explain: the recipes of mistaken clients are found, and not accepted"
cat >mistakes.py <<'END'
import hashlib, json, sys
node = json.loads(sys.stdin.readline())
node["author"]["name"] = "Zoë a/b"
del node["id"], node["signature"]
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
def without(name): return {k: v for k, v in node.items() if k != name}
def swapped():
    data = {{"fields": "payload", "payload": "fields"}.get(k, k): v for k, v in node["data"].items()}
    return dict(node, data=data)
def seconds(): return dict(node, timestamp=dict(node["timestamp"], wall=node["timestamp"]["wall"][:19] + "Z"))
def shown(value, **options): return json.dumps(value, sort_keys=True, **options)
recipes = {
    "no-parents": canonical(without("parents")), "no-version": canonical(without("version")),
    "swapped-data": canonical(swapped()), "no-fraction": canonical(seconds()),
    "no-public-key": canonical(dict(node, author={k: v for k, v in node["author"].items() if k != "publicKey"})),
    "empty-id": canonical(dict(node, id="")), "empty-signature": canonical(dict(node, signature="")),
    "empty-both": canonical(dict(node, id="", signature="")), "null-signature": canonical(dict(node, signature=None)),
    "null-both": canonical(dict(node, id=None, signature=None)),
    "line-feed": canonical(node) + "\n", "spaces": shown(node, ensure_ascii=False), "spaces-ascii": shown(node),
    "ascii": json.dumps(node, sort_keys=True, separators=(",", ":")), "slashes": canonical(node).replace("/", "\\/"),
    "pretty-2": shown(node, indent=2, ensure_ascii=False), "pretty-4": shown(node, indent=4, ensure_ascii=False),
    "hashed-hex": hashlib.sha256(canonical(node).encode()).hexdigest(),
    "unsorted": json.dumps(dict(reversed(node.items())), separators=(",", ":"), ensure_ascii=False),
}
for name, text in recipes.items():
    given = dict(id="sha256:" + hashlib.sha256(text.encode()).hexdigest(), **dict(reversed(node.items())))
    print(name + "\t" + json.dumps(given, separators=(",", ":"), ensure_ascii=False))
# A number that RFC 8785 writes in another way, left as it was.
text = canonical(node).replace('"lamport":1', '"lamport":1.0')
given = text[:-1] + ',"id":"sha256:' + hashlib.sha256(text.encode()).hexdigest() + '"}'
print("raw-numbers\t" + given)
END
a_node | python3 mistakes.py >mistakes
found=0
while IFS=$'\t' read -r name text; do
  run redo verify --ndjson --explain <<<"$text"
  expect_status 1
  expect_equal "$(line verdict)" "B hash-mismatch at /id" "the verdict of '$name'"
  grep -q "^recipe matches $(line id) [0-9]* $name (" "$OUT" || fail "'$name' is not found" <"$OUT"
  expect_equal "$(grep -c '^recipe matches' "$OUT")" 1 "recipes that match"
  found=$((found + 1))
done <mistakes
expect_equal "$found" 20 "mistakes"

scene "--explain: members left in, and the bytes as they came"
a_node | python3 -c '
import hashlib, json, sys
node = json.loads(sys.stdin.readline())
for left in ("signature",):
    body = {k: v for k, v in node.items() if k != "id"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    node["id"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
print(json.dumps(node))' >left
run redo verify --ndjson --explain <left
grep -q '^recipe matches sha256:[0-9a-f]* [0-9]* with-signature ' "$OUT" || fail "it is not found" <"$OUT"

scene "--explain: what cannot be read has its verdict alone"
run redo verify --explain "$NOTHING" nonsense
expect_status 1
expect_stdout "node $NOTHING
verdict B object-missing

node nonsense
verdict B object-missing"
run redo verify --ndjson --explain <<<'{"a":'
expect_status 1
expect_stdout "node -
verdict B json-syntax at byte 5"

# A key whose signatures other software makes, of any message.
SEED=9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
PUBLIC=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
if ! printf '302e020100300506032b657004220420%s' $SEED | xxd -r -p 2>/dev/null | openssl pkey -inform DER -out key.pem 2>/dev/null; then
  scene "--explain: readings of signatures"
  skip "openssl or xxd is missing"
else
  # sign <file>: the signature of its bytes, in hex.
  sign() { openssl pkeyutl -sign -inkey key.pem -rawin -in "$1" | xxd -p -c 64 | tr -d '\n'; }
  a_node | sed "s/\"publicKey\":\"[0-9a-f]*\"/\"publicKey\":\"$PUBLIC\"/; s/\"userId\":\"[0-9a-f]*\"/\"userId\":\"${PUBLIC:0:32}\"/
    s/,\"signature\":\"[0-9a-f]*\"//; s/\"id\":\"[^\"]*\",//" >body
  tr -d '\n' <body >message
  HEX=$(sha256sum <message | cut -d' ' -f1)
  # signed <name>: the node with the signature of the file of that name.
  signed() { sed "s/\"parents\"/\"id\":\"sha256:$HEX\",&/; s/\"taskId\"/\"signature\":\"$(sign "$1")\",&/" body; }
  cp message body-text
  printf '%s' "$HEX" | xxd -r -p >digest
  printf 'sha256:%s' "$HEX" >id
  printf '%s' "$HEX" >hex-digest
  printf '%s' "$HEX" | tr a-f A-F >upper-hex-digest
  sed "s/\"parents\"/\"id\":\"sha256:$HEX\",&/" message >body-with-id
  cp body body-line-feed
  python3 -c 'import json; print(json.dumps(json.load(open("message")), sort_keys=True), end="")' >spaces
  openssl dgst -sha256 -binary spaces >spaces-digest

  for name in body digest; do
    scene "--explain: a signature over the $name holds and is accepted"
    file=$name
    [ $name = digest ] || file=body-text
    signed $file >given
    run redo verify --ndjson --explain <given
    expect_status 0
    expect_equal "$(line verdict)" "G $name" "the verdict"
    expect_equal "$(grep '^reading holds' "$OUT" | cut -d' ' -f3,4)" "accepted $name" "what holds"
  done
  for name in id hex-digest upper-hex-digest body-with-id body-line-feed spaces spaces-digest; do
    scene "--explain: a signature over '$name' holds, and is refused all the same"
    signed $name >given
    run redo verify --ndjson --explain <given
    expect_status 1
    expect_equal "$(line verdict)" "B signature-bad at /signature" "the verdict"
    expect_equal "$(grep '^reading holds' "$OUT" | cut -d' ' -f3,4,5,6)" \
      "refused $name $(stat -c %s $name) sha256:$(sha256sum <$name | cut -d' ' -f1)" "what holds"
    run redo import -q given
    expect_status 1
  done
fi

scene "a node signed by a key of small order, R of small order and S = 0, is bad: anybody could have made it"
# The encodings of the points of orders 1, 2, 4 and 8, then those that RFC 8032 does not allow.
cat >points <<'END'
0100000000000000000000000000000000000000000000000000000000000000
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
0000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000080
26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05
26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa
0100000000000000000000000000000000000000000000000000000000000080
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
END
expect_equal "$(sort -u points | wc -l)" 14 "points"
while read -r key; do
  for title in 1 2 3 4 5 6 7 8; do
    printf '{"action":"CREATE","author":{"deviceId":"d","publicKey":"%s","userId":"%s"},"data":{"fields":{"title":"%s"}},"parents":[],%s}\n' \
      "$key" "${key:0:32}" $title '"taskId":"7a000000-0000-4000-8000-000000000001","timestamp":{"lamport":1,"wall":"2025-03-01T08:00:00.000Z"},"version":1'
  done
done <points >bodies
: >forged
while read -r body; do
  id=$(printf '%s' "$body" | sha256sum | cut -d' ' -f1)
  for point in $(head -1 points) $(sed 's/.*"publicKey":"\([0-9a-f]*\)".*/\1/' <<<"$body"); do
    sed "s/\"parents\":\[\]/\"id\":\"sha256:$id\",&,\"signature\":\"$point$(printf '%064d' 0)\"/" <<<"$body" >>forged
  done
done <bodies
run redo verify --ndjson <forged
expect_status 1
expect_stdout_lines 224
expect_equal "$(cut -d' ' -f1,3 "$OUT" | sort -u)" "B signature-bad" "verdicts"
run redo import -q forged
expect_status 1
run redo verify --ndjson --pass=good <forged
expect_stdout ''
