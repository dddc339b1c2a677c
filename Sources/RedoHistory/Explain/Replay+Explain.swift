// A replay that records who wrote what. It applies the nodes of the task exactly as `state(of:)` does, and
// asks after each node for the values that it set.

internal import RedoObject

extension Replay {
  /// Explains the state of a task.
  ///
  /// - Parameter task: its index in the log; it has nodes in the set.
  /// - Returns: the state, and who wrote what.
  /// - Complexity: that of `state(of:)`, and for each member that was overwritten the nodes between its
  ///   oldest writer and its last one.
  package mutating func explain(_ task: Int) -> Explanation {
    let own = nodes.nodes(of: task)
    let marks = nodes.marks(of: task)
    decided.removeAll(keepingCapacity: true)
    anchors = marks.contains(.merge) ? AnchorFinder(own, log) : nil
    let standings =
      marks.contains(.cut)
      ? standings(of: own, task: task) : [BranchStanding](repeating: .taken, count: own.count)
    var state: TaskState?
    var skips: [Skip] = []
    var deletes: [Int] = []
    var writings = Writings()
    for (place, standing) in zip(own, standings) {
      let position = Int(place)
      switch standing {
      case .tombstone: deletes.append(position)
      case .skipped(let reason):
        skips.append(Skip(position, reason))
        writings.note(writes(of: position), position) { _ in .skipped(reason) }
      case .taken:
        let count = skips.count
        take(position, &state, &skips)
        note(position, state, skips[count...], &writings)
      }
    }
    let members = writings.all(in: state).map { member in
      explain(member, writings[member], state, task)
    }
    return Explanation(
      task: log.taskID(task), state: state, members: members, skips: skips, deletes: deletes)
  }

  /// Takes down what a node wrote.
  private mutating func note(
    _ position: Int, _ state: TaskState?, _ skips: ArraySlice<Skip>, _ writings: inout Writings
  ) {
    let action = log.action(at: position)
    let isPart = action == .create && !skips.contains { $0.todo == nil }
    let whole = isPart ? nil : skips.first?.reason
    let made = Set(skips.compactMap(\.todo))
    // Of two todos of one id in a CREATE the first one counts, which comes first here, too.
    var seen: Set<TaskID> = []
    var current: TaskID?
    let writes = writes(of: position)
    var reasons: [LossReason?] = []
    for write in writes {
      if isPart, let todo = write.member.todo, made.contains(todo), write.member.key == .created {
        current = seen.insert(todo).inserted ? nil : todo
      }
      if let whole {
        reasons.append(.skipped(whole))
      } else if isPart, let todo = write.member.todo, todo == current {
        reasons.append(.skipped(.todoDuplicate))
      } else if write.isAutomatic {
        reasons.append(.automaticMerge)
      } else if let todo = write.member.todo, state?.todos.place(of: todo) == nil {
        reasons.append(.skipped(.todoMissing))
      } else {
        reasons.append(nil)
      }
    }
    writings.note(writes, position, state, reasons)
  }

  /// Determines which write of a member won, and why the others did not.
  private mutating func explain(
    _ member: StateMember, _ written: [Written], _ state: TaskState?, _ task: Int
  ) -> MemberExplanation {
    let effective = written.filter { $0.reason == nil }
    let winner = state == nil ? nil : effective.last?.writer
    var parts: [MemberWriter] = []
    if let winner, winner.appended != nil {
      for entry in effective.reversed() {
        // Empty notes do not count as a part.
        if entry.writer.appended != nil || entry.writer.value?.count != 2 {
          parts.append(entry.writer)
        }
        if entry.writer.appended == nil { break }
      }
      parts.reverse()
    }
    var kept = Set(parts.map(\.position))
    if let winner { kept.insert(winner.position) }
    let lost = written.filter { entry in
      if entry.reason != nil { return true }
      // Nothing is lost of notes that were empty.
      if member.key == .field(.notes), entry.writer.value?.count == 2 { return false }
      return !kept.contains(entry.writer.position)
    }
    let above = winner.map { ancestors(of: $0.position, among: lost, task) } ?? []
    let losers = lost.reversed().map { entry in
      MemberLoser(
        writer: entry.writer,
        reason: entry.reason ?? reason(entry.writer, against: winner, above))
    }
    return MemberExplanation(
      member: member, value: member.value(in: state), winner: winner,
      parts: parts.count > 1 ? parts : [], losers: losers)
  }

  /// Which nodes of the task the winner descends from, as far back as the oldest loser.
  private mutating func ancestors(
    of winner: Int, among losers: [Written], _ task: Int
  ) -> Set<Int32> {
    let places = losers.filter { $0.reason == nil }.map { cut.place(of: $0.writer.position) }
    guard let floor = places.min() else { return [] }
    return Set(ancestry.closure(of: [winner], task: task, notBefore: floor))
  }

  private func reason(
    _ loser: MemberWriter, against winner: MemberWriter?, _ above: Set<Int32>
  ) -> LossReason {
    if loser.isDefault { return .isDefault }
    guard let winner, !above.contains(Int32(loser.position)) else { return .earlier }
    let (one, other) = (loser.position, winner.position)
    guard log.precedes(one, other) else { return .concurrent(.parents) }
    if log.lamport(at: one) != log.lamport(at: other) { return .concurrent(.lamport) }
    return .concurrent(log.wall(at: one) != log.wall(at: other) ? .wall : .id)
  }
}

/// What a node wrote, and why it had no effect, if it had none.
struct Written {
  let writer: MemberWriter
  let reason: LossReason?
}

/// The writers of each member, in total order.
struct Writings {
  private var written: [StateMember: [Written]] = [:]
  /// The members in the order in which they were first written.
  private var order: [StateMember] = []

  subscript(member: StateMember) -> [Written] { written[member] ?? [] }

  /// The members of a state, and then those that were only written without effect.
  func all(in state: TaskState?) -> [StateMember] {
    guard let state else { return [] }
    let own = state.stateMembers.filter { $0.key != .defaulted }
    let present = own + state.todos.items.flatMap(\.stateMembers)
    let known = Set(present)
    return present + order.filter { !known.contains($0) }
  }

  /// Takes down what a node without effect says.
  mutating func note(
    _ writes: [ContentWrite], _ position: Int, _ reason: (ContentWrite) -> LossReason
  ) {
    note(writes, position, nil, writes.map { .some(reason($0)) })
  }

  /// Takes down what a node says.
  ///
  /// - Parameters:
  ///   - writes: what it says.
  ///   - position: the node.
  ///   - state: the state after it.
  ///   - reasons: for each write why it has no effect; `nil` when it has one.
  mutating func note(
    _ writes: [ContentWrite], _ position: Int, _ state: TaskState?, _ reasons: [LossReason?]
  ) {
    for (write, reason) in zip(writes, reasons) {
      // A default that was not taken is nothing that anybody wrote.
      if reason != nil, write.isDefault { continue }
      let member = write.member
      if written[member] == nil { order.append(member) }
      // Of several decisions of a node about one member the last counts.
      if reason == nil, let last = written[member]?.last, last.writer.position == position,
        last.reason == nil
      {
        written[member]?.removeLast()
      }
      let writer = MemberWriter(
        position: position, value: reason == nil ? member.value(in: state) : write.value,
        appended: write.appended, days: reason == nil ? nil : write.days,
        isDefault: write.isDefault, strategy: write.strategy)
      written[member, default: []].append(Written(writer: writer, reason: reason))
    }
  }
}
