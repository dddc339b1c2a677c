#!/bin/bash
# What brings an earlier state back, killed at each call by which it writes: the store is as before or as after, whole in
# either case, and the same command once more works.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 4

T=7a000000-0000-4000-8000-000000000001
U=7c000000-0000-4000-8000-000000000002
N=7d000000-0000-4000-8000-000000000003
redo init -q plain
redo -C plain key generate >/dev/null 2>&1
# does <day> <commit arguments>...
does() { redo -C plain commit -q --date="2025-03-0$1T08:00:00.000Z" "${@:2}" >/dev/null 2>"$ERR" || fail "redo commit fails" <"$ERR"; }
does 1 create -t $T --title=Water
does 1 create -t $U --title=Gone
does 3 update -t $T --title=Wine --priority=5
does 3 archive -t $T
does 3 delete -t $U
does 3 create -t $N --title=New
printf '%s\n' '{"action":"UPDATE","taskId":"'$T'","fields":{"title":"Beer"},"wall":"2025-03-04T08:00:00.000Z"}' \
  '{"action":"DELETE","taskId":"'$N'","fields":{},"wall":"2025-03-04T08:00:00.000Z"}' | redo -C plain commit -q --stdin >/dev/null

# shows <store>: its refs, its history and its state.
shows() {
  redo -C "$1" show-ref --heads 2>"$ERR" && redo -C "$1" log --format='%(id)' 2>"$ERR" && redo -C "$1" state -q --no-cache 2>"$ERR" ||
    fail "the store cannot be read" <"$ERR"
}

# as_before_or_after: what a kill has left.
as_before_or_after() {
  local command="$RUN"
  run redo -C struck verify --all
  RUN="$command, then redo verify --all"
  expect_status 0
  ! grep -qv '^G ' "$OUT" || fail "a bad object" <"$OUT"
  run redo -C struck reflog
  RUN="$command, then redo reflog"
  expect_status 0
  shows struck >found
  if cmp -s found before; then
    # What was printed is there.
    [ ! -s printed ] || fail "what was acknowledged is lost" <printed
    run redo -C struck "${COMMAND[@]}"
    RUN="$command, then once more"
    expect_status 0
    shows struck >found
    cmp -s found after || fail "once more comes to something else" < <(diff after found)
  else
    cmp -s found after || fail "the store is neither as before nor as after" < <(diff after found)
    run redo -C struck "${COMMAND[@]}"
    RUN="$command, then once more"
    expect_status "$AGAIN"
  fi
  RUN=''
}

# struck <status of doing it twice> <name> <arguments>...
struck() {
  local count call which kills=0
  AGAIN=$1
  shift
  shows plain >before
  stage "$1" plain /dev/null "${@:2}"
  shows struck >after
  ! cmp -s before after || fail "'$STAGE' changes nothing" </dev/null
  grep -wE "$WRITING" counts >writing
  scene "$STAGE: killed at each of $(awk '{ sum += $1 } END { print sum }' writing) calls that write"
  while read -r count call <&3; do
    for which in $(every 1 "$count"); do
      strike signal=SIGKILL "$call" "$which"
      [ "$STATUS" -eq 0 ] || {
        expect_status 137
        kills=$((kills + 1))
      }
      as_before_or_after
    done
  done 3<writing
  ((kills > $(fewer 5))) || fail "only $kills runs were killed" </dev/null
}

DATE=--date=2025-03-05T08:00:00.000Z
struck 0 "a recovery in place" recover --in-place --exact --to=2025-03-02 $DATE
struck 0 "an undo" undo $DATE
struck 0 "an undo of several" undo $DATE 4
struck 0 "a local recovery" recover --local --to=2025-03-02
struck 1 "the refs of an entry" reflog restore 2
