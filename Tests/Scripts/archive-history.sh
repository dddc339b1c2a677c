#!/bin/bash
# redo --archive: archives in place of a store.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ORACLE=$TESTS/../.build/oracle/bin/python
"$ORACLE" -c 'import rfc8785, nacl' 2>/dev/null || ORACLE=
make_store
zcat "$DEMO" | redo import -q >/dev/null
redo archive create -q --split=year -o all.redopack >/dev/null
archives=()
for file in all-*.redopack; do archives+=("--archive=$file"); done
[ ${#archives[@]} -gt 1 ] || fail "only one year" </dev/null
redo archive create -q -o whole.redopack >/dev/null
mkdir "$WORK/tmp" && export TMPDIR=$WORK/tmp
left() { find "$TMPDIR" -mindepth 1 | head; }

scene "the answers are those of the store"
for words in 'state --hash' 'log --format=%(id)' 'query tasks' 'export' 'verify --all' 'state --hash --as-of=2024-03-01' \
  'show-ref --heads'; do
  # shellcheck disable=SC2086 # words
  redo $words >expected 2>/dev/null
  status=$?
  for set in whole split; do
    if [ $set = whole ]; then from=(--archive=whole.redopack); else from=("${archives[@]}"); fi
    # shellcheck disable=SC2086 # words
    run redo "${from[@]}" $words
    expect_status $status
    cmp -s expected "$OUT" || fail "another answer to '$words' of $set" < <(diff expected "$OUT" | head)
  done
done
id=$(redo log -n 1 --format='%(id)')
run redo show --archive=whole.redopack "$id"
expect_status 0
expect_stdout_has "$id"

scene "there needs to be no store, and nothing is left"
expect_equal "$(left)" "" "what is left"
run env -C "$WORK/home" redo "--archive=$PWD/whole.redopack" state --hash
expect_status 0
expect_stdout "$(redo state --hash)"
run env -C "$WORK/home" redo -C "$PWD" --archive=whole.redopack state --hash
expect_status 0
run env -C "$WORK/home" REDO_OBJECT_DIRECTORY=/nowhere redo "--archive=$PWD/whole.redopack" state --hash
expect_status 0
expect_equal "$(left)" "" "what is left"
[ ! -e "$WORK/home/.local/state/redo/stores" ] || expect_equal "$(grep -rl redo-scratch "$WORK/home/.local/state/redo/stores")" "" "the records"

scene "an independent reader of packs and states agrees"
if [ -n "$ORACLE" ]; then
  # The oracle is slow by design: of the whole log only the oldest part.
  redo archive create -q --before="$(redo log --format='%(wall)' | sort | sed -n 300p)" -o part.redopack >/dev/null
  "$ORACLE" "$TESTS/Oracle/read_pack.py" part.redopack | "$ORACLE" "$TESTS/Oracle/replay.py" >others || fail "the oracle" </dev/null
  [ -s others ] || fail "no state" </dev/null
  run redo --archive=part.redopack state --json
  expect_stdout_file others
else
  skip "no python3 with rfc8785 and nacl"
fi

scene "an encrypted archive, with a key that the settings name"
redo age --generate -o key.txt >/dev/null 2>&1
redo archive create -q -r "$(redo age -y key.txt)" -o sealed.redopack >/dev/null || fail "no archive" </dev/null
run redo -c "archive.identity=$PWD/key.txt" --archive=sealed.redopack state --hash
expect_status 0
expect_stdout "$(redo state --hash)"
run env -C "$WORK/home" redo "--archive=$PWD/sealed.redopack" state --hash
expect_status 77
expect_stderr "fatal: '$PWD/sealed.redopack' is encrypted for 1 key, and nothing here opens it
hint: '-c archive.identity=<slot or whole path>' names a private key"
run env -C "$WORK/home" redo -c "archive.identity=$PWD/key.txt" "--archive=$PWD/sealed.redopack" state --hash
expect_status 0
expect_equal "$(left)" "" "what is left"

scene "what lacks an ancestor is left out, and that is said"
last=${archives[${#archives[@]} - 1]}
run redo "$last" log --format='%(id)'
if [ $STATUS = 0 ]; then
  expect_stderr_has "left out, because"
  [ "$(wc -l <"$OUT")" -lt "$(redo archive list --json "${last#--archive=}" | grep -o '"nodes":[0-9]*' | cut -d: -f2)" ] || fail "all are there" </dev/null
else
  expect_error 128 "no node of the archives has all its ancestors in them"
fi
run redo "${archives[0]}" state --hash
expect_status 0
expect_stderr ''

scene "nothing is written, and what is no archive is refused"
cp whole.redopack before.redopack
for words in 'commit create --title=x' 'gc -n' 'import whole.redopack' 'archive create -o x'; do
  # shellcheck disable=SC2086 # words
  run redo --archive=whole.redopack $words
  expect_status 129
  expect_stderr_has "does not work on archives"
done
cmp -s whole.redopack before.redopack || fail "the archive was written" </dev/null
run redo --archive=whole.redopack --redo-dir=.redo log
expect_status 129
run redo --archive=nowhere log
expect_error 128 "'nowhere'"
head -c 5000 whole.redopack >cut.redopack
run redo --archive=cut.redopack state
expect_status 128
expect_stderr_has "cut.redopack"
run redo --archive=expected state
expect_status 128
expect_equal "$(left)" "" "what is left"

scene "a closed pipe and a signal leave nothing either; what a killed one leaves goes with the next"
redo --archive=whole.redopack log 2>/dev/null | head -1 >/dev/null
expect_equal "$(left)" "" "after a closed pipe"
for delay in 0.02 0.1 0.3; do
  timeout -s TERM $delay redo --archive=whole.redopack verify --all >/dev/null 2>&1
  expect_equal "$(left)" "" "after a signal"
done
mkdir -p "$TMPDIR/redo-scratch-0123456789abcdef/.redo" && touch "$TMPDIR/redo-scratch-0123456789abcdef/lock"
mkdir "$TMPDIR/redo-scratch-kept" && : >"$TMPDIR/redo-scratch-kept/lock"
touch -d '2 minutes ago' "$TMPDIR/redo-scratch-0123456789abcdef"
run redo --archive=whole.redopack state --hash
expect_status 0
expect_equal "$(ls "$TMPDIR")" redo-scratch-kept "what is left"
