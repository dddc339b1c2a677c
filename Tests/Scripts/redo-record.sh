#!/bin/bash
# redo record: tasks by the names of their fields; what a commit is told of, what is never refused; keys of every age; files of the app.
. "$(dirname "${BASH_SOURCE[0]}")/sync.bash"

need_python "records" rfc8785
# id_of <text>: the UUID that a text stands for; key <schema> <key>: that of a key of a schema.
id_of() { "$PYTHON" -c 'import hashlib, sys, uuid; print(uuid.UUID(bytes=hashlib.sha256(sys.argv[1].encode()).digest()[:16]))' "$1"; }
key() { id_of "$1:$2"; }
# fields <store> <task>: what the newest node of a task says, in JSON, but for what makes it a record.
fields() {
  redo -C "$1" cat-node -p "$(redo -C "$1" show-ref --format='%(objectname)' "heads/$2")" | "$PYTHON" -c '
import json, sys
data = json.load(sys.stdin)["data"]
content = data.get("fields", data.get("payload"))
print(json.dumps({k: v for k, v in content.items() if k not in ("title", "schemaId", "personId")}, sort_keys=True, separators=(",", ":")))'
}
# value <store> <task> <expression over f, the shown fields by name, and r, the row>
value() {
  redo -C "$1" state --records --task="$2" | "$PYTHON" -c '
import json, sys
r = json.loads(sys.stdin.readline())
f = {each["name"]: each for each in r["fields"]}
print(eval(sys.argv[1]))' "$3"
}
task_of() { sed -n "s/^created record '\(.*\)'$/\1/p" "$ERR"; }

stores ada ben
schema() { redo -C ada schema "$@" >/dev/null || fail "redo schema $*" </dev/null; }
schema new -q vaccine --name=Vaccine --icon=syringe
schema add-field vaccine --id=vaccineName --name='Vaccine name' --type=string --required --rule minLength=2 --rule maxLength=20
schema add-field vaccine --id=doseNumber --name=Dose --type=int --rule minValue=1
schema add-field vaccine --id=dateAdministered --name=Given --type=date --rule minDate=2020-01-01T00:00:00.000Z
schema add-field vaccine --id=tags --name=Tags --type=stringArray
schema add-field vaccine --id=sure --name=Sure --type=bool
NAME=$(key vaccine vaccineName) DOSE=$(key vaccine doseNumber) GIVEN=$(key vaccine dateAdministered) TAGS=$(key vaccine tags)

scene "a record is a task of typed values under the ids of their fields; its title is its first text"
run redo -C ada record new vaccine 'Vaccine name=Flu' Dose=2 Given=2026-01-02 Tags=a 'Tags=b=c' Sure=true
expect_status 0
FLU=$(task_of)
expect_equal "$(fields ada "$FLU")" "$("$PYTHON" - "$NAME" "$DOSE" "$GIVEN" "$TAGS" "$(key vaccine sure)" <<'END'
import json, sys
name, dose, given, tags, sure = sys.argv[1:]
print(json.dumps({name: {"type": "string", "value": "Flu"}, dose: {"type": "int", "value": 2},
    given: {"type": "date", "value": "2026-01-02T00:00:00.000Z"}, tags: {"type": "stringArray", "value": ["a", "b=c"]},
    sure: {"type": "bool", "value": True}}, sort_keys=True, separators=(",", ":")))
END
)" "what the node says"
run redo -C ada record list
expect_stdout "$FLU	vaccine	0	Flu"
run redo -C ada record list --json
expect_stdout_has "\"problems\":0,\"schema\":\"sha256:$(redo -C ada schema show --hash vaccine)\""
redo -C ada verify >/dev/null || fail "the store is not whole" </dev/null

