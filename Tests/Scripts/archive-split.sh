#!/bin/bash
# redo archive create --split: a file for each month or year, each of them closed together with those before it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_copies

demo 1500 >log.ndjson
make_store demo
redo -c core.fsync=none import -q <../log.ndjson >/dev/null

# parts <length> <lines>: of each period, the period and the number and the hash of the ids of its nodes, by the definition.
parts() {
  python3 - "$@" <<'END'
import hashlib, json, sys
count = {"month": 7, "year": 4}[sys.argv[1]]
nodes = {node["id"]: node for node in map(json.loads, open(sys.argv[2]))}
periods = {}
for node in sorted(nodes.values(), key=lambda node: node["timestamp"]["lamport"]):
    own = node["timestamp"]["wall"][:count]
    periods[node["id"]] = max([own] + [periods[parent] for parent in node["parents"]])
for period in sorted(set(periods.values())):
    ids = sorted(id for id in periods if periods[id] == period)
    print(period, len(ids), hashlib.sha256("\n".join(ids).encode()).hexdigest())
END
}
# found <file>...: the same of archives whose names have the period before their suffix.
found() {
  local file
  for file in "$@"; do
    redo archive extract "$file" | ids_of | sort >../ids
    echo "$(sed 's/.*[a-z]-\([0-9-]*\)\..*/\1/' <<<"$file") $(wc -l <../ids) $(head -c -1 ../ids | sha256sum | cut -d ' ' -f 1)"
  done
}
# received <store> <times in milliseconds, or forgotten>...: when the store received the nodes of each import.
received() {
  python3 - "$@" <<'END'
import hashlib, sys
path = sys.argv[1] + "/.redo/received"
data = bytearray(open(path, "rb").read())
place = 16
for time in sys.argv[2:]:
    data[place + 10:place + 22] = b"f" * 12 if time == "forgotten" else b"%012x" % int(time)
    data[place + 23:place + 31] = hashlib.sha256(bytes(data[place:place + 23])).hexdigest()[:8].encode()
    end = place + 32 + 32 * int(data[place + 1:place + 9], 16)
    data[end:end + 32] = hashlib.sha256(bytes(data[place:end])).digest()
    place = end + 32
open(path, "wb").write(data)
END
  rm -rf "$1/.redo/cache"
}

scene "each node is in the file of its own month, or of the latest one of its ancestors"
before=$(fingerprint)
run redo archive create --split=month -o old.redopack
expect_status 0
expect_stderr "nodes in a later archive than by their own time, because of an ancestor: 2"
expect_untouched "$before"
cp "$OUT" ../rows
MONTHS=$(echo old-*.redopack)
expect_equal "$(cut -d ' ' -f 6 ../rows | paste -sd ' ')" "$MONTHS" "the files, ascending"
expect_equal "$(ls -A | grep -vc '^old-2023-[01][0-9].redopack$')" 1 "other files"
# shellcheck disable=SC2086 # names
found $MONTHS >../found
diff <(parts month ../log.ndjson) ../found >../differences || fail "other nodes are in them" <../differences
[ "$(wc -l <../found)" -ge 5 ] || fail "there are too few" <../found
run redo archive list $MONTHS
expect_stdout_file ../rows
run redo archive create -q --split=year -o old.year.redopack
expect_stderr ''
expect_equal "$(cut -d ' ' -f 2,6 "$OUT")" "1500 old.year-2023.redopack" "the row"
redo archive create -q -o whole.redopack >/dev/null
cmp old.year-2023.redopack whole.redopack || fail "one file of everything is another one" </dev/null

scene "each file and those before it are enough, and all of them are everything"
redo init -q ../again
for file in $MONTHS; do
  expect_equal "$(redo -C ../again archive verify --prerequisites "$PWD/$file" | grep -v signature-missing)" "" "what '$file' needs"
  redo -C ../again -c core.fsync=none import -q "$PWD/$file" >/dev/null || fail "'$file' cannot be taken" </dev/null
  expect_clean ../again
done
expect_equal "$(redo -C ../again state --hash)" "$(redo state --hash)" "the state"
cmp -s <(redo -C ../again log --json) <(redo log --json) || fail "the log differs" </dev/null
redo init -q ../empty
run redo -C ../empty archive verify --prerequisites "$PWD/${MONTHS##* }"
expect_status 1
expect_stdout_has "missing node sha256:"
run redo -C ../empty import "$PWD/${MONTHS##* }"
[ "$STATUS" -ne 0 ] || fail "a file is taken without those before it" </dev/null

