#!/bin/bash
# redo remote: names of other stores, what is set for them and remembered of them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$TESTS/Scripts/remote.bash"
own_copies

two_stores garden 300 shed 200
cd shed || exit 1

scene "there are none"
run redo remote
expect_status 0
expect_stdout ''
run redo remote check
expect_error 128 "there is no remote"

scene "a remote gets a name; a relative path is written from the root"
run redo remote add garden ../garden
expect_status 0
expect_stdout ''
expect_stderr ''
expect_equal "$(redo config remote.garden.url)" "$WORK/here/garden" "the URL"
run redo remote add garden ../garden
expect_error 1 "there is a remote 'garden' already"
run redo remote add far ssh://there.example/srv/far
run redo remote add web https://there.example/far
run redo remote
expect_stdout "far
garden
web"
run redo remote list -v
expect_stdout "far	ssh://there.example/srv/far
garden	$WORK/here/garden
web	https://there.example/far"
run redo remote list --json
expect_stdout_lines 3
expect_stdout_has '{"name":"far","url":"ssh://there.example/srv/far"}'
run redo remote list -vz
expect_equal "$(tr '\0\t' '\n ' <"$OUT" | tail -1)" "web https://there.example/far" "the last row"

scene "what is no name"
for name in '' -x .x a/b 'a b' a..b a. 'é' x.lock a:b "$(printf 'x%.0s' {1..65})"; do
  run redo remote add -- "$name" ../garden
  expect_error 128 "is no name of a remote"
done

scene "what is no URL, and what could be read as an option or a command"
before=$(fingerprint)
refused() {
  run redo remote add -- x "$1"
  expect_error 128 "$2"
}
refused '' "is empty"
refused '-oProxyCommand=x' "begins with '-'"
refused 'ext::sh -c id' "names a command line, and none is run"
refused 'ssh://-oProxyCommand=x/p' "names a host that begins with '-'"
refused 'ssh://%2doProxyCommand=x/p' "names a host that begins with '-'"
refused 'ssh://me@-x/p' "names a host that begins with '-'"
refused '-x:path' "names a host that begins with '-'"
refused 'host:-x' "names a path that begins with '-'"
refused 'ssh://host/~/-x' "names a path that begins with '-'"
refused 'ssh://host' "names no path"
refused 'ssh:///path' "names no host"
refused 'host:' "names no path"
refused ':path' "names no host"
refused 'ssh://host:0/p' "has a port that is no number from 1 to 65535"
refused 'ssh://host:22x/p' "has a port that is no number from 1 to 65535"
refused 'ssh://me:secret@host/p' "has a p"
refused 'ssh://host/%zz' "has a '%' without two hex digits"
refused 'ssh://host/%00' "has bytes in it that are no text"
refused 'https://me:secret@host/' "has a user in it"
refused 'https://token@host/' "has a user in it"
refused 'https:///x' "names no host"
refused 'file://other/path' "names another machine"
refused $'a\nb' "has control characters in it"
expect_untouched "$before"

scene "what ssh is called with: words, no shell of this machine, nothing behind '--' is an option"
demo_words() {
  redo remote check "$1" >"$OUT" 2>"$ERR"
  expect_equal "$(tr '\n' '|' <"$SSH_WORDS")" "$2" "the words for '$1'"
}
G=$WORK/here/garden
demo_words "ssh://me@there.example:2222$G" "-p|2222|--|me@there.example|redo serve --stdio --read-only -- $G|"
demo_words "there.example:$G" "--|there.example|redo serve --stdio --read-only -- $G|"
demo_words "ssh://[::1]:22$G" "-p|22|--|::1|redo serve --stdio --read-only -- $G|"
demo_words "[::1]:a" "--|::1|redo serve --stdio --read-only -- a|"
demo_words "host:a b;touch x'y" "--|host|redo serve --stdio --read-only -- 'a b;touch x'\\''y'|"
demo_words 'host:$(touch x)' "--|host|redo serve --stdio --read-only -- '\$(touch x)'|"
demo_words "ssh://host/~/a%20b" "--|host|redo serve --stdio --read-only -- 'a b'|"
[ ! -e "$HOME/x" ] || fail "a shell has run it" </dev/null
redo remote set far program "bin/my redo"
demo_words far "--|there.example|'bin/my redo' serve --stdio --read-only -- /srv/far|"
redo remote set --unset far program
printf '#!/bin/sh\nexec ssh -v "$@"\n' >"$WORK/bin/my ssh" && chmod +x "$WORK/bin/my ssh"
REDO_SSH="my ssh" demo_words "host:a" "-v|--|host|redo serve --stdio --read-only -- a|"
redo config core.sshCommand "'my ssh' -i \"a key\" b\\ c"
demo_words "host:a" "-v|-i|a key|b c|--|host|redo serve --stdio --read-only -- a|"
redo config core.sshCommand "'my ssh"
run redo remote check host:a
expect_error 128 "for 'core.sshCommand'"
redo config unset core.sshCommand

