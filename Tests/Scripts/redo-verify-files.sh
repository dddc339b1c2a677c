#!/bin/bash
# redo verify of files: whatever redo import reads, judged where it lies; what is missing and what is only refused.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export DEMO_LOG=$DEMO
make_store
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo export -q >log.ndjson
ids_of <log.ndjson >ids
TAB=$'\t'

scene "a backup by redo export is good in every form, as a file, in a pipe, and without a store"
for form in json json.gz ndjson ndjson.gz; do redo export -q --format="${form%.gz}" -o "backup.$form" >/dev/null; done
redo archive create -q -o backup.redo >/dev/null
mkdir folder && cp backup.json folder/one.json && cp backup.redo folder/two.redo
mkdir "$WORK/bare"
for form in json json.gz ndjson ndjson.gz redo; do
  case $form in ndjson*) sign=: ;; *) sign='#' ;; esac
  for where in . "$WORK/bare"; do
    (cd "$where" && run redo verify --profile=sync "$WORK/here/backup.$form" && expect_status 0 && expect_stderr '') || exit 1
    (cd "$where" && redo verify --profile=sync "$WORK/here/backup.$form") | cut -d' ' -f1,2 | sort >found
    sort ids | sed 's/^/G /' | cmp -s - found || fail "backup.$form in '$where'" <found
  done
  run redo verify "backup.$form"
  expect_equal "$(head -1 "$OUT" | cut -f2)" "backup.${form}${sign}1" "the place in backup.$form"
  run redo verify - <"backup.$form"
  expect_status 0
  [ "$form" = redo ] || expect_equal "$(tail -1 "$OUT" | cut -f2)" "-$sign$(wc -l <ids)" "the place in standard input"
  cut -d' ' -f2 "$OUT" | cut -f1 | sort | cmp -s - <(sort ids) || fail "the nodes in standard input" <"$OUT"
  run redo verify --ndjson <"backup.$form"
  expect_status 0
  sed 's/.*/G & body/' ids >expected
  [ "$form" = redo ] || expect_stdout_file expected
  sort "$OUT" | cmp -s - <(sort expected) || fail "the lines of standard input" <"$OUT"
done
run redo verify folder
expect_status 0
expect_equal "$(wc -l <"$OUT")" "$((2 * $(wc -l <ids)))" "rows of a directory"
run redo verify --summary=form backup.json backup.redo
expect_stdout "$((2 * $(wc -l <ids))) $((2 * $(wc -l <ids))) 0 0 0 0 0 0 body"

scene "an encrypted archive takes the keys that redo import takes"
printf 'correct horse battery staple\n' >phrase
redo archive create -q --passphrase-file=phrase -o sealed.redo >/dev/null
run redo verify --passphrase-file=phrase sealed.redo
expect_status 0
expect_stdout_lines "$(wc -l <ids)"
run redo verify sealed.redo
expect_status 77
run redo verify --passphrase-file=phrase - <sealed.redo
expect_status 0
expect_stdout_lines "$(wc -l <ids)"
run redo verify --passphrase-file=- - <sealed.redo
expect_status 129
run redo verify --passphrase-file=- --ndjson <sealed.redo
expect_status 129

scene "an encrypted export is no archive: it is said how it is read"
redo age --passphrase-file=phrase -o export.age backup.json
run redo verify --passphrase-file=phrase export.age
expect_error 128 "'export.age' is encrypted in the form of age, and what it has is no archive"
expect_stderr_has "hint: 'redo age -d' decrypts it"
redo age -d --passphrase-file=phrase export.age | redo verify - >found || fail "the hint does not help" <found
expect_equal "$(wc -l <found)" "$(wc -l <ids)" "rows"

scene "a word is a revision first; a path that begins with ./ or / is a file"
id=$(sed -n 2p ids)
cp backup.json "${id:7:8}"
run redo verify "${id:7:8}"
expect_stdout "G $id body"
run redo verify "./${id:7:8}"
expect_stdout_lines "$(wc -l <ids)"
rm "${id:7:8}"
run redo verify backup.json "$id"
expect_status 129
run redo verify ./nowhere
expect_error 128 "nowhere"
run redo verify nowhere
expect_stdout "B nowhere object-missing"

