// `created`: when a remote first had a node, as the remote says. Its first line is `redo-created 1`; records
// follow:
//
//   @<payload bytes: 8 hex> <check of the length: 8 hex>     as in the refs' journal
//   rows of 40 bytes: 32 raw bytes id; 8 bytes milliseconds since 1970, the highest first
//   32 raw bytes: SHA-256 of the line and the rows
//
// If an id has several rows, the earliest time counts. Nothing depends on it, because the clock is a remote's: no
// order, no replay, no point in time. So no ref counts it, it may have rows for nodes that are not here, and if it is
// damaged only times are lost.

internal import RedoCrypto
package import RedoObject

/// The times at which remotes first had nodes.
package struct CreatedTimes: ~Copyable, Sendable {
  /// The name of the file.
  static let name = Layout.created
  /// The first line of the file.
  static let firstLine = Array("redo-created 1\n".utf8)
  /// The bytes of a row.
  static let rowBytes = Digest.byteCount + 8
  /// The most rows in one record, so that reading needs 2.5 MiB at most.
  static let maximumRows = 65_536
  /// The times that a row can have: years 0001 to 9999.
  private static let range: ClosedRange<Int64> =
    WallTime.earliest.milliseconds...WallTime.latest.milliseconds
  /// How long a reader that finds damage waits for a writer that may be the cause.
  private static let patienceMilliseconds = 1_000

  let directory: Directory

  /// The times of a store.
  ///
  /// - Parameter directory: the store's directory, `.redo`.
  package init(in directory: borrowing Directory) {
    self.directory = directory.share()
  }

  /// What was read.
  package struct Found: Sendable {
    /// When remotes first had the nodes in question; nodes without a row are missing.
    package fileprivate(set) var times: [ObjectID: WallTime] = [:]
    /// The end of the last whole record, 0 when there is no file.
    package fileprivate(set) var endBytes = 0
    /// How many bytes of a record follow that a writer has not ended.
    package fileprivate(set) var tornBytes = 0
    /// What is wrong with the file from there on.
    package fileprivate(set) var damage: RefsError?
  }

  /// Reads the times of nodes, as far as the file is good.
  ///
  /// - Parameter ids: the nodes; `nil` for all.
  /// - Returns: what was found; nothing when there is no file.
  /// - Complexity: O(*n*) for *n* rows; one system call when there is no file.
  package func read(of ids: Set<ObjectID>? = nil) -> Found {
    let found = readOnce(ids)
    guard found.damage != nil else { return found }
    // It may have been read while somebody was writing it.
    let lock = try? LockFile.acquire(
      in: directory, name: Self.name, mode: .shared,
      timeoutMilliseconds: Self.patienceMilliseconds, options: [.noFollow, .nonBlocking])
    defer { extendLifetime(lock) }
    return readOnce(ids)
  }

  private func readOnce(_ ids: Set<ObjectID>?) -> Found {
    var found = Found()
    do throws(SystemError) {
      let options: File.Options = [.noFollow, .nonBlocking]
      guard let file = try directory.openFileIfPresent(Self.name, .read, options) else {
        return found
      }
      let size = try Self.size(of: file)
      found.damage = Self.scan(file, size, &found.endBytes) { id, time in
        guard ids?.contains(id) ?? true else { return }
        if found.times[id].map({ time < $0 }) ?? true { found.times[id] = time }
      }
      if found.damage == nil { found.tornBytes = size - found.endBytes }
    } catch {
      found.damage = .system(error)
    }
    return found
  }

  /// The size of an open file.
  ///
  /// - Throws: what fstat(2) answered; `notRegular` when it is something else.
  static func size(of file: borrowing File) throws(SystemError) -> Int {
    let status = try file.status()
    guard status.kind == .regular else { throw .notRegular(file.path) }
    return status.size
  }

  /// Visits the rows of an open file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - size: how much of it is looked at.
  ///   - end: where to go on, the end of a whole record or 0; receives that of the last one.
  ///   - visit: receives each row.
  /// - Returns: what is wrong with the file from the end on.
  static func scan(
    _ file: borrowing File, _ size: Int, _ end: inout Int, _ visit: (ObjectID, WallTime) -> Void
  ) -> RefsError? {
    do throws(RecordError) {
      if size < firstLine.count, try isTornStart(file, size) { return nil }
      var reader = try RecordReader(
        file, firstLine: firstLine, size: size, payloadLimit: rowBytes * maximumRows,
        from: end == 0 ? nil : end)
      end = reader.position
      while let record = try reader.next(in: file) {
        guard let rows = rows(of: record.payload) else {
          throw .corrupt(offset: end, rule: "a record has rows that say nothing")
        }
        for (id, time) in rows { visit(id, time) }
        end = reader.position
      }
      return nil
    } catch {
      switch error {
      case .system(let error): return .system(error)
      case .corrupt(let offset, let rule): return .corrupt(file.path, at: offset, rule)
      }
    }
  }

  /// Whether a file has only the beginning of its first line.
  private static func isTornStart(
    _ file: borrowing File, _ size: Int
  ) throws(RecordError) -> Bool {
    let bytes = try RecordReader.read(file, size, at: 0)
    return bytes.elementsEqual(firstLine.prefix(size)) || bytes.allSatisfy { $0 == 0 }
  }

  private static func rows(of payload: [UInt8]) -> [(ObjectID, WallTime)]? {
    guard payload.count % rowBytes == 0 else { return nil }
    var rows: [(ObjectID, WallTime)] = []
    rows.reserveCapacity(payload.count / rowBytes)
    for start in stride(from: 0, to: payload.count, by: rowBytes) {
      let place = start + Digest.byteCount
      let number = payload[place..<start + rowBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let milliseconds = Int64(bitPattern: number)
      guard let digest = Digest(raw: payload.span.extracting(start..<place)),
        range.contains(milliseconds)
      else { return nil }
      rows.append((ObjectID(digest: digest), WallTime(milliseconds: milliseconds)))
    }
    return rows
  }

  /// The bytes of the records of rows.
  static func records(_ rows: [(id: ObjectID, time: WallTime)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: rows.count, by: maximumRows) {
      var payload: [UInt8] = []
      for (id, time) in rows[start..<min(start + maximumRows, rows.count)] {
        id.appendRaw(to: &payload)
        let number = UInt64(bitPattern: time.milliseconds)
        for shift in (0..<8).reversed() {
          payload.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift)))
        }
      }
      bytes += RecordReader.record(payload)
    }
    return bytes
  }
}
