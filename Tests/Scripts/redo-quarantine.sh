#!/bin/bash
# redo quarantine: what came before its parents, and what an interrupted exchange has left. Packs are put where an
# exchange puts them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

redo init -q origin
redo -C origin import -q "$VECTORS/log/linear.ndjson" >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
ids=($(redo -C origin log --reverse --task=$TASK --format='%(id)'))
pack() { redo -C origin archive create -q -o "$PWD/$1.pack" "${@:2}" >/dev/null || exit 1; }
pack first "${ids[2]}"
pack last "${ids[2]}..${ids[5]}"
pack all
number=0
# leave <store> <pack>: as an exchange that was killed after this pack
leave() {
  mkdir -p "$1/.redo/quarantine/incoming"
  number=$((number + 1))
  cp "$2.pack" "$1/.redo/quarantine/incoming/$(printf %016x $number).pack"
}
left() { ls "$1/.redo/quarantine/incoming"; }
history() { redo -C "$1" log --format='%(id)'; }
orphan_line() {
  echo "error: ValidationError: missing parent $1 (Invalid parent reference) in $2"
}

scene "without any: nothing is listed, taken in, or wrong"
redo init -q here
run redo -C here quarantine list
expect_status 0
expect_stdout ''
expect_stderr ''
run redo -C here quarantine promote
expect_status 0
expect_stdout 0
expect_stderr 'took in 0 changes'
run redo -C here quarantine drop --all
expect_status 0
expect_stdout ''
run redo -C here verify
expect_status 0
expect_stdout ''

scene "what an interrupted exchange has left is told of, judged by -n, and taken in"
leave here all
run redo -C here verify
expect_status 0
expect_stdout_has 'file-unfinished - quarantine/incoming/0000000000000001.pack'
run redo -C here quarantine list
expect_stderr_has "hint: 1 pack that has come is not taken in yet"
run redo -C here quarantine promote -n
expect_status 0
expect_stdout 18
expect_stderr_has 'would take in 18 changes'
expect_equal "$(history here)" '' "the history"
expect_equal "$(left here)" 0000000000000001.pack "what is left"
run redo -C here quarantine promote
expect_status 0
expect_stdout 18
expect_stderr 'took in 18 changes'
expect_equal "$(history here)" "$(history origin)" "the history"
expect_equal "$(left here)" '' "what is left"
run redo -C here verify
expect_status 0
expect_stdout ''
expect_equal "$(redo -C here reflog | head -1 | grep -c 'quarantine promote')" 1 "lines of the reflog"

scene "a torn pack gives its whole frames, and one that is none gives nothing"
redo init -q torn
demo 4000 | redo -C origin import -q >/dev/null
pack big
for size in 5 1000 $(($(stat -c %s big.pack) - 100)); do
  head -c $size big.pack >cut.pack
  rm -rf torn && redo init -q torn
  leave torn cut
  run redo -C torn quarantine promote -q --allow-unsigned
  expect_status 0
  expect_equal "$(left torn)" '' "what is left"
  [ "$size" -lt 2000 ] || [ "$(history torn | wc -l)" -gt 1000 ] || fail "few nodes" <"$ERR"
  [ "$size" -gt 2000 ] || expect_equal "$(history torn | wc -l)" 0 "nodes of nothing"
  run redo -C torn -c verify.signature-missing=ignore verify
  expect_status 0
  expect_stdout ''
done
leave torn big
run redo -C torn quarantine promote -q --allow-unsigned
expect_status 0
expect_equal "$(history torn)" "$(history origin)" "the history"

scene "changes without their parents wait, and one line says so"
redo init -q store
leave store last
run redo -C store quarantine promote -n
expect_status 1
expect_stdout 0
[ ! -e store/.redo/quarantine/orphans ] || fail "-n keeps nodes" </dev/null
run redo -C store quarantine promote
expect_status 1
expect_stdout 0
expect_stderr <<END
$(orphan_line "${ids[2]}" "${ids[3]}")
hint: 3 changes wait in the quarantine for their parents; 'redo quarantine list' shows them
took in 0 changes, 3 wait
END
expect_equal "$(left store)" '' "what is left"
expect_equal "$(history store)" '' "the history"
run redo -C store cat-node -e "${ids[3]}"
expect_status 1
run redo -C store verify
expect_status 0
expect_stdout ''
run redo -C store gc -q
expect_status 0
run redo -C store quarantine promote
expect_status 0
expect_stdout 0
expect_stderr 'took in 0 changes, 3 wait'

scene "list: what waits, and for what"
run redo -C store quarantine list
expect_status 0
expect_stdout < <(
  {
    echo "${ids[3]} waits ${ids[2]} 4 $TASK SNOOZE"
    echo "${ids[4]} waits - 5 $TASK COMPLETE_TODO"
    echo "${ids[5]} waits - 6 $TASK ARCHIVE"
  } | sort
)
run redo -C store quarantine list --json
expect_stdout_has "{\"action\":\"SNOOZE\",\"id\":\"${ids[3]}\",\"lamport\":4,\"missing\":[\"${ids[2]}\"],\"status\":\"waits\",\"task\":\"$TASK\",\"wall\":\"2025-03-01T08:03:00.000Z\"}"
expect_equal "$(redo -C store quarantine list -z | tr '\0' '\n')" "$(redo -C store quarantine list)" "the rows with -z"

