// The order of nodes that are handed on in groups.

import RedoHistory
import TestSupport
import Testing

@Suite("The order of groups")
struct GroupOrderTests {
  private func items(
    _ parents: [[Int]], _ groups: [[Int32]]
  ) -> [GroupOrder.Item] {
    GroupOrder.items(count: parents.count, groups: groups) { node, body in
      for parent in parents[node] { body(parent) }
    }
  }

  /// The nodes in their order, once the groups are taken apart.
  private func nodes(_ items: [GroupOrder.Item], _ groups: [[Int32]]) -> [Int] {
    items.flatMap { item in
      switch item {
      case .group(let group): groups[group].map(Int.init)
      case .node(let node): [node]
      }
    }
  }

  @Test("groups that follow each other stay whole, whatever their numbers")
  func row() {
    let parents = [[], [0], [1], [2], [3], [4]]
    #expect(items(parents, [[0, 1], [2, 3], [4, 5]]) == [.group(0), .group(1), .group(2)])
    #expect(items(parents, [[4, 5], [0, 1]]) == [.group(1), .node(2), .node(3), .group(0)])
    #expect(items(parents, []) == (0..<6).map { .node($0) })
    #expect(items([], []) == [])
  }

  @Test("groups that need each other are taken apart, others are not")
  func cycle() {
    let parents = [[], [0], [1], [2], []]
    let items = items(parents, [[0, 2], [1, 3], [4]])
    #expect(items == [.group(2), .node(0), .node(1), .node(2), .node(3)])
  }

  @Test("a group in which a child stands before its parent is taken apart")
  func inside() {
    #expect(items([[], [0]], [[1, 0]]) == [.node(0), .node(1)])
    #expect(items([[], [0]], [[0, 1]]) == [.group(0)])
  }

  @Test("of any nodes and groups each node comes once, behind its parents")
  func any() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<300 {
      let count = 1 + random.below(40)
      let parents = (0..<count).map { node in
        (0..<random.below(3)).compactMap { _ in node > 0 ? random.below(node) : nil }
      }
      var groups: [[Int32]] = []
      var left = Array(0..<Int32(count))
      while !left.isEmpty, random.below(8) > 0 {
        var group: [Int32] = []
        for _ in 0..<1 + random.below(5) where !left.isEmpty {
          // Neighbours often, so that many groups can stay whole.
          group.append(left.remove(at: random.below(4) > 0 ? 0 : random.below(left.count)))
        }
        groups.append(group)
      }
      let order = nodes(items(parents, groups), groups)
      #expect(order.sorted() == Array(0..<count))
      var seen: Set<Int> = []
      for node in order {
        #expect(parents[node].allSatisfy { seen.contains($0) })
        seen.insert(node)
      }
    }
  }
}
