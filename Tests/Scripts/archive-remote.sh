#!/bin/bash
# redo archive create --remote: what the remote has and the archive lacks is said in the words of a fetch, and ends with
# 1; the archive has everything else.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

NODES=$TESTS/Scripts/store-nodes.py
# archived <count>: the archive has so many nodes, by an independent reader, and is whole.
archived() {
  expect_equal "$(python3 "$TESTS/Oracle/read_pack.py" made.redo | wc -l)" "$1" "nodes in the archive"
  run redo archive verify made.redo
  expect_status 0
}
# made <status> [<option>...]: an archive of the remote `hub`, and what a fetch from there into another store says.
made() {
  local status=$1
  shift
  rm -rf other && redo init -q other
  redo -C other remote add hub "$(url hub)"
  redo -C other fetch hub >/dev/null 2>said
  run redo -C vault archive create "$@" -f -o "$PWD/made.redo" --remote=hub
  expect_status "$status"
  expect_stdout_lines 1
}

stores hub
on hub 10:00:00 create -t $TASK --title=One
for number in $(seq 10 19); do on hub "10:00:$number" update -t $TASK --title="Title $number"; done
redo init -q vault
redo -C vault remote add hub "$(url hub)"

scene "everything is there: no word but of what was fetched, and 0"
made 0
expect_stderr "fetched 11 new changes of 1 task from 'hub'"
archived 11

scene "two changes that are held back, the second because of the first"
id=$(cd hub && add CREATE "$OTHER" 1 15T10:00:00.000 '"title":"Unsigned"')
on hub 10:01:00 update -t "$OTHER" --title=Signed
made 1
grep "^error: 2 changes at 'hub' are not taken: 1 has no signature ($id), 1 needs it" said >line || fail "a fetch says something else" <said
expect_stderr_has "$(cat line)"
expect_stderr_has "warning: 2 changes of 'hub' are not in the archive, because they were not taken"
archived 11
made 1 -q
expect_stderr_has "$(cat line)"

scene "what somebody has accepted is no reason for 1"
redo -C vault quarantine ignore hub signature-missing >"$OUT" 2>"$ERR" || fail "it cannot be accepted" < <(everything_printed)
made 0
expect_stderr_lacks error:
archived 11

scene "a change that is damaged there, and what follows it"

id=$(redo -C hub log --reverse --task=$TASK --format='%(id)' | sed -n 9p)
file=hub/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$file" && cp "$file" kept && truncate -s 20 "$file"
rm -rf vault && redo init -q vault && redo -C vault remote add hub "$(url hub)"
redo -C vault quarantine ignore hub signature-missing >"$OUT" 2>"$ERR" || fail "it cannot be accepted" < <(everything_printed)
made 1
grep "^error: 3 changes at 'hub' are not taken: 1 is damaged ($id), 2 need it" said >line || fail "a fetch says something else" <said
expect_stderr_has "$(cat line)"
archived 8
cp kept "$file"

scene "a remote that has nothing but what it holds back: it is said, and there is nothing to archive"
redo init -q hidden
(cd hidden && add CREATE "$OTHER" 1 15T10:00:00.000 '"title":"Unsigned"') >"$OUT"
redo init -q last && redo -C last remote add hub "$(url hidden)"
run redo -C last archive create -o "$PWD/none.redo" --remote=hub
expect_status 128
expect_stderr_has "error: 1 change at 'hub' is not taken: 1 has no signature"
expect_stderr_has "fatal: 'hub' has no node to archive"
[ ! -e none.redo ] || fail "there is an archive" </dev/null

scene "a change whose parent does not come waits in the quarantine, and is not in the archive"
redo -C hub log --reverse --task=$TASK --json >nodes.ndjson
sed -n '1,3p;5p' nodes.ndjson >some.ndjson
redo init -q orphaned && redo -C orphaned remote add hub "$(url hub)"
printf "%s\n" "peer $PWD/some.ndjson" ok >"$WORK/trouble"
run redo -C orphaned archive create -f -o "$PWD/made.redo" --remote=hub
expect_status 1
expect_stderr_has "$(sed -n 5p nodes.ndjson | ids_of)"
expect_stderr_has "warning: 1 change of 'hub' is not in the archive, because it was not taken"
archived 3
expect_equal "$(redo -C orphaned quarantine list | wc -l)" 1 "waiting"
