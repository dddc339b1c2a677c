#!/bin/bash
# A server of documents whose disk is full, or whose system calls fail one by one: it says so, what it has answered
# stays, and when there is room again it goes on.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
. "$TESTS/Scripts/http.bash"
facts() { python3 "$SCRIPTS/firestore-facts.py" "$@"; }
documents() { facts fetch "$PORT" u1 | sort; }

scene "a disk that is full: UNAVAILABLE, and nothing of the commit; afterwards everything that was answered"
mkdir disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=2m,mode=755 none disk 2>/dev/null; then
  skip "only root can mount a small disk"
else
  at_exit "umount '$PWD/disk'"
  redo init -q disk
  demo 3000 >many.ndjson
  serve --firestore=demo --emulator disk
  facts push "$PORT" u1 many.ndjson 50 u1 >answered 2>refused
  grep -q '^503 UNAVAILABLE$' refused || fail "nothing was refused" <refused
  ! grep -v '^503 UNAVAILABLE$' refused >/dev/null || fail "refused otherwise" <refused
  sort answered >expected
  documents >found
  cmp expected found || fail "the documents are not what was answered" < <(diff expected found | head)
  stop_server
fi

if ! command -v strace >/dev/null || ! strace -qq -o /dev/null true 2>/dev/null; then
  scene "system calls that fail"
  skip "strace is missing or not permitted"
  exit 0
fi

# struck <fault> <system call> <which>: a server of 'store' with one call of it struck. Calls are counted in each
# thread; with one connection there is one that works.
struck() {
  stop_server
  : >server.log
  strace -D -qq -f -o /dev/null -e "trace=$2" -e "inject=$2:$1:when=$3" -P "$PWD/store/.redo/firestore/documents" \
    redo-serve-http --max-connections=1 --firestore=demo --emulator --http=127.0.0.1:0 store >server.out 2>server.log &
  SERVER_PID=$!
  PORT=''
  while [ -z "$PORT" ] && kill -0 $SERVER_PID 2>/dev/null; do
    sleep 0.05
    PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log)
  done
  [ -n "$PORT" ] || fail "the server does not start" <server.log
}

for call in pwrite64 fdatasync; do
  scene "$call of the log fails once: that commit is refused, the others are there, also after a start"
  redo init -q store
  demo 40 >some.ndjson
  struck error=EIO "$call" 3
  facts push "$PORT" u1 some.ndjson 10 u1 >answered 2>refused
  expect_equal "$(cat refused)" "503 UNAVAILABLE" "what was refused"
  sort answered >expected
  expect_equal "$(wc -l <expected)" 30 "answered"
  documents >found
  cmp expected found || fail "others are there" < <(diff expected found)
  # The same commit once more; existing documents are reported.
  facts push "$PORT" u1 some.ndjson 10 u1 >again 2>refused
  expect_equal "$(wc -l <again)" 10 "answered the second time"
  expect_equal "$(sort -u refused)" "409 ALREADY_EXISTS" "what was refused the second time"
  serve --firestore=demo --emulator store
  expect_equal "$(documents | wc -l)" 40 "documents"
  stop_server
  expect_clean store
  rm -rf store
done
