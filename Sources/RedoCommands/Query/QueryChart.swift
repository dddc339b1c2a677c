// Bars, as lines of text: one bar a line, from left to right.
//
//   Completed todos by hour of the day
//   7 todos, UTC
//   08  |###### 2
//   09 *|######### 3
//   * the most

internal import RedoRepository
internal import RedoShell

/// Bars with labels.
struct QueryChart {
  /// A bar.
  struct Bar {
    let label: String
    let value: Double
    /// What stands on top of it, paler.
    var rest = 0.0
    /// Whether it is one of those that the answer is about.
    var isMarked = false
  }

  let title: String
  let subtitle: String
  /// What the values are.
  let unit: String
  /// What marked bars are; `nil` when none can be.
  var mark: String?
  /// What the paler parts are; `nil` when there are none.
  var rest: String?
  var bars: [Bar] = []

  /// The length of the longest bar of a plot, in columns.
  private static let columns = 48
  /// Eighths of a column, from one to seven.
  private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The greatest value, with what stands on top of it; 0 when there is nothing that would be printed as
  /// more than that.
  var maximum: Double {
    let found = bars.lazy.map { $0.value + $0.rest }.max() ?? 0
    return found < 5e-7 ? 0 : min(found, .greatestFiniteMagnitude)
  }

  /// The plot; nothing without bars.
  func lines(isASCII: Bool) -> [String] {
    guard !bars.isEmpty else { return [] }
    let width = bars.lazy.map(\.label.count).max() ?? 0
    var lines = [title, subtitle]
    let (full, pale, axis) = isASCII ? ("#", ".", "|") : ("█", "░", "│")
    for bar in bars {
      var line = bar.label + String(repeating: " ", count: width - bar.label.count)
      line += mark == nil ? " " : bar.isMarked ? " *" : "  "
      line += axis + body(bar, full, pale, isASCII: isASCII)
      lines.append(line + " " + AnswerValue.text(of: bar.value))
    }
    if let mark, bars.contains(where: \.isMarked) { lines.append("* \(mark)") }
    if let rest { lines.append("\(full) \(unit), \(pale) \(rest)") }
    return lines
  }

  private func body(_ bar: Bar, _ full: String, _ pale: String, isASCII: Bool) -> String {
    guard maximum > 0 else { return "" }
    let scale = Double(Self.columns) / maximum
    if isASCII || rest != nil {
      // What is there is seen, however little it is.
      let count = bar.value > 0 ? max(1, Int((bar.value * scale).rounded())) : 0
      let end = Int((min(bar.value + bar.rest, maximum) * scale).rounded())
      return String(repeating: full, count: count)
        + String(repeating: pale, count: max(0, end - count))
    }
    let parts = bar.value > 0 ? max(1, Int((bar.value * scale * 8).rounded())) : 0
    return String(repeating: full, count: parts / 8)
      + (parts % 8 > 0 ? Self.eighths[parts % 8 - 1] : "")
  }
}
