// What keeps nodes from being replayed, and reports about those that are left out.

package import RedoObject

/// The errors of a replay.
package enum StateFault: Fault {
  /// The input is not a list of nodes.
  case noNodes
  /// The prefix of a task ID is too short.
  case shortTask(String, shortest: Int)
  /// No task begins with this text.
  case unknownTask(String)
  /// Several tasks begin with this text.
  case ambiguousTask(String)
  /// No node is about a task.
  case unusedTask(TaskID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noNodes: .malformed
    case .shortTask, .ambiguousTask: .invalid
    case .unknownTask, .unusedTask: .missing
    }
  }

  /// The task that it is about.
  package var subject: String? {
    switch self {
    case .noNodes: nil
    case .shortTask(let name, _), .unknownTask(let name), .ambiguousTask(let name): name
    case .unusedTask(let task): task.text
    }
  }
}

/// Something about the nodes that are replayed.
package enum ReplayEvent: Sendable {
  /// A node of the store breaks a rule; it is left out, with its descendants in the task.
  case leftOut(ObjectID, Finding)
  /// A line of the input is not a valid node.
  case refused(Finding, line: String)
}