scene "the same set makes the same files, however the store came to it and is laid out"
redo init -q ../shuffled
sort -R --random-source=<(yes) ../log.ndjson >../shuffled.ndjson
redo -C ../shuffled -c core.fsync=none import -q "$PWD/../shuffled.ndjson" >/dev/null
redo -C ../shuffled repack -q >/dev/null
for store in ../shuffled ../again; do
  redo -C $store archive create -q --no-cache --split=month -o old.redopack >../others || fail "create fails" </dev/null
  cmp -s ../others ../rows || fail "the rows differ" < <(diff ../others ../rows)
  for file in $MONTHS; do cmp -s "$file" "$store/$file" || fail "'$file' is another one" </dev/null; done
  rm $store/old-*
done
redo -C ../shuffled archive create -q --split=month -o old.redopack >../others
cmp -s ../others ../rows || fail "with an index the rows differ" < <(diff ../others ../rows)

scene "a pack of the same nodes is the same file, however it was chosen"
first=${MONTHS%% *} second=$(cut -d ' ' -f 2 <<<"$MONTHS")
# shellcheck disable=SC2046 # ids
run redo archive bundle -q -o same.redopack $(redo archive list --heads "$first" | sed 's/^/^/') $(redo archive list --heads "$second")
expect_status 0
cmp same.redopack "$second" || fail "it is another one" </dev/null

