#!/bin/bash
# redo-formats(7): what a release makes of forms of a version that it does not know.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 60 >all.ndjson
redo init -q store
redo -C store key generate >/dev/null 2>&1
redo -C store import -q "$PWD/all.ndjson" >/dev/null
redo -C store repack -q
redo -C store commit create -q --title=loose >/dev/null
redo -C store archive create -q -o "$PWD/old.pack" $(redo -C store log --format='%(id)' | tail -n 3) >"$OUT" 2>&1
redo -C store log >log.good
redo -C store state --json >state.good

# newer <file>: the number of the version in its first line is 9.
newer() {
  cp "$1" kept
  chmod u+w "$1"
  sed -i '1s/^\(redo-[a-z]* \)[0-9]/\19/' "$1"
  cmp -s "$1" kept && fail "'$1' has no version" </dev/null
  cp "$1" changed
}
older() { cp -f kept "$1"; }

scene "refs and journal of a later version: nothing is written, and what is refused is named"
for name in refs refs.journal; do
  newer "store/.redo/$name"
  run redo -C store commit create -q --title=more
  expect_status 128
  expect_stderr_has "$name"
  run redo -C store verify
  [ "$STATUS" -ne 0 ] || fail "verify finds nothing in '$name'" <"$OUT"
  cmp -s "store/.redo/$name" changed || fail "'$name' was changed" </dev/null
  older "store/.redo/$name"
done
for name in refs refs.journal; do
  newer "store/.redo/$name"
  run redo -C store log
  expect_status 128
  expect_stderr_has "$name"
  older "store/.redo/$name"
done

scene "the journal and the reflog of a store of nodes have only the lines that release 0.1 knows"
grep -qF 'format = 1' store/.redo/config || fail "the store has another format" <store/.redo/config
grep -av '^redo-\(journal\|reflog\) 1\|^@[0-9a-f]\{8\} \|^entry [0-9]\|^[-+] sha256:\|^message \|^chain ' \
  store/.redo/refs.journal store/.redo/reflog >lines
[ ! -s lines ] || fail "0.1 takes these for damage" <lines

scene "a store of a later format is refused, for reading as well"
sed -i.kept 's/format = [0-9]*/format = 9/' store/.redo/config
run redo -C store log
expect_status 128
expect_stderr_has "9"
run redo -C store commit create -q --title=more
expect_status 128
mv store/.redo/config.kept store/.redo/config

scene "logs of a later version are named, and stay as they are"
for name in received reflog; do
  newer "store/.redo/$name"
  run redo -C store verify
  [ "$STATUS" -ne 0 ] || fail "verify finds nothing in '$name'" <"$OUT"
  grep -q "$name" "$OUT" "$ERR" || fail "'$name' is not named" <"$OUT"
  cmp -s "store/.redo/$name" changed || fail "'$name' was changed" </dev/null
  older "store/.redo/$name"
done

