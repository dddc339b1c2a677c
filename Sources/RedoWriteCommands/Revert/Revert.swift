// redo revert: undoes a change by recording a new one, which restores the previous values.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo revert [--force] [-n] <revision>`.
enum Revert: Command {
  static let name = "revert"
  static let summary = "undo a change by a new one that restores the values before it"
  static var usage: [String] { ["redo-revert [<options>] [--force] <revision>"] }

  private static let force = OptionSpec(
    "force", letter: "f", help: "also restore what later changes have written again")
  static var options: [OptionSpec] {
    [force, .heading("how it is recorded")] + CommitOptions.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else {
      throw CommandError.usage(
        options.arguments.isEmpty ? "no change is named" : "only one change can be named")
    }
    let style = try NewNodeStyle(options)
    let recording = try CommitOptions.writing(options, context)
    let opened = try context.effects.openRepository()
    let id = try Revisions(opened, now: context.clock()).one(options.arguments[0])
    let reversal = Reversal(of: id, isForced: options.has(force), recording: recording)
    switch try opened.revert(reversal, context.effects) {
    case .invalid: return .no
    case .refused(let refusal):
      say(refusal, of: id, &context)
      return .no
    case .recorded(let nodes):
      for node in nodes { try style.show(node, &context) }
      return .ok
    }
  }

  /// Says why nothing is undone.
  private static func say(
    _ refusal: Reversal.Refusal, of id: ObjectID, _ context: inout Context
  ) {
    switch refusal {
    case .impossible(let obstacles):
      context.error(
        "revert-impossible: no action takes back \(obstacles.joined(separator: ", nor "))")
    case .noEffect(let reason):
      context.error("'\(id.text)' has no effect, so there is nothing to revert: \(reason.rawValue)")
    case .changedNothing:
      context.error("'\(id.text)' changed nothing, so there is nothing to revert")
    case .writtenAgain(let all):
      for later in all {
        let name = Escape.text(later.name)
        let what = later.todo.map { "'\(name)' of todo '\($0.text)'" } ?? "'\(name)'"
        context.error(
          (later.name.isEmpty ? "the task" : what) + " was changed again by '\(later.id.text)'")
      }
      context.hint("'--force' restores the values before the change all the same")
    }
  }
}
