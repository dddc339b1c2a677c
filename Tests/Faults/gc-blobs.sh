#!/bin/bash
# redo gc --blobs, struck at each system call by which it writes or reads, or killed there: what anything names stays, nothing is
# removed while something cannot be read, and the same command once more does the rest.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

# Blobs that a ref, the reflog, a node, another blob and rows name, and five that nothing does; all are old enough, as 0s is.
redo init -q full && redo -C full key generate >/dev/null
redo -C full import -q "$LOG" >/dev/null 2>&1
put() { redo -C full hash-object -t blob -w --stdin; }
tagged=$(put <<<tagged) once=$(put <<<once) inner=$(put <<<inner) list=$(put <<<"[\"$inner\"]")
redo -C full update-ref tags/one "$tagged"
redo -C full update-ref tags/list "$list"
redo -C full update-ref tags/once "$once"
redo -C full update-ref -d tags/once
echo picture >picture.png
chain=$(redo -C full receipt create <<<'{"product_name":"a","product_type":"b","rating":1,"effects":[]}')
redo -C full receipt mark --image="$PWD/picture.png" "$chain"
redo -C full checkpoint create >/dev/null 2>&1
redo -C full repack -q
redo -C full cat-node --batch-all-objects --batch-check='%(id)' >names
redo -C full cat-node --batch <names >named
for number in 1 2 3 4 5; do put <<<"nobody names $number"; done >unnamed
# what_stays: nothing that is named has gone, and each that is not is whole or gone.
what_stays() {
  redo -C struck cat-node --batch <names | cmp -s - named || fail "something that is named has gone, or changed" </dev/null
  ! redo -C struck cat-node --batch-check <unnamed | grep -v ' blob 15$\| missing$' || fail "a blob is neither whole nor gone" </dev/null
  redo -C struck verify >"$OUT" 2>"$ERR"
  ! grep '^error' "$OUT" || fail "verify finds damage" <"$OUT"
}
left() { redo -C struck cat-node --batch-check <unnamed 2>/dev/null | grep -c ' blob '; }
stage "redo gc --blobs" full /dev/null gc -q --blobs --grace=0s
what_stays
expect_equal "$(left)" 0 "what nothing names"

scene "killed at each of the calls that write"
kills=0
while read -r count call <&3; do
  for which in $(places "$count"); do
    strike signal=SIGKILL "$call" "$which"
    kills=$((kills + (STATUS == 137)))
    what_stays
    redo -C struck "${COMMAND[@]}" || fail "once more, it fails" </dev/null
    what_stays
    expect_equal "$(left)" 0 "what nothing names"
  done
done 3< <(grep -wE "$WRITING" counts)
((kills > $(fewer 8))) || fail "only $kills runs were killed" </dev/null

scene "each of the calls that write, and some that read, fails once"
failed=0
reading='openat|pread64|getdents64|read'
while read -r count call <&3; do
  for error in $(errors_of "$call" | cut -d' ' -f1); do
    before=0
    ! grep -qwE "$reading" <<<"$call" || before=$(before_main "$call")
    for which in $(places $((count - before))); do
      strike "error=$error" "$call" $((which + before))
      case $STATUS in
      0) ;;
      128 | 1 | 75) failed=$((failed + 1)) && grep -q '^fatal: \|^error: ' "$ERR" || fail "there is no message" </dev/null ;;
      *) expect_status 128 ;;
      esac
      what_stays
      redo -C struck "${COMMAND[@]}" || fail "once more, it fails" </dev/null
      expect_equal "$(left)" 0 "what nothing names"
      what_stays
    done
  done
done 3< <(grep -wE "$WRITING|$reading" counts)
((failed > $(fewer 10))) || fail "only $failed runs failed" </dev/null
