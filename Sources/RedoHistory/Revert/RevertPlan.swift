// What would undo a change: actions that give the members that it wrote the values that they had before it.

internal import CanonicalJSON
package import RedoObject

/// How a change can be undone.
package struct RevertPlan: Sendable {
  /// One new node.
  package struct Step: Equatable, Sendable {
    /// What it does.
    package let action: Action
    /// Its content: RFC 8785.
    package let content: [UInt8]
  }

  /// A member that was written again since.
  package struct Later: Equatable, Sendable {
    /// The todo to which the member belongs; `nil` for a member of the task itself.
    package let todo: TaskID?
    /// The name as RFC 8785 writes it, without quotes.
    package let name: [UInt8]
    /// The position of the last change that wrote it.
    package let position: Int
  }

  /// What no action can undo, for people; empty when all can be.
  package fileprivate(set) var obstacles: [String] = []
  /// The new nodes, in order; none when the change has no effect.
  package fileprivate(set) var steps: [Step] = []
  /// What would be lost: members that were written again since.
  package fileprivate(set) var later: [Later] = []
  /// Why the change has no effect; `nil` when it has one.
  package fileprivate(set) var reason: SkipReason?
}

extension Replay {
  /// What would undo a change.
  ///
  /// - Parameters:
  ///   - position: the change.
  ///   - task: the index of its task in the log.
  /// - Returns: the plan.
  /// - Complexity: that of `state(of:)`.
  package mutating func revertPlan(of position: Int, in task: Int) -> RevertPlan {
    var plan = RevertPlan()
    _ = takeSkips()
    let present = state(of: task)
    let skips = takeSkips()
    guard let action = log.action(at: position), !log.isBroken(at: position) else {
      plan.reason = log.isBroken(at: position) ? .brokenBranch : .actionUnknown
      return plan
    }
    switch action {
    case .delete: plan.obstacles = ["a DELETE"]
    case .createTodo, .addTodo: plan.obstacles = ["the making of a todo"]
    default: break
    }
    if !plan.obstacles.isEmpty { return plan }
    if let skip = skips.first(where: { $0.position == position && $0.todo == nil }) {
      plan.reason = skip.reason
      return plan
    }
    let taken = taken(of: task)
    var before: TaskState?
    var after: TaskState?
    // What has no effect has written nothing.
    let idle = Set(
      skips.filter { skip in
        skip.todo == nil || skip.reason == .createDuplicate
          || log.action(at: skip.position) != .create
      }.map(\.position))
    var last: [MergeTarget: Int] = [:]
    var lastArchival: Int?
    var lastOther: Int?
    forEachStep(of: task, taken) { replay, node, old, new in
      if node == position { (before, after) = (old, new) }
      guard replay.cut.place(of: node) > replay.cut.place(of: position), !idle.contains(node) else {
        return
      }
      var targets: Set<MergeTarget> = []
      replay.targets(of: node, into: &targets)
      for target in targets { last[target] = node }
      let action = replay.log.action(at: node)
      if action == .archive || action == .unarchive { lastArchival = node }
      lastOther = node
    }
    guard present != nil else { return plan }
    if action == .create {
      plan.steps = [RevertPlan.Step(action: .delete, content: Array("{}".utf8))]
      if let lastOther { plan.later = [RevertPlan.Later(todo: nil, name: [], position: lastOther)] }
      return plan
    }
    let changes = StateChange.between(before, after)
    // An UPDATE may have an unknown member with this name, which is a different one.
    let completes = before?.value(.completedAt) != after?.value(.completedAt)
    for change in changes {
      let isArchival = change.todo == nil && change.name.elementsEqual("archived".utf8)
      let key = FieldKey(change, completes: completes)
      let found = isArchival ? lastArchival : last[MergeTarget(todo: change.todo, key: key)]
      if let found {
        plan.later.append(RevertPlan.Later(todo: change.todo, name: change.name, position: found))
      }
    }
    plan.undo(changes, completes: completes)
    if !plan.obstacles.isEmpty { plan.steps = [] }
    return plan
  }

  /// Replays nodes of a task, one by one.
  private mutating func forEachStep(
    of task: Int, _ positions: [Int32],
    _ body: (inout Replay, Int, TaskState?, TaskState?) -> Void
  ) {
    var state: TaskState?
    for position in positions {
      let before = state
      state = self.state(before, after: CollectionOfOne(position))
      body(&self, Int(position), before, state)
    }
  }
}

extension FieldKey {
  /// The member that a change concerns.
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

extension RevertPlan {
  /// Finds the actions that undo changes.
  fileprivate mutating func undo(_ changes: [StateChange], completes: Bool) {
    var members: [StateChange] = []
    for change in changes {
      let name = String(decoding: change.name, as: UTF8.self)
      if let todo = change.todo {
        undo(change, name, of: todo)
        continue
      }
      switch name {
      case "archived":
        let wasArchived = change.old.map { $0.elementsEqual("true".utf8) } ?? false
        steps.append(Step(action: wasArchived ? .archive : .unarchive, content: Array("{}".utf8)))
      case "completedAt" where completes:
        guard let old = change.old else {
          obstacles.append("a completion")
          continue
        }
        steps.append(
          Step(action: .complete, content: Self.object([(Array("completedAt".utf8), old)])))
      default:
        if change.old == nil {
          obstacles.append("the first value of '\(name)'")
        } else {
          members.append(change)
        }
      }
    }
    guard !members.isEmpty else { return }
    members.sort { MemberName(escaped: $0.name) < MemberName(escaped: $1.name) }
    let content = Self.object(members.map { ($0.name, $0.old ?? []) })
    steps.insert(Step(action: .update, content: content), at: 0)
  }

  private mutating func undo(_ change: StateChange, _ name: String, of todo: TaskID) {
    guard let old = change.old else {
      switch name {
      case "completed": obstacles.append("a completion")
      case "notes": obstacles.append("appended notes")
      case "deadline": obstacles.append("the first deadline of todo '\(todo.text)'")
      default: obstacles.append("the making of todo '\(todo.text)'")
      }
      return
    }
    switch name {
    case "completed":
      steps.append(
        Step(action: .completeTodo, content: Self.object(("completed", old), todo: todo)))
    case "deadline":
      steps.append(
        Step(action: .snooze, content: Self.object(("newDeadline", old), todo: todo)))
    case "notes": obstacles.append("appended notes")
    default: obstacles.append("a decision about '\(name)' of todo '\(todo.text)'")
    }
  }

  /// An object of members that are sorted: names as RFC 8785 writes them, without quotes, and values.
  private static func object(_ members: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in members {
        json.name(escaped: name)
        json.value(json: value)
      }
    }
    return json.bytes
  }

  private static func object(_ member: (StaticString, [UInt8]), todo: TaskID) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.add(member.0, json: member.1)
      json.add("todoTaskId", todo.text)
    }
    return json.bytes
  }
}
