// A bar chart as lines of text: one bar per line, from left to right.
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
    /// The paler part that continues the bar.
    var rest = 0.0
    /// Whether it is one of the bars that the answer is about.
    var isMarked = false
  }

  let title: String
  let subtitle: String
  /// The unit of the values.
  let unit: String
  /// The meaning of marked bars; `nil` when none can be marked.
  var mark: String?
  /// The meaning of the paler parts; `nil` when there are none.
  var rest: String?
  var bars: [Bar] = []

  /// The length of the longest bar of a plot, in columns.
  private static let columns = 48
  /// Eighths of a column, from one to seven.
  private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The greatest value of a bar, including its paler part; 0 when it is too small to be printed as more than 0.
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
      // A value above zero is always visible, however small it is.
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
