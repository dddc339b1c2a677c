#!/bin/bash
# redo checkpoint: signed statements of what the history is, and whether a later one continues it.
. "$(dirname "${BASH_SOURCE[0]}")/checkpoint.bash"
own_copies

EMPTY=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
ZERO=$(printf '0%.0s' {1..64})

make_store garden
scene "what makes no sense is refused; without a key nothing is signed"
for words in "" "create now" "create -o" "list x" "verify --key" "verify --key=00" "nothing"; do
  # shellcheck disable=SC2086 # words
  run redo checkpoint $words
  expect_status 129
  expect_stdout ''
done
run redo checkpoint create
expect_error 128 "there is no key"
for words in list verify; do
  run redo checkpoint $words
  expect_status 0
  expect_stdout ''
  expect_stderr ''
done
redo key generate >/dev/null 2>&1
KEY=$(redo key show --public)
ID=$(store_id)

scene "the checkpoint of an empty history, in the form of c2sp.org/tlog-checkpoint"
run redo checkpoint create
expect_status 0
expect_stderr ''
cp "$OUT" ../empty
head -6 "$OUT" >lines
expect_equal "$(cat lines)" "redo/$ID
0
$EMPTY
entry 0 $ZERO
refs 0 $(sha256sum </dev/null | cut -d' ' -f1)
previous -" "the text"
expect_equal "$(sed -n '7s/20..-..-..T..:..:..\....Z/<time>/p' "$OUT")" "time <time>" "the time"
NOTHING=$(sha256sum </dev/null | cut -d' ' -f1)
expect_equal "$(sed -n '8,9p' "$OUT")" "objects node 0 $NOTHING
heads node 0 $NOTHING" "what the history has"
expect_equal "$(sed -n '11p' "$OUT" | cut -d' ' -f1,2)" "— $KEY" "the signature line"
expect_equal "$(wc -l <"$OUT")" 11 "lines"
expect_equal "$(latest)" "sha256:$(sha256sum <../empty | cut -d' ' -f1)" "the ref"
redo cat-node "$(latest)" | cmp -s - ../empty || fail "the object is another" </dev/null

scene "it states the entries, the changes of the refs and the refs, as other programs compute them"
commit one two three
redo update-ref tags/here "$(redo log -n 1 --format='%(id)')"
redo show-ref --format='%(id) %(name)' >refs
run redo checkpoint create
expect_status 0
cp "$OUT" ../three
expect_equal "$(sed -n 2p "$OUT")" 3 "the entries"
expect_equal "$(sed -n 3p "$OUT")" "$(leaves | root_of)" "the root"
expect_equal "$(sed -n 5p "$OUT")" "refs $(wc -l <refs) $(sha256sum <refs | cut -d' ' -f1)" "the refs"
expect_equal "$(sed -n 6p "$OUT")" "previous sha256:$(sha256sum <../empty | cut -d' ' -f1)" "the one before"
chain=$(grep -a '^chain ' .redo/refs.journal | tail -2 | head -1 | cut -d' ' -f2)
expect_equal "$(sed -n 4p "$OUT")" "entry $(grep -ac '^chain ' .redo/refs.journal | awk '{ print $1 - 1 }') $chain" "the changes"

scene "list: the last one first; each names the one before"
run redo checkpoint list
expect_status 0
expect_stdout <<END
$(latest) 3 5 $(sed -n '7s/time //p' ../three) redo/$ID $KEY
sha256:$(sha256sum <../empty | cut -d' ' -f1) 0 0 $(sed -n '7s/time //p' ../empty) redo/$ID $KEY
END
run redo checkpoint list --json
expect_equal "$(sed -n 1p "$OUT" | python3 -c 'import json, sys; row = json.load(sys.stdin); print(*sorted(row), row["size"], row["previous"])')" \
  "chain checkpoint entry key origin previous refs refsHash root size statements time 3 sha256:$(sha256sum <../empty | cut -d' ' -f1)" "the members"
