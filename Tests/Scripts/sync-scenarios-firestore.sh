#!/bin/bash
# The same over Firestore, where `redo serve --firestore` takes its place, and what there is besides: who may do what,
# batches, the documents of the app.
TRANSPORT=firestore
. "$(dirname "${BASH_SOURCE[0]}")/sync-scenarios.bash"
. "$TESTS/Scripts/firestore-access.bash"
. "$TESTS/Scripts/firestore-documents.bash"
