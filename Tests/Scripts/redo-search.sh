#!/bin/bash
# Receipts and tasks by the words in them: which are found, in which order, and what is refused.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ ! -x "$(dirname "$REDO_BIN")/redo-index-sqlite" ]; then
  scene "the words of receipts and tasks"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
# memory <product> <notes> [<strain>]: a session; prints its CID.
memory() {
  local strain=${3:+,\"strain_name\":\"$3\"}
  redo receipt create --at=2025-03-01T08:00:00Z \
    <<<"{\"product_name\":\"$1\",\"product_type\":\"flower\",\"rating\":4,\"effects\":[],\"notes\":\"$2\"$strain}"
}
# expect_found <cid>...: these, in this order.
expect_found() {
  expect_status 0
  expect_equal "$(cut -f1 "$OUT" | tr '\n' ' ')" "${*:+$* }" "what is found"
}
make_store
redo key generate >/dev/null
RAIN=$(memory 'Blue Dream' 'we watched the rain')
DREAMS=$(memory 'Sour Diesel' 'dreamed of dreams, and of caf\u00e9s' 'Gelato')
TASK=$(redo commit create --title='Water the plants' --description='all cacti but one' 2>&1 | grep -o '[0-9a-f-]\{36\}' | head -1)
redo commit -q create-todo --task="$TASK" --title=kitchen --notes='the fern drinks most' >/dev/null
redo commit -q create --title='Call the plant doctor' >/dev/null

scene "a word is found in each of its forms, whatever the case and without accents"
run redo search DREAMING rain
expect_found "$RAIN"
run redo search dreams snow
expect_found
run redo search rained
expect_found "$RAIN"
run redo search cafe
expect_found "$DREAMS"
run redo search gelatos
expect_found "$DREAMS"
run redo search watch the blue
expect_found "$RAIN"

scene "the best comes first: it has the words more often"
run redo search dream
expect_found "$DREAMS" "$RAIN"
run redo search --limit=1 dream
expect_found "$DREAMS"
run redo search --limit=0 dream
expect_stdout ''

scene "the place, the receipt that is shown, and no chain that was deleted or put away"
redo receipt place --at=37.774929,-122.419416 --name='Dolores Park' "$RAIN" >/dev/null
run redo search park
expect_found "$RAIN"
EDIT=$(redo receipt edit "$RAIN" <<<'{"product_name":"Blue Dream","product_type":"flower","rating":2,"effects":[],"notes":"it snowed"}')
run redo search rain
expect_found
run redo search snow
expect_found "$EDIT"
redo local put <<<"{\"table\":\"local_receipts\",\"key\":\"$RAIN\",\"row\":null}" >/dev/null
run redo search snow
expect_found
redo receipt mark --note=back "$RAIN"
run redo search snow
expect_found "$EDIT"
redo receipt delete "$RAIN" >/dev/null
run redo search snow
expect_found

scene "tasks, by title, description and the notes of their todos"
run redo search --tasks plants
expect_status 0
expect_stdout_lines 2
run redo search --tasks cactus cacti
expect_stdout ''
run redo search --tasks cacti fern
expect_stdout_lines 1
expect_equal "$(cut -f1-4 "$OUT")" "$TASK	Water the plants	all cacti but one	0" "the row"
run redo search --tasks --json fern
expect_stdout_has '{"archived":0,"description":"all cacti but one","guid":"'"$TASK"'","rank":-'
redo commit -q delete --task="$TASK" >/dev/null
run redo search --tasks fern
expect_stdout ''

scene "words are words, unless they are to be syntax"
QUOTES=$(memory 'NOT' 'blue AND \"red\" OR it'"'"'s * semi;colon')
for words in 'AND' 'NOT' '*' "it's" '"red"' 'semi;colon' 'NOT blue' '-- blue'; do
  run redo search -- "$words"
  expect_status 0
done
run redo search 'NOT' 'blue'
expect_found "$QUOTES"
run redo search --fts 'snow OR gel*'
expect_found "$DREAMS"
run redo search --fts 'notes : dream'
expect_found "$DREAMS"
run redo search --fts 'product_name : dream'
expect_found
run redo search --fts 'AND'
expect_error 1 "the question is not understood: fts5: syntax error"

scene "nothing found is no error; too much, or nothing asked, is"
run redo search nowhere-at-all
expect_status 0
expect_stdout ''
expect_stderr ''
run redo search "$(head -c 5000 /dev/zero | tr '\0' x)"
expect_error 1 "a question has at most 4,096 bytes"
run redo search
expect_error 129 "words are needed"
run redo search --limit=-1 x
expect_error 129 "option '--limit' expects a number of at least 0, not '-1'"
