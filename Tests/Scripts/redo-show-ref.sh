#!/bin/bash
# redo show-ref: which names there are, and what they name.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/diverged.ndjson" >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
OTHER=7a000000-0000-4000-8000-000000000002
A=sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
B=sha256:7f7438f41c4dac33bd078350faea0aaab9c259116dc3c06e2ce341a0c40f3c50
C=sha256:ad33bafc0aa6a5b5ddde1138fc1eef03eb1f0d5183821e33c487c090b4db4fd0
D=sha256:81eced38047d3692584ac1bfa920d5a86f9e5ab62dfd94480f666c475c4c0099
BLOB=$(printf 'some bytes' | redo hash-object -w -t blob --stdin)
printf '%s\n' "create tags/blob $BLOB" "create tags/first $A" "create remotes/home/heads/$OTHER $D" |
  redo update-ref --stdin

scene "a pattern that no ref fits, and a store without refs: nothing is printed, and the answer is no"
run redo show-ref nothing
expect_status 1
expect_stdout ''
expect_stderr ''
redo init -q empty
run redo -C empty show-ref
expect_status 1
expect_stdout ''
expect_stderr ''

scene "every ref, a line each, sorted by name, then id"
run redo show-ref
expect_status 0
expect_stdout "$A heads/$TASK
$B heads/$TASK
$C heads/$TASK
$D heads/$OTHER
$D remotes/home/heads/$OTHER
$BLOB tags/blob
$A tags/first"
expect_stderr ''

scene "patterns: whole names, beginnings up to a slash, globs whose stars stop at slashes"
run redo show-ref --format='%(name)' tags
expect_stdout 'tags/blob
tags/first'
run redo-show-ref --format='%(refname)' 'tags/f*' "heads/$OTHER"
expect_stdout "heads/$OTHER
tags/first"
run redo show-ref --format='%(name)' 'remotes/*/heads/*'
expect_stdout "remotes/home/heads/$OTHER"
run redo show-ref --format='%(name)' '**/*2'
expect_stdout "heads/$OTHER
remotes/home/heads/$OTHER"
for pattern in tag 'tags/b' 'remotes/*' '*'; do
  run redo show-ref "$pattern"
  expect_status 1
done

scene "--heads: the heads of the store's own history, patterns narrow them"
run redo show-ref --heads --format='%(id)'
expect_stdout "$A
$B
$C
$D"
run redo show-ref --heads --format='%(id)' '*/*2'
expect_stdout "$D"
run redo show-ref --heads tags
expect_status 1

scene "a format: of the ref, and of the object"
run redo show-ref --format='%(task) %(kind) %(wall) %(lamport) %(action)%x09%(objectname)' "heads/$OTHER" tags
expect_status 0
printf '%s node 2025-03-01T08:15:00.000Z 6 %s\t%s\n' "$OTHER" "$(redo cat-node --format='%(action)' $D)" $D >expected
printf ' blob   \t%s\n' "$BLOB" >>expected
printf '%s node 2025-03-01T08:07:00.000Z 7 %s\t%s\n' "$TASK" "$(redo cat-node --format='%(action)' $A)" $A >>expected
expect_stdout_file expected
run redo show-ref --format='%(nothing)'
expect_error 128 "unknown atom 'nothing'"
run redo show-ref --format='%(nam)'
expect_status 128
expect_stderr_has "hint: did you mean 'name'"

scene "--sort: by any atom, times and numbers as such; '-' turns it, the last key counts first, names decide"
run redo show-ref --heads --sort=-wall --format='%(wall)'
expect_stdout '2025-03-01T08:15:00.000Z
2025-03-01T08:09:00.000Z
2025-03-01T08:08:00.000Z
2025-03-01T08:07:00.000Z'
run redo show-ref --heads --sort=id --sort=-lamport --format='%(lamport) %(id)'
expect_stdout "8 $B
7 $A
7 $C
6 $D"
run redo show-ref --sort=size --format='%(kind)' tags
expect_stdout 'blob
node'
run redo show-ref --sort=-name --format='%(name)' tags
expect_stdout 'tags/first
tags/blob'
run redo show-ref --sort=nothing
expect_error 128 "unknown atom 'nothing' to sort by"

scene "--count: the first ones, after sorting"
run redo show-ref --count=2 --format='%(id)'
expect_stdout "$A
$B"
run redo show-ref --heads --count=1 --sort=-wall --format='%(id)'
expect_stdout "$D"
run redo show-ref --count=0
expect_status 0
expect_stdout ''

