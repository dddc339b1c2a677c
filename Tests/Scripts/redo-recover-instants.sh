#!/bin/bash
# redo recover at every instant of a log: the store that is made has the state of that instant, and every node is in it or
# in the report.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# That what is written reaches the disk is shown elsewhere; here it would only take time.
[ -n "$SOAK" ] || redo config set --user core.fsync none

# heads <store>: names and ids.
heads() { redo -C "$1" show-ref --heads; }

# Nothing here is to survive a power cut.
export REDO_CONFIG_COUNT=1 REDO_CONFIG_KEY_0=core.fsync REDO_CONFIG_VALUE_0=none

scene "the logs of the vectors, signed and diverged: at each instant the store has the state of that instant"
# at_each_instant <store>: -o and --as-of agree at every distinct wall time of its history.
at_each_instant() {
  local store=$1 wall count=0
  while read -r wall; do
    rm -rf past
    redo -C "$store" recover -z --to="$wall" --allow-empty -o "$PWD/past" 2>"$ERR" | tr '\0' '\n' >left || fail "it cannot be recovered to $wall" <"$ERR"
    redo -C "$store" state -q --as-of="$wall" --allow-empty >expected 2>"$ERR"
    run redo -C past state -q
    RUN="redo recover --to=$wall of $store"
    expect_status 0
    cmp -s expected "$OUT" || fail "the state differs" < <(diff expected "$OUT" | head)
    # Every node is there or left out, and none is both.
    { redo -C past log --format='%(id)'; cut -d' ' -f1 left; } | sort >all
    redo -C "$store" log --format='%(id)' | sort | cmp -s - all || fail "nodes are lost or there twice" <left
    count=$((count + 1))
  done < <(redo -C "$store" log --format='%(wall)' | sed 's/\(T[0-9:]*\)Z/\1.000Z/' | sort -u)
  [ $count -gt 0 ] || fail "there is no instant" </dev/null
}
for log in crossed delete merged octopus parents-in-another-task without-task digest without-key; do
  rm -rf store && redo init -q store
  redo -C store import -q --salvage <"$VECTORS/log/$log.ndjson" >/dev/null 2>&1
  at_each_instant store
  run redo -C past verify --all
  redo -C store verify --all >expected 2>/dev/null
  expect_stdout_file expected
  expect_equal "$(heads past)" "$(heads store)" "heads of $log"
  redo -C store recover -q --to=now -o "$PWD/whole-$log"
  expect_equal "$(redo -C "whole-$log" export | sha256sum)" "$(redo -C store export | sha256sum)" "the export of $log"
done

scene "random logs whose clocks run wild: the nodes, the state and the heads, at each instant"
if ! command -v python3 >/dev/null; then
  skip "python3 is missing"
  exit 0
fi
cat >random.py <<'END'
"""A history of several tasks whose clocks run wild; then, for each instant, the ids that count, from the definition."""
import hashlib, json, os, random, sys

seed = int(sys.argv[1])
rng = random.Random(seed)
print(f"seed {seed}", file=sys.stderr)
tasks = [f"7a000000-0000-4000-8000-00000000000{number}" for number in range(4)]
nodes, walls, parents_of, lines = [], {}, {}, []
for number in range(70):
    parents = rng.sample(nodes[-12:], min(len(nodes), rng.choice([1, 1, 1, 2, 3]))) if rng.random() < 0.85 else []
    action, fields = rng.choice([
        ("CREATE", {"title": f"t{number}"}), ("UPDATE", {"priority": number % 5 + 1}), ("UPDATE", {"title": f"u{number}"}),
        ("ARCHIVE", {}), ("UNARCHIVE", {}), ("COMPLETE", {"completedAt": "2025-03-01T08:00:00.000Z"}), ("REMARK", {"x": number}),
        ("DELETE", {})] if rng.random() < 0.5 else [("CREATE", {"title": f"t{number}"}), ("UPDATE", {"priority": 1})])
    if len(parents) > 1 and rng.random() < 0.5:
        action, fields = "MERGE", {"title": f"m{number}"}
    minute = max(0, number // 2 + rng.choice([0, 0, 0, 0, rng.randrange(-9, 15)]))
    wall = f"2025-03-01T{8 + minute // 60:02d}:{minute % 60:02d}:00.000Z"
    node = {"action": action, "author": {"deviceId": "d", "userId": "5a" * 16}, "data": {"fields": fields},
            "parents": parents, "timestamp": {"lamport": rng.randrange(1, 30) if rng.random() < 0.2 else number + 1, "wall": wall},
            "version": 1}
    if action != "REMARK":
        node["taskId"] = rng.choice(tasks)
    line = json.dumps(node, sort_keys=True, separators=(",", ":"))
    name = "sha256:" + hashlib.sha256(line.encode()).hexdigest()
    nodes.append(name)
    walls[name], parents_of[name] = wall, parents
    lines.append(line)
with open("log.ndjson", "w") as file:
    file.write("\n".join(lines) + "\n")
for wall in sorted(set(walls.values())):
    count = set()
    for name in nodes:
        if walls[name] <= wall and all(parent in count for parent in parents_of[name]):
            count.add(name)
    print(wall, *sorted(count))
END
of_tasks=0
for number in 1 2; do
  run python3 random.py $((SEED + number))
  cp "$OUT" instants && cp "$ERR" seed
  rm -rf store copy && redo init -q store
  redo -C store hash-object -w --update-heads --ndjson <log.ndjson >/dev/null 2>"$ERR" || fail "the log is refused" < <(cat seed "$ERR")
  at_each_instant store
  while read -r wall ids; do
    rm -rf past
    redo -C store recover -q --allow-empty --to="$wall" -o "$PWD/past"
    RUN="redo recover --to=$wall, $(cat seed)"
    expect_equal "$(redo -C past log --format='%(id)' | sort | xargs)" "$ids" "the nodes"
    # The heads are those that the same nodes get when they come as a log.
    rm -rf copy && redo init -q copy
    redo -C past log --json --reverse | redo -C copy hash-object -w --update-heads --ndjson >/dev/null 2>&1
    expect_equal "$(heads past)" "$(heads copy)" "the heads"
    # Of one task: what its heads reach is enough for its state.
    task=7a000000-0000-4000-8000-00000000000$((RANDOM % 4))
    redo -C store state -q --as-of="$wall" --task=$task >expected 2>/dev/null
    if [ -s expected ]; then
      rm -rf past
      redo -C store recover -q --to="$wall" --task=$task -o "$PWD/past"
      redo -C past state -q --task=$task | cmp -s expected - || fail "the state of '$task' differs" <expected
      of_tasks=$((of_tasks + 1))
    fi
  done < <(awk 'NR % 4 == 1' instants)
done
[ $of_tasks -gt 0 ] || fail "no task has a state" </dev/null
