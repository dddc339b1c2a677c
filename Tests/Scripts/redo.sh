#!/bin/bash
# redo: one executable that is every command.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scene "redo <command> and redo-<command> are the same"
make_store
for command in $(redo --list-commands); do
  run redo "$command" -h
  cp "$OUT" said
  run "redo-$command" -h
  expect_status 129
  expect_stdout_file said
done

scene "by whatever path and link it is started"
ln -s "$REDO_BIN" redo-log
run ./redo-log
expect_status 0
run "$WORK/bin/redo" log
expect_status 0

scene "-h lists the commands; without any command this is what there is to say, and no success"
run redo -h
expect_status 129
expect_stderr ''
expect_stdout_has "usage: redo "
for command in $(redo --list-commands); do expect_stdout_has "   $command "; done
cp "$OUT" said
run redo
expect_status 1
expect_stdout_file said

scene "--version"
run redo --version
expect_status 0
expect_stdout_lines 1
grep -q '^redo version [0-9]*\.[0-9]*\.[0-9]*$' "$OUT" || fail "the version" <"$OUT"
cp "$OUT" said
run redo-log --version
expect_status 0
sed 's/^redo-log/redo/' "$OUT" | cmp -s - said || fail "another version" <"$OUT"

scene "a command that there is not, and one that may have been meant"
run redo bogus
expect_status 129
expect_stdout ''
expect_stderr_has "'bogus' is not a redo command"
run redo verfy
expect_status 129
expect_stdout ''
expect_stderr_has "verify"

scene "an option that there is not"
run redo --bogus log
expect_status 129
expect_stderr_has "unknown option 'bogus'"
expect_stderr_has "usage: redo"
for command in $(redo --list-commands); do
  run redo "$command" --bogus
  expect_status 129
  expect_stdout ''
  expect_stderr_has "error: unknown option 'bogus'"
  expect_stderr_has "usage: redo-$command"
done

scene "-C goes to a directory first; --redo-dir and REDO_DIR name the store; an option wins"
a_node | redo hash-object -w --update-heads --stdin >id
mkdir "$WORK/empty"
cd "$WORK/empty" || exit
run redo log
expect_error 128 "not a redo repository (or any of the parent directories): .redo"
for how in "-C $WORK/here" "-C .. -C here" "--redo-dir $WORK/here/.redo" "--redo-dir=../here/.redo" "-C .. --redo-dir here/.redo"; do
  # shellcheck disable=SC2086 # words
  run redo $how log --format='%(id)'
  expect_status 0
  expect_stdout_file "$WORK/here/id"
  # The same options are understood after the command.
  # shellcheck disable=SC2086
  run redo log $how --format='%(id)'
  expect_stdout_file "$WORK/here/id"
done
run env REDO_DIR="$WORK/here/.redo" redo log --format='%(id)'
expect_stdout_file "$WORK/here/id"
run env REDO_DIR="$WORK/nowhere" redo log
expect_error 128 "not a redo repository: '$WORK/nowhere'"
run env REDO_DIR="$WORK/nowhere" redo --redo-dir "$WORK/here/.redo" log --format='%(id)'
expect_stdout_file "$WORK/here/id"

scene "from a directory below, the store above is found"
mkdir -p "$WORK/here/some/where"
cd "$WORK/here/some/where" || exit
run redo log --format='%(id)'
expect_stdout_file "$WORK/here/id"
cd "$WORK/here" || exit

scene "settings: file, environment, option, in this order"
run redo -c core.compression=12 hash-object -w id
expect_status 128
expect_stderr_has "core.compression"
run env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=core.compression REDO_CONFIG_VALUE_0=12 redo log
expect_status 128
run env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=core.compression REDO_CONFIG_VALUE_0=12 redo -c core.compression=3 log
expect_status 0
printf '\tcompression = twelve\n' >>.redo/config
run redo log
expect_error 128 "core.compression"
run redo -c core.compression=0 log
expect_status 0
sed -i '$d' .redo/config

scene "core.fsync: batch, full and none write the same objects"
for policy in none batch full; do
  redo init -q "by-$policy"
  run redo -C "by-$policy" -c core.fsync=$policy import -q "$VECTORS/log/linear.ndjson"
  expect_status 0
  (cd "by-$policy/.redo/objects" && find . -type f -print0 | sort -z | xargs -0 sha256sum) >"$policy.sums"
done
cmp none.sums batch.sums && cmp none.sums full.sums || fail "they differ" </dev/null
run redo -c core.fsync=some log
expect_status 128

scene "a setting or directory that makes no sense"
run redo -C "$WORK/nowhere" log
expect_error 128 "$WORK/nowhere"
run redo -c nonsense log
expect_status 128
expect_stdout ''

scene "someone else's store is not trusted, unless the user's own settings say so"
if can_be_nobody; then
  chmod -R a+rX .
  run as_nobody redo -C "$PWD" log
  expect_status 128
  expect_stdout ''
  expect_stderr_has "belongs to another user"
  expect_stderr_has "hint: "
  # What the store itself says does not count.
  printf '[safe]\n\tdirectory = *\n' >>.redo/config
  run as_nobody redo -C "$PWD" log
  expect_status 128
  for entry in "$PWD" "$PWD/.redo" '*' "$WORK/*"; do
    run as_nobody redo -C "$PWD" -c "safe.directory=$entry" log --format='%(id)'
    expect_status 0
    expect_stdout_file id
  done
  run as_nobody redo -C "$PWD" -c safe.directory="$WORK/other" log
  expect_status 128
  mkdir "$WORK/his" && chown $NOBODY "$WORK/his"
  run as_nobody redo init -q "$WORK/his"
  expect_status 0
  run redo -C "$WORK/his" log
  expect_status 128
  expect_stderr_has "belongs to another user"
  run env SUDO_UID=$NOBODY "$REDO_BIN" -C "$WORK/his" log
  expect_status 0
else
  skip "only root can become another user"
fi
