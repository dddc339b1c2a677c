#!/bin/bash
# When the service first had a node, as the field createdAt of its document says: kept by every reader of documents, in
# whatever form it has there (K26), shown by redo show, and of no effect. TARGET as in firestore.bash.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"
. "$TESTS/Scripts/firestore.bash"

# created_of <store> <id>: the time as the store tells it; served_at <id>: as the document does, in milliseconds.
created_of() { redo -C "$1" show --json "$2" | sed -n 's/^{"accessList":\[[^]]*\],"createdAt":"\([^"]*\)".*/\1/p'; }
served_at() { admin get "nodes/$1" | python3 -c 'import json, sys
whole, _, rest = json.load(sys.stdin)["createdAt"].rstrip("Z").partition(".")
print(whole + "." + (rest + "000")[:3] + "Z")'; }

scene "it is kept and shown where nodes are fetched, and where they were pushed"
stores web ios
project
joins web "$ANN"
joins ios "$ANN"
for number in 1 2 3; do on web 10:00:0$number.000 create --title=$number; done
push web
[ -e web/.redo/created ] || fail "what the service said is not kept" </dev/null
pull web
pull ios
for id in $(redo -C web log --format='%(id)'); do
  at=$(served_at "$id")
  for store in web ios; do expect_equal "$(created_of $store "$id")" "$at" "the time of $id in $store"; done
done
run redo -C ios show "$id"
expect_status 0
expect_stdout_has "Created:   $at (as a remote says)"
same_here web ios
expect_clean ios

scene "again nothing is added"
before=$(sha256sum <ios/.redo/created)
pull ios
rm -r ios/.redo/remotes/origin
pull ios
expect_equal "$(sha256sum <ios/.redo/created)" "$before" "the times"

scene "texts, maps and timestamps are read; what is none is left out"
stores web ios
project
joins web "$ANN"
joins ios "$ANN"
cat >values <<'END'
"2025-03-01T09:00:00.123Z"
"2025-03-01T11:00:00.5+01:00"
{"_seconds":1740826800,"_nanoseconds":5000000}
{"seconds":1740830400,"nanoseconds":999999}
"yesterday"
1740830400
END
while IFS= read -r value; do
  on web 10:00:00.000 create --title="$value"
  cat "$OUT"
done <values >ids
push web
paste -d ' ' ids values | while IFS=' ' read -r id value; do
  admin set "nodes/$id" createdAt "$value" </dev/null || fail "it is not set" </dev/null
done
pull ios
times() { while read -r id; do created_of ios "$id"; done <ids | xargs; }
said='2025-03-01T09:00:00.123Z 2025-03-01T10:00:00.500Z 2025-03-01T11:00:00.005Z 2025-03-01T12:00:00.000Z'
expect_equal "$(times)" "$said" "the times"
same_here web ios

scene "they go with what is wiped, and come again with it"
redo -C ios wipe -q --yes --author="$(redo -C web log -n 1 --format='%(author:userid)')"
[ ! -e ios/.redo/created ] || fail "there are times of what is gone" </dev/null
pull ios
expect_equal "$(times)" "$said" "the times"
same_here web ios

scene "where they cannot be noted the nodes are fetched all the same, and it is said"
alter ios/.redo/created 60
on web 10:01:00.000 create --title=B
id=$(cat "$OUT")
push web
run redo -C ios fetch
expect_status 0
expect_stderr_has "fetched 1 new change of 1 task from 'origin'"
expect_stderr_has "warning: when the service first had some of the nodes is not noted: '"
expect_equal "$(created_of ios "$id")" '' "the time"
same_here web ios
