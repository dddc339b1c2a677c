// An audit of a store as a whole: first files, then every object, then how the objects relate to each other, to the
// refs and to what is derived from them. No damage ends it.

internal import RedoHistory
package import RedoObject
package import RedoStore

/// An audit of a whole store.
package struct StoreAudit: ~Copyable {
  /// What is audited, and by which rules.
  package struct Request {
    /// The rules for nodes.
    package var profile: Profile
    /// The part that is done now.
    package var part: AuditPart

    /// An audit that is asked for.
    package init(_ profile: Profile, _ part: AuditPart = AuditPart()) {
      self.profile = profile
      self.part = part
    }
  }

  /// How an audit ended.
  package struct Outcome: Equatable, Sendable {
    /// Whether one of the findings was an error.
    package var hasError = false
    /// The token with which another run continues; `nil` when nothing is left to do.
    package var token: String?
    /// How many nodes of the store this run has judged, by what it made of them; empty when something is left to do.
    ///
    /// Each counts once, whether it is loose, packed, or both, and by a copy that can be read if there is one.
    package var judged: [NodeJudgement: Int] = [:]
  }

  /// Receives findings one by one: those of each piece of work ordered by path, ID, rule and detail.
  package typealias Telling = (StoreFinding, Severity) throws -> Void

  /// How many shards are judged together.
  private static let batchCount = 16

  let store: StoreDirectory
  private let profile: Profile
  let part: AuditPart
  /// Describes an error in the detail of a finding about something that cannot be read.
  private let describe: @Sendable (any Error) -> String
  private let deadline: Int64?
  private let weights: FindingWeights
  private var outcome = Outcome()
  var progress: Progress
  /// The nodes of the store that cannot be read.
  private var unreadable: Set<ObjectID> = []
  private let settings: [StoreFinding]

  /// Audits the store that is found.
  ///
  /// - Parameters:
  ///   - request: what is audited.
  ///   - effects: where the store is looked for; receives the progress, and says whether the work is cancelled.
  ///   - tell: receives the findings that are not skipped, as they are found.
  /// - Returns: how it ended.
  /// - Throws: when there is no store, it is of another format, or a setting has no meaning; `Interruption`; what `tell`
  ///   throws.
  package static func run(
    _ request: Request, _ effects: Effects, _ tell: Telling
  ) throws -> Outcome {
    var audit = try StoreAudit(request, effects)
    try audit.audit(effects, tell)
    // Exchanges ask others for these.
    if audit.store.standing.isOwn, !audit.unreadable.isEmpty {
      let noted = Set(DamageNotes.read(in: audit.store.directory))
      DamageNotes.write(noted.union(audit.unreadable), in: audit.store.directory)
    }
    return audit.outcome
  }

  private init(_ request: Request, _ effects: Effects) throws {
    var findings: [StoreFinding] = []
    let store = try effects.openStoreToAudit(&findings)
    weights = try FindingWeights(store, request.profile, effects)
    part = request.part
    profile = request.profile
    describe = effects.describe
    self.store = store
    settings = findings
    deadline = request.part.duration.map { effects.clock() + $0 }
    progress = Progress(.checkingStore, effects)
  }

  /// Reports findings in order, except those that are skipped.
  mutating func tell(
    _ findings: some Sequence<StoreFinding>, _ tell: Telling
  ) throws {
    for finding in findings.sorted() {
      guard let severity = weights.severity(of: finding) else { continue }
      if severity == .error { outcome.hasError = true }
      if let id = finding.id, [.objectCorrupt, .objectMissing].contains(finding.rule),
        finding.path.hasPrefix("\(Layout.objects)/")
      {
        unreadable.insert(id)
      }
      try tell(finding, severity)
    }
  }

  private mutating func audit(_ effects: Effects, _ tell: Telling) throws {
    // The refs are read first: what they name was written before.
    let refs = RefsCheck(in: store.directory)
    let received = ReceivedCheck(in: store.directory, refs)
    if part.isFirst {
      var files = settings + LayoutCheck.findings(in: store.directory)
      files += KeyringCheck.findings(in: store.directory)
      files += AlternatesCheck.findings(in: store.directory)
      let keys = RegisteredKeys(of: store, effects)
      files += ArchiveCheck.findings(in: store.directory) { keys.payloadKey($0) }
      files += QuarantineCheck.findings(in: store.directory)
      files += refs.findings + ReflogCheck.findings(in: store.directory, refs)
      files += received.findings
      files += CreatedCheck.findings(in: store.directory)
      files += LocalCheck.findings(in: store.directory)
      files += AccessCheck.findings(in: store.directory)
      try self.tell(files, tell)
    }
    guard let objects = effects.openObjectsToAudit(of: store) else { return }
    let opened = Repository(store.share(), objects, effects.trace, isAudited: true)
    // Damaged packs are found when they are read.
    let frames = (try? objects.frames(ofLayer: 0) { _ in })?.count ?? 0
    progress = Progress(
      .checkingStore, total: AuditPart.shardCount + frames, effects)
    let index = IndexAudit(opened, refs)
    var table = NodeTable()
    var differences = IndexDifferences()
    let trust = try readTrust(opened, effects, tell)
    // Objects that are packed while the shards are read are in packs that are listed after them.
    let audit = ObjectAudit(
      store: objects, profile: profile, part: part, graph: index.graph,
      times: received.isWhole ? received.times : nil, trust: trust?.list)
    var verifier = VerifyStored(profile, opened, trust, saysKeys: false)
    for start in stride(from: 0, to: AuditPart.shardCount, by: Self.batchCount) {
      try effects.checkInterrupt()
      if start > part.start, isTimeOver(effects) { return stop(before: start) }
      try judge(start, audit, &verifier, &table, &differences, effects, tell)
    }
    let packs = PackAudit(objects)
    let frame = try judge(packs, audit, &verifier, &table, &differences, effects, tell)
    let isOver = hasJudged(upTo: frame, of: packs) && isTimeOver(effects)
    guard frame == packs.frameCount, !isOver else {
      progress.finish(AuditPart.shardCount + frame)
      if packs.packs.isEmpty { return stop(before: AuditPart.shardCount) }
      outcome.token = part.token(nextFrame: frame, of: packs.name)
      return
    }
    progress.finish(AuditPart.shardCount + frame)
    audit.learnAlternates { table.append($0) }
    table.close()
    outcome.judged = table.judged
    try effects.checkInterrupt()
    try judgeHistory(&table, index, differences, refs, received, opened, effects, tell)
    if refs.isWhole, received.isWhole {
      try self.tell(CheckpointAudit.findings(opened, trust?.list, effects), tell)
    }
  }

  /// Whether the time limit of the run has been reached.
  func isTimeOver(_ effects: Effects) -> Bool {
    deadline.map { effects.clock() >= $0 } ?? false
  }

  /// Whether this run has judged anything; the last one may judge only how the objects relate.
  private func hasJudged(upTo frame: Int, of packs: borrowing PackAudit) -> Bool {
    part.start < AuditPart.shardCount || part.firstFrame(of: packs.name) < frame
  }

  /// Reads the trust file; one that cannot be used is a finding, and an error.
  private mutating func readTrust(
    _ opened: Repository, _ effects: Effects, _ tell: Telling
  ) throws -> NodeTrust? {
    do {
      return try effects.nodeTrust(opened)
    } catch {
      // Anything else in its place is a finding of the check of names.
      let kind = (try? store.directory.status(Layout.trust))??.kind
      if part.isFirst, kind == nil || kind == .regular {
        let finding = StoreFinding(
          .trustForm, path: Layout.trust, detail: describe(error),
          repair: "edit it as redo-trust(1) says; until then nobody is trusted")
        try self.tell([finding], tell)
      }
      return nil
    }
  }

  /// Judges some shards.
  private mutating func judge(
    _ start: Int, _ audit: ObjectAudit, _ verifier: inout VerifyStored, _ table: inout NodeTable,
    _ differences: inout IndexDifferences, _ effects: Effects, _ tell: Telling
  ) throws {
    let shards = Threads.parallelMap(
      Array(start..<start + Self.batchCount), threads: VerifyStored.threadCount,
      makeState: { audit.makeJudge() }
    ) { judge, byte in audit.shard(UInt8(byte), &judge) }
    var findings: [StoreFinding] = []
    for shard in shards {
      findings += try take(shard, &verifier, &table, &differences)
    }
    try self.tell(findings, tell)
    progress.update(start + Self.batchCount)
  }

  /// Adds what was found in a part.
  ///
  /// - Returns: what is wrong with its objects.
  func take(
    _ found: ObjectAudit.Part, _ verifier: inout VerifyStored, _ table: inout NodeTable,
    _ differences: inout IndexDifferences
  ) throws -> [StoreFinding] {
    var findings = found.findings
    var waiting = found.waiting
    let start = table.count
    table.append(found.facts)
    if !waiting.isEmpty {
      try settle(&waiting, &verifier)
      for (judged, place) in zip(waiting, found.waitingPlaces) {
        table.note(NodeJudgement(judged, profile), at: start + place)
        guard let id = judged.node?.id ?? judged.statedID else { continue }
        findings += ObjectAudit.findings(judged, id, found.place)
      }
    }
    var grouped = found.grouped
    try verifier.settle(&grouped)
    for (judged, place) in zip(grouped, found.groupedPlaces) {
      table.note(NodeJudgement(judged, profile), at: start + place)
      if let id = judged.id { findings += ObjectAudit.findings(judged, id, found.place) }
    }
    differences.append(found.differences)
    return findings
  }

  /// Judges what nodes by themselves do not tell; if that fails because something else is damaged, one node at a time,
  /// so that no other node goes unjudged.
  private func settle(
    _ waiting: inout [Judged], _ verifier: inout VerifyStored
  ) throws {
    var all = waiting
    do {
      try verifier.settle(&all)
      waiting = all
      return
    } catch {
      if error is Interruption { throw error }
    }
    for index in waiting.indices {
      var one = [waiting[index]]
      do {
        try verifier.settle(&one)
        waiting[index] = one[0]
      } catch {
        if error is Interruption { throw error }
        let isUnknown = waiting[index].verdict == nil && waiting[index].node != nil
        if isUnknown {
          waiting[index].findings.append(Finding(.keyUnknown, detail: describe(error)))
        }
      }
    }
  }

  /// Judges how the objects relate, and what is derived from them.
  private mutating func judgeHistory(
    _ table: inout NodeTable, _ index: IndexAudit, _ differences: IndexDifferences,
    _ refs: RefsCheck, _ received: ReceivedCheck, _ opened: Repository,
    _ effects: Effects, _ tell: Telling
  ) throws {
    if let graph = index.graph {
      for position in 0..<graph.count {
        let id = graph.id(at: position)
        if table.place(of: id) == nil { table.note(missing: id, graph, at: position) }
      }
    }
    let history = HistoryAudit(table, refs, received)
    try self.tell(history.findings(), tell)
    var derived = index.findings + [differences.finding].compactMap { $0 }
    derived += index.findings(table, received, refs)
    if let claim = index.claim(history, opened, refs, received) { derived.append(claim) }
    if let finding = CacheCheck.living(in: store.directory) { derived.append(finding) }
    if let finding = LivingAudit.finding(table, in: store.directory) { derived.append(finding) }
    let isTrue = derived.isEmpty && index.graph?.receivedBytes == refs.receivedBytes
    // Where the history cannot be opened, others have told why, and nothing of it is compared with anybody.
    if isTrue, index.graph != nil, refs.isWhole,
      let finding = (try? KeptTreeAudit.finding(opened, effects)) ?? nil
    {
      derived.append(finding)
    }
    let graph = isTrue && index.graph?.hasBroken == false ? index.graph : nil
    derived += try SnapshotAudit.findings(opened, graph, history, refs, effects)
    try self.tell(derived, tell)
  }

  /// Ends a run whose time is over.
  private mutating func stop(before shard: Int) {
    progress.finish(shard)
    outcome.token = part.token(next: shard)
  }
}
