// From a store to the rows of its index: receipts with what their chains come to, what is noted about them, nodes, and the
// tasks that their replay gives. Rows are told as they are made, those that others refer to first.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Tells the program that keeps the index all rows of a store.
struct SQLIndexFeed {
  /// How many nodes are judged together.
  private static let batchCount = 4096

  let opened: Repository
  let effects: Effects
  let program: SQLIndexProgram
  /// The schemas by which records are read.
  private let schemas: RecordSchemas

  /// What tells rows.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: the surroundings.
  ///   - program: receives the rows.
  /// - Throws: as `Repository.recordSchemas`.
  init(_ opened: Repository, _ effects: Effects, _ program: SQLIndexProgram) throws {
    schemas = try opened.recordSchemas()
    self.opened = opened
    self.effects = effects
    self.program = program
  }

  /// What is known of the store before any row is made.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - snapshot: the refs.
  ///   - effects: the trust file.
  /// - Returns: the keys; those of local rows, and of what is found out while rows are made, are still empty.
  /// - Throws: `RefsError`, `TrustError`, `StoreError` when parts of the store cannot be read.
  static func keys(
    _ opened: Repository, _ snapshot: borrowing RefsSnapshot, _ effects: Effects
  ) throws -> SQLIndexKeys {
    var keys = SQLIndexKeys()
    let end = snapshot.receivedBytes
    if let id = try opened.store.config.storeID() { keys.store = id.text }
    keys.signatures = SQLIndexKeys.hex(try opened.objects.signatureMark())
    keys.received = end
    if let last = try opened.store.received.lastBytes(to: end) {
      keys.receivedEnd = SQLIndexKeys.hex(last)
    }
    keys.entry = snapshot.entry
    let chain = snapshot.chain
    keys.chain = ObjectID(digest: chain).hex
    let moment = snapshot.moment
    keys.log = moment.logBytes
    keys.logChain = ObjectID(digest: moment.logChain).hex
    if let file = try effects.trustFile(opened), let contents = try file.read() {
      let digest = SHA256.digest(of: contents.text.bytes.span)
      keys.trust = ObjectID(digest: digest).hex
    }
    let schemas = try opened.schemas()
    if !schemas.isEmpty {
      let hashes = schemas.map { "\($0.definition.hash.hex) \($0.heads.count) \($0.name.text)\n" }
      keys.schemas = ObjectID(digest: SHA256.digest(of: Array(hashes.joined().utf8).span)).hex
    }
    return keys
  }

  /// Tells all rows.
  ///
  /// - Parameter keys: the keys of the store; receives what is found out.
  /// - Throws: what reading the store throws, and what the program answers.
  func tellAll(_ keys: inout SQLIndexKeys) throws {
    let found = try opened.localRows()
    keys.local = try opened.store.local.mark(at: found.endBytes)
    let receipts = try tellReceipts(found, &keys)
    let schemaCount = try tellSchemas()
    let nodes: (count: Int, isWhole: Bool)
    if let (log, _) = try StateSource.indexed(StateSource.Request(), in: opened, effects) {
      nodes = (log.count, true)
      try tellNodes(log, &keys)
    } else {
      let (log, _) = try StateSource.load(
        StateSource.Request(), in: opened, needsReceived: true, effects)
      nodes = (log.count, false)
      try tellNodes(log, &keys)
    }
    if let receipts {
      keys.isWhole = receipts.received == receipts.count + nodes.count + schemaCount
    } else {
      keys.isWhole = nodes.isWhole
    }
  }

  // MARK: Receipts

  /// Tells receipts, chains and notes.
  ///
  /// - Returns: how many receipts there are, and how many objects were received; `nil` in a store that has no receipts.
  private func tellReceipts(
    _ found: LocalRows.Found, _ keys: inout SQLIndexKeys
  ) throws -> (count: Int, received: Int)? {
    guard opened.store.config.mayHaveGroups else { return nil }
    let cards = try DeviceKeys.cards(in: opened.objects)
    keys.cards = Set(cards.map(\.id)).sorted()
    // All of them before any signature is checked: the program indexes them meanwhile.
    let history = try ReceiptHistory(opened, cards: cards, effects) {
      receipts, isLast, times throws in
      try tell(headers: receipts, times)
      if isLast { try program.sendNow(SQLIndexRows.whole("ucr_headers")) }
    }
    let roots = history.view.chains.keys.sorted()
    for start in stride(from: 0, to: roots.count, by: Self.batchCount) {
      try effects.checkInterrupt()
      let lines = Threads.parallelMap(
        Array(roots[start..<min(start + Self.batchCount, roots.count)]),
        threads: roots.count < 16 ? 1 : Threads.processorCount, makeState: { 0 }
      ) { _, root in Self.lines(ofChain: root, history, found) }
      for line in lines { try program.send(line) }
    }
    let rows = found.rows(of: nil)
    var present = SQLIndexRows.Present(rows)
    present.receipts = Set(history.rows.map(\.cid))
    try tell(notes: rows, present, deletes: false)
    return (history.rows.count, history.receivedCount)
  }

