// What a MERGE of a diverged task would say (protocol, section 4): its living heads as parents, and of every
// member that any side wrote since the base the value that replay yields.

internal import CanonicalJSON
package import RedoObject

/// A diverged task, and what can be said about it in one node.
package struct MergePlan: Sendable {
  /// A member that was written since the base.
  package struct Field: Sendable {
    /// The todo to which the member belongs; `nil` for a member of the task itself.
    package let todo: TaskID?
    /// The name as RFC 8785 writes it, without quotes.
    package let name: [UInt8]
    /// The value at each parent, RFC 8785; `nil` where it has none.
    package let values: [[UInt8]?]
    /// The parents on whose sides it was written, by their indexes.
    package let writers: [Int]
    /// The value that replay yields, RFC 8785.
    package let winner: [UInt8]?

    /// Whether several sides wrote it.
    package var isConflict: Bool { writers.count > 1 }
  }

  /// The task.
  package let task: TaskID
  /// The parents, sorted by id.
  package let parents: [ObjectID]
  /// The last of the common ancestors of the parents in the task; `nil` without one.
  package let base: ObjectID?
  /// What was written since the base: of the task by name, then of todos by id and name.
  package let fields: [Field]

  /// The fields of the task itself.
  package var ofTask: [Field] { fields.filter { $0.todo == nil } }
}

/// How the members that several sides wrote are decided, in place of the order of the writes.
package enum MergeRule: String, CaseIterable, Sendable {
  /// As replay does: the last write in the total order.
  case lww
  /// The value at one parent.
  case ours
  /// The value at the other of two.
  case theirs
  /// The distinct elements of arrays.
  case union
  /// The greatest value.
  case max
  /// The least value.
  case min
}

extension Replay {
  /// What a MERGE of a task would say.
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - limit: the most parents; of more living heads the last in total order.
  /// - Returns: the plan; `nil` when the task has fewer than two living heads.
  /// - Complexity: O(*k* log *k*) in the nodes of the task for each head.
  package mutating func mergePlan(of task: Int, limit: Int = Node.parentLimit) -> MergePlan? {
    var sides = MergeSides(parents: [])
    return mergePlan(of: task, limit: limit, &sides)
  }

  /// What a rule decides of the members of a task that several sides wrote.
  ///
  /// - Parameters:
  ///   - task: its index in the log.
  ///   - rule: the rule.
  ///   - own: for `ours` and `theirs`, which parent of the plan is ours; the first unless given.
  ///   - limit: the most parents.
  /// - Returns: names and values, RFC 8785, by name; only those that the rule can decide.
  package mutating func decisions(
    of task: Int, by rule: MergeRule, own: Int? = nil, limit: Int = Node.parentLimit
  ) -> [(name: [UInt8], value: [UInt8])] {
    var sides = MergeSides(parents: [])
    guard let plan = mergePlan(of: task, limit: limit, &sides) else { return [] }
    var decided: [(name: [UInt8], value: [UInt8])] = []
    for field in plan.ofTask where field.isConflict {
      guard let key = FieldKey(ofMerged: field.name.span) else { continue }
      let value: [UInt8]?
      if rule == .lww {
        value = field.winner
      } else {
        value = choose(
          MergeTarget(todo: nil, key: key), rule.strategy,
          chosenParent: own.map { plan.parents[$0] }, value: nil, sides)
      }
      if let value { decided.append((field.name, value)) }
    }
    return decided
  }

  private mutating func mergePlan(
    of task: Int, limit: Int, _ sides: inout MergeSides
  ) -> MergePlan? {
    // What the merges of the task decide is known after this.
    guard let state = state(of: task) else { return nil }
    let heads = livingHeads(of: task).suffix(limit)
    guard heads.count > 1 else { return nil }
    let sorted = heads.map { (id: log.id(at: Int($0)), position: Int($0)) }.sorted { $0.id < $1.id }
    sides = MergeSides(parents: sorted.map(\.id))
    sides.positions = sorted.map(\.position)
    let written = written(since: nil, &sides, task)
    let targets = Array(written.keys)
    read(Dictionary(sides.parents.indices.map { ($0, targets) }) { $1 }, &sides, task)
    var fields: [MergePlan.Field] = []
    for (target, writers) in written {
      let name = target.key.memberName
      // A MERGE can say nothing about an unknown member with the name of another.
      if target.todo == nil, FieldKey(ofMerged: name.span) != target.key { continue }
      let values = sides.parents.indices.map { sides.values[$0]?[target] }
      fields.append(
        MergePlan.Field(
          todo: target.todo, name: name, values: values, writers: writers,
          winner: target.value(in: state)))
    }
    fields.sort { left, right in
      switch (left.todo, right.todo) {
      case (nil, .some): return true
      case (.some, nil): return false
      case (.some(let one), .some(let other)) where one != other: return one < other
      default: return MemberName(escaped: left.name) < MemberName(escaped: right.name)
      }
    }
    return MergePlan(
      task: log.taskID(task), parents: sides.parents, base: sides.base.map { log.id(at: $0) },
      fields: fields)
  }
}

extension MergeRule {
  fileprivate var strategy: MergeStrategy? {
    switch self {
    case .lww: .lww
    case .ours: .ours
    case .theirs: .theirs
    case .union: .union
    case .max: .max
    case .min: .min
    }
  }
}
