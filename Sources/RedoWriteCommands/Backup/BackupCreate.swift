// redo backup create: the first time everything, then what is new.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo backup [create] [-n] [--full | --full-after=<limit>] [--verify] [-r <key>]... [<keys>]
/// [--keep-<rule>=<number>]... <directory>`.
enum BackupCreate: Command {
  static let name = "create"
  static let summary = "back up what is new since the last time, or everything"
  static var usage: [String] {
    [
      "redo-backup create [-n] [-q] [--json] [-z] [--full | --full-after=<limit>] [--verify]\n"
        + "             [-r <key>]... [--include-precise] [--include-received] [<keys>]\n"
        + "             [--keep-last=<number>] [--keep-hourly=<number>] [--keep-daily=<number>]\n"
        + "             [--keep-weekly=<number>] [--keep-monthly=<number>] [--keep-yearly=<number>]\n"
        + "             [--keep-within=<age>] <directory>"
    ]
  }

  private static let full = OptionSpec("full", help: "write everything, whatever is there")
  private static let fullAfter = OptionSpec(
    "full-after", .required("limit"),
    help:
      "write everything after so many increments (default 30), or when the last time is so long ago"
  )
  private static let verify = OptionSpec(
    "verify", help: "read everything that the newest point needs, and compare it with the store")
  private static let includePrecise = OptionSpec(
    "include-precise", help: "also without '-r' receipts that tell a precise place")
  private static let includeReceived = OptionSpec(
    "include-received", help: "also without '-r' receipts that others have shared")
  static var options: [OptionSpec] {
    [full, fullAfter, verify, includePrecise, includeReceived] + RetentionPlan.options
      + [.dryRun, .quiet, .json, .nul, .progress, SealRecipients.option] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    var request = BackupMaking.Request(try Backup.directory(options))
    _ = try options.only(oneOf: [full, fullAfter])
    if let text = options.value(fullAfter) {
      request.fullAfter =
        if let count = ParsedOptions.decimal(text) {
          .increments(count)
        } else {
          .age(try ParsedOptions.age(text))
        }
    } else if options.flag(fullAfter) == false {
      request.fullAfter = .never
    }
    request.isFull = options.has(full)
    request.includesPrecise = options.has(includePrecise)
    request.includesReceived = options.has(includeReceived)
    request.recipients = options.values(SealRecipients.option)
    request.keys = try SealKeys(options)
    request.isDryRun = options.has(.dryRun)
    request.verifies = options.has(verify)
    let plan = try RetentionPlan(options)
    if !plan.isEmpty { request.plan = plan }
    guard !request.isDryRun || (plan.isEmpty && !request.verifies) else {
      throw CommandError.usage(
        "'--dry-run' writes nothing that could be verified or kept",
        hints: ["'redo backup prune -n' says what a plan would keep"])
    }
    let isQuiet = options.has(.quiet)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let outcome = try BackupMaking.run(request, opened, context.effects) { note throws in
      try say(note, isQuiet: isQuiet, &context)
    }
    guard !isQuiet else { return outcome.isWhole ? .ok : .no }
    if let made = outcome.made {
      try RowWriter(BackupShelf.Point.columns, options).write(made, &context)
    } else {
      context.note("nothing is new, and nothing is written")
    }
    let gone = outcome.pruned.count { $0.reasons.isEmpty }
    if gone > 0 {
      context.note("removed \(gone) point\(gone == 1 ? "" : "s") that the plan does not keep")
    }
    return outcome.isWhole ? .ok : .no
  }

  private static func say(
    _ note: BackupMaking.Note, isQuiet: Bool, _ context: inout Context
  ) throws {
    switch note {
    case .unusable(let error):
      let error = CommandError(error)
      if case .signal = error.kind { throw error }
      context.error(error.message)
    case .clockBehind(let time):
      context.warning(
        "the clock is behind the newest backup, \(WallTime(milliseconds: time).text)")
    case .unpruned: context.warning("no point is removed before that is put right")
    case .irregular(let path):
      context.error("left out: '\(path)', which is a link or no file at all")
    case .left(.unreadable, let count):
      context.error(StoredPath.LeftKind.unreadable.words(count))
    case .left(let kind, let count):
      if !isQuiet { context.note(kind.words(count)) }
    case .verified(let manifest):
      if !isQuiet {
        context.note("verified: \(SyncReport.changes(manifest.history.count)) of the history")
      }
    }
  }
}
