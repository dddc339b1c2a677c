#!/bin/bash
# Every row E1 to E20 of the schemas of records, by its check: each is really run, and what comes of it is worked out by another program.
# The public vectors are those beside the specification, if it is there. Each row is printed with its outcome; one that fails lets the
# others run, and fails the script.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "the rows of the schemas" rfc8785 nacl
export PYTHONDONTWRITEBYTECODE=1
rows() { "$PYTHON" "$TESTS/Oracle/schema_rows.py" "$@"; }
log() { "$PYTHON" "$TESTS/Oracle/schema_log.py" "$@"; }
VECTOR_FILE=$TESTS/../../shared/spec/schema-vectors.json
if [ ! -r "$VECTOR_FILE" ]; then
  echo "# ../shared/spec/schema-vectors.json IS ABSENT: the rows are checked by what other programs make here, not by the public vectors"
  VECTOR_FILE=''
fi
YEAR=$(date -u +%Y)
D=$YEAR-01-02

# on <store> <time> <arguments of redo schema>...: an edit, which must do what it should; may <the same>: it need not.
may() { run env REDO_AUTHOR_DATE="$2" redo -C "$1" schema "${@:3}"; }
on() {
  may "$@"
  expect_status 0
}
lines() { redo -C "$1" export -q --kind=schema; }
joined() { lines "$1" | log joined; }
# hashes <store>: those of its schemas, as it says; definition <store> <schema>.
hashes() { redo -C "$1" schema list --all --json | sed 's/.*"hash":"sha256:\([^"]*\)".*/\1/' | sort; }
definition() { redo -C "$1" schema show --json "$2"; }
# of <store> <schema> <expression over d, the definition, and f, its fields by name>
of() {
  definition "$1" "$2" | "$PYTHON" -c '
import json, sys
d = json.load(sys.stdin)
f = {each["displayName"]: each for each in d["fields"]}
print(eval(sys.argv[1]))' "$3"
}
# record <store> <task> <expression over r, its row, and f, its fields by name>
record() {
  redo -C "$1" state --records --task="$2" | "$PYTHON" -c '
import json, sys
r = json.loads(sys.stdin.readline())
f = {each["name"]: each for each in r["fields"]}
print(eval(sys.argv[1]))' "$3"
}
task_of() { sed -n "s/^created record '\(.*\)'$/\1/p" "$ERR"; }
# agree <store>...: they have the same objects and hashes, and these are the joins of the other program; nothing is damaged.
agree() {
  local store
  for store; do
    expect_equal "$(lines "$store" | sort | sha256sum)" "$(lines "$1" | sort | sha256sum)" "the objects of $store"
    expect_equal "$(hashes "$store")" "$(joined "$1" | sed 's/^sha256:\([^ ]*\).*/\1/' | sort)" "the hashes of $store"
    redo -C "$store" verify >/dev/null || fail "'$store' is not whole" </dev/null
  done
}
# two: ada and ben with an iPad and an iPhone and the same schema, without a field.
two() {
  stores ada ben
  redo -C ada key device-name iPad && redo -C ben key device-name iPhone
  redo -C ada remote add ben "$(url ben)"
  on ada "${D}T08:00:00Z" new visit --name=Visit
  meet
}
meet() {
  run redo -C ada sync -q ben
  expect_status 0
}
# Whatever comes in by itself.
take() { redo -C "$1" hash-object -t schema -w --update-heads --ndjson; }

# row <E...> <what is checked> <function>: what the function prints last is said with the outcome.
close_scene() { :; }
failed=0
row() {
  local status note
  mkdir "$WORK/row"
  scene_count=$((scene_count + 1)) scene_text="$1: $2" scene_skip=''
  (cd "$WORK/row" && "$3") >"$WORK/.last/row" 2>&1
  status=$?
  if [ $status -eq 0 ]; then
    note=$(sed '$!d; s/^/ (/; s/$/)/' "$WORK/.last/row")
    echo "# $1: holds$note"
    echo "ok $scene_count - $1: $2"
  else
    failed=$((failed + 1))
    grep -q '^not ok' "$WORK/.last/row" || echo "not ok $scene_count - $1: $2"
    cat "$WORK/.last/row"
    echo "# $1: does not hold"
  fi
  rm -rf "$WORK/row" && cd "$WORK/here" || exit 1
}

