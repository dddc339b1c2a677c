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
    output.append("{")
    func member(_ name: StaticString, _ value: String) {
      if output.last != UInt8(ascii: "{") { output.append(",") }
      output.append("\"")
      output.append(name)
      output.append("\":")
      JSONText.append(value, to: &output)
    }
    if let id { member("id", id.text) }
    if let kept { member("kept", kept) }
    if !path.isEmpty { member("path", path) }
    member("reason", reason)
    member("result", result.rawValue)
    output.append("}")
    output.append(end)
  }
}
