// What is wrong beside an archive, as rows: `<letter> <file> <reason>`, or the same as JSON.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension ManifestFinding {
  /// A rule, or what is wrong, in one word.
  private var reason: String {
    switch defect {
    case .manifestMissing: "manifest-missing"
    case .manifestDiffers: "manifest-differs"
    case .documentsDiffer: "documents-differ"
    case .rule(let rule): rule.id
    }
  }

  /// Appends the row and what ends it.
  func append(to output: inout [UInt8], isJSON: Bool, end: UInt8) {
    if isJSON {
      var row = JSONRow()
      row.add("file", path)
      if let key { row.add("key", Hex.text(key.bytes.span)) }
      row.add("letter", String(letter))
      if let line = standing?.line { row.add("line", line) }
      if let pointer { row.add("pointer", pointer) }
      row.add("rule", reason)
      row.append(to: &output)
    } else {
      output += "\(letter) \(Escape.text(path)) \(reason)".utf8
      if let pointer { output += (pointer.isEmpty ? " at its end" : " at \(pointer)").utf8 }
    }
    output.append(end)
  }
}
