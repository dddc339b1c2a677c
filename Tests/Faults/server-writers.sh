#!/bin/bash
# What came with servers and is written beside nodes: the file of accounts, who sent what waits, the log of documents written anew,
# the log of the server, revoked devices and the index. Killed at each system call, and each call failing once; then what
# is on the disk is read by a program that shares no code with redo.
. "$(dirname "${BASH_SOURCE[0]}")/writers.bash"
. "$TESTS/Scripts/http.bash"
share 100
export REDO_AUTHOR_DATE=2026-03-01T10:00:00.000Z
on_disk() { python3 "$TESTS/Faults/server-writers.py" "$@"; }
device() { redo init -q "$1" && redo -C "$1" key generate >/dev/null 2>&1 && redo -C "$1" key device-id >/dev/null; }

# The store is a directory that holds it and the file. What was printed is a token that counts.
device house
mkdir old && mv house old/store
facts() {
  on_disk accounts "$1/accounts" "$(cat printed 2>/dev/null)"
  redo -C "$1" serve account list --accounts=accounts 2>/dev/null | cut -d ' ' -f 1-3
}
scene "an account is added with the token that is printed, or is not; the file is made"
undisturbed old /dev/null serve account add --accounts=accounts --right=replica:write ada store
each_strike

for name in ada bob eve; do
  redo -C old serve account add --accounts=accounts --right=replica:read $name store >/dev/null 2>&1
done
rm -f printed
sed -i '2i # Somebody has written this beside them.' old/accounts
scene "one more is added, and nobody else is touched"
undisturbed old /dev/null serve account add --accounts=accounts --right=documents:write --expires=2099-01-01 dan store
each_strike

rm -f printed
scene "an account is taken away, or is not"
undisturbed old /dev/null serve account revoke --accounts=accounts bob
each_strike

device phone
redo -C phone receipt create -q >/dev/null <<<'{"product_name":"a","product_type":"b","rating":3,"effects":[]}'
CARD=$(redo -C phone receipt list --json --type=redo.device.registered/v1 | sed 's/.*"cid":"\([^"]*\)".*/\1/')
[ -n "$CARD" ] || fail "there is no card" < <(redo -C phone receipt list --json)
device home
redo -C phone export -q --kind=receipt | redo -C home import -q - >/dev/null
redo -C home device add --name=phone "$CARD" >/dev/null 2>"$ERR" || fail "the device cannot be pinned" <"$ERR"
DEVICE=$(redo -C home device list --wraps | cut -f 1)
facts() {
  redo -C "$1" device list --wraps 2>&1
  redo -C "$1" local list 2>&1 | sed -E 's,20[0-9-]+T[0-9:.]+Z,,'
}
scene "a device is out of what is shared, or is not"
undisturbed home /dev/null device revoke --wraps "$DEVICE"
each_strike

PROGRAM=$(dirname "$REDO_BIN")/redo-index-sqlite
scene "an index takes in nodes, receipts, schemas and records as a whole, or not at all"
if [ ! -x "$PROGRAM" ]; then
  skip "there is no redo-index-sqlite beside redo"
else
  redo -C phone index update
  redo -C phone schema new -q --name=Trip trip >/dev/null
  redo -C phone schema add-field -q --id=days --name=Days --type=int trip >/dev/null
  redo -C phone record new -q trip Days=3 >/dev/null
  redo -C phone commit -q create --title=struck >/dev/null
  redo -C phone receipt create -q >/dev/null <<<'{"product_name":"c","product_type":"d","rating":1,"effects":[],"notes":"snow"}'
  facts() { on_disk index "$1/.redo/cache/index.sqlite"; }
  undisturbed phone /dev/null index update
  each_strike
fi

