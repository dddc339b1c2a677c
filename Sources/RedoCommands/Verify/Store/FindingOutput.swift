// Rows of an audit: `<severity> <rule> <id|-> <path|-> <detail>`, or the same as JSON.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes findings, and remembers whether one of them was an error.
struct FindingOutput {
  private let weights: FindingWeights
  private let writer: RowWriter<(finding: StoreFinding, severity: Severity)>
  private var hasError = false

  init(_ weights: FindingWeights, isJSON: Bool, end: UInt8) {
    self.weights = weights
    writer = RowWriter(Self.columns, isJSON: isJSON, end: end)
  }

  /// How the audit ends: 1 when there was an error.
  var exit: Exit { hasError ? .no : .ok }

  /// Writes findings in their order: by path, id, rule and detail.
  mutating func write(
    _ findings: some Sequence<StoreFinding>, _ context: inout Context
  ) throws {
    for finding in findings.sorted() {
      guard let severity = weights.severity(of: finding) else { continue }
      if severity == .error { hasError = true }
      try writer.write((finding, severity), &context)
    }
  }

  /// Writes the token by which another run goes on.
  func write(resume token: String, _ context: inout Context) throws {
    try context.output.write(writer.isJSON ? "{\"resume\":\"\(token)\"}" : "resume \(token)")
    try context.output.write(byte: writer.end)
  }

  /// `<severity> <rule> <id|-> <path|->[ <detail>]`, and the way of repair in JSON.
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
