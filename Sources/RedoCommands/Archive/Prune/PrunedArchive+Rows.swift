// Archives and what becomes of them, as rows.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension PrunedArchive {
  private var timeText: String? { time.map { WallTime(milliseconds: $0).text } }
  private var word: String { reasons.isEmpty ? "remove" : "keep" }

  /// Appends `<keep or remove> <time> <reasons> <file>`; `-` stands for what there is not.
  func append(to output: inout [UInt8]) {
    let why = reasons.isEmpty ? "-" : reasons.map(\.word).joined(separator: ",")
    output += "\(word) \(timeText ?? "-") \(why) \(Escape.text(path))".utf8
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("file", path)
    row.add("reasons", reasons) { JSONWriter.appendString($0.word, to: &$1) }
    row.addIfAny("received", timeText)
    row.add("what", word)
    row.append(to: &output)
  }
}

extension PrunedArchive.Reason {
  /// What stands in rows.
  fileprivate var word: String {
    switch self {
    case .rule(let rule): rule.rawValue
    case .within: "within"
    case .registered: "registered"
    case .unknown: "unknown"
    case .future: "future"
    case .unreadable: "unreadable"
    case .needed: "needed"
    }
  }
}
