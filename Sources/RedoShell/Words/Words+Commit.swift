// Messages about changes that are to be recorded, undone or merged.

internal import RedoHistory
internal import RedoObject
package import RedoRepository

extension CommitFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .malformed(let subject, let flaw):
      CommandError(.refused, "'\(subject)': \(Self.words(flaw))")
    case .taskIsThere(let task): .fatal("task '\(Self.name(task))' is there already")
    case .taskIsDeleted(let task): .fatal("task '\(Self.name(task))' is deleted")
    case .noTask(let task):
      .fatal(
        "there is no task '\(Self.name(task))'",
        hints: ["'redo show-ref --heads' lists the tasks; a CREATE makes one"])
    case .movedMeanwhile(let task):
      CommandError(
        .temporary, "task '\(Self.name(task))' was changed meanwhile",
        hints: ["nothing was written; the same command looks at it anew"])
    case .noNextTodo(let todo, let task, let obstacle):
      CommandError(.refused, Self.words(obstacle, todo?.text ?? "-", task.text))
    case .tooManyHeads(let count):
      .fatal("there are \(count) heads, more than the \(Node.parentLimit) parents of a node")
    case .clockAtEnd(let task):
      .fatal("the logical clock of task '\(Self.name(task))' is at its end")
    case .ofNoTask(let id): .fatal("'\(id.text)' is about no task")
    case .notInHistory(let id): .fatal("'\(id.text)' is not in the history")
    case .noChoice(let text):
      .usage("changes are named by '<revision>' or '<from>..<to>', not by '\(text)'")
    case .notWrittenHere(let asked, let found):
      .fatal(
        found == 0
          ? "nothing was written in this store that could be undone"
          : "only \(found) transaction\(found == 1 ? " was" : "s were") written in this store, not \(asked)",
        hints: ["'redo revert' takes back changes of others, 'redo reflog' shows what was written"])
    case .inChange(let subject, let cause): CommandError(cause).naming(subject)
    }
  }

  private static func name(_ task: TaskID?) -> String { task?.text ?? "-" }

  private static func words(_ obstacle: NextTodo.Obstacle, _ todo: String, _ task: String) -> String
  {
    switch obstacle {
    case .noTodo: "task '\(task)' has no todo '\(todo)'"
    case .once: "task '\(task)' does not come again: its frequencyDays are 0"
    case .tooLate: "the todo after '\(todo)' would be due after the year 9999"
    }
  }

  private static func words(_ flaw: ChangeFlaw) -> String {
    switch flaw {
    case .syntax(let finding): finding.summary
    case .noObject: "a request is a JSON object"
    case .noText(let name): "the member '\(name)' is a text"
    case .content: "exactly one of 'fields' and 'payload' is an object"
    case .unknownMember(let name): "the member '\(name)' is unknown"
    case .noAction: "the member 'action' is missing"
    case .task(let text): "the member 'taskId' is a UUID, not '\(text)'"
    case .wall(let text): "the member 'wall' is a time, not '\(text)'"
    }
  }
}

extension CommandError {
  /// The same error, with the position of the change that it is about.
  fileprivate func naming(_ subject: String) -> CommandError {
    guard !message.hasPrefix("'\(subject)'") else { return self }
    return CommandError(kind, "'\(subject)': \(message)", hints: hints, code: code)
  }
}

extension ContentFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .repeated(let name): .usage("the field '\(name)' is given more than once")
    case .noJSON(let finding, let text): .usage("\(finding.summary) in '\(text)'")
    }
  }
}

extension MergeFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noTask(let task): .fatal("there is no task '\(task.text)'")
    case .noHead(let id, let task, let heads):
      .fatal(
        "'\(id.text)' is no living head of task '\(task.text)'",
        hints: ["its heads are"] + heads.map { "  \($0.text)" })
    case .severalTheirs(let task, let count):
      .fatal("task '\(task.text)' has \(count) heads: 'theirs' means one of two")
    }
  }
}
