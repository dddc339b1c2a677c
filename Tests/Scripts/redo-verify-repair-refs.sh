#!/bin/bash
# redo verify --repair-refs: refs, journal, reflog and received log come back from what each of them proves.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies
# That what is written reaches the disk is shown elsewhere; here it would only take time.
[ -n "$SOAK" ] || redo config set --user core.fsync none

# A store whose refs have several blocks and a history in the reflog, and after that some changes in the journal.
redo init -q good
demo 60 | redo -C good import -q >/dev/null
for part in 1 2; do
  redo -C good log --format='%(id)' | awk -v "part=$part" '{ for (i = 0; i < 9; i++) print "create tags/p" part "/n" NR "-" i, $1 }' >names
  redo -C good update-ref --stdin <names
done
demo 100 | sed -n '61,80p' | redo -C good import -q >/dev/null
redo -C good update-ref tags/last "$(redo -C good log -n 1 --format='%(id)')"
demo 100 | sed -n '81,100p' | redo -C good import -q >/dev/null
HASH=$(redo -C good state --hash)
redo -C good show-ref >refs
redo -C good show-ref --heads >heads
redo -C good reflog | wc -l >changes
[ "$(stat -c %s good/.redo/refs)" -gt 40000 ] || fail "the refs have too few blocks" </dev/null
[ "$(stat -c %s good/.redo/refs.journal)" -gt 1000 ] || fail "the journal is empty" </dev/null
[ "$(stat -c %s good/.redo/reflog)" -gt 1000 ] || fail "the reflog is empty" </dev/null
fresh() { rm -rf bad && cp -r good bad && rm -rf bad/.redo/cache/*; }
kept() { find bad/.redo/lost-found -mindepth 1 -maxdepth 1 2>/dev/null | sort; }

# damage <kind> <file>
damage() {
  local file=bad/.redo/$2 size
  size=$(stat -c %s "$file")
  # What counts of the received log ends before its mark.
  [ "$2" != received ] || size=$((size - 64))
  case $1 in
  deleted) rm "$file" ;;
  emptied) : >"$file" ;;
  half) truncate -s $((size / 2)) "$file" ;;
  shorter) truncate -s $((size - 1)) "$file" ;;
  start) alter "$file" 2 ;;
  middle) alter "$file" $((size / 2)) ;;
  end) alter "$file" $((size - 2)) ;;
  zeroed) head -c "$size" /dev/zero >"$file" ;;
  noise) head -c "$size" "$REDO_BIN" >"$file" ;;
  fifo) rm "$file" && mkfifo "$file" ;;
  symlink) mv "$file" target && ln -s "$PWD/target" "$file" ;;
  directory) rm "$file" && mkdir "$file" ;;
  esac
}
KINDS='deleted emptied half shorter start middle end zeroed noise fifo symlink directory'

# sound [<what>]: the store reads, its history and state are as before, and there is nothing to repair; with `refs`
# all refs are as before, not only the heads.
sound() {
  run redo -C bad verify --repair-refs
  expect_status 0
  expect_stdout ''
  run redo -C bad state --no-cache --hash
  expect_stdout "$HASH"
  run redo -C bad show-ref --heads
  expect_stdout_file heads
  if [ "${1:-}" = refs ]; then
    run redo -C bad show-ref
    expect_stdout_file refs
  fi
  run redo -C bad reflog
  expect_status 0
  run redo -C bad log --format='%(id)'
  expect_stdout_lines 100
  run redo -C bad verify
  expect_status 0
  expect_stdout ""
  expect_clean bad
  # It can be written.
  run redo -C bad update-ref tags/after "$(head -1 heads | cut -d' ' -f1)"
  expect_status 0
}

# repair <files>: -n says it and touches nothing; then it is done, and what is damaged is kept.
repair() {
  local before file
  before=$(find bad/.redo -path '*/cache' -prune -o -printf '%p %s %y %i\n' | sort | sha256sum)
  RUN="redo -C bad verify -n --repair-refs"
  run timeout 60 redo -C bad verify -n --repair-refs
  expect_status 0
  expect_equal "$(find bad/.redo -path '*/cache' -prune -o -printf '%p %s %y %i\n' | sort | sha256sum)" "$before" "the store after -n"
  sed 's/^would-repair /repaired /' "$OUT" >expected
  run timeout 60 redo -C bad verify --repair-refs
  expect_status 0
  expect_stdout_file expected
  for file in "$@"; do
    grep -q "^repaired - $file [a-z]*-[a-z]*: " "$OUT" || fail "no row about '$file'" < <(everything_printed)
  done
}

