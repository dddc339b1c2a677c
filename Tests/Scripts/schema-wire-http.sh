#!/bin/bash
# Schemas between stores, over HTTP.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/schema-wire.bash"
