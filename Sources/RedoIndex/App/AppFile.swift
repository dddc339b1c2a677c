// A database of the app. A copy is migrated, the way that an index goes, and its rows are told in the form in which
// they would be put; whether they are true (that bytes hash to their CID, that a signature holds) is redo's to find out.

internal import CSQLite
internal import CanonicalJSON
internal import GRDB

/// A copy of an app's database.
struct AppFile {
  /// The tables that an app has rows of.
  private static let tables: [IndexTable] = [
    .blobs, .circles, .devices, .circleInvites, .headers, .localReceipts, .locations, .receiptBlobs,
    .sharedMemories, .receivedMemories,
  ]
  /// The largest blob that is told, in bytes: one that fits a line.
  private static let blobLimit: Int64 = 32 << 20

  private let copy: IndexFile
  /// The latest migration of the app.
  let version: String
  /// How many rows of other tables it has, which are not taken over, by table.
  let left: [(table: String, count: Int64)]

  /// What came of telling the rows.
  struct Told {
    /// How many were told.
    var rows = 0
    /// How many have a value that is not of its column's kind.
    var wrong = 0
  }

  /// Copies a database and looks at it.
  ///
  /// - Parameters:
  ///   - file: the app's, which is only read.
  ///   - copy: where the copy is made.
  /// - Throws: `IndexFault`; then there is no copy.
  init(_ file: IndexFile, copy: IndexFile) throws(IndexFault) {
    self.copy = copy
    try file.requireDatabase()
    try copy.requireFileOrNothing()
    do throws(IndexFault) {
      try file.copy(to: copy)
      let writer = try IndexWriter(copy.path, .shared)
      version = try Self.prepare(writer)
      left = try Self.count(try writer.connection())
      try writer.close()
    } catch {
      copy.removeAll()
      throw error
    }
  }

  /// Takes away what would run by itself, and finds the version.
  private static func prepare(_ writer: IndexWriter) throws(IndexFault) -> String {
    let connection = try writer.connection()
    guard try connection.text(of: "PRAGMA quick_check(1)") == "ok" else {
      throw IndexFault(.damaged, "quick_check")
    }
    for (kind, name) in try names(
      connection, "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    {
      try connection.run("DROP \(kind) \(name.quotedName)")
    }
    let kinds = try names(
      connection, "SELECT coalesce(sql, ''), name FROM sqlite_schema WHERE type = 'table'")
    for name in ["grdb_migrations", "ucr_headers", "local_receipts"] {
      guard kinds.contains(where: { $0.name == name }) else { throw IndexFault(.foreign, name) }
    }
    // Nobody has rows of the app in a table that a module makes up.
    if let table = kinds.first(where: {
      isVirtual($0.kind) && IndexTable(rawValue: $0.name) != nil
    }) {
      throw IndexFault(.app, table.name)
    }
    let applied = try names(connection, "SELECT '', identifier FROM grdb_migrations ORDER BY rowid")
      .map(\.name)
    if let unknown = applied.first(where: { !Migrations.isApps($0) }) {
      throw IndexFault(.version, unknown)
    }
    guard applied.contains("v1"), let last = applied.max() else {
      throw IndexFault(.version, "v1")
    }
    try connection.run(
      """
      UPDATE OR IGNORE grdb_migrations SET identifier = 'v3_circles'
      WHERE identifier = '\(Migrations.alias)'
      """)
    return last
  }

  private static func isVirtual(_ sql: String) -> Bool {
    sql.uppercased().hasPrefix("CREATE VIRTUAL")
  }

  private static func names(
    _ connection: SQLiteConnection, _ sql: String
  ) throws(IndexFault) -> [(kind: String, name: String)] {
    let statement = try PreparedStatement(sql, on: connection)
    var names: [(kind: String, name: String)] = []
    while try statement.step() { names.append((statement.text(0), statement.text(1))) }
    return names
  }

  /// Tables whose rows become rows of others, or are derived.
  private static let absorbed: Set = [
    "circle_members", "daily_summaries", "grdb_migrations", "jar_members",
  ]

