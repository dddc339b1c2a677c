// How far a snapshot helps with a set of nodes: which tasks stay as they are, and which are replayed.
//
// Why this is correct: a snapshot covers a set that has all ancestors of its nodes. If its heads are in another such
// set, all its nodes are, and the other nodes are not ancestors of any of them. So the others change neither the order
// among the nodes of the snapshot, nor who descends from whom: whenever the total order chooses among the nodes that
// are ready, the others only come in between. A task depends on its own nodes alone; a task without another node stays
// as it is, unless one of its MERGEs names a base that is not its ancestor, and that only comes now: those tasks are marked as open.

package import RedoObject

/// A snapshot as a part of a replay.
package struct SnapshotBasis: Sendable {
  /// The snapshot.
  package let snapshot: StateSnapshot
  /// The tasks that are replayed, by their indices, sorted by id.
  package let replayed: [Int]
  /// The rows of the snapshot that stay: those before each task that is replayed, and those after the last.
  package let kept: [Range<Int>]
  /// Whether the snapshot is of exactly this set.
  package let isWhole: Bool
}

extension Cut {
  /// The ids of the nodes of the set that have no child in it, sorted: all the others are their ancestors, if the
  /// set is closed.
  ///
  /// - Parameter log: the log of the set.
  /// - Returns: the ids.
  /// - Complexity: O(*n*) in nodes and parents.
  package func heads(in log: some HistoryLog) -> [ObjectID] {
    var hasChild = [Bool](repeating: false, count: log.count)
    for position in order {
      log.forEachParent(at: Int(position)) { if $0 >= 0 { hasChild[$0] = true } }
    }
    return order.filter { !hasChild[Int($0)] }.map { log.id(at: Int($0)) }.sorted()
  }
}

extension StateSnapshot {
  /// What the snapshot is worth for a closed set of nodes.
  ///
  /// - Parameters:
  ///   - log: a log without broken nodes.
  ///   - cut: a closed set of its nodes.
  /// - Returns: `nil` when it does not apply: a head is not in the set, or other rules made it.
  /// - Complexity: O(*n*).
  package func basis(in log: some HistoryLog, _ cut: Cut) -> SnapshotBasis? {
    guard rules == Self.rulesVersion, nodeCount <= cut.count,
      let marks = members(in: log, cut)
    else { return nil }
    let isWhole = nodeCount == cut.count
    var replayed = isWhole ? [] : touched(log, cut, marks).map { ($0, log.taskID($0)) }
    replayed.sort { $0.1 < $1.1 }
    // An index that somebody else wrote may name a task twice.
    guard zip(replayed, replayed.dropFirst()).allSatisfy({ $0.1 < $1.1 }) else { return nil }
    var kept: [Range<Int>] = []
    var start = 0
    for (_, id) in replayed {
      let (row, isFound) = row(of: id)
      kept.append(start..<row)
      start = isFound ? row + 1 : row
    }
    kept.append(start..<taskCount)
    return SnapshotBasis(
      snapshot: self, replayed: replayed.map(\.0), kept: kept, isWhole: isWhole)
  }

  /// The tasks that are replayed: those of other nodes, and those that are open.
  private func touched(_ log: some HistoryLog, _ cut: Cut, _ marks: [Bool]) -> [Int] {
    var isTouched = [Bool](repeating: false, count: log.taskCount)
    for position in cut.order where !marks[Int(position)] {
      let task = log.task(at: Int(position))
      if task >= 0 { isTouched[task] = true }
    }
    let open = Set((0..<taskCount).filter { isOpen($0) }.map { taskID($0) })
    if !open.isEmpty {
      for task in 0..<log.taskCount where open.contains(log.taskID(task)) {
        isTouched[task] = true
      }
    }
    return isTouched.indices.filter { isTouched[$0] }
  }

  /// For each position of a log whether the node is in the set of the snapshot.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - cut: a closed set of its nodes.
  /// - Returns: `nil` when a head is not in that set, or there are not as many nodes as the snapshot says.
  package func members(in log: some HistoryLog, _ cut: Cut) -> [Bool]? {
    // A snapshot that does not apply can usually be recognised by its first heads.
    for index in 0..<min(headCount, Self.probeCount) {
      guard let position = log.position(of: head(index)), cut.contains(position) else {
        return nil
      }
    }
    // All nodes are looked at anyway, and ids are spread evenly: so their first bits find the head.
    let bits = max(0, Int.bitWidth - headCount.leadingZeroBitCount)
    func bucket(_ id: ObjectID) -> Int {
      let first = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(id[$1]) }
      return bits == 0 ? 0 : Int(first >> UInt64(64 - bits))
    }
    var starts = [Int32](repeating: 0, count: (1 << bits) + 1)
    for index in 0..<headCount { starts[bucket(head(index)) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    func isHead(_ id: ObjectID) -> Bool {
      let bucket = bucket(id)
      var (low, high) = (Int(starts[bucket]), Int(starts[bucket + 1]))
      while low < high {
        let middle = (low + high) / 2
        if head(middle) < id { low = middle + 1 } else { high = middle }
      }
      return low < Int(starts[bucket + 1]) && head(low) == id
    }
    var marks = [Bool](repeating: false, count: log.count)
    var (left, count) = (headCount, 0)
    for position in cut.order.reversed() {
      let position = Int(position)
      if isHead(log.id(at: position)) {
        marks[position] = true
        left -= 1
      }
      guard marks[position] else { continue }
      count += 1
      log.forEachParent(at: position) { if $0 >= 0 { marks[$0] = true } }
    }
    return left == 0 && count == nodeCount ? marks : nil
  }

  /// How many heads are looked for one by one.
  private static var probeCount: Int { 8 }
}

extension KeptSkip {
  /// A skip by the names of things.
  ///
  /// - Parameters:
  ///   - skip: the skip.
  ///   - log: its log.
  ///   - cut: the current set.
  package init(_ skip: Skip, _ log: some HistoryLog, _ cut: Cut) {
    node = log.id(at: skip.position)
    reason = skip.reason
    todo = skip.todo
    place = cut.place(of: skip.position)
  }
}
