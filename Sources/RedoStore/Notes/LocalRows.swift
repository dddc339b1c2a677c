// `local`: what a person notes about receipts, and what cannot be derived from them. Its first line is `redo-local 1`;
// records of rows follow (NotesFile), each a line of JSON with its line feed (LocalRow). Of several rows of a key the last one
// holds. Nobody else may read the file.

package import RedoObject

/// The local rows of a store.
package struct LocalRows: ~Copyable, Sendable {
  /// From how many bytes on a record ends.
  private static let recordBytes = 4 << 20
  private static let form = NotesFile.Form(
    name: Layout.local, firstLine: Array("redo-local 1\n".utf8),
    payloadLimit: recordBytes + LocalRow.byteLimit + 1, permissions: 0o600,
    without: { payload, ids in without(payload, ids) })

  let notes: NotesFile

  /// The local rows of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - isFrozen: whether nothing may be written.
  package init(in directory: borrowing Directory, isFrozen: Bool = false) {
    notes = NotesFile(Self.form, in: directory, isFrozen: isFrozen)
  }

  /// The rows that hold.
  package struct Found: Sendable {
    /// The last row of each key, those among them that take one away: what is taken away does not come back with an
    /// older row.
    package private(set) var rows: [LocalRow.Key: LocalRow] = [:]
    /// The first row that breaks a rule, and which.
    package fileprivate(set) var fault: Finding?
    /// How many bytes the rows of the file have.
    package private(set) var rowBytes = 0
    /// The end of the last whole record, 0 when there is no file.
    package fileprivate(set) var endBytes = 0
    /// How many bytes of a record follow that a writer has not ended.
    package fileprivate(set) var tornBytes = 0
    /// What is wrong with the file from there on.
    package fileprivate(set) var damage: RefsError?

    /// Nothing.
    package init() {}

    /// The rows of a table, in the order of their keys; without those that only take one away.
    package func rows(of table: LocalTable?) -> [LocalRow] {
      all.filter { ($0.members != nil || $0.isPutAway) && (table == nil || $0.key.table == table) }
    }

    /// The last row of each key, in the order of the keys.
    package var all: [LocalRow] { rows.values.sorted { $0.key < $1.key } }

    /// Lets a row hold.
    package mutating func put(_ row: LocalRow) { rows[row.key] = row }

    /// Takes the rows of a payload.
    ///
    /// - Returns: whether it ends with a line.
    fileprivate mutating func take(_ payload: [UInt8], of table: LocalTable? = nil) -> Bool {
      guard payload.last == UInt8(ascii: "\n") else { return false }
      for line in payload.dropLast().split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      {
        rowBytes += line.count + 1
        if let table, !LocalRow.mayBe(of: table, line) { continue }
        do throws(Finding) {
          put(try LocalRow(stored: Array(line)))
        } catch {
          if fault == nil { fault = error }
        }
      }
      return true
    }

    /// Whether more than half of the rows' bytes are of rows that do not hold any more.
    package var isLoose: Bool {
      2 * rows.values.reduce(0) { $0 + $1.line.count + 1 } < rowBytes
    }
  }

  /// Reads the rows, as far as the file is good.
  ///
  /// - Parameter table: the only table of interest; `nil` for all.
  /// - Returns: what was found; nothing when there is no file.
  package func read(of table: LocalTable? = nil) -> Found {
    let reading = notes.read(from: Found()) { found, payload in found.take(payload, of: table) }
    var found = reading.value
    found.endBytes = reading.endBytes
    found.tornBytes = reading.tornBytes
    found.damage = reading.damage
    if found.fault == nil {
      found.fault = LocalConflict(among: found.all)?.finding
    }
    return found
  }

  /// Adds rows, all or none of them as far as they are of one record.
  ///
  /// - Parameters:
  ///   - options: how long to wait for others, and what an addition waits for.
  ///   - make: makes the rows to add of those that are there.
  /// - Throws: `locked`, `corrupt` when the file is damaged, which it stays, `system`; what the closure throws, and nothing is
  ///   added then.
  package func append(
    _ options: RefsOptions, _ make: (Found) throws -> [LocalRow]
  ) throws {
    var known: NotesFile.Known<Found>?
    var failure: (any Error)?
    try notes.append(&known, from: Found(), options) { found, payload in
      found.take(payload)
    } _: { found in
      do {
        return Self.payloads(try make(found))
      } catch {
        failure = error
        return []
      }
    }
    if let failure { throw failure }
  }

  /// Leaves out of the file what does not hold any more, where that is more than half.
  ///
  /// - Parameters:
  ///   - options: how long to wait for others, and what the change waits for.
  ///   - isDryRun: whether that is only found out.
  /// - Returns: how many bytes that saves; 0 when the file stays as it is, as a damaged one does.
  /// - Throws: `locked`, `system`.
  package func compact(_ options: RefsOptions, isDryRun: Bool) throws(RefsError) -> Int {
    guard
      try RefsError.wrapping({ () throws(SystemError) in
        try notes.directory.status(Layout.local)
      }) != nil, let hold = try notes.hold(options)
    else { return 0 }
    let found = read()
    guard found.damage == nil, found.fault == nil, found.isLoose else { return 0 }
    let payloads = Self.payloads(found.all)
    let kept = payloads.reduce(0) { $0 + $1.count }
    guard !isDryRun else { return found.rowBytes - kept }
    try RefsError.wrapping { () throws(SystemError) in try hold.replace(by: payloads) }
    return found.rowBytes - kept
  }

  /// How many lines of the file name one of some objects.
  ///
  /// - Parameter ids: the objects.
  /// - Returns: the number, as far as the file is good.
  package func count(naming ids: Set<ObjectID>) -> Int {
    notes.read(from: 0) { count, payload in
      for line in payload.split(separator: UInt8(ascii: "\n"))
      where ObjectID.isAny(of: ids, namedByCIDIn: line.span) { count += 1 }
      return true
    }.value
  }

  /// Waits for the right to change the file.
  ///
  /// - Parameter options: how long to wait, and what a change waits for.
  /// - Returns: the right, by which lines that name objects are removed; `nil` when there is no file.
  /// - Throws: `locked` when another process still holds it.
  package func hold(_ options: RefsOptions) throws(RefsError) -> NotesHold? {
    try notes.hold(options)
  }

  /// A payload without the lines that name some objects.
  private static func without(_ payload: [UInt8], _ ids: Set<ObjectID>) -> [UInt8]? {
    var rest: [UInt8] = []
    for line in payload.split(separator: UInt8(ascii: "\n"))
    where !ObjectID.isAny(of: ids, namedByCIDIn: line.span) {
      rest += line
      rest.append(UInt8(ascii: "\n"))
    }
    return rest
  }

  private static func payloads(_ rows: [LocalRow]) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    var payload: [UInt8] = []
    for row in rows {
      payload += row.line
      payload.append(UInt8(ascii: "\n"))
      guard payload.count >= recordBytes else { continue }
      payloads.append(payload)
      payload = []
    }
    if !payload.isEmpty { payloads.append(payload) }
    return payloads
  }
}
