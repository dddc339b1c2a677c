#!/bin/bash
# redo key: the keyring of a store. What others could read is refused, nothing is overwritten, and no
# secret is ever said.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SEED=9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
PUBLIC=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
USER_ID=${PUBLIC:0:32}
# A python3 with PyNaCl, for comparison.
PYTHON=''
for candidate in "$TESTS/../.build/oracle/bin/python" python3; do
  if "$candidate" -c 'import nacl.pwhash.argon2id' 2>/dev/null; then
    PYTHON=$candidate
    break
  fi
done
oracle() { "$PYTHON" "$TESTS/Oracle/keys.py" "$@"; }
hex() { grep -qx "[0-9a-f]\{$1\}" "$2"; }
modes() { (cd .redo && find keys -printf '%m %p\n' | sort -k 2); }

make_store

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
redo key export --private --yes >old.key
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
run redo key export --private --yes "retired.$user.key"
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
redo init -q other
run redo -C other key import --private <<<"$SEED"
expect_status 0
expect_stdout "$USER_ID"
run redo -C other key show --public
expect_stdout "$PUBLIC"
run redo -C other key export --private --yes
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
run redo key export --private --yes -o out.key
expect_status 0
expect_stdout ''
expect_equal "$(stat -c %a out.key)" 600 "its mode"
cmp -s out.key old.key || fail "it is another key" </dev/null
run redo key export --private --yes -o out.key
expect_error 1 "there is a file 'out.key' already"
run redo key export --public --force -o out.key
expect_status 0
hex 64 out.key || fail "it was not replaced" <out.key
run redo key export --public -o missing/out.key
expect_error 128 "KEYCHAIN_001"
expect_equal "$(find . -maxdepth 1 -name '*.tmp_*' | wc -l)" 0 "files left"
run redo key export --private
expect_error 1 "whoever reads the private key"

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

scene "sign and verify: raw bytes, both forms; a change is seen"
run redo key sign <(printf test)
expect_status 0
hex 128 "$OUT" || fail "no signature" <"$OUT"
signature=$(cat "$OUT")
run redo key verify --key=ed25519_public_key --signature="$signature" <(printf test)
expect_status 0
expect_stdout body
run redo key verify -q --key=ed25519_private_key --signature="$signature" <(printf test)
expect_status 0
expect_stdout ''
run redo key verify --key=ed25519_public_key --signature="$signature" <(printf Test)
expect_status 1
expect_stdout ''
expect_stderr ''
run redo key verify --form=digest --key=ed25519_public_key --signature="$signature" <(printf test)
expect_status 1
digest=$(printf test | redo key sign --form=digest)
run redo key verify --key="$(redo key show --public)" --signature="$digest" <(printf test)
expect_stdout digest
printf test | sha256sum | cut -d' ' -f1 | tr -d '\n' | sed 's/../\\x&/g' >escaped
run redo key verify --form=body --key=ed25519_public_key --signature="$digest" <(printf "$(cat escaped)")
expect_stdout body
run redo key verify --key=ed25519_public_key --signature=00 </dev/null
expect_status 129
run redo key verify --key=nothing --signature="$signature" </dev/null
expect_error 128 "there is no key in slot 'nothing'"
run redo -C / key verify --key=$PUBLIC --signature="$signature" </dev/null
expect_status 1

scene "the text 'test', signed here and verified by another implementation, and the other way round"
printf test >text
if [ -n "$PYTHON" ]; then
  run oracle verify "$(redo key show --public)" "$signature" text
  expect_status 0
  run oracle verify "$(redo key show --public)" "$signature" escaped
  expect_status 1
  expect_equal "$(redo -C other key sign ../text)" "$(oracle sign text <<<$SEED)" "the signature of one seed"
  run redo key verify --key=$PUBLIC --signature="$(oracle sign text <<<$SEED)" text
  expect_stdout body
else
  skip "there is no python3 with PyNaCl"
fi

