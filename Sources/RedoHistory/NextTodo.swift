// The todo that follows a completed one in a task that comes again.

package import RedoObject

/// The todo that a task gets when one of its todos has been completed.
package struct NextTodo {
  /// Its id, the same on every device: of two devices that complete the same todo, only the first makes the next one.
  package let id: TaskID
  /// The content of the CREATE_TODO that makes it: RFC 8785.
  package let content: [UInt8]

  /// Why there is no next one.
  package enum Obstacle: Error, Equatable {
    /// There is no such todo.
    case noTodo
    /// The task does not come again.
    case once
    /// It would be due after the year 9999.
    case tooLate
  }

  /// What follows a todo.
  ///
  /// Its deadline is that of the completed one, moved on by the task's `frequencyDays` as often as it takes to be after
  /// the completion; or that long after the completion, if the completed one had no deadline. It has the same title and
  /// other members; notes belong to the one that they were written for.
  ///
  /// - Parameters:
  ///   - todo: the completed todo.
  ///   - state: the state of its task.
  ///   - completed: when it was completed.
  /// - Throws: why there is none.
  package init(
    after todo: TaskID, in state: TaskState, completed: WallTime
  ) throws(Obstacle) {
    guard let place = state.todos.place(of: todo) else { throw .noTodo }
    let done = state.todos.items[place]
    guard
      let days = state.value(.frequencyDays).flatMap({ Int64(exactly: FieldText.number($0)) }),
      days > 0
    else { throw .once }
    let (span, isOver) = days.multipliedReportingOverflow(by: 86_400_000)
    guard !isOver, span <= WallTime.latest.milliseconds - WallTime.earliest.milliseconds else {
      throw .tooLate
    }
    let start = done.due ?? completed
    let past = max(0, completed.milliseconds - start.milliseconds)
    let deadline = start.milliseconds + (past / span + 1) * span
    guard deadline <= WallTime.latest.milliseconds else { throw .tooLate }
    id = TaskID(after: todo)
    var members = done.otherMembers
    members.append(
      (
        Array("deadline".utf8),
        StateMember.quoted(Array(WallTime(milliseconds: deadline).text.utf8))
      ))
    members.append((Array("todoTaskId".utf8), StateMember.quoted(Array(id.text.utf8))))
    content = ContentText.object(members)
  }
}
