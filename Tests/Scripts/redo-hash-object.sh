#!/bin/bash
# redo hash-object: what an object is called, and the way into the store.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

a_node >node.json
ID=$(ids_of <node.json)

scene "the id of a node is printed; no store is needed and nothing is written"
run redo hash-object node.json
expect_status 0
expect_stdout "$ID"
expect_stderr ''
[ ! -e .redo ] || fail "a store was made" </dev/null

scene "spelling does not count: the id is that of the canonical body"
sed 's/,/ ,\n /g' node.json >spaced.json
run redo-hash-object node.json spaced.json
expect_status 0
expect_stdout "$ID
$ID"

scene "neither do id and signature; a node may come without them"
sed 's/"id":"[^"]*",//; s/"signature":"[^"]*",//' node.json >bare.json
run redo hash-object bare.json
expect_status 0
expect_stdout "$ID"

scene "--stdin reads one object, before the files that are named"
a_node 2 >second.json
run redo hash-object --stdin second.json <node.json
expect_status 0
expect_stdout "$ID
$(ids_of <second.json)"

scene "-t blob takes the bytes as they are"
printf 'any bytes\0at all' >bytes
run redo hash-object -t blob bytes
expect_status 0
expect_stdout "sha256:$(sha256sum <bytes | cut -d' ' -f1)"
run redo hash-object -t blob --stdin </dev/null
expect_stdout "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

scene "--stdin-paths: a path a line, an id a line"
printf '%s\n' node.json second.json node.json >paths
run redo hash-object --stdin-paths <paths
expect_status 0
expect_stdout "$ID
$(ids_of <second.json)
$ID"

scene "with -z the paths end in NUL, so that they may hold anything"
mkdir "odd
name"
cp node.json "odd
name/a b"
printf 'odd\nname/a b\0node.json\0' >paths
run redo hash-object --stdin-paths -z <paths
expect_status 0
expect_stdout "$ID
$ID"

scene "--stdin-paths answers at once: one path, one id, the input still open"
coproc HASH { redo hash-object --stdin-paths; }
at_exit "kill $HASH_PID"
for name in node.json second.json; do
  echo $name >&"${HASH[1]}"
  read -r -t 10 answer <&"${HASH[0]}" || fail "no answer" </dev/null
  expect_equal "$answer" "$(ids_of <$name)" "the answer"
done
pid=$HASH_PID
exec {HASH[1]}>&-
wait "$pid"
expect_equal $? 0 "the status at the end"

scene "--ndjson: a node a line"
run redo hash-object --ndjson <"$VECTORS/log/linear.ndjson"
expect_status 0
ids_of <"$VECTORS/log/linear.ndjson" >expected
expect_stdout_file expected

scene "every valid vector has the id of its table, every invalid one is refused by its rule"
cut -f 1,2,3,6 "$VECTORS/node/EXPECTED.tsv" | grep -v '^#' >table
grep '	valid	' table | cut -f 1 | sed "s|^|$VECTORS/node/|" >paths
grep '	valid	' table | cut -f 4 >expected
run redo hash-object --stdin-paths <paths
expect_status 0
expect_stdout_file expected
while IFS=$'\t' read -r file _ rule _; do
  # Signatures are looked at when something is written; the rest always.
  case $rule in signature-bad) continue ;; esac
  run redo hash-object "$VECTORS/node/$file"
  expect_status 1
  expect_stdout ''
  expect_stderr_has "error: '$VECTORS/node/$file': $rule"
done < <(grep '	invalid	' table)

scene "an id that is not the hash is refused; --explain shows both, and the bytes"
sed "s/$ID/sha256:$(printf '%064d' 7)/" node.json >wrong.json
run redo hash-object wrong.json
expect_error 1 "hash-mismatch"
expect_stderr_has "$ID"
run redo hash-object --explain wrong.json
expect_status 1
expect_stdout_has "stated   sha256:$(printf '%064d' 7)"
expect_stdout_has "computed $ID"
sed -n 's/^bytes    //p' "$OUT" | tr -d '\n' >body
expect_equal "sha256:$(sha256sum <body | cut -d' ' -f1)" "$ID" "the hash of the bytes shown"

scene "-w writes, and prints an id only once the object is there; writing again is no error"
make_store
run redo hash-object -w node.json
expect_status 0
expect_stdout "$ID"
expect_equal "$(objects)" 1 "objects"
run redo cat-node "$ID"
tr -d '\n' <node.json >expected
expect_stdout_file expected
run redo hash-object -w node.json
expect_status 0
expect_stdout "$ID"
expect_equal "$(objects)" 1 "objects"

scene "it moves no ref; --update-heads does, and takes what the node descends from along"
run redo log
expect_stdout ''
run redo hash-object -w --update-heads second.json
expect_status 0
run redo log --format='%(id)'
expect_stdout "$(ids_of <second.json)
$ID"

scene "--update-heads wants the parents here; without it they may come later"
a_node 4 >fourth.json
before=$(fingerprint)
run redo hash-object -w --update-heads fourth.json
expect_error 1 "parent-missing"
expect_untouched "$before"
run redo hash-object -w fourth.json
expect_status 0

scene "an object is a file of mode 0444 that any tool can audit"
path=.redo/objects/${ID:7:2}/${ID:9}
expect_equal "$(stat -c %a "$path")" 444 "the mode"
if command -v python3 >/dev/null; then
  cat >audit.py <<'END'