expect_equal "$(redo checkpoint list -z | tr '\0' '\n' | wc -l)" 2 "rows"

scene "verify: the history continues all of them; growth by commits and an import is fine"
good() {
  run redo checkpoint verify "$@"
  expect_status 0
  expect_stderr ''
  ! grep -qv '^G sha256:[0-9a-f]\{64\} [0-9]* -' "$OUT" || fail "another row" <"$OUT"
}
good
expect_stdout_lines 2
commit four
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
good
good ../empty ../three
expect_stdout "G sha256:$(sha256sum <../empty | cut -d' ' -f1) 0 - (../empty)
G sha256:$(sha256sum <../three | cut -d' ' -f1) 3 - (../three)"
redo checkpoint create >../many
expect_equal "$(sed -n 2p ../many)" "$((4 + $(wc -l <"$VECTORS/log/linear.ndjson")))" "the entries"
expect_equal "$(sed -n 3p ../many)" "$(leaves | root_of)" "the root"
good
run redo checkpoint verify --json ../many
expect_stdout "{\"checkpoint\":\"$(latest)\",\"file\":\"../many\",\"key\":\"$KEY\",\"letter\":\"G\",\"origin\":\"redo/$ID\",\"size\":$(sed -n 2p ../many),\"time\":\"$(sed -n '7s/time //p' ../many)\"}"

scene "-n prints one and keeps nothing; -o writes a file, and replaces nothing but its like"
before=$(fingerprint)
run redo checkpoint create -n
expect_status 0
expect_stdout_has "redo/$ID"
expect_untouched "$before"
run redo checkpoint create -o ../file
expect_status 0
expect_stdout ../file
run redo checkpoint verify ../file
expect_status 0
run redo checkpoint create -o ../file
expect_status 0
cp ../file ../second
echo mine >../mine
mkdir ../dir
before=$(fingerprint)
run redo checkpoint create -o ../mine
expect_error 128 "'../mine' is there already, and is something else"
expect_equal "$(cat ../mine)" mine "the file"
run redo checkpoint create -o ../dir
expect_error 128 "'../dir' is not a regular file"
run redo checkpoint create -o ../missing/file
expect_status 128
expect_untouched "$before"
redo checkpoint verify >/dev/null || fail "it does not hold" </dev/null

scene "--key: who must have signed"
good --key="$KEY"
run redo checkpoint verify --key="$ZERO" ../three
expect_status 1
expect_stdout "B sha256:$(sha256sum <../three | cut -d' ' -f1) 3 key-untrusted it is signed by $KEY, not by the key that is asked for (../three)"

scene "files that are no checkpoints: checkpoint-form, with the line"
bad() { # <file> <detail>
  run redo checkpoint verify "$1"
  expect_status 1
  expect_stdout "B sha256:$(sha256sum <"$1" | cut -d' ' -f1) - checkpoint-form $2 ($1)"
}
: >../nothing
bad ../nothing "line 1: there is nothing"
bad ../mine "line 1: no empty line separates a text from its signatures"
sed 's/^3$/4/' ../three >../changed
bad ../changed "line 11: the signature does not hold"
sed '2s/3/03/' ../three >../changed
bad ../changed "line 2: the number of entries is not a number without leading zeros"
run redo checkpoint verify ../three ../changed ../empty
expect_status 1
expect_equal "$(cut -c1 "$OUT" | tr -d '\n')" GBG "the letters"
run redo checkpoint verify ../not-there
expect_error 128 "'../not-there'"

scene "a store of an earlier release gets its name with its first checkpoint"
make_signer ../older
sed -i '/id = /d' .redo/config
run redo config core.id
expect_status 1
commit one
before=$(fingerprint)
run redo checkpoint create -n
expect_status 0
expect_untouched "$before"
run redo checkpoint create
expect_status 0
expect_equal "$(head -1 "$OUT")" "redo/$(store_id)" "the origin"
good
sed -i "s/id = .*/id = 7/" .redo/config
run redo checkpoint verify
expect_error 128 "not 32 lower-case hex digits"
cd ../garden || exit 1

