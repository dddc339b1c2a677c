#!/bin/bash
# What waits at the door over a program, as for another machine.
TRANSPORT=ssh
. "$(dirname "${BASH_SOURCE[0]}")/transfer-trust.bash"
