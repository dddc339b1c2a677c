// The statements that write rows, prepared once for each table. A row comes as a JSON object, whose members are
// columns; what it does not name is NULL, or the column's default: the whole row is replaced.

internal import CanonicalJSON

/// The statements of one table.
final class RowStatements {  // a class: a dictionary cannot keep what cannot be copied
  let table: IndexTable
  let columns: [IndexColumn]
  private let put: PreparedStatement
  private let delete: PreparedStatement
  private let select: PreparedStatement
  /// The places of the key's columns.
  private let key: [Int]

  init(_ table: IndexTable, on connection: SQLiteConnection) throws(IndexFault) {
    self.table = table
    columns = table.columns
    let names = columns.map(\.text)
    let key = table.key
    self.key = key.compactMap { name in names.firstIndex(of: name) }
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let changed = names.filter { !key.contains($0) }.map { "\($0)=excluded.\($0)" }
    let change = changed.isEmpty ? "NOTHING" : "UPDATE SET " + changed.joined(separator: ",")
    let found = key.enumerated().map { "\($0.element)=?\($0.offset + 1)" }
      .joined(separator: " AND ")
    put = try PreparedStatement(
      """
      INSERT INTO \(table.rawValue)(\(names.joined(separator: ","))) VALUES(\(places))
      ON CONFLICT(\(key.joined(separator: ","))) DO \(change)
      """, on: connection)
    delete = try PreparedStatement("DELETE FROM \(table.rawValue) WHERE \(found)", on: connection)
    select = try PreparedStatement(
      "SELECT \(names.joined(separator: ",")) FROM \(table.rawValue) WHERE \(found)",
      on: connection)
  }

  /// Puts a row in its table, in the place of one of the same key.
  ///
  /// - Parameter row: an object.
  /// - Throws: `IndexFault`.
  func put(_ row: JSONValue) throws(IndexFault) {
    try bind(row, columns, to: put)
    try runNaming(put)
  }

  /// Deletes a row, if there is one.
  ///
  /// - Parameter key: an object with the key's columns.
  /// - Throws: `IndexFault`.
  func delete(_ key: JSONValue) throws(IndexFault) {
    try bind(key, self.key.map { columns[$0] }, to: delete)
    try runNaming(delete)
  }

  /// Whether a row is stored as it is given.
  ///
  /// - Parameter row: an object.
  /// - Returns: `nil` if there is no row of its key.
  /// - Throws: `IndexFault`.
  func isStored(_ row: JSONValue) throws(IndexFault) -> Bool? {
    defer { select.reset() }
    for (index, column) in key.enumerated() {
      guard let value = row[columns[column].name] else { throw wrong(columns[column]) }
      try bindValue(value, columns[column], to: select, index + 1)
    }
    guard try select.step() else { return nil }
    for (index, column) in columns.enumerated() {
      guard try isEqual(row[column.name], column, index) else { return false }
    }
    return true
  }

  /// A key as it is named in answers.
  func keyText(_ row: JSONValue) -> String {
    key.map { place in
      guard let value = row[columns[place].name] else { return "" }
      return value.string ?? value.contentText
    }.joined(separator: "/")
  }

  // MARK: Values

  private func runNaming(_ statement: borrowing PreparedStatement) throws(IndexFault) {
    do throws(IndexFault) {
      try statement.run()
    } catch {
      statement.reset()
      guard error.code == .constraint || error.code == .query else { throw error }
      throw IndexFault(error.code, "\(table.rawValue): \(error.detail)")
    }
  }

  /// Binds the columns of an object; members must be known ones, in any order.
  private func bind(
    _ row: JSONValue, _ columns: [IndexColumn], to statement: borrowing PreparedStatement
  ) throws(IndexFault) {
    guard row.isObject else { throw IndexFault(.row, table.rawValue) }
    statement.reset()
    for (index, column) in columns.enumerated() {
      if let missing = column.missing { statement.bind(missing, index + 1) }
    }
    // Members come in the order of names as a rule, as the columns do.
    var expected = 0
    var members = row.members
    while let member = members.next() {
      var index = expected
      while index < columns.count, !member.name.isText(columns[index].name) { index += 1 }
      if index == columns.count {
        index = 0
        while index < expected, !member.name.isText(columns[index].name) { index += 1 }
        guard index < expected else {
          throw IndexFault(.row, "\(table.rawValue).\(member.name.contentText)")
        }
      }
      try bindValue(member.value, columns[index], to: statement, index + 1)
      expected = max(expected, index + 1)
    }
  }

  private func bindValue(
    _ value: JSONValue, _ column: IndexColumn,
    to statement: borrowing PreparedStatement, _ index: Int
  ) throws(IndexFault) {
    if value.isNull {
      statement.bindNull(index)
      return
    }
    switch column.kind {
    case .text:
      guard value.isString else { throw wrong(column) }
      try Self.bindText(value, to: statement, index)
    case .integer:
      guard let number = Self.integer(value) else { throw wrong(column) }
      statement.bind(number, index)
    case .real:
      guard let number = Self.real(value) else { throw wrong(column) }
      statement.bind(number, index)
    case .number:
      if let number = Self.integer(value) {
        statement.bind(number, index)
      } else {
        guard let number = Self.real(value) else { throw wrong(column) }
        statement.bind(number, index)
      }
    case .blob:
      guard let bytes = Self.blob(value) else { throw wrong(column) }
      statement.bindBlob(bytes.span, index)
    }
  }

  private static func bindText(
    _ value: JSONValue, to statement: borrowing PreparedStatement, _ index: Int
  ) throws(IndexFault) {
    let content = value.content
    // A string without escapes is its own text.
    for position in content.indices where content[position] == UInt8(ascii: "\\") {
      let text = value.unescaped ?? []
      statement.bindText(text.span, index)
      return
    }
    statement.bindText(content, index)
  }

  private func isEqual(
    _ value: JSONValue?, _ column: IndexColumn, _ index: Int
  ) throws(IndexFault) -> Bool {
    guard let value, !value.isNull else {
      guard value == nil, let missing = column.missing else { return select.isNull(index) }
      return select.isInteger(index) && select.integer(index) == missing
    }
    switch column.kind {
    case .text: return select.isText(index) && select.textBytes(index) == value.unescaped
    case .integer: return select.isInteger(index) && select.integer(index) == Self.integer(value)
    case .real: return select.isReal(index) && select.real(index) == Self.real(value)
    case .number:
      if let number = Self.integer(value) {
        return select.isInteger(index) && select.integer(index) == number
      }
      return select.isReal(index) && select.real(index) == Self.real(value)
    case .blob: return select.isBlob(index) && select.blob(index) == Self.blob(value)
    }
  }

  private static func integer(_ value: JSONValue) -> Int64? {
    value.boolean.map { $0 ? 1 : 0 } ?? value.integer
  }

  private static func real(_ value: JSONValue) -> Double? {
    guard value.isNumber, let number = Double(value.contentText), number.isFinite else {
      return nil
    }
    return number
  }

  private static func blob(_ value: JSONValue) -> [UInt8]? {
    guard let text = value.escaped else { return nil }
    return Base64Text.decode(text)
  }

  private func wrong(_ column: IndexColumn) -> IndexFault {
    IndexFault(.row, "\(table.rawValue).\(column.text)")
  }
}
