// The todos of a task (protocol, section 3.1).

package import RedoObject

/// The state of a todo.
package struct TodoState: Sendable {
  /// Its id, `guid` in the state.
  package let id: TaskID
  /// The text of the wall time of the node that made it, ASCII.
  package let created: [UInt8]
  /// When it is due: RFC 8785, with quotes.
  package internal(set) var deadline: [UInt8]?
  /// When it was completed: RFC 8785, with quotes.
  package internal(set) var completed: [UInt8]?
  /// Its notes: as RFC 8785 escapes them, without quotes.
  package internal(set) var notes: [UInt8] = []
  private var others = OtherMembers()

  init(id: TaskID, created: [UInt8]) {
    self.id = id
    self.created = created
  }

  /// The instant of its deadline.
  package var due: WallTime? { deadline.flatMap(FieldText.time) }

  /// The value of a member: RFC 8785; `nil` when it has none.
  package func value(_ key: FieldKey) -> [UInt8]? {
    switch key {
    case .deadline: deadline
    case .completed: completed
    case .notes: [UInt8(ascii: "\"")] + notes + [UInt8(ascii: "\"")]
    case .other(let name): others[name]
    case .title, .description, .privacy, .storyPoints, .priority, .frequencyDays, .completedAt: nil
    }
  }

  /// Sets a member.
  mutating func set(_ key: FieldKey, to value: [UInt8]) {
    switch key {
    case .deadline: deadline = value
    case .completed: completed = value
    case .notes: notes = Array(value.dropFirst().dropLast())
    case .other(let name): others[name] = value
    case .title, .description, .privacy, .storyPoints, .priority, .frequencyDays, .completedAt:
      break
    }
  }

  /// Takes a member away again.
  mutating func clear(_ key: FieldKey) {
    switch key {
    case .deadline: deadline = nil
    case .completed: completed = nil
    case .notes: notes = []
    case .other(let name): others[name] = nil
    case .title, .description, .privacy, .storyPoints, .priority, .frequencyDays, .completedAt:
      break
    }
  }

  /// Appends notes: nothing when they are empty, on a new line unless they are the first.
  mutating func appendNotes(_ more: [UInt8]) {
    guard !more.isEmpty else { return }
    if !notes.isEmpty { notes += "\\n".utf8 }
    notes += more
  }

  /// The title and the members that the protocol does not name, sorted by name.
  package var otherMembers: [(name: [UInt8], value: [UInt8])] { others.sorted }
}

/// The todos of a task in order, found by id without a search through many.
package struct TodoList: Sendable {
  /// The todos, in the order in which they were made.
  package private(set) var items: [TodoState] = []
  /// Their places, kept once there are more than a few.
  private var index: [TaskID: Int] = [:]
  private static let fewTodos = 8

  /// The place of a todo; `nil` when there is no todo with this id.
  package func place(of id: TaskID) -> Int? {
    items.count <= Self.fewTodos ? items.firstIndex { $0.id == id } : index[id]
  }

  /// Adds a todo that does not exist yet.
  mutating func append(_ todo: TodoState) {
    items.append(todo)
    if items.count == Self.fewTodos + 1 {
      for (place, item) in items.enumerated() { index[item.id] = place }
    } else if items.count > Self.fewTodos {
      index[todo.id] = items.count - 1
    }
  }

  /// Changes the todo at a place.
  mutating func update(_ place: Int, _ body: (inout TodoState) -> Void) { body(&items[place]) }
}
