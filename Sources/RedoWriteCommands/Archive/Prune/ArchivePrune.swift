// redo archive prune: of many archives, keeps those that a plan selects, and what these need. It goes by when this store
// received the nodes, which no author's clock can influence; and it removes no nodes that no other archive has.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive prune [-n] [-q] [--json] [-z] [<keys>] --keep-<rule>=<number>... <file>...`.
enum ArchivePrune: Command {
  static let name = "prune"
  static let summary = "remove archives that neither a plan nor another archive needs"
  static var usage: [String] {
    [
      "redo-archive prune [-n] [-q] [--json] [-z] [--keep-last=<number>] [--keep-hourly=<number>]\n"
        + "             [--keep-daily=<number>] [--keep-weekly=<number>] [--keep-monthly=<number>]\n"
        + "             [--keep-yearly=<number>] [--keep-within=<age>] [--store-counts] [<keys>]\n"
        + "             <file>..."
    ]
  }

  private static let storeCounts = OptionSpec(
    "store-counts", help: "remove also archives whose nodes only the store has besides")
  static var options: [OptionSpec] {
    RetentionPlan.options + [storeCounts, .dryRun, .quiet, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let plan = try RetentionPlan(options)
    guard !plan.isEmpty else {
      throw CommandError.usage(
        "no rule is given by which archives are kept, such as '--keep-last=7'")
    }
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let keys = try SealKeys(options, reading: options.arguments, asks: false)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let request = ArchivePruning.Request(
      options.arguments, plan, isDryRun: options.has(.dryRun),
      storeCounts: options.has(storeCounts), keys: keys)
    let outcome = try ArchivePruning.run(request, opened, context.effects) { obstacle in
      switch obstacle {
      case .unreadable(_, let error):
        let error = CommandError(error)
        guard error.kind == .fatal || error.kind == .access else { throw error }
        context.error(error.message)
      case .needed(let path, let need): context.error("'\(path)' stays: \(words(need))")
      case .gap(let path, 1, let id):
        context.error("'\(path)' needs a node that none of the archives has: \(id.text)")
      case .gap(let path, let count, let id):
        context.error(
          "'\(path)' needs \(count) nodes that none of the archives has, such as \(id.text)")
      }
    }
    if !options.has(.quiet) {
      try RowWriter(PrunedArchive.columns, options).write(outcome.archives, &context)
    }
    return outcome.isClean ? .ok : .no
  }

  private static func words(_ need: ArchivePruning.Need) -> String {
    switch need {
    case .nodes(let count):
      "\(count) of its nodes, or their signatures, are in no other archive that stays"
    case .documents(let count):
      "what the documents beside it say of \(count) of its nodes is nowhere else"
    case .changed: "it, or an archive that stays, has changed meanwhile"
    }
  }
}
