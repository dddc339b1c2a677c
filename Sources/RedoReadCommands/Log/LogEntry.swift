// A change for people, on a few lines:
//
//   node sha256:5f0c...
//   Author: Ada <ada@example.org> on linux-laptop
//   Date:   2024-05-01T10:00:00.000Z, lamport 5
//   Task:   550e8400-e29b-41d4-a716-446655440000
//
//       UPDATE  priority 4, title "Water the plants"

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A change in a log for people.
struct LogEntry {
  private let row: ObjectRow
  private let palette: Palette
  /// What it changed, or why it changed nothing; for the form `changes`.
  private let effect: LogEffect?

  init(_ row: ObjectRow, _ palette: Palette = Palette(), effect: LogEffect? = nil) {
    self.row = row
    self.palette = palette
    self.effect = effect
  }

  /// The longest value of a member that is shown whole, in bytes.
  private static let valueLimit = 72
  /// The longest content that is shown whole on one line, in bytes.
  private static let contentLimit = 100

  /// Appends the lines of a form; the last one ends with the given terminator.
  func append(_ pretty: LogStyle.Pretty, to output: inout [UInt8], end: UInt8) {
    if pretty == .oneline {
      appendLine(to: &output)
      output.append(end)
    } else {
      appendLines(isShort: pretty == .short, to: &output, end: end)
    }
  }

  /// Appends `5f0c6d2e8a11 2024-05-01T10:00:00.000Z UPDATE 550e8400 priority 4`.
  private func appendLine(to output: inout [UInt8]) {
    appendMark(to: &output)
    palette.paint(.id, to: &output) { $0 += NodeText.short(row.object.id).utf8 }
    output.append(" ")
    guard let node = row.node else {
      output += row.object.kind.name.description.utf8
      return
    }
    row.append(.wall, to: &output)
    output.append(" ")
    row.append(.action, to: &output)
    output.append(" ")
    output += (node.taskID.map { String($0.text.prefix(8)) } ?? "-").utf8
    var content: [UInt8] = []
    appendContent(node, to: &content)
    guard !content.isEmpty else { return }
    let text = String(decoding: content.dropFirst(), as: UTF8.self)
    guard text.utf8.count > Self.contentLimit else {
      output += text.utf8
      return
    }
    var count = 0
    output +=
      text.prefix { character in
        count += character.utf8.count
        return count <= Self.contentLimit
      }.utf8
    output.append("...")
  }

  private func appendLines(isShort: Bool, to output: inout [UInt8], end: UInt8) {
    func line(_ label: StaticString, _ write: (inout [UInt8]) -> Void) {
      output.append(label)
      write(&output)
      output.append(UInt8(ascii: "\n"))
    }
    palette.paint(.id, to: &output) { output in
      output.append("node ")
      appendMark(to: &output)
      row.append(.id, to: &output)
    }
    output.append("\n")
    guard let node = row.node, let text = NodeText(row) else {
      output += "    (\(row.object.kind.name))".utf8
      effect?.append(to: &output)
      output.append(end)
      return
    }
    line("Author: ") { appendAuthor(text, to: &$0) }
    if !isShort {
      line("Date:   ") { output in
        row.append(.wall, to: &output)
        output += ", lamport \(node.lamport.value)".utf8
      }
      if node.taskID != nil { line("Task:   ") { row.append(.task, to: &$0) } }
      if node.parents.count > 1 { line("Merge:  ") { appendParents(node, to: &$0) } }
    }
    output.append("\n    ")
    row.append(.action, to: &output)
    if let effect { effect.append(to: &output) } else { appendContent(node, to: &output) }
    output.append(end)
  }

  private func appendMark(to output: inout [UInt8]) {
    guard row.mark != nil else { return }
    row.append(.mark, to: &output)
    output.append(" ")
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

  /// Appends `  name value, name value`, with long values cut.
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
