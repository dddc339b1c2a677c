#!/bin/bash
# redo verify without names: the audit of the store as a whole. Each rule of a store is broken and named.
. "$(dirname "${BASH_SOURCE[0]}")/verify.bash"

scene "a sound store: nothing is printed, with and without what is derived; nothing is written"
cd "$SOUND" || exit 1
before=$(find .redo -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)
run redo verify
expect_status 0
expect_stdout ''
expect_stderr ''
run redo-verify --json
expect_status 0
expect_stdout ''
expect_equal "$(find .redo -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum)" "$before" "the bytes"
broken 'rm -r .redo/cache/*'
expect_status 0
expect_stdout ''
[ -z "$(ls .redo/cache)" ] || fail "an audit has written" < <(ls .redo/cache)

scene "object-corrupt: cut off, empty, followed by more, a changed byte"
for how in 'truncate -s 100 $f' ': >$f' 'printf x >>$f' 'printf XXXX | dd of=$f bs=1 seek=90 conv=notrunc status=none'; do
  broken "f=.redo/$INNER_PATH; chmod u+w \$f; $how; chmod 444 \$f"
  found error object-corrupt "$INNER" "$INNER_PATH"
done

scene "hash-mismatch: the whole bytes of another object"
broken "cp -f .redo/$HEAD_PATH .redo/$INNER_PATH"
found error hash-mismatch "$INNER" "$INNER_PATH"
expect_stdout_has "its bytes hash to '$HEAD'"

scene "one damaged object hides no other: all of 30 damaged ones are listed, by path"
broken "sed -n 1~5p $WORK/ids | sed 's|sha256:\\(..\\)|.redo/objects/\\1/|' >names
        xargs chmod u+w <names; xargs truncate -s 60 <names; xargs chmod 444 <names"
expect_status 1
expect_equal "$(grep -c '^error object-corrupt sha256:' "$OUT")" 30 "corrupt objects"
sed -n 1~5p "$WORK/ids" | sort >expected
cut -d' ' -f3 "$OUT" | cmp -s - expected || fail "other ids, or another order" <"$OUT"

scene "a store without an index names the same damage"
broken "rm -r .redo/cache/*; rm -f .redo/$INNER_PATH"
expect_status 1
has error object-missing "$INNER" "$INNER_PATH"
has error parent-missing "$INNER" -
expect_stdout_has "missing, parent of sha256:"

scene "object-missing, parent-missing, and ref-target where it was a head"
broken "rm -f .redo/$INNER_PATH"
expect_status 1
expect_stdout_lines 2
has error object-missing "$INNER" "$INNER_PATH"
has error parent-missing "$INNER" -
broken "rm -f .redo/$HEAD_PATH"
expect_status 1
has error object-missing "$HEAD" "$HEAD_PATH"
has error ref-target "$HEAD" refs

scene "file-kind: a named pipe, a directory, a link in the place of any file; none is followed or waited for"
for path in "$INNER_PATH" refs refs.journal reflog received created config lock cache/graph cache/graph.heads \
  objects/info/alternates; do
  for how in mkfifo mkdir 'ln -s /etc/passwd'; do
    if [ "$path $how" = 'config ln -s /etc/passwd' ]; then continue; fi
    broken "rm -f .redo/$path; $how .redo/$path"
    expect_status 1
    id=- && [ "$path" != "$INNER_PATH" ] || id=$INNER
    has error file-kind "$id" "$path"
  done
done
for path in objects $SHARD cache keys quarantine; do
  for how in mkfifo touch 'ln -s /etc'; do
    broken "rm -rf .redo/$path; $how .redo/$path"
    expect_status 1
    has error file-kind - "$path"
  done
done

scene "a link is a way to the settings, if it leads to some"
broken 'mv .redo/config real; ln -s ../real .redo/config'
expect_status 0
broken 'rm .redo/config; ln -s /etc/passwd .redo/config'
found error config-form - config

scene "file-missing: each file that a store cannot do without"
for path in refs refs.journal reflog received config; do
  broken "rm .redo/$path"
  found error file-missing - "$path"
done
broken 'rm -r .redo/objects'
found error file-missing - objects
broken 'echo /nowhere >.redo/objects/info/alternates'
found error file-missing - objects/info/alternates
broken 'rm -r .redo/cache .redo/quarantine .redo/remotes .redo/lost-found .redo/objects/pack .redo/keys; true'
expect_status 0

