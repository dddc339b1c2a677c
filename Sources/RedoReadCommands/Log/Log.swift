// redo log: the history, newest first.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo log [<filter>...] [<form>] [-n <n>] [--as-of=<point>] [(<revision> | <range>)...]`.
enum Log: Command {
  static let name = "log"
  static let readsArchives = true
  static let summary = "show the history, newest change first"
  static var usage: [String] {
    [
      "redo-log [--sort=<order>] [--reverse] [-n <n>] [--skip=<n>] [<filter>...] [<form>] [--graph]\n"
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
    _ = try LogStyle(options, Palette(), now: context.clock())
    let filter = try LogFilter(options, now: context.clock())
    let choice = try LogChoice(options, followsOrder: filter.afterRevision != nil)
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
    guard !options.has(LogStyle.graphOption) || !choice.isUpward else {
      throw CommandError.usage("'--graph' draws from the newest change on: '--sort' cannot turn it")
    }
    try checkMarks(options)
    let opened = try context.effects.openRepository()
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    let style = try LogStyle(options, palette, now: context.clock())
    var names = options.arguments
    if options.has(stdin) {
      names += try context.names(end: options.rowEnd).map { Escape.text($0.bytes) }
    }
    // As in git, empty standard input means that nothing is shown, not everything.
    if options.has(stdin), names.isEmpty { return .ok }

    if options.has(LogChoice.ancestryPath), try !names.contains(where: isExcluding) {
      throw CommandError.usage("'--ancestry-path' requires a range: '<from>..<to>'")
    }

    var tips: [ObjectID] = []
    if options.has(LogChoice.all) {
      let refs = try Revisions(opened, now: context.clock()).refNodes()
      tips = refs.nodes.map(\.id)
      if !options.has(.quiet) { warnOfAbsent(refs.absentCount, context) }
    }

    let trace = context.trace
    // A damaged index is noticed before anything is printed, and is rebuilt once.
    for isFresh in [false, true] {
      let revisions = Revisions(opened, now: context.clock())
      var said: (members: [Bool], walked: [Bool]?)?
      let set = try trace.measure("walk") {
        try LogSet.read(
          names, revisions, usesCache: options.flag(cache) ?? true, point.columns,
          tips: tips, isAncestryPath: options.has(LogChoice.ancestryPath),
          withTimes: choice.needsTimes, isFresh: isFresh
        ) { graph, walked throws in
          let members = try point.members(of: graph, within: walked, opened)
          said = members.map { ($0, walked) }
          return members
        }
      }
      guard var chosen = try choose(set, choice, filter, revisions) else { continue }
      if options.has(LogChoice.boundary) {
        guard choice.addBoundary(to: &chosen, of: set) else { continue }
      }
      var writer = LogWriter(
        style, end: options.rowEnd, set, chosen.positions, LogMarking(options),
        lanes: options.has(LogStyle.graphOption) ? lanes(options, palette, context) : nil)
      let isShown = try trace.measure("show") {
        try writer.write(opened, &context)
      }
      guard isShown else { continue }
      if !options.has(.quiet), let said {
        point.say(
          said.members, set.graph, within: said.walked, hasReceived: true, context.effects)
      }
      if chosen.implausibleCount > 0 { warn(chosen.implausibleCount, context) }
      if !options.has(.quiet), chosen.hasMore, choice.showsPage, let last = chosen.positions.last {
        context.hint(
          "more changes follow: '--page-token=\(set.graph.id(at: last).text)' shows the next page")
      }
      return .ok
    }
    preconditionFailure("BUG: an index that was just made is damaged")
  }

  /// Refuses to mark changes where the form has no place for it, or cannot tell what belongs to a page.
  private static func checkMarks(_ options: ParsedOptions) throws {
    for spec in [LogChoice.leftRight, LogChoice.boundary] where options.has(spec) {
      let others = [OptionSpec.json, LogStyle.dotOption, LogStyle.svgOption, LogChoice.pageSize]
      if let other = others.first(where: options.has) {
        throw CommandError.usage(
          "options '\(spec.spelling)' and '\(other.spelling)' cannot be used together")
      }
    }
  }

  /// Says that wall times cannot be true, which decide where changes are shown.
  private static func warn(_ count: Int, _ context: borrowing Context) {
    context.warning(
      count == 1
        ? "a change has a wall time that cannot be true: \(Rule.wallImplausible.id)"
        : "\(count) changes have wall times that cannot be true: \(Rule.wallImplausible.id)")
  }

  /// Whether a revision or range leaves something out.
  private static func isExcluding(_ text: String) throws -> Bool {
    if case .include = try RevisionRange(text) { false } else { true }
  }

  private static func warnOfAbsent(_ count: Int, _ context: borrowing Context) {
    guard count > 0 else { return }
    context.warning(
      count == 1
        ? "a ref names a change that is not here, and is left out"
        : "\(count) refs name changes that are not here, and are left out")
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
    var moving: [ObjectID: LogEffect]?
    if !filter.moved.isEmpty {
      // What a change does to its task is known from the replay of the whole task.
      guard graph.check(.all, of: 0..<graph.count),
        let effects = LogEffect.of(set.positions.filter { matcher.matches($0) }, in: set)
      else { return nil }
      moving = effects.filter { $0.value.moves(filter.moved) }
    }
    guard !filter.isEmpty else {
      return choice.choose(from: set, columns, after: after, tokenPlace: tokenPlace, nil)
    }
    return choice.choose(from: set, columns, after: after, tokenPlace: tokenPlace) { position in
      (heads?[position] ?? true) && matcher.matches(position)
        && (moving.map { $0[graph.id(at: position)] != nil } ?? true)
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
