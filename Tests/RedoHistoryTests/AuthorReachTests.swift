// What nodes reach of one author's work, compared with the definition on random graphs.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("The reach of an author")
struct AuthorReachTests {
  /// All ancestors of each node, itself included.
  private static func ancestors(_ parents: [[Int]]) -> [Set<Int>] {
    var all: [Set<Int>] = []
    for (position, parents) in parents.enumerated() {
      all.append(parents.reduce(into: [position]) { if $1 >= 0 { $0.formUnion(all[$1]) } })
    }
    return all
  }

  @Test("random graphs: the last nodes reach the same, and none of them reaches another")
  func random() {
    for seed in SeededRandom.seeds("reach of an author") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<300 {
        let count = 1 + random.below(40)
        let parents = (0..<count).map { position -> [Int] in
          guard position > 0 else { return random.once(in: 4) ? [-1] : [] }
          return Array(Set((0..<random.below(4)).map { _ in random.below(position + 1) - 1 }))
            .sorted()
        }
        let isOwn = (0..<count).map { _ in random.once(in: 1 + count % 4) }
        let tips = (0..<random.below(5)).map { _ in random.below(count) }
        var log = ColumnLog(rows: [], taskCount: 1)
        for row in parents { log.rows.append(ColumnLog.Row(parents: row.map(Int32.init))) }

        let ancestors = Self.ancestors(parents)
        let reached = tips.reduce(into: Set<Int>()) { $0.formUnion(ancestors[$1]) }
        let own = reached.filter { isOwn[$0] }
        let reach = AuthorReach(from: tips, in: log) { isOwn[$0] }
        #expect(reach.count == own.count)
        let again = reach.last.reduce(into: Set<Int>()) { $0.formUnion(ancestors[$1]) }
        #expect(again.filter { isOwn[$0] } == own)
        for one in reach.last {
          #expect(isOwn[one] && !reach.last.contains { $0 != one && ancestors[$0].contains(one) })
        }
        #expect(reach.last == reach.last.sorted(by: >))
      }
    }
  }

  @Test("nothing is reached from nowhere, and a node reaches itself")
  func edges() {
    let log = ColumnLog(rows: [ColumnLog.Row(parents: [])], taskCount: 1)
    #expect(AuthorReach(from: [], in: log) { _ in true }.last.isEmpty)
    #expect(AuthorReach(from: [0], in: log) { _ in true }.last == [0])
    #expect(AuthorReach(from: [0], in: log) { _ in false }.count == 0)
  }
}
