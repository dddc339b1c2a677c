// The state from a snapshot: the lines of most tasks are copied, and only newer nodes are replayed. The bytes and the
// warnings are the same as without a snapshot.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Prints states with the help of snapshots.
enum StateSnapshots {
  /// Whether a snapshot can answer the request: for the lines of all tasks, or their hash.
  static func areWanted(_ options: ParsedOptions, _ style: State.Style) -> Bool {
    (style == .json || style == .hash) && options.arguments.isEmpty && !options.has(State.stdin)
      && options.values(.task).isEmpty && options.flag(HistoryGraph.cache) ?? true
      && options.flag(State.snapshot) ?? true
  }

  /// Prints the present state if a snapshot is known to cover it: nothing else is read.
  ///
  /// - Returns: whether it was.
  static func showCurrent(
    _ shelf: SnapshotShelf, _ style: State.Style, _ options: ParsedOptions,
    _ context: inout Context
  ) throws -> Bool {
    guard let snapshot = shelf.current(withLines: style == .json) else { return false }
    let trace = StateTrace(isWanted: options.has(State.trace))
    trace.note(snapshot, of: snapshot.nodeCount, tasks: snapshot.taskCount, replayed: 0, &context)
    let end = options.rowEnd
    let regions = context.trace
    try regions.measure("copy") {
      if style == .hash {
        var line: [UInt8] = []
        snapshot.hash.append(to: &line)
        line.append(end)
        try context.output.write(line)
      } else {
        var output = StateOutput(style: style, end: end)
        try output.write(snapshot, rows: 0..<snapshot.taskCount, &context)
      }
    }
    let skips = SkipTally.tallies(of: snapshot.skips)
    trace.end(
      skips, tasks: snapshot.taskCount, states: snapshot.stateCount, &context)
    if !options.has(.quiet) { SkipRow.warn(skips, &context) }
    return true
  }

  /// Prints the state of a set of nodes: from a snapshot as far as possible, and the rest by replay.
  static func show<Log: HistoryLog & Sendable>(
    _ basis: SnapshotBasis, _ log: Log, _ cut: Cut, _ style: State.Style,
    _ options: ParsedOptions, _ context: inout Context
  ) throws {
    let taskCount = basis.kept.reduce(basis.replayed.count) { $0 + $1.count }
    let trace = StateTrace(isWanted: options.has(State.trace))
    trace.note(
      basis.snapshot, of: cut.count, tasks: taskCount, replayed: basis.replayed.count, &context)
    var output = StateOutput(
      style: style, end: options.rowEnd)
    let regions = context.trace
    let skips = try regions.measure("replay") {
      try write(basis, log, cut, to: &output, &context)
    }
    try output.finish(&context)
    trace.end(skips, tasks: taskCount, states: output.count, &context)
    if !options.has(.quiet) { SkipRow.warn(skips, &context) }
  }

  /// Writes the state of a set of nodes.
  ///
  /// - Returns: the nodes without effect.
  private static func write<Log: HistoryLog & Sendable>(
    _ basis: SnapshotBasis, _ log: Log, _ cut: Cut, to output: inout StateOutput,
    _ context: inout Context
  ) throws -> [SkipTally] {
    let run = ReplayRun(log, cut, TaskNodes(log, cut, only: basis.replayed))
    var kept: [KeptSkip] = []
    var skips = run.skipsWithoutTask()
    var next = 0
    func keep(_ output: inout StateOutput, _ context: inout Context) throws {
      let rows = basis.kept[next]
      next += 1
      kept += basis.snapshot.skips(of: rows)
      try output.write(basis.snapshot, rows: rows, &context)
    }
    try run.replayEach(basis.replayed) { state in
      var line: [UInt8] = []
      line.reserveCapacity(512)
      state.appendJSON(to: &line)
      return StateOutput.Row.line(line)
    } body: { task throws in
      try keep(&output, &context)
      skips += task.skips
      if let row = task.row { try output.write([row], &context) }
    }
    try keep(&output, &context)
    // The nodes of a snapshot keep their order in every set, so the first of its skips stays the first of them.
    let firsts = SkipTally.tallies(of: kept).map { tally in
      SkipTally(
        reason: tally.reason, count: tally.count, first: tally.first,
        place: log.position(of: tally.first).map { cut.place(of: $0) } ?? 0)
    }
    return SkipTally.union(
      firsts, SkipTally.tallies(of: skips.map { KeptSkip($0, log, cut) }))
  }
}
