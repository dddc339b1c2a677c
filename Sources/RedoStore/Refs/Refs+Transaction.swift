// Making a change: under the lock, check every step, note received nodes, write one record. The
// record in the journal is the moment at which the change is made.

internal import RedoObject

extension Refs {
  /// Makes a change, all of it or nothing.
  ///
  /// - Parameters:
  ///   - transaction: the change.
  ///   - milliseconds: the time to note, since 1970.
  ///   - options: how.
  /// - Returns: what was done, or every name that did not have what was expected.
  /// - Throws: `locked`, `writeRefusedWhileCorrupt`, and as `snapshot`; nothing is changed then.
  package func commit(
    _ transaction: RefTransaction, at milliseconds: Int64, _ options: RefsOptions
  ) throws(RefsError) -> RefOutcome {
    let outcome = try commit(at: milliseconds, options) { _ throws(RefsError) in transaction }
    guard let outcome else { preconditionFailure("BUG: a change has vanished") }
    return outcome
  }

  /// Makes a change that depends on the current values, while nobody else can change them.
  ///
  /// - Parameters:
  ///   - milliseconds: the time to note, since 1970.
  ///   - options: how.
  ///   - make: receives the present refs; gives the change, or `nil` for none.
  /// - Returns: as `commit`; `nil` when there was no change to be made.
  /// - Throws: as `commit`, and what the closure throws.
  package func commit(
    at milliseconds: Int64, _ options: RefsOptions,
    making make: (inout RefsSnapshot) throws(RefsError) -> RefTransaction?
  ) throws(RefsError) -> RefOutcome? {
    try withLock(options) { () throws(RefsError) in
      var warnings: [RefWarning] = []
      var snapshot = try openToWrite(options, &warnings)
      guard let transaction = try make(&snapshot) else { return nil }
      return try commitLocked(
        transaction, at: milliseconds, options, over: &snapshot, warnings)
    }
  }

  /// Makes a change; the lock is held, and the view is the newest.
  func commitLocked(
    _ transaction: RefTransaction, at milliseconds: Int64, _ options: RefsOptions,
    over snapshot: inout RefsSnapshot, _ warnings: [RefWarning]
  ) throws(RefsError) -> RefOutcome {
    let plan = try Plan(transaction, over: &snapshot)
    guard plan.conflicts.isEmpty else { return .refused(plan.conflicts) }
    let received = Received(in: directory)
    let new = try received.unknown(
      transaction.received, checked: transaction.receivedChecked ?? snapshot.receivedBytes,
      committed: snapshot.receivedBytes)
    var result = RefCommit(
      entry: snapshot.entry, removals: plan.removals, additions: plan.additions, received: new,
      receivedBytes: snapshot.receivedBytes, warnings: warnings)
    if plan.isEmpty && new.isEmpty { return .committed(result) }
    if !new.isEmpty {
      result.receivedBytes = try received.append(
        transaction.receivedFrames(of: new, at: milliseconds), at: snapshot.receivedBytes,
        marking: snapshot.mark, options.sync)
    }
    let entry = ReflogEntry(
      number: snapshot.entry + 1, milliseconds: milliseconds,
      receivedBytes: result.receivedBytes, removals: plan.removals, additions: plan.additions,
      message: transaction.message, isWritten: transaction.isWritten)
    result.warnings += try append(entry, to: &snapshot, options)
    result.entry = snapshot.entry
    if snapshot.journal.end > max(options.foldBytes, snapshot.header.fileBytes / 512) {
      do throws(RefsError) {
        try fold(&snapshot, options)
      } catch {
        // The change is made; that the journal stays long does no harm.
        result.warnings.append(.foldFailed(error))
      }
    }
    return .committed(result)
  }

  /// Writes the record, which is the moment of the change, and marks it.
  ///
  /// - Returns: that it is not marked, if so.
  func append(
    _ entry: ReflogEntry, to snapshot: inout RefsSnapshot, _ options: RefsOptions
  ) throws(RefsError) -> [RefWarning] {
    var entry = entry
    let payload = entry.payload(after: snapshot.chain)
    guard payload.count <= JournalFrame.maximumPayload, entry.number <= LineScanner.largestNumber
    else { throw .tooLarge(file: journalPath) }
    let record = JournalFrame.line(payloadCount: payload.count) + payload
    let end = snapshot.journal.end
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Name.journal, .readWrite, [.noFollow])
      do throws(SystemError) {
        try file.writeAll(record.span, at: end)
        if options.sync.isSyncing { try file.sync() }
      } catch {
        // What is not acknowledged should not appear; if even this does not succeed, a part of a
        // record is cut off by the next writer.
        _ = try? file.truncate(to: end)
        throw error
      }
    }
    snapshot.append(entry, record: record)
    do throws(RefsError) {
      try Received(in: directory).finish(at: snapshot.receivedBytes, with: snapshot.mark, .none)
      return []
    } catch {
      // The change is made, and the mark of the one before it is not wrong.
      return [.markFailed(error)]
    }
  }

  /// The result of a change, once its steps have been taken.
  struct Plan {
    var conflicts: [RefConflict] = []
    var removals: [Ref] = []
    var additions: [Ref] = []
    var isEmpty: Bool { removals.isEmpty && additions.isEmpty }

    init(
      _ transaction: RefTransaction, over snapshot: inout RefsSnapshot
    ) throws(RefsError) {
      var old: [RefName: Set<ObjectID>] = [:]
      // In order, because names that are near share a block.
      let names = Set(transaction.steps.map(\.name)).sorted()
      for name in names { old[name] = Set(try snapshot.ids(of: name)) }
      var new = old
      for step in transaction.steps {
        switch step {
        case .add(let name, let id): new[name]?.insert(id)
        case .remove(let name, let id): new[name]?.remove(id)
        case .replace(let name, let ids, let expected):
          let found = (new[name] ?? []).sorted()
          if let expected, expected != found {
            conflicts.append(RefConflict(name: name, expected: expected, found: found))
          }
          new[name] = Set(ids)
        }
      }
      for name in names {
        let (before, after) = (old[name] ?? [], new[name] ?? [])
        removals += before.subtracting(after).sorted().map { Ref(name: name, id: $0) }
        additions += after.subtracting(before).sorted().map { Ref(name: name, id: $0) }
      }
    }
  }
}

extension RefTransaction.Step {
  /// The name that the step concerns.
  fileprivate var name: RefName {
    switch self {
    case .add(let name, _), .remove(let name, _), .replace(let name, _, _): name
    }
  }
}
