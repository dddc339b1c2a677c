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
    /// The receipts; `nil` when they were not asked for.
    package let receipts: RecoveredReceipts?
    /// How many chains of receipts the history has that have no part in it.
    package let chainsLeft: Int
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
    let receipts = try recovery.receipts(self, effects)
    switch recovery.destination {
    case .none, .store, .refs:
      guard recovery.includesNodes else {
        return try recover(recovery, from: NodeHistory([]), broken: [:], receipts, effects)
      }
      if let graph = try source.indexed(effects.trace) {
        return try recover(recovery, from: graph, broken: [:], receipts, effects)
      }
      let (log, broken) = try source.load(effects.trace)
      return try recover(recovery, from: log, broken: broken, receipts, effects)
    case .inPlace(let place):
      let (log, broken) = try source.load(effects.trace)
      let members = try recovery.members(of: log, broken, nil, self)
      let message = "recover --in-place --to=\(recovery.point.resolvedText)"
      let done = try place.run(
        log, members, try source.tasks(), isDryRun: recovery.isDryRun, message, self, effects)
      return try recovery.outcome(
        log, members, RecoveredHistory(log, members), nil, self, inPlace: done)
    case .local(let local):
      // What other tasks follow must not be taken out, so all of them are read.
      let whole = RecoverSource(self, tasks: [], usesCache: recovery.usesCache)
      let (log, broken) =
        recovery.includesNodes ? try whole.load(effects.trace) : (NodeHistory([]), [:])
      var members = try recovery.members(of: log, broken, receipts, self)
      if let tasks = try source.tasks() {
        for position in 0..<log.count {
          let task = log.task(at: position)
          if task < 0 || !tasks.contains(log.taskID(task)) { members[position] = true }
        }
      }
      let message = "recover --local --to=\(recovery.point.resolvedText)"
      let taken = try local.run(
        log, members, receipts, isDryRun: recovery.isDryRun, message, self, effects)
      return try recovery.outcome(
        log, members, RecoveredHistory(log, members), receipts, self, local: taken)
    }
  }

  /// Recovers from a history, whatever it was read from, to another place.
  private func recover(
    _ recovery: Recovery, from log: some HistoryLog, broken: [ObjectID: Finding],
    _ receipts: RecoveredReceipts?, _ effects: Effects
  ) throws -> Recovery.Outcome {
    let members = try recovery.members(of: log, broken, receipts, self)
    let history = RecoveredHistory(log, members)
    if !recovery.isDryRun {
      let message = "recover --to=\(recovery.point.resolvedText)"
      try recovery.destination.write(history, receipts, message, self, effects)
    }
    return try recovery.outcome(log, members, history, receipts, self)
  }
}

extension Recovery {
  /// Whether nodes are recovered.
  package var includesNodes: Bool { kind != .receipt }

  /// The receipts of the point; `nil` when they are not asked for, or have no place there.
  fileprivate func receipts(
    _ opened: Repository, _ effects: Effects
  ) throws -> RecoveredReceipts? {
    var hasPlace = true
    if case .inPlace = destination { hasPlace = false }
    if case .lamport = point.kind { hasPlace = false }
    guard hasPlace else {
      if kind == .receipt { throw RecoverFault.unplacedReceipts }
      return nil
    }
    guard kind == .receipt || kind == nil && tasks.isEmpty && point.isInstant else { return nil }
    guard kind == .receipt || opened.store.config.mayHaveReceipts else { return nil }
    let receipts = try RecoveredReceipts(opened, point, effects)
    guard kind == nil || point.allowsEmpty || receipts.count > 0 else {
      throw RecoverFault.noReceipt(point.resolvedText)
    }
    return receipts
  }

  /// For each position whether the node counts at the point.
  ///
  /// - Throws: `brokenNode` when one that counts breaks a rule.
  fileprivate func members(
    of log: some HistoryLog, _ broken: [ObjectID: Finding], _ receipts: RecoveredReceipts?,
    _ opened: Repository
  ) throws -> [Bool] {
    guard includesNodes else { return [] }
    let point = point.allowingEmpty(receipts.map { $0.count > 0 } ?? false)
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
    _ receipts: RecoveredReceipts?, _ opened: Repository,
    inPlace: RecoverInPlace.Outcome? = nil, local: TakenOut? = nil
  ) throws -> Outcome {
    Outcome(
      log: log, members: members,
      left: includesNodes
        ? try point.place(in: log, opened)?.leftOut(of: log, members: members) ?? [] : [],
      nodeCount: history.count, taskCount: history.taskCount, receipts: receipts,
      chainsLeft: receipts == nil && kind == nil ? try opened.receiptHeads().chains : 0,
      inPlace: inPlace, local: local)
  }
}
