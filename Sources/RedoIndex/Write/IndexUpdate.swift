// One change of an index: rows that are put and deleted, what is derived from them, and the values that say what the
// index is up to, in one transaction; or a new file, which takes the place of the old one when it is whole.

internal import CSQLite
internal import CanonicalJSON

/// A change in progress.
///
/// A class: its statements cannot be copied, and the session keeps it or nothing.
final class IndexUpdate {
  /// How it is made.
  enum Kind: String, Sendable {
    /// In the file, in one transaction.
    case update
    /// In a new file.
    case rebuild
    /// Not at all: what would be written is compared with what is there.
    case check
  }

  /// How many differences a check names; it counts the others.
  static let namedLimit = 100

  let kind: Kind
  private let file: IndexFile
  private let writer: IndexWriter
  private let connection: SQLiteConnection
  private var derived: DerivedRows?
  private var statements: [IndexTable: RowStatements] = [:]
  /// The indexes that a rebuild has made.
  private var indexed: Set<String> = []
  /// Whether views may have to be made anew.
  private var hasNewSchemas = false
  private(set) var putCount = 0
  private(set) var deletedCount = 0
  private var checked: [IndexTable: Int] = [:]
  /// The differences that a check has found.
  private(set) var differences: [Difference] = []
  private(set) var differenceCount = 0

  /// What a check finds.
  struct Difference: Sendable {
    /// What is wrong.
    enum Kind: String, Sendable {
      case missing, other, extra, damaged
    }
    let kind: Kind
    let table: String
    /// Which row; how many for those that are too many.
    let key: String
  }

  /// Whether the file system has no write-ahead log.
  var lacksLog: Bool { writer.lacksLog }

  /// Begins a change.
  ///
  /// - Parameters:
  ///   - kind: how.
  ///   - file: was checked, unless it is replaced.
  ///   - now: the time to note, in seconds since 1970.
  /// - Throws: `IndexFault`.
  init(_ kind: Kind, of file: IndexFile, now: Double) throws(IndexFault) {
    self.kind = kind
    self.file = file
    switch kind {
    case .update, .check:
      try file.requireDatabase()
      writer = try IndexWriter(file.path, .shared)
    case .rebuild:
      try file.requireFileOrNothing()
      try IndexFile.make(file.unfinished)
      writer = try IndexWriter(file.unfinished, .none)
      do throws(IndexFault) {
        try writer.migrate()
      } catch {
        try? writer.close()
        try? IndexFile.remove(file.unfinished)
        throw error
      }
    }
    connection = try writer.connection()
    do throws(IndexFault) {
      if kind == .rebuild { try dropIndexes() }
      try execute("BEGIN IMMEDIATE")
      // Rows come in an order of their own; at the end each reference must lead to a row.
      try execute("PRAGMA defer_foreign_keys = ON")
      derived = try DerivedRows(on: connection, now: now)
    } catch {
      try? rollback()
      throw error
    }
  }

  private func dropIndexes() throws(IndexFault) {
    // Indexes that are made at the end are made in one go, in order.
    for index in IndexSchema.indexes { try execute("DROP INDEX \(index.name)") }
  }

  /// Makes the indexes of a table of which no more rows come: the sender has other things to do meanwhile.
  func finish(_ table: IndexTable) throws(IndexFault) {
    guard kind == .rebuild else { return }
    try makeIndexes { $0.table.map { $0 == table.rawValue } ?? false }
  }

  /// Makes those of some indexes that a rebuild has not made yet.
  private func makeIndexes(_ areChosen: (IndexSchema.Object) -> Bool) throws(IndexFault) {
    for index in IndexSchema.indexes where areChosen(index) && !indexed.contains(index.name) {
      try execute(index.sql)
      indexed.insert(index.name)
    }
  }

  private func execute(_ sql: String) throws(IndexFault) {
    try connection.run(sql)
  }

  private func statements(of table: IndexTable) throws(IndexFault) -> RowStatements {
    if let known = statements[table] { return known }
    let made = try RowStatements(table, on: connection)
    statements[table] = made
    return made
  }

  // MARK: Rows

