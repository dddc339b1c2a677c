// redo quarantine drop: removes waiting changes. Another store may have the only other copy, so
// nothing is removed unless it was named.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine drop [-n] [-q] [--json] [-z] [--all | <id>...]`.
enum QuarantineDrop: Command {
  static let name = "drop"
  static let summary = "remove changes that wait; without a name, list them"
  static var usage: [String] { ["redo-quarantine drop [-n] [-q] [--json] [-z] [--all | <id>...]"] }
  private static let all = OptionSpec(
    "all", help: "remove all, and what an interrupted run has received")
  static var options: [OptionSpec] {
    [all, .dryRun, .quiet, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.has(all) || options.arguments.isEmpty else {
      throw CommandError.usage("'--all' takes no names as arguments")
    }
    let shelf = try QuarantineShelf(try context.effects.openRepository())
    let isNamed = options.has(all) || !options.arguments.isEmpty
    let named =
      try options.arguments.isEmpty
      ? shelf.all() : shelf.named(options.arguments)
    if !options.has(.quiet) {
      let rows = try shelf.rows(of: named.ids, context.effects)
      let writer = RowWriter(QuarantineRow.columns, options)
      try writer.write(rows + named.documents.map { QuarantineRow(document: $0) }, &context)
      try context.output.flush()
    }
    guard isNamed else {
      guard !named.isEmpty || !options.has(.dryRun) else { return .ok }
      throw CommandError(
        .refused, "nothing is dropped that is not named", hints: ["'--all' drops all of it"])
    }
    guard !options.has(.dryRun) else { return .ok }
    context.holdSignals()
    try shelf.remove(named, withPacks: options.has(all))
    return .ok
  }
}
