#!/bin/bash
# The index of a store in tables: what an independent reader makes of the same receipts, nodes and notes, after every kind of change;
# and whatever becomes of its file, the answers are those of the objects.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PROGRAM=$(dirname "$REDO_BIN")/redo-index-sqlite
if [ ! -x "$PROGRAM" ]; then
  scene "the index"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
if ! python3 -c 'import sqlite3; sqlite3.connect(":memory:").execute("CREATE VIRTUAL TABLE t USING fts5(x)")' 2>/dev/null; then
  scene "the index"
  skip "no python3 whose sqlite3 has FTS5"
  exit 0
fi
MEMORY='{"product_name":"Blue Dream","product_type":"flower","rating":4,"effects":["relaxed"],"notes":"watched the rain"}'
did() { printf 'did:phone:%064d' "$1"; }
# reader <command> <store> [<option>...]: the independent reader.
reader() { run python3 "$TESTS/Oracle/index_reader.py" "$1" "$REDO_BIN" "$PWD/$2" "${@:3}"; }
# change <file> <statement>: what others may do to an index.
change() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' "$1" "$2"; }
# guest <name> [<did>]: a store of somebody else, with a receipt.
guest() {
  redo init -q "$1" && redo -C "$1" key generate >/dev/null
  [ -z "${2-}" ] || redo -C "$1" config set receipt.did "$2"
  redo -C "$1" receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY"
}
bring() { redo -C "$1" export --kind=receipt | redo -C home import -q - >/dev/null 2>&1; }
answers() {
  redo -C home index query --json timeline
  redo -C home index query --json strains
  redo -C home search --json rain
  redo -C home search --json --tasks plants
  redo -C home index sql 'select count(*) from nodes'
}
INDEX=$PWD/home/.redo/cache/index.sqlite

scene "after each of many random changes: its tables, and the answers to every query, are those of an independent reader"
redo init -q random && redo -C random key generate >/dev/null
reader drive random --seed="$((SEED % 100000))" --steps="$([ "$SOAK" ] && echo 200 || echo 12)"
expect_status 0
expect_stdout_has "what has come was added to the index"

scene "the first question makes it; each later one adds what has come, and reads no more than that"
FIRST=$(guest home)
redo -C home commit -q create --title='Water the plants' --description='and the cacti' >/dev/null
run redo -C home index update -v
expect_stderr "the index was built anew"
run redo -C home index update -v
expect_stderr "the index has the state of the store"
run redo -C home index query timeline
expect_stdout_lines 1
run redo -C home index path
expect_stdout "$INDEX"
expect_equal "$(stat -c %a "$INDEX")" 600 "who may read it"
for step in "receipt edit $FIRST" "receipt create" "commit create --title=x" "receipt mark --favourite $FIRST" \
  "receipt place --at=37.774929,-122.419416 --name=Home $FIRST" "circle add $(did 1)" "receipt delete $FIRST"; do
  redo -C home $step <<<"${MEMORY/rain/snow}" >/dev/null 2>&1
  run redo -C home index update -v
  expect_stderr "what has come was added to the index"
  run redo -C home index check
  expect_status 0
  expect_stdout ''
done
reader compare home
expect_status 0
expect_clean home

scene "what others have signed comes with its card: edits and deletions of people who do not speak for a chain change nothing"
guest other "$(did 2)" >other.cid
bring other
run redo -C home index update -v
expect_stderr "what has come was added to the index"
reader compare home
expect_status 0
# Another device of the same name, with another key: nobody knows any more whose signature is good.
redo init -q twin && redo -C twin key generate >/dev/null
redo -C twin config set receipt.did "$(did 2)"
redo -C twin key device-id set -f "$(redo -C other key device-id)" >/dev/null
redo -C twin receipt create <<<"$MEMORY" >/dev/null
bring twin
run redo -C home index update -v
expect_stderr "the index was built anew"
run redo -C home index check
expect_status 0

