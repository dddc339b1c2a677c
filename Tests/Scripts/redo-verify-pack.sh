#!/bin/bash
# redo verify-pack: packs and their indexes, checked to the last byte, and what is in them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 900 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null
redo repack -q
[ "$(ls .redo/objects/pack/*.pack | wc -l)" -eq 1 ] || fail "there is not one pack" < <(ls .redo/objects/pack)
PACK=$(ls .redo/objects/pack/*.pack) INDEX=$(ls .redo/objects/pack/*.idx)
cp "$PACK" ../good.pack && cp "$INDEX" ../good.idx

# broken <command line>: the pack and its index as they were, then broken; both may be written.
broken() {
  rm -f .redo/objects/pack/pack-*
  cp ../good.pack "$PACK" && cp ../good.idx "$INDEX"
  chmod 644 "$PACK" "$INDEX"
  eval "$1"
}
# poke <file> <offset>: changes a byte.
poke() {
  python3 - "$1" "$2" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 1]))
END
}

scene "a sound pack: nothing is printed, and nothing written"
before=$(fingerprint)
for name in '' "$PACK" "$INDEX" "${PACK%.pack}"; do
  run redo verify-pack $name
  expect_status 0
  expect_stdout ''
  expect_stderr ''
done
expect_untouched "$before"

scene "-v lists the nodes as they stand in the pack, and says that it is sound"
run redo verify-pack -v "$INDEX"
expect_status 0
expect_equal "$(tail -n 1 "$OUT")" "$PACK: ok" "the last line"
head -n -1 "$OUT" >rows
expect_equal "$(wc -l <rows)" 900 "nodes"
cut -d' ' -f1 rows >packed
redo archive extract "$PACK" | ids_of | cmp -s - packed || fail "another order" <rows
redo cat-node --batch <packed >contents
cut -d' ' -f1,3 rows >sizes
redo cat-node --batch-check='%(id) %(size)' <packed | cmp -s - sizes || fail "other sizes" < <(head -2 sizes)
expect_equal "$(cut -d' ' -f2 rows | sort -u)" node "the kind"

scene "the sizes in the pack add up to its frames, which stand side by side"
python3 - rows "$PACK" <<'END' || fail "they do not" < <(head -3 rows)
import os, struct, sys
data = open(sys.argv[2], "rb").read()
end = 12
frames = {}
for line in open(sys.argv[1]):
    id, kind, size, packed, offset, frame, place = line.split()
    frames.setdefault((int(frame), int(offset)), []).append((int(place), int(packed)))
for number, ((frame, offset), nodes) in enumerate(sorted(frames.items())):
    assert frame == number and offset == end
    assert [place for place, _ in nodes] == list(range(len(nodes)))
    end += sum(packed for _, packed in nodes)
assert struct.unpack("<Q", data[-40:-32])[0] == end
END

scene "--json: an object a pack, with -v one a node before it; -z"
run redo verify-pack --json "$PACK"
expect_status 0
python3 - "$OUT" "$PACK" <<'END' || fail "another row" <"$OUT"
import json, os, sys
row = json.loads(open(sys.argv[1]).read())
assert row["bytes"] == os.path.getsize(sys.argv[2]) and row["file"] == sys.argv[2]
assert (row["nodes"], row["errors"], row["index"], row["ok"]) == (900, [], "ok", True)
assert "pack-" + row["name"] + ".pack" == os.path.basename(sys.argv[2])
END
run redo verify-pack --json -v "$PACK"
expect_stdout_lines 901
expect_equal "$(head -1 "$OUT" | python3 -c 'import json, sys; print(*sorted(json.load(sys.stdin)))')" "frame id offset packedSize place size" "members"
run redo-verify-pack -v -z "$PACK"
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" 901 "rows that end in NUL"

scene "the index is that of a program that knows the page alone"
python3 "$TESTS/Oracle/index_pack.py" "$PACK" "$INDEX" || fail "it is not" </dev/null

scene "without names all packs of the store are checked"
broken 'cp "$PACK" "${PACK%??????????}00000.pack"; poke "$PACK" 5000'
run redo verify-pack
expect_status 1
expect_stderr_has "pack '$PWD/$PACK' is damaged: frame 0 at byte 12: the bytes of a frame are not those of its checksum"
run redo verify-pack -v
expect_stdout_has "$PWD/$PACK: bad"

scene "damage of the pack: each is told of with its place"
found() { # found <text>: one error, about the pack
  run redo verify-pack "$PACK"
  expect_error 1 "$1"
  expect_stderr_has "pack '$PACK' is damaged: "
}
broken 'poke "$PACK" 0' && found "it does not begin as a pack does"
broken 'poke "$PACK" 11' && found "version"
broken 'poke "$PACK" 5000' && found "frame 0 at byte 12"
broken 'truncate -s -1 "$PACK"' && found "at byte"
broken ': >"$PACK"' && found "it does not begin as a pack does"
broken 'printf x >>"$PACK"' && found "at byte"
broken 'poke "$PACK" $(($(stat -c %s "$PACK") - 1))' && found "are not those of its hash"
broken 'poke "$PACK" $(($(stat -c %s "$PACK") - 40))' && found "there is no directory"

scene "a directory that tells of other nodes, under a good hash"
# resealed <offset from the directory>: changes a byte, and makes the hash of the file good again.
resealed() {
  python3 - "$PACK" "$1" <<'END'
import hashlib, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
place = struct.unpack("<Q", data[-40:-32])[0] + int(sys.argv[2])
data[place] ^= 1
data[-32:] = hashlib.sha256(data[:-32]).digest()
open(sys.argv[1], "wb").write(data)
END
}
broken 'resealed 4' && run redo verify-pack "$PACK"
expect_status 1
expect_stderr_has "its name is not that of its nodes"
broken 'resealed 80' && found "the counts and times of its directory are not those of its nodes"

scene "damage of the index: no reader minds, and here it is an error"
for how in 'poke "$INDEX" 3000' 'poke "$INDEX" 45' 'poke "$INDEX" 20' 'truncate -s -1 "$INDEX"' ': >"$INDEX"' 'printf x >>"$INDEX"'; do
  broken "$how"
  run redo verify-pack "$PACK"
  expect_error 1 "index '$INDEX' is damaged: its bytes have another hash than it states"
  redo cat-node --batch <packed 2>"$ERR" | cmp -s - contents || fail "readers mind" <"$ERR"
done

scene "an index of another pack; one that says otherwise where nodes are"
head -100 ../log.ndjson | (redo init -q ../other && redo -C ../other -c core.fsync=none import -q >/dev/null && redo -C ../other repack -q)
broken 'cp ../other/.redo/objects/pack/*.idx "$INDEX"'
run redo verify-pack "$PACK"
expect_error 1 "it is that of another pack"
broken 'python3 "$TESTS/Oracle/index_pack.py" --swapped "$PACK" >"$INDEX"'
run redo verify-pack "$PACK"
expect_error 1 "it says otherwise than the pack which nodes stand where"
redo cat-node --batch <packed 2>"$ERR" | cmp -s - contents || fail "readers mind" <"$ERR"

scene "a missing index is a warning of a pack of a store, and nothing of another file"
broken 'rm "$INDEX"'
run redo verify-pack "$PACK"
expect_status 0
expect_stderr "warning: '$PACK' has no index; 'redo gc' makes one"
run redo verify-pack -q "$PACK"
expect_status 0
expect_stderr ''
redo archive create -q -o all.pack >/dev/null
run redo verify-pack all.pack
expect_status 0
expect_stderr ''
run redo verify-pack --json all.pack
expect_equal "$(grep -c '"index"' "$OUT")" 0 "words about an index"
run redo verify-pack /dev/stdin <all.pack
expect_status 0

scene "a file that is not there, a directory; one does not keep the others from being checked"
run redo verify-pack nothing.pack
expect_error 128 "cannot open 'nothing.pack'"
run redo verify-pack nothing.idx
expect_error 128 "cannot open 'nothing.pack'"
run redo verify-pack .redo
expect_error 128 "'.redo' is a directory"
run redo verify-pack -v nothing.pack all.pack
expect_status 128
expect_stdout_has "all.pack: ok"
run redo verify-pack ../log.ndjson
expect_error 1 "it does not begin as a pack does"

scene "a store without packs; no store"
redo init -q ../empty
run redo -C ../empty verify-pack
expect_status 0
expect_stdout ''
rm -r ../empty/.redo/objects/pack
run redo -C ../empty verify-pack
expect_status 0
mkdir ../none && cd ../none || exit 1
run redo verify-pack
expect_error 128 "not a redo repository"