scene "what is asked for and is not to be had: a field, a name of several, a value of another type"
run redo -C ada record new vaccine Nobody=1
expect_error 2 "'vaccine' has no field 'Nobody'"
run redo -C ada record new nobody a=1
expect_error 2 "there is no schema 'nobody'"
run redo -C ada record new vaccine Dose=two Sure=yes
expect_status 1
expect_stderr_has "record-type at /fields/$DOSE: a value of a record is of the type of its field: int, not 'two'"
expect_stderr_has "bool, not 'yes'"
run redo -C ada record new vaccine Dose=1 Dose=2
expect_status 1
run redo -C ada record new vaccine Dose
expect_status 129
run redo -C ada record new redo.devices x=1
expect_status 2
expect_equal "$(redo -C ada record list | wc -l)" 1 "the records"
redo -C ada schema add-field -q vaccine --name=Twice --type=int >/dev/null
redo -C ada schema add-field -q vaccine --name=Twice --type=int >/dev/null 2>&1
run redo -C ada record new vaccine Twice=1
expect_status 128
expect_stderr_has "several fields of 'vaccine' are called 'Twice'"
SECOND=$(redo -C ada schema show --json vaccine | "$PYTHON" -c '
import json, sys
print([f["id"] for f in json.load(sys.stdin)["fields"] if f["displayName"] == "Twice"][1])')
run redo -C ada record new -n vaccine "${SECOND^^}=1"
expect_status 0
schema rename vaccine "$SECOND" 'Not twice'

scene "values are set and taken away; what changes nothing is not written; a task that is no record is left alone"
run redo -C ada record set "${FLU:0:8}" Dose=3 Tags=
expect_status 0
expect_equal "$(fields ada "$FLU" | "$PYTHON" -c '
import json, sys
print(json.load(sys.stdin) == {sys.argv[1]: None, sys.argv[2]: {"type": "int", "value": 3}})' "$TAGS" "$DOSE")" True "what the node says"
run redo -C ada record set "$FLU" Dose=3
expect_status 0
expect_stdout ''
expect_stderr 'nothing changes'
run redo -C ada record set "$FLU" Dose=x
expect_status 1
PLAIN=$(redo -C ada commit create --title=Plain --format='%(task)' 2>/dev/null)
run redo -C ada record set "$PLAIN" Dose=1
expect_error 2 "task '$PLAIN' is no record: it has no 'schemaId'"
run redo -C ada record show "$PLAIN"
expect_status 2
run redo -C ada record set "$FLU" Dose=4 -n
expect_status 0
expect_equal "$(value ada "$FLU" 'f["Dose"]["value"]')" 3 "the dose after a dry run"

scene "commit is told of what it writes to a record, and refuses it where schema.check says so; old values keep nobody from writing"
run redo -C ada commit update --task="$FLU" --field-json doseNumber='"much"'
expect_status 0
expect_stderr_has "record-type at /data/fields/doseNumber: a value of a record is of the type of its field: int"
run redo -C ada -c schema.check=error commit update --task="$FLU" --field-json doseNumber=0
expect_status 1
expect_stderr_has "record-rule at /data/fields/doseNumber: a value of a record keeps the rules of its field: minValue"
run redo -C ada -c schema.check=off commit update --task="$FLU" --field-json doseNumber=0
expect_status 0
expect_stderr ''
run redo -C ada -c schema.check=error commit update --task="$FLU" --title='Another title' --field note=free
expect_status 0
run redo -C ada -c schema.check=error commit create --title=x --field schemaId=vaccine
expect_status 1
expect_stderr_has record-required
run redo -C ada -c schema.check=error commit create --payload --title=x --field schemaId=vaccine --field vaccineName=M
expect_status 1
expect_stderr_has "record-rule at /data/payload/vaccineName"
printf '%s\n' '{"action":"CREATE","fields":{"title":"a","schemaId":"vaccine","vaccineName":"MMR"},"taskId":"11111111-0000-4000-8000-000000000001"}' \
  '{"action":"UPDATE","fields":{"vaccineName":null},"taskId":"11111111-0000-4000-8000-000000000001"}' >requests
run redo -C ada -c schema.check=error commit --stdin <requests
expect_status 1
expect_stderr_has "record-required"
expect_equal "$(redo -C ada show-ref heads/11111111-0000-4000-8000-000000000001 | wc -l)" 0 "the heads after a refusal"
run redo -C ada -c schema.check=sometimes commit update --task="$FLU" --title=x
expect_status 128
schema set vaccine Given --required
run redo -C ada -c schema.check=error commit update --task="$FLU" --field-json doseNumber=5
expect_status 0

scene "patterns are matched only where somebody says so"
schema set vaccine 'Vaccine name' --rule 'pattern=^[A-Z][a-z]+$'
run redo -C ada record set "$FLU" 'Vaccine name=flu shot'
expect_status 0
expect_stderr ''
run redo -C ada -c schema.patterns=true record check
expect_status 1
expect_stdout_has "record-rule	$FLU	$NAME	$NAME	Vaccine name	pattern"
schema set vaccine 'Vaccine name' --no-rules --rule minLength=2 --rule maxLength=20
run redo -C ada -c schema.patterns=true record check
expect_equal "$(cut -f1 "$OUT" | sort -u)" "record-key-shadowed
record-unknown-key" "the rules"

scene "keys of every age count for one field, the last one written is shown, and what it hides is told; migrate writes all of it anew, once"
redo -C ada commit -q update --task="$FLU" --field-json doseNumber=7 >/dev/null 2>&1
expect_equal "$(value ada "$FLU" 'f["Dose"]["value"], f["Dose"]["key"], f["Dose"]["problems"]')" "(7, 'doseNumber', ['record-key-shadowed'])" "the dose"
BARE=$(id_of doseNumber)
redo -C ada commit -q update --task="$FLU" --field-json "${BARE^^}"=8 >/dev/null 2>&1
redo -C ada commit -q update --task="$FLU" --field-json 00000001-0001-0005-0000-000000000000=9 >/dev/null 2>&1
expect_equal "$(value ada "$FLU" 'f["Dose"]["value"], f["Dose"]["key"]')" "(9, '00000001-0001-0005-0000-000000000000')" "the dose by its fixed id"
redo -C ada state --task="$FLU" >before
run redo -C ada record migrate -n
expect_stdout_lines 1
run redo -C ada record migrate vaccine
expect_stdout_lines 1
expect_equal "$(value ada "$FLU" 'f["Dose"]["value"], f["Dose"]["key"], f["Dose"]["problems"]')" "(9, '$DOSE', [])" "the dose"
expect_equal "$(value ada "$FLU" 'r["unknown"]')" "{'note': 'free'}" "what counts for no field"
run redo -C ada record migrate
expect_stdout ''
expect_stderr 'nothing changes'
"$PYTHON" - before <(redo -C ada state --task="$FLU") "$DOSE" <<'END' || fail "migrate did more than that" </dev/null
import json, sys
old, new = (json.loads(open(name).readline())["fields"] for name in sys.argv[1:3])
gone = {k for k in old if new.get(k) is None and old[k] is not None}
assert gone == {"doseNumber", "00000001-0001-0005-0000-000000000000"} | {k for k in old if k.isupper()}, gone
assert {k: v for k, v in new.items() if k not in gone and k != sys.argv[3]} == {k: v for k, v in old.items() if k not in gone and k != sys.argv[3]}
END

scene "display names in show, explain, diff and query; hidden and deprecated fields"
schema hide vaccine Tags
redo -C ada record set -q "$FLU" Dose=10 "$TAGS=x" 'Vaccine name=Grippe' >/dev/null
schema deprecate vaccine Dose
HEAD=$(redo -C ada show-ref --format='%(objectname)' "heads/$FLU")
run redo -C ada show "$HEAD"
expect_stdout_has "    Vaccine name ($NAME): Grippe"
expect_stdout_has "    Dose ($DOSE, deprecated): 10"
expect_stdout_has "1 hidden field; '--all-fields' shows it"
expect_stderr "warning: '$HEAD': record-deprecated: the field 'Dose' is deprecated"
[ "$(grep -n 'Vaccine name' "$OUT" | cut -d: -f1)" -lt "$(grep -n 'Dose' "$OUT" | cut -d: -f1)" ] || fail "the order is not that of the schema" <"$OUT"
run redo -C ada show --all-fields "$HEAD"
expect_stdout_has "    Tags ($TAGS, hidden):"
expect_equal "$(redo -C ada show --json "$HEAD" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["displayNames"][sys.argv[1]])' "$DOSE")" Dose "the name"
run redo -C ada explain --field=Dose "$FLU"
expect_stdout_has "Dose ($DOSE, deprecated) 10"
run redo -C ada explain --json --field="$DOSE" "$FLU"
expect_stdout_has '"displayName":"Dose"'
run redo -C ada diff "$(redo -C ada cat-node -p "$HEAD" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["parents"][0])')"
expect_stdout_has "    Dose ($DOSE, deprecated) 9 -> 10"
run redo -C ada query --where 'record."Dose" > 9 and record."Given" < "2026-02-01"' --json
expect_equal "$("$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["guid"])' "$OUT")" "$FLU" "the answer"
run redo -C ada query --where "record.\"$DOSE\" = 3"
expect_stdout ''
run redo -C ada query --where 'record."Nobody" = 3'
expect_error 128 "no schema has a field 'Nobody'"
schema rename vaccine 'Not twice' Twice
run redo -C ada query --sort='record."Twice"'
expect_status 128
expect_stderr_has "record.\"$SECOND\""
run redo -C ada verify --records
expect_status 0
expect_stdout_has "record-deprecated	$FLU	$DOSE	$DOSE	Dose	-"
run redo -C ada schema check vaccine
expect_status 1
expect_stdout_has "schema-deprecated-data	vaccine	$DOSE	-	1 record has a value of the deprecated field 'Dose'"
run redo -C ada record show "$FLU"
expect_stdout_has "    Dose (deprecated): 10"
run redo -C ada record show --as-of="$(redo -C ada cat-node -p "$HEAD" | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["parents"][0])')" "$FLU"
expect_stdout_has "    Dose (deprecated): 9"