  /// The lines of a chain, and of what is kept about it.
  private static func lines(
    ofChain root: ObjectID, _ history: ReceiptHistory, _ found: LocalRows.Found
  ) -> [UInt8] {
    guard let chain = history.view.chains[root] else { return [] }
    var lines = SQLIndexRows.chain(chain)
    guard let first = history.row(of: root), Receipt.isSession(first.type) else { return lines }
    let noted = found.rows[LocalRow.Key(.localReceipts, first.cid)]
    let received = (first: first.received, shown: history.row(of: chain.shown)?.received)
    lines += SQLIndexRows.localReceipt(of: chain, noted: noted, received: received)?.line ?? []
    return lines
  }

  /// Tells receipts, in their order.
  func tell(headers receipts: [Receipt], _ times: [ObjectID: Int64]) throws {
    let lines = Threads.parallelMap(
      receipts, threads: receipts.count < 16 ? 1 : Threads.processorCount, makeState: { 0 }
    ) { _, receipt in SQLIndexRows.header(receipt, received: times[receipt.id]) }
    for line in lines { try program.send(line) }
  }

  /// Tells local rows, those that others refer to first.
  ///
  /// - Parameters:
  ///   - rows: the rows; those of chains are passed over.
  ///   - present: what they may refer to.
  ///   - deletes: whether rows that are not to be are taken out; otherwise nothing is told of them.
  /// - Throws: what the program answers.
  func tell(notes rows: [LocalRow], _ present: SQLIndexRows.Present, deletes: Bool) throws {
    for table in SQLIndexRows.noteTables {
      for row in rows where row.key.table == table {
        let (line, isPut) = SQLIndexRows.note(row, present)
        if isPut || deletes { try program.send(line) }
      }
    }
  }

  // MARK: Schemas

  /// Tells all schemas and their fields.
  ///
  /// - Returns: how many objects of schemas are in the history.
  private func tellSchemas() throws -> Int {
    let schemas = try opened.schemas()
    guard !schemas.isEmpty else { return 0 }
    for schema in schemas { try program.send(SQLIndexRows.lines(of: schema)) }
    return try SchemaHistory(from: schemas.flatMap { $0.heads.map(\.id) }, opened.objects)
      .objects.count
  }

  // MARK: Nodes and tasks

  /// Tells all nodes of a log, and all tasks.
  private func tellNodes<Log: HistoryLog & Sendable>(
    _ log: Log, _ keys: inout SQLIndexKeys
  ) throws {
    guard log.count > 0 else { return }
    let cut = Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    try tell(tasks: nodes.tasks, log, cut, nodes, &keys, deletes: false)
    try tell(nodes: Array(0..<log.count), log, &keys)
  }

  /// Tells tasks.
  ///
  /// - Parameters:
  ///   - tasks: their indices in the log.
  ///   - log: the log.
  ///   - cut: the nodes that count.
  ///   - nodes: their nodes.
  ///   - keys: receives which of them other nodes may change.
  ///   - deletes: whether each is taken out before.
  /// - Throws: what replay throws, and what the program answers.
  func tell<Log: HistoryLog & Sendable>(
    tasks: [Int], _ log: Log, _ cut: Cut, _ nodes: TaskNodes, _ keys: inout SQLIndexKeys,
    deletes: Bool
  ) throws {
    let schemas = schemas
    try ReplayRun(log, cut, nodes).replayEach(tasks) { state, order in
      SQLIndexRows.lines(of: state) + SQLIndexRows.record(of: state, schemas, order)
    } body: { task throws in
      if task.isOpen { keys.open.append(log.taskID(task.task)) }
      if deletes { try program.send(SQLIndexRows.delete(task: log.taskID(task.task))) }
      if let lines = task.row { try program.send(lines) }
    }
  }

  /// Tells nodes.
  ///
  /// - Parameters:
  ///   - positions: where they are in the log.
  ///   - log: the log.
  ///   - keys: receives whether the key of one is looked for in others.
  /// - Throws: what reading the nodes throws, and what the program answers.
  func tell<Log: HistoryLog & Sendable>(
    nodes positions: [Int], _ log: Log, _ keys: inout SQLIndexKeys
  ) throws {
    var verify = VerifyStored(.v1, opened, try effects.nodeTrust(opened), saysKeys: true)
    let options = Intake.Options(profile: .v1, identity: .required)
    // Each frame of a pack is read once: the order of the rows is nobody's concern.
    let order = try opened.objects.lyingOrder(of: positions.map { log.id(at: $0) })
    let positions = order.map { positions[$0] }
    var next = 0
    var judged: [Judged] = []
    func tellJudged() throws {
      try effects.checkInterrupt()
      if judged.contains(where: { $0.verdict == nil && $0.node != nil }) { keys.hasKeyless = true }
      try verify.settle(&judged)
      let part = zip(positions[next..<next + judged.count], judged)
      let lines = Threads.parallelMap(
        Array(part), threads: judged.count < 16 ? 1 : Threads.processorCount, makeState: { 0 }
      ) { _, entry in
        SQLIndexRows.node(
          at: entry.0, in: log, device: entry.1.node?.escapedText(.deviceID).map { Array($0) },
          letter: VerdictRow(entry.1, .v1).letter)
      }
      for line in lines { try program.send(line) }
      next += judged.count
      judged.removeAll(keepingCapacity: true)
    }
    try HistoryWalk.forEach(positions.map { log.id(at: $0) }, opened.objects) {
      object, reader throws in
      Intake.judge(reader.decode(object), reader.decoder, options)
    } _: { row throws in
      judged.append(row)
      if judged.count == Self.batchCount { try tellJudged() }
    }
    try tellJudged()
  }
}
