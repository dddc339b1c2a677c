#!/bin/bash
# What a Firestore can do wrong, and the way to it: the store stays as it was or gets all of it, and one message has
# its code and says what to do.
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

stores web ios
project
joins web "$ANN"
joins ios "$ANN"
for number in 1 2 3 4; do on web 10:0$number:00.000 create -t 550e8400-e29b-41d4-a716-00000000000$number --title="Task $number"; done
push web
redo -C ios commit -q create --title=Mine >/dev/null
# Makes the lock of the quarantine.
trouble "any * drop"
redo -C ios fetch -q --no-retry 2>/dev/null
cat >page.html <<'END_OF_PAGE'
<!DOCTYPE html><html><title>Log in to the network</title></html>
END_OF_PAGE
echo '{"document":' >half.json
echo '[{"document":{"name":7,"fields":[]},"readTime":"never"}]' >wrong.json
echo '"a text"' >text.json
head -c 20000 /dev/zero | tr '\0' '[' >deep.json
WITH_LINK=message=The%query%requires%an%index.%You%can%create%it%here:%https://console.example/create?x=y
HERE=$PWD

# expect_fault <status> <code> <text>: one message, which has the code of document 000 and the text.
expect_fault() {
  expect_status "$1"
  expect_stdout ''
  expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 "messages"
  grep '^fatal: ' "$ERR" >fatal
  grep -qF "$2: " fatal || fail "the message lacks the code '$2'" <"$ERR"
  grep -qiF -- "$3" fatal || fail "the message lacks '$3'" <"$ERR"
}

# The trouble of every request, the status, the code, and a part of the text. A fetch and a push end alike.
while IFS='|' read -r what status code text; do
  scene "every answer is this: $what"
  before=$(fingerprint ios) there=$(admin ids nodes | sha256sum)
  trouble "any * ${what//HERE/$HERE}"
  run redo -C ios fetch -q --no-retry
  expect_fault "$status" "$code" "$text"
  expect_untouched "$before" ios
  run redo -C ios push -q --no-retry
  expect_fault "$status" "$code" "$text"
  expect_untouched "$before" ios
  trouble
  expect_equal "$(admin ids nodes | sha256sum)" "$there" "what is there"
done <<END_OF_TABLE
say 401 UNAUTHENTICATED|77|FIREBASE_001|token
say 403 PERMISSION_DENIED|77|FIREBASE_001|$ANN
say 429 RESOURCE_EXHAUSTED|75|FIREBASE_002|RESOURCE_EXHAUSTED
say 503 UNAVAILABLE|75|FIREBASE_002|UNAVAILABLE
say 409 ABORTED|75|FIREBASE_002|ABORTED
say 500 INTERNAL|75|FIREBASE_002|INTERNAL
say 504 DEADLINE_EXCEEDED|75|FIREBASE_002|DEADLINE_EXCEEDED
say 200 UNAVAILABLE array|75|FIREBASE_002|UNAVAILABLE
say 503 PERMISSION_DENIED|77|FIREBASE_001|$ANN
say 400 INVALID_ARGUMENT|128|FIREBASE_003|INVALID_ARGUMENT
say 404 NOT_FOUND message=The%database%(default)%does%not%exist|128|FIREBASE_003|does not exist
say 400 FAILED_PRECONDITION $WITH_LINK|128|FIREBASE_003|https://console.example/create?x=y
drop|75|FIREBASE_002|connection
redirect https://elsewhere.example/|128|FIREBASE_002|https://elsewhere.example/
body 200 text/html HERE/page.html|128|FIREBASE_002|text/html
body 403 text/html HERE/page.html|77|FIREBASE_001|403
body 502 text/html HERE/page.html|75|FIREBASE_002|502
body 200 application/json HERE/half.json|128|FIREBASE_002|not one of Firestore
body 200 application/json HERE/wrong.json|128|FIREBASE_002|not one of Firestore
body 200 application/json HERE/text.json|128|FIREBASE_002|not one of Firestore
body 200 application/json HERE/deep.json|128|FIREBASE_002|not one of Firestore
END_OF_TABLE

# The trouble of lists, when a fetch is asked for alone.
while IFS='|' read -r what status code text; do
  scene "every list is this: $what"
  before=$(fingerprint ios)
  trouble "list * $what"
  run redo -C ios fetch -q --no-retry
  expect_fault "$status" "$code" "$text"
  expect_untouched "$before" ios
done <<END_OF_TABLE
rows-then UNAVAILABLE|75|FIREBASE_002|UNAVAILABLE
rows-then FAILED_PRECONDITION|128|FIREBASE_003|FAILED_PRECONDITION
cut 700|75|FIREBASE_002|
END_OF_TABLE

scene "a token that has expired is got once more, and then all is well"
python3 "$SCRIPTS/firestore-admin.py" 0 "$PROJECT" "$ANN" token >token
redo -C ios remote set origin tokenCommand "echo x >>$HERE/tokens; cat $HERE/token"
trouble "any 1 say 401 UNAUTHENTICATED"
: >tokens
run redo -C ios fetch -q
expect_status 0
expect_stderr ''
expect_equal "$(wc -l <tokens)" 2 "tokens asked for"
expect_equal "$(redo -C ios log --format='%(id)' | wc -l)" 5 nodes

