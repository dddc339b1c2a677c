// Files of notes beside a store's nodes, on which nothing of the history depends: `created`, `access`. The first line
// names the format; records follow:
//
//   @<payload bytes: 8 hex> <check of the length: 8 hex>     as in the refs' journal
//   the payload, rows of the format
//   32 raw bytes: SHA-256 of the line and the rows
//
// No ref counts their bytes, and a record without an end was never acknowledged. The file is its own lock: one that is
// replaced loses its name, so a process that waited for its lock looks again.

internal import RedoCrypto
package import RedoObject

/// A file of notes.
struct NotesFile: ~Copyable, Sendable {
  /// What tells one such file from another.
  struct Form: Sendable {
    /// The name of the file.
    let name: String
    /// Its first line.
    let firstLine: [UInt8]
    /// The most bytes of rows in one record, so that reading needs no more memory.
    let payloadLimit: Int
    /// Who may use the file.
    var permissions: UInt32 = 0o644
    /// A payload without the rows of some nodes; `nil` when its rows are not those of the format.
    let without: @Sendable (_ payload: [UInt8], _ ids: Set<ObjectID>) -> [UInt8]?
  }

  /// How long a reader that finds damage waits for a writer that may be the cause.
  private static let patienceMilliseconds = 1_000
  /// How often the file may be replaced while a process waits for it.
  private static let attemptLimit = 100
  private static let rowsRule = "a record has rows that say nothing"

  let form: Form
  let directory: Directory
  /// Whether nothing may be written.
  private let isFrozen: Bool

  /// The notes of a store.
  ///
  /// - Parameters:
  ///   - form: which of them.
  ///   - directory: the store's directory, `.redo`.
  ///   - isFrozen: whether nothing may be written.
  init(_ form: Form, in directory: borrowing Directory, isFrozen: Bool = false) {
    self.form = form
    self.directory = directory.share()
    self.isFrozen = isFrozen
  }

  /// What was read.
  struct Reading<Value> {
    /// What the rows have come to.
    var value: Value
    /// The end of the last whole record, 0 when there is no file.
    var endBytes = 0
    /// How many bytes of a record follow that a writer has not ended.
    var tornBytes = 0
    /// What is wrong with the file from there on.
    var damage: RefsError?
  }

  /// Reads the file, as far as it is good.
  ///
  /// - Parameters:
  ///   - empty: what there is without any row.
  ///   - visit: receives each payload; `false` when its rows are not those of the format.
  /// - Returns: what was found; one system call when there is no file.
  func read<Value>(
    from empty: Value, _ visit: (inout Value, [UInt8]) -> Bool
  ) -> Reading<Value> {
    let found = readOnce(empty, visit)
    guard found.damage != nil else { return found }
    // It may have been read while somebody was writing it.
    let lock = try? LockFile.acquire(
      in: directory, name: form.name, mode: .shared,
      timeoutMilliseconds: Self.patienceMilliseconds, options: [.noFollow, .nonBlocking])
    defer { extendLifetime(lock) }
    return readOnce(empty, visit)
  }

  private func readOnce<Value>(
    _ empty: Value, _ visit: (inout Value, [UInt8]) -> Bool
  ) -> Reading<Value> {
    var found = Reading(value: empty)
    do throws(SystemError) {
      guard let file = try open() else { return found }
      let size = try Self.size(of: file)
      found.damage = scan(file, size, &found.endBytes) { visit(&found.value, $0) }
      if found.damage == nil { found.tornBytes = size - found.endBytes }
    } catch {
      found.damage = .system(error)
    }
    return found
  }

  /// Opens the file for reading; `nil` when there is none.
  func open() throws(SystemError) -> File? {
    try directory.openFileIfPresent(form.name, .read, [.noFollow, .nonBlocking])
  }

  /// The size of an open file.
  ///
  /// - Throws: what fstat(2) answered; `notRegular` when it is something else.
  static func size(of file: borrowing File) throws(SystemError) -> Int {
    let status = try file.status()
    guard status.kind == .regular else { throw .notRegular(file.path) }
    return status.size
  }

