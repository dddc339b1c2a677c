#!/bin/bash
# redo archive diff, bundle, list --heads, verify --prerequisites; gzip and CAR files of redo export and redo import.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 600 >log.ndjson
make_store demo
redo -c core.fsync=none import -q ../log.ndjson >/dev/null
redo archive create -q -o all.pack >/dev/null
redo archive extract all.pack >all
redo archive create -q --before=2023-09-01 -o old.pack >/dev/null
redo archive extract old.pack >old
rows() { ids_of <"$1" | sort | sed "s/^/$2 /"; }

scene "diff tells in which archive nodes are, by their ids"
run redo archive diff old.pack all.pack
expect_status 1
grep -vxFf old all >young
expect_stdout "$(rows young '>')"
run redo archive diff all.pack old.pack
expect_status 1
expect_stdout "$(rows young '<')"
run redo archive diff all.pack all.pack
expect_status 0
expect_stdout ''
run redo archive diff -z old.pack all.pack
expect_equal "$(tr '\0' '\n' <"$OUT")" "$(rows young '>')" "the rows"
run redo archive diff --json old.pack all.pack
expect_equal "$(head -1 "$OUT")" "{\"id\":\"$(ids_of <young | sort | head -1)\",\"side\":\">\"}" "the first row"
run redo archive diff -q old.pack all.pack
expect_status 1
expect_stdout ''

scene "with --stat it counts"
run redo archive diff --stat old.pack all.pack
expect_status 1
expect_stdout "$(printf '< 0\n> %s\n! 0\n= %s' "$(wc -l <young)" "$(wc -l <old)")"
run redo archive diff --stat --json all.pack all.pack
expect_status 0
expect_stdout '{"first":0,"same":600,"second":0,"signature":0}'

scene "one archive is compared with the history of the store"
run redo archive diff all.pack
expect_status 0
expect_stdout ''
run redo archive diff old.pack
expect_status 1
expect_stdout "$(rows young '>')"
redo init -q ../empty
run redo -C ../empty archive diff --stat ../demo/old.pack
expect_status 1
expect_stdout "$(printf '< %s\n> 0\n! 0\n= 0' "$(wc -l <old)")"

scene "a node of which both have another signature is shown as such"
redo init -q ../unsigned
head -3 all | sed 's/,"signature":"[0-9a-f]*"//' | redo -C ../unsigned import -q >/dev/null
redo -C ../unsigned archive create -q -o unsigned.pack >/dev/null
head -3 all >three
redo init -q ../three && redo -C ../three import -q ../demo/three >/dev/null && redo -C ../three archive create -q -o three.pack >/dev/null
run redo archive diff ../three/three.pack ../unsigned/unsigned.pack
expect_status 1
expect_stdout "$(rows three '!')"
run redo -C ../three archive diff ../unsigned/unsigned.pack
expect_status 1
expect_stdout "$(rows three '!')"

scene "diff refuses what is damaged, and needs a store only for one archive"
head -c 3000 all.pack >cut.pack
run redo archive diff cut.pack all.pack
expect_error 128 "'cut.pack' is damaged"
run redo archive diff all.pack missing
expect_error 128 "cannot open 'missing'"
run env -C "$WORK/home" redo archive diff "$PWD/all.pack"
expect_error 128 "not a redo repository"
run env -C "$WORK/home" redo archive diff "$PWD/all.pack" "$PWD/all.pack"
expect_status 0
for arguments in diff "diff a b c" bundle "bundle -o x" "bundle $(ids_of <all | head -1)"; do
  run redo archive $arguments
  expect_status 129
  expect_stderr_has "usage: redo-archive"
done

run redo archive list --heads --json all.pack
expect_status 129

scene "list --heads: the nodes that no other one names as parent"
python3 - all >heads <<'END'
import json, sys
nodes = [json.loads(line) for line in open(sys.argv[1])]
parents = {parent for node in nodes for parent in node["parents"]}
print("\n".join(sorted(node["id"] for node in nodes if node["id"] not in parents)))
END
run redo archive list --heads all.pack
expect_status 0
expect_stdout_file heads
run redo archive list --heads cut.pack
expect_error 128 "'cut.pack' is damaged"

