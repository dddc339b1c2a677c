// A connection that only reads. It is SQLite's own: GRDB's gives neither the flag that refuses links nor a place for
// an authorizer.

internal import CSQLite
internal import Glibc

/// A read-only connection, closed when it goes.
final class IndexReader {  // a class: SQLite keeps its address for the progress handler
  /// The longest text of a query, in bytes.
  static let textLimit = 4096
  /// The largest value, in bytes; a row that was fed is never larger.
  private static let valueLimit: Int32 = 128 << 20
  /// How many steps of SQLite's machine pass before it is asked whether somebody still reads.
  private static let stepsBetweenLooks: Int32 = 1_000_000

  let connection: SQLiteConnection
  /// The descriptor that answers go to; -1 for none.
  private let output: Int32
  /// Whether the file is read as one that nobody changes, because its directory cannot be written.
  let isImmutable: Bool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: was checked.
  ///   - output: the descriptor that answers go to, for noticing that nobody reads them.
  /// - Throws: `IndexFault`.
  init(_ file: IndexFile, output: Int32 = -1) throws(IndexFault) {
    self.output = output
    (connection, isImmutable) = try Self.open(file)
    let place = unsafe Unmanaged.passUnretained(self).toOpaque()
    // SAFETY: the handler is gone with the connection, which the reader closes when it goes.
    unsafe sqlite3_progress_handler(
      connection.pointer, Self.stepsBetweenLooks,
      { place in
        guard let place = unsafe place else { return 1 }
        let reader = unsafe Unmanaged<IndexReader>.fromOpaque(place).takeUnretainedValue()
        return reader.hasReader ? 0 : 1
      }, place)
  }

  deinit { connection.close() }

  private static func open(
    _ file: IndexFile
  ) throws(IndexFault) -> (SQLiteConnection, isImmutable: Bool) {
    do throws(IndexFault) {
      return (try open(file, isImmutable: false), false)
    } catch {
      // A file in WAL mode needs a file beside it even for reading.
      guard error.code == .access, !file.hasJournal else { throw error }
      return (try open(file, isImmutable: true), true)
    }
  }

  private static func open(
    _ file: IndexFile, isImmutable: Bool
  ) throws(IndexFault) -> SQLiteConnection {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    var code = unsafe sqlite3_open_v2(
      file.uri + (isImmutable ? "?immutable=1" : ""), &opened, flags, nil)
    guard let pointer = unsafe opened else { throw fault(of: code, file.path) }
    let connection = unsafe SQLiteConnection(pointer)
    do throws(IndexFault) {
      guard code == SQLITE_OK else { throw fault(of: code, file.path) }
      code = unsafe redo_sqlite_defend(connection.pointer)
      guard code == SQLITE_OK else { throw fault(of: code, file.path) }
      code = unsafe redo_sqlite_refuse_quoted_texts(connection.pointer)
      guard code == SQLITE_OK else { throw fault(of: code, file.path) }
      unsafe sqlite3_limit(connection.pointer, SQLITE_LIMIT_LENGTH, valueLimit)
      unsafe sqlite3_busy_timeout(connection.pointer, IndexPragmas.busyMilliseconds)
      for pragma in IndexPragmas.reading { try connection.run(pragma) }
      // The first page is read here.
      _ = try PreparedStatement("SELECT count(*) FROM sqlite_schema", on: connection).step()
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  private var hasReader: Bool {
    guard output >= 0 else { return true }
    var place = pollfd(fd: output, events: 0, revents: 0)
    _ = unsafe poll(&place, 1, 0)
    return place.revents & Int16(POLLERR | POLLNVAL) == 0
  }

  /// The values of a statement's only column.
  func texts(_ sql: String) throws(IndexFault) -> [String] {
    let statement = try PreparedStatement(sql, on: connection)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }

  /// What was said about the freshness of the index.
  func values() throws(IndexFault) -> [(key: String, value: String)] {
    let statement = try PreparedStatement(
      "SELECT key, value FROM redo_index ORDER BY key", on: connection)
    var values: [(key: String, value: String)] = []
    while try statement.step() { values.append((statement.text(0), statement.text(1))) }
    return values
  }

  /// Checks that the file is an index of this release and that nothing was added to it.
  ///
  /// - Throws: `IndexFault`.
  func requireIndex() throws(IndexFault) {
    let names = Set(try texts("SELECT name FROM sqlite_schema"))
    guard names.contains("grdb_migrations") else { throw IndexFault(.foreign, "grdb_migrations") }
    let applied = try texts("SELECT identifier FROM grdb_migrations ORDER BY rowid")
    if let unknown = applied.first(where: { !Migrations.isKnown($0) }) {
      throw IndexFault(.version, unknown)
    }
    if let missing = Migrations.own.first(where: { !applied.contains($0) }) {
      throw IndexFault(.version, missing)
    }
    try requireSchema()
  }

  private func requireSchema() throws(IndexFault) {
    var expected: [String: IndexSchema.Object] = [:]
    for object in IndexSchema.tables + IndexSchema.recordTables + IndexSchema.texts
      + IndexSchema.indexes + IndexSchema.madeByOthers + IndexSchema.statistics
    {
      expected[object.name] = object
    }
    var views: [String: String] = [:]
    let statement = try PreparedStatement(
      "SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL", on: connection)
    while try statement.step() {
      let name = statement.text(0)
      switch statement.text(2) {
      case "view": views[name] = statement.text(1)
      // A trigger may be called as a table is.
      case "table", "index":
        guard expected.removeValue(forKey: name)?.sql == statement.text(1) else {
          throw IndexFault(.foreign, name)
        }
      default: throw IndexFault(.foreign, name)
      }
    }
    for object in IndexSchema.statistics { expected[object.name] = nil }
    if let name = expected.keys.min() { throw IndexFault(.foreign, name) }
    // The tables from which views follow are those of this release.
    for view in try RecordViews.views(on: connection) {
      guard views.removeValue(forKey: view.name) == view.sql else {
        throw IndexFault(.foreign, view.name)
      }
    }
    if let name = views.keys.min() { throw IndexFault(.foreign, name) }
    try requireSettings()
  }

  /// Checks that the full texts have the settings that they were made with: by others they would rank otherwise.
  private func requireSettings() throws(IndexFault) {
    for text in IndexSchema.texts {
      let settings = try texts("SELECT k || ' ' || v FROM \(text.name)_config")
      guard settings == IndexSchema.textSettings else { throw IndexFault(.foreign, text.name) }
    }
  }
}
