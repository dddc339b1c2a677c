#!/bin/bash
# redo import --from=v0: a log of before version 1 becomes one of today.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

OLD=$VECTORS/v0

heads_of() { redo -C "$1" log --format='%(id) %(task) %(parents)' | awk '
  { id[$1] = $2; for (i = 3; i <= NF; i++) covered[$i] } END { for (i in id) if (!(i in covered)) print i, id[i] }' | sort -k2,2 -k1,1; }

scene "every layout that was given up becomes the same nodes, and is named"
while IFS=$'\t' read -r file verdict layout changes flat signatures; do
  [ "$verdict" = converted ] || continue
  rm -rf store && redo init -q store
  run redo -C store import --from=v0 "$OLD/$file"
  expect_status 0
  expect_stdout "$changes"
  case $layout in
  list) name='changes_{userId}.json' ;;
  documents) name='users/{uid}/changes' ;;
  esac
  expect_stderr_has "imported $changes new changes"
  expect_stderr_has "converted $changes from '$name'; $flat had flat data"
  expect_stderr_has "$signatures signatures do not hold over the new forms, and are kept in 'notes/v0/"
  # What the app's sample does too: the time stays as it is.
  expect_stderr_has "wall-precision at /timestamp/wall"
  redo -C store cat-node --batch='%(kind)' --batch-all-objects | grep '^{"action"' | sort >found
  sort "$OLD/nodes.ndjson" | diff - found >difference || fail "other nodes from $file" <difference
  heads_of store | diff "$OLD/heads.txt" - >difference || fail "other heads from $file" <difference
  run redo -C store verify --all
  ! grep -qv '^N ' "$OUT" || fail "more than unsigned nodes" <"$OUT"
  # The notes, which a ref names by their hash.
  note=$(grep -ao 'notes/v0/[0-9a-f]*' store/.redo/refs.journal)
  run redo -C store cat-node blob "sha256:${note##*/}"
  expect_status 0
  if [ "$file" = documents-nested.json ]; then
    # There the path alone tells the id.
    sed 's/"oldId":"sha256:/"oldId":"/g' "$OLD/notes.json" >notes
  else
    cp "$OLD/notes.json" notes
  fi
  expect_stdout_file notes
done <"$OLD/EXPECTED.tsv"

scene "without --from=v0 it is refused, and its layout is named once"
rm -rf store && redo init -q store
before=$(fingerprint store)
while IFS=$'\t' read -r file verdict layout _; do
  [ "$verdict" = converted ] || continue
  run redo -C store import "$OLD/$file"
  expect_status 1
  [ "$layout" = list ] && name='changes_{userId}.json' || name='users/{uid}/changes'
  hint="hint: '$OLD/$file' looks like a log of before version 1, of the layout '$name': 'redo import --from=v0' converts it"
  expect_stderr_has "$hint"
  [ "$(grep -c 'looks like a log' "$ERR")" = 1 ] || fail "told more than once" <"$ERR"
  expect_untouched "$before" store
done <"$OLD/EXPECTED.tsv"
# What is only damaged is not taken for one.
for file in member-unknown--top member-missing--version; do
  run redo -C store import "$VECTORS/node/invalid/$file.json"
  expect_status 1
  ! grep -q 'looks like a log' "$ERR" || fail "a node is taken for an old log" <"$ERR"
done

scene "what is refused names the rule and the place, and nothing is written"
rm -rf store && redo init -q store
before=$(fingerprint store)
while IFS=$'\t' read -r file verdict rule _; do
  [ "$verdict" = refused ] || continue
  run redo -C store import --from=v0 "$OLD/$file"
  expect_status 1
  expect_stdout ''
  expect_stderr_has "error: '$OLD/$file', byte '"
  expect_stderr_has "$rule"
  expect_untouched "$before" store
done <"$OLD/EXPECTED.tsv"

scene "--salvage takes the changes whose parents are here"
run redo -C store import --from=v0 --salvage "$OLD/missing-parent.json"
expect_status 1
expect_stdout 4
expect_stderr_has "imported 4 new changes, 4 refused"
grep -ao 'notes/v0/[0-9a-f]*' store/.redo/refs.journal >note
redo -C store cat-node blob "sha256:$(cut -d/ -f3 note)" | grep -o '"id":"[^"]*' | cut -d'"' -f4 | sort >noted
redo -C store log --format='%(id)' | sort | cmp -s - noted || fail "notes of what is not here" <noted
expect_clean store

