#!/bin/bash
# 16 writers of 100 commits each (500 with REDO_SOAK=1), on tasks of their own and on tasks they share, and readers all the while.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

WRITERS=16 COMMITS=100 SHARED=24
[ -z "$SOAK" ] || COMMITS=500
task() { printf '7a000000-0000-4000-8000-%012d' "$1"; }

scene "$WRITERS writers of $COMMITS commits each: all of them are in the history"
redo init -q store
redo -C store key generate >/dev/null 2>&1
# What is waited for is shown by the other scripts; here it would only take time.
redo() { command redo -C store -c core.fsync=none -c core.lockTimeout=600000 "$@"; }
for ((n = 1; n <= SHARED; n++)); do
  echo "{\"action\":\"CREATE\",\"fields\":{\"title\":\"shared $n\"},\"taskId\":\"$(task $n)\"}"
done | redo commit -q --stdin >created
writer() {
  local number=$1 n
  for ((n = 1; n <= COMMITS; n++)); do
    if ((n % 20 == 1)); then
      redo commit -q create --title="writer $number, task $n" || return
    else
      redo commit -q update -t "$(task $(((number * 7 + n) % SHARED + 1)))" --field "by=$number.$n" || return
    fi
  done
}
writers=()
for ((number = 1; number <= WRITERS; number++)); do
  writer $number >"ids.$number" 2>"said.$number" &
  writers+=($!)
done
(
  while [ ! -e stop ]; do
    redo log --format='%(id) %(parents)' >seen 2>said || cat said >>failed
    # No reader sees a node without its parents.
    awk '{ id[$1]; for (i = 2; i <= NF; i++) parent[$i] } END { for (i in parent) if (!(i in id)) print "missing", i }' seen >>failed
  done
) &
for pid in "${writers[@]}"; do
  wait "$pid" || fail "a writer ends with $?" < <(cat said.*)
done
: >stop
wait
[ ! -s failed ] || fail "a reader failed" <failed
[ ! -s said.1 ] || fail "a writer says something" < <(cat said.*)
expect_equal "$(cat ids.* | sort -u | wc -l)" $((WRITERS * COMMITS)) "ids"
redo log --format='%(id) %(task) %(lamport) %(parents)' >history
expect_equal "$(wc -l <history)" $((WRITERS * COMMITS + SHARED)) "nodes of the history"
sort <(cut -d' ' -f1 history) >found
sort ids.* created >acknowledged
cmp -s found acknowledged || fail "what was acknowledged is not what is there" < <(diff found acknowledged | head)

scene "each followed the one before: one head a task, one parent a change, clocks without a gap"
awk '{ tasks[$2]++; if ($3 > last[$2]) last[$2] = $3; if (NF != ($3 == 1 ? 3 : 4)) print "parents:", $0 }
  END { for (task in tasks) if (tasks[task] != last[task]) print "gap:", task, tasks[task], last[task] }' history >wrong
[ ! -s wrong ] || fail "the history is not a row for each task" <wrong
# A head is a node that is nobody's parent; the refs must name exactly those.
awk '{ for (i = 4; i <= NF; i++) parent[$i]; id[$1] = $2 } END { for (i in id) if (!(i in parent)) print i, "heads/" id[i] }' history | sort >heads
redo show-ref --heads | sort >refs
cmp -s heads refs || fail "the refs do not name the heads" < <(diff heads refs | head)

scene "nothing is left to be cleaned up by hand"
unset -f redo
expect_clean store
