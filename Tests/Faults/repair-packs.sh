#!/bin/bash
# A repair of a pack that is killed or refused at the system calls by which it writes: what could be read can be read
# still, the damaged pack is in its place or in lost-found, and the same command once more finishes.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

redo init -q good
demo 12 | redo -C good -c core.fsync=none import -q >/dev/null
redo -C good repack -q
redo -C good log >/dev/null
HASH=$(redo -C good state -q --hash)
PACK=$(cd good && echo .redo/objects/pack/*.pack)
good_objects() { redo -C "$1" cat-node --batch-check='%(id) %(signature)' --batch-all-objects | grep -v ' corrupt$'; }
good_objects good >good.objects
expect_equal "$(wc -l <good.objects)" 12 "nodes"

# Damage of the one frame, whose nodes all come from the source, and of the end, before which all nodes are kept.
for where in 500 -1; do
  cp -r good "damaged$where"
  chmod u+w "damaged$where/$PACK"
  python3 - "damaged$where/$PACK" $where <<'END'
import os, sys
with open(sys.argv[1], "r+b") as file:
    place = int(sys.argv[2]) % os.path.getsize(sys.argv[1])
    file.seek(place)
    byte = file.read(1)[0]
    file.seek(place)
    file.write(bytes([byte ^ 1]))
END
  chmod 444 "damaged$where/$PACK"
done

# attempt <store> <fault of strace> <system call> <which of them>
attempt() {
  rm -rf struck
  cp -r "$1" struck
  RUN="redo verify --repair-from of '$1' with $3:$2:when=$4"
  { timeout 60 strace -qq -f -o /dev/null -e "trace=$3" -e "inject=$3:$2:when=$4" \
    "$REDO_BIN" -C struck verify --repair-from="$PWD/good" >printed 2>"$ERR"; } 2>/dev/null
  STATUS=$?
}

# judge <store>: nothing that could be read is lost, nor the bytes of the pack; once more, and everything is as it was.
judge() {
  local was="$RUN" sum
  good_objects "$1" 2>/dev/null | sort >before
  good_objects struck 2>/dev/null | sort >after
  [ -z "$(comm -23 before after)" ] || fail "what could be read cannot be any more" < <(comm -23 before after)
  sum=$(sha256sum <"$1/$PACK")
  cat struck/"$PACK" 2>/dev/null | sha256sum | grep -qF "$sum" ||
    cat struck/.redo/lost-found/pack-*Z 2>/dev/null | sha256sum | grep -qF "$sum" ||
    fail "the damaged pack is thrown away" < <(ls -R struck/.redo/objects/pack struck/.redo/lost-found)
  RUN="$was, then once more"
  redo -C struck verify --repair-from="$PWD/good" >"$OUT" 2>"$ERR"
  STATUS=$?
  expect_status 0
  good_objects struck | cmp -s - good.objects || fail "other objects" </dev/null
  expect_equal "$(redo -C struck state -q --no-cache --hash 2>&1)" "$HASH" "the state"
  redo -C struck verify | grep -v '^info file-unfinished ' >"$OUT"
  [ ! -s "$OUT" ] || fail "something is damaged still" <"$OUT"
  RUN=''
}

for where in 500 -1; do
  store=damaged$where
  rm -rf struck
  cp -r "$store" struck
  strace -qq -f -o calls "$REDO_BIN" -C struck verify --repair-from="$PWD/good" >/dev/null 2>"$ERR" || fail "it fails undisturbed" <"$ERR"
  sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' calls | grep -wE "$WRITING" | sort | uniq -c >counts

  scene "a pack with damage at $where: killed at each of the calls that write"
  kills=0
  while read -r count call <&3; do
    for which in $(places "$count"); do
      attempt "$store" signal=SIGKILL "$call" "$which"
      [ $STATUS -eq 0 ] || expect_status 137
      kills=$((kills + (STATUS == 137)))
      judge "$store"
    done
  done 3<counts
  ((kills > $(fewer 8))) || fail "only $kills runs were killed" <counts

  scene "a pack with damage at $where: each of the calls that write fails once"
  failed=0
  while read -r count call <&3; do
    for error in $(errors_of "$call" | cut -d' ' -f1); do
      for which in $(places "$count"); do
        attempt "$store" "error=$error" "$call" "$which"
        if [ $STATUS -ne 0 ]; then
          [ $STATUS -eq 1 ] || expect_status 128
          failed=$((failed + 1))
        fi
        judge "$store"
      done
    done
  done 3<counts
  ((failed > $(fewer 5))) || fail "only $failed runs failed" <counts
done
