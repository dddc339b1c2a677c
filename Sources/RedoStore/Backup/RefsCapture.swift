// The logs of a store at one moment, as a backup takes them: both only grow at their end, so that what has come since an
// earlier moment is a piece of each. The log of refs is `reflog` and, behind it, the records of the journal.

package import RedoCrypto
internal import RedoObject

/// How far the logs of a store go.
package struct LogPoint: Hashable, Sendable {
  /// The number of the last change of refs, and the hash over all changes.
  package var entry: Int
  package var chain: Digest
  /// The bytes of the log of refs.
  package var reflogBytes: Int
  /// The bytes of the received log, and their hash.
  package var receivedBytes: Int
  package var receivedDigest: Digest

  /// A point of all its members.
  package init(
    entry: Int, chain: Digest, reflogBytes: Int, receivedBytes: Int, receivedDigest: Digest
  ) {
    self.entry = entry
    self.chain = chain
    self.reflogBytes = reflogBytes
    self.receivedBytes = receivedBytes
    self.receivedDigest = receivedDigest
  }
}

/// What has come to the logs since an earlier moment, or all of them.
package struct RefsCapture: ~Copyable, Sendable {
  /// How far the logs go.
  package let point: LogPoint
  /// Whether they go on from the earlier moment; otherwise the pieces are whole.
  package let isContinued: Bool
  /// What comes after the earlier moment.
  package let reflog: [UInt8]
  package let received: [UInt8]
  private var snapshot: RefsSnapshot

  fileprivate init(
    _ point: LogPoint, isContinued: Bool, reflog: [UInt8], received: [UInt8],
    _ snapshot: consuming RefsSnapshot
  ) {
    self.point = point
    self.isContinued = isContinued
    self.reflog = reflog
    self.received = received
    self.snapshot = snapshot
  }

  /// All refs of this moment, as one hash.
  ///
  /// - Throws: what is wrong with a block of them.
  package mutating func statement() throws(RefsError) -> RefsStatement {
    try snapshot.statement()
  }
}

extension Refs {
  /// Takes the logs as they are now.
  ///
  /// - Parameter earlier: a moment from which only what has come since is wanted, if they still go on from there: a wipe
  ///   or a repair may have written them anew.
  /// - Returns: what has come.
  /// - Throws: what is wrong with a log; `system`.
  package func capture(since earlier: LogPoint?) throws(RefsError) -> RefsCapture {
    let snapshot = try snapshot()
    let (received, digest, isPrefix) = try receivedPiece(snapshot.receivedBytes, earlier)
    let records = snapshot.isJournalStale ? [] : Array(snapshot.journal.records)
    let total = snapshot.reflogBytes + records.count
    let point = LogPoint(
      entry: snapshot.entry, chain: snapshot.chain, reflogBytes: total,
      receivedBytes: snapshot.receivedBytes, receivedDigest: digest)
    if let earlier, isPrefix, earlier.reflogBytes <= total {
      let rest = try reflogPiece(from: earlier.reflogBytes, snapshot, records)
      if let end = LogRecords.follow(rest, from: 0, after: earlier.entry, earlier.chain, { _ in }),
        end == (point.entry, point.chain)
      {
        return RefsCapture(point, isContinued: true, reflog: rest, received: received, snapshot)
      }
    }
    let whole = try receivedPiece(snapshot.receivedBytes, nil).bytes
    let all = try reflogPiece(from: 0, snapshot, records)
    let start = Reflog.firstLine.utf8CodeUnitCount
    guard let end = LogRecords.follow(all, from: start, after: 0, .zero, { _ in }),
      end == (point.entry, point.chain)
    else {
      throw .corrupt(
        joinPath(directory.path, Name.reflog), at: 0, "the log does not lead to the refs")
    }
    return RefsCapture(point, isContinued: false, reflog: all, received: whole, snapshot)
  }

  /// A piece of the received log, the hash of all that counts, and whether it begins with what counted earlier.
  private func receivedPiece(
    _ end: Int, _ earlier: LogPoint?
  ) throws(RefsError) -> (bytes: [UInt8], digest: Digest, isPrefix: Bool) {
    let all = try piece(of: Name.received, from: 0, to: end)
    guard let earlier, earlier.receivedBytes <= all.count else {
      return (all, SHA256.digest(of: all.span), false)
    }
    var hash = SHA256()
    hash.update(all.span.extracting(first: earlier.receivedBytes))
    var copy = hash
    let isPrefix = copy.finalize() == earlier.receivedDigest
    hash.update(all.span.extracting(earlier.receivedBytes...))
    return (Array(all[earlier.receivedBytes...]), hash.finalize(), isPrefix)
  }

  private func reflogPiece(
    from start: Int, _ snapshot: borrowing RefsSnapshot, _ records: [UInt8]
  ) throws(RefsError) -> [UInt8] {
    let size = snapshot.reflogBytes
    guard start < size else { return Array(records[(start - size)...]) }
    return try piece(of: Name.reflog, from: start, to: size) + records
  }

  private func piece(
    of name: String, from start: Int, to end: Int
  ) throws(RefsError) -> [UInt8] {
    let bytes = try RefsError.wrapping { () throws(SystemError) in
      try directory.openFile(name, .read, [.noFollow, .nonBlocking]).read(end - start, at: start)
    }
    guard bytes.count == end - start else {
      throw .corrupt(
        joinPath(directory.path, name), at: start + bytes.count,
        "the file is shorter than the refs say")
    }
    return bytes
  }
}

/// Records of the log of refs, in memory.
enum LogRecords {
  /// Visits records to the end of some bytes, and verifies the chain through them.
  ///
  /// - Parameters:
  ///   - bytes: the records.
  ///   - start: where the first begins.
  ///   - number: the number of the change before them.
  ///   - chain: the chain of that change.
  ///   - visit: receives each.
  /// - Returns: number and chain of the last change; `nil` when something is not as it must be.
  static func follow(
    _ bytes: [UInt8], from start: Int, after number: Int, _ chain: Digest,
    _ visit: (ReflogEntry) -> Void
  ) -> (Int, Digest)? {
    var (place, number, chain) = (start, number, chain)
    guard start <= bytes.count else { return nil }
    while place < bytes.count {
      guard case .complete(let payload) = JournalFrame.read(bytes, at: place),
        let entry = try? ReflogEntry(
          parsing: bytes, in: payload, base: 0, after: chain, file: Refs.Name.reflog),
        entry.number == number + 1
      else { return nil }
      visit(entry)
      (place, number, chain) = (payload.upperBound, entry.number, entry.chain)
    }
    return (number, chain)
  }
}
