#!/bin/bash
# redo log: searches, ranges and refs as git log has them, and what a format can show.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo key generate >/dev/null 2>&1
T=7a000000-0000-4000-8000-000000000001
D=70d00000-0000-4000-8000-000000000001
at() { echo "--date=2025-03-01T08:00:0$1.000Z"; }
create=$(redo commit -q create -t $T --title='Water the Plants' --description='with "care"' "$(at 0)")
todo=$(redo commit -q create-todo -t $T --todo=$D --title='tomatoes' --notes='not the cactus' "$(at 1)" 2>/dev/null ||
  redo commit -q --action=CREATE_TODO -t $T --field todoTaskId=$D --field title=tomatoes --field notes='not the cactus' "$(at 1)")
title=$(redo commit -q update -t $T --title='Water everything' --priority=4 "$(at 2)")
same=$(redo commit -q update -t $T --title='Water everything' "$(at 3)")
back=$(redo commit -q update -t $T --title='Plants' --field-json 'tags=["Cactus",{"cactus":"deep ÄÖ"}]' "$(at 4)")
gone=$(redo commit -q delete -t $T "$(at 5)")
# finds <id>... -- <option>...: a log with the options shows just these, newest first, with the index and without it.
finds() {
  : >expected
  while [ "$1" != -- ]; do echo "$1" >>expected && shift; done
  shift
  for cache in --cache --no-cache; do
    run redo log --format='%(id)' $cache "$@"
    expect_status 0
    expect_stderr ''
    expect_stdout_file expected
  done
}

scene "--grep: a text in any string of the content, as it is written or in any case"
finds "$title" "$create" -- --grep='Water the' --grep='Water every' --no-merges -n 5 --until=2025-03-01T08:00:02.000Z
finds "$create" -- --grep='with "care"'
finds "$todo" -- --grep=cactus --until=2025-03-01T08:00:03.000Z
finds "$back" "$todo" -- --grep=cactus -i
finds "$back" -- --grep='deep ÄÖ'
finds "$back" -- -i --grep='DEEP äö'
finds -- --grep=nowhere
# The names of members are no text, nor is what stands around the content.
finds -- --grep=title
finds -- --grep=priority
finds -- --grep=UPDATE
finds "$create" -- --grep=Plants --action=CREATE
run redo log --grep=
expect_status 129
expect_stderr_has "error: an empty text is in everything"
run redo log -i
expect_status 129
expect_stderr_has "error: '--ignore-case' requires '--grep' or '-S'"

scene "-S: what brings a text into the values of its task, or takes it away"
finds "$title" "$create" -- -S 'Water the'
finds "$back" "$title" -- -S 'everything'
finds "$back" "$title" "$create" -- -S Plants
finds "$todo" -- -S tomatoes
finds "$back" -- -S Cactus
finds "$todo" -- -S cactus
finds "$back" "$todo" -- -S cactus -i
finds "$title" -- -S 4 --field=priority
finds "$create" -- -S WATER -i -n 1 --skip=1
finds -- -S 'nowhere'

scene "-S over a whole log: as the values before and after that --pretty=changes tells"
if command -v python3 >/dev/null; then
  make_store ../demo
  demo 2500 | redo -c core.fsync=none import -q >/dev/null
  redo log --pretty=changes --action=UPDATE --action=CREATE >changes
  cat >moved.py <<'END'
import json, re, sys
text, id, moved = sys.argv[1], None, 0
def count(word):
    if word == "none":
        return 0
    value = json.loads(word)
    return value.count(text) if isinstance(value, str) else 0
for line in list(open("changes")) + ["node end"]:
    if line.startswith("node "):
        if id and moved:
            print(id)
        id, moved = line.split()[1], 0
    found = re.match(r' {8}title (?:(".*?(?<!\\)") -> )?(".*(?<!\\)")$', line)
    if found:
        moved += count(found.group(2)) - (count(found.group(1)) if found.group(1) else 0)
END
  word=$(redo log --action=UPDATE --field=title --format='%(data)' -n 1 | sed 's/.*"title":"\([A-Za-z]*\).*/\1/')
  python3 moved.py "$word" >expected
  [ -s expected ] || fail "'$word' is moved by nothing" </dev/null
  redo log -S "$word" --field=title --action=UPDATE --action=CREATE --format='%(id)' >"$OUT"
  expect_stdout_file expected
  cd ../here || exit
else
  skip "python3 is missing"
fi

