// Rows in three forms from one description of their columns: text with blanks or tabs between them, the same ended
// by NUL and unescaped (`-z`), and one object per line (`--json`, RFC 8785 and RFC 8259).
//
//   [.word("state") { $0.state.rawValue }, .text("comment", absent: .leftOut) { $0.comment }]
//
//   trusted from the shop
//   {"comment":"from the shop","state":"trusted"}

internal import CanonicalJSON
internal import RedoRepository

/// The forms of a row in which a column appears.
package enum RowPlace: Sendable {
  /// In text, with or without NUL, and in JSON.
  case everywhere
  /// In text only.
  case text
  /// In JSON only.
  case json
}

/// What replaces a missing value in text; in JSON its member is left out.
package enum RowGap: Sendable {
  /// A `-`, so that the following columns keep their places.
  case dash
  /// Nothing, not even the separator; for the last columns. An empty text is left out, too.
  case leftOut
}

/// How a text is written in a row of text.
package enum RowText: Sendable {
  /// Unchanged: it cannot contain a character that must be escaped.
  case plain
  /// With its dangerous characters escaped, even where NUL ends the row.
  case escaped
  /// Escaped; but unescaped where NUL ends the row, unless it contains NUL.
  case field
  /// The same, with blanks escaped too, because more columns follow.
  case word
}

/// One column of a row.
package struct RowColumn<Row> {
  /// The name of the member.
  fileprivate let name: StaticString
  /// Appends the text, and returns whether the column is there; `nil` for a column that does not appear in text.
  fileprivate let text: ((Row, _ isRaw: Bool, inout [UInt8]) -> Bool)?
  /// Writes the member, if there is one; `nil` for a column that does not appear in JSON.
  fileprivate let member: ((Row, inout JSONWriter) -> Void)?

  private init(
    _ name: StaticString, _ place: RowPlace, _ gap: RowGap,
    _ text: @escaping (Row, _ isRaw: Bool, inout [UInt8]) -> Bool,
    _ member: @escaping (Row, inout JSONWriter) -> Void
  ) {
    self.name = name
    self.member = place == .text ? nil : member
    guard place != .json else {
      self.text = nil
      return
    }
    self.text = { row, isRaw, output in
      if text(row, isRaw, &output) { return true }
      guard gap == .dash else { return false }
      output.append(UInt8(ascii: "-"))
      return true
    }
  }

  /// A text without anything to escape: an id, a time, a word of a closed set.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - place: the forms in which it appears.
  ///   - gap: what replaces `nil`.
  ///   - value: the text of a row; `nil` when it has none.
  /// - Returns: the column.
  package static func word(
    _ name: StaticString, in place: RowPlace = .everywhere, absent gap: RowGap = .dash,
    _ value: @escaping (Row) -> String?
  ) -> RowColumn { .text(name, .plain, in: place, absent: gap, value) }

  /// A text.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - form: how it is written in text.
  ///   - place: the forms in which it appears.
  ///   - gap: what replaces `nil`.
  ///   - value: the text of a row; `nil` when it has none.
  /// - Returns: the column.
  package static func text(
    _ name: StaticString, _ form: RowText = .escaped, in place: RowPlace = .everywhere,
    absent gap: RowGap = .dash, _ value: @escaping (Row) -> String?
  ) -> RowColumn {
    RowColumn(name, place, gap) { row, isRaw, output in
      guard let text = value(row), gap == .dash || !text.isEmpty else { return false }
      form.append(text, isRaw: isRaw, to: &output)
      return true
    } _: { row, json in
      if let text = value(row) { json.add(name, text) }
    }
  }

  /// A whole number.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - place: the forms in which it appears.
  ///   - value: the number of a row; `nil` when it has none.
  /// - Returns: the column.
  package static func number(
    _ name: StaticString, in place: RowPlace = .everywhere, _ value: @escaping (Row) -> Int?
  ) -> RowColumn {
    RowColumn(name, place, .dash) { row, _, output in
      guard let number = value(row) else { return false }
      output += String(number).utf8
      return true
    } _: { row, json in
      if let number = value(row) { json.add(name, number) }
    }
  }

  /// A Boolean, which appears in JSON only.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - value: the Boolean of a row; `nil` when it has none.
  /// - Returns: the column.
  package static func truth(_ name: StaticString, _ value: @escaping (Row) -> Bool?) -> RowColumn {
    RowColumn(name, .json, .dash) { _, _, _ in
      false
    } _: { row, json in
      if let truth = value(row) { json.add(name, truth) }
    }
  }

  /// A list; in JSON an array of texts.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - place: the forms in which it appears.
  ///   - value: the texts of a row, without anything to escape; `nil` when there is no list.
  ///   - text: writes the list in text; `nil` becomes a `-`.
  /// - Returns: the column.
  package static func list(
    _ name: StaticString, in place: RowPlace = .everywhere, _ value: @escaping (Row) -> [String]?,
    text: @escaping ([String]) -> String?
  ) -> RowColumn {
    RowColumn(name, place, .dash) { row, _, output in
      guard let text = value(row).flatMap(text) else { return false }
      output += text.utf8
      return true
    } _: { row, json in
      if let texts = value(row) { json.add(name, texts) }
    }
  }

  /// A value that is already JSON, and appears there only.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - value: the value of a row; `nil` when it has none.
  /// - Returns: the column.
  package static func json(_ name: StaticString, _ value: @escaping (Row) -> [UInt8]?) -> RowColumn
  {
    RowColumn(name, .json, .dash) { _, _, _ in
      false
    } _: { row, json in
      if let value = value(row) { json.add(name, json: value) }
    }
  }
}

