// How refs have changed since a moment that may lie before the last time that the journal was folded: the entries since are
// in the log then, behind the place where it ended at that moment.

package import RedoCrypto

/// A moment of refs, and where the log of their changes ended then.
package struct RefsMoment: Equatable, Sendable {
  /// The hash over all changes.
  package var chain: Digest
  /// The bytes of `received` that counted.
  package var receivedBytes: Int
  /// The bytes of the log, without what was in the journal.
  package var logBytes: Int
  /// The hash over all changes in the log.
  package var logChain: Digest

  /// A moment of its parts.
  package init(chain: Digest, receivedBytes: Int, logBytes: Int, logChain: Digest) {
    self.chain = chain
    self.receivedBytes = receivedBytes
    self.logBytes = logBytes
    self.logChain = logChain
  }
}

extension RefsSnapshot {
  /// The moment that it shows.
  package var moment: RefsMoment {
    RefsMoment(
      chain: chain, receivedBytes: receivedBytes, logBytes: header.reflogBytes,
      logChain: header.chain)
  }
}

extension Refs {
  /// How refs have changed since a moment.
  ///
  /// - Parameters:
  ///   - moment: the moment.
  ///   - snapshot: the refs now.
  /// - Returns: `nil` when they do not come from there.
  /// - Throws: `system` when the log cannot be read.
  /// - Complexity: O(*n*) in the bytes of the entries since.
  package func changes(
    since moment: RefsMoment, _ snapshot: borrowing RefsSnapshot
  ) throws(RefsError) -> RefsSnapshot.Changes? {
    if let changes = snapshot.changes(since: moment.chain) { return changes }
    guard moment.logBytes <= snapshot.reflogBytes, !snapshot.isJournalStale else { return nil }
    do throws(RefsError) {
      return try logged(moment, snapshot)
    } catch {
      // A log that does not go on from there is that of other changes.
      guard case .corrupt = error else { throw error }
      return nil
    }
  }

  private func logged(
    _ moment: RefsMoment, _ snapshot: borrowing RefsSnapshot
  ) throws(RefsError) -> RefsSnapshot.Changes? {
    let path = joinPath(directory.path, Name.reflog)
    var reader = try LogReader.open(
      in: directory, Name.reflog, firstLine: Reflog.firstLine, end: snapshot.reflogBytes,
      from: moment.logBytes == 0 ? nil : moment.logBytes)
    var chain = moment.logChain
    // Where the journal was empty at that moment, the log begins with what came.
    var changes =
      moment.chain == moment.logChain
      ? RefsSnapshot.Changes(receivedBytes: moment.receivedBytes) : nil
    while !reader.isAtEnd {
      let start = reader.position
      guard let count = JournalFrame.payloadCount(try reader.take(JournalFrame.byteCount)) else {
        throw .corrupt(path, at: start, "a record has no valid frame line")
      }
      let payload = try reader.take(count)
      let entry = try ReflogEntry(
        parsing: payload, in: 0..<count, base: start + JournalFrame.byteCount, after: chain,
        file: path)
      chain = entry.chain
      if changes != nil {
        changes?.apply(entry)
      } else if chain == moment.chain {
        changes = RefsSnapshot.Changes(receivedBytes: entry.receivedBytes)
      }
    }
    guard chain == snapshot.header.chain else { return nil }
    for entry in snapshot.journal.entries { changes?.apply(entry) }
    return changes
  }
}
