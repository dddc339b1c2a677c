# What the scripts of redo trust share, besides lib.sh: two devices, ada and bob, with two nodes that both have.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

OTHER=d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
# A store with a key of its own: a device of somebody.
device() { redo init -q "$1" && redo -C "$1" key generate >/dev/null 2>&1; }
key() { redo -C "$1" key show --public; }
# commit <store> <title> [<date>]: a new task; its id is printed.
commit() { REDO_AUTHOR_DATE=${3:-} redo -C "$1" commit -q create --title="$2" --format='%(id)'; }
send() { redo -C "$1" export -q | redo -C "$2" import -q >/dev/null; }
letters() { redo -C "$1" verify --all | sort -k2 | cut -c1 | tr -d '\n'; }
letter() { redo -C "$1" verify "$2" | cut -c1,74-; }

device ada
device bob
ADA=$(key ada) BOB=$(key bob)
first=$(commit ada first 2024-05-01T10:00:00.000Z)
send ada bob
second=$(commit bob second 2024-05-02T10:00:00.000Z)
send bob ada