scene "-n shows all rows and writes nothing; without a file the periods stand for their names"
before=$(find . -type f ! -path './.redo/cache/*' | sort)
run redo archive create -q -n --split=month -o old.redopack
expect_status 0
expect_stdout_file ../rows
run redo archive create -q -n --split=month
sed 's/old-\(.*\).redopack/\1/' ../rows | diff - "$OUT" >../differences || fail "other rows" <../differences
run redo archive create -n --remove --split=year
expect_stderr_has "would take 1500 nodes out of the store, about "
expect_equal "$(find . -type f ! -path './.redo/cache/*' | sort)" "$before" "the files"
run redo archive create -q -n --json --split=month -o old.redopack
expect_equal "$(sed 's/.*"file":"\([^"]*\)".*/\1/' "$OUT" | paste -sd ' ')" "$MONTHS" "the files of the rows"

scene "the period stands before the suffix of the last part of the name"
mkdir dir.d
for name in plain:plain-2023 .hidden:.hidden-2023 a.tar.gz:a.tar-2023.gz dir.d/plain:dir.d/plain-2023 "a b:a b-2023" ä.päck:ä-2023.päck end.:end-2023.; do
  run redo archive create -q --split=year -o "${name%:*}"
  expect_status 0
  [ -f "${name#*:}" ] || fail "there is no '${name#*:}'" < <(ls -A . dir.d)
  rm "${name#*:}"
done

scene "what cannot be asked for"
for words in "--split=month -o -" "-n --split=year -o -" "--split=day -o x" "--split= -o x" "--split=year -o dir.d/" "--split=year -o ." \
  "--split=year" "--split=year -o x --clock=sun" "--clock=wall -o x"; do
  # shellcheck disable=SC2086 # words
  run redo archive create $words
  expect_status 129
  [ ! -s "$OUT" ] || fail "something is printed" <"$OUT"
done
run redo archive create --split=year -o -
expect_stderr_has "'-o -' and '--split' cannot be used together: they are several files"
run redo archive bundle -n --split=year HEAD
expect_status 129
run redo archive create --split=year -o nowhere/x
expect_error 128 "'nowhere/x-2023': no such file or directory"

scene "a file that is there stops everything before anything is written, unless -f is given"
last=${MONTHS##* }
mkdir there
for what in "echo x" "ln -s nowhere" "mkdir"; do
  for name in "$last" "$last.manifest" "$last.manifest.sig"; do
    rm -rf there/* && case $what in echo*) echo x >"there/$name" ;; *) $what "there/$name" ;; esac
    run redo archive create -q --split=month -o there/old.redopack
    expect_status 128
    expect_stderr_has "'there/$name' is "
    expect_equal "$(ls -A there)" "$name" "what is there"
  done
done
rm -rf there/* && echo x >"there/$last"
run redo archive create -q -f --split=month -o there/old.redopack
expect_status 0
for file in $MONTHS; do cmp "there/$file" "$file" || fail "it is another file" </dev/null; done

scene "with a date, and with clocks that are wrong"
run redo archive create --before=2023-10-14 -o before.redopack
cp "$ERR" ../said
run redo archive create --split=month --before=2023-10-14 -o before.redopack
expect_status 0
expect_equal "$(grep -v because "$ERR")" "$(cat ../said)" "what is said of nodes that stay"
run bash -c 'for file in before-*; do redo archive extract $file; done | sort'
expect_stdout_file <(redo archive extract before.redopack | sort)
expect_equal "$(redo archive create -n -q --split=month --before=2023-10-01 -o old.redopack)" "$(grep 2023-0 ../rows)" "the rows of whole months"
redo init -q ../wrong
one=$(node CREATE '' 1 01T00:00:00.000 '"title":"a"' | redo -C ../wrong hash-object -w --update-heads --stdin 2>/dev/null)
# From the year 9999, and from the year 1.
two=$(node NOTE '' 2 01T00:00:00.000 '"text":"b"' "$one" | sed 's/2025-03/9999-12/' | redo -C ../wrong hash-object -w --update-heads --stdin 2>/dev/null)
three=$(node NOTE '' 3 01T00:00:00.000 '"text":"c"' "$two" | sed 's/2025-03/0001-01/' | redo -C ../wrong hash-object -w --update-heads --stdin 2>/dev/null)
four=$(node NOTE '' 2 01T00:00:00.000 '"text":"d"' "$one" | sed 's/2025-03/0001-01/' | redo -C ../wrong hash-object -w --update-heads --stdin 2>/dev/null)
run redo -C ../wrong archive create --split=month -o x
expect_stderr "nodes in a later archive than by their own time, because of an ancestor: 2"
expect_equal "$(cut -d ' ' -f 2,6 "$OUT" | paste -sd ' ')" "2 x-2025-03 2 x-9999-12" "the rows"
expect_equal "$(redo archive extract ../wrong/x-2025-03 | ids_of | sort)" "$(sort <<<"$one"$'\n'"$four")" "the nodes of 2025-03"
expect_equal "$(redo archive extract ../wrong/x-9999-12 | ids_of)" "$two"$'\n'"$three" "the nodes of 9999-12"

scene "--clock=received: by when the store received them, which no author can steer"
redo init -q ../days
for range in 1,500 501,1000 1001,1500; do sed -n "${range}p" ../log.ndjson | redo -C ../days -c core.fsync=none import -q >/dev/null; done
# In November 2024, in January 2025, and then in December 2024 of a clock that went back.
received ../days 1731000000000 1736000000000 1734000000000
run redo -C ../days archive create --split=month --clock=received -o x
expect_status 0
expect_equal "$(cut -d ' ' -f 6 "$OUT" | paste -sd ' ' | sed 's/x-2024-12 //')" "x-2024-11 x-2025-01" "the files"
expect_equal "$(redo archive extract ../days/x-2024-11 | ids_of | sort)" "$(head -n 500 ../log.ndjson | ids_of | sort)" "the nodes of the first day"
expect_equal "$(redo -C ../days archive create -q --split=year --clock=received -o x | cut -d ' ' -f 6 | paste -sd ' ')" "x-2024 x-2025" "the files"
redo init -q ../again2
for file in ../days/x-2024-* ../days/x-2025-*; do redo -C ../again2 -c core.fsync=none import -q "$PWD/$file" >/dev/null || fail "'$file' needs a later one" </dev/null; done
expect_equal "$(redo -C ../again2 state --hash)" "$(redo state --hash)" "the state"
run redo -C ../days archive create -n -q --split=year --clock=received --before=2024-11-30
expect_equal "$(cut -d ' ' -f 2,6 "$OUT")" "500 2024" "the row"
received ../days 1731000000000 1736000000000 forgotten
rm ../days/x-*
run redo -C ../days archive create -q --split=month --clock=received -o x
expect_error 128 "it is not known when node 'sha256:"
expect_equal "$(ls ../days)" "" "the files"

scene "each file is described and sealed"
redo key generate >../user 2>/dev/null
run redo archive create -q --split=month --manifest -r "$(cat ../user)" -o there/secret.redopack
expect_status 0
for file in $MONTHS; do
  file=there/secret${file#old}
  run redo archive verify "$file"
  [ "$STATUS" -eq 0 ] || fail "'$file' is not good" <"$OUT"
  [ -f "$file.manifest.sig" ] || fail "'$file' is not signed" </dev/null
  expect_equal "$(sed 's/.*"heads":\[\([^]]*\)\].*/\1/; s/"//g; s/,/\n/g' "$file.manifest")" "$(redo archive list --heads "there/old${file#there/secret}")" "the heads of '$file'"
done
echo correct horse battery >../passphrase
run redo archive create -q --split=year --passphrase-file="$PWD/../passphrase" -o there/word
expect_status 0
expect_equal "$(redo archive extract --passphrase-file="$PWD/../passphrase" there/word-2023 | wc -l)" 1500 "the nodes"

scene "--remove registers each, and the history reads as before"
for kind in loose packed; do
  rm -rf ../cold && cp -r . ../cold && rm -f ../cold/*.redopack
  [ $kind = loose ] || redo -C ../cold repack -q >/dev/null
  run redo -C ../cold archive create -q --remove --split=month --before=2023-11-01 -o old.redopack
  expect_status 0
  expect_stdout_file <(head -n 4 ../rows)
  expect_equal "$(redo -C ../cold archive list | cut -d ' ' -f 2,6 | sort)" "$(head -n 4 ../rows | cut -d ' ' -f 2 | sed 's/$/ present/' | sort)" "the registered archives"
  cmp -s <(redo -C ../cold log --no-cache --json) <(redo log --json) || fail "the log differs" </dev/null
  expect_equal "$(redo -C ../cold state --no-cache --hash)" "$(redo state --hash)" "the state"
  expect_equal "$(redo -C ../cold archive create -q -n --remove | cut -d ' ' -f 2)" 168 "the nodes that are left"
  # The rest, of which periods are those that they were.
  run redo -C ../cold archive create -q --remove --split=month -o old.redopack
  expect_status 0
  expect_stdout_file <(tail -n 1 ../rows)
  run redo -C ../cold archive create -q --remove -f --split=month -o old.redopack
  expect_error 128 "all 1500 nodes are in registered archives, not in the store"
  # What came late to a month has no place in a file that the store reads.
  late=$(node NOTE '' 1 01T00:00:00.000 '"text":"late"' | sed 's/2025-03/2023-07/' | redo -C ../cold hash-object -w --update-heads --stdin 2>/dev/null)
  run redo -C ../cold archive create -q --remove -f --split=month -o old.redopack
  expect_error 128 "'old-2023-07.redopack' is a registered archive"
  run redo -C ../cold archive create -q --remove --split=month -o late.redopack
  expect_equal "$(cut -d ' ' -f 2,6 "$OUT")" "1 late-2023-07.redopack" "the row"
  expect_equal "$(redo -C ../cold cat-node --batch-check='%(id)' <<<"$late")" "$late" "the late node"
done

scene "a node that cannot be read: the files before it are whole, and the next run completes them"
middle=$(redo archive extract "$(cut -d ' ' -f 3 <<<"$MONTHS")" | ids_of | sed -n 30p | cut -d : -f 2)
redo init -q ../hurt && redo -C ../hurt -c core.bulkLimit=1000000 -c core.fsync=none import -q "$PWD/../log.ndjson" >/dev/null
file=../hurt/.redo/objects/${middle:0:2}/${middle:2}
[ -f "$file" ] || fail "it is not loose" </dev/null
redo -C ../hurt log -n 1 >/dev/null
cp "$file" ../kept && chmod u+w "$file" && printf x | dd of="$file" bs=1 seek=20 conv=notrunc 2>/dev/null
run redo -C ../hurt archive create -q --split=month -o old.redopack
expect_status 128
expect_stderr_has "$middle"
head -n 2 ../rows | diff - "$OUT" >../differences || fail "other rows" <../differences
expect_equal "$(ls -A ../hurt)" ".redo"$'\n'"$(head -n 2 ../rows | cut -d ' ' -f 6)" "the files"
cp -f ../kept "$file"
run redo -C ../hurt archive create -q --split=month -o old.redopack
expect_error 128 "'$first' is there already"
run redo -C ../hurt archive create -q -f --split=month -o old.redopack
expect_status 0
expect_stdout_file ../rows
for name in $MONTHS; do cmp "$name" "../hurt/$name" || fail "it is another file" </dev/null; done

scene "a disk that is full: files are whole or not there"
mkdir ../disk
if [ "$(id -u)" -ne 0 ] || ! mount -t tmpfs -o size=80k,mode=755 none ../disk 2>/dev/null; then
  skip "only root can mount a small disk"
else
  at_exit "umount '$WORK/here/disk'"
  run redo archive create -q --split=month -o ../disk/old.redopack
  expect_status 128
  expect_stderr_has "no space left on device"
  made=$(ls -A ../disk)
  expect_equal "$made" "$(head -n "$(wc -l <<<"$made")" ../rows | cut -d ' ' -f 6)" "the files"
  for name in $made; do cmp "$name" "../disk/$name" || fail "it is not whole" </dev/null; done
  mount -o remount,size=2m ../disk
  run redo archive create -q -f --split=month -o ../disk/old.redopack
  expect_status 0
  for name in $MONTHS; do cmp "$name" "../disk/$name" || fail "it is another file" </dev/null; done
fi
