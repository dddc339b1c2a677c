#!/bin/bash
# What every command does, shown with every command: a new one needs its lines in the tables below, and
# the first scene fails until it has them.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_store
redo import -q "$VECTORS/log/linear.ndjson" >/dev/null
ID=$(a_node | ids_of)
TASK=$(redo log -n 1 --format='%(task)')
redo key generate >/dev/null 2>&1
redo checkpoint create >/dev/null
# What no checkpoint counts yet can be wiped without a word.
redo commit -q create --title=last >/dev/null
demo 400 >new.ndjson
head -1 new.ndjson >one.json
yes "$(a_node)" | head -2000 >many.ndjson
yes "$ID" | head -20000 >names
yes one.json | head -2000 >paths
python3 -c 'print("[" + ",".join(["1"] * 100000) + "]")' >big.json
redo age --generate -o age.key 2>/dev/null
RECIPIENT=$(redo age -y age.key)
echo '{"id":"visit","displayName":"Visit","iconSystemName":"doc","fields":[{"id":"note","fieldType":"string"}]}' >schema.json
{
  printf '['
  for number in {1..1000}; do sed "s/visit/visit$number/; s/\$/,/" schema.json; done
  sed 's/$/]/' schema.json
} >schemas.json
make_big() {
  redo init -q big && redo -C big -c core.fsync=none import -q "$PWD/new.ndjson" >/dev/null
}
make_big
# Another store, which has the nodes that somebody signed.
redo init -q other && redo remote add other "$PWD/other"
redo log --json | grep '"signature"' | redo -C other import -q --salvage >/dev/null 2>&1
redo -C big archive create -q -o "$PWD/big.pack" >/dev/null

# works: one call of each command that succeeds and prints something; it may be repeated.
# silent: commands that have nothing to print.
# streams: one that prints more than a pipe holds, or '-' where there is none.
# waits: one that waits for standard input, or '-' where there is none.
# place: `anywhere` for what needs no store, otherwise `store`.
declare -A works=() streams=() waits=() place=() silent=([backup]=yes [circle]=yes [fetch]=yes [init]=yes [local]=yes [sync]=yes [merge]=yes [receipt]=yes [record]=yes [serve]=yes [share]=yes [update-ref]=yes)
command_line() { works[$1]=$2 streams[$1]=$3 waits[$1]=$4 place[$1]=$5; }
command_line age "-y age.key" "-a -r $RECIPIENT big.json" "-d -i age.key" anywhere
command_line archive "create -n -q" - - store
command_line backup "-n -q ../points" - - store
command_line canonicalize "one.json" "big.json" "" anywhere
command_line cat-node "$ID" "--batch <names" "--batch" store
command_line checkpoint "list" - - store
command_line cid "one.json" "\$(cat paths)" "" anywhere
command_line commit "update --task=$TASK --title=\$RANDOM" - "--stdin" store
command_line compare "--stat big big" - "- big" anywhere
command_line config "list" - - anywhere
command_line diff "lamport:1" "-C big --json $(ids_of <one.json)" - store
command_line explain "$TASK" - - store
command_line export "-q" "-C big -q" - store
command_line fetch "-v" - - store
command_line gc "-n" - - store
command_line hash-object "one.json" "--ndjson <many.ndjson" "-w --stdin" anywhere
command_line import "-n -q one.json" - "-q" store
command_line index "path" "sql \"with recursive c(x) as (select 1 union all select x + 1 from c limit 20000) select x from c\"" - store
command_line init "-q again" - - anywhere
command_line key "list" - "sign" store
command_line log "" "-C big --json" - store
command_line ls-remote "-q" - - store
command_line merge "--check" - - store
command_line merge-base "$ID $ID" - - store
command_line prove "$ID" - - store
command_line push "-q --porcelain" - - store
command_line quarantine "promote -q" - - store
command_line query "-q" - - store
command_line receipt "list" - "create" store
command_line local "list" - "put" store
command_line share "list" - "open" store
command_line circle "list" - - store
command_line device "list" - - store
command_line record "list" - "import" store
command_line recover "--to=lamport:1" "-C big --json --to=lamport:1" - store
command_line reflog "" - - store
command_line remote "list" - - store
command_line repack "-n" - - store
command_line rev-parse "$ID" - - store
command_line revert "-n --force $ID" - - store
command_line schema "merge-file schema.json" "merge-file schemas.json" "merge-file -" anywhere
command_line search "--tasks last" - - store
command_line serve "--stdio" - "--stdio" store
command_line show "$ID" "--stdin <names" "--stdin" store
command_line show-ref "" - - store
command_line snapshot "create" - - store
command_line state "" - "--stdin" store
command_line stats "" - - store
command_line sync "-v" - - store
command_line trust "add -n --seen" "-C big check --json --all" "check --stdin" store
command_line undo "-n -q" - - store
command_line update-ref "tags/here $ID" - "--stdin" store
command_line verify "$ID" "--ndjson <many.ndjson" "--ndjson" store
command_line verify-pack "-v big.pack" "--json -v big.pack big.pack" - anywhere
command_line wipe "-n --author=$(redo key show --user-id)" - - store

