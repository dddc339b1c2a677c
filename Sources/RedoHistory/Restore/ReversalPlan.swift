// What takes some changes of a history back: the tasks are brought to the state that they would have if these changes
// had never been written. What others have written since stays, because it is a part of that state.

package import RedoObject

/// What takes changes back.
package struct ReversalPlan: Sendable {
  /// A member that one of the changes wrote, and a later change that stays wrote again.
  package struct Kept: Equatable, Sendable {
    /// The task.
    package let task: TaskID
    /// The todo to which the member belongs; `nil` for a member of the task itself.
    package let todo: TaskID?
    /// The name as RFC 8785 writes it, without quotes; empty for the task as a whole.
    package let name: [UInt8]
    /// The position of the last change that wrote it.
    package let position: Int
  }

  /// What becomes of the tasks.
  package private(set) var restored = RestorePlan()
  /// What keeps the value that others have written since.
  package private(set) var kept: [Kept] = []
  /// Why a change has no effect; `nil` when some change has one.
  package private(set) var reason: SkipReason?
  /// Whether the task of a change is deleted, and stays so.
  package private(set) var deleted: TaskID?

  /// Compares a history with what it would be without some changes.
  ///
  /// - Parameters:
  ///   - log: the whole history.
  ///   - isGone: for each position whether the change is to be taken back.
  ///   - isForced: whether what others have written since gets its older value, too.
  /// - Complexity: that of replaying the tasks of these changes.
  package init<Log: HistoryLog>(_ log: Log, without isGone: [Bool], isForced: Bool) {
    var wanted: Set<Int> = []
    for position in 0..<log.count where isGone[position] && log.task(at: position) >= 0 {
      wanted.insert(log.task(at: position))
    }
    let tasks = wanted.sorted { log.taskID($0) < log.taskID($1) }
    let (whole, other) = (Cut(whole: log), LogWithout(log, isGone: isGone))
    var present = Replay(log, whole, TaskNodes(log, whole, only: tasks))
    var without = Replay(other, other.cut, TaskNodes(other, other.cut, only: tasks))
    // What others have written in a task needs the CREATE that made it, so that one stays if nothing else does.
    var stays = isGone
    var made: [Int: Int] = [:]
    for task in tasks where !isForced && without.state(of: task) == nil {
      guard let create = present.create(of: task), isGone[create] else { continue }
      stays[create] = false
      made[task] = create
    }
    let holder = LogWithout(log, isGone: stays)
    var holding = Replay(holder, holder.cut, TaskNodes(holder, holder.cut, only: Array(made.keys)))
    var hasEffect = false
    for task in tasks {
      let now = present.state(of: task)
      let skips = present.takeSkips()
      var found = present.written(in: task, isGone, skips)
      hasEffect = hasEffect || found.hasEffect
      if reason == nil { reason = found.reason }
      var (target, standing) = (without.state(of: task), without.taken(of: task))
      var gone = isGone
      if target == nil, !isForced {
        let held = made[task].map { holding.held(task, by: $0) }
        if let last = found.lastOther ?? held?.last, held?.state != nil || now != nil {
          kept.append(Kept(task: log.taskID(task), todo: nil, name: [], position: last))
          // It is there only because one of the changes has brought it back.
          guard let state = held?.state else { continue }
          (target, standing, gone) = (state, holding.taken(of: task), stays)
        }
      }
      if target == nil, now == nil { deleted = log.taskID(task) }
      if target != nil || now != nil { kept += found.kept.map(\.kept) }
      var wished = target
      if isForced { for member in found.kept { member.restore(in: &wished) } }
      found.kept = []
      let members = gone.map { !$0 }
      restored.add(
        present.restoration(of: task, to: wished, standing: standing, members))
    }
    if hasEffect { reason = nil }
  }
}

extension Replay {
  /// The CREATE that makes a task: its first.
  fileprivate func create(of task: Int) -> Int? {
    nodes.nodes(of: task).first { position in
      log.action(at: Int(position)) == .create && !log.isBroken(at: Int(position))
    }.map(Int.init)
  }

  /// What a task would be with the CREATE that made it, and the last change that then has an effect beside that one.
  fileprivate mutating func held(_ task: Int, by create: Int) -> (state: TaskState?, last: Int?) {
    let state = state(of: task)
    let idle = idleNodes(takeSkips())
    let last = taken(of: task).last { Int($0) != create && !idle.contains(Int($0)) }
    return (state, last.map(Int.init))
  }
}

