#!/bin/bash
# redo archive prune: some of many archives stay; what stays keeps what it needs; no author's clock decides.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 700 >log.ndjson
# A store that received a hundred nodes on each of seven days, and an archive of each evening.
make_days() {
  rm -rf days && redo init -q days
  for day in 1 2 3 4 5 6 7; do
    head -n $((day * 100)) log.ndjson | redo -C days -c core.fsync=none import -q >/dev/null
    redo -C days archive create -q -f -o "day$day.redopack" >/dev/null
  done
}
files() { (cd days && printf '%s\n' day*.redopack); }
# expect_kept <days>...: these archives are reported as staying.
expect_kept() { expect_equal "$(sed -n 's/^keep [^ ]* [^ ]* day\(.\).redopack$/\1/p' "$OUT" | paste -sd' ')" "$*" "what stays"; }

make_days
scene "the newest stay, as many as are to; -n removes nothing"
run redo -C days archive prune -n --keep-last=2 $(files)
expect_status 0
expect_stderr ''
expect_kept 6 7
expect_equal "$(grep -c '^remove [^ ]*Z - day' "$OUT")" 5 "what goes"
expect_equal "$(files | wc -l)" 7 "files"
run redo -C days archive prune -n --keep-last=2 --json day1.redopack day7.redopack
expect_kept
expect_equal "$(sed 's/"received":"[^"]*Z"/T/' "$OUT" | tail -1)" '{"file":"day7.redopack","reasons":["last"],T,"what":"keep"}' "the row"
run redo -C days archive prune -n --keep-daily=3 $(files)
expect_equal "$(sed -n 's/^keep .* daily day//p' "$OUT" | wc -l)" "$(sed -n 's/^keep [^ ]* [^ ]* //p' "$OUT" | wc -l)" "what a rule of days keeps"

scene "create --clock=received: what was received before an instant, whatever its authors' clocks showed"
fourth=$(redo -C days archive prune -n --keep-last=9 day4.redopack | cut -d' ' -f2)
run redo -C days archive create -q -o received.redopack --before="$fourth" --clock=received
expect_status 0
cmp days/received.redopack days/day3.redopack || fail "it is not what there was on day 3" </dev/null
run redo -C days archive create -q -f -o received.redopack --before="$fourth" --clock=wall
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT")" 700 "nodes"
rm days/received.redopack
run redo -C days archive create -n --clock=received
expect_status 129
run redo -C days archive create -n --older-than=1d --clock=sun
expect_status 129

scene "a back-dated or future wall time of a node changes nothing"
cp -r days shifted
for wall in 1999 2199; do
  sed '$!d; s/"id":"[^"]*",//; s/,"signature":"[0-9a-f]*"//; s/"wall":"[0-9]*/"wall":"'$wall'/' log.ndjson |
    redo -C days hash-object -w --update-heads --stdin >id
  redo -C days archive create -q -f -o "day8.redopack" >/dev/null
  run redo -C days archive prune -n --keep-last=1 $(files)
  expect_kept 8
  redo -C days wipe -q --yes --author="$(redo -C days log --format='%(author:userid)' "$(cat id)" | head -1)" >/dev/null 2>&1
  rm -rf days && cp -r shifted days
done

scene "what this store has not received stays, and takes nobody's place"
redo init -q other
head -n 5 "$VECTORS/log/linear.ndjson" | redo -C other import -q >/dev/null
redo -C other archive create -q -o day9.redopack >/dev/null && mv other/day9.redopack days
run redo -C days archive prune -n --keep-last=1 $(files)
expect_kept 7 9
expect_stdout_has "keep - unknown day9.redopack"
rm days/day9.redopack

scene "then they are gone, with their manifests, and the rest is as it was"
cp days/day7.redopack good
: >days/day1.redopack.manifest
: >days/day1.redopack.manifest.sig
run redo -C days archive prune -q --keep-last=1 $(files)
expect_status 0
expect_stdout ''
expect_equal "$(ls days)" day7.redopack "files"
cmp days/day7.redopack good || fail "it has changed" </dev/null

scene "a file stays whose nodes are nowhere else"
rm -rf days && cp -r shifted days
rm days/day7.redopack
redo -C days repack -q -a
# The store loses its packs: what day 1 to 5 have is in day 6 all the same.
mv days/.redo/objects/pack/*.pack . && rm days/.redo/objects/pack/*.idx
run redo -C days archive prune --keep-last=1 $(files)
expect_status 0
expect_equal "$(ls days)" day6.redopack "files"
cp shifted/day*.redopack days
rm days/day7.redopack
run redo -C days archive prune --keep-last=1 day6.redopack day5.redopack
expect_status 0
truncate -s -1 days/day6.redopack
cp shifted/day5.redopack days
before=$(ls days)
run redo -C days archive prune --keep-last=1 day6.redopack day5.redopack day4.redopack
expect_status 1
expect_stdout_has "keep - unreadable day6.redopack"
expect_stdout_has "last day5.redopack"
[ -e days/day5.redopack ] || fail "the last good one is gone" </dev/null

scene "a registered archive stays"
rm -rf days && cp -r shifted days
redo -C days archive register -q day1.redopack >/dev/null
run redo -C days archive prune --keep-last=1 $(files)
expect_status 0
expect_stdout_has "keep - registered day1.redopack"
expect_equal "$(ls days | paste -sd' ')" "day1.redopack day7.redopack" "files"

scene "of a full archive and two increments, the last of which is to stay, all three do: each can still be imported"
make_chain() {
  rm -rf chain mon.redopack tue.redopack wed.redopack full.redopack && redo init -q chain
  day=0
  for name in mon tue wed; do
    day=$((day + 1))
    head -n $((day * 200)) log.ndjson | redo -C chain -c core.fsync=none import -q >/dev/null
    case $name in
      mon) redo -C chain archive create -q -o ../mon.redopack ;;
      tue) redo -C chain archive create -q -o ../tue.redopack --since=../mon.redopack ;;
      wed) redo -C chain archive create -q -o ../wed.redopack --since=../mon.redopack --since=../tue.redopack ;;
    esac >/dev/null || fail "$name cannot be made" </dev/null
  done
}
prune_chain() { run redo -C chain archive prune "$@"; }
chain=(../mon.redopack ../tue.redopack ../wed.redopack)
make_chain
prune_chain --keep-last=1 "${chain[@]}"
expect_status 0
expect_stderr ''
expect_equal "$(cut -d' ' -f1 "$OUT" | sort -u)" keep "what happens"
expect_stdout_has " prerequisite ../mon.redopack"
redo init -q back
for name in mon tue wed; do redo -C back import -q ../$name.redopack >/dev/null; done
cmp <(redo -C back state) <(redo -C chain state) || fail "the chain does not restore" </dev/null

scene "with a full one of the last day, the others go"
redo -C chain archive create -q -o ../full.redopack >/dev/null
prune_chain --keep-last=1 ../full.redopack "${chain[@]}"
expect_status 0
expect_equal "$(ls mon.redopack tue.redopack wed.redopack full.redopack 2>/dev/null | paste -sd' ')" full.redopack "what stays"

scene "the store is no second copy, unless it is told to be one"
make_chain
prune_chain -n --keep-last=1 --store-counts "${chain[@]}"
expect_status 0
expect_equal "$(cut -d' ' -f1 "$OUT" | paste -sd' ')" "remove remove keep" "what happens"
redo -C chain archive create -q -f -o ../full.redopack >/dev/null
head -n 700 log.ndjson | redo -C chain import -q >/dev/null
redo -C chain archive create -q -f -o ../wed.redopack --since=../full.redopack >/dev/null
prune_chain --keep-last=1 ../mon.redopack ../wed.redopack
expect_status 1
expect_stderr_has "error: '../wed.redopack' needs "
expect_stdout_has " needed ../mon.redopack"

scene "a chain with a gap is named, with how many nodes are missing and one of them; it is nobody's second copy"
make_chain
rm tue.redopack
missing=$(redo archive list --json wed.redopack | grep -o 'sha256:[0-9a-f]*' | while read -r id; do
  redo archive show mon.redopack "$id" >/dev/null 2>&1 || echo "$id"; done | head -1)
[ -n "$missing" ] || fail "nothing is missing" </dev/null
prune_chain --keep-last=1 ../mon.redopack ../wed.redopack
expect_status 1
expect_stderr_has "that none of the archives has"
expect_stderr_has "$missing"
[ -e mon.redopack ] && [ -e wed.redopack ] || fail "something is gone" </dev/null
cp wed.redopack copy.redopack
prune_chain --keep-last=1 ../wed.redopack ../copy.redopack
expect_status 1
[ -e wed.redopack ] && [ -e copy.redopack ] || fail "one of the copies is gone" </dev/null
# With its middle in another file it is whole again.
redo -C chain archive create -q -o ../full.redopack >/dev/null
prune_chain --keep-last=1 ../wed.redopack ../copy.redopack ../full.redopack
expect_status 0
expect_equal "$(ls wed.redopack copy.redopack full.redopack 2>/dev/null | paste -sd' ')" "full.redopack wed.redopack" "what stays"

scene "bad calls"
run redo -C days archive prune day7.redopack
expect_status 129
expect_stderr_has "no rule is given"
run redo -C days archive prune --keep-last=1
expect_status 129
expect_stderr_has "no archive is named"
for number in 0 -1 x 1000001; do
  run redo -C days archive prune --keep-weekly="$number" day7.redopack
  expect_status 129
  expect_stderr_has "'--keep-weekly' expects a number from 1 on, not '$number'"
done
run redo -C days archive prune --keep-within=x day7.redopack
expect_error 128 "not a valid age 'x'"
run redo -C days archive prune --keep-last=1 day7.redopack ./day7.redopack
expect_error 128 "are the same file"
