#!/bin/bash
# redo archive create --manifest: what lies beside an archive, and who signed it.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

demo 300 >log.ndjson
make_store demo
redo -c core.fsync=none import -q ../log.ndjson >/dev/null

scene "without a key there is a manifest and no signature"
run redo archive create -q --manifest -o old.pack
expect_status 0
expect_stderr ''
expect_equal "$(ls)" "$(printf 'old.pack\nold.pack.manifest')" "the files"
run redo archive verify old.pack
expect_status 0

scene "it says what the archive is, as canonical JSON, and nothing of path, host or time"
python3 - old.pack <<'END' || fail "it is another" <old.pack.manifest
import hashlib, json, subprocess, sys
text = open("old.pack.manifest").read()
manifest = json.loads(text)
assert text == json.dumps(manifest, sort_keys=True, separators=(",", ":")) + "\n", "not canonical"
data = open("old.pack", "rb").read()
assert manifest["sha256"] == hashlib.sha256(data).hexdigest() and manifest["bytes"] == len(data)
nodes = [json.loads(line) for line in subprocess.check_output(["redo", "archive", "extract", "old.pack"]).splitlines()]
ids = {node["id"] for node in nodes}
parents = {parent for node in nodes for parent in node["parents"]}
walls = sorted(node["timestamp"]["wall"] for node in nodes)
lamports = sorted(node["timestamp"]["lamport"] for node in nodes)
assert manifest["heads"] == sorted(ids - parents), "heads"
assert manifest["prerequisites"] == sorted(parents - ids) == []
assert manifest["nodes"] == len(nodes) and manifest["version"] == 1 and manifest["format"] == "redo-archive-manifest"
assert manifest["walls"] == [walls[0], walls[-1]] and manifest["lamports"] == [lamports[0], lamports[-1]]
lines = "".join(f"{i}\n" for i in sorted(ids)).encode()
assert manifest["ids"] == hashlib.sha256(lines).hexdigest(), "ids"
assert sorted(manifest) == ["bytes", "format", "heads", "ids", "lamports", "name", "nodes", "prerequisites", "sha256", "store", "version", "walls"], sorted(manifest)
assert manifest["name"] == subprocess.check_output(["redo", "archive", "list", "old.pack"]).split()[0].decode()
END
run redo archive list --heads old.pack
expect_status 0
expect_equal "$(python3 -c 'import json; print("\n".join(json.load(open("old.pack.manifest"))["heads"]))')" "$(cat "$OUT")" "the heads"

scene "with a key there is a signature, which another program can check"
redo key generate >/dev/null 2>&1
redo checkpoint create >/dev/null
KEY=$(redo key show --public)
run redo archive create -q --manifest -f -o old.pack
expect_status 0
expect_equal "$(ls)" "$(printf 'old.pack\nold.pack.manifest\nold.pack.manifest.sig')" "the files"
expect_equal "$(sed 's/[0-9a-f]\{128\}/-/' old.pack.manifest.sig)" "$(printf 'redo-archive-manifest-signature 1\nkey %s\nsignature -' "$KEY")" "the form"
expect_equal "$(grep -c '"store":"[0-9a-f]\{32\}"' old.pack.manifest)" 1 "the name of the store"
run redo archive verify old.pack
expect_status 0
signature=$(sed -n 's/^signature //p' old.pack.manifest.sig)
{ echo 'redo-archive-manifest-signature 1' && cat old.pack.manifest; } >signed
run redo key verify --key="$KEY" --signature="$signature" signed
expect_stdout body
! redo key verify -q --key="$KEY" --signature="$signature" old.pack.manifest || fail "it is not told apart" </dev/null
rm signed

scene "every member is compared"
mkdir ../pristine && cp old.pack* ../pristine
for change in 's/"bytes":/"bytes":1/' 's/"format":"redo/"format":"odre/' 's/"heads":\["/"heads":["0/' 's/"lamports":\[1/"lamports":[2/' \
  's/"name":"./"name":"-/' 's/"nodes":300/"nodes":301/' 's/"prerequisites":\[/&"x"/' 's/"sha256":"./"sha256":"-/' \
  's/"store":"./"store":"-/' 's/"version":1/"version":2/' 's/"walls":\["20/"walls":["19/'; do
  sed "$change" ../pristine/old.pack.manifest >old.pack.manifest
  ! cmp -s old.pack.manifest ../pristine/old.pack.manifest || fail "nothing is changed" <<<"$change"
  member=$(sed 's/[^"]*"\([a-z0-9]*\)":.*/\1/' <<<"$change")
  run redo archive verify old.pack
  expect_status 1
  # A malformed store name reads as no store, so that what follows it is in its place.
  [ "$member" != store ] || member=version
  expect_equal "$(grep -v '^N ' "$OUT")" "$(printf 'B old.pack.manifest manifest-differs at /%s\nB old.pack.manifest.sig signature-bad' "$member")" "the rows"