scene "pins and the trust file decide about receipts that are there: then it is built anew"
redo -C home receipt create <<<"$MEMORY" >/dev/null
redo -C home index update
redo -C home device add "$(redo -C other receipt list --type=redo.device.registered/v1 | cut -f1)"
run redo -C home index update -v
expect_stderr "the index was built anew"
redo -C home trust add "$(redo -C home key show --public)" >/dev/null 2>&1
run redo -C home index update -v
expect_stderr "the index was built anew"
run redo -C home index check
expect_status 0

scene "it is deleted, cut, zeroed, another program's, or another store's: the answers stay the same"
redo -C home receipt create <<<"$MEMORY" >/dev/null
answers >right
[ "$(wc -l <right)" -ge 4 ] || fail "there is too little to compare" <right
redo init -q elsewhere && redo -C elsewhere key generate >/dev/null
redo -C elsewhere receipt create <<<"${MEMORY/Blue/Sour}" >/dev/null
redo -C elsewhere index update
for harm in 'rm -f "$INDEX"*' ': >"$INDEX"' 'truncate -s 5000 "$INDEX"' 'truncate -s 12288 "$INDEX"' \
  'head -c 100000 /dev/zero >"$INDEX"' 'echo "not a database" >"$INDEX"' 'cp elsewhere/.redo/cache/index.sqlite "$INDEX"' \
  'change "$INDEX" "DROP TABLE nodes"' 'change "$INDEX" "DELETE FROM redo_index"' 'rm -rf home/.redo/cache' \
  'change "$INDEX" "UPDATE redo_index SET value = 1 WHERE key = \"received\""' \
  'change "$INDEX" "UPDATE grdb_migrations SET identifier = \"redo_9\" WHERE identifier = \"redo_1\""'; do
  eval "$harm"
  answers >found 2>said || fail "after '$harm' there is no answer" <said
  diff right found >difference || fail "after '$harm' the answers differ" <difference
  run redo -C home index check
  expect_status 0
done
python3 - "$INDEX" <<'END'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
for place in random.Random(5).sample(range(4096, len(data)), 200):
    data[place] ^= 0xFF
open(sys.argv[1], "wb").write(data)
END
redo -C home index rebuild
run redo -C home index check
expect_status 0

scene "nothing is written through a link, or in place of a directory"
rm -f "$INDEX"*
echo precious >precious
ln -s "$PWD/precious" "$INDEX"
run redo -C home index query timeline
expect_error 128 "is no file, so nothing is written in its place"
expect_equal "$(cat precious)" precious "what the link leads to"
rm "$INDEX" && mkdir "$INDEX"
run redo -C home index update
expect_error 128 "is no file, so nothing is written in its place"
rmdir "$INDEX"

scene "a row that others have changed is found, and the store does not believe it"
redo -C home index update
redo -C home verify --all >before 2>/dev/null
for statement in 'UPDATE ucr_headers SET payload_json = replace(payload_json, "rain", "blood") WHERE payload_json LIKE "%rain%"' \
  'UPDATE nodes SET letter = "B"' 'DELETE FROM todos' 'UPDATE tasks SET title = "Drown the plants"'; do
  change "$INDEX" "$statement"
done
run redo -C home index check
expect_status 1
expect_stdout_has "other	ucr_headers	bafyrei"
expect_stdout_has "other	tasks	"
expect_stderr_has "hint: 'redo index rebuild' builds the index anew"
run redo -C home index check --json
expect_stdout_has '"table":"nodes","why":"other"}'
redo -C home verify --all >after 2>/dev/null
cmp -s before after || fail "verify says something else" <after
redo -C home index rebuild
run redo -C home index check
expect_status 0
answers | diff right - >difference || fail "the answers differ" <difference

scene "without an update it is asked as it is, and it is said when that is not the present"
redo -C home receipt create <<<"${MEMORY/rain/hail}" >/dev/null
run redo -C home search --no-update hail
expect_status 0
expect_stdout ''
expect_stderr_has "warning: index '$INDEX' does not have the present state of the store"
run redo -C home search hail
expect_stdout_lines 1
expect_stderr ''
run redo -C home search --no-update hail
expect_stdout_lines 1
expect_stderr ''
rm -f "$INDEX"*
run redo -C home search --no-update hail
expect_error 128 "there is no index '$INDEX'"

