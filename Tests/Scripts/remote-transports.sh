#!/bin/bash
# The same over every way to another store: a path, a URL of a file, ssh in both spellings, a helper; and a bundle,
# which can be read.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/remote.bash"

both_have() {
  expect_equal "$(redo -C "$1" log --format='%(id)' | sort | sha256sum)" \
    "$(redo -C "$2" log --format='%(id)' | sort | sha256sum)" "the nodes"
  expect_equal "$(redo -C "$1" state --hash)" "$(redo -C "$2" state --hash)" "the state"
}

for transport in $TRANSPORTS; do
  mkdir "$WORK/here/$transport" && cd "$WORK/here/$transport" || exit 1
  two_stores here 200 there 300
  url=$(url_of "$transport" "$PWD/there")

  scene "$transport: a check, and nothing is changed"
  redo -C here remote add origin "$url"
  before=$(fingerprint here) far=$(fingerprint there)
  run redo -C here remote check origin
  expect_status 0
  expect_stderr ''
  expect_equal "$(value id)" "$(redo -C there config core.id)" "the id"
  expect_equal "$(value nodesHere) $(value nodesThere) $(value nodesOnlyHere) $(value nodesOnlyThere)" "200 300 0 100" "the numbers"
  [ "$(value roundTrips)" -le 2 ] || fail "more round trips than two" <"$OUT"
  expect_untouched "$before" here
  expect_untouched "$far" there

  scene "$transport: fetch what is new; a second time there is nothing, in one round trip and 2 KB"
  run redo -C here fetch --json origin
  expect_status 0
  expect_equal "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["fetched"]))' "$OUT")" 100 "the nodes that came"
  both_have here there
  expect_untouched "$far" there
  run redo -C here fetch --json origin
  expect_status 0
  python3 - "$OUT" <<'END' || fail "it costs too much" <"$OUT"
import json, sys
row = json.load(open(sys.argv[1]))
assert row["fetched"] == [] and row["roundTrips"] == 1, row
assert row["bytesSent"] + row["bytesReceived"] < 2048, row
END
  expect_clean here

  scene "$transport: push what is new, and the same node again is no change"
  redo -C here key generate >/dev/null 2>&1
  redo -C here commit -q create --title="over $transport" >/dev/null
  run redo -C here push --porcelain origin
  expect_status 0
  expect_equal "$(sed -n 1p "$OUT")" "To $url" "the first line"
  expect_equal "$(tail -1 "$OUT")" "Done" "the last line"
  both_have here there
  far=$(fingerprint there)
  run redo -C here push -q origin
  expect_status 0
  expect_untouched "$far" there
  expect_clean there

  scene "$transport: both have something new"
  redo -C there key generate >/dev/null 2>&1
  redo -C there commit -q create --title="there" >/dev/null
  redo -C here commit -q create --title="here" >/dev/null
  run redo -C here sync -q origin
  expect_status 0
  both_have here there

  scene "$transport: all of it into an empty store, and out of one into another"
  redo init -q empty
  run redo -C empty fetch -q "$url"
  expect_status 0
  both_have empty there
  redo init -q target
  run redo -C empty push -q "$(url_of "$transport" "$PWD/target")"
  expect_status 0
  both_have target there
  expect_clean target

  scene "$transport: a store there that is none"
  run redo -C here fetch -q "$(url_of "$transport" "$PWD/nowhere")"
  expect_status 128
  expect_equal "$(grep -c '^fatal: ' "$ERR")" "$(case $transport in path | file) echo 1 ;; *) echo 2 ;; esac)" "the messages"
  mkdir nothing
  run redo -C here fetch -q "$(url_of "$transport" "$PWD/nothing")"
  expect_status 128
  expect_stderr_has "there is no redo store in '"

  scene "$transport: another store in its place ends with 76, and nothing is exchanged"
  mv there old && redo init -q there && demo 50 | redo -C there import -q >/dev/null
  redo -C here commit -q create --title="more" >/dev/null
  before=$(redo -C here log --format='%(id)' | sha256sum) far=$(fingerprint there)
  for command in fetch push sync; do
    run redo -C here $command -q origin
    expect_status 76
    expect_untouched "$far" there
    expect_equal "$(redo -C here log --format='%(id)' | sha256sum)" "$before" "the nodes"
  done

  scene "$transport: unsigned nodes stay where they are"
  rm -rf there && mv old there
  redo init -q notes && (cd notes && add CREATE 7a000000-0000-4000-8000-000000000001 1 01T00:00:00.000 '"title":"x"' >/dev/null)
  run redo -C notes push -q "$url"
  expect_status 1
  expect_equal "$(redo -C there log --format='%(id)' --author=$USER | wc -l)" 0 "unsigned nodes there"
  run redo -C here fetch -q "$(url_of "$transport" "$PWD/notes")"
  expect_equal "$(redo -C here log --format='%(id)' --author=$USER | wc -l)" 0 "unsigned nodes here"
