// redo undo: takes back what was written last in this store, by new changes.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo undo [-n] [<number>]`.
enum UndoCommand: Command {
  static let name = "undo"
  static let summary = "take back what was written last in this store, by new changes"
  static var usage: [String] { ["redo-undo [<options>] [<number>]"] }

  static var options: [OptionSpec] {
    [.heading("how it is recorded")] + CommitOptions.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("too many arguments: '\(options.arguments[1])'")
    }
    var count = 1
    if let word = options.arguments.first {
      guard let number = ParsedOptions.decimal(word), number > 0 else {
        throw CommandError.usage("'\(word)' is not a number of transactions")
      }
      count = number
    }
    let style = try NewNodeStyle(options)
    let recording = try CommitOptions.writing(options, context)
    let opened = try context.effects.openRepository()
    let outcome = try opened.undo(Undo(count: count, recording: recording), context.effects)
    if !recording.isQuiet {
      for transaction in outcome.undone {
        let nodes = transaction.ids.count
        context.note(
          "entry \(transaction.entry): \(nodes) change\(nodes == 1 ? "" : "s"),"
            + " \(transaction.message)")
      }
    }
    for kind in ObjectKind.grouped where !recording.isQuiet {
      guard let count = outcome.others[kind] else { continue }
      let advice =
        kind == .receipt
        ? "'redo receipt delete' deletes their chains" : "'redo schema' changes them again"
      context.note(
        "\(count) \(kind)\(count == 1 ? "" : "s") written since stay\(count == 1 ? "s" : ""); \(advice)"
      )
    }
    return try RevertText.show(
      outcome.reversal, of: outcome, isPlan: options.has(.dryRun), style, options, &context)
  }
}
