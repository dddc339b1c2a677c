// What a diff compares: a history, the nodes that count at each of two points, and the tasks that may
// differ between them.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// Two sets of nodes of one history.
package struct DiffSet {
  /// The history.
  package let graph: Graph
  /// For each position whether the heads reach the node.
  package let history: [Bool]
  /// For each position whether the node counts at the first point, and at the second.
  package let left, right: [Bool]
  /// The tasks that may differ, by index, sorted by id.
  package private(set) var tasks: [Int] = []

  /// Reads the history.
  ///
  /// - Parameters:
  ///   - points: the two points.
  ///   - policy: which nodes count at an instant.
  ///   - allowsEmpty: whether it is allowed that nothing counts at a point.
  ///   - opened: the store.
  ///   - usesCache: whether the files of the index are used.
  ///   - isFresh: whether the index is rebuilt, because it was found to be damaged.
  /// - Throws: `DiffFault.nothingPrecedes`; an error when a node is missing or corrupt.
  package init(
    _ points: (DiffPoint, DiffPoint), _ policy: PointPolicy, allowsEmpty: Bool,
    _ opened: Repository, usesCache: Bool, isFresh: Bool
  ) throws {
    let columns: GraphSegment.Columns = [.ids, .parents, .clocks, .labels]
    let opening = try HistoryGraph.open(opened, usesCache: usesCache, columns, isFresh: isFresh)
    let tips = points.0.tips + points.1.tips
    if tips.allSatisfy({ opening.graph.position(of: $0) != nil }) {
      graph = opening.graph
      history = opening.members ?? [Bool](repeating: true, count: graph.count)
    } else {
      // A revision may resolve to a node that no head reaches and that was never received.
      let heads = try HistoryLoad.heads(opened)
      graph = try HistoryGraph.reaching(heads + tips, opened, usesCache: false, .all)
      history = graph.reachable(from: heads.compactMap { [graph] in graph.position(of: $0) })
    }
    left = try points.0.members(of: graph, history, policy, allowsEmpty: allowsEmpty)
    right = try points.1.members(of: graph, history, policy, allowsEmpty: allowsEmpty)
  }

  /// Finds the tasks that may differ.
  ///
  /// - Returns: `false` when the index is damaged.
  package mutating func findTasks() -> Bool {
    for position in 0..<graph.count
    where left[position] && right[position] && TouchedTasks.isMerge(position, graph) {
      guard graph.check(.data, of: position..<position + 1) else { return false }
    }
    guard let touched = TouchedTasks.between(graph, left, right) else { return false }
    tasks = touched
    return true
  }

  /// Keeps only some tasks.
  ///
  /// - Throws: `DiffFault.unusedTask` for one that no node at either point is about.
  package mutating func keep(_ wanted: [TaskID]) throws {
    let kept = Set(wanted)
    var isKept = [Bool](repeating: false, count: graph.taskCount)
    for task in 0..<graph.taskCount where kept.contains(graph.taskID(task)) { isKept[task] = true }
    var missing = kept
    for position in 0..<graph.count where left[position] || right[position] {
      let task = graph.task(at: position)
      if task >= 0, isKept[task] { missing.remove(graph.taskID(task)) }
    }
    for task in wanted where missing.contains(task) {
      throw DiffFault.unusedTask(task)
    }
    tasks = tasks.filter { isKept[$0] }
  }

  /// Checks the contents of the nodes that are about to be replayed.
  ///
  /// - Returns: `false` when the index is damaged.
  package func check() -> Bool {
    var isWanted = [Bool](repeating: false, count: graph.taskCount)
    for task in tasks { isWanted[task] = true }
    for position in 0..<graph.count where left[position] || right[position] {
      let task = graph.task(at: position)
      guard task >= 0, isWanted[task] else { continue }
      guard graph.check(.data, of: position..<position + 1) else { return false }
    }
    return true
  }

  /// How many tasks one thread compares in one piece.
  private static let pieceCount = 64
  /// How many pieces are worked on together at most: their rows are in memory at once.
  private static let batchLimit = 256

  /// Compares the states of the tasks, on all processors.
  ///
  /// - Parameters:
  ///   - transform: turns a difference into a row.
  ///   - body: receives the rows in the order of the tasks; says whether to go on.
  /// - Throws: what `body` throws; `falseIndex` when the content of a node is none.
  package func compare<Row: Sendable>(
    _ transform: @Sendable (TaskDifference) -> Row,
    body: (Row) throws -> Bool
  ) throws {
    guard !tasks.isEmpty else { return }
    let graph = graph
    let cuts = (cut(left), cut(right))
    let nodes = (
      TaskNodes(graph, cuts.0, only: tasks), TaskNodes(graph, cuts.1, only: tasks)
    )
    let present = (Set(nodes.0.tasks), Set(nodes.1.tasks))
    let pieces = stride(from: 0, to: tasks.count, by: Self.pieceCount).map { start in
      tasks[start..<min(start + Self.pieceCount, tasks.count)]
    }
    // Few at first: a caller who asks whether anything differs needs no more.
    var count = Threads.processorCount
    var start = 0
    while start < pieces.count {
      let batch = Array(pieces[start..<min(start + count, pieces.count)])
      start += batch.count
      count = min(2 * count, Self.batchLimit)
      let done = Threads.parallelMap(
        batch, threads: batch.count < 2 ? 1 : Threads.processorCount,
        makeState: {
          ReplayPair(
            left: Replay(graph, cuts.0, nodes.0), right: Replay(graph, cuts.1, nodes.1))
        }
      ) { pair, piece -> [Row]? in
        var rows: [Row] = []
        for task in piece {
          let before = present.0.contains(task) ? pair.left.state(of: task) : nil
          let after = present.1.contains(task) ? pair.right.state(of: task) : nil
          if let found = TaskDifference(graph.taskID(task), before, after) {
            rows.append(transform(found))
          }
        }
        _ = pair.left.takeSkips()
        _ = pair.right.takeSkips()
        return pair.left.isDamaged || pair.right.isDamaged ? nil : rows
      }
      guard done.allSatisfy({ $0 != nil }) else { throw HistoryFault.falseIndex }
      for rows in done.lazy.compactMap({ $0 }) {
        for row in rows { guard try body(row) else { return } }
      }
    }
  }

  private func cut(_ members: [Bool]) -> Cut {
    members.contains(false) ? Cut(of: graph, members: members) : Cut(whole: graph)
  }
}

/// The replays of two sets.
private struct ReplayPair<Log: HistoryLog>: ~Copyable {
  var left: Replay<Log>
  var right: Replay<Log>
}
