#!/bin/bash
# redo backup where something is wrong: with the points that are there, with what is in the store, or with both. Nothing is
# believed unread, and nothing goes away that has not been read elsewhere.
PYTHON=${REDO_PYTHON:-python3}
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 900 >log.ndjson
take() { head -n "$1" log.ndjson | redo -C tasks -c core.fsync=none import -q >/dev/null; }
# Files of b, by their numbers.
points() { mapfile -t file < <(cd b && printf '%s\n' *.redobackup); }
reset_b() { rm -rf b && cp -r "${1:-whole}" b; }
# forge <number> <Python>: changes a point, and links those that follow anew.
forge() { "$PYTHON" "$TESTS/Scripts/forge-backup.py" b "${file[$1]}" "$2" || fail "nothing is forged" </dev/null; }
# flip <number>: changes a byte of what a point has of the store.
flip() { alter "b/${file[$1]}" $(($(stat -c %s "b/${file[$1]}") / 2)); }
# expect_same <store>: its state is that of tasks.
expect_same() { cmp <(redo -C tasks state) <(redo -C "$1" state) || fail "another state" </dev/null; }
redo init -q tasks
for number in 300 320 340; do
  take $number
  redo -C tasks backup -q ../b
done
points
cp -r b whole

scene "nothing is new only if the chain is whole: every byte of it is read; otherwise a full point is made, with status 1"
run redo -C tasks backup ../b
expect_status 0
expect_stderr 'nothing is new, and nothing is written'
cut_short() { truncate -s -512 "b/${file[$1]}"; }
lose() { rm "b/${file[$1]}"; }
another() { forge "$1" 'manifest["left"] = {"other": 7}' && cp "b/${file[$1]}" changed && reset_b && cp changed "b/${file[$1]}"; }
for how in "flip 0" "flip 1" "flip 2" "cut_short 0" "cut_short 2" "lose 0" "lose 1" "another 0" "another 1"; do
  reset_b
  $how
  run redo -C tasks backup -n ../b
  expect_status 1
  run redo -C tasks backup ../b
  RUN="$how, then $RUN"
  expect_status 1
  expect_stderr_has "'../b/${file[${how: -1}]}'"
  expect_equal "$(grep -c '^error: ' "$ERR")" 1 "messages"
  expect_equal "$(cut -d' ' -f2,3 "$OUT")" "full 340" "the row"
  run redo -C tasks backup ../b
  expect_status 0
  expect_stderr 'nothing is new, and nothing is written'
  rm -rf back && redo backup restore -q -o back b >/dev/null 2>&1
  expect_same back
done

scene "nor is anything built on a chain that is not whole"
reset_b
take 360
flip 0
run redo -C tasks backup ../b
expect_status 1
expect_stderr_has "'../b/${file[0]}' is damaged"
expect_equal "$(cut -d' ' -f2,3 "$OUT")" "full 360" "the row"

scene "a point that cannot be read does not open the directory to another store"
reset_b
cut_short 2
redo init -q other && head -n 5 "$VECTORS/log/linear.ndjson" | redo -C other import -q >/dev/null
run redo -C other backup ../b
expect_status 128
expect_stderr_has "fatal: '../b' has the backup of another store"

scene "what cannot be read keeps all points before it, whatever the plan says"
rm -rf b
for number in 380 400 420; do
  take $number
  redo -C tasks backup -q --full-after=1 ../b
done
take 440
redo -C tasks backup -q --full ../b
points
rm -rf whole && cp -r b whole
run redo backup prune -n --keep-last=1 b
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT" | xargs)" "remove remove remove keep" "what becomes of them"
# A later release has made the second one; then it is damaged, and then it is away although the next one needs it.
forge 1 'manifest["version"] = 4'
run redo backup prune --keep-last=1 b
expect_status 1
expect_stderr_has "'b/${file[1]}' has the form 4"
expect_stderr_has "error: no point from before 'b/${file[1]}' is removed, because it may need them"
expect_equal "$(ls b)" "$(printf '%s\n' "${file[0]}" "${file[1]}" "${file[3]}")" "the files"
reset_b
cut_short 1
run redo backup prune --keep-last=1 b
expect_status 1
[ -e "b/${file[0]}" ] || fail "what it needs is gone" </dev/null
reset_b
forge 3 'manifest.update(kind="increment", depth=1, needs=[{"name": "20200101T000000000Z-full.redobackup", "sha256": "0" * 64}])'
mv "b/${file[3]}" "b/${file[3]/full/incr}"
run redo backup prune --keep-last=1 b
expect_status 1
expect_stderr_has "cannot be restored: it needs 'b/20200101T000000000Z-full.redobackup'"
expect_equal "$(ls b | wc -l)" 2 "points"

