#!/bin/bash
# redo diff: what differs between the states at two points in time, for people, as rows and as a patch.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T1=7a000000-0000-4000-8000-000000000001
T2=7b000000-0000-4000-8000-000000000002
T3=7c000000-0000-4000-8000-000000000003
FIRST=7d000000-0000-4000-8000-000000000001
OTHER=7d000001-0000-4000-8000-000000000001

# patched <point> <point>: the lines of the state at one point, patched; and wanted <point>: those of the state there.
patched() {
  python3 - <(redo state -q --allow-empty --as-of="$1") <(redo diff --allow-empty --json-patch "$1" "$2") <<'END'
import json, sys
document = {}
for line in open(sys.argv[1], encoding="utf-8"):
    task = json.loads(line)
    document[task["guid"]] = task
for operation in json.load(open(sys.argv[2], encoding="utf-8")):
    *way, last = [token.replace("~1", "/").replace("~0", "~") for token in operation["path"].split("/")[1:]]
    target = document
    for token in way:
        target = target[int(token) if isinstance(target, list) else token]
    name = operation["op"]
    if isinstance(target, list):
        if name == "add":
            target.insert(int(last), operation["value"])
        elif name == "remove":
            del target[int(last)]
        else:
            target[int(last)] = operation["value"]
    elif name == "remove":
        del target[last]
    else:
        assert (last in target) == (name == "replace"), operation
        target[last] = operation["value"]
for guid in sorted(document):
    print(json.dumps(document[guid], sort_keys=True))
END
}
wanted() {
  redo state -q --allow-empty --as-of="$1" |
    python3 -c 'import json, sys; [print(json.dumps(json.loads(line), sort_keys=True)) for line in sys.stdin]'
}

make_store
root=$(add CREATE $T1 1 01T08:00:00.000 "\"title\":\"Water\",\"todos\":[{\"deadline\":\"2025-03-08T00:00:00.000Z\",\"todoTaskId\":\"$FIRST\"}],\"a/b~c\":1")
gone=$(add CREATE $T3 1 01T09:00:00.000 '"title":"Old"')
left=$(add UPDATE $T1 2 02T08:00:00.000 '"title":"Water all","a/b~c":[2]' "$root")
snooze=$(add SNOOZE $T1 3 03T08:00:00.000 "\"daysToExtend\":1,\"todoTaskId\":\"$FIRST\"" "$left")
add ADD_TODO $T1 4 03T09:00:00.000 "\"todoTaskId\":\"$OTHER\"" "$snooze" >/dev/null
new=$(add CREATE $T2 1 04T08:00:00.000 '"priority":1,"title":"\u001b[31mred"')
last=$(add DELETE $T3 2 04T09:00:00.000 '' "$gone")

scene "for people: what became of each task, and its members"
run redo diff 2025-03-01 2025-03-04
expect_status 0
expect_stdout <<END
changed $T1 Water all
    a/b~c 1 -> [2]
    title "Water" -> "Water all"
    todo 7d000000 deadline "2025-03-08T00:00:00.000Z" -> "2025-03-09T00:00:00.000Z"
    todo 7d000001 added
