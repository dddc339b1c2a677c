#!/bin/bash
# REDO_TRACE: where the time of a command goes, and that nothing else depends on it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
demo 200 >log.ndjson

# sound <file>: every line is an event, regions nest, and their lengths fit into what is around them.
sound() {
  python3 - "$1" >"$WORK/.last/trace" <<'END' || fail "the trace is not sound" <"$1"
import json, sys
runs = {}
for line in open(sys.argv[1]):
    event = json.loads(line)
    assert line == json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n", line
    runs.setdefault(event["pid"], []).append(event)
for events in runs.values():
    assert events[0]["event"] == "start" and events[0]["version"], events[0]
    assert [event["event"] for event in events[-2:]] == ["counters", "exit"], events[-2:]
    total, open_below, last_end = events[-1]["us"], {}, {}
    for event in events[1:-2]:
        assert event["event"] == "region", event
        depth, start, end = event["depth"], event["at"], event["at"] + event["us"]
        assert 0 <= start <= end <= total
        # Regions of one depth follow each other; those within lie within.
        assert start >= last_end.get(depth, 0), event
        for child in open_below.pop(depth + 1, []):
            assert start <= child["at"] and child["at"] + child["us"] <= end, (event, child)
        assert not open_below.get(depth + 1)
        open_below.setdefault(depth, []).append(event)
        last_end[depth] = end
    assert set(open_below) <= {0}
    assert sum(event["us"] for event in open_below.get(0, [])) <= total
    print(len(events))
END
}
names() { sed -n 's/.*"name":"\([^"]*\)".*/\1/p' "$1" | sort -u | tr '\n' ' '; }
field() { sed -n "s/.*\"event\":\"$2\".*\"$3\":\([0-9]*\).*/\1/p; s/.*\"$3\":\([0-9]*\).*\"event\":\"$2\".*/\1/p" "$1" | head -1; }

scene "an import: its parts, what was written, and its end"
run env REDO_TRACE="$PWD/trace" redo import -q log.ndjson
expect_status 0
expect_stdout 200
expect_stderr ''
sound trace
expect_equal "$(names trace)" "heads judge objects.stage objects.write open refs.commit refs.read " "regions"
expect_equal "$(field trace counters objectsWritten)" 200 "objects written"
expect_equal "$(field trace counters bytesWritten)" "$(find .redo/objects/?? -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')" "bytes written"
expect_equal "$(field trace exit status)" 0 "the status"
grep -q '"depth":1,.*"name":"refs.commit"' trace || fail "the commit is in no other region" <trace

scene "a second command appends to the same file"
run env REDO_TRACE="$PWD/trace" redo log -n 1 --format='%(id)'
expect_status 0
expect_stdout_lines 1
sound trace
expect_equal "$(grep -c '"event":"start"' trace)" 2 "commands"

scene "what was read is counted"
redo log --format='%(id)' >"$OUT"
REDO_TRACE="$PWD/read" redo verify --all >"$OUT"
sound read
expect_equal "$(field read counters objectsRead)" 200 "objects read"

scene "every command can be traced, and a command that is none"
for how in "show $(redo log -n1 --format='%(id)')" "stats" "config list" "bogus" "log --bogus" "-h"; do
  # shellcheck disable=SC2086 # words
  redo $how >plain.out 2>plain.err
  status=$?
  rm -f one
  # shellcheck disable=SC2086
  run env REDO_TRACE="$PWD/one" redo $how
  expect_status $status
  expect_stdout_file plain.out
  cmp -s plain.err "$ERR" || fail "stderr differs" <"$ERR"
  sound one
  expect_equal "$(field one exit status)" $status "the status"
done

scene "stderr, a descriptor, a directory"
for value in 1 2 true; do
  run env REDO_TRACE=$value redo log -n 0
  expect_status 0
  expect_stdout ''
  cp "$ERR" one && sound one
done
REDO_TRACE=7 redo log -n 0 7>one
sound one
mkdir many
for _ in 1 2 3; do REDO_TRACE="$PWD/many" redo log -n 0; done
expect_equal "$(find many -name 'redo-*.ndjson' | wc -l)" 3 "files"
for file in many/*; do sound "$file"; done
for value in '' 0 false; do
  run env REDO_TRACE=$value redo log -n 0
  expect_stderr ''
done

scene "a trace that cannot be written is a warning, and the command does its work"
for value in /nowhere/trace 8 relative /dev/full "$PWD/fifo"; do
  [ -e fifo ] || mkfifo fifo
  run timeout 60 env REDO_TRACE="$value" redo log -n 1 --format='%(lamport)'
  expect_status 0
  expect_stdout_lines 1
  expect_equal "$(grep -c '^warning: ' "$ERR")" 1 "warnings for '$value'"
  expect_equal "$(wc -l <"$ERR")" 1 "lines for '$value'"
done

scene "sixteen commands at once do not cut each other's lines"
rm -f trace
for _ in {1..16}; do REDO_TRACE="$PWD/trace" redo log --format='%(id)' >/dev/null & done
wait
sound trace
expect_equal "$(grep -c '"event":"exit"' trace)" 16 "commands"

scene "no secret and no text of a node is in it"
secret=correct-horse
printf '{"version":1,"parents":[],"timestamp":{"lamport":1,"wall":"2025-01-01T00:00:00.000Z"},"author":{"userId":"%s","deviceId":"%s"},"action":"CREATE","taskId":"7a000000-0000-4000-8000-000000000009","data":{"fields":{"title":"%s"}}}' \
  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa $secret $secret >$secret.json
rm -f trace
export REDO_TRACE=$PWD/trace
redo hash-object -w --update-heads $secret.json >id
redo -c key.passphraseCommand="echo $secret" -ckey.command=$secret config --user user.name $secret
redo show "$(cat id)" >"$OUT"
redo log --format=$secret -n1 >"$OUT"
redo config --$secret $secret 2>"$ERR"
unset REDO_TRACE
sed -i '/"--'$secret'"/d' trace
! grep -q $secret trace || fail "it is" <trace
grep -q "\"argv\":\[\"redo\",\"show\",\"$(cat id)\"\]" trace || fail "ids stay" <trace
grep -q '"argv":\["redo","hash-object","-w","--update-heads","..."\]' trace || fail "options stay" <trace

scene "nobody else may read a trace"
expect_equal "$(stat -c %a trace)" 600 "the mode"
