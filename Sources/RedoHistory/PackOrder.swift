// The order of nodes in a pack (redo-pack(5)): the nodes of a task stand together, tasks come in the order
// of their first nodes, and parents come before children all the same.

/// The order in which a set of nodes is packed.
package enum PackOrder {
  /// Sorts a set.
  ///
  /// The order follows from the set alone: repeatedly, among the nodes whose parents in the set have
  /// all been taken, the one of the task whose first node comes first in the total order of the set,
  /// and of one task the first in the total order. Nodes without a task count as one task.
  ///
  /// - Parameters:
  ///   - cut: the set.
  ///   - log: the log that it is of.
  /// - Returns: the positions in the log.
  /// - Complexity: O(*n* log *n*).
  package static func positions<Log: HistoryLog>(of cut: Cut, in log: Log) -> [Int] {
    // Where the task of each node is first met; tasks that are not met keep the largest place.
    var first = [Int32](repeating: .max, count: log.taskCount + 1)
    var ranks = [Int32](repeating: 0, count: cut.count)
    for (place, position) in cut.order.enumerated() {
      let task = log.task(at: Int(position)) + 1
      first[task] = min(first[task], Int32(place))
      ranks[place] = first[task]
    }
    return TotalOrder.positions(
      count: cut.count,
      isBefore: { (ranks[$0], $0) < (ranks[$1], $1) },
      forEachParent: { place, body in
        log.forEachParent(at: Int(cut.order[place])) { parent in
          if parent >= 0, cut.contains(parent) { body(cut.place(of: parent)) }
        }
      }
    ).map { Int(cut.order[$0]) }
  }
}