scene "what says something else than is so, although it is signed"
forge() { # <sed script> <detail>
  sed '/^$/,$d' ../second | sed "$1" | signed . >../forged
  run redo checkpoint verify ../forged
  expect_status 1
  expect_equal "$(cut -d' ' -f1,4- "$OUT")" "B checkpoint-diverged $2 (../forged)" "the row"
}
size=$(sed -n 2p ../second)
entry=$(sed -n '4s/entry \([0-9]*\) .*/\1/p' ../second)
last=$(($(redo checkpoint list --json | head -1 | sed 's/.*"entry":\([0-9]*\).*/\1/') + 1))
sed '/^$/,$d' ../second | signed . >../forged
good ../forged
forge "2s/.*/$((size + 2))/" "of $((size + 2)) entries $size are left, 2 are missing"
forge "3s,.*,$EMPTY," "its $size entries are not the first $size of the history: the first other one is among 4 to $size"
forge "4s/entry [0-9]*/entry 99/" "change 99 of the refs is missing: the last one is $last"
forge "4s/[0-9a-f]\{64\}/$ZERO/" "the first $entry changes of the refs are others"
forge "5s/[0-9a-f]\{64\}/$ZERO/" "the refs after change $entry were others"
forge "5s/refs [0-9]*/refs 99/" "the refs after change $entry were others"
forge "1s/.*/redo\/00112233445566778899aabbccddeeff/" "it is of the log redo/00112233445566778899aabbccddeeff, and the one here is redo/$ID"

scene "two at once: both are made, one after the other"
redo checkpoint create >../a & redo checkpoint create >../b & wait
good
expect_equal "$(redo checkpoint list | head -2 | cut -d' ' -f1 | sort)" \
  "$(sha256sum ../a ../b | sed 's/^\(.\{64\}\).*/sha256:\1/' | sort)" "the last two"

scene "a damaged or missing one is told; those before it cannot be found"
cp -r . ../damaged && cd ../damaged || exit 1
id=$(redo checkpoint list | sed -n 2p | cut -d' ' -f1 | cut -c8-)
chmod u+w ".redo/objects/${id:0:2}/${id:2}"
printf x >>".redo/objects/${id:0:2}/${id:2}"
run redo checkpoint verify
expect_status 1
expect_stdout_lines 2
expect_stdout_has "B sha256:$id - checkpoint-form the object is damaged: "
run redo checkpoint list
expect_status 1
expect_stdout_lines 1
expect_stderr_has "error: checkpoint 'sha256:$id': the object is damaged: "
rm -f ".redo/objects/${id:0:2}/${id:2}"
run redo checkpoint verify
expect_status 1
expect_stdout_has "B sha256:$id - checkpoint-form there is no such object"
run redo checkpoint create
expect_status 0
id=$(latest | cut -c8-)
rm -f ".redo/objects/${id:0:2}/${id:2}"
run redo checkpoint create
expect_error 1 "the history does not continue checkpoint 'sha256:$id': there is no such object"
run redo checkpoint create --new-log
expect_status 0
expect_equal "$(sed -n 6p "$OUT")" "previous -" "the one before"
good
redo update-ref checkpoints/latest "$(redo log -n 1 --format='%(id)')"
run redo checkpoint verify
expect_status 1
expect_stdout_has "checkpoint-form it is a node"

scene "a full disk for the output is an error"
cd ../garden || exit 1
for words in "list" "verify" "create -n"; do
  redo checkpoint $words >/dev/full 2>"$ERR"
  STATUS=$? RUN="redo checkpoint $words" && : >"$OUT"
  expect_error 128 "no space left on device"
done
