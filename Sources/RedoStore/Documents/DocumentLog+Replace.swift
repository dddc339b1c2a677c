// A log that is mostly no longer needed is written anew, while it is in use: beside the old one, read back, and only then
// put in its place.
//
//   1. what is needed is copied to a file without a name of its own; the old log grows meanwhile
//   2. that file is synced and read back
//   3. with writers held off, what has come since is copied, synced and read back
//   4. the file gets the name of the log, in one step, and the directory is synced
//
// Before 4 a crash leaves the old log, which has everything; after it, either: both have everything that was
// acknowledged, as nothing is before the caller lets writers go on with the new one.

internal import RedoCrypto

extension DocumentLog {
  /// A log that is being written, under a temporary name.
  package struct Writer: ~Copyable {
    var file: TemporaryFile
    private let sync: SyncPolicy
    /// Where it ends.
    package private(set) var end = DocumentLog.firstLine.count
    /// Up to where it was read back.
    package private(set) var verifiedEnd = DocumentLog.firstLine.count
    /// The checks of the records since, hashed together.
    private var written = SHA256()
    private var count = 0

    fileprivate init(_ file: consuming TemporaryFile, _ sync: SyncPolicy) {
      self.file = file
      self.sync = sync
    }

    /// Adds a record.
    ///
    /// - Parameter payload: its bytes.
    /// - Returns: where the payload begins in the file.
    /// - Throws: when it cannot be written.
    package mutating func append(_ payload: [UInt8]) throws(DocumentLogError) -> Int {
      guard payload.count <= DocumentLog.payloadLimit else { throw .tooLarge }
      let line = JournalFrame.line(payloadCount: payload.count)
      let check = RecordReader.check(line, payload)
      let record = line + payload + check
      do throws(SystemError) {
        try file.file.writeAll(record.span, at: end)
      } catch {
        throw .system(error)
      }
      written.update(check.span)
      count += 1
      defer { end += record.count }
      return end + line.count
    }

    /// Syncs what was added since the last time, and reads it back.
    ///
    /// - Throws: `corrupt` when it is not as it was written.
    package mutating func verify() throws(DocumentLogError) {
      do throws(SystemError) { if sync.isSyncing { try file.file.sync() } } catch {
        throw .system(error)
      }
      var read = SHA256()
      var readCount = 0
      let found = try DocumentLog.scan(file.file, size: end, from: verifiedEnd) { payload, _ in
        let line = JournalFrame.line(payloadCount: payload.count)
        read.update(RecordReader.check(line, payload).span)
        readCount += 1
      }
      guard found == end, readCount == count, read.finalize() == written.finalize() else {
        throw .corrupt(
          file.file.path, offset: found, rule: "what is read is not what was written")
      }
      verifiedEnd = end
      written = SHA256()
      count = 0
    }
  }

  /// Begins a log that is to take the place of this one.
  ///
  /// - Returns: what takes its records.
  /// - Throws: when it cannot be made.
  package func replacement() throws(DocumentLogError) -> Writer {
    do throws(SystemError) {
      let file = try TemporaryFile(
        in: directory, prefix: DocumentsCheck.temporaryPrefix, mode: 0o600)
      try file.file.writeAll(Self.firstLine)
      return Writer(file, sync)
    } catch {
      throw .system(error)
    }
  }

  /// Puts a new log into the place of this one, after it was read back.
  ///
  /// Nobody may write to this one meanwhile.
  ///
  /// - Parameter writer: the new one, complete.
  /// - Returns: the new log. This one takes no records any more, and can still be read. The new one takes none either if it
  ///   is not certain which of them a crash would leave: both have the same then, and no more must be added.
  /// - Throws: when it is not as it was written; this one then stays as it is.
  package func replace(by writer: consuming Writer) throws(DocumentLogError) -> DocumentLog {
    var writer = writer
    try writer.verify()
    let end = writer.end
    guard !isBroken else { throw .broken(path) }
    do throws(SystemError) {
      // Opened before it has its name: from then on nothing must fail.
      let new = try directory.openFile(
        writer.file.name, .readWrite, [.noFollow, .nonBlocking])
      _ = try writer.file.commit(as: DocumentsCheck.log, replacing: .always)
      retire()
      var isSynced = true
      if sync.isSyncing {
        do throws(SystemError) { try directory.sync() } catch { isSynced = false }
      }
      return DocumentLog(
        new, in: directory.share(), right, sync, end: end, isBroken: !isSynced)
    } catch {
      throw .system(error)
    }
  }
}
