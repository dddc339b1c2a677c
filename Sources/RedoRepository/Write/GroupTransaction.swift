// Receipts and schemas on their way into the store: staged as they arrive, then named and taken into the history together, or not at
// all.

package import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoStore

/// Receipts, or schemas, that are written together.
package struct GroupTransaction: ~Copyable {
  /// What was done.
  package struct Summary: Sendable {
    /// How many objects were not in the history before.
    package var new = 0
    /// How many were.
    package var known = 0
    /// How many had their signature replaced by a better one.
    package var upgraded = 0
    /// How many had corrupt bytes in the store.
    package var healed = 0
    /// How many objects wait because of the trust file.
    package var held = 0
    /// The groups whose heads moved.
    package var changes: [GroupChange] = []
    /// The new ones, in the order in which they came.
    package var newIDs: [ObjectID] = []
  }

  /// How the objects are treated.
  package struct Options: Sendable {
    /// The rules that apply.
    package var profile: Profile
    /// Whether they are taken into the history, for which their parents must be here.
    package var updatesHeads: Bool
    /// The message in the reflog.
    package var message: String
    /// Whether anything is written, rather than only found out.
    package var writes = true
    /// Whether names that two fields have since others' schemas are here are told.
    package var tellsCollisions = true
    /// Whether they were made here.
    package var isOwn = false
    /// Whether objects of the store that cannot be read count as absent.
    package var isTolerant = false
    /// Where they come from.
    var origin = TrustGate.Origin.here
    /// When they count as received, in milliseconds since 1970; now, for those without a time.
    package var receivedTimes: [ObjectID: Int64] = [:]

    /// Creates a value with these members.
    package init(profile: Profile, updatesHeads: Bool, message: String) {
      self.profile = profile
      self.updatesHeads = updatesHeads
      self.message = message
    }

    /// Whether parents are looked for.
    package var checksParents: Bool { updatesHeads || profile.checksParents }
  }

  private(set) var options: Options
  let kind: ObjectKind
  let opened: Repository
  private(set) var keys: KeySources
  /// Keeps everything that was found in the store there until the transaction ends.
  private let hold: LockFile
  private var stage: NodeStage
  var admission = GroupAdmission()
  private var isEmpty = true
  /// Asks the trust file about objects from outside.
  var gate: TrustGate?
  /// Keeps the objects of an input until it is known which have to wait.
  var spool: IntakeSpool?
  /// The objects that were added, where the trust file is asked; others join them as their parents.
  var added: Set<ObjectID> = []
  /// The objects that are taken although the trust file speaks against them.
  var warned: [UntrustedObject] = []
  /// How often a change of heads is computed anew because others changed the same heads.
  private static let attemptLimit = 1000

  /// A transaction without objects.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - options: how they are treated.
  ///   - opened: the store.
  ///   - keys: where keys are looked for.
  ///   - isSingle: whether there will be only one object.
  /// - Throws: `RefsError` when a wipe takes too long.
  package init(
    of kind: ObjectKind, _ options: Options, _ opened: Repository, _ keys: KeySources,
    isSingle: Bool = false
  ) throws {
    let held = try opened.holdObjects()
    let found = try TrustGate.open(keys.trust, options.origin, opened, writes: options.writes)
    self.kind = kind
    self.options = options
    self.opened = opened
    self.keys = keys
    hold = held
    gate = found.gate
    spool = IntakeSpool(of: kind, found.quarantine)
    stage = NodeStage(opened.objects, isSingle: isSingle, trace: opened.trace)
  }

  /// Stages objects, but for those that are refused.
  ///
  /// - Throws: `StoreError` when the store cannot be read or written.
  package mutating func add(_ judged: [JudgedObject]) throws {
    let judged = judged.filter { !$0.isRefused }
    let writes = judged.compactMap(\.write)
    guard !writes.isEmpty else { return }
    isEmpty = false
    if options.writes { _ = try stage.add(writes) }
    try spool?.add(writes.map(\.object))
    for row in judged {
      guard let object = row.object else { continue }
      admission.add(object)
      guard gate != nil else { continue }
      added.insert(object.id)
      gate?.note(row)
    }
  }

  /// Notes when an object counts as received: the earliest of several times.
  package mutating func note(_ id: ObjectID, received time: Int64) {
    options.receivedTimes[id] = min(options.receivedTimes[id] ?? time, time)
  }

  /// Pins keys that are about to become local rows.
  package mutating func pin(_ keys: [DeviceName: PublicKey]) { self.keys.devices.add(keys) }

  /// What the relation of the objects to others forbids, or makes odd.
  ///
  /// - Throws: `StoreError` or `RefsError` when the store cannot be read.
  package mutating func problems() throws -> [GroupAdmission.Problem] {
    guard options.checksParents else { return [] }
    var lookUp = try GroupLookUp(
      of: kind, opened, options.profile, keys, isTolerant: options.isTolerant)
    return try admission.resolve { id throws in try lookUp.link(id) }
  }

  /// Takes objects back.
  package mutating func remove(_ ids: Set<ObjectID>) {
    guard !ids.isEmpty else { return }
    stage.remove(ids)
    admission = admission.excluding(ids)
    isEmpty = admission.ids.isEmpty
  }

  /// Names everything, and moves the heads; where nothing is to be written, says what that would come to.
  ///
  /// - Parameter effects: the clock; receives warnings.
  /// - Returns: what was done; without heads, nothing is known of new ones.
  /// - Throws: `StoreError` when the store cannot be written, `RefsError` when its refs cannot, `ConfigError` when its
  ///   format cannot be raised, `WriteFault.contended`.
  package mutating func commit(_ effects: Effects) throws -> Summary {
    var summary = Summary()
    guard !isEmpty else { return summary }
    if options.writes {
      // Before the first of them is there: no release that does not know them opens the store from then on.
      try opened.store.admitGroups()
      let written = try stage.commit()
      (summary.upgraded, summary.healed) = (written.upgraded, written.healed)
    }
    if options.updatesHeads { try moveHeads(&summary, effects) }
    return summary
  }

  /// Takes in one object, in a transaction of its own.
  ///
  /// - Returns: what its relation to others forbids; `nil` when it is written.
  /// - Throws: what `commit` throws.
  package static func take(
    _ judged: JudgedObject, _ options: Options, _ opened: Repository, _ effects: Effects
  ) throws -> Finding? {
    guard let kind = judged.object?.kind else { return judged.errors(options.profile).first }
    var transaction = try GroupTransaction(
      of: kind, options, opened, try effects.keySources(opened), isSingle: true)
    try transaction.add([judged])
    let problems = try transaction.problems()
    if let problem = problems.first(where: { $0.isError(options.profile) }) {
      return problem.finding
    }
    _ = try transaction.commit(effects)
    return nil
  }

  /// The groups whose heads would move.
  ///
  /// - Throws: `StoreError` or `RefsError` when the store cannot be read.
  package func pendingChanges() throws -> [GroupChange] { try pending().changes }

  /// Which objects of the set are in the history already.
  func knownIDs() throws -> Set<ObjectID> {
    var lookUp = try GroupLookUp(of: kind, opened, .v1, keys, isTolerant: options.isTolerant)
    var known: Set<ObjectID> = []
    for id in admission.ids {
      guard let group = admission.group(of: id) else { continue }
      if try lookUp.isInHistory(id, of: group) { known.insert(id) }
    }
    return known
  }

  private func pending() throws -> (new: GroupAdmission, knownCount: Int, changes: [GroupChange]) {
    var lookUp = try GroupLookUp(of: kind, opened, .v1, keys, isTolerant: options.isTolerant)
    var known: Set<ObjectID> = []
    for id in admission.ids {
      guard let group = admission.group(of: id) else { continue }
      if try lookUp.isInHistory(id, of: group) { known.insert(id) }
    }
    let new = admission.excluding(known)
    let changes = try new.changes { group throws in try lookUp.heads(of: group) }
    return (new, known.count, changes)
  }

  private func moveHeads(_ summary: inout Summary, _ effects: Effects) throws {
    let refsOptions = try opened.refsOptions()
    for _ in 0..<Self.attemptLimit {
      let (new, knownCount, changes) = try pending()
      (summary.new, summary.known) = (new.ids.count, knownCount)
      summary.newIDs = new.ids
      guard options.writes, !changes.isEmpty else { return }
      var transaction = RefTransaction(message: options.message)
      for change in changes {
        transaction.replace(
          .heads(of: change.group), with: change.after, expecting: change.before)
      }
      transaction.received = new.ids
      transaction.receivedTimes = options.receivedTimes
      transaction.isWritten = options.isOwn
      transaction.receivedChecked = 0
      let time = effects.clock()
      let outcome = try opened.trace.measure("refs.commit") { () throws(RefsError) in
        try opened.store.refs.commit(transaction, at: time, refsOptions)
      }
      guard case .committed(let commit) = outcome else { continue }
      effects.report(commit.warnings)
      summary.changes = changes
      if kind == .schema, !options.isOwn, options.tellsCollisions {
        sayCollisions(changes, effects)
      }
      return
    }
    throw WriteFault.contended
  }

  /// Warns of names that two active fields have since others' schemas are here.
  ///
  /// Everything is taken by then: where an older object cannot be read, that is no failure.
  private func sayCollisions(_ changes: [GroupChange], _ effects: Effects) {
    for change in changes {
      guard let after = try? opened.joined(change.after),
        let before = try? opened.joined(change.before).map({ [$0] }) ?? []
      else { continue }
      for finding in SchemaEdited.newCollisions(after, before) {
        effects.report(.writing(.odd(finding, of: after.name.text, count: 1)))
      }
    }
  }
}

extension StoreDirectory {
  /// Makes a store of nodes alone one that may have other objects with a history: its format is raised, once.
  ///
  /// - Throws: as `changeSettings`.
  package func admitGroups() throws(ConfigError) {
    try changeSettings { text throws(ConfigError) in
      let present = text.entries.last { $0.key == "core.format" }?.value
      guard present == "\(Config.nodesFormat)" else { return }
      try text.set("core.format", name: "format", to: "\(Config.groupsFormat)")
    }
  }
}
