#!/bin/bash
# Every system call by which an archive is written fails once, and is the last one once: the file that was there, or
# the whole new one.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_family
redo -C family archive create -q -o good >/dev/null
redo -C family archive create -q -o old "$(redo -C family log --format='%(id)' | tail -n 1)" >/dev/null
! cmp -s family/good family/old || fail "both archives are the same" </dev/null
mv family/good family/old .
rm -rf struck && cp -r family struck
create() { # create <what strace injects>...
  strace -qq -f "$@" "$REDO_BIN" -C struck archive create -q -f -o out
}
cp old struck/out
create -o calls >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts
grep -q fsync counts && grep -q rename counts || fail "nothing is synced or renamed" <counts

expect_whole() {
  cmp -s struck/out old || cmp -s struck/out good || fail "it is neither the old file nor the new one" <"$ERR"
}

scene "redo archive create: one error at each call that writes"
failed=0
while read -r count call <&3; do
  for which in $(places "$count"); do
    rm -f struck/.tmp*
    cp old struck/out
    RUN="redo archive create with $call failing, number $which"
    { create -o /dev/null -e "trace=$call" -e "inject=$call:error=EIO:when=$which" >printed 2>"$ERR"; } 2>/dev/null
    STATUS=$?
    if [ $STATUS -ne 0 ]; then
      expect_status 128
      failed=$((failed + 1))
    else
      cmp -s struck/out good || fail "it succeeds, and the file is the old one" <"$ERR"
    fi
    expect_whole
    case $call in
    unlinkat | unlink) ;;
    *) expect_equal "$(find struck -name '.tmp_redo_archive*' | wc -l)" 0 "unfinished files" ;;
    esac
  done
done 3<counts
[ $failed -ge 4 ] || fail "only $failed errors were told of" <counts

scene "redo archive create: killed at each call that writes"
while read -r count call <&3; do
  for which in $(places "$count"); do
    rm -f struck/.tmp*
    cp old struck/out
    RUN="redo archive create with $call killed, number $which"
    { create -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$which" >printed 2>"$ERR"; } 2>/dev/null
    expect_whole
    # Leftovers are not in the way.
    redo -C struck archive create -q -f -o out >/dev/null || fail "it does not work any more" </dev/null
    cmp -s struck/out good || fail "the file is another one" </dev/null
  done
done 3<counts