scene "a bundle of a range states what it needs, and goes where that is"
task=$(sed 's/.*"taskId":"\([^"]*\)".*/\1/' all | uniq -c | sort -rn | awk 'NR == 1 {print $2}')
grep "\"taskId\":\"$task\"" all >line
redo archive create -q -o chain.pack "$(tail -1 line | ids_of)" >/dev/null
redo archive extract chain.pack >chain
base=$(sed -n 3p chain | ids_of) tip=$(tail -1 chain | ids_of)
run redo archive bundle -q -o new.pack "$base..$tip"
expect_status 0
redo archive extract new.pack >new
needs=$(python3 - new <<'END'
import json, sys
nodes = [json.loads(line) for line in open(sys.argv[1])]
print("\n".join(sorted({parent for node in nodes for parent in node["parents"]} - {node["id"] for node in nodes})))
END
)
[ -n "$needs" ] || fail "it needs nothing" </dev/null
expect_equal "$(redo archive list --json new.pack | python3 -c 'import json, sys; print("\n".join(json.load(sys.stdin)["prerequisites"]))')" "$needs" "what it needs"
run redo archive verify --prerequisites new.pack
expect_status 0
expect_stdout ''
redo init -q ../far
run redo -C ../far archive verify --prerequisites ../demo/new.pack
expect_status 1
expect_stdout "$(sed 's/^/missing node /' <<<"$needs")"
run redo -C ../far archive verify --prerequisites --json ../demo/new.pack
expect_equal "$(head -1 "$OUT")" "{\"missing\":\"$(head -1 <<<"$needs")\"}" "the first row"
run redo -C ../far archive verify ../demo/new.pack
expect_status 0
run env -C "$WORK/home" redo archive verify --prerequisites "$PWD/new.pack"
expect_error 128 "not a redo repository"

scene "import of a bundle says what is missing, and takes it where that is not so"
run redo -C ../far import ../demo/new.pack
expect_status 1
expect_stdout ''
expect_stderr_has "error: '../demo/new.pack' needs $(wc -l <<<"$needs") change"
expect_stderr_has "hint: $(head -1 <<<"$needs")"
expect_equal "$(objects ../far)" 0 "the objects"
redo archive create -q -o base.pack $needs >/dev/null
run redo -C ../far import -q ../demo/new.pack ../demo/base.pack
expect_status 0
expect_stdout "$(wc -l <chain)"
expect_stderr ''
run redo -C ../far archive verify --prerequisites ../demo/new.pack
expect_status 0
redo init -q ../again && run redo -C ../again import --salvage ../demo/new.pack
expect_status 1
expect_stderr_has "'../demo/new.pack' needs"