done

scene "a server that is stopped or killed at any moment loses nothing; the same push goes on from there"
mkdir "$WORK/here/killed" && cd "$WORK/here/killed" || exit 1
cat >"$WORK/bin/redo-remote-killed" <<'END'
#!/bin/bash
exec 3<&0
redo serve --stdio -- "/${2#killed://}" <&3 &
exec 3<&-
sleep "$DELAY"
kill -"$SIGNAL" $! 2>/dev/null
wait $!
END
chmod +x "$WORK/bin/redo-remote-killed"
redo init -q full && demo 1190 | redo -C full import -q >/dev/null
redo init -q target
redo -C full key generate >/dev/null 2>&1
broken=0
for SIGNAL in TERM KILL; do
  for DELAY in 0 0.05 0.15 0.3 0.5 0.8; do
    redo -C full commit -q create --title="before $SIGNAL after $DELAY" >/dev/null
    export SIGNAL DELAY
    run redo -C full push -q --no-retry "killed:/$PWD/target"
    [ "$STATUS" -eq 0 ] || broken=$((broken + 1))
    # A killed process cannot clean up: 'redo gc' does, some day.
    [ $SIGNAL = TERM ] || find target/.redo -name 'tmp_*' -delete
    expect_clean target
  done
done
[ $broken -gt 0 ] || fail "nothing was interrupted" </dev/null
run redo -C full push -q "$PWD/target"
expect_status 0
both_have full target
expect_clean target

scene "a bundle: what is new in it is fetched, and nothing can be pushed to it"
mkdir "$WORK/here/bundle" && cd "$WORK/here/bundle" || exit 1
two_stores here 200 there 300
redo -C there archive create -q -o "$PWD/all.bundle" >/dev/null
redo -C here remote add carried "$PWD/all.bundle"
run redo -C here fetch -q carried
expect_status 0
both_have here there
expect_clean here
run redo -C here fetch --json "file://$PWD/all.bundle"
expect_status 0
expect_stdout_has '"fetched":[]'
sum=$(sha256sum <all.bundle)
redo -C here key generate >/dev/null 2>&1
redo -C here commit -q create --title=new >/dev/null
run redo -C here push -q carried
expect_status 128
expect_stderr_has "is a file, which nothing can be pushed to"
expect_equal "$(sha256sum <all.bundle)" "$sum" "the bundle"

scene "a part of a bundle: its nodes wait for those that are not here, and come with them"
redo init -q late
redo -C there archive bundle -q -o "$PWD/part.bundle" "^$(redo -C there log --reverse --format="%(id)" | sed -n 250p)" >/dev/null
run redo -C late fetch -q "$PWD/part.bundle"
expect_status 1
expect_stderr_has "missing parent"
run redo -C late fetch -q "$PWD/all.bundle"
both_have late there

scene "a bundle whose bytes were changed gives nothing"
python3 - all.bundle changed.bundle <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 2] ^= 1
open(sys.argv[2], "wb").write(data)
END
redo init -q fresh
run redo -C fresh fetch -q "$PWD/changed.bundle"
expect_status 128
expect_stderr_has "is damaged"
expect_equal "$(redo -C fresh log --format='%(id)' | wc -l)" 0 "nodes"
expect_clean fresh
