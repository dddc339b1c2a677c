#!/bin/bash
# Every system call by which an archive and its manifest are replaced fails once, and is the last one once: the archive
# is the old one or the new one, and never lies beside the manifest of the other.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_family
redo -C family key generate >/dev/null 2>&1
tip=$(redo -C family log --format='%(id)' | tail -n 1)
rm -rf struck && cp -r family struck
redo -C struck archive create -q --manifest -o old "$tip" >/dev/null
redo -C struck archive create -q --manifest -o good >/dev/null
mkdir old good && mv struck/old* old && mv struck/good* good
create() { # create <what strace injects>...
  strace -qq -f "$@" "$REDO_BIN" -C struck archive create -q -f --manifest -o out
}
reset() {
  rm -f struck/out* struck/.tmp*
  local name
  for name in old/*; do cp "$name" "struck/out${name#old/old}"; done
}
reset
create -o calls >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
cmp -s struck/out.manifest.sig good/good.manifest.sig || fail "the signature is another one" </dev/null
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING|unlinkat" | sort | uniq -c >counts
grep -q unlinkat counts && grep -q rename counts || fail "nothing is removed or renamed" <counts

expect_whole() {
  cmp -s struck/out old/old || cmp -s struck/out good/good || fail "it is neither the old file nor the new one" <"$ERR"
  redo -C struck archive verify out >verified 2>&1 || fail "the manifest is that of another" <verified
}

scene "redo archive create --manifest: one error at each call that writes"
failed=0
while read -r count call <&3; do
  for which in $(places "$count"); do
    reset
    RUN="redo archive create --manifest with $call failing, number $which"
    { create -o /dev/null -e "trace=$call" -e "inject=$call:error=EIO:when=$which" >printed 2>"$ERR"; } 2>/dev/null
    STATUS=$?
    if [ $STATUS -ne 0 ]; then
      expect_status 128
      failed=$((failed + 1))
    else
      cmp -s struck/out good/good || fail "it succeeds, and the file is the old one" <"$ERR"
    fi
    expect_whole
  done
done 3<counts
[ $failed -ge 6 ] || fail "only $failed errors were told of" <counts

scene "redo archive create --manifest: killed at each call that writes"
while read -r count call <&3; do
  for which in $(places "$count"); do
    reset
    RUN="redo archive create --manifest with $call killed, number $which"
    { create -o /dev/null -e "trace=$call" -e "inject=$call:signal=SIGKILL:when=$which" >printed 2>"$ERR"; } 2>/dev/null
    expect_whole
    # Leftovers are not in the way.
    redo -C struck archive create -q -f --manifest -o out >/dev/null || fail "it does not work any more" </dev/null
    cmp -s struck/out.manifest good/good.manifest || fail "the manifest is another one" </dev/null
    expect_whole
  done
done 3<counts
