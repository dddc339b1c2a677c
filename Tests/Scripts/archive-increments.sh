#!/bin/bash
# redo archive: increments, from ranges on standard input or since other archives; days without changes; what cannot be read.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 700 >log.ndjson
make_store tasks
head -n 400 ../log.ndjson | redo -c core.fsync=none import -q >/dev/null
redo archive create -q -o ../old.redopack >/dev/null
head -n 600 ../log.ndjson | redo -c core.fsync=none import -q >/dev/null

scene "--since writes what other archives do not have, and says which of them it needs"
run redo archive create -o ../tue.redopack --since=../old.redopack
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" 200 "nodes"
expect_stderr "needs '../old.redopack'"
run redo archive bundle -q -o ../again.redopack --since=../old.redopack
expect_status 0
cmp ../tue.redopack ../again.redopack || fail "bundle writes something else" </dev/null
redo init -q ../back
redo -C ../back import -q ../old.redopack >/dev/null
run redo -C ../back import -q ../tue.redopack
expect_stdout 200
cmp <(redo state) <(redo -C ../back state) || fail "another state" </dev/null

scene "what an increment needs counts as had"
head -n 700 ../log.ndjson | redo -c core.fsync=none import -q >/dev/null
run redo archive create -q -n --since=../old.redopack --since=../tue.redopack
expect_equal "$(cut -d' ' -f2 "$OUT")" 100 "nodes"
run redo archive create -q -n --since=../tue.redopack
expect_status 0
expect_equal "$(redo archive list --json ../tue.redopack | grep -c prerequisites)" 1 "what the increment states"
[ "$(cut -d' ' -f2 "$OUT")" -lt 500 ] || fail "what it builds on is in it" <"$OUT"

scene "ranges come on standard input, as the manual has it"
redo archive list --heads ../old.redopack | sed 's/^/^/' >ranges
run redo archive bundle -q --stdin -o ../stdin.redopack <ranges
expect_status 0
run redo archive bundle -q -n $(cat ranges)
expect_equal "$(cut -d' ' -f1-3 "$OUT")" "$(redo archive list ../stdin.redopack | cut -d' ' -f1-3)" "the archive"
run redo archive bundle -q --stdin -o ../none.redopack </dev/null
expect_error 128 "no range is on standard input"
run redo archive bundle -q --stdin -o ../none.redopack <<<'nothing'
expect_error 128 "nothing"
[ ! -e ../none.redopack ] || fail "there is an archive" </dev/null

scene "30,000 of them"
redo init -q ../many
python3 - >../many.ndjson <<'END'
for number in range(30000):
    task = "%08x-0000-4000-8000-000000000000" % number
    print('{"action":"CREATE","author":{"deviceId":"d","userId":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"},'
          '"data":{"fields":{"title":"t"}},"parents":[],"taskId":"%s",'
          '"timestamp":{"lamport":1,"wall":"2025-03-01T00:00:00.000Z"},"version":1}' % task)
END
redo -C ../many -c core.fsync=none hash-object -w --update-heads --ndjson <../many.ndjson >/dev/null
redo -C ../many archive create -q -o ../many.redopack >/dev/null
head -n 600 ../log.ndjson | redo -C ../many -c core.fsync=none import -q >/dev/null
redo archive list --heads ../many.redopack | sed 's/^/^/' >ranges
expect_equal "$(wc -l <ranges)" 30000 "ranges"
run redo -C ../many archive bundle -q --stdin -o ../one.redopack <ranges
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" 600 "nodes"

scene "a day without changes is no error, and leaves no file"
for call in "create --since=../all.redopack" "bundle --since=../all.redopack"; do
  redo archive create -q -f -o ../all.redopack >/dev/null
  run redo archive $call -o ../day.redopack
  expect_status 0
  expect_stdout ''
  expect_stderr 'nothing is new, and nothing is written'
  run redo archive $call -q -o ../day.redopack
  expect_stderr ''
done
redo archive list --heads ../all.redopack | sed 's/^/^/' >ranges
run redo archive bundle --stdin -o ../day.redopack <ranges
expect_status 0
expect_stderr 'nothing is new, and nothing is written'
[ ! -e ../day.redopack ] || fail "there is an archive" </dev/null

scene "with an archive that is away the rest is written; how many nodes stay out is said, and the status is 1"
cd .. && redo init -q away && redo -C away -c core.fsync=none import -q ../log.ndjson >/dev/null
redo -C away archive create -q --remove --before="$(redo -C away log --format='%(wall)' 2>/dev/null | sort | sed -n 200p)" \
  -o ../moved.redopack >row
moved=$(cut -d' ' -f2 row)
redo -C away state >/dev/null
mv moved.redopack elsewhere.redopack
run redo -C away archive create -o ../rest.redopack
expect_status 1
expect_equal "$(cut -d' ' -f2 "$OUT")" $((700 - moved)) "nodes"
expect_stderr_has "warning: $moved changes are left out, because only '$WORK/here/moved.redopack' has them, which cannot be read"
redo init -q again
for file in elsewhere rest; do redo -C again import -q ../$file.redopack >/dev/null; done
cmp <(redo -C again state) <(head -n 700 log.ndjson | { redo init -q whole; redo -C whole import -q >/dev/null; redo -C whole state; }) ||
  fail "both together are not the history" </dev/null
mv elsewhere.redopack moved.redopack
run redo -C away archive create -q -o ../whole.redopack
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" 700 "nodes"
