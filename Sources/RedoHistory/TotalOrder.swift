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
    var starts: [Int] = [0]
    starts.reserveCapacity(entries.count + 1)
    var parents: [Int32] = []
    for entry in entries {
      for parent in entry.parents { if let place = index[parent] { parents.append(place) } }
      starts.append(parents.count)
    }
    let keys = entries.map(Key.init)
    return positions(
      count: entries.count, isBefore: { keys[$0] < keys[$1] },
      forEachParent: { position, body in
        for place in starts[position]..<starts[position + 1] { body(Int(parents[place])) }
      })
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

  /// Sorts nodes that are known by their numbers.
  ///
  /// - Parameters:
  ///   - count: the number of nodes; they are called 0 and up.
  ///   - isBefore: whether the first of two comes before the second, if they are not related.
  ///   - forEachParent: hands on the parents of a node that are among them.
  /// - Returns: their numbers, oldest first.
  /// - Complexity: O(*n* log *n*).
  @inline(__always)
  package static func positions(
    count: Int, isBefore: (Int, Int) -> Bool, forEachParent: (Int, (Int) -> Void) -> Void
  ) -> [Int] {
    // The children of all nodes in one array, those of each node side by side.
    var waiting = [Int32](repeating: 0, count: count)
    var starts = [Int32](repeating: 0, count: count + 1)
    for position in 0..<count {
      forEachParent(position) { parent in
        starts[parent + 1] += 1
        waiting[position] += 1
      }
    }
    for position in 0..<count { starts[position + 1] += starts[position] }
    var children = [Int32](repeating: 0, count: Int(starts[count]))
    var filled = starts
    for position in 0..<count {
      forEachParent(position) { parent in
        children[Int(filled[parent])] = Int32(position)
        filled[parent] += 1
      }
    }

    var heap = Heap()
    for position in 0..<count where waiting[position] == 0 { heap.push(position, isBefore) }
    var order: [Int] = []
    order.reserveCapacity(count)
    while let position = heap.pop(isBefore) {
      order.append(position)
      for child in children[Int(starts[position])..<Int(starts[position + 1])] {
        waiting[Int(child)] -= 1
        if waiting[Int(child)] == 0 { heap.push(Int(child), isBefore) }
      }
    }
    precondition(order.count == count, "BUG: a cycle, which no hash can have")
    return order
  }
}
