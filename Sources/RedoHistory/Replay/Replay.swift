// Replay (protocol, section 3): the state of a task is what its nodes do, one after the other in total order.
// One task at a time, one node at a time; nothing recurses, over the DAG or over nested merges.

internal import RedoObject

/// Replays tasks of a set of nodes, keeping its memory from one task to the next.
///
/// ```swift
/// let cut = Cut(whole: log)
/// let nodes = TaskNodes(log, cut)
/// var replay = Replay(log, cut, nodes)
/// for task in nodes.tasks { replay.state(of: task)?.appendJSON(to: &output) }
/// ```
///
/// The parts of one replay can be shared: for several threads, make one `Replay` for each.
package struct Replay<Log: HistoryLog>: ~Copyable {
  let log: Log
  let cut: Cut
  let nodes: TaskNodes
  var reader = ContentReader()
  var ancestry: Ancestry<Log>
  /// What the merges of the current task decide, by position.
  var decided: [Int: [MergeDecision]] = [:]
  /// The anchors of the current task; `nil` when it has no merges.
  var anchors: AnchorFinder?
  /// What had no effect, task by task, in total order within each.
  package private(set) var skips: [Skip] = []
  /// Whether a MERGE of the task that was replayed last named a base that is not in the set: if that comes, the task
  /// may get another state although none of its own nodes came.
  package internal(set) var isOpen = false

  /// Whether the content of some node was none, so that nothing that was made may be used.
  package var isDamaged: Bool { reader.isDamaged }

  /// A replay of a set of nodes.
  ///
  /// - Parameters:
  ///   - log: the log.
  ///   - cut: the set.
  ///   - nodes: the nodes of the set by task.
  package init(_ log: Log, _ cut: Cut, _ nodes: TaskNodes) {
    self.log = log
    self.cut = cut
    self.nodes = nodes
    ancestry = Ancestry(log, cut)
  }

  /// Replays a task.
  ///
  /// - Parameter task: its index in the log.
  /// - Returns: its state; `nil` when it has none: it was never made, or it was deleted.
  /// - Complexity: O(*k*) in the nodes of the task. A MERGE with `payload` that decides by another
  ///   strategy than `lww` replays, for each of its parents, the parent's ancestors in the task down to
  ///   the last node at which all branches had come together.
  package mutating func state(of task: Int) -> TaskState? {
    let own = nodes.nodes(of: task)
    let marks = begin(task)
    var state: TaskState?
    var found: [Skip] = []
    if marks.contains(.cut) {
      for (position, standing) in zip(own, standings(of: own, task: task)) {
        switch standing {
        case .taken: take(Int(position), &state, &found)
        case .tombstone: break
        case .skipped(let reason): found.append(Skip(Int(position), reason))
        }
      }
    } else {
      // Every node is a living head, or an ancestor of one.
      for position in own { take(Int(position), &state, &found) }
    }
    skips += found
    return state
  }

  /// Replays a task node by node, as it looked to people at each: nothing is left out for a DELETE
  /// that came later, or for the branch that it ended.
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - body: receives each node that is not broken, and the states before it and after it.
  /// - Complexity: that of `state(of:)`.
  package mutating func steps(
    of task: Int, _ body: (_ position: Int, _ before: TaskState?, _ after: TaskState?) -> Void
  ) {
    _ = begin(task)
    var state: TaskState?
    var found: [Skip] = []
    for position in nodes.nodes(of: task) where !log.isBroken(at: Int(position)) {
      let before = state
      take(Int(position), &state, &found)
      body(Int(position), before, state)
    }
  }

  /// Replays a task for what its merges decide; what has no effect has been told.
  mutating func decideMerges(of task: Int) {
    let told = skips
    _ = state(of: task)
    skips = told
  }

  /// The nodes of a task that make up its state: its living heads and their ancestors in it, in total order.
  mutating func taken(of task: Int) -> [Int32] {
    let own = nodes.nodes(of: task)
    guard nodes.marks(of: task).contains(.cut) else { return Array(own) }
    return zip(own, standings(of: own, task: task)).compactMap { position, standing in
      if case .taken = standing { position } else { nil }
    }
  }

  /// The living heads of a task: what a new node of it follows.
  ///
  /// - Parameter task: its index in the log.
  /// - Returns: positions, in total order; none when the task is deleted.
  /// - Complexity: that of finding its nodes above each other.
  package mutating func livingHeads(of task: Int) -> [Int32] { heads(among: taken(of: task), task) }

  /// What has to be followed beside the living heads of a task, so that what made it up at an earlier point counts
  /// again: what the DELETEs follow that have ended it since, but for branches that were deleted at the point already
  /// (protocol, section 2).
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - standing: the nodes that made it up at the point.
  ///   - members: for each position whether the node was there at the point.
  /// - Returns: positions, in total order; none when all of it counts, as far as any node can bring it back.
  /// - Complexity: that of finding its nodes above each other.
  mutating func endedHeads(of task: Int, standing: [Int32], _ members: [Bool]) -> [Int32] {
    let own = nodes.nodes(of: task)
    guard nodes.marks(of: task).contains(.cut), let first = own.first else { return [] }
    let floor = cut.place(of: Int(first))
    let stood = Set(standing)
    var taken: Set<Int32> = []
    // The nodes that stood at the point and do not count any more, and what follows them.
    var above: Set<Int32> = []
    var ended: Set<Int32> = []
    for (position, standing) in zip(own, standings(of: own, task: task)) {
      let parents = ancestry.nearest(to: Int(position), task: task, notBefore: floor)
      let isAbove = parents.contains(where: above.contains)
      switch standing {
      case .taken: taken.insert(position)
      case .skipped(.notLiving): if isAbove || stood.contains(position) { above.insert(position) }
      case .tombstone:
        guard isAbove, !members[Int(position)] else { continue }
        ended.formUnion(parents.filter { !members[Int($0)] || stood.contains($0) })
      case .skipped: continue
      }
    }
    ended.subtract(taken)
    return heads(among: withAncestors(ended, of: task), task)
  }

  /// The state of a task as it would be with a node that follows its living heads, and others beside them.
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - others: the others, which a DELETE has ended.
  /// - Returns: the state; `nil` when the task was never made.
  mutating func state(of task: Int, with others: [Int32]) -> TaskState? {
    let positions = Set(taken(of: task)).union(withAncestors(Set(others), of: task))
    _ = begin(task)
    var state: TaskState?
    var found: [Skip] = []
    for position in nodes.nodes(of: task) where positions.contains(position) {
      take(Int(position), &state, &found)
    }
    return state
  }

  /// Some nodes of a task and their ancestors in it, in total order.
  private mutating func withAncestors(_ tips: Set<Int32>, of task: Int) -> [Int32] {
    guard let first = nodes.nodes(of: task).first, !tips.isEmpty else { return [] }
    return ancestry.closure(
      of: tips.map(Int.init), task: task, notBefore: cut.place(of: Int(first)))
  }

  /// Those of some nodes of a task from which no other of them descends.
  private mutating func heads(among positions: [Int32], _ task: Int) -> [Int32] {
    guard let first = positions.first else { return [] }
    let floor = cut.place(of: Int(first))
    var followed: Set<Int32> = []
    for position in positions {
      followed.formUnion(ancestry.nearest(to: Int(position), task: task, notBefore: floor))
    }
    return positions.filter { !followed.contains($0) }
  }

  /// Starts over with a task.
  private mutating func begin(_ task: Int) -> TaskNodes.Marks {
    decided.removeAll(keepingCapacity: true)
    isOpen = false
    let marks = nodes.marks(of: task)
    anchors = marks.contains(.merge) ? AnchorFinder(nodes.nodes(of: task), log) : nil
    return marks
  }

  /// Does what a node does, and looks whether later merges can start from it.
  mutating func take(
    _ position: Int, _ state: inout TaskState?, _ skips: inout [Skip]
  ) {
    apply(position, to: &state, &skips)
    anchors?.note(position, state, log, cut)
  }

  /// The anchor before which merges need not look.
  var anchor: Anchor? { anchors?.anchor }

  /// The nodes that are of no task: none of them has an effect.
  package func skipsWithoutTask() -> [Skip] {
    nodes.withoutTask.map { position in
      let position = Int(position)
      if log.isBroken(at: position) { return Skip(position, .brokenBranch) }
      return Skip(position, log.action(at: position) == nil ? .actionUnknown : .taskIDMissing)
    }
  }

  /// Gives what had no effect since the last time.
  package mutating func takeSkips() -> [Skip] {
    let taken = skips
    skips.removeAll()
    return taken
  }

  /// Replays some nodes of a task on top of a state, in total order; what the merges among them decide
  /// is known.
  mutating func state(
    _ start: TaskState?, after positions: some Sequence<Int32>
  ) -> TaskState? {
    var state = start
    var found: [Skip] = []
    for position in positions { apply(Int(position), to: &state, &found) }
    return state
  }

  /// The first node of a task that has nodes in the set.
  func firstNode(of task: Int) -> Int { nodes.nodes(of: task).first.map(Int.init) ?? -1 }

  /// Does what a node does.
  private mutating func apply(_ position: Int, to state: inout TaskState?, _ skips: inout [Skip]) {
    guard let action = log.action(at: position) else {
      skips.append(Skip(position, .actionUnknown))
      return
    }
    if action == .create {
      guard state == nil else {
        skips.append(Skip(position, .createDuplicate))
        return
      }
      state = create(position, &skips)
      return
    }
    // What a merge decides counts for the merges after it, even if the task has not been made yet.
    if action == .merge { decide(position) }
    guard state != nil else {
      skips.append(Skip(position, .taskMissing))
      return
    }
    switch action {
    case .create, .delete: return
    case .createTodo, .addTodo: addTodo(position, to: &state, &skips)
    case .completeTodo: completeTodo(position, in: &state, &skips)
    case .snooze: snooze(position, in: &state, &skips)
    case .update: update(position, &state)
    case .complete: complete(position, &state)
    case .archive: state?.isArchived = true
    case .unarchive: state?.isArchived = false
    case .merge: merge(position, &state)
    }
    switch action {
    case .update, .complete, .archive, .unarchive, .merge:
      state?.lastUpdated = wallText(position)
    case .create, .createTodo, .addTodo, .completeTodo, .snooze, .delete: break
    }
  }

  /// The text of a node's wall time.
  func wallText(_ position: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(24)
    log.appendWallText(at: position, to: &text)
    return text
  }
}