extension RowText {
  fileprivate func append(_ text: String, isRaw: Bool, to output: inout [UInt8]) {
    switch self {
    case .plain: output += text.utf8
    case .escaped: output += Escape.text(text).utf8
    case .field where isRaw, .word where isRaw:
      output += (text.utf8.contains(0) ? Escape.text(text) : text).utf8
    case .field: output += Escape.text(text).utf8
    case .word:
      for byte in Escape.text(text).utf8 {
        if byte == UInt8(ascii: " ") { output += "\\x20".utf8 } else { output.append(byte) }
      }
    }
  }
}

/// Writes rows.
package struct RowWriter<Row> {
  /// Whether rows are JSON.
  package let isJSON: Bool
  /// The byte that ends a row.
  package let end: UInt8
  private let separator: UInt8
  /// The columns, in the order of the text form.
  private let texts: [(Row, Bool, inout [UInt8]) -> Bool]
  /// The members, in the order of RFC 8785.
  private let members: [(Row, inout JSONWriter) -> Void]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - columns: in the order of the text form; members are sorted automatically.
  ///   - separator: the text between columns.
  ///   - isJSON: whether rows are JSON.
  ///   - end: the byte that ends a row.
  package init(
    _ columns: [RowColumn<Row>], separator: Unicode.Scalar = " ", isJSON: Bool, end: UInt8
  ) {
    self.isJSON = isJSON
    self.end = end
    self.separator = UInt8(ascii: separator)
    texts = columns.compactMap(\.text)
    // Names are ASCII, for which byte order is the UTF-16 order of RFC 8785.
    members = columns.sorted { $0.name.description < $1.name.description }.compactMap(\.member)
  }

  /// Creates a writer for the form that `--json` and `-z` ask for.
  package init(
    _ columns: [RowColumn<Row>], separator: Unicode.Scalar = " ", _ options: ParsedOptions
  ) {
    self.init(
      columns, separator: separator, isJSON: options.has(.json), end: options.rowEnd)
  }

  /// Appends a row without its terminator.
  package func append(_ row: Row, to output: inout [UInt8]) {
    if isJSON { appendJSON(row, to: &output) } else { appendText(row, to: &output) }
  }

  /// Appends a row as text, without its terminator.
  private func appendText(_ row: Row, to output: inout [UInt8]) {
    var isFirst = true
    for text in texts {
      let start = output.count
      if !isFirst { output.append(separator) }
      if text(row, end == 0, &output) { isFirst = false } else { output.removeSubrange(start...) }
    }
  }

  /// Appends a row as an object, without its terminator.
  package func appendJSON(_ row: Row, to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        for member in members { member(row, &json) }
      }
    }
  }

  /// Writes a row.
  ///
  /// - Throws: the errors of writing.
  package func write(_ row: Row, _ context: inout Context) throws {
    try context.output.append { output throws in
      append(row, to: &output)
      output.append(end)
    }
  }

  /// Writes rows.
  ///
  /// - Throws: the errors of writing.
  package func write(_ rows: some Sequence<Row>, _ context: inout Context) throws {
    for row in rows { try write(row, &context) }
  }
}
