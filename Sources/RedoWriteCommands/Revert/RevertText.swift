// What a revert or an undo has done, for people.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Prints what taking changes back comes to.
enum RevertText {
  /// The most ids that are named in a hint: more do not fit on a screen.
  private static let idLimit = 16

  /// Prints the new nodes, or the plan, and says what could not be taken back.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - undo: the undo of which it is the outcome; `nil` for a revert.
  ///   - isPlan: whether what would change is printed in place of the nodes.
  ///   - style: how nodes are printed.
  ///   - options: the options.
  ///   - context: receives it all.
  /// - Returns: the exit status: `no` when nothing was written, or something could not be taken back.
  /// - Throws: when the output cannot be written.
  static func show(
    _ outcome: Reversal.Outcome, of undo: Undo.Outcome? = nil, isPlan: Bool, _ style: NewNodeStyle,
    _ options: ParsedOptions,
    _ context: inout Context
  ) throws -> Exit {
    if let refusal = outcome.refusal {
      say(refusal, outcome, undo, &context)
      return .no
    }
    guard let nodes = outcome.nodes else { return .no }
    if isPlan {
      try RestoreText.show(outcome.plan, options, &context)
    } else {
      for node in nodes { try style.show(node, &context) }
    }
    try context.output.flush()
    if !options.has(.quiet) {
      for later in outcome.kept {
        context.note("kept \(words(later)), changed again by '\(later.id.text)'")
      }
      RestoreText.sayLost(outcome.plan, &context)
    }
    let isDone = RestoreText.isDone(outcome.missed, &context)
    return outcome.plan.losesValue || !isDone ? .no : .ok
  }

  /// The command that takes changes back whatever has been written since.
  private static func force(_ ids: [ObjectID]) -> String {
    let names = ids.count > idLimit ? "<id>..." : ids.map(\.text).joined(separator: " ")
    return "redo revert --force \(names)"
  }

  private static func words(_ later: Reversal.Later) -> String {
    let name = Escape.text(later.name)
    guard !name.isEmpty else { return "task '\(later.task.text)'" }
    return later.todo.map { "'\(name)' of todo '\($0.text)'" }
      ?? "'\(name)' of task '\(later.task.text)'"
  }

  /// Says why nothing is written, and what else may be done.
  private static func say(
    _ refusal: Reversal.Refusal, _ outcome: Reversal.Outcome, _ undo: Undo.Outcome?,
    _ context: inout Context
  ) {
    defer {
      if let undo, undo.hasMore {
        context.hint(
          "'redo undo \(undo.undone.count + 1)' takes back the transaction before that, too")
      }
    }
    switch refusal {
    case .impossible:
      for task in outcome.plan.tasks {
        let lost = task.lost.filter(\.isValue)
        context.errors(lost, summary: "members cannot be taken back") {
          context.error(
            "revert-impossible: no action takes back \(RestoreText.words($0, of: task.task))")
        }
      }
    case .noEffect(let reason):
      context.error("there is nothing to take back, because it has no effect: \(reason.rawValue)")
    case .changedNothing: context.error("it changed nothing, so there is nothing to take back")
    case .writtenAgain:
      for later in outcome.kept {
        context.error("\(words(later)) was changed again by '\(later.id.text)'")
      }
      let command = undo.map { force($0.undone.flatMap(\.ids)) } ?? "redo revert --force"
      context.hint("'\(command)' restores the values before the change all the same")
    }
  }
}
