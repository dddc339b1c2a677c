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
    var index: [ObjectID: Int32] = [:]
    index.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() { index[entry.id] = Int32(position) }

    // The children of each node, one after the other in one array.
    var waiting = [Int32](repeating: 0, count: entries.count)
    var starts = [Int32](repeating: 0, count: entries.count + 1)
    var parents: [Int32] = []
    for (position, entry) in entries.enumerated() {
      for parent in entry.parents {
        let place = index[parent] ?? -1
        parents.append(place)
        guard place >= 0 else { continue }
        starts[Int(place) + 1] += 1
        waiting[position] += 1
      }
    }
    for position in entries.indices { starts[position + 1] += starts[position] }
    var children = [Int32](repeating: 0, count: Int(starts[entries.count]))
    var next = starts
    var edge = 0
    for (position, entry) in entries.enumerated() {
      for _ in entry.parents {
        let place = Int(parents[edge])
        edge += 1
        guard place >= 0 else { continue }
        children[Int(next[place])] = Int32(position)
        next[place] += 1
      }
    }

    var ready = Heap(entries.map(Key.init))
    for position in entries.indices where waiting[position] == 0 { ready.push(position) }
    var order: [Int] = []
    order.reserveCapacity(entries.count)
    while let position = ready.pop() {
      order.append(position)
      for place in Int(starts[position])..<Int(starts[position + 1]) {
        let child = Int(children[place])
        waiting[child] -= 1
        if waiting[child] == 0 { ready.push(child) }
      }
    }
    precondition(order.count == entries.count, "BUG: a cycle, which no hash can have")
    return order
  }

  /// What two nodes are compared by, without anything that is counted by reference.
  private struct Key {
    private let lamport: Lamport
    private let wall: WallTime
    private let id: ObjectID

    init(_ entry: OrderEntry) {
      lamport = entry.lamport
      wall = entry.wall
      id = entry.id
    }

    static func < (left: Key, right: Key) -> Bool {
      if left.lamport != right.lamport { return left.lamport < right.lamport }
      if left.wall != right.wall { return left.wall < right.wall }
      return left.id < right.id
    }
  }

  /// A binary heap of positions, the least entry on top.
  private struct Heap {
    private let keys: [Key]
    private var items: [Int] = []

    init(_ keys: [Key]) { self.keys = keys }

    mutating func push(_ position: Int) {
      items.append(position)
      var child = items.count - 1
      while child > 0 {
        let parent = (child - 1) / 2
        guard keys[items[child]] < keys[items[parent]] else { return }
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
        where child < items.count && keys[items[child]] < keys[items[least]] {
          least = child
        }
        if least == parent { return top }
        items.swapAt(parent, least)
        parent = least
      }
    }
  }
}
