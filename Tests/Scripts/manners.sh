#!/bin/bash
# What holds for every command: wrong input is one clear error with the right status and no partial
# write; pipes break silently; a failed write is reported.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
ID=$(a_node | ids_of)
demo 300 >new.ndjson
head -c 200000 "$REDO_BIN" >binary
head -c 10000000 /dev/zero | tr '\0' '[' >deep
bare() { a_node | sed 's/"id":"[^"]*",//; s/"signature":"[^"]*",//'; }
bare | sed 's/"version":1/"version":2/' >version
bare | sed "s/\"parents\":\[\]/\"parents\":[\"sha256:5Hwf1rQYxNSLZcYwbZ6x2RtT5MwsWd9ZC2fDsG7aRq3E\"]/" >base58
bare | sed 's/"userId":"\([0-9a-f]*\)"/"userId":"\U\1\E"/' >upper
BEFORE=$(fingerprint)

# Every way in, for one bad file: refused <file> <status> <status of import> <text>.
refused() {
  local how
  for how in "hash-object $1" "hash-object -w $1" "hash-object -w --update-heads $1" \
    "hash-object --stdin <$1" "hash-object -w --stdin <$1" "hash-object -w --stdin-paths <<<$1" \
    "hash-object --ndjson <$1" "hash-object -w --ndjson <$1" "hash-object -w --ndjson --update-heads <$1" \
    "import $1" "import <$1" "import -n $1"; do
    run bash -c "timeout 60 redo $how"
    # A node that breaks a rule is a no (1); a text that import cannot split is fatal (128).
    case $how in import*) expect_status "$3" ;; *) expect_status "$2" ;; esac
    expect_stdout ''
    expect_stderr_has "$4"
    # One message; each bad line of several has its own.
    if ! [[ $how == *-w*--ndjson* && $1 == binary ]]; then
      expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages"
    fi
    ! grep -v '^fatal: \|^error: \|^hint: ' "$ERR" || fail "more on stderr" <"$ERR"
    expect_untouched "$BEFORE"
  done
}

scene "a binary file"
refused binary 1 128 "json-syntax at byte 0"
run redo verify --ndjson <binary
expect_status 1
! grep -qv '^B - json-' "$OUT" || fail "something else than B" <"$OUT"

scene "10 MB of ["
refused deep 1 128 ""
run redo verify --ndjson <deep
expect_status 1
expect_stdout_lines 1
expect_stdout_has "B - "

scene "a node of another version, and it says which"
refused version 1 1 "version-unsupported at /version"

scene "Base58 where hex belongs, and a hint"
refused base58 1 1 "parents-form at /parents/0"
run redo hash-object base58
expect_stderr_has "hint: "
expect_stderr_has "Base58"

scene "upper-case hex, and a hint"
refused upper 1 1 "user-id-form at /author/userId"
run redo hash-object upper
expect_stderr_has "hint: "
expect_stderr_has "lower"

scene "a directory where a file belongs"
mkdir directory
for how in "hash-object directory" "hash-object -w directory" "hash-object -w --stdin-paths <<<directory" "canonicalize directory"; do
  run bash -c "redo $how"
  expect_error 128 "'directory' is a directory"
done
for how in "hash-object -w --stdin" "hash-object -w --ndjson" "import" "verify --ndjson" "verify --stdin" "cat-node --batch" "canonicalize"; do
  run bash -c "redo $how <directory"
  expect_error 128 "is a directory"
done
expect_untouched "$BEFORE"

scene "a named pipe, which would wait for ever"
mkfifo pipe
for how in "hash-object pipe" "hash-object -w pipe" "hash-object -w --stdin-paths <<<pipe" "canonicalize pipe" "import pipe"; do
  run bash -c "timeout 60 redo $how"
  expect_status 128
  expect_stdout ''
  expect_stderr_has "'pipe' is a named pipe"
done
expect_untouched "$BEFORE"

