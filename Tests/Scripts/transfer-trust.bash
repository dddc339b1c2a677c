# transfer.trust: what the trust file lets nobody sign waits at the door, or is counted; and comes in when it is trusted. TRANSPORT is
# the way between the stores, as in sync.bash.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

# A device of somebody. key <store>: its key. change <store> <title> [<date>]: a new task, its id printed.
device() { redo init -q "$1" && redo -C "$1" key generate >/dev/null 2>&1; }
key() { redo -C "$1" key show --public; }
change() { REDO_AUTHOR_DATE=${3:-2024-05-01T10:00:00.000Z} redo -C "$1" commit -q create --title="$2" --format='%(id)'; }
titles() { redo -C "$1" log --format='%(data)' | sed -n 's/.*"title":"\([^"]*\)".*/\1/p' | sort | tr '\n' ' '; }
waits() { redo -C "$1" quarantine list | cut -d' ' -f1,2 | sort; }

device ada
device bob
device eve
device old
ADA=$(key ada) BOB=$(key bob) EVE=$(key eve) OLD=$(key old)
first=$(change ada ada)
second=$(change bob bob)
third=$(change eve eve)
fourth=$(change old old)
# Ada trusts nobody in particular, and goes on where the others have begun.
for store in bob eve old; do redo -C ada fetch -q "$PWD/$store"; done
T=$(redo -C ada show-ref --format='%(name) %(id)' | sed -n "s,^heads/\(.*\) $second\$,\1,p")
fifth=$(redo -C ada commit -q update -t "$T" --priority=3 --format='%(id)')
redo -C ada export -q >all.ndjson
# guarded <store> <off|warn|enforce>: a store that trusts ada, did trust old, has revoked eve and has never heard of bob.
guarded() {
  rm -rf "$1"
  redo init -q "$1"
  printf '%s\n' "$ADA" "$OLD valid-before=2024-01-01T00:00:00.000Z" "$EVE revoked" >"$1/.redo/trust"
  redo -C "$1" config set transfer.trust "$2"
}
ALL="$second $third $fourth $fifth"
# everything_waits <store>: what ada alone has signed is here, everything else waits, each under its name.
everything_waits() {
  expect_equal "$(titles "$1")" "ada " "the history of $1"
  expect_equal "$(redo -C "$1" log --format='%(id)')" "$first" "the history of $1"
  expect_equal "$(waits "$1")" "$(printf '%s\n' "$second untrusted" "$third revoked" "$fourth expired" "$fifth waits" | sort)" \
    "what waits in $1"
  expect_equal "$(redo -C "$1" verify --all | cut -c1 | sort -u)" G "letters of the objects of $1"
}
# counted: one line says how many wait, by letter, and what lets them in.
counted() {
  expect_stderr_has "3 changes (1 U, 1 X, 1 R), and 1 that follows, wait in the quarantine until the trust file lets them in"
  expect_stderr_has "'redo trust add $BOB' and then 'redo quarantine promote' takes them in"
}
# accepted <store>: who is trusted now comes in without another transfer; the rest stays.
accepted() {
  redo -C "$1" trust add -q "$BOB" >/dev/null
  run redo -C "$1" quarantine promote
  expect_status 1
  expect_stdout 2
  expect_stderr_has "2 changes (1 X, 1 R) wait in the quarantine until the trust file lets them in"
  expect_equal "$(titles "$1")" "ada bob " "the history of $1"
  printf '%s\n' "$ADA" "$BOB" "$OLD" "$EVE" >"$1/.redo/trust"
  run redo -C "$1" quarantine promote -q
  expect_status 0
  expect_stdout 2
  expect_equal "$(titles "$1")" "ada bob eve old " "the history of $1"
  expect_equal "$(waits "$1")" '' "what waits in $1"
  expect_equal "$(redo -C "$1" state --hash)" "$(redo -C ada state --hash)" "the state of $1"
  expect_clean "$1"
}

scene "without a trust file, and with the setting off, everything comes in, and nothing is said"
redo init -q open
redo -C open config set transfer.trust enforce
run redo -C open fetch "$(url ada)"
expect_status 0
expect_stderr "fetched 5 new changes of 4 tasks from '$(url ada)'"
guarded silent off
run redo -C silent fetch "$(url ada)"
expect_status 0
expect_stderr "fetched 5 new changes of 4 tasks from '$(url ada)'"
redo -C silent config unset transfer.trust
expect_equal "$(redo -C silent config get --default transfer.trust 2>/dev/null || echo off)" off "the default"

