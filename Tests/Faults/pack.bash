# What the scripts on repack and gc share, besides lib.sh: a store in which there is something to do, and what must
# hold after a run of them that was struck.

# The store: three packs of which two are to be united, loose nodes, loose copies of packed ones, a blob, unfinished
# files, an index without a pack, nodes that nothing knows of.
make_busy() {
  local part
  redo init -q busy
  redo -C busy config set core.bulkNodes 1000 2>/dev/null
  demo 140 >busy.ndjson
  for part in 1,90 91,100 101,115; do
    sed -n "${part}p" busy.ndjson | redo -C busy import -q >/dev/null
    [ $part = 101,115 ] || redo -C busy repack -q --geometric=2
  done
  # Not united yet: the packs of 90 and 10, and 15 loose nodes.
  sed -n 116,122p busy.ndjson | redo -C busy import -q >/dev/null
  redo -C busy hash-object -t blob -w --stdin <busy.ndjson >/dev/null
  redo init -q apart && redo -C apart import -q <busy.ndjson >/dev/null
  for id in $(sed -n 3,6p busy.ndjson | ids_of | sed 's/sha256://'); do
    mkdir -p "busy/.redo/objects/${id:0:2}"
    cp "apart/.redo/objects/${id:0:2}/${id:2}" "busy/.redo/objects/${id:0:2}/"
  done
  redo -C busy hash-object -w --ndjson <"$VECTORS/log/linear.ndjson" >unknown
  : >busy/.redo/objects/pack/tmp_pack_0123456789abcdef
  : >"busy/.redo/objects/pack/pack-$(printf '%064d' 7).idx"
  touch -d '3 weeks ago' busy/.redo/objects/pack/tmp_pack_0123456789abcdef
}
# Everything that can be asked: what must be the same before, at any time, and after.
answers() {
  redo -C "$1" log --format='%(id)'
  redo -C "$1" state --hash
  redo -C "$1" show-ref
  redo -C "$1" cat-node --batch --batch-all-objects
}

# sound_packs: nothing is lost, and the same command once more brings about what it should have.
sound_packs() {
  local command="$RUN"
  answers struck >found 2>"$ERR"
  STATUS=$? RUN="$command, then everything is asked"
  expect_status 0
  cmp -s found expected.answers || fail "something else is answered" < <(diff found expected.answers | cut -c1-200)
  redo -C struck verify --all >"$OUT" 2>"$ERR"
  ! grep -v '^[GNE] ' "$OUT" >/dev/null || fail "verify finds damage" <"$OUT"
  redo -C struck "${COMMAND[@]}" >"$OUT" 2>"$ERR"
  STATUS=$? RUN="$command, then once more"
  expect_status 0
  answers struck | cmp -s - expected.answers || fail "something else is answered" </dev/null
  expect_equal "$(objects struck)" "$(cat expected.loose)" "loose objects"
  expect_equal "$(twice struck)" 0 "nodes in two packs"
  if [ "${COMMAND[0]}" = gc ]; then expect_clean struck; fi
  RUN=''
}
# twice <store>: how many nodes are in two packs.
twice() {
  for pack in "$1"/.redo/objects/pack/*.pack; do redo archive extract "$pack" | ids_of; done | sort | uniq -d | wc -l
}

# stage_packs <redo arguments>...: as `stage`, with what is asked.
stage_packs() {
  stage "redo $*" busy /dev/null "$@"
  answers struck >expected.answers
  answers busy | cmp -s - expected.answers || fail "it changes what is answered" </dev/null
  objects struck >expected.loose
  expect_equal "$(twice struck)" 0 "nodes in two packs"
}
