// A log that is mostly no longer needed is written anew: beside the old one, read back, and only then put in
// its place.

internal import RedoCrypto

extension DocumentLog {
  /// A log that is being written, under a temporary name.
  package struct Writer: ~Copyable {
    var file: TemporaryFile
    var end = DocumentLog.firstLine.count
    /// The checks of the records, hashed together.
    var written = SHA256()
    var count = 0

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
      return Writer(file: file)
    } catch {
      throw .system(error)
    }
  }

  /// Puts a new log into the place of this one, after it was read back.
  ///
  /// - Parameter writer: the new one, complete.
  /// - Returns: the new log; this one must not be used afterwards.
  /// - Throws: when it is not as it was written; this one then stays as it is.
  package func replace(by writer: consuming Writer) throws(DocumentLogError) -> DocumentLog {
    var file = writer.file
    let end = writer.end
    do throws(SystemError) { if sync.isSyncing { try file.file.sync() } } catch {
      throw .system(error)
    }
    var read = SHA256()
    var count = 0
    let found = try Self.scan(file.file, size: end) { payload, _ in
      read.update(RecordReader.check(JournalFrame.line(payloadCount: payload.count), payload).span)
      count += 1
    }
    guard found == end, count == writer.count, read.finalize() == writer.written.finalize() else {
      throw .corrupt(
        file.file.path, offset: found, rule: "what is read is not what was written")
    }
    do throws(SystemError) {
      _ = try file.commit(as: DocumentsCheck.log, replacing: .always)
      if sync.isSyncing { try directory.sync() }
      let new = try directory.openFile(
        DocumentsCheck.log, .readWrite, [.noFollow, .nonBlocking])
      return DocumentLog(new, in: directory.share(), right, sync, end: end)
    } catch {
      throw .system(error)
    }
  }
}
