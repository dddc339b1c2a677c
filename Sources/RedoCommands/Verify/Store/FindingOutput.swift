// Rows of an audit: `<severity> <rule> <id|-> <path|-> <detail>`, or the same as JSON.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes findings.
struct FindingOutput {
  private let isJSON: Bool
  private let end: UInt8

  init(isJSON: Bool, end: UInt8) {
    self.isJSON = isJSON
    self.end = end
  }

  /// Writes a finding.
  func write(
    _ finding: StoreFinding, _ severity: Severity, _ context: inout Context
  ) throws {
    var row: [UInt8] = []
    if isJSON {
      appendJSON(finding, severity, to: &row)
    } else {
      append(finding, severity, to: &row)
    }
    row.append(end)
    try context.output.write(row)
  }

  /// Writes the token by which another run goes on.
  func write(resume token: String, _ context: inout Context) throws {
    try context.output.write(isJSON ? "{\"resume\":\"\(token)\"}" : "resume \(token)")
    try context.output.write(byte: end)
  }

  private func append(
    _ finding: StoreFinding, _ severity: Severity, to row: inout [UInt8]
  ) {
    row += "\(severity.rawValue) \(finding.rule.id) \(finding.id?.text ?? "-") ".utf8
    // A space in a name must not look like the end of it, unless NUL ends the rows of a program.
    let path = Escape.field(Array(finding.path.utf8), isRaw: end == 0)
    row += (path.isEmpty ? "-" : end == 0 ? path : Self.spaced(path)).utf8
    guard !finding.detail.isEmpty else { return }
    row.append(UInt8(ascii: " "))
    row += Escape.field(Array(finding.detail.utf8), isRaw: end == 0).utf8
  }

  private static func spaced(_ path: String) -> String {
    path.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\\x20")
  }

  private func appendJSON(
    _ finding: StoreFinding, _ severity: Severity, to row: inout [UInt8]
  ) {
    let members = [
      ("detail", finding.detail), ("id", finding.id?.text ?? ""), ("path", finding.path),
      ("repair", finding.repair), ("rule", finding.rule.id), ("severity", severity.rawValue),
    ]
    for (name, value) in members where !value.isEmpty {
      row.append(row.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      row += "\"\(name)\":".utf8
      JSONWriter.appendString(value, to: &row)
    }
    row.append(UInt8(ascii: "}"))
  }
}
