#!/bin/bash
# Checkpoints, proofs and wipes of stores in which there are receipts beside nodes; other programs count and check with us.
. "$(dirname "${BASH_SOURCE[0]}")/checkpoint.bash"
own_copies

need_python "checkpoints, proofs and wipes with receipts" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
id_of() { redo cid -d "$(cid_of)" | cut -d' ' -f1; }
take() { redo -C "$1" hash-object -t receipt -w --update-heads --ndjson; }
# file_of <store> <id>: its loose file.
file_of() { echo "$1/.redo/objects/${2:7:2}/${2:9}"; }
# stated <kind> <lines>: the two lines that a checkpoint has of some lines of an export, by a program that shares no code with ours.
stated() {
  "$PYTHON" - "$@" <<'END'
import base64, hashlib, json, sys
import dag_cbor
kind, rows = sys.argv[1], [json.loads(line) for line in open(sys.argv[2])]
ids, parents = set(), set()
for row in rows:
    if kind == "node" and "cbor" not in row:
        ids.add(row["id"])
        parents.update(row["parents"])
    elif kind == "receipt" and "cbor" in row:
        content = base64.b64decode(row["cbor"])
        ids.add("sha256:" + hashlib.sha256(content).hexdigest())
        parent = dag_cbor.decode(content).get("parentCID")
        if parent:
            parents.add("sha256:" + base64.b32decode(parent[1:].upper() + "======")[4:].hex())
for word, some in [("objects", ids), ("heads", ids - parents)]:
    print(word, kind, len(some), hashlib.sha256("".join(f"{i}\n" for i in sorted(some)).encode()).hexdigest())
END
}

scene "a checkpoint of nodes alone says nothing of receipts; with receipts it states them, too"
make_signer owner
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
commit one two
redo checkpoint create -o ../nodes >/dev/null
cd .. || exit 1
expect_equal "$(grep -c '' nodes)" 11 "lines"
expect_equal "$(sed -n '8,9p' nodes | cut -d' ' -f1,2)" "objects node
heads node" "what is stated"
made --many=40 --seed=4 >many
take owner <many >/dev/null
redo -C owner show-ref --format='%(id) %(name)' >refs
run redo -C owner checkpoint create --ids="$PWD/ids"
expect_status 0
expect_stderr ''
cp "$OUT" note
redo -C owner export -q >nodes.ndjson
redo -C owner export -q --kind=receipt --include-precise >receipts.ndjson
cat receipts.ndjson nodes.ndjson >log.ndjson
NODES=$(wc -l <nodes.ndjson) RECEIPTS=$(wc -l <receipts.ndjson)
expect_equal "$(sed -n 2p note)" "$((NODES + RECEIPTS))" "the entries"
expect_equal "$(sed -n 3p note)" "$(leaves owner | root_of)" "the root"
expect_equal "$(sed -n 5p note)" "refs $(wc -l <refs) $(sha256sum <refs | cut -d' ' -f1)" "the refs"
expect_equal "$(sed -n '8,11p' note)" "$(stated node log.ndjson; stated receipt log.ndjson)" "what is stated"
grep -q "^sha256:[0-9a-f]* receipts/" refs || fail "there are no chains" <refs
expect_equal "$(redo -C owner checkpoint verify "$PWD/nodes" "$PWD/note" | cut -d' ' -f1)" "G
G" "letters"
run redo -C owner checkpoint list --json
expect_stdout_has '"kind":"receipt"'

scene "the list has both kinds, each with the hash that is stated"
expect_equal "$(grep -v receipt ids | cut -c1-71 | sha256sum | cut -d' ' -f1)" "$(sed -n 8p note | cut -d' ' -f4)" "nodes"
expect_equal "$(grep ' receipt' ids | cut -c1-71 | sha256sum | cut -d' ' -f1)" "$(sed -n 10p note | cut -d' ' -f4)" "receipts"
expect_equal "$(grep ' receipt head$' ids | cut -c1-71 | sha256sum | cut -d' ' -f1)" "$(sed -n 11p note | cut -d' ' -f4)" "heads of receipts"
sort -c ids || fail "not ascending" <ids
redo -C owner checkpoint create -n --ids="$PWD/ids" >/dev/null || fail "a list is not replaced" </dev/null

