// One step into the history of receipts: the same as for nodes (Admitting), in the same order and with the same promises. Cards
// of devices are judged first, so that what they sign can be checked in whatever order it has come.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// Takes receipts in.
struct ReceiptAdmitting: ~Copyable {
  private let opened: Repository
  private let options: Receiver.Options
  private let quarantine: Quarantine
  private var intake: ReceiptIntake
  private var transaction: ReceiptTransaction
  /// The receipts that are good by themselves.
  private var good: [ObjectID: Receipt] = [:]
  /// Those that waited in the quarantine, and are taken in with the others.
  private var promoted: Set<ObjectID> = []
  /// Those that waited in the quarantine, and have come again.
  private var repeated: Set<ObjectID> = []
  private var waiting: LooseStore?
  private var refused: [AdmissionRows.Refused] = []
  private var orphans: [OrphanNode] = []
  /// The request of this exchange; anything may arrive when it is `nil`.
  var asked: RangeRequest?
  private var unasked: Set<ObjectID> = []
  private var damagedFrames = 0

  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how receipts are received.
  ///   - quarantine: where they arrived.
  ///   - effects: where the trust file is found.
  /// - Throws: `RefsError`, `TrustError` or `StoreError` when refs, trust file or quarantine cannot be read.
  init(
    _ opened: Repository, _ options: Receiver.Options, _ quarantine: Quarantine, _ effects: Effects
  ) throws {
    let keys = try effects.keySources(opened)
    var settings = ReceiptTransaction.Options(
      profile: .sync, updatesHeads: true, message: options.message)
    settings.writes = options.writes
    settings.isTolerant = true
    let begun = try ReceiptTransaction(settings, opened, keys)
    // Only from here on is a wipe held off.
    waiting = try quarantine.orphans()
    intake = ReceiptIntake(.sync, verifies: true, keys)
    transaction = begun
    self.opened = opened
    self.options = options
    self.quarantine = quarantine
  }

  /// Runs all steps.
  ///
  /// - Parameters:
  ///   - packs: the packs that arrived.
  ///   - report: receives the results.
  ///   - effects: for clock, hooks and events.
  /// - Throws: the error when they cannot be taken in; then nothing is changed, or everything is done except removing
  ///   the packs.
  mutating func run(
    _ packs: [IncomingPack], _ report: inout ReceiveReport, _ effects: Effects
  ) throws {
    try read(packs, effects)
    try readWaiting()
    choose()
    try settle()
    let hooks = ReceiveHooks(opened, options)
    let changes = try hooks.isAsked || !options.writes ? transaction.pendingChanges() : []
    guard try hooks.allow(changes.map(MovedHeads.init), effects) else {
      decline(&report)
      tell(effects)
      return try remove(packs)
    }
    if options.writes {
      orphans = try quarantine.keep(orphans, of: packs, &waiting, &refused)
    }
    let summary = try transaction.commit(effects)
    let heads = (options.writes ? summary.changes : changes).map(MovedHeads.init)
    if options.writes {
      try HistoryWalk.forEach(
        summary.newIDs, opened.objects, of: .receipt, { object, _ in object.id }, { _ in })
    }
    report.new += summary.newIDs.compactMap { good[$0].map { ReceivedNode($0) } }
    report.promoted += summary.newIDs.count { promoted.contains($0) }
    report.known += summary.known
    report.upgraded += summary.upgraded
    report.healed += summary.healed
    report.heads += heads
    report.orphans += orphans
    report.refused += refused.map(\.node)
    report.damagedFrames += damagedFrames
    tell(effects)
    guard options.writes else { return }
    try remove(packs)
    hooks.tell(heads, effects)
  }

  // MARK: By themselves

  private mutating func read(_ packs: [IncomingPack], _ effects: Effects) throws {
    var judged: [JudgedReceipt] = []
    for pack in packs {
      var reading = pack.read()
      while let objects = try reading.next() {
        try effects.checkInterrupt()
        judged += Self.judge(objects)
      }
      damagedFrames += reading.damagedCount
    }
    try intake.settle(&judged)
    try transaction.add(judged)
    for row in judged {
      guard let receipt = row.receipt, !row.isRefused else {
        guard let id = row.id else { continue }
        let findings = row.errors(.sync)
        refused.append(
          AdmissionRows.Refused(
            RefusedNode(id, findings.first ?? Finding(.receiptForm)), findings))
        continue
      }
      good[receipt.id] = receipt
      guard let asked else { continue }
      let place = HistoryPlace(receipt)
      let bound = RangeBound(lamport: place.lamport, wall: place.wall, id: receipt.id)
      let fingerprint = NodeFingerprint(id: receipt.id, signature: receipt.signature)
      if !asked.asksFor(fingerprint, at: bound) { unasked.insert(receipt.id) }
    }
  }

