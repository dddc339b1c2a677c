#!/bin/bash
# redo trust: the trust file: what is understood, what is refused, where it is, and two writers at once.
. "$(dirname "${BASH_SOURCE[0]}")/trust.bash"

redo -C ada export -q >all.ndjson
redo -C ada trust add -q "$ADA"
cp ada/.redo/trust trust.txt
scene "comments, blanks and the order stay when a line is added, and so does the mode"
device list
printf '# who\n\n  %s\trole=auditor   #\r\n# no line feed' "$ADA" >list/.redo/trust
chmod 640 list/.redo/trust
cp list/.redo/trust was
run redo -C list trust add "$OTHER" --same-as="$BOB"
expect_status 0
{ cat was && printf '\n%s same-as=%s\n' "$OTHER" "$BOB"; } >expected
cmp -s expected list/.redo/trust || fail "another text" < <(diff expected list/.redo/trust)
expect_equal "$(stat -c %a list/.redo/trust)" 640 "the mode"

scene "trust-form: a line that is not understood makes the file unusable; line, byte and reason are told"
while IFS='|' read -r line message; do
  printf '# one\n\n%s\n' "$line" >bad.txt
  run redo -c trust.file=bad.txt verify --ndjson <all.ndjson
  expect_error 128 "trust-form in 'bad.txt', line 3, $message"
  expect_stderr_has 'hint: see redo-trust(1) for what a line may be'