scene "a damaged point takes nobody's place: what stays is read before anything goes"
reset_b
flip 3
cp -r b before
run redo backup prune --keep-last=1 b
expect_status 1
expect_stderr_has "'b/${file[3]}' is damaged"
expect_stdout_lacks "${file[3]}"
diff -r before b || fail "something is gone" </dev/null
redo backup restore -q --to="$(redo backup list b | sed -n 3p | cut -d' ' -f1)" -o third b || fail "the last good one is gone" </dev/null
reset_b
redo -C tasks backup -q --full ../b
flip 3
run redo -C tasks backup --keep-last=2 ../b
expect_status 1
expect_stderr_has "'../b/${file[3]}' is damaged"
points
expect_equal "${#file[@]}" 5 "points"

scene "a point that lacks objects is not called whole, nothing is removed with it, and what it lacks stays"
redo init -q away && redo -C away -c core.fsync=none import -q ../log.ndjson >/dev/null
redo -C away backup -q ../c
redo -C away archive create -q --remove --before="$(redo -C away log --format='%(wall)' | sort | sed -n 200p)" -o ../moved.redopack >row
moved=$(cut -d' ' -f2 row)
mv moved.redopack elsewhere.redopack
run redo -C away backup --full --keep-last=1 ../c
expect_status 1
expect_stderr_has "error: left out: $moved objects that cannot be read"
expect_stderr_has "warning: no point is removed before that is put right"
expect_equal "$(cut -d' ' -f2,5 "$OUT")" "full incomplete" "the row"
expect_equal "$(ls c | wc -l)" 2 "points"
run redo backup list c
expect_status 1
expect_equal "$(cut -d' ' -f5 "$OUT" | xargs)" "whole incomplete" "the states"
expect_stderr "error: 'c/$(ls c | tail -1)' lacks $moved objects that could not be read then"
run redo backup check c
expect_status 1
expect_stderr "error: 'c/$(ls c | tail -1)' lacks $moved objects that could not be read then"
run redo backup prune --keep-last=1 c
expect_status 0
expect_equal "$(cut -d' ' -f1,3 "$OUT" | xargs)" "keep needed keep last" "what becomes of them"
mv elsewhere.redopack moved.redopack
run redo -C away backup --keep-last=1 ../c
expect_status 0
expect_equal "$(ls c | wc -l)" 2 "points"
redo backup restore -q -o again c
cmp <(redo -C away state) <(redo -C again state) || fail "another state" </dev/null

scene "settings behind a link are in the backup; any other link is an error that names it; the name of the store is compared"
cp -r tasks linked && mv linked/.redo/config settings && ln -s ../../settings linked/.redo/config
run redo -C linked backup ../d
expect_status 0
redo backup restore -q -o named d
expect_equal "$(redo -C named config get core.id)" "$(redo -C tasks config get core.id)" "the name of the store"
redo -C linked trust add -q --seen >/dev/null 2>&1
mv linked/.redo/trust trusted && ln -s ../../trusted linked/.redo/trust
mkdir hooks && rmdir linked/.redo/hooks 2>/dev/null
rm -rf linked/.redo/hooks && ln -s ../../hooks linked/.redo/hooks
run redo -C linked -c trust.file= backup -q ../d
expect_status 1
expect_stderr_has "/.redo/trust', which is a link or no file at all"
expect_stderr_has "/.redo/hooks', which is a link or no file at all"
reset_b
points
forge 3 'manifest["files"] = [file for file in manifest["files"] if file["path"] != "config"]
del members["files/config"]'
run redo backup check b
expect_status 1
expect_stderr "error: 'b/${file[3]}' is damaged: the name of its store is not what its manifest says"
run redo backup restore -o nameless b
expect_status 128
expect_stderr_has "the name of its store is not what its manifest says"
[ ! -e nameless ] || fail "something was restored" </dev/null

scene "numbers that no store has, and the last name of all, are refused"
for change in 'received"]["bytes"] = -1' 'reflog"]["bytes"] = -1' 'reflog"]["entry"] = -1' 'reflog"]["entry"] = (1 << 63) - 1' \
  'reflog"]["bytes"] = (1 << 63) - 1' 'depth"] = (1 << 63) - 1' 'nodes"] = (1 << 63) - 1' 'history"]["count"] = -1' \
  'objects"]["count"] = 1 << 60' 'left"] = {"unreadable": -1}' 'left"] = {"other": (1 << 63) - 1}' 'version"] = -1'; do
  reset_b
  points
  forge 2 "manifest[\"$change"
  forge 1 "manifest[\"$change"
  rm "b/${file[3]}"
  run redo backup check b
  RUN="$change; $RUN"
  expect_status 1
  expect_stderr_has "error: 'b/${file[2]}' "
  run redo -C tasks backup ../b
  RUN="$change; $RUN"
  expect_status 1
  expect_equal "$(cut -d' ' -f2 "$OUT")" full "the kind"
