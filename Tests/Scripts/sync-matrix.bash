# What becomes of changes that are not as they should be, in every kind of exchange; TRANSPORT names the kind, and the
# table is sync-matrix.tsv. See sync-matrix.py.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
ways=stores port=''
case $TRANSPORT in
serve)
  ways='firestore served'
  if ! link_network; then
    scene "with a project"
    skip "there is no 'redo-net' beside '$REDO_BIN'"
    exit 0
  fi
  ;;
emulator)
  TARGET=emulator
  . "$TESTS/Scripts/firestore.bash"
  ways=firestore port=$(cat "$WORK/upstream")
  ;;
esac
own_copies

scene "nothing is left behind in silence, and nobody says equal of what is not ($TRANSPORT)"
for way in $ways; do grep "^$way	" "$TESTS/Scripts/sync-matrix.tsv"; done >all
# With our server nobody edits a node of the history: redo-serve-false.sh.
[ "$TRANSPORT" != serve ] || sed -i '/^firestore	\(damaged\|damaged-known\|edited\)	/d' all
# Over a project each cell takes a second and more.
[ "$ways" = stores ] || share 3
chosen "$TRANSPORT" <all >expected
python3 "$TESTS/Scripts/sync-matrix.py" "$TRANSPORT" expected $port >rows 2>problem ||
  fail "a cell is silent" < <(cat problem; tail -3 rows)

scene "each cell is as the table says ($TRANSPORT)"
diff expected rows >different || fail "the table is another" <different