# begin <fault> <call> <which> <option>...: a server one of whose calls is struck, counted from its start. It listens,
# or has ended with STATUS.
begin() {
  local fault=$1 call=$2 which=$3
  shift 3
  : >server.log
  strace -D -qq -f -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$which" \
    redo-serve-http --http=127.0.0.1:0 "$@" >server.out 2>server.log &
  SERVER_PID=$!
  listens
}
listens() {
  PORT='' STATUS=0
  until PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' "${1:-server.log}") && [ -n "$PORT" ]; do
    if ! kill -0 $SERVER_PID 2>/dev/null; then
      { wait $SERVER_PID; } 2>/dev/null
      STATUS=$? SERVER_PID=''
      return
    fi
    sleep 0.02
  done
}
# few <n>: a short form strikes so many of these lines, which are spread over all of them; the seed says where they begin.
few() {
  if [ -n "$SOAK" ]; then cat; else
    awk -v most="$1" -v seed="$SEED" '{ line[NR] = $0 } END {
      step = NR > most ? NR / most : 1
      for (i = 1 + (seed % int(step)); i <= NR; i += step) print line[int(i)] }'
  fi
}
# with_faults: each call of standard input with each error that it may have.
with_faults() {
  local call which fault
  while read -r call which; do for fault in $(faults_of "$call"); do echo "$call $which $fault"; done; done
}
# without_wakes: threads of a server wake each other by a write, which never fails.
without_wakes() { grep -v '^write .*error='; }
# calls_of <calls> <text> [<end>]: the calls of the threads that name this text, from there on, as 'name number'; the number
# is that of the call in its thread; of each name the first twelve.
STRUCK='openat mkdirat read pread64 write pwrite64 fsync fdatasync linkat renameat renameat2 unlinkat ftruncate fcntl newfstatat fstat fchmod getdents64'
calls_of() {
  awk -v text="$2" -v end="${3:-}" '{ thread = $1; sub(/^[0-9]+ +/, ""); name = $0; sub(/\(.*/, "", name); if (name !~ /^[a-z_0-9]+$/) next
    seen[thread " " name]++
    if (index($0, text) && name != "execve") ours[thread] = 1
    if (thread in ours && index(" '"$STRUCK"' ", " " name " ")) print name, seen[thread " " name]
    if (end != "" && index($0, end) == 1) exit }' "$1" | awk '!known[$0]++ && count[$1]++ < 12'
}
documents() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }

scene "a log of documents is written anew when the server starts: it is the old one or the new one, and nothing of it is lost"
redo init -q kept
demo 40 >some.ndjson
serve --firestore=demo --emulator kept
documents push "$PORT" u1 some.ndjson 10 u1 >/dev/null
for number in 1 2 3; do
  documents call "$PORT" u1 PATCH /users/u1 "{\"fields\":{\"a\":{\"integerValue\":\"$number\"}}}" >/dev/null
done
documents fetch "$PORT" u1 | sort >expected
stop_server
expect_equal "$(wc -l <expected)" 40 "documents"
# As a release before this one has left it: what it says is the same, its first line says that it has to be written anew.
sed -i '1s/.*/redo-firestore 1/' kept/.redo/firestore/documents
on_disk documents kept/.redo/firestore/documents >old.log
rm -rf struck && cp -r kept struck
strace -qq -f -o calls redo-serve-http --http=127.0.0.1:0 --firestore=demo --emulator struck >server.out 2>server.log &
tracer=$!
listens_pid() { SERVER_PID=$tracer && listens; }
listens_pid
kill -TERM "$(awk 'NR == 1 { print $1 }' calls)"
{ wait $tracer; } 2>/dev/null
SERVER_PID=''
on_disk documents struck/.redo/firestore/documents >new.log
head -n 1 new.log | grep -qx 'redo-firestore 2' || fail "it is not written anew" <new.log
# The calls of the thread that opens the log, up to where the server listens.
calls_of calls firestore 'listen(' | with_faults | without_wakes | few 4 >steps
kills=0 fails=0
while read -r call which fault <&3; do
  rm -rf struck && cp -r kept struck
  RUN="redo serve   with $call:$fault:when=$which"
  { begin "$fault" "$call" "$which" --firestore=demo --emulator struck; } 2>/dev/null
  case $STATUS in
  0) ;;
  137) kills=$((kills + 1)) ;;
  *)
    fails=$((fails + 1))
    [[ $STATUS =~ ^(1|75|128)$ ]] || fail "a status of $STATUS" <server.log
    grep -q '^fatal: \|^error: ' server.log || [ "$call" = write ] || fail "no message" <server.log
    ;;
  esac
  stop_server
  on_disk documents struck/.redo/firestore/documents >now.log || fail "the log is torn" <now.log
  cmp -s now.log old.log || cmp -s now.log new.log || fail "neither the old log nor the new one" < <(diff old.log now.log)
  serve --firestore=demo --emulator struck
  documents fetch "$PORT" u1 | sort | cmp -s - expected || fail "documents are lost" <server.log
  documents call "$PORT" u1 GET /users/u1 | grep -q '"integerValue": "3"' || fail "the last value is lost" <server.log
  stop_server
  expect_equal "$(ls struck/.redo/firestore | paste -sd' ')" "documents lock" "the files"
  on_disk documents struck/.redo/firestore/documents | cmp -s - new.log || fail "another log than undisturbed" </dev/null
done 3<steps
echo "# $(wc -l <steps) strikes: $kills killed, $fails failed"
RUN=''

