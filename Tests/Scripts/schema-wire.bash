# Schemas between stores, by the way that TRANSPORT names: they go with nodes, each store ends with the same, and what is forged enters no
# history. Python makes what several devices do, and reads both ends.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "schemas between stores" rfc8785 nacl
log() { "$PYTHON" "$TESTS/Oracle/schema_log.py" "$@"; }
refs() { redo -C "$1" show-ref | grep ' schemas/'; }
lines() { redo -C "$1" export -q --kind=schema | sort; }
# whole <store> <file>: what the store has is that of the lines of a file, heads included, as the other program works them out.
whole() {
  expect_equal "$(lines "$1" | sha256sum)" "$(sort "$2" | sha256sum)" "the schemas of '$1'"
  expect_equal "$(refs "$1")" "$(log heads <"$2")" "the heads of '$1'"
  redo -C "$1" verify >/dev/null || fail "'$1' is not whole" </dev/null
}
join_of() { log joined < <(redo -C "$1" export -q --kind=schema); }

mkdir made
log make "$SEED" made 50 || fail "the maker" </dev/null
# The first half is known to one, all but some of the end to the other: each has the parents of what it has.
head -n 30 made/history.ndjson >early
redo init -q own
redo init -q there
redo -C own import -q <made/history.ndjson >/dev/null
redo -C own import -q "$VECTORS/log/linear.ndjson" >/dev/null
NODES=$(redo -C own log --format='%(id)' | wc -l)
redo -C own remote add there "$(url there)"
redo init -q third
redo -C third remote add own "$(url own)"
redo -C third remote add there "$(url there)"

scene "a push brings schemas after the nodes, unless it is about nodes alone"
run redo -C own push --kind=node there
expect_status 0
expect_equal "$(refs there)" '' "schemas there"
grep -q 'format = 1' there/.redo/config || fail "a store of nodes alone has another format" <there/.redo/config
run redo -C own push --json there
expect_status 0
expect_equal "$(sed 's/.*"kind":"\([a-z]*\)".*/\1/' "$OUT" | paste -sd' ')" "node schema" "the rows"
expect_stderr_has "pushed 50 new schemas to 'there'"
whole there made/history.ndjson
expect_equal "$(redo -C own show-ref | sed -n 's, remotes/there/schemas/, schemas/,p')" "$(cat made/heads)" "the heads that are remembered"

scene "a second time nothing goes, in one round trip a kind"
run redo -C own push --json there
expect_status 0
expect_stdout_lines 2
for row in 1 2; do
  sed -n ${row}p "$OUT" | grep -q '"roundTrips":1' || fail "more than one round trip" <"$OUT"
done
run redo -C own push -q --kind=schema there
expect_status 0

scene "a fetch takes nodes and schemas; its dry run writes neither"
run redo -C third fetch -n own
expect_status 0
expect_equal "$(redo -C third show-ref)" '' "refs after a dry run"
run redo -C third fetch own
expect_status 0
# Names that collide are told as well: which they are, the random history says.
expect_equal "$(grep -v '^warning: .*: schema-name-collision at /fields: ' "$ERR")" \
  "fetched $NODES new changes of $(redo -C own show-ref | grep -c ' heads/') tasks from 'own'
fetched 50 new schemas of $(cut -d' ' -f2 made/heads | sort -u | wc -l) names from 'own'" "what is told"
whole third made/history.ndjson
expect_equal "$(redo -C third log --format='%(id)' | wc -l)" "$NODES" "nodes"
run redo -C third ls-remote --kind=schema own
expect_status 0
expect_equal "$(tr '\t' ' ' <"$OUT" | sort)" "$(sort made/heads)" "the heads of the remote"

scene "each side gets what only the other has; both show the same join, and nobody has made a merge"
redo init -q left
redo init -q right
mkdir other
log make $((SEED + 1)) other 40 4
redo -C left import -q <early >/dev/null
redo -C right import -q <other/history.ndjson >/dev/null
redo -C left remote add right "$(url right)"
run redo -C left sync right
expect_status 0
cat early other/history.ndjson >both
for store in left right; do whole $store both; done
expect_equal "$(join_of left)" "$(log joined <both)" "the joins"
expect_equal "$(join_of right)" "$(log joined <both)" "the joins"

scene "without a schema on either side nothing more is asked"
redo init -q plain
redo init -q bare
redo -C plain import -q "$VECTORS/log/linear.ndjson" >/dev/null
redo -C plain remote add bare "$(url bare)"
run redo -C plain push --json bare
expect_status 0
expect_stdout_lines 1
for store in plain bare; do grep -q 'format = 1' $store/.redo/config || fail "'$store' has another format" <$store/.redo/config; done

