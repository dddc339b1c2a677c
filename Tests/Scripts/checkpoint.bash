# What the scripts of checkpoints and proofs share.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# commit <title>... : a change for each. make_signer [<dir>]: a store that can sign.
commit() { for title; do redo commit -q create --title="$title" >/dev/null || fail "a commit fails" </dev/null; done; }
make_signer() {
  make_store "$@"
  redo key generate >/dev/null 2>&1
}
store_id() { redo -C "${1:-.}" config core.id; }
latest() { redo -C "${1:-.}" show-ref --format='%(id)' checkpoints/latest; }

# leaves [<store>]: id and time of each entry of the received log that counts, by its format in redo-store(5).
leaves() {
  python3 - "${1:-.}/.redo/received" <<'END'
import hashlib, sys
data = open(sys.argv[1], "rb").read()
assert data.startswith(b"redo-received 1\n")
place = 16
while place < len(data):
    count, time = int(data[place + 1:place + 9], 16), int(data[place + 10:place + 22], 16)
    end = place + 32 + 32 * count
    assert hashlib.sha256(data[place:end]).digest() == data[end:end + 32]
    for start in range(place + 32, end, 32):
        print(data[start:start + 32].hex(), time)
    place = end + 32
END
}

# root_of: the root of the leaves on standard input, by the recursion of RFC 6962, as Base64.
root_of() {
  python3 -c '
import base64, hashlib, sys
sha = lambda data: hashlib.sha256(data).digest()
leaves = [sha(b"\0" + bytes.fromhex(id) + int(time).to_bytes(8, "big")) for id, time in map(str.split, sys.stdin)]
def root(part):
    if len(part) < 2:
        return part[0] if part else sha(b"")
    k = 1
    while 2 * k < len(part):
        k *= 2
    return sha(b"\1" + root(part[:k]) + root(part[k:]))
print(base64.b64encode(root(leaves)).decode())'
}

# signed <store>: the text on standard input as a note, signed with the key of a store.
signed() {
  cat >"$WORK/.last/text"
  {
    cat "$WORK/.last/text"
    PYTHONIOENCODING=utf-8 python3 -c '
import base64, hashlib, sys
key, signature = sys.argv[1:]
id = hashlib.sha256(key.encode() + b"\n\1" + bytes.fromhex(key)).digest()[:4]
print("\n\u2014", key, base64.b64encode(id + bytes.fromhex(signature)).decode())' \
      "$(redo -C "$1" key show --public)" "$(redo -C "$1" key sign "$WORK/.last/text")"
  }
}
