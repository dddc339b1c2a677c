#!/bin/bash
# What a remote can do wrong to those who fetch and push: the store stays as it was, or gets what is whole and good,
# and one message says what to do.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

# trouble <line>...: what becomes of the next connections.
trouble() { printf '%s\n' "$@" >"$WORK/trouble"; }
stores ios web
for number in 1 2 3 4; do on web 10:0$number:00.000 create -t 550e8400-e29b-41d4-a716-00000000000$number --title="Task $number"; done
redo -C web log --reverse --json >log
LOG=$PWD/log
: >empty
EMPTY=$PWD/empty
redo -C ios fetch -q "$PWD/web" --task=550e8400-e29b-41d4-a716-000000000001
URL=ssh://host/x

scene "access that is denied: 77, and no second attempt"
before=$(fingerprint ios)
for command in fetch push sync ls-remote; do
  trouble "peer $EMPTY fault=denied%nobody%knows%you"
  run redo -C ios $command $URL
  expect_error 77 "'$URL' denies access: nobody knows you"
done
expect_untouched "$before" ios

scene "a remote that asks to come later is asked again then; one that asks for too long is not"
trouble "peer $EMPTY fault=unavailable%retry-after%3:%busy" "peer $LOG"
start=$EPOCHSECONDS
run redo -C ios fetch $URL
expect_status 0
expect_stderr_has "warning: '$URL' cannot be reached: busy; attempt 2 of 5 in 3 seconds"
[ $((EPOCHSECONDS - start)) -ge 3 ] || fail "it does not wait" </dev/null
expect_equal "$(count ios)" 4 nodes
trouble "peer $EMPTY fault=unavailable%retry-after%301:%busy"
run redo -C ios fetch $URL
expect_error 75 "'$URL' cannot be reached: busy"

scene "--no-retry: once"
trouble fail
run redo -C ios fetch --no-retry $URL
expect_status 75
expect_stderr_has "fatal: '$URL' cannot be reached"

scene "what is not the wire at all"
before=$(fingerprint ios)
for text in '<!DOCTYPE html><title>Log in</title>' '' 'x' "$(printf 'x%.0s' $(seq 5000))"; do
  trouble "say $text"
  run redo -C ios fetch --no-retry $URL
  [ "$STATUS" -eq 128 ] || [ "$STATUS" -eq 75 ] || fail "the status is $STATUS" <"$ERR"
  expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages"
done
expect_untouched "$before" ios

scene "nodes that nobody asked for are not taken, and what was asked for is"
redo init -q asked
trouble "peer $LOG offer=2"
run redo -C asked fetch -q $URL
expect_status 1
expect_equal "$(ids asked)" "$(ids_of <"$LOG" | head -2)" "what was asked for"
expect_equal "$(grep -c 'not-asked-for: nobody asked for it' "$ERR")" 2 "messages"
nothing_waits asked
expect_clean asked

scene "nodes that are offered and do not come are missed, also when one comes out of the quarantine meanwhile"
redo init -q less
for more in '' word=nodes-4; do
  trouble "peer $LOG offer=4 omit=1 $more"
  run redo -C less fetch $URL
  expect_status 1
  expect_stderr_has "error: '$URL' has offered 1 change more than it has sent"
  expect_equal "$(ids less)" "$(ids_of <"$LOG" | head -3)" "what came"
  rm -rf less && redo init -q less
done
trouble "peer $LOG offer=4 omit=2"
run redo -C less fetch -q --json $URL
expect_status 1
expect_stderr "error: '$URL' has offered 2 changes more than it has sent"
expect_equal "$(json 'd["notCome"], d["onlyThere"], len(d["fetched"])')" "(2, 4, 2)" "the accounts"
rm -rf less && redo init -q less
# A child of the first node waits; the peer does not offer it, and takes it out of the quarantine by sending the first.
on web 11:00:00.000 update -t 550e8400-e29b-41d4-a716-000000000001 --priority=3
child=$(cat "$OUT")
redo -C web log -n 1 --json >child
trouble "peer $PWD/child"
run redo -C less fetch -q $URL
expect_status 1
expect_equal "$(redo -C less quarantine list | cut -d' ' -f1)" "$child" "what waits"
trouble "peer $LOG offer=4 omit=1"
run redo -C less fetch -q --json $URL
expect_status 1
expect_stderr "error: '$URL' has offered 1 change more than it has sent"
expect_equal "$(json 'd["notCome"], len(d["fetched"])')" "(1, 4)" "the accounts"
# What waits and comes again is not missed.
rm -rf less && redo init -q less
trouble "peer $PWD/child"
redo -C less fetch -q $URL 2>/dev/null
cat "$LOG" child >both
trouble "peer $PWD/both offer=5"
run redo -C less fetch -q --json $URL
expect_status 0
expect_equal "$(json 'd["notCome"], len(d["fetched"])')" "(0, 5)" "the accounts"
expect_equal "$(redo -C less quarantine list)" '' "what waits"

