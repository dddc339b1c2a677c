#!/bin/bash
# What people see on a terminal and programs never do: colours, progress, completion. And no pager.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TERMINAL=$TESTS/Scripts/keyboard.py
if ! python3 -c 'import pty, os; os.close(pty.openpty()[0])' 2>/dev/null; then
  scene "what people see on a terminal"
  skip "python3, or a pseudo-terminal, is missing"
  exit 0
fi
export TERM=xterm
unset NO_COLOR
on_terminal() { python3 "$TERMINAL" run "$@"; }
coloured() { grep -q $'\033\\[' "$1"; }

make_store
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
ID=$(redo log -n 1 --format='%(id)')
# A small log's id, so that one digit more or less decides.
redo log --format='%(id)' >ids

scene "colours on a terminal, and the same text without them in a pipe"
for how in "log" "show $ID"; do
  # shellcheck disable=SC2086 # words
  run on_terminal redo $how
  expect_status 0
  coloured "$OUT" || fail "no colour" <"$OUT"
  # shellcheck disable=SC2086
  redo $how >plain
  ! coloured plain || fail "a colour in a pipe" <plain
  sed 's/\x1b\[[0-9;]*m//g; s/\r$//' "$OUT" | cmp -s - plain || fail "another text" <"$OUT"
  run on_terminal bash -c "redo $how | cat"
  ! coloured "$OUT" || fail "a colour in a pipe" <"$OUT"
done

scene "no colours where they are not wanted"
for how in "env NO_COLOR=1 redo log" "env TERM=dumb redo log" "redo -c color.ui=never log" "redo log --no-color" "redo log --color=never" \
  "redo log --format=%(id)" "redo log --json" "redo verify --all" "redo stats" "redo -h"; do
  # shellcheck disable=SC2086
  run on_terminal $how
  ! coloured "$OUT" || fail "a colour" <"$OUT"
done

scene "no pager, on a terminal or elsewhere"
printf '#!/bin/sh\ntouch "%s/paged"\nexec cat\n' "$PWD" >pager
chmod +x pager
for _ in {1..200}; do cat ids; done >names
export PAGER=$PWD/pager REDO_PAGER=$PWD/pager GIT_PAGER=$PWD/pager
run on_terminal redo log
expect_status 0
expect_equal "$(grep -c '^.\{0,6\}node sha256' "$OUT")" "$(wc -l <ids)" "changes"
run on_terminal bash -c "redo show --stdin --format='%(id)' <names"
expect_stdout_lines 3600
[ ! -e paged ] || fail "a pager was started" </dev/null
unset PAGER REDO_PAGER GIT_PAGER

scene "progress on a terminal when it takes long, and never in a pipe"
slowly() { demo 300; sleep 0.8; gzip -dc "$DEMO" | sed -n 301,600p; sleep 0.2; gzip -dc "$DEMO" | sed -n 601,700p; }
export -f slowly demo
export DEMO
for how in terminal:"" pipe:"2>err" asked:"--progress 2>err" quiet:"-q"; do
  redo init -q "into-${how%%:*}"
  rm -f err
  run on_terminal bash -c "slowly | redo -C into-${how%%:*} import ${how#*:} >count; cat count"
  expect_status 0
  [ -e err ] || cp "$OUT" err
  case ${how%%:*} in
  terminal | asked) grep -q $'importing[a-z ]*: [0-9]*.*\r' err || fail "no progress" <err ;;
  *) ! grep -q 'importing' err || fail "progress" <err ;;
  esac
done

scene "control characters of a setting move no terminal's cursor"
printf '[a]\n\tb = x\033[31m\n' >hostile
run on_terminal redo config -f hostile a.b
! coloured "$OUT" || fail "an escape sequence" <"$OUT"
redo config -f hostile a.b >"$OUT"
coloured "$OUT" || fail "a pipe gets another value" <"$OUT"

# The completions as they are written from this executable.
mkdir -p completions
REDO_BIN_DIR=$WORK/bin "$TESTS/../completions/make" completions || fail "no completions" </dev/null
printf 'PS1="READY>"\nbind "set bell-style none" 2>/dev/null\n. completions/redo.bash\n' >rc

# type_bash <keys> <text>: on a bash with the completions and nothing else; the text must appear there.
type_bash() {
  python3 "$TERMINAL" type "$1" "$2" bash --noprofile --rcfile rc -i >"$OUT" 2>"$ERR"
  RUN="bash, typing $1"
  expect_stdout_has "$2"
}

