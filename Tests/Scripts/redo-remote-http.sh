#!/bin/bash
# redo-remote-http: turns become requests; every server that misbehaves is reported clearly, in
# time, and costs no memory.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/http.bash"

make_store
redo remote add peer http://127.0.0.1:1
redo remote set peer timeout 300
echo secret-of-ada >token
chmod 600 token
wire turn >turn
export REDO_DIR=$PWD/.redo

# ask [<file with turns>]: what comes back for them, a line for each frame.
ask() {
  RUN="redo-remote-http < ${1:-turn}"
  redo-remote-http peer "http://127.0.0.1:$PEER" read <"${1:-turn}" 2>"$ERR" | wire show >"$OUT"
  STATUS=${PIPESTATUS[0]}
}
# expect_fault <code> <text>: the one frame, or the last one after what is given.
expect_fault() {
  expect_status 0
  tail -n 1 "$OUT" >last
  case $(cat last) in
  "fault $1 "*"$2"*) ;;
  *) fail "not a fault '$1' with '$2'" < <(everything_printed) ;;
  esac
  expect_stderr ''
}

scene "a turn becomes a request, and the answer the answering turn"
peer echo
ask
expect_stdout <<END
hello
ranges
end
END
expect_stderr ''
grep -q '^POST /v1/exchange HTTP/1.1 ' peer.log || fail "another request" <peer.log
grep -q 'Content-Type: application/vnd.redo.wire' peer.log || fail "another type" <peer.log
expect_equal "$(grep frames peer.log)" 'frames [1, 2, 0]' "what was sent"

scene "every request begins with the greeting; at the pipe it stands once"
peer echo
wire turn 3 >three
ask three
expect_stdout <<END
hello
ranges
end
ranges
end
ranges
end
END
expect_equal "$(grep -c 'frames \[1, 2, 0\]' peer.log)" 3 "requests"

scene "nothing said is nothing asked"
peer echo
ask /dev/null
expect_stdout ''
expect_equal "$(wc -l <peer.log)" 0 "requests"

# The mode of the server, the code of the fault, and a part of its text.
while read -r mode code text; do
  scene "a server that does this: $mode"
  peer "$mode"
  ask
  expect_fault "$code" "$text"
done <<END
html malformed the answer is 'text/html; charset=utf-8', not 'application/vnd.redo.wire'
untyped malformed of no media type
redirect stopped redirected to 'https://elsewhere.example/', which is not followed
gzip malformed encoded as 'gzip'
400 stopped status 400
401 denied status 401
403 denied status 403
404 stopped no store is served at this address
413 limit status 413
429 unavailable retry-after 7: status 429
500 unavailable status 500
503 unavailable retry-after 3600: status 503
503-date unavailable status 503
empty unavailable the answer ends in the middle
no-greeting unexpected without a greeting
version version no version in common
garbage malformed frame of type
large limit a frame of 1073741824 bytes
more unexpected after the end of a turn
no-end unavailable the answer ends in the middle
torn unavailable the answer ends in the middle
cut unavailable has closed the connection
cut-chunk unavailable has closed the connection
fault denied not you
word unavailable later
not-http malformed does not answer in HTTP
huge-head malformed does not answer in HTTP
close unavailable has closed the connection
reset unavailable
END

scene "a server that says nothing is given up after the set time"
for mode in stall stall-inside drip; do
  peer $mode
  start=$SECONDS
  redo remote set peer timeout $([ $mode = drip ] && echo 2 || echo 3)
  ask
  expect_fault unavailable 'no answer in time'
  [ $((SECONDS - start)) -le 60 ] || fail "$mode: it takes $((SECONDS - start)) s" </dev/null
done
redo remote set peer timeout 300

scene "nobody is there"
# Its port stays taken, so that nobody else listens there meanwhile.
peer deaf
ask
expect_fault unavailable "no connection to '127.0.0.1': connection refused"

scene "another greeting than in the first turn: it is not the same store any more"
peer other-greeting
ask three
expect_fault unexpected 'another greeting than in the first turn'
peer other-words
ask three
expect_fault unexpected 'another greeting than in the first turn'
# How many nodes there are may change, as it does when others push meanwhile.
peer other-moment
ask three
expect_status 0
expect_equal "$(tail -n 1 "$OUT")" end "the last frame"

