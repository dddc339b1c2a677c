// What has come to a store since its index was made: new receipts and nodes, their chains and tasks derived again, and notes.
//
// The index itself is asked for what stands there: where it says something else than the objects, the answer is only which
// objects are read. Whatever is not the usual growth of a history makes the index be built anew.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

extension SQLIndexFeed {
  /// How many chains are derived again before building the index anew is quicker.
  private static let chainLimit = 20_000
  /// How many names stand in one question: a statement has at most 4 KiB.
  private static let namesCount = 48

  /// What has come.
  struct News {
    /// The new receipts, and when each new object was received.
    var receipts: [Receipt] = []
    var nodes: [HistoryNode] = []
    var times: [ObjectID: Int64] = [:]
    /// The local rows that came.
    var notes: Set<LocalRow.Key> = []
    /// The chains that are derived again.
    var roots: Set<ObjectID> = []
  }

  /// What has come since an index was made.
  ///
  /// - Parameters:
  ///   - old: the keys of the index.
  ///   - snapshot: the refs now.
  ///   - since: the local rows that came.
  /// - Returns: `nil` when the history has not simply grown.
  /// - Throws: what reading the store throws.
  func news(
    since old: SQLIndexKeys, _ snapshot: borrowing RefsSnapshot, _ since: LocalRows.Since
  ) throws -> News? {
    var news = News()
    news.notes = since.keys
    // Pins decide about receipts that are there.
    guard !news.notes.contains(where: { $0.table == .devices }) else { return nil }
    var hasForgotten = false
    var ids: [ObjectID] = []
    if old.received < snapshot.receivedBytes {
      try opened.store.received.forEach(
        from: old.received == 0 ? nil : old.received, to: snapshot.receivedBytes
      ) { id, note in
        switch note {
        case .received(let time):
          if news.times.updateValue(time, forKey: id) == nil { ids.append(id) }
        case .forgotten: hasForgotten = true
        }
        return true
      }
    }
    guard !hasForgotten else { return nil }
    var hasSchema = false
    try HistoryWalk.forEachResult(ids, opened.objects, of: nil) { object, reader throws in
      switch object.kind {
      case .receipt: (reader.receipt(object), nil)
      // A schema changes what all its records say.
      case .schema: nil
      case .node, .blob: (nil, try HistoryLoad.node(object, &reader).0)
      }
    } _: { (result: Result<(Receipt?, HistoryNode?)?, any Error>) throws in
      guard let (receipt, node) = try result.get() else {
        hasSchema = true
        return
      }
      if let receipt { news.receipts.append(receipt) }
      if let node { news.nodes.append(node) }
    }
    guard !hasSchema, news.receipts.count + news.nodes.count == ids.count,
      try movesOn(old, snapshot, news)
    else { return nil }
    return news
  }

  /// Whether the heads have only moved on: each new object, and each head that went, is a head or is followed by a new one.
  private func movesOn(
    _ old: SQLIndexKeys, _ snapshot: borrowing RefsSnapshot, _ news: News
  ) throws -> Bool {
    guard old.entry != snapshot.entry || !news.times.isEmpty else { return true }
    guard let moment = old.moment,
      let changes = try opened.store.refs.changes(since: moment, snapshot),
      changes.receivedBytes == old.received
    else { return false }
    var reached = Set(changes.added.lazy.filter(\.name.isOfOwnHistory).map(\.id))
    for node in news.nodes { reached.formUnion(node.parents) }
    for receipt in news.receipts { if let parent = receipt.parent { reached.insert(parent) } }
    return news.times.keys.allSatisfy { reached.contains($0) }
      && changes.removed.allSatisfy { !$0.name.isOfOwnHistory || reached.contains($0.id) }
  }

  // MARK: Asking the index

  /// The answers to a question about some names.
  ///
  /// - Parameters:
  ///   - names: CIDs, which need no escapes.
  ///   - question: a statement that begins with SELECT, with a `?` for the names.
  /// - Returns: the columns of each row, all of them texts.
  /// - Throws: what the program answers.
  private func ask(_ names: some Sequence<String>, _ question: String) throws -> [[String]] {
    var rows: [[String]] = []
    let names = names.sorted()
    let parts = question.split(separator: "?")
    for start in stride(from: 0, to: names.count, by: Self.namesCount) {
      let list = names[start..<min(start + Self.namesCount, names.count)].map { "'\($0)'" }
        .joined(separator: ",")
      try program.ask { json in
        json.add("sql", parts.joined(separator: list))
      } _: { line throws in
        let document = try JSONDocument(line, integers: .any)
        guard let row = document.root["row"] else { return }
        var texts: [String] = []
        for index in row.elementIndices { texts.append(row.value(at: index).string ?? "") }
        rows.append(texts)
      }
    }
    return rows
  }

  // MARK: Planning

