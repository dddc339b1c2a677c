// The verdict on one node as a row: `<letter> <id> <reason>`, or the same as JSON.

internal import RedoCrypto
package import RedoObject
package import RedoRepository

extension InputPlace {
  /// `<file>:<line>`; for the elements of an array and the nodes of an archive `<file>#<number>`.
  package var text: String {
    "\(Escape.field(Array(input.utf8), isRaw: false))\(unit == .lines ? ":" : "#")\(number)"
  }

  /// The file, and the number of the line, element or node.
  package var json: [UInt8] {
    var row = JSONRow()
    switch unit {
    case .lines, .bytes:
      row.add("file", input)
      row.add("line", number)
    case .elements:
      row.add("element", number)
      row.add("file", input)
    case .nodes:
      row.add("file", input)
      row.add("node", number)
    }
    var bytes: [UInt8] = []
    row.append(to: &bytes)
    return bytes
  }
}

extension VerdictRow {
  /// Appends the row of a good node without findings.
  package static func appendGood(
    _ id: ObjectID, _ form: SignatureForm, to output: inout [UInt8], end: UInt8
  ) {
    output.append("G ")
    id.append(to: &output)
    switch form {
    case .body: output.append(" body")
    case .digest: output.append(" digest")
    }
    output.append(end)
  }

  /// Appends `<letter> <id> <reason>[ TAB <place>]` and the terminator of the row.
  package func append(to output: inout [UInt8], end: UInt8, showsPlace: Bool = false) {
    output.append(UInt8(ascii: letter))
    output.append(UInt8(ascii: " "))
    switch subject {
    case .id(let id): id.append(to: &output)
    case .name(let name): output += Escape.text(name).utf8
    case .nothing: output.append(UInt8(ascii: "-"))
    }
    output.append(UInt8(ascii: " "))
    output += Escape.text(reason).utf8
    if showsPlace, let place { output += "\t\(place.text)".utf8 }
    output.append(end)
  }

  /// Appends the row as one line of RFC 8785 JSON.
  package func appendJSON(to output: inout [UInt8], end: UInt8) {
    var row = JSONRow()
    if let finding, !finding.detail.isEmpty { row.add("detail", finding.detail) }
    if let form { row.add("form", form.rawValue) }
    if case .nothing = subject {} else { row.add("id", name) }
    if let place { row.add("input", json: place.json) }
    if let key { row.add("key", Hex.text(key.bytes.span)) }
    row.add("letter", String(letter))
    if let line = standing?.line { row.add("line", line) }
    switch finding?.place {
    case .offset(let offset): row.add("offset", offset)
    case .pointer(let pointer): row.add("pointer", pointer)
    case .whole, nil: break
    }
    if let role = standing?.role { row.add("role", role.rawValue) }
    if let finding {
      row.add("rule", finding.rule.id)
    } else if form == nil || !isGood {
      row.add("rule", reason)
    }
    if let userID { row.add("userId", userID.text) }
    let warnings = findings.filter { $0 != finding && $0.rule.severity == .warning }
    if !warnings.isEmpty {
      row.add("warnings", warnings.map(\.summary))
    }
    row.append(to: &output)
    output.append(end)
  }
}
