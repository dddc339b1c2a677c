#!/bin/bash
# A thousand changes of many refs by writers at once, and eight readers all the while: no reader ever sees a part
# of a change.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"

REFS=12 WRITERS=4 EACH=250
redo init -q store
# Each change moves all refs to one object, so that a mixture shows as two of them.
for number in $(seq 40); do echo "object $number"; done | while read -r line; do
  printf '%s' "$line" | redo -C store -c core.fsync=none hash-object -w -t blob --stdin
done >ids
for number in $(seq $REFS); do echo "create tags/t$number $(head -1 ids)"; done | redo -C store update-ref --stdin

# transactions <writer>: the lines of one writer, each change answered before the next is read.
transactions() {
  awk -v "seed=$1" -v "each=$EACH" -v "refs=$REFS" '{ id[NR] = $0 } END {
    srand(seed)
    for (n = 1; n <= each; n++) {
      print "start"
      chosen = id[int(rand() * NR) + 1]
      for (i = 1; i <= refs; i++) print "update tags/t" i " " chosen
      print "commit"
    }
  }' ids
}

scene "$((WRITERS * EACH)) changes of $REFS refs, $WRITERS writers, 8 readers: every view is whole"
rm -f stop failed.*
for reader in 1 2 3 4 5 6 7 8; do
  (
    views=0
    while [ ! -e stop ]; do
      redo -C store show-ref >"seen.$reader" 2>"said.$reader" || { echo "show-ref: $?"; cat "said.$reader"; } >>"failed.$reader"
      if [ "$(wc -l <"seen.$reader")" != $REFS ] || [ "$(cut -d' ' -f1 "seen.$reader" | sort -u | wc -l)" != 1 ]; then
        cat "seen.$reader" >>"failed.$reader"
      fi
      views=$((views + 1))
    done
    echo $views >"views.$reader"
  ) &
done
writers=()
for writer in $(seq $WRITERS); do
  transactions "$writer" | redo -C store -c core.fsync=none -c core.lockTimeout=60000 update-ref -m "writer $writer" --stdin \
    >"done.$writer" 2>"error.$writer" &
  writers+=($!)
done
for pid in "${writers[@]}"; do
  wait "$pid"
  STATUS=$? RUN="redo update-ref --stdin"
  [ $STATUS -eq 0 ] || fail "a writer ends with $STATUS" < <(cat error.*)
done
: >stop
wait
cat failed.* 2>/dev/null >failed
[ ! -s failed ] || fail "a reader saw a mixture, or nothing" < <(head -50 failed)
(($(cat views.* | paste -sd+) >= 40)) || fail "the readers saw too little" < <(cat views.*)
expect_equal "$(cat done.* | grep -c '^commit: ok$')" $((WRITERS * EACH)) "acknowledged changes"

scene "the log has every change, each of all refs that moved, and its chain holds"
redo -C store reflog --json >entries || fail "the log cannot be read" </dev/null
# A change to the object that is there already is not a change.
expect_equal "$(awk 'END { print (NR <= 1 + '$((WRITERS * EACH))' && NR > '$((WRITERS * EACH / 2))') }' entries)" 1 "the number of entries"
while read -r line; do
  added=${line#*\"added\":[}
  added=${added%%]*}
  expect_equal "$(grep -o '"id"' <<<"$added" | wc -l)" $REFS "refs of an entry"
done < <(head -100 entries)
expect_clean store

scene "whoever expects a value that has moved changes nothing: no update is lost"
redo -C store update-ref tags/counter "$(sed -n 1p ids)"
increment() {
  local round now next
  for round in 1 2 3 4 5 6 7 8; do
    until
      now=$(redo -C store rev-parse tags/counter)
      next=$(grep -n -A 1 "$now" ids | tail -1 | cut -d- -f2)
      redo -C store -c core.fsync=none update-ref tags/counter "$next" "$now" 2>/dev/null
    do :; done
  done
}
pids=()
for writer in 1 2 3 4; do
  increment &
  pids+=($!)
done
wait "${pids[@]}"
expect_equal "$(redo -C store rev-parse tags/counter)" "$(sed -n 33p ids)" "the counter after 32 steps"