scene "a setting that is none lets nothing in"
run redo -C open config set transfer.trust yes
expect_error 128 "not off, warn or enforce"
guarded none enforce
run redo -C none -c transfer.trust=yes fetch "$(url ada)"
expect_status 128
expect_stderr_has "bad value 'yes' for 'transfer.trust'"
expect_equal "$(redo -C none log --format='%(id)')" '' "the history"

scene "warn: everything comes in, and one warning counts by letter"
guarded told warn
run redo -C told fetch "$(url ada)"
expect_status 0
expect_stderr "warning: 3 changes (1 U, 1 X, 1 R) are taken, although the trust file does not let their keys sign; 'redo trust check --all' names them
fetched 5 new changes of 4 tasks from '$(url ada)'"
run redo -C told fetch "$(url ada)"
expect_status 0
expect_stderr ''
expect_equal "$(redo -C told trust check --all | cut -c1 | sort | uniq -c | tr -s ' ' | paste -sd,)" " 2 G, 1 R, 1 U, 1 X" "letters"

scene "fetch: U, X and R wait in the quarantine, named, and what follows them with them; the status says that not all was taken"
guarded here enforce
run redo -C here fetch "$(url ada)"
expect_status 1
expect_stderr_has "error: '$(url ada)', '$second' waits: key-untrusted: signed by $BOB"
expect_stderr_has "error: '$(url ada)', '$third' waits: key-revoked: signed by $EVE"
expect_stderr_has "error: '$(url ada)', '$fourth' waits: key-expired: signed by $OLD"
counted
everything_waits here

scene "a second time nothing else happens, and rows say the same"
run redo -C here fetch --porcelain -q "$(url ada)"
expect_status 1
expect_equal "$(cut -d' ' -f1,3,4 "$OUT" | sort)" "$(for id in $ALL; do echo "! $id -"; done | sort)" "the rows"
run redo -C here fetch --json -q "$(url ada)"
expect_status 1
for id in $ALL; do expect_stdout_has "\"id\":\"$id\""; done
expect_stdout_has '"rule":"key-expired"'
everything_waits here
run redo -C here quarantine promote
expect_status 1
expect_stdout 0
counted
run redo -C here quarantine list --json
expect_stdout_has "\"key\":\"$BOB\""
run redo -C here quarantine show "$second"
expect_status 0
expect_stdout_has "$second"

scene "who is trusted comes in without another transfer"
accepted here

scene "a dry run says the same, and keeps nothing"
guarded here enforce
run redo -C here fetch -n "$(url ada)"
expect_status 1
counted
expect_equal "$(waits here)" '' "what waits"
expect_equal "$(redo -C here log --format='%(id)')" '' "the history"

scene "a fetch of something else takes in what is trusted by now, too"
guarded here enforce
redo -C here fetch -q "$(url bob)" 2>/dev/null
expect_equal "$(waits here)" "$second untrusted" "what waits"
redo -C here trust add -q "$BOB" >/dev/null
device other
redo -C here trust add -q "$(key other)" >/dev/null
change other other >/dev/null
run redo -C here fetch "$(url other)"
expect_status 0
expect_equal "$(titles here)" "bob other " "the history"

scene "what stays good of a revoked key comes in, in whatever order it comes"
guarded here enforce
sixth=$(change eve later 2024-06-01T10:00:00.000Z)
sed -i "s/$EVE revoked/$EVE revoked,valid-through=$third/" here/.redo/trust
run redo -C here fetch "$(url eve)"
expect_status 1
expect_stderr_has "1 change (1 R) waits"
expect_equal "$(titles here)" "eve " "the history"
expect_equal "$(waits here)" "$sixth revoked" "what waits"