import hashlib, sys, zlib
header, _, body = zlib.decompress(open(sys.argv[1], "rb").read()).partition(b"\0")
print(header.decode().split()[0], len(body), "sha256:" + hashlib.sha256(body).hexdigest())
END
  run python3 audit.py "$path"
  expect_stdout "node $(wc -c <body) $ID"
else
  skip "python3 is missing"
fi

scene "blobs are written by -t blob"
run redo hash-object -w -t blob bytes
expect_status 0
run redo cat-node "sha256:$(sha256sum <bytes | cut -d' ' -f1)"
expect_stdout_file bytes

scene "--ndjson -w is all or nothing: one bad line, and nothing is written or printed"
make_store all-or-nothing
before=$(fingerprint)
run redo hash-object -w --ndjson <"$VECTORS/log/bad-lines.ndjson"
expect_status 1
expect_stdout ''
expect_untouched "$before"
head -3 "$VECTORS/log/linear.ndjson" >mixed.ndjson
sed -n 4p "$VECTORS/log/linear.ndjson" | sed 's/"signature":"./"signature":"x/' >>mixed.ndjson
run redo hash-object -w --ndjson <mixed.ndjson
expect_error 1 "'<stdin>', line '4': signature-form"
expect_untouched "$before"

scene "parents may stand anywhere in the input"
run redo hash-object -w --ndjson --update-heads <"$VECTORS/log/children-first.ndjson"
expect_status 0
ids_of <"$VECTORS/log/children-first.ndjson" >expected
expect_stdout_file expected
expect_clean
awk -F'\t' '$1 == "children-first.ndjson" && $2 == "head" { print $4 }' "$VECTORS/log/EXPECTED.tsv" | sort >heads
grep -h '^sha256:.* heads/' .redo/refs >found
sed -n 's/^+ \(sha256:[0-9a-f]*\) heads.*/\1/p' .redo/refs.journal >>found
cut -d' ' -f1 found | sort | comm -12 - heads | cmp -s - heads || fail "heads are missing" <found

scene "a line that stands twice is one node"
make_store ../twice
run redo hash-object -w --ndjson --update-heads <"$VECTORS/log/each-line-twice.ndjson"
expect_status 0
expect_equal "$(objects)" "$(ids_of <"$VECTORS/log/each-line-twice.ndjson" | sort -u | wc -l)" "objects"

scene "--batch-verdicts answers each line instead, and writes the good ones"
make_store ../verdicts
run redo hash-object -w --ndjson --batch-verdicts <"$VECTORS/log/bad-lines.ndjson"
expect_status 1
awk -F'\t' '$1 == "bad-lines.ndjson" && $2 == "letter" { split($4, word, " "); print word[1] }' \
  "$VECTORS/log/EXPECTED.tsv" >expected
cut -c1 "$OUT" >letters
cmp -s expected letters || fail "letters differ" < <(paste expected "$OUT")
expect_equal "$(objects)" "$(grep -c '^[GNE]' letters)" "objects"
expect_clean

scene "a signature that is present must be good to be written, or of a key that is not known"
make_store ../signatures
forged ../node.json >forged.json
before=$(fingerprint)
run redo hash-object -w forged.json
expect_error 1 "signature-bad"
expect_untouched "$before"
run redo hash-object -w ../bare.json
expect_status 0
expect_stdout "$ID"

scene "the table of signatures, in both orders: which of two signatures stays"
while IFS=$'\t' read -r first second outcome signature id; do
  make_store "$WORK/here/sign-${first%.first.ndjson}-$outcome"
  run redo hash-object -w --ndjson <"$VECTORS/sign/$first"
  expect_status 0
  run redo hash-object -w --ndjson <"$VECTORS/sign/$second"
  case $outcome in refused) expect_status 1 ;; *) expect_status 0 ;; esac
  run redo cat-node --format='%(signature)' "$id"
  expect_status 0
  echo "${signature#-}" >expected
  expect_stdout_file expected
  expect_clean
done < <(grep -v '^#' "$VECTORS/sign/EXPECTED.tsv")
cd "$WORK/here" || exit

scene "--profile=sync wants a good signature and parents, --profile=genesis more"
while IFS=$'\t' read -r file profile verdict rule _; do
  make_store "$WORK/here/profile-${file//\//-}"
  run redo hash-object -w --ndjson --profile="$profile" <"$VECTORS/profile/$file"
  if [ "$verdict" = valid ]; then
    expect_status 0
  else
    expect_status 1
    expect_stdout ''
    expect_stderr_has "$rule"
    expect_equal "$(objects)" 0 "objects"
  fi
done < <(grep -v '^#' "$VECTORS/profile/EXPECTED.tsv")
cd "$WORK/here" || exit

scene "mistakes in the command line"
for words in '' '--stdin-paths file' '--ndjson --stdin' '-z node.json' '--update-heads node.json' \
  '--batch-verdicts node.json' '-t' '-t tree node.json' '--profile=other node.json' '--ndjson -t blob' \
  '-w --update-heads -t blob node.json' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo hash-object $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "error: "
  expect_stderr_has "usage: redo-hash-object"
done

scene "-w without a store"
mkdir "$WORK/outside"
cp node.json "$WORK/outside"
cd "$WORK/outside" || exit
run redo hash-object -w node.json
expect_error 128 "not a redo repository (or any of the parent directories): .redo"