# struck_at <fault> <call> <which> [<option of strace>...]: from now on, the which-th of these calls of each thread of the server is struck.
STRIKER=''
struck_at() {
  strace -qq -f -o /dev/null -e "trace=$2" -e "inject=$2:$1:when=$3" "${@:4}" -p "$SERVER_PID" 2>strace.err &
  STRIKER=$!
  all_traced
}
# all_traced: all threads of the server are.
all_traced() {
  local tasks=/proc/$SERVER_PID/task
  until [ "$(grep -l "^TracerPid:	$STRIKER\$" "$tasks"/*/status 2>/dev/null | wc -l)" -eq "$(ls "$tasks" | wc -l)" ]; do
    kill -0 $STRIKER 2>/dev/null || break
    sleep 0.02
  done
}
# unstruck: whether the server is still there.
unstruck() {
  kill -INT $STRIKER 2>/dev/null
  { wait $STRIKER; } 2>/dev/null
  STRIKER=''
  ! kill -0 "$SERVER_PID" 2>/dev/null || return 0
  { wait "$SERVER_PID"; } 2>/dev/null
  SERVER_PID=''
  return 1
}
at_exit '[ -z "$STRIKER" ] || kill $STRIKER'

scene "a log of documents is written anew while it is in use: what was answered is there, and nobody hears of it"
redo init -q busy
token_line() { echo "$1 $(printf %s "$1-token" | sha256sum | cut -d ' ' -f 1) $2 $3"; }
token_line ada write "$PWD/busy" >accounts && chmod 600 accounts
serve --firestore=demo --accounts=accounts --rate=0
python3 "$SCRIPTS/document-writer.py" "$PORT" ada 1000000 before 16 >"$OUT"
expect_stdout_lines 16
stop_server
token_line ada write "$PWD/struck" >accounts
# written: two writes more, so that most of the log is no longer needed; ends when it was written anew, or cannot be.
written() {
  python3 "$SCRIPTS/document-writer.py" "$PORT" ada 1000000 after 3 >answered 2>/dev/null
  for _ in $(seq 200); do
    [ "$(stat -c %s struck/.redo/firestore/documents)" -gt 10000000 ] && kill -0 "$SERVER_PID" 2>/dev/null || break
    ! grep -q 'cannot be written anew' server.log || break
    sleep 0.02
  done
}
rm -rf struck && cp -r busy struck
serve --firestore=demo --accounts=accounts --rate=0
strace -qq -f -e 'trace=!futex,epoll_wait,sched_yield,madvise,mmap,munmap,mprotect' -o calls -p "$SERVER_PID" 2>/dev/null &
STRIKER=$!
all_traced
written
unstruck
stop_server
[ "$(stat -c %s struck/.redo/firestore/documents)" -lt 10000000 ] || fail "it is not written anew" <server.log
# The thread that writes it anew is the one that makes a file without a name, or a temporary one.
calls_of calls "$(grep -q O_TMPFILE calls && echo O_TMPFILE || echo tmp_)" | with_faults | without_wakes | few 2 >steps
kills=0
while read -r call which fault <&3; do
  rm -rf struck && cp -r busy struck
  RUN="writes of documents   with $call:$fault:when=$which"
  serve --firestore=demo --accounts=accounts --rate=0
  struck_at "$fault" "$call" "$which"
  written
  { unstruck; } 2>/dev/null || kills=$((kills + 1))
  stop_server
  answered=$(grep -c '^[0-9]*$' answered)
  # A last record that was never acknowledged may be torn; what is wrong elsewhere is damage.
  on_disk documents struck/.redo/firestore/documents whole-but-the-last >now.log || fail "the log is torn" <now.log
  serve --firestore=demo --accounts=accounts --rate=0
  documents call "$PORT" token:ada-token GET '/users/ada?mask.fieldPaths=word' >"$OUT"
  number=$(sed -n 's/.*after-\([0-9]*\).*/\1/p' "$OUT")
  [ "${number:-0}" -ge "$answered" ] || fail "answered $answered, and there is '$number'" <server.log
  stop_server
  expect_equal "$(ls struck/.redo/firestore | paste -sd' ')" "documents lock" "the files"
done 3<steps
echo "# $(wc -l <steps) strikes: $kills killed"
RUN=''

