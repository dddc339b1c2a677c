#!/bin/bash
# redo schema in a store: two people change a form offline and meet; hide, restore, deprecate, rename, merge fields, pick; what is refused.
# An independent program joins what the two have.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "schemas of two people" rfc8785 nacl
log() { "$PYTHON" "$TESTS/Oracle/schema_log.py" "$@"; }
# joined <store>: `<hash> <ref>` of each schema, by the other program; hashes <store>: the same by redo.
joined() { redo -C "$1" export -q --kind=schema | log joined; }
hashes() {
  redo -C "$1" schema list --all --json | "$PYTHON" -c '
import json, sys
print("\n".join(json.loads(line)["hash"] for line in sys.stdin))'
}
agree() {
  expect_equal "$(hashes "$1" | sort)" "$(joined "$1" | cut -d' ' -f1 | sort)" "the joins of '$1'"
  redo -C "$1" verify >/dev/null || fail "'$1' is not whole" </dev/null
}
# on <store> <time> <arguments of redo schema>...
on() { run env REDO_AUTHOR_DATE="$2" redo -C "$1" schema "${@:3}"; }
# of <store> <schema> <expression over f, its fields by name>
of() {
  redo -C "$1" schema show --json "$2" | "$PYTHON" -c '
import json, sys
d = json.load(sys.stdin)
f = {each["displayName"]: each for each in d["fields"]}
print(eval(sys.argv[1]))' "$3"
}

stores ada ben
redo -C ada remote add ben "$(url ben)"

scene "a schema is begun once; what is nobody's id is refused by rule and pointer"
on ada 2026-01-02T10:00:00Z new visit --name='A visit' --icon=cross
expect_status 0
ID=$(cat "$OUT")
run redo -C ada cat-node -t "$ID"
expect_stdout schema
on ada 2026-01-02T10:00:01Z new visit
expect_status 1
expect_stderr_has "the schema 'visit' is here"
for id in redo.devices redo.x; do
  on ada 2026-01-02T10:00:01Z new $id
  expect_status 1
  expect_stderr_has "schema-reserved at /id"
done
on ada 2026-01-02T10:00:01Z new ' x'
expect_status 1
expect_stderr_has "schema-id-form at /id"
on ada 2026-01-02T10:00:01Z new -n other
expect_status 0
run redo -C ada schema list
expect_equal "$(cut -f1-3,5 "$OUT")" "visit	1	0	A visit" "the row"
agree ada

scene "E1, E15: two people add fields offline; both stores show both, with one hash and no merge"
run redo -C ada push -q ben
expect_status 0
on ada 2026-01-03T10:00:00Z add-field visit --name=Notes --type=string --multiline
expect_status 0
on ben 2026-01-03T09:00:00Z add-field visit --name=Dose --type=int --rule=minValue=0 --rule=maxValue=9 --required
expect_status 0
run redo -C ada sync -q ben
expect_status 0
for store in ada ben; do
  expect_equal "$(of $store visit 'sorted(f)')" "['Dose', 'Notes']" "the fields of $store"
  agree $store
done
expect_equal "$(redo -C ada schema show --hash visit)" "$(redo -C ben schema show --hash visit)" "the hashes"
expect_equal "$(redo -C ada schema log visit | cut -f3 | sort | paste -sd' ')" "add-field add-field new" "the objects"
expect_equal "$(redo -C ada schema list | cut -f2)" 2 "heads"

scene "E2: two fields of one key and two types are two fields, each with its id"
on ada 2026-01-04T10:00:00Z add-field visit --id=impact --name=Impact --type=string
on ben 2026-01-04T10:00:00Z add-field visit --id=impact --name='Impact (1-5)' --type=int
run redo -C ada sync -q ben
expect_equal "$(of ada visit '[f["Impact"]["fieldType"], f["Impact (1-5)"]["fieldType"], f["Impact"]["id"] == f["Impact (1-5)"]["id"], d["keys"]]')" "['string', 'int', True, ['impact']]" "the fields"
run redo -C ada schema check visit
expect_status 1
expect_stdout_has "schema-twins	visit"
agree ben

