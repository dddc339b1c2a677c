#!/bin/bash
# make install: two executables with a link for each command, the manual pages, the completions.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

ROOT=$(cd "$TESTS/.." && pwd)
if [ ! -x "$ROOT/.build/release/redo" ]; then
  scene "what make install installs"
  skip "there is no release executable: 'make' builds it"
  exit 0
fi
# What is installed is what was built, whichever that was; nothing is built here.
BUILT=$ROOT/.build/release

install_to() { make -s -C "$ROOT" -o build install BIN="$BUILT" DESTDIR="$1" PREFIX="$2" >"$WORK/.last/make" 2>&1; }

scene "into DESTDIR and PREFIX, and nowhere else"
install_to "$PWD/dest" /opt/redo || fail "make install fails" <"$WORK/.last/make"
expect_equal "$(ls dest dest/opt dest/opt/redo | tr '\n' ' ')" "dest: opt  dest/opt: redo  dest/opt/redo: bin lib share " "the directories"
share=dest/opt/redo/share

scene "units of a server that start what was installed"
units=dest/opt/redo/lib/systemd/system
expect_equal "$(ls $units | tr '\n' ' ')" "redo-serve.service redo-serve.socket " "units"
grep -q '^ExecStart=/opt/redo/bin/redo serve ' $units/redo-serve.service || fail "another program is started" <$units/redo-serve.service

scene "three static executables without symbols, and a link for each of their commands; all of it in 150 MB"
expect_equal "$(find dest/opt/redo/bin -type f | wc -l)" 3 "executables"
for name in redo redo-net redo-index-sqlite; do
  expect_equal "$(stat -c %a dest/opt/redo/bin/$name)" 755 "its mode"
  [ "$(stat -c %s dest/opt/redo/bin/$name)" -lt "$(stat -c %s "$BUILT/$name")" ] || fail "'$name' is not stripped" </dev/null
  commands=
  [ $name = redo-index-sqlite ] || commands=$("$BUILT/$name" --list-commands)
  for command in $commands; do
    for place in dest/opt/redo/bin "$BUILT"; do
      expect_equal "$(readlink "$place/redo-$command")" $name "the link of '$command' in $place"
    done
    run "dest/opt/redo/bin/redo-$command" -h
    expect_status 129
    expect_stdout_has "usage: redo-$command"
  done
  if command -v file >/dev/null; then
    file dest/opt/redo/bin/$name | grep -q 'statically linked\|static-pie' ||
      fail "it is not static" < <(file dest/opt/redo/bin/$name)
  fi
done
[ "$(du -sb dest | cut -f 1)" -le 150000000 ] || fail "it is larger" < <(du -ab dest | sort -rn | head)

scene "redo-net lists its commands, and runs one by its name"
run dest/opt/redo/bin/redo-net -h
expect_status 129
expect_stdout_has "usage: redo-net [-h | --help]"
run dest/opt/redo/bin/redo-net serve-http -h
expect_status 129
expect_stdout_has "usage: redo-serve-http"
run dest/opt/redo/bin/redo-net log
expect_status 129
expect_stderr_has "'log' is not a redo-net command"

scene "redo-index-sqlite answers requests"
run dest/opt/redo/bin/redo-index-sqlite <<<'{"open":"nowhere/index.sqlite"}'
expect_status 0
expect_stdout '{"error":{"code":"db-missing","detail":"nowhere"}}'

scene "it works with nothing around it"
run env -i "$PWD/dest/opt/redo/bin/redo-cat-node" -h
expect_status 129
expect_stdout_has "usage: redo-cat-node"
mkdir elsewhere
run env -i HOME="$PWD" "$PWD/dest/opt/redo/bin/redo-init" -q elsewhere
expect_status 0
run env -i HOME="$PWD" "$PWD/dest/opt/redo/bin/redo" -C elsewhere log
expect_status 0
expect_stdout ''

scene "every manual page, in its section, and it can be read"
for page in "$ROOT"/man/*.[157]; do
  name=${page##*/}
  cmp -s "$page" "$share/man/man${page##*.}/$name" || fail "'$name' is not there" </dev/null
  expect_equal "$(stat -c %a "$share/man/man${page##*.}/$name")" 644 "the mode of '$name'"
done
if command -v mandoc >/dev/null; then
  run mandoc -T utf8 "$share/man/man1/redo-cat-node.1"
  expect_status 0
  expect_stdout_has "show an object, its kind or its size"
  if command -v man >/dev/null; then
    run env MANPAGER=cat man -l "$share/man/man7/redo-cli.7"
    [ "$STATUS" -ne 0 ] || expect_stdout_has "REDO_TRACE"
  fi
else
  skip "there is no mandoc to read them with"
fi

scene "the completions, for redo and every dashed name"
bash -n "$share/bash-completion/completions/redo" || fail "bash cannot read them" </dev/null
for command in $("$BUILT/redo" --list-commands); do
  expect_equal "$(readlink "$share/bash-completion/completions/redo-$command")" redo "the link of '$command'"
  expect_equal "$(readlink "$share/fish/vendor_completions.d/redo-$command.fish")" redo.fish "the link of '$command'"
done
[ -f "$share/zsh/site-functions/_redo" ] || fail "none for zsh" </dev/null

scene "installed twice it is the same"
find dest | sort >first
install_to "$PWD/dest" /opt/redo || fail "make install fails" <"$WORK/.last/make"
find dest | sort | cmp -s - first || fail "it is not" < <(find dest | sort | diff - first)
