#!/bin/bash
# Receipts between stores, over a program, as for another machine.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/receipts-wire.bash"