scene "--watch names what waits once, and again when it has changed"
guarded here enforce
: >watched >watched.err
redo -C here fetch --watch --interval=1 "$(url ada)" >watched 2>watched.err &
watcher=$!
until grep -q 'wait in the quarantine until' watched.err; do sleep 0.05; done
redo -C here trust add -q "$BOB" >/dev/null
until grep -q '"title":"bob"' watched; do sleep 0.05; done
kill -TERM $watcher
wait $watcher
expect_equal "$?" 0 "the status"
for id in $second $third $fourth; do expect_equal "$(grep -c "'$id' waits" watched.err)" 1 "how often it is named"; done
expect_equal "$(grep -c 'wait in the quarantine until' watched.err)" 1 "how often they are counted"
expect_equal "$(waits here)" "$(printf '%s\n' "$third revoked" "$fourth expired" | sort)" "what waits"

scene "sync: what waits is held, the rest goes both ways"
guarded here enforce
redo -C here key generate >/dev/null 2>&1
redo -C here trust add -q "$(key here)" >/dev/null
own=$(change here own)
redo init -q there
redo -C there import -q "$PWD/all.ndjson" >/dev/null
run redo -C here sync "$(url there)"
expect_status 1
counted
expect_equal "$(titles here)" "ada own " "the history here"
expect_equal "$(titles there)" "ada bob eve old own " "the history there"

scene "push: the server keeps it, and the client learns what waits"
guarded hub enforce
run redo -C ada push "$(url hub)"
expect_status 1
expect_stderr_has "error: '$second' waits in the quarantine of '$(url hub)': key-untrusted: signed by $BOB"
expect_stderr_has "error: '$third' waits in the quarantine of '$(url hub)': key-revoked"
expect_stderr_has "error: '$fourth' waits in the quarantine of '$(url hub)': key-expired"
expect_stderr_has "error: '$fifth' waits in the quarantine of '$(url hub)': key-untrusted: it follows $second"
expect_stderr_has "hint: 4 changes wait at '$(url hub)' until the trust file there lets their keys sign"
everything_waits hub
run redo -C ada push --porcelain -q "$(url hub)"
expect_status 1
expect_stdout_has '!'
expect_stdout_lacks Done
everything_waits hub
accepted hub
run redo -C ada push "$(url hub)"
expect_status 0

scene "push to a server that only warns: everything comes in"
guarded other-hub warn
run redo -C ada push -q "$(url other-hub)"
expect_status 0
expect_equal "$(titles other-hub)" "ada bob eve old " "the history"

