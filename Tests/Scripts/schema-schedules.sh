#!/bin/bash
# Random schedules of 3 to 5 stores that edit schemas offline, with clocks that are hours off or go back, and meet by paths, HTTP, archives
# and files; honest and forged objects of others come in between, and commands are killed. Another program works out what every edit and
# every meeting comes to. 300 schedules with REDO_SOAK=1. `schema-schedules.sh <number>...` repeats some: REDO_SEED is printed.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "random schedules of schemas" rfc8785 nacl
schedules() { "$PYTHON" "$TESTS/Oracle/schema_schedules.py" "$@"; }
log() { "$PYTHON" "$TESTS/Oracle/schema_log.py" "$@"; }
export PYTHONDONTWRITEBYTECODE=1
COUNT=$([ "$SOAK" ] && echo 300 || echo 6)
share 4
echo "# REDO_SEED=$SEED chooses the same schedules again"
SERVER=''
if link_network; then
  SERVER=$WORK/bin/redo-serve-http
else
  echo "# there is no 'redo-net' beside '$REDO_BIN': NOTHING GOES OVER HTTP"
fi

: >"$WORK/done"
for number in ${*:-$(seq "$COUNT")}; do
  scene "schedule $number: one hash at the end, no field lost, none back but by a restore"
  RUN="REDO_SEED=$SEED ${0##*/} $number"
  schedules "$REDO_BIN" "$WORK/here/$number" "$SEED" "$number" ${SERVER:+"$SERVER"} >"$OUT" 2>"$ERR" ||
    fail "schedule $number of seed $SEED" < <(cat "$OUT" "$ERR")
  cat "$OUT" >>"$WORK/done"
  rm -rf "${WORK:?}/here/$number" "$WORK/trouble"
