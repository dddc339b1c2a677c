// What a point in time leaves out, and why; what it keeps, as a history of its own.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Left out")
struct LeftOutTests {
  /// The nearest ancestors of a node, first those one step away, that do not count by themselves.
  private static func culprits(
    of position: Int, _ log: NodeHistory, _ isLate: (Int) -> Bool
  ) -> [Int] {
    var level: Set<Int> = [position]
    var seen = level
    while !level.isEmpty {
      var next: Set<Int> = []
      for place in level {
        // Beyond a node that is itself too late nothing is looked at.
        log.forEachParent(at: place) { if $0 >= 0, seen.insert($0).inserted { next.insert($0) } }
      }
      let late = next.filter(isLate)
      if !late.isEmpty { return late.sorted() }
      level = next
    }
    return []
  }

  private static func check(_ log: NodeHistory, _ point: PointInTime, _ note: Comment) {
    let members = point.members(of: log)
    let left = point.leftOut(of: log, members: members)
    #expect(left.map(\.position) == members.indices.filter { !members[$0] }, note)
    func reason(_ position: Int) -> LeftOut.Reason? {
      switch point {
      case .instant(let instant, .received):
        log.received(at: position).map { $0 > instant.milliseconds ? .tooLate : nil }
          ?? .neverReceived
      case .instant(let instant, _): log.wall(at: position) > instant ? .tooLate : nil
      case .lamport(let limit): log.lamport(at: position).value > limit ? .tooLate : nil
      case .node: .notAncestor
      }
    }
    for row in left {
      if let own = reason(row.position) {
        #expect(row.reason == own && row.ancestor == nil, note)
        continue
      }
      let found = culprits(of: row.position, log) { reason($0) != nil }
      #expect(row.ancestor == found.first, note)
      #expect(
        row.reason
          == (found.first.flatMap(reason) == .neverReceived
            ? .parentNeverReceived : .parentTooLate),
        note)
    }
    // What is kept is a history whose heads are those of its definition.
    let admission = Admission(of: log, members: members)
    #expect(admission.ids == members.indices.filter { members[$0] }.map { log.id(at: $0) }, note)
    let changes = admission.headsChanges(heads: { _ in [] }, lookUp: { _ in nil })
    var ancestors: [Set<Int>] = []
    var heads: [TaskID?: Set<ObjectID>] = [:]
    for position in 0..<log.count {
      var own: Set<Int> = []
      log.forEachParent(at: position) { if $0 >= 0 { own.formUnion(ancestors[$0] + [$0]) } }
      ancestors.append(own)
    }
    for position in 0..<log.count where members[position] {
      let task = log.task(at: position)
      let isHead = !members.indices.contains { other in
        members[other] && log.task(at: other) == task && ancestors[other].contains(position)
      }
      if isHead {
        heads[task < 0 ? nil : log.taskID(task), default: []].insert(log.id(at: position))
      }
    }
    #expect(
      Dictionary(uniqueKeysWithValues: changes.map { ($0.task, Set($0.added)) }) == heads, note)
  }

  @Test(
    "40 random histories: every instant under both closed policies, every node, every lamport",
    .enabled(if: Oracle.isPresent, "SKIPPED: no python3 with rfc8785 and nacl"))
  func random() throws {
    for seed in SeededRandom.seeds("left out", fixed: 7000..<7001) {
      let made = try Oracle.ask("make_history.py", ["--seed", "\(seed)", "--count", "20"])
      try #require(made.lines.count == 20)
      for line in made.lines {
        let given = try ReplayCase(line)
        let log = NodeHistory(given.nodes, received: given.received)
        for position in 0..<log.count {
          let note: Comment = "seed \(given.seed), node \(position)"
          for policy in [PointPolicy.closed, .received] {
            Self.check(log, .instant(log.wall(at: position), policy), note)
          }
          Self.check(log, .node(position), note)
          Self.check(log, .lamport(log.lamport(at: position).value), note)
        }
      }
    }
  }

  @Test(
    "of several ancestors that are too late the nearest is named, of equally near ones the first")
  func nearest() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#, wall: 0)
    let far = maker.add("UPDATE", #""title":"far""#, [root], wall: 90)
    let fine = maker.add("UPDATE", #""title":"fine""#, [far], wall: 1)
    let near = maker.add("UPDATE", #""title":"near""#, [root], wall: 91)
    let other = maker.add("UPDATE", #""title":"other""#, [root], wall: 92)
    let merge = maker.add("MERGE", "", [fine, near, other], wall: 2)
    let log = maker.log
    let point = PointInTime.instant(WallTime(milliseconds: 1_740_816_000_000 + 300_000), .closed)
    let left = point.leftOut(of: log, members: point.members(of: log))
    let rows = left.map { row in
      (log.id(at: row.position), row.reason, row.ancestor.map { log.id(at: $0) })
    }
    func row(_ id: ObjectID) -> (LeftOut.Reason, ObjectID?)? {
      rows.first { $0.0 == id }.map { ($0.1, $0.2) }
    }
    #expect(left.count == 5 && row(root) == nil)
    #expect(row(far)! == (.tooLate, nil) && row(near)! == (.tooLate, nil))
    #expect(row(fine)! == (.parentTooLate, far))
    #expect(row(merge)! == (.parentTooLate, near))
  }

  @Test("what was never received is said to be so, and so is what descends from it")
  func neverReceived() {
    var maker = LogMaker()
    let root = maker.add("CREATE", #""title":"a""#)
    let one = maker.add("UPDATE", #""title":"b""#, [root])
    let two = maker.add("UPDATE", #""title":"c""#, [one])
    let log = NodeHistory(maker.nodes, received: [root: 1, two: 5])
    let point = PointInTime.instant(WallTime(milliseconds: 10), .received)
    let left = point.leftOut(of: log, members: point.members(of: log))
    #expect(left.map(\.reason) == [.neverReceived, .parentNeverReceived])
    #expect(left[1].ancestor == 1)
  }
}
