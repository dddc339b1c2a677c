#!/bin/bash
# redo canonicalize: JSON in, its RFC 8785 form out, every byte of it and none more.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scene "a filter: the canonical form comes out, without a line feed"
run redo canonicalize <<<'{ "b": 1.50, "a": "\u20ac" }'
expect_status 0
printf '{"a":"€","b":1.5}' >expected
expect_stdout_file expected
expect_stderr ''

scene "or of a file, and by its own name"
echo '[ 1e3 ]' >a.json
run redo-canonicalize a.json
expect_status 0
printf '[1000]' >expected
expect_stdout_file expected

scene "every valid vector, and its own form comes out unchanged"
for input in "$VECTORS"/json/valid/*.json; do
  run redo canonicalize "$input"
  expect_status 0
  expect_stdout_file "${input%.json}.canonical"
  run redo canonicalize "${input%.json}.canonical"
  expect_stdout_file "${input%.json}.canonical"
done

scene "every invalid vector is refused by the rule and at the byte that its table says"
while IFS=$'\t' read -r file verdict rule offset; do
  if [ "$verdict" != invalid ]; then continue; fi
  run redo canonicalize "$VECTORS/json/$file"
  expect_error 128 "$rule at byte $offset"
done < <(grep -v '^#' "$VECTORS/json/EXPECTED.tsv")

scene "--check prints nothing, and says by its status whether the input is canonical"
for input in "$VECTORS"/json/valid/*.canonical; do
  run redo canonicalize --check "$input"
  expect_status 0
  expect_stdout ''
done
run redo canonicalize --check a.json
expect_status 1
expect_stdout ''
expect_stderr ''
run redo canonicalize --check <<<'{'
expect_error 128 "json-syntax"

scene "--explain names the first difference and why"
explained() {
  run redo canonicalize --explain <<<"$1"
  expect_status 1
  expect_stdout "$2"
}
explained '[1, 2]' 'offset 3: white space between values'
explained '{"b":1,"a":2}' 'offset 2: the members of an object are not in order'
explained '[1.50]' "offset 4: the number '1.50' is written '1.5'"
explained '["\u0041"]' 'offset 2: the string "\u0041" is written "A"'
printf '[1,2]' >canonical
run redo canonicalize --explain canonical
expect_status 0
expect_stdout ''

scene "the later of --check and --explain cannot be guessed: both are a mistake"
run redo canonicalize --check --explain a.json
expect_status 129
expect_stderr_has "usage: redo-canonicalize"

scene "10 MB of [ is refused at the 513th"
head -c 10000000 /dev/zero | tr '\0' '[' >deep
run redo canonicalize deep
expect_error 128 "json-depth at byte 512"

scene "what is no file of JSON is one clear error"
head -c 100000 "$REDO_BIN" >binary
run redo canonicalize binary
expect_error 128 "at byte 0"
run redo canonicalize missing
expect_error 128 "'missing'"
run redo canonicalize .
expect_error 128 "'.' is a directory"
mkfifo pipe
run timeout 60 redo canonicalize pipe
expect_error 128 "'pipe' is a named pipe"
run redo canonicalize a.json a.json
expect_status 129
: >empty
run redo canonicalize empty
expect_error 128 "json-syntax at byte 0"

scene "bytes from the input never reach the terminal as they are"
printf '["\033[31m' >escape
run redo canonicalize escape
expect_error 128 "json-syntax"
! grep -q $'\033' "$ERR" || fail "an escape sequence in the message" <"$ERR"

scene "/dev/full is a failed write, and said so"
run sh -c 'redo canonicalize a.json >/dev/full'
expect_error 128 "write error"
