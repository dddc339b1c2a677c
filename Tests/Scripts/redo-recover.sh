#!/bin/bash
# redo recover: the history of a point in time, as a store of its own and as refs.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

T1=7a000000-0000-4000-8000-000000000001
T2=7b000000-0000-4000-8000-000000000002
add() { node "$@" | redo hash-object -w --update-heads --stdin 2>/dev/null; }
# heads [<store>] [<prefix>]: names and ids below it.
heads() { redo -C "${1:-.}" show-ref --format='%(id) %(name)' "${2:-heads}" 2>/dev/null | sed "s,${2:-heads}/,,"; }

make_store
scene "what makes no sense is refused before anything is looked at"
for words in "" "2025-03-01" "--to=2025-03-01 x" "--to=2025-03-01 -o a --write-ref=b" "--to=2025-03-01 -f" "--to=2025-03-01 -f -o a" \
  "--to=2025-03-01 --policy=nearly" "--to=lamport:1 --policy=received" "--to=2025-03-01 -o " "--policy=closed"; do
  # shellcheck disable=SC2086 # words
  run redo recover $words
  expect_status 129
  expect_stdout ''
done
run redo recover --to=2025-03-01 --policy=wall
expect_status 129
expect_stderr_has "error: '--policy=wall' cannot be recovered: nodes without their parents are no history"
expect_stderr_has "hint: 'redo state --policy=wall' shows what they come to"
for text in someday 2025-02-30 lamport:0 lamport:x 12 ''; do
  run redo recover --to="$text"
  expect_status 128
  expect_stdout ''
done
expect_stderr_has "fatal: not a point in time: ''"
run redo recover --to=2025-03-01
expect_error 128 "no node precedes '2025-03-01'"
expect_stderr_has "hint: '--allow-empty' takes it for an empty history"
for name in '' a/b .x 'a b' x.lock 'a*'; do
  run redo recover --to=now --write-ref="$name"
  expect_error 128 "invalid name of a recovered history: '$name'"
done
run redo -C / recover --to=now
expect_error 128 "not a redo repository"

scene "a store without history: only with --allow-empty"
run redo recover --to=now --allow-empty -o none
expect_status 0
expect_stdout ''
run redo -C none verify --all
expect_status 0
expect_equal "$(redo -C none log --format='%(id)')" '' "the log"
run redo recover --to=now --allow-empty --write-ref=none
expect_status 0
run redo show-ref recovered/none
expect_status 1

root=$(add CREATE $T1 1 01T08:00:00.000 '"title":"Water"')
left=$(add UPDATE $T1 2 02T08:00:00.000 '"title":"Water all"' "$root")
ahead=$(add UPDATE $T1 2 09T08:00:00.000 '"priority":1' "$root")
behind=$(add UPDATE $T1 3 03T08:00:00.000 '"priority":2' "$ahead")
other=$(add CREATE $T2 1 04T08:00:00 '"title":"Other"')
alone=$(add REMARK '' 1 02T09:00:00.000 '"text":"no task"')
BEFORE=$(fingerprint)

scene "the report: a row for each node that is left out; nothing is changed"
run redo recover --to=2025-03-03
expect_status 0
expect_stdout <<END
$other too-late CREATE $T2 -
$ahead too-late UPDATE $T1 -
$behind parent-too-late UPDATE $T1 $ahead
END
expect_stderr <<END
as of 2025-03-03T23:59:59.999Z: 3 of 6 nodes, policy closed; wall has 1 more and 0 fewer; received has 0 more and 3 fewer
left out 3 nodes: 2 too-late, 1 parent-too-late
would recover 3 nodes of 1 task
END
cp "$OUT" rows
for words in "--no-cache" "-n -o new" "-n --write-ref=new" "-n"; do
  # shellcheck disable=SC2086 # words
  run redo recover --to=2025-03-03T23:59:59.999Z $words
  expect_status 0
  expect_stdout_file rows