scene "file-mode: what others may write"
broken "chmod 644 .redo/$INNER_PATH"
found warning file-mode "$INNER" "$INNER_PATH"
broken 'chmod 666 .redo/received'
found warning file-mode - received
broken 'chmod 777 .redo'
found warning file-mode - -

scene "file-stray: names without a meaning; a space in one is no end of it, -z has it as it is"
broken "touch .redo/other '.redo/a b' .redo/objects/zz .redo/$SHARD/cd .redo/objects/pack/p .redo/cache/x
        mkdir -p .redo/lost-found; touch .redo/lost-found/x .redo/quarantine/y"
expect_status 0
for path in other 'a\\x20b' objects/zz $SHARD/cd objects/pack/p cache/x quarantine/y; do
  has warning file-stray - "$path"
done
expect_stdout_lines 7
redo verify -z >zeros
tr '\0' '\n' <zeros | grep -qx 'warning file-stray - a b a file' || fail "-z" < <(tr '\0' '\n' <zeros)

scene "file-unfinished: what a crashed writer left"
broken 'touch .redo/$SHARD/tmp_obj_0123456789abcdef'
found info file-unfinished - $SHARD/tmp_obj_0123456789abcdef
broken 'touch .redo/tmp_refs_0'
found info file-unfinished - tmp_refs_0

scene "config-form: syntax, a value that its key cannot have, no format; another format ends it"
broken 'echo "[core" >>.redo/config'
found error config-form - config
broken 'printf "\tcompression = 99\n" >>.redo/config'
found error config-form - config
broken ': >.redo/config'
found error config-form - config
broken 'printf "[core]\n\tformat = 3\n" >.redo/config'
expect_error 128 "names the store format '3'"

scene "trust-form: a trust file that cannot be understood trusts nobody"
broken 'echo nonsense >.redo/trust'
found error trust-form - trust

scene "keyring-exposed, keyring-form"
broken 'redo key generate -q >/dev/null 2>&1 || redo key generate; chmod 750 .redo/keys'
found error keyring-exposed - keys
broken 'redo key generate >/dev/null; f=$(ls .redo/keys | head -1); chmod 644 .redo/keys/$f'
expect_status 1
grep -q '^error keyring-exposed - keys/' "$OUT" || fail "an open slot" <"$OUT"
broken 'redo key generate >/dev/null; printf "%064d" 0 >.redo/keys/ed25519_public_key; chmod 600 .redo/keys/*'
found error keyring-form - keys/ed25519_public_key
broken 'printf zz >.redo/keys/user_id; chmod 600 .redo/keys/user_id'
found error keyring-form - keys/user_id

scene "refs-corrupt: refs or journal; the rest is read all the same"
broken "printf x | dd of=.redo/refs bs=1 seek=40 conv=notrunc status=none; chmod 644 .redo/$INNER_PATH"
expect_status 1
has error refs-corrupt - refs
has warning file-mode "$INNER" "$INNER_PATH"
broken 'printf x | dd of=.redo/refs.journal bs=1 seek=400 conv=notrunc status=none'
found error refs-corrupt - refs.journal

scene "journal-torn: a record without its end, of which nothing else knows; refs-behind: one that was acknowledged"
broken 'printf @0000 >>.redo/refs.journal'
expect_status 0
has warning journal-torn - refs.journal
expect_stdout_lines 1
broken 'truncate -s -1 .redo/refs.journal'
expect_status 1
has error refs-behind - refs.journal
has warning journal-torn - refs.journal

scene "reflog-corrupt, received-corrupt"
# So many changes of refs that the journal is folded, and the reflog has something in it.
fold() {
  local part
  for part in 1 2 3; do
    for number in $(seq 400); do echo "create notes/$part/$number $HEAD"; done | redo update-ref --stdin
  done
  [ "$(wc -c <.redo/reflog)" -gt 100 ] || fail "nothing is folded" < <(ls -l .redo)
}
broken 'fold'
expect_status 0
expect_stdout ''
broken 'fold; printf x | dd of=.redo/reflog bs=1 seek=60 conv=notrunc status=none'
found error reflog-corrupt - reflog
broken 'fold; truncate -s 20 .redo/reflog'
found error reflog-corrupt - reflog
broken 'printf x | dd of=.redo/received bs=1 seek=100 conv=notrunc status=none'
found error received-corrupt - received
broken 'truncate -s -65 .redo/received'
found error received-corrupt - received