scene "but <(...) is a file like any other"
run bash -c "redo hash-object <(sed -n 1p '$VECTORS/log/linear.ndjson')"
expect_status 0
expect_stdout "$ID"

scene "what is missing or may not be read"
run redo hash-object missing
expect_error 128 "'missing'"
run redo import missing
expect_error 128 "'missing'"
if can_be_nobody; then
  echo '[]' >secret
  chmod 600 secret
  run as_nobody redo canonicalize secret
  expect_error 128 "ermission denied"
fi

scene "/dev/full: a failed write is fatal"
for how in "hash-object -t blob binary" "cat-node $ID" "cat-node --batch <<<$ID" "log" "verify --all" \
  "verify --ndjson <new.ndjson" "import -q -n new.ndjson" "-h" "log -h" "--version" "canonicalize version"; do
  run bash -c "redo $how >/dev/full"
  expect_error 128 "write error: no space left on device"
done

scene "a closed standard output is one, too"
run bash -c "redo cat-node $ID >&-"
expect_status 128
expect_stderr_has "write error"

scene "nothing on stderr can be said when it is closed or full; the status still is"
run bash -c "redo cat-node nonsense 2>&-"
expect_status 128
run bash -c "redo cat-node nonsense 2>/dev/full"
expect_status 128

scene "a reader that goes away ends a command silently by SIGPIPE"
yes "$ID" | head -20000 >names
yes "$(a_node)" | head -5000 >many.ndjson
yes new.ndjson | head -3000 >paths
for how in "cat-node --batch <names" "cat-node --batch --buffer <names" "verify --ndjson <many.ndjson" \
  "hash-object --ndjson <many.ndjson" "verify --stdin <names" "hash-object -t blob --stdin-paths <paths"; do
  # shellcheck disable=SC2086
  bash -c "redo $how 2>'$ERR' | head -1 >'$OUT'; exit \${PIPESTATUS[0]}"
  STATUS=$? RUN="redo $how | head -1"
  expect_status 141
  expect_stderr ''
  expect_stdout_lines 1
done

scene "a store of a future format is named, neither read nor written"
cp -r .redo future.redo
sed -i 's/format = 1/format = 3/' future.redo/config
sums() { (cd future.redo && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum); }
before=$(sums)
for how in "log" "cat-node $ID" "cat-node --batch-check <<<$ID" "verify --all" "hash-object -w new.ndjson" "import new.ndjson"; do
  run bash -c "redo --redo-dir future.redo $how"
  expect_error 128 "format"
  expect_stderr_has "'3'"
done
expect_equal "$(sums)" "$before" "what is in the store"

scene "refs of a future format"
redo init -q refs-of-future
printf 'redo-refs 2 1 0 0 0 0 0 0\n' >refs-of-future/.redo/refs
before=$(fingerprint refs-of-future)
for how in "log" "import $PWD/new.ndjson"; do
  run redo -C refs-of-future $how
  expect_status 128
  expect_stdout ''
  expect_untouched "$before" refs-of-future
done

scene "a read-only store can be read, and every write is one clear error"
redo init -q closed
redo -C closed import -q "$VECTORS/log/linear.ndjson" >/dev/null
read_only=no
if can_be_nobody; then
  chown -R $NOBODY closed && chmod -R a-w closed && read_only=nobody
fi
if [ "$(id -u)" -eq 0 ] && mount --bind closed closed 2>/dev/null; then
  at_exit "umount '$PWD/closed'"
  mount -o remount,bind,ro closed 2>/dev/null && read_only="$read_only mount"
