#!/bin/bash
# The same over HTTP.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/sync-matrix.bash"
