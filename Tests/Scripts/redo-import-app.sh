#!/bin/bash
# Databases of the app: each of its versions, imported twice, against what an independent program makes of them; what the app does to a
# memory; what is refused, by name and rule; and files that were made to do harm. The original stays as it is.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PROGRAM=$(dirname "$REDO_BIN")/redo-index-sqlite
if [ ! -x "$PROGRAM" ]; then
  scene "databases of the app"
  skip "there is no redo-index-sqlite beside redo"
  exit 0
fi
need_python "databases of the app" dag_cbor nacl sqlite3
app() { "$PYTHON" "$TESTS/Oracle/app_database.py" "$@"; }
make() { app make "$1" "$2" --seed="$SEED" "${@:3}" || fail "no database" </dev/null; }
change() { app change "$1" sql "$2" || fail "it cannot be changed" </dev/null; }
ask() { "$PYTHON" -c 'import sqlite3, sys; print(*[v for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]) for v in row], sep="\n")' "$@"; }
# bytes <file>: what must not change of it. A live one's log counts, the memory that is shared does not.
bytes() { sha256sum "$1" $(ls "$1-wal" 2>/dev/null); }
# checked <store> <file>...: an independent reader finds all that the last of these files has, and nothing else.
checked() {
  run app check "$REDO_BIN" "$PWD/$1" "${@:2}"
  expect_status 0
  expect_stdout_has "are as they should be"
}
# refused <file> <text>: nothing is written, and the file stays as it is.
WANTED=1
refused() {
  local before print
  before=$(bytes "$1" 2>/dev/null)
  rm -rf bad
  redo init -q bad
  print=$(fingerprint bad)
  run redo -C bad import -q "../$1"
  # Bytes that are damaged have another hash, too.
  if [ "$(grep -c 'receipt .*: hash-mismatch' "$ERR")" -eq 1 ]; then expect_status 1; expect_stderr_has "$2"; else expect_error "$WANTED" "$2"; fi
  expect_untouched "$print" bad
  expect_equal "$(bytes "$1" 2>/dev/null)" "$before" "the original"
  [ -z "$(find "$TMPDIR" -name 'redo-scratch-*')" ] || fail "a copy is left" < <(find "$TMPDIR" -name 'redo-scratch-*')
}
mkdir tmp && export TMPDIR=$PWD/tmp

scene "each version, imported twice: the second time nothing is written, and the original never"
for version in 1 2 3 4 5 6 7 8 9; do
  for more in "" --texts; do
    file=v$version$more.sqlite store=v$version$more
    make $version $file $more
    before=$(bytes $file)
    redo init -q $store
    run redo -C $store import -n "../$file"
    expect_status 0
    cp "$OUT" dry
    [ ! -e $store/.redo/local ] || fail "a dry run writes" </dev/null
    run redo -C $store import "../$file"
    expect_status 0
    expect_stdout_file dry
    checked $store $file
    print=$(fingerprint $store)
    run redo -C $store import "../$file"
    expect_stdout 0
    expect_stderr_has "noted 0 new rows"
    expect_untouched "$print" $store
    checked $store $file
    expect_equal "$(bytes $file)" "$before" "the original"
    expect_clean $store
  done
done
make 5 alias.sqlite --alias
redo init -q alias
run redo -C alias import -q ../alias.sqlite
expect_status 0
checked alias alias.sqlite

scene "what is left out is told, with a count"
run redo -C v9 import ../v9.sqlite
expect_stderr_has "'../v9.sqlite' has 2 rows of 'jars', which are not taken over"
expect_stderr_has "'../v9.sqlite' has 1 row of 'reactions', which is not taken over"
run redo -C v1 import ../v1.sqlite
expect_stderr_has "'../v1.sqlite' has 1 row of 'devices', which is not taken over"
run redo -C v9 import -q --json ../v9.sqlite
expect_stderr ''
expect_stdout_has '"databases":{"pictures":{"known":3,"new":0},"putAway":0,"rows":{"known":36,"new":0},"versions":["v9"]}'

scene "devices pin their keys: from v3 on signatures are good, before that their key is not known"
expect_equal "$(redo -C v4 receipt list --show-deleted --json | grep -o '"letter":"."' | sort -u)" '"letter":"G"' "the letters of v4"
expect_equal "$(redo -C v1 receipt list --show-deleted --json | grep -o '"letter":"."' | sort -u)" '"letter":"E"' "the letters of v1"
expect_equal "$(redo -C v4 receipt list | wc -l)" 11 "the memories that live"

