// Replay on all processors: each works on several tasks at a time, and the results come in the order of the tasks.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// Replays tasks of a set of nodes.
package struct ReplayRun<Log: HistoryLog & Sendable> {
  private let log: Log
  private let cut: Cut
  private let nodes: TaskNodes

  /// How many tasks one thread replays in one piece.
  private static var pieceCount: Int { 64 }
  /// How many pieces are worked on together: their rows are in memory at once.
  private static var batchCount: Int { 256 }
  /// How many bytes the nodes of a batch say: a state may be many times as large.
  private static var batchBytes: Int { 2 << 20 }
  /// A task whose nodes say more is replayed alone.
  private static var largeBytes: Int { 128 << 10 }

  package init(_ log: Log, _ cut: Cut, _ nodes: TaskNodes) {
    self.log = log
    self.cut = cut
    self.nodes = nodes
  }

  /// Tasks that are replayed at once, in pieces; one that is large is alone.
  private func batches(_ tasks: [Int]) -> [(pieces: [ArraySlice<Int>], isLarge: Bool)] {
    var batches: [(pieces: [ArraySlice<Int>], isLarge: Bool)] = []
    var pieces: [ArraySlice<Int>] = []
    var bytes = 0
    var start = 0
    func endPiece(_ end: Int) {
      if start < end { pieces.append(tasks[start..<end]) }
      start = end
    }
    func endBatch() {
      if !pieces.isEmpty { batches.append((pieces, false)) }
      pieces = []
      bytes = 0
    }
    for (place, task) in tasks.enumerated() {
      let own = nodes.byteCount(of: task, in: log)
      if own > Self.largeBytes {
        endPiece(place)
        endBatch()
        batches.append(([tasks[place..<place + 1]], true))
        start = place + 1
        continue
      }
      bytes += own
      if place + 1 - start == Self.pieceCount || bytes > Self.batchBytes { endPiece(place + 1) }
      if pieces.count == Self.batchCount || bytes > Self.batchBytes { endBatch() }
    }
    endPiece(tasks.count)
    endBatch()
    return batches
  }

  /// Replays tasks.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row.
  ///   - large: takes the state of a task whose row may be too large to be kept, in its place among the rows.
  ///   - body: receives the rows of some states, in the order of the tasks.
  /// - Returns: the changes without effect.
  /// - Throws: what `body` and `large` throw; `falseIndex` when the content of a node is none.
  package func replay<Row: Sendable>(
    _ tasks: [Int], _ transform: @Sendable (TaskState) -> Row,
    large: (TaskState) throws -> Void, body: ([Row]) throws -> Void
  ) throws -> [Skip] {
    var skips: [Skip] = []
    for (pieces, isLarge) in batches(tasks) {
      if isLarge, let task = pieces.first?.first {
        var replay = Replay(log, cut, nodes)
        let state = replay.state(of: task)
        guard !replay.isDamaged else { throw HistoryFault.falseIndex }
        if let state { try large(state) }
        skips += replay.takeSkips()
        continue
      }
      let done = Threads.parallelMap(
        pieces, threads: Threads.processorCount,
        makeState: { Replay(log, cut, nodes) }
      ) { replay, piece -> (rows: [Row], skips: [Skip], isDamaged: Bool) in
        var rows: [Row] = []
        for task in piece {
          if let state = replay.state(of: task) { rows.append(transform(state)) }
        }
        return (rows, replay.takeSkips(), replay.isDamaged)
      }
      guard !done.contains(where: \.isDamaged) else { throw HistoryFault.falseIndex }
      for piece in done {
        try body(piece.rows)
        skips += piece.skips
      }
    }
    return skips
  }

  /// Replays tasks whose rows are small.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row.
  ///   - body: receives the rows of some states, in the order of the tasks.
  /// - Returns: the changes without effect.
  /// - Throws: what `body` throws; `falseIndex` when the content of a node is none.
  package func replay<Row: Sendable>(
    _ tasks: [Int], _ transform: @Sendable (TaskState) -> Row, body: ([Row]) throws -> Void
  ) throws -> [Skip] {
    try replay(tasks, transform, large: { try body([transform($0)]) }, body: body)
  }

  /// Replays tasks, and reports the result of each, including those that have no state.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row.
  ///   - body: receives the results of some tasks, in their order.
  /// - Throws: what `body` throws; `falseIndex` when the content of a node is none.
  package func replayEach<Row: Sendable>(
    _ tasks: [Int], _ transform: @Sendable (TaskState) -> Row,
    body: (ReplayedTask<Row>) throws -> Void
  ) throws {
    try replayEach(tasks, asking: { state, _ in transform(state) }, body: body)
  }

  /// Replays tasks, lets what makes rows ask more of each, and reports the result of each, including those that have no state.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row; it can ask when the members were written, as `Replay.lastWrites(of:)` has it.
  ///   - body: receives the results of some tasks, in their order.
  /// - Throws: what `body` throws; `falseIndex` when the content of a node is none.
  package func replayEach<Row: Sendable>(
    _ tasks: [Int], asking transform: @Sendable (TaskState, _ order: () -> [[UInt8]: Int]) -> Row,
    body: (ReplayedTask<Row>) throws -> Void
  ) throws {
    try each(tasks) { replay, task in
      let state = replay.state(of: task)
      let (skips, isOpen) = (replay.takeSkips(), replay.isOpen)
      let row = state.map { state in transform(state) { replay.lastWrites(of: task) } }
      return ReplayedTask(task: task, row: row, skips: skips, isOpen: isOpen)
    } body: {
      try body($0)
    }
  }

  /// Replays tasks, and lets what makes rows ask more of each.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row, if it is to have one; it can ask when the members were written, as
  ///     `Replay.lastWrites(of:)` has it, and what a new node would follow, sorted.
  ///   - body: receives the rows, in the order of the tasks.
  /// - Returns: the changes without effect.
  /// - Throws: what `body` throws; `falseIndex` when the content of a node is none.
  package func replayAsking<Row: Sendable>(
    _ tasks: [Int],
    _ transform:
      @Sendable (
        TaskState, _ order: () -> [[UInt8]: Int], _ parents: () -> [ObjectID]
      ) -> Row?,
    body: (Row) throws -> Void
  ) throws -> [Skip] {
    var skips: [Skip] = []
    try each(tasks) { replay, task -> (row: Row?, skips: [Skip]) in
      let state = replay.state(of: task)
      let skips = replay.takeSkips()
      guard let state else { return (nil, skips) }
      let row = transform(state) {
        replay.lastWrites(of: task)
      } _: {
        replay.livingHeads(of: task).suffix(Node.parentLimit).map { log.id(at: Int($0)) }.sorted()
      }
      return (row, skips)
    } body: { done in
      skips += done.skips
      if let row = done.row { try body(row) }
    }
    return skips
  }

  /// Does some work for each task, several at a time.
  private func each<Result: Sendable>(
    _ tasks: [Int], _ work: @Sendable (inout Replay<Log>, Int) -> Result,
    body: (Result) throws -> Void
  ) throws {
    for (pieces, _) in batches(tasks) {
      let done = Threads.parallelMap(
        pieces, threads: Threads.processorCount,
        makeState: { Replay(log, cut, nodes) }
      ) { replay, piece -> (results: [Result], isDamaged: Bool) in
        let results = piece.map { work(&replay, $0) }
        return (results, replay.isDamaged)
      }
      guard !done.contains(where: \.isDamaged) else { throw HistoryFault.falseIndex }
      for piece in done { for result in piece.results { try body(result) } }
    }
  }

  /// The nodes without a task, none of which has an effect.
  package func skipsWithoutTask() -> [Skip] { Replay(log, cut, nodes).skipsWithoutTask() }

  /// Changes without effect in total order.
  package func sorted(_ skips: [Skip]) -> [Skip] {
    // Several todos of one CREATE keep their order.
    skips.enumerated().sorted { left, right in
      let (one, other) = (
        cut.place(of: left.element.position), cut.place(of: right.element.position)
      )
      return one == other ? left.offset < right.offset : one < other
    }.map(\.element)
  }
}

/// The result of replaying a task.
package struct ReplayedTask<Row: Sendable>: Sendable {
  /// Its index.
  package let task: Int
  /// The row of its state; `nil` when it has none.
  package let row: Row?
  /// The changes without effect.
  package let skips: [Skip]
  /// Whether it must be replayed when other nodes arrive, even if none is about it.
  let isOpen: Bool
}
