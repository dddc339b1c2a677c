# What the scripts of the audit share, besides lib.sh: a sound store, and copies of it that are broken.
. "$(dirname "${BASH_SOURCE[0]}")/snapshot.bash"

own_copies
SOUND=$WORK/sound
redo init -q "$SOUND"
demo 150 | redo -C "$SOUND" import -q >/dev/null
redo -C "$SOUND" log >/dev/null # makes the index
redo -C "$SOUND" snapshot create -q

# broken <command line>: a copy of the sound store, broken by it, and audited; never longer than 20 seconds.
broken() {
  cd "$WORK" && chmod -R u+rwX here && rm -rf here && cp -a "$SOUND" here && cd here || exit 1
  eval "$1"
  run timeout 60 redo verify
}

# found <severity> <rule> <id|-> <path|-> [<status>]: exactly this row and no other, a detail aside, and the status.
found() {
  expect_stdout_lines 1
  cut -d' ' -f1-4 "$OUT" >"$WORK/row"
  expect_equal "$(cat "$WORK/row")" "$1 $2 $3 $4" "the row"
  expect_status "$([ "$1" = error ] && echo 1 || echo 0)"
}

# has <severity> <rule> <id|-> <path|->: this row among others.
has() { grep -q "^$1 $2 $3 $4\( \|$\)" "$OUT" || fail "no row '$1 $2 $3 $4'" <"$OUT"; }

surgery() { python3 "$TESTS/Scripts/surgery.py" "$1" .redo "${@:2}"; }
task_of() { redo cat-node "$1" | grep -o '"taskId":"[^"]*"' | cut -d'"' -f4; }

path_of() { echo "objects/${1:7:2}/${1:9}"; }
demo 150 | ids_of >ids
redo -C "$SOUND" show-ref | cut -d' ' -f1 | sort >heads
grep -vxFf heads ids >inner
HEAD=$(head -1 heads) INNER=$(tail -1 inner)
HEAD_PATH=$(path_of "$HEAD") INNER_PATH=$(path_of "$INNER")
SHARD=${INNER_PATH%/*}
cp ids heads inner "$WORK"
