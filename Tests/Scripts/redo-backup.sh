#!/bin/bash
# redo backup: everything of a store in a directory, a file for each time; another program reads it; and the way back.
PYTHON=${REDO_PYTHON:-python3}
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 900 >log.ndjson
take() { head -n "$1" log.ndjson | redo -C tasks -c core.fsync=none import -q >/dev/null; }
points() { (cd b && printf '%s\n' *.redobackup); }
redo init -q tasks
take 300

scene "the first time everything, then what is new, a file each, which tar can open"
run redo -C tasks backup -n ../b
expect_status 0
expect_equal "$(cut -d' ' -f2,3 "$OUT")" "full 300" "the row"
[ ! -e b ] || fail "it has written something" </dev/null
run redo -C tasks backup ../b
expect_status 0
expect_stderr ''
expect_equal "$(cut -d' ' -f2,3,5,6 "$OUT")" "full 300 whole -" "the row"
first=$(points)
tar tf "b/$first" >names
expect_equal "$(head -1 names)" manifest "the first file"
expect_equal "$(tail -1 names)" sha256 "the last file"
tar xOf "b/$first" nodes.redopack >nodes.redopack
redo init -q plain
run redo -C plain import -q ../nodes.redopack
expect_stdout 300
take 500
run redo -C tasks backup create ../b
expect_status 0
expect_equal "$(cut -d' ' -f2,3,5,6 "$OUT")" "increment 200 whole $first" "the row"
second=$(points | tail -1)

scene "nothing new: status 0, no file, and it says so"
run redo -C tasks backup ../b
expect_status 0
expect_stdout ''
expect_stderr 'nothing is new, and nothing is written'
run redo -C tasks backup -q ../b
expect_stderr ''
expect_equal "$(points | wc -l)" 2 "files"
[ "$(ls -A b | grep -c tmp_)" -eq 0 ] || fail "something is left" </dev/null

scene "another program reads the files: every hash, and the state"
if "$PYTHON" -c 'import rfc8785' 2>/dev/null; then
  "$PYTHON" "$TESTS/Oracle/read_backup.py" --states b >states || fail "it finds something wrong" </dev/null
  expect_equal "$(sed -n 2p states)" "$second $(redo -C tasks state --json | sha256sum | cut -d' ' -f1)" "the state"
else
  skip "Python has no rfc8785"
fi

scene "restored: the same history, refs, log of refs, received times, settings; and it can be backed up further"
redo -C tasks trust add -q --seen >/dev/null 2>&1
redo -C tasks config core.bulkLimit 77
echo text >text && redo -C tasks hash-object -w -t blob ../text >blob
sed -n 900p log.ndjson | redo -C tasks hash-object -w --stdin >/dev/null 2>&1
run redo -C tasks backup --verify ../b
expect_status 0
expect_stderr_has "verified: 500 changes of the history"
run redo backup restore -o back b
expect_status 0
expect_stderr_has "restored 500 changes from 3 files in 'back'"
for command in "state --json" "show-ref" "reflog" "log --format=%(id)%(received)" "config get core.bulkLimit" \
  "cat-node $(cat blob)" "trust list"; do
  cmp <(redo -C tasks $command 2>&1) <(redo -C back $command 2>&1) || fail "$command differs" </dev/null
done
expect_equal "$(redo -C back config get core.id)" "$(redo -C tasks config get core.id)" "the store"
cmp tasks/.redo/received back/.redo/received || fail "another received log" </dev/null
redo -C back verify >audit 2>&1
! grep '^error' audit || fail "the audit finds something" <audit
run redo -C back backup ../b
expect_stderr 'nothing is new, and nothing is written'

scene "the point of a date, as any of them"
date=$(redo backup list b | sed -n 1p | cut -d' ' -f1)
run redo backup restore --to="$date" -o early b
expect_status 0
expect_equal "$(redo -C early log --format='%(id)' | wc -l)" 300 "nodes"
run redo backup restore --to=2020-01-01 -o never b
expect_error 128 "no backup in 'b' is from"
run redo backup restore -o back b
expect_error 128 "'back' is not empty"