scene "a key under a passphrase: public without it, of use only with it"
printf 'correct horse\n' >pass
make_store wrapped
run redo key generate --passphrase-fd=3 3<../pass
expect_status 0
hex 32 "$OUT" || fail "that is no user id" <"$OUT"
wrapped=$(cat "$OUT")
expect_equal "$(sed -n '1p; 2s/ .*//p; 3s/ [0-9a-f]*$//p; 4s/ .*//p' .redo/keys/ed25519_private_key)" "redo-key 1
public
argon2id 3 262144
xchacha20-poly1305" "its form"
run redo key show
expect_stdout "user id      $wrapped
public key   $(redo key show --public)
private key  from the keyring, under a passphrase"
run redo key sign --passphrase-fd=3 ../text 3<../pass
expect_status 0
signature=$(cat "$OUT")
run redo key verify --key=ed25519_private_key --signature="$signature" ../text
expect_stdout body
printf 'correct hors\n' >../almost
run redo key sign --passphrase-fd=3 ../text 3<../almost
expect_error 77 "the passphrase does not open the key of user '$wrapped'"
expect_stderr_lacks "correct"
run redo key sign --passphrase-fd=3 ../text 3<&-
expect_error 128 "cannot read 'descriptor 3'"
run redo key sign --passphrase-fd=3 ../text 3</dev/null
expect_error 128 "the passphrase on 'descriptor 3' is empty"
run setsid -w redo key sign ../text </dev/null
expect_error 128 "there is no terminal to ask for its passphrase"
run setsid -w redo key generate --force --passphrase </dev/null
expect_error 128 "there is no terminal to ask for a passphrase"

scene "the descriptor is read up to the line feed and no further"
(
  run redo key sign --passphrase-fd=0 ../text
  expect_status 0
  read -r rest
  expect_equal "$rest" "the rest" "what is left"
) < <(printf 'correct horse\nthe rest\n') || exit 1

scene "its passphrase can come from a setting of the user or a credential, and never from the store's"
run redo -c key.passphraseCommand='printf "correct horse\nmore"' key sign ../text
expect_stdout "$signature"
mkdir ../credentials
printf 'correct horse' >../credentials/redo.passphrase
run env CREDENTIALS_DIRECTORY="$PWD/../credentials" redo key sign ../text
expect_stdout "$signature"
run redo -c key.passphraseCommand=false key sign ../text
expect_error 128 "'key.passphraseCommand' ends with status 1"
run redo -c key.passphraseCommand=true key sign ../text
expect_error 128 "'key.passphraseCommand' prints nothing"
cp .redo/config kept
printf '[key]\n\tpassphraseCommand = touch ran; echo correct horse\n\tcommand = touch ran; echo %s\n' $SEED >>.redo/config
run setsid -w redo key sign ../text </dev/null
expect_status 128
expect_stderr_has "warning: 'key.command' on line 5 of "
expect_stderr_has "warning: 'key.passphraseCommand' on line 4 of "
expect_stderr_lacks "$SEED"
[ ! -e ran ] || fail "a command of the store's settings was run" </dev/null
mv kept .redo/config

scene "a rotation of a key under a passphrase asks for one too; without is to be said"
run setsid -w redo key rotate </dev/null
expect_error 128 "there is no terminal to ask for a passphrase"
run redo key show --user-id
expect_stdout "$wrapped"
run redo key rotate --no-passphrase
expect_status 0
run redo key list --json
expect_stdout_has '"kind":"private-key"'
expect_stdout_has '"wrapped":false'
expect_stdout_has "\"userId\":\"$wrapped\",\"wrapped\":true"

scene "export and import of a key under a passphrase: as it is, in plain, or under another"
run redo key export --private --yes "retired.$wrapped.key"
cp "$OUT" ../wrapped.key
head -1 ../wrapped.key | grep -qx 'redo-key 1' || fail "it is not as it is stored" <../wrapped.key
run redo key export --private --yes --no-passphrase --passphrase-fd=3 "retired.$wrapped.key" 3<../pass
hex 64 "$OUT" || fail "that is no plain key" <"$OUT"
cp "$OUT" ../plain.key
cd .. && make_store again
run redo key import --private --passphrase-fd=3 ../wrapped.key 3<../almost
expect_error 77 "does not open"
run redo key list
expect_stdout ''
run redo key import --private --passphrase-fd=3 ../wrapped.key 3<../pass
expect_stdout "$wrapped"
cmp -s .redo/keys/ed25519_private_key ../wrapped.key || fail "it is another" </dev/null
cd .. && make_store plain
run redo key import --private ../plain.key
expect_stdout "$wrapped"
run redo key export --private --yes --passphrase-fd=3 --passphrase 3<../almost
expect_status 0
head -1 "$OUT" | grep -qx 'redo-key 1' || fail "it is not under a passphrase" <"$OUT"
cd ..