scene "who has sent what waits is noted as a whole, before it is there"
device late
redo -C late commit -q create --title=first >/dev/null
TASK=$(redo -C late log --format='%(task)')
for number in 1 2 3 4 5 6; do redo -C late commit -q update -t "$TASK" --description="number $number" >/dev/null; done
chain=($(redo -C late log --reverse --task="$TASK" --format='%(id)'))
redo -C late archive create -q -o "$PWD/first.pack" "${chain[0]}..${chain[2]}" >/dev/null
redo -C late archive create -q -o "$PWD/second.pack" "${chain[3]}..${chain[5]}" >/dev/null
redo -C late export -q >late.ndjson
redo init -q depot
TOKEN=a-token-of-somebody
echo "rep $(printf %s $TOKEN | sha256sum | cut -d ' ' -f 1) replica:write $PWD/struck" >accounts && chmod 600 accounts
rm -rf struck && cp -r depot struck
serve --accounts=accounts
wire send "$PORT" $TOKEN came first.pack
stop_server
rm -rf depot && cp -r struck depot
on_disk owners depot/.redo/quarantine >before.owners
grep -q '^2 nodes wait, all of them noted' before.owners || fail "the first do not wait" <before.owners
serve --accounts=accounts
strace -qq -f -o calls -p "$SERVER_PID" 2>/dev/null &
STRIKER=$!
all_traced
wire send "$PORT" $TOKEN came second.pack
unstruck
stop_server
on_disk owners struck/.redo/quarantine >after.owners
grep -q '^4 nodes wait, all of them noted' after.owners || fail "the second do not wait" <after.owners
# What takes in a push has a thread of its own, which begins with it.
calls_of calls quarantine | with_faults | without_wakes | few 4 >steps
kills=0
while read -r call which fault <&3; do
  rm -rf struck && cp -r depot struck
  RUN="a push   with $call:$fault:when=$which"
  serve --accounts=accounts
  struck_at "$fault" "$call" "$which"
  rm -f came
  wire send "$PORT" $TOKEN came second.pack >answer 2>&1
  { unstruck; } 2>/dev/null || kills=$((kills + 1))
  stop_server
  on_disk owners struck/.redo/quarantine >now.owners || fail "what waits is not as it should be" <now.owners
  grep -qx '[2-4] nodes wait, all of them noted' now.owners || fail "somebody's node counts for nobody" <now.owners
  kept=0
  [ ! -e came ] || kept=$(wire rows came 2>/dev/null | grep -c 'it is kept in quarantine')
  [ "$(cut -d ' ' -f 1 now.owners)" -ge $((2 + kept)) ] || fail "what was said to be kept is not there" < <(wire rows came)
  # Once more: what comes again takes no more room, and with its parents all of it is there.
  serve --accounts=accounts
  wire send "$PORT" $TOKEN came second.pack >answer 2>&1 || fail "the next push is refused" <answer
  stop_server
  on_disk owners struck/.redo/quarantine >now.owners
  grep -qx '4 nodes wait, all of them noted' now.owners || fail "the next push does something else" <now.owners
  run redo -C struck verify
  ! grep -q '^error' "$OUT" || fail "the store is damaged" <"$OUT"
  run redo -C struck import -q "$PWD/late.ndjson"
  expect_status 0
  run redo -C struck quarantine promote
  expect_status 0
  expect_equal "$(redo -C struck quarantine list | wc -l)" 0 "what waits with all parents"
done 3<steps
echo "# $(wc -l <steps) strikes: $kills killed"
RUN=''

scene "the log of a server is opened anew, or goes on where it was: each line is whole, and what is missing is counted"
rm -rf struck && cp -r depot struck
ask() { TOKEN=$TOKEN python3 "$SCRIPTS/http-clients.py" post "$PORT" turn >/dev/null 2>&1; }
for call in openat write fstat; do for which in 1 2 3; do echo $call $which; done; done | with_faults | few 4 >steps
kills=0
while read -r call which fault <&3; do
  RUN="SIGUSR1   with $call:$fault:when=$which"
  rm -f to.log*
  redo-serve-http --http=127.0.0.1:0 --accounts=accounts --log=to.log 2>server.log &
  SERVER_PID=$!
  until [ -e to.log ] || ! kill -0 $SERVER_PID 2>/dev/null; do sleep 0.02; done
  listens to.log
  [ -n "$PORT" ] || fail "the server does not start" < <(cat to.log server.log)
  ask
  until grep -q '"event":"request"' to.log; do sleep 0.02; done
  mv to.log to.log.1
  cp to.log.1 first
  struck_at "$fault" "$call" "$which" -P to.log -P "$PWD/to.log" -P "$PWD/to.log.1"
  kill -USR1 $SERVER_PID
  ask
  ask
  if { unstruck; } 2>/dev/null; then
    # It lives, and the next signal is obeyed.
    kill -USR1 $SERVER_PID
    until [ -e to.log ]; do sleep 0.02; done
    ask
    until grep -q '"event":"request"' to.log; do sleep 0.02; done
    stop_server
    expect_equal "$STATUS" 0 "the status"
    cat to.log.1 to.log >all.log
    on_disk log all.log 4 || fail "lines are missing that nobody counts" <all.log
  else
    kills=$((kills + 1))
    for file in to.log.1 to.log; do [ ! -e $file ] || on_disk log $file 0 || fail "a line is torn" <$file; done
  fi
  head -c "$(wc -c <first)" to.log.1 | cmp -s - first || fail "what was written before has changed" <to.log.1
done 3<steps
echo "# $(wc -l <steps) strikes: $kills killed"
RUN=''
