// Undoing one change of refs by another one: what the entry removed stands again, what it added is
// gone, and the log has one entry more. Nothing is undone in part, and nothing if one of its refs has
// moved since.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Undoes a change of refs.
struct ReflogUndo {
  private let opened: Repository
  private let isDryRun: Bool
  private let reason: String?

  init(_ opened: Repository, isDryRun: Bool, reason: String?) {
    self.opened = opened
    self.isDryRun = isDryRun
    self.reason = reason
  }

  /// The entry, and what later ones have done to its refs.
  private struct Found {
    let entry: ReflogEntry
    /// What each ref is to lose and to get back.
    let undone: [RefName: (gone: [ObjectID], back: [ObjectID])]
    /// The refs, in order.
    var names: [RefName] { undone.keys.sorted() }
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

  /// The change that undoes an entry.
  private struct Plan {
    let found: Found
    let transaction: RefTransaction
  }

  /// Undoes an entry, and prints what becomes of each of its refs.
  ///
  /// - Parameters:
  ///   - number: its number; the last one when it is `nil`.
  ///   - context: where.
  /// - Returns: whether it was undone.
  /// - Throws: `fatal` when there is no such entry, or something cannot be read or written.
  func run(_ number: Int?, _ context: inout Context) throws -> Exit {
    if isDryRun {
      guard let plan = try plan(number, &context) else { return .no }
      return try show(plan.found, &context)
    }
    context.holdSignals()
    let options = try opened.refsOptions()
    let found: Found
    let outcome: RefOutcome
    // No object is removed while refs are about to name it again.
    let objects = try opened.holdObjects()
    defer { extendLifetime(objects) }
    do {
      // With the lock held, what the log says is what stands.
      let held = try hold(options)
      guard let plan = try plan(number, &context) else { return .no }
      try context.checkInterrupt()
      found = plan.found
      outcome = try commit(held, plan.transaction, context.clock())
    }
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have changed under the lock")
    }
    for warning in commit.warnings { context.warning(warning.description) }
    return try show(found, &context)
  }

  private func hold(_ options: RefsOptions) throws -> HeldRefs {
    return try opened.store.refs.hold(options)
  }

  private func commit(
    _ held: consuming HeldRefs, _ transaction: RefTransaction, _ time: Int64
  ) throws -> RefOutcome {
    return try held.commit(transaction, at: time)
  }

  /// Prints `<old> SP <new> SP <ref>` for each ref, as hooks of git are told of changes.
  private func show(_ found: Found, _ context: inout Context) throws -> Exit {
    for name in found.names {
      let (gone, back) = found.undone[name] ?? ([], [])
      try context.output.writeLine("\(RefValue.text(gone)) \(RefValue.text(back)) \(name.text)")
    }
    return .ok
  }

  /// The change that undoes an entry; `nil` when it cannot be undone, which has been said then.
  private func plan(
    _ number: Int?, _ context: inout Context
  ) throws -> Plan? {
    let found = try find(number)
    let entry = found.entry
    guard !found.undone.isEmpty else {
      context.error("entry \(entry.number) changed no ref")
      return nil
    }
    let moved = Set(found.moved.keys.map(\.name)).sorted()
    for name in moved.prefix(RefRejection.reportLimit) {
      let later = found.changedBy[name].map { "entry \($0)" } ?? "a later entry"
      context.error("'\(name.text)' has moved since entry \(entry.number), by \(later)")
    }
    guard moved.isEmpty else {
      if moved.count > RefRejection.reportLimit {
        context.hint("\(moved.count) refs have moved in all")
      }
      return nil
    }

    var transaction = RefTransaction(
      message: reason ?? "undo \(entry.number): \(entry.message)")
    let targets = RefTargets(opened)
    let history = try HistoryLookUp(opened, .v1)
    let revisions = Revisions(opened, now: context.clock())
    var isPossible = true
    for name in found.names {
      let present = try revisions.ids(of: name)
      let (gone, back) = found.undone[name] ?? ([], [])
      let next = Set(present.filter { !gone.contains($0) } + back).sorted()
      var refusal: String?
      for id in back where refusal == nil { refusal = try targets.refusal(of: id, under: name) }
      if refusal == nil, name.isOwnHeads {
        refusal = try targets.refusal(
          ofHeads: next, after: present, history, &transaction.received)
      }
      if let refusal {
        context.error("cannot undo the change of '\(name.text)': \(refusal)")
        isPossible = false
      }
      transaction.replace(name, with: next, expecting: present)
    }
    return isPossible ? Plan(found: found, transaction: transaction) : nil
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
    guard let found else {
      throw CommandError.fatal(
        number.map { "there is no entry \($0)" } ?? "no ref has been changed yet")
    }
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
