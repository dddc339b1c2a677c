# What the scripts share. A script begins with
#
#   . "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
#
# and is then in an empty directory of its own, with `redo` and every `redo-<command>` on the PATH.
# It is a list of scenes; each says in words what is shown, runs commands and compares:
#
#   scene "the id of a node is printed, and nothing is written"
#   run redo hash-object a.json
#   expect_status 0
#   expect_stdout 'sha256:...'
#   expect_stderr ''
#
# The first difference is shown and ends the script with 1. Output is TAP. REDO_BIN is the executable.
#
# A sweep that takes long has a short form, a share of its steps; REDO_SOAK=1 (`make soak`) makes it do all of them.
# REDO_SEED chooses the share, and all else that is random.

set -uo pipefail
SOAK=${REDO_SOAK:-} SEED=${REDO_SEED:-$((RANDOM * 32768 + RANDOM))}
RANDOM=$SEED
[ "$SOAK" = 1 ] || SOAK=''
# Nothing of the caller's own settings counts.
for name in "${!REDO_@}"; do
  [ "$name" = REDO_BIN ] || unset "$name"
done
unset XDG_CONFIG_HOME XDG_STATE_HOME SUDO_UID NO_COLOR
export LC_ALL=C REDO_CONFIG_NOSYSTEM=1
umask 022

TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VECTORS=$TESTS/Vectors
DEMO=$TESTS/../Demo/log.ndjson.gz
REDO_BIN=$(realpath "${REDO_BIN:-$TESTS/../.build/release/redo}")
[ -x "$REDO_BIN" ] || {
  echo "Bail out! there is no '$REDO_BIN'"
  exit 1
}

WORK=$(mktemp -d "${TMPDIR:-/tmp}/redo-script.XXXXXX")
WORK=$(realpath "$WORK")
chmod 755 "$WORK"
mkdir "$WORK/bin" "$WORK/home" "$WORK/here" "$WORK/.last"
ln -s "$REDO_BIN" "$WORK/bin/redo"
for command in $("$REDO_BIN" --list-commands); do ln -s redo "$WORK/bin/redo-$command"; done
export PATH=$WORK/bin:$PATH HOME=$WORK/home
# link_network: what talks HTTP is on the PATH, too; false if there is no redo-net beside redo.
link_network() {
  local net command
  net=$(dirname "$REDO_BIN")/redo-net
  [ -x "$net" ] || return
  for command in $("$net" --list-commands); do ln -sf "$net" "$WORK/bin/redo-$command"; done
}
cd "$WORK/here" || exit 1
OUT=$WORK/.last/stdout ERR=$WORK/.last/stderr
: >"$OUT" >"$ERR"
STATUS=0

scene_count=0 scene_text='' scene_skip=''

# What a script must undo besides its directory: at_exit <command line>.
exit_steps=()
at_exit() { exit_steps=("$1" "${exit_steps[@]}"); }