scene "--min-parents and --max-parents"
make_store ../merged
redo import -q "$VECTORS/log/merged.ndjson" >/dev/null
redo log --format='%(id) %(parents)' >all
by() { awk "$1 { print \$1 }" all; }
finds $(by 'NF > 2') -- --min-parents=2
finds $(by 'NF > 2') -- --merges --min-parents=1
finds $(by 'NF == 2') -- --min-parents=1 --max-parents=1
finds $(by 'NF == 1') -- --max-parents=0
finds $(by 'NF == 1') -- --roots
finds $(by 'NF <= 2') -- --no-merges
for words in '--min-parents=2 --max-parents=1' '--merges --max-parents=1' '--roots --min-parents=1' '--min-parents=x' '--max-parents=-1'; do
  # shellcheck disable=SC2086 # words
  run redo log $words
  expect_status 129
  expect_stdout ''
done

scene "--ancestry-path: of a range only what descends from its beginning"
merge=$(by 'NF > 2' | head -1)
side=$(redo rev-parse "$merge^1") other=$(redo rev-parse "$merge^2")
redo log --format='%(id)' "$side..$merge" >range
grep -qxF "$other" range || fail "the other side is not in the range" <range
finds "$merge" -- "$side..$merge" --ancestry-path
finds $(by 1 | sed "/${merge:7}/q") -- --ancestry-path "^$side"
run redo log --ancestry-path
expect_status 129
expect_stderr_has "error: '--ancestry-path' requires a range"
run redo log --ancestry-path "$merge"
expect_status 129

scene "--all: from every ref; a ref to what is no node, or not here, is left out"
make_store ../refs
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
stray=$(echo '{"action":"UPDATE","author":{"deviceId":"d","userId":"00000000000000000000000000000000"},"data":{"fields":{"priority":2}},"parents":[],"taskId":"7a000000-0000-4000-8000-000000000009","timestamp":{"lamport":1,"wall":"2025-04-01T00:00:00.000Z"},"version":1}' |
  redo hash-object -w --stdin 2>/dev/null)
blob=$(echo blob | redo hash-object -w -t blob --stdin)
redo log --format='%(id)' >own
redo update-ref tags/stray "$stray"
redo update-ref tags/blob "$blob"
finds "$stray" $(cat own) -- --all
finds $(cat own) --
finds "$stray" -- --all "^$(head -1 own)" --until=2025-04-01 --since=2025-04-01
finds "$stray" -- --all -n 1

scene "show-ref --contains, --merged, --points-at"
# refs <name>... -- <option>...: these refs are listed.
refs() {
  : >expected
  while [ "$1" != -- ]; do echo "$1" >>expected && shift; done
  shift
  run redo show-ref --format='%(name)' "$@"
  expect_stderr ''
  expect_stdout_file expected
}
first=$(redo log --sort=-order -n 1 --format='%(id)') second=$(redo log --format='%(parents) %(id)' | sed -n "s/^$first //p")
task=$(redo cat-node --format='%(task)' "$first")
redo update-ref tags/first "$first"
redo update-ref tags/second "$second"
expect_equal "$(redo cat-node --format='%(parents)' "$second")" "$first" "the parent of the second"
refs "heads/$task" tags/first tags/second -- --contains="$first"
refs "heads/$task" tags/second -- --contains="$second"
refs "heads/$task" -- --contains="$second" --heads
refs tags/first tags/second -- --merged="$second"
refs tags/first -- --merged=tags/first
refs tags/stray -- --contains="$stray"
refs tags/first tags/stray -- --merged="$stray" --merged="$first"
refs tags/first -- --points-at="$first"
refs tags/blob -- --points-at="$blob"
refs tags/second -- --contains="$first" --merged="$second" --points-at="$second"
refs tags/first tags/second -- --contains="$first" 'tags/*'
refs -- --points-at="$(tail -1 own)" --merged="$stray"
expect_status 1
run redo show-ref --contains=0000000
expect_error 128 "no object has the name '0000000'"
run redo show-ref --contains="$blob"
expect_error 128 "is a blob"
run redo show-ref --verify --merged="$first" tags/first
expect_status 129

scene "widths, dates and verdicts in a format"
run redo log --format='[%(action:pad=8)][%(lamport:pad=-4)][%(action:pad=2)]' -n 1 "$first"
expect_stdout "[CREATE  ][   1][CREATE]"
run redo show --format='%(action:pad=-8)|%(wall:unix)|%(wall:raw)|%(wall:iso)' "$first"
seconds=$(date -u -d "$(redo show --format='%(wall)' "$first")" +%s)
expect_stdout "  CREATE|$seconds|$seconds +0000|$(redo show --format='%(wall)' "$first")"
run redo log --format='%(wall:relative)' -n 1
grep -qE '^[0-9]+ (years?|months|weeks|days) ago$' "$OUT" || fail "no span of time" <"$OUT"
for cache in --cache --no-cache; do
  run redo log $cache --format='%(wall:unix:pad=-12) %(wall:raw)' -n 1 "$first"
  expect_stdout "$(printf '%12d %d +0000' "$seconds" "$seconds")"
done
for format in '%(action:pad=)' '%(action:pad=x)' '%(action:pad=1001)' '%(action:pad=+3)'; do
  run redo log --format="$format"
  expect_error 128 "is not a width in"