fi
before=$(fingerprint closed)
as_user() { "$@"; }
try_read_only() {
  run "$1" redo -C "$PWD/closed" -c safe.directory='*' log --format='%(id)'
  expect_status 0
  expect_stdout_lines 18
  run "$1" redo -C "$PWD/closed" -c safe.directory='*' verify --all
  expect_status 0
  run "$1" redo -C "$PWD/closed" -c safe.directory='*' cat-node "$ID"
  expect_status 0
  local how
  for how in "hash-object -w $PWD/one.json" "hash-object -w --update-heads $PWD/one.json" "import $PWD/new.ndjson" \
    "hash-object -w --stdin-paths" "hash-object -w --ndjson" "hash-object -w --ndjson --update-heads"; do
    # shellcheck disable=SC2086
    case $how in
    *paths) echo "$PWD/one.json" ;;
    *ndjson*) cat one.json ;;
    esac >input
    # shellcheck disable=SC2086
    run "$1" redo -C "$PWD/closed" -c safe.directory='*' $how <input
    expect_error 128 "$2"
    expect_untouched "$before" closed
    expect_equal "$(temporaries closed)" 0 "temporary files"
  done
  # Nothing is to be written, so nothing fails.
  run "$1" redo -C "$PWD/closed" -c safe.directory='*' import "$PWD/linear.ndjson"
  expect_status 0
  expect_stdout 0
}
head -1 new.ndjson >one.json
# The user that we become need not be able to read the repository.
cp "$VECTORS/log/linear.ndjson" linear.ndjson
chmod a+r one.json new.ndjson linear.ndjson
case $read_only in
*mount*) try_read_only as_user "ead-only file system" ;;
esac
case $read_only in
nobody*)
  umount closed 2>/dev/null
  try_read_only as_nobody "ermission denied"
  ;;
no*) [ "$read_only" != no ] || skip "neither root nor a mount: no store can be made read-only here" ;;
esac

scene "an interrupt or a termination leaves no temporary files, and its status"
for signal in INT:130 TERM:143 HUP:129; do
  redo init -q "by-$signal"
  mkfifo "slow-$signal"
  (demo 6000; exec sleep 60) >"slow-$signal" &
  feeder=$!
  # A shell lets what runs in the background ignore interrupts; this one must not.
  env --default-signal=INT redo -C "by-$signal" import -q <"slow-$signal" >"$OUT" 2>"$ERR" &
  pid=$!
  for _ in {1..600}; do
    [ "$(temporaries "by-$signal")" -eq 0 ] || break
    sleep 0.05
  done
  [ "$(temporaries "by-$signal")" -gt 0 ] || fail "nothing is written" </dev/null
  began=$SECONDS
  kill "-${signal%:*}" $pid
  wait $pid 2>/dev/null
  STATUS=$? RUN="redo import, ended by ${signal%:*}" ended=$SECONDS
  # The shell that feeds may be about to become sleep, and would pass over a gentle signal.
  kill -KILL $feeder 2>/dev/null
  wait $feeder 2>/dev/null
  expect_status "${signal#*:}"
  expect_stdout ''
  # It does not wait for the rest of its input.
  ((ended - began < 50)) || fail "it took $((ended - began)) seconds" </dev/null
  expect_equal "$(temporaries "by-$signal")" 0 "temporary files"
  expect_equal "$(objects "by-$signal")" 0 "objects"
done

scene "with --json an error is JSON, too"
run redo -C "$WORK" log --json
expect_status 128
expect_stdout ''
grep -q '^{"error":"not a redo repository.*","exit":128}$' "$ERR" || fail "the error" <"$ERR"

scene "options may be abbreviated, put together, negated, and end at --"
run redo log --rev -n1 --form='%(lamport)'
expect_status 0
run redo hash-object -t blob -- binary
expect_status 0
run redo hash-object -t blob --end-of-options binary
expect_status 0
run redo cat-node --batch-check --no-buffer --buffer --no-buffer <<<"$ID"
expect_status 0
echo '[]' >-odd
run redo canonicalize -- -odd
expect_status 0
run redo log -n 1 -n 2 --format='%(id)'
expect_stdout_lines 2

scene "nothing of all this has changed the store"
expect_untouched "$BEFORE"
