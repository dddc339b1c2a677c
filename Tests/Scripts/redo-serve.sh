#!/bin/bash
# redo serve: one client over standard input and output.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/remote.bash"

two_stores garden 300 shed 200
WIRE=$WORK/wire.py
cat >"$WIRE" <<'END'
# A client that knows frames and nothing else: wire.py <what it sends>... prints the types that come, and faults.
import os, subprocess, sys

def frame(kind, payload=b""):
    return len(payload).to_bytes(4, "little") + bytes([kind]) + payload

def text(data):
    return bytes([len(data)]) + data

HELLO = b"redo-wire\n\x01\x01" + bytes(16)
SENT = {
    "hello": frame(1, HELLO + text(b"")),
    "unsigned": frame(1, HELLO + text(b"unsigned")),
    "filter": frame(1, HELLO + text(b"since-5")),
    "bad-filter": frame(1, HELLO + text(b"task-5")),
    "future": frame(1, b"redo-wire\n\x01\x09" + bytes(16) + text(b"")),
    "nothing": frame(2, bytes([4, 255])),
    "pack": frame(4, b"x" * 1000),
    "end": frame(0),
    "cut": b"\x05\x00",
    "http": b"GET / HTTP/1.1\r\n\r\n",
}
command, words = sys.argv[1].split(), sys.argv[2:]
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
try:
    child.stdin.write(b"".join(SENT[word] for word in words))
    child.stdin.close()
except BrokenPipeError:
    pass
data = child.stdout.read()
while data:
    size, kind = int.from_bytes(data[:4], "little"), data[4]
    payload, data = data[5:5 + size], data[5 + size:]
    if kind == 8:
        print("fault", payload.decode())
    elif kind == 1:
        assert payload.startswith(b"redo-wire\n\x01")
        rest = payload[12 + payload[11]:]
        print("hello", payload[12:12 + payload[11]].hex(), rest[1:1 + rest[0]].decode())
    else:
        print(kind, size)
sys.exit(child.wait())
END
serve() { run python3 "$WIRE" "redo serve --stdio $1" "${@:2}"; }
ID=$(redo -C garden config core.id)
cd garden || exit 1

scene "a client that ends at once: nothing is said"
run redo serve --stdio </dev/null
expect_status 0
expect_stdout ''
expect_stderr ''

scene "a greeting and a comparison: who it is, what it can do, and that all of it is new"
serve "" hello nothing end
expect_status 0
expect_stdout "hello $ID filter-since filter-task nodes-300 schemas-0 withholds-0
2 2
0 0"
expect_stderr ''

scene "the store in a directory, or the directory of the store itself; none above it"
cd ..
for place in garden garden/.redo "$PWD/garden"; do
  serve "$place" hello nothing end
  expect_status 0
  expect_stdout_has "hello $ID"
done
mkdir -p garden/below
run redo serve --stdio garden/below
expect_error 128 "there is no redo store in 'garden/below'"
run redo serve --stdio nowhere
expect_error 128 "there is no redo store in 'nowhere'"
cd garden || exit 1

scene "whoever may only read is told, and cannot push"
serve --read-only hello nothing end
expect_stdout_has "nodes-300 read-only schemas-0 withholds-0"
before=$(fingerprint)
serve --read-only hello pack
expect_status 77
expect_stdout "fault denied nothing may be pushed here"
expect_stderr "fatal: nothing may be pushed here"
expect_untouched "$before"

scene "unsigned nodes only where both sides say so"
for how in "" "--allow-unsigned" "--no-allow-unsigned -c serve.allowUnsigned=true"; do
  serve "$how" hello nothing end
  ! grep -q unsigned "$OUT" || fail "nobody asked" <"$OUT"
done
for how in "" "--no-allow-unsigned -c serve.allowUnsigned=true"; do
  serve "$how" unsigned nothing end
  ! grep -q unsigned "$OUT" || fail "it is not allowed" <"$OUT"
done
for how in "--allow-unsigned" "-c serve.allowUnsigned=true"; do
  serve "$how" unsigned nothing end
  expect_stdout_has "nodes-300 schemas-0 unsigned withholds-0"
done

scene "a filter is repeated when it holds, and left out when it says nothing"
serve "" filter nothing end
expect_stdout_has "hello $ID filter-since filter-task nodes-300 schemas-0 since-5"
serve "" bad-filter nothing end
expect_stdout_has "hello $ID filter-since filter-task nodes-300"
! grep -q 'task-5' "$OUT" || fail "it is repeated" <"$OUT"

scene "what is no language is answered with a fault, and one message here"
serve "" http
expect_status 128
expect_stdout "fault malformed malformed: at byte 4: a frame of type 47"
expect_stderr "fatal: what the client sends cannot be taken: malformed: at byte 4: a frame of type 47"
serve "" future
expect_status 128
expect_stdout_has "fault version no version in common"
serve "" nothing end
expect_status 128
expect_stdout_has "fault unexpected "
serve "" hello hello end
expect_status 128
expect_stdout_has "fault unexpected "

scene "a client that goes in the middle of a turn"
for words in "cut" "hello" "hello nothing" "hello nothing end cut"; do
  # shellcheck disable=SC2086 # words
  serve "" $words
  expect_status 128
  expect_stderr "fatal: the client has gone in the middle of a turn"
done

scene "a pack that is none changes nothing but the quarantine, and is refused"
before=$(fingerprint)
serve "" hello pack end
expect_status 128
expect_stdout_has "fault unexpected unexpected: the end of a turn in the middle of a pack"
redo verify >"$OUT" 2>&1 || fail "the store is not clean" <"$OUT"


scene "SIGTERM and SIGINT end it while it waits, and nothing is left behind"
mkfifo ../slow
for signal in TERM:143 INT:130 HUP:129; do
  sleep 60 >../slow &
  feeder=$!
  env --default-signal=INT redo serve --stdio <../slow >"$OUT" 2>"$ERR" &
  pid=$!
  # Before it is this program, it may be deaf to the signal.
  while kill -0 $pid && [ "$(cat /proc/$pid/comm)" != redo ]; do sleep 0.05; done 2>/dev/null
  sleep 0.3
  kill -"${signal%:*}" $pid
  wait $pid 2>/dev/null
  STATUS=$? RUN="redo serve, SIG${signal%:*}"
  kill $feeder 2>/dev/null
  wait $feeder 2>/dev/null
  expect_status "${signal#*:}"
  expect_stdout ''
  expect_stderr ''
done
expect_equal "$(temporaries)" 0 "temporary files"

scene "a store of somebody else is not served"
if can_be_nobody; then
  chmod -R go+rX ..
  as_nobody redo serve --stdio "$PWD" </dev/null >"$OUT" 2>"$ERR"
  STATUS=$? RUN="redo serve --stdio, as nobody"
  expect_error 128 "belongs to another user"
else
  skip "needs root"
fi

scene "what makes no sense"
run redo serve
expect_status 129
expect_stderr_has "error: '--stdio', '--http' or '--firestore' must be given"
run redo serve --stdio a b
expect_status 129
run redo serve --stdio -c serve.allowUnsigned=perhaps
expect_error 128 "bad value 'perhaps' for 'serve.allowunsigned'"
