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
  struct Pending {
    /// The current row; `nil` when the document does not exist.
    var row: DocumentRow?
    /// Its fields as they will be, loaded when they are needed.
    var fields: FirestoreFields?
    var exists: Bool
    /// Whether there is nothing to show of it although its place is taken: a node of the history that cannot be read.
    var isUnshown = false
    /// Whether this commit makes it.
    var isMade = false
    /// Whether it takes the place of one that is not the node of its name.
    var isReplaced = false
    var isChanged = false

    /// Whether it is in the history, where only its access list can be changed.
    var isOfHistory: Bool { isUnshown || row?.fate == .taken }
  }

  let store: DocumentStore
  let caller: FirestoreCaller
  private let database: DatabaseName
  /// When the request came, with milliseconds.
  private let requestTime: FirestoreTimestamp
  private(set) var pending: [DocumentKey: Pending] = [:]
  private(set) var order: [DocumentKey] = []
  /// Of which documents it is known whether they are brought.
  private(set) var bringing: [DocumentKey: Bool]?
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
    let bringing = try bringing(writes, store, caller, database)
    let outcome = store.writing.withLock {
      () -> Result<(FirestoreCommitAnswer, [DocumentKey]), FirestoreError> in
      var run = CommitRun(store, caller, database)
      run.bringing = bringing
      do throws(FirestoreError) {
        try store.check(readings, caller)
        return .success(try run.commit(writes))
      } catch {
        return .failure(error)
      }
    }
    let (response, posted) = try outcome.get()
    store.admit(posted, from: caller.name, caller.isAdmin ? .all : .none)
    store.rewriteIfWasteful()
    return response
  }

  /// Which writes bring the node of a place where something else is, or where it may be beyond a quota: found out while
  /// others write, because many readings of a document may have to be tried.
  private static func bringing(
    _ writes: [FirestoreWrite], _ store: DocumentStore, _ caller: FirestoreCaller,
    _ database: DatabaseName
  ) throws(FirestoreError) -> [DocumentKey: Bool]? {
    let used = store.state.withLockedValue { $0.table.use(of: caller.name) }
    var most = used
    most += DocumentUse(documents: writes.count, bytes: 2 * FirestoreService.requestLimit)
    let mayExceed = store.quota.exceeded(used, most) != nil
    var found: [DocumentKey: Bool] = [:]
    for write in writes where write.mayBringNode {
      guard case .update(let document) = write.operation,
        let name = DocumentName(text: write.documentName), name.database == database,
        case .node(let id) = DocumentKey(name)
      else { continue }
      let key = DocumentKey(name)
      // The second write of a document in a commit finds what the first has made.
      guard found[key] == nil else { continue }
      let (row, isUnshown) = store.state.withLockedValue { state in
        (state.table[key], state.unshown.contains(id))
      }
      if row != nil || isUnshown {
        guard try store.givesWay(row, isUnshown: isUnshown) else { continue }
      } else {
        guard mayExceed else { continue }
      }
      found[key] = try store.isNode(key, document.fields)
    }
    return found.isEmpty ? nil : found
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
      return entry.isChanged && entry.exists && (entry.isReplaced || entry.row?.fate != .taken)
    }
    return (
      FirestoreCommitAnswer(updated, commitTime: FirestoreTimestamp(microseconds: time)), posted
    )
  }

  // MARK: What documents become

  private mutating func state(of key: DocumentKey) -> Pending {
    if let known = pending[key] { return known }
    let (row, isUnshown) = store.state.withLockedValue { state in
      guard case .node(let id) = key else { return (state.table[key], false) }
      return (state.table[key], state.unshown.contains(id))
    }
    order.append(key)
    return Pending(row: row, exists: row != nil || isUnshown, isUnshown: isUnshown && row == nil)
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
    try giveWay(&entry, key, given, write)
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
    } else if entry.isOfHistory, !entry.isReplaced, try !store.isNode(key, new) {
      failure =
        failure
        ?? FirestoreError(
          .failedPrecondition,
          "'\(key.text)' is a node of the store's history, and not what these fields say")
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
    if case .node = key, entry.isOfHistory {
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

  /// Whoever brings the node itself finds the place free where something else was put under its name, or where it lies and
  /// cannot be read.
  private func giveWay(
    _ entry: inout Pending, _ key: DocumentKey, _ given: FirestoreFields, _ write: FirestoreWrite
  ) throws(FirestoreError) {
    guard entry.exists, !entry.isMade, write.mayBringNode,
      try store.givesWay(entry.row, isUnshown: entry.isUnshown)
    else { return }
    let isBrought = if let known = bringing?[key] { known } else { try store.isNode(key, given) }
    guard isBrought else { return }
    entry.exists = false
    entry.isReplaced = true
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
}