done
schedules total <"$WORK/done"
[ $# -eq 0 ] || exit 0

scene "in the schedules was each kind of step"
"$PYTHON" - "$WORK/done" "$SERVER" "$SOAK" <<'END' || fail "a kind of step was never done" </dev/null
import collections, json, sys
sums = collections.Counter()
for line in open(sys.argv[1]):
    sums.update(json.loads(line.split(" ", 1)[1]))
wanted = ["edits", "edits of the registry", "forged", "objects of others", "kills that struck", "refused edits", "hidden once",
          "- by path", "- by archive", "- by lines", "- by car", "- add-field", "- hide", "- import", "- merge", "- rename", "- set",
          "- schema-lost"]
wanted += ["- by http"] * bool(sys.argv[2])
if sys.argv[3]:
    wanted += ["- deprecate", "- merge-fields", "- split-field", "- restore", "- and in the end", "- lamport-jump",
               "- lamport-not-increasing", "- schema-clock-range", "- schema-parent", "- schema-provenance", "floods of heads",
               "forged, by a peer", "merges of many", "restored", "stamps at the end of the clock"]
lacking = [name for name in wanted if not sums[name]]
sys.exit("# never: " + ", ".join(lacking) if lacking else 0)
END

if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
  scene "kill -9 at the system calls of an edit, an import and a sync"
  skip "strace is missing or not permitted"
  exit 0
fi

# Two stores of which each has a head of one schema that the other lacks, and more schemas of others; a file; lines. What is killed works in
# copies of them.
own_copies
stores one two
log make "$SEED" "$PWD" 30 || fail "the maker" </dev/null
redo -C one import -q - < <(head -n 12 history.ndjson) >/dev/null 2>&1
redo -C two import -q - < <(head -n 20 history.ndjson) >/dev/null 2>&1
run redo -C one schema new -q list
expect_status 0
redo -C one remote add two "$PWD/two"
run redo -C one push -q two
expect_status 0
FIELD=10000000-0000-4000-8000-000000000000
for store in one two; do
  run env REDO_AUTHOR_DATE=2026-02-01T10:00:00Z redo -C $store schema add-field --id=$FIELD --name=$store --type=int list
  expect_status 0
done
redo -C two export -q --kind=schema | grep '"id":"list"' >lines
run redo -C one import -q "$PWD/lines"
expect_status 0
run redo -C two schema add-field --name=late --type=bool list
expect_status 0
cat >app.json <<'END'
[{"id":"list","displayName":"List","iconSystemName":"list","version":4,"fields":[{"id":"dose","fieldType":"int"}]},
 {"id":"walk","displayName":"Walk","iconSystemName":"figure","fields":[
  {"id":"when","fieldType":"date"},{"id":"when","fieldType":"string"}]}]
END
CALLS='write\|pwrite64\|writev\|fsync\|fdatasync\|rename.*\|link.*\|unlink.*\|mkdir.*\|ftruncate'

# shown <store>: each schema with its hash; all <store>: the ids of its objects.
shown() { redo -C "$1" schema list --all --json | sed 's/.*"hash":"\([^"]*\)".*"name":"\([^"]*\)".*/\1 \2/' | sort; }
all() { redo -C "$1" export -q --kind=schema | ids_of | sort; }
copies() {
  rm -rf first second
  cp -a one first
  cp -a two second
  redo -C first config remote.two.url "$PWD/second"
}
# later <command>...: by a clock that is always the same.
later() { env REDO_AUTHOR_DATE=2026-03-01T10:00:00Z "$@"; }
# left <store> <what it was> <what it becomes>: it is whole, it has lost nothing, and nothing is in it that was not to come.
left() {
  redo -C "$1" verify >said 2>&1 || fail "'$1' is damaged" <said
  ! grep -v '^info \|^warning schema-' said >/dev/null || fail "'$1' is not whole" <said
  all "$1" >left
  ! comm -13 left "$2" | grep . >said || fail "'$1' has lost something" <said
  ! comm -23 left "$3" | grep . >said || fail "'$1' has what is nobody's" <said
}
# swept <what> <redo arguments>...: killed at each call by which it may change something, and done once more.
swept() {
  local what=$1 call count which kills=0
  shift
  scene "$what, killed at its system calls: the store is whole, and the same once more ends as it should"
  copies
  later strace -qq -f -o calls "$REDO_BIN" -C first "$@" >"$OUT" 2>"$ERR" || fail "'$what' fails undisturbed" <"$ERR"
  for store in first second; do all $store >wanted.$store; done
  shown first >wanted.shown
  redo -C first export -q --kind=schema >exported
  expect_equal "$(cut -d' ' -f1 wanted.shown)" "$(log joined <exported | cut -d' ' -f1 | sort)" "the joins"
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -x "$CALLS" | sort | uniq -c |
    while read -r count call; do seq -f "$call %g" "$count"; done | chosen "$what" >points
  while read -r call which <&3; do
    copies
    RUN="redo -C first $*   with $call:signal=SIGKILL:when=$which"
    { later strace -qq -f -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$which" \
      "$REDO_BIN" -C first "$@" >"$OUT" 2>"$ERR"; } 2>/dev/null
    STATUS=$?
    # 137 is the kill; 0 where this thread made fewer of these calls; a sync tells that the other side was killed.
    [ "$STATUS" -eq 0 ] || kills=$((kills + 1))
    grep '^sha256:' "$OUT" >printed
    left second before.second wanted.second
    left first before.first wanted.first
    ! grep -vxFf left printed >said || fail "a printed id is lost" <said
    later redo -C first "$@" >"$OUT" 2>"$ERR" || fail "it does not go on" < <(everything_printed)
    shown first | diff wanted.shown - >said || fail "it ends elsewhere" <said
  done 3<points
  echo "# $what: $kills kills at $(wc -l <points) system calls"
  ((kills > 0)) || fail "nothing was killed" </dev/null
}
all one >before.first
all two >before.second
swept "an edit of two heads" schema hide list $FIELD
swept "an import of two definitions" schema import "$PWD/app.json"
swept "an import of lines" import -q "$PWD/history.ndjson"
swept "a sync" sync -q two
