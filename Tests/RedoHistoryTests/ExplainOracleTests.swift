// Explanations of random histories: the state is that of the replay, every value is its winner's, and what would
// restore a loser does.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite(
  "Explain oracle", .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
struct ExplainOracleTests {
  /// What has been seen, so that a test of nothing fails.
  private struct Counts {
    var members = 0
    var restored = 0
    var rules: Set<String> = []
  }

  @Test("200 histories: values are the winners', losers are told with their rules and restored")
  func explanations() throws {
    let seeds = SeededRandom.seeds("explain oracle", fixed: 40_000..<40_001)
    for (seed, count) in zip(seeds, seeds.count == 1 ? [1] : [160, 40]) {
      var random = SeededRandom(seed: seed)
      var counts = Counts()
      let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "\(count)"])
      try #require(made.lines.count == count)
      for line in made.lines {
        let given = try ReplayCase(line)
        let log = given.log
        for (number, query) in given.queries.enumerated() {
          let cut = query.cut(of: log)
          let nodes = TaskNodes(log, cut)
          for task in nodes.tasks {
            var replay = Replay(log, cut, nodes)
            let state = replay.state(of: task)
            let skips = replay.takeSkips()
            let told = replay.explain(task)
            let name = "seed \(given.seed), \(query), task \(log.taskID(task).text)"
            #expect(told.state?.json == state?.json, "\(name)")
            let isSame = zip(told.skips, skips).allSatisfy {
              $0.position == $1.position && $0.reason == $1.reason && $0.todo == $1.todo
            }
            #expect(isSame && told.skips.count == skips.count, "\(name)")
            check(told, log, name, &counts)
            if number == 0, told.state != nil {
              try restore(told, given, log, name, &random, &counts)
            }
          }
        }
      }
      guard count > 1 else { continue }
      #expect(counts.members > 100 * count && counts.restored > count)
      // A fresh run is too short to be sure of all rules.
      guard count > 100 else { continue }
      let wanted: Set<String> = [
        "earlier", "concurrent", "default", "automatic-merge", "create-duplicate", "after-delete",
        "not-living", "broken-branch", "todo-duplicate", "todo-missing", "deadline-missing",
      ]
      #expect(wanted.isSubset(of: counts.rules), "\(wanted.subtracting(counts.rules))")
    }
  }

  /// Every member of the state is explained once, with the value of its winner.
  private func check(
    _ told: Explanation, _ log: NodeHistory, _ name: String, _ counts: inout Counts
  ) {
    var seen: Set<StateMember> = []
    for member in told.members {
      counts.members += 1
      let path = "\(name), \(member.member.todo?.text ?? "") \(string(member.member.path))"
      #expect(seen.insert(member.member).inserted, "\(path)")
      #expect(member.value == member.member.value(in: told.state), "\(path)")
      #expect(member.winner?.value == member.value, "\(path)")
      for loser in member.losers {
        counts.rules.insert(loser.reason.rule)
        guard let winner = member.winner, winner.position == loser.writer.position else { continue }
        // A node loses to itself only within one CREATE.
        #expect(log.action(at: winner.position) == .create, "\(path)")
      }
    }
    guard let state = told.state else { return }
    let wanted = state.stateMembers.filter { $0.key != .defaulted }
    #expect(Set(wanted + state.todos.items.flatMap(\.stateMembers)).isSubset(of: seen), "\(name)")
  }

  /// A change with the restoring content gives the member the value of the loser.
  private func restore(
    _ told: Explanation, _ given: ReplayCase, _ log: NodeHistory, _ name: String,
    _ random: inout SeededRandom, _ counts: inout Counts
  ) throws {
    let possible = told.members.flatMap { member in
      member.losers.compactMap { loser in
        Restoration(loser.writer.value, of: member.member, in: told.state).map { (member, $0) }
      }
    }
    for (member, restoration) in possible.shuffled(using: &random).prefix(3) {
      let node = try node(restoration, told.task, given, log)
      let found = NodeHistory(given.nodes + [node])
      let cut = Cut(whole: found)
      let nodes = TaskNodes(found, cut)
      var replay = Replay(found, cut, nodes)
      let task = try #require(nodes.tasks.first { found.taskID($0) == told.task })
      let state = replay.state(of: task)
      #expect(
        member.member.value(in: state) == restoration.value,
        "\(name), \(string(member.member.path))")
      // Nothing else changes except who made the last change.
      for other in told.members where other.member != member.member && !other.member.isAboutOthers {
        #expect(
          other.member.value(in: state) == other.value, "\(name), \(string(other.member.path))")
      }
      counts.restored += 1
    }
  }

  /// A node with the content, after the living heads of the task.
  private func node(
    _ restoration: Restoration, _ task: TaskID, _ given: ReplayCase, _ log: NodeHistory
  ) throws -> HistoryNode {
    let nodes = Dictionary(given.nodes.map { ($0.id, $0) }) { first, _ in first }
    let living = LivingHeads(of: task, tips: given.nodes.map(\.id)) { id in
      guard let node = nodes[id] else { preconditionFailure("not closed") }
      return TaskNode(
        order: node.order, task: node.taskID,
        isDelete: log.position(of: id).map { log.action(at: $0) == .delete } ?? false,
        isBroken: node.node == nil)
    }
    let parents = living.heads.map { "\"\($0.id.text)\"" }.joined(separator: ",")
    let lamport = given.nodes.map(\.order.lamport.value).max() ?? 0
    let text = """
      {"action":"\(restoration.action.rawValue)",\
      "author":{"deviceId":"d","userId":"00112233445566778899aabbccddeeff"},\
      "data":{"fields":\(string(restoration.content))},"parents":[\(parents)],\
      "taskId":"\(task.text)",\
      "timestamp":{"lamport":\(lamport + 1),"wall":"9999-01-01T00:00:00.000Z"},"version":1}
      """
    var decoder = NodeDecoder()
    let node = decoder.decode(Array(text.utf8).span)
    return HistoryNode(try #require(node, "\(text) \(decoder.findings)"))
  }
}
