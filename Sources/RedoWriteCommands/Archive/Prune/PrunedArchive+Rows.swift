// Archives and what happens to them, as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension PrunedArchive {
  private var timeText: String? { time.map { WallTime(milliseconds: $0).text } }
  private var word: String { reasons.isEmpty ? "remove" : "keep" }

  /// `<keep or remove> <time> <reasons> <file>`.
  static var columns: [RowColumn<PrunedArchive>] {
    [
      .word("what") { $0.word },
      .word("received") { $0.timeText },
      .list("reasons") {
        $0.reasons.map(\.word)
      } text: {
        $0.isEmpty ? nil : $0.joined(separator: ",")
      },
      .text("file") { $0.path },
    ]
  }
}

extension PrunedArchive.Reason {
  /// The word in rows.
  var word: String {
    switch self {
    case .rule(let rule): rule.rawValue
    case .within: "within"
    case .registered: "registered"
    case .unknown: "unknown"
    case .future: "future"
    case .unreadable: "unreadable"
    case .prerequisite: "prerequisite"
    case .needed: "needed"
    }
  }
}
