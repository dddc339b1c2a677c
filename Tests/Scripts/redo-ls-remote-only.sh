#!/bin/bash
# redo ls-remote --only: the ids of what only one side has, as an independent reader of both stores finds them; over a
# path, ssh and HTTP nothing but these ids is sent.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

NODES=$TESTS/Scripts/store-nodes.py
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift 2
sh -c "$*" | tee -a "$WORK/heard"
END
cat >"$WORK/bin/redo-remote-tap" <<'END'
#!/bin/bash
redo-remote-http "$1" "http://${2#tap://}" "$3" | tee -a "$WORK/heard"
END
chmod 755 "$WORK/bin/redo-remote-tap"
at() {
  case $TRANSPORT in
  http) echo "tap://127.0.0.1:$(port "$PWD/$1")" ;;
  *) url "$1" ;;
  esac
}
# differ: what only `here` and only `there` have, read from their files.
differ() {
  python3 "$NODES" store here >ids.here
  python3 "$NODES" store there >ids.there
  comm -23 ids.here ids.there >only.here
  comm -13 ids.here ids.there >only.there
}
# listed <status> <remote>: both lists are those, in each form.
listed() {
  local side
  for side in here there; do
    : >"$WORK/heard"
    run redo -C here ls-remote --only=$side "$2"
    expect_status "$1"
    expect_stdout_file only.$side
    ! grep -q . <(python3 "$NODES" wire "$WORK/heard") || fail "nodes were sent" </dev/null
    run redo -C here ls-remote -q -z --only=$side "$2"
    tr '\n' '\0' <only.$side >expected
    expect_stdout_file expected
    run redo -C here ls-remote -q --json --only=$side "$2"
    expect_equal "$(sed -n 's/^{"id":"\(sha256:[0-9a-f]*\)".*}$/\1/p' "$OUT")" "$(cat only.$side)" "ids of the rows"
  done
}

stores here there
for number in $(seq 40); do on there "10:00:$((number + 10))" create --title="Task $number"; done
redo -C here fetch -q "$PWD/there"
on there 11:00:00 create -t $TASK --title=There
for number in $(seq 30); do on there "11:00:$((number + 10))" update -t $TASK --title="There $number"; done
for number in $(seq 25); do on here "11:00:$((number + 10))" create --title="Here $number"; done
differ
expect_equal "$(wc -l <only.here) $(wc -l <only.there)" "25 31" "what only one side has"
for TRANSPORT in path ssh http; do
  scene "$TRANSPORT: 25 here, 31 there, of 96: the ids and nothing else, in lines, with NUL and as JSON"
  before=$(fingerprint here)
  listed 0 "$(at there)"
  expect_untouched "$before" here
  redo init -q empty
  run redo -C empty ls-remote --only=there "$(at there)"
  expect_stdout_file ids.there
  run redo -C empty ls-remote --only=here --exit-code "$(at there)"
  expect_status 2
  expect_stdout ''
  run redo -C here ls-remote --only=there --exit-code "$(at there)"
  expect_status 0
  rm -rf empty
done

scene "a bundle names nothing, so it is read: the same ids"
redo -C there archive create -q -o "$PWD/there.pack" >/dev/null
listed 0 "$PWD/there.pack"

scene "one task alone, and its ancestors"
redo -C there log --task=$TASK --format='%(id)' | sort >task
run redo -C here ls-remote -q --task=$TASK --only=there "$PWD/there"
expect_status 0
expect_stdout_file task
run redo -C here ls-remote -q --task=$TASK --only=here "$PWD/there"
expect_stdout ''

scene "what is held back is where it is, with its rule, and ends with 1; what both hold back is on neither list"
(cd there && add CREATE "$OTHER" 1 15T10:00:00.000 '"title":"Both"') >both
id=$(cd there && add UPDATE "$OTHER" 2 15T10:00:01.000 '"title":"Unsigned"' "$(cat ../both)")
redo -C here fetch -q --allow-unsigned --stdin "$PWD/there" <both
(cd here && add UPDATE "$OTHER" 2 15T10:00:02.000 '"title":"Here"' "$(cat ../both)") >mine
differ
grep -q "$id" only.there || fail "it is not there" <only.there
grep -q "$(cat mine)" only.here || fail "it is not here" <only.here
for TRANSPORT in path ssh http; do
  listed 1 "$(at there)"
  run redo -C here ls-remote -q --json --only=there "$(at there)"
  expect_stdout_has "{\"id\":\"$id\",\"rule\":\"signature-missing\"}"
  run redo -C here ls-remote -q --json --only=here "$(at there)"
  expect_stdout_has "{\"id\":\"$(cat mine)\",\"rule\":\"signature-missing\"}"
done

scene "what is known to be unreadable counts as absent where it lies, and what follows it does not"
id=$(redo -C there log --reverse --task=$TASK --format='%(id)' | sed -n 5p)
file=there/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$file" && cp "$file" kept && truncate -s 20 "$file"
redo -C here fetch -q -n "$PWD/there" >/dev/null 2>&1
differ
! grep -q "$id" only.there || fail "it is there" </dev/null
listed 1 "$PWD/there"
cp kept "$file"
redo -C here fetch -q "$PWD/there" >/dev/null 2>&1
file=here/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$file" && truncate -s 20 "$file"
rm -rf here/.redo/cache/*
run redo -C here fetch -q -n "$PWD/there"
differ
grep -q "$id" only.there || fail "it is not there alone" <only.there
listed 1 "$PWD/there"

scene "mistakes, and a remote that cannot be reached"
run redo -C here ls-remote --only=here --owned "$PWD/there"
expect_status 129
expect_stderr_has "options '--only' and '--owned' cannot be used together"
run redo -C here ls-remote --only=both "$PWD/there"
expect_status 129
expect_stderr_has "option '--only' expects one of here, there, not 'both'"
run redo -C here ls-remote --no-retry --only=there http://127.0.0.1:1
expect_error 75 "cannot be reached"
