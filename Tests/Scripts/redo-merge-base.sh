#!/bin/bash
# redo merge-base: common ancestors, as git finds them in a history of the same shape.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T1=7a000000-0000-4000-8000-000000000001
# node <lamport> <parent>...: writes a node and prints its id.
node() {
  local lamport=$1 parents
  shift
  parents=$(printf ',"%s"' "$@")
  [ $# -gt 0 ] || parents=,
  printf '{"action":"UPDATE","author":{"deviceId":"d","userId":"%s"},"data":{"fields":{"title":"%s"}},"parents":[%s],"taskId":"%s","timestamp":{"lamport":%s,"wall":"2025-03-01T08:00:00.%03dZ"},"version":1}\n' \
    "$USER" "$lamport" "${parents:1}" "$T1" "$lamport" "$lamport" | redo hash-object -w --update-heads --stdin
}
# is <status> <text> <argument>...
is() {
  local status=$1 text=$2
  shift 2
  for cache in --cache --no-cache; do
    run redo merge-base $cache "$@"
    expect_status "$status"
    expect_stdout "$text"
    expect_stderr ''
  done
}

make_store
A=$(node 1)
B=$(node 2 "$A")
C=$(node 3 "$A")
D=$(node 4 "$B" "$C")
E=$(node 5 "$B" "$C")
R=$(node 6)
NONE=sha256:$(printf '%064d' 0)

scene "what cannot be answered is fatal or a mistake in the command line"
for words in "$A" "" "-a $A" "--is-ancestor $A" "--is-ancestor $A $B $C" "--is-ancestor" "--is-ancestor -a $A $B" \
  "--independent -a $A $B" "--fork-point heads/$T1" "--fork-point" "--fork-point -a heads/$T1 $A" "--fork-point x y z" \
  "--octopus --independent $A" "--is-ancestor --fork-point $A $B"; do
  # shellcheck disable=SC2086 # words
  run redo merge-base $words
  expect_status 129
  expect_stdout ''
done
for cache in --cache --no-cache; do
  run redo merge-base $cache "$A" "$NONE"
  expect_error 128 "object '$NONE' is missing"
  run redo merge-base $cache --is-ancestor "$NONE" "$A"
  expect_error 128 "object '$NONE' is missing"
  run redo merge-base $cache "$A" nonsense
  expect_error 128 "not a valid object name 'nonsense'"
  run redo merge-base $cache "$A" "$T1"
  expect_error 128 "'$T1' stands for 3 objects"
done
blob=$(printf 'some bytes' | redo hash-object -w -t blob --stdin)
run redo merge-base "$A" "$blob"
expect_error 128 "is a blob, not a node"
run redo merge-base --fork-point tags/none "$A"
expect_error 128 "no ref has ever had the name 'tags/none'"
run redo -C / merge-base "$A" "$B"
expect_error 128 "not a redo repository"

scene "one best common ancestor, several, none"
is 0 "$A" "$B" "$C"
is 0 "$A" "$A" "$A"
is 0 "$B" "$D" "$B"
is 0 "$C" "$D" "$E"
is 0 "$C
$B" --all "$D" "$E"
is 0 "$C
$B" -a "$E" "$D"
is 1 '' "$A" "$R"
is 1 '' --all "$R" "$D"

scene "more than two: the first and a merge of the others; --octopus: all of them"
is 0 "$C
$B" -a "$D" "$B" "$C"
is 0 "$A" --octopus "$D" "$B" "$C"
is 0 "$B" --octopus "$D" "$E" "$B"
is 0 "$C
$B" --octopus --all "$D" "$E"
is 0 "$D" --octopus "$D"
is 0 "$C" "$D" "$R" "$C"
is 1 '' --octopus "$D" "$R" "$C"
is 1 '' --octopus

scene "--independent: what no other one reaches, each once, in the order given"
is 0 "$E
$D" --independent "$E" "$D" "$A" "$E" "$B"
is 0 "$R
$A" --independent "$R" "$A" "$A"
is 0 "$A" --independent "$A"
is 1 '' --independent

scene "--is-ancestor: only a status"
is 0 '' --is-ancestor "$A" "$D"
is 0 '' --is-ancestor "$A" "$A"
is 1 '' --is-ancestor "$D" "$A"
is 1 '' --is-ancestor "$B" "$C"
is 1 '' --is-ancestor "$R" "$D"

scene "-z; revisions; output that cannot be written, or that nobody reads"
redo merge-base -z -a "$D" "$E" | tr '\0' '\n' >"$OUT"
expect_stdout "$C
$B"
is 0 "$A" "$D^1" "$D^2"
is 0 "$A" "${B:7:10}" "${C:7:10}"
run bash -c "redo merge-base $A $B >/dev/full"
expect_error 128 "write error"
redo merge-base -a "$D" "$E" | head -1 >"$OUT"
expect_stdout "$C"

scene "ranges and rev-parse find the same ancestors"
run redo rev-parse "$D...$E"
expect_stdout "$D
$E
^$C
^$B"
run redo log --format='%(id)' "$D...$E"
expect_stdout "$E
$D"

scene "--fork-point: by what the ref ever stood for"
# The ref moves from B to D, and is set back beside it; the side hangs on B.
redo update-ref tags/base "$B"
redo update-ref tags/base "$D"
redo update-ref tags/base "$E"
SIDE=$(node 7 "$D")
is 0 "$D" --fork-point tags/base "$SIDE"
is 0 "$D" --fork-point base "$SIDE"
is 0 "$B" --fork-point tags/base "$B"
# The ref never named the only one; two best ones; nothing in common.
is 1 '' --fork-point tags/base "$C"
redo update-ref tags/other "$B"
redo update-ref tags/other "$C"
is 1 '' --fork-point tags/other "$D"
is 1 '' --fork-point tags/base "$R"
# What a name stood for before it was deleted counts; so does each head of a task.
redo update-ref -d tags/base
is 0 "$D" --fork-point tags/base "$SIDE"
is 0 "$D" --fork-point "heads/$T1" "$D"

scene "nodes that no head reaches, and nodes of a store whose index is damaged"
loose=$(printf '{"action":"UPDATE","author":{"deviceId":"d","userId":"%s"},"data":{"fields":{"title":"loose"}},"parents":["%s"],"taskId":"%s","timestamp":{"lamport":9,"wall":"2025-03-01T08:00:01.000Z"},"version":1}\n' "$USER" "$C" "$T1" | redo hash-object -w --stdin)
is 0 "$C" "$loose" "$D"
is 0 '' --is-ancestor "$A" "$loose"
redo log >/dev/null
for place in 0 100 200 300 400 500 600 700; do
  alter .redo/cache/graph $place
  is 0 "$C
$B" -a "$D" "$E"
done

scene "a node that is missing elsewhere in the history is not asked about"
rm -rf .redo/cache/*
path=.redo/objects/${R:7:2}/${R:9}
mv "$path" kept
is 0 "$C" "$D" "$E"
run redo merge-base "$D" "$R"
expect_error 128 "object '$R' is missing"
mv kept "$path"
cd ..

scene "random histories: the answers of git merge-base, for every option"
if ! command -v git >/dev/null || ! command -v python3 >/dev/null; then
  skip "git or python3 is missing"
  exit 0
fi
cat >compare.py <<'END'
"""Makes histories of the same shape for git and for redo, and asks both the same questions."""
import hashlib, json, os, random, subprocess, sys

seed = int(sys.argv[1])
rng = random.Random(seed)
environment = {**os.environ, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a",
               "GIT_COMMITTER_EMAIL": "a", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}


def run(*words, data=b"", **more):
    answer = subprocess.run(words, input=data, capture_output=True, env={**environment, **more}, check=False)
    return answer.returncode, answer.stdout.decode().split(), answer.stderr.decode()


def make(name, count, is_wide, is_wild):
    run("git", "init", "-q", f"{name}.git")
    tree = run("git", "-C", f"{name}.git", "write-tree")[1][0]
    commits, ids, lamports, lines = [], [], [], []
    for number in range(count):
        parents = []
        if number and rng.random() > 0.1:
            low = 0 if is_wide else max(0, number - 5)
            parents = rng.sample(range(low, number), min(number - low, rng.choice([1, 1, 1, 2, 2, 3])))
        date = f"{1700000000 + number} +0000"
        words = [word for parent in parents for word in ("-p", commits[parent])]
        commits.append(run("git", "-C", f"{name}.git", "commit-tree", tree, "-m", str(number), *words,
                           GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)[1][0])
        # In wild ones clocks are as they like; in the others the total order is that of the dates.
        lamport = rng.randrange(1, 20) if is_wild else number + 1
        node = {"action": "UPDATE", "author": {"deviceId": "d", "userId": "5a" * 16},
                "data": {"fields": {"title": str(number)}}, "parents": [ids[parent] for parent in parents],
                "taskId": f"7a000000-0000-4000-8000-00000000000{rng.randrange(3)}",
                "timestamp": {"lamport": lamport, "wall": f"2025-03-01T08:00:00.{number:03d}Z"}, "version": 1}
        line = json.dumps(node, sort_keys=True, separators=(",", ":"))
        ids.append("sha256:" + hashlib.sha256(line.encode()).hexdigest())
        lines.append(line)
    run("redo", "init", "-q", name)
    status, _, errors = run("redo", "-C", name, "-c", "core.fsync=none", "hash-object", "-w", "--update-heads", "--ndjson",
                            data="\n".join(lines).encode() + b"\n")
    if status:
        sys.exit(f"seed {seed}: the history is refused: {errors}")
    return commits, ids


def check(name, commits, ids, words, tips, is_ordered):
    status, found, errors = run("git", "-C", f"{name}.git", "merge-base", *words, *[commits[tip] for tip in tips])
    number = {commit: place for place, commit in enumerate(commits)}
    expected = status, [ids[number[commit]] for commit in found]
    cache = rng.choice(["--cache", "--no-cache"])
    status, found, errors = run("redo", "-C", name, "merge-base", cache, *words, *[ids[tip] for tip in tips])
    answer = status, found
    if "--octopus" in words and is_ordered and found != sorted(found, key=ids.index, reverse=True):
        sys.exit(f"seed {seed}: {name}: merge-base {words} {tips}: {found} is not the newest first")
    # git's order for an octopus of more than two is that of the bases in between.
    if not is_ordered or "--octopus" in words:
        expected, answer = (expected[0], sorted(expected[1])), (answer[0], sorted(answer[1]))
    if expected != answer or errors:
        sys.exit(f"seed {seed}: {name}: merge-base {words} {tips}: {answer}, not {expected} {errors}")
    return len(found)


asked = several = 0
histories = []
for number in range(4):
    is_wild = number == 3
    name = f"random{number}"
    commits, ids = make(name, 40, is_wide=number % 2 == 0, is_wild=is_wild)
    histories.append((name, commits, ids, is_wild))
    for _ in range(12):
        def tips(low, high):
            count = rng.randrange(low, high + 1)
            return [rng.randrange(rng.choice([0, 20, 30]), 40) for _ in range(count)]
        # The newest of several is another one where clocks are wild.
        if not is_wild:
            check(name, commits, ids, [], tips(2, 4), True)
        several += check(name, commits, ids, ["--all"], tips(2, 4), not is_wild) > 1
        check(name, commits, ids, ["--octopus", "--all"], tips(1, 5), not is_wild)
        check(name, commits, ids, ["--independent"], tips(1, 6), True)
        check(name, commits, ids, ["--is-ancestor"], tips(2, 2), True)
        asked += 5

# Some histories come upon several best ones late.
while several == 0 and asked < 2000:
    name, commits, ids, is_wild = rng.choice(histories)
    several += check(name, commits, ids, ["--all"], [rng.randrange(40) for _ in range(2)], not is_wild) > 1
    asked += 1

# --fork-point: a ref that is set to this and that, in both.
commits, ids = make("forked", 40, is_wide=False, is_wild=False)
run("git", "-C", "forked.git", "config", "core.logAllRefUpdates", "always")
found = 0
for number in range(6):
    ref = f"tags/ref{number}"
    for place in [rng.randrange(40) for _ in range(rng.randrange(1, 5))]:
        run("git", "-C", "forked.git", "update-ref", "--create-reflog", f"refs/{ref}", commits[place])
        status, _, errors = run("redo", "-C", "forked", "update-ref", ref, ids[place])
        if status:
            sys.exit(errors)
    for _ in range(8):
        tip = rng.randrange(40)
        status, answer, _ = run("git", "-C", "forked.git", "merge-base", "--fork-point", f"refs/{ref}", commits[tip])
        expected = status, [ids[commits.index(commit)] for commit in answer]
        status, answer, errors = run("redo", "-C", "forked", "merge-base", "--fork-point", ref, ids[tip])
        found += status == 0
        if (status, answer) != expected:
            sys.exit(f"seed {seed}: --fork-point {ref} {tip}: {(status, answer)}, not {expected} {errors}")
print(f"seed {seed}: {asked} questions, several best ones {several} times, {found} fork points")
if several == 0 or found == 0:
    sys.exit("the histories are too tame")
END
run python3 compare.py "$SEED"
[ $STATUS -eq 0 ] || fail "git and redo differ" < <(everything_printed)