added $T2 \\x1b[31mred
    priority 1
    title "\\u001b[31mred"
removed $T3 Old
END
expect_stderr <<END
as of 2025-03-01T23:59:59.999Z: 2 of 7 nodes, policy closed; wall has 0 more and 0 fewer; received has 0 more and 2 fewer
as of 2025-03-04T23:59:59.999Z: 7 of 7 nodes, policy closed; wall has 0 more and 0 fewer; received has 0 more and 7 fewer
END
cp "$OUT" whole

scene "the second point is the present unless it is given; a range names two"
run redo diff 2025-03-01
expect_stdout_file whole
run redo diff 2025-03-01..2025-03-04
expect_stdout_file whole
run redo-diff "@1740873599" now
expect_stdout_file whole
run redo diff lamport:1 lamport:2
expect_stdout <<END
changed $T1 Water all
    a/b~c 1 -> [2]
    title "Water" -> "Water all"
removed $T3 Old
END
expect_stderr ''

scene "revisions: what they stand for, and all ancestors"
run redo diff "$root" "$left"
expect_stdout <<END
changed $T1 Water all
    a/b~c 1 -> [2]
    title "Water" -> "Water all"
END
run redo diff "$left~1..${left:7:12}" --name-only
expect_stdout $T1
run redo diff heads/$T2 heads/$T1 --name-only
expect_stdout <<END
$T1
$T2
END
redo update-ref tags/then "$left"
run redo diff then --task=$T1
expect_stdout <<END
changed $T1 Water all
    todo 7d000000 deadline "2025-03-08T00:00:00.000Z" -> "2025-03-09T00:00:00.000Z"
    todo 7d000001 added
END

scene "a snapshot is what it was made of"
name=$(redo snapshot create -q --as-of=2025-03-01)
run redo diff "snapshot:${name:0:8}" --name-only
expect_stdout <<END
$T1
$T2
$T3
END
run redo diff snapshot:0000
expect_error 128 "no snapshot has the name '0000'"
run redo diff "snapshot:$name" 2025-03-01 -q
expect_status 0

scene "backwards: what was added is removed"
run redo diff 2025-03-04 2025-03-01
expect_stdout <<END
changed $T1 Water
    a/b~c [2] -> 1
    title "Water all" -> "Water"
    todo 7d000001 removed
    todo 7d000000 deadline "2025-03-09T00:00:00.000Z" -> "2025-03-08T00:00:00.000Z"
removed $T2 \\x1b[31mred
added $T3 Old
    title "Old"
END

scene "--task: only these, by their ids or their beginning"
run redo diff 2025-03-01 --task=7B00 -q
expect_status 1
run redo diff lamport:1 lamport:2 --task=7a00 --task=7b00 --name-only
expect_stdout $T1
run redo diff 2025-03-01 --task=ffff
expect_error 128 "no task begins with 'ffff'"
run redo diff 2025-03-01 --task=ffffffff-0000-4000-8000-000000000001
expect_error 128 "no change at either point is about task 'ffffffff-0000-4000-8000-000000000001'"

scene "--json: a row a member, also of those about updates"
run redo diff "$root" "$snooze" --json
expect_stdout <<END
{"new":[2],"old":1,"op":"replace","path":"/fields/a~1b~0c","task":"$T1"}
{"new":"2025-03-02T08:00:00.000Z","op":"add","path":"/lastUpdated","task":"$T1"}
{"new":"Water all","old":"Water","op":"replace","path":"/title","task":"$T1"}
{"new":"2025-03-09T00:00:00.000Z","old":"2025-03-08T00:00:00.000Z","op":"replace","path":"/deadline","task":"$T1","todo":"$FIRST"}
END
run redo diff "$snooze" --json --task=$T3
expect_stdout ''
run redo diff 2025-03-03 --json --task=$T3
expect_stdout "{\"old\":$(redo state -q --as-of=2025-03-03 --task=$T3),\"op\":\"remove\",\"path\":\"\",\"task\":\"$T3\"}"

scene "--json-patch: operations that another program applies"
run redo diff "$left" "$snooze" --json-patch
expect_stdout "[{\"op\":\"replace\",\"path\":\"/$T1/todoTasks/0/deadline\",\"value\":\"2025-03-09T00:00:00.000Z\"}]"
for from in 2025-02-01 2025-03-01 2025-03-02 2025-03-04 "$left" lamport:2; do
  for to in 2025-02-01 2025-03-01 2025-03-03 2025-03-04 "$new" lamport:3; do
    expect_equal "$(patched "$from" "$to" 2>/dev/null)" "$(wanted "$to")" "the state at $to from that at $from"
  done
done

scene "the same state prints nothing, a patch is empty"
run redo diff 2025-03-02 2025-03-02T12:00:00Z
expect_status 0
expect_stdout ''
run redo diff --exit-code "$left" "$left"
expect_status 0
expect_stdout ''
expect_stderr ''
run redo diff --json-patch "$left" "$left"
expect_stdout '[]'
run redo diff --json "$left" "$left"
expect_stdout ''

scene "--exit-code and -q: 1 when anything differs"
run redo diff --exit-code 2025-03-01
expect_status 1
expect_stdout_file whole
run redo diff -q 2025-03-01
expect_status 1
expect_stdout ''
expect_stderr ''
run redo diff -q "$left" "$left"
expect_status 0

scene "only when or by whom something was said: told when nothing else differs"
again=$(add UPDATE $T2 2 05T08:00:00.000 '"priority":1' "$new")
run redo diff "$new" "$again"
expect_stdout <<END
changed $T2 \\x1b[31mred
    lastUpdated "2025-03-05T08:00:00.000Z"
END

scene "-z: NUL ends each, and titles are as they are"
{ redo diff -z "$left" "$new" | tr '\0' '#' && echo; } >"$OUT" 2>"$ERR"
expect_stdout "removed $T1 Water all#added $T2 $(printf '\033')[31mred
    priority 1
    title \"\\u001b[31mred\"#"
redo diff -z --name-only "$left" "$new" | tr '\0' '\n' >"$OUT"
expect_stdout <<END
$T1
$T2
END

scene "--color paints the headings"
run redo diff --color=always "$left" "$snooze"
expect_stdout_has "$(printf '\033[33mchanged %s\033[m Water all' $T1)"

scene "--policy is about instants"
run redo diff --policy=wall 2025-03-01 2025-03-04
head -n 4 whole >expected
expect_stdout_file whole
run redo diff --policy=received 2025-03-01 now
expect_error 128 "no node precedes '2025-03-01'"
run redo diff --policy=received --allow-empty --name-only 2025-03-01 now
expect_stdout <<END
$T1
$T2
END
run redo diff --policy=wall "$left"
expect_status 129
expect_stderr_has "error: '--policy' is about a time, and no point is one"

scene "without the index, and with a damaged one, the output is the same"
redo diff lamport:1 2>/dev/null >with
run redo diff --no-cache lamport:1
expect_stdout_file with
python3 - <<'END'
path = ".redo/cache/graph"
data = bytearray(open(path, "rb").read())
for place in range(len(data) // 2, len(data), 97):
    data[place] ^= 0xFF
open(path, "wb").write(data)
END
run redo diff lamport:1
expect_status 0
expect_stdout_file with
expect_stderr ''

scene "a revision outside of the history is a point, too"
loose=$(node UPDATE $T1 3 06T08:00:00.000 '"title":"Aside"' "$left" | redo hash-object -w --stdin)
run redo diff "$left" "$loose"
expect_stdout <<END
changed $T1 Aside
    title "Water all" -> "Aside"
END

scene "refusals"
run redo diff
expect_status 129
expect_stderr_has "error: a point in time is needed"
run redo diff a b c
expect_status 129
expect_stderr_has "error: a diff has two points, not 3"
run redo diff --json-patch --name-only "$left"
expect_status 129
expect_stderr_has "error: options '--json-patch' and '--name-only' cannot be used together"
run redo diff 2025-02-30
expect_error 128 "not a valid date '2025-02-30'"
run redo diff lamport:0
expect_error 128 "not a logical time from 1 to 2^48: 'lamport:0'"
run redo diff 2024-01-01
expect_error 128 "no node precedes '2024-01-01'"
run redo diff nothing
expect_error 128 "not a valid object name 'nothing'"
run redo diff sha256:$(printf '%064d' 0)
expect_error 128 "is missing"
run redo diff 2025-03-01..
expect_error 128 "the range '2025-03-01..' lacks an end"

scene "it writes nothing but the index"
before=$(fingerprint)
run redo diff 2025-03-01
expect_untouched "$before"