scene "what a helper is called with"
redo remote add demo "demo:/$G"
run redo remote check demo
expect_status 0
expect_equal "$(tr '\n' '|' <"$HELPER_WORDS")" "demo|demo:/$G|read|$PWD/.redo|" "the words"
run redo remote check "demo:/$G"
expect_equal "$(head -1 "$HELPER_WORDS")" "-" "the name of a remote without one"
run redo remote check nohelper://x/
expect_error 128 "there is no program 'redo-remote-nohelper'"
printf '#!/bin/bash\nexec python3 -c "import os; print(sorted(os.listdir(\\"/proc/self/fd\\")), file=open(os.environ[\\"HELPER_WORDS\\"], \\"w\\"))"\n' >"$WORK/bin/redo-remote-open"
chmod +x "$WORK/bin/redo-remote-open"
redo-remote-open </dev/null >/dev/null
open=$(cat "$HELPER_WORDS")
run redo remote check open://x/
expect_equal "$(cat "$HELPER_WORDS")" "$open" "what a helper has open"
run redo -c remote.demo.program=x -c a.b=c remote check demo
expect_status 0

scene "a program that ends early is named, with its status"
ended() {
  printf '#!/bin/bash\n%s\n' "$1" >"$WORK/bin/redo-remote-broken"
  chmod +x "$WORK/bin/redo-remote-broken"
  run redo remote check broken://x/
  expect_error "$2" "$3"
}
ended 'exit 3' 128 "'broken://x/': 'redo-remote-broken' has ended with status 3"
ended 'exit 0' 75 "'redo-remote-broken' has ended with status 0"
ended 'exit 255' 75 "'redo-remote-broken' has ended with status 255"
ended 'kill -9 $$' 75 "'redo-remote-broken' has ended by signal 9"
ended 'head -c 10 >/dev/null; exit 4' 128 "'redo-remote-broken' has ended with status 4"
ended 'exec <&-; sleep 0.2; exit 5' 128 "'redo-remote-broken' has ended with status 5"
ended 'cat' 128 "malformed: "
ended 'yes | head -c 10000000' 128 "malformed: "
ended 'echo "<html>"; cat >/dev/null' 128 "a frame of type"
ended "printf '\\x13\\0\\0\\0\\x08denied go away, you'; cat >/dev/null" 77 "denied: go away, you"
ended "printf '\\x10\\0\\0\\0\\x08unavailable busy'; cat >/dev/null" 75 "unavailable: busy"
REDO_SSH=/bin/false run redo remote check host:a
expect_error 128 "'/bin/false' has ended with status 1"
printf '#!/bin/sh\nexit 127\n' >"$WORK/bin/nothing-there" && chmod +x "$WORK/bin/nothing-there"
REDO_SSH=nothing-there run redo remote check host:a
expect_error 128 "there is no 'redo' there"
REDO_SSH=not-there-at-all run redo remote check host:a
expect_error 128 "there is no program 'not-there-at-all'"