scene "fields that are merged show one value; both and different is told, and settled by migrate"
schema new -q trip --name=Trip
schema add-field trip --id=place --name=Place --type=string
schema add-field trip --id=town --name=Town --type=string
run redo -C ada record new trip Place=Rome Town=Roma
TRIP=$(task_of)
schema merge-fields trip Town Place
expect_equal "$(value ada "$TRIP" 'f["Place"]["value"], f["Place"]["problems"]')" "('Rome', ['record-merge-conflict'])" "the place"
run redo -C ada record migrate -q trip
expect_stdout ''
run redo -C ada record migrate -q --strategy='concatenate: / ' trip
expect_stdout_lines 1
expect_equal "$(value ada "$TRIP" 'f["Place"]["value"], f["Place"]["problems"], list(f)')" "('Rome / Roma', [], ['Place'])" "the place"
run redo -C ada record migrate --strategy=best trip
expect_status 129

scene "no schema, no refusal: records travel without it, and say what is missing"
run redo -C ada push -q "$(url ben)"
expect_status 0
redo init -q none && redo -C none key generate -q >/dev/null
redo -C ada export -q | redo -C none import -q - >/dev/null
run redo -C none record check
expect_status 1
expect_equal "$(cut -f1,6 "$OUT" | sort | uniq -c | sed 's/^ *//')" "1 record-schema-missing	trip
1 record-schema-missing	vaccine" "the rows"
expect_equal "$(redo -C none state --hash)" "$(redo -C ada state --hash)" "the hash of the state, with schemas and without"
expect_equal "$(redo -C ben state --records)" "$(redo -C ada state --records)" "the records of two stores"

