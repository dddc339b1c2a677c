#!/bin/bash
# kill -9 and each error at every system call of a change of refs, with and without folding, and of an undo: the
# refs are as they were or as they should be, and what was acknowledged is there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

TASK=7a000000-0000-4000-8000-000000000001
redo init -q plain
redo -C plain import -q "$VECTORS/log/linear.ndjson" >/dev/null
HEAD=$(redo -C plain rev-parse "$TASK")
redo -C plain update-ref tags/moving "$HEAD~1"
cp -r plain full
# A journal that has no room for another entry below the length at which it is folded: a line of one has 82 bytes.
fill() { seq "$1" "$2" | sed "s/.*/create tags\/t& $HEAD/" | redo -C full update-ref --stdin; }
fill 1001 1700
fill 2001 $((2000 + (65536 - 400 - $(stat -c %s full/.redo/refs.journal)) / 83))
: >nothing
printf '%s\n' start "update tags/new $HEAD" "update tags/moving $HEAD~2" "update heads/$TASK $HEAD~1" prepare commit >lines

refs() { redo -C "$1" show-ref; }
# What a command says when its change is made.
acknowledged() { grep -q 'commit: ok\|^sha256:' printed; }

# old_or_new: the refs and their log can be read, and are those of before or of after.
old_or_new() {
  local command="$RUN"
  run refs struck
  RUN="$command, then redo show-ref"
  expect_status 0
  cp "$OUT" found
  run redo -C struck reflog
  RUN="$command, then redo reflog"
  expect_status 0
  if cmp -s found refs.old; then
    ! acknowledged || fail "an acknowledged change is lost" <printed
    redo -C struck "${COMMAND[@]}" <"$INPUT" >"$OUT" 2>"$ERR"
    STATUS=$? RUN="$command, then once more"
    expect_status 0
    refs struck >found
  fi
  cmp -s found refs.new || fail "the refs are neither those of before nor those of after" < <(diff refs.new found)
  ! compgen -G 'struck/.redo/tmp_*' >/dev/null || fail "'$command' leaves a temporary file" </dev/null
  RUN=''
}

errors_of() {
  case $1 in
  openat) echo EACCES EMFILE ;;
  write | pwrite64) echo ENOSPC EIO ;;
  fsync | fdatasync) echo EIO ;;
  renameat | renameat2 | linkat | unlinkat) echo EACCES ;;
  ftruncate | read | pread64 | getdents64) echo EIO ;;
  fcntl) echo ENOLCK ;;
  esac
}

# How many of these calls come before the program itself: the runtime looks for its arguments in /proc/self/maps.
before_main() {
  awk -v "call=$1" '{ sub(/^[0-9]+ +/, "") } index($0, call "(") == 1 { count++ } /self\/maps/ { found = 1 }
    found && /^close/ { exit } END { print count + 0 }' calls
}

struck() {
  refs "$2" >refs.old
  stage "$@"
  refs struck >refs.new
  ! cmp -s refs.old refs.new || fail "'$STAGE' changes nothing" </dev/null
  scene "$STAGE: killed at each of $(awk '{ sum += $1 } END { print sum }' counts) system calls"
  local count call which error before kills=0
  while read -r count call <&3; do
    for which in $(every $(($(before_main "$call") + 1)) "$count"); do
      strike signal=SIGKILL "$call" "$which"
      [ "$STATUS" -eq 0 ] || {
        expect_status 137
        kills=$((kills + 1))
      }
      # A temporary file may be left by a kill; the next folding takes it away.
      rm -f struck/.redo/tmp_refs_*
      old_or_new
    done
  done 3<counts
  ((kills > $(fewer 20))) || fail "only $kills runs were killed" </dev/null

  scene "$STAGE: each call that writes, opens or reads fails once"
  while read -r count call <&3; do
    before=$(before_main "$call")
    for error in $(errors_of "$call"); do
      for which in $(every $((before + 1)) "$count"); do
        strike "error=$error" "$call" "$which"
        if [ "$STATUS" -ne 0 ]; then
          expect_status 128
          [ "$call" = write ] && [ ! -s "$ERR" ] ||
            expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        fi
        old_or_new
      done
    done
  done 3<counts
  expect_clean struck
}

struck "a transaction" plain lines update-ref --stdin
struck "a transaction that folds the journal" full lines update-ref --stdin
grep -q '^redo-refs 1 2 ' struck/.redo/refs || fail "the journal is not folded" </dev/null
struck "an undo" plain nothing reflog undo 2
