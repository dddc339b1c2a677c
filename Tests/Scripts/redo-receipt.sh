#!/bin/bash
# What chains of receipts come to: lists in their orders, the receipt that is shown, deletions, and what has no effect.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PYTHON=''
for candidate in "$TESTS/../.build/oracle/bin/python" python3; do
  if "$candidate" -c 'import dag_cbor, nacl, rfc8785' 2>/dev/null; then
    PYTHON=$candidate
    break
  fi
done
if [ -z "$PYTHON" ]; then
  scene "chains of receipts"
  skip "no python3 with dag_cbor, nacl and rfc8785"
  exit 0
fi
made() { "$PYTHON" "$TESTS/Scripts/make-receipts.py" "$@"; }
cid_of() { sed 's/.*"cid":"\([^"]*\)".*/\1/'; }
take() { redo -C "$1" hash-object -t receipt -w --update-heads --ndjson >/dev/null; }
# member <name>: of the object on standard input.
member() { "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin).get(sys.argv[1], "-"))' "$1"; }
shown() { redo -C "$1" receipt show --json "$2" | member shown; }
SEEDED=$((SEED % 100000))

scene "lists in each order, and what is shown of each chain, are those of an independent reader"
made --many=250 --seed="$SEEDED" --precise >many
redo init -q big
for part in 1 2 3; do
  sed -n "$((part * 90 - 89)),$((part * 90))p" many | redo -C big import -q - >/dev/null 2>&1
done
redo -C big import -q "$PWD/many" >/dev/null 2>&1
redo -C big export --kind=receipt --include-precise >lines
for order in causal received claimed; do
  run redo -C big receipt list --order=$order
  expect_status 0
  cut -f1 "$OUT" >found
  "$PYTHON" "$TESTS/Oracle/receipt_chains.py" list $order <lines >wanted
  cmp -s found wanted || fail "another order of $order" < <(diff found wanted | head)
done
"$PYTHON" "$TESTS/Oracle/receipt_chains.py" shown <lines >wanted
while read -r root shown heads; do
  redo -C big receipt show --json "$root" >row
  expect_equal "$(member shown <row) $("$PYTHON" -c 'import json; print(",".join(json.load(open("row"))["heads"]))')" "$shown $heads" "$root"
done < <(awk 'NR % 5 == 1' wanted)
run redo -C big receipt list --json
expect_stdout_lines 251
expect_stdout_has '"letter":"G"'
run redo -C big receipt list -z
expect_equal "$(tr -cd '\0' <"$OUT" | wc -c)" 251 "rows that end with NUL"

scene "rows have tabs, and options choose"
redo init -q some
first=$(made --text=one)
ROOT=$(cid_of <<<"$first")
edit=$(made --type=edited --parent="$ROOT" --root="$ROOT" --text=two)
EDIT=$(cid_of <<<"$edit")
other=$(made --text=other --person=ben)
printf '%s\n' "$first" "$edit" "$other" "$(made --type=card)" "$(made --type=card --person=ben)" | take some
run redo -C some receipt list --root="$EDIT"
expect_status 0
expect_equal "$(cut -f1 "$OUT" | tr '\n' ' ')" "$ROOT $EDIT " "the chain of its edit"
expect_equal "$(head -n 1 "$OUT" | cut -f2,4,5)" "app.buds.session.created/v1	2025-03-01T08:00:00.000Z	$(made --did-of=ada)" "columns"
run redo -C some receipt list --type=app.buds.session.edited/v1
expect_equal "$(cut -f1 "$OUT")" "$EDIT" "edits"
run redo -C some receipt list --did="$(made --did-of=ben)"
expect_stdout_lines 2
run redo -C some receipt list --order=alphabet
expect_status 129
run redo -C some receipt list words
expect_status 129
run redo -C some receipt list --root="$(cid_of < <(made --text=absent))"
expect_status 128
run redo -C some receipt show
expect_status 129
run redo -C some receipt show "$ROOT"
expect_status 0
expect_stdout_has "receipt:    $ROOT"
expect_stdout_has "Shown:      $EDIT"
expect_stdout_has "Heads:      $EDIT"
expect_stdout_has '"product_name":"one"'
run redo -C some receipt show --json "$EDIT"
expect_stdout_has "\"parentCID\":\"$ROOT\""
expect_stdout_has '"payload":{"claimed_time_ms":'
run redo -C some receipt show "$(redo -C some hash-object -w --stdin -t blob <<<x)"
expect_status 128
expect_stderr_has "is a blob, not a receipt"

scene "a deletion holds for good, whichever comes first; the original stays"
deletion=$(made --type=memory --text="$EDIT")
redo init -q late && redo init -q early
# Without the key of the author nothing speaks for anything.
for store in late early; do made --type=card | take $store; done
printf '%s\n' "$first" "$edit" | take late
take late <<<"$deletion"
take early <<<"$deletion"
expect_equal "$(redo -C early receipt list | grep -v device.registered | cut -f1)" "$(cid_of <<<"$deletion")" "what is there before it"
printf '%s\n' "$first" "$edit" | take early
again=$(made --type=edited --parent="$EDIT" --root="$ROOT" --text=again)
for store in late early; do
  take $store <<<"$again"
  run redo -C $store receipt list
  expect_equal "$(grep -v device.registered "$OUT" | cut -f1)" "$(cid_of <<<"$deletion")" "what is left in $store"
  run redo -C $store receipt list --show-deleted
  expect_stdout_lines 5
  run redo -C $store receipt show "$ROOT"
  expect_stdout_has "Deleted by: $(cid_of <<<"$deletion")"
  run redo -C $store verify "$ROOT"
  expect_status 0
done

scene "what somebody else deletes stays"
foreign=$(made --type=memory --text="$ROOT" --person=eve)
inside=$(made --type=deleted --parent="$EDIT" --root="$ROOT" --person=eve)
printf '%s\n' "$foreign" "$inside" "$(made --type=card --person=eve)" | take some 2>/dev/null
run redo -C some receipt list --root="$ROOT"
expect_stdout_lines 3
expect_equal "$(shown some "$ROOT")" "$EDIT" "what is shown"
for cid in "$(cid_of <<<"$foreign")" "$(cid_of <<<"$inside")"; do
  run redo -C some receipt show "$cid"
  expect_stdout_has "No effect:  tombstone-foreign"
done

scene "a second device of an author without a key in the name changes nothing until it is pinned"
PHONE=did:phone:$(printf '%064d' 5)
redo init -q phone
one=$(made --did="$PHONE" --text=mine)
MINE=$(cid_of <<<"$one")
two=$(made --did="$PHONE" --type=edited --parent="$MINE" --root="$MINE" --text=theirs --person=eve --device=D9)
THEIRS=$(cid_of <<<"$two")
own=$(made --did="$PHONE" --type=edited --parent="$MINE" --root="$MINE" --text=own)
kill=$(made --did="$PHONE" --type=memory --text="$MINE" --person=eve --device=D9)
printf '%s\n' "$(made --did="$PHONE" --type=card)" "$(made --did="$PHONE" --type=card --person=eve --device=D9)" "$one" "$two" "$kill" | take phone
expect_equal "$(shown phone "$MINE")" "$MINE" "what is shown"
run redo -C phone receipt show "$THEIRS"
expect_stdout_has "No effect:  receipt-unpinned"
expect_stdout_has "Signature:  G"
run redo -C phone receipt show "$(cid_of <<<"$kill")"
expect_stdout_has "No effect:  receipt-unpinned"
take phone <<<"$own"
expect_equal "$(shown phone "$MINE")" "$(cid_of <<<"$own")" "what is shown after an edit of the same device"
echo "$(made --key=eve) device=$PHONE/D9" >phone/.redo/trust
run redo -C phone receipt list
expect_equal "$(cut -f1 "$OUT" | grep -c "$MINE")" 0 "rows of the chain once its deletion speaks for it"
run redo -C phone receipt show "$MINE"
expect_stdout_has "Deleted by: $(cid_of <<<"$kill")"
