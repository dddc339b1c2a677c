#!/bin/bash
# A repair that is killed or refused at the system calls by which it writes: what was damaged is damaged still or
# repaired, nothing that was good is lost, and the same command once more finishes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

redo init -q good
redo -C good import -q "$VECTORS/log/merged.ndjson" >/dev/null
redo -C good log --format='%(id)' >ids
redo -C good log --format='%(id)' | awk '{ for (i = 0; i < 120; i++) print "create tags/n" NR "-" i, $1 }' >names
cp -r good early
redo -C good update-ref --stdin <names
redo -C good import -q "$VECTORS/log/parents-in-another-task.ndjson" >/dev/null
for number in 6 12 18; do
  head -$number "$VECTORS/log/linear.ndjson" | redo -C good import -q >/dev/null
done
HASH=$(redo -C good state -q --hash)
redo -C good show-ref >good.refs
good_objects() { redo -C "$1" cat-node --batch-check='%(id) %(signature)' --batch-all-objects | grep -v ' corrupt$'; }
good_objects good >good.objects
COUNT=$(wc -l <good.objects)

cp -r good objects-damaged
for number in 2 3 4 5; do
  id=$(sed -n ${number}p ids)
  file=objects-damaged/.redo/objects/${id:7:2}/${id:9}
  chmod u+w "$file"
  case $number in
  2) rm "$file" ;;
  3) truncate -s 30 "$file" ;;
  4) rm "$file" && mkdir "$file" ;;
  5) rm "$file" && ln -s /nowhere "$file" ;;
  esac
done
for file in refs refs.journal reflog received; do
  cp -r good "$file-damaged"
  alter "$file-damaged/.redo/$file" 150
done
cp -r good all-damaged
for file in refs refs.journal reflog received; do
  alter "all-damaged/.redo/$file" 150
done
# Refs that are behind: a journal cut off, and refs and journal as they were before the last fold.
cp -r good refs.journal-cut-damaged
truncate -s 200 refs.journal-cut-damaged/.redo/refs.journal
cp -r good refs.journal-back-damaged
cp early/.redo/refs early/.redo/refs.journal refs.journal-back-damaged/.redo/
for what in cut back; do
  run redo -C refs.journal-$what-damaged log
  expect_status 128
  expect_stderr_has refs-behind
done

# attempt <store> <fault of strace> <system call> <which of them> <options>...
attempt() {
  rm -rf struck
  cp -r "$1" struck
  RUN="redo verify ${*:5} of '$1' with $3:$2:when=$4"
  { timeout 60 strace -qq -f -o /dev/null -e "trace=$3" -e "inject=$3:$2:when=$4" \
    "$REDO_BIN" -C struck verify "${@:5}" >printed 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}

# judge <store> <options>...: every object that was good is there; once more, and everything is as it was.
judge() {
  local was="$RUN"
  good_objects struck 2>/dev/null >objects
  good_objects "$1" 2>/dev/null | while read -r line; do
    grep -qxF "$line" objects || fail "a good object is lost: $line" <objects
  done || exit 1
  RUN="$was, then once more"
  redo -C struck verify "${@:2}" >"$OUT" 2>"$ERR"
  STATUS=$?
  expect_status 0
  redo -C struck verify --repair-refs >"$OUT" 2>"$ERR" || fail "a repair is left" <"$ERR"
  [ ! -s "$OUT" ] || fail "refs are damaged still" <"$OUT"
  expect_equal "$(redo -C struck state -q --no-cache --hash 2>&1)" "$HASH" "the state"
  good_objects struck | cmp -s - good.objects || fail "other objects" </dev/null
  case $1 in
  all-* | refs.journal-*) ;;
  *) redo -C struck show-ref | cmp -s - good.refs || fail "other refs" </dev/null ;;
  esac
  RUN=''
}

for what in objects refs refs.journal refs.journal-cut refs.journal-back reflog received all; do
  options=(--repair-refs)
  [ $what != objects ] || options=(--repair-from="$PWD/good")
  rm -rf struck
  cp -r $what-damaged struck
  strace -qq -f -o calls "$REDO_BIN" -C struck verify "${options[@]}" >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts

  scene "redo verify ${options[0]%%=*}: $what: killed at each of the calls that write"
  kills=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      attempt $what-damaged signal=SIGKILL "$call" "$which" "${options[@]}"
      [ $STATUS -eq 0 ] || expect_status 137
      kills=$((kills + (STATUS == 137)))
      judge $what-damaged "${options[@]}"
    done
  done 3<counts
  ((kills > $(fewer 10))) || fail "only $kills runs were killed" </dev/null

  scene "redo verify ${options[0]%%=*}: $what: each of the calls that write fails once"
  failed=0
  while read -r count call <&3; do
    for error in $(errors_of "$call" | cut -d' ' -f1); do
      for which in $(places "$count"); do
        attempt $what-damaged "error=$error" "$call" "$which" "${options[@]}"
        if [ $STATUS -ne 0 ]; then
          expect_status 128
          failed=$((failed + 1))
          expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
        elif must_fail "$call" && [ "$call" != write ]; then
          # A name that can be had in no other way is had by a move.
          case $call in linkat | renameat2) ;; *) fail "it does not notice" <"$ERR" ;; esac
        fi
        judge $what-damaged "${options[@]}"
      done
    done
  done 3<counts
  ((failed > $(fewer 5))) || fail "only $failed runs failed" </dev/null
done