scene "a node with another signature, or none, is not taken; its siblings are"
redo init -q forged
sed '2s/"signature":"./"signature":"z/; 2s/"signature":"z/"signature":"0/' "$LOG" >forgery
cmp -s forgery "$LOG" && sed -i '2s/"signature":"0/"signature":"1/' forgery
sed -i '3s/"signature":"[^"]*",//' forgery
trouble "peer $PWD/forgery"
run redo -C forged fetch -q $URL
expect_status 1
expect_stderr_has signature-bad
expect_stderr_has signature-missing
expect_equal "$(ids forged)" "$(ids_of <"$LOG" | sed -n '1p;4p')" "its siblings"
expect_clean forged

scene "76: another store under the same name, or one that has gone back; nothing changes"
stores here
redo init -q server
redo -C server key generate >/dev/null 2>&1
redo -C here remote add origin "ssh://host$PWD/server"
redo -C server commit -q create --title=One >/dev/null
redo -C server checkpoint create >/dev/null
cp -r server copy
pull here
redo -C server commit -q create --title=Two >/dev/null
redo -C server checkpoint create >/dev/null
pull here
before=$(fingerprint here)
mv server newer
mv copy server
for command in fetch push sync ls-remote; do
  run redo -C here $command
  expect_error 76 "'origin' has gone back: its checkpoint counts 1 changes, and one before it 2"
done
redo -C server commit -q create --title=Other >/dev/null
redo -C server checkpoint create >/dev/null
run redo -C here fetch
expect_error 76 "'origin' has another history than its checkpoint of"
expect_untouched "$before" here
# With more entries than the remembered checkpoint: what a log that was put back and went on cannot prove.
redo -C server commit -q create --title=Another >/dev/null
redo -C server checkpoint create >/dev/null
for command in fetch push sync ls-remote; do
  run redo -C here $command
  expect_error 76 "'origin' has another history than its checkpoint of"
done
run redo -C here remote check origin
expect_status 76
# The checkpoint of the same log, further on, stated by somebody who proves nothing, or something else.
rm -rf server
cp -r newer server
redo -C server commit -q create --title=Three >/dev/null
redo -C server checkpoint create -o "$PWD/three" >/dev/null
ID=$(redo -C server config get core.id)
for words in '' "word=grown-00-$(printf '1%.0s' {1..64})" "word=grown-01-$(printf '1%.0s' {1..64})" 'word=grown-00-xyz'; do
  trouble "peer $EMPTY id=$ID checkpoint=$PWD/three $words"
  run redo -C here fetch
  case $words in
  *grown-00-1*) expect_error 76 "'origin' has another history than its checkpoint of" ;;
  *) expect_error 76 "'origin' does not show that its checkpoint continues the one of" ;;
  esac
  expect_untouched "$before" here
done
pull here
# A store that has grown is the same one, however much.
for title in Four Five Seven; do
  redo -C server commit -q create --title=$title >/dev/null
  redo -C server checkpoint create >/dev/null
done
redo -C server commit -q create --title=Six >/dev/null
pull here
rm -rf newer
expect_equal "$(redo -C here remote show origin | sed -n 's/^checkpointSize[ :	]*//p')" 6 "the size of the checkpoint"
run redo -C here remote check origin
expect_status 0

scene "a remote that cannot choose is not asked for a part"
redo init -q part
trouble "peer $LOG"
run redo -C part fetch --task=$TASK $URL
expect_error 128 "cannot choose nodes by task or time"
trouble "peer $LOG"
run redo -C part fetch --allow-unsigned $URL
expect_error 77 "does not allow nodes that nobody signed"
trouble "peer $LOG word=read-only"
run redo -C ../"${PWD##*/}"/here push $URL
expect_error 77 "nothing may be pushed to '$URL'"
expect_equal "$(count part)" 0 nodes

scene "an interrupt: what came is kept for the next time, and nothing is half done"
redo init -q late
trouble "peer $LOG batch=1 slow=600"
redo -C late fetch -q $URL 2>late.err &
fetcher=$!
until [ -n "$(find late/.redo/quarantine -name '*.pack' -size +0 2>/dev/null)" ]; do sleep 0.05; done
kill -TERM $fetcher
wait $fetcher
expect_equal $? 143 "its status"
expect_equal "$(cat late.err)" "" "what it says"
expect_equal "$(count late)" 0 nodes
trouble "peer $EMPTY"
run redo -C late fetch -q $URL
expect_status 0
[ "$(count late)" -ge 1 ] || fail "nothing was kept" </dev/null
expect_clean late