scene "E3, E18: hide, and restore; the field stays"
on ada 2026-01-05T10:00:00Z hide visit Notes
expect_status 0
run redo -C ada schema show visit
expect_stdout_lacks Notes
expect_stdout_has "1 hidden field; '--all-fields' shows it"
run redo -C ada schema show --all-fields visit
expect_stdout_has "Notes (string, hidden)"
on ada 2026-01-05T10:00:01Z restore visit Notes
expect_status 0
on ada 2026-01-05T10:00:02Z restore visit Notes
expect_status 0
expect_stdout ''
expect_stderr "nothing changes"
run redo -C ada schema show visit
expect_stdout_has "Notes (string)"

scene "E4: type and provenance are refused by rule, and the refs stay; all else can be set"
refs=$(redo -C ada show-ref)
on ada 2026-01-06T10:00:00Z set visit Notes --type=int
expect_status 1
expect_stderr_has "schema-type-changed at /fields/"
for option in created-by created-at updated-by updated-at; do
  on ada 2026-01-06T10:00:00Z set visit Notes --$option=x
  expect_status 1
  expect_stderr_has "schema-provenance at /fields/"
done
expect_equal "$(redo -C ada show-ref)" "$refs" "the refs"
on ada 2026-01-06T10:00:00Z set visit Notes --name=Remarks --required --order=-3 --placeholder=... --help-text=free \
  --rule=minLength=2 --rule=pattern='^a' --no-multiline --capitalization=words
expect_status 0
expect_equal "$(of ada visit '{k: f["Remarks"][k] for k in ("isRequired", "displayOrder", "placeholder", "helpText", "validationRules", "isMultiline", "capitalizationMode")}')" \
  "{'isRequired': True, 'displayOrder': -3, 'placeholder': '...', 'helpText': 'free', 'validationRules': [{'type': 'minLength', 'value': 2}, {'type': 'pattern', 'value': '^a'}], 'isMultiline': False, 'capitalizationMode': 'words'}" "the field"
on ada 2026-01-06T10:00:01Z set visit Remarks --placeholder= --help-text= --no-rules --name=Notes
expect_equal "$(of ada visit '[f["Notes"].get(k) for k in ("placeholder", "helpText", "validationRules")]')" "[None, None, []]" "the field"
on ada 2026-01-06T10:00:02Z set visit --description='What happened' --name=Visit
expect_equal "$(of ada visit '[d["displayName"], d["description"]]')" "['Visit', 'What happened']" "the schema"
for words in 'set visit Notes --rule=length=3' 'set visit Notes --rule=minLength=x'; do
  on ada 2026-01-06T10:00:03Z $words
  expect_status 1
  expect_stderr_has "schema-rule-form"
done
on ada 2026-01-06T10:00:03Z set visit Notes --description=x
expect_status 129
on ada 2026-01-06T10:00:03Z set visit Nothing --required
expect_status 2
expect_stderr_has "'visit' has no field 'Nothing'"
on ada 2026-01-06T10:00:03Z set nothing --name=x
expect_status 2
expect_stderr_has "there is no schema 'nothing'"

scene "E7, E8: an edit with the clock set back is later than all heads"
before=$(of ada visit 'd["version"]["timestamp"]')
on ada 2001-01-01T00:00:00Z rename visit Dose Amount
expect_status 0
expect_equal "$(of ada visit 'd["version"]["timestamp"] > sys.argv[2]' 2>/dev/null || of ada visit "d['version']['timestamp'] > '$before'")" True "the version"
expect_equal "$(of ada visit 'f["Amount"]["fieldType"]')" int "the field"
run redo -C ada sync -q ben
agree ben
expect_equal "$(redo -C ada schema show --hash visit)" "$(redo -C ben schema show --hash visit)" "the hashes"

scene "E10, E17: two names collide, which check tells with the devices; after a rename it does not"
on ada 2026-01-07T10:00:00Z add-field visit --name=Weight --type=double
on ben 2026-01-07T10:00:00Z add-field visit --name=Weight --type=double
run redo -C ada sync ben
expect_stderr_has "warning: 'visit': schema-name-collision at /fields"
run redo -C ada sync ben
! grep -q name-collision "$ERR" || fail "it is told twice" <"$ERR"
run redo -C ada schema check visit
expect_status 1
expect_equal "$(grep -c "^schema-name-collision	visit	" "$OUT")" 1 "pairs"
expect_stdout_has "two fields named 'Weight' (from "
expect_stderr_has "hint: 'rename' one of them, or 'merge-fields'"
on ada 2026-01-07T10:00:01Z rename visit Weight 'Weight (kg)'
expect_status 128
expect_stderr_has "several fields of 'visit' are called 'Weight'"
one=$(sed -n 's/.*schema-name-collision	visit	\([0-9a-f-]*\)	.*/\1/p' <(redo -C ada schema check visit 2>/dev/null))
on ada 2026-01-07T10:00:01Z rename visit "$one" 'Weight (kg)'
expect_status 0
run redo -C ada schema check visit
! grep -q name-collision "$OUT" || fail "they collide still" <"$OUT"

