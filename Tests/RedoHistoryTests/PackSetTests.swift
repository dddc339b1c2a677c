// Nodes that are packed together and are not a closed history: the order is still that of packs.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Sets of nodes that are packed")
struct PackSetTests {
  private func log(_ seed: UInt64) -> [HistoryNode] {
    var random = SeededRandom(seed: seed)
    var maker = LogMaker()
    var made: [ObjectID] = []
    for index in 0..<150 {
      let parents = Set(
        (0..<random.below(3)).compactMap { _ in made.randomElement(using: &random) })
      made.append(
        maker.add(
          "UPDATE", #""title":"\#(index)""#, parents.sorted(), task: random.below(6),
          lamport: UInt64(1 + random.below(20)), wall: random.below(50)))
    }
    return maker.nodes
  }

  @Test(
    "any part of a log has the order that its cut has",
    arguments: SeededRandom.seeds("pack set"))
  func sameOrder(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let nodes = log(seed)
    let history = NodeHistory(nodes)
    var set = PackSet()
    for node in nodes.shuffled(using: &random) {
      let isNew = set.add(node)
      #expect(isNew)
    }
    for node in nodes.prefix(5) {
      let isNew = set.add(node)
      #expect(!isNew)
    }
    #expect(set.count == nodes.count)
    for part in [1, 2, 5] {
      let members = Set(nodes.map(\.id).filter { _ in random.below(part) == 0 })
      let cut = Cut(
        of: history, members: (0..<history.count).map { members.contains(history.id(at: $0)) })
      let expected = PackOrder.positions(of: cut, in: history).map { history.id(at: $0) }
      let found = set.order { members.contains(set.id($0)) }.map { set.id($0) }
      #expect(found == expected, "seed \(seed), one of \(part)")
    }
  }

  @Test("what is kept of a node")
  func parts() {
    for node in log(7) {
      var set = PackSet()
      set.add(node)
      #expect(set.number(of: node.id) == 0)
      #expect(Array(set.parents(0)) == node.parents)
      #expect(set.lamport(0) == node.order.lamport)
      #expect(set.wall(0) == node.order.wall)
    }
  }
}
