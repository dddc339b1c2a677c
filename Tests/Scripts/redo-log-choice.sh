#!/bin/bash
# redo log: which changes are shown. Each filter is held against awk over the whole log.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
demo 3000 | redo -c core.fsync=none import -q >/dev/null
ROW='%(id)%x09%(wall)%x09%(lamport)%x09%(action)%x09%(task)%x09%(author:userid)%x09%(author:device)%x09%(author:devicename)%x09%(author:name)%x09%(author:key)%x09%(parents)%x09%(data)'
redo log --format="$ROW" >all
redo log --sort=order --format="$ROW" >all-in-order
# by <awk condition>: the ids of the rows that fulfil it, newest first.
by() { awk -F'\t' "$1 { print \$1 }" all; }
# shows <awk condition> <option>...: the log with the options has just those, with the index and without it.
shows() {
  by "$1" >expected
  shift
  run redo log --format='%(id)' "$@"
  expect_status 0
  expect_stderr ''
  expect_stdout_file expected
  [ -s expected ] || fail "nothing fulfils the condition: the scene shows nothing" </dev/null
  run redo log --no-cache --format='%(id)' "$@"
  expect_stdout_file expected
}

scene "--action, once and several times"
shows '$4 == "SNOOZE"' --action=SNOOZE
shows '$4 == "CREATE" || $4 == "COMPLETE"' --action=CREATE --action COMPLETE
run redo log --action=NEVER_HEARD_OF
expect_status 0
expect_stdout ''
run redo log --action=create
expect_error 128 "no action can have the name 'create'"
expect_stderr_has "hint: did you mean 'CREATE'"

scene "--since and --until: instants and days, their bounds included, and relative ones"
shows '$2 >= "2023-08-01T00:00:00.000Z"' --since=2023-08-01
shows '$2 >= "2023-08-01T00:00:00.000Z"' --after=2023-08-01
shows '$2 <= "2023-08-01T23:59:59.999Z"' --until=2023-08-01
shows '$2 >= "2023-08-01" && $2 <= "2023-08-03T23:59:59.999Z"' --since=2023-08-01 --before=2023-08-03
exact=$(by '1' | sed -n 100p)
wall=$(awk -F'\t' -v "id=$exact" '$1 == id { print $2 }' all)
shows "\$2 == \"$wall\"" --since="$wall" --until="$wall"
shows 1 --until=now-7d
run redo log --since=now-7d
expect_stdout ''
for date in 2023-02-30 someday 2023-8-1 now+1d ''; do
  run redo log --since="$date"
  expect_error 128 "not a valid date '$date' in '--since'"
done

scene "--author: the beginning of a user id, or a part of a name; --device and --key"
user=$(sed -n 5p all | cut -f6)
shows "\$6 == \"$user\"" --author="$user"
shows "\$6 == \"$user\"" --author="${user:0:6}"
shows '$9 ~ /Lindqvist/' --author=lindq
shows '$8 ~ /laptop/ || $7 ~ /laptop/' --device=LAPTOP
key=$(awk -F'\t' '$10 != "" { print $10; exit }' all)
shows "\$10 == \"$key\"" --key="$key"
shows "\$10 == \"$key\"" --key="$(echo "${key:0:9}" | tr a-f A-F)"
run redo log --key=xyz
expect_error 128 "not a public key or its beginning, 4 to 64 hex digits: 'xyz'"
run redo log --author=nobody-of-this-name
expect_status 0
expect_stdout ''

scene "--task, by its id or the beginning of it; each may be given again"
task=$(sed -n 7p all-in-order | cut -f5)
other=$(awk -F'\t' -v "task=$task" '$5 != task { print $5; exit }' all)
shows "\$5 == \"$task\"" --task="$task"
shows "\$5 == \"$task\"" --task="$(echo "${task:0:13}" | tr a-f A-F)"
shows "\$5 == \"$task\" || \$5 == \"$other\"" --task="$task" --task="$other"
run redo log --task=00000000-0000-4000-8000-000000000000
expect_error 128 "no change is about task '00000000-0000-4000-8000-000000000000'"
run redo log --task=ffffffffff
expect_error 128 "no task begins with 'ffffffffff'"

