#!/bin/bash
# Tokens of a Firestore: asked for with each form of credentials, kept in slots of their own (B21), replaced before they
# expire and when they are refused, and never told: against a token endpoint that does what this script says, and a
# server with accounts.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
TARGET=serve
. "$TESTS/Scripts/firestore.bash"

# The endpoint. endpoint <answer>...: what becomes of the next requests; the last one stays.
ANSWERS=$WORK/answers ASKED=$WORK/asked
: >"$ASKED"
openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$WORK/key.pem" 2>/dev/null ||
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$WORK/key.pem" 2>/dev/null
openssl pkey -in "$WORK/key.pem" -pubout -out "$WORK/public.pem"
endpoint() { printf '%s\n' "$@" >"$ANSWERS"; }
endpoint 'status 500'
guarded python3 "$SCRIPTS/firestore-token-endpoint.py" "$ANSWERS" "$ASKED" "$WORK/public.pem" >"$WORK/tokens" 2>"$WORK/tokens.log" &
TOKENS_PID=$!
at_exit 'kill $TOKENS_PID'
wait_for "$WORK/tokens.log" $TOKENS_PID test -s "$WORK/tokens"
TOKENS=http://127.0.0.1:$(cat "$WORK/tokens")/token
# questions: how many the endpoint was asked since `forget_questions`; question <expression>: of the last one.
questions() { wc -l <"$ASKED"; }
forget_questions() { : >"$ASKED"; }
question() { tail -n 1 "$ASKED" | python3 -c 'import json, sys
d = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1"; }

# A server that knows these tokens, and the remote of a store.
stores ios
redo init -q primary
for pair in "$ANN good-token" "$BOB bob-token"; do
  read -r name token <<<"$pair"
  printf '%s %s write %s\n' "$name" "$(printf %s "$token" | sha256sum | cut -c 1-64)" "$PWD/primary"
done >accounts
chmod 600 accounts
guarded redo-serve-http --http=127.0.0.1:0 --firestore=demo --accounts=accounts >server.out 2>server.log &
PEER_PID=$!
wait_for server.log $PEER_PID grep -q '"event":"listening"' server.log
PORT=$(sed -n 's/.*"event":"listening".*"port":\([0-9]*\).*/\1/p' server.log | head -1)
redo -C ios remote add origin firestore://demo
set_() { redo -C ios remote set origin "$@" || fail "not set" </dev/null; }
set_ endpoint "http://127.0.0.1:$PORT"
set_ account "$ANN"
set_ tokenEndpoint "$TOKENS"
set_ credentialsFile "$PWD/credentials.json"

# credentials <form>: the file of the remote.
credentials() {
  case $1 in
    google) printf '{"type":"authorized_user","client_id":"id","client_secret":"s3cr3t-client","refresh_token":"s3cr3t-google"}' ;;
    firebase) printf '{"type":"firebase_user","api_key":"s3cr3t-api","refresh_token":"s3cr3t-firebase"}' ;;
    service) python3 -c 'import json, sys
print(json.dumps({"type": "service_account", "client_email": "robot@demo.example", "private_key_id": "k1",
                  "private_key": open(sys.argv[1]).read()}))' "$WORK/key.pem" ;;
  esac >credentials.json
  chmod 600 credentials.json
}
slots() { ls ios/.redo/cache/tokens 2>/dev/null; }
no_slots() { rm -rf ios/.redo/cache/tokens; }
# ask: a command that needs a token; no_secret: nothing of the token is shown.
ask() { run redo -C ios ls-remote --access --no-retry; }
no_secret() { ! grep -qE 's3cr3t|good-token|next-token|BEGIN' "$OUT" "$ERR" || fail "a secret" < <(everything_printed); }

scene "a refresh token of Google: asked once, then taken from its slot"
credentials google
endpoint 'google good-token'
ask
expect_status 0
no_secret
expect_equal "$(question 'd["form"]')" \
  "{'grant_type': 'refresh_token', 'client_id': 'id', 'client_secret': 's3cr3t-client', 'refresh_token': 's3cr3t-google'}" form
ask
expect_status 0
expect_equal "$(questions)" 1 questions
expect_equal "$(slots | cut -d - -f 1)" google slots
expect_equal "$(stat -c %a ios/.redo/cache/tokens ios/.redo/cache/tokens/* | paste -sd ' ')" "700 600" modes