scene "filters are about nodes: with one, schemas are left alone; 'kinds' of a remote or a server chooses"
redo init -q some
redo -C some remote add own "$(url own)"
run redo -C some fetch --since=2025-01-01 own
expect_status 0
expect_equal "$(refs some)" '' "schemas"
redo -C some config remote.own.kinds node
run redo -C some fetch own
expect_equal "$(refs some)" '' "schemas"
redo -C some config remote.own.kinds schema
run redo -C some fetch own
expect_status 0
expect_equal "$(refs some)" "$(cat made/heads)" "the heads"
if [ "$TRANSPORT" != path ]; then
  redo init -q closed
  redo -C closed config serve.kinds node
  redo -C own remote add closed "$(url closed)"
  run redo -C own push closed
  expect_status 0
  expect_stderr_has "the schemas of $(cut -d' ' -f2 made/heads | sort -u | wc -l) names stay here: 'closed' takes none"
  expect_equal "$(redo -C closed log --format='%(id)' | wc -l)" "$NODES" "nodes"
  run redo -C own push -q closed
  expect_stderr ''
  # A remote that takes no schemas does not have everything.
  run redo -C own push --replicas=1 closed
  expect_status 1
  expect_stderr_has "error: 0 of 1 remotes have everything, not 1"
  run redo -C own push --kind=node --replicas=1 closed
  expect_status 0
  run redo -C own push --kind=schema closed
  expect_status 77
  expect_stderr_has "no schemas are exchanged here"
fi

scene "a server whose only schema is damaged says that it has one, and who fetches is told"
redo init -q ill
redo -C ill key generate >/dev/null 2>&1
visit=$(redo -C ill schema new visit)
file=$(find ill/.redo/objects -type f)
chmod u+w "$file"
printf x | dd of="$file" bs=1 seek=20 conv=notrunc 2>/dev/null
redo init -q told
redo -C told remote add ill "$(url ill)"
run redo -C told fetch ill
expect_status 1
expect_stderr_has "1 schema at 'ill' is not taken: 1 is damaged ($visit)"

[ "$TRANSPORT" = ssh ] || exit 0

# says <lines> [<what>...]: the next connection is one to a peer that has these lines, whatever they are.
says() {
  echo "peer $PWD/$1 ${*:2}" >>"$WORK/trouble"
}

scene "what is forged enters no history: it is refused by its rule, and what is good comes all the same"
while IFS=$'\t' read -r id rule _; do
  redo init -q "victim-${id:7:8}"
  cd "victim-${id:7:8}" || exit 1
  redo remote add peer ssh://host/peer
  (cat ../made/history.ndjson; grep -F "\"$id\"" ../made/forged.ndjson) >sent
  says sent word=kind-schema
  run redo fetch --kind=schema --no-retry peer
  case $rule in
    parent-missing) expect_stderr_has "waits" ;;
    *)
      expect_status 1
      expect_stderr_has "$rule"
      ;;
  esac
  expect_stderr_has "$id"
  expect_equal "$(refs .)" "$(cat ../made/heads)" "the heads"
  expect_equal "$(lines . | sha256sum)" "$(sort ../made/history.ndjson | sha256sum)" "the schemas"
  cd ..
done <made/forged.tsv || exit 1

scene "a signature that does not hold, and a schema without one, are refused"
forged <made/history.ndjson | head -n 1 >bad
sed 's/,"signature":"[0-9a-f]*"//' made/history.ndjson | head -n 1 >unsigned
redo init -q strict
redo -C strict remote add peer ssh://host/peer
for file in bad unsigned; do
  says $file word=kind-schema
  run redo -C strict fetch --kind=schema --no-retry peer
  expect_status 1
  expect_equal "$(redo -C strict show-ref)" '' "refs"
done

scene "a server that does not repeat the word speaks of nodes, and packs of another kind end the exchange"
redo -C own export -q >nodes.ndjson
says made/history.ndjson
run redo -C strict fetch --kind=schema --no-retry peer
expect_error 77 "'peer' exchanges no schemas"
says nodes.ndjson word=kind-schema
run redo -C strict fetch --kind=schema --no-retry peer
expect_error 128 "a pack of nodes in an exchange of schemas"
says made/history.ndjson
run redo -C strict fetch --kind=node --no-retry peer
expect_error 128 "a pack of schemas in an exchange of nodes"
expect_equal "$(redo -C strict show-ref)" '' "refs"

scene "a greeting that counts schemas has them asked for; a false count takes nothing"
says nodes.ndjson word=schemas-50
says made/history.ndjson word=kind-schema
redo init -q greeted
redo -C greeted remote add peer ssh://host/peer
run redo -C greeted fetch --no-retry peer
expect_status 0
expect_stderr_has "fetched 50 new schemas"
expect_equal "$(refs greeted)" "$(cat made/heads)" "the heads"
says nodes.ndjson word=schemas-99999
says nodes.ndjson word=kind-node
run redo -C greeted fetch --no-retry peer
expect_status 77
expect_stderr_has "'peer' exchanges no schemas"

scene "what was received before it was cut is not lost, and comes in with the rest"
redo init -q torn
redo -C torn remote add peer ssh://host/peer
says made/history.ndjson word=kind-schema batch=10 drop=3
run redo -C torn fetch --kind=schema --no-retry peer
[ "$STATUS" -ne 0 ] || fail "a cut exchange is whole" <"$ERR"
says made/history.ndjson word=kind-schema
run redo -C torn fetch --kind=schema --no-retry peer
expect_equal "$(refs torn)" "$(cat made/heads)" "the heads"
redo -C torn verify >/dev/null || fail "not whole" </dev/null
nothing_waits torn