commands=$(redo --list-commands)

scene "every command is in the tables, and nothing else"
for command in $commands; do
  [ -n "${works[$command]+x}" ] || fail "'$command' has no line in the tables of this script" </dev/null
done
for command in "${!works[@]}"; do
  grep -qx -- "$command" <<<"$commands" || fail "there is no '$command'" </dev/null
done

scene "the call of the table succeeds, says something, and has no complaint"
for command in $commands; do
  run bash -c "redo $command ${works[$command]} </dev/null"
  expect_status 0
  ! grep -q '^fatal: \|^error: \|^warning: ' "$ERR" || fail "there is a complaint" <"$ERR"
  [ -s "$OUT" ] || [ -n "${silent[$command]:-}" ] || fail "nothing is printed" </dev/null
done

scene "-h: the usage on stdout, 129; --help-all lists hidden options; --version ends with 0"
for command in $commands; do
  run redo "$command" -h
  expect_status 129
  expect_stderr ''
  expect_equal "$(head -c 11 "$OUT")" "usage: redo" "the beginning"
  run redo "$command" --help-all
  expect_status 129
  expect_stdout_has "--redo-dir <dir>"
  run redo "$command" --version
  expect_status 0
done

scene "an unknown option: what it is, then the usage, on stderr; 129"
for command in $commands; do
  run redo "$command" --bogus-option
  expect_status 129
  expect_stdout ''
  expect_equal "$(head -1 "$ERR")" "error: unknown option 'bogus-option'" "the message"
  expect_stderr_has "usage: redo-$command"
  run redo "$command" -?
  expect_status 129
  expect_stderr_has "error: unknown switch '?'"
done

scene "a wrong value: what it is, and where the usage is found"
for words in 'log -n x' 'log --skip=1.5' 'commit update --priority=much' 'archive create -o' 'merge-base' 'update-ref' \
  'state --policy=bogus' 'verify --profile=other --all'; do
  # shellcheck disable=SC2086 # words
  run redo $words
  expect_status 129
  expect_stdout ''
  expect_equal "$(wc -l <"$ERR")" 2 "the lines of 'redo $words'"
  expect_equal "$(tail -1 "$ERR" | cut -d' ' -f1-5)" "hint: show the usage: redo-${words%% *}" "the hint"
done

scene "- is standard input wherever a file is read"
for words in 'canonicalize' 'hash-object' 'import -n' 'verify' 'compare one.json'; do
  # shellcheck disable=SC2086 # words
  run redo $words - <one.json
  expect_status 0
done
for words in 'archive verify -' 'archive list -' "archive show - $(ids_of <one.json)" 'archive extract -' 'verify-pack -v -'; do
  # shellcheck disable=SC2086 # words
  run redo $words <big.pack
  expect_status 0
done

scene "-q is known to every command, and leaves errors"
for command in $commands; do
  run redo "$command" -q -h
  expect_status 129
  run bash -c "redo $command -q ${works[$command]} </dev/null"
  ! grep -qv '^fatal: \|^error: ' "$ERR" || fail "more than errors" <"$ERR"
done