scene "created-corrupt: the times at which remotes first had nodes, of which nothing else depends"
times='sed "s/^{/{\"createdAt\":\"2025-03-01T09:00:00Z\",/" "$VECTORS/log/linear.ndjson" | redo import -q >kept'
broken "$times"
expect_status 0
expect_stdout ''
broken "$times; printf x | dd of=.redo/created bs=1 seek=100 conv=notrunc status=none"
found warning created-corrupt - created
expect_equal "$(cat kept)" 18 "imported changes"
redo log --format='%(id)' | redo show --stdin >/dev/null || fail "nodes cannot be shown" </dev/null
broken "$times; truncate -s -1 .redo/created"
expect_status 0
has info file-unfinished - created

scene "ref-target: a node of another task, a blob"
OTHER=heads/00000000-0000-4000-8000-000000000000
broken 'surgery refs "+$HEAD:$OTHER"'
found error ref-target "$HEAD" refs
expect_stdout_has "'$OTHER' names a node of task "
broken 'blob=$(echo x | redo hash-object -w -t blob --stdin); surgery refs "+$blob:$OTHER"'
found error ref-target "$blob" refs
expect_stdout_has "'$OTHER' names a blob"
broken 'surgery refs "+sha256:$(printf %064d 1):notes/none"'
found error ref-target "sha256:$(printf %064d 1)" refs

scene "ref-head: a head that another one descends from"
broken 'surgery refs "+$INNER:heads/$(task_of "$INNER")"'
found warning ref-head "$INNER" refs

scene "node-unreachable: what was received and no ref reaches; of a line of nodes the last one"
broken 'surgery refs "-$HEAD:heads/$(task_of "$HEAD")"'
found warning node-unreachable "$HEAD" "$HEAD_PATH"
broken 'redo show-ref >all; surgery refs $(sed "s/\(.*\) \(.*\)/-\1:\2/" all)'
expect_status 0
expect_stdout_lines "$(wc -l <"$WORK/heads")"
expect_equal "$(grep -c '^warning node-unreachable ' "$OUT")" "$(wc -l <"$WORK/heads")" "lines of nodes"
cut -d' ' -f3 "$OUT" | cmp -s - "$WORK/heads" || fail "they are not the heads" <"$OUT"

scene "node-unreceived: a node of the history that the received log does not have"
broken 'new=$(redo cat-node "$HEAD" | sed "s/\"parents\":\[[^]]*\]/\"parents\":[\"$HEAD\"]/; s/\"lamport\":[0-9]*/\"lamport\":999/" |
          surgery object -)
        surgery refs "-$HEAD:heads/$(task_of "$HEAD")" "+$new:heads/$(task_of "$HEAD")"'
expect_status 0
expect_stdout_lines 2
has warning node-unreceived "$new" "$(path_of "$new")"
has warning signature-missing "$new" "$(path_of "$new")"

scene "lamport-not-increasing: a clock that goes back"
broken 'new=$(redo cat-node "$HEAD" | sed "s/\"parents\":\[[^]]*\]/\"parents\":[\"$HEAD\"]/; s/\"lamport\":[0-9]*/\"lamport\":1/" |
          surgery object -)
        surgery refs "-$HEAD:heads/$(task_of "$HEAD")" "+$new:heads/$(task_of "$HEAD")"; surgery received "$new"'
expect_stdout_lines 2
has warning lamport-not-increasing "$new" "$(path_of "$new")"

scene "signature-bad, key-unknown; a node that is kept as a blob"
broken 'redo cat-node "$INNER" | surgery object "$(printf %0128d 7)" >/dev/null'
found error signature-bad "$INNER" "$INNER_PATH"
broken 'new=$(redo cat-node "$INNER" | sed "s/\"publicKey\":\"[^\"]*\",\?//; s/\"userId\":\"[^\"]*\"/\"userId\":\"$(printf %032d 5)\"/" |
          surgery object "$(printf %0128d 7)")'
found warning key-unknown "$new" "$(path_of "$new")"
broken 'surgery blob "$INNER"'
expect_status 1
has error object-corrupt "$INNER" "$INNER_PATH"
has error parent-missing "$INNER" -