done <<END
nobody|byte 7: a signer is 64 or 32 lower-case hex digits, not 'nobody'
${ADA^^}|byte 7: a signer is 64 or 32 lower-case hex digits
${ADA}0|byte 7: a signer is 64 or 32
$ADA revokd|byte 72: unknown option 'revokd'
$ADA Ada|byte 72: unknown option 'Ada'
$ADA role=author revoked|byte 84: options are separated by commas, and a comment begins with '#': 'revoked'
$ADA role=author,|byte 84: an option is empty
$ADA role=king|byte 77: a role is 'author' or 'auditor', not 'king'
$ADA role|byte 72: 'role' lacks its value
$ADA Role=author|byte 72: unknown option 'Role=author'
$ADA role=author,role=author|byte 84: 'role' is given twice
$ADA revoked,revoked|byte 80: 'revoked' is given twice
$ADA revoked=yes|byte 72: 'revoked' has no value
$ADA valid-after=2024-05-01|byte 84: a time is written YYYY-MM-DDTHH:MM:SS.mmmZ and exists: '2024-05-01'
$ADA valid-before=2024-02-30T00:00:00.000Z|byte 85: a time is written
$ADA valid-after=2024-05-01T00:00:00Z,valid-before=2024-05-01T00:00:00.000Z|byte 72: 'valid-after' is not before 'valid-before'
$ADA valid-through=$first|byte 72: 'valid-through' says what stays good of a key that is 'revoked'
$ADA revoked,valid-through=${first#sha256:}|byte 94: an id is 'sha256:' and 64 lower-case hex digits
$ADA same-as=Bob|byte 80: 'same-as' names 64 or 32 lower-case hex digits, not 'Bob'
$ADA same-as=$BOB,proof=x|byte 151: a proof is a time and two signatures
${ADA:0:32} same-as=$BOB,proof=2024-05-01T00:00:00.000Z/$ADA$ADA/$BOB$BOB|byte 40: 'proof' is of a key that is 'same-as' another key
$ADA proof|byte 72: 'proof' lacks its value
$ADA same-as=$ADA|byte 80: 'same-as' names the signer itself
END

scene "trust-form: lines that contradict others"
contradicting() {
  printf '%s\n' "${@:2}" >bad.txt
  run redo -c trust.file=bad.txt trust list
  expect_error 128 "trust-form in 'bad.txt', line $(($# - 1)), byte "
  expect_stderr_has "$1"
}
contradicting "the signer stands on line 1 already" "$ADA" "$ADA role=auditor"
contradicting "the signer stands on line 1 already" "$ADA" "$ADA"
contradicting "the signer is revoked on line 1 already, and only 'valid-through' adds up" \
  "$ADA revoked" "$ADA revoked"
contradicting "the signer is revoked on line 1 already" "$ADA revoked" "$ADA revoked,valid-through=$first"
contradicting "the signer is revoked on line 2 already" "$ADA" "$ADA revoked,valid-through=$first" "$ADA revoked"
contradicting "line 1 is about the same user; name either the key or the user id" "${ADA:0:32}" "$ADA"
contradicting "line 1 is about the same user" "$ADA" "${ADA:0:32} revoked"
printf '%s\n' "$ADA revoked,valid-through=$first" "$ADA" "$ADA revoked,valid-through=$second" >good.txt
run redo -c trust.file=good.txt trust list
expect_status 0
expect_stdout "revoked author $ADA - - 1"

scene "an empty file trusts nobody; a file of the settings must be there; the store's own settings name none"
: >empty.txt
run redo -C ada -c trust.file="$PWD/empty.txt" verify "$first"
expect_status 1
expect_stdout "U $first key-untrusted"
run redo -C ada -c trust.file="$PWD/nowhere.txt" verify "$first"
expect_error 128 "trust file '$PWD/nowhere.txt' is not there"
run redo -C ada -c trust.file="$PWD/nowhere/at/all" trust list
expect_error 128 "trust file '$PWD/nowhere/at/all' is not there"
redo -C ada config set trust.file "$PWD/empty.txt" 2>"$ERR"
expect_stderr_has "warning: 'trust.file' has no effect in a store's own file"
run redo -C ada verify "$first"
expect_status 0
expect_stdout "G $first body"
expect_stderr_has "is ignored; only your own settings name it"
redo -C ada config unset trust.file
redo config set --user trust.file '~/trusted'
run redo -C ada verify "$first"
expect_error 128 "trust file '$HOME/trusted' is not there"
cp ada/.redo/trust "$HOME/real" && ln -s real "$HOME/trusted"
run redo -C ada verify "$first"
expect_stdout "G $first body"
run redo -C ada trust add "$OTHER"
expect_error 128 "trust file '$HOME/trusted' is no regular file"
rm "$HOME/trusted"
run redo -C ada trust add "$OTHER"
expect_status 0
expect_equal "$(cat "$HOME/trusted")" "$OTHER" "the file"
redo config set --user trust.file relative
run redo -C ada verify "$first"
expect_error 128 "it begins with neither '/' nor '~/'"
redo config unset --user trust.file
run redo -C ada -c trust.file= verify "$first"
expect_stdout "G $first body"

scene "what is no regular file is not read, and a link in a store is not followed"
for make in 'mkdir' 'mkfifo' 'ln -s ../../trust.txt'; do
  rm -rf odd && device odd
  (cd odd/.redo && $make trust)
  run redo -C odd verify --all
  expect_error 128 "trust file '$PWD/odd/.redo/trust' is no regular file"
  run redo -C odd trust add "$OTHER"
  expect_error 128 "trust file '$PWD/odd/.redo/trust' is no regular file"
  run redo -C odd commit create --title=works
  expect_status 0
done

scene "a file that others may write is told of"
chmod 664 ada/.redo/trust
run redo -C ada verify "$first"
expect_status 0
expect_stderr "warning: others than its owner may write '$PWD/ada/.redo/trust', which says who may sign"
chmod 644 ada/.redo/trust

scene "two at once: no line is lost, and no reader sees half a file"
device busy
for number in {10..29}; do
  redo -C busy -c core.fsync=none trust add -q "${OTHER:0:62}$number" &
done
for _ in {1..20}; do redo -C busy trust list >/dev/null || touch torn; done
wait
[ ! -e torn ] || fail "half a file was seen" </dev/null
expect_equal "$(sort busy/.redo/trust)" "$(for number in {10..29}; do echo "${OTHER:0:62}$number"; done)" "the lines"
expect_equal "$(temporaries busy)" 0 "what is left"

scene "usage"
refused() {
  run redo -C ada trust "${@:2}"
  expect_status 129
  expect_stdout ''
  expect_stderr_has "error: $1"
}
run redo trust
expect_status 129
expect_stderr_has "error: a subcommand is needed"
refused "no signer is named" add
refused "'--seen' takes no signers" add --seen "$ADA"
refused "'--valid-after' is not before '--valid-before'" add --valid-after=2024-01-02 --valid-before=2024-01-02 "$OTHER"
refused "'--same-as' names the signer itself" add --same-as="$OTHER" "$OTHER"
refused "'--prove' needs '--same-as'" add --prove "$OTHER"
refused "'--prove' is of one key, in a store" add --same-as="$ADA" --prove "$OTHER" "$BOB"
refused "a comment is one line" add -m $'a\nb' "$OTHER"
refused "option '--role' expects one of author, auditor, not 'king'" add --role=king "$OTHER"
refused "there is nothing to name" list "$ADA"
refused "one signer must be named" revoke
refused "no revision is named" check
refused "'--all' takes no revisions" check --all "$first"
run redo -C ada trust add Bob
expect_error 128 "neither a public key nor a user id: 'Bob'"
run redo -C ada trust add --valid-after=soon "$OTHER"
expect_error 128 "not a valid date 'soon'"
run redo -C ada trust revoke --valid-through="sha256:$(printf '%064d' 0)" "$ADA"
expect_error 128 "object 'sha256:$(printf '%064d' 0)' is missing"
run redo -C ada trust add "$OTHER" --role=auditor
expect_status 0
run redo -C ada trust add "$OTHER"
expect_error 1 "'$OTHER' stands on line 2, which says something else"
run bash -c "redo -C ada trust list >/dev/full"
expect_error 128 "no space left on device"