done
[ ! -e new ] || fail "something was made" </dev/null
expect_untouched "$BEFORE"
redo recover --to=2025-03-03 -q -z >"$OUT" 2>"$ERR"
expect_stdout ''
expect_stderr ''
redo recover --to=2025-03-03 -z 2>/dev/null | tr '\0' '\n' >"$OUT"
expect_stdout_file rows

scene "--json; other points and their reasons"
run redo recover --to=2025-03-03 --json
expect_stdout <<END
{"action":"CREATE","id":"$other","reason":"too-late","task":"$T2","wall":"2025-03-04T08:00:00Z"}
{"action":"UPDATE","id":"$ahead","reason":"too-late","task":"$T1","wall":"2025-03-09T08:00:00.000Z"}
{"action":"UPDATE","ancestor":"$ahead","id":"$behind","reason":"parent-too-late","task":"$T1","wall":"2025-03-03T08:00:00.000Z"}
END
run redo recover --to=lamport:1 --json
expect_stdout_lines 3
expect_stdout_has '"reason":"too-late"'
expect_stderr_has "as of lamport:1: 3 of 6 nodes"
run redo recover --to="$left"
expect_status 0
expect_equal "$(cut -d' ' -f2 "$OUT" | sort | uniq -c | xargs)" "4 not-ancestor" reasons
expect_stdout_has "$alone not-ancestor REMARK - -"
run redo recover --to="${left:0:20}" -q
expect_status 0
run redo recover --to=now
expect_stdout ''
expect_stderr_has "would recover 6 nodes of 2 tasks"
printf '%s' "$(node UPDATE $T1 4 04T08:00:00.000 '"title":"loose"' "$left")" | redo hash-object -w --stdin >loose
run redo recover --to="$(cat loose)"
expect_error 128 "node '$(cat loose)' is not in the history"
run redo recover --to=2025-12-31 --policy=received
expect_error 128 "no node precedes '2025-12-31'"
run redo recover --to=2025-12-31 --policy=received --allow-empty
expect_equal "$(cut -d' ' -f2 "$OUT" | sort -u)" too-late reasons

scene "-o: a store with just these nodes, their heads, signatures and times"
for id in "$root" "$other"; do redo cat-node "$id" && echo; done | sed 's/^{/{"createdAt":"2025-03-05T00:00:00Z",/' |
  redo import -q >"$OUT" 2>"$ERR"
BEFORE=$(fingerprint)
run redo recover --to=2025-03-03 -o new
expect_status 0
expect_stdout ''
expect_stderr_has "left out "
expect_stderr_has "recovered 3 nodes of 1 task in 'new'"
expect_equal "$(redo -C new log --format='%(id)' | sort | xargs)" "$(printf '%s\n' "$root" "$left" "$alone" | sort | xargs)" "the log"
expect_equal "$(heads new)" "$alone -
$left $T1" heads
run redo -C new state
cp "$OUT" state
run redo state -q --as-of=2025-03-03
expect_stdout_file state
run redo -C new show "$root"
expect_stdout_has "Created:   2025-03-05T00:00:00.000Z (as a remote says)"
expect_equal "$(wc -c <new/.redo/created)" $((15 + 19 + 40 + 32)) "the bytes of one time"
expect_clean new
expect_equal "$(redo -C new reflog | cut -d' ' -f3-)" "recover --to=2025-03-03T23:59:59.999Z (2 refs)" "the reflog"
expect_equal "$(stat -c %a new/.redo/keys)" 700 "the rights of keys"
expect_untouched "$BEFORE"

scene "-o: where something is already, nothing is done"
run redo recover --to=2025-03-03 -o new
expect_error 128 "'new' is not empty"
mkdir full && touch full/file
run redo recover --to=2025-03-03 -o full
expect_error 128 "'full' is not empty"
run redo recover --to=2025-03-03 -o full -n
expect_error 128 "'full' is not empty"
run redo recover --to=2025-03-03 -o full/file
expect_status 128
run redo recover --to=2025-03-03 -o full/file/below
expect_status 128
expect_equal "$(ls -A full)" file "what is there"
for path in .redo/new .redo .redo/objects/ new/.redo/quarantine "$PWD/.redo/remotes/x/y"; do
  run redo recover --to=2025-03-03 -o "$path"
  expect_status 128
  expect_stdout ''