finish() {
  local status=$?
  trap - EXIT
  if [ $status -eq 0 ]; then
    close_scene
    echo "1..$scene_count"
  fi
  local step
  for step in "${exit_steps[@]}"; do eval "$step" >/dev/null 2>&1; done
  cd /
  chmod -R u+rwX "$WORK" 2>/dev/null
  rm -rf "$WORK"
  exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

close_scene() {
  if [ $scene_count -gt 0 ]; then echo "ok $scene_count - $scene_text$scene_skip"; fi
}

# scene <what is shown>
scene() {
  close_scene
  scene_count=$((scene_count + 1)) scene_text=$1 scene_skip=''
}

# skip <reason>: what this scene shows cannot be shown here. The caller leaves the rest of it out.
skip() { scene_skip=" # SKIP $1"; }

# find_python <module>...: PYTHON is a python3 that has these, that of `make oracle` or the caller's own; false, and PYTHON is
# empty, if there is none.
find_python() {
  local candidate modules
  PYTHON=''
  modules=$(IFS=,; echo "$*")
  for candidate in "$TESTS/../.build/oracle/bin/python" python3; do
    "$candidate" -c "import $modules" 2>/dev/null || continue
    PYTHON=$candidate
    return 0
  done
  return 1
}
# need_python <what is shown> <module>...: without one a scene is skipped, and the script ends.
need_python() {
  find_python "${@:2}" && return
  scene "$1"
  skip "no python3 with ${*:2}"
  exit 0
}

# fail <what is wrong>; standard input is shown below it.
fail() {
  echo "not ok $scene_count - $scene_text"
  echo "  # $1 (${BASH_SOURCE[-1]##*/}, line $(line_in_script))"
  if [ -n "${RUN:-}" ]; then echo "  # \$ $RUN"; fi
  if [ ! -t 0 ]; then sed 's/^/  # /'; fi
  exit 1
}

line_in_script() {
  local index
  for ((index = ${#BASH_SOURCE[@]} - 1; index > 0; index--)); do
    if [ "${BASH_SOURCE[index]}" = "$0" ]; then
      echo "${BASH_LINENO[index - 1]}"
      return
    fi
  done
}

# run <command> <argument>...: keeps what it prints, and its status.
run() {
  RUN="$*"
  "$@" >"$OUT" 2>"$ERR"
  STATUS=$?
}

everything_printed() {
  echo "status: $STATUS"
  echo "stdout:"
  head -c 4000 "$OUT"
  echo "stderr:"
  head -c 4000 "$ERR"
}

# expect_status <number>
expect_status() {
  [ "$STATUS" = "$1" ] || fail "the status is $STATUS, not $1" < <(everything_printed)
}

compare() {
  if ! diff -u --label expected --label "$1" "$2" "$3" >"$WORK/.last/diff"; then
    fail "$1 is not as expected" < <(
      cat "$WORK/.last/diff"
      echo "status: $STATUS"
      [ "$1" = stderr ] || sed 's/^/stderr: /' "$ERR"
    )
  fi
}

# expect_stdout <text>, or with the text as standard input: exactly this, a line feed added if it is
# missing. '' means nothing at all.
expect_stdout() { expect_text stdout "$OUT" "$@"; }
expect_stderr() { expect_text stderr "$ERR" "$@"; }
expect_text() {
  local name=$1 file=$2
  shift 2
  if [ $# -eq 0 ]; then
    cat >"$WORK/.last/expected"
  elif [ -z "$1" ]; then
    : >"$WORK/.last/expected"
  else
    printf '%s\n' "$1" >"$WORK/.last/expected"
  fi
  compare "$name" "$WORK/.last/expected" "$file"
}

# expect_stdout_file <file>: exactly its bytes.
expect_stdout_file() {
  RUN="${RUN:-}"
  cmp -s "$1" "$OUT" || compare stdout "$1" "$OUT"
}

# expect_stdout_has <fixed text>, expect_stdout_lacks <fixed text>; the same of stderr
expect_stdout_has() { grep -qF -- "$1" "$OUT" || fail "stdout lacks '$1'" < <(everything_printed); }
expect_stdout_lacks() { ! grep -qF -- "$1" "$OUT" || fail "stdout has '$1'" < <(everything_printed); }
expect_stderr_has() { grep -qF -- "$1" "$ERR" || fail "stderr lacks '$1'" < <(everything_printed); }
expect_stderr_lacks() { ! grep -qF -- "$1" "$ERR" || fail "stderr has '$1'" < <(everything_printed); }

# expect_stdout_lines <number>
expect_stdout_lines() {
  local lines
  lines=$(wc -l <"$OUT")
  [ "$lines" -eq "$1" ] || fail "stdout has $lines lines, not $1" < <(everything_printed)
}

# expect_equal <found> <expected> <what>
expect_equal() { [ "$1" = "$2" ] || fail "$3: '$1', not '$2'" </dev/null; }

# expect_error <status> <fixed text>: refused with this status and one clear message: no data, one line that
# begins with fatal or error and has the text, nothing else but hints, no capital, no full stop.
expect_error() {
  expect_status "$1"
  [ ! -s "$OUT" ] || fail "there is data on stdout" < <(everything_printed)
  expect_stderr_has "$2"
  local count
  count=$(grep -c '^fatal: \|^error: ' "$ERR")
  [ "$count" -eq 1 ] || fail "there are $count messages, not one" < <(everything_printed)
  ! grep -v '^fatal: \|^error: \|^hint: ' "$ERR" >/dev/null || fail "stderr says more" < <(everything_printed)
  ! grep '^[a-z]*: [A-Z]\|[^.]\.$' "$ERR" >/dev/null || fail "the message is not in the house style" < <(everything_printed)
}

# share <number>: the short form of this script does one in this many of the steps of its sweeps. It prints what chooses
# them, so that a failure can be repeated.
SHARE=1
share() {
  [ -z "$SOAK" ] || return 0
  SHARE=$1
  echo "# one in $SHARE of the steps, REDO_SEED=$SEED; REDO_SOAK=1 does all of them"
}
# chosen [<what for>]: of the lines of standard input those whose turn it is: one in SHARE, and one at least.
chosen() {
  if [ $SHARE -eq 1 ]; then cat; else
    awk -v share=$SHARE -v text="$SEED $*" \
      -v letters=' 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ=_-' '{ line[NR] = $0 } END {
      for (i = 1; i <= length(text); i++) hash = (hash * 31 + index(letters, substr(text, i, 1))) % 1000003
      for (i = 1 + hash % (NR < share ? NR + !NR : share); i <= NR; i += share) print line[i] }'
  fi
}
# fewer <number>: how many of this number the short form does at least.
fewer() { echo $(($1 < 2 * SHARE ? (SHARE == 1 ? $1 : 0) : $1 / SHARE - (SHARE > 1))); }

# settled <pid>: a command in the background has taken what its pipe holds, and has had time to work on it. Where it
# cannot be seen that it waits, the time must do.
settled() {
  for _ in {1..100}; do
    ! grep -q 'poll\|pipe' "/proc/$1/wchan" 2>/dev/null || break
    sleep 0.02
  done
  sleep 0.3
}

# What a store has: its objects, what crashes leave, and a digest of every byte of it but what is derived.
objects() { find "${1:-.}"/.redo/objects -type f -path '*/objects/??/*' ! -name 'tmp_*' | wc -l; }
temporaries() { find "${1:-.}"/.redo -name 'tmp_*' -o -name '*.tmp' | wc -l; }
fingerprint() {
  (cd "${1:-.}/.redo" && find . -type f ! -path './cache/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum)
}

# expect_untouched <fingerprint> [<store>]: no byte of the store has changed since.
expect_untouched() {
  [ "$(fingerprint "${2:-.}")" = "$1" ] || fail "the store has changed" < <(everything_printed)
}

# expect_clean [<store>]: nothing is left half done, and everything in it is what its name says.
expect_clean() {
  local left
  left=$(temporaries "${1:-.}")
  [ "$left" -eq 0 ] || fail "$left temporary files are left" </dev/null
  redo -C "${1:-.}" verify --all >"$OUT" 2>"$ERR"
  [ $? -le 1 ] || fail "the nodes cannot be verified" < <(everything_printed)
  ! grep -v '^[GNE] ' "$OUT" >/dev/null || fail "verify finds damage" < <(everything_printed)
  # Findings about single nodes are up to their writers; a copied keyring may be open.
  redo -C "${1:-.}" verify >"$OUT" 2>"$ERR"
  [ $? -le 1 ] || fail "the store cannot be audited" < <(everything_printed)
  ! grep '^error \|^warning \(file\|index\|journal\|node\|ref\|snapshot\)-' "$OUT" |
    grep -v '^error keyring-exposed ' >/dev/null ||
    fail "the audit of the store finds something" < <(everything_printed)
}

# make_store [<dir>]: a new store, and into it if a directory is named.
make_store() {
  redo init -q "${1:-.}" || fail "a store cannot be made" </dev/null
  if [ $# -gt 0 ]; then cd "$1" || exit 1; fi
}

# demo <number>: the first nodes of the demo log. a_node [<number>]: one node of a log of 18 in a row.
# forged [<file>]: with another first digit in each signature. ids_of: the ids that nodes state.
demo() { gzip -dc "$DEMO" | sed -n "1,$1p;$1q" 2>/dev/null; }
a_node() { sed -n "${1:-1}p" "$VECTORS/log/linear.ndjson"; }
forged() { sed 's/"signature":"0/"signature":"1/; t; s/"signature":"./"signature":"0/' "$@"; }
ids_of() { sed -n 's/.*"id":"\(sha256:[0-9a-f]\{64\}\)".*/\1/p'; }
# alter <file> <place>: changes the byte at that place.
alter() {
  local byte=001
  [ "$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')" -ne 1 ] || byte=002
  printf "\\$byte" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# Nodes that nobody signed: node <action> <task> <lamport> <wall, from its day on> <fields> <parent>... writes one,
# add <the same> takes it into the history of the store here and prints its id.
USER=5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
node() {
  local action=$1 task=$2 lamport=$3 wall=$4 fields=$5 parents
  shift 5
  parents=$(printf ',"%s"' "$@")
  [ $# -gt 0 ] || parents=,
  printf '{"action":"%s","author":{"deviceId":"d","userId":"%s"},"data":{"fields":{%s}},"parents":[%s],%s"timestamp":{"lamport":%s,"wall":"2025-03-%sZ"},"version":1}\n' \
    "$action" "$USER" "$fields" "${parents:1}" "${task:+\"taskId\":\"$task\",}" "$lamport" "$wall"
}
add() { node "$@" | redo hash-object -w --update-heads --stdin; }

# own_copies: the stores below this script's directory count as its user's own, those too that it copies, unpacks or moves.
own_copies() { redo config --user safe.store "$WORK/*" && chmod -R a+rX "$HOME/.config"; }

# As a user who owns nothing here; skips unless we are root.
NOBODY=65534
can_be_nobody() { [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; }
as_nobody() {
  if [ ! -e "$WORK/nobody/redo" ]; then
    mkdir "$WORK/nobody" && cp "$REDO_BIN" "$WORK/nobody/redo" && chmod 755 "$WORK/nobody/redo"
  fi
  PATH=$WORK/nobody:$PATH setpriv --reuid=$NOBODY --regid=$NOBODY --clear-groups "$@"
}
