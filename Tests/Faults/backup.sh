#!/bin/bash
# Backups whose makers are killed, or whose system calls fail: every point in the directory is whole, those of before are as
# they were unless a plan removed them, nothing that was acknowledged is lost, and the same command once more does its work.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 6

# The directory as it is before the command, beside the copy of the store.
copy_store() {
  rm -rf struck b
  cp -r "$STORE" struck
  [ ! -e before ] || cp -r before b
}
points() { (cd "$1" 2>/dev/null && ls | grep '\.redobackup$'); }

# restored: the newest point comes to the history of the store.
restored() {
  rm -rf back
  redo backup restore -q -o back b >"$OUT" 2>"$ERR" || fail "the newest point is not restored" <"$ERR"
  history back | cmp -s - expected.history || fail "the newest point has another history" <"$ERR"
}

# checked <command>: every point is whole, or says that it was made without objects that could not be read.
checked() {
  run redo backup check -q b
  RUN="$1, then redo backup check"
  [ $STATUS -eq 1 ] && ! grep -v '^error: .* that could not be read then$' "$ERR" || expect_status 0
}

# whole: what the struck command has left, and what the next one makes of it.
whole() {
  local command="$RUN" struck=$STATUS
  cp "$ERR" struck.err
  [ -z "$(points b)" ] || checked "$command"
  [ "$struck" -ne 1 ] || grep -q '^error: ' struck.err || fail "it does not say what is wrong" <struck.err
  [ "$struck" -ne 0 ] || restored
  if [ -e before ]; then
    # What is gone is what the plan removes, and only after the new point is there.
    points before | while read -r name; do
      if [ -e "b/$name" ]; then
        cmp -s "before/$name" "b/$name" || fail "'$name' is another file" </dev/null
      elif [ -e "after/$name" ]; then
        fail "'$name' is gone" </dev/null
      elif [ "${COMMAND[1]}" = create ] && ! points b | grep -qvxFf <(points before); then
        fail "'$name' is gone, and no new one is there" </dev/null
      fi
    done || exit 1
  fi
  RUN="$command, then once more"
  redo -C struck "${COMMAND[@]}" >"$OUT" 2>"$ERR"
  STATUS=$?
  # What could not be read the first time can be read now.
  expect_status 0
  [ "$(ls -A b | grep -c tmp_)" -eq 0 ] || fail "something unfinished is left" < <(ls -A b)
  checked "$command, then once more"
  expect_equal "$(redo backup list b 2>/dev/null | tail -1 | cut -d' ' -f5)" whole "the newest point"
  restored
  RUN=''
}

# struck_ones <call> <count>: all calls that write; of others, in the short form, the first and the last ones.
struck_ones() {
  local before
  before=$(before_main "$1")
  if [ -n "$SOAK" ] || grep -qwE "$WRITING" <<<"$1"; then every $((before + 1)) "$2"; else places "$2" "$before"; fi
}

# sweep <words> <arguments>...: the command is killed at each call that writes, and fails at each that writes, opens or reads.
sweep() {
  local count call which fault
  stage "$1" family /dev/null "${@:2}"
  rm -rf after && cp -r b after
  scene "$1: killed, and failing, at each system call"
  kills=0 failures=0
  while read -r count call <&3; do
    for fault in $(grep -qwE "$WRITING" <<<"$call" && echo signal=SIGKILL) $(errors_of "$call" | sed 's/[A-Z0-9]*/error=&/g'); do
      for which in $(struck_ones "$call" "$count"); do
        strike "$fault" "$call" "$which"
        [[ $STATUS =~ ^(0|1|128|137)$ ]] || expect_status 128
        # Unless it is the message itself that cannot be written.
        if [ "$STATUS" -eq 128 ] && [ -s "$ERR" ]; then
          expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages of '$RUN'"
        fi
        kills=$((kills + (STATUS == 137))) failures=$((failures + (STATUS == 128)))
        whole
      done
    done
  done 3<counts
  ((kills > $(fewer 8) && failures > $(fewer 8))) || fail "only $kills were killed, and $failures failed" </dev/null
}

make_family
echo text >text && redo -C family hash-object -w -t blob "$PWD/text" >"$OUT"
sweep "a first backup" backup create ../b

redo -C family backup -q ../before
a_node >node.json && redo -C family hash-object -w --update-heads --stdin <node.json >"$OUT" 2>"$ERR"
sweep "an increment" backup create ../b

redo -C family backup -q ../before && sleep 0.01 && redo -C family backup -q --full ../before
sweep "a full one and a plan" backup create --full --keep-last=1 ../b

sweep "a plan" backup prune --keep-last=1 ../b

scene "a disk that is full at any place leaves nothing half there"
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=1m none small 2>/dev/null; then
  at_exit "umount '$PWD/small'"
  size=$(cat after/*.redobackup | wc -c)
  for place in $(seq 1 20 | chosen full); do
    rm -rf small/b small/filler
    cp -r before small/b
    free=$(df --output=avail -B1 small | tail -1)
    dd if=/dev/zero of=small/filler bs=$((free - size * place / 20)) count=1 status=none
    run redo -C family backup --full --keep-last=1 ../small/b
    [ "$STATUS" -eq 0 ] || expect_status 128
    [ "$STATUS" -eq 0 ] || diff -r before small/b -x .redo-backup.lock >"$OUT" || fail "the directory is another" <"$OUT"
    rm small/filler
    run redo -C family backup --keep-last=1 ../small/b
    expect_status 0
    run redo backup check -q small/b
    expect_status 0
  done
else
  skip "no file system can be mounted"
fi
