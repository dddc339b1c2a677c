// Taking nodes back from the received log, so that they are new when they come again.
//
// A frame that says so is appended like any other, and counts from the moment of the refs record on.
// Once the nodes are gone the log is rewritten without their ids. So that it reads correctly under both the
// length that counted before and the new one, whichever a crash leaves, the new file has what is kept at its
// beginning, followed by frames of zeros up to the old length.

internal import RedoCrypto
package import RedoObject

extension Received {
  /// The nodes that were taken back and have not come again: a wipe of them may be unfinished.
  ///
  /// - Parameter end: the bytes that count.
  /// - Returns: the ids.
  /// - Throws: the first thing that is wrong.
  package func forgotten(to end: Int) throws(RefsError) -> Set<ObjectID> {
    var ids: Set<ObjectID> = []
    try forEach(to: end) { id, note in
      if note == .forgotten { ids.insert(id) } else if !ids.isEmpty { ids.remove(id) }
      return true
    }
    return ids
  }

  /// Rewrites the log without what was taken back; the lock of refs is held.
  ///
  /// - Parameters:
  ///   - end: the bytes that count.
  ///   - mark: what the file is to end with.
  ///   - sync: what to wait for.
  /// - Returns: the bytes that need count from now on; up to the mark the file is as long as before.
  /// - Throws: when it cannot be read or written; it stays as it was then.
  func rewrite(
    to end: Int, marking mark: ReceivedMark?, _ sync: SyncPolicy
  ) throws(RefsError) -> Int {
    var frames: [(ids: [ObjectID], note: Note)] = []
    var lastForgotten: [ObjectID: Int] = [:]
    try forEachFrame(to: end) { ids, note in
      if note == .forgotten { for id in ids { lastForgotten[id] = frames.count } }
      frames.append((ids, note))
      return true
    }
    var bytes = Array("\(Self.firstLine)".utf8)
    for (index, frame) in frames.enumerated() where frame.note != .forgotten {
      let kept = frame.ids.filter { (lastForgotten[$0] ?? -1) < index }
      if !kept.isEmpty { bytes += Self.frame(kept[...], frame.note) }
    }
    let kept = bytes.count
    Self.fill(&bytes, to: end)
    // Frames are dropped or become shorter, but what is left over may be less than a frame.
    guard bytes.count == end else { return end }
    bytes += mark?.frame ?? []
    try RefsError.wrapping { () throws(SystemError) in
      var temporary = try TemporaryFile(
        in: directory, prefix: Refs.Name.temporary, mode: 0o644)
      try temporary.file.writeAll(bytes)
      if sync.isSyncing { try temporary.file.sync() }
      _ = try temporary.commit(as: Refs.Name.received, replacing: .always)
      if sync.isSyncing { try directory.sync() }
    }
    return kept
  }

  /// Appends frames of zeros up to a length, if frames can have it.
  static func fill(_ bytes: inout [UInt8], to end: Int) {
    let empty = lineCount + Digest.byteCount
    while bytes.count + empty <= end {
      let room = end - bytes.count - empty
      var count = min(room / Digest.byteCount, maximumIDs)
      // What is left must be nothing, or a frame again.
      if (1..<empty).contains(room - count * Digest.byteCount), count > 0 { count -= 1 }
      let zeros = [ObjectID](repeating: RefTransaction.zero, count: count)
      bytes += frame(zeros[...], .received(0))
    }
  }
}
