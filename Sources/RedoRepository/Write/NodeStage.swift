// Storing nodes: they are staged in parallel, named together, then taken into the history.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Nodes that are written together, and are invisible before they are committed.
package struct NodeStage: ~Copyable {
  private let trace: Trace
  private var transaction: ObjectTransaction

  /// - Parameters:
  ///   - store: where they are written.
  ///   - isSingle: whether there will be only one object, which is then synced by itself.
  ///   - trace: records where the time goes.
  package init(_ store: ObjectStore, isSingle: Bool = false, trace: Trace = .off) {
    self.trace = trace
    transaction = ObjectTransaction(store, isSingle: isSingle)
  }

  /// Stages objects on all processors.
  ///
  /// - Parameters:
  ///   - writes: the objects.
  ///   - frames: the frames that some of them came in, by the index of their first node.
  /// - Returns: for each object whether the store had it already.
  /// - Throws: `StoreError` when the store cannot be read or written.
  package mutating func add(
    _ writes: [ObjectWrite], frames: [Int: WholeFrame] = [:]
  ) throws -> [Bool] {
    return try trace.measure("objects.stage") { () throws(StoreError) in
      try transaction.add(writes, frames: frames)
    }
  }

  /// Reserves room for nodes.
  package mutating func expect(_ count: Int) { transaction.expect(count) }

  /// Takes objects back.
  package mutating func remove(_ ids: Set<ObjectID>) { transaction.remove(ids) }

  /// Names everything.
  package mutating func commit() throws -> ObjectTransaction.Summary {
    return try trace.measure("objects.write") { () throws(StoreError) in
      try transaction.commit()
    }
  }
}

extension Repository {
  /// The largest number of nodes for which the received log is not searched.
  private static var fewNodes: Int { 64 }
  /// How often a change of heads is recomputed because others changed the same heads.
  private static var attemptLimit: Int { 1000 }

  /// Takes nodes into the history: records them as received and moves the heads of their tasks.
  ///
  /// - Parameters:
  ///   - admission: nodes whose parents are all here, and which were not in the history before.
  ///   - since: the length of the received log, in bytes, at which that was so.
  ///   - hasKnown: whether some of the nodes were in the store before.
  ///   - message: the message in the reflog.
  ///   - notes: a blob of notes about them, which gets its name in the same step.
  ///   - receivedTimes: when some of them were accepted, if not at the present time.
  ///   - effects: the clock; receives warnings.
  /// - Returns: the nodes that were not in the history before, whoever else imported meanwhile, and the
  ///   heads that moved.
  /// - Throws: `WriteFault.contended` when others keep changing the same heads, `RefsError` or `StoreError` for
  ///   anything else; nothing is changed then.
  package func moveHeads(
    _ admission: Admission, since: Int, hasKnown: Bool, message: String,
    notes: ObjectID? = nil, receivedTimes: [ObjectID: Int64] = [:], _ effects: Effects
  ) throws -> HistoryChange {
    let options = try refsOptions()
    for _ in 0..<Self.attemptLimit {
      let lookUp = try HistoryLookUp(self, admission.profile)
      let others = try lookUp.receivedSince(since)
      let set = others.isEmpty ? admission : admission.excluding(others)
      if set.count == 0, notes == nil { return HistoryChange() }
      let heads = try lookUp.heads(with: set)
      var transaction = RefTransaction(message: message)
      for head in heads {
        transaction.replace(head.name, with: head.after, expecting: head.before)
      }
      if let notes { transaction.update(V0Notes.name(of: notes), to: notes) }
      transaction.received = set.ids
      transaction.receivedTimes = receivedTimes
      // A node that is new to the objects may still be in the log, if its file was lost. For a few nodes the whole log
      // is not read again: the first record of a node counts.
      let looksForAll = hasKnown || set.count > Self.fewNodes
      transaction.receivedChecked = looksForAll ? 0 : lookUp.receivedBytes
      let outcome: RefOutcome
      let time = effects.clock()
      outcome = try trace.measure("refs.commit") { () throws(RefsError) in
        try store.refs.commit(transaction, at: time, options)
      }
      guard case .committed(let commit) = outcome else { continue }
      effects.report(commit.warnings)
      return HistoryChange(
        received: commit.received, returned: set.count - commit.received.count, heads: heads)
    }
    throw WriteFault.contended
  }
}

/// The result of taking nodes into the history.
package struct HistoryChange: Sendable {
  /// The nodes that were not in it before.
  package var received: [ObjectID] = []
  /// How many nodes had been in it, and were taken out of it here.
  package var returned = 0
  /// The heads that moved.
  package var heads: [MovedHeads] = []
}

/// The heads of a task that have changed.
package struct MovedHeads: Sendable {
  /// The name of their ref.
  package let name: RefName
  /// The heads before the change.
  package let before: [ObjectID]
  /// The heads after the change.
  package let after: [ObjectID]
}

extension MovedHeads {
  /// The change of one head, as in rows of `<old> <new> <ref>`; `nil` for a missing one.
  package typealias Move = (old: ObjectID?, new: ObjectID?)

  /// The moves: each new head follows one that was removed, as far as there are any.
  package var moves: [Move] {
    let gone = before.filter { !after.contains($0) }
    let come = after.filter { !before.contains($0) }
    var rows: [Move] = []
    for (place, id) in come.enumerated() {
      rows.append((place < gone.count ? gone[place] : nil, id))
    }
    // Several heads that were united have one successor.
    for id in gone.dropFirst(come.count) { rows.append((id, come.last)) }
    return rows
  }

  /// Whether the task has several heads now.
  var isDiverged: Bool { after.count > 1 }
}

extension HistoryLookUp {
  /// The heads that move when nodes enter the history.
  ///
  /// - Parameter admission: nodes whose parents are all here.
  /// - Returns: the heads of the tasks that change.
  /// - Throws: `StoreError` when the store cannot be read.
  package func heads(with admission: Admission) throws -> [MovedHeads] {
    let changes = try admission.headsChanges(
      heads: { task throws in try heads(of: task) },
      lookUp: { id throws in try node(id) })
    var all: [MovedHeads] = []
    for change in changes {
      let old = try heads(of: change.task)
      let removed = Set(change.removed)
      all.append(
        MovedHeads(
          name: .heads(of: change.task), before: old,
          after: old.filter { !removed.contains($0) } + change.added))
    }
    return all
  }
}
