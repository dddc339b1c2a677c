// `received`: which nodes were accepted into history, and when first. Its first line is
// `redo-received 1`; frames follow:
//
//   @<ids: 8 hex> <time, ms since 1970: 12 hex> <check: first 8 hex of SHA-256 of all before it>
//   <ids> times 32 raw bytes
//   32 raw bytes: SHA-256 of the frame line and the ids
//
// The refs and their journal say how many bytes count; behind them is a mark, see Received+Mark. A frame whose time is the greatest possible one
// takes its ids back: those nodes have been wiped, and are new when they come again. The id of 64 zeros is
// padding.

internal import RedoCrypto
package import RedoObject

/// The received log of a store.
package struct Received: ~Copyable, Sendable {
  /// The first line of the file.
  static let firstLine: StaticString = "redo-received 1\n"
  /// The bytes of a frame line.
  static let lineCount = 32
  /// The most ids in one frame, so that reading needs 2 MiB at most.
  static let maximumIDs = 65_536
  /// How many bytes of frames are collected before they are written.
  private static let bufferBytes = 1 << 20
  /// How many bytes are written in one step: a page, so that a process that is killed has written all or none.
  private static let stepBytes = 4_096
  /// The time of a frame that takes its ids back: the latest that 12 hex digits hold.
  static let forgetting: Int64 = 0xFFFF_FFFF_FFFF
  /// The latest time of any other frame that means something: a later one, which nobody writes, counts as this.
  private static let latest = WallTime.latest.milliseconds

  let directory: Directory

  /// The received log of a store.
  ///
  /// - Parameter directory: the store's directory, `.redo`.
  package init(in directory: borrowing Directory) {
    self.directory = directory.share()
  }

  /// What a frame says about its ids.
  package enum Note: Hashable, Sendable {
    /// They were accepted at this time, in milliseconds since 1970.
    case received(Int64)
    /// They were wiped.
    case forgotten
  }

  /// Visits the ids and what is said about them, oldest first; the last statement about an id counts.
  ///
  /// - Parameters:
  ///   - start: where to begin: a length that counted once; at the first frame when `nil`.
  ///   - end: the bytes that count, as a view of the refs tells.
  ///   - visit: receives an id and what is said about it; answers whether to go on.
  /// - Throws: the first thing that is wrong.
  package func forEach(
    from start: Int? = nil, to end: Int, _ visit: (ObjectID, Note) -> Bool
  ) throws(RefsError) {
    try forEachFrame(from: start, to: end) { ids, note in ids.allSatisfy { visit($0, note) } }
  }

  /// Visits the frames, oldest first: each has ids that one change of refs has brought, 65,536 at most.
  ///
  /// - Parameters:
  ///   - start: as `forEach`.
  ///   - end: as `forEach`.
  ///   - visit: receives the ids of a frame and what is said about them; answers whether to go on.
  /// - Throws: the first thing that is wrong.
  package func forEachFrame(
    from start: Int? = nil, to end: Int, _ visit: ([ObjectID], Note) -> Bool
  ) throws(RefsError) {
    let path = joinPath(directory.path, Refs.Name.received)
    var reader = try LogReader.open(
      in: directory, Refs.Name.received, firstLine: Self.firstLine, end: end, from: start)
    while !reader.isAtEnd {
      let place = reader.position
      let line = try reader.take(Self.lineCount)
      var scanner = LineScanner(line, in: 1..<line.count)
      guard let count = scanner.hexNumber(8), scanner.take(" "),
        let time = scanner.hexNumber(12), line == Self.line(count: count, time: Int64(time))
      else { throw .corrupt(path, at: place, "a frame has no valid first line") }
      let body = try reader.take(count * Digest.byteCount)
      let check = try reader.take(Digest.byteCount)
      guard Digest(raw: check.span) == Self.check(line, body) else {
        throw .corrupt(path, at: place, "a frame has another hash than its end says")
      }
      var ids: [ObjectID] = []
      ids.reserveCapacity(count)
      for index in 0..<count {
        let range = index * Digest.byteCount..<(index + 1) * Digest.byteCount
        guard let digest = Digest(raw: body.span.extracting(range)), digest != .zero else {
          continue
        }
        ids.append(ObjectID(digest: digest))
      }
      let note = Self.note(of: Int64(time))
      guard visit(ids, note) else { return }
    }
  }

  /// The last bytes of a part that counts, which distinguish it from another log.
  ///
  /// - Parameter end: a length that counts, or counted once.
  /// - Returns: 32 bytes, zeros in front where there are fewer; `nil` when the log is shorter.
  /// - Throws: when it cannot be read.
  package func lastBytes(to end: Int) throws(RefsError) -> [UInt8]? {
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Refs.Name.received, .read, [.noFollow, .nonBlocking])
      let count = min(end, Digest.byteCount)
      let bytes = try file.read(count, at: end - count)
      guard bytes.count == count else { return nil }
      return [UInt8](repeating: 0, count: Digest.byteCount - count) + bytes
    }
  }

  /// All ids at once.
  ///
  /// - Parameter end: the bytes that count.
  /// - Returns: the ids.
  /// - Throws: the first thing that is wrong.
  package func load(to end: Int) throws(RefsError) -> Set<ObjectID> {
    var ids: Set<ObjectID> = []
    try forEach(to: end) { id, note in
      if note == .forgotten { ids.remove(id) } else { ids.insert(id) }
      return true
    }
    return ids
  }

  /// Those ids that nobody has noted since a caller looked, each once.
  func unknown(
    _ ids: [ObjectID], checked: Int, committed: Int
  ) throws(RefsError) -> [ObjectID] {
    var seen: Set<ObjectID> = []
    seen.reserveCapacity(ids.count)
    if !ids.isEmpty && checked < committed {
      try forEach(from: max(checked, Self.firstLine.utf8CodeUnitCount), to: committed) { id, note in
        if note == .forgotten { seen.remove(id) } else { seen.insert(id) }
        return true
      }
    }
    return ids.filter { seen.insert($0).inserted }
  }

  /// Adds ids at the end of what counts; they count once the refs say so.
  ///
  /// - Parameters:
  ///   - frames: ids, and what is said about them.
  ///   - end: the bytes that count; anything after them is overwritten.
  ///   - mark: what comes after the new frames: how far the journal goes without them.
  ///   - sync: what to wait for.
  /// - Returns: the bytes that shall count.
  /// - Throws: when the log is shorter than what counts, or writing fails.
  func append(
    _ frames: [(ids: [ObjectID], note: Note)], at end: Int, marking mark: ReceivedMark?,
    _ sync: SyncPolicy
  ) throws(RefsError) -> Int {
    let mark = mark?.frame ?? []
    let newEnd = frames.reduce(end) { $0 + Self.byteCount(idCount: $1.ids.count) }
    var position = end
    var size = 0
    try RefsError.wrapping { () throws(SystemError) in
      let file = try directory.openFile(Refs.Name.received, .readWrite, [.noFollow])
      size = try file.status().size
      guard size >= end else { return }
      // What is there is overwritten, and only then cut off, so that the file always ends with a mark.
      if newEnd - end > Self.stepBytes { try file.writeAll(mark.span, at: newEnd) }
      var buffer: [UInt8] = []
      for (ids, note) in frames {
        for start in stride(from: 0, to: ids.count, by: Self.maximumIDs) {
          buffer += Self.frame(ids[start..<min(start + Self.maximumIDs, ids.count)], note)
          guard buffer.count >= Self.bufferBytes else { continue }
          try file.writeAll(buffer.span, at: position)
          position += buffer.count
          buffer.removeAll(keepingCapacity: true)
        }
      }
      try file.writeAll((buffer + mark).span, at: position)
      position += buffer.count
      if size > newEnd + mark.count { try file.truncate(to: newEnd + mark.count) }
      if sync.isSyncing { try file.sync() }
    }
    guard size >= end else {
      let path = joinPath(directory.path, Refs.Name.received)
      throw .corrupt(path, at: size, "the file is shorter than the refs say")
    }
    return position
  }

  /// The number of bytes in the frames of some ids.
  private static func byteCount(idCount: Int) -> Int {
    let frames = (idCount + maximumIDs - 1) / maximumIDs
    return frames * (lineCount + Digest.byteCount) + idCount * Digest.byteCount
  }

  /// The bytes of a frame.
  static func frame(_ ids: ArraySlice<ObjectID>, _ note: Note) -> [UInt8] {
    let time =
      switch note {
      case .received(let milliseconds): min(max(milliseconds, 0), latest)
      case .forgotten: forgetting
      }
    return frame(ids, time: time)
  }

  /// The bytes of a frame with any number in the place of its time.
  static func frame(_ ids: ArraySlice<ObjectID>, time: Int64) -> [UInt8] {
    let line = line(count: ids.count, time: time)
    var body: [UInt8] = []
    body.reserveCapacity(ids.count * Digest.byteCount)
    for id in ids {
      for index in 0..<Digest.byteCount { body.append(id[index]) }
    }
    let check = check(line, body)
    var frame = line + body
    for index in 0..<Digest.byteCount { frame.append(check.bytes[index]) }
    return frame
  }

  /// What the time of a frame says about its ids.
  static func note(of time: Int64) -> Note {
    time == forgetting ? .forgotten : .received(min(time, latest))
  }

  static func line(count: Int, time: Int64) -> [UInt8] {
    var line = [UInt8(ascii: "@")]
    JournalFrame.appendHex(count, digits: 8, to: &line)
    line.append(UInt8(ascii: " "))
    JournalFrame.appendHex(Int(time), digits: 12, to: &line)
    line.append(UInt8(ascii: " "))
    let check = SHA256.digest(of: line.span)
    Hex.append(check.bytes.span.extracting(first: 4), to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  static func check(_ line: [UInt8], _ body: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(line.span)
    hash.update(body.span)
    return hash.finalize()
  }
}
