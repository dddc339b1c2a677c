#!/bin/bash
# redo compare: what one copy of a history has and another one lacks, whatever each of them is.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo export -q --format=ndjson >log.ndjson
ids_of <log.ndjson | sort >ids
for form in json json.gz ndjson ndjson.gz; do redo export -q --format="${form%.gz}" -o "copy.$form" >/dev/null; done
redo archive create -q -o copy.redo >/dev/null
mkdir folder && sed -n '1,9p' log.ndjson >folder/one.ndjson && redo export -q -o folder/two.json >/dev/null
redo init -q ../other && redo -C ../other import -q "$WORK/here/log.ndjson" >/dev/null
COPIES=". .redo ../other copy.json copy.json.gz copy.ndjson copy.ndjson.gz copy.redo folder"

scene "every form of one history is the same as every other one"
for first in $COPIES; do
  for second in $COPIES; do
    run redo compare "$first" "$second"
    expect_status 0
    expect_stdout ''
    expect_stderr ''
  done
done
run redo compare --stat copy.json ../other
expect_stdout "< 0
> 0
! 0
= 18"
run redo compare - copy.redo <copy.json.gz
expect_status 0
cd "$WORK" && run redo compare here here/copy.json && expect_status 0 && cd here || exit 1

scene "what only one has: ascending by id, < of the first and > of the second"
{ sed -n '1,5p;8,18p' log.ndjson && sed -n 1p "$VECTORS/log/order.ndjson"; } >foreign.ndjson
ids_of <foreign.ndjson | sort >there
{ comm -23 ids there | sed 's/^/< /' && comm -13 ids there | sed 's/^/> /'; } | sort -k 2 >expected
expect_equal "$(wc -l <expected)" 3 "differences"
for copy in $COPIES; do
  run redo compare "$copy" foreign.ndjson
  expect_status 1
  expect_stdout_file expected
done
run redo compare foreign.ndjson copy.redo
expect_status 1
tr '<>' '><' <expected >turned
expect_stdout_file turned
run redo compare --json copy.json foreign.ndjson
sed 's/\(.\) \(.*\)/{"id":"\2","side":"\1"}/' expected | sort >rows
sort "$OUT" | cmp -s - rows || fail "the rows" <"$OUT"
run redo compare -z copy.json foreign.ndjson
expect_equal "$(tr '\0' '\n' <"$OUT")" "$(cat expected)" "rows that end in NUL"
run redo compare --stat --json copy.json foreign.ndjson
expect_stdout '{"first":2,"same":16,"second":1,"signature":0}'
run redo compare -q copy.json foreign.ndjson
expect_status 1
expect_stdout ''

scene "the same node with another signature, or none"
{ sed '1s/,"signature":"[0-9a-f]*"//' log.ndjson; } >bare.ndjson
run redo compare copy.redo bare.ndjson
expect_status 1
expect_stdout "! $(sed -n 1p log.ndjson | ids_of)"

scene "a copy that has also another signature of a node, or also none, is not equal, whichever comes first"
first=$(sed -n 1p log.ndjson | ids_of)
for also in "forged log.ndjson" "cat bare.ndjson"; do
  $also | sed -n 1p >also
  for order in "log.ndjson also" "also log.ndjson"; do
    # shellcheck disable=SC2086 # words
    cat $order >both.ndjson
    run redo compare copy.redo both.ndjson
    expect_status 1
    expect_stdout "! $first"
    run redo compare both.ndjson copy.json
    expect_status 1
    expect_stdout "! $first"
    run redo compare --stat --json both.ndjson log.ndjson
    expect_status 1
    expect_stdout '{"first":0,"same":17,"second":0,"signature":1}'
  done
done
cat log.ndjson log.ndjson >twice.ndjson
run redo compare copy.redo twice.ndjson
expect_status 0

scene "redo archive diff is the same: of two, or of one and the store"
run redo archive diff copy.redo
expect_status 0
run redo archive diff foreign.ndjson copy.redo
expect_status 1
expect_stdout_file turned
run redo archive diff foreign.ndjson
expect_status 1
expect_stdout_file turned

scene "what cannot be read is said, and does not count as there"
{ cat log.ndjson && echo '{"a":1}' && echo oops; } >more
run redo compare copy.redo more
expect_status 1
expect_stdout ''
expect_stderr_has "'more': 2 values are not changes"
sed '4s/"id":"sha256:[0-9a-f]*",//' log.ndjson >nameless
run redo compare copy.redo nameless
expect_status 1
expect_stdout "< $(sed -n 4p log.ndjson | ids_of)"
expect_stderr_has "'nameless': 1 value is not a change"
id=$(sed -n 7p log.ndjson | ids_of)
path=../other/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$path" && echo x >"$path"
run redo compare copy.redo ../other
expect_status 1
grep -qx "< $id" "$OUT" || fail "the damaged one is not named" <"$OUT"
expect_stderr_has "'../other': 1 change cannot be read"
rm -f "$path"
run redo compare copy.redo ../other
expect_status 1
grep -qx "< $id" "$OUT" || fail "the missing one is not named" <"$OUT"

scene "encrypted archives take keys; other forms are fatal"
printf 'correct horse battery staple\n' >phrase
redo archive create -q --passphrase-file=phrase -o sealed.redo >/dev/null
run redo compare --passphrase-file=phrase sealed.redo copy.json
expect_status 0
run redo compare sealed.redo copy.json
expect_status 77

scene "archives come out of pipes, too, encrypted and compressed ones as well"
run redo compare copy.redo - <copy.redo
expect_status 0
run sh -c 'cat sealed.redo | redo compare --passphrase-file=phrase - copy.json'
expect_status 0
run sh -c 'gzip -c copy.redo | redo compare . -'
expect_status 0
run sh -c 'head -c -1 copy.redo | redo compare - copy.json'
expect_error 128 "'<stdin>' is damaged"
run redo compare nowhere copy.json
expect_error 128 "nowhere"

scene "mistakes in the command line"
for words in "" "copy.json" "a b c" "- -" "--bogus a b" "--passphrase-file=- - copy.json" "-i - copy.json -"; do
  # shellcheck disable=SC2086 # words
  run redo compare $words </dev/null
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-compare"
done