scene "a wipe makes the next one full, and nothing of the history is missing"
redo -C tasks wipe -q --yes --author="$(redo -C tasks log --format='%(author:userid)' -n 1)" >/dev/null 2>&1
run redo -C tasks backup ../b
expect_equal "$(cut -d' ' -f2 "$OUT")" full "the kind"
run redo backup check b
expect_status 0
expect_stderr "checked 4 points: all can be restored"

scene "what is left out is said, with how many"
redo -C tasks key generate >/dev/null 2>&1
run redo -C tasks backup ../b
expect_status 0
expect_stderr_has "left out: "
expect_stderr_has "of the keyring"
! tar tf "b/$(points | tail -1)" | grep -q keys || fail "a key is in it" </dev/null

scene "a full one after so many, and those that a plan keeps with what they need"
for number in 600 700 800; do
  take $number
  redo -C tasks backup -q --full-after=2 ../b
done
run redo backup prune -n --keep-last=1 b
expect_status 0
expect_equal "$(redo backup list b | wc -l)" "$(wc -l <"$OUT")" "points"
last=$(tail -1 "$OUT")
run redo backup prune --keep-last=1 b
run redo backup check -q b
expect_status 0
redo backup restore -q -o kept b
cmp <(redo -C tasks state) <(redo -C kept state) || fail "another state" </dev/null

scene "hostile: each is one clear line, and nothing is lost"
rm -rf b && for number in 820 840 860; do
  take $number
  redo -C tasks backup -q ../b
done
mapfile -t file < <(points)
cp -r b whole
reset_b() { rm -rf b && cp -r whole b; }
expect_refused() {
  run redo backup check b
  expect_status 1
  expect_stderr_has "$1"
  expect_equal "$(grep -c '^error: ' "$ERR")" "${2:-1}" "messages of check"
  run redo backup restore -o x b
  expect_status 128
  [ ! -e x ] || fail "something was restored" </dev/null
}
truncate -s -600 "b/${file[1]}"
expect_refused "'b/${file[1]}' is damaged: it has another length than its manifest says" 2
reset_b
for place in 600 2000 20000; do
  alter "b/${file[0]}" $place
  run redo backup check b
  expect_status 1
  expect_stderr_has "'b/${file[0]}' is damaged"
  reset_b
done
rm "b/${file[1]}"
expect_refused "'b/${file[2]}' cannot be restored: it needs 'b/${file[1]}'"
run redo backup list b
expect_status 1
expect_stdout_has "gap"
run redo backup restore --to="$(redo backup list b 2>/dev/null | head -1 | cut -d' ' -f1)" -o first b
expect_status 0
reset_b
# The middle one is replaced by one of another time of the same name.
cp "b/${file[0]}" "b/${file[1]}"
expect_refused "'b/${file[1]}' has another name than it was given" 2
reset_b
rm "b/${file[2]}" && ln -s /etc/passwd "b/${file[2]}"
run redo backup check b
expect_status 1
expect_stderr_has "'b/${file[2]}'"
take 880
run redo -C tasks backup ../b
expect_status 1
expect_equal "$(cut -d' ' -f2 "$OUT")" full "the kind"
[ -L "b/${file[2]}" ] || fail "the link is gone" </dev/null
run redo backup restore -o linked b
expect_status 1
cmp <(redo -C tasks state) <(redo -C linked state) || fail "another state" </dev/null
reset_b
# A name that leads out of the directory.
"$PYTHON" - "b/${file[2]}" <<'END'
import hashlib, io, json, sys, tarfile
path = sys.argv[1]
with tarfile.open(path) as archive:
    members = [(info.name, archive.extractfile(info).read(), info.mtime) for info in archive]