scene "the index has what an independent reader makes of the store, and its timeline the app's memories with their uuids"
run "$PYTHON" "$TESTS/Oracle/index_reader.py" compare "$REDO_BIN" "$PWD/v9"
expect_status 0
redo -C v9 index sql 'SELECT uuid FROM local_receipts ORDER BY 1' >found
ask v9.sqlite 'SELECT uuid FROM local_receipts ORDER BY 1' >wanted
cmp -s found wanted || fail "other memories" < <(diff found wanted)
redo -C v9 search note | grep -q 'Blue Dream' || fail "nothing is found" </dev/null

scene "what is private stays here: phone numbers and notes are in no object and leave in no export"
redo -C v4 export -q --kind=receipt --include-received --include-precise >all
for id in $(redo -C v4 receipt list --show-deleted | cut -f1); do redo -C v4 cat-node "$id"; done >>all
grep -q '415555\|only mine\|Friend' all && fail "something private is there" </dev/null
grep -q 415555 v4/.redo/local || fail "the phone numbers are lost" </dev/null
ask v4.sqlite "SELECT cid FROM ucr_headers WHERE root_cid = 'SELF'" >shared
redo -C v4 export -q --kind=receipt | grep -q "$(cat shared)" && fail "what others have shared leaves" </dev/null

scene "a database that somebody has open: what is in its log comes, too, and log and file stay as they are"
make 3 live.sqlite --live
[ -s live.sqlite-wal ] || fail "there is no log" </dev/null
before=$(bytes live.sqlite)
redo init -q live
run redo -C live import -q ../live.sqlite
expect_status 0
expect_equal "$(bytes live.sqlite)" "$before" "the original"
checked live live.sqlite
mkdir folder && cp live.sqlite live.sqlite-wal folder
touch folder/live.sqlite-shm
redo init -q folded
run redo -C folded import -q ../folder
expect_status 0
checked folded live.sqlite

scene "the app edits by a new receipt to which it moves the row: the old chain is put away, and the uuid stays"
cp v4.sqlite old.sqlite
cp v4.sqlite new.sqlite
app change new.sqlite edit --seed=2
run redo -C v4 import ../new.sqlite
expect_stdout 1
expect_stderr_has "noted 2 new rows, 23 known, 1 put away; from"
checked v4 old.sqlite new.sqlite
app change new.sqlite edit --seed=7
app change new.sqlite delete --seed=5
run redo -C v4 import -q ../new.sqlite
expect_status 0
# What the app has deleted stays with whoever has noted it.
MISSING=$(redo -C v4 local list --json --table=local_receipts | grep -o '"uuid":"[^"]*"' | cut -d'"' -f4 | sort)
ask new.sqlite 'SELECT uuid FROM local_receipts ORDER BY 1' >wanted
expect_equal "$(comm -23 <(echo "$MISSING") <(sort wanted) | wc -l)" 1 "the rows that only the store has"
print=$(fingerprint v4)
run redo -C v4 import -q ../old.sqlite
expect_stdout 0
expect_untouched "$print" v4

scene "what is noted here since then stays, and goes with a memory that the app edits"
redo init -q noted
redo -C noted import -q ../old.sqlite >/dev/null
FIRST=$(ask old.sqlite 'SELECT header_cid FROM local_receipts ORDER BY rowid LIMIT 1 OFFSET 1')
UUID=$(ask old.sqlite 'SELECT uuid FROM local_receipts ORDER BY rowid LIMIT 1 OFFSET 1')
redo -C noted receipt mark --tag=here --note=mine "$FIRST"
print=$(fingerprint noted)
run redo -C noted import -q ../old.sqlite
expect_untouched "$print" noted
cp old.sqlite edited.sqlite
app change edited.sqlite edit --seed=1
run redo -C noted import -q ../edited.sqlite
expect_status 0
redo -C noted local list --json --table=local_receipts | grep "$UUID" >row
grep -q '"here\\"\|here' row || fail "the tag is lost" <row
grep -q "\"key\":\"$FIRST\"" row && fail "the old memory has it" <row
print=$(fingerprint noted)
run redo -C noted import -q ../edited.sqlite
expect_untouched "$print" noted

