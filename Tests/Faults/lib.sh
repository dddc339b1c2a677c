# What the fault scripts share, besides ../Scripts/lib.sh: commands that are struck at one of their
# system calls, and what must hold afterwards.
#
#   stage <name> <store> <input> <redo arguments>...
#
# runs a command once undisturbed in a copy of the store, and keeps what it printed, the history and
# the objects it left as what is expected, and the system calls it made. Then
#
#   strike <fault> <system call> <which>
#
# runs it again in a fresh copy with one call struck (strace -e inject), and `sound` looks at what is left.

. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
  scene "system calls that are struck one by one"
  skip "strace is missing or not permitted"
  exit 0
fi

own_copies
LOG=$VECTORS/log/merged.ndjson

stage() {
  STAGE=$1 STORE=$2 INPUT=$3
  shift 3
  COMMAND=("$@")
  copy_store
  strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" <"$INPUT" >printed 2>"$ERR" ||
    fail "'$STAGE' fails undisturbed" <"$ERR"
  history struck >expected.history
  stored struck >expected.objects
  # Each call is counted in the thread that makes it; the sum is enough for all threads.
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -v '^execve$\|^exit' | sort | uniq -c >counts
}

copy_store() {
  rm -rf struck
  cp -r "$STORE" struck
}
history() { redo -C "$1" log --format='%(id)'; }
stored() { redo -C "$1" cat-node --batch-check='%(id) %(signature)' --batch-all-objects; }

# strike <fault of strace> <system call> <which of them>
strike() {
  copy_store
  RUN="redo ${COMMAND[*]}   with $2:$1:when=$3"
  # strace ends as the command did; the shell's message about a kill is not wanted.
  { strace -qq -f -o /dev/null -e "trace=$2" -e "inject=$2:$1:when=$3" \
    "$REDO_BIN" -C struck "${COMMAND[@]}" <"$INPUT" >printed 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}

# sound: the store opens, everything in it is whole and good, nothing that was acknowledged is lost, and the
# same command once more brings about what it should have.
sound() {
  local command="$RUN"
  run redo -C struck verify --all
  RUN="$command, then redo verify --all"
  expect_status 0
  ! grep -qv '^G ' "$OUT" || fail "a bad object" <"$OUT"
  run history struck
  RUN="$command, then redo log"
  expect_status 0
  cp "$OUT" history
  if [ -s printed ]; then
    case "${COMMAND[0]}" in
    import | quarantine) cmp -s history expected.history || fail "an acknowledged import is not whole" <history ;;
    *)
      RUN="$command, then redo cat-node"
      redo -C struck cat-node --strict --batch-check='%(id)' <printed >"$OUT" 2>"$ERR" || fail "a printed id is lost" <"$OUT"
      case "${COMMAND[*]}" in
      *--update-heads*) ! grep -vqFxf history printed || fail "a printed id is not in the history" <history ;;
      esac
      ;;
    esac
  fi
  redo -C struck "${COMMAND[@]}" <"$INPUT" >"$OUT" 2>"$ERR"
  STATUS=$? RUN="$command, then once more"
  expect_status 0
  history struck >history
  cmp -s expected.history history || fail "the history differs" < <(diff expected.history history)
  stored struck >objects
  cmp -s expected.objects objects || fail "the objects differ" < <(diff expected.objects objects)
  RUN=''
}

# What a call may fail with, and whether the command can have done its work all the same.
errors_of() {
  case $1 in
  openat) echo EACCES ENOSPC EMFILE ;;
  mkdirat) echo EACCES ENOSPC ;;
  write | pwrite64) echo ENOSPC EIO ;;
  fsync | fdatasync | syncfs) echo EIO ENOSPC ;;
  linkat | renameat | renameat2) echo EACCES EIO ;;
  unlinkat) echo EACCES ;;
  ftruncate) echo EIO ;;
  read | pread64 | getdents64) echo EIO ;;
  fcntl) echo ENOLCK ;;
  close) echo EIO ;;
  esac
}
must_fail() {
  case $1 in
  write | pwrite64 | fsync | fdatasync | syncfs | linkat | renameat | renameat2) true ;;
  *) false ;;
  esac
}

