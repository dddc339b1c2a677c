// redo archive prune: of many archives those are kept that a plan names. By when this store received the
// nodes, which no clock of any author can change; and nothing goes that is not elsewhere.

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

  /// More archives than this nobody counts.
  private static let numberLimit = 1_000_000

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let plan = try plan(options)
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    let received = try ReceivedTimes(opened, now: context.clock())
    var archives: [PrunedArchive] = []
    var isClean = true
    for path in options.arguments {
      var archive = PrunedArchive(path: path)
      do {
        try archive.read(received, opened, &context)
      } catch {
        let error = CommandError(error)
        // One that cannot be read stays, and takes nobody's place.
        guard error.kind == .fatal else { throw error }
        context.error(error.message)
        archive.reasons = ["unreadable"]
        isClean = false
      }
      archives.append(archive)
    }
    try PrunedArchive.checkDistinct(archives)
    let counted = archives.indices.filter {
      archives[$0].time != nil && archives[$0].reasons.isEmpty
    }
    let reasons = plan.reasons(counted.compactMap { archives[$0].time })
    for (index, reasons) in zip(counted, reasons) { archives[index].reasons = reasons }
    if archives.contains(where: { $0.reasons.isEmpty }) {
      var removal = try PruneRemoval(archives, opened, &context)
      for index in archives.indices where archives[index].reasons.isEmpty {
        try context.checkInterrupt()
        if let why = try removal.remove(archives[index], isDryRun: options.has(.dryRun), &context) {
          context.error("'\(archives[index].path)' stays: \(why)")
          archives[index].reasons = ["needed"]
          isClean = false
        }
      }
    }
    if !options.has(.quiet) {
      try RowWriter(PrunedArchive.columns, options).write(archives, &context)
    }
    return isClean ? .ok : .no
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
}

/// When this store received nodes.
struct ReceivedTimes {
  private var times: [ObjectID: Int64] = [:]
  /// The present.
  let now: Int64

  /// - Throws: `fatal` when the received log cannot be read.
  init(_ opened: Repository, now: Int64) throws {
    self.now = now
    var latest = Int64.min
    var times: [ObjectID: Int64] = [:]
    let end = try opened.store.refs.snapshot().receivedBytes
    try opened.store.received.forEach(to: end) { id, note in
      switch note {
      case .received(let time):
        // The log grows at its end, whatever the clock of this machine showed.
        latest = max(latest, time)
        if times[id] == nil { times[id] = latest }
      case .forgotten: times[id] = nil
      }
      return true
    }
    self.times = times
  }

  /// When a node was received; `nil` when it was not.
  func time(of id: ObjectID) -> Int64? { times[id] }
}
