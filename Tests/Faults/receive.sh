#!/bin/bash
# What has come from another store is struck at each system call of its way into the history: by an error, and by
# kill -9. Objects and refs are as before or complete, nothing is lost of what came, and the next run completes it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

# A store with some history, nodes that wait for their parents, a pack with these parents and more, and a torn one.
redo init -q source
redo -C source import -q "$LOG" >/dev/null
redo -C source log --reverse --format='%(id)' >ids
MIDDLE=$(sed -n "$(($(wc -l <ids) / 2))p" ids) FIRST=$(head -1 ids)
TIPS=$(redo -C source show-ref --heads | cut -d' ' -f1)
redo -C source archive create -q -o "$PWD/all.pack" >/dev/null
redo -C source archive create -q -o "$PWD/late.pack" $(printf "$MIDDLE..%s " $TIPS) >/dev/null
redo -C source archive create -q -o "$PWD/first.pack" "$FIRST" >/dev/null
head -c $(($(stat -c %s all.pack) - 90)) all.pack >torn.pack

# waiting <store>: everything of the quarantine at once
waiting() {
  redo init -q "$1"
  redo -C "$1" import -q "$PWD/first.pack" >/dev/null
  mkdir -p "$1/.redo/quarantine/incoming"
  cp late.pack "$1/.redo/quarantine/incoming/00000000000000aa.pack"
  redo -C "$1" quarantine promote -q >/dev/null 2>&1
  [ -n "$(redo -C "$1" quarantine list)" ] || fail "nothing waits" </dev/null
  cp all.pack "$1/.redo/quarantine/incoming/00000000000000bb.pack"
  cp torn.pack "$1/.redo/quarantine/incoming/00000000000000cc.pack"
}
packs_left() { ls struck/.redo/quarantine/incoming 2>/dev/null; }

# complete: as before or complete, nothing that came is gone, and the next run completes it
complete() {
  local command="$RUN"
  history struck >now
  if cmp -s now old.history; then
    [ "${COMMAND[0]}" = fetch ] || [ -n "$(packs_left)" ] || fail "what came is lost" <"$ERR"
  else
    cmp -s now expected.history || fail "the history is neither the old nor the new one" <now
  fi
  sound
  RUN="$command, then once more"
  expect_equal "$(packs_left; redo -C struck quarantine list)" '' "what is left in the quarantine"
  RUN=''
}

# begin <stage> <store> <input> <redo arguments>...
begin() {
  history "$2" >old.history
  stage "$@"
  cmp -s old.history expected.history && fail "nothing is taken in" </dev/null
  expect_equal "$(packs_left; redo -C struck quarantine list)" '' "what is left in the quarantine"
}

failing() {
  local count call which error before runs=0
  scene "$STAGE: each call that writes, opens or reads fails once"
  while read -r count call <&3; do
    before=$(before_main "$call")
    for error in $(errors_of "$call"); do
      for which in $(places "$count" "$before"); do
        strike "error=$error" "$call" "$which"
        runs=$((runs + 1))
        if [ "$STATUS" -ne 0 ]; then
          # 75: what fails at the other end, or between both, may pass.
          [ "$STATUS" = 1 ] || { [ "${COMMAND[0]}" = fetch ] && [ "$STATUS" = 75 ]; } || expect_status 128
          [ "$call" = write ] && [ ! -s "$ERR" ] || grep -q '^fatal: \|^error: ' "$ERR" ||
            fail "no message of '$RUN'" <"$ERR"
        fi
        complete
      done
    done
  done 3<counts
  ((runs > $(fewer 30))) || fail "only $runs runs" </dev/null
}

killed() {
  local count call which runs=0
  scene "$STAGE: killed at each call that writes, opens or reads"
  while read -r count call <&3; do
    [ -n "$(errors_of "$call")" ] || continue
    for which in $(places "$count"); do
      strike signal=SIGKILL "$call" "$which"
      if [ "$STATUS" -ne 0 ]; then
        expect_status 137
        runs=$((runs + 1))
      fi
      complete
    done
  done 3<counts
  ((runs > $(fewer 20))) || fail "only $runs runs were killed" </dev/null
}

: >nothing
waiting few
begin "what came becomes loose objects" few nothing quarantine promote -q
failing
killed
waiting many
redo -C many config set core.bulkLimit 3
begin "what came becomes a pack" many nothing quarantine promote -q
failing
killed
# A call that fails may be one of the other store, which is not tried again here.
redo init -q fetching
redo -C fetching import -q "$PWD/first.pack" >/dev/null
redo -C fetching remote add origin "$PWD/source"
for limit in 1000 3; do
  redo -C fetching config set core.bulkLimit $limit
  begin "a fetch, core.bulkLimit $limit" fetching nothing fetch -q --no-retry origin
  grep -wE "$WRITING" counts >writing
  mv writing counts
  failing
  killed
done

scene "changes that have to wait: killed at each call, they wait after the next run"
redo init -q early
mkdir -p early/.redo/quarantine/incoming
cp late.pack early/.redo/quarantine/incoming/00000000000000aa.pack
COMMAND=(quarantine promote -q) STORE=early INPUT=nothing
copy_store
strace -qq -f -o calls "$REDO_BIN" -C struck "${COMMAND[@]}" >printed 2>"$ERR"
redo -C struck quarantine list >expected.list
[ -s expected.list ] || fail "nothing waits" <"$ERR"
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
while read -r count call <&3; do
  for which in $(places "$count"); do
    strike signal=SIGKILL "$call" "$which"
    command=$RUN
    redo -C struck quarantine promote -q >"$OUT" 2>&1
    RUN="$command, then once more"
    expect_equal "$(redo -C struck quarantine list)" "$(cat expected.list)" "what waits"
    expect_equal "$(packs_left)" '' "packs that are left"
    expect_equal "$(redo -C struck verify)" '' "findings"
  done
done 3<counts