scene "an empty input is said to be empty"
: >empty.json
run redo verify empty.json
expect_status 0
expect_stdout ''
expect_stderr "warning: 'empty.json' has no changes"
mkdir -p hollow/inner hollow/.hidden
run redo verify hollow
expect_status 0
expect_stderr "warning: 'hollow' has no changes"
cp empty.json hollow/inner
run redo verify hollow
expect_stderr "warning: 'hollow/inner/empty.json' has no changes"
redo init -q ../empty && redo -C ../empty export -q --format=car >empty.car
run redo verify empty.car
expect_status 0
expect_stderr "warning: 'empty.car' has no changes"
mkfifo pipe
run redo verify pipe
expect_error 128 "'pipe' is a named pipe, not a file"
expect_stderr_has "hint: '-' in its place is standard input, into which it can be piped"

scene "rows say file and line, and elements of an array their number; JSON has the members of input"
{ sed -n 1,2p log.ndjson && echo '{"a":' && echo && forged <(sed -n 3p log.ndjson) && echo nonsense && sed -n 4p log.ndjson; } >mixed
run redo verify mixed
expect_status 1
expect_stdout <<END
G $(sed -n 1p ids) body${TAB}mixed:1
G $(sed -n 2p ids) body${TAB}mixed:2
B - json-syntax at byte 5${TAB}mixed:3
B $(sed -n 3p ids) signature-bad at /signature${TAB}mixed:5
B - json-syntax at byte 1${TAB}mixed:6
G $(sed -n 4p ids) body${TAB}mixed:7
END
run redo verify --json mixed
sed -n 3p "$OUT" | grep -qF '"input":{"file":"mixed","line":3}' || fail "no place" <"$OUT"
run redo verify --json backup.json
sed -n 3p "$OUT" | grep -qF '"input":{"element":3,"file":"backup.json"}' || fail "no place" <"$OUT"
run redo verify --pass=good mixed
expect_status 1
sed -n '1,2p;4p' log.ndjson >expected
expect_stdout_file expected
expect_stderr_has "does not pass: B json-syntax at byte 5 (mixed:3)"
run redo verify --pass=good backup.json
expect_stdout_file log.ndjson

scene "an array that is cut off, or damaged inside: one row for the damage, and all that is left is judged"
head -c $(($(wc -c <backup.json) / 2)) backup.json >cut.json
run redo verify cut.json
expect_status 1
expect_equal "$(grep -vc ^G "$OUT")" 1 "rows that are not good"
tail -1 "$OUT" | grep -q "^B - json-syntax at byte [0-9]*${TAB}cut.json#" || fail "the end is not told" <"$OUT"
python3 - <<'END'
text = open("backup.json").read()
place = text.index('"signature"', len(text) // 3)
open("hurt.json", "w").write(text[:place] + '"sig"na"' + text[place + 5:])
lines = open("log.ndjson").read().splitlines()
open("commas.json", "w").write("[" + lines[0] + " " + ",".join(lines[1:]) + "]")
open("behind.json", "w").write("[" + ",".join(lines) + "] more\n")
END
run redo verify hurt.json
expect_status 1
expect_equal "$(grep -c ^G "$OUT")" "$(($(wc -l <ids) - 1))" "good nodes"
expect_equal "$(grep -vc ^G "$OUT")" 1 "rows that are not good"
for name in commas behind; do
  run redo verify $name.json
  expect_status 1
  expect_equal "$(grep -c ^G "$OUT")" "$(wc -l <ids)" "good nodes of $name.json"
  expect_equal "$(grep -c '^B - json-' "$OUT")" 1 "rows of damage of $name.json"
done

scene "brackets and commas that no array has are damage, and so is what follows an array, whatever it is"
{ sed -n 1p log.ndjson && echo '],],' && sed -n 2p log.ndjson && echo , && sed -n 3p log.ndjson && echo ]; } >brackets
run redo verify brackets
expect_status 1
expect_stdout <<END
G $(sed -n 1p ids) body${TAB}brackets:1
B - json-syntax at byte 0${TAB}brackets:2
G $(sed -n 2p ids) body${TAB}brackets:3
B - json-syntax at byte 0${TAB}brackets:4
G $(sed -n 3p ids) body${TAB}brackets:5
B - json-syntax at byte 0${TAB}brackets:6
END
run redo -C ../empty import -q "$PWD/brackets"
expect_error 128 "json-syntax"
for space in ' ' '' $'\n'; do
  printf '[%s]%s%s\n%s\n' "$(sed -n 1p log.ndjson)" "$space" "$(sed -n 2p log.ndjson)" "$(sed -n 3p log.ndjson)" >behind
  run redo verify behind
  expect_status 1
  expect_stdout <<END
