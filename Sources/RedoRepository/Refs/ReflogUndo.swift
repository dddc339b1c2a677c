// Undoing one change of refs with another one: what the entry removed is restored, what it added is removed, and the
// log gets one more entry. Nothing is undone in part, and nothing at all if one of its refs has moved since. Or all refs go
// back to what they were after an entry, whatever has happened since.

package import RedoObject
package import RedoStore

/// Undoes a change of refs, or all since an entry.
package struct ReflogUndo {
  /// What the refs are to become.
  package enum Goal {
    /// What they were before one entry; before the last one when `nil`.
    case before(Int?)
    /// What they were after an entry.
    case after(Int)
    /// What they were at an instant, in milliseconds since 1970.
    case at(Int64)
  }

  private let opened: Repository
  private let isDryRun: Bool
  private let reason: String?

  /// The result of an undo.
  package enum Outcome {
    /// The entry is undone, or would be: the changes of its refs, in order.
    case done([Move])
    /// It is not undone.
    case refused(Refusal)
  }

  /// The change of a ref.
  package struct Move {
    /// The ref.
    package let name: RefName
    /// The IDs that are removed.
    package let gone: [ObjectID]
    /// The IDs that are restored.
    package let back: [ObjectID]
  }

  /// Why an entry is not undone.
  package enum Refusal {
    /// It changed no ref.
    case changedNothing(entry: Int)
    /// The refs are what they were after the entry.
    case nothingSince(entry: Int)
    /// Refs have moved since, each by a later entry.
    case moved(entry: Int, [(name: RefName, by: Int?)])
    /// The restored values of some refs are not allowed.
    case targets([(name: RefName, RefRefusal)])
  }

  /// - Parameters:
  ///   - opened: the store.
  ///   - isDryRun: whether nothing is changed.
  ///   - reason: the message in the reflog; when `nil`, the undone entry's own message with `undo` before it.
  package init(_ opened: Repository, isDryRun: Bool, reason: String?) {
    self.opened = opened
    self.isDryRun = isDryRun
    self.reason = reason
  }

  /// The entry, and what later ones have done to its refs.
  private struct Found {
    let entry: ReflogEntry
    /// The IDs that each ref is to lose and to get back.
    let undone: [RefName: (gone: [ObjectID], back: [ObjectID])]
    /// The changes of the refs, in order.
    var moves: [Move] {
      undone.sorted(on: \.key).map {
        Move(name: $0.key, gone: $0.value.gone, back: $0.value.back)
      }
    }
    /// Whether an ID was added (true) or removed (false) under a ref since the entry.
    var moved: [Ref: Bool] = [:]
    /// The last entry that changed one of the refs.
    var changedBy: [RefName: Int] = [:]

    init(_ entry: ReflogEntry) {
      self.entry = entry
      var undone: [RefName: (gone: [ObjectID], back: [ObjectID])] = [:]
      for ref in entry.additions { undone[ref.name, default: ([], [])].gone.append(ref.id) }
      for ref in entry.removals { undone[ref.name, default: ([], [])].back.append(ref.id) }
      self.undone = undone
    }

    /// What has become of refs since an entry: whether each was added (true) or removed (false).
    init(_ entry: ReflogEntry, _ changed: [Ref: Bool]) {
      self.entry = entry
      var undone: [RefName: (gone: [ObjectID], back: [ObjectID])] = [:]
      for (ref, stands) in changed {
        if stands {
          undone[ref.name, default: ([], [])].gone.append(ref.id)
        } else {
          undone[ref.name, default: ([], [])].back.append(ref.id)
        }
      }
      self.undone = undone
    }

    /// Applies a later entry; an entry that restores the earlier value cancels out.
    mutating func follow(_ later: ReflogEntry) {
      for (refs, stands) in [(later.removals, false), (later.additions, true)] {
        for ref in refs where undone[ref.name] != nil {
          changedBy[ref.name] = later.number
          moved[ref] = moved[ref] == !stands ? nil : stands
        }
      }
    }
  }

  /// The change that undoes an entry, or why there is none.
  private enum Plan {
    case change(Found, RefTransaction)
    case refused(Refusal)

    /// The result once the change is made.
    var outcome: Outcome {
      switch self {
      case .change(let found, _): .done(found.moves)
      case .refused(let refusal): .refused(refusal)
      }
    }
  }

  /// Moves the refs.
  ///
  /// - Parameters:
  ///   - goal: what they are to become.
  ///   - effects: the surroundings.
  /// - Returns: the result.
  /// - Throws: `noEntry`; the error when the store cannot be read or written.
  package func run(_ goal: Goal, _ effects: Effects) throws -> Outcome {
    if isDryRun { return try plan(goal, effects).outcome }
    effects.cancellation.hold()
    let options = try opened.refsOptions()
    // Objects must not be removed while refs are about to name them again.
    let objects = try opened.holdObjects()
    defer { extendLifetime(objects) }
    let plan: Plan
    let outcome: RefOutcome
    do {
      // While the lock is held, the log agrees with the refs.
      let held = try opened.store.refs.hold(options)
      plan = try self.plan(goal, effects)
      guard case .change(_, let transaction) = plan else { return plan.outcome }
      try effects.checkInterrupt()
      outcome = try held.commit(transaction, at: effects.clock())
    }
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have changed under the lock")
    }
    effects.report(commit.warnings)
    return plan.outcome
  }

  private func plan(_ goal: Goal, _ effects: Effects) throws -> Plan {
    let found: Found
    var transaction: RefTransaction
    switch goal {
    case .before(let number):
      found = try find(number)
      let entry = found.entry
      guard !found.undone.isEmpty else { return .refused(.changedNothing(entry: entry.number)) }
      let moved = Set(found.moved.keys.map(\.name)).sorted()
      guard moved.isEmpty else {
        return .refused(
          .moved(entry: entry.number, moved.map { ($0, found.changedBy[$0]) }))
      }
      transaction = RefTransaction(message: reason ?? "undo \(entry.number): \(entry.message)")
    case .after, .at:
      found = try since(goal)
      guard !found.undone.isEmpty else { return .refused(.nothingSince(entry: found.entry.number)) }
      transaction = RefTransaction(message: reason ?? "restore \(found.entry.number)")
    }
    let targets = RefTargets(opened)
    let history = try HistoryLookUp(opened, .v1)
    let revisions = Revisions(opened, now: effects.clock())
    var refusals: [(name: RefName, RefRefusal)] = []
    for move in found.moves {
      let (name, back) = (move.name, move.back)
      let present = try revisions.ids(of: name)
      let next = Set(present.filter { !move.gone.contains($0) } + back).sorted()
      var refusal: RefRefusal?
      for id in back where refusal == nil { refusal = try targets.refusal(of: id, under: name) }
      if refusal == nil, name.isOfOwnHistory {
        refusal = try targets.refusal(
          ofHeads: next, under: name, after: present, history, &transaction.received)
      }
      if let refusal { refusals.append((name, refusal)) }
      transaction.replace(name, with: next, expecting: present)
    }
    return refusals.isEmpty ? .change(found, transaction) : .refused(.targets(refusals))
  }

  /// The entry to go back to, and what became of the refs since, other than those that remember remotes.
  private func since(_ goal: Goal) throws -> Found {
    var last: ReflogEntry?
    var changed: [Ref: Bool] = [:]
    _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
      let isBefore =
        switch goal {
        case .after(let number): entry.number <= number
        case .at(let time): entry.milliseconds <= time
        case .before: preconditionFailure("BUG: one entry is undone by itself")
        }
      if isBefore, changed.isEmpty {
        last = entry
        return true
      }
      for (refs, stands) in [(entry.removals, false), (entry.additions, true)] {
        for ref in refs where !ref.name.hasPrefix(Array("remotes/".utf8)) {
          changed[ref] = changed[ref] == !stands ? nil : stands
        }
      }
      return true
    }
    switch goal {
    case .after(let number): if last?.number != number { throw RefFault.noEntry(number) }
    case .before, .at: break
    }
    guard let last else { throw RefFault.noEntryYet }
    return Found(last, changed)
  }

  private func find(_ number: Int?) throws -> Found {
    var found: Found?
    _ = try opened.store.refs.forEachEntry { (entry) throws(RefsError) in
      if number == nil ? !entry.isMemory : entry.number == number {
        found = Found(entry)
      } else {
        found?.follow(entry)
      }
      return true
    }
    guard let found else { throw RefFault.noEntry(number) }
    return found
  }
}

extension ReflogEntry {
  /// Whether it changed only what is remembered of remotes: nobody means such an entry by the last change.
  fileprivate var isMemory: Bool {
    let refs = removals + additions
    return !refs.isEmpty && refs.allSatisfy { $0.name.hasPrefix(Array("remotes/".utf8)) }
  }
}
