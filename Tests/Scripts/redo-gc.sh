#!/bin/bash
# redo gc: what interrupted commands left goes; what anything knows of stays.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_some() {
  rm -rf store && redo init -q store
  redo -C store import -q "$VECTORS/app/redo_changes.json" >/dev/null
  redo -C store repack -q
  redo -C store gc -q
}
# The places of unfinished files, those of all writers.
PLACES="tmp_refs_0123456789abcdef tmp_config_0123456789abcdef tmp_trust_0123456789abcdef
  cache/tmp_0123456789abcdef keys/tmp_0123456789abcdef lost-found/tmp_0123456789abcdef
  objects/3f/tmp_obj_0123456789abcdef objects/pack/tmp_pack_0123456789abcdef archives/tmp_0123456789abcdef
  cache/snapshots/tmp_0123456789abcdef"
litter() { # litter <age, for date>
  local place
  for place in $PLACES; do
    mkdir -p "store/.redo/$(dirname "$place")"
    echo litter >"store/.redo/$place"
    touch -d "$1" "store/.redo/$place"
  done
}
# unknown <lines>: nodes are written that no ref names; their ids.
unknown() { redo -C store hash-object -w --ndjson; }

scene "unfinished files go once they are older than the grace, and no others"
make_some
litter '13 days ago'
before=$(fingerprint store)
run redo -C store gc
expect_status 0
expect_stdout ''
expect_untouched "$before" store
litter '15 days ago'
printf 'unfinished %s\n' $PLACES | sort >expected
run redo -C store gc -n
expect_status 0
sort "$OUT" | diff expected - || fail "other files" <"$OUT"
expect_equal "$(temporaries store)" "$(wc -l <expected)" "unfinished files"
run redo -C store gc
grep '^unfinished' "$OUT" | sort | diff expected - || fail "other files" <"$OUT"
expect_equal "$(temporaries store)" 0 "unfinished files"
litter '1 hour ago'
run redo -C store gc --json --grace=30m
expect_equal "$(grep -c '^{"path":"[^"]*tmp_[^"]*","what":"unfinished"}$' "$OUT")" "$(wc -l <expected)" "rows"
rmdir store/.redo/lost-found store/.redo/archives
expect_clean store

scene "what is no unfinished file stays: directories, links, other names"
make_some
mkdir store/.redo/objects/pack/tmp_pack_directory store/.redo/tmp_directory
ln -s config store/.redo/tmp_link
echo mine >store/.redo/mine
touch -h -d '1 year ago' store/.redo/{mine,tmp_link,tmp_directory} store/.redo/objects/pack/tmp_pack_directory
before=$(find store/.redo | sort)
run redo -C store gc
expect_status 0
expect_equal "$(find store/.redo | sort)" "$before" "the files"

