#!/bin/bash
# redo recover --local and redo reflog restore: only the heads of this store move back; whoever has the rest brings it back,
# and that is said.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-000000000001
U=7c000000-0000-4000-8000-000000000002
# does <store> <day> <commit arguments>...
does() { redo -C "$1" commit -q --date="2025-03-0$2T08:00:00.000Z" "${@:3}" 2>"$ERR" || fail "redo commit fails" <"$ERR"; }
for name in a b c; do redo init -q $name && redo -C $name key generate >/dev/null 2>&1; done
redo -C a remote add b "$PWD/b"
redo -C a remote add c "$PWD/c"
does a 1 create -t $T --title=Water >/dev/null
redo -C a sync -q c
FIRST=$(redo -C a rev-parse "$T")
does a 3 update -t $T --title=Wine >/dev/null
SECOND=$(redo -C a rev-parse "$T")
does a 3 create -t $U --title=New >/dev/null
NEW=$(redo -C a rev-parse "$U")
redo -C a sync -q b
redo -C a state >all

scene "-n shows what would be taken out, and who has it"
BEFORE=$(fingerprint a)
run redo -C a recover --local --to=2025-03-02 -n
expect_status 0
expect_equal "$(cut -d' ' -f1,2 "$OUT" | sort | xargs)" "$(printf '%s too-late\n' "$NEW" "$SECOND" | sort | xargs)" "what is left out"
expect_stderr_has "left out 2 nodes: 2 too-late"
expect_stderr_has "would recover 1 node of 1 task"
expect_stderr_has "'b' has 2 of them: the next 'fetch' or 'sync' brings them back"
expect_equal "$(grep -c "'c'" "$ERR")" 0 "remotes that have none"
expect_untouched "$BEFORE" a

scene "the heads move back, in one entry of the reflog; nothing leaves the store"
run redo -C a recover --local --to=2025-03-02
expect_status 0
expect_stderr_has "recovered 1 node of 1 task"
expect_stderr_has "'b' has 2 of them: the next 'fetch' or 'sync' brings them back"
expect_equal "$(redo -C a rev-parse "$T")" "$FIRST" "the head"
run redo -C a show-ref --heads
expect_stdout_lines 1
expect_equal "$(redo -C a reflog -n 1 | cut -d' ' -f3-)" "recover --local --to=2025-03-02T23:59:59.999Z (2 refs)" "the reflog"
run redo -C a state
expect_stdout_has '"title":"Water"'
run redo -C a cat-node -e "$SECOND"
expect_status 0
run redo -C a recover --local --to=2025-03-02
expect_status 0
expect_stdout ''
expect_equal "$(redo -C a reflog | head -1 | cut -d' ' -f3)" recover "no further entry"

scene "a remote that has nothing of it brings nothing back; the one that has says how much"
run redo -C a sync c
expect_status 0
expect_equal "$(grep -c "taken out" "$ERR")" 0 "words about what is back"
run redo -C a sync b
expect_status 0
expect_stderr_has "warning: 2 changes are back that had been taken out of the history here"
run redo -C a state
expect_stdout_file all
run redo -C a sync b
expect_equal "$(grep -c "taken out" "$ERR")" 0 "words about what is back"

scene "--task moves the heads of one task"
run redo -C a recover --local --to=2025-03-02 --task=$U -n
expect_status 0
expect_stdout_has "$NEW too-late CREATE $U -"
expect_stdout_lines 1
run redo -C a recover --local --to=2025-03-02 --task=$U
expect_status 0
expect_stdout ''
expect_equal "$(redo -C a show-ref --heads | grep -c "$U")" 0 "the heads of the task"
expect_equal "$(redo -C a rev-parse "$T")" "$SECOND" "the head of the other task"
run redo -C a fetch b
expect_stderr_has "warning: 1 change is back that had been taken out of the history here"


scene "what another task follows is not taken out with one task"
redo init -q foreign
first=$(node CREATE $T 1 01T08:00:00.000 '"title":"Water"' | redo -C foreign hash-object -w --update-heads --stdin 2>/dev/null)
later=$(node UPDATE $T 2 03T08:00:00.000 '"title":"Wine"' "$first" | redo -C foreign hash-object -w --update-heads --stdin 2>/dev/null)
other=$(node CREATE $U 3 04T08:00:00.000 '"title":"Other"' "$later" | redo -C foreign hash-object -w --update-heads --stdin 2>/dev/null)
run redo -C foreign recover --local --to=2025-03-02 --task=$T
expect_error 128 "'$other' is about another task, and follows what would be taken out"
run redo -C foreign recover --local --to=2025-03-02
expect_status 0
expect_stderr_has "no remote is known to have them; whoever has them brings them back"
run redo -C foreign show-ref --heads --format='%(id)'
expect_stdout "$first"
run redo -C foreign reflog undo
expect_status 0

scene "reflog restore: the refs of an entry or a date, whatever has happened since"
redo -C a show-ref --heads >"heads"
ENTRY=$(redo -C a reflog -n 1 --format='%(entry)')
does a 5 update -t $T --title=Beer >/dev/null
does a 5 delete -t $U >/dev/null
redo -C a update-ref tags/here "$FIRST"
run redo -C a reflog restore --dry-run "$ENTRY"
expect_status 0
expect_stdout_lines 3
run redo -C a reflog restore "$ENTRY"
expect_status 0
expect_stdout_lines 3
run redo -C a show-ref --heads
expect_stdout_file heads
run redo -C a show-ref tags/here
expect_status 1
expect_equal "$(redo -C a reflog -n 1 | cut -d' ' -f3-)" "restore $ENTRY (3 refs)" "the reflog"
run redo -C a reflog restore "$ENTRY"
expect_error 1 "the refs are what they were after entry $ENTRY"
run redo -C a reflog undo
expect_status 0
run redo -C a state
expect_stdout_has '"title":"Beer"'
run redo -C a reflog restore now
expect_status 1
run redo -C a reflog restore 2020-01-01
expect_error 128 "no ref had been changed at that time"
run redo -C a reflog restore 999
expect_error 128 "entry 999"
run redo -C a reflog restore soon
expect_error 128 "neither the number of an entry nor a valid date: 'soon'"
run redo -C a reflog restore
expect_status 129
redo -C a sync -q b
run redo -C a reflog restore -m back "$ENTRY"
expect_status 0
expect_stderr_has "'b' has 2 of them: the next 'fetch' or 'sync' brings them back"
run redo -C a verify --all
expect_status 0
