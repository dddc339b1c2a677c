#!/bin/bash
# redo trust: who may sign, until when, and what stays good of a key that was stolen.
. "$(dirname "${BASH_SOURCE[0]}")/trust.bash"

scene "without a trust file every good signature is good, and nothing is listed"
expect_equal "$(letters ada)" GG "the letters"
run redo -C ada trust list
expect_status 0
expect_stdout ''
expect_stderr ''
run redo -C ada trust check "$first"
expect_status 0
expect_stdout "G $first $ADA - no-trust-file"

scene "add: -n prints the lines and writes nothing; --seen has every key that nodes carry"
before=$(fingerprint ada)
run redo -C ada trust add -n --seen
expect_status 0
expect_stdout "$ADA
$BOB"
expect_stderr "hint: this makes a trust file; nodes by any other key are 'key-untrusted' then"
expect_untouched "$before" ada
run redo-trust add -n --seen
expect_error 128 "not a redo repository"

scene "add: a line for a signer, printed and written; once more changes nothing"
run redo -C ada trust add -m 'Ada,  first   phone ' "$ADA"
expect_status 0
expect_stdout "$ADA # Ada, first phone"
expect_stdout_file ada/.redo/trust
expect_equal "$(stat -c %a ada/.redo/trust)" 644 "the mode"
before=$(fingerprint ada)
run redo -C ada trust add "$ADA"
expect_status 0
expect_stdout ''
expect_stderr ''
run redo -C ada trust add -q --seen -n
expect_stdout ''
run redo -C ada trust add -n --seen
expect_stdout "$BOB"
expect_stderr ''
expect_untouched "$before" ada