done
expect_stderr_has "is a part of a store"
ln -s nowhere dangling
run redo recover --to=2025-03-03 -o dangling
expect_status 128

scene "-o: an empty directory, one below directories that are not there, one in another store's, one reached by a link"
mkdir empty
ln -s empty link
for path in link a/b/c/ new/inside "with blanks
and a line feed"; do
  run redo recover -q --to=2025-03-03 -o "$path"
  expect_status 0
  expect_stdout ''
  expect_stderr ''
  run redo -C "$path" state
  expect_stdout_file state
done
[ -d empty/.redo ] || fail "the link was replaced" </dev/null
mkdir here
(cd here && redo --redo-dir=../.redo recover -q --to=2025-03-03 -o .) || fail "the working directory is refused" </dev/null
run redo -C here state
expect_stdout_file state
run redo -C a recover -q --to=2025-03-03 -o "d"
expect_status 0
run redo -C a/d state
expect_stdout_file state

scene "-o: what an interrupted recovery left is no obstacle"
mkdir -p again/.tmp_redo_recover_0123456789abcdef/objects
run redo recover --to=2025-03-03 -o again
expect_status 0
expect_stderr_has "warning: 'again/.tmp_redo_recover_0123456789abcdef' was left by an interrupted recovery, and can be removed"
run redo -C again state
expect_stdout_file state

scene "the environment of the store that is recovered from does not reach the new one"
REDO_DIR=$PWD/.redo REDO_OBJECT_DIRECTORY=$PWD/.redo/objects run redo recover -q --to=2025-03-03 -o elsewhere
expect_status 0
expect_equal "$(objects elsewhere)" 3 "objects of its own"

scene "--write-ref: refs in one step; the history of the store stays as it is"
history=$(redo log --format='%(id)')
run redo recover --to=2025-03-03 --write-ref=march
expect_status 0
expect_stdout ''
expect_stderr_has "recovered 3 nodes of 1 task as 'recovered/march/'"
expect_equal "$(heads . recovered/march/heads)" "$alone -
$left $T1" refs
expect_equal "$(redo reflog -n 1 | cut -d' ' -f3-)" "recover --to=2025-03-03T23:59:59.999Z (2 refs)" "the reflog"
expect_equal "$(redo log --format='%(id)')" "$history" "the log"
run redo state recovered/march/heads/$T1
expect_stdout_file state
# shellcheck disable=SC2046 # words
run redo state $(redo show-ref --format='%(id)' recovered/march)
expect_stdout_file state
run redo log --format='%(id)' "recovered/march/heads/-"
expect_stdout "$alone"

scene "--write-ref: what exists is replaced on request only, all of it"
BEFORE=$(fingerprint)
run redo recover --to=now --write-ref=march
expect_error 1 "'recovered/march/' exists already"
expect_stderr_has "hint: '--force' replaces what it stands for"
expect_untouched "$BEFORE"
run redo recover -q --to="$behind" --write-ref=march -f
expect_status 0
expect_equal "$(heads . recovered/march/heads)" "$behind $T1" refs
run redo recover -q --to=now --write-ref=march --force
expect_equal "$(heads . recovered/march/heads)" "$(heads)" refs
redo update-ref recovered/single/mark "$root"
run redo recover -q --to=now --write-ref=single
expect_error 1 "'recovered/single/' exists already"
run redo recover -q --to=now --write-ref=single -f
expect_status 0
expect_equal "$(redo rev-parse recovered/single/mark)" "$root" "a ref of another kind"

scene "--task: what its heads reach"
run redo recover --to=2025-03-03 --task=7a00 --json
expect_stdout_lines 2
expect_stderr_has "as of 2025-03-03T23:59:59.999Z: 2 of 4 nodes"
run redo recover -q --to=now --task=$T2 -o task
expect_equal "$(redo -C task log --format='%(id)')" "$other" "the log"
run redo recover --to=now --task=ffff
expect_error 128 "no task begins with 'ffff'"
run redo recover --to=now --task=ffffffff-0000-4000-8000-000000000001
expect_error 128 "no change is about task 'ffffffff-0000-4000-8000-000000000001'"

