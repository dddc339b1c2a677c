// What a node changed: the differences between two states of a task, member by member.

package import RedoObject

/// One member that has another value.
package struct StateChange: Equatable, Sendable {
  /// The todo to which the member belongs; `nil` for a member of the task itself.
  package let todo: TaskID?
  /// The name as RFC 8785 writes it, without quotes; empty for a todo as a whole.
  package let name: [UInt8]
  /// The value before, RFC 8785; `nil` without one.
  package let old: [UInt8]?
  /// The value after, RFC 8785; `nil` without one.
  package let new: [UInt8]?

  /// The differences between two states of a task.
  ///
  /// When something was made or changed as such (created, lastUpdated, defaulted) does not count as a difference.
  ///
  /// - Parameters:
  ///   - before: the state before; `nil` when the task did not exist.
  ///   - after: the state after; `nil` when the task does not exist.
  /// - Returns: the members of the task by name, then todos in their order, each with its members.
  package static func between(_ before: TaskState?, _ after: TaskState?) -> [StateChange] {
    // Defaults of a CREATE are not changes; a member that is set later had its default before.
    let isMade = before != nil
    var changes = differences(
      nil, before?.members(defaults: true) ?? [], after?.members(defaults: isMade) ?? [])
    let old = before?.todos ?? TodoList()
    let new = after?.todos ?? TodoList()
    for todo in old.items where new.place(of: todo.id) == nil {
      changes += differences(todo.id, todo.members, [])
    }
    for todo in new.items {
      let known = old.place(of: todo.id).map { old.items[$0] }
      let own = differences(todo.id, known?.members ?? [], todo.members)
      // A todo that was made is shown even if nothing else is known of it.
      if known == nil, own.isEmpty {
        changes.append(StateChange(todo: todo.id, name: [], old: nil, new: nil))
      }
      changes += own
    }
    return changes
  }

  /// Compares two sorted lists of members.
  private static func differences(
    _ todo: TaskID?, _ old: [Member], _ new: [Member]
  ) -> [StateChange] {
    var changes: [StateChange] = []
    var (left, right) = (old[...], new[...])
    while true {
      let first = left.first
      let second = right.first
      guard first != nil || second != nil else { return changes }
      let isOld = second == nil || first.map { Self.precedes($0, second) } ?? false
      let isNew = first == nil || second.map { Self.precedes($0, first) } ?? false
      if isOld, let first {
        changes.append(StateChange(todo: todo, name: first.name, old: first.value, new: nil))
        left = left.dropFirst()
      } else if isNew, let second {
        changes.append(StateChange(todo: todo, name: second.name, old: nil, new: second.value))
        right = right.dropFirst()
      } else if let first, let second {
        if first.value != second.value {
          changes.append(
            StateChange(todo: todo, name: first.name, old: first.value, new: second.value))
        }
        left = left.dropFirst()
        right = right.dropFirst()
      }
    }
  }

  private static func precedes(_ left: Member, _ right: Member?) -> Bool {
    right.map { left.name.lexicographicallyPrecedes($0.name) } ?? true
  }
}

/// A member and its value.
private typealias Member = (name: [UInt8], value: [UInt8])

extension TaskState {
  /// The members that content can change, sorted by name.
  ///
  /// - Parameter defaults: whether members that were never set count.
  /// - Returns: names and values.
  fileprivate func members(defaults: Bool) -> [Member] {
    var members: [Member] = otherMembers
    func add(_ name: StaticString, _ value: [UInt8]?) {
      guard let value else { return }
      var bytes: [UInt8] = []
      bytes.append(name)
      members.append((bytes, value))
    }
    func add(_ name: StaticString, _ key: FieldKey) {
      if defaults || !isDefaulted(key) { add(name, value(key)) }
    }
    if defaults || isArchived { add("archived", Array((isArchived ? "true" : "false").utf8)) }
    add("completedAt", value(.completedAt))
    add("description", .description)
    add("frequencyDays", .frequencyDays)
    add("priority", .priority)
    add("privacy", .privacy)
    add("storyPoints", .storyPoints)
    add("title", value(.title))
    return members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}

extension TodoState {
  /// The members that content can change, sorted by name.
  fileprivate var members: [Member] {
    var members: [Member] = otherMembers
    if let completed { members.append((Array("completed".utf8), completed)) }
    if let deadline { members.append((Array("deadline".utf8), deadline)) }
    if !notes.isEmpty {
      members.append((Array("notes".utf8), value(.notes) ?? []))
    }
    return members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}