G $(sed -n 1p ids) body${TAB}behind#1
B - json-syntax at byte 0${TAB}behind#2
G $(sed -n 2p ids) body${TAB}behind#3
G $(sed -n 3p ids) body${TAB}behind#4
END
  sed -n 1,3p log.ndjson >three
  run redo compare behind three
  expect_status 1
  expect_stderr_has "1 value is not a change"
done

scene "every block of a CAR file has the hash that its CID says, signatures, too, and the header counts its roots"
redo export -q --format=car -o log.car >/dev/null
python3 - <<'END'
data = open("log.car", "rb").read()
place = data.index(b'"signature":"', data.index(b'{"id":"')) + len(b'"signature":"')
other = bytearray(data)
other[place] = ord("1") if data[place] == ord("0") else ord("0")
open("signature.car", "wb").write(other)
# The CID of the first block becomes that of other bytes.
other = bytearray(data)
other[data.index(b'{"action"') - 1] ^= 1
open("body.car", "wb").write(other)
other = bytearray(data)
other[data.index(b"roots") + 5] += 1
open("roots.car", "wb").write(other)
END
run redo verify signature.car
expect_status 1
expect_equal "$(grep -c ^G "$OUT")" $(($(wc -l <ids) - 1)) "good nodes"
expect_equal "$(grep -c '^N ' "$OUT")" 1 "nodes without a signature"
expect_equal "$(grep -c ^B "$OUT")" 1 "blocks that are not what they say"
run redo compare signature.car log.ndjson
expect_status 1
expect_equal "$(cut -c1-2 "$OUT")" "! " "the node that has lost its signature"
run redo verify body.car
expect_status 1
expect_equal "$(grep -vc ^G "$OUT")" 2 "rows that are not good: of the node, and of the signature of another one"
for name in signature body roots; do
  rm -rf ../bad && redo init -q ../bad
  run redo -C ../bad import -q "$PWD/$name.car"
  expect_error 128 "/$name.car' is damaged, or no CAR file of changes"
done
run redo verify roots.car
expect_error 128 "'roots.car' is damaged, or no CAR file of changes"

scene "values over several lines are values, too"
python3 -c '
import json
for line in open("log.ndjson"): print(json.dumps(json.loads(line), indent=2))' >pretty
run redo verify pretty
expect_status 0
expect_stdout_lines "$(wc -l <ids)"
expect_equal "$(sed -n 1p "$OUT" | cut -f2)" "pretty:1" "the first line"
sed -n 2p "$OUT" | grep -qE "pretty:[0-9]{2}$" || fail "the second value" <"$OUT"

scene "other forms are refused by name, and end it"
printf '\x1f\x8b\x08garbage' >bad.gz
run redo verify bad.gz
expect_status 128
run redo verify --proof --missing
expect_status 129

# A log in any order from which a node and a leaf were taken, and in which a node is not signed.
python3 - <<'END'
import gzip, json, os, random
demo = os.environ["DEMO_LOG"]
nodes = [json.loads(line) for line in gzip.open(demo)]
children = {}
for node in nodes:
    for parent in node["parents"]:
        children.setdefault(parent, []).append(node)
inner = [n for n in nodes if "signature" in n and n["parents"] and len(children.get(n["id"], [])) == 1]
gone, bare = inner[100], inner[400]
leaf = [n for n in nodes if n["id"] not in children][7]
left = [n for n in nodes if n is not gone and n is not leaf]
del bare["signature"]

def below(start):
    found, pending = [], list(start)
    while pending:
        node = pending.pop()
        if node["id"] not in {n["id"] for n in found}:
            found.append(node)
            pending += children.get(node["id"], [])
    return found

