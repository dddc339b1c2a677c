#!/bin/bash
# The graph index: the same bytes of output with it and without it, whatever becomes of its files.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ALL='%(id) %(kind) %(lamport) %(wall) %(action) %(task) %(author:userid) %(author:device) %(author:name) %(author:email) %(author:devicename) %(author:key) %(parents) %(data)'
# same [<store>]: each form of a log is the same without the index.
same() {
  local store=${1:-.} arguments
  for arguments in "--format=%(id)" "--format=$ALL" "--format=$ALL -z" "--format=%(id)%(wall) -n7" \
    "--format=%(parents) --reverse --skip=3" "--json" "" "--format=%(size) -n5"; do
    split "$arguments"
    redo -C "$store" log --no-cache "${words[@]}" >plain 2>"$ERR" || fail "redo log --no-cache fails" <"$ERR"
    run redo -C "$store" log "${words[@]}"
    expect_status 0
    cmp -s plain "$OUT" || fail "redo log $arguments differs" < <(diff plain "$OUT" | head)
  done
  redo -C "$store" state -q --no-cache >plain 2>"$ERR" || fail "redo state --no-cache fails" <"$ERR"
  run redo -C "$store" state -q
  expect_status 0
  cmp -s plain "$OUT" || fail "redo state differs" < <(diff plain "$OUT" | head)
}
# The words of an argument list in which only options are separated by ' -'.
split() {
  words=()
  local rest=$1
  while [ -n "$rest" ]; do
    case $rest in
    *" -"*) words+=("${rest%% -*}") rest=-${rest#* -} ;;
    *) words+=("$rest") rest='' ;;
    esac
  done
}

scene "every log of the vectors, and a log of 3,000 changes"
for log in "$VECTORS"/log/*.ndjson; do
  rm -rf store && redo init -q store
  redo -C store import -q --salvage <"$log" >/dev/null 2>&1
  same store
  [ -f store/.redo/cache/graph ] || fail "there is no index of ${log##*/}" </dev/null
done
demo 3000 >log.ndjson
redo init -q demo && redo -C demo -c core.fsync=none import -q <log.ndjson >/dev/null
same demo

scene "it grows by what comes: one change, many, and changes that belong in the middle"
redo init -q grown && redo -C grown key generate >/dev/null 2>&1
head -2000 log.ndjson | redo -C grown -c core.fsync=none import -q >/dev/null
same grown
before=$(stat -c %i grown/.redo/cache/graph)
for number in 1 2 3; do
  redo -C grown commit -q create --title=$number >/dev/null
  same grown
done
sed -n 2001,2400p log.ndjson | redo -C grown -c core.fsync=none import -q >/dev/null
same grown
expect_equal "$(stat -c %i grown/.redo/cache/graph)" "$before" "the large part is not written anew"
[ -f grown/.redo/cache/graph.tail ] || fail "there is no small part" </dev/null
for number in $(seq 4500); do echo "{\"action\":\"CREATE\",\"fields\":{\"title\":\"$number\"}}"; done |
  redo -C grown -c core.fsync=none commit -q --stdin >/dev/null
same grown
[ "$(stat -c %i grown/.redo/cache/graph)" != "$before" ] || fail "the small part has become too large" </dev/null

scene "what the heads do not reach is not shown"
head=$(redo -C demo log -n 1 --format='%(id) %(task)')
read -r id task <<<"$head"
parent=$(redo -C demo rev-parse "$id~1")
redo -C demo update-ref "heads/$task" "$parent" "$id"
same demo
! redo -C demo log --format='%(id)' | grep -q "$id" || fail "a node that no head reaches is shown" </dev/null
redo -C demo update-ref "heads/$task" "$id" "$parent"
same demo
redo -C demo wipe -q --yes --author="$(redo -C demo log -n 1 --format='%(author:userid)')" >/dev/null 2>&1
same demo
redo -C demo import -q <log.ndjson >/dev/null
same demo

scene "a damaged index is made anew, and nothing of it is printed"
if command -v python3 >/dev/null; then
  redo init -q small && redo -C small import -q <"$VECTORS/log/merged.ndjson" >/dev/null
  redo -C small log --no-cache --format="$ALL" >plain
  redo -C small log --format="$ALL" >/dev/null
  cp small/.redo/cache/graph whole
  cat >damage.py <<'END'