scene "nothing is damaged: nothing is said, nothing is written"
fresh
before=$(fingerprint bad)
run redo -C bad verify --repair-refs
expect_status 0
expect_stdout ''
expect_stderr ''
expect_untouched "$before" bad

for file in refs refs.journal reflog received; do
  for kind in $KINDS; do
    scene "$file $kind: as before"
    fresh
    damage $kind $file
    repair $file
    case $kind in
    deleted) expect_equal "$(kept)" '' "what is kept" ;;
    *) kept | grep -q "/$file-[0-9]*T[0-9]*Z$" || fail "it is not kept" < <(kept) ;;
    esac
    case $file in refs.journal) sound ;; *) sound refs ;; esac
    [ $file != refs ] || expect_equal "$(redo -C bad reflog | wc -l)" "$(($(cat changes) + 1))" "entries"
  done
done

for files in 'refs refs.journal' 'refs reflog' 'refs received' 'refs.journal reflog' 'refs.journal received' 'reflog received' \
  'refs refs.journal reflog' 'refs refs.journal reflog received'; do
  for kind in deleted half middle; do
    scene "$files $kind: the history and the state as before"
    fresh
    for file in $files; do damage $kind "$file"; done
    repair
    sound
  done
done

scene "refs and journal change places, and so do reflog and received"
fresh
mv bad/.redo/refs held && mv bad/.redo/refs.journal bad/.redo/refs && mv held bad/.redo/refs.journal
repair refs refs.journal
sound
fresh
mv bad/.redo/reflog held && mv bad/.redo/received bad/.redo/reflog && mv held bad/.redo/received
repair reflog received
sound refs

scene "a torn record is cut off, and what it would have taken in is in the history"
fresh
truncate -s -20 bad/.redo/refs.journal
run redo -C bad state --no-cache --hash
[ "$(cat "$OUT")" != "$HASH" ] || fail "nothing was torn off" </dev/null
repair refs.journal
expect_stdout_has "journal-torn"
expect_stdout_has "node-unreachable: 20 nodes"
sound

scene "a damaged record in the middle of the journal: the good ones before it stay, its bytes are kept"
fresh
printf x | dd of=bad/.redo/refs.journal bs=1 seek=300 conv=notrunc status=none
cp bad/.redo/refs.journal journal
repair refs.journal
cmp -s journal "$(kept | grep refs.journal)" || fail "other bytes are kept" < <(kept)
sound

scene "times of receipt stay where their frames are good"
fresh
redo -C bad log --format='%(id) %(received)' >before 2>/dev/null
sed -i 's/redo-received 1/redo-received 2/' bad/.redo/received
repair received
redo -C bad log --format='%(id) %(received)' >after
cmp -s before after || fail "times have changed" < <(diff before after)
sound refs

scene "a damaged reflog: its good entries stay, and one states what came after them"
fresh
printf x | dd of=bad/.redo/reflog bs=1 seek=$(($(stat -c %s bad/.redo/reflog) - 40)) conv=notrunc status=none
repair reflog
expect_stdout_has "a new one states what has become of the refs since"
redo -C bad reflog >"$OUT"
grep -q 'verify --repair-refs' "$OUT" || fail "no entry of the repair" <"$OUT"
sound refs

scene "objects first, then refs, in one run"
fresh
id=$(head -1 heads | cut -d' ' -f1)
rm -f "bad/.redo/objects/${id:7:2}/${id:9}"
damage deleted refs
damage deleted refs.journal
run redo -C bad verify --repair-from=../good --repair-refs
expect_status 0
expect_stdout_has "repaired $id "
expect_stdout_has "repaired - refs refs-corrupt"
sound

scene "a head whose object is missing stays a head: another copy may have it"
fresh
rm -f "bad/.redo/objects/${id:7:2}/${id:9}"
damage middle refs
run redo -C bad verify --repair-refs
expect_status 0
run redo -C bad show-ref
expect_stdout_file refs
run redo -C bad verify --repair-from=../good
expect_status 0
sound refs