scene "two rename one field at once: one counts on both sides, which is told; a pick settles it"
run redo -C ada sync -q ben
on ada 2026-01-08T10:00:00Z rename visit Notes Comments
on ben 2026-01-08T10:00:01Z rename visit Notes Remarks
run redo -C ada sync -q ben
for store in ada ben; do expect_equal "$(of $store visit '"Remarks" in f, "Comments" in f')" "(True, False)" "the name at $store"; done
run redo -C ada schema check visit
expect_status 1
expect_stdout_has "schema-field-diverged	visit"
head=$(redo -C ada show-ref | grep ' schemas/visit$' | cut -d' ' -f1 | while read -r id; do redo -C ada cat-node "$id" | grep -q '"displayName":"Comments"' && echo "$id"; done)
on ada 2026-01-08T11:00:00Z merge --pick="Remarks=$head" visit
expect_status 0
expect_equal "$(of ada visit '"Comments" in f')" True "the name"
expect_equal "$(redo -C ada schema list | cut -f2)" 1 "heads"
run redo -C ada sync -q ben
expect_equal "$(of ben visit '"Comments" in f')" True "the name"
on ben 2026-01-08T12:00:00Z merge visit
expect_status 0
expect_stdout ''
expect_stderr "nothing changes"

scene "an automatic merge is exactly the join, with no stamp of its own"
on ada 2026-01-09T10:00:00Z rename visit Amount Dose
on ben 2026-01-09T10:00:00Z hide visit Comments
run redo -C ada sync -q ben
hash=$(redo -C ada schema show --hash visit)
on ada 2026-01-09T11:00:00Z merge visit
expect_status 0
expect_equal "$(redo -C ada schema show --hash visit)" "$hash" "the hash"
expect_equal "$(redo -C ada cat-node --pointer=/change/source "$(cat "$OUT")")" '"automatic"' "the source"
agree ada

scene "fields are merged, and split; other types and circles are refused"
on ada 2026-01-10T10:00:00Z add-field visit --name='Old notes' --type=string
on ada 2026-01-10T10:00:01Z merge-fields visit 'Old notes' Impact
expect_status 0
run redo -C ada schema show visit
expect_stdout_lacks 'Old notes'
on ada 2026-01-10T10:00:02Z merge-fields visit Impact "$(of ada visit 'f["Old notes"]["id"]')"
expect_status 1
expect_stderr_has "schema-merged-circle"
on ada 2026-01-10T10:00:02Z merge-fields visit Dose Impact
expect_status 1
expect_stderr_has "schema-type-changed"
on ada 2026-01-10T10:00:03Z split-field visit "$(of ada visit 'f["Old notes"]["id"]')"
expect_status 0
run redo -C ada schema show visit
expect_stdout_has 'Old notes'

scene "what a change breaks: rows in the manner of buf breaking, by the mode"
old=$(redo -C ada show-ref | sed -n 's, schemas/visit$,,p')
redo -C ada schema export visit >before.json
on ada 2026-01-11T10:00:00Z add-field visit --name=Doctor --type=string --required
on ada 2026-01-11T10:00:01Z set visit Dose --rule=maxValue=5
on ada 2026-01-11T10:00:02Z rename visit Doctor Physician
for from in "$old" "$PWD/before.json"; do
  run redo -C ada schema check --against="$from" visit
  expect_status 1
  expect_equal "$(cut -f1 "$OUT" | sort | paste -sd' ')" "compat-added compat-required compat-rule-tighter" "the rows"
  run redo -C ada schema check --against="$from" --mode=forward visit
  expect_status 0
done
run redo -C ada schema diff visit "$old"
expect_status 1
expect_stdout_has "added	"
run redo -C ada schema diff visit "$old..$old"
expect_status 0
expect_stdout ''

