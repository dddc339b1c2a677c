// What is kept of an exchange: the identity of the remote, the time, and its heads of each task.

internal import RedoHistory
internal import RedoObject
package import RedoRemote
internal import RedoStore

extension SyncSession {
  /// Remembers an exchange that ended well.
  ///
  /// - Parameters:
  ///   - history: what was compared.
  ///   - difference: the result of the comparison.
  ///   - effects: for the clock and events.
  /// - Throws: `SystemError` or `RefsError` when it cannot be written.
  package func remember(
    _ history: ComparedHistory, _ difference: RangeDifference, _ effects: Effects
  ) throws {
    guard let name = remote.name, let server, kind != .list else { return }
    try RemoteMemory(name, opened).remember(
      id: server.store.flatMap { StoreID(raw: $0) }, checkpoint: server.checkpoint,
      RemoteExchange(
        time: WallTime(milliseconds: effects.clock()), fetched: report.fetched.count,
        pushed: report.pushed.count))
    guard options.filter == .all, !isNarrowed else { return }
    let shelf = RemoteHeads(opened)
    let isFirst = try shelf.isEmpty(name)
    guard isFirst || !report.fetched.isEmpty || !report.pushed.isEmpty else { return }
    let source = try history.source()
    var lacking: Set<ObjectID> = []
    for range in difference.have {
      for position in range { lacking.insert(source.id(at: position)) }
    }
    lacking.subtract(report.pushed)
    let fetched = Set(report.fetched)
    // In a store without an earlier history nothing else has arrived: its heads are known without the index.
    if source.count == 0, let rows = try ownHeads(among: fetched) {
      try shelf.remember(rows, of: name, message: message, effects)
      return
    }
    let now = try HistorySource(
      opened, allowsUnsigned: options.allowsUnsigned, effects)
    let graph = now.graph
    guard graph.check([.ids, .parents, .labels], of: 0..<graph.count) else { return }
    var tasks: Set<Int>?
    if !isFirst {
      tasks = []
      for id in report.fetched + report.pushed {
        if let position = graph.position(of: id) { tasks?.insert(graph.task(at: position)) }
      }
    }
    let heads = RemoteHeads.heads(graph, of: tasks) { position in
      guard now.position(ofGraph: position) != nil else { return false }
      if let tasks, !tasks.contains(graph.task(at: position)) { return false }
      let id = graph.id(at: position)
      // Nodes that others have committed meanwhile were not compared.
      return fetched.contains(id)
        || (!lacking.contains(id) && source.graph.position(of: id) != nil)
    }
    var rows: [(task: TaskID?, ids: [ObjectID])] = []
    for (task, positions) in heads {
      rows.append((task < 0 ? nil : graph.taskID(task), positions.map { graph.id(at: $0) }))
    }
    try shelf.remember(rows, of: name, message: message, effects)
  }

  /// The heads of this store by task; `nil` when one of them is not among some nodes.
  private func ownHeads(
    among nodes: Set<ObjectID>
  ) throws -> [(task: TaskID?, ids: [ObjectID])]? {
    var snapshot = try opened.snapshot()
    var rows: [(task: TaskID?, ids: [ObjectID])] = []
    var hasOthers = false
    try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
      hasOthers = !nodes.contains(ref.id)
      let task = ref.name.task
      if let last = rows.last, last.task == task {
        rows[rows.count - 1].ids.append(ref.id)
      } else {
        rows.append((task, [ref.id]))
      }
      return !hasOthers
    }
    return hasOthers ? nil : rows
  }

  /// Reports when a remote lacks what it is remembered to have: it was restored from an older copy, or its store was
  /// damaged.
  ///
  /// - Parameters:
  ///   - history: what was compared.
  ///   - difference: the result of the comparison.
  ///   - effects: receives the report.
  /// - Throws: `RefsError` when the refs cannot be read.
  func tellLost(
    _ history: ComparedHistory, _ difference: RangeDifference, _ effects: Effects
  ) throws {
    guard let name = remote.name, kind != .list, !isNarrowed, !difference.have.isEmpty else {
      return
    }
    let source = try history.source()
    var lacking: Set<ObjectID> = []
    for range in difference.have {
      for position in range { lacking.insert(source.id(at: position)) }
    }
    let count = try RemoteHeads(opened).count(of: name) { lacking.contains($0) }
    guard count > 0 else { return }
    effects.report(.sync(.lost(remote: remote.title, taskCount: count, isSent: kind.pushes)))
  }
}
