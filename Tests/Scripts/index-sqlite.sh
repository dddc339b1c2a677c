#!/bin/bash
# redo-index-sqlite: what it answers is what an independent program makes of the same rows; a change is made as a whole
# or not at all; damaged files and statements that do not only read do no harm.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

INDEX=$(dirname "$REDO_BIN")/redo-index-sqlite
if [ ! -x "$INDEX" ]; then
  scene "the index"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
if ! python3 -c 'import sqlite3; sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5(x)")' 2>/dev/null; then
  scene "the index"
  skip "no python3 whose sqlite3 has FTS5"
  exit 0
fi
export TMPDIR=$PWD
# peer <command> [<option>...]: the independent program, whose last line says what it has compared.
peer() { run python3 "$TESTS/Oracle/index_peer.py" "$1" "$INDEX" --seed="$((SEED % 100000))" "${@:2}"; }

scene "answers, ties and ranks are those of Python, after a rebuild and after each of many changes"
peer compare --steps="$([ "$SOAK" ] && echo 60 || echo 8)"
expect_status 0
expect_stdout_has 'agree'

scene "killed in the middle of a change, it leaves the old rows or the new ones"
peer kill --steps="$([ "$SOAK" ] && echo 400 || echo 15)"
expect_status 0
expect_stdout_has 'the old rows'

scene "a file that is cut, flipped, foreign or a link is refused or read, and may be replaced unless it is a link"
peer damage --steps="$([ "$SOAK" ] && echo 2000 || echo 40)"
expect_status 0
expect_stdout_has 'damaged files'

scene "statements read and do nothing else"
peer refused
expect_status 0
expect_stdout_has 'refused or run as they should be'

scene "files of the app, in each of its versions, give the rows that they have, and stay as they are"
peer app
expect_status 0
expect_stdout_has 'came out as they should'

scene "nobody reads: the statement stops"
peer gone
expect_status 0

scene "what it is, without requests and with arguments"
run "$INDEX" </dev/null
expect_status 0
expect_stdout ''
run "$INDEX" --help
expect_status 129
expect_stderr 'usage: redo-index-sqlite'
run "$INDEX" <<<'{"query":"timeline"}'
expect_status 0
expect_stdout '{"error":{"code":"request","detail":"nothing is open"}}'

scene "the end of a table: said of none that there is, it undoes the change; rows may still come behind it"
begin='{"open":"ends.sqlite"}'$'\n''{"begin":"rebuild","now":1}'$'\n'
run "$INDEX" <<<"$begin"'{"whole":"tables"}'$'\n''{"commit":{}}'
expect_status 0
expect_stdout_has '{"error":{"code":"row","detail":"tables"}}'
[ ! -e ends.sqlite ] || fail "a change that failed left an index" </dev/null
node='{"put":"nodes","row":{"id":"a","action":"CREATE","lamport":1,"wall":"w","author":"u","parents":"[]","letter":"G"}}'
run "$INDEX" <<<"$begin$node"$'\n''{"whole":"nodes"}'$'\n''{"whole":"nodes"}'$'\n'"${node/\"a\"/\"b\"}"$'\n''{"commit":{}}'$'\n''{"sql":"select count(*) from nodes indexed by idx_nodes_task where task is null"}'
expect_status 0
expect_stdout_has '"put":2'
expect_stdout_has '{"row":[2]}'
run "$INDEX" <<<'{"open":"ends.sqlite"}'$'\n''{"whole":"nodes"}'
expect_stdout_has '"error":{"code":"request"'