scene "while another process changes it, nothing is done, and a repetition may help"
python3 - home/.redo/cache/index.lock <<'END' &
import fcntl, sys, time
file = open(sys.argv[1], "r+")
fcntl.lockf(file, fcntl.LOCK_EX)
open("held", "w").close()
time.sleep(60)
END
holder=$!
for _ in {1..100}; do [ -e held ] && break; sleep 0.1; done
run redo -C home -c core.lockTimeout=50 index update
expect_error 75 "another process holds index '$INDEX'"
kill $holder
wait $holder 2>/dev/null
run redo -C home index update
expect_status 0
redo -C home commit -q create --title=held >/dev/null
rm -f held
python3 - "$INDEX" <<'END' &
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
open("held", "w").close()
time.sleep(60)
END
holder=$!
for _ in {1..100}; do [ -e held ] && break; sleep 0.1; done
run redo -C home index update
expect_error 75 "another process holds index '$INDEX'"
kill $holder
wait $holder 2>/dev/null
run redo -C home index check
expect_status 0

scene "several ask and write at a time: each is answered, and in the end it has everything"
for number in 1 2 3 4; do
  (
    for turn in 1 2 3; do
      redo -C home commit -q create --title="turn $number $turn" >/dev/null || exit 1
      redo -C home search --tasks turn >"asked.$number" || exit 1
    done
  ) &
done
for job in $(jobs -p); do wait "$job" || fail "one of them was not answered" </dev/null; done
run redo -C home search --tasks --limit=100 turn
expect_stdout_lines 12
run redo -C home index check
expect_status 0

scene "killed at any moment, the next question has the answer"
redo -C home commit -q create --title=killed >/dev/null
for number in $(seq 1 "$([ "$SOAK" ] && echo 200 || echo 12)"); do
  redo -C home receipt mark --note="$number" "$(redo -C home receipt list --type=app.buds.session.created/v1 | head -1 | cut -f1)"
  [ $((number % 2)) -eq 0 ] || rm -f "$INDEX"
  { timeout -s KILL "0.0$((number * 7 % 60 + 10))" redo -C home index update; } >/dev/null 2>&1
  run redo -C home search --tasks killed
  expect_status 0
  expect_stdout_lines 1
done
run redo -C home index check
expect_status 0
! redo -C home verify 2>&1 | grep 'cache/' || fail "the audit of the store finds something" </dev/null

scene "a statement can ask the full text, too, and finds what a search finds"
redo -C home index update
for words in fts_memories:cid:search:product_name fts_tasks:guid:tasks:title; do
  IFS=: read -r table column kind text <<<"$words"
  word=$(redo -C home index sql "select $text from $table where $text glob '*[a-z]*' and $text not glob '*[^ -~]*' order by rowid limit 1" | grep -o '[[:alnum:]]*' | head -n 1)
  [ -n "$word" ] || fail "there is no text in '$table'" </dev/null
  run redo -C home index sql "select $column from $table where $table match '\"$word\"' order by $column"
  expect_status 0
  [ "$(wc -l <"$OUT")" -gt 0 ] || fail "nothing is found in '$table'" </dev/null
  cp "$OUT" found
  redo -C home search $([ $kind = tasks ] && echo --tasks) --limit=1000 --json "$word" | grep -o "\"$column\":\"[^\"]*\"" | cut -d'"' -f4 | sort | diff - found >difference || fail "another answer" <difference
done

scene "what is wiped is in no table, and in no file"
redo -C home index update
grep -rqF 'turn 3 1' home/.redo/cache || fail "the index does not have it" </dev/null
run redo -C home wipe --yes -q --all
expect_status 0
! grep -rqF 'turn 3 1' home/.redo || fail "something still has it" </dev/null
run redo -C home index query timeline
expect_status 0
expect_stdout ''
run redo -C home index check
expect_status 0

