// How far the journal went, by what other files tell of it. A journal that was cut off, or put back as it was earlier, has
// nothing wrong in itself; but
//
//   - the mark at the end of `received` states the last change
//   - `reflog` goes on after what counts of it where a fold was interrupted, with records that the journal had
//   - where there is no mark, frames in `received` that no change counts: those of one change may be of one that was
//     never finished, those of several are of changes that were

internal import RedoCrypto

/// A change of which another file knows, and which refs and journal do not have.
package struct RefsShortfall: Hashable, Sendable {
  /// The path of the file that states it.
  package let file: String
  /// The number of the change.
  package let stated: Int
  /// The number of the last change that refs and journal have; not less than `stated` where another change has its
  /// number.
  package let found: Int
}

/// What is known of `received` and `reflog` before refs are opened, so that changes made meanwhile are no surprise.
struct RefsWitness {
  /// The mark at the end of `received`.
  var mark: ReceivedMark?
  /// The bytes of `received`; 0 when there is no such file.
  var receivedBytes = 0
  /// Whether there is a `received` that does not begin with its first line.
  var isReceivedOther = false
  /// The bytes of `reflog`; 0 when there is no such file.
  var reflogBytes = 0
}

extension Refs {
  /// Looks at what tells how far the journal went.
  ///
  /// - Returns: what is there.
  /// - Throws: `system`.
  func witness() throws(RefsError) -> RefsWitness {
    var witness = RefsWitness()
    if let end = try Received(in: directory).end() {
      witness.mark = end.mark
      witness.receivedBytes = end.size
      witness.isReceivedOther = !end.isBegun
    }
    let status = try RefsError.wrapping { () throws(SystemError) in
      try directory.status(Name.reflog)
    }
    if let status, status.kind == .regular { witness.reflogBytes = status.size }
    return witness
  }

  /// Finds out whether a view may not be all.
  ///
  /// - Parameters:
  ///   - snapshot: a view that was opened after `witness` was taken.
  ///   - witness: what was known before.
  /// - Returns: `behind` where others know of more; `corrupt` where the received log is shorter than it counts, or no such
  ///   log, so that nothing tells how far the journal went; `nil` when it is all.
  /// - Throws: `system`.
  func doubt(
    of snapshot: borrowing RefsSnapshot, _ witness: RefsWitness
  ) throws(RefsError) -> RefsError? {
    if let shortfall = try shortfall(of: snapshot, witness) { return .behind(shortfall) }
    let path = joinPath(directory.path, Name.received)
    // Nodes that were received since are in the log by now.
    if witness.receivedBytes < snapshot.receivedBytes,
      case let size = try Received(in: directory).end()?.size ?? 0, size < snapshot.receivedBytes
    {
      return .corrupt(path, at: size, "the file is shorter than the refs say")
    }
    return witness.isReceivedOther
      ? .corrupt(path, at: 0, "the first line is not that of the format") : nil
  }

  /// The greatest change that is missing in a view; `nil` when none is.
  private func shortfall(
    of snapshot: borrowing RefsSnapshot, _ witness: RefsWitness
  ) throws(RefsError) -> RefsShortfall? {
    let found = snapshot.entry
    var stated = found
    var name = Name.received
    var isOther = false
    if let mark = witness.mark {
      stated = max(found, mark.entry)
      if let chain = try chain(at: mark.entry, snapshot, witness), !mark.isOf(chain: chain) {
        stated = mark.entry
        isOther = true
      }
    } else if witness.receivedBytes > snapshot.receivedBytes {
      stated = found + max(0, try changesBeyond(snapshot, witness) - 1)
    }
    if witness.reflogBytes > snapshot.reflogBytes {
      let last = try lastEntry(ofReflogAfter: snapshot.header, to: witness.reflogBytes)
      if last > max(found, stated) { (stated, name) = (last, Name.reflog) }
    }
    guard stated > found || isOther else { return nil }
    return RefsShortfall(file: joinPath(directory.path, name), stated: stated, found: found)
  }

  /// The chain after a change that a mark names; `nil` where nothing has to be found out, or nothing can be.
  private func chain(
    at number: Int, _ snapshot: borrowing RefsSnapshot, _ witness: RefsWitness
  ) throws(RefsError) -> Digest? {
    let header = snapshot.header
    if number >= header.entry { return snapshot.chain(at: number) }
    // Changes without nodes may not have been marked; the mark still stands where their counts end.
    let end = witness.receivedBytes - ReceivedMark.byteCount
    if number == 0 || end == snapshot.receivedBytes { return number == 0 ? .zero : nil }
    var chain: Digest?
    do throws(RefsError) {
      var reader = try LogReader.open(
        in: directory, Name.reflog, firstLine: Reflog.firstLine, end: header.reflogBytes)
      _ = try Reflog.read(&reader, Name.reflog) { (entry) throws(RefsError) in
        if entry.number == number { chain = entry.chain }
        return entry.number < number
      }
    } catch {
      guard case .corrupt = error else { throw error }
    }
    return chain
  }

  /// The number of the last whole entry of the reflog, with those that do not count.
  private func lastEntry(
    ofReflogAfter header: RefsHeader, to end: Int
  ) throws(RefsError) -> Int {
    var number = header.entry
    do throws(RefsError) {
      var reader = try LogReader.open(
        in: directory, Name.reflog, firstLine: Reflog.firstLine, end: end, from: header.reflogBytes)
      var chain = header.chain
      while !reader.isAtEnd {
        let line = try reader.take(JournalFrame.byteCount)
        guard let count = JournalFrame.payloadCount(line) else { break }
        let entry = try ReflogEntry(
          parsing: try reader.take(count), in: 0..<count, base: 0, after: chain, file: Name.reflog)
        guard entry.number == number + 1 else { break }
        (number, chain) = (entry.number, entry.chain)
      }
    } catch {
      // What does not follow tells nothing; a writer may be cutting it off.
      guard case .corrupt = error else { throw error }
    }
    return number
  }

  /// How many changes have put nodes into `received` that no change counts, as far as can be told: their frames have
  /// different times.
  private func changesBeyond(
    _ snapshot: borrowing RefsSnapshot, _ witness: RefsWitness
  ) throws(RefsError) -> Int {
    var notes: Set<Received.Note> = []
    do throws(RefsError) {
      try Received(in: directory).forEachFrame(
        from: snapshot.receivedBytes, to: witness.receivedBytes
      ) { ids, note in
        if !ids.isEmpty { notes.insert(note) }
        return true
      }
    } catch {
      guard case .corrupt = error else { throw error }
    }
    guard notes.count > 1 else { return notes.count }
    // Frames of several changes may have taken each other's place while they were read.
    guard let now = try open() else { return 0 }
    let isSame = now.chain == snapshot.chain && now.receivedBytes == snapshot.receivedBytes
    return isSame ? notes.count : 0
  }
}
