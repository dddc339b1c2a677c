#!/bin/bash
# The same as firestore-repair.sh against Google's emulator, where its jar is on the machine.
TARGET=emulator
. "$(dirname "${BASH_SOURCE[0]}")/firestore-repair.sh"