scene "a rule of form: bytes that are what their name says, and no node"
broken 'new=$(echo "{\"a\":1}" | surgery object -)'
expect_status 1
has error member-missing "$new" "$(path_of "$new")"

scene "index-corrupt: other bytes, and no index; cache-wrong: right hashes over what the nodes do not say"
for file in graph graph.heads; do
  broken "printf x | dd of=.redo/cache/$file bs=1 seek=20 conv=notrunc status=none"
  found warning index-corrupt - "cache/$file"
done
broken 'forge .redo/cache/graph "bytes([99]) + p[1:]"'
found warning index-corrupt - cache/graph
# Each section of the index in turn: one bit of its first number that is not beyond what the check of the form looks at.
sections="ids idOrder parentStarts parents lamports walls received actions tasks authors marks fingerprints dataStarts data"
number=0
for section in $sections; do
  broken "forge .redo/cache/graph '(lambda at: p[:at] + bytes([p[at] ^ 1]) + p[at+1:])(int.from_bytes(p[8*(18+$number):8*(19+$number)], \"little\"))'"
  expect_status 1
  grep -q '^error cache-wrong [-a-f0-9:sh]* cache/graph ' "$OUT" || fail "'$section' is not compared" < <(everything_printed)
  number=$((number + 1))
done
broken 'surgery refs "-$HEAD:heads/$(task_of "$HEAD")"
  chain=$(python3 -c "import sys; sys.argv = [\"\"]; d = open(\".redo/refs.journal\").read().split(); print(d[-1])")
  forge .redo/cache/graph.heads "bytes.fromhex(\"$chain\") + p[32:]"'
expect_stdout_lines 2
has warning node-unreachable "$HEAD" "$HEAD_PATH"
has error cache-wrong 'sha256:[0-9a-f]*' cache/graph.heads
# The digests that exchanges keep: of nodes that are not there.
broken 'redo init -q other; redo -C other fetch -q --dry-run "$PWD" >../notes 2>&1
  [ -f .redo/cache/graph.tree ] || echo "no digests are kept" >&2
  forge .redo/cache/graph.tree "p[:40] + bytes([p[40] ^ 1]) + p[41:]"'
expect_status 1
has error cache-wrong - cache/graph.tree
# The index of another log under the length and the end of this one.
for case in '100 it lacks this node, and 49 more' \
  '200 it holds this node, which is neither here nor was it received, and 49 more'; do
  broken "redo init -q other; demo ${case%% *} | redo -C other import -q; redo -C other log
    cp .redo/cache/graph good; rm -r .redo/cache/graph.heads $SNAPSHOTS; cp other/.redo/cache/graph .redo/cache/graph
    forge .redo/cache/graph 'p[:64] + open(\"good\", \"rb\").read()[64:104] + p[104:]'" >/dev/null
  expect_status 1
  expect_stdout_has "${case#* }"
done
broken 'printf "%040d" 0 >.redo/cache/living'
found warning index-corrupt - cache/living
broken 'redo key generate >../key; redo commit -q delete -t "$(task_of "$HEAD")" >../delete 2>../notes; surgery living "$INNER"'
expect_status 0
broken 'redo key generate >../key; redo commit -q delete -t "$(task_of "$HEAD")" >../delete 2>../notes; surgery living "$(cat ../delete)"'
found error cache-wrong "$(cat ../delete)" cache/living

scene "snapshot-corrupt: other bytes; cache-wrong: right hashes over another state, and a note about another moment"
broken 'f=$(ls $SNAPSHOTS/????????* | head -1); printf x | dd of=$f bs=1 seek=600 conv=notrunc status=none'
found warning snapshot-corrupt - "cache/snapshots/${f##*/}"
broken 'f=$(ls $SNAPSHOTS/????????* | head -1); at=$(grep -abo "\"title\":\"" $f | head -1 | cut -d: -f1)
        forge $f "p[:$at+9] + b\"#\" + p[$at+10:]"'
found error cache-wrong - "cache/snapshots/${f##*/}"
broken 'redo key generate >../key; redo commit -q archive -t "$(task_of "$HEAD")" >../notes 2>&1
        chain=$(tail -1 .redo/refs.journal | cut -d" " -f2); forge $SNAPSHOTS/current "bytes.fromhex(\"$chain\") + p[32:]"'
found error cache-wrong - cache/snapshots/current
