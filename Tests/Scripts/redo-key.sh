#!/bin/bash
# redo key: the keyring of a store, its slots and its key pair. Nothing is overwritten, and nothing is lost.
. "$(dirname "${BASH_SOURCE[0]}")/key.bash"

modes() { (cd .redo && find keys -printf '%m %p\n' | sort -k 2); }

scene "without a key there is nothing to show, to export or to sign with"
run redo key show
expect_error 1 "there is no key"
run redo key show --user-id
expect_error 1 "there is no user-id"
run redo key show -q
expect_status 1
expect_stderr ''
run redo key export --public
expect_error 1 "there is no public key in the keyring"
run redo key export --private --yes
expect_error 1 "there is no private key in the keyring"
run redo key sign </dev/null
expect_error 128 "there is no private key"
run redo key rotate
expect_error 128 "there is no key to retire"
run redo key list
expect_status 0
expect_stdout ''
run redo key exists ed25519_private_key
expect_status 2
expect_stdout ''
expect_stderr ''

scene "generate prints the user id, which is the beginning of the public key"
run redo key generate
expect_status 0
expect_stderr ''
hex 32 "$OUT" || fail "that is no user id" <"$OUT"
expect_equal "$(redo key show --public | cut -c 1-32)" "$(cat "$OUT")" "the user id"
expect_equal "$(redo key show --user-id)" "$(cat "$OUT")" "the user id"

scene "only the owner has rights: the directory 0700, the files 0600, whatever the umask"
expect_equal "$(modes)" "700 keys
600 keys/.lock
600 keys/ed25519_private_key
600 keys/ed25519_public_key
600 keys/user_id" "the modes"
(
  umask 000
  rm -rf .redo/keys
  redo key generate >"$OUT"
  printf x | redo key put other
)
expect_equal "$(modes | grep -v '^[67]00 ')" '' "what others have rights on"
redo key rm other

scene "a second key is refused; both that and an import say who is there"
user=$(redo key show --user-id)
before=$(fingerprint)
run redo key generate
expect_error 1 "there is a key already, of user '$user'"
run redo key import --private <<<"$SEED"
expect_error 1 "there is a key already, of user '$user'"
run redo key import --public <<<"$PUBLIC"
expect_error 1 "there is a key already, of user '$user'"
expect_untouched "$before"

scene "list: names, never a secret; --json and -z"
run redo key list
expect_stdout "ed25519_private_key
ed25519_public_key
user_id"
run redo key list -z
printf 'ed25519_private_key\0ed25519_public_key\0user_id\0' >expected
expect_stdout_file expected
run redo key list --json
key=$(redo key show --public)
expect_stdout <<END
{"kind":"private-key","name":"ed25519_private_key","publicKey":"$key","userId":"$user","wrapped":false}
{"kind":"public-key","name":"ed25519_public_key","publicKey":"$key","userId":"$user"}
{"kind":"user-id","name":"user_id","userId":"$user"}
END
run redo key list --json -z
expect_equal "$(tr '\0' '\n' <"$OUT" | wc -l)" 3 "rows"

scene "rotate: a new pair; the old one is retired, still listed, and its nodes still verify"
redo key export --private --yes --plain >old.key
run redo key rotate
expect_status 0
new=$(cat "$OUT")
hex 32 "$OUT" || fail "that is no user id" <"$OUT"
[ "$new" != "$user" ] || fail "it is the same" </dev/null
expect_stderr "warning: '$new' is a new user id: nodes of '$user' stay what they are, and still verify"
run redo key list
expect_stdout "ed25519_private_key
ed25519_public_key
retired.$user.key
user_id"
cmp -s ".redo/keys/retired.$user.key" old.key || fail "the old key is another" </dev/null
signature=$(printf test | redo key sign)
run redo key verify --key="retired.$user.key" --signature="$signature" <(printf test)
expect_status 1
run redo key export --private --yes --plain "retired.$user.key"
expect_stdout_file old.key

scene "generate --force is a rotation too; so is an import by force, and nothing is lost"
run redo key generate --force
expect_status 0
expect_stderr_has "warning: "
run redo key import --private --force old.key
expect_status 0
expect_stdout "$user"
expect_stderr_has "is a new user id"
run redo key list
expect_stdout_lines 5
! grep -q "retired.$user" "$OUT" || fail "the key in use is listed as retired" <"$OUT"
run redo key import --private old.key
expect_status 0
expect_stdout "$user"
expect_stderr ''

scene "in a history there are nodes of others: a first key says what it is not"
redo init -q elsewhere
a_node | redo -C elsewhere hash-object -w --update-heads --stdin >"$OUT"
run redo -C elsewhere key generate
expect_status 0
expect_stderr_has "is a new user id: nodes of others"

