#!/bin/bash
# redo ls-remote, stats and push --verify of a remote at Firestore: questions that its indexes answer (Q13, Q14, Q17 to
# Q20, A51, A52), documents that are as they should be or not (C21, C53), and what every other remote says to them.
# TARGET=serve or emulator, see firestore.bash.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

# objects_say <expression>: of each line of JSON that the last command printed.
objects_say() { python3 -c 'import json, sys
for line in open(sys.argv[2]):
    print(eval(sys.argv[1], {"d": json.loads(line)}))' "$1" "$OUT"; }

# expected <format> <log arguments>...: the rows of these nodes, without the column createdAt, by lamport and id.
expected() {
  redo -C ios log --format='%(id)%x09%(lamport)%x09%(wall)%x09%(author:userid)%x09%(action)%x09%(task)' "$@" |
    sort -t "$(printf '\t')" -k 2n -k 1
}
# rows: what the last command printed, without the column createdAt.
rows() { cut -f 1-6 "$OUT"; }
# created: the column createdAt, with nine decimals: a time has as few as it needs, and none at a whole second.
created() { cut -f 7 "$OUT" | sed -E '/\./!s/Z$/.Z/; s/Z$/000000000Z/; s/(\.[0-9]{9})0*Z$/\1Z/'; }

scene "all nodes of the account come by their logical time, page by page"
stores ios
project
joins ios "$ANN" "$BOB"
on ios 10:00:00.000 create -t $TASK --title=One
on ios 10:03:00.000 create -t $OTHER --title=Two
on ios 10:01:00.000 update -t $TASK --priority=1
on ios 10:02:00.000 archive -t $TASK
push ios
expected >all
run redo -C ios ls-remote --access
expect_status 0
expect_stderr ''
expect_equal "$(rows)" "$(cat all)" "the rows"
expect_equal "$(created | grep -cE '^20[0-9]{2}-.*Z$')" 4 "times of the service"
run redo -C ios ls-remote --access="$ANN" --limit=2
expect_equal "$(rows)" "$(head -n 2 all)" "the first two"
run redo -C ios ls-remote --access --limit=3 -z
expect_equal "$(tr '\0' '\n' <"$OUT" | cut -f 1)" "$(head -n 3 all | cut -f 1)" "rows that end with NUL"
run redo -C ios ls-remote --access --json
expect_equal "$(objects_say '"\t".join(str(d[name]) for name in "id lamport wall author action task".split())')" "$(cat all)" "JSON"
while read -r line; do
  expect_equal "$(printf %s "$line" | redo canonicalize)" "$line" "canonical JSON"
done <"$OUT"

scene "by action, by task, by author, and by several of these"
run redo -C ios ls-remote --action=CREATE
expect_equal "$(rows)" "$(expected --action=CREATE)" "creations"
run redo -C ios ls-remote --task=$TASK
expect_equal "$(rows)" "$(expected --task=$TASK)" "a task"
run redo -C ios ls-remote --task=$TASK --action=ARCHIVE
expect_equal "$(rows)" "$(expected --task=$TASK --action=ARCHIVE)" "both"
user=$(redo -C ios key show --user-id)
run redo -C ios ls-remote --author="$user"
expect_equal "$(rows)" "$(cat all)" "an author"
run redo -C ios ls-remote --author="$user" --action=CREATE
expect_equal "$(rows)" "$(expected --action=CREATE)" "creations of an author"
run redo -C ios ls-remote --author=00000000000000000000000000000000
expect_status 0
expect_stdout ''
run redo -C ios ls-remote --action=DELETE --exit-code
expect_status 2

scene "by the time of the service and by the author's clock"
run redo -C ios ls-remote --sort=-wall
expect_equal "$(cut -f 3 "$OUT")" "$(cut -f 3 all | sort -r)" "the newest first"
sleep 0.05
on ios 09:00:00.000 create --title=Late
push ios
run redo -C ios ls-remote --sort=createdat
expect_stdout_lines 5
expect_equal "$(created)" "$(created | sort)" "ascending"
last=$(tail -n 1 "$OUT")
run redo -C ios ls-remote --sort=-createdat --limit=1
expect_equal "$(cat "$OUT")" "$last" "the last one first"
run redo -C ios ls-remote --created-since=now-24h --sort=-createdat
expect_stdout_lines 5
run redo -C ios ls-remote --created-since="$(printf %s "$last" | cut -f 7)" --sort=createdat
expect_equal "$(cat "$OUT")" "$last" "only the last one"
run redo -C ios ls-remote --created-since=now
expect_status 0
expect_stdout ''

scene "what no declared index serves is refused by name, and nothing is asked"
while read -r words; do
  forget
  # shellcheck disable=SC2086
  run redo -C ios ls-remote --no-retry ${words%%|*}
  expect_status 128
  expect_stderr_has "FIREBASE_003: no declared index serves ${words##*|}"
  expect_equal "$(wc -l <"$REQUESTS")" 0 "requests"
done <<'END'
--sort=wall|accessList + timestamp.wall ascending
--sort=-lamport|accessList + timestamp.lamport descending
--action=CREATE --sort=-wall|accessList + action + timestamp.wall descending
--action=CREATE --created-since=now-1h|accessList + action + createdAt ascending
--created-since=now-1h --sort=lamport|accessList + createdAt + timestamp.lamport ascending
END

scene "command lines that make no sense"
for words in '--owned --user' '--owned --sort=lamport' '--user --limit=1' '--verify=x --access' '--sort=id' '--limit=0'; do
  # shellcheck disable=SC2086
  run redo -C ios ls-remote $words
  expect_status 129
done
run redo -C ios ls-remote --created-since=someday
expect_error 128 "option '--created-since' expects a date, not 'someday'"
run redo -C ios ls-remote --author="$ANN"
expect_error 128 "'$ANN' is no author"

scene "an account is not the user id of a key (B22)"
run redo -C ios ls-remote --access="$user"
expect_error 128 "32 hex digits are the user id of a key pair"
run redo -C ios -c remote.origin.account="$user" ls-remote --access
expect_error 128 "32 hex digits are the user id of a key pair"

scene "another account sees what its access lists say, and may not ask for others"
stores bob
joins bob "$BOB"
run redo -C bob ls-remote --access
expect_stdout_lines 5
run redo -C bob ls-remote --access="$ANN" --no-retry
expect_status 77
expect_stderr_has FIREBASE_001
stores eve
joins eve "$EVE"
run redo -C eve ls-remote --access
expect_status 0
expect_stdout ''
run redo -C eve ls-remote --no-access --task=$TASK --no-retry
expect_status 77

scene "an administrator may ask for any account, or for none: the four indexes in their order (A52)"
stores boss
joins boss 1
(umask 077 && echo owner >token)
redo -C boss remote set origin tokenFile "$PWD/token"
for words in "--access=$ANN" "--access=$ANN --sort=-wall" "--no-access --author=$user --action=CREATE" "--no-access --task=$TASK"; do
  # shellcheck disable=SC2086
  run redo -C boss ls-remote $words
  expect_status 0
  [ -s "$OUT" ] || fail "no rows" </dev/null
  case $words in
    *-wall) expect_equal "$(cut -f 3 "$OUT")" "$(cut -f 3 "$OUT" | sort -r)" "by the author's clock" ;;
    *) expect_equal "$(cut -f 2 "$OUT")" "$(cut -f 2 "$OUT" | sort -n)" "by logical time" ;;
  esac
