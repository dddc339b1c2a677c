// One commit: all of its writes, or none. First it determines what the documents would become; then it applies the
// rules, then the preconditions; then everything goes to the log as one record.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoRepository
internal import RedoObject
internal import RedoStore

/// Works a commit out.
struct CommitRun {
  /// What a document becomes.
  private struct Pending {
    /// The current row; `nil` when the document does not exist.
    var row: DocumentRow?
    /// Its fields as they will be, loaded when they are needed.
    var fields: FirestoreFields?
    var exists: Bool
    /// Whether this commit makes it.
    var isMade = false
    var isChanged = false
  }

  private let store: DocumentStore
  private let caller: FirestoreCaller
  private let database: DatabaseName
  /// When the request came, with milliseconds.
  private let requestTime: FirestoreTimestamp
  private var pending: [DocumentKey: Pending] = [:]
  private var order: [DocumentKey] = []
  private var isDenied = false
  private var failure: FirestoreError?

  /// - Parameters:
  ///   - store: the documents.
  ///   - caller: the account that writes.
  ///   - database: the database whose documents may be named.
  init(_ store: DocumentStore, _ caller: FirestoreCaller, _ database: DatabaseName) {
    self.store = store
    self.caller = caller
    self.database = database
    requestTime = FirestoreTimestamp(
      microseconds: SystemClock.wallMilliseconds() * 1000)
  }

  /// Writes.
  ///
  /// - Parameters:
  ///   - writes: the writes.
  ///   - store: the documents.
  ///   - caller: the account that writes.
  ///   - database: the database whose documents may be named.
  ///   - transaction: the transaction that ends with this; nothing is written when what it has read has changed.
  /// - Returns: the answer.
  /// - Throws: why nothing was written.
  static func run(
    _ writes: [FirestoreWrite], _ store: DocumentStore, _ caller: FirestoreCaller,
    _ database: DatabaseName, in transaction: [UInt8]? = nil
  ) throws(FirestoreError) -> FirestoreCommitAnswer {
    guard writes.count <= CommitLimit.writes else {
      throw FirestoreError(
        .invalidArgument, "maximum \(CommitLimit.writes) writes allowed per request")
    }
    var readings: [Transactions.Reading] = []
    if let transaction {
      readings = try store.transactions.end(transaction, caller, writes: !writes.isEmpty)
    }
    guard !writes.isEmpty || !readings.isEmpty else {
      return FirestoreCommitAnswer([], commitTime: nil)
    }
    let outcome = store.writing.withLock {
      () -> Result<(FirestoreCommitAnswer, [DocumentKey]), FirestoreError> in
      var run = CommitRun(store, caller, database)
      do throws(FirestoreError) {
        try store.check(readings, caller)
        return .success(try run.commit(writes))
      } catch {
        return .failure(error)
      }
    }
    let (response, posted) = try outcome.get()
    store.admit(posted, from: caller.name, caller.isAdmin ? .all : .none)
    return response
  }

  private mutating func commit(
    _ writes: [FirestoreWrite]
  ) throws(FirestoreError) -> (FirestoreCommitAnswer, [DocumentKey]) {
    var results: [(key: DocumentKey, transforms: [FirestoreValue], isDeletion: Bool)] = []
    for write in writes {
      guard let name = DocumentName(text: write.documentName), name.database == database else {
        throw FirestoreError(
          .invalidArgument, "'\(write.documentName)' is no document of '\(database.text)'")
      }
      let key = DocumentKey(name)
      switch write.operation {
      case .update(let document):
        results.append((key, try update(key, document.fields, write), false))
      case .delete:
        try delete(key, write.precondition)
        results.append((key, [], true))
      }
    }
    if isDenied { throw FirestoreRules.refusal }
    if let failure { throw failure }
    let time = try keep()
    let updated = results.map { result in
      let row = store.state.withLockedValue { $0.table[result.key] }
      return FirestoreCommitAnswer.Result(
        updateTime: result.isDeletion
          ? nil : row.map { FirestoreTimestamp(microseconds: $0.updated) },
        transformResults: result.transforms)
    }
    let posted = order.filter { key in
      guard case .node = key, let entry = pending[key] else { return false }
      return entry.isChanged && entry.exists && entry.row?.fate != .taken
    }
    return (
      FirestoreCommitAnswer(updated, commitTime: FirestoreTimestamp(microseconds: time)), posted
    )
  }

