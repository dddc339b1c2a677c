// An explanation for people:
//
//   task 7a000000-0000-4000-8000-000000000001
//
//   title "Water everything"
//       won   5f0c6d2e8a11  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on laptop
//       lost  0a1b2c3d4e5f  CREATE  2025-03-01T08:00:00.000Z  lamport 1  Ada on laptop
//             earlier: "Water"
//             redo commit update --task=7a000000-0000-4000-8000-000000000001 --title=Water

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes an explanation.
struct ExplainWriter {
  private let explanation: Explanation
  private let graph: Graph
  private let palette: Palette
  private let names: RecordNames?
  /// Whether fields of records that are hidden are shown as well.
  private let showsAll: Bool
  /// Whether single members were asked for.
  private let isNarrow: Bool
  private let end: UInt8

  init(
    _ explanation: Explanation, _ graph: Graph, _ palette: Palette, _ names: RecordNames?,
    showsAll: Bool, isNarrow: Bool, end: UInt8
  ) {
    self.explanation = explanation
    self.graph = graph
    self.palette = palette
    self.names = names
    self.showsAll = showsAll
    self.isNarrow = isNarrow
    self.end = end
  }

  /// Writes the chosen part.
  func write(
    _ choice: ExplainChoice, isJSON: Bool, _ context: inout Context
  ) throws {
    if isJSON {
      let row = ExplainRow(explanation, graph, names)
      if explanation.state == nil {
        try context.output.append { output throws in
          row.appendDeleted(to: &output)
          output.append(end)
        }
      }
      for member in choice.members {
        try context.output.append { output throws in
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
    let width = Widths(of: shown(choice), graph)
    var hidden = 0
    for (member, name) in ordered(choice.members.filter(isShown)) {
      guard showsAll || name?.visibility != .hidden else {
        hidden += 1
        continue
      }
      try write(&context) { append(member, name, width, to: &$0) }
      if let name, name.visibility == .deprecated {
        context.warning(
          "\(Rule.recordDeprecated.id): the field '\(Escape.text(name.text.text))' is deprecated")
      }
    }
    if hidden > 0 {
      try write(&context) { output in
        if end != 0 { output.append("\n") }
        output += RecordLabel.hidden(hidden).utf8
      }
    }
    // Nodes that a DELETE cuts off are counted below it.
    let skips = choice.skips.filter { explanation.state != nil || $0.reason != .notLiving }
    if !skips.isEmpty { try write(&context) { append(skips, width, to: &$0) } }
  }

  /// Members in the order in which they are shown: fields of a record in that of the schema, where the first of them stands.
  private func ordered(
    _ members: [MemberExplanation]
  ) -> [(member: MemberExplanation, name: RecordNames.Name?)] {
    let named = members.map { member in
      (
        member: member,
        name: member.member.todo == nil ? names?.name(at: member.member.path, member.value) : nil
      )
    }
    guard let start = named.firstIndex(where: { $0.name != nil }) else { return named }
    let fields = named.filter { $0.name != nil }
      .sorted { ($0.name?.place ?? 0) < ($1.name?.place ?? 0) }
    return named[..<start] + fields + named[start...].filter { $0.name == nil }
  }

  /// Writes a block and its terminator.
  private func write(
    _ context: inout Context, _ body: (inout [UInt8]) -> Void
  ) throws {
    try context.output.append { output throws in
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
      appendNode(position, Widths(of: explanation.deletes, graph), to: &output)
    }
    let count = explanation.skips.count { $0.reason == .notLiving }
    guard count > 0 else { return }
    output += "\n    \(count) change\(count == 1 ? "" : "s") before it: not-living".utf8
  }

  private func append(
    _ member: MemberExplanation, _ name: RecordNames.Name?, _ width: Widths,
    to output: inout [UInt8]
  ) {
    if end != 0 { output.append("\n") }
    if let todo = member.member.todo { output += "todo \(todo.text.prefix(8)) ".utf8 }
    let key = Escape.text(StringEscape.unescape(member.member.name.span))
    output += (name.map { RecordLabel.text($0, key) } ?? key).utf8
    output.append(" ")
    if let value = member.value {
      ValueText.append(plain(value, member, name), to: &output)
    } else {
      output.append("none")
    }
    if let winner = member.winner {
      output.append("\n    won   ")
      appendNode(winner.position, width, to: &output)
      if winner.isDefault { output.append("\n          default") }
      if let strategy = winner.strategy {
        output += "\n          strategy \(Escape.text(StringEscape.unescape(strategy.span)))".utf8
      }
    }
    for part in member.parts.dropLast() {
      output.append("\n    part  ")
      appendNode(part.position, width, to: &output)
      output.append("\n          ")
      ValueText.append(part.appended ?? part.value ?? [], to: &output)
    }
    // Every change to a task sets its last update, so the losers are shown only when asked for.
    guard member.member.key != .lastUpdated || isNarrow else { return }
    for loser in member.losers { append(loser, member, name, width, to: &output) }
  }

  /// A value for people: of a field of a record without its type.
  private func plain(
    _ value: [UInt8], _ member: MemberExplanation, _ name: RecordNames.Name?
  ) -> [UInt8] {
    name == nil ? value : names?.value(of: member.member.name, value) ?? value
  }

  private func append(
    _ loser: MemberLoser, _ member: MemberExplanation, _ name: RecordNames.Name?, _ width: Widths,
    to output: inout [UInt8]
  ) {
    output.append("\n    ")
    palette.paint(.odd, to: &output) { $0.append("lost") }
    output.append("  ")
    appendNode(loser.writer.position, width, to: &output)
    output += "\n          \(loser.reason.rule)".utf8
    if let tieBreak = loser.reason.tieBreak { output += ", \(tieBreak.rawValue)".utf8 }
    if let strategy = loser.writer.strategy {
      output += ", strategy \(Escape.text(StringEscape.unescape(strategy.span)))".utf8
    }
    output.append(": ")
    if let value = loser.writer.value ?? loser.writer.appended {
      ValueText.append(plain(value, member, name), to: &output)
    } else if let days = loser.writer.days {
      output += "\(days) day\(days == 1 ? "" : "s") later".utf8
    }
    if let restoration = Restoration(
      loser.writer.value, of: member.member, in: explanation.state),
      let command = RestoreCommand.text(restoration, of: explanation.task)
    {
      output += "\n          \(command)".utf8
    }
  }

  private func append(_ skips: [Skip], _ width: Widths, to output: inout [UInt8]) {
    if end != 0 { output.append("\n") }
    output.append("without effect")
    for skip in skips {
      output.append("\n    skip  ")
      appendNode(skip.position, width, to: &output)
      output += "\n          \(skip.reason.rawValue)".utf8
      if let todo = skip.todo { output += ": todo \(todo.text.prefix(8))".utf8 }
    }
  }

  /// Appends `5f0c6d2e8a11  UPDATE  2025-03-02T08:00:00.000Z  lamport 2  Ada on laptop`.
  private func appendNode(_ position: Int, _ width: Widths, to output: inout [UInt8]) {
    output += "\(NodeText.short(graph.id(at: position)))  ".utf8
    let start = output.count
    Widths.appendAction(position, graph, to: &output)
    for _ in output.count..<max(output.count, start + width.action) { output.append(" ") }
    let lamport = "\(graph.lamport(at: position).value)"
    output += "  \(graph.wall(at: position).text)  lamport ".utf8
    for _ in lamport.utf8.count..<max(lamport.utf8.count, width.lamport) { output.append(" ") }
    output += lamport.utf8
    guard !graph.isBroken(at: position) else { return }
    let author = graph.authors[graph.authorNumber(at: position)]
    func text(_ escaped: [UInt8]) -> String { Escape.text(StringEscape.unescape(escaped.span)) }
    output += "  \(author.name.map(text) ?? author.userID.text)".utf8
    output += " on \(text(author.deviceName ?? author.deviceID))".utf8
  }

  /// Whether a member is worth showing: not the last update of a task that was never updated.
  private func isShown(_ member: MemberExplanation) -> Bool {
    member.member.key != .lastUpdated || member.winner != nil || member.value != nil || isNarrow
  }

  /// The nodes that are shown.
  private func shown(_ choice: ExplainChoice) -> Set<Int> {
    var positions = Set(choice.skips.map(\.position))
    for member in choice.members {
      for writer in member.parts + (member.winner.map { [$0] } ?? []) {
        positions.insert(writer.position)
      }
      guard member.member.key != .lastUpdated || isNarrow else { continue }
      for loser in member.losers { positions.insert(loser.writer.position) }
    }
    return positions
  }
}

/// The widths of columns.
private struct Widths {
  private(set) var action = 0
  private(set) var lamport = 0

  init(of positions: some Sequence<Int>, _ graph: Graph) {
    for position in positions {
      var name: [UInt8] = []
      Self.appendAction(position, graph, to: &name)
      action = max(action, name.count)
      lamport = max(lamport, "\(graph.lamport(at: position).value)".utf8.count)
    }
  }

  /// Appends the action of a node; a broken node may have none.
  static func appendAction(_ position: Int, _ graph: Graph, to output: inout [UInt8]) {
    let start = output.count
    graph.appendActionName(at: position, to: &output)
    if output.count == start { output.append("-") }
  }
}