scene "a second time nothing is new, and nothing changes"
rm -rf store && redo init -q store
redo -C store import -q --from=v0 "$OLD/documents-typed.json" >"$OUT"
before=$(fingerprint store)
run redo -C store import --from=v0 "$OLD/wrapped.json"
expect_status 0
expect_stdout 0
expect_stderr_has "imported 0 new changes, 9 known"
expect_untouched "$before" store

scene "what copies say of when a remote first had a change is kept for the new id, from every layout that has it"
for file in documents-typed documents-nested documents-by-path documents-collections; do
  rm -rf store && redo init -q store
  redo -C store import -q --from=v0 "$OLD/$file.json" >"$OUT" 2>"$ERR"
  redo -C store log --format='%(id)' | redo -C store show --stdin | grep '^Created' | sort | uniq -c >found
  expect_equal "$(xargs <found)" '9 Created: 2024-11-02T08:00:00.000Z (as a remote says)' "the times from $file"
done

scene "-n judges everything and writes nothing; --json is one row"
rm -rf store && redo init -q store
before=$(fingerprint store)
run redo -C store import -n --json -q --from=v0 "$OLD/documents-by-path.json"
expect_status 0
expect_stderr ''
expect_stdout_has '{"converted":9,"flatData":4,"healed":0,"known":0,"layouts":{"changes_{userId}.json":0,"users/{uid}/changes":9},"new":9,"notes":"notes/v0/'
expect_stdout_has '","refused":0,"signaturesNoted":8,"upgraded":0}'
expect_untouched "$before" store
run redo -C store import --json -q "$VECTORS/log/linear.ndjson"
expect_stdout '{"healed":0,"known":0,"new":18,"refused":0,"upgraded":0}'

scene "several inputs are one log: a parent may stand in another file"
rm -rf store parts && redo init -q store && mkdir parts
head -4 "$OLD/children-first.ndjson" >parts/a.ndjson
tail -n +5 "$OLD/children-first.ndjson" >parts/b.ndjson
run redo -C store import -q --from=v0 ../parts
expect_status 0
expect_stdout 9
run redo -C store import -q --from=v0 <"$OLD/children-first.ndjson"
expect_stdout 0

scene "the converted log goes out and comes back as any other"
redo -C store export >nodes.ndjson
redo init -q back
run redo -C back import -q <nodes.ndjson
expect_stdout 9
redo -C back export | cmp -s nodes.ndjson - || fail "it comes back otherwise" <nodes.ndjson

scene "an unchanged change keeps its signature"
rm -rf store && redo init -q store
a_node 1 >node.json
run redo -C store import --from=v0 "$PWD/node.json"
expect_status 0
expect_stderr_lacks "signature"
run redo -C store verify --all
expect_stdout_has "G $(ids_of <node.json)"

scene "what is no log of version 0"
printf 'bvx2 and so on' >lzfse
run redo -C store import --from=v0 "$PWD/lzfse"
expect_error 128 "is compressed with LZFSE"
expect_stderr_has "hint: the app's own export"
head -c 2000 "$OLD/documents-nested.json" >cut.json
run redo -C store import --from=v0 "$PWD/cut.json"
expect_error 128 "json-syntax at byte 2000"
expect_stderr_has "[STORAGE_003]"
run redo -C store import --from=v0 <<<'{"users":{"1":{"ownedNodes":[]}}}'
expect_status 0
expect_stdout 0
expect_stderr_has "warning: '<stdin>' has no changes"
run redo -C store import --from=v0 <<<'[]'
expect_status 0
expect_stdout 0
expect_stderr 'imported 0 new changes'
run redo -C store import --from=v2 "$OLD/wrapped.json"
expect_status 129
expect_stderr_has "option '--from' expects one of v0, v1"
run redo -C store import --from=v0 --json "$PWD/cut.json"
expect_status 128
expect_stderr_has '"code":"STORAGE_003"'