scene "files: what is exported is read back; an id that is here gets what differs, if the file is later; a deleted one stays so"
redo -C ada record export >records
redo init -q away && redo -C away key generate -q >/dev/null
redo -C ada schema export | redo -C away schema import -q - >/dev/null
run redo -C away record import "$PWD/records"
expect_status 0
expect_stdout_lines 2
expect_equal "$(redo -C away state --records | "$PYTHON" -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print(r["guid"], [(f["name"], f["value"]) for f in r["fields"] if f["value"] is not None])')" \
  "$(redo -C ada state --records | "$PYTHON" -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    print(r["guid"], [(f["name"], f["value"]) for f in r["fields"] if f["value"] is not None])')" "the records"
run redo -C away record import "$PWD/records"
expect_status 0
expect_stdout ''
expect_stderr_has "2 records are here already"
later() { sed 's/"updatedAt":"[^"]*"/"updatedAt":"'"$1"'"/' records | sed 's/"value":10/"value":11/'; }
later 2031-01-01T00:00:00.000Z | grep vaccine >newer
run redo -C away record import "$PWD/newer"
expect_stdout_lines 1
expect_equal "$(value away "$FLU" 'f["Dose"]["value"]')" 11 "the dose of the later file"
later 2030-01-01T00:00:00.000Z | grep vaccine | sed 's/"value":11/"value":12/' >older
run redo -C away record import "$PWD/older"
expect_stdout ''
redo -C away commit -q delete --task="$TRIP" >/dev/null
run redo -C away record import "$PWD/records"
expect_status 1
expect_stderr_has "record '$TRIP' was deleted here, and stays so"
run redo -C away record import <<<'{"schemaId":"vaccine","fields":{"doseNumber":{"type":"int","value":"x"}}}'
expect_status 1
expect_stderr_has "record-form at /fields/doseNumber/value"
run redo -C away record import --salvage <<<'{"schemaId":"vaccine","fields":{"doseNumber":{"type":"int","value":"x"},"vaccineName":"MMR"}}'
expect_status 0
expect_stderr_has "its value is left out"
run redo -C away record import -n <<<'{"schemaId":"vaccine","fields":{},"version":4,"previousVersionId":"x"}'
expect_status 0
expect_stderr_has "'previousVersionId' of 1 record has no place here, and is not kept"
expect_stderr_has "'version' of 1 record"
run redo -C away record import <<<'{"encrypted":true,"ciphertext":"AA=="}'
expect_status 1
expect_stderr_has "record-form at /encrypted"
# Foundation writes a dictionary by UUIDs as a flat array.
run redo -C away record import <<<"{\"schemaId\":\"vaccine\",\"fields\":[\"${NAME^^}\",{\"type\":\"string\",\"value\":\"Flat\"},\"${DOSE^^}\",{\"type\":\"int\",\"value\":4}]}"
FLAT=$(task_of)
expect_equal "$(value away "$FLAT" 'f["Vaccine name"]["value"], f["Dose"]["value"], f["Dose"]["key"] == "'"$DOSE"'"')" "('Flat', 4, True)" "the flat array"
run redo -C away record export --for=app --task="$FLAT"
expect_stdout_has '"00000001-0001-0005-0000-000000000000":{"type":"int","value":4}'

