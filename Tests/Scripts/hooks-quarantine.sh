#!/bin/bash
# redo-hooks(5): what hooks can read of what comes, what they may not write, and which of it they refuse.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

WATER=7a000000-0000-4000-8000-000000000001 WALK=7b000000-0000-4000-8000-000000000002
redo init -q ada
redo -C ada key generate >/dev/null 2>&1
OLD=$(redo -C ada commit -q create -t $WATER --title=Water --format='%(id)')
redo init -q first
redo -C first fetch -q "$PWD/ada"
NEW=$(redo -C ada commit -q update -t $WATER --priority=3 --format='%(id)')
OTHER=$(redo -C ada commit -q create -t $WALK --title=Walk --format='%(id)')
ZERO=sha256:$(printf '0%.0s' $(seq 64))
STORE=$PWD/here/.redo
# fresh: a store that has the first node. hook <name>: with its text as standard input, below a line for the shell.
fresh() { rm -rf here told && redo init -q here && redo -C here fetch -q "$PWD/first"; }
hook() {
  mkdir -p "$STORE/hooks"
  { echo '#!/bin/sh' && cat; } >"$STORE/hooks/$1"
  chmod 755 "$STORE/hooks/$1"
}
history() { redo -C here log --format='%(id)' | sort; }
objects() { find "$STORE/objects" -type f -size +0c | grep -v '/lock$' | sort; }
# nothing_shown: nothing is left of what a hook was shown.
nothing_shown() { expect_equal "$(find "$STORE/quarantine" -mindepth 1 -name 'hook-*')" '' "what is left"; }

scene "pre-receive reads what comes, over the quarantine and the store together, by every command that looks at a node"
fresh
hook pre-receive <<'END'
exec >>../../told 2>&1
while read -r old new ref; do
  case $ref in *7a000000*) ;; *) continue ;; esac
  redo cat-node -e "$new"; echo "cat-node -e: $?"
  echo "cat-node -p: $(redo cat-node -p "$new" | grep -c '"priority": 3')"
  echo "cat-node -t: $(redo cat-node -t "$new")"
  echo "log: $(redo log --format='%(action)' "$new" | paste -sd' ')"
  echo "range: $(redo log --format='%(action)' "$old..$new" | paste -sd' ')"
  echo "verify: $(redo verify "$new" | cut -c 1)"
  echo "parent: $(redo verify "$new~1" | cut -c 1)"
  echo "show: $(redo show "$new" | sed -n 's/^Received: *//p')"
done
END
run redo -C ada push "$PWD/here"
expect_status 0
compare told - told <<END
cat-node -e: 0
cat-node -p: 1
cat-node -t: node
log: UPDATE CREATE
range: UPDATE
verify: G
parent: G
show: never: it is not in the history
END
expect_equal "$(history)" "$(printf '%s\n' "$OLD" "$NEW" "$OTHER" | sort)" "the history"
nothing_shown
expect_clean here

scene "so it can judge by the signature, and refuses what the trust file does not let sign"
fresh
hook pre-receive <<'END'
while read -r old new ref; do redo verify "$new" >/dev/null || exit 1; done
END
redo -C here trust add -q $(printf '7%.0s' $(seq 64)) >/dev/null
before=$(history; objects)
run redo -C ada push "$PWD/here"
expect_status 1
expect_stderr_has "declined: by the hook 'pre-receive'"
expect_equal "$(history; objects)" "$before" "what is left"
nothing_shown
redo -C here trust add -q "$(redo -C ada key show --public)" >/dev/null
run redo -C ada push "$PWD/here"
expect_status 0
expect_equal "$(history | wc -l)" 3 "nodes"

scene "thousands of nodes can be read as well, and those that have waited"
fresh
hook pre-receive <<'END'
cut -d' ' -f2 | redo cat-node --batch-check='%(objecttype)' | sort | uniq -c | tr -s ' ' >>../../told
END
redo init -q many
demo 2500 | redo -C many import -q >/dev/null
run redo -C here fetch -q "$PWD/many"
heads=$(redo -C here show-ref | grep ' heads/' | grep -vc "$WATER")
[ "$heads" -gt 300 ] || fail "there are $heads heads" </dev/null
expect_equal "$(cat told)" " $heads node" "what the hook has read"
nothing_shown
rm told
redo -C ada archive create -q -o "$PWD/last.pack" "$OLD..$NEW" >/dev/null
rm -rf here && redo init -q here
hook pre-receive <<'END'
while read -r old new ref; do redo log --format='%(action)' "$new" >>../../told; done
END
mkdir -p "$STORE/quarantine/incoming"
cp last.pack "$STORE/quarantine/incoming/00000000000000aa.pack"
redo -C here quarantine promote -q >/dev/null 2>&1
expect_equal "$(redo -C here quarantine list | wc -l)" 1 "changes that wait"
run redo -C here fetch -q "$PWD/first"
expect_status 0
expect_equal "$(paste -sd' ' told)" "UPDATE CREATE" "what the hook has read"