scene "somebody who is in the circle already is one person, and no more than twelve are active"
redo init -q circle
for number in {1..11}; do redo -C circle circle add "$(printf 'did:phone:%064d' $number)"; done
redo -C circle circle add --name=Known did:buds:placeholder_00000000
run redo -C circle import ../v4.sqlite
expect_status 0
expect_stderr_has "pending beyond the circle"
expect_equal "$(redo -C circle local list --json --table=circles | grep -c '"status":"active"')" 12 "the active people"
expect_equal "$(redo -C circle local list --json --table=circles | grep -c placeholder_00000000)" 1 "the rows of somebody who was known"
print=$(fingerprint circle)
run redo -C circle import -q ../v4.sqlite
expect_untouched "$print" circle

scene "a receipt that is not as its row says is refused by its name and rule; nothing is written, or with --salvage the rest"
CID=$(ask v3.sqlite 'SELECT cid FROM ucr_headers ORDER BY rowid LIMIT 1')
bad() { cp v3.sqlite bad.sqlite && change bad.sqlite "$1 WHERE cid = '$CID'" && refused bad.sqlite "'../bad.sqlite', receipt '$CID': $2"; }
bad "UPDATE ucr_headers SET raw_cbor = (SELECT raw_cbor FROM ucr_headers WHERE cid <> '$CID')" "hash-mismatch at /cid"
bad "UPDATE ucr_headers SET raw_cbor = substr(raw_cbor, 1, length(raw_cbor) - 1)" "cbor-syntax at byte"
bad "UPDATE ucr_headers SET raw_cbor = x''" "cbor-syntax at byte 0"
bad "UPDATE ucr_headers SET raw_cbor = zeroblob(70000)" "receipt-size"
bad "UPDATE ucr_headers SET raw_cbor = 'a text'" "db-column at /raw_cbor"
bad "UPDATE ucr_headers SET received_at = 'yesterday'" "db-column at /received_at"
bad "UPDATE ucr_headers SET signature = (SELECT signature FROM ucr_headers WHERE cid <> '$CID')" "signature-bad"
bad "UPDATE ucr_headers SET signature = 'none'" "signature-form at /signature"
cp v3.sqlite bad.sqlite
change bad.sqlite "UPDATE ucr_headers SET signature = 'none' WHERE cid = '$CID'"
redo init -q salvaged
run redo -C salvaged import --salvage ../bad.sqlite
expect_status 1
expect_stdout 11
expect_stderr_has "error: '../bad.sqlite', receipt '$CID': signature-form"
expect_stderr_lacks "row 'local_receipts"
expect_clean salvaged
cp v3.sqlite bad.sqlite
change bad.sqlite "UPDATE ucr_headers SET cid = 'bafyreix' WHERE rowid = 9"
refused bad.sqlite "receipt 'bafyreix': cid-form at /cid"

scene "a column that says something else than the bytes is a warning, and the bytes count: db-column"
cp v3.sqlite odd.sqlite
change odd.sqlite "UPDATE ucr_headers SET did = 'did:x:y', payload_json = '{}', device_id = 'D', receipt_type = 'x', root_cid = 'y'"
redo init -q odd
run redo -C odd import ../odd.sqlite
expect_status 0
expect_stderr_has "db-column at /device_id: a column has a value of its kind, the one that the receipt's bytes say, not 'D'; 60 times in all"
checked odd v3.sqlite
cp v3.sqlite odd.sqlite
change odd.sqlite "UPDATE circles SET phone_number = 'call me'"
redo init -q phone
run redo -C phone import ../odd.sqlite
expect_status 0
expect_stderr_has "db-column at /phone_number"
expect_stderr_lacks "call me"

scene "a local row that cannot be is refused by its name"
row() { cp v3.sqlite bad.sqlite && change bad.sqlite "$1" && refused bad.sqlite "$2"; }
row "UPDATE local_receipts SET is_favorited = 7 WHERE rowid = 1" "local-row at /row/is_favorited: it is neither 0 nor 1"
row "UPDATE local_receipts SET header_cid = 'x' WHERE rowid = 1" "local-row at /row/header_cid: 'x' is not taken"
row "UPDATE circles SET status = 'x' WHERE rowid = 1" "local-row at /row/status: it is none of pending, active, removed"
row "UPDATE devices SET pubkey_ed25519 = 'x'" "local-row at /row/pubkey_ed25519: it is not 32 bytes in Base64"
row "UPDATE blobs SET data = x'00' WHERE rowid = 1" "hash-mismatch at /cid: the bytes hash to 'bafkreidogqfzz75tpkmjzjke425xqcrmpcib2p5tg44hnbirumdbpl5adu', not to 'bafyrei"
redo init -q pinned
redo -C pinned import -q ../v3.sqlite >/dev/null
cp v3.sqlite bad.sqlite
change bad.sqlite "UPDATE devices SET pubkey_ed25519 = pubkey_x25519"
print=$(fingerprint pinned)
run redo -C pinned import -q ../bad.sqlite
expect_status 1
expect_stderr_has "is noted here with another key, or as somebody else's"
expect_untouched "$print" pinned
cp v3.sqlite bad.sqlite
change bad.sqlite "DELETE FROM blobs"
redo init -q lacking
run redo -C lacking import ../bad.sqlite
expect_status 0
expect_stderr_has "'../bad.sqlite' names pictures"