scene "the SQL index has schemas, fields, records, and a view of each schema by its names; it follows what changes"
if [ -x "$(dirname "$REDO_BIN")/redo-index-sqlite" ]; then
  export PATH=$(dirname "$REDO_BIN"):$PATH
  ln -sf "$(dirname "$REDO_BIN")/redo-index-sqlite" "$WORK/bin/redo-index-sqlite"
  run redo -C ada index sql 'SELECT guid, "Vaccine name", "Given" FROM record_vaccine'
  expect_stdout "$FLU	Grippe	2026-01-02T00:00:00.000Z"
  run redo -C ada index sql 'SELECT "Dose" FROM record_vaccine'
  expect_status 1
  expect_stderr_has "no such column: Dose"
  run redo -C ada index sql "SELECT json_extract(field_values, '\$.\"$DOSE\"') FROM records WHERE schema = 'vaccine'"
  expect_stdout 10
  run redo -C ada index sql "SELECT display_name, type, visibility FROM fields WHERE schema = 'trip' ORDER BY place"
  expect_stdout "Place	string	active
Town	string	active"
  schema restore vaccine Dose
  redo -C ada record set -q "$FLU" Dose=12 >/dev/null
  run redo -C ada index sql 'SELECT "Dose" FROM record_vaccine'
  expect_stdout 12
  redo -C ada record set -q "$FLU" Dose=13 >/dev/null
  run redo -C ada index update -v
  expect_stderr_has "what has come was added to the index"
  run redo -C ada index sql 'SELECT "Dose" FROM record_vaccine'
  expect_stdout 13
  run redo -C ada index check
  expect_status 0
  # Names that SQLite takes for one, and such as would end a statement.
  schema add-field -q vaccine --name='dose' --type=int
  schema add-field -q vaccine --name='a"; DROP VIEW x; --' --type=int
  schema new -q "it's" --name=Its
  run redo -C ada index sql 'SELECT "dose (2)", "a""; DROP VIEW x; --" FROM record_vaccine'
  expect_status 0
  run redo -C ada index sql "SELECT count(*) FROM \"record_it's\""
  expect_stdout 0
  # Of two names that are one for SQLite the second is that of the schema whose name comes second.
  schema new -q Vaccine --name=Other
  run redo -C ada index sql 'SELECT count(*), (SELECT count(*) FROM "record_vaccine (2)") FROM record_vaccine'
  expect_stdout "0	1"
  # An id may have characters that no statement has.
  schema new -q "a	b" --name=Odd
  schema add-field -q "a	b" --name=Text --type=string
  redo -C ada record new -q "a	b" Text=there >/dev/null || fail "redo record new" </dev/null
  run redo -C ada index sql "SELECT Text FROM \"$(printf 'record_a\xef\xbf\xbdb')\""
  expect_stdout there
  run redo -C ada index check
  expect_status 0
