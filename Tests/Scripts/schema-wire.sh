#!/bin/bash
# Schemas between stores, by a path.
. "$(dirname "${BASH_SOURCE[0]}")/schema-wire.bash"