scene "import takes exactly 64 lower-case hex digits, and export gives them back"
run redo -C other key import --private <<<"$SEED"
expect_status 0
expect_stdout "$USER_ID"
run redo -C other key show --public
expect_stdout "$PUBLIC"
run redo -C other key export --private --yes --plain
expect_stdout "$SEED"
run redo -C other key export --public
expect_stdout "$PUBLIC"
redo init -q wrong
before=$(fingerprint wrong)
for text in "${SEED^^}" "${SEED:2}" "$SEED$SEED" "$SEED " " $SEED" "nonsense" "redo-key 1" "$(printf '%s\n\n' "$SEED")x"; do
  printf '%s\n' "$text" >file
  run redo -C wrong key import --private ../file
  expect_status 128
  expect_stdout ''
  expect_stderr_has "'../file' is no private key"
  expect_stderr_has "[KEYCHAIN_003]"
  expect_stderr_lacks "$SEED"
done
run redo -C wrong key import --private </dev/null
expect_error 128 "'<stdin>' is empty [KEYCHAIN_003]"
head -c 70000 /dev/zero >big
run redo -C wrong key import --private ../big
expect_error 128 "is too large"
run redo -C wrong key import --public <<<"${PUBLIC^^}"
expect_error 128 "is no public key [KEYCHAIN_003]"
run redo -C wrong key import --private missing
expect_error 128 "cannot open 'missing'"
expect_untouched "$before" wrong

scene "a private key through a descriptor that is no file"
redo init -q piped
run redo -C piped key import --private <(echo $SEED)
expect_stdout "$USER_ID"

scene "a public key alone: verification and unsigned work; the private key may come later, another may not"
redo init -q public
run redo -C public key import --public <<<"$PUBLIC"
expect_status 0
expect_stdout "$USER_ID"
run redo -C public key list
expect_stdout "ed25519_public_key
user_id"
run redo -C public key sign </dev/null
expect_error 128 "there is no private key"
run redo -C public key import --private <../here/old.key
expect_error 1 "there is a key already"
run redo -C public key import --private <<<"$SEED"
expect_status 0
run redo -C public key list
expect_stdout_lines 3
redo -C public key rm ed25519_private_key --yes
run redo -C public key rotate
expect_status 0
run redo -C public key get "retired.$USER_ID.pub"
expect_stdout "$PUBLIC"

scene "export to a file: mode 0600, whole or not there, never over another"
run redo key export --private --yes --plain -o out.key
expect_status 0
expect_stdout ''
expect_equal "$(stat -c %a out.key)" 600 "its mode"
cmp -s out.key old.key || fail "it is another key" </dev/null
run redo key export --private --yes --plain -o out.key
expect_error 1 "there is a file 'out.key' already"
run redo key export --public --force -o out.key
expect_status 0
hex 64 out.key || fail "it was not replaced" <out.key
run redo key export --public -o missing/out.key
expect_error 128 "KEYCHAIN_001"
expect_equal "$(find . -maxdepth 1 -name '*.tmp_*' | wc -l)" 0 "files left"
run redo key export --private
expect_error 1 "whoever reads the private key"

scene "a private key leaves the store under a passphrase, or with --plain"
run setsid -w redo key export --private --yes -o safe.key </dev/null
expect_error 128 "there is no terminal to ask for a passphrase"
expect_stderr_has "hint: '--plain' exports it without one"
[ ! -e safe.key ] || fail "there is a file" <safe.key
run redo key export --private --yes --passphrase-fd=3 -o safe.key 3<<<'correct horse battery'
expect_status 0
expect_stderr ''
expect_equal "$(stat -c %a safe.key)" 600 "its mode"
head -1 safe.key | grep -qx 'redo-key 1' || fail "it is plain" <safe.key
redo init -q safe
run redo -C safe key import --private --passphrase-fd=3 ../safe.key 3<<<'correct horse battery'
expect_stdout "$(redo key show --user-id)"
run redo -C safe key export --private --yes --plain --passphrase-fd=3 3<<<'correct horse battery'
expect_stdout_file .redo/keys/ed25519_private_key
run redo key export --public --plain
expect_status 129

scene "put and get: one slot never touches another"
printf 'ya29.token' | redo key put google_access_token
printf 'eyJhbGci\n' >file
run redo key put firebase_token file
expect_status 0
run redo key get google_access_token
expect_stdout 'ya29.token'
run redo key get firebase_token
expect_stdout 'eyJhbGci'
run redo key put google_access_token <<<'ya29.token'
expect_status 0
run redo key put google_access_token <<<'another'
expect_error 1 "there is something in slot 'google_access_token' already"
run redo key get google_access_token
expect_stdout 'ya29.token'
run redo key put --force google_access_token <<<'another'
expect_status 0
run redo key get google_access_token
expect_stdout 'another'
run redo key get firebase_token
expect_stdout 'eyJhbGci'
run redo key show --user-id
expect_stdout "$user"
run redo key get nothing
expect_error 1 "there is nothing in slot 'nothing'"
run redo key get -q nothing
expect_status 1
expect_stderr ''

