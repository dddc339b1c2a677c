# What key-kill.sh and key-errors.sh share: the old state or the new one is there, nothing is half written, nothing
# can be read by others, nothing is lost.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

redo init -q bare
redo init -q keyed
redo -C keyed key generate >old.user
redo -C keyed key put google_access_token <<<'ya29.old'
: >nothing
echo 'ya29.new' >token
redo init -q other
redo -C other key generate >other.user
redo -C other key show --public >other.pub
OLD=$(cat old.user)
redo -C keyed key sign <token >old.signature

# What must hold of the keyring in `struck`, whatever became of the command.
sound_keys() {
  local command="$RUN" user
  [ -z "$(find struck/.redo/keys -perm /077)" ] || fail "others have rights" < <(ls -l struck/.redo/keys)
  run redo -C struck verify
  RUN="$command, then redo verify"
  expect_status 0
  ! grep -v '^info file-unfinished ' "$OUT" | grep -q ' keys/' || fail "it finds fault with the keyring" <"$OUT"
  run redo -C struck key list --json
  RUN="$command, then redo key list"
  expect_status 0
  cp "$OUT" listed
  user=$(sed -n 's/^{"kind":"user-id".*"userId":"\([0-9a-f]*\)"}$/\1/p' listed)
  case ${COMMAND[1]} in
  generate) whole_or_none "$user" ;;
  import) one_of_two "$user" ;;
  rotate)
    if [ "$user" = "$OLD" ]; then
      [ ! -s printed ] || fail "an acknowledged key is lost" <printed
      ! grep -q retired listed || fail "the key in use is retired" <listed
      redo -C struck key sign <token >signature && cmp -s old.signature signature ||
        fail "the old key signs no longer" <listed
    else
      whole_or_none "$user"
      cmp -s keyed/.redo/keys/ed25519_private_key "struck/.redo/keys/retired.$OLD.key" ||
        fail "the old key is lost" <listed
    fi
    ;;
  put)
    run redo -C struck key get -q firebase_token
    [ "$STATUS" = 1 ] && [ ! -s "$OUT" ] && [ "$ENDED" != 0 ] || expect_stdout ya29.new
    ;;
  device-id)
    run redo -C struck key show -q --device-id
    [ ! -s printed ] || cmp -s printed "$OUT" || fail "an acknowledged id is lost" <"$OUT"
    ;;
  esac
  if [ "$STORE" = keyed ]; then
    expect_equal "$(cat struck/.redo/keys/google_access_token)" ya29.old "the other token"
  fi
  # Once more: nothing of the first run is in the way.
  redo -C struck -c core.fsync=none "${COMMAND[@]}" <"$INPUT" >"$OUT" 2>"$ERR"
  STATUS=$? RUN="$command, then once more"
  if [ "${COMMAND[1]}" = generate ] && [ -n "$user" ]; then expect_error 1 "there is a key already"; else expect_status 0; fi
  # The next writer removes what a kill left; a refusal, or an existing device id, writes nothing.
  case ${COMMAND[1]} in generate | device-id) redo -C struck -c core.fsync=none key put -f other <token ;; esac
  expect_equal "$(find struck/.redo/keys -name 'tmp_*' | wc -l)" 0 "unfinished files"
  RUN=''
}

# After `key import --public -f`: the old pair, or what is left of it while its private key is kept as a retired one,
# or the public key that took over.
one_of_two() {
  if [ "$1" = "$OLD" ]; then
    [ ! -s printed ] || fail "an acknowledged key is lost" <printed
  else
    expect_equal "$1" "$(cut -c 1-32 other.pub)" "the user id"
  fi
  cmp -s keyed/.redo/keys/ed25519_private_key struck/.redo/keys/ed25519_private_key ||
    grep -q "\"name\":\"retired.$OLD.key\"" listed || fail "the old key is lost" <listed
}

# A key pair that works and is the acknowledged one, or none at all.
whole_or_none() {
  if [ -z "$1" ]; then
    [ ! -s printed ] || fail "an acknowledged key is lost" <printed
    [ ! -s listed ] || fail "a part of a key is there" <listed
    return
  fi
  [ ! -s printed ] || expect_equal "$1" "$(cat printed)" "the user id"
  local signature
  # It verifies what it signs before it lets it out.
  signature=$(redo -C struck key sign <token) && [ -n "$signature" ] || fail "the key does not sign" <listed
  grep -q "^{\"kind\":\"public-key\",\"name\":\"ed25519_public_key\",\"publicKey\":\"$1" listed || fail "the public key is another" <listed
}

# steps <pattern>: the calls about files from the first on that has this in it, and of its name the how-manieth each
# is. A kill at a call that is not about files is one at the next that is.
steps() {
  awk -v pattern="$1" '{ sub(/^[0-9]+ +/, "") } index($0, pattern) { begun = 1 }
    { split($0, word, "("); name = word[1]; seen[name]++
      if (begun && name ~ /^(open|mkdir|write|fsync|rename|unlink|read|getdents|fcntl|close|newfstat|fstat|m.?.?lock)/)
        print name, seen[name] }' calls
}

# The subcommands that write.
each_key_command() {
  "$1" "a first key" bare nothing key generate
  "$1" "a token" keyed token key put firebase_token
  "$1" "another key" keyed nothing key rotate
  "$1" "the public key of another" keyed other.pub key import --public -f
  "$1" "a device id" keyed nothing key device-id
}
