# Who may do what over Firestore, and what a push leaves there: the checklists C20 to C22, the access matrix A106, a new
# account (A89), the users documents (A51), batches (A53, C14).

# some <platform> <number>: so many tasks more.
some() {
  local number
  for number in $(seq "$2"); do
    printf '{"action":"CREATE","fields":{"title":"Task %d of %s"}}\n' "$number" "$1"
  done | redo -C "$1" commit -q --stdin >/dev/null || fail "no changes" </dev/null
}
# owned <uid>: how many ids its document has, and how many of these are different.
owned() { admin get "users/$1" | python3 -c 'import json, sys
owned = json.load(sys.stdin)["ownedNodes"]
print(len(owned), len(set(owned)))'; }

scene "C20: what a store must not send is not sent, and what else there is, is"
stores ios
project
joins ios "$ANN" "$BOB"
some ios 3
unsigned=$(node CREATE $OTHER 1 01T10:00:00.000 '"title":"Unsigned"' | redo -C ios hash-object -w --update-heads --stdin)
run redo -C ios push -q
expect_status 1
expect_stderr_has "has no signature"
expect_equal "$(documents)" 3 documents
expect_equal "$(admin ids nodes)" "$(ids ios | grep -v "$unsigned" | sort)" "their names"

scene "C21: what a push leaves has the form of the document, its readers, and the time of the server"
stores ios
project
joins ios "$ANN" "$BOB"
some ios 12
on ios 10:00:00.000 create -t $TASK --title='Test émojis 🚀 & symbols: @#$%^&*()' --description=$'a\n\t"b"' \
  --field-json storyPoints=2.5 --field-json tags='["a","b"]'
run redo -C ios push --verify --json
expect_status 0
expect_equal "$(json 'len(d["pushed"]), d["verified"]')" "(13, True)" "pushed and verified"
run admin check "$ANN" "$BOB"
expect_status 0
expect_stderr ''
expect_equal "$(admin ids nodes)" "$(ids ios | sort)" "the names of the documents"
id=$(redo -C ios log --task=$TASK --format='%(id)')
run admin get "nodes/$id"
python3 - "$OUT" <(redo -C ios cat-node "$id" 2>/dev/null || redo -C ios log --task=$TASK --json) <<'END_OF_PYTHON' >"$ERR" 2>&1 || fail "another document" <"$ERR"
import json, sys
here, there = (json.load(open(name)) for name in (sys.argv[2], sys.argv[1]))
here.pop("signature", None), there.pop("signature"), there.pop("accessList"), there.pop("createdAt")
here["id"] = there["id"]
assert here == there, (here, there)
END_OF_PYTHON

scene "A51: the users document has the nodes, the device and the time, and a second push adds nothing twice"
expect_equal "$(owned "$ANN")" "13 13" "owned nodes"
run admin get "users/$ANN"
expect_stdout_has "\"deviceIds\": [\"$(redo -C ios key device-id)\"]"
expect_stdout_has '"lastSyncAt": "20'
some ios 1
push ios
expect_equal "$(owned "$ANN")" "14 14" "owned nodes"
run redo -C ios push
expect_status 0
expect_equal "$(owned "$ANN")" "14 14" "owned nodes"
run admin get "users/$BOB"
expect_status 1

scene "A53, C14: owned nodes come in batches of 10, and of as many as one says"
stores web
project
joins web "$ANN"
some web 750
push web
expect_equal "$(documents)" 750 documents
for batch in 10 15; do
  redo init -q ios$batch
  joins ios$batch "$ANN"
  redo -C ios$batch remote set origin listing owned
  redo -C ios$batch remote set origin batch $batch
  forget
  pull ios$batch
  expect_equal "$(asked in)" "$((750 / batch)) 750 $batch" "requests, ids and the most in one"
  expect_equal "$(asked list)" "0 0 0" "lists"
  expect_equal "$(redo -C ios$batch log --format='%(id)' | sort -u | wc -l)" 750 nodes
  same web ios$batch
done

scene "ids of a users document that nobody has, or somebody else, cost nothing but themselves"
stores bob
joins bob "$BOB"
some bob 1
push bob
foreign=$(redo -C bob log --format='%(id)')
admin get "users/$ANN" >user
python3 -c 'import json, sys
user = json.load(open("user"))
owned = user["ownedNodes"]
owned[3], owned[217], owned[749] = "sha256:" + "0" * 64, sys.argv[1], "no id at all"
print(json.dumps(owned))' "$foreign" >owned
admin set "users/$ANN" ownedNodes "$(cat owned)"
redo init -q less
joins less "$ANN"
redo -C less remote set origin listing owned
run redo -C less fetch -q
expect_status 0
expect_equal "$(redo -C less log --format='%(id)' | sort -u | wc -l)" 747 "nodes: all but three"
expect_clean less

scene "C22, A48: what one account pushes for itself no other one sees; each has its own"
stores ann bob eve
project
joins ann "$ANN"
joins bob "$BOB"
joins eve "$EVE"
some ann 5
some bob 3
push ann
push bob
for name in ann bob; do run redo -C $name fetch -q --json && expect_equal "$(json 'len(d["fetched"])')" 0 "of others"; done
pull eve
expect_equal "$(redo -C eve log | wc -l)" 0 "what a stranger gets"
for name in ann:$ANN:5 bob:$BOB:3 eve:$EVE:0; do
  IFS=: read -r name uid number <<<"$name"
  redo init -q new
  joins new "$uid"
  pull new
  expect_equal "$(redo -C new log --format='%(id)' | wc -l)" "$number" "what $name has"
  rm -rf new
done

scene "A106, A50: the access matrix, as the peer keeps it"
id=nodes/$(redo -C ann log -n 1 --format='%(id)')
while read -r uid expected; do
  run as_user "$uid" may < <(echo "$id")
  expect_equal "$(sed 's/.* //' "$OUT" | paste -sd' ')" "$expected" "what $uid may read, change, delete; own and other user"
done <<END_OF_TABLE
$ANN yes no no yes no no
$BOB no no no yes no no
$EVE no no no yes no no
- no no no no no no
END_OF_TABLE
expect_equal "$(documents)" 8 documents

scene "C22: with an access list both read, and neither can take it from the other"
redo -C ann remote set origin accessList "$BOB"
some ann 2
push ann
pull bob
expect_equal "$(redo -C bob log --format='%(id)' | wc -l)" 5 "three of its own, two of the other"
pull eve
expect_equal "$(redo -C eve log | wc -l)" 0 "what a stranger gets"

scene "A49: a node that another account has there already is not taken twice, and this is said"
redo -C ann log --reverse --json | redo -C eve import -q >/dev/null
before=$(documents)
run redo -C eve push
expect_status 1
expect_stderr_has "$(redo -C ann log -n 1 --format='%(id)')"
expect_equal "$(documents)" "$before" documents
some eve 1
run redo -C eve push -q
expect_status 1
expect_equal "$(documents)" $((before + 1)) "documents: its own is there"

scene "A89: everything to a new account: other readers, the same ids"
old=$(admin ids nodes)
redo -C ann fetch -q
redo -C bob log --reverse --json | redo -C ann import -q >/dev/null
kept=$(redo -C ann log --format='%(id)' | sort)
# The account is lost, and with it its project.
cd "$(mktemp -d "$WORK/here/XXXXXX")" || exit
mv "$OLDPWD/ann" . && redo -C ann config trust-store
project
redo -C ann remote add new "firestore://$PROJECT"
redo -C ann remote set new endpoint "http://127.0.0.1:$WAY"
redo -C ann remote set new account "$EVE"
run redo -C ann push --all new
expect_status 0
expect_stderr_has "has all $(wc -l <<<"$kept") changes of this store"
expect_equal "$(admin ids nodes)" "$kept" "the ids"
run admin check "$EVE"
expect_status 0
expect_stderr ''
expect_equal "$(owned "$EVE")" "$(wc -l <<<"$kept") $(wc -l <<<"$kept")" "owned nodes"
[ -n "$old" ] || fail "there was nothing" </dev/null

scene "B22: an account that is a key is refused, before anything is asked"
forget
redo init -q wrong
user=$(redo -C ann key show --user-id)
joins wrong "$ANN"
run redo -C wrong remote set origin account "$user"
expect_error 128 'user id'
run redo -C wrong -c remote.origin.account="$user" fetch
expect_error 128 'user id'
expect_equal "$(wc -l <"$REQUESTS")" 0 requests
