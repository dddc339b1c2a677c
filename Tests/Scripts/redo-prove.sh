#!/bin/bash
# redo prove, and redo verify --proof: proofs to hand on, which need neither store nor network. Another program
# (Tests/Oracle/check_proof.py) answers beside it each time.
. "$(dirname "${BASH_SOURCE[0]}")/checkpoint.bash"
own_copies

ORACLE=$TESTS/../.build/oracle/bin/python
"$ORACLE" -c 'import rfc8785, nacl' 2>/dev/null || ORACLE=

# check <file> [<letter>]: what redo says about a proof, away from any store; the other program says the same.
check() {
  run env -C / redo verify --proof <"$1"
  [ "$STATUS" -eq 0 ] || expect_status 1
  expect_stderr ''
  expect_stdout_lines 1
  local letter
  letter=$(cut -c1 "$OUT")
  [ "$letter" = "${2:-G}" ] || fail "the letter of '$1' is $letter, not ${2:-G}" < <(everything_printed)
  expect_equal "$STATUS" "$([ "$letter" = G ] && echo 0 || echo 1)" "the status"
  [ -n "$ORACLE" ] || return 0
  "$ORACLE" "$TESTS/Oracle/check_proof.py" --explain <"$1" >"$WORK/.last/other"
  expect_equal "$(cut -c1 "$WORK/.last/other")" "$letter" "the other program's letter of '$1', $(cat "$WORK/.last/other")"
}

make_signer garden
scene "what makes no sense is refused"
for words in "" "a b" "--checkpoint=x --extends=y a" "--extends=a b c" "--checkpoint" "-o"; do
  # shellcheck disable=SC2086 # words
  run redo prove $words
  expect_status 129
  expect_stdout ''
done
for words in "--proof x" "--proof --all" "--proof --profile=sync" "--key=$(printf '0%.0s' {1..64}) --all" "--proof --key=00"; do
  # shellcheck disable=SC2086 # words
  run redo verify $words
  expect_status 129
  expect_stdout ''
done
commit one two three
FIRST=$(redo log -n 1 --format='%(id)')
run redo prove "$FIRST"
expect_error 1 "there is no checkpoint"
run redo prove --extends="$FIRST"
expect_error 128 "'$FIRST' is no checkpoint that holds: it is a node"
redo checkpoint create >../three
KEY=$(redo key show --public)
run redo prove "$(printf '0%.0s' {1..64})"
expect_error 1 "is not in the history"

scene "a proof in the form of c2sp.org/tlog-proof: the node, its place, hashes, the checkpoint"
run redo prove "$FIRST"
expect_status 0
expect_stderr ''
cp "$OUT" ../proof
expect_equal "$(sed -n 1p ../proof)" c2sp.org/tlog-proof@v1 "the first line"
sed -n '2s/extra //p' ../proof | base64 -d >extra
time=$(leaves | grep "^${FIRST#sha256:} " | cut -d' ' -f2)
expect_equal "$(cat extra)" "{\"node\":$(redo cat-node "$FIRST"),\"received\":$time}" "the extra data"
index=$(leaves | grep -n "^${FIRST#sha256:} " | cut -d: -f1)
expect_equal "$(sed -n 3p ../proof)" "index $((index - 1))" "the index"
sed '1,/^$/d' ../proof | cmp -s - ../three || fail "the checkpoint is another" <../proof

scene "redo verify --proof: the node, its place, when it was received, the log, when and by whom it was signed"
row="G $FIRST body $((index - 1)) 3 $(sed 's/.*Z/&/' <<<"$(date -u -d "@$((time / 1000))" +%Y-%m-%dT%H:%M:%S).$(printf %03d $((time % 1000)))Z") redo/$(store_id) $(sed -n '7s/time //p' ../three) $KEY"
check ../proof
expect_stdout "$row"
run redo verify --proof=../proof --key="$KEY"
expect_status 0
expect_stdout "$row"
run redo verify --proof=../proof --json
expect_status 0
expect_stdout "{\"checkpoint\":\"$(latest)\",\"form\":\"body\",\"id\":\"$FIRST\",\"index\":$((index - 1)),\"key\":\"$KEY\",\"letter\":\"G\",\"origin\":\"redo/$(store_id)\",\"received\":\"$(cut -d' ' -f6 <<<"$row")\",\"size\":3,\"time\":\"$(sed -n '7s/time //p' ../three)\"}"
OTHER=$(printf 'a%.0s' {1..64})
run redo verify --proof=../proof --key="$OTHER"
expect_status 1
expect_stdout "B $FIRST key-untrusted the checkpoint is signed by $KEY"
expect_equal "$(redo verify --proof=../proof -z | tr -d '\n' | tr '\0' '\n')" "$row" "the row that ends in NUL"