scene "--policy=received: by the times of receipt, which the new store has too"
redo init -q times
redo -C times import -q <(redo log --json "$left") >/dev/null
sleep 0.01
between=$(date -u +%FT%T.%3NZ)
sleep 0.01
redo -C times import -q <(redo log --json) >/dev/null
run redo -C times recover -z --to="$between" --policy=received -o copy
expect_status 0
tr '\0' '\n' <"$OUT" >"$OUT.lines" && mv "$OUT.lines" "$OUT"
expect_stderr_has "2 of 6 nodes, policy received; closed has 4 more and 0 fewer; wall has 4 more and 0 fewer"
expect_equal "$(cut -d' ' -f2 "$OUT" | sort | uniq -c | xargs)" "4 too-late" reasons
expect_equal "$(redo -C times/copy log --format='%(id)')" "$left
$root" "the log"
redo -C times/copy state >received
for words in "--to=now" "--to=lamport:9" "--to=lamport:9 --no-cache"; do
  rm -rf times/all
  # shellcheck disable=SC2086 # words
  run redo -C times recover -q $words -o all
  expect_status 0
  run redo -C times/all state -q --as-of="$between" --policy=received
  expect_stdout_file received
done
run redo -C times/copy state
expect_stdout_file received

scene "a store that cannot be written can be recovered from, and the new one is ours"
if can_be_nobody; then
  mkdir public && chmod 777 public
  cp -r .redo frozen && chmod -R a-w,a+rX frozen
  BEFORE=$(cd frozen && find . -type f -print0 | sort -z | xargs -0 sha256sum)
  run as_nobody redo -c safe.directory='*' --redo-dir="$PWD/frozen" recover --to=2025-03-03 -o public/new
  expect_status 0
  expect_stdout ''
  expect_equal "$(stat -c %u public/new/.redo)" "$NOBODY" owner
  expect_equal "$(cd frozen && find . -type f -print0 | sort -z | xargs -0 sha256sum)" "$BEFORE" "the frozen store"
  run as_nobody redo -c safe.directory='*' --redo-dir="$PWD/frozen" recover --to=2025-03-03 --write-ref=frozen
  expect_status 128
  run as_nobody redo -c safe.directory='*' --redo-dir="$PWD/frozen" recover --to=2025-03-03 -o "$PWD/not/here"
  expect_error 128 "permission denied"
  [ ! -e not ] || fail "something was made" </dev/null
  chmod -R u+w frozen
else
  skip "only root can become somebody else"
fi

scene "output that cannot be written, or that nobody reads; the store is made"
run bash -c "redo recover -z --to=2025-03-03 -o unread >/dev/full"
expect_error 128 "write error"
run redo -C unread state
expect_stdout_file state
redo recover --to=2025-03-01 2>/dev/null | head -1 >"$OUT"
expect_stdout_lines 1

scene "a node that is missing or damaged: one clear error, and nothing is made"
for what in missing corrupt; do
  cp -r .redo broken.redo
  path=broken.redo/objects/${left:7:2}/${left:9}
  if [ $what = missing ]; then rm -f "$path"; else chmod u+w "$path" && printf 'xx' | dd of="$path" bs=1 seek=20 conv=notrunc status=none; fi
  for words in "-o gone" "--write-ref=gone" "--no-cache -o gone" "--no-cache --write-ref=gone" "--no-cache" "--no-cache -n"; do
    # shellcheck disable=SC2086 # words
    run redo --redo-dir=broken.redo recover --to=2025-03-03 $words
    expect_status 128
    expect_stdout ''
    expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 messages
    expect_stderr_has "$left"
    [ ! -e gone ] || fail "something was made" </dev/null
    expect_equal "$(redo --redo-dir=broken.redo show-ref recovered/gone)" '' refs
  done
  rm -rf broken.redo
done

scene "a node that breaks a rule: fatal where it counts, left out where it does not"
if command -v python3 >/dev/null; then
  cp -r .redo broken.redo
  python3 - "$other" $T2 $USER >bad <<'END'
