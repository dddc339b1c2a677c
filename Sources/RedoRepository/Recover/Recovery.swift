// The history as it was at a point in time, as a store of its own or as refs; or its state, by new changes in the history
// itself. What is there is never changed.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// What to recover, and its destination.
package struct Recovery {
  /// The point in time.
  package let point: HistoryPoint
  /// The destination of the history.
  package let destination: RecoverDestination
  /// The names of the tasks to recover; all when there are none.
  package let tasks: [String]
  /// The one kind that is recovered; `nil` for all that have a place at the point.
  package let kind: ObjectKind?
  /// Whether the index may be used.
  package let usesCache: Bool
  /// Whether nothing is written.
  package let isDryRun: Bool

  /// Creates a value with these members.
  package init(
    point: HistoryPoint, destination: RecoverDestination, tasks: [String] = [],
    kind: ObjectKind? = nil, usesCache: Bool = true, isDryRun: Bool = false
  ) {
    self.kind = kind
    self.point = point
    self.destination = destination
    self.tasks = tasks
    self.usesCache = usesCache
    self.isDryRun = isDryRun || destination.isNone
  }

  /// What was recovered, or would be.
  package struct Outcome {
    /// The history that it was recovered from.
    package let log: any HistoryLog
    /// For each position of it whether the node counts at the point.
    package let members: [Bool]
    /// The nodes that do not, in total order.
    package let left: [LeftOut]
    /// How many nodes were recovered.
    package let nodeCount: Int
    /// How many tasks they are about.
    package let taskCount: Int
    /// The receipts and schemas that were asked for.
    package let groups: [RecoveredGroups]
    /// How many chains of receipts, and how many schemas, the history has that have no part in it.
    package let groupsLeft: [ObjectKind: Int]
    /// What a recovery in place does; `nil` for another one.
    package let inPlace: RecoverInPlace.Outcome?
    /// What a local recovery takes out of the history; `nil` for another one.
    package let local: TakenOut?
  }
}

extension Repository {
  /// Recovers the history of a point in time, all of it or nothing.
  ///
  /// - Throws: `RecoverFault`; the error when a point does not exist, a node is missing or corrupt, or a store cannot
  ///   be read or written.
  package func recover(
    _ recovery: Recovery, _ effects: Effects
  ) throws -> Recovery.Outcome {
    var hold: LockFile?
    if !recovery.isDryRun {
      effects.cancellation.hold()
      // Objects that refs are going to name must not be wiped before that.
      if case .refs = recovery.destination { hold = try holdObjects() }
    }
    defer { extendLifetime(hold) }
    try recovery.destination.check(self, effects)
    let source = RecoverSource(self, tasks: recovery.tasks, usesCache: recovery.usesCache)
    let groups = try recovery.groups(self, effects)
    switch recovery.destination {
    case .none, .store, .refs:
      guard recovery.includesNodes else {
        return try recover(recovery, from: NodeHistory([]), broken: [:], groups, effects)
      }
      if let graph = try source.indexed(effects.trace) {
        return try recover(recovery, from: graph, broken: [:], groups, effects)
      }
      let (log, broken) = try source.load(effects.trace)
      return try recover(recovery, from: log, broken: broken, groups, effects)
    case .inPlace(let place):
      let (log, broken) = try source.load(effects.trace)
      let members = try recovery.members(of: log, broken, [], self)
      let message = "recover --in-place --to=\(recovery.point.resolvedText)"
      let done = try place.run(
        log, members, try source.tasks(), isDryRun: recovery.isDryRun, message, self, effects)
      return try recovery.outcome(
        log, members, RecoveredHistory(log, members), [], self, inPlace: done)
    case .local(let local):
      // What other tasks follow must not be taken out, so all of them are read.
      let whole = RecoverSource(self, tasks: [], usesCache: recovery.usesCache)
      let (log, broken) =
        recovery.includesNodes ? try whole.load(effects.trace) : (NodeHistory([]), [:])
      var members = try recovery.members(of: log, broken, groups, self)
      if let tasks = try source.tasks() {
        for position in 0..<log.count {
          let task = log.task(at: position)
          if task < 0 || !tasks.contains(log.taskID(task)) { members[position] = true }
        }
      }
      let message = "recover --local --to=\(recovery.point.resolvedText)"
      let taken = try local.run(
        log, members, groups, isDryRun: recovery.isDryRun, message, self, effects)
      return try recovery.outcome(
        log, members, RecoveredHistory(log, members), groups, self, local: taken)
    }
  }

