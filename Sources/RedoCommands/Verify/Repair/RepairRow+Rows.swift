// What became of something damaged, as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension RepairRow {
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
