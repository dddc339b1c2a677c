// redo recover: restores the history as it was at a point in time, as a separate store or as refs.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

/// `redo recover --to=<point> [-o <dir> | --write-ref=<name>] [--policy=<policy>] [--task=<task>]...`.
enum Recover: Command {
  static let name = "recover"
  static let summary = "bring back the history of a point in time, as a store or as refs"
  static var usage: [String] {
    [
      "redo-recover --to=<point> [-n] [--policy=<policy>] [--task=<task>]... [--allow-empty]\n"
        + "             [-q] [--json] [-z]",
      "redo-recover --to=<point> -o <dir> [<options>]",
      "redo-recover --to=<point> --write-ref=<name> [-f] [<options>]",
    ]
  }

  private static let to = OptionSpec(
    "to", .required("point"), help: "a time, 'sha256:<id>' or 'lamport:<n>', itself included")
  private static let output = OptionSpec(
    "output", letter: "o", .required("dir"),
    help: "make a store in <dir>, which is empty or not there")
  private static let writeRef = OptionSpec(
    "write-ref", .required("name"), help: "write refs 'recovered/<name>/heads/<task>'")
  private static let force = OptionSpec(
    "force", letter: "f", help: "replace the refs of that name")
  private static let task = OptionSpec(
    "task", .required("task"), help: "only the history of this task, by its id or its beginning")
  static var options: [OptionSpec] {
    [
      to, output, writeRef, force, .closedPolicy, task, .allowEmpty, HistoryGraph.cache, .dryRun,
      .quiet,
      .json, .nul,
    ]
  }

  private static let pointOptions = HistoryPoint.Options(
    point: to, policy: .closedPolicy, allowEmpty: .allowEmpty, empty: .history)

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let point = try point(options, now: context.clock())
    let destination = try destination(options)
    let opened = try context.effects.openRepository()
    let recovery = Recovery(
      point: point, destination: destination, tasks: options.values(task),
      usesCache: options.flag(HistoryGraph.cache) ?? true, isDryRun: options.has(.dryRun))
    let outcome = try opened.recover(recovery, context.effects)
    if !options.has(.quiet) { try show(outcome, of: recovery, options, &context) }
    return .ok
  }

  private static func point(
    _ options: ParsedOptions, now: Int64
  ) throws -> HistoryPoint {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("the point is named by '--to', not by '\(options.arguments[0])'")
    }
    guard options.has(to) else {
      throw CommandError.usage("a point in time is needed, '--to=<point>'")
    }
    if try options.choice(.closedPolicy, as: PointPolicy.self) == .wall {
      throw CommandError.usage(
        "'--policy=wall' cannot be recovered: nodes without their parents are no history",
        hints: ["'redo state --policy=wall' shows what they come to"])
    }
    return try HistoryPoint(options, pointOptions, now: now)
  }

  private static func destination(
    _ options: ParsedOptions
  ) throws -> RecoverDestination {
    let given = try options.only(oneOf: [output, writeRef])
    if let given, given.isSame(as: writeRef) {
      return try .refs(RecoverRefs(options.value(writeRef) ?? "", isForced: options.has(force)))
    }
    guard !options.has(force) else {
      throw CommandError.usage("'--force' is about '--write-ref', which is not given")
    }
    guard given != nil else { return .none }
    guard let path = options.value(output), !path.isEmpty else {
      throw CommandError.usage("'-o' needs the name of a directory")
    }
    return .store(RecoverStore(path: path))
  }

  /// Lists what is left out, and reports what was done.
  private static func show(
    _ outcome: Recovery.Outcome, of recovery: Recovery, _ options: ParsedOptions,
    _ context: inout Context
  ) throws {
    let end = options.rowEnd
    for row in outcome.left {
      try context.output.append { output throws in
        if options.has(.json) {
          RecoverRow.appendJSON(row, outcome.log, to: &output)
        } else {
          RecoverRow.append(row, outcome.log, to: &output)
        }
        output.append(end)
      }
    }
    try context.output.flush()
    recovery.point.say(outcome.members, outcome.log, hasReceived: true, context.effects)
    for text in RecoverRow.summary(outcome.left) { context.note(text) }
    let nodes = "\(outcome.nodeCount) node\(outcome.nodeCount == 1 ? "" : "s")"
    let tasks = "\(outcome.taskCount) task\(outcome.taskCount == 1 ? "" : "s")"
    let verb = recovery.isDryRun ? "would recover" : "recovered"
    let place =
      switch recovery.destination {
      case .none: ""
      case .store(let store): " in '\(store.path)'"
      case .refs(let refs): " as '\(refs.prefix)'"
      }
    context.note("\(verb) \(nodes) of \(tasks)\(place)")
  }
}
