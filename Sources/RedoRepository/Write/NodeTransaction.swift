// Nodes on their way into the store: staged as they arrive, then named and taken into the history together, or not at
// all; or each by itself (NodeTransaction+Each).

package import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoStore

/// Nodes of a stream that are written together.
package struct NodeTransaction: ~Copyable {
  /// How the nodes are treated.
  package struct Options {
    /// The rules that apply.
    package var profile: Profile = .v1
    /// How the extra members of a remote's copy are treated.
    package var envelope: NodeDecoder.Envelope = .refuse
    /// Whether texts must state their ids.
    package var identity: NodeDecoder.Identity = .optional
    /// Whether the nodes are written.
    package var writes = true
    /// Whether the nodes are taken into the history, for which their parents must be here.
    package var updatesHeads = false
    /// Whether the good nodes are taken even if others are refused.
    package var salvages = false
    /// Whether warnings are suppressed.
    package var isQuiet = false
    /// Whether the ids are kept, to be printed at the end.
    package var keepsIDs = false
    /// Whether nodes without a signature are taken although the profile asks for one.
    package var allowsUnsigned = false
    /// The message in the reflog.
    package var message = ""
    /// Where the nodes come from.
    package var origin = TrustGate.Origin.here

    /// Creates a value with these members.
    package init(
      profile: Profile = .v1, envelope: NodeDecoder.Envelope = .refuse,
      identity: NodeDecoder.Identity = .optional, writes: Bool = true, updatesHeads: Bool = false,
      salvages: Bool = false, isQuiet: Bool = false, keepsIDs: Bool = false,
      allowsUnsigned: Bool = false, message: String = ""
    ) {
      self.profile = profile
      self.envelope = envelope
      self.identity = identity
      self.writes = writes
      self.updatesHeads = updatesHeads
      self.salvages = salvages
      self.isQuiet = isQuiet
      self.keepsIDs = keepsIDs
      self.allowsUnsigned = allowsUnsigned
      self.message = message
    }

    /// Whether parents are looked for.
    package var checksParents: Bool { updatesHeads || profile.checksParents }

    /// How nodes are judged by themselves.
    package var intake: Intake.Options {
      Intake.Options(
        profile: profile, envelope: envelope, identity: identity, allowsUnsigned: allowsUnsigned)
    }
  }

  /// The results for the nodes.
  package struct Summary {
    /// How many nodes were not in the history before, or, without heads, not in the store.
    package var new = 0
    /// How many nodes were there before, or twice in the input.
    package var known = 0
    /// How many nodes had their signature replaced by a better one.
    package var upgraded = 0
    /// How many nodes had corrupt bytes in the store.
    package var healed = 0
    /// How many nodes broke a rule.
    package var refused = 0
    /// How many nodes wait because of the trust file.
    package var held = 0
    /// The pack that was written, if there is one.
    package var pack: Digest?
  }

  package let options: Options
  package let opened: Repository?
  /// Keeps everything that was found in the store there until the transaction ends.
  private let hold: LockFile?
  package let lookUp: HistoryLookUp
  package var intake: Intake
  package var stage: NodeStage?
  package var admission: Admission
  var hasKnown = false
  package var warnings = WarningTally()
  private var created = IncomingCreatedTimes()
  private var sources = RecordSources()
  package var summary = Summary()
  /// Notes about converted nodes; rows of refused ones are left out.
  package var notes = V0Notes()
  /// The notes that were kept.
  package private(set) var notesID: ObjectID?
  /// Asks the trust file about nodes from outside.
  var gate: TrustGate?
  /// Keeps the nodes of an input until it is known which have to wait.
  var spool: IntakeSpool?
  /// The nodes that wait because of the trust file.
  package internal(set) var held: [UntrustedObject] = []
  /// What the trust file keeps out, or would if it were not here.
  var untrusted: [ObjectID: Rule] = [:]
  /// The nodes that are taken although the trust file speaks against them.
  package internal(set) var warned: [UntrustedObject] = []
  /// The nodes that were staged and are left out.
  private var left: Set<ObjectID> = []
  /// The result of taking them into the history.
  package private(set) var change = HistoryChange()
  /// The IDs of the good nodes, in the order of the input, if they are kept.
  package private(set) var ids: [ObjectID] = []

  /// A text that is not a node, or a node that must not be taken.
  package struct Refused {
    /// Its place in the input.
    package let record: LineRecord
    /// The reasons.
    package let findings: [Finding]
  }

  /// The number of refused nodes that are named before the rest is only counted.
  private static let reportLimit = 100

  /// - Parameters:
  ///   - options: how the nodes are treated.
  ///   - opened: the store, if there is one.
  ///   - effects: receives warnings about the trust file.
  /// - Throws: `RefsError` or `TrustError` when its refs or the trust file cannot be read.
  package init(
    _ options: Options, _ opened: Repository?, _ effects: Effects
  ) throws {
    try self.init(options, opened, keys: try effects.keySources(opened))
  }

  /// - Parameters:
  ///   - options: how the nodes are treated.
  ///   - opened: the store, if there is one.
  ///   - keys: where the keys of users are looked for.
  /// - Throws: the error when refs cannot be read.
  init(_ options: Options, _ opened: Repository?, keys: KeySources) throws {
    self.options = options
    self.opened = opened
    let held = try Self.hold(options, opened)
    let known: HistoryLookUp
    if let opened {
      known = try HistoryLookUp(
        opened, options.profile, allowsUnsigned: options.allowsUnsigned)
    } else {
      known = HistoryLookUp(objects: nil, options.profile)
    }
    let found = try TrustGate.open(keys.trust, options.origin, opened, writes: options.writes)
    hold = held
    lookUp = known
    intake = Intake(options.intake, keys)
    gate = found.gate
    spool = IntakeSpool(of: .node, found.quarantine)
    admission = Admission(profile: options.profile)
    if options.writes, let opened { stage = NodeStage(opened.objects, trace: opened.trace) }
  }

  private static func hold(
    _ options: Options, _ opened: Repository?
  ) throws -> LockFile? {
    guard options.writes, let opened else { return nil }
    return try opened.holdObjects()
  }

  /// Judges and stages the nodes of a batch.
  ///
  /// - Returns: the refused nodes, for the caller to `refuse` or to skip.
  package mutating func take(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [Refused] {
    let judged = try (opened?.trace ?? .off).measure("judge") {
      try intake.judge(batch)
    }
    var good: [(record: Int, node: Node)] = []
    var refused: [Refused] = []
    for (record, row) in zip(batch.records, judged) {
      if !row.isRefused, let node = row.node {
        good.append((sources.note(record, of: source), node))
        gate?.note(row)
        warnings.note(row.findings, options.profile) { source.name(record) }
        created.note(row.createdAt, of: node.id) { source.name(record) }
      } else {
        refused.append(Refused(record: record, findings: row.errors(options.profile)))
      }
    }
    // Once anything is refused nothing will be written, so nothing is staged.
    if !options.salvages, !refused.isEmpty { stage = nil }
    if options.salvages || summary.refused + refused.count == 0 { try stage(good) }
    return refused
  }

  /// Counts a refused text, and reports why it is refused.
  package mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects) {
    summary.refused += 1
    if isReported { effects.reportErrors(findings, of: subject) }
  }

  /// Whether the refused text counted last is named: all of them are when the rest is taken.
  private var isReported: Bool { options.salvages || summary.refused <= Self.reportLimit }

  /// Stages good nodes.
  ///
  /// - Parameters:
  ///   - good: the nodes.
  ///   - frames: the frames that some of them came in, by the index of their first node.
  /// - Throws: `StoreError` when the store cannot be read or written.
  package mutating func stage(
    _ good: [(record: Int, node: Node)], frames: [Int: WholeFrame] = [:]
  ) throws {
    let writes = good.map { ObjectWrite($0.node, key: intake.key(of: $0.node)) }
    try spool?.add(writes.map(\.object))
    var known: [Bool] = []
    if stage != nil {
      known = try stage?.add(writes, frames: frames) ?? []
    } else if let opened {
      for row in good { known.append(try opened.contains(row.node.id)) }
    }
    for (index, row) in good.enumerated() {
      if options.keepsIDs { ids.append(row.node.id) }
      if index < known.count, known[index] {
        hasKnown = true
        let isThere =
          options.updatesHeads
          ? try lookUp.isInHistory(row.node.id, of: row.node.taskID) : true
        if isThere {
          summary.known += 1
          if !options.profile.checksParents || options.updatesHeads { continue }
        }
      }
      if !options.checksParents {
        summary.new += index < known.count && known[index] ? 0 : 1
      } else if admission.add(row.node, record: row.record) {
        summary.new += 1
      } else {
        summary.known += 1
      }
    }
  }

  /// Names everything and moves the heads.
  ///
  /// - Returns: the results; `nil` when nothing was written because nodes are refused.
  package mutating func finish(_ effects: Effects) throws -> Summary? {
    if options.checksParents { try checkParents(effects) }
    guard summary.refused == 0 || options.salvages else {
      if summary.refused > Self.reportLimit {
        effects.report(.writing(.refusedInAll(summary.refused)))
      }
      return nil
    }
    try keepUntrusted(effects)
    return try commit(effects)
  }

  /// Names everything that remains, and moves the heads.
  ///
  /// - Parameters:
  ///   - effects: the clock; receives warnings.
  ///   - haveNames: receives the pack that was written, if there is one, and the nodes, before the heads move.
  /// - Returns: the results.
  /// - Throws: `StoreError` when the store cannot be written, `RefsError.locked` when others hold the refs.
  package mutating func commit(
    _ effects: Effects, _ haveNames: (Digest?, Admission) -> Void = { _, _ in }
  ) throws -> Summary {
    if !options.isQuiet {
      warnings.report(effects)
      created.report(effects)
    }
    notes.rows.removeAll { left.contains($0.id) }
    let blob = notes.rows.isEmpty ? nil : StoredObject(blob: notes.bytes)
    notesID = blob?.id
    guard var stage = stage.take() else { return summary }
    if let blob { _ = try stage.add([ObjectWrite(blob, key: nil)]) }
    let written = try stage.commit()
    summary.upgraded += written.upgraded
    summary.healed += written.healed
    summary.pack = written.pack
    haveNames(written.pack, admission)
    if options.updatesHeads, let opened {
      change = try opened.trace.measure("heads") {
        try opened.moveHeads(
          admission, since: lookUp.receivedBytes, hasKnown: hasKnown, message: options.message,
          notes: notesID, effects)
      }
      if change.returned > 0, !options.isQuiet {
        effects.report(.writing(.returned(change.returned)))
      }
      // Nodes that another process took into the history in the meantime do not count as new here.
      let new = admission.recordedCount(among: change.received)
      summary.known += summary.new - new
      summary.new = new
    }
    if let opened { try created.write(to: opened, without: left, effects) }
    return summary
  }

  /// Looks for every parent; when salvaging, leaves out nodes without parents, and their descendants.
  private mutating func checkParents(_ effects: Effects) throws {
    let errors = try parentErrors()
    left = refuse(errors, effects)
    guard options.salvages, !left.isEmpty else { return }
    let below = refuse(admission.descendants(of: left), effects)
    try leaveOut(left.union(below))
  }

  /// The forbidden relations between nodes; warnings are noted.
  mutating func parentErrors() throws -> [Admission.Problem] {
    let problems = try lookUp.problems(of: &admission)
    warnings.note(problems.map(\.finding), .v1) { "the input" }
    return problems.filter { options.profile.severity(of: $0.finding) == .error }
  }

  /// Takes back nodes that must not be taken, and all their descendants.
  mutating func leaveOut(_ ids: Set<ObjectID>) throws {
    left.formUnion(ids)
    stage?.remove(left)
    admission = admission.excluding(left)
    // The remaining nodes are kept: none of them descends from one that was left out.
    let rest = try lookUp.problems(of: &admission).filter {
      options.profile.severity(of: $0.finding) == .error
    }
    precondition(rest.isEmpty, "BUG: a node is kept without its parents")
  }

  /// Counts and names refused nodes.
  ///
  /// - Returns: their ids.
  private mutating func refuse(
    _ problems: [Admission.Problem], _ effects: Effects
  ) -> Set<ObjectID> {
    var left: Set<ObjectID> = []
    for problem in problems {
      if left.insert(problem.id).inserted {
        summary.refused += 1
        if problem.record != nil { summary.new -= 1 }
      }
      guard isReported else { continue }
      let place = problem.record.map { sources.name(of: $0) + "', '" } ?? ""
      effects.report(.writing(.leftOut(problem.finding, of: place + problem.id.text)))
    }
    return left
  }
}

extension Repository {
  /// Whether the store has an object.
  package func contains(_ id: ObjectID) throws -> Bool {
    return try objects.contains(id)
  }
}
