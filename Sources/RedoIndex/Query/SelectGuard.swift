// What a statement of somebody else may do: read. A connection that only reads would still attach other files, and
// run pragmas; so SQLite asks here about each step of a statement while it is compiled (sqlite.org/c3ref/set_authorizer.html).

internal import CSQLite

/// Refuses whatever is not reading.
enum SelectGuard {
  /// Functions that reach outside of the database.
  private static let refused = ["load_extension", "fts3_tokenizer", "fts5_source_id"]

  /// Prepares the one statement of a text, and prints its rows.
  ///
  /// - Parameters:
  ///   - sql: one statement, at most `IndexReader.textLimit` bytes.
  ///   - reader: the connection.
  ///   - body: gets the statement.
  /// - Throws: `IndexFault`.
  static func run(
    _ sql: String, on reader: IndexReader,
    _ body: (borrowing PreparedStatement) throws(IndexFault) -> Void
  ) throws(IndexFault) {
    guard sql.utf8.count <= IndexReader.textLimit else { throw IndexFault(.limit, "sql") }
    guard !sql.utf8.contains(0) else { throw IndexFault(.query, "a zero byte") }
    let connection = reader.connection
    // A full text makes itself known by statements of its own, once for a connection; they are not somebody else's.
    for table in IndexSchema.texts {
      _ = try? PreparedStatement("SELECT rowid FROM \(table.name) LIMIT 0", on: connection)
    }
    unsafe sqlite3_set_authorizer(
      connection.pointer,
      { _, action, first, name, _, _ in
        switch action {
        // By this a full text finds out whether others have written since.
        case SQLITE_PRAGMA:
          guard let first = unsafe first, unsafe name == nil else { return SQLITE_DENY }
          // SAFETY: SQLite's text, which ends with a zero.
          return unsafe String(cString: first) == "data_version" ? SQLITE_OK : SQLITE_DENY
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
        case SQLITE_FUNCTION:
          guard let name = unsafe name else { return SQLITE_DENY }
          // SAFETY: SQLite's text, which ends with a zero.
          return SelectGuard.refused.contains(unsafe String(cString: name).lowercased())
            ? SQLITE_DENY : SQLITE_OK
        default: return SQLITE_DENY
        }
      }, nil)
    // A statement may be compiled again while it runs.
    defer { unsafe sqlite3_set_authorizer(connection.pointer, nil, nil) }
    do throws(IndexFault) {
      var rest = 0
      guard let statement = try PreparedStatement(sql, on: connection, restFrom: &rest) else {
        throw IndexFault(.query, "no statement")
      }
      guard statement.isReadOnly else { throw IndexFault(.notSelect, "not a select") }
      try requireNothing(String(decoding: sql.utf8.dropFirst(rest), as: UTF8.self), connection)
      try body(statement)
    } catch {
      // For functions, and for pragmas that are written as tables, SQLite has no code of its own.
      let isRefused = error.code == .query && error.detail.hasPrefix("not authorized")
      throw isRefused ? IndexFault(.notSelect, error.detail) : error
    }
  }

  private static func requireNothing(
    _ rest: String, _ connection: SQLiteConnection
  ) throws(IndexFault) {
    var place = 0
    var hasMore = true
    do throws(IndexFault) {
      hasMore = try PreparedStatement(rest, on: connection, restFrom: &place) != nil
    } catch {
      // Whatever it is, it is not nothing.
    }
    // `;` alone is an empty statement, behind which there may be another.
    if !hasMore, place > 0, place < rest.utf8.count {
      return try requireNothing(
        String(decoding: rest.utf8.dropFirst(place), as: UTF8.self), connection)
    }
    if hasMore { throw IndexFault(.query, "more than one statement") }
  }
}