/// What changes wrote in a task.
private struct WrittenMembers {
  /// A member that was written again since.
  struct Again {
    let kept: ReversalPlan.Kept
    let key: FieldKey?
    /// Its value before the first of the changes.
    let old: [UInt8]?

    /// Gives it that value in a state.
    func restore(in state: inout TaskState?) {
      guard let key else {
        if let old { state?.isArchived = old.elementsEqual("true".utf8) }
        return
      }
      guard let todo = kept.todo else {
        if let old { state?.set(key, to: old) } else { state?.clear(key) }
        return
      }
      guard let place = state?.todos.place(of: todo) else { return }
      state?.todos.update(place) { todo in
        if let old { todo.set(key, to: old) } else { todo.clear(key) }
      }
    }
  }

  var kept: [Again] = []
  var reason: SkipReason?
  var hasEffect = false
  /// The last change that stays and has an effect, if one comes after a change that is taken back.
  var lastOther: Int?
}

/// A member that some change wrote.
private struct Wrote: Hashable {
  let todo: TaskID?
  let name: [UInt8]
}

extension Replay {
  /// What changes wrote in a task, and what was written again since; the task was replayed last.
  fileprivate mutating func written(
    in task: Int, _ isGone: [Bool], _ skips: [Skip]
  ) -> WrittenMembers {
    var found = WrittenMembers()
    // What has no effect has written nothing.
    let idle = idleNodes(skips)
    for position in nodes.nodes(of: task) where isGone[Int(position)] {
      guard idle.contains(Int(position)) else {
        found.hasEffect = true
        continue
      }
      if found.reason == nil { found.reason = skips.first { $0.position == position }?.reason }
    }
    // The values before the first of the changes, in the order in which they were written.
    var old: [Wrote: (place: Int, key: FieldKey?, value: [UInt8]?)] = [:]
    var last: [Wrote: Int] = [:]
    var state: TaskState?
    var isAfter = false
    for position in taken(of: task) {
      let node = Int(position)
      let before = state
      state = self.state(before, after: CollectionOfOne(position))
      guard !idle.contains(node) else { continue }
      if isGone[node] {
        isAfter = true
        guard before != nil else { continue }
        let completes = before?.value(.completedAt) != state?.value(.completedAt)
        for change in StateChange.between(before, state) {
          let isArchival = change.todo == nil && change.name.elementsEqual("archived".utf8)
          let key = isArchival ? nil : FieldKey(change, completes: completes)
          let wrote = Wrote(todo: change.todo, name: Self.name(key))
          if old[wrote] == nil { old[wrote] = (old.count, key, change.old) }
        }
      } else if isAfter {
        found.lastOther = node
        var targets: Set<MergeTarget> = []
        self.targets(of: node, into: &targets)
        for target in targets { last[Wrote(todo: target.todo, name: Self.name(target.key))] = node }
        let action = log.action(at: node)
        if action == .archive || action == .unarchive {
          last[Wrote(todo: nil, name: Self.name(nil))] = node
        }
      }
    }
    let id = log.taskID(task)
    found.kept = old.sorted { $0.value.place < $1.value.place }.compactMap { wrote, first in
      last[wrote].map { position in
        WrittenMembers.Again(
          kept: ReversalPlan.Kept(
            task: id, todo: wrote.todo, name: first.key?.memberName ?? Array("archived".utf8),
            position: position), key: first.key, old: first.value)
      }
    }
    return found
  }

  /// The nodes that have no effect at all: a CREATE has one even if some todo of it has none.
  private func idleNodes(_ skips: [Skip]) -> Set<Int> {
    Set(
      skips.filter { skip in
        skip.todo == nil || skip.reason == .createDuplicate
          || log.action(at: skip.position) != .create
      }.map(\.position))
  }

  /// A name that no two members of a task or todo share.
  private static func name(_ key: FieldKey?) -> [UInt8] {
    guard let key else { return [] }
    if case .other(let name) = key { return Array("/".utf8) + name }
    return key.memberName
  }
}

extension FieldKey {
  /// The member that a change concerns.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - completes: whether it is the task's completion that changed, and not an unknown member of this name.
  fileprivate init(_ change: StateChange, completes: Bool) {
    if change.todo != nil {
      self = FieldKey(ofTodo: change.name.span) ?? .other(change.name)
    } else if completes, change.name.elementsEqual("completedAt".utf8) {
      self = .completedAt
    } else {
      self = FieldKey(ofTask: change.name.span)
    }
  }
}
