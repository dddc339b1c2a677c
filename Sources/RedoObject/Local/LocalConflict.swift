// What no local rows may have together (redo-local(5)).

/// What rows have together that may not be.
package enum LocalConflict: Hashable, Sendable {
  /// A row has a value that another one has, and that no two may have.
  case taken(LocalRow.Key, column: String, by: String)
  /// There are more active people in the circle than may be.
  case circleFull(limit: Int)

  /// The most active people in a circle.
  private static let circleLimit = 12

  /// The first conflict among rows; `nil` when there is none.
  ///
  /// - Parameter rows: the rows that hold, each key once.
  package init?(among rows: some Sequence<LocalRow>) {
    var seen: [LocalTable: [String: [[UInt8]: String]]] = [:]
    var active = 0
    for row in rows {
      for (column, value) in row.uniqueValues {
        if let other = seen[row.key.table]?[column]?[value] {
          self = .taken(row.key, column: column, by: other)
          return
        }
        seen[row.key.table, default: [:]][column, default: [:]][value] = row.key.text
      }
      if row.key.table == .circles, row.text("status") == "active" { active += 1 }
    }
    guard active > Self.circleLimit else { return nil }
    self = .circleFull(limit: Self.circleLimit)
  }

  /// It, in a file.
  package var finding: Finding {
    switch self {
    case .taken(let key, let column, let other):
      Finding(
        .localRow, at: ["row", column], detail: "'\(key.text)' has the same value as '\(other)'")
    case .circleFull(let limit):
      Finding(.localRow, at: ["row", "status"], detail: "more than \(limit) people are active")
    }
  }
}
