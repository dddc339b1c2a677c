// The order in which people read a history (protocol, section 2): children before parents, and of the nodes whose
// children have all been shown, the one with the latest wall time; ties are decided by lamport and id, the greatest
// first. It is git's --date-order.
//
// A walk goes from the newest on and computes no more than is asked for.

internal import RedoObject

/// A walk over nodes that are known by their numbers, from 0 to below a count.
package struct WallWalk: Sendable {
  /// For each node how many of its children are still to come; -1 for a node outside of the set.
  private var waiting: [Int32]
  /// The nodes without such children.
  private var free = Heap()
  /// The parents that the node just shown has made such ones.
  private var freed: [Int] = []

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - count: the number of nodes.
  ///   - members: for each node whether it is in the set; `nil` for all. Paths through other nodes do not count.
  ///   - isLater: whether the first of two comes before the second, if they are not related.
  ///   - forEachParent: hands on the parents of a node that are among the nodes.
  /// - Complexity: O(*n*).
  @inline(__always)
  init(
    count: Int, members: [Bool]? = nil, isLater: (Int, Int) -> Bool,
    forEachParent: (Int, (Int) -> Void) -> Void
  ) {
    var waiting = members?.map { $0 ? 0 : -1 } ?? [Int32](repeating: 0, count: count)
    for node in 0..<count where waiting[node] >= 0 {
      forEachParent(node) { parent in if waiting[parent] >= 0 { waiting[parent] += 1 } }
    }
    for node in 0..<count where waiting[node] == 0 { free.push(node, isLater) }
    self.waiting = waiting
  }

  /// The next node; `nil` after the last.
  ///
  /// - Complexity: O(log *n*) in the nodes without children to come.
  @inline(__always)
  mutating func next(
    isLater: (Int, Int) -> Bool, forEachParent: (Int, (Int) -> Void) -> Void
  ) -> Int? {
    guard let node = free.pop(isLater) else { return nil }
    freed.removeAll(keepingCapacity: true)
    forEachParent(node) { parent in
      guard waiting[parent] > 0 else { return }
      waiting[parent] -= 1
      if waiting[parent] == 0 { freed.append(parent) }
    }
    for parent in freed { free.push(parent, isLater) }
    return node
  }

  /// All nodes in this order.
  ///
  /// - Complexity: O(*n* log *n*).
  @inline(__always)
  static func order(
    count: Int, isLater: (Int, Int) -> Bool, forEachParent: (Int, (Int) -> Void) -> Void
  ) -> [Int] {
    var walk = WallWalk(count: count, isLater: isLater, forEachParent: forEachParent)
    var order: [Int] = []
    order.reserveCapacity(count)
    while let node = walk.next(isLater: isLater, forEachParent: forEachParent) {
      order.append(node)
    }
    return order
  }
}

/// A walk over some nodes of a graph.
package struct GraphWallWalk {
  private let graph: Graph
  private var walk: WallWalk
  /// Whether the graph was found to be damaged; then the walk is worth nothing.
  package private(set) var isDamaged = false

  /// Starts a walk; columns `parents` of all nodes, and `clocks` of the members.
  ///
  /// - Parameters:
  ///   - graph: the graph.
  ///   - members: for each position whether the node is in the set; `nil` for all.
  package init(_ graph: Graph, members: [Bool]?) {
    self.graph = graph
    var isDamaged = false
    walk = WallWalk(
      count: graph.count, members: members,
      isLater: { graph.isLater($0, $1, &isDamaged) }, forEachParent: graph.forEachParent)
    self.isDamaged = isDamaged
  }

  /// The position of the next node; `nil` after the last.
  package mutating func next() -> Int? {
    let graph = graph
    var isDamaged = isDamaged
    let position = walk.next(
      isLater: { graph.isLater($0, $1, &isDamaged) }, forEachParent: graph.forEachParent)
    self.isDamaged = isDamaged
    return isDamaged ? nil : position
  }
}

extension Graph {
  /// Whether a node comes before another in a walk by wall time, if they are not related; columns `clocks`.
  ///
  /// Ids are checked where they are needed.
  fileprivate func isLater(_ one: Int, _ other: Int, _ isDamaged: inout Bool) -> Bool {
    let (wall, otherWall) = (wall(at: one), wall(at: other))
    if wall != otherWall { return wall > otherWall }
    let (lamport, otherLamport) = (lamport(at: one), lamport(at: other))
    if lamport != otherLamport { return lamport > otherLamport }
    guard check(.ids, of: one..<one + 1), check(.ids, of: other..<other + 1) else {
      isDamaged = true
      return one > other
    }
    return id(at: one) > id(at: other)
  }
}
