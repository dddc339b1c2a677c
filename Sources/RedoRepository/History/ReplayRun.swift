// Replay on all processors: each works on several tasks at a time, and the results come in the order of the tasks.

package import RedoHistory
internal import RedoObject
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

  package init(_ log: Log, _ cut: Cut, _ nodes: TaskNodes) {
    self.log = log
    self.cut = cut
    self.nodes = nodes
  }

  /// Replays tasks.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row.
  ///   - body: receives the rows of some states, in the order of the tasks.
  /// - Returns: the changes without effect.
  /// - Throws: what `body` throws.
  package func replay<Row: Sendable>(
    _ tasks: [Int], _ transform: @Sendable (TaskState) -> Row,
    body: ([Row]) throws -> Void
  ) throws -> [Skip] {
    let pieces = stride(from: 0, to: tasks.count, by: Self.pieceCount).map { start in
      tasks[start..<min(start + Self.pieceCount, tasks.count)]
    }
    var skips: [Skip] = []
    for start in stride(from: 0, to: pieces.count, by: Self.batchCount) {
      let batch = Array(pieces[start..<min(start + Self.batchCount, pieces.count)])
      let done = Threads.parallelMap(
        batch, threads: Threads.processorCount,
        makeState: { Replay(log, cut, nodes) }
      ) { replay, piece -> (rows: [Row], skips: [Skip]) in
        var rows: [Row] = []
        for task in piece {
          if let state = replay.state(of: task) { rows.append(transform(state)) }
        }
        return (rows, replay.takeSkips())
      }
      for piece in done {
        try body(piece.rows)
        skips += piece.skips
      }
    }
    return skips
  }

  /// Replays tasks, and reports the result of each, including those that have no state.
  ///
  /// - Parameters:
  ///   - tasks: their indices.
  ///   - transform: turns a state into a row.
  ///   - body: receives the results of some tasks, in their order.
  /// - Throws: what `body` throws.
  package func replayEach<Row: Sendable>(
    _ tasks: [Int], _ transform: @Sendable (TaskState) -> Row,
    body: (ReplayedTask<Row>) throws -> Void
  ) throws {
    let pieces = stride(from: 0, to: tasks.count, by: Self.pieceCount).map { start in
      tasks[start..<min(start + Self.pieceCount, tasks.count)]
    }
    for start in stride(from: 0, to: pieces.count, by: Self.batchCount) {
      let batch = Array(pieces[start..<min(start + Self.batchCount, pieces.count)])
      let done = Threads.parallelMap(
        batch, threads: Threads.processorCount,
        makeState: { Replay(log, cut, nodes) }
      ) { replay, piece -> [ReplayedTask<Row>] in
        var tasks: [ReplayedTask<Row>] = []
        for task in piece {
          let row = replay.state(of: task).map(transform)
          tasks.append(
            ReplayedTask(task: task, row: row, skips: replay.takeSkips(), isOpen: replay.isOpen))
        }
        return tasks
      }
      for piece in done { for task in piece { try body(task) } }
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
