#!/bin/bash
# redo verify: who signed what, and whether every byte is what its name says.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

LOG=$VECTORS/log/linear.ndjson
ids_of <"$LOG" >ids

scene "--ndjson: nodes from anywhere; no store is needed; a line for each, in their order"
run redo verify --ndjson <"$LOG"
expect_status 0
sed 's/.*/G & body/' ids >expected
expect_stdout_file expected
expect_stderr ''

scene "anything but G makes the status 1; a line without a node has no id"
run redo-verify --ndjson <"$VECTORS/log/bad-lines.ndjson"
expect_status 1
awk -F'\t' '$1 == "bad-lines.ndjson" && $2 == "letter" { print $4 }' "$VECTORS/log/EXPECTED.tsv" >expected
awk '{ print $1, $3 }' "$OUT" >found
cmp -s expected found || fail "verdicts differ" < <(diff expected found)
grep -q '^B - json-syntax at byte ' "$OUT" || fail "no id is not '-'" <"$OUT"

scene "every log of the vectors has the letters of its table"
for file in $(grep -v '^#' "$VECTORS/log/EXPECTED.tsv" | awk -F'\t' '$2 == "letter" { print $1 }' | sort -u); do
  run redo verify --ndjson <"$VECTORS/log/$file"
  awk -F'\t' -v "file=$file" '$1 == file && $2 == "letter" { print substr($4, 1, 1) }' \
    "$VECTORS/log/EXPECTED.tsv" >expected
  cut -c1 "$OUT" >found
  cmp -s expected found || fail "letters of '$file' differ" < <(paste expected "$OUT")
  if grep -qv G expected; then expect_status 1; else expect_status 0; fi
done

scene "every node of the vectors: letter, rule and place"
while IFS=$'\t' read -r file _ rule pointer _ id letter form _; do
  run redo verify --ndjson <"$VECTORS/node/$file"
  case $file in *--10-mb* | *spelling*) continue ;; esac
  if [ "$(wc -l <"$OUT")" -ne 1 ]; then continue; fi # spread over lines
  case $file in *id-absent*) expect_stdout 'B - member-missing at /id' && continue ;; esac
  case $letter in
  G) expect_stdout "G $id $form" ;;
  N) expect_stdout "N $id signature-missing" ;;
  E) expect_stdout "E $id key-unknown" ;;
  B) expect_stdout_has " $rule" ;;
  esac
done < <(grep -v '^#' "$VECTORS/node/EXPECTED.tsv")

scene "a forged signature, an id that is not the hash"
forged <(a_node) >forged.ndjson
run redo verify --ndjson <forged.ndjson
expect_status 1
expect_stdout_has "B $(head -1 ids) signature-bad"
a_node | sed "s/sha256:[0-9a-f]*\(\",\"parents\)/sha256:$(printf '%064d' 7)\1/" >wrong.ndjson
run redo verify --ndjson <wrong.ndjson
expect_status 1
expect_stdout_has "B sha256:$(printf '%064d' 7) hash-mismatch"

scene "ids of a store, in the order asked"
make_store
redo import -q "$LOG" >/dev/null
tac ids >turned
run redo verify $(cat turned)
expect_status 0
sed 's/.*/G & body/' turned >expected
expect_stdout_file expected
run redo verify --stdin <turned
expect_stdout_file expected

scene "what is not there is B"
run redo verify "sha256:$(printf '%064d' 0)" nonsense "$(head -1 ids)"
expect_status 1
expect_stdout <<END
B sha256:$(printf '%064d' 0) object-missing
B nonsense object-missing
G $(head -1 ids) body
END

scene "--stdin answers at once: one id, one verdict, the input still open"
coproc VERIFY { redo verify --stdin; }
at_exit "kill $VERIFY_PID"
for id in $(head -2 ids); do
  echo "$id" >&"${VERIFY[1]}"
  read -r -t 10 answer <&"${VERIFY[0]}" || fail "no answer" </dev/null
  expect_equal "$answer" "G $id body" "the answer"
done
pid=$VERIFY_PID
exec {VERIFY[1]}>&-
wait "$pid"
expect_equal $? 0 "the status at the end"

scene "--all: every node of the store, ascending; blobs are none"
echo blob | redo hash-object -w -t blob --stdin >/dev/null
run redo verify --all
expect_status 0
sort ids | sed 's/.*/G & body/' >expected
expect_stdout_file expected

scene "--json: a row as canonical JSON"
run redo verify --json --all
expect_status 0
head -1 "$OUT" | tr -d '\n' >row
run redo canonicalize --check row
expect_status 0
grep -q '"form":"body","id":"sha256:.*"letter":"G"' row || fail "the row" <row
cd "$WORK/here" && run redo verify --ndjson --json <forged.ndjson
expect_status 1
expect_stdout_has '"letter":"B"'
expect_stdout_has '"rule":"signature-bad"'
sed -n 2p "$VECTORS/log/bad-lines.ndjson" >bad
run redo verify --ndjson --json <bad
expect_stdout_has '"rule":"json-syntax"'
expect_stdout_has '"offset":'

scene "-z: rows end in NUL, and so do the ids of --stdin"
head -2 ids | tr '\n' '\0' >names
run redo verify -z --stdin <names
expect_status 0
head -2 ids | sed 's/.*/G & body/' | tr '\n' '\0' >expected
expect_stdout_file expected

scene "a damaged object is B, and the others are judged all the same"
id=$(sed -n 4p ids)
path=.redo/objects/${id:7:2}/${id:9}
cp "$path" kept
chmod u+w "$path"
head -c 100 kept >"$path"
run redo verify --all
expect_status 1
grep -q "^B $id object-corrupt" "$OUT" || fail "it is not found" <"$OUT"
expect_equal "$(grep -c ^G "$OUT")" 17 "good nodes"
cp kept "$path"

scene "another object's bytes under this name"
other=$(sed -n 5p ids)
cp -f ".redo/objects/${other:7:2}/${other:9}" "$path"
run redo verify "$id"
expect_status 1
expect_stdout_has "B $id object-corrupt"
cp -f kept "$path"

scene "--profile=sync and --profile=genesis ask for more; keys of a store that is near would count, so there is none"
while IFS=$'\t' read -r file profile verdict rule _ id; do
  run redo -C "$WORK" verify --ndjson --profile="$profile" <"$VECTORS/profile/$file"
  if [ "$verdict" = valid ]; then
    expect_status 0
  else
    expect_status 1
    grep -q "^[BNE] $id $rule" "$OUT" || fail "'$rule' is not found in '$file'" <"$OUT"
  fi
done < <(grep -v '^#' "$VECTORS/profile/EXPECTED.tsv")
run redo verify --ndjson --profile=sync <"$VECTORS/log/unsigned.ndjson"
expect_status 1

scene "many nodes come out in the order they came in"
gzip -dc "$DEMO" >demo.ndjson
run redo verify --ndjson <demo.ndjson
expect_status 1 # twelve are not signed
cut -d' ' -f2 "$OUT" >found
ids_of <demo.ndjson | cmp -s - found || fail "the order differs" </dev/null
expect_equal "$(grep -c '^N ' "$OUT")" 12 "unsigned nodes"
expect_equal "$(grep -c '^G ' "$OUT")" 10000 "good nodes"

scene "mistakes in the command line"
for words in '--all x' '--all --stdin' '--ndjson x' '--profile=other --all' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo verify $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-verify"
done
