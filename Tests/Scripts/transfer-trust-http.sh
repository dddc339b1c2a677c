#!/bin/bash
# What waits at the door over HTTP.
TRANSPORT=http
. "$(dirname "${BASH_SOURCE[0]}")/transfer-trust.bash"