scene "schemas wait likewise, and what follows them"
guarded here enforce
redo -C bob schema new -q form --name=Form >/dev/null
redo init -q forms
redo -C forms fetch -q "$PWD/bob"
redo -C ada fetch -q "$PWD/forms" >/dev/null
redo -C ada schema set -q form --name=Sheet >/dev/null
redo -C ada schema new -q own --name=Own >/dev/null
run redo -C here fetch --kind=schema "$(url ada)"
expect_status 1
expect_stderr_has "waits: key-untrusted: signed by $BOB"
expect_stderr_has "1 change (1 U), and 1 that follows, wait in the quarantine"
expect_equal "$(redo -C here schema list --json | sed 's/.*"name":"\([^"]*\)".*/\1/')" own "the schemas"
expect_equal "$(redo -C here quarantine list | cut -d' ' -f2,6 | sort)" "untrusted schema
waits schema" "what waits"
redo -C here trust add -q "$BOB" >/dev/null
run redo -C here quarantine promote -q
expect_status 0
expect_stdout 2
expect_equal "$(redo -C here schema list | wc -l)" 2 "the schemas"
expect_equal "$(waits here)" '' "what waits"

scene "receipts wait likewise"
guarded here enforce
for store in ada bob; do
  redo -C $store config set receipt.did "did:buds:$store"
  redo -C $store config set serve.kinds 'node receipt schema'
  redo -C $store receipt create >/dev/null <<<'{"product_name":"x","product_type":"flower","rating":4,"effects":[]}' || fail "no receipt" </dev/null
done
run redo -C here fetch --kind=receipt "$(url bob)"
expect_status 1
expect_stderr_has "2 changes (2 U) wait in the quarantine"
expect_equal "$(redo -C here quarantine list | cut -d' ' -f2,6 | sort -u)" "untrusted receipt" "what waits"
expect_equal "$(redo -C here show-ref | grep -c receipts/)" 0 "the chains"
run redo -C here fetch --kind=receipt "$(url ada)"
expect_status 0
redo -C here trust add -q "$BOB" >/dev/null
run redo -C here quarantine promote -q
expect_status 0
expect_stdout 2
expect_equal "$(redo -C here show-ref | grep -c receipts/)" 4 "the chains"

if [ "$TRANSPORT" != path ]; then exit 0; fi

scene "import: the same, from a file and from a pipe"
guarded here enforce
run redo -C here import "$PWD/all.ndjson"
expect_status 1
expect_stdout 1
expect_stderr_has "error: '$second' waits: key-untrusted: signed by $BOB"
expect_stderr_has "imported 1 new change, 4 waiting for trust"
counted
everything_waits here
accepted here
guarded here enforce
run redo -C here import --json -q - <all.ndjson
expect_status 1
expect_stdout_has '"held":4'
everything_waits here
guarded here enforce
run redo -C here import -n "$PWD/all.ndjson"
expect_status 1
expect_equal "$(waits here)" '' "what waits"
guarded here warn
run redo -C here import "$PWD/all.ndjson"
expect_status 0
expect_stderr_has "warning: 3 changes (1 U, 1 X, 1 R) are taken"

scene "import: children may stand before what waits, and thousands of them do"
guarded here enforce
tac all.ndjson >back.ndjson
run redo -C here import -q "$PWD/back.ndjson"
expect_status 1
everything_waits here
guarded here enforce
demo 1500 >many.ndjson
run redo -C here import -q "$PWD/many.ndjson"
expect_status 1
expect_stdout 0
expect_equal "$(waits here | wc -l)" "$(ids_of <many.ndjson | sort -u | wc -l)" "what waits"
run redo -C here trust add -q $(sed -n 's/.*"publicKey":"\([0-9a-f]*\)".*/\1/p' many.ndjson | sort -u)
run redo -C here quarantine promote -q
[ "$STATUS" -le 1 ] || fail "the status is $STATUS" < <(everything_printed)
expect_equal "$(waits here | grep -c 'untrusted\|expired\|revoked')" 0 "what waits for trust"

scene "what is in the history stays there, whoever is trusted later, and may come again"
guarded here enforce
sed -i "s/$EVE revoked/$EVE/" here/.redo/trust
redo -C here fetch -q "$PWD/eve"
redo -C here trust revoke -q "$EVE" >/dev/null
run redo -C here import -q "$PWD/all.ndjson"
expect_status 1
expect_equal "$(titles here)" "ada eve later " "the history"

scene "a node that is here and in no history does not come in behind the back of the door"
guarded here enforce
grep "$second" all.ndjson | grep CREATE | redo -C here hash-object -w --stdin >/dev/null
grep "\"id\":\"$fifth\"" all.ndjson >child.ndjson
run redo -C here import "$PWD/child.ndjson"
expect_status 1
expect_equal "$(redo -C here log --format='%(id)')" '' "the history"
expect_equal "$(waits here)" "$fifth ready" "what waits"
run redo -C here quarantine promote
expect_status 1
expect_equal "$(redo -C here log --format='%(id)')" '' "the history"
redo -C here trust add -q "$BOB" >/dev/null
run redo -C here quarantine promote -q
expect_status 0
expect_equal "$(redo -C here log --format='%(id)' | wc -l)" 2 "the history"

scene "a damaged trust file lets nothing in"
guarded here enforce
echo nonsense >>here/.redo/trust
run redo -C here fetch "$PWD/ada"
expect_status 128
run redo -C here import "$PWD/all.ndjson"
expect_status 128
expect_equal "$(redo -C here log --format='%(id)')" '' "the history"

scene "import: schemas and receipts, too"
guarded here enforce
redo -C ada export -q --kind=schema >schemas.ndjson
redo -C bob export -q --kind=receipt >receipts.ndjson
run redo -C here import "$PWD/schemas.ndjson" "$PWD/receipts.ndjson"
expect_status 1
expect_stdout 1
expect_stderr_has "imported 1 new schema, 2 waiting for trust"
expect_stderr_has "imported 0 new receipts, 2 waiting for trust"
expect_equal "$(redo -C here quarantine list | cut -d' ' -f2,6 | sort | uniq -c | tr -s ' ' | paste -sd,)" \
  " 2 untrusted receipt, 1 untrusted schema, 1 waits schema" "what waits"
redo -C here trust add -q "$BOB" >/dev/null
run redo -C here quarantine promote -q
expect_status 0
expect_stdout 4
expect_equal "$(waits here)" '' "what waits"
expect_clean here