done
expect_equal "$(cut -f 6 "$OUT" | sort -u)" $TASK "the task"
run redo -C boss ls-remote --access
expect_status 0
expect_stdout ''

scene "more nodes than a page, and those that the account's document names"
stores ios
project
joins ios "$ANN"
for number in $(seq 640); do
  printf '{"action":"CREATE","fields":{"title":"Task %d"}}\n' "$number"
done | redo -C ios commit -q --stdin >/dev/null
push ios
expected >all
forget
run redo -C ios ls-remote --access
expect_equal "$(rows)" "$(cat all)" "640 rows"
expect_equal "$(asked list | cut -d ' ' -f 1)" 3 "pages"
run redo -C ios ls-remote --author="$(redo -C ios key show --user-id)" --limit=7
expect_equal "$(rows)" "$(head -n 7 all)" "sorted here"
run redo -C ios ls-remote --access --limit=301
expect_equal "$(rows)" "$(head -n 301 all)" "301 rows"
run redo -C ios ls-remote --owned
expect_stdout_lines 640
expect_equal "$(rows | sort)" "$(sort all)" "owned"
run redo -C ios ls-remote --owned --limit=5
expect_stdout_lines 5
run redo -C ios ls-remote --user
expect_stdout_has "account: $ANN"
expect_stdout_has "ownedNodes: 640"
expect_stdout_has "deviceIds: $(redo -C ios key device-id)"
run redo -C ios ls-remote --user --json
expect_equal "$(objects_say 'd["ownedNodes"], d["deviceIds"]')" "(640, ['$(redo -C ios key device-id)'])" "JSON"
stores eve
joins eve "$EVE"
run redo -C eve ls-remote --user
expect_status 2
expect_error 2 "there is no document of the account yet"

scene "stats: whose it is, which device, how many nodes (Q17)"
cd "$OLDPWD" || exit
forget
run redo -C ios stats --remote
expect_status 0
expect_stdout <<END
remote: origin
transport: firestore
userId: $ANN
deviceId: $(redo -C ios key device-id)
nodeCount: 640
roundTrips: 1
bytesSent: $(wire | cut -d ' ' -f 2)
bytesReceived: $(wire | cut -d ' ' -f 3)
reads: 1
writes: 0
END
run redo -C ios stats --remote=origin --json
expect_equal "$(objects_say 'd["nodeCount"]')" 640 "JSON"

