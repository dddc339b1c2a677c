#!/bin/bash
# A server that speaks redo-wire(5) and lies in one place: fetch, push, sync and ls-remote say what is wrong, and take nothing
# that is not whole.
. "$(dirname "${BASH_SOURCE[0]}")/../Scripts/lib.sh"
share 40
own_copies
need_python "what a hostile server says" rfc8785 nacl dag_cbor
HTTP=0
! link_network || HTTP=1

# The way there: a program that stands for ssh, and leads to a port of this machine.
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
exec 3<>"/dev/tcp/127.0.0.1/$(cat "$WORK/here/ports")"
cat <&3 3<&- &
exec 1>&-
cat >&3
kill $! 2>/dev/null
exit 0
END
chmod 755 "$WORK/bin/ssh"
export WORK

. "$TESTS/Faults/sides.bash"
for kind in node schema receipt; do
  redo init -q $kind.store
  cat $kind.common $kind.here | redo -C $kind.store import -q >/dev/null || fail "no store" </dev/null
done

scene "one lie of a server, in every place of its language: a command fails, and nothing is half there"
run env SHARE=$SHARE SEED="$SEED" HTTP=$HTTP timeout 36000 "$PYTHON" "$TESTS/Faults/hostile-server.py"
expect_status 0
cat "$OUT"
