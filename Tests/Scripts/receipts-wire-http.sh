#!/bin/bash
# Receipts between stores, over HTTP.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/receipts-wire.bash"
