#!/bin/bash
# The same with Google's emulator, where its jar is on the machine.
TRANSPORT=emulator
. "$(dirname "${BASH_SOURCE[0]}")/sync-matrix.bash"
