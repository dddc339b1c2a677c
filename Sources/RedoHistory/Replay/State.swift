// The state as JSON (protocol, section 3.1): one line of RFC 8785 a task, byte for byte the same in every
// store that has the same nodes.

internal import CanonicalJSON
internal import RedoObject

extension TaskState {
  /// Appends the task as RFC 8785 JSON, without a line feed.
  package func appendJSON(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.add("archived", isArchived)
        member("completedAt", value(.completedAt), to: &json)
        json.add("created", escaped: created)
        json.addArray("defaulted") { json in
          for key in FieldKey.defaulted where isDefaulted(key) {
            json.value(escaped: { $0.append(key.name) })
          }
        }
        member("description", value(.description), to: &json)
        fields(otherMembers, to: &json)
        member("frequencyDays", value(.frequencyDays), to: &json)
        json.name("guid")
        json.value(escaped: { id.append(to: &$0) })
        if let lastUpdated { json.add("lastUpdated", escaped: lastUpdated) }
        member("priority", value(.priority), to: &json)
        member("privacy", value(.privacy), to: &json)
        member("storyPoints", value(.storyPoints), to: &json)
        member("title", value(.title), to: &json)
        json.addArray("todoTasks") { json in
          for todo in todos.items { write(todo, to: &json) }
        }
        json.name("userId")
        json.value(escaped: { author.append(to: &$0) })
      }
    }
  }

  /// How many bytes of a part are collected.
  private static let partBytes = 65_536

  /// Hands on the task as `appendJSON` writes it, in parts: its todos may be many times as large as what they were
  /// made from.
  ///
  /// - Parameter body: receives the parts in their order.
  /// - Throws: what `body` throws.
  package func forEachPart(_ body: ([UInt8]) throws -> Void) rethrows {
    var bare = self
    bare.todos = TodoList()
    var part: [UInt8] = []
    bare.appendJSON(to: &part)
    // Only the author follows the todos.
    var end: [UInt8] = Array("],\"userId\":\"".utf8)
    author.append(to: &end)
    end += "\"}".utf8
    part.removeLast(end.count)
    for (place, todo) in todos.items.enumerated() {
      if place > 0 { part.append(UInt8(ascii: ",")) }
      append(todo, to: &part)
      if part.count >= Self.partBytes {
        try body(part)
        part.removeAll(keepingCapacity: true)
      }
    }
    try body(part + end)
  }

  /// Appends a todo of the task.
  func append(_ todo: TodoState, to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in write(todo, to: &json) }
  }

  private func write(_ todo: TodoState, to json: inout JSONWriter) {
    json.object { json in
      member("completed", todo.completed, to: &json)
      json.add("created", escaped: todo.created)
      member("deadline", todo.deadline, to: &json)
      fields(todo.otherMembers, to: &json)
      json.name("guid")
      json.value(escaped: { todo.id.append(to: &$0) })
      json.add("notes", escaped: todo.notes)
      json.name("redoParentGuid")
      json.value(escaped: { id.append(to: &$0) })
    }
  }

  private func fields(
    _ members: [(name: [UInt8], value: [UInt8])], to json: inout JSONWriter
  ) {
    json.addObject("fields") { json in
      for member in members {
        json.name(escaped: member.name)
        json.value(json: member.value)
      }
    }
  }

  /// A member with a value at hand, as it is.
  private func member(_ name: StaticString, _ value: [UInt8]?, to json: inout JSONWriter) {
    if let value { json.add(name, json: value) }
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
