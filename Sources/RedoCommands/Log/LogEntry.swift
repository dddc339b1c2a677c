// A change for people, over a few lines:
//
//   node sha256:5f0c...
//   Author: Ada <ada@example.org> on linux-laptop
//   Date:   2024-05-01T10:00:00.000Z, lamport 5
//   Task:   550e8400-e29b-41d4-a716-446655440000
//
//       UPDATE  priority 4, title "Water the plants"

internal import RedoObject

/// The default form of a change in a log.
struct LogEntry {
  private let row: ObjectRow
  private let palette: Palette

  init(_ row: ObjectRow, _ palette: Palette = Palette()) {
    self.row = row
    self.palette = palette
  }

  /// The longest value of a member that is shown whole, in bytes.
  private static let valueLimit = 72

  /// Appends the lines; the last one ends as asked.
  func append(to output: inout [UInt8], end: UInt8) {
    func line(_ label: StaticString, _ write: (inout [UInt8]) -> Void) {
      output.append(label)
      write(&output)
      output.append(UInt8(ascii: "\n"))
    }
    palette.paint(.id, to: &output) { output in
      output.append("node ")
      row.append(.id, to: &output)
    }
    output.append("\n")
    guard let node = row.node, let text = NodeText(row) else {
      output += "    (\(row.object.kind.name))".utf8
      output.append(end)
      return
    }
    line("Author: ") { appendAuthor(text, to: &$0) }
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

  private func appendAuthor(_ text: NodeText, to output: inout [UInt8]) {
    text.appendAuthor(to: &output)
    output.append(" on ")
    text.appendDevice(to: &output)
    if row.object.signature == nil { output.append(", unsigned") }
  }

  private func appendParents(_ node: Node, to output: inout [UInt8]) {
    for (index, parent) in node.parents.enumerated() {
      if index > 0 { output.append(" ") }
      output += NodeText.short(parent).utf8
    }
  }

  /// Appends `  name value, name value`, long values cut.
  private func appendContent(_ node: Node, to output: inout [UInt8]) {
    for (index, member) in JSONMembers(node.content).enumerated() {
      output.append(index == 0 ? "  " : ", ")
      output += Escape.text(member.name).utf8
      output.append(" ")
      let value = String(decoding: member.value.prefix(Self.valueLimit), as: UTF8.self)
      output += Escape.text(value).utf8
      if member.value.count > Self.valueLimit { output.append("...") }
    }
  }
}
