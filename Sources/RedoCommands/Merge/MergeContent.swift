// What a MERGE says (protocol, section 4).
//
//   {"conflictResolution":{"preservedFields":["priority"],"source":"automatic","strategy":"union"},
//    "fields":{"priority":1}}

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Builds the content of merges: the same whoever builds it.
enum MergeContent {
  /// The change that merges a task.
  ///
  /// - Parameters:
  ///   - plan: what is known of the task.
  ///   - decider: how members are decided.
  ///   - decided: what a rule decided.
  /// - Returns: the change.
  static func request(
    _ plan: MergePlan, _ decider: MergeDecider, _ decided: [(name: [UInt8], value: [UInt8])]
  ) -> CommitRequest {
    var members: [(name: [UInt8], value: [UInt8])] = []
    if decider.isManual {
      members = decided
      for member in JSONMembers(decider.values.object[...]) {
        var name: [UInt8] = []
        StringEscape.append(member.name.span, to: &name)
        members.removeAll { $0.name == name }
        members.append((name, Array(member.value)))
      }
    } else {
      for field in plan.ofTask {
        if let winner = field.winner { members.append((field.name, winner)) }
      }
    }
    if !decider.isManual {
      // An automatic record has no effect: what does not fit into a node is left out of it.
      var size = members.reduce(0) { $0 + 2 * $1.name.count + $1.value.count + 8 }
      while size > sizeLimit, let last = members.popLast() {
        size -= 2 * last.name.count + last.value.count + 8
      }
    }
    members.sort { MemberName(escaped: $0.name) < MemberName(escaped: $1.name) }

    var request = CommitRequest(action: Action.merge.rawValue)
    request.task = plan.task
    request.parents = plan.parents
    request.subject = "task \(plan.task.text)"
    request.content = object(members)
    let strategy = decider.isManual ? decider.rule?.rawValue ?? "manual" : "union"
    var record = Array("{\"preservedFields\":[".utf8)
    for (place, member) in members.enumerated() {
      record += place > 0 ? ",\"".utf8 : "\"".utf8
      record += member.name
      record.append(UInt8(ascii: "\""))
    }
    let source = decider.isManual ? "manual" : "automatic"
    record += "],\"source\":\"\(source)\",\"strategy\":\"\(strategy)\"}".utf8
    request.conflictResolution = record
    return request
  }

  /// How large the record of a merge becomes, in bytes: what else a node holds has room beside it.
  private static let sizeLimit = Node.byteLimit - 65_536

  private static func object(_ members: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (place, member) in members.enumerated() {
      text += place > 0 ? ",\"".utf8 : "\"".utf8
      text += member.name
      text += "\":".utf8
      text += member.value
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}

/// A diverged task as a line of JSON.
///
///     {"base":"sha256:...","fields":[{"conflict":true,"name":"priority","todo":"...","values":[1,2],
///      "winner":2,"writers":[0,1]}],"heads":["sha256:...","sha256:..."],"task":"..."}
enum MergeRow {
  static func append(_ plan: MergePlan, to output: inout [UInt8]) {
    var row = JSONRow()
    if let base = plan.base { row.add("base", base.text) }
    row.add("fields", plan.fields) { append($0, to: &$1) }
    row.add("heads", plan.parents.map(\.text))
    row.add("task", plan.task.text)
    row.append(to: &output)
  }

  private static func append(_ field: MergePlan.Field, to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("conflict", field.isConflict)
    row.add("name", escaped: field.name)
    if let todo = field.todo { row.add("todo", todo.text) }
    row.add("values", field.values) { $1 += $0 ?? Array("null".utf8) }
    if let winner = field.winner { row.add("winner", json: winner) }
    row.add("writers", field.writers) { $1 += "\($0)".utf8 }
    row.append(to: &output)
  }
}
