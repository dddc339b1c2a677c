// Rows of an audit: `<severity> <rule> <id|-> <path|-> <detail>`, or the same as JSON.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes findings.
struct FindingOutput {
  private let writer: RowWriter<(finding: StoreFinding, severity: Severity)>

  init(isJSON: Bool, end: UInt8) {
    writer = RowWriter(Self.columns, isJSON: isJSON, end: end)
  }

  /// Writes a finding.
  func write(
    _ finding: StoreFinding, _ severity: Severity, _ context: inout Context
  ) throws {
    try writer.write((finding, severity), &context)
  }

  /// Writes the token with which another run continues.
  func write(resume token: String, _ context: inout Context) throws {
    try context.output.write(writer.isJSON ? "{\"resume\":\"\(token)\"}" : "resume \(token)")
    try context.output.write(byte: writer.end)
  }

  /// `<severity> <rule> <id|-> <path|->[ <detail>]`, and in JSON how to repair it.
  private static var columns: [RowColumn<(finding: StoreFinding, severity: Severity)>] {
    func some(_ text: String) -> String? { text.isEmpty ? nil : text }
    return [
      .word("severity") { $0.severity.rawValue },
      .word("rule") { $0.finding.rule.id },
      .word("id") { $0.finding.id?.text },
      .text("path", .word) { some($0.finding.path) },
      .text("detail", .field, absent: .leftOut) { some($0.finding.detail) },
      .text("repair", in: .json) { some($0.finding.repair) },
    ]
  }
}