  /// Visits the payloads of an open file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - size: how much of it is looked at.
  ///   - end: where to go on, the end of a whole record or 0; receives that of the last one.
  ///   - visit: receives each payload; `false` when its rows are not those of the format.
  /// - Returns: what is wrong with the file from the end on.
  func scan(
    _ file: borrowing File, _ size: Int, _ end: inout Int, _ visit: ([UInt8]) -> Bool
  ) -> RefsError? {
    do throws(RecordError) {
      if size < form.firstLine.count, try isTornStart(file, size) { return nil }
      var reader = try RecordReader(
        file, firstLine: form.firstLine, size: size, payloadLimit: form.payloadLimit,
        from: end == 0 ? nil : end)
      end = reader.position
      while let record = try reader.next(in: file) {
        guard visit(record.payload) else { throw .corrupt(offset: end, rule: Self.rowsRule) }
        end = reader.position
      }
      return nil
    } catch {
      switch error {
      case .system(let error): return .system(error)
      case .corrupt(let offset, let rule): return .corrupt(file.path, at: offset, rule)
      }
    }
  }

  /// Whether a file has only the beginning of its first line.
  private func isTornStart(
    _ file: borrowing File, _ size: Int
  ) throws(RecordError) -> Bool {
    let bytes = try RecordReader.read(file, size, at: 0)
    return bytes.elementsEqual(form.firstLine.prefix(size)) || bytes.allSatisfy { $0 == 0 }
  }

  // MARK: Changing it

  /// Waits for the right to change the file.
  ///
  /// - Parameter options: how long to wait, and what a change waits for.
  /// - Returns: the right; `nil` when there is no file.
  /// - Throws: `locked` when another process still holds it.
  func hold(_ options: RefsOptions) throws(RefsError) -> NotesHold? {
    let status = try RefsError.wrapping { () throws(SystemError) in
      try directory.status(form.name)
    }
    guard status?.kind == .regular else { return nil }
    return NotesHold(try lock(options), NotesFile(form, in: directory), options.sync)
  }

  /// Waits for the lock of the file, which is created if it is missing.
  private func lock(_ options: RefsOptions) throws(RefsError) -> LockFile {
    guard !isFrozen else { throw .system(.hookRuns(directory.path)) }
    for _ in 0..<Self.attemptLimit {
      do throws(SystemError) {
        let lock = try LockFile.acquire(
          in: directory, name: form.name, timeoutMilliseconds: options.lockTimeoutMilliseconds,
          permissions: form.permissions, options: [.create, .noFollow, .nonBlocking])
        guard let lock else { break }
        if try lock.isNamed(in: directory, name: form.name) { return lock }
      } catch {
        throw .system(error)
      }
    }
    throw .locked(path: joinPath(directory.path, form.name))
  }

  // MARK: Adding to it

  /// What a writer knows of the file.
  struct Known<Value> {
    fileprivate var file: FileStatus
    /// The end of the last whole record.
    var endBytes = 0
    /// What the rows have come to.
    var value: Value
  }

  /// Adds records; the file is made with the first, and what others have added is read once.
  ///
  /// - Parameters:
  ///   - known: what is known of it from before, and then.
  ///   - empty: what there is without any row.
  ///   - options: how long to wait for others, and what an addition waits for.
  ///   - visit: receives each payload that others have added.
  ///   - make: makes the payloads to add of what there is.
  /// - Throws: `locked`, `corrupt` when the file is damaged, which it stays, or `system`; rows may be missing then.
  func append<Value>(
    _ known: inout Known<Value>?, from empty: Value, _ options: RefsOptions,
    _ visit: (inout Value, [UInt8]) -> Bool, _ make: (Value) -> [[UInt8]]
  ) throws(RefsError) {
    let lock = try lock(options)
    defer { extendLifetime(lock) }
    let file = try RefsError.wrapping { () throws(SystemError) in
      try directory.openFile(form.name, .readWrite, [.noFollow, .nonBlocking])
    }
    var state = try readOn(file, known, empty, visit)
    // Whatever goes wrong from here on, the file is read again the next time.
    known = nil
    let payloads = make(state.value)
    if !payloads.isEmpty {
      try RefsError.wrapping { () throws(SystemError) in
        try write(payloads, file, &state.endBytes, options.sync)
      }
      for payload in payloads { _ = visit(&state.value, payload) }
    }
    known = state
  }

