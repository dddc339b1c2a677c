#!/bin/bash
# redo wipe: changes leave the history and the store for good.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

APP=$VECTORS/app/redo_changes.json

# As the store of fresh is, but for settings, keys, the reflog and the first lines that continue it.
rest_of() { (cd "$1/.redo" && find . ! -name config ! -path './keys*' ! -name lock | sort; head -c -64 received); }
heads_of() { redo -C "$1" log --format='%(id) %(task) %(parents)' | awk '
  { id[$1] = $2; for (i = 3; i <= NF; i++) covered[$i] } END { for (i in id) if (!(i in covered)) print i, id[i] }' | sort; }
refs_of() { # the heads as the files of refs tell them
  python3 - "$1/.redo" <<'END'
import pathlib, re, sys
refs = set()
for name in ("refs", "refs.journal"):
    for line in pathlib.Path(sys.argv[1], name).read_text().splitlines():
        found = re.match(r"(?:([-+]) )?(sha256:\w{64}) (\S+)$", line)
        if found:
            (refs.discard if found[1] == "-" else refs.add)(f"{found[2]} {found[3]}")
print("\n".join(sorted(r for r in refs if " heads/" in r)))
END
}

# The family's log, and what must go with Ada: computed here from the nodes alone.
make_family() {
  rm -rf family && redo init -q family && redo -C family import -q "$APP" >/dev/null
  redo -C family export >family.ndjson
}
make_family
ADA=$(redo -C family log --format='%(author:userid)' | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
redo -C family log --sort=order --reverse --format='%(id) %(author:userid) %(parents)' | awk -v "ada=$ADA" '
  { goes = $2 == ada; for (i = 3; i <= NF; i++) if ($i in gone) goes = 1; if (goes) { gone[$1]; print $1 } }' >goes
redo -C family log --sort=order --reverse --format='%(id)' | grep -vxFf goes >stays

# times_of <store>: each node of which a remote has said when it first had it, and when.
times_of() { redo -C "$1" log --format='%(id)' | redo -C "$1" show --json --stdin |
  sed -n 's/^{"createdAt":"\([^"]*\)","id":"\([^"]*\)".*/\2 \1/p' | sort; }
times_of family >times
expect_equal "$(wc -l <times)" 20 "times" # as many as the log has

scene "-n lists what would go, by author and as descendants, and changes nothing"
before=$(fingerprint family)
run redo -C family wipe -n --author="$ADA"
expect_status 0
cut -d' ' -f1 "$OUT" | cmp -s goes - || fail "another list" < <(cut -d' ' -f1 "$OUT" | diff goes -)
expect_equal "$(awk -v "ada=$ADA" '($2 == ada) != ($4 == "author")' "$OUT" | wc -l)" 0 "rows with a wrong reason"
awk '$4 == "descendant" { print $5 }' "$OUT" | grep -vxFf goes >none && fail "a parent that stays" <none
expect_stderr "would wipe $(wc -l <goes) changes, $(grep -c ' descendant ' "$OUT") of them as descendants"
expect_untouched "$before" family
run redo -C family wipe -n --json --author="$ADA"
expect_equal "$(grep -c '^{"action":"[A-Z_]*","because":"\(author\|descendant\)","id":"sha256:' "$OUT")" "$(wc -l <goes)" "rows"
run redo -C family wipe -n -q -z --author="$ADA"
expect_stdout ''
expect_stderr ''

scene "without --yes nothing is done"
run redo -C family wipe --author="$ADA"
expect_error 1 "nothing is wiped without '--yes'"
expect_untouched "$before" family

scene "--yes: they are gone, the rest is as it was, and heads are back where descendants went"
run redo -C family wipe --yes --author="$ADA"
expect_status 0
cut -d' ' -f1 "$OUT" | cmp -s goes - || fail "another list" <"$OUT"
expect_stderr_has "wiped $(wc -l <goes) changes"
redo -C family log --sort=order --reverse --format='%(id)' | cmp -s stays - || fail "another history" </dev/null
grep -Ff <(sed 's/^/"id":"/' stays) family.ndjson >stays.ndjson
redo -C family export | cmp -s stays.ndjson - || fail "what stays has changed" </dev/null
expect_clean family
expect_equal "$(objects family)" "$(wc -l <stays)" "objects"
rm -rf apart && redo init -q apart && redo -C apart import -q ../stays.ndjson >/dev/null
heads_of apart >expected
heads_of family | cmp -s expected - || fail "other heads" </dev/null
if command -v python3 >/dev/null; then
  refs_of apart >expected
  refs_of family | diff expected - >difference || fail "other refs" <difference
fi

scene "of what is gone no object, no name and no note of receiving is left"
while read -r id; do
  [ ! -e "family/.redo/objects/${id:7:2}/${id:9}" ] || fail "$id is there" </dev/null
  ! grep -qF "$id" family/.redo/refs family/.redo/refs.journal || fail "$id has a name" </dev/null
done <goes
if command -v python3 >/dev/null; then
  python3 - goes family/.redo/received <<'END' || fail "the received log has one" </dev/null
import sys
log = open(sys.argv[2], "rb").read()
assert not [line for line in open(sys.argv[1]) if bytes.fromhex(line.strip()[7:]) in log]
END
fi
times_of family | diff <(grep -Ff stays times) - >difference || fail "other times of remotes" <difference
grep -qFf goes times || fail "no time is of what goes" <times
if command -v python3 >/dev/null; then
  python3 - stays family/.redo/created <<'END' || fail "times of other nodes are left" </dev/null
import sys
times = open(sys.argv[2], "rb").read()
stays = {bytes.fromhex(line.strip()[7:]) for line in open(sys.argv[1])}
rows = times[15 + 19:-32]
assert rows and {rows[place:place + 32] for place in range(0, len(rows), 40)} <= stays
END
fi
grep -qa "^message wipe --author=$ADA: $(wc -l <goes) objects$" family/.redo/reflog || fail "no entry of the reflog" <family/.redo/reflog

scene "again there is nothing to wipe, and nothing changes"
before=$(fingerprint family)
run redo -C family wipe --yes --author="$ADA"
expect_status 0
expect_stdout ''
expect_stderr 'wiped 0 changes'
expect_untouched "$before" family

scene "what was wiped is new when it comes again, and everything is as before"
run redo -C family import -q ../family.ndjson
expect_status 0
expect_stdout "$(wc -l <goes)"
redo -C family export | cmp -s family.ndjson - || fail "another history" </dev/null
times_of family | diff <(grep -Ff stays times) - >difference || fail "times come from nowhere" <difference
redo -C family import -q "$APP" >/dev/null
times_of family | diff times - >difference || fail "the times do not come back" <difference
expect_clean family

scene "damaged times of remotes are gone from the damage on, which is said"
rm -rf hurt && cp -r family hurt
printf x | dd of=hurt/.redo/created bs=1 seek=60 conv=notrunc status=none
run redo -C hurt wipe --yes --author="$ADA"
expect_status 0
expect_stderr_has "warning: the times at which remotes first had nodes are lost from where their file was damaged: "
[ ! -e hurt/.redo/created ] || fail "there are times" </dev/null
expect_clean hurt

scene "every log: wiping each author leaves exactly what does not descend from them, with its heads"
for log in "$VECTORS"/log/{crossed,diverged,merged,mixed-forms,octopus,order,parents-in-another-task,without-key,without-task}.ndjson; do
  rm -rf one && redo init -q one && redo -C one import -q "$log" >/dev/null
  redo -C one export >all.ndjson
  redo -C one snapshot create >/dev/null
  for user in $(redo -C one log --format='%(author:userid)' | sort -u); do
    redo -C one log --sort=order --reverse --format='%(id) %(author:userid) %(parents)' | awk -v "user=$user" '
      { goes = $2 == user; for (i = 3; i <= NF; i++) if ($i in gone) goes = 1; if (goes) gone[$1]; else print $1 }' >left
    run redo -C one wipe -q --yes --author="$user"
    expect_status 0
    redo -C one log --sort=order --reverse --format='%(id)' | cmp -s left - || fail "$log, $user: another history" <left
    expect_equal "$(redo -C one state -q --hash)" "$(redo -C one state -q --hash --no-cache)" "$log, $user: the state"
    rm -rf apart && redo init -q apart && redo -C apart import -q < <(redo -C one export) >/dev/null
    heads_of one >found
    heads_of apart | cmp -s found - || fail "$log, $user: other heads" <found
    redo -C one import -q ../all.ndjson >/dev/null
    redo -C one export | cmp -s all.ndjson - || fail "$log, $user: it does not come back" </dev/null
  done
done

scene "several authors at once"
make_family
run redo -C family wipe -q --yes $(redo -C family log --format='--author=%(author:userid)' | sort -u)
expect_status 0
expect_equal "$(objects family)" 0 "objects"
run redo -C family log
expect_stdout ''

scene "--all: the store is as a new one, but for settings, keys and the reflog"
make_family
echo bytes | redo -C family hash-object -w -t blob --stdin >/dev/null
redo -C family import -q --from=v0 "$VECTORS/v0/wrapped.json" >/dev/null
mkdir -p family/.redo/cache/x family/.redo/quarantine/y/z family/.redo/remotes/home family/.redo/lost-found
for file in cache/x/1 quarantine/y/z/2 remotes/home/3 lost-found/4 objects/ab/tmp_obj_5 keys/mine; do
  mkdir -p "family/.redo/${file%/*}" && echo data >"family/.redo/$file"
done
run redo -C family wipe --yes --all
expect_status 0
expect_stdout_lines 61
expect_stderr_has "wiped 59 changes, and 2 other objects"
rm -rf fresh && redo init -q fresh
# At the end of received stands the mark of the last change (redo-store(5)), which a new store does not have yet.
head -c 64 /dev/zero >>fresh/.redo/received
rest_of fresh >expected
rest_of family | diff expected - >difference || fail "more is left" <difference
expect_equal "$(tail -c 64 family/.redo/received | head -c 10)" '@00000000 ' "the mark, a frame without ids"
expect_equal "$(cat family/.redo/keys/mine)" data "a key"
expect_equal "$(grep -ac '^chain' family/.redo/reflog)" 3 "entries of the reflog"
run redo -C family log
expect_stdout ''
run redo -C family import -q "$PWD/family.ndjson"
expect_stdout 50
expect_clean family

scene "copies elsewhere in the store go too, other people's files in lost-found stay and are named"
make_family
mkdir -p family/.redo/lost-found
echo "of $ADA" >family/.redo/lost-found/hers
head -1 goes >family/.redo/lost-found/an-id
echo somebody >family/.redo/lost-found/other
echo data >family/.redo/quarantine/q
run redo -C family wipe --yes --author="$ADA"
expect_status 0
expect_stderr_has "warning: 'lost-found/other' stays: whose changes it has cannot be told"
expect_equal "$(ls family/.redo/lost-found family/.redo/quarantine | tr '\n' ' ')" 'family/.redo/lost-found: other  family/.redo/quarantine: ' "what is left"

scene "kept states go before anything else: killed at the first object, and none of what goes can be read in the store"
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  make_family
  redo -C family snapshot create -q >/dev/null
  redo -C family snapshot create -q --as-of="$(sed -n 20p goes)" >/dev/null
  redo -C family state >state
  grep -o '"title":"[^"]*"' state | sort -u >titles
  grep -qraF -f titles family/.redo/cache/snapshots || fail "no title is kept" </dev/null
  strace -qq -o calls -e trace=unlinkat redo -C family wipe -q --yes --all 2>/dev/null
  when=$(grep -n -m 1 '"[0-9a-f]\{2\}/[0-9a-f]\{62\}"' calls | cut -d: -f1) # the first object
  [ "$(head -n "$when" calls | grep -c '"[0-9a-f]\{64\}"')" -eq 2 ] || fail "snapshots do not go first" <calls
  make_family
  redo -C family snapshot create -q >/dev/null
  redo -C family snapshot create -q --as-of="$(sed -n 20p goes)" >/dev/null
  { strace -qq -o /dev/null -e trace=unlinkat -e inject=unlinkat:signal=SIGKILL:when="$when" \
    redo -C family wipe -q --yes --author="$ADA"; } 2>/dev/null
  [ "$(objects family)" -gt "$(wc -l <stays)" ] || fail "it was not interrupted" </dev/null
  [ ! -e family/.redo/cache/snapshots ] || fail "there are snapshots" < <(ls family/.redo/cache/snapshots)
  ! grep -raqF -f titles family/.redo/cache || fail "a title can be read" </dev/null
  redo -C family state -q --no-snapshot >plain
  run redo -C family state -q
  expect_stdout_file plain
else
  skip "strace is missing or not permitted"
fi

scene "what an interrupted wipe left is finished by any other, or comes again by an import"
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  for then in "wipe -q --yes --author=00112233445566778899aabbccddeeff" "import -q $PWD/family.ndjson"; do
    make_family
    { strace -qq -o /dev/null -e trace=unlinkat -e inject=unlinkat:signal=SIGKILL:when=6 \
      redo -C family wipe -q --yes --author="$ADA"; } 2>/dev/null
    redo -C family log --sort=order --reverse --format='%(id)' | cmp -s stays - || fail "another history" </dev/null
    [ "$(objects family)" -gt "$(wc -l <stays)" ] || fail "it was not interrupted" </dev/null
    run redo -C family wipe -n --author=00112233445566778899aabbccddeeff
    [ -s "$OUT" ] || fail "nothing is left to finish" </dev/null
    grep -qv ' left-over$' "$OUT" && fail "another reason" <"$OUT"
    run redo -C family $then
    expect_status 0
    if [[ $then == wipe* ]]; then
      expect_equal "$(objects family)" "$(wc -l <stays)" "objects"
    else
      expect_stdout "$(wc -l <goes)"
      redo -C family export | cmp -s family.ndjson - || fail "another history" </dev/null
    fi
    expect_clean family
  done
else
  skip "strace is missing or not permitted"
fi

scene "notes of a converted log go on without what is wiped"
rm -rf old && redo init -q old && redo -C old import -q --from=v0 "$VECTORS/v0/wrapped.json" >/dev/null
user=$(redo -C old log --format='%(author:userid)' | sort | uniq -c | sort -n | awk 'NR == 1 { print $2 }')
run redo -C old wipe --yes --author="$user"
expect_status 0
expect_equal "$(grep -c ' - blob notes$' "$OUT")" 1 "notes that go"
name=$(grep -a 'notes/v0/' old/.redo/refs)
run redo -C old cat-node blob "${name%% *}"
expect_status 0
grep -o '"id":"[^"]*' "$OUT" | cut -d'"' -f4 | sort >noted
redo -C old log --format='%(id)' | sort | cmp -s - noted || fail "other notes" <noted
expect_equal "sha256:${name##*/}" "${name%% *}" "the name"
expect_equal "$(objects old)" "$(($(wc -l <noted) + 1))" "objects"

scene "nodes outside of the history go too; alternates are never touched"
make_family
rm -rf loose && redo init -q loose
redo -C loose hash-object -w --ndjson <family.ndjson >/dev/null
run redo -C loose wipe -q --yes --author="$ADA"
expect_status 0
expect_equal "$(objects loose)" "$(wc -l <stays)" "objects"
rm -rf layered && redo init -q layered
echo "$PWD/family/.redo/objects" >layered/.redo/objects/info/alternates
redo -C layered import -q "$PWD/family.ndjson" >/dev/null
before=$(fingerprint family)
run redo -C layered wipe --yes --author="$ADA"
expect_status 0
expect_stderr_has "warning: alternates have $(wc -l <goes) of these objects; they are only read, and keep them"
expect_untouched "$before" family
redo -C layered log --sort=order --reverse --format='%(id)' | cmp -s stays - || fail "another history" </dev/null
run redo -C layered import -q "$PWD/family.ndjson"
expect_stdout "$(wc -l <goes)"

scene "a damaged object: where heads depend on it nothing is done; elsewhere it stays and is named"
make_family
id=$(sed -n 3p stays)
path=family/.redo/objects/${id:7:2}/${id:9}
chmod u+w "$path" && echo x >"$path"
before=$(fingerprint family)
run redo -C family wipe --yes --author="$ADA"
expect_error 128 "the history is not whole: object '$id' is damaged"
expect_untouched "$before" family
run redo -C family wipe -q --yes --all
expect_status 0
expect_equal "$(objects family)" 0 "objects"
redo -C family import -q "$PWD/stays.ndjson" >/dev/null
id=$(sed -n 1p goes)
mkdir -p "family/.redo/objects/${id:7:2}" && echo x >"family/.redo/objects/${id:7:2}/${id:9}"
run redo -C family wipe --yes --author="$ADA"
expect_status 1
expect_stderr_has "error: object '$id' stays, its author is not known"

scene "a writer that has begun is waited for, so that nothing it found is taken away"
make_family
mkfifo input
redo -C family import -q <input >imported &
writer=$!
exec 3>input
head -20 family.ndjson >&3
settled $writer
run redo -C family -c core.lockTimeout=200 wipe --yes --author="$ADA"
expect_status 75
expect_stderr_has "is locked by another process"
tail -n +21 family.ndjson >&3
exec 3>&-
wait "$writer" || fail "the writer fails" </dev/null
redo -C family export | cmp -s family.ndjson - || fail "another history" </dev/null

scene "wiped and imported again and again, at once: nothing is ever half there"
for round in 1 2 3; do
  (for _ in 1 2 3 4 5 6; do redo -C family wipe -q --yes --author="$ADA" 2>>said || echo "wipe: $?" >>failed; done) &
  (for _ in 1 2 3 4 5 6; do redo -C family import -q "$PWD/family.ndjson" >/dev/null 2>>said || echo "import: $?" >>failed; done) &
  (for _ in 1 2 3 4 5 6; do redo -C family hash-object -w --update-heads --ndjson <family.ndjson >/dev/null 2>>said || echo "hash-object: $?" >>failed; done) &
  wait
  [ ! -e failed ] || fail "a command failed" < <(cat failed said)
  redo -C family log --format='%(id)' >"$OUT" 2>"$ERR" || fail "the history is not whole" <"$ERR"
  expect_clean family
done
run redo -C family import -q "$PWD/family.ndjson"
redo -C family export | cmp -s family.ndjson - || fail "another history" </dev/null

scene "mistakes in the command line"
run redo-wipe
expect_status 129
expect_stderr_has "one of '--author' and '--all' must be given"
run redo-wipe --all --author="$ADA" --yes
expect_status 129
run redo-wipe --yes --author="${ADA:0:8}"
expect_status 129
expect_stderr_has "is no user id"
run redo-wipe --yes --author="${ADA^^}"
expect_stderr_has "hint: it has upper-case hex digits"
run redo-wipe --yes --all sha256:00
expect_status 129
run redo -C family wipe --json --all
expect_status 1
expect_stderr '{"error":"nothing is wiped without '"'--yes'"'","exit":1,"hint":"'"'-n' lists what would go"'"}'

scene "a full pipe, a store that cannot be written, no store"
run sh -c 'redo -C family wipe -n --all | head -1'
expect_stdout_lines 1
run sh -c 'redo -C family wipe -n --all >/dev/full'
expect_error 128 "write error"
if can_be_nobody; then
  chmod -R a+rX family
  run as_nobody redo -C family -c safe.directory='*' wipe -n --all
  expect_status 0
  expect_stdout_lines 50
  run as_nobody redo -C family -c safe.directory='*' wipe --yes --all
  expect_error 128 "permission denied"
fi
cd "$WORK" || exit
run redo wipe -n --all
expect_error 128 "not a redo repository"
