// A node that is left out, for programs and for people: `<id> <reason> <action> <task> <ancestor>`.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes what is left out.
enum RecoverRow {
  /// Appends a row; `-` stands for a missing value.
  static func append(_ left: LeftOut, _ log: some HistoryLog, to output: inout [UInt8]) {
    log.id(at: left.position).append(to: &output)
    output += " \(left.reason.rawValue) ".utf8
    let start = output.count
    log.appendActionName(at: left.position, to: &output)
    if output.count == start { output.append("-") }
    output += " \(task(left, log) ?? "-") \(ancestor(left, log) ?? "-")".utf8
  }

  /// Appends the members in RFC 8785 order.
  static func appendJSON(_ left: LeftOut, _ log: some HistoryLog, to output: inout [UInt8]) {
    var row = JSONRow()
    var action: [UInt8] = []
    log.appendActionName(at: left.position, to: &action)
    var wall: [UInt8] = []
    log.appendWallText(at: left.position, to: &wall)
    row.addIfAny("action", String(decoding: action, as: UTF8.self))
    row.addIfAny("ancestor", ancestor(left, log))
    row.addIfAny("id", log.id(at: left.position).text)
    row.addIfAny("reason", left.reason.rawValue)
    row.addIfAny("task", task(left, log))
    row.addIfAny("wall", String(decoding: wall, as: UTF8.self))
    row.append(to: &output)
  }

  /// How many nodes, or receipts, are left out for each reason; empty when there are none.
  static func summary(_ left: [LeftOut], _ noun: String) -> [String] {
    guard !left.isEmpty else { return [] }
    var parts: [String] = []
    for reason in LeftOut.Reason.allCases {
      let count = left.count { $0.reason == reason }
      if count > 0 { parts.append("\(count) \(reason.rawValue)") }
    }
    let nodes = "\(left.count) \(noun)\(left.count == 1 ? "" : "s")"
    return ["left out \(nodes): \(parts.joined(separator: ", "))"]
  }

  private static func task(_ left: LeftOut, _ log: some HistoryLog) -> String? {
    let task = log.task(at: left.position)
    return task < 0 ? nil : log.taskID(task).text
  }

  private static func ancestor(_ left: LeftOut, _ log: some HistoryLog) -> String? {
    left.ancestor.map { log.id(at: $0).text }
  }
}
