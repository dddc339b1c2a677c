// Which tasks may differ between two sets of nodes. The state of a task depends on its own nodes and on
// which of them are ancestors of which, so a task is the same in both sets unless one of its nodes is in only
// one of them, or descends from such a node. A task can depend on a node in one more way: a MERGE with
// `payload` may name a base that is not its ancestor.

internal import RedoObject

/// Finds the tasks that may differ.
package enum TouchedTasks {
  /// The tasks that may differ between two sets of a log.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - left: for each position whether the node is in one set.
  ///   - right: for each position whether it is in the other.
  /// - Returns: the indices of the tasks, sorted by id; `nil` when the content of a node is none.
  /// - Complexity: O(*n*) in nodes and parents.
  package static func between(
    _ log: some HistoryLog, _ left: [Bool], _ right: [Bool]
  ) -> [Int]? {
    var isTouched = [Bool](repeating: false, count: log.count)
    var hasTouched = false
    var tasks = [Bool](repeating: false, count: log.taskCount)
    for position in 0..<log.count where left[position] || right[position] {
      var touched = left[position] != right[position]
      // In closed sets a node has the same ancestors in both; in others a path may be there in one.
      if !touched, hasTouched {
        log.forEachParent(at: position) { if $0 >= 0, isTouched[$0] { touched = true } }
      }
      guard touched else { continue }
      isTouched[position] = true
      hasTouched = true
      let task = log.task(at: position)
      if task >= 0 { tasks[task] = true }
    }
    guard hasTouched else { return [] }
    var reader = ContentReader()
    for position in 0..<log.count where left[position] && right[position] {
      let task = log.task(at: position)
      guard task >= 0, !tasks[task], isMerge(position, log) else { continue }
      reader.read(position, of: log)
      guard reader.isPayload,
        let base = MergeRequest(reader.content).base.flatMap({ log.position(of: $0) })
      else { continue }
      if isTouched[base] { tasks[task] = true }
    }
    guard !reader.isDamaged else { return nil }
    return tasks.indices.filter { tasks[$0] }.map { ($0, log.taskID($0)) }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Whether a node is a MERGE whose content must be looked at.
  ///
  /// - Parameters:
  ///   - position: the node.
  ///   - log: its log.
  /// - Returns: whether it is, and is not broken.
  package static func isMerge(_ position: Int, _ log: some HistoryLog) -> Bool {
    log.action(at: position) == .merge && !log.isBroken(at: position)
  }
}
