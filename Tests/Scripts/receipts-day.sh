#!/bin/bash
# The scenes of redo-receipts(7): each command line of the page runs as it stands there, and prints what the page says.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_python "the scenes of redo-receipts(7)" os

# play <first> <last>: runs the displays of the page from one place to another; what prints something else is named.
play() {
  "$PYTHON" - "$TESTS" "$1" "$2" <<'END'
import os, pathlib, sys
sys.dont_write_bytecode = True
tests, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, tests + "/Tidy")
import examples, project
page = project.ROOT / "man/redo-receipts.7"
text = page.read_text()
blocks = examples.from_page(text)
# Each display of the page is one of these.
assert len(blocks) == text.count("\n.Bd "), (len(blocks), text.count("\n.Bd "))
troubles = list(examples.check_text(page, blocks[first:last or None], pathlib.Path.cwd(), dict(os.environ)))
print(*troubles, sep="\n", end="\n" if troubles else "")
print(sum(len(examples.steps(block)) for block in blocks[first:last or None]), file=sys.stderr)
END
}

scene "every command line of the page prints what it says"
run play 0 -1
expect_status 0
expect_stdout ''
(($(cat "$ERR") > 40)) || fail "only $(cat "$ERR") lines are run" </dev/null

scene "what the page promises holds: nothing that is noted has left, and what others have shared does not go on"
cat friend/.redo/local message proof note day.svg >left
redo -C friend cat-node --batch --batch-all-objects >>left
redo -C friend export -q --kind=receipt --include-received --include-precise >>left
for words in Garden 'with Ben' 52.520008 'bytes of a picture'; do
  ! grep -aF "$words" left >/dev/null || fail "'$words' has left the store" </dev/null
done
redo -C memories local list >rows
grep -q 'with Ben' rows || fail "the note is gone" <rows
cmp -s <(redo -C again local list --json --table=locations) <(redo -C memories local list --json --table=locations) || fail "other places come back" </dev/null
redo -C friend checkpoint create >/dev/null 2>&1
run redo -C friend prove "$(cat shared)"
expect_error 1 "is proven only with '--include-received'"
for store in memories friend; do
  run redo -C $store verify
  expect_status 0
  expect_stdout ''
done

scene "in the end nothing is left of it"
rm left rows
run play -1 0
expect_status 0
expect_stdout ''
expect_equal "$(ls -A)" "" "files"
