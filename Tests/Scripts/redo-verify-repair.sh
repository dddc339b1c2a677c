#!/bin/bash
# redo verify --repair-from: what is damaged or missing comes back from another copy, and from nothing else.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

redo init -q good
demo 100 | redo -C good import -q >/dev/null
redo -C good log --format='%(id)' >ids
expect_equal "$(wc -l <ids)" 100 "nodes"
redo -C good export >export.ndjson
HASH=$(redo -C good state --hash)
fresh() { rm -rf bad && cp -r good bad && rm -rf bad/.redo/cache/*; }
# place <id>: the file of an object in the store `bad`.
place() { echo "bad/.redo/objects/${1:7:2}/${1:9}"; }
kept() { find bad/.redo/lost-found -mindepth 1 -maxdepth 1 2>/dev/null | sort; }
# whole: the store is as it was before the damage.
whole() {
  run redo -C bad verify
  expect_status 0
  expect_stdout ""
  expect_clean bad
  expect_equal "$(redo -C bad verify --all | grep -c '^G')" "$(redo -C good verify --all | grep -c '^G')" "good nodes"
  expect_equal "$(redo -C bad state --no-cache --hash)" "$HASH" "the state"
  (cd good/.redo/objects && find . -type f ! -name lock ! -name signatures | sort) >expected
  (cd bad/.redo/objects && find . -type f ! -name lock ! -name signatures | sort) | cmp -s - expected || fail "other objects" <expected
  run redo -C bad verify --repair-from=../good
  expect_status 0
  expect_stdout ''
}

# damage <kind> <id> [<other id>]
damage() {
  local file other
  file=$(place "$2") other=$(place "${3:-$2}")
  chmod u+w "$file"
  case $1 in
  deleted) rm "$file" ;;
  truncated) truncate -s 50 "$file" ;;
  emptied) truncate -s 0 "$file" ;;
  flipped) alter "$file" 60 ;;
  zeroed) head -c "$(stat -c %s "$file")" /dev/zero >zeros && cat zeros >"$file" ;;
  longer) echo more >>"$file" ;;
  swapped) mv "$file" held && mv "$other" "$file" && mv held "$other" ;;
  fifo) rm "$file" && mkfifo "$file" ;;
  symlink) mv "$file" "$PWD/target" && ln -s "$PWD/target" "$file" ;;
  dangling) rm "$file" && ln -s /nowhere "$file" ;;
  directory) rm "$file" && mkdir "$file" && echo inside >"$file/x" ;;
  shard) rm -rf "${file%/*}" && echo x >"${file%/*}" ;;
  blob) python3 -c '
import sys, zlib
header, body = zlib.decompress(open(sys.argv[1], "rb").read()).split(b"\0", 1)
open(sys.argv[1], "wb").write(zlib.compress(b"blob %d\0" % len(body) + body))' "$file" ;;
  signature) python3 -c '
import sys, zlib
header, body = zlib.decompress(open(sys.argv[1], "rb").read()).split(b"\0", 1)
header = header[:-1] + (b"0" if header[-1:] != b"0" else b"1")
open(sys.argv[1], "wb").write(zlib.compress(header + b"\0" + body))' "$file" ;;
  esac
}

for source in good export.ndjson; do
  scene "three of a hundred objects: listed, restored from '$source', the state as before"
  fresh
  sed -n '10p;50p;90p' ids | sort >three
  damage flipped "$(sed -n 1p three)"
  damage truncated "$(sed -n 2p three)"
  damage deleted "$(sed -n 3p three)"
  before=$(fingerprint bad)
  run redo -C bad verify -n --repair-from="../$source"
  expect_status 0
  cut -d' ' -f1,2 "$OUT" >rows
  sed 's/^/would-repair /' three | cmp -s - rows || fail "other rows" <"$OUT"
  expect_untouched "$before" bad
  cp "$OUT" listed
  run redo -C bad verify --repair-from="../$source"
  expect_status 0
  sed 's/^would-repair/repaired/' listed >expected
  expect_stdout_file expected
  expect_equal "$(kept | wc -l)" 2 "things kept"
  whole
done

scene "an array, a directory of exports, and an archive are sources too"
python3 -c 'import json; print(json.dumps([json.loads(line) for line in open("export.ndjson")]))' >array.json
mkdir folder && head -50 export.ndjson >folder/a && tail -50 export.ndjson >folder/b
redo -C good archive create -q -o "$PWD/some.pack" >/dev/null
for source in array.json folder some.pack; do
  fresh
  while read -r id; do damage deleted "$id"; done <three
  run redo -C bad verify --repair-from="../$source"
  expect_status 0
  expect_stdout_lines 3
  whole
done

for kind in deleted truncated emptied flipped zeroed longer fifo symlink dangling directory shard blob signature; do
  for source in good export.ndjson; do
    scene "$kind: restored from '$source', and what stood there is kept"
    fresh
    id=$(sed -n 30p ids)
    file=$(place "$id")
    damage $kind "$id"
    [ $kind = shard ] || [ $kind = deleted ] || (cd "${file%/*}" && stat -c '%F %s' "${file##*/}") >was
    run redo -C bad verify --repair-from="../$source"
    expect_status 0
    grep -q "^repaired $id objects/${id:7:2}/${id:9} " "$OUT" || fail "no row" < <(everything_printed)
    case $kind in
    deleted) expect_equal "$(kept)" '' "what is kept" ;;
    shard) expect_equal "$(kept | grep -c "/shard-${id:7:2}-[0-9]*T[0-9]*Z$")" 1 "what is kept" ;;
    *)
      expect_equal "$(kept | grep -c "/object-${id:7}-[0-9]*T[0-9]*Z$")" 1 "what is kept"
      stat -c '%F %s' "$(kept)" | cmp -s - was || fail "something else is kept" < <(kept)
      ;;
    esac
    rm -rf target
    whole
  done
