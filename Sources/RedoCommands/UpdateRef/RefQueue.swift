// The changes of one transaction: queued as they are read, judged together under the lock, made as
// one record, or not at all.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// A change whose values are known.
struct RefUpdate {
  let change: RefChange
  /// What shall stand there, or is added or removed.
  let new: [ObjectID]
  /// What must stand there; `nil` for anything.
  let old: [ObjectID]?
  /// Why its new values may stand nowhere under this name.
  let refusal: String?
}

/// Why a change was not made.
struct RefRejection {
  /// The reasons that git's update-ref prints.
  enum Reason: String {
    case exists = "reference already exists"
    case missing = "reference does not exist"
    case oldValue = "incorrect old value provided"
    case newValue = "invalid new value provided"
  }

  /// How many are named before the rest is only counted.
  static let reportLimit = 100

  let update: RefUpdate
  let reason: Reason
  /// For people.
  let message: String
}

/// Changes of refs that are to be made together.
struct RefQueue: ~Copyable {
  private let opened: Repository
  private let revisions: Revisions
  private let targets: RefTargets
  private let message: String
  private var updates: [RefUpdate] = []
  private var verbs: [RefName: RefChange.Verb] = [:]
  private var prepared: Prepared?
  /// Whether the lock is held.
  private(set) var isPrepared = false
  /// The changes that cannot be made, once that is known.
  private(set) var rejections: [RefRejection] = []

  /// What `prepare` found, and the locks that keep it true.
  struct Prepared: ~Copyable {
    /// No object is removed while refs are about to name it.
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
  ///   - message: for the reflog.
  init(_ opened: Repository, now: Int64, message: String) {
    self.opened = opened
    self.message = message
    revisions = Revisions(opened, now: now)
    targets = RefTargets(opened)
  }

  /// Queues a change.
  ///
  /// - Throws: `fatal` when a value stands for nothing, or the ref has been named before.
  mutating func add(_ change: RefChange) throws {
    let isAboutOne = change.verb == .add || change.verb == .remove
    if let other = verbs[change.name], !isAboutOne || (other != .add && other != .remove) {
      throw CommandError.fatal("multiple updates for the ref '\(change.name.text)' are not allowed")
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
      let error = CommandError(error)
      throw CommandError(
        error.kind, "\(change.verb.rawValue) \(change.name.text): \(error.message)",
        hints: error.hints)
    }
    if change.verb == .create { old = [] }
    if change.verb == .verify { old = old ?? [] }
    var refusal: String?
    if change.verb != .remove {
      for id in new where refusal == nil {
        refusal = try targets.refusal(of: id, under: change.name)
      }
    }
    updates.append(RefUpdate(change: change, new: new, old: old, refusal: refusal))
  }

  /// Takes the lock, and judges every change by what stands.
  ///
  /// - Returns: the changes that cannot be made.
  /// - Throws: `temporary` when others hold the lock, `fatal` when something cannot be read.
  mutating func prepare() throws -> [RefRejection] {
    let options = try opened.refsOptions()
    let objects = try opened.holdObjects()
    prepared = Prepared(
      objects: objects, held: try opened.store.refs.hold(options),
      transaction: RefTransaction(message: message))
    isPrepared = true
    // Made under the lock, so that it sees what the lock holds.
    var history: HistoryLookUp?
    var before: [RefName: [ObjectID]] = [:]
    // In order, because names that are near share a block.
    for name in verbs.keys.sorted() { before[name] = try standing(name) }
    var after = before
    var received: [ObjectID] = []
    for update in updates {
      let name = update.change.name
      let found = after[name] ?? []
      if let rejection = Self.conflict(update, found) {
        rejections.append(rejection)
        continue
      }
      let next = Self.result(of: update, found)
      var refusal = update.refusal
      if refusal == nil, update.change.verb != .remove {
        // It was there when it was queued, and may have been wiped since.
        for id in next where refusal == nil && !found.contains(id) {
          refusal = try targets.refusal(of: id, under: name)
        }
      }
      if refusal == nil, name.isOwnHeads, next != found {
        if history == nil { history = try HistoryLookUp(opened, .v1) }
        if let history {
          refusal = try targets.refusal(ofHeads: next, after: found, history, &received)
        }
      }
      if let refusal {
        rejections.append(
          RefRejection(
            update: update, reason: .newValue,
            message: "cannot update '\(name.text)': \(refusal)"))
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

  /// Makes the changes, those that were rejected left out.
  ///
  /// - Throws: `fatal` when writing does not succeed; nothing is changed then.
  mutating func commit(_ context: inout Context) throws {
    let outcome = try prepared.take()?.commit(at: context.clock())
    clear()
    guard case .committed(let commit) = outcome else {
      preconditionFailure("BUG: refs have changed under the lock")
    }
    for warning in commit.warnings { context.warning(warning.description) }
  }

  /// Drops everything that is queued, and lets go of the lock.
  mutating func clear() {
    prepared = nil
    isPrepared = false
    rejections = []
    updates = []
    verbs = [:]
  }

  private mutating func standing(_ name: RefName) throws -> [ObjectID] {
    return try prepared?.ids(of: name) ?? []
  }

  /// What stands under a ref after a change.
  private static func result(of update: RefUpdate, _ found: [ObjectID]) -> [ObjectID] {
    switch update.change.verb {
    case .update, .create: update.new
    case .delete: []
    case .verify: found
    case .add: Set(found).union(update.new).sorted()
    case .remove: found.filter { !update.new.contains($0) }
    }
  }

  /// Why a change does not fit what stands under its ref.
  private static func conflict(_ update: RefUpdate, _ found: [ObjectID]) -> RefRejection? {
    let name = update.change.name.text
    if update.change.verb == .remove {
      if let absent = update.new.first(where: { !found.contains($0) }) {
        return RefRejection(
          update: update, reason: found.isEmpty ? .missing : .oldValue,
          message: "'\(absent.text)' does not stand under '\(name)'")
      }
      return nil
    }
    guard let old = update.old, old != found else { return nil }
    if old.isEmpty {
      return RefRejection(
        update: update, reason: .exists,
        message: "'\(name)' already exists, at \(RefValue.text(found))")
    }
    if found.isEmpty {
      return RefRejection(
        update: update, reason: .missing,
        message: "'\(name)' does not exist, but was expected at \(RefValue.text(old))")
    }
    return RefRejection(
      update: update, reason: .oldValue,
      message: "'\(name)' is at \(RefValue.text(found)) but was expected at \(RefValue.text(old))")
  }
}
