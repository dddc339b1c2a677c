#!/bin/bash
# What waits at the door between stores of this machine, and what an import brings.
TRANSPORT=path
. "$(dirname "${BASH_SOURCE[0]}")/transfer-trust.bash"