scene "-o name.gz and --gzip write gzip, without a time and a name, the same every time"
redo export -q --format=json >plain.json
redo export -q >plain.ndjson
run redo export -q -o backup.json.gz
expect_stdout backup.json.gz
gzip -dc backup.json.gz | cmp -s - plain.json || fail "other bytes" </dev/null
sleep 1
redo export -q -o backup2.json.gz >/dev/null
cmp -s backup.json.gz backup2.json.gz || fail "the files differ" </dev/null
expect_equal "$(head -c 8 backup.json.gz | od -An -tx1 | tr -d ' ')" 1f8b080000000000 "the flags and the time"
run sh -c 'redo export --gzip | gzip -dc | cmp - plain.ndjson'
expect_status 0
redo export -q --no-gzip -o named.gz >/dev/null && cmp -s named.gz plain.json || fail "it is compressed" </dev/null
mkdir folder && redo export -q --gzip --format=ndjson -o folder >folder/name
expect_equal "$(sed 's/[0-9]*//g' folder/name)" folder/redo_backup_.ndjson.gz "the name"
gzip -dc folder/*.gz | cmp -s - plain.ndjson || fail "other bytes" </dev/null
run redo export --gzip --format=dir -o dir
expect_status 129
run sh -c 'redo export --gzip >/dev/full'
expect_error 128 "write error: no space left on device"

scene "import reads gzip from files, pipes and directories, several members, a small piece at a time"
redo init -q ../unzipped
run redo -C ../unzipped -c core.fsync=none import -q ../demo/backup.json.gz
expect_stdout 600
expect_equal "$(redo -C ../unzipped state --hash)" "$(redo state --hash)" "the state"
head -300 plain.ndjson | gzip >two.gz && tail -n +301 plain.ndjson | gzip >>two.gz
redo init -q ../two
run redo -C ../two -c core.fsync=none import -q ../demo/two.gz
expect_stdout 600
redo init -q ../slow
run sh -c 'python3 -c "
import sys
data = open(\"two.gz\", \"rb\").read()
for start in range(0, len(data), 4999):
    sys.stdout.buffer.write(data[start:start + 4999])
    sys.stdout.buffer.flush()
" | redo -C ../slow -c core.fsync=none import -q'
expect_stdout 600
run sh -c 'head -c 1 backup.json.gz >first; (cat first; sleep 0.2; tail -c +2 backup.json.gz) | redo -C ../slow import -q'
expect_stdout 0
mkdir many && mv two.gz many/a.ndjson.gz
run redo import -q -n many
expect_stdout 0
gzip -c "$VECTORS"/v0/*.json 2>/dev/null | head -c 0
file=$(ls "$VECTORS"/v0/*.json | head -1)
if [ -n "$file" ]; then
  gzip -c "$file" >old.json.gz
  redo init -q ../v0 && redo init -q ../v0gz
  redo -C ../v0 import -q --from=v0 "$file" >"$WORK/.last/v0" 2>/dev/null
  redo -C ../v0gz import -q --from=v0 ../demo/old.json.gz >"$WORK/.last/v0gz" 2>/dev/null
  cmp -s "$WORK/.last/v0" "$WORK/.last/v0gz" || fail "a log of before version 1 is read in another way" </dev/null
fi

scene "what is damaged, cut off or longer than it should be is refused"
gzip -9nc plain.ndjson >good.gz
refuse() { # refuse <file> <fixed text>
  run redo -C ../empty import "$PWD/$1"
  expect_error 128 "$2"
}
head -c 5000 good.gz >bad.gz && refuse bad.gz "it ends at byte 5000, and the compressed data do not"
head -c 11 good.gz >bad.gz && refuse bad.gz "it ends at byte 11"
head -c 2 good.gz >bad.gz && refuse bad.gz "it ends at byte 2"
(cat good.gz && echo more) >bad.gz && refuse bad.gz "there is something behind the compressed data"
(cat good.gz && printf '\0\0') >bad.gz && refuse bad.gz "there is something behind the compressed data"
(cat good.gz && printf '\x1f') >bad.gz && refuse bad.gz "and the compressed data do not"
for place in 2 3 5000 $(($(stat -c %s good.gz) - 8)) $(($(stat -c %s good.gz) - 1)); do
  python3 -c '
import sys
data = bytearray(open("good.gz", "rb").read())
data[int(sys.argv[1])] ^= 0x20
open("bad.gz", "wb").write(data)' "$place"
  run redo -C ../empty import "$PWD/bad.gz"
  [ $STATUS -ne 0 ] || fail "byte $place is not looked at" </dev/null
  expect_equal "$(objects ../empty)" 0 "the objects"
done
gzip -c good.gz >twice.gz && refuse twice.gz "is compressed with gzip twice"
run sh -c 'gzip -c all.pack | redo -C ../empty import -n'
expect_status 0

scene "a bomb is given up early"
head -c 400000000 /dev/zero | tr '\0' ' ' | gzip >bomb.gz
refuse bomb.gz "inflate to more than 200 times as many"
(printf '{"x":"' && head -c 60000000 /dev/zero | tr '\0' a) | gzip >bomb.gz
refuse bomb.gz "node-size"

scene "an LZFSE file is recognised and named"
for kind in 1 2 n -; do
  printf 'bvx%s\1\0\0\0\0\0\0\0bvx$' "$kind" >app.lzfse
  refuse app.lzfse "is compressed with LZFSE, which is not read here"
  expect_stderr_has "hint: the app's own export is not compressed; 'lzfse -decode' makes JSON of it"
  run redo archive list app.lzfse
  expect_error 128 "is compressed with LZFSE"
done
run sh -c 'redo import <app.lzfse'
expect_error 128 "'<stdin>' is compressed with LZFSE"

scene "--format=car: every block by its hash, the roots are the heads, and the signatures come along"
run redo export -q --format=car -o log.car
expect_stdout log.car
python3 "$TESTS/Oracle/read_car.py" log.car >read || fail "a program that knows the specification cannot read it" </dev/null
cmp -s read plain.ndjson || fail "other nodes" < <(diff read plain.ndjson | head -4)
run redo export -q --format=car
expect_stdout_file log.car
run redo export -q --format=car "$tip"
python3 "$TESTS/Oracle/read_car.py" "$OUT" | sort | cmp -s - <(sort chain) || fail "other nodes" </dev/null
redo export -q --format=car -o log.car.gz >/dev/null && gzip -dc log.car.gz | cmp -s - log.car || fail "other bytes" </dev/null
for file in log.car log.car.gz; do
  rm -rf ../back && redo init -q ../back
  run redo -C ../back import -q "$PWD/$file"
  expect_status 0
  redo export -q --format=ndjson >one && redo -C ../back export -q --format=ndjson | cmp -s - one || fail "'$file' does not bring back the same" </dev/null
done
run redo verify log.car
expect_equal "$(cut -d' ' -f1,2 "$OUT" | sort)" "$(redo verify --all | cut -d' ' -f1,2 | sort)" "the verdicts"
run redo compare log.car .
expect_status 0
head -c -1 log.car >short.car
run redo -C ../back import -q "$PWD/short.car"
expect_error 128 "is damaged, or no CAR file of changes"
run redo archive verify log.car
expect_status 1
expect_stderr_has "'log.car' is a CAR file"
run redo -C ../empty export -q --format=car
python3 "$TESTS/Oracle/read_car.py" "$OUT" >read && expect_equal "$(wc -c <read)" 0 "the nodes of an empty store"

scene "the changes of one byte are found by the reader of CAR files"
for place in 0 5 30 60 200 5000; do
  python3 - "$place" <<'END'
import sys
data = bytearray(open("log.car", "rb").read())
data[int(sys.argv[1])] ^= 1
open("bad.car", "wb").write(data)
END
  ! python3 "$TESTS/Oracle/read_car.py" bad.car >/dev/null 2>&1 || fail "byte $place is not looked at" </dev/null
  rm -rf ../bad && redo init -q ../bad
  ! redo -C ../bad import -q "$PWD/bad.car" >/dev/null 2>&1 || fail "byte $place is taken" </dev/null
  expect_equal "$(redo -C ../bad log | wc -l)" 0 "what was taken with byte $place changed"
done