scene "--verify: a good document, one that is not there, and each of the four codes (C53)"
stores ios
project
joins ios "$ANN" "$BOB"
on ios 10:00:00.000 create -t $TASK --title='Émoji 🚀'
id=$(cat "$OUT")
push ios
run redo -C ios ls-remote --verify="$id"
expect_status 0
expect_stdout "$(printf '%s\tok' "$id")"
expect_stderr ''
run redo -C ios ls-remote --verify="${id#sha256:}"
expect_status 0
missing=sha256:$(printf '0%.0s' $(seq 64))
run redo -C ios ls-remote --verify="$missing" --verify="$id"
expect_status 2
expect_stdout "$(printf '%s\tnodeNotFound\n%s\tok' "$missing" "$id")"
expect_stderr_has "error: nodeNotFound: '$missing': there is no such document that the account may read"
admin raw "nodes/$id" >good.json
while IFS='|' read -r path value code text; do
  forge "nodes/$id" "$path" "$value"
  run redo -C ios ls-remote --verify="$id"
  expect_status 1
  grep -qx "$id	$code" "$OUT" || fail "no code $code" < <(everything_printed)
  expect_stderr_has "error: $code: '$id': $text"
done <<'END'
version|2|invalidVersion|'version' is 2, not 1
version|"1"|invalidVersion|'version' is '1', not 1
id|"SHA256:ab"|invalidId|'id' is not 'sha256:' and 64 lower-case hex digits
id|"sha256:0000000000000000000000000000000000000000000000000000000000000000"|invalidId|'id' is not the name of the document
timestamp|{"lamport":0,"wall":"2025-11-16T10:00:00.000Z"}|invalidTimestamp|'timestamp.lamport' is 0
timestamp|{"lamport":1,"wall":"2025-11-16T10:00:00.000+01:00"}|invalidTimestamp|'timestamp.wall' does not end with 'Z'
timestamp|{"lamport":1,"wall":"2025-11-16T10:00:00Z"}|wall-precision|'timestamp.wall' has not three decimals
signature|"4pXQmFtvVg=="|signature-form|the signature '4pXQmFtvVg==' is not 128 lower-case hex digits
action|"UPDATE"|hash-mismatch|hashMismatch: the body hashes to
END
forge
admin set "nodes/$id" accessList "[\"$BOB\"]" || fail "not set" </dev/null
run redo -C ios ls-remote --verify="$id"
expect_status 2
expect_stdout_has nodeNotFound
admin put "nodes/$id" good.json
run redo -C ios ls-remote --verify="$id"
expect_status 0
run redo -C ios ls-remote --verify="$id" --verify="$missing" --json
expect_equal "$(objects_say 'd["isGood"], [one["code"] for one in d["findings"]]')" \
  "$(printf "(True, [])\n(False, ['nodeNotFound'])")" JSON

scene "push --verify looks at the documents that it has sent; --all at all of them (C21)"
on ios 10:01:00.000 update -t $TASK --priority=2
run redo -C ios push --verify
expect_status 0
expect_stderr_has "the documents of 1 change in 'origin' are as they should be"
admin set "nodes/$id" createdAt null || fail "not set" </dev/null
admin set "nodes/$id" accessList "[\"$ANN\",\"0123456789abcdef0123456789abcdef\"]" || fail "not set" </dev/null
run redo -C ios push -q --verify
expect_status 0
run redo -C ios push -q --all
expect_status 1
expect_stderr_has "error: accessList: '$id': 'accessList' has '0123456789abcdef0123456789abcdef'"
# One that no longer holds its node is found by both: they list all names, and read what was changed.
forge "nodes/$id" version 3
run redo -C ios push -q
expect_status 0
run redo -C ios push -q --verify
expect_status 1
expect_stderr_has "$id"
run redo -C ios push -q --all
expect_status 1
expect_stderr_has "'$id' is refused by 'origin': hash-mismatch: the document that is there is another one"

scene "every other remote refuses these options by name, before it is reached"
redo -C ios remote add other "$PWD/nowhere"
for option in --access --owned --user --action=CREATE --created-since=now --sort=lamport --limit=1 --verify="$id"; do
  run redo -C ios ls-remote $option other
  expect_error 128 "'other' is not at Firestore, and '${option%%=*}' asks what only Firestore answers"
done
redo init -q plain
run redo -C ios stats --remote="$PWD/plain"
expect_stdout_has "nodeCount: 0"

scene "a service that cannot be reached"
trouble 'list * drop'
run redo -C ios ls-remote --access --no-retry
expect_status 75
expect_stderr_has FIREBASE_002
trouble
