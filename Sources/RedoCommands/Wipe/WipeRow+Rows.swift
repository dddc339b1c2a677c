// What goes, as rows: `<id> <user> <action> <why>`, or the same as JSON.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension WipeRow {
  private var reasonText: String {
    switch reason {
    case .all: "all"
    case .author: "author"
    case .descendant: "descendant"
    case .leftOver: "left-over"
    case .notes: "notes"
    }
  }

  /// Appends `<id> <user> <action> <why>`, all in one line.
  func append(to output: inout [UInt8]) {
    entry.id.append(to: &output)
    output += " \(entry.user ?? "-") \(entry.label) \(reasonText)".utf8
    if case .descendant(let parent) = reason {
      output += " ".utf8
      parent.append(to: &output)
    }
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    let isNode = entry.node != nil
    var members: [(String, String)] = []
    if isNode { members.append(("action", entry.label)) }
    members.append(("because", reasonText))
    members.append(("id", entry.id.text))
    if !isNode { members.append(("kind", entry.label)) }
    if case .descendant(let parent) = reason { members.append(("parent", parent.text)) }
    if let user = entry.user { members.append(("userId", user)) }
    output += "{".utf8
    for (index, (name, value)) in members.enumerated() {
      if index > 0 { output += ",".utf8 }
      JSONWriter.appendString(name, to: &output)
      output += ":".utf8
      JSONWriter.appendString(value, to: &output)
    }
    output += "}".utf8
  }
}