  /// What must be known before the change begins.
  struct Plan {
    var news: News
    var found = LocalRows.Found()
    var cards: [Receipt] = []
    /// What the chains come to that are derived again.
    var chains: [ObjectID: ChainView.Chain] = [:]
    /// The first receipts of those of sessions.
    var sessions: Set<ObjectID> = []
    /// When receipts of these chains were received that are not new.
    var times: [ObjectID: Int64] = [:]
    /// The keys under which chains stand in the index.
    var uuids: [ObjectID: [String]] = [:]
    /// The notes that are told again.
    var notes: [LocalRow] = []
    var present = SQLIndexRows.Present([])
  }

  /// Finds out what the news change.
  ///
  /// - Returns: `nil` when the index is better built anew.
  /// - Throws: what reading the store throws, and what the program answers.
  func plan(_ news: News, _ old: SQLIndexKeys) throws -> Plan? {
    var plan = Plan(news: news)
    guard opened.store.config.mayHaveGroups else { return plan }
    let found = try opened.localRows()
    plan.found = found
    guard try takeCards(old, &plan) else { return nil }
    let new = Set(news.receipts.map(\.id))
    for receipt in news.receipts {
      plan.news.roots.insert(receipt.root)
      if let target = receipt.deleted, let root = try root(of: target) {
        plan.news.roots.insert(root)
      }
    }
    for key in news.notes where key.table == .localReceipts {
      if let id = ObjectID(name: Array(key.text.utf8).span), try root(of: id) == id {
        plan.news.roots.insert(id)
      }
    }
    guard plan.news.roots.count <= Self.chainLimit else { return nil }
    try derive(&plan)
    try chooseNotes(new, &plan)
    return plan
  }

  /// The first receipt of the chain of a receipt; `nil` when it is not here, or no receipt.
  private func root(of id: ObjectID) throws -> ObjectID? {
    var reader = NodeReader()
    return try reader.object(id, in: opened.objects).flatMap { reader.receipt($0) }?.root
  }

  /// The cards that count.
  ///
  /// - Returns: `false` when a new one may decide about receipts that are in the index.
  private func takeCards(_ old: SQLIndexKeys, _ plan: inout Plan) throws -> Bool {
    var reader = NodeReader()
    for id in old.cards {
      guard let object = try reader.object(id, in: opened.objects),
        let card = reader.receipt(object), card.card != nil
      else { return false }
      plan.cards.append(card)
    }
    let new = plan.news.receipts.filter { $0.card != nil }
    guard !new.isEmpty else { return true }
    for card in new {
      guard let device = card.device else { continue }
      // Names of devices are anybody's text.
      let name = device.deviceID.replacing("'", with: "''")
      var count = 0
      guard name.utf8.count <= 1_000 else { return false }
      try program.ask { json in
        json.add(
          "sql",
          "SELECT 1 FROM ucr_headers WHERE did = '\(device.did)' AND device_id = '\(name)' LIMIT 1")
      } _: { line throws in
        let document = try JSONDocument(line, integers: .any)
        if document.root["row"] != nil { count += 1 }
      }
      guard count == 0 else { return false }
    }
    plan.cards += new
    return true
  }

  /// Derives chains again: from their heads, and from what deletes them.
  private func derive(_ plan: inout Plan) throws {
    guard !plan.news.roots.isEmpty else { return }
    var snapshot = try opened.snapshot()
    var heads: [ObjectID] = []
    for root in plan.news.roots.sorted() { heads += try snapshot.ids(of: .heads(of: .chain(root))) }
    var members = try HistoryWalk.reach(
      from: heads, opened.objects, of: .receipt,
      parents: { (receipt: Receipt) in receipt.parent.map { [$0] } ?? [] }
    ) { object, reader throws -> Receipt in
      guard let receipt = reader.receipt(object) else {
        throw HistoryFault.invalid(object)
      }
      return receipt
    }
    let known = Set(members.map(\.id))
    let cids = members.map { $0.id.cidText(as: .receipt) }
    let deleting = try ask(
      cids,
      "SELECT cid FROM ucr_headers WHERE receipt_type = 'app.buds.memory.deleted/v1'"
        + " AND json_extract(payload_json, '$.memory_cid') IN (?)")
    var others = Set(plan.news.receipts.filter { $0.deleted != nil }.map(\.id))
    for row in deleting {
      if let id = row.first.flatMap({ ObjectID(name: Array($0.utf8).span) }) { others.insert(id) }
    }
    var reader = NodeReader()
    for id in others.subtracting(known).sorted() {
      if let receipt = try reader.object(id, in: opened.objects).flatMap({ reader.receipt($0) }) {
        members.append(receipt)
      }
    }
    var judging = try GroupJudging(of: .receipt, opened, cards: plan.cards, effects)
    let judged = try judging.judge(members.map(\.id))
    var links: [ChainMember] = []
    for row in judged { if let member = judging.member(row) { links.append(member) } }
    let view = ChainView(links)
    for root in plan.news.roots { plan.chains[root] = view.chains[root] }
    plan.sessions = Set(members.filter { $0.isSession && $0.parent == nil }.map(\.id))
    let roots = plan.news.roots.map { $0.cidText(as: .receipt) }
    for row in try ask(
      roots,
      "SELECT lr.uuid, h.root_cid FROM local_receipts lr JOIN ucr_headers h ON h.cid = lr.header_cid"
        + " WHERE h.root_cid IN (?)")
    where row.count == 2 {
      guard let root = ObjectID(name: Array(row[1].utf8).span) else { continue }
      plan.uuids[root, default: []].append(row[0])
    }
    let asked = Set(plan.chains.values.flatMap { [$0.root, $0.shown] })
      .filter { plan.news.times[$0] == nil }
    for row in try ask(
      asked.map { $0.cidText(as: .receipt) },
      "SELECT cid, format('%d', round(received_at * 1000)) FROM ucr_headers WHERE cid IN (?)")
    where row.count == 2 {
      guard let id = ObjectID(name: Array(row[0].utf8).span) else { continue }
      plan.times[id] = Int64(row[1])
    }
  }

