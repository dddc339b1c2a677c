# What becomes of changes that are not as they should be, in every kind of exchange; TRANSPORT names the kind, and the
# table is sync-matrix.tsv.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
own_copies

scene "nothing is left behind in silence, and nobody says equal of what is not ($TRANSPORT)"
python3 "$TESTS/Scripts/sync-matrix.py" "$TRANSPORT" "$TESTS/Scripts/surgery.py" >rows 2>problem ||
  fail "a cell is silent" < <(cat problem; tail -3 rows)

scene "each cell is as the table says ($TRANSPORT)"
grep -v '^#' "$TESTS/Scripts/sync-matrix.tsv" >expected
diff expected rows >different || fail "the table is another" <different
