# What the scripts of redo snapshot share, besides lib.sh.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# same [<store>]: each form of the state is the same without snapshots, what is said on standard error included.
# alike <store>: those forms that a snapshot has a part in most.
same() {
  local store=${1:-.} arguments
  for arguments in "${forms[@]}"; do
    redo -C "$store" state --no-snapshot $arguments >plain 2>plain.errors || fail "redo state --no-snapshot fails" <plain.errors
    run redo -C "$store" state $arguments
    expect_status 0
    cmp -s plain "$OUT" || fail "redo state $arguments differs" < <(diff plain "$OUT" | head)
    cmp -s plain.errors "$ERR" || fail "redo state $arguments says something else" < <(diff plain.errors "$ERR" | head)
  done
}
alike() {
  local forms=("" "--hash -z" "--as-of=lamport:3 --allow-empty")
  same "$1"
}
forms=("" "--hash" "-z" "--hash -z -q" "--table" "--skips" "--as-of=2039-01-01 --allow-empty" "--as-of=2023-10-14 --allow-empty --hash"
  "--as-of=2023-10-20 --allow-empty" "--as-of=2023-10-20 --policy=wall --allow-empty --hash"
  "--as-of=2039-01-01 --policy=received --allow-empty --hash" "--as-of=lamport:3 --allow-empty")
# used [<argument of state>...]: what --trace says of a snapshot.
used() { redo state -q --trace "$@" 2>&1 >used.out | sed -n 's/^snapshot: //p'; }
name_of() { # <version of the rules> <head>...: the name, by its definition
  python3 - "$@" <<'END'
import hashlib, sys
heads = sorted(bytes.fromhex(head.removeprefix("sha256:")) for head in sys.argv[2:])
print(hashlib.sha256(b"redo-snapshot %s\n" % sys.argv[1].encode() + b"".join(heads)).hexdigest())
END
}
# forge <file> <expression>: a cache file with another payload (from `p`) and checksums that fit.
forge() {
  python3 - "$@" <<'END'
import hashlib, sys
file, expression = sys.argv[1:]
data = open(file, "rb").read()
p = eval(expression, {"p": data[: int(data[-82:-66], 16)]})
end = b"".join(hashlib.sha256(p[at:at + 16384]).digest() for at in range(0, len(p), 16384)) + b"redo-cache 2 %016x " % len(p)
open(file, "wb").write(p + end + hashlib.sha256(end).hexdigest().encode() + b"\n")
END
}
SNAPSHOTS=.redo/cache/snapshots
NAMED='^[0-9a-f]\{64\}$' # in `ls`: snapshots
