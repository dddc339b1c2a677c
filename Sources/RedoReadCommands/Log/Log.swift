// redo log: the history, newest first.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo log [<filter>...] [<form>] [-n <n>] [--as-of=<point>] [(<revision> | <range>)...]`.
enum Log: Command {
  static let name = "log"
  static let summary = "show the history, newest change first"
  static var usage: [String] {
    [
      "redo-log [--reverse] [-n <n>] [--skip=<n>] [<filter>...] [<form>] [--graph]\n"
        + "         [--as-of=<point>] [--color] [--no-cache] [-z] [<revision>...]",
      "redo-log --page-size=<n> [--page-token=<id>] [<options>] [<revision>...]",
      "redo-log (--dot | --svg) [<options>] [<revision>...]",
      "redo-log --stdin [<options>]",
    ]
  }

  private static let stdin = OptionSpec(
    "stdin", help: "read revisions and ranges from standard input, too")
  private static let cache = HistoryGraph.cache
  static var options: [OptionSpec] {
    [.heading("Which changes")] + LogChoice.specs + LogFilter.specs + State.pointOptions.specs
      + [stdin]
      + [.heading("How they are shown")] + LogStyle.specs + [
        Palette.option, cache, .quiet, .nulBoth,
      ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    // Errors in the options are reported before the store is looked for.
    _ = try LogStyle(options, Palette())
    let choice = try LogChoice(options)
    let filter = try LogFilter(options, now: context.clock())
    let point = try HistoryPoint(options, State.pointOptions, now: context.clock())
    guard !options.has(LogStyle.graphOption) || !options.has(.nul) else {
      throw CommandError.usage("options '--graph' and '-z' cannot be used together")
    }
    if options.has(.nul),
      let drawn = [LogStyle.dotOption, LogStyle.svgOption].first(where: options.has)
    {
      throw CommandError.usage("options '\(drawn.spelling)' and '-z' cannot be used together")
    }
    guard !options.has(LogStyle.graphOption) || !options.has(LogChoice.reverse) else {
      throw CommandError.usage("options '--graph' and '--reverse' cannot be used together")
    }
    let opened = try context.effects.openRepository()
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    let style = try LogStyle(options, palette)
    var names = options.arguments
    if options.has(stdin) {
      names += try context.names(end: options.rowEnd).map { Escape.text($0.bytes) }
    }
    // As in git, empty standard input means that nothing is shown, not everything.
    if options.has(stdin), names.isEmpty { return .ok }

    let trace = context.trace
    // A damaged index is noticed before anything is printed, and is rebuilt once.
    for isFresh in [false, true] {
      let revisions = Revisions(opened, now: context.clock())
      var said: [Bool]?
      let set = try trace.measure("walk") {
        try LogSet.read(
          names, revisions, usesCache: options.flag(cache) ?? true, point.columns,
          isFresh: isFresh
        ) { graph throws in
          said = try point.members(of: graph, opened)
          return said
        }
      }
      guard let chosen = try choose(set, choice, filter, revisions) else { continue }
      var writer = LogWriter(
        style, end: options.rowEnd, set, chosen.positions,
        lanes: options.has(LogStyle.graphOption) ? lanes(options, palette, context) : nil)
      let isShown = try trace.measure("show") {
        try writer.write(opened, &context)
      }
      guard isShown else { continue }
      if !options.has(.quiet), let said {
        point.say(said, set.graph, hasReceived: true, context.effects)
      }
      if !options.has(.quiet), chosen.hasMore, choice.showsPage, let last = chosen.positions.last {
        context.hint(
          "more changes follow: '--page-token=\(set.graph.id(at: last).text)' shows the next page")
      }
      return .ok
    }
    preconditionFailure("BUG: an index that was just made is damaged")
  }

  /// The changes to show.
  ///
  /// - Returns: `nil` when the index is damaged.
  private static func choose(
    _ set: LogSet, _ choice: LogChoice, _ filter: LogFilter, _ revisions: Revisions
  ) throws -> LogChoice.Chosen? {
    let graph = set.graph
    func find(_ text: String) throws -> ObjectID { try revisions.one(text) }
    var columns = filter.columns
    // Checking the column for any one node also checks the table of tasks.
    if columns.contains(.labels), !graph.check(.labels, of: 0..<min(1, graph.count)) { return nil }
    let matcher = try filter.matcher(graph) { text throws in
      try TaskName.one(text, revisions.opened)
    }
    var heads: [Bool]?
    if filter.wantsHeads {
      guard graph.check([.parents, .labels], of: 0..<graph.count) else { return nil }
      heads = TaskHeads.marks(of: graph, members: set.reached)
      columns.insert(.ids)
    }
    var after: Int?
    if let revision = filter.afterRevision {
      let id = try find(revision)
      guard let position = graph.position(of: id), let place = set.place(of: position) else {
        throw CommandError.fatal("'\(revision)' is not among the changes that are walked")
      }
      after = place
    }
    let tokenPlace = try choice.tokenPlace(in: set, find)
    guard !filter.isEmpty else {
      return choice.choose(from: set, columns, after: after, tokenPlace: tokenPlace, nil)
    }
    return choice.choose(from: set, columns, after: after, tokenPlace: tokenPlace) { position in
      (heads?[position] ?? true) && matcher.matches(position)
    }
  }

  /// How the history is drawn beside the rows.
  private static func lanes(
    _ options: ParsedOptions, _ palette: Palette, _ context: borrowing Context
  ) -> Lanes {
    let isUnicode = LocaleEncoding.isUTF8 { context.environment($0) }
    return Lanes(
      isASCII: options.flag(LogStyle.asciiOption) ?? !isUnicode,
      palette: palette.isOn ? palette : nil)
  }
}