scene "indexes without packs go, packs without indexes get one, empty directories go"
make_some
pack=$(basename store/.redo/objects/pack/*.pack .pack)
rm -f store/.redo/objects/pack/"$pack".idx
stray=objects/pack/pack-$(printf '%064d' 1).idx
: >"store/.redo/$stray"
mkdir store/.redo/objects/{00,7f}
run redo -C store gc
expect_status 0
expect_stdout <<END
index $stray
indexed ${pack#pack-} $(redo archive list "store/.redo/objects/pack/$pack.pack" | cut -d' ' -f2)
empty 2
END
expect_equal "$(ls store/.redo/objects)" $'info\nlock\npack' "the directories"
expect_clean store

scene "loose nodes are packed"
redo -C store import -q "$VECTORS/log/crossed.ndjson" >/dev/null
run redo -C store gc
expect_equal "$(cut -d' ' -f1 "$OUT" | paste -sd' ')" "packed loose empty" "the rows"
expect_equal "$(objects store)" 0 "loose objects"
expect_clean store

scene "nodes that nothing knows of stay, unless they are to be moved, and are old"
make_some
redo -C store export >known.ndjson
unknown <"$VECTORS/log/linear.ndjson" >ids
redo -C store hash-object -t blob -w --stdin <known.ndjson >blob
redo -C store cat-node --batch --batch-all-objects >all
run redo -C store gc -q
expect_status 0
expect_stderr ''
redo -C store cat-node --batch --batch-all-objects | cmp -s - all || fail "something is lost" </dev/null
run redo -C store gc --expire-to=old.redopack
expect_status 0
expect_stdout ''
[ ! -e store/old.redopack ] || fail "there is a file" </dev/null
run redo -C store gc -n --expire-to=old.redopack --grace=0s
expect_equal "$(sed -n 's/^expired //p' "$OUT" | sort)" "$(sort ids)" "the nodes"
redo -C store cat-node --batch --batch-all-objects | cmp -s - all || fail "something is lost" </dev/null
[ ! -e store/old.redopack ] || fail "there is a file" </dev/null

scene "then they are in the archive and nowhere else, and come back from it"
run redo -C store gc --expire-to=old.redopack --grace=0s
expect_status 0
expect_equal "$(sed -n 's/^expired //p' "$OUT" | sort)" "$(sort ids)" "the nodes"
run redo archive verify store/old.redopack
expect_status 0
redo -C store cat-node --strict --batch-check <ids >"$OUT" 2>"$ERR" && fail "they are there" <"$OUT"
expect_equal "$(grep -c ' missing$' "$OUT")" "$(wc -l <ids)" "missing nodes"
redo -C store cat-node --batch-check <blob | grep -q ' blob ' || fail "the blob is gone" </dev/null
redo -C store export | cmp -s - known.ndjson || fail "the history has changed" </dev/null
expect_clean store
redo archive extract store/old.redopack | redo -C store hash-object -w --ndjson | sort | cmp -s - <(sort ids) || fail "they do not come back" </dev/null
redo -C store cat-node --batch --batch-all-objects | cmp -s - all || fail "something is lost" </dev/null

scene "loose ones go too, also when known ones are in the same pack"
make_some
head -n 9 "$VECTORS/log/linear.ndjson" | unknown >ids
redo -C store repack -q -a
unknown <"$VECTORS/log/linear.ndjson" | sort >ids
run redo -C store gc -q --expire-to=old.redopack --grace=0s
expect_status 0
redo archive extract store/old.redopack | ids_of | sort | cmp -s - ids || fail "other nodes" </dev/null
redo -C store cat-node --batch-all-objects --batch-check='%(id)' | sort | comm -12 - ids >left
[ ! -s left ] || fail "some are there still" <left
redo -C store export | cmp -s - known.ndjson || fail "the history has changed" </dev/null
expect_clean store

scene "known is what any ref, any entry of the reflog, or the received log names, with all behind it"
make_some
last=$(redo -C store log -n 1 --format='%(id)')
unknown <"$VECTORS/log/linear.ndjson" >ids
redo -C store update-ref tags/kept "$(sed -n 5p ids)"
redo -C store update-ref tags/gone "$(sed -n 7p ids)"
redo -C store log --format='%(id)' tags/kept tags/gone >kept
redo -C store update-ref -d tags/gone
run redo -C store gc -n --expire-to=old.redopack --grace=0s
expect_equal "$(sed -n 's/^expired //p' "$OUT" | sort)" "$(grep -vxFf kept ids | sort)" "the nodes"
(($(wc -l <kept) > 2)) || fail "too few are kept" <kept
redo -C store update-ref -d "heads/$(redo -C store log -n 1 --format='%(task)')" 2>/dev/null
run redo -C store gc -q --expire-to=old.redopack --grace=0s
redo -C store cat-node --strict --batch-check <<<"$last" >"$OUT" || fail "a received node is gone" <"$OUT"
redo -C store reflog undo -q >/dev/null 2>&1

scene "a file that is there stays; nothing goes then"
make_some
unknown <"$VECTORS/log/linear.ndjson" >ids
echo mine >store/old.redopack
run redo -C store gc --expire-to=old.redopack --grace=0s
expect_status 128
expect_stderr_has "'old.redopack' is there already"
expect_equal "$(cat store/old.redopack)" mine "the file"
redo -C store cat-node --strict --batch-check <ids >"$OUT" || fail "some are gone" <"$OUT"

scene "while something is damaged or missing, no node is moved"
rm store/old.redopack
object=$(find store/.redo/objects -path '*/??/*' -type f | sort | head -1)
chmod u+w "$object" && truncate -s -1 "$object"
run redo -C store gc --expire-to=old.redopack --grace=0s
expect_status 1
expect_stderr_has "no node is moved while something is damaged or missing"
[ ! -e store/old.redopack ] || fail "there is a file" </dev/null
expect_equal "$(grep -c '^expired' "$OUT")" 0 "nodes"

# old <id>: the blob was written three weeks ago.
old() { touch -d '3 weeks ago' "store/.redo/objects/${1:7:2}/${1:9}"; }
# blob <text>: the id of an old blob with it.
blob() {
  local id
  id=$(redo -C store hash-object -t blob -w --stdin <<<"$1")
  old "$id"
  echo "$id"
}
raw() { redo cid --codec=raw <<<"$1"; } # raw <text>: the CID of the blob with it.
there() { redo -C store cat-node --batch-check <<<"$1" 2>/dev/null | grep -q ' blob '; }

scene "blobs go only on request, those that nothing names and that are old; each is told of before, with -n"
make_some
gone=$(blob gone) young=$(redo -C store hash-object -t blob -w --stdin <<<young)
tagged=$(blob tagged) untagged=$(blob untagged)
redo -C store update-ref tags/picture "$tagged"
redo -C store update-ref tags/other "$untagged"
redo -C store update-ref -d tags/other
inner=$(blob inner) outer=$(blob "a list of {\"$inner\"} and its CID $(raw deepest)") deepest=$(blob deepest)
redo -C store update-ref tags/list "$outer"
run redo -C store gc -v
expect_stdout ''
there "$gone" || fail "it is gone without a request" </dev/null
before=$(fingerprint store)
run redo -C store gc --blobs -n
expect_status 0
expect_stdout <<END
blob $gone 5
blobs 1 5
END
run redo -C store gc --blobs -n --json
expect_stdout <<END
{"bytes":5,"id":"$gone","what":"blob"}
{"blobs":1,"bytes":5,"what":"blobs"}
END
run redo -C store gc --blobs -n --grace=30d
expect_stdout ''
expect_untouched "$before" store
run redo -C store gc --blobs
expect_status 0
expect_equal "$(grep blob "$OUT")" "blobs 1 5" "the row"
! there "$gone" || fail "it is there" </dev/null
for id in "$young" "$tagged" "$untagged" "$inner" "$outer" "$deepest"; do there "$id" || fail "'$id' is gone" </dev/null; done
run redo -C store gc --blobs -v --grace=0s
expect_stdout <<END
blob $young 6
blobs 1 6
empty 1
END
expect_clean store

scene "what is written again is as young as if it were new"
again=$(blob again)
redo -C store hash-object -t blob -w --stdin <<<again >/dev/null
run redo -C store gc --blobs
expect_stdout ''
old "$again"
run redo -C store gc --blobs -q
expect_stdout ''
! there "$again" || fail "it is there" </dev/null

scene "checkpoints stay, each names the one before; so do the notes of an import"
make_some
redo -C store key generate >/dev/null 2>&1
redo -C store checkpoint create >/dev/null
redo -C store hash-object -w --ndjson --update-heads <"$VECTORS/log/linear.ndjson" >/dev/null
redo -C store checkpoint create >/dev/null
before=$(redo -C store cat-node --batch-all-objects --batch-check | grep -c ' blob ')
(($(redo -C store checkpoint list | wc -l) == 2)) || fail "there are not two checkpoints" </dev/null
find store/.redo/objects -path '*/??/*' -type f -exec touch -d '1 year ago' {} +
redo -C store gc -q --blobs
expect_equal "$(redo -C store cat-node --batch-all-objects --batch-check | grep -c ' blob ')" "$before" "blobs"
run redo -C store checkpoint verify
expect_status 0
expect_clean store

scene "while something that may name a blob is damaged or missing, none goes"
gone=$(blob gone)
redo -C store gc -q
cp -a store whole
pack=$(ls store/.redo/objects/pack/*.pack | head -1)
chmod u+w "$pack" && truncate -s -9 "$pack"
run redo -C store gc --blobs
expect_status 1
expect_stderr_has "no blob is removed while something that may name it is damaged, missing or away"
expect_stdout_lacks blob
there "$gone" || fail "it is gone" </dev/null
rm -r store && cp -a whole store
rm -f store/.redo/objects/pack/pack-*
run redo -C store gc --blobs
expect_status 1
expect_stderr_has "is missing"
expect_stderr_has "no blob is removed"
there "$gone" || fail "it is gone" </dev/null
rm -r store && cp -a whole store
echo "$PWD/nowhere" >store/.redo/objects/info/alternates
run redo -C store gc --blobs
expect_status 1
expect_stderr_has "/nowhere' is away"
there "$gone" || fail "it is gone" </dev/null

scene "what is only in a registered archive names blobs, too; while the archive is away, none goes"
rm -r store && cp -a whole store
redo -C store archive create --remove --before=2100-01-01 -o "$PWD/old.redopack" >/dev/null 2>&1
[ -e old.redopack ] || fail "there is no archive" </dev/null
mv old.redopack away.redopack
run redo -C store gc --blobs
expect_status 1
expect_stderr_has "old.redopack' is away"
there "$gone" || fail "it is gone" </dev/null
mv away.redopack old.redopack
run redo -C store gc --blobs
expect_status 0
expect_stdout_has "blobs 1 5"

scene "whoever writes is waited for"
make_some
if command -v python3 >/dev/null; then
  cat >hold.py <<'END'
import fcntl, os, struct, sys
fd = os.open("store/.redo/lock", os.O_RDWR)
fcntl.fcntl(fd, 37, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 1, 1, 0))  # F_OFD_SETLK
print("held", flush=True)
sys.stdin.read()
END
  coproc HOLD { python3 hold.py; }
  read -r -t 10 _ <&"${HOLD[0]}" || fail "the lock cannot be had" </dev/null
  run redo -C store -c core.lockTimeout=100 gc
  expect_error 75 "lock' is locked"
  exec {HOLD[1]}>&-
fi

scene "bad calls"
run redo -C store gc some
expect_status 129
for age in x -1d 2; do
  run redo -C store gc --grace="$age"
  expect_error 128 "not a valid age '$age'"
done
run redo -C store gc --expire-to=
expect_status 129
