// The changes of one transaction: queued as they are read, judged together under the lock, and made as one record or
// not at all.

internal import RedoHistory
package import RedoObject
internal import RedoStore

/// A change whose values have been resolved.
package struct RefUpdate {
  /// The change as it was requested.
  package let change: RefChange
  /// The new values, or the ID that is added or removed.
  package let new: [ObjectID]
  /// The required old values; `nil` for anything.
  package let old: [ObjectID]?
  /// Why its new values are not allowed under this name at all.
  let refusal: RefRefusal?
}

/// A change that was not made.
package struct RefRejection {
  /// Why it was not made.
  package enum Reason: Equatable, Sendable {
    /// An ID that is to be removed is not there; the values that are.
    case absent(ObjectID, found: [ObjectID])
    /// The ref has values, and should have none.
    case exists(found: [ObjectID])
    /// The ref has no values, and should have some.
    case missing(expected: [ObjectID])
    /// The ref has other values.
    case moved(found: [ObjectID], expected: [ObjectID])
    /// The new value is not allowed.
    case refused(RefRefusal)
  }

  /// The change.
  package let update: RefUpdate
  /// Why it was not made.
  package let reason: Reason
}

/// Changes of refs that are to be made together.
package struct RefQueue: ~Copyable {
  private let opened: Repository
  private let revisions: Revisions
  private let targets: RefTargets
  private let message: String
  private var updates: [RefUpdate] = []
  private var verbs: [RefName: RefChange.Verb] = [:]
  private var prepared: Prepared?
  /// Whether the lock is held.
  package private(set) var isPrepared = false
  /// The changes that cannot be made, once that is known.
  package private(set) var rejections: [RefRejection] = []

  /// The result of `prepare`, and the locks that keep it true.
  private struct Prepared: ~Copyable {
    /// Prevents the removal of objects while refs are about to name them.
    let objects: LockFile
    var held: HeldRefs
    var transaction: RefTransaction

    mutating func ids(of name: RefName) throws(RefsError) -> [ObjectID] {
      try held.snapshot.ids(of: name)
    }

    consuming func commit(at milliseconds: Int64) throws(RefsError) -> RefOutcome {
      let transaction = transaction
      let outcome = try held.commit(transaction, at: milliseconds)
      extendLifetime(objects)
      return outcome
    }
  }

  /// - Parameters:
  ///   - opened: the store.
  ///   - now: the present, in milliseconds since 1970.
  ///   - message: the message in the reflog.
  package init(_ opened: Repository, now: Int64, message: String) {
    self.opened = opened
    self.message = message
    revisions = Revisions(opened, now: now)
    targets = RefTargets(opened)
  }

  /// Queues a change.
  ///
  /// - Throws: `RefFault` when a value resolves to nothing, or the ref has been named before.
  package mutating func add(_ change: RefChange) throws {
    if let other = verbs[change.name], !change.isAboutOne || (other != .add && other != .remove) {
      throw RefFault.twice(change.name)
    }
    verbs[change.name] = change.verb
    var new: [ObjectID] = []
    var old: [ObjectID]?
    do {
      if let text = change.new { new = try RefValue.ids(text, for: change.name, revisions) }
      old = try change.old.map { text throws in
        try RefValue.ids(text, for: change.name, revisions)
      }
    } catch {
      throw RefFault.value(of: change, cause: error)
    }
    if change.verb == .create { old = [] }
    if change.verb == .verify { old = old ?? [] }
    var refusal: RefRefusal?
    if change.verb != .remove {
      for id in new where refusal == nil {
        refusal = try targets.refusal(of: id, under: change.name)
      }
    }
    updates.append(RefUpdate(change: change, new: new, old: old, refusal: refusal))
  }

  /// Takes the lock, and judges every change by the present values.
  ///
  /// - Returns: the changes that cannot be made.
  /// - Throws: `RefsError`: `locked` when others hold the lock, or why something cannot be read.
  package mutating func prepare() throws -> [RefRejection] {
    let options = try opened.refsOptions()
    let objects = try opened.holdObjects()
    prepared = Prepared(
      objects: objects, held: try opened.store.refs.hold(options),
      transaction: RefTransaction(message: message))
    isPrepared = true
    // It is created under the lock, so that it sees what the lock protects.
    var history: HistoryLookUp?
    var before: [RefName: [ObjectID]] = [:]
    // In order, because neighbouring names share a block.
    for name in verbs.keys.sorted() { before[name] = try standing(name) }
    var after = before
    var received: [ObjectID] = []
    for update in updates {
      let name = update.change.name
      let found = after[name] ?? []
      if let reason = Self.conflict(update, found) {
        rejections.append(RefRejection(update: update, reason: reason))
        continue
      }
      let next = Self.result(of: update, found)
      var refusal = update.refusal
      if refusal == nil, update.change.verb != .remove {
        // It existed when it was queued, and may have been wiped since.
        for id in next where refusal == nil && !found.contains(id) {
          refusal = try targets.refusal(of: id, under: name)
        }
      }
      if refusal == nil, name.isOfOwnHistory, next != found {
        if history == nil { history = try HistoryLookUp(opened, .v1) }
        if let history {
          refusal = try targets.refusal(
            ofHeads: next, under: name, after: found, history, &received)
        }
      }
      if let refusal {
        rejections.append(RefRejection(update: update, reason: .refused(refusal)))
      } else {
        after[name] = next
      }
    }
    for name in verbs.keys.sorted() where after[name] != before[name] {
      prepared?.transaction.replace(name, with: after[name] ?? [], expecting: before[name])
    }
    prepared?.transaction.received = received
    return rejections
  }

  /// Makes the changes, except those that were rejected.
  ///
  /// - Throws: `RefsError` when writing fails; nothing is changed then.
  package mutating func commit(_ effects: Effects) throws {
    let outcome = try prepared.take()?.commit(at: effects.clock())
    clear()
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have changed under the lock")
    }
    effects.report(commit.warnings)
  }

  /// Drops everything that is queued, and releases the lock.
  package mutating func clear() {
    prepared = nil
    isPrepared = false
    rejections = []
    updates = []
    verbs = [:]
  }

  private mutating func standing(_ name: RefName) throws -> [ObjectID] {
    return try prepared?.ids(of: name) ?? []
  }

  /// The values of a ref after a change.
  private static func result(of update: RefUpdate, _ found: [ObjectID]) -> [ObjectID] {
    switch update.change.verb {
    case .update, .create: update.new
    case .delete: []
    case .verify: found
    case .add: Set(found).union(update.new).sorted()
    case .remove: found.filter { !update.new.contains($0) }
    }
  }

  /// Why a change does not fit the values of its ref.
  private static func conflict(
    _ update: RefUpdate, _ found: [ObjectID]
  ) -> RefRejection.Reason? {
    if update.change.verb == .remove {
      let absent = update.new.first { !found.contains($0) }
      return absent.map { .absent($0, found: found) }
    }
    guard let old = update.old, old != found else { return nil }
    if old.isEmpty { return .exists(found: found) }
    return found.isEmpty ? .missing(expected: old) : .moved(found: found, expected: old)
  }
}