  /// Puts a row in its table, or compares it.
  func put(_ table: IndexTable, _ row: JSONValue) throws(IndexFault) {
    let statements = try statements(of: table)
    guard kind != .check else { return try compare(row, statements) }
    if kind == .update { try willChange(table, row) }
    try statements.put(row)
    putCount += 1
  }

  /// Deletes a row.
  func delete(_ table: IndexTable, _ key: JSONValue) throws(IndexFault) {
    guard kind == .update else { throw IndexFault(.request, "delete") }
    try willChange(table, key)
    try statements(of: table).delete(key)
    deletedCount += 1
  }

  /// Notes what is derived from a row, as it is now and as it will be.
  private func willChange(_ table: IndexTable, _ row: JSONValue) throws(IndexFault) {
    switch table {
    case .headers:
      if let cid = row["cid"]?.string { try derived?.willChange(header: cid) }
    case .localReceipts:
      if let uuid = row["uuid"]?.string { try derived?.willChange(localReceipt: uuid) }
      if let cid = row["header_cid"]?.string { try derived?.willChange(header: cid) }
    case .locations:
      if let cid = row["cid"]?.string { try derived?.willChange(location: cid) }
      if let receipt = row["receipt_cid"]?.string { try derived?.willChange(chainOf: receipt) }
    case .chains:
      if let root = row["root_cid"]?.string { try derived?.willChange(chainOf: root) }
    case .tasks:
      if let guid = row["guid"]?.string { try derived?.willChange(task: guid) }
    case .todos:
      if let task = row["task"]?.string { try derived?.willChange(task: task) }
    case .blobs, .circles, .devices, .circleInvites, .receiptBlobs, .sharedMemories,
      .receivedMemories, .nodes, .records:
      break
    case .schemas, .fields: hasNewSchemas = true
    }
  }

  private func compare(
    _ row: JSONValue, _ statements: RowStatements
  ) throws(IndexFault) {
    let table = statements.table
    switch try statements.isStored(row) {
    case nil: differ(.missing, table.rawValue, statements.keyText(row))
    case false?: differ(.other, table.rawValue, statements.keyText(row))
    case true?: break
    }
    if try statements.isStored(row) != nil { checked[table, default: 0] += 1 }
  }

  private func differ(_ kind: Difference.Kind, _ table: String, _ key: String) {
    differenceCount += 1
    guard differences.count < Self.namedLimit else { return }
    differences.append(Difference(kind: kind, table: table, key: key))
  }

  // MARK: The end

  /// Makes the change, with the values that are in the index from then on.
  ///
  /// - Parameter values: an object of texts; all that there were are replaced.
  /// - Throws: `IndexFault`; then nothing was changed.
  func commit(_ values: JSONValue) throws(IndexFault) {
    switch kind {
    case .check:
      try finishCheck(values)
      try rollback()
    case .update:
      try set(values)
      try derived?.update()
      if hasNewSchemas { try RecordViews.make(on: connection) }
      try execute("COMMIT")
      try close()
    case .rebuild:
      try set(values)
      try makeIndexes { _ in true }
      try derived?.build()
      try RecordViews.make(on: connection)
      try execute("COMMIT")
      try requireReferences()
      try execute("PRAGMA analysis_limit = 1000")
      try execute("ANALYZE")
      try close()
      try takePlace()
    }
  }

  /// Checks that every row that a row refers to is there.
  private func requireReferences() throws(IndexFault) {
    let broken = try PreparedStatement("PRAGMA foreign_key_check", on: connection)
    guard try broken.step() else { return }
    throw IndexFault(.constraint, "\(broken.text(0)): no row of \(broken.text(2))")
  }

  private func set(_ values: JSONValue) throws(IndexFault) {
    try execute("DELETE FROM redo_index")
    let insert = try PreparedStatement(
      "INSERT INTO redo_index(key, value) VALUES(?, ?)", on: connection)
    var members = values.members
    while let member = members.next() {
      guard let value = member.value.string else { throw IndexFault(.row, "redo_index.value") }
      insert.bind(member.name.string ?? "", 1)
      insert.bind(value, 2)
      try insert.run()
    }
  }