scene "nothing can be written from inside: no node, no ref, no setting, no trust, no key, nothing fetched"
fresh
redo -C here key generate >/dev/null 2>&1
kept() { history; objects; cat "$STORE/config"; ls "$STORE/keys" "$STORE" | grep -v hooks; redo -C here key show --public; }
before=$(kept)
hook pre-receive <<'END'
cat >/dev/null
try() { said=$("$@" 2>&1 >/dev/null </dev/null); echo "$? $(echo "$said" | head -1)" >>../../told; }
try redo commit create --title=Forged
try redo hash-object -w --stdin -t blob
try redo update-ref -d heads/7a000000-0000-4000-8000-000000000001
try redo config set user.name Mallory
try redo trust add 7777777777777777777777777777777777777777777777777777777777777777
try redo key rotate
try redo fetch ../../first
try redo quarantine promote
try redo quarantine drop --all
try redo gc
exit 1
END
printf 'x' >blob
run redo -C ada push "$PWD/here"
expect_status 1
expect_equal "$(wc -l <told)" 10 "lines"
! grep -v "^128 fatal: cannot write to '.*': a hook is still asked about what comes\$" told >/dev/null || fail "something else" <told
expect_equal "$(kept)" "$before" "what is left"
nothing_shown

scene "reading goes on there: the state and the whole store are those of the history, and nothing is kept in the cache"
fresh
state=$(redo -C here state --hash)
rm -rf "$STORE"/cache/*
hook pre-receive <<'END'
cat >/dev/null
rm -rf cache/*
{ redo state --hash; redo log --all --format='%(id)'; redo verify --all | cut -c 1-73; redo cat-node --batch-all-objects --batch-check='%(objectname)'; } >../../told 2>&1
find cache -type f >>../../told
END
run redo -C ada push -q "$PWD/here"
expect_status 0
compare told - told < <(printf '%s\n' "$state" "$OLD" "G $OLD" "$OLD")

scene "a variable that somebody else has set shows nothing, and is in nobody's way"
fresh
mkdir -p fake && cp -r ada/.redo/objects/. fake/
for path in "$PWD/fake" "$PWD/ada/.redo/objects" "$STORE/quarantine" "$STORE/quarantine/orphans" "$PWD/fake/hook-0123456789abcdef" here nowhere ''; do
  export REDO_QUARANTINE_PATH=$path
  run redo -C here cat-node -e "$NEW"
  expect_status 1
  run redo -C here verify --all
  expect_status 0
  expect_stdout_lines 1
  run redo -C here commit -q --dry-run create --title=x
  [ "$STATUS" -ne 128 ] || expect_stderr_lacks 'a hook is still asked'
  redo -C here config set user.name Ada || fail "nothing can be written" </dev/null
done
unset REDO_QUARANTINE_PATH

scene "a directory that a crash has left shows nothing, even in its place; it is named, and goes"
mkdir -m 700 "$STORE/quarantine/hook-0123456789abcdef"
cp -r ada/.redo/objects/. "$STORE/quarantine/hook-0123456789abcdef/"
: >"$STORE/quarantine/hook-0123456789abcdef/lock"
export REDO_QUARANTINE_PATH=$STORE/quarantine/hook-0123456789abcdef
run redo -C here cat-node -e "$NEW"
expect_status 1
run redo -C here config set user.name Eve
expect_error 128 "a hook is still asked about what comes"
unset REDO_QUARANTINE_PATH
run redo -C here verify
expect_stdout_has 'quarantine/hook-0123456789abcdef'
expect_stdout_has 'file-unfinished'
redo -C here quarantine promote -q >/dev/null
nothing_shown
run redo -C here verify
expect_status 0

scene "the variable is of one store: another one can be written from a hook"
fresh
redo init -q beside
hook pre-receive <<'END'
REDO_DIR=$PWD/../../beside/.redo redo config set user.name Told
END
run redo -C ada push -q "$PWD/here"
expect_status 0
expect_equal "$(redo -C beside config get user.name)" Told "the setting"

scene "update is asked for each head that moves, and refuses what came for its ref alone"
fresh
hook update <<'END'
echo "$1 $2 $3 $(redo cat-node -t "$3")" >>../../told
case $1 in *7b000000*) exit 3 ;; esac
END
run redo -C ada push "$PWD/here"
expect_status 1
expect_stderr_has "error: the hook 'update' refuses what came for 'heads/$WALK': it ended with 3"
expect_stderr_has "error: '$OTHER' is refused by '$PWD/here': declined: by the hook 'update'"
compare told - <(sort told) < <(printf '%s\n' "heads/$WATER $OLD $NEW node" "heads/$WALK $ZERO $OTHER node")
expect_equal "$(history)" "$(printf '%s\n' "$OLD" "$NEW" | sort)" "the history"
expect_equal "$(redo -C here quarantine list)" '' "what waits"
expect_clean here
rm "$STORE/hooks/update"
run redo -C ada push "$PWD/here"
expect_status 0
expect_equal "$(history | wc -l)" 3 "nodes"

scene "reference-transaction is asked last, with what is left, and told how it ends"
fresh
hook update <<'END'
case $1 in *7b000000*) exit 1 ;; esac
END
hook reference-transaction <<'END'
echo "$1" >>../../told
while read -r line; do
  echo "$line $(redo cat-node -t "$(echo "$line" | cut -d' ' -f2)")" >>../../told
done
END
run redo -C ada push -q "$PWD/here"
expect_status 1
compare told - told <<END
prepared
$OLD $NEW heads/$WATER node
committed
$OLD $NEW heads/$WATER node
END

scene "reference-transaction refuses everything"
fresh
hook reference-transaction <<'END'
echo "$1" >>../../told
cat >/dev/null
[ "$1" != prepared ]
END
before=$(history; objects)
run redo -C ada push "$PWD/here"
expect_status 1
expect_stderr_has "error: the hook 'reference-transaction' refuses what came: it ended with 1"
expect_stderr_has "declined: by the hook 'reference-transaction'"
expect_equal "$(cat told)" "prepared
aborted" "what it was told"
expect_equal "$(history; objects)" "$before" "what is left"
nothing_shown
