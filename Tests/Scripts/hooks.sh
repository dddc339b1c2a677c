#!/bin/bash
# redo-hooks(5): programs that are asked or told when changes are received.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

redo init -q origin
redo -C origin import -q "$VECTORS/log/linear.ndjson" >/dev/null
TASK=7a000000-0000-4000-8000-000000000001
ids=($(redo -C origin log --reverse --task=$TASK --format='%(id)'))
redo -C origin archive create -q -o "$PWD/first.pack" "${ids[2]}" >/dev/null
redo -C origin archive create -q -o "$PWD/last.pack" "${ids[2]}..${ids[5]}" >/dev/null
ZERO=sha256:0000000000000000000000000000000000000000000000000000000000000000
STORE=$PWD/here/.redo
# receive <pack>: as if an exchange had brought it
receive() {
  mkdir -p "$STORE/quarantine/incoming"
  cp "$1.pack" "$STORE/quarantine/incoming/00000000000000aa.pack"
  run redo -C here quarantine promote -q
}
# hook <name>: with its text as standard input
hook() {
  mkdir -p "$STORE/hooks"
  cat >"$STORE/hooks/$1"
  chmod 755 "$STORE/hooks/$1"
}
history() { redo -C here log --format='%(id)'; }
fresh() { rm -rf here told && redo init -q here; }
objects() { find "$STORE/objects" -type f -size +0c | grep -v '/lock$' | sort; }

scene "a hook gets the variables of the one that runs it, byte for byte, but those that lead to another store"
fresh
hook post-receive <<'END'
#!/bin/sh
{ printf %s "$ODD"; printf '/%s/' "${REDO_OBJECT_DIRECTORY-none}"; printf %s "$REDO_DIR"; } >../../told
END
export ODD=$'\xff\xfe x'
receive first
expect_status 0
unset ODD
expect_equal "$(od -An -tx1 -N4 told | tr -d ' \n')" fffe2078 "the bytes"
expect_equal "$(tail -c +5 told)" "/none/$STORE" "the store"
rm told

scene "pre-receive is asked before anything can be seen, post-receive told afterwards; both read the moves"
fresh
hook pre-receive <<'END'
#!/bin/sh
{ echo pre; cat; pwd; echo "$REDO_DIR"; redo log | wc -l; find objects -type f -name '[0-9a-f]*' | wc -l; } >>../../told
echo "a word for people"
END
hook post-receive <<'END'
#!/bin/sh
{ echo post; cat; redo log --format='%(id)' | wc -l; } >>../../told
exit 3
END
receive first
expect_status 0
expect_stdout 3
expect_stderr "a word for people
warning: the hook 'post-receive' ended with 3"
compare told - told < <(
  cat <<END
pre
$ZERO ${ids[2]} heads/$TASK
$STORE
$STORE
0
0
post
$ZERO ${ids[2]} heads/$TASK
3
END
)
rm told
receive last
expect_equal "$(sed -n 2p told)" "${ids[2]} ${ids[5]} heads/$TASK" "the move"
run redo -C here verify
expect_status 0
expect_stdout ''

scene "where nothing moves, and where nothing is written, no hook is run"
rm told
receive last
expect_status 0
cp first.pack "$STORE/quarantine/incoming/00000000000000aa.pack"
run redo -C here quarantine promote -n
[ ! -e told ] || fail "a hook was run" <told
redo -C here quarantine drop -q --all

scene "a status other than 0 refuses everything: no head moves, no object stays, nothing waits"
fresh
hook pre-receive <<'END'
#!/bin/sh
exit 7
END
before=$(objects)
receive first
expect_status 1
expect_stdout 0
expect_stderr "error: the hook 'pre-receive' refuses what came: it ended with 7"
expect_equal "$(history; objects; redo -C here quarantine list; ls "$STORE/quarantine/incoming")" "$before" "what is left"
rm "$STORE/hooks/pre-receive"
receive first
expect_status 0
expect_stdout 3
run redo -C here verify
expect_status 0

scene "what waited stays when it is refused"
fresh
receive last
expect_equal "$(redo -C here quarantine list | wc -l)" 3 "changes that wait"
hook pre-receive <<'END'
#!/bin/sh
exit 1
END
receive first
expect_status 1
expect_equal "$(redo -C here quarantine list | wc -l)" 3 "changes that wait"
expect_equal "$(history)" '' "the history"

scene "a hook that dies by a signal refuses; one that reads nothing may"
hook pre-receive <<'END'
#!/bin/sh
kill -9 $$
END
receive first
expect_status 1
expect_stderr_has 'it ended with 137'
hook pre-receive <<'END'
#!/bin/sh
END
receive first
expect_status 0
expect_stdout 6

scene "one that is not executable is passed over with a warning"
fresh
hook pre-receive <<'END'
#!/bin/sh
exit 1
END
chmod 644 "$STORE/hooks/pre-receive"
receive first
expect_status 0
expect_stderr "warning: the hook 'pre-receive' is passed over: it is not executable"
expect_equal "$(history | wc -l)" 3 "nodes"

scene "a link, a file that others may write, or a directory of others is never run, and nothing is taken in"
for way in link file directory program; do
  fresh
  hook pre-receive <<'END'
#!/bin/sh
touch ../../told
END
  case $way in
  link) mv "$STORE/hooks/pre-receive" elsewhere && ln -s "$PWD/elsewhere" "$STORE/hooks/pre-receive" ;;
  file) chmod 777 "$STORE/hooks/pre-receive" ;;
  directory) chmod 777 "$STORE/hooks" ;;
  program) echo 'no program' >"$STORE/hooks/pre-receive" && printf '\177ELF' >"$STORE/hooks/pre-receive" ;;
  esac
  receive first
  expect_status 128
  expect_stderr_has "fatal: the hook 'pre-receive' "
  [ ! -e told ] || fail "it was run" </dev/null
  expect_equal "$(history)" '' "the history"
  expect_equal "$(ls "$STORE/quarantine/incoming")" 00000000000000aa.pack "what is left"
done

scene "no setting names other hooks, and verify knows their names"
fresh
mkdir elsewhere.d && printf '#!/bin/sh\nexit 1\n' >elsewhere.d/pre-receive && chmod 755 elsewhere.d/pre-receive
mkdir -p "$STORE/quarantine/incoming" && cp first.pack "$STORE/quarantine/incoming/00000000000000aa.pack"
run redo -C here -c core.hooksPath="$PWD/elsewhere.d" quarantine promote -q
expect_status 0
hook post-receive </dev/null
run redo -C here verify
expect_status 0
expect_stdout ''
touch "$STORE/hooks/post-update"
run redo -C here verify
expect_stdout_has 'file-stray - hooks/post-update'

scene "import and commit run no hook"
fresh
hook pre-receive <<'END'
#!/bin/sh
exit 1
END
run redo -C here import -q "$PWD/first.pack"
expect_status 0
