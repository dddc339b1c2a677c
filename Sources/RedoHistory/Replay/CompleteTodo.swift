// COMPLETE_TODO: sets when a todo was completed, at the wall time of the node unless it names another; it never makes the
// next todo.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Completes a todo; the last completion in order counts.
  mutating func completeTodo(
    _ position: Int, in state: inout TaskState?, _ skips: inout [Skip]
  ) {
    reader.read(position, of: log)
    guard let id = todoID() else { return }
    guard let place = state?.todos.place(of: id) else {
      skips.append(Skip(position, .todoMissing, todo: id))
      return
    }
    let completed = reader.content["completed"]?.bytes ?? Self.quoted(wallText(position))
    let notes = reader.content["notes"]?.contentBytes
    state?.todos.update(place) { todo in
      todo.completed = completed
      todo.appendNotes(notes ?? [])
    }
  }
}
