// One step into the history: everything that arrived and what waited is checked, taken in, read back, and only then
// removed from where it arrived.
//
//   1. nodes by themselves: profile `sync`, ids, signatures
//   2. nodes of the quarantine whose parents are here by now join them
//   3. nodes in relation to each other; some are refused, some have to wait
//   4. what the trust file speaks against is to wait, if `transfer.trust` says so; hooks may refuse all of the rest, or what
//      is for one ref
//   5. those that wait go to the quarantine; the account that sends gets a share in what has no access list
//   6. objects, then heads: from here on the nodes are there
//   7. they are read back
//   8. packs and waiting nodes that have become a part of the store are removed
//   9. hooks/post-receive is run
//
// An interruption before 8 leaves everything where the next run finds it.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
package import RedoRemote
package import RedoStore

/// Takes nodes in.
package struct Admitting: ~Copyable {
  private let opened: Repository
  private let options: Receiver.Options
  private let quarantine: Quarantine
  private var transaction: NodeTransaction
  /// The nodes that are good by themselves.
  private var nodes: [ObjectID: ReceivedNode] = [:]
  /// The nodes that waited in the quarantine, and are taken in with the others.
  private var promoted: Set<ObjectID> = []
  /// The nodes that waited in the quarantine, and have come again.
  private var repeated: Set<ObjectID> = []
  private var waiting: LooseStore?
  /// The nodes that are not taken, and the parents of those that are invalid by themselves.
  private var refused: [AdmissionRows.Refused] = []
  private var orphans: [OrphanNode] = []
  /// The nodes that came and wait because of the trust file, and those that did so before.
  private var held: [UntrustedObject] = []
  private var heldStill: [UntrustedObject] = []
  /// The request of this exchange; anything may arrive when it is `nil`.
  package var asked: RangeRequest?
  /// The nodes that arrived without being requested.
  private var unasked: Set<ObjectID> = []
  private var damagedFrames = 0
  /// The nodes that arrived, and are good by themselves, if an account is to get a share in them.
  private var came: [CameNode] = []

  /// How many nodes of the quarantine are judged together.
  private static let batchCount = 1024

  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how nodes are received.
  ///   - quarantine: where they arrived.
  ///   - effects: receives reports of what is odd about the trust file.
  /// - Throws: `RefsError`, `TrustError` or `StoreError` when refs, trust file or quarantine cannot be read.
  package init(
    _ opened: Repository, _ options: Receiver.Options, _ quarantine: Quarantine,
    _ effects: Effects
  ) throws {
    let begun = try NodeTransaction(options.transaction, opened, effects)
    // Only from here on is a wipe held off.
    waiting = try Self.stored { () throws(StoreError) in try quarantine.orphans() }
    transaction = begun
    self.opened = opened
    self.options = options
    self.quarantine = quarantine
  }

  /// Runs all steps.
  ///
  /// - Parameters:
  ///   - packs: the packs that arrived.
  ///   - judging: its nodes, judged by themselves.
  ///   - report: receives the results.
  ///   - effects: for clock, hooks and events.
  /// - Throws: the error when they cannot be taken in; then nothing is changed, or everything is done except removing
  ///   the packs.
  package mutating func run(
    _ packs: [IncomingPack], _ judging: PackJudging, _ report: inout ReceiveReport,
    _ effects: Effects
  ) throws {
    let expected = packs.reduce(0) { $0 + $1.expectedCount }
    nodes.reserveCapacity(expected)
    transaction.expect(expected)
    try read(judging, effects)
    try readWaiting()
    try settle()
    try choose()
    try holdUntrusted()
    let hooks = ReceiveHooks(opened, options)
    var moves = try hooks.isAsked || !options.writes ? transaction.movedHeads() : []
    if let hook = try ask(hooks, &moves, packs, effects) {
      decline(&report, by: hook)
      tell(effects)
      try Self.remove(packs, and: joined, of: waiting)
      return
    }
    if options.writes {
      refused += try quarantine.keep(&orphans, &held, of: packs, options.quota, &waiting)
      try noteAccount()
    }
    // The new pack is read back while the heads move.
    var pack: Ahead<Result<[ObjectID], StoreError>>?
    let summary: NodeTransaction.Summary
    do {
      summary = try transaction.commit(effects) { [objects = opened.objects] name, admission in
        guard let name else { return }
        pack = Ahead {
          Result { () throws(StoreError) in try objects.readBack(name, admission.ids) }
        }
      }
    } catch {
      hooks.end(moves, isDone: false, effects)
      throw error
    }
    let new = options.writes ? transaction.change.received : transaction.newIDs
    let heads = options.writes ? transaction.change.heads : moves
    let received = new.compactMap { nodes[$0] }
    if options.writes { try Self.readBack(new, pack?.value(), opened.objects) }
    report.new += received
    if !promoted.isEmpty { report.promoted += new.count { promoted.contains($0) } }
    report.known += summary.known
    report.upgraded += summary.upgraded
    report.healed += summary.healed
    report.heads += heads
    report.orphans += orphans
    report.held += held
    report.heldStill += heldStill
    report.refused += refused.map(\.node)
    report.came += came
    for node in came { report.untrusted[node.id] = transaction.untrusted[node.id] }
    report.damagedFrames += damagedFrames
    tell(effects)
    guard options.writes else { return }
    try Self.remove(packs, and: joined, of: waiting)
    hooks.tell(heads, effects)
  }

  // MARK: 1, 2

  private mutating func read(
    _ judging: PackJudging, _ effects: Effects
  ) throws {
    while true {
      try effects.checkInterrupt()
      let next = try opened.trace.measure("judge") { () throws(SystemError) in try judging.next() }
      guard let next else { break }
      let frames = next.came.frame.map { [0: $0] } ?? [:]
      var came: [CameNode]? = options.account == nil ? nil : []
      for row in try take(next.came.objects, next.judged, frames: frames, asked, noting: &came) {
        var decoder = NodeDecoder()
        refused.append(
          AdmissionRows.Refused(
            RefusedNode(row.object.id, row.findings.first ?? Finding(.nodeType)), row.findings,
            parents: decoder.decodeBroken(row.object)?.parents ?? []))
      }
      self.came += came ?? []
    }
    damagedFrames += judging.damagedFrames
  }

  private mutating func take(
    _ objects: [StoredObject], _ judged: consuming [Judged], frames: [Int: WholeFrame] = [:],
    _ asked: RangeRequest? = nil, noting came: inout [CameNode]?
  ) throws -> [NodeTransaction.RefusedObject] {
    var good: [ReceivedNode] = []
    var unasked: [ObjectID] = []
    let refused = try transaction.take(objects, judged, frames: frames) { node in
      good.append(ReceivedNode(node))
      came?.append(CameNode(id: node.id, lamport: node.lamport, parents: node.parents))
      guard let asked else { return }
      let place = RangeBound(lamport: node.lamport, wall: node.wall, id: node.id)
      let fingerprint = NodeFingerprint(id: node.id, signature: node.signature)
      if !asked.asksFor(fingerprint, at: place) { unasked.append(node.id) }
    }
    for node in good { nodes[node.id] = node }
    self.unasked.formUnion(unasked)
    return refused
  }

  /// Adds waiting nodes whose parents are here by now.
  private mutating func readWaiting() throws {
    guard let waiting else { return }
    let complete = try WaitingNodes(waiting).complete { id throws in
      if nodes[id] != nil { return true }
      return try opened.contains(id)
    }
    repeated = Set(complete.filter { nodes[$0] != nil })
    let ids = complete.filter { nodes[$0] == nil }
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      var objects: [StoredObject] = []
      for id in ids[start..<min(start + Self.batchCount, ids.count)] {
        if let object = try WaitingNodes(waiting).object(id) { objects.append(object) }
      }
      promoted.formUnion(objects.map(\.id))
      // A refused node keeps waiting: whoever asks for it gets the reason.
      let judged = Intake.judge(objects, options.transaction.intake)
      var came: [CameNode]?
      for row in try take(objects, judged, noting: &came) { promoted.remove(row.object.id) }
    }
  }

  // MARK: 3

  private mutating func settle() throws {
    let (wrong, below) = try transaction.settle()
    var barred: Set<ObjectID> = []
    let unfit = Set(refused.map(\.node.id))
    var missing: [ObjectID: ObjectID] = [:]
    var order: [ObjectID] = []
    for problem in wrong + below {
      let isOfParent = [.parentMissing, .parentRefused].contains(problem.finding.rule)
      if isOfParent, !barred.contains(problem.id) {
        guard let parent = ObjectID(text: problem.finding.detail) else { continue }
        if barred.contains(parent) {
          bar(problem, &barred)
        } else if missing.updateValue(missing[problem.id] ?? parent, forKey: problem.id) == nil {
          order.append(problem.id)
        }
      } else {
        bar(problem, &barred)
      }
    }
    for id in order where !barred.contains(id) {
      nodes[id] = nil
      if promoted.remove(id) != nil { continue }
      guard let parent = missing[id] else { continue }
      orphans.append(OrphanNode(id: id, parent: parent, isRefused: unfit.contains(parent)))
    }
  }

  /// Leaves out nodes that nobody asked for, and nodes that are not wanted.
  private mutating func choose() throws {
    let foreign = try transaction.leave(unwanted: unasked.filter { nodes[$0] != nil })
    for id in foreign.sorted() where nodes[id] != nil {
      refused.append(AdmissionRows.Refused(unasked: id))
    }
    var left = foreign
    if let only = options.only { left.formUnion(try transaction.keep(only: only)) }
    for id in left {
      nodes[id] = nil
      promoted.remove(id)
    }
  }

  /// Leaves out nodes that the trust file keeps out, and what follows them: they wait until it lets them in.
  private mutating func holdUntrusted() throws {
    for row in try transaction.holdUntrusted() {
      nodes[row.id] = nil
      if promoted.remove(row.id) != nil { heldStill.append(row) } else { held.append(row) }
    }
  }

  /// Refuses a node because of its relation to others: it can never be taken.
  private mutating func bar(_ problem: Admission.Problem, _ barred: inout Set<ObjectID>) {
    nodes[problem.id] = nil
    guard barred.insert(problem.id).inserted, promoted.remove(problem.id) == nil else { return }
    refused.append(
      AdmissionRows.Refused(RefusedNode(problem.id, problem.finding), [problem.finding]))
  }

  // MARK: 4, 5

  /// Asks the hooks, and leaves out what they refuse for single refs.
  ///
  /// - Returns: the hook that refuses everything; `nil` where what remains may come in.
  private mutating func ask(
    _ hooks: ReceiveHooks, _ moves: inout [MovedHeads], _ packs: [IncomingPack],
    _ effects: Effects
  ) throws -> String? {
    guard hooks.isAsked, !moves.isEmpty else { return nil }
    let shown = try quarantine.show(Set(transaction.newIDs), of: packs, waiting)
    defer { shown.remove() }
    switch try hooks.ask(moves, shown, effects) {
    case .refused(let hook): return hook
    case .allowed(let refused) where !refused.isEmpty:
      try leave(refused)
      moves = try transaction.movedHeads()
    case .allowed: break
    }
    if case .refused(let hook) = try hooks.prepare(moves, shown, effects) { return hook }
    return nil
  }

  /// Leaves out what came for some refs, and what follows it.
  private mutating func leave(_ refs: Set<RefName>) throws {
    // What is in the history and has come again stays there, and what follows it is judged by its own ref.
    let unwanted = transaction.newIDs.filter { id in
      guard let node = nodes[id] else { return false }
      return refs.contains(node.group.map { .heads(of: $0) } ?? .heads(of: TaskID?.none))
    }
    for id in try transaction.leave(unwanted: Set(unwanted)).sorted() {
      guard nodes.removeValue(forKey: id) != nil, promoted.remove(id) == nil else { continue }
      refused.append(AdmissionRows.Refused(RefusedNode(declined: id, by: HookProcess.update)))
    }
  }

  private mutating func decline(_ report: inout ReceiveReport, by hook: String) {
    report.decliner = hook
    report.came += came
    for id in transaction.newIDs where !promoted.contains(id) {
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

  /// Lets the account that sends see what it sends: before the nodes are here, so that none is without a list.
  private func noteAccount() throws {
    guard let account = options.account else { return }
    let list = AccessList(of: [account])
    let waiting = Set(orphans.map(\.id) + held.map(\.id))
    var rows: [AccessNotes.Row] = []
    for node in came where nodes[node.id] != nil || waiting.contains(node.id) {
      rows.append((node.id, list))
    }
    try opened.giveAccess(rows)
  }

  // MARK: 7, 8

  /// Reads nodes from where they are now; each is hashed again.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - pack: the result of reading back the pack that was written, if there is one: the nodes that are not in it.
  ///   - objects: the objects of the store.
  /// - Throws: when one of them is not there, or is corrupt.
  private static func readBack(
    _ ids: [ObjectID], _ pack: Result<[ObjectID], StoreError>?, _ objects: ObjectStore
  ) throws {
    var others = try stored { () throws(StoreError) in try pack?.get() ?? ids }
    if pack != nil, !others.isEmpty {
      let taken = Set(ids)
      others.removeAll { !taken.contains($0) }
    }
    try HistoryWalk.forEach(others, objects, { object, _ in object.id }, { _ in })
  }

  /// The nodes that waited and are good.
  private var joined: [ObjectID] { promoted.union(repeated).filter { nodes[$0] != nil } }

  private static func remove(
    _ packs: [IncomingPack], and ids: [ObjectID], of waiting: LooseStore?
  ) throws {
    for pack in packs { try pack.remove() }
    try waiting?.remove(ids)
  }

  // MARK: Events

  private func tell(_ effects: Effects) {
    let orphans = options.tellsOrphans ? orphans : []
    AdmissionRows.tell(refused, orphans, peer: options.peer, effects) { id in
      nodes[id] != nil || (try? opened.contains(id)) == true
    }
    let told = options.namesHeldAgain ? held : held.filter { !repeated.contains($0.id) }
    effects.tellUntrusted(
      told, options.isQuiet ? [] : transaction.warned, peer: options.peer)
  }

  private static func stored<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws -> Value {
    return try body()
  }
}
