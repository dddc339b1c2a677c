#!/bin/bash
# Every system call by which an export writes fails once: no file, or a whole one.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_family
scene "redo export -o: one error at each call that writes; no file, no part of one"
ROOT=$PWD
for form in json ndjson dir; do
  rm -rf struck && cp -r family struck
  strace -qq -f -o calls "$REDO_BIN" -C struck export -q --format=$form -o out >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  rm -rf struck/out
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
  [ -s counts ] || fail "nothing is written" </dev/null
  while read -r count call <&3; do
    for which in $(places "$count"); do
      rm -rf struck/out struck/.tmp*
      RUN="redo export --format=$form with $call failing, number $which"
      { strace -qq -f -o /dev/null -e "trace=$call" -e "inject=$call:error=EIO:when=$which" \
        "$REDO_BIN" -C struck export -q --format=$form -o out >printed 2>"$ERR"; } 2>/dev/null
      STATUS=$?
      if [ $STATUS -ne 0 ]; then
        expect_status 128
        if [ $form != dir ] && [ -e struck/out ] && [ "$call" != fsync ] && [ "$call" != write ]; then
          fail "there is a file" <"$ERR"
        fi
      fi
      # What is there is whole: it can be read back.
      if [ -e struck/out ]; then
        rm -rf back && redo init -q back
        redo -C back import -q "$ROOT/struck/out" >"$OUT" 2>"$ERR" || fail "what is there is not whole" <"$ERR"
        [ $form = dir ] || history back | cmp -s - old.history || fail "what is there is not whole" <"$ERR"
      fi
      case $call in
      unlinkat | unlink) ;;
      *) expect_equal "$(find struck -name '.tmp*' | wc -l)" 0 "unfinished files" ;;
      esac
    done
  done 3<counts
done

scene "redo export -o: killed at each call that writes; no file, or a whole one"
rm -rf struck && cp -r family struck
strace -qq -f -o calls "$REDO_BIN" -C struck export -q -o out >/dev/null 2>"$ERR"
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
while read -r count call <&3; do
  for which in $(places "$count"); do
    rm -rf struck/out struck/.tmp*
    RUN="redo export with $call killed, number $which"
    { strace -qq -f -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$which" \
      "$REDO_BIN" -C struck export -q -o out >printed 2>"$ERR"; } 2>/dev/null
    [ -e struck/out ] || continue
    rm -rf back && redo init -q back
    redo -C back import -q "$ROOT/struck/out" >"$OUT" 2>"$ERR" || fail "what is there is not whole" <"$ERR"
    history back | cmp -s - old.history || fail "what is there is not whole" <"$ERR"
  done
done 3<counts
