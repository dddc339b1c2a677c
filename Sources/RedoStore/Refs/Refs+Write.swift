// What every writer of refs does first: take the lock, look at what the last one left, and repair
// what a crash may leave.

internal import RedoCrypto

/// How refs are written.
package struct RefsOptions: Sendable {
  /// What to sync before a change is acknowledged.
  package var sync: SyncPolicy
  /// How long to wait for another writer, in milliseconds; 0 tries once.
  package var lockTimeoutMilliseconds: Int
  /// The journal is folded when it is longer than this many bytes, and than a 512th of `refs`.
  package var foldBytes: Int

  /// Options; each has its usual value.
  package init(
    sync: SyncPolicy = .batch, lockTimeoutMilliseconds: Int = 10_000, foldBytes: Int = 65_536
  ) {
    self.sync = sync
    self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    self.foldBytes = foldBytes
  }
}

extension SyncPolicy {
  /// Whether the files of refs are synced; they are few, so that `batch` is the same as `full`.
  var isSyncing: Bool { self != .none }
}

extension Refs {
  /// Takes the lock that keeps other processes from writing refs.
  ///
  /// - Throws: `locked` when another process holds it for too long.
  func acquireLock(_ options: RefsOptions) throws(RefsError) -> LockFile {
    try checkWritable()
    let lock = try RefsError.wrapping { () throws(SystemError) in
      try LockFile.acquire(
        in: directory, name: Name.lock, part: .byte(0),
        timeoutMilliseconds: options.lockTimeoutMilliseconds)
    }
    guard let lock else { throw .locked(path: joinPath(directory.path, Name.lock)) }
    return lock
  }

  /// Runs some work while no other process writes refs.
  ///
  /// - Parameters:
  ///   - options: how long to wait.
  ///   - body: the work.
  /// - Returns: what the work gave.
  /// - Throws: `locked` when another process holds the lock for too long; what the work threw.
  func withLock<Value: ~Copyable>(
    _ options: RefsOptions, _ body: () throws(RefsError) -> Value
  ) throws(RefsError) -> Value {
    let lock = try acquireLock(options)
    defer { extendLifetime(lock) }
    return try body()
  }

  /// A hold on the objects of the store, until it goes out of scope.
  ///
  /// It is shared while objects are written and then taken into the history, so that what was found in the
  /// store is still there when refs begin to name it; removing objects requires it exclusively. It is taken
  /// before the lock of refs, never after.
  ///
  /// - Parameters:
  ///   - mode: `shared` to write, `alone` to remove.
  ///   - options: how long to wait.
  /// - Returns: the hold.
  /// - Throws: `locked` when it cannot be had for too long.
  package func holdObjects(
    _ mode: LockFile.Mode, _ options: RefsOptions
  ) throws(RefsError) -> LockFile {
    try checkWritable()
    let lock = try RefsError.wrapping { () throws(SystemError) in
      try LockFile.acquire(
        in: directory, name: Name.lock, part: .byte(1), mode: mode,
        timeoutMilliseconds: options.lockTimeoutMilliseconds)
    }
    guard let lock else { throw .locked(path: joinPath(directory.path, Name.lock)) }
    return lock
  }

  /// Opens the refs to change them; the lock is held.
  ///
  /// - Parameters:
  ///   - options: what to wait for.
  ///   - warnings: receives what had to be repaired.
  /// - Returns: a view whose journal is current and whole.
  /// - Throws: `writeRefusedWhileCorrupt` when the journal is corrupt, `behind`, else as `snapshot`.
  func openToWrite(
    _ options: RefsOptions, _ warnings: inout [RefWarning]
  ) throws(RefsError) -> RefsSnapshot {
    let snapshot: RefsSnapshot
    do throws(RefsError) {
      snapshot = try openLocked()
    } catch {
      guard case .corrupt(let corruption) = error, corruption.file == journalPath,
        let saved = try saveJournal(from: corruption.offset, options)
      else { throw error }
      throw .writeRefusedWhileCorrupt(corruption, savedTo: saved)
    }
    if snapshot.isJournalStale {
      // A crash between the last two steps of folding: this is the last one.
      try replaceJournal(generation: snapshot.generation, chain: snapshot.chain, options)
      return try openLocked()
    }
    if snapshot.tornBytes > 0 {
      try cutJournal(to: snapshot.journal.end, options)
      warnings.append(.tornRecord(file: journalPath, bytes: snapshot.tornBytes))
    }
    return snapshot
  }

  /// As `snapshot`, when no other process can be replacing the files.
  func openLocked() throws(RefsError) -> RefsSnapshot {
    let witness = try witness()
    guard let snapshot = try open() else {
      throw .corrupt(journalPath, at: 0, "the journal belongs to a later refs file")
    }
    if let doubt = try doubt(of: snapshot, witness) { throw doubt }
    return snapshot
  }

  /// Keeps the journal's bytes from a place on, under a name made from their hash.
  ///
  /// - Returns: the path below the store's directory, or `nil` when there is no journal.
  private func saveJournal(
    from offset: Int, _ options: RefsOptions
  ) throws(RefsError) -> String? {
    try RefsError.wrapping { () throws(SystemError) in
      guard let bytes = try directory.readFile(Name.journal, isFollowing: false) else {
        return nil
      }
      let kept = Array(bytes[min(offset, bytes.count)...])
      let name = "journal-" + Hex.text(SHA256.digest(of: kept.span).bytes.span).prefix(16)
      try directory.makeDirectory(Layout.lostFound)
      let lostFound = try directory.openSubdirectory(Layout.lostFound)
      var temporary = try TemporaryFile(in: lostFound, prefix: "tmp_", mode: 0o444)
      try temporary.file.writeAll(kept)
      if options.sync.isSyncing { try temporary.file.sync() }
      _ = try temporary.commit(as: name, replacing: .never)
      if options.sync.isSyncing { try lostFound.sync() }
      return joinPath(Layout.lostFound, name)
    }
  }

  /// Cuts the journal off.
  private func cutJournal(to size: Int, _ options: RefsOptions) throws(RefsError) {
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Name.journal, .readWrite, [.noFollow])
      try file.truncate(to: size)
      if options.sync.isSyncing { try file.sync() }
    }
  }

  /// Puts an empty journal in the place of the old one.
  func replaceJournal(
    generation: Int, chain: Digest, _ options: RefsOptions
  ) throws(RefsError) {
    try RefsError.wrapping { () throws(SystemError) in
      var temporary = try TemporaryFile(in: directory, prefix: Name.temporary, mode: 0o644)
      try temporary.file.writeAll(RefsJournal.header(generation: generation, chain: chain))
      if options.sync.isSyncing { try temporary.file.sync() }
      _ = try temporary.commit(as: Name.journal, replacing: .always)
      if options.sync.isSyncing { try directory.sync() }
    }
  }
}
