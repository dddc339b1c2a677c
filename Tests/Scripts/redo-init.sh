#!/bin/bash
# redo init: makes a store, completes one, and never harms one that is there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scene "a store is made here; data goes to stdout, so this is said on stderr"
run redo init
expect_status 0
expect_stdout ''
expect_stderr "initialized empty redo store in '$PWD/.redo'"

scene "it is an empty history"
run redo log
expect_status 0
expect_stdout ''
expect_stderr ''
run redo verify --all
expect_status 0
expect_stdout ''

scene "its files are where redo-store(5) says, and of a known format"
grep -q 'format = 1' .redo/config || fail "the settings name no format" <.redo/config
grep -qx '	id = [0-9a-f]\{32\}' .redo/config || fail "the store has no name" <.redo/config
run sh -c 'cd .redo && find . -type d | sort'
expect_stdout <<'END'
.
./cache
./keys
./objects
./objects/info
./objects/pack
./quarantine
./remotes
END
expect_equal "$(stat -c %a .redo/keys)" 700 "the mode of the secrets' directory"
for file in config refs refs.journal reflog received lock; do
  [ -f ".redo/$file" ] || fail "there is no '$file'" </dev/null
done

scene "a second time is harmless"
a_node | redo hash-object -w --update-heads --stdin >id
before=$(fingerprint)
run redo init
expect_status 0
expect_stdout ''
expect_stderr "reinitialized existing redo store in '$PWD/.redo'"
expect_untouched "$before"

scene "a second time adds a directory that is missing, and no file"
rmdir .redo/cache
run redo init -q
expect_status 0
expect_untouched "$before"
[ -d .redo/cache ] || fail "'cache' is still missing" </dev/null

scene "-q says nothing; the directory is made with its parents"
run redo init -q deep/down/here
expect_status 0
expect_stdout ''
expect_stderr ''
run redo -C deep/down/here log
expect_status 0

scene "as an executable of its own name"
run redo-init other
expect_status 0
expect_stderr "initialized empty redo store in '$PWD/other/.redo'"

scene "REDO_DIR and --redo-dir name the store itself, the option wins"
run env REDO_DIR="$PWD/by-variable" redo init
expect_status 0
expect_stderr "initialized empty redo store in '$PWD/by-variable'"
run env REDO_DIR="$PWD/by-variable" redo --redo-dir by-option init
expect_status 0
expect_stderr "initialized empty redo store in '$PWD/by-option'"
[ -f by-option/config ] || fail "there is no store in 'by-option'" </dev/null

scene "eight at once make one store, and one of them says so"
mkdir race
for number in 1 2 3 4 5 6 7 8; do redo init race 2>"said.$number" & done
wait
cat said.* >said
expect_equal "$(grep -c ^initialized said)" 1 "processes that made the store"
expect_equal "$(grep -c ^reinitialized said)" 7 "processes that found it made"
run redo -C race log
expect_status 0

scene "a store of a future format is left alone"
redo init -q future
sed -i 's/format = 1/format = 3/' future/.redo/config
before=$(fingerprint future)
run redo init future
expect_error 128 "format"
expect_untouched "$before" future

scene "a file in the way is one clear error"
: >file
run redo init file
expect_error 128 "'file"
run redo init file/below
expect_error 128 "'file'"

scene "/dev/full, a place without space for anything"
run redo init /dev/full
expect_error 128 "/dev/full"

scene "more than one directory is a mistake in the command line"
run redo init a b
expect_status 129
expect_stdout ''
expect_stderr_has "error: "
expect_stderr_has "usage: redo-init"
[ ! -e a ] && [ ! -e b ] || fail "something was made" </dev/null

scene "where nothing may be written there is one clear error"
if can_be_nobody; then
  mkdir closed
  run as_nobody redo init closed
  expect_error 128 "ermission denied"
  expect_equal "$(ls -A closed)" '' "what was left"
else
  skip "only root can become another user"
fi
