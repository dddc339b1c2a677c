# What the sweeps over single writers share, besides lib.sh: a command is killed at each of its system calls, and each
# call fails once, with every error that it may have. What is looked at is what `facts` of a script prints of a copy.
#
#   undisturbed <store> <input> <words>...   runs the command once, and once more, and keeps the facts before and after
#   each_strike                              strikes it at all places, or at a share of them
#
# What must hold: the facts are those of before or of after, nothing between; of after, if the command has said so by
# its status; an error is one line; and the same command once more ends as it does in a store that nothing has struck.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# What a command is run with: the store is `struck`, beside whatever else `copy_store` has brought there.
undisturbed() {
  STORE=$1 INPUT=$2
  shift 2
  COMMAND=("$@")
  copy_store
  facts struck >facts.before
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" <"$INPUT" >printed 2>"$ERR"
  STATUS_ONCE=$?
  [[ " ${DONE_STATUS:-0} " == *" $STATUS_ONCE "* ]] || fail "'${COMMAND[*]}' fails undisturbed: $STATUS_ONCE" <"$ERR"
  facts struck >facts.after
  ! cmp -s facts.before facts.after || fail "'${COMMAND[*]}' does nothing" <"$ERR"
  redo -C struck "${COMMAND[@]}" <"$INPUT" >/dev/null 2>"$ERR"
  STATUS_TWICE=$?
  facts struck >facts.twice
  # The runtime's start is the same for all commands; what comes after the store is first looked for counts here.
  local begin
  begin=$(grep -n '\.redo\|accounts' calls | grep -v ' execve(' | head -1 | cut -d : -f 1)
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls |
    awk -v begin="$begin" '{ seen[$1]++ } NR >= begin && $1 !~ /^exec|^exit|^rseq$|^futex|^clone|^set_robust|^sched_|^rt_sig|^m(map|unmap|protect|advise)$/ {
      print $1, seen[$1] }' >steps.all
}

# faults_of <call>: the errors that it may have, as strace wants them.
faults_of() {
  echo signal=SIGKILL
  case $1 in
  read | pread64 | openat | fcntl | fdatasync | fsync) echo error=EINTR ;;
  esac
  case $1 in
  write | pwrite64) printf 'error=%s\n' ENOSPC EIO EINTR ;;
  newfstatat | fstat | fchmod) echo error=EIO ;;
  close) ;;
  *) errors_of "$1" | tr ' ' '\n' | sed -n 's/^./error=&/p' ;;
  esac
}

each_strike() {
  local call which fault kills=0 fails=0
  while read -r call which; do
    for fault in $(faults_of "$call"); do echo "$call $which $fault"; done
  done <steps.all | chosen "${COMMAND[*]}" >steps
  # Some commands make ten times as many calls as others.
  [ -n "$SOAK" ] || { awk -v most=4 -v count="$(wc -l <steps)" 'NR % int(count / most + 1) == 0' steps >few && mv few steps; }
  while read -r call which fault <&3; do
    strike "$fault" "$call" "$which"
    case $STATUS in
    137) kills=$((kills + 1)) ;;
    "$STATUS_ONCE") ;;
    *)
      fails=$((fails + 1))
      # 75: the other side, which is the same program, has gone.
      [[ $STATUS =~ ^(1|75|128)$ ]] || fail "a status of $STATUS" <"$ERR"
      # Unless it is the message itself that cannot be written.
      [ "$(grep -c '^fatal: \|^error: ' "$ERR")" -ge 1 ] || [ "$call" = write ] || fail "no message" <"$ERR"
      [ "$(grep -c '^fatal: ' "$ERR")" -le 1 ] || fail "more than one message" <"$ERR"
      ;;
    esac
    whole "$fault"
  done 3<steps
  [ $kills -ge 20 ] || [ -z "$SOAK" ] || fail "only $kills runs were killed" </dev/null
  echo "# $(wc -l <steps) strikes: $kills killed, $fails failed"
}

whole() {
  local command=$RUN status=$STATUS
  cp "$ERR" struck.err
  if [ -e struck/.redo ]; then
    run redo -C struck verify
    RUN="$command, then redo verify"
    ! grep -q '^error' "$OUT" || fail "the store is damaged" <"$OUT"
    [ "$STATUS" -le 1 ] || fail "the store cannot be verified" <"$ERR"
  fi
  facts struck >facts.now
  RUN="$command"
  if cmp -s facts.now facts.before; then
    [ "$status" != "$STATUS_ONCE" ] || [ "$1" = signal=SIGKILL ] || fail "it says that it is done, and nothing is" <struck.err
    [ "$status" != 0 ] || fail "what was acknowledged is lost" <struck.err
  elif ! cmp -s facts.now facts.after && ! between facts.now; then
    fail "neither the old nor the new" < <(diff facts.after facts.now; cat struck.err)
  fi
  redo -C struck "${COMMAND[@]}" <"$INPUT" >printed.again 2>"$ERR"
  STATUS=$? RUN="$command, then once more"
  facts struck >facts.now
  if [ "$STATUS" = "$STATUS_ONCE" ] && cmp -s facts.now facts.after; then :; else
    [ "$STATUS" = "$STATUS_TWICE" ] || fail "the next one ends with $STATUS" <"$ERR"
    cmp -s facts.now facts.twice || fail "the next one does something else" < <(diff facts.twice facts.now; cat "$ERR")
  fi
  RUN=''
}
# between <facts>: whether there is something else that may be left, which a script says.
between() { false; }