ids = {n["id"] for n in left}
unsigned = {n["id"] for n in left if "signature" not in n}
missing = {n["id"] for n in left if n["id"] not in unsigned and any(p not in ids for p in n["parents"])}
refused = {n["id"] for n in below([c for u in [n for n in left if n["id"] in unsigned | missing] for c in children.get(u["id"], [])])}
refused -= unsigned | missing
assert len(refused) > 3 and missing
random.Random(1).shuffle(left)
with open("foreign.ndjson", "w") as file:
    for node in left:
        print(json.dumps(node), file=file)
for name, some in [("unsigned", unsigned), ("missing", missing), ("refused", refused)]:
    open(name, "w").write("".join(f"{i}\n" for i in sorted(some)))
open("lost", "w").write(gone["id"] + "\n")
END

scene "a foreign log: missing are those whose parents are nowhere, refused those whose parents are there and refused"
run redo -C "$WORK/bare" verify --profile=sync "$WORK/here/foreign.ndjson"
expect_status 1
for pair in "N signature-missing unsigned" "B parent-missing missing" "B parent-refused refused"; do
  read -r letter rule name <<<"$pair"
  awk -v "l=$letter" -v "r=$rule" '$1 == l && $3 == r { print $2 }' "$OUT" | sort >found
  cmp -s "$name" found || fail "'$rule' is said of others" < <(diff "$name" found)
done
grep "parent-missing" "$OUT" | grep -q " $(cat lost)$TAB" || fail "the missing parent is not named" <"$OUT"
grep -c ^G "$OUT" >found
expect_equal "$(cat found)" "$((10012 - 2 - $(cat unsigned missing refused | wc -l)))" "good nodes"

scene "--missing lists each missing id and who names it, of files, lines and the store"
run redo verify --missing foreign.ndjson
expect_status 1
expect_stdout "missing node $(cat lost) $(paste -sd' ' missing)"
run redo verify --missing --json foreign.ndjson
expect_stdout "{\"by\":[$(sed 's/.*/"&"/' missing | paste -sd,)],\"id\":\"$(cat lost)\",\"kind\":\"node\"}"
run redo verify --missing -z foreign.ndjson
expect_equal "$(tr '\0' '\n' <"$OUT")" "missing node $(cat lost) $(paste -sd' ' missing)" "the row"
run redo verify --missing --ndjson <foreign.ndjson
expect_status 1
expect_stdout_lines 1
run redo verify --missing backup.json
expect_status 0
expect_stdout ''
expect_stderr ''
run redo verify --missing mixed
expect_status 1
expect_stderr_has "2 values are not changes"
run redo verify --missing
expect_status 0
expect_stdout ''
middle=$(sed -n 4p ids)
mv ".redo/objects/${middle:7:2}/${middle:9}" kept
run redo verify --missing
expect_status 1
grep -q "^missing node $middle sha256:[0-9a-f]* received$" "$OUT" || fail "the store" <"$OUT"
mv kept ".redo/objects/${middle:7:2}/${middle:9}"
tip=$(redo show-ref | sed -n 's,^\(sha256:[0-9a-f]*\) heads/.*,\1,p' | head -1)
path=.redo/objects/${tip:7:2}/${tip:9}
cp "$path" kept && chmod u+w "$path" && echo x >"$path"
run redo verify --missing
expect_status 1
expect_stderr_has "1 change cannot be read"
cp -f kept "$path"

scene "an increment is whole only together with what it stands on"
redo -c archive.after=0s archive create -q --before=2100-01-01 -o full.redo >/dev/null
run redo verify --profile=sync full.redo
expect_status 0
sed -n '5,$p' log.ndjson >late
sed -n '1,4p' log.ndjson >early
run redo verify --missing late
expect_status 1
run redo verify --missing late early
expect_status 0
run redo verify --profile=sync late early
expect_status 0
expect_equal "$(cut -d' ' -f1,2 "$OUT" | sort)" "$(sort ids | sed 's/^/G /')" "good nodes"

scene "--ndjson also looks in the store, as an import would"
run redo verify --profile=sync --ndjson <late
expect_status 0
run redo verify --profile=sync late
expect_status 1
expect_stdout_has "parent-missing"

scene "mistakes in the command line"
for words in '--missing --all' '--missing --profile=sync' '--missing --ndjson x' '--missing --summary=form' 'backup.json --all'; do
  # shellcheck disable=SC2086 # words
  run redo verify $words </dev/null
  expect_status 129
  expect_stdout ''
done
