#!/bin/bash
# Receipts in archives, and receipts of a point in time; an independent reader looks at the files, and Python works out what
# belongs to each point.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_python "receipts in archives" dag_cbor nacl rfc8785
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
read_pack() { "$PYTHON" "$TESTS/Oracle/read_pack.py" "$@"; }
plain() { sed 's/,"received":[0-9]*//' "$@" | sort; }
cids() { sed 's/.*"cid":"\([a-z0-9]*\)".*/\1/' "$@" | sort; }
chains() { redo -C "$1" show-ref | grep ' receipts/' | sort; }
heads() { chains "$1" | sha256sum; }
# at <lines> <claimed|received> <ms> <lines with times>: the CIDs of the receipts of a point in time, worked out from the lines.
at() {
  "$PYTHON" - "$@" <<'EOF'
import base64, json, sys
import dag_cbor
lines, clock, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = {}
for text in open(lines):
    line = json.loads(text)
    receipt = dag_cbor.decode(base64.b64decode(line["cbor"]))
    claimed = dag_cbor.decode(receipt["payload"]).get("claimed_time_ms", 0)
    rows[line["cid"]] = (line["received"] if clock == "received" else claimed, receipt.get("parentCID"))
    if receipt["receiptType"] == "redo.device.registered/v1":
        # What signatures are checked with belongs to every point.
        rows[line["cid"]] = (0, None)
def counts(cid):
    while cid:
        time, cid = rows[cid]
        if time > limit:
            return False
    return True
print("\n".join(sorted(cid for cid in rows if counts(cid))))
EOF
}

made --many=200 --seed=7 --precise >lines
redo init -q own
redo -C own import -q <lines >/dev/null
redo -C own import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo -C own export -q --kind=receipt --include-precise | plain >all
redo -C own export -q --kind=receipt 2>/dev/null | plain >leaves
expect_equal "$(sort lines | sha256sum)" "$(sha256sum <all)" "the store"

scene "receipts become one archive, without those that tell a precise place, which is said"
run redo -C own archive create --kind=receipt -o some.pack
expect_status 0
expect_stderr_has "$(($(wc -l <all) - $(wc -l <leaves))) receipts left out: precise places, and what follows them"
read_pack own/some.pack | sort >read
expect_equal "$(sha256sum <read)" "$(sha256sum <leaves)" "what the independent reader finds"
run redo -C own archive create --kind=receipt --include-precise -o whole.pack
expect_status 0
expect_stderr ''
read_pack own/whole.pack | sort >read
expect_equal "$(sha256sum <read)" "$(sha256sum <all)" "what the independent reader finds"
run redo -C own archive list --json whole.pack
expect_stdout_has '"kind":"receipt"'

scene "an archive of nodes tells that receipts have no part in it, and is the same as in a store without any"
run redo -C own archive create -o nodes.pack
expect_status 0
expect_stderr "$(chains own | awk '{print $2}' | sort -u | wc -l) chains of receipts left out; '--kind=receipt' archives receipts"
redo init -q alone
redo -C alone import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo -C alone archive create -q -o nodes.pack >/dev/null
cmp -s own/nodes.pack alone/nodes.pack || fail "another archive" </dev/null

scene "the same receipts make the same archive, in whatever order they came"
redo init -q other
shuf --random-source="$REDO_BIN" lines | redo -C other import -q >/dev/null
redo -C other archive create -q --kind=receipt --include-precise -o whole.pack >/dev/null
cmp -s own/whole.pack other/whole.pack || fail "another archive" </dev/null

scene "verify finds each receipt good by the cards in the archive, wherever they stand, and what is damaged or disputed"
run redo -C own archive verify some.pack
expect_status 0
expect_stdout ''
run redo -C own archive verify whole.pack
expect_status 0
expect_equal "$(grep -cv '^G ' "$OUT")" 0 "receipts that are not good"
expect_stderr_has receipt-precise
run redo -C own archive verify --profile=sync whole.pack
expect_status 1
expect_stdout_has receipt-precise
{
  made --did=did:phone:1 --many=5
  made --did=did:phone:1 --type=card --key-of=eve --by=eve --claimed=1720000000000
} >two
redo init -q disputed
redo -C disputed import -q <two >/dev/null 2>&1
redo -C disputed archive create -q --kind=receipt -o two.pack >/dev/null
run redo -C disputed archive verify two.pack
expect_equal "$(grep -c '^E ' "$OUT")" "7" "receipts of a device with two keys"
cp own/whole.pack damaged.pack
alter damaged.pack 2000
run redo archive verify damaged.pack
expect_status 1
expect_stderr_has damaged.pack

