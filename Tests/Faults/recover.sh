#!/bin/bash
# A recovery that is killed, interrupted or refused at the system calls by which it writes: there is no store or a whole
# one, no refs or all of them, and the store that is recovered from stays as it is.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

redo init -q family
redo -C family import -q "$VECTORS/log/merged.ndjson" >/dev/null
redo -C family import -q "$VECTORS/log/parents-in-another-task.ndjson" >/dev/null
POINT=$(redo -C family log --format='%(wall)' | sort | tail -3 | head -1)
CALLS="$WRITING|mkdir"
redo -C family recover -q --to="$POINT" -o "$PWD/expected"
redo -C expected log --format='%(id)' >expected.log
redo -C expected show-ref --heads >expected.refs
redo -C family state -q --as-of="$POINT" >expected.state
[ "$(wc -l <expected.log)" -gt 3 ] || fail "too little is recovered" </dev/null
BEFORE=$(fingerprint family)

# whole <store>: exactly what should have been recovered.
whole() {
  redo -C "$1" log --format='%(id)' 2>"$ERR" | cmp -s - expected.log || fail "the store is not whole" <"$ERR"
  redo -C "$1" show-ref --heads 2>"$ERR" | cmp -s - expected.refs || fail "the heads are others" <"$ERR"
  redo -C "$1" state -q --no-cache 2>"$ERR" | cmp -s - expected.state || fail "the state is another" <"$ERR"
  ! redo -C "$1" verify --all 2>&1 | grep -qv '^G ' || fail "a bad object" <"$ERR"
}

# attempt <fault of strace> <system call> <which of them>: a recovery into `made/new` with one call struck.
attempt() {
  rm -rf made
  RUN="redo recover -o with $2:$1:when=$3"
  { strace -qq -f -o /dev/null -e "trace=$2" -e "inject=$2:$1:when=$3" \
    "$REDO_BIN" -C family recover -q --to="$POINT" -o "$PWD/made/new" >printed 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}

# judge: what an attempt has left, and the same once more.
judge() {
  expect_untouched "$BEFORE" family
  if [ $STATUS -eq 0 ]; then [ -d made/new/.redo ] || fail "there is no store" <"$ERR"; fi
  if [ -e made/new/.redo ]; then
    whole made/new
    redo -C family recover -q --to="$POINT" -o "$PWD/made/new" >"$OUT" 2>"$ERR" && fail "it is replaced" <"$ERR"
  else
    [ ! -d made/new ] || ! redo -C made/new log >"$OUT" 2>&1 || fail "half a store is taken for one" <"$OUT"
    redo -C family recover -q --to="$POINT" -o "$PWD/made/new" >"$OUT" 2>"$ERR" || fail "once more fails" <"$ERR"
    whole made/new
  fi
}

# The calls by which an undisturbed recovery writes, and how often.
rm -rf made
strace -qq -f -o calls "$REDO_BIN" -C family recover -q --to="$POINT" -o "$PWD/made/new" >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$CALLS" | sort | uniq -c >counts
ends() { seq 1 "$1" | awk -v "count=$1" '$1 <= 3 || $1 > count - 2'; }

scene "redo recover -o: killed at each of the calls that write"
kills=0
while read -r count call <&3; do
  for which in $(ends "$count"); do
    attempt signal=SIGKILL "$call" "$which"
    [ $STATUS -eq 0 ] || expect_status 137
    kills=$((kills + (STATUS == 137)))
    judge
  done
done 3<counts
((kills > 20)) || fail "only $kills runs were killed" </dev/null

scene "redo recover -o: each of the calls that write fails once; nothing is left of it"
failed=0
while read -r count call <&3; do
  error=EIO
  case $call in mkdir | mkdirat) error=EACCES ;; fcntl) error=ENOLCK ;; write | pwrite64) error=ENOSPC ;; esac
  for which in $(ends "$count"); do
    attempt "error=$error" "$call" "$which"
    if [ $STATUS -ne 0 ]; then
      expect_status 128
      failed=$((failed + 1))
      expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
      case $call in
      unlinkat | unlink | rmdir) ;;
      *) [ -e made/new/.redo ] || [ ! -e made ] || fail "something is left" < <(find made) ;;
      esac
    fi
    judge
  done
done 3<counts
((failed > 15)) || fail "only $failed runs failed" </dev/null

scene "redo recover -o: interrupted; nothing is left of it"
interrupted=0
for call in mkdirat renameat2; do
  for which in 1 3 9; do
    attempt signal=SIGINT "$call" "$which"
    if [ $STATUS -ne 0 ]; then
      expect_status 130
      interrupted=$((interrupted + 1))
      [ ! -e made ] || fail "something is left" < <(find made)
    fi
    judge
  done
done
((interrupted > 0)) || fail "nothing was interrupted" </dev/null

# The refs, and the history beside them, which must not change.
# refs_of <store>: the recovered refs, as heads.
refs_of() { redo -C "$1" show-ref recovered/old 2>/dev/null | sed 's,recovered/old/,,'; }
for fault in signal=SIGKILL error=EIO; do
  scene "redo recover --write-ref: $fault at each of the calls that write; the refs are there, all or none"
  stage "redo recover" family /dev/null recover -q --to="$POINT" --write-ref=old --force
  refs_of struck | cmp -s - expected.refs || fail "the refs are others" </dev/null
  struck=0
  while read -r count call <&3; do
    for which in $(ends "$count"); do
      strike $fault "$call" "$which"
      [ $STATUS -eq 0 ] || struck=$((struck + 1))
      refs_of struck >refs
      [ ! -s refs ] || cmp -s refs expected.refs || fail "some of the refs are there" <refs
      [ $STATUS -ne 0 ] || [ -s refs ] || fail "the refs are not there" </dev/null
      sound
      refs_of struck | cmp -s - expected.refs || fail "the refs are not there in the end" </dev/null
    done
  done 3< <(grep -wE "$WRITING" counts)
  ((struck > 1)) || fail "only $struck runs were struck" </dev/null
done

scene "a disk that is full before the store is whole: one clear error, and nothing is left"
mkdir disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=1m,mode=755 none disk 2>/dev/null; then
  skip "only root can mount a small disk"
  exit 0
fi
at_exit "umount '$PWD/disk'"
redo init -q large
demo 1500 | redo -C large -c core.fsync=none import -q >/dev/null
for directory in disk/new disk; do
  # As a file a node: one pack of them would find room.
  run redo -C large -c core.bulkLimit=1500 recover -q --to=now -o "$PWD/$directory"
  expect_error 128 "no space left on device"
  expect_equal "$(ls -A disk)" '' "what is on the disk"
done
mount -o remount,size=100m disk
run redo -C large recover -q --to=now -o "$PWD/disk"
expect_status 0
expect_equal "$(history disk | sha256sum)" "$(history large | sha256sum)" "the history"
expect_clean disk
