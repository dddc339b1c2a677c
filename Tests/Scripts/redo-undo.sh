#!/bin/bash
# redo undo: what was written last in this store is taken back by new changes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-000000000001
second=0
# does <store> <commit arguments>...
does() {
  local store=$1
  shift
  second=$((second + 1))
  redo -C "$store" commit -q --date="2025-03-01T08:00:$(printf %02d $second).000Z" "$@" >"$OUT" 2>"$ERR" || fail "redo commit fails" <"$ERR"
}
sync() { redo -C "$1" sync -q "$PWD/$2" >"$OUT" 2>"$ERR" || fail "they do not sync" <"$ERR"; }
# state <store>: without what says when members were set.
state() { redo -C "$1" state -q | sed 's/"lastUpdated":"[^"]*",//; s/"defaulted":\[[^]]*\],//'; }
# shows <file>: the state of `a` is what was kept in it.
shows() {
  state a >"$OUT"
  expect_stdout_file "$1"
}
stores() {
  rm -rf a b
  second=0
  for name; do redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1; done
}

scene "nothing was written here"
stores a b
BEFORE=$(fingerprint a)
run redo -C a undo
expect_error 128 "nothing was written in this store that could be undone"
does b create -t $T --title=Water
sync a b
run redo -C a undo
expect_error 128 "nothing was written in this store that could be undone"
run redo -C b undo 2
expect_error 128 "only 1 transaction was written in this store, not 2"
for word in 0 x -- "1 2"; do
  # shellcheck disable=SC2086 # words
  [ "$word" = -- ] || run redo -C a undo $word
  [ "$word" = -- ] || expect_status 129
done
# A store without a key is not asked for one before there is something to sign.
redo init -q bare
run redo -C bare undo
expect_status 128

scene "the last transaction, whole; undone twice, it is done again"
stores a
does a create -t $T --title=Water
state a >one
printf '%s\n' '{"action":"UPDATE","taskId":"'$T'","fields":{"title":"Wine"}}' \
  '{"action":"ARCHIVE","taskId":"'$T'","fields":{}}' | redo -C a commit -q --stdin >"$OUT"
state a >two
BEFORE=$(fingerprint a)
run redo -C a undo -n
expect_status 0
expect_stdout <<ROWS
changed $T Water
    archived true -> false
    title "Wine" -> "Water"
ROWS
expect_stderr "entry 2: 2 changes, commit: 2 changes"
expect_untouched "$BEFORE" a
run redo -C a undo --format='%(action) %(data)'
expect_status 0
expect_stdout <<ROWS
UPDATE {"fields":{"title":"Water"}}
UNARCHIVE {"fields":{}}
ROWS
shows one
expect_equal "$(redo -C a reflog -n 1 | cut -d' ' -f3-)" "undo 2: commit: 2 changes (1 ref)" "the reflog"
run redo -C a undo -q
expect_status 0
expect_stderr ''
shows two
run redo -C a undo 2
expect_status 1
expect_stderr_has "error: it changed nothing, so there is nothing to take back"
run redo -C a undo -q -m 'all of it' 4
expect_status 0
run redo -C a state
expect_stdout ''
run redo -C a undo -q
shows two
run redo -C a verify --all --profile=sync
expect_status 0

scene "a DELETE is undone by a change beside it, everywhere; and again by a DELETE"
stores a b
does a create -t $T --title=Water
does a create-todo -t $T --title=can
state a >one
sync b a
does a delete -t $T
run redo -C a undo -q
expect_status 0
shows one
sync b a
state b >"$OUT"
expect_stdout_file one
run redo -C a undo --format='%(action)'
expect_stdout DELETE
sync b a
run redo -C b state
expect_stdout ''