done
run redo log --format='%(wall:iso8601)'
expect_error 128 "unknown atom 'wall:iso8601'"
redo log --format='%(id)' | redo verify --stdin 2>/dev/null | cut -c1 >letters || true
redo log --format='%(verdict)' >"$OUT"
expect_stdout_file letters
expect_equal "$(redo log --format='%(verdict)' -n 1 "$stray")" N "a node without a signature"
expect_equal "$(redo show --format='%(verdict)' "$stray")" N "a node without a signature"
expect_equal "$(redo show --format='%(verdict)' "$first")" G "a signed node"

scene "--left-right and --boundary: the marks of git, for the same history"
redo init -q sides && cd sides
git init -q twin
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
TREE=$(git -C twin mktree </dev/null)
N=0
# makes <name> <parent name>...: one change, and a commit of git's with the same parents.
makes() {
  local name=$1 parent ids=() args=()
  shift
  N=$((N + 1))
  for parent; do
    ids+=("$(cat "$parent.id")")
    args+=(-p "$(cat "$parent.sha")")
  done
  local action=UPDATE
  [ $# -gt 0 ] || action=CREATE
  add $action $T $N "0${N}T08:00:00.000" "\"title\":\"$name\"" "${ids[@]}" >"$name.id" 2>/dev/null || fail "no node $name" </dev/null
  GIT_AUTHOR_DATE="2025-03-0${N}T08:00:00Z" GIT_COMMITTER_DATE="2025-03-0${N}T08:00:00Z" \
    git -C twin commit-tree -m "$name" "${args[@]}" "$TREE" >"$name.sha"
}
#  a - b - c - f        h
#       \\- d - e - g ---/     (h follows f and g)
makes a && makes b a && makes c b && makes d b && makes e d && makes f c && makes g e && makes h f g
# named <file>: ids or commits on standard input as names.
named() {
  local kind=$1 line mark id name
  while read -r line; do
    mark=${line:0:1} id=${line:1}
    for name in a b c d e f g h; do [ "$(cat $name.$kind)" != "$id" ] || echo "$mark$name"; done
  done
}
# alike <range> <option>...: redo and git show the same changes with the same marks, and in the same order.
alike() {
  local text=$1 id sha
  shift
  id=$(sed -E 's/[a-h]/\n&\n/g' <<<"$text" | while read -r part; do [ -e "$part.id" ] && cat "$part.id" || printf %s "$part"; done | tr -d '\n')
  sha=$(sed -E 's/[a-h]/\n&\n/g' <<<"$text" | while read -r part; do [ -e "$part.sha" ] && cat "$part.sha" || printf %s "$part"; done | tr -d '\n')
  git -C twin log --date-order --format=%m%H "$@" "$sha" | named sha >expected
  for cache in --cache --no-cache; do
    run redo log $cache --format='%(mark)%(id)' "$@" "$id"
    expect_status 0
    named id <"$OUT" >got
    expect_equal "$(xargs <got)" "$(xargs <expected)" "$text $*"
  done
  [ -s got ] || fail "nothing is shown of $text $*" </dev/null
}
alike f...g --left-right
alike g...f --left-right
alike f...g --left-right --boundary
alike f...e --boundary
alike d..h --boundary
alike c..h --boundary --left-right
alike b..g --boundary --reverse
alike a...h --left-right --boundary
alike f...g --left-right --boundary --reverse
expect_equal "$(xargs <got)" "-b <c >d >e <f >g" "what both said"

scene "the marks in the other forms"
F=$(cat f.id) G=$(cat g.id)
run redo log --oneline --left-right --boundary "$F...$G"
expect_equal "$(cut -c1-2 "$OUT" | tr -d '\n')" "> < > > < - " "one line each"
run redo log --oneline --boundary "$F...$G"
expect_equal "$(grep -c '^- ' "$OUT")" 1 "marked lines"
run redo log --left-right --boundary "$F...$G"
expect_stdout_has "node < $F"
expect_stdout_has "node > $G"
expect_stdout_has "node - $(cat b.id)"
run redo log --graph --ascii --oneline --left-right --boundary "$F...$G"
expect_equal "$(sed -n 's/^[| ]*\([<>-]\) .*/\1/p' "$OUT" | sort | uniq -c | tr -s ' ' | xargs)" "1 - 2 < 3 >" "signs of the drawing"
for form in --json --dot --svg --page-size=2; do
  run redo log --left-right $form "$F...$G"
  expect_status 129
  expect_stderr_has "options '--left-right' and '${form%=2}' cannot be used together"
  run redo log --boundary $form "$F...$G"
  expect_status 129
done
run redo log --boundary --format='%(mark)' "$F"
expect_equal "$(sort -u "$OUT")" ">" "marks without a range"
