// Nodes that are handed on in groups, such as the frames of a pack: an order in which parents still come
// before their children. Groups that need each other are taken apart.

/// The order of nodes some of which belong together.
package enum GroupOrder {
  /// What comes next.
  package enum Item: Equatable, Sendable {
    /// All nodes of a group, by its number.
    case group(Int)
    /// A node that is in no group, or in one that was taken apart.
    case node(Int)
  }

  /// Orders nodes.
  ///
  /// - Parameters:
  ///   - count: the number of nodes; they are known by their numbers from 0.
  ///   - groups: the nodes of each group in their order, each node in one group at most.
  ///   - forEachParent: hands on the parents of a node that are among the nodes.
  /// - Returns: every node once, by itself or with its group; groups whose order allows it come first.
  /// - Complexity: O(*n*) in nodes and parents.
  package static func items(
    count: Int, groups: [[Int32]], forEachParent: (Int, (Int) -> Void) -> Void
  ) -> [Item] {
    var groupOf = [Int32](repeating: -1, count: count)
    var isWhole = groups.map { !$0.isEmpty }
    for (number, nodes) in groups.enumerated() {
      for node in nodes { groupOf[Int(node)] = Int32(number) }
    }
    // Within a group, too, parents come first.
    var place = [Int32](repeating: 0, count: count)
    for (number, nodes) in groups.enumerated() {
      for (index, node) in nodes.enumerated() { place[Int(node)] = Int32(index) }
      for node in nodes.lazy.map(Int.init) {
        forEachParent(node) { parent in
          if groupOf[parent] == groupOf[node], place[parent] >= place[node] {
            isWhole[number] = false
          }
        }
      }
    }
    while true {
      let (items, left) = items(count, groups, groupOf, isWhole, forEachParent)
      guard !left.isEmpty else { return items }
      for group in left { isWhole[group] = false }
    }
  }

  /// Orders nodes and whole groups as far as these do not need each other.
  ///
  /// - Returns: the order, and the groups that it does not contain as a whole.
  private static func items(
    _ count: Int, _ groups: [[Int32]], _ groupOf: [Int32], _ isWhole: [Bool],
    _ forEachParent: (Int, (Int) -> Void) -> Void
  ) -> (items: [Item], left: [Int]) {
    // Groups are the first units, then each node is one.
    func unit(_ node: Int) -> Int {
      let group = Int(groupOf[node])
      return group >= 0 && isWhole[group] ? group : groups.count + node
    }
    var waiting = [Int32](repeating: 0, count: groups.count + count)
    var starts = [Int32](repeating: 0, count: groups.count + count + 1)
    for node in 0..<count {
      let own = unit(node)
      forEachParent(node) { parent in
        let other = unit(parent)
        guard other != own else { return }
        waiting[own] += 1
        starts[other + 1] += 1
      }
    }
    for unit in 0..<groups.count + count { starts[unit + 1] += starts[unit] }
    var children = [Int32](repeating: 0, count: Int(starts[groups.count + count]))
    var filled = starts
    for node in 0..<count {
      let own = unit(node)
      forEachParent(node) { parent in
        let other = unit(parent)
        guard other != own else { return }
        children[Int(filled[other])] = Int32(own)
        filled[other] += 1
      }
    }
    var order: [Int32] = []
    order.reserveCapacity(count)
    for group in groups.indices where isWhole[group] && waiting[group] == 0 {
      order.append(Int32(group))
    }
    for node in 0..<count {
      let own = unit(node)
      if own >= groups.count, waiting[own] == 0 { order.append(Int32(own)) }
    }
    var next = 0
    while next < order.count {
      let unit = Int(order[next])
      next += 1
      for child in children[Int(starts[unit])..<Int(starts[unit + 1])].lazy.map(Int.init) {
        waiting[child] -= 1
        if waiting[child] == 0 { order.append(Int32(child)) }
      }
    }
    let left = groups.indices.filter { isWhole[$0] && waiting[$0] > 0 }
    let items = order.map { unit -> Item in
      Int(unit) < groups.count ? .group(Int(unit)) : .node(Int(unit) - groups.count)
    }
    return (items, left)
  }
}