scene "show and extract take CIDs; what comes out is what went in"
cid=$(head -n 3 leaves | tail -n 1 | cids)
run redo archive extract own/whole.pack "$cid"
expect_status 0
expect_stdout "$(grep "\"cid\":\"$cid\"" all)"
redo archive show own/whole.pack "$cid" >shown
expect_equal "$(redo cid shown)" "$cid" "the CID of what is shown"
run redo archive show -p own/whole.pack "$cid"
expect_status 0
expect_stdout_has '"receiptType"'
redo archive extract own/whole.pack | sort >read
expect_equal "$(sha256sum <read)" "$(sha256sum <all)" "what is extracted"
redo init -q taker
run redo -C taker import "$PWD/own/whole.pack"
expect_status 0
redo -C taker export -q --kind=receipt --include-precise | plain >read
expect_equal "$(sha256sum <read)" "$(sha256sum <all)" "what is imported"
run redo -C taker archive diff "$PWD/own/whole.pack"
expect_status 0

scene "an increment has what is new, says what it needs, and import says so too"
made --text=later --claimed=1720000000000 >later
redo -C own import -q <later >/dev/null
run redo -C own archive create --kind=receipt --include-precise --since=whole.pack -o new.pack
expect_status 0
expect_equal "$(read_pack own/new.pack)" "$(cat later)" "the increment"
root=$(cids later)
made --type=edited --text=edit --parent="$root" --root="$root" --claimed=1720000000001 >edit
redo -C own import -q <edit >/dev/null
run redo -C own archive create --kind=receipt --since=whole.pack --since=new.pack -o edit.pack
expect_status 0
expect_stderr_has "needs 'new.pack'"
expect_equal "$(read_pack own/edit.pack)" "$(cat edit)" "the increment"
run redo -C own archive bundle --kind=receipt -o bundle.pack "$(cids edit)" "^$root"
expect_status 0
cmp -s own/bundle.pack own/edit.pack || fail "another archive" </dev/null
redo init -q lacking
run redo -C lacking import "$PWD/own/edit.pack"
expect_status 1
run redo -C own archive verify --prerequisites edit.pack
expect_status 0

scene "an archive for each month by claimed time; each with those before it is closed"
run redo -C own archive create -q --kind=receipt --include-precise --split=year -o part.pack
expect_status 0
for part in own/part-*.pack; do read_pack "$part"; done | sort >read
expect_equal "$(sha256sum <read)" "$(sort all later edit | sha256sum)" "all parts together"
redo init -q joined
for part in own/part-*.pack; do
  run redo -C joined import -q "$PWD/$part"
  expect_status 0
done
expect_equal "$(heads joined)" "$(heads own)" "the heads"

scene "receipts are taken out of the store into a registered archive, and brought back"
list=$(redo -C own receipt list)
run redo -C own archive create -n --kind=receipt --include-precise --remove
expect_stderr_has "would take 203 receipts out of the store"
run redo -C own archive create --kind=receipt --include-precise --remove -o away.pack
expect_status 0
expect_stderr_has "took 203 receipts out of the store"
expect_equal "$(redo -C own receipt list)" "$list" "the list"
run redo -C own verify
expect_status 0
expect_equal "$(grep -cv '^warning receipt-precise ' "$OUT")" 0 "what else is said"
run redo -C own verify --all
expect_status 0
run redo -C own gc -q
expect_status 0
expect_equal "$(redo -C own receipt list)" "$list" "the list"
mv own/away.pack hidden.pack
run redo -C own receipt list
expect_status 128
expect_stderr_has away.pack
run redo -C own archive create -q --kind=receipt -n
expect_status 128
run redo -C own log --format='%(id)'
expect_status 0
mv hidden.pack own/away.pack
run redo -C own archive forget away.pack
expect_status 128
expect_stderr_has 203
run redo -C own archive restore away.pack
expect_status 0
expect_stderr_has "203 receipts are in the store again"
expect_equal "$(redo -C own receipt list)" "$list" "the list"
rm own/away.pack
run redo -C own verify --all
expect_status 0

