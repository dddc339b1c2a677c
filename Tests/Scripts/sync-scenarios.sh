#!/bin/bash
# The ten scenarios of the cross-platform sync document between stores on one machine.
TRANSPORT=${TRANSPORT:-path}
. "$(dirname "${BASH_SOURCE[0]}")/sync-scenarios.bash"
