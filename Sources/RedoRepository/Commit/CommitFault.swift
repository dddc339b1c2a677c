// What keeps changes from being recorded.

package import RedoHistory
package import RedoObject

/// The errors of recording changes.
package enum CommitFault: Fault {
  /// A line of the input is not a change.
  case malformed(subject: String, ChangeFlaw)
  /// A CREATE is about a task that already exists.
  case taskIsThere(TaskID?)
  /// A change is about a task that is deleted.
  case taskIsDeleted(TaskID?)
  /// A change is about a task that does not exist.
  case noTask(TaskID?)
  /// A task's heads have changed since the change was made for them.
  case movedMeanwhile(TaskID?)
  /// A todo is followed by none.
  case noNextTodo(TaskID?, of: TaskID, NextTodo.Obstacle)
  /// A node would have more parents than it may.
  case tooManyHeads(count: Int)
  /// The logical clock has reached its greatest value.
  case clockAtEnd(TaskID?)
  /// A change that is to be undone is not about any task.
  case ofNoTask(ObjectID)
  /// A change that is to be undone is not in the history.
  case notInHistory(ObjectID)
  /// A range of a form that names no changes to take back.
  case noChoice(String)
  /// Not as many transactions were written in this store as are to be undone.
  case notWrittenHere(asked: Int, found: Int)
  /// One of several changes cannot be recorded.
  case inChange(subject: String, cause: any Error)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformed: .malformed
    case .taskIsThere, .taskIsDeleted, .tooManyHeads, .clockAtEnd, .noNextTodo: .refused
    case .noTask, .notInHistory, .notWrittenHere: .missing
    case .movedMeanwhile: .unavailable
    case .ofNoTask, .noChoice: .invalid
    case .inChange(_, let cause): RedoError(cause).code
    }
  }

  /// The task, the object or the place in the input.
  package var subject: String? {
    switch self {
    case .malformed(let subject, _), .inChange(let subject, _): subject
    case .taskIsThere(let task), .taskIsDeleted(let task), .noTask(let task),
      .movedMeanwhile(let task), .clockAtEnd(let task):
      task?.text
    case .noNextTodo(let todo, let task, _): (todo ?? task).text
    case .tooManyHeads, .notWrittenHere: nil
    case .noChoice(let text): text
    case .ofNoTask(let id), .notInHistory(let id): id.text
    }
  }
}

/// Why a line is not a change.
package enum ChangeFlaw: Equatable, Sendable {
  /// It is not JSON.
  case syntax(Finding)
  /// It is not an object.
  case noObject
  /// A member is not a text.
  case noText(member: String)
  /// The content is not an object, or appears twice.
  case content
  /// A member that changes do not have.
  case unknownMember(String)
  /// There is no action.
  case noAction
  /// The task is not a UUID.
  case task(String)
  /// The wall time is not a time.
  case wall(String)
}

/// Why a member cannot be set.
package enum ContentFault: Fault, Equatable {
  /// It has been set already.
  case repeated(name: String)
  /// Its value is not JSON.
  case noJSON(Finding, text: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .repeated: .invalid
    case .noJSON: .malformed
    }
  }

  /// The member, or the text.
  package var subject: String? {
    switch self {
    case .repeated(let name): name
    case .noJSON(_, let text): text
    }
  }
}
