// redo verify without names: the store as a whole. Files first, then every object, then what the
// objects are to each other, to the refs and to what is derived of them. Nothing that is wrong ends it.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo verify [--sample=<n>/<t>] [--max-duration=<time>] [--resume=<token>] [--json] [-z]`.
struct StoreAudit: ~Copyable {
  static var options: [OptionSpec] { AuditPart.options + [.progress] }

  /// How many shards are judged together.
  private static let batchCount = 16

  private let store: StoreDirectory
  private let profile: Profile
  let part: AuditPart
  private let deadline: Int64?
  var output: FindingOutput
  var progress: Progress
  private let settings: [StoreFinding]

  /// Audits the store.
  ///
  /// - Throws: `fatal` when there is no store, it is of another format, or a setting has no meaning.
  static func run(
    _ context: inout Context, _ options: ParsedOptions, _ profile: Profile, isJSON: Bool, end: UInt8
  ) throws -> Exit {
    var audit = try StoreAudit(&context, options, profile, isJSON: isJSON, end: end)
    try audit.audit(&context)
    return audit.output.exit
  }

  private init(
    _ context: inout Context, _ options: ParsedOptions, _ profile: Profile, isJSON: Bool, end: UInt8
  ) throws {
    let part = try AuditPart(options)
    var findings: [StoreFinding] = []
    let store = try context.effects.openStoreToAudit(&findings)
    let weights = try FindingWeights(store, profile, context.effects)
    self.part = part
    self.profile = profile
    self.store = store
    settings = findings
    deadline = part.duration.map { context.clock() + $0 }
    output = FindingOutput(weights, isJSON: isJSON, end: end)
    context.errors.showProgress(options.flag(.progress))
    progress = Progress(.checkingStore, context.effects)
  }

  private mutating func audit(_ context: inout Context) throws {
    // What the refs say is read first: what they name was written before.
    let refs = RefsCheck(in: store.directory)
    let received = ReceivedCheck(in: store.directory, refs)
    if part.isFirst {
      var files = settings + LayoutCheck.findings(in: store.directory)
      files += KeyringCheck.findings(in: store.directory)
      files += AlternatesCheck.findings(in: store.directory)
      files += ArchiveCheck.findings(in: store.directory)
      files += QuarantineCheck.findings(in: store.directory)
      files += refs.findings + ReflogCheck.findings(in: store.directory, refs)
      files += received.findings
      files += CreatedCheck.findings(in: store.directory)
      try output.write(files, &context)
    }
    guard let objects = context.effects.openObjectsToAudit(of: store) else { return }
    let opened = Repository(store.share(), objects, context.trace)
    // Damaged packs show themselves when they are read.
    let frames = (try? objects.frames(ofLayer: 0) { _ in })?.count ?? 0
    progress = Progress(
      .checkingStore, total: AuditPart.shardCount + frames, context.effects)
    let index = IndexAudit(opened, refs)
    var table = NodeTable()
    var differences = IndexDifferences()
    let trust = try readTrust(opened, &context)
    // What is packed while the shards are read lies in packs that are listed after them.
    let audit = ObjectAudit(
      store: objects, profile: profile, part: part, graph: index.graph,
      times: received.isWhole ? received.times : nil, trust: trust?.list)
    var verifier = VerifyStored(profile, opened, trust, saysKeys: false)
    for start in stride(from: 0, to: AuditPart.shardCount, by: Self.batchCount) {
      if start > part.start, isTimeOver(context) { return try stop(before: start, &context) }
      try judge(start, audit, &verifier, &table, &differences, &context)
    }
    let packs = PackAudit(objects)
    let frame = try judge(packs, audit, &verifier, &table, &differences, &context)
    let isOver = hasJudged(upTo: frame, of: packs) && isTimeOver(context)
    guard frame == packs.frameCount, !isOver else {
      progress.finish(AuditPart.shardCount + frame)
      if packs.packs.isEmpty { return try stop(before: AuditPart.shardCount, &context) }
      return try output.write(resume: part.token(nextFrame: frame, of: packs.name), &context)
    }
    progress.finish(AuditPart.shardCount + frame)
    audit.learnAlternates { table.append($0) }
    table.close()
    try judgeHistory(&table, index, differences, refs, received, opened, &context)
    if refs.isWhole, received.isWhole {
      try output.write(CheckpointAudit.findings(opened, trust?.list, context.effects), &context)
    }
  }

  /// Whether the run has taken as long as it may.
  func isTimeOver(_ context: borrowing Context) -> Bool {
    deadline.map { context.clock() >= $0 } ?? false
  }