  /// Counts the rows that are not taken over.
  private static func count(
    _ connection: SQLiteConnection
  ) throws(IndexFault) -> [(table: String, count: Int64)] {
    let all = try names(
      connection,
      "SELECT coalesce(sql, ''), name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    let texts = all.filter { isVirtual($0.kind) }.map(\.name)
    let known = absorbed.union(tables.map(\.rawValue))
    var left: [(table: String, count: Int64)] = []
    for (_, name) in all where !known.contains(name) && !name.hasPrefix("sqlite_") {
      guard !texts.contains(where: { name == $0 || name.hasPrefix($0 + "_") }) else { continue }
      left.append((name, try count(name, connection)))
    }
    // The app dropped the devices that it had before v3.
    let columns = try names(connection, "SELECT '', name FROM pragma_table_info('devices')")
    if !columns.isEmpty, !columns.contains(where: { $0.name == "status" }) {
      left.append(("devices", try count("devices", connection)))
    }
    return left.filter { $0.count > 0 }
  }

  private static func count(
    _ table: String, _ connection: SQLiteConnection
  ) throws(IndexFault) -> Int64 {
    let counting = try PreparedStatement(
      "SELECT count(*) FROM \(table.quotedName)", on: connection)
    return try counting.step() ? counting.integer(0) : 0
  }

  /// Tells the bytes of blobs, which the migrated tables have no place for.
  ///
  /// - Parameter body: gets each as an object of one line.
  /// - Throws: `IndexFault`.
  func tellBlobs(_ body: ([UInt8]) throws(IndexFault) -> Void) throws(IndexFault) {
    let writer = try IndexWriter(copy.path, .shared)
    do throws(IndexFault) {
      try Self.tellBlobs(try writer.connection(), body)
    } catch {
      try? writer.close()
      throw error
    }
    try writer.close()
  }

  private static func tellBlobs(
    _ connection: SQLiteConnection, _ body: ([UInt8]) throws(IndexFault) -> Void
  ) throws(IndexFault) {
    let columns = try names(connection, "SELECT '', name FROM pragma_table_info('blobs')").map(
      \.name)
    guard columns.contains("data") else { return }
    let blobs = try PreparedStatement(
      "SELECT cid, length(data), data FROM blobs ORDER BY cid", on: connection)
    while try blobs.step() {
      guard blobs.integer(1) <= blobLimit else { throw IndexFault(.limit, blobs.text(0)) }
      var line = Array("{\"blob\":".utf8)
      JSONWriter.appendString(blobs.text(0), to: &line)
      line += ",\"data\":\"".utf8
      Base64Text.append(blobs.blob(2), to: &line)
      line += "\"}".utf8
      try body(line)
    }
  }

  /// Migrates the copy, and tells its rows.
  ///
  /// What a row refers to need not be there: that is for redo to say, who knows each row's name.
  ///
  /// - Parameter body: gets each as a request to put it, or what is wrong with it.
  /// - Returns: how many there were.
  /// - Throws: `IndexFault`.
  func tellRows(_ body: ([UInt8]) throws(IndexFault) -> Void) throws(IndexFault) -> Told {
    let writer = try IndexWriter(copy.path, .shared)
    var told = Told()
    do throws(IndexFault) {
      try writer.migrate(checksReferences: false)
      let connection = try writer.connection()
      for table in Self.tables { try Self.tellRows(of: table, connection, &told, body) }
    } catch {
      try? writer.close()
      // What contradicts the schema, or itself, is the app's.
      throw error.code == .constraint || error.code == .query
        ? IndexFault(.app, error.detail) : error
    }
    try writer.close()
    return told
  }

  private static func tellRows(
    of table: IndexTable, _ connection: SQLiteConnection, _ told: inout Told,
    _ body: ([UInt8]) throws(IndexFault) -> Void
  ) throws(IndexFault) {
    let columns = table.columns
    // Receipts as they were received.
    let order = table == .headers ? "received_at, rowid" : "rowid"
    let rows = try PreparedStatement(
      """
      SELECT \(columns.map(\.text).joined(separator: ", ")) FROM \(table.rawValue) ORDER BY \(order)
      """, on: connection)
    let key = table.key.compactMap { name in columns.firstIndex { $0.text == name } }
    while try rows.step() {
      var line: [UInt8] = []
      var wrong: String?
      JSONWriter.append(to: &line) { json in
        json.object { json in
          json.add("put", table.rawValue)
          json.addObject("row") { json in
            for (index, column) in columns.enumerated() {
              json.name(text: column.text)
              if !rows.write(index, column.kind, to: &json) { wrong = column.text }
            }
          }
        }
      }
      if let wrong {
        told.wrong += 1
        line = []
        let name = key.map { rows.text($0) }.joined(separator: "/")
        JSONWriter.append(to: &line) { json in
          json.object { json in
            json.addObject("wrong") { json in
              json.add("column", wrong)
              json.add("key", name)
              json.add("table", table.rawValue)
            }
          }
        }
      } else {
        told.rows += 1
      }
      try body(line)
    }
  }

  /// Removes the copy.
  func remove() { copy.removeAll() }
}

extension PreparedStatement {
  /// Writes a value as it would be put.
  ///
  /// - Returns: whether it is of its column's kind.
  fileprivate func write(_ index: Int, _ kind: ColumnKind, to json: inout JSONWriter) -> Bool {
    if isNull(index) {
      json.null()
      return true
    }
    switch kind {
    case .text where isText(index):
      let bytes = textBytes(index)
      json.value(String(decoding: bytes, as: UTF8.self))
    case .integer where isInteger(index), .number where isInteger(index):
      json.value(integer(index))
    case .real where isReal(index) && real(index).isFinite,
      .number where isReal(index) && real(index).isFinite:
      json.value(real(index))
    case .blob where isBlob(index):
      var text: [UInt8] = []
      Base64Text.append(blob(index), to: &text)
      json.value(escaped: text)
    default:
      json.null()
      return false
    }
    return true
  }
}
