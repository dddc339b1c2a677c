// What a repair has done, would do, or could not do: a row each.

internal import RedoObject

/// A row of a repair.
struct RepairRow {
  /// What became of it.
  enum Result: String {
    case repaired
    case wouldRepair = "would-repair"
    case unrepaired
  }

  let result: Result
  let id: ObjectID?
  /// The file that it is about, below `.redo`.
  let path: String
  /// What was wrong, and what is done about it.
  let reason: String
  /// Where what stood there is kept, below `.redo`.
  var kept: String?

  /// Appends `<result> <id|-> <path|-> <reason>`, or the same as RFC 8785 JSON.
  func append(isJSON: Bool, end: UInt8, to output: inout [UInt8]) {
    guard isJSON else {
      let place = path.isEmpty ? "-" : Escape.text(path)
      output += "\(result.rawValue) \(id?.text ?? "-") \(place) \(Escape.text(reason))".utf8
      output.append(end)
      return
    }
    var row = JSONRow()
    if let id { row.add("id", id.text) }
    if let kept { row.add("kept", kept) }
    if !path.isEmpty { row.add("path", path) }
    row.add("reason", reason)
    row.add("result", result.rawValue)
    row.append(to: &output)
    output.append(end)
  }
}