scene "a slot of one's own holds any bytes"
head -c 65536 /dev/urandom >bytes
run redo key put my.slot-1_x bytes
expect_status 0
run redo key get my.slot-1_x
expect_stdout_file bytes
run redo key put 0 </dev/null
expect_error 128 "'<stdin>' is empty"
run redo key put 0 big
expect_error 128 "is too large"
redo key rm my.slot-1_x

scene "a token for some addresses is handed out to nobody else; one that renews it is for the same"
asked_for() { REDO_TOKEN_FOR=$1 run redo key get "${2:-firebase_token}"; }
printf 'eyJfor\n' >file
run redo key put --for=https://Redo.example.org:443/a/b --for=http://127.0.0.1:8080 -f firebase_token file
expect_status 0
printf '%s\n' 'redo-token 1' 'for http://127.0.0.1:8080' 'for https://redo.example.org' '' eyJfor >expected
cmp .redo/keys/firebase_token expected || fail "its file is another" <.redo/keys/firebase_token
run redo key get firebase_token
expect_stdout eyJfor
for address in https://redo.example.org http://127.0.0.1:8080; do
  asked_for $address
  expect_status 0
  expect_stdout eyJfor
done
for address in http://redo.example.org https://redo.example.org:444 https://redo.example.org. \
  https://evil.example.org http://127.0.0.1 ''; do
  asked_for "$address"
  expect_error 77 "the token in slot 'firebase_token' is not for '$address', but for 'http://127.0.0.1:8080', 'https://redo.example.org'"
done
asked_for $'https://evil\e[2J.example'
expect_error 77 "is not for 'https://evil\\x1b[2J.example'"
run redo key put -f firebase_token <<<eyJnext
asked_for https://evil.example.org
expect_error 77 "is not for"
asked_for http://127.0.0.1:8080
expect_stdout eyJnext
run redo key put firebase_token <<<eyJnext
expect_status 0
run redo key put --for=https://other.example.org firebase_token <<<eyJnext
expect_error 1 "there is something in slot 'firebase_token' already"
run redo key put -f --for=https://other.example.org firebase_token <<<eyJnext
asked_for http://127.0.0.1:8080
expect_error 77 "but for 'https://other.example.org'"
run redo key list --json
expect_stdout_has '{"for":["https://other.example.org"],"kind":"token","name":"firebase_token"}'
asked_for https://evil.example.org google_access_token
expect_stdout another
run redo verify
expect_stdout_lacks keyring-form

scene "any bytes can be for an address; what would be mistaken for addresses is refused, and damaged ones are told"
{ printf 'redo-token 1\nfor x\n\n' && head -c 65000 /dev/urandom; } >bytes
run redo key put my.slot-1_x bytes
expect_error 128 "does not fit into 'my.slot-1_x': it begins as the file of a secret for some addresses does"
run redo key put --for='https://[2001:DB8::1]:8443' my.slot-1_x bytes
expect_status 0
run redo key get my.slot-1_x
expect_stdout_file bytes
asked_for 'https://[2001:db8::1]:8443' my.slot-1_x
expect_stdout_file bytes
asked_for 'https://[2001:db8::1]' my.slot-1_x
expect_status 77
for head in '' 'for https://a' $'for https://a\n' $'\nx' $'for HTTPS://a\n\nx' $'for https://a:443\n\nx' $'for https://a/\n\nx' \
  $'for https://a\nFor https://b\n\nx' $'for https://a\n\n'; do
  printf 'redo-token 1\n%s' "$head" >.redo/keys/my.slot-1_x
  run redo key get my.slot-1_x
  expect_error 128 "my.slot-1_x' does not hold what it should"
  run redo verify
  expect_stdout_has 'keyring-form - keys/my.slot-1_x '
done
redo key rm my.slot-1_x
for address in '' example.org ftp://example.org https:// https://a@b 'https://a b' HTTPS://a https://a:0 https://-a \
  "https://$(printf '%0254d' 0)"; do
  run redo key put --for="$address" 0 <<<x
  expect_status 129
  expect_stderr_has "'$address' is no address of a server"
done
run redo key put --for=https://a device_name <<<x
expect_error 1 "'device_name' is sent nowhere, and cannot be for an address"
redo key put -f firebase_token <<<eyJhbGci
redo key rm firebase_token && redo key put firebase_token <<<eyJhbGci

