#!/bin/bash
# kill -9 at every system call of a command that writes receipts or notes about them, and each call failing once: all of it is
# there or nothing, nothing that was acknowledged is lost, and the next such command works.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 24

MEMORY='{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
redo init -q new && redo -C new key generate >/dev/null && redo -C new key device-id >/dev/null
cp -r new old
FIRST=$(redo -C old receipt create <<<"$MEMORY")
redo -C old receipt mark --tag=before "$FIRST"
echo "$MEMORY" >payload
echo '{"table":"circle_invites","row":{"id":"1","invite_code":"BUDS-0000-0001","max_uses":1,"use_count":0,"status":"pending","created_at":1}}' >rows

# undisturbed <store> <input> <words>...
undisturbed() {
  STORE=$1 INPUT=$2
  shift 2
  COMMAND=("$@")
  copy_store
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" <"$INPUT" >printed 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  # The runtime's start is the same for all commands; what comes after the store is first looked for counts here.
  local begin
  begin=$(grep -n '\.redo' calls | head -1 | cut -d : -f 1)
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls |
    awk -v begin="$begin" '{ seen[$1]++ } NR >= begin && $1 !~ /^exec|^exit|^rseq$|^futex|^clone|^set_robust|^sched_|^rt_sig|^m(map|unmap|protect|advise)$/ { print $1, seen[$1] }' >steps.all
  chosen "${COMMAND[*]}" <steps.all >steps
}
receipts() { redo -C "$1" receipt list --show-deleted --json | grep -o '"letter":"."' | sort | uniq -c | tr -s ' \n' ' '; }

# made: nothing, or the receipt with its card; then one more.
made() {
  local found
  found=$(receipts struck)
  case $found in
  '') [ "$STATUS" -ne 0 ] || fail "an acknowledged receipt is lost" </dev/null ;;
  ' 2 "letter":"G" ') ;;
  *) fail "neither nothing nor both: $found" </dev/null ;;
  esac
  redo -C struck receipt create <payload >again 2>"$ERR" || fail "the next one fails" <"$ERR"
  [ "$found" = '' ] || [ "$(cat again)" != "$(cat printed)" ] || fail "the same receipt twice" <again
  case $(receipts struck) in ' 2 "letter":"G" ' | ' 3 "letter":"G" ') ;; *) fail "the next one is not good" < <(receipts struck) ;; esac
}
# noted <rows before> <word>: the rows of before, or the new ones, which have the word; then once more.
noted() {
  local found
  found=$(redo -C struck local export 2>"$ERR") || fail "the rows cannot be read" <"$ERR"
  if [ "$found" = "$(cat before)" ]; then
    [ "$STATUS" -ne 0 ] || fail "an acknowledged row is lost" </dev/null
  else
    grep -q "$1" <<<"$found" || fail "neither old nor new" <<<"$found"
  fi
  redo -C struck "${COMMAND[@]}" <"$INPUT" >/dev/null 2>"$ERR" || fail "the next one fails" <"$ERR"
  redo -C struck local export | grep -q "$1" || fail "the next one is lost" </dev/null
}
whole() {
  local command=$RUN status=$STATUS
  run redo -C struck verify
  RUN="$command, then redo verify"
  grep -q '^error' "$OUT" && fail "the store is damaged" <"$OUT"
  STATUS=$status
  "$@"
}
# each_step <what must hold>...
each_step() {
  local call which error kills=0 fails=0
  while read -r call which <&3; do
    strike signal=SIGKILL "$call" "$which"
    # Where threads share the work, one of them may not come to make so many calls.
    if [ "$STATUS" -eq 137 ]; then kills=$((kills + 1)); else expect_status 0; fi
    whole "$@"
    case $call in
    openat | linkat | renameat | renameat2 | mkdirat) error=EACCES ;;
    write | pwrite64 | fsync | ftruncate) error=ENOSPC ;;
    fcntl) error=ENOLCK ;;
    read | pread64 | newfstatat | fstat | fchmod | getdents64) error=EIO ;;
    *) continue ;;
    esac
    strike error=$error "$call" "$which"
    if [ "$STATUS" -ne 0 ]; then
      fails=$((fails + 1))
      [ "$(grep -c '^fatal: \|^error: ' "$ERR")" -ge 1 ] || fail "no message" <"$ERR"
    fi
    whole "$@"
  done 3<steps
  [ $kills -ge "$(fewer 20)" ] || fail "only $kills runs were killed" </dev/null
}

scene "the first receipt comes with its card, or neither does"
undisturbed new payload receipt create
each_step made

scene "a mark is whole or not there"
redo -C old local export >before
undisturbed old /dev/null receipt mark --tag=after --note=more "$FIRST"
each_step noted after

scene "rows are written all or none"
undisturbed old rows local put
each_step noted BUDS-0000-0001

scene "an import of rows is whole or not there"
redo -C old local export | sed 's/"time":[0-9]*/"time":99999999999999/; s/before/imported/' >rows.new
undisturbed old rows.new local import -q
each_step noted imported

# Two stores that share: each has pinned the device of the other.
for name in ada ben; do
  redo init -q $name && redo -C $name key generate >/dev/null
  redo -C $name receipt create <payload >$name.cid
  redo -C $name receipt list --type=redo.device.registered/v1 | cut -f1,5 >$name.card
  redo -C $name export --kind=receipt | grep "$(cut -f1 $name.card)" >$name.line
