// A connection of SQLite's C interface, whoever opened it.

internal import CSQLite

/// A connection that somebody else closes, after everything that was prepared on it has gone.
// SAFETY: the pointer stays in the wrappers of this folder and in what opens connections.
@safe
struct SQLiteConnection {
  let pointer: OpaquePointer

  /// A connection that is open.
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  /// What SQLite says about the last failure.
  // SAFETY: the text is copied before the connection is used again.
  var message: String { unsafe String(cString: sqlite3_errmsg(pointer)) }

  /// How many rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes(pointer)) }

  /// Runs one statement to its end.
  ///
  /// - Throws: `IndexFault`.
  func run(_ sql: String) throws(IndexFault) { try PreparedStatement(sql, on: self).run() }

  /// The first value of a statement's first row.
  ///
  /// - Throws: `IndexFault`.
  func text(of sql: String) throws(IndexFault) -> String? {
    let statement = try PreparedStatement(sql, on: self)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Closes the connection.
  func close() { _ = unsafe sqlite3_close_v2(pointer) }
}

extension String {
  /// It as the name of a table, an index or the like in a statement, whatever characters it has.
  var quotedName: String {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    return "\"\(parts.joined(separator: "\"\""))\""
  }
}