scene "--json: a line of canonical JSON for each ref"
run redo show-ref --json "heads/$OTHER" tags/blob
expect_stdout "{\"id\":\"$D\",\"name\":\"heads/$OTHER\",\"task\":\"$OTHER\"}
{\"id\":\"$BLOB\",\"name\":\"tags/blob\"}"
redo show-ref --json | while read -r line; do
  expect_equal "$(redo canonicalize <<<"$line")" "$line" "the canonical form"
done
run redo show-ref --json --sort=nothing
expect_status 128
expect_stderr_has '{"error":"unknown atom'

scene "-z: rows end in NUL, and names stand as they are"
odd="tags/a\"é"$'\xe2\x80\xae'b # with a right-to-left override
redo update-ref "$odd" "$A"
run redo show-ref -z --format='%(name)' 'tags/a*'
printf '%s\0' "$odd" >expected
expect_stdout_file expected
run redo show-ref --format='%(name)' 'tags/a*'
expect_stdout 'tags/a"é\u{202e}b'
run redo show-ref --json 'tags/a*'
expect_stdout "{\"id\":\"$A\",\"name\":\"${odd/\"/\\\"}\"}"
redo update-ref -d "$odd"

scene "--verify: whole names, each of which must have a ref"
run redo show-ref --verify "heads/$TASK" tags/first
expect_status 0
expect_stdout "$A heads/$TASK
$B heads/$TASK
$C heads/$TASK
$A tags/first"
for name in tags 'tags/*' first heads/nothing nonsense 'a..b'; do
  run redo show-ref --verify "$name"
  expect_error 128 "no ref has the name '$name'"
  run redo show-ref --verify -q "$name"
  expect_status 1
  expect_stdout ''
  expect_stderr ''
done
run redo show-ref --verify -q tags/first
expect_status 0
expect_stdout ''

scene "--exists: 0, or 2 where there is none, or 1 where it cannot be found out"
run redo show-ref --exists tags/first
expect_status 0
expect_stdout ''
expect_stderr ''
for name in tags tags/none 'a..b'; do
  run redo show-ref --exists "$name"
  expect_error 2 "no ref has the name '$name'"
  run redo show-ref --exists -q "$name"
  expect_status 2
  expect_stderr ''
done
cp -r .redo damaged.redo
printf 'x' | dd of=damaged.redo/refs bs=1 seek=40 conv=notrunc status=none
run redo --redo-dir=damaged.redo show-ref --exists tags/first
expect_error 1 "is corrupt"
run redo --redo-dir=damaged.redo show-ref
expect_error 128 "is corrupt"

scene "an object that is not there is fatal only where it is asked for"
cp -r .redo lost.redo
rm -f lost.redo/objects/"${A:7:2}"/"${A:9}"
run redo --redo-dir=lost.redo show-ref tags/first
expect_stdout "$A tags/first"
run redo --redo-dir=lost.redo show-ref --format='%(wall)' tags/first
expect_error 128 "object '$A' of 'tags/first' is missing"

scene "many refs: whole blocks, in order, and a reader that goes away"
make_store many
demo 10000 | redo -c core.fsync=none import -q >/dev/null
for number in $(seq 3000); do echo "create tags/t$number $(sed -n 1p <(demo 1 | ids_of))"; done >creates
redo -c core.fsync=none update-ref --stdin <creates
run redo show-ref --format='%(name)' tags
expect_stdout_lines 3000
LC_ALL=C sort -c "$OUT" || fail "not sorted" </dev/null
bash -c "redo show-ref 2>'$ERR' | head -1 >'$OUT'; exit \${PIPESTATUS[0]}"
STATUS=$? RUN="redo show-ref | head -1"
expect_status 141
expect_stderr ''
run bash -c "redo show-ref >/dev/full"
expect_error 128 "write error: no space left on device"
cd ..

scene "a store that may only be read"
if can_be_nobody; then
  chmod -R a+rX .
  run as_nobody env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=safe.directory REDO_CONFIG_VALUE_0='*' redo show-ref tags/first
  expect_status 0
  expect_stdout "$A tags/first"
else
  skip "only root can be somebody else"
fi

scene "mistakes in the command line"
for words in '--format=x --json' '--exists' '--exists a/b c/d' '--verify' '--verify --exists a/b' \
  '--verify --sort=name a/b' '--exists --json a/b' '--count=x' '--count=-1' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo show-ref $words
  expect_status 129
  expect_stdout ''
done
run redo -C / show-ref
expect_error 128 "not a redo repository"
