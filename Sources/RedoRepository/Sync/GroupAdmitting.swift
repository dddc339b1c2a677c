// One step into the history of receipts or schemas: the same as for nodes (Admitting), in the same order and with the same
// promises. Cards of devices are judged first, so that what they sign can be checked in whatever order it has come.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// Takes objects of one kind in.
struct GroupAdmitting: ~Copyable {
  private let kind: ObjectKind
  private let opened: Repository
  private let options: Receiver.Options
  private let quarantine: Quarantine
  private var intake: GroupIntake
  private var transaction: GroupTransaction
  /// The objects that are good by themselves.
  private var good: [ObjectID: GroupedObject] = [:]
  /// Those that waited in the quarantine, and are taken in with the others.
  private var promoted: Set<ObjectID> = []
  /// Those that waited in the quarantine, and have come again.
  private var repeated: Set<ObjectID> = []
  private var waiting: LooseStore?
  private var refused: [AdmissionRows.Refused] = []
  private var orphans: [OrphanNode] = []
  /// The objects that came and wait because of the trust file, and those that did so before.
  private var held: [UntrustedObject] = []
  private var heldStill: [UntrustedObject] = []
  /// The request of this exchange; anything may arrive when it is `nil`.
  var asked: RangeRequest?
  private var unasked: Set<ObjectID> = []
  private var damagedFrames = 0

  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - opened: the store.
  ///   - options: how they are received.
  ///   - quarantine: where they arrived.
  ///   - effects: where the trust file is found.
  /// - Throws: `RefsError`, `TrustError` or `StoreError` when refs, trust file or quarantine cannot be read.
  init(
    of kind: ObjectKind, _ opened: Repository, _ options: Receiver.Options,
    _ quarantine: Quarantine, _ effects: Effects
  ) throws {
    let keys = try effects.keySources(opened)
    var settings = GroupTransaction.Options(
      profile: .sync, updatesHeads: true, message: options.message)
    settings.writes = options.writes
    settings.isTolerant = true
    settings.origin = .exchange
    settings.tellsCollisions = options.tellsCollisions && !options.isQuiet
    let begun = try GroupTransaction(of: kind, settings, opened, keys)
    // Only from here on is a wipe held off.
    waiting = try quarantine.orphans()
    intake = GroupIntake(.sync, verifies: true, keys)
    transaction = begun
    self.kind = kind
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
    try holdUntrusted()
    let hooks = ReceiveHooks(opened, options)
    var changes = try hooks.isAsked || !options.writes ? transaction.pendingChanges() : []
    if let hook = try ask(hooks, &changes, packs, effects) {
      decline(&report, by: hook)
      tell(effects)
      return try remove(packs)
    }
    if options.writes {
      refused += try quarantine.keep(&orphans, &held, of: packs, options.quota, &waiting)
    }
    let summary: GroupTransaction.Summary
    do { summary = try transaction.commit(effects) } catch {
      hooks.end(changes.map(MovedHeads.init), isDone: false, effects)
      throw error
    }
    let heads = (options.writes ? summary.changes : changes).map(MovedHeads.init)
    if options.writes {
      try HistoryWalk.forEach(
        summary.newIDs, opened.objects, of: kind, { object, _ in object.id }, { _ in })
    }
    report.new += summary.newIDs.compactMap { good[$0].map { ReceivedNode($0) } }
    report.promoted += summary.newIDs.count { promoted.contains($0) }
    report.known += summary.known
    report.upgraded += summary.upgraded
    report.healed += summary.healed
    report.heads += heads
    report.orphans += orphans
    report.held += held
    report.heldStill += heldStill
    report.refused += refused.map(\.node)
    report.damagedFrames += damagedFrames
    tell(effects)
    guard options.writes else { return }
    try remove(packs)
    hooks.tell(heads, effects)
  }

  // MARK: By themselves

