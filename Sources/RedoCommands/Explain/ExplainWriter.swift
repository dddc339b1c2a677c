// An explanation for people:
//
//   task 7a000000-0000-4000-8000-000000000001
//
//   title "Water everything"
//       won   5f0c6d2e8a11  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on laptop
//       lost  0a1b2c3d4e5f  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on laptop  earlier
//             "Water"
//             redo commit update --task=7a000000-0000-4000-8000-000000000001 --title=Water

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject

/// Writes an explanation.
struct ExplainWriter {
  private let explanation: Explanation
  private let graph: Graph
  private let palette: Palette
  /// Whether single members were asked for.
  private let isNarrow: Bool
  private let end: UInt8

  init(
    _ explanation: Explanation, _ graph: Graph, _ palette: Palette, isNarrow: Bool, end: UInt8
  ) {
    self.explanation = explanation
    self.graph = graph
    self.palette = palette
    self.isNarrow = isNarrow
    self.end = end
  }

  /// Writes what was chosen.
  func write(
    _ choice: ExplainChoice, isJSON: Bool, _ context: inout Context
  ) throws(CommandError) {
    if isJSON {
      let row = ExplainRow(explanation, graph)
      if explanation.state == nil {
        try context.output.append { output throws(CommandError) in
          row.appendDeleted(to: &output)
          output.append(end)
        }
      }
      for member in choice.members {
        try context.output.append { output throws(CommandError) in
          row.append(member, to: &output)
          output.append(end)
        }
      }
      for skip in choice.skips {
        try SkipRow.write(skip, graph, isJSON: true, end: end, &context)
      }
      return
    }
    try write(&context) { appendHeading(to: &$0) }
    let width = actionWidth(choice)
    for member in choice.members {
      try write(&context) { append(member, width, to: &$0) }
    }
    if !choice.skips.isEmpty { try write(&context) { append(choice.skips, width, to: &$0) } }
  }

  /// Writes a block, and what ends it.
  private func write(
    _ context: inout Context, _ body: (inout [UInt8]) -> Void
  ) throws(CommandError) {
    try context.output.append { output throws(CommandError) in
      body(&output)
      output.append(end)
    }
  }

  private func appendHeading(to output: inout [UInt8]) {
    palette.paint(.id, to: &output) { $0 += "task \(explanation.task.text)".utf8 }
    guard explanation.state == nil else { return }
    output.append(
      explanation.deletes.isEmpty
        ? "\nit has no state: no CREATE of it counts" : "\nit has no state: it was deleted")
    for position in explanation.deletes {
      output.append("\n    by    ")
      appendNode(position, 6, to: &output)
    }
  }

  private func append(_ member: MemberExplanation, _ width: Int, to output: inout [UInt8]) {
    if end != 0 { output.append("\n") }
    if let todo = member.member.todo { output += "todo \(todo.text.prefix(8)) ".utf8 }
    output += Escape.text(StringEscape.unescape(member.member.name.span)).utf8
    output.append(" ")
    if let value = member.value {
      ValueText.append(value, to: &output)
    } else {
      output.append("none")
    }
    if let winner = member.winner {
      output.append("\n    won   ")
      appendNode(winner.position, width, to: &output)
      if winner.isDefault { output.append("  default") }
      appendStrategy(winner, to: &output)
    }
    for part in member.parts.dropLast() {
      output.append("\n    part  ")
      appendNode(part.position, width, to: &output)
      if let text = part.appended ?? part.value { appendIndented(text, to: &output) }
    }
    // Everything that happens to a task changes when it was last updated.
    guard member.member.key != .lastUpdated || isNarrow else { return }
    for loser in member.losers { append(loser, member, width, to: &output) }
  }

  private func append(
    _ loser: MemberLoser, _ member: MemberExplanation, _ width: Int, to output: inout [UInt8]
  ) {
    output.append("\n    ")
    palette.paint(.odd, to: &output) { $0.append("lost") }
    output.append("  ")
    appendNode(loser.writer.position, width, to: &output)
    output += "  \(loser.reason.rule)".utf8
    if let tieBreak = loser.reason.tieBreak { output += ", \(tieBreak.rawValue)".utf8 }
    appendStrategy(loser.writer, to: &output)
    if let value = loser.writer.value {
      appendIndented(value, to: &output)
    } else if let days = loser.writer.days {
      output += "\n          \(days) day\(days == 1 ? "" : "s") later".utf8
    } else if let appended = loser.writer.appended {
      appendIndented(appended, to: &output)
    }
    if let restoration = Restoration(
      loser.writer.value, of: member.member, in: explanation.state),
      let command = RestoreCommand.text(restoration, of: explanation.task)
    {
      output += "\n          \(command)".utf8
    }
  }

  private func append(_ skips: [Skip], _ width: Int, to output: inout [UInt8]) {
    if end != 0 { output.append("\n") }
    output.append("without effect")
    for skip in skips {
      output.append("\n          ")
      appendNode(skip.position, width, to: &output)
      output += "  \(skip.reason.rawValue)".utf8
      if let todo = skip.todo { output += "  todo \(todo.text.prefix(8))".utf8 }
    }
  }

  private func appendIndented(_ value: [UInt8], to output: inout [UInt8]) {
    output.append("\n          ")
    ValueText.append(value, to: &output)
  }

  private func appendStrategy(_ writer: MemberWriter, to output: inout [UInt8]) {
    guard let strategy = writer.strategy else { return }
    output += "  strategy \(Escape.text(StringEscape.unescape(strategy.span)))".utf8
  }

  /// Appends `5f0c6d2e8a11  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on laptop`.
  private func appendNode(_ position: Int, _ width: Int, to output: inout [UInt8]) {
    output += "\(NodeText.short(graph.id(at: position)))  ".utf8
    let start = output.count
    appendAction(position, to: &output)
    for _ in output.count..<max(output.count, start + width) { output.append(" ") }
    output +=
      "  \(graph.wall(at: position).text)  lamport \(graph.lamport(at: position).value)".utf8
    guard !graph.isBroken(at: position) else { return }
    let author = graph.authors[graph.authorNumber(at: position)]
    func text(_ escaped: [UInt8]) -> String { Escape.text(StringEscape.unescape(escaped.span)) }
    output += "  \(author.name.map(text) ?? author.userID.text)".utf8
    output += " on \(text(author.deviceName ?? author.deviceID))".utf8
  }

  private func appendAction(_ position: Int, to output: inout [UInt8]) {
    let start = output.count
    graph.appendActionName(at: position, to: &output)
    if output.count == start { output.append("-") }
  }

  /// The width of the longest action that is shown.
  private func actionWidth(_ choice: ExplainChoice) -> Int {
    var positions = Set(choice.skips.map(\.position))
    for member in choice.members {
      for writer in member.parts + (member.winner.map { [$0] } ?? []) {
        positions.insert(writer.position)
      }
      guard member.member.key != .lastUpdated || isNarrow else { continue }
      for loser in member.losers { positions.insert(loser.writer.position) }
    }
    return positions.map { position in
      var name: [UInt8] = []
      appendAction(position, to: &name)
      return name.count
    }.max() ?? 0
  }
}
