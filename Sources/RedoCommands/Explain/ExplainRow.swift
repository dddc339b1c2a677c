// An explanation for programs: a row a member, RFC 8785.
//
//   {"losers":[{"action":"CREATE","author":"6dae...","command":"redo commit ...","device":"laptop",
//   "id":"sha256:...","lamport":1,"rule":"earlier","value":"Water","wall":"2025-..."}],
//   "path":"/title","task":"7a00...","value":"Water all","winner":{"action":"UPDATE",...}}

internal import RedoHistory
internal import RedoObject

/// Writes rows.
struct ExplainRow {
  private let explanation: Explanation
  private let graph: Graph

  init(_ explanation: Explanation, _ graph: Graph) {
    self.explanation = explanation
    self.graph = graph
  }

  /// Appends the row of a task without state.
  func appendDeleted(to output: inout [UInt8]) {
    var row = ObjectWriter()
    row.array("deletes", explanation.deletes) { position, output in
      append(position, nil, to: &output)
    }
    row.value("state", Array("null".utf8))
    row.text("task", explanation.task.text)
    output += row.finish()
  }

  /// Appends the row of a member.
  func append(_ member: MemberExplanation, to output: inout [UInt8]) {
    var row = ObjectWriter()
    row.array("losers", member.losers) { loser, output in
      let command = Restoration(loser.writer.value, of: member.member, in: explanation.state)
        .flatMap { RestoreCommand.text($0, of: explanation.task) }
      append(
        loser.writer.position, loser.writer, loser.reason, command: command, to: &output)
    }
    if !member.parts.isEmpty {
      row.array("parts", member.parts) { part, output in
        append(part.position, part, to: &output)
      }
    }
    row.escaped("path", member.member.path)
    row.text("task", explanation.task.text)
    if let todo = member.member.todo { row.text("todo", todo.text) }
    if let value = member.value { row.value("value", value) }
    if let winner = member.winner {
      var object: [UInt8] = []
      append(winner.position, winner, to: &object)
      row.value("winner", object)
    }
    output += row.finish()
  }

  private func append(
    _ position: Int, _ writer: MemberWriter?, _ reason: LossReason? = nil,
    command: String? = nil, to output: inout [UInt8]
  ) {
    var row = ObjectWriter()
    var action: [UInt8] = []
    graph.appendActionName(at: position, to: &action)
    row.escaped("action", action)
    if let appended = writer?.appended { row.value("appended", appended) }
    let author = graph.authors[graph.authorNumber(at: position)]
    row.text("author", author.userID.text)
    if let name = author.name { row.escaped("authorName", name) }
    if let command { row.text("command", command) }
    if let days = writer?.days { row.value("days", Array("\(days)".utf8)) }
    if writer?.isDefault == true { row.value("default", Array("true".utf8)) }
    row.escaped("device", author.deviceID)
    if let name = author.deviceName { row.escaped("deviceName", name) }
    row.text("id", graph.id(at: position).text)
    row.value("lamport", Array("\(graph.lamport(at: position).value)".utf8))
    if let reason { row.text("rule", reason.rule) }
    if let strategy = writer?.strategy { row.escaped("strategy", strategy) }
    if let tieBreak = reason?.tieBreak { row.text("tieBreak", tieBreak.rawValue) }
    if let value = writer?.value { row.value("value", value) }
    var wall: [UInt8] = []
    graph.appendWallText(at: position, to: &wall)
    row.escaped("wall", wall)
    output += row.finish()
  }
}

/// Writes an object whose members come in their order.
private struct ObjectWriter {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes += "\"\(name)\":".utf8
  }

  /// A value as it stands.
  mutating func value(_ name: StaticString, _ value: [UInt8]) {
    begin(name)
    bytes += value
  }

  /// A text.
  mutating func text(_ name: StaticString, _ text: String) {
    begin(name)
    JSONText.append(text, to: &bytes)
  }

  /// A text that is escaped already.
  mutating func escaped(_ name: StaticString, _ text: [UInt8]) {
    begin(name)
    bytes += "\"".utf8
    bytes += text
    bytes += "\"".utf8
  }

  /// An array.
  mutating func array<Element>(
    _ name: StaticString, _ elements: [Element], _ body: (Element, inout [UInt8]) -> Void
  ) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (place, element) in elements.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      body(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// The whole object.
  consuming func finish() -> [UInt8] { bytes + [UInt8(ascii: "}")] }
}