scene "a token of Firebase has a slot of its own, and neither takes the place of the other (B21)"
credentials firebase
endpoint "firebase good-token $ANN s3cr3t-new"
ask
expect_status 0
expect_equal "$(question 'd["path"]')" "/token?key=s3cr3t-api" path
expect_equal "$(slots | cut -d - -f 1 | paste -sd ' ')" "firebase google" slots
forget_questions
credentials google
ask
expect_status 0
credentials firebase
ask
expect_status 0
expect_equal "$(questions)" 0 questions

scene "a token that is refused is replaced once, with the refresh token that came last"
no_slots
endpoint "firebase stale $ANN s3cr3t-new" "firebase good-token $ANN s3cr3t-newer"
forget_questions
ask
expect_status 0
expect_equal "$(questions)" 2 questions
expect_equal "$(question 'd["form"]["refresh_token"]')" s3cr3t-new "the refresh token"
no_slots
endpoint "firebase stale $ANN"
forget_questions
ask
expect_status 77
expect_stderr_has FIREBASE_001
expect_equal "$(questions)" 2 questions
no_secret

scene "a token is replaced five minutes before it expires"
no_slots
credentials google
endpoint 'google good-token 3600'
ask
# expires_in <seconds>: the one slot is that much from its end.
expires_in() {
  python3 - "$1" ios/.redo/cache/tokens/* <<'END'
import json, sys, time
slot = json.load(open(sys.argv[2]))
assert slot["expires"] - slot["obtained"] == 3600000
earlier = slot["expires"] - (int(time.time() * 1000) + int(sys.argv[1]) * 1000)
slot["expires"] -= earlier
slot["obtained"] -= earlier
with open(sys.argv[2], "w") as file:
    json.dump(slot, file)
END
}
expires_in 900
forget_questions
ask
expect_status 0
expect_equal "$(questions)" 0 "questions before that"
expires_in 299
ask
expect_status 0
expect_equal "$(questions)" 1 "questions after it"

scene "a slot that is damaged, open to others, or of other credentials is as good as none"
for damage in 'printf {' 'printf "{}"' 'head -c 40'; do
  slot=$(echo ios/.redo/cache/tokens/*)
  eval "$damage" <"$slot" >new
  cat new >"$slot"
  forget_questions
  ask
  expect_status 0
  expect_equal "$(questions)" 1 "questions after '$damage'"
done
chmod 644 ios/.redo/cache/tokens/*
forget_questions
ask
expect_equal "$(questions)" 1 "questions of a slot that others can read"
sed -i 's/s3cr3t-google/s3cr3t-other/' credentials.json
ask
expect_equal "$(questions)" 2 "questions of other credentials"

scene "a service account signs an assertion, which other code verifies"
no_slots
if python3 -c 'import cryptography' 2>/dev/null; then
  credentials service
  endpoint 'google good-token'
  ask
  expect_status 0
  no_secret
  expect_equal "$(question 'sorted(d["form"]["assertion"].items())[:3]')" \
    "[('alg', 'RS256'), ('aud', '$TOKENS'), ('exp', $(question 'd["form"]["assertion"]["iat"] + 3600'))]" claims
  expect_equal "$(question 'd["form"]["assertion"]["iss"], d["form"]["assertion"]["scope"]')" \
    "('robot@demo.example', 'https://www.googleapis.com/auth/datastore')" claims
else
  skip "there is no python3 with cryptography"
fi

scene "what the endpoint refuses ends with 77, and says what to do; no slot is left"
no_slots
while IFS='|' read -r form answer text; do
  credentials "$form"
  endpoint "$answer"
  ask
  expect_status 77
  expect_stderr_has "FIREBASE_001: $text"
  expect_equal "$(grep -c '^fatal: ' "$ERR")" 1 messages
  no_secret
  expect_equal "$(slots)" '' slots
done <<END
google|status 400 - {"error":"invalid_grant","error_description":"s3cr3t-google was revoked"}|the token endpoint refuses: invalid_grant; the refresh token in '$PWD/credentials.json' is expired or revoked: sign in anew
service|status 400 - {"error":"invalid_grant"}|the token endpoint refuses: invalid_grant; the key in '$PWD/credentials.json' is not a key of its service account
firebase|status 400 - {"error":{"code":400,"message":"TOKEN_EXPIRED","status":"INVALID_ARGUMENT"}}|the token endpoint refuses: TOKEN_EXPIRED; the refresh token in
firebase|firebase good-token $BOB|the credentials '$PWD/credentials.json' are of the account '$BOB', and the setting 'account' of the remote says '$ANN'
google|status 403 - <html>s3cr3t</html>|the token endpoint refuses (status 403)
END

scene "trouble that may pass ends with 75, after the attempts; meanwhile an old token serves"
credentials google
for answer in 'status 503 2' 'status 429' 'close' 'status 200 - {}'; do
  endpoint "$answer"
  ask
  expect_status 75
  expect_stderr_has FIREBASE_002
  no_secret
done
endpoint 'status 503' 'google good-token'
forget_questions
run redo -C ios ls-remote --access -q
expect_status 0
expect_equal "$(questions)" 2 questions

scene "credentials that are none, or that others may read, and a token endpoint in the clear elsewhere"
no_slots
chmod 644 credentials.json
ask
expect_error 77 "are open to others (mode 644): chmod 600 makes them yours alone"
rm credentials.json
ask
expect_error 77 "FIREBASE_001: the credentials cannot be read"
credentials service
sed -i 's/MII/AAA/' credentials.json
ask
expect_error 77 "the 'private_key' in '$PWD/credentials.json' is no private key in PEM"
no_secret
credentials google
set_ tokenEndpoint http://tokens.example/
ask
expect_error 77 "credentials are not sent to 'http://tokens.example/'"
set_ tokenEndpoint "$TOKENS"
set_ endpoint http://firestore.example
ask
expect_error 77 "a token is not sent unencrypted"
set_ endpoint "http://127.0.0.1:$PORT"

scene "the store is sound with slots in it, and nothing unfinished is left"
credentials google
endpoint 'google good-token'
ask
expect_status 0
run redo -C ios verify
expect_status 0
expect_equal "$(temporaries ios)" 0 "temporary files"
no_slots

scene "no secret is in the arguments, the environment or the trace of any program"
endpoint "hold $PWD/go google good-token"
forget_questions
REDO_TRACE=$WORK/trace redo -C ios ls-remote --access >"$OUT" 2>"$ERR" &
pid=$!
# Once the endpoint is asked, a helper waits for it; the token comes when it has been looked at.
wait_for "$ERR" $pid test -s "$ASKED"
helper=$(cat /proc/$pid/task/*/children | tr ' ' '\n' | head -1)
[ -n "$helper" ] || fail "no helper" </dev/null
cat "/proc/$pid/cmdline" "/proc/$pid/environ" "/proc/$helper/cmdline" "/proc/$helper/environ" >seen
grep -qa "REDO_DIR=$PWD/ios/.redo" seen || fail "nothing was seen" </dev/null
: >go
wait $pid || fail "it ends with $?" <"$ERR"
[ -s "$WORK/trace" ] || fail "no trace" </dev/null
! grep -qaE 's3cr3t|good-token|BEGIN' seen "$WORK/trace" "$OUT" "$ERR" || fail "a secret" <"$WORK/trace"

scene "tokens from a file and from a command; no token and no emulator"
redo -C ios remote set --unset origin credentialsFile
(umask 077 && printf 'good-token\n' >token)
set_ tokenFile "$PWD/token"
ask
expect_status 0
set_ tokenCommand 'printf "bob-%s\n" token'
set_ account "$BOB"
ask
expect_status 0
printf good-token | redo -C ios key put firebase_token || fail "no slot" </dev/null
set_ tokenCommand 'redo key get firebase_token'
set_ account "$ANN"
ask
expect_status 0
redo -C ios key put -f --for=https://firestore.googleapis.com firebase_token <<<good-token
ask
expect_status 77
expect_stderr_has "is not for 'http://127.0.0.1:"
set_ tokenCommand 'exit 3'
ask
expect_error 77 'FIREBASE_001: the command of the token ends with 3'
redo -C ios remote set --unset origin tokenCommand
redo -C ios remote set --unset origin tokenFile
ask
expect_status 77
redo -C ios remote set --unset origin endpoint
ask
expect_error 77 "FIREBASE_001: there is no token: 'redo remote set origin credentialsFile <file>' names credentials"
