// CREATE_TODO and ADD_TODO, two names of one action: adds a pending todo.

internal import RedoObject

extension Replay {
  /// Adds a todo unless there is one of its id.
  mutating func addTodo(_ position: Int, to state: inout TaskState?, _ skips: inout [Skip]) {
    reader.read(position, of: log)
    guard let id = todoID() else { return }
    guard state?.todos.place(of: id) == nil else {
      skips.append(Skip(position, .todoDuplicate, todo: id))
      return
    }
    var todo = TodoState(id: id, created: wallText(position))
    reader.forEachMember(of: reader.content) { name, value in
      if let key = FieldKey(ofAddedTodo: name) { todo.set(key, to: reader.value(value)) }
    }
    state?.todos.append(todo)
  }

  /// The todo that the content at hand is about.
  func todoID() -> TaskID? {
    reader.member("todoTaskId", of: reader.content).flatMap { reader.taskID($0) }
  }
}

extension FieldKey {
  /// The member of a todo that CREATE_TODO sets under a name: a todo that is added is pending, so that
  /// `completed` is a member like any that is not known.
  init?(ofAddedTodo name: Span<UInt8>) {
    guard let key = FieldKey(ofTodo: name) else { return nil }
    self = key == .completed ? .other(name.bytes) : key
  }
}
