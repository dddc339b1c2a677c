#!/bin/bash
# redo reflog: what has become of the refs, and the way back.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
LOG=$VECTORS/log/diverged.ndjson
TASK=7a000000-0000-4000-8000-000000000001
OTHER=7a000000-0000-4000-8000-000000000002
A=sha256:7ecfaf2234919df529e65f37fbfd94e3e93979caedc87bd43493d60fec0d915a
B=sha256:7f7438f41c4dac33bd078350faea0aaab9c259116dc3c06e2ce341a0c40f3c50
C=sha256:ad33bafc0aa6a5b5ddde1138fc1eef03eb1f0d5183821e33c487c090b4db4fd0
D=sha256:81eced38047d3692584ac1bfa920d5a86f9e5ab62dfd94480f666c475c4c0099
ZERO=sha256:$(printf '%064d' 0)
value() { redo show-ref --format='%(id)' "$1" | paste -sd, -; }

scene "a new store: there is nothing to show, to undo, or to ask for"
run redo reflog
expect_status 0
expect_stdout ''
run redo reflog undo
expect_error 128 "no ref has been changed yet"
run redo reflog tags/a
expect_error 128 "no ref has ever had the name 'tags/a'"
run redo reflog exists tags/a
expect_status 1
expect_stdout ''
expect_stderr ''

redo import -q "$LOG" >/dev/null
redo update-ref -m 'first words' tags/a "$A"
redo update-ref -m 'then
more' tags/a "$B"
redo update-ref -d -m 'never mind' tags/a
printf '%s\n' "create tags/a $C" "remove heads/$TASK $B" | redo update-ref -m both --stdin

scene "all entries, newest first: number, time, reason, how many refs"
run redo reflog
expect_status 0
sed 's/ [0-9-]*T[0-9:.]*Z / TIME /' "$OUT" >found
diff - found >difference <<'END' || fail "it shows something else" <difference
5 TIME both (2 refs)
4 TIME never mind (1 ref)
3 TIME then\x0amore (1 ref)
2 TIME first words (1 ref)
1 TIME import (2 refs)
END
expect_equal "$(redo reflog show)" "$(redo reflog)" "redo reflog show"

scene "one ref, as git shows it: what stood after each change"
run redo reflog tags/a
expect_stdout "${C:7:12} tags/a@{0}: both
000000000000 tags/a@{1}: never mind
${B:7:12} tags/a@{2}: then\\x0amore
${A:7:12} tags/a@{3}: first words"
run redo-reflog show "$TASK"
expect_stdout "${A:7:12},${C:7:12} heads/$TASK@{0}: both
${A:7:12},${B:7:12},${C:7:12} heads/$TASK@{1}: import"
run redo reflog --date=unix -n 1 tags/a
expect_equal "$(sed 's/{[0-9]*}/{TIME}/' "$OUT")" "${C:7:12} tags/a@{TIME}: both" "the row"
run redo reflog --date=relative -n 1 tags/a
expect_stdout_has " seconds ago}: both"

scene "-n: only the newest"
run redo reflog -2
expect_stdout_lines 2
run redo reflog -n 3 tags/a
expect_equal "$(cut -d' ' -f2 "$OUT" | paste -sd' ')" "tags/a@{0}: tags/a@{1}: tags/a@{2}:" "the rows"
run redo reflog -n 0
expect_stdout ''
run redo reflog -n 99 tags/a
expect_stdout_lines 4

scene "--format: a row for each ref of an entry; raw is git's line"
run redo reflog --format='%(entry) %(selector) %(name) %(old) %(new) %(message)' -n 3
expect_stdout "5 tags/a@{0} tags/a $ZERO $C both
5 heads/$TASK@{0} heads/$TASK $B $ZERO both
4 tags/a@{1} tags/a $B $ZERO never mind"
run redo reflog --format=raw tags/a
expect_equal "$(sed 's/ redo <> [0-9]* +0000\t/ IDENT /' "$OUT")" "$ZERO $C IDENT both
$B $ZERO IDENT never mind
$A $B IDENT then\\x0amore
$ZERO $A IDENT first words" "the rows"
run redo reflog -n 1 --format='%(time) %(chain)' --date=unix
expect_equal "$(tr -d '0-9a-f' <"$OUT")" " " "time and chain"
expect_equal "$(cut -d' ' -f2 "$OUT")" "$(tail -n 1 .redo/refs.journal | cut -d' ' -f2)" "the chain"
run redo reflog --format='%(nothing)'
expect_error 128 "unknown atom 'nothing'"