import subprocess, sys
whole, plain = open("whole", "rb").read(), open("plain", "rb").read()
places = sorted({*range(0, 300, 3), *range(0, len(whole), 61), *range(len(whole) - 200, len(whole), 3)})
for place in places:
    for way in (bytes([whole[place] ^ 1]), b"", b"\0\0\0\0\0\0\0\0"):
        with open("small/.redo/cache/graph", "wb") as file:
            file.write(whole[:place] + way + (whole[place + 1:] if way else b""))
        found = subprocess.run(["redo", "-C", "small", "log", "--format=" + sys.argv[1]], capture_output=True)
        if found.returncode != 0 or found.stdout != plain:
            sys.exit(f"byte {place}, {way}: {found.returncode} {found.stderr[:300]}")
END
  run python3 damage.py "$ALL"
  expect_status 0
else
  skip "python3 is missing"
fi

scene "other things in its place change no output"
for way in "rm -rf demo/.redo/cache/graph" ": >demo/.redo/cache/graph" "head -c 100000 /dev/urandom >demo/.redo/cache/graph" \
  "rm demo/.redo/cache/graph && mkdir demo/.redo/cache/graph" "rmdir demo/.redo/cache/graph && ln -s /dev/zero demo/.redo/cache/graph" \
  "rm demo/.redo/cache/graph && cp grown/.redo/cache/graph* demo/.redo/cache" "rm -rf demo/.redo/cache" "mkdir demo/.redo/cache && touch demo/.redo/cache/graph.tail"; do
  eval "$way"
  same demo
  case $way in
  *"-rf demo/.redo/cache") [ -f demo/.redo/cache/graph ] || fail "the index is not made again" </dev/null ;;
  esac
done

scene "a store that cannot be written is read all the same, with an index and without one"
if can_be_nobody; then
  for way in "" "rm -rf demo/.redo/cache/graph*"; do
    eval "$way"
    redo -C demo log --no-cache --format='%(id)' >plain
    run as_nobody redo -c safe.directory='*' -c safe.store='*' -C demo log --format='%(id)'
    expect_status 0
    expect_stdout_file plain
  done
else
  skip "only root can become somebody else"
fi

scene "a better signature: an index that tells of the old one is made anew"
rm -rf signed unsigned && redo init -q signed && redo -C signed key generate >/dev/null 2>&1
for number in 1 2 3; do redo -C signed commit -q create --title=$number >/dev/null; done
redo -C signed export -q >signed.ndjson
redo init -q unsigned && sed 's/"signature":"[0-9a-f]*",//' signed.ndjson | redo -C unsigned import -q >/dev/null
redo -C unsigned log | grep -q unsigned || fail "the signatures were not taken off" </dev/null
same unsigned
[ ! -e unsigned/.redo/objects/info/signatures ] || fail "a signature was replaced" </dev/null
# A node at a time, the index current before each of them.
while IFS= read -r line; do
  redo -C unsigned import -q <<<"$line" >/dev/null
  same unsigned
  run redo -C unsigned verify
  expect_status 0
  ! grep -q index-corrupt "$OUT" || fail "the index tells of another signature" <"$OUT"
done <signed.ndjson
redo -C signed log >plain
run redo -C unsigned log
expect_stdout_file plain
before=$(cat unsigned/.redo/objects/info/signatures)
redo -C unsigned import -q <signed.ndjson >/dev/null
expect_equal "$(cat unsigned/.redo/objects/info/signatures)" "$before" "the mark, where nothing is replaced"

scene "readers and writers at once: every log is that of a moment"
rm -rf together && redo init -q together && redo -C together key generate >/dev/null 2>&1
for number in 1 2 3 4; do
  (for n in $(seq 40); do redo -C together -c core.fsync=none commit -q create --title="$number.$n" >/dev/null; done) &
done
for number in 1 2 3; do
  (
    last=0
    for _ in $(seq 40); do
      count=$(redo -C together log --format='%(id)' | sort -u | wc -l)
      [ "$count" -ge "$last" ] || echo "$count after $last" >>failed
      last=$count
    done
  ) &
done
wait
[ ! -s failed ] || fail "a reader saw less than before" <failed
expect_equal "$(redo -C together log --format='%(id)' | wc -l)" 160 "nodes"
same together