e1() {
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  on ben "${D}T09:00:00Z" add-field visit --name=Dose --type=int
  # Neither has seen the other's yet.
  expect_equal "$(of ada visit 'sorted(f)') $(of ben visit 'sorted(f)')" "['Notes'] ['Dose']" "the fields before"
  meet
  for store in ada ben; do expect_equal "$(of $store visit 'sorted(f)')" "['Dose', 'Notes']" "the fields of $store"; done
  agree ada ben
  expect_equal "$(redo -C ada schema show --hash visit)" "$(redo -C ben schema show --hash visit)" "the hashes"
  expect_equal "$(lines ada | "$PYTHON" -c '
import json, sys
print(sorted((each["change"]["op"], each["change"]["source"], len(each["parents"])) for each in map(json.loads, sys.stdin)))')" \
    "[('add-field', 'manual', 1), ('add-field', 'manual', 1), ('new', 'manual', 0)]" "the objects"
  # Once more nothing moves, and nothing is made.
  before=$(fingerprint ben)
  meet
  expect_untouched "$before" ben
  expect_equal "$(lines ada | wc -l)" 3 "the objects"
}

e2() {
  local store type
  two
  # By random ids, and by one key.
  on ada "${D}T10:00:00Z" add-field visit --name=impact --type=string
  on ben "${D}T10:00:00Z" add-field visit --name=impact --type=int
  on ada "${D}T11:00:00Z" add-field visit --id=impact --name='Impact zone' --type=string
  on ben "${D}T11:00:01Z" add-field visit --id=impact --name='Impact score' --type=int
  meet
  agree ada ben
  definition ada visit | rows shown >shown
  expect_equal "$(cut -f3 shown | sort | paste -sd,)" "Impact score,Impact zone,impact,impact" "the fields"
  expect_equal "$(cut -f1 shown | sort -u | wc -l)" 4 "different UUIDs"
  expect_equal "$(grep $'\timpact$' shown | cut -f2 | sort | paste -sd' ')" "int string" "the types of what has random ids"
  # Both of one key: the older one keeps the id, the other has one of its own; both have the types that they had.
  expect_equal "$(grep 'zone$' shown | cut -f1,2)" "$(rows keys visit impact)	string" "the older one"
  expect_equal "$(grep 'score$' shown | cut -f1,2)" "$(rows keys - "$(rows keys visit impact):int")	int" "the younger one"
  for store in ada ben; do
    redo -C $store schema show visit | sed -n 's/^        id: //p' | sort >ids
    cut -f1 shown | sort | cmp -s - ids || fail "other UUIDs in $store" <ids
  done
  # Each takes the value of its type.
  run redo -C ada record new visit 'Impact zone=front' 'Impact score=3'
  expect_status 0
  expect_equal "$(record ada "$(task_of)" '[f[n]["value"] for n in ("Impact zone", "Impact score")]')" "['front', 3]" "the values"
  # And in files of the app.
  for type in string int; do
    echo '{"id":"sport","displayName":"Sport","iconSystemName":"figure","fields":[{"id":"impact","fieldType":"'$type'"}]}' >$type.json
  done
  redo schema merge-file string.json int.json | rows shown >files
  expect_equal "$(cut -f2 files | sort | paste -sd' ') $(cut -f1 files | sort -u | wc -l)" "int string 2" "the fields of files"
  echo "$(wc -l <shown) fields of 2 names and 2 types"
}

e3() {
  local task state
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  on ada "${D}T10:01:00Z" add-field visit --name=Dose --type=int
  run redo -C ada record new visit Notes=kept Dose=2
  task=$(task_of)
  state=$(redo -C ada state --json)
  meet
  on ben "${D}T11:00:00Z" hide visit Notes
  meet
  for store in ada ben; do
    # The bytes of the state are what they were, the value is among them; it is not shown unless that is asked.
    expect_equal "$(redo -C $store state --json)" "$state" "the state of $store"
    redo -C $store state --json | grep -q '{"type":"string","value":"kept"}' || fail "the value is gone" </dev/null
    expect_equal "$(record $store "$task" '[(f["Notes"][k]) for k in ("value", "visibility")]')" "['kept', 'hidden']" "the row"
    run redo -C $store record show "$task"
    expect_stdout_has "Dose: 2"
    expect_stdout_lacks 'Notes'
    expect_stdout_has "1 hidden field; '--all-fields' shows it"
    run redo -C $store record show --all-fields "$task"
    expect_stdout_has "Notes (hidden): kept"
    run redo -C $store schema show visit
    expect_stdout_lacks "Notes"
  done
  on ada "${D}T12:00:00Z" restore visit Notes
  meet
  agree ada ben
  for store in ada ben; do
    run redo -C $store record show "$task"
    expect_stdout_has "Notes: kept"
    run redo -C $store schema show visit
    expect_stdout_has "Notes (string)"
    expect_equal "$(redo -C $store state --json)" "$state" "the state of $store"
  done
}

