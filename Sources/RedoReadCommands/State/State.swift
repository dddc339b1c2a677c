// redo state: the result of all changes, now or at any point in time.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo state [--json | --hash | --table | --records | --skips] [--as-of=<point>] [<tip>...]`.
enum State: Command {
  static let name = "state"
  static let readsArchives = true
  static let summary = "replay the history: what the tasks are, now or at a point in time"
  static var usage: [String] {
    [
      "redo-state [--json | --hash | --table | --records] [--task=<task>]... [--as-of=<point>] "
        + "[--policy=<policy>] [-z] [<revision>...]",
      "redo-state --skips [--json] [--task=<task>]... [--as-of=<point>] [--policy=<policy>] "
        + "[-z] [<revision>...]",
      "redo-state --stdin [<options>]",
    ]
  }

  static let hash = OptionSpec("hash", help: "only the hash of the lines of '--json'")
  static let table = OptionSpec("table", help: "a table for people, by rank")
  static let records = OptionSpec(
    "records", help: "the records, a row each, by the fields of their schemas")
  static let skips = OptionSpec("skips", help: "what has no effect, a row each, with its reason")
  static let stdin = OptionSpec(
    "stdin", help: "replay just the nodes on standard input, a line each")
  static let snapshot = OptionSpec(
    "snapshot", help: "use a snapshot that applies; the default")
  static let trace = OptionSpec("trace", help: "say each stage and its counts")
  static var options: [OptionSpec] {
    [
      .json, hash, table, records, skips, .task, .asOf, .policy, .allowEmpty, stdin,
      HistoryGraph.cache,
      snapshot, trace, .quiet, .nul,
    ]
  }

  static let pointOptions = HistoryPoint.Options(
    point: .asOf, policy: .policy, allowEmpty: .allowEmpty, empty: .state)

  /// The form of the output.
  enum Style {
    case json, hash, table, records, skips
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let style = try style(options)
    let point = try HistoryPoint(options, pointOptions, now: context.clock())
    if options.has(stdin), !options.arguments.isEmpty {
      throw CommandError.usage("'--stdin' takes no revisions as arguments")
    }
    if options.has(stdin), case .instant(_, .received) = point.kind {
      throw CommandError.usage("nodes on standard input have no time at which they were received")
    }
    var shelf: SnapshotShelf?
    if StateSnapshots.areWanted(options, style) {
      let found = try SnapshotShelf(try context.effects.openRepository())
      if case .now = point.kind,
        try StateSnapshots.showCurrent(found, style, options, &context)
      {
        return .ok
      }
      shelf = found
    }
    let request = StateSource.Request(options)
    if !options.has(stdin),
      let (log, source) = try StateSource.indexed(request, in: shelf?.opened, context.effects)
    {
      return try show(log, source, point, style, shelf, options, &context)
    }
    let (log, source) =
      options.has(stdin)
      ? try StateSource.read(tasks: request.tasks, context.effects)
      : try StateSource.load(request, needsReceived: point.isInstant, context.effects)
    return try show(log, source, point, style, nil, options, &context)
  }

  /// Replays a log, whatever its source, and prints what was asked for.
  private static func show<Log: HistoryLog & Sendable>(
    _ log: Log, _ source: StateSource, _ point: HistoryPoint, _ style: Style,
    _ shelf: SnapshotShelf?, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let members = try point.members(of: log, source.opened)
    let cut = members.map { Cut(of: log, members: $0) } ?? Cut(whole: log)
    let trace = StateTrace(isWanted: options.has(trace))
    trace.begin(log, source, cut, &context)
    if !options.has(.quiet), let members {
      point.say(members, log, hasReceived: source.hasReceived, context.effects)
    }
    if point.isClosed, let basis = shelf?.basis(in: log, cut) {
      try StateSnapshots.show(basis, log, cut, style, options, &context)
      if members == nil, basis.isWhole { shelf?.noteCurrent(basis.snapshot.name) }
      return .ok
    }
    let nodes = TaskNodes(log, cut)
    let tasks =
      source.tasks.isEmpty
      ? nodes.tasks : nodes.tasks.filter { source.tasks.contains(log.taskID($0)) }
    let run = ReplayRun(log, cut, nodes)
    let end = options.rowEnd
    var output = StateOutput(style: style, end: end)
    let moment = point.moment(or: context.clock())
    let regions = context.trace
    let schemas =
      style == .records
      ? try (source.opened ?? context.effects.openRepository()).recordSchemas() : nil
    var skipped = try regions.measure("replay") {
      if let schemas {
        return try run.replayAsking(tasks) { state, order, _ in
          schemas.record(of: state, order)?.json
        } body: { line throws in
          try output.write([.line(line)], &context)
        }
      }
      return try run.replay(tasks) { state in
        StateOutput.row(of: state, style, at: moment, isRaw: end == 0)
      } large: { state throws in
        try output.write(state, at: moment, &context)
      } body: { rows throws in
        try output.write(rows, &context)
      }
    }
    try output.finish(&context)
    if source.tasks.isEmpty { skipped += run.skipsWithoutTask() }
    skipped = run.sorted(skipped)
    trace.end(skipped, tasks: tasks.count, states: output.count, &context)
    if style == .skips {
      for skip in skipped {
        try SkipRow.write(skip, log, isJSON: options.has(.json), end: end, &context)
      }
    } else if !options.has(.quiet) {
      SkipRow.warn(skipped, log, &context)
    }
    return source.hasRefused ? .no : .ok
  }

  private static func style(_ options: ParsedOptions) throws -> Style {
    guard let mode = try options.only(oneOf: [hash, table, records, skips]) else { return .json }
    if mode.isSame(as: skips) { return .skips }
    if mode.isSame(as: records) { return .records }
    _ = try options.only(oneOf: [.json, mode])
    return mode.isSame(as: hash) ? .hash : .table
  }
}