manifest = json.loads(members[0][1])
data = b"planted"
manifest["members"].append({"name": "files/../../planted", "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)})
text = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode() + b"\n"
def block(name, data, mtime):
    info = tarfile.TarInfo(name)
    info.size, info.mtime = len(data), mtime
    return info.tobuf(tarfile.USTAR_FORMAT) + data + b"\0" * (-len(data) % 512)
out = block("manifest", text, members[0][2])
for name, member, mtime in members[1:-1]:
    out += block(name, member, mtime)
out += block("files/../../planted", data, members[0][2])
out += block("sha256", hashlib.sha256(out).hexdigest().encode() + b"\n", members[0][2]) + b"\0" * 1024
open(path, "wb").write(out)
END
run redo backup check b
expect_status 1
expect_stderr "error: 'b/${file[2]}' is damaged: its manifest is not one"
# The last one that can be read is restored, and it says so.
run redo backup restore -o before b
expect_status 1
expect_stderr_has "error: 'b/${file[2]}' is damaged: its manifest is not one"
expect_stdout_has "${file[1]}"
[ ! -e planted ] && [ ! -e ../planted ] || fail "it got out" </dev/null
reset_b

scene "the directory of another store is refused; two at once wait for each other; a full disk leaves nothing half there"
redo init -q other && head -n 5 "$VECTORS/log/linear.ndjson" | redo -C other import -q >/dev/null
before=$(ls -A b | sort | sha256sum)
run redo -C other backup ../b
expect_error 128 "'../b' has the backup of another store"
expect_equal "$(ls -A b | sort | sha256sum)" "$before" "the directory"
take 900
for _ in 1 2 3 4; do redo -C tasks backup -q ../b & done
wait
expect_equal "$(points | wc -l)" 4 "points"
run redo backup check -q b
expect_status 0
if [ -e /dev/full ] && [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
  at_exit "umount '$PWD/small'"
  run redo -C tasks backup ../small/b
  expect_status 128
  expect_stderr_has "no space left on device"
  expect_equal "$(ls small/b | wc -l)" 0 "what is left"
fi

scene "nodes in an archive that is away are left out, with status 1, and taken when it is back"
rm -rf tasks/../away b2 && redo init -q away && redo -C away -c core.fsync=none import -q ../log.ndjson >/dev/null
redo -C away archive create -q --remove --before="$(redo -C away log --format='%(wall)' | sort | sed -n 200p)" -o ../moved.redopack >row
moved=$(cut -d' ' -f2 row)
mv moved.redopack elsewhere.redopack
run redo -C away backup ../b2
expect_status 1
expect_stderr_has "error: left out: $moved objects that cannot be read"
run redo -C away backup ../b2
expect_status 1
expect_stderr_has "nothing is new"
mv elsewhere.redopack moved.redopack
sleep 0.01
run redo -C away backup ../b2
expect_status 0
expect_equal "$(cut -d' ' -f2,3 "$OUT")" "increment $moved" "the row"
redo backup restore -q -o again b2
cmp <(redo -C away state) <(redo -C again state) || fail "another state" </dev/null

scene "hooks come back, and are not in force before the store is accepted"
mkdir -p tasks/.redo/hooks && printf '#!/bin/sh\ntouch "%s"\n' "$PWD/ran" >tasks/.redo/hooks/post-receive
chmod +x tasks/.redo/hooks/post-receive
redo -C tasks backup -q ../b
run env HOME="$WORK/nohome" redo backup restore -o hooked b
expect_status 0
expect_stderr_has "warning: its settings and hooks that can act are not in force"
[ -x hooked/.redo/hooks/post-receive ] || fail "it is not there, or cannot be run" </dev/null
sed -n 1,5p "$VECTORS/log/linear.ndjson" | HOME=$WORK/nohome redo -C hooked import -q >/dev/null 2>&1
[ ! -e ran ] || fail "it has run" </dev/null

scene "bad calls"
run redo -C tasks backup
expect_status 129
expect_stderr_has "no directory is named"
run redo -C tasks backup a b
expect_status 129
run redo -C tasks backup restore b
expect_status 129
expect_stderr_has "'-o <dir>' says where the store is made"
run redo backup prune b
expect_status 129
run redo -C tasks backup --full-after=x ../b
expect_error 128 "not a valid age 'x'"
mkdir empty
run redo backup check empty
expect_error 128 "there is no backup in 'empty'"
run redo backup list nowhere
expect_error 128 "'nowhere'"
