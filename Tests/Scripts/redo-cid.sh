#!/bin/bash
# redo cid: bytes in, their content identifiers out; and back to ids.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ABC=bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu
ABC_ID=sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

scene "a filter: the CID of standard input, and by its own name"
printf abc >abc
run redo cid --codec=raw <abc
expect_status 0
expect_stdout "$ABC"
expect_stderr ''
run redo-cid --codec=raw abc
expect_stdout "$ABC"
run redo cid --codec=raw - <abc
expect_stdout "$ABC"

scene "every valid vector has the CID of its table, all in one call, and is checked"
grep '^valid/' "$VECTORS/cbor/EXPECTED.tsv" >rows
cut -f1 rows | sed "s|^|$VECTORS/cbor/|" >files
cut -f5 rows >cids
for option in --check --no-check; do
  # shellcheck disable=SC2046
  run redo cid $option $(cat files)
  expect_status 0
  expect_stdout_file cids
  expect_stderr ''
done

scene "every invalid one is refused by the rule and at the byte of its table, and has a CID all the same without --check"
while IFS=$'\t' read -r file verdict rule offset cid; do
  [ "$verdict" = invalid ] || continue
  run redo cid --check "$VECTORS/cbor/$file"
  expect_status 1
  expect_stdout ''
  expect_stderr_has "error: '$VECTORS/cbor/$file': $rule at byte $offset: "
  run redo cid "$VECTORS/cbor/$file"
  expect_status 0
done < <(grep -v '^#' "$VECTORS/cbor/EXPECTED.tsv")

scene "a file that is refused does not keep the others from being named"
printf '\240' >map
printf '\371\074\000' >half
run redo cid --check map half map
expect_status 1
expect_equal "$(wc -l <"$OUT")" 2 "CIDs"
expect_stderr_has "error: 'half': cbor-float at byte 0"
run redo cid --check <half
expect_status 1
expect_stderr_has "error: '<stdin>': cbor-float at byte 0"

scene "-d says what each stands for, in the order of arguments and lines"
run redo cid -d "$ABC" "$(redo cid map)"
expect_status 0
expect_stdout "$ABC_ID raw
sha256:$(sha256sum <map | cut -c1-64) dag-cbor"
run redo cid --decode --stdin "$ABC" < <(redo cid map)
expect_stdout "$ABC_ID raw
sha256:$(sha256sum <map | cut -c1-64) dag-cbor"
run redo cid -d --stdin -z < <(printf '%s\0' "$ABC" "$ABC")
expect_equal "$(tr '\0' '\n' <"$OUT")" "$ABC_ID raw
$ABC_ID raw" "rows that end with NUL"

scene "JSON says the same"
run redo cid --json --codec=raw abc
expect_stdout "{\"cid\":\"$ABC\",\"codec\":\"raw\",\"id\":\"$ABC_ID\",\"path\":\"abc\"}"
run redo cid --json -d "$ABC"
expect_stdout "{\"cid\":\"$ABC\",\"codec\":\"raw\",\"id\":\"$ABC_ID\"}"

scene "another program makes the same CIDs of random bytes, and reads ours"
if command -v python3 >/dev/null; then
  python3 - "$SEED" 200 >expected <<'PYTHON'
import base64, hashlib, os, random, sys
rnd = random.Random(sys.argv[1])
os.mkdir("random")
for number in range(int(sys.argv[2])):
    content = rnd.randbytes(rnd.choice([0, 1, 59, 4096]))
    with open(f"random/{number:03}", "wb") as file:
        file.write(content)
    raw = bytes([1, 0x55, 0x12, 0x20]) + hashlib.sha256(content).digest()
    print("b" + base64.b32encode(raw).decode().lower().rstrip("="), "sha256:" + raw[4:].hex(), "raw")
PYTHON
  run redo cid --codec=raw random/*
  expect_equal "$(cat "$OUT")" "$(cut -d' ' -f1 expected)" "CIDs"
  run redo cid -d --stdin < <(cut -d' ' -f1 expected)
  expect_equal "$(cat "$OUT")" "$(cut -d' ' -f2- expected)" "ids"
else
  skip "python3 is missing"
fi

scene "a CID is a name wherever an id is one: of a blob, of a node as CAR files have it, in batches, ranges and points"
make_store
expect_equal "$(redo hash-object -w -t blob abc)" "$ABC_ID" "the id"
a_node | redo import -q >/dev/null
NODE=$(redo log -n 1 --format='%(id)')
NODE_CID=$(redo cat-node --format='%(body)' "$NODE" | head -c -1 | redo cid --codec=raw)
expect_equal "$(redo cid -d "$NODE_CID")" "$NODE raw" "the id of the body's CID"
run redo cat-node blob "$ABC"
expect_stdout_file abc
run redo rev-parse "$NODE_CID" "$ABC"
expect_stdout "$NODE
$ABC_ID"
run redo cat-node --batch-check < <(printf '%s\n' "$ABC" "$NODE_CID" "$(printf abcd | redo cid --codec=raw)")
expect_status 0
expect_stdout "$ABC_ID blob 3
$(redo cat-node --batch-check <<<"$NODE")
$(printf abcd | redo cid --codec=raw) missing"
run redo log --format='%(id)' "$NODE_CID"
expect_stdout "$NODE"
run redo state --as-of="$NODE_CID"
expect_stdout_file <(redo state -q --as-of="$NODE")
run redo show --format='%(id)' "$NODE_CID"
expect_stdout "$NODE"

scene "no other spelling is a CID"
for word in '' b "${ABC%?}" "${ABC}a" "${ABC^^}" "B${ABC#b}" "f01551220${ABC_ID#sha256:}" QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG \
  bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi "$ABC_ID" "${ABC%u}v" $'b\033[31m'; do
  run redo cid -d "$word" "$ABC"
  expect_status 1
  expect_stdout "$ABC_ID raw"
  expect_equal "$(wc -l <"$ERR")" 1 "lines of messages"
  expect_stderr_has "is no CID"
  ! grep -q $'\033' "$ERR" || fail "an escape sequence in the message" <"$ERR"
done

scene "what cannot be meant is a mistake"
for words in "-d" "-d --check $ABC" "-d --codec=raw $ABC" "--check --codec=raw abc" "--stdin abc" "--codec=json abc"; do
  # shellcheck disable=SC2086
  run redo cid $words
  expect_status 129
  expect_stdout ''
  expect_stderr_has "usage: redo-cid"
done

scene "what is no file is one clear error"
run redo cid missing abc
expect_error 128 "'missing'"
run redo cid --codec=raw abc missing
expect_status 128
expect_stdout "$ABC"
run redo cid .
expect_error 128 "'.' is a directory"
mkfifo pipe
run timeout 60 redo cid pipe
expect_error 128 "'pipe' is a named pipe"
truncate -s 16777217 large
run redo cid --check large
expect_error 128 "'large'"
run redo cid large
expect_status 0

scene "/dev/full is a failed write, and said so"
run sh -c 'redo cid abc >/dev/full'
expect_error 128 "write error"
