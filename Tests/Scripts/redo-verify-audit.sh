#!/bin/bash
# redo verify without names: its rows, settings, parts, and the summaries of verdicts.
. "$(dirname "${BASH_SOURCE[0]}")/verify.bash"

scene "many things at once: every one has its row, files first, then objects, then the history"
broken "printf x | dd of=.redo/received bs=1 seek=100 conv=notrunc status=none; rm .redo/reflog; touch .redo/other
        printf x | dd of=.redo/cache/graph bs=1 seek=100 conv=notrunc status=none
        chmod u+w .redo/$INNER_PATH; : >.redo/$INNER_PATH; rm -f .redo/$HEAD_PATH"
expect_status 1
cut -d' ' -f2,4 "$OUT" >rows
expect_equal "$(tr '\n' ' ' <rows)" "file-stray other received-corrupt received file-missing reflog file-mode $INNER_PATH \
object-corrupt $INNER_PATH ref-target refs index-corrupt cache/graph " "the rows"
cp "$OUT" "$WORK/first"
run redo verify
expect_stdout_file "$WORK/first"

scene "--json: the same rows as canonical JSON, with what is to be done; -z ends them"
run redo verify --json
expect_status 1
cp "$OUT" rows.json
while read -r row; do
  printf %s "$row" >row
  run redo canonicalize --check row
  expect_status 0
done <rows.json
python3 - rows.json "$WORK/first" <<'END' || fail "the rows differ" <rows.json
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
text = [line.rstrip("\n") for line in open(sys.argv[2])]
for row, line in zip(rows, text, strict=True):
    assert list(row) == sorted(row) and set(row) <= {"detail", "id", "path", "repair", "rule", "severity"}, row
    words = [row["severity"], row["rule"], row.get("id", "-"), row.get("path", "-")] + [row[k] for k in ["detail"] if k in row]
    assert " ".join(words) == line, (words, line)
assert any(row.get("repair") == "redo verify --repair-from=<source>" for row in rows)
END
redo verify -z >zeros
tr '\0' '\n' <zeros | cmp -s - "$WORK/first" || fail "-z differs" <zeros

scene "verify.<rule> settles what a rule weighs; three are always errors"
broken "chmod 644 .redo/$INNER_PATH; redo config set verify.file-mode error"
found error file-mode "$INNER" "$INNER_PATH"
run redo -c verify.file-mode=ignore verify
expect_status 0
expect_stdout ''
run redo -c verify.file-mode=warn verify
found warning file-mode "$INNER" "$INNER_PATH"
for rule in object-corrupt hash-mismatch signature-bad; do
  for word in warn ignore; do
    run redo -c verify.$rule=$word verify
    expect_error 128 "bad value '$word' for 'verify.$rule'"
    run redo config set verify.$rule $word
    expect_error 128 "bad value '$word' for 'verify.$rule'"
  done
  run redo -c verify.$rule=error verify
  expect_status 1
done
run redo -c verify.file-mode=perhaps verify
expect_error 128 "bad value 'perhaps' for 'verify.file-mode'"
run redo -c verify.file-mod=warn verify
expect_stderr_has "no rule is called 'file-mod'"
expect_stderr_has "file-mode"
run redo config set verify.nothing warn
expect_stderr_has "no command reads 'verify.nothing'"

scene "verify.skipList: ids whose findings are passed over, those of the three rules never"
broken "chmod 644 .redo/$INNER_PATH .redo/$HEAD_PATH; printf '# known\n\n$INNER # a comment\n' >.redo/../skip
        redo config set verify.skipList ../skip"
found warning file-mode "$HEAD" "$HEAD_PATH"
broken "chmod u+w .redo/$INNER_PATH; : >.redo/$INNER_PATH; echo $INNER >skip; redo config set verify.skipList ../skip"
found error object-corrupt "$INNER" "$INNER_PATH"
echo nonsense >>skip
run redo verify
expect_error 128 "line 2 of the skip list"
run redo -c verify.skipList=nowhere verify
expect_error 128 "the skip list cannot be read"

damaged="sed -n 1~5p $WORK/ids | sed 's|sha256:\\(..\\)|.redo/objects/\\1/|' >names; chmod 666 .redo/received
  xargs chmod u+w <names; xargs truncate -s 60 <names; xargs chmod 444 <names"
