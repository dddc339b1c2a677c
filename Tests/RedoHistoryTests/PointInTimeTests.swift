// Points in time (protocol, section 5): the state as of D is the state of a store that only ever held the
// closed history up to D, on every prefix of a log.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Points in time")
struct PointInTimeTests {
  /// A log of only the nodes that count.
  private static func only(
    _ members: [Bool], of log: NodeHistory, _ nodes: [HistoryNode]
  ) -> NodeHistory {
    NodeHistory(nodes.filter { node in log.position(of: node.id).map { members[$0] } ?? false })
  }

  /// Compares every prefix of the order, every instant under every policy, and every node.
  private static func check(
    _ nodes: [HistoryNode], _ name: String, received: [ObjectID: Int64] = [:]
  ) {
    let log = NodeHistory(nodes, received: received)
    func compare(_ members: [Bool], _ what: String) {
      let cut = Replayed(log, Cut(of: log, members: members))
      let alone = Replayed(only(members, of: log, nodes))
      #expect(cut.text == alone.text && cut.skips == alone.skips, "\(name), \(what)")
    }
    for count in 0...log.count { compare((0..<log.count).map { $0 < count }, "first \(count)") }
    for position in 0..<log.count {
      for policy in PointPolicy.allCases {
        let point = PointInTime.instant(log.wall(at: position), policy)
        compare(point.members(of: log), "\(policy) at \(log.wall(at: position).text)")
      }
      compare(PointInTime.node(position).members(of: log), "node \(position)")
      compare(
        PointInTime.lamport(log.lamport(at: position).value).members(of: log),
        "lamport \(log.lamport(at: position).value)")
    }
  }

  @Test("the logs of the vectors")
  func vectors() throws {
    for file in [
      "actions", "crossed", "delete", "merged", "octopus", "order", "parents-in-another-task",
      "payload", "without-task",
    ] {
      let lines = try VectorFolder.own("log").lines("\(file).ndjson")
      var decoder = NodeDecoder()
      Self.check(lines.compactMap { decoder.decode($0.span).map { HistoryNode($0) } }, file)
    }
  }

  @Test(
    "40 random histories",
    .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
  func random() throws {
    for seed in SeededRandom.seeds("points in time", fixed: 5000..<5001) {
      let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "20"])
      try #require(made.lines.count == 20)
      for line in made.lines {
        let given = try ReplayCase(line)
        Self.check(given.nodes, "seed \(given.seed)", received: given.received)
      }
    }
  }

  @Test("closed: a child whose parent's clock ran ahead does not count before the parent does")
  func closed() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#, wall: 0)
    let ahead = maker.add("UPDATE", #""title":"ahead""#, [root], wall: 60)
    maker.add("UPDATE", #""priority":5"#, [ahead], wall: 2)
    let log = maker.log
    let at = WallTime(milliseconds: 1_740_816_000_000 + 300_000)
    let closed = PointInTime.instant(at, .closed).members(of: log)
    #expect(closed == [true, false, false])
    #expect(PointInTime.instant(at, .wall).members(of: log) == [true, false, true])
    let others = PolicyDifference(closed, .closed, at: at, log).others
    #expect(others.map { "\($0.policy) \($0.more) \($0.fewer)" } == ["wall 1 0", "received 0 1"])
  }

  @Test("received: by the time of receipt, closed too; what was never received does not count")
  func received() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""title":"b""#, [root])
    let two = maker.add("UPDATE", #""title":"c""#, [one])
    let times = { (ids: [(ObjectID, Int64)]) in
      NodeHistory(maker.nodes, received: Dictionary(uniqueKeysWithValues: ids))
    }
    let at = PointInTime.instant(WallTime(milliseconds: 10), .received)
    #expect(at.members(of: times([(root, 1), (one, 10), (two, 11)])) == [true, true, false])
    #expect(at.members(of: times([(root, 1), (one, 11), (two, 5)])) == [true, false, false])
    #expect(at.members(of: times([(root, 1), (two, 5)])) == [true, false, false])
  }

  @Test("a cut that is not closed has an order of its own")
  func openCut() {
    // In the whole history, the child comes after its parent; without the parent its own clock counts.
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#, wall: 0)
    let high = maker.add("UPDATE", #""title":"high""#, [root], lamport: 9, wall: 90)
    maker.add("UPDATE", #""title":"low""#, [high], lamport: 2, wall: 1)
    maker.add("UPDATE", #""title":"middle""#, [root], lamport: 5, wall: 3)
    let log = maker.log
    #expect(Replayed(log).text.contains(#""title":"low""#))
    let at = PointInTime.instant(WallTime(milliseconds: 1_740_816_000_000 + 600_000), .wall)
    let cut = Cut(of: log, members: at.members(of: log))
    #expect(cut.count == 3)
    #expect(Replayed(log, cut).text.contains(#""title":"middle""#))
  }
}