scene "--field: a member of the content, whatever it is worth"
shows '$12 ~ /[{,]"priority":/' --field=priority
shows '$12 ~ /[{,]"priority":/ || $12 ~ /[{,]"tags":/' --field=priority --field=tags
shows '$12 ~ /[{,]"priority":/ && $4 == "UPDATE"' --field=priority --action=UPDATE
run redo log --field=prio
expect_stdout ''

scene "--lamport-gt and --after-id, which counts in the total order"
shows '$3 > 30' --lamport-gt=30
# in_order <awk condition>: the same as by, in the total order.
in_order() { awk -F'\t' "$1 { print \$1 }" all-in-order; }
place=$(in_order 1 | sed -n 41p)
in_order 1 | head -40 >expected
run redo log --format='%(id)' --after-id="$place"
expect_stdout_file expected
run redo log --format='%(id)' --after-id="${place:7:12}" --reverse
tac expected >turned
expect_stdout_file turned
for sort in wall received lamport; do
  run redo log --format='%(id)' --after-id="$place" --sort=$sort
  expect_status 0
  cmp -s <(sort expected) <(sort "$OUT") || fail "other changes with --sort=$sort" </dev/null
done
run redo log --format='%(id)' --after-id="$place" --sort=wall
redo log --format='%(id)' | grep -xFf expected >by-wall
expect_stdout_file by-wall
run redo log --after-id="sha256:$(printf '%064d' 0)"
expect_error 128 "is not among the changes that are walked"
run redo log --after-id=0000000
expect_error 128 "no object has the name '0000000'"
run redo log --lamport-gt=many
expect_status 129
expect_stderr_has "option '--lamport-gt' expects a number, not 'many'"

scene "--merges, --no-merges, --roots, --heads"
shows '$11 ~ / /' --merges
shows '$11 !~ / /' --no-merges
shows '$11 == ""' --roots
redo show-ref --heads --format='%(id)' | sort >expected
redo log --heads --format='%(id)' | sort >found
cmp -s expected found || fail "the heads are others" < <(diff expected found | head)

scene "filters filter, and never cut the walk"
first=$(by '$4 == "CREATE"' | tail -1)
run redo log --format='%(id)' --action=CREATE -n 1 --skip="$(($(by '$4 == "CREATE"' | wc -l) - 1))"
expect_stdout "$first"
head=$(redo show-ref "heads/$task" --format='%(id)' | head -1)
run redo log --format='%(id)' --roots "$head"
expect_stdout_lines 1

scene "-n and --skip count what the filters let through"
by '$4 == "UPDATE"' | sed -n 3,5p >expected
run redo log --format='%(id)' --action=UPDATE --skip=2 -n 3
expect_stdout_file expected
tac expected >turned
run redo log --format='%(id)' --action=UPDATE --skip=2 -n 3 --reverse
expect_stdout_file turned

scene "pages are the whole log in pieces, either way round, with filters and while changes come"
pages() {
  local token=() rows=0
  while :; do
    redo log --format='%(id)' --page-size=97 "${token[@]}" "$@" >page 2>hint || fail "a page fails" <hint
    rows=$(wc -l <page)
    cat page
    [ "$rows" -le 97 ] || fail "a page of $rows changes" </dev/null
    # Without a hint this was the last one.
    [ -s hint ] || return 0
    token=("--page-token=$(sed -n "s/^hint: more changes follow: '--page-token=\(.*\)' shows the next page\$/\1/p" hint)")
    [ "${token[*]}" = "--page-token=$(tail -1 page)" ] || fail "the token is not the last change" <hint
  done
}
for how in '' --reverse --action=UPDATE '--action=CREATE --reverse'; do
  # shellcheck disable=SC2086 # words
  redo log --sort=order --format='%(id)' $how >expected
  # shellcheck disable=SC2086
  pages $how >"$OUT"
  expect_stdout_file expected
done
run redo log --page-size=5 --page-token="$place" --format='%(id)' -q
expect_stderr ''
in_order 1 | sed -n 42,46p >expected
expect_stdout_file expected
run redo log --page-size=5 --page-token="$place" --task="$task" --since=2023-07-01
expect_status 0
run redo log --page-size=5 --page-token=0000000
expect_error 128 "no object has the name '0000000'"
run redo log --page-token="$place"
expect_status 129
expect_stderr_has "'--page-token' requires '--page-size'"
run redo log --page-size=0
expect_status 129
run redo log --page-size=5 --sort=order --format='%(id)' -q
in_order 1 | head -5 >expected
expect_stdout_file expected
for sort in wall -order received; do
  run redo log --page-size=5 --sort=$sort
  expect_status 129
  expect_stdout ''
  expect_stderr_has "error: pages follow the total order: '--page-size' and '--sort=$sort' cannot be used together"