done

scene "swapped: each has the other's bytes, and no source is needed for them"
fresh
damage swapped "$(sed -n 20p ids)" "$(sed -n 40p ids)"
redo init -q nothing
run redo -C bad verify --repair-from=../nothing
expect_status 0
expect_stdout_lines 2
expect_equal "$(kept | wc -l)" 2 "things kept"
whole

scene "a wrong name: the object comes back under its own, and the other name goes"
fresh
id=$(sed -n 20p ids)
wrong=bad/.redo/objects/00/$(printf '%062d' 1)
mkdir -p "${wrong%/*}" && mv "$(place "$id")" "$wrong"
run redo -C bad verify --repair-from=../nothing
expect_status 0
grep -q "^repaired $id " "$OUT" || fail "it is not back" <"$OUT"
grep -q "^repaired sha256:000.*nothing names it$" "$OUT" || fail "it is not put aside" <"$OUT"
rmdir "${wrong%/*}" 2>/dev/null
whole

scene "what the source does not have is listed, and the status is 1; the rest is repaired"
fresh
damage zeroed "$(sed -n 10p ids)"
damage zeroed "$(sed -n 11p ids)"
grep -v "\"id\":\"$(sed -n 11p ids)\"" export.ndjson >part
cp "$(place "$(sed -n 11p ids)")" zeroed
run redo -C bad verify --repair-from=../part
expect_status 1
expect_equal "$(cut -d' ' -f1 "$OUT" | sort | uniq -c | tr -s ' ' | tr -d '\n')" " 1 repaired 1 unrepaired" "rows"
grep -q "^unrepaired $(sed -n 11p ids) objects/.* object-corrupt: .*; the source does not have it$" "$OUT" || fail "no row" <"$OUT"
cmp -s zeroed "$(place "$(sed -n 11p ids)")" || fail "it was touched" </dev/null

scene "a damaged copy, and one with a bad signature, repair nothing"
cp -r good half
id=$(sed -n 10p ids)
chmod u+w "half/.redo/objects/${id:7:2}/${id:9}"
truncate -s 20 "half/.redo/objects/${id:7:2}/${id:9}"
fresh && damage deleted "$id"
run redo -C bad verify --repair-from=../half
expect_status 1
grep -q "^unrepaired $id .*; its copy is corrupt: " "$OUT" || fail "no row" <"$OUT"
forged export.ndjson >forged.ndjson
run redo -C bad verify --repair-from=../forged.ndjson
expect_status 1
grep -q "^unrepaired $id .*; the copy is no better: signature-bad" "$OUT" || fail "no row" <"$OUT"
sed "s/\"lamport\":/&1/" export.ndjson >changed.ndjson
run redo -C bad verify --repair-from=../changed.ndjson
expect_status 1

