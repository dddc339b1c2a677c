// CREATE: makes the task, and todos at once.

internal import RedoObject

extension Replay {
  /// The state that a CREATE makes.
  mutating func create(_ position: Int, _ skips: inout [Skip]) -> TaskState {
    reader.read(position, of: log)
    var state = TaskState(
      id: log.taskID(log.task(at: position)), author: log.author(at: position),
      created: wallText(position))
    var todos = 0
    reader.forEachMember(of: reader.content) { name, value in
      if name.elementsEqual("todos") {
        todos = value
      } else {
        state.set(FieldKey(ofTask: name), to: reader.value(value))
      }
    }
    guard todos > 0 else { return state }
    let node = log.id(at: position)
    var index = 0
    reader.forEachElement(of: todos) { element in
      let named = reader.member("todoTaskId", of: element).flatMap { reader.taskID($0) }
      let id = named ?? TaskID(ofTodo: index, in: node)
      index += 1
      guard state.todos.place(of: id) == nil else {
        skips.append(Skip(position, .todoDuplicate, todo: id))
        return
      }
      var todo = TodoState(id: id, created: state.created)
      reader.forEachMember(of: element) { name, value in
        if let key = FieldKey(ofTodo: name) { todo.set(key, to: reader.value(value)) }
      }
      state.todos.append(todo)
    }
    return state
  }
}
