// The end of a commit: everything that it changes goes to the log as one record, if its account may have so much.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

extension CommitRun {
  /// Writes what has changed.
  ///
  /// - Returns: the time of the commit.
  /// - Throws: `RESOURCE_EXHAUSTED` when the account would have more than it may, `UNAVAILABLE` when the store cannot be
  ///   written to.
  func keep() throws(FirestoreError) -> Int64 {
    let time = store.state.withLockedValue { state in
      max(SystemClock.wallMicroseconds(), state.lastMicroseconds + 1)
    }
    var record: [UInt8] = []
    var rows: [(row: DocumentRow, range: Range<Int>)] = []
    var gone: [DocumentKey] = []
    let used = store.state.withLockedValue { $0.table.use(of: caller.name) }
    var use = used
    for key in order {
      guard let entry = pending[key], entry.isChanged else { continue }
      if let row = entry.row, row.account == caller.name, let old = row.use { use -= old }
      guard entry.exists, let fields = entry.fields else {
        if entry.row != nil {
          DocumentRecord.append(deleted: key, to: &record)
          gone.append(key)
        }
        continue
      }
      let names = key.names
      let isNode = names.count == 2 && names[0] == DocumentKey.nodes
      let isTaken = !entry.isReplaced && entry.row?.fate == .taken
      var row = DocumentRow(
        key: key, created: entry.isReplaced ? time : entry.row?.created ?? time, updated: time,
        place: .node, fate: isTaken ? .taken : .untried,
        held: isNode ? try HeldMembers(fields) : .none, account: caller.name)
      var json: [UInt8] = []
      fields.appendJSON(to: &json)
      let range = DocumentRecord.append(row, fields: json, to: &record)
      row.place = .log(offset: range.lowerBound, count: range.count)
      if let new = row.use { use += new }
      rows.append((row, range))
    }
    guard !record.isEmpty else { return time }
    if let exceeded = store.quota.exceeded(used, use), try !isExempt(used, use, rows.map(\.row)) {
      throw exceeded.error(of: caller.name)
    }
    try noteAccess()
    let log = store.state.withLockedValue { $0.log }
    let start: Int
    do throws(DocumentLogError) {
      start = try log.append(record)
    } catch {
      if case .tooLarge = error {
        throw FirestoreError(.invalidArgument, "the documents of the commit are too large together")
      }
      store.say("a commit could not be written: \(error.description)")
      throw FirestoreError(.unavailable, "the store cannot be written to now")
    }
    store.state.withLockedValue { state in
      state.lastMicroseconds = time
      for (row, range) in rows {
        var row = row
        row.place = .log(offset: start + range.lowerBound, count: range.count)
        row.log = log
        state.table.put(row)
      }
      for key in gone { state.table.remove(key) }
    }
    return time
  }

  /// Whether it is only beyond a quota until its nodes are in the history: those that are good by themselves, and whose
  /// parents are there or come along.
  ///
  /// Nobody who is beyond it already is let go on so: what the history does not take after all is one commit at most.
  private func isExempt(
    _ used: DocumentUse, _ use: DocumentUse, _ rows: [DocumentRow]
  ) throws(FirestoreError) -> Bool {
    guard store.quota.exceeded(DocumentUse(), used) == nil else { return false }
    var rest = use
    var come: Set<ObjectID> = []
    for row in rows {
      guard case .node(let id) = row.key, bringing?[row.key] == true, let use = row.use else {
        continue
      }
      let parents = pending[row.key]?.fields?["parents"]?.elements ?? []
      let isWhole = store.state.withLockedValue { state in
        parents.allSatisfy { parent in
          guard let parent = parent.text.flatMap({ ObjectID(text: $0) }) else { return false }
          return come.contains(parent) || state.table[.node(parent)]?.fate == .taken
        }
      }
      guard isWhole else { continue }
      come.insert(id)
      rest -= use
    }
    return store.quota.exceeded(used, rest) == nil
  }

  /// Notes the access lists of nodes of the history that are changed, which only an admin may do: whatever shows nodes
  /// goes by them.
  private func noteAccess() throws(FirestoreError) {
    var rows: [AccessNotes.Row] = []
    for (key, entry) in pending {
      guard case .node(let id) = key, entry.isChanged, entry.row?.fate == .taken, !entry.isReplaced,
        let fields = entry.fields
      else { continue }
      rows.append((id, DocumentStore.accessList(fields)))
    }
    guard !rows.isEmpty else { return }
    do {
      try store.nodes.note(rows, .all)
    } catch {
      store.say("an access list cannot be noted: \(store.nodes.describe(error))")
      throw FirestoreError(.unavailable, "the store cannot be written to now")
    }
  }
}

extension FirestoreCaller {
  /// The author, for the reflog.
  var name: String {
    switch self {
    case .nobody: "nobody"
    case .user(let id, _, _): id.text
    case .admin(let name): name
    }
  }
}
