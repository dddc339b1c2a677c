// The heads of tasks in a set of nodes (protocol, section 2): the nodes from which no other node of their task
// descends, by whatever path.

internal import RedoObject

/// Finds heads.
package enum TaskHeads {
  /// For each position of a log whether the node is a head of its task; nodes without a task count as one task.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - members: for each position whether the node is in the set; `nil` for the whole log. Paths
  ///     through nodes outside of it do not count.
  /// - Returns: the marks.
  /// - Complexity: O(*n*) in nodes and parents where all parents are in the node's own task; else as
  ///   many times as tasks are open in other tasks at once.
  package static func marks(of log: some HistoryLog, members: [Bool]?) -> [Bool] {
    let count = log.count
    // The first node of each task: above it nothing can have a descendant in the task.
    var first = [Int32](repeating: .max, count: log.taskCount + 1)
    for position in 0..<count where members?[position] ?? true {
      let task = log.task(at: position) + 1
      first[task] = min(first[task], Int32(position))
    }
    var isHead = members ?? [Bool](repeating: true, count: count)
    // The other tasks that have nodes among the descendants.
    var others: [Int32: Set<Int32>] = [:]
    for position in stride(from: count - 1, through: 0, by: -1) where members?[position] ?? true {
      let task = Int32(log.task(at: position) + 1)
      let below = others.removeValue(forKey: Int32(position)) ?? []
      log.forEachParent(at: position) { parent in
        guard parent >= 0, members?[parent] ?? true else { return }
        let own = Int32(log.task(at: parent) + 1)
        if own == task || below.contains(own) { isHead[parent] = false }
        var passed = below
        passed.insert(task)
        passed = passed.filter { $0 != own && first[Int($0)] < parent }
        if !passed.isEmpty { others[Int32(parent), default: []].formUnion(passed) }
      }
    }
    return isHead
  }
}