answer() { echo "complete node $NODES $NODES $(sed -n 9p note | cut -d' ' -f3) $(sed -n 9p note | cut -d' ' -f3)
complete receipt $RECEIPTS $RECEIPTS $(sed -n 11p note | cut -d' ' -f3) $(sed -n 11p note | cut -d' ' -f3)"; }
scene "every copy of the whole is complete: a store, its pack, lines of both kinds in any order"
redo init -q clone
redo -C clone import -q "$PWD/log.ndjson" >/dev/null
redo -C clone repack -q
shuf --random-source=<(yes "$SEED") log.ndjson >turned.ndjson
for copy in owner clone turned.ndjson -; do
  for list in "" --ids=ids; do
    # shellcheck disable=SC2086 # words
    run redo checkpoint verify note --of=$copy $list <log.ndjson
    expect_status 0
    expect_stdout "$(answer)"
  done
done

scene "what is missing of either kind is named, by its kind"
HEAD=$(grep -m1 ' receipt head$' ids | cut -c1-71)
INNER=$(grep -m1 ' receipt$' ids | cut -c1-71)
CHILDREN=$("$PYTHON" - "$INNER" <<'END'
import base64, hashlib, json, sys
import dag_cbor
cid = "b" + base64.b32encode(b"\x01\x71\x12\x20" + bytes.fromhex(sys.argv[1][7:])).decode().lower().rstrip("=")
found = []
for line in open("receipts.ndjson"):
    content = base64.b64decode(json.loads(line)["cbor"])
    if dag_cbor.decode(content).get("parentCID") == cid:
        found.append("sha256:" + hashlib.sha256(content).hexdigest())
print(*sorted(found))
END
)
without() { # <id>...: the lines of both kinds, but for these
  local pattern
  pattern=$(for id; do redo -C owner cat-node --format='%(cid)' "$id"; done)
  grep -vF "$pattern" log.ndjson
}
without "$HEAD" >headless.ndjson
run redo checkpoint verify note --of=headless.ndjson
expect_status 1
expect_equal "$(cut -d' ' -f1-4 "$OUT")" "complete node $NODES $NODES
incomplete receipt $RECEIPTS $((RECEIPTS - 1))" "the answers"
expect_stderr_has "hint: '--ids=<file>'"
run redo checkpoint verify note --of=headless.ndjson --ids=ids
expect_status 1
expect_equal "$(sed 1,2d "$OUT")" "missing head $HEAD" "what is missing"
run redo checkpoint verify --json note --of=headless.ndjson --ids=ids
expect_equal "$(sed 1,2d "$OUT")" "{\"id\":\"$HEAD\",\"kind\":\"receipt\",\"result\":\"missing\",\"what\":\"head\"}" "the row"
without "$INNER" >holed.ndjson
for list in "" --ids=ids; do
  # shellcheck disable=SC2086 # words
  run redo checkpoint verify note --of=holed.ndjson $list
  expect_status 1
  expect_equal "$(sed 1,2d "$OUT")" "missing parent $INNER $CHILDREN" "what is missing"
done
run redo checkpoint verify note --of=nodes.ndjson --ids=ids
expect_status 1
expect_equal "$(grep -c '^missing head ' "$OUT")" "$(grep -c ' receipt head$' ids)" "heads"
expect_equal "$(grep -c '^missing receipt ' "$OUT")" "$(grep -c ' receipt$' ids)" "others"
sed '1s/"cbor":"p/"cbor":"o/' receipts.ndjson >changed.ndjson
cat nodes.ndjson >>changed.ndjson
run redo checkpoint verify note --of=changed.ndjson
expect_status 1
expect_stderr_has "1 value is not a receipt"
made --text=later >later
cat later log.ndjson >grown.ndjson
run redo checkpoint verify note --of=grown.ndjson --ids=ids
expect_status 0
expect_equal "$(sed 1,2d "$OUT")" "added receipt $(id_of <later)" "what was added"
for list in "$(sed 's/ receipt//' ids)" "$(grep -v receipt ids)"; do
  run redo checkpoint verify note --of=log.ndjson --ids=- <<<"$list"
  expect_status 128
  expect_stderr_has "is not the list of ids that 'note' covers"
done
for word in blob receipts "receipt head head" "head receipt" "node"; do
  run redo checkpoint verify note --of=log.ndjson --ids=- <<<"$(sed -n 1p ids | cut -c1-71) $word"
  expect_error 128 "is no list of ids"
done

scene "a remote is asked for nodes alone, which is said"
redo init -q asker
redo -C asker import -q "$PWD/nodes.ndjson" >/dev/null
redo -C asker remote add home "$PWD/clone"
run redo -C asker checkpoint verify "$PWD/note" --of=home
expect_status 1
expect_equal "$(cut -d' ' -f1-2 "$OUT")" "complete node" "the answer"
expect_stderr_has "error: 'home' is a remote, and not asked about receipts: the checkpoint states $RECEIPTS"

scene "a receipt that is removed or damaged behind a checkpoint: verify names it, --of too, and nothing more is signed"
for damage in removed damaged; do
  rm -rf hurt
  cp -r owner hurt
  file=$(file_of hurt "$INNER")
  if [ $damage = removed ]; then
    rm -f "$file"
    rule=object-missing
  else
    chmod u+w "$file"
    printf '\377' | dd of="$file" bs=1 seek=60 conv=notrunc status=none
    rule=object-corrupt
  fi
  run redo -C hurt verify
  expect_status 1
  expect_stdout_has "error $rule $INNER"
  run redo -C hurt checkpoint verify "$PWD/note" --of="$PWD/hurt" --ids="$PWD/ids"
  expect_status 1
  expect_equal "$(grep "$INNER" "$OUT" | cut -d' ' -f1,2)" "missing $([ $damage = removed ] && echo parent || echo receipt)" "the row"
  [ $damage = removed ] || expect_stderr_has "1 receipt cannot be read"
  before=$(fingerprint hurt)
  run redo -C hurt checkpoint create
  expect_status 128
  expect_stdout ''
  expect_stderr_has "$INNER"
  expect_untouched "$before" hurt
done

scene "an older copy that is put back lacks entries, and is not signed; one with other receipts neither"
rm -rf older
cp -r owner older
take owner <later >/dev/null
redo -C owner checkpoint create -o "$PWD/last" >/dev/null
run redo -C older checkpoint verify "$PWD/last"
expect_status 1
expect_stdout_has "checkpoint-diverged of $((NODES + RECEIPTS + 1)) entries $((NODES + RECEIPTS)) are left, 1 are missing"
made --text=other | take older >/dev/null
run redo -C older checkpoint verify "$PWD/last"
expect_status 1
expect_stdout_has "entry $((NODES + RECEIPTS + 1)) is another"
run redo -C older checkpoint verify --of="$PWD/older" "$(redo -C older cat-node --format='%(cid)' "$INNER")"
expect_error 128 "is no checkpoint that holds: it is a receipt"

# check <file> [<letter>]: what redo says of a proof away from any store; the other program says the same.
check() {
  run env -C / redo verify --proof <"$1"
  expect_stdout_lines 1
  expect_equal "$(cut -c1 "$OUT")" "${2:-G}" "the letter of '$1', $(cat "$OUT" "$ERR")"
  expect_equal "$STATUS" "$([ "${2:-G}" = G ] && echo 0 || echo 1)" "the status"
  "$PYTHON" "$TESTS/Oracle/check_proof.py" --explain <"$1" >other
  expect_equal "$(cut -c1 other)" "${2:-G}" "the other program's letter of '$1', $(cat other)"
}

scene "a proof of a receipt: its bytes, its signature, the key of its device, when it was received"
CID=$(redo -C owner cat-node --format='%(cid)' "$INNER")
run redo -C owner prove "$CID"
expect_status 0
expect_stderr ''
cp "$OUT" proof
LINE=$(grep "$CID" receipts.ndjson)
time=$(leaves owner | grep "^${INNER#sha256:} " | cut -d' ' -f2)
index=$(($(leaves owner | grep -n "^${INNER#sha256:} " | cut -d: -f1) - 1))
expect_equal "$(sed -n '2s/extra //p' proof | base64 -d)" "{\"key\":\"$(made --key=ada)\",\"receipt\":{\"cbor\":\"$(sed 's/.*"cbor":"\([^"]*\)".*/\1/' <<<"$LINE")\",\"signature\":\"$(sed 's/.*"signature":"\([^"]*\)".*/\1/' <<<"$LINE")\"},\"received\":$time}" "the extra data"
expect_equal "$(sed -n 3p proof)" "index $index" "the index"
for name in "$INNER" "${INNER:7:12}"; do
  run redo -C owner prove "$name"
  expect_stdout_file proof
done
check proof
expect_stderr ''
KEY=$(redo -C owner key show --public)
expect_equal "$(cut -d' ' -f1-5,7,9 "$OUT")" "G $INNER body $index $(sed -n 2p last) redo/$(store_id owner) $KEY" "the row"
run redo verify --proof=proof --json --key="$KEY"
expect_status 0
expect_stdout_has "{\"author\":\"$(made --did-of=ada)\",\"authorKey\":\"$(made --key=ada)\",\"checkpoint\":"
expect_stdout_has "\"cid\":\"$CID\",\"form\":\"body\",\"id\":\"$INNER\",\"index\":$index,"
run redo verify --proof=proof --key="$(printf '%064d' 1)"
expect_status 1
expect_stdout_has "B $INNER key-untrusted"

scene "every receipt and every node of the history has one"
count=0
for id in $(cut -c1-71 ids) "$(id_of <later)"; do
  redo -C owner prove "$id" >one || fail "there is no proof of $id" </dev/null
  redo verify --proof=one >>rows || fail "it does not hold" <one
  mv one "one-$((count += 1))"
done
expect_equal "$(cut -c1 rows | sort | uniq -c | tr -d ' ')" "$(sed -n 2p last)G" "letters"
"$PYTHON" "$TESTS/Oracle/check_proof.py" one-* >others || fail "the other program differs" <others
expect_equal "$(sort others)" "$(cut -d' ' -f1,2 rows | sort)" "what the other program says"
run redo -C owner prove --checkpoint="$PWD/note" "$CID"
expect_status 0
cp "$OUT" earlier
check earlier
run redo -C owner prove --checkpoint="$PWD/note" "$(cid_of <later)"
expect_error 1 "'$(id_of <later)' was received after checkpoint"
run redo -C owner prove "$(made --text=nowhere | cid_of)"
expect_status 1
expect_stderr_has "is not in the history"
run redo -C owner prove --extends="$PWD/nodes"
expect_status 0
cp "$OUT" extends
check extends

scene "unsigned, without a known key, of an author whose name binds no key"
redo init -q varied
redo -C varied key generate >/dev/null 2>&1
made --unsigned --text=unsigned >unsigned
made --person=ben --text=stranger >stranger
made --person=eve --did=did:phone:1 --type=card >phone-card
made --person=eve --did=did:phone:1 --text=phoned >phoned
cat unsigned stranger phone-card phoned | take varied >/dev/null 2>&1
redo -C varied checkpoint create -o "$PWD/varied-note" >/dev/null
prove() { redo -C varied prove "$(cid_of <"$1")" >"$1.proof" || fail "there is no proof of '$1'" </dev/null; }
for name in unsigned stranger phoned; do prove $name; done
check unsigned.proof N
check stranger.proof E
check phoned.proof
expect_stderr "warning: 'did:phone:1' binds no key: that '$(made --key=eve)' is its key must be known from elsewhere"
echo "$(made --key=ben) device=$(made --did-of=ben)/D2" >varied/.redo/trust
redo -C varied config trust-store >/dev/null 2>&1
redo -C varied prove "$(cid_of <stranger)" >pinned
check pinned
expect_stderr ''

scene "a receipt that tells a precise place does not leave without --include-precise, and what follows it does"
PLACE=$(made --many=60 --seed=3 --precise | "$PYTHON" -c '
import base64, json, sys
import dag_cbor
for line in sys.stdin:
    if b"latitude" in base64.b64decode(json.loads(line)["cbor"]):
        print(line, end="")
        break')
BEHIND=$(made --type=edited --parent="$(cid_of <<<"$PLACE")" --root="$(cid_of <<<"$PLACE")" --text=behind)
printf '%s\n' "$(made --type=card)" "$PLACE" "$BEHIND" | take varied >/dev/null 2>&1
redo -C varied checkpoint create -o "$PWD/varied-note" >/dev/null 2>&1
for name in "$(cid_of <<<"$PLACE")" "$(id_of <<<"$PLACE")"; do
  run redo -C varied prove "$name"
  expect_status 1
  expect_stdout ''
  expect_stderr "error: receipt '$(cid_of <<<"$PLACE")' tells a precise place: it is proven only with '--include-precise'"
  run redo -C varied prove -o "$PWD/place.proof" "$name"
  expect_status 1
  [ ! -e place.proof ] || fail "it has left" <place.proof
done
run redo -C varied prove --include-precise "$(cid_of <<<"$PLACE")"
expect_status 0
cp "$OUT" place.proof
check place.proof
redo -C varied prove "$(cid_of <<<"$BEHIND")" >behind.proof
check behind.proof
sed -n '2s/extra //p' behind.proof | base64 -d | sed 's/.*"cbor":"\([^"]*\)".*/\1/' | base64 -d | grep -aq latitude && fail "a place left" </dev/null
run redo -C varied prove --include-precise --extends=x
expect_status 129

scene "a proof in which anything is changed is bad, or proves the same; both programs say so"
"$PYTHON" - proof <<'END'
import base64, json, random, sys
random.seed(4)
lines = open(sys.argv[1], "rb").read().split(b"\n")
value = json.loads(base64.b64decode(lines[1][6:]))
write = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
texts = []
for _ in range(60):
    text = bytearray(write(value))
    place = random.randrange(len(text))
    text[place] ^= 1 << random.randrange(7)
    texts.append(bytes(text))
cbor, signature = (base64.b64decode(value["receipt"][name]) for name in ("cbor", "signature"))
for _ in range(60):
    changed = bytearray(cbor)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    texts.append(write({**value, "receipt": {**value["receipt"], "cbor": base64.b64encode(bytes(changed)).decode()}}))
for at in (0, 31, 32, 63):
    changed = bytearray(signature)
    changed[at] ^= 1
    texts.append(write({**value, "receipt": {**value["receipt"], "signature": base64.b64encode(bytes(changed)).decode()}}))
texts += [write(change) for change in (
    {**value, "key": value["key"][::-1]}, {**value, "received": value["received"] + 1}, {**value, "node": {}},
    {**value, "receipt": {"cbor": value["receipt"]["cbor"]}}, {**value, "receipt": {**value["receipt"], "more": "x"}},
    {**value, "receipt": [value["receipt"]]}, {"receipt": value["receipt"]}, {"received": 1, "key": value["key"]})]
texts += [write(value)[:-1] + b" }", json.dumps(value).encode(), b""]
for number, text in enumerate(texts):
    open(f"changed-{number:03}", "wb").write(b"\n".join([lines[0], b"extra " + base64.b64encode(text), *lines[2:]]))
END
rm -f letters
for file in changed-*; do
  run redo verify --proof="$file"
  expect_status 1
  expect_stdout_lines 1
  cut -c1 "$OUT" >>letters
done
[ "$(wc -l <letters)" -gt 130 ] || fail "only so many: $(wc -l <letters)" </dev/null
"$PYTHON" "$TESTS/Oracle/check_proof.py" changed-* >others
cut -c1 others | diff letters - >"$OUT" || fail "the other program differs" <"$OUT"
expect_equal "$(sort -u letters)" B "letters"

# Ada's and Ben's receipts, some of which follow each other's, beside tasks; loose, packed and both.
seed_shared() {
  made --many=60 --seed=5
  made --type=card --person=ben
  local root edit
  root=$(made --text="of ada alone")
  echo "$root"
  edit=$(made --person=ben --type=edited --parent="$(cid_of <<<"$root")" --root="$(cid_of <<<"$root")" --text="ben on ada")
  echo "$edit"
  made --type=edited --parent="$(cid_of <<<"$edit")" --root="$(cid_of <<<"$root")" --text="ada on ben on ada"
  root=$(made --person=ben --text="of ben")
  echo "$root"
  edit=$(made --person=ben --type=edited --parent="$(cid_of <<<"$root")" --root="$(cid_of <<<"$root")" --text="ben again")
  echo "$edit"
  made --type=edited --parent="$(cid_of <<<"$edit")" --root="$(cid_of <<<"$root")" --text="ada on ben"
  made --person=ben --type=memory --text="$(cid_of <<<"$root")"
}
# gone_of <did> <lines>: the ids that go with an author, and what stays as lines, worked out from the bytes alone.
gone_of() {
  "$PYTHON" - "$@" <<'END'
import base64, hashlib, json, sys
import dag_cbor
did, rows = sys.argv[1], [json.loads(line) for line in open(sys.argv[2])]
cids = [base64.b64decode(row["cbor"]) for row in rows]
gone, receipts = set(), [(dag_cbor.decode(content), row) for content, row in zip(cids, rows)]
growing = True
while growing:
    growing = False
    for receipt, row in receipts:
        if row["cid"] not in gone and (receipt["did"] == did or receipt.get("parentCID") in gone):
            gone.add(row["cid"])
            growing = True
with open("goes", "w") as goes, open("stays", "w") as stays, open("texts", "w") as texts:
    for content, (receipt, row) in zip(cids, receipts):
        if row["cid"] in gone:
            print("sha256:" + hashlib.sha256(content).hexdigest(), row["cid"], receipt["did"], file=goes)
            print(dag_cbor.decode(receipt["payload"]).get("product_name", row["cid"]), file=texts)
        else:
            print(json.dumps(row, separators=(",", ":")), file=stays)
END
}
# traces <store> <ids and CIDs> <texts>: the files of a store in which one of them is, in whatever is inflated of them. What the
# reflog says of former heads is left out, as redo-wipe(1) says.
traces() {
  "$PYTHON" - "$@" <<'END'
import pathlib, sys, zlib
wanted = []
for line in open(sys.argv[2]):
    id, cid, _ = line.split()
    wanted += [id[7:].encode(), bytes.fromhex(id[7:]), cid.encode()]
for line in open(sys.argv[3]):
    wanted.append(line.strip().encode())
for path in sorted(pathlib.Path(sys.argv[1], ".redo").rglob("*")):
    if not path.is_file() or path.name == "reflog":
        continue
    data = path.read_bytes()
    texts = [data, str(path).replace("/", "").encode()]
    for start in range(len(data) - 1):
        if data[start] & 15 == 8 and data[start] >> 4 < 8 and (data[start] << 8 | data[start + 1]) % 31 == 0:
            try:
                texts.append(zlib.decompressobj().decompress(data[start:]))
            except zlib.error:
                pass
        elif start < 64 or data[start] & 7 in (4, 5):
            try:
                texts.append(zlib.decompressobj(-15).decompress(data[start:]))
            except zlib.error:
                pass
    if any(part in text for text in texts for part in wanted):
        print(path.relative_to(sys.argv[1]))
END
}
plain() { sed 's/,"received":[0-9]*//' "$@" | sort; }
ADA=$(made --did-of=ada)
scene "wipe -n: the receipts of an author and what follows them, by whomever; nothing changes"
seed_shared >shared
make_signer family
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
cd .. || exit 1
head -n 40 shared | take family >/dev/null 2>&1
redo -C family repack -q
sed 1,40d shared | take family >/dev/null 2>&1
redo -C family checkpoint create >/dev/null
redo -C family state >/dev/null
redo -C family export -q --kind=receipt --include-precise | plain >whole
redo -C family export -q >tasks
gone_of "$ADA" whole
GONE=$(wc -l <goes)
[ "$GONE" -gt 50 ] && [ "$(wc -l <stays)" -gt 3 ] || fail "too few go, or stay" <goes
grep -q "ben on ada" texts || fail "what follows is not among them" <texts
before=$(fingerprint family)
run redo -C family wipe -n --author="$ADA"
expect_status 0
expect_equal "$(cut -d' ' -f1-3 "$OUT" | sort)" "$(awk '{ print $1, $3, "receipt" }' goes | sort)" "rows"
expect_equal "$(awk -v ada="$ADA" '($2 == ada) != ($4 == "author")' "$OUT" | wc -l)" 0 "rows with another reason"
expect_stderr_has "would wipe $GONE receipts, $(grep -c ' descendant ' "$OUT") of them as descendants"
expect_stderr_has "warning: 1 checkpoint counts what is wiped"
expect_untouched "$before" family
run redo -C family wipe -n --json --author="$ADA"
expect_equal "$(grep -c '^{"because":"\(author\|descendant\)","cid":"bafyrei[^"]*","id":"sha256:[0-9a-f]*","kind":"receipt",' "$OUT")" "$GONE" "rows"
run redo -C family wipe --author="$ADA"
expect_error 1 "nothing is wiped without '--yes'"
run redo -C family wipe -n --author=did:buds
expect_status 129
expect_untouched "$before" family

scene "wipe --yes: they are gone, what stays is as it was, tasks to the byte, and heads are back where descendants went"
traces family goes texts >found
grep -q '\.pack$' found || fail "nothing is found in the pack" <found
expect_equal "$(grep -c '/objects/../' found)" "$(cut -d' ' -f1 goes | while read -r id; do ls "$(file_of family "$id")" 2>/dev/null; done | wc -l)" "loose ones that are found"
mkdir -p family/.redo/lost-found family/.redo/quarantine/x family/.redo/cache/x
cid=$(cut -d' ' -f2 goes | head -n 1)
for file in lost-found/cid quarantine/x/1 cache/x/1; do echo "of $cid" >"family/.redo/$file"; done
echo "of $ADA" >family/.redo/lost-found/did
id=$(sed -n 45p shared | id_of)
cp "$(file_of family "$id")" "family/.redo/lost-found/object-${id#sha256:}-20260102T030405678Z"
redo -C family update-ref tags/wiped "$(cut -d' ' -f1 goes | tail -n 1)"
run redo -C family wipe --yes --author="$ADA"
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT" | sort)" "$(cut -d' ' -f1 goes | sort)" "rows"
expect_stderr_has "wiped $GONE receipts"
redo -C family export -q --kind=receipt --include-precise | plain | diff <(sort stays) - >"$OUT" || fail "something else stays" <"$OUT"
redo -C family export -q | cmp -s tasks - || fail "the tasks have changed" </dev/null
expect_equal "$(traces family goes texts)" '' "traces"
expect_equal "$(ls family/.redo/lost-found)" '' "lost-found"
redo init -q apart
take apart <stays >/dev/null 2>&1
expect_equal "$(redo -C family show-ref | grep ' receipts/')" "$(redo -C apart show-ref | grep ' receipts/')" "heads"
expect_equal "$(redo -C family show-ref tags/)" '' "tags"
expect_equal "$(leaves family | wc -l)" "$(($(wc -l <tasks) + $(wc -l <stays)))" "entries"
run redo -C family checkpoint verify
expect_status 1
expect_stdout_has "says that it is a wipe"
redo -C family checkpoint create --new-log >/dev/null
run redo -C family verify
expect_status 0
expect_stdout_lacks error
run redo -C family wipe --yes --author="$ADA"
expect_stdout ''
expect_stderr 'wiped 0 changes'

scene "what comes again is as new as any other"
take family <whole >/dev/null 2>&1
redo -C family export -q --kind=receipt --include-precise | plain | cmp -s whole - || fail "another history" </dev/null

scene "a wipe of tasks leaves receipts alone, bit for bit, and names stay"
redo -C family repack -q --all
redo -C family show-ref | grep ' receipts/' >chains
sum() { for pack in family/.redo/objects/pack/*.pack; do [ "$(head -c 12 "$pack" | tail -c 1 | od -An -tu1 | tr -d ' ')" = 1 ] || sha256sum "$pack"; done; }
sum >packs
[ -s packs ] || fail "no pack of receipts" </dev/null
for user in $(redo -C family log --format='--author=%(author:userid)' | sort -u); do
  run redo -C family wipe -q --yes "$user"
  expect_status 0
done
expect_equal "$(redo -C family log)" '' "the log"
sum | cmp -s packs - || fail "the pack has changed" </dev/null
redo -C family show-ref | grep ' receipts/' | cmp -s chains - || fail "other heads" </dev/null
redo -C family export -q --kind=receipt --include-precise | plain | cmp -s whole - || fail "another history" </dev/null
run redo -C family wipe -q --yes --author="$(made --did-of=ben)" --author="$ADA"
expect_status 0
expect_equal "$(redo -C family show-ref | grep -c ' receipts/')" 0 "chains"
expect_equal "$(redo -C family export -q --kind=receipt)" '' "receipts"

scene "alternates are named; a chain that is not whole is not wiped; --all takes both kinds"
redo init -q layered
echo "$PWD/owner/.redo/objects" >layered/.redo/objects/info/alternates
take layered <receipts.ndjson >/dev/null 2>&1
run redo -C layered wipe --yes --author="$ADA"
expect_status 0
expect_stderr_has "warning: alternates have $((RECEIPTS + 1)) of these objects; they are only read, and keep them"
redo init -q broken
take broken <receipts.ndjson >/dev/null 2>&1
made --person=ben --type=edited --parent="$(redo -C owner cat-node --format='%(cid)' "${CHILDREN%% *}")" \
  --root="$(redo -C owner cat-node --format='%(root)' "$INNER")" | take broken >/dev/null 2>&1
rm -f "$(file_of broken "$INNER")"
before=$(fingerprint broken)
run redo -C broken wipe --yes --author="$(made --did-of=ben)"
expect_error 128 "the history is not whole: object '$INNER' is missing"
expect_untouched "$before" broken
run redo -C owner wipe --yes --all
expect_status 0
expect_stderr_has "wiped $NODES changes and $((RECEIPTS + 1)) receipts, and "
expect_equal "$(objects owner)" 0 "objects"

scene "what was noted about a wiped chain goes with it, and what was noted about others stays"
MEMORY='{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
redo init -q noted && redo -C noted key generate >/dev/null
MINE=$(redo -C noted receipt create <<<"$MEMORY")
take noted >/dev/null < <(made --type=card --person=eve && made --person=eve --text=theirs)
THEIRS=$(redo -C noted receipt list --did="$(made --did-of=eve)" --type=app.buds.session.created/v1 | cut -f1)
for cid in "$MINE" "$THEIRS"; do
  redo -C noted receipt mark --note="about $cid" "$cid"
  redo -C noted receipt place --at=1,2 "$cid" >/dev/null
done
redo -C noted local list >rows
run redo -C noted wipe -n --author="$(made --did-of=eve)"
expect_status 0
expect_stderr_has "2 rows of 'local' name what is wiped, and go as well"
expect_equal "$(redo -C noted local list | sha256sum)" "$(sha256sum <rows)" "rows after -n"
run redo -C noted wipe --yes --author="$(made --did-of=eve)"
expect_status 0
expect_equal "$(redo -C noted local list)" "$(grep -v "$THEIRS" rows)" "rows that are left"
grep -aq "$THEIRS" noted/.redo/local && fail "the file names it" </dev/null
expect_equal "$(stat -c %a noted/.redo/local)" 600 "its mode"
run redo -C noted verify
expect_stdout_lacks local