  private static func judge(_ objects: [StoredObject]) -> [JudgedReceipt] {
    Threads.parallelMap(
      objects, threads: objects.count < 4 ? 1 : Threads.processorCount,
      makeState: { ReceiptDecoder(profile: .sync) }
    ) { decoder, object in ReceiptIntake.judge(object, &decoder) }
  }

  /// Adds waiting receipts whose parents are here by now.
  private mutating func readWaiting() throws {
    guard let waiting else { return }
    let nodes = WaitingNodes(waiting)
    let complete = try nodes.complete(of: .receipt) { id throws in
      if good[id] != nil { return true }
      return try opened.contains(id)
    }
    repeated = Set(complete.filter { good[$0] != nil })
    var objects: [StoredObject] = []
    for id in complete where good[id] == nil {
      if let object = try nodes.object(id) { objects.append(object) }
    }
    var judged = Self.judge(objects)
    try intake.settle(&judged)
    try transaction.add(judged)
    // A refused one keeps waiting: whoever asks for it gets the reason.
    for row in judged where !row.isRefused {
      guard let receipt = row.receipt else { continue }
      promoted.insert(receipt.id)
      good[receipt.id] = receipt
    }
  }

  // MARK: In relation to each other

  /// Leaves out receipts that nobody asked for, and what follows them.
  private mutating func choose() {
    guard !unasked.isEmpty else { return }
    var foreign = unasked
    var grows = true
    while grows {
      let more = good.values.lazy.filter { receipt in
        !foreign.contains(receipt.id) && receipt.parent.map { foreign.contains($0) } ?? false
      }.map(\.id)
      let found = Set(more)
      foreign.formUnion(found)
      grows = !found.isEmpty
    }
    for id in foreign.sorted() where good[id] != nil {
      refused.append(AdmissionRows.Refused(unasked: id))
      good[id] = nil
      promoted.remove(id)
    }
    transaction.remove(foreign)
  }

  /// Leaves out what its relation to others forbids: for good, or until its parent comes.
  private mutating func settle() throws {
    let unfit = Set(refused.map(\.node.id))
    var barred: Set<ObjectID> = []
    var lost: Set<ObjectID> = []
    while true {
      let problems = try transaction.problems().filter {
        Profile.sync.severity(of: $0.finding) == .error
      }
      guard !problems.isEmpty else { return }
      for problem in problems where good[problem.id] != nil {
        good[problem.id] = nil
        let parent = ObjectID(text: problem.finding.detail)
        let isOfParent = [.parentMissing, .parentRefused].contains(problem.finding.rule)
        guard isOfParent, let parent, !barred.contains(parent) else {
          barred.insert(problem.id)
          guard promoted.remove(problem.id) == nil else { continue }
          let finding =
            isOfParent
            ? Finding(.parentRefused, at: .pointer("/parentCID"), detail: problem.finding.detail)
            : problem.finding
          refused.append(AdmissionRows.Refused(RefusedNode(problem.id, finding), [finding]))
          continue
        }
        lost.insert(problem.id)
        guard promoted.remove(problem.id) == nil else { continue }
        orphans.append(
          OrphanNode(id: problem.id, parent: parent, isRefused: unfit.contains(parent)))
      }
      transaction.remove(barred.union(lost).union(problems.map(\.id)))
    }
  }

  // MARK: The end

  private mutating func decline(_ report: inout ReceiveReport) {
    report.isDeclined = true
    for id in good.keys.sorted() where !promoted.contains(id) {
      refused.append(AdmissionRows.Refused(RefusedNode(declined: id)))
    }
    for orphan in orphans {
      refused.append(
        AdmissionRows.Refused(RefusedNode(orphan.id, rule: orphan.rule.id, orphan.detail)))
    }
    orphans = []
    promoted = []
    report.refused += refused.map(\.node)
    report.damagedFrames += damagedFrames
  }

  private func remove(_ packs: [IncomingPack]) throws {
    for pack in packs { try pack.remove() }
    try waiting?.remove(promoted.union(repeated).filter { good[$0] != nil })
  }

  private func tell(_ effects: Effects) {
    AdmissionRows.tell(refused, orphans, peer: options.peer, effects) { id in
      good[id] != nil || (try? opened.contains(id)) == true
    }
  }
}

extension MovedHeads {
  /// How the heads of a chain move.
  init(_ change: ChainChange) {
    self.init(name: .receipts(of: change.root), before: change.before, after: change.after)
  }
}
