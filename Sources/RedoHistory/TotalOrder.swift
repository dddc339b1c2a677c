// The total order of a history (protocol, section 2): parents first, and of the nodes whose parents
// have all been emitted the least by lamport, wall and id.

package import RedoObject

/// What the order of a node depends on.
package struct OrderEntry: Sendable {
  /// The node.
  package let id: ObjectID
  /// Its parents.
  package let parents: [ObjectID]
  /// Its logical time.
  package let lamport: Lamport
  /// Its wall time.
  package let wall: WallTime

  /// The entry of a node.
  package init(_ node: Node) {
    id = node.id
    parents = node.parents
    lamport = node.lamport
    wall = node.wall
  }

  /// An entry of its parts.
  package init(id: ObjectID, parents: [ObjectID], lamport: Lamport, wall: WallTime) {
    self.id = id
    self.parents = parents
    self.lamport = lamport
    self.wall = wall
  }

  /// Whether this comes before another node that it is not related to.
  static func < (left: OrderEntry, right: OrderEntry) -> Bool {
    if left.lamport != right.lamport { return left.lamport < right.lamport }
    if left.wall != right.wall { return left.wall < right.wall }
    return left.id < right.id
  }
}

/// The total order of a set of nodes.
package enum TotalOrder {
  /// Sorts nodes; parents that are not in the set do not count.
  ///
  /// - Parameter entries: each node once.
  /// - Returns: the positions of the entries, oldest first.
  /// - Complexity: O(*n* log *n*).
  package static func positions(of entries: [OrderEntry]) -> [Int] {
    var index: [ObjectID: Int] = [:]
    index.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() { index[entry.id] = position }

    var waiting = [Int](repeating: 0, count: entries.count)
    var children = [[Int32]](repeating: [], count: entries.count)
    for (position, entry) in entries.enumerated() {
      for parent in entry.parents {
        guard let place = index[parent] else { continue }
        children[place].append(Int32(position))
        waiting[position] += 1
      }
    }

    var ready = Heap(entries)
    for position in entries.indices where waiting[position] == 0 { ready.push(position) }
    var order: [Int] = []
    order.reserveCapacity(entries.count)
    while let position = ready.pop() {
      order.append(position)
      for child in children[position] {
        waiting[Int(child)] -= 1
        if waiting[Int(child)] == 0 { ready.push(Int(child)) }
      }
    }
    precondition(order.count == entries.count, "BUG: a cycle, which no hash can have")
    return order
  }

  /// A binary heap of positions, the least entry on top.
  private struct Heap {
    private let entries: [OrderEntry]
    private var items: [Int] = []

    init(_ entries: [OrderEntry]) { self.entries = entries }

    mutating func push(_ position: Int) {
      items.append(position)
      var child = items.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        guard entries[items[child]] < entries[items[parent]] else { return }
        items.swapAt(child, parent)
        child = parent
      }
    }

    mutating func pop() -> Int? {
      guard let top = items.first else { return nil }
      let last = items.removeLast()
      if items.isEmpty { return top }
      items[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2]
        where child < items.count && entries[items[child]] < entries[items[least]] {
          least = child
        }
        if least == parent { return top }
        items.swapAt(parent, least)
        parent = least
      }
    }
  }
}