scene "as of an instant, and with where it comes from"
run redo -C ada schema show --as-of=2026-01-02T12:00:00Z --json visit
expect_stdout_has '"fields":[]'
run redo -C ada schema show --as-of=2025-01-01 visit
expect_status 2
run redo -C ada schema show --as-of="$ID" --hash visit
expect_stdout "$(redo -C ada schema show --as-of=2026-01-02T12:00:00Z --hash visit)"
run redo -C ada schema show --as-of=lamport:3 visit
expect_status 129
run redo -C ada schema show --provenance visit
expect_stdout_has "Created by "
expect_stdout_has " on Jan "

scene "definitions of files come in as they are joined, twice as once; absent fields are told, or hidden"
cat >app.json <<'END'
{"id":"vaccine","displayName":"Vaccine","iconSystemName":"syringe","version":2,
 "fields":[{"id":"dose","displayName":"Dose","fieldType":"int"},{"id":"lot","displayName":"Lot","fieldType":"string"}]}
END
run redo -C ada schema import "$PWD/app.json"
expect_status 0
expect_equal "$(redo -C ada schema show --hash vaccine)" "$(redo schema merge-file --hash app.json)" "the hash"
run redo -C ada schema import "$PWD/app.json"
expect_status 0
expect_stdout ''
on ada 2026-01-12T10:00:00Z add-field vaccine --name=Arm --type=string
run redo -C ada schema import "$PWD/app.json"
expect_stderr_has "schema-field-absent"
on ada 2026-01-12T11:00:00Z import --hide-absent "$PWD/app.json"
expect_status 0
expect_equal "$(of ada vaccine 'f["Arm"]["visibility"]')" hidden "the field"
redo -C ada schema export >all.ndjson
redo init -q third
redo -C third key generate >/dev/null 2>&1
run redo -C third schema import "$PWD/all.ndjson"
expect_equal "$(redo -C third schema export)" "$(redo -C ada schema export)" "the definitions"
agree third

scene "an import is whole or nothing: what is wrong with one definition keeps the others out, and a passphrase is asked for once"
redo init -q whole
redo -C whole key generate >/dev/null 2>&1
redo -C ada schema export vaccine >vaccine.ndjson
sed -E 's/"id":"vaccine"/"id":"late"/; s/("version":[{].*"timestamp":")[^"]*/\19999-12-31T23:59:59.999Z/' vaccine.ndjson >late.ndjson
run redo -C whole schema import "$PWD/vaccine.ndjson" "$PWD/late.ndjson"
expect_status 1
expect_stdout ''
expect_stderr_has "error: 'late': schema-clock-range at /version/timestamp"
expect_equal "$(redo -C whole schema list --all)" '' "what was taken in"
redo init -q wrapped
printf 'a long passphrase\n' | redo -C wrapped key generate --passphrase-fd=0 >/dev/null 2>&1
run redo -C wrapped schema import --passphrase-fd=3 "$PWD/all.ndjson" 3< <(printf 'a long passphrase\n')
expect_status 0
expect_equal "$(redo -C wrapped schema export)" "$(redo -C ada schema export)" "the definitions"

scene "more than 64 heads are merged first, and none is lost"
redo init -q many
redo -C many key generate >/dev/null 2>&1
on many 2026-01-01T00:00:00Z new list
for number in $(seq 70); do
  rm -rf one
  cp -a many one
  rm -f one/.redo/device_id
  redo -C one schema add-field -q --name="F$number" --type=string list >/dev/null
  redo -C one export -q --kind=schema | tail -n 1
done >heads.ndjson
redo -C many import -q <heads.ndjson >/dev/null
expect_equal "$(redo -C many schema list | cut -f2)" 70 "heads"
# A field as any of them has it: heads that are merged first are none any more.
for head in $(redo -C many show-ref --format='%(objectname)' schemas/list | sed -n '1p;35p;70p'); do
  name=$(redo -C many schema show --json --as-of="$head" list | sed 's/.*"displayName":"\(F[0-9]*\)".*/\1/')
  run redo -C many schema merge -n --pick="$name=$head" list
  expect_status 0
  expect_stdout_lines 2
done
run redo -C many schema rename -n list F7 Seven
expect_status 0
expect_stdout_lines 2
expect_equal "$(redo -C many schema list | cut -f2)" 70 "heads"
on many 2026-02-01T00:00:00Z rename list F7 Seven
expect_status 0
expect_stdout_lines 2
expect_equal "$(redo -C many schema list | cut -f2,3)" "1	70" "heads and fields"
agree many
