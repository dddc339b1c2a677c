// Folding: the journal's records go to the end of `reflog`, and its changes into a new `refs` of
// the next generation. A crash between any two steps leaves what reads as before:
//
//   1. `reflog` is longer than the refs say: the rest does not count.
//   2. `refs` is new, the journal is of the generation before: it does not count.
//   3. the journal is new: done.

internal import RedoCrypto

extension Refs {
  /// Writes `refs` anew, with the changes of the journal in it.
  ///
  /// - Parameter options: how.
  /// - Returns: whether there was anything to do.
  /// - Throws: as `commit`.
  package func fold(_ options: RefsOptions) throws(RefsError) -> Bool {
    try withLock(options) { () throws(RefsError) in
      var warnings: [RefWarning] = []
      var snapshot = try openToWrite(options, &warnings)
      guard snapshot.journalCount > 0 else { return false }
      try fold(&snapshot, options)
      return true
    }
  }

  /// Folds; the lock is held, and the view is the newest.
  ///
  /// - Parameters:
  ///   - snapshot: the view.
  ///   - receivedBytes: the bytes of the received log that count from then on, if it was rewritten.
  ///   - options: how.
  /// - Throws: as `commit`; everything reads as before then.
  func fold(
    _ snapshot: inout RefsSnapshot, receivedBytes: Int? = nil, _ options: RefsOptions
  ) throws(RefsError) {
    guard snapshot.generation < LineScanner.largestNumber else { throw .tooLarge(file: refsPath) }
    try removeLeftovers()
    try appendToReflog(snapshot, options)
    try rewrite(&snapshot, receivedBytes ?? snapshot.receivedBytes, options)
    try replaceJournal(
      generation: snapshot.generation + 1, chain: snapshot.chain, options)
  }

  /// Step 1.
  private func appendToReflog(
    _ snapshot: borrowing RefsSnapshot, _ options: RefsOptions
  ) throws(RefsError) {
    let path = joinPath(directory.path, Name.reflog)
    let committed = snapshot.reflogBytes
    let records = snapshot.journal.records
    var size = 0
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Name.reflog, .readWrite, [.noFollow])
      size = try file.status().size
      guard size >= committed else { return }
      if size > committed { try file.truncate(to: committed) }
      try file.writeAll(records.span, at: committed)
      if options.sync.isSyncing { try file.sync() }
    }
    guard size >= committed else {
      throw .corrupt(path, at: size, "the file is shorter than the refs say")
    }
  }

  /// Step 2.
  private func rewrite(
    _ snapshot: inout RefsSnapshot, _ receivedBytes: Int, _ options: RefsOptions
  ) throws(RefsError) {
    let header = RefsHeader(
      generation: snapshot.generation + 1, fileBytes: 0, refCount: 0, entry: snapshot.entry,
      chain: snapshot.chain, reflogBytes: snapshot.reflogBytes + snapshot.journal.records.count,
      receivedBytes: receivedBytes)
    var writer = try RefsError.wrapping { () throws(SystemError) in
      try RefsWriter(in: directory, header: header)
    }
    try snapshot.forEach { (ref) throws(RefsError) in
      do throws(SystemError) { try writer.add(ref) } catch { throw .system(error) }
      return true
    }
    do throws(SystemError) {
      _ = try writer.finish(options.sync)
      if options.sync.isSyncing { try directory.sync() }
    } catch {
      throw .system(error)
    }
  }

  /// Removes temporary files that a crash has left; with the lock held, none is in use.
  private func removeLeftovers() throws(RefsError) {
    try RefsError.wrapping { () throws(SystemError) in
      for name in try directory.list() where name.hasPrefix(Name.temporary) {
        try directory.unlink(name)
      }
    }
  }

  /// Makes the files of a new store, those that are missing; the lock is held.
  ///
  /// - Parameter options: what to wait for.
  /// - Throws: when one cannot be made.
  func createFiles(_ options: RefsOptions) throws(SystemError) {
    for (name, line) in [(Name.reflog, Reflog.firstLine), (Name.received, Received.firstLine)]
    where try directory.status(name) == nil {
      try directory.writeFile(name, Array("\(line)".utf8), options.sync)
    }
    if try directory.status(Name.journal) == nil {
      let line = RefsJournal.header(generation: 1, chain: .zero)
      try directory.writeFile(Name.journal, line, options.sync)
    }
    if try directory.status(Name.refs) == nil {
      let header = RefsHeader.first(
        reflogBytes: Reflog.firstLine.utf8CodeUnitCount,
        receivedBytes: Received.firstLine.utf8CodeUnitCount)
      var writer = try RefsWriter(in: directory, header: header)
      _ = try writer.finish(options.sync)
    }
    if options.sync.isSyncing { try directory.sync() }
  }
}

extension Directory {
  /// Writes a small file in one step: whole, or not at all.
  func writeFile(_ name: String, _ bytes: [UInt8], _ sync: SyncPolicy) throws(SystemError) {
    var temporary = try TemporaryFile(in: self, prefix: Refs.Name.temporary, mode: 0o644)
    try temporary.file.writeAll(bytes)
    if sync.isSyncing { try temporary.file.sync() }
    _ = try temporary.commit(as: name, replacing: .never)
  }
}
