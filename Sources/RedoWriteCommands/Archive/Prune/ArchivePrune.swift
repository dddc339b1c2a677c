// redo archive prune: of many archives, keeps those that a plan selects. It goes by when this store received
// the nodes, which no author's clock can influence; and it removes no nodes that are not stored elsewhere.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive prune [-n] [-q] [--json] [-z] --keep-<rule>=<number>... <file>...`.
enum ArchivePrune: Command {
  static let name = "prune"
  static let summary = "remove archives that a plan does not keep, and whose nodes are elsewhere"
  static var usage: [String] {
    [
      "redo-archive prune [-n] [-q] [--json] [-z] [--keep-last=<number>] [--keep-hourly=<number>]\n"
        + "             [--keep-daily=<number>] [--keep-weekly=<number>] [--keep-monthly=<number>]\n"
        + "             [--keep-yearly=<number>] [--keep-within=<age>] <file>..."
    ]
  }

  private static let rules = RetentionPlan.Rule.allCases.map { rule in
    (
      rule,
      OptionSpec(
        "keep-\(rule.rawValue)", .required("number"),
        help: rule == .last ? "keep the newest archives" : "keep the last archive \(help(rule))")
    )
  }
  private static let within = OptionSpec(
    "keep-within", .required("age"),
    help: "keep archives that are no older than the newest by so much")
  static var options: [OptionSpec] {
    rules.map(\.1) + [within, .dryRun, .quiet, .json, .nul]
  }

  private static func help(_ rule: RetentionPlan.Rule) -> String {
    switch rule {
    case .last, .hourly: "of each of so many hours"
    case .daily: "of each of so many days"
    case .weekly: "of each of so many weeks"
    case .monthly: "of each of so many months"
    case .yearly: "of each of so many years"
    }
  }

  /// The largest number that a `--keep-<rule>` option accepts.
  private static let numberLimit = 1_000_000

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let plan = try plan(options)
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let request = ArchivePruning.Request(
      options.arguments, plan, isDryRun: options.has(.dryRun))
    let outcome = try ArchivePruning.run(request, opened, context.effects) { obstacle in
      switch obstacle {
      case .unreadable(_, let error):
        let error = CommandError(error)
        guard error.kind == .fatal else { throw error }
        context.error(error.message)
      case .needed(let path, let need): context.error("'\(path)' stays: \(words(need))")
      }
    }
    if !options.has(.quiet) {
      try RowWriter(PrunedArchive.columns, options).write(outcome.archives, &context)
    }
    return outcome.isClean ? .ok : .no
  }

  private static func plan(_ options: ParsedOptions) throws -> RetentionPlan {
    var plan = RetentionPlan()
    for (rule, spec) in rules {
      guard let text = options.value(spec) else { continue }
      guard let number = ParsedOptions.decimal(text), (1...numberLimit).contains(number) else {
        throw CommandError.usage(
          "option '\(spec.spelling)' expects a number from 1 on, not '\(text)'")
      }
      plan.counts[rule] = number
    }
    if let text = options.value(within) {
      guard let moment = Moment("now-\(text)", .start, now: 0), moment.milliseconds <= 0 else {
        throw CommandError.fatal(
          "not a valid age '\(text)'",
          hints: ["an age is a number and one of s, m, h, d, w and y, as in 1y or 90d"])
      }
      plan.within = -moment.milliseconds
    }
    guard !plan.isEmpty else {
      throw CommandError.usage(
        "no rule is given by which archives are kept, such as '--keep-last=7'")
    }
    return plan
  }

  private static func words(_ need: ArchivePruning.Need) -> String {
    switch need {
    case .nodes(let count): "\(count) of its nodes, or their signatures, are nowhere else"
    case .documents(let count):
      "what the documents beside it say of \(count) of its nodes is nowhere else"
    case .changed: "it has changed meanwhile"
    }
  }
}
