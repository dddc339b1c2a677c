#!/bin/bash
# The same over HTTP: servers of `redo serve --http`, and the program that talks to them.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/sync-scenarios.bash"