  // MARK: What documents become

  private mutating func state(of key: DocumentKey) -> Pending {
    if let known = pending[key] { return known }
    let row = store.state.withLockedValue { $0.table[key] }
    order.append(key)
    return Pending(row: row, exists: row != nil)
  }

  private func fields(_ entry: Pending) throws(FirestoreError) -> FirestoreFields {
    if let fields = entry.fields { return fields }
    guard let row = entry.row, entry.exists else { return FirestoreFields() }
    return try store.fields(of: row)
  }

  private mutating func update(
    _ key: DocumentKey, _ given: FirestoreFields, _ write: FirestoreWrite
  ) throws(FirestoreError) -> [FirestoreValue] {
    var entry = state(of: key)
    let isCreation = try check(write.precondition, entry, key)
    do throws(FirestoreLimitFault) { try given.checkLimits() } catch {
      throw FirestoreError(.invalidArgument, "\(error.limit.message) at '\(error.place)'")
    }
    // The result that a refused write would have had is not looked at.
    let old = isCreation ? FirestoreFields() : try fields(entry)
    var new = given
    if let mask = write.updateMask {
      new = old
      for path in mask {
        guard !path.isDocumentName else {
          throw FirestoreError(.invalidArgument, "'__name__' cannot be set")
        }
        new.set(given[path], at: path)
      }
    }
    var computed: [FirestoreValue] = []
    for transform in write.transforms { computed.append(try apply(transform, to: &new)) }
    try checkSize(key, new)
    if isCreation {
      if !FirestoreRules.allowsCreate(caller, key, new) { isDenied = true }
    } else if !FirestoreRules.allowsChange(caller, key) {
      isDenied = true
    }
    entry.isChanged = entry.isChanged || !entry.exists || new != old
    if !entry.exists { entry.isMade = true }
    entry.exists = true
    entry.fields = new
    pending[key] = entry
    return computed
  }

  private mutating func delete(
    _ key: DocumentKey, _ precondition: FirestoreWrite.Precondition?
  ) throws(FirestoreError) {
    var entry = state(of: key)
    _ = try check(precondition, entry, key)
    if !FirestoreRules.allowsChange(caller, key) { isDenied = true }
    if case .node = key, let row = entry.row, row.fate == .taken {
      failure =
        failure
        ?? FirestoreError(
          .failedPrecondition,
          "'\(key.text)' is a node of the store's history, which 'redo wipe' alone takes away")
    }
    entry.isChanged = entry.isChanged || entry.exists
    entry.exists = false
    entry.fields = nil
    pending[key] = entry
  }

  /// Checks the precondition.
  ///
  /// - Returns: whether the rules are to be asked about a new document.
  private mutating func check(
    _ precondition: FirestoreWrite.Precondition?, _ entry: Pending, _ key: DocumentKey
  ) throws(FirestoreError) -> Bool {
    var failed: FirestoreError?
    switch precondition {
    case .exists(false):
      if entry.exists, entry.isMade {
        throw FirestoreError(.invalidArgument, "'\(key.text)' is created twice in one commit")
      }
      if entry.exists {
        failed = FirestoreError(.alreadyExists, "document already exists: \(key.text)")
      }
    case .exists(true), .updateTime:
      if !entry.exists {
        failed = FirestoreError(.notFound, "no document to update: \(key.text)")
      } else if case .updateTime(let time) = precondition, let row = entry.row,
        FirestoreTimestamp(microseconds: row.updated) != time
      {
        failed = FirestoreError(
          .failedPrecondition, "'\(key.text)' was changed after the time that is required")
      }
    case nil: break
    }
    failure = failure ?? failed
    return precondition == .exists(false) || precondition == nil && !entry.exists
  }

