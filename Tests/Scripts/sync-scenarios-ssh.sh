#!/bin/bash
# The same over standard input and output of `redo serve --stdio`, which a program in the place of ssh(1) starts.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/sync-scenarios.bash"