done
for pair in "ada ben" "ben ada"; do
  read -r here there <<<"$pair"
  redo -C $here import -q - <$there.line >/dev/null
  redo -C $here device add "$(cut -f1 $there.card)"
  redo -C $here circle add "$(cut -f2 $there.card)"
done
redo -C ben share create --circle "$(cat ben.cid)" >message

# opened: what was shared never leaves, and opening the message once more has it here.
opened() {
  redo -C struck export -q --kind=receipt | grep -q "$(cat ben.cid)" && fail "it leaves" </dev/null
  redo -C struck share open -q <"$INPUT" >again 2>"$ERR" || fail "the next one fails" <"$ERR"
  [ -s again ] || [ -n "$(redo -C struck receipt list --root="$(cat ben.cid)")" ] || fail "it is nowhere" </dev/null
  redo -C struck receipt list --json | grep "$(cat ben.cid)" | grep -q '"letter":"G"' || fail "it is not good" </dev/null
  redo -C struck export -q --kind=receipt | grep -q "$(cat ben.cid)" && fail "it leaves then" </dev/null
  [ "$(redo -C struck share list | grep -c ^in)" -eq 1 ] || fail "it is noted otherwise" < <(redo -C struck share list)
}
scene "what others share is noted before it is here, so that it never leaves"
undisturbed ada message share open
each_step opened

# sent: whoever got a message was shared with, as far as this store knows.
sent() {
  [ ! -s printed ] || [ "$(redo -C struck share list | grep -c ^out)" -ge 1 ] || fail "a message that is not noted" <printed
  redo -C struck share create --circle "$(cat ada.cid)" >again 2>"$ERR" || fail "the next one fails" <"$ERR"
  [ -s again ] || fail "nothing is printed" </dev/null
}
scene "what is shared is noted before it is printed"
undisturbed ada /dev/null share create --circle "$(cat ada.cid)"
each_step sent

# kept: every receipt is there, wherever it is by now, and the next run finishes the work.
kept() {
  redo -C struck export -q --kind=receipt | sort | cmp -s - all || fail "a receipt is lost" < <(redo -C struck export --kind=receipt 2>&1)
  redo -C struck "${COMMAND[@]}" >again 2>"$ERR" || grep -q 'are in registered archives\|not in the store itself' "$ERR" || fail "the next one fails" <"$ERR"
  redo -C struck export -q --kind=receipt | sort | cmp -s - all || fail "a receipt is lost then" < <(redo -C struck export --kind=receipt 2>&1)
  [ "$(redo -C struck archive list | grep -c ' present ')" -eq 1 ] || fail "the archive is not registered" < <(redo -C struck archive list)
  [ "$(objects struck)" -eq 0 ] || fail "something is left in the store" < <(find struck/.redo/objects -type f)
}
scene "receipts that leave the store for an archive are in one of the two"
redo -C old export -q --kind=receipt | sort >all
undisturbed old /dev/null archive create -q -f --kind=receipt --remove -o away.pack
each_step kept

# brought: a whole store, or none; then one.
brought() {
  if [ -e out/.redo ]; then
    redo -C out export -q --kind=receipt | sort | cmp -s - all || fail "half a history" < <(redo -C out receipt list 2>&1)
  else
    [ "$STATUS" -ne 0 ] || fail "a store that was acknowledged is not there" </dev/null
    redo -C struck "${COMMAND[@]}" 2>"$ERR" || fail "the next one fails" <"$ERR"
    redo -C out export -q --kind=receipt | sort | cmp -s - all || fail "the next one is not whole" </dev/null
  fi
  rm -rf out
}
scene "a recovered history of receipts is whole or not there"
undisturbed old /dev/null recover -q --to=now -o ../out
rm -rf out
each_step brought

# come: all that the other store has, or nothing of it in the history; the next run brings what is lacking, and nothing waits then.
come() {
  local found
  found=$(redo -C struck export -q --kind=receipt | sed 's/,"received":[0-9]*//' | sort)
  [ -z "$found" ] || [ "$found" = "$(cat theirs.plain)" ] || fail "a part of it" <<<"$found"
  [ "$STATUS" -ne 0 ] || [ -n "$found" ] || fail "acknowledged receipts are lost" </dev/null
  redo -C struck fetch -q --kind=receipt "$PWD/theirs.redo" 2>"$ERR" || fail "the next one fails" <"$ERR"
  redo -C struck export -q --kind=receipt | sed 's/,"received":[0-9]*//' | sort | cmp -s - theirs.plain || fail "the next one is not whole" </dev/null
  [ -z "$(redo -C struck quarantine list)$(ls struck/.redo/quarantine/incoming 2>/dev/null)" ] || fail "something is left in the quarantine" < <(ls -R struck/.redo/quarantine)
}
scene "receipts of another store are taken in whole, or not at all"
cp -r old theirs.redo
redo -C theirs.redo export -q --kind=receipt | sed 's/,"received":[0-9]*//' | sort >theirs.plain
undisturbed new /dev/null fetch -q --kind=receipt "$PWD/theirs.redo"
each_step come