scene "an answer before the request has ended ends the sending, and is told"
peer early
wire push 64 >big
ask big
expect_fault denied 'status 401'

scene "the token goes with the request, from a file or a command, and nowhere else"
redo remote set peer tokenFile "$PWD/token"
peer echo
ask
grep -q 'Authorization: Bearer secret-of-ada;' peer.log || fail "no token" <peer.log
redo remote set peer tokenCommand 'echo secret-of-bob; echo more'
peer echo
ask
grep -q 'Authorization: Bearer secret-of-bob;' peer.log || fail "no token" <peer.log
redo remote set peer tokenCommand 'exit 3'
ask
expect_fault denied 'the command of the token ends with 3'

scene "a token of the keyring goes to the address for which it was stored, and to no other one"
peer echo
redo remote set peer tokenCommand 'redo key get of.ada'
redo key put --for="http://127.0.0.1:$PEER/v1" of.ada <<<secret-of-ada
ask
grep -q 'Authorization: Bearer secret-of-ada;' peer.log || fail "no token" <peer.log
peer echo
redo key put -f --for="https://127.0.0.1:$PEER" of.ada <<<secret-of-ada
REDO_TOKEN_FOR="https://127.0.0.1:$PEER" ask
grep -q '^fault denied .*the command of the token ends with 77' "$OUT" || fail "not refused" < <(everything_printed)
expect_stderr_has "is not for 'http://127.0.0.1:$PEER', but for 'https://127.0.0.1:$PEER'"
expect_equal "$(grep -c secret-of-ada peer.log)" 0 "requests with the token"
redo remote set --unset peer tokenCommand

scene "a token that is none is not sent"
for text in '' 'a b' $'a\tb' $'\303\244'; do
  printf '%s\n' "$text" >wrong
  redo remote set peer tokenFile "$PWD/wrong"
  ask
  expect_fault denied 'there is no token in the file'
done
redo remote set peer tokenFile "$PWD/nowhere"
ask
expect_fault denied 'the token cannot be read'

scene "a token is not sent in the clear to another machine: nothing is sent at all"
redo remote set peer tokenFile "$PWD/token"
redo-remote-http peer http://192.0.2.1 read <turn 2>"$ERR" | wire show >"$OUT"
expect_fault denied 'a token is not sent unencrypted'
redo remote set --unset peer tokenFile

scene "what is no address is refused"
for url in ftp://a https:// 'https://a b' https://ada:secret@host 'https://host?x=1'; do
  redo-remote-http peer "$url" read <turn 2>"$ERR" | wire show >"$OUT"
  expect_fault stopped 'not an address of a store'
done
! grep -q secret "$OUT" || fail "a password is repeated" <"$OUT"

scene "a command line that makes no sense"
run redo-remote-http peer
expect_status 129
run redo-remote-http peer http://127.0.0.1:1 both
expect_status 129
expect_stderr_has "there is no service 'both'"

scene "256 MiB pass through in little memory, and what reads slowly is waited for"
peer endless
redo remote set peer timeout 60
mkfifo pipe
wire count <pipe >"$OUT" &
counter=$!
redo-remote-http peer "http://127.0.0.1:$PEER" read <turn >pipe 2>"$ERR" &
helper=$!
most=0
while kill -0 $helper 2>/dev/null; do
  now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$helper/status 2>/dev/null)
  [ "${now:-0}" -le $most ] || most=$now
  sleep 0.05
done
wait $helper
wait $counter
expect_stdout <<END
bytes 268435456
hello
pack-end
end
END
echo "# $most KiB"
[ $most -gt 0 ] && [ $most -lt 131072 ] || fail "$most KiB of memory" </dev/null

scene "for people: one message, a store as it was, and the status of the table"
unset REDO_DIR
redo fetch peer 2>/dev/null # makes the quarantine's lock
while read -r mode status text; do
  peer "$mode"
  redo remote set peer url "http://127.0.0.1:$PEER"
  before=$(fingerprint)
  run redo fetch peer
  expect_status "$status"
  expect_stderr_has "$text"
  expect_untouched "$before"
done <<END
html 128 text/html
401 77 status 401
redirect 128 not followed
garbage 128 malformed
fault 77 not you
END