done
run redo log --page-size=3 -n 3
expect_status 129
expect_stderr_has "options '--page-size' and '--max-count' cannot be used together"

scene "--as-of: the changes that a state of that point is made of"
for point in 2023-08-01 lamport:20 "$place" now; do
  for policy in closed received wall; do
    options=(--as-of="$point")
    # Everything was received just now.
    case $point-$policy in
    2023-08-01-received) continue ;;
    2023* | now*) options+=(--policy="$policy") ;;
    *) [ $policy = closed ] || continue ;;
    esac
    redo log --json "${options[@]}" 2>said >nodes || fail "redo log fails" <said
    redo state -q "${options[@]}" >expected
    redo state -q --stdin <nodes >"$OUT" 2>"$ERR"
    expect_stdout_file expected
    grep -q "as of" said || fail "which point was used is not said" <said
    redo log --json "${options[@]}" --no-cache -q | cmp -s - nodes || fail "without the index it is another" </dev/null
  done
done
in_order '$2 <= "2023-08-01T23:59:59.999Z"' >expected
run redo log --sort=order --format='%(id)' -q --as-of=2023-08-01 --policy=wall
expect_stdout_file expected
run redo log --as-of=1999-01-01
expect_error 128 "no node precedes '1999-01-01'"
run redo log --as-of=1999-01-01 --allow-empty -q
expect_status 0
expect_stdout ''

scene "ranges with filters; what a range leaves out is not shown"
parent=$(redo rev-parse "$head~3")
redo log --format='%(id)' "$head" >all-of-it
redo log --format='%(id)' "$parent" >left-out
grep -vxFf left-out all-of-it >expected
run redo log --format='%(id)' "$parent..$head"
expect_stdout_file expected
run redo log --no-cache --format='%(id)' "$head" "^$parent"
expect_stdout_file expected

scene "--stdin reads revisions and ranges; with -z they end in NUL"
printf '%s\n' "$parent..$head" | redo log --stdin --format='%(id)' >"$OUT"
expect_stdout_file expected
printf '%s\0' "$head" "^$parent" | redo log --stdin -z --format='%(id)' | tr '\0' '\n' >"$OUT"
expect_stdout_file expected
printf '%s\n' "^$parent" | redo log --stdin --format='%(id)' "$head" >"$OUT"
expect_stdout_file expected
run redo log --stdin </dev/null
expect_status 0
expect_stdout ''
run redo log --stdin <<<'no such thing'
expect_status 128

scene "a change that no head reaches, as a tip"
linear=$VECTORS/log/linear.ndjson
redo hash-object -w --stdin <"$linear" >/dev/null 2>&1 || redo hash-object -w --ndjson <"$linear" >/dev/null
id=$(a_node 3 | ids_of)
run redo log --format='%(id)' "$id"
expect_status 0
expect_stdout "$(for number in 3 2 1; do a_node $number | ids_of; done)"

scene "a drawing of some changes: hidden parents are replaced by the nearest ancestors that are shown"
if command -v python3 >/dev/null; then
  make_store drawn
  demo 1500 | redo -c core.fsync=none import -q >/dev/null
  redo log --reverse --format='%(id) %(action) %(parents)' >rows
  cat >nearest.py <<'END'
import sys
shown, near = set(sys.argv[1].split(",")), {}
for line in open("rows"):
    id, action, *parents = line.split()
    found = set().union(*(near[parent] for parent in parents))
    if action in shown:
        for parent in found:
            print(f'"{id}" -> "{parent}";')
    near[id] = {id} if action in shown else found
END
  for actions in CREATE,UPDATE MERGE,SNOOZE,COMPLETE_TODO; do
    python3 nearest.py $actions | sort >expected
    redo log --dot --action="${actions%%,*}" $(echo "${actions#*,}" | tr , '\n' | sed 's/^/--action=/') |
      grep -o '"sha256:[0-9a-f]*" -> "sha256:[0-9a-f]*";' | sort >"$OUT"
    [ -s expected ] || fail "no edges" </dev/null
    expect_stdout_file expected
  done
else
  skip "python3 is missing"
fi