  private mutating func read(_ packs: [IncomingPack], _ effects: Effects) throws {
    var judged: [JudgedObject] = []
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
      guard let object = row.object, !row.isRefused else {
        guard let id = row.id else { continue }
        let findings = row.errors(.sync)
        refused.append(
          AdmissionRows.Refused(
            RefusedNode(id, findings.first ?? Finding(kind.formRule)), findings))
        continue
      }
      good[object.id] = object
      guard let asked else { continue }
      let place = object.place
      let bound = RangeBound(lamport: place.lamport, wall: place.wall, id: object.id)
      let fingerprint = NodeFingerprint(id: object.id, signature: object.signature)
      if !asked.asksFor(fingerprint, at: bound) { unasked.insert(object.id) }
    }
  }

  private static func judge(_ objects: [StoredObject]) -> [JudgedObject] {
    Threads.parallelMap(
      objects, threads: objects.count < 4 ? 1 : Threads.processorCount,
      makeState: { PlaceDecoder(profile: .sync) }
    ) { decoder, object in GroupIntake.judge(object, &decoder) }
  }

  /// Adds waiting objects whose parents are here by now.
  private mutating func readWaiting() throws {
    guard let waiting else { return }
    let nodes = WaitingNodes(waiting)
    let complete = try nodes.complete(of: kind) { id throws in
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
      guard let object = row.object else { continue }
      promoted.insert(object.id)
      good[object.id] = object
    }
  }

  // MARK: In relation to each other

  /// Leaves out objects that nobody asked for, and what follows them.
  private mutating func choose() {
    guard !unasked.isEmpty else { return }
    var foreign = unasked
    var grows = true
    while grows {
      let more = good.values.lazy.filter { object in
        !foreign.contains(object.id) && object.place.parents.contains(where: foreign.contains)
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
      let problems = try transaction.problems().filter { $0.isError(.sync) }
      guard !problems.isEmpty else { return }
      for problem in problems where good[problem.id] != nil {
        good[problem.id] = nil
        let isOfParent = [.parentMissing, .parentRefused].contains(problem.finding.rule)
        let parent = isOfParent ? ObjectID(text: problem.finding.detail) : nil
        guard isOfParent, let parent, !barred.contains(parent) else {
          barred.insert(problem.id)
          guard promoted.remove(problem.id) == nil else { continue }
          let finding =
            isOfParent
            ? Finding(
              .parentRefused, at: problem.finding.place, detail: problem.finding.detail)
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

  /// Leaves out objects that the trust file keeps out, and what follows them: they wait until it lets them in.
  private mutating func holdUntrusted() throws {
    for row in try transaction.holdUntrusted() {
      good[row.id] = nil
      if promoted.remove(row.id) != nil { heldStill.append(row) } else { held.append(row) }
    }
  }

  // MARK: The end

  /// Asks the hooks, and leaves out what they refuse for single refs.
  ///
  /// - Returns: the hook that refuses everything; `nil` where what remains may come in.
  private mutating func ask(
    _ hooks: ReceiveHooks, _ changes: inout [GroupChange], _ packs: [IncomingPack],
    _ effects: Effects
  ) throws -> String? {
    guard hooks.isAsked, !changes.isEmpty else { return nil }
    let shown = try quarantine.show(Set(good.keys), of: packs, waiting)
    defer { shown.remove() }
    switch try hooks.ask(changes.map(MovedHeads.init), shown, effects) {
    case .refused(let hook): return hook
    case .allowed(let refused) where !refused.isEmpty:
      try leave(refused)
      changes = try transaction.pendingChanges()
    case .allowed: break
    }
    let moves = changes.map(MovedHeads.init)
    if case .refused(let hook) = try hooks.prepare(moves, shown, effects) { return hook }
    return nil
  }

  /// Leaves out what came for some refs, and what follows it.
  private mutating func leave(_ refs: Set<RefName>) throws {
    // What is in the history and has come again stays there.
    let known = try transaction.knownIDs()
    let unwanted = good.values.filter { object in
      !known.contains(object.id)
        && object.place.group.map { refs.contains(.heads(of: $0)) } ?? false
    }.map(\.id)
    for id in unwanted.sorted() {
      good[id] = nil
      guard promoted.remove(id) == nil else { continue }
      refused.append(AdmissionRows.Refused(RefusedNode(declined: id, by: HookProcess.update)))
    }
    transaction.remove(Set(unwanted))
    try settle()
  }

  private mutating func decline(_ report: inout ReceiveReport, by hook: String) {
    report.decliner = hook
    for id in good.keys.sorted() where !promoted.contains(id) {
      refused.append(AdmissionRows.Refused(RefusedNode(declined: id, by: hook)))
    }
    for orphan in orphans {
      refused.append(
        AdmissionRows.Refused(RefusedNode(orphan.id, rule: orphan.rule.id, orphan.detail)))
    }
    refused += held.map { row in
      AdmissionRows.Refused(RefusedNode(row, "the hook '\(hook)' refuses what it came with"))
    }
    (orphans, held, transaction.warned) = ([], [], [])
    promoted = []
    report.refused += refused.map(\.node)
    report.damagedFrames += damagedFrames
  }

  private func remove(_ packs: [IncomingPack]) throws {
    for pack in packs { try pack.remove() }
    try waiting?.remove(promoted.union(repeated).filter { good[$0] != nil })
  }

  private func tell(_ effects: Effects) {
    let orphans = options.tellsOrphans ? orphans : []
    AdmissionRows.tell(refused, orphans, peer: options.peer, effects) { id in
      good[id] != nil || (try? opened.contains(id)) == true
    }
    let told = options.namesHeldAgain ? held : held.filter { !repeated.contains($0.id) }
    effects.tellUntrusted(
      told, options.isQuiet ? [] : transaction.warned, peer: options.peer)
  }
}

extension MovedHeads {
  /// How the heads of a group move.
  init(_ change: GroupChange) {
    self.init(name: .heads(of: change.group), before: change.before, after: change.after)
  }
}
