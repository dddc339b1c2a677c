#!/bin/bash
# redo config: settings are shown and changed, and the rest of the file stays as it is.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
FORMAT=$(cat .redo/config)

scene "a key is set, read and taken away again"
run redo config set core.compression 6
expect_status 0
expect_stdout ''
expect_stderr ''
run redo config get core.compression
expect_stdout 6
run redo-config core.compression
expect_stdout 6
run redo config unset core.compression
expect_status 0
run redo config get core.compression
expect_status 1
expect_stdout ''
expect_stderr ''
expect_equal "$(cat .redo/config)" "$FORMAT" "the file"

scene "the short form of git reads and sets"
run redo config user.name 'Ada Lovelace'
expect_status 0
run redo config user.name
expect_stdout 'Ada Lovelace'

scene "comments, order and whatever else stands in the file stay"
cat >.redo/config <<'END'
# the first line
[core]
	format = 1 ; the format
	fsync = batch   # why
; between
[User "x.Y"] name = A
[core]   # again
	compression=3

END
redo config trust-store # which has no id any more
redo config core.fsync none
redo config set user.x.Y.name 'B # "c"\'
redo config core.locktimeout 500
redo config other.key 'two
lines	'
expect_equal "$(cat .redo/config)" '# the first line
[core]
	format = 1 ; the format
	fsync = none   # why
; between
[User "x.Y"] name = "B # \"c\"\\"
[core]   # again
	compression=3
	lockTimeout = 500

[other]
	key = two\nlines\t' "the file"
run redo config user.x.Y.name
expect_stdout 'B # "c"\'
run redo config get -z other.key
printf 'two\nlines\t\0' >expected
expect_stdout_file expected
for key in user.x.Y.name core.fsync core.lockTimeout core.compression other.key; do redo config unset $key; done
expect_equal "$(cat .redo/config)" '# the first line
[core]
	format = 1 ; the format
; between
[User "x.Y"]
[core]   # again

[other]' "the file"
run redo log
expect_status 0

scene "a file without a line feed at its end, with carriage returns, or with a mark at its beginning"
printf '[a]\n\tb = 1' >plain
redo config --file plain a.c 2
expect_equal "$(cat plain)" '[a]
	b = 1
	c = 2' "the file"
printf '[a]\r\n\tb = 1\r\n' >returns
redo config -f returns a.b 2
redo config -f returns a.c 3
run redo config -f returns list
expect_stdout 'a.b=2
a.c=3'
printf '\357\273\277[a]b=1\n' >mark
redo config -f mark a.b 2
run redo config -f mark list
expect_stdout 'a.b=2'
printf '[a]\n\tb = one \\\n  two # end\n\tc = 1\n' >long
redo config -f long a.b short
expect_equal "$(cat long)" '[a]
	b = short # end
	c = 1' "the file"

scene "what a command would refuse is refused here, and the file stays"
before=$(cat .redo/config)
for words in 'core.fsync some' 'core.compression 10' 'core.compression x' 'core.lockTimeout -1' 'signing.form both' \
  'color.ui red' 'core.format 2' 'core.format 1' 'core.id 00112233445566778899aabbccddeeff'; do
  # shellcheck disable=SC2086 # words
  run redo config set -- $words
  expect_status 128
  expect_stdout ''
  expect_stderr_has "fatal: "
done
run redo config unset core.format
expect_error 128 "never changed"
run redo config core.fsync some
expect_error 128 "bad value 'some' for 'core.fsync': not none, batch or full"
expect_equal "$(cat .redo/config)" "$before" "the file"

scene "an unknown key may be set; one that is nearly known gets a hint, on the way in only"
run redo config app.thing 1
expect_status 0
expect_stderr ''
run redo config core.fsnyc none
expect_status 0
expect_stderr "warning: no command reads 'core.fsnyc'
hint: did you mean 'core.fsync'?"
run redo config unset core.fsnyc
expect_stderr ''
run redo config safe.directory '*'
expect_stderr_has "has no effect in a store's own file"
redo config unset safe.directory

scene "several values: all, one more, one in place of all"
for value in 1 2 3; do redo config set --append list.x $value; done
run redo config get --all list.x
expect_stdout '1
2
3'
run redo config list.x
expect_stdout 3
run redo config set list.x 4
expect_error 128 "'list.x' has 3 values, not one"
run redo config unset list.x
expect_error 128 "'list.x' has 3 values, not one"
run redo config set --all list.x 4
expect_status 0
run redo config get --all list.x
expect_stdout 4
run redo config unset --all list.x
expect_status 0
run redo config unset list.x
expect_error 1 "'list.x' is not set in "