# How many of these calls come before the program itself: the runtime looks for its arguments in /proc/self/maps.
before_main() {
  awk -v "call=$1" '{ sub(/^[0-9]+ +/, "") } index($0, call "(") == 1 { count++ } /self\/maps/ { found = 1 }
    found && /^close/ { exit } END { print count + 0 }' calls
}

# The commands that write, from the smallest on. `folding` is a store whose journal is about to be folded.
redo init -q empty
head -1 "$LOG" >one.json
each_command() {
  "$1" "one object" empty one.json hash-object -w --stdin
  "$1" "one object and its head" empty one.json hash-object -w --update-heads --stdin
  "$1" "ten objects and their heads" empty "$LOG" hash-object -w --ndjson --update-heads
  "$1" "an import" empty "$LOG" import -q
  make_folding
  "$1" "an object whose head folds the journal" folding next.json hash-object -w --update-heads --stdin
  grep -q '^redo-refs 1 2 ' struck/.redo/refs || fail "the journal is not folded" <struck/.redo/refs
}

# A store whose journal of refs has no room for another record below its limit, and a node that makes one.
make_folding() {
  [ ! -e folding ] || return 0
  redo init -q folding
  demo 3000 | grep '"action":"CREATE"' | grep '"signature":' >creates.ndjson
  local limit=65536 size before=0 number=240
  head -$number creates.ndjson | redo -C folding -c core.fsync=none hash-object -w --update-heads --ndjson --batch-verdicts >"$OUT"
  size=$(stat -c %s folding/.redo/refs.journal)
  while ((size > before && (before == 0 || size + size - before <= limit))); do
    number=$((number + 1)) before=$size
    sed -n ${number}p creates.ndjson | redo -C folding -c core.fsync=none hash-object -w --update-heads --stdin >"$OUT"
    size=$(stat -c %s folding/.redo/refs.journal)
  done
  sed -n $((number + 1))p creates.ndjson >next.json
  ((size > before)) || fail "the journal was folded too early" </dev/null
}

# Calls by which something is written, locked or removed: before the first of them nothing can be half done.
WRITING='write|pwrite64|fsync|fdatasync|syncfs|linkat|renameat|renameat2|unlinkat|unlink|ftruncate|mkdirat|rmdir|fcntl'

# A small history of two authors, as a store, as lines and as a list of ids.
make_family() {
  redo init -q family
  redo -C family import -q "$VECTORS/log/crossed.ndjson" >/dev/null
  history family >old.history
  redo -C family export >family.ndjson
  USER_ID=$(redo -C family log --format='%(author:userid)' | sort | uniq -c | sort -n | awk 'NR == 1 { print $2 }')
}

# places <count> [<behind>]: which calls of many are struck: the first ones, and the last two; of those what `share` leaves.
places() {
  seq 1 "$1" | awk -v "count=$1" -v "behind=${2:-0}" '($1 <= 5 || $1 > count - 2) && $1 > behind' | whose_turn
}
# every <first> <last>: all calls are struck, or what `share` leaves of them.
every() { seq "$1" "$2" | whose_turn; }
# What is struck, and how, makes a difference to the choice.
whose_turn() { chosen "${STAGE:-} ${COMMAND[*]:-} ${call:-} ${error:-${fault:-}}"; }
# a_share_of_each: of lines that begin with the name of a call, those of each name whose turn it is; one of each at least.
a_share_of_each() {
  local call
  cat >all-calls
  cut -d ' ' -f 1 all-calls | sort -u | while read -r call; do grep "^$call " all-calls | whose_turn; done
}

# sound_wipe <fault> <call> <which>: the history is the old or the new one, `sound`, and what was wiped is new when it
# comes again, also while the wipe is unfinished.
sound_wipe() {
  local command="$RUN"
  run history struck
  RUN="$command, then redo log"
  expect_status 0
  cmp -s "$OUT" old.history || cmp -s "$OUT" expected.history || fail "the history is neither the old nor the new one" <"$OUT"
  sound
  [[ $1 == signal* ]] || return 0
  strike "$@" # because `sound` has finished it
  RUN="$command, then redo import"
  redo -C struck import -q "$PWD/family.ndjson" >"$OUT" 2>"$ERR"
  STATUS=$?
  expect_status 0
  history struck | cmp -s - old.history || fail "what comes again is not all there" <"$ERR"
  RUN=''
}