  /// Gives the change up; the file is as it was.
  func rollback() throws(IndexFault) {
    // There is no transaction if it could not begin.
    if kind != .rebuild { try? execute("ROLLBACK") }
    try close()
    if kind == .rebuild { try IndexFile.remove(file.unfinished) }
  }

  private func close() throws(IndexFault) {
    statements = [:]
    derived = nil
    try writer.close()
  }

  /// Puts the new file in the place of the old one.
  ///
  /// What SQLite has beside the old file must not be taken for the new file's: it goes first, with the old file where
  /// what is beside it may have a part of its rows.
  private func takePlace() throws(IndexFault) {
    if IndexFile.status(file.path) != nil {
      let isAlone = (try? emptyLog()) ?? false
      if !isAlone { try IndexFile.remove(file.path) }
    }
    for companion in IndexFile.companions { try IndexFile.remove(file.path + companion) }
    try IndexFile.replace(file.path, with: file.unfinished)
    // The mode of the journal is in the file.
    let shared = try IndexWriter(file.path, .shared)
    try shared.close()
  }

  /// Whether the old file could be made to have all its rows itself, and nobody else has it open.
  private func emptyLog() throws(IndexFault) -> Bool {
    try file.requireDatabase()
    let old = try IndexWriter(file.path, .shared)
    let isAlone = try old.connection().text(of: "PRAGMA journal_mode = DELETE") == "delete"
    try old.close()
    return isAlone
  }

  // MARK: Checks

  private func finishCheck(_ values: JSONValue) throws(IndexFault) {
    for table in IndexTable.allCases {
      let count = try PreparedStatement("SELECT count(*) FROM \(table.rawValue)", on: connection)
      _ = try count.step()
      let extra = Int(count.integer(0)) - checked[table, default: 0]
      if extra != 0 { differ(.extra, table.rawValue, "\(extra)") }
    }
    try compareDerived("fts_memories", Self.expectedMemories)
    try compareDerived("fts_tasks", Self.expectedTasks)
    // What is derived for the comparison is rolled back.
    try execute("CREATE TEMP TABLE stored_days AS SELECT * FROM daily_summaries")
    try execute("DELETE FROM daily_summaries")
    try derived?.buildDays()
    try compareDerived("daily_summaries", Self.expectedDays)
    let integrity = try PreparedStatement("PRAGMA integrity_check(10)", on: connection)
    while try integrity.step() {
      if integrity.text(0) != "ok" { differ(.damaged, "", integrity.text(0)) }
    }
    for table in IndexSchema.texts.map(\.name) {
      do throws(IndexFault) {
        try execute("INSERT INTO \(table)(\(table)) VALUES('integrity-check')")
      } catch {
        guard error.code == .damaged else { throw error }
        differ(.damaged, table, "integrity-check")
      }
    }
  }

  /// Compares derived rows with what would be derived.
  private func compareDerived(_ table: String, _ queries: (stored: String, made: String))
    throws(IndexFault)
  {
    for (first, second, kind) in [
      (queries.made, queries.stored, Difference.Kind.missing),
      (queries.stored, queries.made, .extra),
    ] {
      let rows = try PreparedStatement("\(first) EXCEPT \(second)", on: connection)
      while try rows.step() { differ(kind, table, rows.text(0)) }
    }
  }

  private static let expectedDays = (
    stored: days("temp.stored_days"), made: days("daily_summaries")
  )

  /// A day but for the time at which it was computed.
  private static func days(_ table: String) -> String {
    """
    SELECT date, session_count, total_amount_grams, unique_strains_json, dominant_effects_json,
      avg_rating, locations_visited_json FROM \(table)
    """
  }

  private static let expectedMemories = (
    stored: "SELECT cid, product_name, strain_name, notes, place_name FROM fts_memories",
    made: "SELECT \(DerivedRows.memoryText("1"))"
  )
  private static let expectedTasks = (
    stored: "SELECT guid, title, description, notes FROM fts_tasks",
    made: "SELECT \(DerivedRows.taskText("1"))"
  )
}