scene "archives of receipts are pruned like others: what is nowhere else stays"
redo -C own archive create -q --kind=receipt --include-precise -o last.pack >/dev/null
run redo -C own archive prune --keep-last=1 new.pack edit.pack
expect_status 0
expect_stdout_has prerequisite
run redo -C own archive prune --keep-last=1 some.pack new.pack
expect_status 1
expect_stderr_has some.pack
[ -e own/some.pack ] || fail "something is lost" </dev/null
run redo -C own archive prune --keep-last=1 whole.pack some.pack new.pack edit.pack last.pack
expect_status 0
for file in whole some new; do [ ! -e "own/$file.pack" ] || fail "'$file.pack' is kept" <"$OUT"; done
read_pack own/last.pack | sort >read
expect_equal "$(sha256sum <read)" "$(sort all later edit | sha256sum)" "what stays"

scene "a sealed archive of receipts needs its key"
redo -C own key generate >/dev/null 2>&1
run redo -C own archive create -q --kind=receipt -r "$(redo -C own key show --public)" -o sealed.pack
expect_status 0
head -c 21 own/sealed.pack | grep -q age-encryption || fail "it is no age file" </dev/null
run redo -C own archive verify sealed.pack
expect_status 0
expect_stdout ''
run env -C "$WORK/home" redo archive verify "$PWD/own/sealed.pack"
expect_status 77
expect_stderr_has sealed.pack

scene "who wants nodes refuses an archive of receipts by name, and the other way round"
run redo --archive=own/last.pack log
expect_status 128
expect_stderr_has own/last.pack
run redo -C own archive create --include-precise -o x.pack
expect_status 129
run redo -C own archive create --kind=blob -o x.pack
expect_status 129
run redo -C own archive create --kind=receipt --remote=there -o x.pack
expect_status 129

scene "a CAR file of receipts: each is a block with its own CID, and comes back as it went"
redo -C own export -q --kind=receipt --include-precise | plain >plain
run redo -C own export --kind=receipt --include-precise --format=car -o ../receipts.car
expect_status 0
"$PYTHON" "$TESTS/Oracle/read_car.py" receipts.car | sort >read || fail "the independent reader refuses it" </dev/null
expect_equal "$(sha256sum <read)" "$(sha256sum <plain)" "what the independent reader finds"
redo init -q blocks
run redo -C blocks import ../receipts.car
expect_status 0
expect_equal "$(redo -C blocks export -q --kind=receipt --include-precise | plain | sha256sum)" "$(sha256sum <plain)" "what is imported"
expect_equal "$(heads blocks)" "$(heads own)" "the heads"
run redo compare own receipts.car
expect_status 1
expect_equal "$(grep -c '^>' "$OUT")" 0 "what only the file has"
run redo -C own export --kind=receipt --format=car -q
expect_equal "$("$PYTHON" "$TESTS/Oracle/read_car.py" "$OUT" | sort | sha256sum)" \
  "$(redo -C own export -q --kind=receipt | plain | sha256sum)" "without precise places"
cp receipts.car broken.car
alter broken.car $(($(stat -c %s broken.car) / 2))
redo init -q careful
run redo -C careful import ../broken.car
[ "$STATUS" -ne 0 ] || fail "a damaged file is taken" <"$ERR"
expect_equal "$(redo -C careful show-ref | wc -l)" 0 "refs"

