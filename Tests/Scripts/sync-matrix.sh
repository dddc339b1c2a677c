#!/bin/bash
# The matrix of exchanges over a path; see sync-matrix.py.
. "$(dirname "${BASH_SOURCE[0]}")/sync-matrix.bash"
