// CREATE: makes the task, and todos at once.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// The state that a CREATE makes.
  mutating func create(_ position: Int, _ skips: inout [Skip]) -> TaskState {
    reader.read(position, of: log)
    var state = TaskState(
      id: log.taskID(log.task(at: position)), author: log.author(at: position),
      created: wallText(position))
    var todos: JSONValue?
    var members = reader.content.members
    while let member = members.next() {
      let name = member.name.content
      if name.elementsEqual("todos") {
        todos = member.value
      } else {
        state.set(FieldKey(ofTask: name), to: member.value.bytes)
      }
    }
    guard let todos else { return state }
    let node = log.id(at: position)
    var index = 0
    var elements = todos.elements
    while let element = elements.next() {
      let named = element["todoTaskId"]?.taskID
      let id = named ?? TaskID(ofTodo: index, in: node)
      index += 1
      guard state.todos.place(of: id) == nil else {
        skips.append(Skip(position, .todoDuplicate, todo: id))
        continue
      }
      var todo = TodoState(id: id, created: state.created)
      var members = element.members
      while let member = members.next() {
        if let key = FieldKey(ofTodo: member.name.content) { todo.set(key, to: member.value.bytes) }
      }
      state.todos.append(todo)
    }
    return state
  }
}