done
reset_b
: >b/99991231T235959999Z-incr.redobackup
run redo -C tasks backup ../b
expect_status 128
expect_stderr_has "fatal: '../b/99991231T235959999Z-incr.redobackup' has the latest time that there is"
run redo backup prune --keep-last=1 b
expect_status 1
run redo backup restore -o last b
expect_status 1
expect_same last

scene "every point is compared with what it says of the store, also one that others build on"
rm -rf b && redo -C tasks backup -q ../b
for number in 460 480; do
  take $number
  redo -C tasks backup -q ../b
done
points
rm -rf whole && cp -r b whole
for what in refs history objects; do
  for number in 0 1; do
    reset_b
    forge $number "manifest[\"$what\"][\"sha256\"] = \"0\" * 64"
    run redo backup check b
    expect_status 1
    expect_stderr "error: 'b/${file[number]}' is damaged: its $what $([ $what = history ] && echo is || echo are) not what its manifest says"
    rm -rf later && redo backup restore -q -o later b || fail "the last one is not restored" </dev/null
    expect_same later
  done
done

scene "a point that counts other increments than lead to it is damaged, and nothing is built on it"
for number in 1 2; do
  reset_b
  forge $number "manifest[\"depth\"] += 1"
  run redo backup check b
  expect_status 1
  expect_stderr "error: 'b/${file[number]}' is damaged: the number of increments that lead to it is not what its manifest says"
  run redo -C tasks backup ../b
  expect_status 1
  expect_stderr_has "'../b/${file[number]}' is damaged"
  expect_equal "$(cut -d' ' -f2,3 "$OUT")" "full 480" "the row"
done

scene "no point needs itself"
reset_b
forge 2 "manifest[\"needs\"][0][\"name\"] = \"${file[2]}\""
run redo backup check b
expect_status 1
expect_stderr "error: 'b/${file[2]}' cannot be restored: it needs 'b/${file[2]}'"
run timeout 20 redo backup restore -o itself b
expect_status 128
expect_stderr_has "it needs 'b/${file[2]}'"
[ ! -e itself ] || fail "a store is made" </dev/null

scene "what only the owner could read is restored so"
mkdir -p tasks/.redo/hooks && printf '#!/bin/sh\n' >tasks/.redo/hooks/post-receive && chmod 700 tasks/.redo/hooks/post-receive
chmod 600 tasks/.redo/config && chmod 700 tasks/.redo
redo -C tasks backup -q ../b
redo backup restore -q -o modes b 2>/dev/null
expect_equal "$(cd modes/.redo && stat -c %a . config hooks/post-receive | xargs)" "700 600 700" "the permissions"
chmod 644 tasks/.redo/config && redo -C tasks backup -q ../b && chmod 755 tasks/.redo
run redo -C tasks backup ../b
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" increment "the kind"
rm -rf modes && redo backup restore -q -o modes b 2>/dev/null
expect_equal "$(cd modes/.redo && stat -c %a . config hooks/post-receive | xargs)" "755 644 700" "the permissions"

scene "what had left the store by then does not come back"
echo here >text && redo -C tasks hash-object -w -t blob ../text >blob
sed -n 900p log.ndjson | redo -C tasks hash-object -w --stdin >node 2>/dev/null
redo -C tasks backup -q ../b
time=$(redo backup list b | tail -1 | cut -d' ' -f1)
for id in $(cut -c8- blob node); do rm "tasks/.redo/objects/${id:0:2}/${id:2}"* || fail "it is not loose" </dev/null; done
redo -C tasks backup -q ../b
redo backup restore -q -o without b 2>/dev/null
redo backup restore -q --to="$time" -o with b 2>/dev/null
ids() { redo -C "$1" cat-node --batch-check='%(id)' --batch-all-objects | sort; }
cmp <(ids tasks) <(ids without) || fail "other objects" < <(diff <(ids tasks) <(ids without))
cmp <(cat blob node <(ids tasks) | sort) <(ids with) || fail "other objects" </dev/null

scene "what is in the way is named"
mkdir b/tmp_redo_backup_x
run redo -C tasks backup ../b
expect_status 128
expect_stderr_has "'../b/tmp_redo_backup_x'"
