// The total order: parents first, then the least by lamport, wall and id; whatever order they come
// in.

import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Total order")
struct TotalOrderTests {
  /// By the words of the definition.
  static func byDefinition(_ nodes: [Node]) -> [ObjectID] {
    var left = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
    var order: [ObjectID] = []
    while !left.isEmpty {
      let ready = left.values.filter { node in node.parents.allSatisfy { left[$0] == nil } }
      let least = ready.min { one, other in
        (one.lamport.value, one.wall.milliseconds, one.id)
          < (other.lamport.value, other.wall.milliseconds, other.id)
      }
      guard let least else { preconditionFailure("a cycle") }
      order.append(least.id)
      left[least.id] = nil
    }
    return order
  }

  static func order(_ nodes: [Node]) -> [ObjectID] {
    TotalOrder.positions(of: nodes.map(OrderEntry.init)).map { nodes[$0].id }
  }

  @Test("random histories, clocks that tie and run back: the order of the definition, always")
  func definition() {
    for seed in SeededRandom.seeds("total order", fixed: 1..<40) {
      var random = SeededRandom(seed: seed)
      var maker = NodeMaker()
      var nodes: [Node] = []
      for _ in 0..<random.below(60) {
        let parents = Set(
          (0..<random.below(4)).compactMap { _ in nodes.randomElement(using: &random)?.id })
        nodes.append(
          maker.node(
            task: random.below(4), parents: parents.sorted(), lamport: UInt64(1 + random.below(9)),
            milliseconds: Int64(random.below(3) - 1)))
      }
      let expected = Self.byDefinition(nodes)
      #expect(Self.order(nodes) == expected, "seed \(seed)")
      for _ in 0..<3 {
        #expect(Self.order(nodes.shuffled(using: &random)) == expected, "seed \(seed)")
      }
    }
  }

  @Test("parents outside of the set do not count")
  func outside() {
    var maker = NodeMaker()
    let first = maker.node(task: 1, lamport: 5)
    let second = maker.node(task: 1, parents: [first.id], lamport: 9)
    let third = maker.node(task: 1, lamport: 7)
    #expect(Self.order([second, third]) == [third.id, second.id])
    #expect(Self.order([]) == [])
  }

  @Test("a long chain is ordered without recursion, in either direction")
  func chain() {
    var maker = NodeMaker()
    var nodes = [maker.node(task: 1)]
    for index in 1..<3000 {
      nodes.append(
        maker.node(task: 1, parents: [nodes[index - 1].id], lamport: UInt64(3001 - index)))
    }
    #expect(Self.order(nodes.reversed()) == nodes.map(\.id))
  }
}
