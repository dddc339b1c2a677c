#!/bin/bash
# The matrix of exchanges with a project of `redo serve --firestore`.
TRANSPORT=serve
. "$(dirname "${BASH_SOURCE[0]}")/sync-matrix.bash"