scene "a store of a point in time has its receipts, by claimed or received time, with the times at which they came"
redo -C own export -q --kind=receipt --include-precise >timed
claimed=$(redo -C own receipt list --order=claimed --show-deleted | awk -F'\t' '$4 != "-" { print $4 }' | sed -n '100p')
ms=$("$PYTHON" -c 'import sys, datetime; print(round(datetime.datetime.fromisoformat(sys.argv[1].replace("Z", "+00:00")).timestamp() * 1000))' "$claimed")
run redo -C own recover --to="$claimed" -o ../then
expect_status 0
redo -C then export -q --kind=receipt --include-precise >there
expect_equal "$(cids there)" "$(at timed claimed "$ms")" "the receipts of that time"
expect_equal "$(sort there)" "$(grep -Ff <(cids there) timed | sort)" "their bytes and times of receipt"
expect_stderr_has "$(wc -l <there) receipts of"
run redo -C then verify --all
expect_status 0
expect_equal "$(redo -C then config core.format)" 2 "the format"
run redo -C own recover --to="$claimed" --policy=received --allow-empty -o ../by-receipt
expect_status 0
expect_equal "$(redo -C by-receipt export -q --kind=receipt 2>/dev/null | wc -l)" 0 "what had been received by then"
run redo -C own recover --to=now --policy=received -o ../now
expect_status 0
expect_equal "$(redo -C now export --kind=receipt --include-precise | sha256sum)" "$(sha256sum <timed)" "the present"
expect_equal "$(redo -C now state --json)" "$(redo -C own state --json)" "the state"

scene "only one kind, on request; a receipt is a point, too"
run redo -C own recover --to=now --kind=node -o ../nodes
expect_status 0
expect_equal "$(redo -C nodes show-ref | grep -c receipts/)" 0 "chains"
run redo -C own recover --to=now --kind=receipt -o ../receipts
expect_status 0
expect_equal "$(redo -C receipts show-ref | grep -c heads/)" 0 "tasks"
expect_equal "$(heads receipts)" "$(heads own)" "chains"
run redo -C own recover --to="$(cids edit)" --kind=receipt -o ../one
expect_status 0
expect_stderr_has "1 device card from later taken along"
expect_equal "$(redo -C one export -q --kind=receipt | plain)" "$(head -n 1 lines | cat - later edit | sort)" "a receipt and what it follows"
run redo -C own recover --to=lamport:2 -o ../logical
expect_status 0
expect_stderr_has "chains of receipts left out: they have no place at this point"
run redo -C own recover --to=lamport:2 --kind=receipt -o ../x
expect_status 129
run redo -C own recover --in-place --kind=receipt --to=now
expect_status 129
run redo -C own recover --to=1970-01-01 --kind=receipt -o ../x
expect_status 128

scene "refs of a point in time, and the heads moved back; the reflog undoes it"
run redo -C own recover --to="$claimed" --write-ref=old
expect_status 0
expect_equal "$(redo -C own show-ref | grep ' recovered/old/receipts/' | sed 's,recovered/old/,,' | sort | sha256sum)" "$(heads then)" "the refs"
run redo -C own recover --to=now --write-ref=old
expect_status 1
before=$(heads own)
run redo -C own recover --to="$claimed" --local -n
expect_status 0
expect_equal "$(heads own)" "$before" "the heads"
run redo -C own recover --to="$claimed" --local --kind=receipt
expect_status 0
expect_stderr_has "$((203 - $(wc -l <there)))"
expect_equal "$(heads own)" "$(heads then)" "the heads"
expect_equal "$(redo -C own state --json)" "$(redo -C now state --json)" "the state"
run redo -C own reflog undo
expect_status 0
expect_equal "$(heads own)" "$before" "the heads"

scene "a receipt whose bytes are damaged is not recovered, and nothing is left"
redo init -q loose
head -n 1 lines | cat - later edit | redo -C loose import -q >/dev/null
hex=$(redo -C loose receipt show --json "$(cids edit)" | sed 's/.*"id":"sha256:\([0-9a-f]*\)".*/\1/')
file=loose/.redo/objects/${hex:0:2}/${hex:2}
chmod u+w "$file"
alter "$file" 20
run redo -C loose recover --to=now -o ../broken
expect_status 128
expect_stderr_has "$hex"
[ ! -e broken ] || fail "something is left" < <(find broken)
run redo -C loose recover --to=now --write-ref=broken
expect_status 128
expect_equal "$(redo -C loose show-ref | grep -c recovered)" 0 "refs"