scene "one that is silent is given up, and stopped"
redo config remote.silent.url silent://x/
redo config remote.silent.timeout 1
printf '#!/bin/bash\ntrap "" TERM\nwhile :; do sleep 0.2; done\n' >"$WORK/bin/redo-remote-silent"
chmod +x "$WORK/bin/redo-remote-silent"
SECONDS=0
run redo remote check silent
expect_error 75 "nothing was heard for 1 seconds"
[ $SECONDS -lt 120 ] || fail "it took $SECONDS seconds" </dev/null
! pgrep -f "$WORK/bin/redo-remote-silent" >/dev/null || fail "it goes on" </dev/null

scene "a check tells who it is and what differs, and changes nothing here or there"
before=$(fingerprint) there=$(fingerprint ../garden)
run redo remote check garden
expect_status 0
expect_stderr ''
expect_equal "$(value id)" "$(redo -C ../garden config core.id)" "the id"
expect_equal "$(value identity) $(value version) $(value transport)" "new 2 path" "what it tells"
expect_equal "$(value nodesHere) $(value nodesThere) $(value nodesOnlyHere) $(value nodesOnlyThere)" "200 300 0 100" "the numbers"
expect_untouched "$before"
expect_untouched "$there" ../garden
run redo remote check --json garden
expect_stdout_lines 1
expect_stdout_has '"nodesOnlyThere":100,"nodesThere":300,'
run redo remote capabilities garden
expect_stdout "filter-since
filter-task
keeps-access
nodes-300
read-only
schemas-0
tells-unsent
withholds-0"

scene "several remotes: each is looked at, whatever becomes of the others"
run redo remote check nohelper://x/ garden
expect_status 128
expect_stdout_has "nodesThere: 300"
expect_stderr_has "error: there is no program"

scene "a bundle can be read"
redo -C ../garden archive create -q -o "$WORK/here/new.bundle" >/dev/null
run redo remote check ../new.bundle
expect_status 0
expect_equal "$(value id) $(value transport)" "none path" "what it tells"
expect_stdout_has "read-only"
head -c 5000 ../new.bundle >../cut.bundle
run redo remote check ../cut.bundle
expect_error 128 "'../cut.bundle' is damaged"
echo hello >../no.bundle
run redo remote check ../no.bundle
expect_error 128 "'../no.bundle' is no archive"
run redo remote check ..
expect_error 128 "there is no redo store in '..'"
run redo remote check ../nowhere
expect_error 128 "'../nowhere' is not there"
run redo remote check .
expect_error 128 "'.' is this store itself"

scene "another store under the same name ends with 76, and nothing is changed"
mkdir -p .redo/remotes/garden
echo 00112233445566778899aabbccddeeff >.redo/remotes/garden/id
run redo remote check garden
expect_status 76
expect_equal "$(value identity)" "changed" "the identity"
expect_stderr_has "fatal: 'garden' is another store than the one that was met first"
redo -C ../garden config core.id >.redo/remotes/garden/id
run redo remote check garden
expect_status 0
expect_equal "$(value identity)" "known" "the identity"
echo broken >.redo/remotes/garden/id
run redo remote check garden
expect_status 128
expect_stderr_has "is damaged: it is not an id of 32 hex digits"
redo -C ../garden config core.id >.redo/remotes/garden/id

scene "a remote that was put back to an earlier state ends with 76"
redo -C ../garden key generate >/dev/null 2>&1
redo -C ../garden checkpoint create -o "$WORK/here/old.checkpoint" >/dev/null
cp -r ../garden ../older
redo -C ../garden commit -q create --title=new >/dev/null
redo -C ../garden checkpoint create -o "$PWD/.redo/remotes/garden/checkpoint" >/dev/null
run redo remote check garden
expect_status 0
mv ../garden ../newer && mv ../older ../garden
run redo remote check garden
expect_status 76
expect_equal "$(value identity)" "changed" "the identity"
expect_stderr_has "fatal: 'garden' has gone back: "
rm -r ../garden && mv ../newer ../garden
run redo remote show garden
expect_equal "$(value checkpointSize)" "301" "the size of the checkpoint"
rm .redo/remotes/garden/checkpoint