scene "show: as redo show, of what waits alone"
run redo -C store quarantine show "${ids[3]}"
expect_status 0
expect_stdout_has "node ${ids[3]}"
expect_stdout_has 'Signature: G (good, over the body)'
expect_stdout_has '(missing)'
run redo -C store quarantine show "${ids[2]}"
expect_status 128
expect_stderr "fatal: nothing in the quarantine has the name '${ids[2]}'"
run redo -C here quarantine show "${ids[2]}"
expect_status 128

scene "their parents come: all of it is taken in, in one step"
leave store first
run redo -C store quarantine promote --json
expect_status 0
expect_stdout_has '"promoted":3,"refused":[],"upgraded":0}'
expect_stdout_has "\"heads\":[{\"new\":\"${ids[5]}\",\"ref\":\"heads/$TASK\"}],\"known\":0,"
expect_equal "$(history store | sort)" "$(printf '%s\n' "${ids[@]}" | sort)" "the history"
expect_equal "$(redo -C store quarantine list)" '' "what waits"
expect_equal "$(redo -C store reflog | wc -l)" 1 "steps"
run redo -C store verify
expect_status 0
expect_stdout ''

scene "their parents are imported: they are ready, and promoted"
rm -rf store && redo init -q store
leave store last
redo -C store quarantine promote -q >/dev/null 2>&1
redo -C store import -q "$PWD/first.pack" >/dev/null
expect_equal "$(redo -C store quarantine list | cut -d' ' -f2 | sort -u)" ready "the status"
run redo -C store quarantine promote
expect_status 0
expect_stdout 3
expect_equal "$(redo -C store quarantine list)" '' "what waits"

scene "the next change follows every one that was received"
redo -C store key generate >/dev/null 2>&1
redo -C store commit -q unarchive --task=$TASK
expect_equal "$(redo -C store log -n 1 --format='%(lamport) %(parents)')" "7 ${ids[5]}" "the new change"

scene "drop: shows, asks for names, and removes what is named"
rm -rf store && redo init -q store
leave store last
redo -C store quarantine promote -q >/dev/null 2>&1
run redo -C store quarantine drop
expect_status 1
expect_equal "$(wc -l <"$OUT")" 3 "rows"
expect_stderr "error: nothing is dropped that is not named
hint: '--all' drops all of it"
run redo -C store quarantine drop -n --all
expect_status 0
expect_equal "$(redo -C store quarantine list | wc -l)" 3 "what waits"
run redo -C store quarantine drop "${ids[4]:0:20}"
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT")" "${ids[4]}" "the row"
expect_equal "$(redo -C store quarantine list | wc -l)" 2 "what waits"
leave store first
run redo -C store quarantine drop -q --all
expect_status 0
expect_stdout ''
expect_equal "$(redo -C store quarantine list; left store)" '' "what waits"
run redo -C store quarantine promote -q
expect_stdout 0

scene "unsigned changes are refused, unless they are allowed"
redo init -q plain
redo -C plain import -q "$VECTORS/log/unsigned.ndjson" >/dev/null
count=$(redo -C plain log --format='%(id)' | wc -l)
unsigned=$(redo -C plain log --format='%(id) %(signature)' | awk 'NF == 1' | wc -l)
[ "$unsigned" -gt 0 ] || fail "the log has none" </dev/null
redo -C plain archive create -q -o "$PWD/plain.pack" >/dev/null
rm -rf store && redo init -q store
leave store plain
run redo -C store quarantine promote
expect_status 1
expect_stderr_has "signature-missing"
expect_equal "$(left store)" '' "what is left"
leave store plain
run redo -C store quarantine promote --allow-unsigned
expect_stdout_lacks '"refused"'
expect_equal "$(redo -C store log --format='%(id)' | wc -l)" "$count" "nodes"

scene "ignore: what a rule holds back now is accepted, what comes later is said again, and --forget takes it back"
redo init -q there && redo init -q taker
redo -C there key generate >/dev/null 2>&1
redo -C there commit -q create --title=One --unsigned >one 2>/dev/null
one=$(cat one)
redo -C taker remote add there "$PWD/there"
error="error: 1 change at 'there' is not taken: 1 has no signature ($one); '--allow-unsigned' takes it"
run redo -C taker fetch there
expect_status 1
expect_stderr "$error
hint: 'redo quarantine ignore there signature-missing' accepts that"
run redo -C taker fetch -q there
expect_status 1
expect_stderr "$error"
run redo -C taker quarantine ignore there
expect_status 0
expect_stdout ''
run redo -C taker quarantine ignore there signature-missing
expect_status 0
expect_stdout ''
expect_stderr ''
expect_equal "$(redo -C taker config get remote.there.heldBack)" ignore:signature-missing "the setting"
for command in fetch sync ls-remote 'remote check'; do
  run redo -C taker $command there
  expect_status 0
  expect_stderr_lacks "$one"