  /// Whether this run has judged anything; the last one judges only what the objects are together.
  private func hasJudged(upTo frame: Int, of packs: borrowing PackAudit) -> Bool {
    part.start < AuditPart.shardCount || part.firstFrame(of: packs.name) < frame
  }

  /// What the trust file says; one that cannot be used is a finding, and an error.
  private mutating func readTrust(
    _ opened: Repository, _ context: inout Context
  ) throws -> NodeTrust? {
    do {
      return try context.effects.nodeTrust(opened)
    } catch {
      let error = CommandError(error)
      // What stands in its place instead is a finding of the check of names.
      let kind = (try? store.directory.status(Layout.trust))??.kind
      if part.isFirst, kind == nil || kind == .regular {
        let finding = StoreFinding(
          .trustForm, path: Layout.trust, detail: error.message,
          repair: "edit it as redo-trust(1) says; until then nobody is trusted")
        try output.write([finding], &context)
      }
      return nil
    }
  }

  /// Judges some shards.
  private mutating func judge(
    _ start: Int, _ audit: ObjectAudit, _ verifier: inout VerifyStored, _ table: inout NodeTable,
    _ differences: inout IndexDifferences, _ context: inout Context
  ) throws {
    let shards = Threads.parallelMap(
      Array(start..<start + Self.batchCount), threads: VerifyStored.threadCount,
      makeState: { audit.makeJudge() }
    ) { judge, byte in audit.shard(UInt8(byte), &judge) }
    var findings: [StoreFinding] = []
    for shard in shards {
      findings += try take(shard, &verifier, &table, &differences)
    }
    try output.write(findings, &context)
    progress.update(start + Self.batchCount)
  }

  /// Takes in what was found in a part.
  ///
  /// - Returns: what is wrong with its objects.
  func take(
    _ found: ObjectAudit.Part, _ verifier: inout VerifyStored, _ table: inout NodeTable,
    _ differences: inout IndexDifferences
  ) throws -> [StoreFinding] {
    var findings = found.findings
    var waiting = found.waiting
    if !waiting.isEmpty {
      try Self.settle(&waiting, &verifier)
      for judged in waiting {
        guard let id = judged.node?.id ?? judged.statedID else { continue }
        findings += ObjectAudit.findings(judged, id, found.place)
      }
    }
    table.append(found.facts)
    differences.append(found.differences)
    return findings
  }

  /// Judges what nodes alone do not tell; where something else is damaged that this takes, one by one,
  /// so that it costs no other node its judgement.
  private static func settle(
    _ waiting: inout [Judged], _ verifier: inout VerifyStored
  ) throws {
    var all = waiting
    do {
      try verifier.settle(&all)
      waiting = all
      return
    } catch {
      let error = CommandError(error)
      if case .signal = error.kind { throw error }
    }
    for index in waiting.indices {
      var one = [waiting[index]]
      do {
        try verifier.settle(&one)
        waiting[index] = one[0]
      } catch {
        let error = CommandError(error)
        if case .signal = error.kind { throw error }
        let isUnknown = waiting[index].verdict == nil && waiting[index].node != nil
        if isUnknown { waiting[index].findings.append(Finding(.keyUnknown, detail: error.message)) }
      }
    }
  }

  /// Judges what the objects are to each other, and what is derived of them.
  private mutating func judgeHistory(
    _ table: inout NodeTable, _ index: IndexAudit, _ differences: IndexDifferences,
    _ refs: RefsCheck, _ received: ReceivedCheck, _ opened: Repository,
    _ context: inout Context
  ) throws {
    if let graph = index.graph {
      for position in 0..<graph.count {
        let id = graph.id(at: position)
        if table.place(of: id) == nil { table.note(missing: id, graph, at: position) }
      }
    }
    let history = HistoryAudit(table, refs, received)
    try output.write(history.findings(), &context)
    var derived = index.findings + [differences.finding].compactMap { $0 }
    derived += index.findings(table, received, refs)
    if let claim = index.claim(history, opened, refs) { derived.append(claim) }
    if let finding = CacheCheck.living(in: store.directory) { derived.append(finding) }
    let isTrue = derived.isEmpty && index.graph?.receivedBytes == refs.receivedBytes
    let graph = isTrue && index.graph?.hasBroken == false ? index.graph : nil
    derived += try SnapshotAudit.findings(opened, graph, context.effects)
    try output.write(derived, &context)
  }

  /// Ends a run whose time is over.
  private mutating func stop(
    before shard: Int, _ context: inout Context
  ) throws {
    progress.finish(shard)
    try output.write(resume: part.token(next: shard), &context)
  }
}