scene "what is a key or a user id is no token, and what is no user id is none"
for text in $SEED "$USER_ID" $'two\nlines' $'a\tb' $'\xff\xfe'; do
  run redo key put -f firebase_token <<<"$text"
  expect_status 128
  expect_stderr_has "does not fit into 'firebase_token'"
  expect_stderr_lacks "$SEED"
done
run redo key get firebase_token
expect_stdout 'eyJhbGci'
for slot in user_id ed25519_public_key ed25519_private_key "retired.$user.key"; do
  run redo key put -f "$slot" <<<"108204268033311374519"
  expect_error 1 "'$slot' is part of a key pair"
done
redo init -q oauth
mkdir -p -m 700 oauth/.redo/keys
(umask 077 && echo 108204268033311374519 >oauth/.redo/keys/user_id)
run redo -C oauth key show
expect_error 128 "not an account's id [KEYCHAIN_003]"

scene "names of slots"
for name in A a/b .a -- ../x tmp_x "$(printf '%065d' 0)" $'a\nb' ''; do
  run redo key get -- "$name"
  expect_status 129
  expect_stderr_has "is no name of a slot"
done
run redo key put -- "$(printf '%064d' 0)" <<<x
expect_status 0
redo key rm "$(printf '%064d' 0)"

scene "exists: 0 there, 2 not there, 1 there and not what it should be"
run redo key exists firebase_token
expect_status 0
run redo key exists nothing
expect_status 2
run redo key exists user_id
expect_status 0
echo 'not a key' >.redo/keys/retired.x.key
chmod 600 .redo/keys/retired.x.key
run redo key exists retired.x.key
expect_error 1 "[KEYCHAIN_003]"
redo key rm --yes retired.x.key
run redo key exists
expect_status 129

scene "a private key is got by export alone"
run redo key get ed25519_private_key
expect_error 1 "is a private key"

scene "rm: a private key only with --yes, nothing that is made of what stays, and all or none"
before=$(fingerprint)
run redo key rm ed25519_private_key
expect_error 1 "this would remove the private key"
run redo key rm ed25519_public_key
expect_error 1 "'ed25519_public_key' is made of 'ed25519_private_key', which would stay"
run redo key rm user_id
expect_error 1 "'user_id' is made of"
run redo key rm firebase_token nothing
expect_error 1 "there is nothing in slot 'nothing'"
run redo key rm --all
expect_error 1 "this would remove"
run redo key rm
expect_status 129
run redo key rm --all x
expect_status 129
run redo key rm -n firebase_token
expect_stdout firebase_token
run redo key rm --all -n
expect_stdout "$(cd .redo/keys && echo * | tr ' ' '\n')"
expect_untouched "$before"
run redo key rm firebase_token google_access_token
expect_status 0
expect_stdout ''

scene "without the private key the public one and the user id stay, even if their files were lost"
cp -r .redo kept
rm .redo/keys/ed25519_public_key .redo/keys/user_id
run redo key show --user-id
expect_stdout "$user"
run redo key list
expect_stdout_has ed25519_public_key
redo key rm --yes ed25519_private_key
run redo key show --user-id
expect_stdout "$user"
run redo key show
expect_stdout "user id      $user
public key   $(redo key get ed25519_public_key)"

scene "rm --all --yes: signed out"
run redo key rm --all --yes
expect_status 0
run redo key list
expect_stdout ''
expect_equal "$(ls .redo/keys)" '' "what is left"
run redo key rm --all --yes
expect_status 0
rm -rf .redo && mv kept .redo

scene "the device id is made once, and stays"
run redo key device-id
expect_status 0
grep -qx '[0-9a-f]\{8\}-[0-9a-f]\{4\}-4[0-9a-f]\{3\}-[89ab][0-9a-f]\{3\}-[0-9a-f]\{12\}' "$OUT" || fail "no UUID" <"$OUT"
id=$(cat "$OUT")
run redo key device-id
expect_stdout "$id"
run redo key show --device-id
expect_stdout "$id"
run redo key device-id set other-device
expect_error 1 "there is something in slot 'device_id' already"
run redo key device-id set -f other-device
expect_status 0
run redo key device-id
expect_stdout other-device
run redo key device-id set $'a\nb'
expect_error 128 "does not fit"

scene "the device's name is that of the machine until one is stored; it can change"
run redo key device-name
expect_stdout "$(uname -n)"
run redo key show --device-name
expect_error 1 "there is no device-name"
run redo key device-name "Inès' phone"
expect_status 0
run redo key device-name
expect_stdout "Inès' phone"
redo key device-name 'another'
run redo key show --json
expect_stdout "{\"deviceId\":\"other-device\",\"deviceName\":\"another\",\"privateKey\":\"keyring\",\"publicKey\":\"$(redo key show --public)\",\"userId\":\"$user\",\"wrapped\":false}"
