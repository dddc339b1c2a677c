// An explanation for programs: one row per member, RFC 8785.
//
//   {"losers":[{"action":"CREATE","author":"6dae...","command":"redo commit ...","device":"laptop",
//   "id":"sha256:...","lamport":1,"rule":"earlier","value":"Water","wall":"2025-..."}],
//   "path":"/title","task":"7a00...","value":"Water all","winner":{"action":"UPDATE",...}}

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes rows.
struct ExplainRow {
  private let explanation: Explanation
  private let graph: Graph
  private let names: RecordNames?

  init(_ explanation: Explanation, _ graph: Graph, _ names: RecordNames?) {
    self.names = names
    self.explanation = explanation
    self.graph = graph
  }

  /// Appends the row of a task that has no state.
  func appendDeleted(to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("deletes", explanation.deletes) { position, output in
      append(position, nil, to: &output)
    }
    row.add("state", json: Array("null".utf8))
    row.add("task", explanation.task.text)
    row.append(to: &output)
  }

  /// Appends the row of a member.
  func append(_ member: MemberExplanation, to output: inout [UInt8]) {
    var row = JSONRow()
    if member.member.todo == nil, let name = names?.name(at: member.member.path, member.value) {
      row.add("displayName", name.text.text)
    }
    row.add("losers", member.losers) { loser, output in
      let command = Restoration(loser.writer.value, of: member.member, in: explanation.state)
        .flatMap { RestoreCommand.text($0, of: explanation.task) }
      append(
        loser.writer.position, loser.writer, loser.reason, command: command, to: &output)
    }
    if !member.parts.isEmpty {
      row.add("parts", member.parts) { part, output in
        append(part.position, part, to: &output)
      }
    }
    row.add("path", escaped: member.member.path)
    row.add("task", explanation.task.text)
    if let todo = member.member.todo { row.add("todo", todo.text) }
    if let value = member.value { row.add("value", json: value) }
    if let winner = member.winner {
      var object: [UInt8] = []
      append(winner.position, winner, to: &object)
      row.add("winner", json: object)
    }
    row.append(to: &output)
  }

  private func append(
    _ position: Int, _ writer: MemberWriter?, _ reason: LossReason? = nil,
    command: String? = nil, to output: inout [UInt8]
  ) {
    var row = JSONRow()
    var action: [UInt8] = []
    graph.appendActionName(at: position, to: &action)
    row.add("action", escaped: action)
    if let appended = writer?.appended { row.add("appended", json: appended) }
    let author = graph.authors[graph.authorNumber(at: position)]
    row.add("author", author.userID.text)
    if let name = author.name { row.add("authorName", escaped: name) }
    if let command { row.add("command", command) }
    if let days = writer?.days { row.add("days", json: Array("\(days)".utf8)) }
    if writer?.isDefault == true { row.add("default", true) }
    row.add("device", escaped: author.deviceID)
    if let name = author.deviceName { row.add("deviceName", escaped: name) }
    row.add("id", graph.id(at: position).text)
    row.add("lamport", Int(graph.lamport(at: position).value))
    if let reason { row.add("rule", reason.rule) }
    if let strategy = writer?.strategy { row.add("strategy", escaped: strategy) }
    if let tieBreak = reason?.tieBreak { row.add("tieBreak", tieBreak.rawValue) }
    if let value = writer?.value { row.add("value", json: value) }
    var wall: [UInt8] = []
    graph.appendWallText(at: position, to: &wall)
    row.add("wall", escaped: wall)
    row.append(to: &output)
  }
}
