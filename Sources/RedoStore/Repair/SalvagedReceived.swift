// What is good in a received log, wherever it is damaged: each frame has a check of its own, so that those
// after a damaged one are found again.

internal import RedoCrypto
package import RedoObject

/// The good frames of a received log.
package struct SalvagedReceived: Sendable {
  /// A frame that is right.
  package struct Frame: Sendable {
    /// Its nodes; what only fills room is left out.
    package let ids: [ObjectID]
    /// What is said about them.
    package let note: Received.Note
    /// The place of its bytes in the file.
    let range: Range<Int>
  }

  /// The frames, in the order of the file.
  package private(set) var frames: [Frame] = []
  /// The place of the first thing that is not a good frame; `nil` when there is nothing like that.
  package private(set) var firstDamage: Int?
  /// What is wrong there, as a clause.
  package private(set) var damage = ""
  /// The whole file; empty when there is no file.
  let bytes: [UInt8]

  /// The last word on each node in a part of the file.
  ///
  /// - Parameters:
  ///   - start: frames that begin before it are left out.
  ///   - end: frames that begin there or later are left out.
  /// - Returns: the time at which each node was first accepted, without those taken back; and whether any was taken
  ///   back.
  package func times(
    from start: Int = 0, to end: Int = .max
  ) -> (times: [ObjectID: Int64], hasForgotten: Bool) {
    var times: [ObjectID: Int64] = [:]
    var hasForgotten = false
    for frame in frames where (start..<end).contains(frame.range.lowerBound) {
      for id in frame.ids {
        switch frame.note {
        case .received(let time): if times[id] == nil { times[id] = time }
        case .forgotten:
          times[id] = nil
          hasForgotten = true
        }
      }
    }
    return (times, hasForgotten)
  }

  /// Reads what is good.
  ///
  /// - Parameter bytes: the whole file; `nil` when there is no file.
  init(_ bytes: [UInt8]?) {
    self.bytes = bytes ?? []
    let first = Array("\(Received.firstLine)".utf8)
    var position = first.count
    guard bytes != nil else {
      note(0, "the file is missing")
      return
    }
    if !self.bytes.starts(with: first) {
      note(0, "the first line is not that of the format")
      position = 0
    }
    while position < self.bytes.count {
      if let frame = frame(at: position) {
        frames.append(frame)
        position = frame.range.upperBound
        continue
      }
      note(position, "a frame is damaged")
      let mark = UInt8(ascii: "@")
      guard let next = self.bytes[(position + 1)...].firstIndex(of: mark) else { return }
      position = next
    }
  }

  private mutating func note(_ place: Int, _ text: String) {
    guard firstDamage == nil else { return }
    firstDamage = place
    damage = text
  }

  /// The frame that begins at a place, if all of it is right.
  private func frame(at start: Int) -> Frame? {
    let lineEnd = start + Received.lineCount
    guard lineEnd <= bytes.count else { return nil }
    let line = Array(bytes[start..<lineEnd])
    var scanner = LineScanner(line, in: 1..<line.count)
    guard line[0] == UInt8(ascii: "@"), let count = scanner.hexNumber(8), scanner.take(" "),
      let time = scanner.hexNumber(12), count <= Received.maximumIDs,
      lineEnd + (count + 1) * Digest.byteCount <= bytes.count
    else { return nil }
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    for index in 0..<count {
      let place = lineEnd + index * Digest.byteCount
      guard let digest = Digest(raw: bytes.span.extracting(place..<place + Digest.byteCount))
      else { return nil }
      ids.append(ObjectID(digest: digest))
    }
    let note = Received.note(of: Int64(time))
    let end = lineEnd + (count + 1) * Digest.byteCount
    guard Received.frame(ids[...], note).elementsEqual(bytes[start..<end]) else { return nil }
    ids.removeAll { $0.digest == .zero }
    return Frame(ids: ids, note: note, range: start..<end)
  }
}

extension Received {
  /// Reads what is good of the log, however much of it counts.
  ///
  /// - Returns: the good frames.
  /// - Throws: `system` when the file cannot be read.
  package func salvage() throws(RefsError) -> SalvagedReceived {
    do throws(SystemError) {
      return SalvagedReceived(
        try directory.readFile(Refs.Name.received, isFollowing: false))
    } catch {
      guard error.isSymbolicLink || error.isUnopenable || error.isNotRegular else {
        throw .system(error)
      }
      return SalvagedReceived(nil)
    }
  }
}