done
{ cat ../pristine/old.pack.manifest && echo; } >old.pack.manifest
run redo archive verify old.pack
expect_stdout_has "B old.pack.manifest manifest-differs at its end"
for text in '' x '{}' '{"bytes":'; do
  printf '%s' "$text" >old.pack.manifest
  run redo archive verify --json old.pack
  expect_status 1
  expect_stdout_has '{"file":"old.pack.manifest","letter":"B","pointer":"/bytes","rule":"manifest-differs"}'
done
cp ../pristine/* .
redo archive create -q -f --manifest -o other.pack "$(redo log -n 1 --format='%(id)')" >/dev/null
mv other.pack old.pack && rm other.pack.*
run redo archive verify old.pack
expect_status 1
expect_equal "$(grep -v '^N ' "$OUT")" "B old.pack.manifest manifest-differs at /bytes" "the rows"
cp ../pristine/* .

scene "every change of a byte of the signature is found"
python3 - <<'END' >places
print(*range(len(open("old.pack.manifest.sig", "rb").read())))
END
for place in 0 20 33 34 36 38 60 101 102 103 108 112 113 150 239 240; do
  python3 - "$place" <<'END'
import sys
data = bytearray(open("../pristine/old.pack.manifest.sig", "rb").read())
data[int(sys.argv[1])] ^= 1
open("old.pack.manifest.sig", "wb").write(data)
END
  run redo archive verify old.pack
  expect_status 1
  grep -q '^B old.pack.manifest.sig signature-\(form\|bad\)' "$OUT" || fail "byte $place is not looked at" <"$OUT"
done
cp ../pristine/* .
rm places

scene "a signature without its manifest is told of; a manifest without a signature is enough"
rm old.pack.manifest
run redo archive verify old.pack
expect_status 1
expect_stdout_has "B old.pack.manifest manifest-missing"
cp ../pristine/* . && rm old.pack.manifest.sig
run redo archive verify old.pack
expect_status 0
cp ../pristine/* .

scene "the letters of the trust file"
redo trust add "$(printf '5a%.0s' {1..32})" >/dev/null 2>&1
run redo archive verify old.pack
expect_status 1
expect_stdout_has "U old.pack.manifest.sig key-untrusted"
redo trust add "$KEY" >/dev/null 2>&1
run redo archive verify old.pack
expect_status 0
redo trust revoke "$KEY" >/dev/null 2>&1
run redo archive verify old.pack
expect_status 1
expect_stdout_has "R old.pack.manifest.sig key-revoked"
run redo archive verify --json old.pack
expect_stdout_has "\"key\":\"$KEY\",\"letter\":\"R\",\"line\":"
printf '%s valid-before=2022-01-01T00:00:00.000Z\n' "$KEY" >.redo/trust
run redo archive verify old.pack
expect_status 1
expect_stdout_has "X old.pack.manifest.sig key-expired"
rm .redo/trust
run env -C "$WORK/home" redo archive verify "$PWD/old.pack"
expect_status 0

scene "an archive never gets the manifest of another"
run redo archive create -q -f -o old.pack
expect_error 128 "'old.pack.manifest' is there already, which is not about this archive"
cmp -s old.pack ../pristine/old.pack || fail "the archive has changed" </dev/null
run redo archive create -q --manifest -o new.pack
expect_status 0
rm new.pack
run redo archive create -q -o new.pack
expect_error 128 "'new.pack.manifest' is there already"
run redo archive create -q --manifest -o new.pack
expect_error 128 "'new.pack.manifest' is there already"
[ ! -e new.pack ] || fail "there is an archive" </dev/null
run redo archive create -q --manifest --force -o new.pack
expect_status 0
redo -C . key rm ed25519_private_key --yes >/dev/null 2>&1 || rm -f .redo/keys/*
run redo archive create -q --manifest --force -o new.pack
expect_status 0
[ ! -e new.pack.manifest.sig ] || fail "the signature of another is there" </dev/null
run redo archive verify new.pack
expect_status 0

scene "an encrypted archive has one, too, and verify compares it"
echo correct horse battery >word
run redo archive create -q --manifest --passphrase-file=word -o secret.pack
expect_status 0
expect_stdout_has secret.pack
grep -q '"encrypted":true' secret.pack.manifest || fail "it does not say so" <secret.pack.manifest
run redo archive verify --passphrase-file=word secret.pack
expect_status 0

scene "import of a directory passes over manifests beside their archives, and over no other file"
mkdir ../backups && cp ../pristine/* ../backups
redo init -q ../restored
run redo -C ../restored -c core.fsync=none import -q ../backups
expect_status 0
expect_stdout 300
rm ../backups/old.pack
run redo -C ../restored import -q ../backups
expect_status 128

scene "there is none for a stream, and -n writes none"
run redo archive create -q --manifest -o -
expect_status 129
expect_stderr_has "'--manifest' needs the name of a file"
run redo archive create -n -q --manifest -o planned.pack
expect_status 0
[ ! -e planned.pack.manifest ] || fail "there is a manifest" </dev/null
mkdir -p closed/x.pack.manifest
run redo archive create -q --manifest -f -o closed/x.pack
expect_error 128 "'closed/x.pack.manifest' is not a regular file"
expect_equal "$(ls -A closed)" x.pack.manifest "the files"
