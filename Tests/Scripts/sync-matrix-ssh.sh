#!/bin/bash
# The same over a program, as for another machine.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/sync-matrix.bash"