  /// Reads what others have added; the lock is held.
  private func readOn<Value>(
    _ file: borrowing File, _ known: Known<Value>?, _ empty: Value,
    _ visit: (inout Value, [UInt8]) -> Bool
  ) throws(RefsError) -> Known<Value> {
    let status = try RefsError.wrapping { () throws(SystemError) in
      let status = try file.status()
      guard status.kind == .regular else { throw .notRegular(file.path) }
      return status
    }
    var state = Known(file: status, value: empty)
    // One that was replaced or cut off says something else.
    if let known, known.file.isSameFile(as: status), known.endBytes <= status.size { state = known }
    let damage = scan(file, status.size, &state.endBytes) { visit(&state.value, $0) }
    if let damage { throw damage }
    return state
  }

  private func write(
    _ payloads: [[UInt8]], _ file: borrowing File, _ end: inout Int, _ sync: SyncPolicy
  ) throws(SystemError) {
    let isNew = end == 0
    var bytes = isNew ? form.firstLine : []
    for payload in payloads { bytes += RecordReader.record(payload) }
    // A record without an end was never acknowledged.
    try file.truncate(to: end)
    try file.writeAll(bytes.span, at: end)
    if sync.isSyncing {
      try file.sync()
      if isNew { try directory.sync() }
    }
    end += bytes.count
  }
}

/// The right to change a file of notes, while this is kept.
package struct NotesHold: ~Copyable, Sendable {
  private let lock: LockFile
  private let notes: NotesFile
  private let sync: SyncPolicy

  fileprivate init(_ lock: consuming LockFile, _ notes: consuming NotesFile, _ sync: SyncPolicy) {
    self.lock = lock
    self.notes = notes
    self.sync = sync
  }

  /// Removes rows; the file is replaced in one step.
  ///
  /// - Parameter ids: the nodes; `nil` for the whole file.
  /// - Returns: what was wrong with the file: nothing after that place is kept.
  /// - Throws: what the system calls answered; the file stays as it was then.
  package func remove(_ ids: Set<ObjectID>?) throws(SystemError) -> RefsError? {
    guard let ids else {
      try notes.directory.unlink(notes.form.name)
      return nil
    }
    guard let file = try notes.open() else { return nil }
    let size = try NotesFile.size(of: file)
    var kept: [[UInt8]] = []
    var (end, isSame) = (0, true)
    let damage = notes.scan(file, size, &end) { payload in
      guard let rest = notes.form.without(payload, ids) else { return false }
      isSame = isSame && rest.count == payload.count
      if !rest.isEmpty { kept.append(rest) }
      return true
    }
    if case .system(let error)? = damage { throw error }
    guard !isSame || damage != nil else { return nil }
    try replace(by: kept)
    return damage
  }

  /// Replaces the file by one of some payloads, in one step.
  ///
  /// - Throws: what the system calls answered; the file stays as it was then.
  func replace(by payloads: [[UInt8]]) throws(SystemError) {
    let name = notes.form.name
    guard !payloads.isEmpty else {
      try notes.directory.unlink(name)
      return
    }
    var new = try TemporaryFile(
      in: notes.directory, prefix: "tmp_\(name)_", mode: notes.form.permissions)
    try new.file.writeAll(notes.form.firstLine)
    for payload in payloads { try new.file.writeAll(RecordReader.record(payload)) }
    if sync.isSyncing { try new.file.sync() }
    _ = try new.commit(as: name, replacing: .always)
    if sync.isSyncing { try notes.directory.sync() }
  }
}
