// The difference between two states of a task, member by member.

package import RedoObject

/// One member that has another value, or a whole task or todo that came or went.
package struct DocumentChange: Equatable, Sendable {
  /// What becomes of a member; the names are those of RFC 6902.
  package enum Operation: String, Sendable {
    case add, remove, replace
  }

  /// The todo to which the member belongs, or that differs as a whole; `nil` for the task.
  package let todo: TaskID?
  /// Its place in the task or in the todo: a JSON Pointer, as RFC 8785 writes it, without quotes; empty for
  /// the whole of it.
  package let path: [UInt8]
  /// The value before, RFC 8785; `nil` without one.
  package let old: [UInt8]?
  /// The value after, RFC 8785; `nil` without one.
  package let new: [UInt8]?

  /// What becomes of it.
  package var operation: Operation {
    if old == nil { return .add }
    return new == nil ? .remove : .replace
  }
}

/// The states of a task at two points, which are not the same.
package struct TaskDifference: Sendable {
  /// The task.
  package let task: TaskID
  /// Its state at the first point; `nil` when it did not exist.
  package let before: TaskState?
  /// Its state at the second point; `nil` when it does not exist.
  package let after: TaskState?

  /// Compares two states; there is nothing when they are the same.
  ///
  /// - Parameters:
  ///   - task: the task.
  ///   - before: its state at the first point; `nil` when it did not exist.
  ///   - after: its state at the second point.
  package init?(_ task: TaskID, _ before: TaskState?, _ after: TaskState?) {
    switch (before, after) {
    case (nil, nil): return nil
    case (let before?, let after?) where Self.json(before) == Self.json(after): return nil
    default: break
    }
    self.task = task
    self.before = before
    self.after = after
  }

  /// What differs: the members of the task by their paths, then todos that were removed, added or moved, and the
  /// members of those that stayed.
  package var changes: [DocumentChange] {
    guard let before, let after else {
      return [
        DocumentChange(
          todo: nil, path: [], old: before.map(Self.json), new: after.map(Self.json))
      ]
    }
    var changes = Self.changes(before.stateMembers + after.stateMembers, before, after)
    for todo in before.todos.items where after.todos.place(of: todo.id) == nil {
      changes.append(
        DocumentChange(todo: todo.id, path: [], old: Self.json(todo, before), new: nil))
    }
    for todo in after.todos.items where before.todos.place(of: todo.id) == nil {
      changes.append(
        DocumentChange(todo: todo.id, path: [], old: nil, new: Self.json(todo, after)))
    }
    let stayed = before.todos.items.filter { after.todos.place(of: $0.id) != nil }.map(\.id)
    let now = after.todos.items.filter { before.todos.place(of: $0.id) != nil }
    if stayed != now.map(\.id) {
      changes.append(
        DocumentChange(
          todo: nil, path: Array("/todoTasks".utf8), old: Self.list(stayed),
          new: Self.list(now.map(\.id))))
    }
    for todo in now { changes += self.changes(of: todo) }
    return changes
  }

  /// The members that differ of a todo that stayed.
  func changes(of todo: TodoState) -> [DocumentChange] {
    guard let place = before?.todos.place(of: todo.id), let old = before?.todos.items[place] else {
      return []
    }
    return Self.changes(old.stateMembers + todo.stateMembers, before, after)
  }

  /// The members of the task that differ.
  var ownChanges: [DocumentChange] {
    Self.changes((before?.stateMembers ?? []) + (after?.stateMembers ?? []), before, after)
  }

  /// Compares the values of some members, each once; sorted by path.
  private static func changes(
    _ members: [StateMember], _ before: TaskState?, _ after: TaskState?
  ) -> [DocumentChange] {
    var seen: Set<StateMember> = []
    var changes: [DocumentChange] = []
    for member in members where seen.insert(member).inserted {
      let (old, new) = (member.value(in: before), member.value(in: after))
      guard old != new else { continue }
      changes.append(
        DocumentChange(todo: member.todo, path: member.path, old: old, new: new))
    }
    return changes.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// A task as the state has it.
  static func json(_ state: TaskState) -> [UInt8] {
    var json: [UInt8] = []
    state.appendJSON(to: &json)
    return json
  }

  /// A todo as the state has it.
  static func json(_ todo: TodoState, _ state: TaskState) -> [UInt8] {
    var json: [UInt8] = []
    state.append(todo, to: &json)
    return json
  }

  private static func list(_ todos: [TaskID]) -> [UInt8] {
    var json = [UInt8(ascii: "[")]
    for (place, todo) in todos.enumerated() {
      json += (place > 0 ? ",\"" : "\"").utf8
      todo.append(to: &json)
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    return json
  }
}
