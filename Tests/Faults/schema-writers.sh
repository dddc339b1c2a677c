#!/bin/bash
# Commands that write schemas, records and devices, and those that let in what comes under transfer.trust: killed at each
# system call, and each call failing once.
. "$(dirname "${BASH_SOURCE[0]}")/writers.bash"
share 160

export REDO_AUTHOR_DATE=2026-03-01T10:00:00.000Z
device() { redo init -q "$1" && redo -C "$1" key generate >/dev/null 2>&1 && redo -C "$1" key device-id >/dev/null; }
schema() { redo -C "$1" schema "${@:2}" >/dev/null 2>"$ERR" || fail "redo schema ${*:2}" <"$ERR"; }
record() { redo -C "$1" record "${@:2}" 2>"$ERR" || fail "redo record ${*:2}" <"$ERR"; }

# What the schemas and the records are, whatever ids were drawn for them.
store_facts() {
  redo -C "$1" schema list --all 2>&1
  redo -C "$1" schema export 2>&1
  redo -C "$1" state --records 2>&1 | sed -E 's/"(guid|head|id)":"[^"]*"/"\1":""/g' | sort
  redo -C "$1" show-ref --format='%(name)' 2>&1 | sed 's,^heads/.*,heads,' | sort | uniq -c
}
facts() { store_facts "$1"; }

device old
scene "a schema begins, or does not"
undisturbed old /dev/null schema new -q --name=Vaccine --icon=syringe vaccine
each_strike

schema old new -q --name=Vaccine vaccine
scene "a field is added, or is not"
undisturbed old /dev/null schema add-field -q --id=dose --name=Dose --type=int --rule minValue=1 vaccine
each_strike

schema old add-field -q --id=dose --name=Dose --type=int vaccine
cp -r old phone && rm -f phone/.redo/device_id
schema old set -q --name=Impfung vaccine
schema phone add-field -q --id=tags --name=Tags --type=stringArray vaccine
redo -C phone export -q --kind=schema | redo -C old import -q - >/dev/null
expect_equal "$(redo -C old schema list | cut -f2)" 2 "heads"
scene "heads are merged, or are not"
undisturbed old /dev/null schema merge -q vaccine
each_strike
schema old merge -q vaccine

device other
for name in one two three; do
  schema other new -q --name=$name $name
  schema other add-field -q --id=a --name=A --type=string $name
done
redo -C other schema export >definitions
scene "an import of definitions: each is whole or not there, and the next run brings the others"
# some <facts>: each line of them is one of before or of after.
some() { [ -z "$(comm -13 <(sort -u facts.before facts.after) <(sort -u "$1"))" ]; }
between() { some "$1"; }
undisturbed old "$PWD/definitions" schema import -q -
each_strike
between() { false; }

scene "a record is made, or is not"
undisturbed old /dev/null record new -q vaccine Dose=2 Tags=a
each_strike

record old new -q vaccine Dose=1 --title=a >/dev/null
FIRST=$(redo -C old record list | head -1 | cut -f1)
scene "its values are all set, or none is"
undisturbed old /dev/null record set -q "$FIRST" Dose=7 Tags=x Tags=y
each_strike

# Values under a key of another age, which migrate writes under the id.
for number in 1 2 3; do
  record old new -q vaccine --title="r$number" Dose="$number" >/dev/null
  redo -C old commit -q update --task="$(redo -C old record list | grep "r$number\$" | cut -f1)" --field-json dose="$number$number" >/dev/null 2>&1
done
scene "records are migrated, all or none"
undisturbed old /dev/null record migrate -q
each_strike

redo -C old record export >records
cp -r other away
redo -C old schema export vaccine | redo -C away schema import -q - >/dev/null 2>&1
scene "records of a file are taken in, all or none"
undisturbed away "$PWD/records" record import -q -
each_strike

DEVICE=$(redo -C old key device-id)
facts() { redo -C "$1" device list --all --json 2>&1 && store_facts "$1"; }
scene "a device gets its name, or does not"
undisturbed old /dev/null device name -q "$DEVICE" phone
each_strike

redo -C old device name -q "$DEVICE" phone >/dev/null
scene "a device is revoked, or is not"
undisturbed old /dev/null device revoke -q "$DEVICE"
each_strike

# Somebody whose key is trusted, and somebody whose is not, on whom the first goes on.
for name in ada bob; do device $name; done
redo -C ada commit -q create --title=ada >/dev/null
redo -C bob commit -q create --title=bob >/dev/null
schema bob new -q --name=Trip trip
redo -C ada fetch -q "$PWD/bob"
schema ada new -q --name=Visit visit
redo -C ada commit -q update --title=both --task="$(redo -C bob log --format='%(task)')" >/dev/null
redo -C ada export -q >all.ndjson
device guarded
redo -C ada key show --public >guarded/.redo/trust
redo -C guarded config set transfer.trust enforce
facts() {
  redo -C "$1" log --format='%(id)' 2>&1
  redo -C "$1" schema list --all 2>&1
  redo -C "$1" show-ref 2>&1
  redo -C "$1" quarantine list 2>/dev/null | cut -d ' ' -f 1 | sed 's/^/waits /' | sort
  redo -C "$1" cat-node --batch-check='%(id)' --batch-all-objects 2>&1 | sort
}
# One kind comes after the other: the nodes may be here, and the schemas not yet.
between() { some "$1"; }
scene "what comes by fetch under transfer.trust=enforce: in, or waiting, or not here"
DONE_STATUS='1'
undisturbed guarded /dev/null fetch -q "$PWD/ada"
each_strike

scene "what comes by import under transfer.trust=enforce"
undisturbed guarded "$PWD/all.ndjson" import -q -
each_strike

DONE_STATUS='0'
redo -C guarded fetch -q "$PWD/ada" >/dev/null 2>&1
redo -C guarded quarantine list | cut -d' ' -f1 >waiting
scene "what waits and is dropped is gone, or still waits"
undisturbed guarded /dev/null quarantine drop -q --all
each_strike

redo -C bob key show --public >>guarded/.redo/trust
scene "what waits and is trusted by now comes in, or still waits"
undisturbed guarded /dev/null quarantine promote -q
each_strike