import hashlib, json, os, sys, zlib
made, task, user = sys.argv[1:]
body = {"action": "UPDATE", "author": {"deviceId": "d", "userId": user}, "data": {"fields": {"archived": True}},
        "parents": [made], "taskId": task, "timestamp": {"lamport": 5, "wall": "2025-03-05T08:00:00.000Z"}, "version": 1}
text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
name = hashlib.sha256(text).hexdigest()
os.makedirs(f"broken.redo/objects/{name[:2]}", exist_ok=True)
with open(f"broken.redo/objects/{name[:2]}/{name[2:]}", "wb") as file:
    file.write(zlib.compress(b"node %d\0" % len(text) + text))
print("sha256:" + name)
END
  bad=$(cat bad)
  later=$(node UPDATE $T2 6 06T08:00:00.000 '"title":"later"' "$bad" | redo --redo-dir=broken.redo hash-object -w --stdin)
  valid=$(node UPDATE $T2 6 06T08:00:00.000 '"title":"valid"' "$other" | redo --redo-dir=broken.redo hash-object -w --update-heads --stdin)
  # No command takes such a node into a history: the last record is changed to what a release without that rule would
  # have written.
  python3 - "$valid" "$later" <<'END'
import hashlib, sys
valid, later = (word.encode() for word in sys.argv[1:])
data = open("broken.redo/refs.journal", "rb").read()
start, end = data.rindex(b"\nentry ") + 1, data.rindex(b"\nchain ") + 1
before = data.rindex(b"\nchain ", 0, start) + len(b"\nchain ")
assert data.count(valid, start) == 1
body = data[start:end].replace(valid, later)
chain = hashlib.sha256(data[before:before + 64] + body).hexdigest().encode()
with open("broken.redo/refs.journal", "wb") as file:
    file.write(data[:start] + body + b"chain " + chain + b"\n")
# Such a release left no mark of the record.
with open("broken.redo/received", "r+b") as file:
    file.truncate(file.seek(0, 2) - 64)
END
  for cache in --cache --no-cache; do
    run redo --redo-dir=broken.redo recover --to=2025-03-05 -o gone $cache
    expect_error 128 "'$bad': payload-forbidden"
    [ ! -e gone ] || fail "something was made" </dev/null
    run redo --redo-dir=broken.redo recover --to=2025-03-05 --write-ref=gone $cache
    expect_error 128 "'$bad': payload-forbidden"
    run redo --redo-dir=broken.redo recover --to=2025-03-04 $cache
    expect_status 0
    expect_stdout_has "$bad too-late UPDATE $T2 -"
    expect_stdout_has "$later too-late UPDATE $T2 -"
  done
  run redo --redo-dir=broken.redo recover -q --to=2025-03-04 -o before
  expect_status 0
  expect_clean before
else
  skip "python3 is missing"
fi

scene "twice at once: one store, or one set of refs; the other is told"
for number in 1 2 3 4; do
  rm -rf both
  for one in 1 2; do
    redo recover -q --to=now -o both >"out$one" 2>"err$one" &
    eval "pid$one=\$!"
  done
  wait "$pid1"
  first=$?
  wait "$pid2"
  second=$?
  RUN="two at once"
  [ $((first == 0)) -ne $((second == 0)) ] || fail "they end with $first and $second" < <(cat err1 err2)
  [ $((first + second)) -eq 128 ] || fail "they end with $first and $second" < <(cat err1 err2)
  expect_equal "$(ls -A both)" .redo "what is there"
  expect_equal "$(redo -C both log --format='%(id)')" "$history" "the log"
  for one in 1 2; do
    redo recover -q --to=now --write-ref=both$number >"out$one" 2>"err$one" &
    eval "pid$one=\$!"
  done
  wait "$pid1"
  first=$?
  wait "$pid2"
  second=$?
  [ $((first + second)) -eq 1 ] || fail "they end with $first and $second" < <(cat err1 err2)
  expect_equal "$(heads . recovered/both$number/heads)" "$(heads)" refs
done