scene "a node that a torn record took in, and that is missing, is not left out without a word"
fresh
new=$(demo 100 | tail -1 | ids_of)
rm -f "bad/.redo/objects/${new:7:2}/${new:9}"
truncate -s -20 bad/.redo/refs.journal
before=$(fingerprint bad)
run redo -C bad verify --repair-refs
expect_error 128 "node '$new' was received, and it or an ancestor is missing or damaged"
expect_untouched "$before" bad
cp -r bad kept
run redo -C bad verify --repair-from=../good --repair-refs
expect_status 0
sound
rm -rf bad && mv kept bad
: >empty
run redo -C bad verify --repair-from=../empty --repair-refs
expect_status 1
expect_stdout_has "unrepaired $new "
run redo -C bad log --format='%(id)'
expect_stdout_lines 99

scene "a head that is an ancestor of another is taken out; nodes that were not noted as received are noted"
fresh
child=$(redo -C bad log --format='%(id) %(parents)' | awk 'NF == 2 { print $1, $2 }' | grep -F -f <(cut -d' ' -f1 heads) | head -1)
name=$(grep "^${child% *} " heads | cut -d' ' -f2)
# No command makes such a head, so the record is written by hand: redo-store(5).
python3 - bad/.redo/refs.journal "$name" "${child#* }" <<'END'
import hashlib, re, sys
path, name, id = sys.argv[1:]
data = open(path, "rb").read()
last = re.findall(rb"\nchain ([0-9a-f]{64})\n", data)[-1]
number, time, received = map(int, re.findall(rb"entry (\d+) (\d+) (\d+)\n", data)[-1])
body = f"entry {number + 1} {time} {received}\n+ {id} {name}\nmessage by hand\n".encode()
body += b"chain " + hashlib.sha256(last + body).hexdigest().encode() + b"\n"
frame = b"@%08x" % len(body)
open(path, "ab").write(frame + b" " + hashlib.sha256(frame).hexdigest()[:8].encode() + b"\n" + body)
END
run redo -C bad verify
expect_stdout_has "warning ref-head"
repair refs
expect_stdout_has "repaired - refs ref-head: 1 head is"
sound refs
fresh
python3 - bad/.redo/received <<'END'
import hashlib, sys
path = sys.argv[1]
data = open(path, "rb").read()
# The first frame loses its first node: padding remains.
line, body = data[16:48], data[48:]
count = int(line[1:9], 16)
ids = b"\0" * 32 + body[32:32 * count]
frame = line + ids + hashlib.sha256(line + ids).digest()
open(path, "wb").write(data[:16] + frame + body[32 * count + 32:])
END
run redo -C bad verify
expect_stdout_has "node-unreceived"
repair received
expect_stdout_has "repaired - received node-unreceived: 1 node gets"
sound refs

scene "--json: rows as canonical JSON"
fresh
damage middle reflog
run redo -C bad verify --json --repair-refs
expect_status 0
expect_stdout_lines 1
tr -d '\n' <"$OUT" >row
run redo canonicalize --check row
expect_status 0
grep -q '^{"kept":"lost-found/reflog-.*","path":"reflog","reason":"reflog-corrupt: .*","result":"repaired"}$' row || fail "the row" <row

scene "a format of a later version is not touched; a damaged number is damage like any other"
fresh
python3 - bad/.redo/refs.journal <<'END'
import hashlib, sys
data = open(sys.argv[1], "rb").read().replace(b"redo-journal 1", b"redo-journal 2", 1)
line = data[:data.index(b"\n") - 64]
open(sys.argv[1], "wb").write(line + hashlib.sha256(line).hexdigest().encode() + data[len(line) + 64:])
END
before=$(fingerprint bad)
run redo -C bad verify --repair-refs
expect_error 128 "unknown format version '2'"
expect_untouched "$before" bad
for file in refs refs.journal reflog; do
  fresh
  sed -i '1s/^\(redo-[a-z]*\) 1/\1 3/' bad/.redo/$file
  repair $file
  sound refs
done

scene "another writer is waited for, and then it is said"
fresh
damage middle reflog
python3 -c '
import fcntl, struct, sys, time
lock = open("bad/.redo/lock", "r+")
fcntl.fcntl(lock, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 1, 0))
print("held", flush=True)
sys.stdin.read()' >said < <(sleep 5) &
pid=$!
at_exit "kill $pid"
until grep -q held said; do sleep 0.05; done
run redo -c core.lockTimeout=100 -C bad verify --repair-refs
expect_status 75
kill $pid
wait 2>/dev/null
run redo -C bad verify --repair-refs
expect_status 0
sound refs
