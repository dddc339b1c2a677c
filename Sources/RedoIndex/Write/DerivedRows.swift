// What is made of rows here, in the transaction that writes them: the full text of memories and tasks, and the days.
//
// The full text has a row for each local receipt of a session that lives, and for each task, under the rowid of the header or
// task; deleting by rowid is quick, while by cid it would read the whole text. (VACUUM may give new rowids to tables
// without an integer key. We never run it; should somebody else have done so, the row is looked for by its cid.)

internal import CSQLite

/// Writes derived rows.
struct DerivedRows: ~Copyable {
  /// What must be derived again, and what there was of it before the first change.
  private struct Before {
    /// Whether it had a row of full text.
    let hadText: Bool
    /// The rowid of its header or task.
    let rowid: Int64
    /// The day of its session.
    let day: String?
  }

  private let now: Double
  private var headers: [String: Before] = [:]
  private var tasks: [String: Before] = [:]
  private let headerState: PreparedStatement
  private let taskState: PreparedStatement
  private let headOfUUID: PreparedStatement
  private let headsOfChain: PreparedStatement
  private let receiptOfPlace: PreparedStatement
  private let connection: SQLiteConnection

  /// Nothing to derive yet.
  ///
  /// - Parameters:
  ///   - connection: lives longer.
  ///   - now: the time to note, in seconds since 1970.
  /// - Throws: `IndexFault`.
  init(on connection: SQLiteConnection, now: Double) throws(IndexFault) {
    let headerState = try PreparedStatement(
      """
      SELECT h.rowid, \(DaySummaries.day("h")),
        EXISTS (SELECT 1 FROM local_receipts WHERE header_cid = h.cid) AND \(Piece.isSession("h"))
          AND \(Piece.lives("h"))
      FROM ucr_headers h WHERE h.cid = ?
      """, on: connection)
    let taskState = try PreparedStatement(
      "SELECT rowid, NULL, 1 FROM tasks WHERE guid = ?", on: connection)
    let headOfUUID = try PreparedStatement(
      "SELECT header_cid FROM local_receipts WHERE uuid = ?", on: connection)
    let headsOfChain = try PreparedStatement(
      """
      SELECT lr.header_cid FROM ucr_headers member JOIN ucr_headers placed
        ON member.root_cid = placed.root_cid
      JOIN local_receipts lr ON lr.header_cid = member.cid WHERE placed.cid = ?
      """, on: connection)
    let receiptOfPlace = try PreparedStatement(
      "SELECT receipt_cid FROM locations WHERE cid = ?", on: connection)
    self.connection = connection
    self.now = now
    self.headerState = headerState
    self.taskState = taskState
    self.headOfUUID = headOfUUID
    self.headsOfChain = headsOfChain
    self.receiptOfPlace = receiptOfPlace
  }

  // MARK: What changes

  /// Notes a header before it, or its local receipt, changes.
  mutating func willChange(header cid: String) throws(IndexFault) {
    guard headers[cid] == nil else { return }
    headers[cid] = try Self.before(cid, headerState)
  }

  /// Notes a local receipt before it changes.
  mutating func willChange(localReceipt uuid: String) throws(IndexFault) {
    for cid in try Self.texts(uuid, headOfUUID) { try willChange(header: cid) }
  }

  /// Notes a location before it changes.
  mutating func willChange(location cid: String) throws(IndexFault) {
    for receipt in try Self.texts(cid, receiptOfPlace) { try willChange(chainOf: receipt) }
  }

  /// Notes the chain of a receipt, which changes, or a place of which does.
  mutating func willChange(chainOf receipt: String) throws(IndexFault) {
    for cid in try Self.texts(receipt, headsOfChain) { try willChange(header: cid) }
  }

  /// Notes a task before it, or one of its todos, changes.
  mutating func willChange(task guid: String) throws(IndexFault) {
    guard tasks[guid] == nil else { return }
    tasks[guid] = try Self.before(guid, taskState)
  }

  private static func before(
    _ key: String, _ statement: borrowing PreparedStatement
  ) throws(IndexFault) -> Before {
    statement.bind(key, 1)
    defer { statement.reset() }
    guard try statement.step() else { return Before(hadText: false, rowid: 0, day: nil) }
    return Before(
      hadText: statement.integer(2) != 0, rowid: statement.integer(0),
      day: statement.isNull(1) ? nil : statement.text(1))
  }

