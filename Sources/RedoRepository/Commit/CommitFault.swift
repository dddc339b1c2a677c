// What keeps changes from being recorded.

package import RedoObject

/// The errors of recording changes.
package enum CommitFault: Fault {
  /// A line of the input is no change.
  case malformed(subject: String, ChangeFlaw)
  /// A CREATE is about a task that is there.
  case taskIsThere(TaskID?)
  /// A change is about a task that is deleted.
  case taskIsDeleted(TaskID?)
  /// A change is about a task that is not there.
  case noTask(TaskID?)
  /// A task's heads are not those that the change was made for.
  case movedMeanwhile(TaskID?)
  /// A node would have more parents than it may.
  case tooManyHeads(count: Int)
  /// The greatest logical time is used up.
  case clockAtEnd(TaskID?)
  /// What stands among the ancestors of a head is no valid node.
  case invalidNode(ObjectID)
  /// A change is to be undone that is about no task.
  case ofNoTask(ObjectID)
  /// A change is to be undone that is not in the history.
  case notInHistory(ObjectID)
  /// One of several changes cannot be recorded.
  case inChange(subject: String, cause: any Error)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformed: .malformed
    case .taskIsThere, .taskIsDeleted, .tooManyHeads, .clockAtEnd: .refused
    case .noTask, .notInHistory: .missing
    case .movedMeanwhile: .unavailable
    case .invalidNode, .ofNoTask: .invalid
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
    case .tooManyHeads: nil
    case .invalidNode(let id), .ofNoTask(let id), .notInHistory(let id): id.text
    }
  }
}

/// Why a line is no change.
package enum ChangeFlaw: Equatable, Sendable {
  /// It is no JSON.
  case syntax(Finding)
  /// It is no object.
  case noObject
  /// A member is no text.
  case noText(member: String)
  /// The content is no object, or stands there twice.
  case content
  /// A member that changes do not have.
  case unknownMember(String)
  /// There is no action.
  case noAction
  /// The task is no UUID.
  case task(String)
  /// The wall time is no time.
  case wall(String)
}

/// Why a member cannot be set.
package enum ContentFault: Fault, Equatable {
  /// It has been set already.
  case repeated(name: String)
  /// Its value is no JSON.
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
