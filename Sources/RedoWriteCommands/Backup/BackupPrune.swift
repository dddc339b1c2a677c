// redo backup prune: keeps those points of a backup that a plan names, and what these need.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo backup prune [-n] [-q] [--json] [-z] [<keys>] --keep-<rule>=<number>... <directory>`.
enum BackupPrune: Command {
  static let name = "prune"
  static let summary = "remove backups that neither a plan nor another backup needs"
  static var usage: [String] {
    [
      "redo-backup prune [-n] [-q] [--json] [-z] [--keep-last=<number>] [--keep-hourly=<number>]\n"
        + "             [--keep-daily=<number>] [--keep-weekly=<number>] [--keep-monthly=<number>]\n"
        + "             [--keep-yearly=<number>] [--keep-within=<age>] [<keys>] <directory>"
    ]
  }
  static var options: [OptionSpec] {
    RetentionPlan.options + [.dryRun, .quiet, .json, .nul] + SealKeys.options
  }

  private static let timeoutMilliseconds = 10_000

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let plan = try RetentionPlan(options)
    guard !plan.isEmpty else {
      throw CommandError.usage(
        "no rule is given by which backups are kept, such as '--keep-daily=7'")
    }
    let path = try Backup.directory(options)
    context.holdSignals()
    var isClean = true
    let pruned = try BackupPruning.run(
      path, plan, isDryRun: options.has(.dryRun), timeoutMilliseconds: timeoutMilliseconds,
      try SealKeys(options), context.effects
    ) { error throws in
      let error = CommandError(error)
      if case .signal = error.kind { throw error }
      isClean = false
      context.error(error.message)
    }
    if !options.has(.quiet) {
      try RowWriter(PrunedPoint.columns, options).write(pruned, &context)
    }
    return isClean ? .ok : .no
  }
}