scene "--json: an entry a line, canonical"
run redo reflog --json -n 1
expect_equal "$(sed 's/"chain":"[0-9a-f]*"/"chain":"CHAIN"/; s/"time":"[^"]*"/"time":"TIME"/' "$OUT")" \
  "{\"added\":[{\"id\":\"$C\",\"name\":\"tags/a\"}],\"chain\":\"CHAIN\",\"entry\":5,\"message\":\"both\",\"removed\":[{\"id\":\"$B\",\"name\":\"heads/$TASK\"}],\"time\":\"TIME\"}" "the row"
expect_equal "$(redo canonicalize <"$OUT")" "$(cat "$OUT")" "the canonical form"
run redo reflog --json tags/a
expect_stdout_lines 4
! grep -q heads "$OUT" || fail "another ref is shown" <"$OUT"

scene "-z: rows end in NUL, reasons stand as they are"
run redo reflog -z --format='%(message)' tags/a
printf 'both\0never mind\0then\nmore\0first words\0' >expected
expect_stdout_file expected

scene "exists: whether a ref has ever been changed"
for name in tags/a a "$TASK" "heads/$OTHER"; do
  run redo reflog exists "$name"
  expect_status 0
  expect_stdout ''
  expect_stderr ''
done
for name in tags/b tags nonsense "heads/${TASK%1}9"; do
  run redo reflog exists "$name"
  expect_status 1
  expect_stdout ''
  expect_stderr ''
done

scene "undo: the last change, as one more"
before=$(redo show-ref)
run redo reflog undo --dry-run
expect_status 0
expect_stdout "$ZERO $B heads/$TASK
$C $ZERO tags/a"
expect_equal "$(redo show-ref)" "$before" "the refs after --dry-run"
run redo reflog undo
expect_status 0
expect_stdout "$ZERO $B heads/$TASK
$C $ZERO tags/a"
expect_stderr ''
expect_equal "$(value tags/a)" "" "the ref"
expect_equal "$(value "heads/$TASK")" "$A,$B,$C" "the heads"
run redo reflog -n 1 --format='%(entry) %(message)'
expect_stdout "6 undo 5: both"

scene "an undo is a change like others: it can be undone"
run redo reflog undo
expect_status 0
expect_equal "$(redo show-ref)" "$before" "the refs"
run redo reflog undo -m 'once more'
expect_status 0
run redo reflog -n 1 --format='%(message)' tags/a
expect_stdout 'once more'

scene "an earlier change can be undone while its refs are as it left them"
redo update-ref tags/b "$D"
run redo reflog undo 8
expect_status 0
expect_equal "$(value tags/a),$(value tags/b)" "$C,$D" "the refs"

scene "and not when one of them has moved since: the conflicts are listed, nothing is changed"
BEFORE=$(fingerprint)
run redo reflog undo 3
expect_error 1 "'tags/a' has moved since entry 3, by entry 10"
run redo reflog undo --dry-run 3
expect_error 1 "'tags/a' has moved since entry 3, by entry 10"
expect_untouched "$BEFORE"

scene "what was there and back is where it was"
redo update-ref tags/c "$A"
redo update-ref tags/c "$B"
redo update-ref tags/c "$A"
run redo reflog undo 12
expect_error 1 "'tags/c' has moved since entry 12, by entry 13"
run redo reflog undo 11
expect_status 0
expect_equal "$(value tags/c)" "" "the ref"

scene "what an undo brings back must still be in the store"
redo update-ref tags/blob "$(printf 'gone soon' | redo hash-object -w -t blob --stdin)"
path=$(redo rev-parse tags/blob)
path=.redo/objects/${path:7:2}/${path:9}
redo update-ref -d tags/blob
rm -f "$path"
BEFORE=$(fingerprint)
run redo reflog undo
expect_error 1 "cannot undo the change of 'tags/blob': object "
expect_untouched "$BEFORE"

scene "an import can be undone: the history is without it, and with it again"
make_store import
redo import -q "$LOG" >/dev/null
redo log >log.before
run redo reflog undo
expect_status 0
expect_stdout_lines 2
expect_equal "$(redo log)" "" "the history"
run redo reflog undo
expect_status 0
redo log >log.after
cmp -s log.before log.after || fail "the history differs" </dev/null

scene "and so does the same import once more, though the store has received its nodes before"
redo reflog undo >/dev/null
run redo import -q "$LOG"
expect_status 0
expect_stdout 0
redo log >log.after
cmp -s log.before log.after || fail "the history differs" </dev/null
expect_clean
cd ..

scene "of a task too that has another head: what is imported again is in the history again"
make_store task
DIVERGED=$VECTORS/log/diverged.ndjson
redo import -q "$DIVERGED" >/dev/null
redo log >log.before
redo show-ref >refs.before
name=$(awk '{ print $2 }' refs.before | sort | uniq -d | head -1)
[ -n "$name" ] || fail "no task of the log has two heads" <refs.before
one=$(awk -v "n=$name" '$2 == n { print $1; exit }' refs.before)
back=$(redo cat-node "$one" | sed 's/.*"parents":\["\([^"]*\)".*/\1/')
for index in with without; do
  for again in 'import -q' 'hash-object -w --update-heads --ndjson'; do
    others=$(awk -v "n=$name" -v "one=$one" '$2 == n && $1 != one { print $1 }' refs.before)
    is_below=
    for other in $others; do redo merge-base --is-ancestor "$back" "$other" && is_below=yes; done
    # The head moves back to its parent; the parent is a head only where no other head is above it.
    [ -n "$is_below" ] || others="$others $back"
    redo update-ref "$name" "$(echo $others | tr ' ' ,)" || fail "the head does not move" </dev/null
    [ "$index" = without ] || redo log >/dev/null
    [ "$index" = with ] || rm -f .redo/cache/graph*
    redo log --no-cache | cmp -s - log.before && fail "nothing was taken out" </dev/null
    run redo $again <"$DIVERGED"
    expect_status 0
    redo show-ref >refs.after
    cmp -s refs.before refs.after || fail "'$again' $index an index: other heads" < <(diff refs.before refs.after)
    redo log --no-cache | cmp -s - log.before || fail "'$again': the history differs" </dev/null
  done
done
redo verify --all >/dev/null || fail "verify finds damage" </dev/null
cd ..

scene "no such entry"
for word in 99 999999999999; do
  run redo reflog undo $word
  expect_error 128 "there is no entry $word"
done

scene "the chain is verified by every reading"
make_store chain
demo 3000 | grep '"action":"CREATE"' | head -400 >creates.ndjson
while read -r line; do echo "$line" | redo -c core.fsync=none hash-object -w --update-heads --stdin; done < <(head -260 creates.ndjson) >/dev/null
grep -q '^redo-refs 1 [2-9]' .redo/refs || fail "nothing is folded" </dev/null
run redo reflog
expect_status 0
expect_stdout_lines 260
expect_equal "$(head -1 "$OUT" | cut -d' ' -f1)" 260 "the newest"
sed -i '0,/^message hash-object/s//message Hash-object/' .redo/reflog
run redo reflog -n 1
expect_error 128 "is corrupt at byte"
run redo reflog undo
expect_error 128 "is corrupt at byte"
cd ..

scene "pipes, full disks, read-only stores"
run bash -c "redo reflog >/dev/full"
expect_error 128 "write error"
if can_be_nobody; then
  chmod -R a+rX .
  run as_nobody env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=safe.directory REDO_CONFIG_VALUE_0='*' redo reflog -n 1
  expect_status 0
  expect_stdout_lines 1
  run as_nobody env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=safe.directory REDO_CONFIG_VALUE_0='*' redo reflog undo
  expect_error 128 "ermission denied"
fi

scene "mistakes in the command line"
for words in 'undo -n 3' 'undo x' 'undo 0' 'undo -1 x y' 'undo --json' 'undo 1 2' 'show a/b c/d' 'exists' 'exists --json a/b' \
  '--dry-run' 'show -m x' '--date=noon' '--format=x --json' '-n x' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo reflog $words
  expect_status 129
  expect_stdout ''
done
run redo reflog undo -n 3
expect_stderr_has "hint: '--dry-run' shows what would be changed"
run redo reflog undo -m ''
expect_status 129