scene "--sample: the parts are disjoint, and together they are the whole; every other check runs each time"
for cache in true 'rm -r .redo/cache/*'; do
  broken "$damaged; $cache"
  sort "$OUT" >whole
  : >parts
  for part in 1/3 2/3 3/3; do
    run redo verify --sample=$part
    expect_status 1
    grep -q '^warning file-mode - received' "$OUT" || fail "the files were not checked" <"$OUT"
    grep '^error object-corrupt' "$OUT" >>parts
    [ "$(grep -c '^error object-corrupt' "$OUT")" -lt 30 ] || fail "a part is all" </dev/null
  done
  grep '^error object-corrupt' whole | cmp -s - <(sort parts) || fail "the union differs" < <(sort parts | diff whole -)
done

scene "--max-duration and --resume: the runs together find what one finds"
for sample in '' --sample=1/2; do
  redo verify $sample >rows
  sort rows >whole
  run redo verify --max-duration=0s $sample
  cp "$OUT" runs
  count=1
  while token=$(sed -n '$s/^resume //p' "$OUT") && [ -n "$token" ]; do
    run redo verify --max-duration=0s --resume="$token"
    cat "$OUT" >>runs
    count=$((count + 1))
    [ $count -lt 40 ] || fail "it does not end" <"$OUT"
  done
  [ $count -gt 3 ] || fail "there were $count runs" <runs
  grep -v '^resume ' runs | sort | cmp -s - whole || fail "the union differs" < <(grep -v '^resume ' runs | sort | diff whole -)
done
run redo verify --max-duration=0s --json
tail -1 "$OUT" | grep -qx '{"resume":"[^"]*"}' || fail "the last row" < <(tail -1 "$OUT")
run redo verify --max-duration=1h
expect_status 1
! grep -q ^resume "$OUT" || fail "it stopped" <"$OUT"

scene "tokens, samples and times that are none are refused"
token=$(redo verify --max-duration=0s | sed -n '$s/^resume //p')
for bad in x 1 "${token%?}" "${token/1/2}" 256-1-1-00000000 ''; do
  run redo verify --resume="$bad"
  expect_status 129
  expect_stdout ''
  expect_stderr_has 'is no token of an audit that stopped'
done
run redo verify --resume="$token" --sample=1/2
expect_status 129
expect_stderr_has 'the token is that of the sample 1/1'
for bad in 0/3 4/3 1 a/b 1/0 1/2/3; do
  run redo verify --sample=$bad
  expect_status 129
done
for bad in 5 m 5x -1s 1.5s; do
  run redo verify --max-duration=$bad
  expect_status 129
done
run redo verify --sample=1/2 --all
expect_status 129
expect_stderr_has "'--sample' is of the store as a whole"

scene "alternates: what only they have is part of the history, and a good copy hides no bad one"
broken 'mkdir other; cp -a .redo/objects other/objects; echo "$PWD/other/objects" >.redo/objects/info/alternates'
expect_status 0
expect_stdout ''
broken 'mkdir other; mv .redo/objects/a? .redo/objects/0? other/; echo "$PWD/other" >.redo/objects/info/alternates'
expect_status 0
expect_stdout ''
broken "mkdir other; cp -a .redo/objects other/objects; echo \"\$PWD/other/objects\" >.redo/objects/info/alternates
        chmod u+w .redo/$INNER_PATH; : >.redo/$INNER_PATH; chmod 444 .redo/$INNER_PATH"
found error object-corrupt "$INNER" "$INNER_PATH"

scene "--summary: verdicts counted by author, device, key, month or form, as an independent count has them"
cd "$WORK" && gzip -dc "$DEMO" >demo.ndjson
cat >count.py <<'END'
import collections, json, sys
kind, letters = sys.argv[1], "GBUXREN"
counts = collections.defaultdict(lambda: [0] * 7)
for line in open("demo.ndjson"):
    node = json.loads(line)
    author, signed = node["author"], "signature" in node
    name = {"author": author["userId"], "device": author["deviceId"], "month": node["timestamp"]["wall"][:7],
            "key": author.get("publicKey", "-")}[kind]
    counts[name][0 if signed else 6] += 1
for name in sorted(counts, key=str.encode):
    print(sum(counts[name]), *counts[name], name)
END
for kind in author device key month; do
  python3 count.py $kind >expected
  run redo verify --ndjson --summary=$kind <demo.ndjson
  expect_status 1
  expect_stdout_file expected
