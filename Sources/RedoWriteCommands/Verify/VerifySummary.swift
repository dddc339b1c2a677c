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
  /// For each name in UTF-8, the count of each letter.
  ///
  /// As a `String`, other bytes could be the same name.
  private var counts: [[UInt8]: [Int]] = [:]
  /// What the nodes call authors or devices.
  private var alike = AlikeNames()

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
    let name = name(of: row)
    counts[name, default: VerdictRow.letters.map { _ in 0 }][column] += 1
    switch kind {
    case .author:
      alike.note(row.name(.author), .author, of: row, countedAs: name)
      alike.note(row.name(.email), .email, of: row, countedAs: name)
    case .device:
      alike.note(row.device, .deviceID, of: row, countedAs: name)
      alike.note(row.name(.device), .deviceName, of: row, countedAs: name)
    case .key, .month, .form: break
    }
  }

  /// The name that a row is counted under, in UTF-8; `-` if the row does not say.
  private func name(of row: VerdictRow) -> [UInt8] {
    let name: [UInt8]? =
      switch kind {
      case .author: row.userID.map { Array($0.text.utf8) }
      case .device: row.device.map { StringEscape.unescape($0.span) }
      case .key: row.key.map { Array(Hex.text($0.bytes.span).utf8) }
      case .month: row.month.map { Array($0.utf8) }
      case .form: row.form.map { Array($0.rawValue.utf8) }
      }
    return name ?? [UInt8(ascii: "-")]
  }

  /// Writes a row for each name, sorted by bytes: the total, then G, B, U, X, R, E and N, then
  /// the name.
  ///
  /// Names that look alike are reported: in JSON with the rows, otherwise as warnings.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws {
    let groups = alike.groups()
    let others = isJSON ? AlikeNames.others(groups) : [:]
    let sorted = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
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
            if let others = others[name] { json.add("alike", others) }
            json.add("name", String(decoding: name, as: UTF8.self))
            json.add("total", total)
          }
        }
      } else {
        row += ([total] + numbers).map(String.init).joined(separator: " ").utf8
        row += " \(Escape.field(name, isRaw: end == 0))".utf8
      }
      row.append(end)
      try context.output.write(row)
    }
    guard !isJSON, !groups.isEmpty else { return }
    try context.output.flush()
    for group in groups { context.warning(group.words) }
  }
}
