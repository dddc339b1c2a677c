// Anchors: nodes of a task that descend from all its nodes before them. The state at an anchor is the state of
// a whole prefix, so that a MERGE after it need not replay what came before: a task that diverges and merges
// again and again takes linear time.

internal import RedoObject

/// A node that descends from all nodes of its task that come before it, and the state at it.
struct Anchor: Sendable {
  let position: Int
  let state: TaskState?
}

/// Finds the anchors of a task at which branches begin, while its nodes are replayed.
///
/// It looks at parents in the task only: a path through another task is not seen, which costs time and
/// nothing else.
struct AnchorFinder {
  private var childCounts: [Int32: Int] = [:]
  private var heads: Set<Int32> = []
  /// The last anchor found.
  private(set) var anchor: Anchor?

  /// Looks at the nodes of a task.
  init(_ own: ArraySlice<Int32>, _ log: some HistoryLog) {
    for position in own {
      log.forEachParent(at: Int(position)) { parent in
        if parent >= 0 { childCounts[Int32(parent), default: 0] += 1 }
      }
    }
  }

  /// Takes note of a node that has been replayed.
  mutating func note<Log: HistoryLog>(_ position: Int, _ state: TaskState?, _ log: Log, _ cut: Cut)
  {
    log.forEachParent(at: position) { parent in
      if parent >= 0, cut.contains(parent) { heads.remove(Int32(parent)) }
    }
    heads.insert(Int32(position))
    if heads.count == 1, childCounts[Int32(position), default: 0] > 1 {
      anchor = Anchor(position: position, state: state)
    }
  }
}
