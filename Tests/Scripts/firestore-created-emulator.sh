#!/bin/bash
# The same over the emulator of Google's Firestore.
TARGET=emulator
. "$(dirname "${BASH_SOURCE[0]}")/firestore-created.sh"
