// The order of nodes in a pack (redo-pack(5)): the nodes of a task are together, tasks come in the order
// of their first nodes, and parents still come before their children.

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
    places(
      count: cut.count, taskCount: log.taskCount + 1,
      task: { log.task(at: Int(cut.order[$0])) + 1 },
      forEachParent: { place, body in
        log.forEachParent(at: Int(cut.order[place])) { parent in
          if parent >= 0, cut.contains(parent) { body(cut.place(of: parent)) }
        }
      }
    ).map { Int(cut.order[$0]) }
  }

  /// Sorts nodes that are known by their places in the total order of their set.
  ///
  /// - Parameters:
  ///   - count: the number of nodes; their places are 0 and up.
  ///   - taskCount: the number of tasks.
  ///   - task: the task of a node, from 0 to below `taskCount`.
  ///   - forEachParent: hands on the places of those parents of a node that are in the set.
  /// - Returns: the places.
  @inline(__always)
  static func places(
    count: Int, taskCount: Int, task: (Int) -> Int,
    forEachParent: (Int, (Int) -> Void) -> Void
  ) -> [Int] {
    // Where the task of each node is first met; tasks that are not met keep the largest place.
    var first = [Int32](repeating: .max, count: taskCount)
    var ranks = [Int32](repeating: 0, count: count)
    for place in 0..<count {
      let task = task(place)
      first[task] = min(first[task], Int32(place))
      ranks[place] = first[task]
    }
    return TotalOrder.positions(
      count: count, isBefore: { (ranks[$0], $0) < (ranks[$1], $1) }, forEachParent: forEachParent)
  }
}
