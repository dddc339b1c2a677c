#!/bin/bash
# Schemas between stores, by a program in the place of ssh, with strangers.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/schema-wire.bash"