scene "a token that stays wrong is got once more, and not again"
trouble "any * say 401 UNAUTHENTICATED"
: >tokens
run redo -C ios fetch -q
expect_fault 77 FIREBASE_001 token
expect_equal "$(wc -l <tokens)" 2 "tokens asked for"
echo nonsense >token
trouble
run redo -C ios fetch -q
expect_fault 77 FIREBASE_001 token
redo -C ios remote set --unset origin tokenCommand

scene "a peer that asks for time gets it; and nobody waits for ever"
for status in 'say 429 RESOURCE_EXHAUSTED retry=3' 'say 503 UNAVAILABLE retry=3'; do
  trouble "any 1 $status"
  start=$EPOCHSECONDS
  run redo -C ios fetch
  expect_status 0
  [ $((EPOCHSECONDS - start)) -ge 3 ] || fail "it does not wait" <"$ERR"
done
trouble "any * say 429 RESOURCE_EXHAUSTED retry=4000"
start=$EPOCHSECONDS
run redo -C ios fetch -q
expect_fault 75 FIREBASE_002 RESOURCE_EXHAUSTED
[ $((EPOCHSECONDS - start)) -lt 120 ] || fail "it waits $((EPOCHSECONDS - start)) s" <"$ERR"

scene "what passes is tried again by itself"
trouble
push ios
pull web
for status in '409 ABORTED' '429 RESOURCE_EXHAUSTED' '503 UNAVAILABLE'; do
  redo -C web commit -q create --title="After $status" >/dev/null
  trouble "commit 1 say $status"
  run redo -C web push -q --json
  expect_status 0
  expect_equal "$(json 'len(d["pushed"])')" 1 "pushed after $status"
  trouble "list 1 say $status"
  run redo -C ios fetch -q
  expect_status 0
  same web ios
done

scene "rules that refuse one node of a batch of 20: it and its descendants are held back, all others are there"
redo init -q twenty && redo -C twenty key generate >/dev/null 2>&1
joins twenty "$ANN"
pull twenty
for number in $(seq 6); do
  redo -C twenty commit -q create -t 550e8400-e29b-41d4-a716-00000000010$number --title="Twenty $number" >/dev/null
  redo -C twenty commit -q update -t 550e8400-e29b-41d4-a716-00000000010$number --priority=1 >/dev/null
  redo -C twenty commit -q update -t 550e8400-e29b-41d4-a716-00000000010$number --priority=2 >/dev/null
done
redo -C twenty commit -q create --title=Nineteen >/dev/null
redo -C twenty commit -q create --title=Twenty >/dev/null
redo -C twenty log --task=550e8400-e29b-41d4-a716-000000000103 --reverse --format='%(id)' >family
refused=$(sed -n 2p family) child=$(sed -n 3p family)
before=$(documents)
trouble "commit * refuse /nodes/$refused"
forget
run redo -C twenty push -q --json
expect_status 1
expect_equal "$(json 'len(d["pushed"]), sorted(one["id"] for one in d["refused"])')" \
  "(18, ['$(sort <<<"$refused"$'\n'"$child" | paste -sd, | sed "s/,/', '/")'])" "what is pushed and refused"
expect_equal "$(documents)" $((before + 18)) documents
! admin ids nodes | grep -e "$refused" -e "$child" || fail "it is there" </dev/null
read -r requests _ <<<"$(asked commit)"
[ "$requests" -le 15 ] || fail "$requests commits for one node of 20" <"$REQUESTS"
trouble
run redo -C twenty push -q --json
expect_status 0
expect_equal "$(json 'len(d["pushed"])')" 2 "what is pushed when they are allowed"

scene "a commit whose answer is lost: all is there once, and the next run knows it"
for number in 1 2 3; do redo -C web commit -q create --title="Lost $number" >/dev/null; done
trouble "commit 1 lose"
run redo -C web push --json
expect_status 0
expect_equal "$(json 'len(d["pushed"]), d["refused"]')" "(3, [])" "what is pushed"
redo -C web commit -q create --title="Lost 4" >/dev/null
before=$(documents)
trouble "commit * lose"
run redo -C web push -q --no-retry
expect_status 75
expect_stderr_has FIREBASE_002
trouble
expect_equal "$(documents)" $((before + 1)) documents
run redo -C web push --json
expect_status 0
expect_equal "$(json 'd["refused"]')" "[]" "what is refused"
expect_equal "$(documents)" $((before + 1)) documents
run redo -C web push --verify -q
expect_status 0

scene "a users document that cannot be written is a warning, and the nodes are there"
for what in 'say 403 PERMISSION_DENIED' 'say 400 INVALID_ARGUMENT' 'say 429 RESOURCE_EXHAUSTED' drop; do
  redo -C web commit -q create --title="With $what" >/dev/null
  before=$(documents)
  trouble "users * $what"
  run redo -C web push
  expect_status 0
  expect_stderr_has 'warning: '
  expect_stderr_has "users/$ANN"
  expect_equal "$(documents)" $((before + 1)) documents
