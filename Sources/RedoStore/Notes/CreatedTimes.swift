// `created`: when a remote first had a node, as the remote says. Its first line is `redo-created 1`; records of rows
// follow (NotesFile):
//
//   32 raw bytes id; 8 bytes milliseconds since 1970, the highest first
//
// If an id has several rows, the earliest time counts. Nothing depends on it, because the clock is a remote's: no
// order, no replay, no point in time. So it may have rows for nodes that are not here, and if it is damaged only times
// are lost.

internal import RedoCrypto
package import RedoObject

/// The times at which remotes first had nodes.
package struct CreatedTimes: ~Copyable, Sendable {
  /// The bytes of a row.
  private static let rowBytes = Digest.byteCount + 8
  /// The most rows in one record, so that reading needs 2.5 MiB at most.
  private static let maximumRows = 65_536
  private static let form = NotesFile.Form(
    name: Layout.created, firstLine: Array("redo-created 1\n".utf8),
    payloadLimit: rowBytes * maximumRows,
    without: { without($0, $1) })
  /// The times that a row can have: years 0001 to 9999.
  private static let range: ClosedRange<Int64> =
    WallTime.earliest.milliseconds...WallTime.latest.milliseconds

  fileprivate let notes: NotesFile

  /// The times of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - isFrozen: whether nothing may be written.
  package init(in directory: borrowing Directory, isFrozen: Bool = false) {
    notes = NotesFile(Self.form, in: directory, isFrozen: isFrozen)
  }

  /// What was read.
  package struct Found: Sendable {
    /// When remotes first had the nodes in question; nodes without a row are missing.
    package let times: [ObjectID: WallTime]
    /// The end of the last whole record, 0 when there is no file.
    package let endBytes: Int
    /// How many bytes of a record follow that a writer has not ended.
    package let tornBytes: Int
    /// What is wrong with the file from there on.
    package let damage: RefsError?
  }

  /// Reads the times of nodes, as far as the file is good.
  ///
  /// - Parameter ids: the nodes; `nil` for all.
  /// - Returns: what was found; nothing when there is no file.
  /// - Complexity: O(*n*) for *n* rows; one system call when there is no file.
  package func read(of ids: Set<ObjectID>? = nil) -> Found {
    let found = notes.read(from: [ObjectID: WallTime]()) { times, payload in
      Self.forEach(payload) { id, time in
        if ids?.contains(id) ?? true { Self.put(time, id, &times) }
      }
    }
    return Found(
      times: found.value, endBytes: found.endBytes, tornBytes: found.tornBytes,
      damage: found.damage)
  }

  fileprivate static func put(_ time: WallTime, _ id: ObjectID, _ times: inout [ObjectID: WallTime])
  {
    if times[id].map({ time < $0 }) ?? true { times[id] = time }
  }

  /// Visits the rows of a payload.
  ///
  /// - Returns: `false` when it has another form; then none was visited.
  fileprivate static func forEach(
    _ payload: [UInt8], _ visit: (ObjectID, WallTime) -> Void
  ) -> Bool {
    guard payload.count % rowBytes == 0 else { return false }
    var rows: [(ObjectID, WallTime)] = []
    rows.reserveCapacity(payload.count / rowBytes)
    for start in stride(from: 0, to: payload.count, by: rowBytes) {
      let place = start + Digest.byteCount
      let number = payload[place..<start + rowBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let milliseconds = Int64(bitPattern: number)
      guard let digest = Digest(raw: payload.span.extracting(start..<place)),
        range.contains(milliseconds)
      else { return false }
      rows.append((ObjectID(digest: digest), WallTime(milliseconds: milliseconds)))
    }
    for (id, time) in rows { visit(id, time) }
    return true
  }

  /// The payloads of rows.
  fileprivate static func payloads(_ rows: [(id: ObjectID, time: WallTime)]) -> [[UInt8]] {
    stride(from: 0, to: rows.count, by: maximumRows).map { start in
      var payload: [UInt8] = []
      for (id, time) in rows[start..<min(start + maximumRows, rows.count)] {
        id.appendRaw(to: &payload)
        let number = UInt64(bitPattern: time.milliseconds)
        for shift in (0..<8).reversed() {
          payload.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift)))
        }
      }
      return payload
    }
  }

  /// A payload without the rows of some nodes; `nil` when it has another form.
  private static func without(_ payload: [UInt8], _ ids: Set<ObjectID>) -> [UInt8]? {
    var rest: [UInt8] = []
    var start = 0
    let isGood = forEach(payload) { id, _ in
      if !ids.contains(id) { rest += payload[start..<start + rowBytes] }
      start += rowBytes
    }
    return isGood ? rest : nil
  }

  /// Waits for the right to change the file.
  ///
  /// - Parameter options: how long to wait, and what a change waits for.
  /// - Returns: the right; `nil` when there is no file.
  /// - Throws: `locked` when another process still holds it.
  package func hold(_ options: RefsOptions) throws(RefsError) -> NotesHold? {
    try notes.hold(options)
  }
}

/// Adds rows to the times at which remotes first had nodes.
///
/// A class, because everything that reads from a remote adds to the same value.
package final class CreatedWriter {
  private let created: CreatedTimes
  private let options: RefsOptions
  private var known: NotesFile.Known<[ObjectID: WallTime]>?

  /// Adds rows to the file of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - options: how long to wait for others, and what an addition waits for.
  package init(in directory: borrowing Directory, _ options: RefsOptions) {
    created = CreatedTimes(in: directory)
    self.options = options
  }

  /// Adds those rows that say something new: of nodes that have none, or a later time.
  ///
  /// The file is made with the first row, and what others have added is read once.
  ///
  /// - Parameter rows: nodes, and when a remote first had them.
  /// - Returns: how many were added.
  /// - Throws: `locked`, `corrupt` when the file is damaged, which it stays, or `system`; rows may be missing then.
  @discardableResult
  package func append(_ rows: [(id: ObjectID, time: WallTime)]) throws(RefsError) -> Int {
    guard !rows.isEmpty else { return 0 }
    var count = 0
    try created.notes.append(&known, from: [:], options) { times, payload in
      CreatedTimes.forEach(payload) { CreatedTimes.put($1, $0, &times) }
    } _: { times in
      var new: [ObjectID: WallTime] = [:]
      for (id, time) in rows where (new[id] ?? times[id]).map({ time < $0 }) ?? true {
        new[id] = time
      }
      count = new.count
      return CreatedTimes.payloads(
        new.sorted { $0.key < $1.key }.map { (id: $0.key, time: $0.value) })
    }
    return count
  }
}
