# What scripts about remotes share, behind lib.sh: programs that stand for ssh(1) and for a helper.

# two_stores <name> <nodes> <name> <nodes>: stores with so many nodes of the demo log, the first ones of it.
two_stores() {
  redo init -q "$1" && demo "$2" | redo -C "$1" import -q >/dev/null
  redo init -q "$3" && demo "$4" | redo -C "$3" import -q >/dev/null
}

# ssh as far as it matters: options, `--`, a host, and one word for the shell of the other machine, which is this
# one. What it was called with is in $WORK/ssh.words.
cat >"$WORK/bin/ssh" <<'END'
#!/bin/bash
printf '%s\n' "$@" >"$SSH_WORDS"
while [ "$1" != -- ]; do shift; done
shift 2
[ $# -eq 1 ] || exit 255
cd "$HOME" && exec sh -c "$1"
END
# A helper that reaches `demo://<path>`.
cat >"$WORK/bin/redo-remote-demo" <<'END'
#!/bin/bash
printf '%s\n' "$@" "$REDO_DIR" >"$HELPER_WORDS"
unset REDO_DIR
[ "$3" = read ] && only=--read-only
exec redo serve --stdio ${only:-} -- "/${2#demo://}"
END
chmod +x "$WORK/bin/ssh" "$WORK/bin/redo-remote-demo"
export SSH_WORDS=$WORK/ssh.words HELPER_WORDS=$WORK/helper.words
unset REDO_SSH

# url_of <transport> <absolute path of a store>
url_of() {
  case $1 in
  path) echo "$2" ;;
  file) echo "file://$2" ;;
  ssh) echo "ssh://me@there.example:2222$2" ;;
  scp) echo "me@there.example:$2" ;;
  helper) echo "demo:/$2" ;;
  esac
}
TRANSPORTS="path file ssh scp helper"

# value <key>: what `remote show` or `remote check` has just told.
value() { sed -n "s/^$1: //p" "$OUT"; }
