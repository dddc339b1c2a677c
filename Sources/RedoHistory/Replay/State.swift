// The state as JSON (protocol, section 3.1): one line of RFC 8785 a task, byte for byte the same in every
// store that has the same nodes.

internal import RedoObject

extension TaskState {
  /// Appends the task as RFC 8785 JSON, without a line feed.
  package func appendJSON(to output: inout [UInt8]) {
    output.append(isArchived ? "{\"archived\":true" : "{\"archived\":false")
    member(",\"completedAt\":", value(.completedAt), to: &output)
    text(",\"created\":", created, to: &output)
    output.append(",\"defaulted\":[")
    var isFirst = true
    for key in FieldKey.defaulted where isDefaulted(key) {
      output.append(isFirst ? "\"" : ",\"")
      output.append(key.name)
      output.append("\"")
      isFirst = false
    }
    output.append("]")
    member(",\"description\":", value(.description), to: &output)
    appendFields(otherMembers, to: &output)
    member(",\"frequencyDays\":", value(.frequencyDays), to: &output)
    output.append(",\"guid\":\"")
    id.append(to: &output)
    output.append("\"")
    if let lastUpdated { text(",\"lastUpdated\":", lastUpdated, to: &output) }
    member(",\"priority\":", value(.priority), to: &output)
    member(",\"privacy\":", value(.privacy), to: &output)
    member(",\"storyPoints\":", value(.storyPoints), to: &output)
    member(",\"title\":", value(.title), to: &output)
    output.append(",\"todoTasks\":[")
    for (place, todo) in todos.items.enumerated() {
      if place > 0 { output.append(",") }
      append(todo, to: &output)
    }
    output.append("],\"userId\":\"")
    author.append(to: &output)
    output.append("\"}")
  }

  /// Appends a todo of the task.
  func append(_ todo: TodoState, to output: inout [UInt8]) {
    output.append("{")
    if let completed = todo.completed {
      output.append("\"completed\":")
      output += completed
      output.append(",")
    }
    text("\"created\":", todo.created, to: &output)
    member(",\"deadline\":", todo.deadline, to: &output)
    appendFields(todo.otherMembers, to: &output)
    output.append(",\"guid\":\"")
    todo.id.append(to: &output)
    text("\",\"notes\":", todo.notes, to: &output)
    output.append(",\"redoParentGuid\":\"")
    id.append(to: &output)
    output.append("\"}")
  }

  private func appendFields(
    _ members: [(name: [UInt8], value: [UInt8])], to output: inout [UInt8]
  ) {
    output.append(",\"fields\":{")
    for (place, member) in members.enumerated() {
      output.append(place > 0 ? ",\"" : "\"")
      output += member.name
      output.append("\":")
      output += member.value
    }
    output.append("}")
  }

  /// A member whose value is there, as it stands.
  private func member(_ name: StaticString, _ value: [UInt8]?, to output: inout [UInt8]) {
    guard let value else { return }
    output.append(name)
    output += value
  }

  /// A member whose value is an escaped text.
  private func text(_ name: StaticString, _ value: [UInt8], to output: inout [UInt8]) {
    output.append(name)
    output.append("\"")
    output += value
    output.append("\"")
  }
}

extension FieldKey {
  /// The name of a member that a CREATE may leave out.
  fileprivate var name: StaticString {
    switch self {
    case .description: "description"
    case .frequencyDays: "frequencyDays"
    case .priority: "priority"
    case .privacy: "privacy"
    case .storyPoints: "storyPoints"
    case .title, .completedAt, .deadline, .completed, .notes, .other: ""
    }
  }
}
