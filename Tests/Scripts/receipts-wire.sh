#!/bin/bash
# Receipts between stores, by a path.
. "$(dirname "${BASH_SOURCE[0]}")/receipts-wire.bash"