done
run redo -C taker fetch --json there
expect_status 0
expect_stdout_has "\"heldBackThere\":[{\"accepted\":true,\"count\":1,\"following\":0,\"ids\":[\"$one\"],\"rule\":\"signature-missing\"}]"
redo -C there commit -q create --title=Two --unsigned >two 2>/dev/null
two=$(cat two)
for command in fetch 'remote check'; do
  run redo -C taker $command there
  expect_status 1
  expect_stderr_has "error: 2 changes at 'there' are not taken: 2 have no signature"
done
run redo -C taker quarantine ignore there signature-missing
expect_status 0
run redo -C taker fetch there
expect_status 0
expect_stderr ''
run redo -C taker quarantine ignore --forget there
expect_status 0
run redo -C taker quarantine ignore there
expect_stdout ''
run redo -C taker config get remote.there.heldBack
expect_status 1
run redo -C taker fetch -q there
expect_status 1

scene "ignore: ids are accepted one by one, each with what follows it"
run redo -C taker quarantine ignore there "$two"
expect_status 0
run redo -C taker fetch -q there
expect_status 1
run redo -C taker quarantine ignore there "$one"
expect_status 0
expect_equal "$(redo -C taker quarantine ignore there)" "$(printf '%s\n' "$one" "$two" | sort)" "what is accepted"
redo -C there commit -q create --title=Three --unsigned >three 2>/dev/null
run redo -C taker fetch -q there
expect_status 1
run redo -C taker quarantine ignore there "$(cat three)"
expect_status 0
for command in fetch 'remote check'; do
  run redo -C taker $command there
  expect_status 0
  expect_stderr ''
done
run redo -C taker quarantine ignore --forget there "$two"
expect_status 0
run redo -C taker fetch -q there
expect_status 1
redo -C taker quarantine ignore --forget there

scene "ignore: a bad rule, remote or setting is an error that names it, and changes nothing"
for word in nonsense "${two:0:20}" ancestor-unseen; do
  run redo -C taker quarantine ignore there signature-missing "$word"
  expect_status 128
  expect_stderr "fatal: one of 'signature-missing $word' is neither a rule nor an id of 64 hex digits
hint: redo-rules(7) lists the rules"
done
run redo -C taker config get remote.there.heldBack
expect_status 1
run redo -C taker quarantine ignore
expect_status 129
run redo -C taker quarantine ignore nowhere signature-missing
expect_status 2
run redo -C taker quarantine ignore "$PWD/there" signature-missing
expect_status 128
expect_stderr "fatal: '$PWD/there' is not the name of a remote"
for value in signature-missing ignore:nonsense 'ignore:signature-missing lamport-jump'; do
  for command in fetch push sync 'remote check' 'quarantine ignore'; do
    run redo -C taker -c remote.there.heldBack="$value" $command there
    expect_status 128
    expect_stderr "fatal: bad value '$value' for 'remote.there.heldBack': it is 'ignore:' and rules or ids, divided by commas"
  done
done

scene "one synchronisation at a time: another one waits, or ends with 75"
rm -rf store && redo init -q store
leave store all
touch store/.redo/quarantine/lock
: >hold
python3 - store/.redo/quarantine/lock <<'END' &
import fcntl, os, struct, sys, time
file = open(sys.argv[1], "r+")
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 1, 0))  # F_OFD_SETLK
open("held", "w").close()
while os.path.exists("hold"):
    time.sleep(0.05)
END
while [ ! -e held ]; do sleep 0.05; done
run redo -C store quarantine promote --lock-timeout=0
expect_status 75
expect_stderr_has 'fatal: another synchronisation of this store is under way'
expect_equal "$(history store)" '' "the history"
(sleep 1 && rm hold) &
run redo -C store quarantine promote --lock-timeout=600000
expect_status 0
expect_stdout 18
wait

scene "a damaged change in the quarantine is a finding, and no obstacle"
rm -rf store && redo init -q store
leave store last
redo -C store quarantine promote -q >/dev/null 2>&1
file=store/.redo/quarantine/orphans/${ids[3]:7:2}/${ids[3]:9}
chmod u+w "$file" && printf 'x' | dd of="$file" bs=1 seek=40 conv=notrunc status=none && chmod 444 "$file"
run redo -C store verify
expect_status 1
expect_stdout_has "object-corrupt ${ids[3]} quarantine/orphans/${ids[3]:7:2}/${ids[3]:9}"
expect_equal "$(redo -C store quarantine list | grep -c corrupt)" 1 "corrupt rows"
leave store all
run redo -C store quarantine promote -q
expect_status 0
expect_stdout 18
redo -C store quarantine drop -q --all
run redo -C store verify
expect_status 0
expect_stdout ''
