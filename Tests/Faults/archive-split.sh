#!/bin/bash
# Every system call by which archives of years are written fails once, and is the last one once: there are whole files
# only, and the next run makes all of them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

make_family
tip=$(redo -C family log -n 1 --format='%(id)')
for month in 04 05; do
  for day in 01 02; do
    tip=$(node NOTE '' 9${month}${day} ${day}T00:00:00.000 "\"text\":\"$month\"" "$tip" | sed "s/2025-03/2025-$month/" |
      redo -C family hash-object -w --update-heads --stdin 2>/dev/null) || fail "a node cannot be made" </dev/null
  done
done
stored family >old.objects
STATE=$(redo -C family state --no-cache --hash 2>/dev/null)
# All of few calls, so that each file is struck.
all_places() { if [ "$1" -le 16 ]; then every 1 "$1"; else places "$1"; fi; }
# strike_split <what strace injects>...
strike_split() {
  { strace -qq -f -o "${CALLS:-/dev/null}" "$@" "$REDO_BIN" -C struck archive create -q "${WORDS[@]}" -o out >printed 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}
expect_whole() {
  local file
  for file in struck/out*; do
    [ ! -e "$file" ] || cmp -s "$file" "good/${file#struck/}" || fail "'$file' is not whole" <"$ERR"
  done
  while read -r _ _ _ _ _ file; do [ -e "struck/$file" ] || fail "'$file' is printed and not there" <printed; done <printed
  expect_equal "$(redo -C struck state --no-cache --hash 2>/dev/null)" "$STATE" "the state"
  stored struck | cmp -s - old.objects || fail "an object is lost" </dev/null
}
for kind in "" --remove; do
  WORDS=(--split=month $kind)
  STORE=family
  copy_store
  CALLS=calls strike_split
  [ $STATUS -eq 0 ] || fail "it fails undisturbed" <"$ERR"
  rm -rf good && mkdir good && cp struck/out* good
  FILES=$(ls good)
  [ "$(wc -l <<<"$FILES")" -eq 3 ] || fail "there are not three files" <<<"$FILES"
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
  for fault in error=EIO error=ENOSPC signal=SIGKILL; do
    scene "redo archive create ${WORDS[*]}: $fault at each call that writes"
    failed=0
    while read -r count call <&3; do
      for which in $(all_places "$count"); do
        copy_store
        RUN="redo archive create ${WORDS[*]} with $call, number $which, and $fault"
        strike_split -e "trace=$call" -e "inject=$call:$fault:when=$which"
        [ $STATUS -eq 0 ] || failed=$((failed + 1))
        expect_whole
        rm -f struck/.tmp*
        RUN="$RUN, then once more"
        # What is left, if anything is.
        redo -C struck archive create -q -f "${WORDS[@]}" -o out >printed 2>"$ERR" ||
          grep -q '^fatal: all .* nodes are in registered archives' "$ERR" || fail "it does not work any more" <"$ERR"
        expect_whole
        expect_equal "$(cd struck && echo out*)" "$(paste -sd ' ' <<<"$FILES")" "the files"
        [ -z "$kind" ] || expect_equal "$(redo -C struck archive list | grep -c ' present ')" "$(wc -l <<<"$FILES")" "the registered archives"
      done
    done 3<counts
    ((failed > $(fewer 5))) || fail "only $failed were told of" <counts
  done
done