scene "bash completes commands, options and their values"
type_bash 'redo canon\t' 'redo canonicalize '
type_bash 'redo log --rev\t' 'redo log --reverse '
type_bash 'redo-log --max-c\t' 'redo-log --max-count='
type_bash 'redo log --color=al\t' 'redo log --color=always'
type_bash 'redo stats --by mo\t' 'redo stats --by month '
type_bash 'redo config uns\t' 'redo config unset '
type_bash 'redo config get core.lock\t' 'redo config get core.lockTimeout '

scene "bash completes what options take: actions, tasks, remotes, archives"
TASK=5eed0000-0000-4000-8000-000000000009
redo key generate >/dev/null 2>&1
redo commit -q create -t $TASK --title=seed >/dev/null
redo remote add backup /nowhere
type_bash 'redo log --action=COMPLETE_\t' 'redo log --action=COMPLETE_TODO '
type_bash 'redo log --action UNA\t' 'redo log --action UNARCHIVE '
type_bash "redo log --task=${TASK:0:6}\t" "redo log --task=$TASK "
type_bash "redo commit update -t ${TASK:0:6}\t" "redo commit update -t $TASK "
type_bash 'redo fetch ba\t' 'redo fetch backup '
type_bash 'redo state --policy=rec\t' 'redo state --policy=received '
redo archive create -q -o completed.pack && redo archive register -q completed.pack
run redo __complete archives
expect_status 0
expect_stdout_lines 1
type_bash "redo archive forget $(cut -c1-5 "$OUT")\t" "redo archive forget $(cut -c1-12 "$OUT") "
run redo __complete remotes
expect_stdout "backup	/nowhere"

scene "bash completes ids of local refs, with and without their prefix"
head=${ID#sha256:}
type_bash "redo show ${head:0:5}\\t" "redo show ${head:0:12} "
type_bash "redo show sha256:${head:0:5}\\t" "redo show sha256:${head:0:12} "
type_bash "redo show ${head:0:20}\\t" "redo show $head "
type_bash "cd /; redo -C '$PWD' show ${head:0:5}\\t" "show ${head:0:12} "

scene "a completion is silent where there is no store"
redo -C "$WORK" __complete ids >"$OUT" 2>"$ERR"
expect_stdout ''
type_bash "cd /; redo show \\t" "redo show "
! grep -q 'fatal' "$OUT" || fail "a message" <"$OUT"

scene "candidates say what they are: action, date and title"
make_store titles
bare='{"version":1,"parents":[],"timestamp":{"lamport":1,"wall":"2025-01-01T00:00:00.000Z"},"author":{"userId":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","deviceId":"d"},"action":"CREATE","taskId":"7a000000-0000-4000-8000-000000000009","data":{"fields":{"title":"Water\u001b\tit"}}}'
id=$(redo hash-object -w --update-heads --stdin <<<"$bare")
run redo __complete ids
expect_stdout "${id:7:12}	CREATE 2025-01-01 Water\\x1b\\x09it"
run redo __complete refs
expect_stdout "heads/7a000000-0000-4000-8000-000000000009	CREATE 2025-01-01 Water\\x1b\\x09it"
run redo __complete keys color
expect_stdout "color.ui	when output has colours"
cd ..

scene "fish offers them with what they are"
if command -v fish >/dev/null; then
  ask_fish() {
    run fish --no-config -c "source completions/redo.fish; complete -C '$1'"
    expect_status 0
  }
  ask_fish "redo show ${head:0:5}"
  grep -q "^${head:0:12}	[A-Z_]* 2" "$OUT" || fail "another answer" <"$OUT"
  ask_fish "redo-show ${head:0:5}"
  grep -q "^${head:0:12}	[A-Z_]* 2" "$OUT" || fail "another answer" <"$OUT"
  ask_fish "redo -C titles show ${id:7:5}"
  expect_stdout_has "${id:7:12}	CREATE 2025-01-01 Water"
  ask_fish "redo log --rev"
  expect_stdout_has "--reverse"
else
  skip "there is no fish"
fi

scene "zsh, too"
if command -v zsh >/dev/null; then
  mkdir -p zdot
  printf 'PS1="READY>"\nfpath=(%q $fpath)\nautoload -Uz compinit; compinit -u -D\nunsetopt beep\n' "$PWD/completions" >zdot/.zshrc
  type_zsh() {
    ZDOTDIR=$PWD/zdot python3 "$TERMINAL" type "$1" "$2" zsh -i >"$OUT" 2>"$ERR"
    RUN="zsh, typing $1"
    expect_stdout_has "$2"
  }
  # It redraws the end of a line only, so the end is what to look for.
  type_zsh 'redo canon\t' 'canonicalize '
  type_zsh "redo show ${head:0:5}\\t" "${head:5:7}"
  type_zsh "redo -C titles show ${id:7:5}\\t" "${id:12:7}"
  type_zsh "redo-log --rev\\t" 'erse'
else
  skip "there is no zsh"
fi