  private func checkSize(_ key: DocumentKey, _ fields: FirestoreFields) throws(FirestoreError) {
    let name = "\(database.documents)/\(key.text)"
    let size = FirestoreDocument(name: name, fields: fields).sizeBytes
    guard size <= FirestoreDocument.byteLimit else {
      throw FirestoreError(
        .invalidArgument,
        "'\(key.text)' has \(size) bytes, more than \(FirestoreDocument.byteLimit)")
    }
    do throws(FirestoreLimitFault) { try fields.checkLimits() } catch {
      throw FirestoreError(.invalidArgument, "\(error.limit.message) at '\(error.place)'")
    }
  }

  private func apply(
    _ transform: FirestoreWrite.Transform, to fields: inout FirestoreFields
  ) throws(FirestoreError) -> FirestoreValue {
    func elements() -> [FirestoreValue] { fields[transform.field]?.elements ?? [] }
    switch transform.kind {
    case .requestTime:
      fields.set(.timestamp(requestTime), at: transform.field)
      return .timestamp(requestTime)
    case .appendMissing(let values):
      var all = elements()
      var seen = Set(all.map(OrderedValue.bytes))
      for value in values where seen.insert(OrderedValue.bytes(value)).inserted {
        all.append(value)
      }
      fields.set(.array(all), at: transform.field)
      return .null
    case .removeAll(let values):
      let gone = Set(values.map(OrderedValue.bytes))
      let rest = elements().filter { !gone.contains(OrderedValue.bytes($0)) }
      fields.set(.array(rest), at: transform.field)
      return .null
    case .increment(let given):
      return put(FirestoreNumber.sum(fields[transform.field], given), at: transform.field, &fields)
    case .maximum(let given):
      return put(
        FirestoreNumber.extreme(fields[transform.field], given, isLargest: true),
        at: transform.field, &fields)
    case .minimum(let given):
      return put(
        FirestoreNumber.extreme(fields[transform.field], given, isLargest: false),
        at: transform.field, &fields)
    }
  }

  private func put(
    _ value: FirestoreValue, at path: FieldPath, _ fields: inout FirestoreFields
  ) -> FirestoreValue {
    fields.set(value, at: path)
    return value
  }

  // MARK: The log

  /// Writes what has changed.
  ///
  /// - Returns: the time of the commit.
  private func keep() throws(FirestoreError) -> Int64 {
    let time = store.state.withLockedValue { state in
      max(SystemClock.wallMicroseconds(), state.lastMicroseconds + 1)
    }
    var record: [UInt8] = []
    var rows: [(row: DocumentRow, range: Range<Int>)] = []
    var gone: [DocumentKey] = []
    for key in order {
      guard let entry = pending[key], entry.isChanged else { continue }
      guard entry.exists, let fields = entry.fields else {
        if entry.row != nil {
          DocumentRecord.append(deleted: key, to: &record)
          gone.append(key)
        }
        continue
      }
      let names = key.names
      let isNode = names.count == 2 && names[0] == DocumentKey.nodes
      let row = DocumentRow(
        key: key, created: entry.row?.created ?? time, updated: time, place: .node,
        fate: entry.row?.fate ?? .untried, held: isNode ? try HeldMembers(fields) : .none)
      var json: [UInt8] = []
      fields.appendJSON(to: &json)
      rows.append((row, DocumentRecord.append(row, fields: json, to: &record)))
    }
    guard !record.isEmpty else { return time }
    try noteAccess()
    let start: Int
    do throws(DocumentLogError) {
      start = try store.state.withLockedValue { $0.log }.append(record)
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
        state.table.put(row)
      }
      for key in gone { state.table.remove(key) }
    }
    return time
  }
}

extension CommitRun {
  /// Notes the access lists of nodes of the history that are changed, which only an admin may do: whatever shows nodes
  /// goes by them.
  private func noteAccess() throws(FirestoreError) {
    var rows: [AccessNotes.Row] = []
    for (key, entry) in pending {
      guard case .node(let id) = key, entry.isChanged, entry.row?.fate == .taken,
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