else
  skip "redo-index-sqlite is not built"
fi

scene "a schema or another change that is damaged takes the names of fields away, and nothing else"
redo -C ada record set -q "$FLU" 'Vaccine name=seen' >/dev/null || fail "redo record set" </dev/null
shown=$(redo -C ada show-ref --format='%(objectname)' "heads/$FLU")
run redo -C ada show "$shown"
expect_stdout_has "Vaccine name"
run redo -C ada show-ref --format='%(refname) %(objectname)'
read -r ref head < <(grep -v redo.devices "$OUT" | grep "schema.*vaccine" | head -n 1)
spoil() {
  local path=$1/.redo/objects/${2:7:2}/${2:9}
  cp "$path" spoiled
  chmod u+w "$path" && printf 'x' | dd of="$path" bs=1 seek=20 conv=notrunc status=none
}
mend() { cp -f spoiled "$1/.redo/objects/${2:7:2}/${2:9}"; }
spoil ada "$head"
for words in "show $shown" "explain $FLU" "diff $shown~"; do
  # shellcheck disable=SC2086
  run redo -C ada $words
  expect_status 0
  expect_stderr_has "warning: '$ref' cannot be read, so fields of its records have no names"
  expect_stdout_has "seen"
done
run redo -C ada record list
expect_status 128
number=$(redo -C ada show-ref --format='%(objectname)' "heads/$FLU")
run redo -C ada -c schema.check=error commit update --task="$FLU" --field=late=1
expect_status 128
expect_stderr_has "$head"
expect_equal "$(redo -C ada show-ref --format='%(objectname)' "heads/$FLU")" "$number" "the head"
run redo -C ada commit update --task="$FLU" --field=late=1
expect_status 0
expect_stderr_has "warning: whether 'UPDATE' fits its record is not known: "
expect_stderr_has "$head"
mend ada "$head"
first=$(redo -C ada log --format='%(id)' --task="$FLU" --reverse | head -n 1)
spoil ada "$first"
run redo -C ada show "$shown"
expect_status 0
expect_stdout_has "seen"
mend ada "$first"
redo -C ada verify >/dev/null || fail "the store is not whole" </dev/null

scene "a fetch that met a damaged schema has taken everything all the same"
run redo -C ben fetch ../ada
expect_status 0
head=$(redo -C ben show-ref --format='%(objectname)' "$ref")
schema add-field -q vaccine --name=Late --type=int
spoil ben "$head"
run redo -C ben fetch ../ada
expect_status 0
expect_stderr_has "1 schema that could not be read here is replaced by what '../ada' has"
redo -C ben verify >/dev/null || fail "the store is not whole" </dev/null
