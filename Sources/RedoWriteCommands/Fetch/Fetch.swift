// redo fetch: takes what a remote has and this store lacks into the history.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo fetch [<options>] [--all | <remote>...]`.
enum Fetch: Command {
  static let name = "fetch"
  static let summary = "take what a remote has and this store lacks"
  static var usage: [String] {
    [
      "redo-fetch [<options>] [--all | <remote>...]",
      "redo-fetch [<options>] --stdin [--all | <remote>...]",
      "redo-fetch [<options>] --watch [--interval=<time>] [--cursor=<n>] [--all | <remote>...]",
    ]
  }

  private static let all = OptionSpec("all", help: "fetch from all remotes")
  private static let stdin = OptionSpec(
    "stdin", help: "take only the nodes whose ids are on standard input, and their ancestors")
  private static let audit = OptionSpec(
    "audit", help: "verify what is new as it stands in the store, and print a row for each node")
  private static let watch = OptionSpec(
    "watch", help: "go on until a signal comes, and print each new node")
  private static let cursor = OptionSpec(
    "cursor", .required("n"), help: "begin with the nodes that were taken in since then")
  static var options: [OptionSpec] {
    [
      .dryRun, all, .heading("what is fetched"), SyncOptions.kind, SyncOptions.task,
      SyncOptions.since,
      stdin, .heading("what is printed"), audit, SyncOptions.porcelain, .json, .nul,
      .heading("how often"), watch, SyncOptions.interval, cursor, .heading("how"),
    ] + SyncOptions.common
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let form = try options.only(oneOf: [audit, SyncOptions.porcelain, .json, watch])
    let interval = try SyncOptions.milliseconds(options)
    let start = try options.integer(cursor)
    let isWatch = form?.isSame(as: watch) ?? false
    guard isWatch || (interval == nil && start == nil) else {
      throw CommandError.usage(
        "'--interval' and '--cursor' are about '--watch', which is not given")
    }
    if isWatch, let other = [.dryRun, stdin].first(where: { options.has($0) }) {
      throw CommandError.usage("options '--watch' and '\(other.spelling)' cannot be used together")
    }
    if options.has(.dryRun), options.has(audit) {
      throw CommandError.usage("options '--dry-run' and '--audit' cannot be used together")
    }
    let opened = try SyncOptions.open(&context, options)
    var settings = try SyncOptions.settings(options, opened, context)
    let kinds = try SyncOptions.kinds(options, aboutNodes: [stdin, audit], opened)
    let remotes = try SyncOptions.remotes(
      options.arguments, all: options.has(all), isQuiet: options.has(.quiet), opened, context)
    context.holdSignals()
    if options.has(stdin) { settings.only = try ids(&context) }
    if isWatch {
      var watch = FetchWatch(
        opened, remotes, of: kinds, settings, interval: interval ?? FetchWatch.usualInterval,
        end: options.rowEnd)
      return try watch.run(from: start, &context)
    }
    var said = SaidOfRemotes()
    var runs = SyncRuns(opened, remotes, of: kinds, isQuiet: settings.isQuiet)
    let exit = try runs.run(&context) {
      remote, kind, context throws in
      settings.objects = kind
      let report = try fetch(opened, remote, settings, after: &said, &context)
      let done = SyncRuns.Done(exit: report.exit, report: report)
      guard let form else { return done }
      if form.isSame(as: audit) {
        let exit = try verify(report.fetched, opened, end: options.rowEnd, &context)
        return SyncRuns.Done(exit: max(report.exit, exit), report: report)
      }
      try context.output.append { output throws in
        if form.isSame(as: .json) {
          report.appendJSON(.fetch, end: options.rowEnd, to: &output)
        } else {
          report.appendPorcelain(end: options.rowEnd, to: &output)
        }
      }
      return done
    }
    guard let only = settings.only, !settings.isDryRun else { return exit }
    return try max(exit, sayAbsent(only, remotes, opened, &context))
  }

  /// Says which of the requested nodes are missing here.
  private static func sayAbsent(
    _ ids: Set<ObjectID>, _ remotes: [Remote], _ opened: Repository, _ context: inout Context
  ) throws -> Exit {
    let places = remotes.map { "'\($0.title)'" }.joined(separator: " or ")
    var exit = Exit.ok
    for id in ids.sorted() {
      guard try !opened.contains(id) else { continue }
      context.error("'\(id.text)' is neither here nor at \(places)")
      exit = .no
    }
    return exit
  }

  /// Fetches from one remote and reports the result, but for what was said of it before.
  static func fetch(
    _ opened: Repository, _ remote: Remote, _ options: SyncSession.Options,
    after said: inout SaidOfRemotes, _ context: inout Context
  ) throws -> SyncReport {
    var report: SyncReport?
    for part in options.parts(for: remote) {
      var exchange = SyncSession(opened, remote, .fetch, part)
      try exchange.run(context.effects)
      if report == nil { report = exchange.report } else { report?.add(exchange.report) }
    }
    guard let report else { preconditionFailure("BUG: a fetch without an exchange") }
    report.say(options, after: &said, context)
    return report
  }

  /// Verifies nodes as they are in the store.
  private static func verify(
    _ ids: [ObjectID], _ opened: Repository, end: UInt8, _ context: inout Context
  ) throws -> Exit {
    var output = VerifyOutput(profile: .sync, isJSON: false, end: end)
    var nodes = VerifyStored(.sync, opened, try context.effects.nodeTrust(opened), saysKeys: false)
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      let names = ids[start..<min(start + batchCount, ids.count)].map { Array($0.text.utf8)[...] }
      for row in try nodes.judge(names) { try output.write(row, &context) }
    }
    return try output.finish(&context)
  }

  /// How many nodes are judged together.
  private static let batchCount = 4096

  /// The ids on standard input.
  private static func ids(_ context: inout Context) throws -> Set<ObjectID> {
    var ids: Set<ObjectID> = []
    for name in try context.names(end: UInt8(ascii: "\n")) {
      var digits = name.bytes[...]
      if ObjectID.hasPrefix(digits.span) { digits = digits.dropFirst(ObjectID.prefixCount) }
      guard let id = ObjectID(hex: digits.span) else {
        throw CommandError.fatal(
          "standard input, line \(name.number): '\(Escape.text(digits.prefix(100)))' is not an id "
            + "of 64 hex digits")
      }
      ids.insert(id)
    }
    return ids
  }
}
