// A view for each schema, whose columns are its active fields by the names that people gave them. Which views there are follows from the
// rows of `schemas` and `fields`: an index that has others is not used.
//
// SQLite takes names of one spelling for the same whatever the case of their letters: of such names the later ones get a number.

/// The views of records.
enum RecordViews {
  /// What the names of views begin with.
  static let prefix = "record_"
  /// The most fields that a view has: SQLite has room for 2000 columns.
  private static let columnLimit = 1000
  /// The columns that every record has.
  private static let ownColumns = ["guid", "title", "person_id"]

  /// A view.
  struct View {
    let name: String
    let sql: String
  }

  /// The views that follow from the rows of a file.
  ///
  /// - Parameter connection: has the tables.
  /// - Returns: in the order of the names of schemas.
  /// - Throws: `IndexFault`.
  static func views(on connection: SQLiteConnection) throws(IndexFault) -> [View] {
    // Those that redo keeps for itself have no records.
    let schemas = try PreparedStatement(
      "SELECT name FROM schemas WHERE id NOT LIKE 'redo.%' ORDER BY name", on: connection)
    let fields = try PreparedStatement(
      """
      SELECT id, display_name FROM fields
      WHERE schema = ? AND visibility = 'active' AND merged_into IS NULL
      ORDER BY place LIMIT \(columnLimit)
      """, on: connection)
    var views: [View] = []
    var names = Names()
    while try schemas.step() {
      let schema = schemas.text(0)
      let name = names.unique(prefix + schema)
      var columns = Names(ownColumns)
      var parts = ownColumns
      fields.bind(schema, 1)
      while try fields.step() {
        let column = columns.unique(fields.text(1))
        parts.append(
          "json_extract(field_values, \(literal("$.\"\(fields.text(0))\""))) AS \(column.quotedName)"
        )
      }
      fields.reset()
      views.append(
        View(
          name: name,
          sql: """
            CREATE VIEW \(name.quotedName) AS SELECT \(parts.joined(separator: ",\n"))
            FROM records WHERE schema = \(literal(schema))
            """))
    }
    return views
  }

  /// Makes the views that follow from the rows of a file, in place of those that are there.
  ///
  /// - Parameter connection: has the tables.
  /// - Throws: `IndexFault`.
  static func make(on connection: SQLiteConnection) throws(IndexFault) {
    var old: [String] = []
    do {
      let there = try PreparedStatement(
        "SELECT name FROM sqlite_schema WHERE type = 'view'", on: connection)
      while try there.step() { old.append(there.text(0)) }
    }
    for name in old { try connection.run("DROP VIEW \(name.quotedName)") }
    for view in try views(on: connection) { try connection.run(view.sql) }
  }

  private static func literal(_ text: String) -> String {
    guard printable(text) == text else {
      let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return "CAST(x'\(digits)' AS TEXT)"
    }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(pieces.joined(separator: "''"))'"
  }

  /// A text without what ends a statement, or hides in one.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }

  /// Names that SQLite tells apart.
  private struct Names {
    private var taken: Set<String>

    init(_ names: [String] = []) { taken = Set(names) }

    mutating func unique(_ name: String) -> String {
      let name = RecordViews.printable(name)
      var found = name
      var number = 2
      while !taken.insert(Self.folded(found)).inserted {
        found = "\(name) (\(number))"
        number += 1
      }
      return found
    }

    /// SQLite folds letters of ASCII only.
    private static func folded(_ name: String) -> String {
      String(
        decoding: name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 },
        as: UTF8.self)
    }
  }
}
