// The members of a task's state (protocol, section 3.1), by their places in it.

package import RedoObject

/// A member of a task, or of one of its todos.
package struct StateMember: Hashable, Sendable {
  /// Which member.
  package enum Key: Hashable, Sendable {
    case archived, created, defaulted, lastUpdated, userID
    /// What content sets.
    case field(FieldKey)
  }

  /// The todo; `nil` for the task itself.
  package let todo: TaskID?
  /// Which of its members.
  package let key: Key

  /// A member.
  ///
  /// - Parameters:
  ///   - todo: the todo; `nil` for the task itself.
  ///   - key: which of its members.
  package init(todo: TaskID?, key: Key) {
    self.todo = todo
    self.key = key
  }

  /// Its name, as RFC 8785 writes it, without quotes.
  package var name: [UInt8] {
    switch key {
    case .archived: Array("archived".utf8)
    case .created: Array("created".utf8)
    case .defaulted: Array("defaulted".utf8)
    case .lastUpdated: Array("lastUpdated".utf8)
    case .userID: Array("userId".utf8)
    case .field(let field): field.memberName
    }
  }

  /// Its place in the task or in the todo: a JSON Pointer (RFC 6901), as RFC 8785 writes it, without quotes.
  package var path: [UInt8] {
    var path: [UInt8] = []
    if case .field(.other) = key { path += "/fields".utf8 }
    path.append(UInt8(ascii: "/"))
    // Neither character is part of an escape of RFC 8785.
    for byte in name {
      switch byte {
      case UInt8(ascii: "~"): path += "~0".utf8
      case UInt8(ascii: "/"): path += "~1".utf8
      default: path.append(byte)
      }
    }
    return path
  }

  /// Its value in a state.
  ///
  /// - Parameter state: the state; `nil` when the task does not exist.
  /// - Returns: RFC 8785; `nil` when it has none.
  package func value(in state: TaskState?) -> [UInt8]? {
    guard let state else { return nil }
    guard let todo else { return value(of: state) }
    guard let place = state.todos.place(of: todo) else { return nil }
    return value(of: state.todos.items[place])
  }

  private func value(of state: TaskState) -> [UInt8]? {
    switch key {
    case .archived: return Array((state.isArchived ? "true" : "false").utf8)
    case .created: return Self.quoted(state.created)
    case .lastUpdated: return state.lastUpdated.map(Self.quoted)
    case .defaulted:
      let names = FieldKey.defaulted.filter { state.isDefaulted($0) }
      return Array("[".utf8) + names.map { Self.quoted($0.memberName) }.joined(separator: [0x2C])
        + Array("]".utf8)
    case .userID:
      var text: [UInt8] = []
      state.author.append(to: &text)
      return Self.quoted(text)
    case .field(let field): return state.value(field)
    }
  }

  private func value(of todo: TodoState) -> [UInt8]? {
    switch key {
    case .created: Self.quoted(todo.created)
    case .field(let field): todo.value(field)
    case .archived, .defaulted, .lastUpdated, .userID: nil
    }
  }

  static func quoted(_ text: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
  }

  /// Whether it only says when, by whom or by what default the others were set.
  package var isAboutOthers: Bool {
    switch key {
    case .created, .defaulted, .lastUpdated, .userID: true
    case .archived, .field: false
    }
  }
}

extension TaskState {
  /// The members of the task itself, in the order of the state, without its id and its todos.
  package var stateMembers: [StateMember] {
    var keys: [StateMember.Key] = [
      .archived, .field(.completedAt), .created, .defaulted, .field(.description),
    ]
    keys += otherMembers.map { .field(.other($0.name)) }
    keys += [
      .field(.frequencyDays), .lastUpdated, .field(.priority), .field(.privacy),
      .field(.storyPoints), .field(.title), .userID,
    ]
    return keys.map { StateMember(todo: nil, key: $0) }.filter { $0.value(in: self) != nil }
  }
}

extension TodoState {
  /// The members of the todo, in the order of the state, without its id and that of its task.
  package var stateMembers: [StateMember] {
    var keys: [StateMember.Key] = []
    if completed != nil { keys.append(.field(.completed)) }
    keys.append(.created)
    if deadline != nil { keys.append(.field(.deadline)) }
    keys += otherMembers.map { .field(.other($0.name)) }
    keys.append(.field(.notes))
    return keys.map { StateMember(todo: id, key: $0) }
  }
}

extension FieldKey {
  /// The name in the state, as RFC 8785 writes it, without quotes.
  package var memberName: [UInt8] {
    switch self {
    case .title: Array("title".utf8)
    case .description: Array("description".utf8)
    case .privacy: Array("privacy".utf8)
    case .storyPoints: Array("storyPoints".utf8)
    case .priority: Array("priority".utf8)
    case .frequencyDays: Array("frequencyDays".utf8)
    case .completedAt: Array("completedAt".utf8)
    case .deadline: Array("deadline".utf8)
    case .completed: Array("completed".utf8)
    case .notes: Array("notes".utf8)
    case .other(let name): name
    }
  }
}
