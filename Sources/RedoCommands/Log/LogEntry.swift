// A change for people, over a few lines:
//
//   node sha256:5f0c...
//   Author: Ada <ada@example.org> on linux-laptop
//   Date:   2024-05-01T10:00:00.000Z, lamport 5
//   Task:   550e8400-e29b-41d4-a716-446655440000
//
//       UPDATE  priority 4, title "Water the plants"

internal import CanonicalJSON
internal import RedoObject

/// The default form of a change in a log.
struct LogEntry {
  private let row: ObjectRow

  init(_ row: ObjectRow) { self.row = row }

  /// The longest value of a member that is shown whole, in bytes.
  private static let valueLimit = 72

  /// Appends the lines; the last one ends as asked.
  func append(to output: inout [UInt8], end: UInt8) {
    func line(_ label: StaticString, _ write: (inout [UInt8]) -> Void) {
      output.append(label)
      write(&output)
      output.append(UInt8(ascii: "\n"))
    }
    line("node ") { row.append(.id, to: &$0) }
    guard let node = row.node else {
      output += "    (\(row.object.kind.name))".utf8
      output.append(end)
      return
    }
    line("Author: ") { appendAuthor(node, to: &$0) }
    line("Date:   ") { output in
      row.append(.wall, to: &output)
      output += ", lamport \(node.lamport.value)".utf8
    }
    if node.taskID != nil { line("Task:   ") { row.append(.task, to: &$0) } }
    if node.parents.count > 1 { line("Merge:  ") { appendParents(node, to: &$0) } }
    output.append("\n    ")
    row.append(.action, to: &output)
    appendContent(node, to: &output)
    output.append(end)
  }

  private func appendAuthor(_ node: Node, to output: inout [UInt8]) {
    if node.escapedText(.authorName) != nil {
      row.append(.authorName, to: &output)
    } else {
      row.append(.userID, to: &output)
    }
    if node.escapedText(.authorEmail) != nil {
      output.append(" <")
      row.append(.authorEmail, to: &output)
      output.append(">")
    }
    output.append(" on ")
    row.append(node.escapedText(.deviceName) == nil ? .deviceID : .deviceName, to: &output)
    if row.object.signature == nil { output.append(", unsigned") }
  }

  private func appendParents(_ node: Node, to output: inout [UInt8]) {
    for (index, parent) in node.parents.enumerated() {
      if index > 0 { output.append(" ") }
      output += parent.hex.prefix(12).utf8
    }
  }

  /// Appends `  name value, name value`, long values cut.
  private func appendContent(_ node: Node, to output: inout [UInt8]) {
    let content = Array(node.content)
    var scanner = Scanner()
    do throws(JSONError) { try scanner.scan(content.span) } catch { return }
    var name = 1
    while name < scanner.tokenCount {
      output.append(name == 1 ? "  " : ", ")
      output +=
        Escape.text(
          StringEscape.unescape(content.span.extracting(scanner[name].range))
        ).utf8
      output.append(" ")
      let value = content[scanner[name + 1].outerRange]
      output += Escape.text(String(decoding: value.prefix(Self.valueLimit), as: UTF8.self)).utf8
      if value.count > Self.valueLimit { output.append("...") }
      name = Int(scanner[name + 1].next)
    }
  }
}
