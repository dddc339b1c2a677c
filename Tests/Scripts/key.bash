# What the scripts of redo key share, besides lib.sh: a key that is known (RFC 8032, section 7.1, test 1), in a store
# `other`, and another implementation to compare with.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SEED=9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
PUBLIC=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
USER_ID=${PUBLIC:0:32}

# A python3 with PyNaCl, if there is one.
find_python nacl.pwhash.argon2id
oracle() { "$PYTHON" "$TESTS/Oracle/keys.py" "$@"; }
# hex <digits> <file>: whether the file is one line of so many hex digits.
hex() { grep -qx "[0-9a-f]\{$1\}" "$2"; }
# A command on a terminal of its own; needs python3.
terminal() { python3 "$TESTS/Scripts/terminal.py" "$@"; }

redo init -q other
redo -C other key import --private <<<$SEED >"$OUT"
echo $SEED >other.key
make_store