  /// Recovers from a history, whatever it was read from, to another place.
  private func recover(
    _ recovery: Recovery, from log: some HistoryLog, broken: [ObjectID: Finding],
    _ groups: [RecoveredGroups], _ effects: Effects
  ) throws -> Recovery.Outcome {
    let members = try recovery.members(of: log, broken, groups, self)
    let history = RecoveredHistory(log, members)
    if !recovery.isDryRun {
      let message = "recover --to=\(recovery.point.resolvedText)"
      try recovery.destination.write(history, groups, message, self, effects)
    }
    return try recovery.outcome(log, members, history, groups, self)
  }
}

extension Recovery {
  /// Whether nodes are recovered.
  package var includesNodes: Bool { kind == nil || kind == .node }

  /// The receipts and schemas of the point; none when they are not asked for, or have no place there.
  fileprivate func groups(
    _ opened: Repository, _ effects: Effects
  ) throws -> [RecoveredGroups] {
    var hasPlace = true
    if case .inPlace = destination { hasPlace = false }
    if case .lamport = point.kind { hasPlace = false }
    let wanted = ObjectKind.grouped.filter { $0 == kind || kind == nil }
    guard hasPlace else {
      if let kind, wanted.contains(kind) { throw RecoverFault.unplaced(kind) }
      return []
    }
    guard kind != nil || tasks.isEmpty && point.isInstant else { return [] }
    guard kind != nil || opened.store.config.mayHaveGroups else { return [] }
    return try wanted.map { wanted throws in
      let found = try RecoveredGroups(of: wanted, opened, point, effects)
      guard kind == nil || point.allowsEmpty || found.count > 0 else {
        throw RecoverFault.nothingOfKind(wanted, point.resolvedText)
      }
      return found
    }
  }

  /// For each position whether the node counts at the point.
  ///
  /// - Throws: `brokenNode` when one that counts breaks a rule.
  fileprivate func members(
    of log: some HistoryLog, _ broken: [ObjectID: Finding], _ groups: [RecoveredGroups],
    _ opened: Repository
  ) throws -> [Bool] {
    guard includesNodes else { return [] }
    let point = point.allowingEmpty(groups.contains { $0.count > 0 })
    guard let members = try point.members(of: log, opened) else {
      preconditionFailure("BUG: the present is no point to go back to")
    }
    if let position = members.indices.first(where: { members[$0] && log.isBroken(at: $0) }) {
      let id = log.id(at: position)
      throw RecoverFault.brokenNode(id, broken[id] ?? Finding(.nodeType))
    }
    return members
  }

  fileprivate func outcome(
    _ log: some HistoryLog, _ members: [Bool], _ history: RecoveredHistory,
    _ groups: [RecoveredGroups], _ opened: Repository,
    inPlace: RecoverInPlace.Outcome? = nil, local: TakenOut? = nil
  ) throws -> Outcome {
    Outcome(
      log: log, members: members,
      left: includesNodes
        ? try point.place(in: log, opened)?.leftOut(of: log, members: members) ?? [] : [],
      nodeCount: history.count, taskCount: history.taskCount, groups: groups,
      groupsLeft: groups.isEmpty && kind == nil
        ? try Dictionary(
          uniqueKeysWithValues: ObjectKind.grouped.map { ($0, try opened.heads(of: $0).groups) })
        : [:],
      inPlace: inPlace, local: local)
  }
}
