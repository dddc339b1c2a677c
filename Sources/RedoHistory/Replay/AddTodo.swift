// CREATE_TODO and ADD_TODO, two names of one action: adds a pending todo.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Adds a todo unless there is one with its id.
  mutating func addTodo(_ position: Int, to state: inout TaskState?, _ skips: inout [Skip]) {
    reader.read(position, of: log)
    guard let id = todoID() else { return }
    guard state?.todos.place(of: id) == nil else {
      skips.append(Skip(position, .todoDuplicate, todo: id))
      return
    }
    var todo = TodoState(id: id, created: wallText(position))
    var members = reader.content.members
    while let member = members.next() {
      if let key = FieldKey(ofAddedTodo: member.name.content) {
        todo.set(key, to: member.value.bytes)
      }
    }
    state?.todos.append(todo)
  }

  /// The todo that the content concerns.
  func todoID() -> TaskID? {
    reader.content["todoTaskId"]?.taskID
  }
}

extension FieldKey {
  /// The member of a todo that CREATE_TODO sets under a name: a todo that is added is pending, so `completed` is
  /// treated like an unknown member.
  init?(ofAddedTodo name: Span<UInt8>) {
    guard let key = FieldKey(ofTodo: name) else { return nil }
    self = key == .completed ? .other(name.bytes) : key
  }
}