scene "key-untrusted: a good signature by a key that is not in the file is U, and is 1"
run redo -C ada verify "$first" "$second"
expect_status 1
expect_stdout "G $first body
U $second key-untrusted"
run redo -C ada verify --json --all
expect_status 1
expect_stdout_has "{\"form\":\"body\",\"id\":\"$second\",\"key\":\"$BOB\",\"letter\":\"U\",\"rule\":\"key-untrusted\",\"userId\":\"${BOB:0:32}\"}"
expect_stdout_has "{\"form\":\"body\",\"id\":\"$first\",\"key\":\"$ADA\",\"letter\":\"G\",\"line\":1,\"role\":\"author\",\"userId\":\"${ADA:0:32}\"}"
run redo -C ada trust check --all
expect_status 1
sort "$OUT" >found
expect_equal "$(cat found)" "G $first $ADA 1 trusted
U $second $BOB - key-untrusted" "the rows"
run redo -C ada trust check --json "$second" "$first"
expect_status 1
expect_stdout "{\"id\":\"$second\",\"key\":\"$BOB\",\"letter\":\"U\",\"reason\":\"key-untrusted\"}
{\"id\":\"$first\",\"key\":\"$ADA\",\"letter\":\"G\",\"line\":1,\"reason\":\"trusted\",\"role\":\"author\"}"
printf '%s\0' "$second" | redo -C ada trust check --stdin -z | tr '\0' '\n' >"$OUT"
expect_stdout "U $second $BOB - key-untrusted"
run redo -C ada show "$second"
expect_status 0
expect_stdout_has "Signature: U (good, but the signer is not trusted)"

scene "trust gates nothing: what it does not trust is written all the same"
third=$(commit bob third)
redo -C bob export -q | redo -C ada import -q >"$OUT"
expect_stdout 1
expect_equal "$(letter ada "$third")" "U key-untrusted" "the letter"
run redo -C bob cat-node "$third"
redo -C ada hash-object -w <"$OUT" --stdin >/dev/null || fail "it is refused" </dev/null

scene "a role: an auditor signs no nodes"
run redo -C ada trust add --role=auditor "$BOB"
expect_stdout "$BOB role=auditor"
run redo -C ada trust check "$second"
expect_status 1
expect_stdout "U $second $BOB 2 key-untrusted"

scene "key-expired: times are those that nodes state, the first counts and the last does not"
device times
TIMES=$(key times)
early=$(commit times early 2024-05-01T09:59:59.999Z)
begin=$(commit times begin 2024-05-01T10:00:00.000Z)
last=$(commit times last 2024-05-31T23:59:59.999Z)
late=$(commit times late 2024-06-01T00:00:00.000Z)
run redo -C times trust add --valid-after=2024-05-01T10:00:00Z --valid-before=2024-06-01 "$TIMES"
expect_stdout "$TIMES valid-after=2024-05-01T10:00:00.000Z,valid-before=2024-06-01T00:00:00.000Z"
run redo -C times verify "$early" "$begin" "$last" "$late"
expect_status 1
expect_stdout "X $early key-expired
G $begin body
G $last body
X $late key-expired"
run redo -C times trust check "$late" "$early"
expect_status 1
expect_stdout "X $late $TIMES 1 key-expired
X $early $TIMES 1 key-expired"
run redo -C times show "$late"
expect_stdout_has "Signature: X (good, but not at a time for which the signer is trusted)"

scene "key-revoked, a stolen key: what was there before stays good, whatever the thief's clock says"
redo init -q thief
cp -p bob/.redo/keys/* thief/.redo/keys/
send bob thief
forged=$(commit thief forged 2020-01-01T00:00:00.000Z)
task=$(redo -C thief log --format='%(id) %(task)' | sed -n "s/^$second //p")
redo -C thief commit -q update --task="$task" --priority=1 >/dev/null
upon=$(redo -C thief log --format='%(id)' -n 1)
send thief ada
rm ada/.redo/trust
redo -C ada trust add -q --seen
expect_equal "$(letters ada)" GGGGG "the letters before"
before=$(fingerprint ada)
run redo -C ada trust revoke -n --valid-through="$third" --valid-through="$second" --valid-through="$first" "$BOB"
expect_status 0
expect_stderr "2 changes of it stay good, 2 are 'key-revoked'"
cp "$OUT" lines
expect_untouched "$before" ada
run redo -C ada trust revoke --valid-through="$third" --valid-through="$second" --valid-through="$first" "$BOB"
expect_stdout_file lines
expect_equal "$(tr -s ' ,' '\n' <lines | sort | tr '\n' ' ')" \
  "$(printf '%s\n' "$BOB" revoked "valid-through=$second" "valid-through=$third" | sort | tr '\n' ' ')" "the line"
run redo -C ada verify "$first" "$second" "$third" "$forged" "$upon"
expect_status 1
expect_stdout "G $first body
G $second body
G $third body
R $forged key-revoked
R $upon key-revoked"
run redo -C ada trust check "$second" "$forged"
expect_status 1
expect_stdout "G $second $BOB 1 stays
R $forged $BOB 3 key-revoked"
run redo -C ada show "$forged"
expect_stdout_has "Signature: R (good, but the key is revoked)"
expect_equal "$(redo -C ada show --format='%(wall)' "$forged")" 2020-01-01T00:00:00.000Z "the forged clock"

scene "what is not here is not reached, and neither is what comes later"
redo -C thief export -q >all.ndjson
cp ada/.redo/trust trust.txt
run redo -C / -c trust.file="$PWD/trust.txt" verify --ndjson <all.ndjson
expect_status 1
expect_equal "$(cut -c1 "$OUT" | sort | uniq -c | tr -s ' \n' ' ')" ' 1 G 4 R ' "the letters"
run redo -C ada verify --ndjson <all.ndjson
expect_equal "$(cut -c1 "$OUT" | sort | uniq -c | tr -s ' \n' ' ')" ' 3 G 2 R ' "the letters"

scene "a revocation is never undone by add, nor changed by another"
before=$(fingerprint ada)
run redo -C ada trust add "$BOB"
expect_error 1 "'$BOB' is revoked on line 3"
run redo -C ada trust add --seen
expect_status 0
expect_stdout ''
run redo -C ada trust revoke "$BOB"
expect_error 1 "'$BOB' is revoked on line 3 already, and other nodes stay good"
run redo -C ada trust revoke --valid-through="$third" --valid-through="$second" "$BOB"
expect_status 0
expect_stdout ''
expect_stderr ''
expect_untouched "$before" ada

scene "without --valid-through everything of it is revoked, and it says how much that is"
run redo -C bob trust revoke "$BOB"
expect_error 1 "'$BOB' is not in the trust file"
redo -C bob trust add -q --seen
run redo -C bob trust revoke -m 'phone lost' "$BOB"
expect_status 0
expect_stdout "$BOB revoked # phone lost"
expect_stderr "0 changes of it stay good, 2 are 'key-revoked'
hint: '--valid-through=<head>' keeps good what a head reaches that is known to be genuine"
expect_equal "$(letter bob "$second")$(letter bob "$first")" "R key-revokedG body" "the letters"
run redo -C times trust revoke --valid-through="$late" --stdin "$TIMES" <<<"$begin"
expect_status 0
expect_equal "$(letter times "$begin")$(letter times "$late")" "G bodyX key-expired" "what stays good keeps its time"

scene "many heads: as many lines as are needed, all of one signer"
device many
MANY=$(key many)
for number in {1..20}; do commit many "$number" >/dev/null; done
redo -C many trust add -q "$MANY"
redo -C many rev-parse --all >heads 2>/dev/null || redo -C many show-ref | cut -d' ' -f1 >heads
commit many later >/dev/null
run redo -C many trust revoke -q --stdin "$MANY" -m gone <heads
expect_status 0
expect_stdout ''
expect_equal "$(sed 1d many/.redo/trust | grep -c "^$MANY revoked,valid-through=")" 3 "lines"
expect_equal "$(grep -o valid-through many/.redo/trust | wc -l)" 20 "nodes"
expect_equal "$(grep -c '# gone$' many/.redo/trust)" 1 "comments"
expect_equal "$(letters many | fold -w1 | sort | uniq -c | tr -s ' \n' ' ')" ' 20 G 1 R ' "the letters"

scene "list: who may sign now; all keys of one person together"
device list
cat >list/.redo/trust <<END
# who may sign

$ADA valid-before=2024-01-01T00:00:00Z # Ada, old
$BOB revoked
  $OTHER	role=auditor,valid-after=9999-01-01T00:00:00.000Z   #
00112233445566778899aabbccddeeff same-as=$ADA # Ada, new $(printf '\033')[31m
END
run redo -C list trust list
expect_status 0
expect_stdout "expired author $ADA - 2024-01-01T00:00:00.000Z 1 Ada, old
trusted author 00112233445566778899aabbccddeeff - - 1 Ada, new \\x1b[31m
revoked author $BOB - - 2
not-yet auditor $OTHER 9999-01-01T00:00:00.000Z - 3"
run redo -C list trust list --json
expect_stdout_lines 4
for number in 1 2 3 4; do
  sed -n "${number}p" "$OUT" | tr -d '\n' >row
  redo canonicalize --check row || fail "no canonical JSON" <row
done
expect_stdout_has "{\"line\":4,\"person\":2,\"revokedLine\":4,\"role\":\"author\",\"signer\":\"$BOB\",\"state\":\"revoked\",\"userId\":\"${BOB:0:32}\",\"validThrough\":[]}"
expect_stdout_has "\"sameAs\":\"$ADA\",\"signer\":\"00112233445566778899aabbccddeeff\",\"state\":\"trusted\""
expect_equal "$(redo -C list trust list -z | tr -dc '\0' | wc -c)" 4 "rows"

scene "the key of a node without one: that of the trust file, before any that was seen"
LOG=$VECTORS/log/user-id-collision.ndjson
shared=$(sed -n '1s/.*"publicKey":"\([0-9a-f]*\)".*/\1/p' "$LOG")
run redo verify --ndjson <"$LOG"
expect_equal "$(cut -c1 "$OUT" | tr -d '\n')" GGNE "the letters"
echo "$shared" >shared.txt
run redo -c trust.file=shared.txt verify --ndjson <"$LOG"
expect_equal "$(cut -c1 "$OUT" | tr -d '\n')" GGNG "the letters"
run redo -c trust.file=shared.txt verify --ndjson --json <"$LOG"
expect_stdout_has "\"key\":\"$shared\",\"letter\":\"G\",\"line\":1"
sed -n 2p "$LOG" >one.ndjson
run redo verify --ndjson <one.ndjson
expect_equal "$(cut -c1 "$OUT")" E "the letter"
run redo -c trust.file=shared.txt verify --ndjson <one.ndjson
expect_equal "$(cut -c1 "$OUT")" G "the letter"
# A forged one is no longer of an unknown key: it is bad, and is not written.
forged one.ndjson >forged.ndjson
redo init -q keys
redo -C keys trust add -q "$shared"
run redo -C keys hash-object -w "$PWD/forged.ndjson"
expect_error 1 "signature-bad"
run redo -C bob hash-object -w "$PWD/forged.ndjson"
expect_status 0
sed 1q "$LOG" | redo -C keys import -q >/dev/null
run redo -C keys import -q "$PWD/forged.ndjson"
expect_status 1
expect_stderr_has signature-bad
run redo -C keys import -q "$PWD/one.ndjson"
expect_status 0

scene "a user id stands for whatever key begins with it"
echo "${ADA:0:32} role=author" >user.txt
run redo -C ada -c trust.file="$PWD/user.txt" trust check "$first" "$second"
expect_status 1
expect_stdout "G $first $ADA 1 trusted
U $second $BOB - key-untrusted"
run redo -C ada -c trust.file="$PWD/user.txt" trust revoke "$ADA"
expect_error 1 "'$ADA' is trusted by its user id, on line 1"
run redo -C ada -c trust.file="$PWD/user.txt" trust revoke -q "${ADA:0:32}"
expect_status 0
run redo -C ada -c trust.file="$PWD/user.txt" trust add "$ADA"
expect_error 1 "'$ADA' is revoked on line 2"

scene "a proof that two keys are of one person: signed by both, checked by list, and by nothing else here"
device turned
OLD=$(key turned)
run redo -C turned key rotate
expect_status 0
expect_stderr_lacks 'trust'
OLD=$(key turned)
redo -C turned trust add -q "$OLD"
run redo -C turned key rotate
NEW=$(key turned)
expect_stdout "${NEW:0:32}"
expect_stderr_has "hint: the new key is not trusted: 'redo trust add --prove --same-as=$OLD $NEW'"
rm turned/.redo/trust
run redo -C turned trust add --same-as="$BOB" --prove "$NEW"
expect_error 128 "the keyring has no private key of '$BOB'"
run redo -C turned trust add --same-as="$OLD" --prove "$NEW"
expect_status 0
proof=$(sed -n 's/.*proof=\([^ ,]*\).*/\1/p' "$OUT")
expect_stdout "$NEW same-as=$OLD,proof=$proof"
IFS=/ read -r time one two <<<"$proof"
printf 'redo-key-link 1 %s %s %s\n' "$OLD" "$NEW" "$time" >statement
redo key verify -q --key="$OLD" --signature="$one" statement || fail "the old key has not signed" <statement
redo key verify -q --key="$NEW" --signature="$two" statement || fail "the new key has not signed" <statement
run redo -C turned trust add -q --same-as="$OLD" --prove "$NEW"
expect_status 0
run redo -C turned trust add -q -m 'before' "$OLD"
run redo -C turned trust list --json
expect_status 0
expect_stdout_has "\"proof\":\"good\",\"role\":\"author\",\"sameAs\":\"$OLD\""
expect_equal "$(redo -C turned trust list | cut -d' ' -f 1,3,6)" "trusted $NEW 1
trusted $OLD 1" "the rows"
sed -i "s/same-as=$OLD/same-as=$BOB/" turned/.redo/trust
run redo -C turned trust list
expect_status 1
expect_stderr "error: the proof on line 1 that '$NEW' is the same person does not hold"
expect_stdout_lines 2
run redo -C turned trust list --json
expect_stdout_has '"proof":"bad"'
printf '%s\n' 'the old passphrase' 'the new passphrase' >passes
make_store locked && cd ..
redo -C locked key generate --passphrase-fd=3 3< <(head -1 passes) >/dev/null
OLD=$(key locked)
redo -C locked key rotate --passphrase-fd=3 3< <(tail -1 passes) >/dev/null
NEW=$(key locked)
run redo -C locked trust add -n --same-as="$OLD" --prove --passphrase-fd=3 "$NEW" 3<passes
expect_status 0
expect_stdout_has "$NEW same-as=$OLD,proof="
run redo -C locked trust add -n --same-as="$OLD" --prove --passphrase-fd=3 "$NEW" 3< <(tac passes)
expect_error 77 "the passphrase does not open the key"

scene "random nodes as anchors: what stays good is what another program finds"
if command -v python3 >/dev/null; then
  demo 1500 | grep -v '^ *$' >random.ndjson
  redo init -q random && redo -C random -c core.fsync=none import -q <random.ndjson >/dev/null
  redo -C random trust add -q --seen
  cat >walk.py <<'END'
import json, random, sys
log, seed = sys.argv[1], int(sys.argv[2])
random.seed(seed)
nodes = {node["id"]: node for node in map(json.loads, open(log))}
key = {id: node["author"].get("publicKey") for id, node in nodes.items()}
revoked = random.choice(sorted({k for k in key.values() if k}))
tips = random.sample(sorted(nodes), random.choice([0, 1, 3, 40]))
reached, waiting = set(), list(tips)
while waiting:
    id = waiting.pop()
    if id not in reached:
        reached.add(id)
        waiting += nodes[id]["parents"]
with open("tips", "w") as file:
    file.writelines(tip + "\n" for tip in tips)
with open("revoked", "w") as file:
    file.write(revoked)
for id in sorted(nodes):
    if "signature" not in nodes[id]:
        print("N", id)
    else:
        print("R" if key[id] == revoked and id not in reached else "G", id)
END
  cp random/.redo/trust seen.txt
  for seed in 1 2 3 4 "$SEED"; do
    RUN="walk.py $seed"
    python3 walk.py random.ndjson "$seed" >expected
    cp seen.txt random/.redo/trust
    redo -C random trust revoke -q --stdin "$(cat revoked)" <tips || fail "it fails" </dev/null
    redo -C random verify --all | cut -c1-73 >"$OUT"
    expect_stdout_file expected
  done
else
  skip "python3 is missing"
fi

scene "a damaged node leads nowhere, and hides no other"
device broken
BROKEN=$(key broken)
commit broken one >/dev/null
task=$(redo -C broken log --format='%(task)')
for number in 2 3 4; do redo -C broken commit -q update --task="$task" --priority=$number >/dev/null; done
for step in '~3' '~2' '~1' ''; do redo -C broken rev-parse "heads/$task$step"; done >ids
redo -C broken trust add -q "$BROKEN"
redo -C broken trust revoke -q --valid-through="$(tail -1 ids)" "$BROKEN"
expect_equal "$(letters broken)" GGGG "the letters"
hex=$(sed -n '2s/sha256://p' ids)
chmod u+w "broken/.redo/objects/${hex:0:2}/${hex:2}"
printf x >"broken/.redo/objects/${hex:0:2}/${hex:2}"
run redo -C broken verify $(cat ids)
expect_status 1
expect_equal "$(cut -c1 "$OUT" | tr -d '\n')" RBGG "the letters"