scene "a slip of the finger in an option or a command: what may have been meant"
for command in $commands; do
  option=$(redo "$command" -h | sed -n 's/.*--\(\[no-\]\)\{0,1\}\([a-z-]\{5,\}\).*/\2/p' | head -1)
  # Options are those of its subcommands, where there are any.
  ! grep -q '^    [a-z]' <<<"$(redo "$command" -h)" || option=''
  if [ -n "$option" ]; then
    run redo "$command" "--${option:0:2}${option:3:1}${option:2:1}${option:4}"
    [ "${option:2:1}" = "${option:3:1}" ] || {
      expect_status 129
      expect_stderr_has "'--$option'"
    }
  fi
  # Of two letters one is too few to guess from.
  slip=${command:0:1}${command:2}
  [ ${#command} -gt 2 ] || slip=${command:1:1}${command:0:1}
  run redo "$slip"
  expect_status 129
  expect_stdout ''
  expect_stderr_has "hint: did you mean "
  expect_stderr_has "'$command'"
done

scene "with --json an error is one line of JSON, with the status in it"
for command in $commands; do
  redo "$command" -h | grep -q -- '--\(\[no-\]\)\{0,1\}json ' || continue
  run redo "$command" --json --bogus-option
  expect_status 129
  expect_stdout ''
  expect_stderr '{"error":"unknown option '"'bogus-option'"'","exit":129}'
  [ "${place[$command]}" = store ] || continue
  run bash -c "redo -C '$WORK' $command --json ${works[$command]} </dev/null"
  expect_status 128
  expect_stderr '{"error":"not a redo repository (or any of the parent directories): .redo","exit":128}'
done

scene "outside of a store there is one sentence"
for command in $commands; do
  [ "${place[$command]}" = store ] || continue
  run bash -c "redo -C '$WORK' $command ${works[$command]} </dev/null"
  expect_error 128 "fatal: not a redo repository (or any of the parent directories): .redo"
  run bash -c "redo --redo-dir '$WORK/nowhere' $command ${works[$command]} </dev/null"
  expect_error 128 "fatal: not a redo repository: '$WORK/nowhere'"
done

scene "-- and --end-of-options end the options"
for command in $commands; do
  for end in -- --end-of-options; do
    run bash -c "redo $command $end --bogus-option -h </dev/null"
    ! grep -q "unknown option\|unknown switch" "$ERR" || fail "an option behind '$end'" <"$ERR"
    ! grep -q '^usage' "$OUT" || fail "-h behind '$end'" <"$OUT"
  done
done
rm -rf ./--bogus-option

scene "a full disk behind stdout, or none at all, is one fatal error"
for command in $commands; do
  for to in '>/dev/full' '>&-'; do
    [ -z "${silent[$command]:-}" ] || continue
    run bash -c "redo $command ${works[$command]} </dev/null $to"
    expect_status 128
    expect_stderr_has "fatal: write error: "
    expect_equal "$(wc -l <"$ERR")" 1 "lines on stderr"
  done
  run bash -c "redo $command -h >/dev/full"
  expect_error 128 "write error"
done

scene "a reader that goes away ends a command silently, by the signal"
for command in $commands; do
  [ "${streams[$command]}" != - ] || continue
  bash -c "redo $command ${streams[$command]} 2>'$ERR' | head -c 1 >'$OUT'; exit \${PIPESTATUS[0]}"
  STATUS=$? RUN="redo $command ${streams[$command]} | head -c 1"
  expect_status 141
  expect_stderr ''
done

scene "nothing that is left over is read, and nothing is asked: standard input may be closed"
for command in $commands; do
  run bash -c "redo $command ${works[$command]} <&-"
  expect_status 0
done

scene "an interrupt ends a command that waits, with 130, and nothing is left behind"
before=$(fingerprint)
mkfifo slow
for command in $commands; do
  [ "${waits[$command]}" != - ] || continue
  sleep 60 >slow &
  feeder=$!
  # shellcheck disable=SC2086 # words
  env --default-signal=INT redo "$command" ${waits[$command]} <slow >"$OUT" 2>"$ERR" &
  pid=$!
  # It has begun to wait when it sleeps in a read or a poll of the pipe.
  for _ in {1..40}; do
    grep -q 'poll\|pipe' "/proc/$pid/wchan" 2>/dev/null && break
    sleep 0.02
  done
  sleep 0.1
  kill -INT $pid
  wait $pid 2>/dev/null
  STATUS=$? RUN="redo $command ${waits[$command]}, interrupted"
  kill $feeder 2>/dev/null
  wait $feeder 2>/dev/null
  expect_status 130
  expect_stdout ''
  expect_stderr ''
  expect_equal "$(temporaries)" 0 "temporary files"
  expect_untouched "$before"
done

# A node whose every text is hostile: an escape sequence, a C1 control, a turn of direction, a line feed; and what nobody
# sees: no width, a byte order mark, a soft hyphen, a tag.
scene "text of a node moves no cursor, turns no line and ends no row, whatever shows it"
make_store hostile
BAD='a\u001b[31m\u009bb\u202ec\u2066d\u200b\ufeff\u00ad\udb40\udc41\ne'
printf '{"version":1,"parents":[],"timestamp":{"lamport":1,"wall":"2025-01-01T00:00:00.000Z"},"author":{"userId":"%s","deviceId":"%s","deviceName":"%s","name":"%s","email":"%s"},"action":"CREATE","taskId":"7a000000-0000-4000-8000-000000000009","data":{"fields":{"title":"%s","%s":{"%s":["%s"]}}}}' \
  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "$BAD" "$BAD" "$BAD" "$BAD" "$BAD" "$BAD" "$BAD" "$BAD" >bad.json
ID=$(redo hash-object -w --update-heads bad.json)
cp bad.json one.json
printf '[a]\n\tb = x\033[31m\302\233\342\200\256\n' >>.redo/config
harmless() {
  ! grep -q $'\033\|\302\233\|\342\200\256\|\342\201\246\|\342\200\213\|\357\273\277\|\302\255\|\363\240\201\201' "$1" || fail "a dangerous character" <"$1"
}
FORMAT='%(author:name)%(author:email)%(author:device)%(author:devicename)%(action)'
for how in "log" "log --color=always --format='$FORMAT'" "log --format='$FORMAT'" "show $ID" "show --format='$FORMAT' $ID" \
  "cat-node --format='$FORMAT' $ID" "cat-node --batch-check='$FORMAT' <<<$ID" "stats --by=author" "stats --by=device" \
  "verify $ID" "import -n bad.json" "config list" "explain 7a00" "diff --allow-empty 2024-01-01" \
  "log --graph" "log --dot" "log --svg" "log --pretty=changes" "query tasks" "reflog" "verify --summary=device" "__complete ids" "__complete refs"; do
  run bash -c "redo $how"
  [ "$STATUS" -le 1 ] || fail "it fails" <"$ERR"
  harmless "$OUT"
  harmless "$ERR"
done
expect_equal "$(redo log --format="$FORMAT" | wc -l)" 1 "rows"
# The report of a refused node, too.
sed 's/"version":1/"version":"\\u001b[31m"/' bad.json >refused.json
for how in "hash-object refused.json" "import refused.json" "verify --ndjson <refused.json" "log $'\033'x" "$'\033'x" \
  "log --$'\033'x" "log --format=$'%(\033)'"; do
  run bash -c "redo $how"
  [ "$STATUS" -ne 0 ] || fail "it is taken" </dev/null
  harmless "$OUT"
  harmless "$ERR"
done

scene "with -z and in JSON a text is what it is"
name=$(printf 'a\033[31m\302\233b\342\200\256c\342\201\246d\342\200\213\357\273\277\302\255\363\240\201\201\ne')
for how in "log -z --format=%(author:name)" "show -z --format=%(author:name) $ID" "stats -z --by=device"; do
  # shellcheck disable=SC2086 # words
  redo ${how%% *} ${how#* } >"$OUT"
  RUN="redo $how"
  grep -qzF -- "$name" "$OUT" || fail "another name" <"$OUT"
done
for how in "log --json" "show --json $ID" "stats --by=device --json" "stats --by=author --json" "cat-node $ID"; do
  # shellcheck disable=SC2086 # words
  redo $how >"$OUT"
  RUN="redo $how"
  python3 -c 'import json, sys; assert sys.argv[1] in json.dumps(json.load(sys.stdin), ensure_ascii=False)' \
    "$(python3 -c 'import json, sys; print(json.dumps(sys.argv[1], ensure_ascii=False)[1:-1])' "$name")" <"$OUT" ||
    fail "another name" <"$OUT"
done
cd ..

scene "colour and progress are not for pipes"
for command in $commands; do
  run bash -c "redo $command ${works[$command]} </dev/null"
  ! grep -q $'\033' "$OUT" "$ERR" || fail "a colour" <"$OUT"
  ! grep -q $'\r' "$ERR" || fail "progress" <"$ERR"
done