scene "another implementation opens such a key by its description, and makes one that is opened here"
if [ -n "$PYTHON" ]; then
  printf 'correct horse' >bare
  run oracle open bare <wrapped.key
  expect_stdout_file plain.key
  oracle wrap bare 1 64 <<<$SEED >foreign.key
  redo init -q foreign
  run redo -C foreign key import --private --passphrase-fd=3 ../foreign.key 3<pass
  expect_stdout "$USER_ID"
  run redo -C foreign key sign --passphrase-fd=3 ../text 3<pass
  expect_stdout "$(oracle sign text <<<$SEED)"
else
  skip "there is no python3 with PyNaCl"
fi

scene "a key that asks for too much memory or time is refused before it gets any; so is one that was changed"
make_store limits
for cost in '17 8' '1 1048577' '5 1048576' '999999999 999999999' '3 7' '0 8' '03 262144' '3 262144 1' '99999999999 8'; do
  sed "3s/argon2id [0-9]* [0-9]*/argon2id $cost/" ../wrapped.key >changed
  run timeout 5 redo key import --private --passphrase-fd=3 changed 3<../pass
  expect_error 128 "[KEYCHAIN_003]"
done
sed '1s/1/2/' ../wrapped.key >changed
run redo key import --private --passphrase-fd=3 changed 3<../pass
expect_error 128 "its version '2' is not known"
sed "2s/ ..../ 0000/" ../wrapped.key >changed
run redo key import --private --passphrase-fd=3 changed 3<../pass
expect_error 77 "does not open"
cd ..

scene "the key can come from a credential or a command, which come before the slot"
redo -C other key export --private --yes >other.key
make_store sources
redo key generate >"$OUT"
cp ../other.key ../credentials/redo.ed25519_private_key
run env CREDENTIALS_DIRECTORY="$PWD/../credentials" redo key show --json
expect_stdout "{\"privateKey\":\"credential\",\"publicKey\":\"$PUBLIC\",\"userId\":\"$USER_ID\",\"wrapped\":false}"
run redo -c key.command='cat ../other.key' key show --json
expect_stdout_has '"privateKey":"command"'
run redo -c key.command='cat ../other.key' key sign ../text
run redo key verify --key=$PUBLIC --signature="$(cat "$OUT")" ../text
expect_stdout body
run redo -c key.command='cat ../other.key; exit 3' key sign ../text
expect_error 128 "'key.command' ends with status 3"
expect_stderr_lacks "$SEED"
run redo -c key.command='echo nonsense' key sign ../text
expect_error 128 "the output of 'key.command' is no private key"
run redo -c key.command='head -c 70000 /dev/zero' key sign ../text
expect_error 128 "'key.command' cannot be run: file too large"
run redo -c key.command='kill -9 $$' key sign ../text
expect_error 128 "'key.command' ends with status 137"
run redo -c key.command='cat ../other.key' key rotate
expect_stderr_has "warning: 'key.command' comes before the keyring: this key does not sign"
cd ..

scene "a directory or a file on which others have rights is refused, with its path and mode"
make_store exposed
redo key generate >"$OUT"
for mode in 755 701 750 770 704; do
  chmod $mode .redo/keys
  for command in 'list' 'show' 'sign' 'exists user_id' 'put x' 'device-id' 'rotate' 'rm --yes --all' 'export --private --yes'; do
    # shellcheck disable=SC2086 # words
    run redo key $command <<<x
    expect_error 128 "on '$PWD/.redo/keys' (mode 0$mode) [KEYCHAIN_002]"
  done
done
chmod 700 .redo/keys
for mode in 644 640 604 620 666; do
  chmod $mode .redo/keys/ed25519_private_key
  for command in show sign rotate 'export --private --yes'; do
    # shellcheck disable=SC2086 # words
    run redo key $command <<<x
    expect_error 128 "on '$PWD/.redo/keys/ed25519_private_key' (mode 0$mode) [KEYCHAIN_002]"
  done
done
chmod 600 .redo/keys/ed25519_private_key
run redo key show --json --bogus
expect_status 129
chmod 755 .redo/keys
run redo key show --json
expect_status 128
expect_stderr_has '"code":"KEYCHAIN_002"'
chmod 700 .redo/keys

scene "symbolic links, pipes and directories in the place of files are refused"
mv .redo/keys/ed25519_private_key key
ln -s "$PWD/key" .redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "ed25519_private_key' is neither"
expect_stderr_has "[KEYCHAIN_002]"
rm .redo/keys/ed25519_private_key
mkfifo -m 600 .redo/keys/ed25519_private_key
run timeout 5 redo key sign </dev/null
expect_error 128 "[KEYCHAIN_002]"
rm .redo/keys/ed25519_private_key
mkdir -m 700 .redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "[KEYCHAIN_002]"
rmdir .redo/keys/ed25519_private_key
mv key .redo/keys/ed25519_private_key
mv .redo/keys moved
ln -s "$PWD/moved" .redo/keys
run redo key list
expect_error 128 "keys' is neither"
rm .redo/keys && mv moved .redo/keys