scene "every node of a history has one, by the last checkpoint or by one that is named"
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
redo import -q "$VECTORS/log/bad-lines.ndjson" >/dev/null 2>&1
run redo prove --checkpoint=../three "$FIRST"
expect_stdout_file ../proof
id=$(a_node | ids_of)
run redo prove --checkpoint=../three "$id"
expect_error 1 "'$id' was received after checkpoint '$(latest)'"
expect_stderr_has "hint: 'redo checkpoint create' makes a new one"
run redo prove "$id"
expect_status 1
redo checkpoint create >../many
count=0
for id in $(redo log --format='%(id)'); do
  redo prove -o ../one "$id" >/dev/null || fail "there is no proof of $id" </dev/null
  check ../one "$(redo verify "$id" | cut -c1)"
  count=$((count + 1))
done
expect_equal "$count" "$(sed -n 2p ../many)" "proofs"
run redo prove --checkpoint="$(redo checkpoint list | tail -1 | cut -c8-20)" "$FIRST"
expect_stdout_file ../proof

scene "a node that does not carry its key: the key comes with the proof, where the store knows it"
make_signer ../keyless
commit first
# A node like it, without the key, and signed all the same.
redo cat-node "$(redo log -n 1 --format='%(id)')" | python3 -c '
import json, sys
node = json.load(sys.stdin)
del node["id"], node["signature"], node["author"]["publicKey"]
sys.stdout.write(json.dumps(node, sort_keys=True, separators=(",", ":")))' >body
id=sha256:$(sha256sum <body | cut -d' ' -f1)
sed "s/\"parents\":/\"id\":\"$id\",&/; s/\"taskId\":/\"signature\":\"$(redo key sign body)\",&/" body | redo import -q >/dev/null || fail "it is not taken" </dev/null
redo checkpoint create >/dev/null
redo prove -o ../one "$id" >/dev/null || fail "there is no proof" </dev/null
check ../one
expect_equal "$(sed -n '2s/extra //p' ../one | base64 -d | cut -c1-82)" "{\"key\":\"$(redo key show --public)\",\"node\":{" "the extra data"
cp "$VECTORS"/checkpoint/proof/in-key*.tlog-proof ..
check ../in-key.tlog-proof
check ../in-key-unknown.tlog-proof E
check ../in-key-not-needed.tlog-proof B
check "$VECTORS/checkpoint/proof/in-unsigned.tlog-proof" N
cd ../garden || exit 1

scene "--extends: a later checkpoint has all entries of an earlier one"
run redo prove --extends=../three
expect_status 0
expect_equal "$(sed -n 1p "$OUT")" redo-consistency-proof@v1 "the first line"
cp "$OUT" ../extends
check ../extends
old=sha256:$(sha256sum <../three | cut -d' ' -f1)
expect_stdout "G $(latest) extends $old 3 $(sed -n 2p ../many) redo/$(store_id) $(sed -n '7s/time //p' ../many) $KEY"
run redo verify --proof=../extends --json
expect_stdout "{\"checkpoint\":\"$(latest)\",\"extends\":\"$old\",\"key\":\"$KEY\",\"letter\":\"G\",\"oldSize\":3,\"origin\":\"redo/$(store_id)\",\"size\":$(sed -n 2p ../many),\"time\":\"$(sed -n '7s/time //p' ../many)\"}"
run redo verify --proof=../extends --key="$OTHER"
expect_status 1
expect_stdout "B $(latest) key-untrusted the checkpoint is signed by $KEY"
run redo prove --extends="$old" ../many
expect_stdout_file ../extends
redo prove --extends=../three ../three >../same
check ../same
run redo prove --extends=../many ../three
expect_error 1 "has 3 entries, the earlier one $(sed -n 2p ../many)"

