#!/bin/bash
# redo wipe with packs: what goes is in no pack any more; what stays is there, byte for byte.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_family() {
  rm -rf family && redo init -q family && redo -C family import -q "$VECTORS/app/redo_changes.json" >/dev/null
}
packs() { find family/.redo/objects/pack -name 'pack-*.pack' | sort; }
# in_packs: the ids of all nodes in packs, read from the files of the packs.
in_packs() { for pack in $(packs); do redo archive extract "$pack" | ids_of; done | sort -u; }
make_family
redo -C family export >family.ndjson
ADA=$(redo -C family log --format='%(author:userid)' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
redo -C family log --sort=order --reverse --format='%(id) %(author:userid) %(parents)' | awk -v "ada=$ADA" '
  { goes = $2 == ada; for (i = 3; i <= NF; i++) if ($i in gone) goes = 1; if (goes) { gone[$1]; print $1 } }' | sort >goes
redo -C family log --format='%(id)' | grep -vxFf goes | sort >stays
[ -s goes ] && [ -s stays ] || fail "the log shows nothing" </dev/null

# expect_wiped: what goes is nowhere, what stays is as it was.
expect_wiped() {
  expect_equal "$(comm -12 goes <(in_packs) | wc -l)" 0 "nodes in packs that should have gone"
  redo -C family cat-node --batch-all-objects --batch-check='%(id)' | sort | cmp -s - stays || fail "other objects" </dev/null
  redo -C family log --format='%(id)' | sort | cmp -s - stays || fail "another history" </dev/null
  grep -Ff <(sed 's/^/"id":"/' stays) family.ndjson | cmp -s - <(redo -C family export) || fail "what stays has changed" </dev/null
  for pack in $(packs); do
    [ -e "${pack%.pack}.idx" ] || fail "a pack has no index" <<<"$pack"
  done
  expect_equal "$(find family/.redo/objects/pack -name '*.idx' | wc -l)" "$(packs | wc -l)" "indexes"
  expect_clean family
}

scene "-n lists the same whether nodes are loose or packed, and changes nothing"
redo -C family wipe -n --author="$ADA" >loose 2>loose.note
redo -C family repack -q
before=$(fingerprint family)
run redo -C family wipe -n --author="$ADA"
expect_status 0
expect_stdout_file loose
expect_stderr "$(cat loose.note)"
expect_untouched "$before" family

scene "packs are written anew without them"
old=$(packs)
run redo -C family wipe --yes --author="$ADA"
expect_status 0
expect_stdout_file loose
[ ! -e "$old" ] || fail "the old pack is there" <<<"$old"
expect_equal "$(in_packs | cmp - stays && packs | wc -l)" 1 "packs"
expect_wiped

scene "what was wiped is new when it comes again"
run redo -C family import -q ../family.ndjson
expect_stdout "$(wc -l <goes)"
redo -C family export | cmp -s - family.ndjson || fail "another history" </dev/null

scene "several packs, loose copies beside them, leftovers of others"
make_family
rm -rf family && redo init -q family
head -n 20 family.ndjson | redo -C family import -q >/dev/null
redo -C family repack -q
head -n 24 family.ndjson | redo -C family import -q >/dev/null
redo -C family repack -q
redo -C family import -q ../family.ndjson >/dev/null
expect_equal "$(packs | wc -l)" 2 "packs"
id=$(sed 's/sha256://' goes | head -1)
rm -rf apart && redo init -q apart && redo -C apart import -q ../family.ndjson >/dev/null
mkdir -p "family/.redo/objects/${id:0:2}" && cp "apart/.redo/objects/${id:0:2}/${id:2}" "family/.redo/objects/${id:0:2}/"
cp "$(packs | head -1)" family/.redo/objects/pack/tmp_pack_0123456789abcdef
: >"family/.redo/objects/pack/pack-$(printf '%064d' 7).idx"
run redo -C family wipe -q --yes --author="$ADA"
expect_status 0
expect_wiped

scene "a pack of nothing else is gone"
run redo -C family wipe -q --yes $(redo -C family log --format='--author=%(author:userid)' | sort -u)
expect_status 0
expect_equal "$(packs)$(find family/.redo/objects/pack -name '*.idx')" '' "packs"
expect_clean family

scene "--all removes all packs and the list of archives"
make_family
redo -C family repack -q
run redo -C family wipe -q --yes --all
expect_status 0
expect_equal "$(ls family/.redo/objects/pack)" lock "what is left"
[ ! -e family/.redo/archives ] || fail "there are archives" </dev/null
expect_clean family

scene "a damaged pack stays, is named, and the status is 1; repaired, it goes"
make_family
redo -C family repack -q
pack=$(packs)
cp "$pack" good.pack
chmod u+w "$pack" && printf 'xxxx' | dd of="$pack" bs=1 seek=2000 conv=notrunc 2>/dev/null
run redo -C family wipe --yes --author="$ADA"
expect_status 1
expect_stderr_has "wiped 0 changes"
expect_stderr_has "stays, its author is not known"
[ -e "$pack" ] || fail "it is gone" </dev/null
redo -C family import -q ../family.ndjson >/dev/null
run redo -C family wipe --yes --author="$ADA"
expect_status 1
expect_stderr_has "$(basename "$pack")"
[ -e "$pack" ] || fail "it is gone" </dev/null
redo -C family log --format='%(id)' | sort | cmp -s - stays || fail "another history" </dev/null
cp good.pack "$pack"
run redo -C family wipe -q --yes --author="$ADA"
expect_status 0
expect_wiped

scene "a registered archive that has them is named, and the status is 1"
make_family
redo -C family archive create -q -o old.redopack >/dev/null
redo -C family archive register -q old.redopack || fail "it cannot be registered" </dev/null
run redo -C family wipe --yes --author="$ADA"
expect_status 1
expect_stderr_has "old.redopack' keeps $(wc -l <goes) of these objects; it is only read"
redo -C family log --format='%(id)' | sort | cmp -s - stays || fail "another history" </dev/null
run redo -C family wipe -q --yes --all
expect_status 0
[ ! -e family/.redo/archives ] || fail "there are archives" </dev/null
[ -e family/old.redopack ] || fail "the file is gone" </dev/null