scene "one statement that reads, and nothing else"
FIRST=$(redo -C home receipt create --at=2025-03-01T08:00:00Z <<<"$MEMORY")
for statement in "attach 'x' as y" "insert into tasks(guid, json) values ('a', '{}')" "pragma user_version" "drop table tasks" \
  "select 1; select 2" "select load_extension('x')"; do
  run redo -C home index sql "$statement"
  expect_error 1 ""
done
run redo -C home index sql 'select'
expect_error 1 "the question is not understood"
run redo -C home index sql "select '$(head -c 5000 /dev/zero | tr '\0' x)'"
expect_error 1 "a question has at most 4,096 bytes"
run redo -C home index sql --json 'select 1 as a, 2 as a'
expect_status 1
run redo -C home index sql
expect_error 129 "one statement is needed"
expect_equal "$(ls)" "$(ls | grep -vx x)" "what ATTACH would have made"

scene "rows are text with tabs, JSON, or texts as they are that end with NUL"
run redo -C home index sql "select 1, 2.0, null, 'a	b' || char(10) || 'c', x'00ff', 9007199254740993, -1e999"
expect_stdout $'1\t2.0\t-\ta\\x09b\\x0ac\tAP8=\t9007199254740993\t-Inf'
run redo -C home index sql --json "select 1 as b, 2.0 as a, null as c, 'a' || char(10) as d, x'00ff' as e, 9007199254740993 as f"
expect_stdout '{"a":2,"b":1,"c":null,"d":"a\n","e":"AP8=","f":9007199254740993}'
redo -C home index sql -z "select 'a' || char(10) || 'b'" | od -An -c | tr -d ' \n' >found
expect_equal "$(cat found)" 'a\nb\0' "bytes that end with NUL"

scene "queries have their arguments and nothing else"
for words in "timeline x" "map 1,2,3" "map 91,0,92,0" "map 2,0,1,0" "recent soon" "search" "nothing" "--fts timeline" "--limit=x timeline" ""; do
  run redo -C home index query $words
  expect_status 129
  [ ! -s "$OUT" ] || fail "there is data on stdout" <"$OUT"
done
run redo -C home index query tasks
expect_error 129 "'tasks' is no query"
run redo -C home index query --limit=0 timeline
expect_status 0
expect_stdout ''
run redo -C home index query --literal timeline
expect_status 0
expect_stdout_has "$FIRST"
run redo -C home index query map -- -90,-180,90,180
expect_status 0

scene "indexes are used where many rows are ordered"
run redo -C home index sql "explain query plan select cid from ucr_headers order by received_at desc, cid limit 50"
expect_stdout_has "USING COVERING INDEX idx_redo_timeline"
run redo -C home index sql "explain query plan select 1 from ucr_headers where root_cid = 'a'"
expect_stdout_has "idx_ucr_headers_root"

scene "a store that is not known as yours gets no index, and its own is not read"
redo -C home index update
cp -R home stranger
run redo -C stranger index query timeline
expect_status 1
expect_stderr_has "is not known as yours, so it gets no index"
expect_stdout ''
run redo -C stranger config trust-store
run redo -C stranger index query timeline
expect_stdout_lines 1

scene "without the program that keeps it there is one clear message"
mkdir alone && cp "$REDO_BIN" alone/redo
run env PATH="$PWD/alone:/usr/bin:/bin" alone/redo -C home index query timeline
expect_error 128 "program 'redo-index-sqlite' is missing, which keeps the index"
run env PATH="$PWD/alone:/usr/bin:/bin" alone/redo -C home index path
expect_stdout "$INDEX"

scene "a damaged file of notes is no reason to answer without it"
redo -C home receipt mark --favourite "$FIRST"
redo -C home index update
printf x | dd of=home/.redo/local bs=1 seek=60 conv=notrunc 2>/dev/null
touch home/.redo/local
redo -C home receipt list >/dev/null 2>&1
run redo -C home index rebuild
expect_error 128 "home/.redo/local"