  /// Chooses the notes that are told again: those that came, and those that the news may let in or keep out.
  private func chooseNotes(_ new: Set<ObjectID>, _ plan: inout Plan) throws {
    let rows = plan.found.all
    plan.present = SQLIndexRows.Present(rows)
    let tables = Set(plan.news.notes.map(\.table))
    let cids = Set(new.map { $0.cidText(as: .receipt) })
    var refersAgain: Set<LocalTable> = []
    if tables.contains(.blobs) { refersAgain.formUnion([.blobs, .circles, .receiptBlobs]) }
    if tables.contains(.circles) { refersAgain.insert(.receivedMemories) }
    plan.notes = rows.filter { row in
      row.key.table != .localReceipts
        && (plan.news.notes.contains(row.key) || refersAgain.contains(row.key.table)
          || SQLIndexRows.receipts(of: row).contains(where: cids.contains))
    }
    let named = Set(plan.notes.flatMap { SQLIndexRows.receipts(of: $0) })
    plan.present.receipts = cids.intersection(named)
    for row in try ask(named.subtracting(cids), "SELECT cid FROM ucr_headers WHERE cid IN (?)") {
      if let cid = row.first { plan.present.receipts.insert(cid) }
    }
  }

  // MARK: Telling

  /// Tells what has changed.
  ///
  /// - Parameters:
  ///   - plan: what that is.
  ///   - old: the keys of the index.
  ///   - keys: the keys of the store; receives what is found out.
  /// - Throws: what reading the store throws, and what the program answers.
  func tell(_ plan: Plan, _ old: SQLIndexKeys, _ keys: inout SQLIndexKeys) throws {
    keys.isWhole = old.isWhole
    keys.hasKeyless = old.hasKeyless
    keys.cards = opened.store.config.mayHaveGroups ? Set(plan.cards.map(\.id)).sorted() : []
    keys.open = old.open
    try tell(receiptsOf: plan)
    try tell(nodesOf: plan.news, old, &keys)
  }

  private func tell(receiptsOf plan: Plan) throws {
    let order = TotalOrder.positions(
      of: plan.news.receipts.map { receipt in
        let place = HistoryPlace(receipt)
        return OrderEntry(
          id: receipt.id, parents: place.parents, lamport: place.lamport, wall: place.wall)
      })
    try tell(headers: order.map { plan.news.receipts[$0] }, plan.news.times)
    func time(_ id: ObjectID) -> Int64? { plan.news.times[id] ?? plan.times[id] }
    for root in plan.chains.keys.sorted() {
      guard let chain = plan.chains[root] else { continue }
      try program.send(SQLIndexRows.chain(chain))
      guard plan.sessions.contains(root) else { continue }
      let row = SQLIndexRows.localReceipt(
        of: chain, noted: plan.found.rows[LocalRow.Key(.localReceipts, root.cidText(as: .receipt))],
        received: (first: time(root), shown: time(chain.shown)))
      for uuid in plan.uuids[root] ?? [] where uuid != row?.uuid {
        try program.send(SQLIndexRows.delete("local_receipts", [("uuid", uuid)]))
      }
      if let row { try program.send(row.line) }
    }
    try tell(notes: plan.notes, plan.present, deletes: true)
  }

  private func tell(
    nodesOf news: News, _ old: SQLIndexKeys, _ keys: inout SQLIndexKeys
  ) throws {
    guard !news.nodes.isEmpty else { return }
    let touched = Set(news.nodes.compactMap(\.taskID)).union(old.open)
    var log = NodeHistory(news.nodes, received: news.times)
    if !touched.isEmpty {
      let tips = try HistoryLoad.heads(opened, tasks: touched.sorted())
      let loaded = try HistoryLoad.nodes(from: tips, opened.objects).nodes
      // A node without a task is reached by no head of a task.
      let ids = Set(loaded.map(\.id))
      log = NodeHistory(
        loaded + news.nodes.filter { !ids.contains($0.id) }, received: news.times)
      let cut = Cut(whole: log)
      let wanted = (0..<log.taskCount).filter { touched.contains(log.taskID($0)) }
      let nodes = TaskNodes(log, cut, only: wanted)
      keys.open.removeAll { touched.contains($0) }
      try tell(tasks: nodes.tasks, log, cut, nodes, &keys, deletes: true)
    }
    try tell(nodes: news.nodes.compactMap { log.position(of: $0.id) }.sorted(), log, &keys)
  }
}