done
trouble

scene "pages without an end, and an answer without an end, end the run in little memory"
for what in replay flood; do
  redo init -q empty$what
  joins empty$what "$ANN"
  trouble "list * $what"
  python3 -c 'import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:], timeout=300).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(ended)' redo -C empty$what fetch -q --no-retry >"$OUT" 2>"$ERR"
  STATUS=$?
  kib=$(tail -1 "$OUT")
  echo "# $what: status $STATUS, $kib KiB"
  expect_status 128
  expect_stderr_has 'FIREBASE_00'
  [ "$kib" -lt 131072 ] || fail "$kib KiB" </dev/null
  expect_clean empty$what
done
trouble

scene "documents that were not asked for, or cannot be: told by name, and the others are taken"
python3 - "$PROJECT" <<'END_OF_PYTHON'
import json, sys
root = f"projects/{sys.argv[1]}/databases/(default)/documents"
at = {"createTime": "2025-01-01T00:00:00.000001Z", "updateTime": "2025-01-01T00:00:00.000001Z"}
created = {"timestampValue": "2025-01-01T00:00:00.001Z"}
def document(name, fields, where="nodes"):
    with open(name + ".json", "w") as file:
        json.dump({"name": f"{root}/{where}", "fields": {"createdAt": created, **fields}, **at}, file)
no = "sha256:" + "0" * 64
document("empty", {}, "nodes/" + no)
document("large", {"id": {"stringValue": no}, "x": {"stringValue": "x" * 3000000}}, "nodes/" + no)
document("elsewhere", {}, "users/" + no)
document("badname", {}, "nodes/no-id")
document("control", {"id": {"stringValue": "\u001b[31m\n"}}, "nodes/" + no)
END_OF_PYTHON
all=$(documents)
for name in empty large elsewhere badname control; do
  redo init -q "of$name"
  joins "of$name" "$ANN"
  trouble "list 1 add $HERE/$name.json"
  run redo -C "of$name" fetch -q --no-retry
  [ "$STATUS" -eq 1 ] || [ "$STATUS" -eq 128 ] || fail "the status is $STATUS" <"$ERR"
  ! grep -q $'\033' "$ERR" || fail "a control character is printed" <"$ERR"
  trouble
  run redo -C "of$name" fetch -q
  expect_equal "$(redo -C "of$name" log --format='%(id)' | wc -l)" "$all" "nodes after $name"
  expect_clean "of$name"
done

scene "a node that is over the limits of a document is held back by name, with its descendants"
before=$(documents)
python3 -c 'import json
task = "550e8400-e29b-41d4-a716-000000000200"
print(json.dumps({"action": "CREATE", "taskId": task, "fields": {"title": "Large", "description": "x" * 1047600}}))
print(json.dumps({"action": "UPDATE", "taskId": task, "fields": {"title": "Its child"}}))
print(json.dumps({"action": "CREATE", "fields": {"title": "Small"}}))' | redo -C web commit -q --stdin >large.ids || fail "no changes" </dev/null
run redo -C web push -q
expect_status 1
large=$(redo -C web log --task=550e8400-e29b-41d4-a716-000000000200 --reverse --format='%(id)' | head -1)
expect_stderr_has "$large"
expect_equal "$(documents)" $((before + 1)) documents

scene "an answer that comes slowly is waited for; one that does not come is given up in time"
redo -C ios fetch -q
redo -C ios remote set origin timeout 2
redo init -q patient
joins patient "$ANN"
redo -C patient remote set origin timeout 6
# The last answer that it gets has as many bytes as this one, which takes some ten seconds.
trouble
redo init -q hasty
joins hasty "$ANN"
forget
pull hasty
bytes=$(answered)
trouble "list 1 slow $((bytes / 20)) 0.5"
start=$EPOCHSECONDS
run redo -C patient fetch -q --no-retry
expect_status 0
[ $((EPOCHSECONDS - start)) -gt 6 ] || fail "it was not slow" </dev/null
trouble "number * slow 1 3"
start=$EPOCHSECONDS
run redo -C ios fetch -q --no-retry
expect_fault 75 FIREBASE_002 time
[ $((EPOCHSECONDS - start)) -le 60 ] || fail "it takes $((EPOCHSECONDS - start)) s" </dev/null

scene "nobody is there"
redo -C ios remote set origin endpoint http://127.0.0.1:1
run redo -C ios fetch -q --no-retry
expect_fault 75 FIREBASE_002 "connection refused"

scene "a token is not sent unencrypted to another machine: nothing is sent at all"
redo -C ios remote set origin endpoint http://192.0.2.1
echo secret-of-ann >token
chmod 600 token
redo -C ios remote set origin tokenFile "$HERE/token"
run redo -C ios fetch -q --no-retry
expect_fault 77 FIREBASE_001 "unencrypted"
! grep -rq secret-of-ann "$OUT" "$ERR" ios/.redo || fail "the token is told" <"$ERR"