e4() {
  local refs option field forged
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  meet
  refs=$(redo -C ada show-ref)
  may ada "${D}T11:00:00Z" set visit Notes --type=int
  expect_status 1
  expect_stdout ''
  expect_stderr_has "schema-type-changed at /fields/0/fieldType"
  expect_stderr_has "hint: 'add-field' adds one of another type, 'deprecate' retires this one"
  for option in created-by created-at updated-by updated-at; do
    may ada "${D}T11:00:00Z" set visit Notes --$option=x --name=Other
    expect_status 1
    expect_stderr_has "schema-provenance at /fields/0/"
  done
  expect_equal "$(redo -C ada show-ref)" "$refs" "the refs"
  # What another program signs in spite of that enters no history, from whichever side it comes.
  "$PYTHON" - "$TESTS/Oracle" <(lines ada) >forged <<'END'
import copy, json, sys
sys.path.insert(0, sys.argv[1])
import rfc8785
from schema_log import Device
from schema_edit import broken, next_version
device = Device(1)
head = max(map(json.loads, open(sys.argv[2])), key=lambda each: each["timestamp"]["lamport"])
for member, value in (("fieldType", "int"), ("createdBy", device.uuid), ("createdAt", "2001-01-01T00:00:00.000Z")):
    definition = copy.deepcopy(head["definition"])
    definition["version"] = next_version([definition["version"]], device.uuid, "2030-01-01T00:00:00.000Z")
    definition["fields"][0] |= {member: value, "updatedBy": device.uuid, "updatedAt": "2030-01-01T00:00:00.000Z"}
    made = device.sealed({"schema": 1, "parents": [head["id"]], "timestamp": {"lamport": 9, "wall": "2030-01-01T00:00:00.000Z"},
                          "author": device.author, "change": {"op": "set", "source": "manual"}, "definition": definition})
    assert broken(made, [head]) == {"schema-lost" if member == "fieldType" else "schema-provenance"}
    print(rfc8785.dumps(made).decode())
END
  for forged in 1 2 3; do
    sed -n ${forged}p forged >line
    for way in 'import -q -' 'hash-object -t schema -w --update-heads --ndjson'; do
      # shellcheck disable=SC2086 # words
      run redo -C ada $way <line
      expect_status 1
      expect_stderr_has "$([ $forged = 1 ] && echo schema-lost || echo schema-provenance)"
      expect_equal "$(redo -C ada show-ref)" "$refs" "the refs"
    done
  done
  # All else can be set, as the other program applies it.
  on ada "${D}T12:00:00Z" set visit Notes --name=Remarks --required --order=-3 --placeholder=... --help-text=free \
    --rule=minLength=2 --rule=pattern='^a' --multiline --capitalization=words
  on ada "${D}T12:00:01Z" hide visit Remarks
  on ada "${D}T12:00:02Z" deprecate visit Remarks
  on ada "${D}T12:00:03Z" set visit --name='A visit' --icon=cross --description=what
  on ada "${D}T12:00:04Z" add-field visit --name=Other --type=string
  on ada "${D}T12:00:05Z" merge-fields visit Remarks Other
  expect_equal "$(of ada visit '[d["displayName"], d["iconSystemName"], d["description"]]')" "['A visit', 'cross', 'what']" "the schema"
  field='{k: v for k, v in f["Remarks"].items() if not k.endswith(("At", "By")) and k != "id"} == {
    "displayName": "Remarks", "fieldType": "string", "isRequired": True, "displayOrder": -3, "placeholder": "...", "helpText": "free",
    "validationRules": [{"type": "minLength", "value": 2}, {"type": "pattern", "value": "^a"}], "isMultiline": True,
    "capitalizationMode": "words", "visibility": "deprecated", "mergedInto": f["Other"]["id"]}'
  expect_equal "$(of ada visit "$field")" True "the field"
  meet
  agree ada ben
}

e5() {
  local task head
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  on ada "${D}T10:01:00Z" add-field visit --name=Dose --type=int
  run redo -C ada record new visit Notes=kept Dose=2
  task=$(task_of)
  head=$(redo -C ada show-ref --format='%(objectname)' "heads/$task")
  run redo -C ada verify --records
  expect_status 0
  expect_stdout ''
  run redo -C ada show "$head"
  expect_stderr ''
  on ada "${D}T11:00:00Z" deprecate visit Dose
  meet
  for store in ada ben; do
    run redo -C $store show "$head"
    expect_status 0
    expect_stdout_has ", deprecated): 2"
    expect_stderr "warning: '$head': record-deprecated: the field 'Dose' is deprecated"
    run redo -C $store verify --records
    expect_status 0
    expect_stdout "record-deprecated	$task	$(of ada visit 'f["Dose"]["id"]')	$(of ada visit 'f["Dose"]["id"]')	Dose	-"
    run redo -C $store record show "$task"
    expect_stdout_has "Dose (deprecated): 2"
    run redo -C $store schema show visit
    expect_stdout_has "Dose (int, deprecated)"
    # It makes nothing invalid.
    redo -C $store verify >said || fail "it is taken for damage" <said
  done
  on ada "${D}T12:00:00Z" restore visit Dose
  run redo -C ada verify --records
  expect_stdout ''
}

