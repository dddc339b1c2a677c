// Counts of verdicts: one row for each author, device, key, month or form instead of one for each node.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Counts of verdicts by letter.
struct VerifySummary {
  static let option = OptionSpec(
    "summary", .required("author|device|key|month|form"),
    help: "count the verdicts instead of printing rows")

  /// What nodes are grouped by.
  enum Kind: String, CaseIterable {
    case author, device, key, month, form
  }

  private let kind: Kind
  /// For each name, the count of each letter.
  private var counts: [String: [Int]] = [:]

  /// - Returns: `nil` when no summary is asked for.
  /// - Throws: `usage` when there is no such kind of summary.
  init?(_ options: ParsedOptions) throws {
    guard let kind = try options.choice(Self.option, as: Kind.self) else { return nil }
    self.kind = kind
  }

  /// Counts a row.
  mutating func note(_ row: VerdictRow) {
    guard let column = VerdictRow.letters.firstIndex(of: row.letter) else {
      preconditionFailure("BUG: a verdict has a letter that no column is for")
    }
    counts[name(of: row), default: VerdictRow.letters.map { _ in 0 }][column] += 1
  }

  /// The name that a row is counted under; `-` if the row does not say.
  private func name(of row: VerdictRow) -> String {
    let name: String? =
      switch kind {
      case .author: row.userID?.text
      case .device:
        row.device.map { String(decoding: StringEscape.unescape($0.span), as: UTF8.self) }
      case .key: row.key.map { Hex.text($0.bytes.span) }
      case .month: row.month
      case .form: row.form?.rawValue
      }
    return name ?? "-"
  }

  /// Writes a row for each name, sorted by bytes: the total, then G, B, U, X, R, E and N, then
  /// the name.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws {
    let sorted = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, numbers) in sorted {
      let total = numbers.reduce(0, +)
      var row: [UInt8] = []
      if isJSON {
        JSONWriter.append(to: &row) { json in
          json.object { json in
            for (letter, number) in zip(VerdictRow.letters, numbers).sorted(by: { $0.0 < $1.0 }) {
              json.name(text: String(letter))
              json.value(number)
            }
            json.add("name", name)
            json.add("total", total)
          }
        }
      } else {
        row += ([total] + numbers).map(String.init).joined(separator: " ").utf8
        row += " \(Escape.field(Array(name.utf8), isRaw: end == 0))".utf8
      }
      row.append(end)
      try context.output.write(row)
    }
  }
}