scene "settings of a remote"
run redo remote set garden timeout 5
expect_status 0
run redo remote set garden timeout soon
expect_error 128 "bad value 'soon' for 'timeout': not a number from 0 to 86400"
run redo config set remote.garden.timeout soon
expect_error 128 "bad value 'soon' for 'remote.garden.timeout'"
run redo remote set garden colour blue
expect_error 128 "a remote has no setting 'colour'"
run redo remote set garden url "ext::id"
expect_error 128 "names a command line, and none is run"
run redo remote set --unset garden url
expect_error 128 "a remote without a URL is none"
run redo remote set --unset garden program
expect_error 1 "'program' is not set for 'garden' in this store"
run redo remote set gardne url ../garden
expect_error 2 "there is no remote 'gardne'"
expect_stderr_has "hint: did you mean 'garden'?"
for text in "$USER" "$USER,105903451237891234567"; do
  key=account
  [ "$text" = "$USER" ] || key=accessList
  before=$(fingerprint)
  run redo remote set garden $key "$text"
  expect_error 128 "bad value '$text' for '$key': not the id of an account, but the user id of a key pair"
  expect_stderr_has "hint: an account is the 'uid' of your tokens"
  run redo config set remote.garden.$key "$text"
  expect_error 128 "not the id of an account, but the user id of a key pair"
  expect_untouched "$before"
done
run redo remote set garden account 105903451237891234567
expect_status 0
redo remote set --unset garden account

run redo remote show garden
expect_stdout "name: garden
url: $WORK/here/garden
transport: path
timeout: 5
id: $(redo -C ../garden config core.id)"
run redo remote show nobody
expect_error 2 "there is no remote 'nobody'"

scene "a setting that nothing reads is a warning, whenever the remote is used"
redo remote add weeds ../garden
run redo config set remote.weeds.timeuot 5
expect_status 0
expect_stderr "warning: no command reads 'remote.weeds.timeuot'
hint: did you mean 'remote.weeds.timeout'?"
run redo config set remote.weeds.zzzzzzzz 5
expect_status 0
expect_stderr "warning: no command reads 'remote.weeds.zzzzzzzz'"
for command in "remote check weeds" "fetch -q weeds" "push -q weeds" "sync -q weeds" "ls-remote weeds"; do
  # shellcheck disable=SC2086 # words
  run redo $command
  grep -q "^warning: no command reads 'remote.weeds.timeuot' (.*config.*)$" "$ERR" || fail "'$command' does not warn" <"$ERR"
  expect_stderr_has "hint: did you mean 'timeout'?"
  expect_equal "$(grep -c '^warning: no command' "$ERR")" 2 "warnings of '$command'"
done
redo remote rm weeds >removed
grep -q 'remote.weeds.timeuot=5' removed || fail "the setting stays" <removed
redo config set remote.demo.zzzzzzzz 5 2>/dev/null
run redo remote check demo
expect_stderr_lacks "no command reads"
redo config unset remote.demo.zzzzzzzz

scene "what is remembered of remotes is known to an audit, and anything else there is not"
redo verify >"$OUT" 2>&1 || fail "the audit finds something" <"$OUT"
echo x >.redo/remotes/garden/else
run redo verify
expect_stdout_has "remotes/garden/else"
rm .redo/remotes/garden/else

scene "a remote is forgotten after it was shown what goes, and no node is touched"
ID=$(redo log -n 1 --format='%(id)') REF=remotes/garden/heads/$(redo log -n 1 --format='%(task)')
redo update-ref "$REF" "$ID"
before=$(fingerprint) nodes=$(redo state --hash)
run redo remote rm -n garden
expect_status 0
cp "$OUT" ../shown
expect_stdout "setting remote.garden.url=$WORK/here/garden
setting remote.garden.timeout=5
file remotes/garden/id
ref $REF $ID"
expect_untouched "$before"
run redo remote rm garden
expect_status 0
expect_stdout_file ../shown
[ ! -e .redo/remotes/garden ] || fail "it is remembered still" </dev/null
! grep -q '"garden"' .redo/config || fail "it is set still" <.redo/config
expect_equal "$(redo show-ref | grep -c remotes/)" 0 "refs"
expect_equal "$(redo state --hash)" "$nodes" "the state"
run redo remote rm garden
expect_error 2 "there is no remote 'garden'"
expect_clean
