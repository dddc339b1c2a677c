// Undoing one change of refs by another one: what the entry removed stands again, what it added is
// gone, and the log has one entry more. Nothing is undone in part, and nothing if one of its refs has
// moved since.

package import RedoObject
package import RedoStore

/// Undoes a change of refs.
package struct ReflogUndo {
  private let opened: Repository
  private let isDryRun: Bool
  private let reason: String?

  /// What has become of an undo.
  package enum Outcome {
    /// The entry is undone, or would be: what becomes of each ref, in order.
    case done([Move])
    /// It is not undone.
    case refused(Refusal)
  }

  /// What becomes of a ref.
  package struct Move {
    /// The ref.
    package let name: RefName
    /// What no longer stands there.
    package let gone: [ObjectID]
    /// What stands there again.
    package let back: [ObjectID]
  }

  /// Why an entry is not undone.
  package enum Refusal {
    /// It changed no ref.
    case changedNothing(entry: Int)
    /// Refs have moved since, each by a later entry.
    case moved(entry: Int, [(name: RefName, by: Int?)])
    /// What would stand under refs may not.
    case targets([(name: RefName, RefRefusal)])
  }

  /// - Parameters:
  ///   - opened: the store.
  ///   - isDryRun: whether nothing is changed.
  ///   - reason: for the reflog; the undone entry's own with `undo` before it when it is `nil`.
  package init(_ opened: Repository, isDryRun: Bool, reason: String?) {
    self.opened = opened
    self.isDryRun = isDryRun
    self.reason = reason
  }

  /// The entry, and what later ones have done to its refs.
  private struct Found {
    let entry: ReflogEntry
    /// What each ref is to lose and to get back.
    let undone: [RefName: (gone: [ObjectID], back: [ObjectID])]
    /// What becomes of the refs, in order.
    var moves: [Move] {
      undone.sorted { $0.key < $1.key }.map {
        Move(name: $0.key, gone: $0.value.gone, back: $0.value.back)
      }
    }
    /// Whether an id stands more (true) or less (false) under a ref than right after the entry.
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

    /// Takes in a later entry; what it puts back as it was does not count.
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

    /// What has become of the entry once it is made.
    var outcome: Outcome {
      switch self {
      case .change(let found, _): .done(found.moves)
      case .refused(let refusal): .refused(refusal)
      }
    }
  }

  /// Undoes an entry.
  ///
  /// - Parameters:
  ///   - number: its number; the last one when it is `nil`.
  ///   - effects: the surroundings.
  /// - Returns: what has become of it.
  /// - Throws: `noEntry`; what is said of a store that cannot be read or written.
  package func run(_ number: Int?, _ effects: Effects) throws -> Outcome {
    if isDryRun { return try plan(number, effects).outcome }
    effects.cancellation.hold()
    let options = try opened.refsOptions()
    // No object is removed while refs are about to name it again.
    let objects = try opened.holdObjects()
    defer { extendLifetime(objects) }
    let plan: Plan
    let outcome: RefOutcome
    do {
      // With the lock held, what the log says is what stands.
      let held = try opened.store.refs.hold(options)
      plan = try self.plan(number, effects)
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

  private func plan(_ number: Int?, _ effects: Effects) throws -> Plan {
    let found = try find(number)
    let entry = found.entry
    guard !found.undone.isEmpty else { return .refused(.changedNothing(entry: entry.number)) }
    let moved = Set(found.moved.keys.map(\.name)).sorted()
    guard moved.isEmpty else {
      return .refused(
        .moved(entry: entry.number, moved.map { ($0, found.changedBy[$0]) }))
    }

    var transaction = RefTransaction(
      message: reason ?? "undo \(entry.number): \(entry.message)")
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
      if refusal == nil, name.isOwnHeads {
        refusal = try targets.refusal(
          ofHeads: next, after: present, history, &transaction.received)
      }
      if let refusal { refusals.append((name, refusal)) }
      transaction.replace(name, with: next, expecting: present)
    }
    return refusals.isEmpty ? .change(found, transaction) : .refused(.targets(refusals))
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
  /// Whether it changed nothing but what is remembered of remotes: nobody means that by the last change.
  fileprivate var isMemory: Bool {
    let refs = removals + additions
    return !refs.isEmpty && refs.allSatisfy { $0.name.hasPrefix(Array("remotes/".utf8)) }
  }
}