scene "the layers, the weakest first, and where each value stands"
redo config --user user.name Mine
redo config set --global user.email me@example.org
expect_equal "$(stat -c %a "$HOME/.config/redo")" 700 "the mode of a new directory"
redo config --local user.name Ours
run redo config user.name
expect_stdout Ours
run redo config get --user user.name
expect_stdout Mine
run env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=user.name REDO_CONFIG_VALUE_0=Env redo -c user.name=Opt config get --all --show-origin user.name
expect_stdout "file:$HOME/.config/redo/config	Mine
file:$PWD/.redo/config	Ours
environment:	Env
command line:	Opt"
run env REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=user.name REDO_CONFIG_VALUE_0=Env redo config user.name
expect_stdout Env
run redo config list --user
expect_stdout 'user.name=Mine
user.email=me@example.org'
run redo config list --user --json
expect_stdout "{\"key\":\"user.name\",\"line\":2,\"path\":\"$HOME/.config/redo/config\",\"scope\":\"user\",\"value\":\"Mine\"}
{\"key\":\"user.email\",\"line\":3,\"path\":\"$HOME/.config/redo/config\",\"scope\":\"user\",\"value\":\"me@example.org\"}"
run redo config list --user -z
printf 'user.name\nMine\0user.email\nme@example.org\0' >expected
expect_stdout_file expected
run env XDG_CONFIG_HOME="$PWD/xdg" redo config --user user.name Other
expect_equal "$(cat xdg/redo/config)" '[user]
	name = Other' "the file"

scene "types"
printf '[t]\n\ton\n\tyes = yes\n\tzero = 0\n\tkilo = 2k\n\tpath = ~/x\n\tword = w\n\tempty =\n' >types
get() { run redo config -f types get --type="$1" "$2"; }
get bool t.on && expect_stdout true
get bool t.yes && expect_stdout true
get bool t.zero && expect_stdout false
get int t.kilo && expect_stdout 2048
get path t.path && expect_stdout "$HOME/x"
get bool t.word && expect_error 128 "'w' is not true or false"
get int t.word && expect_error 128 "'w' is not a number"
get path t.empty && expect_error 128 "is not a path"
get float t.word && expect_status 129
run redo config -f types t.on
expect_status 0
printf '\n' >expected
expect_stdout_file expected
run redo config -f types list
expect_stdout_has 't.empty='
expect_equal "$(head -1 "$OUT")" t.on "a name without a value"
redo config -f types set --type=bool t.word off
run redo config -f types t.word
expect_stdout false

scene "a setting that keeps commands from working can be mended"
redo config unset --all user.name
printf '\tcompression = twelve\n[core]\n\tcompression = thirteen\n' >>.redo/config
sed -i 's/^\[other\]/[core]/' .redo/config
run redo log
expect_status 128
run redo config set --all core.compression 1
expect_status 0
run redo log
expect_status 0

scene "a text that is not understood is not changed"
printf '[a\nb = 1\n' >broken
run redo config -f broken a.b 2
expect_error 128 "bad config line 1 in 'broken'"
expect_equal "$(cat broken)" '[a
b = 1' "the file"
for key in nodot .a a. 'a.b c' 'a b.c' a.1b 'a.x
y.b'; do
  run redo config set "$key" 1
  [ "$STATUS" -eq 128 ] || [ "$STATUS" -eq 129 ] || fail "'$key' is a key" </dev/null
  expect_stdout ''
done

scene "a symbolic link stays, and what it leads to is changed; so does the mode"
mkdir real && printf '[a]\n\tb = 1\n' >real/config && chmod 640 real/config
ln -s real/config link
redo config -f link a.b 2
[ -L link ] || fail "the link is gone" </dev/null
run redo config -f real/config a.b
expect_stdout 2
expect_equal "$(stat -c %a real/config)" 640 "the mode"
ln -s nowhere dangling
run redo config -f dangling a.b 2
expect_error 128 "dangling"

scene "forty at once: nothing is lost"
for i in {1..40}; do redo config set "many.k$i" "$i" & done
wait
expect_equal "$(redo config list --local | grep -c '^many\.k')" 40 "keys"
expect_equal "$(temporaries)" 0 "temporary files"

scene "control characters move no cursor in a list"
printf '[a]\n\tb = x\033[31m\n' >hostile
run redo config -f hostile list
expect_stdout 'a.b=x\x1b[31m'
run redo config -f hostile --json list
expect_stdout_has 'x\u001b[31m'

scene "outside of a store there are the other layers"
cd "$WORK" || exit
run redo config list
expect_status 0
expect_stdout 'user.name=Mine
user.email=me@example.org'
run redo config a.b 1
expect_error 128 "not a redo repository"
run redo config --local a.b
expect_error 128 "not a redo repository"
run redo config -f missing list
expect_error 128 "'missing'"
cd here || exit

scene "every known key stands in the list of keys"
run redo config keys
expect_status 0
for key in checkpoint.file color.ui core.compression core.format core.fsync core.id core.lockTimeout safe.directory safe.store signing.form user.email user.name; do
  grep -q "^$key	" "$OUT" || fail "'$key' is missing" <"$OUT"
done
expect_equal "$(awk -F '\t' 'NF != 5' "$OUT" | wc -l)" 0 "lines of another form"

scene "a store that may not be written"
if can_be_nobody; then
  chmod -R a+rX . "$HOME"
  run as_nobody redo -C "$PWD" -c safe.directory='*' config a.b 1
  expect_error 128 "ermission denied"
  run as_nobody redo -C "$PWD" -c safe.directory='*' -c safe.store='*' config many.k1
  expect_stdout 1
else
  skip "only root can become another user"
fi

scene "mistakes in the command line"
for words in '' 'gte a.b' 'get' 'get a.b c' 'set a.b' 'set a.b c d' 'unset' 'list x' 'keys x' '--user --local a.b' \
  'list -z --json' 'list --type=bool' 'get --append a.b' 'unset --type=int a.b' 'keys --all' 'set --all --append a.b c' '--bogus'; do
  # shellcheck disable=SC2086 # words
  run redo config $words
  expect_status 129
  expect_stdout ''
done
run redo config gte a.b
expect_stderr_has "hint: did you mean 'get'?"