done
# forms <rows>: the same of rows, by what was signed.
forms() {
  awk '{ $3 = $3 == "signature-missing" ? "-" : $3; n[$3]++ }
    END { for (f in n) print n[f], (f == "-" ? "0 0 0 0 0 0 " n[f] : n[f] " 0 0 0 0 0 0"), f }' "$1" | sort -k9
}
redo verify --ndjson <demo.ndjson >rows
forms rows >expected
run redo verify --ndjson --summary=form <demo.ndjson
expect_stdout_file expected
cd "$SOUND" || exit 1
redo verify --all >"$WORK/rows"
forms "$WORK/rows" >"$WORK/expected"
for words in --all '' --stdin; do
  run redo verify $words --summary=form <"$WORK/ids"
  expect_status 0
  expect_stdout_file "$WORK/expected"
done
run redo verify --summary=form --json
sed 's/\([0-9]*\) .* \(.*\)/{"B":0,"E":0,"G":\1,"N":0,"R":0,"U":0,"X":0,"name":"\2","total":\1}/' "$WORK/expected" >"$WORK/json"
expect_stdout_file "$WORK/json"
run redo verify --summary=form "$HEAD"
expect_stdout_lines 1
run redo verify --summary=nothing
expect_status 129

scene "--summary: names that look alike though they differ are reported, with those who use them"
cd "$WORK" || exit 1
cat >alike.py <<'END'
import hashlib, json

def node(user, device, **author):
    node = {"version": 1, "parents": [], "timestamp": {"lamport": 1, "wall": "2025-01-01T00:00:00.000Z"},
            "author": {"userId": user * 32, "deviceId": device, **author},
            "action": "CREATE", "taskId": "7a000000-0000-4000-8000-000000000001", "data": {"fields": {"title": "Ficus"}}}
    text = json.dumps(node, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    node["id"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    print(json.dumps(node))

node("a", "phone", name="Ada", email="ada@example.org", deviceName="Pixel")
node("b", "phone\u200b", name="Ada\ufeff", email="ada@example.org", deviceName="Pixel")
node("c", "tablet", name="A\u00ad\u200dda", email="a\u00a0da@example.org", deviceName="Pixel\U000e0041")
node("d", "caf\u00e9", name="Adam", email="ad\u0430@example.org", deviceName="Pixe1")
node("e", "cafe\u0301", name="Bea", deviceName="\u2764\ufe0f")
node("f", "\u200b", deviceName="\u2764")
END
python3 alike.py >alike.ndjson
rep() { printf "%.0s$1" {1..32}; }
run redo verify --ndjson --summary=author <alike.ndjson
expect_status 1
expect_stdout_lines 6
expect_stderr "warning: these names of authors look alike: 'Ada' (user $(rep a)), 'Ada\u{feff}' (user $(rep b)), 'A\u{ad}\u{200d}da' (user $(rep c))"
run redo verify --ndjson --summary=device <alike.ndjson
printf '1 0 0 0 0 0 0 1 %b\n' 'cafe\0314\0201' 'caf\0303\0251' phone 'phone\\u{200b}' tablet '\\u{200b}' >expected
expect_stdout_file expected
expect_stderr "warning: these device ids look alike: 'cafe\u{301}' (user $(rep e)), 'café' (user $(rep d))
warning: these device ids look alike: 'phone' (user $(rep a)), 'phone\u{200b}' (user $(rep b))
warning: these names of devices look alike: 'Pixel' (users $(rep a), $(rep b)), 'Pixel\u{e0041}' (user $(rep c))
warning: these names of devices look alike: '❤' (user $(rep f)), '❤\u{fe0f}' (user $(rep e))"
run redo verify --ndjson --summary=author --json <alike.ndjson
expect_stderr ''
expect_equal "$(grep -c '"alike":' "$OUT")" 3 "rows that are like another"
expect_stdout_has "\"X\":0,\"alike\":[\"$(rep b)\",\"$(rep c)\"],\"name\":\"$(rep a)\""
for kind in key month form; do
  run redo verify --ndjson --summary=$kind <alike.ndjson
  expect_stderr ''
done

scene "a directory that is no store is none"
mkdir "$WORK/empty" && run redo --redo-dir="$WORK/empty" verify
expect_error 128 "not a redo repository"

scene "a trust file: what its rules say of each node, once"
broken "echo $(printf %064d 1) >.redo/trust"
expect_status 0
expect_equal "$(grep -c '^warning key-untrusted sha256:[0-9a-f]* objects/' "$OUT")" 150 "untrusted nodes"
expect_stdout_lines 150