scene "what the history does not continue is not proven"
cp -r . ../fork && cd ../fork || exit 1
commit f
redo checkpoint create >../forked
cd ../garden && commit g && redo checkpoint create >../grown
for words in "--extends=../forked" "--extends=../three ../forked" "--checkpoint=../forked $FIRST"; do
  # shellcheck disable=SC2086 # words
  run redo prove $words
  expect_error 1 "the history does not continue checkpoint 'sha256:$(sha256sum <../forked | cut -d' ' -f1)'"
done
redo checkpoint create --new-log >/dev/null
run redo prove --extends=../grown
expect_error 1 "is of the log $(head -1 ../grown)"
run redo prove "$FIRST"
expect_status 0
cp "$OUT" ../again
check ../again

scene "-o: a file appears whole, and takes the place of nothing but its like"
run redo prove -o ../one "$FIRST"
expect_status 0
expect_stdout ../one
cmp -s ../one ../again || fail "the proof is another" <../one
echo mine >../mine
run redo prove -o ../mine "$FIRST"
expect_error 128 "'../mine' is there already, and is something else"
expect_equal "$(cat ../mine)" mine "the file"
redo prove "$FIRST" >/dev/full 2>"$ERR"
STATUS=$? RUN="redo prove" && : >"$OUT"
expect_error 128 "no space left on device"
redo verify --proof=../proof >/dev/full 2>"$ERR"
STATUS=$? RUN="redo verify --proof" && : >"$OUT"
expect_error 128 "no space left on device"
run redo verify --proof=../not-there
expect_error 128 "'../not-there'"

scene "a proof in which anything is changed is bad, or proves the same; both programs say so"
# Every line without one byte, with a byte changed, twice, left out; neighbouring lines swapped.
python3 - ../proof ../extends <<'END'
import random, sys
random.seed(4)
number = 0
for path in sys.argv[1:]:
    data = open(path, "rb").read()
    lines = data.split(b"\n")
    changed = [data[:-1], data + b"\n", data[:len(data) // 2], b"", data.replace(b"\n", b"\r\n"), data.replace(b"G", b"H", 1)]
    for index, line in enumerate(lines[:-1]):
        def put(*new):
            changed.append(b"\n".join([*lines[:index], *new, *lines[index + 1:]]))
        put()
        put(line, line)
        put(line + b" ")
        for _ in range(3 if line else 0):
            place = random.randrange(len(line))
            put(line[:place] + line[place + 1:])
            put(line[:place] + bytes([line[place] ^ 1 << random.randrange(7)]) + line[place + 1:])
            put(line[:place] + b"A" + line[place:])
        if index:
            lines[index - 1], lines[index] = lines[index], lines[index - 1]
            changed.append(b"\n".join(lines))
            lines[index - 1], lines[index] = lines[index], lines[index - 1]
    for text in changed:
        if text != data:
            open(f"changed-{number:03}", "wb").write(text)
            number += 1
END
# What may stay good has the lines of one that is: a signature line that appears twice changes nothing but the name of a note.
for file in ../proof ../extends; do
  sort -u "$file" | sha256sum
  redo verify --proof="$file" | cut -d' ' -f3
done >same
kept=0
for file in changed-*; do
  run redo verify --proof="$file"
  expect_stderr ''
  expect_stdout_lines 1
  letter=$(cut -c1 "$OUT")
  echo "$letter" >>letters
  if [ "$letter" = G ]; then
    kept=$((kept + 1))
    expect_status 0
    grep -qxF -- "$(sort -u "$file" | sha256sum)" same || fail "'$file' is good" <"$file"
  else
    expect_status 1
    grep -q '^B \(-\|sha256:[0-9a-f]\{64\}\) [a-z0-9]*-[a-z0-9-]*\( .*\)*$' "$OUT" || fail "another row" <"$OUT"
  fi
done
[ "$(wc -l <letters)" -gt 300 ] || fail "only so many: $(wc -l <letters)" </dev/null
[ $kept -lt 8 ] || fail "$kept changed ones are good" </dev/null
if [ -n "$ORACLE" ]; then
  "$ORACLE" "$TESTS/Oracle/check_proof.py" changed-* >others
  cut -c1 others | diff letters - >"$OUT" || fail "the other program differs" <"$OUT"
else
  skip "no python3 with rfc8785 and nacl: only redo itself was asked"
fi