scene "a migration that is not known is refused by it: db-version"
migrated() { cp v3.sqlite bad.sqlite && change bad.sqlite "$1" && refused bad.sqlite "$2"; }
migrated "INSERT INTO grdb_migrations VALUES ('v10_more')" "'../bad.sqlite': db-version: a database of the app has its first migration, and all are known, not 'v10_more'"
migrated "DELETE FROM grdb_migrations WHERE identifier = 'v1'" "db-version"
cp v9/.redo/cache/index.sqlite ours.sqlite
refused ours.sqlite "db-version"

scene "what is no database of the app is refused, whatever it does"
WANTED=128
migrated "DROP TABLE grdb_migrations" "'../bad.sqlite' is a database, but not one of the app"
migrated "DROP TABLE ucr_headers; CREATE VIEW ucr_headers AS SELECT * FROM local_receipts" "is a database, but not one of the app"
head -c 9000 v3.sqlite >cut.sqlite
refused cut.sqlite "'../cut.sqlite' is a damaged database"
{ head -c 4096 v3.sqlite; head -c 8192 /dev/urandom; tail -c +12289 v3.sqlite; } >noise.sqlite
refused noise.sqlite "'../noise.sqlite' is a damaged database"
printf 'SQLite format 3\0' >short.sqlite
refused short.sqlite "'../short.sqlite' is a damaged database"
ln -s v3.sqlite link.sqlite
refused link.sqlite "'../link.sqlite' is no file"
mkfifo pipe.sqlite
run redo -C bad import -q ../pipe.sqlite
expect_error 128 "'../pipe.sqlite' is a named pipe"
run redo -C bad import -q - <v3.sqlite
expect_error 128 "'<stdin>' is a database, of which only 'redo import' reads one of the app, from a file"
run redo -C bad import -q --from=v0 ../v3.sqlite
expect_error 128 "'../v3.sqlite' is a database"
run redo -C bad verify ../v3.sqlite
expect_error 128 "'../v3.sqlite' is a database"
gzip -c v3.sqlite >zipped.gz
refused zipped.gz "'../zipped.gz' is a database"
WANTED=1
migrated "ALTER TABLE ucr_headers RENAME COLUMN signature TO s" "'../bad.sqlite' is not as the app makes a database"
migrated "DROP TABLE blobs; CREATE VIRTUAL TABLE blobs USING fts5(cid, data)" "'../bad.sqlite' is not as the app makes a database: blobs"

scene "what runs by itself does not run, and what is too much is refused"
cp v3.sqlite trigger.sqlite
change trigger.sqlite "CREATE TRIGGER t AFTER INSERT ON circles BEGIN DELETE FROM local_receipts; END;
  CREATE TRIGGER u AFTER INSERT ON grdb_migrations BEGIN DELETE FROM ucr_headers; END;
  CREATE VIEW redo_chains AS SELECT load_extension('x'); CREATE VIEW \"a'; DROP\" AS SELECT 1;
  CREATE VIEW \"v\"\"; DROP TABLE circles; --\" AS SELECT 1; CREATE TABLE \"t\"\"; DROP TABLE circles; --\" (a);
  CREATE INDEX \"i\"\"; DROP TABLE circles; --\" ON circles (did)"
redo init -q trigger
run redo -C trigger import -q ../trigger.sqlite
expect_status 0
checked trigger v3.sqlite
row "UPDATE local_receipts SET local_notes = hex(zeroblob(1000000)) WHERE rowid = 1" "local-row at '': it is longer than 1 MiB"
cp v3.sqlite bad.sqlite
change bad.sqlite "UPDATE blobs SET data = zeroblob(40000000) WHERE rowid = 1"
refused bad.sqlite "'../bad.sqlite' is not as the app makes a database: bafyrei"

scene "without the program that reads databases nothing is done"
mkdir alone && cp "$REDO_BIN" alone/redo
redo init -q bare
run env PATH=/usr/bin:/bin alone/redo -C bare import -q ../v3.sqlite
expect_error 128 "program 'redo-index-sqlite' is missing"