scene "a good signature is never replaced by none, and a bad one is not either"
fresh && damage signature "$id"
sed 's/,"signature":"[0-9a-f]*"//' export.ndjson >unsigned.ndjson
run redo -C bad verify --repair-from=../unsigned.ndjson
expect_status 1
grep -q "^unrepaired $id .*signature-bad; the copy is no better$" "$OUT" || fail "no row" <"$OUT"
fresh
run redo -C bad verify --repair-from=../unsigned.ndjson
expect_status 0
expect_stdout ''

scene "everything is gone but the refs: every object comes back"
fresh
find bad/.redo/objects -mindepth 1 -maxdepth 1 -name '??' -exec rm -r {} +
run redo -C bad verify --repair-from=../good
expect_status 0
expect_stdout_lines 100
whole

scene "parents that nothing else names are found one after the other"
redo -C good log --format='%(parents) %(id)' >lines
fresh
child=$(awk 'NF == 2 { print $2; exit }' lines)
printf 'redo-received 1\n' >bad/.redo/received
while read -r id; do damage deleted "$id"; done <ids
run redo -C bad verify --repair-from=../good
expect_status 0
expect_stdout_lines 100
[ -e "$(place "$child")" ] || fail "it is not there" </dev/null

scene "what an alternate has is not missing, and an alternate is never written"
rm -rf bad && redo init -q bad
cp good/.redo/{refs,refs.journal,reflog,received} bad/.redo/
echo "$PWD/other/.redo/objects" >bad/.redo/objects/info/alternates
cp -r good other
run redo -C bad verify --repair-from=../good
expect_status 0
expect_stdout ''
id=$(sed -n 33p ids)
file=other/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$file" && truncate -s 30 "$file"
before=$(fingerprint other)
run redo -C bad verify --repair-from=../good
expect_status 0
expect_stdout_lines 1
expect_untouched "$before" other
expect_equal "$(objects bad)" 1 "objects"
expect_equal "$(redo -C bad state --hash)" "$HASH" "the state"

scene "--json: rows as canonical JSON"
fresh && damage flipped "$id"
run redo -C bad verify --json --repair-from=../good
expect_status 0
tr -d '\n' <"$OUT" >row
run redo canonicalize --check row
expect_status 0
grep -q "^{\"id\":\"$id\",\"kept\":\"lost-found/object-.*\",\"path\":\"objects/.*\",\"reason\":\"object-corrupt: .*\",\"result\":\"repaired\"}$" row || fail "the row" <row

scene "what is no source is refused, with what would be one"
fresh && damage flipped "$id"
before=$(fingerprint bad)
gzip -k export.ndjson
for words in nowhere origin redo-x /dev/null; do
  run redo -C bad verify --repair-from=$words
  expect_error 128 "'$words'"
  expect_stderr_has "hint: a source is the path of a store"
done
run redo -C bad verify --repair-from="$REDO_BIN"
expect_error 128 "neither a store, an export, an archive nor a remote"
gzip -c export.ndjson.gz >twice.gz
run redo -C bad verify --repair-from=../twice.gz
expect_error 128 "gzip"
run redo -C bad verify --repair-from=../bad
expect_error 128 "is the store that is to be repaired"
expect_untouched "$before" bad