scene "what others have written since is kept, and said; theirs is not undone"
stores a b
does a create -t $T --title=Water
does a update -t $T --title=Wine --priority=5
sync b a
does b update -t $T --title=Tea
TEA=$(cat "$OUT")
sync a b
run redo -C a undo
expect_status 0
expect_stderr_has "kept 'title' of task '$T', changed again by '$TEA'"
run redo -C a state
expect_stdout_has '"priority":3'
expect_stdout_has '"title":"Tea"'
run redo -C a undo 4
expect_error 128 "only 3 transactions were written in this store, not 4"

scene "what refs have been moved back from is not undone again"
stores a
does a create -t $T --title=Water
does a update -t $T --title=Wine
redo -C a reflog undo >/dev/null
run redo -C a undo --format='%(action)'
expect_stdout DELETE

scene "what was written here is known whatever its message says, and what came back is not"
stores a
does a create -t $T --title=Water
cp -r a old
for words in "sync the list" "import: all of it" "fetch" "push home"; do
  does a update -t $T --title=Wine -m "$words"
  run redo -C a undo --format='%(action) %(data)'
  expect_status 0
  expect_stdout 'UPDATE {"fields":{"title":"Water"}}'
  expect_stderr_has "1 change, $words"
done
does a update -t $T --priority=5
# The device is the same one, but what comes was not written in this store.
sync old a
run redo -C old undo --format='%(action)'
expect_status 1
expect_stderr_has "entry 1: 1 change, "
expect_stderr_has "error: task '$T' "

scene "after a wipe: what is left of what was written is undone, and what was wiped is not missed"
stores a b
does b create -t 7c000000-0000-4000-8000-000000000003 --title=Theirs
does a create -t $T --title=Water
sync a b
state a >both
does a update -t $T --title=Wine
does b update -t 7c000000-0000-4000-8000-000000000003 --title=More
sync a b
does a update -t $T --priority=5
redo -C a wipe -q --yes --author="$(redo -C b key show --public | cut -c1-32)" >"$OUT" 2>"$ERR" || fail "nothing is wiped" <"$ERR"
run redo -C a undo --format='%(action) %(data)'
expect_status 0
expect_stdout 'UPDATE {"fields":{"priority":3}}'
run redo -C a undo -q 3 --format='%(action) %(data)'
expect_status 0
expect_stdout 'UPDATE {"fields":{"title":"Water"}}'
state a >"$OUT"
grep "$T" both >one
expect_stdout_file one
does a archive -t $T
run redo -C a undo --format='%(action)'
expect_stdout UNARCHIVE

scene "where an undo ends, it says how to go on"
stores a b
does a create -t $T --title=Water
does a update -t $T --title=Wine
WINE=$(cat "$OUT")
sync b a
does b update -t $T --title=Tea
TEA=$(cat "$OUT")
sync a b
run redo -C a undo
expect_status 1
expect_stderr "entry 2: 1 change, commit: UPDATE
error: 'title' of task '$T' was changed again by '$TEA'
hint: 'redo revert --force $WINE' restores the values before the change all the same
hint: 'redo undo 2' takes back the transaction before that, too"
run redo -C a revert --force "$WINE"
expect_status 0
run redo -C a state
expect_stdout_has '"title":"Water"'
does a update -t $T --title=Water
run redo -C a undo
expect_status 1
expect_stderr "entry 5: 1 change, commit: UPDATE
error: it changed nothing, so there is nothing to take back
hint: 'redo undo 2' takes back the transaction before that, too"
stores a
does a create -t $T --title=Water
does a delete -t $T
run redo -C a undo 2
expect_status 1
expect_equal "$(grep -c '^hint' "$ERR")" 0 "hints"

scene "a sync with --merge is a transaction"
stores a b
does a create -t $T --title=Water
sync b a
does a update -t $T --title=Wine
does b update -t $T --priority=5
run redo -C a sync --merge -q "$PWD/b"
expect_status 0
run redo -C a undo
expect_status 1
expect_stderr_has "hint: 'redo undo 2' takes back the transaction before that, too"
run redo -C a undo -q 2 --format='%(action) %(data)'
expect_status 0
expect_stdout 'UPDATE {"fields":{"title":"Water"}}'