  private static func texts(
    _ key: String, _ statement: borrowing PreparedStatement
  ) throws(IndexFault) -> [String] {
    statement.bind(key, 1)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { if !statement.isNull(0) { texts.append(statement.text(0)) } }
    return texts
  }

  // MARK: What follows

  /// Derives again what was noted.
  mutating func update() throws(IndexFault) {
    try Self.replace(headers, in: "fts_memories", by: "cid", Self.memories("h.cid = ?"), connection)
    try Self.replace(tasks, in: "fts_tasks", by: "guid", Self.taskTexts("t.guid = ?"), connection)
    var days = Set(headers.values.compactMap(\.day))
    // Headers that were not there before have their day now.
    for cid in headers.keys {
      if let day = try Self.before(cid, headerState).day { days.insert(day) }
    }
    if !days.isEmpty {
      let summaries = try DaySummaries(on: connection, now: now)
      for day in days.sorted() { try summaries.write(day) }
    }
    headers = [:]
    tasks = [:]
  }

  /// Derives everything in a file that has nothing derived.
  func build() throws(IndexFault) {
    try PreparedStatement(Self.memories("1 ORDER BY h.rowid"), on: connection).run()
    try PreparedStatement(Self.taskTexts("1 ORDER BY t.rowid"), on: connection).run()
    try buildDays()
  }

  /// Derives the days in a file that has none.
  func buildDays() throws(IndexFault) {
    let days = try PreparedStatement(
      """
      SELECT DISTINCT \(DaySummaries.day("h")) AS day FROM local_receipts lr
      JOIN ucr_headers h ON h.cid = lr.header_cid
      WHERE \(Piece.isSession("h")) AND day IS NOT NULL ORDER BY day
      """, on: connection)
    let summaries = try DaySummaries(on: connection, now: now)
    while try days.step() { try summaries.write(days.text(0)) }
  }

  private static func replace(
    _ changed: [String: Before], in table: String, by key: String, _ insertion: String,
    _ connection: SQLiteConnection
  ) throws(IndexFault) {
    guard !changed.isEmpty else { return }
    let delete = try PreparedStatement(
      "DELETE FROM \(table) WHERE rowid = ? AND \(key) = ?", on: connection)
    let insert = try PreparedStatement(insertion, on: connection)
    // All are deleted before any is inserted: a new row may have the rowid of one that is gone.
    for (name, before) in changed where before.hadText {
      delete.bind(before.rowid, 1)
      delete.bind(name, 2)
      try delete.run()
      if connection.changes == 0 {
        let search = try PreparedStatement(
          "DELETE FROM \(table) WHERE \(key) = ?", on: connection)
        search.bind(name, 1)
        try search.run()
      }
    }
    for name in changed.keys.sorted() {
      insert.bind(name, 1)
      do throws(IndexFault) {
        try insert.run()
      } catch {
        // Another row has its rowid: the file was written by somebody else.
        guard error.code == .constraint else { throw error }
        throw IndexFault(.damaged, table)
      }
    }
  }

  /// Writes the full text of sessions.
  private static func memories(_ which: String) -> String {
    """
    INSERT INTO fts_memories(rowid, cid, product_name, strain_name, notes, place_name)
    SELECT h.rowid, \(memoryText(which))
    """
  }

  /// Writes the full text of tasks.
  private static func taskTexts(_ which: String) -> String {
    """
    INSERT INTO fts_tasks(rowid, guid, title, description, notes)
    SELECT t.rowid, \(taskText(which))
    """
  }

  /// The full text of sessions: the rest of a selection.
  static func memoryText(_ which: String) -> String {
    """
    h.cid, \(Piece.member("h", "product_name")), \(Piece.member("h", "strain_name")),
      \(Piece.member("h", "notes")), \(Piece.place("h"))
    FROM local_receipts lr JOIN ucr_headers h ON h.cid = lr.header_cid
    WHERE \(Piece.isSession("h")) AND \(Piece.lives("h")) AND \(which)
    """
  }

  /// The full text of tasks: the rest of a selection.
  static func taskText(_ which: String) -> String {
    """
    t.guid, t.title, t.description,
      (SELECT group_concat(notes, char(10)) FROM
        (SELECT notes FROM todos WHERE task = t.guid AND notes <> '' ORDER BY guid))
    FROM tasks t WHERE \(which)
    """
  }
}
