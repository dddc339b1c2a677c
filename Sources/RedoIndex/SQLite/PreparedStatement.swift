// One statement of SQLite's C interface, which is used where a row is written or printed: bytes go from the line
// into the row, and from the row into the line, without strings between them.

internal import CSQLite

/// A prepared statement, finalized when it goes.
// SAFETY: the pointer stays inside, and is good until the statement goes.
@safe
struct PreparedStatement: ~Copyable {
  private let connection: SQLiteConnection
  private let statement: OpaquePointer

  /// Prepares one statement.
  ///
  /// - Parameters:
  ///   - sql: one statement; the text after it is passed over.
  ///   - connection: lives longer than the statement.
  /// - Throws: `IndexFault`.
  init(_ sql: String, on connection: SQLiteConnection) throws(IndexFault) {
    var rest = 0
    guard let prepared = unsafe try Self.prepare(sql, connection, &rest) else {
      throw IndexFault(.query, "no statement")
    }
    self.connection = connection
    unsafe statement = prepared
  }

  /// Prepares the first statement of a text; `nil` if it has white space and comments alone.
  ///
  /// - Parameters:
  ///   - sql: the text.
  ///   - connection: lives longer than the statement.
  ///   - rest: where in the text's UTF-8 the next one begins.
  /// - Throws: `IndexFault`.
  init?(
    _ sql: String, on connection: SQLiteConnection, restFrom rest: inout Int
  ) throws(IndexFault) {
    guard let prepared = unsafe try Self.prepare(sql, connection, &rest) else { return nil }
    self.connection = connection
    unsafe statement = prepared
  }

  private static func prepare(
    _ sql: String, _ connection: SQLiteConnection, _ rest: inout Int
  ) throws(IndexFault) -> OpaquePointer? {
    var prepared: OpaquePointer?
    var code = SQLITE_OK
    var utf8 = Array(sql.utf8)
    utf8.append(0)
    // SAFETY: the text is read during the call only, and ends with a zero.
    unsafe utf8.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var tail: UnsafePointer<CChar>?
      code = unsafe sqlite3_prepare_v2(
        connection.pointer, start, CInt(bytes.count), &prepared, &tail)
      if let start = unsafe start, let tail = unsafe tail { rest = unsafe tail - start }
    }
    guard code == SQLITE_OK else { throw fault(of: code, connection.message) }
    return unsafe prepared
  }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Whether it changes nothing.
  var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(statement) != 0 }

  // MARK: Parameters, counted from 1

  /// Binds nothing.
  func bindNull(_ index: Int) { _ = unsafe sqlite3_bind_null(statement, CInt(index)) }

  /// Binds an integer.
  func bind(_ value: Int64, _ index: Int) {
    _ = unsafe sqlite3_bind_int64(statement, CInt(index), value)
  }

  /// Binds a number.
  func bind(_ value: Double, _ index: Int) {
    _ = unsafe sqlite3_bind_double(statement, CInt(index), value)
  }

  /// Binds a text.
  func bind(_ text: String, _ index: Int) {
    let utf8 = Array(text.utf8)
    bindText(utf8.span, index)
  }

  /// Binds a text.
  ///
  /// - Parameters:
  ///   - utf8: well-formed UTF-8.
  ///   - index: the parameter's number.
  func bindText(_ utf8: Span<UInt8>, _ index: Int) {
    // SAFETY: SQLite copies the bytes during the call.
    unsafe utf8.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      // Without a place SQLite would bind NULL.
      _ = unsafe redo_sqlite_bind_text(
        statement, CInt(index), start ?? emptyText, CInt(bytes.count))
    }
  }

  /// Binds bytes.
  func bindBlob(_ blob: Span<UInt8>, _ index: Int) {
    // SAFETY: SQLite copies the bytes during the call.
    unsafe blob.withUnsafeBytes { bytes in
      _ = unsafe redo_sqlite_bind_blob(
        statement, CInt(index), bytes.baseAddress ?? UnsafeRawPointer(emptyText), CInt(bytes.count))
    }
  }

  // MARK: Steps

  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  /// - Throws: `IndexFault`.
  func step() throws(IndexFault) -> Bool {
    let code = unsafe sqlite3_step(statement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let message = connection.message
      _ = unsafe sqlite3_reset(statement)
      throw fault(of: code, message)
    }
  }

  /// Makes it ready for another run with other parameters.
  func reset() {
    _ = unsafe sqlite3_reset(statement)
    _ = unsafe sqlite3_clear_bindings(statement)
  }

  /// Runs it to its end, and makes it ready for another run.
  ///
  /// - Throws: `IndexFault`.
  func run() throws(IndexFault) {
    while try step() {}
    reset()
  }

  // MARK: Columns, counted from 0

  /// How many columns a row has.
  var columnCount: Int { Int(unsafe sqlite3_column_count(statement)) }

  /// The name of a column.
  func columnName(_ index: Int) -> String {
    // SAFETY: the text is copied before the statement is used again.
    unsafe sqlite3_column_name(statement, CInt(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// The storage class of a value.
  func type(_ index: Int) -> Int32 { unsafe sqlite3_column_type(statement, CInt(index)) }

  /// Whether a value is NULL.
  func isNull(_ index: Int) -> Bool { type(index) == SQLITE_NULL }
  /// Whether a value is an INTEGER.
  func isInteger(_ index: Int) -> Bool { type(index) == SQLITE_INTEGER }
  /// Whether a value is a REAL.
  func isReal(_ index: Int) -> Bool { type(index) == SQLITE_FLOAT }
  /// Whether a value is a TEXT.
  func isText(_ index: Int) -> Bool { type(index) == SQLITE_TEXT }
  /// Whether a value is a BLOB.
  func isBlob(_ index: Int) -> Bool { type(index) == SQLITE_BLOB }

  /// A value as an integer.
  func integer(_ index: Int) -> Int64 { unsafe sqlite3_column_int64(statement, CInt(index)) }

  /// A value as a number.
  func real(_ index: Int) -> Double { unsafe sqlite3_column_double(statement, CInt(index)) }

  /// A value as SQLite prints it; empty for NULL.
  func text(_ index: Int) -> String { String(decoding: textBytes(index), as: UTF8.self) }

  /// A value as SQLite prints it, which need not be UTF-8.
  func textBytes(_ index: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    appendText(index, to: &bytes)
    return bytes
  }

  /// Appends a value as SQLite prints it; nothing for NULL.
  func appendText(_ index: Int, to output: inout [UInt8]) {
    guard let start = unsafe sqlite3_column_text(statement, CInt(index)) else { return }
    let count = Int(unsafe sqlite3_column_bytes(statement, CInt(index)))
    // SAFETY: the bytes stay until the next step, and are copied here.
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
  }

  /// The bytes of a value.
  func blob(_ index: Int) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, CInt(index)) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(statement, CInt(index)))
    // SAFETY: the bytes stay until the next step, and are copied here.
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// A place for texts of no bytes.
// SAFETY: it is never written, and never freed.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
  let place = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  unsafe place.initialize(to: 0)
  return unsafe UnsafePointer(place)
}()
