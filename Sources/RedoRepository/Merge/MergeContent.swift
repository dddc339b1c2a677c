// What a MERGE says (protocol, section 4).
//
//   {"conflictResolution":{"preservedFields":["priority"],"source":"automatic","strategy":"union"},
//    "fields":{"priority":1}}

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject

/// Builds the content of merges: the same in every store.
enum MergeContent {
  /// The change that merges a task.
  ///
  /// - Parameters:
  ///   - plan: what is known of the task.
  ///   - decider: how members are decided.
  ///   - decided: the members that a rule decided.
  /// - Returns: the change.
  static func request(
    _ plan: MergePlan, _ decider: MergeDecider, _ decided: [(name: [UInt8], value: [UInt8])]
  ) -> ChangeRequest {
    var members: [(name: [UInt8], value: [UInt8])] = []
    if decider.isManual {
      members = decided
      for member in given(decider.values) {
        members.removeAll { $0.name == member.name }
        members.append(member)
      }
    } else {
      for field in plan.ofTask {
        if let winner = field.winner { members.append((field.name, winner)) }
      }
    }
    if !decider.isManual {
      // An automatic record has no effect: what does not fit into a node is left out.
      var size = members.reduce(0) { $0 + 2 * $1.name.count + $1.value.count + 8 }
      while size > sizeLimit, let last = members.popLast() {
        size -= 2 * last.name.count + last.value.count + 8
      }
    }
    members.sort { MemberName(escaped: $0.name) < MemberName(escaped: $1.name) }

    var request = ChangeRequest(action: Action.merge.rawValue)
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

  /// The members of an object, names as RFC 8785 writes them.
  private static func given(_ object: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
    guard let document = try? JSONDocument(object) else { return [] }
    var given: [(name: [UInt8], value: [UInt8])] = []
    var members = document.root.members
    while let member = members.next() {
      let plain = member.name.unescaped ?? []
      var name: [UInt8] = []
      StringEscape.append(plain.span, to: &name)
      given.append((name, Array(document.text[member.value.place])))
    }
    return given
  }

  /// The largest record of a merge in bytes: the rest of a node must fit beside it.
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
