// redo log: the history, newest first.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// `redo log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [-z] [<revision>...]`.
enum Log: Command {
  static let name = "log"
  static let summary = "show the history, newest change first"
  static var usage: [String] {
    [
      "redo-log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [--color]\n"
        + "         [--no-cache] [-z] [<revision>...]"
    ]
  }

  private static let reverse = OptionSpec("reverse", help: "show the oldest change first")
  private static let maxCount = OptionSpec(
    "max-count", letter: "n", .required("n"), help: "show at most <n> changes",
    traits: .digits)
  private static let skip = OptionSpec(
    "skip", .required("n"), help: "leave out the first <n> changes")
  private static let format = OptionSpec(
    "format", .required("format"), help: "show each change in this format, a line each")
  private static let json = OptionSpec("json", help: "show each change as canonical JSON")
  private static let nul = OptionSpec(letter: "z", help: "end each change with NUL")
  private static let cache = HistoryGraph.cache
  static var options: [OptionSpec] {
    [reverse, maxCount, skip, format, json, Palette.option, cache, nul]
  }

  private enum Style {
    case format(Format<ObjectAtom>)
    case json
    case full(Palette)
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let mode = try options.only(oneOf: [format, json])
    let shown: Format<ObjectAtom>? =
      mode?.isSame(as: format) == true
      ? try Format(options.value(format) ?? "", atoms: ObjectAtom.ofObjects) : nil
    let limit = try options.integer(maxCount) ?? .max
    let skipped = try options.integer(skip) ?? 0
    let end: UInt8 = options.has(nul) ? 0 : UInt8(ascii: "\n")

    let opened = try context.openRepository()
    let palette = try context.palette(options, setting: opened.repository.config.get("color.ui"))
    let style: Style = mode == nil ? .full(palette) : shown.map { .format($0) } ?? .json
    let trace = context.trace
    // A damaged index is noticed before anything is printed, and made anew once.
    for isFresh in [false, true] {
      let history = try trace.measure("walk") { () throws(CommandError) in
        try walk(options, Revisions(opened, now: context.clock()), isFresh: isFresh)
      }
      let chosen = history.choosing(
        skip: skipped, limit: limit, isReverse: options.has(reverse))
      let isShown = try trace.measure("show") { () throws(CommandError) in
        try show(chosen, style, end, opened, &context)
      }
      if isShown { return .ok }
    }
    preconditionFailure("BUG: an index that was just made is damaged")
  }

  /// Shows nodes.
  ///
  /// - Returns: `false` when the index is damaged; nothing is printed then.
  private static func show(
    _ chosen: LogHistory, _ style: Style, _ end: UInt8, _ opened: OpenRepository,
    _ context: inout Context
  ) throws(CommandError) -> Bool {
    if case .format(let format) = style, case .graph(let graph, let positions) = chosen,
      let columns = columns(of: format, graph)
    {
      let needsAllIDs = columns.contains(.parents)
      guard LogHistory.check(graph, columns, positions),
        !needsAllIDs || graph.check(.ids, of: 0..<graph.count)
      else { return false }
      try show(graph, positions, format, end, &context)
      return true
    }
    guard let ids = chosen.ids else { return false }
    try show(ids, style, end, opened, &context)
    return true
  }

  /// The columns of the index that a format needs; `nil` when it needs objects.
  private static func columns(
    of format: Format<ObjectAtom>, _ graph: Graph
  ) -> GraphSegment.Columns? {
    // What should not have been accepted is shown as what it is.
    guard !graph.hasBroken else { return nil }
    var columns: GraphSegment.Columns = []
    for case .atom(let atom) in format.pieces {
      guard let own = GraphRow.columns(of: atom) else { return nil }
      columns.formUnion(own)
    }
    return columns
  }

  private static func show(
    _ graph: Graph, _ positions: [Int], _ format: Format<ObjectAtom>, _ end: UInt8,
    _ context: inout Context
  ) throws(CommandError) {
    for position in positions {
      let row = GraphRow(graph: graph, position: position, isRaw: end == 0)
      try context.output.append { output throws(CommandError) in
        format.append(to: &output) { atom, output in row.append(atom, to: &output) }
        output.append(end)
      }
    }
  }

  private static func show(
    _ ids: [ObjectID], _ style: Style, _ end: UInt8, _ opened: OpenRepository,
    _ context: inout Context
  ) throws(CommandError) {
    let needsNode =
      switch style {
      case .format(let format): format.contains { $0.needsNode }
      case .json: false
      case .full: true
      }
    var isFirst = true
    try HistoryWalk.forEach(
      ids, opened.objects
    ) { object, reader throws(CommandError) in
      let node = needsNode ? reader.decode(object) : nil
      return text(ObjectRow(object: object, node: node, isRaw: end == 0), style, end)
    } _: { text throws(CommandError) in
      if case .full = style, !isFirst, end != 0 {
        try context.output.write(byte: UInt8(ascii: "\n"))
      }
      isFirst = false
      try context.output.write(text)
    }
  }

  /// The nodes to show, oldest first.
  private static func walk(
    _ options: ParsedOptions, _ revisions: Revisions, isFresh: Bool
  ) throws(CommandError) -> LogHistory {
    let store = revisions.opened.objects
    let names = options.arguments
    guard !names.isEmpty else {
      let history = try HistoryGraph.open(
        revisions.opened, usesCache: options.flag(cache) ?? true, isFresh: isFresh)
      return .graph(history.graph, history.positions)
    }
    var (tips, hidden) = try revisions.walk(names)
    // As in git: what is only left out is left out of everything.
    if tips.isEmpty { tips = try revisions.heads() }
    let ids = try HistoryWalk.order(from: tips, store)
    guard !hidden.isEmpty else { return .ids(ids) }
    let left = Set(try HistoryWalk.order(from: hidden, store))
    return .ids(ids.filter { !left.contains($0) })
  }

  private static func text(_ row: ObjectRow, _ style: Style, _ end: UInt8) -> [UInt8] {
    var text: [UInt8] = []
    switch style {
    case .format(let format):
      format.append(to: &text) { atom, output in row.append(atom, to: &output) }
      text.append(end)
    case .json:
      row.object.appendContents(to: &text)
      text.append(end)
    case .full(let palette):
      LogEntry(row, palette).append(to: &text, end: end)
    }
    return text
  }
}
