#!/bin/bash
# redo schema: definitions of schemas in files, and their join, beside a second implementation and the model of the specification.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

phone='{"id":"vaccine","displayName":"Vaccine","iconSystemName":"syringe","version":2,
 "fields":[{"id":"vaccineName","displayName":"Name","fieldType":"string","displayOrder":1},{"id":"impact","fieldType":"int"}]}'
tablet='{"id":"vaccine","displayName":"Impfung","iconSystemName":"syringe","version":1,
 "fields":[{"id":"impact","fieldType":"string","displayOrder":5}],"colour":"red"}'
echo "$phone" >phone.json
echo "$tablet" >tablet.json

scene "a file of the app: text ids become the UUIDs that they have everywhere, and what is absent has one default"
run redo schema merge-file phone.json
expect_status 0
expect_stderr ''
# SHA-256 of `vaccine:vaccineName` and `vaccine:impact`, first 16 bytes; the first is a field that a program brings along, so no key.
first=$(printf vaccine:vaccineName | sha256sum | sed -E 's/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/\1-\2-\3-\4-\5/')
other=$(printf vaccine:impact | sha256sum | sed -E 's/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/\1-\2-\3-\4-\5/')
stamp='"updatedAt":"0001-01-01T00:00:00.000Z","updatedBy":"00000000-0000-0000-0000-000000000000","validationRules":[],"visibility":"active"'
created='"createdAt":"0001-01-01T00:00:00.000Z","createdBy":"00000000-0000-0000-0000-000000000000"'
expect_stdout "{\"displayName\":\"Vaccine\",\"fields\":[{\"capitalizationMode\":\"sentences\",$created,\"displayName\":\"impact\",\"displayOrder\":0,\"fieldType\":\"int\",\"id\":\"$other\",\"isMultiline\":false,\"isRequired\":false,$stamp},{\"capitalizationMode\":\"sentences\",$created,\"displayName\":\"Name\",\"displayOrder\":1,\"fieldType\":\"string\",\"id\":\"$first\",\"isMultiline\":false,\"isRequired\":false,$stamp}],\"iconSystemName\":\"syringe\",\"id\":\"vaccine\",\"isBuiltIn\":false,\"keys\":[\"impact\"],\"version\":{\"counter\":2,\"deviceId\":\"00000000-0000-0000-0000-000000000000\",\"timestamp\":\"0001-01-01T00:00:00.000Z\"}}"
cp "$OUT" once
run redo-schema merge-file - <once
expect_stdout_file once
run redo schema merge-file --hash once
expect_stdout "$(tr -d '\n' <once | sha256sum | cut -d' ' -f1)"

scene "two files: every field of each, in both orders; what nobody here knows is kept, and said"
run redo schema merge-file phone.json tablet.json
expect_status 0
expect_stderr_has "warning: 'tablet.json': schema-unknown-member at /colour: "
expect_stdout_has "\"fieldType\":\"int\",\"id\":\"$other\""
expect_stdout_has "\"fieldType\":\"string\",\"id\":\"$other\""
expect_stdout_has '"displayName":"Vaccine"'
expect_stdout_lacks '"x"'
redo schema merge-file -q phone.json tablet.json >both
run redo schema merge-file -q tablet.json - phone.json <phone.json
expect_stdout_file both
expect_stderr ''
run redo schema merge-file -q tablet.json
expect_stdout_has '"x":{"colour":"red"}'
tr '\n' '\0' <once >ended
run redo schema merge-file -z -q phone.json
expect_stdout_file ended

scene "what cannot be joined, or read, is refused with its place, and nothing is printed"
sed 's/"vaccine"/"visit"/' phone.json >visit.json
run redo schema merge-file phone.json visit.json
expect_status 1
expect_stdout ''
expect_stderr_has "error: 'visit.json': schema-id-mismatch: definitions that are joined have one id and one scope, not 'visit'"
run redo schema merge-file --scope=AAAAAAAA-0000-4000-8000-000000000000 phone.json
expect_stdout_has '"scope":"aaaaaaaa-0000-4000-8000-000000000000"'
redo schema merge-file --scope=aaaaaaaa-0000-4000-8000-000000000000 phone.json >scoped
run redo schema merge-file phone.json scoped
expect_status 1
expect_stderr_has "schema-id-mismatch"
expect_stderr_has "not 'vaccine@aaaaaaaa-0000-4000-8000-000000000000'"
echo "[$phone,$(cat visit.json)]" >backup.json
run redo schema merge-file phone.json backup.json
expect_status 1
expect_stderr_has "error: 'backup.json': schema-id-mismatch"
run redo schema merge-file backup.json phone.json
expect_status 1
expect_stderr_has "error: 'phone.json': schema-id-mismatch"
run redo schema merge-file backup.json backup.json
expect_status 0
expect_stdout_lines 2
sed 's/"fieldType":"int"/"fieldType":"colour"/' phone.json >unknown.json
run redo schema merge-file unknown.json
expect_status 1
expect_stdout ''
expect_stderr_has "error: 'unknown.json': schema-field-form at /fields/1/fieldType: "
run redo schema merge-file --salvage unknown.json
expect_status 0
expect_stderr_has "warning: 'unknown.json': schema-field-form at /fields/1/fieldType: "
expect_stderr_has "its field is left out"
expect_stdout_lacks "$other"
run redo schema merge-file - <<<'{"id":"vaccine"}'
expect_status 1
expect_stderr_has "error: '<stdin>': schema-form"
run redo schema merge-file - <<<'{"id":'
expect_status 1
expect_stderr_has "json-syntax at byte"
run redo schema merge-file nowhere.json
expect_status 128
for words in '' '- -' '--scope=me phone.json'; do
  # shellcheck disable=SC2086
  run redo schema merge-file $words </dev/null
  expect_status 129
done

need_python "random definitions, joined by a second implementation" rfc8785
COUNT=1000
[ -z "$SOAK" ] || COUNT=10000
scene "$COUNT random definitions of each of three devices: the joins of a second implementation, in every order"
"$PYTHON" "$TESTS/Oracle/schema_join.py" make $COUNT "$SEED" .
run redo schema merge-file one.json two.json
expect_status 0
expect_stderr ''
expect_stdout_file both.ndjson
run redo schema merge-file two.json one.json
expect_stdout_file both.ndjson
for order in "one two three" "one three two" "two three one" "three two one three one two"; do
  # shellcheck disable=SC2046,SC2086
  run redo schema merge-file $(printf '%s.json ' $order)
  expect_stdout_file all.ndjson
done
# A join joined with what it was made of is itself.
{ printf '['; paste -sd, both.ndjson; printf ']'; } >both.json
run redo schema merge-file both.json three.json
expect_stdout_file all.ndjson
run redo schema merge-file one.json both.json two.json
expect_stdout_file both.ndjson
redo schema merge-file --hash both.json | head -20 >hashes
run diff hashes <(head -20 both.ndjson | while read -r line; do printf %s "$line" | sha256sum | cut -d' ' -f1; done)
expect_status 0

scene "the model of the specification has the same joins"
MODEL=$TESTS/../../shared/spec/model
if [ -e "$MODEL/schema_model.py" ]; then
  run "$PYTHON" "$TESTS/Oracle/schema_join.py" model "$MODEL" .
  expect_status 0
  expect_stdout "both: $COUNT"$'\n'"all: $COUNT"
else
  skip "../shared/spec/model is absent"
fi
