// What an exchange of nodes does with the history: heads, checks, packs.

internal import RedoHistory
package import RedoObject
package import RedoRemote
package import RedoStore

extension ComparedHistory {
  package func heads(_ has: (Int) -> Bool) throws -> [Ref] {
    let source = try source()
    let graph = source.graph
    guard graph.check([.ids, .parents, .labels], of: 0..<graph.count) else { return [] }
    let heads = RemoteHeads.heads(graph) { position in
      source.position(ofGraph: position).map(has) ?? false
    }
    var refs: [Ref] = []
    for (task, positions) in heads {
      let name = RefName.heads(of: task < 0 ? nil : graph.taskID(task))
      for position in positions { refs.append(Ref(name: name, id: graph.id(at: position))) }
    }
    // With a filter, ancestors in other tasks do not count.
    let wanted = filter.task.map { RefName.heads(of: $0) }
    return refs.filter { wanted == nil || $0.name == wanted }.sorted()
  }

  package func check(
    _ positions: [Range<Int>], _ effects: Effects
  ) throws -> PushCheck.Outcome {
    try PushCheck.run(
      positions, of: try source(), opened, allowsUnsigned: allowsUnsigned, effects)
  }

  package func packs(
    turnLimit: Int?, tellsWhy: Bool, lists: (() -> AccessNotes.Found?)?, _ effects: Effects
  ) throws -> any PackMaker {
    HistoryPacks(
      try source(), opened, effects, turnLimit: turnLimit, tellsWhy: tellsWhy, lists: lists)
  }

  package func sharedHeads(
    lacking: Set<ObjectID>, fetched: [ObjectID], pushed: [ObjectID], isFirst: Bool,
    _ effects: Effects
  ) throws -> [(name: RefName, ids: [ObjectID])]? {
    let source = try source()
    let new = Set(fetched)
    // In a store without an earlier history nothing else has arrived: its heads are known without the index.
    if source.count == 0, let rows = try ownHeads(among: new) { return rows }
    let now = try HistorySource(opened, allowsUnsigned: allowsUnsigned, effects)
    let graph = now.graph
    guard graph.check([.ids, .parents, .labels], of: 0..<graph.count) else { return nil }
    var tasks: Set<Int>?
    if !isFirst {
      tasks = []
      for id in fetched + pushed {
        if let position = graph.position(of: id) { tasks?.insert(graph.task(at: position)) }
      }
    }
    let heads = RemoteHeads.heads(graph, of: tasks) { position in
      guard now.position(ofGraph: position) != nil else { return false }
      if let tasks, !tasks.contains(graph.task(at: position)) { return false }
      let id = graph.id(at: position)
      // Nodes that others have committed meanwhile were not compared.
      return new.contains(id)
        || (!lacking.contains(id) && source.graph.position(of: id) != nil)
    }
    return heads.map { task, positions in
      (
        RefName.heads(of: task < 0 ? nil : graph.taskID(task)), positions.map { graph.id(at: $0) }
      )
    }
  }

  /// The heads of this store by task; `nil` when one of them is not among some nodes.
  private func ownHeads(
    among nodes: Set<ObjectID>
  ) throws -> [(name: RefName, ids: [ObjectID])]? {
    var snapshot = try opened.snapshot()
    var rows: [(name: RefName, ids: [ObjectID])] = []
    var hasOthers = false
    try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
      hasOthers = !nodes.contains(ref.id)
      if rows.last?.name == ref.name {
        rows[rows.count - 1].ids.append(ref.id)
      } else {
        rows.append((ref.name, [ref.id]))
      }
      return !hasOthers
    }
    return hasOthers ? nil : rows
  }
}
