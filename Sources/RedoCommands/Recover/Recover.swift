// redo recover: the history as it was at a point in time, as a store of its own or as refs.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

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
    point: to, policy: .closedPolicy, allowEmpty: .allowEmpty, empty: "history")

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let point = try point(options, now: context.clock())
    let destination = try destination(options)
    let opened = try context.effects.openRepository()
    let isDryRun = options.has(.dryRun) || destination.isNone
    var hold: LockFile?
    if !isDryRun {
      context.holdSignals()
      // What refs are going to name must not be wiped before they do.
      if case .refs = destination { hold = try opened.holdObjects() }
    }
    defer { extendLifetime(hold) }
    try destination.check(opened, &context)
    let request = Request(
      opened: opened, point: point, destination: destination, isDryRun: isDryRun,
      isQuiet: options.has(.quiet), isJSON: options.has(.json),
      end: options.rowEnd)
    let source = RecoverSource(
      opened, tasks: options.values(task), usesCache: options.flag(HistoryGraph.cache) ?? true)
    if let graph = try source.indexed(context.trace) {
      try recover(graph, [:], request, &context)
    } else {
      let (log, broken) = try source.load(context.trace)
      try recover(log, broken, request, &context)
    }
    return .ok
  }

  /// What is asked for.
  private struct Request {
    let opened: Repository
    let point: HistoryPoint
    let destination: RecoverDestination
    let isDryRun: Bool
    let isQuiet: Bool
    let isJSON: Bool
    let end: UInt8
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

  /// Recovers from a history, wherever it was read.
  private static func recover<Log: HistoryLog>(
    _ log: Log, _ broken: [ObjectID: Finding], _ request: Request, _ context: inout Context
  ) throws {
    guard let place = try request.point.place(in: log, request.opened),
      let members = try request.point.members(of: log, request.opened)
    else { preconditionFailure("BUG: the present is no point to go back to") }
    if let position = members.indices.first(where: { members[$0] && log.isBroken(at: $0) }) {
      let id = log.id(at: position)
      throw CommandError.fatal(
        Diagnosis.text(broken[id] ?? Finding(.nodeType), of: id.text),
        hints: ["a point before this node can be recovered; 'redo verify' shows what is wrong"])
    }
    let history = RecoveredHistory(log, members)
    if !request.isDryRun {
      let message = "recover --to=\(request.point.resolvedText)"
      try request.destination.write(history, message, request.opened, &context)
    }
    guard !request.isQuiet else { return }
    let left = place.leftOut(of: log, members: members)
    for row in left {
      try context.output.append { output throws in
        if request.isJSON {
          RecoverRow.appendJSON(row, log, to: &output)
        } else {
          RecoverRow.append(row, log, to: &output)
        }
        output.append(request.end)
      }
    }
    try context.output.flush()
    request.point.say(members, log, hasReceived: true, context.effects)
    for text in RecoverRow.summary(left) { context.note(text) }
    let nodes = "\(history.count) node\(history.count == 1 ? "" : "s")"
    let tasks = "\(history.taskCount) task\(history.taskCount == 1 ? "" : "s")"
    let verb = request.isDryRun ? "would recover" : "recovered"
    context.note("\(verb) \(nodes) of \(tasks)\(request.destination.place)")
  }
}
