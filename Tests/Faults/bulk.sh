#!/bin/bash
# A pack of new nodes is struck at each system call of its writing: by an error, and by kill -9.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
share 8

# Of many calls of one kind the first ones and the last two are struck.
# As few nodes as two batches and several frames take; two of them come twice, once with another signature.
head -40 <(gzip -dc "$DEMO") >many.ndjson
head -2 many.ndjson >>many.ndjson
sed -n '5p' many.ndjson | sed 's/,"signature":"[0-9a-f]*"//' >>many.ndjson

packs_of() { find "$1"/.redo/objects/pack -name 'pack-*.pack' | wc -l; }

bulk() {
  stage "$@"
  expect_equal "$(packs_of struck)" 1 "packs of '$STAGE'"
  local count call which error before runs=0
  scene "$STAGE: each call that writes, opens or reads fails once"
  while read -r count call <&3; do
    before=$(before_main "$call")
    for error in $(errors_of "$call"); do
      for which in $(places "$count" "$before"); do
        strike "error=$error" "$call" "$which"
        runs=$((runs + 1))
        if [ "$STATUS" -ne 0 ]; then
          expect_status 128
          [ "$call" = write ] && [ ! -s "$ERR" ] ||
            expect_equal "$(grep -c '^fatal: \|^error: ' "$ERR")" 1 "messages of '$RUN'"
        fi
        sound
        expect_equal "$(find struck/.redo/objects/pack -name 'tmp_*' | wc -l)" 0 "temporaries after '$RUN'"
      done
    done
  done 3<counts
  ((runs > $(fewer 30))) || fail "only $runs runs" </dev/null
  scene "$STAGE: killed at each call that writes, opens or reads"
  runs=0
  while read -r count call <&3; do
    [ -n "$(errors_of "$call")" ] || continue
    for which in $(places "$count"); do
      strike signal=SIGKILL "$call" "$which"
      if [ "$STATUS" -ne 0 ]; then
        expect_status 137
        runs=$((runs + 1))
      fi
      sound
    done
  done 3<counts
  ((runs > $(fewer 30))) || fail "only $runs runs were killed" </dev/null
}

redo init -q few
redo -C few config set core.bulkLimit 10
bulk "a pack" few "$PWD/many.ndjson" hash-object -w --ndjson
bulk "an import that becomes a pack" few "$PWD/many.ndjson" import -q