scene "a pack and an archive of a later version are refused by their number"
pack=$(echo store/.redo/objects/pack/*.pack)
chmod u+w "$pack"
cp "$pack" kept
printf '\x09' | dd of="$pack" bs=1 seek=11 conv=notrunc status=none
run redo verify-pack "$PWD/$pack"
[ "$STATUS" -ne 0 ] || fail "verify-pack finds nothing" <"$OUT"
grep -q 9 "$OUT" "$ERR" || fail "the version is not named" <"$ERR"
run redo -C store cat-node -p "$(tail -n 1 all.ndjson | ids_of)"
[ "$STATUS" -ne 0 ] || fail "a node is read out of it" <"$OUT"
cp -f kept "$pack"
cp old.pack new.pack && chmod u+w new.pack
printf '\x09' | dd of=new.pack bs=1 seek=11 conv=notrunc status=none
run redo log --archive="$PWD/new.pack"
expect_status 128

scene "what is derived is made anew, and says the same"
rm -rf cache.kept && cp -a store/.redo/cache cache.kept
found=0
for file in store/.redo/cache/* store/.redo/objects/pack/*.idx; do
  [ -f "$file" ] || continue
  found=$((found + 1))
  chmod u+w "$file"
  # The beginning of another version: the bytes of a number, or of a word, are other ones.
  printf '\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39\x39' | dd of="$file" bs=1 seek=0 conv=notrunc status=none
  run redo -C store log
  expect_status 0
  cmp -s "$OUT" log.good || fail "another log with '$file'" <"$OUT"
  run redo -C store state --json
  expect_status 0
  cmp -s "$OUT" state.good || fail "another state with '$file'" <"$OUT"
done
[ $found -ge 2 ] || fail "only $found derived files" </dev/null
run redo -C store commit update -q --task="$(redo -C store log -n 1 --format='%(task)')" --title=after
expect_status 0
run redo -C store verify
expect_status 0

scene "a manifest and a point of a backup of a later version are refused"
redo -C store backup create -q --include-received "$PWD/shelf" >"$OUT" 2>&1 || redo -C store backup create -q "$PWD/shelf" >"$OUT" 2>&1
run redo backup check "$PWD/shelf"
expect_status 0
point=$(find shelf -type f -size +0 -name '*.redobackup' | head -n 1)
if [ -n "$point" ]; then
  chmod u+w "$point"
  sed -i 's/"version":1/"version":9/' "$point"
  run redo backup check "$PWD/shelf"
  [ "$STATUS" -ne 0 ] || fail "a backup of version 9 is good" <"$OUT"
fi

# first_form: the last checkpoint of 'stating' gets the form of release 0.1, which states no objects, and is signed anew.
first_form() {
  redo -C stating cat-node checkpoints/latest >note
  sed '/^$/,$d; /^objects /d; /^heads /d' note >text
  redo -C stating key sign <text >signature
  python3 - >older.note <<'END'
import base64
name, signed = open("note").read().split("\n\n")[1].split()[1:]
four = base64.b64decode(signed)[:4]
print(open("text").read())
print("\u2014", name, base64.b64encode(four + bytes.fromhex(open("signature").read())).decode())
END
  redo -C stating update-ref checkpoints/latest "$(redo -C stating hash-object -t blob -w "$PWD/older.note")"
}
# stated <version>: the checkpoint that a server states to a client that speaks this version of the wire alone.
cat >hello.py <<'END'
import subprocess, sys
magic = b"redo-wire\n\x01" + bytes([int(sys.argv[1])]) + bytes(16) + b"\x00"
turn = b"".join(len(p).to_bytes(4, "little") + bytes([k]) + p for k, p in ((1, magic), (2, b"\x04\xff"), (0, b"")))
came = subprocess.run(["redo", "serve", "--stdio", "stating"], input=turn, capture_output=True).stdout
def text(data):
    size = shift = 0
    while True:
        byte, data = data[0], data[1:]
        size, shift = size | (byte & 127) << shift, shift + 7
        if byte < 128:
            return data[:size], data[size:]
assert came[4] == 1, came
hello = came[5:5 + int.from_bytes(came[:4], "little")]
assert hello[10] == int(sys.argv[1]), hello
words, rest = text(hello[12 + hello[11]:])
sys.stdout.buffer.write(text(rest)[0])
END
stated() { python3 hello.py "$1"; }

scene "a client that speaks version 1 of the wire is told of the last checkpoint that release 0.1 can read, or of none"
redo init -q stating && redo -C stating key generate >/dev/null 2>&1
expect_equal "$(stated 1)" '' "without one"
for number in 1 2; do
  redo -C stating commit create -q --title="checked $number" >/dev/null
  redo -C stating checkpoint create >last
done
expect_equal "$(stated 1)" '' "with those of this release alone"
expect_equal "$(stated 2)" "$(cat last)" "whoever speaks version 2"
first_form
expect_equal "$(redo -C stating checkpoint verify | cut -c 1 | paste -sd' ')" "G G" "both hold"
expect_equal "$(stated 1)" "$(cat older.note)" "one of release 0.1"
for number in 3 4; do
  redo -C stating commit create -q --title="checked $number" >/dev/null
  redo -C stating checkpoint create >last
done
expect_equal "$(stated 1)" "$(cat older.note)" "the last one of release 0.1"
expect_equal "$(stated 2)" "$(cat last)" "the last one"