scene "a compressed export is a source, and so is an encrypted archive that the keyring opens"
run redo -C bad verify -n --repair-from=../export.ndjson.gz
expect_status 0
expect_stdout_lines 1
redo -C bad key generate >/dev/null 2>&1
redo -C good archive create -q -r "$(redo -C bad key show --public)" -o ../sealed.pack >/dev/null
run redo -C bad verify -n --repair-from=../sealed.pack
expect_status 0
expect_stdout_lines 1
rm bad/.redo/keys/*
run redo -C bad verify -n --repair-from=../sealed.pack
expect_error 77 "is encrypted for 1 key, and nothing here opens it"
cp -r bad mended
run redo -C mended verify --repair-from=../export.ndjson.gz
expect_status 0
expect_stdout_lines 1

scene "mistakes in the command line"
for words in '-n' '--repair-from=../good --all' '--repair-from=../good x' '--repair-from' '--repair-from=../good --pass=good'; do
  # shellcheck disable=SC2086 # words
  run redo -C bad verify $words </dev/null
  expect_status 129
  expect_stderr_has "usage: redo-verify"
done

scene "a store that cannot be written: -n works, a repair says why it does not"
if can_be_nobody; then
  chmod -R a+rX bad good
  run as_nobody redo -c safe.directory='*' -C bad verify -n --repair-from=../good
  expect_status 0
  expect_stdout_lines 1
  run as_nobody redo -c safe.directory='*' -C bad verify --repair-from=../good
  expect_status 128
else
  skip "only root can be nobody"
fi

scene "whoever meets damage says the code, and the command that repairs it"
fresh
id=$(sed -n 40p ids)
damage truncated "$id"
redo init -q elsewhere
for command in "log" "log --no-cache" "state --no-cache" "export" "show $id" "cat-node $id" "query tasks --no-cache"; do
  # shellcheck disable=SC2086 # words
  run redo -C bad $command
  expect_status 128
  expect_stderr_has "fatal: object '$id' is corrupt: "
  expect_stderr_has ' [STORAGE_004]'
  expect_stderr_has "hint: 'redo verify --repair-from=<source>' takes a good copy from another store, or a backup"
done
run redo -C bad fetch "$PWD/elsewhere"
expect_status 1
expect_stderr_has "1 is damaged ($id) [STORAGE_004]"
expect_stderr_has "'redo verify --repair-from=<source>'"
rm "$(place "$id")"
for command in "log" "log --no-cache" "state --no-cache" "export" "query tasks --no-cache"; do
  # shellcheck disable=SC2086 # words
  run redo -C bad $command
  expect_status 128
  expect_stderr_has "fatal: object '$id' is missing [STORAGE_004]"
  expect_stderr_has "hint: 'redo verify --repair-from=<source>' takes a good copy from another store, or a backup"
done
rm -rf bad/.redo/cache
run redo -C bad fetch "$PWD/elsewhere"
expect_status 1
expect_stderr_has "1 is missing ($id) [STORAGE_004]"
fresh
damage truncated "$id"
redo -C bad remote add backup ../good
fingerprint=$(sha256sum <"bad/.redo/objects/${id:7:2}/${id:9}")
run redo -C bad fetch backup
expect_status 0
expect_stderr "1 change that could not be read here is replaced by what 'backup' has"
expect_equal "$(sha256sum <bad/.redo/lost-found/object-"${id:7}"-*)" "$fingerprint" "what is kept"
run redo -C bad log --no-cache
expect_status 0
damage truncated "$id"
redo -C bad remote add away https://example.org/store
run redo -C bad log --no-cache
expect_stderr_has "hint: 'redo verify --repair-from=away' takes a good copy from there"
redo -C bad remote rm away >"$OUT"
run redo -C bad log --no-cache --json
expect_status 128
grep -q '"code":"STORAGE_004".*"hint":".redo verify --repair-from=backup. takes a good copy from there"' "$ERR" || fail "no code" <"$ERR"
run redo -C bad verify --repair-from=backup
expect_status 0
run redo -C bad log --no-cache
expect_status 0
for file in refs refs.journal reflog received; do
  fresh
  printf 'x' | dd of="bad/.redo/$file" bs=1 seek=3 conv=notrunc status=none
  command=log
  [ $file != reflog ] || command=reflog
  run redo -C bad $command
  expect_error 128 "$file' is corrupt at byte 0"
  expect_stderr_has ' [STORAGE_004]'
  expect_stderr_has "hint: 'redo verify' shows what is damaged, 'redo verify --repair-refs' repairs it"
  for other in "state" "export" "fetch $PWD/elsewhere"; do
    [ $file != reflog ] || continue
    # shellcheck disable=SC2086 # words
    run redo -C bad $other
    expect_error 128 "$file' is corrupt at byte 0"
    expect_stderr_has ' [STORAGE_004]'
    expect_stderr_has "'redo verify --repair-refs' repairs it"
  done
  run redo -C bad verify --repair-refs
  expect_status 0
  run redo -C bad $command
  expect_status 0
done