e6() {
  local name hash kind
  rows phases made ${VECTOR_FILE:+"$VECTOR_FILE"} >phases || fail "the other program has no phases" <phases
  redo init -q own && redo -C own key generate >/dev/null 2>&1
  while IFS=$'\t' read -r name hash kind; do
    run redo schema merge-file -q "made/$name.json"
    expect_status 0
    expect_stdout_file "made/$name.definition"
    cp "$OUT" "$OUT.definition"
    run redo schema merge-file -q --hash "made/$name.json"
    expect_stdout "$hash"
    [ "$kind" = kept ] || grep -q '"version":{[^}]*,"deviceId":"[0-]*","timestamp":"0001-01-01T00:00:00.000Z"}' "$OUT.definition" ||
      fail "the version is that of an edit" <"$OUT.definition"
    # In a store it is that, too, and the schemas of a name come to the join of all.
    redo init -q "in-$name" && redo -C "in-$name" key generate >/dev/null 2>&1
    run redo -C "in-$name" schema import -q "$PWD/made/$name.json"
    expect_status 0
    expect_equal "$(hashes "in-$name")" "$hash" "the hash in a store"
    run redo -C own schema import -q "$PWD/made/$name.json"
    expect_status 0
  done <phases
  agree own
  # One with a version of redo's keeps it.
  "$PYTHON" - made/own-version.json made/own-version.definition <<'END' || fail "the version is another one" </dev/null
import json, sys
app, definition = (json.load(open(name)) for name in sys.argv[1:])
for name in ("version", "metaVersion"):
    said = app[name]
    assert definition[name] == {**said, "timestamp": "2026-01-20T08:30:00.000Z", "deviceId": said["deviceId"].lower()}
END
  expect_equal "$(redo -C in-own-version schema list --json | sed 's/.*"version":"\([^"]*\)".*/\1/')" \
    "2026-01-20T08:30:00.000Z/bbbbbbbb-0000-4000-8000-000000000002/12" "the version in a store"
  # An edit of an imported one is later than it.
  on in-own-texts 2001-01-01T00:00:00Z set vaccine --name=Later
  on in-own-texts 2001-01-01T00:00:00Z import "$PWD/made/own-texts.json"
  expect_equal "$(of in-own-texts vaccine 'd["displayName"]')" Later "the name"
  echo "$(wc -l <phases) files${VECTOR_FILE:+, the public vectors among them}"
}

e7() {
  local name device now next count clocks store
  # Which of two versions counts: by time, device and counter.
  count=$(rows versions made ${VECTOR_FILE:+"$VECTOR_FILE"})
  for order in 'less greater' 'greater less'; do
    # shellcheck disable=SC2046 # words
    run redo schema merge-file -q $(printf 'made/%s.json ' $order)
    expect_status 0
    expect_stdout_file made/greater.ndjson
  done
  # The version of an edit after heads, whatever the clock says.
  rows clock made ${VECTOR_FILE:+"$VECTOR_FILE"} >clocks || fail "the other program has no clocks" <clocks
  while IFS=$'\t' read -r name device now next; do
    redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1
    redo -C "$name" key device-id set -f "$device"
    if [ -s "made/$name.ndjson" ]; then
      take "$name" <"made/$name.ndjson" >"$OUT" 2>"$ERR" || fail "the heads are not taken" <"$ERR"
      expect_equal "$(redo -C "$name" schema list | cut -f2)" "$(wc -l <"made/$name.ndjson")" "heads"
      on "$name" "$now" set clock --description=edited
    else
      on "$name" "$now" new clock
    fi
    expect_equal "$(redo -C "$name" cat-node --pointer=/definition/version "$(cat "$OUT")")" "$next" "the version of $name"
    expect_equal "$(lines "$name" | rows version)" "$next" "the version of $name, beside all before it"
    agree "$name"
  done <clocks
  clocks=$(wc -l <clocks)
  # An edit with the clock set back exceeds all heads: those of two devices, one of which is far ahead.
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  meet
  on ada "$((YEAR + 5))-06-01T00:00:00Z" rename visit Notes Ahead
  on ben "${D}T11:00:00Z" rename visit Notes Behind
  meet
  on ben 2001-01-01T00:00:00Z rename visit Ahead Last
  lines ben | rows version >version || fail "it is not later than all heads" <version
  expect_equal "$(definition ben visit | sed 's/.*"version":\({[^}]*}\).*/\1/')" "$(cat version)" "the version"
  meet
  expect_equal "$(of ada visit 'list(f)')" "['Last']" "what counts"
  agree ada ben
  # Stamps that would end the clock.
  rows ranges made ${VECTOR_FILE:+"$VECTOR_FILE"} >ranges || fail "the other program has no ranges" <ranges
  offer ranges
  echo "$count pairs, $clocks clocks, $(wc -l <ranges) stamps"
}
# offer <rows>: objects that are to be taken, or not.
offer() {
  local name id rules rule before
  while IFS=$'\t' read -r name id rules; do
    redo init -q "$name"
    if [ -s "made/$name.before" ]; then
      take "$name" <"made/$name.before" >"$OUT" 2>"$ERR" || fail "what was before is not taken" <"$ERR"
    fi
    before=$(redo -C "$name" show-ref)
    run take "$name" <"made/$name.ndjson"
    if [ "$rules" = - ]; then
      expect_status 0
      expect_stdout "$id"
    else
      expect_status 1
      for rule in ${rules//,/ }; do expect_stderr_has "$rule"; done
      expect_equal "$(redo -C "$name" show-ref)" "$before" "the refs"
    fi
  done <"$1"
}

e9() {
  local name count hash whole order
  rows merges made ${VECTOR_FILE:+"$VECTOR_FILE"} >merges || fail "the other program has no merges" <merges
  while IFS=$'\t' read -r name count hash whole; do
    [ "$count" = 2 ] && set -- '1 2' '2 1' || set -- '1 2 3' '1 3 2' '2 1 3' '2 3 1' '3 1 2' '3 2 1'
    for order; do
      # shellcheck disable=SC2046,SC2086 # words
      run redo schema merge-file -q --hash $(printf "made/$name.%s.json " $order)
      expect_status 0
      expect_stdout "$hash"
      # Joined with what it is made of it stays itself.
      # shellcheck disable=SC2046,SC2086 # words
      redo schema merge-file -q $(printf "made/$name.%s.json " $order) >join
      # shellcheck disable=SC2086 # words
      run redo schema merge-file -q --hash made/$name.${order:0:1}.json join made/$name.${order: -1}.json
      expect_stdout "$hash"
      # As heads of a store, whichever came first.
      rm -rf own && redo init -q own
      for head in $order; do sed -n "${head}p" "made/$name.heads" | take own >/dev/null 2>&1 || fail "a head is not taken" </dev/null; done
      expect_equal "$(hashes own)" "$whole" "the join of the heads of $name"
    done
  done <merges
  # Many at once, of three devices.
  "$PYTHON" "$TESTS/Oracle/schema_join.py" make 200 "$SEED" made
  for order in 'one two' 'two one'; do
    # shellcheck disable=SC2046 # words
    run redo schema merge-file -q $(printf 'made/%s.json ' $order)
    expect_stdout_file made/both.ndjson
  done
  # A child that lacks something of a parent is refused, and one that is the join, or more, is not.
  rows lost made ${VECTOR_FILE:+"$VECTOR_FILE"} >lost || fail "the other program has no children" <lost
  offer lost
  echo "$(wc -l <merges) cases in every order, 200 pairs, $(wc -l <lost) children${VECTOR_FILE:+; the public vectors among them}"
}

e10() {
  local devices one
  two
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  on ben "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  on ben "${D}T10:00:01Z" add-field visit --name=Notes --type=int
  on ben "${D}T10:00:02Z" add-field visit --name=Hidden --type=int
  on ben "${D}T10:00:03Z" hide visit Hidden
  on ada "${D}T10:00:03Z" add-field visit --name=Hidden --type=int
  run redo -C ada schema check
  expect_status 0
  meet
  devices="$(redo -C ada key device-id)=iPad,$(redo -C ben key device-id)=iPhone"
  definition ada visit | rows collisions "$devices" >wanted
  expect_equal "$(wc -l <wanted)" 3 "pairs"
  for store in ada ben; do
    for schema in '' visit; do
      # shellcheck disable=SC2086 # a word or none
      run redo -C $store schema check $schema
      expect_status 1
      expect_stdout_file wanted
      expect_stderr_has "hint: 'rename' one of them, or 'merge-fields'"
    done
  done
  expect_stdout_has "two fields named 'Notes' (from iPad and iPhone)"
  if [ -n "$VECTOR_FILE" ]; then
    redo init -q own
    rows objects made "$VECTOR_FILE" && take own <made/collisions.ndjson >/dev/null 2>&1 || fail "the definition is not taken" </dev/null
    run redo -C own schema check
    expect_status 1
    "$PYTHON" - "$VECTOR_FILE" "$OUT" <<'END' || fail "other pairs than those of the vectors" <"$OUT"
import json, sys
pairs = json.load(open(sys.argv[1]))["collisions"]["pairs"]
found = [line.rstrip("\n").split("\t")[2:4] for line in open(sys.argv[2])]
assert found == list(pairs.values()), (found, pairs)
END
  fi
  # After renames there is nothing to say; merged fields count as hidden.
  one=$(cut -f3 wanted | head -n 1)
  on ada "${D}T11:00:00Z" rename visit "$one" 'Notes (iPad)'
  run redo -C ada schema check visit
  expect_status 1
  expect_stdout_lines 1
  one=$(cut -f4 "$OUT")
  on ada "${D}T11:00:01Z" rename visit "$one" 'Notes (number)'
  run redo -C ada schema check visit
  expect_status 0
  expect_stdout ''
  expect_equal "$(definition ada visit | rows collisions "$devices")" '' "what the other program finds"
  meet
  run redo -C ben schema check
  expect_status 0
  expect_stdout ''
}

e11() {
  local id name
  stores ada
  id=$(redo -C ada key device-id)
  grep -qxE '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}' <<<"$id" || fail "it is no random UUID" <<<"$id"
  on ada "${D}T10:00:00Z" new visit
  on ada "${D}T10:00:01Z" add-field visit --name=Notes --type=string
  redo -C ada commit -q create --title=x >/dev/null
  redo -C ada repack -q
  rm -rf ada/.redo/cache
  mkdir ada/below
  for name in ada ada/below; do expect_equal "$(redo -C $name key device-id)" "$id" "the device id"; done
  redo -C ada key rotate >/dev/null 2>&1 || fail "the key is not rotated" </dev/null
  expect_equal "$(redo -C ada key device-id)" "$id" "the device id after another key"
  # It is what objects and stamps say.
  on ada "${D}T10:00:02Z" rename visit Notes Remarks
  expect_equal "$(of ada visit '{d["version"]["deviceId"], *(f["Remarks"][k] for k in ("createdBy", "updatedBy"))}')" "{'$id'}" "the stamps"
  expect_equal "$(lines ada | sed 's/.*"deviceId":"\([^"]*\)","[dp].*/\1/' | sort -u)" "$id" "the authors"
  # Another store has another one; one that is no UUID is the same UUID everywhere.
  stores ben
  [ "$(redo -C ben key device-id)" != "$id" ] || fail "two stores are one device" </dev/null
  redo -C ben key device-id set -f laptop
  on ben "${D}T10:00:00Z" new visit
  id=$(rows keys "$(redo -C ben key show --user-id)" laptop)
  expect_equal "$(of ben visit 'd["version"]["deviceId"]')" "$id" "the device of the version"
  expect_equal "$(redo -C ben device list | cut -f1)" "$id" "the device of the list"
}

e12() {
  local store ben
  two
  ben=$(redo -C ben key device-id)
  on ada "$((YEAR - 1))-03-04T10:00:00Z" add-field visit --name=Older --type=string
  on ada "${D}T10:00:00Z" add-field visit --name=Notes --type=string
  meet
  on ben "$YEAR-01-03T23:59:59.999Z" rename visit Notes Remarks
  on ben "$YEAR-11-30T00:00:00Z" add-field visit --name=Dose --type=int
  redo -C ben commit -q create --title=x --date="$YEAR-01-05T00:00:00Z" >/dev/null
  meet
  # What a program brought along, and what somebody unknown has added.
  cat >app.json <<END
{"id":"visit","displayName":"Visit","iconSystemName":"doc","fields":[{"id":"built","fieldType":"int","displayName":"Built"},
 {"id":"unknown","fieldType":"int","displayName":"Unknown","createdAt":"${D}T10:00:00Z","updatedBy":"$ben",
  "updatedAt":"$YEAR-01-04T10:00:00Z"},
 {"id":"stranger","fieldType":"int","displayName":"Stranger","createdAt":"0100-12-31T10:00:00Z",
  "createdBy":"AAAAAAAA-0000-4000-8000-000000000001"}]}
END
  on ada "${D}T11:00:00Z" import "$PWD/app.json"
  meet
  # all <store>: nodes and schemas.
  all() { redo -C "$1" export -q --format=ndjson 2>/dev/null && lines "$1"; }
  # told <store>: the list and the texts are those of the other program, which has nothing but the objects.
  told() {
    all "$1" >all
    rows devices <all >wanted
    run redo -C "$1" device list --all
    expect_status 0
    expect_stdout_file wanted
    run redo -C "$1" device list
    expect_stdout "$(grep -v $'\tforgotten$' wanted)"
    run redo -C "$1" schema show --provenance --all-fields visit
    expect_status 0
    rows said <"$OUT" >said
    definition "$1" visit | rows provenance all "$YEAR" | diff - said >difference || fail "other texts in $1" <difference
  }
  for store in ada ben; do told $store; done
  cut -f2,5,6 wanted | grep -qx 'iPhone	3	-' || fail "the row of the iPhone" <wanted
  for text in "Older	Created by iPad on Mar 4, $((YEAR - 1))" "Remarks	Created by iPad on Jan 2, changed by iPhone on Jan 3" \
    "Dose	Created by iPhone on Nov 30" 'Built	Built in' \
    'Unknown	Created on Jan 2, changed by iPhone on Jan 4' 'Stranger	Created by aaaaaaaa on Dec 31, 100'; do
    grep -qxF "$text" said || fail "there is no '$text'" <said
  done
  # Revoked: told, and nothing depends on it.
  run redo -C ada device revoke iPhone
  expect_status 0
  expect_stderr_has "redo trust revoke"
  meet
  for store in ada ben; do
    told $store
    for text in 'Dose	Created by iPhone (revoked) on Nov 30' 'Remarks	Created by iPad on Jan 2, changed by iPhone (revoked) on Jan 3'; do
      grep -qxF "$text" said || fail "there is no '$text'" <said
    done
    expect_equal "$(cut -f2,6 wanted | grep iPhone)" "iPhone	revoked" "the row of the iPhone"
    run redo -C $store device show iPhone
    expect_stdout_has "Registry: revoked"
    run redo -C $store verify --all
    expect_status 0
  done
  on ben "${D}T12:00:00Z" rename visit Dose Amount
  meet
  agree ada ben
  expect_equal "$(of ada visit '"Amount" in f')" True "the name that the revoked device gave"
  run redo -C ada device restore iPhone
  expect_status 0
  run redo -C ada device forget iPhone
  expect_status 0
  told ada
  run redo -C ada device restore iPhone
  told ada
  grep -q 'Created by iPhone on Nov 30' said || fail "it stays revoked" <said
  agree ada
}

e14() {
  local key name id
  stores own other
  cat >app.json <<'END'
{"id":"vaccine","displayName":"Vaccine","iconSystemName":"syringe","version":2,"fields":[
 {"id":"vaccineName","displayName":"Name","fieldType":"string"},{"id":"doseNumber","displayName":"Dose","fieldType":"int"},
 {"id":"colour","displayName":"Colour","fieldType":"stringArray"},{"id":"dateAdministered","displayName":"Given","fieldType":"date"}]}
END
  for name in own other; do on $name "${D}T10:00:00Z" import "$PWD/app.json"; done
  { read -r name && read -r dose && read -r colour && read -r given; } < <(rows keys vaccine vaccineName doseNumber colour dateAdministered)
  { read -r bare && read -r nobody; } < <(rows keys - doseNumber nobody)
  # By string keys, by UUIDs in upper case and other names, and as a flat array; typed and bare.
  cat >records <<END
[{"id":"AAAAAAAA-0000-4000-8000-000000000001","schemaId":"vaccine","createdAt":"2026-01-02T10:00:00Z","updatedAt":757382400.5,"fields":
  {"vaccineName":{"type":"string","value":"MMR"},"doseNumber":3,"colour":["a","b"],
   "dateAdministered":{"type":"date","value":"2026-01-02"}}},
 {"id":"aaaaaaaa-0000-4000-8000-000000000002","schemaId":"vaccine","updatedAt":"2026-01-02T10:00:00Z","fields":
  {"${name^^}":{"type":"string","value":"MMR"},"${bare^^}":{"type":"int","value":3},
   "${colour^^}":{"type":"stringArray","value":["a","b"]},"00000001-0001-0002-0000-000000000000":788997600}},
 {"id":"aaaaaaaa-0000-4000-8000-000000000003","schemaId":"vaccine","updatedAt":"2026-01-02T10:00:00Z","fields":
  ["00000001-0001-0001-0000-000000000000",{"type":"string","value":"MMR"},"${dose^^}",{"type":"int","value":3},
   "colour",{"type":"stringArray","value":["a","b"]},"$given","2026-01-02T00:00:00Z"]}]
END
  run redo -C own record import "$PWD/records"
  expect_status 0
  expect_stdout_lines 3
  redo -C own record export >exported
  "$PYTHON" - exported "$name" "$dose" "$colour" "$given" <<'END' || fail "what is exported is not by UUIDs" <exported
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
name, dose, colour, given = sys.argv[2:]
assert [row["id"][-1] for row in rows] == ["1", "2", "3"]
for row in rows:
    assert row["schemaId"] == "vaccine"
    date = row["fields"][given].pop("value")
    assert row["fields"] == {name: {"type": "string", "value": "MMR"}, dose: {"type": "int", "value": 3},
                             colour: {"type": "stringArray", "value": ["a", "b"]}, given: {"type": "date"}}, row
    assert date == ("2026-01-01T22:00:00.000Z" if row["id"].endswith("2") else "2026-01-02T00:00:00.000Z"), date
assert rows[0]["createdAt"] == "2026-01-02T10:00:00.000Z" and rows[0]["updatedAt"] == "2025-01-01T00:00:00.500Z", rows[0]
END
  # What is written has no other key.
  redo -C own state --json | "$PYTHON" -c '
import json, re, sys
for line in sys.stdin:
    keys = set(json.loads(line)["fields"]) - {"schemaId", "personId", "createdAt", "updatedAt"}
    mine = {key for key in keys if re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", key)}
    assert len(mine) == 4, keys
    assert not keys & {"vaccineName", "doseNumber", "colour", "dateAdministered"}, keys
    assert all(key == key.lower() or "-" not in key for key in keys), keys' ||
    fail "a key that is no UUID" </dev/null
  # Round trip, by the own form and by that of the app, each record by itself and all of them.
  run redo -C other record import "$PWD/exported"
  expect_status 0
  redo -C other record export | diff exported - >difference || fail "it comes back as something else" <difference
  run redo -C other record import "$PWD/exported"
  expect_status 0
  expect_stdout ''
  redo -C own record export --for=app >for-app
  "$PYTHON" - for-app "$colour" <<'END' || fail "that is not what the app reads" <for-app
import json, sys
for line in open(sys.argv[1]):
    row = json.loads(line)
    fixed = [f"00000001-0001-{number:04X}-0000-000000000000" for number in (1, 5, 2)]
    assert row["id"] == row["id"].upper() and sorted(row["fields"]) == sorted([*fixed, sys.argv[2].upper()]), row
    assert row["fields"][fixed[2]] == {"type": "date", "value": "2026-01-01" if row["id"].endswith("2") else "2026-01-02"}, row
END
  stores third
  on third "${D}T10:00:00Z" import "$OLDPWD/app.json"
  run redo -C third record import "$OLDPWD/for-app"
  expect_status 0
  # Its dates have no time, and its times no fraction.
  coarse() { sed 's/T22:00:00.000Z"/T00:00:00.000Z"/; s/\.[0-9]*Z"/Z"/g'; }
  expect_equal "$(redo -C third record export | coarse)" "$(coarse <"$OLDPWD/exported")" "what comes back from the app"
  # Without a schema a key is what stands for it everywhere.
  redo -C third record import <<<'{"fields":{"nobody":{"type":"string","value":"x"}}}' >node 2>/dev/null
  id=$(redo -C third cat-node "$(cat node)")
  grep -qF "\"$nobody\":" <<<"$id" || fail "a key without a schema" <<<"$id"
  if [ -n "$VECTOR_FILE" ]; then
    "$PYTHON" - "$VECTOR_FILE" "$TESTS/Oracle" <<'END' || fail "the UUIDs of texts are not those of the vectors" </dev/null
import json, sys
sys.path.insert(0, sys.argv[2])
from schema_view import uuid_of
for text, id_ in json.load(open(sys.argv[1]))["deterministicUUID"].items():
    assert uuid_of(text) == id_
END
  fi
}

# values <store>: what is shown of each record, whatever its key; a key that is null is none.
values() {
  redo -C "$1" state --records | "$PYTHON" -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(row["guid"], row["unknown"], [(each["id"], each["type"], each["value"]) for each in row["fields"] if each["value"] is not None])'
}
e20() {
  local name schema count sum=0
  rows records made ${VECTOR_FILE:+"$VECTOR_FILE"} >sets || fail "the other program has no records" <sets
  while IFS=$'\t' read -r name schema count; do
    redo init -q "$name" && redo -C "$name" key generate >/dev/null 2>&1
    run take "$name" <"made/$name.ndjson"
    expect_status 0
    run redo -C "$name" commit --stdin <"made/$name.requests"
    expect_status 0
    expect_stdout_lines "$count"
    run redo -C "$name" state --records
    expect_status 0
    rows of "made/$name.expected" <"$OUT" >said 2>&1 || fail "'$name' is read otherwise" <said
    # Reading needs no migration; after one all is the same, under ids.
    values "$name" >before
    run redo -C "$name" record migrate
    expect_status 0
    values "$name" | diff before - >difference || fail "'$name' is read otherwise after a migration" <difference
    run redo -C "$name" record migrate
    expect_stdout ''
    sum=$((sum + count))
  done <sets
  echo "$sum records of $(wc -l <sets) definitions${VECTOR_FILE:+, the public vectors among them}"
}

row 'E1 E15' "two stores add offline and meet: both fields, one hash, no merge object" e1
row E2 "'impact' as a string and an int from two devices: two fields, two UUIDs, types kept" e2
row 'E3 E18' "hidden: the value is in the state; restored: it is shown" e3
row E4 "type and provenance are refused by rule, the refs stay; all else can be set" e4
row E5 "deprecated: show and 'verify --records' warn" e5
row 'E6 E13' "files of each phase give their definitions; one with a version keeps it" e6
row 'E7 E8' "versions compare as stated; an edit with the clock set back exceeds all heads" e7
row 'E9 E16' "merge-file, every case in every order" e9
row 'E10 E17' "check prints pairs and devices, and 1; after a rename nothing, and 0" e10
row E11 "the device id is stable" e11
row 'E12 E19' "the list of devices; where fields come from, without and with (revoked), and with the year" e12
row E14 "string keys, upper-case keys, a flat array are read; an export has UUIDs; a round trip" e14
row E20 "records of each phase are read alike under the last definition" e20

[ $failed -eq 0 ] || {
  echo "# $failed rows do not hold"
  exit 1
}
