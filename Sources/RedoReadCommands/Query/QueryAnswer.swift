// Answers: rows of named values, as canonical JSON or laid out for people.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoRepository
internal import RedoShell

/// A value of an answer.
enum AnswerValue: Sendable {
  /// A number, written with at most 6 decimals.
  case number(Double)
  case text(String)
  case truth(Bool)
  case missing
  /// RFC 8785 JSON, written as it is.
  case json([UInt8])
  case list([AnswerValue])
  case row(AnswerRow)

  static func count(_ number: Int) -> AnswerValue { .number(Double(number)) }

  /// A number rounded to 6 decimals.
  static func text(of number: Double) -> String {
    var text: [UInt8] = []
    append(number, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ number: Double, to output: inout [UInt8]) {
    guard number.isFinite else {
      output += "null".utf8
      return
    }
    // Above 2^53 / 10^6 a double hardly has 6 decimals, and above 10^15 none at all.
    let rounded =
      number.magnitude < 1e15 ? (number * 1_000_000).rounded() / 1_000_000 : number
    NumberText.append(rounded, to: &output)
  }

  /// Appends RFC 8785 JSON.
  ///
  /// The nesting is fixed in the source code, and only a few levels deep.
  func appendJSON(to output: inout [UInt8]) {
    switch self {
    case .number(let number): Self.append(number, to: &output)
    case .text(let text): JSONWriter.appendString(text, to: &output)
    case .truth(let truth): output += (truth ? "true" : "false").utf8
    case .missing: output += "null".utf8
    case .json(let bytes): output += bytes
    case .list(let values):
      output.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .row(let row): row.appendJSON(to: &output)
    }
  }

  /// The value for people; `nil` for lists, which are only for programs.
  fileprivate var plain: String? {
    switch self {
    case .number(let number): Self.text(of: number)
    case .text(let text): text
    case .truth(let truth): truth ? "true" : "false"
    case .missing: "-"
    case .json, .list, .row: nil
    }
  }
}

/// Named values.
struct AnswerRow: Sendable {
  /// Sorted by name, as RFC 8785 sorts ASCII names.
  let members: [(name: String, value: AnswerValue)]

  /// A row; its members may come in any order.
  init(_ members: KeyValuePairs<String, AnswerValue>) {
    self.init(members.map { ($0.key, $0.value) })
  }

  init(_ members: [(name: String, value: AnswerValue)]) {
    let isSorted = zip(members, members.dropFirst()).allSatisfy { $0.name < $1.name }
    self.members = isSorted ? members : members.sorted { $0.name < $1.name }
  }

  /// Appends the row as RFC 8785 JSON.
  func appendJSON(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place > 0 { output.append(UInt8(ascii: ",")) }
      // The names are constants without characters that need escaping.
      output.append(UInt8(ascii: "\""))
      output += member.name.utf8
      output += "\":".utf8
      member.value.appendJSON(to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// One row as lines of names and values; several rows as a table.
  static func lines(_ rows: [AnswerRow]) -> [String] {
    let plain = rows.map { row in
      row.members.compactMap { member in member.value.plain.map { (member.name, $0) } }
    }
    guard let first = plain.first else { return [] }
    if plain.count == 1 { return TextTable.lines(first.map { [$0.0, $0.1] }) }
    return TextTable.lines([first.map(\.0)] + plain.map { $0.map(\.1) })
  }
}