scene "damage is told, hides nothing else, and can be removed"
cp -r .redo kept
printf '%s' "${SEED:1}" >.redo/keys/ed25519_private_key
run redo key show
expect_error 128 "ed25519_private_key' does not hold what it should"
expect_stderr_has "[KEYCHAIN_003]"
expect_stderr_lacks "${SEED:10:20}"
run redo key list
expect_status 0
expect_stdout_lines 3
: >.redo/keys/ed25519_private_key
run redo key sign </dev/null
expect_error 128 "it is empty [KEYCHAIN_003]"
run redo key rm --yes ed25519_private_key
expect_status 0
rm -rf .redo && mv kept .redo
cd ..

scene "a keyring of another user, and one that cannot be written"
if can_be_nobody; then
  make_store theirs
  redo key generate >"$OUT"
  chown $NOBODY .redo/keys
  run redo key show
  expect_error 128 "belongs to another user ($NOBODY) [KEYCHAIN_002]"
  chown 0 .redo/keys
  chown $NOBODY .redo/keys/ed25519_private_key
  run redo key sign </dev/null
  expect_error 128 "ed25519_private_key' belongs to another user"
  chown -R $NOBODY .redo
  chmod 500 .redo/keys
  before=$(fingerprint)
  for command in 'put x' 'generate -f' rotate device-id; do
    # shellcheck disable=SC2086 # words
    run as_nobody redo key $command <<<x
    expect_error 128 "[KEYCHAIN_001]"
  done
  expect_untouched "$before"
  run as_nobody redo key show --user-id
  expect_status 0
  run as_nobody redo key sign </dev/null
  expect_status 0
  cd ..
else
  skip "only root can become another user"
fi

scene "two that generate at once: one wins, the other says so, and the key is one"
for round in 1 2 3 4 5; do
  rm -rf race
  redo init -q race
  for number in 1 2 3 4; do
    (
      redo -C race key generate >"won.$number" 2>"lost.$number"
      echo $? >"status.$number"
    ) &
  done
  wait
  expect_equal "$(cat status.? | sort | tr '\n' ' ')" '0 1 1 1 ' "the statuses"
  expect_equal "$(cat won.?)" "$(redo -C race key show --user-id)" "who won"
  expect_equal "$(cat lost.? | grep -c "^error: there is a key already, of user '$(cat won.?)'")" 3 "who said so"
done

scene "eight that rotate at once: eight keys are kept, one is in use"
for number in 1 2 3 4 5 6 7 8; do redo -C race key rotate >"won.$number" 2>&1 & done
wait
run redo -C race key list
expect_equal "$(grep -c ^retired "$OUT")" 8 "retired keys"
expect_equal "$(cat won.? | grep -cxF "$(redo -C race key show --user-id)")" 1 "the key in use"
for number in 1 2 3 4 5 6 7 8; do redo -C race key device-id >"device.$number" & done
wait
expect_equal "$(sort -u device.? | wc -l)" 1 "device ids"

scene "a writer that holds the lock makes others say so after a while"
if command -v python3 >/dev/null; then
  python3 -c '
import fcntl, struct, sys, time
file = open("race/.redo/keys/.lock", "r+")
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
print("held", flush=True)
time.sleep(60)' >held &
  holder=$!
  until [ -s held ]; do sleep 0.02; done
  run redo -C race -c core.lockTimeout=100 key rotate
  expect_error 75 "is locked by another process"
  kill $holder
  wait $holder 2>/dev/null
else
  skip "there is no python3"
fi

scene "what a killed writer left is removed by the next"
(umask 077 && echo $SEED >race/.redo/keys/tmp_0123456789abcdef)
run redo -C race key list
! grep -q tmp_ "$OUT" || fail "it is listed" <"$OUT"
redo -C race key put x <<<x
[ ! -e race/.redo/keys/tmp_0123456789abcdef ] || fail "it is still there" </dev/null

