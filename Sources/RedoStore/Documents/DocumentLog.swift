// `firestore/documents`: what clients of the Firestore subset have written, in the order in which it was
// answered. Its first line is `redo-firestore 2`; records follow:
//
//   @<payload bytes: 8 hex> <check of the length: 8 hex>     as in the refs' journal
//   the payload, whose meaning is up to the owner of the log
//   32 raw bytes: SHA-256 of the line and the payload
//
// Version 1 differs in its first line and in what payloads may say: it is read, and its owner writes it anew before it
// adds what a reader of version 1 would not understand.
//
// One process at a time has it open, by `firestore/lock`. A record is acknowledged after it was synced, so a
// last record whose end is missing was never acknowledged: it is cut off. Anything else that is wrong stays
// as it is, and is an error.

internal import RedoCrypto
internal import Synchronization

/// An append-only log of records, open for one writer.
///
/// A class, because readers and the writer share its file.
package final class DocumentLog: Sendable {
  /// The first line of the file.
  static let firstLine = Array("redo-firestore 2\n".utf8)
  /// That of the version before, which has as many bytes.
  static let oldFirstLine = Array("redo-firestore 1\n".utf8)
  /// The most bytes of a payload; a longer one is refused.
  package static let payloadLimit = 64 << 20
  /// The bytes of a record in addition to its payload.
  package static let overheadBytes = RecordReader.overheadBytes

  /// The right to be the writer.
  final class Right: Sendable {
    let lock: LockFile
    init(_ lock: consuming LockFile) { self.lock = lock }
  }

  /// What changes.
  private struct State {
    var end: Int
    var isBroken: Bool
  }

  let file: File
  let directory: Directory
  let right: Right
  let sync: SyncPolicy
  /// Whether it is of the version before: nothing is added to it that this one does not know.
  package let isOld: Bool
  private let state: Mutex<State>

  init(
    _ file: consuming File, in directory: consuming Directory, _ right: Right, _ sync: SyncPolicy,
    end: Int, isOld: Bool = false, isBroken: Bool = false
  ) {
    self.file = file
    self.directory = directory
    self.right = right
    self.sync = sync
    self.isOld = isOld
    state = Mutex(State(end: end, isBroken: isBroken))
  }

  /// Opens the log of a store, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - store: the store's directory, `.redo`.
  ///   - sync: what a record waits for before it is acknowledged.
  ///   - timeoutMilliseconds: how long to wait for another process that has it open.
  ///   - visit: receives each payload and where it begins in the log, in order.
  /// - Returns: the log, and how many bytes of a torn record were cut off.
  /// - Throws: `locked` when another process has it still, `corrupt` for what a crash does not leave.
  package static func open(
    in store: borrowing Directory, _ sync: SyncPolicy, timeoutMilliseconds: Int,
    _ visit: (DocumentLog, [UInt8], Int) throws(DocumentLogError) -> Void
  ) throws(DocumentLogError) -> (log: DocumentLog, cutBytes: Int) {
    let directory = try DocumentLogError.wrapping { () throws(SystemError) in
      if try store.makeDirectory(Layout.documents), sync.isSyncing { try store.sync() }
      return try store.openSubdirectory(Layout.documents, isFollowing: false)
    }
    let lock = try DocumentLogError.wrapping { () throws(SystemError) in
      try LockFile.acquire(
        in: directory, name: DocumentsCheck.lock, timeoutMilliseconds: timeoutMilliseconds,
        options: [.create, .nonBlocking, .noFollow])
    }
    guard let lock else { throw .locked(joinPath(directory.path, DocumentsCheck.lock)) }
    try removeUnfinished(in: directory)
    let file = try openFile(in: directory, sync)
    let size = try DocumentLogError.wrapping { () throws(SystemError) in try file.status().size }
    let start = try DocumentLogError.wrapping { () throws(SystemError) in
      try file.read(min(size, oldFirstLine.count), at: 0)
    }
    let log = DocumentLog(
      file, in: directory, Right(lock), sync, end: 0, isOld: start == oldFirstLine)
    let end = try scan(log.file, size: size, isOld: log.isOld) {
      (payload, start) throws(DocumentLogError) in try visit(log, payload, start)
    }
    if end < size {
      try DocumentLogError.wrapping { () throws(SystemError) in
        try log.file.truncate(to: end)
        if sync.isSyncing { try log.file.sync() }
      }
    }
    log.state.withLock { $0.end = end }
    return (log, size - end)
  }

  /// Removes what a process has left that was killed while it wrote the log anew; the lock is held.
  private static func removeUnfinished(
    in directory: borrowing Directory
  ) throws(DocumentLogError) {
    do throws(SystemError) {
      for name in try directory.list() where name.hasPrefix(DocumentsCheck.temporaryPrefix) {
        try directory.unlink(name)
      }
    } catch {
      throw .system(error)
    }
  }

  private static func openFile(
    in directory: borrowing Directory, _ sync: SyncPolicy
  ) throws(DocumentLogError) -> File {
    try DocumentLogError.wrapping { () throws(SystemError) in
      let options: File.Options = [.noFollow, .nonBlocking]
      if let file = try directory.openFileIfPresent(DocumentsCheck.log, .readWrite, options) {
        return file
      }
      var new = try TemporaryFile(
        in: directory, prefix: DocumentsCheck.temporaryPrefix, mode: 0o600)
      try new.file.writeAll(firstLine)
      if sync.isSyncing { try new.file.sync() }
      _ = try new.commit(as: DocumentsCheck.log, replacing: .never)
      if sync.isSyncing { try directory.sync() }
      return try directory.openFile(DocumentsCheck.log, .readWrite, options)
    }
  }

  // MARK: Reading

  /// Reads all records.
  ///
  /// - Returns: where the last whole one ends.
  static func scan(
    _ file: borrowing File, size: Int, from start: Int? = nil, isOld: Bool = false,
    _ visit: ([UInt8], Int) throws(DocumentLogError) -> Void
  ) throws(DocumentLogError) -> Int {
    let path = file.path
    var reader: RecordReader
    do throws(RecordError) {
      reader = try RecordReader(
        file, firstLine: isOld ? oldFirstLine : firstLine, size: size, payloadLimit: payloadLimit,
        from: start)
    } catch {
      throw DocumentLogError(error, path)
    }
    while true {
      let record: (payload: [UInt8], start: Int)?
      do throws(RecordError) { record = try reader.next(in: file) } catch {
        throw DocumentLogError(error, path)
      }
      guard let record else { return reader.position }
      try visit(record.payload, record.start)
    }
  }

  /// Reads a part of a payload again.
  ///
  /// - Parameters:
  ///   - count: how many bytes.
  ///   - offset: where they begin in the file.
  /// - Returns: exactly this many; the owner of the log knows what they should be.
  /// - Throws: when they cannot be read.
  package func read(_ count: Int, at offset: Int) throws(DocumentLogError) -> [UInt8] {
    do throws(RecordError) { return try RecordReader.read(file, count, at: offset) } catch {
      throw DocumentLogError(error, path)
    }
  }

  /// The path of the file, for messages.
  var path: String { joinPath(directory.path, DocumentsCheck.log) }

  /// The bytes of the file.
  package var byteCount: Int { state.withLock { $0.end } }

  // MARK: Writing

  /// Whether nothing is written to it any more.
  package var isBroken: Bool { state.withLock { $0.isBroken } }

  /// Another log has taken its place: what was found in it can still be read, and nothing is added.
  func retire() { state.withLock { $0.isBroken = true } }

  /// Adds a record; it is on the disk when this returns, as far as the policy requires it.
  ///
  /// - Parameters:
  ///   - payload: its bytes.
  ///   - waits: whether it is synced; a record that can be made again need not be.
  /// - Returns: where the payload begins in the file.
  /// - Throws: why it was not appended; the file is then as before, or accepts no more records.
  package func append(
    _ payload: [UInt8], waits: Bool = true
  ) throws(DocumentLogError) -> Int {
    guard payload.count <= Self.payloadLimit else { throw .tooLarge }
    let record = RecordReader.record(payload)
    let result = state.withLock { state -> Result<Int, DocumentLogError> in
      guard !state.isBroken else { return .failure(.broken(path)) }
      do throws(SystemError) {
        try file.writeAll(record.span, at: state.end)
        if waits, sync.isSyncing { try file.dataSync() }
      } catch {
        // What was written may or may not be on the disk: it is cut off again, and if that is not certain,
        // nothing more is acknowledged.
        do throws(SystemError) {
          try file.truncate(to: state.end)
          if sync.isSyncing { try file.sync() }
        } catch {
          state.isBroken = true
        }
        return .failure(.system(error))
      }
      let start = state.end + JournalFrame.byteCount
      state.end += record.count
      return .success(start)
    }
    return try result.get()
  }
}
