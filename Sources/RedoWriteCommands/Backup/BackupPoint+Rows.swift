// Points of a backup, as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension BackupShelf.Point {
  private var state: String { missing != nil ? "gap" : lacking > 0 ? "incomplete" : "whole" }

  /// `<time> <kind> <nodes> <bytes> <state> <needs> <file>`.
  static var columns: [RowColumn<BackupShelf.Point>] {
    [
      .word("time") { WallTime(milliseconds: $0.manifest.time).text },
      .word("kind") { $0.manifest.kind.rawValue },
      .number("nodes") { $0.manifest.nodes },
      .number("bytes") { $0.bytes },
      .word("state") { $0.state },
      .word("needs") { $0.manifest.needs?.name },
      .word("file") { $0.name },
      .truth("encrypted") { $0.isSealed },
      .number("history", in: .json) { $0.manifest.history.count },
      .number("receipts", in: .json) { $0.manifest.receipts },
      .number("schemas", in: .json) { $0.manifest.schemas },
    ]
  }
}

extension PrunedPoint {
  private var word: String { reasons.isEmpty ? "remove" : "keep" }

  /// `<keep or remove> <time> <reasons> <file>`.
  static var columns: [RowColumn<PrunedPoint>] {
    [
      .word("what") { $0.word },
      .word("time") { WallTime(milliseconds: $0.point.manifest.time).text },
      .list("reasons") {
        $0.reasons.map(\.word)
      } text: {
        $0.isEmpty ? nil : $0.joined(separator: ",")
      },
      .word("file") { $0.point.name },
    ]
  }
}