scene "no secret in the arguments of any process, nor in what is said"
make_store traced
redo key import --private ../other.key >"$OUT"
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  for command in sign show 'list --json' 'export --public' "-c key.command=cat<../other.key sign"; do
    if [[ $command == -c* ]]; then
      words=(-c 'key.command=cat <../other.key' key sign)
    else
      # shellcheck disable=SC2206 # words
      words=(key $command)
    fi
    strace -f -v -s 100000 -e trace=execve,write,openat,connect,sendto -o trace redo "${words[@]}" </dev/null >"$OUT" 2>"$ERR"
    ! grep -F execve trace | grep -qF $SEED || fail "a secret is in the arguments of ${words[*]}" </dev/null
    ! grep -F 'write(2' trace | grep -qF $SEED || fail "a secret is in the messages of ${words[*]}" </dev/null
    ! cat "$OUT" "$ERR" | grep -qF $SEED || fail "a secret is in the output of ${words[*]}" </dev/null
  done
  strace -f -v -s 100000 -e trace=execve,write -o trace redo -C ../again key sign --passphrase-fd=3 ../text >"$OUT" 2>"$ERR" 3<../pass
  expect_equal "$(wc -c <"$OUT")" 129 "the bytes of a signature and its line feed"
  ! grep -q 'correct horse' trace || fail "a passphrase is written" </dev/null
else
  skip "strace is missing or not permitted"
fi
cd ..

scene "a passphrase is asked for on the terminal, unseen, and twice for a new key"
if command -v python3 >/dev/null; then
  terminal() { python3 "$TESTS/Scripts/terminal.py" "$@"; }
  make_store typed
  run terminal --out id 'new passphrase: =battery staple' 'the same again: =battery staple' -- redo key generate --passphrase
  expect_stdout <<'END'
new passphrase: 
the same again: 
echo on
status 0
END
  hex 32 id || fail "that is no user id" <id
  run terminal --out signature "passphrase for the key of user $(cat id): =battery staple" -- redo key sign ../text
  expect_stdout "passphrase for the key of user $(cat id): 
echo on
status 0"
  run redo key verify --key=ed25519_public_key --signature="$(cat signature)" ../text
  expect_stdout body
  run terminal "passphrase for=wrong" -- redo key sign ../text
  expect_stdout_has "fatal: the passphrase does not open the key"
  expect_stdout_has "status 77"
  run terminal "passphrase for=" -- redo key sign ../text
  expect_stdout_has "fatal: the passphrase is empty"
  before=$(fingerprint)
  run terminal 'new passphrase: =one' 'the same again: =two' -- redo key rotate
  expect_stdout_has "fatal: the passphrases differ"
  expect_stdout_has "status 128"
  expect_untouched "$before"

  scene "an interrupt or SIGTERM at the question leaves the terminal as it was, and nothing changed"
  run terminal 'new passphrase: =^C' -- redo key rotate
  expect_stdout <<'END'
new passphrase: 
echo on
status -2
END
  expect_untouched "$before"
  run terminal 'passphrase for=^T' -- redo key sign ../text
  expect_stdout_has "echo on"
  expect_stdout_has "status -15"
  cd ..
else
  skip "there is no python3 for a terminal"
fi

scene "the manners: -h, a word that is none, no word, JSON errors, a full disk"
run redo key -h
expect_status 129
expect_stdout_has "usage: redo-key generate"
expect_stdout_has "    device-id             print the device id, which is made once"
expect_stderr ''
run redo-key rotate -h
expect_status 129
expect_stdout_has "usage: redo-key rotate "
run redo key lsit
expect_status 129
expect_stdout ''
expect_equal "$(head -2 "$ERR")" "error: unknown subcommand 'lsit'
hint: did you mean 'list'?" "the message"
run redo key
expect_status 129
expect_stderr_has "error: a subcommand is needed"
run redo key --json list
expect_status 129
run redo key -C other show --user-id
expect_stdout "$USER_ID"
run redo -C other key -C ../other show --user-id
expect_stdout "$USER_ID"
run redo -C / key show --json
expect_status 128
expect_stderr '{"error":"not a redo repository (or any of the parent directories): .redo","exit":128}'
for command in 'show' 'list' 'get user_id' 'export --private --yes' 'export --public' 'sign' 'device-id'; do
  # shellcheck disable=SC2086 # words
  redo -C other key $command </dev/null >/dev/full 2>"$ERR"
  expect_equal $? 128 "the status of $command"
  expect_stderr_has "fatal: write error"
done
run bash -c 'redo -C race key list | head -1; exit ${PIPESTATUS[0]}'
[ "$STATUS" = 0 ] || [ "$STATUS" = 141 ] || fail "the status is $STATUS" </dev/null
expect_stderr ''
