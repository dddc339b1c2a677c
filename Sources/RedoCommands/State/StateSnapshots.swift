// The state by a snapshot: the lines of most tasks are copied, and only what came since is replayed. The bytes are the
// same as without one, and so is what is warned of.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Prints states by snapshots.
enum StateSnapshots {
  /// Whether a snapshot can say what is asked for: the lines of all tasks, or their hash.
  static func areWanted(_ options: ParsedOptions, _ style: State.Style) -> Bool {
    (style == .json || style == .hash) && options.arguments.isEmpty && !options.has(State.stdin)
      && options.values(State.task).isEmpty && options.flag(HistoryGraph.cache) ?? true
      && options.flag(State.snapshot) ?? true
  }

  /// Prints the present state if a snapshot is known to be of it: nothing else is read.
  ///
  /// - Returns: whether it was.
  static func showCurrent(
    _ shelf: SnapshotShelf, _ style: State.Style, _ options: ParsedOptions,
    _ context: inout Context
  ) throws(CommandError) -> Bool {
    guard let snapshot = shelf.current(withLines: style == .json) else { return false }
    let trace = StateTrace(isWanted: options.has(State.trace))
    trace.note(snapshot, of: snapshot.nodeCount, tasks: snapshot.taskCount, replayed: 0, &context)
    let end: UInt8 = options.has(State.nul) ? 0 : UInt8(ascii: "\n")
    let regions = context.trace
    try regions.measure("copy") { () throws(CommandError) in
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
    if !options.has(State.quiet) { SkipRow.warn(skips, &context) }
    return true
  }

  /// Writes the state of a set of nodes: what a snapshot has of it, and the rest replayed.
  ///
  /// - Returns: what has no effect in any task.
  static func write<Log: HistoryLog & Sendable>(
    _ basis: SnapshotBasis, _ run: ReplayRun<Log>, _ log: Log, to output: inout StateOutput,
    _ context: inout Context
  ) throws(CommandError) -> [Skip] {
    var skips: [Skip] = []
    var next = 0
    func keep(_ output: inout StateOutput, _ context: inout Context) throws(CommandError) {
      let rows = basis.kept[next]
      next += 1
      skips += basis.skips(of: rows, in: log)
      try output.write(basis.snapshot, rows: rows, &context)
    }
    try run.replayEach(basis.replayed) { state in
      var line: [UInt8] = []
      line.reserveCapacity(512)
      state.appendJSON(to: &line)
      return StateOutput.Row.line(line)
    } body: { task throws(CommandError) in
      try keep(&output, &context)
      skips += task.skips
      if let row = task.row { try output.write([row], &context) }
    }
    try keep(&output, &context)
    return skips
  }
}

/// How often one reason came, and what came first in the total order.
struct SkipTally {
  let reason: SkipReason
  let count: Int
  let first: ObjectID
  /// The name that the protocol's documents give to it.
  let code: String?

  /// What a snapshot says, in the order of the reasons.
  static func tallies(of skips: [KeptSkip]) -> [SkipTally] {
    SkipReason.allCases.compactMap { reason in
      let found = skips.filter { $0.reason == reason }
      guard let first = found.min(by: { $0.place < $1.place }) else { return nil }
      return SkipTally(
        reason: reason, count: found.count, first: first.node, code: reason.code)
    }
  }
}
