// Messages about nodes that cannot be replayed.

internal import RedoObject
package import RedoRepository

extension StateFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noNodes: CommandError(.refused, "nothing is replayed")
    case .shortTask(let name, let shortest):
      .fatal("the beginning of a task id has at least \(shortest) characters: '\(name)'")
    case .unknownTask(let name): .fatal("no task begins with '\(name)'")
    case .ambiguousTask(let name): .fatal("'\(name)' is the beginning of several tasks")
    case .unusedTask(let task): .fatal("no change is about task '\(task.text)'")
    }
  }
}

extension MessageStream {
  /// Reports which nodes are not replayed.
  func say(_ event: ReplayEvent) {
    switch event {
    case .leftOut(let id, let finding):
      say(
        "warning: ",
        Diagnosis.text(finding, of: id.text)
          + "; it is left out, with its descendants in the task [RECONSTRUCT_003]")
    case .refused(let finding, let line):
      say("error: ", Diagnosis.text(finding, of: line) + " [RECONSTRUCT_003]")
    }
  }
}
