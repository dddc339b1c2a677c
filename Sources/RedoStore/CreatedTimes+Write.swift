// Adding rows to `created`, and removing rows from it. The file is its own lock: a file that is replaced loses its
// name, so a process that waited for its lock looks again.

package import RedoObject

extension CreatedTimes {
  /// How often the file may be replaced while a process waits for it.
  private static let attemptLimit = 100

  /// The right to change the file, while this is kept.
  package struct Hold: ~Copyable, Sendable {
    private let lock: LockFile
    private let directory: Directory
    private let sync: SyncPolicy

    fileprivate init(
      _ lock: consuming LockFile, _ directory: consuming Directory, _ sync: SyncPolicy
    ) {
      self.lock = lock
      self.directory = directory
      self.sync = sync
    }

    /// Removes rows; the file is replaced in one step.
    ///
    /// - Parameter ids: the nodes; `nil` for the whole file.
    /// - Returns: what was wrong with the file: nothing after that place is kept.
    /// - Throws: what the system calls answered; the file stays as it was then.
    package func remove(_ ids: Set<ObjectID>?) throws(SystemError) -> RefsError? {
      guard let ids else {
        try directory.unlink(CreatedTimes.name)
        return nil
      }
      let file = try directory.openFile(CreatedTimes.name, .read, [.noFollow, .nonBlocking])
      let size = try CreatedTimes.size(of: file)
      var kept: [(id: ObjectID, time: WallTime)] = []
      var (end, count) = (0, 0)
      let damage = CreatedTimes.scan(file, size, &end) { id, time in
        count += 1
        if !ids.contains(id) { kept.append((id, time)) }
      }
      if case .system(let error)? = damage { throw error }
      guard kept.count < count || damage != nil else { return nil }
      try replace(by: kept)
      return damage
    }

    private func replace(by rows: [(id: ObjectID, time: WallTime)]) throws(SystemError) {
      guard !rows.isEmpty else {
        try directory.unlink(CreatedTimes.name)
        return
      }
      var new = try TemporaryFile(in: directory, prefix: "tmp_created_", mode: 0o644)
      try new.file.writeAll(CreatedTimes.firstLine + CreatedTimes.records(rows))
      if sync.isSyncing { try new.file.sync() }
      _ = try new.commit(as: CreatedTimes.name, replacing: .always)
      if sync.isSyncing { try directory.sync() }
    }
  }

  /// Waits for the right to change the file.
  ///
  /// - Parameter options: how long to wait, and what a change waits for.
  /// - Returns: the lock; `nil` when there is no file.
  /// - Throws: `locked` when another process still holds it.
  package func hold(_ options: RefsOptions) throws(RefsError) -> Hold? {
    let status = try RefsError.wrapping { () throws(SystemError) in try directory.status(Self.name)
    }
    guard status?.kind == .regular else { return nil }
    return Hold(try lock(options), directory.share(), options.sync)
  }

  /// Waits for the lock of the file, which is created if it is missing.
  func lock(_ options: RefsOptions) throws(RefsError) -> LockFile {
    for _ in 0..<Self.attemptLimit {
      do throws(SystemError) {
        let lock = try LockFile.acquire(
          in: directory, name: Self.name, timeoutMilliseconds: options.lockTimeoutMilliseconds,
          options: [.create, .noFollow, .nonBlocking])
        guard let lock else { break }
        if try lock.isNamed(in: directory, name: Self.name) { return lock }
      } catch {
        throw .system(error)
      }
    }
    throw .locked(path: joinPath(directory.path, Self.name))
  }
}

/// Adds rows to the times at which remotes first had nodes.
///
/// A class, because everything that reads from a remote adds to the same value.
package final class CreatedWriter {
  /// What is known of the file.
  private struct Known {
    var file: FileStatus
    var endBytes = 0
    var times: [ObjectID: WallTime] = [:]
  }

  private let created: CreatedTimes
  private let options: RefsOptions
  private var known: Known?

  /// Adds rows to the file of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - options: how long to wait for others, and what an addition waits for.
  package init(in directory: borrowing Directory, _ options: RefsOptions) {
    created = CreatedTimes(in: directory)
    self.options = options
  }

  /// Adds those rows that say something new: of nodes that have none, or a later time.
  ///
  /// The file is made with the first row, and what others have added is read once.
  ///
  /// - Parameter rows: nodes, and when a remote first had them.
  /// - Returns: how many were added.
  /// - Throws: `locked`, `corrupt` when the file is damaged, which it stays, or `system`; rows may be missing then.
  @discardableResult
  package func append(_ rows: [(id: ObjectID, time: WallTime)]) throws(RefsError) -> Int {
    guard !rows.isEmpty else { return 0 }
    let lock = try created.lock(options)
    defer { extendLifetime(lock) }
    let file = try RefsError.wrapping { () throws(SystemError) in
      try created.directory.openFile(CreatedTimes.name, .readWrite, [.noFollow, .nonBlocking])
    }
    var state = try readOn(file)
    // Whatever goes wrong from here on, the file is read again the next time.
    known = nil
    var new: [ObjectID: WallTime] = [:]
    for (id, time) in rows where (new[id] ?? state.times[id]).map({ time < $0 }) ?? true {
      new[id] = time
    }
    if !new.isEmpty {
      let sorted = new.sorted { $0.key < $1.key }.map { (id: $0.key, time: $0.value) }
      try RefsError.wrapping { () throws(SystemError) in try write(sorted, file, &state) }
    }
    known = state
    return new.count
  }

  /// Reads what others have added; the lock is held.
  private func readOn(_ file: borrowing File) throws(RefsError) -> Known {
    let status = try RefsError.wrapping { () throws(SystemError) in
      let status = try file.status()
      guard status.kind == .regular else { throw .notRegular(file.path) }
      return status
    }
    var state = Known(file: status)
    // One that was replaced or cut off says something else.
    if let known, known.file.isSameFile(as: status), known.endBytes <= status.size { state = known }
    let damage = CreatedTimes.scan(file, status.size, &state.endBytes) { id, time in
      if state.times[id].map({ time < $0 }) ?? true { state.times[id] = time }
    }
    if let damage { throw damage }
    return state
  }

  private func write(
    _ rows: [(id: ObjectID, time: WallTime)], _ file: borrowing File, _ state: inout Known
  ) throws(SystemError) {
    let isNew = state.endBytes == 0
    let bytes = (isNew ? CreatedTimes.firstLine : []) + CreatedTimes.records(rows)
    // A record without an end was never acknowledged.
    try file.truncate(to: state.endBytes)
    try file.writeAll(bytes.span, at: state.endBytes)
    if options.sync.isSyncing {
      try file.sync()
      if isNew { try created.directory.sync() }
    }
    state.endBytes += bytes.count
    for (id, time) in rows { state.times[id] = time }
  }
}
